"""PostgreSQL: psycopg on a small pool of threads; each use case has its transaction, and another if it lost a race."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import cache
from random import uniform
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import psycopg
from psycopg import errors as pg
from psycopg.pq import TransactionStatus as Status
from psycopg.rows import dict_row

from bot.storage.errors import Conflict, Reason, StorageUnavailable
from bot.storage.jobs import Job, Outcome
from bot.storage.store import Store
from bot.storage.tx import Tx

P = ParamSpec("P")
R = TypeVar("R")
Connection = psycopg.Connection[dict[str, Any]]

THREADS: Final = 4
_CONNECT_SECONDS: Final = 10
_TRIES: Final = 12  # of a transaction that loses its races
_UNIQUE_TRIES: Final = 3  # of a broken unique constraint, which may be the other side of a race
_FIRST_PAUSE: Final = 0.002  # seconds at most before the second try; twice as long before each further one
_LONGEST_PAUSE: Final = 0.1

# Repeatable read: whoever writes a row that has changed since the transaction began is run again, so a use case is safe
# as long as it also writes what it decides on. All do: chips change with their seat, rounds by their version, and "only
# one" is a unique index. Serializable would not ask for that, but it locks what was read by pages: with four
# threads a tap took 2.5 tries and one in thirty gave up, against 1.03 and none (tables of 50 and of 2,000 seats alike).
_BEGIN: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ"
_BEGIN_JOTTING: Final = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit TO off"
_BEGIN_READING: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

_REASONS: Final[tuple[tuple[tuple[type[Exception], ...], Reason], ...]] = (  # the first that fits
    ((pg.SerializationFailure, pg.DeadlockDetected), Reason.CONTENDED),
    ((pg.LockNotAvailable, pg.QueryCanceled), Reason.LOCKED),
    ((pg.DiskFull, pg.OutOfMemory), Reason.FULL),
    ((pg.ReadOnlySqlTransaction,), Reason.READ_ONLY),
    ((pg.IoError, pg.DataCorrupted, pg.IndexCorrupted), Reason.IO),
    ((psycopg.OperationalError, psycopg.InterfaceError), Reason.UNREACHABLE),
)
_RACES: Final = (pg.SerializationFailure, pg.DeadlockDetected)
_NAMED: Final = re.compile(r"(?<![:\w]):([a-z_]\w*)")


@cache
def translated(sql: str) -> str:
    """`:name` as psycopg spells it; each text once."""
    return _NAMED.sub(r"%(\1)s", sql.replace("%", "%%"))


def connect(url: str) -> Connection:
    """A connection on which nothing happens by itself. Raises psycopg.Error."""
    return psycopg.connect(url, autocommit=True, row_factory=dict_row, connect_timeout=_CONNECT_SECONDS)


def connect_plainly(url: str) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection as SQLAlchemy expects it. Raises psycopg.Error."""
    return psycopg.connect(url, connect_timeout=_CONNECT_SECONDS)


def revision(url: str) -> str | None:
    """
    The schema's revision, None if there is none.

    :raises StorageUnavailable: If the server cannot be reached.
    """
    try:
        with closing(connect(url)) as connection:
            if connection.execute("SELECT to_regclass('alembic_version') AS found").fetchall()[0]["found"] is None:
                return None
            rows = connection.execute("SELECT version_num FROM alembic_version").fetchall()
            return str(rows[0]["version_num"]) if rows else None
    except psycopg.Error as error:
        raise unavailable(error) from error


def trouble(error: BaseException | None) -> Reason | None:
    """The reason if *error* says that the database is in trouble, None if it is about the statement."""
    return next((reason for kinds, reason in _REASONS if isinstance(error, kinds)), None)


def unavailable(error: BaseException) -> StorageUnavailable:
    """The driver's error as ours, with its reason and first line."""
    # A connection error's text names host and user: nothing that a log may not see, but no password either.
    raised = StorageUnavailable(trouble(error) or Reason.OTHER, str(error).partition("\n")[0])
    raised.__cause__ = error
    return raised


