"""The daily five: one's own page in private, a group's one message a day (BOARDS section 5)."""

from __future__ import annotations

from collections.abc import Iterator

from bot.events import DayBoard, DayPage
from bot.facts import Event, Tap, Verb
from bot.views.kit import GAP, Key, Page, Style, View, board_text, chips, deep_link, name_html, rows, seal
from bot.views.share import day_name, grid_lines, grid_text, signs
from bot.views.standings import DOOR

_MOST_ROWS = 20


def page_of(value: DayPage, page: Page) -> View:
    """`/daily` in private: what it is, the seals, and the one try or its result."""
    event = value.today
    lines = [
        f"<b>{page.t('Daily')}{page.dot}{day_name(event.day, page)}</b>",
        page.t("The same five deals for everybody everywhere: 500 chips, your own bets, one try, no hints."),
        page.t("A day goes from 00:00 to 24:00 UTC."),
        GAP,
        *_own(value, page),
        GAP,
        page.t("Today: {seal}", seal=seal(event.commitment, page)),
        page.t("Tomorrow: {seal}", seal=seal(value.tomorrow.commitment, page)),
        *_opened(value.yesterday, page),
    ]
    keys: tuple[Key, ...] = ()
    if value.own is not None:
        keys = (Key(page.t("Copy result"), copy=grid_text(value.own, event.commitment, page)),)
    else:
        label = page.t("Go on with today’s five") if value.under_way else page.t("Play today’s five")
        keys = (Key(label, Tap(verb=Verb.DAILY), style=Style.PRIMARY),)
    return View(text=board_text(page, *lines), keys=rows(page, keys))


def _own(value: DayPage, page: Page) -> Iterator[str]:
    if value.own is not None:
        yield from grid_lines(value.own, page)[1:]
    else:
        yield page.t.n("Played this month: {count} day", "Played this month: {count} days", value.days)


def _opened(yesterday: Event | None, page: Page) -> Iterator[str]:
    if yesterday is not None and yesterday.closed is not None:
        yield page.t("Yesterday’s secret is open: {seal}", seal=seal(yesterday.commitment, page))


def board(value: DayBoard, page: Page) -> View:
    """A group's one message about a day; it judges choices, and spoils nothing."""
    day = day_name(value.event.day, page)
    lines = [page.t("Daily"), day, page.t("same five deals for all")]
    shown = value.rows[:_MOST_ROWS]
    told = [
        page.t(
            "{name} {signs} {chips}",
            name=name_html(row.name, page, row.user_id),
            signs=signs(row.qualities, page, gap=""),
            chips=chips(row.chips, page),
        )
        for row in shown
    ]
    if len(value.rows) > len(shown):
        told.append(page.t.n("and {count} more", "and {count} more", len(value.rows) - len(shown)))
    if not value.rows:
        told.append(page.t("Nobody here has played it yet."))
    keys: tuple[Key, ...] = ()
    if value.event.closed is None:
        play = page.t("Play today’s five") + " ↗"
        keys = (Key(play, url=deep_link(page, DOOR + value.code), style=Style.PRIMARY),)
    return View(text=board_text(page, page.dot.join(lines), *told), keys=rows(page, keys))
