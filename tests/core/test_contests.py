"""Ranks and ties, contests of nights and of same deals, the published rule of deals, matchpoints (BOARDS section 5)."""

from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.betting import Wager
from core.cards import PACK, parse_hand
from core.contests import (
    DAY,
    FREE_EVERY,
    HOUR,
    MOST_SKIPPED,
    BestOfNights,
    Matchpoints,
    NightsScore,
    SameDeals,
    Score,
    best_nights,
    bests,
    contest_name,
    deal_at,
    deals_of,
    event_deal,
    holds_decision,
    length_problem,
    matchpoints,
    near_deals,
    night_problem,
    ranked,
)
from core.errors import BadContest, NoMoreNights, NoSuchDeal
from core.fair import shuffled
from core.odds import hint
from core.rules import PRESETS, merged
from core.settlement import Decision, settle

SECRET = bytes(range(32))
SELMINHA = PRESETS["selminha"]
FIXED = Matchpoints(wager=Wager(ante=25), deals=20)

scores = st.lists(
    st.builds(Score, user=st.integers(1, 12), points=st.integers(0, 6), reached=st.integers(0, 9)), max_size=30
)


def score(user: int, points: int, reached: int = 0) -> Score:
    return Score(user=user, points=points, reached=reached)


# Ranking


def test_f108_equal_scores_share_the_rank_the_earlier_first() -> None:
    placed = ranked([score(user, points, -user) for user, points in enumerate((50, 200, 100, 300, 200, 50))])
    assert [(each.rank, each.score.points) for each in placed] == [
        (1, 300),
        (2, 200),
        (2, 200),
        (4, 100),
        (5, 50),
        (5, 50),
    ]
    assert [each.score.user for each in placed] == [3, 4, 1, 2, 5, 0]


@given(scores)
def test_a_rank_is_one_more_than_those_who_have_more(given_scores: list[Score]) -> None:
    for each in ranked(given_scores):
        assert each.rank == 1 + sum(other.points > each.score.points for other in given_scores)


@given(scores)
def test_the_order_does_not_depend_on_the_order_given(given_scores: list[Score]) -> None:
    assert ranked(given_scores) == ranked(reversed(given_scores))


@given(scores)
def test_everybody_stands_once_with_the_best_and_of_equal_ones_the_earliest(given_scores: list[Score]) -> None:
    best = {each.user: each for each in bests(given_scores)}
    assert len(best) == len(bests(given_scores)) == len({each.user for each in given_scores})
    for each in given_scores:
        assert (best[each.user].points, -best[each.user].reached) >= (each.points, -each.reached)


# Kinds


@pytest.mark.parametrize(
    "key, make",
    [
        ("nights", lambda: BestOfNights(nights=0)),
        ("nights", lambda: BestOfNights(nights=11)),
        ("hands", lambda: BestOfNights(hands=4)),
        ("deals", lambda: SameDeals(deals=9)),
        ("deals", lambda: Matchpoints(wager=Wager(ante=5), deals=31)),
        ("ante", lambda: Matchpoints(wager=Wager(pair_plus=5))),
    ],
)
def test_a_contest_keeps_its_bounds(key: str, make: Callable[[], object]) -> None:
    with pytest.raises(BadContest) as refused:
        make()
    assert refused.value.key == key


@pytest.mark.parametrize("seconds, fine", [(HOUR - 1, False), (HOUR, True), (31 * DAY, True), (31 * DAY + 1, False)])
def test_one_hour_to_31_days(seconds: int, fine: bool) -> None:
    assert (length_problem(seconds) is None) is fine


def test_only_the_first_nights_count_and_the_best_of_them() -> None:
    kind = BestOfNights(nights=2, hands=20)
    nights = [score(1, 400, 3), score(1, 900, 5), score(1, 600, 4), score(2, 100, 1)]
    assert best_nights(kind, nights) == (
        NightsScore(best=score(2, 100, 1), played=1),
        NightsScore(best=score(1, 600, 4), played=2),
    )
    assert night_problem(kind, 1) is None
    assert isinstance(night_problem(kind, 2), NoMoreNights)


# Deals


def test_deals_are_those_of_algorithm_1() -> None:
    deck = shuffled(SECRET, ("contest/7",), 3)
    deal = event_deal(SECRET, contest_name(7), 3)
    assert (deal.number, deal.player, deal.dealer) == (3, deck[0:3], deck[3:6])


def test_own_bets_get_every_deal_as_it_comes() -> None:
    deals = deals_of(SameDeals(deals=10), SECRET, 7, SELMINHA)
    assert [deal.number for deal in deals] == list(range(1, 11))


