"""A person's own board as words bring it (`/deal`, play, fold …), and as it is found again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from bot.facts import Board, Face, Round, Seat, SoloBoard, Tap, Verb, Who
from bot.refusals import AlreadyDone, BetFixed, HandInPlay, NotChips, NotSeated, noted
from bot.services import events
from bot.services.places import crowded, left_behind, placed, seat_here
from bot.services.seating import arrive, home_of, round_under_way, show, sit_down, value
from bot.services.solo_hand import bet, deal, decide
from bot.services.solo_pages import UNTOUCHED
from bot.storage import Tx
from core import betting
from core.betting import Wager
from core.errors import RuleError
from core.rules import RuleSet, preset
from core.solo import Betting, Dealt

HOUSE_RULES = preset("selminha")  # where a chat has not chosen yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """The board that `/deal` brings; unchanged and near, it needs no new picture."""

    board: SoloBoard
    unchanged: bool


# Commands and words


def deal_command(
    tx: Tx,
    who: Who,
    *,
    amounts: tuple[int, ...] | None,
    update_id: int,
    secret: bytes,
    door: str,
    now: datetime,
    welcome: bool = False,
) -> Brought:
    """
    `/deal [ante] [pair plus]` and `/start`: sit down if need be, bring the board, set the typed bet.

    *amounts* is None where the words were no whole numbers of chips. A bet that does not fit leaves the bet empty
    and a note on the board (BOARDS rule 6); during a hand the next bet is left alone. In a group where as many boards
    are awake as its admins allow, the private chat is offered, through *door* if the seat has none yet.
    """
    fresh = tx.marks.first(update_id, now=now)
    person, chat = arrive(tx, who, now=now)
    seat = seat_here(tx, who) or tx.seats.open(chat.id, person.id, now=now)
    home = chat if seat.chat_id == chat.id else home_of(tx, seat)
    board = tx.boards.of_seat(seat.id)
    if not fresh and board is not None:
        return Brought(board=value(tx, board, seat, owner=person, chat=home), unchanged=False)
    new_night = seat.night_id is None
    if new_night:
        seat = sit_down(tx, seat, home, person, secret=secret, now=now)
    round_ = round_under_way(tx, seat)
    note = _typed_bet(tx, seat, round_, amounts, now=now)
    untouched = board is not None and board.round_id == round_.id and board.face in UNTOUCHED
    face = _face_for(round_, first=new_night or untouched, welcome=welcome, typed=amounts != ())
    if crowded(tx, board, chat, now=now):
        face, _ = Face.DOOR, tx.seats.door(seat.id, door)
    left = left_behind(tx, board, who)
    board = board or tx.boards.open(
        seat_id=seat.id, face=face, round_id=round_.id, chat_id=chat.id, thread_id=who.thread_id, now=now
    )
    brought = placed(board, who, now=now)
    same = (board.face, board.round_id, board.note) == (face, round_.id, note)
    unchanged = amounts == () and same and brought.message_id is not None
    shown = tx.boards.put(brought) if unchanged else show(tx, brought, face=face, round_id=round_.id, note=note)
    told = value(tx, shown, seat, owner=person, chat=home)
    return Brought(board=replace(told, left=left), unchanged=unchanged)


def _face_for(round_: Round, *, first: bool, welcome: bool, typed: bool) -> Face:
    if isinstance(round_.state, Dealt):
        return Face.CARDS
    if welcome:
        return Face.WELCOME
    return Face.FIRST if first and not typed else Face.BET


def _typed_bet(tx: Tx, seat: Seat, round_: Round, amounts: tuple[int, ...] | None, *, now: datetime) -> str:
    """Set the typed bet; the note to stand on the board, empty where all is well."""
    if amounts == ():
        return ""
    if not isinstance(round_.state, Betting):
        return noted(HandInPlay())
    try:
        events.own_bets(tx, seat)
        if amounts is None:
            raise NotChips
        wager, note = betting.typed_wager(amounts, round_.rules, seat.chips), ""
    except BetFixed as refusal:
        return noted(refusal)
    except (RuleError, NotChips) as refusal:
        wager, note = Wager(), noted(refusal)
    tx.rounds.put(round_, state=replace(round_.state, wager=wager), now=now)
    return note


def typed_verb(tx: Tx, who: Who, verb: Verb) -> tuple[Tap, Board]:
    """
    The tap that a typed word stands for, on the person's own board as it is now.

    :raises NotSeated: Without a board or a night under way.
    :raises HandInPlay: For deal, while the cards are out.
    """
    seat = seat_here(tx, who)
    board = tx.boards.of_seat(seat.id) if seat else None
    if seat is None or board is None or seat.round_id is None:
        raise NotSeated
    round_ = round_under_way(tx, seat)
    numbers: tuple[int, ...] = ()
    if verb is Verb.DEAL and isinstance(round_.state, Betting):
        wager = round_.state.wager
        numbers = (wager.ante, wager.pair_plus, wager.six_card)
    elif verb is Verb.REPEAT:
        numbers = (1,)
    elif verb is Verb.DEAL:
        raise HandInPlay
    return Tap(verb=verb, board=board.id, round=round_.id, numbers=numbers), board


def word(tx: Tx, who: Who, verb: Verb, *, update_id: int, secret: bytes, now: datetime) -> SoloBoard:
    """
    A typed word (play, fold, deal, clear, repeat): the key's use case; in private the board then comes down.

    :raises AlreadyDone: If this update was worked on before.
    :raises NotSeated: Without a board or a night under way.
    :raises RuleError, Refusal: As the key's use case does.
    """
    if not tx.marks.first(update_id, now=now):
        raise AlreadyDone
    arrive(tx, who, now=now)
    tap, board = typed_verb(tx, who, verb)
    seen = replace(who, message_id=board.message_id, chat_id=board.chat_id)
    left = left_behind(tx, board, who)
    if verb in {Verb.CLEAR, Verb.REPEAT}:
        acted = bet(tx, seen, tap, mark=None, now=now)
    elif verb is Verb.DEAL:
        acted = deal(tx, seen, tap, secret=secret, now=now)
    else:
        acted = decide(tx, seen, tap, secret=secret, now=now)
    return replace(acted, board=tx.boards.put(placed(acted.board, who, now=now)), left=left)


def note_on_board(tx: Tx, who: Who, refusal: Exception, *, now: datetime) -> SoloBoard | None:
    """
    A typed command was refused: one note line on the person's own board (BOARDS rule 6).

    None without a board, and after the end of a night, whose board stands as it is.
    """
    seat = seat_here(tx, who)
    board = tx.boards.of_seat(seat.id) if seat else None
    if seat is None or seat.night_id is None or board is None or board.chat_id != who.chat_id:
        return None
    brought = placed(board, who, now=now)
    return value(tx, show(tx, brought, face=board.face, round_id=board.round_id, note=noted(refusal)), seat)


# Finding


def board_at(tx: Tx, chat_id: int, message_id: int) -> SoloBoard | None:
    """The living board that stands in a message."""
    board = tx.boards.at(chat_id, message_id)
    seat = tx.seats.get(board.seat_id) if board else None
    return value(tx, board, seat) if board and seat else None


def board_of(tx: Tx, board_id: int) -> SoloBoard | None:
    """What a board shows, from what is stored: for painting again after a restart."""
    board = tx.boards.get(board_id)
    seat = tx.seats.get(board.seat_id) if board else None
    return value(tx, board, seat) if board and seat else None


def rules_at(tx: Tx, who: Who) -> RuleSet:
    """The rules that a refusal is about: those of the table or board in the message, else those of the chat."""
    here = who.chat_id, who.message_id or 0
    shared = tx.tables.at(*here)
    if shared is not None:
        return shared.table.rules
    board = tx.boards.at(*here)
    round_ = tx.rounds.get(board.round_id) if board is not None else None
    if round_ is not None:
        return round_.rules
    chat = tx.chats.get(who.chat_id)
    return chat.rules if chat is not None else HOUSE_RULES
