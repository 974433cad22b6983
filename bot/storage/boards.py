"""Boards, the outbox: which message shows which round of a seat, and how new its picture is."""
# ruff: noqa: S608 - what is built in are this module's own column lists, never a value

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.facts import Board, Face
from bot.storage.instants import from_ms_or_none, to_ms, to_ms_or_none
from bot.storage.sql import Row, Sql, one

_COLUMNS = "id, seat_id, face, round_id, chat_id, thread_id, message_id, old_message_id, wanted, painted, note, tapped"


class Boards:
    """Retired boards are found by nobody any more, but for the painter that takes their keys off."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def of_seat(self, seat_id: int) -> Board | None:
        """The one live board of a seat."""
        row = self._tx.row(f"SELECT {_COLUMNS} FROM boards WHERE seat_id = :seat AND retired = 0", seat=seat_id)
        return None if row is None else _board(row)

    def get(self, board_id: int) -> Board | None:
        """A live board by its id."""
        row = self._tx.row(f"SELECT {_COLUMNS} FROM boards WHERE id = :id AND retired = 0", id=board_id)
        return None if row is None else _board(row)

    def at(self, chat_id: int, message_id: int) -> Board | None:
        """The live board that this message shows."""
        row = self._tx.row(
            f"SELECT {_COLUMNS} FROM boards WHERE chat_id = :chat AND message_id = :message AND retired = 0"
            " ORDER BY id DESC LIMIT 1",
            chat=chat_id,
            message=message_id,
        )
        return None if row is None else _board(row)

    def all_at(self, chat_id: int) -> list[Board]:
        """The live boards that stand in that chat."""
        rows = self._tx.rows(
            f"SELECT {_COLUMNS} FROM boards WHERE chat_id = :chat AND retired = 0 ORDER BY id", chat=chat_id
        )
        return [*map(_board, rows)]

    def latest_at(self, chat_id: int) -> Board | None:
        """The live board there that was tapped last."""
        row = self._tx.row(
            f"SELECT {_COLUMNS} FROM boards WHERE chat_id = :chat AND retired = 0"
            " ORDER BY tapped DESC, id DESC LIMIT 1",
            chat=chat_id,
        )
        return None if row is None else _board(row)

    def open(
        self, *, seat_id: int, face: Face, round_id: int, chat_id: int, thread_id: int | None, now: datetime
    ) -> Board:
        """A new live board, to be sent; the database refuses a second one at the same seat."""
        row = self._tx.row(
            "INSERT INTO boards (seat_id, face, round_id, chat_id, thread_id, wanted, painted, note, tapped, retired)"
            f" VALUES (:seat, :face, :round, :chat, :thread, 1, 0, '', :now, 0) RETURNING {_COLUMNS}",
            seat=seat_id,
            face=face.value,
            round=round_id,
            chat=chat_id,
            thread=thread_id,
            now=to_ms(now),
        )
        return _board(one(row))

    def put(self, board: Board) -> Board:
        """Store everything but what is painted, which only the painter reports."""
        self._tx.execute(
            "UPDATE boards SET face = :face, round_id = :round, chat_id = :chat, thread_id = :thread,"
            " message_id = :message, old_message_id = :old_message, wanted = :wanted, note = :note, tapped = :tapped"
            " WHERE id = :id",
            id=board.id,
            face=board.face.value,
            round=board.round_id,
            chat=board.chat_id,
            thread=board.thread_id,
            message=board.message_id,
            old_message=board.old_message_id,
            wanted=board.wanted,
            note=board.note,
            tapped=to_ms_or_none(board.tapped),
        )
        return board

    def want(self, board: Board) -> Board:
        """One more picture is wanted."""
        row = one(self._tx.row("UPDATE boards SET wanted = wanted + 1 WHERE id = :id RETURNING wanted", id=board.id))
        return replace(board, wanted=row["wanted"])

    def awake(self, chat_id: int, since: datetime) -> int:
        """How many live boards in that chat were tapped since."""
        row = self._tx.row(
            "SELECT COUNT(*) AS awake FROM boards WHERE chat_id = :chat AND tapped >= :since AND retired = 0",
            chat=chat_id,
            since=to_ms(since),
        )
        return int(one(row)["awake"])

    def forget_finished(self, before: datetime, *, after: int, most: int) -> int | None:
        """
        Of the next *most* boards from *after* on, drop those that are over and untouched since *before*.

        Over is a board that is retired, or whose seat has no night under way. The id to go on after; None at the end.
        """
        step = "SELECT MAX(id) AS last FROM (SELECT id FROM boards WHERE id > :after ORDER BY id LIMIT :most) AS step"
        last: int | None = one(self._tx.row(step, after=after, most=most))["last"]
        self._tx.execute(
            "DELETE FROM boards WHERE id > :after AND id <= :last"
            " AND ((retired = 1 AND COALESCE(tapped, 0) < :before) OR (tapped < :before"
            " AND EXISTS (SELECT 1 FROM seats s WHERE s.id = boards.seat_id AND s.night_id IS NULL)))",
            after=after,
            last=last or 0,
            before=to_ms(before),
        )
        return last

    def retire(self, board_id: int) -> None:
        """The board is over: it is painted no more, and the keys of its message are to be taken off."""
        self._tx.execute(
            "UPDATE boards SET retired = 1, painted = wanted, message_id = NULL,"
            " old_message_id = COALESCE(message_id, old_message_id) WHERE id = :id AND retired = 0",
            id=board_id,
        )


def _board(row: Row) -> Board:
    return Board(
        id=row["id"],
        seat_id=row["seat_id"],
        face=Face(row["face"]),
        round_id=row["round_id"],
        chat_id=row["chat_id"],
        thread_id=row["thread_id"],
        message_id=row["message_id"],
        old_message_id=row["old_message_id"],
        wanted=row["wanted"],
        painted=row["painted"],
        note=row["note"],
        tapped=from_ms_or_none(row["tapped"]),
    )
