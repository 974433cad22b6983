"""What somebody may copy and send elsewhere: a night, a great hand, a day's grid; with the way to check it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from bot.facts import Night, Round, SoloBoard, Summary
from bot.views import cards
from bot.views.figures import sparkline, thinned
from bot.views.kit import Key, Page, deep_link, directed, labelled, length, listed, plain_name, signed
from core.daily import Grid, Quality
from core.ranking import Category
from core.settlement import Decision
from core.solo import Settled

MOST = 256  # Bot API: CopyTextButton
_GREAT = (Category.THREE_OF_A_KIND, Category.STRAIGHT_FLUSH)
_SIGNS: Mapping[Quality, str] = {Quality.BEST: "✅", Quality.SLIGHT: "🔸", Quality.POOR: "❌"}


def copied(*lines: str) -> str:
    """
    The lines as one text to copy, the way to check it last, which stays whole.

    Where they are too long, the line before it goes, and at last the first is cut, as a name of many emoji asks for.
    """
    kept = directed("\n".join(filter(None, lines))).split("\n")
    while len(kept) > 2 and length("\n".join(kept)) > MOST:
        del kept[-2]
    first, *rest = kept
    while first and length("\n".join((first, *rest))) > MOST:
        first = first[:-1]
    return "\n".join((first, *rest))


def night_key(value: SoloBoard, night: Night, summary: Summary, page: Page) -> tuple[Key, ...]:
    """A finished night, with the seal of its last hand."""
    if not summary.hands or summary.last is None:
        return ()
    hands = page.t.n("{count} hand", "{count} hands", summary.hands)
    amount = page.t.n("{count} chip", "{count} chips", night.chips or 0)
    text = copied(
        f"{plain_name(value.owner.name, page)}{page.dot}{amount}{page.dot}{hands} ({signed(summary.net, page)})",
        page.t("Best hand: {cards}", cards=cards.hand_text(summary.best, page)) if summary.best else "",
        "" if page.words else sparkline(thinned(summary.path)),
        _check(*summary.last, page),
    )
    return (Key(page.t("Copy result"), copy=text),)


def hand_key(shown: Round, state: Settled, page: Page) -> tuple[Key, ...]:
    """A great hand that was played; never one that others still have to play."""
    great = state.settlement.player.category in _GREAT and state.decision is not Decision.FOLD
    if not great or shown.deal is not None:
        return ()
    mine, name = cards.hand_text(state.player, page), cards.hand_name(state.player, page)
    text = copied(
        f"{mine}{page.dot}{name}{page.dot}{signed(state.settlement.net, page)}",
        _check(shown.id, shown.commitment, page),
    )
    return (Key(page.t("Copy hand"), copy=text),)


def _check(number: int, commitment: str, page: Page) -> str:
    hand = page.t("hand {number}", number=number)
    return labelled(f"q64{page.dot}{hand}", deep_link(page, commitment), page)


def signs(qualities: Sequence[Quality], page: Page, *, gap: str = " ") -> str:
    """What the choices were worth; in words for screen readers."""
    if not page.words:
        return gap.join(_SIGNS[each] for each in qualities)
    told = {Quality.BEST: page.t("best"), Quality.SLIGHT: page.t("nearly"), Quality.POOR: page.t("costly")}
    return listed((told[each] for each in qualities), page)


def day_name(day: str, page: Page) -> str:
    """A day as the language writes it: "Nov 30"."""
    return page.t.date(datetime.fromisoformat(day).replace(tzinfo=UTC))


def grid_text(grid: Grid, commitment: str, page: Page) -> str:
    """The share grid: it gives away neither cards nor decisions (BOARDS section 5)."""
    return copied(*grid_lines(grid, page), labelled("q64", deep_link(page, commitment), page))


def grid_lines(grid: Grid, page: Page) -> tuple[str, ...]:
    """The share grid line by line: which day, the signs, the chips beside the average, how many days."""
    amount = page.t.n("{count} chip", "{count} chips", grid.result.chips)
    average = page.t("average {chips}", chips=page.t.decimal(grid.average, 0))
    return (
        page.t("q64 daily") + page.dot + day_name(grid.day, page),
        signs(grid.result.qualities, page),
        amount + page.dot + average,
        page.t("Day {count} this month", count=page.t.number(grid.days_this_month)),
    )
