"""Seat and place are two things (BOARDS section 2 and 3.7): a busy group, doors, and the way back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.facts import Face
from tests.journeys.house import FRIENDS, Evening, Seen, Somebody


async def busy(evening: Evening, *people: Somebody, boards: int = 3) -> None:
    for somebody in people:
        await somebody.says("/deal 25", FRIENDS)
    assert len(evening.bot_messages(FRIENDS)) == boards


def fourth(evening: Evening) -> Somebody:
    return evening.guest("Dee")


async def offered(evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody) -> tuple[Somebody, Seen]:
    await busy(evening, ann, bob, dasha)
    dee = fourth(evening)
    [door] = await dee.hears("/deal 25", FRIENDS)
    return dee, door


def code(door: Seen) -> str:
    [url] = [key["url"] for row in door.rows for key in row if "url" in key]
    return str(url.partition("start=")[2])


async def test_boards_3_7_the_fourth_board_is_offered_the_private_chat(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    _dee, door = await offered(evening, ann, bob, dasha)

    assert door.lines == [
        "Dee · 500 chips",
        "3 boards are busy here, so pictures come slowly. In private this seat is quick: same chips, same top five.",
    ]
    assert door.labels == ["Play it here", "Play it in private ↗"]


async def test_never_a_wall_it_may_be_played_here(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    dee, door = await offered(evening, ann, bob, dasha)
    await dee.taps("Play it here", on=door)

    assert dee.message(door).labels[-1] == "Deal 25"


async def test_boards_that_sleep_do_not_count(evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody) -> None:
    await busy(evening, ann, bob, dasha)
    await evening.clock.advance(61)
    [board] = await fourth(evening).hears("/deal 25", FRIENDS)

    assert board.labels[-1] == "Deal 25"


async def test_through_the_door_same_chips_and_the_group_is_told_where(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    dee, door = await offered(evening, ann, bob, dasha)
    await dee.says(f"/start {code(door)}")

    board = dee.board()
    assert board.labels[-1] == "Deal 25"
    assert dee.message(door).lines == ["Dee · 500 chips · plays this seat in private"]
    await dee.taps("Deal 25", on=board)
    await dee.taps("Fold", on=dee.message(board))
    seat = await evening.seat(dee, FRIENDS)
    assert seat.chips == 475
    await dee.taps("Cash out", on=dee.message(board))
    await dee.taps("Yes, leave", on=dee.message(board))
    [top] = await ann.hears("/top", FRIENDS)
    assert "1. Dee · 475" in top.text


async def test_a_private_night_is_told_to_the_group_once_and_only_if_asked(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    dee, door = await offered(evening, ann, bob, dasha)
    await dee.says(f"/start {code(door)}")
    await dee.taps("Deal 25", on=dee.board())
    await dee.taps("Fold", on=dee.board())
    before = len(evening.bot_messages(FRIENDS))
    await dee.says("/cashout")
    assert len(evening.bot_messages(FRIENDS)) == before
    await dee.taps("Show the group", on=dee.board())
    told = evening.bot_messages(FRIENDS)[-1]
    assert told.first == "Dee leaves with 475 chips 🏁"
    assert not told.rows
    again = await dee.taps("Show the group", on=dee.board())
    assert "already done" in again.text
    assert len(evening.bot_messages(FRIENDS)) == before + 1


async def test_back_again_by_one_key_in_the_middle_of_a_hand(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    dee, door = await offered(evening, ann, bob, dasha)
    await dee.says(f"/start {code(door)}")
    private = dee.board()
    await dee.taps("Deal 25", on=private)
    dealt = await evening.dealt(dee, FRIENDS)
    stranger = await ann.taps("Bring it back", on=dee.message(door))
    assert "This is Dee" in stranger.text
    await dee.taps("Bring it back", on=dee.message(door))

    assert dee.message(door).labels[:2] == ["Play 25", "Fold"]
    assert not dee.message(private).rows
    assert await evening.dealt(dee, FRIENDS) == dealt
    await dee.taps("Fold", on=dee.message(door))
    assert (await evening.seat(dee, FRIENDS)).chips == 475


async def test_boards_section_2_the_old_keys_go_when_the_group_has_the_board_again(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    dee, door = await offered(evening, ann, bob, dasha)
    await dee.says(f"/start {code(door)}")
    private, told = dee.board(), dee.message(door)
    assert told.labels == ["Bring it back", "Play it in private ↗"]
    await evening.clock.advance(61)
    await dee.says("/deal", FRIENDS)

    board = dee.board(FRIENDS)
    assert board.id != told.id
    assert "Deal 25" in board.labels
    assert dee.message(private).rows == ()
    assert dee.message(told).rows == ()


async def test_boards_section_2_the_old_keys_go_for_a_typed_word_too(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    dee, door = await offered(evening, ann, bob, dasha)
    await dee.says(f"/start {code(door)}")
    private = dee.board()
    await dee.taps("Deal 25", on=private)
    await dee.says("fold", FRIENDS, reply=dee.message(door))
    await dee.says(f"/start {code(door)}")
    again = dee.board()
    await dee.says("/cashout", FRIENDS)

    assert "Dee leaves with 475 chips" in dee.board(FRIENDS).text
    assert not private.rows == again.rows == ()
    assert dee.message(private).rows == dee.message(again).rows == ()


async def test_other_table_says_which_one_came_down(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal")
    await evening.clock.advance(2)
    await ann.says("/daily")
    await ann.taps("Play today")

    assert (await ann.taps("Other table")).text == "Your own table."
    await evening.clock.advance(2)
    assert (await ann.taps("Other table")).text == "Daily · Nov 30"


async def test_f33_a_board_is_brought_back_only_into_the_message_that_told_where_it_is(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    dee, door = await offered(evening, ann, bob, dasha)
    await dee.says(f"/start {code(door)}")
    back = dee.message(door).payload("Bring it back")
    [page] = await ann.hears("/hands", FRIENDS)
    toast = await dee.sends(back, page)

    assert "no longer in use" in toast.text
    assert dee.message(page) == page
    assert (await evening.face(dee, FRIENDS)) is not Face.DOOR
    await dee.sends(back, dee.message(door))
    assert dee.message(door).labels[-1] == "Deal 25"


async def test_boards_rule_3_a_door_s_keys_lie_where_no_hand_is_dealt_or_decided(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    """Rows from the bottom: where Play it here was tapped comes neither Deal, nor Play and Fold."""
    dee, door = await offered(evening, ann, bob, dasha)
    for labels in (["Hands"], ["Hint", "Hands"]):
        row = [[key["text"] for key in row] for row in door.rows[::-1]].index(["Play it here"])
        await dee.taps("Play it here", on=door)
        board = dee.message(door)
        assert [key["text"] for key in board.rows[::-1][row]] == labels
        if labels == ["Hands"]:
            await dee.taps("Deal 25", on=board)
            await evening.clock.advance(61)
            await busy(evening, ann, bob, dasha, boards=4)
            await dee.says("/deal", FRIENDS)
            door = dee.board(FRIENDS)


async def test_the_door_is_bound_to_its_person(evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody) -> None:
    dee, door = await offered(evening, ann, bob, dasha)
    [said] = await ann.hears(f"/start {code(door)}")

    assert "not yours" in said.text
    assert (await evening.face(dee, FRIENDS)) is Face.DOOR


async def test_the_door_is_shut_to_who_left_the_group(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    dee, door = await offered(evening, ann, bob, dasha)
    evening.people.leave(dee.id, FRIENDS)
    [said] = await dee.hears(f"/start {code(door)}")

    assert "not in that group any more" in said.text


async def test_a_slow_look_up_at_a_door_holds_nobody_up(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    """DESIGN, intake: what is asked of Telegram is asked outside the lifetime of the update."""
    dee, door = await offered(evening, ann, bob, dasha)
    evening.faults(method="getChatMember", kind="slow", seconds=3)

    await dee.says(f"/start {code(door)}", rest=False)
    await ann.says("/deal 50", rest=False)

    assert (await evening.round(ann)).state.wager.ante == 50
    assert (await evening.face(dee, FRIENDS)) is Face.DOOR
    await evening.rests()
    assert dee.board().first == "Dee · 500 chips"
    assert (await evening.face(dee, FRIENDS)) is Face.FIRST


async def test_in_private_deal_opens_the_seat_played_there_last(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    dee, door = await offered(evening, ann, bob, dasha)
    await dee.says("/deal 50")
    own = dee.board()
    assert "Other table" not in own.labels
    await evening.clock.advance(2)
    await dee.says(f"/start {code(door)}")
    group = dee.board()
    assert "Other table" in group.labels
    await dee.says("/deal 100")
    assert (await evening.round(dee, FRIENDS)).state.wager.ante == 100
    await evening.clock.advance(2)
    await dee.taps("Other table", on=dee.board())
    await dee.says("/deal 5")
    assert (await evening.round(dee)).state.wager.ante == 5


async def test_with_no_board_allowed_the_group_is_always_played_in_private(evening: Evening, ann: Somebody) -> None:
    await ann.says("/start")
    await evening.house.store.run(
        lambda tx: tx.chats.put(
            replace(
                tx.chats.seen(FRIENDS, kind="supergroup", title="Poker Friends", now=evening.clock.now()),
                awake_boards=0,
            )
        )
    )
    [door] = await ann.hears("/deal", FRIENDS)

    assert door.labels == ["Play it in private ↗"]

    word = await ann.says("deal", FRIENDS, reply=door)

    assert ann.message(door) == door
    assert evening.reactions(FRIENDS, word) == ("🤷",)
    assert (await evening.seat(ann, FRIENDS)).chips == 500
    await ann.says("/cashout", FRIENDS)
    assert "/deal brings your board" in (await ann.taps("Deal: a new night", FRIENDS)).text
    await ann.says("/deal", FRIENDS)
    assert ann.message(door).labels == ["Play it in private ↗"]


async def test_a_restart_keeps_the_door_open(evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody) -> None:
    dee, door = await offered(evening, ann, bob, dasha)
    await evening.clock.advance(timedelta(minutes=1).total_seconds())
    await evening.restart()
    await dee.says(f"/start {code(door)}")

    assert dee.board().labels[-1] == "Deal 25"
