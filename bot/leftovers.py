"""Pictures that somebody was to paint and did not: those from before a start, and those of a process that is dead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from bot.facts import Clock
from bot.storage.messages import Unpainted
from bot.storage.store import Store
from bot.storage.tx import Tx

BOARDS_AT_ONCE = 1000  # of each kind
LOOKING = timedelta(seconds=5)  # between two looks for what nobody paints
STUCK = timedelta(seconds=10)  # after that long a picture is taken to have nobody


class Repainter(Protocol):
    """The painter as this room needs it."""

    async def repaint(self, boards: Iterable[int]) -> None: ...

    def strip(self, board: int, chat_id: int, message_id: int) -> None: ...


class Leftovers:
    """Finds what is unpainted; *shared*: other processes paint as well, and may die."""

    def __init__(self, store: Store, clock: Clock, painter: Repainter, *, shared: bool) -> None:
        self._store = store
        self._clock = clock
        self._painter = painter
        self._shared = shared
        self._looked: datetime | None = None
        self._waiting: dict[Unpainted, datetime | None] = {}  # since when; none: brought once, and that is enough

    async def all(self) -> list[Unpainted]:
        """What is unpainted, whoever was to paint it."""
        return await self._store.read(_unpainted)

    async def stuck(self) -> list[Unpainted]:
        """What has stood unpainted for a while, each once; nothing where this process is the only one."""
        now = self._clock.now()
        if not self._shared or (self._looked is not None and now - self._looked < LOOKING):
            return []
        self._looked = now
        found = await self._store.read(_unpainted)
        self._waiting = {each: self._waiting.get(each, now) for each in found}
        stuck = [each for each, since in self._waiting.items() if since is not None and now - since >= STUCK]
        self._waiting |= dict.fromkeys(stuck)
        return stuck

    async def bring(self, boards: Sequence[Unpainted]) -> None:
        """To the picture that is stored; and take the keys off messages that were left behind."""
        for each in boards:
            if not each.outdated and each.old_message_id is not None:
                self._painter.strip(each.board, each.chat_id, each.old_message_id)
        await self._painter.repaint([each.board for each in boards if each.outdated])


def _unpainted(tx: Tx) -> list[Unpainted]:
    return tx.messages.unpainted(BOARDS_AT_ONCE)
