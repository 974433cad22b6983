"""One-off messages, each with a unique key, so that a contest's end is told once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.storage.instants import to_ms
from bot.storage.sql import Row, Sql

_BEGUN = 2**62  # stands in `leased` once somebody may have sent it; nought before


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message that is to be sent once."""

    key: str  # unique for ever
    chat_id: int
    thread_id: int | None
    body: str  # what the view needs, as the service wrote it


class Posts:
    """
    They are kept when they are sent: the key of one that was dropped could be told again.

    There is one at most for each seat, night, month of a chat, and contest, and all of those are kept for ever, too.
    """

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def add(self, key: str, chat_id: int, thread_id: int | None, body: str, now: datetime) -> bool:
        """True if the post is new, False if one with this key was added before, sent or not."""
        return bool(
            self._tx.execute(
                "INSERT INTO posts (key, chat_id, thread_id, body, at, leased)"
                " VALUES (:key, :chat, :thread, :body, :now, 0) ON CONFLICT (key) DO NOTHING",
                key=key,
                chat=chat_id,
                thread=thread_id,
                body=body,
                now=to_ms(now),
            )
        )

    def waiting(self, chat_id: int) -> list[Post]:
        """What a chat is still to be told and nobody has begun to tell; oldest first. No body: somebody else tells."""
        rows = self._tx.rows(
            "SELECT key, chat_id, thread_id, body FROM posts WHERE chat_id = :chat AND message_id IS NULL"
            " AND leased < :begun AND body <> '' ORDER BY at, key",
            chat=chat_id,
            begun=_BEGUN,
        )
        return [*map(_post, rows)]

    def begin(self, key: str) -> bool:
        """
        True for the one who may send it, at once: whether it arrives is not known before Telegram answers, and what
        may have arrived is not sent again.
        """
        return bool(
            self._tx.execute(
                "UPDATE posts SET leased = :begun WHERE key = :key AND message_id IS NULL AND leased < :begun",
                key=key,
                begun=_BEGUN,
            )
        )

    def put_back(self, key: str) -> None:
        """It was not sent, for certain."""
        self._tx.execute("UPDATE posts SET leased = 0 WHERE key = :key AND message_id IS NULL", key=key)

    def sent(self, key: str, message_id: int) -> None:
        """It stands in this message of its chat."""
        self._tx.execute("UPDATE posts SET message_id = :message WHERE key = :key", key=key, message=message_id)

    def place(self, key: str) -> tuple[int, int] | None:
        """Chat and message of a post that was sent."""
        row = self._tx.row("SELECT chat_id, message_id FROM posts WHERE key = :key AND message_id IS NOT NULL", key=key)
        return (row["chat_id"], row["message_id"]) if row is not None else None


def _post(row: Row) -> Post:
    return Post(key=row["key"], chat_id=row["chat_id"], thread_id=row["thread_id"], body=row["body"])
