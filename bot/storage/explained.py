"""What went wrong with a database, in one sentence for the operator, with what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.storage.errors import NewerSchema, NotMigrated, Reason, StorageError, StorageUnavailable, UnknownDatabase

_UNAVAILABLE: Final[Mapping[Reason, str]] = {
    Reason.LOCKED: "another process holds it; stop that one, or try again when it is done",
    Reason.FULL: "the disk is full; make room",
    Reason.READ_ONLY: "it cannot be written; give this user the right to write the file and its folder",
    Reason.IO: "the disk or the file system failed; look into the system's log, and have the latest backup at hand",
    Reason.DAMAGED: "it is no database, or a damaged one; put the latest backup in its place",
    Reason.UNREACHABLE: "it cannot be reached; check DATABASE_URL, and that file, folder or server are there",
    Reason.CONTENDED: "too many others write at the same time; try again",
    Reason.CLOSED: "it was closed",
    Reason.OTHER: "it refused",
}


def in_words(error: StorageError) -> str:
    """One sentence; it never holds an address, which may hold a password."""
    match error:
        case NewerSchema(found=found, known=known):
            return (
                f"The database was written by a newer release (schema {found}, this one knows {known}): "
                "install that release again, or put a backup from before it in its place."
            )
        case NotMigrated(found=found, known=known):
            there = f"has schema {found}" if found else "has no schema yet"
            return f"The database {there}, this release needs {known}: run q64 migrate."
        case UnknownDatabase(why=why):
            return f"DATABASE_URL cannot be used: {why}."
        case StorageUnavailable(reason=reason, detail=detail):
            said = f" ({detail})" if detail else ""
            return f"The database cannot be used: {_UNAVAILABLE[reason]}{said}."
        case _:
            return f"The database cannot be used: {error}."
