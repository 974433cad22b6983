"""What outlives the process: one SQLite table of JSON objects, written before the answer goes out."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson


class Store:
    """Keeps records by key. A commit survives a killed process (not a power cut: this is a playground)."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.base.execute("PRAGMA journal_mode=WAL")
        self.base.execute("PRAGMA synchronous=OFF")
        self.base.execute("CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
        self.changed: dict[str, object] = {}

    def keep(self, key: str, record: object) -> None:
        """Remember that the record under this key is new; it is read at the commit."""
        self.changed[key] = record

    def drop(self, key: str) -> None:
        self.changed[key] = None

    def commit(self) -> None:
        """Write all that is new, as one transaction."""
        if not self.changed:
            return
        kept = [(key, _written(record)) for key, record in self.changed.items() if record is not None]
        gone = [(key,) for key, record in self.changed.items() if record is None]
        self.base.execute("BEGIN")
        self.base.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", kept)
        self.base.executemany("DELETE FROM kept WHERE key = ?", gone)
        self.base.execute("COMMIT")
        self.changed.clear()

    def read(self, kind: str) -> Iterator[Any]:
        """Every kept record of one kind, oldest key first."""
        rows = self.base.execute(
            "SELECT value FROM kept WHERE key >= ? AND key < ? ORDER BY key", (f"{kind}/", f"{kind}0")
        ).fetchall()
        for (value,) in rows:
            yield orjson.loads(value)

    def keep_bytes(self, key: str, content: bytes) -> None:
        """Write the content of a file at once."""
        self.base.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (key, content))

    def read_bytes(self, key: str) -> bytes | None:
        row = self.base.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def close(self) -> None:
        """Write the rest, and let go of the file."""
        self.commit()
        self.base.close()


def _written(record: object) -> bytes:
    return orjson.dumps(record, option=orjson.OPT_NON_STR_KEYS)


def forget(path: Path) -> None:
    """Forget everything kept at the path; nothing there is fine."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
