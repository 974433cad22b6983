"""The promises of store.run: one transaction a use case, nothing told before the COMMIT, refusals undo only themselves."""

import asyncio
import contextlib
import logging
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import aiosqlite
import pytest

from bot.storage import Reason, StorageUnavailable, Store, Tx, open_store
from bot.storage.sqlite import Connection, SqliteStore, Writer
from tests.bot.databases import NOW, database, file, server_url, sit, sqlite_store, store

__all__ = ["database", "file", "sqlite_store", "store"]


class Refused(Exception):  # noqa: N818 - a refusal, as the services have them
    pass


def mark(tx: Tx, number: int) -> int:
    assert tx.marks.first(number, now=NOW)
    return number


def marks(tx: Tx) -> list[int]:
    return [row["update_id"] for row in tx.rows("SELECT update_id FROM marks ORDER BY update_id")]


def refuse(_tx: Tx, number: int) -> int:
    raise Refused(number)


def mark_and_refuse(tx: Tx, number: int) -> int:
    mark(tx, number)
    raise Refused(number)


async def all_of(store: Store, *use_cases: tuple[Callable[..., int], int]) -> list[int | BaseException]:
    return await asyncio.gather(*(store.run(case, number) for case, number in use_cases), return_exceptions=True)


# --- on both databases ---


async def test_a_result_comes_back_and_stays(store: Store) -> None:
    assert await store.run(mark, 7) == 7
    assert await store.run(marks) == [7]
    assert await store.read(marks) == [7]


async def test_a_refusal_undoes_what_it_wrote(store: Store) -> None:
    with pytest.raises(Refused):
        await store.run(mark_and_refuse, 7)

    assert await store.read(marks) == []


async def test_a_refusal_among_64_undoes_only_itself(store: Store) -> None:
    refused = {5, 17, 63}

    answers = await all_of(store, *((mark_and_refuse if n in refused else mark, n) for n in range(64)))

    assert {n for n, answer in enumerate(answers) if isinstance(answer, Refused)} == refused
    assert await store.read(marks) == [n for n in range(64) if n not in refused]


async def test_a_use_case_may_raise_whatever_it_likes(store: Store) -> None:
    def stop(_tx: Tx) -> None:
        raise StopIteration

    with pytest.raises(RuntimeError):
        await store.run(stop)
    assert await store.run(mark, 1) == 1


async def test_reading_cannot_write(store: Store) -> None:
    with pytest.raises(StorageUnavailable) as refusal:
        await store.read(mark, 7)

    assert refusal.value.reason is Reason.READ_ONLY
    assert await store.read(marks) == []


async def test_a_closed_store_says_so(database: str) -> None:
    store = await open_store(database)
    await store.close()

    with pytest.raises(StorageUnavailable) as refusal:
        await store.run(mark, 7)
    assert refusal.value.reason is Reason.CLOSED


async def test_closing_finishes_what_was_begun(database: str) -> None:
    store = await open_store(database)
    tapping = [asyncio.create_task(store.run(mark, number)) for number in range(100)]
    await asyncio.sleep(0)
    await store.close()
    told = await asyncio.gather(*tapping)

    again = await open_store(database)
    assert await again.read(marks) == told == list(range(100))
    await again.close()


async def test_f115_fifty_people_tap_at_once_while_somebody_reads(store: Store) -> None:
    await store.run(lambda tx: [sit(tx, user_id=user_id) for user_id in range(1, 51)])

    def tap(tx: Tx, user_id: int) -> int:
        seat = tx.seats.at(-100, user_id)
        assert seat is not None
        assert seat.round_id is not None
        round_ = tx.rounds.get(seat.round_id)
        assert round_ is not None
        return tx.rounds.put(round_, state=round_.state, now=NOW).version

    reading = asyncio.gather(*(store.read(marks) for _ in range(5)))
    versions = await asyncio.gather(*(store.run(tap, user_id) for user_id in range(1, 51)))
    await reading

    assert versions == [2] * 50


async def test_f117_two_changes_of_one_number_both_count(store: Store) -> None:
    """Read, add, write, all at once: on PostgreSQL the losers of the race are run again."""
    await store.run(mark, 1)

    def add(tx: Tx, chips: int) -> None:
        row = tx.row("SELECT at FROM marks WHERE update_id = 1")
        assert row is not None
        tx.execute("UPDATE marks SET at = :at WHERE update_id = 1", at=row["at"] + chips)

    before = await store.read(lambda tx: tx.rows("SELECT at FROM marks")[0]["at"])
    await asyncio.gather(*(store.run(add, chips) for chips in (20, 50, 1, 2, 3, 4, 5, 6)))

    assert await store.read(lambda tx: tx.rows("SELECT at FROM marks")[0]["at"]) == before + 91


