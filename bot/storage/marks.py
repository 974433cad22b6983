"""Updates that are done already, for use cases that no version guards."""

from __future__ import annotations

from datetime import datetime

from bot.storage.instants import to_ms
from bot.storage.sql import Sql


class Marks:
    """By Telegram's update id, kept for longer than an update is offered again: one day (Bot API)."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def first(self, update_id: int, *, now: datetime) -> bool:
        """True for the first time this update is worked on, False for every later one."""
        return bool(
            self._tx.execute(
                "INSERT INTO marks (update_id, at) VALUES (:id, :now) ON CONFLICT (update_id) DO NOTHING",
                id=update_id,
                now=to_ms(now),
            )
        )

    def forget_before(self, instant: datetime, most: int) -> int:
        """Drop the oldest marks of those before *instant*; how many they were."""
        return self._tx.execute(
            "DELETE FROM marks WHERE update_id IN"
            " (SELECT update_id FROM marks WHERE at < :instant ORDER BY at LIMIT :most)",
            instant=to_ms(instant),
            most=most,
        )
