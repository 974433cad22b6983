"""What every page of a solo board is made of."""

from __future__ import annotations

import html
from dataclasses import replace

from bot.facts import Round, SoloBoard, Tap, Verb
from bot.views import outings
from bot.views.kit import Key, Page, Style, capital, chips, labelled, listed, name_html, seal, sentence, signed
from bot.views.words import explain, spot_name
from core.betting import Wager, wager_problem
from core.rules import RuleSet, Spot
from core.solo import Betting, Settled


def title(value: SoloBoard, page: Page, note: str = "") -> str:
    """The first line: whose board it is, and how many chips (BOARDS rule 1)."""
    amount = page.t.n("{count} chip", "{count} chips", value.chips)
    name = name_html(value.owner.name, page)
    if page.words:
        return sentence(listed(filter(None, (page.t("{name}. {chips}", name=name, chips=amount), note)), page), page)
    return listed(filter(None, (page.t("{name} · {chips}", name=name, chips=amount), note)), page)


def note_line(value: SoloBoard, page: Page) -> str:
    """Why a typed command was refused (BOARDS rule 6); empty where nothing was."""
    if value.note is None:
        return ""
    page = replace(page, rules=value.shown.rules if value.shown is not None else value.chat.rules)
    return page.t("Note: {text}", text=html.escape(explain(value.note, page), quote=False))


def tap(value: SoloBoard, verb: Verb, *numbers: int, round_id: int | None = None) -> Tap:
    """The payload of a board's key: the board, and the round that is open unless another is meant."""
    open_id = value.following.id if value.following else value.board.round_id
    return Tap(verb=verb, board=value.board.id, round=open_id if round_id is None else round_id, numbers=numbers)


def wager_line(wager: Wager, rules: RuleSet, page: Page) -> str:
    """The bets spot by spot, what lies on none of them included; of the 6-Card Bonus only a bet."""
    parts = [
        page.t("{spot} {chips}", spot=spot_name(spot, page, rules), chips=chips(wager.on(spot), page))
        for spot in rules.spots
        if wager.on(spot) or spot is not Spot.SIX_CARD
    ]
    return page.dot.join(parts)


def spoken_net(state: Settled, page: Page) -> str:
    """What a hand won or lost, for the ear."""
    net = state.settlement.net
    return capital(signed(net, page), page) if net else page.t("Nothing won, nothing lost")


# Keys


def deal_key(value: SoloBoard, page: Page, *, last: Wager | None = None) -> tuple[Key, ...]:
    """
    Deal with its amount, where it would be accepted; the payload names the wager (BOARDS rule 5).

    After a hand whose bets were *last*, a table that asks for no Ante calls the same once more Rebet (P3).
    """
    round_ = value.following
    if round_ is None or not isinstance(round_.state, Betting) or not dealable(round_, value.seat.chips):
        return ()
    wager = round_.state.wager
    label = page.t("Deal {chips}", chips=chips(wager.stake, page))
    if wager == last and not round_.rules.ante_required:
        label = page.t("Rebet") + page.dot + label
    deal = tap(value, Verb.DEAL, wager.ante, wager.pair_plus, wager.six_card)
    return (Key(label, deal, style=Style.PRIMARY),)


def dealable(round_: Round, stack: int) -> bool:
    """Whether Deal would be accepted: the same check that refuses it."""
    state = round_.state
    return isinstance(state, Betting) and wager_problem(state.wager, rules=round_.rules, stack=stack) is None


def change_key(value: SoloBoard, page: Page) -> tuple[Key, ...]:
    """Where everybody has the same bets there is nothing to change."""
    if value.outing is not None and value.outing.event.fixed:
        return ()
    return (Key(page.t("Change bet"), tap(value, Verb.CHANGE_BET)),)


def stay_key(value: SoloBoard, page: Page) -> tuple[Key, ...]:
    """Deal keeps its place under a page: a second tap on Back or Keep playing must not land on it (BOARDS rule 3)."""
    state = value.shown.state if value.shown is not None else None
    return deal_key(value, page, last=state.wager if isinstance(state, Settled) else None)


# Seals


def seal_of(round_: Round | None, page: Page) -> str:
    """The seal of a round to come or in play; empty without one."""
    return seal(round_.commitment, page) if round_ is not None else ""


def proof_lines(value: SoloBoard, shown: Round, page: Page) -> tuple[str, ...]:
    """The hand's number, and the seal of the next deal (BOARDS rule 9)."""
    if shown.deal is not None:
        return outings.proof_lines(value, page)
    hand = page.t("hand {number}", number=shown.id)
    if page.words:
        following = labelled(page.t("Next"), seal_of(value.following, page), page) if value.following else ""
        return capital(hand, page), following
    following = f" · {page.t('next')} {seal_of(value.following, page)}" if value.following else ""
    return (f"🔓 {hand}{following}",)


def next_seal(value: SoloBoard, page: Page) -> tuple[str, ...]:
    """Where Deal stands, its seal stands (BOARDS rule 9)."""
    if value.shown is None or not stay_key(value, page):
        return ()
    settled = isinstance(value.shown.state, Settled)
    return proof_lines(value, value.shown, page) if settled else (seal_of(value.following, page),)