async def test_two_processes_that_write_one_row_never_lose_a_change(database: str) -> None:
    """Two stores on one database, as two webhook workers: the version guards, and the loser decides anew."""
    stores = [await open_store(database) for _ in range(2)]
    sitting = await stores[0].run(sit)

    def bet(tx: Tx, round_id: int) -> int:
        round_ = tx.rounds.get(round_id)
        assert round_ is not None
        return tx.rounds.put(round_, state=round_.state, now=NOW).version

    versions = await asyncio.gather(*(store.run(bet, sitting.round.id) for store in stores * 20))

    assert sorted(versions) == list(range(2, 42))
    for opened in stores:
        await opened.close()


async def test_two_processes_that_meet_somebody_new_at_once_agree(database: str) -> None:
    stores = [await open_store(database) for _ in range(2)]

    for person in range(1, 21):
        seats = await asyncio.gather(*(store.run(arrive, person) for store in stores * 2))
        assert len(set(seats)) == 1

    for opened in stores:
        await opened.close()


def arrive(tx: Tx, user_id: int) -> int:
    tx.people.seen(user_id, name="New", app_language="en", now=NOW)
    return tx.seats.open(tx.chats.seen(-user_id, kind="group", title="New", now=NOW).id, user_id, now=NOW).id


async def test_a_waiter_that_gives_up_does_not_undo_its_transaction(database: str) -> None:
    store = await open_store(database)
    begun, go_on = threading.Event(), threading.Event()

    def slow(tx: Tx) -> None:
        begun.set()
        assert go_on.wait(10)
        mark(tx, 7)

    waiting = asyncio.create_task(store.run(slow))
    await asyncio.to_thread(begun.wait, 10)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    go_on.set()
    await store.run(mark, 8)
    await store.close()
    again = await open_store(database)
    assert await again.read(marks) == [7, 8]
    await again.close()


# --- SQLite: shared commits, and what goes wrong with a file ---


class Flaky:
    """A cursor whose COMMIT fails as often as it is told to."""

    def __init__(self, raw: sqlite3.Connection, failures: int) -> None:
        self._cursor = raw.cursor()
        self._failures = failures
        self.seen: list[str] = []

    def execute(self, sql: str) -> None:
        self.seen.append(sql)
        if sql == "COMMIT" and self._failures:
            self._failures -= 1
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        self._cursor.execute(sql)


@pytest.fixture
async def connection(file: Path) -> AsyncIterator[Connection]:
    opened = Connection(file, busy_timeout=0.2)
    await opened
    yield opened
    await opened.close()


@pytest.fixture
async def grouped(connection: Connection, file: Path) -> AsyncIterator[tuple[SqliteStore, Writer]]:
    """A store, and the writer whose cursor a test may replace."""
    reader = Connection(file, busy_timeout=0.2, read_only=True)
    await reader
    writer = Writer(connection.raw)
    store = SqliteStore(connection, reader)
    store._group = writer.group
    yield store, writer
    await reader.close()


async def test_64_that_wait_share_one_commit(grouped: tuple[SqliteStore, Writer], connection: Connection) -> None:
    store, writer = grouped
    writer._cursor = cursor = Flaky(connection.raw, failures=0)  # type: ignore[assignment]

    await all_of(store, *((mark, n) for n in range(130)))

    assert cursor.seen.count("COMMIT") == 3
    assert cursor.seen.count("BEGIN IMMEDIATE") == 3


async def test_a_refusal_before_anything_was_written_needs_no_savepoint(
    grouped: tuple[SqliteStore, Writer], connection: Connection
) -> None:
    store, writer = grouped
    writer._cursor = cursor = Flaky(connection.raw, failures=0)  # type: ignore[assignment]

    answers = await all_of(store, (mark, 1), (refuse, 2), (mark, 3))

    assert isinstance(answers[1], Refused)
    assert cursor.seen == ["BEGIN IMMEDIATE", "COMMIT"]
    assert await store.read(marks) == [1, 3]


async def test_a_refusal_after_something_was_written_takes_back_only_that(
    grouped: tuple[SqliteStore, Writer], connection: Connection
) -> None:
    store, writer = grouped
    writer._cursor = cursor = Flaky(connection.raw, failures=0)  # type: ignore[assignment]

    answers = await all_of(store, (mark, 1), (mark_and_refuse, 2), (mark, 3))

    assert isinstance(answers[1], Refused)
    assert cursor.seen.count("COMMIT") == 1
    assert cursor.seen.count("ROLLBACK TO member") == 1
    assert await store.read(marks) == [1, 3]


