"""The contract of a transaction towards the shelves, so that they need not know who runs their SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from bot.storage.bests import Bests
    from bot.storage.chats import Chats
    from bot.storage.ledger import Ledger
    from bot.storage.rounds import Rounds
    from bot.storage.rule_sets import RuleSets
    from bot.storage.table_hands import TableHands
    from bot.storage.tables import Tables


class Row(Protocol):
    """A row by column names."""

    def __getitem__(self, column: str, /) -> Any: ...


class Sql(Protocol):
    """A transaction as a shelf sees it: four ways to say SQL, and the few shelves that others lean on."""

    def execute(self, sql: str, **params: object) -> int: ...
    def insert(self, sql: str, **params: object) -> int: ...
    def row(self, sql: str, **params: object) -> Row | None: ...
    def rows(self, sql: str, **params: object) -> list[Row]: ...

    @property
    def rule_sets(self) -> RuleSets: ...
    @property
    def chats(self) -> Chats: ...
    @property
    def rounds(self) -> Rounds: ...
    @property
    def tables(self) -> Tables: ...
    @property
    def bests(self) -> Bests: ...
    @property
    def table_hands(self) -> TableHands: ...
    @property
    def ledger(self) -> Ledger: ...


def one(row: Row | None) -> Row:
    """The row that a statement with RETURNING always gives."""
    if row is None:
        raise LookupError("the statement returned no row")
    return row
