"""What has to happen at an instant, whether or not anybody taps: rows, claimed with a lease."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.storage.instants import from_ms, to_ms
from bot.storage.sql import Row, Sql

REPAINT = "repaint"  # has a board painted by whoever runs the bot


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """One thing that is to happen at an instant."""

    id: int
    kind: str  # which use case it calls
    subject: int  # what it is about: a round, a contest, a day
    due: datetime
    leased: datetime | None = None  # until then it belongs to whoever claimed it


class Timers:
    """Whatever looks for them may die: a claim ends with its lease."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def set(self, kind: str, subject: int, due: datetime) -> None:
        """One timer per kind and subject: a later call moves it, and takes it away from whoever claimed it."""
        self._tx.execute(
            "INSERT INTO timers (kind, subject, due, leased) VALUES (:kind, :subject, :due, 0)"
            " ON CONFLICT (kind, subject) DO UPDATE SET due = excluded.due, leased = 0",
            kind=kind,
            subject=subject,
            due=to_ms(due),
        )

    def plan(self, kind: str, subject: int, due: datetime) -> None:
        """As set(), but one that waits already stays as it is; one that somebody works on comes again."""
        self._tx.execute(
            "INSERT INTO timers (kind, subject, due, leased) VALUES (:kind, :subject, :due, 0)"
            " ON CONFLICT (kind, subject) DO UPDATE SET due = excluded.due, leased = 0 WHERE timers.leased > 0",
            kind=kind,
            subject=subject,
            due=to_ms(due),
        )

    def due(self, kind: str, subject: int) -> datetime | None:
        """When a timer falls due; None if there is none."""
        row = self._tx.row(
            "SELECT due FROM timers WHERE kind = :kind AND subject = :subject", kind=kind, subject=subject
        )
        return None if row is None else from_ms(row["due"])

    def drop(self, kind: str, subject: int) -> None:
        """It is not to happen any more."""
        self._tx.execute("DELETE FROM timers WHERE kind = :kind AND subject = :subject", kind=kind, subject=subject)

    def claim(self, now: datetime, lease_seconds: float, limit: int) -> list[Timer]:
        """
        The timers that are due and nobody's, from now on ours until the lease ends; the longest overdue first.

        One that is neither done nor set anew by then can be claimed again.
        """
        rows = self._tx.rows(
            "UPDATE timers SET leased = :until WHERE id IN"
            " (SELECT id FROM timers WHERE due <= :now AND leased <= :now ORDER BY due, id LIMIT :limit)"
            " AND leased <= :now RETURNING id, kind, subject, due, leased",
            now=to_ms(now),
            until=to_ms(now + timedelta(seconds=lease_seconds)),
            limit=limit,
        )
        return sorted(map(_timer, rows), key=lambda timer: (timer.due, timer.id))

    def done(self, timer: Timer) -> bool:
        """Drop a claimed timer; False if it was set anew, or claimed by somebody else after the lease."""
        return bool(
            self._tx.execute(
                "DELETE FROM timers WHERE id = :id AND due = :due AND leased = :leased",
                id=timer.id,
                due=to_ms(timer.due),
                leased=0 if timer.leased is None else to_ms(timer.leased),
            )
        )


def _timer(row: Row) -> Timer:
    return Timer(
        id=row["id"],
        kind=row["kind"],
        subject=row["subject"],
        due=from_ms(row["due"]),
        leased=from_ms(row["leased"]) if row["leased"] else None,
    )