async def test_a_failed_commit_runs_each_again_alone(
    grouped: tuple[SqliteStore, Writer], connection: Connection
) -> None:
    store, writer = grouped
    writer._cursor = cursor = Flaky(connection.raw, failures=1)  # type: ignore[assignment]

    answers = await all_of(store, (mark, 1), (mark_and_refuse, 2), (mark, 3))

    assert answers[0] == 1
    assert isinstance(answers[1], Refused)
    assert answers[2] == 3
    assert cursor.seen.count("COMMIT") == 3  # the shared one, and one for each that was not refused
    assert await store.read(marks) == [1, 3]


async def test_who_fails_alone_as_well_gets_the_reason(
    grouped: tuple[SqliteStore, Writer], connection: Connection
) -> None:
    store, writer = grouped
    writer._cursor = Flaky(connection.raw, failures=2)  # type: ignore[assignment]

    answers = await all_of(store, (mark, 1), (mark, 2))

    assert isinstance(answers[0], StorageUnavailable)
    assert answers[0].reason is Reason.FULL
    assert answers[1] == 2
    assert await store.read(marks) == [2]


async def test_a_lost_transaction_runs_each_again_alone(sqlite_store: Store) -> None:
    """A member that loses the transaction for all, as a full disk may, costs the others nothing."""
    lost: list[int] = []

    def lose(tx: Tx, number: int) -> int:
        mark(tx, number)
        if not lost:
            lost.append(number)
            tx.execute("ROLLBACK")
        return number

    answers = await all_of(sqlite_store, (mark, 1), (lose, 2), (mark, 3))

    assert answers == [1, 2, 3]
    assert await sqlite_store.read(marks) == [1, 2, 3]


async def test_trouble_with_the_disk_inside_a_use_case_is_tried_again_alone(sqlite_store: Store) -> None:
    tried: list[int] = []

    def trouble(tx: Tx, number: int) -> int:
        mark(tx, number)
        tried.append(number)
        if tried.count(number) <= number:  # the first time, the first two times
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
            raise error
        return number

    answers = await all_of(sqlite_store, (trouble, 1), (mark, 5), (trouble, 2))

    assert answers[:2] == [1, 5]
    assert isinstance(answers[2], StorageUnavailable)
    assert answers[2].reason is Reason.IO
    assert await sqlite_store.read(marks) == [1, 5]


async def test_who_waits_alone_has_a_second_try_as_well(
    grouped: tuple[SqliteStore, Writer], connection: Connection
) -> None:
    store, writer = grouped
    writer._cursor = Flaky(connection.raw, failures=1)  # type: ignore[assignment]

    assert await store.run(mark, 1) == 1
    assert await store.read(marks) == [1]


async def test_who_gives_up_before_the_transaction_began_is_not_run(sqlite_store: Store) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(tx: Tx) -> None:
        begun.set()
        assert go_on.wait(10)
        mark(tx, 1)

    first = asyncio.create_task(sqlite_store.run(slow))
    await asyncio.to_thread(begun.wait, 10)
    second = asyncio.create_task(sqlite_store.run(mark, 2))
    await asyncio.sleep(0)
    second.cancel()
    go_on.set()
    await first

    with pytest.raises(asyncio.CancelledError):
        await second
    await sqlite_store.run(mark, 3)
    assert await sqlite_store.read(marks) == [1, 3]


async def test_f115_a_lock_that_ends_in_time_is_waited_for(file: Path) -> None:
    store = await open_store(f"sqlite:///{file}", busy_timeout=10)
    with contextlib.closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        tapping = [asyncio.create_task(store.run(mark, number)) for number in range(50)]
        await asyncio.sleep(0.05)  # they wait for the lock by now; if not, the test only shows less
        other.execute("COMMIT")
        assert await asyncio.gather(*tapping) == list(range(50))
    await store.close()


