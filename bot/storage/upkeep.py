"""Looking after a database: copies that are known to open."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.storage.addresses import sqlite_path
from bot.storage.errors import StorageError, UnknownDatabase
from bot.storage.sqlite import unavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A copy that was opened and checked."""

    path: Path
    size: int  # bytes
    revision: str
    people: int
    rounds: int


@dataclass(eq=False)
class BadCopy(StorageError):  # noqa: N818 - an error is named by what is wrong
    """Raised when a copy does not hold what it should; it is not kept."""

    why: str


def backup(url: str, file: Path) -> Copy:
    """
    A consistent copy of a SQLite database, while the bot runs; *file* appears, or is replaced, only after its check.

    :raises UnknownDatabase: For PostgreSQL, which has tools of its own for that.
    :raises StorageUnavailable: If the database cannot be read or the copy cannot be written.
    :raises BadCopy: If the copy is damaged, or its books do not balance.
    """
    path = sqlite_path(url)
    if path is None:
        raise UnknownDatabase("PostgreSQL is copied by pg_dump")
    partial = file.with_name(file.name + ".partial")
    partial.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as raw:
            raw.execute("VACUUM INTO ?", (str(partial),))
        copy = _checked(partial, file)
        _to_disk(partial)
        partial.replace(file)
    except sqlite3.Error as error:
        raise unavailable(error) from error
    finally:
        partial.unlink(missing_ok=True)
    return copy


def _checked(partial: Path, file: Path) -> Copy:
    with closing(sqlite3.connect(f"{partial.absolute().as_uri()}?mode=ro", uri=True)) as raw:
        (verdict,) = raw.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise BadCopy(verdict)
        if raw.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise BadCopy("rows without their parents")
        if raw.execute("SELECT COALESCE(SUM(chips), 0) FROM entries").fetchone() != (0,):
            raise BadCopy("the ledger does not sum to zero")
        people, rounds = raw.execute("SELECT (SELECT COUNT(*) FROM people), (SELECT COUNT(*) FROM rounds)").fetchone()
        (revision,) = raw.execute("SELECT version_num FROM alembic_version").fetchone()
    return Copy(path=file, size=partial.stat().st_size, revision=revision, people=people, rounds=rounds)


def _to_disk(file: Path) -> None:
    handle = os.open(file, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
