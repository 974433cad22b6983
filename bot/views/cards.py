"""Cards and hands as people see or hear them: five designs, and the names of hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.facts import Design
from bot.views.kit import Page, _, listed, ltr
from core.cards import Card, Hand, Rank, Suit, parse_hand, sorted_for_reading
from core.ranking import Category, Ranks, SixCardCategory, strength

_EMOJI = "\ufe0f"  # asks every app for the emoji form of a suit (F51)
SUITS: Mapping[Suit, str] = {
    Suit.CLUBS: "♣" + _EMOJI,
    Suit.DIAMONDS: "♦" + _EMOJI,
    Suit.HEARTS: "♥" + _EMOJI,
    Suit.SPADES: "♠" + _EMOJI,
}
_FOUR_COLOURS: Mapping[Suit, str] = {
    Suit.CLUBS: "🍀",
    Suit.DIAMONDS: "🔷",
    Suit.HEARTS: "❤" + _EMOJI,
    Suit.SPADES: SUITS[Suit.SPADES],
}
BACK = "🎴"
SAMPLE = parse_hand("Qh 6c 4d")

# One sentence a card, so that every language can use its own order and cases.
_SPOKEN: Mapping[Suit, str] = {
    Suit.CLUBS: _("{rank} of clubs"),
    Suit.DIAMONDS: _("{rank} of diamonds"),
    Suit.HEARTS: _("{rank} of hearts"),
    Suit.SPADES: _("{rank} of spades"),
}
_FACES: Mapping[Rank, str] = {Rank.JACK: _("jack"), Rank.QUEEN: _("queen"), Rank.KING: _("king"), Rank.ACE: _("ace")}
_HIGH: Mapping[Rank, str] = {
    Rank.FIVE: _("5 high"),
    Rank.SIX: _("6 high"),
    Rank.SEVEN: _("7 high"),
    Rank.EIGHT: _("8 high"),
    Rank.NINE: _("9 high"),
    Rank.TEN: _("10 high"),
    Rank.JACK: _("jack high"),
    Rank.QUEEN: _("queen high"),
    Rank.KING: _("king high"),
    Rank.ACE: _("ace high"),
}
_PAIRS: Mapping[Rank, str] = {
    Rank.TWO: _("pair of twos"),
    Rank.THREE: _("pair of threes"),
    Rank.FOUR: _("pair of fours"),
    Rank.FIVE: _("pair of fives"),
    Rank.SIX: _("pair of sixes"),
    Rank.SEVEN: _("pair of sevens"),
    Rank.EIGHT: _("pair of eights"),
    Rank.NINE: _("pair of nines"),
    Rank.TEN: _("pair of tens"),
    Rank.JACK: _("pair of jacks"),
    Rank.QUEEN: _("pair of queens"),
    Rank.KING: _("pair of kings"),
    Rank.ACE: _("pair of aces"),
}
CATEGORIES: Mapping[Category, str] = {
    Category.STRAIGHT_FLUSH: _("straight flush"),
    Category.THREE_OF_A_KIND: _("three of a kind"),
    Category.STRAIGHT: _("straight"),
    Category.FLUSH: _("flush"),
    Category.PAIR: _("pair"),
    Category.HIGH_CARD: _("high card"),
}
SIX_CARD_CATEGORIES: Mapping[SixCardCategory, str] = {
    SixCardCategory.ROYAL_FLUSH: _("royal flush"),
    SixCardCategory.STRAIGHT_FLUSH: _("straight flush"),
    SixCardCategory.FOUR_OF_A_KIND: _("four of a kind"),
    SixCardCategory.FULL_HOUSE: _("full house"),
    SixCardCategory.FLUSH: _("flush"),
    SixCardCategory.STRAIGHT: _("straight"),
    SixCardCategory.THREE_OF_A_KIND: _("three of a kind"),
    SixCardCategory.NOTHING: _("no hand"),
}


def rank_text(rank: Rank) -> str:
    """2-10 J Q K A, in every language."""
    return "10" if rank is Rank.TEN else rank.letter


def card_text(card: Card, page: Page) -> str:
    """One card in the reader's design; its rank always stands next to its suit (BOTAPI section 9)."""
    rank = rank_text(card.rank)
    match page.design:
        case Design.BRACKETED:
            return f"[{rank}{SUITS[card.suit]}]"
        case Design.FOUR_COLOUR:
            return rank + _FOUR_COLOURS[card.suit]
        case Design.LETTERS:
            return card.rank.letter + card.suit
        case Design.WORDS:
            name = page.t(_FACES[card.rank]) if card.rank in _FACES else rank
            return page.t(_SPOKEN[card.suit], rank=name)
        case _:
            return rank + SUITS[card.suit]


def cards_text(cards: Sequence[Card], page: Page) -> str:
    """Cards in the order given, as one island in right-to-left text."""
    match page.design:
        case Design.WORDS:
            return listed((card_text(card, page) for card in cards), page)
        case Design.BRACKETED | Design.LETTERS:
            return ltr(" ".join(card_text(card, page) for card in cards), page)
        case _:
            return ltr("  ".join(card_text(card, page) for card in cards), page)


def hand_text(hand: Hand, page: Page) -> str:
    """A hand sorted for reading."""
    return cards_text(sorted_for_reading(hand), page)


def hidden_hand(page: Page) -> str:
    """Three cards face down; plain letters have no emoji at all (BOTAPI section 9)."""
    match page.design:
        case Design.BRACKETED:
            backs = " ".join((f"[{BACK}]",) * 3)
        case Design.LETTERS:
            backs = "?? ?? ??"
        case _:
            backs = "  ".join((BACK,) * 3)
    return ltr(backs, page)


def design_sample(page: Page) -> str:
    """A hand in the reader's design, for the key that steps through the designs."""
    return page.t("in words") if page.words else hand_text(SAMPLE, page)


def key_sample(page: Page) -> str:
    """Two cards of it, which half a row of a phone has place for."""
    return page.t("in words") if page.words else ltr(" ".join(card_text(card, page) for card in SAMPLE[:2]), page)


def hand_name(hand: Hand, page: Page) -> str:
    """What a hand is: "queen high", "pair of nines", "straight"."""
    strong = strength(hand)
    return reading_name(strong.category, strong.ranks, page)


def reading_name(category: Category, ranks: Ranks, page: Page) -> str:
    """The same of a strength that is known already."""
    if category is Category.HIGH_CARD:
        return page.t(_HIGH[ranks[0]])
    if category is Category.PAIR:
        return page.t(_PAIRS[ranks[0]])
    return page.t(CATEGORIES[category])


def ranks_text(hand: Hand) -> str:
    """The ranks alone, as in a rule: "Q-6-4"."""
    return "-".join(rank_text(card.rank) for card in sorted_for_reading(hand))
