"""
All benches in one run: python -m tests.bench [race workers start top disk game storage table people growth] [--rounds N] …

Without names: all but people and growth. What takes long (people, growth) runs with --long, or when named. Variants
take turns, figures are medians over the rounds: use the ratios, since the rest is this machine's.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.bench import growth, race, top, workers
from tests.bench.figures import Figure, table

SHORT = ("race", "workers", "start", "top", "disk", "game", "storage", "table")
LONG = ("people", "growth")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what was asked for, and print one table."""
    asked = _asked(arguments)
    benches: Mapping[str, Callable[[], list[Figure]]] = {
        "race": lambda: race.figures(race.run(asked.bots or race.ALL, rounds=asked.rounds, seconds=asked.seconds)),
        "workers": lambda: workers.workers(asked.rounds, asked.seconds),
        "start": lambda: growth.start(asked.rounds),
        "top": lambda: top.top(asked.rounds),
        "disk": growth.disk,
        "people": lambda: growth.people(asked.people),
        "growth": lambda: growth.growth(asked.rounds),
    }
    figures: list[Figure] = []
    told: dict[str, str] = {}
    for name in asked.benches or (*SHORT, *(LONG if asked.long else ())):
        sys.stderr.write(f"{name} ...\n")
        if name in benches:
            figures += benches[name]()
        else:
            told[name] = _told_by(f"tests.bench.bench_{name}")
    print(table(figures), *(f"\n{name}\n{text}" for name, text in told.items()), sep="\n")
    if asked.json:
        about = {"machine": platform.machine(), "system": platform.system(), "python": platform.python_version()}
        written = {**about, "figures": [figure.plain() for figure in figures], "told": told}
        Path(asked.json).write_text(json.dumps(written, indent=1) + "\n")


def _told_by(module: str) -> str:
    """What a bench that stands for itself prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        importlib.import_module(module).main()
    return printed.getvalue().rstrip()


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measured against other bots.")
    parser.add_argument(
        "benches",
        nargs="*",
        help="of race, workers, start, top, disk, game, storage, table, people, growth; without any, all but the last two",
    )
    parser.add_argument("--rounds", type=int, default=3, help="turns of each variant")
    parser.add_argument("--seconds", type=float, default=3.0, help="of a lap of the race")
    parser.add_argument("--bots", nargs="+", choices=race.ALL, metavar="BOT", help=f"of {', '.join(race.ALL)}")
    parser.add_argument("--people", type=int, default=100_000, help="distinct people against 1,000")
    parser.add_argument("--long", action="store_true", help="people and growth too; takes half an hour")
    parser.add_argument("--json", metavar="FILE", help="the figures for machines")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
