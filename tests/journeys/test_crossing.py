"""Taps and pictures that cross each other, and payloads sent from messages that belong to others."""

from __future__ import annotations

from bot.facts import Tap, Verb
from tests.journeys.house import FRIENDS, Evening, Seen, Somebody


async def board_id(evening: Evening, who: Somebody, at: int | None = None) -> int:
    seat = await evening.seat(who, at)
    board = await evening.house.store.read(lambda tx: tx.boards.of_seat(seat.id))
    assert board is not None
    return board.id


async def message_of(evening: Evening, who: Somebody, at: int | None = None) -> int | None:
    seat = await evening.seat(who, at)
    board = await evening.house.store.read(lambda tx: tx.boards.of_seat(seat.id))
    assert board is not None
    return board.message_id


async def test_f35_a_tap_on_the_old_board_while_the_new_one_is_on_its_way(evening: Evening, ann: Somebody) -> None:
    """The tap counts, and the picture goes where the database says the board stands."""
    await ann.says("/deal 25")
    old = ann.board()
    evening.faults(method="sendMessage", kind="slow", seconds=3)
    await ann.says("/deal 10", rest=False)
    await ann.taps("Ante +25", on=old, rest=False)
    await evening.clock.advance(4)
    await evening.rests()

    new = ann.board()
    assert new.id != old.id
    assert await message_of(evening, ann) == new.id
    assert "Ante 35 (5 to 100)" in new.lines
    assert ann.message(old).rows == ()


async def test_f33_a_board_on_its_way_takes_no_message_of_somebody_elses(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await bob.says("/deal 25", FRIENDS)
    bobs = bob.board(FRIENDS)
    evening.faults(method="sendMessage", kind="429", retry_after=5)
    await ann.says("/deal 25", FRIENDS, rest=False)
    payload = Tap(verb=Verb.CHANGE_BET, board=await board_id(evening, ann, FRIENDS), round=2).pack()
    await ann.sends(payload, bobs, rest=False)
    await evening.rests()

    assert bob.message(bobs) == bobs
    assert await message_of(evening, bob, FRIENDS) == bobs.id
    assert ann.board(FRIENDS).id != bobs.id
    await bob.taps("Deal 25", on=bobs)


async def away(evening: Evening, who: Somebody, *others: Somebody) -> Seen:
    """Four people play; the fourth goes through the door. The message that says so."""
    for other in others:
        await other.says("/deal 25", FRIENDS)
    [door] = await who.hears("/deal 25", FRIENDS)
    await who.says(f"/start {door.rows[-1][0]['url'].partition('start=')[2]}")
    return who.message(door)


async def test_f33_nobody_is_brought_back_into_somebody_elses_board(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    dee = evening.guest("Dee", language_code="en")
    left = await away(evening, dee, ann, bob, dasha)
    bobs, before = bob.board(FRIENDS), await evening.books()
    toast = await dee.sends(left.payload("Bring it back"), bobs)

    assert toast.text
    assert bob.message(bobs) == bobs
    assert await evening.books() == before
    await bob.taps("Deal 25", on=bobs)
    await dee.taps("Bring it back", on=left)
    assert dee.message(left).labels[-1] == "Deal 25"


async def test_f33_a_top_five_is_not_written_over_a_board(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    await bob.says("/deal 25", FRIENDS)
    bobs = bob.board(FRIENDS)
    toast = await ann.sends(Tap(verb=Verb.TOP, numbers=(1,)).pack(), bobs)

    assert toast.text
    assert bob.message(bobs) == bobs


async def test_the_last_picture_of_a_forgotten_board_is_not_newer_than_wanted(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    board = ann.board(FRIENDS)
    await ann.says("/forget")
    await ann.taps("Yes, erase", on=ann.sees()[-1])
    assert ann.message(board).rows == ()
    assert await evening.count("SELECT COUNT(*) AS n FROM boards WHERE painted > wanted") == 0


async def test_f33_a_table_on_its_way_takes_no_message_of_somebody_elses(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    await bob.says("/deal 25", FRIENDS)
    bobs = bob.board(FRIENDS)
    evening.faults(method="sendMessage", kind="429", retry_after=5)
    await ann.says("/table", FRIENDS, rest=False)
    table = await evening.house.store.read(lambda tx: tx.tables.live(FRIENDS))
    assert table is not None
    assert table.message_id is None
    await dasha.sends(Tap(verb=Verb.TABLE_SIT, board=table.id).pack(), bobs, rest=False)
    await evening.rests()

    assert bob.message(bobs) == bobs
    await bob.taps("Deal 25", on=bobs)


async def test_a_board_adopted_meanwhile_keeps_its_keys(evening: Evening, ann: Somebody) -> None:
    """Its message arrived unheard; a dead key there has its keys taken off, but a living one was quicker."""
    evening.forgives = {"call_given_up"}
    evening.faults(method="sendMessage", kind="timeout_after")
    with evening.impatient():
        await ann.says("/deal 25", FRIENDS)
    board = ann.board(FRIENDS)
    evening.faults(method="editMessageText", kind="429", retry_after=3)
    await ann.sends(Tap(verb=Verb.DEAL, board=99, numbers=(5, 0, 0)).pack(), board, rest=False)
    await ann.taps("Ante +25", on=board, rest=False)
    await evening.rests()
    assert ann.message(board).labels[-1] == "Deal 50"


async def test_the_old_message_that_became_the_board_again_keeps_its_keys_over_restarts(
    evening: Evening, ann: Somebody
) -> None:
    evening.unanswered = True
    evening.forgives = {"call_given_up"}
    await ann.says("/deal 25")
    old = ann.board()
    evening.faults(method="sendMessage", kind="500")
    await ann.says("/deal 10")
    await ann.taps("Ante +25", on=old)
    await evening.acknowledges()
    for _ in range(2):
        await evening.restart()
    assert ann.message(old).labels[-1] == "Deal 35"
    assert len(ann.sees()) == 1


async def test_f33_a_contests_message_keeps_its_keys_and_its_words(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    [maker] = await ann.hears("/contest", FRIENDS)
    await ann.taps("Start the contest", on=maker)
    contest = ann.message(maker)
    assert contest.labels
    for payload in (
        "zzz",
        Tap(verb=Verb.DEAL, board=99, numbers=(5, 0, 0)).pack(),
        Tap(verb=Verb.TOP, numbers=(1,)).pack(),
    ):
        assert (await bob.sends(payload, contest)).text
        assert bob.message(contest) == contest


async def test_f33_the_daily_five_are_dealt_in_private_only(evening: Evening, bob: Somebody) -> None:
    await bob.says("/deal 25", FRIENDS)
    seats = await evening.count("SELECT COUNT(*) AS n FROM seats")
    sent = len(bob.sees(FRIENDS))
    assert (await bob.sends(Tap(verb=Verb.DAILY).pack(), bob.board(FRIENDS))).text
    assert await evening.count("SELECT COUNT(*) AS n FROM seats") == seats
    assert len(bob.sees(FRIENDS)) == sent


async def test_f31_a_key_tapped_twenty_times_floods_no_group(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    await ann.says("/cashout", FRIENDS)
    board, sent = ann.board(FRIENDS), len(ann.sees(FRIENDS))
    evening.faults(method="sendMessage", kind="429", retry_after=5)
    for _ in range(20):
        await ann.taps("Top five", on=board, rest=False)
    await bob.says("/top", FRIENDS, rest=False)
    await evening.rests()
    assert len(ann.sees(FRIENDS)) == sent + 2  # one for each who asked
