"""The lanes over the store: this process under a number of its own."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.painter.leases import Exchange, Given
from bot.storage.store import Store
from bot.storage.tx import Tx


class StoredLeases:
    """Nothing of this has to survive a power cut: lanes are asked for again, marks cost a "not modified"."""

    def __init__(self, store: Store, me: int) -> None:
        self._store = store
        self._me = me

    async def exchange(self, what: Exchange, *, now: float, lease: float) -> Given:
        return await self._store.jot(_exchange, self._me, what, datetime.fromtimestamp(now, UTC), lease)


def _exchange(tx: Tx, me: int, what: Exchange, now: datetime, lease: float) -> Given:
    tx.messages.painted_at_once(what.painted)
    tx.lanes.leave(me, what.left)
    accounts = tx.lanes.take(me, what.asked, now=now, lease=lease) if what.asked else {}
    boards = {board for chat_id in accounts for board in what.asked[chat_id]}
    return Given(accounts=accounts, standings=tx.messages.standings(boards))
