"""The web server, over the loopback."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import aiohttp
import pytest

from bot.server import LARGEST_BODY, SECRET_HEADER, WebServer, site

SECRET = "abc_DEF-1"


@dataclass(slots=True)
class Hook:
    got: list[bytes] = field(default_factory=list)
    raises: Exception | None = None
    troubles: list[str] = field(default_factory=list)
    wait: asyncio.Event | None = None

    async def ask(self) -> list[str]:
        return self.troubles

    async def receive(self, body: bytes) -> None:
        if self.wait is not None:
            await self.wait.wait()
        if self.raises is not None:
            raise self.raises
        self.got.append(body)


@dataclass(slots=True)
class Site:
    hook: Hook
    server: WebServer
    session: aiohttp.ClientSession

    async def post(self, body: bytes = b"{}", secret: str | None = SECRET, path: str = "/hook") -> int:
        headers = {} if secret is None else {SECRET_HEADER: secret}
        async with self.session.post(path, data=body, headers=headers) as response:
            return response.status

    async def get(self, path: str) -> tuple[int, str]:
        async with self.session.get(path) as response:
            return response.status, await response.text()


@pytest.fixture
async def web() -> AsyncIterator[Site]:
    hook = Hook()
    app = site(
        receive=hook.receive,
        secret=SECRET,
        troubles=hook.ask,
        metrics=lambda: b"q64_rounds_total 7\n",
        path="/hook",
    )
    server = WebServer(app, port=0, host="127.0.0.1")
    running = asyncio.create_task(server.run())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0)
    async with aiohttp.ClientSession(base_url=f"http://127.0.0.1:{server.port}") as session:
        yield Site(hook, server, session)
    server.stop()
    await running


async def test_an_update_is_handed_over_as_bytes(web: Site) -> None:
    assert await web.post(b'{"update_id":1}') == 200
    assert web.hook.got == [b'{"update_id":1}']


async def test_200_comes_when_the_update_is_done(web: Site) -> None:
    web.hook.wait = asyncio.Event()
    posting = asyncio.create_task(web.post())
    assert (await web.get("/healthz"))[0] == 200  # others are served meanwhile
    assert not posting.done()
    web.hook.wait.set()
    assert await posting == 200


@pytest.mark.parametrize("secret", [None, "", "abc_DEF-2", "abc_DEF-1 ", SECRET.lower(), SECRET * 9, "ä"])
async def test_a_wrong_secret_is_turned_away(web: Site, secret: str | None) -> None:
    assert await web.post(secret=secret) == 403
    assert web.hook.got == []


async def test_a_body_that_is_too_large(web: Site) -> None:
    assert await web.post(b"x" * (LARGEST_BODY + 1)) == 413

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(LARGEST_BODY // 1024 + 2):
            yield b"x" * 1024

    async with web.session.post("/hook", data=chunks(), headers={SECRET_HEADER: SECRET}) as response:
        assert response.status == 413
    assert web.hook.got == []
    assert await web.post(b"x" * LARGEST_BODY) == 200


@pytest.mark.parametrize(
    "error, status",
    [
        pytest.param(ValueError("garbage"), 400, id="not an update"),
        pytest.param(RuntimeError("bug"), 500, id="a bug of ours"),
    ],
)
async def test_errors(web: Site, error: Exception, status: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    web.hook.raises = error
    assert await web.post() == status
    web.hook.raises = None
    assert await web.post() == 200


async def test_only_post(web: Site) -> None:
    assert (await web.get("/hook"))[0] == 405
    assert (await web.get("/"))[0] == 404


async def test_health_readiness_numbers(web: Site) -> None:
    assert await web.get("/healthz") == (200, "ok")
    assert await web.get("/readyz") == (200, "ready")
    web.hook.troubles = ["database: full", "painter: late"]
    assert await web.get("/readyz") == (503, "database: full\npainter: late")
    assert (await web.get("/healthz"))[0] == 200
    assert await web.get("/metrics") == (200, "q64_rounds_total 7\n")


def test_a_webhook_needs_a_secret() -> None:
    with pytest.raises(ValueError, match="secret"):
        site(receive=Hook().receive, secret="", troubles=Hook().ask, metrics=bytes)


async def test_without_a_webhook_there_is_only_health() -> None:
    app = site(receive=None, secret="", troubles=Hook().ask, metrics=bytes)
    assert {getattr(route, "path", "") for route in app.routes} == {"/healthz", "/readyz", "/metrics"}


async def test_a_port_that_is_taken_is_an_error_not_an_exit() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        app = site(receive=None, secret="", troubles=Hook().ask, metrics=bytes)
        with pytest.raises(OSError, match="in use"):
            await WebServer(app, port=taken.getsockname()[1], host="127.0.0.1").run()
