"""Pictures that somebody was to paint and did not: those from before a start, and those of a process that is dead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bot.facts import Board, Clock
from bot.storage.events import EventBoard
from bot.storage.store import Store
from bot.storage.tx import Tx
from bot.tables import GroupTable

BOARDS_AT_ONCE = 1000
LOOKING = timedelta(seconds=5)  # between two looks for what nobody paints
STUCK = timedelta(seconds=10)  # after that long a picture is taken to have nobody


class Repainter(Protocol):
    """The painter as this room needs it."""

    async def repaint(self, boards: Iterable[int]) -> None: ...

    def strip(self, board: int, chat_id: int, message_id: int) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpainted:
    """A board whose picture is old, or whose old message has keys, by the painter's number."""

    board: int
    chat_id: int
    old_message_id: int | None
    wanted: int
    painted: int

    @property
    def outdated(self) -> bool:
        return self.painted < self.wanted


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
        return await self._store.run(_unpainted)

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
    most = BOARDS_AT_ONCE
    boards = tx.boards.unpainted(most)
    shared: list[GroupTable | EventBoard] = [*tx.tables.unpainted(most), *tx.events.unpainted(most)]
    return [*(_as_stored(board.id, board) for board in boards), *(_as_stored(each.board, each) for each in shared)]


def _as_stored(number: int, board: Board | GroupTable | EventBoard) -> Unpainted:
    return Unpainted(
        board=number,
        chat_id=board.chat_id,
        old_message_id=board.old_message_id,
        wanted=board.wanted,
        painted=board.painted,
    )
