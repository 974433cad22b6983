"""A player banks: collect first, then pay, as far as the bank covers (RULES section 3)."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.banking import BankedSettlement, TableSeat, settle_banked
from core.betting import Wager
from core.cards import parse_hand
from core.errors import BadAmount, BetOff, NoBet, RepeatedCard, UnknownDecision
from core.fair import packs
from core.rules import RuleSet, preset
from core.settlement import Decision, settle
from tests.core.strategies import decks, rule_sets

CALIFORNIA = preset("california")


def seat(cards: str, ante: int, pair_plus: int, decision: str | None) -> TableSeat:
    return TableSeat(
        hand=parse_hand(cards),
        wager=Wager(ante=ante, pair_plus=pair_plus),
        decision=None if decision is None else Decision(decision),
    )


ANN = seat("5h 6c 7d", 20, 10, "play")
BOB = seat("Qh 8c 2d", 30, 0, "play")
CY = seat("Jd 7s 2h", 10, 5, "fold")
DEE = seat("8s 8d 3c", 25, 10, "play")
ORDER = (ANN, BOB, CY, DEE)


@pytest.mark.parametrize(
    "bank, banker, nets",
    [
        pytest.param(None, -105, (120, -60, -15, 60), id="the house banks"),
        pytest.param(500, -105, (120, -60, -15, 60), id="a full bank"),
        pytest.param(105, -105, (120, -60, -15, 60), id="a bank that just covers"),
        pytest.param(104, -104, (120, -60, -15, 59), id="one chip short"),
        pytest.param(100, -100, (120, -60, -15, 55), id="Dee gets +55"),
        pytest.param(20, -20, (95, -60, -15, 0), id="Ann +95, Dee only her stakes back"),
        pytest.param(0, 0, (75, -60, -15, 0), id="an empty bank pays what was collected"),
    ],
)
def test_rules_3_the_worked_example_of_a_losing_bank(bank: int | None, banker: int, nets: tuple[int, ...]) -> None:
    settled = settle_banked(CALIFORNIA, bank, parse_hand("Qs 9d 4c"), ORDER)

    assert (settled.lost, settled.due) == (75, 180)
    assert settled.banker_net == banker
    assert tuple(each.net for each in settled.seats) == nets


def test_rules_3_the_worked_example_line_by_line() -> None:
    """Collect all 75, then pay 95: ante, play and bonus 20 each, and 35 of Pair Plus's 60."""
    ann, bob, cy, dee = settle_banked(CALIFORNIA, 20, parse_hand("Qs 9d 4c"), ORDER).seats

    assert (ann.lines.ante, ann.lines.play, ann.lines.ante_bonus, ann.lines.pair_plus) == (20, 20, 20, 35)
    assert (bob.lines.ante, bob.lines.play) == (-30, -30)
    assert (cy.lines.ante, cy.lines.play, cy.lines.pair_plus) == (-10, 0, -5)
    assert dee.lines.net == 0
    assert dee.against_full.net == 60
    assert [each.short for each in (ann, bob, cy, dee)] == [25, 0, 0, 60]


@pytest.mark.parametrize(
    "bank, banker, bob, cy",
    [
        pytest.param(50, 50, -50, 0, id="50 from Bob, 10 back to him, Cy keeps all"),
        pytest.param(65, 65, -60, -5, id="Cy loses half of the Ante"),
        pytest.param(74, 74, -60, -14, id="one chip of Pair Plus goes back"),
        pytest.param(75, 75, -60, -15, id="a bank that just reaches"),
        pytest.param(None, 75, -60, -15, id="the house takes all"),
        pytest.param(0, 0, 0, 0, id="an empty bank takes nothing"),
    ],
)
def test_rules_3_the_worked_example_the_other_way(bank: int | None, banker: int, bob: int, cy: int) -> None:
    settled = settle_banked(CALIFORNIA, bank, parse_hand("As Ad 4c"), (BOB, CY))

    assert settled.banker_net == banker
    assert tuple(each.net for each in settled.seats) == (bob, cy)


def test_f88_one_tie_is_nobody_elses() -> None:
    tie = seat("Qc 9h 4s", 10, 0, "play")
    full = settle_banked(CALIFORNIA, 500, parse_hand("Qs 9d 4c"), (BOB, tie, DEE))

    assert [each.net for each in full.seats] == [-60, 0, 60]


def test_f103_a_bank_of_50_never_goes_below_nothing() -> None:
    """Cy's straight flush is due 1,000 + 125 + 50 and gets what there is."""
    bo = seat("Jc 7s 2h", 25, 25, "play")
    cy = seat("5h 6h 7h", 25, 25, "play")
    settled = settle_banked(CALIFORNIA, 50, parse_hand("Qs 9d 4c"), (bo, cy))

    assert settled.banker_net == -50
    assert [each.net for each in settled.seats] == [-75, 125]


