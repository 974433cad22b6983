"""The group table as people see it: BOARDS section 4, stage by stage, and the toasts that only one person reads."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.facts import Design, Verb
from bot.options import Banker, options_of, with_options
from bot.tables import TableBoard, TableTold
from bot.views import table
from bot.views.kit import TOAST_LENGTH, length
from bot.views.table_toasts import tapped
from core import table_moves as moves
from core.rules import Spot
from core.settlement import Decision
from core.table import Betting, Deciding, House, Offered, Player, Showdown, Table, Wish, player_of
from tests.bot import scenes
from tests.bot.scenes import page
from tests.bot.tables import (
    ANN,
    BOB,
    CALIFORNIA,
    CY,
    DEE,
    EVE,
    FAY,
    GROUP,
    NAMES,
    banked,
    bet,
    board,
    dealt,
    decided,
    replace_stage,
    seated,
    stacks,
    timed,
)

PLAY, FOLD = Decision.PLAY, Decision.FOLD
EXAMPLE = ("5h 6c 7d", "Qh 8c 2d", "Jd 7s 2h", "8s 8d 3c", "Qs 9d 4c")
LONG = dict.fromkeys(NAMES, "W" * 64)


def seen(value: TableBoard, design: Design = Design.CLASSIC) -> str:
    return scenes.seen(table.board(value, page(design, private=False)))


def looks(value: TableBoard, expected: str, design: Design = Design.CLASSIC) -> None:
    assert seen(value, design) == expected.strip()


def betting() -> Table:
    """Bob banks 300; Cy and Dee are ready, Ann sits out."""
    six = bet(banked(seated(ANN, BOB, CY, DEE, EVE, FAY), BOB, 300), cy=(10, 5), dee=(25, 0))
    return timed(moves.sit_out(six, ANN, stacks=stacks(six)))


def deciding() -> Table:
    return decided(dealt(bet(betting(), eve=(25, 0), fay=(25, 0)), *EXAMPLE), cy=FOLD, dee=PLAY)


def showdown(bank: int = 100) -> Table:
    """The worked example of RULES section 3; Eve banks."""
    five = banked(seated(EVE, ANN, BOB, CY, DEE, rules=CALIFORNIA), EVE, bank)
    five = dealt(bet(five, ann=(20, 10), bob=(30, 0), cy=(10, 5), dee=(25, 10)), *EXAMPLE)
    return decided(five, ann=PLAY, bob=PLAY, cy=FOLD, dee=PLAY)


def unbanked() -> Table:
    two = seated(ANN, BOB)
    two = moves.start(two, ANN, stacks=stacks(two)).table
    two = moves.pass_bank(two, ANN, stacks=stacks(two)).table
    return timed(moves.pass_bank(two, BOB, stacks=stacks(two)))


# The message


def test_boards_4_people_gather() -> None:
    looks(
        board(seated(ANN, BOB, CY), bob=620, cy=480),
        """
Table in Poker Friends
Ann 500 · Bob 620 · Cy 480
5 seats free. Two people can begin.
[Sit] [Leave]
[Start]
""",
    )


def test_boards_4_a_stuck_table_says_so_and_keeps_the_key_that_helps() -> None:
    looks(
        board(seated(ANN)),
        """
Table in Poker Friends
Only Ann is here.
7 seats free.
[Sit] [Close]
""",
    )
    looks(
        board(unbanked(), ann=620),
        """
Table · hand 7 · 🟦
Nobody wants the bank.
The table closes at 21:04:40 if it stays so.
[Bank 100] [House banks]
""",
    )


def test_boards_4_the_bank_is_offered_in_three_sizes() -> None:
    three = seated(BOB, ANN, CY)
    looks(
        board(timed(moves.start(three, BOB, stacks=stacks(three))), bob=620),
        """
Table · hand 7 · 🟦
🏦 Offered to Bob, until 21:04:40
Two hands; a bank never loses more than it puts up.
[Bank 100] [Bank 300] [Bank all 620]
[Pass]
""",
    )


BETS = """
Table · hand 7 · 🟦
🏦 Bob banks 300 (first of two hands)

