"""What must be true after whatever happened: pictures, keys, answers, secrets, books."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from math import inf
from typing import Any

import orjson

from bot.facts import BadTap, Board, Design, Face, SoloBoard, Tap, Verb
from bot.painter.keyboard import keyboard
from bot.playground.entities import parse_html
from bot.playground.records import Chat, Message
from bot.services.audit import audit
from bot.services.solo import board_of
from bot.storage import Tx
from bot.storage.inspection import inspecting
from bot.views import solo as boards
from bot.views.kit import Page, View
from core.solo import Dealt
from tests.journeys.house import Evening, Json
from tests.journeys.leaks import kept, leaks


@dataclass(slots=True)
class Aftermath(Evening):
    """An evening that can be looked through from end to end."""

    tally: Counter[str] = field(default_factory=Counter)
    deaths: list[int] = field(default_factory=list)  # calls that had been made when a process died
    excused: set[str] = field(default_factory=set)  # queries that were open when a process died

    async def turning(self, work: Coroutine[Any, Any, None]) -> None:
        """Turn the clock until this is done."""
        task = asyncio.create_task(work)
        while not (await asyncio.wait({task}, timeout=0.002))[0]:
            if not self.calling():
                await self.clock.wake_next()
        await task

    async def boards(self) -> list[Board]:
        def look(tx: Tx) -> list[Board]:
            ids = [int(row["id"]) for row in tx.rows("SELECT id FROM boards WHERE retired = 0 ORDER BY id")]
            return [board for id_ in ids if (board := tx.boards.get(id_)) is not None]

        return await self.house.store.read(look)

    async def pictures_differ(self, *, strict: bool = False) -> list[str]:
        """Boards whose message is not what follows from the database; *strict*: in every taste."""
        wrong = []
        for board in await self.boards():
            chat = self.world.chats[board.chat_id]
            if not self._reachable(chat):
                continue
            message = self.world.find(board.chat_id, board.message_id or 0)
            if message is None and not strict and (self._waits(board, chat) or self._deleted(board)):
                continue
            if message is None:
                wrong.append(f"board {board.id} has no message: {board}")
                continue
            picture = await self.house.painter._repaint(board.id)  # type: ignore[misc]
            assert picture is not None
            if not looks_like(message, picture.view) and (strict or not await self._other_taste(board, message)):
                wrong.append(f"{board}\nshows {message.text!r} {message.keyboard}\nnot {picture.view}")
            self.tally["boards"] += 1
        return wrong

    async def _other_taste(self, board: Board, message: Message) -> bool:
        """Whether it is right but for what its owner chose elsewhere since, and for what other boards tell."""
        value = await self.house.store.read(board_of, board.id)
        assert value is not None
        self.tally["other taste"] += 1
        private = board.chat_id == value.owner.id
        day = value.outing is not None and value.outing.grid is not None
        for language, design in product(self.house.catalogues.languages, Design):
            page = Page(t=self.house.catalogues.words(language), design=design, bot=self.house.name, private=private)
            if any(looks_like(message, boards.board(older, page)) for older in _older(value)):
                return True
            if day and _lines_that_differ(message, boards.board(value, page)) <= _OF_A_DAY:
                return True
        return False

    async def repaint_all(self) -> None:
        """One more picture of every board."""
        await self.turning(self.house.painter.repaint([board.id for board in await self.boards()]))
        await self.rests()

    @staticmethod
    def _waits(board: Board, chat: Chat) -> bool:
        """A group that became a supergroup keeps its boards; each is sent when its owner asks for it."""
        return chat.migrated_from is not None and board.message_id is None and board.painted >= board.wanted

    def _deleted(self, board: Board) -> bool:
        """Nobody tells of a message that was deleted; the next picture finds out (F27)."""
        kept = self.world.messages.get(board.chat_id, {}).get(board.message_id or 0)
        return kept is not None and kept.deleted

    def _reachable(self, chat: Chat) -> bool:
        """Who never pressed Start cannot be written to, whatever a hand-made client taps there."""
        person = self.world.people.get(chat.id)
        return chat.migrated_to is None and not chat.removed and (person is None or person.started)

    async def living(self) -> set[tuple[int, int | None]]:
        """The messages that boards stand in."""
        return {(board.chat_id, board.message_id) for board in await self.boards()}

    async def strays(self) -> list[Message]:
        """Messages with the keys of a board that are not the board's."""
        living = await self.living()
        return [
            message
            for chat_id, kept in self.world.messages.items()
            if self._reachable(self.world.chats[chat_id])
            for message in kept.values()
            if not message.deleted and (chat_id, message.message_id) not in living and _board_keys(message)
        ]

    async def tidies(self) -> None:
        """Whoever taps a board that was left behind takes its keys off, and moves nothing."""
        owners = {seat["board"]: seat["user_id"] for seat in await self._owners()}
        before = await self.books()
        for message in await self.strays():
            for payload in _playing_keys(message)[:1]:
                who = self.tidier(message, Tap.unpack(payload), owners)
                if who is not None and who in self.world.audience(self.world.chats[message.chat_id]):
                    self.people.tap(who, message.chat_id, message.message_id, payload=payload)
                    self.tally["strays"] += 1
        await self.hear()
        await self.rests()
        assert await self.books() == before

    def tidier(self, message: Message, tap: Tap, owners: Mapping[int, int]) -> int | None:  # noqa: ARG002 - for tables
        """Whose tap takes the keys off a board that was left behind."""
        return owners.get(tap.board)

    async def _owners(self) -> list[Any]:
        sql = "SELECT b.id AS board, s.user_id AS user_id FROM boards b JOIN seats s ON s.id = b.seat_id"
        return await self.house.store.read(lambda tx: tx.rows(sql))

    def answers_wrong(self) -> list[str]:
        """Taps that were answered more than once by one process, or never, though nothing stood in the way."""
        life, calls, tried = 0, self.calls("answerCallbackQuery"), Counter[tuple[int, str]]()
        for number, call in enumerate(self.world.log or ()):
            life += life < len(self.deaths) and number >= self.deaths[life]
            if call["method"] == "answerCallbackQuery":
                tried[life, str(call["params"]["callback_query_id"])] += 1
        took = Counter(str(call["params"]["callback_query_id"]) for call in calls if call["ok"])
        wrong = [f"{query} answered {count} times" for query, count in took.items() if count > 1]
        wrong += [f"{query} answered {count} times by one process" for (_, query), count in tried.items() if count > 1]
        known = {query for _, query in tried} | self.excused
        for query in self.world.queries.values():
            if query.id not in known and not self._undelivered(query.chat_id):
                wrong.append(f"{query} not answered")
        self.tally["answers"] = len(calls)
        return wrong

    def _undelivered(self, chat_id: int) -> bool:
        """Telegram tells a bot nothing of taps in a group that it has left; who was ever out is not asked about."""
        return chat_id < 0 and chat_id in self.left

    @property
    def left(self) -> set[int]:
        return {
            message.chat_id
            for kept in self.world.messages.values()
            for message in kept.values()
            if message.service.get("left_chat_member", {}).get("id") == self.world.profile.id
        }

    async def secrets_shown(self) -> list[str]:
        """Secrets in anything that was sent before its time, or logged."""
        return leaks(await self.house.store.read(kept), self.world, self.log)

    async def dealers_shown(self) -> list[str]:
        """Boards of a dealt hand that show a card of the dealer's."""
        wrong = []
        for board in await self.boards():
            value = await self.house.store.read(board_of, board.id)
            message = self.world.find(board.chat_id, board.message_id or 0)
            if value is None or value.shown is None or message is None or board.face is not Face.CARDS:
                continue
            if not isinstance(value.shown.state, Dealt):
                continue
            shown = [str(card) for card in value.shown.state.dealer if _shows(message, str(card))]
            wrong += [f"{board} shows {card}: {message.text}" for card in shown]
        return wrong

    def findings(self) -> list[str]:
        with inspecting(self.database) as look:
            return [str(each) for each in audit(look)]


