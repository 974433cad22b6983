"""A table of the game in words: its lines, its exact price, and how far it is from the presets."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from bot.views.kit import Page, _, chips, listed, ltr
from bot.views.words import spot_name
from core.odds import AnteOdds, SideOdds
from core.rules import PRESETS, AnteBonus, Limits, PairPlusPays, RuleSet, SixCardPays, Spot
from core.workshop import OWN_NAME, Aspect, Part, differences, nearest, prices

_PLACES = 4  # decimals of an edge
_RTP_PLACES = 2
_NAME_SHOWN = 20
_PROPER: Mapping[str, str] = {"selminha": "Selminha", "poker-three": "Poker Three", "california": "California"}


def table_name(rules: RuleSet, page: Page) -> str:
    """A table's name as a key may show it: cut and not escaped."""
    if rules.name == OWN_NAME:
        return page.t("own table")
    if rules == PRESETS.get("six-card"):
        return page.t("6-Card Bonus")
    name = _PROPER[rules.name] if rules == PRESETS.get(rules.name) else rules.name[:_NAME_SHOWN]
    return f"\u2068{name}\u2069"


def choice(part: Part, rules: RuleSet, page: Page) -> str:  # noqa: PLR0911 - one line a step
    """What a table has in one step of the workshop."""
    match part:
        case Part.PAIR_PLUS:
            return page.t("off") if rules.pair_plus is None else _pays(_pair_plus_lines(rules.pair_plus), page)
        case Part.MINI_ROYAL:
            royal = rules.pair_plus.mini_royal if rules.pair_plus is not None else None
            return page.t("off") if royal is None else page.t("{odds} to 1", odds=page.t.number(royal))
        case Part.ANTE_BONUS:
            return _bonus(rules.ante_bonus, page)
        case Part.SIX_CARD:
            return page.t("off") if rules.six_card is None else page.t("on")
        case Part.ANTE_REQUIRED:
            return page.t("yes") if rules.ante_required else page.t("no")
        case Part.LIMITS:
            return _range(rules.limits.ante, page)
        case Part.TABLE:
            most = rules.limits.table
            return page.t("no maximum") if most is None else page.t("up to {chips}", chips=chips(most, page))
        case Part.TRAY:
            return _tray(rules, page)
        case Part.BUY_IN:
            return chips(rules.buy_in, page)


def priced_choice(part: Part, rules: RuleSet, page: Page) -> str:
    """The same with the edge that follows from it, where the step has a price."""
    priced = prices(rules)
    edge = {
        Part.ANTE_BONUS: priced.ante,
        Part.PAIR_PLUS: priced.pair_plus,
        Part.MINI_ROYAL: priced.pair_plus,
        Part.SIX_CARD: priced.six_card,
    }.get(part)
    told = choice(part, rules, page)
    if edge is None:
        return told
    return page.t("{choice} ({edge})", choice=told, edge=_percent(edge.house_edge, _RTP_PLACES, page))


# The table in lines


def lines(rules: RuleSet, page: Page) -> Iterator[str]:
    """A table's bets, pays, limits and chips."""
    ante = _range(rules.limits.ante, page)
    yield (
        page.t("Ante {range}, required.", range=ante)
        if rules.ante_required
        else page.t("Ante none, or {range}.", range=ante)
    )
    yield page.t("Ante bonus {pays}.", pays=_bonus(rules.ante_bonus, page))
    if not rules.bonus_if_dealer_wins:
        yield page.t("A dealer who wins takes the Ante bonus away.")
    if rules.pair_plus is not None:
        yield page.t(
            "{spot} none, or {range}: {pays}.",
            spot=spot_name(Spot.PAIR_PLUS, page, rules),
            range=_range(rules.limits.pair_plus, page),
            pays=_pays(_pair_plus_lines(rules.pair_plus), page),
        )
    if rules.six_card is not None:
        yield page.t(
            "{spot} none, or {range}: {pays}.",
            spot=spot_name(Spot.SIX_CARD, page, rules),
            range=_range(rules.limits.six_card, page),
            pays=_pays(_six_card_lines(rules.six_card), page),
        )
    if not rules.dealer_must_qualify:
        yield page.t("The dealer always qualifies.")
    if rules.limits.table is not None:
        yield page.t("All bets before the deal: {most} at most.", most=chips(rules.limits.table, page))
    yield page.t("Chips of {tray}; {buy_in} to sit down.", tray=_tray(rules, page), buy_in=chips(rules.buy_in, page))
    yield page.t("/hands tells which hand each pay is for.")


