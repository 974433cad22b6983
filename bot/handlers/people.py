"""`/help`, and the bot's own coming and going."""

from __future__ import annotations

import asyncio

from bot.facts import Who
from bot.handlers import own_data
from bot.handlers.desk import Desk
from bot.handlers.kit import Commands, Said, Taps
from bot.services import people, solo
from bot.views import people as views
from bot.views.kit import View


async def help_command(desk: Desk, who: Who, _said: Said) -> None:
    """The advice is that of the chat's own table."""
    page = await desk.here_page(who)
    rules = page.rules or solo.HOUSE_RULES  # help is given in any case
    desk.say(who, await asyncio.to_thread(views.help_page, page, rules))  # a table's first price takes a while


async def unknown(desk: Desk, who: Who) -> None:
    """Words that mean nothing here, in a private chat: one sentence."""
    page = await desk.reader_page(who)
    desk.say(who, View(text=page.t("I did not get that. /deal opens your board, /help tells the rest.")))


async def membership(desk: Desk, who: Who, *, present: bool) -> None:
    """The bot was added, removed, blocked or unblocked; a group is greeted once per join."""
    if who.chat_kind == "private":
        if present:
            await desk.run(people.started, who, now=desk.clock.now())
        else:
            await desk.run(people.blocked, who)
        return
    language = (await desk.reader_page(who)).t.language
    if await desk.run(people.bot_added, who, present=present, language=language, now=desk.clock.now()):
        desk.say(who, views.welcome_group(await desk.here_page(who)))


TAPS: Taps = own_data.TAPS
COMMANDS: Commands = {"help": help_command, **own_data.COMMANDS}
