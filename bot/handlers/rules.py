"""`/rules` and its keys."""

from __future__ import annotations

from dataclasses import replace

import orjson

from bot.facts import Tap, Verb, Who
from bot.handlers import gate
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer, Commands, Said, Taps
from bot.options import RulesPage, RulesRoom
from bot.services import rules
from bot.views import passport as views
from bot.views.kit import View
from core.errors import BadRuleSet, Reason
from core.rules import RuleSet, merged

_CHANGES = {RulesPage.USE_PRESET, RulesPage.CHOOSE, RulesPage.USE_DRAFT, RulesPage.START_OVER}


def _view(desk: Desk, who: Who, room: RulesRoom) -> View:
    private = who.chat_kind == "private"
    return views.view(room, desk.page(room.person, room.chat, private=private, app_language=who.app_language))


async def rules_command(desk: Desk, who: Who, said: Said) -> None:
    """`/rules` and `/rules poker3` for everybody; `/rules {…}` is a whole table, written down by an admin."""
    if not said.rest.startswith(("{", "[")):
        desk.say(who, _view(desk, who, await desk.run(rules.called, who, said.rest, now=desk.clock.now())))
        return

    async def act() -> None:
        try:
            room = await desk.run(rules.paste, who, _read(said.rest), now=desk.clock.now())
        except BadRuleSet as refusal:
            room = await desk.run(rules.passport, who, note=refusal, now=desk.clock.now())
        desk.say(who, _view(desk, who, room))

    await gate.spoken(desk, who, act)


def _read(text: str) -> RuleSet:
    """The table that somebody wrote down. Raises BadRuleSet."""
    try:
        told = orjson.loads(text)
    except orjson.JSONDecodeError:
        told = None
    if not isinstance(told, dict):
        raise BadRuleSet("", Reason.NOT_AN_OBJECT)
    return merged(told)


async def _rules_key(desk: Desk, who: Who, tap: Tap, query_id: str) -> Answer:
    changes = tap.numbers[0] in _CHANGES

    async def act(hidden: bool) -> Answer:
        now = desk.clock.now()
        if changes:
            room = await desk.run(rules.change, who, tap, hidden=hidden, now=now)
        else:
            room = await desk.run(rules.look, who, tap, now=now)
        room = replace(room, from_settings=bool(tap.round))
        desk.edit(who, _view(desk, who, room))
        return Answer(text=views.said(room, await desk.reader_page(who)))

    return await gate.tapped(desk, who, query_id, act, fresh=changes)


TAPS: Taps = {Verb.RULES: _rules_key}
COMMANDS: Commands = {"rules": rules_command}
