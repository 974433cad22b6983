"""What Telegram shows of the bot before anybody speaks to it: menus, and a few words about it, in every language."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog
from telegram import (
    BotCommand,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)
from telegram.error import TelegramError
from telegram.ext import ExtBot

from bot.i18n import SOURCE, Catalogues, Words
from bot.views.people import ABOUT, COMMANDS, MENU_ADMIN, MENU_GROUP, MENU_PRIVATE

_LOG = structlog.get_logger(__name__)
_LONG, _SHORT = 512, 120  # characters (Bot API: setMyDescription, setMyShortDescription)
_LETTERS = 2  # of a language for which Telegram keeps menus (Bot API: setMyCommands)
_SCOPES: Final = (
    (BotCommandScopeAllPrivateChats(), MENU_PRIVATE),
    (BotCommandScopeAllGroupChats(), MENU_GROUP),
    (BotCommandScopeAllChatAdministrators(), MENU_ADMIN),
)


async def introduce(bot: ExtBot[None], catalogues: Catalogues) -> None:
    """Menus per kind of chat and language, and descriptions; a failure costs only these."""
    try:
        ours = await _is_ours(bot, catalogues)
        for language in catalogues.languages:
            t = await asyncio.to_thread(catalogues.words, language)  # read here, so that no tap waits for it
            code = None if language == SOURCE else language.partition("_")[0]
            if code is not None and len(code) != _LETTERS:
                continue
            for scope, names in _SCOPES:
                commands = [BotCommand(name, t(COMMANDS[name])) for name in names]
                await bot.set_my_commands(commands, scope=scope, language_code=code)
            if ours:
                await _describe(bot, t, code)
    except TelegramError as error:
        _LOG.warning("menus_not_set", error=error.message)


async def _is_ours(bot: ExtBot[None], catalogues: Catalogues) -> bool:
    """Whether nobody but us has described the bot: what an operator told BotFather stays, and so does the name."""
    t = catalogues.words(SOURCE)
    long, short = (await bot.get_my_description()).description, (await bot.get_my_short_description()).short_description
    return long in {"", _long(t)} and short in {"", _short(t)}


async def _describe(bot: ExtBot[None], t: Words, code: str | None) -> None:
    if (await bot.get_my_description(code)).description != _long(t):
        await bot.set_my_description(_long(t), code)
    if (await bot.get_my_short_description(code)).short_description != _short(t):
        await bot.set_my_short_description(_short(t), code)


def _long(t: Words) -> str:
    return "\n\n".join(map(t, ABOUT))[:_LONG]


def _short(t: Words) -> str:
    """One sentence of those; a language in which none is short enough has none of its own."""
    return next((text for text in map(t, reversed(ABOUT)) if len(text) <= _SHORT), "")
