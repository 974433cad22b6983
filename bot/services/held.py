"""What else holds a person's chips: a night is not over, and cannot be left, while a table has some of them."""

from __future__ import annotations

from bot.facts import Seat
from bot.refusals import ChipsAtTable
from bot.storage import Tx
from core import solo
from core.table import held


def at_table(tx: Tx, seat: Seat) -> int:
    """Chips of a seat that the table of its chat holds: bets with their cover, or the bank."""
    place = tx.tables.live(seat.chat_id)
    return held(place.table, seat.id) if place is not None else 0


def in_solo_hand(tx: Tx, seat: Seat) -> int:
    """Chips of a seat that its own hand against the house holds."""
    round_ = tx.rounds.get(seat.round_id) if seat.round_id is not None else None
    return solo.held(round_.state) if round_ is not None else 0


def may_leave(tx: Tx, seat: Seat) -> None:
    """
    Whether the night may end now.

    :raises ChipsAtTable: While the table holds chips of this person.
    """
    if at_table(tx, seat):
        raise ChipsAtTable
