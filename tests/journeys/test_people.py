"""What people ask about themselves: privacy, their own data, being forgotten, and a break."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.solo import Dealt
from tests.journeys.house import FRIENDS, Evening, Somebody


def files(evening: Evening, at: int) -> list[dict[str, Any]]:
    """The JSON files that were sent into a chat, oldest first."""
    sent = [each.document for each in evening.world.messages.get(at, {}).values() if each.document is not None]
    contents = [evening.world.content(document["file_id"]) for document in sent]
    return [json.loads(content) for content in contents if content is not None]


async def test_privacy_is_told_anywhere_and_names_the_operator(evening: Evening, ann: Somebody) -> None:
    for at in (None, FRIENDS):
        (told,) = await ann.hears("/privacy", at)
        assert told.first == "Privacy"
        assert "/mydata sends you everything as a file; /forget erases it." in told.text
        assert "Play money only" in told.text
        assert told.lines[-1] == "This bot is run by @operator."


async def test_help_lists_what_people_can_do_about_their_data(evening: Evening, ann: Somebody) -> None:
    (told,) = await ann.hears("/help")
    assert {"/privacy", "/mydata", "/forget", "/break"} <= {line.split(" ")[0] for line in told.lines}


# /mydata


async def test_mydata_brings_one_file_without_the_secret_of_an_open_deal(evening: Evening, ann: Somebody) -> None:
    await ann.says("/start")
    await ann.taps("Deal 25")
    await ann.taps("Fold")
    await ann.taps("Deal 25")
    open_ = await evening.round(ann)

    await ann.says("/mydata")

    (told,) = files(evening, ann.id)
    assert told["person"]["id"] == ann.id
    assert [each["phase"] for each in told["rounds"]] == ["settled", "dealt"]
    assert open_.secret.hex() not in json.dumps(told)


async def test_mydata_comes_once_a_minute(evening: Evening, ann: Somebody) -> None:
    await ann.says("/mydata")
    assert ann.sees()[-1].text == "Nothing is stored about you."
    await ann.says("/start")
    await ann.says("/mydata")
    assert files(evening, ann.id) == []
    assert "Note: Your file was sent a moment ago: again in" in ann.board().text
    await evening.clock.advance(60)
    await ann.says("/mydata")
    assert len(files(evening, ann.id)) == 1


@pytest.mark.parametrize("command", ["/mydata", "/forget"])
async def test_in_a_group_ones_own_affairs_are_a_note_on_the_board_or_a_sign(
    evening: Evening, ann: Somebody, bob: Somebody, command: str
) -> None:
    await ann.says("/deal", FRIENDS)
    assert await ann.hears(command, FRIENDS) == []
    assert "Note: That is between you and me: say it in our private chat." in ann.board(FRIENDS).lines
    number = await bob.says(command, FRIENDS)
    assert evening.reactions(FRIENDS, number) == ("🤷",)
    assert files(evening, FRIENDS) == []


# /forget


async def test_forget_asks_first_and_no_keeps_everything(evening: Evening, ann: Somebody) -> None:
    await ann.says("/start")
    (question,) = await ann.hears("/forget")
    assert question.labels == ["Yes, erase everything", "No, keep it"]
    before = await evening.books()

    await ann.taps("No", on=question)

    assert ann.message(question).text == "Nothing was erased."
    assert ann.message(question).labels == []
    assert await evening.books() == before
    assert (await evening.seat(ann)).chips == 500


async def test_f128_forgotten_in_the_middle_of_a_hand(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    for person in (ann, bob):
        await person.says("/deal 25", FRIENDS)
        await person.taps("Deal 25", FRIENDS)
        await person.taps("Fold", FRIENDS)
        await person.says("/cashout", FRIENDS)
    await ann.says("/deal 25", FRIENDS)
    await ann.taps("Deal 25", FRIENDS)
    group_board = ann.board(FRIENDS)
    await ann.says("/start")
    private_board = ann.board()
    (question,) = await ann.hears("/forget")

    toast = await ann.taps("Yes", on=question)

    assert "Forgotten." in toast
    assert ann.message(question).text.startswith("Forgotten. Nothing that is kept tells any more who you were;")
    assert ann.message(question).labels == []
    for board in (group_board, private_board):
        assert ann.message(board).text == "This board is closed. /deal opens one of your own."
        assert ann.message(board).labels == []
    (top,) = await bob.hears("/top", FRIENDS)
    first, second = (line.split(" · ")[0] for line in top.lines[1:3])
    assert first.startswith("1. someone #")
    assert second == "1. Bob Silva"
    assert await evening.count("SELECT COUNT(*) AS n FROM people") == 1
    assert await evening.house.store.read(lambda tx: (tx.people.get(ann.id), tx.seats.of(ann.id))) == (None, [])


async def test_an_old_key_of_the_forgotten_is_a_dead_key(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    board = ann.board(FRIENDS)
    deal = board.payload("Deal 25")
    (question,) = await ann.hears("/forget")
    yes = question.payload("Yes")
    await ann.sends(yes, question)

    assert "no longer in use" in await ann.sends(deal, board)
    assert "Nothing is stored about you." in await ann.sends(yes, question)
    assert await evening.count("SELECT COUNT(*) AS n FROM people") == 0


async def test_whoever_was_forgotten_sits_down_anew_at_once(evening: Evening, ann: Somebody) -> None:
    await ann.says("/start")
    (question,) = await ann.hears("/forget")
    await ann.taps("Yes", on=question)

    (board,) = await ann.hears("/start")

    assert board.first == "Three Card Poker, for play money only. You have 500 chips."
    await ann.taps("Deal 25")
    assert isinstance((await evening.round(ann)).state, Dealt)


async def test_a_restart_brings_no_board_of_the_forgotten_back(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    board = ann.board(FRIENDS)
    (question,) = await ann.hears("/forget")
    await ann.taps("Yes", on=question)
    await evening.restart()
    await evening.rests()
    assert ann.message(board).text == "This board is closed. /deal opens one of your own."
    assert await evening.count("SELECT COUNT(*) AS n FROM boards WHERE old_message_id IS NOT NULL") == 0


# /break


async def test_a_break_is_told_kindly_and_ends_by_the_clock(evening: Evening, ann: Somebody) -> None:
    await ann.says("/start")
    (told,) = await ann.hears("/break 7d")
    assert told.lines == [
        "No bets until Dec 7, 12:01 (UTC), in any chat.",
        "It cannot be ended earlier, only made longer. A hand in play can be finished.",
    ]
    (shorter,) = await ann.hears("/break 1h")
    assert shorter.first == told.first
    (about,) = await ann.hears("/break")
    assert about.first == "You are on a break until Dec 7, 12:01 (UTC)."

    board = ann.board()
    before = await evening.books()
    toast = await ann.taps("Deal 25", on=board)
    assert toast.text.startswith("You are on a break until Dec 7, 12:01 (UTC): no bets before, as you wished.")
    await ann.says("deal")
    assert "Note: You are on a break until Dec 7, 12:01 (UTC)" in ann.board().text
    assert await evening.books() == before

    await evening.clock.advance(7 * 24 * 3600 + 60)
    await ann.taps("Deal 25")
    assert isinstance((await evening.round(ann)).state, Dealt)


@pytest.mark.parametrize("words", ["", "7", "0d", "-7d", "366d", "seven days", "7d 7d", "9999999999d", "1e3d"])
async def test_a_break_without_a_length_is_explained(evening: Evening, ann: Somebody, words: str) -> None:
    (told,) = await ann.hears(f"/break {words}")
    assert told.first.startswith("Say /break and how long: /break 12h, /break 7d or /break 4w, up to 365 days.")
    assert await evening.count("SELECT COUNT(*) AS n FROM people WHERE break_until IS NOT NULL") == 0


async def test_in_a_group_nothing_is_said_of_a_break(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    before = ann.board(FRIENDS)
    number = await ann.says("/break 7d", FRIENDS)
    assert evening.reactions(FRIENDS, number) == ("👌",)
    alone = await ann.says("/break", FRIENDS)
    assert evening.reactions(FRIENDS, alone) == ("🤷",)

    assert "You are on a break" in await ann.taps("Deal 25", FRIENDS)
    word = await ann.says("deal", FRIENDS, reply=ann.board(FRIENDS))
    assert evening.reactions(FRIENDS, word) == ("🤷",)
    assert ann.message(before) == before
    assert len(ann.sees(FRIENDS)) == 1


async def test_a_hand_in_play_can_be_finished_on_a_break(evening: Evening, ann: Somebody) -> None:
    await ann.says("/start")
    await ann.taps("Deal 25")
    await ann.says("/break 12h")
    assert "you have" in await ann.taps("Fold", on=ann.sees()[0])


async def test_new_words_stand_on_the_page_that_gave_them(evening: Evening, ann: Somebody) -> None:
    await ann.says("/fair")
    assert "You have no words of your own." in ann.sees()[-1].text

    toast = await ann.taps("New words", on=ann.sees()[-1])

    page = ann.sees()[-1]
    assert toast.text.startswith("Your words: ")
    assert toast.text.removeprefix("Your words: ") in page.text
    assert "New words" in page.labels
