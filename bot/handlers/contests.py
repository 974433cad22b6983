"""`/top` and its key."""

from __future__ import annotations

from bot.facts import Tap, Verb, Who
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer, Commands, Said, Taps
from bot.services import contests
from bot.views import contests as views


async def top_command(desk: Desk, who: Who, _said: Said) -> None:
    await _top(desk, who)


async def _top_key(desk: Desk, who: Who, _tap: Tap, _query_id: str) -> Answer:
    await _top(desk, who)
    return Answer()


async def _top(desk: Desk, who: Who) -> None:
    found = await desk.store.read(contests.top, who)
    private = who.chat_kind == "private"
    page = desk.page(found.person, found.chat, private=private, app_language=who.app_language)
    view = views.top(found.scores, found.own, "" if private else who.chat_title, page)
    desk.say(who, view)


TAPS: Taps = {Verb.TOP: _top_key}
COMMANDS: Commands = {"top": top_command}
