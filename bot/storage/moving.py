"""Seats of a chat that moved: F01, one person who sat in both ids of it."""

from __future__ import annotations

from datetime import datetime

from bot.storage.instants import to_ms
from bot.storage.ledger import Account, AccountKind, Entry
from bot.storage.sql import Row, Sql


def move_seats(tx: Sql, old: int, new: int, now: datetime) -> None:
    """Key the seats of *old* by *new*; where both have one of the same person, the older wins and the newer is left."""
    pairs = tx.rows(
        "SELECT a.id AS old_id, b.id AS new_id FROM seats a JOIN seats b ON b.user_id = a.user_id AND b.chat_id = :new"
        " WHERE a.chat_id = :old ORDER BY a.id",
        old=old,
        new=new,
    )
    for pair in pairs:
        _give_back(tx, max(pair["old_id"], pair["new_id"]), now)
        if pair["old_id"] < pair["new_id"]:
            _swap(tx, pair, old, new)
    left = {max(pair["old_id"], pair["new_id"]) for pair in pairs}
    for seat in tx.rows("SELECT id FROM seats WHERE chat_id = :old", old=old):
        if seat["id"] not in left:
            tx.execute("UPDATE seats SET chat_id = :new WHERE id = :id", id=seat["id"], new=new)


def _swap(tx: Sql, pair: Row, old: int, new: int) -> None:
    """The older seat takes the newer one's place; a place for one only, so by way of a chat that does not exist."""
    tx.execute("UPDATE seats SET chat_id = 0 WHERE id = :id", id=pair["new_id"])
    tx.execute("UPDATE seats SET chat_id = :new WHERE id = :id", id=pair["old_id"], new=new)
    tx.execute("UPDATE seats SET chat_id = :old WHERE id = :id", id=pair["new_id"], old=old)


def _give_back(tx: Sql, seat_id: int, now: datetime) -> None:
    """Empty a seat: free and held chips go to the mint, round, night and board end without a score."""
    seat = tx.rows("SELECT chips FROM seats WHERE id = :id", id=seat_id)[0]
    _to_mint(tx, Account(AccountKind.SEAT, seat_id), seat["chips"], now)
    for round_ in tx.rows(
        "SELECT id FROM rounds WHERE seat_id = :seat AND phase <> 'settled' AND void = 0", seat=seat_id
    ):
        account = Account(AccountKind.ROUND, round_["id"])
        _to_mint(tx, account, tx.ledger.balance(account), now)
        tx.execute(
            "UPDATE rounds SET void = 1, voided = :now, version = version + 1 WHERE id = :id",
            id=round_["id"],
            now=to_ms(now),
        )
    tx.execute(
        "UPDATE nights SET closed = :now, chips = 0 WHERE seat_id = :seat AND closed IS NULL",
        seat=seat_id,
        now=to_ms(now),
    )
    tx.execute("UPDATE seats SET night_id = NULL, round_id = NULL WHERE id = :id", id=seat_id)
    tx.execute("UPDATE boards SET retired = 1, painted = wanted WHERE seat_id = :seat AND retired = 0", seat=seat_id)


def _to_mint(tx: Sql, account: Account, chips: int, now: datetime) -> None:
    tx.ledger.move("moved", Entry(account, -chips), Entry(Account(AccountKind.MINT), chips), now=now)
