"""Cards, the pack in its order, and every spelling that is read (DESIGN, deals)."""

from itertools import permutations

import pytest
from hypothesis import given

from core.cards import (
    PACK,
    Card,
    Rank,
    Suit,
    cards_text,
    hand_of,
    parse_card,
    parse_cards,
    parse_hand,
    sorted_for_reading,
)
from core.errors import RepeatedCard, UnknownCard, WrongHandSize
from tests.core.strategies import cards, some_cards


def test_the_pack_stands_in_the_order_of_algorithm_1() -> None:
    assert cards_text(PACK[:9]) == "2c 2d 2h 2s 3c 3d 3h 3s 4c"
    assert cards_text(PACK[-5:]) == "Ks Ac Ad Ah As"
    assert len(set(PACK)) == 52


def test_a_card_knows_its_place_in_the_pack() -> None:
    assert [card.index for card in PACK] == list(range(52))
    assert [hash(card) for card in PACK] == list(range(52))


def test_a_card_is_its_rank_and_its_suit() -> None:
    assert Card(Rank.QUEEN, Suit.HEARTS) == parse_card("Qh")
    assert Card(Rank.QUEEN, Suit.HEARTS) != parse_card("Qd")
    assert str(Card(Rank.TEN, Suit.SPADES)) == "Ts"


@pytest.mark.parametrize(
    "text, card",
    [
        pytest.param("Qh", "Qh", id="as printed"),
        pytest.param("qH", "Qh", id="either case"),
        pytest.param("QH", "Qh", id="upper case"),
        pytest.param("Th", "Th", id="ten as a letter"),
        pytest.param("th", "Th", id="ten as a small letter"),
        pytest.param("10h", "Th", id="ten in digits"),
        pytest.param("10♠", "Ts", id="ten with a glyph"),
        pytest.param(" As ", "As", id="blanks around"),
        pytest.param("k♦", "Kd", id="small letter and glyph"),
        pytest.param("2♣\ufe0f", "2c", id="emoji glyph"),
    ],
)
def test_a_card_is_read(text: str, card: str) -> None:
    assert str(parse_card(text)) == card


@pytest.mark.parametrize("glyph, suit", [("♥", "h"), ("♦", "d"), ("♣", "c"), ("♠", "s")])
@pytest.mark.parametrize("selector", ["", "\ufe0f", "\ufe0e"])
def test_f51_glyphs_are_read_with_and_without_variation_selector(glyph: str, suit: str, selector: str) -> None:
    assert parse_card("Q" + glyph + selector) == parse_card("Q" + suit)


@pytest.mark.parametrize(
    "text", ["", "Q", "h", "1h", "11h", "0h", "14h", "Qx", "hQ", "Qhh", "Joker", "Q h", "１0h", "Ǫh", "Qſ", "🎴"]
)
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(UnknownCard) as refused:
        parse_card(text)
    assert refused.value.text == text
    assert str(refused.value) == f"UnknownCard(text={text!r})"


@pytest.mark.parametrize("text", ["Qh 6c 4d", "Qh,6c,4d", "Qh, 6c, 4d", " Q♥️  6♣️  4♦️ ", "qh\t6C\n4d"])
def test_cards_are_separated_by_blanks_or_commas(text: str) -> None:
    assert cards_text(parse_cards(text)) == "Qh 6c 4d"


def test_no_cards_are_no_cards() -> None:
    assert parse_cards(" , ") == ()


def test_f96_a_repeated_card_is_refused() -> None:
    with pytest.raises(RepeatedCard) as refused:
        parse_cards("Th 6c 10♥")
    assert refused.value.card == "Th"
    with pytest.raises(RepeatedCard):
        hand_of([PACK[0], PACK[1], PACK[0]])


@pytest.mark.parametrize("text, got", [("", 0), ("Qh 6c", 2), ("Qh 6c 4d 2s", 4)])
def test_a_hand_has_three_cards(text: str, got: int) -> None:
    with pytest.raises(WrongHandSize) as refused:
        parse_hand(text)
    assert refused.value.got == got


@given(some_cards(5))
def test_what_is_printed_is_read_again(some: tuple[Card, ...]) -> None:
    assert parse_cards(cards_text(some)) == some


@given(cards)
def test_a_card_built_anew_is_the_card_of_the_pack(card: Card) -> None:
    assert Card(card.rank, card.suit).index == card.index


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Qh 6c 4d", id="high to low"),
        pytest.param("3d 2s Ah", id="the low straight ends with its ace"),
        pytest.param("As Kd Qc", id="the high straight begins with it"),
        pytest.param("Ah 4d 3c", id="A-4-3 is no low straight"),
        pytest.param("8s 8d 3c", id="the pair first"),
        pytest.param("2s 2d Ac", id="the pair first, however low"),
        pytest.param("9s 9h 9d", id="three of a kind"),
        pytest.param("Kh Kd 2c", id="a high pair"),
    ],
)
def test_cards_are_sorted_for_reading(text: str) -> None:
    hand = parse_hand(text)
    wanted = [card.rank for card in hand]
    for shuffled in permutations(hand):
        assert [card.rank for card in sorted_for_reading(hand_of(shuffled))] == wanted
        assert set(sorted_for_reading(hand_of(shuffled))) == set(hand)
