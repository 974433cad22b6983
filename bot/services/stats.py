"""A person's own figures, and the path of one night for its picture; nothing here changes anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from itertools import accumulate

from bot.facts import Chat, Person, Stats, Tap, Wagered, Who
from bot.periods import Period, began
from bot.refusals import DeadKey, NotYourBoard
from bot.storage import Tx
from bot.tables import FIRST_HAND
from core.daily import DEALS, Quality
from core.odds import analysis

_CLEAN = " ".join([Quality.BEST] * DEALS)  # as results keep it
_MOST_HANDS = 20_000  # of one night, in its picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What `/stats` tells: of one chat in a group, of all chats in private."""

    person: Person
    chat: Chat | None
    stats: Stats


@dataclass(frozen=True, slots=True, kw_only=True)
class NightPath:
    """One night, hand by hand."""

    owner: Person
    chat: Chat | None
    path: tuple[int, ...]  # chips at the start and after each hand


def figures(tx: Tx, who: Who, *, now: datetime) -> Figures:
    """The asker's figures: in a group those of the seat there, in the private chat those of all seats together."""
    private = who.chat_id == who.user_id
    return Figures(
        person=tx.people.get(who.user_id) or Person(id=who.user_id, name=who.name, app_language=who.app_language),
        chat=tx.chats.get(who.chat_id),
        stats=replace(
            tx.scores.stats(who.user_id, chat_id=None if private else who.chat_id),
            titles=tx.seasons.titles(who.user_id),
            days=tx.events.days_played(who.user_id),
            clean_days=tx.events.days_played(who.user_id, grid=_CLEAN),
            contests=tx.events.contests_won(who.user_id),
            places=() if private else _places(tx, who, now),
        ),
    )


def _places(tx: Tx, who: Who, now: datetime) -> tuple[int | None, ...]:
    chat = tx.chats.get(who.chat_id)
    zone = chat.time_zone if chat else "UTC"
    found = (tx.scores.place(who.chat_id, who.user_id, since=began(period, zone, now)) for period in Period)
    return tuple(score.rank if score else None for score in found)


def night_path(tx: Tx, who: Who, tap: Tap) -> NightPath:
    """
    The night that the tapped hand belongs to, for whoever played it.

    :raises DeadKey: If there is no such hand, or its seat is in another chat.
    :raises NotYourBoard: If it is somebody else's.
    """
    seat_id, night_id = _part(tx, who, tap.round)
    seat, night = tx.seats.get(seat_id), tx.nights.get(night_id)
    if seat is None or night is None or who.chat_id not in {seat.chat_id, seat.user_id}:
        raise DeadKey
    owner = tx.people.get(seat.user_id) or Person(id=seat.user_id)
    if seat.user_id != who.user_id:
        raise NotYourBoard(owner.name)
    nets = tx.nights.nets(night.id, last=_MOST_HANDS)
    if not nets:
        raise DeadKey
    before = night.buy_in
    return NightPath(owner=owner, chat=tx.chats.get(seat.chat_id), path=tuple(accumulate(nets, initial=before)))


def _part(tx: Tx, who: Who, number: int) -> tuple[int, int]:
    """Whose seat and night a hand belongs to; of a hand at a table everybody in it has a night of their own."""
    if number >= FIRST_HAND:
        part = tx.table_hands.part_of(who.user_id, number)
    else:
        round_ = tx.rounds.get(number)
        part = (round_.seat_id, round_.night_id) if round_ else None
    if part is None:
        raise DeadKey
    return part


def expected_return(wagered: Iterable[Wagered]) -> Fraction | None:
    """
    What comes back per chip bet on average, Play included, with best play on the same bets; None without bets.

    Of these bets at these tables: exact edges, weighed by the chips that lay on each spot (RULES section 4).
    """
    lost = staked = Fraction(0)
    for part in wagered:
        odds = analysis(part.rules)
        lost += part.ante * odds.ante.house_edge
        staked += part.ante * (1 + odds.ante.hands_played)
        for chips, side in ((part.pair_plus, odds.pair_plus), (part.six_card, odds.six_card)):
            lost += chips * side.house_edge if side else 0
            staked += chips
    return 1 - lost / staked if staked else None
