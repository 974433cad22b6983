"""A whole bot without a network, fast enough for a hundred thousand updates, and hands that make wrong ones of right ones."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from bot.facts import Verb
from bot.handlers.admins import Admins, Standing
from bot.handlers.desk import Desk
from bot.handlers.dispatch import COMMANDS, Dispatch
from bot.handlers.reception import FrontDesk
from bot.i18n import Catalogues
from bot.intake import Intake
from bot.painter import Painter, Picture, StoredPictures
from bot.painter.pictures import Content
from bot.painter.toast import clipped
from bot.refusals import AdminsUnknown
from bot.storage import Store, Tx, open_store
from bot.telemetry import Metrics, masker
from bot.transport import application
from bot.views.kit import TOAST_LENGTH, Keys, View
from tests.bot.databases import fresh_sqlite
from tests.clock import NOON
from tests.telegram import TOKEN, ScriptedTelegram

Raw = dict[str, Any]
GROUPS = (-1_009_000_000_001, -1_009_000_000_002, -4_711)
PEOPLE = tuple(range(9_000_000_000_001, 9_000_000_000_011))
STRANGERS = tuple(range(9_000_000_000_101, 9_000_000_000_105))  # they have sat down nowhere
AT_ONCE = 64


class Tick:
    """A clock that is moved between batches; whoever sleeps on it sleeps for good."""

    def __init__(self) -> None:
        self.at: datetime = NOON

    def now(self) -> datetime:
        return self.at

    async def sleep(self, seconds: float) -> None:
        if seconds > 0:
            await asyncio.Event().wait()


class Notebook(Painter):
    """A painter whose calls all succeed at once, written down."""

    def book(self) -> None:
        self.answers: list[tuple[str, str]] = []
        self.keys: list[tuple[int, int, str]] = []  # chat, message, payload
        self.written_over: list[tuple[int, int]] = []
        self.messages = count(1_000)

    def show(self, picture: Picture, *, doubtful: bool = False) -> None:  # noqa: ARG002 - nothing is ever deleted here
        content = Content.of(picture.view)
        assert content.text
        number = picture.message_id
        if number is None:
            number = next(self.messages)
            self.aside(self._outbox.sent(picture.board, picture.chat_id, number, picture.version))
        self._remember(picture.chat_id, number, picture.view.keys)

    async def answer(self, query_id: str, text: str = "", **_: object) -> None:
        assert len(clipped(text)) <= TOAST_LENGTH
        self.answers.append((query_id, text))

    async def send(
        self, chat_id: int, view: View, *, thread_id: int | None = None, reply_to: int | None = None
    ) -> int | None:
        number = await super().send(chat_id, view, thread_id=thread_id, reply_to=reply_to)
        if number is not None:
            self._remember(chat_id, number, view.keys)
        return number

    async def edit(self, chat_id: int, message_id: int, view: View) -> None:
        if not await self._is_free(chat_id, message_id):
            return
        self.written_over.append((chat_id, message_id))
        await super().edit(chat_id, message_id, view)
        self._remember(chat_id, message_id, view.keys)

    async def download(self, file_id: str, most: int) -> bytes | None:  # noqa: ARG002 - the signature is the painter's
        return b'{"v":1}' if len(file_id) % 2 else None

    async def _errand(self, *_: object, **__: object) -> int | None:
        return next(self.messages)

    def _remember(self, chat_id: int, message_id: int, keys: Keys) -> None:
        self.keys += [(chat_id, message_id, key.tap.pack()) for row in keys for key in row if key.tap is not None]
        del self.keys[:-6_000]


class Moody(Admins):
    """Telegram's word about who is an admin, drawn by lot."""

    chance = Random(64)

    async def standing(self, *_: object, **__: object) -> Standing:
        luck = self.chance.random()
        if luck < 0.05:
            raise AdminsUnknown
        return Standing(admin=luck < 0.4, hidden=luck < 0.1)

    async def present(self, *_: object) -> bool:
        return self.chance.random() < 0.8


