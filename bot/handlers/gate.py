"""
What only the admins of a group may do, in a private chat the person alone (F04, F107), and what only its members.

Telegram is asked outside the lifetime of the update (DESIGN section 3, intake), so others may act meanwhile: what was
looked up before the question is looked up again by whoever then acts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import structlog

from bot.facts import Who
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer
from bot.handlers.refusing import REFUSED, refused_tap, refused_words
from bot.refusals import AlreadyDone, NotAdmin, NotYourDoor

_LOG = structlog.get_logger(__name__)


async def tapped(
    desk: Desk, who: Who, query_id: str, act: Callable[[bool], Awaitable[Answer]], *, fresh: bool
) -> Answer:
    """
    Do it if Telegram says that the tapper is an admin; *act* is told whether the admin stays anonymous.

    In a group the tap is answered when that is known; with *fresh* Telegram is asked anew.
    """
    if who.chat_kind == "private":
        return await act(False)
    desk.painter.aside(_answered(desk, who, query_id, act, fresh=fresh))
    return Answer(later=True)


async def _answered(
    desk: Desk, who: Who, query_id: str, act: Callable[[bool], Awaitable[Answer]], *, fresh: bool
) -> None:
    answer = Answer()
    try:
        answer = await act(await _hidden(desk, who, fresh=fresh))
    except REFUSED as refusal:
        answer = await refused_tap(desk, who, refusal)
    finally:
        await desk.painter.answer(query_id, answer.text, alert=answer.alert, url=answer.url)


async def spoken(desk: Desk, who: Who, act: Callable[[], Awaitable[None]]) -> None:
    """The same for a command; somebody who writes as the group itself is an admin of this group (Bot API)."""
    if who.chat_kind == "private" or who.as_chat:
        await act()
    else:
        desk.painter.aside(_obeyed(desk, who, partial(_hidden, desk, who, fresh=True), act))


def through_door(desk: Desk, who: Who, group: int, act: Callable[[], Awaitable[None]]) -> None:
    """Do it if Telegram says that the person is a member of *group* at this moment; else NotYourDoor is told."""
    desk.painter.aside(_obeyed(desk, who, partial(_is_member, desk, who, group), act))


async def _obeyed(
    desk: Desk, who: Who, may: Callable[[], Awaitable[object]], act: Callable[[], Awaitable[None]]
) -> None:
    try:
        await may()
        await act()
    except AlreadyDone:
        _LOG.debug("words_again")
    except REFUSED as refusal:
        await refused_words(desk, who, refusal)


async def _is_member(desk: Desk, who: Who, group: int) -> None:
    """Raises NotYourDoor, AdminsUnknown."""
    if not await desk.admins.present(group, who.user_id):
        raise NotYourDoor


async def _hidden(desk: Desk, who: Who, *, fresh: bool) -> bool:
    """Whether this admin stays anonymous. Raises NotAdmin, AdminsUnknown."""
    standing = await desk.admins.standing(who.chat_id, who.user_id, fresh=fresh)
    if not standing.admin:
        raise NotAdmin
    return standing.hidden
