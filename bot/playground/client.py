"""People's side over HTTP: JSON in, JSON out, events as they happen."""

import base64
import binascii
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import orjson
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from bot.playground.calls import Upload
from bot.playground.forms import read_body
from bot.playground.people import ClientError, People
from bot.playground.records import Json
from bot.playground.refusals import ApiError
from bot.playground.world import World

Act = Callable[[People, Json], Any]
_REQUIRED = object()


def _int(body: Json, name: str, default: Any = _REQUIRED) -> Any:
    """A number of the body; without *default* it must be there."""
    value = body.get(name)
    if value is None:
        if default is _REQUIRED:
            raise ClientError(f"{name} is missing")
        return default
    try:
        return int(value)
    except (TypeError, ValueError):
        raise ClientError(f"{name} must be a number") from None


def _words(body: Json, name: str, default: str = "") -> str:
    value = body.get(name)
    return default if value is None else str(value)


def _more(body: Json, *taken: str) -> Json:
    return {name: value for name, value in body.items() if name not in taken}


def _send(people: People, body: Json) -> Json:
    number = people.send(
        _int(body, "person"),
        _int(body, "chat"),
        _words(body, "text"),
        reply_to=_int(body, "reply_to", None),
        thread=_int(body, "thread", None),
    )
    return {"message_id": number}


def _anonymous(people: People, body: Json) -> Json:
    number = people.anonymous(
        _int(body, "person"),
        _int(body, "chat"),
        _words(body, "text"),
        face=_words(body, "as", "admin"),
        thread=_int(body, "thread", None),
        channel=_int(body, "channel", None),
        reply_to=_int(body, "reply_to", None),
    )
    return {"message_id": number}


def _upload(people: People, body: Json) -> Json:
    """A document: a form with ``file``, or JSON with ``name`` and its ``content`` as text or ``base64``."""
    file = body.get("file")
    try:
        content = (
            base64.b64decode(body["base64"], validate=True) if "base64" in body else _words(body, "content").encode()
        )
    except (binascii.Error, TypeError, ValueError):
        raise ClientError("base64 is broken") from None
    number = people.upload(
        _int(body, "person"),
        _int(body, "chat"),
        file.name if isinstance(file, Upload) else _words(body, "name", "file.txt"),
        file.content if isinstance(file, Upload) else content,
        caption=_words(body, "caption"),
        reply_to=_int(body, "reply_to", None),
    )
    return {"message_id": number}


def _faults(people: People, body: Json) -> Json:
    """One rule, or ``{"rules": […]}``; ``{"clear": true}`` first forgets the old ones."""
    world = people.world
    if body.get("clear"):
        world.faults.clear()
    if "limits" in body:
        world.limited = bool(body["limits"])
    wishes = body.get("rules", [_more(body, "clear", "limits")] if "kind" in body or "method" in body else [])
    if not isinstance(wishes, list) or not all(isinstance(wish, dict) for wish in wishes):
        raise ClientError("rules must be a list of objects")
    for wish in wishes:
        kind = wish.get("kind")
        if kind == "repeat_update":
            people.repeat(_int(wish, "times", 1), _int(wish, "update_id", None))
        elif kind == "reorder":
            people.reorder(wish.get("seed", 64))
        else:
            try:
                world.faults.add(wish)
            except ValueError as problem:
                raise ClientError(str(problem)) from None
    return {"rules": len(world.faults.rules)}


def _nothing(act: Callable[..., Any], *names: str) -> Act:
    """An act whose arguments are numbers by name, and that has nothing to say."""

    def acted(people: People, body: Json) -> Json:
        act(people, *(_int(body, name) for name in names))
        return {}

    return acted


ACTS: dict[str, Act] = {
    "send": _send,
    "anonymous": _anonymous,
    "upload": _upload,
    "faults": _faults,
    "start": lambda people, body: {"message_id": people.start(_int(body, "person"), body.get("payload"))},
    "block": _nothing(People.block, "person"),
    "unblock": _nothing(People.unblock, "person"),
    "join": _nothing(People.join, "person", "chat"),
    "leave": _nothing(People.leave, "person", "chat"),
    "kick": _nothing(People.kick, "person", "chat", "member"),
    "kick_bot": _nothing(People.kick_bot, "person", "chat"),
    "delete_message": _nothing(People.delete_message, "person", "chat", "message_id"),
    "delete_group": _nothing(People.remove_group, "chat"),
    "add_bot": lambda people, body: people.add_bot(_int(body, "person"), _int(body, "chat"), body.get("payload")) or {},
    "promote": lambda people, body: (
        people.promote(
            _int(body, "person"), _int(body, "chat"), member=_int(body, "member", None), rights=body.get("rights")
        )
        or {}
    ),
    "demote": lambda people, body: (
        people.demote(_int(body, "person"), _int(body, "chat"), member=_int(body, "member", None)) or {}
    ),
    "restrict": lambda people, body: (
        people.restrict(
            _int(body, "person"),
            _int(body, "chat"),
            member=_int(body, "member", None),
            permissions=body.get("permissions"),
        )
        or {}
    ),
    "permissions": lambda people, body: people.permissions(_int(body, "chat"), body.get("permissions", {})) or {},
    "migrate": lambda people, body: {"chat": people.migrate(_int(body, "person"), _int(body, "chat"))},
    "edit_message": lambda people, body: (
        people.edit_message(_int(body, "person"), _int(body, "chat"), _int(body, "message_id"), _words(body, "text"))
        or {}
    ),
    "topic": lambda people, body: {
        "thread": people.topic(
            _int(body, "person"),
            _int(body, "chat"),
            _words(body, "act", "create"),
            name=_words(body, "name", "Topic"),
            thread=_int(body, "thread", None),
        )
    },
    "person": lambda people, body: {"person": people.add_person(**body)},
    "group": lambda people, body: {"chat": people.group(_int(body, "person"), **_more(body, "person"))},
    "post": lambda people, body: {"message_id": people.post(_int(body, "chat"), _words(body, "text"))},
    "dice": lambda people, body: {
        "message_id": people.dice(
            _int(body, "person"),
            _int(body, "chat"),
            _words(body, "emoji", "🎲"),
            _int(body, "value", None),
            reply_to=_int(body, "reply_to", None),
        )
    },
    "react": lambda people, body: (
        people.react(_int(body, "person"), _int(body, "chat"), _int(body, "message_id"), body.get("emoji")) or {}
    ),
    "update": lambda people, body: {"update_id": people.inject(body)},
}