class Worker:
    """What runs on one thread of the pool: a connection, opened when it is needed and again when it broke."""

    def __init__(self, url: str, busy_timeout: float) -> None:
        self._url = url
        self._busy_timeout = busy_timeout
        self._connection: Connection | None = None
        self._tx: Tx | None = None
        self._committing = False

    def transaction(self, job: Job, begin: str = _BEGIN) -> Outcome:
        """One use case, again while it loses races; this never raises."""
        for attempt in range(_TRIES - 1):
            outcome = self._once(job, begin)
            if not self._worth_another_try(outcome.refusal, attempt):
                return _told(outcome)
            time.sleep(uniform(0, min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**attempt)))  # noqa: S311 - to step apart
        return _told(self._once(job, begin))

    def jotting(self, job: Job) -> Outcome:
        """One use case of which nothing is lost with the last half second; this never raises."""
        return self.transaction(job, _BEGIN_JOTTING)

    def read(self, job: Job) -> Outcome:
        """One use case that only reads; this never raises."""
        outcome = self._once(job, _BEGIN_READING)
        return _told(self._once(job, _BEGIN_READING) if self._cut_off(outcome.refusal) else outcome)

    def close(self) -> None:
        """Let go of the connection; the next use case opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = self._tx = None

    def _once(self, job: Job, begin: str) -> Outcome:
        self._committing = False
        try:
            connection, tx = self._connected()
            connection.execute(begin, prepare=False)  # more than one statement cannot be prepared
            outcome = job.run(tx)
            if outcome.refusal is None and connection.info.transaction_status == Status.INERROR:
                # COMMIT would roll back without a word.
                outcome = Outcome(refusal=Conflict("the use case went on after a broken constraint"))
            self._committing = outcome.refusal is None
            connection.execute("COMMIT" if self._committing else "ROLLBACK")
        except psycopg.Error as error:
            outcome = Outcome(refusal=error)
        self._tidy()
        return outcome

    def _worth_another_try(self, refusal: BaseException | None, attempt: int) -> bool:
        """Whether it may go well: who inserts a key at the same time as another sees a broken constraint only."""
        if isinstance(refusal, Conflict):
            return attempt < _UNIQUE_TRIES and isinstance(refusal.__cause__, pg.UniqueViolation)
        return isinstance(refusal, _RACES) or (attempt == 0 and self._cut_off(refusal))

    def _cut_off(self, refusal: BaseException | None) -> bool:
        """Whether an old connection broke before the COMMIT was sent, as after a restart of the server."""
        return self._connection is None and not self._committing and trouble(refusal) is Reason.UNREACHABLE

    def _connected(self) -> tuple[Connection, Tx]:
        if self._connection is None or self._tx is None:
            connection = connect(self._url)
            connection.execute(f"SET lock_timeout = {round(1000 * self._busy_timeout)}")
            self._connection = connection
            self._tx = Tx(connection.cursor(), broken_constraint=psycopg.IntegrityError, text=translated)
        return self._connection, self._tx

    def _tidy(self) -> None:
        """Leave no transaction open, and no broken connection behind."""
        if self._connection is None or _idle(self._connection):
            return
        with suppress(psycopg.Error):
            self._connection.execute("ROLLBACK")
        if not _idle(self._connection):
            self.close()


def _idle(connection: Connection) -> bool:
    return connection.info.transaction_status == Status.IDLE


def _told(outcome: Outcome) -> Outcome:
    refusal = outcome.refusal
    return outcome if refusal is None or trouble(refusal) is None else Outcome(refusal=unavailable(refusal))


class PostgresStore(Store):
    """One server, any number of processes."""

    shared = True

    def __init__(self, url: str, *, busy_timeout: float, threads: int = THREADS) -> None:
        self._local = threading.local()
        self._workers: list[Worker] = []
        self._url, self._busy_timeout = url, busy_timeout
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="postgres", initializer=self._new_worker)
        self._jotter = ThreadPoolExecutor(1, thread_name_prefix="jotter", initializer=self._new_worker)
        self._closed = False

    @classmethod
    async def open(cls, url: str, *, busy_timeout: float) -> PostgresStore:
        """Connections are opened when they are needed; the schema was looked at before."""
        return cls(url, busy_timeout=busy_timeout)

    async def run(self, use_case: Callable[Concatenate[Tx, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        result: R = await self._submit(Worker.transaction, use_case, args, kwargs)
        return result

    async def read(self, use_case: Callable[Concatenate[Tx, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        result: R = await self._submit(Worker.read, use_case, args, kwargs)
        return result

    async def jot(self, use_case: Callable[Concatenate[Tx, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        # Short, and many wait for it: not in the line of the use cases.
        result: R = await self._submit(Worker.jotting, use_case, args, kwargs, self._jotter)
        return result

    async def close(self) -> None:
        self._closed = True
        for pool in (self._pool, self._jotter):
            await asyncio.to_thread(pool.shutdown)
        for worker in self._workers:
            worker.close()

    async def _submit(
        self,
        work: Callable[[Worker, Job], Outcome],
        use_case: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        pool: ThreadPoolExecutor | None = None,
    ) -> Any:
        if self._closed:
            raise StorageUnavailable(Reason.CLOSED)
        loop = asyncio.get_running_loop()
        job = Job(use_case=use_case, args=args, kwargs=kwargs, waiter=loop.create_future())
        # Cancelled before a thread took it, it is not run; afterwards it is committed all the same.
        job.deliver(await loop.run_in_executor(pool or self._pool, self._work, work, job))
        return await job.waiter

    def _new_worker(self) -> None:
        worker = Worker(self._url, self._busy_timeout)
        self._local.worker = worker
        self._workers.append(worker)

    def _work(self, work: Callable[[Worker, Job], Outcome], job: Job) -> Outcome:
        return work(self._local.worker, job)