@dataclass(slots=True)
class Hall:
    """The rooms as `app` joins them, on a notebook."""

    store: Store
    clock: Tick
    painter: Notebook
    intake: Intake
    chance: Random
    file: str
    updates: count[int] = field(default_factory=lambda: count(1))
    asked: list[str] = field(default_factory=list)
    tally: Counter[str] = field(default_factory=Counter)

    async def close(self) -> None:
        await self.painter.close()
        await self.store.close()

    # Updates

    def tap(self, user: int, chat: int, message: int, payload: str) -> Raw:
        number = next(self.updates)
        query = f"q{number}"
        self.asked.append(query)
        body = {
            "id": query,
            "from": _person(user),
            "message": {"message_id": message, "date": self._date, "chat": _chat(chat)},
            "chat_instance": "9",
            "data": payload,
        }
        return {"update_id": number, "callback_query": body}

    def words(self, user: int, chat: int, text: str, **facts: Any) -> Raw:
        number = next(self.updates)
        body = {
            "message_id": next(self.painter.messages),
            "date": self._date,
            "chat": _chat(chat),
            "from": _person(user),
            "text": text,
            **facts,
        }
        return {"update_id": number, "message": body}

    @property
    def _date(self) -> int:
        return int(self.clock.at.timestamp())

    async def takes(self, updates: list[Raw]) -> None:
        """A batch, and everything that it set going."""
        await self.intake.take(updates)
        await self.intake.rest()
        while self.painter._asides:
            await asyncio.wait([*self.painter._asides])
        self.clock.at += timedelta(seconds=0.1)
        answered = Counter(query for query, _ in self.painter.answers)
        assert answered == Counter(self.asked), (Counter(self.asked) - answered, answered - Counter(self.asked))
        self.tally["taps"] += len(self.asked)
        self.tally["updates"] += len(updates)
        self.asked.clear()
        self.painter.answers.clear()

    async def books_close(self) -> None:
        def look(tx: Tx) -> tuple[int, list[Any], list[Any], int]:
            below = tx.rows("SELECT id FROM seats WHERE chips < 0")
            return tx.ledger.drift(), tx.ledger.unbalanced_seats(), tx.ledger.unbalanced_movements(), len(below)

        assert await self.store.read(look) == (0, [], [], 0)


async def open_hall(folder: Path, seed: int) -> Hall:
    address = fresh_sqlite(folder)
    store, clock, chance = await open_store(address), Tick(), Random(seed)
    joined = application(TOKEN, request=ScriptedTelegram(), poller=ScriptedTelegram())
    await joined.initialize()
    metrics = Metrics()
    painter = Notebook(joined.bot, clock, StoredPictures(store), metrics)
    painter.book()
    secrets = Random(seed + 1)
    desk = Desk(
        store=store, painter=painter, clock=clock, catalogues=Catalogues(), bot_id=joined.bot.id,
        bot_name=joined.bot.username, operator="", admins=Moody(joined.bot, clock),
        chance=lambda: hashlib.sha256(secrets.randbytes(32)).digest(),
    )  # fmt: skip
    painter.load(desk.repaint)
    Dispatch(desk).register(joined)
    intake = Intake(joined, clock, metrics, FrontDesk(desk), name=joined.bot.username, mask=masker(b"x" * 16))
    return Hall(store=store, clock=clock, painter=painter, intake=intake, chance=chance, file=address)


def _person(user: int) -> Raw:
    language = ("en", "pt-br", "ru", "", "ar", "zz")[user % 6]
    return {"id": user, "is_bot": False, "first_name": f"P{user % 1000}<b>&\u202e", "language_code": language}


def _chat(chat: int) -> Raw:
    if chat > 0:
        return {"id": chat, "type": "private", "first_name": "P"}
    return {"id": chat, "type": "group" if chat == GROUPS[2] else "supergroup", "title": "G\u202e<i>"}


# Wrong payloads of right ones

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LETTERS = _DIGITS + ":;-+_/ ABCXYZ\n\t\0\u00e9\u0660\u202e\U0001f600{}\"'<>%"
_VERBS = [verb.value for verb in Verb]


