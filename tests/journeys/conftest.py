"""An evening per journey: one database, one world, one bot; the books are audited when it ends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tests.bot.databases import fresh_postgres, fresh_sqlite
from tests.journeys.house import Evening, Somebody


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A migrated, empty database; a SQLite file unless the journey asks for PostgreSQL."""
    return fresh_postgres() if getattr(request, "param", "sqlite") == "postgres" else fresh_sqlite(tmp_path)


@pytest.fixture
async def evening(database: str) -> AsyncIterator[Evening]:
    with capture_logs() as log:
        begun = Evening(database, log)
        await begun.begin()
        try:
            yield begun
            await begun.audit()
        finally:
            await begun.end()


@pytest.fixture
def ann(evening: Evening) -> Somebody:
    return evening.ann


@pytest.fixture
def bob(evening: Evening) -> Somebody:
    return evening.bob


@pytest.fixture
def dasha(evening: Evening) -> Somebody:
    return evening.dasha
