"""
The exact worth of every choice and every bet, from whole counts (RULES section 4).

How it is fast. Dealer hands below a value that avoid the player's cards a, b, c are
N - N_a - N_b - N_c + N_ab + N_ac + N_bc - N_abc, where N_S counts the hands below the value that hold all of S. A card
of a rank is worth what another of that rank is, and of two cards only the ranks and whether they share a suit matter:
one sweep up the 741 values, six sums at each, counts for all 1,755 hands that differ by more than the names of suits.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Final

from core.cards import Hand
from core.ranking import QUALIFYING, STRENGTHS, Category, SixCardCategory, Strength
from core.rules import PairPlusPays, RuleSet, SixCardPays
from core.settlement import Decision

HANDS: Final = 22_100
DEALER_HANDS: Final = 18_424  # three of the 49 cards that the player does not hold
DEALS: Final = HANDS * DEALER_HANDS
SIX_CARD_HANDS: Final = 20_358_520

SIX_CARD_COUNTS: Final = (
    (SixCardCategory.ROYAL_FLUSH, 188),
    (SixCardCategory.STRAIGHT_FLUSH, 1_656),
    (SixCardCategory.FOUR_OF_A_KIND, 14_664),
    (SixCardCategory.FULL_HOUSE, 165_984),
    (SixCardCategory.FLUSH, 205_792),
    (SixCardCategory.STRAIGHT, 361_620),
    (SixCardCategory.THREE_OF_A_KIND, 732_160),
    (SixCardCategory.NOTHING, 18_876_456),
)
"""Of all sets of six cards; counted anew, class by class, in tests/core/test_odds.py."""

_FOLDED: Final = Fraction(-1)


# Counting dealer hands


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """What playing a hand comes to, in dealer hands out of 18,424."""

    not_qualified: int
    win: int
    tie: int
    lose: int


class _Counted:
    """Hands counted so far: in all, with a certain card of a rank, with two certain cards."""

    __slots__ = ("apart", "hands", "single", "suited")

    def __init__(self) -> None:
        self.hands = 0
        self.single = [0] * 13
        self.suited = [0] * 169  # two certain cards of one suit, at 13 x rank + rank
        self.apart = [0] * 169  # two certain cards of two suits

    def add(self, each: Strength) -> None:
        """Count every hand of one strength."""
        a, b, c = (rank - 2 for rank in each.ranks)  # a pair stands first
        if a == c:
            self._sum(4, ((a, 3),), ((a, a, 0, 2),))
        elif a == b:
            self._sum(24, ((a, 12), (c, 6)), ((a, a, 0, 4), (a, c, 3, 3)))
        elif each.category in {Category.FLUSH, Category.STRAIGHT_FLUSH}:
            self._sum(4, ((a, 1), (b, 1), (c, 1)), ((a, b, 1, 0), (a, c, 1, 0), (b, c, 1, 0)))
        else:
            self._sum(60, ((a, 15), (b, 15), (c, 15)), ((a, b, 3, 4), (a, c, 3, 4), (b, c, 3, 4)))

    def _sum(self, hands: int, cards: Iterable[tuple[int, int]], twos: Iterable[tuple[int, int, int, int]]) -> None:
        self.hands += hands
        for rank, holding in cards:
            self.single[rank] += holding
        for one, other, suited, apart in twos:
            for place in {13 * one + other, 13 * other + one}:
                self.suited[place] += suited
                self.apart[place] += apart

    def avoiding(self, ranks: tuple[int, int, int], shared: int, *, itself: bool) -> int:
        """Hands without any of three certain cards; *itself*: the hand of these three has been counted."""
        a, b, c = ranks
        return (
            self.hands
            - (self.single[a] + self.single[b] + self.single[c])
            + (self.suited if shared & 1 else self.apart)[13 * a + b]
            + (self.suited if shared & 2 else self.apart)[13 * a + c]
            + (self.suited if shared & 4 else self.apart)[13 * b + c]
            - itself
        )


@dataclass(frozen=True, slots=True)
class _Held:
    """One hand as far as suits matter, and what playing it comes to."""

    strength: Strength
    hands: int  # of the 22,100, how many are like this one
    qualifying: Outcomes  # where the dealer must qualify
    compared: Outcomes  # where hands are always compared

    def outcomes(self, rules: RuleSet) -> Outcomes:
        return self.qualifying if rules.dealer_must_qualify else self.compared


_ALL_SHARED: Final = 7
# Which cards of three share a suit: bit 0 first and second, bit 1 first and third, bit 2 second and third.
_SHARED: Final = tuple(
    (first == second) | (first == third) << 1 | (second == third) << 2
    for first in range(4)
    for second in range(4)
    for third in range(4)
)


def _suit_patterns(each: Strength) -> tuple[tuple[int, int], ...]:
    """Each way in which the cards of one strength, ranks falling, can share suits, and how many hands have it."""
    if each.category in {Category.FLUSH, Category.STRAIGHT_FLUSH}:
        return ((_ALL_SHARED, 4),)
    if each.category is Category.THREE_OF_A_KIND:
        return ((0, 4),)
    if each.category is Category.PAIR:
        twos = (2, 4) if each.ranks[0] > each.ranks[2] else (1, 2)  # the third card with either of the pair
        return (0, 12), (twos[0], 6), (twos[1], 6)
    return (0, 24), (1, 12), (2, 12), (4, 12)


def _falling(each: Strength) -> tuple[int, int, int]:
    a, b, c = sorted((rank - 2 for rank in each.ranks), reverse=True)
    return a, b, c


def _held_with(each: Strength, hands: int, unqualified: int, lower: int, equal: int) -> _Held:
    lose = DEALER_HANDS - lower - equal
    compared = Outcomes(not_qualified=0, win=lower, tie=equal, lose=lose)
    if each.value < QUALIFYING:
        beaten = DEALER_HANDS - unqualified
        return _Held(each, hands, Outcomes(not_qualified=unqualified, win=0, tie=0, lose=beaten), compared)
    qualifying = Outcomes(not_qualified=unqualified, win=lower - unqualified, tie=equal, lose=lose)
    return _Held(each, hands, qualifying, compared)


def _sweep() -> Iterator[tuple[int, _Held]]:
    unqualified = _Counted()
    for each in STRENGTHS[: QUALIFYING - 1]:
        unqualified.add(each)
    counted = _Counted()
    for each in STRENGTHS:
        ranks = _falling(each)
        place = (ranks[0] << 8 | ranks[1] << 4 | ranks[2]) << 3
        patterns = _suit_patterns(each)
        lower = [counted.avoiding(ranks, shared, itself=False) for shared, _ in patterns]
        counted.add(each)
        for (shared, hands), below in zip(patterns, lower, strict=True):
            yield (
                place | shared,
                _held_with(
                    each,
                    hands,
                    unqualified=unqualified.avoiding(ranks, shared, itself=each.value < QUALIFYING),
                    lower=below,
                    equal=counted.avoiding(ranks, shared, itself=True) - below,
                ),
            )


@cache
def _all_held() -> dict[int, _Held]:
    """Every hand that matters, by its ranks and shared suits; no paytable changes it."""
    return dict(_sweep())


def _held(hand: Hand) -> _Held:
    x, y, z = sorted((hand[0].index, hand[1].index, hand[2].index), reverse=True)
    ranks = (x & 60) << 6 | (y & 60) << 2 | z >> 2
    return _all_held()[ranks << 3 | _SHARED[(x & 3) << 4 | (y & 3) << 2 | z & 3]]


# One hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What each choice is worth, in Antes; Ante bonus included, other bets ignored."""

    play: Fraction
    fold: Fraction  # always -1
    advice: Decision
    outcomes: Outcomes


