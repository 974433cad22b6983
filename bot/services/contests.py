"""Records of a chat: the top five nights."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.events import Crown
from bot.facts import Chat, Person, Score, Who
from bot.periods import Period, began, ends
from bot.services.seasons import hall
from bot.storage import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class TopFive:
    """A chat's best nights in one period."""

    ends: datetime | None  # when the period ends
    zone: str  # the chat's time zone, by name
    scores: tuple[Score, ...]
    own: Score | None  # the asker's place
    chat: Chat | None
    person: Person | None
    crowned: bool = False  # the chat has champions
    nights: tuple[tuple[int, datetime], ...] = ()  # in a private chat: one's own best, chips and when


def top(tx: Tx, who: Who, period: Period, *, asker: int, now: datetime) -> TopFive:
    """
    `/top`: the five best nights of the chat in a period, in a private chat one's own; changes nothing.

    *asker* is the person whose place stands below the five, by number: whoever asked for the message.
    """
    chat = tx.chats.get(who.chat_id)
    zone = chat.time_zone if chat else "UTC"
    since = began(period, zone, now)
    private = who.chat_id == who.user_id
    return TopFive(
        ends=ends(period, zone, now),
        zone=zone,
        scores=() if private else tuple(tx.scores.top(who.chat_id, since=since)),
        own=None if private else tx.scores.place(who.chat_id, asker, since=since),
        chat=chat,
        person=tx.people.get(who.user_id),
        crowned=not private and bool(hall(tx, who.chat_id)),
        nights=tuple(tx.nights.best(who.chat_id, who.user_id, since=since)) if private else (),
    )


def champions(tx: Tx, who: Who) -> tuple[Crown, ...]:
    """The hall of champions of this chat."""
    return hall(tx, who.chat_id)


def my_place(tx: Tx, who: Who, period: Period, *, now: datetime) -> Score | None:
    """Where the tapper stands in this chat; None without a night that counts."""
    chat = tx.chats.get(who.chat_id)
    return tx.scores.place(who.chat_id, who.user_id, since=began(period, chat.time_zone if chat else "UTC", now))
