"""Which schema a database has, read without Alembic, so that a start with nothing to migrate stays light."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Final, Literal, TypeAlias

from bot.storage.addresses import sqlite_path
from bot.storage.errors import NewerSchema, NotMigrated, Reason, StorageUnavailable

REVISIONS: Final = ("0001", "0002", "0003", "0004", "0005")
"""The revisions of this release, oldest first; the last is the one it needs."""
HEAD: Final = REVISIONS[-1]

SchemaState: TypeAlias = Literal["empty", "older", "current", "newer"]


def schema_state(url: str) -> SchemaState:
    """
    How the database's schema compares with this release's.

    :raises StorageUnavailable: If it cannot be reached, or is not a database.
    """
    found = found_revision(url)
    if found is None:
        return "empty"
    if found == HEAD:
        return "current"
    return "older" if found in REVISIONS else "newer"


def refuse_other_schema(url: str) -> None:
    """Raise NotMigrated or NewerSchema unless the schema is the one that this release needs."""
    found = found_revision(url)
    if found is None or (found != HEAD and found in REVISIONS):
        raise NotMigrated(found or "", HEAD)
    if found != HEAD:
        raise NewerSchema(found, HEAD)


def found_revision(url: str) -> str | None:
    """
    The schema that a database has; None for none.

    :raises StorageUnavailable: If it cannot be reached, or is not a database.
    """
    path = sqlite_path(url)
    if path is None:
        from bot.storage import postgres  # noqa: PLC0415 - psycopg is loaded where it is used

        return postgres.revision(url)
    if not path.exists():
        return None
    from bot.storage.sqlite import unavailable  # noqa: PLC0415 - it imports the shelves, which a look need not

    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as raw:
            if not raw.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchall():
                return None
            row = raw.execute("SELECT version_num FROM alembic_version").fetchone()
            return None if row is None else str(row[0])
    except sqlite3.Error as error:
        raise unavailable(error) from error
    except UnicodeDecodeError as error:  # of the driver's own words about a torn file
        raise StorageUnavailable(Reason.DAMAGED) from error
