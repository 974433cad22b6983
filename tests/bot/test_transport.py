"""The wire against a small HTTP server on the loopback."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import orjson
import pytest
from aiohttp import web
from telegram import InaccessibleMessage, InputFile, Update
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)
from telegram.ext import TypeHandler

from bot.transport import (
    AiohttpRequest,
    NotSent,
    Q64Application,
    UpdateSource,
    application,
    as_update,
    read_update,
    trimmed,
)
from tests.telegram import BOT, TOKEN, ScriptedTelegram, bot

ANA = 9_000_000_000_001
GROUP = -1_009_000_000_000_001
MESSAGE = {"message_id": 7, "date": 1_790_000_000, "chat": {"id": ANA, "type": "private"}, "text": "long " * 100}
TAP = {
    "update_id": 501,
    "callback_query": {
        "id": "77",
        "from": {"id": ANA, "is_bot": False, "first_name": "Ana"},
        "chat_instance": "9",
        "data": "1:P:1:2",
        "message": {
            "message_id": 7,
            "date": 1_790_000_000,
            "edit_date": 1_790_000_001,
            "chat": {"id": GROUP, "type": "supergroup", "title": "G", "is_forum": True},
            "from": BOT,
            "message_thread_id": 42,
            "is_topic_message": True,
            "text": "Ann · 470 chips",
            "entities": [{"type": "bold", "offset": 0, "length": 3}],
            "reply_markup": {"inline_keyboard": [[{"text": "Play 25", "callback_data": "1:P:1:2"}]]},
        },
    },
}


@dataclass(slots=True)
class Server:
    """Answers what it is told to, and remembers what it was asked."""

    base_url: str = ""
    status: int = 200
    body: bytes = b'{"ok":true,"result":true}'
    delay: float = 0.0
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    peers: set[Any] = field(default_factory=set)

    def says(self, result: object, **more: object) -> None:
        self.status, self.body = 200, orjson.dumps({"ok": True, "result": result, **more})

    def refuses(self, status: int, description: str, **parameters: int) -> None:
        answer: dict[str, Any] = {"ok": False, "error_code": status, "description": description}
        self.status, self.body = status, orjson.dumps(answer | ({"parameters": parameters} if parameters else {}))

    async def serve(self, request: web.Request) -> web.Response:
        assert request.transport is not None
        self.peers.add(request.transport.get_extra_info("peername"))
        fields: dict[str, Any] = dict(request.query)
        if request.content_type == "application/json":
            fields |= {
                name: value if isinstance(value, str) else str(value) for name, value in (await request.json()).items()
            }
        for name, value in (await request.post()).items():
            if isinstance(value, web.FileField):
                self.files[value.filename] = value.file.read()
            else:
                fields[name] = value
        self.asked.append((request.path.rpartition("/")[2], fields))
        await asyncio.sleep(self.delay)
        return web.Response(status=self.status, body=self.body, content_type="application/json")


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    made = Server()
    site = web.Application()
    site.router.add_post("/{path:.*}", made.serve)
    site.router.add_get("/file/bot{path:.*}", made.serve)
    runner = web.AppRunner(site)
    await runner.setup()
    listener = web.TCPSite(runner, "127.0.0.1", 0)
    await listener.start()
    port = runner.addresses[0][1]
    made.base_url = f"http://127.0.0.1:{port}/bot"
    yield made
    await runner.cleanup()


@pytest.fixture
async def request_() -> AsyncIterator[AiohttpRequest]:
    request = AiohttpRequest(read_timeout=2)
    await request.initialize()
    yield request
    await request.shutdown()


@pytest.fixture
def app(server: Server, request_: AiohttpRequest) -> Q64Application:
    return application(TOKEN, base_url=server.base_url, request=request_, poller=request_)


ERRORS = [
    (400, "Bad Request: message is not modified", {}, BadRequest),
    (401, "Unauthorized", {}, InvalidToken),
    (403, "Forbidden: bot was blocked by the user", {}, Forbidden),
    (404, "Not Found", {}, InvalidToken),
    (409, "Conflict: terminated by other getUpdates request", {}, Conflict),
    (400, "Bad Request: group chat was upgraded", {"migrate_to_chat_id": GROUP}, ChatMigrated),
    (429, "Too Many Requests: retry after 35", {"retry_after": 35}, RetryAfter),
    (500, "Internal Server Error", {}, NetworkError),
    (502, "Bad Gateway", {}, NetworkError),
]


@pytest.mark.parametrize("status, words, parameters, kind", ERRORS, ids=[f"{e[0]} {e[1]}" for e in ERRORS])
async def test_errors_are_ptb_s(
    server: Server, app: Q64Application, *, status: int, words: str, parameters: dict[str, int], kind: type[Exception]
) -> None:
    server.refuses(status, words, **parameters)
    with pytest.raises(kind) as raised:
        await app.bot.edit_message_text("x", chat_id=ANA, message_id=7)
    if isinstance(raised.value, RetryAfter):
        assert raised.value.retry_after == timedelta(seconds=35)


GARBAGE = [
    pytest.param(200, b"<html>oops</html>", id="a page with status 200"),
    pytest.param(200, b"[]", id="a list"),
    pytest.param(200, b"", id="nothing"),
    pytest.param(200, b'{"ok":false,"error_code":500,"description":"x"}', id="an error with status 200"),
    pytest.param(502, b"<html>" + b"x" * 100_000, id="a page with status 502"),
    pytest.param(500, b"\xff\xfe", id="bytes that are no text"),
]


@pytest.mark.parametrize("status, body", GARBAGE)
@pytest.mark.parametrize("call", ["sendMessage", "editMessageText", "getMe"])
async def test_garbage_is_an_unknown_outcome(
    server: Server, app: Q64Application, status: int, body: bytes, call: str
) -> None:
    server.status, server.body = status, body
    calls: dict[str, Callable[[], Awaitable[Any]]] = {
        "sendMessage": lambda: app.bot.send_message(ANA, "x"),
        "editMessageText": lambda: app.bot.edit_message_text("x", chat_id=ANA, message_id=7),
        "getMe": app.bot.get_me,
    }
    with pytest.raises(TelegramError) as raised:
        await calls[call]()
    assert not isinstance(raised.value, (BadRequest, Forbidden, InvalidToken, RetryAfter))
    assert len(str(raised.value)) < 1000


async def test_timeouts_are_timed_out(server: Server, app: Q64Application) -> None:
    server.delay = 0.5
    with pytest.raises(TimedOut):
        await app.bot.send_message(ANA, "x", read_timeout=0.05, write_timeout=0, connect_timeout=0.05, pool_timeout=0)


async def test_no_connection_is_not_sent(request_: AiohttpRequest) -> None:
    lonely = application(TOKEN, base_url="http://127.0.0.1:9/bot", request=request_, poller=request_)
    with pytest.raises(NotSent):
        await lonely.bot.send_message(ANA, "x")


async def test_a_closed_session_is_not_sent(server: Server) -> None:
    closed = application(TOKEN, base_url=server.base_url, request=AiohttpRequest(), poller=AiohttpRequest())
    with pytest.raises(NotSent):
        await closed.bot.send_message(ANA, "x")


@pytest.mark.parametrize("base_url", ["http://127.0.0.1:9/bot", "http://[bad/bot", "nonsense://x/bot"])
async def test_f123_no_error_names_the_token(
    request_: AiohttpRequest, caplog: pytest.LogCaptureFixture, base_url: str
) -> None:
    lonely = application(TOKEN, base_url=base_url, request=request_, poller=request_)
    caplog.set_level(logging.DEBUG)
    with pytest.raises(NetworkError) as raised:
        await lonely.bot.get_me()
    printed = "".join(traceback.format_exception(raised.value)) + caplog.text
    assert TOKEN.split(":")[1] not in printed


async def test_f123_a_conflict_and_a_timeout_do_not_name_the_token(
    server: Server, app: Q64Application, request_: AiohttpRequest, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.WARNING, "aiohttp.access")  # the test's own server
    server.refuses(409, "Conflict: terminated by other getUpdates request")
    with pytest.raises(Conflict) as conflict:
        await UpdateSource(app.bot, request_, ["message"]).after(1)
    server.delay = 0.5
    with pytest.raises(TimedOut) as late:
        await app.bot.get_me(read_timeout=0.01, write_timeout=0, connect_timeout=0.01, pool_timeout=0)
    printed = "".join(traceback.format_exception(conflict.value) + traceback.format_exception(late.value)) + caplog.text
    assert TOKEN.split(":")[1] not in printed


async def test_replies_nobody_reads_stay_unread(
    server: Server, app: Q64Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.says(MESSAGE)
    parsed: list[bytes] = []
    usual = AiohttpRequest.parse_json_payload

    def noted(body: bytes) -> dict[str, Any]:
        parsed.append(body)
        return usual(body)

    monkeypatch.setattr(AiohttpRequest, "parse_json_payload", staticmethod(noted))
    assert await app.bot.edit_message_text("x", chat_id=ANA, message_id=7) is True
    assert await app.bot.edit_message_reply_markup(chat_id=ANA, message_id=7) is True
    assert await app.bot.answer_callback_query("1") is True
    assert all(len(body) < 30 for body in parsed)


async def test_a_sent_message_gives_its_place(server: Server, app: Q64Application) -> None:
    server.says(MESSAGE)
    message = await app.bot.send_message(ANA, "x")
    assert (message.message_id, message.chat.id, message.text) == (7, ANA, None)


async def test_other_replies_are_whole(server: Server, app: Q64Application) -> None:
    server.says(BOT)
    assert (await app.bot.get_me()).username == "q64_test_bot"


async def test_connections_are_used_again(server: Server, app: Q64Application) -> None:
    for _ in range(5):
        await app.bot.answer_callback_query("1")
    assert len(server.asked) == 5
    assert len(server.peers) == 1


async def test_uploads_go_through_ptb_s_request_data(server: Server, app: Q64Application) -> None:
    server.says(MESSAGE)
    await app.bot.send_document(ANA, InputFile(b'{"v":1}', filename="hand-ö.json"), caption="proof")
    await app.bot.send_photo(GROUP, InputFile(b"\x89PNG...", filename="q64.png"))
    assert server.asked[0] == ("sendDocument", {"chat_id": str(ANA), "caption": "proof"})
    assert server.files == {"hand-ö.json": b'{"v":1}', "q64.png": b"\x89PNG..."}


@pytest.mark.parametrize("content", [b'{"v":1}', b'{"v":1}\n{"v":1}\n', b"\x00\xff", b""])
async def test_a_file_comes_as_it_is_from_the_server_that_was_named(
    server: Server, app: Q64Application, content: bytes
) -> None:
    server.says({"file_id": "F", "file_unique_id": "U", "file_size": len(content), "file_path": "documents/a.json"})
    file = await app.bot.get_file("F")
    server.body = content
    assert bytes(await file.download_as_bytearray()) == content
    assert file.file_path is not None
    assert file.file_path.startswith(server.base_url.replace("/bot", "/file/bot"))


async def test_text_arrives_as_it_was(server: Server, app: Q64Application) -> None:
    server.says(MESSAGE)
    words = "Q♥️ & <b>6♣️</b> + 100 % = \u2068آن\u2069"
    await app.bot.send_message(ANA, words, api_kwargs={"reply_markup": '{"inline_keyboard":[]}'})
    assert server.asked[0][1] == {"chat_id": str(ANA), "text": words, "reply_markup": '{"inline_keyboard":[]}'}


async def test_updates_come_raw_and_trimmed(server: Server, app: Q64Application, request_: AiohttpRequest) -> None:
    server.says([TAP, {"update_id": 502, "message": MESSAGE}, {"update_id": 503, "unheard_of": {}}, "nonsense"])
    source = UpdateSource(app.bot, request_, ["message", "callback_query"])
    updates = await source.after(501)
    assert [update["update_id"] for update in updates] == [501, 502, 503]
    assert "text" not in updates[0]["callback_query"]["message"]
    assert updates[1]["message"]["text"] == MESSAGE["text"]
    asked = server.asked[0]
    assert asked[0] == "getUpdates"
    assert asked[1]["offset"] == "501"
    assert orjson.loads(asked[1]["allowed_updates"]) == ["message", "callback_query"]
    await source.acknowledge(504)
    assert (server.asked[1][1]["offset"], server.asked[1][1]["timeout"]) == ("504", "0")


async def test_updates_that_are_no_list_are_garbage(
    server: Server, app: Q64Application, request_: AiohttpRequest
) -> None:
    server.says({"not": "a list"})
    with pytest.raises(NetworkError):
        await UpdateSource(app.bot, request_, []).after(None)


def test_a_trimmed_tap_is_all_that_routing_needs() -> None:
    update = Update.de_json(trimmed(orjson.loads(orjson.dumps(TAP))))
    query = update.callback_query
    assert query is not None
    assert query.message is not None
    assert query.message.is_accessible
    assert (query.message.message_id, query.message.chat.id) == (7, GROUP)
    assert update.effective_message is not None
    assert (update.effective_message.message_thread_id, update.effective_message.is_topic_message) == (42, True)
    assert update.effective_message.text is None
    assert update.effective_message.reply_markup is None


def test_a_tap_outside_of_topics_knows_its_place_and_what_ptb_would_know() -> None:
    tap: dict[str, Any] = orjson.loads(orjson.dumps(TAP))
    message = tap["callback_query"]["message"]
    del message["message_thread_id"], message["is_topic_message"]
    usual = Update.de_json(orjson.loads(orjson.dumps(tap))).callback_query
    query = as_update(trimmed(tap), bot(ScriptedTelegram())).callback_query
    assert query is not None
    assert usual is not None
    assert usual.message is not None
    assert isinstance(query.message, InaccessibleMessage)
    assert (query.message.message_id, query.message.chat) == (7, usual.message.chat)
    assert (query.id, query.from_user, query.data) == (usual.id, usual.from_user, usual.data)
    assert query.chat_instance == usual.chat_instance


@pytest.mark.parametrize("update", [TAP, {"update_id": 502, "message": MESSAGE}], ids=["a topic's tap", "words"])
def test_other_updates_are_read_as_ptb_reads_them(update: dict[str, Any]) -> None:
    raw = trimmed(orjson.loads(orjson.dumps(update)))
    assert (
        as_update(orjson.loads(orjson.dumps(raw)), bot(ScriptedTelegram())).to_dict() == Update.de_json(raw).to_dict()
    )


def test_f29_a_tap_without_a_message_is_left_as_it_is() -> None:
    tap = {"update_id": 1, "callback_query": {"id": "1", "inline_message_id": "AAA", "data": "x"}}
    assert trimmed(dict(tap)) == tap
    gone = {
        "update_id": 1,
        "callback_query": {"id": "1", "message": {"message_id": 1, "chat": {"id": 1, "type": "private"}, "date": 0}},
    }
    assert trimmed(orjson.loads(orjson.dumps(gone))) == gone


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"\xff", b'{"update_id":"5"}', b"null"])
def test_a_webhook_body_that_is_no_update(body: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - orjson's and ours
        read_update(body)


def test_a_webhook_body_is_trimmed() -> None:
    assert "text" not in read_update(orjson.dumps(TAP))["callback_query"]["message"]


async def test_contract_ptb_keeps_no_mark_of_anybody() -> None:
    """10,000 people leave nothing behind; with PTB's own class the two sets would hold them all."""
    telegram = ScriptedTelegram()
    app = application(TOKEN, request=telegram, poller=telegram)
    seen = 0

    async def count(_: object, __: object) -> None:
        nonlocal seen
        seen += 1

    app.add_handler(TypeHandler(Update, count))
    async with app:
        for number in range(10_000):
            person = {"id": ANA + number, "is_bot": False, "first_name": "Ana"}
            chat = {"id": ANA + number, "type": "private"}
            message = {"message_id": 1, "date": 1, "chat": chat, "from": person}
            await app.process_update(Update.de_json({"update_id": number, "message": message}, app.bot))
    assert seen == 10_000
    assert not app._chat_ids_to_be_updated_in_persistence
    assert not app._user_ids_to_be_updated_in_persistence
    assert not app.user_data
    assert not app.chat_data


async def test_shutdown_twice_and_open_again(server: Server) -> None:
    request = AiohttpRequest()
    await request.initialize()
    await request.initialize()
    await request.shutdown()
    await request.shutdown()
    await request.initialize()
    with contextlib.suppress(TelegramError):
        await request.post(f"{server.base_url}{TOKEN}/answerCallbackQuery")
    assert server.asked
    await request.shutdown()
