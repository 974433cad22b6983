"""The painter's outbox over the store."""

from __future__ import annotations

from collections.abc import Mapping

from bot.storage.events import event_board_id
from bot.storage.store import Store
from bot.storage.tx import Tx
from bot.tables import table_of


class StoredPictures:
    """Each call is one transaction, and many that wait together share a commit."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def sent(self, board: int, *, message_id: int, version: int) -> None:
        await self._store.run(_sent, board, message_id, version)

    async def painted(self, versions: Mapping[int, int]) -> None:
        await self._store.run(_painted, versions)

    async def keys_taken(self, board: int, message_id: int) -> None:
        await self._store.run(_keys_taken, board, message_id)


def _sent(tx: Tx, board: int, message_id: int, version: int) -> None:
    if (event := event_board_id(board)) is not None:
        tx.events.sent(event, message_id=message_id, version=version)
    elif (table := table_of(board)) is not None:
        tx.tables.sent(table, message_id=message_id, version=version)
    else:
        tx.boards.sent(board, message_id=message_id, version=version)


def _painted(tx: Tx, versions: Mapping[int, int]) -> None:
    tx.boards.painted({board: version for board, version in versions.items() if board > 0})
    events = {event_board_id(board): version for board, version in versions.items()}
    tx.events.painted({event: version for event, version in events.items() if event is not None})
    tables = {table_of(board): version for board, version in versions.items() if event_board_id(board) is None}
    tx.tables.painted({table: version for table, version in tables.items() if table is not None})


def _keys_taken(tx: Tx, board: int, message_id: int) -> None:
    if (event := event_board_id(board)) is not None:
        tx.events.keys_taken(event, message_id)
    elif (table := table_of(board)) is not None:
        tx.tables.keys_taken(table, message_id)
    else:
        tx.boards.keys_taken(board, message_id)
