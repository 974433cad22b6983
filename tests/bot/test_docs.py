"""What the docs say, done."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _fenced(page: str, language: str) -> list[str]:
    return [body for kind, body in _FENCE.findall((ROOT / "docs" / page).read_text()) if kind == language]


def _apply(diff: str, root: Path) -> None:
    """Change one file as a unified diff says; where, its lines tell, not its numbers."""
    head, *hunks = re.split(r"^@@.*\n", diff, flags=re.MULTILINE)
    file = root / head.removeprefix("--- ").strip()
    text = file.read_text()
    for hunk in hunks:
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] != "+")
        after = "".join(line[1:] for line in lines if line[0] != "-")
        assert text.count(before) == 1, f"{file.name} has not, or not once:\n{before}"
        text = text.replace(before, after)
    file.write_text(text)


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the code with the side bet of the page in it."""
    copy = tmp_path_factory.mktemp("side-bet")
    for room in ("core", "bot"):
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    for diff in _fenced("side-bet.md", "diff"):
        _apply(diff, copy)
    (copy / "ours.json").write_text('{"name": "ours", "prime": 3}')
    return copy


@pytest.mark.parametrize("number", [0, 1])
def test_the_side_bet_of_the_docs_settles_and_has_its_price(changed: Path, number: int) -> None:
    command, expected = _fenced("side-bet.md", "console")[number].removeprefix("$ ").split("\n", 1)
    said = command.replace("q64 ", f"'{sys.executable}' -c 'from bot.cli import main; main()' ")

    told = subprocess.run(  # noqa: S602 - the words of our own page
        said, shell=True, cwd=changed, env={**os.environ, "PYTHONPATH": str(changed)}, capture_output=True, check=False
    )

    assert (told.stdout.decode(), told.stderr.decode()) == (expected, "")
