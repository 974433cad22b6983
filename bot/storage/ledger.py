"""The books: double entry, append-only. Every movement sums to zero; a seat's chips are a cached sum of its lines."""
# ruff: noqa: S608 - what is built in are numbered placeholders, never a value

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.storage.errors import Overdrawn
from bot.storage.instants import to_ms
from bot.storage.sql import Sql, one


class AccountKind(StrEnum):
    """What chips can be held by (DESIGN section 3)."""

    MINT = "mint"  # where chips come from; its balance is never above nought
    SEAT = "seat"  # free chips of a seat, by seat id
    ROUND = "round"  # chips held by a round, by round id
    HOUSE = "house"  # there is one
    BANK = "bank"  # a table's bank, by the id of the hand
    SCORE = "score"  # a night's final chips, by night id


_SEAT: Final = AccountKind.SEAT  # bound once: in Python 3.11 looking up a member of an enum is slow


@dataclass(frozen=True, slots=True)
class Account:
    """One account of the books."""

    kind: AccountKind
    ref: int = 0  # whose it is; 0 where there is only one


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a movement: chips that the account gets, negative for chips that it gives."""

    account: Account
    chips: int


class Ledger:
    """Lines are added, never changed or taken away: the database refuses it."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def move(self, why: str, *entries: Entry, round_id: int | None = None, now: datetime) -> None:
        """
        Book one movement. Lines of nought are left out; where nothing is left, nothing is booked.

        :raises ValueError: If the lines do not sum to zero, or are not whole chips.
        :raises Overdrawn: If a seat would have less than nothing.
        """
        if any(type(entry.chips) is not int for entry in entries) or sum(entry.chips for entry in entries) != 0:
            raise ValueError(why, entries)
        booked = [entry for entry in entries if entry.chips]
        if not booked:
            return
        movement = self._tx.insert(
            "INSERT INTO movements (why, round_id, at) VALUES (:why, :round, :now)",
            why=why,
            round=round_id,
            now=to_ms(now),
        )
        self._book(movement, booked)

    def balance(self, account: Account) -> int:
        """The sum of an account's lines, in chips."""
        row = self._tx.row(
            "SELECT CAST(COALESCE(SUM(chips), 0) AS BIGINT) AS chips FROM entries WHERE kind = :kind AND ref = :ref",
            kind=account.kind.value,
            ref=account.ref,
        )
        return int(one(row)["chips"])

    def drift(self) -> int:
        """The sum of everything, in chips: nought, or the books are wrong."""
        row = self._tx.row("SELECT CAST(COALESCE(SUM(chips), 0) AS BIGINT) AS chips FROM entries")
        return int(one(row)["chips"])

    def unbalanced_seats(self) -> list[tuple[int, int, int]]:
        """Seats whose cached chips differ from their lines: seat id, cached chips, sum of lines."""
        rows = self._tx.rows(
            "SELECT s.id, s.chips AS cached, CAST(COALESCE(SUM(e.chips), 0) AS BIGINT) AS booked FROM seats s"
            " LEFT JOIN entries e ON e.kind = 'seat' AND e.ref = s.id GROUP BY s.id, s.chips"
            " HAVING s.chips <> COALESCE(SUM(e.chips), 0) ORDER BY s.id"
        )
        return [(row["id"], row["cached"], row["booked"]) for row in rows]

    def unbalanced_movements(self) -> list[int]:
        """Movements whose lines do not sum to zero."""
        rows = self._tx.rows(
            "SELECT movement_id FROM entries GROUP BY movement_id HAVING SUM(chips) <> 0 ORDER BY movement_id"
        )
        return [row["movement_id"] for row in rows]

    def _book(self, movement: int, entries: list[Entry]) -> None:
        """All lines in one statement."""
        values: dict[str, object] = {"movement": movement}
        for line, entry in enumerate(entries):
            account = entry.account
            if account.kind is _SEAT:
                self._change_seat(account.ref, entry.chips)
            values |= {f"kind{line}": account.kind.value, f"ref{line}": account.ref, f"chips{line}": entry.chips}
        lines = (f"(:movement, {line}, :kind{line}, :ref{line}, :chips{line})" for line in range(len(entries)))
        self._tx.execute(
            f"INSERT INTO entries (movement_id, line, kind, ref, chips) VALUES {', '.join(lines)}", **values
        )

    def _change_seat(self, seat_id: int, chips: int) -> None:
        changed = self._tx.execute(
            "UPDATE seats SET chips = chips + :chips WHERE id = :id AND chips + :chips >= 0", id=seat_id, chips=chips
        )
        if changed != 1:
            raise Overdrawn(seat_id, chips)
