"""Nights: one sitting at a seat, from buy-in to cash-out or broke."""
# ruff: noqa: S608 - what is built in are this module's own column lists, never a value

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.facts import Ending, Night, Round, Seat
from bot.storage.instants import from_ms, from_ms_or_none, to_ms
from bot.storage.sql import Row, Sql, one
from core.rules import RuleSet

_COLUMNS = "id, seat_id, rules_id, opened, buy_in, hands, closed, chips, ending"


class Nights:
    """What a night came to never changes, unless an operator takes a hand of it back."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def open(self, seat: Seat, *, rules: RuleSet, buy_in: int, now: datetime) -> Night:
        """A new night; the database refuses a second open one at the same seat."""
        row = self._tx.row(
            "INSERT INTO nights (seat_id, chat_id, user_id, rules_id, opened, buy_in, hands)"
            f" VALUES (:seat, :chat, :user, :rules, :now, :buy_in, 0) RETURNING {_COLUMNS}",
            seat=seat.id,
            chat=seat.chat_id,
            user=seat.user_id,
            rules=self._tx.rule_sets.put(rules),
            now=to_ms(now),
            buy_in=buy_in,
        )
        return self._night(one(row))

    def get(self, night_id: int) -> Night | None:
        """A night by its id, under way or over."""
        row = self._tx.row(f"SELECT {_COLUMNS} FROM nights WHERE id = :id", id=night_id)
        return None if row is None else self._night(row)

    def of(self, seat_id: int) -> list[Night]:
        """All nights of a seat in order."""
        rows = self._tx.rows(f"SELECT {_COLUMNS} FROM nights WHERE seat_id = :seat ORDER BY id", seat=seat_id)
        return [*map(self._night, rows)]

    def best(self, chat_id: int, user_id: int, *, since: datetime | None, limit: int = 5) -> list[tuple[int, datetime]]:
        """One person's own best nights there that count: final chips and when each ended, best first."""
        rows = self._tx.rows(
            "SELECT score, closed FROM nights WHERE chat_id = :chat AND user_id = :user AND score IS NOT NULL"
            " AND closed >= :since ORDER BY score DESC, closed, id LIMIT :limit",
            chat=chat_id,
            user=user_id,
            since=0 if since is None else to_ms(since),
            limit=limit,
        )
        return [(row["score"], from_ms(row["closed"])) for row in rows]

    def count_hand(self, night: Night) -> Night:
        """One more settled hand."""
        self._tx.execute("UPDATE nights SET hands = hands + 1 WHERE id = :id", id=night.id)
        return replace(night, hands=night.hands + 1)

    def close(self, night: Night, *, chips: int, ending: Ending | None, now: datetime) -> Night:
        """
        The night with its final chips, its score if it counts; one that is closed already stays as it is.

        Without an ending it was broken off, and never counts.
        """
        ended = self._tx.execute(
            "UPDATE nights SET closed = :now, chips = :chips, ending = :ending,"
            " score = CASE WHEN hands >= 1 AND :ending = 'cashed' THEN CAST(:chips AS BIGINT) END"
            " WHERE id = :id AND closed IS NULL",
            id=night.id,
            now=to_ms(now),
            chips=chips,
            ending=None if ending is None else ending.value,
        )
        if ended:
            self._tx.bests.ended(night.id, now=now)
        return self._night(one(self._tx.row(f"SELECT {_COLUMNS} FROM nights WHERE id = :id", id=night.id)))

    def rounds(self, night_id: int) -> list[Round]:
        """The settled rounds of a night in order."""
        return self._tx.rounds.settled_of(night_id)

    def nets(self, night_id: int, *, last: int) -> tuple[int, ...]:
        """What the last hands of a night won or lost, alone and at a table, in chips and in order."""
        rows = self._tx.rows(
            "SELECT net FROM (SELECT * FROM (SELECT net, settled, id FROM rounds WHERE night_id = :night"
            " AND phase = 'settled' ORDER BY id DESC LIMIT :last) AS alone"
            " UNION ALL SELECT * FROM (SELECT net, settled, round_id AS id FROM table_hands WHERE night_id = :night"
            " ORDER BY round_id DESC LIMIT :last) AS together) AS hands ORDER BY settled DESC, id DESC LIMIT :last",
            night=night_id,
            last=last,
        )
        return tuple(row["net"] for row in reversed(rows))

    def _night(self, row: Row) -> Night:
        ending = row["ending"]
        return Night(
            id=row["id"],
            seat_id=row["seat_id"],
            rules=self._tx.rule_sets.get(row["rules_id"]),
            opened=from_ms(row["opened"]),
            buy_in=row["buy_in"],
            hands=row["hands"],
            closed=from_ms_or_none(row["closed"]),
            chips=row["chips"],
            ending=None if ending is None else Ending(ending),
        )
