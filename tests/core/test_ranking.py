"""The order of all 22,100 hands against an independent evaluator, and the best five of six (RULES section 1)."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations, product
from random import Random
from typing import Final

import pytest
from hypothesis import given

from core.cards import PACK, Card, Hand, hand_of, parse_cards, parse_hand
from core.ranking import (
    STRENGTHS,
    Category,
    SixCardCategory,
    best_five_of_six,
    is_mini_royal,
    qualifies,
    strength,
)
from tests.core.strategies import hands, some_cards

ALL_HANDS: Final[tuple[Hand, ...]] = tuple(combinations(PACK, 3))
NAIVE_ORDER: Final = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")


def naive(hand: Sequence[Card]) -> tuple[str, tuple[int, ...]]:
    """Category and tie-break, written another way round than core.ranking: by counting, case by case."""
    ranks = sorted(int(card.rank) for card in hand)
    kickers = tuple(reversed(ranks))
    flush = hand[0].suit == hand[1].suit == hand[2].suit
    low, middle, high = ranks
    top = 3 if ranks == [2, 3, 14] else high if (middle - low, high - middle) == (1, 1) else 0
    if top:
        return ("straight_flush" if flush else "straight"), (top,)
    if low == high:
        return "three_of_a_kind", (low,)
    if flush:
        return "flush", kickers
    if middle in (low, high):
        return "pair", (middle, high if middle == low else low)
    return "high_card", kickers


def naive_key(hand: Sequence[Card]) -> tuple[int, tuple[int, ...]]:
    category, ties = naive(hand)
    return NAIVE_ORDER.index(category), ties


def test_all_22100_hands_stand_in_the_order_of_an_independent_evaluator() -> None:
    keys = {strength(hand).value: naive_key(hand) for hand in ALL_HANDS}
    assert len(ALL_HANDS) == 22_100
    assert sorted(keys) == list(range(1, 742))
    assert [keys[value] for value in sorted(keys)] == sorted(set(keys.values()))
    for hand in ALL_HANDS:
        assert keys[strength(hand).value] == naive_key(hand)
        assert strength(hand).category == naive(hand)[0]


def test_counts_per_category() -> None:
    assert Counter(strength(hand).category for hand in ALL_HANDS) == {
        Category.STRAIGHT_FLUSH: 48,
        Category.THREE_OF_A_KIND: 52,
        Category.STRAIGHT: 720,
        Category.FLUSH: 1_096,
        Category.PAIR: 3_744,
        Category.HIGH_CARD: 16_440,
    }
    assert sum(map(is_mini_royal, ALL_HANDS)) == 4


def test_a_strength_says_the_ranks_it_is_made_of() -> None:
    for hand in ALL_HANDS:
        assert sorted(strength(hand).ranks) == sorted(card.rank for card in hand)
    assert len(STRENGTHS) == 741
    assert list(STRENGTHS) == sorted(STRENGTHS)


@given(hands)
def test_the_order_of_cards_does_not_matter(hand: Hand) -> None:
    assert {strength(hand_of(each)).value for each in permutations(hand)} == {strength(hand).value}


def test_f83_king_queen_jack_is_a_straight() -> None:
    found = Counter(
        strength(parse_hand(" ".join(map("".join, zip(ranks, suits, strict=True))))).category
        for ranks in permutations("KQJ")
        for suits in product("cdhs", repeat=3)
    )
    assert found == {Category.STRAIGHT: 6 * 60, Category.STRAIGHT_FLUSH: 6 * 4}


@pytest.mark.parametrize("run", ["32A", *map("".join, zip("AKQJT987654", "KQJT9876543", "QJT98765432", strict=True))])
def test_f83_so_are_all_twelve_sequences(run: str) -> None:
    found = Counter(
        strength(parse_hand(" ".join(map("".join, zip(run, suits, strict=True))))).category
        for suits in product("cdhs", repeat=3)
    )
    assert found == {Category.STRAIGHT: 60, Category.STRAIGHT_FLUSH: 4}


@pytest.mark.parametrize(
    "higher, lower",
    [
        pytest.param("4c 3d 2h", "Ac 3d 2h", id="F84 A-2-3 is the lowest straight"),
        pytest.param("Qc Kd Ah", "Ac 3d 2h", id="F84 A-2-3 is not the highest"),
        pytest.param("Ac 3d 2h", "Ac Ad Kh", id="F84 A-2-3 beats a pair of aces"),
        pytest.param("Ac 3d 2h", "Ac Kc Jc", id="F84 A-2-3 beats the highest flush"),
        pytest.param("4c 3c 2c", "Ac 3c 2c", id="F84 A-2-3 suited is the lowest straight flush"),
        pytest.param("Ac 3c 2c", "Ac Ad Ah", id="F84 A-2-3 suited beats three aces"),
        pytest.param("Ac Kd Qh", "Kc Qd Jh", id="F85 Q-K-A is the highest straight"),
        pytest.param("2c 2d 3h", "Ac Kd 2h", id="F85 K-A-2 is ace high"),
        pytest.param("4c 3d 2h", "Ac Kc 2c", id="F85 K-A-2 suited is a flush"),
        pytest.param("4c 5d 6h", "Ac Kc 9c", id="F86 straight over flush"),
        pytest.param("2c 2d 2h", "Qc Kd Ah", id="F86 three of a kind over straight"),
        pytest.param("2h 3h Ah", "Ac Ad Ah", id="F86 straight flush over three of a kind"),
        pytest.param("5c 3c 2c", "Ac Ad Kh", id="F86 flush over pair"),
        pytest.param("2c 2d 3h", "Ac Kd Jh", id="F86 pair over high card"),
        pytest.param("5c 5d Kh", "5h 5s Qh", id="F87 kicker of equal pairs"),
        pytest.param("5c 5d 2h", "4c 4d Ah", id="F87 pair before kicker"),
        pytest.param("Ac 9c 4c", "Ad 9d 3d", id="F87 third card of a flush"),
        pytest.param("Qc 7d 2h", "Qh 6c 5d", id="F87 second card before third"),
        pytest.param("Qc 7d 3h", "Qh 6c 4d", id="RULES Q-7-3 beats Q-6-4"),
    ],
)
def test_one_hand_beats_another(higher: str, lower: str) -> None:
    assert strength(parse_hand(higher)) > strength(parse_hand(lower))


def test_f85_king_ace_two_goes_round_no_corner() -> None:
    assert strength(parse_hand("Kc Ad 2h")).category is Category.HIGH_CARD
    assert strength(parse_hand("Kc Ac 2c")).category is Category.FLUSH


@pytest.mark.parametrize(
    "mine, theirs",
    [("Qs 9h 4d", "Qd 9c 4s"), ("8c 8d 3h", "8h 8s 3c"), ("Ac Kc Jc", "As Ks Js"), ("Ac Kc Qc", "Ad Kd Qd")],
)
def test_f88_suits_never_decide(mine: str, theirs: str) -> None:
    assert strength(parse_hand(mine)) == strength(parse_hand(theirs))


def test_ends_of_the_order() -> None:
    assert strength(parse_hand("5c 3d 2h")).value == 1
    assert strength(parse_hand("Ac Kc Qc")).value == 741
    flushes = [strength(hand) for hand in ALL_HANDS if strength(hand).category is Category.FLUSH]
    assert min(flushes) == strength(parse_hand("5c 3c 2c"))


@pytest.mark.parametrize(
    "dealer, does",
    [
        pytest.param("Qc 3d 2h", True, id="F90 SEL queen high does"),
        pytest.param("Jc Td 8h", False, id="F90 SEL jack high does not"),
        pytest.param("Jc Td 9h", True, id="SEL a straight does"),
        pytest.param("Jc Tc 8c", True, id="SEL a flush does"),
        pytest.param("2c 2d 3h", True, id="F90 the lowest pair does"),
        pytest.param("Ac 2d 3h", True, id="F90 the lowest straight does"),
        pytest.param("Jc 9c 8c", True, id="F90 J-9-8 of one suit does"),
        pytest.param("5c 3c 2c", True, id="the lowest flush does"),
        pytest.param("5c 3d 2h", False, id="the lowest hand does not"),
    ],
)
def test_dealer_qualifies(dealer: str, does: bool) -> None:
    assert qualifies(strength(parse_hand(dealer))) is does


def test_mini_royal_is_ace_king_queen_of_one_suit() -> None:
    assert is_mini_royal(parse_hand("Kd Ad Qd"))
    assert not is_mini_royal(parse_hand("Kd Ad Qh"))
    assert not is_mini_royal(parse_hand("Kd Jd Qd"))


# --- the 6-Card Bonus ---

_RUNS: Final = [{14, 2, 3, 4, 5}, *({low, low + 1, low + 2, low + 3, low + 4} for low in range(2, 11))]


def five(cards: Sequence[Card]) -> SixCardCategory:
    """One five-card hand, as poker has it."""
    ranks = Counter(int(card.rank) for card in cards)
    counts = sorted(ranks.values(), reverse=True)
    flush = len({card.suit for card in cards}) == 1
    if set(ranks) in _RUNS:
        if flush:
            return SixCardCategory.ROYAL_FLUSH if min(ranks) == 10 else SixCardCategory.STRAIGHT_FLUSH
        return SixCardCategory.STRAIGHT
    if flush:
        return SixCardCategory.FLUSH
    kinds: dict[tuple[int, ...], SixCardCategory] = {
        (4, 1): SixCardCategory.FOUR_OF_A_KIND,
        (3, 2): SixCardCategory.FULL_HOUSE,
    }
    if counts[0] == 3 and len(counts) == 3:
        return SixCardCategory.THREE_OF_A_KIND
    return kinds.get(tuple(counts), SixCardCategory.NOTHING)


def naive_best(cards: Sequence[Card]) -> SixCardCategory:
    order = list(SixCardCategory)
    return min((five(each) for each in combinations(cards, 5)), key=order.index)


@given(some_cards(6))
def test_best_five_of_six_is_the_best_of_six_fives(six: tuple[Card, ...]) -> None:
    assert best_five_of_six(six) is naive_best(six)


def test_best_five_of_six_over_many_deals() -> None:
    chance = Random(64)
    few_ranks = [card for card in PACK if card.rank >= 11 or card.rank <= 5]
    one_suit = [card for card in PACK if card.suit == "h" or card.rank == 9]
    seen = set()
    for pack in (PACK, few_ranks, one_suit):
        for _ in range(4_000):
            six = chance.sample(pack, 6)
            assert best_five_of_six(six) is naive_best(six), six
            seen.add(naive_best(six))
    assert seen == set(SixCardCategory)


@pytest.mark.parametrize(
    "six, category",
    [
        ("Ah Kh Qh Jh Th 9h", "royal_flush"),
        ("Ah Kh Qh 2c Jh Th", "royal_flush"),
        ("9h Kh Qh Jh Th 2c", "straight_flush"),
        ("Ah 2h 3h 4h 5h 5c", "straight_flush"),
        ("Ah 2h 3h 4h 6h 5c", "flush"),
        ("Ah Kh Qh Jh 9h Tc", "flush"),
        ("9h 9c 9d 9s 2c 2d", "four_of_a_kind"),
        ("9h 9c 9d 9s 2c 3d", "four_of_a_kind"),
        ("9h 9c 9d 2s 2c 2d", "full_house"),
        ("9h 9c 9d 2s 2c 3d", "full_house"),
        ("9h 9c 9d 2s 4c 3d", "three_of_a_kind"),
        ("9h 9c 4d 4s 2c 2d", "nothing"),
        ("9h 9c 4d 4s 2c 3d", "nothing"),
        ("Ah 2c 3d 4h 5s 5c", "straight"),
        ("Kh Ac 2d 3h 4s 5c", "straight"),
        ("Qh Kc Ad 2h 3s 4c", "nothing"),
        ("Ah Kc Qd Jh Ts Tc", "straight"),
    ],
)
def test_six_card_categories(six: str, category: str) -> None:
    for cards in permutations(parse_cards(six)):
        assert best_five_of_six(cards) == category
