"""The console script `q64`: what is asked for often starts at once; every other command imports what it needs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bot.cli_plain import quick

if TYPE_CHECKING:
    import typer


def main() -> None:
    """Run the command line; the bot itself and plain calls of the game's commands do without typer, slow to start."""
    if sys.argv[1:] == ["run"]:
        from bot.cli_serve import run

        run()
        return
    status = quick(sys.argv[1:])
    if status is not None:
        sys.exit(status)
    command_line()()


def command_line() -> typer.Typer:
    """All commands."""
    import typer

    from bot import cli_game, cli_keep, cli_run

    app = typer.Typer(name="q64", add_completion=False, pretty_exceptions_enable=False)
    cli_run.register(app)
    cli_keep.register(app)
    cli_game.register(app)
    return app
