"""Commands that run and keep the bot: play, run, migrate, backup."""

from __future__ import annotations

import asyncio
import signal
import webbrowser
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from bot.settings import Settings

PLAY_PORT = 8064


def register(app: typer.Typer) -> None:
    """Add the commands to *app*."""
    for command in (play, run, migrate, backup):
        app.command(command.__name__)(command)


def play(
    port: Annotated[int, typer.Option(help="Where the chat page is served on this computer.")] = PLAY_PORT,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the chat page.")] = True,
    reset: Annotated[bool, typer.Option("--reset", help="Forget all earlier chats and chips.")] = False,
) -> None:
    """The playground: a chat page on this computer and the real bot against it; no token, no internet."""
    from bot.app import play as play_here

    folder = Path(typer.get_app_dir("q64")) / "playground"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _until_stopped(lambda stop: play_here(folder, port=port, reset=reset, stop=stop, ready=_opened(browser)))
    except OSError as error:
        _fail(f"Port {port} cannot be used ({error.strerror}). Try q64 play --port {port + 1}.")


def _opened(browser: bool) -> Any:
    def ready(url: str, folder: Path) -> None:
        typer.echo(f"The chat page is at {url}")
        typer.echo(f"Chats and chips are kept in {folder}; Ctrl+C ends, q64 play --reset forgets.")
        if browser:
            webbrowser.open(url)

    return ready


def run() -> None:
    """The bot: polling, or a webhook if WEBHOOK_URL is set."""
    from bot.app import Refused, serve

    settings = _settings()
    try:
        _until_stopped(lambda stop: serve(settings, stop=stop, ready=typer.echo))
    except Refused as error:
        _fail(str(error))


def migrate() -> None:
    """Bring the database to the schema of this release."""
    from bot.storage import StorageUnavailable
    from bot.storage import migrate as migrate_database

    try:
        typer.echo(migrate_database(_settings().database_url))
    except StorageUnavailable as error:
        _fail(f"The database cannot be used: {error}")


def backup(file: Annotated[Path, typer.Argument(help="The copy to be written.")]) -> None:
    """A consistent copy of the database, opened and checked before it counts."""
    from bot.storage import StorageUnavailable
    from bot.storage.upkeep import backup as copy

    try:
        copy(_settings().database_url, file)
    except (StorageUnavailable, OSError) as error:
        _fail(f"No backup was made: {error}")
    typer.echo(f"Copied and checked: {file}")


def _settings() -> Settings:
    from bot.settings import BadSetting, read_settings

    try:
        return read_settings()
    except BadSetting as error:
        _fail(str(error))


def _until_stopped(work: Any) -> None:
    """Run *work* until it ends or the process is told to stop; a second signal ends it at once."""

    async def main() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        job: Coroutine[Any, Any, None] = work(stop)
        await job

    asyncio.run(main())


def _fail(sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(1)
