"""The bot as a process of its own, on a folder with a database and the local Bot API."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bot.playground import LOCAL_TOKEN, Running
from bot.playground.records import Message
from bot.playground.seed import ANN

ROOT = Path(__file__).parents[2]
TEN_SECONDS = 10.0  # a process manager kills whoever takes longer
PATIENCE = 45.0  # seconds for a start on a busy machine
Q64 = (sys.executable, "-m", "bot")


@dataclass(slots=True)
class Ended:
    """A status, and all that was printed."""

    status: int
    said: str


@dataclass(slots=True)
class Process:
    """A process whose output is read as it comes."""

    process: asyncio.subprocess.Process
    lines: list[str] = field(default_factory=list)
    _reading: asyncio.Task[None] | None = None

    def listen(self) -> None:
        async def read() -> None:
            assert self.process.stdout is not None
            while line := await self.process.stdout.readline():
                self.lines.append(line.decode())

        self._reading = asyncio.create_task(read())

    @property
    def said(self) -> str:
        return "".join(self.lines)

    async def says(self, words: str) -> None:
        async with asyncio.timeout(PATIENCE):
            while words not in self.said:
                assert self.process.returncode is None, self.said
                await asyncio.sleep(0.01)

    async def ends(self, within: float = PATIENCE) -> Ended:
        assert self._reading is not None
        async with asyncio.timeout(within):
            status = await self.process.wait()
        await self._reading
        return Ended(status, self.said)

    async def stopped(self) -> Ended:
        """After a SIGTERM, in time."""
        self.process.send_signal(signal.SIGTERM)
        return await self.ends(TEN_SECONDS)


@dataclass(slots=True)
class Machine:
    """A folder with a database, the local Bot API, and processes that end with the test."""

    folder: Path
    running: Running
    settings: dict[str, str] = field(default_factory=dict)
    started: list[Process] = field(default_factory=list)

    @property
    def file(self) -> Path:
        return self.folder / "q64.db"

    async def start(self, *command: str, **settings: str) -> Process:
        environment = {
            **{name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "TMPDIR", "LANG"}},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "BOT_TOKEN": LOCAL_TOKEN,
            "BOT_API_URL": self.running.base_url,
            "DATABASE_URL": f"sqlite:///{self.file}",
            **settings,
        }
        process = Process(
            await asyncio.create_subprocess_exec(
                *command,
                cwd=self.folder,
                env=environment,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
            )
        )
        process.listen()
        self.started.append(process)
        return process

    async def run(self, **settings: str) -> Process:
        return await self.start(*Q64, "run", **settings)

    async def refuses(self, *command: str, **settings: str) -> str:
        """It ends with status 1 and one sentence, no traceback and no token; the sentence."""
        ended = await (await self.start(*(command or (*Q64, "run")), **settings)).ends()
        assert ended.status == 1, ended.said
        assert "Traceback" not in ended.said
        assert LOCAL_TOKEN.partition(":")[2] not in ended.said
        return ended.said.splitlines()[-1]

    def board(self) -> Message | None:
        """Ann's board in the private chat."""
        me = self.running.world.profile.id
        kept = self.running.world.messages.get(ANN, {}).values()
        return next((each for each in kept if each.sender_id == me and each.keyboard and not each.deleted), None)

    def labels(self) -> list[str]:
        board = self.board()
        return [key["text"] for row in (board.keyboard if board and board.keyboard else ()) for key in row]

    async def until(self, holds: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not holds():  # noqa: ASYNC110 - another process has no event for it
                await asyncio.sleep(0.01)

    def tap(self, label: str) -> str:
        board = self.board()
        assert board is not None
        assert board.keyboard is not None
        (data,) = [key["callback_data"] for row in board.keyboard for key in row if key["text"].startswith(label)]
        return str(self.running.people.tap(ANN, ANN, board.message_id, payload=data))


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
