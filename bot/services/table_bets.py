"""Bets, cards and decisions at the group table (CAL; BOARDS section 4): one use case, one function, one transaction."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from bot.facts import Tap, Verb, Who
from bot.refusals import AlreadyDone, HintByTap
from bot.services.payloads import spot_of, tray_chip
from bot.services.table import Here, here, may_stake
from bot.services.table_course import board_of, follow, quietly, stacks_of
from bot.storage import Tx
from bot.tables import TableAdvice, TableTold
from core import odds, table_moves
from core.errors import NothingToDecide
from core.settlement import Decision
from core.table import Offered, Showdown, Step, Wish, player_of


def bet(tx: Tx, who: Who, tap: Tap, *, mark: int, secret: bytes, now: datetime) -> TableTold:
    """
    A chip on a spot, a chip off it, or Clear. It moves no chip: every tap counts while bets are open, however old the
    picture; only a repeated callback (its *mark*) is dropped.

    :raises RuleError: If bets are not open for this person, or the table does not take such a bet.
    :raises HandOver, TableGone, DeadKey: As `table.here`.
    """
    at = here(tx, who, tap)
    if not tx.marks.first(mark, now=now):
        return TableTold(board=board_of(tx, at.place, at.chat), seat=at.seat.id, unchanged=True)
    return _acted(tx, at, _built(at, tap), secret, now)


def _built(at: Here, tap: Tap) -> Step:
    rules = at.table.rules
    match tap.verb:
        case Verb.TABLE_ADD:
            spot, chip = spot_of(tap.numbers[0]), tray_chip(tap.numbers[1], rules)
            return table_moves.add_chip(at.table, at.seat.id, spot, chip, stack=at.seat.chips)
        case Verb.TABLE_TAKE:
            spot, chip = spot_of(tap.numbers[0]), tray_chip(tap.numbers[1], rules)
            return table_moves.take_chip(at.table, at.seat.id, spot, chip)
        case _:
            return table_moves.clear_bet(at.table, at.seat.id)


def ready(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> TableTold:
    """
    The bets are final: they and the cover for Play leave the stack; the last one ends the stage.

    :raises NoBet, AlreadyReady, CannotCover: And every other RuleError that such a bet meets.
    :raises NoChipsLeft, OnBreak, BlackListed, TooManyHands: As `table.may_stake`.
    :raises HandOver, TableGone, DeadKey: As `table.here`.
    """
    at = here(tx, who, tap)
    may_stake(tx, at.seat, now=now)
    return _acted(tx, at, table_moves.ready(at.table, at.seat.id, stack=at.seat.chips), secret, now)


def same_bet(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> TableTold:
    """
    Last bets and ready, in one tap; after a showdown: as soon as the next bets open.

    :raises RuleError, Refusal: As `ready`.
    """
    at = here(tx, who, tap)
    may_stake(tx, at.seat, now=now)
    if isinstance(at.table.stage, Showdown | Offered):
        return _wished(tx, at, Wish.SAME_BET, secret, now)
    return _acted(tx, at, table_moves.same_bet(at.table, at.seat.id, stack=at.seat.chips), secret, now)


def other_bet(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> TableTold:
    """After a showdown: in the coming hand, with bets of its own."""
    return _wished(tx, here(tx, who, tap), Wish.OTHER_BET, secret, now)


def sit_out(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> TableTold:
    """Not in this hand, or after a showdown: not in the coming one."""
    at = here(tx, who, tap)
    if isinstance(at.table.stage, Showdown | Offered):
        return _wished(tx, at, Wish.SIT_OUT, secret, now)
    stacks = stacks_of(tx, at.table)
    return _acted(tx, at, table_moves.sit_out(at.table, at.seat.id, stacks=stacks), secret, now)


def _wished(tx: Tx, at: Here, wish: Wish, secret: bytes, now: datetime) -> TableTold:
    step = table_moves.wish_next(at.table, at.seat.id, wish, stacks=stacks_of(tx, at.table))
    return _acted(tx, at, step, secret, now)


def cards(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> TableTold:  # noqa: ARG001 - called like all
    """
    My cards: shown to their owner alone; no picture changes.

    :raises NotInHand, BankerCannotBet: For who has none.
    :raises HandOver, TableGone, DeadKey: As `table.here`.
    """
    at = here(tx, who, tap)
    step = table_moves.look(at.table, at.seat.id)
    return quietly(tx, at.place, step.table, at.seat, peeked=True, now=now)


def decide(tx: Tx, who: Who, tap: Tap, *, secret: bytes, now: datetime) -> TableTold:
    """
    Play or Fold; before a look it shows the cards and decides nothing, since a late tap on a bet may land here.

    The last decision brings the showdown.

    :raises AlreadyDecided, NothingToDecide, NotInHand, BankerCannotBet: If there is nothing to decide for this person.
    :raises HandOver, TableGone, DeadKey: As `table.here`.
    """
    at = here(tx, who, tap)
    seen = player_of(at.table, at.seat.id).looked
    decision = Decision.PLAY if tap.verb is Verb.TABLE_PLAY else Decision.FOLD
    step = table_moves.decide(at.table, at.seat.id, decision)
    if not seen:
        return quietly(tx, at.place, step.table, at.seat, peeked=True, now=now)
    return _acted(tx, at, step, secret, now)


def word(tx: Tx, who: Who, verb: Verb, *, update_id: int, secret: bytes, now: datetime) -> TableTold | None:
    """
    A typed word in reply to the table does what its key does; None where *who* names a message that is no table.

    :raises HintByTap: For what only a toast may say: a hint, and cards that were not looked at before.
    :raises AlreadyDone: If this update was worked on before.
    """
    place = tx.tables.at(who.chat_id, who.message_id) if who.message_id is not None else None
    if place is None:
        return None
    if not tx.marks.first(update_id, now=now):
        raise AlreadyDone
    if verb not in BY_WORD:
        raise HintByTap
    tap = Tap(verb=BY_WORD[verb], board=place.id, round=place.round_id)
    at = here(tx, who, tap)
    if tap.verb is Verb.TABLE_CLEAR:
        return _acted(tx, at, _built(at, tap), secret, now)
    if verb in {Verb.PLAY, Verb.FOLD} and not player_of(at.table, at.seat.id).looked:
        raise HintByTap
    return USE_CASES[tap.verb](tx, who, tap, secret=secret, now=now)


def hint(tx: Tx, who: Who, tap: Tap) -> TableAdvice:
    """
    What to do with exactly one's own cards, as against a bank without limit; changes nothing.

    :raises NothingToDecide: Without an Ante.
    :raises NotInHand, BankerCannotBet: For who has no cards.
    :raises HandOver, TableGone, DeadKey: As `table.here`.
    """
    at = here(tx, who, tap)
    player = player_of(at.table, at.seat.id)
    if not player.wager.ante:
        raise NothingToDecide
    rules = at.table.rules
    return TableAdvice(wager=player.wager, player=player.hand, advice=odds.hint(player.hand, rules), rules=rules)


def _acted(tx: Tx, at: Here, step: Step, secret: bytes, now: datetime) -> TableTold:
    return follow(tx, at.place, step, secret=secret, now=now, chat=at.chat, seat=at.seat)


BY_WORD: Final = {
    Verb.PLAY: Verb.TABLE_PLAY,
    Verb.FOLD: Verb.TABLE_FOLD,
    Verb.DEAL: Verb.TABLE_READY,
    Verb.REPEAT: Verb.TABLE_SAME_BET,
    Verb.CLEAR: Verb.TABLE_CLEAR,
}
"""The keys that words stand for at a table."""
USE_CASES = {
    Verb.TABLE_SAME_BET: same_bet,
    Verb.TABLE_READY: ready,
    Verb.TABLE_SIT_OUT: sit_out,
    Verb.TABLE_OTHER_BET: other_bet,
    Verb.TABLE_CARDS: cards,
    Verb.TABLE_PLAY: decide,
    Verb.TABLE_FOLD: decide,
}
"""By the key; all are called alike."""
