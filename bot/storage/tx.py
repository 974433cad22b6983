"""One transaction as the use cases see it: the shelves of the database, and for the shelves four ways to say SQL."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol

from bot.storage.bests import Bests
from bot.storage.boards import Boards
from bot.storage.chats import Chats
from bot.storage.errors import Conflict
from bot.storage.events import Events
from bot.storage.lanes import Lanes
from bot.storage.ledger import Ledger
from bot.storage.marks import Marks
from bot.storage.messages import Messages
from bot.storage.nights import Nights
from bot.storage.people import People
from bot.storage.posts import Posts
from bot.storage.records import Records
from bot.storage.rounds import Rounds
from bot.storage.rule_sets import RuleSets
from bot.storage.scores import Scores
from bot.storage.seasons import Seasons
from bot.storage.seats import Seats
from bot.storage.sql import Row, one
from bot.storage.table_hands import TableHands
from bot.storage.tables import Tables
from bot.storage.timers import Timers


class Cursor(Protocol):
    """What both drivers' cursors have in common."""

    @property
    def rowcount(self) -> int: ...
    def execute(self, sql: str, parameters: Any, /) -> object: ...
    def fetchall(self) -> list[Any]: ...


class Tx:
    """
    A transaction under way; valid inside the use case only.

    A broken constraint is raised as Conflict. Other driver errors pass through it unchanged: the store turns them into
    StorageUnavailable after it has tried again.
    """

    def __init__(
        self,
        cursor: Cursor,
        *,
        broken_constraint: type[Exception],
        text: Callable[[str], str] | None = None,
        last_id: Callable[[], int | None] | None = None,
    ) -> None:
        self._cursor = cursor
        self._broken_constraint = broken_constraint
        self._text = text
        self._last_id = last_id

    def execute(self, sql: str, **params: object) -> int:
        """Run a statement that returns no rows; the number of rows it changed."""
        self._say(sql, params)
        return self._cursor.rowcount

    def insert(self, sql: str, **params: object) -> int:
        """Run an INSERT of one row; its id."""
        if self._last_id is None:
            return int(one(self.row(f"{sql} RETURNING id", **params))["id"])
        self._say(sql, params)
        return self._last_id() or 0  # SQLite knows it anyway; asked to return it, it takes four times as long

    def row(self, sql: str, **params: object) -> Row | None:
        """The first row, or None."""
        found = self.rows(sql, **params)
        return found[0] if found else None

    def rows(self, sql: str, **params: object) -> list[Row]:
        """All rows. They are always fetched to the end: an open statement would hold up the commit."""
        self._say(sql, params)
        return self._cursor.fetchall()

    def _say(self, sql: str, params: dict[str, object]) -> None:
        try:
            self._cursor.execute(sql if self._text is None else self._text(sql), params)
        except self._broken_constraint as broken:
            raise Conflict(str(broken).partition("\n")[0]) from broken

    @cached_property
    def rule_sets(self) -> RuleSets:
        return RuleSets(self)

    @cached_property
    def people(self) -> People:
        return People(self)

    @cached_property
    def chats(self) -> Chats:
        return Chats(self)

    @cached_property
    def seats(self) -> Seats:
        return Seats(self)

    @cached_property
    def nights(self) -> Nights:
        return Nights(self)

    @cached_property
    def rounds(self) -> Rounds:
        return Rounds(self)

    @cached_property
    def ledger(self) -> Ledger:
        return Ledger(self)

    @cached_property
    def boards(self) -> Boards:
        return Boards(self)

    @cached_property
    def messages(self) -> Messages:
        return Messages(self)

    @cached_property
    def lanes(self) -> Lanes:
        return Lanes(self)

    @cached_property
    def marks(self) -> Marks:
        return Marks(self)

    @cached_property
    def timers(self) -> Timers:
        return Timers(self)

    @cached_property
    def posts(self) -> Posts:
        return Posts(self)

    @cached_property
    def scores(self) -> Scores:
        return Scores(self)

    @cached_property
    def bests(self) -> Bests:
        return Bests(self)

    @cached_property
    def records(self) -> Records:
        return Records(self)

    @cached_property
    def tables(self) -> Tables:
        return Tables(self)

    @cached_property
    def table_hands(self) -> TableHands:
        return TableHands(self)

    @cached_property
    def events(self) -> Events:
        return Events(self)

    @cached_property
    def seasons(self) -> Seasons:
        return Seasons(self)
