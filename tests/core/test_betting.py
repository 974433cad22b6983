"""Bets before the deal: limits, cover, steps, and the one check that keyboard and deal share (SEL, P3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.betting import (
    NO_WAGER,
    Wager,
    add,
    add_problem,
    clear,
    double,
    first_chip,
    first_wager,
    half,
    most,
    repeatable,
    smallest_hand_problem,
    take,
    typed_wager,
    wager_problem,
)
from core.errors import (
    AnteRequired,
    BadAmount,
    BetOff,
    BetTooLarge,
    BetTooSmall,
    CannotCover,
    ChipNotUsable,
    NoBet,
    NotAMultiple,
    RuleError,
    TableLimit,
    TooManyBets,
    UnknownChip,
)
from core.rules import PRESETS, SELMINHA, RuleSet, Spot, merged
from tests.core.strategies import rule_sets, wagers

P3 = PRESETS["poker-three"]
ANTE, PAIR_PLUS, SIX_CARD = Spot


def facts(error: RuleError | None) -> tuple[type[RuleError] | None, dict[str, object]]:
    return (None, {}) if error is None else (type(error), dict(vars(error)))


def wager(ante: int = 0, pair_plus: int = 0, six_card: int = 0) -> Wager:
    return Wager(ante=ante, pair_plus=pair_plus, six_card=six_card)


def test_a_wager_counts_its_chips() -> None:
    bet = wager(25, 5, 10)
    assert (bet.stake, bet.cover, bet.need) == (40, 25, 65)
    assert [bet.on(spot) for spot in Spot] == [25, 5, 10]
    assert bet.moved(PAIR_PLUS, 0) == wager(25, 0, 10)


@pytest.mark.parametrize("spot", Spot)
@pytest.mark.parametrize("chips", [-5, True, 2.5, "5", None, float("inf")])
def test_f75_f77_chips_are_whole_numbers_from_0_up(spot: Spot, chips: object) -> None:
    with pytest.raises(BadAmount) as refused:
        Wager(**{spot: chips})  # type: ignore[arg-type]  # what a careless border might pass
    assert (refused.value.spot, refused.value.chips) == (spot, chips)


@pytest.mark.parametrize(
    "bet, rules, stack, wanted",
    [
        pytest.param(wager(25, 5), SELMINHA, 55, None, id="SEL 2 x ante + pair plus <= stack"),
        pytest.param(wager(25, 5), SELMINHA, 54, CannotCover(55, 54, 20), id="SEL one chip short"),
        pytest.param(wager(10), SELMINHA, 15, CannotCover(20, 15, 5), id="F74 bankroll 15, ante 10"),
        pytest.param(wager(5, 5), SELMINHA, 14, CannotCover(15, 14, 0), id="no Ante fits beside Pair Plus"),
        pytest.param(wager(5), SELMINHA, 10, None, id="SEL the smallest hand"),
        pytest.param(wager(100, 100), SELMINHA, 500, None, id="SEL the largest hand"),
        pytest.param(wager(105), SELMINHA, 500, BetTooLarge("ante", 105, 100), id="SEL Ante ends at 100"),
        pytest.param(wager(5, 105), SELMINHA, 500, BetTooLarge("pair_plus", 105, 100), id="SEL Pair Plus ends at 100"),
        pytest.param(wager(4), SELMINHA, 500, BetTooSmall("ante", 4, 5), id="SEL Ante begins at 5"),
        pytest.param(wager(5, 3), SELMINHA, 500, BetTooSmall("pair_plus", 3, 5), id="SEL Pair Plus begins at 5"),
        pytest.param(wager(7), SELMINHA, 500, NotAMultiple("ante", 7, 5), id="SEL multiples of 5"),
        pytest.param(wager(0, 5), SELMINHA, 500, AnteRequired(5), id="SEL the Ante is required"),
        pytest.param(wager(), SELMINHA, 500, NoBet(), id="SEL no bet at all"),
        pytest.param(wager(5, 0, 5), SELMINHA, 500, BetOff("six_card"), id="SEL no 6-Card Bonus"),
        pytest.param(wager(0, 5), P3, 5, None, id="P3 Pair Plus alone"),
        pytest.param(wager(5), P3, 10, None, id="P3 Ante alone"),
        pytest.param(wager(50, 100), P3, 500, None, id="P3 both, as much as the table takes"),
        pytest.param(wager(55, 100), P3, 500, TableLimit(155, 150), id="P3 maximum for the whole table"),
        pytest.param(wager(), P3, 500, NoBet(), id="P3 no bet at all"),
    ],
)
def test_wager_problem(bet: Wager, rules: RuleSet, stack: int, wanted: RuleError | None) -> None:
    assert facts(wager_problem(bet, rules=rules, stack=stack)) == facts(wanted)


@pytest.mark.parametrize(
    "bet, tap, stack, wanted",
    [
        pytest.param(wager(25), (ANTE, 25), 500, wager(50), id="P3 every tap adds one chip"),
        pytest.param(wager(), (PAIR_PLUS, 5), 500, wager(0, 5), id="spots in any order"),
        pytest.param(
            wager(), (ANTE, 500), 1500, ChipNotUsable(500, "ante", 100), id="SEL the 500 chip, with the reason"
        ),
        pytest.param(wager(80), (ANTE, 25), 500, BetTooLarge("ante", 105, 100), id="over the limit"),
        pytest.param(wager(25), (ANTE, 25), 80, CannotCover(100, 80, 40), id="BOARDS 3.2 with 80 chips 40 at most"),
        pytest.param(wager(25), (PAIR_PLUS, 25), 60, CannotCover(75, 60, 15), id="Pair Plus beside the cover"),
        pytest.param(wager(), (ANTE, 10), 500, UnknownChip(10), id="a chip that is not in the tray"),
        pytest.param(wager(), (ANTE, -25), 500, UnknownChip(-25), id="F75 crafted negative chip"),
        pytest.param(wager(5), (SIX_CARD, 5), 500, BetOff("six_card"), id="a bet that is off"),
    ],
)
def test_add(bet: Wager, tap: tuple[Spot, int], stack: int, wanted: Wager | RuleError) -> None:
    if isinstance(wanted, Wager):
        assert add(bet, *tap, rules=SELMINHA, stack=stack) == wanted
        assert add_problem(bet, *tap, rules=SELMINHA, stack=stack) is None
    else:
        with pytest.raises(type(wanted)) as refused:
            add(bet, *tap, rules=SELMINHA, stack=stack)
        assert facts(refused.value) == facts(wanted)


def test_a_first_chip_under_the_least_bet_lays_the_least() -> None:
    rules = merged({"limits": {"ante": [10, 100]}})
    assert add(wager(), ANTE, 5, rules=rules, stack=500) == wager(10)
    assert add(wager(10), ANTE, 5, rules=rules, stack=500) == wager(15)
    assert facts(add_problem(wager(), ANTE, 5, rules=rules, stack=19)) == facts(CannotCover(20, 19, 0))
    assert add(wager(25), ANTE, 5, rules=rules, stack=500) == wager(30)


def test_the_table_limit_holds_while_adding() -> None:
    assert facts(add_problem(wager(100, 50), PAIR_PLUS, 5, rules=P3, stack=500)) == facts(TableLimit(155, 150))


def test_a_custom_table_may_allow_the_500_chip() -> None:
    assert add(wager(), ANTE, 500, rules=merged({"limits": {"ante": [5, 500]}}), stack=1000) == wager(500)


@pytest.mark.parametrize(
    "bet, tap, wanted",
    [
        pytest.param(wager(50), (ANTE, 25), wager(25), id="P3 chip by chip"),
        pytest.param(wager(25), (ANTE, 25), wager(), id="down to none"),
        pytest.param(wager(20), (ANTE, 25), wager(), id="a chip larger than the bet takes all"),
        pytest.param(wager(25, 10), (PAIR_PLUS, 5), wager(25, 5), id="the other spot"),
        pytest.param(wager(), (ANTE, 25), NoBet("ante"), id="an empty spot"),
        pytest.param(wager(25), (ANTE, 7), UnknownChip(7), id="a chip that is not in the tray"),
    ],
)
def test_take(bet: Wager, tap: tuple[Spot, int], wanted: Wager | RuleError) -> None:
    if isinstance(wanted, Wager):
        assert take(bet, *tap, rules=SELMINHA) == wanted
    else:
        with pytest.raises(type(wanted)) as refused:
            take(bet, *tap, rules=SELMINHA)
        assert facts(refused.value) == facts(wanted)


def test_minus_goes_to_none_if_the_rest_would_be_under_the_smallest_bet() -> None:
    rules = merged({"limits": {"ante": [20, 100]}})
    assert take(wager(30), ANTE, 5, rules=rules) == wager(25)
    assert take(wager(25), ANTE, 25, rules=rules) == wager()
    assert take(wager(40), ANTE, 25, rules=rules) == wager()


@pytest.mark.parametrize(
    "bet, wanted",
    [
        (wager(50, 10), wager(25, 5)),
        (wager(25, 25), wager(10, 10)),
        (wager(25, 5), wager(10, 5)),
        (wager(0, 40), wager(0, 20)),
        (wager(10), wager(5)),
    ],
)
def test_half(bet: Wager, wanted: Wager) -> None:
    assert half(bet, rules=SELMINHA) == wanted


def test_half_takes_no_bet_away() -> None:
    with pytest.raises(BetTooSmall) as refused:
        half(wager(5, 5), rules=SELMINHA)
    assert facts(refused.value) == facts(BetTooSmall("ante", 2, 5))
    with pytest.raises(NoBet):
        half(NO_WAGER, rules=SELMINHA)


def test_double() -> None:
    assert double(wager(50, 10), rules=SELMINHA, stack=220) == wager(100, 20)


@pytest.mark.parametrize(
    "bet, rules, stack, wanted",
    [
        (wager(), SELMINHA, 500, NoBet()),
        (wager(55), SELMINHA, 500, BetTooLarge("ante", 110, 100)),
        (wager(5, 55), SELMINHA, 500, BetTooLarge("pair_plus", 110, 100)),
        (wager(25), SELMINHA, 80, CannotCover(100, 80, 40)),
        (wager(50, 30), P3, 500, TableLimit(160, 150)),
    ],
)
def test_double_is_all_or_nothing(bet: Wager, rules: RuleSet, stack: int, wanted: RuleError) -> None:
    with pytest.raises(type(wanted)) as refused:
        double(bet, rules=rules, stack=stack)
    assert facts(refused.value) == facts(wanted)


@pytest.mark.parametrize(
    "bet, rules, stack, wanted",
    [
        pytest.param(wager(), SELMINHA, 500, wager(100), id="an empty table gets the Ante"),
        pytest.param(wager(25, 5), SELMINHA, 500, wager(100, 5), id="up to the limit, other bets as they are"),
        pytest.param(wager(25, 5), SELMINHA, 88, wager(40, 5), id="up to the cover"),
        pytest.param(wager(0, 5), SELMINHA, 88, wager(40, 5), id="SEL a missing Ante is filled in"),
        pytest.param(wager(25, 80), P3, 500, wager(70, 80), id="P3 up to the maximum of the table"),
        pytest.param(wager(0, 25), P3, 500, wager(0, 100), id="P3 Pair Plus alone stays alone"),
        pytest.param(wager(), P3, 12, wager(5), id="P3 an empty table gets the Ante"),
        pytest.param(wager(100), SELMINHA, 80, wager(40), id="down to the cover after a loss"),
    ],
)
def test_most(bet: Wager, rules: RuleSet, stack: int, wanted: Wager) -> None:
    assert most(bet, rules=rules, stack=stack) == wanted


@pytest.mark.parametrize(
    "bet, rules, stack, wanted",
    [
        pytest.param(wager(100), SELMINHA, 500, BetTooLarge("ante", 105, 100), id="at the limit"),
        pytest.param(wager(40), SELMINHA, 80, CannotCover(90, 80, 40), id="at the cover"),
        pytest.param(wager(), SELMINHA, 9, CannotCover(10, 9, 0), id="nothing to bet"),
        pytest.param(wager(50, 100), P3, 500, TableLimit(155, 150), id="at the table's maximum"),
        pytest.param(wager(25, 105), SELMINHA, 500, BetTooLarge("pair_plus", 105, 100), id="a bet that no longer fits"),
    ],
)
def test_most_says_why_it_cannot_grow(bet: Wager, rules: RuleSet, stack: int, wanted: RuleError) -> None:
    with pytest.raises(type(wanted)) as refused:
        most(bet, rules=rules, stack=stack)
    assert facts(refused.value) == facts(wanted)


def test_clear_takes_every_chip_back() -> None:
    assert clear() == wager()


@pytest.mark.parametrize("stack, over", [(9, True), (10, False), (500, False)])
def test_sel_below_10_chips_there_is_no_hand(stack: int, over: bool) -> None:
    problem = smallest_hand_problem(stack, SELMINHA)
    assert facts(problem) == (facts(CannotCover(10, stack, 0)) if over else facts(None))


@pytest.mark.parametrize("name", PRESETS)
def test_boards_3_1_the_first_bet_is_the_chip_nearest_to_a_twentieth_of_the_buy_in(name: str) -> None:
    assert first_chip(PRESETS[name]) == 25
    assert first_wager(PRESETS[name]) == wager(25)


@pytest.mark.parametrize(
    "change, chip, bet",
    [
        pytest.param({"buy_in": 10_000}, 100, wager(100), id="no chip that the Ante cannot hold"),
        pytest.param({"buy_in": 10}, 5, wager(5), id="a small buy-in"),
        pytest.param({"limits": {"ante": [50, 100]}}, 25, wager(50), id="not under the least bet"),
        pytest.param({"limits": {"ante": [5, 20]}}, 5, wager(5), id="nor over the most"),
        pytest.param({"buy_in": 300}, 5, wager(5), id="as near to one as to the other: the smaller"),
        pytest.param({"chips": [5, 500], "limits": {"ante": [100, 500]}, "buy_in": 6000}, 500, wager(500), id="large"),
        pytest.param(
            {"chips": [100], "limits": {"ante": [100, 100], "pair_plus": [100, 100]}}, 100, wager(100), id="one"
        ),
        pytest.param(
            {"ante_required": False, "limits": {"ante": [100, 100], "pair_plus": [25, 50]}, "buy_in": 150},
            5,
            wager(0, 25),
            id="no Ante that the buy-in covers",
        ),
    ],
)
def test_first_bets_at_other_tables(change: dict[str, object], chip: int, bet: Wager) -> None:
    rules = merged(change)
    assert (first_chip(rules), first_wager(rules)) == (chip, bet)


@pytest.mark.parametrize(
    "amounts, rules, wanted",
    [
        pytest.param((25, 5), SELMINHA, wager(25, 5), id="/deal 25 5"),
        pytest.param((25,), SELMINHA, wager(25), id="/deal 25"),
        pytest.param((0, 5), P3, wager(0, 5), id="/deal 0 5 at Poker Three"),
        pytest.param((0, 5), SELMINHA, AnteRequired(5), id="/deal 0 5 at Selminha"),
        pytest.param((7,), SELMINHA, NotAMultiple("ante", 7, 5), id="/deal 7"),
        pytest.param((25, 5, 5), SELMINHA, TooManyBets(3, 2), id="BOARDS a third word"),
        pytest.param((), SELMINHA, NoBet(), id="nothing named"),
        pytest.param((0,), SELMINHA, BetTooSmall("ante", 0, 5), id="/deal 0"),
        pytest.param((0, 0), P3, BetTooSmall("ante", 0, 5), id="/deal 0 0"),
        pytest.param((-25,), SELMINHA, BadAmount("ante", -25), id="F75 a negative bet"),
        pytest.param((500,), SELMINHA, BetTooLarge("ante", 500, 100), id="over the limit"),
        pytest.param((25, 5), merged({"pair_plus": None}), BetOff("pair_plus"), id="a table without Pair Plus"),
    ],
)
def test_typed_wager(amounts: tuple[int, ...], rules: RuleSet, wanted: Wager | RuleError) -> None:
    if isinstance(wanted, Wager):
        assert typed_wager(amounts, rules, 500) == wanted
    else:
        with pytest.raises(type(wanted)) as refused:
            typed_wager(amounts, rules, 500)
        assert facts(refused.value) == facts(wanted)


def test_a_typed_wager_must_fit_the_stack() -> None:
    with pytest.raises(CannotCover):
        typed_wager((25, 5), SELMINHA, 54)


def test_repeat_needs_a_last_bet_that_still_fits() -> None:
    assert repeatable(wager(25, 5), SELMINHA, 55) == wager(25, 5)
    assert repeatable(wager(25, 5), SELMINHA, 54) is None
    assert repeatable(wager(0, 5), SELMINHA, 54) is None
    assert repeatable(None, SELMINHA, 500) is None


# --- any table ---


@given(rule_sets())
def test_the_first_wager_can_always_be_dealt(rules: RuleSet) -> None:
    assert wager_problem(first_wager(rules), rules=rules, stack=rules.buy_in) is None
    assert first_chip(rules) in rules.chips


@given(rule_sets(), wagers(400), st.integers(0, 2000))
def test_the_deal_takes_a_wager_exactly_if_every_rule_holds(rules: RuleSet, bet: Wager, stack: int) -> None:
    laid = [spot for spot in Spot if bet.on(spot)]
    within = all(
        spot in rules.spots
        and rules.limits_of(spot).least <= bet.on(spot) <= rules.limits_of(spot).most
        and bet.on(spot) % rules.chips[0] == 0
        for spot in laid
    )
    table = rules.limits.table is None or bet.ante + bet.pair_plus + bet.six_card <= rules.limits.table
    covered = 2 * bet.ante + bet.pair_plus + bet.six_card <= stack
    ante = bet.ante > 0 or not rules.ante_required
    fine = bool(laid) and within and table and covered and ante
    assert (wager_problem(bet, rules=rules, stack=stack) is None) == fine


@given(rule_sets(), st.integers(0, 4000), st.data())
def test_whatever_is_tapped_the_draft_is_legal_but_for_a_missing_ante(
    rules: RuleSet, stack: int, data: st.DataObject
) -> None:
    bet = NO_WAGER
    for _ in range(data.draw(st.integers(1, 12))):
        spot, chip = data.draw(st.sampled_from(rules.spots)), data.draw(st.sampled_from(rules.chips))
        move = data.draw(st.sampled_from(("add", "take", "half", "double", "most", "clear")))
        before = bet
        try:
            match move:
                case "add":
                    bet = add(bet, spot, chip, rules=rules, stack=stack)
                case "take":
                    bet = take(bet, spot, chip, rules=rules)
                case "half":
                    bet = half(bet, rules=rules)
                case "double":
                    bet = double(bet, rules=rules, stack=stack)
                case "most":
                    bet = most(bet, rules=rules, stack=stack)
                case _:
                    bet = clear()
        except RuleError:
            assert bet == before
            continue
        if move != "clear":
            assert bet != before
        problem = wager_problem(bet, rules=rules, stack=stack)
        assert problem is None or isinstance(problem, NoBet | AnteRequired), (move, before, bet)


@given(rule_sets(), st.integers(0, 4000))
def test_most_ante_is_the_largest_that_would_be_taken(rules: RuleSet, stack: int) -> None:
    largest = wager(rules.limits.ante.most)
    problem = wager_problem(largest, rules=rules, stack=stack)
    if isinstance(problem, CannotCover):
        if problem.most_ante:
            assert wager_problem(wager(problem.most_ante), rules=rules, stack=stack) is None
        more = max(problem.most_ante + rules.step, rules.limits.ante.least)
        assert isinstance(wager_problem(wager(more), rules=rules, stack=stack), CannotCover | TableLimit)
