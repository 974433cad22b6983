"""What a bot tells those who watch it: whether it is ready, if not why, and whether the books hold."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, Protocol

import structlog

from bot.facts import Clock
from bot.storage import StorageError, Store
from bot.storage.inspection import drift
from bot.storage.upkeep import moved_after
from bot.telemetry import Metrics

log = structlog.get_logger(__name__)

DATABASE_SECONDS: Final = 2.0  # in which a read has to come back
SILENCE_SECONDS: Final = 90.0  # without an answer to a poll: one holds for 30, trouble pauses for 30
LAG_SECONDS: Final = 120.0  # that a picture may wait; a busy group's betting boards wait for a minute
BOOKS_EVERY: Final = 600.0  # seconds between two looks at the whole ledger
TICK: Final = 10.0  # seconds between two looks at what was dealt

_EVENTS: Final[Mapping[str, str]] = {"deal": "dealt", "settle": "settled", "table_settled": "settled_at_a_table"}

Raw = dict[str, object]


class Source(Protocol):
    """Where updates come from, as polling asks."""

    async def after(self, offset: int | None) -> list[Raw]: ...

    async def acknowledge(self, offset: int) -> None: ...


class Watch:
    """Looks at the rooms from outside; nothing depends on it."""

    def __init__(
        self, store: Store, clock: Clock, metrics: Metrics, *, database: str, lag: Callable[[], float]
    ) -> None:
        self._store = store
        self._clock = clock
        self._metrics = metrics
        self._database = database
        self._lag = lag
        self._heard: float | None = None  # none: nobody polls
        self._counted: int | None = None  # the movement up to which rounds are counted
        self._added_up: float | None = None
        metrics.gauge("q64_painter_lag_seconds", "How long the oldest picture has been waiting", lag)
        metrics.gauge("q64_last_poll_seconds", "Since Telegram answered a poll; 0 where nobody polls", self.silence)

    def listen(self, source: Source) -> Source:
        """The same source; from now on every answer of it is noticed."""
        self.heard()
        return _Heard(source, self)

    def heard(self) -> None:
        """Telegram has answered."""
        self._heard = self._now()

    def silence(self) -> float:
        """Seconds since then; 0 where nobody polls."""
        return 0.0 if self._heard is None else max(0.0, self._now() - self._heard)

    async def troubles(self) -> list[str]:
        """Why the bot is not ready; empty if it is."""
        found = []
        if (why := await self._database_trouble()) is not None:
            found.append(why)
        if (silence := self.silence()) > SILENCE_SECONDS:
            found.append(f"last_update: Telegram has not answered for {silence:.0f} seconds")
        if (lag := self._lag()) > LAG_SECONDS:
            found.append(f"painter: a picture has been waiting for {lag:.0f} seconds")
        return found

    async def _database_trouble(self) -> str | None:
        try:
            async with asyncio.timeout(DATABASE_SECONDS):
                await self._store.read(lambda tx: tx.row("SELECT 1 AS n"))
        except StorageError as error:
            return f"database: {getattr(error, 'reason', type(error).__name__)}"
        except TimeoutError:
            return f"database: no answer within {DATABASE_SECONDS:.0f} seconds"
        return None

    async def run(self) -> None:
        """Count rounds, and add the ledger up now and then, for ever, beside everything else."""
        while True:
            await self.count_rounds()
            if self._added_up is None or self._now() - self._added_up >= BOOKS_EVERY:
                self._added_up = self._now()
                await self.add_up()
            await self._clock.sleep(TICK)

    async def count_rounds(self) -> None:
        """Rounds that were dealt and settled since the last look, by whatever process."""
        try:
            self._counted, moved = await self._store.read(moved_after, self._counted)
        except StorageError:
            return  # the next look counts them
        for why, event in _EVENTS.items():
            self._metrics.rounds.labels(event).inc(moved.get(why, 0))

    async def add_up(self) -> None:
        """The sum of the whole ledger, on a connection of its own; anything but nought is an alarm."""
        try:
            chips = await asyncio.to_thread(drift, self._database)
        except StorageError as error:
            log.warning("ledger_not_added_up", reason=type(error).__name__)
            return
        self._metrics.drift.set(chips)
        if chips:
            log.error("ledger_drift", chips=chips)

    def _now(self) -> float:
        return self._clock.now().timestamp()


class _Heard:
    """A source whose every answer is noticed."""

    def __init__(self, source: Source, watch: Watch) -> None:
        self._source = source
        self._watch = watch

    async def after(self, offset: int | None) -> list[Raw]:
        updates = await self._source.after(offset)
        self._watch.heard()
        return updates

    async def acknowledge(self, offset: int) -> None:
        await self._source.acknowledge(offset)
