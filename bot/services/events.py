"""What is different about a seat in an event: its deals, its bets, its end, and who is told of it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction

from bot.facts import Chat, Event, EventKind, Night, Outing, Round, Seat, event_id_of
from bot.options import local, options_of
from bot.refusals import BetFixed, DayPlayed, EventOver, HintOff, NoCashOut, NotOpenYet
from bot.services.manners import let_in
from bot.storage import EventBoard, EventResult, Tx
from core import daily, fair
from core.cards import Deck
from core.daily import Grid, Quality
from core.errors import NoMoreNights
from core.solo import Settled

PLAYED = "played"  # timer: till then somebody who was forgotten has no other try; its subject tells of one event
STANDINGS = "standings"  # timer: a picture of an event board is due; its subject is the board
CALM = timedelta(minutes=1)  # between two of them


def event_of(tx: Tx, seat: Seat) -> Event | None:
    """The event that a seat belongs to; none for an ordinary one."""
    number = event_id_of(seat.chat_id)
    return None if number is None else tx.events.get(number)


def may_go_on(tx: Tx, seat: Seat, *, now: datetime) -> None:
    """
    Whether a hand in an event may be dealt or decided now; whatever comes at the end or later does not count (F112).

    :raises EventOver: From the stated end on, whether or not the bot was there to close it.
    :raises BlackListed: If the admins of the event's group keep the person from dealing.
    """
    event = event_of(tx, seat)
    if event is None:
        return
    in_time(event, now)
    group = tx.chats.get(event.chat_id) if event.chat_id is not None else None
    if group is not None:
        let_in(group, seat.user_id, now)


def in_time(event: Event, now: datetime) -> None:
    """:raises EventOver: Before an event opens, and from its stated end on."""
    if event.closed is not None or not event.opens <= now < event.ends:
        raise EventOver


def may_sit_down(tx: Tx, seat: Seat, *, now: datetime) -> None:
    """
    Whether another night may begin at a seat.

    :raises EventOver: If the event is.
    :raises DayPlayed: If the one try of a day is used up.
    :raises NoMoreNights: If a contest's nights are.
    """
    event = event_of(tx, seat)
    if event is None:
        return
    in_time(event, now)
    if not tx.events.hold(event.id):
        raise EventOver
    played = len(tx.nights.of(seat.id))
    if tx.timers.due(PLAYED, _played(event, seat.user_id)) is not None:
        played = event.nights
    if played and event.kind is EventKind.DAILY:
        raise DayPlayed
    if played >= event.nights:
        raise NoMoreNights(event.nights)


def leave_for_good(tx: Tx, seat: Seat, *, now: datetime) -> None:
    """
    Somebody who is forgotten has played in an event that goes on: until its end a number says that this person has no
    other try, and nothing else; the messages that show the name are painted anew.
    """
    event = event_of(tx, seat)
    if event is None or event.closed is not None or not tx.nights.of(seat.id):
        return
    tx.timers.set(PLAYED, _played(event, seat.user_id), event.ends)
    for board in tx.events.boards(event.id):
        refresh(tx, board, now=now)


def _played(event: Event, user_id: int) -> int:
    """A number that the event and the person give, and from which neither can be read."""
    drawn = hashlib.sha256(b"played/%s/%d" % (event.name.encode(), user_id)).digest()
    return int.from_bytes(drawn[:8]) >> 2


def no_hints(seat: Seat) -> None:
    """:raises HintOff: In an event."""
    if event_id_of(seat.chat_id) is not None:
        raise HintOff


def own_bets(tx: Tx, seat: Seat) -> None:
    """:raises BetFixed: Where everybody has the same bets."""
    event = event_of(tx, seat)
    if event is not None and event.fixed:
        raise BetFixed


def to_the_end(tx: Tx, seat: Seat) -> None:
    """:raises NoCashOut: In an event, whose nights have a fixed number of hands."""
    event = event_of(tx, seat)
    if event is not None:
        raise NoCashOut(event.hands)


def can_be_opened(tx: Tx, round_: Round | None) -> None:
    """:raises NotOpenYet: If the secret of a hand is an event's that goes on."""
    if round_ is not None and round_.deal is not None and not opened(tx, round_).secret:
        raise NotOpenYet


def deck_of(tx: Tx, seat: Seat, round_: Round) -> Deck:
    """The deck that was committed to before the bet."""
    secret = round_.secret
    if round_.deal is not None:
        event = event_of(tx, seat)
        secret = event.secret if event is not None else secret
    return fair.shuffled(secret, round_.words, round_.nonce)


