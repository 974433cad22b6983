"""What groups are told by the clock, each thing once: waiting, begun, sent."""

from __future__ import annotations

from datetime import datetime

from bot.events import Standings
from bot.services.contest_course import POSTS
from bot.services.standings import standings
from bot.storage import Post, Tx


def waiting(tx: Tx, chat_id: int) -> list[Post]:
    """What a chat is still to be told, oldest first."""
    return tx.posts.waiting(chat_id)


def begin(tx: Tx, key: str) -> bool:
    """True for the one who may send it: whether it arrives is not known then, so nobody begins a second time."""
    return tx.posts.begin(key)


def put_back(tx: Tx, key: str) -> None:
    """Telegram certainly did not take it: it waits again."""
    tx.posts.put_back(key)


def sent(tx: Tx, key: str, message_id: int) -> None:
    """It stands in this message."""
    tx.posts.sent(key, message_id)


def again(tx: Tx, chat_id: int, due: datetime) -> None:
    """What is certainly not sent is tried again, as long as the chat can be written to."""
    chat = tx.chats.get(chat_id)
    if chat is not None and chat.active and tx.posts.waiting(chat_id):
        tx.timers.plan(POSTS, chat.id, due)


def contest(tx: Tx, event_id: int) -> Standings | None:
    """What the post about a contest's end tells; None if there is nothing to tell any more."""
    event = tx.events.get(event_id)
    return standings(tx, event) if event is not None else None
