"""
One, two and three `q64 run` behind one address on one PostgreSQL; all run all the time, and tap in turns.

The load generator runs on the same cores: its share of the machine is measured, and taken out of the rate.
"""

from __future__ import annotations

import os
import socket
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.storage import migrate
from tests.bench.figures import Figure
from tests.bench.race import Arena, Contestant, Lap, server

SETS = (1, 2, 3)
OUTSTANDING = 64
_NAME = "q64 worker"
_FIRST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    lap: Lap
    workers: float  # CPU seconds
    database: float
    generator: float

    @property
    def rate(self) -> float:
        return self.lap.taps / self.lap.seconds

    @property
    def rate_alone(self) -> float:
        """Taps a second as if the load came from another machine: of the cores' time what the generator took is given back."""
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return self.rate * cores / max(cores - self.generator / self.lap.seconds, 0.1)

    def cpu(self, seconds: float) -> float:
        """Microseconds a tap."""
        return 1e6 * seconds / self.lap.taps


@dataclass(slots=True, kw_only=True)
class Crew:
    workers: list[Contestant]
    turns: list[Turn] = field(default_factory=list)

    def middle(self, what: str) -> float:
        values: list[float] = [getattr(turn, what) for turn in self.turns]
        return statistics.median(values)


def workers(rounds: int, seconds: float, sets: Sequence[int] = SETS) -> list[Figure]:
    """The figures of each crew, then the ratios to one worker."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="q64-bench-", ignore_cleanup_errors=True)))
        postgres = stack.enter_context(server(folder / "server"))
        arena = Arena(stack)
        crews = {count: _crew(arena, postgres, count) for count in sets}
        for crew in crews.values():
            _turn(arena, postgres, crew, min(seconds, 1.0))  # warms up
        for turn in range(rounds):
            order = [*crews.values()]
            for crew in order[turn % len(order) :] + order[: turn % len(order)]:
                crew.turns.append(_turn(arena, postgres, crew, seconds))
            sys.stderr.write(f"  round {turn + 1} of {rounds} is over\n")
    return [figure for count, crew in crews.items() for figure in _own(count, crew)] + _ratios(crews)


def _crew(arena: Arena, postgres: Any, count: int) -> Crew:
    url = _database(postgres, f"crew_{count}")
    ports = [_free_port() for _ in range(count)]
    crew = Crew(workers=[arena.start(_NAME, count, url, str(port)) for port in ports])
    arena.control("hook", crew.workers[0], ports=ports)
    for worker in crew.workers:
        worker.settle()
    return crew


def _database(postgres: Any, name: str) -> str:
    import psycopg  # noqa: PLC0415 - only where it is raced

    with psycopg.connect(postgres.get_uri("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    url = str(postgres.get_uri(name))
    migrate(url)
    return url


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def _spent(arena: Arena, postgres: Any, crew: Crew) -> Iterator[dict[str, float]]:
    def now() -> dict[str, float]:
        return {
            "workers": sum(worker.used()[0] for worker in crew.workers),
            "database": _cpu_of(postgres),
            "generator": float(arena.control("cpu", crew.workers[0])),
        }

    spent, before = dict[str, float](), now()
    yield spent
    spent |= {who: after - before[who] for who, after in now().items()}


def _cpu_of(postgres: Any) -> float:
    master = postgres.get_postmaster_info().process
    times = [process.cpu_times() for process in (master, *master.children(recursive=True))]
    return sum(float(each.user + each.system) for each in times)


def _turn(arena: Arena, postgres: Any, crew: Crew, seconds: float) -> Turn:
    with _spent(arena, postgres, crew) as spent:
        figures = arena.control("race", crew.workers[0], first=_FIRST, outstanding=OUTSTANDING, seconds=seconds)
    lap = Lap(**figures, cpu=spent["workers"])
    return Turn(lap=lap, **spent)


def _own(count: int, crew: Crew) -> list[Figure]:
    bench = f"{count} worker{'s' if count > 1 else ''} on PostgreSQL, {OUTSTANDING} taps outstanding"
    stalled = sum(turn.lap.stalled for turn in crew.turns)
    middle = statistics.median
    return [
        Figure(bench=bench, what="taps", value=crew.middle("rate"), unit="a second"),
        Figure(bench=bench, what="taps, the generator's share out", value=crew.middle("rate_alone"), unit="a second"),
        *(
            Figure(
                bench=bench,
                what=f"CPU of {who}",
                value=middle(turn.cpu(getattr(turn, name)) for turn in crew.turns),
                unit="us a tap",
            )
            for who, name in (("the workers", "workers"), ("the server", "database"), ("the generator", "generator"))
        ),
        Figure(bench=bench, what="p50", value=middle(turn.lap.p50 for turn in crew.turns) * 1e3, unit="ms"),
        Figure(bench=bench, what="p99", value=middle(turn.lap.p99 for turn in crew.turns) * 1e3, unit="ms"),
        *([Figure(bench=bench, what="no edit", value=stalled, unit="taps")] if stalled else []),
    ]


def _ratios(crews: dict[int, Crew]) -> list[Figure]:
    """Medians of the ratios of turns that were side by side."""
    one, found = crews.get(1), []
    for count, crew in crews.items():
        if one is None or count == 1:
            continue
        for what, name in (("taps", "rate"), ("taps, the generator's share out", "rate_alone")):
            pairs = zip(crew.turns, one.turns, strict=True)
            value = statistics.median(getattr(ours, name) / getattr(theirs, name) for ours, theirs in pairs)
            found.append(Figure(bench="workers, ratios", what=f"{count} : 1, {what}", value=value, unit="times"))
    return found
