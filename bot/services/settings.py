"""`/settings`: what the admins of a chat choose, and in a private chat what a person chooses for themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar

from bot.facts import Chat, Design, Person, Tap, Who
from bot.options import (
    BANKERS,
    HANDS_PER_HOUR,
    MOST_AWAKE,
    MOST_BANS,
    PERSONAL,
    QUIET_HOURS,
    SPEEDS,
    ZONES,
    Ban,
    Options,
    Setting,
    SettingsPage,
    options_of,
    zone_named,
)
from bot.refusals import BlackListFull, DeadKey, NotAZone
from bot.services.manners import enter, keep, names, no_board
from bot.services.seasons import arrange
from bot.storage import Tx

T = TypeVar("T")


def typed(tx: Tx, who: Who, *, note: Exception | None = None, now: datetime) -> SettingsPage:
    """`/settings`: all of them."""
    person, chat = enter(tx, who, now=now)
    return _page(tx, person, chat, open_=Setting.OPEN, note=note, now=now)


def page(tx: Tx, who: Who, *, open_: int, now: datetime) -> SettingsPage:
    """
    Another page of the same message; changes nothing but the names as last seen.

    :raises DeadKey: If a board stands in the tapped message.
    """
    no_board(tx, who)
    person, chat = enter(tx, who, now=now)
    return _page(tx, person, chat, open_=open_, now=now)


def _page(
    tx: Tx,
    person: Person | None,
    chat: Chat,
    *,
    open_: int,
    now: datetime,
    changed: Setting | None = None,
    note: Exception | None = None,
) -> SettingsPage:
    return SettingsPage(
        chat=chat,
        person=person,
        options=options_of(chat).in_force(now),
        open=open_,
        names=names(tx, chat, now=now),
        now=now,
        changed=changed,
        note=note,
    )


def change(
    tx: Tx, who: Who, tap: Tap, *, languages: Mapping[int, str], hidden: bool = False, now: datetime
) -> SettingsPage:
    """
    What a key says; who may do so was asked before.

    *languages* are the codes that can be chosen, by number; *hidden* is set for an admin who stays anonymous.

    :raises DeadKey: If there is no such choice here, or a board stands in the tapped message.
    """
    no_board(tx, who)
    what, value = _setting(tap.numbers[0]), tap.numbers[1]
    person, chat = enter(tx, who, now=now)
    if (what in PERSONAL) is not chat.private:
        raise DeadKey
    if chat.private:
        if person is None:
            raise DeadKey
        person = _own(person, what, value, languages)
        tx.people.put(person)
        return _page(tx, person, chat, open_=what, changed=what, now=now)
    if what is Setting.BLACK_LIST:
        options = _lifted(options_of(chat), tap.round)
    else:
        chat, options = _chosen(chat, options_of(chat), what, value, languages)
    chat = keep(tx, chat, options, what, who, hidden=hidden, now=now)
    if what in {Setting.SEASONS, Setting.ZONE}:
        arrange(tx, chat, now=now)
    return _page(tx, person, chat, open_=what, changed=what, now=now)


def _setting(number: int) -> Setting:
    try:
        return Setting(number)
    except ValueError:
        raise DeadKey from None


def _of(choices: Sequence[T], number: int) -> T:
    if number >= len(choices):
        raise DeadKey
    return choices[number]


def _language(languages: Mapping[int, str], number: int) -> str:
    if number not in languages:
        raise DeadKey
    return languages[number]


def _own(person: Person, what: Setting, value: int, languages: Mapping[int, str]) -> Person:
    """0 stands for the language of the app."""
    match what:
        case Setting.MY_LANGUAGE:
            return replace(person, language=_language(languages, value) if value else "")
        case Setting.DESIGN:
            return replace(person, design=_of(tuple(Design), value))
        case _:
            return replace(person, coach=_of((False, True), value))


def _chosen(
    chat: Chat, options: Options, what: Setting, value: int, languages: Mapping[int, str]
) -> tuple[Chat, Options]:
    match what:
        case Setting.LANGUAGE:
            return replace(chat, language=_language(languages, value)), options
        case Setting.ZONE:
            return replace(chat, time_zone=_of(ZONES, value)), options
        case Setting.AWAKE:
            return replace(chat, awake_boards=_of(range(MOST_AWAKE + 1), value)), options
    return chat, _with(options, what, value)


def _with(options: Options, what: Setting, value: int) -> Options:
    match what:
        case Setting.SPEED:
            return replace(options, speed=_of(SPEEDS, value))
        case Setting.BANK:
            return replace(options, bank=_of(BANKERS, value))
        case Setting.SEASONS:
            return replace(options, seasons=_of((False, True), value))
        case Setting.DAILY:
            return replace(options, daily=_of((False, True), value))
        case Setting.QUIET:
            return replace(options, quiet=_of(QUIET_HOURS, value))
        case Setting.HANDS if value in HANDS_PER_HOUR:
            return replace(options, hands_per_hour=value)
    raise DeadKey


def _lifted(options: Options, user_id: int) -> Options:
    return replace(options, bans=tuple(ban for ban in options.bans if ban.user_id != user_id))


def zone(tx: Tx, who: Who, name: str, *, now: datetime) -> SettingsPage:
    """
    `/settings zone Europe/Kyiv`: when days, weeks and months of this chat begin.

    :raises NotAZone: If nobody knows a zone of that name.
    """
    person, chat = enter(tx, who, now=now)
    found = zone_named(name)
    if not found:
        raise NotAZone(name)
    chat = keep(tx, replace(chat, time_zone=found), options_of(chat), Setting.ZONE, who, hidden=False, now=now)
    arrange(tx, chat, now=now)
    return _page(tx, person, chat, open_=Setting.OPEN, changed=Setting.ZONE, now=now)


def black_list(tx: Tx, who: Who, user_id: int, name: str, *, lasting: timedelta, now: datetime) -> SettingsPage:
    """
    `/settings blacklist 7d` in reply to a person: they may not deal in this chat until then.

    Somebody on the list already gets the new end.

    :raises BlackListFull: If there is no place on it.
    """
    person, chat = enter(tx, who, now=now)
    if tx.people.get(user_id) is None:
        tx.people.seen(user_id, name=name, app_language="", now=now)
    options = _lifted(options_of(chat).in_force(now), user_id)
    if len(options.bans) >= MOST_BANS:
        raise BlackListFull(MOST_BANS)
    options = replace(options, bans=(*options.bans, Ban(user_id=user_id, until=now + lasting)))
    chat = keep(tx, chat, options, Setting.BLACK_LIST, who, hidden=False, now=now)
    return _page(tx, person, chat, open_=Setting.BLACK_LIST, changed=Setting.BLACK_LIST, now=now)
