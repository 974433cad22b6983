"""The total order of three-card hands, and the best five of six for the 6-Card Bonus (RULES, hands)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations, permutations
from typing import Final, TypeAlias

from core.cards import PACK, Card, Hand, Rank

Ranks: TypeAlias = tuple[Rank, Rank, Rank]


class Category(StrEnum):
    """What a three-card hand is, highest first (SEL, P3, CAL); a mini royal is a straight flush."""

    STRAIGHT_FLUSH = "straight_flush"
    THREE_OF_A_KIND = "three_of_a_kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    PAIR = "pair"
    HIGH_CARD = "high_card"


class SixCardCategory(StrEnum):
    """The best five-card poker hand, as far as the 6-Card Bonus asks, highest first (RULES, 6-Card Bonus)."""

    ROYAL_FLUSH = "royal_flush"
    STRAIGHT_FLUSH = "straight_flush"
    FOUR_OF_A_KIND = "four_of_a_kind"
    FULL_HOUSE = "full_house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    THREE_OF_A_KIND = "three_of_a_kind"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Strength:
    """Where a hand stands among the 741 that differ; equal strengths tie, suits never decide."""

    value: int  # 1 for 5-3-2 unsuited, 741 for A-K-Q suited
    category: Category = field(compare=False)
    ranks: Ranks = field(compare=False)  # as people read them: the pair first, else high to low, A-2-3 as 3 2 A


def _readings() -> Iterator[tuple[Category, Ranks]]:
    """All 741 hands that differ, lowest first: the rules' one statement of the order."""
    ranks = tuple(Rank)
    straights: list[Ranks] = [(Rank.THREE, Rank.TWO, Rank.ACE)]
    straights += [(high, middle, low) for low, middle, high in zip(ranks, ranks[1:], ranks[2:], strict=False)]
    runs = {frozenset(straight) for straight in straights}
    high_cards = sorted(
        (high, middle, low)
        for low, middle, high in combinations(ranks, 3)
        if frozenset((low, middle, high)) not in runs
    )
    yield from ((Category.HIGH_CARD, reading) for reading in high_cards)
    yield from ((Category.PAIR, (pair, pair, third)) for pair, third in sorted(permutations(ranks, 2)))
    yield from ((Category.FLUSH, reading) for reading in high_cards)
    yield from ((Category.STRAIGHT, straight) for straight in straights)
    yield from ((Category.THREE_OF_A_KIND, (rank, rank, rank)) for rank in ranks)
    yield from ((Category.STRAIGHT_FLUSH, straight) for straight in straights)


STRENGTHS: Final[tuple[Strength, ...]] = tuple(
    Strength(value=value, category=category, ranks=reading)
    for value, (category, reading) in enumerate(_readings(), start=1)
)
"""All 741, lowest first: STRENGTHS[value - 1]."""

MINI_ROYAL: Final = STRENGTHS[-1].value
QUALIFYING: Final = next(each.value for each in STRENGTHS if each.ranks[0] == Rank.QUEEN)
"""The value of Q-3-2, the lowest hand with which the dealer qualifies (SEL)."""
LOWEST_PAIR: Final = next(each.value for each in STRENGTHS if each.category is Category.PAIR)
LOWEST_STRAIGHT: Final = next(each.value for each in STRENGTHS if each.category is Category.STRAIGHT)


def _table(*, suited: bool) -> tuple[Strength, ...]:
    """Strength by ranks in any order; the key is made of three times four bits, see strength()."""
    filled = [STRENGTHS[0]] * 4096  # keys of no hand are never asked for
    for each in STRENGTHS:
        if suited == (each.category in {Category.FLUSH, Category.STRAIGHT_FLUSH}):
            for a, b, c in permutations(each.ranks):
                filled[(a - 2) << 8 | (b - 2) << 4 | (c - 2)] = each
    return tuple(filled)


_SUITED: Final = _table(suited=True)
_UNSUITED: Final = _table(suited=False)


def strength(hand: Hand) -> Strength:
    """
    How high *hand* ranks, 1 to 741; its cards differ (core.cards.hand_of sees to that).

    Source: RULES, hands: the ace is low in A-2-3 only, K-A-2 is no straight, kickers in order, suits never decide.
    """
    a, b, c = hand
    i, j, k = a.index, b.index, c.index  # an index is 4 x rank + suit
    key = (i & 60) << 6 | (j & 60) << 2 | k >> 2
    return _UNSUITED[key] if (i ^ j | i ^ k) & 3 else _SUITED[key]


def is_mini_royal(hand: Hand) -> bool:
    """Whether *hand* is A-K-Q suited: a line of a paytable, not a rank (RULES, hands)."""
    return strength(hand).value == MINI_ROYAL


def qualifies(dealer: Strength) -> bool:
    """Whether the dealer has queen high or better (SEL: Q-3-2 does, J-10-8 unsuited does not)."""
    return dealer.value >= QUALIFYING


_BITS: Final = tuple(1 << (card.index % 4 * 13 + card.index // 4) for card in PACK)  # four suits of thirteen ranks
_ONE_SUIT: Final = (1 << 13) - 1
_ROYAL: Final = 0b11111 << 8


def _has_run(ranks: int) -> bool:
    """Whether five ranks in a row are set among thirteen bits; the ace counts below the two as well."""
    ranks = ranks << 1 | ranks >> 12
    return ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4 != 0


def best_five_of_six(cards: Sequence[Card]) -> SixCardCategory:
    """
    The best five-card poker hand out of six different cards; A-2-3-4-5 is a straight.

    Source: RULES, 6-Card Bonus.
    """
    held = 0
    for card in cards:
        held |= _BITS[card.index]
    clubs, diamonds = held & _ONE_SUIT, held >> 13 & _ONE_SUIT
    hearts, spades = held >> 26 & _ONE_SUIT, held >> 39
    ranks = clubs | diamonds | hearts | spades
    different = ranks.bit_count()
    if different < 5:  # no straight, no flush
        return _of_a_kind(clubs, diamonds, hearts, spades, different)
    for suit in (clubs, diamonds, hearts, spades):
        if suit.bit_count() >= 5:
            return _of_one_suit(suit)
    return SixCardCategory.STRAIGHT if _has_run(ranks) else SixCardCategory.NOTHING


def _of_one_suit(suit: int) -> SixCardCategory:
    if suit & _ROYAL == _ROYAL:
        return SixCardCategory.ROYAL_FLUSH
    return SixCardCategory.STRAIGHT_FLUSH if _has_run(suit) else SixCardCategory.FLUSH


def _of_a_kind(clubs: int, diamonds: int, hearts: int, spades: int, different: int) -> SixCardCategory:
    if clubs & diamonds & hearts & spades:
        return SixCardCategory.FOUR_OF_A_KIND
    if clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds):
        return SixCardCategory.FULL_HOUSE if different < 4 else SixCardCategory.THREE_OF_A_KIND
    return SixCardCategory.NOTHING
