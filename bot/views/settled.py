"""A settled hand, line by line: the cards, then why each bet won or lost (BOARDS 3.4, 3.5)."""

from __future__ import annotations

from bot.views import cards
from bot.views.kit import Page, capital, chips, listed, ltr, signed
from bot.views.words import spot_name
from core.cards import Hand
from core.rules import RuleSet, Spot
from core.settlement import Decision, Result
from core.solo import Settled


def hands_lines(state: Settled, page: Page) -> tuple[str, ...]:
    """Both hands and what came of them; in words the outcome comes before the cards."""
    if page.words:
        return (_spoken_outcome(state, page), *_spoken_hands(state, page))
    folded = state.decision is Decision.FOLD
    mine, theirs = cards.hand_text(state.player, page), cards.hand_text(state.dealer, page)
    name = page.t("folded") if folded else cards.hand_name(state.player, page)
    verdict = listed(filter(None, (cards.hand_name(state.dealer, page), _verdict(state.settlement.result, page))), page)
    dealer = (
        page.t("Dealer had: {cards} · {name}", cards=theirs, name=verdict)
        if folded
        else page.t("Dealer: {cards} · {name}", cards=theirs, name=verdict)
    )
    return page.t("You: {cards} · {name}", cards=mine, name=name), dealer


def _verdict(result: Result, page: Page) -> str:
    match result:
        case Result.NOT_QUALIFIED:
            return page.t("does not qualify")
        case Result.WIN:
            return page.t("you win")
        case Result.LOSE:
            return page.t("wins")
        case Result.TIE:
            return page.t("a tie")
        case _:
            return ""


def _spoken_outcome(state: Settled, page: Page) -> str:
    dealer = cards.hand_name(state.dealer, page)
    match state.settlement.result:
        case Result.NOT_QUALIFIED:
            return page.t("The dealer has {hand} and does not qualify.", hand=dealer)
        case Result.WIN:
            return page.t("You win. The dealer’s hand: {hand}.", hand=dealer)
        case Result.LOSE:
            return page.t("The dealer wins: {hand}.", hand=dealer)
        case Result.TIE:
            return page.t("A tie. The dealer’s hand: {hand}.", hand=dealer)
        case Result.FOLD:
            return page.t("You folded. The dealer’s hand: {hand}.", hand=dealer)
        case _:
            return page.t("The dealer’s hand: {hand}.", hand=dealer)


def spoken_hand(hand: Hand, page: Page) -> str:
    """One's own hand in words, its ranks repeated as letters."""
    return page.t(
        "Your cards: {cards}. {name}. ({ranks}.)",
        cards=cards.hand_text(hand, page),
        name=capital(cards.hand_name(hand, page), page),
        ranks=ltr(listed(cards.ranks_text(hand).split("-"), page), page),
    )


def _spoken_hands(state: Settled, page: Page) -> tuple[str, str]:
    dealer = page.t("The dealer’s cards: {cards}.", cards=cards.hand_text(state.dealer, page))
    return spoken_hand(state.player, page), dealer


def settlement_lines(state: Settled, rules: RuleSet, page: Page) -> tuple[str, ...]:
    """One line for each bet: what it was, what it won or lost, and why."""
    wager, settlement = state.wager, state.settlement
    lines, odds = settlement.lines, settlement.odds
    hand = page.t(cards.CATEGORIES[settlement.player.category])
    shown: list[str] = []
    if wager.ante:
        shown.append(_line(spot_name(Spot.ANTE, page), wager.ante, lines.ante, page))
    if wager.ante and state.decision is Decision.PLAY:
        shown.append(_line(page.t.p("bet", "Play"), wager.ante, lines.play, page))
    if odds.ante_bonus is not None:
        net = signed(lines.ante_bonus, page)
        shown.append(_paid_line(page.t("Ante bonus"), net, hand, odds.ante_bonus, page))
    if wager.pair_plus:
        folded = state.decision is Decision.FOLD
        why = page.t("lost with the fold") if folded else page.t("no pair") if odds.pair_plus is None else ""
        bet = _bet(spot_name(Spot.PAIR_PLUS, page, rules), wager.pair_plus, page)
        shown.append(_side_line(bet, lines.pair_plus, hand, odds.pair_plus, page, why=why))
    if wager.six_card and settlement.six_card is not None:
        best = page.t(cards.SIX_CARD_CATEGORIES[settlement.six_card])
        bet = _bet(spot_name(Spot.SIX_CARD, page), wager.six_card, page)
        shown.append(_side_line(bet, lines.six_card, best, odds.six_card, page, why=best))
    return tuple(shown)


def _bet(spot: str, stake: int, page: Page) -> str:
    return page.t("{spot} {chips}", spot=spot, chips=chips(stake, page))


def _line(spot: str, stake: int, net: int, page: Page) -> str:
    bet = _bet(spot, stake, page)
    return page.t("{bet}: {net}", bet=bet, net=signed(net, page)) if net else page.t("{bet}: comes back", bet=bet)


def _side_line(bet: str, net: int, hand: str, odds: int | None, page: Page, *, why: str) -> str:
    won = signed(net, page)
    if odds is None:
        return page.t("{bet}: {net}, {why}", bet=bet, net=won, why=why)
    return _paid_line(bet, won, hand, odds, page)


def _paid_line(bet: str, won: str, hand: str, odds: int, page: Page) -> str:
    return page.t("{bet}, {hand} {odds} to 1: {net}", bet=bet, hand=hand, odds=page.t.number(odds), net=won)
