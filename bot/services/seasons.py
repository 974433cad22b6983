"""Seasons: a month of a chat by its own clock; at its end one post with the champion and the five (F110, F114)."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

from bot.events import Crown, SeasonEnd
from bot.facts import Chat
from bot.options import local, options_of
from bot.periods import Period, began, ends
from bot.services import events
from bot.services.contest_course import POSTS
from bot.storage import Tx

SEASON = "season"  # timer: a month's end; its subject is the chat
CROWNS = 24  # in the hall of champions
_WITHIN = timedelta(days=3)  # before its end by one clock, a month is under way by every clock
_MOMENT = timedelta(milliseconds=1)


def arrange(tx: Tx, chat: Chat, *, now: datetime) -> None:
    """
    The timer of a chat's month follows from its choices: set, moved by another time zone, or dropped.

    It stays the month that is still to be told, also if it is over by the new clock, or was so by the old one.
    """
    waiting = tx.timers.due(SEASON, chat.id)
    due = ends(Period.MONTH, chat.time_zone, now if waiting is None else waiting - _WITHIN)
    if options_of(chat).seasons and due is not None and not chat.private:
        tx.timers.set(SEASON, chat.id, due)
    else:
        tx.timers.drop(SEASON, chat.id)


def arrange_all(tx: Tx, *, now: datetime) -> None:
    """Chats that chose seasons and have no timer yet get one; what is due already stays so."""
    for chat in tx.chats.choosing("seasons", "1"):
        if tx.timers.due(SEASON, chat.id) is None:
            arrange(tx, chat, now=now)


def end(tx: Tx, chat_id: int, due: datetime, *, now: datetime) -> None:
    """
    The month that ended at *due* is told once; a night belongs to the month in which it ended.

    After a downtime of months each of them is ended in order. A month without a night is passed over in silence; one
    that has its champion by another clock has no second one.
    """
    chat = tx.chats.get(chat_id)
    if chat is None or not options_of(chat).seasons:
        tx.timers.drop(SEASON, chat_id)
        return
    month = month_of(chat, due - _MOMENT)
    since = began(Period.MONTH, chat.time_zone, due - _MOMENT)
    top = tx.scores.top(chat.id, since=since, until=due)
    crowned = tx.seasons.crowned(chat.id, month)
    for score in top:
        if score.rank == 1 and not crowned:
            tx.seasons.crown(chat.id, month, score.user_id, chips=score.chips, reached=score.reached)
    following = ends(Period.MONTH, chat.time_zone, due)
    if following is not None:
        tx.timers.set(SEASON, chat.id, following)
    if top and chat.active:
        body = json.dumps({"season": month, "since": since.isoformat() if since else "", "until": due.isoformat()})
        if tx.posts.add(f"season:{chat.id}:{month}", chat.id, None, body, now):
            tx.timers.plan(POSTS, chat.id, events.after_quiet(chat, now))


def month_of(chat: Chat, moment: datetime) -> str:
    """The month of a moment by the chat's clock, as 2026-11."""
    return f"{local(moment, chat):%Y-%m}"


def told(tx: Tx, chat_id: int, month: str, since: datetime | None, until: datetime) -> SeasonEnd | None:
    """What the post about a month tells."""
    chat = tx.chats.get(chat_id)
    if chat is None:
        return None
    return SeasonEnd(chat=chat, month=month, top=tuple(tx.scores.top(chat.id, since=since, until=until)))


def hall(tx: Tx, chat_id: int) -> tuple[Crown, ...]:
    """The champions of a chat, the latest month first."""
    found = tx.seasons.champions(chat_id, limit=CROWNS)
    return tuple(Crown(month=each.month, user_id=each.user_id, name=each.name, chips=each.chips) for each in found)
