"""SQLite: one writer on aiosqlite's thread, use cases that wait together share a commit; a second connection reads."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import aiosqlite

from bot.storage.errors import Reason, StorageUnavailable
from bot.storage.jobs import Job, Outcome
from bot.storage.store import Store
from bot.storage.tx import Tx

P = ParamSpec("P")
R = TypeVar("R")

GROUP: Final = 64  # use cases that share a commit at most
_STATEMENTS: Final = 512  # prepared statements kept; all of the bot's fit
_READ_CACHE: Final = 512  # KiB of pages: reads are looks at single rows, whose pages the system keeps anyway

_REASONS: Final[Mapping[int, Reason]] = MappingProxyType(
    {
        sqlite3.SQLITE_BUSY: Reason.LOCKED,
        sqlite3.SQLITE_LOCKED: Reason.LOCKED,
        sqlite3.SQLITE_PROTOCOL: Reason.LOCKED,
        sqlite3.SQLITE_FULL: Reason.FULL,
        sqlite3.SQLITE_READONLY: Reason.READ_ONLY,
        sqlite3.SQLITE_IOERR: Reason.IO,
        sqlite3.SQLITE_NOMEM: Reason.IO,
        sqlite3.SQLITE_CORRUPT: Reason.DAMAGED,
        sqlite3.SQLITE_NOTADB: Reason.DAMAGED,
        sqlite3.SQLITE_CANTOPEN: Reason.UNREACHABLE,
        sqlite3.SQLITE_INTERRUPT: Reason.OTHER,
    }
)


class Connection(aiosqlite.Connection):
    """aiosqlite's connection with one call more: a whole function on its thread, so that a group costs one hop."""

    raw: sqlite3.Connection

    def __init__(self, path: Path, *, busy_timeout: float, read_only: bool = False) -> None:
        super().__init__(self._open, iter_chunk_size=64)
        self._path = path
        self._busy_timeout = busy_timeout
        self._read_only = read_only

    async def call(self, function: Callable[..., R], *args: object) -> R:
        """Run *function* on the connection's thread."""
        result: R = await self._execute(function, *args)  # type: ignore[no-untyped-call]
        return result

    def _open(self) -> sqlite3.Connection:
        raw = connect(self._path, busy_timeout=self._busy_timeout, read_only=self._read_only)
        self.raw = raw
        return raw


def connect(path: Path, *, busy_timeout: float, read_only: bool = False) -> sqlite3.Connection:
    """A connection with the settings that everything else relies on; the file must be there already."""
    raw = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}",
        uri=True,
        timeout=busy_timeout,
        isolation_level=None,
        cached_statements=_STATEMENTS,
        check_same_thread=False,
    )
    try:
        raw.row_factory = sqlite3.Row
        raw.execute("PRAGMA foreign_keys = ON")
        if read_only:
            raw.execute("PRAGMA query_only = ON")
            raw.execute(f"PRAGMA cache_size = {-_READ_CACHE}")
        else:
            raw.execute("PRAGMA journal_mode = WAL").fetchall()
            raw.execute("PRAGMA synchronous = FULL")
            raw.execute("PRAGMA secure_delete = ON").fetchall()  # who is forgotten leaves nothing in freed space
    except BaseException:
        raw.close()
        raise
    return raw


def trouble(error: BaseException | None) -> Reason | None:
    """The reason if *error* says that the database is in trouble, None if it is about the statement."""
    code = getattr(error, "sqlite_errorcode", None) if isinstance(error, sqlite3.Error) else None
    return None if code is None else _REASONS.get(code & 0xFF)  # the low byte is the primary code


def unavailable(error: BaseException | None) -> StorageUnavailable:
    """The driver's error as ours, with its reason and words; None where SQLite rolled back without one."""
    raised = StorageUnavailable(trouble(error) or Reason.OTHER, "" if error is None else str(error))
    raised.__cause__ = error
    return raised


class _Lost(Exception):  # noqa: N818 - the transaction is lost
    """Raised when a group cannot be committed as a whole."""


class _Torn(Exception):  # noqa: N818 - the same
    """Raised when a member without a savepoint is refused after it has written."""


