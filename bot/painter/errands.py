"""One-off calls that are no board's picture: a word somebody asked for, a reaction, a file."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Protocol

from bot.painter.job import Job, Urgency

Call = Callable[[int], Awaitable[int | None]]  # given the chat's id as it is by then


class Errand(Job):
    """A call and the future of whoever waits for it; None stands for "it did not happen"."""

    def __init__(
        self,
        caller: Caller,
        chat_id: int,
        call: Call,
        *,
        urgency: Urgency,
        key: Hashable = None,
        changes: int | None = None,  # a message; the call may be made twice then, and means nothing in another chat
        harmless: bool = False,  # to be made twice
        moot: int | None = None,  # the result if there was nothing to do any more
    ) -> None:
        self.key = key or ("errand", id(self))
        self.chat_id = chat_id
        self.urgency = urgency
        self.call = call
        self.harmless = harmless or changes is not None
        self.moot = moot
        self.future: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self._caller = caller
        self._changes = changes

    @property
    def changes(self) -> int | None:
        return self._changes

    async def run(self) -> None:
        await self._caller.do(self)

    def finish(self, result: int | None) -> None:
        """Tell whoever waits, once."""
        if not self.future.done():
            self.future.set_result(result)

    def drop(self) -> None:
        self.finish(None)

    def drop_as_moot(self) -> None:
        self.finish(self.moot)

    @property
    def repeatable(self) -> bool:
        return self.harmless

    def move(self, chat_id: int) -> bool:
        """What names a message is moot: that is not there any more."""
        self.chat_id = chat_id
        return self._changes is None


class Caller(Protocol):
    """What a waiting call needs of the painter."""

    async def do(self, errand: Errand) -> None: ...
