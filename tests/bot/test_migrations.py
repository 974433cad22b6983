"""
Upgrades from every released schema, with data in place (FAULTS F122).

How it works for a new step: `OLDEST` and every later revision is filled by SQL with what people left behind in it, and
brought to the newest; rows and sums must be what they were. A step that changes a table adds to `CHANGED` what may
differ afterwards, and why.
"""
# ruff: noqa: S608 - the names are those of the schema

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.facts import EVENT_PLACES, Ending
from bot.services.audit import audit
from bot.storage import NewerSchema, Tx, migrate, open_store, schema, schema_state, version
from bot.storage.inspection import inspecting
from bot.storage.version import HEAD, REVISIONS
from core.rules import SELMINHA
from tests.bot.databases import NOW, fresh_sqlite
from tests.bot.evenings import play

# By table, columns whose values an upgrade may change or that a later step took away, and why.
TABLES, EVENTS = "0002", "0003"  # the revisions in which hands at tables came, and contests
CHANGED: Mapping[str, Mapping[str, str]] = {"alembic_version": {"version_num": "the point of it"}}


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of this release with a past."""
    import asyncio  # noqa: PLC0415 - a fixture of the module has no loop of its own

    return asyncio.run(filled(tmp_path_factory.mktemp("new")))


async def filled(folder: Path, *, tables: bool = True, events: bool = True) -> Path:
    url = fresh_sqlite(folder)
    store = await open_store(url)
    await play(store, hands=2, tables=tables, events=events)
    await store.close()
    return Path(url.removeprefix("sqlite:///"))


def rows(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Everything that is stored, by table."""
    with closing(sqlite3.connect(path)) as raw:
        raw.row_factory = sqlite3.Row
        tables = raw.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {name: [dict(row) for row in raw.execute(f"SELECT * FROM {name}")] for (name,) in tables.fetchall()}


