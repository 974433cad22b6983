"""Shared hypothesis strategies: cards, hands, decks, wagers, rule sets that may be played."""

from random import Random

from hypothesis import strategies as st

from core.betting import Wager
from core.cards import PACK, Card, Deck, Hand, hand_of
from core.rules import PRESETS, AnteBonus, Limits, PairPlusPays, RuleSet, SixCardPays, Spot, TableLimits
from core.settlement import Decision

cards: st.SearchStrategy[Card] = st.sampled_from(PACK)
decks: st.SearchStrategy[Deck] = st.integers(0, 2**32).map(lambda seed: tuple(Random(seed).sample(PACK, 52)))
decisions: st.SearchStrategy[Decision] = st.sampled_from(Decision)
spots: st.SearchStrategy[Spot] = st.sampled_from(Spot)
presets: st.SearchStrategy[RuleSet] = st.sampled_from(tuple(PRESETS.values()))


def some_cards(count: int) -> st.SearchStrategy[tuple[Card, ...]]:
    return st.lists(cards, min_size=count, max_size=count, unique=True).map(tuple)


hands: st.SearchStrategy[Hand] = some_cards(3).map(hand_of)
deals: st.SearchStrategy[tuple[Hand, Hand]] = some_cards(6).map(lambda six: (hand_of(six[:3]), hand_of(six[3:])))


def wagers(most: int = 200) -> st.SearchStrategy[Wager]:
    chips = st.integers(0, most)
    return st.builds(Wager, ante=chips, pair_plus=chips, six_card=chips)


_pay = st.none() | st.integers(0, 1000)
_ante_bonus = st.builds(AnteBonus, straight_flush=_pay, three_of_a_kind=_pay, straight=_pay)
_pair_plus = st.builds(
    PairPlusPays, mini_royal=_pay, straight_flush=_pay, three_of_a_kind=_pay, straight=_pay, flush=_pay, pair=_pay
)
_six_card = st.builds(
    SixCardPays,
    royal_flush=_pay,
    straight_flush=_pay,
    four_of_a_kind=_pay,
    full_house=_pay,
    flush=_pay,
    straight=_pay,
    three_of_a_kind=_pay,
)


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Any rule set that passes the check, not only the presets."""
    step = draw(st.sampled_from((1, 2, 5, 25)))
    sizes = draw(st.lists(st.integers(2, 60), max_size=5, unique=True).map(sorted))

    def limits() -> Limits:
        least = draw(st.integers(1, 6))
        return Limits(least=step * least, most=step * (least + draw(st.integers(0, 60))))

    ante, pair_plus, six_card = limits(), limits(), limits()
    highest_least = ante.least + max(pair_plus.least, six_card.least)
    return RuleSet(
        name=draw(st.sampled_from(("ours", "Friday's", "стол 7"))),
        ante_required=draw(st.booleans()),
        dealer_must_qualify=draw(st.booleans()),
        bonus_if_dealer_wins=draw(st.booleans()),
        ante_bonus=draw(_ante_bonus),
        pair_plus=draw(st.none() | _pair_plus),
        six_card=draw(st.none() | _six_card),
        limits=TableLimits(
            ante=ante,
            pair_plus=pair_plus,
            six_card=six_card,
            table=draw(st.none() | st.integers(highest_least, highest_least + 40 * step)),
        ),
        chips=(step, *(step * size for size in sizes)),
        buy_in=2 * ante.least + draw(st.integers(0, 3000)),
    )
