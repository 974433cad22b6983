"""Seat and place are two things (BOARDS section 2): where a seat's board stands, and how it goes elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.facts import Board, Chat, Face, Seat, SoloBoard, Tap, Who
from bot.refusals import AlreadyDone, DeadKey, NotYourDoor
from bot.services.manners import no_board
from bot.services.seating import (
    arrive,
    board_here,
    near,
    own_board,
    played_out,
    show,
    tables_at,
    value,
)
from bot.storage import Tx
from core.solo import Betting

AWAKE = timedelta(minutes=1)  # a board is awake that long after a tap


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A board in the private chat, and the group's message that it left; that one is changed by whoever asked."""

    board: SoloBoard
    left_chat: int
    left_message: int | None = None


def seat_here(tx: Tx, who: Who) -> Seat | None:
    """The seat that words are about: in a group one's own, in private the one whose board was used there last."""
    if who.chat_kind == "private":
        seat = _latest(tx, who.chat_id)
        if seat is not None and seat.user_id == who.user_id:
            return seat
    return tx.seats.at(who.chat_id, who.user_id)


def _latest(tx: Tx, chat_id: int) -> Seat | None:
    """The seat whose board was tapped there last; not that of an event that is played to the end."""
    board = tx.boards.latest_at(chat_id)
    seat = tx.seats.get(board.seat_id) if board else None
    if seat is None or not played_out(seat):
        return seat
    there = [(board.tapped is not None, board.tapped, board.id, seat) for board, seat in tables_at(tx, chat_id)]
    return max(there, key=lambda each: each[:3])[3] if there else None


def placed(board: Board, who: Who, *, now: datetime) -> Board:
    """The board where the person can see it: in private always below, in a group only if it is far up."""
    same_chat = board.chat_id == who.chat_id
    if same_chat and near(board.message_id, who) and who.chat_kind != "private":
        return replace(board, tapped=now)
    return replace(
        board,
        chat_id=who.chat_id,
        thread_id=who.thread_id,
        message_id=None,
        old_message_id=(board.message_id or board.old_message_id) if same_chat else None,
        tapped=now,
    )


def left_behind(tx: Tx, board: Board | None, who: Who) -> tuple[tuple[int, int], ...]:
    """
    The messages that show nothing any more when a board comes to another chat (BOARDS section 2: the old keys go).

    The one in which it stood, and the one in the group that said where it is played.
    """
    if board is None or board.chat_id == who.chat_id:
        return ()
    stood = [(board.chat_id, board.message_id)] if board.message_id is not None else []
    told = tx.posts.place(_away_of(board.seat_id))
    return (*stood, *((told,) if told is not None else ()))


def _away_of(seat_id: int) -> str:
    """The post that is the group’s message while the board of a seat is away."""
    return f"away:{seat_id}"


def crowded(tx: Tx, board: Board | None, chat: Chat, *, now: datetime) -> bool:
    """Whether a board would be one too many awake in this group; an awake one of one's own stays."""
    if chat.private:
        return False
    own = board if board is not None and board.chat_id == chat.id and _awake(board, now) else None
    if own is not None and own.face is not Face.DOOR and chat.awake_boards:
        return False
    others = tx.boards.awake(chat.id, now - AWAKE) - (own is not None)
    return others >= chat.awake_boards


def _awake(board: Board, now: datetime) -> bool:
    return board.tapped is not None and now - board.tapped <= AWAKE


def play_here(tx: Tx, who: Who, tap: Tap, *, now: datetime) -> SoloBoard:
    """
    Play it here: the board opens where it was offered the private chat.

    :raises DeadKey: Where the admins want every board in private, as `own_board`.
    """
    board, seat = own_board(tx, who, tap, now=now)
    return value(tx, _opened(tx, board), seat)


def seat_of_door(tx: Tx, who: Who, code: str) -> Seat:
    """
    The seat that a door leads to; the door is bound to its person.

    :raises NotYourDoor: For anybody else, and for a code that no seat has.
    """
    seat = tx.seats.by_door(code)
    if seat is None or seat.user_id != who.user_id:
        raise NotYourDoor
    return seat


