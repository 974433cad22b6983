"""From SQLite to PostgreSQL and back: every row, every id, and nothing into what is not empty."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.services.audit import audit
from bot.storage import NewerSchema, NotMigrated, StorageUnavailable, migrate, open_store
from bot.storage.addresses import shown
from bot.storage.explained import in_words
from bot.storage.inspection import inspecting
from bot.storage.move import NotEmpty, SameDatabase, Table, count, move, ordered
from tests.bot.databases import empty_postgres, fresh_postgres, fresh_sqlite, sit
from tests.bot.evenings import GROUP, play


async def past(url: str) -> str:
    store = await open_store(url)
    await play(store, hands=3)
    await store.close()
    return url


async def goes_on(url: str) -> None:
    """People play on where they stopped; ids are new ones."""
    store = await open_store(url)
    before = await store.read(lambda tx: tx.rows("SELECT MAX(id) AS id FROM rounds")[0]["id"])
    sitting = await store.run(sit, user_id=99, chat_id=GROUP)
    assert sitting.round.id > before
    await store.close()


def sound(url: str) -> bool:
    with inspecting(url) as look:
        return [*audit(look)] == []


def dump(url: str) -> list[str]:
    """Everything but the order in which tables were made."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as raw:
        return sorted(line for line in raw.iterdump() if line.startswith("INSERT"))


@pytest.mark.postgres
async def test_there_and_back_again_everything_is_the_same(tmp_path: Path) -> None:
    first, second, third = await past(fresh_sqlite(tmp_path)), empty_postgres(), f"sqlite:///{tmp_path / 'back.db'}"
    steps: list[tuple[str, int]] = []

    moved = move(first, second, step=lambda table, rows: steps.append((table, rows)))
    assert sum(rows for _, rows in steps) == sum(moved.values()) == count(first) - 1  # the revision is not moved
    assert sound(second)
    assert move(second, third) == moved
    assert sound(third)
    assert dump(third) == dump(first)
    await goes_on(second)
    await goes_on(third)


@pytest.mark.postgres
async def test_a_target_with_rows_is_refused_and_left_alone(tmp_path: Path) -> None:
    first, taken = await past(fresh_sqlite(tmp_path)), fresh_postgres()
    store = await open_store(taken)
    await store.run(sit)
    with pytest.raises(NotEmpty):
        move(first, taken)
    assert await store.read(lambda tx: tx.rows("SELECT COUNT(*) AS n FROM seats")[0]["n"]) == 1
    await store.close()


async def test_another_schema_is_refused_on_either_side(tmp_path: Path) -> None:
    first = await past(fresh_sqlite(tmp_path))
    target = tmp_path / "target.db"
    migrate(f"sqlite:///{target}")
    with closing(sqlite3.connect(target)) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
        raw.commit()
    with pytest.raises(NewerSchema):
        move(first, f"sqlite:///{target}")
    with pytest.raises(NewerSchema):
        move(f"sqlite:///{target}", first)
    with pytest.raises(NotMigrated):
        move(f"sqlite:///{tmp_path / 'nothing.db'}", first)
    with pytest.raises(SameDatabase):
        move(first, first)


@pytest.mark.postgres
async def test_what_fails_half_way_leaves_an_empty_target(tmp_path: Path) -> None:
    first, target = await past(fresh_sqlite(tmp_path)), fresh_postgres()
    with closing(sqlite3.connect(first.removeprefix("sqlite:///"))) as raw:
        raw.execute("UPDATE people SET name = 'A' || char(0) || 'nn'")  # PostgreSQL has no such text
        raw.commit()
    with pytest.raises(StorageUnavailable):
        move(first, target)
    assert count(target) == 1


def test_parents_come_before_their_children() -> None:
    def table(name: str, *parents: str) -> Table:
        return Table(name=name, columns=(), key=(), texts=frozenset(), parents=frozenset(parents))

    names = [each.name for each in ordered([table("c", "b", "a"), table("b", "a", "b"), table("a")])]
    assert names == ["a", "b", "c"]
    with pytest.raises(ValueError, match="circle"):
        ordered([table("a", "b"), table("b", "a")])


@pytest.mark.parametrize(
    "url, people_see",
    [
        ("sqlite:///q64.db", "sqlite:///q64.db"),
        ("postgresql://ann:s3cret@host:5433/q64?sslmode=require", "postgresql://ann@host:5433/q64"),
        ("postgresql://host/q64?password=s3cret", "postgresql://host/q64"),
        ("postgresql://host:port/", "postgresql://…"),
    ],
)
def test_a_password_is_never_shown(url: str, people_see: str) -> None:
    assert shown(url) == people_see


def test_f123_a_server_that_cannot_be_reached_is_named_without_its_password() -> None:
    with pytest.raises(StorageUnavailable) as refusal:
        count("postgresql://ann:s3cret@127.0.0.1:1/q64")
    assert "s3cret" not in in_words(refusal.value)
