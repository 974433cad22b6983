"""Seats: one person in one chat. The chips are a cached sum that only the ledger changes."""
# ruff: noqa: S608 - what is built in are this module's own column lists, never a value

from __future__ import annotations

from datetime import datetime

from bot.facts import Seat
from bot.storage.instants import to_ms, to_ms_or_none
from bot.storage.sql import Row, Sql, one

_COLUMNS = "id, chat_id, user_id, chips, night_id, round_id, chip, repeat"


class Seats:
    """A seat stays for ever, so that whoever comes back finds the old scores."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def at(self, chat_id: int, user_id: int) -> Seat | None:
        """The seat of that person there."""
        row = self._tx.row(
            f"SELECT {_COLUMNS} FROM seats WHERE chat_id = :chat AND user_id = :user", chat=chat_id, user=user_id
        )
        return None if row is None else _seat(row)

    def open(self, chat_id: int, user_id: int, *, now: datetime) -> Seat:
        """The seat of that person there; a new one has no chips."""
        self._tx.execute(
            "INSERT INTO seats (chat_id, user_id, chips, chip, repeat, opened) VALUES (:chat, :user, 0, 0, 1, :now)"
            " ON CONFLICT (chat_id, user_id) DO NOTHING",
            chat=chat_id,
            user=user_id,
            now=to_ms(now),
        )
        return _seat(
            one(
                self._tx.row(
                    f"SELECT {_COLUMNS} FROM seats WHERE chat_id = :chat AND user_id = :user",
                    chat=chat_id,
                    user=user_id,
                )
            )
        )

    def get(self, seat_id: int) -> Seat | None:
        """A seat by its id."""
        row = self._tx.row(f"SELECT {_COLUMNS} FROM seats WHERE id = :id", id=seat_id)
        return None if row is None else _seat(row)

    def of(self, user_id: int) -> list[Seat]:
        """All seats of a person, the one played last first."""
        rows = self._tx.rows(
            f"SELECT {_COLUMNS}, COALESCE((SELECT MAX(r.id) FROM rounds r WHERE r.seat_id = seats.id), 0) AS latest"
            " FROM seats WHERE user_id = :user ORDER BY latest DESC, id DESC",
            user=user_id,
        )
        return [*map(_seat, rows)]

    def door(self, seat_id: int, code: str) -> str:
        """The code of the door to this seat: the one it has, else *code* from now on."""
        self._tx.execute("UPDATE seats SET door = :code WHERE id = :id AND door IS NULL", id=seat_id, code=code)
        return self.door_of(seat_id)

    def door_of(self, seat_id: int) -> str:
        """The code of the door to this seat; empty if it has none yet."""
        row = self._tx.row("SELECT door FROM seats WHERE id = :id", id=seat_id)
        return "" if row is None or row["door"] is None else str(row["door"])

    def by_door(self, code: str) -> Seat | None:
        """The seat to which the door with this code leads."""
        row = self._tx.row(f"SELECT {_COLUMNS} FROM seats WHERE door = :code", code=code)
        return None if row is None else _seat(row)

    def absent(self, chat_id: int, user_id: int, *, since: datetime | None) -> None:
        """Somebody left a chat, or (none) came back: whoever is away does not stand on its lists (F109)."""
        self._tx.execute(
            "UPDATE seats SET gone = :since WHERE chat_id = :chat AND user_id = :user",
            chat=chat_id,
            user=user_id,
            since=to_ms_or_none(since),
        )

    def away(self, chat_id: int) -> set[int]:
        """Who sat in a chat and has left it."""
        rows = self._tx.rows("SELECT user_id FROM seats WHERE chat_id = :chat AND gone IS NOT NULL", chat=chat_id)
        return {row["user_id"] for row in rows}

    def put(self, seat: Seat) -> None:
        """Store night, round, chip of the tray and repeat. Chips are the ledger's: never stored from here."""
        self._tx.execute(
            "UPDATE seats SET night_id = :night, round_id = :round, chip = :chip, repeat = :repeat WHERE id = :id",
            id=seat.id,
            night=seat.night_id,
            round=seat.round_id,
            chip=seat.chip,
            repeat=int(seat.repeat),
        )


def _seat(row: Row) -> Seat:
    return Seat(
        id=row["id"],
        chat_id=row["chat_id"],
        user_id=row["user_id"],
        chips=row["chips"],
        night_id=row["night_id"],
        round_id=row["round_id"],
        chip=row["chip"],
        repeat=bool(row["repeat"]),
    )
