"""`q64 run` itself, without typer, which would be a sixth of the time to the first poll."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable, Coroutine
from typing import Any

from bot.cli_terminal import fail, settings

Work = Callable[[asyncio.Event], Coroutine[Any, Any, None]]


def run() -> None:
    """The bot: polling, or a webhook if WEBHOOK_URL is set."""
    gc.disable()  # nothing that is imported here goes again; the bot lets the collector begin when it is there
    from bot.app import Refused, serve

    given = settings()
    try:
        until_stopped(lambda stop: serve(given, stop=stop, ready=lambda line: print(line, flush=True)))
    except Refused as error:
        fail(str(error))


def until_stopped(work: Work) -> None:
    """Run *work* until it ends or the process is told to stop; a second signal ends it at once."""

    async def main() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()

        def stopping() -> None:
            stop.set()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)

        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stopping)
        await work(stop)

    asyncio.run(main())
