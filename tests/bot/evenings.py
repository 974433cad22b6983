"""A database with a past: seeded people who play real hands through the services, at several tables."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from random import Random

from bot.facts import SoloBoard, Verb, Who
from bot.services import forgetting, people, solo, solo_pages, transcripts
from bot.storage import Store, Tx
from core.rules import preset
from core.solo import Dealt
from tests.bot import contesting, tabling
from tests.bot.databases import NOW, somebody

GROUP, P3, MOVED, SUPER = -1_009_000_000_001, -1_009_000_000_002, -4_711, -1_009_000_004_711
TABLE = -1_009_000_000_003


@dataclass(slots=True)
class Past:
    """Plays hands; the same seed, the same database."""

    store: Store
    chance: Random = field(default_factory=lambda: Random(64))
    now: datetime = NOW
    updates: count[int] = field(default_factory=lambda: count(1))

    def secret(self) -> bytes:
        return hashlib.sha256(b"past %d" % next(self.updates)).digest()

    def later(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    async def sits(self, user: int, chat: int, *amounts: int) -> SoloBoard:
        who = self.who(user, chat)
        brought = await self.store.run(
            solo.deal_command,
            who,
            amounts=amounts,
            update_id=next(self.updates),
            door="d" * 26,
            secret=self.secret(),
            now=self.later(),
        )
        await self.store.run(
            lambda tx: tx.messages.sent(
                brought.board.board.id, chat_id=brought.board.board.chat_id, message_id=next(self.updates), version=1
            )
        )
        return brought.board

    def who(self, user: int, chat: int) -> Who:
        return somebody(user, chat, kind="group" if chat == MOVED else "")

    async def word(self, user: int, chat: int, verb: Verb) -> SoloBoard:
        return await self.store.run(
            solo.word, self.who(user, chat), verb, update_id=next(self.updates), secret=self.secret(), now=self.later()
        )

    async def plays(self, user: int, chat: int, hands: int, *, folds: float = 0.3) -> None:
        """So many hands, sitting down again where the night is over."""
        for _ in range(hands):
            board = await self.sits(user, chat)
            if not _laid(board):
                ante, pair_plus = self.chance.choice([(5, 0), (25, 5), (10, 10), (50, 0)])
                board = await self.sits(user, chat, ante, pair_plus)
                if not _laid(board):
                    await self.sits(user, chat, *((0, 5) if chat == P3 else (5, 0)))
            dealt = await self.word(user, chat, Verb.DEAL)
            if dealt.shown is not None and isinstance(dealt.shown.state, Dealt):
                await self.word(user, chat, Verb.FOLD if self.chance.random() < folds else Verb.PLAY)

    async def goes_broke(self, user: int, chat: int) -> None:
        for _ in range(500):
            board = await self.sits(user, chat)
            chips = board.seat.chips
            ante = max(5, min(100, chips // 2 - chips // 2 % 5))
            await self.sits(user, chat, ante, 0)
            await self.word(user, chat, Verb.DEAL)
            over = await self.word(user, chat, Verb.FOLD)
            if over.seat.night_id is None:
                return
        raise AssertionError("never broke")

    async def leaves(self, user: int, chat: int) -> None:
        await self.store.run(
            solo_pages.cashout_command, self.who(user, chat), update_id=next(self.updates), now=self.later()
        )


def _laid(board: SoloBoard) -> bool:
    return board.following is not None and board.following.state.wager.stake > 0


def _p3(tx: Tx, now: datetime) -> None:
    chat = tx.chats.seen(P3, kind="supergroup", title="Three", now=now)
    tx.chats.put(replace(chat, rules=preset("poker-three")))


async def play(store: Store, *, hands: int = 6, tables: bool = True, events: bool = True) -> Past:
    """
    Nights cashed out and broke, hands played, folded, without an Ante (P3), dealt and waiting; words; rounds void by the
    end of a night, and by a group that became a supergroup while somebody sat in both; and somebody who was forgotten with a hand in play.
    """
    past = Past(store)
    await store.run(lambda tx: _p3(tx, past.now))
    await past.plays(1, 1, hands)
    await store.run(transcripts.choose_words, past.who(1, 1), "né à Łódź", now=past.later())
    await past.plays(1, 1, hands)
    await past.leaves(1, 1)
    await past.plays(1, 1, 2)
    await past.plays(2, GROUP, hands)
    await past.plays(3, GROUP, 8, folds=0)
    await past.goes_broke(3, GROUP)
    await past.sits(3, GROUP)
    for user in (4, 5):
        await past.sits(user, P3, 0, 15)
        await past.word(user, P3, Verb.DEAL)  # settled at once: no Ante, nothing to decide
        await past.plays(user, P3, hands)
    await past.sits(5, P3, 10, 5)
    await past.word(5, P3, Verb.DEAL)  # this hand waits
    await past.plays(1, MOVED, 2)
    await past.sits(1, SUPER, 25, 0)
    await past.word(1, SUPER, Verb.DEAL)  # held chips in the newer seat
    await past.plays(2, MOVED, 2)
    await store.run(people.moved, MOVED, SUPER, now=past.later())
    await past.plays(6, 6, 2)
    await past.plays(6, GROUP, 2)
    await past.sits(6, GROUP, 10, 0)
    await past.word(6, GROUP, Verb.DEAL)
    await store.run(forgetting.forget, past.who(6, 6), mark=next(past.updates), chance=past.secret(), now=past.later())
    if tables:
        past.now = (await tabling.evening(store, TABLE, now=past.later())).now
    if events:
        past.now = await contesting.evening(store, now=past.later())
    await store.run(lambda tx: tx.timers.set("turn", 1, past.now))
    await store.run(lambda tx: tx.posts.add("contest/1", GROUP, None, "{}", past.now))
    return past
