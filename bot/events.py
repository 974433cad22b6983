"""Frozen values of contests, the daily five and seasons that cross rooms."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.facts import Chat, Event, EventKind, Person, Score
from core.betting import first_wager
from core.contests import HOUR, BestOfNights, Matchpoints, SameDeals, length_problem
from core.daily import Grid, Quality
from core.rules import RuleSet

CONTESTS = (EventKind.NIGHTS, EventKind.SAME_DEALS, EventKind.MATCHPOINTS)  # by their number in payloads


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a contest is to be like."""

    kind: EventKind = EventKind.NIGHTS
    hands: int = 20  # of a night; or deals
    nights: int = 3  # that a person may play; 1 where all play the same deals
    hours: int = 72

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        """As payloads carry them."""
        return CONTESTS.index(self.kind), self.hands, self.nights, self.hours


def checked(terms: Terms, rules: RuleSet) -> BestOfNights | SameDeals | Matchpoints:
    """The contest as the core knows it. Raises BadContest."""
    if (problem := length_problem(terms.hours * HOUR)) is not None:
        raise problem
    if terms.kind is EventKind.NIGHTS:
        return BestOfNights(nights=terms.nights, hands=terms.hands)
    if terms.kind is EventKind.SAME_DEALS:
        return SameDeals(deals=terms.hands)
    return Matchpoints(wager=first_wager(rules), deals=terms.hands)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One line of a contest."""

    rank: int  # 1, 2, 2, 4
    user_id: int
    name: str  # as last seen
    points: int  # chips, or half points
    played: int  # nights, or deals


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """Everything that a contest's message shows; after the end the final result."""

    event: Event
    chat: Chat
    code: str  # of the link into the private chat
    rows: tuple[Standing, ...]  # all who are ranked, best first
    playing: int = 0  # people who have begun and are not ranked yet
    by: str | None = None  # the admin who ended it before its time; empty: one who stays anonymous
    late: bool = False  # the bot was not there at the end


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnNight:
    """One's own night in a contest."""

    chips: int
    hands: int
    over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnNights:
    """What one person has played of a contest, and where that stands."""

    event: Event
    nights: tuple[OwnNight, ...]
    standing: Standing | None  # None while there is nothing to rank


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRow:
    """One person's line of a day in a group."""

    user_id: int
    name: str
    chips: int
    qualities: tuple[Quality, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DayBoard:
    """A group's one message about a day."""

    event: Event
    chat: Chat
    code: str
    rows: tuple[DayRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DayPage:
    """The daily five as one person sees them."""

    today: Event
    tomorrow: Event
    yesterday: Event | None  # over, with its secret
    own: Grid | None  # of today, once played
    under_way: bool
    days: int  # played this month
    now: datetime
    person: Person | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonEnd:
    """A month that is over in a chat."""

    chat: Chat
    month: str  # as 2026-11
    top: tuple[Score, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crown:
    """A champion of the hall."""

    month: str
    user_id: int
    name: str
    chips: int
