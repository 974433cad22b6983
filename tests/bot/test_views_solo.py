"""Solo boards as people see them: BOARDS section 3, line by line and key by key."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.facts import Design, Ending, Face, SoloBoard, Tap, Verb
from bot.refusals import HandInPlay, NotChips
from bot.views import night_end, solo
from bot.views.coach import hint_alert
from bot.views.toasts import tapped
from core.betting import Wager
from core.errors import BetTooSmall
from core.odds import hint
from core.rules import merged, preset
from core.settlement import Decision
from core.solo import Betting
from tests.bot.scenes import ANN, COMMITMENT, GROUP, SELMINHA, SUMMARY, dealt, ended, page, scene, seen, settled

BET = Wager(ante=25, pair_plus=5)


def looks(value: SoloBoard, expected: str, design: Design = Design.CLASSIC, *, private: bool = True) -> None:
    assert seen(solo.board(value, page(design, private=private))) == expected.strip()


def test_boards_3_1_first_contact() -> None:
    looks(
        scene(Betting(wager=Wager(ante=25)), chips=500, face=Face.WELCOME, hands=0),
        """
Three Card Poker, for play money only. You have 500 chips.
Three cards for you, three for the dealer, better hand wins. Queen-6-4 or better is worth playing; Hint tells you.
Chips cannot be bought or cashed in. /help · /privacy

Ante 25 · Pair Plus 0 · Play would cost 25 more
🔒 630d cd29 66c4 3366
[Change bet] [Cards: Q♥️ 6♣️]
[Hands]
[Deal 25]
""",
    )


def test_boards_3_2_betting_board() -> None:
    looks(
        scene(Betting(wager=BET), chips=500, face=Face.BET),
        """
Ann · 500 chips

Ante 25 (5 to 100)
Pair Plus 5 (none, or 5 to 100)
Play would cost 25 more.
🔒 630d cd29 66c4 3366
[5] [✓ 25] [100] [500]
[Ante −25] [Ante +25]
[Pair Plus −25] [Pair Plus +25]
[Half] [Double] [Max] [Clear]
[✓ Repeat] [Deal 30]
""",
    )


def test_boards_rule_6_note_on_an_empty_bet() -> None:
    looks(
        scene(Betting(wager=Wager()), chips=500, face=Face.BET, note=BetTooSmall("ante", 4, 5)),
        """
Ann · 500 chips
Note: Ante begins at 5.

Ante 0 (5 to 100)
Pair Plus 0 (none, or 5 to 100)
🔒 630d cd29 66c4 3366
[5] [✓ 25] [100] [500]
[Ante −25] [Ante +25]
[Pair Plus −25] [Pair Plus +25]
[Half] [Double] [Max] [Clear]
[✓ Repeat]
""",
    )


def test_boards_3_3_dealt_board() -> None:
    looks(
        scene(dealt("6c Qh 4d", "Js Td 8c", BET), chips=445),
        """
Ann · 470 chips, 30 in play

You: Q♥️  6♣️  4♦️ · queen high
Dealer: 🎴  🎴  🎴

Ante 25 · Pair Plus 5
🔒 630d cd29 66c4 3366
[Play 25] [Fold]
[Hint] [Hands]
""",
    )


def test_boards_3_3_new_here() -> None:
    value = scene(dealt("6c Qh 4d", "Js Td 8c", BET), chips=445, owner=replace(ANN, hands=2))

    assert "New here? Tap Hint." in solo.board(value, page()).text
    assert "New here? Tap Hint." not in solo.board(value, page(private=False)).text


def test_f106_hidden_cards_are_in_no_picture_before_settlement() -> None:
    view = solo.board(scene(dealt("6c Qh 4d", "Js Td 8c", BET), chips=445), page())

    assert "Q♥️" in seen(view)
    assert not [card for card in ("J♠", "10♦", "8♣") if card in seen(view)]
    assert {key.tap.numbers for row in view.keys for key in row if key.tap} == {()}


def test_boards_3_4_dealer_does_not_qualify() -> None:
    looks(
        scene(settled("Qh 6c 4d", "Js Td 8c", BET, Decision.PLAY), chips=520),
        """
