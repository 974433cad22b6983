"""Every board in every design: the snapshots, and Telegram's lengths for whatever may be on it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.facts import Design, Ending, Face, SoloBoard, Verb
from bot.refusals import NotYourBoard
from bot.views import solo
from bot.views.cards import hidden_hand
from bot.views.coach import hint_alert
from bot.views.kit import length
from bot.views.ranking import hand_ranking, hand_ranking_alert
from bot.views.toasts import tapped
from core.betting import Wager
from core.cards import Hand
from core.odds import hint
from core.rules import MOST_CHIPS, PRESETS, RuleSet, Spot, preset
from core.settlement import Decision
from core.solo import Betting, State
from tests.bot.scenes import ANN, GROUP, PRIVATE, SELMINHA, SUMMARY, dealt, ended, page, scene, seen, settled
from tests.core.strategies import deals, presets, rule_sets

BET = Wager(ante=25, pair_plus=5)
P3, CALIFORNIA, SIX_CARD = preset("poker-three"), preset("california"), preset("six-card")


def looks(value: SoloBoard, design: Design, expected: str) -> None:
    assert seen(solo.board(value, page(design))) == expected.strip()


# Snapshots, design by design


@pytest.mark.parametrize(
    "design, mine, hidden, theirs",
    [
        pytest.param(Design.CLASSIC, "Q♥️  10♣️  4♦️", "🎴  🎴  🎴", "J♠️  9♦️  8♣️", id="classic"),
        pytest.param(Design.BRACKETED, "[Q♥️] [10♣️] [4♦️]", "[🎴] [🎴] [🎴]", "[J♠️] [9♦️] [8♣️]", id="bracketed"),
        pytest.param(Design.FOUR_COLOUR, "Q❤️  10🍀  4🔷", "🎴  🎴  🎴", "J♠️  9🔷  8🍀", id="four-colour"),
        pytest.param(Design.LETTERS, "Qh Tc 4d", "?? ?? ??", "Js 9d 8c", id="letters"),
    ],
)
def test_botapi_9_the_same_boards_in_each_design(design: Design, mine: str, hidden: str, theirs: str) -> None:
    looks(
        scene(Betting(wager=Wager(ante=25)), chips=500, face=Face.FIRST, hands=0),
        design,
        f"""
Ann · 500 chips

Ante 25 · Pair Plus 0 · Play would cost 25 more
🔒 630d cd29 66c4 3366
[Change bet] [Cards: {" ".join(mine.replace("10", "6").replace("T", "6").split()[:2])}]
[Hands]
[Deal 25]
""",
    )
    looks(
        scene(dealt("Qh Tc 4d", "Js 9d 8c", BET), chips=445),
        design,
        f"""
Ann · 470 chips, 30 in play

You: {mine} · queen high
Dealer: {hidden}

Ante 25 · Pair Plus 5
🔒 630d cd29 66c4 3366
[Play 25] [Fold]
[Hint] [Hands]
""",
    )
    looks(
        scene(settled("Qh Tc 4d", "Js 9d 8c", BET, Decision.PLAY), chips=520, path=()),
        design,
        f"""
Ann · 520 chips (+20)

You: {mine} · queen high
Dealer: {theirs} · jack high, does not qualify

Ante 25: +25
Play 25: comes back
Pair Plus 5: −5, no pair
Tonight: 12 hands, +20
🔓 hand 4821 · next 🔒 9c1e 07a2 55d0 1b3f
[Change bet] [Cash out]
[Proof] [Hands]
[Deal 30]
""",
    )


def test_boards_6_a_night_in_words_sentence_by_sentence() -> None:
    looks(
        scene(Betting(wager=BET), chips=500, face=Face.BET),
        Design.WORDS,
        """
Ann. 500 chips.

Ante 25 (5 to 100).
Pair Plus 5 (none, or 5 to 100).
Play would cost 25 more.
Seal 630d cd29 66c4 3366.
[5] [25, chosen] [100] [500]
[Ante, 25 less] [Ante, 25 more]
[Pair Plus, 25 less] [Pair Plus, 25 more]
[Half] [Double] [Max] [Clear]
[Repeat, chosen] [Deal 30]
""",
    )
    looks(
        scene(settled("Qh 6c 4d", "Js Td 8c", BET, Decision.PLAY), chips=520),
        Design.WORDS,
        """
Plus 20. You have 520 chips.

The dealer has jack high and does not qualify.
Your cards: queen of hearts, 6 of clubs, 4 of diamonds. Queen high. (Q, 6, 4.)
The dealer’s cards: jack of spades, 10 of diamonds, 8 of clubs.

