"""One use case, one function, one transaction: the group table, who comes and goes, and who banks (CAL)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from bot.facts import Chat, Seat, Tap, Verb, Who
from bot.refusals import AlreadyDone, BankOffered, DeadKey, HandOver, NoChipsLeft, NotAdmin, TableGone
from bot.services.breaks import may_bet
from bot.services.manners import may_deal, no_board
from bot.services.seating import arrive, near, sit_down
from bot.services.table_course import abreast, board_of, chat_of, follow, house_of, open_round_of, person_of, stacks_of
from bot.storage import Tx
from bot.tables import GroupTable, TableBoard, TableTold
from core import fair, table_moves
from core.errors import AlreadySeated, BankOfferedTo, NotSeated, TableFull
from core.table import LEAST_SEATS, MOST_SEATS, Deciding, Step, Table, seat_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """The table that `/table` brings; where nothing has changed and it is near, it needs no new picture."""

    told: TableTold
    unchanged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """A table that was tapped, and the tapper's seat in its chat."""

    place: GroupTable
    chat: Chat
    seat: Seat

    @property
    def table(self) -> Table:
        return self.place.table


# Finding


def place_here(tx: Tx, who: Who, tap: Tap) -> GroupTable:
    """
    The live table of a payload, in the message that was tapped; it adopts a message if it has none.

    :raises TableGone: If it has ended, or stands in another chat.
    :raises DeadKey: If it stands in another message, or a board in this one.
    """
    place = tx.tables.get(tap.board)
    if place is None or place.chat_id != who.chat_id:
        raise TableGone
    if place.message_id not in (None, who.message_id):
        raise DeadKey
    if place.message_id is None:
        no_board(tx, who)
    old = None if place.old_message_id == who.message_id else place.old_message_id
    return replace(place, message_id=who.message_id, old_message_id=old)


def here(tx: Tx, who: Who, tap: Tap, *, this_hand: bool = True) -> Here:
    """
    The table and the tapper's seat.

    :raises NotSeated: If the tapper has no seat in this chat.
    :raises HandOver: With *this_hand*, if the key is about another hand than the one that is coming or in play.
    """
    place = place_here(tx, who, tap)
    seat = tx.seats.at(place.chat_id, who.user_id)
    if seat is None:
        raise NotSeated
    seat_of(place.table, seat.id)
    if this_hand and tap.round != place.round_id:
        raise HandOver
    chat = chat_of(tx, place)
    return Here(place=abreast(place, chat), chat=chat, seat=seat)


def may_stake(tx: Tx, seat: Seat, *, now: datetime) -> None:
    """
    Whether a person may put up chips now.

    :raises NoChipsLeft: Without a night under way.
    :raises OnBreak: On a break of one's own.
    :raises BlackListed: Where the admins do not let one deal.
    :raises TooManyHands: If the hands of the last hour are used up.
    """
    if seat.night_id is None:
        raise NoChipsLeft
    may_bet(tx.people.get(seat.user_id), now=now)
    may_deal(tx, seat, now=now)


# Coming and going


def bring(tx: Tx, who: Who, *, update_id: int, secret: bytes, seat_secret: bytes, now: datetime) -> Brought:
    """
    `/table`: open the chat's table if there is none, sit down at it, and bring its message below where it is far up.

    *secret* becomes that of a new table's first hand, *seat_secret* that of the hand which a new night opens with.
    """
    fresh = tx.marks.first(update_id, now=now)
    _, chat = arrive(tx, who, now=now)
    place = tx.tables.live(chat.id)
    if place is not None and not fresh:
        return Brought(told=TableTold(board=board_of(tx, place, chat)), unchanged=False)
    if place is None:
        place = tx.tables.open(
            Table(rules=chat.rules, house=house_of(chat)),
            chat_id=chat.id,
            thread_id=who.thread_id,
            secret=secret,
            commitment=fair.commitment(secret),
            now=now,
        )
    below = _below(abreast(place, chat), who)
    seat, sat, fresh_night = _seated(tx, who, below, chat, seat_secret=seat_secret, now=now)
    if sat is None and not fresh_night and below == place:
        return Brought(told=TableTold(board=board_of(tx, place, chat), seat=seat.id), unchanged=True)
    step = sat or Step(table=below.table)
    told = follow(tx, below, step, secret=secret, now=now, chat=chat, seat=seat)
    return Brought(told=told, unchanged=False)


def _below(place: GroupTable, who: Who) -> GroupTable:
    """The table with its message to be sent anew, if it is more than a screen up; its topic stays."""
    if place.message_id is None or who.message_id is None or near(place.message_id, who):
        return place
    return replace(place, message_id=None, old_message_id=place.message_id)