Ann · 520 chips (+20)

You: Q♥️  6♣️  4♦️ · queen high
Dealer: J♠️  10♦️  8♣️ · jack high, does not qualify

Ante 25: +25
Play 25: comes back
Pair Plus 5: −5, no pair
Tonight: 12 hands, +20 ▃▃▁▄█
🔓 hand 4821 · next 🔒 9c1e 07a2 55d0 1b3f
[Change bet] [Cash out]
[Proof] [Hands]
[Deal 30]
""",
    )


def test_boards_3_5_bonuses_are_explained_on_a_lost_hand() -> None:
    looks(
        scene(settled("4d 3h 2s", "9c 8d 7d", Wager(ante=25, pair_plus=25), Decision.PLAY), chips=625, path=()),
        """
Ann · 625 chips (+125)

You: 4♦️  3♥️  2♠️ · straight
Dealer: 9♣️  8♦️  7♦️ · straight, wins

Ante 25: −25
Play 25: −25
Ante bonus, straight 1 to 1: +25
Pair Plus 25, straight 6 to 1: +150
Tonight: 12 hands, +125
🔓 hand 4821 · next 🔒 9c1e 07a2 55d0 1b3f
[Change bet] [Cash out]
[Proof] [Hands]
[Deal 50]
""",
    )


def test_boards_3_5_folded_and_what_it_gave_away() -> None:
    looks(
        scene(settled("Kh 9c 4d", "As 9d 4c", BET, Decision.FOLD), chips=470, path=()),
        """
Ann · 470 chips (−30)

You: K♥️  9♣️  4♦️ · folded
Dealer had: A♠️  9♦️  4♣️ · ace high

Ante 25: −25
Pair Plus 5: −5, lost with the fold
Folding gave away 16.55 chips (K-9-4 is a hand to play).
Tonight: 12 hands, −30
🔓 hand 4821 · next 🔒 9c1e 07a2 55d0 1b3f
[Change bet] [Cash out]
[Proof] [Hands]
[Deal 30]
""",
    )


@pytest.mark.parametrize(
    "player, called",
    [
        pytest.param("Kh 9c 4d", "(K-9-4 is a hand to play)", id="ranks say all of a high card"),
        pytest.param("Qh 7h 3h", "(flush Q-7-3 is a hand to play)", id="they do not tell a flush"),
        pytest.param("Th Tc 5d", "(pair of tens 10-10-5 is a hand to play)", id="a pair is called by its name"),
    ],
)
def test_a_hand_that_should_have_been_played_is_called_by_what_it_is(player: str, called: str) -> None:
    value = scene(settled(player, "As 9d 4c", BET, Decision.FOLD), chips=470)

    assert called in solo.board(value, page()).text


def test_what_a_choice_gave_away_is_no_line_in_a_group() -> None:
    value = scene(settled("Kh 9c 4d", "As 9d 4c", BET, Decision.FOLD), chips=470, chat=GROUP)

    assert "gave away" not in solo.board(value, page(private=False)).text
    assert "gave away 16.55" in tapped(value, Verb.FOLD, page(private=False))


def test_boards_3_6_cash_out_asks_once() -> None:
    state = settled("Qh 6c 4d", "Js Td 8c", BET, Decision.PLAY)
    looks(
        scene(state, chips=640, face=Face.LEAVING),
        """
Ann · 640 chips

Cash out? The chips you have become your score.
🔓 hand 4821 · next 🔒 9c1e 07a2 55d0 1b3f
[Yes, leave with 640] [Keep playing]
[Deal 30]
""",
    )


def test_boards_3_6_the_night_is_told() -> None:
    looks(
        ended(scene(Betting(wager=BET), chips=640, face=Face.LEFT, chat=GROUP), SUMMARY, chips=640),
        """
