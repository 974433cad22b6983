"""What every use case at a seat needs: arriving, sitting down, finding one's own board, and the board's value."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from itertools import accumulate

from bot.facts import (
    Board,
    Chat,
    Ending,
    Face,
    Night,
    Person,
    Round,
    Score,
    Seat,
    SoloBoard,
    Summary,
    Tap,
    Who,
    event_id_of,
)
from bot.periods import Period, began, ends
from bot.refusals import DeadKey, NotSeated, NotYourBoard, from_note
from bot.services.events import event_of, opened, outing
from bot.services.manners import no_board
from bot.storage import Account, AccountKind, Entry, Tx
from core import betting, fair, solo
from core.odds import DEALER_HANDS
from core.solo import Betting, Settled

PATH_SHOWN = 12  # hands in the sparkline of a board
FAR = 15  # message numbers; a board further up is brought down (BOARDS rule 12)
MINT = Account(AccountKind.MINT, 0)
HOUSE = Account(AccountKind.HOUSE, 0)


def seat_account(seat: Seat) -> Account:
    """Where a person's free chips in a chat are booked."""
    return Account(AccountKind.SEAT, seat.id)


def round_account(round_: Round) -> Account:
    """Where the bets and the cover of a hand against the house are booked, from Deal to its settlement."""
    return Account(AccountKind.ROUND, round_.id)


def near(message_id: int | None, who: Who) -> bool:
    """Whether a message stands so close above what was written that it need not come down."""
    return message_id is not None and who.message_id is not None and who.message_id - message_id <= FAR


def arrive(tx: Tx, who: Who, *, now: datetime) -> tuple[Person, Chat]:
    """The person and the chat as known now; names are refreshed when seen."""
    person = tx.people.seen(who.user_id, name=who.name, app_language=who.app_language, now=now)
    chat = tx.chats.seen(who.chat_id, kind=who.chat_kind, title=who.chat_title, now=now)
    return person, chat


def sit_down(tx: Tx, seat: Seat, chat: Chat, person: Person, *, secret: bytes, now: datetime) -> Seat:
    """A new night: the buy-in comes from the mint, and the first round opens with a bet already there."""
    event = event_of(tx, seat)
    buy_in = chat.rules.buy_in if event is None else event.buy_in
    night = tx.nights.open(seat, rules=chat.rules, buy_in=buy_in, now=now)
    tx.ledger.move(
        "buy_in", Entry(MINT, -night.buy_in), Entry(seat_account(seat), night.buy_in), round_id=None, now=now
    )
    fixed = event is not None and event.fixed
    state = Betting(wager=event.wager if event is not None and fixed else betting.first_wager(chat.rules))
    round_ = open_round(tx, seat, night, state, person, secret=secret, now=now)
    seated = replace(
        seat,
        chips=seat.chips + night.buy_in,
        night_id=night.id,
        round_id=round_.id,
        chip=betting.first_chip(chat.rules),
        repeat=True,
    )
    tx.seats.put(seated)
    return seated


def open_round(
    tx: Tx, seat: Seat, night: Night, state: Betting, person: Person, *, secret: bytes, now: datetime
) -> Round:
    """The next round: its commitment is on show before any bet on it is final. In an event it may be a deal of all."""
    event = event_of(tx, seat)
    if event is not None and event.deals:
        return tx.rounds.open(
            night=night,
            secret=b"",
            words=(event.name,),
            commitment=event.commitment,
            state=state,
            now=now,
            deal=event.deals[night.hands],
        )
    return tx.rounds.open(
        night=night,
        secret=secret,
        words=(person.words,),
        commitment=fair.commitment(secret),
        state=state,
        now=now,
    )


def end_night(tx: Tx, seat: Seat, night: Night, ending: Ending, *, now: datetime) -> tuple[Seat, Night]:
    """The night's chips become its score; the round that was not dealt becomes void."""
    if seat.round_id is not None:
        open_ = tx.rounds.get(seat.round_id)
        if open_ is not None:
            tx.rounds.void(open_, now=now)
    if seat.chips:
        score = Account(AccountKind.SCORE, night.id)
        tx.ledger.move(ending.value, Entry(seat_account(seat), -seat.chips), Entry(score, seat.chips), now=now)
    ended = tx.nights.close(night, chips=seat.chips, ending=ending, now=now)
    left = replace(seat, chips=0, night_id=None, round_id=None)
    tx.seats.put(left)
    return left, ended


def own_board(tx: Tx, who: Who, tap: Tap, *, now: datetime) -> tuple[Board, Seat]:
    """
    The board that was tapped, if it is alive and the tapper's own; the message adopts a board that has none.

    :raises NotYourBoard: If it belongs to somebody else.
    :raises DeadKey: If there is no such board, or it lives in another message, or another board lives in this one; and
        for a door in a group whose admins want every board in private.
    """
    board, seat = board_here(tx, who, tap)
    if board.chat_id != who.chat_id or board.message_id not in (None, who.message_id):
        raise DeadKey
    if board.face is Face.DOOR and not home_of(tx, seat).awake_boards:
        raise DeadKey
    if board.message_id is None:
        no_board(tx, who)
    old = None if board.old_message_id == who.message_id else board.old_message_id
    return replace(board, message_id=who.message_id, old_message_id=old, tapped=now), seat


