"""Records of a chat: the top five nights (BOARDS section 5)."""

from __future__ import annotations

import html

from bot.facts import Score
from bot.views.kit import Page, View, chips, name_html, text_of


def top(scores: tuple[Score, ...], own: Score | None, title: str, page: Page) -> View:
    """The chat's best nights; below them the asker's own place, by name, if it is not among them."""
    cup = "" if page.words else "🏆 "
    head = page.t("Your best nights") if page.private and not title else html.escape(title, quote=False)
    lines = [f"{cup}<b>{head}</b> · {page.t('all time')}"]
    lines += [
        page.t(
            "{rank}. {name} · {chips}",
            rank=score.rank,
            name=name_html(score.name, page),
            chips=chips(score.chips, page),
        )
        for score in scores
    ]
    if not scores:
        lines.append(page.t("No night has ended here yet. /deal begins one, /cashout ends it."))
    if own is not None and own.rank > len(scores):
        lines.append(
            page.t("{name}: place {rank} · {chips}", name=name_html(own.name, page), rank=own.rank,
                   chips=chips(own.chips, page))
        )  # fmt: skip
    return View(text=text_of(*lines))