def test_matchpoint_deals_follow_the_published_rule() -> None:
    deals = deals_of(FIXED, SECRET, 7, SELMINHA)
    assert len(deals) == 20
    number = 0
    for place, deal in enumerate(deals, start=1):
        number += 1
        if place % FREE_EVERY:
            while not holds_decision(event_deal(SECRET, "contest/7", number).player, SELMINHA):
                number += 1
        assert deal == event_deal(SECRET, "contest/7", number)
    assert sum(holds_decision(deal.player, SELMINHA) for deal in deals) >= 15


@settings(max_examples=20)
@given(st.binary(min_size=32, max_size=32))
def test_a_longer_contest_begins_like_a_shorter_one(secret: bytes) -> None:
    assert near_deals(secret, "contest/1", 4, SELMINHA)[:3] == near_deals(secret, "contest/1", 3, SELMINHA)


def test_rules_that_leave_nothing_to_decide_still_end() -> None:
    always = {"straight_flush": 100_000, "three_of_a_kind": 100_000, "straight": 100_000}
    rules = merged({"dealer_must_qualify": False, "ante_bonus": always})
    deals = near_deals(SECRET, "contest/7", 2, rules)
    assert all(deal.number <= (MOST_SKIPPED + 1) * 2 for deal in deals)


def test_no_near_hand_is_waited_for_longer_than_the_rule_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.contests.holds_decision", lambda _hand, _rules: False)
    numbers = [deal.number for deal in near_deals(SECRET, "contest/7", 4, SELMINHA)]
    assert numbers == [201, 402, 603, 604]


@pytest.mark.parametrize(
    "cards, near",
    [
        pytest.param("Qh 6c 4d", True, id="the weakest hand worth playing"),
        pytest.param("Qh 6c 3d", True, id="and the next below"),
        pytest.param("Jh 7c 2d", False, id="jack high is folded"),
        pytest.param("Ah 7c 2d", False, id="ace high is played"),
        pytest.param("8h 8c 2d", False, id="a pair is played"),
    ],
)
def test_what_holds_a_decision(cards: str, near: bool) -> None:
    assert holds_decision(parse_hand(cards), SELMINHA) is near


def test_one_hand_in_twenty_holds_a_decision_and_both_choices_can_be_right() -> None:
    near = [hand for hand in combinations(PACK, 3) if holds_decision(hand, SELMINHA)]
    assert len(near) == 1_140
    assert {hint(hand, SELMINHA).advice for hand in near} == {*Decision}


def test_deal_by_deal_until_all_are_played() -> None:
    deals = deals_of(SameDeals(deals=10), SECRET, 7, SELMINHA)
    assert deal_at(deals, 9).number == 10
    for played in (10, -1):
        with pytest.raises(NoSuchDeal):
            deal_at(deals, played)


# Matchpoints


def test_matchpoints_of_three_people() -> None:
    """Ann beats both on deal 1; deal 2: Bob and Cy tie above Ann; deal 3 only Cy has played."""
    results: dict[int, list[int | None]] = {1: [50, -25], 2: [25, 50, None], 3: [0, 50, -50]}
    assert matchpoints(results, 3) == {1: 4 + 0 + 1, 2: 2 + 3 + 1, 3: 0 + 3 + 4}


results = st.integers(1, 10).flatmap(
    lambda people: st.dictionaries(
        st.integers(1, 30), st.lists(st.none() | st.integers(-3, 3), max_size=6), min_size=people, max_size=people
    )
)


@given(results, st.integers(0, 6))
def test_matchpoints_of_all_sum_to_a_constant(played: dict[int, list[int | None]], deals: int) -> None:
    assert sum(matchpoints(played, deals).values()) == deals * len(played) * (len(played) - 1)


@given(results, st.integers(0, 6))
def test_matchpoints_are_one_for_each_beaten_and_half_for_each_tie(
    played: dict[int, list[int | None]], deals: int
) -> None:
    def worth(mine: list[int | None], theirs: list[int | None], deal: int) -> int:
        a, b = ((each[deal] if deal < len(each) else None) for each in (mine, theirs))
        if a == b:
            return 1
        return 2 if b is None or (a is not None and a > b) else 0

    for user, half_points in matchpoints(played, deals).items():
        others = [other for other in played if other != user]
        assert half_points == sum(worth(played[user], played[o], deal) for o in others for deal in range(deals))


@settings(max_examples=20)
@given(
    st.binary(min_size=32, max_size=32), st.lists(st.sampled_from(Decision), min_size=4, max_size=4), st.integers(0, 4)
)
def test_equal_choices_always_tie(secret: bytes, choices: list[Decision], others: int) -> None:
    deals = near_deals(secret, "contest/1", 4, SELMINHA)
    nets: list[int | None] = [
        settle(SELMINHA, deal.player, deal.dealer, FIXED.wager, choice).net
        for deal, choice in zip(deals, choices, strict=True)
    ]
    folded: list[int | None] = [-25] * 4
    points = matchpoints({1: nets, 2: nets} | {10 + each: folded for each in range(others)}, 4)
    assert points[1] == points[2]
