"""Transport, intake and painter together against the local Bot API: real sockets, real PTB, real time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from telegram import Update
from telegram.ext import TypeHandler

from bot.facts import Tap, Verb
from bot.intake import KINDS, Intake, Visitor, Why
from bot.painter import Limits, Painter, Picture, Urgency
from bot.playground import Running, World, serve
from bot.playground.seed import ANN, POKER_FRIENDS
from bot.telemetry import Metrics, masker
from bot.transport import AiohttpRequest, Q64Application, UpdateSource, application
from bot.views.kit import Key, View
from tests.bot.shelf import Shelf

QUICK = Limits(gap=0.0, group_minute=10_000, betting_gap=0.0, calm_gap=0.0)


class Wall:
    def now(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.05))  # nobody waits for Telegram's patience here


@dataclass(slots=True)
class Counter:
    """A bot of one board per chat: it counts taps, and shows the count."""

    painter: Painter
    shelf: Shelf
    taps: int = 0
    breaks: bool = False

    def heard(self, chat_id: int) -> None:
        self.painter.chat_spoke(chat_id)

    async def refuse(self, visitor: Visitor, why: Why, error_id: str) -> None:
        if visitor.query_id:
            await self.painter.answer(visitor.query_id, f"{why} {error_id}")

    async def handle(self, update: Update, _: object) -> None:
        if update.callback_query is not None:
            if self.breaks:
                raise RuntimeError("bug")
            self.taps += 1
            self.painter.aside(self.painter.answer(update.callback_query.id, f"taps: {self.taps}"))
        if update.effective_chat is not None and (update.message is None or update.message.text):
            self.show(update.effective_chat.id)

    def show(self, chat_id: int) -> None:
        known = self.shelf.messages.get(1)
        self.painter.show(
            Picture(
                board=1,
                version=self.taps + 1,
                view=View(
                    text=f"<b>{self.taps}</b> & ♥️".replace("&", "&amp;"),
                    keys=((Key("Hint", Tap(verb=Verb.HINT, board=1, round=1)),),),
                ),
                chat_id=chat_id,
                message_id=None if known is None else known[0],
                urgency=Urgency.DEALT,
            )
        )


@dataclass(slots=True)
class Stage:
    live: Running
    counter: Counter
    intake: Intake
    painter: Painter
    app: Q64Application

    def board(self, chat_id: int = POKER_FRIENDS) -> dict[str, Any]:
        return self.live.people.messages(ANN, chat_id)[-1]

    async def tap(self, message_id: int, chat_id: int = POKER_FRIENDS) -> str:
        query_id = self.live.people.tap(ANN, chat_id, message_id, 0, 0)
        answer = await self.live.people.answer(query_id, wait=5)
        assert answer is not None
        return str(answer["text"])


async def until(holds: Callable[[], bool]) -> None:
    for _ in range(2000):
        if holds():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it never came true")


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with await serve(World()) as live:
        request, poller = AiohttpRequest(read_timeout=0.5, write_timeout=0.1, pool_timeout=0.1), AiohttpRequest()
        app = application(live.world.token, base_url=live.base_url, request=request, poller=poller)
        async with app:
            clock, shelf, metrics = Wall(), Shelf(), Metrics()
            painter = Painter(app.bot, clock, shelf, metrics, limits=QUICK)
            counter = Counter(painter, shelf)
            intake = Intake(app, clock, metrics, counter, name=app.bot.username, mask=masker(b"k"))
            app.add_handler(TypeHandler(Update, counter.handle))
            polling = asyncio.create_task(intake.run_polling(UpdateSource(app.bot, poller, KINDS)))
            yield Stage(live, counter, intake, painter, app)
            intake.stop()
            await polling
            await painter.close()


async def test_a_command_a_board_a_tap_a_new_picture(stage: Stage) -> None:
    stage.live.people.send(ANN, POKER_FRIENDS, "/deal")
    await until(lambda: stage.board().get("text") == "0 & ♥️")
    board = stage.board()["message_id"]
    assert await stage.tap(board) == "taps: 1"
    assert await stage.tap(board) == "taps: 2"
    await until(lambda: stage.board()["text"] == "2 & ♥️")
    assert stage.board()["message_id"] == board  # the same message lives on
    assert stage.counter.shelf.messages[1][0] == board
    await until(lambda: not stage.live.world.updates.pending)  # all acknowledged


async def test_f25_a_tap_on_a_bug_is_answered(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("CRITICAL")
    stage.live.people.send(ANN, ANN, "/start")
    await until(lambda: stage.board(ANN).get("text") == "0 & ♥️")
    stage.counter.breaks = True
    assert (await stage.tap(stage.board(ANN)["message_id"], ANN)).startswith("error ")


FAULTS = [
    pytest.param({"kind": "500"}, id="500"),
    pytest.param({"kind": "502"}, id="502, a page"),
    pytest.param({"kind": "garbage"}, id="garbage"),
    pytest.param({"kind": "disconnect"}, id="disconnect"),
    pytest.param({"kind": "timeout_before"}, id="timeout, not executed"),
    pytest.param({"kind": "timeout_after"}, id="timeout, executed"),
    pytest.param({"kind": "429", "retry_after": 1}, id="429"),
    pytest.param({"kind": "not_modified"}, id="F23 not modified, though it was"),
]


@pytest.mark.parametrize("rule", FAULTS)
async def test_a_board_gets_over_trouble_with_an_edit(stage: Stage, rule: dict[str, Any]) -> None:
    stage.live.people.send(ANN, POKER_FRIENDS, "/deal")
    await until(lambda: stage.board().get("text") == "0 & ♥️")
    board = stage.board()["message_id"]
    stage.live.world.faults.add({"method": "editMessageText", **rule})
    await stage.tap(board)
    if rule["kind"] == "not_modified":
        await stage.tap(board)
    await until(lambda: stage.board()["text"] == f"{stage.counter.taps} & ♥️")
    assert stage.board()["message_id"] == board


async def test_f27_a_board_that_was_deleted_comes_back_once(stage: Stage) -> None:
    stage.live.people.send(ANN, POKER_FRIENDS, "/deal")
    await until(lambda: stage.board().get("text") == "0 & ♥️")
    board = stage.board()["message_id"]
    stage.live.people.delete_message(ANN, POKER_FRIENDS, board)
    stage.counter.taps = 7
    stage.live.people.send(ANN, POKER_FRIENDS, "/deal")
    await until(lambda: stage.board().get("text") == "7 & ♥️")
    assert stage.board()["message_id"] != board
    await stage.painter.rest()
    assert stage.counter.shelf.messages[1][0] == stage.board()["message_id"]


async def test_a_file_a_picture_a_reaction(stage: Stage) -> None:
    command = stage.live.people.send(ANN, POKER_FRIENDS, "/hands")
    work: list[Awaitable[Any]] = [
        stage.painter.document(POKER_FRIENDS, "hand-4821.json", b'{"v":1}', caption="proof", reply_to=command),
        stage.painter.react(POKER_FRIENDS, command, "👌"),
    ]
    sent, _ = await asyncio.gather(*work)
    assert sent is not None
    assert any("document" in message for message in stage.live.people.messages(ANN, POKER_FRIENDS))
