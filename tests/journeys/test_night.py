"""A private night from the first word to the top five, and people who play in one group."""

from __future__ import annotations

import asyncio
import re

import pytest

from bot.facts import Face
from core.settlement import Decision, Result, settle
from core.solo import Betting
from tests.journeys.house import FRIENDS, Evening, Somebody, ends


async def test_start_brings_one_message_with_a_bet_already_there(evening: Evening, ann: Somebody) -> None:
    sent = await ann.hears("/start")

    assert len(sent) == 1
    assert sent[0].first == "Three Card Poker, for play money only. You have 500 chips."
    assert "Ante 25 · Pair Plus 0 · Play would cost 25 more" in sent[0].text
    assert sent[0].labels == ["Change bet", "Cards: Q♥️ 6♣️", "Hands", "Deal 25"]
    assert (await evening.seat(ann)).chips == 500


async def test_a_whole_private_night_is_played_in_one_message(evening: Evening, ann: Somebody) -> None:
    evening.chance.wish(1, ends(Result.NOT_QUALIFIED))
    evening.chance.wish(2, ends(Result.LOSE))
    await ann.says("/start")
    board = ann.board()

    toast = await ann.taps("Deal 25")
    assert re.search(r"Play 25 or fold\?$", toast.text)
    assert ann.board().first == "Ann · 475 chips, 25 in play"
    assert ann.board().labels == ["Play 25", "Fold", "Hint", "Hands"]
    hint = await ann.taps("Hint")
    assert hint.alert
    assert hint.text.startswith(("PLAY. On average: play ", "FOLD. On average: play "))
    assert ann.board().labels == ["Play 25", "Fold", "Hint", "Hands"]

    toast = await ann.taps("Play 25")
    assert "does not qualify. +25" in toast
    assert ann.board().first.startswith("Ann · 5")
    won = (await evening.seat(ann)).chips
    assert won >= 525
    assert f"you have {won}" in toast

    await ann.taps("Change bet")
    await ann.taps("Ante +25")
    toast = await ann.taps("Deal 50")
    assert "Play 50 or fold?" in toast
    lost = await evening.dealt(ann)
    net = settle((await evening.round(ann)).rules, lost.player, lost.dealer, lost.wager, Decision.PLAY).net
    await ann.taps("Play 50")
    assert (await evening.seat(ann)).chips == won + net

    await ann.taps("Cash out")
    assert ann.board().labels == [f"Yes, leave with {won + net}", "Keep playing", "Deal 50"]
    await ann.taps("Keep playing")
    assert ann.board().labels[:2] == ["Change bet", "Cash out"]
    await ann.taps("Cash out")
    toast = await ann.taps("Yes, leave")
    assert toast.text == f"You leave with {won + net} chips."
    assert ann.board().first == f"Ann leaves with {won + net} chips 🏁"
    assert len(ann.sees()) == 1
    assert ann.board().id == board.id

    await ann.taps("Top five", on=ann.board())
    assert f"1. {won + net} · " in ann.sees()[-1].text


async def test_every_hand_was_sealed_before_its_bet(evening: Evening, ann: Somebody) -> None:
    await ann.says("/start")
    for _ in range(3):
        sealed = [link.rpartition("start=")[2] for link in ann.board().links]
        commitment = (await evening.round(ann)).commitment
        assert sealed == [commitment]
        await ann.taps("Deal 25")
        assert ann.board().links[0].endswith(commitment)
        await ann.taps("Fold")


