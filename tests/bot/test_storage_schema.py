"""The schema: from nothing to this release, refusals of other schemas, addresses that are none."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from bot.storage import (
    NewerSchema,
    NotMigrated,
    UnknownDatabase,
    migrate,
    open_store,
    schema_state,
)
from bot.storage.version import HEAD, REVISIONS
from tests.bot.databases import database, empty_database, file, sit

__all__ = ["database", "empty_database", "file"]

ROOT = Path(__file__).parents[2]


async def set_revision(database: str, revision: str) -> None:
    store = await open_store(database)
    await store.run(lambda tx: tx.execute("UPDATE alembic_version SET version_num = :revision", revision=revision))
    await store.close()


async def test_a_database_goes_from_nothing_to_this_release(empty_database: str) -> None:
    assert schema_state(empty_database) == "empty"
    with pytest.raises(NotMigrated) as refusal:
        await open_store(empty_database)
    assert (refusal.value.found, refusal.value.known) == ("", HEAD)

    assert await asyncio.to_thread(migrate, empty_database) == HEAD
    assert schema_state(empty_database) == "current"
    assert await asyncio.to_thread(migrate, empty_database) == HEAD  # nothing to do

    store = await open_store(empty_database)
    assert (await store.run(sit)).seat.chips == 500
    await store.close()


def test_two_processes_migrate_at_once_and_one_does_it(empty_database: str) -> None:
    script = "import sys; from bot.storage import migrate; print(migrate(sys.argv[1]))"
    both = [
        subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, "-c", script, empty_database], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]

    assert [process.communicate()[0] for process in both] == [f"{HEAD}\n"] * 2
    assert schema_state(empty_database) == "current"


async def test_a_newer_database_is_refused_and_left_alone(database: str) -> None:
    await set_revision(database, "9999")

    assert schema_state(database) == "newer"
    with pytest.raises(NewerSchema) as refusal:
        await open_store(database)
    assert (refusal.value.found, refusal.value.known) == ("9999", HEAD)
    with pytest.raises(NewerSchema):
        migrate(database)
    assert schema_state(database) == "newer"


async def test_an_older_database_is_refused_until_it_is_migrated(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.version.REVISIONS", (*REVISIONS, "next"))
    monkeypatch.setattr("bot.storage.version.HEAD", "next")

    assert schema_state(database) == "older"
    with pytest.raises(NotMigrated) as refusal:
        await open_store(database)
    assert (refusal.value.found, refusal.value.known) == (HEAD, "next")


def test_the_known_revisions_are_those_of_the_steps() -> None:
    from alembic.config import Config  # noqa: PLC0415 - only this test needs it
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(ROOT / "bot" / "storage" / "migrations"))
    steps = [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()]

    assert list(REVISIONS) == steps[::-1]


def test_opening_a_migrated_database_imports_neither_alembic_nor_sqlalchemy_nor_psycopg(file: Path) -> None:
    script = """
import asyncio, sys
from bot.storage import open_store
async def main():
    await (await open_store(sys.argv[1])).close()
asyncio.run(main())
print(sorted({"alembic", "sqlalchemy", "psycopg"} & set(sys.modules)))
"""
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-c", script, f"sqlite:///{file}"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    "url", ["sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite:q64.db", "mysql://x", "q64.db", ""]
)
async def test_addresses_that_are_no_place_for_chips(url: str) -> None:
    with pytest.raises(UnknownDatabase):
        await open_store(url)
    with pytest.raises(UnknownDatabase):
        migrate(url)


def test_an_address_in_a_refusal_never_shows_its_password() -> None:
    with pytest.raises(UnknownDatabase) as refusal:
        migrate("mysql://ann:secret@host/q64")
    assert "secret" not in str(refusal.value)
