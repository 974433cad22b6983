"""A solo board whose night belongs to a contest or to the daily five: where it stands there, and how it ends."""

from __future__ import annotations

from bot.facts import EventKind, Night, Outing, Round, SoloBoard, Tap, Verb
from bot.views.kit import Key, Keys, Page, Style, rows, seal, title_html
from bot.views.share import day_name, grid_lines, grid_text
from core.solo import Settled


def line(value: SoloBoard, page: Page) -> str:
    """Which event, which night, which hand; empty on an ordinary board."""
    outing, night = value.outing, value.night
    if outing is None or night is None:
        return ""
    on_show = value.shown is not None and isinstance(value.shown.state, Settled)
    number = min(night.hands + (0 if on_show else 1), outing.event.hands)
    return page.dot.join(filter(None, (*_which(outing, page), _hand(outing, number, page))))


def _which(outing: Outing, page: Page) -> tuple[str, ...]:
    event = outing.event
    if event.kind is EventKind.DAILY:
        return (page.t("Daily"), day_name(event.day, page))
    flag = "" if page.words else "🏁 "
    group = flag + title_html(outing.group)
    if event.nights == 1:
        return (group,)
    return group, page.t("night {number} of {count}", number=outing.night, count=event.nights)


def _hand(outing: Outing, number: int, page: Page) -> str:
    if outing.event.deals:
        return page.t("deal {number} of {count}", number=number, count=outing.event.hands)
    return page.t("hand {number} of {count}", number=number, count=outing.event.hands)


def proof_lines(value: SoloBoard, page: Page) -> tuple[str, ...]:
    """The seal that all deals of the event have; its secret opens for all at once."""
    event = value.outing.event if value.outing is not None else None
    if event is None or not event.commitment:
        return ()
    if event.closed is not None:
        return (page.t("The secret is open: {seal}", seal=seal(event.commitment, page)),)
    return (page.t("One seal for all deals, opened at the end: {seal}", seal=seal(event.commitment, page)),)


def over_lines(value: SoloBoard, night: Night, page: Page) -> tuple[str, ...]:
    """Why the night is over, and what it counts."""
    outing = value.outing
    if outing is None:
        return ()
    event = outing.event
    if outing.grid is not None:
        return ("", *grid_lines(outing.grid, page)[1:], *proof_lines(value, page))
    amount = page.t.n("{count} chip", "{count} chips", night.chips or 0)
    if event.called_off:
        return (page.t("The contest was called off: this night counts nowhere."),)
    if night.hands < event.hands and event.closed is not None:
        return (page.t("The end came first: this night counts with {chips}.", chips=amount), *proof_lines(value, page))
    told = page.t.n(
        "The {count} hand of this night is played: it counts with {chips}.",
        "All {count} hands of this night are played: it counts with {chips}.",
        night.hands,
        chips=amount,
    )
    return (told, *proof_lines(value, page))


def end_keys(value: SoloBoard, shown: Round, page: Page) -> Keys:
    """What may follow a night in an event: the grid to share, how all stand, the next night."""
    outing = value.outing
    if outing is None:
        return ()
    event = outing.event
    share: tuple[Key, ...] = ()
    if outing.grid is not None:
        share = (Key(page.t("Copy result"), copy=grid_text(outing.grid, event.commitment, page)),)
    standing = () if event.kind is EventKind.DAILY else (
        Key(page.t("My nights"), Tap(verb=Verb.CONTEST_NIGHTS, round=event.id)),
    )  # fmt: skip
    picture = Key(page.t("Picture"), Tap(verb=Verb.PICTURE, board=value.board.id, round=shown.id))
    following: tuple[Key, ...] = ()
    if outing.left and event.closed is None:
        label = page.t("Deal: night {number} of {count}", number=outing.night + 1, count=event.nights)
        following = (Key(label, Tap(verb=Verb.NEW_NIGHT, board=value.board.id), style=Style.PRIMARY),)
    if not share:  # the key that begins a night lies above the place of Play and Fold (BOARDS rule 3)
        return rows(page, following, standing, (picture,))
    return rows(page, following, share, (*standing, picture))
