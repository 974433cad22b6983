"""How a contest stands, and how it stood at its end: places from what is stored, ties and all."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from bot.events import OwnNight, OwnNights, Standing, Standings
from bot.facts import Event, EventKind, Who
from bot.refusals import NoContest
from bot.storage import EventNight, EventResult, Tx
from core import contests
from core.contests import BestOfNights, Score

_LATE = timedelta(minutes=2)


def standings(tx: Tx, event: Event) -> Standings | None:
    """As it stands; None if the chat is gone. What has been played of the same deals is not told before its end."""
    chat = tx.chats.get(event.chat_id) if event.chat_id is not None else None
    board = tx.events.board(event.id, chat.id) if chat is not None else None
    if chat is None or board is None:
        return None
    results, playing = _results(tx, event)
    early = event.closed is not None and event.closed < event.ends
    admin = tx.people.get(event.closed_by) if event.closed_by else None
    return Standings(
        event=event,
        chat=chat,
        code=board.code,
        rows=_placed(tx, results, away=tx.seats.away(chat.id)),
        playing=playing,
        by=(admin.name if admin else "") if early or event.called_off else None,
        late=event.closed is not None and event.closed - event.ends > _LATE,
    )


def _results(tx: Tx, event: Event) -> tuple[list[EventResult], int]:
    if event.closed is not None:
        return tx.events.results(event.id), 0
    counted = final(tx, event)
    if event.kind is EventKind.NIGHTS:
        return counted, 0
    finished = {night.user_id for night in tx.events.nights(event.place) if night.over}
    return final(tx, event, only=finished), len(counted) - len(finished)


def final(tx: Tx, event: Event, *, only: set[int] | None = None) -> list[EventResult]:
    """
    What everybody has reached, in no order; an unfinished night counts with its chips, stakes in play among them.

    *only* leaves all others out, also of what points are given for.
    """
    nights = [night for night in tx.events.nights(event.place) if only is None or night.user_id in only]
    if event.kind is EventKind.NIGHTS:
        return _best(event, nights)
    points = {night.user_id: night.chips for night in nights}
    if event.kind is EventKind.MATCHPOINTS:
        nets = tx.events.nets(event.place)
        points = contests.matchpoints(
            {user: [nets.get(user, {}).get(deal) for deal in event.deals] for user in points}, len(event.deals)
        )
    return [
        EventResult(user_id=night.user_id, points=points[night.user_id], played=night.hands, reached=night.reached)
        for night in nights
    ]


def _best(event: Event, nights: Iterable[EventNight]) -> list[EventResult]:
    by_user: dict[int, list[EventNight]] = {}
    for night in nights:
        by_user.setdefault(night.user_id, []).append(night)
    kind = BestOfNights(nights=event.nights, hands=event.hands)
    counted: list[EventResult] = []
    for user, mine in by_user.items():
        scores = [Score(user=user, points=night.chips, reached=place) for place, night in enumerate(mine)]
        [best] = contests.best_nights(kind, scores)
        reached = mine[best.best.reached].reached
        counted.append(EventResult(user_id=user, points=best.best.points, played=best.played, reached=reached))
    return counted


def _placed(tx: Tx, results: Iterable[EventResult], *, away: set[int]) -> tuple[Standing, ...]:
    """
    Equal points share a place; who reached them first stands first (F108).

    Who has left the group is left out before anything is counted; what they reached stays, for a return (F109).
    """
    kept = {result.user_id: result for result in results if result.user_id not in away}
    moments = {moment: place for place, moment in enumerate(sorted({result.reached for result in kept.values()}))}
    scores = (Score(user=user, points=each.points, reached=moments[each.reached]) for user, each in kept.items())
    rows: list[Standing] = []
    for placed in contests.ranked(scores):
        person = tx.people.get(placed.score.user)
        rows.append(
            Standing(
                rank=placed.rank,
                user_id=placed.score.user,
                name=person.name if person else "",
                points=placed.score.points,
                played=kept[placed.score.user].played,
            )
        )
    return tuple(rows)


def own_nights(tx: Tx, who: Who, event_id: int) -> OwnNights:
    """
    My nights: what the tapper has played of a contest, and the place it makes.

    :raises NoContest: If there is no such contest here.
    """
    event = tx.events.get(event_id)
    found = standings(tx, event) if event is not None and event.chat_id is not None else None
    if event is None or found is None or who.chat_id not in {found.chat.id, who.user_id}:
        raise NoContest
    mine = [night for night in tx.events.nights(event.place) if night.user_id == who.user_id]
    return OwnNights(
        event=event,
        nights=tuple(OwnNight(chips=night.chips, hands=night.hands, over=night.over) for night in mine),
        standing=next((row for row in found.rows if row.user_id == who.user_id), None),
    )
