"""Rule sets as data: the presets, the merge, and the check (DESIGN, rule sets as JSON)."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given

from core.cards import parse_hand
from core.errors import BadRuleSet, Reason, UnknownRuleSet
from core.ranking import SixCardCategory, strength
from core.rules import PRESETS, SELMINHA, Limits, RuleSet, Spot, as_mapping, merged, preset, resolved
from tests.core.strategies import rule_sets

SELMINHA_JSON: Final = """
{"name":"selminha","ante_required":true,"dealer_must_qualify":true,"bonus_if_dealer_wins":true,
 "ante_bonus":{"straight_flush":5,"three_of_a_kind":4,"straight":1},
 "pair_plus":{"mini_royal":null,"straight_flush":40,"three_of_a_kind":30,"straight":6,"flush":4,"pair":1},
 "six_card":null,
 "limits":{"ante":[5,100],"pair_plus":[5,100],"six_card":[5,100],"table":null},"chips":[5,25,100,500],"buy_in":500}
"""
DIFFERENCES: Final = {
    "selminha": "{}",
    "poker-three": """
{"name":"poker-three","ante_required":false,"limits":{"ante":[5,100],"pair_plus":[5,100],"table":150}}""",
    "california": """
{"name":"california",
 "pair_plus":{"mini_royal":50,"straight_flush":40,"three_of_a_kind":30,"straight":6,"flush":4,"pair":1}}""",
    "six-card": """
{"name":"six-card","six_card":{"royal_flush":1000,"straight_flush":200,"four_of_a_kind":50,"full_house":25,"flush":20,
 "straight":10,"three_of_a_kind":5}}""",
}
SIX_CARD: Final = json.loads(DIFFERENCES["six-card"])["six_card"]


def test_selminha_is_what_the_design_prints() -> None:
    assert as_mapping(preset("selminha")) == json.loads(SELMINHA_JSON)
    assert list(as_mapping(SELMINHA)) == list(json.loads(SELMINHA_JSON))


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_selminha_with_differences(name: str) -> None:
    assert preset(name) == merged(json.loads(DIFFERENCES[name]))
    assert preset(name).name == name


def test_there_are_four_presets() -> None:
    assert set(PRESETS) == set(DIFFERENCES)


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(UnknownRuleSet) as refused:
        preset("Selminha")
    assert refused.value.name == "Selminha"


@given(rule_sets())
def test_a_rule_set_survives_its_mapping(rules: RuleSet) -> None:
    assert merged(as_mapping(rules)) == rules
    assert merged(json.loads(json.dumps(as_mapping(rules)))) == rules
    assert hash(merged(as_mapping(rules))) == hash(rules)


@given(rule_sets())
def test_what_the_check_promises(rules: RuleSet) -> None:
    assert rules.smallest_hand <= rules.buy_in
    assert all(chip % rules.step == 0 for chip in rules.chips)
    for spot in rules.spots:
        assert 0 < rules.limits_of(spot).least <= rules.limits_of(spot).most


def test_a_name_or_a_mapping_stands_for_a_rule_set() -> None:
    assert resolved("california") == PRESETS["california"]
    assert resolved({}) == SELMINHA
    with pytest.raises(UnknownRuleSet):
        resolved("none")
    with pytest.raises(BadRuleSet):
        resolved(None)


@pytest.mark.parametrize("table", ["pair_plus", "six_card"])
def test_null_switches_a_bet_off(table: str) -> None:
    rules = merged({"six_card": SIX_CARD, table: None})
    assert Spot(table) not in rules.spots
    assert len(rules.spots) == 2


def test_null_switches_a_line_off() -> None:
    rules = merged({"pair_plus": {"pair": None}, "ante_bonus": {"straight": None}})
    assert rules.pair_plus is not None
    assert rules.pair_plus.odds(strength(parse_hand("8c 8d 3h"))) is None
    assert rules.pair_plus.odds(strength(parse_hand("8c 5c 3c"))) == 4
    assert rules.ante_bonus.odds(strength(parse_hand("6c 5d 4h"))) is None
    assert rules.ante_bonus.odds(strength(parse_hand("6c 6d 6h"))) == 4


def test_null_switches_the_whole_ante_bonus_off() -> None:
    rules = merged({"ante_bonus": None})
    assert rules.ante_bonus.odds(strength(parse_hand("Ac Kc Qc"))) is None
    assert merged(as_mapping(rules)) == rules


def test_nested_objects_merge() -> None:
    rules = merged({"pair_plus": {"mini_royal": 50}, "limits": {"table": 150}, "ante_bonus": {"straight_flush": 4}})
    assert rules.pair_plus is not None
    assert (rules.pair_plus.mini_royal, rules.pair_plus.straight_flush) == (50, 40)
    assert (rules.limits.table, rules.limits.ante) == (150, Limits(least=5, most=100))
    assert (rules.ante_bonus.straight_flush, rules.ante_bonus.straight) == (4, 1)


def test_keys_inside_null_merge_into_what_selminha_has() -> None:
    assert merged({"pair_plus": {}}) == SELMINHA
    assert merged({"limits": {}}) == SELMINHA


@pytest.mark.parametrize(
    "cards, selminha, california",
    [
        pytest.param("Ac Kc Qc", 40, 50, id="CAL mini royal; without the line it pays as straight flush"),
        pytest.param("Kc Qc Jc", 40, 40, id="straight flush"),
        pytest.param("3c 2c Ac", 40, 40, id="lowest straight flush"),
        pytest.param("8c 8d 8h", 30, 30, id="three of a kind"),
        pytest.param("Ac Kc Qd", 6, 6, id="straight"),
        pytest.param("Ac 9c 2c", 4, 4, id="flush"),
        pytest.param("2c 2d Ah", 1, 1, id="pair"),
        pytest.param("Ac Kd Jh", None, None, id="no pair"),
    ],
)
def test_pair_plus_pays(cards: str, selminha: int | None, california: int | None) -> None:
    hand = strength(parse_hand(cards))
    for name, odds in (("selminha", selminha), ("california", california)):
        pays = preset(name).pair_plus
        assert pays is not None
        assert pays.odds(hand) == odds


def test_six_card_pays_every_category() -> None:
    pays = preset("six-card").six_card
    assert pays is not None
    assert [pays.odds(category) for category in SixCardCategory] == [1000, 200, 50, 25, 20, 10, 5, None]


@pytest.mark.parametrize("name, least", [("selminha", 10), ("poker-three", 5), ("california", 10), ("six-card", 10)])
def test_smallest_hand(name: str, least: int) -> None:
    assert preset(name).smallest_hand == least
    assert preset(name).step == 5


def test_smallest_hand_is_the_ante_where_nothing_else_is_on() -> None:
    assert merged({"ante_required": False, "pair_plus": None}).smallest_hand == 10


MISSHAPEN: Final[list[tuple[Mapping[str, object], str, Reason]]] = [
    ({"payout": 3}, "payout", Reason.UNKNOWN_KEY),
    ({"pair_plus": {"royal": 3}}, "pair_plus.royal", Reason.UNKNOWN_KEY),
    ({"limits": {"play": [5, 10]}}, "limits.play", Reason.UNKNOWN_KEY),
    ({"six_card": SIX_CARD | {"pair": 1}}, "six_card.pair", Reason.UNKNOWN_KEY),
    ({"six_card": {"royal_flush": 1000}}, "six_card.straight_flush", Reason.MISSING),
    ({"six_card": {}}, "six_card.royal_flush", Reason.MISSING),
    ({"six_card": 5}, "six_card", Reason.NOT_AN_OBJECT),
    ({"pair_plus": [40, 30, 6, 4, 1]}, "pair_plus", Reason.NOT_AN_OBJECT),
    ({"ante_bonus": "5-4-1"}, "ante_bonus", Reason.NOT_AN_OBJECT),
    ({"limits": None}, "limits", Reason.NOT_AN_OBJECT),
    ({"name": None}, "name", Reason.NOT_A_NAME),
    ({"name": ""}, "name", Reason.NOT_A_NAME),
    ({"name": " "}, "name", Reason.NOT_A_NAME),
    ({"name": "a\nb"}, "name", Reason.NOT_A_NAME),
    ({"name": "x" * 65}, "name", Reason.NOT_A_NAME),
    ({"ante_required": None}, "ante_required", Reason.NOT_TRUE_OR_FALSE),
    ({"dealer_must_qualify": 1}, "dealer_must_qualify", Reason.NOT_TRUE_OR_FALSE),
    ({"bonus_if_dealer_wins": "no"}, "bonus_if_dealer_wins", Reason.NOT_TRUE_OR_FALSE),
    ({"pair_plus": {"pair": True}}, "pair_plus.pair", Reason.NOT_A_WHOLE_NUMBER),
    ({"pair_plus": {"pair": 1.5}}, "pair_plus.pair", Reason.NOT_A_WHOLE_NUMBER),
    ({"pair_plus": {"pair": "1"}}, "pair_plus.pair", Reason.NOT_A_WHOLE_NUMBER),
    ({"ante_bonus": {"straight": float("inf")}}, "ante_bonus.straight", Reason.NOT_A_WHOLE_NUMBER),
    ({"buy_in": None}, "buy_in", Reason.NOT_A_WHOLE_NUMBER),
    ({"buy_in": True}, "buy_in", Reason.NOT_A_WHOLE_NUMBER),
    ({"chips": [5, 25.0]}, "chips", Reason.NOT_A_WHOLE_NUMBER),
    ({"limits": {"ante": [5, "100"]}}, "limits.ante", Reason.NOT_A_WHOLE_NUMBER),
    ({"limits": {"table": 150.0}}, "limits.table", Reason.NOT_A_WHOLE_NUMBER),
    ({"chips": 5}, "chips", Reason.NOT_A_LIST),
    ({"limits": {"ante": None}}, "limits.ante", Reason.NOT_A_LIST),
    ({"limits": {"pair_plus": [5]}}, "limits.pair_plus", Reason.NOT_A_LIST),
    ({"limits": {"six_card": "55"}}, "limits.six_card", Reason.NOT_A_LIST),
]

UNFIT: Final[list[tuple[Mapping[str, object], str, Reason]]] = [
    ({"pair_plus": {"pair": -1}}, "pair_plus.pair", Reason.NEGATIVE),
    ({"ante_bonus": {"straight": -1}}, "ante_bonus.straight", Reason.NEGATIVE),
    ({"six_card": SIX_CARD | {"flush": -20}}, "six_card.flush", Reason.NEGATIVE),
    ({"six_card": SIX_CARD | {"royal_flush": 100_001}}, "six_card.royal_flush", Reason.TOO_LARGE),
    ({"chips": []}, "chips", Reason.MISSING),
    ({"chips": [0, 5]}, "chips", Reason.ZERO),
    ({"chips": [-5, 5]}, "chips", Reason.NEGATIVE),
    ({"chips": [5, 10_000_005]}, "chips", Reason.TOO_LARGE),
    ({"chips": [5, 25, 25]}, "chips", Reason.NOT_ASCENDING),
    ({"chips": [25, 5]}, "chips", Reason.NOT_ASCENDING),
    ({"chips": [5, 12]}, "chips", Reason.NOT_IN_CHIPS),
    ({"chips": [5 * n for n in range(1, 10)]}, "chips", Reason.TOO_MANY),
    ({"limits": {"ante": [0, 100]}}, "limits.ante", Reason.ZERO),
    ({"limits": {"ante": [-5, 100]}}, "limits.ante", Reason.NEGATIVE),
    ({"limits": {"ante": [5, 2**31]}}, "limits.ante", Reason.TOO_LARGE),
    ({"limits": {"ante": [100, 5]}}, "limits.ante", Reason.LEAST_OVER_MOST),
    ({"limits": {"ante": [1, 4]}}, "limits.ante", Reason.NOT_IN_CHIPS),
    ({"limits": {"pair_plus": [5, 101]}}, "limits.pair_plus", Reason.NOT_IN_CHIPS),
    ({"chips": [10, 100]}, "limits.ante", Reason.NOT_IN_CHIPS),
    ({"limits": {"table": 0}}, "limits.table", Reason.ZERO),
    ({"limits": {"table": 9}}, "limits.table", Reason.TABLE_TOO_SMALL),
    ({"limits": {"table": 4}, "ante_required": False}, "limits.table", Reason.TABLE_TOO_SMALL),
    ({"buy_in": 0}, "buy_in", Reason.ZERO),
    ({"buy_in": 9}, "buy_in", Reason.BUY_IN_TOO_SMALL),
    ({"buy_in": 10**10}, "buy_in", Reason.TOO_LARGE),
]


@pytest.mark.parametrize("mapping, key, reason", [*MISSHAPEN, *UNFIT])
def test_a_bad_rule_set_is_refused_with_its_key(mapping: Mapping[str, object], key: str, reason: Reason) -> None:
    with pytest.raises(BadRuleSet) as refused:
        merged(mapping)
    assert (refused.value.key, refused.value.reason) == (key, reason)


@pytest.mark.parametrize(
    "mapping",
    [
        pytest.param({"limits": {"table": 10}}, id="the table just holds Ante and Pair Plus"),
        pytest.param({"limits": {"table": 5}, "ante_required": False}, id="the table just holds one of them"),
        pytest.param({"limits": {"six_card": [1, 3]}}, id="limits of a bet that is off wait for it"),
        pytest.param({"buy_in": 10}, id="the buy-in just pays for the smallest hand"),
        pytest.param({"buy_in": 5, "ante_required": False}, id="or for Pair Plus alone"),
        pytest.param({"pair_plus": {"pair": 0}}, id="a line may give the stake back only"),
        pytest.param({"chips": (5,)}, id="one chip is a tray"),
    ],
)
def test_the_check_refuses_no_more_than_it_must(mapping: Mapping[str, object]) -> None:
    assert merged(mapping)


def test_a_rule_set_is_checked_however_it_is_made() -> None:
    with pytest.raises(BadRuleSet):
        replace(SELMINHA, chips=())
