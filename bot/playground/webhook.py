"""The other way of delivery: updates posted to the bot's address, until it answers 2xx (Bot API, setWebhook)."""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import urlsplit

import orjson

from bot.playground.calls import Call
from bot.playground.records import Json
from bot.playground.refusals import bad_request
from bot.playground.updates import Pending
from bot.playground.world import World

_PATIENCE = 60.0  # seconds for an answer
_LONGEST_PAUSE = 64.0


def check_webhook(call: Call) -> Json:
    """The webhook a call asks for; empty for none. Raises ApiError 400. Plain HTTP is taken, as by a local server."""
    url = call.text("url")
    if not url:
        return {}
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    secret = call.text("secret_token")
    if len(secret) > 256:
        raise bad_request("secret token is too long")
    if secret and not re.fullmatch(r"[A-Za-z0-9_\-]+", secret):
        raise bad_request("secret token contains unallowed characters")
    most = call.integer("max_connections", 40)
    return {"url": url, "secret": secret, "max_connections": min(max(most, 1), 100)}


class Courier:
    """Posts updates side by side, those of one chat or tapper strictly one after another."""

    def __init__(self, world: World, run: Callable[[str, Json], Awaitable[object]]) -> None:
        self.world = world
        self.run = run  # carries out a method that the bot puts into its answer
        self.wake = asyncio.Event()
        self.busy: dict[str, asyncio.Task[None]] = {}
        self.connections: list[tuple[str, asyncio.StreamReader, asyncio.StreamWriter]] = []
        self.task = asyncio.create_task(self._watch())
        world.updates.on_arrival = self.wake.set

    async def _watch(self) -> None:
        while True:
            self.wake.clear()
            webhook = self.world.profile.webhook
            if webhook:
                self._start(webhook)
            await self.wake.wait()

    def _start(self, webhook: Json) -> None:
        self.world.updates.expire()
        repeated, self.world.updates.again = self.world.updates.again, []
        for number, update in enumerate(repeated):
            lane = f"again:{update['update_id']}:{number}"
            self._go(lane, Pending(update=update, expires=self.world.now() + 60, lane=lane))
        for pending in self.world.updates.pending.values():
            if len(self.busy) >= webhook["max_connections"]:
                return
            if pending.lane not in self.busy:
                self._go(pending.lane, pending)

    def _go(self, lane: str, pending: Pending) -> None:
        task = asyncio.create_task(self._deliver(pending))
        self.busy[lane] = task

        def done(_: asyncio.Task[None]) -> None:
            self.busy.pop(lane, None)
            self.wake.set()

        task.add_done_callback(done)

    async def _deliver(self, pending: Pending) -> None:
        pause = 1.0
        while self.world.profile.webhook and pending.expires > self.world.now():
            problem = await self._post(self.world.profile.webhook, pending.update)
            if problem is None:
                self.world.updates.drop(pending.update["update_id"])
                self.world.settle()
                return
            self.world.profile.webhook |= {"last_error_date": self.world.today(), "last_error_message": problem}
            await self.world.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _post(self, webhook: Json, update: Json) -> str | None:
        """Post one update; what went wrong, or None."""
        try:
            async with asyncio.timeout(_PATIENCE):
                status, body = await self._exchange(webhook, orjson.dumps(update))
        except TimeoutError:
            return "Read timeout expired"
        except (OSError, asyncio.IncompleteReadError, ValueError) as problem:
            return f"Connection failed: {type(problem).__name__}"
        if not 200 <= status < 300:
            return f"Wrong response from the webhook: {status}"
        if body.startswith(b"{"):
            await self._reply(body)
        return None

    async def _reply(self, body: bytes) -> None:
        try:
            wish = orjson.loads(body)
        except orjson.JSONDecodeError:
            return
        method = wish.pop("method", None)
        if isinstance(method, str):
            await self.run(method, wish)

    async def _exchange(self, webhook: Json, body: bytes) -> tuple[int, bytes]:
        parts = urlsplit(webhook["url"])
        host, secure = parts.hostname or "", parts.scheme == "https"
        port = parts.port or (443 if secure else 80)
        target = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
        headers = [
            f"POST {target} HTTP/1.1",
            f"Host: {parts.netloc}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        ]
        if webhook["secret"]:
            headers.append(f"X-Telegram-Bot-Api-Secret-Token: {webhook['secret']}")
        request = ("\r\n".join(headers) + "\r\n\r\n").encode() + body
        place = f"{parts.scheme}://{host}:{port}"
        reader, writer = await self._connection(place, host, port, secure=secure)
        try:
            writer.write(request)
            await writer.drain()
            status, content, reusable = await _read_answer(reader)
        except BaseException:
            writer.close()
            raise
        if reusable:
            self.connections.append((place, reader, writer))
        else:
            writer.close()
        return status, content

    async def _connection(
        self, place: str, host: str, port: int, *, secure: bool
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while self.connections:
            known, reader, writer = self.connections.pop()
            if known == place and not reader.at_eof() and not writer.is_closing():
                return reader, writer
            writer.close()
        context = None
        if secure:  # self-signed certificates are common on the way to one's own machine
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return await asyncio.open_connection(host, port, ssl=context)

    async def close(self) -> None:
        """Post no more, and let go of every connection."""
        tasks = [self.task, *self.busy.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for _, _, writer in self.connections:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
        self.connections.clear()


async def _read_answer(reader: asyncio.StreamReader) -> tuple[int, bytes, bool]:
    """Status, body, and whether the connection can be used again."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    status = int(head[0].split(" ")[1])
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    keeps = headers.get("connection", "").lower() != "close"
    if headers.get("transfer-encoding", "").lower() == "chunked":
        parts: list[bytes] = []
        while size := int((await reader.readline()).split(b";")[0], 16):
            parts.append(await reader.readexactly(size))
            await reader.readline()
        await reader.readline()
        return status, b"".join(parts), keeps
    if "content-length" in headers:
        return status, await reader.readexactly(int(headers["content-length"])), keeps
    if status == 204:
        return status, b"", keeps
    return status, await reader.read(), False