def _range(limits: Limits, page: Page) -> str:
    return page.t("{least} to {most}", least=chips(limits.least, page), most=chips(limits.most, page))


def _tray(rules: RuleSet, page: Page) -> str:
    return ltr(listed(map(page.t.number, rules.chips), page), page)


def _bonus(bonus: AnteBonus, page: Page) -> str:
    lines = (bonus.straight_flush, bonus.three_of_a_kind, bonus.straight)
    return page.t("none") if not any(lines) else _pays(lines, page)


def _pair_plus_lines(pays: PairPlusPays) -> tuple[int | None, ...]:
    lines = (pays.straight_flush, pays.three_of_a_kind, pays.straight, pays.flush, pays.pair)
    return lines if pays.mini_royal is None else (pays.mini_royal, *lines)


def _six_card_lines(pays: SixCardPays) -> tuple[int | None, ...]:
    return (
        pays.royal_flush,
        pays.straight_flush,
        pays.four_of_a_kind,
        pays.full_house,
        pays.flush,
        pays.straight,
        pays.three_of_a_kind,
    )


def _pays(lines: Iterable[int | None], page: Page) -> str:
    """A paytable the way tables print it: 40-30-6-4-1; a line that is off is a cross."""
    return ltr("-".join("×" if odds is None else str(odds) for odds in lines), page)


# Its price


def short_prices(rules: RuleSet, page: Page) -> Iterator[str]:
    """The house's edge of each bet, to hundredths of a percent."""
    priced = prices(rules)
    yield page.t("Ante {edge}", edge=_percent(priced.ante.house_edge, _RTP_PLACES, page))
    for spot, odds in ((Spot.PAIR_PLUS, priced.pair_plus), (Spot.SIX_CARD, priced.six_card)):
        if odds is not None:
            edge = _percent(odds.house_edge, _RTP_PLACES, page)
            yield page.t("{spot} {edge}", spot=spot_name(spot, page, rules), edge=edge)


def _percent(share: Fraction, places: int, page: Page) -> str:
    return ltr(page.t.percent(share, places), page)


def priced_lines(rules: RuleSet, beside: RuleSet | None, page: Page) -> Iterator[str]:
    """Exact edges, and the two meanings of RTP (RULES section 4); a positive edge is the house's."""
    priced = prices(rules)
    other = prices(beside) if beside is not None else None
    yield f"<b>{page.t('The house’s edge, with the best play')}</b>"
    yield _ante_edge(priced.ante, _besides(other.ante.house_edge if other else None, beside, page), page)
    yield page.t(
        "Element of risk {risk}: of every chip put at risk, Play included.",
        risk=_percent(priced.ante.element_of_risk, _PLACES, page),
    )
    yield page.t(
        "RTP {rtp} of the Ante; {per_chip} of all chips bet.",
        rtp=_percent(priced.ante.rtp, _RTP_PLACES, page),
        per_chip=_percent(priced.ante.rtp_per_chip, _PLACES - 1, page),
    )
    sides = (
        (Spot.PAIR_PLUS, priced.pair_plus, other.pair_plus if other else None),
        (Spot.SIX_CARD, priced.six_card, other.six_card if other else None),
    )
    for spot, odds, theirs in sides:
        if odds is not None:
            told = _besides(theirs.house_edge if theirs else None, beside, page)
            yield _side_edge(spot_name(spot, page, rules), odds, told, page)
    worst = priced.worst_hand_played
    yield (
        page.t("Worth playing: {hand} or better.", hand=ltr(worst, page))
        if worst
        else page.t("No hand is worth playing here.")
    )
    yield players_edge(rules, page)


def _besides(edge: Fraction | None, beside: RuleSet | None, page: Page) -> str:
    """What the other table's edge is, as the end of a line."""
    if beside is None or edge is None:
        return ""
    name = html.escape(table_name(beside, page), quote=False)
    return page.t("; {table} {edge}", table=name, edge=_percent(edge, _PLACES, page))


def _ante_edge(odds: AnteOdds, beside: str, page: Page) -> str:
    edge = _percent(odds.house_edge, _PLACES, page)
    return page.t("Ante {edge} ({exact}){beside}", edge=edge, exact=_exact(odds.house_edge, page), beside=beside)