def opened(tx: Tx, round_: Round) -> Round:
    """The round with the secret of its event, once that is over; any other as it is."""
    seat = tx.seats.get(round_.seat_id) if round_.deal is not None else None
    event = event_of(tx, seat) if seat is not None else None
    if event is None or event.closed is None:
        return round_
    return replace(round_, secret=event.secret)


def is_full(event: Event | None, night: Night) -> bool:
    """Whether all hands of a night in an event are played."""
    return event is not None and night.hands >= event.hands


def outing(tx: Tx, seat: Seat, night: Night | None) -> Outing | None:
    """The night as part of its event; none elsewhere."""
    event = event_of(tx, seat)
    if event is None or night is None:
        return None
    nights = tx.nights.of(seat.id)
    group = tx.chats.get(event.chat_id) if event.chat_id is not None else None
    finished = event.kind is EventKind.DAILY and night.closed is not None
    return Outing(
        event=event,
        group=group.title if group else "",
        night=sum(each.id <= night.id for each in nights),
        left=max(0, event.nights - len(nights)),
        grid=grid(tx, event, seat.user_id) if finished else None,
    )


def grid(tx: Tx, event: Event, user_id: int) -> Grid | None:
    """What a person may share of a day that is played; none before."""
    result = tx.events.result_of(event.id, user_id)
    if result is None:
        return None
    people, points = tx.events.totals(event.id)
    return Grid(
        day=event.day,
        result=daily_result(result),
        average=Fraction(points, people),
        days_this_month=len(tx.events.days(user_id, event.day[:7])),
    )


def daily_result(result: EventResult) -> daily.Result:
    """A stored result of a day, as the core says it."""
    return daily.Result(
        user=result.user_id, chips=result.points, qualities=tuple(Quality(each) for each in result.grid.split())
    )


def settled(tx: Tx, event: Event, seat: Seat, night: Night, *, chance: bytes, now: datetime) -> None:
    """A hand of an event is settled, and perhaps the night over: results, and the messages that tell of them."""
    if event.kind is not EventKind.DAILY:
        for board in tx.events.boards(event.id):
            refresh(tx, board, now=now)
    elif night.closed is not None:
        finish_day(tx, event, seat, night, chance=chance, now=now)


def finish_day(tx: Tx, event: Event, seat: Seat, night: Night, *, chance: bytes, now: datetime) -> None:
    """The day's result of one person; groups that asked for it, or have it already, see it in their one message."""
    choices = judged(tx, night.id)
    result = EventResult(
        user_id=seat.user_id, points=night.chips or 0, played=len(choices), reached=now, grid=" ".join(choices)
    )
    if not choices or not tx.events.add_result(event.id, result):
        return
    for other in tx.seats.of(seat.user_id):
        chat = tx.chats.get(other.chat_id)
        if chat is None or chat.private or not chat.active or seat.user_id in tx.seats.away(chat.id):
            continue
        board = tx.events.board(event.id, chat.id)
        if board is None and options_of(chat).daily:
            code = new_code(chance, chat.id)
            board = tx.events.open_board(event.id, chat.id, thread_id=None, message_id=None, code=code)
        if board is not None:
            refresh(tx, board, now=after_quiet(chat, now) if board.message_id is None else now)


def judged(tx: Tx, night_id: int) -> list[str]:
    """What the choices of a night were worth, in order, as a result keeps them."""
    return [
        daily.judged(round_.state.player, round_.state.decision, round_.rules).value
        for round_ in tx.nights.rounds(night_id)
        if isinstance(round_.state, Settled)
    ]


def new_code(chance: bytes, about: int) -> str:
    """A code that nobody can guess, for a link: 26 characters."""
    drawn = int.from_bytes(hashlib.sha256(b"event/%d/" % about + chance).digest())
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    return "".join(letters[drawn >> 5 * place & 31] for place in range(26))


def refresh(tx: Tx, board: EventBoard, *, now: datetime) -> None:
    """One more picture of an event board, at most one a minute."""
    tx.events.want(board.id)
    tx.timers.plan(STANDINGS, board.id, max(now, board.shown + CALM))


def after_quiet(chat: Chat, now: datetime) -> datetime:
    """Now, or the end of the quiet hours that the chat's admins have chosen, by its own clock."""
    quiet = options_of(chat).quiet
    if quiet is None:
        return now
    here = local(now, chat)
    overnight = quiet.begin >= quiet.end
    if (quiet.end <= here.hour < quiet.begin) if overnight else not quiet.begin <= here.hour < quiet.end:
        return now
    end = here.replace(hour=quiet.end, minute=0, second=0, microsecond=0, fold=0)
    if end <= here:
        end = (here + timedelta(days=1)).replace(hour=quiet.end, minute=0, second=0, microsecond=0, fold=0)
    return end.astimezone(now.tzinfo)