def enter(tx: Tx, who: Who, code: str, *, update_id: int, now: datetime) -> Moved:
    """
    Through the door: the same seat, its board now in the private chat; the group's message lets go of it.

    :raises NotYourDoor: For anybody else, for a code that no seat has, and for a seat whose board is gone.
    :raises AlreadyDone: If this update was worked on before.
    """
    if not tx.marks.first(update_id, now=now):
        raise AlreadyDone
    person, _ = arrive(tx, who, now=now)
    if not person.private:
        tx.people.put(replace(person, private=True))
    seat = seat_of_door(tx, who, code)
    board = tx.boards.of_seat(seat.id)
    if board is None:
        raise NotYourDoor
    left = board.message_id if board.chat_id != who.chat_id else None
    if left is not None:
        tx.posts.add(_away_of(board.seat_id), board.chat_id, board.thread_id, "", now=now)
        tx.posts.sent(_away_of(board.seat_id), left)
    moved = _opened(tx, placed(board, who, now=now))
    return Moved(board=value(tx, moved, seat), left_chat=board.chat_id, left_message=left)


def bring_back(tx: Tx, who: Who, tap: Tap, *, now: datetime) -> SoloBoard:
    """
    Bring it back: the message in the group that let go of the board shows it again.

    :raises DeadKey: In any other message, whatever payload was made by hand.
    """
    board, seat = board_here(tx, who, tap)
    if seat.chat_id != who.chat_id or board.chat_id == who.chat_id:
        raise DeadKey
    if tx.posts.place(_away_of(board.seat_id)) != (who.chat_id, who.message_id):
        raise DeadKey
    no_board(tx, who)
    left = ((board.chat_id, board.message_id),) if board.message_id is not None else ()
    back = replace(
        board,
        chat_id=who.chat_id,
        thread_id=who.thread_id,
        message_id=who.message_id,
        old_message_id=None,
        tapped=now,
    )
    return replace(value(tx, _opened(tx, back), seat), left=left)


def _opened(tx: Tx, board: Board) -> Board:
    """The page that belongs to where the seat's round stands; nothing is asked any more in another place."""
    round_ = tx.rounds.get(board.round_id)
    betting = round_ is not None and isinstance(round_.state, Betting)
    match board.face:
        case Face.DOOR:
            face = Face.FIRST if betting else Face.CARDS
        case Face.LEAVING:
            face = Face.CARDS
        case face:
            pass
    return show(tx, board, face=face, round_id=board.round_id, note=board.note)


def other_table(tx: Tx, who: Who, tap: Tap, *, now: datetime) -> SoloBoard:
    """
    Other table: in private, the person's next seat there comes down below.

    :raises DeadKey: For who has one seat there only.
    """
    board, _seat = own_board(tx, who, tap, now=now)
    there = [other for other, _ in tables_at(tx, who.chat_id)]
    if len(there) < 2:
        raise DeadKey
    places = [each.id for each in there]
    here = places.index(board.id) if board.id in places else -1
    chosen = there[(here + 1) % len(there)]
    seat = tx.seats.get(chosen.seat_id)
    if seat is None or seat.user_id != who.user_id:
        raise DeadKey
    below = placed(chosen, who, now=now)
    return value(tx, show(tx, below, face=chosen.face, round_id=chosen.round_id, note=chosen.note), seat)


def tell_the_group(tx: Tx, who: Who, tap: Tap, *, now: datetime) -> SoloBoard:
    """
    Show the group: the end of a night that was played in private may be told there, once.

    :raises AlreadyDone: If it was told before.
    :raises DeadKey: If the night goes on, was played in the group, or belongs to an event.
    """
    board, seat = own_board(tx, who, tap, now=now)
    told = value(tx, board, seat)
    if told.night is None or told.night.closed is None or not told.away or told.outing is not None:
        raise DeadKey
    if not tx.posts.add(_post_of(told.night.id), seat.chat_id, None, "", now=now):
        raise AlreadyDone
    return told


def told(tx: Tx, night_id: int, message_id: int) -> None:
    """The group has read it."""
    tx.posts.sent(_post_of(night_id), message_id)


def _post_of(night_id: int) -> str:
    return f"night:{night_id}"
