"""The audit: sound where real hands were played, and a changed value anywhere is found and named."""
# ruff: noqa: S608 - the names are those of the schema

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random

import pytest

from bot.services.audit import Finding, audit
from bot.storage import StorageError, open_store
from bot.storage.inspection import inspecting
from tests.bot.contesting import FRIENDS, OTHERS, PLAYERS
from tests.bot.databases import fresh_postgres, fresh_sqlite
from tests.bot.evenings import play

FLIPS = 150

# What the audit cannot prove wrong, since nothing else in the database says it, and why no chip or card hangs on it.
LISTED = {
    ("people", "name"): "what Telegram calls a person; only Telegram knows",
    ("people", "app_language"): "as Telegram says",
    ("people", "language"): "the person's choice",
    ("people", "design"): "the person's choice, one of the designs",
    ("people", "coach"): "the person's choice",
    ("people", "words"): "the person's choice; those of a deal stand in its round",
    ("people", "hands"): "decides only whether the board says New here; /forget begins anew",
    ("people", "private"): "whether Telegram lets us write",
    ("people", "break_until"): "the person's choice",
    ("people", "first_seen"): "any time before the first seat",
    ("chats", "kind"): "as Telegram says",
    ("chats", "title"): "as Telegram says",
    ("chats", "language"): "the admins' choice",
    ("chats", "time_zone"): "the admins' choice, one of the zones",
    ("chats", "rules_id"): "the admins' choice; nights and rounds carry their own",
    ("chats", "awake_boards"): "the admins' choice",
    ("chats", "active"): "as Telegram says",
    ("chats", "options"): "the admins' choice",
    ("chats", "first_seen"): "nothing else says it",
    ("seats", "chip"): "the person's choice, a chip of the tray",
    ("seats", "repeat"): "the person's choice",
    ("seats", "opened"): "any time before the first night",
    ("seats", "gone"): "as Telegram says",
    ("seats", "door"): "a random code, shown to its person alone",
    ("rounds", "version"): "guards writers only: any number from the count of known changes up",
    ("rounds", "worded"): "any time between opening and deal",
    ("boards", "id"): "keys on people's screens name it, nothing stored does",
    ("boards", "face"): "which page is open; every page shows what is stored",
    ("boards", "round_id"): "which of the seat's rounds is on show",
    ("boards", "thread_id"): "Telegram's topic",
    ("boards", "message_id"): "Telegram's number; a tap brings it back",
    ("boards", "old_message_id"): "Telegram's number",
    ("boards", "wanted"): "at most one picture too many or too few",
    ("boards", "painted"): "the same",
    ("boards", "note"): "one line of words",
    ("boards", "tapped"): "for how long a board counts as awake",
    ("boards", "retired"): "without a live board /deal sends a new one",
    ("tables", "thread_id"): "Telegram's topic",
    ("tables", "version"): "guards writers only",
    ("tables", "message_id"): "Telegram's number; a tap brings it back",
    ("tables", "old_message_id"): "Telegram's number",
    ("tables", "wanted"): "at most one picture too many or too few",
    ("tables", "painted"): "the same",
    ("table_rounds", "cut_by"): "who threw the dice, of those with a seat; their value is among the words",
    ("table_rounds", "dealt"): "any time between the hand's opening and its end",
    ("marks", "update_id"): "Telegram's number, forgotten after two days",
    ("marks", "at"): "the same",
    ("timers", "id"): "what is to be done and when is said nowhere else",
    ("timers", "kind"): "the same",
    ("timers", "subject"): "the same",
    ("timers", "due"): "the same",
    ("timers", "leased"): "the same",
    ("posts", "key"): "words for a chat, said nowhere else",
    ("posts", "chat_id"): "the same",
    ("posts", "thread_id"): "the same",
    ("posts", "body"): "the same",
    ("posts", "at"): "the same",
    ("posts", "leased"): "the same",
    ("posts", "message_id"): "the same",
    ("events", "nights"): "the admins' choice: how many nights somebody might have played",
    ("events", "made"): "when a day was committed to: any time before its end",
    ("events", "closed"): "the moment of its end; whoever played then ended with it",
    ("events", "closed_by"): "who ended a contest before its time, said nowhere else",
    ("event_boards", "id"): "what the painter calls a message",
    ("event_boards", "thread_id"): "Telegram's topic",
    ("event_boards", "message_id"): "Telegram's number",
    ("event_boards", "old_message_id"): "Telegram's number",
    ("event_boards", "wanted"): "at most one picture too many or too few",
    ("event_boards", "painted"): "the same",
    ("event_boards", "shown"): "when a picture was made last",
    ("event_boards", "code"): "a random code, shown to a group",
    ("malfunctions", "findings"): "the words of the audit of that day",
    ("malfunctions", "evidence"): "the round as it was that day",
    ("lanes", "chat_id"): "which chat a painter writes into, for seconds, and only where workers share a PostgreSQL",
    ("lanes", "owner"): "the same",
    ("lanes", "until"): "the same",
    ("lanes", "full_at"): "the chat's budget at Telegram; too much of it costs a 429, too little a moment",
    ("lanes", "cool"): "the same",
    ("lanes", "calls"): "the same",
    ("upkeep", "what"): "when the last backup was made, said nowhere else",
    ("upkeep", "at"): "the same",
    ("upkeep", "note"): "the same",
}
# What names a row of a table without numbers of its own.
ROW = {
    "event_results": "event_id * 1000000 + user_id % 1000",
    "champions": "user_id",
    "bests": "since || '/' || chat_id || '/' || user_id",
    "entries": "movement_id * 100 + line",
    "table_hands": "round_id * 100 + place",
}
# Single rows of other columns.
LISTED_ROWS: dict[tuple[str, str], Callable[[sqlite3.Row], bool]] = {
    # whoever came through a contest's door has a seat in its group, with or without a night there
    ("seats", "user_id"): lambda row: row["chat_id"] in {FRIENDS, OTHERS} and row["user_id"] in PLAYERS,
    ("rounds", "words"): lambda row: row["cards"] is None,  # the player's to change until the deal
    ("table_rounds", "cut"): lambda row: row["dealt"] is None,  # anybody's to throw until the deal
    # before the deal somebody puts chips up, or gets them back: any time since the hand opened
    ("movements", "at"): lambda row: row["why"] in {"table_bank", "table_ready", "table_returned"},
}


