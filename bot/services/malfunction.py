"""Malfunction voids a hand (P3): an operator takes back a round that the audit proves broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.facts import Ending, Face, Night, Person, Seat
from bot.refusals import HandVoided, NoSuchHand, noted
from bot.services.audit import Finding, audit_round
from bot.services.seating import HOUSE, end_night, open_round, show
from bot.storage import Account, AccountKind, Entry, StorageError, Tx
from bot.storage.inspection import Inspection
from bot.storage.malfunctions import Malfunctions
from bot.storage.sql import Row
from bot.storage.timers import REPAINT
from core import solo
from core.betting import NO_WAGER
from core.solo import Betting


class SoundHand(Exception):  # noqa: N818 - told to the operator, never to people
    """Raised when a round is to be taken back in which the audit finds nothing wrong."""


class VoidAlready(Exception):  # noqa: N818 - told to the operator, never to people
    """Raised when a round holds nothing any more: never dealt before its night ended, or taken back before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """What became of a broken round."""

    round_id: int
    chips: int  # chips that the player got back, all told; negative: winnings that went back
    findings: tuple[Finding, ...]


def take_back(tx: Tx, round_id: int, *, secret: bytes, now: datetime) -> TakenBack:
    """
    Reverse every line of a broken round, so that bets return and winnings go back; the board says so.

    Winnings that the player has lost again since stay with the house to bear. A night that is over keeps its ending and
    gets the score that it would have without this hand. The row as it stood is kept as evidence.

    :raises NoSuchHand: If there is no such round.
    :raises VoidAlready: If it is void.
    :raises SoundHand: If the audit finds nothing wrong with it.
    """
    look = Inspection(tx, broken=(StorageError,))
    row, findings = look.round(round_id), audit_round(look, round_id)
    seat = None if row is None else tx.seats.get(row["seat_id"])
    night = None if row is None else tx.nights.get(row["night_id"])
    if row is None or findings is None or seat is None or night is None:
        raise NoSuchHand
    if row["void"]:
        raise VoidAlready
    if not findings:
        raise SoundHand
    chips = _reverse(tx, look.lines_of_rounds([round_id]).get(round_id, []), seat, night, round_id, now=now)
    counted = row["settled"] is not None
    Malfunctions(tx).keep(row, [*map(str, findings)], now)
    _night_without(tx, night, counted=counted)
    seat = tx.seats.get(seat.id) or seat
    if night.closed is None:
        seat = _goes_on(tx, seat, tx.nights.get(night.id) or night, round_id, secret=secret, now=now)
    _tell(tx, seat, round_id, chips, now=now)
    return TakenBack(round_id=round_id, chips=chips, findings=tuple(findings))


def _reverse(tx: Tx, lines: Sequence[Row], seat: Seat, night: Night, round_id: int, *, now: datetime) -> int:
    """One movement that leaves every account as it would be without the round; the player's part of it, in chips."""
    had: Counter[Account] = Counter()
    for line in lines:
        had[Account(AccountKind(line["kind"]), line["ref"])] += line["chips"]
    own = Account(AccountKind.SEAT, seat.id)
    back = -had.pop(own, 0)
    purse = own if night.closed is None else Account(AccountKind.SCORE, night.id)
    back = max(back, -(seat.chips if night.closed is None else tx.ledger.balance(purse)))
    had.pop(HOUSE, None)
    entries = [Entry(purse, back), *(Entry(account, -chips) for account, chips in had.items())]
    entries.append(Entry(HOUSE, -sum(entry.chips for entry in entries)))
    tx.ledger.move("void", *entries, round_id=round_id, now=now)
    return back


def _night_without(tx: Tx, night: Night, *, counted: bool) -> None:
    final = None if night.closed is None else tx.ledger.balance(Account(AccountKind.SCORE, night.id))
    if counted:
        Malfunctions(tx).uncount(night.id, chips=final)


def _goes_on(tx: Tx, seat: Seat, night: Night, round_id: int, *, secret: bytes, now: datetime) -> Seat:
    """The night goes on with a round to bet on, unless the chips that are left pay for no hand."""
    if seat.round_id == round_id:
        person = tx.people.get(seat.user_id) or Person(id=seat.user_id)
        following = open_round(tx, seat, night, Betting(wager=NO_WAGER), person, secret=secret, now=now)
        seat = replace(seat, round_id=following.id)
        tx.seats.put(seat)
    open_ = tx.rounds.get(seat.round_id) if seat.round_id is not None else None
    if open_ is not None and isinstance(open_.state, Betting) and solo.night_is_over(seat.chips, night.rules):
        seat, _ = end_night(tx, seat, night, Ending.BROKE, now=now)
    return seat


def _tell(tx: Tx, seat: Seat, round_id: int, chips: int, *, now: datetime) -> None:
    """A note on the board; it is painted by the bot that is running, or when one starts."""
    board = tx.boards.of_seat(seat.id)
    if board is None:
        return
    open_ = tx.rounds.get(seat.round_id) if seat.round_id is not None else None
    shown = open_.id if open_ is not None else board.round_id
    face = Face.LEFT if open_ is None else Face.BET if isinstance(open_.state, Betting) else Face.CARDS
    show(tx, board, face=face, round_id=shown, note=noted(HandVoided(number=round_id, chips=chips)))
    tx.timers.set(REPAINT, board.id, now)
