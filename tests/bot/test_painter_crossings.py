"""Boards that move, come down and are tapped while calls are under way: what is stored is what stands there, with keys."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from telegram.error import TimedOut
from telegram.request import RequestData

from bot.facts import Tap, Verb
from bot.painter import Painter, Picture, Urgency
from bot.telemetry import Metrics
from bot.views.kit import Key, View
from tests.clock import TurnedClock
from tests.telegram import ScriptedTelegram, bot

PLACES = (-1_009_000_000_000_001, 9_000_000_000_001)  # a group, a private chat
BOARDS = (1, 2)


class Screens(ScriptedTelegram):
    """Telegram with screens: chat and message, the text there, and whether it has keys."""

    def __init__(self, clock: TurnedClock) -> None:
        super().__init__(clock)
        self.shown: dict[tuple[int, int], tuple[str, bool]] = {}
        self._next_id = 100
        self.silent = 0  # sends that arrive and are not confirmed

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *_: Any, **__: Any
    ) -> tuple[int, bytes]:
        status, body = await super().do_request(url, method, request_data)
        fields = self.calls[-1].fields if request_data is None else dict(request_data.json_parameters)
        name, keys = url.rpartition("/")[2], "reply_markup" in fields
        if name == "sendMessage":
            self.shown[int(fields["chat_id"]), self._next_id] = (fields["text"], keys)
            if self.silent:
                self.silent -= 1
                raise TimedOut
        elif name == "editMessageText":
            self.shown[int(fields["chat_id"]), int(fields["message_id"])] = (fields["text"], keys)
        elif name == "editMessageReplyMarkup":
            place = int(fields["chat_id"]), int(fields["message_id"])
            self.shown[place] = (self.shown[place][0], False)
        return status, body


@dataclass(slots=True)
class Books:
    """What a store keeps of the boards, one transaction at a time."""

    boards: dict[int, Picture] = field(default_factory=dict)

    async def sent(self, board: int, *, chat_id: int, message_id: int, version: int) -> bool:
        await asyncio.sleep(0)
        kept = self.boards[board]
        if kept.chat_id == chat_id:
            self.boards[board] = replace(kept, message_id=message_id, painted=max(kept.painted, version))
        return kept.chat_id == chat_id

    async def painted(self, versions: Mapping[int, int]) -> None:
        for board, version in versions.items():
            self.boards[board] = replace(self.boards[board], painted=max(self.boards[board].painted, version))

    async def keys_taken(self, board: int, message_id: int) -> None:
        if self.boards[board].old_message_id == message_id:
            self.boards[board] = replace(self.boards[board], old_message_id=None)

    async def lives(self, chat_id: int, message_id: int) -> bool:
        await asyncio.sleep(0)
        return self.living(chat_id, message_id)

    def living(self, chat_id: int, message_id: int) -> bool:
        return any((each.chat_id, each.message_id) == (chat_id, message_id) for each in self.boards.values())


class Crossing:
    """What handlers do with boards, in any order."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.clock = TurnedClock()
        self.telegram = Screens(self.clock)
        self.books = Books()
        self.painter = Painter(bot(self.telegram), self.clock, self.books, Metrics())
        for board in BOARDS:
            self.put(Picture(board=board, version=0, view=View(text=""), chat_id=PLACES[0], urgency=Urgency.DEALT))

    def put(self, picture: Picture) -> None:
        """One more version, stored and shown."""
        version = picture.version + 1
        key = Key("Hint", Tap(verb=Verb.HINT, board=picture.board, round=version))
        kept = replace(picture, version=version, view=View(text=f"{picture.board}: {version}", keys=((key,),)))
        self.books.boards[picture.board] = kept
        self.painter.show(kept)

    def comes_down(self, board: int) -> None:
        kept = self.books.boards[board]
        self.put(replace(kept, message_id=None, old_message_id=kept.message_id or kept.old_message_id))

    def goes_elsewhere(self, board: int) -> None:
        kept = self.books.boards[board]
        there = PLACES[PLACES.index(kept.chat_id) - 1]
        self.put(replace(kept, chat_id=there, message_id=None, old_message_id=None))
        if kept.message_id is not None:
            page = self.painter.edit(kept.chat_id, kept.message_id, View(text="It is elsewhere."))
            keys = self.painter.take_keys_off(kept.chat_id, kept.message_id)
            left, other = (page, keys) if self.chance.random() < 0.5 else (keys, page)
            self.painter.aside(left)
            other.close()

    def comes_back(self, board: int) -> None:
        """To a message in which nothing lives, as by Bring it back."""
        kept = self.books.boards[board]
        free = [(chat, number) for chat, number in self.telegram.shown if not self.books.living(chat, number)]
        if free:
            chat, number = self.chance.choice(free)
            self.put(replace(kept, chat_id=chat, message_id=number, old_message_id=None))

    def is_tapped(self, board: int) -> None:
        """Anywhere in its chat: it adopts a message if it has none, and a dead key loses its message the keys."""
        kept = self.books.boards[board]
        there = [number for chat, number in self.telegram.shown if chat == kept.chat_id]
        if not there:
            return
        number = self.chance.choice(there)
        if kept.message_id == number or (kept.message_id is None and not self.books.living(kept.chat_id, number)):
            old = None if kept.old_message_id == number else kept.old_message_id
            self.put(replace(kept, message_id=number, old_message_id=old))
        elif not self.books.living(kept.chat_id, number):
            self.painter.aside(self.painter.take_keys_off(kept.chat_id, number))

    async def lives(self, acts: int) -> None:
        held: set[str] = set()
        for _ in range(acts):
            act = self.chance.choice(
                (self.comes_down, self.goes_elsewhere, self.comes_back, self.is_tapped, self.is_tapped)
            )
            act(self.chance.choice(BOARDS))
            luck = self.chance.random()
            method = self.chance.choice(("sendMessage", "editMessageText", "editMessageReplyMarkup"))
            if luck < 0.3 and method not in held:
                self.telegram.hold(method)
                held.add(method)
            elif luck < 0.6 and held:
                self.telegram.release(released := self.chance.choice(sorted(held)))
                held.discard(released)
            elif luck < 0.7:
                self.telegram.silent += 1
            await self.clock.advance(self.chance.choice((0, 0, 0.4, 1, 3)))
        self.telegram.silent = 0
        for method in held:
            self.telegram.release(method)
        await self.clock.advance(900)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_a_board_that_stands_somewhere_stands_there_with_its_newest_picture_and_its_keys(seed: int) -> None:
    async def crossed() -> None:
        crossing = Crossing(Random(seed))
        await crossing.lives(40)
        for kept in crossing.books.boards.values():
            if kept.message_id is not None:
                assert crossing.telegram.shown[kept.chat_id, kept.message_id] == (kept.view.text, True)
        await crossing.painter.close()

    asyncio.run(crossed())
