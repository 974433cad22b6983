"""What must not grow: the start, memory with the number of people, and the cost of a tap with the size of the books."""

from __future__ import annotations

import asyncio
import compileall
import random
import sqlite3
import statistics
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import bot
import core
from bot.storage import Store, migrate, open_store
from tests.bench.bench_storage import set_the_table, tap
from tests.bench.figures import Figure
from tests.bench.race import Arena, database_for
from tests.bot.evenings import play

FEW_PEOPLE = 1000
SEATS, LINES = 1_000_000, 10_000_000
_PLAYING = 2000  # seats that tap, spread over all of them
_TAPS = 4000
_OUTSTANDING = 64
_EVENINGS = (30, 230)  # hands of each person
_FIRST_VISITOR = 1_000_000


def start(rounds: int) -> list[Figure]:
    """
    CPU until the first poll, on a database that is there already, against a bare PTB application.

    Both start from bytecode, as pip leaves it when it installs a wheel.
    """
    for package in (bot, core):
        compileall.compile_dir(Path(package.__path__[0]), quiet=1)
    spent: dict[str, list[float]] = {}
    for _ in range(rounds):
        with ExitStack() as stack:
            arena = Arena(stack)
            database = database_for("q64 run", stack)
            migrate(database)
            for number, name in enumerate(("stock", "q64 run")):
                racer = arena.enter(name, number, database if name.startswith("q64") else "")
                spent.setdefault(name, []).append(racer.start_cpu)
    ours, stock = (statistics.median(spent[name]) for name in ("q64 run", "stock"))
    bench = "start, CPU to the first poll"
    return [
        Figure(bench=bench, what="bare PTB application", value=stock * 1000, unit="ms"),
        Figure(bench=bench, what="q64 run", value=ours * 1000, unit="ms"),
        Figure(bench=bench, what="q64 run : bare PTB application", value=ours / stock, unit="times", at_most=2),
    ]


def people(most: int) -> list[Figure]:
    """Memory after so many distinct people, each with a board and a hand dealt, against 1,000."""
    with ExitStack() as stack:
        arena = Arena(stack)
        racer = arena.enter("q64 SQLite", 0, database_for("q64 SQLite", stack))
        used = {}
        for before, after in ((0, FEW_PEOPLE), (FEW_PEOPLE, most)):
            arena.control("visit", racer, first=_FIRST_VISITOR + before, count=after - before)
            time.sleep(2)  # the marks of what was painted are written
            _, used[after] = racer.used()
    bench = "memory of the whole bot"
    few, many = used[FEW_PEOPLE], used[most]
    return [
        Figure(bench=bench, what=f"after {FEW_PEOPLE:,} people", value=few / 2**20, unit="MiB"),
        Figure(bench=bench, what=f"after {most:,} people", value=many / 2**20, unit="MiB"),
        Figure(bench=bench, what=f"{most:,} : {FEW_PEOPLE:,} people", value=many / few, unit="times", at_most=1.05),
    ]


def disk() -> list[Figure]:
    """What a million hands take up in a SQLite file, from the difference of two evenings."""
    sizes, hands = zip(*(asyncio.run(_evening(length)) for length in _EVENINGS), strict=True)
    bytes_a_hand = (sizes[1] - sizes[0]) / (hands[1] - hands[0])
    what = "a million hands, proofs and books included"
    return [Figure(bench="disk", what=what, value=bytes_a_hand / 1000, unit="GB", at_most=1.2)]


async def _evening(length: int) -> tuple[int, int]:
    """Bytes of the file, and hands settled in it."""
    with tempfile.TemporaryDirectory(prefix="q64-bench-") as folder:
        path = Path(folder) / "q64.db"
        migrate(f"sqlite:///{path}")
        store = await open_store(f"sqlite:///{path}")
        await play(store, hands=length, tables=False, events=False)
        settled = await store.read(lambda tx: tx.rows("SELECT id FROM rounds WHERE phase = 'settled'"))
        await store.close()
        return path.stat().st_size, len(settled)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lap:
    rate: float  # taps a second
    p99: float  # seconds from the tap to its commit


