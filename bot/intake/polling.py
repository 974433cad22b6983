"""Asking Telegram for updates, again and again, and again after trouble."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Protocol, TypeVar

import structlog
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError

from bot.facts import Clock
from bot.intake.door import Raw

log = structlog.get_logger(__name__)
T = TypeVar("T")

CONFLICT_LASTS = 60.0  # seconds of 409 after which this process is one too many
_CONFLICT_PAUSE = 3.0  # seconds; Telegram answers repeated conflicts that late
_LONGEST_PAUSE = 30.0  # seconds
_AGAIN = 3.0  # seconds until a batch that was not taken is asked for again
_SOON = 3.0  # seconds for the last acknowledgement


class TwoPollers(RuntimeError):  # noqa: N818 - read as a noun
    """Raised when another process has been taking this bot's updates for a minute, or a webhook is set."""


class Source(Protocol):
    """Where updates come from."""

    async def after(self, offset: int | None) -> list[Raw]: ...

    async def acknowledge(self, offset: int) -> None: ...


class Poller:
    """
    Asks with last + 1 when the whole batch is done; what *take* wants once more is asked for again instead.

    A short 409, as during a deployment, is waited out (F125); trouble with the network is waited out for ever.
    """

    def __init__(self, source: Source, take: Callable[[list[Raw]], Awaitable[bool | None]], clock: Clock) -> None:
        self._source = source
        self._take = take
        self._clock = clock
        self._stopping = asyncio.Event()
        self._offset: int | None = None
        self._conflict_since: float | None = None
        self._failures = 0

    async def run(self) -> None:
        """
        Poll until `stop`; what was taken is done and acknowledged by then.

        :raises TwoPollers: After a minute of 409.
        :raises InvalidToken: If Telegram does not know the token.
        """
        while not self._stopping.is_set():
            updates = await self._unless_stopped(self._ask())
            if updates and await self._take(updates):
                await self._unless_stopped(self._clock.sleep(_AGAIN))
            elif updates:
                self._offset = max(update["update_id"] for update in updates) + 1
        if self._offset is not None:
            with contextlib.suppress(TelegramError, TimeoutError):
                await asyncio.wait_for(self._source.acknowledge(self._offset), _SOON)

    def stop(self) -> None:
        """Ask no more; `run` returns when the batch under way is done."""
        self._stopping.set()

    async def _unless_stopped(self, asking: Awaitable[T]) -> T | None:
        ask = asyncio.ensure_future(asking)
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({ask, stopping}, return_when=asyncio.FIRST_COMPLETED)
            return ask.result() if ask.done() else None
        finally:
            ask.cancel()
            stopping.cancel()

    async def _ask(self) -> list[Raw]:
        try:
            updates = await self._source.after(self._offset)
        except Conflict as error:
            await self._clock.sleep(self._conflict(error))
        except InvalidToken:
            raise
        except RetryAfter as error:
            wait = error.retry_after
            await self._clock.sleep(wait.total_seconds() if isinstance(wait, timedelta) else wait)
        except TelegramError as error:
            self._failures += 1
            if self._failures == 1:  # the rest of the same trouble is no news
                log.warning("polling_failed", error=str(error))
            await self._clock.sleep(min(_LONGEST_PAUSE, 2.0 ** min(self._failures - 1, 10)))
        else:
            self._failures, self._conflict_since = 0, None
            return [update for update in updates if isinstance(update.get("update_id"), int)]
        return []

    def _conflict(self, error: Conflict) -> float:
        """Seconds to wait, unless it has lasted too long."""
        now = self._clock.now().timestamp()
        if self._conflict_since is None:
            self._conflict_since = now
            log.warning("polling_conflict", error=error.message)
        if now - self._conflict_since >= CONFLICT_LASTS:
            raise TwoPollers(f"Another process takes this bot's updates, or a webhook is set: {error.message}")
        return _CONFLICT_PAUSE
