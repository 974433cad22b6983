"""Toasts of solo play: the fast picture, the new state in under 200 characters (BOARDS rule 4)."""

from __future__ import annotations

from bot.facts import Round, SoloBoard, Verb
from bot.views import cards
from bot.views.coach import given_away_line
from bot.views.kit import Page, capital, chips, labelled, sentence, signed, toast
from bot.views.words import wager_text
from core.betting import Wager
from core.rules import RuleSet
from core.settlement import Result
from core.solo import Betting, Dealt, Settled

_BET_VERBS = {
    Verb.ADD, Verb.TAKE, Verb.HALF, Verb.DOUBLE, Verb.MAX, Verb.CLEAR, Verb.REPEAT, Verb.CHANGE_BET,
}  # fmt: skip


def tapped(value: SoloBoard, verb: Verb, page: Page) -> str:
    """What the toast says after a tap."""
    match verb:
        case Verb.CHIP:
            return page.t("Chips of {chips}.", chips=chips(value.seat.chip, page))
        case Verb.LEAVE:
            amount = page.t.n("{count} chip", "{count} chips", (value.night and value.night.chips) or 0)
            return page.t("You leave with {chips}.", chips=amount)
        case Verb.CASH_OUT | Verb.KEEP:
            return _leaving_toast(value, page, asked=verb is Verb.CASH_OUT)
        case Verb.DESIGN:
            return page.t("Cards: {sample}", sample=cards.design_sample(page))
        case Verb.NEW_NIGHT:
            return page.t.n("A new night: you have {count} chip.", "A new night: you have {count} chips.", value.chips)
        case _:
            return _hand_toast(value, value.shown, verb, page) if value.shown is not None else ""


def _hand_toast(value: SoloBoard, shown: Round, verb: Verb, page: Page) -> str:
    match shown.state:
        case Betting() as betting if verb in _BET_VERBS:
            switched = _repeat_toast(page, on=value.seat.repeat) if verb is Verb.REPEAT else ""
            return toast(switched, _bet_toast(value.seat.chips, betting.wager, shown.rules, page))
        case Dealt() as dealt if verb is Verb.DEAL:
            return _deal_toast(dealt, page)
        case Settled() as settled if verb in {Verb.DEAL, Verb.PLAY, Verb.FOLD}:
            return _result_toast(value, shown, settled, page)
        case _:
            return ""


def _leaving_toast(value: SoloBoard, page: Page, *, asked: bool) -> str:
    if asked:
        return page.t("Leave with {chips}?", chips=chips(value.chips, page))
    return page.t.n("You have {count} chip.", "You have {count} chips.", value.chips)


def _repeat_toast(page: Page, *, on: bool) -> str:
    return sentence(labelled(page.t("Repeat"), page.t("on") if on else page.t("off"), page), page)


def _bet_toast(stack: int, wager: Wager, rules: RuleSet, page: Page) -> str:
    if not wager.stake:
        return page.t("No bet on the table.")
    bet, left = wager_text(wager, page, rules), chips(stack - wager.stake, page)
    if not wager.cover:
        return page.t("{bet}. {left} left.", bet=bet, left=left)
    cover = chips(wager.cover, page)
    return page.t("{bet}. {left} left, {cover} of them for Play.", bet=bet, left=left, cover=cover)


def _deal_toast(dealt: Dealt, page: Page) -> str:
    hand, name = cards.hand_text(dealt.player, page), cards.hand_name(dealt.player, page)
    cost = chips(dealt.wager.ante, page)
    if page.words:
        told = sentence(labelled(capital(name, page), hand, page), page)
        return toast(told, page.t("Play {chips} or fold?", chips=cost))
    return toast(page.t("{cards} · {name}. Play {chips} or fold?", cards=hand, name=name, chips=cost))


def _result_toast(value: SoloBoard, shown: Round, state: Settled, page: Page) -> str:
    have = value.night.chips if value.night and value.night.closed else value.chips
    net = page.t("{net}, you have {chips}.", net=signed(state.settlement.net, page), chips=chips(have or 0, page))
    coach = given_away_line(shown, page) if value.owner.coach else ""
    if page.words:
        return toast(capital(net, page), _dealer_toast(state, page), coach)
    return toast(_dealer_toast(state, page), net, coach)


def _dealer_toast(state: Settled, page: Page) -> str:
    dealer, name = cards.hand_text(state.dealer, page), cards.hand_name(state.dealer, page)
    match state.settlement.result:
        case Result.NOT_QUALIFIED:
            return page.t("Dealer {cards} does not qualify.", cards=dealer)
        case Result.WIN:
            return page.t("Dealer {cards}, {name}: you win.", cards=dealer, name=name)
        case Result.LOSE:
            return page.t("Dealer {cards}, {name}: the dealer wins.", cards=dealer, name=name)
        case Result.TIE:
            return page.t("Dealer {cards}, {name}: a tie.", cards=dealer, name=name)
        case Result.FOLD:
            return page.t("Folded.")
        case _:
            return _own_hand(state, page)


def _own_hand(state: Settled, page: Page) -> str:
    mine, name = cards.hand_text(state.player, page), cards.hand_name(state.player, page)
    if page.words:
        return sentence(labelled(capital(name, page), mine, page), page)
    return sentence(page.t("You: {cards} · {name}", cards=mine, name=name), page)
