"""A contest in its group: as it is made, as it stands, as it ended (BOARDS section 5)."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from bot.events import CONTESTS, OwnNights, Standing, Standings, Terms
from bot.facts import Event, EventKind, Tap, Verb
from bot.periods import zone
from bot.views.kit import (
    GAP,
    Key,
    Page,
    Style,
    View,
    _,
    board_text,
    chips,
    deep_link,
    fitted,
    listed,
    ltr,
    name_html,
    plain_name,
    rows,
    seal,
    title_html,
    toast,
)
from bot.views.words import explain, wager_text

DOOR = "e"  # a `start` payload that is the door of an event begins with it
TOP = 10  # places on show; who shares the last of them is shown, too
_MOST_ROWS = 15
DAY = 24  # hours


_KINDS: Mapping[EventKind, str] = {
    EventKind.NIGHTS: _("Nights"),
    EventKind.SAME_DEALS: _("Same deals"),
    EventKind.MATCHPOINTS: _("Matchpoints"),
}
_ABOUT: Mapping[EventKind, str] = {
    EventKind.NIGHTS: _("Everybody plays nights of their own; the best one counts."),
    EventKind.SAME_DEALS: _("Everybody plays the same deals with their own bets; the chips at the end count."),
    EventKind.MATCHPOINTS: _(
        "Everybody plays the same deals with the same bets: a point for everyone you beat on a deal, half for a tie."
    ),
}
_HANDS = (10, 20, 40)
_DEALS = (10, 20, 30)
_NIGHTS = (1, 3, 5)
_HOURS = (DAY, 3 * DAY, 7 * DAY, 30 * DAY)


# Making one


def maker(terms: Terms, page: Page, *, note: Exception | None = None) -> View:
    """A contest as it would be, and the keys to change it; only Start begins it."""
    lines = [
        f"<b>{page.t('A contest for this group')}</b>",
        page.t("Note: {text}", text=html.escape(explain(note, page), quote=False)) if note is not None else "",
        GAP,
        _terms_line(terms.kind, terms.hands, terms.nights, page),
        page.t("It begins at once and lasts {length}.", length=length_text(terms.hours, page)),
        page.t(_ABOUT[terms.kind]),
        page.t("It is played in the private chat. For honour only; Hint is off until a hand is settled."),
    ]
    start = Key(page.t("Start the contest"), Tap(verb=Verb.CONTEST_START, numbers=terms.numbers), style=Style.PRIMARY)
    return View(text=board_text(page, *lines), keys=rows(page, *fitted(*_choices(terms, page)), (start,)))


def _choices(terms: Terms, page: Page) -> Iterator[tuple[Key, ...]]:
    own = terms.kind is EventKind.NIGHTS
    kinds = [(page.t(_KINDS[kind]), _of_kind(terms, kind), kind is terms.kind) for kind in CONTESTS]
    yield _row(kinds, page)
    sizes = _HANDS if own else _DEALS
    yield _row([(_size(own, size, page), _with(terms, hands=size), size == terms.hands) for size in sizes], page)
    if own:
        nights = [
            (page.t.n("{count} night", "{count} nights", n), _with(terms, nights=n), n == terms.nights) for n in _NIGHTS
        ]
        yield _row(nights, page)
    yield _row([(length_text(h, page), _with(terms, hours=h), h == terms.hours) for h in _HOURS], page)


def _size(own: bool, size: int, page: Page) -> str:
    return page.t.n("{count} hand", "{count} hands", size) if own else page.t.n("{count} deal", "{count} deals", size)


def _of_kind(terms: Terms, kind: EventKind) -> Terms:
    """Another kind keeps what fits it."""
    if kind is EventKind.NIGHTS:
        return Terms(kind=kind, hands=terms.hands, nights=max(terms.nights, 3), hours=terms.hours)
    return Terms(kind=kind, hands=min(max(terms.hands, 10), 30), nights=1, hours=terms.hours)


def _with(terms: Terms, *, hands: int = 0, nights: int = 0, hours: int = 0) -> Terms:
    return Terms(kind=terms.kind, hands=hands or terms.hands, nights=nights or terms.nights, hours=hours or terms.hours)


def _row(choices: Sequence[tuple[str, Terms, bool]], page: Page) -> tuple[Key, ...]:
    keys: list[Key] = []
    for label, terms, chosen in choices:
        text = label
        if chosen:
            text = page.t("{label}, chosen", label=label) if page.words else f"● {label}"
        keys.append(Key(text, Tap(verb=Verb.CONTEST_MAKE, numbers=terms.numbers)))
    return tuple(keys)


def length_text(hours: int, page: Page) -> str:
    """A length of real time in words."""
    if hours % DAY == 0:
        return page.t.n("{count} day", "{count} days", hours // DAY)
    return page.t.n("{count} hour", "{count} hours", hours)


def _terms_line(kind: EventKind, hands: int, nights: int, page: Page) -> str:
    if kind is EventKind.NIGHTS:
        each = page.t.n("{count} hand each", "{count} hands each", hands)
        return page.t.n("one night, {each}", "best of {count} nights, {each}", nights, each=each)
    deals = page.t.n("the same {count} deal for all", "the same {count} deals for all", hands)
    return listed((deals, page.t("matchpoints")), page) if kind is EventKind.MATCHPOINTS else deals


# As it stands


def board(value: Standings, page: Page) -> View:
    """The one calm message of a contest, and its final result when it is over."""
    event = value.event
    lines = [_title(value, page), *_places(value, page), GAP, *_facts(value, page)]
    if event.closed is not None:
        return View(text=board_text(page, *lines), keys=rows(page, _check_keys(value, page)))
    play = Key(page.t("Play it in private") + " ↗", url=deep_link(page, DOOR + value.code), style=Style.PRIMARY)
    mine = Key(page.t("My nights"), Tap(verb=Verb.CONTEST_NIGHTS, round=event.id))
    return View(text=board_text(page, *lines), keys=rows(page, (play, mine)))


def _title(value: Standings, page: Page) -> str:
    event = value.event
    flag = "" if page.words else "🏁 "
    group = f"{flag}<b>{title_html(value.chat.title)}</b>"
    return group + page.dot + _terms_line(event.kind, event.hands, event.nights, page)


def _places(value: Standings, page: Page) -> Iterator[str]:
    shown = [row for row in value.rows if row.rank <= TOP][:_MOST_ROWS]
    for row in shown:
        yield _place(row, value.event, page)
    if len(value.rows) > len(shown):
        more = len(value.rows) - len(shown)
        yield page.t.n("and {count} more", "and {count} more", more)
    if not value.rows and not value.event.called_off:
        yield page.t("Nobody has a score yet.") if value.event.closed is None else page.t("Nobody played.")


def _place(row: Standing, event: Event, page: Page) -> str:
    played = ""
    if event.kind is EventKind.NIGHTS and event.nights > 1:
        played = " " + page.t("({played} of {count})", played=row.played, count=event.nights)
    elif event.kind is not EventKind.NIGHTS and row.played < event.hands:
        played = " " + page.t("({played} of {count} deals)", played=row.played, count=event.hands)
    name = name_html(row.name, page, row.user_id)
    return page.t("{rank}. {name} · {chips}", rank=row.rank, name=name, chips=points(row.points, event, page)) + played


def points(value: int, event: Event, page: Page) -> str:
    """Chips; matchpoints with their halves."""
    if event.kind is not EventKind.MATCHPOINTS:
        return chips(value, page)
    return ltr(page.t.number(value // 2) + ("½" if value % 2 else ""), page)


def _facts(value: Standings, page: Page) -> Iterator[str]:
    event = value.event
    if event.closed is None:
        people = page.t.n("{count} person", "{count} people", len(value.rows) + value.playing)
        if value.playing:
            still = page.t.n("{count} still playing", "{count} still playing", value.playing)
            people = listed((people, still), page)
        yield people + page.dot + page.t("ends {when}", when=_when(event.ends, value, page))
        if event.fixed:
            yield page.t("Bets of every deal: {bet}.", bet=wager_text(event.wager, page, event.rules))
        yield page.t("For honour only. Hint is off until a hand is settled.")
    else:
        yield from _ended(value, page)
    if event.commitment:
        yield seal(event.commitment, page)


def _ended(value: Standings, page: Page) -> Iterator[str]:
    event = value.event
    closed = _when(event.closed or event.ends, value, page)
    by = None if value.by is None else name_html(value.by, page) if value.by else page.t("an admin")
    if event.called_off:
        yield page.t("Called off by {name}, {when}: no result.", name=by or page.t("an admin"), when=closed)
    elif by is not None:
        yield page.t("Ended by {name}, {when}.", name=by, when=closed)
    else:
        yield page.t("Ended {when}.", when=_when(event.ends, value, page))
        if value.late:
            yield page.t("This comes late: the bot was away at the end. What was played in time counts.")
    if not event.called_off:
        yield page.t.n("{count} person played.", "{count} people played.", len(value.rows))


def _when(moment: datetime, value: Standings, page: Page) -> str:
    return page.t.moment(moment.astimezone(zone(value.chat.time_zone)))


def _check_keys(value: Standings, page: Page) -> tuple[Key, ...]:
    if not value.event.commitment:
        return ()
    return (Key(page.t("Check the deals") + " ↗", url=deep_link(page, value.event.commitment)),)


def final(value: Standings, page: Page) -> View:
    """The one post about a contest's end."""
    winners = [row for row in value.rows if row.rank == 1]
    names = listed((name_html(row.name, page, row.user_id) for row in winners[:3]), page)
    head = ""
    if winners and not value.event.called_off:
        cup = "" if page.words else "🏆 "
        score = points(winners[0].points, value.event, page)
        head = cup + page.t("{name} wins with {points}.", name=names, points=score)
    shown = board(value, page)
    return View(text=board_text(page, head, GAP if head else "", shown.text), keys=shown.keys)


