"""
Everybody's best night of a chat since an instant, kept: a list of thousands of people is read from its first rows.

Rows are there for all of a chat's nights since that instant, or for none: what makes them stale takes all of them
away, and the next night that ends brings them back. Who finds none reads the nights.
"""
# ruff: noqa: S608 - what is built in are this module's own words, never a value

from __future__ import annotations

from datetime import datetime

from bot.facts import EVENT_PLACES
from bot.periods import Period, began
from bot.storage.instants import EPOCH, to_ms
from bot.storage.sql import Row, Sql, one

_COLUMNS = "chat_id, since, user_id, score, closed, night_id"
LATEST = 2**62  # later than every instant that a datetime can hold
# The words of the partial indexes, so that both databases use them.
COUNTS = "n.chat_id = :chat AND n.score IS NOT NULL AND n.closed >= :since AND n.closed < :until"
# The same, one person at a time: the sign keeps both databases from looking for the period first.
OWN = "n.chat_id = :chat AND n.score IS NOT NULL AND +n.closed >= :since AND +n.closed < :until"
ORDER = "ORDER BY n.score DESC, n.closed, n.id"
GONE = "SELECT g.user_id FROM seats g WHERE g.chat_id = :chat AND g.gone IS NOT NULL"
_THERE = "b.chat_id = :chat AND b.since = :since"
_BETTER = """
    ON CONFLICT (chat_id, since, user_id) DO UPDATE
    SET score = excluded.score, closed = excluded.closed, night_id = excluded.night_id
    WHERE excluded.score > bests.score OR (excluded.score = bests.score
    AND (excluded.closed, excluded.night_id) < (bests.closed, bests.night_id))
"""


class Bests:
    """By chat and by the first millisecond of a week, a month or all time (0), in the chat's own time zone."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def ended(self, night_id: int, *, now: datetime) -> None:
        """A night ended at this moment: with a score it counts in its chat's week, month and of all time."""
        night = self._tx.row("SELECT chat_id, user_id, score, closed, id FROM nights WHERE id = :id", id=night_id)
        if night is None or night["score"] is None or not EVENT_PLACES < night["chat_id"] < 0:
            return  # nobody is ranked in private, and events count for themselves
        chat = self._tx.row("SELECT time_zone FROM chats WHERE id = :id", id=night["chat_id"])
        zone = chat["time_zone"] if chat is not None else "UTC"
        spans = {to_ms(began(period, zone, now) or EPOCH) for period in Period}
        for since in sorted(spans):
            if self.kept(night["chat_id"], since):
                self._count(night, since)
            else:
                self._build(night["chat_id"], since, spans)

    def _count(self, night: Row, since: int) -> None:
        self._tx.execute(
            f"INSERT INTO bests ({_COLUMNS}) VALUES (:chat, :since, :user, :score, :closed, :night) {_BETTER}",
            chat=night["chat_id"],
            since=since,
            user=night["user_id"],
            score=night["score"],
            closed=night["closed"],
            night=night["id"],
        )

    def _build(self, chat_id: int, since: int, spans: set[int]) -> None:
        """The rows of a span that has none, from the nights; spans that are over go."""
        for row in self._tx.rows("SELECT DISTINCT since FROM bests WHERE chat_id = :chat", chat=chat_id):
            if row["since"] not in spans:
                self._tx.execute(
                    "DELETE FROM bests WHERE chat_id = :chat AND since = :since", chat=chat_id, since=row["since"]
                )
        self._tx.execute(
            f"INSERT INTO bests ({_COLUMNS})"
            " SELECT n.chat_id, CAST(:since AS BIGINT), n.user_id, n.score, n.closed, n.id"
            f" FROM (SELECT (SELECT n.id FROM nights n WHERE {OWN} AND n.user_id = u.user_id {ORDER} LIMIT 1) AS id"
            f" FROM (SELECT DISTINCT n.user_id FROM nights n WHERE {COUNTS}) AS u) AS own"
            f" JOIN nights n ON n.id = own.id WHERE n.chat_id = :chat ORDER BY n.user_id {_BETTER}",
            chat=chat_id,
            since=since,
            until=LATEST,
        )

    def kept(self, chat_id: int, since: int) -> bool:
        """Whether the rows of a span, by its first millisecond, are there."""
        row = self._tx.row(f"SELECT 1 AS n FROM bests b WHERE {_THERE} LIMIT 1", chat=chat_id, since=since)
        return row is not None

    def top(self, chat_id: int, since: int, *, limit: int) -> list[tuple[int, int, int]]:
        """Person, chips and end of the best of a span, without people who left."""
        rows = self._tx.rows(
            f"SELECT b.user_id, b.score, b.closed FROM bests b WHERE {_THERE} AND b.user_id NOT IN ({GONE})"
            " ORDER BY b.score DESC, b.closed, b.night_id LIMIT :limit",
            chat=chat_id,
            since=since,
            limit=limit,
        )
        return [(row["user_id"], row["score"], row["closed"]) for row in rows]

    def own(self, chat_id: int, since: int, user_id: int) -> tuple[int, int] | None:
        """Chips and end of one person's best, unless this person left."""
        row = self._tx.row(
            f"SELECT b.score, b.closed FROM bests b WHERE {_THERE} AND b.user_id = :user AND b.user_id NOT IN ({GONE})",
            chat=chat_id,
            since=since,
            user=user_id,
        )
        return None if row is None else (row["score"], row["closed"])

    def better(self, chat_id: int, since: int, score: int) -> int:
        """How many people of a span have more chips, without people who left."""
        period = {"chat": chat_id, "since": since, "score": score}
        everybody = self._tx.row(
            f"SELECT COUNT(*) AS people FROM bests b WHERE {_THERE} AND b.score > :score", **period
        )
        away = self._tx.row(
            f"SELECT COUNT(*) AS people FROM ({GONE}) AS g WHERE"
            f" (SELECT b.score FROM bests b WHERE {_THERE} AND b.user_id = g.user_id) > :score",
            **period,
        )
        return int(one(everybody)["people"]) - int(one(away)["people"])

    def drop(self, chat_id: int) -> None:
        """Other nights are the chat's: the rows come back with the next one that ends."""
        self._tx.execute("DELETE FROM bests WHERE chat_id = :chat", chat=chat_id)

    def drop_periods(self, chat_id: int) -> None:
        """By another clock weeks and months begin elsewhere."""
        self._tx.execute("DELETE FROM bests WHERE chat_id = :chat AND since <> 0", chat=chat_id)
