"""The process dies at every phase of a hand; the next one goes on with the same message, keys and chips."""

from __future__ import annotations

import pytest

from tests.journeys.house import FRIENDS, Evening, Somebody, Toast

# What leads to each phase; the last word or tap comes again after the restart, as it was not acknowledged.
PHASES = {
    "first": ("/deal",),
    "betting": ("/deal 25 5", "Ante +25"),
    "empty": ("/deal 25 5", "Clear"),
    "noted": ("/deal", "/deal 7"),
    "dealt": ("/deal 25 5", "Deal 30"),
    "hands": ("/deal 25 5", "Deal 30", "Hands"),
    "settled": ("/deal 25 5", "Deal 30", "Play 25"),
    "folded": ("/deal 25 5", "Deal 30", "Fold"),
    "leaving": ("/deal 25 5", "Deal 30", "Fold", "Cash out"),
    "left": ("/deal 25 5", "Deal 30", "Fold", "Cash out", "Yes, leave"),
}
places = pytest.mark.parametrize("at", [pytest.param(None, id="private"), pytest.param(FRIENDS, id="group")])


async def led(who: Somebody, steps: tuple[str, ...], at: int | None) -> None:
    for step in steps:
        if step.startswith("/"):
            await who.says(step, at)
        elif step == "Hands" and at is not None:
            await who.taps(step, at)  # an alert there
        else:
            await who.taps(step, at)


@places
@pytest.mark.parametrize("phase", PHASES)
async def test_a_restart_leaves_message_keys_and_chips(
    evening: Evening, ann: Somebody, phase: str, at: int | None
) -> None:
    await led(ann, PHASES[phase], at)
    before, board, sent = await evening.books(), ann.board(at), len(ann.sees(at))

    evening.unanswered = True
    await evening.restart()

    assert await evening.books() == before
    assert ann.board(at) == board
    assert len(ann.sees(at)) == sent


@places
@pytest.mark.parametrize("phase", PHASES)
async def test_a_restart_before_the_picture_paints_it_afterwards(
    evening: Evening, ann: Somebody, phase: str, at: int | None
) -> None:
    """The process dies between the commit and the picture of the last step."""
    *steps, last = PHASES[phase]
    await led(ann, tuple(steps), at)
    evening.unanswered = True
    for method in ("sendMessage", "editMessageText"):
        evening.faults(method=method, kind="429", retry_after=3600, times=0)
    if last.startswith("/"):
        await ann.says(last, at, rest=False)
    else:
        await ann.taps(last, at, rest=False)
    await evening.calls_end()
    before = await evening.books()
    evening.world.faults.clear()

    await evening.restart()

    assert await evening.books() == before
    first, keys = await evening.picture(ann, at)
    assert (ann.board(at).first, ann.board(at).labels) == (first, keys)


@places
async def test_after_a_restart_play_works_once(evening: Evening, ann: Somebody, at: int | None) -> None:
    await led(ann, PHASES["dealt"], at)
    cards = await evening.dealt(ann, at)
    evening.unanswered = True
    await evening.restart()
    assert await evening.dealt(ann, at) == cards
    board = ann.board(at)

    toast = await ann.taps("Play 25", at)
    assert "you have" in toast
    assert await ann.taps("Play 25", on=board) == Toast("That is already done.")
    assert await evening.count("SELECT COUNT(*) AS n FROM movements WHERE why = 'settle'") == 1


@places
async def test_a_whole_hand_with_a_restart_between_any_two_taps(
    evening: Evening, ann: Somebody, at: int | None
) -> None:
    evening.unanswered = True
    await ann.says("/deal 25", at)
    board = ann.board(at)
    for label in ("Ante +25", "Deal 50", "Fold", "Cash out", "Yes, leave"):
        await evening.restart()
        await ann.taps(label, at)
    await evening.restart()
    assert ann.board(at).id == board.id
    assert ann.board(at).first == "Ann leaves with 450 chips 🏁"


async def test_a_restart_between_a_tap_and_its_update(evening: Evening, ann: Somebody) -> None:
    """The bot is down while somebody taps: the tap waits at Telegram and counts when the bot is back."""
    await ann.says("/deal 25")
    await evening.acknowledges()
    board = ann.board()
    await evening.stop()
    evening.people.tap(ann.id, ann.id, board.id, payload=board.payload("Deal 25"))
    await evening.begin_again()
    await evening.goes_on()
    assert ann.board().labels == ["Play 25", "Fold", "Hint", "Hands"]


@pytest.mark.postgres
@pytest.mark.timeout(240)  # servers are made one after the other
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_a_restart_in_the_middle_of_a_hand_on_postgresql(evening: Evening, ann: Somebody) -> None:
    await led(ann, PHASES["dealt"], FRIENDS)
    before, board = await evening.books(), ann.board(FRIENDS)
    evening.unanswered = True
    await evening.restart()
    assert (await evening.books(), ann.board(FRIENDS)) == (before, board)
    assert "you have" in await ann.taps("Play 25", FRIENDS)
