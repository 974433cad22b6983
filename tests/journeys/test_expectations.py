"""What a player expects of keys and answers where nothing else is asked: the way back, calm, the table's own words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.storage import Tx
from core.rules import RuleSet, preset
from tests.journeys.house import FRIENDS, Evening, Seen, Somebody


async def plays(evening: Evening, chat_id: int, rules: RuleSet) -> None:
    """Nights that begin in a chat from now on have these rules."""

    def choose(tx: Tx) -> None:
        chat = tx.chats.seen(
            chat_id, kind="private" if chat_id > 0 else "supergroup", title="", now=evening.clock.now()
        )
        tx.chats.put(replace(chat, rules=rules))

    await evening.house.store.run(choose)


def rows_from_below(board: Seen) -> list[list[str]]:
    return [[key["text"] for key in row] for row in board.rows[::-1]]


@pytest.mark.parametrize("words", ["/hint", "/cashout", "fold"])
async def test_a_refusal_after_the_end_of_a_night_is_one_sentence(evening: Evening, ann: Somebody, words: str) -> None:
    await ann.says("/deal 25")
    await ann.taps("Deal 25")
    await ann.taps("Fold")
    await ann.says("/cashout")
    farewell = ann.board()
    told = await ann.hears(words)

    assert len(told) == 1
    assert "\n" not in told[0].text
    assert told[0].rows == ()
    assert ann.message(farewell) == farewell


@pytest.mark.parametrize("words", ["/deal", "/start"])
async def test_hands_leads_back_to_the_page_it_came_from(evening: Evening, ann: Somebody, words: str) -> None:
    await ann.says(words)
    before = ann.board()
    for _ in range(2):  # the second tap comes from a picture that is seconds old
        await ann.sends(before.payload("Hands"), before)
    back = ann.board()
    assert back.labels == ["Back", "Deal 25"]
    for _ in range(2):
        await ann.sends(back.payload("Back"), back)
    assert ann.board() == before

    await ann.taps("Deal 25")
    dealt = ann.board()
    await ann.taps("Hands")
    await ann.taps("Back")
    assert ann.board() == dealt
    await ann.taps("Fold")
    settled = ann.board()
    await ann.taps("Hands")
    await ann.taps("Back")
    assert ann.board() == settled


async def test_boards_rule_3_a_new_night_begins_where_nothing_was_tapped_and_nothing_is_dealt(
    evening: Evening, ann: Somebody
) -> None:
    """Rows from the bottom: the key lies above Play, Fold and Yes, and no Deal comes in its place."""
    await ann.says("/deal 25")
    await ann.taps("Deal 25")
    await ann.taps("Fold")
    await ann.taps("Cash out")
    leaving = rows_from_below(ann.board())
    await ann.taps("Yes, leave")
    over = rows_from_below(ann.board())
    row = over.index(["Deal: a new night"])
    assert row > 1
    assert row not in [place for place, keys in enumerate(leaving) if any("leave" in key for key in keys)]
    await ann.taps("Deal: a new night")
    assert not any("Deal" in key for key in rows_from_below(ann.board())[row])


async def test_whoever_sits_down_second_sees_start_soon(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    await ann.says("/table", FRIENDS)
    await bob.taps("Sit", on=ann.table(), rest=False)
    await evening.passes(4, rest=False)
    assert "Start" in ann.table().labels


@pytest.mark.parametrize("words, note", [("0", "Ante begins at 5."), ("0 0", "Ante begins at 5.")])
async def test_a_bet_of_nothing_is_answered_with_the_least(
    evening: Evening, ann: Somebody, words: str, note: str
) -> None:
    await ann.says(f"/deal {words}")
    assert ann.board().lines[1] == f"Note: {note}"


async def test_refusals_call_a_spot_as_the_table_does(evening: Evening, ann: Somebody) -> None:
    for chat_id in (ann.id, FRIENDS):
        await plays(evening, chat_id, preset("california"))
    await ann.says("/deal 25 7")
    assert "Note: Bonus goes in steps of 5." in ann.board().text
    await ann.says("/deal 25")
    assert (await ann.taps("Bonus −25")).text == "There is nothing on Bonus."
    old = ann.board()
    await ann.taps("Bonus +25")
    assert (await ann.taps("Deal 25", on=old)).text == "Your bet is now Ante 25, Bonus 25. Tap Deal again."
    await ann.says("/deal 25 5 5")
    assert "Note: Say it like /deal 25 5: the Ante, then Bonus." in ann.board().text


async def test_help_gives_the_advice_of_the_chat_s_own_table(evening: Evening, ann: Somebody) -> None:
    [usual] = await ann.hears("/help")
    assert "• Queen-6-4 or better is worth playing." in usual.text
    await plays(evening, FRIENDS, replace(preset("california"), name="own table", dealer_must_qualify=False))
    [other] = await ann.hears("/help", FRIENDS)
    assert "Queen-6-4" not in other.text
    assert "or better." in other.text
    assert "The dealer always qualifies" in other.text