Ante 25: plus 25.
Play 25: comes back.
Pair Plus 5: minus 5, no pair.
Tonight: 12 hands, plus 20.
Hand 4821.
Next: Seal 9c1e 07a2 55d0 1b3f.
[Change bet] [Cash out]
[Proof] [Hands]
[Deal 30]
""",
    )
    looks(
        ended(scene(Betting(wager=BET), chips=640, face=Face.LEFT, chat=GROUP), SUMMARY, chips=640),
        Design.WORDS,
        """
Ann leaves with 640 chips.
31 hands, place 2 this week in Poker Friends.
The cards gave plus 151, your choices minus 11.
Best hand: 9 of hearts, 9 of diamonds, 9 of spades.
[Deal: a new night]
[Top five] [Picture]
""",
    )


@pytest.mark.parametrize(
    "decision, dealer, outcome",
    [
        pytest.param(Decision.PLAY, "Ks Td 8c", "The dealer wins: king high.", id="lost"),
        pytest.param(Decision.PLAY, "Qs 5d 4c", "You win. The dealer’s hand: queen high.", id="won"),
        pytest.param(Decision.PLAY, "Qs 6d 4c", "A tie. The dealer’s hand: queen high.", id="tied"),
        pytest.param(Decision.FOLD, "Js Td 8c", "You folded. The dealer’s hand: jack high.", id="folded"),
    ],
)
def test_boards_6_every_outcome_in_words(decision: Decision, dealer: str, outcome: str) -> None:
    value = scene(settled("Qh 6c 4h", dealer, BET, decision), chips=500)

    assert outcome in solo.board(value, page(Design.WORDS)).text


def test_a_net_of_nothing_is_said_in_words_too() -> None:
    value = scene(settled("Qh 6c 4h", "Qs 6d 4c", Wager(ante=25), Decision.PLAY), chips=500)

    assert solo.board(value, page(Design.WORDS)).text.startswith("Nothing won, nothing lost. You have 500 chips.")
    assert "(0)" in solo.board(value, page()).text


# Other tables


def test_p3_betting_board_shows_the_limits_of_spots_and_table() -> None:
    looks(
        scene(Betting(wager=Wager(pair_plus=30)), chips=500, face=Face.BET, rules=P3),
        Design.CLASSIC,
        """
Ann · 500 chips

Ante 0 (none, or 5 to 100)
Pair Plus 30 (none, or 5 to 100)
All bets together: 150 at most.
🔒 630d cd29 66c4 3366
[5] [✓ 25] [100] [500]
[Ante −25] [Ante +25]
[Pair Plus −25] [Pair Plus +25]
[Half] [Double] [Max] [Clear]
[✓ Repeat] [Deal 30]
""",
    )


def test_p3_first_board_without_an_ante_says_nothing_of_play() -> None:
    looks(
        scene(Betting(wager=Wager(pair_plus=5)), chips=8, face=Face.FIRST, rules=P3, hands=0),
        Design.CLASSIC,
        """
Ann · 8 chips

Ante 0 · Pair Plus 5
🔒 630d cd29 66c4 3366
[Change bet] [Cards: Q♥️ 6♣️]
[Hands]
[Deal 5]
""",
    )


def test_p3_pair_plus_alone_nobody_folded() -> None:
    value = scene(settled("9h 9c 4d", "Ks 9d 4c", Wager(pair_plus=30), None, P3), chips=530, rules=P3)
    looks(
        value,
        Design.CLASSIC,
        """
Ann · 530 chips (+30)

You: 9♥️  9♣️  4♦️ · pair of nines
Dealer: K♠️  9♦️  4♣️ · king high

Pair Plus 30, pair 1 to 1: +30
Tonight: 12 hands, +30 ▃▃▁▄█
🔓 hand 4821 · next 🔒 9c1e 07a2 55d0 1b3f
[Change bet] [New game] [Cash out]
[Proof] [Hands]
[Rebet · Deal 30]
""",
    )
    assert tapped(value, Verb.DEAL, page()) == "You: 9♥️  9♣️  4♦️ · pair of nines. +30, you have 530."


def test_p3_a_next_bet_that_is_another_is_no_rebet() -> None:
    state = settled("9h 9c 4d", "Ks 9d 4c", Wager(pair_plus=30), None, P3)
    other = scene(state, chips=530, rules=P3, next_wager=Wager(pair_plus=5))
    none = scene(state, chips=530, rules=P3, next_wager=Wager())

    assert "[Deal 5]" in seen(solo.board(other, page()))
    assert seen(solo.board(none, page())).split("\n")[-1] == "[Proof] [Hands]"


def test_cal_the_spot_is_labelled_bonus() -> None:
    looks(
        scene(settled("Ah Kh Qh", "Ks Jd 4c", BET, Decision.PLAY, CALIFORNIA), chips=925, rules=CALIFORNIA, path=()),
        Design.CLASSIC,
        """
