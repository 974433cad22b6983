"""
A Bot API that costs next to nothing, in a process of its own, so that a race measures bots and not their Telegram.

Per token it keeps a hall of players in private chats. Each says `/deal 5` once, gets a board, and in a race taps again
as soon as the edit for the last tap is there. No answer is checked here: the playground's emulator is for that.

Run: python -m tests.bench.fake_api; it prints its port. `POST /race` starts a race and answers when it is over.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import httptools
import orjson

from tests.bench.front import Front

BATCH = 100  # updates a call gives at most (Bot API: getUpdates)
_HELD = 20.0  # seconds a poll waits; below what any bot here allows
_STALLED = 2.0  # seconds without an edit after which a player taps again
_PATH = re.compile(rb"/bot([^/]+)/(\w+)(?:\?(.*))?")
_OFFSET = re.compile(rb'(?:^|[&"])offset(?:=|":"?)(\d+)')
_CHAT = re.compile(rb'(?:^|[&"])chat_id(?:=|":"?)(\d+)')
_KEYS = re.compile(rb'callback_data(?:%22%3A\+?%22|\\":\\")([^%\\]*(?:%3A[^%]*)*)(?:%22|\\")')  # a form's, JSON's
_WANTED = ("1:P:", "1:D:", "1:N:", "1:a:")  # Play, Deal, a new night, a chip on a spot

_OK = b'{"ok":true,"result":true}'
_SILENT = b'{"ok":true,"result":{"description":"","short_description":""}}'
_ME = b'{"ok":true,"result":{"id":1,"is_bot":true,"first_name":"bench","username":"bench_bot","can_join_groups":true}}'
_TEXT = (
    "You: Q♠ 6♥ 4♦ queen high\\nBank: K♣ 9♠ 2♥ king high\\n\\nAnte 25 and Play 25: the bank has the better hand, "
    "you lose 50\\nPair Plus 5: no pair, you lose 5\\n\\nChips 445\\nSeal of the next deal "
    "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9"
)
_ENTITIES = ",".join(f'{{"type":"bold","offset":{at},"length":5}}' for at in (0, 30, 60, 90))
_ROWS = ",".join(
    "[" + ",".join(f'{{"text":"🪙 Key {row}{n}","callback_data":"1:a:1z:4k:{row}:{n}"}}' for n in range(4)) + "]"
    for row in range(2)
)
_PICTURE = f'"text":"{_TEXT}","entities":[{_ENTITIES}],"reply_markup":{{"inline_keyboard":[{_ROWS}]}}'


@dataclass(slots=True, kw_only=True)
class Player:
    chat: int
    board: int = 0  # message id, once there is one
    key: str = ""  # callback data to tap next
    tapped: float = 0.0  # since when an edit is due; 0: none is
    racing: bool = False


@dataclass(slots=True, kw_only=True)
class Race:
    outstanding: int
    ends: float
    latencies: list[float] = field(default_factory=list)
    stalled: int = 0
    begun: float = 0.0
    last: float = 0.0


class Hall:
    """One bot's world."""

    def __init__(self) -> None:
        self.players: dict[int, Player] = {}
        self.calls: dict[str, int] = {}
        self.race: Race | None = None
        self.arrived: asyncio.Event = asyncio.Event()  # set with every board, edit and poll
        self._pending: deque[tuple[int, bytes]] = deque()
        self._next_update = 1
        self._next_message = 1000
        self._poller: Line | None = None
        self._front: Front | None = None  # where there is one, nobody polls
        self._timer: asyncio.TimerHandle | None = None

    # What the bot asks for

    def call(self, line: Line, method: str, query: bytes, body: bytes) -> None:
        self.calls[method] = self.calls.get(method, 0) + 1
        match method:
            case "getUpdates":
                self._poll(line, query or body)
            case "editMessageText":
                line.answer(self._edited(body))
            case "sendMessage":
                line.answer(self._sent(body))
            case "getMyDescription" | "getMyShortDescription":
                line.answer(_SILENT)
            case "getMe":
                line.answer(_ME)
            case _:
                line.answer(_OK)
                self.arrived.set()

    def _poll(self, line: Line, asked: bytes) -> None:
        offset = int(found[1]) if (found := _OFFSET.search(asked)) else 0
        while self._pending and self._pending[0][0] < offset:
            self._pending.popleft()
        self._end_poll()
        self._poller = line
        self.arrived.set()
        if self._pending or b"timeout=0" in asked:
            self._end_poll()
        else:
            self._timer = asyncio.get_running_loop().call_later(_HELD, self._end_poll)

    def _end_poll(self) -> None:
        line, self._poller = self._poller, None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if line is not None:
            updates = b",".join(update for _, update in list(self._pending)[:BATCH])
            line.answer(b'{"ok":true,"result":[' + updates + b"]}")

    def _sent(self, body: bytes) -> bytes:
        self._next_message += 1
        player = self._player(body)
        if player is not None and (keys := _KEYS.findall(body)):
            player.board = self._next_message
            self._painted(player, keys)
        return _message(player.chat if player else 0, self._next_message)

    def _edited(self, body: bytes) -> bytes:
        player = self._player(body)
        if player is None:
            return _message(0, 1)
        self._painted(player, _KEYS.findall(body))
        return _message(player.chat, player.board)

    def _player(self, body: bytes) -> Player | None:
        found = _CHAT.search(body)
        return self.players.get(int(found[1])) if found else None

    # What the players do

    def _painted(self, player: Player, keys: list[bytes]) -> None:
        if keys:
            read = [key.replace(b"%3A", b":").decode() for key in keys]
            player.key = next((key for sign in _WANTED for key in read if key.startswith(sign)), read[0])
        now = time.perf_counter()
        since, player.tapped = player.tapped, 0.0
        race = self.race
        if race is not None and player.racing and since:
            race.latencies.append(now - since)
            race.last = now
            if now < race.ends:
                self.tap(player)
        self.arrived.set()

    def tap(self, player: Player) -> None:
        player.tapped = time.perf_counter()
        number = self._next_update
        self._post(
            f'"callback_query":{{"id":"{4382657412 * 10**8 + number}","from":{_person(player.chat)},'
            f'"message":{{{_heading(player.chat, player.board)},{_PICTURE}}},'
            f'"chat_instance":"-3618123654321","data":"{player.key}"}}'
        )

    def say(self, chat: int, text: str) -> None:
        self._next_message += 1
        self._post(
            f'"message":{{"message_id":{self._next_message},"from":{_person(chat)},'
            f'"chat":{_chat(chat)},"date":{int(time.time())},"text":"{text}",'
            f'"entities":[{{"type":"bot_command","offset":0,"length":5}}]}}'
        )

    def _post(self, said: str) -> None:
        number = self._next_update
        self._next_update += 1
        update = f'{{"update_id":{number},{said}}}'.encode()
        if self._front is not None:
            self._front.post(update)
            return
        self._pending.append((number, update))
        if self._poller is not None:
            self._end_poll()

    async def seat(self, first: int, count: int) -> None:
        """Let so many people sit down, 64 at a time; those who have a board already stay."""
        chats = [chat for chat in range(first, first + count) if chat not in self.players]
        for at in range(0, len(chats), 64):
            group = [self.players.setdefault(chat, Player(chat=chat)) for chat in chats[at : at + 64]]
            for player in group:
                self.say(player.chat, "/deal 5")
            await self._until(partial(_settled, group))

    async def run(self, first: int, outstanding: int, seconds: float) -> dict[str, object]:
        """A race: so many players tap for so long."""
        await self.seat(first, outstanding)
        now = time.perf_counter()
        self.race = race = Race(outstanding=outstanding, ends=now + seconds, begun=now, last=now)
        racers = [self.players[chat] for chat in range(first, first + outstanding)]
        for player in racers:
            player.racing = True
            self.tap(player)
        while time.perf_counter() < race.ends or any(player.tapped for player in racers):
            await asyncio.sleep(0.01 if time.perf_counter() < race.ends else 0.001)
            self._shake(race, racers)
        self.race = None
        for player in racers:
            player.racing = False
        latencies = sorted(race.latencies)
        return {
            "taps": len(latencies),
            "seconds": race.last - race.begun,
            "p50": _quantile(latencies, 0.50),
            "p99": _quantile(latencies, 0.99),
            "stalled": race.stalled,
        }

    def _shake(self, race: Race, racers: list[Player]) -> None:
        """A tap that brought no edit: taken out of the figures, counted, and tapped once more."""
        now = time.perf_counter()
        for player in racers:
            if player.tapped and now - player.tapped > _STALLED + 10 * race.outstanding / 64:
                race.stalled += 1
                player.tapped = 0.0
                if now < race.ends:
                    self.tap(player)

    async def visit(self, first: int, count: int) -> None:
        """So many people come, get a board, tap once, and are never seen again."""
        for at in range(first, first + count, 64):
            chats = range(at, min(at + 64, first + count))
            await self.seat(at, len(chats))
            group = [self.players[chat] for chat in chats]
            for player in group:
                self.tap(player)
            await self._until(partial(_settled, group))
            for player in group:
                del self.players[player.chat]

    async def polled(self) -> None:
        await self._until(lambda: self.calls.get("getUpdates", 0) > 0 and self._poller is not None)

    async def hook(self, ports: list[int]) -> None:
        """Deliver to these ports, once every worker there has set the webhook."""
        await self._until(lambda: self.calls.get("setWebhook", 0) >= len(ports))
        self._front = Front(ports)

    async def cpu(self) -> float:
        """CPU seconds of this process, for all bots together."""
        return time.process_time()

    async def _until(self, there: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not there():
                self.arrived.clear()
                await self.arrived.wait()


def _settled(players: list[Player]) -> bool:
    """Whether everybody has a board, and no edit is due."""
    return all(player.board and not player.tapped for player in players)


def _quantile(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def _chat(chat: int) -> str:
    return f'{{"id":{chat},"first_name":"Player {chat}","username":"player_{chat}","type":"private"}}'


def _person(chat: int) -> str:
    return (
        f'{{"id":{chat},"is_bot":false,"first_name":"Player {chat}","username":"player_{chat}","language_code":"en"}}'
    )


def _heading(chat: int, message: int) -> str:
    return (
        f'"message_id":{message},"from":{{"id":1,"is_bot":true,"first_name":"bench","username":"bench_bot"}},'
        f'"chat":{_chat(chat)},"date":1780000000,"edit_date":1780000001'
    )


def _message(chat: int, message: int) -> bytes:
    return f'{{"ok":true,"result":{{{_heading(chat, message)},{_PICTURE}}}}}'.encode()


class Line(asyncio.Protocol):
    """One connection."""

    def __init__(self, halls: dict[bytes, Hall]) -> None:
        self._halls = halls
        self._url = b""
        self._body = b""
        self._parser = httptools.HttpRequestParser(self)
        self._transport: asyncio.Transport | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_url(self, url: bytes) -> None:
        self._url, self._body = url, b""

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        found = _PATH.fullmatch(self._url)
        if found is None:
            task = asyncio.create_task(self._control(self._url.decode(), self._body))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return
        self._hall(found[1]).call(self, found[2].decode(), found[3] or b"", self._body)

    def answer(self, body: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)
            )

    def _hall(self, token: bytes) -> Hall:
        return self._halls.setdefault(token.replace(b"%3A", b":"), Hall())

    async def _control(self, path: str, body: bytes) -> None:
        asked = orjson.loads(body)
        hall = self._hall(asked.pop("token").encode())
        controls: Mapping[str, Callable[..., Awaitable[object]]]
        controls = {
            "/race": hall.run,
            "/visit": hall.visit,
            "/polled": hall.polled,
            "/hook": hall.hook,
            "/cpu": hall.cpu,
        }
        try:
            result = await controls[path](**asked)
        except TimeoutError:
            result = {"error": "the bot does not answer", "calls": hall.calls}
        self.answer(orjson.dumps(result))


async def serve() -> None:
    halls: dict[bytes, Hall] = {}
    server = await asyncio.get_running_loop().create_server(lambda: Line(halls), "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # ends with whoever started it


if __name__ == "__main__":
    asyncio.run(serve())
