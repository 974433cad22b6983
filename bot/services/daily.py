"""The daily five: a day is one of UTC, its secret is committed the day before, and everybody has one try."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from bot.events import DayBoard, DayPage, DayRow
from bot.facts import Event, EventKind, Who
from bot.refusals import AlreadyDone
from bot.services import events
from bot.services.events import daily_result, grid
from bot.services.outings import Came, come, end_all
from bot.services.seating import arrive, near
from bot.storage import EventBoard, Tx
from core import daily, fair
from core.rules import preset

TURN = "daily"  # timer: midnight of UTC; its subject is always 0
BUY_IN = 500  # chips
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """A group's message about a day; near and as it was it needs no new picture."""

    day: DayBoard
    board: EventBoard
    unchanged: bool


def turn(tx: Tx, *, chance: bytes, now: datetime) -> tuple[int, ...]:
    """
    What midnight brings, however late, and whoever calls: days that are over are closed, today and tomorrow are there.

    The secrets follow from *chance*, 32 bytes nobody can foresee and nobody keeps: no day's tells of another's. The
    boards whose picture changed by it.
    """
    today = now.astimezone(UTC).date()
    changed: list[int] = []
    for event in tx.events.days_due(now):
        changed += _close(tx, event, chance=chance, now=now)
    for day in (today, today + _DAY):
        _made(tx, day, chance=chance, now=now)
    tx.timers.set(TURN, 0, _begins(today + _DAY))
    return tuple(changed)


def _begins(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)


def _made(tx: Tx, day: date, *, chance: bytes, now: datetime) -> Event:
    """The event of a day; committed to now if it is not there yet."""
    known = tx.events.on_day(day.isoformat())
    if known is not None:
        return known
    secret = hashlib.sha256(b"daily/" + day.isoformat().encode() + b"/" + chance).digest()
    event = tx.events.add(
        kind=EventKind.DAILY,
        chat_id=None,
        rules=preset("selminha"),
        nights=1,
        hands=daily.DEALS,
        buy_in=BUY_IN,
        day=day.isoformat(),
        secret=secret,
        commitment=fair.commitment(secret),
        opens=_begins(day),
        ends=_begins(day + _DAY),
        now=now,
    )
    if event is None:  # somebody else was first
        return _made(tx, day, chance=chance, now=now)
    tx.events.set_deals(event.id, tuple(range(1, daily.DEALS + 1)))
    return replace(event, deals=tuple(range(1, daily.DEALS + 1)))


def _close(tx: Tx, event: Event, *, chance: bytes, now: datetime) -> tuple[int, ...]:
    """Whoever is in the middle of it is done with the chips as they stand."""
    if not tx.events.close(event.id, called_off=False, by=0, now=now):
        return ()
    under_way = [tx.seats.get(seat_id) for seat_id in tx.events.seated(event.place)]
    boards = [*end_all(tx, event, now=now), *_shut(tx, event)]
    for seat in under_way:
        night = tx.nights.of(seat.id)[-1] if seat is not None else None
        if seat is not None and night is not None and night.hands:
            events.finish_day(tx, event, seat, night, chance=chance, now=now)
    return tuple(boards)


def _shut(tx: Tx, event: Event) -> list[int]:
    """The messages of groups about a day that is over lose their key."""
    standing = [board for board in tx.events.boards(event.id) if board.message_id is not None]
    for board in standing:
        tx.events.want(board.id)
    return [board.board for board in standing]


def page(tx: Tx, who: Who, *, chance: bytes, now: datetime) -> DayPage:
    """`/daily`: today's seal and tomorrow's, yesterday's opening, and one's own result."""
    person, _ = arrive(tx, who, now=now)
    today = now.astimezone(UTC).date()
    event, tomorrow = (_made(tx, day, chance=chance, now=now) for day in (today, today + _DAY))
    seat = tx.seats.at(event.place, person.id)
    return DayPage(
        today=event,
        tomorrow=tomorrow,
        yesterday=tx.events.on_day((today - _DAY).isoformat()),
        own=grid(tx, event, person.id),
        under_way=seat is not None and seat.night_id is not None,
        days=len(tx.events.days(person.id, event.day[:7])),
        now=now,
        person=person,
    )


def play(tx: Tx, who: Who, *, mark: int, chance: bytes, now: datetime) -> Came:
    """
    Play today's five: the first tap sits down, a later one brings the board down.

    :raises AlreadyDone: If this tap was worked on before.
    """
    if not tx.marks.first(mark, now=now):
        raise AlreadyDone
    person, _ = arrive(tx, who, now=now)
    event = _made(tx, now.astimezone(UTC).date(), chance=chance, now=now)
    secret = hashlib.sha256(b"play/" + chance).digest()
    return come(tx, event, person, who, secret=secret, now=now)


def board(tx: Tx, board_id: int, *, now: datetime) -> tuple[DayBoard, EventBoard] | None:
    """What a group's one message about a day shows from now on; None if there is no such message."""
    place = tx.events.board_by_id(board_id)
    event = tx.events.get(place.event_id) if place is not None else None
    chat = tx.chats.get(place.chat_id) if place is not None else None
    if place is None or event is None or chat is None or event.kind is not EventKind.DAILY:
        return None
    tx.events.show(board_id, now)
    rows: list[DayRow] = []
    for result in tx.events.results_in(event.id, chat.id):
        person = tx.people.get(result.user_id)
        told = daily_result(result)
        name = person.name if person else ""
        rows.append(DayRow(user_id=result.user_id, name=name, chips=told.chips, qualities=told.qualities))
    return DayBoard(event=event, chat=chat, code=place.code, rows=tuple(rows)), place


def bring(tx: Tx, who: Who, *, update_id: int, chance: bytes, now: datetime) -> Brought:
    """
    `/daily` in a group: today's message comes below unless it is near, made if there is none yet.

    :raises AlreadyDone: If this update was worked on before.
    """
    if not tx.marks.first(update_id, now=now):
        raise AlreadyDone
    chat = tx.chats.seen(who.chat_id, kind=who.chat_kind, title=who.chat_title, now=now)
    event = _made(tx, now.astimezone(UTC).date(), chance=chance, now=now)
    place = tx.events.board(event.id, chat.id)
    stays = place is not None and near(place.message_id, who)
    if place is None:
        code = events.new_code(chance, chat.id)
        place = tx.events.open_board(event.id, chat.id, thread_id=who.thread_id, message_id=None, code=code)
    elif not stays:
        old = place.message_id or place.old_message_id
        place = tx.events.put_board(
            replace(place, thread_id=who.thread_id, message_id=None, old_message_id=old, wanted=place.wanted + 1)
        )
    found = board(tx, place.id, now=now)
    assert found is not None  # noqa: S101 - made above
    return Brought(day=found[0], board=found[1], unchanged=stays)
