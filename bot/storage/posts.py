"""One-off messages, each with a unique key, so that a contest's end is told once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.storage.instants import to_ms
from bot.storage.sql import Row, Sql

_BEGUN = 2**62  # later than every lease


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    key: str  # unique for ever
    chat_id: int
    thread_id: int | None
    body: str  # what the view needs, as the service wrote it


class Posts:
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
        """What a chat is still to be told and nobody has begun to tell; oldest first."""
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

    def unsent(self, limit: int) -> list[Post]:
        """What is still to be sent, whoever claimed it; oldest first."""
        rows = self._tx.rows(
            "SELECT key, chat_id, thread_id, body FROM posts WHERE message_id IS NULL ORDER BY at, key LIMIT :limit",
            limit=limit,
        )
        return [*map(_post, rows)]

    def claim(self, now: datetime, lease_seconds: float, limit: int) -> list[Post]:
        """Posts to send, ours until the lease ends; oldest first."""
        rows = self._tx.rows(
            "UPDATE posts SET leased = :until WHERE key IN"
            " (SELECT key FROM posts WHERE message_id IS NULL AND leased <= :now ORDER BY at, key LIMIT :limit)"
            " AND leased <= :now RETURNING key, chat_id, thread_id, body, at",
            now=to_ms(now),
            until=to_ms(now + timedelta(seconds=lease_seconds)),
            limit=limit,
        )
        return [_post(row) for row in sorted(rows, key=lambda row: (row["at"], row["key"]))]

    def sent(self, key: str, message_id: int) -> None:
        self._tx.execute("UPDATE posts SET message_id = :message WHERE key = :key", key=key, message=message_id)

    def place(self, key: str) -> tuple[int, int] | None:
        """Chat and message of a post that was sent."""
        row = self._tx.row("SELECT chat_id, message_id FROM posts WHERE key = :key AND message_id IS NOT NULL", key=key)
        return (row["chat_id"], row["message_id"]) if row is not None else None


def _post(row: Row) -> Post:
    return Post(key=row["key"], chat_id=row["chat_id"], thread_id=row["thread_id"], body=row["body"])
