"""Boards: the newest picture of each, as soon as its chat allows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

import structlog
from telegram import Bot
from telegram.error import TelegramError

from bot.facts import Clock
from bot.painter.budget import TELEGRAM, Limits
from bot.painter.chats import ChatLost, Chats, Migrated
from bot.painter.job import Urgency
from bot.painter.leases import Leases
from bot.painter.outbox import Outbox
from bot.painter.outcomes import Outcome, judge
from bot.painter.pictures import BoardJob, Picture, PictureStore
from bot.telemetry import Metrics, arrived

log = structlog.get_logger(__name__)

Repaint = Callable[[int], Awaitable[Picture | None]]

_NEVER = 2**62  # a version later than any
_REPAINTED = 25  # boards a second: after a start all of them want their pictures at once


async def _nothing(*_: object) -> None:
    """What happens where nobody listens."""


class Painter(Chats):
    """
    Keeps the newest picture per board, the budget per chat, and the outcome of each call.

    `show` never waits.
    """

    def __init__(
        self,
        bot: Bot,
        clock: Clock,
        store: PictureStore,
        metrics: Metrics,
        *,
        limits: Limits = TELEGRAM,
        on_chat_lost: ChatLost = _nothing,
        on_migrated: Migrated = _nothing,
        leases: Leases | None = None,
    ) -> None:
        super().__init__(
            bot,
            clock,
            store,
            metrics=metrics,
            limits=limits,
            on_chat_lost=on_chat_lost,
            on_migrated=on_migrated,
            leases=leases,
        )
        self._outbox = Outbox(store, clock, self.aside, carried=leases is not None)
        self._leases = leases
        if leases is not None:
            leases.serve(self._lanes, self._outbox.marks)
        self._repaint: Repaint | None = None

    def show(self, picture: Picture, *, doubtful: bool = False) -> None:
        """
        Paint *picture* when its chat allows, unless a newer one of its board comes first.

        An older version than one already shown, an equal content, and a chat that cannot be written to cost nothing.
        *doubtful*: somebody asks for what seems to stand there; nobody tells of a message that was deleted (F27), so
        an equal content is asked about as well.
        """
        picture = self._at_home(picture)
        state = self._album.of(picture.board)
        if doubtful:
            state.shown = None
        if picture.chat_id in self._lost or picture.version < state.newest:
            return
        state.awaits(picture)
        job = BoardJob(self, state, picture)
        job.asked = arrived()
        if state.target(picture) is None:
            job.urgency = min(job.urgency, Urgency.NEW)
        if (before := state.job) is not None:
            job.follow(before)
            self._metrics.pictures.labels("merged").inc()
            if before.chat_id != job.chat_id:
                self._lanes.remove(before)
        state.job = job
        self._lanes.add(job)

    def load(self, repaint: Repaint) -> None:
        """How to make a board's picture from what is stored; None for a board that is not to be shown."""
        self._repaint = repaint

    async def repaint(self, boards: Iterable[int], *, calmly: bool = False) -> None:
        """
        Show these boards as they are stored, not all of them at once; belongs aside.

        *calmly*: at most once a minute in a group, behind everything else, and only where a message stands.
        """
        for count, board in enumerate(boards, 1):
            if count % _REPAINTED == 0:
                await self._clock.sleep(1.0)
            try:
                picture = await self._repaint(board) if self._repaint is not None else None
            except Exception:
                log.exception("repaint_failed", board=board)
                continue
            if picture is not None and calmly:
                self._show_calmly(picture)
            elif picture is not None:
                self.show(picture)

    def _show_calmly(self, picture: Picture) -> None:
        """Nobody waits for it; a message that was perhaps never sent is not sent for this."""
        state = self._album.of(picture.board)
        if picture.message_id is not None or state.job is not None or state.busy:
            self.show(replace(picture, urgency=Urgency.CALM))

    def retire(self, board: int, chat_id: int, message_id: int | None) -> None:
        """
        A board is over for ever: what waits is not painted any more, and its message loses its keys.

        A call under way may bring keys, or the message itself, so its end is waited for.
        """
        state = self._album.of(board)
        state.newest = _NEVER
        if state.job is not None:
            self._lanes.remove(state.job)
            state.job.drop()
        self.aside(self._retire(board, chat_id, message_id))

    async def _retire(self, board: int, chat_id: int, message_id: int | None) -> None:
        state = self._album.of(board)
        await state.idle()
        last = state.message_id if state.chat_id == chat_id and state.message_id is not None else message_id
        if last is not None:
            self.strip(board, chat_id, last)

    def strip(self, board: int, chat_id: int, message_id: int) -> None:
        """Take the keys off a board's old message, and tell the store once they are off."""
        state = self._album.of(board)
        if state.stripping != message_id:
            state.stripping = message_id
            self.aside(self._strip(board, chat_id, message_id))

    async def _strip(self, board: int, chat_id: int, message_id: int) -> None:
        taken = await self.take_keys_off(chat_id, message_id)
        state = self._album.of(board)
        if state.stripping == message_id:
            state.stripping = None
            if taken:
                await self._outbox.keys_taken(board, message_id)

    def lag(self) -> float:
        """Seconds that the oldest picture or call has been waiting."""
        return self._lanes.lag()

    async def rest(self) -> None:
        """Until nothing waits, no call is under way, and the marks are written."""
        while self._asides or self._lanes.occupied():
            await self._lanes.rest()
            if self._asides:
                await asyncio.wait([*self._asides])
        if self._leases is not None:
            await self._leases.rest()
        await self._outbox.flush()

    async def close(self) -> None:
        """Drop what waits, and write the marks."""
        self._lanes.close()
        for task in [*self._asides]:
            task.cancel()
        await asyncio.gather(*self._asides, return_exceptions=True)
        if self._leases is not None:
            await self._leases.close()
        await self._outbox.flush()

    # Calls under way

    async def paint(self, job: BoardJob) -> None:
        """Make the call for a board's newest picture."""
        if job.outdated and await self._needless_anew(job):
            return
        state, picture = job.state, job.picture
        target = job.target = state.target(picture)
        try:
            message_id = await self._put(job, target)
        except TelegramError as error:
            state.busy = False
            await self._failed(job, judge(error))
        else:
            if picture.version >= state.placed:  # else the board left the chat meanwhile
                state.show(picture, message_id, job.content, self._lanes.now())
            await self._shown(job, message_id, anew=target is None)  # the next picture waits until the id is stored
        finally:
            state.ended()
            if (waiting := state.job) is not None:
                self._lanes.look(waiting.chat_id)

    async def _needless_anew(self, job: BoardJob) -> bool:
        """Another process has stored a newer picture: that one is painted; True if nothing is to be painted here."""
        state = job.state
        try:
            newest = await self._repaint(job.picture.board) if self._repaint is not None else None
        except Exception:
            log.exception("repaint_failed", board=job.picture.board)
            newest = job.picture
        if newest is not None and newest.chat_id == job.chat_id:
            state.newest = max(state.newest, newest.version)
            job.renew_picture(newest)
            if not job.needless():
                return False
            self.equal(job)
        state.ended()
        if newest is not None and newest.chat_id != job.chat_id:
            self.show(newest)
        elif (waiting := state.job) is not None:
            self._lanes.look(waiting.chat_id)
        return True

    async def _put(self, job: BoardJob, target: int | None) -> int:
        if target is None:
            return await self._calls.send(job.chat_id, job.content, thread_id=job.picture.thread_id)
        try:
            await self._calls.edit(job.chat_id, target, job.content)
        except TelegramError as error:
            if judge(error).outcome is not Outcome.DONE:
                raise
        return target

    async def _shown(self, job: BoardJob, message_id: int, *, anew: bool) -> None:
        picture = job.picture
        self._metrics.pictures.labels("sent" if anew else "edited").inc()
        if job.asked is not None:
            self._metrics.picture_seconds.observe(max(0.0, self._clock.now().timestamp() - job.asked))
        if anew:
            await self._sent(job, message_id)
        else:
            self._outbox.painted(picture.board, picture.version)
        if picture.old_message_id is not None and picture.old_message_id != message_id:
            self.strip(picture.board, picture.chat_id, picture.old_message_id)

    async def _sent(self, job: BoardJob, message_id: int) -> None:
        """The store says whether the board still is where its new message is; it may have left, and be back again."""
        state, picture = job.state, job.picture
        stands = await self._outbox.sent(picture.board, picture.chat_id, message_id, picture.version)
        state.unaware = state.newest
        if not stands:
            self.aside(self.take_keys_off(picture.chat_id, message_id))
        if picture.chat_id != state.place:
            return
        if stands:
            state.show(picture, message_id, job.content, self._lanes.now())
        else:
            state.message_id = state.shown = None

    def equal(self, job: BoardJob) -> None:
        """The screen shows just this already."""
        self._metrics.pictures.labels("equal").inc()
        job.state.painted = max(job.state.painted, job.picture.version)
        self._outbox.painted(job.picture.board, job.picture.version)

    def _at_home(self, picture: Picture) -> Picture:
        home = self._home(picture.chat_id)
        if home == picture.chat_id:
            return picture
        return replace(picture, chat_id=home, message_id=None, old_message_id=None)
