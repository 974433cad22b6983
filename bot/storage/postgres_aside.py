"""PostgreSQL for the operator's tools: connections of their own beside the bot's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

import psycopg

from bot.storage.postgres import connect, translated, unavailable
from bot.storage.sql import Row
from bot.storage.tx import Tx

BROKEN: Final = psycopg.Error
SEQUENCES: Final = (  # table and sequence
    "SELECT c.relname AS name, s.relname AS sequence FROM pg_class s"
    " JOIN pg_depend d ON d.objid = s.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'i'"
    " JOIN pg_class c ON c.oid = d.refobjid"
    " WHERE s.relkind = 'S' AND s.relnamespace = current_schema()::regnamespace ORDER BY c.relname"
)


@contextmanager
def reading(url: str) -> Iterator[Tx]:
    """
    One consistent picture, on a connection that can change nothing.

    :raises StorageUnavailable: If the server cannot be reached, or fails.
    """
    try:
        with closing(connect(url)) as connection:
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield Tx(connection.cursor(), broken_constraint=psycopg.IntegrityError, text=translated)
    except psycopg.Error as error:
        raise unavailable(error) from error


def sequences(tx: Tx) -> list[Row]:
    """Table and last id given, of every table whose ids are given once."""
    return [
        tx.rows(
            f"SELECT '{row['name']}' AS name, CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS given"  # noqa: S608 - names of the schema
            f" FROM {row['sequence']}"
        )[0]
        for row in tx.rows(SEQUENCES)
    ]


def writable(url: str) -> bool:
    """
    Whether this user may change the tables.

    :raises StorageUnavailable: If the server cannot be reached.
    """
    try:
        with closing(connect(url)) as connection:
            rows = connection.execute(
                "SELECT has_table_privilege('entries', 'INSERT') AND NOT pg_is_in_recovery() AS may"
            ).fetchall()
            return bool(rows[0]["may"])
    except psycopg.Error as error:
        raise unavailable(error) from error
