"""A person's own affairs: who they are here, and what language and design they read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from bot.facts import Chat, Person, Who
from bot.storage import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who reads an answer, and where; none if never seen before."""

    person: Person | None
    chat: Chat | None


def reader(tx: Tx, who: Who) -> Reader:
    """The person and the chat as stored; nothing is written for a mere look."""
    return Reader(person=tx.people.get(who.user_id), chat=tx.chats.get(who.chat_id))


def started(tx: Tx, who: Who, *, now: datetime) -> None:
    """The person opened the private chat: it may be written to from now on."""
    person = tx.people.seen(who.user_id, name=who.name, app_language=who.app_language, now=now)
    if not person.private:
        tx.people.put(replace(person, private=True))


def blocked(tx: Tx, who: Who) -> None:
    """The person blocked the bot; a hand in play waits."""
    person = tx.people.get(who.user_id)
    if person is not None and person.private:
        tx.people.put(replace(person, private=False))


def bot_added(tx: Tx, who: Who, *, present: bool, language: str, now: datetime) -> bool:
    """
    The bot came into a group or left it; whether a welcome is due (once per join, F66).

    Boards there speak the language of whoever added it, until an admin chooses another (F59).
    """
    known = tx.chats.get(who.chat_id)
    chat = tx.chats.seen(who.chat_id, kind=who.chat_kind, title=who.chat_title, now=now)
    spoken = chat.language or (language if present else "")
    if (chat.active, chat.language) != (present, spoken):
        tx.chats.put(replace(chat, active=present, language=spoken))
    return present and (known is None or not known.active)


def lost(tx: Tx, chat_id: int) -> None:
    """The chat cannot be written to: the bot was removed, blocked or muted there; everything waits for its return."""
    chat = tx.chats.get(chat_id)
    if chat is not None and chat.active:
        tx.chats.put(replace(chat, active=False))
    person = tx.people.get(chat_id)
    if person is not None and person.private:
        tx.people.put(replace(person, private=False))


def absent(tx: Tx, chat_id: int, user_id: int, *, away: bool, now: datetime) -> None:
    """Somebody left a group, or came back to the old scores (F109)."""
    chat = tx.chats.get(chat_id)
    tx.seats.absent(chat.id if chat else chat_id, user_id, since=now if away else None)


def moved(tx: Tx, old: int, new: int, *, now: datetime) -> None:
    """A group became a supergroup: everything keyed by the chat moves, once (F01)."""
    tx.chats.migrate(old, new, now=now)
