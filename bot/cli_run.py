"""The command line itself, and commands that run something until they are told to stop: play, run, emulate."""

from __future__ import annotations

import asyncio
import webbrowser
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from bot.cli_serve import run, until_stopped
from bot.cli_terminal import fail, sentences

PLAY_PORT = 8064
EMULATOR_PORT = 8065


def register(app: typer.Typer) -> None:
    """Add the commands to *app*, and what it says without one."""
    app.callback(invoke_without_command=True)(q64)
    for command in (play, run, emulate):
        app.command(command.__name__)(command)


def q64(
    context: typer.Context,
    release: Annotated[bool, typer.Option("--version", help="Show the release and exit.")] = False,
) -> None:
    """Three Card Poker for Telegram chats: play money, exact odds, deals anyone can check."""
    if release:
        typer.echo(f"q64 {version('q64')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def play(
    port: Annotated[
        int, typer.Option(min=1, max=65535, help="Where the chat page is served on this computer.")
    ] = PLAY_PORT,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the chat page.")] = True,
    reset: Annotated[bool, typer.Option("--reset", help="Forget all earlier chats and chips.")] = False,
) -> None:
    """The playground: a chat page on this computer and the real bot against it; no token, no internet."""
    from bot.app import Refused
    from bot.app import play as play_here
    from bot.settings import BadSetting

    folder = Path(typer.get_app_dir("q64")) / "playground"
    with sentences():
        folder.mkdir(parents=True, exist_ok=True)
    try:
        until_stopped(lambda stop: play_here(folder, port=port, reset=reset, stop=stop, ready=_opened(browser)))
    except (Refused, BadSetting) as error:
        fail(str(error))
    except OSError as error:
        fail(f"Port {port} cannot be used ({error.strerror}). Try q64 play --port {port + 1}.")


def _opened(browser: bool) -> Callable[[str, Path], None]:
    def ready(url: str, folder: Path) -> None:
        typer.echo(f"The chat page is at {url}")
        typer.echo(f"Chats and chips are kept in {folder}; Ctrl+C ends, q64 play --reset forgets.")
        if browser:
            webbrowser.open(url)

    return ready


def emulate(
    port: Annotated[
        int, typer.Option(min=1, max=65535, help="Where Bot API and chat page are served on this computer.")
    ] = EMULATOR_PORT,
) -> None:
    """A strict local Bot API with a chat page and people, for bots of your own; kept in memory alone."""
    from bot.playground import LOCAL_TOKEN, World, serve
    from bot.playground.page import routes

    async def work(stop: asyncio.Event) -> None:
        async with await serve(World(), port=port, routes=routes()) as running:
            typer.echo(f"Bot API  {running.base_url}")
            typer.echo(f"Token    {LOCAL_TOKEN}")
            typer.echo(f"Chat page at {running.url}; Ctrl+C ends.")
            await stop.wait()

    try:
        until_stopped(work)
    except OSError as error:
        fail(f"Port {port} cannot be used ({error.strerror}). Try q64 emulate --port {port + 1}.")
