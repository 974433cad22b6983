"""
A process that keeps everything imported and gives birth to bots, so that killing one costs no new interpreter.

On each line of its input, `before N` or `after N` (the N-th COMMIT, 0 for none), it forks a bot as `q64 run` runs it, and
says `born PID`, `ready`, and `dead STATUS` when it has gone. Only tests run this.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from typing import Any

import telegram.ext  # noqa: F401 - to be there already in every child

from bot.app import serve
from bot.cli_serve import until_stopped
from bot.painter import Limits
from bot.settings import read_settings
from bot.storage import migrate
from bot.storage.sqlite import Writer

QUICK = Limits(gap=0.02, group_burst=3, group_minute=2_000, betting_gap=0.1, calm_gap=0.5)  # so that calls are many


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


class DeadlyCursor:
    """The writer's cursor; the process is gone just before or just after a certain COMMIT."""

    def __init__(self, cursor: sqlite3.Cursor, when: str, number: int) -> None:
        self._cursor = cursor
        self._when = when
        self._left = number

    def execute(self, sql: str, *parameters: Any) -> object:
        self._left -= sql == "COMMIT"
        deadly = sql == "COMMIT" and self._left == 0
        if deadly and self._when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done = self._cursor.execute(sql, *parameters)
        if deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return done


def arm(when: str, number: int) -> None:
    born = Writer.__init__

    def init(self: Writer, raw: sqlite3.Connection) -> None:
        born(self, raw)
        self._cursor = DeadlyCursor(self._cursor, when, number)  # type: ignore[assignment]

    Writer.__init__ = init  # type: ignore[method-assign]


def live(when: str, number: int) -> None:
    if number:
        arm(when, number)
    until_stopped(lambda stop: serve(read_settings(), stop=stop, ready=lambda _: say("ready"), limits=QUICK))


def main() -> None:
    migrate(read_settings().database_url)
    say("here")
    for line in sys.stdin:
        when, number = line.split()
        child = os.fork()
        if child == 0:
            try:
                live(when, int(number))
            finally:
                os._exit(0)
        say("born", child)
        say("dead", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


if __name__ == "__main__":
    main()
