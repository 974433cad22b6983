"""One hand against one dealer hand, rule by rule (SEL, P3; RULES section 2)."""

from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given

from core.betting import Wager
from core.cards import Hand, parse_hand
from core.errors import BetOff, NoBet, RepeatedCard, UnknownDecision
from core.ranking import Category, SixCardCategory, strength
from core.rules import PRESETS, SELMINHA, RuleSet, merged
from core.settlement import Decision, Lines, PaidOdds, Result, Settlement, settle
from tests.core.strategies import deals, decisions, rule_sets, wagers

PLAY: Final = Decision.PLAY
FOLD: Final = Decision.FOLD


def settled(
    player: str,
    dealer: str,
    *,
    ante: int = 10,
    pair_plus: int = 0,
    six_card: int = 0,
    decision: Decision | None = PLAY,
    rules: RuleSet = SELMINHA,
) -> Settlement:
    wager = Wager(ante=ante, pair_plus=pair_plus, six_card=six_card)
    return settle(rules, parse_hand(player), parse_hand(dealer), wager, decision)


def lines(ante: int = 0, play: int = 0, bonus: int = 0, pair_plus: int = 0, six_card: int = 0) -> Lines:
    return Lines(ante=ante, play=play, ante_bonus=bonus, pair_plus=pair_plus, six_card=six_card)


@pytest.mark.parametrize(
    "mine, theirs, result, chips",
    [
        pytest.param("Ah 9d 4c", "Jh 8d 3c", "not_qualified", (10, 0, 0), id="SEL qualify: jack high does not"),
        pytest.param("9h 7d 4c", "Jh 8d 3c", "not_qualified", (10, 0, 0), id="F89 the better dealer does not matter"),
        pytest.param("Jd 8c 3h", "Jh 8d 3c", "not_qualified", (10, 0, 0), id="SEL the same hand does not matter"),
        pytest.param("Kh 9d 4c", "Qh 3d 2c", "win", (10, 10, 0), id="F90 Q-3-2 qualifies"),
        pytest.param("Kh 9d 4c", "Jh Td 8c", "not_qualified", (10, 0, 0), id="SEL J-10-8 does not"),
        pytest.param("Kh 9d 4c", "Jh Td 9c", "lose", (-10, -10, 0), id="SEL J-10-9 does"),
        pytest.param("Kh 9d 4c", "Jh Th 8h", "lose", (-10, -10, 0), id="SEL J-10-8 suited does"),
        pytest.param("Kh 9d 4c", "2h 2d 3c", "lose", (-10, -10, 0), id="F90 a pair of twos does"),
        pytest.param("Kh 9d 4c", "Ks 9c 4h", "tie", (0, 0, 0), id="F88 SEL ties: suits never decide"),
        pytest.param("Kh Kd 2c", "Ah Qd Qc", "win", (10, 10, 0), id="SEL ties: pair before kicker"),
        pytest.param("Qs 9h 4d", "Qd 9c 4s", "tie", (0, 0, 0), id="F88 queen high"),
        pytest.param("5c 6d 7h", "8c 9d Th", "lose", (-10, -10, 10), id="F91 bonus though the dealer wins"),
        pytest.param("5c 6d 7h", "Jc 9d 3h", "not_qualified", (10, 0, 10), id="F91 bonus though not qualified"),
        pytest.param("5c 6d 7h", "5h 6c 7d", "tie", (0, 0, 10), id="F91 bonus at a tie"),
        pytest.param("5c 6d 7h", "Qc 9d 3h", "win", (10, 10, 10), id="SEL bonus at a win"),
        pytest.param("5c 5d 5h", "Qc 9d 3h", "win", (10, 10, 40), id="SEL bonus three of a kind 4 to 1"),
        pytest.param("5c 6c 7c", "Qc 9d 3h", "win", (10, 10, 50), id="SEL bonus straight flush 5 to 1"),
        pytest.param("Ac Kc Qc", "Qh 9d 3h", "win", (10, 10, 50), id="a mini royal is a straight flush"),
        pytest.param("Ac 9c 2c", "Qh 9d 3h", "win", (10, 10, 0), id="SEL no bonus for a flush"),
    ],
)
def test_a_played_hand(mine: str, theirs: str, result: str, chips: tuple[int, int, int]) -> None:
    end = settled(mine, theirs)
    assert end.result == result
    assert end.lines == lines(*chips)
    assert end.net == sum(chips)


