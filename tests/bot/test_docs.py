"""What the docs say, done."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest

from bot.playground.client import ACTS
from bot.playground.faults import Faults
from bot.playground.seed import ANN
from core.fair import opened, transcript_mapping

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


# The emulator


def test_a_bot_of_somebody_else_lives_in_the_emulator_as_its_page_says(tmp_path: Path) -> None:
    """The page's own words: `q64 emulate`, what it prints, a stock bot in a process of its own, people over HTTP."""
    bot = tmp_path / "bot.py"
    bot.write_text(_fenced("emulator.md", "python")[0])
    with ExitStack() as stack, socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        free.close()
        words = [line.split() for line in _fenced("emulator.md", "text")[0].splitlines()]
        told = _started(stack, sys.executable, "-c", "from bot.cli import main; main()", "emulate", "--port", str(port))
        assert told.stdout is not None
        said = [told.stdout.readline().split() for _ in words[1:]]
        assert [[each.replace(str(port), "8065") for each in line] for line in said] == words[1:]

        _started(stack, sys.executable, str(bot), said[0][-1], said[1][-1])
        asked = _asked(port, "start", {"person": ANN})

        assert asked["message_id"]
        assert _until(
            lambda: [each["text"] for each in _asked(port, f"chats/{ANN}/messages?person={ANN}")][-1:], "Hello"
        )


def _started(stack: ExitStack, *words: str) -> subprocess.Popen[str]:
    return stack.enter_context(_Ended(words, stdout=subprocess.PIPE, text=True, cwd=ROOT))


class _Ended(subprocess.Popen[str]):
    def __exit__(self, *error: object) -> None:
        self.kill()
        self.communicate()


def _asked(port: int, act: str, body: dict[str, object] | None = None) -> Any:
    sent = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/client/{act}", sent, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - our own address
        return json.load(answer)


def _until(look: Callable[[], list[str]], words: str) -> bool:
    """Whether it appears before patience ends."""
    end = monotonic() + 60
    while monotonic() < end:
        if any(words in text for text in look()):
            return True
        sleep(0.05)
    return False


def test_the_emulators_page_names_every_act_and_kind_of_fault() -> None:
    page = (ROOT / "docs" / "emulator.md").read_text()
    named = set(re.findall(r"`(\w+)`", page))

    assert set(ACTS) - {"faults"} <= named
    faults = Faults()
    for kind in re.findall(r"`(\w+)`", page.partition("Kinds:")[2].partition("`repeat_update`")[0]):
        faults.add({"kind": kind})
    assert faults.rules


# Verifying


def test_the_check_in_the_docs_agrees_with_the_house() -> None:
    """A stranger's own lines on deals of ours, and on one that was touched."""
    rng = Random(4)
    deals = [
        opened(rng.randbytes(32), tuple(rng.choice(("", "Glück", "cut:5")) for _ in range(rng.randint(1, 4))), nonce)
        for nonce in range(1, 40)
    ]
    told = [transcript_mapping(deal) for deal in deals]
    touched = told[0] | {"deck": told[1]["deck"], "commitment": told[1]["commitment"]}
    lines = "".join(json.dumps(each) + "\n" for each in (*told, touched))

    ran = subprocess.run(  # noqa: S603 - the words of our own page
        [sys.executable, "-c", _fenced("verifying.md", "python")[0]],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )

    assert ran.stdout.splitlines() == [f"{nonce} sealed dealt" for nonce in range(1, 40)] + ["1 NOT SEALED NOT DEALT"]
