"""The coach: what to do before the decision, and what a choice gave away after it (BOARDS 3.3 to 3.5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from bot.facts import Round
from bot.views import cards
from bot.views.figures import decimal
from bot.views.kit import TOAST_LENGTH, Page, chips, length, ltr, signed, toast
from bot.views.words import spot_name
from core.betting import Wager
from core.cards import Hand
from core.odds import DEALER_HANDS, Advice
from core.ranking import Category, strength
from core.rules import RuleSet, Spot
from core.settlement import Decision
from core.solo import Settled


class Held(Protocol):
    """Cards and bets of one person, alone or at a table."""

    @property
    def wager(self) -> Wager: ...
    @property
    def player(self) -> Hand: ...


def hint_alert(dealt: Held, advice: Advice, rules: RuleSet, page: Page) -> str:
    """
    Hint: what to do, what play and fold are worth in chips, how often each outcome comes, what the side bets do.

    An alert of 200 characters (F26). Where that is too short, the odds of a tie go first, then all odds, then the side
    bets; the advice and its worth stay.
    """
    worth, sides = _worth(dealt, advice, page), side_bets(dealt, rules, page)
    for parts in (
        (worth, _outcomes(advice, page), sides),
        (worth, _main_outcomes(advice, page), sides),
        (worth, sides),
    ):
        text = " ".join(filter(None, parts))
        if length(text) <= TOAST_LENGTH:
            return text
    return toast(worth, sides)


def _worth(dealt: Held, advice: Advice, page: Page) -> str:
    ante = dealt.wager.ante
    return page.t(
        "{advice}. On average: play {play}, fold {fold} chips.",
        advice=page.t("PLAY") if advice.advice is Decision.PLAY else page.t("FOLD"),
        play=decimal(advice.play * ante, page),
        fold=decimal(advice.fold * ante, page),
    )


def _outcomes(advice: Advice, page: Page) -> str:
    return page.t(
        "Dealer does not qualify {unqualified} %, you win {win} %, tie {tie} %, lose {lose} %.",
        **_shares(advice, page),
    )


def _main_outcomes(advice: Advice, page: Page) -> str:
    """The same without ties: they come once in 1,500 hands."""
    shares = _shares(advice, page)
    del shares["tie"]
    return page.t("Dealer does not qualify {unqualified} %, you win {win} %, lose {lose} %.", **shares)


def _shares(advice: Advice, page: Page) -> dict[str, str]:
    counts = {
        "unqualified": advice.outcomes.not_qualified,
        "win": advice.outcomes.win,
        "tie": advice.outcomes.tie,
        "lose": advice.outcomes.lose,
    }
    return {name: decimal(Fraction(100 * count, DEALER_HANDS), page, 1) for name, count in counts.items()}


def side_bets(dealt: Held, rules: RuleSet, page: Page) -> str:
    """One sentence says what becomes of the other bets, which the worth of play and fold leaves out."""
    wager = dealt.wager
    six_card = _bet(Spot.SIX_CARD, wager.six_card, rules, page) if wager.six_card else ""
    if not wager.pair_plus:
        return page.t("{bet} stands either way.", bet=six_card) if six_card else ""
    pair_plus = _bet(Spot.PAIR_PLUS, wager.pair_plus, rules, page)
    odds = rules.pair_plus.odds(strength(dealt.player)) if rules.pair_plus is not None else None
    if odds is None:
        if six_card:
            return page.t("{bet} is lost either way; {other} stands.", bet=pair_plus, other=six_card)
        return page.t("{bet} is lost either way.", bet=pair_plus)
    won = signed(wager.pair_plus * odds, page)
    if six_card:
        return page.t("{bet} earns {won} if you play; {other} stands.", bet=pair_plus, won=won, other=six_card)
    return page.t("{bet} earns {won} if you play, is lost if you fold.", bet=pair_plus, won=won)


def _bet(spot: Spot, stake: int, rules: RuleSet, page: Page) -> str:
    return page.t("{spot} {chips}", spot=spot_name(spot, page, rules), chips=chips(stake, page))


def given_away_line(round_: Round, page: Page) -> str:
    """What a choice gave away; nothing after the best one."""
    state = round_.state
    if not round_.given_away or not isinstance(state, Settled):
        return ""
    lost = decimal(Fraction(round_.given_away, DEALER_HANDS), page)
    hand = ltr(cards.ranks_text(state.player), page)
    if strength(state.player).category is not Category.HIGH_CARD:
        hand = f"{cards.hand_name(state.player, page)} {hand}"
    if state.decision is Decision.FOLD:
        return page.t("Folding gave away {chips} chips ({hand} is a hand to play).", chips=lost, hand=hand)
    return page.t("Playing gave away {chips} chips ({hand} is a hand to fold).", chips=lost, hand=hand)
