"""Champions of the months, chat by chat, and which chats count seasons."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.storage.instants import from_ms, to_ms
from bot.storage.sql import Sql, one


@dataclass(frozen=True, slots=True, kw_only=True)
class Champion:
    """The best night of a month; who shares it is one as well."""

    month: str  # as 2026-11, by the chat's clock
    user_id: int
    name: str  # as last seen
    chips: int
    reached: datetime


class Seasons:
    """A month is as 2026-11, by the chat's clock of then."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def crown(self, chat_id: int, month: str, user_id: int, *, chips: int, reached: datetime) -> bool:
        """True the first time."""
        return bool(
            self._tx.execute(
                "INSERT INTO champions (chat_id, month, user_id, chips, reached)"
                " VALUES (:chat, :month, :user, :chips, :reached) ON CONFLICT DO NOTHING",
                chat=chat_id,
                month=month,
                user=user_id,
                chips=chips,
                reached=to_ms(reached),
            )
        )

    def crowned(self, chat_id: int, month: str) -> bool:
        """Whether a month has its champion."""
        return self._tx.row("SELECT 1 AS n FROM champions WHERE chat_id = :chat AND month = :month LIMIT 1",
                            chat=chat_id, month=month) is not None  # fmt: skip

    def champions(self, chat_id: int, *, limit: int) -> list[Champion]:
        """The latest months first; of equal ones the earlier."""
        rows = self._tx.rows(
            "SELECT c.month, c.user_id, COALESCE(p.name, '') AS name, c.chips, c.reached FROM champions c"
            " LEFT JOIN people p ON p.id = c.user_id WHERE c.chat_id = :chat"
            " ORDER BY c.month DESC, c.reached, c.user_id LIMIT :limit",
            chat=chat_id,
            limit=limit,
        )
        return [
            Champion(
                month=row["month"],
                user_id=row["user_id"],
                name=row["name"],
                chips=row["chips"],
                reached=from_ms(row["reached"]),
            )
            for row in rows
        ]

    def titles(self, user_id: int) -> int:
        """How many months a person was champion of some chat."""
        row = self._tx.row("SELECT COUNT(*) AS titles FROM champions WHERE user_id = :user", user=user_id)
        return int(one(row)["titles"])
