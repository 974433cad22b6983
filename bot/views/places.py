"""Where a seat's board stands: the door to the private chat, and what the group's message says meanwhile."""

from __future__ import annotations

from bot.facts import EventKind, SoloBoard, Tap, Verb
from bot.views.kit import Key, Page, Style, View, board_text, deep_link, name_html, plain_name, rows
from bot.views.share import day_name
from core.solo import Dealt

DOOR = "s"  # a `start` payload that is a seat's door begins with it


def door(value: SoloBoard, page: Page) -> View:
    """
    The group is busy: the private chat is offered, never forced, unless the admins want it so (BOARDS 3.7).

    Play it here never lies where the board that it opens has Deal, or Play and Fold (BOARDS rule 3).
    """
    busy = value.chat.awake_boards
    told = page.t.n(
        "{count} board is busy here, so pictures come slowly. "
        "In private this seat is quick: same chips, same top five.",
        "{count} boards are busy here, so pictures come slowly. "
        "In private this seat is quick: same chips, same top five.",
        busy,
    )
    if not busy:
        told = page.t("Boards of this group are played in private: same chips, same top five.")
    here = (Key(page.t("Play it here"), Tap(verb=Verb.HERE, board=value.board.id)),) if busy else ()
    private = (_private_key(value.door, page),)
    dealt = value.shown is not None and isinstance(value.shown.state, Dealt)
    keys = (private, here) if dealt else (here, private)
    return View(text=board_text(page, _title(value, page), told), keys=rows(page, *keys))


def away(value: SoloBoard, code: str, page: Page) -> View:
    """What the message in the group says while the seat is played in private; below lies the place of Deal."""
    text = board_text(page, _title(value, page) + page.dot + page.t("plays this seat in private"))
    back = Key(page.t("Bring it back"), Tap(verb=Verb.BRING_BACK, board=value.board.id))
    return View(text=text, keys=rows(page, (back,), (_private_key(code, page),)))


def _private_key(code: str, page: Page) -> Key:
    return Key(page.t("Play it in private") + " ↗", url=deep_link(page, DOOR + code), style=Style.PRIMARY)


def _title(value: SoloBoard, page: Page) -> str:
    name, amount = name_html(value.owner.name, page), page.t.n("{count} chip", "{count} chips", value.chips)
    return name + page.dot + amount


def place_keys(value: SoloBoard, page: Page) -> tuple[Key, ...]:
    """Other table, for who has several in private."""
    if value.board.chat_id != value.owner.id or value.tables < 2:
        return ()
    return (Key(page.t("Other table"), Tap(verb=Verb.OTHER_TABLE, board=value.board.id)),)


def which_table(value: SoloBoard, page: Page) -> str:
    """Which of the person's tables has come down, for a toast: the group's, the daily five's, or one's own."""
    if value.outing is not None and value.outing.event.kind is EventKind.DAILY:
        return page.t("Daily") + page.dot + day_name(value.outing.event.day, page)
    return plain_name(value.chat.title, page) if value.chat.title else page.t("Your own table.")


def end_keys(value: SoloBoard, page: Page) -> tuple[Key, ...]:
    """At the end of a night played in private, the group may be told."""
    if not value.away or value.outing is not None:
        return ()
    return (Key(page.t("Show the group"), Tap(verb=Verb.SHOW_GROUP, board=value.board.id)),)