Cy: Ante 10, Pair Plus 5 · ready
Dee: Ante 25 · ready
Eve: betting
Fay: betting
Ann: sits out
Until 21:04:40, or all ready
🔒 630d cd29 66c4 3366
[Ante −5] [Pair Plus −5]
[Ante +5] [Ante +25] [Ante +100]
[Pair Plus +5] [Pair Plus +25] [Clear]
[Same bet] [Ready]
"""


def test_boards_4_bets() -> None:
    looks(board(betting()), BETS)


def test_a_bet_that_is_being_built_changes_no_picture() -> None:
    building = moves.add_chip(betting(), EVE, Spot.ANTE, 25, stack=500).table
    looks(board(building), BETS)


def test_boards_4_decisions() -> None:
    looks(
        board(deciding()),
        """
Table · hand 7 · 🟦
🏦 Bob 🎴🎴🎴 banks 300

Cy 🎴🎴🎴 folded
Dee 🎴🎴🎴 plays
Eve 🎴🎴🎴 thinking
Fay 🎴🎴🎴 thinking
Until 21:04:40; then the hint plays for you
🔒 630d cd29 66c4 3366
[Play] [Fold]
[My cards] [Hint]
""",
    )


def test_boards_4_showdown_of_the_worked_example() -> None:
    looks(
        board(showdown()),
        """
Table · hand 7 · 🟦 · showdown
🏦 Eve: Q♠️  9♦️  4♣️ · queen high, qualifies

Ann 7♦️  6♣️  5♥️ straight · +120
Bob Q♥️  8♣️  2♦️ queen high · −60
Cy J♦️  7♠️  2♥️ folded · −15
Dee 8♠️  8♦️  3♣️ pair of eights · +55 (of 60: the bank is empty)
🏦 Eve −100, and may bank once more; then Ann is asked.
Ann: Ante +20, Play +20, Ante bonus +20, Bonus +60
Bob: Ante −30, Play −30
Cy: Ante −10, Bonus −5
Dee: Ante +25, Play +25, Bonus +5
Next hand at 21:04:40, or when all have tapped
🔓 hand 900000007 · next 🔒 9c1e 07a2 55d0 1b3f
[Leave] [Sit out]
[Proof]
[Same bet] [Other bet]
""",
    )
    assert "<blockquote expandable>" in table.board(board(showdown()), page(private=False)).text


@pytest.mark.parametrize(
    "bank, line",
    [
        pytest.param(
            500, "🏦 Eve −105, and may bank once more; then Ann is asked.", id="RULES 3: a bank that is enough"
        ),
        pytest.param(20, "🏦 Eve −20, and may bank once more; then Ann is asked.", id="RULES 3: a bank of 20"),
    ],
)
def test_rules_3_the_bank_loses_no_more_than_it_put_up(bank: int, line: str) -> None:
    assert line in seen(board(showdown(bank)))


def test_rules_3_what_the_bank_could_not_take_is_said() -> None:
    five = banked(seated(EVE, BOB, CY, rules=CALIFORNIA), EVE, 50)
    five = dealt(bet(five, bob=(30, 0), cy=(10, 5)), "Qh 8c 2d", "Jd 7s 2h", "As Ad 4c")
    text = seen(board(decided(five, bob=PLAY, cy=FOLD)))

    assert "Bob Q♥️  8♣️  2♦️ queen high · −50 (of −60: the bank takes no more)" in text
    assert "Cy J♦️  7♠️  2♥️ folded · 0 (of −15: the bank takes no more)" in text
    assert "Cy: all comes back" in text


def test_boards_6_words_are_sentences_and_nothing_is_said_by_signs() -> None:
    looks(
        board(betting()),
        """
Table, hand 7, blue backs.
Bank: Bob banks 300 (first of two hands).

