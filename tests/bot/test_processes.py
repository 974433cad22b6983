"""The bot as a process: started by the Procfile, stopped by a signal, and every way not to start, at the local Bot API."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from bot.playground import World, serve
from bot.playground.seed import ANN
from tests.bot.databases import fresh_sqlite
from tests.bot.processes import ROOT, TEN_SECONDS, Machine, free_port
from tests.bot.test_audit import audited, change

CONFLICT = "409 Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"


@pytest.fixture
async def machine(tmp_path: Path) -> AsyncIterator[Machine]:
    fresh_sqlite(tmp_path)
    async with await serve(World()) as running:
        there = Machine(tmp_path, running)
        yield there
        for process in there.started:
            if process.process.returncode is None:
                os.killpg(process.process.pid, signal.SIGKILL)
                await process.ends()


async def test_the_procfiles_worker_answers_start_and_stops_in_time(machine: Machine) -> None:
    procfile, port = str(ROOT / "Procfile"), str(free_port())  # honcho would give 5000, which others may use
    honcho = await machine.start("honcho", "start", "-f", procfile, "-d", ".", "worker", PORT=port)
    await honcho.says(f"its data is in {machine.file}")
    machine.running.people.send(ANN, ANN, "/start")
    await machine.until(machine.labels)

    ended = await honcho.stopped()

    assert "worker.1 stopped (rc=0)" in ended.said, ended.said
    assert audited(f"sqlite:///{machine.file}") == []


async def test_the_procfiles_release_migrates(machine: Machine) -> None:
    new = f"sqlite:///{machine.folder / 'new.db'}"
    procfile = str(ROOT / "Procfile")
    honcho = await machine.start("honcho", "start", "-f", procfile, "-d", ".", "release", DATABASE_URL=new)
    ended = await honcho.ends()
    assert "release.1 stopped (rc=0)" in ended.said, ended.said
    assert audited(new) == []


async def test_the_procfiles_web_serves_health_while_it_polls(machine: Machine) -> None:
    port = free_port()
    procfile = str(ROOT / "Procfile")
    honcho = await machine.start("honcho", "start", "-f", procfile, "-d", ".", "web", PORT=str(port))
    await honcho.says("its data is in")
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
        for path, words in (("/healthz", "ok"), ("/readyz", "ready"), ("/metrics", "q64_ledger_drift 0.0")):
            async with session.get(path) as answer:
                assert answer.status == 200
                assert words in await answer.text()
    assert "web.1 stopped (rc=0)" in (await honcho.stopped()).said


async def test_f119_a_sigterm_lets_what_came_in_be_finished_and_painted(machine: Machine) -> None:
    bot = await machine.run()
    await bot.says("is running")
    machine.running.people.send(ANN, ANN, "/start")
    await machine.until(machine.labels)
    machine.running.world.faults.add({"method": "editMessageText", "kind": "slow", "seconds": 0.7, "times": 1})
    toast = machine.running.people.answer(machine.tap("Deal "))
    answer = await toast
    assert answer is not None
    assert answer["text"]  # answered; its picture is on the slow way

    ended = await bot.stopped()

    assert ended.status == 0, ended.said
    assert machine.labels()[0].startswith("Play ")
    with closing(sqlite3.connect(machine.file)) as raw:
        assert raw.execute("SELECT COUNT(*) FROM boards WHERE painted < wanted").fetchone() == (0,)


async def test_f119_a_sigterm_takes_no_new_update(machine: Machine) -> None:
    bot = await machine.run()
    await bot.says("is running")
    machine.running.world.faults.add({"method": "sendMessage", "kind": "slow", "seconds": 0.7, "times": 1})
    machine.running.people.send(ANN, ANN, "/start")
    await machine.until(lambda: not machine.running.world.updates.pending or bot.process.returncode is not None)
    bot.process.send_signal(signal.SIGTERM)
    assert (await bot.ends(TEN_SECONDS)).status == 0
    machine.running.people.send(ANN, ANN, "/top")
    assert len(machine.running.world.updates.pending) == 1  # for whoever comes next


async def test_f121_the_first_line_says_where_the_data_is_and_whether_it_is_new(machine: Machine) -> None:
    new = machine.folder / "data" / "new.db"
    for created in (", just created", "."):
        bot = await machine.run(DATABASE_URL=f"sqlite:///{new}")
        await bot.says(f"its data is in {new}{created}")
        assert (await bot.stopped()).status == 0


async def test_f125_a_second_one_on_the_same_file_is_told_which_runs_already(machine: Machine) -> None:
    first = await machine.run()
    await first.says("is running")
    said = await machine.refuses()
    assert said == (
        f"Another q64 runs on sqlite:///{machine.file} already (process {first.process.pid}): "
        "stop that one, or give this one a DATABASE_URL of its own."
    )
    assert (await first.stopped()).status == 0


async def test_f125_a_lasting_409_ends_in_a_sentence(machine: Machine) -> None:
    machine.running.world.faults.add({"method": "getUpdates", "kind": CONFLICT, "times": 0})
    impatient = "import bot.intake.polling as p; p.CONFLICT_LASTS = 0.0; from bot.cli import main; main()"
    said = await machine.refuses(sys.executable, "-c", impatient, "run")
    assert said.startswith("Another process takes this bot's updates, or a webhook is set: ")
    assert said.endswith("Stop the other one; this one then starts.")


def newer(file: Path) -> Mapping[str, str]:
    change(file, "alembic_version", "version_num", 1, "9999")
    return {}


def nothing(_: Path) -> Mapping[str, str]:
    return {}


@pytest.mark.parametrize(
    "settings, prepare, sentence",
    [
        pytest.param(
            {"BOT_TOKEN": "123456:" + "x" * 35}, nothing, "Telegram does not know this token: check BOT_TOKEN",
            id="wrong token",
        ),
        pytest.param({"BOT_TOKEN": ""}, nothing, "BOT_TOKEN is not set: put the token", id="no token"),
        pytest.param({"BOT_TOKEN": "hello"}, nothing, "BOT_TOKEN is not a bot token;", id="not a token"),
        pytest.param(
            {"BOT_API_URL": "http://127.0.0.1:1/bot"}, nothing, "Telegram cannot be reached (", id="no network"
        ),
        pytest.param({"PORT": "none"}, nothing, "PORT must be a number from 1 to 65535.", id="bad setting"),
        pytest.param(
            {"DATABASE_URL": "sqlite:////dev/null/q64.db"}, nothing, "The database cannot be opened (",
            id="unwritable database",
        ),
        pytest.param(
            {"DATABASE_URL": "mysql://x"}, nothing, "DATABASE_URL must begin with sqlite:/// or postgresql://.",
            id="another kind of database",
        ),
        pytest.param(
            {"DATABASE_URL": "postgresql://ann:s3cret@127.0.0.1:1/q64"}, nothing,
            "The database cannot be used: it cannot be reached; check DATABASE_URL", id="no server",
        ),
        pytest.param({}, newer, "The database was written by a newer release (schema 9999, ", id="newer schema"),
    ],
)  # fmt: skip
async def test_every_way_not_to_start_is_one_sentence(
    machine: Machine, settings: dict[str, str], prepare: Callable[[Path], Mapping[str, str]], sentence: str
) -> None:
    said = await machine.refuses(**{**settings, **prepare(machine.file)})
    assert said.startswith(sentence), said
    assert "s3cret" not in said


@pytest.mark.parametrize("webhook", [False, True])
async def test_a_port_that_is_taken_is_one_sentence(machine: Machine, webhook: bool) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))  # noqa: S104 - where the bot listens, too
        taken.listen()
        port = str(taken.getsockname()[1])
        hook = {"WEBHOOK_URL": "https://bot.example/hook", "WEBHOOK_SECRET": "abc"} if webhook else {}
        said = await machine.refuses(PORT=port, **hook)
    assert said == f"Port {port} cannot be used: Address already in use. Set PORT to another one."
