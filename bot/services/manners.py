"""A chat's manners: who is let in, who may deal there, and who said what to its settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from bot.facts import Chat, Person, Seat, Who
from bot.options import Change, Options, Setting, local, options_of, with_options
from bot.refusals import BlackListed, DeadKey, TooManyHands
from bot.storage import Tx

_HOUR = timedelta(hours=1)


def may_deal(tx: Tx, seat: Seat, *, now: datetime) -> Chat:
    """
    The chat of a seat, if its admins let the person deal there now.

    :raises BlackListed: Until the end that an admin has set.
    :raises TooManyHands: If the hands of the last hour are used up.
    """
    chat = tx.chats.get(seat.chat_id)
    if chat is None:
        raise DeadKey
    if not chat.options:
        return chat
    options = options_of(chat)
    let_in(chat, seat.user_id, now)
    if options.hands_per_hour:
        settled = tx.rounds.settled_before(seat.id, options.hands_per_hour)
        if settled is not None and settled + _HOUR > now:
            raise TooManyHands(options.hands_per_hour, local(settled + _HOUR, chat))
    return chat


def let_in(chat: Chat, user_id: int, now: datetime) -> None:
    """:raises BlackListed: If the admins of a chat keep somebody from dealing there."""
    if (ban := options_of(chat).ban_of(user_id, now)) is not None:
        raise BlackListed(local(ban.until, chat))


def enter(tx: Tx, who: Who, *, now: datetime) -> tuple[Person | None, Chat]:
    """The chat and whoever speaks there; an anonymous admin is nobody (F03)."""
    chat = tx.chats.seen(who.chat_id, kind=who.chat_kind, title=who.chat_title, now=now)
    if who.as_chat:
        return None, chat
    return tx.people.seen(who.user_id, name=who.name, app_language=who.app_language, now=now), chat


def no_board(tx: Tx, who: Who) -> None:
    """
    A page is turned in its own message, never in a board, a table or an event, whatever payload was made by hand.

    :raises DeadKey: If one of them stands in the message that was tapped.
    """
    if who.message_id is not None and tx.messages.lives(who.chat_id, who.message_id):
        raise DeadKey


def keep(tx: Tx, chat: Chat, options: Options, what: Setting, who: Who, *, hidden: bool, now: datetime) -> Chat:
    """Store the chat with its options and one more change said by name."""
    by = 0 if hidden or who.as_chat else who.user_id
    kept = with_options(chat, options.in_force(now).changed(what, by))
    tx.chats.put(kept)
    return kept


def names(tx: Tx, chat: Chat, *, now: datetime) -> Mapping[int, str]:
    """The names of those whom the chat's settings mention, as last seen."""
    options = options_of(chat).in_force(now)
    mentioned = {*_setters(options.changes), *(ban.user_id for ban in options.bans)}
    people = {user_id: tx.people.get(user_id) for user_id in mentioned}
    return {user_id: person.name if person else "" for user_id, person in people.items()}


def _setters(changes: Iterable[Change]) -> set[int]:
    return {change.by for change in changes if change.by}
