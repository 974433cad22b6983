"""Looking at everything that is stored: on a connection of its own, page by page, changing nothing."""
# ruff: noqa: S608 - what is built in are names of tables and numbered placeholders, never a value

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from bot.storage.addresses import sqlite_path
from bot.storage.errors import Reason, StorageUnavailable
from bot.storage.sql import Row
from bot.storage.tx import Tx

PAGE: Final = 256  # rows at once, however many there are
_AT_ONCE: Final = 4096  # ids in one statement; SQLite takes 32,766, PostgreSQL 65,535
_FIRST: Final = -(2**63)
_PATIENCE: Final = 10.0  # seconds
_MOST_DAMAGE: Final = 100  # lines of SQLite's own check

Damage = Callable[[], Iterator[str]]


class Inspection:
    """One consistent picture of a database, in pages of a constant size."""

    def __init__(
        self,
        tx: Tx,
        *,
        broken: tuple[type[Exception], ...],
        sequences: Callable[[Tx], list[Row]] = lambda _: [],
        damage: Damage = lambda: iter(()),
    ) -> None:
        self.tx = tx
        self.broken = broken  # what the driver raises where a page cannot be read
        self.damage = damage
        self._sequences = sequences

    def count(self, tables: Iterable[str]) -> int:
        """How many rows there are to look at, all together."""
        return sum(int(self._one(f"SELECT COUNT(*) AS n FROM {table}")["n"]) for table in tables)

    def pages(self, table: str, key: str = "id") -> Iterator[Sequence[Row]]:
        """All rows of a table whose key is a number, in its order."""
        after = _FIRST
        while rows := self.tx.rows(
            f"SELECT * FROM {table} WHERE {key} > :after ORDER BY {key} LIMIT :page", after=after, page=PAGE
        ):
            yield rows
            after = rows[-1][key]

    def rounds_by_night(self) -> Iterator[Sequence[Row]]:
        """All rounds, night after night."""
        return self._pages_by("rounds", "night_id")

    def _pages_by(self, table: str, owner: str) -> Iterator[Sequence[Row]]:
        """All rows of a table, those of one owner together."""
        whose, last = _FIRST, _FIRST
        while rows := self.tx.rows(
            f"SELECT * FROM {table} WHERE ({owner}, id) > (:whose, :last) ORDER BY {owner}, id LIMIT :page",
            whose=whose,
            last=last,
            page=PAGE,
        ):
            yield rows
            whose, last = rows[-1][owner], rows[-1]["id"]

    def round(self, round_id: int) -> Row | None:
        """A round as it stands."""
        return self.tx.row("SELECT * FROM rounds WHERE id = :id", id=round_id)

    def by_id(self, table: str, ids: Iterable[int], key: str = "id") -> dict[int, Row]:
        """The rows of a table with these keys."""
        return {row[key]: row for row in self._among(f"SELECT * FROM {table} WHERE {key} IN", ids)}

    def lines_of_rounds(self, ids: Iterable[int]) -> dict[int, list[Row]]:
        """By round, every line of every movement that its account has a part in."""
        return self._lines_with("o.kind = 'round'", ids)

    def _lines_with(self, account: str, ids: Iterable[int]) -> dict[int, list[Row]]:
        rows = self._among(
            "SELECT DISTINCT o.ref AS round, m.id, m.why, m.round_id, m.at, e.line, e.kind, e.ref, e.chips"
            " FROM entries o JOIN movements m ON m.id = o.movement_id JOIN entries e ON e.movement_id = m.id"
            f" WHERE {account} AND o.ref IN",
            ids,
            " ORDER BY o.ref, m.id, e.line",
        )
        return {round_: [*lines] for round_, lines in groupby(rows, lambda row: int(row["round"]))}

    def table_rounds(self) -> Iterator[Sequence[Row]]:
        """All hands at tables, table after table."""
        return self._pages_by("table_rounds", "table_id")

    def parts_of(self, table_rounds: Iterable[int]) -> dict[int, list[Row]]:
        """By hand at a table, what everybody had in it, in order."""
        rows = self._among("SELECT * FROM table_hands WHERE round_id IN", table_rounds, " ORDER BY round_id, place")
        return {round_: [*parts] for round_, parts in groupby(rows, lambda row: int(row["round_id"]))}

    def lines_of_table_rounds(self, ids: Iterable[int]) -> dict[int, list[Row]]:
        """By hand at a table, every line of every movement that its bets or its bank have a part in."""
        return self._lines_with("o.kind IN ('round', 'bank')", ids)

    def timers_of(self, kind: str, subjects: Iterable[int]) -> dict[int, int]:
        """By subject, when its timer of that kind is due."""
        rows = self._among("SELECT subject, due FROM timers WHERE kind = :kind AND subject IN", subjects, kind=kind)
        return {row["subject"]: row["due"] for row in rows}

    def hands_at_tables(self, nights: Iterable[int]) -> dict[int, int]:
        """By night, how many of its hands were at a table; nights without one are left out."""
        rows = self._among(
            "SELECT night_id, COUNT(*) AS hands FROM table_hands WHERE night_id IN", nights, " GROUP BY night_id"
        )
        return {row["night_id"]: int(row["hands"]) for row in rows}

    def lines_of(self, movements: Iterable[int]) -> dict[int, list[Row]]:
        """By movement, its lines in order."""
        rows = self._among("SELECT * FROM entries WHERE movement_id IN", movements, " ORDER BY movement_id, line")
        return {movement: [*lines] for movement, lines in groupby(rows, lambda row: int(row["movement_id"]))}

    def balances(self, kind: str, refs: Iterable[int]) -> dict[int, int]:
        """By account, the sum of its lines in chips; accounts without a line are left out."""
        rows = self._among(
            "SELECT ref, CAST(SUM(chips) AS BIGINT) AS chips FROM entries WHERE kind = :kind AND ref IN",
            refs,
            " GROUP BY ref",
            kind=kind,
        )
        return {row["ref"]: int(row["chips"]) for row in rows}

    def bought_in(self, nights: Iterable[int]) -> set[int]:
        """Which of these nights have their buy-in booked at the moment they opened."""
        rows = self._among(
            "SELECT DISTINCT n.id FROM nights n"
            " JOIN entries e ON e.kind = 'seat' AND e.ref = n.seat_id AND e.chips = n.buy_in"
            " JOIN movements m ON m.id = e.movement_id AND m.why = 'buy_in' AND m.at = n.opened WHERE n.id IN",
            nights,
        )
        return {row["id"] for row in rows}

    def nights_at(self, chat_id: int) -> list[Row]:
        """All nights of the seats in that chat, in order."""
        return self.tx.rows(
            "SELECT n.* FROM seats s JOIN nights n ON n.seat_id = s.id WHERE s.chat_id = :chat ORDER BY n.id",
            chat=chat_id,
        )

    def rounds_of(self, night_id: int) -> list[int]:
        """The ids of a night's rounds, in order."""
        rows = self.tx.rows("SELECT id FROM rounds WHERE night_id = :night ORDER BY id", night=night_id)
        return [row["id"] for row in rows]

    def night_that_scored(self, chat_id: int, user_id: int, chips: int, closed: int) -> bool:
        """Whether somebody's night in that chat ended at that instant with these chips."""
        return bool(
            self.tx.rows(
                "SELECT id FROM nights WHERE chat_id = :chat AND user_id = :user AND score = :chips"
                " AND closed = :closed LIMIT 1",
                chat=chat_id,
                user=user_id,
                chips=chips,
                closed=closed,
            )
        )

    def bests(self) -> Iterator[Row]:
        """The first millisecond of every span whose bests are kept, with the chat and its clock."""
        yield from self.tx.rows(
            "SELECT k.chat_id, k.since, COALESCE(c.time_zone, 'UTC') AS time_zone FROM"
            " (SELECT DISTINCT chat_id, since FROM bests) AS k LEFT JOIN chats c ON c.id = k.chat_id"
            " ORDER BY k.chat_id, k.since"
        )

    def not_best(self, chat_id: int, since: int) -> list[Row]:
        """The kept bests of a span that are not the best night of their person in it."""
        return self.tx.rows(
            "SELECT b.user_id, b.night_id FROM bests b WHERE b.chat_id = :chat AND b.since = :since AND (NOT EXISTS"
            " (SELECT 1 FROM nights n WHERE n.id = b.night_id AND n.chat_id = b.chat_id AND n.user_id = b.user_id"
            " AND n.score = b.score AND n.closed = b.closed AND n.closed >= b.since) OR EXISTS"
            " (SELECT 1 FROM nights n WHERE n.chat_id = b.chat_id AND n.user_id = b.user_id AND n.score IS NOT NULL"
            " AND n.closed >= b.since AND (n.score > b.score OR (n.score = b.score"
            " AND (n.closed, n.id) < (b.closed, b.night_id))))) ORDER BY b.user_id",
            chat=chat_id,
            since=since,
        )

    def without_best(self, chat_id: int, since: int) -> list[int]:
        """People with a night in a span whose best is not kept."""
        rows = self.tx.rows(
            "SELECT DISTINCT n.user_id FROM nights n WHERE n.chat_id = :chat AND n.score IS NOT NULL"
            " AND n.closed >= :since AND NOT EXISTS (SELECT 1 FROM bests b WHERE b.chat_id = n.chat_id"
            " AND b.since = :since AND b.user_id = n.user_id) ORDER BY n.user_id",
            chat=chat_id,
            since=since,
        )
        return [row["user_id"] for row in rows]

    def events_sealed(self, commitments: Iterable[str]) -> dict[str, Row]:
        """By seal, the events whose deals carry these commitments; the event's comes before the first stroke."""
        seals = sorted({each.partition("/")[0] for each in commitments})
        if not seals:
            return {}
        wanted = {f"among{place}": seal for place, seal in enumerate(seals)}
        names = ", ".join(f":{name}" for name in wanted)
        rows = self.tx.rows(f"SELECT * FROM events WHERE commitment IN ({names})", **wanted)
        return {row["commitment"]: row for row in rows}

    def nights_opened(self, seats: Iterable[int]) -> set[tuple[int, int, int]]:
        """Seat, instant and buy-in of all nights of these seats."""
        rows = self._among("SELECT seat_id, opened, buy_in FROM nights WHERE seat_id IN", seats)
        return {(row["seat_id"], row["opened"], row["buy_in"]) for row in rows}

    def nights_moved(self, seats: Iterable[int]) -> set[tuple[int, int]]:
        """Seat and instant of nights that ended because their chat moved."""
        rows = self._among(
            "SELECT seat_id, closed FROM nights WHERE closed IS NOT NULL AND ending IS NULL AND seat_id IN", seats
        )
        return {(row["seat_id"], row["closed"]) for row in rows}

    def homes(self, seats: Iterable[int]) -> dict[int, tuple[int, int]]:
        """By seat, the chat where its nights and boards belong, which may have moved since, and the person."""
        rows = self._among(
            "SELECT s.id, COALESCE(c.moved_to, s.chat_id) AS home, s.user_id FROM seats s"
            " LEFT JOIN chats c ON c.id = s.chat_id WHERE s.id IN",
            seats,
        )
        return {row["id"]: (row["home"], row["user_id"]) for row in rows}

    def open_rounds(self, seats: Iterable[int]) -> dict[int, list[int]]:
        """By seat, its rounds in betting or dealt."""
        return self._listed(
            "SELECT seat_id AS owner, id FROM rounds WHERE phase IN ('betting', 'dealt') AND void = 0 AND seat_id IN",
            seats,
        )

    def open_nights(self, seats: Iterable[int]) -> dict[int, list[int]]:
        """By seat, its nights under way."""
        return self._listed("SELECT seat_id AS owner, id FROM nights WHERE closed IS NULL AND seat_id IN", seats)

    def first_nights(self, seats: Iterable[int]) -> dict[int, int]:
        """By seat, when its first night opened."""
        rows = self._among(
            "SELECT seat_id, MIN(opened) AS first FROM nights WHERE seat_id IN", seats, " GROUP BY seat_id"
        )
        return {row["seat_id"]: row["first"] for row in rows}

    def first_seats(self, people: Iterable[int]) -> dict[int, int]:
        """By person, when the first seat was opened."""
        rows = self._among(
            "SELECT user_id, MIN(opened) AS first FROM seats WHERE user_id IN", people, " GROUP BY user_id"
        )
        return {row["user_id"]: row["first"] for row in rows}

    def sequences(self) -> list[tuple[str, int, int]]:
        """Table, last id given, highest id there is; of every table whose ids are given once."""
        return [
            (
                row["name"],
                int(row["given"]),
                int(self._one(f"SELECT COALESCE(MAX(id), 0) AS n FROM {row['name']}")["n"]),
            )
            for row in self._sequences(self.tx)
        ]

    def texts(self, table: str) -> Iterator[Row]:
        """All rows of a table whose key is a text; there are few."""
        yield from self.tx.rows(f"SELECT * FROM {table} ORDER BY 1")

    def _listed(self, sql: str, ids: Iterable[int]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for row in self._among(sql, ids):
            found.setdefault(row["owner"], []).append(row["id"])
        return found

    def _among(self, sql: str, ids: Iterable[int], rest: str = "", **params: object) -> list[Row]:
        """The rows of these ids, in order: a statement takes only so many of them."""
        found: list[Row] = []
        waiting = sorted(set(ids))
        while waiting:
            some, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
            wanted = {f"among{place}": id_ for place, id_ in enumerate(some)}
            found += self.tx.rows(f"{sql} ({', '.join(f':{name}' for name in wanted)}){rest}", **wanted, **params)
        return found

    def _one(self, sql: str) -> Row:
        return self.tx.rows(sql)[0]


def drift(url: str) -> int:
    """
    The sum of the whole ledger in chips, which is nought.

    :raises StorageError: If the database cannot be read.
    """
    with inspecting(url) as look:
        return look.tx.ledger.drift()


@contextmanager
def inspecting(url: str) -> Iterator[Inspection]:
    """
    Look at a database of this release's schema, beside whoever writes to it.

    :raises StorageError: If it cannot be read, or has another schema. Damage met on the way is a StorageUnavailable.
    """
    from bot.storage.version import refuse_other_schema  # noqa: PLC0415 - the order of imports

    path = sqlite_path(url)
    refuse_other_schema(url)
    if path is None:
        from bot.storage import postgres_aside as postgres  # noqa: PLC0415 - psycopg is loaded where it is used

        with postgres.reading(url) as tx:
            yield Inspection(tx, broken=(postgres.BROKEN,), sequences=postgres.sequences)
        return
    with _reading_sqlite(path) as inspection:
        yield inspection


@contextmanager
def _reading_sqlite(path: Path) -> Iterator[Inspection]:
    from bot.storage.sqlite import connect, unavailable  # noqa: PLC0415 - the order of imports

    try:
        with closing(connect(path, busy_timeout=_PATIENCE, read_only=True)) as raw:
            raw.text_factory = _readable
            raw.execute("BEGIN")
            tx = Tx(raw.cursor(), broken_constraint=sqlite3.IntegrityError)
            yield Inspection(
                tx, broken=(sqlite3.Error, UnicodeDecodeError), damage=lambda: _damage(raw), sequences=_sqlite_sequences
            )
            raw.execute("ROLLBACK")
    except sqlite3.Error as error:
        raise unavailable(error) from error
    except UnicodeDecodeError as error:  # of the driver's own words about a torn file
        raise StorageUnavailable(Reason.DAMAGED) from error


def _readable(text: bytes) -> str:
    """Damaged text is to be named, not to end the look."""
    return text.decode(errors="backslashreplace")


def _damage(raw: sqlite3.Connection) -> Iterator[str]:
    """What SQLite itself finds: torn pages, indexes that differ from their tables, broken constraints, lost parents."""
    for (line,) in _plain(raw, f"PRAGMA integrity_check({_MOST_DAMAGE})"):
        if line != "ok":
            yield str(line)
    for table, rowid, parent, _ in _plain(raw, "PRAGMA foreign_key_check"):
        yield f"{table} row {rowid} has no row in {parent}"


def _plain(raw: sqlite3.Connection, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in raw.execute(sql)]


def _sqlite_sequences(tx: Tx) -> list[Row]:
    return tx.rows(
        "SELECT m.name, COALESCE(s.seq, 0) AS given FROM sqlite_master m LEFT JOIN sqlite_sequence s ON s.name = m.name"
        " WHERE m.type = 'table' AND m.sql LIKE '%AUTOINCREMENT%' ORDER BY m.name"
    )
