"""Contests and days: seals, deals drawn by the published rule, results as the nights say, messages, champions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from bot.facts import Event, EventKind
from bot.services.audit.findings import Findings, differs, unless, wrong
from bot.services.audit.rounds import readable
from bot.services.daily import BUY_IN
from bot.services.events import judged
from bot.services.standings import final
from bot.storage import EventResult
from bot.storage.inspection import Inspection
from bot.storage.instants import from_ms, to_ms
from bot.storage.sql import Row
from core import contests, daily, fair
from core.betting import Wager, first_wager
from core.errors import NotADay

_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)
_AHEAD = timedelta(hours=14)  # no clock is further from UTC


def events(look: Inspection, page: Sequence[Row]) -> Findings:
    """Each event in itself, and what came of it."""
    for row in page:
        event = readable(lambda _, id_=row["id"]: look.tx.events.get(id_), "")  # type: ignore[misc]
        if event is None:
            yield wrong("events", row["id"], "", "an event that can be read", "none")
            continue
        yield from _place(look, row)
        yield from _terms(event)
        yield from _times(event)
        yield from _secret(event)
        yield from _deals(event)
        yield from _nights(look, event)
        yield from _results(look, event)


def _place(look: Inspection, row: Row) -> Findings:
    """A contest runs in one chat; its slot is that chat's, under whichever id it was begun. A day is everybody's."""
    id_, chat, slot = row["id"], row["chat_id"], row["slot"]
    off = row["called_off"]
    yield from unless(off == 0 or (off == 1 and row["closed"] is not None), "events", id_, "called_off", "0, or 1", off)
    if row["kind"] == EventKind.DAILY:
        for column in ("chat_id", "slot"):
            yield from differs("events", id_, column, None, row[column])
        yield from differs("events", id_, "called_off", 0, off)
        return
    yield from differs("events", id_, "day", None, row["day"])
    board = chat is not None and look.tx.events.board(id_, chat)
    yield from unless(board, "event_boards", "", "event_id", f"a message of event {id_} in its chat", "none")
    here = look.by_id("chats", {chat, slot} - {None})
    yield from unless(chat in here, "events", id_, "chat_id", "a chat that exists", chat)
    right = slot is None if row["closed"] is not None else slot == chat or _moved(here.get(slot)) == chat
    yield from unless(right, "events", id_, "slot", "the chat while it runs", slot)


def _moved(chat: Row | None) -> int | None:
    return None if chat is None else chat["moved_to"]


def _terms(event: Event) -> Findings:
    fixed = first_wager(event.rules) if event.fixed else Wager()
    for column, right, found in (
        ("ante", fixed.ante, event.wager.ante),
        ("pair_plus", fixed.pair_plus, event.wager.pair_plus),
        ("six_card", fixed.six_card, event.wager.six_card),
        ("buy_in", _buy_in(event), event.buy_in),
    ):
        yield from differs("events", event.id, column, right, found)
    least, most = contests.NIGHTS if event.kind is EventKind.NIGHTS else (1, 1)
    yield from unless(least <= event.nights <= most, "events", event.id, "nights", f"{least} to {most}", event.nights)
    if event.kind is EventKind.NIGHTS:
        least, most = contests.HANDS
        yield from unless(least <= event.hands <= most, "events", event.id, "hands", f"{least} to {most}", event.hands)
    else:
        yield from differs("events", event.id, "hands", len(event.deals), event.hands)


def _buy_in(event: Event) -> int:
    if event.kind is EventKind.DAILY:
        return BUY_IN
    return max(event.rules.buy_in, event.hands * event.wager.need)


def _times(event: Event) -> Findings:
    if event.kind is EventKind.DAILY:
        try:
            begins = datetime.fromisoformat(daily.checked_day(event.day)).replace(tzinfo=UTC)
        except NotADay:
            yield wrong("events", event.id, "day", "a day", event.day)
            return
        yield from differs("events", event.id, "opens", begins, event.opens)
        yield from differs("events", event.id, "ends", begins + _DAY, event.ends)
        yield from unless(event.made < event.ends, "events", event.id, "made", "before its end", event.made)
    else:
        yield from differs("events", event.id, "made", event.opens, event.made)
        seconds, rest = divmod(event.ends - event.opens, _HOUR)
        fits = not rest and contests.length_problem(seconds * contests.HOUR) is None
        yield from unless(fits, "events", event.id, "ends", "1 hour to 31 days later, in hours", event.ends)
    if event.closed is not None:
        yield from unless(event.closed >= event.opens, "events", event.id, "closed", "after it began", event.closed)


def _secret(event: Event) -> Findings:
    shared = event.kind is not EventKind.NIGHTS
    yield from differs("events", event.id, "secret", fair.SECRET_BYTES if shared else 0, len(event.secret))
    right = fair.commitment(event.secret) if shared else ""
    yield from differs("events", event.id, "commitment", right, event.commitment)


def _deals(event: Event) -> Findings:
    """Drawn by the published rule, so that nobody could have picked them."""
    match event.kind:
        case EventKind.NIGHTS:
            right: tuple[int, ...] = ()
        case EventKind.MATCHPOINTS:
            drawn = contests.near_deals(event.secret, event.name, min(event.hands, contests.DEALS[1]), event.rules)
            right = tuple(deal.number for deal in drawn)
        case _:
            right = tuple(range(1, event.hands + 1))
    yield from unless(right == event.deals, "events", event.id, "deals", str(right), event.deals)


def _nights(look: Inspection, event: Event) -> Findings:
    """Everybody plays by the event's rules with the event's chips, no more nights and hands than it has."""
    seated: dict[int, int] = {}
    for night in look.nights_at(event.place):
        id_ = night["id"]
        seated[night["seat_id"]] = seated.get(night["seat_id"], 0) + 1
        yield from differs("nights", id_, "buy_in", event.buy_in, night["buy_in"])
        yield from unless(
            readable(lambda _, id_=night["rules_id"]: look.tx.rule_sets.get(id_), "") == event.rules,  # type: ignore[misc]
            "events", event.id, "rules_id", f"the rules of night {id_}", night["rules_id"],
        )  # fmt: skip
        yield from unless(
            night["hands"] <= event.hands, "nights", id_, "hands", f"{event.hands} at most", night["hands"]
        )
        full = night["closed"] is None or night["ending"] != "cashed" or night["hands"] == event.hands
        cut_short = event.closed is not None and night["closed"] == to_ms(event.closed)
        yield from unless(full or cut_short, "nights", id_, "hands", f"{event.hands}, or cut short", night["hands"])
    for seat, nights in seated.items():
        yield from unless(
            nights <= event.nights, "seats", seat, "", f"{event.nights} nights at most in the event", nights
        )


def _results(look: Inspection, event: Event) -> Findings:
    """What is stored is what the nights say; nothing where an operator took a hand back after the end."""
    stored = readable(lambda _: look.tx.events.results(event.id), "")
    taken_back = any(look.by_id("malfunctions", _rounds(look, event), "round_id"))
    if taken_back:
        return
    expected = readable(lambda _: _expected(look, event), "")
    if expected is None or stored is None:
        yield from unless(stored is not None, "event_results", event.id, "", "results that can be read", "none")
        return  # its terms or its hands are wrong, which is said elsewhere
    right, found = ({result.user_id: result for result in each} for each in (expected, stored))
    for user in {*right, *found}:
        place = f"{event.id}/{user}"
        yield from differs("event_results", place, "", right.get(user), found.get(user))


def _rounds(look: Inspection, event: Event) -> Iterator[int]:
    for night in look.nights_at(event.place):
        yield from look.rounds_of(night["id"])


def _expected(look: Inspection, event: Event) -> list[EventResult]:
    if event.kind is EventKind.DAILY:
        return [*_days(look, event)]
    return final(look.tx, event) if event.closed is not None and not event.called_off else []


def _days(look: Inspection, event: Event) -> Iterator[EventResult]:
    """Everybody whose night of the day is over, but for those who were forgotten in the middle of it."""
    for night in look.nights_at(event.place):
        if night["closed"] is None or night["ending"] is None or not night["hands"]:
            continue
        choices = judged(look.tx, night["id"])
        yield EventResult(
            user_id=night["user_id"],
            points=night["chips"],
            played=len(choices),
            reached=from_ms(night["closed"]),
            grid=" ".join(choices),
        )


def boards(look: Inspection) -> Findings:
    """Each stands for an event, in its own chat."""
    for row in look.texts("event_boards"):
        event = readable(lambda _, id_=row["event_id"]: look.tx.events.get(id_), "")  # type: ignore[misc]
        if event is None:
            yield wrong("event_boards", row["id"], "event_id", "an event that exists", row["event_id"])
            continue
        here = look.by_id("chats", [row["chat_id"]])
        yield from unless(
            row["chat_id"] in here, "event_boards", row["id"], "chat_id", "a chat that exists", row["chat_id"]
        )
        if event.chat_id is not None:
            yield from differs("event_boards", row["id"], "chat_id", event.chat_id, row["chat_id"])


def champions(look: Inspection) -> Findings:
    """Each was crowned for a night of that chat."""
    for row in look.texts("champions"):
        place = f"{row['chat_id']}/{row['month']}/{row['user_id']}"
        night = look.night_that_scored(row["chat_id"], row["user_id"], row["chips"], row["reached"])
        yield from unless(night, "champions", place, "", "a night with these chips that ended then", "none")
        moment = readable(lambda _, at=row["reached"]: from_ms(at), "")  # type: ignore[misc]
        months = () if moment is None else {f"{moment + way:%Y-%m}" for way in (-_AHEAD, timedelta(), _AHEAD)}
        yield from unless(row["month"] in months, "champions", place, "month", f"one of {months}", row["month"])
