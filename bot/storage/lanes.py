"""Whose turn it is to write into a chat where several processes share the database, and the budget that they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import orjson

from bot.storage.instants import to_ms
from bot.storage.sql import Row, Sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What was spent of a chat's budget; milliseconds since 1970."""

    full: int = 0  # when a call a second would be allowed its whole burst again
    cool: int = 0  # before it nothing goes out: Telegram said so
    calls: tuple[tuple[int, int], ...] = ()  # when and for which board (0: none), oldest first; groups only


# Several chats travel in one statement, as arrays: only PostgreSQL has more than one process, and only it is asked.
_NEW: Final = (
    "INSERT INTO lanes (chat_id, owner, until, full_at, cool, calls) SELECT chat, :me, 0, 0, 0, '[]'"
    " FROM unnest(CAST(:chats AS bigint[])) AS chat WHERE NOT EXISTS (SELECT 1 FROM lanes WHERE chat_id = chat)"
    " ORDER BY chat ON CONFLICT (chat_id) DO NOTHING"  # which alone would wait for whoever changes such a row
)
_TAKE: Final = (  # what somebody is just taking or leaving is not waited for
    "WITH free AS (SELECT chat_id, owner, until FROM lanes WHERE chat_id = ANY(CAST(:chats AS bigint[]))"
    " AND (owner = :me OR until <= :now) FOR UPDATE SKIP LOCKED)"
    " UPDATE lanes SET owner = :me, until = :until FROM free WHERE lanes.chat_id = free.chat_id"
    " RETURNING lanes.chat_id, free.owner AS owner_before, free.until AS until_before, full_at, cool, calls"
)
_LEAVE: Final = (
    "UPDATE lanes SET until = 0, full_at = v.full_at, cool = v.cool, calls = v.calls FROM unnest("
    "CAST(:chats AS bigint[]), CAST(:full AS bigint[]), CAST(:cool AS bigint[]), CAST(:calls AS text[])"
    ") AS v (chat_id, full_at, cool, calls) WHERE lanes.chat_id = v.chat_id AND lanes.owner = :me"
)


class Lanes:
    """Each lane is one chat's; an owner is a number that a process has chosen for its life."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def take(self, me: int, chats: Iterable[int], *, now: datetime, lease: float) -> dict[int, Account]:
        """
        The lanes of these chats that nobody else holds, ours for *lease* seconds; no other can be had now.

        Who let a lease run out is dead, and may have made one more call than stands in the account.
        """
        asked, until = sorted(chats), to_ms(now) + round(1000 * lease)
        found = self._tx.rows(_TAKE, me=me, chats=asked, now=to_ms(now), until=until)
        if len(found) < len(asked) and self._tx.execute(_NEW, me=me, chats=asked):
            found += self._tx.rows(_TAKE, me=me, chats=asked, now=to_ms(now), until=until)
        accounts: dict[int, Account] = {}
        for row in found:  # one that was taken in the first go is ours in the second
            accounts.setdefault(row["chat_id"], _account(row, me, lease))
        return accounts

    def leave(self, me: int, accounts: Mapping[int, Account]) -> None:
        """Let others have these lanes, and know what was spent; a lane that was lost meanwhile is left alone."""
        if accounts:
            each = [*accounts.values()]
            self._tx.execute(
                _LEAVE,
                me=me,
                chats=[*accounts],
                full=[account.full for account in each],
                cool=[account.cool for account in each],
                calls=[orjson.dumps(account.calls).decode() for account in each],
            )

    def forget_before(self, instant: datetime) -> int:
        """Drop the lanes of chats in which nothing was said since; how many they were."""
        sql = "DELETE FROM lanes WHERE until < :instant AND full_at < :instant AND cool < :instant"
        return self._tx.execute(sql, instant=to_ms(instant))


def _account(row: Row, me: int, lease: float) -> Account:
    calls = tuple((at, board) for at, board in orjson.loads(row["calls"]))
    if row["until_before"] and row["owner_before"] != me:
        calls = (*calls, (row["until_before"] - round(1000 * lease), 0))
    return Account(full=row["full_at"], cool=row["cool"], calls=calls)
