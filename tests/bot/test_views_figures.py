"""Luck and skill, sparklines, `/stats`, and the picture of a night."""

from __future__ import annotations

import io
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from bot.facts import AtTables, Design, Stats, Summary, Tap, Verb, Wagered
from bot.views import stats as views
from bot.views.chart import HEIGHT, WIDTH, night_chart, ticks
from bot.views.figures import luck_and_skill, luck_line, signed_decimal, sparkline, thinned
from bot.views.kit import length
from core.cards import parse_hand
from core.odds import DEALER_HANDS
from tests.bot.scenes import SELMINHA, page

given_away = st.integers(0, 10**12).map(lambda parts: Fraction(parts, DEALER_HANDS))


# Luck and skill


@given(net=st.integers(-(10**9), 10**9), lost=given_away)
def test_luck_and_skill_add_up_to_the_result_exactly_as_figures_and_as_shown(net: int, lost: Fraction) -> None:
    """Exact: luck = net + given away. Shown: both are hundredths, and what is shown adds up to the result, too."""
    summary = Summary(hands=1, net=net, given_away=lost, best=None, path=(500, 500 + net))
    luck, skill = luck_and_skill(net, lost)

    assert summary.luck - summary.given_away == net
    assert luck + skill == net
    assert (100 * luck).denominator == (100 * skill).denominator == 1
    assert abs(skill + lost) <= Fraction(1, 200)


@given(net=st.integers(-10_000, 10_000), lost=given_away)
def test_the_sentence_shows_just_these_two(net: int, lost: Fraction) -> None:
    """What stands there reads back as numbers that add up to the result."""
    words = luck_line(net, lost, page()).removeprefix("The cards gave ").removesuffix(".").split(", your choices ")

    numbers = [Fraction(word.replace("−", "-").replace("+", "").replace(",", "")) for word in words]

    assert sum(numbers) == net


@pytest.mark.parametrize(
    "amount, classic, words",
    [
        pytest.param(Fraction(151), "+151", "plus 151", id="whole"),
        pytest.param(Fraction(-1234, 100), "−12.34", "minus 12.34", id="hundredths"),
        pytest.param(Fraction(0), "0", "0", id="nothing"),
    ],
)
def test_amounts_with_their_sign(amount: Fraction, classic: str, words: str) -> None:
    assert signed_decimal(amount, page()) == classic
    assert signed_decimal(amount, page(Design.WORDS)) == words


# Sparklines


@given(path=st.lists(st.integers(0, 10**9), max_size=300).map(tuple))
def test_a_sparkline_has_at_most_sixteen_bars(path: tuple[int, ...]) -> None:
    """The first and the last point stay; fewer than two steps are no line."""
    few = thinned(path)

    assert len(sparkline(few)) == (0 if len(path) < 3 else min(len(path), 16))
    assert few[:1] + few[-1:] == path[:1] + path[-1:]


def test_a_sparkline_goes_from_the_lowest_bar_to_the_highest() -> None:
    assert sparkline((0, 7, 3)) == "▁█▄"
    assert sparkline((5, 5, 5)) == "▁▁▁"


# /stats

WAGERED = Wagered(
    rules=SELMINHA, hands=124, net=-35, given_away=12 * DEALER_HANDS + 100, decisions=118, best_choices=110,
    ante=2950, play=2000, pair_plus=600, six_card=0,
)  # fmt: skip
STATS = Stats(
    nights=6, best_night=640, lately=(500, 640, 300), wagered=(WAGERED,), best=parse_hand("9s 9h 9d"), latest_round=77
)  # fmt: skip
EXPECTED = Fraction(9798, 10000)


def told(stats: Stats = STATS, design: Design = Design.CLASSIC, *, private: bool = False) -> str:
    view = views.stats(stats, EXPECTED, "Ann", page(design, private=private))
    return view.text.replace("\u2068", "").replace("\u2069", "")


def test_stats_are_one_calm_message() -> None:
    assert told() == (
        "Ann · 124 hands · 6 nights\n"
        "−35 so far · best night 640\n"
        "110 of 118 choices were the best; the rest gave away 12.01 chips\n"
        "The cards gave −22.99, your choices −12.01.\n"
        "Best hand: 9♥️  9♦️  9♠️ · three of a kind\n"
        "99.37 % of 5,550 chips bet came back; best play gets 97.98 %\n"
        "Last nights: ▅█▁"
    )


def test_stats_tell_hands_alone_at_tables_and_as_the_bank_apart() -> None:
    tables = AtTables(hands=12, net=80, banked=1, bank_net=-30, given_away=0, decisions=10, best_choices=10)
    lines = told(replace(STATS, tables=tables)).split("\n")

    assert lines[0] == "Ann · 137 hands · 6 nights"
    assert lines[1] == "+15 so far · best night 640"
    assert lines[2] == "124 hands alone: −35 · 12 hands at tables: +80 · 1 hand as the bank: −30"
    assert lines[3] == "120 of 128 choices were the best; the rest gave away 12.01 chips"
    assert "Alone, 99.37 % of 5,550 chips bet came back; best play gets 97.98 %" in lines


