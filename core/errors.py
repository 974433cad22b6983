"""Every refusal of the game: a type with facts, no words; the views explain them in the reader's language."""
# ruff: noqa: N818 - a refusal is named by what is wrong, as the views look it up

from dataclasses import dataclass
from enum import StrEnum


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


class Reason(StrEnum):
    """What is wrong with one key of a rule set."""

    UNKNOWN_KEY = "unknown_key"
    MISSING = "missing"  # a table that must be whole lacks this line
    NOT_AN_OBJECT = "not_an_object"
    NOT_A_WHOLE_NUMBER = "not_a_whole_number"
    NOT_TRUE_OR_FALSE = "not_true_or_false"
    NOT_A_NAME = "not_a_name"
    NOT_A_LIST = "not_a_list"  # chips, or the two ends of a limit
    NEGATIVE = "negative"
    ZERO = "zero"
    TOO_LARGE = "too_large"
    LEAST_OVER_MOST = "least_over_most"
    NOT_IN_CHIPS = "not_in_chips"  # cannot be laid with the smallest chip of the tray
    NOT_ASCENDING = "not_ascending"  # the chips, or one of them comes twice
    TOO_MANY = "too_many"  # chips for one row of keys
    TABLE_TOO_SMALL = "table_too_small"  # a bet that is on could never be made
    BUY_IN_TOO_SMALL = "buy_in_too_small"  # it does not pay for the smallest hand


@dataclass(eq=False)
class BadRuleSet(RuleError):
    """Raised when a rule set is not fit to be played (RULES, variations: checked when it is made)."""

    key: str  # dotted path in the rule set, as "limits.ante"; empty for the whole
    reason: Reason


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
    """Raised when there is no chip on the table, or on the spot to take from (P3: one game or both, not none)."""

    spot: str = ""  # empty for the whole table


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


# core.fair


@dataclass(eq=False)
class WordsTooLong(RuleError):
    """Raised when the words for the shuffle are longer than they may be (DESIGN, algorithm 1)."""

    length: int  # code points, after NFC
    most: int  # code points


@dataclass(eq=False)
class WordsNotAllowed(RuleError):
    """Raised when the words for the shuffle hold a control character or a separator (DESIGN, algorithm 1)."""

    code_point: int
    category: str  # Unicode's: Cc, Cs, Zl or Zp


@dataclass(eq=False)
class TooFewCards(RuleError):
    """Raised when a deck cannot give as many cards as are asked for (CAL: a single deck of 52)."""

    need: int  # cards
    have: int  # cards


@dataclass(eq=False)
class NotATranscript(RuleError):
    """Raised when a transcript is not written as algorithm 1 writes it (DESIGN, algorithm 1)."""

    at: str  # the first place that is wrong, as "deck[4]"; empty for the whole


# core.referee


@dataclass(eq=False)
class NotARound(RuleError):
    """Raised when a round for the referee lacks something, or has it in the wrong kind (DESIGN, settle)."""

    at: str  # the place, as "seats[2].name"; empty for the whole


@dataclass(eq=False)
class UnknownKey(RuleError):
    """Raised when a round for the referee says something the referee knows nothing about (DESIGN, settle)."""

    key: str


@dataclass(eq=False)
class UnknownDecision(RuleError):
    """Raised when a decision is neither play nor fold, or stands where there is none to take (DESIGN, settle)."""

    decision: object


# the group table, stage by stage


@dataclass(eq=False)
class AlreadySeated(RuleError):
    """Raised when somebody sits down twice at one table (one person, one place)."""


@dataclass(eq=False)
class NotSeated(RuleError):
    """Raised when somebody acts at a table without sitting there."""


@dataclass(eq=False)
class TableFull(RuleError):
    """Raised when every place is taken (CAL: up to eight, the player-dealer included)."""

    most: int  # places


@dataclass(eq=False)
class TooFewSeated(RuleError):
    """Raised when a table is to begin with fewer people than a bank and one player."""

    have: int  # people
    need: int  # people


@dataclass(eq=False)
class BankOfferedTo(RuleError):
    """Raised when somebody takes or passes a bank that is offered to another (CAL: clockwise)."""

    user: int  # to whom it is offered


@dataclass(eq=False)
class BankTooSmall(RuleError):
    """Raised when a bank is under the table's smallest Ante, or a stack is (RULES section 3, step 1)."""

    chips: int  # chips
    least: int  # chips


@dataclass(eq=False)
class BankTooLarge(RuleError):
    """Raised when a bank is over the stack (RULES section 3, step 1)."""

    chips: int  # chips
    have: int  # chips


@dataclass(eq=False)
class MustWaitToBank(RuleError):
    """Raised when the old banker would bank again before somebody else has (RULES section 3, step 6)."""


@dataclass(eq=False)
class HouseMayNotBank(RuleError):
    """Raised when the house is asked to bank where the group has not chosen it (RULES section 3, step 6)."""


@dataclass(eq=False)
class BankerCannotBet(RuleError):
    """Raised when the banker bets or sits out (RULES section 3, step 3: the banker has no decision)."""


@dataclass(eq=False)
class AlreadyReady(RuleError):
    """Raised when somebody changes bets that are final already."""


@dataclass(eq=False)
class NotInHand(RuleError):
    """Raised when somebody who has no cards looks at them or decides."""


@dataclass(eq=False)
class AlreadyDecided(RuleError):
    """Raised when somebody decides twice in one hand."""

    decision: str


@dataclass(eq=False)
class NothingToDecide(RuleError):
    """Raised when somebody without an Ante plays or folds (P3: Pair Plus alone asks for no decision)."""


# contests and daily deals


@dataclass(eq=False)
class BadContest(RuleError):
    """Raised when a contest is not fit to be held."""

    key: str  # what is out of bounds, as "hands"
    got: int
    least: int
    most: int


@dataclass(eq=False)
class NoMoreNights(RuleError):
    """Raised when a contest's nights are used up for one person."""

    most: int  # nights


@dataclass(eq=False)
class NoSuchDeal(RuleError):
    """Raised when an event has no deal of that number."""

    number: int
    most: int  # deals


@dataclass(eq=False)
class NotADay(RuleError):
    """Raised when a text names no day as "2025-11-30" does."""

    text: str
