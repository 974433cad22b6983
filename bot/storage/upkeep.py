"""Looking after a database: copies that are known to open, and what an operator wants to know of it."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import orjson

from bot.storage.addresses import address_of, sqlite_path
from bot.storage.errors import StorageError
from bot.storage.instants import from_ms, to_ms
from bot.storage.sql import Sql, one
from bot.storage.sqlite import unavailable

Prove = Callable[[str], None]  # an address; raises BadCopy

_DATED: Final = re.compile(r"q64-\d{8}T\d{6}Z\.db")


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


def backup(url: str, file: Path, *, prove: Prove = lambda _: None) -> Copy:
    """
    A consistent copy in a SQLite file, while the bot runs; *file* appears, or is replaced, only after its check.

    PostgreSQL is copied into a SQLite file as well, table by table; `q64 move` brings it back.

    :raises StorageError: If the database cannot be read or the copy cannot be written.
    :raises BadCopy: If the copy is damaged, its books do not balance, or *prove* says so.
    """
    partial = file.with_name(file.name + ".partial")
    _remove(partial)
    try:
        _copy(url, partial)
        copy = _checked(partial, file)
        prove(address_of(partial))
        _to_disk(partial)
        partial.replace(file)
        _to_disk(file.parent)
    except sqlite3.Error as error:
        raise unavailable(error) from error
    finally:
        _remove(partial)
    return copy


def _copy(url: str, partial: Path) -> None:
    path = sqlite_path(url)
    if path is None:
        from bot.storage.move import move  # noqa: PLC0415 - psycopg and Alembic are loaded where they are used

        move(url, address_of(partial))
        with closing(sqlite3.connect(partial)) as raw:  # one file, whole
            raw.execute("PRAGMA journal_mode = DELETE")
        return
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as raw:
        raw.execute("VACUUM INTO ?", (str(partial),))


def _remove(partial: Path) -> None:
    for name in (partial.name, f"{partial.name}-wal", f"{partial.name}-shm", f"{partial.name}-journal"):
        partial.with_name(name).unlink(missing_ok=True)


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


def dated(folder: Path, now: datetime) -> Path:
    """Where a copy of this moment (UTC) belongs; such names sort by age."""
    return folder / f"q64-{now:%Y%m%dT%H%M%SZ}.db"


def thin_out(folder: Path, keep: int) -> list[Path]:
    """Delete all but the newest *keep* dated copies; nothing else in the folder is touched. What went."""
    copies = sorted(path for path in folder.iterdir() if _DATED.fullmatch(path.name) and path.is_file())
    old = copies[:-keep] if keep else copies
    for path in old:
        path.unlink()
    return old


def note_backup(tx: Sql, copy: Copy, now: datetime) -> None:
    """Remember in the database itself when it was copied last, and where to."""
    tx.execute(
        "INSERT INTO upkeep (what, at, note) VALUES ('backup', :now, :note)"
        " ON CONFLICT (what) DO UPDATE SET at = excluded.at, note = excluded.note",
        now=to_ms(now),
        note=orjson.dumps({"path": str(copy.path.absolute()), "size": copy.size}).decode(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A database in a few figures."""

    size: int  # bytes, the log included
    people: int
    chats: int
    seats: int
    rounds: int
    rounds_24h: int
    open_hands: int  # dealt, waiting for a decision
    last_update: datetime | None
    last_backup: datetime | None
    last_backup_file: str | None
    drift: int  # chips: nought, or the books are wrong


def status(tx: Sql, since: datetime, *, size: int) -> Status:
    """The figures now; *since* is a day ago."""
    row = one(
        tx.row(
            "SELECT (SELECT COUNT(*) FROM people) AS people, (SELECT COUNT(*) FROM chats) AS chats,"
            " (SELECT COUNT(*) FROM seats) AS seats, (SELECT COUNT(*) FROM rounds WHERE phase = 'settled') AS rounds,"
            " (SELECT COUNT(*) FROM rounds WHERE settled >= :since) AS lately,"
            " (SELECT COUNT(*) FROM rounds WHERE phase = 'dealt' AND void = 0) AS hands,"
            " (SELECT MAX(at) FROM marks) AS marked, (SELECT MAX(tapped) FROM boards) AS tapped",
            since=to_ms(since),
        )
    )
    heard = [at for at in (row["marked"], row["tapped"]) if at is not None]
    kept = tx.row("SELECT at, note FROM upkeep WHERE what = 'backup'")
    return Status(
        size=size,
        people=row["people"],
        chats=row["chats"],
        seats=row["seats"],
        rounds=row["rounds"],
        rounds_24h=row["lately"],
        open_hands=row["hands"],
        last_update=from_ms(max(heard)) if heard else None,
        last_backup=None if kept is None else from_ms(kept["at"]),
        last_backup_file=None if kept is None else str(orjson.loads(kept["note"]).get("path")),
        drift=tx.ledger.drift(),
    )


def size_of(url: str, tx: Sql) -> int:
    """Bytes on the disk, the log included."""
    path = sqlite_path(url)
    if path is None:
        return int(one(tx.row("SELECT pg_database_size(current_database()) AS bytes"))["bytes"])
    return sum(map(_size, (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))))


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def moved_after(tx: Sql, last: int | None) -> tuple[int, dict[str, int]]:
    """The newest movement, and how many there are of each kind after *last*; from now on where that is None."""
    newest = int(one(tx.row("SELECT COALESCE(MAX(id), 0) AS id FROM movements"))["id"])
    if last is None or newest <= last:
        return newest, {}
    rows = tx.rows(
        "SELECT why, COUNT(*) AS n FROM movements WHERE id > :last AND id <= :newest GROUP BY why",
        last=last,
        newest=newest,
    )
    return newest, {row["why"]: int(row["n"]) for row in rows}


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """How a database stands, as far as one can see without changing it."""

    writable: bool
    journal: str  # empty on PostgreSQL
    free: int | None  # bytes left on its disk; None on a server


def condition(url: str) -> Condition:
    """
    Whether it can be written, and how.

    :raises StorageError: If it cannot be reached.
    """
    path = sqlite_path(url)
    if path is None:
        from bot.storage import postgres_aside  # noqa: PLC0415 - psycopg is loaded where it is used

        return Condition(writable=postgres_aside.writable(url), journal="", free=None)
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)) as raw:
            (journal,) = raw.execute("PRAGMA journal_mode").fetchone()
            free = shutil.disk_usage(path.parent).free
            try:
                raw.execute("BEGIN IMMEDIATE")
                raw.execute("DELETE FROM marks WHERE 0")
                raw.execute("ROLLBACK")
            except sqlite3.OperationalError:
                return Condition(writable=False, journal=journal, free=free)
    except sqlite3.Error as error:
        raise unavailable(error) from error
    return Condition(writable=True, journal=journal, free=free)