Ann leaves with 640 chips 🏁
31 hands · place 2 this week in Poker Friends
The cards gave +151, your choices −11.
Best hand: 9♥️  9♦️  9♠️
▁▂█
[Deal: a new night]
[Top five] [Picture]
""",
    )


def test_broke_the_last_hand_stands() -> None:
    last = scene(settled("Jh 7c 2d", "Ks 9d 4c", Wager(ante=5), Decision.PLAY), chips=5)
    view = seen(solo.board(ended(last, SUMMARY, chips=5, ending=Ending.BROKE), page()))

    assert view.startswith("Ann · 5 chips (−10)\n")
    assert "5 chips: the night is over. The smallest hand needs 10." in view
    assert "Dealer: K♠️  9♦️  4♣️ · king high, wins" in view
    assert view.endswith("\n[Deal: a new night]\n[Top five] [Picture]")


def test_boards_3_6_who_is_broke_by_a_hand_at_a_table_does_not_leave() -> None:
    last = scene(Betting(wager=BET), chips=5, face=Face.LEFT, chat=GROUP)
    over = ended(last, SUMMARY, chips=5, ending=Ending.BROKE)

    for view in (solo.board(over, page()), night_end.farewell(over, page(private=False))):
        assert seen(view).startswith("Ann · 5 chips\n5 chips: the night is over. The smallest hand needs 10.\n31 hands")


@pytest.mark.parametrize(
    "verb, expected",
    [
        pytest.param(Verb.ADD, "Ante 25, Pair Plus 5. 470 left, 25 of them for Play.", id="a chip: the bet"),
        pytest.param(Verb.CHIP, "Chips of 25.", id="the tray: the chip"),
        pytest.param(Verb.CHANGE_BET, "Ante 25, Pair Plus 5. 470 left, 25 of them for Play.", id="change bet: the bet"),
        pytest.param(Verb.CASH_OUT, "Leave with 500?", id="cash out: the question"),
        pytest.param(Verb.KEEP, "You have 500 chips.", id="keep playing: the chips"),
        pytest.param(
            Verb.REPEAT,
            "Repeat: on. Ante 25, Pair Plus 5. 470 left, 25 of them for Play.",
            id="repeat: on or off, and the bet",
        ),
        pytest.param(Verb.DESIGN, "Cards: Q♥️  6♣️  4♦️", id="designs: a sample"),
    ],
)
def test_boards_rule_4_bet_toasts(verb: Verb, expected: str) -> None:
    assert tapped(scene(Betting(wager=BET), chips=500, face=Face.BET), verb, page()) == expected


def test_boards_rule_4_toast_on_deal() -> None:
    value = scene(dealt("6c Qh 4d", "Js Td 8c", BET), chips=445)

    assert tapped(value, Verb.DEAL, page()) == "Q♥️  6♣️  4♦️ · queen high. Play 25 or fold?"


def test_boards_rule_4_toast_on_play() -> None:
    value = scene(settled("Qh 6c 4d", "Js Td 8c", BET, Decision.PLAY), chips=520)

    assert tapped(value, Verb.PLAY, page()) == "Dealer J♠️  10♦️  8♣️ does not qualify. +20, you have 520."


def test_hint_says_what_play_and_fold_are_worth() -> None:
    state = dealt("6c Qh 4d", "Js Td 8c", BET)

    assert hint_alert(state, hint(state.player, SELMINHA), SELMINHA, page()) == (
        "PLAY. On average: play −24.83, fold −25.00 chips. Dealer does not qualify 31.3 %, you win 1.7 %, tie 0.1 %, "
        "lose 67.0 %. Pair Plus 5 is lost either way."
    )


def test_boards_6_words_design() -> None:
    looks(
        scene(dealt("6c Qh 4d", "Js Td 8c", BET), chips=445),
        """
Ann. 470 chips, 30 in play.

Your cards: queen of hearts, 6 of clubs, 4 of diamonds. Queen high. (Q, 6, 4.)
The dealer has three cards face down.

