"""Frozen values that cross rooms: what a tap says, and what a person, a chat, a seat, a night, a round, a board are."""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from typing import Protocol

from core.betting import Wager
from core.cards import Hand
from core.contests import contest_name
from core.daily import Grid, daily_name
from core.odds import DEALER_HANDS
from core.rules import RuleSet, Spot
from core.solo import Dealt, State

MAX_PAYLOAD_BYTES = 64  # Bot API: callback_data
LARGEST_ID = 2**63 - 1
LARGEST_AMOUNT = 10**9  # chips; far above every limit a rule set may have
_RELEASE = "1"  # the first field of every payload; a later shape gets another
_DIGITS = string.digits + string.ascii_lowercase


class Clock(Protocol):
    """The only source of time; made in `app`, turned by tests."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait so long."""
        ...


class BadTap(ValueError):  # noqa: N818 - read as a noun: a bad tap
    """Raised when a payload is not one that this release makes."""


SPOTS = tuple(Spot)  # in the order in which payloads number them


class Verb(StrEnum):
    """What a key does; the value is its code in the payload and never changes its meaning."""

    CHIP = "c"  # choose the chip of the tray: chips
    ADD = "a"  # a chip on a spot: spot, chips
    TAKE = "t"  # a chip off a spot: spot, chips
    HALF = "h"
    DOUBLE = "d"
    MAX = "m"
    CLEAR = "x"
    REPEAT = "r"  # repeat last bet: 1 checked, 0 not
    DEAL = "D"  # ante, pair plus, six-card: the wager the key shows, chips
    PLAY = "P"
    FOLD = "F"
    HINT = "H"
    HANDS = "I"
    CHANGE_BET = "b"
    CASH_OUT = "O"  # asks
    LEAVE = "L"  # yes, leave
    KEEP = "K"  # keep playing
    NEW_NIGHT = "N"  # deal: a new night
    DESIGN = "g"  # the next card design
    PROOF = "p"
    BACK = "k"
    TOP = "T"  # the chat's board of nights: period
    MY_PLACE = "M"  # one's own place, in a toast: period
    PICTURE = "i"  # the night as a picture
    RULES = "R"  # the table's passport, or a page of the admins' workshop: page, value
    SETTING = "S"  # a choice of the chat's admins or of one's own: which, value
    WORDS = "w"  # new words for the shuffle
    FILE = "f"  # a hand's transcript as a file
    NIGHT_FILE = "n"  # all transcripts of the night in one file
    HERE = "j"  # play this seat here
    BRING_BACK = "u"  # bring the seat back into the group
    OTHER_TABLE = "o"  # in private: the next of one's seats there
    SHOW_GROUP = "z"  # tell the group how a private night ended
    FORGET = "G"  # everything about oneself: 0 asks, 1 yes, 2 no
    TABLE_SIT = "qs"
    TABLE_LEAVE = "ql"
    TABLE_START = "qo"
    TABLE_BANK = "qb"  # put up the bank: chips
    TABLE_PASS = "qp"  # noqa: S105 - decline the bank
    TABLE_HOUSE = "qh"  # let the house bank
    TABLE_ADD = "qa"  # a chip on a spot: spot, chips
    TABLE_TAKE = "qt"  # a chip off a spot: spot, chips
    TABLE_CLEAR = "qx"
    TABLE_SAME_BET = "qr"
    TABLE_READY = "qy"
    TABLE_CARDS = "qc"  # one's own cards
    TABLE_PLAY = "qj"
    TABLE_FOLD = "qf"
    TABLE_HINT = "qi"
    TABLE_SIT_OUT = "qz"
    TABLE_OTHER_BET = "qn"
    TABLE_CLOSE = "qe"
    CONTEST_MAKE = "km"  # another draft of a contest: kind, hands, nights, hours
    CONTEST_START = "ks"  # the contest that the key shows: kind, hands, nights, hours
    CONTEST_CLOSE = "kc"  # end it now, or call it off; the event is the payload's round: 0 no, 1 end, 2 call off
    CONTEST_NIGHTS = "kn"  # one's own nights in a contest
    CONTEST_FILE = "kf"  # every deal of an event that is over, and one's own hands, as a file
    DAILY = "kd"  # play today's five
    CHAMPIONS = "kh"  # the hall of champions


