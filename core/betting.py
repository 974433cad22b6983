"""Bets before the deal: limits per spot and per table, cover for Play, steps up and down, repeat (SEL, P3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

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
from core.rules import RuleSet, Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class Wager:
    """The bets of one hand. Raises BadAmount unless each is a whole number from 0 up."""

    ante: int = 0  # chips
    pair_plus: int = 0  # chips
    six_card: int = 0  # chips

    def __post_init__(self) -> None:
        if type(self.ante) is type(self.pair_plus) is type(self.six_card) is int and (
            self.ante >= 0 and self.pair_plus >= 0 and self.six_card >= 0
        ):
            return
        spot = next(spot for spot in Spot if type(self.on(spot)) is not int or self.on(spot) < 0)
        raise BadAmount(spot, self.on(spot))

    @property
    def stake(self) -> int:
        """Chips bet before the deal, Play excluded."""
        return self.ante + self.pair_plus + self.six_card

    @property
    def cover(self) -> int:
        """Chips that Play would cost: the Ante again."""
        return self.ante

    @property
    def need(self) -> int:
        """Chips that a stack must have for this hand, cover included; so many are held from the deal on (SEL)."""
        return 2 * self.ante + self.pair_plus + self.six_card

    def on(self, spot: Spot) -> int:
        """Chips on one spot."""
        chips: int = getattr(self, spot)
        return chips

    def moved(self, spot: Spot, chips: int) -> "Wager":
        """The same wager with *chips* on *spot*."""
        return Wager(
            ante=chips if spot is Spot.ANTE else self.ante,
            pair_plus=chips if spot is Spot.PAIR_PLUS else self.pair_plus,
            six_card=chips if spot is Spot.SIX_CARD else self.six_card,
        )


NO_WAGER: Final = Wager()
START_SHARE: Final = 20
"""The first bet is about this part of the buy-in (BOARDS, first contact)."""


# --- asking: the same checks for keyboards, taps and the deal ---


def wager_problem(wager: Wager, *, rules: RuleSet, stack: int) -> RuleError | None:
    """
    Why *wager* cannot be dealt with *stack* chips, None if it can: the one check of the deal and of its key.

    Source: SEL and P3, chips and limits.
    """
    if wager.stake and wager.ante == 0 and rules.ante_required:
        return AnteRequired(rules.limits.ante.least)
    return _draft_problem(wager, rules, stack)


def add_problem(wager: Wager, spot: Spot, chip: int, *, rules: RuleSet, stack: int) -> RuleError | None:
    """
    Why *chip* cannot be added on *spot*, None if it can; *stack* counts all chips, those of the wager included.

    An Ante that is still missing is no reason: spots may be filled in any order. Source: SEL, P3, BOARDS 3.2.
    """
    if chip not in rules.chips:
        return UnknownChip(chip)
    if spot not in rules.spots:
        return BetOff(spot)
    if chip > rules.limits_of(spot).most:
        return ChipNotUsable(chip, spot, rules.limits_of(spot).most)
    after = wager.moved(spot, wager.on(spot) + chip_up(wager, spot, chip, rules))
    return _spot_problem(spot, after.on(spot), rules) or _sum_problem(after, rules, stack)


def chip_up(wager: Wager, spot: Spot, chip: int, rules: RuleSet) -> int:
    """
    Chips that one more *chip* adds on *spot*: the chip itself; where that is under the least bet, up to the least.

    So a spot can be filled with every chip of the tray, however small, as taking one down goes from the least to none.
    """
    return max(chip, rules.limits_of(spot).least - wager.on(spot))


def smallest_hand_problem(stack: int, rules: RuleSet) -> CannotCover | None:
    """Why *stack* chips pay for no hand at all, None if they do (SEL: below 10 chips the night is over)."""
    return CannotCover(rules.smallest_hand, stack, 0) if stack < rules.smallest_hand else None


def _draft_problem(wager: Wager, rules: RuleSet, stack: int) -> RuleError | None:
    """wager_problem() but for an Ante that is still missing."""
    if wager.stake == 0:
        return NoBet()
    for spot in Spot:
        if wager.on(spot) and (problem := _spot_problem(spot, wager.on(spot), rules)):
            return problem
    return _sum_problem(wager, rules, stack)


def _spot_problem(spot: Spot, chips: int, rules: RuleSet) -> RuleError | None:
    limits = rules.limits_of(spot)
    if spot not in rules.spots:
        return BetOff(spot)
    if chips > limits.most:
        return BetTooLarge(spot, chips, limits.most)
    if chips < limits.least:
        return BetTooSmall(spot, chips, limits.least)
    return NotAMultiple(spot, chips, rules.step) if chips % rules.step else None


def _sum_problem(wager: Wager, rules: RuleSet, stack: int) -> RuleError | None:
    table = rules.limits.table
    if table is not None and wager.stake > table:
        return TableLimit(wager.stake, table)
    if wager.need > stack:
        return CannotCover(wager.need, stack, _most_on(wager, Spot.ANTE, rules, stack))
    return None


def _most_on(wager: Wager, spot: Spot, rules: RuleSet, stack: int) -> int:
    """The largest legal bet on *spot* beside the other bets as they are; 0 if there is none."""
    others = wager.moved(spot, 0)
    limits, table = rules.limits_of(spot), rules.limits.table
    covered = stack - others.need
    room = min(limits.most, covered // 2 if spot is Spot.ANTE else covered)
    if table is not None:
        room = min(room, table - others.stake)
    room -= room % rules.step
    return room if room >= limits.least else 0


def _refuse(problem: RuleError | None) -> None:
    if problem is not None:
        raise problem


# --- acting: a new wager, or a refusal ---


def add(wager: Wager, spot: Spot, chip: int, *, rules: RuleSet, stack: int) -> Wager:
    """
    One more *chip* on *spot*, or the least bet; *stack* counts all chips, those of the wager included.

    Raises UnknownChip, BetOff, ChipNotUsable, BetTooLarge, NotAMultiple, TableLimit, CannotCover.
    Source: P3; BOARDS 3.2.
    """
    _refuse(add_problem(wager, spot, chip, rules=rules, stack=stack))
    return wager.moved(spot, wager.on(spot) + chip_up(wager, spot, chip, rules))


def take(wager: Wager, spot: Spot, chip: int, *, rules: RuleSet) -> Wager:
    """
    *chip* less on *spot*, none if the rest would be under the least bet.

    Raises UnknownChip, NoBet if the spot is empty. Source: P3, chip by chip; BOARDS, details.
    """
    if chip not in rules.chips:
        raise UnknownChip(chip)
    if wager.on(spot) == 0:
        raise NoBet(spot)
    rest = wager.on(spot) - chip
    return wager.moved(spot, rest if rest >= rules.limits_of(spot).least else 0)


def half(wager: Wager, *, rules: RuleSet) -> Wager:
    """
    Each bet halved, down to whole chips of the tray, though never under its least: Half takes no bet away.

    Raises NoBet, BetTooSmall if every bet is at its least already. Source: BOARDS 3.2.
    """
    if wager.stake == 0:
        raise NoBet
    halved = wager
    for spot in Spot:
        if chips := wager.on(spot):
            down = chips // 2 - chips // 2 % rules.step
            halved = halved.moved(spot, min(chips, max(down, rules.limits_of(spot).least)))
    if halved == wager:
        spot = next(spot for spot in Spot if wager.on(spot))
        raise BetTooSmall(spot, wager.on(spot) // 2, rules.limits_of(spot).least)
    return halved


def double(wager: Wager, *, rules: RuleSet, stack: int) -> Wager:
    """
    Every bet doubled, or none.

    Raises NoBet, BetOff, BetTooLarge, TableLimit, CannotCover. Source: BOARDS 3.2.
    """
    if wager.stake == 0:
        raise NoBet
    doubled = Wager(ante=2 * wager.ante, pair_plus=2 * wager.pair_plus, six_card=2 * wager.six_card)
    _refuse(_draft_problem(doubled, rules, stack))
    return doubled


def most(wager: Wager, *, rules: RuleSet, stack: int) -> Wager:
    """
    The Ante as large as limits and cover allow, the other spots as they are; an empty table gets the Ante, too.

    Where other bets lie alone at a table that asks for no Ante, the first of them grows instead.
    Raises BetOff, BetTooLarge, TableLimit, CannotCover if it cannot grow. Source: BOARDS 3.2.
    """
    spot = next((spot for spot in Spot if wager.on(spot)), Spot.ANTE)
    if rules.ante_required:
        spot = Spot.ANTE
    chips = _most_on(wager, spot, rules, stack)
    if chips in {0, wager.on(spot)}:
        more = max(wager.on(spot) + rules.step, rules.limits_of(spot).least)
        _refuse(_draft_problem(wager.moved(spot, more), rules, stack))
    raised = wager.moved(spot, chips)
    _refuse(_draft_problem(raised, rules, stack))
    return raised


def clear() -> Wager:
    """No bet at all; every chip is back in the stack (SEL, P3: CLEAR)."""
    return NO_WAGER


# --- wagers that come from elsewhere than chips ---


def first_chip(rules: RuleSet) -> int:
    """The chip chosen at a night's start: nearest to 1/20 of the buy-in among those an Ante may hold (BOARDS 3.1)."""
    usable = [chip for chip in rules.chips if chip <= rules.limits.ante.most]
    return min(usable, key=lambda chip: abs(START_SHARE * chip - rules.buy_in))


