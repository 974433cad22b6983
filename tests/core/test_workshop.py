"""A group's own table, step by step (RULES, variations)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.odds import analysis
from core.rules import PRESETS, SELMINHA, RuleSet, merged, preset
from core.workshop import OWN_NAME, Aspect, Part, differences, named, nearest, prices, variants

CALIFORNIA = preset("california")


@given(st.lists(st.tuples(st.sampled_from(Part), st.integers(0, 9)), max_size=12))
def test_every_walk_through_the_workshop_ends_at_a_table_fit_to_be_played(steps: list[tuple[Part, int]]) -> None:
    rules = SELMINHA
    for part, number in steps:
        rules = variants(rules, part).get(number, rules)
    assert rules.buy_in >= rules.smallest_hand
    assert rules.name in {*PRESETS, OWN_NAME}
    assert (rules.name in PRESETS) is (rules in PRESETS.values())


@pytest.mark.parametrize("part", Part)
def test_each_step_offers_a_choice_and_the_present_one(part: Part) -> None:
    found = variants(SELMINHA, part)
    assert len(found) > 1
    assert SELMINHA in found.values()


def test_a_step_leaves_out_what_is_not_fit() -> None:
    large = replace(SELMINHA, limits=replace(SELMINHA.limits, ante=replace(SELMINHA.limits.ante, least=100)))
    assert [made.buy_in for made in variants(large, Part.BUY_IN).values()] == [500, 1000, 5000]


def test_numbers_of_choices_stay_when_one_is_left_out() -> None:
    large = replace(SELMINHA, limits=replace(SELMINHA.limits, ante=replace(SELMINHA.limits.ante, least=100)))
    assert [*variants(large, Part.BUY_IN)] == [1, 2, 3]


def test_another_tray_scales_the_amounts_with_its_smallest_chip() -> None:
    made = variants(preset("poker-three"), Part.TRAY)[4]
    assert made.chips == (100, 500, 1000, 5000)
    assert (made.limits.ante.least, made.limits.ante.most, made.limits.table, made.buy_in) == (100, 2000, 3000, 10_000)


def test_no_mini_royal_without_pair_plus() -> None:
    assert variants(replace(SELMINHA, pair_plus=None), Part.MINI_ROYAL) == {}


@pytest.mark.parametrize(
    "rules, name",
    [
        pytest.param(SELMINHA, "selminha", id="a preset"),
        pytest.param(replace(SELMINHA, name="Friday"), "selminha", id="a preset under another name"),
        pytest.param(replace(SELMINHA, buy_in=600), OWN_NAME, id="no preset, whatever it calls itself"),
        pytest.param(replace(SELMINHA, buy_in=600, name="Friday"), "Friday", id="a name of its own"),
        pytest.param(variants(SELMINHA, Part.MINI_ROYAL)[1], "california", id="made step by step"),
    ],
)
def test_a_table_bears_a_true_name(rules: RuleSet, name: str) -> None:
    assert named(rules).name == name


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_preset_is_nearest_to_itself(rules: RuleSet) -> None:
    assert nearest(rules) is rules
    assert differences(rules, rules) == ()


def test_differences_are_told_bet_by_bet() -> None:
    assert differences(CALIFORNIA, SELMINHA) == (Aspect.PAIR_PLUS,)
    assert differences(preset("six-card"), SELMINHA) == (Aspect.SIX_CARD,)
    assert differences(preset("poker-three"), SELMINHA) == (Aspect.ANTE_REQUIRED, Aspect.TABLE)
    assert differences(replace(SELMINHA, pair_plus=None), SELMINHA) == (Aspect.PAIR_PLUS,)
    other = merged({"limits": {"six_card": [5, 500]}})
    assert differences(other, SELMINHA) == ()  # a bet that is off


def test_prices_are_those_of_the_analysis() -> None:
    assert prices(CALIFORNIA) == analysis(CALIFORNIA)
    assert prices(CALIFORNIA) is prices(CALIFORNIA)
    side = prices(CALIFORNIA).pair_plus
    assert side is not None
    assert side.house_edge == Fraction(118, 5525)
