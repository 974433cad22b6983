"""Records of a chat: the top five nights (BOARDS section 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from bot.events import Crown, SeasonEnd
from bot.facts import Score, Tap, Verb
from bot.periods import Period, zone
from bot.views.kit import Key, Page, View, _, chips, fitted, listed, name_html, rows, text_of, title_html

PERIODS: Mapping[Period, str] = {Period.WEEK: _("Week"), Period.MONTH: _("Month"), Period.ALL_TIME: _("All time")}
_TITLES: Mapping[Period, str] = {
    Period.WEEK: _("this week"),
    Period.MONTH: _("this month"),
    Period.ALL_TIME: _("all time"),
}


def top(
    scores: tuple[Score, ...],
    own: Score | None,
    page: Page,
    *,
    title: str,
    period: Period,
    ends: datetime | None,
    zone_name: str,
    asker: int,
    crowned: bool = False,
) -> View:
    """The chat's best nights of a period; below them the asker's own place, by name, if it is not among them."""
    lines = [*_ranked(scores, page)]
    if own is not None and all(each.user_id != own.user_id for each in scores):
        place = page.t("place {rank}", rank=own.rank)
        lines.append(f"{name_html(own.name, page, own.user_id)} · {place} · {chips(own.chips, page)}")
    if not scores:
        lines.append(page.t("No night has ended here in this time. /deal begins one, /cashout ends it."))
    head = _head(title_html(title), period, page)
    mine = Key(page.t("My place"), Tap(verb=Verb.MY_PLACE, numbers=(period,)))
    return View(
        text=text_of(head, *lines, _ends(period, ends, zone_name, page)),
        keys=rows(page, *fitted(tuple(_period_keys(period, asker, page))), (mine, *_hall_key(crowned, page))),
    )


def _ranked(scores: Iterable[Score], page: Page) -> Iterator[str]:
    for each in scores:
        name = name_html(each.name, page, each.user_id)
        yield page.t("{rank}. {name} · {chips}", rank=each.rank, name=name, chips=chips(each.chips, page))


def _hall_key(crowned: bool, page: Page) -> tuple[Key, ...]:
    return (Key(page.t("Champions"), Tap(verb=Verb.CHAMPIONS)),) if crowned else ()


def hall(crowns: tuple[Crown, ...], page: Page, *, title: str, asker: int) -> View:
    """The champions of a chat, month by month."""
    cup = "" if page.words else "👑 "
    lines = [
        page.t(
            "{month}: {name} · {chips}",
            month=_month(crown.month, page),
            name=name_html(crown.name, page, crown.user_id),
            chips=chips(crown.chips, page),
        )
        for crown in crowns
    ]
    head = f"{cup}<b>{title_html(title)}</b>{page.dot}{page.t('hall of champions')}"
    back = Key(page.t("Back"), Tap(verb=Verb.TOP, round=asker, numbers=(Period.MONTH,)))
    return View(text=text_of(head, *(lines or [page.t("No month has a champion yet.")])), keys=rows(page, (back,)))


def season(value: SeasonEnd, page: Page) -> View:
    """The one post at a month's end: the champion, and the five."""
    cup = "" if page.words else "👑 "
    champions = listed((name_html(score.name, page, score.user_id) for score in value.top if score.rank == 1), page)
    title = title_html(value.chat.title)
    return View(
        text=text_of(
            f"{cup}<b>{title}</b>{page.dot}{_month(value.month, page)}",
            page.t("Champion: {name}", name=champions),
            *_ranked(value.top, page),
            page.t("A night belongs to the month in which it ended. The new month has begun."),
        )
    )


def _month(month: str, page: Page) -> str:
    """A month such as 2026-11 by its name."""
    return page.t.month(datetime.fromisoformat(f"{month}-01"))


def own_nights(nights: tuple[tuple[int, datetime], ...], page: Page, *, period: Period, asker: int) -> View:
    """One's own best nights, in a private chat."""
    lines = [
        page.t("{rank}. {chips} · {date}", rank=place, chips=chips(score, page), date=page.t.date(ended))
        for place, (score, ended) in enumerate(nights, start=1)
    ]
    if not nights:
        lines.append(page.t("No night has ended here in this time. /deal begins one, /cashout ends it."))
    head = _head(page.t("Your best nights"), period, page)
    return View(text=text_of(head, *lines), keys=rows(page, *fitted(tuple(_period_keys(period, asker, page)))))


def _head(title: str, period: Period, page: Page) -> str:
    cup = "" if page.words else "🏆 "
    return f"{cup}<b>{title}</b> · {page.t(_TITLES[period])}"


def _ends(period: Period, ends: datetime | None, zone_name: str, page: Page) -> str:
    if ends is None:
        return ""
    when = page.t.moment(ends.astimezone(zone(zone_name)))
    return page.t("New week: {when}", when=when) if period is Period.WEEK else page.t("New month: {when}", when=when)


def _period_keys(shown: Period, asker: int, page: Page) -> Iterator[Key]:
    for period, label in PERIODS.items():
        text = page.t(label)
        if period is shown:
            text = page.t("{label}, chosen", label=text) if page.words else f"● {text}"
        yield Key(text, Tap(verb=Verb.TOP, round=asker, numbers=(period,)))


def place_toast(own: Score | None, period: Period, page: Page) -> str:
    """The tapper's own place, for a toast."""
    if own is None:
        return page.t("No night of yours counts here in this time yet. /cashout ends one.")
    title = page.t(_TITLES[period])
    return page.t(
        "You: place {rank} {period}, {chips} chips.", rank=own.rank, period=title, chips=chips(own.chips, page)
    )