@pytest.mark.parametrize("theirs", ["8c 9d Th", "Jc 9d 3h", "5h 6c 7d", "Qc 9d 3h"])
def test_f91_no_bonus_after_a_fold(theirs: str) -> None:
    end = settled("5s 6d 7h", theirs, decision=FOLD, pair_plus=5)
    assert end.result is Result.FOLD
    assert end.lines == lines(ante=-10, pair_plus=-5)


@pytest.mark.parametrize("theirs, qualifies", [("Jc 9d 3h", False), ("Qc 9d 3h", True)])
def test_the_dealers_cards_are_told_after_a_fold_too(theirs: str, qualifies: bool) -> None:
    assert settled("5s 6d 8h", theirs, decision=FOLD).dealer_qualifies is qualifies


def test_f93_fold_loses_pair_plus_also_with_a_pair() -> None:
    assert settled("2c 2d 9h", "Jc 8d 3h", pair_plus=10, decision=FOLD).lines == lines(ante=-10, pair_plus=-10)


@pytest.mark.parametrize("theirs", ["Jc 8d 3h", "Qc 8d 3h", "As Ad Ac"])
@pytest.mark.parametrize(
    "mine, pays",
    [
        pytest.param("2c 3d 4h", 3000, id="F92 straight 6 to 1"),
        pytest.param("Jd 9c 4s", -500, id="F92 no pair loses"),
        pytest.param("Kd Kc 4s", 500, id="pair 1 to 1"),
        pytest.param("Kd 9d 4d", 2000, id="flush 4 to 1"),
        pytest.param("4d 4c 4s", 15_000, id="three of a kind 30 to 1"),
        pytest.param("4s 5s 6s", 20_000, id="straight flush 40 to 1"),
    ],
)
def test_f92_pair_plus_is_settled_on_the_players_cards_alone(mine: str, theirs: str, pays: int) -> None:
    assert settled(mine, theirs, pair_plus=500).lines.pair_plus == pays
    alone = settled(mine, theirs, ante=0, pair_plus=500, decision=None, rules=PRESETS["poker-three"])
    assert alone.result is Result.NO_ANTE
    assert alone.lines == lines(pair_plus=pays)


def test_f89_not_qualified_pays_the_ante_and_gives_play_back() -> None:
    for pair_plus in (0, 50):
        for mine in ("Qh 6c 4d", "9h 6c 4d"):
            end = settled(mine, "Jc 9d 3h", ante=100, pair_plus=pair_plus)
            assert end.lines == lines(ante=100, pair_plus=-pair_plus)


def test_the_designs_own_example() -> None:
    end = settled("Qh 6c 4d", "Js Td 8c", ante=25, pair_plus=5)
    assert (end.result, end.dealer_qualifies, end.net) == (Result.NOT_QUALIFIED, False, 20)
    assert (end.player.category, end.dealer.category) == (Category.HIGH_CARD, Category.HIGH_CARD)
    assert end.lines == lines(ante=25, pair_plus=-5)


@pytest.mark.parametrize(
    "name, ante, pair_plus, net",
    [("Ann", 20, 10, 120), ("Bob", 30, 0, -60), ("Cy", 10, 5, -15), ("Dee", 25, 10, 60)],
)
def test_cal_worked_example_against_a_full_bank(name: str, ante: int, pair_plus: int, net: int) -> None:
    cards = {"Ann": "5h 6c 7d", "Bob": "Qh 8c 2d", "Cy": "Jd 7s 2h", "Dee": "8s 8d 3c"}
    decision = FOLD if name == "Cy" else PLAY
    rules = PRESETS["california"]
    assert settled(cards[name], "Qs 9d 4c", ante=ante, pair_plus=pair_plus, decision=decision, rules=rules).net == net


