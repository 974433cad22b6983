"""Taps that come twice, late, from a neighbour, from another release, or from nobody's keyboard."""

from __future__ import annotations

import asyncio

import pytest

from bot.facts import Tap, Verb
from core.solo import Betting, Settled
from tests.journeys.house import FRIENDS, Evening, Somebody, Toast, toast_of

DEAD = "That key is no longer in use. /deal brings your board."


async def together(evening: Evening, *queries: str) -> list[Toast]:
    """Let the bot meet several taps in one batch; their answers."""
    waiting = [asyncio.create_task(evening.people.answer(query)) for query in queries]
    await asyncio.sleep(0)
    await evening.goes_on()
    await evening.clock.settle()
    return [toast_of(await each) for each in waiting]


# Whose board


async def test_f30_a_bystanders_tap_gets_a_toast_and_moves_nothing(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await ann.says("/deal 25", FRIENDS)
    for step in ("Deal 25", "Play 25"):
        board = ann.board(FRIENDS)
        before, seen = await evening.books(), ann.sees(FRIENDS)
        for label in board.labels:
            toast = await bob.taps(label, on=board)
            if label != "Hands":  # anybody may read what beats what
                assert toast == Toast("This is Ann’s board. /deal opens yours.")
        assert (await evening.books(), ann.sees(FRIENDS)) == (before, seen)
        await ann.taps(step, FRIENDS)
    assert await evening.count("SELECT COUNT(*) AS n FROM seats") == 1


async def test_f31_twenty_wrong_presses_write_nothing_into_the_group(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await ann.says("/deal 25", FRIENDS)
    seen, calls = ann.sees(FRIENDS), len(evening.calls("sendMessage", "editMessageText"))
    board = ann.board(FRIENDS)
    for _ in range(20):
        await bob.taps("Deal 25", on=board)
    assert ann.sees(FRIENDS) == seen
    assert len(evening.calls("sendMessage", "editMessageText")) == calls


# What comes twice (F21 and F40 of the list)


@pytest.mark.parametrize("label", ["Play 25", "Fold"])
async def test_f21_a_double_tap_settles_once(evening: Evening, ann: Somebody, label: str) -> None:
    await ann.says("/deal 25")
    await ann.taps("Deal 25")
    board = ann.board()
    taps = [evening.people.tap(ann.id, ann.id, board.id, payload=board.payload(label)) for _ in range(2)]

    first, second = await together(evening, *taps)

    assert "you have" in first
    assert second == Toast("That is already done.")
    assert await evening.count("SELECT COUNT(*) AS n FROM movements WHERE why = 'settle'") == 1
    assert await evening.count("SELECT COUNT(*) AS n FROM rounds") == 2


async def test_f21_deal_counts_once_and_the_second_tap_shows_no_other_hand(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    board = ann.board()
    taps = [evening.people.tap(ann.id, ann.id, board.id, payload=board.payload("Deal 25")) for _ in range(2)]

    first, second = await together(evening, *taps)

    assert first.text.endswith("Play 25 or fold?")
    assert second == Toast("The cards are dealt: Play or Fold.")
    assert (await evening.seat(ann)).chips == 450


async def test_play_and_fold_together_count_as_the_first(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    await ann.taps("Deal 25")
    board = ann.board()
    taps = [evening.people.tap(ann.id, ann.id, board.id, payload=board.payload(label)) for label in ("Fold", "Play")]
    first, second = await together(evening, *taps)
    assert "Folded." in first
    assert second == Toast("That is already done.")
    assert (await evening.seat(ann)).chips == 475


@pytest.mark.parametrize("labels", [("Deal 25", "Play 25"), ("Deal 25", "Fold")])
async def test_f40_updates_that_come_again_change_nothing(
    evening: Evening, ann: Somebody, labels: tuple[str, ...]
) -> None:
    await ann.says("/deal 25")
    for label in labels:
        await ann.taps(label)
        before, seen = await evening.books(), ann.sees()
        evening.people.repeat(5)
        await evening.goes_on()
        assert (await evening.books(), ann.sees()) == (before, seen)


async def test_f40_everything_comes_again_after_a_restart(evening: Evening, ann: Somebody) -> None:
    evening.unanswered = True
    await ann.says("/deal 25", FRIENDS)
    await ann.taps("Ante +25", FRIENDS)
    await ann.taps("Deal 50", FRIENDS)
    await ann.taps("Fold", FRIENDS)
    before, board = await evening.books(), ann.board(FRIENDS)
    await evening.restart()
    evening.people.repeat(50)
    await evening.goes_on()
    assert await evening.books() == before
    assert ann.board(FRIENDS) == board


async def test_f40_the_same_cashout_again_ends_no_second_night(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    await ann.says("/cashout")
    await ann.taps("Deal: a new night")
    before = await evening.books()
    await evening.restart()
    evening.people.repeat(50)
    await evening.goes_on()
    assert await evening.books() == before


async def test_the_same_chip_tap_counts_once_and_a_new_one_counts_again(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    board = ann.board()
    taps = [evening.people.tap(ann.id, ann.id, board.id, payload=board.payload("Ante +25")) for _ in range(2)]
    await together(evening, *taps)
    assert await ante(evening, ann) == 75
    await evening.restart()
    evening.unanswered = True
    evening.people.repeat(2)
    await evening.goes_on()
    assert await ante(evening, ann) == 75


async def ante(evening: Evening, who: Somebody, at: int | None = None) -> int:
    state = (await evening.round(who, at)).state
    assert isinstance(state, Betting)
    return state.wager.ante


async def test_two_people_tap_in_one_batch(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    for who in (ann, bob):
        await who.says("/deal 25", FRIENDS)
    taps = [
        evening.people.tap(who.id, FRIENDS, board.id, payload=board.payload("Deal 25"))
        for who in (ann, bob)
        if (board := who.board(FRIENDS))
    ]
    for toast in await together(evening, *taps):
        assert toast.text.endswith("Play 25 or fold?")


# Late


async def test_deal_names_the_bet_it_shows_and_deals_only_that(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    old = ann.board()
    await ann.taps("Ante +25")
    await ann.taps("Pair Plus +25")
    before = await evening.books()
    toast = await ann.taps("Deal 25", on=old)
    assert toast == Toast("Your bet is now Ante 50, Pair Plus 25. Tap Deal again.")
    assert await evening.books() == before
    await ann.taps("Deal 75")
    assert (await evening.seat(ann)).chips == 375


async def test_f35_an_old_keyboard_plays_no_hand_of_today(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    await ann.taps("Deal 25")
    old = ann.board()
    await ann.taps("Fold")
    await ann.taps("Deal 25")
    before = await evening.books()
    for label in ("Play 25", "Fold"):
        assert await ann.taps(label, on=old) == Toast("That is already done.")
    assert await evening.books() == before
    assert ann.board().labels == ["Play 25", "Fold", "Hint", "Hands"]


async def test_f35_a_board_left_behind_loses_its_keys_and_its_taps_are_dead(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    old = ann.board()
    await ann.says("/deal 25")
    assert ann.board().id != old.id
    assert ann.message(old).rows == ()
    before = await evening.books()
    assert await ann.taps("Deal 25", on=old) == Toast(DEAD)
    assert await evening.books() == before


async def test_a_night_that_is_over_is_over(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    await ann.taps("Deal 25")
    await ann.taps("Fold")
    settled = ann.board()
    await ann.taps("Cash out")
    await ann.taps("Yes, leave")
    before = await evening.books()
    for label in ("Deal 25", "Change bet", "Cash out"):
        assert await ann.taps(label, on=settled) == Toast("That is already done.")
    assert await evening.books() == before


async def test_a_new_night_begins_once(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    await ann.says("/cashout")
    left = ann.board()
    for _ in range(2):
        await ann.taps("Deal: a new night", on=left)
    assert await evening.count("SELECT COUNT(*) AS n FROM nights") == 2
    assert (await evening.seat(ann)).chips == 500


# What no key of ours says (F33 and F34 of the list)


INVENTED = [
    pytest.param("zzz", id="letters"),
    pytest.param(" ", id="a space"),
    pytest.param('{"a":"deal"}', id="F34 JSON of another bot"),
    pytest.param("deal:7", id="F34 yesterday's format"),
    pytest.param("0:D:1:1:p:0:0", id="F34 the release before"),
    pytest.param("2:D:1:1:p:0:0", id="F34 the release after"),
    pytest.param("1:D:1:1:p:0:0:0", id="one number more"),
    pytest.param("1:D:1:1:p:0", id="one number less"),
    pytest.param("1:D:1:1:-p:0:0", id="below zero"),
    pytest.param("1:D:1:1:0p:0:0", id="a leading zero"),
    pytest.param("1:Q:1:1", id="a verb that is none"),
    pytest.param("1:D:zzzzzzzzzzzzz:1:p:0:0", id="a board beyond all numbers"),
    pytest.param("1:D:99:1:p:0:0", id="a board that is none"),
    pytest.param("\N{GRINNING FACE}" * 16, id="64 bytes of faces"),
    pytest.param("1:a:1:1:9:p", id="a spot that is none"),
    pytest.param("1:a:1:1:0:7", id="a chip that is none"),
]


@pytest.mark.parametrize("payload", INVENTED)
async def test_f33_f34_an_invented_payload_moves_nothing(evening: Evening, ann: Somebody, payload: str) -> None:
    await ann.says("/deal 25")
    before = await evening.books()
    toast = await ann.sends(payload, ann.board())
    assert toast.text
    assert len(toast.text) <= 200
    assert await evening.books() == before
    await ann.says("/deal")
    await ann.taps("Deal 25")


@pytest.mark.parametrize("payload", INVENTED)
async def test_f33_a_neighbours_invention_takes_no_keys_off(
    evening: Evening, ann: Somebody, bob: Somebody, payload: str
) -> None:
    await ann.says("/deal 25", FRIENDS)
    board = ann.board(FRIENDS)
    await bob.sends(payload, board)
    assert ann.board(FRIENDS) == board
    await ann.taps("Deal 25", FRIENDS)


async def test_f34_a_living_board_of_an_older_release_is_painted_again(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    board = ann.board(FRIENDS)
    painted = evening.world.find(FRIENDS, board.id)
    assert painted is not None
    painted.keyboard = [[{"text": "Deal", "callback_data": "deal:1"}]]
    await evening.acknowledges()
    await evening.restart()
    assert await ann.taps("Deal", FRIENDS) == Toast(DEAD)
    assert ann.board(FRIENDS) == board


@pytest.mark.parametrize("numbers", [(1_000_000_000, 0, 0), (7, 0, 0), (0, 0, 0), (25, 0, 25), (26, 0, 0), (500, 0, 0)])
async def test_f33_a_deal_of_another_size_is_refused(
    evening: Evening, ann: Somebody, numbers: tuple[int, int, int]
) -> None:
    await ann.says("/deal 25")
    before = await evening.books()
    tap = Tap(verb=Verb.DEAL, board=1, round=1, numbers=numbers)
    toast = await ann.sends(tap.pack(), ann.board())
    assert toast == Toast("Your bet is now Ante 25. Tap Deal again.")
    assert await evening.books() == before


@pytest.mark.parametrize("verb", [Verb.PLAY, Verb.FOLD, Verb.HINT, Verb.LEAVE, Verb.NEW_NIGHT, Verb.CASH_OUT])
async def test_f33_a_hand_of_somebody_elses_in_another_chat_is_out_of_reach(
    evening: Evening, ann: Somebody, bob: Somebody, verb: Verb
) -> None:
    await ann.says("/deal 25")
    await ann.taps("Deal 25")
    await bob.says("/deal 25")
    before = await evening.books()
    toast = await bob.sends(Tap(verb=verb, board=1, round=1).pack(), bob.board())
    assert toast == Toast(DEAD)  # not even a name
    assert await evening.books() == before


async def test_f33_ones_own_board_is_not_played_from_another_chats_message(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    await ann.says("/deal 25", FRIENDS)
    before = await evening.books()
    toast = await ann.sends(ann.board().payload("Deal 25"), ann.board(FRIENDS))
    assert toast == Toast(DEAD)
    assert await evening.books() == before


async def test_f33_a_future_round_is_not_dealt(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    before = await evening.books()
    tap = Tap(verb=Verb.DEAL, board=1, round=2, numbers=(25, 0, 0))
    assert await ann.sends(tap.pack(), ann.board()) == Toast("That is already done.")
    assert await evening.books() == before


async def test_f33_leaving_by_hand_in_the_middle_of_a_hand_is_refused(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    await ann.taps("Deal 25")
    before = await evening.books()
    for verb in (Verb.LEAVE, Verb.CHANGE_BET, Verb.CASH_OUT):
        toast = await ann.sends(Tap(verb=verb, board=1, round=1).pack(), ann.board())
        assert toast == Toast("Finish this hand first: Play or Fold.")
    assert await evening.books() == before
    await ann.sends(Tap(verb=Verb.NEW_NIGHT, board=1, round=1).pack(), ann.board())
    assert await evening.books() == before


async def test_f29_a_tap_without_a_message_is_answered(evening: Evening, ann: Somebody) -> None:
    """It comes by a way the emulator has no button for."""
    await ann.says("/deal 25")
    before = await evening.books()
    for more in (
        {"inline_message_id": "AAA", "data": "1:D:1:1:p:0:0"},
        {"data": "1:D:1:1:p:0:0"},
        {"game_short_name": "x"},
    ):
        query = evening.people._ask(ann.id, evening.people.chat(ann.id), 0, "")
        asked = {"id": query.id, "from": evening.world.user_shape(ann.id), "chat_instance": "9", **more}
        evening.people.inject({"callback_query": asked})
        assert await evening.answered(query.id) == Toast(DEAD)
    assert await evening.books() == before


async def test_a_dealt_hand_shows_nothing_of_the_dealer(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25")
    toast = await ann.taps("Deal 25")
    dealt = await evening.dealt(ann)
    hint = await ann.taps("Hint")
    signs = {"s": "♠️", "h": "♥️", "d": "♦️", "c": "♣️"}
    for card in dealt.dealer:
        rank, suit = str(card)[:-1].replace("T", "10"), signs[str(card)[-1]]
        for shown in (toast.text, ann.board().text, hint.text):
            assert f"{rank}{suit}" not in shown
    await ann.taps("Fold")
    settled = await evening.house.store.read(lambda tx: tx.rounds.get(1))
    assert settled is not None
    assert isinstance(settled.state, Settled)
    assert settled.state.dealer == dealt.dealer
