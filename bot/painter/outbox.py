"""What the painter writes down: a new message at once, painted marks lazily and together."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import structlog

from bot.facts import Clock
from bot.painter.pictures import PictureStore
from bot.storage.errors import StorageUnavailable

log = structlog.get_logger(__name__)

_PAUSES = (1.0, 2.0, 5.0, 10.0)  # seconds between tries to store a message's id
_LAZY = 1.0  # seconds that painted marks gather


class Outbox:
    """*carried*: somebody else takes the painted marks along soon, so they are not written here."""

    def __init__(
        self,
        store: PictureStore,
        clock: Clock,
        aside: Callable[[Coroutine[Any, Any, None]], None],
        *,
        carried: bool = False,
    ) -> None:
        self._store = store
        self._clock = clock
        self._aside = aside
        self._painted: dict[int, int] = {}
        self._gathering = carried

    async def sent(self, board: int, chat_id: int, message_id: int, version: int) -> bool:
        """
        A lost id would leave a board without its message, so this is tried until it works or hope is gone.

        False if the board left the chat meanwhile.
        """
        for pause in _PAUSES:
            with suppress(StorageUnavailable):
                return await self._store.sent(board, chat_id=chat_id, message_id=message_id, version=version)
            await self._clock.sleep(pause)
        try:
            return await self._store.sent(board, chat_id=chat_id, message_id=message_id, version=version)
        except StorageUnavailable:
            log.exception("message_id_lost", board=board)
            return True

    def painted(self, board: int, version: int) -> None:
        """The message of a board shows this version."""
        self._painted[board] = max(version, self._painted.get(board, 0))
        if not self._gathering:
            self._gathering = True
            self._aside(self._gather())

    async def keys_taken(self, board: int, message_id: int) -> None:
        """An old message has no keys any more; a lost mark has them taken once more after the next start."""
        try:
            await self._store.keys_taken(board, message_id)
        except StorageUnavailable:
            log.warning("keys_mark_lost", board=board)

    def marks(self) -> dict[int, int]:
        """The painted marks that have gathered, to be written by whoever takes them."""
        marks, self._painted = self._painted, {}
        return marks

    async def flush(self) -> None:
        """Write the painted marks that have gathered; a lost one costs a "not modified" after the next start."""
        marks = self.marks()
        if not marks:
            return
        try:
            await self._store.painted(marks)
        except StorageUnavailable:
            log.warning("painted_marks_lost", boards=len(marks))

    async def _gather(self) -> None:
        await self._clock.sleep(_LAZY)
        self._gathering = False
        await self.flush()
