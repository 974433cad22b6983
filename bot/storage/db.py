"""Opening a database, of either kind."""

from __future__ import annotations

import asyncio
from typing import Final

from bot.storage.addresses import sqlite_path
from bot.storage.sqlite import SqliteStore
from bot.storage.store import Store
from bot.storage.version import refuse_other_schema

BUSY_TIMEOUT: Final = 8.0
"""Seconds to wait for a lock: below the 10 s after which an update is refused, above what a backup needs."""


async def open_store(url: str, *, busy_timeout: float = BUSY_TIMEOUT) -> Store:
    """
    Open a database that has been migrated; nothing is migrated here.

    :raises UnknownDatabase: If the address is neither of SQLite nor of PostgreSQL.
    :raises NotMigrated: If its schema is missing or older than this release.
    :raises NewerSchema: If its schema is newer than this release.
    :raises StorageUnavailable: If it cannot be reached.
    """
    path = sqlite_path(url)
    await asyncio.to_thread(refuse_other_schema, url)
    if path is not None:
        return await SqliteStore.open(path, busy_timeout=busy_timeout)
    from bot.storage.postgres import PostgresStore  # noqa: PLC0415 - psycopg is loaded where it is used

    return await PostgresStore.open(url, busy_timeout=busy_timeout)
