"""Everything that is keyed to one person, as the person may read it; in pages, since a night can be long."""
# ruff: noqa: S608 - what is built in are this module's own column lists, never a value

from __future__ import annotations

from typing import Any, Final

import orjson

from bot.storage.instants import from_ms
from bot.storage.sql import Row, Sql

Record = dict[str, Any]
PAGE: Final = 1000  # rounds
LINES: Final = 10_000  # of the ledger

_MOMENTS: Final = frozenset(
    {"first_seen", "break_until", "opened", "closed", "worded", "dealt", "settled", "voided", "at", "tapped", "reached"}
)
_JSON: Final = frozenset({"options", "content"})
_PERSON: Final = (
    "id", "name", "app_language", "language", "design", "coach", "words", "hands", "private", "break_until",
    "first_seen",
)  # fmt: skip
_CHAT: Final = ("id", "language", "time_zone", "rules_id", "options", "first_seen")
_NIGHT: Final = ("id", "seat_id", "rules_id", "opened", "buy_in", "hands", "closed", "chips", "ending", "score")
_ROUND: Final = (
    "id", "seat_id", "night_id", "rules_id", "commitment", "words", "opened", "worded", "dealt", "settled", "voided",
    "phase", "ante", "pair_plus", "six_card", "decision", "result", "net",
)  # fmt: skip
_TABLE_HAND: Final = (
    "id", "seat_id", "night_id", "banked", "commitment", "words", "opened", "dealt", "settled", "ante", "pair_plus",
    "six_card", "cards", "decision", "auto", "net", "given_away", "secret",
)  # fmt: skip
_BOARD: Final = ("id", "seat_id", "face", "round_id", "chat_id", "thread_id", "message_id", "tapped", "retired")
_POST: Final = ("key", "thread_id", "body", "at", "message_id")
_SEATS: Final = "(SELECT id FROM seats WHERE user_id = :user)"


