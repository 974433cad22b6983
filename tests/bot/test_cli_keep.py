"""The operator's commands: what they print, for people and machines, and how they end."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli import command_line
from bot.playground import LOCAL_TOKEN, World, serve
from bot.storage import open_store
from tests.bot.databases import empty_postgres, fresh_sqlite
from tests.bot.evenings import play
from tests.bot.test_audit import change

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Path:
    async def filled() -> Path:
        url = fresh_sqlite(tmp_path_factory.mktemp("past"))
        store = await open_store(url)
        await play(store, hands=2)
        await store.close()
        return Path(url.removeprefix("sqlite:///"))

    return asyncio.run(filled())


@dataclass(slots=True)
class Terminal:
    """The command line in a folder of its own, on a database with a past."""

    file: Path
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, *arguments: str, status: int = 0) -> Result:
        done = CliRunner().invoke(command_line(), arguments)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        assert done.exit_code == status, done.output
        return done

    def one(self, sql: str) -> int:
        with closing(sqlite3.connect(self.file)) as raw:
            return int(raw.execute(sql).fetchone()[0])

    def breaks(self, where: str = "phase = 'dealt' AND void = 0") -> int:
        """A round whose seal does not fit any more."""
        id_ = self.one(f"SELECT id FROM rounds WHERE {where}")  # noqa: S608 - our own words
        change(self.file, "rounds", "secret", id_, bytes(32))
        return id_


@pytest.fixture
def q64(past: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    file = Path(shutil.copy(past, tmp_path / "q64.db"))
    monkeypatch.chdir(tmp_path)  # no .env of the checkout
    for name in ("BOT_TOKEN", "BOT_API_URL", "WEBHOOK_URL", "WEBHOOK_SECRET", "PORT", "LOG_FORMAT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{file}")
    return Terminal(file, monkeypatch)


# audit and void


def test_audit_of_a_sound_database_ends_well(q64: Terminal) -> None:
    people = q64.one("SELECT COUNT(*) FROM people")
    assert f" is sound: {people} people, " in q64("audit").output
    told = json.loads(q64("audit", "--json").output)
    assert (told["ok"], told["findings"], told["more"]) == (True, [], 0)
    assert told["checked"]["rounds"] == q64.one("SELECT COUNT(*) FROM rounds")


def test_audit_names_the_place_and_ends_with_1(q64: Terminal) -> None:
    round_ = q64.breaks()
    assert f"rounds {round_} commitment: right is " in q64("audit", status=1).output
    told = json.loads(q64("audit", "--json", status=1).output)
    assert not told["ok"]
    assert {"table", "id", "column", "right", "found"} == set(told["findings"][0])
    assert told["findings"][0]["id"] == round_


def test_audit_takes_a_file_or_an_address(q64: Terminal, tmp_path: Path, past: Path) -> None:
    shutil.copy(past, tmp_path / "a copy?.db")
    q64.breaks()
    q64("audit", "a copy?.db")
    q64("audit", f"sqlite:///{past}")
    q64("audit", f"sqlite:///{q64.file}", status=1)


@pytest.mark.parametrize("named", ["nothing.db", "text.db", "mysql://x"])
def test_audit_of_what_is_no_database_is_one_sentence(q64: Terminal, tmp_path: Path, named: str) -> None:
    (tmp_path / "text.db").write_text("not a database" * 100)
    done = q64("audit", named, status=1)
    assert len(done.output.splitlines()) == 1
    assert not (tmp_path / "nothing.db").exists()


def test_audit_of_a_torn_file_is_a_finding_or_a_sentence(q64: Terminal) -> None:
    content = bytearray(q64.file.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 4096] = bytes(4096)
    q64.file.write_bytes(content)
    assert q64("audit", status=1).output


def test_void_takes_back_what_is_broken_and_nothing_else(q64: Terminal) -> None:
    sound = q64.one("SELECT id FROM rounds WHERE phase = 'settled'")
    assert "is sound" in q64("void", str(sound), status=1).output
    round_ = q64.breaks()
    assert "chips came back to the player" in q64("void", str(round_)).output
    q64("audit")
    assert "is void" in q64("void", str(round_), status=1).output
    assert "There is no round 999999." in q64("void", "999999", status=1).output


# backup, move, migrate


def test_backup_is_audited_before_it_says_done(q64: Terminal, tmp_path: Path) -> None:
    assert "Copied and audited: copy.db" in q64("backup", "copy.db").output
    q64("audit", "copy.db")
    q64.breaks()
    assert "No backup was made: the audit has" in q64("backup", "other.db", status=1).output
    assert not (tmp_path / "other.db").exists()


def test_backup_keeps_the_newest_so_many(q64: Terminal, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    for day in range(1, 6):
        (folder / f"q64-2026010{day}T000000Z.db").write_text("")
    (folder / "holiday.db").write_text("")
    done = q64("backup", "--keep", "3", str(folder))
    kept = sorted(path.name for path in folder.iterdir())
    assert kept[:3] == ["holiday.db", "q64-20260104T000000Z.db", "q64-20260105T000000Z.db"]
    assert len(kept) == 4
    assert done.output.count("Deleted: ") == 3


@pytest.mark.parametrize("arguments", [("backup", "no/such/folder/copy.db"), ("backup", "--keep", "2", "q64.db")])
def test_a_backup_that_cannot_be_written_is_one_sentence(q64: Terminal, arguments: tuple[str, ...]) -> None:
    assert len(q64(*arguments, status=1).output.splitlines()) == 1


@pytest.mark.postgres
def test_move_there_is_audited_and_never_into_rows(q64: Terminal) -> None:
    target = empty_postgres()
    done = q64("move", str(q64.file), target)
    assert " rows moved to postgresql://" in done.output
    q64("audit", target)
    assert "is not empty" in q64("move", str(q64.file), target, status=1).output
    assert "the same database" in q64("move", target, target, status=1).output
    q64.monkeypatch.setenv("DATABASE_URL", target)
    assert "Copied and audited" in q64("backup", "from_server.db").output


def test_a_move_from_what_is_broken_is_told(q64: Terminal) -> None:
    q64.breaks()
    assert "do not use it" in q64("move", str(q64.file), "new.db", status=1).output


def test_migrate_says_what_it_did(q64: Terminal) -> None:
    assert "already" in q64("migrate").output
    q64.monkeypatch.setenv("DATABASE_URL", "sqlite:///new.db")
    said = q64("migrate").output
    assert "The database has schema " in said
    assert "made the folder" not in said
    q64.monkeypatch.setenv("DATABASE_URL", "sqlite:///of/its/own/q64.db")
    assert f"made the folder {q64.file.parent / 'of/its/own'}\n" in q64("migrate").output
    change(q64.file, "alembic_version", "version_num", 1, "9999")
    q64.monkeypatch.setenv("DATABASE_URL", f"sqlite:///{q64.file}")
    said = q64("migrate", status=1).output
    assert "written by a newer release (schema 9999" in said
    assert len(said.splitlines()) == 1


# status and doctor


def test_status_for_people_and_machines(q64: Terminal) -> None:
    q64("backup", "copy.db")
    told = json.loads(q64("status", "--json").output)
    assert (told["drift"], told["open_hands"]) == (0, 1)
    assert told["people"] == q64.one("SELECT COUNT(*) FROM people")
    assert told["last_backup_file"].endswith("copy.db")
    said = q64("status").output
    assert "ledger           adds up to zero" in said
    assert "last backup      0 minutes ago" in said


@pytest.fixture
def telegram() -> Iterator[str]:
    """A local Bot API in a loop of its own."""
    import threading  # noqa: PLC0415 - only here

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    running = asyncio.run_coroutine_threadsafe(serve(World()), loop).result()
    yield running.base_url
    asyncio.run_coroutine_threadsafe(running.close(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def checks(done: Result) -> dict[str, str]:
    return {line["name"]: line["state"] for line in json.loads(done.stdout)["checks"]}


def test_doctor_finds_all_well(q64: Terminal, telegram: str) -> None:
    q64.monkeypatch.setenv("BOT_TOKEN", LOCAL_TOKEN)
    q64.monkeypatch.setenv("BOT_API_URL", telegram)
    found = checks(q64("doctor", "--json"))
    assert {name: state for name, state in found.items() if state == "fail"} == {}
    assert {
        "token",
        "groups",
        "privacy",
        "webhook",
        "database",
        "schema",
        "writing",
        "disk",
        "ledger",
        "languages",
    } <= set(found)
    assert "ok    token      @" in q64("doctor").output


def test_doctor_says_what_to_do(q64: Terminal, telegram: str) -> None:
    assert checks(q64("doctor", "--json", status=1))["token"] == "fail"
    q64.monkeypatch.setenv("BOT_TOKEN", "123456:" + "x" * 35)
    q64.monkeypatch.setenv("BOT_API_URL", telegram)
    said = q64("doctor", status=1).output
    assert "-> check BOT_TOKEN against BotFather's message" in said
    assert "x" * 35 not in said
    q64.monkeypatch.setenv("BOT_API_URL", "http://127.0.0.1:1/bot")
    assert checks(q64("doctor", "--json", status=1))["telegram"] == "fail"


@pytest.mark.parametrize(
    "sql, name",
    [
        ("UPDATE alembic_version SET version_num = '9999'", "schema"),
        (
            "INSERT INTO movements (id, why, at) VALUES (99999, 'x', 0); INSERT INTO entries VALUES (99999, 0, 'house', 0, 5)",
            "ledger",
        ),
    ],
)
def test_doctor_sees_the_database(q64: Terminal, sql: str, name: str) -> None:
    with closing(sqlite3.connect(q64.file)) as raw:
        raw.executescript(sql)
    assert checks(q64("doctor", "--json", status=1))[name] == "fail"


def test_doctor_before_the_first_start(q64: Terminal) -> None:
    q64.monkeypatch.setenv("DATABASE_URL", "sqlite:///new.db")
    assert checks(q64("doctor", "--json", status=1))["database"] == "ok"


@pytest.mark.parametrize("command", ["audit", "status", "doctor", "migrate"])
def test_a_bad_setting_is_one_sentence(q64: Terminal, command: str) -> None:
    q64.monkeypatch.setenv("PORT", "none")
    assert q64(command, status=1).output == "PORT must be a number from 1 to 65535.\n"


def test_f123_no_command_prints_the_password_of_a_server(q64: Terminal) -> None:
    q64.monkeypatch.setenv("DATABASE_URL", "postgresql://ann:s3cret@127.0.0.1:1/q64")
    q64.monkeypatch.setenv("BOT_API_URL", "http://127.0.0.1:1/bot")
    for arguments in (("audit",), ("status",), ("backup", "x.db"), ("migrate",), ("doctor",), ("void", "1")):
        assert "s3cret" not in q64(*arguments, status=1).output
    assert "s3cret" not in q64("move", str(q64.file), "postgresql://ann:s3cret@127.0.0.1:1/q64", status=1).output


@pytest.mark.parametrize("port", ["0", "65536", "many"])
def test_play_at_a_port_that_cannot_be_is_wrong_usage(q64: Terminal, port: str) -> None:
    q64("play", "--no-browser", "--port", port, status=2)


def test_play_where_no_folder_can_be_made_is_one_sentence(q64: Terminal, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    q64.monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    said = q64("play", "--no-browser", status=1).output
    assert said == f"{tmp_path / 'file' / 'q64' / 'playground'} cannot be used: Not a directory.\n"


# The command line itself


def test_without_a_command_it_says_what_there_is(q64: Terminal) -> None:
    said = q64().output
    assert "Three Card Poker for Telegram chats" in said
    assert all(f" {command} " in said for command in ("play", "run", "audit", "odds"))


def test_which_release(q64: Terminal) -> None:
    release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert q64("--version").output == f"q64 {release}\n"


@pytest.mark.parametrize("arguments", [("nothing",), ("--nothing",), ("status", "--nothing")])
def test_what_is_no_command_is_wrong_usage(q64: Terminal, arguments: tuple[str, ...]) -> None:
    q64(*arguments, status=2)


@pytest.mark.parametrize("command", ["audit", "status", "doctor"])
def test_a_bad_setting_for_machines(q64: Terminal, command: str) -> None:
    q64.monkeypatch.setenv("PORT", "none")
    told = json.loads(q64(command, "--json", status=1).stdout)
    assert told == {"error": {"type": "bad_setting", "message": "PORT must be a number from 1 to 65535."}}


@pytest.mark.parametrize(
    "arguments, kind",
    [
        pytest.param(("audit", "nothing.db"), "not_migrated", id="audit of nothing"),
        pytest.param(("audit", "mysql://x"), "unknown_database", id="audit of what is no database"),
        pytest.param(("audit", "text.db"), "storage_unavailable", id="audit of some other file"),
        pytest.param(("status",), "not_migrated", id="status of nothing"),
    ],
)
def test_trouble_for_machines(q64: Terminal, tmp_path: Path, arguments: tuple[str, ...], kind: str) -> None:
    (tmp_path / "text.db").write_text("not a database" * 100)
    q64.monkeypatch.setenv("DATABASE_URL", "sqlite:///nothing.db")
    told = json.loads(q64(*arguments, "--json", status=1).stdout)["error"]
    assert told["type"] == kind
    assert told["message"].endswith(".")