def test_boards_3_5_both_bonuses_on_a_lost_hand() -> None:
    end = settled("4d 3h 2s", "9c 8d 7d", ante=25, pair_plus=5)
    assert end.lines == lines(-25, -25, 25, 30)
    assert end.odds == PaidOdds(ante_bonus=1, pair_plus=6)


def test_mini_royal_line() -> None:
    assert settled("Ac Kc Qc", "Jc 9d 3h", pair_plus=5, rules=PRESETS["california"]).odds.pair_plus == 50
    assert settled("Ac Kc Qc", "Jc 9d 3h", pair_plus=5).odds.pair_plus == 40


@pytest.mark.parametrize(
    "mine, theirs, category, odds",
    [
        ("Ac Kc Qc", "Jc Tc 3h", "royal_flush", 1000),
        ("9c Kc Qc", "Jc Tc 3h", "straight_flush", 200),
        ("9c 9d 9h", "9s Tc 3h", "four_of_a_kind", 50),
        ("9c 9d 9h", "Ts Tc 3h", "full_house", 25),
        ("9c 3c 2c", "Kc Tc 3h", "flush", 20),
        ("9c 8d 7c", "6c 5d 3h", "straight", 10),
        ("9c 9d 7c", "9h 5d 3h", "three_of_a_kind", 5),
        ("9c 9d 7c", "7h 5d 3h", "nothing", None),
    ],
)
def test_six_card_bonus_stands_whatever_the_player_decides(
    mine: str, theirs: str, category: str, odds: int | None
) -> None:
    for decision in Decision:
        end = settled(mine, theirs, six_card=5, decision=decision, rules=PRESETS["six-card"])
        assert end.six_card == category
        assert end.odds.six_card == odds
        assert end.lines.six_card == (-5 if odds is None else 5 * odds)


def test_six_card_bonus_alone() -> None:
    rules = replace(PRESETS["six-card"], ante_required=False)
    end = settled("9c 9d 7c", "9h 5d 3h", ante=0, six_card=5, decision=None, rules=rules)
    assert (end.result, end.lines) == (Result.NO_ANTE, lines(six_card=25))


def test_what_was_not_bet_is_not_told() -> None:
    end = settled("9c 9d 7c", "9h 5d 3h", rules=PRESETS["six-card"])
    assert end.six_card is None
    assert end.odds == PaidOdds()


@pytest.mark.parametrize(
    "mine, theirs, result, ante, play",
    [("Kh 9d 4c", "Jh 8d 3c", "win", 10, 10), ("9h 7d 4c", "Jh 8d 3c", "lose", -10, -10)],
)
def test_hands_are_always_compared_where_the_dealer_need_not_qualify(
    mine: str, theirs: str, result: str, ante: int, play: int
) -> None:
    end = settled(mine, theirs, rules=merged({"dealer_must_qualify": False}))
    assert (end.result, end.lines) == (result, lines(ante, play))
    assert not end.dealer_qualifies


@pytest.mark.parametrize("theirs, bonus", [("8c 9d Th", 0), ("Jc 9d 3h", 10), ("5h 6c 7d", 10), ("Qc 9d 3h", 10)])
def test_a_table_may_keep_the_bonus_if_the_dealer_wins(theirs: str, bonus: int) -> None:
    end = settled("5s 6d 7h", theirs, rules=merged({"bonus_if_dealer_wins": False}))
    assert end.lines.ante_bonus == bonus
    assert end.odds.ante_bonus == (1 if bonus else None)


