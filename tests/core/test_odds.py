"""The figures of RULES section 4, and the quick way against plain counting."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.betting import Wager
from core.cards import PACK, Card, Hand, Rank, Suit, parse_hand
from core.odds import DEALER_HANDS, DEALS, HANDS, SIX_CARD_COUNTS, SIX_CARD_HANDS, analysis, given_away, hint, outcomes
from core.ranking import QUALIFYING, SixCardCategory, best_five_of_six, qualifies, strength
from core.rules import SELMINHA, RuleSet, merged, preset
from core.settlement import Decision, settle
from tests.core.strategies import hands, rule_sets

ALL_HANDS: list[Hand] = list(combinations(PACK, 3))


def pair_plus(*pays: int, mini_royal: int | None = None) -> RuleSet:
    lines = ("straight_flush", "three_of_a_kind", "straight", "flush", "pair")
    return merged({"pair_plus": {"mini_royal": mini_royal, **dict(zip(lines, pays, strict=True))}})


def bonus(straight_flush: int | None, three: int | None, straight: int | None) -> RuleSet:
    return merged({"ante_bonus": {"straight_flush": straight_flush, "three_of_a_kind": three, "straight": straight}})


def other_suits(ranks: str) -> list[Hand]:
    """Every hand of three different ranks that is no flush."""
    high, middle, low = tuple(ranks)
    suits = [each for each in product("cdhs", repeat=3) if len(set(each)) > 1]
    return [parse_hand(f"{high}{a} {middle}{b} {low}{c}") for a, b, c in suits]


# RULES section 4, figure by figure


def test_rules_4_dealer_qualifies() -> None:
    qualifying = sum(qualifies(strength(hand)) for hand in ALL_HANDS)

    assert Fraction(qualifying, HANDS) == Fraction(15_380, 22_100) == Fraction(769, 1105)


def test_rules_4_best_play_is_q64_in_every_suit_pattern() -> None:
    border = strength(parse_hand("Qh 6c 4d")).value
    played = [hand for hand in ALL_HANDS if hint(hand, SELMINHA).advice is Decision.PLAY]

    assert len(played) == 14_900
    assert played == [hand for hand in ALL_HANDS if strength(hand).value >= border]
    assert analysis(SELMINHA).ante.hands_played == Fraction(14_900, 22_100)
    assert analysis(SELMINHA).worst_hand_played == "Q-6-4"


def test_rules_4_worst_and_best_values_at_the_border() -> None:
    q64 = {hint(hand, SELMINHA).play for hand in other_suits("Q64")}
    q63 = {hint(hand, SELMINHA).play for hand in other_suits("Q63")}

    assert min(q64) == Fraction(-18_325, 18_424)
    assert f"{float(min(q64)):.5f}" == "-0.99463"
    assert f"{float(max(q64)):.5f}" == "-0.99338"
    assert max(q63) == Fraction(-393, 392)
    assert f"{float(max(q63)):.5f}" == "-1.00255"


@pytest.mark.parametrize(
    "cards, advice",
    [
        ("Qh 6c 4d", "play"),
        ("Qh 6h 4d", "play"),
        ("Qh 6c 4h", "play"),
        ("Qd 6h 4h", "play"),
        ("Qh 6c 3d", "fold"),
        ("Qh 5c 4d", "fold"),
        ("Qh 7c 2d", "play"),
        ("Kh 3c 2d", "play"),
        ("Jh Tc 8d", "fold"),
        ("2h 2c 3d", "play"),
        ("Ah 2c 3d", "play"),
        ("Jh 8h 7h", "play"),
    ],
)
def test_f99_the_hint_knows_the_border(cards: str, advice: str) -> None:
    assert hint(parse_hand(cards), SELMINHA).advice == advice


def test_rules_4_the_ante() -> None:
    ante = analysis(SELMINHA).ante

    assert ante.house_edge == Fraction(686_689, 20_358_520)
    assert f"{float(ante.house_edge):.4%}" == "3.3730%"
    assert f"{float(ante.element_of_risk):.4%}" == "2.0147%"
    assert f"{ante.std_dev:.4f}" == "1.6393"
    assert f"{float(ante.rtp):.2%}" == "96.63%"
    assert f"{float(ante.rtp_per_chip):.3%}" == "97.985%"


def test_rules_4_outcomes_of_all_deals() -> None:
    deals = Counter[str]()
    for hand in ALL_HANDS:
        advice = hint(hand, SELMINHA)
        if advice.advice is Decision.FOLD:
            deals["fold"] += DEALER_HANDS
        else:
            for name in ("not_qualified", "win", "tie", "lose"):
                deals[name] += getattr(advice.outcomes, name)

    assert deals == {
        "fold": 132_652_800,
        "not_qualified": 85_493_652,
        "win": 97_354_684,
        "tie": 267_648,
        "lose": 91_401_616,
    }
    assert sum(deals.values()) == DEALS == 407_170_400


@pytest.mark.parametrize(
    "rules, edge",
    [
        pytest.param(bonus(5, 4, 1), "3.3730%", id="5-4-1"),
        pytest.param(bonus(5, 3, 1), "3.6083%", id="5-3-1"),
        pytest.param(bonus(4, 3, 1), "3.8255%", id="4-3-1"),
        pytest.param(bonus(None, None, None), "8.6580%", id="none"),
    ],
)
def test_rules_4_other_ante_bonuses(rules: RuleSet, edge: str) -> None:
    assert f"{float(analysis(rules).ante.house_edge):.4%}" == edge


@pytest.mark.parametrize(
    "rules, exact, edge",
    [
        pytest.param(pair_plus(40, 30, 6, 4, 1), Fraction(128, 5525), "2.3167%", id="40-30-6-4-1"),
        pytest.param(pair_plus(40, 30, 6, 3, 1), None, "7.2760%", id="40-30-6-3-1"),
        pytest.param(pair_plus(40, 30, 5, 4, 1), None, "5.5747%", id="40-30-5-4-1"),
        pytest.param(pair_plus(50, 40, 6, 3, 1), None, "2.7511%", id="50-40-6-3-1"),
        pytest.param(pair_plus(40, 30, 6, 4, 1, mini_royal=50), Fraction(118, 5525), "2.1357%", id="50-40-30-6-4-1"),
    ],
)
def test_rules_4_pair_plus(rules: RuleSet, exact: Fraction | None, edge: str) -> None:
    odds = analysis(rules).pair_plus

    assert odds is not None
    assert f"{float(odds.house_edge):.4%}" == edge
    assert exact in {None, odds.house_edge}
    assert odds.rtp == 1 - odds.house_edge


def test_rules_4_the_six_card_bonus() -> None:
    odds = analysis(preset("six-card")).six_card

    assert odds is not None
    assert odds.house_edge == Fraction(15_306, 149_695)
    assert f"{float(odds.house_edge):.3%}" == "10.225%"


def test_a_bet_that_is_off_has_no_odds() -> None:
    assert analysis(SELMINHA).six_card is None
    assert analysis(merged({"pair_plus": None})).pair_plus is None


def test_the_spread_of_pair_plus_is_that_of_all_hands() -> None:
    results = [SELMINHA.pair_plus.odds(strength(hand)) for hand in ALL_HANDS]  # type: ignore[union-attr]
    nets = [-1 if pays is None else pays for pays in results]
    mean = Fraction(sum(nets), HANDS)
    variance = sum((net - mean) ** 2 for net in nets) / HANDS
    odds = analysis(SELMINHA).pair_plus

    assert odds is not None
    assert odds.std_dev == pytest.approx(float(variance) ** 0.5, rel=1e-12)


# The six-card counts


def _six_card_classes() -> list[tuple[list[Card], int]]:
    """
    All sets of six cards, sorted into classes whose members are alike but for suits that do not matter.

    By ranks; and where five or more ranks differ, by which five or six of them share a suit: two cards of one rank
    never do, so five of a suit are five ranks, and at most one card is left over.
    """
    classes: list[tuple[list[Card], int]] = []
    for ranks in combinations_with_replacement(Rank, 6):
        held = Counter(ranks)
        if max(held.values()) > 4:
            continue
        ways = prod(comb(4, copies) for copies in held.values())
        suited = 0
        for five in combinations(held, 5):
            left = next(iter((held - Counter(five)).elements()))
            cards = [*(Card(rank, Suit.SPADES) for rank in five), Card(left, Suit.HEARTS)]
            classes.append((cards, 4 * 3))  # four suits for the five, three for the other
            suited += 4 * 3
        if len(held) == 6:
            classes.append(([Card(rank, Suit.SPADES) for rank in ranks], 4))
            suited += 4
        # Suits dealt in turn never give five of one.
        turns = [Card(rank, tuple(Suit)[place % 4]) for place, rank in enumerate(ranks)]
        classes.append((turns, ways - suited))
    return classes


@pytest.mark.slow
def test_the_six_card_counts_are_those_of_all_sets() -> None:
    counted = Counter[SixCardCategory]()
    for cards, sets in _six_card_classes():
        assert len(set(cards)) == 6
        counted[best_five_of_six(cards)] += sets

    assert counted == dict(SIX_CARD_COUNTS)
    assert sum(counted.values()) == SIX_CARD_HANDS == comb(52, 6)


# The quick way against plain counting


def brute_outcomes(hand: Hand, *, must_qualify: bool = True) -> tuple[int, int, int, int]:
    mine = strength(hand).value
    unqualified = win = tie = lose = 0
    for dealer in combinations([card for card in PACK if card not in hand], 3):
        theirs = strength(dealer).value
        if must_qualify and theirs < QUALIFYING:
            unqualified += 1
        elif theirs == mine:
            tie += 1
        elif theirs < mine:
            win += 1
        else:
            lose += 1
    return unqualified, win, tie, lose


@pytest.mark.parametrize(
    "cards",
    [
        *("Qh 6c 4d", "Qh 6h 4d", "Qh 6c 4h", "Qd 6h 4h", "5h 3c 2d", "5h 3h 2h", "Jh Tc 8d", "Jh Tc 9d", "Qh 3c 2d"),
        *("Ah 2c 3d", "Ah 2h 3h", "Ah Kc Qd", "Ah Kh Qh", "Ah Kh 2h", "2h 2c 2d", "Ah Ac Ad"),
        *("2h 2c 3d", "2h 2c 3h", "2h 2c 3c", "Ah Ac Kd", "Ah Ac Kc", "Kh Kc Ad", "Kh Kc Ac", "Kh Kc Ah"),
    ],
)
@pytest.mark.parametrize("must_qualify", [True, False])
def test_the_sweep_counts_what_plain_counting_counts(cards: str, must_qualify: bool) -> None:
    hand = parse_hand(cards)
    ahead = outcomes(hand, merged({"dealer_must_qualify": must_qualify}))

    assert (ahead.not_qualified, ahead.win, ahead.tie, ahead.lose) == brute_outcomes(hand, must_qualify=must_qualify)


@given(hands, st.booleans())
@settings(max_examples=25, deadline=None)
def test_any_hand_is_counted_as_plain_counting_counts(hand: Hand, must_qualify: bool) -> None:
    ahead = outcomes(hand, merged({"dealer_must_qualify": must_qualify}))

    assert (ahead.not_qualified, ahead.win, ahead.tie, ahead.lose) == brute_outcomes(hand, must_qualify=must_qualify)


def test_there_are_1755_hands_up_to_the_names_of_suits() -> None:
    def up_to_suits(hand: Hand) -> tuple[tuple[Rank, int], ...]:
        names = [(card.rank, "cdhs".index(card.suit)) for card in hand]
        return min(tuple(sorted((rank, order[suit]) for rank, suit in names)) for order in orders)

    orders = list(permutations(range(4)))

    one_of: dict[tuple[tuple[Rank, int], ...], Hand] = {}
    for hand in ALL_HANDS:
        first = one_of.setdefault(up_to_suits(hand), hand)
        assert outcomes(first, SELMINHA) == outcomes(hand, SELMINHA)

    assert len(one_of) == 1_755


@given(hands, rule_sets())
@settings(max_examples=15, deadline=None)
def test_a_hint_is_the_mean_of_all_settlements(hand: Hand, rules: RuleSet) -> None:
    """Whatever the rule set: what settle() pays on Ante, Play and bonus, over all 18,424 dealer hands."""
    wager = Wager(ante=1)
    rest = [card for card in PACK if card not in hand]
    nets = [settle(rules, hand, dealer, wager, Decision.PLAY).net for dealer in combinations(rest, 3)]
    advice = hint(hand, rules)

    assert advice.play == Fraction(sum(nets), len(nets))
    assert advice.fold == -1
    assert advice.advice is (Decision.PLAY if advice.play >= -1 else Decision.FOLD)


# What a choice costs


@pytest.mark.parametrize(
    "cards, decision, chips",
    [
        pytest.param("Ah Kh Qh", "play", Fraction(0), id="the best choice is free"),
        pytest.param("Qh 6c 3d", "fold", Fraction(0), id="so is a good fold"),
        pytest.param("Qh 6c 4d", "fold", 20 * (1 - Fraction(9_151, 9_212)), id="folding Q-6-4"),
    ],
)
def test_what_is_given_away(cards: str, decision: str, chips: Fraction) -> None:
    assert given_away(parse_hand(cards), Decision(decision), SELMINHA, 20) == chips


@given(hands, rule_sets(), st.integers(0, 1000))
def test_one_choice_is_free_and_the_other_costs_the_difference(hand: Hand, rules: RuleSet, ante: int) -> None:
    costs = sorted(given_away(hand, decision, rules, ante) for decision in Decision)
    advice = hint(hand, rules)

    assert costs == [0, abs(advice.play - advice.fold) * ante]


# Whole rule sets


@given(rule_sets())
@settings(max_examples=10, deadline=None)
def test_the_edge_is_the_mean_of_all_hints(rules: RuleSet) -> None:
    advices = [hint(hand, rules) for hand in ALL_HANDS]
    odds = analysis(rules)

    assert odds.ante.house_edge == -sum(max(each.play, each.fold) for each in advices) / HANDS
    played = sum(each.advice is Decision.PLAY for each in advices)
    assert odds.ante.hands_played == Fraction(played, HANDS)
    assert odds.ante.element_of_risk == odds.ante.house_edge / Fraction(HANDS + played, HANDS)


@pytest.mark.parametrize(
    "rules, worst",
    [
        pytest.param(SELMINHA, "Q-6-4", id="SEL"),
        pytest.param(merged({"bonus_if_dealer_wins": False}), "Q-6-4", id="the bonus only when not beaten"),
        pytest.param(merged({"dealer_must_qualify": False}), None, id="always compared"),
    ],
)
def test_the_worst_hand_played(rules: RuleSet, worst: str | None) -> None:
    played = [strength(hand) for hand in ALL_HANDS if hint(hand, rules).advice is Decision.PLAY]
    expected = "-".join(rank.letter.replace("T", "10") for rank in min(played).ranks)

    assert analysis(rules).worst_hand_played == expected
    assert worst in {None, expected}


def test_always_compared_is_worse_for_weak_hands_and_its_edge_differs() -> None:
    compared = merged({"dealer_must_qualify": False})

    assert outcomes(parse_hand("Ah Kh Qh"), compared).not_qualified == 0
    assert analysis(compared).ante.house_edge != analysis(SELMINHA).ante.house_edge


def test_a_bonus_only_without_a_better_dealer_costs_the_player() -> None:
    kept = analysis(SELMINHA).ante.house_edge
    taken = analysis(merged({"bonus_if_dealer_wins": False})).ante.house_edge

    assert taken > kept
