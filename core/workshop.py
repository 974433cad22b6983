"""A group's own table, step by step: what each step offers, how far a table is from the presets, and its prices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from enum import IntEnum
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Final, TypeAlias

from core.errors import BadRuleSet
from core.odds import Analysis, analysis
from core.rules import PRESETS, AnteBonus, Limits, PairPlusPays, RuleSet, Spot, TableLimits

OWN_NAME: Final = "own table"
"""The name of a table that is no preset and was given no name of its own."""

_PRICED = 128


class Part(IntEnum):
    """One step; the numbers stand in payloads and never change their meaning."""

    PAIR_PLUS = 0
    MINI_ROYAL = 1
    ANTE_BONUS = 2
    SIX_CARD = 3
    ANTE_REQUIRED = 4
    LIMITS = 5
    TABLE = 6
    TRAY = 7
    BUY_IN = 8


# The choices of each step, by number; new ones come at the end. Amounts are in smallest chips, so they fit every tray.
_PAIR_PLUS: Final = (
    None,
    *(
        PairPlusPays(
            mini_royal=None,
            straight_flush=straight_flush,
            three_of_a_kind=trips,
            straight=straight,
            flush=flush,
            pair=pair,
        )
        for straight_flush, trips, straight, flush, pair in (
            (40, 30, 6, 4, 1),
            (40, 30, 6, 3, 1),
            (40, 30, 5, 4, 1),
            (50, 40, 6, 3, 1),
        )
    ),
)
_MINI_ROYAL: Final = (None, 50, 100, 200)
_ANTE_BONUS: Final = ((None, None, None), (5, 4, 1), (5, 3, 1), (4, 3, 1))
_LIMITS: Final = ((1, 20), (1, 40), (2, 40), (1, 100), (5, 100))
_TABLE: Final = (None, 30, 60, 100, 200)
_TRAYS: Final = ((5, 25, 100, 500), (1, 5, 25, 100), (10, 50, 100, 500), (25, 100, 500, 1000), (100, 500, 1000, 5000))
_BUY_IN: Final = (20, 100, 200, 1000)


def variants(rules: RuleSet, part: Part) -> Mapping[int, RuleSet]:
    """The tables that one step makes of *rules*, by number of the choice; what is not fit to be played is left out."""
    found: dict[int, RuleSet] = {}
    for number, make in enumerate(_STEPS[part](rules)):
        try:
            found[number] = named(make())
        except BadRuleSet:
            continue
    return MappingProxyType(found)


_Steps: TypeAlias = Iterator[Callable[[], RuleSet]]


def _pair_plus(rules: RuleSet) -> _Steps:
    royal = rules.pair_plus.mini_royal if rules.pair_plus is not None else None
    for pays in _PAIR_PLUS:
        yield partial(replace, rules, pair_plus=None if pays is None else replace(pays, mini_royal=royal))


def _mini_royal(rules: RuleSet) -> _Steps:
    pays = rules.pair_plus
    if pays is None:
        return
    for royal in _MINI_ROYAL:
        yield partial(replace, rules, pair_plus=replace(pays, mini_royal=royal))


def _ante_bonus(rules: RuleSet) -> _Steps:
    for straight_flush, trips, straight in _ANTE_BONUS:
        bonus = AnteBonus(straight_flush=straight_flush, three_of_a_kind=trips, straight=straight)
        yield partial(replace, rules, ante_bonus=bonus)


def _six_card(rules: RuleSet) -> _Steps:
    for pays in (None, PRESETS["six-card"].six_card):
        yield partial(replace, rules, six_card=pays)


def _ante_required(rules: RuleSet) -> _Steps:
    for required in (False, True):
        yield partial(replace, rules, ante_required=required)


def _limits(rules: RuleSet) -> _Steps:
    for least, most in _LIMITS:
        spot = Limits(least=least * rules.step, most=most * rules.step)
        limits = TableLimits(ante=spot, pair_plus=spot, six_card=spot, table=rules.limits.table)
        yield partial(replace, rules, limits=limits)


def _table(rules: RuleSet) -> _Steps:
    for most in _TABLE:
        limits = replace(rules.limits, table=None if most is None else most * rules.step)
        yield partial(replace, rules, limits=limits)


def _tray(rules: RuleSet) -> _Steps:
    for chips in _TRAYS:
        yield partial(_with_tray, rules, chips)


def _with_tray(rules: RuleSet, chips: tuple[int, ...]) -> RuleSet:
    """Another tray; limits and buy-in stay the same number of smallest chips."""

    def scaled(amount: int) -> int:
        return amount * chips[0] // rules.step

    def spot(limits: Limits) -> Limits:
        return Limits(least=scaled(limits.least), most=scaled(limits.most))

    limits = TableLimits(
        ante=spot(rules.limits.ante),
        pair_plus=spot(rules.limits.pair_plus),
        six_card=spot(rules.limits.six_card),
        table=None if rules.limits.table is None else scaled(rules.limits.table),
    )
    return replace(rules, chips=chips, limits=limits, buy_in=scaled(rules.buy_in))


def _buy_in(rules: RuleSet) -> _Steps:
    for chips in _BUY_IN:
        yield partial(replace, rules, buy_in=chips * rules.step)


_STEPS: Final[Mapping[Part, Callable[[RuleSet], _Steps]]] = MappingProxyType(
    {
        Part.PAIR_PLUS: _pair_plus,
        Part.MINI_ROYAL: _mini_royal,
        Part.ANTE_BONUS: _ante_bonus,
        Part.SIX_CARD: _six_card,
        Part.ANTE_REQUIRED: _ante_required,
        Part.LIMITS: _limits,
        Part.TABLE: _table,
        Part.TRAY: _tray,
        Part.BUY_IN: _buy_in,
    }
)


# Names and distances


class Aspect(IntEnum):
    """What people compare two tables by, in the order in which it is told."""

    ANTE_REQUIRED = 0
    ANTE_LIMITS = 1
    ANTE_BONUS = 2
    BONUS_IF_DEALER_WINS = 3
    DEALER_MUST_QUALIFY = 4
    PAIR_PLUS = 5
    PAIR_PLUS_LIMITS = 6
    SIX_CARD = 7
    SIX_CARD_LIMITS = 8
    TABLE = 9
    TRAY = 10
    BUY_IN = 11


def _facts(rules: RuleSet) -> Mapping[Aspect, object]:
    """The limits of a bet that is off are nobody's business."""
    return {
        Aspect.ANTE_REQUIRED: rules.ante_required,
        Aspect.ANTE_LIMITS: rules.limits.ante,
        Aspect.ANTE_BONUS: rules.ante_bonus,
        Aspect.BONUS_IF_DEALER_WINS: rules.bonus_if_dealer_wins,
        Aspect.DEALER_MUST_QUALIFY: rules.dealer_must_qualify,
        Aspect.PAIR_PLUS: rules.pair_plus,
        Aspect.PAIR_PLUS_LIMITS: rules.limits.pair_plus if Spot.PAIR_PLUS in rules.spots else None,
        Aspect.SIX_CARD: rules.six_card,
        Aspect.SIX_CARD_LIMITS: rules.limits.six_card if Spot.SIX_CARD in rules.spots else None,
        Aspect.TABLE: rules.limits.table,
        Aspect.TRAY: rules.chips,
        Aspect.BUY_IN: rules.buy_in,
    }


