"""People who play at a group's table through the services, on a real store."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count

from bot.facts import Seat, Tap, Verb, Who
from bot.services import table, table_bets
from bot.storage import Store
from bot.tables import GroupTable, TableTold
from core.table import Deciding, Offered, Table
from tests.bot.databases import NOW, somebody

GROUP = -1_009_000_000_000_077
_BETS = {Verb.TABLE_ADD, Verb.TABLE_TAKE, Verb.TABLE_CLEAR}
_USE_CASES = {**table.USE_CASES, **table_bets.USE_CASES}


@dataclass(slots=True)
class Group:
    """One chat with a table; each tap comes a second after the last."""

    store: Store
    chat_id: int = GROUP
    now: datetime = NOW
    seed: str = "table"
    message: int = 50
    updates: count[int] = field(default_factory=lambda: count(1_000_000))
    told: TableTold | None = None  # by the latest move

    def secret(self) -> bytes:
        return hashlib.sha256(f"{self.seed}/{next(self.updates)}".encode()).digest()

    def later(self, seconds: float = 1) -> datetime:
        self.now += timedelta(seconds=seconds)
        return self.now

    def who(self, user: int, *, message: int | None = None) -> Who:
        return somebody(user, self.chat_id, self.message if message is None else message)

    # What is stored

    async def place(self) -> GroupTable:
        found = await self.store.read(lambda tx: tx.tables.live(self.chat_id))
        assert found is not None
        return found

    async def state(self) -> Table:
        return (await self.place()).table

    async def seat(self, user: int) -> Seat:
        found = await self.store.read(lambda tx: tx.seats.at(self.chat_id, user))
        assert found is not None
        return found

    async def chips(self, *users: int) -> list[int]:
        return [(await self.seat(user)).chips for user in users]

    async def person(self, seat_id: int) -> int:
        seat = await self.store.read(lambda tx: tx.seats.get(seat_id))
        assert seat is not None
        return seat.user_id

    async def sitting(self) -> list[int]:
        return [await self.person(seat.user) for seat in (await self.state()).seats]

    # Acting

    async def bring(self, *users: int, update_id: int | None = None) -> table.Brought:
        """`/table`, said by each of them."""
        for user in users:
            brought = await self.store.run(
                table.bring,
                self.who(user),
                update_id=next(self.updates) if update_id is None else update_id,
                secret=self.secret(),
                seat_secret=self.secret(),
                now=self.later(),
            )
            await self._sent(brought.told.board.place)
        self.told = brought.told
        return brought

    async def _sent(self, place: GroupTable) -> None:
        """As if the painter had sent a message that was not sent yet."""
        if place.message_id is None:
            await self.store.run(
                lambda tx: tx.messages.sent(
                    place.board, chat_id=place.chat_id, message_id=self.message, version=place.wanted
                )
            )

    async def tap(self, user: int, verb: Verb, *numbers: int, round_id: int | None = None) -> TableTold:
        place = await self.place()
        tap = Tap(verb=verb, board=place.id, round=place.round_id if round_id is None else round_id, numbers=numbers)
        who, secret, now = self.who(user), self.secret(), self.later()
        if verb in _BETS:
            mark = -next(self.updates)
            self.told = await self.store.run(table_bets.bet, who, tap, mark=mark, secret=secret, now=now)
        elif verb is Verb.TABLE_SIT:
            seat_secret = self.secret()
            self.told = await self.store.run(table.sit, who, tap, secret=secret, seat_secret=seat_secret, now=now)
        else:
            self.told = await self.store.run(_USE_CASES[verb], who, tap, secret=secret, now=now)
        return self.told

    async def begins(self, *users: int, bank: int | None = None) -> None:
        """They sit down and start; with *bank* the first of them puts it up."""
        await self.bring(*users)
        await self.tap(users[0], Verb.TABLE_START)
        if bank is not None:
            await self.tap(users[0], Verb.TABLE_BANK, bank)

    async def bets(self, user: int, ante: int, pair_plus: int = 0) -> None:
        for spot, chips in ((0, ante), (1, pair_plus)):
            for chip in (100, 25, 5):
                for _ in range(chips // chip):
                    await self.tap(user, Verb.TABLE_ADD, spot, chip)
                chips %= chip  # noqa: PLW2901 - what is still to be laid
        await self.tap(user, Verb.TABLE_READY)

    async def decides(self, user: int, verb: Verb = Verb.TABLE_PLAY) -> None:
        await self.tap(user, Verb.TABLE_CARDS)
        await self.tap(user, verb)

    async def all_decide(self, *, folding: int = 3) -> None:
        """Everybody in the hand; every so-manieth folds."""
        stage = (await self.state()).stage
        assert isinstance(stage, Deciding)
        for place, player in enumerate(stage.players, 1):
            if player.pending:
                await self.decides(
                    await self.person(player.user), Verb.TABLE_FOLD if place % folding == 0 else Verb.TABLE_PLAY
                )

    async def close(self, user: int, *, admin: bool = True) -> TableTold:
        return await self.store.run(
            table.close, self.who(user), None, admin=admin, secret=self.secret(), now=self.later()
        )

    async def expires(self, seconds: float = 1000) -> TableTold | None:
        """So much time goes by, and the timer rings."""
        place, now = await self.place(), self.later(seconds)
        self.told = await self.store.run(table.expire, place.id, secret=self.secret(), now=now)
        return self.told

    async def cuts(self, user: int, value: int) -> TableTold | None:
        return await self.store.run(table.cut, self.who(user), value, update_id=next(self.updates), now=self.later())


async def evening(store: Store, chat_id: int, *, now: datetime) -> Group:
    """
    A table with a past: hands banked by people and by the house, cut and uncut, folded and absent, a bank that returned,
    somebody without a night left; the last hand is in play. Another table of the chat has ended before.
    """
    group = Group(store, chat_id=chat_id, now=now)
    await group.begins(11, 12, bank=50)
    await group.bets(12, 25)
    await group.close(11)
    await group.tap(12, Verb.TABLE_PLAY, round_id=(await group.place()).round_id)
    await group.tap(12, Verb.TABLE_PLAY)
    await group.begins(11, 12, 13)
    await group.tap(11, Verb.TABLE_PASS)
    await group.cuts(13, 5)
    await group.tap(12, Verb.TABLE_BANK, 60)
    await group.bets(11, 10, 5)
    await group.bets(13, 25)
    await group.all_decide()
    await group.expires()
    await group.tap(12, Verb.TABLE_BANK, 40)
    await group.expires()  # nobody has bet: the bank returns
    while isinstance(stage := (await group.state()).stage, Offered):
        await group.tap(await group.person(stage.user), Verb.TABLE_PASS)
    await group.tap(11, Verb.TABLE_HOUSE)
    await group.bets(11, 100)
    await group.bets(13, 5, 5)
    await group.expires()
    await group.all_decide(folding=2)
    await group.tap(11, Verb.TABLE_SAME_BET)
    await group.tap(13, Verb.TABLE_OTHER_BET)
    await group.expires()
    await group.cuts(12, 6)
    await group.expires()
    return group
