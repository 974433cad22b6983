"""One use case, one function, one transaction: a person's hand against the house (SEL, P3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from bot.facts import Board, Design, Ending, Face, Night, Person, Round, Seat, SoloBoard, Tap, Verb, Who
from bot.refusals import (
    AlreadyDone,
    BetChanged,
    BetFixed,
    BettingClosed,
    DeadKey,
    HandInPlay,
    NoHand,
    NotChips,
    NotSeated,
    noted,
)
from bot.services import events
from bot.services.breaks import may_bet
from bot.services.held import at_table, may_leave
from bot.services.manners import may_deal
from bot.services.places import crowded, left_behind, placed, seat_here
from bot.services.seating import (
    HOUSE,
    arrive,
    board_here,
    end_night,
    home_of,
    is_dealt,
    open_round,
    own_board,
    round_account,
    seat_account,
    show,
    sit_down,
    value,
)
from bot.storage import Entry, Tx
from core import betting, odds, solo
from core.betting import Wager
from core.errors import RuleError
from core.odds import DEALER_HANDS, Advice
from core.rules import RuleSet, Spot, preset
from core.solo import Betting, Dealt, Settled

SPOTS = tuple(Spot)  # the order of spots in payloads
HOUSE_RULES = preset("selminha")  # where a chat has not chosen yet
_FIRST = {  # while bets are open, no other board has the key Hands
    Face.FIRST: Face.FIRST,
    Face.HANDS: Face.FIRST,
    Face.WELCOME: Face.WELCOME,
    Face.WELCOME_HANDS: Face.WELCOME,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """The board that `/deal` brings; unchanged and near, it needs no new picture."""

    board: SoloBoard
    unchanged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Advised:
    """What Hint knows: nothing but the player's own cards, the wager and the rules."""

    dealt: Dealt
    advice: Advice
    rules: RuleSet


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
    round_ = _open_round_of(tx, seat)
    note = _typed_bet(tx, seat, round_, amounts, now=now)
    untouched = board is not None and board.round_id == round_.id and board.face in _FIRST
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


def _open_round_of(tx: Tx, seat: Seat) -> Round:
    round_ = tx.rounds.get(seat.round_id) if seat.round_id is not None else None
    if round_ is None:
        raise NotSeated
    return round_


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
    round_ = _open_round_of(tx, seat)
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


# Betting


def bet(tx: Tx, who: Who, tap: Tap, *, mark: int | None, now: datetime) -> SoloBoard:
    """
    A bet-building tap. It moves no chip: it counts as long as the round is in betting, however old the picture;
    only a repeated callback (its *mark*) is dropped.

    :raises AlreadyDone: If the key is about an earlier round.
    :raises BettingClosed: While the cards are out.
    :raises BetFixed: Where everybody has the same bets.
    :raises RuleError: If the table does not take such a bet, with what it takes.
    :raises NotYourBoard, DeadKey: As `own_board`.
    """
    board, seat = own_board(tx, who, tap, now=now)
    round_ = _betting_round(tx, seat, tap)
    events.own_bets(tx, seat)
    if mark is None or tx.marks.first(mark, now=now):
        built = _built(_betting(round_), seat, tap, rules=round_.rules)
        if built != round_.state:
            round_ = tx.rounds.put(round_, state=built, now=now)
        seat = _chosen(tx, seat, tap, rules=round_.rules)
    face = board.face if board.face in {Face.FIRST, Face.WELCOME} else Face.BET
    return value(tx, show(tx, board, face=face, round_id=round_.id), seat, shown=round_, following=round_)


def _betting_round(tx: Tx, seat: Seat, tap: Tap) -> Round:
    """The seat's open round in betting, if the tap means that one."""
    if seat.round_id is None or seat.round_id != tap.round:
        raise AlreadyDone
    round_ = _open_round_of(tx, seat)
    _betting(round_)
    return round_


def _betting(round_: Round) -> Betting:
    if not isinstance(round_.state, Betting):
        raise BettingClosed
    return round_.state


def _built(state: Betting, seat: Seat, tap: Tap, *, rules: RuleSet) -> Betting:
    """The bet as the tap builds it."""
    wager, stack = state.wager, seat.chips
    match tap.verb:
        case Verb.ADD:
            spot, chip = _spot(tap.numbers[0]), _tray_chip(tap.numbers[1], rules)
            wager = betting.add(wager, spot, chip, rules=rules, stack=stack)
        case Verb.TAKE:
            wager = betting.take(wager, _spot(tap.numbers[0]), _tray_chip(tap.numbers[1], rules), rules=rules)
        case Verb.HALF:
            wager = betting.half(wager, rules=rules)
        case Verb.DOUBLE:
            wager = betting.double(wager, rules=rules, stack=stack)
        case Verb.MAX:
            wager = betting.most(wager, rules=rules, stack=stack)
        case Verb.CLEAR:
            wager = betting.clear()
        case Verb.REPEAT:
            return solo.switch_repeat(state, on=bool(tap.numbers[0]), rules=rules, stack=stack)
    return replace(state, wager=wager)


