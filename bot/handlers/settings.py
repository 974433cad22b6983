"""`/settings` and its keys."""

from __future__ import annotations

from bot.facts import Tap, Verb, Who
from bot.handlers import gate, parsing
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer, Commands, Said, Taps
from bot.i18n import own_name
from bot.options import Setting, SettingsPage, language_number
from bot.refusals import BlackListByReply, BlackListFull, GroupSetting, NotAZone
from bot.services import settings
from bot.views import settings as views
from bot.views.kit import View

_BLACK_LIST = {"blacklist", "black_list", "black-list"}


def _languages(desk: Desk) -> views.Languages:
    return {code: own_name(code) for code in desk.catalogues.languages}


def _view(desk: Desk, who: Who, value: SettingsPage) -> View:
    private = who.chat_kind == "private"
    page = desk.page(value.person, value.chat, private=private, app_language=who.app_language)
    return views.view(value, page, _languages(desk))


async def settings_command(desk: Desk, who: Who, said: Said) -> None:
    """`/settings`, `/settings zone Europe/Kyiv`, and in reply to somebody `/settings blacklist 7d`."""

    async def act() -> None:
        try:
            value = await _told(desk, who, said)
        except (BlackListByReply, BlackListFull, NotAZone) as refusal:
            value = await desk.run(settings.typed, who, note=refusal, now=desk.clock.now())
        desk.say(who, _view(desk, who, value))

    await gate.spoken(desk, who, act)


async def _told(desk: Desk, who: Who, said: Said) -> SettingsPage:
    what, _, rest = said.rest.partition(" ")
    now = desk.clock.now()
    if who.chat_kind == "private" and what.lower() in {"zone", *_BLACK_LIST}:
        raise GroupSetting
    if who.chat_kind == "private":
        return await desk.run(settings.typed, who, now=now)
    if what.lower() == "zone":
        return await desk.run(settings.zone, who, rest.strip(), now=now)
    if what.lower() not in _BLACK_LIST:
        return await desk.run(settings.typed, who, now=now)
    lasting = parsing.duration(rest)
    if said.replied_person is None or lasting is None:
        raise BlackListByReply
    return await desk.run(settings.black_list, who, said.replied_person, said.replied_name, lasting=lasting, now=now)


async def _setting_key(desk: Desk, who: Who, tap: Tap, query_id: str) -> Answer:
    look = tap.numbers[0] == Setting.OPEN

    async def act(hidden: bool) -> Answer:
        if look:
            value = await desk.run(settings.page, who, open_=tap.numbers[1], now=desk.clock.now())
        else:
            numbers = {language_number(code): code for code in desk.catalogues.languages}
            value = await desk.run(settings.change, who, tap, languages=numbers, hidden=hidden, now=desk.clock.now())
        desk.edit(who, _view(desk, who, value))
        return Answer(text=views.said(value, await desk.reader_page(who), _languages(desk)))

    return await gate.tapped(desk, who, query_id, act, fresh=not look)


TAPS: Taps = {Verb.SETTING: _setting_key}
COMMANDS: Commands = {"settings": settings_command}
