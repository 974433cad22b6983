"""What happens without a tap: timers that fall due, pictures left over from before a restart, what grows old."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog

from bot.facts import Clock
from bot.leftovers import Leftovers, Repainter
from bot.storage.errors import StorageUnavailable
from bot.storage.store import Store
from bot.storage.timers import Timer
from bot.storage.tx import Tx

log = structlog.get_logger(__name__)

LEASE = 60.0  # seconds a claimed timer is ours; who dies meanwhile leaves it to the next
PAUSE = 1.0  # seconds between two looks at the timers
AT_ONCE = 32  # timers claimed together
FORGETTING = timedelta(hours=1)  # between two looks at old marks
SWEEPING = timedelta(days=1)  # between two walks through all boards
BOARDS_AT_ONCE = 1000  # looked at in one step of such a walk
MARKS_AT_ONCE = 1000  # dropped in one transaction

Handler = Callable[[Timer], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """How long what is over is kept; rounds, nights, ledger and events are kept for ever."""

    boards: timedelta  # since the last tap, where no night is under way
    marks: timedelta  # Telegram offers an update again for one day


class Jobs:
    """
    Looks for due timers, claims them with a lease and runs the handler of their kind.

    A handler that fails leaves its timer to be claimed again when the lease ends, so handlers are idempotent; a
    downtime delays but never loses or doubles one. Any number of processes may look; where the database is *shared*,
    each also has painted what a process left that is no more.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        painter: Repainter,
        handlers: Mapping[str, Handler],
        *,
        keeping: Keeping,
        at_start: Callable[[], Awaitable[None]] | None = None,
        shared: bool = False,
    ) -> None:
        self._store = store
        self._clock = clock
        self._leftovers = Leftovers(store, clock, painter, shared=shared)
        self._handlers = handlers
        self._at_start = at_start
        self._keeping = keeping
        self._stopping = False
        self._running: set[asyncio.Task[None]] = set()
        self._forgotten: datetime | None = None
        self._swept: datetime | None = None  # when the latest walk through the boards began
        self._sweeping: int | None = None  # the board after which it goes on; none while there is none

    async def run(self) -> None:
        """Repaint what is left over, then look for timers until `stop`."""
        await self._outlive(self.repaint)
        if self._at_start is not None:
            await self._outlive(self._at_start)
        while not self._stopping:
            await self._outlive(self.look)
            await self._outlive(self.forget)
            await self._outlive(self.sweep)
            await self._outlive(self.rescue)
            await self._clock.sleep(PAUSE)

    def stop(self) -> None:
        """Look no more; handlers under way go on."""
        self._stopping = True

    async def rest(self) -> None:
        """Until no handler is under way."""
        while self._running:
            await asyncio.wait([*self._running])

    async def look(self) -> None:
        """Claim what is due and start it."""
        while claimed := await self._store.run(_claim, now=self._clock.now()):
            for timer in claimed:
                self._begin(self._handle(timer))
            if len(claimed) < AT_ONCE:
                return

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _handle(self, timer: Timer) -> None:
        handler = self._handlers.get(timer.kind)
        if handler is None:
            log.error("timer_unknown", kind=timer.kind, subject=timer.subject)
            return
        try:
            await handler(timer)
            await self._store.run(_done, timer)
        except Exception:
            log.exception("timer_failed", kind=timer.kind, subject=timer.subject)

    async def repaint(self) -> None:
        """Bring every board to the picture that is stored, and take the keys off messages that were left behind."""
        await self._leftovers.bring(await self._leftovers.all())

    async def rescue(self) -> None:
        """Have painted what another process left; a beginning, since that may take a while."""
        if stuck := await self._leftovers.stuck():
            self._begin(self._leftovers.bring(stuck))

    async def forget(self) -> None:
        """Drop old update marks, and chats in which nobody writes, once an hour, in steps that keep no tap waiting."""
        now = self._clock.now()
        if self._forgotten is None or now - self._forgotten >= FORGETTING:
            while await self._store.run(_forget, now - self._keeping.marks) == MARKS_AT_ONCE:
                pass
            await self._store.run(_forget_lanes, now - FORGETTING)
            self._forgotten = now

    async def sweep(self) -> None:
        """One step of a walk through all boards that drops those that are over; a walk begins once a day."""
        now = self._clock.now()
        if self._swept is None or (self._sweeping is None and now - self._swept >= SWEEPING):
            self._swept, self._sweeping = now, 0
        if self._sweeping is not None:
            self._sweeping = await self._store.run(_sweep, now - self._keeping.boards, after=self._sweeping)

    async def _outlive(self, work: Callable[[], Awaitable[None]]) -> None:
        """Whatever goes wrong in one part, the timers are looked at again."""
        try:
            await work()
        except StorageUnavailable as error:
            log.warning("jobs_wait_for_storage", reason=error.reason)
        except Exception:
            log.exception("jobs_failed")


def _claim(tx: Tx, *, now: datetime) -> list[Timer]:
    return tx.timers.claim(now, LEASE, AT_ONCE)


def _done(tx: Tx, timer: Timer) -> bool:
    return tx.timers.done(timer)


def _forget(tx: Tx, instant: datetime) -> int:
    return tx.marks.forget_before(instant, MARKS_AT_ONCE)


def _forget_lanes(tx: Tx, instant: datetime) -> int:
    return tx.lanes.forget_before(instant)


def _sweep(tx: Tx, before: datetime, *, after: int) -> int | None:
    return tx.boards.forget_finished(before, after=after, most=BOARDS_AT_ONCE)
