"""The one address of several workers, inside the fake API: each update to the next worker, over connections kept."""

from __future__ import annotations

import asyncio
from itertools import cycle

import httptools

SECRET = "bench"


class Front:
    """Posts updates to the ports in turns; what is not taken shows as a stalled tap."""

    def __init__(self, ports: list[int]) -> None:
        self._turns = cycle(ports)
        self._idle: dict[int, list[Push]] = {port: [] for port in ports}
        self._tasks: set[asyncio.Task[None]] = set()

    def post(self, update: bytes) -> None:
        port = next(self._turns)
        if self._idle[port]:
            self._idle[port].pop().post(update)
            return
        task = asyncio.create_task(self._connect(port, update))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self, port: int, update: bytes) -> None:
        loop = asyncio.get_running_loop()
        _, push = await loop.create_connection(lambda: Push(self._idle[port]), "127.0.0.1", port)
        push.post(update)


class Push(asyncio.Protocol):
    """One connection to a worker."""

    def __init__(self, idle: list[Push]) -> None:
        self._idle = idle
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        if self in self._idle:
            self._idle.remove(self)

    def post(self, update: bytes) -> None:
        assert self._transport is not None
        self._transport.write(
            b"POST / HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\n"
            b"x-telegram-bot-api-secret-token: %b\r\ncontent-length: %d\r\n\r\n%b"
            % (SECRET.encode(), len(update), update)
        )

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_complete(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._idle.append(self)
