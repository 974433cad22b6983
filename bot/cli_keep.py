"""Commands that look after the bot's data: migrate, backup, audit, void, move, doctor, status."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.cli_terminal import fail, progress, sentences, settings

if TYPE_CHECKING:
    from bot.checkup import Check
    from bot.services.audit import Finding
    from bot.storage.upkeep import Copy, Status

MOST_SHOWN: Final = 1000  # findings in one JSON answer
_DAY: Final = timedelta(days=1)
_SECRET_BYTES: Final = 32

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    for command in (migrate, backup, audit, void, move, doctor, status):
        app.command(command.__name__)(command)


def _now() -> datetime:
    from bot.app import SystemClock

    return SystemClock().now()


# migrate


def migrate() -> None:
    """Bring the database to the schema of this release; a SQLite file is copied first."""
    from bot.storage import migrate as to_newest
    from bot.storage import schema_state

    url = settings().database_url
    with sentences():
        if schema_state(url) == "current":
            typer.echo("The database has this release's schema already.")
            return
        typer.echo(f"The database has schema {to_newest(url, step=typer.echo)} now.")


# audit


def audit(
    database: Annotated[
        str | None, typer.Argument(help="A file or an address; without it, DATABASE_URL.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Replay every stored round against deals, pay-outs, ledger and boards; safe beside a running bot."""
    from bot.storage.addresses import as_address, shown

    with sentences(as_json=as_json):
        url = as_address(database) if database is not None else settings(as_json=as_json).database_url
        counted, found = _audited(url, say=not as_json)
    if as_json:
        told = [asdict(finding) for finding in found[:MOST_SHOWN]]
        typer.echo(json.dumps({"ok": not found, "checked": counted, "findings": told, "more": len(found) - len(told)}))
    elif not found:
        rows = ", ".join(f"{number:,} {table}" for table, number in counted.items())
        typer.echo(f"{shown(url)} is sound: {rows}.")
    else:
        typer.echo(f"{len(found):,} findings. q64 void ROUND takes a broken round back.", err=True)
    if found:
        raise typer.Exit(1)


def _audited(url: str, *, say: bool) -> tuple[dict[str, int], list[Finding]]:
    from bot.services.audit import COUNTED
    from bot.services.audit import audit as look_through
    from bot.storage.inspection import inspecting

    found = []
    with inspecting(url) as look:
        counted = {table: look.count([table]) for table in COUNTED}
        with progress("audit", sum(counted.values())) as step:
            for finding in look_through(look, step=step):
                found.append(finding)
                if say:
                    typer.echo(str(finding))
    return counted, found


def _prove(url: str) -> None:
    from bot.storage.upkeep import BadCopy

    _, found = _audited(url, say=False)
    if found:
        raise BadCopy(f"the audit has {len(found):,} findings, the first is {found[0]}")


# backup


def backup(
    file: Annotated[Path, typer.Argument(help="The copy to be written; with --keep, a folder of dated copies.")],
    keep: Annotated[
        int | None, typer.Option(min=1, help="Write a dated copy into the folder, and keep the newest so many.")
    ] = None,
) -> None:
    """A consistent copy of the database while the bot runs, opened and audited before it counts."""
    from bot.storage.upkeep import backup as copy
    from bot.storage.upkeep import dated, thin_out

    url, now = settings().database_url, _now()
    with sentences():
        if keep is not None:
            file.mkdir(parents=True, exist_ok=True)
        target = file if keep is None else dated(file, now)
        with _words_for_a_bad_copy():
            made = copy(url, target, prove=_prove)
        gone = [] if keep is None else thin_out(file, keep)
        asyncio.run(_remember(url, made, now))
    typer.echo(
        f"Copied and audited: {made.path} ({made.size:,} bytes, {made.people:,} people, {made.rounds:,} rounds)."
    )
    for path in gone:
        typer.echo(f"Deleted: {path}")


@contextmanager
def _words_for_a_bad_copy() -> Iterator[None]:
    from bot.storage.upkeep import BadCopy

    try:
        yield
    except BadCopy as error:
        fail(f"No backup was made: {error.why}.")


async def _remember(url: str, made: Copy, now: datetime) -> None:
    from bot.storage import StorageUnavailable, open_store
    from bot.storage.upkeep import note_backup

    store = await open_store(url)
    try:
        await store.run(note_backup, made, now)
    except StorageUnavailable:
        typer.echo("The copy is good; q64 status will not know of it, since the database cannot be written.", err=True)
    finally:
        await store.close()


# void