Ann · 925 chips (+425)

You: A♥️  K♥️  Q♥️ · straight flush
Dealer: K♠️  J♦️  4♣️ · king high, you win

Ante 25: +25
Play 25: +25
Ante bonus, straight flush 5 to 1: +125
Bonus 5, straight flush 50 to 1: +250
Tonight: 12 hands, +425
🔓 hand 4821 · next 🔒 9c1e 07a2 55d0 1b3f
[Copy hand]
[Change bet] [Cash out]
[Proof] [Hands]
[Deal 30]
""",
    )
    betting = scene(Betting(wager=BET), chips=500, face=Face.BET, rules=CALIFORNIA)
    assert tapped(betting, Verb.ADD, page()) == "Ante 25, Bonus 5. 470 left, 25 of them for Play."


def test_six_card_a_bonus_that_stands_after_the_fold() -> None:
    bet = Wager(ante=25, pair_plus=5, six_card=5)
    looks(
        scene(settled("9h 9c 4d", "9s 9d 4c", bet, Decision.FOLD, SIX_CARD), chips=720, rules=SIX_CARD, path=()),
        Design.CLASSIC,
        """
Ann · 720 chips (+220)

You: 9♥️  9♣️  4♦️ · folded
Dealer had: 9♠️  9♦️  4♣️ · pair of nines

