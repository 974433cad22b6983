"""`/stats` and the picture of a night."""

from __future__ import annotations

import asyncio
from math import ceil

from bot.facts import Tap, Verb, Who
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer, Commands, Said, Taps
from bot.refusals import PictureTooSoon
from bot.services import stats
from bot.services.stats import NightPath
from bot.views import stats as views
from bot.views.chart import night_chart
from bot.views.kit import View


async def stats_command(desk: Desk, who: Who, _said: Said) -> None:
    """One calm message where it was asked for; in a group as a reply."""
    await _tell(desk, who, reply_to=None if who.chat_kind == "private" else who.message_id)


async def _tell(desk: Desk, who: Who, *, reply_to: int | None) -> None:
    found = await desk.store.read(stats.figures, who, now=desk.clock.now())
    expected = await asyncio.to_thread(stats.expected_return, found.stats.wagered)  # some milliseconds of arithmetic
    page = desk.page(found.person, found.chat, private=who.chat_kind == "private", app_language=who.app_language)
    view = views.stats(found.stats, expected, found.person.name, page)
    desk.painter.aside(_sent(desk, who, view, reply_to))


async def _sent(desk: Desk, who: Who, view: View, reply_to: int | None) -> None:
    await desk.painter.send(who.chat_id, view, thread_id=who.thread_id, reply_to=reply_to)


async def _picture(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    """A night as a picture, sent to where it was asked for; drawn outside the update's lifetime."""
    night = await desk.store.read(stats.night_path, who, tap)
    wait = desk.pictures.begin(who.user_id, desk.clock.now())
    if wait:
        raise PictureTooSoon(ceil(wait))
    desk.painter.aside(_draw(desk, who, night))
    page = await desk.reader_page(who)
    return Answer(text=page.t("The picture comes below."))


async def _draw(desk: Desk, who: Who, night: NightPath) -> None:
    page = desk.page(night.owner, night.chat, private=who.chat_kind == "private", app_language=who.app_language)
    picture = await asyncio.to_thread(night_chart, night.path)
    caption = views.night_caption(night.owner.name, night.path, page)
    await desk.painter.photo(who.chat_id, picture, caption=caption, thread_id=who.thread_id)


TAPS: Taps = {Verb.PICTURE: _picture}
COMMANDS: Commands = {"stats": stats_command}
