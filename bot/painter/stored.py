"""The painter's outbox over the store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from bot.storage.lanes import shelf_of
from bot.storage.store import Store
from bot.storage.tx import Tx


class Shelf(Protocol):
    """Where one kind of board is stored."""

    def sent(self, number: int, /, *, message_id: int, version: int) -> None: ...

    def painted(self, versions: Mapping[int, int], /) -> None: ...

    def keys_taken(self, number: int, message_id: int, /) -> None: ...


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


def _shelf(tx: Tx, board: int) -> tuple[Shelf, int]:
    name, number = shelf_of(board)
    shelves: dict[str, Shelf] = {"boards": tx.boards, "tables": tx.tables, "event_boards": tx.events}
    return shelves[name], number


def _sent(tx: Tx, board: int, message_id: int, version: int) -> None:
    shelf, number = _shelf(tx, board)
    shelf.sent(number, message_id=message_id, version=version)


def _painted(tx: Tx, versions: Mapping[int, int]) -> None:
    for board, version in versions.items():
        shelf, number = _shelf(tx, board)
        shelf.painted({number: version})


def _keys_taken(tx: Tx, board: int, message_id: int) -> None:
    shelf, number = _shelf(tx, board)
    shelf.keys_taken(number, message_id)
