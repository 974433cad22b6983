"""What people type: amounts, words for keys, edits, other bots' commands, and names of every kind."""

from __future__ import annotations

import pytest

from core.solo import Betting
from tests.journeys.house import FRIENDS, Evening, Somebody

LETTER = "\N{GRINNING FACE}" * 2_500  # ten kilobytes


async def bet(evening: Evening, who: Somebody, at: int | None = None) -> tuple[int, int]:
    state = (await evening.round(who, at)).state
    assert isinstance(state, Betting)
    return state.wager.ante, state.wager.pair_plus


# Amounts that people type, F68


@pytest.mark.parametrize(
    "text,wager",
    [
        pytest.param("/deal 25 5", (25, 5), id="ante and pair plus"),
        pytest.param("/deal ٢٥", (25, 0), id="arabic-indic digits"),
        pytest.param("/deal २५ ५", (25, 5), id="devanagari digits"),
        pytest.param("/deal  25\n5 ", (25, 5), id="spaces of any kind"),
        pytest.param("/DEAL@Q64_local_BOT 25", (25, 0), id="by name, in capitals"),
        pytest.param("/deal 25 0", (25, 0), id="nothing on pair plus"),
    ],
)
async def test_f68_amounts_are_read(evening: Evening, ann: Somebody, text: str, wager: tuple[int, int]) -> None:
    await ann.says(text, FRIENDS)
    assert await bet(evening, ann, FRIENDS) == wager
    assert "Note:" not in ann.board(FRIENDS).text


WRONG = [
    pytest.param("7", "Ante goes in steps of 5.", id="7"),
    pytest.param("-5", "Say it in whole chips, like /deal 25 5.", id="-5"),
    pytest.param("1e3", "Say it in whole chips, like /deal 25 5.", id="1e3"),
    pytest.param("1_000", "Say it in whole chips, like /deal 25 5.", id="1_000"),
    pytest.param("²", "Say it in whole chips, like /deal 25 5.", id="superscript two"),
    pytest.param("2.5", "Say it in whole chips, like /deal 25 5.", id="half a chip"),
    pytest.param("25\u200b", "Say it in whole chips, like /deal 25 5.", id="zero width space"),
    pytest.param("9" * 4000, "Say it in whole chips, like /deal 25 5.", id="four thousand nines"),
    pytest.param("999999999", "Ante ends at 100. Tap Max for the most.", id="a milliard"),
    pytest.param("0", "Ante begins at 5.", id="nothing"),
    pytest.param("0 5", "This table asks for an Ante of 5 or more.", id="pair plus alone"),
    pytest.param("100 200", "Pair Plus ends at 100. Tap Max for the most.", id="too much on pair plus"),
    pytest.param("25 5 5", "Say it like /deal 25 5: the Ante, then Pair Plus.", id="three numbers"),
    pytest.param("bet it all", "Say it in whole chips, like /deal 25 5.", id="three words"),
    pytest.param(LETTER[:2000], "Say it in whole chips, like /deal 25 5.", id="eight kilobytes"),
]


@pytest.mark.parametrize("words,sentence", WRONG)
@pytest.mark.parametrize("at", [pytest.param(None, id="private"), pytest.param(FRIENDS, id="group")])
async def test_a_bad_amount_opens_the_board_empty_with_one_note(
    evening: Evening, ann: Somebody, at: int | None, words: str, sentence: str
) -> None:
    sent = await ann.hears(f"/deal {words}", at)

    assert len(sent) == 1
    assert [line for line in sent[0].lines if line.startswith("Note:")] == [f"Note: {sentence}"]
    assert not any(label.startswith("Deal") for label in sent[0].labels)
    assert await bet(evening, ann, at) == (0, 0)
    assert (await evening.seat(ann, at)).chips == 500
    assert await evening.count("SELECT COUNT(*) AS n FROM movements") == 1  # the buy-in


