"""The daily five: the same five deals for everyone, and a share grid that judges choices, not cards (BOARDS 5)."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from core.cards import Hand
from core.errors import NotADay
from core.odds import given_away
from core.rules import RuleSet
from core.settlement import Decision

DEALS: Final = 5  # of a day, with the nonces 1 to 5
SLIGHT: Final = Fraction(1, 10)
"""A choice that costs less than this part of the Ante is a slight mistake."""

_MONTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Quality(StrEnum):
    """How good a choice was on average, whatever the cards made of it, and whether it was Play or Fold."""

    BEST = "best"  # ✅
    SLIGHT = "slight"  # 🔸 cost under a tenth of the Ante
    POOR = "poor"  # ❌ cost more


def checked_day(text: str) -> str:
    """A day of the calendar as "2025-11-30", ASCII digits and nothing else. Raises NotADay."""
    year, month, day = text[:4], text[5:7], text[8:]
    if text != f"{year}-{month}-{day}" or len(text) != 10 or not (text.isascii() and (year + month + day).isdecimal()):
        raise NotADay(text)
    if int(year) < 1 or not 1 <= int(month) <= 12 or not 1 <= int(day) <= _days(int(year), int(month)):
        raise NotADay(text)
    return text


def _days(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if leap and month == 2 else _MONTHS[month - 1]


def daily_name(day: str) -> str:
    """The word that a day's deals are shuffled with (DESIGN section 4). Raises NotADay."""
    return f"daily/{checked_day(day)}"


def judged(hand: Hand, decision: Decision | None, rules: RuleSet) -> Quality:
    """
    How good *decision* was with these cards, per Ante: the size of the bet has no say; without an Ante there was none.

    Source: BOARDS section 5.
    """
    cost = given_away(hand, decision, rules, 1) if decision is not None else Fraction(0)
    if cost == 0:
        return Quality.BEST
    return Quality.SLIGHT if cost < SLIGHT else Quality.POOR


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one person made of a day."""

    user: int
    chips: int  # at the end
    qualities: tuple[Quality, ...]  # in the order of the deals; fewer than five if the chips ran out


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The facts of a share grid: they give away neither cards nor decisions (BOARDS section 5)."""

    day: str
    result: Result
    average: Fraction  # chips, of all who have finished the day, this person included
    days_this_month: int  # played, this day included; there is no streak to lose
