"""`/top` in a chat with 100,000 nights against one with 100, the asker's own place far down included; on SQLite."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import statistics
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from bot.facts import Ending, Who
from bot.periods import Period
from bot.services import contests
from bot.storage import Store, Tx, migrate, open_store
from core.rules import SELMINHA
from tests.bench.figures import Figure

NOW = datetime(2026, 6, 17, 12, tzinfo=UTC)
FEW, MANY = 100, 100_000  # nights
PEOPLE = (60, 3000)
_ASKED = 40  # in one turn
_CHAT, _LAST = -1001, 1
_YEAR = 365 * 24 * 3600 * 1000  # milliseconds


def top(rounds: int) -> list[Figure]:
    """Each period for itself; the asker has one night, the lowest of all."""
    figures: list[Figure] = []
    for people in PEOPLE:
        with tempfile.TemporaryDirectory(prefix="q64-bench-") as folder:
            spent = asyncio.run(_asked(Path(folder), rounds, people))
        for period in Period:
            few, many = (statistics.median(spent[period, nights]) for nights in (FEW, MANY))
            bench = f"/top among {people:,} people, {period.name.lower().replace('_', ' ')}"
            figures += [
                Figure(bench=bench, what=f"{FEW:,} nights", value=few * 1000, unit="ms"),
                Figure(bench=bench, what=f"{MANY:,} nights", value=many * 1000, unit="ms"),
                Figure(bench=bench, what="many : few", value=many / few, unit="times", at_most=3),
            ]
    return figures


async def _asked(folder: Path, rounds: int, people: int) -> dict[tuple[Period, int], list[float]]:
    stores: dict[int, Store] = {}
    for nights in (FEW, MANY):
        path = folder / f"{nights}.db"
        migrate(f"sqlite:///{path}")
        await asyncio.to_thread(fill, path, nights=nights, people=people)
        stores[nights] = await open_store(f"sqlite:///{path}")
        await stores[nights].run(cash_out)
    spent: dict[tuple[Period, int], list[float]] = {(period, n): [] for period in Period for n in stores}
    for turn in range(rounds + 1):
        for (period, nights), measured in spent.items():
            once = await _once(stores[nights], period)
            if turn:  # the first warms up
                measured.append(once)
    for store in stores.values():
        await store.close()
    return spent


async def _once(store: Store, period: Period) -> float:
    who = Who(user_id=_LAST, name="", app_language="en", chat_id=_CHAT, chat_kind="supergroup")
    spent: list[float] = []
    for _ in range(_ASKED):
        started = time.perf_counter()
        found = await store.read(contests.top, who, period, asker=_LAST, now=NOW)
        assert len(found.scores) >= 5
        assert found.own is not None
        spent.append(time.perf_counter() - started)
    return statistics.median(spent)


def cash_out(tx: Tx) -> None:
    """One more night of the asker ends, as nights do: the lists are kept from then on."""
    seat = tx.seats.at(_CHAT, _LAST)
    assert seat is not None
    night = tx.nights.count_hand(tx.nights.open(seat, rules=SELMINHA, buy_in=500, now=NOW))
    tx.nights.close(night, chips=10, ending=Ending.CASHED, now=NOW)


def fill(path: Path, *, nights: int, people: int) -> None:
    """Nights of so many people over a year, the last hundred of them in the last hours; one low one by the asker."""
    chance = random.Random(nights)
    now = int(NOW.timestamp() * 1000)
    rows = []
    for number in range(nights - 1):
        recent = number < FEW
        closed = now - chance.randrange(10 * 3600 * 1000 if recent else _YEAR)
        rows.append((1 + _LAST + chance.randrange(people), closed, 5 * chance.randrange(20, 400)))
    rows.append((_LAST, now - 1000, 10))
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA foreign_keys = OFF")
        raw.execute("PRAGMA synchronous = OFF")
        raw.execute("BEGIN")
        raw.executemany(
            "INSERT INTO seats (chat_id, user_id, chips, chip, repeat, opened) VALUES (?, ?, 0, 0, 1, 0)",
            [(_CHAT, user_id) for user_id in range(1, people + 2)],
        )
        raw.executemany(
            "INSERT INTO nights (seat_id, chat_id, user_id, rules_id, opened, buy_in, hands, closed, chips, ending,"
            " score) VALUES (?1, ?4, ?1, 1, ?2 - 1000, 500, 20, ?2, ?3, 'cashed', ?3)",
            [(*row, _CHAT) for row in rows],
        )
        raw.execute("COMMIT")
        raw.execute("ANALYZE")
