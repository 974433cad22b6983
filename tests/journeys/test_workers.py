"""Several `q64 run` on one PostgreSQL behind one address: any takes any update, and no one is missed."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.playground import World, serve
from tests.bot.databases import fresh_postgres, stop_server
from tests.journeys.aftermath import Aftermath, looks_like
from tests.journeys.house import HouseClock
from tests.journeys.works import Works, watched

pytestmark = [pytest.mark.postgres, pytest.mark.slow, pytest.mark.timeout(400)]

PAUSE = 0.07  # seconds between two acts: what one group may see is asked for many times over


@pytest.fixture
async def works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> AsyncIterator[Works]:
    request.config.add_cleanup(stop_server)
    world = World(limits=True)
    async with await serve(world) as running:
        there = Works(tmp_path, running, database=fresh_postgres())
        watched(there, monkeypatch)
        there.furnish(people=12, groups=3)
        async with there.front.open():
            yield there
        for process in there.started:
            if process.process.returncode is None:
                os.killpg(process.process.pid, signal.SIGKILL)
                await process.ends()


async def tables_differ(works: Works, house: Aftermath) -> list[str]:
    """
    Tables whose message is not what follows from the database.

    Their clocks go on while the last workers stop; a picture that falls due then is owed, and painted at the next start.
    """
    wrong = []
    painted = "SELECT id, chat_id, message_id FROM tables WHERE ended IS NULL AND painted = wanted"
    for number, chat, message_id in works.rows(painted):
        picture = await house.house.painter._repaint(-number)  # type: ignore[misc]
        message = works.world.find(chat, message_id or 0)
        assert picture is not None
        if message is None or not looks_like(message, picture.view):
            wrong.append(f"table {number} shows {message}\nnot {picture.view}")
    return wrong


async def holds(works: Works) -> None:
    """What must be true of chats, answers, budgets and books once nothing waits any more."""
    for process in works.workers.values():
        assert '"level": "error"' not in process.said, process.said
        assert "Traceback" not in process.said, process.said
    for port in [*works.workers]:
        await works.stop(port)
    assert works.unanswered() == []
    assert works.answered_twice() == []
    assert works.refused() == []
    assert works.met() == []
    assert works.busiest_minute() <= 20
    with capture_logs() as log:
        house = Aftermath(works.database, log, clock=HouseClock())
        house.world, house.running = works.world, works.running
        house.chance = lambda: works.chance.randbytes(32)  # type: ignore[assignment]
        works.world.limited = False
        works.world.profile.webhook = {}
        await house._build()
        try:
            assert await house.pictures_differ() == []
            assert await tables_differ(works, house) == []
            await house.tidies()
            at_tables = {*works.rows("SELECT chat_id, message_id FROM tables WHERE ended IS NULL")}
            assert [each for each in await house.strays() if (each.chat_id, each.message_id) not in at_tables] == []
            assert await house.secrets_shown() == []
            assert house.findings() == []
            assert [line for line in log if line["log_level"] == "error"] == []
        finally:
            await house.house.close()


async def test_f119_three_workers_and_one_is_killed_in_a_storm_of_taps(works: Works) -> None:
    ports = [await works.worker() for _ in range(3)]
    await works.act_for(12, PAUSE)
    assert all(works.front.took[port] > 10 for port in ports)
    works.kill(ports[1])
    await works.act_for(8, PAUSE)
    await works.rests(120)
    assert works.tapped > 200
    await holds(works)


async def test_a_rolling_restart_drops_no_tap(works: Works) -> None:
    ports = [await works.worker() for _ in range(2)]
    acting = asyncio.create_task(works.act_for(14, PAUSE))
    for port in ports:
        await works.worker()
        await works.stop(port)
    await acting
    await works.rests(120)
    await holds(works)