async def test_a_bet_is_built_with_chips_half_double_max_and_clear(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25 5")

    async def bet(key: str) -> str:
        await ann.taps(key)
        state = (await evening.round(ann)).state
        assert isinstance(state, Betting)
        return f"{state.wager.ante} {state.wager.pair_plus}"

    assert await bet("Ante +25") == "50 5"
    assert await bet("Pair Plus +25") == "50 30"
    assert await bet("Half") == "25 15"
    assert await bet("Double") == "50 30"
    assert await bet("Pair Plus −25") == "50 5"
    assert await bet("5") == "50 5"
    assert ann.board().labels[0] == "✓ 5"
    assert await bet("Ante +5") == "55 5"
    assert await bet("Ante −5") == "50 5"
    assert await bet("Max") == "100 5"
    assert await bet("Clear") == "0 0"
    assert "Deal" not in " ".join(ann.board().labels)
    assert await bet("Ante +5") == "5 0"
    assert (await evening.seat(ann)).chips == 500


async def test_repeat_lays_the_last_bet_until_it_is_unchecked(ann: Somebody) -> None:
    await ann.says("/deal 10 5")
    assert "✓ Repeat" in ann.board().labels
    await ann.taps("Deal 15")
    await ann.taps("Fold")
    assert ann.board().labels[-1] == "Deal 15"

    await ann.taps("Change bet")
    await ann.taps("✓ Repeat")
    assert "Repeat" in ann.board().labels
    assert "Deal 15" not in ann.board().labels
    await ann.taps("Repeat")
    assert ann.board().labels[-2:] == ["✓ Repeat", "Deal 15"]


async def test_a_key_that_cannot_add_stays_and_says_why(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 100")
    await ann.taps("100")
    before = await evening.books()
    labels = ann.board().labels

    toast = await ann.taps("Ante +100")

    assert "Ante ends at 100" in toast
    assert ann.board().labels == labels
    assert await evening.books() == before


async def test_hands_opens_in_place_and_back_closes_it(ann: Somebody) -> None:
    await ann.says("/deal 25")
    await ann.taps("Deal 25")
    dealt = ann.board()
    await ann.taps("Hands")
    assert ann.board().labels == ["Back"]
    assert ann.board().id == dealt.id
    await ann.taps("Back")
    assert ann.board() == dealt


async def test_cashing_out_waits_for_the_hand(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    await ann.taps("Deal 25")
    before = await evening.books()
    await ann.says("/cashout")
    assert "Note: Finish this hand first: Play or Fold." in ann.board().lines
    assert await evening.books() == before
    await ann.says("fold")
    await ann.says("/cashout")
    assert ann.board().first == "Ann leaves with 475 chips 🏁"


async def test_a_night_without_a_hand_is_not_ranked(ann: Somebody) -> None:
    await ann.says("/deal")
    await ann.says("/cashout")
    assert "No hand was played: this night is not ranked." in ann.board().lines
    [top] = await ann.hears("/top")
    assert "No night has ended here" in top.text


async def test_two_people_in_a_group_have_boards_and_chips_of_their_own(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await ann.says("/deal 25", FRIENDS)
    await bob.says("/deal 50", FRIENDS)
    assert ann.board(FRIENDS).id != bob.board(FRIENDS).id
    await ann.taps("Deal 25", FRIENDS)
    await bob.taps("Deal 50", FRIENDS)
    await ann.taps("Fold", FRIENDS)

    assert ann.board(FRIENDS).first == "Ann · 475 chips (−25)"
    assert bob.board(FRIENDS).first == "Bob Silva · 450 chips, 50 in play"
    assert (await evening.seat(ann, FRIENDS)).chips == 475
    assert (await evening.seat(bob, FRIENDS)).chips == 400
    await bob.taps("Fold", FRIENDS)
    await ann.says("/cashout", FRIENDS)
    await bob.says("/cashout", FRIENDS)
    [top] = await bob.hears("/top", FRIENDS)
    assert "Poker Friends" in top.first
    assert top.lines[1:3] == ["1. Ann · 475", "2. Bob Silva · 450"]


async def test_a_seat_in_the_group_and_one_in_private_share_no_chips(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    await ann.taps("Deal 25", FRIENDS)
    await ann.taps("Fold", FRIENDS)
    await ann.says("/deal")
    assert (await evening.seat(ann)).chips == 500
    assert (await evening.seat(ann, FRIENDS)).chips == 475


async def test_deal_with_a_bet_needs_one_tap(ann: Somebody) -> None:
    await ann.says("/deal 25 5", FRIENDS)
    assert ann.board(FRIENDS).labels[-1] == "Deal 30"
    toast = await ann.taps("Deal 30", FRIENDS)
    assert toast.text.endswith("Play 25 or fold?")
    assert ann.board(FRIENDS).labels == ["Play 25", "Fold", "Hint", "Hands"]


async def test_hint_in_a_group_is_for_one_pair_of_eyes(ann: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    await ann.taps("Deal 25", FRIENDS)
    before = ann.sees(FRIENDS)
    hint = await ann.taps("Hint", FRIENDS)
    assert hint.alert
    assert ann.sees(FRIENDS) == before


async def test_broke_the_night_is_over_and_a_new_one_begins(evening: Evening, ann: Somebody) -> None:
    for round_id in range(1, 4):
        evening.chance.wish(round_id, ends(Result.LOSE))
    await ann.says("/deal 100 50")
    await ann.taps("Deal 150")
    await ann.taps("Play 100")
    await ann.says("/deal 100 50")
    await ann.taps("Deal 150")
    await ann.taps("Play 100")
    seat = await evening.seat(ann)

    assert (seat.chips, seat.night_id) == (0, None)
    board = ann.board()
    assert "0 chips: the night is over." in board.text
    assert board.labels[0] == "Deal: a new night"
    assert not {"Deal 150", "Change bet", "Cash out"} & {*board.labels}
    assert await evening.face(ann) is Face.CARDS
    await ann.taps("Deal: a new night")
    assert ann.board().first == "Ann · 500 chips"
    assert ann.board().labels[-1] == "Deal 25"
    [top] = await ann.hears("/top")
    assert "No night has ended here" in top.text


async def test_broke_with_a_hand_chosen_from_the_same_board(evening: Evening, ann: Somebody) -> None:
    await test_broke_the_night_is_over_and_a_new_one_begins(evening, ann)
    await ann.taps("Deal 25", on=ann.sees()[-2])
    assert (await evening.seat(ann)).chips == 450


async def test_who_has_no_words_of_ours_reads_english(evening: Evening) -> None:
    jo = evening.guest("Jo", language_code="sv")
    await jo.says("/start")
    assert jo.board().first == "Three Card Poker, for play money only. You have 500 chips."


@pytest.mark.postgres
@pytest.mark.timeout(240)  # servers are made one after the other
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_a_night_on_postgresql(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    await bob.says("/deal 25", FRIENDS)
    await ann.taps("Deal 25", FRIENDS)
    await bob.taps("Deal 25", FRIENDS)
    await ann.taps("Play 25", FRIENDS)
    await bob.taps("Fold", FRIENDS)
    await evening.restart()
    await ann.says("/cashout", FRIENDS)
    await bob.says("/cashout", FRIENDS)
    [top] = await bob.hears("/top", FRIENDS)
    assert {line.partition(" · ")[0][3:] for line in top.lines[1:3]} == {"Ann", "Bob Silva"}


async def test_the_same_evening_by_real_polling(evening: Evening, ann: Somebody) -> None:
    polling = asyncio.create_task(evening.house.intake.run_polling(evening.house.source))
    eyes = evening.people.watch(ann.id)
    evening.people.send(ann.id, ann.id, "/deal 25")
    while not any(seen.rows for seen in ann.sees()):
        await eyes.get()
    for label, news in (("Deal 25", "Play 25 or fold?"), ("Fold", "Folded.")):
        board = ann.board()
        answer = await evening.people.answer(evening.people.tap(ann.id, ann.id, board.id, payload=board.payload(label)))
        assert news in answer["text"]
        await evening.rests()
    evening.house.intake.stop()
    await polling
    assert (await evening.seat(ann)).chips == 475
    assert not evening.world.updates.pending
