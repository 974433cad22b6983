"""Rule sets are data: bets, pay tables, limits and chips; nothing in the engine knows a preset by name."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from core.errors import BadRuleSet, Reason, UnknownRuleSet
from core.ranking import LOWEST_PAIR, LOWEST_STRAIGHT, MINI_ROYAL, Category, SixCardCategory, Strength

MOST_CHIPS: Final = 10_000_000
"""No amount of a rule set is larger: stacks stay far below 2^53 even after many of the largest pays."""
MOST_PAY: Final = 100_000
MOST_TRAY: Final = 8
"""Chips in a tray: a row of keys has eight places."""
MOST_NAME: Final = 64


class Spot(StrEnum):
    """Where chips may lie before the deal; Play always equals the Ante (SEL, P3)."""

    ANTE = "ante"
    PAIR_PLUS = "pair_plus"
    SIX_CARD = "six_card"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The least and the most chips on one spot (SEL, P3); none at all may lie there, too, unless it is required."""

    least: int  # chips
    most: int  # chips


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLimits:
    """The limits of each spot, and of all bets before the deal together, Play excluded (P3)."""

    ante: Limits
    pair_plus: Limits
    six_card: Limits
    table: int | None  # chips; None for no limit


@dataclass(frozen=True, slots=True, kw_only=True)
class AnteBonus:
    """What a played hand earns on the Ante, so many to 1; None for a line that is off (SEL 5-4-1)."""

    straight_flush: int | None
    three_of_a_kind: int | None
    straight: int | None

    def odds(self, hand: Strength) -> int | None:
        """So many to 1 for *hand*, None if it earns nothing."""
        if hand.value < LOWEST_STRAIGHT:  # most hands leave here: a referee settles millions
            return None
        category = hand.category
        if category is Category.STRAIGHT:
            return self.straight
        return self.straight_flush if category is Category.STRAIGHT_FLUSH else self.three_of_a_kind


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPlusPays:
    """What Pair Plus pays, so many to 1; None for a line that is off (SEL 40-30-6-4-1)."""

    mini_royal: int | None  # None: as the straight flush it is
    straight_flush: int | None
    three_of_a_kind: int | None
    straight: int | None
    flush: int | None
    pair: int | None

    def odds(self, hand: Strength) -> int | None:
        """So many to 1 for *hand*, None if Pair Plus loses with it."""
        if hand.value < LOWEST_PAIR:  # most hands leave here
            return None
        category = hand.category
        if category is Category.PAIR:
            return self.pair
        if category is Category.FLUSH:
            return self.flush
        if category is Category.STRAIGHT:
            return self.straight
        if category is Category.THREE_OF_A_KIND:
            return self.three_of_a_kind
        return self.mini_royal if hand.value == MINI_ROYAL and self.mini_royal is not None else self.straight_flush


