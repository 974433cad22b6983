"""One bot per SQLite file: a lock beside it that ends with the process, however it ends (FAULTS F125)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.storage.addresses import sqlite_path

try:
    import fcntl
except ImportError:  # not on this system: there the lock is not kept
    fcntl = None  # type: ignore[assignment]


class TakenElsewhere(Exception):  # noqa: N818 - read as a noun
    """Raised when another process of this computer runs the bot on this file."""

    def __init__(self, process: str) -> None:
        super().__init__(process)
        self.process = process  # its number, empty if it cannot be read


@contextmanager
def alone(url: str) -> Iterator[None]:
    """
    Be the only one on this computer that runs the bot on a SQLite file; on PostgreSQL there may be several.

    :raises TakenElsewhere: If another process is.
    :raises OSError: If the file for the lock cannot be made.
    """
    path = sqlite_path(url)
    if path is None or fcntl is None:
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = lock_file(path)
    handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise TakenElsewhere(os.read(handle, 20).decode("ascii", "replace").strip()) from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)  # the file stays: taking it away could let two in at once


def lock_file(path: Path) -> Path:
    """Where the lock of a database is; it holds the number of the process."""
    return path.with_name(path.name + ".lock")
