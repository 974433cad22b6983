"""Refusals that are not the game's: who may tap what, and when. Facts here, words in the views."""
# ruff: noqa: N818 - a refusal is named by what is wrong, as the views look it up

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from datetime import datetime

from bot.periods import zone
from core import errors
from core.betting import Wager


class Refusal(Exception):
    """Raised when a use case refuses something; nothing was changed."""


@dataclass(eq=False)
class NotYourBoard(Refusal):
    """Raised when somebody taps another person's board."""

    owner: str  # name, raw


@dataclass(eq=False)
class DeadKey(Refusal):
    """Raised when a key belongs to no board, no round or no release that is alive; its keyboard is to go."""


@dataclass(eq=False)
class AlreadyDone(Refusal):
    """Raised when a once-only tap comes again, or comes after its round went on."""


@dataclass(eq=False)
class BetChanged(Refusal):
    """Raised when Deal names another wager than the stored one."""

    wager: Wager


@dataclass(eq=False)
class BettingClosed(Refusal):
    """Raised when a bet tap comes after the deal."""


@dataclass(eq=False)
class HandInPlay(Refusal):
    """Raised when something has to wait for Play or Fold."""


@dataclass(eq=False)
class NoHand(Refusal):
    """Raised when Play, Fold or Hint finds no dealt hand."""


@dataclass(eq=False)
class NotYourDoor(Refusal):
    """Raised when a link into the private chat belongs to somebody else, or to somebody who left the group."""


@dataclass(eq=False)
class NoSuchHand(Refusal):
    """Raised when nobody's hand has that number or seal, or none that the asker may see."""


@dataclass(eq=False)
class NotOpenYet(Refusal):
    """Raised when the proof of a hand is asked for that is not settled."""


@dataclass(eq=False)
class HintByTap(Refusal):
    """Raised when a hint is asked for by a typed word in a group, where everybody would read the answer."""


@dataclass(eq=False)
class NotSeated(Refusal):
    """Raised when there is no night to leave, to deal in, or to show."""


@dataclass(eq=False)
class NotChips(Refusal):
    """Raised when typed words are not whole numbers of chips, or too many."""


@dataclass(eq=False)
class PictureTooSoon(Refusal):
    """Raised when somebody wants pictures faster than they are drawn."""

    seconds: int  # until the next one


@dataclass(eq=False)
class PrivateOnly(Refusal):
    """Raised when a person's own affairs are asked for where others read along."""


@dataclass(eq=False)
class FileTooSoon(Refusal):
    """Raised when somebody wants the file of everything about them again and again."""

    seconds: int  # until the next one


@dataclass(eq=False)
class OnBreak(Refusal):
    """Raised when a person on a break of their own wants to bet."""

    until: datetime


@dataclass(eq=False)
class NotAdmin(Refusal):
    """Raised when somebody who is no admin of the chat changes what its admins choose (F107)."""


@dataclass(eq=False)
class AdminsUnknown(Refusal):
    """Raised when Telegram does not say who is an admin."""


@dataclass(eq=False)
class BlackListed(Refusal):
    """Raised when somebody on a chat's black list wants to deal there."""

    until: datetime  # by the chat's clock


@dataclass(eq=False)
class TooManyHands(Refusal):
    """Raised when a person has played as many hands in the last hour as the chat's admins allow."""

    most: int  # hands an hour
    until: datetime  # by the chat's clock


@dataclass(eq=False)
class BlackListByReply(Refusal):
    """Raised when the black list is asked for without saying whom, or until when."""


@dataclass(eq=False)
class BlackListFull(Refusal):
    """Raised when a chat's black list holds as many people as it can."""

    most: int


@dataclass(eq=False)
class NotAZone(Refusal):
    """Raised when no time zone has that name."""

    name: str


@dataclass(eq=False)
class NoSuchTable(Refusal):
    """Raised when no preset has that name."""


@dataclass(eq=False)
class GroupSetting(Refusal):
    """Raised when a private chat is told what only groups have."""


@dataclass(eq=False)
class TableChanged(Refusal):
    """Raised when a key would use another table than the one that it was shown with."""


@dataclass(eq=False)
class HandVoided(Refusal):
    """Not refused but told: a hand was taken back, since its deal or its pay-outs were broken (P3)."""

    number: int
    chips: int  # chips that came back; negative: winnings that went back


@dataclass(eq=False)
class TableGone(DeadKey):
    """Raised when a key belongs to a group table that has ended."""


@dataclass(eq=False)
class HandOver(Refusal):
    """Raised when a key at a table is about a hand that is over."""


@dataclass(eq=False)
class BankOffered(Refusal):
    """Raised when somebody takes or passes a bank that is offered to another."""

    name: str  # raw


@dataclass(eq=False)
class ChipsAtTable(Refusal):
    """Raised when somebody would leave the night while the group table holds their chips."""


@dataclass(eq=False)
class NoChipsLeft(Refusal):
    """Raised when somebody at a table acts with chips, and has no night under way."""


@dataclass(eq=False)
class EventOver(Refusal):
    """Raised when a contest or a day is over, or has not begun."""


@dataclass(eq=False)
class HintOff(Refusal):
    """Raised when a hint is asked for in a contest or in the daily five."""


@dataclass(eq=False)
class BetFixed(Refusal):
    """Raised when somebody changes a bet that is the same for all."""


@dataclass(eq=False)
class NoCashOut(Refusal):
    """Raised when a night would be left that has a fixed number of hands."""

    hands: int


@dataclass(eq=False)
class ContestRuns(Refusal):
    """Raised when a second contest would begin in a chat."""


@dataclass(eq=False)
class NoContest(Refusal):
    """Raised when no contest runs in a chat, or for a person in private."""


@dataclass(eq=False)
class GroupsOnly(Refusal):
    """Raised when a contest is asked for where nobody could play against anybody."""


@dataclass(eq=False)
class BadWords(Refusal):
    """Raised when a typed contest says something that means nothing here."""


@dataclass(eq=False)
class DayPlayed(Refusal):
    """Raised when somebody has played the day's five: one try for everybody."""


NAMING: tuple[type[NotYourBoard | BankOffered], ...] = (NotYourBoard, BankOffered)
"""Those that hold somebody's name, which is to be nowhere once that person is forgotten (F128)."""


def noted(refusal: Exception) -> str:
    """A refusal as a board keeps it, so that its note line can be painted again."""
    facts = (getattr(refusal, field.name) for field in fields(refusal))  # type: ignore[arg-type]
    return json.dumps([type(refusal).__name__, *map(_kept, facts)])


def _kept(fact: object) -> object:
    if not isinstance(fact, datetime):
        return fact
    return {"at": fact.isoformat(), "zone": getattr(fact.tzinfo, "key", "UTC")}


def _moment(kept: dict[str, str]) -> datetime:
    return datetime.fromisoformat(kept["at"]).astimezone(zone(kept["zone"]))


def from_note(note: str) -> Exception | None:
    """The refusal that a board keeps; None for an empty note or one of another release."""
    if not note:
        return None
    name, *facts = json.loads(note, object_hook=_moment)
    kind = globals().get(name) or getattr(errors, name, None)  # ours first: both rooms know a NotSeated
    try:
        return kind(*facts) if kind else None
    except TypeError:
        return None
