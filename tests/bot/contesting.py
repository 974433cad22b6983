"""An evening of contests and days for databases with a past: ended, called off and under way."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

from bot.events import Terms
from bot.facts import EventKind, SoloBoard, Verb, Who
from bot.options import options_of, with_options
from bot.services import contest_course, daily, forgetting, seasons, solo, solo_pages
from bot.storage import Store, Tx
from core.solo import Dealt
from tests.bot.databases import somebody

FRIENDS, OTHERS, ADMIN = -1_009_000_000_064, -1_009_000_000_065, 640
PLAYERS = {641, 642, 643}
_DAY = timedelta(days=1)


class Contesting:
    """People who play in private what a group holds; the same calls, the same database."""

    def __init__(self, store: Store, now: datetime) -> None:
        self.store = store
        self.now = now
        self._updates = count(7_000_000)

    def secret(self) -> bytes:
        return hashlib.sha256(b"contesting %d" % next(self._updates)).digest()

    def later(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def who(self, user: int, chat: int) -> Who:
        return somebody(user, chat)

    async def begins(self, terms: Terms, chat: int = FRIENDS) -> int:
        shown = await self.store.run(
            contest_course.start, self.who(ADMIN, chat), terms, chance=self.secret(), now=self.later()
        )
        return shown.standings.event.id

    async def enters(self, user: int, event_id: int) -> SoloBoard:
        [board] = await self.store.read(lambda tx: tx.events.boards(event_id))
        came = await self.store.run(
            contest_course.enter,
            self.who(user, user),
            board.code,
            update_id=next(self._updates),
            secret=self.secret(),
            now=self.later(),
        )
        return came.board

    async def day(self, user: int) -> SoloBoard:
        came = await self.store.run(
            daily.play, self.who(user, user), mark=-next(self._updates), chance=self.secret(), now=self.later()
        )
        return came.board

    async def plays(self, user: int, hands: int) -> None:
        """So many hands at the seat that was entered last; even ones are folded."""
        for hand in range(hands):
            dealt = await self.word(user, Verb.DEAL)
            if dealt.shown is not None and isinstance(dealt.shown.state, Dealt):
                await self.word(user, Verb.PLAY if hand % 2 else Verb.FOLD)

    async def word(self, user: int, verb: Verb) -> SoloBoard:
        return await self.store.run(
            solo.word,
            self.who(user, user),
            verb,
            update_id=next(self._updates),
            secret=self.secret(),
            now=self.later(),
        )


async def evening(store: Store, *, now: datetime) -> datetime:
    """
    Nights, same deals and matchpoints to their ends, one of them in the middle of hands; one called off, one under way;
    two days; somebody who was forgotten after both; a month with a champion. When it is over.
    """
    table = Contesting(store, now)
    for user in (641, 642, 643):
        await store.run(
            solo.deal_command, table.who(user, user), amounts=(), update_id=next(table._updates), door="f" * 26,
            secret=table.secret(), now=table.later(),
        )  # fmt: skip
    event = await table.begins(Terms(hands=5, nights=2, hours=1))
    for user, hands in ((641, 5), (642, 3), (643, 1)):
        await table.enters(user, event)
        await table.plays(user, hands)
    await table.word(642, Verb.DEAL)  # held chips go back at the end
    await _ends(table, event)
    for kind in (EventKind.SAME_DEALS, EventKind.MATCHPOINTS):
        event = await table.begins(Terms(kind=kind, hands=10, nights=1, hours=24))
        for user, hands in ((641, 10), (642, 4), (643, 7)):
            await table.enters(user, event)
            await table.plays(user, hands)
        await table.word(642, Verb.DEAL)
        await _ends(table, event)
    off = await table.begins(Terms(hands=5, nights=1, hours=24))
    await table.enters(641, off)
    await table.plays(641, 2)
    await store.run(
        contest_course.close_by_admin, table.who(ADMIN, FRIENDS), off, call_off=True, hidden=False, now=table.later()
    )
    for user, hands in ((641, 5), (642, 2), (643, 5)):
        await table.day(user)
        await table.plays(user, hands)
    table.now += _DAY
    await store.run(daily.turn, chance=table.secret(), now=table.later())
    await table.day(641)
    await table.plays(641, 5)
    await table.enters(641, await table.begins(Terms(hands=10, hours=24)))
    await table.plays(641, 2)
    await table.begins(Terms(kind=EventKind.SAME_DEALS, hands=12, nights=1, hours=24), OTHERS)
    await _champion(table)
    await store.run(
        forgetting.forget,
        table.who(643, 643),
        mark=-next(table._updates),
        chance=table.secret(),
        now=table.later(),
    )
    return table.now


async def _ends(table: Contesting, event_id: int) -> None:
    event = await table.store.read(lambda tx: tx.events.get(event_id))
    assert event is not None
    table.now = event.ends
    await table.store.run(contest_course.end, event_id, now=table.later())


async def _champion(table: Contesting) -> None:
    who = table.who(644, OTHERS)
    await table.store.run(
        solo.deal_command, who, amounts=(25,), update_id=next(table._updates), secret=table.secret(), door="e" * 26,
        now=table.later(),
    )  # fmt: skip
    for verb in (Verb.DEAL, Verb.FOLD):
        await table.store.run(
            solo.word, who, verb, update_id=next(table._updates), secret=table.secret(), now=table.later()
        )
    await table.store.run(solo_pages.cashout_command, who, update_id=next(table._updates), now=table.later())
    due = await table.store.run(_season, table.now)
    table.now = due
    await table.store.run(seasons.end, OTHERS, due, now=table.later())


def _season(tx: Tx, now: datetime) -> datetime:
    chat = tx.chats.get(OTHERS)
    assert chat is not None
    chat = with_options(chat, replace(options_of(chat), seasons=True))
    tx.chats.put(chat)
    seasons.arrange(tx, chat, now=now)
    due = tx.timers.due(seasons.SEASON, OTHERS)
    assert due is not None
    return due
