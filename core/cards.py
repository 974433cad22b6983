"""Cards, the pack in the order the shuffle starts from, and their spellings (DESIGN, deals)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Final, TypeAlias

from core.errors import RepeatedCard, UnknownCard, WrongHandSize


class Rank(IntEnum):
    """A rank; the number orders, the ace high (it is low in A-2-3 only: see core.ranking)."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """One character: 2-9 T J Q K A."""
        return "23456789TJQKA"[self - 2]


class Suit(StrEnum):
    """A suit; suits have no order in the game, only in the pack."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"


_SUITS: Final = tuple(Suit)


@dataclass(frozen=True, slots=True)
class Card:
    """One of the 52."""

    rank: Rank
    suit: Suit
    index: int = field(init=False, repr=False, compare=False)  # place in PACK, 0 to 51: 4 x (rank - 2) + suit

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", 4 * (self.rank - 2) + _SUITS.index(self.suit))

    def __hash__(self) -> int:
        return self.index

    def __str__(self) -> str:
        return self.rank.letter + self.suit


Hand: TypeAlias = tuple[Card, Card, Card]
Deck: TypeAlias = tuple[Card, ...]

PACK: Final[Deck] = tuple(Card(rank, suit) for rank in Rank for suit in Suit)
"""2c 2d 2h 2s 3c … As: the order every shuffle starts from (DESIGN, algorithm 1)."""

_GLYPHS: Final = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
_SELECTORS: Final = {0xFE0E: None, 0xFE0F: None}  # the same glyph as text or as emoji
_TEN: Final = "10"
_SPELLINGS: Final = {
    rank + suit: card
    for card in PACK
    for rank in (card.rank.letter, card.rank.letter.lower(), _TEN if card.rank is Rank.TEN else card.rank.letter)
    for suit in (card.suit.value, card.suit.value.upper(), _GLYPHS[card.suit])
}


def parse_card(text: str) -> Card:
    """
    The card that *text* spells: "Qh", "qH", "Th", "10h", "Q♥" with or without a variation selector.

    Raises UnknownCard. Source: DESIGN, commands.
    """
    card = _SPELLINGS.get(text.translate(_SELECTORS).strip())
    if card is None:
        raise UnknownCard(text)
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """
    The cards that *text* lists, separated by blanks or commas, in that order.

    Raises UnknownCard, and RepeatedCard since they come from one pack. Source: DESIGN, commands.
    """
    cards = tuple(parse_card(word) for word in text.replace(",", " ").split())
    refuse_repeated(cards)
    return cards


def parse_hand(text: str) -> Hand:
    """
    The three cards that *text* lists.

    Raises UnknownCard, RepeatedCard, WrongHandSize. Source: DESIGN, commands.
    """
    return hand_of(parse_cards(text))


def hand_of(cards: Iterable[Card]) -> Hand:
    """
    *cards* as a hand.

    Raises WrongHandSize unless they are three, RepeatedCard unless they differ. Source: SEL, three cards each.
    """
    held = tuple(cards)
    if len(held) != 3:
        raise WrongHandSize(len(held))
    refuse_repeated(held)
    return held[0], held[1], held[2]


def refuse_repeated(cards: Iterable[Card]) -> None:
    """Raise RepeatedCard for the first card of *cards* that was there before (CAL: a single deck of 52)."""
    seen = 0
    for card in cards:
        if seen >> card.index & 1:
            raise RepeatedCard(str(card))
        seen |= 1 << card.index


def cards_text(cards: Iterable[Card]) -> str:
    """The cards for machines and for people who type: "Qh 6c 4d"."""
    return " ".join(map(str, cards))


def sorted_for_reading(hand: Hand) -> Hand:
    """The hand as people read it: the pair first, else high to low, A-2-3 as 3 2 A (BOARDS, details)."""
    high, middle, low = sorted(hand, key=lambda card: card.rank, reverse=True)
    if middle.rank == low.rank or (high.rank, middle.rank, low.rank) == (Rank.ACE, Rank.THREE, Rank.TWO):
        return middle, low, high
    return high, middle, low