@pytest.mark.parametrize("words,sentence", WRONG)
async def test_a_bad_amount_with_a_board_near_sends_nothing_new_into_the_group(
    evening: Evening, ann: Somebody, words: str, sentence: str
) -> None:
    await ann.says("/deal", FRIENDS)
    assert await ann.hears(f"/deal {words}", FRIENDS) == []
    assert f"Note: {sentence}" in ann.board(FRIENDS).lines
    await ann.taps("Ante +25" if "Ante +25" in ann.board(FRIENDS).labels else "Change bet", FRIENDS)
    assert "Note:" not in ann.board(FRIENDS).text


async def test_a_bet_over_the_stack_says_what_would_do(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 100 100")
    await ann.taps("Deal 200")
    await ann.says("fold")  # 300 left
    await ann.says("/deal 100 50")
    await ann.taps("Deal 150")
    await ann.says("fold")
    before = await evening.seat(ann)
    assert before.chips == 150

    await ann.says("/deal 100")

    assert "Note: With 150 chips the Ante can be 75 at most: Play needs as much again." in ann.board().lines
    assert await evening.seat(ann) == before
    assert await bet(evening, ann) == (0, 0)


async def test_a_typed_bet_in_the_middle_of_a_hand_shows_the_hand(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    await ann.taps("Deal 25")
    before = await evening.books()
    await ann.says("/deal 50 5")
    assert "Note: Finish this hand first: Play or Fold." in ann.board().lines
    assert ann.board().labels == ["Play 25", "Fold", "Hint", "Hands"]
    assert await evening.books() == before
    await ann.taps("Fold")
    assert ann.board().labels[-1] == "Deal 25"


# Words that are nobody's command


async def test_ten_kilobytes_get_one_sentence_in_private_and_nothing_in_a_group(
    evening: Evening, ann: Somebody
) -> None:
    [answer] = await ann.hears(LETTER)
    assert answer.text == "I did not get that. /deal opens your board, /help tells the rest."
    await ann.says("/deal", FRIENDS)
    before = ann.sees(FRIENDS)
    await ann.says(LETTER, FRIENDS)
    await ann.says(LETTER, FRIENDS, reply=ann.board(FRIENDS))
    assert ann.sees(FRIENDS) == before


async def test_an_unknown_command_is_answered_in_private_only(ann: Somebody) -> None:
    [answer] = await ann.hears("/foo")
    assert answer.text.startswith("I did not get that.")
    assert await ann.hears("/foo", FRIENDS) == []


async def test_f64_a_command_for_another_bot_is_none_of_ours(evening: Evening, ann: Somebody) -> None:
    assert await ann.hears("/deal@OtherGameBot 25", FRIENDS) == []
    assert await ann.hears("/deal@OtherGameBot 25") == []
    assert await evening.count("SELECT COUNT(*) AS n FROM seats") == 0


async def test_f62_editing_an_old_command_does_nothing(evening: Evening, ann: Somebody) -> None:
    number = await ann.says("/deal 25 5", FRIENDS)
    before, seen = await evening.books(), ann.sees(FRIENDS)
    evening.people.edit_message(ann.id, FRIENDS, number, "/deal 100")
    await evening.goes_on()
    assert (await evening.books(), ann.sees(FRIENDS)) == (before, seen)


async def test_commands_that_need_a_seat_say_so(evening: Evening, ann: Somebody) -> None:
    for command, sentence in (
        ("/cashout", "You are not at the table. /deal sits you down."),
        ("/hint", "No hand is in play. /deal opens the betting board."),
        ("play", "You are not at the table. /deal sits you down."),
    ):
        [answer] = await ann.hears(command)
        assert answer.text == sentence
    number = await ann.says("/cashout", FRIENDS)
    assert ann.sees(FRIENDS) == []
    assert evening.reactions(FRIENDS, number) == ("🤷",)


# Where the board stands (BOARDS rule 12 and section 8)


async def test_deal_on_a_near_unchanged_board_in_a_group_is_a_nod(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    board = ann.board(FRIENDS)
    number = await ann.says("/deal", FRIENDS)
    assert evening.reactions(FRIENDS, number) == ("👌",)
    assert ann.sees(FRIENDS) == [board]


async def test_a_board_far_up_comes_down_and_its_old_keys_go(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    old = ann.board(FRIENDS)
    for _ in range(16):
        await bob.says("so it goes", FRIENDS)
    await ann.says("/deal", FRIENDS)

    new = ann.board(FRIENDS)
    assert new.id > old.id
    assert (new.text, new.labels) == (old.text, old.labels)
    assert ann.message(old).rows == ()
    await ann.taps("Deal 25", FRIENDS)
    assert ann.board(FRIENDS).id == new.id


async def test_a_typed_word_in_private_brings_the_board_down(ann: Somebody) -> None:
    await ann.says("/deal 25")
    first = ann.board()
    await ann.says("deal")
    second = ann.board()
    assert second.id > first.id
    assert second.labels == ["Play 25", "Fold", "Hint", "Hands"]
    assert ann.message(first).rows == ()


@pytest.mark.parametrize("word", ["play", "Play", "J", "j", "PLAY!"])
async def test_play_is_typed(evening: Evening, ann: Somebody, word: str) -> None:
    await ann.says("/deal 25")
    await ann.says("deal")
    await ann.says(word)
    assert "Play 25: " in ann.board().text
    assert (await evening.seat(ann)).round_id == 2


@pytest.mark.parametrize("word", ["fold", "X", "x", "Fold."])
async def test_fold_is_typed(evening: Evening, ann: Somebody, word: str) -> None:
    await ann.says("/deal 25")
    await ann.says("Deal")
    await ann.says(word)
    assert ann.board().first == "Ann · 475 chips (−25)"


@pytest.mark.parametrize("word", ["hint", "H", "/hint"])
async def test_hint_is_typed_in_private(ann: Somebody, word: str) -> None:
    await ann.says("/deal 25")
    await ann.says("deal")
    [answer] = await ann.hears(word)
    assert answer.text.startswith(("PLAY. On average:", "FOLD. On average:"))
    assert ann.board().labels == ["Play 25", "Fold", "Hint", "Hands"]


async def test_words_count_in_a_group_only_as_replies_to_the_bot(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    before = await evening.books()
    await ann.says("deal", FRIENDS)
    await ann.says("@q64_local_bot deal", FRIENDS)
    assert await evening.books() == before

    board = ann.board(FRIENDS)
    await ann.says("deal", FRIENDS, reply=board)
    assert ann.board(FRIENDS).labels == ["Play 25", "Fold", "Hint", "Hands"]
    assert await ann.hears("hint", FRIENDS, reply=board) == []
    assert "Note: Tap Hint on your board: only you will see the answer." in ann.board(FRIENDS).lines
    await ann.says("J", FRIENDS, reply=board)
    assert "Play 25: " in ann.board(FRIENDS).text
    assert ann.board(FRIENDS).id == board.id


async def test_a_word_on_somebody_elses_board_moves_ones_own_hand(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await ann.says("/deal 25", FRIENDS)
    await ann.taps("Deal 25", FRIENDS)
    before = await evening.books()
    number = await bob.says("fold", FRIENDS, reply=ann.board(FRIENDS))
    assert await evening.books() == before
    assert evening.reactions(FRIENDS, number) == ("🤷",)


async def test_clear_and_repeat_are_typed(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25 5")
    await ann.says("clear")
    assert await bet(evening, ann) == (0, 0)
    await ann.says("/deal 10")
    await ann.says("deal")
    await ann.says("fold")
    await ann.says("clear")
    assert await bet(evening, ann) == (0, 0)
    await ann.says("repeat")
    await ann.says("repeat")
    assert (await evening.round(ann)).id == 2


@pytest.mark.parametrize("word", ["play", "fold"])
async def test_a_word_without_a_hand_moves_nothing(evening: Evening, ann: Somebody, word: str) -> None:
    await ann.says("/deal 25")
    before = await evening.books()
    await ann.says(word)
    assert "Note: No hand is in play. /deal opens the betting board." in ann.board().lines
    assert await evening.books() == before


# Identities without a person (F03, F05)


@pytest.mark.parametrize("face", ["admin", "channel", "linked"])
@pytest.mark.parametrize("text", ["/deal 25", "/cashout", "/start"])
async def test_f03_f05_nobody_in_particular_gets_no_seat(evening: Evening, ann: Somebody, face: str, text: str) -> None:
    number = evening.people.anonymous(ann.id, FRIENDS, text, face=face)
    await evening.goes_on()
    assert ann.sees(FRIENDS) == []
    assert evening.reactions(FRIENDS, number) == (() if face == "linked" else ("🤷",))
    assert await evening.count("SELECT COUNT(*) AS n FROM seats") == 0


async def test_f03_the_taps_of_an_anonymous_admin_play_the_own_seat(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    evening.people.anonymous(ann.id, FRIENDS, "/deal 100")
    await evening.goes_on()
    assert await bet(evening, ann, FRIENDS) == (25, 0)
    await ann.taps("Deal 25", FRIENDS)
    assert (await evening.seat(ann, FRIENDS)).chips == 450


# Names (F43 to F47)


NAMES = [
    pytest.param({"first_name": '<b>Ann</b> & "Co"'}, '<b>Ann</b> & "Co"', id="F44 html"),
    pytest.param({"first_name": "Tom & Jerry"}, "Tom & Jerry", id="F45 not escaped twice"),
    pytest.param({"first_name": "\u202emoor ht1w"}, "moor ht1w", id="F46 direction override"),
    pytest.param({"first_name": "آن"}, "آن", id="F46 right to left"),
    pytest.param({"first_name": "A\u200bn\u2060n"}, "Ann", id="F46 zero width"),
    pytest.param({"first_name": "Z" + "\u0301" * 60}, "\u0179", id="F47 stacked marks"),
    pytest.param({"first_name": "Ann\nBob · 9999 chips"}, "Ann", id="line break"),
]


@pytest.mark.parametrize("facts,shown", NAMES)
async def test_f44_to_f47_names_stand_on_boards_and_in_the_top_five(
    evening: Evening, ann: Somebody, facts: dict[str, str], shown: str
) -> None:
    who = evening.guest(**facts)
    [board] = await who.hears("/deal 25", FRIENDS)
    assert board.first.startswith(shown)
    assert board.first.endswith(" · 500 chips")
    assert len(board.lines) == 6
    assert not any(0x202A <= ord(char) <= 0x202E for char in board.text)
    await who.taps("Deal 25", on=board)
    await who.taps("Fold", on=who.message(board))
    await who.says("/cashout", FRIENDS)
    [top] = await ann.hears("/top", FRIENDS)
    assert top.lines[1].startswith(f"1. {shown}")
    assert top.lines[1].endswith(" · 475")
    assert [line for line in top.lines if "475" in line] == [top.lines[1]]


@pytest.mark.parametrize("name", ["", "\u200b\u200b", "\u3164", "\u2800", "\u202e"])
async def test_f43_a_nameless_person_still_has_a_name_on_the_board(evening: Evening, name: str) -> None:
    who = evening.guest(name)
    [board] = await who.hears("/deal 25", FRIENDS)
    assert board.first.partition(" · ")[0].strip()
    toast = await evening.bob.taps("Deal 25", on=board)
    assert toast.text.endswith("board. /deal opens yours.")


async def test_f47_the_longest_name_leaves_the_board_readable(evening: Evening) -> None:
    who = evening.guest("W" * 64, last_name="M" * 64)
    [board] = await who.hears("/deal 25", FRIENDS)
    assert len(board.first) < 64
    toast = await evening.bob.taps("Deal 25", on=board)
    assert "board. /deal opens yours." in toast