def _side_edge(spot: str, odds: SideOdds, beside: str, page: Page) -> str:
    return page.t(
        "{spot} {edge} ({exact}), RTP {rtp}{beside}",
        spot=spot,
        edge=_percent(odds.house_edge, _PLACES, page),
        exact=_exact(odds.house_edge, page),
        rtp=_percent(odds.rtp, _RTP_PLACES, page),
        beside=beside,
    )


def _exact(share: Fraction, page: Page) -> str:
    return ltr(f"{'−' if share < 0 else ''}{abs(share)}", page)


def players_edge(rules: RuleSet, page: Page) -> str:
    """A table on which the players win in the long run says so."""
    priced = prices(rules)
    edges = (
        (Spot.ANTE, priced.ante.house_edge),
        (Spot.PAIR_PLUS, priced.pair_plus.house_edge if priced.pair_plus else Fraction(0)),
        (Spot.SIX_CARD, priced.six_card.house_edge if priced.six_card else Fraction(0)),
    )
    theirs = [spot_name(spot, page, rules) for spot, edge in edges if edge < 0]
    return page.t("The players have the edge on: {spots}.", spots=listed(theirs, page)) if theirs else ""


# How far it is from the presets


def distance(rules: RuleSet, page: Page) -> str:
    """The nearest preset, and what differs from it."""
    near = nearest(rules)
    aspects = differences(rules, near)
    name = table_name(near, page)
    if not aspects:
        return page.t("This is {table}, unchanged.", table=name)
    told = "\n".join(
        page.t(
            "• {what}: {ours} (there {theirs})",
            what=page.t(_ASPECTS[aspect]),
            ours=_aspect(aspect, rules, page),
            theirs=_aspect(aspect, near, page),
        )
        for aspect in aspects
    )
    return f"{page.t('Nearest to {table}; what differs:', table=name)}\n{told}"


def _aspect(aspect: Aspect, rules: RuleSet, page: Page) -> str:
    """What one table has in one aspect; where a step of the workshop says the same, as that step says it."""
    if (part := _SAID_BY.get(aspect)) is not None:
        return choice(part, rules, page)
    match aspect:
        case Aspect.BONUS_IF_DEALER_WINS:
            return page.t("yes") if rules.bonus_if_dealer_wins else page.t("no")
        case Aspect.DEALER_MUST_QUALIFY:
            return page.t("yes") if rules.dealer_must_qualify else page.t("no")
        case Aspect.PAIR_PLUS_LIMITS:
            return _range(rules.limits.pair_plus, page)
        case Aspect.SIX_CARD_LIMITS:
            return _range(rules.limits.six_card, page)
        case _:
            return page.t("off") if rules.six_card is None else _pays(_six_card_lines(rules.six_card), page)


_ASPECTS: Mapping[Aspect, str] = {
    Aspect.ANTE_REQUIRED: _("Ante required"),
    Aspect.ANTE_LIMITS: _("Ante"),
    Aspect.ANTE_BONUS: _("Ante bonus"),
    Aspect.BONUS_IF_DEALER_WINS: _("Ante bonus also when the dealer wins"),
    Aspect.DEALER_MUST_QUALIFY: _("Dealer has to qualify"),
    Aspect.PAIR_PLUS: _("Pair Plus"),
    Aspect.PAIR_PLUS_LIMITS: _("Pair Plus, limits"),
    Aspect.SIX_CARD: _("6-Card Bonus"),
    Aspect.SIX_CARD_LIMITS: _("6-Card Bonus, limits"),
    Aspect.TABLE: _("All bets"),
    Aspect.TRAY: _("Chips"),
    Aspect.BUY_IN: _("Buy-in"),
}
_SAID_BY: Mapping[Aspect, Part] = {
    Aspect.ANTE_REQUIRED: Part.ANTE_REQUIRED,
    Aspect.ANTE_LIMITS: Part.LIMITS,
    Aspect.ANTE_BONUS: Part.ANTE_BONUS,
    Aspect.PAIR_PLUS: Part.PAIR_PLUS,
    Aspect.TABLE: Part.TABLE,
    Aspect.TRAY: Part.TRAY,
    Aspect.BUY_IN: Part.BUY_IN,
}