def first_wager(rules: RuleSet) -> Wager:
    """
    The bet that lies there when a night begins: an Ante of first_chip(), as far as limits and buy-in allow.

    Where the buy-in pays for no Ante, the least bet that it pays for. Source: BOARDS 3.1.
    """
    ante = min(max(first_chip(rules), rules.limits.ante.least), _most_on(NO_WAGER, Spot.ANTE, rules, rules.buy_in))
    if ante:
        return Wager(ante=ante)
    spot = min(rules.spots[1:], key=lambda spot: rules.limits_of(spot).least)
    return NO_WAGER.moved(spot, rules.limits_of(spot).least)


def typed_wager(amounts: Sequence[int], rules: RuleSet, stack: int) -> Wager:
    """
    The wager that `/deal 25 5` names: Ante, then Pair Plus; 0 leaves a spot empty, though not every one.

    Raises TooManyBets, BetTooSmall, BadAmount and whatever wager_problem() finds.
    Source: DESIGN, commands; BOARDS, details.
    """
    if len(amounts) > 2:
        raise TooManyBets(len(amounts), 2)
    if amounts and not any(amounts):
        raise BetTooSmall(Spot.ANTE, 0, rules.limits.ante.least)
    ante, pair_plus = (*amounts, 0, 0)[:2]
    wager = Wager(ante=ante, pair_plus=pair_plus)
    _refuse(wager_problem(wager, rules=rules, stack=stack))
    return wager


def repeatable(last: Wager | None, rules: RuleSet, stack: int) -> Wager | None:
    """*last* if it can be dealt once more as it was, else None (SEL: Repeat last bet; P3: REBET)."""
    return last if last is not None and wager_problem(last, rules=rules, stack=stack) is None else None
