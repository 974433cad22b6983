"""What the admins of a chat choose beside language, zone and rules: typed, kept in the chat's map of options."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import TypeVar
from zoneinfo import ZoneInfo

from bot.facts import LARGEST_AMOUNT, Chat, Person
from bot.periods import zone
from core.errors import RuleError
from core.rules import RuleSet, as_mapping, merged
from core.workshop import Part

T = TypeVar("T")

MOST_BANS = 40
MOST_AWAKE = 5
_CHANGES_KEPT = 3


class Setting(IntEnum):
    """What a key of `/settings` is about: the first number of its payload, and stable for ever."""

    OPEN = 0  # value: the setting whose choices are to be shown; 0 for all, 100 and up a region of time zones
    LANGUAGE = 1
    ZONE = 2
    SPEED = 3
    BANK = 4
    AWAKE = 5
    SEASONS = 6
    DAILY = 7
    QUIET = 8
    HANDS = 9
    BLACK_LIST = 10  # value 0 lifts it; the person's id stands in the payload's round
    RULES = 11  # changed in `/rules` only
    MY_LANGUAGE = 20
    DESIGN = 21
    COACH = 22


PERSONAL = frozenset({Setting.MY_LANGUAGE, Setting.DESIGN, Setting.COACH})
REGIONS_FROM = 100


class RulesPage(IntEnum):
    """What a key of `/rules` does: the first number of its payload, and stable for ever."""

    PASSPORT = 0
    MENU = 1
    PRESET = 2  # value: the preset, looked at before it is used
    USE_PRESET = 3  # value: the preset
    DRAFT = 4  # the group's own table as it is being made
    PART = 5  # value: the step whose choices are to be shown
    CHOOSE = 6  # value: step x 100 + choice
    USE_DRAFT = 7  # value: `seal` of the table that the key shows
    START_OVER = 8  # the draft becomes the table in use


STEP = 100


class Speed(StrEnum):
    """How long a table waits for somebody."""

    FAST = "fast"
    NORMAL = "normal"
    SLOW = "slow"
    NONE = "none"


class Banker(StrEnum):
    """Who banks at the group's table."""

    PLAYERS = "players"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Whole hours of the chat's own day between which nothing is posted unasked."""

    begin: int
    end: int


# Choices by the number that payloads carry; new ones come at the end.
SPEEDS = tuple(Speed)
BANKERS = tuple(Banker)
QUIET_HOURS = (None, QuietHours(22, 8), QuietHours(23, 7), QuietHours(21, 9), QuietHours(0, 6))
HANDS_PER_HOUR = (0, 20, 60)  # 0: no limit
ZONES = (
    "UTC",
    "Europe/London",
    "Europe/Lisbon",
    "Europe/Madrid",
    "Europe/Paris",
    "Europe/Berlin",
    "Europe/Rome",
    "Europe/Warsaw",
    "Europe/Athens",
    "Europe/Kyiv",
    "Europe/Istanbul",
    "Europe/Moscow",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Toronto",
    "America/Mexico_City",
    "America/Bogota",
    "America/Lima",
    "America/Santiago",
    "America/Sao_Paulo",
    "America/Argentina/Buenos_Aires",
    "Asia/Dubai",
    "Asia/Riyadh",
    "Asia/Tehran",
    "Asia/Yekaterinburg",
    "Asia/Tashkent",
    "Asia/Karachi",
    "Asia/Kolkata",
    "Asia/Dhaka",
    "Asia/Jakarta",
    "Asia/Bangkok",
    "Asia/Singapore",
    "Asia/Shanghai",
    "Asia/Hong_Kong",
    "Asia/Seoul",
    "Asia/Tokyo",
    "Africa/Casablanca",
    "Africa/Lagos",
    "Africa/Johannesburg",
    "Africa/Cairo",
    "Africa/Nairobi",
    "Australia/Perth",
    "Australia/Brisbane",
    "Australia/Sydney",
    "Pacific/Auckland",
    "Pacific/Honolulu",
)
REGIONS = ("Europe", "America", "Asia", "Africa", "Australia", "Pacific")


def zones_of(region: int) -> tuple[int, ...]:
    """The numbers of a region's zones."""
    return tuple(number for number, name in enumerate(ZONES) if name.startswith(f"{REGIONS[region]}/"))


def zone_named(name: str) -> str:
    """A zone's own spelling, such as Europe/Kyiv; empty where there is none of that name."""
    if len(name) > 64 or not all(part and part.isascii() for part in name.split("/")) or "." in name:
        return ""
    for spelling in (name, name.title(), name.upper()):
        try:
            return ZoneInfo(spelling).key
        except (KeyError, ValueError, OSError):
            continue
    return ""


def local(moment: datetime, chat: Chat) -> datetime:
    """The moment by the chat's own clock."""
    return moment.astimezone(zone(chat.time_zone))


def language_number(code: str) -> int:
    """The number of a language in payloads: it follows from the code, so a new catalogue disturbs no other."""
    return zlib.crc32(code.encode()) % LARGEST_AMOUNT + 1 if code else 0


