"""The console script `q64`: what needs only the game starts at once; every other command imports what it needs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bot.cli_plain import quick

if TYPE_CHECKING:
    import typer


def main() -> None:
    """Run the command line; plain calls of the game's commands do without typer, which is slow to start."""
    status = quick(sys.argv[1:])
    if status is not None:
        sys.exit(status)
    command_line()()


def command_line() -> typer.Typer:
    """All commands."""
    import typer

    from bot import cli_game, cli_keep, cli_run

    app = typer.Typer(
        name="q64",
        help="Three Card Poker for Telegram chats: play money, exact odds, deals anyone can check.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    cli_run.register(app)
    cli_keep.register(app)
    cli_game.register(app)
    return app
