"""`/privacy`, `/mydata`, `/forget` and `/break`: what is nobody else's business."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from math import ceil
from typing import Any

from bot.facts import Board, Tap, Verb, Who
from bot.handlers import parsing
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer, Commands, Said, Taps, mark_of
from bot.painter import Picture, Urgency
from bot.refusals import FileTooSoon, PrivateOnly
from bot.services import breaks, forgetting, records
from bot.views import own_data as views
from bot.views.kit import Page, View


async def privacy_command(desk: Desk, who: Who, _said: Said) -> None:
    """`/privacy`: what is stored, and who runs this bot."""
    desk.say(who, views.privacy(await desk.here_page(who), desk.operator))


def _refuse_in_groups(who: Who) -> None:
    if who.chat_kind != "private":
        raise PrivateOnly


# /mydata


async def mydata_command(desk: Desk, who: Who, _said: Said) -> None:
    """Gathered outside the lifetime of the update: it can be much."""
    _refuse_in_groups(who)
    wait = desk.files.begin(who.user_id, desk.clock.now())
    if wait:
        raise FileTooSoon(ceil(wait))
    desk.painter.aside(_give_all(desk, who))


async def _give_all(desk: Desk, who: Who) -> None:
    head = await desk.store.read(records.head, who)
    if head is None:
        page = await desk.reader_page(who)
        desk.say(who, View(text=views.nothing_stored(page)))
        return
    rounds = await _pages(lambda after: desk.store.read(records.rounds, who, after=after), 0, lambda last: last["id"])
    lines = await _pages(
        lambda after: desk.store.read(records.lines, who, after=after),
        (0, 0),
        lambda last: (last["movement_id"], last["line"]),
    )
    for name, content in views.files(head, rounds, lines, desk.clock.now()):
        await desk.painter.document(who.chat_id, name, content, thread_id=who.thread_id)


async def _pages(
    read: Callable[[Any], Awaitable[list[dict[str, Any]]]], after: Any, key: Callable[[dict[str, Any]], Any]
) -> list[bytes]:
    """One page after another, each in a look of its own, so that nobody waits long behind it."""
    pages = []
    while found := await read(after):
        pages.append(views.page_of_file(found))
        after = key(found[-1])
    return pages


# /forget


async def forget_command(desk: Desk, who: Who, _said: Said) -> None:
    """Asks first."""
    _refuse_in_groups(who)
    desk.say(who, views.question(await desk.reader_page(who)))


async def _forget_key(desk: Desk, who: Who, tap: Tap, query_id: str) -> Answer:
    match tap.numbers[0]:
        case views.YES:
            return await _forget(desk, who, query_id)
        case views.NO:
            view = views.kept
        case _:
            view = views.question
    await desk.store.read(forgetting.at_leisure, who)
    desk.edit(who, view(await desk.reader_page(who)))
    return Answer()


async def _forget(desk: Desk, who: Who, query_id: str) -> Answer:
    page = await desk.reader_page(who)  # the language that was chosen, for the last word
    done = await desk.run(
        forgetting.forget, who, mark=mark_of(query_id), chance=desk.chance(), now=desk.clock.now()
    )  # fmt: skip
    for board, place in done.boards:
        _close(desk, board, page if place is None or place.private else desk.group_page(place))
    desk.painter.aside(desk.painter.repaint([-table_id for table_id in done.tables]))
    desk.painter.aside(desk.painter.repaint(done.stale, calmly=True))
    view = views.forgotten(page, known=done.known)
    desk.edit(who, view)
    desk.painter.aside(desk.store.wipe())
    return Answer(text=view.text)


def _close(desk: Desk, board: Board, page: Page) -> None:
    """One more picture, newer than all that may wait: without name and keys."""
    if board.message_id is None:
        return
    desk.painter.show(
        Picture(
            board=board.id,
            version=board.wanted + 1,
            view=views.closed_board(page),
            chat_id=board.chat_id,
            thread_id=board.thread_id,
            message_id=board.message_id,
            old_message_id=board.old_message_id,
            urgency=Urgency.DEALT,
        )
    )


# /break


async def break_command(desk: Desk, who: Who, said: Said) -> None:
    """Alone it explains; in a group nothing is said aloud, a sign tells whether it counts."""
    lasting = parsing.duration(said.rest)
    if lasting is None or lasting > breaks.LONGEST or who.as_chat:
        await _explain(desk, who)
        return
    until = await desk.run(breaks.take, who, lasting, now=desk.clock.now())
    if who.chat_kind == "private":
        desk.say(who, views.break_begun(until, await desk.reader_page(who)))
    else:
        desk.sign(who, "👌")


async def _explain(desk: Desk, who: Who) -> None:
    if who.chat_kind != "private":
        desk.sign(who, "🤷")
        return
    until = await desk.store.read(breaks.current, who, now=desk.clock.now())
    desk.say(who, views.about_breaks(until, await desk.reader_page(who)))


TAPS: Taps = {Verb.FORGET: _forget_key}
COMMANDS: Commands = {
    "privacy": privacy_command,
    "mydata": mydata_command,
    "forget": forget_command,
    "break": break_command,
}