def seal(rules: RuleSet) -> int:
    """A number that stands for exactly this table, so that a key uses the table it was shown with."""
    return zlib.crc32(_compact(as_mapping(rules)).encode()) % LARGEST_AMOUNT


@dataclass(frozen=True, slots=True, kw_only=True)
class Ban:
    """Somebody who may not deal in this chat until then."""

    user_id: int
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Who set something last; 0 is an admin who stays anonymous."""

    what: Setting
    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The choices of a chat's admins; whatever they have not touched is as here."""

    speed: Speed = Speed.NORMAL
    bank: Banker = Banker.PLAYERS
    seasons: bool = False
    daily: bool = False  # the group's one message a day
    quiet: QuietHours | None = None
    hands_per_hour: int = 0  # of one person; 0: no limit
    bans: tuple[Ban, ...] = ()
    changes: tuple[Change, ...] = ()  # the latest last
    draft: RuleSet | None = None  # the group's own table in the making

    def ban_of(self, user_id: int, now: datetime) -> Ban | None:
        """The ban of a person that has not ended."""
        return next((ban for ban in self.bans if ban.user_id == user_id and ban.until > now), None)

    def in_force(self, now: datetime) -> Options:
        """Without the bans that have ended."""
        return replace(self, bans=tuple(ban for ban in self.bans if ban.until > now))

    def changed(self, what: Setting, by: int) -> Options:
        """One more change said by name."""
        others = tuple(change for change in self.changes if change.what is not what)
        return replace(self, changes=(*others, Change(what=what, by=by))[-_CHANGES_KEPT:])

    def without_person(self, user_id: int) -> Options:
        """The same, with no trace of somebody who wants to be forgotten."""
        return replace(
            self,
            bans=tuple(ban for ban in self.bans if ban.user_id != user_id),
            changes=tuple(change for change in self.changes if change.by != user_id),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsPage:
    """Everything that a page of the settings shows."""

    chat: Chat
    person: Person | None  # whoever asked; None for an anonymous admin
    options: Options
    open: int  # the setting whose choices are on show, 0 for all, 100 and up a region of time zones
    names: Mapping[int, str]  # of those whom the page mentions
    now: datetime
    changed: Setting | None = None  # by what was done just now
    note: Exception | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesRoom:
    """Everything that a page of `/rules` shows."""

    chat: Chat
    person: Person | None  # whoever asked; None for an anonymous admin
    options: Options
    page: RulesPage
    table: RuleSet  # on show: the one in use, a preset looked at, or the draft
    part: Part | None  # the step whose choices are on show
    names: Mapping[int, str]
    used: bool = False  # the table on show is in use from now on
    note: Exception | None = None
    from_settings: bool = False  # the message is that of /settings, and Back leads there


def options_of(chat: Chat) -> Options:
    """The chat's options; what is absent, or written by a release that knew more, is as by default."""
    default = Options()
    kept = chat.options
    return Options(
        speed=_read(kept, "speed", Speed, default.speed),
        bank=_read(kept, "bank", Banker, default.bank),
        seasons=_read(kept, "seasons", _flag, default.seasons),
        daily=_read(kept, "daily", _flag, default.daily),
        quiet=_read(kept, "quiet", _quiet, default.quiet),
        hands_per_hour=_read(kept, "hands", int, default.hands_per_hour),
        bans=_read(kept, "bans", _bans, default.bans),
        changes=_read(kept, "changes", _changes, default.changes),
        draft=_read(kept, "draft", _draft, default.draft),
    )


def with_options(chat: Chat, options: Options) -> Chat:
    """The chat with these options; what this release does not know stays as it is."""
    told = {
        "speed": options.speed.value,
        "bank": options.bank.value,
        "seasons": str(int(options.seasons)),
        "daily": str(int(options.daily)),
        "quiet": f"{options.quiet.begin}-{options.quiet.end}" if options.quiet else "",
        "hands": str(options.hands_per_hour),
        "bans": _compact([[ban.user_id, ban.until.isoformat()] for ban in options.bans]) if options.bans else "",
        "changes": _compact([[change.what, change.by] for change in options.changes]) if options.changes else "",
        "draft": _compact(as_mapping(options.draft)) if options.draft else "",
    }
    kept = {name: value for name, value in {**chat.options, **told}.items() if value}
    return replace(chat, options=kept)


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def _read(kept: Mapping[str, str], name: str, read: Callable[[str], T], default: T) -> T:
    told = kept.get(name, "")
    try:
        return read(told) if told else default
    except (ValueError, TypeError, KeyError, RuleError):
        return default


def _flag(told: str) -> bool:
    return told == "1"


def _quiet(told: str) -> QuietHours:
    begin, end = map(int, told.split("-"))
    return QuietHours(begin, end)


def _bans(told: str) -> tuple[Ban, ...]:
    return tuple(Ban(user_id=user_id, until=datetime.fromisoformat(until)) for user_id, until in json.loads(told))


def _changes(told: str) -> tuple[Change, ...]:
    return tuple(Change(what=Setting(what), by=by) for what, by in json.loads(told))


def _draft(told: str) -> RuleSet:
    return merged(json.loads(told))