def ask(event: Event, page: Page, *, call_off: bool) -> View:
    """`/contest end` and `/contest cancel` ask once."""
    if call_off:
        text = page.t("Call the contest off? Nothing of it counts, and the group is told who did it.")
        yes = Key(page.t("Yes, call it off"), _close(event, 2), style=Style.DANGER)
    else:
        text = page.t("End the contest now? Nights under way count as they stand, stakes in play go back.")
        yes = Key(page.t("Yes, end it now"), _close(event, 1), style=Style.DANGER)
    return View(text=text, keys=rows(page, (yes, Key(page.t("Keep it"), _close(event, 0)))))


def _close(event: Event, what: int) -> Tap:
    return Tap(verb=Verb.CONTEST_CLOSE, round=event.id, numbers=(what,))


def own_alert(value: OwnNights, page: Page) -> str:
    """My nights, for whoever taps."""
    event = value.event
    if not value.nights:
        return page.t("You have not played yet. Play opens it in our private chat.")
    told: list[str] = []
    if value.standing is not None:
        score = points(value.standing.points, event, page)
        told.append(page.t("{name}: place {rank}, {points}.", name=plain_name(value.standing.name, page),
                           rank=value.standing.rank, points=score))  # fmt: skip
    for place, night in enumerate(value.nights, start=1):
        if event.kind is EventKind.MATCHPOINTS:
            told.append(page.t("{count} of {all} deals.", count=night.hands, all=event.hands))
        elif night.over:
            told.append(page.t("Night {number}: {chips}.", number=place, chips=chips(night.chips, page)))
        else:
            told.append(page.t("Night {number}: {chips} after {hands} of {all}.", number=place,
                               chips=chips(night.chips, page), hands=night.hands, all=event.hands))  # fmt: skip
    return toast(*told)


# Checking it


def sealed(event: Event, page: Page) -> View:
    """The whole seal of an event, and its secret once it is over."""
    lines = [
        page.t("This is the whole seal of {event}:", event=ltr(event.name, page)),
        f"<code>{event.commitment}</code>",
        GAP,
    ]
    if event.closed is None:
        lines.append(
            page.t(
                "It is the SHA-256 of one secret that fixes all its deals, the same for everybody. The secret opens at "
                "the end; then this link shows it."
            )
        )
        return View(text=board_text(page, *lines), keys=rows(page, (Key(page.t("Copy seal"), copy=event.commitment),)))
    check = f"<code>q64 verify {event.name.replace('/', '-')}.jsonl</code>"
    numbers = ltr(listed(map(str, event.deals), page), page)
    lines += [
        page.t("Secret: {digits}", digits=f"<code>{event.secret.hex()}</code>"),
        page.t("Deals: {numbers}", numbers=numbers),
        page.t("Check it without us: {command}", command=ltr(check, page)),
    ]
    file = Key(page.t("File"), Tap(verb=Verb.CONTEST_FILE, round=event.id))
    copy = Key(page.t("Copy secret"), copy=event.secret.hex())
    return View(text=board_text(page, *lines), keys=rows(page, (copy, file)))