def _chosen(tx: Tx, seat: Seat, tap: Tap, *, rules: RuleSet) -> Seat:
    """The seat with the chosen chip, or with Repeat switched."""
    if tap.verb is Verb.CHIP:
        chosen = replace(seat, chip=_tray_chip(tap.numbers[0], rules))
    elif tap.verb is Verb.REPEAT:
        chosen = replace(seat, repeat=bool(tap.numbers[0]))
    else:
        return seat
    if chosen != seat:
        tx.seats.put(chosen)
    return chosen


def _spot(number: int) -> Spot:
    if number >= len(SPOTS):
        raise DeadKey
    return SPOTS[number]


def _tray_chip(number: int, rules: RuleSet) -> int:
    if number not in rules.chips:
        raise DeadKey
    return number


# The hand


def deal(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> SoloBoard:
    """
    Deal exactly the wager that the key names, from the secret that was committed to before.

    The bets and the cover for Play move from the seat to the round; without an Ante the hand is settled at once (P3).

    :raises BetChanged: If the stored bet is another one (BOARDS rule 5).
    :raises AlreadyDone: If this round was dealt before.
    :raises BettingClosed: While the cards are out.
    :raises RuleError: If the table does not take the bet, or the stack does not cover it.
    :raises OnBreak, BlackListed, TooManyHands, EventOver: Where the person may not bet now.
    :raises NotYourBoard, DeadKey: As `own_board`.
    """
    board, seat = own_board(tx, who, tap, now=now)
    round_ = _betting_round(tx, seat, tap)
    state = _betting(round_)
    wager = Wager(ante=tap.numbers[0], pair_plus=tap.numbers[1], six_card=tap.numbers[2])
    if wager != state.wager:
        raise BetChanged(state.wager)
    person = tx.people.get(seat.user_id)
    may_bet(person, now=now)
    events.may_go_on(tx, seat, now=now)
    chat = may_deal(tx, seat, now=now)
    deck = events.deck_of(tx, seat, round_)
    dealt = solo.deal(state, deck, rules=round_.rules, stack=seat.chips)
    entries = Entry(seat_account(seat), -wager.need), Entry(round_account(round_), wager.need)
    tx.ledger.move("deal", *entries, round_id=round_.id, now=now)
    seat = replace(seat, chips=seat.chips - wager.need)
    if isinstance(dealt, Settled):
        return _settle(tx, board, seat, round_, dealt, secret=secret, now=now)
    round_ = tx.rounds.put(round_, state=dealt, now=now)
    shown = show(tx, board, face=Face.CARDS, round_id=round_.id)
    return value(tx, shown, seat, owner=person, chat=chat, shown=round_)


def decide(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> SoloBoard:
    """
    Play or Fold, once: the hand is settled and the next round opens with its seal (SEL, P3).

    *secret*, 32 bytes nobody can foresee, is that of the next round.

    :raises AlreadyDone: If the key is about an earlier round.
    :raises NoHand: If nothing is dealt.
    :raises EventOver, BlackListed: In an event, from its end on or by its admins' word.
    :raises NotYourBoard, DeadKey: As `own_board`.
    """
    board, seat = own_board(tx, who, tap, now=now)
    if seat.round_id is None or seat.round_id != tap.round:
        raise AlreadyDone
    round_ = _open_round_of(tx, seat)
    if not isinstance(round_.state, Dealt):
        raise NoHand
    events.may_go_on(tx, seat, now=now)
    choose = solo.play if tap.verb is Verb.PLAY else solo.fold
    return _settle(tx, board, seat, round_, choose(round_.state, round_.rules), secret=secret, now=now)


def _settle(
    tx: Tx, board: Board, seat: Seat, round_: Round, state: Settled, *, secret: bytes, now: datetime
) -> SoloBoard:
    """Chips go where the hand sends them, the night counts it, and the next round opens or the night is over."""
    back = solo.returned(state)
    entries = [Entry(round_account(round_), -state.wager.need), Entry(seat_account(seat), back)]
    entries.append(Entry(HOUSE, state.wager.need - back))
    tx.ledger.move("settle", *(entry for entry in entries if entry.chips), round_id=round_.id, now=now)
    round_ = tx.rounds.put(round_, state=state, now=now, given_away=_given_away(state, round_.rules))
    person = tx.people.count_hand(tx.people.get(seat.user_id) or Person(id=seat.user_id))
    night = tx.nights.count_hand(_night(tx, seat))
    seat = replace(seat, chips=seat.chips + back, round_id=None)
    event, following = events.event_of(tx, seat), None
    if solo.night_is_over(seat.chips, night.rules) and not at_table(tx, seat):
        seat, night = end_night(tx, seat, night, Ending.BROKE, now=now)
    elif events.is_full(event, night):
        seat, night = end_night(tx, seat, night, Ending.CASHED, now=now)
    else:
        bet_again = solo.next_hand(state.wager, rules=night.rules, stack=seat.chips, repeat=seat.repeat)
        following = open_round(tx, seat, night, bet_again, person, secret=secret, now=now)
        seat = replace(seat, round_id=following.id)
        tx.seats.put(seat)
    if event is not None:
        events.settled(tx, event, seat, night, chance=secret, now=now)
    shown = show(tx, board, face=Face.CARDS, round_id=round_.id)
    return value(tx, shown, seat, owner=person, night=night, shown=round_, following=following)


def _given_away(state: Settled, rules: RuleSet) -> int:
    """What the choice gave away, in chips / 18,424: a whole number, since no paytable has fractions."""
    if state.decision is None:
        return 0
    return int(odds.given_away(state.player, state.decision, rules, state.wager.ante) * DEALER_HANDS)


def _night(tx: Tx, seat: Seat) -> Night:
    night = tx.nights.get(seat.night_id) if seat.night_id is not None else None
    if night is None:
        raise NotSeated
    return night


def hint(tx: Tx, who: Who, tap: Tap) -> Advised:
    """
    What to do with exactly these cards, and what play and fold are worth per ante; changes nothing.

    :raises NoHand: If nothing is dealt.
    :raises HintOff: In an event.
    :raises NotYourBoard, DeadKey: As `board_here`.
    """
    _, seat = board_here(tx, who, tap)
    return _advised(tx, seat)


def rules_of(tx: Tx, who: Who, tap: Tap) -> RuleSet:
    """
    The rules of the round that a board shows; anybody there may read them.

    :raises DeadKey: If no such board stands in this chat.
    """
    board = tx.boards.get(tap.board)
    round_ = tx.rounds.get(board.round_id) if board is not None and board.chat_id == who.chat_id else None
    if round_ is None:
        raise DeadKey
    return round_.rules


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


def hint_word(tx: Tx, who: Who) -> Advised:
    """
    `/hint`, or the word: about the hand that is in play in this chat.

    :raises NoHand: If none is.
    :raises HintOff: In an event.
    """
    seat = seat_here(tx, who)
    if seat is None:
        raise NoHand
    return _advised(tx, seat)


def _advised(tx: Tx, seat: Seat) -> Advised:
    events.no_hints(seat)
    round_ = tx.rounds.get(seat.round_id) if seat.round_id is not None else None
    if round_ is None or not isinstance(round_.state, Dealt):
        raise NoHand
    return Advised(dealt=round_.state, advice=odds.hint(round_.state.player, round_.rules), rules=round_.rules)


# Pages of the board, and leaving


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
            return _FIRST.get(board.face, Face.BET) if betting_on else Face.CARDS, board.round_id


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
    round_ = _open_round_of(tx, seat)
    if isinstance(round_.state, Dealt):
        raise HandInPlay
    may_leave(tx, seat)
    seat, night = end_night(tx, seat, _night(tx, seat), Ending.CASHED, now=now)
    shown = show(tx, board, face=Face.LEFT, round_id=round_.id)
    return value(tx, shown, seat, night=night)


def new_night(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> SoloBoard:
    """
    Deal: a new night, on the same board. A night that is already under way is shown as it is.

    :raises EventOver, DayPlayed, NoMoreNights: In an event that has no other night for this person.
    :raises NotYourBoard, DeadKey: As `own_board`.
    """
    board, seat = own_board(tx, who, tap, now=now)
    person, _ = arrive(tx, who, now=now)
    home = home_of(tx, seat)
    if seat.night_id is None:
        events.may_sit_down(tx, seat, now=now)
        seat = sit_down(tx, seat, home, person, secret=secret, now=now)
    round_ = _open_round_of(tx, seat)
    face = Face.CARDS if isinstance(round_.state, Dealt) else Face.FIRST
    return value(tx, show(tx, board, face=face, round_id=round_.id), seat, owner=person, chat=home)


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
