"""What can go wrong at the border to the database; a driver's error never leaves this room."""
# ruff: noqa: N818 - an error is named by what is wrong

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why the database did not take something; the code that logs, metrics and words go by."""

    LOCKED = "locked"  # somebody else held it for longer than the busy timeout
    FULL = "full"  # no room on the disk
    READ_ONLY = "read_only"
    IO = "io"  # the disk or the file system
    DAMAGED = "damaged"  # not a database, or a broken one
    UNREACHABLE = "unreachable"  # no file, no server, no connection
    CONTENDED = "contended"  # lost the race to other transactions too often
    CLOSED = "closed"  # the store was closed
    OTHER = "other"


class StorageError(Exception):
    """Raised when the database cannot do what was asked; every error of this room is one of these."""

    def __str__(self) -> str:
        return repr(self)


@dataclass(eq=False)
class StorageUnavailable(StorageError):
    """Raised when a transaction could not be committed; nothing of it was kept, and the next may well work."""

    reason: Reason
    detail: str = ""  # the driver's words, without parameters


@dataclass(eq=False)
class Conflict(StorageError):
    """Raised when a constraint of the database forbids it: a second open round, a changed line of the ledger."""

    detail: str  # the driver's words, without parameters


@dataclass(eq=False)
class StaleRound(StorageError):
    """Raised when a round has moved on since it was read."""

    id: int
    seen: int  # version


@dataclass(eq=False)
class StaleTable(StorageError):
    """Raised when a group table, or the hand at it, has moved on since it was read."""

    id: int
    seen: int  # version


@dataclass(eq=False)
class Overdrawn(StorageError):
    """Raised when a movement would leave a seat with less than nothing; nothing was moved."""

    seat_id: int
    chips: int  # chips, the change that was asked for


@dataclass(eq=False)
class RuleSetClash(StorageError):
    """Raised when two rule sets have the same short hash, which nobody meets by chance."""

    id: int


@dataclass(eq=False)
class NewerSchema(StorageError):
    """Raised when the database was written by a newer release than this one."""

    found: str  # revision
    known: str  # revision, the newest of this release


@dataclass(eq=False)
class NotMigrated(StorageError):
    """Raised when the database has no schema, or an older one than this release needs."""

    found: str  # revision; empty for none
    known: str  # revision


@dataclass(eq=False)
class UnknownDatabase(StorageError):
    """Raised when a database address is not one that the store can open."""

    why: str  # never the address: it may hold a password
