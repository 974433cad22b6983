"""Pages of a solo board, and how a night ends and another begins (SEL)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.facts import Board, Design, Ending, Face, Person, Round, Seat, SoloBoard, Tap, Verb, Who
from bot.refusals import AlreadyDone, DeadKey, HandInPlay, NotSeated
from bot.services import events
from bot.services.held import may_leave
from bot.services.places import left_behind, placed, seat_here
from bot.services.seating import (
    arrive,
    end_night,
    home_of,
    is_dealt,
    night_under_way,
    own_board,
    round_under_way,
    show,
    sit_down,
    value,
)
from bot.storage import Tx
from core.solo import Dealt

UNTOUCHED: Final[Mapping[Face, Face]] = {
    Face.FIRST: Face.FIRST,
    Face.HANDS: Face.FIRST,
    Face.WELCOME: Face.WELCOME,
    Face.WELCOME_HANDS: Face.WELCOME,
}
"""While bets are open, the page that such a page goes back to: no other betting board has the key Hands."""


def turn(tx: Tx, who: Who, tap: Tap, *, now: datetime) -> SoloBoard:
    """
    Change bet, Cash out (asks), Keep playing, Hands, Proof, Back: another page of the board; moves nothing.

    :raises AlreadyDone: For the first three, if the night is over.
    :raises HandInPlay: For the first two, while the cards are out.
    :raises NoCashOut, BetFixed, NotOpenYet: In an event, as its rules say.
    :raises NotYourBoard, DeadKey: As `own_board`.
    """
    board, seat = own_board(tx, who, tap, now=now)
    if seat.round_id is None and tap.verb in {Verb.CHANGE_BET, Verb.CASH_OUT, Verb.KEEP}:
        raise AlreadyDone
    _may_turn(tx, board, seat, tap)
    round_ = tx.rounds.get(seat.round_id) if seat.round_id is not None else None
    if is_dealt(round_) and tap.verb in {Verb.CHANGE_BET, Verb.CASH_OUT}:
        raise HandInPlay
    face, round_id = _page(tap, board, round_)
    return value(tx, show(tx, board, face=face, round_id=round_id), seat)


def _may_turn(tx: Tx, board: Board, seat: Seat, tap: Tap) -> None:
    """In an event nobody leaves before the end, fixed bets are not changed, and a secret of all opens for all."""
    match tap.verb:
        case Verb.CASH_OUT:
            events.to_the_end(tx, seat)
        case Verb.CHANGE_BET:
            events.own_bets(tx, seat)
        case Verb.PROOF:
            events.can_be_opened(tx, tx.rounds.get(board.round_id))


def _page(tap: Tap, board: Board, round_: Round | None) -> tuple[Face, int]:
    match tap.verb:
        case Verb.CHANGE_BET if round_ is not None:
            return Face.BET, round_.id
        case Verb.CASH_OUT:
            return Face.LEAVING, board.round_id
        case Verb.HANDS:
            welcomed = board.face in {Face.WELCOME, Face.WELCOME_HANDS}
            return Face.WELCOME_HANDS if welcomed else Face.HANDS, board.round_id
        case Verb.PROOF:
            return Face.PROOF, board.round_id
        case _:  # Keep playing, Back: the page that it came from, as the round on show looks by now
            betting_on = round_ is not None and board.round_id == round_.id and not is_dealt(round_)
            return UNTOUCHED.get(board.face, Face.BET) if betting_on else Face.CARDS, board.round_id


def design(tx: Tx, who: Who, tap: Tap, *, now: datetime) -> SoloBoard:
    """
    The next card design, on the first board of a night.

    :raises NotYourBoard, DeadKey: As `own_board`.
    """
    board, seat = own_board(tx, who, tap, now=now)
    person = tx.people.get(seat.user_id) or Person(id=seat.user_id)
    designs = tuple(Design)
    person = replace(person, design=designs[(designs.index(person.design) + 1) % len(designs)])
    tx.people.put(person)
    return value(tx, show(tx, board, face=board.face, round_id=board.round_id), seat, owner=person)


# The night's end, and another


def leave(tx: Tx, who: Who, tap: Tap, *, now: datetime) -> SoloBoard:
    """
    Cash out: the chips become the night's score (SEL).

    :raises AlreadyDone: If the night is over.
    :raises HandInPlay, ChipsAtTable: While a hand holds chips of this person.
    :raises NoCashOut: In an event.
    :raises NotYourBoard, DeadKey: As `own_board`.
    """
    board, seat = own_board(tx, who, tap, now=now)
    return _leave(tx, board, seat, now=now)


def cashout_command(tx: Tx, who: Who, *, update_id: int, now: datetime) -> SoloBoard:
    """
    `/cashout` typed: acts without asking.

    :raises NotSeated: Without a board or a night under way.
    :raises AlreadyDone: If this update was worked on before.
    :raises HandInPlay, ChipsAtTable, NoCashOut: As `leave`.
    """
    if not tx.marks.first(update_id, now=now):
        raise AlreadyDone
    arrive(tx, who, now=now)
    seat = seat_here(tx, who)
    board = tx.boards.of_seat(seat.id) if seat else None
    if seat is None or board is None or seat.night_id is None:
        raise NotSeated
    left = left_behind(tx, board, who)
    return replace(_leave(tx, placed(board, who, now=now), seat, now=now), left=left)


def _leave(tx: Tx, board: Board, seat: Seat, *, now: datetime) -> SoloBoard:
    if seat.night_id is None:
        raise AlreadyDone
    events.to_the_end(tx, seat)
    round_ = round_under_way(tx, seat)
    if isinstance(round_.state, Dealt):
        raise HandInPlay
    may_leave(tx, seat)
    seat, night = end_night(tx, seat, night_under_way(tx, seat), Ending.CASHED, now=now)
    shown = show(tx, board, face=Face.LEFT, round_id=round_.id)
    return value(tx, shown, seat, night=night)


def new_night(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> SoloBoard:
    """
    Deal: a new night, on the same board. A night that is already under way is shown as it is.

    :raises EventOver, DayPlayed, NoMoreNights: In an event that has no other night for this person.
    :raises DeadKey: In a group whose admins want every board in private: there `/deal` brings the door.
    :raises NotYourBoard, DeadKey: As `own_board`.
    """
    board, seat = own_board(tx, who, tap, now=now)
    person, _ = arrive(tx, who, now=now)
    home = home_of(tx, seat)
    if board.chat_id == home.id and not home.awake_boards:
        raise DeadKey
    if seat.night_id is None:
        events.may_sit_down(tx, seat, now=now)
        seat = sit_down(tx, seat, home, person, secret=secret, now=now)
    round_ = round_under_way(tx, seat)
    face = Face.CARDS if isinstance(round_.state, Dealt) else Face.FIRST
    return value(tx, show(tx, board, face=face, round_id=round_.id), seat, owner=person, chat=home)
