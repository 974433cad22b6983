"""PostgreSQL as one side of a move."""
# ruff: noqa: S608 - what is built in are names that the database itself gave

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import psycopg

from bot.storage.move import BATCH, Row, Side, Table, select
from bot.storage.postgres import connect_plainly, unavailable
from bot.storage.postgres_aside import SEQUENCES


@contextmanager
def side(url: str, *, writing: bool) -> Iterator[Side]:
    """
    The database in one transaction, committed if all went well.

    :raises StorageUnavailable: If the server cannot be reached, or refuses.
    """
    try:
        with closing(connect_plainly(url)) as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            connection.read_only = not writing
            yield _Postgres(connection)
            connection.commit()
    except psycopg.Error as error:
        raise unavailable(error) from error


class _Postgres(Side):
    def __init__(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        self._connection = connection

    def tables(self) -> list[Table]:
        names = self._all(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        )
        return [self._table(name) for (name,) in names]

    def _table(self, name: str) -> Table:
        columns = self._all(
            "SELECT attname, atttypid = 'text'::regtype FROM pg_attribute"
            " WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped",
            name,
        )
        key = self._all(
            "SELECT a.attname FROM pg_constraint c JOIN unnest(c.conkey) WITH ORDINALITY AS k (num, place) ON true"
            " JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.num"
            " WHERE c.conrelid = %s::regclass AND c.contype = 'p' ORDER BY k.place",
            name,
        )
        parents = self._all(
            "SELECT confrelid::regclass::text FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'f'", name
        )
        return Table(
            name=name,
            columns=tuple(sorted(column for column, _ in columns)),
            key=tuple(column for (column,) in key),
            texts=frozenset(column for column, text in columns if text),
            parents=frozenset(parent for (parent,) in parents),
        )

    def rows(self, table: Table) -> Iterator[Sequence[Row]]:
        with self._connection.cursor(name=f"rows_of_{table.name}") as cursor:
            cursor.execute(select(table, "C"))
            while rows := cursor.fetchmany(BATCH):
                yield rows

    def count(self, table: str) -> int:
        return int(self._all(f"SELECT COUNT(*) FROM {table}")[0][0])

    def put(self, table: Table, rows: Sequence[Row]) -> None:
        into = f"COPY {table.name} ({', '.join(table.columns)}) FROM STDIN"
        with self._connection.cursor() as cursor, cursor.copy(into) as copy:
            for row in rows:
                copy.write_row(row)

    def given(self) -> dict[str, int]:
        return {
            name: self._all(f"SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM {sequence}")[0][0]
            for name, sequence in self._all(SEQUENCES)
        }

    def give_from(self, given: dict[str, int]) -> None:
        for name, sequence in self._all(SEQUENCES):
            last = given.get(name, 0)
            if last > 0:
                self._all("SELECT setval(%s::regclass, %s)", sequence, last)

    def _all(self, sql: str, *values: object) -> list[Row]:
        return self._connection.execute(sql, values).fetchall()
