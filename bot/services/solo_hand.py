"""A person's hand against the house (SEL, P3): bets, Deal, Play or Fold, and Hint."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from bot.facts import Board, Ending, Face, Person, Round, Seat, SoloBoard, Tap, Verb, Who
from bot.refusals import AlreadyDone, BetChanged, BettingClosed, DeadKey, NoHand
from bot.services import events
from bot.services.breaks import may_bet
from bot.services.held import at_table
from bot.services.manners import may_deal
from bot.services.payloads import spot_of, tray_chip
from bot.services.places import seat_here
from bot.services.seating import (
    HOUSE,
    board_here,
    end_night,
    night_under_way,
    open_round,
    own_board,
    round_account,
    round_under_way,
    seat_account,
    show,
    value,
)
from bot.storage import Entry, Tx
from core import betting, odds, solo
from core.betting import Wager
from core.odds import DEALER_HANDS, Advice
from core.rules import RuleSet
from core.solo import Betting, Dealt, Settled


@dataclass(frozen=True, slots=True, kw_only=True)
class Advised:
    """What Hint knows: nothing but the player's own cards, the wager and the rules."""

    dealt: Dealt
    advice: Advice
    rules: RuleSet


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
    round_ = round_under_way(tx, seat)
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
            spot, chip = spot_of(tap.numbers[0]), tray_chip(tap.numbers[1], rules)
            wager = betting.add(wager, spot, chip, rules=rules, stack=stack)
        case Verb.TAKE:
            wager = betting.take(wager, spot_of(tap.numbers[0]), tray_chip(tap.numbers[1], rules), rules=rules)
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
        chosen = replace(seat, chip=tray_chip(tap.numbers[0], rules))
    elif tap.verb is Verb.REPEAT:
        chosen = replace(seat, repeat=bool(tap.numbers[0]))
    else:
        return seat
    if chosen != seat:
        tx.seats.put(chosen)
    return chosen


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
    round_ = round_under_way(tx, seat)
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
    night = tx.nights.count_hand(night_under_way(tx, seat))
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


# Hint, and the rules of a hand


def hint(tx: Tx, who: Who, tap: Tap) -> Advised:
    """
    What to do with exactly these cards, and what play and fold are worth per ante; changes nothing.

    :raises NoHand: If nothing is dealt.
    :raises HintOff: In an event.
    :raises NotYourBoard, DeadKey: As `board_here`.
    """
    _, seat = board_here(tx, who, tap)
    return _advised(tx, seat)


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
