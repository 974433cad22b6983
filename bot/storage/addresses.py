"""Database addresses: sqlite:///file, sqlite:////absolute/file, postgresql://…"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from bot.storage.errors import UnknownDatabase

_SQLITE = "sqlite:///"


def sqlite_path(url: str) -> Path | None:
    """
    The file of a SQLite address, None for PostgreSQL's.

    :raises UnknownDatabase: For anything else, and for SQLite in memory, which would lose every chip at a restart.
    """
    if url.startswith(("postgresql://", "postgres://")):
        return None
    if not url.startswith("sqlite:"):
        raise UnknownDatabase("neither sqlite:/// nor postgresql://")
    path = unquote(url.removeprefix(_SQLITE).partition("?")[0])
    if not url.startswith(_SQLITE) or path in {"", ":memory:"}:
        raise UnknownDatabase("sqlite needs a file: sqlite:///q64.db")
    return Path(path)
