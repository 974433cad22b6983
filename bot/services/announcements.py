"""What groups are told by the clock, each thing once: waiting, begun, sent."""

from __future__ import annotations

from datetime import datetime

from bot.events import Standings
from bot.services.contest_course import POSTS
from bot.services.standings import standings
from bot.storage import Post, Tx


def waiting(tx: Tx, chat_id: int) -> list[Post]:
    return tx.posts.waiting(chat_id)


def begin(tx: Tx, key: str) -> bool:
    return tx.posts.begin(key)


def put_back(tx: Tx, key: str) -> None:
    tx.posts.put_back(key)


def sent(tx: Tx, key: str, message_id: int) -> None:
    tx.posts.sent(key, message_id)


def again(tx: Tx, chat_id: int, due: datetime) -> None:
    """What is certainly not sent is tried again, as long as the chat can be written to."""
    chat = tx.chats.get(chat_id)
    if chat is not None and chat.active and tx.posts.waiting(chat_id):
        tx.timers.plan(POSTS, chat.id, due)


def contest(tx: Tx, event_id: int) -> Standings | None:
    event = tx.events.get(event_id)
    return standings(tx, event) if event is not None else None
