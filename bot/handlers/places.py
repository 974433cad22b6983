"""Doors between a group and the private chat: the same seat, its board in another place."""

from __future__ import annotations

import base64
import hashlib
import re

from bot.facts import SoloBoard, Tap, Verb, Who
from bot.handlers import gate
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer, Said, Taps
from bot.services import places
from bot.views import places as views
from bot.views.night_end import farewell

DOOR = re.compile(views.DOOR + r"([a-z2-7]{26})")


def new_code(desk: Desk) -> str:
    """A code that nobody can guess, for a door: 26 letters and digits."""
    drawn = hashlib.sha256(b"door" + desk.chance()).digest()
    return base64.b32encode(drawn[:16]).decode().rstrip("=").lower()


async def enter(desk: Desk, who: Who, code: str, said: Said) -> None:
    """`/start s<code>`: the person must still be a member of the group when the door is used."""
    seat = await desk.store.read(places.seat_of_door, who, code)

    async def act() -> None:
        moved = await desk.run(places.enter, who, code, update_id=said.update_id, now=desk.clock.now())
        desk.show(moved.board)
        if moved.left_message is not None:
            page = desk.page(moved.board.owner, moved.board.chat, private=False)
            view = views.away(moved.board, code, page)
            desk.painter.aside(desk.painter.edit(moved.left_chat, moved.left_message, view))

    gate.through_door(desk, who, seat.chat_id, act)


async def _bring_back(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    desk.show(await desk.run(places.bring_back, who, tap, now=desk.clock.now()))
    return Answer()


async def _here(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    desk.show(await desk.run(places.play_here, who, tap, now=desk.clock.now()))
    return Answer()


async def _other_table(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    value = await desk.run(places.other_table, who, tap, now=desk.clock.now())
    desk.show(value)
    return Answer(text=views.which_table(value, desk.toast_page(value)))


async def _show_group(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    told = await desk.run(places.tell_the_group, who, tap, now=desk.clock.now())
    desk.painter.aside(_tell(desk, told))
    return Answer(text=desk.toast_page(told).t("The group can see it now."))


async def _tell(desk: Desk, told: SoloBoard) -> None:
    page = desk.page(told.owner, told.chat, private=False)
    message_id = await desk.painter.send(told.seat.chat_id, farewell(told, page))
    if message_id is not None and told.night is not None:
        await desk.store.run(places.told, told.night.id, message_id)


TAPS: Taps = {
    Verb.HERE: _here,
    Verb.BRING_BACK: _bring_back,
    Verb.OTHER_TABLE: _other_table,
    Verb.SHOW_GROUP: _show_group,
}
