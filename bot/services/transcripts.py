"""Deals that can be checked: whose hand may be opened, and its transcript (DESIGN section 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from bot.facts import EVENT_PLACES, Round, Seat, Who
from bot.refusals import NoSuchHand, NotOpenYet
from bot.services import events
from bot.storage import Tx
from bot.tables import FIRST_HAND, TableProof, TableRound
from core import fair
from core.solo import Betting, Settled

MOST_HANDS = 500  # in one file; a longer night is cut to its latest hands


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """A round that somebody may look at."""

    round: Round
    own: bool  # the asker's own hand


def by_seal(tx: Tx, who: Who, commitment: str) -> Sealed | TableProof:
    """
    `/start <commitment>`: whoever knows the whole seal has seen it on a board and may ask for it.

    :raises NoSuchHand: If no round was announced by it.
    """
    shared = tx.tables.by_commitment(commitment)
    if shared is not None:
        return _at_table(tx, who, shared)
    round_ = tx.rounds.by_commitment(commitment)
    seat = tx.seats.get(round_.seat_id) if round_ else None
    if round_ is None or seat is None:
        raise NoSuchHand
    return Sealed(round=round_, own=seat.user_id == who.user_id)


def _at_table(tx: Tx, who: Who, round_: TableRound) -> TableProof:
    """A hand of a table, with the names of everybody in it."""
    over = round_.showdown
    seats = [tx.seats.get(player.user) for player in over.players] if over is not None else []
    people = {seat.id: tx.people.get(seat.user_id) for seat in seats if seat is not None}
    return TableProof(
        round=round_,
        names={seat_id: person.name for seat_id, person in people.items() if person is not None},
        member=tx.seats.at(tx.tables.chat_of(round_), who.user_id) is not None,
    )


def _table_hand(tx: Tx, who: Who, number: int) -> TableProof:
    round_ = tx.tables.round(number)
    found = _at_table(tx, who, round_) if round_ is not None else None
    if found is None or not found.member:
        raise NoSuchHand
    if found.round.showdown is None:
        raise NotOpenYet
    return found


def by_number(tx: Tx, who: Who, number: int) -> Sealed | TableProof:
    """
    `/verify <number>` and the keys of a proof: one's own hands, and those of a group where one has a seat.

    :raises NoSuchHand: If there is none, or none that the asker may see.
    :raises NotOpenYet: If it is not settled yet.
    """
    if number >= FIRST_HAND:
        return _table_hand(tx, who, number)
    round_ = tx.rounds.get(number)
    seat = tx.seats.get(round_.seat_id) if round_ else None
    if round_ is None or seat is None:
        raise NoSuchHand
    own = seat.user_id == who.user_id
    if not own and (seat.chat_id == seat.user_id or tx.seats.at(seat.chat_id, who.user_id) is None):
        raise NoSuchHand
    if not isinstance(round_.state, Settled):
        raise NotOpenYet
    events.can_be_opened(tx, round_)
    return Sealed(round=events.opened(tx, round_), own=own)


def latest(tx: Tx, who: Who) -> Round | None:
    """The asker's latest settled hand of their own in this chat, in private in any: the example of `/fair`."""
    found = [round_ for seat in _seats(tx, who) if (round_ := tx.rounds.latest_settled(seat.id)) is not None]
    return max(found, key=lambda round_: round_.id, default=None)


def _seats(tx: Tx, who: Who) -> list[Seat]:
    """The asker's seat in a group; in private all of them but those of contests, whose deals others may still play."""
    if who.chat_id != who.user_id:
        seat = tx.seats.at(who.chat_id, who.user_id)
        return [seat] if seat is not None else []
    return [seat for seat in tx.seats.of(who.user_id) if seat.chat_id > EVENT_PLACES]


def has_night(tx: Tx, who: Who) -> bool:
    """Whether night() would find a hand."""
    return any(night.hands for seat in _seats(tx, who) for night in tx.nights.of(seat.id))


def night(tx: Tx, who: Who) -> tuple[Round | TableProof, ...]:
    """
    The settled hands of the asker's latest night here, in private of any chat: alone and at tables, for one file.

    In the order in which they were settled, at most MOST_HANDS of them.

    :raises NoSuchHand: If there is none.
    """
    nights = [night for seat in _seats(tx, who) for night in tx.nights.of(seat.id) if night.hands]
    for each in sorted(nights, key=lambda night: night.id, reverse=True):
        shared = [_at_table(tx, who, round_) for round_ in tx.tables.settled_of(each.id, last=MOST_HANDS)]
        hands: list[Round | TableProof] = [*tx.nights.rounds(each.id), *shared]
        if hands:
            return tuple(sorted(hands, key=_settled)[-MOST_HANDS:])
    raise NoSuchHand


def _settled(hand: Round | TableProof) -> tuple[datetime, int]:
    round_ = hand.round if isinstance(hand, TableProof) else hand
    return round_.settled or round_.opened, round_.id


def choose_words(tx: Tx, who: Who, words: str, *, now: datetime) -> str:
    """
    The person's own words for the shuffle, for every deal from now on that is not dealt yet.

    :raises RuleError: If they are too long or hold what cannot be used.
    """
    checked = fair.checked_words(words)
    person = tx.people.seen(who.user_id, name=who.name, app_language=who.app_language, now=now)
    if person.words != checked:
        person = replace(person, words=checked)
        tx.people.put(person)
    for seat in tx.seats.of(who.user_id):
        round_ = tx.rounds.get(seat.round_id) if seat.round_id is not None else None
        own = round_ is not None and round_.deal is None  # an event's words are its name
        if round_ is not None and own and isinstance(round_.state, Betting) and round_.words != (checked,):
            tx.rounds.set_words(round_, (checked,), now=now)
    return checked


def words_of(tx: Tx, who: Who) -> str:
    """The asker's own words for the shuffle; empty for none."""
    person = tx.people.get(who.user_id)
    return person.words if person is not None else ""
