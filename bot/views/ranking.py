"""HANDS: what beats what, with sample cards, and what each hand pays at this table (SEL)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.views import cards
from bot.views.kit import GAP, Page, board_text, capital, labelled, listed, ltr, sentence, toast
from bot.views.words import spot_name
from core.cards import Hand, parse_hand
from core.ranking import Category
from core.rules import RuleSet, Spot

_SAMPLES: Mapping[Category, Hand] = {
    Category.STRAIGHT_FLUSH: parse_hand("Jh Th 9h"),
    Category.THREE_OF_A_KIND: parse_hand("8s 8h 8c"),
    Category.STRAIGHT: parse_hand("6d 5s 4h"),
    Category.FLUSH: parse_hand("Kc 9c 3c"),
    Category.PAIR: parse_hand("Qs Qd 7h"),
    Category.HIGH_CARD: parse_hand("Ad 9s 4c"),
}
_ROYAL = parse_hand("As Ks Qs")


def hand_ranking(rules: RuleSet, page: Page) -> str:
    """HANDS: the ranking with sample cards, and what each pays at this table (SEL)."""
    lines = [f"<b>{page.t('Hands, highest first')}</b>"]
    if rules.pair_plus is not None and rules.pair_plus.mini_royal is not None:
        pays = _spot_pays(Spot.PAIR_PLUS, rules.pair_plus.mini_royal, rules, page)
        bonus = _bonus_pays(rules.ante_bonus.straight_flush, page)
        lines.append(_ranked(page.t("mini royal"), _ROYAL, (*pays, *bonus), page))
    for category, sample in _SAMPLES.items():
        lines.append(_ranked(page.t(cards.CATEGORIES[category]), sample, _pays(category, rules, page), page))
    lines += [GAP, *_six_card(rules, page)]
    lines.append(page.t("A straight beats a flush here. The ace is low in A-2-3 only. Suits never decide."))
    return board_text(page, *lines)


def _ranked(name: str, sample: Hand, pays: tuple[str, ...], page: Page) -> str:
    shown, told = cards.hand_text(sample, page), listed(pays, page)
    if page.words:
        name = capital(name, page)
        head = sentence(labelled(name, told, page) if told else name, page)
        return f"{head} {page.t('Like {cards}.', cards=shown)}"
    ranked = f"{shown}{page.dot}{name}"
    return labelled(ranked, told, page) if told else ranked


def _pays(category: Category, rules: RuleSet, page: Page) -> tuple[str, ...]:
    """What a category pays at this table, spot by spot; the names are those of the tables' lines."""
    pair_plus = getattr(rules.pair_plus, category.value, None) if rules.pair_plus else None
    bonus = getattr(rules.ante_bonus, category.value, None)
    return (*_spot_pays(Spot.PAIR_PLUS, pair_plus, rules, page), *_bonus_pays(bonus, page))


def _spot_pays(spot: Spot, odds: int | None, rules: RuleSet, page: Page) -> tuple[str, ...]:
    if odds is None:
        return ()
    return (page.t("{spot} {odds} to 1", spot=spot_name(spot, page, rules), odds=page.t.number(odds)),)


def _bonus_pays(odds: int | None, page: Page) -> tuple[str, ...]:
    return () if odds is None else (page.t("Ante bonus {odds} to 1", odds=page.t.number(odds)),)


def _six_card(rules: RuleSet, page: Page) -> Iterator[str]:
    if rules.six_card is None:
        return
    lines = ((name, rules.six_card.odds(category)) for category, name in cards.SIX_CARD_CATEGORIES.items())
    told = listed(
        (
            page.t("{hand} {odds} to 1", hand=page.t(hand), odds=page.t.number(odds))
            for hand, odds in lines
            if odds is not None
        ),
        page,
    )
    yield page.t("6-Card Bonus, your three and the dealer’s three: {pays}.", pays=told)


def hand_ranking_alert(rules: RuleSet, page: Page) -> str:
    """The same in one alert (200 characters), for groups: it is nobody else's business and costs no edit."""
    told = [_short(page.t(cards.CATEGORIES[category]), category.value, rules, page) for category in _SAMPLES]
    if rules.pair_plus is not None and rules.pair_plus.mini_royal is not None:
        pays = _sum(rules.pair_plus.mini_royal, rules.ante_bonus.straight_flush, page)
        told.insert(0, f"{page.t('mini royal')} {pays}")
    paid = (
        page.t("Pays to 1: Ante bonus.")
        if rules.pair_plus is None
        else page.t("Pays to 1: {spot} + Ante bonus.", spot=spot_name(Spot.PAIR_PLUS, page, rules))
    )
    more = "" if rules.six_card is None else page.t("6-Card Bonus: see /hands.")
    return toast(sentence(" > ".join(told), page), paid, more)


def _short(name: str, line: str, rules: RuleSet, page: Page) -> str:
    pair_plus = getattr(rules.pair_plus, line, None) if rules.pair_plus else None
    pays = _sum(pair_plus, getattr(rules.ante_bonus, line, None), page)
    return f"{name} {pays}" if pays else name


def _sum(pair_plus: int | None, bonus: int | None, page: Page) -> str:
    return ltr(" + ".join(page.t.number(odds) for odds in (pair_plus, bonus) if odds is not None), page)