def differences(rules: RuleSet, other: RuleSet) -> tuple[Aspect, ...]:
    """In what two tables differ, names aside; a bet that only one of them has counts once, not with its limits."""
    ours, theirs = _facts(rules), _facts(other)
    differing = {aspect for aspect in Aspect if ours[aspect] != theirs[aspect]}
    for bet, limits in ((Aspect.PAIR_PLUS, Aspect.PAIR_PLUS_LIMITS), (Aspect.SIX_CARD, Aspect.SIX_CARD_LIMITS)):
        if (ours[bet] is None) != (theirs[bet] is None):
            differing.discard(limits)
    return tuple(sorted(differing))


def nearest(rules: RuleSet) -> RuleSet:
    """The preset from which *rules* differ in the fewest ways; the first of equals."""
    return min(PRESETS.values(), key=lambda preset: len(differences(rules, preset)))


def named(rules: RuleSet) -> RuleSet:
    """
    The same table under a true name: a preset's if it is one, else its own.

    A table that only calls itself by a preset's name, or has none, becomes the own table.
    """
    same = nearest(rules)
    if not differences(rules, same):
        return same
    return replace(rules, name=OWN_NAME) if rules.name in PRESETS else rules


@lru_cache(maxsize=_PRICED)
def prices(rules: RuleSet) -> Analysis:
    """`core.odds.analysis`, remembered for the latest tables."""
    return analysis(rules)
