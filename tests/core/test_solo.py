"""A hand from bets to settlement, and whole nights that never stall (SEL, P3)."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.betting import NO_WAGER, Wager
from core.cards import PACK, Deck, parse_cards
from core.errors import AnteRequired, CannotCover, RuleError, WrongHandSize, WrongPhase
from core.rules import PRESETS, SELMINHA, RuleSet
from core.settlement import Decision, Result
from core.solo import (
    Betting,
    Dealt,
    Move,
    Settled,
    State,
    deal,
    decide,
    fold,
    held,
    moves,
    next_hand,
    night_is_over,
    phase,
    play,
    returned,
    sit_down,
    switch_repeat,
)
from tests.core.strategies import decisions, decks, rule_sets

DECK: Deck = parse_cards("Qh 6c 4d Js Td 8c 2c")
BET = Wager(ante=25, pair_plus=5)


def betting(wager: Wager = BET, *, last: Wager | None = None) -> Betting:
    return Betting(wager=wager, last=last)


def dealt(wager: Wager = BET, rules: RuleSet = SELMINHA) -> Dealt:
    state = deal(betting(wager), DECK, rules=rules, stack=500)
    assert isinstance(state, Dealt)
    return state


def test_the_player_has_the_first_three_cards_and_the_dealer_the_next() -> None:
    state = dealt()
    assert (state.player, state.dealer) == (DECK[0:3], DECK[3:6])
    assert state.wager == BET
    assert held(state) == 55


def test_sel_a_played_hand() -> None:
    end = play(dealt(), SELMINHA)
    assert (end.decision, end.settlement.result, end.settlement.net) == (Decision.PLAY, Result.NOT_QUALIFIED, 20)
    assert returned(end) == 75
    assert held(end) == 0


def test_sel_a_folded_hand_gives_the_cover_back() -> None:
    end = fold(dealt(), SELMINHA)
    assert (end.decision, end.settlement.result, end.settlement.net) == (Decision.FOLD, Result.FOLD, -30)
    assert returned(end) == 25


def test_decide_is_play_or_fold() -> None:
    assert decide(dealt(), Decision.PLAY, SELMINHA) == play(dealt(), SELMINHA)
    assert decide(dealt(), Decision.FOLD, SELMINHA) == fold(dealt(), SELMINHA)


def test_p3_pair_plus_alone_is_settled_at_once() -> None:
    end = deal(betting(Wager(pair_plus=5)), DECK, rules=PRESETS["poker-three"], stack=5)
    assert isinstance(end, Settled)
    assert (end.decision, end.settlement.result, end.settlement.net, returned(end)) == (None, Result.NO_ANTE, -5, 0)


@pytest.mark.parametrize("wager, stack, error", [(BET, 54, CannotCover), (Wager(pair_plus=5), 500, AnteRequired)])
def test_the_deal_asks_the_one_check(wager: Wager, stack: int, error: type[RuleError]) -> None:
    with pytest.raises(error):
        deal(betting(wager), DECK, rules=SELMINHA, stack=stack)


def test_a_deck_too_short_deals_nothing() -> None:
    with pytest.raises(WrongHandSize):
        deal(betting(), DECK[:5], rules=SELMINHA, stack=500)


def test_moves_belong_to_their_phase() -> None:
    end = play(dealt(), SELMINHA)
    for state in (betting(), end):
        with pytest.raises(WrongPhase) as refused:
            play(state, SELMINHA)
        assert (refused.value.wanted, refused.value.phase) == ("play", phase(state))
        with pytest.raises(WrongPhase):
            fold(state, SELMINHA)
    for late in (dealt(), end):
        with pytest.raises(WrongPhase) as refused:
            deal(late, DECK, rules=SELMINHA, stack=500)
        assert (refused.value.wanted, refused.value.phase) == ("deal", phase(late))


@pytest.mark.parametrize(
    "state, wanted",
    [
        (betting(), {Move.BET, Move.REPEAT, Move.DEAL, Move.CASH_OUT}),
        (dealt(), {Move.PLAY, Move.FOLD, Move.HINT}),
        (play(dealt(), SELMINHA), {Move.BET, Move.DEAL, Move.CASH_OUT}),
    ],
)
def test_what_can_be_done(state: State, wanted: set[Move]) -> None:
    assert set(moves(state)) == wanted


def test_betting_holds_no_chips() -> None:
    assert held(betting()) == 0


def test_a_night_begins_with_a_bet_on_the_table() -> None:
    assert sit_down(SELMINHA) == Betting(wager=Wager(ante=25))


@pytest.mark.parametrize(
    "stack, repeat, wanted",
    [
        pytest.param(500, True, BET, id="SEL Repeat last bet comes checked"),
        pytest.param(54, True, NO_WAGER, id="a bet that no longer fits is not repeated"),
        pytest.param(500, False, NO_WAGER, id="nor one that nobody asked for"),
    ],
)
def test_the_next_hand(stack: int, repeat: bool, wanted: Wager) -> None:
    state = next_hand(BET, rules=SELMINHA, stack=stack, repeat=repeat)
    assert state == Betting(wager=wanted, last=BET)


@pytest.mark.parametrize(
    "before, on, stack, wager",
    [
        pytest.param(betting(BET, last=BET), False, 500, NO_WAGER, id="unchecked: gone"),
        pytest.param(betting(NO_WAGER, last=BET), True, 500, BET, id="checked: there, also after CLEAR"),
        pytest.param(betting(BET, last=BET), True, 500, BET, id="checked twice: there once"),
        pytest.param(betting(Wager(ante=5), last=BET), True, 500, BET, id="checked: another bet gives way"),
        pytest.param(betting(Wager(ante=5), last=BET), False, 500, Wager(ante=5), id="unchecked: another bet stays"),
        pytest.param(betting(Wager(ante=5)), True, 500, Wager(ante=5), id="nothing to repeat yet"),
        pytest.param(betting(Wager(ante=5), last=BET), True, 54, Wager(ante=5), id="it does not fit"),
    ],
)
def test_repeat_is_a_switch(before: Betting, on: bool, stack: int, wager: Wager) -> None:
    assert switch_repeat(before, on=on, rules=SELMINHA, stack=stack) == replace(before, wager=wager)


@pytest.mark.parametrize(
    "name, stack, over",
    [("selminha", 9, True), ("selminha", 10, False), ("poker-three", 4, True), ("poker-three", 5, False)],
)
def test_sel_below_the_smallest_hand_the_night_is_over(name: str, stack: int, over: bool) -> None:
    assert night_is_over(stack, PRESETS[name]) is over


@given(rule_sets(), decks, decisions)
def test_f69_f70_a_hand_moves_exactly_its_net(rules: RuleSet, deck: Deck, decision: Decision) -> None:
    state = deal(sit_down(rules), deck, rules=rules, stack=rules.buy_in)
    taken = state.wager.need
    end = decide(state, decision, rules) if isinstance(state, Dealt) else state
    assert returned(end) >= 0
    assert rules.buy_in - taken + returned(end) == rules.buy_in + end.settlement.net
    assert rules.buy_in >= taken


@given(rule_sets(), st.integers(0, 2**32))
def test_whole_nights_never_stall_and_never_go_below_zero(rules: RuleSet, seed: int) -> None:
    chance = Random(seed)
    stack, state = rules.buy_in, sit_down(rules)
    house = 0
    for _ in range(30):
        if night_is_over(stack, rules):
            break
        if state.wager == NO_WAGER:  # a bet that no longer fits: the smallest one always does
            spots = rules.spots[:1] if rules.ante_required else rules.spots
            bets = [NO_WAGER.moved(spot, rules.limits_of(spot).least) for spot in spots]
            smallest = min(bets, key=lambda bet: bet.need)
            state = Betting(wager=smallest)
        dealt_state = deal(state, tuple(chance.sample(PACK, 6)), rules=rules, stack=stack)
        stack -= dealt_state.wager.need
        assert stack >= 0
        decision = chance.choice(list(Decision))
        end = decide(dealt_state, decision, rules) if isinstance(dealt_state, Dealt) else dealt_state
        stack += returned(end)
        house -= end.settlement.net
        assert stack + house == rules.buy_in
        state = next_hand(end.wager, rules=rules, stack=stack, repeat=True)
