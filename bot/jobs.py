"""What happens without a tap: timers that fall due, pictures left over from before a restart, what grows old."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import structlog

from bot.facts import Board, Clock
from bot.storage.errors import StorageUnavailable
from bot.storage.events import EventBoard
from bot.storage.store import Store
from bot.storage.timers import Timer
from bot.storage.tx import Tx
from bot.tables import GroupTable

log = structlog.get_logger(__name__)

LEASE = 60.0  # seconds a claimed timer is ours; who dies meanwhile leaves it to the next
PAUSE = 1.0  # seconds between two looks at the timers
AT_ONCE = 32  # timers claimed together
FORGETTING = timedelta(hours=1)  # between two looks at old marks
SWEEPING = timedelta(days=1)  # between two walks through all boards
BOARDS_AT_ONCE = 1000
MARKS_AT_ONCE = 1000

Handler = Callable[[Timer], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """How long what is over is kept; rounds, nights, ledger and events are kept for ever."""

    boards: timedelta  # since the last tap, where no night is under way
    marks: timedelta  # Telegram offers an update again for one day


class Repainter(Protocol):
    """The painter as jobs need it."""

    async def repaint(self, boards: Iterable[int]) -> None: ...

    def strip(self, board: int, chat_id: int, message_id: int) -> None: ...


class Jobs:
    """
    Looks for due timers, claims them with a lease and runs the handler of their kind.

    A handler that fails leaves its timer to be claimed again when the lease ends, so handlers are idempotent; a
    downtime delays but never loses or doubles one. Any number of processes may look.
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
    ) -> None:
        self._store = store
        self._clock = clock
        self._painter = painter
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
        await self._unless_unavailable(self.repaint)
        if self._at_start is not None:
            await self._unless_unavailable(self._at_start)
        while not self._stopping:
            await self._unless_unavailable(self.look)
            await self._unless_unavailable(self.forget)
            await self._unless_unavailable(self.sweep)
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
                task = asyncio.create_task(self._handle(timer))
                self._running.add(task)
                task.add_done_callback(self._running.discard)
            if len(claimed) < AT_ONCE:
                return

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
        boards, tables, events = await self._store.run(_unpainted)
        await self._painter.repaint([board.id for board in boards if board.painted < board.wanted])
        for board in boards:
            if board.painted >= board.wanted and board.old_message_id is not None:
                self._painter.strip(board.id, board.chat_id, board.old_message_id)
        await self._painter.repaint([table.board for table in tables if table.painted < table.wanted])
        for table in tables:
            if table.painted >= table.wanted and table.old_message_id is not None:
                self._painter.strip(table.board, table.chat_id, table.old_message_id)
        await self._painter.repaint([event.board for event in events if event.painted < event.wanted])
        for event in events:
            if event.painted >= event.wanted and event.old_message_id is not None:
                self._painter.strip(event.board, event.chat_id, event.old_message_id)

    async def forget(self) -> None:
        """Drop old update marks, once an hour, in steps that keep no tap waiting."""
        now = self._clock.now()
        if self._forgotten is None or now - self._forgotten >= FORGETTING:
            while await self._store.run(_forget, now - self._keeping.marks) == MARKS_AT_ONCE:
                pass
            self._forgotten = now

    async def sweep(self) -> None:
        """One step of a walk through all boards that drops those that are over; a walk begins once a day."""
        now = self._clock.now()
        if self._swept is None or (self._sweeping is None and now - self._swept >= SWEEPING):
            self._swept, self._sweeping = now, 0
        if self._sweeping is not None:
            self._sweeping = await self._store.run(_sweep, now - self._keeping.boards, after=self._sweeping)

    async def _unless_unavailable(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except StorageUnavailable as error:
            log.warning("jobs_wait_for_storage", reason=error.reason)


def _claim(tx: Tx, *, now: datetime) -> list[Timer]:
    return tx.timers.claim(now, LEASE, AT_ONCE)


def _done(tx: Tx, timer: Timer) -> bool:
    return tx.timers.done(timer)


def _unpainted(tx: Tx) -> tuple[list[Board], list[GroupTable], list[EventBoard]]:
    most = BOARDS_AT_ONCE
    return tx.boards.unpainted(most), tx.tables.unpainted(most), tx.events.unpainted(most)


def _forget(tx: Tx, instant: datetime) -> int:
    return tx.marks.forget_before(instant, MARKS_AT_ONCE)


def _sweep(tx: Tx, before: datetime, *, after: int) -> int | None:
    return tx.boards.forget_finished(before, after=after, most=BOARDS_AT_ONCE)