class Writer:
    """What runs on the writing thread."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw
        self._cursor, members = raw.cursor(), raw.cursor()
        self._tx = Tx(members, broken_constraint=sqlite3.IntegrityError, last_id=lambda: members.lastrowid)

    def group(self, jobs: list[Job]) -> list[Outcome]:
        """
        All *jobs* in one transaction, or, if that is lost, each once more in one of its own.

        Outcomes count only after the COMMIT; this never raises.
        """
        try:
            outcomes = self._together(jobs, self._bare)
        except _Torn:
            outcomes = self._together(jobs, self._guarded)
        return [self._alone(job) for job in jobs] if outcomes is None else outcomes

    def _together(self, jobs: list[Job], member: Callable[[Job], Outcome]) -> list[Outcome] | None:
        """What came of all of them, committed; None, and nothing is changed, if the transaction is lost."""
        try:
            self._cursor.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:  # locked, most likely: nobody's turn, and waiting again would not end
            return [Outcome(refusal=unavailable(error)) for _ in jobs]
        try:
            outcomes = [member(job) for job in jobs]
            self._cursor.execute("COMMIT")
        except _Torn:
            self._roll_back()
            raise
        except (_Lost, sqlite3.Error):
            self._roll_back()
            return None
        return outcomes

    def _bare(self, job: Job) -> Outcome:
        """A member without a savepoint, which would be a fifth of its cost; good for all that are not refused late."""
        before = self._raw.total_changes
        outcome = self._member(job)
        if outcome.refusal is not None and self._raw.total_changes != before:
            raise _Torn
        return outcome

    def _guarded(self, job: Job) -> Outcome:
        """A member whose refusal takes back what it has written."""
        self._cursor.execute("SAVEPOINT member")
        outcome = self._member(job)
        if outcome.refusal is not None:
            self._cursor.execute("ROLLBACK TO member")
        self._cursor.execute("RELEASE member")
        return outcome

    def _member(self, job: Job) -> Outcome:
        outcome = job.run(self._tx)
        if trouble(outcome.refusal) or not self._raw.in_transaction:
            raise _Lost
        return outcome

    def _alone(self, job: Job) -> Outcome:
        try:
            self._cursor.execute("BEGIN IMMEDIATE")
            outcome = job.run(self._tx)
            if trouble(outcome.refusal) or not self._raw.in_transaction:
                self._roll_back()
                return Outcome(refusal=unavailable(outcome.refusal))
            self._cursor.execute("COMMIT" if outcome.refusal is None else "ROLLBACK")
        except sqlite3.Error as error:
            self._roll_back()
            return Outcome(refusal=unavailable(error))
        return outcome

    def _roll_back(self) -> None:
        # Nothing to undo where SQLite has rolled back by itself; what cannot be undone now is undone at the next open.
        with contextlib.suppress(sqlite3.Error):
            if self._raw.in_transaction:
                self._cursor.execute("ROLLBACK")


class Reader:
    """What runs on the reading thread: one consistent picture per call."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw
        self._tx = Tx(raw.cursor(), broken_constraint=sqlite3.IntegrityError)

    def read(self, job: Job) -> Outcome:
        """The answer of one reading use case; this never raises."""
        try:
            self._raw.execute("BEGIN")
            outcome = job.run(self._tx)
        except sqlite3.Error as error:
            return Outcome(refusal=unavailable(error))
        finally:
            with contextlib.suppress(sqlite3.Error):
                if self._raw.in_transaction:
                    self._raw.execute("ROLLBACK")
        return Outcome(refusal=unavailable(outcome.refusal)) if trouble(outcome.refusal) else outcome


def _empty_log(raw: sqlite3.Connection) -> None:
    """Older pages stand in the write-ahead log until it begins anew."""
    with contextlib.suppress(sqlite3.Error):  # a backup may be reading; then a later one does it
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


class SqliteStore(Store):
    """One file, one process that writes it."""

    shared = False

    def __init__(self, writer: Connection, reader: Connection) -> None:
        self._writer, self._reader = writer, reader
        self._group = Writer(writer.raw).group
        self._read = Reader(reader.raw).read
        self._waiting: deque[Job] = deque()
        self._pump: asyncio.Task[None] | None = None
        self._closed = False

    @classmethod
    async def open(cls, path: Path, *, busy_timeout: float) -> SqliteStore:
        """
        Open a file that has been migrated.

        :raises StorageUnavailable: If it is not there, locked, or not a database.
        """
        logging.getLogger("aiosqlite").setLevel(logging.WARNING)  # below it logs parameters
        try:
            writer = Connection(path, busy_timeout=busy_timeout)
            reader = Connection(path, busy_timeout=busy_timeout, read_only=True)
            await writer
            try:
                await reader
            except BaseException:
                await writer.close()
                raise
        except sqlite3.Error as error:
            raise unavailable(error) from error
        return cls(writer, reader)

    async def run(self, use_case: Callable[Concatenate[Tx, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        job = self._job(use_case, args, kwargs)
        self._waiting.append(job)
        if self._pump is None:
            self._pump = asyncio.create_task(self._work())
        result: R = await job.waiter
        return result

    async def read(self, use_case: Callable[Concatenate[Tx, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        job = self._job(use_case, args, kwargs)
        job.deliver(await self._reader.call(self._read, job))
        result: R = await job.waiter
        return result

    async def wipe(self) -> None:
        await self._writer.call(_empty_log, self._writer.raw)

    async def close(self) -> None:
        self._closed = True
        if self._pump is not None:
            await asyncio.wait([self._pump])
        await self._reader.close()
        await self._writer.close()

    def _job(self, use_case: Callable[..., object], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Job:
        if self._closed:
            raise StorageUnavailable(Reason.CLOSED)
        return Job(use_case=use_case, args=args, kwargs=kwargs, waiter=asyncio.get_running_loop().create_future())

    async def _work(self) -> None:
        """Group after group, as long as somebody waits."""
        group: list[Job] = []
        try:
            while group := self._next_group():
                outcomes = await self._writer.call(self._group, group)
                for job, outcome in zip(group, outcomes, strict=True):
                    job.deliver(outcome)
        finally:
            self._pump = None
            for job in (*group, *self._waiting):  # nobody is left, unless this task was cancelled or the thread is gone
                job.deliver(Outcome(refusal=StorageUnavailable(Reason.CLOSED)))
            self._waiting.clear()

    def _next_group(self) -> list[Job]:
        """The next that wait; whoever has given up before the transaction began is left out."""
        group: list[Job] = []
        while self._waiting and len(group) < GROUP:
            job = self._waiting.popleft()
            if not job.waiter.done():
                group.append(job)
        return group