def at(revision: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty database of an older release."""
    with monkeypatch.context() as older:
        older.setattr(version, "HEAD", revision)
        older.setattr(schema, "HEAD", revision)
        assert migrate(f"sqlite:///{path}") == revision
    return f"sqlite:///{path}"


def fill(path: Path, content: Mapping[str, list[dict[str, Any]]]) -> None:
    """What of today's rows an older schema has room for."""
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA foreign_keys = OFF")
        for table, all_ in content.items():
            there = [row[1] for row in raw.execute(f"PRAGMA table_info({table})")]
            if table == "alembic_version" or not there:
                continue
            for row in all_:
                kept = {column: value for column, value in row.items() if column in there}
                places = ", ".join(f":{column}" for column in kept)
                raw.execute(f"INSERT INTO {table} ({', '.join(kept)}) VALUES ({places})", kept)
        raw.commit()


def same(table: str, before: list[dict[str, Any]], after: list[dict[str, Any]]) -> None:
    changed = CHANGED.get(table, {})
    left = [{column: value for column, value in row.items() if column not in changed} for row in before]
    columns = set(left[0]) if left else set()
    found = [{column: row[column] for column in columns if column in row} for row in after]
    assert len(after) == len(before), table
    key = lambda row: repr(sorted(row.items()))  # noqa: E731 - a name for a sort
    assert sorted(found, key=key) == sorted(left, key=key), table


@pytest.mark.parametrize("revision", REVISIONS)
async def test_f122_every_row_survives_the_upgrade(
    revision: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "q64.db"
    (tmp_path / "new").mkdir()
    new = await filled(tmp_path / "new", tables=revision >= TABLES, events=revision >= EVENTS)
    url = at(revision, path, monkeypatch)
    fill(path, rows(new))
    told: list[str] = []
    before = rows(path)
    assert before["rounds"]
    assert before["entries"]

    assert migrate(url, step=told.append) == HEAD

    after = rows(path)
    for table, content in before.items():
        same(table, content, after[table])
    assert sum(row["chips"] for row in after["entries"]) == 0
    steps = REVISIONS[REVISIONS.index(revision) + 1 :]
    assert [line.partition(":")[0] for line in told if line.startswith("schema")] == [
        f"schema {step}" for step in steps
    ]
    with inspecting(url) as look:
        assert [*audit(look)] == []
    kept = path.with_name(f"q64.db.before-{revision}")
    assert kept.exists() == bool(steps)
    if steps:
        assert rows(kept) == before  # going back is putting this file in its place


async def test_lists_of_bests_are_the_same_after_the_upgrade_and_kept_from_the_next_night_on(
    new: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = at("0004", tmp_path / "q64.db", monkeypatch)
    fill(tmp_path / "q64.db", rows(new))
    migrate(url)
    old, upgraded = await open_store(f"sqlite:///{new}"), await open_store(url)

    def chats(tx: Tx) -> list[int]:
        nights = tx.rows("SELECT DISTINCT chat_id FROM nights WHERE score IS NOT NULL ORDER BY chat_id")
        return [row["chat_id"] for row in nights if EVENT_PLACES < row["chat_id"] < 0]

    groups = await upgraded.read(chats)
    assert groups
    for group in groups:
        lists = [await store.read(lambda tx: tx.scores.top(group)) for store in (old, upgraded)]  # noqa: B023 - at once
        assert lists[0] == lists[1]
        assert not await upgraded.read(lambda tx: tx.bests.kept(group, 0))  # noqa: B023 - at once

    def cash_out(tx: Tx) -> None:
        seat = tx.seats.open(groups[0], 6400, now=NOW)
        night = tx.nights.count_hand(tx.nights.open(seat, rules=SELMINHA, buy_in=500, now=NOW))
        tx.nights.close(night, chips=1, ending=Ending.CASHED, now=NOW)

    await upgraded.run(cash_out)
    assert await upgraded.read(lambda tx: tx.bests.kept(groups[0], 0))
    assert await upgraded.read(lambda tx: tx.scores.top(groups[0], limit=1)) == await old.read(
        lambda tx: tx.scores.top(groups[0], limit=1)
    )
    for store in (old, upgraded):
        await store.close()
    with inspecting(url) as look:
        assert {finding.table for finding in audit(look)} <= {"nights", "seats", "people"}  # a night without its hand


def test_an_empty_database_is_not_copied_first(tmp_path: Path) -> None:
    migrate(f"sqlite:///{tmp_path / 'q64.db'}")
    assert not [path.name for path in tmp_path.iterdir() if "before" in path.name]


@cache
def _next_release(folder: Path, sql: str) -> Path:
    """The steps of this release and one more."""
    source = Path(schema.__file__).parent / "migrations"
    shutil.copytree(source, folder / "migrations", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "migrations" / "versions" / "v9000_next.py").write_text(
        f'''"""The next release."""
from alembic import op
revision = "9000"
down_revision = "{HEAD}"
branch_labels = None
depends_on = None
def upgrade():
    for step in {sql.split(";")!r}:
        op.get_bind().exec_driver_sql(step)
'''
    )
    return folder / "schema.py"


def next_release(monkeypatch: pytest.MonkeyPatch, folder: Path, sql: str) -> None:
    monkeypatch.setattr(schema, "__file__", str(_next_release(folder, sql)))
    for module in (schema, version):
        monkeypatch.setattr(module, "HEAD", "9000")
    monkeypatch.setattr(version, "REVISIONS", (*REVISIONS, "9000"))


def test_f122_rebuilding_a_parent_takes_no_child_along(
    new: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(shutil.copy(new, tmp_path / "q64.db"))
    before = rows(path)
    rebuilt = (
        "CREATE TABLE seats_new (id INTEGER PRIMARY KEY, chat_id INTEGER NOT NULL, user_id INTEGER NOT NULL) STRICT;"
        "INSERT INTO seats_new SELECT id, chat_id, user_id FROM seats;"
        "DROP TABLE seats;ALTER TABLE seats_new RENAME TO seats"
    )
    next_release(monkeypatch, tmp_path, rebuilt)
    migrate(f"sqlite:///{path}")
    after = rows(path)
    assert {table: len(content) for table, content in after.items()} == {
        table: len(content) for table, content in before.items()
    }


def test_a_step_that_fails_leaves_the_database_as_it_was(
    new: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(shutil.copy(new, tmp_path / "q64.db"))
    before = rows(path)
    with monkeypatch.context() as tomorrow:
        next_release(tomorrow, tmp_path, "ALTER TABLE people ADD COLUMN x TEXT;DROP TABLE nothing_of_that_name")
        with pytest.raises(Exception, match="nothing_of_that_name"):
            migrate(f"sqlite:///{path}")
    assert rows(path) == before
    assert schema_state(f"sqlite:///{path}") == "current"


def test_a_step_that_would_lose_parents_is_not_kept(new: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(shutil.copy(new, tmp_path / "q64.db"))
    before = rows(path)
    with monkeypatch.context() as tomorrow:
        next_release(tomorrow, tmp_path, "DELETE FROM seats WHERE id = 1")
        with pytest.raises(RuntimeError, match="parents"):
            migrate(f"sqlite:///{path}")
    assert rows(path) == before


def test_a_release_that_is_put_back_refuses_the_newer_database(
    new: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(shutil.copy(new, tmp_path / "q64.db"))
    with monkeypatch.context() as tomorrow:
        next_release(tomorrow, tmp_path, "ALTER TABLE people ADD COLUMN x TEXT")
        migrate(f"sqlite:///{path}")
    with pytest.raises(NewerSchema) as refusal:
        migrate(f"sqlite:///{path}")
    assert refusal.value.found == "9000"
