"""A clock that tests turn by hand."""

from __future__ import annotations

import asyncio
import heapq
from datetime import UTC, datetime, timedelta
from itertools import count

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
_ROUNDS = 60  # turns of the loop in which what was woken comes to rest


class TurnedClock:
    """Stands still until it is turned; whoever sleeps on it wakes in order, each at its own moment."""

    def __init__(self, start: datetime = NOON) -> None:
        self._now = start
        self._order = count()
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        waking: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + timedelta(seconds=seconds), next(self._order), waking))
        await waking

    async def advance(self, seconds: float) -> None:
        """Turn the clock, waking each sleeper at its moment and letting what it starts come to rest."""
        await self.settle()
        target = self._now + timedelta(seconds=seconds)
        while self._sleepers and self._sleepers[0][0] <= target:
            moment, _, waking = heapq.heappop(self._sleepers)
            self._now = max(self._now, moment)
            if not waking.done():
                waking.set_result(None)
                await self.settle()
        self._now = target
        await self.settle()

    async def settle(self) -> None:
        """Let everything run that needs no time."""
        for _ in range(_ROUNDS):
            await asyncio.sleep(0)

    def set_back(self, seconds: float) -> None:
        """What a wall clock may do."""
        self._now -= timedelta(seconds=seconds)

    def sleepers(self) -> int:
        return sum(not waking.done() for _, _, waking in self._sleepers)
