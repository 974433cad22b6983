"""What the numbers of a payload mean at a table; one that means nothing there was made by hand (F33)."""

from __future__ import annotations

from bot.facts import SPOTS
from bot.refusals import DeadKey
from core.rules import RuleSet, Spot


def spot_of(number: int) -> Spot:
    """
    The spot that a key is about.

    :raises DeadKey: If there is none of that number.
    """
    if number >= len(SPOTS):
        raise DeadKey
    return SPOTS[number]


def tray_chip(number: int, rules: RuleSet) -> int:
    """
    The chip of the tray that a key moves, in chips.

    :raises DeadKey: If it does not lie there.
    """
    if number not in rules.chips:
        raise DeadKey
    return number
