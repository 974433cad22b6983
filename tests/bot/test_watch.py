"""Readiness, silence, lag and drift, on a turned clock; and that alerts and dashboard ask for numbers that exist."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sqlite3
import subprocess
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.storage import Store, open_store
from bot.telemetry import Metrics
from bot.watch import BOOKS_EVERY, LAG_SECONDS, SILENCE_SECONDS, Watch
from tests.bot.databases import file, sit
from tests.bot.evenings import Past
from tests.clock import TurnedClock

__all__ = ["file"]

DEPLOY = Path(__file__).parents[2] / "deploy"


@dataclass(slots=True)
class Source:
    fails: bool = False

    async def after(self, offset: int | None) -> list[dict[str, object]]:
        del offset
        if self.fails:
            raise ConnectionError
        return [{"update_id": 1}]

    async def acknowledge(self, offset: int) -> None: ...


@dataclass(slots=True)
class Scene:
    store: Store
    file: Path
    clock: TurnedClock = field(default_factory=TurnedClock)
    metrics: Metrics = field(default_factory=Metrics)
    lag: float = 0.0
    watch: Watch = field(init=False)

    def __post_init__(self) -> None:
        url = f"sqlite:///{self.file}"
        self.watch = Watch(self.store, self.clock, self.metrics, database=url, lag=lambda: self.lag)

    def number(self, name: str) -> float:
        (found,) = re.findall(rf"^{re.escape(name)} (\S+)$", self.metrics.text().decode(), re.MULTILINE)
        return float(found)


@pytest.fixture
async def scene(file: Path) -> AsyncIterator[Scene]:
    store = await open_store(f"sqlite:///{file}", busy_timeout=0.2)
    yield Scene(store, file)
    await store.close()


async def test_a_bot_that_does_well_is_ready(scene: Scene) -> None:
    assert await scene.watch.troubles() == []


async def test_silence_of_telegram_is_a_trouble_once_somebody_polls(scene: Scene) -> None:
    await scene.clock.advance(10 * SILENCE_SECONDS)
    assert await scene.watch.troubles() == []
    source = Source()
    heard = scene.watch.listen(source)
    await scene.clock.advance(SILENCE_SECONDS + 1)
    assert await scene.watch.troubles() == ["last_update: Telegram has not answered for 91 seconds"]
    assert scene.number("q64_last_poll_seconds") == SILENCE_SECONDS + 1
    assert await heard.after(None) == [{"update_id": 1}]
    assert await scene.watch.troubles() == []
    source.fails = True
    with pytest.raises(ConnectionError):
        await heard.after(None)
    await scene.clock.advance(SILENCE_SECONDS + 1)
    assert await scene.watch.troubles() != []


async def test_a_picture_that_waits_too_long_is_a_trouble(scene: Scene) -> None:
    scene.lag = LAG_SECONDS + 1
    assert await scene.watch.troubles() == ["painter: a picture has been waiting for 121 seconds"]
    assert scene.number("q64_painter_lag_seconds") == LAG_SECONDS + 1


async def test_a_database_that_is_gone_is_a_trouble(scene: Scene) -> None:
    await scene.store.close()
    assert await scene.watch.troubles() == ["database: closed"]


async def test_the_ledger_is_added_up_and_drift_is_an_alarm(scene: Scene) -> None:
    await scene.store.run(sit)
    running = asyncio.create_task(scene.watch.run())
    with capture_logs() as log:
        await until(lambda: scene.number("q64_ledger_drift") == 0.0)
        with closing(sqlite3.connect(scene.file)) as raw:
            raw.execute("INSERT INTO movements (id, why, at) VALUES (99999, 'x', 0)")
            raw.execute("INSERT INTO entries VALUES (99999, 0, 'house', 0, 5)")
            raw.commit()
        async with asyncio.timeout(20):
            while scene.number("q64_ledger_drift") != 5.0:
                await scene.clock.advance(BOOKS_EVERY)
                await asyncio.sleep(0.002)  # a look at the database is in real time
    assert ("ledger_drift", 5) in [(line["event"], line.get("chips")) for line in log if line["log_level"] == "error"]
    running.cancel()


async def until(holds: object) -> None:
    async with asyncio.timeout(20):
        while not holds():  # type: ignore[operator]  # noqa: ASYNC110 - a thread has no event for it
            await asyncio.sleep(0.002)


async def test_rounds_are_counted_from_the_start_on(scene: Scene) -> None:
    past = Past(scene.store)
    await past.plays(1, 1, 2)
    await scene.watch.count_rounds()
    assert scene.number('q64_rounds_total{event="settled"}') == 0
    await past.plays(1, 1, 3)
    await scene.watch.count_rounds()
    await scene.watch.count_rounds()
    assert scene.number('q64_rounds_total{event="dealt"}') == 3
    assert scene.number('q64_rounds_total{event="settled"}') == 3


# what watches the watch


def names(scene: Scene) -> set[str]:
    """Every name that Prometheus can ask for."""
    text = scene.metrics.text().decode()
    bases = re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE)
    more = ("_bucket", "_sum", "_count")
    return {name for name, _ in bases} | {
        f"{name}{each}" for name, kind in bases if kind == "histogram" for each in more
    }


@pytest.mark.parametrize("name", ["prometheus-alerts.yml", "grafana-dashboard.json"])
async def test_alerts_and_dashboard_ask_for_numbers_that_exist(scene: Scene, name: str) -> None:
    asked = set(re.findall(r"\bq64_[a-z0-9_]+", (DEPLOY / name).read_text()))
    assert asked - names(scene) == set()
    assert {"q64_ledger_drift", "q64_last_poll_seconds", "q64_painter_lag_seconds"} <= asked


def test_the_dashboard_can_be_read() -> None:
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    assert all(target["expr"] for panel in board["panels"] for target in panel["targets"])


def test_every_alert_says_what_to_do() -> None:
    alerts = (DEPLOY / "prometheus-alerts.yml").read_text().split("- alert: ")[1:]
    assert len(alerts) == 8
    for alert in alerts:
        for part in ("expr: ", "severity: ", "summary: ", "action: "):
            assert part in alert, alert


def test_systemd_reads_the_units(tmp_path: Path) -> None:
    checker = shutil.which("systemd-analyze")
    if checker is None:
        pytest.skip("systemd is not installed")
    q64 = tmp_path / "q64"
    q64.write_text("#!/bin/sh\n")
    q64.chmod(0o755)
    for unit in DEPLOY.glob("q64*.*"):
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/q64/bin/q64", str(q64)))
    units = [str(tmp_path / name) for name in ("q64.service", "q64-backup.service", "q64-backup.timer")]
    done = subprocess.run([checker, "verify", *units], capture_output=True, text=True, check=False)  # noqa: S603 - ours
    ours = [line for line in done.stderr.splitlines() if "q64" in line]
    assert ours == [], done.stderr