Cy: Ante 10, Pair Plus 5, ready.
Dee: Ante 25, ready.
Eve: betting.
Fay: betting.
Ann: sits out.
Until 21:04:40, or all ready.
Seal 630d cd29 66c4 3366.
[Ante, 5 less] [Pair Plus, 5 less]
[Ante, 5 more] [Ante, 25 more] [Ante, 100 more]
[Pair Plus, 5 more] [Pair Plus, 25 more] [Clear]
[Same bet] [Ready]
""",
        Design.WORDS,
    )
    told = seen(board(showdown()), Design.WORDS)
    assert "Ann: plus 120. Straight. 7 of diamonds, 6 of clubs, 5 of hearts." in told
    assert "Dee: Ante: plus 25, Play: plus 25, Bonus: plus 5.\n" in told
    assert not {*"🏦🟦🎴🔒▸·"} & {*told}


def test_cal_two_decks_alternate_hand_by_hand() -> None:
    backs = [
        seen(board(replace_stage(seated(ANN, BOB, hand=hand), Offered(user=ANN)))).split("\n")[0] for hand in (1, 2, 3)
    ]

    assert [back[-1] for back in backs] == ["🟦", "🟥", "🟦"]


def test_the_deadline_is_told_by_the_groups_clock() -> None:
    kyiv = replace(GROUP, time_zone="Europe/Kyiv")

    assert "Until 23:04:40, or all ready" in seen(board(betting(), kyiv))
    assert "Until all are ready" in seen(board(replace(betting(), deadline=None)))


def test_the_house_banks_where_the_group_says_so() -> None:
    chat = with_options(GROUP, replace(options_of(GROUP), bank=Banker.HOUSE))
    two = seated(ANN, BOB, house=House.ALWAYS)
    two = timed(moves.start(two, ANN, stacks=stacks(two)))
    assert isinstance(two.stage, Betting)
    assert seen(board(two, chat)).split("\n")[1] == "🏦 The house banks"

    over = decided(dealt(bet(two, ann=(25, 0), bob=(25, 0)), "5h 6c 7d", "Qh 8c 2d", "Qs 9d 4c"), ann=PLAY, bob=PLAY)
    assert "🏦 The house: Q♠️  9♦️  4♣️ · queen high, qualifies" in seen(board(over, chat))
    assert "🏦 The house −25" in seen(board(over, chat)).split("\n")


def test_the_absent_are_marked_auto_and_a_place_given_up_is_told() -> None:
    three = banked(seated(EVE, ANN, BOB), EVE, 300)
    three = replace(three, seats=tuple(replace(seat, absences=1) for seat in three.seats))
    three = dealt(bet(three, ann=(25, 0)), "Qh 8c 2d", "Qs 9d 4c")
    over = timed(moves.expire(three, stacks=stacks(three)))
    text = seen(board(over))

    assert "Ann Q♥️  8♣️  2♦️ queen high, auto · −50" in text
    assert "Ann was away twice: the seat is free." in text


def every_stage() -> list[Table]:
    two = seated(ANN, BOB)
    return [
        two,
        seated(*NAMES),
        timed(moves.start(two, ANN, stacks=stacks(two))),
        unbanked(),
        betting(),
        deciding(),
        showdown(),
        timed(moves.close(two)),
    ]


@pytest.mark.parametrize("design", Design)
def test_every_stage_is_within_telegrams_length_with_the_longest_names(design: Design) -> None:
    for stage in every_stage():
        assert length(table.board(board(stage, names=LONG), page(design, private=False)).text) <= 4096


def test_boards_4_every_mock_up_fits_on_a_phone() -> None:
    for stage in every_stage():
        text = re.sub(r"<[^>]+>", "", table.board(board(stage), page(private=False)).text)
        assert len(text) <= 600


def test_f32_every_payload_fits() -> None:
    for stage in every_stage():
        for row in table.board(board(stage), page(private=False)).keys:
            for key in row:
                assert key.tap is None or len(key.tap.pack()) <= 64


# F106: hidden cards


def test_f106_no_picture_before_the_showdown_shows_a_card() -> None:
    shown = [table.board(board(stage), page(private=False)) for stage in every_stage()[:6]]

    for view in shown:
        everything = view.text + "".join(key.label + key.url for row in view.keys for key in row)
        assert not re.search("[♠♥♦♣]", everything)


# Toasts


def told(
    stage: Table, seat: int, *, cards: Player | None = None, peeked: bool = False, turned: bool = False
) -> TableTold:
    return TableTold(board=board(stage), seat=seat, cards=cards, peeked=peeked, turned=turned)


def said(told_: TableTold, verb: Verb, design: Design = Design.CLASSIC) -> str:
    return tapped(told_, verb, page(design)).replace("\u2068", "").replace("\u2069", "")


def test_a_toast_names_a_key_as_it_reads_on_the_groups_table() -> None:
    building = moves.add_chip(betting(), EVE, Spot.ANTE, 25, stack=500).table
    reader, group = page(language="ru"), page()

    assert tapped(told(building, EVE), Verb.TABLE_ADD, reader, group.t).endswith("Нажмите «\u2068Ready\u2069».")
    assert tapped(told(building, EVE), Verb.TABLE_ADD, reader).endswith("Нажмите «Готово».")


def test_boards_4_a_chip_tells_the_bet_and_what_is_left() -> None:
    building = moves.add_chip(betting(), EVE, Spot.ANTE, 25, stack=500).table
    building = moves.add_chip(building, EVE, Spot.PAIR_PLUS, 5, stack=500).table

    assert said(told(building, EVE), Verb.TABLE_ADD) == "Ante 25, Pair Plus 5. 470 left. Tap Ready."
    assert said(told(betting(), EVE), Verb.TABLE_CLEAR) == "No bet on the table."


def test_boards_4_my_cards_is_an_alert_with_what_play_costs() -> None:
    stage = deciding()
    eve = player_of(stage, EVE)
    shown = said(told(stage, EVE, cards=eve, peeked=True), Verb.TABLE_CARDS)
    assert shown == "J♦️  7♠️  2♥️ · jack high. Ante 25. Play costs 25."

    first = said(told(stage, EVE, cards=eve, peeked=True), Verb.TABLE_PLAY)
    assert first.endswith("Play costs 25. Nothing is decided yet: tap again.")
    words = said(told(stage, EVE, cards=eve, peeked=True), Verb.TABLE_CARDS, Design.WORDS)
    assert words.startswith("Jack high: jack of diamonds, 7 of spades, 2 of hearts.")


def test_boards_4_play_repeats_the_cards_and_the_last_decision_tells_the_net() -> None:
    stage = deciding()
    dee = player_of(stage, DEE)
    assert said(told(stage, DEE, cards=dee), Verb.TABLE_PLAY).endswith("You play 25.")

    over = showdown()
    assert isinstance(over.stage, Showdown)
    last = over.stage.players[-1]
    assert said(told(over, DEE, cards=last, turned=True), Verb.TABLE_PLAY) == (
        "8♠️  8♦️  3♣️ · pair of eights. You play 25. +55, you have 500."
    )


def test_a_wish_is_told_for_what_it_is() -> None:
    over = showdown()
    wished = timed(moves.wish_next(over, ANN, Wish.SAME_BET, stacks=stacks(over)))
    ann = next(player for player in over.stage.players if player.user == ANN)  # type: ignore[union-attr]

    assert said(told(wished, ANN, cards=ann), Verb.TABLE_SAME_BET) == (
        "The same in the next hand, as soon as bets open: Ante 20, Bonus 10."
    )
    assert said(told(over, ANN, cards=ann), Verb.TABLE_OTHER_BET) == "You bet anew in the next hand."
    assert said(told(over, ANN, cards=ann), Verb.TABLE_SIT_OUT) == "You sit the next hand out."


@pytest.mark.parametrize("design", Design)
def test_f26_every_toast_is_short_enough(design: Design) -> None:
    for stage in (*every_stage(), replace(deciding(), closing=True)):
        for seat in (ANN, BOB, DEE):
            cards = None
            if isinstance(stage.stage, Deciding | Showdown):
                cards = next((player for player in stage.stage.players if player.user == seat), None)
            for verb in Verb:
                for turned in (False, True):
                    told_ = TableTold(
                        board=board(stage, names=LONG), seat=seat, cards=cards, peeked=not turned, turned=turned
                    )
                    assert length(tapped(told_, verb, page(design))) <= TOAST_LENGTH
