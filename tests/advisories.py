"""
Known weaknesses of what is installed: python -m tests.advisories.

pip-audit compares every pinned version with the advisories of the package index. Where those cannot be had, offline or
behind a mirror without them, that is said and counts as well: the pins of constraints.txt then stand alone, and
tests/bot/test_dependencies.py holds them complete. One package is asked for first, so that a gate without them loses a
moment and asks for no more.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PINS = Path(__file__).parents[1] / "constraints.txt"
_PATIENCE = 300  # seconds
ACCEPTED: dict[str, str] = {}
"""Advisories that do not concern us, by their id, and why."""


class OutOfReach(Exception):  # noqa: N818 - read as a noun
    """Raised where the advisories cannot be had, with the reason."""


def advisories(pins: list[str]) -> list[str]:
    """
    A line for each known weakness of these pins.

    :raises OutOfReach: If not one of them could be compared.
    """
    told = _asked(pins)
    if all("skip_reason" in each for each in told):
        raise OutOfReach("the index gives none for these packages")
    found = ((each, weakness) for each in told for weakness in each.get("vulns", ()))
    return [
        f"{each['name']} {each['version']}: {weakness['id']}, fixed in {', '.join(weakness['fix_versions']) or 'none'}"
        for each, weakness in found
        if weakness["id"] not in ACCEPTED
    ]


def _asked(pins: list[str]) -> list[dict[str, Any]]:
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(pins) + "\n")
        file.flush()
        command = (sys.executable, "-m", "pip_audit", "--requirement", file.name, "--no-deps", "--disable-pip")
        quiet = ("--format", "json", "--progress-spinner", "off")
        try:
            done = subprocess.run(  # noqa: S603 - our own words
                [*command, *quiet], capture_output=True, text=True, check=False, timeout=_PATIENCE
            )
        except subprocess.TimeoutExpired:
            raise OutOfReach("no answer in time") from None
    try:
        told: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        last = done.stderr.strip().rpartition("\n")[2]
        raise OutOfReach(last.partition(":")[0] or "pip-audit said nothing") from None
    return told


def main() -> int:
    """Nought, or one if something is known against a version that is installed."""
    pins = PINS.read_text().split()
    try:
        advisories(pins[:1])
        found = advisories(pins)
    except OutOfReach as reason:
        print(f"Advisories are not reachable here ({reason}): the {len(pins)} pins of {PINS.name} stand alone.")
        return 0
    for line in found:
        print(line)
    print(f"{len(found)} known weaknesses in {len(pins)} pinned packages.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