def _json(body: Any, status: int = 200) -> Response:
    return Response(orjson.dumps(body), status, media_type="application/json")


def _foreign(request: Request) -> bool:
    """A page of another site must not act for the people here."""
    origin = request.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != request.headers.get("host")


def _guarded(handle: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    async def guarded(request: Request) -> Response:
        if _foreign(request):
            return _json({"error": "another site may not do this"}, 403)
        try:
            return await handle(request)
        except ClientError as problem:
            return _json({"error": str(problem)}, 400)
        except ApiError as refusal:
            return _json({"error": refusal.description}, 400)

    return guarded


async def _body(request: Request) -> Json:
    kind = request.headers.get("content-type", "")
    if kind.startswith("multipart/form-data"):
        fields, uploads = read_body(kind, await request.body())
        return {**fields, **uploads}
    try:
        body = orjson.loads(await request.body() or b"{}")
    except orjson.JSONDecodeError:
        raise ClientError("the body is not JSON") from None
    if not isinstance(body, dict):
        raise ClientError("the body must be an object")
    return body


class _Client:
    """Handlers of the routes that are more than one act."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.people = People(world)

    async def act(self, request: Request) -> Response:
        act = ACTS.get(request.path_params["act"])
        if act is None:
            return _json({"error": "no such act"}, 404)
        try:
            return _json(act(self.people, await _body(request)))
        except TypeError as problem:
            raise ClientError(str(problem)) from None

    async def tap(self, request: Request) -> Response:
        body = await _body(request)
        payload = body.get("data")
        query_id = self.people.tap(
            _int(body, "person"),
            _int(body, "chat"),
            _int(body, "message_id"),
            _int(body, "row", None),
            _int(body, "col", 0),
            payload=None if payload is None else str(payload),
        )
        if not body.get("wait"):
            return _json({"query_id": query_id})
        return _json({"query_id": query_id, "answer": await self.people.answer(query_id)})

    async def state(self, request: Request) -> Response:
        return _json(self.people.state(self._who(request)))

    async def messages(self, request: Request) -> Response:
        return _json(self.people.messages(self._who(request), _int(request.path_params, "chat")))

    def _who(self, request: Request) -> int:
        return int(_int(dict(request.query_params), "person", next(iter(self.world.people))))

    async def events(self, request: Request) -> Response:
        who = self._who(request)
        queue = self.people.watch(who)

        async def stream() -> AsyncIterator[bytes]:
            try:
                yield b"retry: 1000\n\n"
                while (event := await queue.get()) is not None:
                    yield b"data: " + orjson.dumps(event) + b"\n\n"
            finally:
                self.people.unwatch(who, queue)

        return StreamingResponse(stream(), media_type="text/event-stream", headers={"cache-control": "no-store"})

    async def log(self, request: Request) -> Response:
        if self.world.log is None:
            return _json([])
        if request.method == "DELETE":
            self.world.log.clear()
            return _json({})
        return _json(list(self.world.log))

    async def file(self, request: Request) -> Response:
        file = self.world.files.get(request.path_params["file_id"])
        content = self.world.content(file.file_id) if file else None
        if file is None or content is None:
            return _json({"error": "no such file"}, 404)
        picture = file.kind == "photo"
        kind = _picture_kind(content) if picture else "application/octet-stream"
        headers = {"x-content-type-options": "nosniff"}
        if not picture:
            headers["content-disposition"] = "attachment"
        return Response(content, media_type=kind, headers=headers)


def _picture_kind(content: bytes) -> str:
    starts = {b"\x89PNG": "image/png", b"GIF8": "image/gif", b"RIFF": "image/webp"}
    return starts.get(content[:4], "image/jpeg")


def client_routes(world: World) -> list[BaseRoute]:
    """What stands under ``/client``: the state, messages, events and files for a page, and acts by POST."""
    client = _Client(world)
    return [
        Route("/state", _guarded(client.state)),
        Route("/chats/{chat}/messages", _guarded(client.messages)),
        Route("/events", _guarded(client.events)),
        Route("/log", _guarded(client.log), methods=["GET", "DELETE"]),
        Route("/files/{file_id}", _guarded(client.file)),
        Route("/tap", _guarded(client.tap), methods=["POST"]),
        Route("/{act}", _guarded(client.act), methods=["POST"]),
    ]
