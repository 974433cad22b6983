"""`/rules`: the table's passport for everybody, and the workshop in which the admins choose or make a table."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.facts import Chat, Person, Tap, Who
from bot.options import STEP, Options, RulesPage, RulesRoom, Setting, options_of, seal, with_options
from bot.refusals import DeadKey, NoSuchTable, TableChanged
from bot.services.manners import enter, keep, names, no_board
from bot.storage import Tx
from core.rules import PRESETS, RuleSet
from core.workshop import Part, named, variants

_PRESETS = tuple(PRESETS.values())
_ALSO = {  # what else people call them
    "sel": "selminha",
    "poker3": "poker-three",
    "p3": "poker-three",
    "cal": "california",
    "6card": "six-card",
    "6cardbonus": "six-card",
    "sixcardbonus": "six-card",
}


def passport(tx: Tx, who: Who, *, note: Exception | None = None, now: datetime) -> RulesRoom:
    """`/rules`: the table of this chat."""
    person, chat = enter(tx, who, now=now)
    return _room(tx, person, chat, RulesPage.PASSPORT, chat.rules, note=note, now=now)


def called(tx: Tx, who: Who, words: str, *, now: datetime) -> RulesRoom:
    """`/rules poker3`: a preset by its name; without words the table of this chat, and all of them for other words."""
    if not words:
        return passport(tx, who, now=now)
    person, chat = enter(tx, who, now=now)
    found = _called(words)
    if found is None:
        return _room(tx, person, chat, RulesPage.MENU, chat.rules, note=NoSuchTable(), now=now)
    page = RulesPage.PASSPORT if found == chat.rules else RulesPage.PRESET
    return _room(tx, person, chat, page, found, now=now)


def _called(words: str) -> RuleSet | None:
    plain = _plain(words)
    return next((rules for rules in _PRESETS if _plain(rules.name) == _ALSO.get(plain, plain).replace("-", "")), None)


def _plain(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


def _room(
    tx: Tx,
    person: Person | None,
    chat: Chat,
    page: RulesPage,
    table: RuleSet,
    *,
    now: datetime,
    part: Part | None = None,
    used: bool = False,
    note: Exception | None = None,
) -> RulesRoom:
    return RulesRoom(
        chat=chat,
        person=person,
        options=options_of(chat),
        page=page,
        table=table,
        part=part,
        names=names(tx, chat, now=now),
        used=used,
        note=note,
    )


def look(tx: Tx, who: Who, tap: Tap, *, now: datetime) -> RulesRoom:
    """
    A page that changes nothing.

    :raises DeadKey: If there is no such page, or a board stands in the tapped message.
    """
    no_board(tx, who)
    person, chat = enter(tx, who, now=now)
    page, value = _page(tap), tap.numbers[1]
    draft = options_of(chat).draft or named(chat.rules)
    match page:
        case RulesPage.PASSPORT | RulesPage.MENU:
            return _room(tx, person, chat, page, chat.rules, now=now)
        case RulesPage.PRESET:
            return _room(tx, person, chat, page, _preset(value), now=now)
        case RulesPage.DRAFT:
            return _room(tx, person, chat, page, draft, now=now)
        case RulesPage.PART:
            return _room(tx, person, chat, page, draft, part=_part(value), now=now)
    raise DeadKey


def _page(tap: Tap) -> RulesPage:
    try:
        return RulesPage(tap.numbers[0])
    except ValueError:
        raise DeadKey from None


def _preset(number: int) -> RuleSet:
    if number >= len(_PRESETS):
        raise DeadKey
    return _PRESETS[number]


def _part(number: int) -> Part:
    try:
        return Part(number)
    except ValueError:
        raise DeadKey from None


def change(tx: Tx, who: Who, tap: Tap, *, hidden: bool = False, now: datetime) -> RulesRoom:
    """
    Use a preset or the draft from the next night on, or take one step of the draft; who may do so was asked before.

    Nights under way carry their own rules and are not touched.

    :raises TableChanged: If the draft is another one than the key was shown with.
    :raises DeadKey: If there is no such choice, or a board stands in the tapped message.
    """
    no_board(tx, who)
    person, chat = enter(tx, who, now=now)
    page, value = _page(tap), tap.numbers[1]
    options = options_of(chat)
    draft = options.draft or named(chat.rules)
    if page is RulesPage.CHOOSE:
        part = _part(value // STEP)
        made = variants(draft, part).get(value % STEP)
        if made is None:
            raise DeadKey
        chat = _drafted(tx, chat, options, made)
        return _room(tx, person, chat, RulesPage.PART, made, part=part, now=now)
    if page is RulesPage.START_OVER:
        chat = _drafted(tx, chat, options, named(chat.rules))
        return _room(tx, person, chat, RulesPage.DRAFT, named(chat.rules), now=now)
    if page is RulesPage.USE_PRESET:
        chosen = _preset(value)
    elif page is RulesPage.USE_DRAFT:
        chosen = draft
        if seal(chosen) != value:
            raise TableChanged
        options = replace(options, draft=None)
    else:
        raise DeadKey
    chat = keep(tx, replace(chat, rules=chosen), options, Setting.RULES, who, hidden=hidden, now=now)
    return _room(tx, person, chat, RulesPage.PASSPORT, chosen, used=True, now=now)


def _drafted(tx: Tx, chat: Chat, options: Options, draft: RuleSet) -> Chat:
    """A draft is nobody's business until it is used: no change is said by name."""
    drafted = with_options(chat, replace(options, draft=draft))
    tx.chats.put(drafted)
    return drafted


def paste(tx: Tx, who: Who, rules: RuleSet, *, now: datetime) -> RulesRoom:
    """`/rules {…}`: a table written down whole becomes the draft."""
    person, chat = enter(tx, who, now=now)
    made = named(rules)
    chat = _drafted(tx, chat, options_of(chat), made)
    return _room(tx, person, chat, RulesPage.DRAFT, made, now=now)
