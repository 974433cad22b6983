"""The referee's plain values in and out, and what it refuses (DESIGN, settle)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.betting import Wager
from core.cards import Hand, cards_text
from core.errors import (
    BadAmount,
    BadRuleSet,
    BetOff,
    NoBet,
    NotARound,
    RepeatedCard,
    RuleError,
    UnknownCard,
    UnknownDecision,
    UnknownKey,
    UnknownRuleSet,
    WrongHandSize,
)
from core.referee import MOST_CHIPS, referee, round_hands
from core.rules import RuleSet, as_mapping, preset
from core.settlement import Decision, settle
from tests.core.strategies import deals, decisions, rule_sets, wagers

SOLO: dict[str, object] = {
    "rules": "selminha",
    "player": "Qh 6c 4d",
    "dealer": "Js Td 8c",
    "ante": 25,
    "pair_plus": 5,
    "six_card": 0,
    "decision": "play",
}
SEATS: list[dict[str, object]] = [
    {"name": "Ann", "player": "5h 6c 7d", "ante": 20, "pair_plus": 10, "decision": "play"},
    {"name": "Bob", "player": "Qh 8c 2d", "ante": 30, "pair_plus": 0, "decision": "play"},
    {"name": "Cy", "player": "Jd 7s 2h", "ante": 10, "pair_plus": 5, "decision": "fold"},
    {"name": "Dee", "player": "8s 8d 3c", "ante": 25, "pair_plus": 10, "decision": "play"},
]
BANKED: dict[str, object] = {"rules": "california", "bank": 100, "banker": "Qs 9d 4c", "seats": SEATS}


def test_the_designs_solo_example() -> None:
    assert referee(SOLO) == {
        "result": "not_qualified",
        "dealer_qualifies": False,
        "player_category": "high_card",
        "dealer_category": "high_card",
        "lines": {"ante": 25, "play": 0, "ante_bonus": 0, "pair_plus": -5, "six_card": 0},
        "net": 20,
    }


@pytest.mark.parametrize(
    "changed, result, lines",
    [
        pytest.param({"decision": "fold"}, "fold", (-25, 0, 0, -5, 0), id="DESIGN fold"),
        pytest.param({"dealer": "Qs 6d 4c"}, "tie", (0, 0, 0, -5, 0), id="SEL ties push"),
        pytest.param({"dealer": "Qs 6d 5c"}, "lose", (-25, -25, 0, -5, 0), id="SEL dealer wins"),
        pytest.param({"dealer": "Qs 5d 4c"}, "win", (25, 25, 0, -5, 0), id="SEL player wins"),
        pytest.param({"player": "6h 5c 4d"}, "not_qualified", (25, 0, 25, 30, 0), id="SEL bonus, dealer not qualified"),
        pytest.param({"ante": 0, "decision": None}, "no_ante", (0, 0, 0, -5, 0), id="P3 Pair Plus alone"),
        pytest.param(
            {"rules": {"dealer_must_qualify": False}, "player": "5h 3c 2d"},
            "lose",
            (-25, -25, 0, -5, 0),
            id="always compared",
        ),
        pytest.param(
            {"rules": "six-card", "six_card": 5, "dealer": "Qs Qd 8c"}, "lose", (-25, -25, 0, -5, 25), id="6-Card trips"
        ),
        pytest.param(
            {"rules": "six-card", "six_card": 5, "dealer": "Qs Qd 8c", "decision": "fold"},
            "fold",
            (-25, 0, 0, -5, 25),
            id="6-Card stands after a fold",
        ),
    ],
)
def test_solo_rounds(changed: dict[str, object], result: str, lines: tuple[int, ...]) -> None:
    settled = referee(SOLO | changed)

    assert settled["result"] == result
    assert tuple(settled["lines"].values()) == lines  # type: ignore[attr-defined]
    assert settled["net"] == sum(lines)


def test_bets_that_are_not_named_are_none_and_the_rules_are_selminha() -> None:
    short = {"player": "Qh 6c 4d", "dealer": "Js Td 8c", "ante": 25, "decision": "play"}

    assert referee(short) == referee(SOLO | {"pair_plus": 0})


def test_an_absent_decision_is_none() -> None:
    bare = {key: value for key, value in SOLO.items() if key not in {"ante", "decision"}}

    assert referee(bare) == referee(bare | {"ante": 0, "decision": None})


def test_dealer_qualifies_is_the_fact_of_the_cards_also_after_a_fold() -> None:
    assert referee(SOLO | {"decision": "fold", "dealer": "Qs 3d 2c"})["dealer_qualifies"] is True


@pytest.mark.parametrize(
    "bank, banker_net, nets",
    [
        (500, -105, [120, -60, -15, 60]),
        (100, -100, [120, -60, -15, 55]),
        (20, -20, [95, -60, -15, 0]),
        (None, -105, [120, -60, -15, 60]),
    ],
)
def test_rules_3_the_worked_example(bank: int | None, banker_net: int, nets: list[int]) -> None:
    settled = referee(BANKED | {"bank": bank})
    seats = settled["seats"]

    assert isinstance(seats, list)
    assert settled["banker_net"] == banker_net
    assert [(seat["name"], seat["net"]) for seat in seats] == list(zip(("Ann", "Bob", "Cy", "Dee"), nets, strict=True))
    assert [sum(seat["lines"].values()) for seat in seats] == nets


def test_a_banked_answer_has_the_designs_shape() -> None:
    assert referee(BANKED | {"seats": SEATS[1:2]}) == {
        "banker_net": 60,
        "seats": [
            {
                "name": "Bob",
                "net": -60,
                "lines": {"ante": -30, "play": -30, "ante_bonus": 0, "pair_plus": 0, "six_card": 0},
            }
        ],
    }


@pytest.mark.parametrize(
    "changed, refusal",
    [
        pytest.param({"player": "Qh 6c 4x"}, UnknownCard, id="unknown card"),
        pytest.param({"player": "Qh 6c 6c"}, RepeatedCard, id="a card twice in a hand"),
        pytest.param({"dealer": "Qh Td 8c"}, RepeatedCard, id="a card in both hands"),
        pytest.param({"player": "Qh 6c"}, WrongHandSize, id="two cards"),
        pytest.param({"player": "Qh 6c 4d 3d"}, WrongHandSize, id="four cards"),
        pytest.param({"player": ["Qh", "6c", "4d"]}, NotARound, id="cards in a list"),
        pytest.param({"dealer": None}, NotARound, id="no dealer"),
        pytest.param({"ante": True}, BadAmount, id="true"),
        pytest.param({"ante": False, "decision": None}, BadAmount, id="false"),
        pytest.param({"ante": 2.5}, BadAmount, id="2.5"),
        pytest.param({"ante": 25.0}, BadAmount, id="25.0"),
        pytest.param({"ante": "5"}, BadAmount, id="in quotes"),
        pytest.param({"ante": float("inf")}, BadAmount, id="infinity"),
        pytest.param({"ante": float("nan")}, BadAmount, id="not a number"),
        pytest.param({"ante": -5}, BadAmount, id="negative"),
        pytest.param({"ante": None}, BadAmount, id="null for an amount"),
        pytest.param({"ante": MOST_CHIPS + 1}, BadAmount, id="beyond 64 bits"),
        pytest.param({"ante": 10**5000}, BadAmount, id="beyond all bounds"),
        pytest.param({"pair_plus": -1}, BadAmount, id="negative Pair Plus"),
        pytest.param({"six_card": 5}, BetOff, id="a bet that is off"),
        pytest.param({"rules": {"pair_plus": None}}, BetOff, id="Pair Plus switched off"),
        pytest.param({"ante": 0, "pair_plus": 0, "decision": None}, NoBet, id="no stake at all"),
        pytest.param({"decision": "raise"}, UnknownDecision, id="unknown decision"),
        pytest.param({"decision": "Play"}, UnknownDecision, id="decisions are lower case"),
        pytest.param({"decision": []}, UnknownDecision, id="a list for a decision"),
        pytest.param({"decision": None}, UnknownDecision, id="an Ante without a decision"),
        pytest.param({"ante": 0}, UnknownDecision, id="a decision without an Ante"),
        pytest.param({"rules": "vegas"}, UnknownRuleSet, id="unknown rule set"),
        pytest.param({"rules": None}, BadRuleSet, id="null for rules"),
        pytest.param({"rules": 1}, BadRuleSet, id="a number for rules"),
        pytest.param({"rules": {"ante_bonus": {"straight": -1}}}, BadRuleSet, id="a rule set that is unfit"),
        pytest.param({"rules": {"ante_required": 1}}, BadRuleSet, id="1 is not true"),
        pytest.param({"pair_pluss": 5}, UnknownKey, id="a misspelt bet"),
        pytest.param({"seats": SEATS}, UnknownKey, id="solo and banked at once"),
    ],
)
def test_what_makes_no_sense_is_refused(changed: dict[str, object], refusal: type[RuleError]) -> None:
    with pytest.raises(refusal):
        referee(SOLO | changed)


def first_seat(**changed: object) -> dict[str, object]:
    return BANKED | {"seats": [SEATS[0] | changed, *SEATS[1:]]}


@pytest.mark.parametrize(
    "given_, refusal",
    [
        pytest.param(BANKED | {"dealer": "Ks Kd 2c"}, UnknownKey, id="a dealer beside a banker"),
        pytest.param(BANKED | {"ante": 5}, UnknownKey, id="an ante of nobody"),
        pytest.param({key: BANKED[key] for key in ("rules", "banker", "seats")}, NotARound, id="no bank named"),
        pytest.param({"bank": 5}, NotARound, id="a bank alone"),
        pytest.param(BANKED | {"bank": -1}, BadAmount, id="a negative bank"),
        pytest.param(BANKED | {"bank": True}, BadAmount, id="true for a bank"),
        pytest.param(BANKED | {"bank": "100"}, BadAmount, id="a bank in quotes"),
        pytest.param(BANKED | {"seats": []}, NotARound, id="no seats"),
        pytest.param(BANKED | {"seats": {}}, NotARound, id="seats in an object"),
        pytest.param(BANKED | {"seats": [1]}, NotARound, id="a seat that is none"),
        pytest.param(BANKED | {"seats": SEATS[:1] * 2}, RepeatedCard, id="one hand in two seats"),
        pytest.param(first_seat(name=None), NotARound, id="a seat without a name"),
        pytest.param(first_seat(bank=1), UnknownKey, id="a bank in a seat"),
        pytest.param(first_seat(player="Qs 6c 7d"), RepeatedCard, id="a card of the banker"),
        pytest.param(first_seat(ante=0, pair_plus=0, decision=None), NoBet, id="a seat without a bet"),
        pytest.param(first_seat(decision="stay"), UnknownDecision, id="unknown decision"),
        pytest.param(first_seat(six_card=5), BetOff, id="a bet that is off"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(given_: dict[str, object], refusal: type[RuleError]) -> None:
    with pytest.raises(refusal):
        referee(given_)


@pytest.mark.parametrize("given_", [None, [], "x", 5, {}])
def test_what_is_no_round_is_refused(given_: object) -> None:
    with pytest.raises(NotARound):
        referee(given_)


def test_true_and_one_are_two_rule_sets() -> None:
    """A rule set that was accepted is remembered; another that only equals it in Python is not."""
    assert referee(SOLO | {"rules": {"ante_required": True}}) == referee(SOLO)
    with pytest.raises(BadRuleSet):
        referee(SOLO | {"rules": {"ante_required": 1}})


def test_hands_come_in_the_order_of_the_deck() -> None:
    assert [(at, cards_text(hand)) for at, hand in round_hands(SOLO)] == [
        ("player", "Qh 6c 4d"),
        ("dealer", "Js Td 8c"),
    ]
    assert [at for at, _ in round_hands(BANKED)] == [*(f"seats[{n}].player" for n in range(4)), "banker"]
    assert cards_text(round_hands(SOLO | {"player": "Qh Qh Qh"})[0][1]) == "Qh Qh Qh"


@given(rule_sets(), deals, wagers(), st.none() | decisions)
def test_the_referee_says_what_settle_says(
    rules: RuleSet, deal: tuple[Hand, Hand], wager: Wager, decision: Decision | None
) -> None:
    player, dealer = deal
    mapping = {
        "rules": as_mapping(rules),
        "player": cards_text(player),
        "dealer": cards_text(dealer),
        "ante": wager.ante,
        "pair_plus": wager.pair_plus,
        "six_card": wager.six_card,
        "decision": decision,
    }
    try:
        settled = settle(rules, player, dealer, wager, decision)
    except RuleError as refusal:
        with pytest.raises(type(refusal)):
            referee(mapping)
        return
    answer = referee(mapping)

    assert answer["net"] == settled.net
    assert answer["result"] == settled.result
    assert type(answer["result"]) is str
    assert answer["player_category"] == settled.player.category


def test_a_preset_is_found_by_its_name() -> None:
    by_name = referee(SOLO | {"rules": "california", "player": "Ah Kh Qh"})

    assert by_name == referee(SOLO | {"rules": as_mapping(preset("california")), "player": "Ah Kh Qh"})
    assert by_name["lines"]["pair_plus"] == 250  # type: ignore[index]