def audited(url: str) -> list[Finding]:
    with inspecting(url) as look:
        return [*audit(look)]


async def made(url: str) -> str:
    store = await open_store(url)
    await play(store)
    await store.close()
    return url


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a past, its log folded in; tests work on copies."""
    import asyncio  # noqa: PLC0415 - a fixture of the module has no loop of its own

    path = Path(asyncio.run(made(fresh_sqlite(tmp_path_factory.mktemp("past")))).removeprefix("sqlite:///"))
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA journal_mode = DELETE")
        raw.execute("INSERT INTO upkeep VALUES ('backup', 1, '{}')")
        raw.commit()
    return path


@pytest.fixture
def copy(past: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(past, tmp_path / "copy.db"))


def altered(value: object, row: sqlite3.Row, column: str) -> list[object]:
    """The value with something changed: one bit, one character; or there where nothing was, and gone where it was."""
    if value is None:
        return [1 if column not in {"cards", "decision", "result", "ending"} else "cashed"]
    if isinstance(value, int):
        return [value ^ 1, value + 1000]
    if value == b"":
        return [b"\x00"]
    if isinstance(value, bytes):
        return [value[:-1] + bytes([value[-1] ^ 1]), bytes([value[0] ^ 128]) + value[1:]]
    assert isinstance(value, str)
    middle = len(value) // 2
    return [value + "x", value[:middle] + chr(ord(value[middle]) ^ 1) + value[middle + 1 :] if value else "y"]


def change(path: Path, table: str, column: str, key: object, value: object) -> None:
    """As a flipped bit would: no trigger, no constraint looks on."""
    with closing(sqlite3.connect(path)) as raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute("PRAGMA ignore_check_constraints = ON")
        place = ROW.get(table, "rowid")
        raw.execute(f"UPDATE {table} SET {column} = ? WHERE {place} = ?", (value, key))
        raw.commit()


@cache
def columns() -> list[tuple[str, str]]:
    import tempfile  # noqa: PLC0415 - while tests are collected

    with closing(sqlite3.connect(fresh_sqlite(Path(tempfile.mkdtemp())).removeprefix("sqlite:///"))) as raw:
        tables = raw.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        return [(table, row[1]) for (table,) in sorted(tables) for row in raw.execute(f"PRAGMA table_info({table})")]


async def test_an_evening_of_real_hands_is_sound(past: Path) -> None:
    assert audited(f"sqlite:///{past}") == []
    with closing(sqlite3.connect(past)) as raw:
        seen = {
            name: raw.execute(f"SELECT COUNT(*) FROM {sql}").fetchone()[0]
            for name, sql in {
                "settled": "rounds WHERE phase = 'settled'",
                "folded": "rounds WHERE decision = 'fold'",
                "without an Ante": "rounds WHERE result = 'no_ante'",
                "waiting": "rounds WHERE phase = 'dealt' AND void = 0",
                "void": "rounds WHERE void = 1",
                "void with chips": "movements WHERE why = 'moved' AND id IN (SELECT movement_id FROM entries WHERE kind = 'round')",
                "with words": "rounds WHERE words <> '[\"\"]'",
                "broke": "nights WHERE ending = 'broke'",
                "hands at a table": "table_rounds WHERE phase = 'settled'",
                "a hand at a table in play": "table_rounds WHERE phase = 'dealt' AND void = 0",
                "a bank that returned": "movements WHERE why = 'table_returned'",
                "the house's hands at a table": 'table_rounds WHERE state LIKE \'%"bank":{"user":null%\'',
                "cashed": "nights WHERE ending = 'cashed'",
            }.items()
        }
    assert all(seen.values()), seen


@pytest.mark.postgres
async def test_the_same_on_postgres() -> None:
    assert audited(await made(fresh_postgres())) == []


def test_what_is_listed_is_there() -> None:
    assert {*LISTED, *LISTED_ROWS} <= {*columns()}
    assert not LISTED.keys() & LISTED_ROWS.keys()


@pytest.mark.parametrize(
    "table, column", [pytest.param(*each, id=".".join(each)) for each in columns() if each not in LISTED]
)
def test_a_changed_value_in_any_column_is_found(copy: Path, table: str, column: str) -> None:
    with closing(sqlite3.connect(copy)) as raw:
        raw.row_factory = sqlite3.Row
        place = ROW.get(table, "rowid")
        rows = raw.execute(f"SELECT {place} AS place, * FROM {table} ORDER BY 1").fetchall()
    assert rows or table == "malfunctions", f"play() leaves {table} empty: have it fill it, and the audit check it"
    exempt = LISTED_ROWS.get((table, column))
    step = max(1, len(rows) // 4)
    missed = []
    for row in [row for row in rows if exempt is None or not exempt(row)][::step]:
        for value in altered(row[column], row, column):
            one = copy.with_name("one.db")
            shutil.copy(copy, one)
            try:
                change(one, table, column, row["place"], value)
            except (sqlite3.IntegrityError, sqlite3.OperationalError):
                continue  # a unique index, or a type of its own, would not be there to be read
            if not found(one):
                missed.append((row["place"], row[column], value))
    assert not missed


def found(path: Path) -> bool:
    """Whether the audit ends with something to say."""
    try:
        return bool(audited(f"sqlite:///{path}"))
    except StorageError:
        return True


def told(path: Path) -> dict[str, list[tuple[object, ...]]] | None:
    """What the database says, apart from what is listed; None if it cannot be read."""
    said = {}
    try:
        with closing(sqlite3.connect(path)) as raw:
            raw.text_factory = bytes
            raw.row_factory = sqlite3.Row
            for table, column in columns():
                if (table, column) not in LISTED and (table, column) not in LISTED_ROWS:
                    said[f"{table}.{column}"] = sorted(
                        (tuple(row) for row in raw.execute(f"SELECT {column} FROM {table} NOT INDEXED")), key=repr
                    )
    except sqlite3.Error:
        return None
    return said


@pytest.mark.timeout(300)
def test_a_flipped_bit_anywhere_in_a_copy_is_found(past: Path, copy: Path) -> None:
    """Or it lies where nothing is said: in an unused part of a page, or in a column that is listed."""
    with closing(sqlite3.connect(copy)) as raw:
        raw.execute("VACUUM")
    content, before = copy.read_bytes(), told(copy)
    chance, harmless, noticed = Random(64), 0, 0
    for _ in range(FLIPS):
        place, bit = chance.randrange(len(content)), chance.randrange(8)
        flipped = bytearray(content)
        flipped[place] ^= 1 << bit
        copy.write_bytes(flipped)
        if found(copy):
            noticed += 1
        else:
            assert told(copy) == before, (place, bit)
            harmless += 1
    assert noticed > harmless / 4, (noticed, harmless)
