"""
What was answered is on the disk: between the last byte written to the log and the answer stands an fsync.

Shown by what the process asks of the system, as a tracer sees it; whether the disk keeps its word is the disk's affair.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bot.databases import fresh_sqlite
from tests.bot.tracing import Asked, Tracer

ROOT = Path(__file__).parents[2]
ANSWERS = 5
_LIVES = """
import asyncio, os, sys
from tests.bot.databases import NOW
from bot.storage import open_store

async def main():
    store = await open_store(sys.argv[1])
    if sys.argv[2]:
        await store._writer.call(lambda: store._writer.raw.execute(sys.argv[2]).fetchall())
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(sys.argv[3])):
        await store.run(lambda tx, number=number: tx.marks.first(number, now=NOW))
        os.write(1, b"answer")
    await store.close()

asyncio.run(main())
"""

pytestmark = pytest.mark.skipif(
    platform.system() != "Linux" or platform.machine() != "x86_64", reason="the tracer reads x86-64 registers on Linux"
)


def asked(folder: Path, pragma: str = "") -> list[str]:
    """The calls about the log and the answers, in order."""
    with subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-c", _LIVES, fresh_sqlite(folder), pragma, str(ANSWERS)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        try:
            tracer = Tracer(process.pid)
        except OSError as error:
            process.kill()
            pytest.skip(f"this machine lets nobody trace: {error.strerror}")
        process.stdin.write(b"\n")
        process.stdin.flush()
        return [word for call in tracer.run() if (word := _word(call))]


def _word(call: Asked) -> str:
    if call.path.endswith("-wal"):
        return "sync" if call.name in {"fsync", "fdatasync"} else "log"
    return "answer" if call.name == "write" and call.path.startswith("pipe:") else ""


def unsynced(words: list[str]) -> list[int]:
    """Which answers left while something written to the log was not yet asked to be on the disk."""
    found, answers, dirty = [], 0, False
    for word in words:
        if word == "answer":
            answers += 1
            found += [answers] if dirty else []
        dirty = word == "log" or (dirty and word != "sync")
    return found


def test_no_answer_leaves_before_the_disk_was_asked_to_keep_it(tmp_path: Path) -> None:
    words = asked(tmp_path)
    assert words.count("answer") == ANSWERS
    assert words.count("sync") >= ANSWERS
    assert unsynced(words) == []
    first = words.index("answer")
    assert words[:first].count("log") > 0


def test_the_tracer_would_see_an_answer_that_is_too_early(tmp_path: Path) -> None:
    words = asked(tmp_path, "PRAGMA synchronous = NORMAL")
    assert unsynced(words) == [*range(1, ANSWERS + 1)]
