"""Timers, repainting and forgetting, on a real store and a turned clock."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.jobs import BOARDS_AT_ONCE, LEASE, SWEEPING, Jobs, Keeping
from bot.storage import Reason, StorageUnavailable, Store, Timer, Tx, open_store
from tests.bot.databases import board_of, fresh_sqlite, sit
from tests.clock import TurnedClock

KEEPING = Keeping(boards=timedelta(days=90), marks=timedelta(days=2))
GROUP = -1_009_000_000_000_001


@dataclass(slots=True)
class Easel:
    shown: list[int] = field(default_factory=list)
    stripped: list[tuple[int, int, int]] = field(default_factory=list)

    async def repaint(self, boards: Iterable[int]) -> None:
        self.shown.extend(boards)

    def strip(self, board: int, chat_id: int, message_id: int) -> None:
        self.stripped.append((board, chat_id, message_id))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(fresh_sqlite(tmp_path))
    yield opened
    await opened.close()


@dataclass(slots=True)
class Bench:
    clock: TurnedClock
    easel: Easel
    store: Store
    ran: list[tuple[str, int]] = field(default_factory=list)
    fails: int = 0

    async def handle(self, timer: Timer) -> None:
        self.ran.append((timer.kind, timer.subject))
        if self.fails:
            self.fails -= 1
            raise RuntimeError("bug")

    def jobs(self, store: Any = None, *, shared: bool = False) -> Jobs:
        handlers = {"turn": self.handle, "day": self.handle}
        return Jobs(store or self.store, self.clock, self.easel, handlers, keeping=KEEPING, shared=shared)

    async def set(self, kind: str, subject: int, seconds: float) -> None:
        due = self.clock.now() + timedelta(seconds=seconds)
        await self.store.run(lambda tx: tx.timers.set(kind, subject, due))

    async def look(self, jobs: Jobs) -> None:
        await jobs.look()
        await jobs.rest()


@pytest.fixture
def bench(store: Store) -> Bench:
    return Bench(TurnedClock(), Easel(), store)


async def test_a_timer_runs_when_due_and_once(bench: Bench) -> None:
    jobs = bench.jobs()
    await bench.set("turn", 7, 30)
    await bench.look(jobs)
    assert bench.ran == []
    await bench.clock.advance(30)
    await bench.look(jobs)
    await bench.look(jobs)
    await bench.clock.advance(LEASE * 2)
    await bench.look(jobs)
    assert bench.ran == [("turn", 7)]


async def test_two_processes_never_double_a_timer(bench: Bench) -> None:
    one, two = bench.jobs(), bench.jobs()
    for subject in range(100):
        await bench.set("turn", subject, 0)
    await asyncio.gather(one.look(), two.look())
    await one.rest()
    await two.rest()
    assert sorted(bench.ran) == [("turn", subject) for subject in range(100)]


async def test_a_handler_that_fails_is_tried_again_after_its_lease(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    jobs = bench.jobs()
    bench.fails = 1
    await bench.set("turn", 7, 0)
    await bench.look(jobs)
    await bench.clock.advance(LEASE - 1)
    await bench.look(jobs)
    assert len(bench.ran) == 1
    await bench.clock.advance(1)
    await bench.look(jobs)
    assert len(bench.ran) == 2
    await bench.clock.advance(LEASE)
    await bench.look(jobs)
    assert len(bench.ran) == 2


async def test_a_timer_set_anew_by_its_own_handler_stays(bench: Bench) -> None:
    async def again(timer: Timer) -> None:
        bench.ran.append((timer.kind, timer.subject))
        await bench.set("day", timer.subject, 60)

    jobs = Jobs(bench.store, bench.clock, bench.easel, {"day": again}, keeping=KEEPING)
    await bench.set("day", 1, 0)
    await bench.look(jobs)
    await bench.clock.advance(60)
    await bench.look(jobs)
    assert len(bench.ran) == 2


async def test_an_unknown_kind_stops_nothing(bench: Bench) -> None:
    await bench.set("from a newer release", 1, 0)
    await bench.set("turn", 2, 0)
    await bench.look(bench.jobs())
    assert bench.ran == [("turn", 2)]


async def test_a_downtime_delays_and_loses_nothing(bench: Bench) -> None:
    for subject in range(40):
        await bench.set("turn", subject, subject)
    await bench.clock.advance(86_400)
    await bench.look(bench.jobs())
    assert [subject for _, subject in bench.ran] == [*range(40)]


class Troubled:
    """A store in which everything goes wrong for a while."""

    def __init__(self, store: Store, failures: int, error: Exception) -> None:
        self.store = store
        self.failures = failures
        self.error = error

    async def run(self, use_case: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if self.failures:
            self.failures -= 1
            raise self.error
        return await self.store.run(use_case, *args, **kwargs)

    read = run


async def turned_until(clock: TurnedClock, holds: Callable[[], bool]) -> None:
    """The store works on a thread of its own, which no clock turns."""
    for _ in range(2000):
        if holds():
            return
        await clock.advance(0.1)
        await asyncio.sleep(0.001)
    raise AssertionError("it never came true")


@pytest.mark.parametrize(
    "error", [StorageUnavailable(Reason.LOCKED), ValueError("a row that cannot be read")], ids=repr
)
async def test_the_timers_outlive_whatever_goes_wrong_beside_them(
    bench: Bench, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    jobs = bench.jobs(Troubled(bench.store, 5, error))
    await bench.set("turn", 7, 2)
    running = asyncio.create_task(jobs.run())
    await turned_until(bench.clock, lambda: bool(bench.ran))
    jobs.stop()
    await turned_until(bench.clock, running.done)
    await jobs.rest()
    assert bench.ran == [("turn", 7)]


def left_over(tx: Tx, now: datetime) -> list[int]:
    """A board that is painted, one that is not, one that was retired."""
    boards = []
    for user in range(1, 4):
        board = board_of(tx, sit(tx, chat_id=GROUP, user_id=user, now=now), now=now)
        tx.messages.sent(board.id, chat_id=board.chat_id, message_id=70 + user, version=1)
        boards.append(board)
    tx.boards.want(boards[1])
    tx.boards.retire(boards[2].id)
    return [board.id for board in boards]


async def test_after_a_start_what_is_old_is_painted_and_old_keys_are_taken(bench: Bench) -> None:
    ids = await bench.store.run(left_over, bench.clock.now())
    await bench.jobs().repaint()
    assert bench.easel.shown == [ids[1]]
    assert bench.easel.stripped == [(ids[2], GROUP, 73)]


async def rescued(bench: Bench, jobs: Jobs, seconds: float) -> None:
    for _ in range(int(seconds)):
        await bench.clock.advance(1)
        await jobs.rescue()
        await jobs.rest()


async def test_f119_what_a_dead_process_left_unpainted_is_painted_by_another_once(bench: Bench) -> None:
    jobs = bench.jobs(shared=True)
    ids = await bench.store.run(left_over, bench.clock.now())
    await rescued(bench, jobs, 10)
    assert bench.easel.shown == []  # whoever was to do it may still be at it
    await rescued(bench, jobs, 10)
    assert bench.easel.shown == [ids[1]]
    assert bench.easel.stripped == [(ids[2], GROUP, 73)]
    await rescued(bench, jobs, 60)
    assert bench.easel.shown == [ids[1]]


async def test_a_board_that_is_painted_again_and_again_is_left_to_whoever_paints_it(bench: Bench) -> None:
    jobs = bench.jobs(shared=True)
    ids = await bench.store.run(left_over, bench.clock.now())
    again = "UPDATE boards SET painted = wanted, wanted = wanted + 1 WHERE id = :id"
    for _ in range(10):
        await bench.store.run(lambda tx: tx.execute(again, id=ids[1]))
        await rescued(bench, jobs, 6)
    assert bench.easel.shown == []


async def test_a_process_of_its_own_has_no_dead_neighbours(bench: Bench) -> None:
    jobs = bench.jobs()
    await bench.store.run(left_over, bench.clock.now())
    await rescued(bench, jobs, 60)
    assert bench.easel.shown == []


async def test_marks_older_than_two_days_are_forgotten_once_an_hour(bench: Bench) -> None:
    now = bench.clock.now()
    jobs = bench.jobs()
    await bench.store.run(lambda tx: [tx.marks.first(1, now=now), tx.marks.first(2, now=now + timedelta(hours=3))])
    await jobs.forget()
    await bench.clock.advance(KEEPING.marks.total_seconds() + 60)
    await jobs.forget()
    assert await bench.store.run(lambda tx: tx.marks.first(1, now=bench.clock.now()))
    assert not await bench.store.run(lambda tx: tx.marks.first(2, now=bench.clock.now()))


async def test_a_walk_through_the_boards_takes_a_step_a_look_and_begins_once_a_day(bench: Bench) -> None:
    steps: list[tuple[datetime, int]] = []

    class Counted:
        async def run(self, _use_case: Any, before: datetime, *, after: int) -> int | None:
            steps.append((before, after))
            return after + BOARDS_AT_ONCE if after < BOARDS_AT_ONCE else None

    jobs, began = bench.jobs(Counted()), bench.clock.now() - KEEPING.boards
    for _ in range(5):
        await jobs.sweep()
    assert steps == [(began, 0), (began, BOARDS_AT_ONCE)]

    await bench.clock.advance(SWEEPING.total_seconds())
    await jobs.sweep()
    assert steps[2:] == [(began + SWEEPING, 0)]
