"""`q64 play` as people start it, killed without warning, started again: the evening goes on where it was."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from bot.playground.seed import ANN

_PATIENCE = 20.0  # seconds of real time that a picture may take on a busy machine
KILLS = 8

pytestmark = pytest.mark.timeout(240)  # each start is a whole interpreter

Json = dict[str, Any]


class Playground:
    """A process of its own, its own folder, and one person's client at it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}/client", timeout=_PATIENCE)
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, and wait for the sentence that says it is ready."""
        with (self.folder / "stderr.txt").open("a") as errors:
            self.process = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-m", "bot", "play", "--no-browser", "--port", str(self.port)],
                env={**os.environ, "XDG_CONFIG_HOME": str(self.folder), "PYTHONUNBUFFERED": "1"},
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self.process.stdout is not None
        assert "The chat page is at" in self.process.stdout.readline(), self.errors()

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def close(self) -> None:
        if self.process is not None:
            self.kill()
        self.client.close()

    def errors(self) -> str:
        return (self.folder / "stderr.txt").read_text()

    def act(self, name: str, **body: Any) -> Json:
        answer = self.client.post(f"/{name}", json={"person": ANN, "chat": ANN, **body})
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    def board(self) -> Json:
        """The last message with keys."""
        messages = self.client.get(f"/chats/{ANN}/messages", params={"person": ANN}).json()
        with_keys = [each for each in messages if each["keyboard"]]
        return with_keys[-1] if with_keys else {"message_id": 0, "text": "", "keyboard": []}

    def board_with(self, label: str, *, below: int = 0) -> Json:
        """The board, once it is painted with this key, further down than message *below*."""
        until = time.monotonic() + _PATIENCE
        while True:
            board = self.board()
            if board["message_id"] > below and any(key.startswith(label) for key in labels(board)):
                return board
            assert time.monotonic() < until, (label, board["text"], labels(board))
            time.sleep(0.02)

    def tap(self, label: str, *, on: Json | None = None, wait: bool = True) -> str:
        board = on or self.board_with(label)
        keys = [key for row in board["keyboard"] for key in row if key["text"].startswith(label)]
        found = self.act("tap", message_id=board["message_id"], data=keys[0]["data"], wait=wait)
        return str(found["answer"]["text"]) if wait and found["answer"] else ""

    def rows(self, sql: str) -> list[Any]:
        with closing(sqlite3.connect(self.folder / "q64" / "playground" / "q64.db")) as database:
            return database.execute(sql).fetchall()

    def audit(self) -> None:
        """No chip came from nowhere or went there; each hand was dealt once and settled once."""
        assert self.rows("SELECT COALESCE(SUM(chips), 0) FROM entries") == [(0,)]
        assert self.rows("SELECT movement_id FROM entries GROUP BY movement_id HAVING SUM(chips) <> 0") == []
        assert self.rows(
            "SELECT id FROM seats WHERE chips <>"
            " (SELECT COALESCE(SUM(e.chips), 0) FROM entries e WHERE e.kind = 'seat' AND e.ref = seats.id)"
        ) == []  # fmt: skip
        assert (
            self.rows(
                "SELECT round_id FROM movements WHERE round_id IS NOT NULL GROUP BY round_id, why HAVING COUNT(*) > 1"
            )
            == []
        )
        assert self.rows("PRAGMA integrity_check") == [("ok",)]
        assert "Traceback" not in self.errors()


def labels(board: Json) -> list[str]:
    return [key["text"] for row in board["keyboard"] for key in row]


@pytest.fixture
def playground(tmp_path: Path) -> Iterator[Playground]:
    begun = Playground(tmp_path)
    yield begun
    begun.close()


def test_f118_killed_between_deal_and_play_the_hand_goes_on(playground: Playground) -> None:
    playground.start()
    playground.act("send", text="/deal 25 5")
    toast = playground.tap("Deal 30")
    dealt = playground.board_with("Play 25")
    before = playground.rows("SELECT id, state, secret FROM rounds"), playground.rows("SELECT chips FROM seats")

    playground.kill()
    playground.start()

    board = playground.board_with("Play 25")
    assert (board["message_id"], board["text"], board["keyboard"]) == (
        dealt["message_id"],
        dealt["text"],
        dealt["keyboard"],
    )
    cards = toast.partition(" · ")[0]
    assert cards in board["text"]
    assert (
        playground.rows("SELECT id, state, secret FROM rounds"),
        playground.rows("SELECT chips FROM seats"),
    ) == before

    assert "you have" in playground.tap("Play 25")
    assert playground.tap("Play 25", on=board) == "That is already done."
    settled = playground.board_with("Cash out")
    assert settled["message_id"] == dealt["message_id"]
    assert cards in settled["text"]
    playground.audit()


@pytest.mark.slow
def test_f119_killed_at_any_moment_no_chip_is_lost_or_made(playground: Playground) -> None:
    chance = Random(64)
    playground.start()
    playground.act("send", text="/deal 10 5")
    playground.board_with("Deal")
    for _ in range(KILLS):
        for _ in range(chance.randrange(1, 6)):
            board = playground.board()
            keys = [each for each in labels(board) if each.startswith(("Deal", "Play", "Fold", "Ante +"))]
            if keys:
                playground.tap(chance.choice(keys), on=board, wait=chance.random() < 0.5)
        time.sleep(chance.random() * 0.05)
        playground.kill()
        playground.audit()
        playground.start()

    old = playground.board()["message_id"]
    playground.act("send", text="/deal")
    board = playground.board_with("", below=old)
    if "Fold" in labels(board):
        playground.tap("Fold", on=board)
    playground.act("send", text="/cashout")
    playground.board_with("Deal: a new night")
    playground.audit()
    lost = sum(chips for (chips,) in playground.rows("SELECT chips FROM entries WHERE kind = 'house'"))
    nights = playground.rows("SELECT chips FROM nights")
    assert sum(chips for (chips,) in nights) == 500 * len(nights) - lost
