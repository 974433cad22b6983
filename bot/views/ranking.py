"""HANDS: what beats what, with sample cards, and what each hand pays at this table (SEL)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.views import cards
from bot.views.kit import GAP, Page, text_of, toast
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
        pays = page.t(
            "{spot} {odds} to 1", spot=spot_name(Spot.PAIR_PLUS, page, rules), odds=rules.pair_plus.mini_royal
        )
        lines.append(_ranked(page.t("mini royal"), _ROYAL, pays, page))
    for category, sample in _SAMPLES.items():
        lines.append(_ranked(page.t(cards.CATEGORIES[category]), sample, ", ".join(_pays(category, rules, page)), page))
    lines += [GAP, *_six_card(rules, page)]
    lines.append(page.t("A straight beats a flush here. The ace is low in A-2-3 only. Suits never decide."))
    return text_of(*lines)


def _ranked(name: str, sample: Hand, pays: str, page: Page) -> str:
    shown = cards.hand_text(sample, page)
    return f"{shown} · {name}" + (f": {pays}" if pays else "")


def _pays(category: Category, rules: RuleSet, page: Page) -> Iterator[str]:
    """What a category pays at this table, spot by spot; the names are those of the tables' lines."""
    pair_plus = getattr(rules.pair_plus, category.value, None) if rules.pair_plus else None
    if pair_plus is not None:
        yield page.t("{spot} {odds} to 1", spot=spot_name(Spot.PAIR_PLUS, page, rules), odds=pair_plus)
    bonus = getattr(rules.ante_bonus, category.value, None)
    if bonus is not None:
        yield page.t("Ante bonus {odds} to 1", odds=bonus)


def _six_card(rules: RuleSet, page: Page) -> Iterator[str]:
    if rules.six_card is None:
        return
    lines = (
        (cards.SIX_CARD_CATEGORIES[category], rules.six_card.odds(category)) for category in cards.SIX_CARD_CATEGORIES
    )
    told = ", ".join(
        page.t("{hand} {odds} to 1", hand=page.t(hand), odds=odds) for hand, odds in lines if odds is not None
    )
    yield page.t("6-Card Bonus, your three and the dealer’s three: {pays}.", pays=told)


def hand_ranking_alert(rules: RuleSet, page: Page) -> str:
    """The same in one alert (200 characters), for groups: it is nobody else's business and costs no edit."""
    told: list[str] = []
    for category in _SAMPLES:
        pair_plus = getattr(rules.pair_plus, category.value, None) if rules.pair_plus else None
        bonus = getattr(rules.ante_bonus, category.value, None)
        pays = " + ".join(str(odds) for odds in (pair_plus, bonus) if odds is not None)
        told.append(page.t(cards.CATEGORIES[category]) + (f" {pays}" if pays else ""))
    return toast(
        " > ".join(told) + ".", page.t("Pays to 1: {spot} + Ante bonus.", spot=spot_name(Spot.PAIR_PLUS, page, rules))
    )