def _seated(
    tx: Tx, who: Who, place: GroupTable, chat: Chat, *, seat_secret: bytes, now: datetime
) -> tuple[Seat, Step | None, bool]:
    """The person's seat with a night under way, and the step that takes a place; None where one is taken already."""
    person = tx.people.seen(who.user_id, name=who.name, app_language=who.app_language, now=now)
    seat = tx.seats.at(chat.id, person.id) or tx.seats.open(chat.id, person.id, now=now)
    try:
        step = table_moves.sit(place.table, seat.id)
    except (AlreadySeated, TableFull):
        step = None
    there = step is not None or any(each.user == seat.id for each in place.table.seats)
    fresh = seat.night_id is None and there
    if fresh:
        seat = sit_down(tx, seat, chat, person, secret=seat_secret, now=now)
    return seat, step, fresh


def sit(tx: Tx, who: Who, tap: Tap, *, secret: bytes, seat_secret: bytes, now: datetime) -> TableTold:
    """
    Take a place; a night opens if there is none.

    :raises AlreadySeated: If one sits there with a night under way.
    :raises TableFull: If no place is free.
    """
    place = place_here(tx, who, tap)
    chat = chat_of(tx, place)
    place = abreast(place, chat)
    seat, step, fresh = _seated(tx, who, place, chat, seat_secret=seat_secret, now=now)
    if step is None and not fresh:
        seated = any(each.user == seat.id for each in place.table.seats)
        raise AlreadySeated if seated else TableFull(MOST_SEATS)
    return follow(tx, place, step or Step(table=place.table), secret=secret, now=now, chat=chat, seat=seat)


