"""From one database to another, of either kind: every table, every row, every id, and the proof that they are equal."""
# ruff: noqa: S608 - what is built in are names that the database itself gave

from __future__ import annotations

import hashlib
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.storage.addresses import sqlite_path
from bot.storage.errors import StorageError
from bot.storage.schema import migrate
from bot.storage.version import refuse_other_schema, schema_state

BATCH: Final = 1000  # rows
_REVISION: Final = "alembic_version"

Row = tuple[Any, ...]
Step = Callable[[str, int], None]  # table, rows


@dataclass(eq=False)
class NotEmpty(StorageError):  # noqa: N818 - an error is named by what is wrong
    """Raised when there is something already where a database is to be moved."""

    table: str


@dataclass(eq=False)
class NotEqual(StorageError):  # noqa: N818 - the same
    """Raised when a table arrived other than it left; nothing was kept."""

    table: str


@dataclass(eq=False)
class SameDatabase(StorageError):  # noqa: N818 - the same
    """Raised when a database is to be moved to itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table of the schema, as the database itself tells it."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    texts: frozenset[str]  # columns of text, which both sides sort byte by byte
    parents: frozenset[str]


class Side(ABC):
    """One of the two databases, in a transaction."""

    @abstractmethod
    def tables(self) -> list[Table]:
        """All tables of the schema."""

    @abstractmethod
    def rows(self, table: Table) -> Iterator[Sequence[Row]]:
        """All rows in the order of their key."""

    @abstractmethod
    def count(self, table: str) -> int:
        """How many rows a table has."""

    @abstractmethod
    def put(self, table: Table, rows: Sequence[Row]) -> None:
        """Add rows, their values in the order of the table's columns."""

    @abstractmethod
    def given(self) -> dict[str, int]:
        """By table, the last id given."""

    @abstractmethod
    def give_from(self, given: dict[str, int]) -> None:
        """Give no id again that was given there."""


def count(url: str) -> int:
    """How many rows there are to move."""
    with _side(url, writing=False) as side:
        return sum(side.count(table.name) for table in side.tables())


def move(source: str, target: str, *, step: Step = lambda _, __: None) -> dict[str, int]:
    """
    Copy everything into an empty database, in one transaction; how many rows each table has.

    The target gets this release's schema if it has none. Every table is read back and compared before it counts.

    :raises NotEmpty: If there are rows in the target already.
    :raises NotMigrated, NewerSchema: If one of the two has another schema than this release.
    :raises NotEqual: If a table arrived other than it left.
    :raises StorageError: If one of the two cannot be used.
    """
    if source == target:
        raise SameDatabase
    refuse_other_schema(source)
    if schema_state(target) == "empty":
        migrate(target)
    refuse_other_schema(target)
    with _side(source, writing=False) as old, _side(target, writing=True) as new:
        tables = ordered(old.tables())
        for table in tables:
            if new.count(table.name):
                raise NotEmpty(table.name)
        counted = {table.name: _table(old, new, table, step) for table in tables}
        new.give_from(old.given())
    return counted


def _table(old: Side, new: Side, table: Table, step: Step) -> int:
    moved, left = 0, hashlib.sha256()
    for rows in old.rows(table):
        new.put(table, rows)
        _add(left, rows)
        moved += len(rows)
        step(table.name, len(rows))
    arrived = hashlib.sha256()
    for rows in new.rows(table):
        _add(arrived, rows)
    if arrived.digest() != left.digest():
        raise NotEqual(table.name)
    return moved


def _add(digest: Any, rows: Iterable[Row]) -> None:
    for row in rows:
        digest.update(repr(tuple(row)).encode("utf-8", "surrogateescape"))


def ordered(tables: Iterable[Table]) -> list[Table]:
    """Parents before their children."""
    waiting = {table.name: table for table in tables if table.name != _REVISION}
    done: list[Table] = []
    while waiting:
        free = [table for table in waiting.values() if not (table.parents - {table.name}) & waiting.keys()]
        if not free:
            raise ValueError("tables in a circle", sorted(waiting))
        done += [waiting.pop(table.name) for table in sorted(free, key=lambda each: each.name)]
    return done


@contextmanager
def _side(url: str, *, writing: bool) -> Iterator[Side]:
    path = sqlite_path(url)
    if path is None:
        from bot.storage.move_postgres import side  # noqa: PLC0415 - psycopg is loaded where it is used

        with side(url, writing=writing) as postgres:
            yield postgres
        return
    with _sqlite(path, writing=writing) as sqlite:
        yield sqlite


@contextmanager
def _sqlite(path: Path, *, writing: bool) -> Iterator[Side]:
    from bot.storage.sqlite import connect, unavailable  # noqa: PLC0415 - the order of imports

    try:
        with closing(connect(path, busy_timeout=10.0, read_only=not writing)) as raw:
            raw.row_factory = None
            raw.execute("BEGIN IMMEDIATE" if writing else "BEGIN")
            try:
                yield _Sqlite(raw)
            except BaseException:
                raw.execute("ROLLBACK")
                raise
            raw.execute("COMMIT")
    except sqlite3.Error as error:
        raise unavailable(error) from error


class _Sqlite(Side):
    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def tables(self) -> list[Table]:
        names = self._raw.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        return [self._table(name) for (name,) in names]

    def _table(self, name: str) -> Table:
        columns = self._raw.execute(f"PRAGMA table_info({name})").fetchall()
        parents = self._raw.execute(f"PRAGMA foreign_key_list({name})").fetchall()
        key = sorted((column[5], column[1]) for column in columns if column[5])
        return Table(
            name=name,
            columns=tuple(sorted(column[1] for column in columns)),
            key=tuple(column for _, column in key),
            texts=frozenset(column[1] for column in columns if column[2] == "TEXT"),
            parents=frozenset(parent[2] for parent in parents),
        )

    def rows(self, table: Table) -> Iterator[Sequence[Row]]:
        cursor = self._raw.execute(select(table, "BINARY"))
        while rows := cursor.fetchmany(BATCH):
            yield rows

    def count(self, table: str) -> int:
        return int(self._raw.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])

    def put(self, table: Table, rows: Sequence[Row]) -> None:
        places = ", ".join("?" for _ in table.columns)
        self._raw.executemany(f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({places})", rows)

    def given(self) -> dict[str, int]:
        return dict(self._raw.execute("SELECT name, seq FROM sqlite_sequence").fetchall())

    def give_from(self, given: dict[str, int]) -> None:
        for table, last in given.items():
            if last <= 0:
                continue
            changed = self._raw.execute("UPDATE sqlite_sequence SET seq = MAX(seq, ?) WHERE name = ?", (last, table))
            if not changed.rowcount:
                self._raw.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))


def select(table: Table, collation: str) -> str:
    """All rows in the order of their key, the same on both databases: texts byte by byte."""
    key = ", ".join(f'{column} COLLATE "{collation}"' if column in table.texts else column for column in table.key)
    return f"SELECT {', '.join(table.columns)} FROM {table.name} ORDER BY {key}"
