"""Serves a world on a port of this machine, inside the running event loop."""

import asyncio
import socket
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self

import uvicorn
from starlette.routing import BaseRoute

from bot.playground.emulator import emulator
from bot.playground.people import People
from bot.playground.world import World


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Signals belong to whoever runs the loop."""
        yield


class Running:
    """A world that is being served; ``url`` is its address, ``base_url`` what a bot takes for Telegram's."""

    def __init__(self, world: World, server: uvicorn.Server, task: asyncio.Task[None], host: str, port: int) -> None:
        self.world = world
        self.people = People(world)
        self.port = port
        self.url = f"http://{host}:{port}"
        self.base_url = f"{self.url}/bot"
        self.base_file_url = f"{self.url}/file/bot"
        self._server = server
        self._task = task

    async def close(self) -> None:
        """Stop serving and close the world; everybody who waits is let go. A second call does nothing."""
        if self._task.done():
            return
        self.world.closing.set()
        self.world.updates.interrupt()
        self.world.let_go()
        self._server.should_exit = True
        with suppress(asyncio.CancelledError):
            await self._task
        self.world.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def serve(world: World, *, host: str = "127.0.0.1", port: int = 0, routes: Sequence[BaseRoute] = ()) -> Running:
    """Serve the world; port 0 takes a free one. Raises OSError where the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named, or asyncio would leave Nagle's delay on: 40 ms for every answer.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    config = uvicorn.Config(
        emulator(world, routes=routes),
        log_config=None,
        access_log=False,
        lifespan="on",
        ws="none",
        http="httptools",
        loop="none",
        timeout_keep_alive=75,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        if task.done():
            task.result()
        await asyncio.sleep(0.001)
    return Running(world, server, task, host, listener.getsockname()[1])
