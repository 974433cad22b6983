"""Into an event and out of it: sitting down at one's seat there, and the end that comes for all at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from bot.facts import Board, Ending, Event, Face, Person, Seat, SoloBoard, Who
from bot.services import events
from bot.services.places import placed
from bot.services.seating import end_night, played_out, round_account, seat_account, show, sit_down, value
from bot.storage import Entry, Tx
from core.solo import Dealt, held


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """A person's board in an event, in the private chat; boards of earlier events let go of their keys."""

    board: SoloBoard
    retired: tuple[Board, ...] = ()


def come(tx: Tx, event: Event, person: Person, who: Who, *, secret: bytes, now: datetime) -> Came:
    """
    The person's board in an event comes down in the private chat; the first night there begins by that.

    :raises EventOver: If the event is.
    """
    events.in_time(event, now)
    seat = tx.seats.open(_place(tx, event, now=now), person.id, now=now)
    if seat.night_id is None and not tx.nights.of(seat.id):
        events.may_sit_down(tx, seat, now=now)
        home = tx.chats.get(event.place)
        assert home is not None  # noqa: S101 - made above
        seat = sit_down(tx, seat, home, person, secret=secret, now=now)
    retired = _retired(tx, seat)
    board = tx.boards.of_seat(seat.id)
    round_id = _round_on_show(tx, seat, board)
    round_ = tx.rounds.get(round_id)
    untouched = board is None or (board.face is Face.FIRST and board.round_id == round_id)
    first = untouched and not played_out(seat)
    face = Face.CARDS if round_ is not None and (isinstance(round_.state, Dealt) or played_out(seat)) else Face.BET
    face = Face.FIRST if first or (event.fixed and face is Face.BET) else face
    if board is None:
        board = tx.boards.open(
            seat_id=seat.id, face=face, round_id=round_id, chat_id=who.chat_id, thread_id=who.thread_id, now=now
        )
    shown = show(tx, placed(board, who, now=now), face=face, round_id=round_id)
    return Came(board=value(tx, shown, seat, owner=person), retired=retired)


def _round_on_show(tx: Tx, seat: Seat, board: Board | None) -> int:
    """The round that waits; between two nights the latest one, also where another event has retired the board."""
    if seat.round_id is not None:
        return seat.round_id
    if board is not None:
        return board.round_id
    latest = tx.rounds.latest_settled(seat.id)
    if latest is None:
        raise LookupError(seat.id)
    return latest.id


def _place(tx: Tx, event: Event, *, now: datetime) -> int:
    """The chat that is the event's place, with the rules of the event."""
    if tx.chats.get(event.place) is None:
        group = tx.chats.get(event.chat_id) if event.chat_id is not None else None
        chat = tx.chats.seen(event.place, kind="event", title=group.title if group else "", now=now)
        zone = group.time_zone if group else chat.time_zone
        tx.chats.put(replace(chat, rules=event.rules, time_zone=zone))
    return event.place


def _retired(tx: Tx, seat: Seat) -> tuple[Board, ...]:
    """The person's boards of other events that are played to the end: from now on without keys."""
    old: list[Board] = []
    for board in tx.boards.all_at(seat.user_id):
        other = tx.seats.get(board.seat_id)
        if other is not None and other.id != seat.id and played_out(other):
            tx.boards.retire(board.id)
            old.append(board)
    return tuple(old)


def end_all(tx: Tx, event: Event, *, now: datetime) -> tuple[int, ...]:
    """
    Nights under way end as they stand: what a dealt hand holds goes back, and the hand is void.

    The boards whose picture changed by that.
    """
    changed: list[int] = []
    for seat_id in tx.events.seated(event.place):
        seat = tx.seats.get(seat_id)
        night = tx.nights.get(seat.night_id) if seat and seat.night_id is not None else None
        if seat is None or night is None:
            continue
        seat, night = end_night(tx, _given_back(tx, seat, now=now), night, Ending.CASHED, now=now)
        board = tx.boards.of_seat(seat.id)
        if board is not None:
            changed.append(show(tx, board, face=Face.LEFT, round_id=board.round_id).id)
    return tuple(changed)


def _given_back(tx: Tx, seat: Seat, *, now: datetime) -> Seat:
    round_ = tx.rounds.get(seat.round_id) if seat.round_id is not None else None
    chips = held(round_.state) if round_ is not None else 0
    if round_ is None or not chips:
        return seat
    entries = Entry(round_account(round_), -chips), Entry(seat_account(seat), chips)
    tx.ledger.move("returned", *entries, round_id=round_.id, now=now)
    return replace(seat, chips=seat.chips + chips)