async def test_f115_a_lock_that_stays_is_a_refusal_that_moves_nothing(sqlite_store: Store, file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answers = await all_of(sqlite_store, *((mark, number) for number in range(50)))
        assert await sqlite_store.read(marks) == []  # readers do not wait for the lock
        other.execute("ROLLBACK")

    assert {answer.reason for answer in answers if isinstance(answer, StorageUnavailable)} == {Reason.LOCKED}
    assert sum(isinstance(answer, StorageUnavailable) for answer in answers) == 50
    assert await sqlite_store.run(mark, 1) == 1


async def pragma(store: Store, sql: str) -> None:
    """Outside a transaction, on the writer's own connection."""
    assert isinstance(store, SqliteStore)
    await store._writer.call(lambda: store._writer.raw.execute(sql).fetchall())


def fill(tx: Tx, number: int) -> int:
    mark(tx, number)
    tx.people.seen(number, name="x" * 200_000, app_language="en", now=NOW)
    return number


async def test_a_full_disk_is_a_refusal_that_moves_nothing_and_passes(sqlite_store: Store) -> None:
    await pragma(sqlite_store, "PRAGMA max_page_count = 1")  # as many as there are, no more
    answers = await all_of(sqlite_store, (fill, 1), (mark, 2), (fill, 3))

    assert isinstance(answers[0], StorageUnavailable)
    assert answers[0].reason is Reason.FULL
    assert answers[1] == 2  # there was room for this one
    assert isinstance(answers[2], StorageUnavailable)
    assert await sqlite_store.read(marks) == [2]
    assert await sqlite_store.read(lambda tx: tx.people.get(1)) is None

    await pragma(sqlite_store, "PRAGMA max_page_count = 1000000")
    assert await sqlite_store.run(fill, 1) == 1


async def test_a_file_that_cannot_be_written_is_a_refusal_and_passes(sqlite_store: Store) -> None:
    await pragma(sqlite_store, "PRAGMA query_only = ON")
    with pytest.raises(StorageUnavailable) as refusal:
        await sqlite_store.run(mark, 1)
    assert refusal.value.reason is Reason.READ_ONLY

    await pragma(sqlite_store, "PRAGMA query_only = OFF")
    assert await sqlite_store.run(mark, 1) == 1


async def test_a_file_that_is_no_database_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "letter.db"
    path.write_text("Dear Ann, " * 1000)

    with pytest.raises(StorageUnavailable) as refusal:
        await open_store(f"sqlite:///{path}")
    assert refusal.value.reason is Reason.DAMAGED


async def test_the_connection_is_as_durable_and_strict_as_promised(sqlite_store: Store) -> None:
    def asked(tx: Tx, name: str, column: str) -> object:
        return tx.rows(f"PRAGMA {name}")[0][column]

    columns = {"journal_mode": "journal_mode", "synchronous": "synchronous", "foreign_keys": "foreign_keys"}
    columns |= {"busy_timeout": "timeout"}
    found = {name: await sqlite_store.run(asked, name, column) for name, column in columns.items()}

    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 200}
    assert logging.getLogger("aiosqlite").level == logging.WARNING


async def test_reads_keep_few_pages_whatever_the_size_of_the_file(sqlite_store: Store) -> None:
    [row] = await sqlite_store.read(lambda tx: tx.rows("PRAGMA cache_size"))

    assert row["cache_size"] == -512  # KiB: memory must not follow the number of people


TAPPER = """
import asyncio, sys
from bot.storage import open_store
from tests.bot.test_storage_store import mark

async def player(store, numbers):
    for number in numbers:
        print(await store.run(mark, number), flush=True)

async def main():
    store = await open_store(sys.argv[1])
    numbers = iter(range(10**6))
    await asyncio.gather(*(player(store, numbers) for _ in range(16)))

asyncio.run(main())
"""


async def test_f119_killed_between_commits_nothing_that_was_answered_is_lost(file: Path) -> None:
    with subprocess.Popen(  # noqa: ASYNC220, S603 - our own script, read to its end before anything else goes on
        [sys.executable, "-W", "ignore", "-c", TAPPER, f"sqlite:///{file}"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout is not None
        answered = [int(process.stdout.readline()) for _ in range(300)]
        process.send_signal(signal.SIGKILL)
        answered += [int(line) for line in process.stdout.read().splitlines(keepends=True) if line.endswith("\n")]

    store = await open_store(f"sqlite:///{file}")
    assert set(answered) <= set(await store.read(marks))
    await store.close()


async def test_contract_aiosqlite_runs_a_function_on_its_one_thread(connection: Connection) -> None:
    """The one private method that the store leans on: `_execute(function, *args)`, in order, on the same thread."""
    threads = [await connection.call(threading.get_ident) for _ in range(3)]

    assert len(set(threads)) == 1
    assert threads[0] != threading.get_ident()
    assert await connection.call(lambda one, two: one + two, 1, 2) == 3
    with pytest.raises(ZeroDivisionError):
        await connection.call(lambda: 1 // 0)
    assert isinstance(connection, aiosqlite.Connection)


# --- PostgreSQL ---


@pytest.mark.postgres
async def test_postgres_a_broken_connection_is_replaced_before_anybody_notices(tmp_path: Path) -> None:
    from tests.bot.databases import fresh_postgres, on_server  # noqa: PLC0415 - starts the server only here

    url = fresh_postgres()
    store = await open_store(url)
    await store.run(mark, 1)
    on_server("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'q64_%'")

    assert await store.run(mark, 2) == 2
    assert await store.read(marks) == [1, 2]
    await store.close()


@pytest.mark.postgres
async def test_postgres_that_is_not_there_is_a_refusal() -> None:
    with pytest.raises(StorageUnavailable) as refusal:
        await open_store(server_url("no_such_database"))
    assert refusal.value.reason is Reason.UNREACHABLE
