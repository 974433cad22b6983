"""A person's own data and limits: what is stored, the file of it, being forgotten, and a break."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import orjson

from bot.facts import Tap, Verb
from bot.views.kit import GAP, Key, Page, Style, View, rows, text_of

ASK, YES, NO = range(3)  # what a key of /forget says
MOST_FILE = 40 << 20  # bytes; Telegram takes 50 MB
_FILE = "q64-mydata"


def privacy(page: Page, operator: str) -> View:
    """`/privacy`: what is stored, why, how long, and who runs this bot (terms for bot developers, section 4)."""
    return View(
        text=text_of(
            f"<b>{page.t('Privacy')}</b>",
            page.t("Stored: your Telegram user id, your name and the language of your app as last seen; your choices "
                   "here, such as cards, words for the shuffle or a break; your seats, nights, hands and chips, and "
                   "which messages show them; what admins of a chat set about you, such as a black list."),
            page.t("Why: to deal, to keep your chips, to show each chat its top five, and so that every deal can be "
                   "checked."),
            page.t("Never stored: anything else that people write. Nothing is sold, nothing is handed on."),
            GAP,
            page.t("How long: until you say /forget. Then your user id, name and choices are erased at once, in copies "
                   "made from then on too."),
            page.t("What stays then is nobody’s: scores and hands under “someone”, so that the others’ ranks and the "
                   "books remain right, and the words that went into a shuffle, or that hand could not be checked."),
            page.t("/mydata sends you everything as a file; /forget erases it. Both work in our private chat."),
            GAP,
            page.t("Play money only: chips cannot be bought or cashed in."),
            _operator(page, operator),
        )
    )  # fmt: skip


def _operator(page: Page, operator: str) -> str:
    if operator:
        return page.t("This bot is run by {operator}.", operator=f"\u2068{html.escape(operator, quote=False)}\u2069")
    return page.t("Whoever runs this bot has left no name here.")


def question(page: Page) -> View:
    """`/forget` asks once: what goes, what stays."""
    return View(
        text=text_of(
            f"<b>{page.t('Erase everything about you?')}</b>",
            page.t("Gone for good: your user id, your name, your choices and words, your statistics."),
            page.t("A hand in play is settled first, by the best play for its cards. Nights under way end without a "
                   "score, and their chips are gone."),
            page.t("What stays is nobody’s: scores in top fives under “someone”, and the hands behind them."),
            page.t("That you had a try in a contest or a daily five that goes on is kept until its end, as a number "
                   "that tells nothing else: nobody has two."),
            page.t("This cannot be undone. /mydata sends you a copy first."),
        ),
        keys=rows(
            page,
            (Key(page.t("Yes, erase everything"), _key(YES), style=Style.DANGER),),
            (Key(page.t("No, keep it"), _key(NO)),),
        ),
    )  # fmt: skip


def _key(says: int) -> Tap:
    return Tap(verb=Verb.FORGET, numbers=(says,))


def forgotten(page: Page, *, known: bool) -> View:
    """After the yes: the question's message without its keys."""
    if not known:
        return View(text=nothing_stored(page))
    return View(
        text=page.t(
            "Forgotten. Nothing that is kept tells any more who you were; old messages stay in their chats until they "
            "are deleted. /start begins as somebody new."
        )
    )


def kept(page: Page) -> View:
    """After the no: the question's message without its keys."""
    return View(text=page.t("Nothing was erased."))


def nothing_stored(page: Page) -> str:
    """For whom the bot does not know."""
    return page.t("Nothing is stored about you.")


def closed_board(page: Page) -> View:
    """In the place of a board whose owner was forgotten."""
    return View(text=page.t("This board is closed. /deal opens one of your own."))


def break_begun(until: datetime, page: Page) -> View:
    """`/break 7d`: until when, and that there is no way back."""
    return View(
        text=text_of(
            page.t("No bets until {moment}, in any chat.", moment=page.t.moment(until)),
            page.t("It cannot be ended earlier, only made longer. A hand in play can be finished."),
        )
    )


def about_breaks(until: datetime | None, page: Page) -> View:
    """`/break` alone."""
    return View(
        text=text_of(
            page.t("You are on a break until {moment}.", moment=page.t.moment(until)) if until else "",
            page.t("Say /break and how long: /break 12h, /break 7d or /break 4w, up to 365 days. Until then you "
                   "cannot bet, in any chat; it cannot be ended earlier, only made longer."),
        )
    )  # fmt: skip


def files(
    head: Mapping[str, Any], rounds: Sequence[bytes], lines: Sequence[bytes], made: datetime
) -> list[tuple[str, bytes]]:
    """Everything about a person as JSON files, by name: one, unless that would be too large for Telegram."""
    pieces = [("rounds", page) for page in rounds] + [("ledger", page) for page in lines]
    parts: list[dict[str, list[bytes]]] = [{"rounds": [], "ledger": []}]
    size = 0
    for kind, page in pieces:
        size += len(page)
        if size > MOST_FILE:
            parts.append({"rounds": [], "ledger": []})
            size = len(page)
        parts[-1][kind].append(page)
    first = {"v": 1, "made": made.isoformat(), "parts": len(parts), **head}
    heads = [first] + [{"v": 1, "made": made.isoformat(), "part": number} for number in range(2, len(parts) + 1)]
    names = [f"{_FILE}.json"] + [f"{_FILE}-{number}.json" for number in range(2, len(parts) + 1)]
    return [(name, _file(head_, part)) for name, head_, part in zip(names, heads, parts, strict=True)]


def page_of_file(records: Iterable[Mapping[str, Any]]) -> bytes:
    """Some records as they stand in a list of the file."""
    return b",\n".join(map(orjson.dumps, records))


def _file(head: Mapping[str, Any], lists: Mapping[str, Sequence[bytes]]) -> bytes:
    begun = orjson.dumps(head, option=orjson.OPT_INDENT_2).removesuffix(b"\n}")
    told = [b'"%s": [\n%s\n]' % (name.encode(), b",\n".join(pages)) for name, pages in lists.items()]
    return b",\n".join((begun, *told)) + b"\n}\n"
