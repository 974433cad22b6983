"""What every proof says, of a hand alone or at a table: which steps hold, and the digits (BOARDS 3.8)."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from bot.views.kit import Page, ltr, text_of
from core.fair import Step


def steps_told(steps: Sequence[tuple[Step, str]], broken: Step | None, page: Page) -> list[str]:
    """A line for each step, up to the one that does not hold."""
    held = page.t("Yes:") if page.words else "✅"
    failed = page.t("No:") if page.words else "❌"
    lines: list[str] = []
    for step, sentence in steps:
        lines.append(f"{failed if step is broken else held} {sentence}")
        if step is broken:
            break
    return lines


def digits(written: Mapping[str, object], words: Sequence[str], page: Page, *more: str) -> str:
    """The numbers of a transcript as people copy them, folded away."""
    deck = written["deck"]
    mixed = ", ".join(html.escape(word, quote=False) for word in words if word) or page.t("none")
    told = text_of(
        page.t("Nonce: {number}", number=written["nonce"]),
        page.t("Seal: {digits}", digits=f"<code>{written['commitment']}</code>"),
        page.t("Secret: {digits}", digits=f"<code>{written['secret']}</code>"),
        page.t("Words: {words}", words=f"\u2068{mixed}\u2069"),
        page.t("Deck: {cards}", cards=ltr(" ".join(map(str, deck)), page) if isinstance(deck, list) else ""),
        *more,
    )
    return f"<blockquote expandable>{told}</blockquote>"