def test_pair_plus_alone_needs_no_decision() -> None:
    settled = settle_banked(CALIFORNIA, 100, parse_hand("Qs 9d 4c"), (seat("Ah Kh Qh", 0, 5, None),))

    assert settled.seats[0].against_full.net == 250
    assert settled.seats[0].net == 100


@pytest.mark.parametrize(
    "refusal, bank, seats",
    [
        pytest.param(BadAmount, -1, ORDER, id="a negative bank"),
        pytest.param(BadAmount, True, ORDER, id="true is no bank"),
        pytest.param(RepeatedCard, 50, (ANN, ANN), id="two seats with the same cards"),
        pytest.param(RepeatedCard, 50, (seat("Qs 8c 2d", 30, 0, "play"),), id="a card of the banker"),
        pytest.param(NoBet, 50, (ANN, seat("Qh 8c 2d", 0, 0, None)), id="a seat without a bet"),
        pytest.param(UnknownDecision, 50, (seat("Qh 8c 2d", 5, 0, None),), id="an Ante without a decision"),
        pytest.param(BetOff, 50, (replace(ANN, wager=Wager(ante=5, six_card=5)),), id="a bet that is off"),
    ],
)
def test_a_round_that_makes_no_sense_is_refused(
    refusal: type[Exception], bank: int | None, seats: tuple[TableSeat, ...]
) -> None:
    with pytest.raises(refusal):
        settle_banked(CALIFORNIA, bank, parse_hand("Qs 9d 4c"), seats)


@dataclass(frozen=True)
class Showdown:
    rules: RuleSet
    bank: int
    settled: BankedSettlement
    full: tuple[int, ...]  # nets against a house

    @property
    def nets(self) -> tuple[int, ...]:
        return tuple(each.net for each in self.settled.seats)


@st.composite
def showdowns(draw: st.DrawFn) -> Showdown:
    """A table of two to eight seats, the bank's included or not, with any bank from nothing to plenty."""
    rules = draw(rule_sets())
    deck = draw(decks)
    players = draw(st.integers(1, 8))
    *hands, banker = packs(deck, players + 1)
    seats = []
    for hand in hands:
        ante = draw(st.integers(0, 100))
        pair_plus = draw(st.integers(0, 50)) if rules.pair_plus else 0
        six_card = draw(st.integers(0, 50)) if rules.six_card else 0
        if ante + pair_plus + six_card == 0:
            ante = 5
        decision = draw(st.sampled_from(Decision)) if ante else None
        seats.append(
            TableSeat(hand=hand, wager=Wager(ante=ante, pair_plus=pair_plus, six_card=six_card), decision=decision)
        )
    bank = draw(st.integers(0, 400))
    full = tuple(settle(rules, each.hand, banker, each.wager, each.decision).net for each in seats)
    return Showdown(rules, bank, settle_banked(rules, bank, banker, tuple(seats)), full)


@given(showdowns())
def test_chips_are_neither_made_nor_lost(played: Showdown) -> None:
    assert played.settled.banker_net + sum(played.nets) == 0


@given(showdowns())
def test_the_bankers_result_is_l_minus_w_held_between_minus_b_and_b(played: Showdown) -> None:
    settled = played.settled
    held = max(-played.bank, min(played.bank, settled.lost - settled.due))

    assert settled.banker_net == held
    assert settled.lost - settled.due == -sum(played.full)


@given(showdowns())
def test_only_the_last_in_order_are_affected(played: Showdown) -> None:
    """Of the bets that came short, what stands before the first is whole, what stands after it got nothing."""
    sign = 1 if played.settled.due > played.settled.lost else -1
    moved = [
        (getattr(each.against_full.lines, spot) * sign, getattr(each.lines, spot) * sign)
        for each in played.settled.seats
        for spot in ("ante", "play", "ante_bonus", "pair_plus", "six_card")
    ]
    short = [place for place, (due, got) in enumerate(moved) if due != got]

    assert all(got == 0 for due, got in moved[short[0] + 1 :] if due > 0) if short else True
    assert all(got == due for due, got in moved if due <= 0)
    assert all(0 <= got <= due for due, got in moved if due > 0)


@given(showdowns())
def test_nobody_loses_more_than_to_a_house_or_wins_more(played: Showdown) -> None:
    for net, full in zip(played.nets, played.full, strict=True):
        assert abs(net - full) <= abs(sum(played.full) + played.settled.banker_net)
    if played.settled.lost >= played.settled.due:
        assert all(net >= full for net, full in zip(played.nets, played.full, strict=True))
    else:
        assert all(net <= full for net, full in zip(played.nets, played.full, strict=True))


@given(showdowns())
def test_a_bank_that_covers_all_pays_as_a_house(played: Showdown) -> None:
    if abs(sum(played.full)) <= played.bank:
        assert played.nets == played.full
