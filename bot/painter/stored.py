"""The painter's outbox over the store."""

from __future__ import annotations

from collections.abc import Mapping

from bot.storage.store import Store
from bot.storage.tx import Tx


class StoredPictures:
    """Each call is one transaction, and many that wait together share a commit."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def sent(self, board: int, *, chat_id: int, message_id: int, version: int) -> bool:
        return await self._store.run(_sent, board, chat_id, message_id, version)

    async def painted(self, versions: Mapping[int, int]) -> None:
        await self._store.run(_painted, versions)

    async def keys_taken(self, board: int, message_id: int) -> None:
        await self._store.run(_keys_taken, board, message_id)

    async def lives(self, chat_id: int, message_id: int) -> bool:
        return await self._store.read(_lives, chat_id, message_id)


def _sent(tx: Tx, board: int, chat_id: int, message_id: int, version: int) -> bool:
    return tx.messages.sent(board, chat_id=chat_id, message_id=message_id, version=version)


def _lives(tx: Tx, chat_id: int, message_id: int) -> bool:
    return tx.messages.lives(chat_id, message_id)


def _painted(tx: Tx, versions: Mapping[int, int]) -> None:
    tx.messages.painted(versions)


def _keys_taken(tx: Tx, board: int, message_id: int) -> None:
    tx.messages.keys_taken(board, message_id)
