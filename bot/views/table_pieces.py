"""What every stage of the group table's message is made of."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.facts import Person, Tap, Verb
from bot.options import local
from bot.tables import TableBoard
from bot.views.kit import Page, name_html, seal
from core.table import Back


def named(value: TableBoard, page: Page) -> str:
    """The first line of a table that no hand is played at."""
    return page.t("Table in {group}", group=name_html(value.chat.title, page))


def title(value: TableBoard, page: Page, *, over: bool = False) -> str:
    """The first line while a hand comes or is played, or (*over*) is shown: its number and its deck."""
    hand = value.shown.hand if over and value.shown is not None else value.table.hand
    parts = [page.t("Table"), page.t("hand {number}", number=hand), back(hand, page)]
    return page.dot.join([*parts, page.t("showdown")] if over else parts)


def back(hand: int, page: Page) -> str:
    """The deck of that hand: two alternate (CAL)."""
    blue = (Back.BLUE if hand % 2 else Back.RED) is Back.BLUE
    if page.words:
        return page.t("blue backs") if blue else page.t("red backs")
    return "🟦" if blue else "🟥"


def name_of(value: TableBoard, seat: int, page: Page) -> str:
    """The name of whoever has that seat, for message text."""
    return name_html(value.people.get(seat, Person(id=0)).name, page, seat)


def bank_line(text: str, page: Page) -> str:
    """What is said of the bank, marked as that."""
    return page.t("Bank: {text}", text=text) if page.words else f"🏦 {text}"


def tap(value: TableBoard, verb: Verb, *numbers: int) -> Tap:
    """The payload of a table's key: the table, and the hand that is coming or in play."""
    return Tap(verb=verb, board=value.place.id, round=value.place.round_id, numbers=numbers)


def until_of(value: TableBoard) -> str:
    """The stage's end by the group's clock; empty where nothing presses."""
    if value.table.deadline is None:
        return ""
    return local(datetime.fromtimestamp(value.table.deadline, UTC), value.chat).strftime("%H:%M:%S")


def seal_of(value: TableBoard, page: Page) -> str:
    """The seal of the hand that is coming or in play (BOARDS rule 9)."""
    return seal(value.coming.commitment, page) if value.coming is not None else ""


def cut_of(value: TableBoard, page: Page) -> str:
    """Who cut the hand with Telegram's dice, and what they showed."""
    coming = value.coming
    if coming is None or coming.cut is None or coming.cut_by is None:
        return ""
    return page.t("Cut by {name}: {value}", name=name_of(value, coming.cut_by, page), value=coming.cut)
