"""
A house of several workers: `q64 run` processes on one PostgreSQL, behind one address, at one emulator.

The address is a small proxy that takes the workers in turns, and another one where the first does not listen.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any, Final

import aiohttp
import psycopg
import pytest
from aiohttp import web

from bot.playground import World
from bot.playground.calls import Call
from bot.playground.emulator import BotApi
from bot.playground.people import ClientError
from bot.playground.records import Json, Message
from bot.playground.webhook import check_webhook
from tests.bot.processes import PATIENCE, Machine, Process, free_port

SECRET: Final = "one-secret-for-all"
SLOW: Final = 0.12  # seconds that Telegram takes for an edit or a send, so that two of one board would meet
_PAINTING: Final = frozenset({"editMessageText", "sendMessage", "editMessageReplyMarkup"})
_MESSAGES: Final = "Tinsfz"  # keys that ask for a message of its own; the rest of this needs the budget


class Front:
    """One address for all workers, each in its turn."""

    def __init__(self) -> None:
        self.ports: list[int] = []
        self.took: Counter[int] = Counter()  # by port
        self.url = ""
        self._turn = 0

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Front]:
        site = web.Application()
        site.router.add_post("/hook", self._pass_on)
        runner = web.AppRunner(site)
        await runner.setup()
        port = free_port()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        self.url = f"http://127.0.0.1:{port}/hook"
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(force_close=True)) as self._session:
            yield self
        await runner.cleanup()

    async def _pass_on(self, request: web.Request) -> web.Response:
        body = await request.read()
        headers = {name: value for name, value in request.headers.items() if name.startswith(("X-", "Content-Type"))}
        for port in self._in_turn():
            try:
                async with self._session.post(f"http://127.0.0.1:{port}/hook", data=body, headers=headers) as answer:
                    self.took[port] += answer.status == 200
                    return web.Response(status=answer.status, body=await answer.read())
            except aiohttp.ClientConnectorError:
                continue  # nobody listens there
            except (aiohttp.ClientError, OSError):
                break  # it was there, and died with the update: Telegram will bring it again
        return web.Response(status=502)

    def _in_turn(self) -> Iterator[int]:
        self._turn += 1
        for at in range(len(self.ports)):
            yield self.ports[(self._turn + at) % len(self.ports)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight:
    """A call that sends or edits, from when Telegram heard of it until it answered."""

    chat: int
    message: int | None
    begun: float
    ended: float
    text: str


@dataclass(slots=True)
class Works(Machine):
    """The machine, with workers on PostgreSQL behind the front, and people who act."""

    database: str = ""
    front: Front = field(default_factory=Front)
    chance: Random = field(default_factory=lambda: Random(64))
    people: list[int] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    flights: list[Flight] = field(default_factory=list)
    workers: dict[int, Process] = field(default_factory=dict)  # by port
    excused: set[str] = field(default_factory=set)  # taps that nobody may have answered: their worker was killed
    tapped: int = 0

    @property
    def world(self) -> World:
        return self.running.world

    def furnish(self, people: int, groups: int) -> None:
        for number in range(people):
            self.people.append(self.running.people.add_person(first_name=f"P{number:02}x", language_code="en"))
        each = people // groups
        for number in range(groups):
            members = self.people[number * each : (number + 1) * each]
            self.groups.append(self.running.people.group(members[0], title=f"G{number}", members=members[1:]))

    # Workers

    async def worker(self) -> int:
        """One more worker behind the address; its port."""
        port = free_port()
        process = await self.run(
            DATABASE_URL=self.database,
            WEBHOOK_URL="https://bot.example/hook",
            WEBHOOK_SECRET=SECRET,
            PORT=str(port),
        )
        self.workers[port] = process
        await process.says("is running")
        self.front.ports.append(port)
        return port

    def kill(self, port: int) -> None:
        """Without warning; the front finds out by itself."""
        self.excused |= {query.id for query in self.world.queries.values() if not query.answered}
        os.killpg(self.workers.pop(port).process.pid, signal.SIGKILL)

    async def stop(self, port: int) -> None:
        """In order, and in time."""
        ended = await self.workers.pop(port).stopped()
        self.front.ports.remove(port)
        assert ended.status == 0, ended.said
        assert "Traceback" not in ended.said, ended.said

    # People

    async def act_for(self, seconds: float, pause: float) -> None:
        until = self.world.now() + seconds
        while self.world.now() < until:
            with suppress(ClientError):
                self.act()
            await asyncio.sleep(pause)

    def act(self) -> None:
        """Somebody taps a key of their board or table, now and then twice, or types a command."""
        who = self.chance.choice(self.people)
        homes = [each for each in self.groups if who in self.world.chats[each].members]
        at = self.chance.choice((who, *homes))
        board = self._board(who, at)
        if board is None or self.chance.random() < 0.03:
            said = ("/deal 25", "/deal", "/deal 10 5", "/cashout", "/table") if at != who else ("/deal 25", "/deal 5")
            self.running.people.send(who, at, self.chance.choice(said))
            return
        payloads = [str(key["callback_data"]) for row in board.keyboard or () for key in row if "callback_data" in key]
        payloads = [each for each in payloads if each[2:3] not in _MESSAGES]
        plays = [each for each in payloads if each.startswith(("1:D:", "1:P:", "1:F:"))]
        if not payloads:
            return
        payload = self.chance.choice(plays if plays and self.chance.random() < 0.6 else payloads)
        for _ in range(self.chance.choice((1, 1, 2))):
            self.running.people.tap(who, at, board.message_id, payload=payload)
            self.tapped += 1
        if self.chance.random() < 0.05:
            self.running.people.repeat(2)  # the same updates, at another worker at the same time

    def _board(self, who: int, at: int) -> Message | None:
        name = self.world.people[who].first_name
        kept = [*self.world.messages.get(at, {}).values()][-40:]
        own = [
            each
            for each in kept
            if each.keyboard
            and not each.deleted
            and (at == who or name in (each.text or "").partition("\n")[0] or (each.text or "").startswith("Table"))
        ]
        return self.chance.choice(own[-2:]) if own else None

    # Afterwards

    def rows(self, sql: str) -> list[Any]:
        with closing(psycopg.connect(self.database, autocommit=True)) as connection:
            return connection.execute(sql.encode()).fetchall()

    def left(self) -> dict[str, list[Any]]:
        """What is still to be painted, told or done."""
        unpainted = "WHERE painted < wanted OR old_message_id IS NOT NULL"
        return {
            "updates": [*self.world.updates.pending],
            "boards": self.rows(f"SELECT id, chat_id, painted, wanted, old_message_id FROM boards {unpainted}"),  # noqa: S608 - our own words
            "tables": self.rows(f"SELECT id, chat_id, painted, wanted, old_message_id FROM tables {unpainted}"),  # noqa: S608 - the same
        }

    async def rests(self, patience: float = PATIENCE) -> None:
        """Until nothing is left over, though nobody taps any more."""
        until = self.world.now() + patience
        while any(left := self.left().values()):
            assert self.world.now() < until, [*left]
            await asyncio.sleep(0.1)

    def unanswered(self) -> list[str]:
        return [q.id for q in self.world.queries.values() if not q.answered and q.id not in self.excused]

    def answered_twice(self) -> list[str]:
        took = Counter(
            str(call["params"]["callback_query_id"])
            for call in self.world.log or ()
            if call["method"] == "answerCallbackQuery" and call["ok"]
        )
        return [query for query, times in took.items() if times > 1]

    def refused(self) -> list[Json]:
        """Calls for which Telegram had to say 429."""
        return [call for call in self.world.log or () if call["error_code"] == 429]

    def met(self) -> list[tuple[Flight, Flight]]:
        """Two calls for one message that were under way at once; to take keys off twice does no harm."""
        lines = defaultdict[tuple[int, int | None], list[Flight]](list)
        for flight in sorted(self.flights, key=lambda flight: flight.begun):
            if flight.message is not None:
                lines[flight.chat, flight.message].append(flight)
        pairs = (pair for line in lines.values() for pair in pairwise(line))
        return [(one, other) for one, other in pairs if other.begun < one.ended and (one.text or other.text)]

    def busiest_minute(self) -> int:
        """The most calls that a group saw within a minute."""
        most = 0
        for chat in self.groups:
            times = sorted(flight.ended for flight in self.flights if flight.chat == chat)
            for at, since in enumerate(times):
                most = max(most, sum(since <= each < since + 60 for each in times[at:]))
        return most


def watched(works: Works, patch: pytest.MonkeyPatch) -> None:
    """Every send and edit takes a while and is noted; the webhook stands at the front, which takes the TLS away."""
    under = BotApi._under

    async def noted(self: BotApi, rule: Any, call: Call) -> Any:
        if call.method not in _PAINTING:
            return await under(self, rule, call)
        begun = self.world.now()
        await asyncio.sleep(SLOW)
        answer = await under(self, rule, call)
        works.flights.append(
            Flight(
                chat=call.chat_id() or 0,
                message=call.params.get("message_id"),
                begun=begun,
                ended=self.world.now(),
                text=str(call.params.get("text", "")),
            )
        )
        return answer

    def at_the_front(call: Call) -> Json:
        return {**check_webhook(call), "url": works.front.url}

    patch.setattr(BotApi, "_under", noted)
    patch.setattr("bot.playground.methods.check_webhook", at_the_front)