def board_here(tx: Tx, who: Who, tap: Tap) -> tuple[Board, Seat]:
    """
    The living board that a payload names, if it is the tapper's own.

    :raises NotYourBoard: If it belongs to somebody else here.
    :raises DeadKey: If there is no such board; also if it belongs elsewhere, whose names are nobody's business here.
    """
    board = tx.boards.get(tap.board)
    seat = tx.seats.get(board.seat_id) if board else None
    if board is None or seat is None or who.chat_id not in {board.chat_id, seat.chat_id}:
        raise DeadKey
    if seat.user_id != who.user_id:
        owner = tx.people.get(seat.user_id)
        raise NotYourBoard(owner.name if owner else "")
    return board, seat


def value(
    tx: Tx,
    board: Board,
    seat: Seat,
    *,
    owner: Person | None = None,
    chat: Chat | None = None,
    night: Night | None = None,
    shown: Round | None = None,
    following: Round | None = None,
) -> SoloBoard:
    """The board's value from what is stored (so also after a restart); what the caller holds is not read again."""
    shown = shown or tx.rounds.get(board.round_id)
    shown = opened(tx, shown) if shown else None
    night = night or (tx.nights.get(shown.night_id) if shown else None)
    if following is None and seat.round_id is not None:
        following = shown if seat.round_id == board.round_id else tx.rounds.get(seat.round_id)
    over = night is not None and night.closed is not None
    settled = shown is not None and isinstance(shown.state, Settled)
    return SoloBoard(
        board=board,
        seat=seat,
        owner=owner or tx.people.get(seat.user_id) or Person(id=seat.user_id),
        chat=chat or tx.chats.get(seat.chat_id) or _nowhere(),
        night=night,
        shown=shown,
        following=following if following and isinstance(following.state, Betting) else None,
        path=_path(tx, night) if night and settled else (),
        summary=summary(tx, night, seat) if night and over else None,
        note=from_note(board.note),
        door=tx.seats.door_of(seat.id) if board.face is Face.DOOR else "",
        tables=len(tables_at(tx, seat.user_id, known=seat)) if board.chat_id == seat.user_id else 1,
        outing=outing(tx, seat, night),
    )


def tables_at(tx: Tx, chat_id: int, *, known: Seat | None = None) -> list[tuple[Board, Seat]]:
    """The boards in a person's private chat with their seats, without those of events that are played to the end."""
    own = known.id if known is not None else None
    boards = tx.boards.all_at(chat_id)
    found = ((board, known if board.seat_id == own else tx.seats.get(board.seat_id)) for board in boards)
    return [(board, seat) for board, seat in found if seat is not None and not played_out(seat)]


def played_out(seat: Seat) -> bool:
    """Whether a seat is an event's, with no night under way: nothing is played there but by its own key."""
    return event_id_of(seat.chat_id) is not None and seat.night_id is None


def home_of(tx: Tx, seat: Seat) -> Chat:
    """
    The chat of the seat, wherever its board stands.

    :raises DeadKey: If it is gone, so that the board is nobody's.
    """
    return tx.chats.get(seat.chat_id) or _nowhere()


def _nowhere() -> Chat:
    raise DeadKey  # a seat always has its chat


def _path(tx: Tx, night: Night) -> tuple[int, ...]:
    nets = tx.nights.nets(night.id, last=PATH_SHOWN)
    return tuple(accumulate(nets, initial=0))


def summary(tx: Tx, night: Night, seat: Seat) -> Summary:
    """The whole night in figures."""
    hands, net, given_away, best = tx.scores.night(night.id)
    score = _place_this_week(tx, night, seat) if night.ending is Ending.CASHED else None
    return Summary(
        hands=hands,
        net=net,
        given_away=Fraction(given_away, DEALER_HANDS),
        best=best,
        path=tuple(accumulate(tx.nights.nets(night.id, last=hands), initial=night.buy_in)),
        rank=score.rank if score else None,
        last=_latest_hand(tx, night, seat),
    )


def _latest_hand(tx: Tx, night: Night, seat: Seat) -> tuple[int, str] | None:
    """Number and seal of the night's latest hand that was played alone."""
    round_ = tx.rounds.latest_settled(seat.id)
    return (round_.id, round_.commitment) if round_ is not None and round_.night_id == night.id else None


def _place_this_week(tx: Tx, night: Night, seat: Seat) -> Score | None:
    """Where the person stood in the group in the week in which the night ended; nobody is ranked in private."""
    if seat.chat_id == seat.user_id or night.closed is None:
        return None
    zone = home_of(tx, seat).time_zone
    since, until = began(Period.WEEK, zone, night.closed), ends(Period.WEEK, zone, night.closed)
    return tx.scores.place(seat.chat_id, seat.user_id, since=since, until=until)


def show(tx: Tx, board: Board, *, face: Face, round_id: int, note: str = "") -> Board:
    """The board with another page on it: one more picture is wanted."""
    return tx.boards.put(replace(board, face=face, round_id=round_id, note=note, wanted=board.wanted + 1))


def round_under_way(tx: Tx, seat: Seat) -> Round:
    """
    The seat's open round: betting or dealt.

    :raises NotSeated: Without a night under way.
    """
    round_ = tx.rounds.get(seat.round_id) if seat.round_id is not None else None
    if round_ is None:
        raise NotSeated
    return round_


def night_under_way(tx: Tx, seat: Seat) -> Night:
    """:raises NotSeated: Without one."""
    night = tx.nights.get(seat.night_id) if seat.night_id is not None else None
    if night is None:
        raise NotSeated
    return night


def is_dealt(round_: Round | None) -> bool:
    """Whether the cards are out, and Play or Fold is awaited."""
    return round_ is not None and isinstance(round_.state, solo.Dealt)
