"""
Chats shared with other processes: who writes into a chat holds its lease, and leaves what it spent to the next.

What is asked and left meanwhile travels together, one transaction after another, so that many chats cost little.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import structlog

from bot.facts import Clock
from bot.storage.errors import StorageUnavailable
from bot.storage.lanes import Account
from bot.storage.messages import Standing

log = structlog.get_logger(__name__)

LEASE = 10.0  # seconds; whoever dies leaves the chat to the next after that
RENEWED = 6.0  # seconds before its end at which the lease of a call under way is renewed
_LOOK = 1.0  # seconds between two looks at leases that may end
_TROUBLE = 1.0  # seconds until a database that failed is asked again
_LAST = 1.0  # seconds to leave everything at the end


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What one transaction does: marks are written, lanes are left, then taken, then boards looked at."""

    painted: Mapping[int, int]  # by board, the version that its message shows
    left: Mapping[int, Account]  # by chat
    asked: Mapping[int, frozenset[int]]  # by chat, the boards that are to be looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What one transaction gave."""

    accounts: Mapping[int, Account]  # by chat: those that are ours now
    standings: Mapping[int, Standing]  # by board


class LeaseStore(Protocol):
    """The lanes as they are stored."""

    async def exchange(self, what: Exchange, *, now: float, lease: float) -> Given:
        """One transaction."""


class Tenant(Protocol):
    """Whoever asked for a chat."""

    def given(self, chat_id: int, account: Account, standings: Mapping[int, Standing | None], until: float) -> None:
        """The chat is ours until then, seconds on the lanes' line of time; the boards asked for stand as told."""

    def refused(self, chat_id: int) -> None:
        """Somebody else has it, or nobody can tell."""

    def held(self) -> Iterable[tuple[int, float]]:
        """Chats with calls under way, and until when they are ours."""

    def now(self) -> float: ...


class Leases:
    """Asks for chats, and leaves them."""

    def __init__(self, store: LeaseStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._tenant: Tenant | None = None
        self._marks: Callable[[], Mapping[int, int]] = dict
        self._asked: dict[int, frozenset[int]] = {}
        self._left: dict[int, Account] = {}
        self._painted: Mapping[int, int] = {}
        self._exchanging: asyncio.Task[None] | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._closing = False

    def serve(self, tenant: Tenant, marks: Callable[[], Mapping[int, int]]) -> None:
        """Answer to *tenant*; *marks* gives away the painted marks that have gathered."""
        self._tenant, self._marks = tenant, marks

    def ask(self, chat_id: int, boards: Iterable[int]) -> None:
        """The tenant hears soon; asked for a chat that is ours it is told of the boards, and may keep it longer."""
        self._asked[chat_id] = frozenset(boards)
        self._stir()

    def leave(self, chat_id: int, account: Account) -> None:
        """Others may have the chat, and learn what was spent there."""
        self._left[chat_id] = account
        self._stir()

    def keep(self) -> None:
        """A call begins: its chat's lease must not end before it does."""
        if self._keeping is None or self._keeping.done():
            self._keeping = asyncio.create_task(self._keep())

    async def rest(self) -> None:
        """Until everything asked is answered, and everything left is left."""
        while self._exchanging is not None:
            await asyncio.wait([self._exchanging])

    async def close(self) -> None:
        """Leave everything, whatever is under way."""
        await asyncio.sleep(0)  # calls that were cancelled leave their chats first
        self._closing = True
        if self._keeping is not None:
            self._keeping.cancel()
        try:
            async with asyncio.timeout(_LAST):
                if self._exchanging is not None:  # what it takes now would outlive us
                    await asyncio.wait([self._exchanging])
                await self._store.exchange(self._next(), now=self._now(), lease=LEASE)
        except (StorageUnavailable, TimeoutError):
            log.warning("lanes_not_left")

    def _now(self) -> float:
        assert self._tenant is not None  # noqa: S101 - `serve` comes first
        return self._tenant.now()

    def _stir(self) -> None:
        if self._exchanging is None and not self._closing:
            self._exchanging = asyncio.create_task(self._exchange())

    async def _exchange(self) -> None:
        try:
            await asyncio.sleep(0)  # what comes in the same turn of the loop goes along
            while (self._asked or self._left) and not self._closing:
                await self._once()
        finally:
            self._exchanging = None

    async def _once(self) -> None:
        what = self._next()
        now = self._now()
        try:
            given = await self._store.exchange(what, now=now, lease=LEASE)
        except StorageUnavailable:
            self._left = {**what.left, **self._left}
            self._painted = what.painted
            self._answer(what, Given(accounts={}, standings={}), now)
            await self._clock.sleep(_TROUBLE)
        else:
            self._answer(what, given, now)

    def _next(self) -> Exchange:
        asked, self._asked = (self._asked if not self._closing else {}), {}
        left, self._left = self._left, {}
        painted, self._painted = {**self._painted, **self._marks()}, {}
        return Exchange(painted=painted, left=left, asked=asked)

    def _answer(self, what: Exchange, given: Given, now: float) -> None:
        assert self._tenant is not None  # noqa: S101 - the same
        for chat_id, boards in what.asked.items():
            account = given.accounts.get(chat_id)
            if account is None:
                self._tenant.refused(chat_id)
            else:
                standings = {board: given.standings.get(board) for board in boards}
                self._tenant.given(chat_id, account, standings, now + LEASE)

    async def _keep(self) -> None:
        """While calls are under way, no lease of theirs ends."""
        assert self._tenant is not None  # noqa: S101 - the same
        while held := [*self._tenant.held()]:
            for chat_id, until in held:
                if until - self._now() < RENEWED and chat_id not in self._asked:
                    self.ask(chat_id, ())
            await self._clock.sleep(_LOOK)
