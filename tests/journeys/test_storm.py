"""
Storms, and what must be true after them.

The seed of a failure stands in its name and output; `Q64_SEED=<seed>` throws the same storm again, `Q64_STORM=10` one
ten times as long.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import pytest
from structlog.testing import capture_logs

from tests.journeys.storm import Size, Storm

SEEDS = [int(os.environ["Q64_SEED"])] if "Q64_SEED" in os.environ else [64, 65]
LENGTH = int(os.environ.get("Q64_STORM", "1"))

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120 * LENGTH)]


@pytest.fixture(params=SEEDS)
async def storm(request: pytest.FixtureRequest, database: str) -> AsyncIterator[Storm]:
    with capture_logs() as log:
        begun = Storm(database, log, seed=request.param, size=Size(acts=1_000 * LENGTH))
        await begun.begin()
        try:
            yield begun
        finally:
            print(f"\nQ64_SEED={begun.seed}: {dict(begun.tally)}")
            await begun.end()


async def test_after_a_storm_everything_is_true(storm: Storm) -> None:
    await storm.rages()
    await storm.calms()
    assert await storm.pictures_differ() == []
    await storm.tidies()
    assert [message.text for message in await storm.strays()] == []
    await storm.repaint_all()
    assert await storm.pictures_differ(strict=True) == []
    assert await storm.dealers_shown() == []
    assert await storm.secrets_shown() == []
    assert await storm.cards_shown() == []
    assert storm.shown["own"]
    assert await storm.told_twice() == []
    assert storm.answers_wrong() == []
    assert [line for line in storm.log if line["log_level"] in {"error", "critical"}] == []
    assert storm.findings() == []
    storm.forgives = {line["event"] for line in storm.log if line["log_level"] == "warning"}
    storm.unanswered = True
    await storm.audit()
