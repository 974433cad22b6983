"""`/settings`: one message with keys; each change said by name."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import replace

from bot.facts import Design, Tap, Verb
from bot.options import (
    HANDS_PER_HOUR,
    MOST_AWAKE,
    QUIET_HOURS,
    REGIONS,
    REGIONS_FROM,
    ZONES,
    Banker,
    QuietHours,
    RulesPage,
    Setting,
    SettingsPage,
    Speed,
    language_number,
    local,
    zones_of,
)
from bot.views import cards
from bot.views.kit import GAP, Key, Keys, Page, View, _, fitted, name_html, plain_name, rows, sentence, text_of, toast
from bot.views.tables import table_name
from bot.views.words import explain

Languages = Mapping[str, str]  # code to its name in its own script


_NAMES: Mapping[Setting, str] = {
    Setting.LANGUAGE: _("Language"),
    Setting.ZONE: _("Time zone"),
    Setting.SPEED: _("Table speed"),
    Setting.BANK: _("Bank"),
    Setting.AWAKE: _("Boards awake"),
    Setting.SEASONS: _("Seasons"),
    Setting.DAILY: _("Daily deals"),
    Setting.QUIET: _("Quiet hours"),
    Setting.HANDS: _("Hands an hour"),
    Setting.BLACK_LIST: _("Black list"),
    Setting.RULES: _("Table"),
    Setting.MY_LANGUAGE: _("Language"),
    Setting.DESIGN: _("Cards"),
    Setting.COACH: _("Coach"),
}
_TOLD: Mapping[Setting, str] = {
    Setting.LANGUAGE: _("The language of the boards in this group. Pop-ups and private chats speak each person’s own."),
    Setting.ZONE: _("When days, weeks and quiet hours begin. Any zone: /settings zone Europe/Kyiv"),
    Setting.SPEED: _("How long the group table waits for each person."),
    Setting.BANK: _("Who banks at the group table: the players in turn, or the house."),
    Setting.AWAKE: _("How many people’s boards are quick here at once; further ones are offered a private chat. "
                     "0: always the private chat."),
    Setting.SEASONS: _("Whether each month is a season with a winner of its own."),
    Setting.DAILY: _("Whether the group gets one message a day with the daily deals."),
    Setting.QUIET: _("Hours in which nothing is posted here unasked."),
    Setting.HANDS: _("The most hands that one person can settle here in an hour."),
    Setting.BLACK_LIST: _("Who is on it may not deal here until the end you set. "
                          "Reply to a message of that person with /settings blacklist 7d (or 12h, 4w)."),
    Setting.MY_LANGUAGE: _("The language I speak with you, here and in pop-ups."),
    Setting.DESIGN: _("How cards look on your boards; words are for screen readers."),
    Setting.COACH: _("Whether you are told what a choice gave away."),
}  # fmt: skip
_SPEEDS: Mapping[Speed, str] = {
    Speed.FAST: _("fast"),
    Speed.NORMAL: _("normal"),
    Speed.SLOW: _("slow"),
    Speed.NONE: _("no limit"),
}
_BANKERS: Mapping[Banker, str] = {Banker.PLAYERS: _("players"), Banker.HOUSE: _("house")}
_REGIONS: Mapping[str, str] = {
    "Europe": _("Europe"),
    "America": _("America"),
    "Asia": _("Asia"),
    "Africa": _("Africa"),
    "Australia": _("Australia"),
    "Pacific": _("Pacific"),
}
_GROUP = (
    (Setting.LANGUAGE, Setting.ZONE),
    (Setting.SPEED, Setting.BANK),
    (Setting.AWAKE, Setting.HANDS),
    (Setting.SEASONS, Setting.DAILY),
    (Setting.QUIET, Setting.BLACK_LIST),
)
_OWN = ((Setting.MY_LANGUAGE, Setting.COACH), (Setting.DESIGN,))
_SWITCHES = frozenset({Setting.SEASONS, Setting.DAILY, Setting.COACH})


def view(shown: SettingsPage, page: Page, languages: Languages) -> View:
    """All settings with their values, or the choices of one."""
    what = _opened(shown)
    if what is None:
        return _all(shown, page, languages)
    choices = _CHOICES.get(what, _switch)(shown, page, languages)
    back = (_key(page.t("Back"), Setting.OPEN, Setting.ZONE if shown.open >= REGIONS_FROM else 0),)
    return View(
        text=text_of(
            f"<b>{page.t(_NAMES[what])}</b>",
            page.t(_TOLD[what]),
            _note(shown, page),
            GAP,
            *_list(shown, what, page),
            GAP,
            *_said_by_name(shown, page, languages),
        ),
        keys=rows(page, *choices, back),
    )


def _opened(shown: SettingsPage) -> Setting | None:
    shelf = _OWN if shown.chat.private else _GROUP
    wanted = Setting.ZONE if shown.open >= REGIONS_FROM else shown.open
    return next((what for row in shelf for what in row if what == wanted), None)


def _all(shown: SettingsPage, page: Page, languages: Languages) -> View:
    private = shown.chat.private
    title = (
        page.t("Your settings") if private else page.t("Settings of {group}", group=name_html(shown.chat.title, page))
    )
    keys = [
        tuple(_key(_line(what, shown, page, languages), Setting.OPEN, what) for what in row)
        for row in (_OWN if private else _GROUP)
    ]
    passport = Tap(verb=Verb.RULES, round=1, numbers=(RulesPage.PASSPORT, 0))  # 1: its Back leads here
    table = Key(_line(Setting.RULES, shown, page, languages), tap=passport)
    return View(
        text=text_of(
            f"<b>{title}</b>",
            page.t("For you alone, in every chat.") if private else page.t("The admins of this chat choose."),
            _note(shown, page),
            GAP,
            *_said_by_name(shown, page, languages),
        ),
        keys=rows(page, *fitted(*keys), (table,)),
    )


def _note(shown: SettingsPage, page: Page) -> str:
    if shown.note is None:
        return ""
    return page.t("Note: {text}", text=html.escape(explain(shown.note, page), quote=False))


def _said_by_name(shown: SettingsPage, page: Page, languages: Languages) -> list[str]:
    """The latest changes, newest last, as in "Language: Deutsch · set by Ann"."""
    if shown.chat.private:
        return []
    return [
        page.t(
            "{change} · set by {name}",
            change=html.escape(_line(change.what, shown, page, languages), quote=False),
            name=name_html(shown.names.get(change.by, ""), page) if change.by else page.t("an admin"),
        )
        for change in shown.options.changes
    ]


def said(shown: SettingsPage, page: Page, languages: Languages) -> str:
    """The toast of a tap: what was set, or what is opened; the page may take a moment to follow."""
    what = _opened(shown) if shown.changed is None else shown.changed
    if what is not None:
        return toast(sentence(_line(what, shown, page, languages), page))
    if shown.chat.private:
        return page.t("Your settings")
    return toast(page.t("Settings of {group}", group=plain_name(shown.chat.title, page)))


# Values


def _line(what: Setting, shown: SettingsPage, page: Page, languages: Languages) -> str:
    """A setting and its value, as keys and toasts say it; not escaped."""
    return page.t("{setting}: {value}", setting=page.t(_NAMES[what]), value=_value(what, shown, page, languages))


def _value(what: Setting, shown: SettingsPage, page: Page, languages: Languages) -> str:  # noqa: PLR0911 - a table
    chat, options, person = shown.chat, shown.options, shown.person
    match what:
        case Setting.LANGUAGE:
            return languages.get(chat.language) or page.t("as the reader’s")
        case Setting.ZONE:
            return _city(chat.time_zone)
        case Setting.SPEED:
            return page.t(_SPEEDS[options.speed])
        case Setting.BANK:
            return page.t(_BANKERS[options.bank])
        case Setting.AWAKE:
            return page.t.number(chat.awake_boards)
        case Setting.QUIET:
            return _hours(options.quiet, page)
        case Setting.HANDS:
            return page.t.number(options.hands_per_hour) if options.hands_per_hour else page.t("no limit")
        case Setting.BLACK_LIST:
            return page.t.number(len(options.bans))
        case Setting.RULES:
            return table_name(chat.rules, page)
        case Setting.MY_LANGUAGE:
            return languages.get(person.language if person else "") or page.t("as the app’s")
        case Setting.DESIGN:
            return cards.hand_text(cards.SAMPLE, replace(page, design=person.design if person else page.design))
        case _:
            return page.t("on") if _is_on(what, shown) else page.t("off")


def _is_on(what: Setting, shown: SettingsPage) -> bool:
    if what is Setting.COACH:
        return shown.person is None or shown.person.coach
    return shown.options.seasons if what is Setting.SEASONS else shown.options.daily


def _city(zone: str) -> str:
    return zone.rpartition("/")[2].replace("_", " ")


def _hours(quiet: QuietHours | None, page: Page) -> str:
    if quiet is None:
        return page.t("none")
    return page.t("{begin}:00 to {end}:00", begin=quiet.begin, end=quiet.end)


# Choices


def _key(label: str, what: Setting, value: int) -> Key:
    return Key(label, tap=Tap(verb=Verb.SETTING, numbers=(what, value)))


def _choice(label: str, what: Setting, value: int, *, chosen: bool) -> Key:
    return _key(f"✓ {label}" if chosen else label, what, value)


def _in_rows(keys: list[Key], width: int) -> Keys:
    return fitted(*(tuple(keys[start : start + width]) for start in range(0, len(keys), width)))


def _languages(shown: SettingsPage, page: Page, languages: Languages) -> Keys:
    private = shown.chat.private
    what = Setting.MY_LANGUAGE if private else Setting.LANGUAGE
    now = (shown.person.language if shown.person else "") if private else shown.chat.language
    keys = [_choice(name, what, language_number(code), chosen=code == now) for code, name in languages.items()]
    if private:
        keys.insert(0, _choice(page.t("as the app’s"), what, 0, chosen=not languages.get(now)))
    return _in_rows(keys, 2)


def _zones(shown: SettingsPage, page: Page, _languages: Languages) -> Keys:
    now = shown.chat.time_zone
    if shown.open < REGIONS_FROM:
        regions = [
            _choice(page.t(_REGIONS[name]), Setting.OPEN, REGIONS_FROM + number, chosen=now.startswith(f"{name}/"))
            for number, name in enumerate(REGIONS)
        ]
        return (*_in_rows(regions, 2), (_choice("UTC", Setting.ZONE, 0, chosen=now == ZONES[0]),))
    numbers = zones_of(min(shown.open - REGIONS_FROM, len(REGIONS) - 1))
    keys = [_choice(_city(ZONES[number]), Setting.ZONE, number, chosen=ZONES[number] == now) for number in numbers]
    return _in_rows(keys, 3)


def _speeds(shown: SettingsPage, page: Page, _languages: Languages) -> Keys:
    keys = [
        _choice(page.t(name), Setting.SPEED, number, chosen=speed is shown.options.speed)
        for number, (speed, name) in enumerate(_SPEEDS.items())
    ]
    return _in_rows(keys, 2)


def _bankers(shown: SettingsPage, page: Page, _languages: Languages) -> Keys:
    keys = [
        _choice(page.t(name), Setting.BANK, number, chosen=banker is shown.options.bank)
        for number, (banker, name) in enumerate(_BANKERS.items())
    ]
    return (tuple(keys),)


def _awake(shown: SettingsPage, page: Page, _languages: Languages) -> Keys:
    keys = [
        _choice(page.t.number(boards), Setting.AWAKE, boards, chosen=boards == shown.chat.awake_boards)
        for boards in range(MOST_AWAKE + 1)
    ]
    return _in_rows(keys, 3)


def _quiet(shown: SettingsPage, page: Page, _languages: Languages) -> Keys:
    keys = [
        _choice(_hours(quiet, page), Setting.QUIET, number, chosen=quiet == shown.options.quiet)
        for number, quiet in enumerate(QUIET_HOURS)
    ]
    return _in_rows(keys, 2)


def _hands(shown: SettingsPage, page: Page, _languages: Languages) -> Keys:
    keys = [
        _choice(
            page.t.number(hands) if hands else page.t("no limit"),
            Setting.HANDS,
            hands,
            chosen=hands == shown.options.hands_per_hour,
        )
        for hands in HANDS_PER_HOUR
    ]
    return (tuple(keys),)


def _switch(shown: SettingsPage, page: Page, _languages: Languages) -> Keys:
    what = _opened(shown)
    if what not in _SWITCHES:
        return ()
    on = _is_on(what, shown)
    return ((_choice(page.t("off"), what, 0, chosen=not on), _choice(page.t("on"), what, 1, chosen=on)),)


def _designs(shown: SettingsPage, page: Page, _languages: Languages) -> Keys:
    now = shown.person.design if shown.person else Design.CLASSIC
    keys = [
        _choice(
            cards.hand_text(cards.SAMPLE, replace(page, design=design)), Setting.DESIGN, number, chosen=design is now
        )
        for number, design in enumerate(Design)
    ]
    return _in_rows(keys, 1)


def _lifts(shown: SettingsPage, page: Page, _languages: Languages) -> Keys:
    """A key a person; the person's number stands where other keys have a round."""
    keys = [
        Key(
            page.t("Lift: {name}", name=plain_name(shown.names.get(ban.user_id, ""), page, ban.user_id)),
            tap=Tap(verb=Verb.SETTING, round=ban.user_id, numbers=(Setting.BLACK_LIST, 0)),
        )
        for ban in shown.options.bans
    ]
    return _in_rows(keys, 2)


def _list(shown: SettingsPage, what: Setting, page: Page) -> list[str]:
    """Who is on the black list, and until when by the chat's clock."""
    if what is not Setting.BLACK_LIST:
        return []
    told = [
        page.t(
            "{name}: until {moment}",
            name=name_html(shown.names.get(ban.user_id, ""), page, ban.user_id),
            moment=page.t.moment(local(ban.until, shown.chat)),
        )
        for ban in shown.options.bans
    ]
    return told or [page.t("Nobody is on it.")]


_CHOICES: Mapping[Setting, Callable[[SettingsPage, Page, Languages], Keys]] = {
    Setting.LANGUAGE: _languages,
    Setting.MY_LANGUAGE: _languages,
    Setting.ZONE: _zones,
    Setting.SPEED: _speeds,
    Setting.BANK: _bankers,
    Setting.AWAKE: _awake,
    Setting.QUIET: _quiet,
    Setting.HANDS: _hands,
    Setting.DESIGN: _designs,
    Setting.BLACK_LIST: _lifts,
}