def leave(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> TableTold:
    """
    Give the place up: at once, or when the hand is over that holds chips of this person.

    :raises NotSeated: If they sit at another table, or at none.
    """
    at = here(tx, who, tap, this_hand=False)
    return _acted(tx, at, table_moves.leave(at.table, at.seat.id, stacks=stacks_of(tx, at.table)), secret, now)


def leave_word(tx: Tx, who: Who, *, update_id: int, secret: bytes, now: datetime) -> TableTold:
    """
    `/table leave`.

    :raises NotSeated: If the person sits at no table here, also since an earlier run of this update.
    """
    told = None
    if tx.marks.first(update_id, now=now):
        told = gone(tx, who.chat_id, who.user_id, secret=secret, now=now)
    if told is None:
        raise NotSeated
    return told


def gone(tx: Tx, chat_id: int, user_id: int, *, secret: bytes, now: datetime) -> TableTold | None:
    """Somebody left the chat: that is Leave (BOARDS, details). None where they sat at no table."""
    place, seat = tx.tables.live(chat_id), tx.seats.at(chat_id, user_id)
    if place is None or seat is None:
        return None
    try:
        step = table_moves.leave(place.table, seat.id, stacks=stacks_of(tx, place.table))
    except NotSeated:
        return None
    return follow(tx, place, step, secret=secret, now=now)


def start(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> TableTold:
    """
    Begin: anybody seated may (F104).

    :raises TooFewSeated: If nobody else is here yet.
    :raises WrongPhase: If the table has begun.
    """
    at = here(tx, who, tap)
    return _acted(tx, at, table_moves.start(at.table, at.seat.id, stacks=stacks_of(tx, at.table)), secret, now)


def close(tx: Tx, who: Who, tap: Tap | None, *, admin: bool, secret: bytes, now: datetime) -> TableTold:
    """
    Close the table: before the deal all stakes return, a hand in play is finished first.

    By an admin, or by whoever sits there alone.

    :raises NotAdmin: For anybody else.
    :raises TableGone: If there is no table.
    :raises AlreadyDone: If it is being closed.
    """
    place = place_here(tx, who, tap) if tap is not None else tx.tables.live(who.chat_id)
    if place is None:
        raise TableGone
    if not admin and not _alone(tx, who, place):
        raise NotAdmin
    if place.table.closing:
        raise AlreadyDone
    return follow(tx, place, table_moves.close(place.table), secret=secret, now=now)


def sits_alone(tx: Tx, who: Who, tap: Tap) -> bool:
    """Whether closing the table is the tapper's own affair."""
    return _alone(tx, who, place_here(tx, who, tap))


def _alone(tx: Tx, who: Who, place: GroupTable) -> bool:
    seat = tx.seats.at(place.chat_id, who.user_id)
    few = len(place.table.seats) < LEAST_SEATS
    return few and seat is not None and all(each.user == seat.id for each in place.table.seats)


def stranded(tx: Tx, chat_id: int, *, topic_gone: bool, secret: bytes, now: datetime) -> None:
    """
    The chat cannot be written to: undealt bets return, a dealt hand can still be finished (F09, F11).

    With *topic_gone* a later message goes to the chat itself.
    """
    place = tx.tables.live(chat_id)
    if place is None or place.table.closing:
        return
    place = replace(place, thread_id=None) if topic_gone else place
    follow(tx, place, table_moves.close(place.table), secret=secret, now=now)


# The bank


def put_up(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> TableTold:
    """
    Put up the bank that the key names, in chips (CAL; RULES section 3.1).

    :raises BankOffered: If it is somebody else's turn.
    :raises BankTooSmall, BankTooLarge, MustWaitToBank: As core.table_moves says.
    """
    at = here(tx, who, tap)
    may_stake(tx, at.seat, now=now)
    stacks = stacks_of(tx, at.table)
    return _banked(tx, at, lambda: table_moves.put_up(at.table, at.seat.id, tap.numbers[0], stacks=stacks), secret, now)


def pass_bank(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> TableTold:
    """
    Decline the bank; the next one is asked.

    :raises BankOffered: If it is somebody else's turn.
    """
    at = here(tx, who, tap)
    stacks = stacks_of(tx, at.table)
    return _banked(tx, at, lambda: table_moves.pass_bank(at.table, at.seat.id, stacks=stacks), secret, now)


def ask_house(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> TableTold:
    """
    Let the house bank, where nobody wants to.

    :raises HouseMayNotBank: If the players alone bank at this table.
    :raises WrongPhase: If somebody is still to be asked.
    """
    at = here(tx, who, tap)
    return _acted(tx, at, table_moves.ask_house(at.table, at.seat.id, stacks=stacks_of(tx, at.table)), secret, now)


def _banked(tx: Tx, at: Here, move: Callable[[], Step], secret: bytes, now: datetime) -> TableTold:
    try:
        step = move()
    except BankOfferedTo as refusal:
        other = tx.seats.get(refusal.user)
        raise BankOffered(person_of(tx, other).name if other is not None else "") from None
    return _acted(tx, at, step, secret, now)


def _acted(tx: Tx, at: Here, step: Step, secret: bytes, now: datetime) -> TableTold:
    return follow(tx, at.place, step, secret=secret, now=now, chat=at.chat, seat=at.seat)


# Time


def expire(tx: Tx, table_id: int, *, secret: bytes, now: datetime) -> TableTold | None:
    """The timer rang: if the deadline has passed, who did nothing passes, sits out, gets the best play (F102)."""
    place = tx.tables.get(table_id)
    if place is None:
        return None
    deadline = place.table.deadline
    if deadline is None or now.timestamp() < deadline:
        return None
    chat = chat_of(tx, place)
    place = abreast(place, chat)
    step = table_moves.expire(place.table, stacks=stacks_of(tx, place.table))
    return follow(tx, place, step, secret=secret, now=now, chat=chat)


# Cutting, and looking


def cut(tx: Tx, who: Who, value: int, *, update_id: int, now: datetime) -> TableTold | None:
    """
    Telegram's dice, thrown in reply to the table, cut the hand that is coming: one throw a hand, by anybody seated.

    None if it does not count. *who* names the message that was replied to. Source: DESIGN, algorithm 1; BOARDS 7.

    :raises AlreadyDone: If this update was worked on before.
    """
    if not tx.marks.first(update_id, now=now):
        raise AlreadyDone
    place = tx.tables.at(who.chat_id, who.message_id) if who.message_id is not None else None
    seat = tx.seats.at(who.chat_id, who.user_id)
    if place is None or seat is None or isinstance(place.table.stage, Deciding):
        return None
    round_ = open_round_of(tx, place)
    if round_.cut is not None or all(each.user != seat.id for each in place.table.seats):
        return None
    tx.tables.cut(round_, value, by=seat.id)
    place = tx.tables.put(replace(place, wanted=place.wanted + 1), now=now)
    return TableTold(board=board_of(tx, place), seat=seat.id)


def board_at(tx: Tx, chat_id: int, message_id: int) -> TableBoard | None:
    """The live table that stands in a message."""
    place = tx.tables.at(chat_id, message_id)
    return board_of(tx, place) if place is not None else None


def live_board(tx: Tx, chat_id: int) -> TableBoard | None:
    """The live table of a chat."""
    place = tx.tables.live(chat_id)
    return board_of(tx, place) if place is not None else None


def board_by_id(tx: Tx, table_id: int) -> TableBoard | None:
    """What a table shows, live or ended: for painting again after a restart."""
    place = tx.tables.any(table_id)
    return board_of(tx, place) if place is not None else None


USE_CASES = {
    Verb.TABLE_LEAVE: leave,
    Verb.TABLE_START: start,
    Verb.TABLE_BANK: put_up,
    Verb.TABLE_PASS: pass_bank,
    Verb.TABLE_HOUSE: ask_house,
}
"""By the key; all are called alike."""
