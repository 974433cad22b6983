"""
Taps a second of a whole use case (mark, seat, compare-and-swap of the round, a movement of two lines), fully durable
through the store, against the same statements by bare sqlite3 in the loop's own thread with synchronous=NORMAL.

Run: python -m tests.bench.bench_storage. The variants take turns, so that both see the same machine; use the ratio.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from bot.storage import Account, AccountKind, Entry, Store, Tx, migrate, open_store
from core import fair, solo
from core.betting import Wager
from core.solo import Betting

NOW = datetime(2026, 6, 1, tzinfo=UTC)
SEATS = 1000
TAPS = 3000
ROUNDS = 5
GOAL = 0.7  # of the bare rate, at 64 outstanding


def set_the_table(tx: Tx, user_id: int) -> int:
    """A seat with a night, chips and an open round; the round's id."""
    chat = tx.chats.seen(-1001, kind="supergroup", title="bench", now=NOW)
    seat = tx.seats.open(chat.id, user_id, now=NOW)
    night = tx.nights.open(seat, rules=chat.rules, buy_in=500, now=NOW)
    tx.ledger.move(
        "buy_in", Entry(Account(AccountKind.MINT), -500), Entry(Account(AccountKind.SEAT, seat.id), 500), now=NOW
    )
    secret = user_id.to_bytes(32)
    round_ = tx.rounds.open(
        night=night,
        secret=secret,
        words=("",),
        commitment=fair.commitment(secret),
        state=solo.sit_down(chat.rules),
        now=NOW,
    )
    tx.seats.put(replace(seat, night_id=night.id, round_id=round_.id))
    return round_.id


def tap(tx: Tx, update_id: int, user_id: int) -> int:
    """One chip from the seat to the round or back, and another bet on the table."""
    if not tx.marks.first(update_id, now=NOW):
        return 0
    seat = tx.seats.at(-1001, user_id)
    assert seat is not None
    assert seat.round_id is not None
    round_ = tx.rounds.get(seat.round_id)
    assert round_ is not None
    assert isinstance(round_.state, Betting)
    chips = 5 if round_.version % 2 else -5
    state = replace(round_.state, wager=Wager(ante=25 + chips))
    tx.ledger.move(
        "tap",
        Entry(Account(AccountKind.SEAT, seat.id), -chips),
        Entry(Account(AccountKind.ROUND, round_.id), chips),
        round_id=round_.id,
        now=NOW,
    )
    return tx.rounds.put(round_, state=state, now=NOW).version


class Bare:
    """The floor: the same reads and writes, nothing decoded, one NORMAL transaction a tap, no thread."""

    def __init__(self, path: Path) -> None:
        self.raw = sqlite3.connect(path, isolation_level=None, cached_statements=512)
        self.raw.execute("PRAGMA foreign_keys = ON")
        self.raw.execute("PRAGMA synchronous = NORMAL")

    async def tap(self, update_id: int, user_id: int) -> int:
        execute = self.raw.execute
        execute("BEGIN IMMEDIATE")
        execute("INSERT INTO marks (update_id, at) VALUES (?, 0) ON CONFLICT DO NOTHING", (update_id,))
        seat = execute("SELECT * FROM seats WHERE chat_id = -1001 AND user_id = ?", (user_id,)).fetchall()[0]
        seat_id, round_id = seat[0], seat[5]
        state, version = execute("SELECT state, version FROM rounds WHERE id = ?", (round_id,)).fetchall()[0]
        chips = 5 if version % 2 else -5
        movement = execute(
            "INSERT INTO movements (why, round_id, at) VALUES ('tap', ?, 0) RETURNING id", (round_id,)
        ).fetchall()[0][0]
        execute("UPDATE seats SET chips = chips - ? WHERE id = ? AND chips >= ?", (chips, seat_id, chips))
        execute("INSERT INTO entries VALUES (?, 0, 'seat', ?, ?)", (movement, seat_id, -chips))
        execute("INSERT INTO entries VALUES (?, 1, 'round', ?, ?)", (movement, round_id, chips))
        execute(
            "UPDATE rounds SET state = ?, version = ? + 1, ante = ? WHERE id = ? AND version = ? AND void = 0",
            (state, version, 25 + chips, round_id, version),
        )
        execute("COMMIT")
        return int(version)


async def rate(tap_once: Callable[[int, int], Awaitable[int]], updates: count[int], outstanding: int) -> float:
    """Taps a second with so many players, who tap again as soon as the last tap is answered."""
    left = iter(range(TAPS))

    async def player(user_id: int) -> None:
        for turn in left:
            await tap_once(next(updates), 1 + (user_id + turn * outstanding) % SEATS)

    started = time.perf_counter()
    await asyncio.gather(*(player(user_id) for user_id in range(outstanding)))
    return TAPS / (time.perf_counter() - started)


async def measure(folder: Path) -> dict[tuple[str, int], list[float]]:
    updates = count(1)
    stores: dict[str, Path] = {name: folder / f"{name}.db" for name in ("store", "bare")}
    for path in stores.values():
        migrate(f"sqlite:///{path}")
        store = await open_store(f"sqlite:///{path}")
        await asyncio.gather(*(store.run(set_the_table, user_id) for user_id in range(1, SEATS + 1)))
        await store.close()
    store = await open_store(f"sqlite:///{stores['store']}")
    bare = Bare(stores["bare"])

    async def stored(update_id: int, user_id: int) -> int:
        return await run_tap(store, update_id, user_id)

    rates: dict[tuple[str, int], list[float]] = {}
    with contextlib.closing(bare.raw):
        for _ in range(ROUNDS):
            for outstanding in (1, 8, 64):
                for name, once in (("store", stored), ("bare", bare.tap)):
                    rates.setdefault((name, outstanding), []).append(await rate(once, updates, outstanding))
    await store.close()
    return rates


async def run_tap(store: Store, update_id: int, user_id: int) -> int:
    return await store.run(tap, update_id, user_id)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        rates = asyncio.run(measure(Path(folder)))
    for outstanding in (1, 8, 64):
        ours, floor = (statistics.median(rates[name, outstanding]) for name in ("store", "bare"))
        ratio = ours / floor
        goal = f", goal {GOAL}: {'met' if ratio >= GOAL else 'MISSED'}" if outstanding == 64 else ""
        print(f"{outstanding:3} outstanding: store FULL {ours:6.0f}/s, bare NORMAL {floor:6.0f}/s, {ratio:.2f}{goal}")


if __name__ == "__main__":
    main()