class Records:
    """Every row in plain values: instants as ISO 8601 in UTC, secrets of settled hands in hex."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def person(self, user_id: int) -> Record | None:
        """None for somebody who is not known."""
        row = self._tx.row(f"SELECT {', '.join(_PERSON)} FROM people WHERE id = :user", user=user_id)
        return None if row is None else _record(row, _PERSON)

    def private_chat(self, user_id: int) -> Record | None:
        """The chat with the bot alone; None for somebody who never wrote there."""
        row = self._tx.row(f"SELECT {', '.join(_CHAT)} FROM chats WHERE id = :user", user=user_id)
        return None if row is None else _record(row, _CHAT)

    def seats(self, user_id: int) -> list[Record]:
        """The person's seats, with the titles of their chats."""
        columns = ("id", "chat_id", "chat", "chips", "night_id", "round_id", "chip", "repeat", "opened")
        rows = self._tx.rows(
            "SELECT s.id, s.chat_id, COALESCE(c.title, '') AS chat, s.chips, s.night_id, s.round_id, s.chip, s.repeat,"
            " s.opened FROM seats s LEFT JOIN chats c ON c.id = s.chat_id WHERE s.user_id = :user ORDER BY s.id",
            user=user_id,
        )
        return [_record(row, columns) for row in rows]

    def nights(self, user_id: int) -> list[Record]:
        """All nights at these seats, chips and scores included."""
        return self._of_seats("nights", _NIGHT, user_id)

    def boards(self, user_id: int) -> list[Record]:
        """The boards of these seats that are still kept, live and retired."""
        return self._of_seats("boards", _BOARD, user_id)

    def posts(self, user_id: int) -> list[Record]:
        """What was posted into the private chat."""
        rows = self._tx.rows(
            f"SELECT {', '.join(_POST)} FROM posts WHERE chat_id = :user ORDER BY at, key", user=user_id
        )
        return [_record(row, _POST) for row in rows]

    def event_results(self, user_id: int) -> list[Record]:
        """What the person made of contests and days of the daily five."""
        columns = ("event_id", "kind", "day", "chat_id", "points", "played", "reached", "grid")
        rows = self._tx.rows(
            "SELECT r.event_id, e.kind, e.day, e.chat_id, r.points, r.played, r.reached, r.grid FROM event_results r"
            " JOIN events e ON e.id = r.event_id WHERE r.user_id = :user ORDER BY r.event_id",
            user=user_id,
        )
        return [_record(row, columns) for row in rows]

    def titles(self, user_id: int) -> list[Record]:
        """The months in which the person was champion of a chat."""
        columns = ("chat_id", "month", "chips", "reached")
        rows = self._tx.rows(
            "SELECT chat_id, month, chips, reached FROM champions WHERE user_id = :user ORDER BY chat_id, month",
            user=user_id,
        )
        return [_record(row, columns) for row in rows]

    def ended_events(self, user_id: int) -> list[Record]:
        """The contests that the person ended, as an admin, before their time."""
        columns = ("id", "chat_id", "closed", "called_off")
        rows = self._tx.rows(
            "SELECT id, chat_id, closed, called_off FROM events WHERE closed_by = :user ORDER BY id", user=user_id
        )
        return [_record(row, columns) for row in rows]

    def rule_sets(self, user_id: int) -> list[Record]:
        """The rules that the person's nights were played by."""
        rows = self._tx.rows(
            "SELECT id, content FROM rule_sets WHERE id IN"
            f" (SELECT rules_id FROM nights WHERE seat_id IN {_SEATS}) ORDER BY id",
            user=user_id,
        )
        return [_record(row, ("id", "content")) for row in rows]

    def rounds(self, user_id: int, *, after: int) -> list[Record]:
        """
        The next rounds behind the one numbered *after*, at most PAGE.

        What is not open to anybody yet is not open to the player: no secret before the end, no dealer's cards.
        """
        rows = self._tx.rows(
            f"SELECT {', '.join(_ROUND)}, given_away, cards, secret FROM rounds WHERE id > :after AND seat_id IN"
            f" {_SEATS} ORDER BY id LIMIT {PAGE}",
            user=user_id,
            after=after,
        )
        return [*map(_round, rows)]

    def table_hands(self, user_id: int, *, after: int) -> list[Record]:
        """The next hands at tables behind the one numbered *after*, at most PAGE; all are over, so all is open."""
        rows = self._tx.rows(
            "SELECT r.id, h.seat_id, h.night_id, h.banked, r.commitment, r.words, r.opened, r.dealt, h.settled, h.ante,"
            " h.pair_plus, h.six_card, h.cards, h.decision, h.auto, h.net, h.given_away, r.secret"
            " FROM table_hands h JOIN table_rounds r ON r.id = h.round_id"
            f" WHERE h.round_id > :after AND h.seat_id IN {_SEATS} ORDER BY h.round_id LIMIT {PAGE}",
            user=user_id,
            after=after,
        )
        return [{**_record(row, _TABLE_HAND[:-1]), "secret": row["secret"].hex()} for row in rows]

    def lines(self, user_id: int, *, after: tuple[int, int]) -> list[Record]:
        """The next lines of the person's seats in the ledger behind movement and line *after*, at most LINES."""
        columns = ("movement_id", "line", "seat_id", "chips", "why", "round_id", "at")
        rows = self._tx.rows(
            "SELECT e.movement_id, e.line, e.ref AS seat_id, e.chips, m.why, m.round_id, m.at FROM entries e"
            f" JOIN movements m ON m.id = e.movement_id WHERE e.kind = 'seat' AND e.ref IN {_SEATS}"
            f" AND (e.movement_id, e.line) > (:movement, :line) ORDER BY e.movement_id, e.line LIMIT {LINES}",
            user=user_id,
            movement=after[0],
            line=after[1],
        )
        return [_record(row, columns) for row in rows]

    def _of_seats(self, table: str, columns: tuple[str, ...], user_id: int) -> list[Record]:
        rows = self._tx.rows(
            f"SELECT {', '.join(columns)} FROM {table} WHERE seat_id IN {_SEATS} ORDER BY id", user=user_id
        )
        return [_record(row, columns) for row in rows]


def _record(row: Row, columns: tuple[str, ...]) -> Record:
    return {column: _told(column, row[column]) for column in columns}


def _told(column: str, stored: Any) -> Any:
    if stored is None:
        return None
    if column in _MOMENTS:
        return from_ms(stored).isoformat()
    return orjson.loads(stored) if column in _JSON else stored


def _round(row: Row) -> Record:
    told = _record(row, _ROUND)
    told["words"] = orjson.loads(row["words"])
    told["given_away_in_18424ths_of_a_chip"] = row["given_away"]
    cards = (row["cards"] or "").split()
    told["cards"] = cards[:3]
    if row["phase"] == "settled":
        told["dealer"] = cards[3:]
        told["secret"] = bytes(row["secret"]).hex()
    return told
