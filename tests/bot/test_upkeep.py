"""Copies beside a running bot, how many of them stay, one bot per file, and figures for the operator."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot.services.audit import audit
from bot.storage import Reason, Store, open_store
from bot.storage.addresses import address_of
from bot.storage.errors import NewerSchema, NotMigrated, StorageUnavailable, UnknownDatabase
from bot.storage.explained import in_words
from bot.storage.inspection import inspecting
from bot.storage.lock import TakenElsewhere, alone
from bot.storage.upkeep import BadCopy, backup, condition, dated, note_backup, size_of, status, thin_out
from bot.storage.version import HEAD
from tests.bot.databases import NOW, database, file, fresh_postgres, sit, store
from tests.bot.evenings import GROUP, play

__all__ = ["database", "file", "store"]

ROOT = Path(__file__).parents[2]


def proved(url: str) -> None:
    with inspecting(url) as look:
        for finding in audit(look):
            raise BadCopy(str(finding))


async def test_f120_a_copy_made_while_hands_are_played_is_sound(file: Path, tmp_path: Path) -> None:
    url, stop = f"sqlite:///{file}", asyncio.Event()
    store = await open_store(url)
    past = await play(store, hands=2)

    async def playing() -> int:
        hands = 0
        while not stop.is_set():
            await past.plays(2, GROUP, 1)
            hands += 1
        return hands

    evening = asyncio.create_task(playing())
    made = [await asyncio.to_thread(backup, url, tmp_path / f"copy{n}.db", prove=proved) for n in range(3)]
    stop.set()
    assert await evening
    await store.close()
    last = backup(url, tmp_path / "last.db", prove=proved)
    assert made[0].rounds <= made[-1].rounds <= last.rounds
    assert made[0].rounds < last.rounds


async def test_a_copy_is_a_database_that_people_play_on_with(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    store = await open_store(f"sqlite:///{file}")
    await store.run(sit)
    await store.close()
    made = await asyncio.to_thread(backup, f"sqlite:///{file}", copy)

    assert (made.path, made.revision, made.size) == (copy, HEAD, copy.stat().st_size)
    assert (made.people, made.rounds) == (1, 1)
    restored = await open_store(f"sqlite:///{copy}")
    assert await restored.read(lambda tx: (tx.ledger.drift(), tx.ledger.unbalanced_seats())) == (0, [])
    assert (await restored.run(sit, user_id=1000)).seat.chips == 500
    await restored.close()


def unbalanced(raw: sqlite3.Connection) -> None:
    raw.execute("INSERT INTO movements (id, why, at) VALUES (1, 'by hand', 0)")
    raw.execute("INSERT INTO entries VALUES (1, 0, 'house', 0, 5)")


def odd_design(raw: sqlite3.Connection) -> None:
    raw.execute("INSERT INTO people SELECT 1, '', '', '', 'no such design', 0, '', 0, 0, NULL, 0")


@pytest.mark.parametrize(
    "spoil, why",
    [
        pytest.param(unbalanced, "does not sum to zero", id="seen by the copy's own check"),
        pytest.param(odd_design, "no such design", id="seen by the audit only"),
    ],
)
def test_a_copy_that_is_not_sound_replaces_nothing(
    file: Path, tmp_path: Path, spoil: Callable[[sqlite3.Connection], None], why: str
) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("yesterday's")
    with closing(sqlite3.connect(file)) as raw:
        spoil(raw)
        raw.commit()
    with pytest.raises(BadCopy, match=why):
        backup(f"sqlite:///{file}", copy, prove=proved)
    assert copy.read_text() == "yesterday's"
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]


def test_a_copy_that_cannot_be_written_is_a_refusal(file: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailable) as refusal:
        backup(f"sqlite:///{file}", tmp_path / "nowhere" / "copy.db")
    assert refusal.value.reason is Reason.UNREACHABLE


@pytest.mark.postgres
async def test_postgres_is_copied_into_a_file_that_a_bot_can_run_on(tmp_path: Path) -> None:
    url, copy = fresh_postgres(), tmp_path / "copy.db"
    store = await open_store(url)
    await play(store, hands=2)
    made = await asyncio.to_thread(backup, url, copy, prove=proved)
    people = await store.read(lambda tx: tx.rows("SELECT COUNT(*) AS n FROM people")[0]["n"])
    await store.close()
    assert made.people == people
    assert os.listdir(tmp_path) == ["copy.db"]  # noqa: PTH208 - pathlib is not for async tests
    restored = await open_store(f"sqlite:///{copy}")
    assert await restored.read(lambda tx: tx.ledger.drift()) == 0
    await restored.close()


def test_only_dated_copies_are_thinned_out(tmp_path: Path) -> None:
    ours = [dated(tmp_path, NOW + timedelta(hours=hours)) for hours in range(5)]
    others = [tmp_path / name for name in ("q64.db", "notes.txt", "q64-20260601T200000Z.db.bak", "q64-holiday.db")]
    for path in (*ours, *others):
        path.write_text("")
    assert thin_out(tmp_path, 2) == ours[:3]
    assert sorted(tmp_path.iterdir()) == sorted([*ours[3:], *others])
    assert thin_out(tmp_path, 2) == []


async def test_the_figures_of_a_database(database: str, tmp_path: Path) -> None:
    store = await open_store(database)
    past = await play(store, hands=2)
    made = await asyncio.to_thread(backup, database, tmp_path / "copy.db")
    await store.run(note_backup, made, past.now)
    told = await store.read(lambda tx: status(tx, past.now - timedelta(days=999), size=size_of(database, tx)))
    await store.close()
    assert (told.drift, told.open_hands) == (0, 1)
    assert told.people == made.people > 4
    assert told.rounds == told.rounds_24h > 30
    assert told.last_update is not None
    assert told.last_update <= past.now
    assert (told.last_backup, told.last_backup_file) == (past.now, str(tmp_path / "copy.db"))
    assert told.size > 100_000


def test_the_size_is_told_whatever_the_name_of_the_file(file: Path) -> None:
    odd = file.rename(file.with_name("q64[1]*.db"))
    with inspecting(address_of(odd)) as look:
        assert size_of(address_of(odd), look.tx) >= odd.stat().st_size > 0


async def test_more_rows_are_looked_up_than_a_statement_takes_ids(database: str) -> None:
    """As the audit does for a day of the daily five that ten thousand people play."""
    store = await open_store(database)
    for user in (70_000, 1, 35_000):
        await store.run(sit, user_id=user, chat_id=-user)
    await store.close()
    with inspecting(database) as look:
        assert [*look.by_id("people", range(70_001))] == [1, 35_000, 70_000]


async def test_a_database_that_was_never_used(store: Store) -> None:
    told = await store.read(lambda tx: status(tx, NOW, size=0))
    assert (told.people, told.last_update, told.last_backup, told.drift) == (0, None, None, 0)


def test_the_condition_of_a_database(database: str) -> None:
    found = condition(database)
    assert found.writable
    if database.startswith("sqlite"):
        assert (found.journal, (found.free or 0) > 0) == ("wal", True)


def test_f125_a_second_process_on_the_same_file_is_refused(file: Path) -> None:
    url = f"sqlite:///{file}"
    script = "import sys; from bot.storage.lock import alone\nwith alone(sys.argv[1]): print('in', flush=True); sys.stdin.read()"
    with subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-c", script, url], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "in\n"
        with pytest.raises(TakenElsewhere) as refusal, alone(url):
            pass
        assert refusal.value.process == str(other.pid)
        other.kill()
    with alone(url):  # however it ended
        pass


@pytest.mark.parametrize(
    "error, words",
    [
        (NewerSchema("0009", "0001"), "written by a newer release (schema 0009, this one knows 0001)"),
        (NotMigrated("", "0001"), "has no schema yet, this release needs 0001: run q64 migrate"),
        (NotMigrated("0001", "0002"), "has schema 0001"),
        (UnknownDatabase("neither sqlite:/// nor postgresql://"), "DATABASE_URL cannot be used"),
        (BadCopy("torn"), "torn"),
        *((StorageUnavailable(reason, "as the driver says"), "(as the driver says)") for reason in Reason),
    ],
)
def test_every_trouble_is_one_sentence(error: Exception, words: str) -> None:
    said = in_words(error)  # type: ignore[arg-type]
    assert words in said
    assert said.endswith(".")
    assert "\n" not in said