def growth(rounds: int) -> list[Figure]:
    """Durable taps with large books against none but of those who tap, on SQLite, seats at random."""
    with tempfile.TemporaryDirectory(prefix="q64-bench-") as folder:
        laps = asyncio.run(_grown(Path(folder), rounds))
    pairs = [*zip(laps[0], laps[SEATS], strict=True)]
    bench = f"growth, {_OUTSTANDING} taps outstanding"
    figures = []
    for what, seats in (("empty", 0), (f"{SEATS:,} seats, {LINES:,} lines", SEATS)):
        rate, p99 = (statistics.median(getattr(lap, name) for lap in laps[seats]) for name in ("rate", "p99"))
        figures += [
            Figure(bench=bench, what=f"{what}: taps", value=rate, unit="a second"),
            Figure(bench=bench, what=f"{what}: p99", value=p99 * 1000, unit="ms"),
        ]
    rates, waits = ([getattr(large, name) / getattr(empty, name) for empty, large in pairs] for name in ("rate", "p99"))
    return [
        *figures,
        Figure(bench=bench, what="large : empty, taps", value=statistics.median(rates), unit="times", at_least=0.7),
        Figure(bench=bench, what="large : empty, p99", value=statistics.median(waits), unit="times", at_most=1.5),
    ]


async def _grown(folder: Path, rounds: int) -> dict[int, list[Lap]]:
    stores: dict[int, tuple[Store, list[int]]] = {}
    for seats, lines in ((0, 0), (SEATS, LINES)):
        path = folder / f"{seats}.db"
        migrate(f"sqlite:///{path}")
        playing = sorted(random.Random(seats).sample(range(1, (seats or _PLAYING) + 1), _PLAYING))
        if lines:
            await asyncio.to_thread(fill, path, seats=seats, lines=lines, but=playing)
        store = await open_store(f"sqlite:///{path}")
        await asyncio.gather(*(store.run(set_the_table, user_id) for user_id in playing))
        stores[seats] = (store, playing)
    updates = count(1)
    laps: dict[int, list[Lap]] = {seats: [] for seats in stores}
    for turn in range(rounds + 1):
        for seats, (store, playing) in stores.items():
            measured = await _lap(store, playing, updates)
            if turn:  # the first warms up
                laps[seats].append(measured)
    for store, _ in stores.values():
        await store.close()
    return laps


async def _lap(store: Store, playing: list[int], updates: count[int]) -> Lap:
    """Players tap in an order of their own, so that no two taps are neighbours in the file."""
    chance = random.Random(0)
    left = iter([chance.choice(playing) for _ in range(_TAPS)])
    waited: list[float] = []

    async def player() -> None:
        for user_id in left:
            tapped = time.perf_counter()
            await store.run(tap, next(updates), user_id)
            waited.append(time.perf_counter() - tapped)

    started = time.perf_counter()
    await asyncio.gather(*(player() for _ in range(_OUTSTANDING)))
    rate = _TAPS / (time.perf_counter() - started)
    return Lap(rate=rate, p99=sorted(waited)[_TAPS * 99 // 100])


def fill(path: Path, *, seats: int, lines: int, but: list[int]) -> None:
    """Seats of people 1 to *seats* in one chat but for some, and movements of two lines from the mint to them."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA foreign_keys = OFF")
        raw.execute("PRAGMA synchronous = OFF")
        raw.execute("BEGIN")
        raw.execute("CREATE TEMP TABLE spared (user_id INTEGER PRIMARY KEY)")
        raw.executemany("INSERT INTO spared VALUES (?)", [(user_id,) for user_id in but])
        numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :most)"
        raw.execute(
            f"INSERT INTO seats (chat_id, user_id, chips, chip, repeat, opened) {numbers}"  # noqa: S608 - our own words
            " SELECT -1001, i, 0, 0, 1, 0 FROM n WHERE i NOT IN (SELECT user_id FROM spared)",
            {"most": seats},
        )
        raw.execute(
            f"INSERT INTO movements (why, round_id, at) {numbers} SELECT 'buy_in', NULL, i FROM n",  # noqa: S608 - the same
            {"most": lines // 2},
        )
        for line, kind, sign in ((0, "mint", "-"), (1, "seat", "")):
            raw.execute(
                "INSERT INTO entries (movement_id, line, kind, ref, chips)"  # noqa: S608 - the same
                f" SELECT id, {line}, '{kind}', {'0' if kind == 'mint' else 'id * 7919 % :seats + 1'}, {sign}5"
                " FROM movements",
                {"seats": seats},
            )
        raw.execute("COMMIT")
        raw.execute("ANALYZE")
