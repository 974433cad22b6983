"""`/rules`: the table's passport with its exact price, and the pages on which admins choose or make a table."""

from __future__ import annotations

import html
from collections.abc import Mapping

from bot.facts import Tap, Verb
from bot.options import STEP, RulesPage, RulesRoom, Setting, seal
from bot.views.kit import GAP, Key, Page, View, _, fitted, labelled, listed, name_html, rows, sentence, text_of, toast
from bot.views.tables import (
    choice,
    distance,
    lines,
    players_edge,
    priced_choice,
    priced_lines,
    short_prices,
    table_name,
)
from bot.views.words import explain
from core.rules import PRESETS, RuleSet
from core.workshop import Part, differences, named, nearest, variants

_PARTS: Mapping[Part, str] = {
    Part.PAIR_PLUS: _("Pair Plus"),
    Part.MINI_ROYAL: _("Mini royal"),
    Part.ANTE_BONUS: _("Ante bonus"),
    Part.SIX_CARD: _("6-Card Bonus"),
    Part.ANTE_REQUIRED: _("Ante required"),
    Part.LIMITS: _("Limits"),
    Part.TABLE: _("All bets"),
    Part.TRAY: _("Chips"),
    Part.BUY_IN: _("Buy-in"),
}


def view(room: RulesRoom, page: Page) -> View:
    """The page of `/rules` that is on show."""
    match room.page:
        case RulesPage.MENU:
            return _menu(room, page)
        case RulesPage.PRESET:
            number = [*PRESETS].index(room.table.name)
            use = _key(room, page.t("Use this table"), RulesPage.USE_PRESET, number)
            return _offer(room, page, ((use,), (_key(room, page.t("Back"), RulesPage.MENU),)))
        case RulesPage.DRAFT:
            return _offer(room, page, _draft_keys(room, page))
        case RulesPage.PART:
            return _part(room, page)
        case _:
            return _passport(room, page)


def _key(room: RulesRoom, label: str, page: RulesPage, value: int = 0) -> Key:
    """Each key carries on where the message came from."""
    return Key(label, tap=Tap(verb=Verb.RULES, round=int(room.from_settings), numbers=(page, value)))


def said(room: RulesRoom, page: Page) -> str:
    """The toast of a tap: what is on show; that nights under way keep their rules is said when a table is used."""
    if room.used:
        name = table_name(room.table, page)
        return toast(page.t("{table}: from the next night on. Nights under way keep their rules.", table=name))
    if room.page in {RulesPage.DRAFT, RulesPage.PART, RulesPage.PRESET}:
        return toast(sentence(listed(short_prices(room.table, page), page), page), players_edge(room.table, page))
    shown = page.t("Choose a table") if room.page is RulesPage.MENU else _priced_name(room.table, page)
    return toast(sentence(shown, page))


# Pages


def _passport(room: RulesRoom, page: Page) -> View:
    title = page.t("Your private table") if page.private else _of_group(room, page)
    return View(
        text=text_of(
            f"<b>{title}</b>{page.dot}{html.escape(table_name(room.table, page), quote=False)}",
            _note(room, page),
            GAP,
            *lines(room.table, page),
            GAP,
            *priced_lines(room.table, None, page),
            GAP,
            distance(room.table, page),
            page.t("A night is played to its end by the rules it began with."),
            GAP,
            _set_by(room, page),
        ),
        keys=rows(page, (_key(room, page.t("Choose another table"), RulesPage.MENU),), _back_to_settings(room, page)),
    )


def _back_to_settings(room: RulesRoom, page: Page) -> tuple[Key, ...]:
    if not room.from_settings:
        return ()
    return (Key(page.t("Back"), tap=Tap(verb=Verb.SETTING, numbers=(Setting.OPEN, 0))),)


def _of_group(room: RulesRoom, page: Page) -> str:
    return page.t("The table in {group}", group=name_html(room.chat.title, page))


def _note(room: RulesRoom, page: Page) -> str:
    if room.note is None:
        return ""
    return page.t("Note: {text}", text=html.escape(explain(room.note, page), quote=False))


