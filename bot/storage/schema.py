"""Bringing a database to this release's schema; Alembic and SQLAlchemy are imported here, when there is need."""
# ruff: noqa: PLC0415 - these imports cost a quarter of a second

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.storage.addresses import sqlite_path
from bot.storage.errors import NewerSchema
from bot.storage.version import HEAD, found_revision, schema_state

if TYPE_CHECKING:
    from sqlalchemy import Connection

Step = Callable[[str], None]
_LOCK: Final = 0x713634  # "q64", the advisory lock of migrations on PostgreSQL
_WAIT: Final = 60.0  # seconds for another process that migrates the same file


def migrate(url: str, *, step: Step = lambda _: None) -> str:
    """
    Bring the database to the schema of this release, whole or not at all; the revision it has now.

    A SQLite file with something in it is copied first, to `<file>.before-<revision>`. Two processes may call this at
    once: one does the work, the other finds it done. *step* hears of the copy, of every revision, and of a
    folder that was not there.

    :raises NewerSchema: If the database is newer than this release; it is left alone.
    :raises StorageUnavailable: If it cannot be reached, or is not a database.
    """
    path = sqlite_path(url)
    state = schema_state(url)
    if state == "newer":
        raise NewerSchema(found_revision(url) or "", HEAD)
    if state == "current":
        return HEAD
    if path is None:
        _migrate_postgres(url, step)
    else:
        _make_folder(path.parent, step)
        if state == "older":
            _keep_as_it_was(path, found_revision(url) or "", step)
        _migrate_sqlite(path, step)
    return HEAD


def _make_folder(folder: Path, step: Step) -> None:
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        step(f"made the folder {folder.absolute()}")


def _keep_as_it_was(path: Path, found: str, step: Step) -> None:
    """A copy from before the first step, unless another process has migrated meanwhile."""
    from bot.storage.sqlite import unavailable

    kept = path.with_name(f"{path.name}.before-{found}")
    partial = kept.with_name(f"{kept.name}.partial")
    partial.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(path, timeout=_WAIT)) as raw:
            raw.execute("VACUUM INTO ?", (str(partial),))
        with closing(sqlite3.connect(partial)) as raw:
            same = raw.execute("SELECT version_num FROM alembic_version").fetchone() == (found,)
    except sqlite3.Error as error:
        partial.unlink(missing_ok=True)
        raise unavailable(error) from error
    if same:
        partial.replace(kept)
        step(f"kept as it was: {kept}")
    else:
        partial.unlink()


def _migrate_sqlite(path: Path, step: Step) -> None:
    from sqlalchemy import create_engine, event
    from sqlalchemy.pool import StaticPool

    from bot.storage.sqlite import unavailable

    try:
        with closing(sqlite3.connect(path, timeout=_WAIT, isolation_level=None)) as raw:
            raw.execute("PRAGMA synchronous = FULL")
            # Off, and outside the transaction, or rebuilding a table would take its children along (FAULTS F122).
            raw.execute("PRAGMA foreign_keys = OFF")
            engine = create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)
            event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
            with engine.begin() as connection:
                _upgrade(connection, step)
                if raw.execute("PRAGMA foreign_key_check").fetchall():
                    raise RuntimeError("a migration left rows without their parents")
            with suppress(sqlite3.OperationalError):  # another process is at it; opening the store does it as well
                raw.execute("PRAGMA journal_mode = WAL").fetchall()
    except sqlite3.Error as error:
        raise unavailable(error) from error


def _migrate_postgres(url: str, step: Step) -> None:
    from sqlalchemy import create_engine
    from sqlalchemy.pool import StaticPool

    from bot.storage.postgres import connect_plainly

    engine = create_engine("postgresql+psycopg://", creator=lambda: connect_plainly(url), poolclass=StaticPool)
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
            _upgrade(connection, step)
    finally:
        engine.dispose()


def _upgrade(connection: Connection, step: Step) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    config.attributes["applied"] = lambda step_info: step(
        f"schema {step_info.up_revision_id}: {step_info.up_revision.doc}"
    )
    command.upgrade(config, HEAD)
