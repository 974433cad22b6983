"""Figures of a night or of all nights as people read them: luck and skill apart, and paths as bars."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from bot.views.kit import Page, ltr

BARS = "▁▂▃▄▅▆▇█"
_MOST_BARS = 16


def luck_and_skill(net: int, given_away: Fraction) -> tuple[Fraction, Fraction]:
    """
    What the cards gave and what the choices gave away, in chips, to hundredths: the two add up to *net* exactly.

    The exact luck is net + given_away; the skill is rounded half up in size, and the luck is what is left.
    """
    skill = -Fraction(floor(given_away * 100 + Fraction(1, 2)), 100)
    return net - skill, skill


def luck_line(net: int, given_away: Fraction, page: Page) -> str:
    """Luck and skill of a night in one sentence."""
    luck, skill = luck_and_skill(net, given_away)
    return page.t(
        "The cards gave {luck}, your choices {skill}.",
        luck=signed_decimal(luck, page),
        skill=signed_decimal(skill, page),
    )


def decimal(value: Fraction | int, page: Page, places: int = 2) -> str:
    """A number with *places* decimals, with a sign only below nothing."""
    number = page.t.decimal(abs(value), places)
    if value >= 0:
        return ltr(number, page)
    return page.t("minus {number}", number=number) if page.words else ltr(f"−{number}", page)


def signed_decimal(value: Fraction, page: Page) -> str:
    """An amount with its sign, to hundredths where it is not whole."""
    places = 0 if value.denominator == 1 else 2
    number = page.t.decimal(abs(value), places)
    if page.words and value:
        return page.t("plus {number}", number=number) if value > 0 else page.t("minus {number}", number=number)
    return ltr(("+" if value > 0 else "−" if value < 0 else "") + number, page)


def sparkline(path: tuple[int, ...]) -> str:
    """A path of chips as bars; nothing for fewer than two steps."""
    if len(path) < 3:
        return ""
    low, high = min(path), max(path)
    return "".join(BARS[(chip - low) * (len(BARS) - 1) // max(high - low, 1)] for chip in path)


def thinned(path: tuple[int, ...], most: int = _MOST_BARS) -> tuple[int, ...]:
    """At most *most* points of a path, the first and the last among them."""
    if len(path) <= most:
        return path
    return tuple(path[place * (len(path) - 1) // (most - 1)] for place in range(most))
