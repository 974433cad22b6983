"""What is installed is what was pinned: every package of ours has a pin, and every pin a package."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import advisories

ROOT = Path(__file__).parents[2]
BUILDING = {"hatchling", "pathspec", "trove-classifiers", "pluggy", "packaging", "editables"}
"""What builds the package, in an environment of its own."""


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text().split()
    return {canonicalize_name(name): pinned for name, _, pinned in (line.partition("==") for line in lines)}


def wanted() -> set[str]:
    """Every package that ours, with all extras, comes to on this machine."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    waiting = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    found: dict[str, set[str]] = {}
    while waiting:
        asked = Requirement(waiting.pop())
        name = canonicalize_name(asked.name)
        new = asked.extras - found.get(name, set())
        if name in found and not new:
            continue
        found.setdefault(name, set()).update(asked.extras)
        try:
            needs = [Requirement(each) for each in requires(asked.name) or ()]
        except PackageNotFoundError:
            pytest.skip(f"{asked.name} is not installed: make test brings it")
        for need in needs:
            marker = need.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *asked.extras)):
                need.marker = None
                waiting.append(str(need))
    return set(found)


def test_every_package_is_pinned_and_every_pin_is_of_use() -> None:
    needed = wanted()
    assert needed - set(pins()) - {"pip"} == set(), "pin these in constraints.txt"
    if sys.version_info[:2] == (3, 11):  # others need fewer
        assert set(pins()) - needed - BUILDING == set(), "nothing needs these"


def test_a_pin_is_one_exact_version() -> None:
    lines = (ROOT / "constraints.txt").read_text().split()
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)
    assert len(pins()) == len(lines)


def test_what_runs_here_is_what_is_pinned() -> None:
    other = {name: version(name) for name in wanted() - {"pip"} if version(name) != pins().get(name)}
    assert other == {}


# Advisories


WEAK = {"name": "b", "version": "2", "vulns": [{"id": "X-1", "fix_versions": ["3"]}]}
SKIPPED = {"name": "a", "skip_reason": "not found"}


def test_a_known_weakness_ends_the_gate(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(advisories, "_asked", lambda _: [{"name": "a", "version": "1", "vulns": []}, WEAK])
    assert advisories.main() == 1
    assert "b 2: X-1, fixed in 3" in capsys.readouterr().out
    monkeypatch.setitem(advisories.ACCEPTED, "X-1", "not reached by us")
    assert advisories.main() == 0


def test_one_package_that_is_not_known_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advisories, "_asked", lambda pins: [WEAK] if len(pins) == 1 else [SKIPPED, WEAK])
    assert advisories.main() == 1


def test_advisories_out_of_reach_are_told_and_pass(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[int] = []

    def asking(pins: list[str]) -> list[dict[str, str]]:
        asked.append(len(pins))
        return [SKIPPED for _ in pins]

    monkeypatch.setattr(advisories, "_asked", asking)
    assert advisories.main() == 0
    assert asked == [1], "one package shows it; no more are asked for"
    assert "not reachable here" in capsys.readouterr().out


def test_a_tool_that_fails_is_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(advisories.OutOfReach):
        advisories.advisories(["a==1"])
