"""The line of updates: in order within a chat, chats side by side, nobody longer than ten seconds."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Protocol

import structlog
from telegram import Update
from telegram.ext import Application

from bot.facts import Clock
from bot.intake.door import Door, Raw, Visitor, Why
from bot.intake.polling import Poller, Source
from bot.storage import StorageUnavailable
from bot.telemetry import UNDERWAY, Metrics, Underway
from bot.transport import as_update, read_update

log = structlog.get_logger(__name__)

PATIENCE = 10.0  # seconds an update may take
_REMEMBERED = 1024  # update ids; Telegram offers at most 100 again


class NotTaken(Exception):  # noqa: N818 - read as a sentence
    """Raised when an update must not be lost and the database has not taken it: it is to come again."""


class Reception(Protocol):
    """What happens to those who are turned away, and who hears that a chat speaks; made where words are known."""

    def heard(self, chat_id: int) -> None: ...

    async def refuse(self, visitor: Visitor, why: Why, error_id: str) -> None:
        """
        Answer a tap, or say a word where one is due; runs aside.

        Asked for every tap that no handler answers, for commands of channels and anonymous admins, and for updates that
        were too slow or failed.
        """
        ...


class Turn:
    """Updates of one chat that came together, and how far they are."""

    __slots__ = ("arrived", "late", "over", "task", "underway", "visitor", "waiting")

    def __init__(self, arrived: float) -> None:
        self.waiting: deque[Visitor] = deque()
        self.visitor: Visitor | None = None  # whose turn it is
        self.underway: Underway | None = None
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.task: asyncio.Task[None] | None = None
        self.arrived = arrived
        self.late = False

    def end(self) -> None:
        """Let the next turn of the chat begin, and whoever waits for this one go."""
        if not self.over.done():
            self.over.set_result(None)


class Intake:
    """
    Takes updates from polling or webhook and runs PTB's handlers on them.

    Correctness rests on the store: an update that comes again is dropped early here, and harmless later.
    """

    def __init__(
        self,
        application: Application[Any, Any, Any, Any, Any, Any],
        clock: Clock,
        metrics: Metrics,
        reception: Reception,
        *,
        name: str,
        mask: Callable[[int], str],
        allows: Callable[[int], bool] = lambda _: True,
    ) -> None:
        self._application = application
        self._clock = clock
        self._metrics = metrics
        self._reception = reception
        self._mask = mask
        self._door = Door(name=name, started=clock.now(), allows=allows)
        self._last: dict[int, Turn] = {}  # by chat
        self._inside: dict[int, Visitor] = {}  # by update
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._owed: set[int] = set()  # updates that must not be lost, and are not done
        self._tasks: set[asyncio.Task[None]] = set()
        self._poller: Poller | None = None
        application.add_error_handler(self._on_error)
        metrics.queue("updates", lambda: len(self._inside))

    async def run_polling(self, source: Source) -> None:
        """
        Take updates from *source* until `stop`.

        :raises TwoPollers: After a minute of 409.
        :raises InvalidToken: If Telegram does not know the token.
        """
        self._poller = Poller(source, self.take, self._clock)
        await self._poller.run()
        await self.rest()

    def stop(self) -> None:
        """End polling when the batch under way is done."""
        if self._poller is not None:
            self._poller.stop()

    async def receive(self, body: bytes) -> None:
        """
        Take what a webhook was sent; returns when it is done.

        :raises ValueError: If it is no update.
        :raises NotTaken: If it is to come again.
        """
        if await self.take([read_update(body)]):
            raise NotTaken

    async def take(self, updates: Iterable[Raw]) -> bool:
        """
        Take updates in their order; returns when all are done, after ten seconds at the latest.

        Whether they are to come again, as one of them must not be lost (F01) and the database has not taken it; those
        that are done are dropped then.
        """
        now = self._clock.now()
        turns: dict[int, Turn] = {}
        services: set[int] = set()
        for raw in updates:
            visitor = self._look(raw)
            if visitor is None or visitor.chat_id is None:
                continue
            turn = turns.get(visitor.chat_id)
            if turn is None:
                turn = turns[visitor.chat_id] = Turn(now.timestamp())
            turn.waiting.append(visitor)
            if visitor.service:
                services.add(visitor.update_id)
        for chat_id, turn in turns.items():
            before = self._last.get(chat_id)
            self._last[chat_id] = turn
            turn.task = asyncio.create_task(self._run(chat_id, turn, before))
            self._tasks.add(turn.task)
            turn.task.add_done_callback(self._tasks.discard)
        if turns:
            await self._until_over([*turns.values()])
        owed = services & (self._owed | self._inside.keys())
        self._owed -= owed
        return bool(owed)

    async def rest(self) -> None:
        """Until everything that came in is through, refusals included."""
        while self._tasks:
            await asyncio.wait([*self._tasks])

    # At the door

    def _look(self, raw: Raw) -> Visitor | None:
        """The visitor, unless turned away."""
        try:
            visitor = self._door.look(raw, self._clock.now())
        except Exception as error:  # noqa: BLE001 - whatever its shape does to us, it costs only itself
            self._unreadable(raw, error)
            return None
        if visitor.why is None:
            return visitor
        if self._first(visitor.update_id):
            self._count(visitor, f"turned_away_{visitor.why}")
            log.debug("turned_away", update=visitor.update_id, why=visitor.why)
            told = bool(visitor.command) and visitor.why in {Why.CHANNEL, Why.ANONYMOUS}
            shown_out = visitor.speaks and visitor.why is Why.NOT_ALLOWED
            if visitor.query_id or told or shown_out:
                self._refuse(visitor, visitor.why)
        return None

    def _unreadable(self, raw: Raw, error: Exception) -> None:
        self._metrics.updates.labels("other", "unreadable").inc()
        log.error("update_unreadable", update=raw.get("update_id"), error=type(error).__name__)
        tap = raw.get("callback_query")
        if isinstance(tap, dict) and isinstance(query_id := tap.get("id"), str):
            visitor = Visitor(update_id=raw.get("update_id", 0), kind="callback_query", raw=raw, query_id=query_id)
            self._refuse(visitor, Why.UNREADABLE)

    def _first(self, update_id: int) -> bool:
        """Whether this update has not come before, as far as this process remembers."""
        if update_id in self._seen:
            return False
        self._seen[update_id] = None
        while len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return True

    def _refuse(self, visitor: Visitor, why: Why, error_id: str = "") -> None:
        self._aside(self._reception.refuse(visitor, why, error_id))

    def _aside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # it may have been cancelled before it began

    async def _logged(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            log.exception("refusal_failed")

    # In the line

    async def _run(self, chat_id: int, turn: Turn, before: Turn | None) -> None:
        try:
            if before is not None and not before.over.done():
                await asyncio.wait([before.over])
            while turn.waiting:
                await self._one(turn, turn.waiting.popleft())
        finally:
            turn.end()
            if self._last.get(chat_id) is turn:
                del self._last[chat_id]

    async def _one(self, turn: Turn, visitor: Visitor) -> None:
        if not self._first(visitor.update_id):
            self._count(visitor, "repeated")
            return
        underway = Underway(update_id=visitor.update_id, arrived=turn.arrived)
        self._inside[visitor.update_id] = visitor
        token = UNDERWAY.set(underway)
        with structlog.contextvars.bound_contextvars(update=visitor.update_id):
            try:
                await self._handle(turn, visitor, underway)
            finally:
                turn.visitor = turn.underway = None
                UNDERWAY.reset(token)
                self._inside.pop(visitor.update_id, None)

    async def _handle(self, turn: Turn, visitor: Visitor, underway: Underway) -> None:
        try:
            update = as_update(visitor.raw, self._application.bot)
        except Exception as error:  # noqa: BLE001 - the same
            self._unreadable(visitor.raw, error)
            return
        if visitor.speaks and visitor.chat_id is not None:
            self._reception.heard(visitor.chat_id)
        turn.visitor, turn.underway = visitor, underway
        try:
            await self._application.process_update(update)
        except asyncio.CancelledError:
            if not turn.late:
                raise
            assert turn.task is not None  # noqa: S101 - it is the current task
            turn.task.uncancel()
        else:
            if not turn.late and visitor.update_id in self._inside:
                self._count(visitor, "done")

    async def _until_over(self, turns: list[Turn]) -> None:
        everybody = asyncio.create_task(_all(turns))
        patience = asyncio.create_task(self._clock.sleep(PATIENCE))
        try:
            await asyncio.wait({everybody, patience}, return_when=asyncio.FIRST_COMPLETED)
            for turn in turns:
                if not turn.over.done():
                    self._hurry(turn)
        finally:
            everybody.cancel()
            patience.cancel()

    def _hurry(self, turn: Turn) -> None:
        """
        Ten seconds are over: refuse what waits, cancel what has not begun its transaction, let the rest end by itself.

        Service messages stay in the line and are owed until they come again: a migration must not be lost.
        """
        turn.late = True
        here = (turn.visitor, *turn.waiting)
        self._owed.update(visitor.update_id for visitor in here if visitor is not None and visitor.service)
        if turn.visitor is not None and turn.underway is not None:
            self._too_slow(turn.visitor, begun=turn.underway.begun)
            if not turn.underway.begun and turn.task is not None:
                turn.task.cancel()
                if turn.visitor.service:
                    self._seen.pop(turn.visitor.update_id, None)
        waiting, turn.waiting = turn.waiting, deque()
        for visitor in waiting:
            if visitor.service:
                turn.waiting.append(visitor)
            elif self._first(visitor.update_id):
                self._too_slow(visitor, begun=False)
        turn.end()

    def _too_slow(self, visitor: Visitor, *, begun: bool) -> None:
        self._count(visitor, "too_slow")
        log.warning("update_too_slow", update=visitor.update_id, kind=visitor.kind, begun=begun)
        if not begun:
            self._refuse(visitor, Why.BUSY)

    # Failures

    async def _on_error(self, update: object, context: Any) -> None:
        """A handler raised: the tap is answered with an id that the log has too, and people's words stay out (F124)."""
        error_id = secrets.token_hex(4)
        visitor = self._inside.pop(update.update_id, None) if isinstance(update, Update) else None
        self._metrics.errors.inc()
        if visitor is not None and visitor.service and isinstance(context.error, StorageUnavailable):
            self._seen.pop(visitor.update_id, None)
            self._owed.add(visitor.update_id)
        if visitor is None:
            log.error("handler_failed", error=error_id, exc_info=context.error)
            return
        log.error(
            "handler_failed",
            error=error_id,
            kind=visitor.kind,
            chat_kind=visitor.chat_kind,
            chat=self._mask(visitor.chat_id or 0),
            user=self._mask(visitor.user_id or 0),
            exc_info=context.error,
        )
        self._count(visitor, "failed")
        self._refuse(visitor, Why.ERROR, error_id)

    def _count(self, visitor: Visitor, outcome: str) -> None:
        self._metrics.updates.labels(visitor.kind, outcome).inc()


async def _all(turns: list[Turn]) -> None:
    await asyncio.wait([turn.over for turn in turns])
