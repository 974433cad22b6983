"""The daily five: days of the calendar, and signs that judge choices, not cards (BOARDS section 5)."""

from fractions import Fraction

import pytest
from hypothesis import given

from core.cards import Hand, parse_hand
from core.daily import Quality, checked_day, daily_name, judged
from core.errors import NotADay
from core.odds import hint
from core.rules import PRESETS
from core.settlement import Decision
from tests.core.strategies import decisions, hands

SELMINHA = PRESETS["selminha"]
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
        daily_name(text)


def test_the_word_that_a_days_deals_are_shuffled_with() -> None:
    assert daily_name("2025-11-30") == "daily/2025-11-30"


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