Ante 25, Pair Plus 5.
Seal 630d cd29 66c4 3366.
Type play, fold or hint.
[Play 25] [Fold]
[Hint] [Hands]
""",
        Design.WORDS,
    )


def test_boards_6_the_result_comes_first_in_words() -> None:
    value = scene(settled("Qh 6c 4d", "Js Td 8c", BET, Decision.PLAY), chips=520)

    assert solo.board(value, page(Design.WORDS)).text.startswith("Plus 20. You have 520 chips.")


def test_boards_rule_9_the_whole_commitment_stands_before_the_bet() -> None:
    for value in (
        scene(Betting(wager=BET), chips=500, face=Face.BET),
        scene(dealt("6c Qh 4d", "Js Td 8c", BET), chips=445),
    ):
        assert f"https://t.me/q64_local_bot?start={COMMITMENT}" in solo.board(value, page()).text


def test_keys_name_what_they_do_in_full() -> None:
    view = solo.board(scene(settled("Qh 6c 4d", "Js Td 8c", BET, Decision.PLAY), chips=520), page())
    deal = view.keys[-1][0]

    assert deal.tap == Tap(verb=Verb.DEAL, board=7, round=4822, numbers=(25, 5, 0))


@pytest.mark.parametrize("face", [Face.PROOF, Face.HANDS, Face.LEAVING])
def test_boards_rule_3_deal_keeps_its_place_under_a_page_and_its_seal_stays_with_it(face: Face) -> None:
    """A second tap on Back or Keep playing must not land on Deal."""
    after = scene(settled("Qh 6c 4d", "Js Td 8c", BET, Decision.PLAY), chips=520)
    board, turned = (
        solo.board(replace(after, board=replace(after.board, face=shown)), page()) for shown in (Face.CARDS, face)
    )

    assert turned.keys[-1] == board.keys[-1]
    assert [key.label for key in board.keys[-1]] == ["Deal 30"]
    assert len(turned.keys) == 2
    assert after.following is not None
    assert f"start={after.following.commitment}" in turned.text


def test_a_page_over_cards_in_play_has_no_deal() -> None:
    value = scene(dealt("6c Qh 4d", "Js Td 8c", BET), chips=445, face=Face.HANDS)

    assert [[key.label for key in row] for row in solo.board(value, page()).keys] == [["Back"]]


def test_deal_is_there_only_if_it_would_be_accepted() -> None:
    enough = scene(Betting(wager=Wager(ante=100)), chips=200, face=Face.BET)
    short = scene(Betting(wager=Wager(ante=100)), chips=199, face=Face.BET)

    assert "[Deal 100]" in seen(solo.board(enough, page()))
    assert "Deal" not in seen(solo.board(short, page()))


def test_a_table_with_the_six_card_bonus_has_one_row_more() -> None:
    value = scene(Betting(wager=BET), chips=500, face=Face.BET, rules=preset("six-card"))

    assert "[6-Card Bonus −25] [6-Card Bonus +25]" in seen(solo.board(value, page()))


def test_a_table_without_pair_plus_has_one_row_less() -> None:
    value = scene(Betting(wager=Wager(ante=25)), chips=500, face=Face.BET, rules=merged({"pair_plus": None}))

    assert "Pair Plus" not in seen(solo.board(value, page()))


@pytest.mark.parametrize("note", [NotChips(), HandInPlay(), BetTooSmall("ante", 4, 5)])
@pytest.mark.parametrize("design", Design)
def test_every_mock_up_is_under_600_characters(design: Design, note: Exception) -> None:
    bet = Wager(ante=100, pair_plus=100)
    for value in (
        scene(Betting(wager=bet), chips=500, face=Face.BET, note=note),
        scene(dealt("6c Qh 4d", "Js Td 8c", bet), chips=300, note=note),
        scene(settled("Qh Jh Th", "Ks Qd Jc", bet, Decision.PLAY), chips=9_999, note=note),
    ):
        text = re.sub(r"<[^>]+>", "", solo.board(value, page(design)).text)
        assert len(text) < 600, text
