"""A stored state is the state: every phase goes to text and back without a difference."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.storage import codec
from bot.storage.instants import from_ms, to_ms
from bot.storage.rule_sets import encode
from core.betting import Wager
from core.cards import Hand
from core.rules import PRESETS, RuleSet, merged
from core.settlement import Decision, settle
from core.solo import Betting, Dealt, Settled, State
from tests.core.strategies import deals, rule_sets, wagers

bettings = st.builds(Betting, wager=wagers(), last=st.none() | wagers())


@st.composite
def dealts(draw: st.DrawFn) -> Dealt:
    player, dealer = draw(deals)
    return Dealt(wager=draw(wagers()), player=player, dealer=dealer)


@st.composite
def settleds(draw: st.DrawFn) -> Settled:
    rules = draw(st.sampled_from(tuple(PRESETS.values())) | rule_sets())
    player, dealer = draw(deals)
    wager = Wager(
        ante=draw(st.integers(0, 100)),
        pair_plus=draw(st.integers(0, 100)) if rules.pair_plus else 0,
        six_card=draw(st.integers(0, 100)) if rules.six_card else 0,
    )
    if wager.stake == 0:
        wager = Wager(ante=5)
    return settled(rules, wager, player, dealer, draw(st.sampled_from(Decision)) if wager.ante else None)


def settled(rules: RuleSet, wager: Wager, player: Hand, dealer: Hand, decision: Decision | None) -> Settled:
    settlement = settle(rules, player, dealer, wager, decision)
    return Settled(wager=wager, player=player, dealer=dealer, decision=decision, settlement=settlement)


@given(bettings | dealts() | settleds())
def test_a_state_comes_back_exactly(state: State) -> None:
    assert codec.decode(codec.encode(state)) == state


@given(bettings | dealts() | settleds())
def test_the_columns_beside_it_say_the_same(state: State) -> None:
    columns = codec.columns(state)
    stored = json.loads(codec.encode(state))

    assert columns["phase"] == stored["phase"]
    assert columns["cards"] == stored.get("cards")
    assert columns["decision"] == stored.get("decision")
    assert columns["net"] == (state.settlement.net if isinstance(state, Settled) else None)


@given(rule_sets())
def test_a_rule_set_comes_back_exactly_and_its_number_follows_from_it(rules: RuleSet) -> None:
    id_, content = encode(rules)

    assert merged(json.loads(content)) == rules
    assert (id_, content) == encode(merged(json.loads(content)))
    assert 0 <= id_ < 2**63


@given(st.lists(st.text(max_size=64), max_size=8).map(tuple))
def test_words_come_back_exactly(words: tuple[str, ...]) -> None:
    assert codec.decode_words(codec.encode_words(words)) == words


def test_an_unknown_phase_is_refused() -> None:
    with pytest.raises(ValueError, match="folded"):
        codec.decode('{"phase": "folded", "cards": "Qh 6c 4d Js Td 8c"}')


@given(st.integers(-(2**40), 2**45))
def test_instants_keep_their_milliseconds(ms: int) -> None:
    assert to_ms(from_ms(ms)) == ms