# How many numbers each verb carries behind board and round.
_ARITY: Mapping[Verb, int] = {
    Verb.CHIP: 1,
    Verb.ADD: 2,
    Verb.TAKE: 2,
    Verb.REPEAT: 1,
    Verb.DEAL: 3,
    Verb.TOP: 1,
    Verb.MY_PLACE: 1,
    Verb.RULES: 2,
    Verb.SETTING: 2,
    Verb.FORGET: 1,
    Verb.TABLE_BANK: 1,
    Verb.TABLE_ADD: 2,
    Verb.TABLE_TAKE: 2,
    Verb.CONTEST_MAKE: 4,
    Verb.CONTEST_START: 4,
    Verb.CONTEST_CLOSE: 1,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tap:
    """
    A complete payload: verb, board, round and numbers. It asks, it never proves: whoever reads it looks up owner,
    round and stage in the database.
    """

    verb: Verb
    board: int = 0
    round: int = 0
    numbers: tuple[int, ...] = ()

    def pack(self) -> str:
        """The payload, 1 to 64 bytes of ASCII (Bot API: callback_data)."""
        fields = (_RELEASE, self.verb.value, *map(_base36, (self.board, self.round, *self.numbers)))
        payload = ":".join(fields)
        if len(payload) > MAX_PAYLOAD_BYTES or len(self.numbers) != _ARITY.get(self.verb, 0):
            raise BadTap(payload)
        return payload

    @classmethod
    def unpack(cls, payload: str) -> Tap:
        """
        Check a payload in full: release, verb, count and size of the numbers.

        :raises BadTap: If this release did not make it.
        """
        release, *fields = payload.split(":") if len(payload) <= MAX_PAYLOAD_BYTES else [""]
        if release != _RELEASE or len(fields) < 3:
            raise BadTap(payload)
        try:
            verb = Verb(fields[0])
        except ValueError:
            raise BadTap(payload) from None
        board, round_, *numbers = map(_number, fields[1:])
        if len(numbers) != _ARITY.get(verb, 0) or any(number > LARGEST_AMOUNT for number in numbers):
            raise BadTap(payload)
        return cls(verb=verb, board=board, round=round_, numbers=tuple(numbers))


def _base36(number: int) -> str:
    if not 0 <= number <= LARGEST_ID:
        raise BadTap(str(number))
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"


def _number(text: str) -> int:
    canonical = text == "0" or (text[:1] not in {"", "0"} and all(digit in _DIGITS for digit in text))
    if not canonical or len(text) > 13 or (number := int(text, 36)) > LARGEST_ID:
        raise BadTap(text)
    return number


class Design(StrEnum):
    """How cards look (BOARDS and BOTAPI section 9); `words` is for screen readers."""

    CLASSIC = "classic"
    BRACKETED = "bracketed"
    FOUR_COLOUR = "four_colour"
    LETTERS = "letters"
    WORDS = "words"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody as Telegram and the database know them, in all chats the same."""

    id: int  # Telegram's user id, the only identity
    name: str = ""  # as last seen, raw
    app_language: str = ""  # the app's IETF tag, as last seen
    language: str = ""  # chosen by the person; empty: not chosen
    design: Design = Design.CLASSIC
    coach: bool = True  # say what a choice gave away
    words: str = ""  # the person's own words for the shuffle
    hands: int = 0  # hands settled, all chats: the first three show "New here?"
    private: bool = False  # has pressed Start and not blocked the bot
    break_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A chat and what its admins have chosen."""

    id: int  # Telegram's, or the place of an event
    kind: str  # private, group, supergroup
    title: str = ""
    language: str = ""  # chosen by admins; empty: not chosen
    time_zone: str = "UTC"
    rules: RuleSet
    awake_boards: int = 3  # boards awake at once in a group; 0: always the private chat
    active: bool = True  # false after the bot was removed or may not write
    options: Mapping[str, str] = field(default_factory=dict)  # further choices of the admins, by name

    @property
    def private(self) -> bool:
        """Whether it is somebody's chat with the bot alone."""
        return self.kind == "private"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One person in one chat: (chat, user), and the chips there."""

    id: int
    chat_id: int
    user_id: int
    chips: int  # free chips: what rounds hold is not among them
    night_id: int | None = None  # the night under way
    round_id: int | None = None  # the solo round that is open: betting or dealt
    chip: int = 0  # the chosen chip of the tray, in chips
    repeat: bool = True  # the next round opens with the last bet


class Ending(StrEnum):
    """How a night ended; one that was broken off has no ending."""

    CASHED = "cashed"  # it counts, with a hand at least
    BROKE = "broke"  # the chips pay for no hand any more


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """One sitting, from buy-in to cash-out or broke; its final chips are its score."""

    id: int
    seat_id: int
    rules: RuleSet
    opened: datetime
    buy_in: int  # chips
    hands: int = 0  # settled
    closed: datetime | None = None
    chips: int | None = None  # final
    ending: Ending | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A solo round from its commitment to its settlement."""

    id: int  # the nonce
    seat_id: int
    night_id: int
    rules: RuleSet
    secret: bytes = field(repr=False)  # 32 bytes; never shown before settlement
    commitment: str
    words: tuple[str, ...]
    state: State
    version: int
    opened: datetime
    worded: datetime | None = None  # when the words were last changed
    dealt: datetime | None = None
    settled: datetime | None = None
    void: bool = False
    given_away: int = 0  # what the choice gave away, in chips / 18,424
    deal: int | None = None  # the number of an event's deal; the secret is the event's then

    @property
    def nonce(self) -> int:
        """The number that the deck was shuffled with (DESIGN section 4)."""
        return self.id if self.deal is None else self.deal


EVENT_PLACES = -(2**61)  # the seats of an event stand in a chat of its own, whose number lies from here down
NOBODY = -(2**62)  # from here down no number is anybody's: Telegram's ids have 52 bits (Bot API)


class EventKind(StrEnum):
    """What people play for together."""

    NIGHTS = "nights"  # the best of some nights, each hand of its own
    SAME_DEALS = "same_deals"  # the same deals for all, own bets
    MATCHPOINTS = "matchpoints"  # the same deals and the same bets for all
    DAILY = "daily"  # the same five deals for everybody everywhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A contest of one group, or a day of the daily five."""

    id: int
    kind: EventKind
    chat_id: int | None  # the group; none: everybody
    rules: RuleSet
    nights: int  # that a person may play
    hands: int  # in each
    wager: Wager = field(default_factory=Wager)  # of every deal, where it is fixed
    buy_in: int  # chips
    day: str = ""  # of the daily five, as 2026-11-30
    secret: bytes = field(default=b"", repr=False)  # of the same deals; shown to nobody before the end
    commitment: str = ""
    deals: tuple[int, ...] = ()  # their numbers, in the order in which they are played
    made: datetime  # when the commitment was made
    opens: datetime
    ends: datetime
    closed: datetime | None = None
    called_off: bool = False
    closed_by: int = 0  # an admin who ended it before its time; 0: nobody, or one who stays anonymous

    @property
    def name(self) -> str:
        """The word that its deals are shuffled with (DESIGN section 4)."""
        return daily_name(self.day) if self.kind is EventKind.DAILY else contest_name(self.id)

    @property
    def place(self) -> int:
        """The number of the chat where its seats stand; Telegram knows none of it."""
        return EVENT_PLACES - self.id

    @property
    def fixed(self) -> bool:
        """Whether everybody has the same bets."""
        return self.kind is EventKind.MATCHPOINTS


def event_id_of(chat_id: int) -> int | None:
    """The event whose place this is; None for a chat of Telegram's, and for nobody's."""
    return EVENT_PLACES - chat_id if NOBODY < chat_id <= EVENT_PLACES else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outing:
    """A person's night in an event, as its board tells it."""

    event: Event
    group: str  # title of the event's group; empty for the daily five
    night: int  # which one of the person's nights, from 1
    left: int  # nights that may still be begun after it
    grid: Grid | None = None  # of a day that is played


class Face(StrEnum):
    """Which page of a board is open; the picture follows from face and round."""

    WELCOME = "welcome"  # the first board a person ever sees, by /start
    FIRST = "first"  # the first board of a night, bet already there
    BET = "bet"  # the betting board
    CARDS = "cards"  # dealt, or settled with the next deal ready
    LEAVING = "leaving"  # cash out asks once
    LEFT = "left"  # the night is over
    HANDS = "hands"  # the ranking and what it pays, in place, with Back
    WELCOME_HANDS = "welcome_hands"  # the same, opened from the welcome
    PROOF = "proof"
    DOOR = "door"  # a busy group: the private chat is offered


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One living message: which message shows which seat's round, and how new the picture is."""

    id: int
    seat_id: int
    face: Face
    round_id: int  # the round on show; on a settled picture the settled one
    chat_id: int  # the place: the seat's chat or the owner's private chat
    thread_id: int | None = None
    message_id: int | None = None  # none: not sent yet, or to be sent anew
    old_message_id: int | None = None  # its keys are still to be taken off
    wanted: int = 1  # version of the newest picture
    painted: int = 0  # version on the screen
    note: str = ""  # one note line: the key of a refusal and its facts, as stored by the service
    tapped: datetime | None = None  # last tap, for "awake"


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """Who speaks or taps, and where, as Telegram says; never taken from a payload."""

    user_id: int
    name: str
    app_language: str
    chat_id: int
    chat_kind: str
    chat_title: str = ""
    thread_id: int | None = None
    message_id: int | None = None  # the message that was tapped, or the command itself
    as_chat: bool = False  # an anonymous admin, who speaks as the group itself (F04)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A night told in figures; luck and skill add up to the net."""

    hands: int
    net: int  # chips
    given_away: Fraction  # chips, by choices that were not the best
    best: Hand | None
    path: tuple[int, ...]  # chips at the start and after each hand
    rank: int | None = None  # place this week, for a night that counts
    last: tuple[int, str] | None = None  # number and seal of its latest hand

    @property
    def luck(self) -> Fraction:
        """Chips, by the cards: what the best choices would have come to."""
        return self.net + self.given_away


@dataclass(frozen=True, slots=True, kw_only=True)
class Wagered:
    """Settled hands under one rule set, counted: what was bet, and what came of it."""

    rules: RuleSet
    hands: int
    net: int  # chips
    given_away: int  # chips / 18,424
    decisions: int  # hands with an Ante
    best_choices: int  # decisions that gave nothing away
    ante: int  # chips bet on it
    play: int  # chips
    pair_plus: int  # chips
    six_card: int  # chips


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTables:
    """Settled hands at group tables, counted; a bank's reach decides what they paid, so no return follows from them."""

    hands: int = 0  # as a player
    net: int = 0  # chips
    banked: int = 0  # hands as the bank
    bank_net: int = 0  # chips
    given_away: int = 0  # chips / 18,424
    decisions: int = 0  # by oneself, not in one's absence
    best_choices: int = 0  # decisions that gave nothing away


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What somebody did so far, all nights together, the one under way included."""

    nights: int = 0  # ended, with a hand at least
    best_night: int | None = None  # chips, cashed out
    lately: tuple[int, ...] = ()  # final chips of the latest nights, in order
    wagered: tuple[Wagered, ...] = ()  # alone, against the house
    tables: AtTables = AtTables()
    best: Hand | None = None  # of the hands that were not folded
    latest_round: int | None = None  # the latest settled hand, alone or at a table
    titles: int = 0  # months as a champion of some chat
    days: int = 0  # of the daily five
    clean_days: int = 0  # of those, with five choices that were all the best
    contests: int = 0  # won, against somebody
    places: tuple[int | None, ...] = ()  # this week, this month and of all time, in the chat that was asked in

    @property
    def hands(self) -> int:
        """All settled hands, those as the bank included."""
        return self.hands_alone + self.tables.hands + self.tables.banked

    @property
    def hands_alone(self) -> int:
        """Settled hands against the house."""
        return sum(part.hands for part in self.wagered)

    @property
    def net(self) -> int:
        """Chips won or lost in all."""
        return self.net_alone + self.tables.net + self.tables.bank_net

    @property
    def net_alone(self) -> int:
        """Chips won or lost against the house."""
        return sum(part.net for part in self.wagered)

    @property
    def given_away(self) -> Fraction:
        """Chips, by choices that were not the best."""
        return Fraction(sum(part.given_away for part in self.wagered) + self.tables.given_away, DEALER_HANDS)

    @property
    def decisions(self) -> int:
        """How often this person chose to play or fold."""
        return sum(part.decisions for part in self.wagered) + self.tables.decisions

    @property
    def best_choices(self) -> int:
        """How many of these decisions gave nothing away."""
        return sum(part.best_choices for part in self.wagered) + self.tables.best_choices

    @property
    def staked(self) -> int:
        """All chips bet alone, Play included."""
        return sum(part.ante + part.play + part.pair_plus + part.six_card for part in self.wagered)


@dataclass(frozen=True, slots=True, kw_only=True)
class SoloBoard:
    """Everything that a solo board shows; the picture is a function of it."""

    board: Board
    seat: Seat
    owner: Person
    chat: Chat
    night: Night | None  # under way, or just ended
    shown: Round | None  # the round on show
    following: Round | None  # the open betting round whose seal and Deal key are on show
    path: tuple[int, ...] = ()  # chips after the latest hands of the night
    summary: Summary | None = None  # where the night is over
    note: Exception | None = None  # a refusal to be told on the board
    door: str = ""  # the code of the door, where the private chat is offered
    tables: int = 1  # boards of the owner in the private chat, where this one stands there
    outing: Outing | None = None  # where the night belongs to a contest or to the daily five
    left: tuple[tuple[int, int], ...] = ()  # chats and messages in which it stands no more: their keys are to go

    @property
    def away(self) -> bool:
        """Whether the board stands in the private chat, and the seat does not."""
        return self.board.chat_id == self.owner.id != self.seat.chat_id

    @property
    def chips(self) -> int:
        """The person's chips as boards count them: free ones and the held cover for Play."""
        held = self.shown.state.wager.cover if self.shown and isinstance(self.shown.state, Dealt) else 0
        return self.seat.chips + held


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One row of a top five: the best night of one person."""

    rank: int  # 1, 2, 2, 4
    user_id: int
    name: str
    chips: int
    reached: datetime
