"""A hand cannot be escaped: whatever somebody does, the stake stays in play and `/deal` brings the hand back (F73)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from core.settlement import Result
from tests.journeys.felt import Felt, cards
from tests.journeys.house import FRIENDS, Evening, Seen, Somebody, ends

_PICTURES = re.compile("[^\\w\\s.,:;+−()/]")


async def walks_away(evening: Evening, _ann: Somebody, _board: Seen) -> None:
    await evening.clock.advance(7 * 86_400)
    await evening.house.jobs.look()
    await evening.house.jobs.sweep()


async def leaves_and_returns(evening: Evening, ann: Somebody, _board: Seen) -> None:
    evening.people.leave(ann.id, FRIENDS)
    await evening.goes_on()
    await evening.clock.advance(86_400)
    evening.people.join(ann.id, FRIENDS)
    await evening.goes_on()


async def deletes_the_board(evening: Evening, ann: Somebody, board: Seen) -> None:
    evening.people.delete_message(ann.id, board.chat, board.id)


async def blocks_the_bot(evening: Evening, ann: Somebody, _board: Seen) -> None:
    evening.people.block(ann.id)
    await evening.goes_on()


async def wants_another(_evening: Evening, ann: Somebody, board: Seen) -> None:
    await ann.says("/deal 100", board.chat)


async def wants_to_leave(_evening: Evening, ann: Somebody, board: Seen) -> None:
    await ann.says("/cashout", board.chat)


async def carries_the_seat_away(evening: Evening, ann: Somebody, _board: Seen) -> None:
    """A fresh process, and the hand of another seat meanwhile."""
    await evening.restart()
    await ann.says("/deal 5")
    await ann.taps("Deal 5")


@pytest.mark.parametrize(
    "at, way",
    [
        pytest.param(None, walks_away, id="F73 walking away, in private"),
        pytest.param(FRIENDS, walks_away, id="F73 walking away, in a group"),
        pytest.param(FRIENDS, leaves_and_returns, id="F73 leaving the group"),
        pytest.param(None, deletes_the_board, id="F73 deleting the message, in private"),
        pytest.param(FRIENDS, deletes_the_board, id="F73 deleting the message, in a group"),
        pytest.param(None, blocks_the_bot, id="F73 blocking the bot"),
        pytest.param(None, wants_another, id="F73 a second /deal, in private"),
        pytest.param(FRIENDS, wants_another, id="F73 a second /deal, in a group"),
        pytest.param(FRIENDS, wants_to_leave, id="F73 cashing out"),
        pytest.param(FRIENDS, carries_the_seat_away, id="F73 another hand at another seat"),
    ],
)
async def test_f73_a_hand_waits_for_its_player(
    evening: Evening, ann: Somebody, at: int | None, way: Callable[[Evening, Somebody, Seen], object]
) -> None:
    await ann.says("/deal 25 5", at)
    await ann.taps("Deal 30", at)
    round_ = await evening.round(ann, at)

    await way(evening, ann, ann.board(at))  # type: ignore[misc]
    assert (await evening.seat(ann, at)).chips == 500 - 55  # the bets and the cover for Play
    for _ in range(2 if at is None else 1):
        await ann.says("/deal", at)

    assert (await evening.round(ann, at)).state == round_.state
    board = ann.board(at)
    assert board.labels[:2] == ["Play 25", "Fold"]
    await ann.taps("Fold", at)
    assert (await evening.seat(ann, at)).chips == 500 - 30


async def test_f71_chips_that_come_from_elsewhere_cancel_no_hand(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await ann.says("/deal 25 5", FRIENDS)
    await ann.taps("Deal 30", FRIENDS)
    felt = Felt(evening)
    await felt.starts(bob, ann, bank=100)
    await felt.bets(ann, 20)
    with cards("5h 6c 7d", "Qs 9d 4c"):
        await evening.passes(31)
    await evening.passes(41)
    won = await felt.chips(ann) - (500 - 55)
    assert won

    await ann.taps("Fold", FRIENDS)

    assert (await evening.seat(ann, FRIENDS)).chips == 500 + won - 30


async def test_f50_who_takes_over_a_name_takes_over_nothing_else(evening: Evening) -> None:
    ana, bo = evening.guest("Ana", username="ana_x"), evening.guest("Bo")
    await ana.says("/deal 25", FRIENDS)
    await ana.taps("Deal 25", FRIENDS)
    await ana.taps("Fold", FRIENDS)
    evening.world.people[ana.id].username, evening.world.people[bo.id].username = None, "ana_x"
    evening.world.people[bo.id].first_name = "Ana"

    await bo.says("/deal", FRIENDS)

    assert (await evening.seat(bo, FRIENDS)).chips == 500
    assert (await evening.seat(ana, FRIENDS)).chips == 475
    evening.world.people[ana.id].first_name = "Renamed"
    await ana.says("/deal 5", FRIENDS)
    assert [seen for seen in evening.bot_messages(FRIENDS) if seen.first == "Renamed · 475 chips"]


async def test_f52_without_any_picture_a_result_is_still_told(evening: Evening, ann: Somebody) -> None:
    evening.chance.wish(1, ends(Result.LOSE))
    await ann.says("/deal 25 5")
    await ann.taps("Deal 30")
    shown = ann.board().text
    assert re.findall("(10|[2-9JQKA])[♠♥♦♣]", shown)  # the rank always stands beside the shape
    await ann.taps("Play")

    spoken = _PICTURES.sub("", ann.board().text)
    assert "wins" in spoken
    assert "Ante 25: −25" in spoken
    assert "Play 25: −25" in spoken


async def test_f27_what_was_deleted_is_brought_back_by_the_word_that_asks_for_it(
    evening: Evening, ann: Somebody
) -> None:
    """`/deal` is in F73 above; no bot is told of a deletion, so a message that should be near may be none."""
    for words, first in (("/table", "Table in "), ("/contest", "🏁 "), ("/daily", "Daily ")):
        await ann.says(words, FRIENDS)
        if words == "/contest":
            await ann.taps("Start the contest", on=evening.bot_messages(FRIENDS)[-1])
            await evening.passes(1)
        [shown] = [seen for seen in evening.bot_messages(FRIENDS) if seen.first.startswith(first)]
        number = await ann.says(words, FRIENDS)
        assert evening.reactions(FRIENDS, number) == ("👌",)
        assert ann.message(shown).text == shown.text

        evening.people.delete_message(ann.id, FRIENDS, shown.id)
        await ann.says(words, FRIENDS)

        [again] = [seen for seen in evening.bot_messages(FRIENDS) if seen.first.startswith(first)]
        assert (again.text, again.labels) == (shown.text, shown.labels)
        assert again.id > shown.id
