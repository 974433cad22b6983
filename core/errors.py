"""Every refusal of the game: a type with facts, no words; the views explain them in the reader's language."""
# ruff: noqa: N818 - a refusal is named by what is wrong, as the views look it up

from dataclasses import dataclass


class RuleError(Exception):
    """Raised when the game refuses something; every refusal of core is one of these."""

    def __str__(self) -> str:
        return repr(self)


@dataclass(eq=False)
class UnknownCard(RuleError):
    """Raised when a text is not one card of the pack (CAL: a single deck of 52, no joker)."""

    text: str


@dataclass(eq=False)
class RepeatedCard(RuleError):
    """Raised when one card stands twice among cards of one pack (CAL: a single deck of 52)."""

    card: str


@dataclass(eq=False)
class WrongHandSize(RuleError):
    """Raised when a hand has not exactly three cards (SEL)."""

    got: int  # cards


@dataclass(eq=False)
class BadRuleSet(RuleError):
    """Raised when a rule set is not fit to be played (RULES, variations: checked when it is made)."""

    key: str  # dotted path in the rule set, as "limits.ante"; empty for the whole
    reason: str  # one of core.rules.Reason


@dataclass(eq=False)
class UnknownRuleSet(RuleError):
    """Raised when no preset has that name (DESIGN, commands)."""

    name: str


@dataclass(eq=False)
class BetOff(RuleError):
    """Raised when chips are put on a bet that the rule set switches off (DESIGN, rule sets)."""

    spot: str


@dataclass(eq=False)
class BetTooSmall(RuleError):
    """Raised when a bet is under the least of its spot (SEL, P3: a minimum for each spot)."""

    spot: str
    chips: int  # chips, the bet as it would be
    least: int  # chips


@dataclass(eq=False)
class BetTooLarge(RuleError):
    """Raised when a bet is over the most of its spot (SEL, P3: a maximum for each spot)."""

    spot: str
    chips: int  # chips, the bet as it would be
    most: int  # chips


@dataclass(eq=False)
class NotAMultiple(RuleError):
    """Raised when a bet cannot be laid with the smallest chip (SEL: every bet a multiple of 5)."""

    spot: str
    chips: int  # chips
    step: int  # chips, the smallest chip of the tray


@dataclass(eq=False)
class TableLimit(RuleError):
    """Raised when all bets before the deal are over the table's maximum (P3)."""

    total: int  # chips, Play excluded
    most: int  # chips


@dataclass(eq=False)
class CannotCover(RuleError):
    """Raised when the stack cannot pay Ante, Play and the other bets together (SEL: a hand never stalls)."""

    need: int  # chips, Play included
    have: int  # chips
    most_ante: int  # chips, the largest Ante that these chips cover beside the other bets; 0 if there is none


@dataclass(eq=False)
class AnteRequired(RuleError):
    """Raised when a table that requires an Ante gets a wager without one (SEL)."""

    least: int  # chips


@dataclass(eq=False)
class NoBet(RuleError):
    """Raised when there is no chip on the table (P3: either game alone or both, but one of them)."""


@dataclass(eq=False)
class ChipNotUsable(RuleError):
    """Raised when a chip of the tray is larger than its spot allows (SEL: the 500 chip is refused with the reason)."""

    chip: int  # chips
    spot: str
    most: int  # chips


@dataclass(eq=False)
class WrongPhase(RuleError):
    """Raised when a move or a decision does not belong to where the hand stands (SEL, P3)."""

    wanted: str
    phase: str


@dataclass(eq=False)
class BadAmount(RuleError):
    """Raised when chips are not a whole number from 0 up (DESIGN, settle)."""

    spot: str
    chips: object


@dataclass(eq=False)
class UnknownChip(RuleError):
    """Raised when a chip does not lie in the tray (SEL: chips of 5, 25, 100 and 500)."""

    chip: int  # chips


@dataclass(eq=False)
class TooManyBets(RuleError):
    """Raised when more amounts are named than the table has spots (BOARDS, details)."""

    got: int  # amounts
    most: int  # spots


# --- the refusals of core.fair and of the group table follow below ---