def _nets(bonus: int, rules: RuleSet) -> tuple[int, int, int, int]:
    """Net results of playing, in Antes: dealer not qualified, win, tie, lose; Ante bonus included."""
    return 1 + bonus, 2 + bonus, bonus, (bonus if rules.bonus_if_dealer_wins else 0) - 2


def _worth(ahead: Outcomes, nets: tuple[int, int, int, int]) -> int:
    """Sum of the net results of playing against all 18,424 dealer hands, in Antes."""
    unqualified, win, tie, lose = nets
    return unqualified * ahead.not_qualified + win * ahead.win + tie * ahead.tie + lose * ahead.lose


def _advised(worth: int) -> Decision:
    """Play where it is not worth less than folding."""
    return Decision.PLAY if worth >= -DEALER_HANDS else Decision.FOLD


def outcomes(hand: Hand, rules: RuleSet) -> Outcomes:
    """What playing *hand* comes to against each of the 18,424 dealer hands (RULES, figures)."""
    return _held(hand).outcomes(rules)


def hint(hand: Hand, rules: RuleSet) -> Advice:
    """
    What playing and folding exactly these cards is worth, per Ante: Ante bonus included, other bets ignored.

    Only the player's own cards are asked for. Source: RULES, best play; DESIGN, commands.
    """
    held = _held(hand)
    ahead = held.outcomes(rules)
    worth = _worth(ahead, _nets(rules.ante_bonus.odds(held.strength) or 0, rules))
    return Advice(play=Fraction(worth, DEALER_HANDS), fold=_FOLDED, advice=_advised(worth), outcomes=ahead)


