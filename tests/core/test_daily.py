"""The daily five: days of the calendar, its deals, and a grid that judges choices (BOARDS section 5)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cards import Hand, parse_hand
from core.daily import (
    DEALS,
    Grid,
    Quality,
    Result,
    average,
    checked_day,
    daily_deals,
    daily_is_over,
    daily_name,
    days_in_month,
    grid,
    judged,
    next_daily,
)
from core.errors import NoSuchDeal, NotADay
from core.fair import shuffled
from core.odds import hint
from core.rules import PRESETS
from core.settlement import Decision
from tests.core.strategies import decisions, hands

SECRET = bytes(range(32))
SELMINHA = PRESETS["selminha"]
DAY = "2025-11-30"
PLAY, FOLD = Decision.PLAY, Decision.FOLD


@pytest.mark.parametrize("text", ["2025-11-30", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])
def test_days_of_the_calendar(text: str) -> None:
    assert checked_day(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "", "2025", "2025-11-31", "2025-02-29", "1900-02-29", "2025-13-01", "2025-00-01", "2025-01-00", "0000-01-01",
        "2025/11/30", "2025-11-3", "2025-11-030", "25-11-30", "+025-11-30", "2025-1 -30", "٢٠٢٥-11-30", "2025-11-30\n",
    ],
)  # fmt: skip
def test_what_is_no_day(text: str) -> None:
    with pytest.raises(NotADay):
        checked_day(text)
    with pytest.raises(NotADay):
        daily_deals(SECRET, text)


def test_the_days_deals_are_those_of_algorithm_1() -> None:
    deals = daily_deals(SECRET, DAY)
    assert daily_name(DAY) == "daily/2025-11-30"
    assert [deal.number for deal in deals] == [1, 2, 3, 4, 5]
    for deal in deals:
        deck = shuffled(SECRET, ("daily/2025-11-30",), deal.number)
        assert (deal.player, deal.dealer) == (deck[0:3], deck[3:6])
    assert daily_deals(SECRET, "2025-12-01") != deals


def test_one_try_deal_by_deal() -> None:
    assert [next_daily(SECRET, DAY, played) for played in range(5)] == list(daily_deals(SECRET, DAY))
    with pytest.raises(NoSuchDeal):
        next_daily(SECRET, DAY, 5)


@pytest.mark.parametrize("played, stack, over", [(0, 500, False), (4, 10, False), (4, 9, True), (5, 500, True)])
def test_five_hands_or_until_the_chips_run_out(played: int, stack: int, over: bool) -> None:
    assert daily_is_over(played, stack, SELMINHA) is over


@pytest.mark.parametrize(
    "cards, decision, quality",
    [
        pytest.param("Qh 6c 4d", PLAY, Quality.BEST, id="queen-6-4 is played"),
        pytest.param("Qh 6c 4d", FOLD, Quality.SLIGHT, id="folding it costs next to nothing"),
        pytest.param("Qh 6c 3d", PLAY, Quality.SLIGHT, id="playing queen-6-3 costs next to nothing"),
        pytest.param("2h 3c 5d", PLAY, Quality.POOR, id="5-3-2 is no hand to play"),
        pytest.param("Kh 9c 4d", FOLD, Quality.POOR, id="king-9-4 is a hand to play"),
        pytest.param("2h 3c 5d", None, Quality.BEST, id="without an Ante nothing was chosen"),
    ],
)
def test_boards_5_the_signs_judge_the_choice(cards: str, decision: Decision | None, quality: Quality) -> None:
    assert judged(parse_hand(cards), decision, SELMINHA) is quality


@given(hands, decisions)
def test_best_is_what_the_hint_says_and_a_tenth_is_too_much(hand: Hand, decision: Decision) -> None:
    advice = hint(hand, SELMINHA)
    cost = abs(advice.play - advice.fold)
    quality = judged(hand, decision, SELMINHA)
    assert (quality is Quality.BEST) == (decision is advice.advice)
    if quality is not Quality.BEST:
        assert (quality is Quality.POOR) == (cost >= Fraction(1, 10))


def test_a_cost_of_exactly_a_tenth_is_not_slight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.daily.given_away", lambda *_: Fraction(1, 10))
    assert judged(parse_hand("Qh 6c 4d"), PLAY, SELMINHA) is Quality.POOR


def test_the_facts_of_a_grid() -> None:
    result = Result(user=1, chips=540, qualities=(Quality.BEST, Quality.SLIGHT))
    assert result.unplayed == DEALS - 2
    days = ["2025-10-31", "2025-11-01", "2025-11-02", "2025-11-01", "2024-11-03"]
    assert grid(DAY, result, [540, 485], days) == Grid(
        day=DAY, result=result, average=Fraction(1025, 2), days_this_month=3
    )
    assert grid(DAY, result, [], [DAY]) == Grid(day=DAY, result=result, average=Fraction(540), days_this_month=1)
    with pytest.raises(NotADay):
        grid("today", result, [540], [])


@given(st.lists(st.integers(0, 10**6), min_size=1))
def test_the_average_is_exact(chips: list[int]) -> None:
    mean = average(chips)
    assert mean is not None
    assert mean * len(chips) == sum(chips)


def test_no_average_of_nobody() -> None:
    assert average([]) is None
    assert days_in_month([], "2025-11") == 0
