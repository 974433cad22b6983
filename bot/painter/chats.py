"""Calls that go through a chat's budget, what becomes of those that fail, and the ones that are no board's picture."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterable
from typing import Any

import structlog
from telegram import Bot
from telegram.error import TelegramError

from bot.facts import Clock
from bot.painter.budget import Limits
from bot.painter.calls import Calls
from bot.painter.errands import Call, Errand
from bot.painter.job import Job, Urgency
from bot.painter.lanes import Lanes
from bot.painter.leases import Leases
from bot.painter.outcomes import Outcome, Verdict, judge
from bot.painter.pictures import Album, Content, PictureStore
from bot.painter.toast import clipped
from bot.storage.errors import StorageUnavailable
from bot.telemetry import Metrics, arrived
from bot.views.kit import Keys, View

log = structlog.get_logger(__name__)

ChatLost = Callable[[int, str], Awaitable[None]]  # chat, reason
Migrated = Callable[[int, int], Awaitable[None]]  # old chat, new chat

_BACKOFF = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 60.0)  # seconds
_ANSWERED = 1024  # query ids remembered
_LOST = 10_000  # chats remembered; one that was forgotten costs a call


class Chats:
    """
    Answers, one-off calls, and chats that were lost or moved.

    The coroutines wait for their turn in the chat's budget, so they belong aside, not into the lifetime of an update;
    `answer` is behind no budget.
    """

    def __init__(
        self,
        bot: Bot,
        clock: Clock,
        store: PictureStore,
        *,
        metrics: Metrics,
        limits: Limits,
        on_chat_lost: ChatLost,
        on_migrated: Migrated,
        leases: Leases | None,
    ) -> None:
        self._calls = Calls(bot)
        self._store = store
        self._album = Album()
        self._clock = clock
        self._metrics = metrics
        self._lanes = Lanes(clock, limits, leases)
        self._on_chat_lost = on_chat_lost
        self._on_migrated = on_migrated
        self._lost: OrderedDict[int, str] = OrderedDict()
        self._moved: dict[int, int] = {}
        self._answered: OrderedDict[str, None] = OrderedDict()
        self._asides: set[asyncio.Task[None]] = set()
        metrics.queue("pictures", self._lanes.waiting)

    async def answer(self, query_id: str, text: str = "", *, alert: bool = False, url: str = "") -> None:
        """Answer a tap, at once and once; a later answer to the same tap is dropped, and so are Telegram's errors."""
        if query_id in self._answered:
            return
        self._answered[query_id] = None
        while len(self._answered) > _ANSWERED:
            self._answered.popitem(last=False)
        try:
            await self._calls.answer(query_id, clipped(text), alert=alert, url=url)
        except TelegramError as error:
            verdict = judge(error)
            if verdict.outcome is Outcome.WAIT:
                self._metrics.too_many_requests.inc()
            level = log.debug if verdict.outcome is Outcome.DONE else log.warning
            level("answer_failed", outcome=verdict.outcome.name, reason=verdict.reason)
        if (since := arrived()) is not None:
            self._metrics.answer_seconds.observe(max(0.0, self._clock.now().timestamp() - since))

    async def send(
        self, chat_id: int, view: View, *, thread_id: int | None = None, reply_to: int | None = None
    ) -> int | None:
        """
        Send words that a person asked for; the message's id, or None if they did not go out.

        The same words, asked for again while they wait, are sent once (F31).
        """
        content = Content.of(view)

        async def call(chat: int) -> int:
            answered = reply_to if chat == chat_id else None  # a number of the group's is another's in its supergroup
            return await self._calls.send(chat, content, thread_id=thread_id, reply_to=answered)

        key = ("words", thread_id, reply_to, content)
        return await self._errand(chat_id, call, urgency=Urgency.STAGE, key=key)

    async def post(
        self,
        chat_id: int,
        view: View,
        *,
        thread_id: int | None,
        begin: Callable[[], Awaitable[bool]],
        put_back: Callable[[], Awaitable[None]],
    ) -> int | None:
        """
        Send words that are to be said once, whoever else tries: only if *begin* allows it at the moment of the call.

        What Telegram certainly did not take is put back before it is tried again.
        """
        content = Content.of(view)

        async def call(chat: int) -> int | None:
            if not await begin():
                return None
            try:
                return await self._calls.send(chat, content, thread_id=thread_id)
            except TelegramError as error:
                if judge(error).outcome in {Outcome.WAIT, Outcome.NOT_SENT, Outcome.MOVED}:
                    await put_back()
                raise

        return await self._errand(chat_id, call, urgency=Urgency.CALM)

    async def edit(self, chat_id: int, message_id: int, view: View) -> None:
        """
        Change a message that is no board, for who tapped it; of several waiting changes only the last is made.

        None of them if a board stands in it when the turn has come.
        """
        content = Content.of(view)

        async def call(chat: int) -> None:
            if await self._is_free(chat, message_id):
                await self._calls.edit(chat, message_id, content)

        key = ("message", message_id)
        await self._errand(chat_id, call, urgency=Urgency.STAGE, key=key, changes=message_id)

    async def react(self, chat_id: int, message_id: int, emoji: str) -> None:
        """Put one of Telegram's reaction emoji on a message; none for an empty string."""

        async def call(chat: int) -> None:
            await self._calls.react(chat, message_id, emoji)

        key = ("reaction", message_id)
        await self._errand(chat_id, call, urgency=Urgency.STAGE, key=key, changes=message_id)

    async def leave(self, chat_id: int) -> None:
        """Leave a group, after what is to be said there before."""

        async def call(chat: int) -> None:
            await self._calls.leave(chat)

        await self._errand(chat_id, call, urgency=Urgency.CALM, key=("leave",), harmless=True)

    async def take_keys_off(self, chat_id: int, message_id: int) -> bool:
        """
        Leave a message its text and take its keys, unless a board stands in it when the turn has come.

        Whether no keys are left in it that should go.
        """

        async def call(chat: int) -> int:
            if await self._is_free(chat, message_id):
                await self._calls.take_keys_off(chat, message_id)
            return 1

        key = ("keys", message_id)
        return bool(await self._errand(chat_id, call, urgency=Urgency.CALM, key=key, changes=message_id, moot=1))

    async def _is_free(self, chat_id: int, message_id: int) -> bool:
        """
        Whether no board stands in a message, asked when it is about to be changed by something else than a picture.

        While that waited, a board may have come there, or come back.
        """
        if await self._store.lives(chat_id, message_id):
            return False
        self._album.forget_content(chat_id, message_id)
        return True

    async def document(
        self,
        chat_id: int,
        name: str,
        content: bytes,
        *,
        caption: str = "",
        thread_id: int | None = None,
        reply_to: int | None = None,
    ) -> int | None:
        """Send a file; the message's id, or None if it did not go out."""

        async def call(chat: int) -> int:
            return await self._calls.document(
                chat, name, content, caption=caption, thread_id=thread_id, reply_to=reply_to
            )

        return await self._errand(chat_id, call, urgency=Urgency.STAGE)

    async def download(self, file_id: str, most: int) -> bytes | None:
        """A file that somebody sent; None if it is larger than *most* bytes, or cannot be had."""
        try:
            return await self._calls.download(file_id, most)
        except TelegramError as error:
            log.warning("download_failed", reason=judge(error).reason)
            return None

    async def photo(
        self,
        chat_id: int,
        content: bytes,
        *,
        caption: str = "",
        keys: Keys = (),
        thread_id: int | None = None,
        reply_to: int | None = None,
    ) -> int | None:
        """Send a picture (PNG) with Telegram HTML as its caption; the message's id, or None if it did not go out."""

        async def call(chat: int) -> int:
            return await self._calls.photo(
                chat, content, caption=caption, keys=keys, thread_id=thread_id, reply_to=reply_to
            )

        return await self._errand(chat_id, call, urgency=Urgency.STAGE)

    async def _errand(
        self,
        chat_id: int,
        call: Call,
        *,
        urgency: Urgency,
        key: Hashable = None,
        changes: int | None = None,
        harmless: bool = False,
        moot: int | None = None,
    ) -> int | None:
        home = self._home(chat_id)
        if home in self._lost:
            return None
        if changes is not None and home != chat_id:
            return moot  # the number is another message's there
        errand = Errand(self, home, call, urgency=urgency, key=key, changes=changes, harmless=harmless, moot=moot)
        self._lanes.add(errand)
        return await errand.future

    # Chats

    def chat_spoke(self, chat_id: int) -> None:
        """Something came from this chat, so it may be written to again."""
        self._lost.pop(chat_id, None)

    async def chat_moved(self, old: int, new: int) -> None:
        """The group *old* is the supergroup *new*; whoever stored that already need not be told again."""
        if self._moved.get(old) != new:
            self._moved[old] = new
            self._rehome(self._lanes.take_all(old), new)

    def aside(self, work: Coroutine[Any, Any, object]) -> None:
        """Run *work* outside the lifetime of the update that wants it; `rest` waits for it, its errors are logged."""
        task = asyncio.create_task(self._logged(work))
        self._asides.add(task)
        task.add_done_callback(self._asides.discard)
        task.add_done_callback(lambda _: work.close())  # it may have been cancelled before it began

    async def _logged(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except Exception:
            log.exception("aside_failed")

    # Calls under way

    async def do(self, errand: Errand) -> None:
        """Make a one-off call."""
        try:
            errand.finish(await errand.call(errand.chat_id))
        except StorageUnavailable as error:
            log.warning("call_left_out", reason=error.reason)
            errand.drop()
        except TelegramError as error:
            await self._failed(errand, judge(error))

    async def _failed(self, job: Job, verdict: Verdict) -> None:
        log.debug("call_failed", outcome=verdict.outcome.name, reason=verdict.reason)
        match verdict.outcome:
            case Outcome.WAIT:
                self._metrics.too_many_requests.inc()
                self._lanes.cool(job.chat_id, verdict.seconds)
                self._again(job, 0.0)
            case Outcome.NOT_SENT:
                self._again(job, self._pause(job))
            case Outcome.UNKNOWN if job.repeatable:
                self._again(job, self._pause(job))
            case Outcome.MOVED:
                await self._migrate(job, verdict.chat_id)
            case Outcome.LOST:
                self._lose(job, verdict.reason)
            case Outcome.GONE if job.renew():
                self._again(job, 0.0)
            case Outcome.DONE | Outcome.GONE:
                job.drop_as_moot()
            case _:
                log.warning("call_given_up", outcome=verdict.outcome.name, reason=verdict.reason)
                self._give_up(job)

    def _again(self, job: Job, pause: float | None) -> None:
        if pause is None:
            self._give_up(job)
            return
        job.due = self._lanes.now() + pause
        if job.waits_again():
            self._lanes.add(job)

    def _pause(self, job: Job) -> float | None:
        job.tries += 1
        return _BACKOFF[job.tries - 1] if job.tries <= len(_BACKOFF) else None

    def _give_up(self, job: Job) -> None:
        self._metrics.pictures.labels("failed").inc()
        job.drop()

    def _lose(self, job: Job, reason: str) -> None:
        chat_id = job.chat_id
        known = chat_id in self._lost
        self._lost[chat_id] = reason
        while len(self._lost) > _LOST:
            self._lost.popitem(last=False)
        for waiting in (job, *self._lanes.take_all(chat_id)):
            waiting.drop()
        if not known:
            log.info("chat_lost", reason=reason)
            self.aside(self._tell_lost(chat_id, reason))

    async def _tell_lost(self, chat_id: int, reason: str) -> None:
        await self._on_chat_lost(chat_id, reason)

    async def _migrate(self, job: Job, new: int) -> None:
        old = job.chat_id
        if self._moved.get(old) != new:
            try:
                await self._on_migrated(old, new)
            except Exception:
                log.exception("migration_failed")
                self._again(job, self._pause(job))
                return
            self._moved[old] = new
        self._rehome([job, *self._lanes.take_all(old)], new)

    def _rehome(self, jobs: Iterable[Job], new: int) -> None:
        for job in jobs:
            job.drop() if not job.move(new) else self._lanes.add(job)

    def _home(self, chat_id: int) -> int:
        while (moved := self._moved.get(chat_id)) is not None:
            chat_id = moved
        return chat_id
