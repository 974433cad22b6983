"""Database addresses: sqlite:///file, sqlite:////absolute/file, postgresql://…"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

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


def shown(url: str) -> str:
    """An address for people: without password and options."""
    if not url.startswith(("postgresql://", "postgres://")):
        return url
    try:
        parts = urlsplit(url)
        user = f"{unquote(parts.username)}@" if parts.username else ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "postgresql://…"
    return f"postgresql://{user}{parts.hostname or ''}{port}{parts.path}"


def address_of(file: Path) -> str:
    """The address of a SQLite file, whatever its name holds."""
    return f"{_SQLITE}{quote(str(file))}"


def as_address(named: str) -> str:
    """What was meant: an address as it is, or the file of that name."""
    if "://" in named or named.startswith("sqlite:"):
        return named.replace("postgres://", "postgresql://", 1)
    return address_of(Path(named))