def given_away(hand: Hand, decision: Decision, rules: RuleSet, ante: int) -> Fraction:
    """What *decision* costs against the better one, in chips on average; 0 for the better one (RULES, figures)."""
    advice = hint(hand, rules)
    chosen = advice.play if decision is Decision.PLAY else advice.fold
    return (max(advice.play, advice.fold) - chosen) * ante


# A whole rule set


@dataclass(frozen=True, slots=True, kw_only=True)
class AnteOdds:
    """Ante and Play with best play; a positive edge is the house's."""

    house_edge: Fraction  # per chip of the Ante
    element_of_risk: Fraction  # per chip put at risk, Play included
    std_dev: float  # of the result per Ante
    hands_played: Fraction  # share of the 22,100

    @property
    def rtp(self) -> Fraction:
        """Returned per chip of the Ante: the RTP that Poker Three prints."""
        return 1 - self.house_edge

    @property
    def rtp_per_chip(self) -> Fraction:
        """Returned per chip put at risk."""
        return 1 - self.element_of_risk


@dataclass(frozen=True, slots=True, kw_only=True)
class SideOdds:
    """A bet that is paid on cards alone; a positive edge is the house's."""

    house_edge: Fraction  # per chip
    std_dev: float  # of the result per chip

    @property
    def rtp(self) -> Fraction:
        """Returned per chip."""
        return 1 - self.house_edge


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What a rule set is worth to the house, bet by bet; a bet that is off is None."""

    ante: AnteOdds
    pair_plus: SideOdds | None
    six_card: SideOdds | None
    worst_hand_played: str | None  # ranks as people read them, "Q-6-4"; None where folding is always better


def analysis(rules: RuleSet) -> Analysis:
    """Exact edge and spread of every bet of *rules* with best play (RULES, figures)."""
    ante, worst = _ante_odds(rules)
    return Analysis(
        ante=ante,
        pair_plus=None if rules.pair_plus is None else _side_odds(_pair_plus_results(rules.pair_plus), HANDS),
        six_card=None if rules.six_card is None else _side_odds(_six_card_results(rules.six_card), SIX_CARD_HANDS),
        worst_hand_played=worst,
    )


def _ante_odds(rules: RuleSet) -> tuple[AnteOdds, str | None]:
    won = squares = played = 0
    worst: Strength | None = None
    for held in _all_held().values():
        nets = _nets(rules.ante_bonus.odds(held.strength) or 0, rules)
        ahead = held.outcomes(rules)
        worth = _worth(ahead, nets)
        if _advised(worth) is Decision.FOLD:
            won -= held.hands * DEALER_HANDS
            squares += held.hands * DEALER_HANDS
            continue
        won += held.hands * worth
        unqualified, win, tie, lose = (net * net for net in nets)
        squares += held.hands * _worth(ahead, (unqualified, win, tie, lose))
        played += held.hands
        worst = held.strength if worst is None else min(worst, held.strength)
    edge = Fraction(-won, DEALS)
    odds = AnteOdds(
        house_edge=edge,
        element_of_risk=edge / (1 + Fraction(played, HANDS)),
        std_dev=sqrt(Fraction(squares, DEALS) - edge * edge),
        hands_played=Fraction(played, HANDS),
    )
    return odds, None if worst is None else _spoken(worst)


def _spoken(each: Strength) -> str:
    return "-".join("10" if rank == 10 else rank.letter for rank in each.ranks)


def _pair_plus_results(pays: PairPlusPays) -> Iterator[tuple[int | None, int]]:
    for each in STRENGTHS:
        yield pays.odds(each), sum(hands for _, hands in _suit_patterns(each))


def _six_card_results(pays: SixCardPays) -> Iterator[tuple[int | None, int]]:
    for category, hands in SIX_CARD_COUNTS:
        yield pays.odds(category), hands


def _side_odds(results: Iterable[tuple[int | None, int]], all_hands: int) -> SideOdds:
    """Odds of a bet that is paid so many to 1, or lost where that is None, with so many of *all_hands*."""
    won = squares = 0
    for pays, hands in results:
        net = -1 if pays is None else pays
        won += net * hands
        squares += net * net * hands
    edge = Fraction(-won, all_hands)
    return SideOdds(house_edge=edge, std_dev=sqrt(Fraction(squares, all_hands) - edge * edge))
