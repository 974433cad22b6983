"""`/forget`: a person goes, the books stay."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from bot.facts import NOBODY, Board, Chat, Night, Round, Seat, Who
from bot.options import options_of, with_options
from bot.refusals import AlreadyDone, DeadKey
from bot.services import events, table
from bot.services.seating import HOUSE, round_account, seat_account
from bot.storage import Account, AccountKind, Entry, Tx
from core import odds, solo
from core.solo import Dealt

_BROKEN_OFF = "forgotten"  # why chips of a night moved to its score, which does not count


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What went with a person, and whose pictures change by that."""

    known: bool  # whether there was anything to forget
    boards: tuple[tuple[Board, Chat | None], ...] = ()  # alive until now, as they stood, and where
    tables: tuple[int, ...] = ()  # where the person sat; by id
    stale: tuple[int, ...] = ()  # boards of people whose chips came back by that; by id


def at_leisure(tx: Tx, who: Who) -> None:
    """
    A question of its own is asked and answered in its own message, in the private chat.

    :raises DeadKey: If the payload was made by hand and stands elsewhere, or in a board.
    """
    board = who.message_id is not None and tx.boards.at(who.chat_id, who.message_id)
    if who.chat_id != who.user_id or board:
        raise DeadKey


def forget(tx: Tx, who: Who, *, mark: int, chance: bytes, now: datetime) -> Forgotten:
    """
    Settle what is open, then leave nothing that tells whose it was; whoever comes back is somebody new.

    A hand in play is settled by the best play for its cards, as at a table (F128). Nights under way end without a
    score. *chance* is 32 bytes nobody can foresee: the nobodies that take the person's place follow from it.

    :raises AlreadyDone: If this tap was worked on before.
    :raises DeadKey: If the payload was made by hand and stands elsewhere, or in a board.
    """
    at_leisure(tx, who)
    if not tx.marks.first(mark, now=now):
        raise AlreadyDone
    seats = tx.seats.of(who.user_id)
    if tx.people.get(who.user_id) is None and not seats:
        return Forgotten(known=False)
    tables, stale = _up_from_tables(tx, seats, chance, now=now)
    seats = tx.seats.of(who.user_id)
    boards = [board for seat in seats if (board := _closed(tx, seat, now=now)) is not None]
    places = [tx.chats.get(board.chat_id) for board in boards]
    for seat in seats:
        events.leave_for_good(tx, seat, now=now)
    for chat in tx.chats.naming(who.user_id):
        tx.chats.put(with_options(chat, options_of(chat).without_person(who.user_id)))
    private = _nobody(chance, 0)
    nobodies = {seat.id: private if seat.chat_id == who.user_id else _nobody(chance, seat.id) for seat in seats}
    tx.people.forget(who.user_id, seats=nobodies, private=private)
    return Forgotten(known=True, boards=tuple(zip(boards, places, strict=True)), tables=tables, stale=stale)


def _up_from_tables(tx: Tx, seats: Iterable[Seat], chance: bytes, *, now: datetime) -> tuple[tuple[int, ...], ...]:
    """
    The tables that are left, and the boards of those whose chips that moves.

    A hand there goes on by the best play, and what comes back then belongs to nobody.
    """
    left: list[int] = []
    stale: list[int] = []
    for seat in seats:
        secret = hashlib.sha256(b"table" + chance + seat.id.to_bytes(8)).digest()
        told = table.gone(tx, seat.chat_id, seat.user_id, secret=secret, now=now)
        if told is not None:
            left.append(told.board.place.id)
            stale += told.stale
    return tuple(left), tuple(stale)


def _nobody(chance: bytes, seat_id: int) -> int:
    """A number that is nobody's; those of two seats of one person tell nothing of each other."""
    drawn = hashlib.sha256(chance + seat_id.to_bytes(8)).digest()
    return NOBODY - (int.from_bytes(drawn[:8]) >> 2)


def _closed(tx: Tx, seat: Seat, *, now: datetime) -> Board | None:
    """End what is under way at a seat; the board that was alive there."""
    night = tx.nights.get(seat.night_id) if seat.night_id is not None else None
    if night is not None:
        round_ = tx.rounds.get(seat.round_id) if seat.round_id is not None else None
        if round_ is not None:
            seat, night = _done(tx, seat, night, round_, now=now)
        _break_off(tx, seat, night, now=now)
    board = tx.boards.of_seat(seat.id)
    if board is not None:
        tx.boards.retire(board.id)
    return board


def _done(tx: Tx, seat: Seat, night: Night, round_: Round, *, now: datetime) -> tuple[Seat, Night]:
    """A dealt hand is played at its best; a round that was not dealt becomes void."""
    state = round_.state
    if not isinstance(state, Dealt):
        tx.rounds.void(round_, now=now)
        return seat, night
    settled = solo.decide(state, odds.hint(state.player, round_.rules).advice, round_.rules)
    back, need = solo.returned(settled), state.wager.need
    entries = (Entry(round_account(round_), -need), Entry(seat_account(seat), back), Entry(HOUSE, need - back))
    tx.ledger.move("settle", *entries, round_id=round_.id, now=now)
    tx.rounds.put(round_, state=settled, now=now)
    return replace(seat, chips=seat.chips + back), tx.nights.count_hand(night)


def _break_off(tx: Tx, seat: Seat, night: Night, *, now: datetime) -> None:
    score = Account(AccountKind.SCORE, night.id)
    tx.ledger.move(_BROKEN_OFF, Entry(seat_account(seat), -seat.chips), Entry(score, seat.chips), now=now)
    tx.nights.close(night, chips=seat.chips, ending=None, now=now)
    tx.seats.put(replace(seat, chips=0, night_id=None, round_id=None))