def _set_by(room: RulesRoom, page: Page) -> str:
    change = next((change for change in room.options.changes if change.what is Setting.RULES), None)
    if change is None or page.private:
        return ""
    table = html.escape(table_name(room.chat.rules, page), quote=False)
    name = name_html(room.names.get(change.by, ""), page) if change.by else page.t("an admin")
    return page.t("Table: {table} · set by {name}", table=table, name=name)


def _menu(room: RulesRoom, page: Page) -> View:
    presets = [
        _key(room, _ticked(table_name(rules, page), chosen=room.table == rules), RulesPage.PRESET, number)
        for number, rules in enumerate(PRESETS.values())
    ]
    own = _key(room, _ticked(page.t("Own table"), chosen=room.table.name not in PRESETS), RulesPage.DRAFT)
    return View(
        text=text_of(
            f"<b>{page.t('Choose a table')}</b>",
            _note(room, page),
            page.t("Look first: each is shown with its price before it is used."),
            GAP,
            *(_priced_name(rules, page) for rules in PRESETS.values()),
            GAP,
            page.t(
                "Experts can write a table down whole: /rules {example}", example='<code>{"ante_bonus":null}</code>'
            ),
        ),
        keys=rows(
            page, tuple(presets[:2]), tuple(presets[2:]), (own,), (_key(room, page.t("Back"), RulesPage.PASSPORT),)
        ),
    )


def _priced_name(rules: RuleSet, page: Page) -> str:
    return labelled(table_name(rules, page), listed(short_prices(rules, page), page), page)


def _offer(room: RulesRoom, page: Page, keys: tuple[tuple[Key, ...], ...]) -> View:
    """A table that is not in use yet, its price beside the nearest preset's, or beside the table in use."""
    beside = nearest(room.table)
    if not differences(room.table, beside):
        beside = room.chat.rules
    return View(
        text=text_of(
            f"<b>{page.t('Not in use yet')}</b>{page.dot}{html.escape(table_name(room.table, page), quote=False)}",
            _note(room, page),
            GAP,
            *lines(room.table, page),
            GAP,
            *priced_lines(room.table, beside if differences(room.table, beside) else None, page),
            GAP,
            distance(room.table, page),
        ),
        keys=rows(page, *keys),
    )


def _draft_keys(room: RulesRoom, page: Page) -> tuple[tuple[Key, ...], ...]:
    parts = [
        _key(room, _chosen(part, room.table, page), RulesPage.PART, part) for part in Part if _offered(part, room.table)
    ]
    use = _key(room, page.t("Use this table"), RulesPage.USE_DRAFT, seal(room.table))
    pairs = fitted(*(tuple(parts[start : start + 2]) for start in range(0, len(parts), 2)))
    last = (_key(room, page.t("Start over"), RulesPage.START_OVER), _key(room, page.t("Back"), RulesPage.MENU))
    return (() if room.table == room.chat.rules else (use,)), *pairs, last


def _offered(part: Part, rules: RuleSet) -> bool:
    return part is not Part.MINI_ROYAL or rules.pair_plus is not None


def _part(room: RulesRoom, page: Page) -> View:
    assert room.part is not None  # noqa: S101 - the service gives this page a part
    found = [
        _key(room, _ticked(priced_choice(room.part, made, page), chosen=made == named(room.table)), RulesPage.CHOOSE,
             room.part * STEP + number)
        for number, made in variants(room.table, room.part).items()
    ]  # fmt: skip
    offer = _offer(room, page, ())
    keys = (*((key,) for key in found), (_key(room, page.t("Back"), RulesPage.DRAFT),))
    return View(text=text_of(f"<b>{page.t(_PARTS[room.part])}</b>", offer.text), keys=rows(page, *keys))


def _ticked(label: str, *, chosen: bool) -> str:
    return f"✓ {label}" if chosen else label


def _chosen(part: Part, rules: RuleSet, page: Page) -> str:
    """A step and what is chosen, as a key says it."""
    return labelled(page.t(_PARTS[part]), choice(part, rules, page), page)