Ante 25: −25
Pair Plus 5: −5, lost with the fold
6-Card Bonus 5, four of a kind 50 to 1: +250
Folding gave away 51.72 chips (pair of nines 9-9-4 is a hand to play).
Tonight: 12 hands, +220
🔓 hand 4821 · next 🔒 9c1e 07a2 55d0 1b3f
[Change bet] [Cash out]
[Proof] [Hands]
[Deal 35]
""",
    )


def test_the_welcome_names_queen_6_4_only_where_it_is_true() -> None:
    other = replace(SELMINHA, dealer_must_qualify=False)
    usual = scene(Betting(wager=BET), chips=500, face=Face.WELCOME)
    unusual = scene(Betting(wager=BET), chips=500, face=Face.WELCOME, rules=other)

    assert "Queen-6-4 or better" in solo.board(usual, page()).text
    assert "Queen-6-4" not in solo.board(unusual, page()).text


# HANDS


@pytest.mark.parametrize("name", PRESETS)
def test_f26_the_hands_alert_is_whole_and_fits(name: str) -> None:
    alert = hand_ranking_alert(preset(name), page())

    assert length(alert) <= 200
    assert "…" not in alert
    assert "high card" in alert


def test_sel_hands_with_sample_cards_and_what_each_pays() -> None:
    assert re.sub(r"<[^>]+>", "", hand_ranking(SELMINHA, page())) == (
        "Hands, highest first\n"
        "J♥️  10♥️  9♥️ · straight flush: Pair Plus 40 to 1, Ante bonus 5 to 1\n"
        "8♥️  8♣️  8♠️ · three of a kind: Pair Plus 30 to 1, Ante bonus 4 to 1\n"
        "6♦️  5♠️  4♥️ · straight: Pair Plus 6 to 1, Ante bonus 1 to 1\n"
        "K♣️  9♣️  3♣️ · flush: Pair Plus 4 to 1\n"
        "Q♠️  Q♦️  7♥️ · pair: Pair Plus 1 to 1\n"
        "A♦️  9♠️  4♣️ · high card\n\n"
        "A straight beats a flush here. The ace is low in A-2-3 only. Suits never decide."
    )
    assert hand_ranking(P3, page()) == hand_ranking(SELMINHA, page())


def test_cal_hands_with_the_mini_royal() -> None:
    second, third = hand_ranking(CALIFORNIA, page()).split("\n")[1:3]

    assert second == "A♠️  K♠️  Q♠️ · mini royal: Bonus 50 to 1, Ante bonus 5 to 1"
    assert third == "J♥️  10♥️  9♥️ · straight flush: Bonus 40 to 1, Ante bonus 5 to 1"
    assert hand_ranking_alert(CALIFORNIA, page()).startswith("mini royal 50 + 5 > straight flush 40 + 5 > ")


def test_six_card_hands_with_its_table() -> None:
    assert (
        "6-Card Bonus, your three and the dealer’s three: royal flush 1,000 to 1, straight flush 200 to 1, "
        "four of a kind 50 to 1, full house 25 to 1, flush 20 to 1, straight 10 to 1, three of a kind 5 to 1."
    ) in hand_ranking(SIX_CARD, page())
    assert hand_ranking_alert(SIX_CARD, page()).endswith("6-Card Bonus: see /hands.")


def test_hands_in_words() -> None:
    lines = hand_ranking(SELMINHA, page(Design.WORDS)).split("\n")

    assert lines[4] == "Flush: Pair Plus 4 to 1. Like king of clubs, 9 of clubs, 3 of clubs."
    assert lines[6] == "High card. Like ace of diamonds, 9 of spades, 4 of clubs."


def test_the_parts_of_a_page_stay_apart_in_words() -> None:
    value = scene(Betting(wager=Wager(ante=25)), chips=500, face=Face.HANDS)

    lines = solo.board(value, page(Design.WORDS)).text.split("\n")

    assert lines.index("") == 7


# The coach


@pytest.mark.parametrize(
    "player, wager, rules, sentence",
    [
        pytest.param("Qh 6c 4d", BET, SELMINHA, "Pair Plus 5 is lost either way.", id="lost"),
        pytest.param("9h 9c 4d", BET, SELMINHA, "Pair Plus 5 earns +5 if you play, is lost if you fold.", id="won"),
        pytest.param("Ah Kh Qh", BET, CALIFORNIA, "Bonus 5 earns +250 if you play, is lost if you fold.", id="CAL"),
        pytest.param("Qh 6c 4d", Wager(ante=25, six_card=5), SIX_CARD, "6-Card Bonus 5 stands either way.", id="6"),
        pytest.param(
            "Qh 6c 4d", Wager(ante=25, pair_plus=5, six_card=5), SIX_CARD,
            "Pair Plus 5 is lost either way; 6-Card Bonus 5 stands.", id="lost, and 6",
        ),
        pytest.param(
            "9h 9c 4d", Wager(ante=25, pair_plus=5, six_card=5), SIX_CARD,
            "Pair Plus 5 earns +5 if you play; 6-Card Bonus 5 stands.", id="won, and 6",
        ),
        pytest.param("Qh 6c 4d", Wager(ante=25), SELMINHA, "lose 67.0 %.", id="no side bet"),
    ],
)  # fmt: skip
def test_boards_8_one_sentence_says_what_becomes_of_the_side_bets(
    player: str, wager: Wager, rules: RuleSet, sentence: str
) -> None:
    state = dealt(player, "Js Td 8c", wager)

    alert = hint_alert(state, hint(state.player, rules), rules, page())

    assert alert.endswith(sentence)
    assert length(alert) <= 200


@given(cards=deals, rules=presets)
@settings(max_examples=200, deadline=None)
def test_f26_hint_is_whole_at_every_preset_with_the_largest_bets(cards: tuple[Hand, Hand], rules: RuleSet) -> None:
    """Nothing has to be left out in English, and there is room for longer languages."""
    state = dealt("Qh 6c 4d", "Js Td 8c", Wager(ante=100, pair_plus=100, six_card=100 if rules.six_card else 0))
    state = replace(state, player=cards[0], dealer=cards[1])

    alert = hint_alert(state, hint(state.player, rules), rules, page())

    assert "tie" in alert
    assert length(alert) <= 195


def test_f26_what_hint_leaves_out_first_is_the_tie_and_never_the_advice() -> None:
    state = dealt("9h 9c 4d", "Js Td 8c", Wager(ante=MOST_CHIPS, pair_plus=1000, six_card=100))
    largest = replace(state, wager=Wager(ante=MOST_CHIPS, pair_plus=MOST_CHIPS, six_card=MOST_CHIPS))
    advice = hint(state.player, SIX_CARD)
    worth = "PLAY. On average: play 10,689,861.05, fold −10,000,000.00 chips. "

    some = hint_alert(state, advice, SIX_CARD, page())
    fewest = hint_alert(largest, advice, SIX_CARD, page())

    assert some == (
        f"{worth}Dealer does not qualify 28.8 %, you win 55.1 %, lose 16.1 %. "
        "Pair Plus 1,000 earns +1,000 if you play; 6-Card Bonus 100 stands."
    )
    assert fewest == f"{worth}Pair Plus 10,000,000 earns +10,000,000 if you play; 6-Card Bonus 10,000,000 stands."
    assert max(length(some), length(fewest)) <= 200


def test_the_coach_can_be_switched_off() -> None:
    state = settled("Kh 9c 4d", "As 9d 4c", BET, Decision.FOLD)
    quiet = scene(state, chips=470, owner=replace(ANN, coach=False))

    assert "gave away" not in solo.board(quiet, page()).text
    assert "gave away" not in tapped(quiet, Verb.FOLD, page())


# Lengths

FACES = (
    Face.WELCOME,
    Face.FIRST,
    Face.BET,
    Face.CARDS,
    Face.LEAVING,
    Face.LEFT,
    Face.HANDS,
    Face.WELCOME_HANDS,
    Face.PROOF,
)


@st.composite
def boards(draw: st.DrawFn) -> tuple[SoloBoard, Verb]:
    """Any board of any table, with the longest name there is and amounts up to the largest."""
    rules = draw(presets | rule_sets())
    mine, theirs = draw(deals)
    amounts = {spot: draw(st.integers(0, MOST_CHIPS)) for spot in rules.spots}
    wager = Wager(
        ante=amounts[Spot.ANTE], pair_plus=amounts.get(Spot.PAIR_PLUS, 0), six_card=amounts.get(Spot.SIX_CARD, 0)
    )
    wager = wager if wager.stake else Wager(ante=rules.limits.ante.least)
    decision = draw(st.sampled_from(Decision)) if wager.ante else None
    player, dealer = (" ".join(map(str, cards)) for cards in (mine, theirs))
    states: tuple[State, ...] = (
        Betting(wager=wager), dealt(player, dealer, wager), settled(player, dealer, wager, decision, rules),
    )  # fmt: skip
    state = draw(st.sampled_from(states))
    owner = replace(ANN, name=draw(st.sampled_from(("Ann", "W" * 64, "👨‍👩‍👧‍👦" * 30, "<b>&" * 20, ""))), hands=0)
    value = scene(
        state, chips=draw(st.integers(0, 10**12)), face=draw(st.sampled_from(FACES)), rules=rules, owner=owner,
        chat=draw(st.sampled_from((PRIVATE, GROUP))), note=draw(st.none() | st.just(NotYourBoard("W" * 64))),
        chip=draw(st.sampled_from(rules.chips)), path=tuple(draw(st.lists(st.integers(-500, 500), max_size=12))),
    )  # fmt: skip
    if draw(st.booleans()):
        path = tuple(draw(st.lists(st.integers(0, 10**9), min_size=1, max_size=60)))
        summary = replace(SUMMARY, net=draw(st.integers(-(10**9), 10**9)), path=path)
        value = ended(value, summary, chips=draw(st.integers(0, 10**12)), ending=draw(st.sampled_from(Ending)))
    return value, draw(st.sampled_from(Verb))


@given(made=boards(), design=st.sampled_from(Design), private=st.booleans())
@settings(max_examples=400, deadline=None)
def test_f48_f26_every_view_in_every_design_fits_telegram(
    made: tuple[SoloBoard, Verb], design: Design, private: bool
) -> None:
    """4,096 of text, 64 bytes a payload, 200 of a toast; no empty label, no line of an empty text."""
    value, verb = made
    shown = page(design, private=private)

    view = solo.board(value, shown)

    assert 0 < length(view.text) <= 4096
    assert len(view.keys) <= 10
    for row in view.keys:
        assert 1 <= len(row) <= 8
        for key in row:
            assert 0 < length(key.label) <= 64
            assert key.tap is None or 0 < len(key.tap.pack().encode()) <= 64
    assert length(tapped(value, verb, shown)) <= 200


@given(made=boards())
@settings(max_examples=200, deadline=None)
def test_boards_6_in_words_every_line_is_a_sentence(made: tuple[SoloBoard, Verb]) -> None:
    """Every line ends with a stop, nothing is said by a sign alone, and the keys do the same."""
    value, _ = made
    if value.board.face in {Face.PROOF, Face.HANDS}:
        return

    words, classic = (solo.board(value, page(design)) for design in (Design.WORDS, Design.CLASSIC))

    lines = re.sub(r"<[^>]+>", "", words.text).split("\n")
    assert all(not line or line.rstrip(")\u2069")[-1] in ".!?" for line in lines), lines
    assert not set("·🔒🔓🏁✓▸🎴▁▂▃▄▅▆▇█") & set(
        re.sub("\u2068.*?\u2069", "", words.text).replace("/help · /privacy", "")
    )
    assert [[key.tap for key in row] for row in words.keys] == [[key.tap for key in row] for row in classic.keys]


def test_hidden_cards_have_no_emoji_in_plain_letters() -> None:
    assert hidden_hand(page(Design.LETTERS)).isascii()
