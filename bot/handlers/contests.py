"""`/top` and its key."""

from __future__ import annotations

from bot.facts import Who
from bot.handlers.desk import Desk
from bot.services import contests
from bot.views import contests as views


async def top(desk: Desk, who: Who) -> None:
    found = await desk.store.read(contests.top, who)
    private = who.chat_kind == "private"
    page = desk.page(found.person, found.chat, private=private, app_language=who.app_language)
    view = views.top(found.scores, found.own, "" if private else who.chat_title, page)
    desk.say(who, view)
