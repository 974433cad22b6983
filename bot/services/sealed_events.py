"""What of an event can be checked: by its seal, and when it is over with every deal and one's own hands."""

from __future__ import annotations

from dataclasses import dataclass

from bot.facts import Event, Round, Who
from bot.refusals import NoContest, NotOpenYet
from bot.services.events import opened
from bot.storage import Tx

MOST_HANDS = 1000  # of one person, in a file


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnHands:
    """What a person may check of an event: its deals, and their own hands on them."""

    event: Event  # over
    rounds: tuple[Round, ...]  # settled, with their secrets


def by_seal(tx: Tx, commitment: str) -> Event | None:
    """The event that was announced by this seal; whoever knows it all may ask."""
    return tx.events.by_commitment(commitment)


def hands_of(tx: Tx, who: Who, event_id: int) -> OwnHands:
    """
    An event that is over, and the asker's own hands in it.

    :raises NoContest: If there is none of that number.
    :raises NotOpenYet: Before its end: others still play its deals.
    """
    event = tx.events.get(event_id)
    if event is None:
        raise NoContest
    if event.closed is None:
        raise NotOpenYet
    seat = tx.seats.at(event.place, who.user_id)
    nights = tx.nights.of(seat.id) if seat is not None else []
    rounds = [opened(tx, round_) for night in nights for round_ in tx.nights.rounds(night.id)]
    return OwnHands(event=event, rounds=tuple(rounds[:MOST_HANDS]))
