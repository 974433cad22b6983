"""A board that is no longer kept: its keys get a friendly word, the books stay whole, and /deal brings a new one."""

from __future__ import annotations

from bot.services.audit import audit
from bot.storage.inspection import inspecting
from tests.journeys.house import FRIENDS, Evening, Somebody

_LONG = 91 * 86_400.0
_PLAYED = (
    "SELECT (SELECT COUNT(*) FROM rounds) + (SELECT COUNT(*) FROM nights) + (SELECT COUNT(*) FROM entries)"
    " + (SELECT COUNT(*) FROM movements) + (SELECT COUNT(*) FROM seats) AS n"
)


async def sweeps(evening: Evening) -> None:
    """A day's walk through the boards, and an hour's through the marks."""
    for _ in range(3):
        await evening.house.jobs.sweep()
    await evening.house.jobs.forget()


async def test_a_board_that_is_over_goes_and_one_in_play_stays(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    await bob.says("/deal 25", FRIENDS)
    await bob.taps("Deal", FRIENDS)
    hand = bob.board(FRIENDS)
    await ann.says("/deal 25", FRIENDS)
    await ann.taps("Deal", FRIENDS)
    await ann.taps("Play", FRIENDS)
    await ann.says("/cashout", FRIENDS)
    over = ann.board(FRIENDS)
    played = await evening.count(_PLAYED)
    await evening.clock.advance(_LONG)
    await evening.restart()
    await sweeps(evening)

    assert await evening.count("SELECT COUNT(*) AS n FROM boards") == 1
    assert await evening.count("SELECT COUNT(*) AS n FROM marks") == 0
    assert await evening.count(_PLAYED) == played
    with inspecting(evening.database) as look:
        assert [*audit(look)] == []

    toast = await ann.taps("Deal: a new night", on=over)
    assert toast.text == "That key is no longer in use. /deal brings your board."
    assert ann.message(over).labels == []
    [anew] = await ann.hears("/deal 25", FRIENDS)
    assert anew.labels[-1] == "Deal 25"
    await bob.taps("Play", on=hand)
    assert await evening.count("SELECT COUNT(*) AS n FROM rounds WHERE phase = 'settled'") == 2