@dataclass(frozen=True, slots=True, kw_only=True)
class SixCardPays:
    """What the 6-Card Bonus pays, so many to 1; None for a line that is off (RULES, 6-Card Bonus)."""

    royal_flush: int | None
    straight_flush: int | None
    four_of_a_kind: int | None
    full_house: int | None
    flush: int | None
    straight: int | None
    three_of_a_kind: int | None

    def odds(self, category: SixCardCategory) -> int | None:
        """So many to 1 for *category*, None if the 6-Card Bonus loses with it."""
        if category is SixCardCategory.NOTHING:
            return None
        pays: int | None = getattr(self, category)
        return pays


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """
    Everything that one table may decide about the game. Raises BadRuleSet when it is made unfit to be played.

    Source: SEL, P3, CAL as presets; RULES, variations, for the check.
    """

    name: str
    ante_required: bool
    dealer_must_qualify: bool  # else hands are always compared
    bonus_if_dealer_wins: bool  # else the dealer's higher hand takes the Ante bonus away
    ante_bonus: AnteBonus
    pair_plus: PairPlusPays | None  # None: the bet is off
    six_card: SixCardPays | None  # None: the bet is off
    limits: TableLimits
    chips: tuple[int, ...]  # the tray, ascending
    buy_in: int  # chips

    def __post_init__(self) -> None:
        _check(self)

    @property
    def step(self) -> int:
        """The smallest chip; every bet is a multiple of it."""
        return self.chips[0]

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The bets that are on; the Ante always is."""
        pair_plus = () if self.pair_plus is None else (Spot.PAIR_PLUS,)
        six_card = () if self.six_card is None else (Spot.SIX_CARD,)
        return (Spot.ANTE, *pair_plus, *six_card)

    @property
    def smallest_hand(self) -> int:
        """The least chips with which a hand can be dealt, the cover for Play included (SEL: 10)."""
        with_ante = 2 * self.limits.ante.least
        if self.ante_required:
            return with_ante
        return min([with_ante, *(self.limits_of(spot).least for spot in self.spots[1:])])

    def limits_of(self, spot: Spot) -> Limits:
        """The limits of one spot, whether it is on or not."""
        limits: Limits = getattr(self.limits, spot)
        return limits


def _check(rules: RuleSet) -> None:
    """Raise BadRuleSet for the first thing that makes *rules* unfit to be played."""
    if not rules.name.strip() or len(rules.name) > MOST_NAME or not rules.name.isprintable():
        raise BadRuleSet("name", Reason.NOT_A_NAME)
    for key, pays in (("ante_bonus", rules.ante_bonus), ("pair_plus", rules.pair_plus), ("six_card", rules.six_card)):
        if pays is not None:
            _check_pays(key, asdict(pays))
    _check_chips(rules.chips)
    for spot in rules.spots:
        _check_limits(f"limits.{spot}", rules.limits_of(spot), rules.step)
    _check_table(rules)
    _check_amount("buy_in", rules.buy_in)
    if rules.buy_in < rules.smallest_hand:
        raise BadRuleSet("buy_in", Reason.BUY_IN_TOO_SMALL)


def _check_pays(table: str, pays: Mapping[str, int | None]) -> None:
    for line, pay in pays.items():
        if pay is not None and pay < 0:
            raise BadRuleSet(f"{table}.{line}", Reason.NEGATIVE)
        if pay is not None and pay > MOST_PAY:
            raise BadRuleSet(f"{table}.{line}", Reason.TOO_LARGE)


def _check_amount(key: str, chips: int) -> None:
    if chips <= 0:
        raise BadRuleSet(key, Reason.NEGATIVE if chips else Reason.ZERO)
    if chips > MOST_CHIPS:
        raise BadRuleSet(key, Reason.TOO_LARGE)


def _check_chips(chips: tuple[int, ...]) -> None:
    if not chips:
        raise BadRuleSet("chips", Reason.MISSING)
    if len(chips) > MOST_TRAY:
        raise BadRuleSet("chips", Reason.TOO_MANY)
    for chip in chips:
        _check_amount("chips", chip)
    if any(low >= high for low, high in pairwise(chips)):
        raise BadRuleSet("chips", Reason.NOT_ASCENDING)
    if any(chip % chips[0] for chip in chips):
        raise BadRuleSet("chips", Reason.NOT_IN_CHIPS)


def _check_limits(key: str, limits: Limits, step: int) -> None:
    _check_amount(key, limits.least)
    _check_amount(key, limits.most)
    if limits.least > limits.most:
        raise BadRuleSet(key, Reason.LEAST_OVER_MOST)
    if limits.least % step or limits.most % step:
        raise BadRuleSet(key, Reason.NOT_IN_CHIPS)


def _check_table(rules: RuleSet) -> None:
    table = rules.limits.table
    if table is None:
        return
    _check_amount("limits.table", table)
    for spot in rules.spots:
        beside = rules.limits.ante.least if rules.ante_required and spot is not Spot.ANTE else 0
        if beside + rules.limits_of(spot).least > table:
            raise BadRuleSet("limits.table", Reason.TABLE_TOO_SMALL)


SELMINHA: Final = RuleSet(
    name="selminha",
    ante_required=True,
    dealer_must_qualify=True,
    bonus_if_dealer_wins=True,
    ante_bonus=AnteBonus(straight_flush=5, three_of_a_kind=4, straight=1),
    pair_plus=PairPlusPays(mini_royal=None, straight_flush=40, three_of_a_kind=30, straight=6, flush=4, pair=1),
    six_card=None,
    limits=TableLimits(
        ante=Limits(least=5, most=100),
        pair_plus=Limits(least=5, most=100),
        six_card=Limits(least=5, most=100),
        table=None,
    ),
    chips=(5, 25, 100, 500),
    buy_in=500,
)
"""SEL; every other rule set says only where it differs."""


def as_mapping(rules: RuleSet) -> dict[str, object]:
    """The rule set in full, as JSON has it: merged(as_mapping(rules)) == rules (DESIGN, rule sets as JSON)."""
    whole: dict[str, object] = asdict(rules)
    limits = {spot.value: [rules.limits_of(spot).least, rules.limits_of(spot).most] for spot in Spot}
    return whole | {"limits": limits | {"table": rules.limits.table}, "chips": list(rules.chips)}


def merged(mapping: Mapping[str, object]) -> RuleSet:
    """
    The rule set that *mapping* makes of selminha: each key merges, also inside pay tables and limits.

    None switches a bet or a line off; a six_card table must be whole. Raises BadRuleSet.
    Source: DESIGN, rule sets as JSON.
    """
    given = _object(mapping, "", as_mapping(SELMINHA))
    return RuleSet(
        name=_name(given["name"]),
        ante_required=_flag(given, "ante_required"),
        dealer_must_qualify=_flag(given, "dealer_must_qualify"),
        bonus_if_dealer_wins=_flag(given, "bonus_if_dealer_wins"),
        ante_bonus=_ante_bonus(given["ante_bonus"]),
        pair_plus=_pair_plus(given["pair_plus"]),
        six_card=_six_card(given["six_card"]),
        limits=_limits(given["limits"]),
        chips=tuple(_whole(chip, "chips") for chip in _list(given["chips"], "chips")),
        buy_in=_whole(given["buy_in"], "buy_in"),
    )


def _object(value: object, key: str, base: Mapping[str, object]) -> dict[str, object]:
    """*value* laid over *base*; no other keys."""
    if not isinstance(value, Mapping):
        raise BadRuleSet(key, Reason.NOT_AN_OBJECT)
    for name in value:
        if name not in base:
            raise BadRuleSet(f"{key}.{name}" if key else str(name), Reason.UNKNOWN_KEY)
    return {**base, **value}


def _whole(value: object, key: str) -> int:
    if type(value) is not int:  # True is an int to isinstance
        raise BadRuleSet(key, Reason.NOT_A_WHOLE_NUMBER)
    return value


def _flag(given: Mapping[str, object], key: str) -> bool:
    value = given[key]
    if not isinstance(value, bool):
        raise BadRuleSet(key, Reason.NOT_TRUE_OR_FALSE)
    return value


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise BadRuleSet("name", Reason.NOT_A_NAME)
    return value


def _list(value: object, key: str) -> list[object]:
    if not isinstance(value, list | tuple):
        raise BadRuleSet(key, Reason.NOT_A_LIST)
    return [*value]


def _pays(given: Mapping[str, object], key: str) -> dict[str, int | None]:
    return {line: None if pay is None else _whole(pay, f"{key}.{line}") for line, pay in given.items()}


def _ante_bonus(value: object) -> AnteBonus:
    if value is None:
        return AnteBonus(straight_flush=None, three_of_a_kind=None, straight=None)
    return AnteBonus(**_pays(_object(value, "ante_bonus", asdict(SELMINHA.ante_bonus)), "ante_bonus"))


def _pair_plus(value: object) -> PairPlusPays | None:
    if value is None:
        return None
    base = _object(as_mapping(SELMINHA)["pair_plus"], "pair_plus", {field.name: None for field in fields(PairPlusPays)})
    return PairPlusPays(**_pays(_object(value, "pair_plus", base), "pair_plus"))


_ABSENT: Final = object()


def _six_card(value: object) -> SixCardPays | None:
    if value is None:
        return None
    lines = [field.name for field in fields(SixCardPays)]
    given = _object(value, "six_card", dict.fromkeys(lines, _ABSENT))
    for line in lines:
        if given[line] is _ABSENT:
            raise BadRuleSet(f"six_card.{line}", Reason.MISSING)
    return SixCardPays(**_pays(given, "six_card"))


def _limits(value: object) -> TableLimits:
    base = as_mapping(SELMINHA)["limits"]
    given = _object(value, "limits", _object(base, "limits", dict.fromkeys((*Spot, "table"))))
    table = given["table"]
    return TableLimits(
        ante=_range(given, Spot.ANTE),
        pair_plus=_range(given, Spot.PAIR_PLUS),
        six_card=_range(given, Spot.SIX_CARD),
        table=None if table is None else _whole(table, "limits.table"),
    )


def _range(given: Mapping[str, object], spot: Spot) -> Limits:
    key = f"limits.{spot}"
    ends = _list(given[spot], key)
    if len(ends) != 2:
        raise BadRuleSet(key, Reason.NOT_A_LIST)
    return Limits(least=_whole(ends[0], key), most=_whole(ends[1], key))


def _named(sets: Iterable[RuleSet]) -> Mapping[str, RuleSet]:
    return MappingProxyType({rules.name: rules for rules in sets})


PRESETS: Final[Mapping[str, RuleSet]] = _named(
    (
        SELMINHA,
        merged(
            {
                "name": "poker-three",
                "ante_required": False,
                "limits": {"ante": [5, 100], "pair_plus": [5, 100], "table": 150},
            }
        ),
        merged(
            {
                "name": "california",
                "pair_plus": {
                    "mini_royal": 50,
                    "straight_flush": 40,
                    "three_of_a_kind": 30,
                    "straight": 6,
                    "flush": 4,
                    "pair": 1,
                },
            }
        ),
        merged(
            {
                "name": "six-card",
                "six_card": {
                    "royal_flush": 1000,
                    "straight_flush": 200,
                    "four_of_a_kind": 50,
                    "full_house": 25,
                    "flush": 20,
                    "straight": 10,
                    "three_of_a_kind": 5,
                },
            }
        ),
    )
)
"""The sets that have a name (DESIGN, rule sets as JSON)."""


def preset(name: str) -> RuleSet:
    """The preset of that name. Raises UnknownRuleSet."""
    rules = PRESETS.get(name)
    if rules is None:
        raise UnknownRuleSet(name)
    return rules


def resolved(named: object) -> RuleSet:
    """
    The rule set that a name or a mapping stands for, as "rules" of `q64 settle` has it.

    Raises UnknownRuleSet, BadRuleSet. Source: DESIGN, settle.
    """
    if isinstance(named, str):
        return preset(named)
    if not isinstance(named, Mapping):
        raise BadRuleSet("", Reason.NOT_AN_OBJECT)
    return merged(named)
