"""The HTTP face: ``/bot<token>/<method>`` for the bot, ``/file/…`` for its downloads, ``/client/…`` for people."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Mount, NoMatchFound, Route
from starlette.types import Receive, Scope, Send

from bot.playground.calls import Call
from bot.playground.client import client_routes
from bot.playground.faults import SILENT, Rule
from bot.playground.forms import read_body, read_query
from bot.playground.methods import find_method
from bot.playground.records import Json
from bot.playground.refusals import ApiError
from bot.playground.webhook import Courier
from bot.playground.world import World

_MOST = 60 * 2**20  # bytes of a request


class _Silent(Exception):  # noqa: N818 (not an error: the wish to say nothing)
    """The caller shall never hear of this call."""


class BotApi:
    """An ASGI application that answers the Bot API's calls."""

    def __init__(self, world: World) -> None:
        self.world = world

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            status, body = await self._answer(scope, receive)
        except _Silent:
            await self._hang(receive)
            return
        await send(
            {
                "type": "http.response.start",
                "status": status,
                "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())],
            }
        )
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: Scope, receive: Receive) -> tuple[int, bytes]:
        token, _, name = scope["path"].removeprefix("/bot").rpartition("/")
        try:
            if token != self.world.token:
                malformed = not token.partition(":")[0].isdigit() or ":" not in token
                raise ApiError(401, "Unauthorized: invalid token specified" if malformed else "Unauthorized")
            call = await _read_call(scope, receive, name)
        except ApiError as refusal:
            return refusal.code, orjson.dumps(refusal.body())
        rule = self.world.faults.strike(call.method, call.chat_id()) if self.world.faults.rules else None
        answer = await self._under(rule, call)
        if isinstance(answer, bytes):
            return 200, answer
        return int(answer.get("error_code", 200)), orjson.dumps(answer)

    async def _under(self, rule: Rule | None, call: Call) -> Json | bytes:
        """Carry the call out, or do to it what a fault asks for."""
        if rule is None:
            return await self.run(call)
        if (error := rule.error()) is not None:
            self._note(call, error.body(), fault=rule.kind)
            return error.body()
        if rule.kind == "slow":
            await self.world.sleep(rule.seconds)
            return await self.run(call)
        if rule.kind in {"timeout_before", "disconnect"}:
            self._note(call, {"ok": False, "description": "no answer"}, fault=rule.kind)
            raise _Silent
        await self.run(call, fault=rule.kind)
        if rule.kind in SILENT:
            raise _Silent
        return b"<html>502 Bad Gateway"

    async def run(self, call: Call, *, fault: str | None = None) -> Json:
        """Carry out a call; its answer as the JSON object the bot reads."""
        try:
            method = find_method(call.method)
            result = method(self.world, call)
            if inspect.isawaitable(result):
                result = await result
            answer: Json = {"ok": True, "result": result}
        except ApiError as refusal:
            answer = refusal.body()
        self.world.settle()
        self._note(call, answer, fault=fault)
        return answer

    def _note(self, call: Call, answer: Json, *, fault: str | None) -> None:
        if self.world.log is None or (call.method.lower() == "getupdates" and answer.get("ok")):
            return
        self.world.log.append(
            {
                "method": call.method,
                "params": {**call.params, **{name: upload.name for name, upload in call.uploads.items()}},
                "at": self.world.now(),
                "ok": answer["ok"],
                "error_code": answer.get("error_code"),
                "description": answer.get("description"),
                "result": answer.get("result"),
                "fault": fault,
            }
        )

    async def _hang(self, receive: Receive) -> None:
        """Keep the caller waiting until it gives up or the world ends."""
        closing = asyncio.create_task(self.world.closing.wait())
        leaving = asyncio.create_task(_left(receive))
        _, waiting = await asyncio.wait({closing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _read_call(scope: Scope, receive: Receive, name: str) -> Call:
    params: Json = read_query(scope["query_string"]) if scope["query_string"] else {}
    uploads: dict[str, Any] = {}
    if scope["method"] == "POST":
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            event = await receive()
            if event["type"] == "http.disconnect":
                raise _Silent
            parts.append(event.get("body", b""))
            size += len(parts[-1])
            more = event.get("more_body", False)
        if size > _MOST:
            raise ApiError(413, "Request Entity Too Large")
        kind = next((value for key, value in scope["headers"] if key == b"content-type"), b"").decode("latin-1")
        found, uploads = read_body(kind, b"".join(parts))
        params.update(found)
    return Call(method=name, params=params, uploads=uploads)


def _download(world: World) -> Callable[[Request], Awaitable[Response]]:
    async def download(request: Request) -> Response:
        if request.path_params["token"] != world.token:
            return Response(orjson.dumps(ApiError(401, "Unauthorized").body()), 401, media_type="application/json")
        file_id = request.path_params["path"].rpartition("/")[2].rpartition(".")[0]
        content = world.content(file_id)
        if content is None:
            return Response(orjson.dumps(ApiError(404, "Not Found").body()), 404, media_type="application/json")
        return Response(content, media_type="application/octet-stream")

    return download


class _BotRoute(BaseRoute):
    """Everything under /bot…, matched by prefix: a token has a colon, and this is the road most travelled."""

    def __init__(self, api: BotApi) -> None:
        self.api = api

    def matches(self, scope: Scope) -> tuple[Any, Scope]:
        found = scope["type"] == "http" and scope["path"].startswith("/bot")
        return (Match.FULL if found else Match.NONE), {}

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:
        raise NoMatchFound(name, path_params)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.api(scope, receive, send)


def emulator(world: World, *, routes: Sequence[BaseRoute] = ()) -> Starlette:
    """The ASGI application of one world. ``routes``: more of them, such as the chat page's."""
    api = BotApi(world)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async def reply(method: str, params: Json) -> object:
            return await api.run(Call(method=method, params=params))

        courier = Courier(world, reply)
        yield
        await courier.close()

    return Starlette(
        routes=[
            _BotRoute(api),
            Route("/file/bot{token}/{path:path}", _download(world)),
            Mount("/client", routes=client_routes(world)),
            *routes,
        ],
        lifespan=lifespan,
    )