_OF_A_DAY = 2  # lines of a day that is played: the average of all, and whether its secret is open by now


def _lines_that_differ(message: Message, view: View) -> float:
    shown, right = (message.text or "").split("\n"), parse_html(view.text)[0].split("\n")
    if len(shown) != len(right):
        return inf
    return sum(one != other for one, other in zip(shown, right, strict=True))


_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def _shows(message: Message, card: str) -> bool:
    rank, suit = card[:-1].replace("T", "10"), card[-1]
    return f"{rank}{_SUITS[suit]}" in (message.text or "")


def looks_like(message: Message, view: View) -> bool:
    keys = orjson.loads(keyboard(view.keys) or '{"inline_keyboard":[]}')["inline_keyboard"]
    return (message.text, _plain(message.keyboard)) == (parse_html(view.text)[0], _plain(keys))


def _older(value: SoloBoard) -> Iterator[SoloBoard]:
    """The board as it was before other boards told more of its owner: hands, tables, a place in the week."""
    ranks = {value.summary.rank, *range(1, 9)} if value.summary is not None else {None}
    for tables, hands, rank in product((1, 2), {0, value.owner.hands}, ranks):
        summary = replace(value.summary, rank=rank) if value.summary is not None else None
        yield replace(value, tables=tables, owner=replace(value.owner, hands=hands), summary=summary)


def _plain(keys: list[list[Json]] | None) -> list[list[tuple[str, str]]]:
    return [[(key["text"], str(key.get("callback_data") or key.get("url") or "")) for key in row] for row in keys or ()]


_ASKING = {Verb.TOP, Verb.PICTURE, Verb.HINT, Verb.HANDS, Verb.FILE, Verb.NIGHT_FILE}
_PAGES_OF_THEIR_OWN = {Verb.TOP, Verb.MY_PLACE, Verb.RULES, Verb.SETTING, Verb.FORGET, Verb.BRING_BACK}


def _playing_keys(message: Message) -> list[str]:
    """Those of them that act on the board; the others only ask, from wherever they stand."""
    return [each for each in _board_keys(message) if Tap.unpack(each).verb not in _ASKING]


def _board_keys(message: Message) -> list[str]:
    """The payloads under a message that name a board."""
    found = []
    for row in message.keyboard or ():
        for key in row:
            with suppress(BadTap):
                tap = Tap.unpack(key.get("callback_data", ""))
                if tap.board and tap.verb not in _PAGES_OF_THEIR_OWN:
                    found.append(key["callback_data"])
    return found