def void(round_id: Annotated[int, typer.Argument(metavar="ROUND", help="The number of the hand.")]) -> None:
    """Take a broken round back: malfunction voids all plays. Refused for a round that the audit finds sound."""
    from bot.refusals import NoSuchHand
    from bot.services.malfunction import SoundHand, TakenBack, VoidAlready, take_back
    from bot.storage import open_store

    url, now = settings().database_url, _now()

    async def work() -> TakenBack:
        store = await open_store(url)
        try:
            return await store.run(take_back, round_id, secret=secrets.token_bytes(_SECRET_BYTES), now=now)
        finally:
            await store.close()

    with sentences():
        try:
            taken = asyncio.run(work())
        except NoSuchHand:
            fail(f"There is no round {round_id}.")
        except VoidAlready:
            fail(f"Round {round_id} is void: it holds no chips.")
        except SoundHand:
            fail(f"Round {round_id} is sound: only a round that the audit proves broken can be voided.")
    for finding in taken.findings:
        typer.echo(str(finding))
    went = "came back to" if taken.chips >= 0 else "went back from"
    typer.echo(f"Round {round_id} is void: {abs(taken.chips)} chips {went} the player, whose board says so.")


# move


def move(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A file or an address.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="An empty one, of either kind.")],
) -> None:
    """Copy a whole database, SQLite to PostgreSQL or back; stop the bot first. The copy is audited."""
    from bot.storage.addresses import as_address, shown
    from bot.storage.move import NotEmpty, NotEqual, SameDatabase, count
    from bot.storage.move import move as copy_all

    old, new = as_address(source), as_address(target)
    with sentences():
        try:
            with progress("move", count(old)) as step:
                moved = copy_all(old, new, step=lambda _, rows: step(rows))
        except NotEmpty as error:
            fail(f"{shown(new)} is not empty (table {error.table}): choose another one. Nothing was changed.")
        except NotEqual as error:
            fail(f"Table {error.table} arrived other than it left: nothing was kept in {shown(new)}.")
        except SameDatabase:
            fail("FROM and TO are the same database.")
        _, found = _audited(new, say=True)
    if found:
        fail(f"{sum(moved.values()):,} rows were moved, but the audit of {shown(new)} has findings: do not use it.")
    typer.echo(f"{sum(moved.values()):,} rows moved to {shown(new)} and audited: set DATABASE_URL to it.")


# doctor and status


def doctor(as_json: Json = False) -> None:
    """Token, webhook, privacy mode, database, schema, languages: what is well, and what to do about the rest."""
    from bot import checkup, telemetry

    given = settings(as_json=as_json)
    telemetry.configure(given.log_format, secrets=given.secrets)
    lines = [*asyncio.run(checkup.telegram(given, _now())), *checkup.database(given), *checkup.languages()]
    failed = any(line.state is checkup.State.FAIL for line in lines)
    if as_json:
        typer.echo(json.dumps({"ok": not failed, "checks": [asdict(line) for line in lines]}))
    else:
        for line in lines:
            typer.echo(_line(line))
    if failed:
        raise typer.Exit(1)


def _line(line: Check) -> str:
    advice = f"\n      {'':10} -> {line.advice}" if line.advice else ""
    return f"{line.state:4}  {line.name:10} {line.said}{advice}"


def status(as_json: Json = False) -> None:
    """The database in figures: size, people, rounds in 24 hours, last update, last backup, ledger."""
    from bot.storage.addresses import shown
    from bot.storage.inspection import inspecting
    from bot.storage.upkeep import size_of
    from bot.storage.upkeep import status as figures

    url, now = settings(as_json=as_json).database_url, _now()
    with sentences(as_json=as_json), inspecting(url) as look:
        told = figures(look.tx, now - _DAY, size=size_of(url, look.tx))
    if as_json:
        typer.echo(json.dumps(asdict(told), default=lambda at: at.isoformat()))
        return
    for name, said in _figures(shown(url), told, now):
        typer.echo(f"{name:16} {said}")


def _figures(where: str, told: Status, now: datetime) -> Iterator[tuple[str, str]]:
    yield "database", f"{where}, {told.size / 2**20:,.1f} MiB"
    yield "people", f"{told.people:,} in {told.chats:,} chats, {told.seats:,} seats"
    yield "rounds", f"{told.rounds:,}, of them {told.rounds_24h:,} in 24 hours; {told.open_hands:,} wait for a decision"
    yield "last update", _ago(told.last_update, now)
    backup_file = f" ({told.last_backup_file})" if told.last_backup_file else ""
    yield "last backup", _ago(told.last_backup, now) + backup_file
    yield "ledger", "adds up to zero" if told.drift == 0 else f"is off by {told.drift} chips: q64 audit says where"


def _ago(at: datetime | None, now: datetime) -> str:
    if at is None:
        return "never"
    minutes = max(0, round((now - at) / timedelta(minutes=1)))
    if minutes < 120:
        return f"{minutes} minutes ago"
    return f"{minutes // 60} hours ago" if minutes < 48 * 60 else f"{minutes // (24 * 60)} days ago"