def mutated(payload: str, chance: Random) -> str:
    """A payload as a modified client, an older or newer release, or a broken wire might make it."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        payload = _changed(payload, chance)
    return payload


def _changed(payload: str, chance: Random) -> str:
    fields, at = payload.split(":"), chance.randrange(len(payload) + 1)
    match chance.randrange(12):
        case 0:
            return payload[:at]
        case 1:
            return payload[:at] + chance.choice(_LETTERS) + payload[at:]
        case 2:
            return payload[:at] + chance.choice(_LETTERS) + payload[at + 1 :]
        case 3:
            return chance.choice(("0", "2", "01", "", "1.0", "v1")) + payload[1:]
        case 4 if len(fields) > 1:
            fields[1] = chance.choice(_VERBS)
        case 5:
            fields.append(_number(chance))
        case 6 if len(fields) > 2:
            fields.pop()
        case 7 | 8 | 9 | 10 if len(fields) > 2:
            fields[chance.randrange(2, len(fields))] = _number(chance)
        case _:
            return "".join(chance.choice(_LETTERS) for _ in range(chance.choice((0, 1, 5, 64, 65, 300))))
    return ":".join(fields)


def _number(chance: Random) -> str:
    kind = chance.randrange(6)
    if kind < 4:
        value = chance.choice((chance.randrange(4), chance.randrange(60), chance.randrange(10**4), 25, 5, 0))
        return _base36(value)
    return chance.choice(("zzzzzzzzzzzzz", "1y2p0ij32e8e7", "1y2p0ij32e8e8", "-1", "00", "", "zzzzzz", "gjdgxs"))


def _base36(value: int) -> str:
    digits = ""
    while value:
        value, digit = divmod(value, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"


# Wrong words of right ones

_RIGHT = (
    "/deal 25 5", "/deal", "/break 12h", "/verify 7", "/fair lucky socks", '/rules {"buy_in":300}',
    "/settings zone Europe/Kyiv", "/settings blacklist 7d", "/start", "/top", "/cashout", "/stats", "/hint", "/hands",
    "/contest 5 hands", "/table", "play", "fold", "hint", "deal", "clear", "repeat", "J", "X", "H", "/help", "/daily",
    '/verify {"v":1,"nonce":1,"commitment":"00","secret":"00","words":[""],"deck":[]}', "/privacy", "/forget",
    '/rules {"limits":{"ante":[5,100]},"chips":[5,25],"pair_plus":{"pair":1}}', "/mydata",
)  # fmt: skip
_TAILS = (
    "٢٥ ٥", "२५", "２５", "²⁵", "1_000", "1e9", "-5", "+5", "0x19", "5.0", "5,5", "∞", "NaN", "9" * 400, "\u202e25", "25\u200b",
    "\u0000", "{", "[" * 2_000, '{"a":' * 500, "'; DROP TABLE seats;--", "%s%n", "<b>&amp;", "\ud83d\ude00" * 10,
    "x" * 4_096, "\u0301" * 500, "null", "true", '{"rules":null}', '{"buy_in":1e308}', '{"buy_in":-1}', '{"chips":[]}',
    '{"chips":[0]}', '{"limits":{"ante":[100,5]}}', '{"name":"' + "n" * 300 + '"}', '{"pair_plus":{"pair":99999999999}}',
)  # fmt: skip


def said(chance: Random) -> str:
    """Something that somebody types."""
    text = chance.choice(_RIGHT) if chance.random() < 0.8 else f"/{chance.choice([*COMMANDS])}"
    at = chance.randrange(len(text) + 1)
    ways: tuple[Callable[[], str], ...] = (
        lambda: text,
        lambda: text + chance.choice(("@q64_test_bot", "@Q64_TEST_BOT", "@other_bot", "@")),
        lambda: text[:at] + chance.choice(_LETTERS) + text[at:],
        lambda: text[:at] or "/",
        text.upper,
        lambda: chance.choice(_TAILS),
        lambda: "".join(chance.choice(_LETTERS) for _ in range(chance.randrange(200))) or " ",
        lambda: text.partition(" ")[0] + " " + chance.choice(_TAILS),
    )
    return chance.choice(ways)()


def batches(number: int) -> Iterator[int]:
    """So many, in parts that come together."""
    for begun in range(0, number, AT_ONCE):
        yield min(AT_ONCE, number - begun)
