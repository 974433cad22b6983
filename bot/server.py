"""The web server: Telegram's webhook, health for whoever watches the process, numbers for Prometheus."""

from __future__ import annotations

import contextlib
import hmac
import math
import socket
from collections.abc import Awaitable, Callable, Iterator, Sequence

import structlog
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

log = structlog.get_logger(__name__)

LARGEST_BODY = 256 * 1024  # bytes; Telegram's largest updates are a small part of that
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the header's name
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_WAITING = 128  # calls that wait for the server to start

Receive = Callable[[bytes], Awaitable[None]]  # raises ValueError for what is no update


class _TooLarge(Exception):  # noqa: N818 - never leaves this room
    """Raised when a body has more than LARGEST_BODY bytes."""


def site(
    *,
    receive: Receive | None,
    secret: str,
    troubles: Callable[[], Awaitable[Sequence[str]]],
    metrics: Callable[[], bytes],
    path: str = "/",
) -> Starlette:
    """
    The web site; without *receive* it has no webhook. It is ready where there are no *troubles*.

    The webhook answers 200 when the update is done, so that Telegram keeps what is not; an update that fails is done.

    :raises ValueError: If there is a webhook without a secret.
    """

    async def healthz(_: Request) -> Response:
        return PlainTextResponse("ok")

    async def readyz(_: Request) -> Response:
        found = await troubles()
        return PlainTextResponse("\n".join(found) or "ready", 503 if found else 200)

    async def numbers(_: Request) -> Response:
        return Response(metrics(), media_type=METRICS_TYPE)

    routes = [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", numbers)]
    if receive is not None:
        if not secret:
            raise ValueError("a webhook without a secret would take updates from anybody")
        routes.append(Route(path or "/", _webhook(receive, secret), methods=["POST"]))
    return Starlette(routes=routes)


def _webhook(receive: Receive, secret: str) -> Callable[[Request], Awaitable[Response]]:
    async def webhook(request: Request) -> Response:
        given = request.headers.get(SECRET_HEADER, "")
        if not hmac.compare_digest(given.encode("latin-1", "replace"), secret.encode()):
            return PlainTextResponse("wrong secret", 403)
        try:
            body = await _body(request)
        except _TooLarge:
            return PlainTextResponse("too large", 413)
        except ClientDisconnect:
            return Response(status_code=400)
        try:
            await receive(body)
        except ValueError:
            return PlainTextResponse("not an update", 400)
        except Exception:
            log.exception("webhook_failed")
            return PlainTextResponse("try again", 500)
        return Response()

    return webhook


async def _body(request: Request) -> bytes:
    """The whole body, unless it is larger than allowed, whatever its header says."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > LARGEST_BODY:
        raise _TooLarge
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise _TooLarge
    return bytes(body)


class _Server(uvicorn.Server):
    """Leaves the process' signals to whoever composes it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class WebServer:
    """Serves a site until `stop`; requests under way are finished within *grace* seconds."""

    def __init__(self, app: Starlette, *, port: int, host: str = "0.0.0.0", grace: float = 12) -> None:  # noqa: S104 - a webhook is reached from outside
        self._server = _Server(
            uvicorn.Config(
                app,
                host=host,
                port=port,
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=math.ceil(grace),
            )
        )
        self._address = (host, port)
        self._listener: socket.socket | None = None

    def listen(self) -> None:
        """
        Take the port; whoever calls from now on waits until it is served.

        :raises OSError: If it is taken.
        """
        self._listener = _listening(self._address)
        self._listener.listen(_WAITING)

    @property
    def port(self) -> int:
        """Where it listens; of use where the asked port was 0."""
        listening = [sock for server in self._server.servers for sock in server.sockets]
        return int(listening[0].getsockname()[1]) if listening else self._address[1]

    @property
    def started(self) -> bool:
        """Whether it serves."""
        return self._server.started

    async def run(self) -> None:
        """
        Serve until `stop`.

        :raises OSError: If the port is taken, and was not taken by `listen`.
        """
        with contextlib.closing(self._listener or _listening(self._address)) as listener:
            await self._server.serve(sockets=[listener])

    def stop(self) -> None:
        """Take no more requests; `run` returns when those under way are done, or their time is over."""
        self._server.should_exit = True


def _listening(address: tuple[str, int]) -> socket.socket:
    """A bound socket; uvicorn itself would end the process where the port is taken."""
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    # asyncio switches Nagle's delay (40 ms an answer) off only where the protocol is named.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError:
        listener.close()
        raise
    return listener