def test_stats_of_tables_only() -> None:
    lines = told(Stats(tables=AtTables(hands=1, net=-5, decisions=1, best_choices=1), latest_round=900_000_001))

    assert lines.split("\n")[:3] == ["Ann · 1 hand", "−5 so far", "1 hand at tables: −5"]
    assert "came back" not in lines


def test_stats_in_words_are_sentences() -> None:
    lines = told(design=Design.WORDS, private=True).split("\n")

    assert lines[0] == "Ann. 124 hands. 6 nights."
    assert lines[1] == "Minus 35 so far, best night 640."
    assert all(line.endswith(".") for line in lines)
    assert "▄" not in "".join(lines)


@pytest.mark.parametrize(
    "facts, badges",
    [
        pytest.param({"best": parse_hand("8h 8c 8d")}, None, id="three of a kind is not rare enough"),
        pytest.param({"best": parse_hand("8h 7h 6h")}, "straight flush", id="a straight flush"),
        pytest.param({"best": parse_hand("Ah Kh Qh")}, "mini royal · straight flush", id="a mini royal is one as well"),
        pytest.param({"clean_days": 3}, "a daily five of best choices", id="once, however often"),
        pytest.param({"contests": 2}, "2 contests won", id="contests"),
    ],
)
def test_w12_badges_for_rare_feats_follow_from_what_is_stored(facts: dict[str, Any], badges: str | None) -> None:
    lines = [line for line in told(replace(STATS, **facts)).split("\n") if line.startswith("Badges")]
    assert lines == ([f"Badges: {badges}"] if badges else [])


def test_stats_have_a_key_for_the_latest_night() -> None:
    view = views.stats(STATS, EXPECTED, "Ann", page())

    assert [[key.tap for key in row] for row in view.keys] == [[Tap(verb=Verb.PICTURE, round=77)]]


def test_stats_of_nobody_yet() -> None:
    view = views.stats(Stats(), None, "Ann", page())

    assert view.keys == ()
    assert "/deal" in view.text


def test_who_always_chose_best_is_told_so() -> None:
    flawless = replace(WAGERED, given_away=0, best_choices=118)

    assert "\nEvery choice was the best one: 118 of 118\n" in told(replace(STATS, wagered=(flawless,)))


def test_pair_plus_alone_has_no_decisions_to_tell() -> None:
    alone = Wagered(
        rules=SELMINHA, hands=1, net=5, given_away=0, decisions=0, best_choices=0, ante=0, play=0, pair_plus=5,
        six_card=0,
    )  # fmt: skip

    assert "choice was" not in told(Stats(wagered=(alone,), latest_round=1))


# The picture


@given(path=st.lists(st.integers(0, 10**12), min_size=1, max_size=80) | st.just([500] * 20_001))
@settings(max_examples=12, deadline=None)
def test_the_picture_of_a_night_is_a_small_png(path: list[int]) -> None:
    """Whatever the night was: one size, and far under what a chat should load."""
    drawn = night_chart(path)

    with Image.open(io.BytesIO(drawn)) as image:
        assert (image.format, image.size) == ("PNG", (WIDTH, HEIGHT)) == ("PNG", (800, 400))
    assert len(drawn) < 60_000


def test_the_picture_is_readable_in_a_dark_theme() -> None:
    with Image.open(io.BytesIO(night_chart([500, 520, 480, 640]))) as image:
        colours = image.convert("RGB").getcolors(WIDTH * HEIGHT) or []

    def brightness(colour: object) -> int:
        assert isinstance(colour, tuple)
        return max(int(part) for part in colour)

    ground = max(colours)[1]
    assert brightness(ground) < 64
    assert max(brightness(colour) for _, colour in colours) > 180


def test_the_same_night_is_the_same_picture() -> None:
    assert night_chart((500, 525)) == night_chart([500, 525])
    assert night_chart((500, 525)) != night_chart((500, 475))


@given(low=st.integers(0, 10**9), room=st.integers(0, 10**9))
def test_ticks_are_round_and_few_and_span_the_night(low: int, room: int) -> None:
    """At most seven lines, evenly apart, from at most the lowest to at least the highest."""
    found = ticks(low, low + room)

    assert found[0] <= low
    assert found[-1] >= low + room
    assert 2 <= len(found) <= 7
    step = found[1] - found[0]
    assert list(found) == list(range(found[0], found[-1] + 1, step))
    assert str(step).rstrip("0") in {"1", "2", "5"}


def test_the_caption_says_in_words_what_the_picture_shows() -> None:
    caption = views.night_caption("<Ann>", (500, 430, 700, 640), page())

    assert caption.replace("\u2068", "").replace("\u2069", "") == (
        "&lt;Ann&gt;: 3 hands, from 500 to 640 chips (+140)\nLowest 430, highest 700; the dashed line is the start."
    )
    assert length(caption) <= 1024
