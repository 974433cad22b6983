"""
SIGKILL at every step: before and after a COMMIT, before and after each call to Telegram, and at any moment between.

The emulator lives here, the bot in a process of its own. `Q64_KILLS=200` kills that often, `Q64_SEED` chooses the taps.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.facts import BadTap, Tap, Verb
from bot.playground import LOCAL_TOKEN, World, serve
from bot.playground.faults import Faults, Rule
from bot.playground.people import ClientError
from bot.playground.records import Message
from bot.playground.server import Running
from tests.journeys.gatherings import Gatherings
from tests.journeys.house import HouseClock
from tests.journeys.shared import Shared

SEED = int(os.environ.get("Q64_SEED", "64"))
KILLS = int(os.environ.get("Q64_KILLS", "28"))
ROOT = Path(__file__).parents[2]
PEOPLE = 12
METHODS = ("sendMessage", "editMessageText", "answerCallbackQuery", "getUpdates", "editMessageReplyMarkup")
POINTS = [("commit", when) for when in ("before", "after")] * 3 + [
    (method, when) for method in METHODS for when in ("before", "after")
] + [("clock", "any")] * 2  # fmt: skip
_MESSAGES = "Tinsfz"  # keys that ask for a message of its own; the rest of this needs the budget
_AT_ONCE = 12  # updates that wait for a bot
_PATIENCE = 60.0  # seconds of real time for a start on a busy machine

_AT_TABLE = {Verb.TABLE_PLAY: "play", Verb.TABLE_FOLD: "fold"}


def _sure(verb: Verb, text: str) -> bool:
    """Whether a toast says that the tap has done what its key says."""
    if verb is Verb.DEAL:
        return text.endswith("or fold?")
    if verb in _AT_TABLE:
        return "tap again" not in text and ("You play" in text or "You fold." in text)
    return verb in {Verb.PLAY, Verb.FOLD} and "you have" in text


pytestmark = [pytest.mark.slow, pytest.mark.timeout(240 + 5 * KILLS)]


class Deadly(Faults):
    """Kills the caller when a method is called for the n-th time, before or after the call is carried out."""

    def __init__(self) -> None:
        super().__init__()
        self.rules = [Rule(method="nothing")]  # a list that is not empty has every call shown here
        self.method, self.when, self.left, self.pid = "", "", 0, 0

    def strike(self, method: str, chat: int | None) -> Rule | None:
        del chat
        if method != self.method or not self.pid:
            return None
        self.left -= 1
        if self.left:
            return None
        if self.when == "before":
            self.kill()
            return Rule(kind="timeout_before")
        asyncio.get_running_loop().call_soon(self.kill)  # once the call was carried out, in this same turn
        return Rule(kind="timeout_after")

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


@dataclass(slots=True)
class Arena:
    """People who act all the time, and bots that are killed all the time."""

    folder: Path
    running: Running
    world: World
    deadly: Deadly
    process: asyncio.subprocess.Process
    chance: Random = field(default_factory=lambda: Random(SEED))
    everybody: list[int] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    died: Counter[str] = field(default_factory=Counter)
    taps: dict[str, Tap] = field(default_factory=dict)
    table: Gatherings = field(init=False, repr=False)

    @property
    def file(self) -> Path:
        return self.folder / "q64.db"

    async def line(self) -> str:
        assert self.process.stdout is not None
        async with asyncio.timeout(_PATIENCE):
            return (await self.process.stdout.readline()).decode().strip()

    async def lives(self, when: str = "before", number: int = 0) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{when} {number}\n".encode())
        word, _, pid = (await self.line()).partition(" ")
        assert word == "born"
        self.deadly.pid = int(pid)

    async def dies(self, point: tuple[str, str]) -> None:
        """One life from birth to kill; whoever survives the point is killed by the clock."""
        method, when = point
        number = self.chance.choice((1, 2, 3, 5, 8))
        if method == "commit":
            await self.lives(when, number)
        else:
            self.deadly.method, self.deadly.when, self.deadly.left = method, when, number
            await self.lives()
        dead = asyncio.create_task(self._dead())
        longest = 0.3 + 0.5 * self.chance.random() if method == "clock" else 2.5
        acting = asyncio.create_task(self._act_on())
        done, _ = await asyncio.wait({dead}, timeout=longest)
        acting.cancel()
        if not done:
            self.deadly.kill()
        self.deadly.method = ""
        status = await dead
        assert status == -signal.SIGKILL, (status, self.errors())
        self.died[f"{method} {when}" if done else "clock any"] += 1

    async def _dead(self) -> int:
        while not (line := await self.line()).startswith("dead"):
            assert line == "ready", line
        self.deadly.pid = 0
        return int(line.split()[1])

    async def _act_on(self) -> None:
        while True:
            if len(self.world.updates.pending) < _AT_ONCE:  # people look at answers before they go on
                with suppress(ClientError):
                    self.act()
            await asyncio.sleep(0.008)

    def act(self) -> None:
        if self.chance.random() < 0.1:
            self.table.play()
            return
        self._act_alone()

    def _act_alone(self) -> None:
        who = self.chance.choice(self.everybody)
        at = self.chance.choice(
            (who, who, who, *(each for each in self.groups if who in self.world.chats[each].members))
        )
        self.tap_own(who, at)

    @property
    def people(self) -> Any:
        return self.running.people

    def tap_own(self, who: int, at: int) -> None:
        board = self._board(who, at)
        if board is None or self.chance.random() < 0.02:
            self.says(who, at, self.chance.choice(("/deal 25", "/deal", "/deal 10 5", "/cashout")))
            return
        payloads = [str(key["callback_data"]) for row in board.keyboard or () for key in row if "callback_data" in key]
        payloads = [each for each in payloads if each[2:3] not in _MESSAGES]
        plays = [each for each in payloads if each.startswith(("1:D:", "1:P:", "1:F:"))]
        payload = self.chance.choice(plays if plays and self.chance.random() < 0.7 else payloads)
        for _ in range(self.chance.choice((1, 1, 2))):
            self.tap(who, board, payload)

    def tap(self, who: int, message: Message, payload: str) -> None:
        query = self.running.people.tap(who, message.chat_id, message.message_id, payload=payload)
        with suppress(BadTap):
            self.taps[query] = Tap.unpack(payload)

    def says(self, who: int, at: int, text: str) -> None:
        self.running.people.send(who, at, text)

    def with_keys(self, at: int) -> list[Message]:
        kept = [*self.world.messages.get(at, {}).values()][-30:]
        return [each for each in kept if each.keyboard and not each.deleted]

    def _board(self, who: int, at: int) -> Message | None:
        name = self.world.people[who].first_name
        own = [each for each in self.with_keys(at) if (at == who or name in (each.text or "").partition("\n")[0])]
        return own[-1] if own else None

    # What must hold at any moment

    def rows(self, sql: str) -> list[Any]:
        with closing(sqlite3.connect(self.file)) as database:
            return database.execute(sql).fetchall()

    def stands(self) -> None:
        """No chip made or lost, one open round per seat, and nothing undone that somebody was told of."""
        assert self.rows("SELECT COALESCE(SUM(chips), 0) FROM entries") == [(0,)]
        assert self.rows("SELECT movement_id FROM entries GROUP BY movement_id HAVING SUM(chips) <> 0") == []
        assert self.rows(
            "SELECT id FROM seats WHERE chips < 0 OR chips <>"
            " (SELECT COALESCE(SUM(e.chips), 0) FROM entries e WHERE e.kind = 'seat' AND e.ref = seats.id)"
        ) == []  # fmt: skip
        assert self.rows(
            "SELECT round_id FROM movements WHERE round_id IS NOT NULL AND why NOT IN"
            " ('table_ready', 'table_bank', 'table_returned') GROUP BY round_id, why HAVING COUNT(*) > 1"
        ) == []  # fmt: skip
        assert self.rows(
            "SELECT seat_id FROM rounds WHERE settled IS NULL AND void = 0 GROUP BY seat_id HAVING COUNT(*) > 1"
        ) == []  # fmt: skip
        dealt = {number for (number,) in self.rows("SELECT id FROM rounds WHERE dealt IS NOT NULL")}
        settled = {number for (number,) in self.rows("SELECT id FROM rounds WHERE settled IS NOT NULL")}
        chosen = {
            (number, who): decision
            for number, who, decision in self.rows(
                "SELECT h.round_id, s.user_id, h.decision FROM table_hands h JOIN seats s ON s.id = h.seat_id"
                " WHERE h.auto = 0"
            )
        }
        over = {number for (number,) in self.rows("SELECT id FROM table_rounds WHERE settled IS NOT NULL")}
        for verb, number, who in self.told():
            if verb in _AT_TABLE:
                assert number not in over or chosen.get((number, who)) == _AT_TABLE[verb], (verb, number, who)
            else:
                assert number in (dealt if verb is Verb.DEAL else settled), (verb, number)

    def told(self) -> set[tuple[Verb, int, int]]:
        """What people know by a toast: this round is dealt, this one is settled, and what they chose at the table."""
        known: set[tuple[Verb, int, int]] = set()
        for call in self.world.log or ():
            if call["method"] != "answerCallbackQuery" or not call["ok"]:
                continue
            query, text = str(call["params"]["callback_query_id"]), str(call["params"].get("text", ""))
            tap = self.taps.get(query)
            if tap is not None and _sure(tap.verb, text):
                known.add((tap.verb, tap.round, self.world.queries[query].person))
        return known

    def errors(self) -> str:
        return (self.folder / "stderr.txt").read_text()

    async def rests(self) -> None:
        """The last bot lives until nothing waits any more, then ends in order."""
        await self.lives()
        assert await self.line() == "ready"
        left = " UNION ALL ".join(
            f"SELECT id FROM {boards} WHERE painted < wanted OR old_message_id IS NOT NULL"  # noqa: S608 - two names
            for boards in ("boards", "tables")
        )
        for _ in range(int(10 * _PATIENCE)):
            if not self.world.updates.pending and self.rows(left) == []:
                break
            await asyncio.sleep(0.1)
        else:
            raise AssertionError((len(self.world.updates.pending), self.rows(left)))
        os.kill(self.deadly.pid, signal.SIGTERM)
        assert await self.line() == "dead 0", self.errors()


@pytest.fixture
async def arena(tmp_path: Path) -> AsyncIterator[Arena]:
    world = World(seed=SEED)
    world.faults = deadly = Deadly()
    running = await serve(world)
    with (tmp_path / "stderr.txt").open("w") as errors:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.journeys.mortal",
            cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=errors,
            env={
                **os.environ, "BOT_TOKEN": LOCAL_TOKEN, "BOT_API_URL": running.base_url,
                "DATABASE_URL": f"sqlite:///{tmp_path / 'q64.db'}", "PYTHONPATH": str(ROOT),
            },
        )  # fmt: skip
    begun = Arena(tmp_path, running, world, deadly, process)
    for number in range(PEOPLE):
        begun.everybody.append(running.people.add_person(first_name=f"P{number:02}x", language_code="en"))
    for number in range(2):
        begun.groups.append(
            running.people.group(
                begun.everybody[number * 3], title=f"G{number}", members=begun.everybody[number * 3 : number * 3 + 4]
            )
        )
    [at_table, _] = begun.groups
    begun.table = Gatherings(begun, {at_table: begun.everybody[:4]}, begun.chance)
    assert await begun.line() == "here", begun.errors()
    try:
        yield begun
    finally:
        deadly.kill()
        process.kill()
        await process.wait()
        await running.close()


async def test_f119_killed_at_every_step_under_load(arena: Arena) -> None:
    for _, point in zip(range(KILLS), cycle(POINTS), strict=False):
        await arena.dies(point)
        arena.stands()
    told = len(arena.told())
    await arena.rests()
    arena.stands()
    assert "Traceback" not in arena.errors()
    assert told  # people were answered meanwhile; how many, the machine decides

    with capture_logs() as log:
        house = Shared(f"sqlite:///{arena.file}", log, clock=HouseClock())
        house.world, house.running = arena.world, arena.running
        house.chance = lambda: arena.chance.randbytes(32)  # type: ignore[assignment]
        await house._build()
        try:
            assert await house.pictures_differ() == []
            await house.tidies()
            assert await house.strays() == []
            assert await house.secrets_shown() == []
            assert await house.cards_shown() == []
            assert house.findings() == []
            assert [line for line in log if line["log_level"] == "error"] == []
        finally:
            print(f"\nQ64_SEED={SEED}: {sum(arena.died.values())} kills survived {dict(arena.died)}, "
                  f"{len(arena.taps)} taps, {told} told, {house.tally}, {dict(house.shown)}")  # fmt: skip
            await house.house.close()