def test_a_line_that_is_off_pays_nothing() -> None:
    rules = merged({"pair_plus": {"pair": None, "flush": 0}, "ante_bonus": None})
    assert settled("8c 8d 3h", "Qc 9d 2h", pair_plus=5, rules=rules).lines == lines(10, 10, 0, -5)
    assert settled("8c 5c 3c", "Qc 9d 2h", pair_plus=5, rules=rules).lines == lines(10, 10, 0, 0)
    assert settled("8c 8d 8h", "Qc 9d 2h", rules=rules).lines == lines(10, 10)


def test_limits_are_not_the_referees_business() -> None:
    assert settled("Kh 9d 4c", "Jh 8d 3c", ante=7, pair_plus=10**12).net == 7 - 10**12
    assert settled("Kh Kd 4c", "Jh 8d 3c", ante=0, pair_plus=1, decision=None).net == 1


def test_no_stake_at_all_is_refused() -> None:
    with pytest.raises(NoBet):
        settled("Kh 9d 4c", "Jh 8d 3c", ante=0, decision=None)


@pytest.mark.parametrize("bet", ["pair_plus", "six_card"])
def test_a_stake_on_a_bet_that_is_off_is_refused(bet: str) -> None:
    with pytest.raises(BetOff) as refused:
        settle(
            merged({"pair_plus": None}),
            parse_hand("Kh 9d 4c"),
            parse_hand("Jh 8d 3c"),
            Wager(ante=5, pair_plus=5 * (bet == "pair_plus"), six_card=5 * (bet == "six_card")),
            PLAY,
        )
    assert refused.value.spot == bet


@pytest.mark.parametrize("ante, decision", [(10, None), (0, PLAY), (0, FOLD)])
def test_an_ante_asks_for_a_decision_and_nothing_else_does(ante: int, decision: Decision | None) -> None:
    with pytest.raises(UnknownDecision):
        settled("Kh 9d 4c", "Jh 8d 3c", ante=ante, pair_plus=5, decision=decision)


@pytest.mark.parametrize("theirs", ["Kh 8d 3c", "Jh 8d 4c"])
def test_f96_a_card_on_both_sides_is_refused(theirs: str) -> None:
    with pytest.raises(RepeatedCard):
        settled("Kh 9d 4c", theirs)


def expected(rules: RuleSet, player: Hand, dealer: Hand, wager: Wager, decision: Decision | None) -> int:
    """The net once more, as a page of rules would be read aloud."""
    mine, theirs = strength(player), strength(dealer)
    net = 0
    if wager.pair_plus and rules.pair_plus:
        odds = None if decision is FOLD else rules.pair_plus.odds(mine)
        net += -wager.pair_plus if odds is None else wager.pair_plus * odds
    if wager.six_card and rules.six_card:
        category = settle(rules, player, dealer, wager, decision).six_card or SixCardCategory.NOTHING
        odds = rules.six_card.odds(category)
        net += -wager.six_card if odds is None else wager.six_card * odds
    if decision is FOLD:
        return net - wager.ante
    if decision is None:
        return net
    bonus = wager.ante * (rules.ante_bonus.odds(mine) or 0)
    if rules.dealer_must_qualify and theirs < strength(parse_hand("Qc 3d 2h")):
        return net + wager.ante + bonus
    if mine < theirs:
        return net - 2 * wager.ante + (bonus if rules.bonus_if_dealer_wins else 0)
    return net + bonus + (2 * wager.ante if mine > theirs else 0)


@given(rules=rule_sets(), deal=deals, wager=wagers(), decision=decisions)
def test_any_hand_under_any_rules(rules: RuleSet, deal: tuple[Hand, Hand], wager: Wager, decision: Decision) -> None:
    wager = Wager(
        ante=wager.ante,
        pair_plus=wager.pair_plus if rules.pair_plus else 0,
        six_card=wager.six_card if rules.six_card else 0,
    )
    if wager.stake == 0:
        wager = Wager(ante=1)
    asked = decision if wager.ante else None
    end = settle(rules, *deal, wager, asked)
    assert end.net == expected(rules, *deal, wager, asked)
    assert end.net >= -wager.need
    assert end.player == strength(deal[0])
    assert end.dealer == strength(deal[1])
