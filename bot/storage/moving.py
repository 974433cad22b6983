"""Seats and the table of a chat that moved: F01, one person who sat, or two tables that stood, in both ids of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.storage.instants import to_ms
from bot.storage.ledger import Account, AccountKind, Entry
from bot.storage.sql import Row, Sql
from bot.tables import GroupTable
from core.table import Betting, Closed, Deciding, Ended, stakes_of


def move_tables(tx: Sql, old: int, new: int, now: datetime) -> None:
    """
    Key the tables of *old* by *new*, before the seats move; of two live ones the older wins, the newer is broken up.

    The messages of the old group have other numbers in the new one, and its topics are not there.
    """
    both = [table for table in (tx.tables.live(old), tx.tables.live(new)) if table is not None]
    if len(both) > 1:
        _break_up(tx, max(both, key=lambda table: table.id), now)
    tx.execute(
        "UPDATE tables SET chat_id = :new, thread_id = NULL, message_id = NULL, old_message_id = NULL,"
        " wanted = wanted + 1 WHERE chat_id = :old",
        old=old,
        new=new,
    )


def _break_up(tx: Sql, place: GroupTable, now: datetime) -> None:
    """End a table at once, whatever its stage: all that it holds goes back, its hand is void."""
    stage = place.table.stage
    if isinstance(stage, Betting | Closed | Deciding):
        bets = stage.ready if isinstance(stage, Betting) else stage.bets if isinstance(stage, Closed) else stage.players
        for seat_id, chips in stakes_of(stage.bank, bets):
            kind = AccountKind.BANK if seat_id == stage.bank.user else AccountKind.ROUND
            lines = Entry(Account(kind, place.round_id), -chips), Entry(Account(AccountKind.SEAT, seat_id), chips)
            tx.ledger.move("table_returned", *lines, round_id=place.round_id, now=now)
    tx.tables.void(place.round_id, now=now)
    tx.tables.put(replace(place, table=replace(place.table, seats=(), stage=Ended())), now=now)


# Whatever both ids have already stays as the old chat had it.
_EVENTS = (
    """
    UPDATE events SET slot = :new WHERE slot = :old AND NOT EXISTS (SELECT 1 FROM events e WHERE e.slot = :new)
    """,
    "UPDATE events SET chat_id = :new WHERE chat_id = :old",
    """
    DELETE FROM event_boards WHERE chat_id = :new
    AND event_id IN (SELECT event_id FROM event_boards WHERE chat_id = :old)
    """,
    """
    UPDATE event_boards SET chat_id = :new, thread_id = NULL, message_id = NULL, old_message_id = NULL
    WHERE chat_id = :old
    """,
    """
    DELETE FROM champions WHERE chat_id = :new AND EXISTS
    (SELECT 1 FROM champions c WHERE c.chat_id = :old AND c.month = champions.month AND c.user_id = champions.user_id)
    """,
    "UPDATE champions SET chat_id = :new WHERE chat_id = :old",
    """
    DELETE FROM timers WHERE subject = :new
    AND EXISTS (SELECT 1 FROM timers t WHERE t.subject = :old AND t.kind = timers.kind)
    """,
    "UPDATE timers SET subject = :new WHERE subject = :old",  # only timers about chats have numbers below zero
)


def move_events(tx: Sql, old: int, new: int) -> None:
    """Key contests, their messages, champions and timers of *old* by *new*."""
    for step in _EVENTS:
        tx.execute(step, old=old, new=new)


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
