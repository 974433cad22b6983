"""Two hundred taps in one group within a minute: every tap is answered at once, and the group sees twenty edits at most."""

from __future__ import annotations

import asyncio
from random import Random
from statistics import quantiles
from time import perf_counter

import pytest

from bot.facts import Verb
from tests.journeys.house import FRIENDS, Evening, Seen, Somebody

TAPS, PEOPLE, MINUTE = 200, 8, 60.0


async def answered_in(evening: Evening, who: Somebody, board: Seen, payload: str) -> float:
    """Seconds of real time from tap to answer."""
    begun = perf_counter()
    query = evening.people.tap(who.id, board.chat, board.id, payload=payload)
    assert await evening.people.answer(query) is not None
    return perf_counter() - begun


async def tapped(evening: Evening, taps: list[tuple[Somebody, Seen, str]]) -> list[float]:
    """All of them at once; the pictures take their time."""
    waiting = [asyncio.create_task(answered_in(evening, *each)) for each in taps]
    await asyncio.sleep(0)
    await evening.hear()
    return await asyncio.gather(*waiting)


def p99(seconds: list[float]) -> float:
    return quantiles(seconds, n=100)[-1]


async def idle(evening: Evening, who: Somebody) -> float:
    """One person alone in the group, one tap after the other, every picture painted before the next."""
    taken = []
    await who.says("/deal 10", FRIENDS)
    for label in ("Ante +25", "Ante −25") * (TAPS // 2):
        board = who.board(FRIENDS)
        taken += await tapped(evening, [(who, board, board.payload(label))])
        await evening.clock.advance(5)
        await evening.rests()
    return p99(taken)


@pytest.mark.slow
async def test_f37_two_hundred_taps_a_minute_are_twenty_edits_and_the_right_picture(evening: Evening) -> None:
    chance = Random(64)
    alone = await idle(evening, evening.ann)
    await evening.clock.advance(120)
    people = [evening.guest(f"G{number}x", language_code="en") for number in range(PEOPLE)]
    seats = []
    for who in people:
        await who.says("/deal 10", FRIENDS)
        board = who.board(FRIENDS)
        if board.labels[-1] == "Play it here":
            await who.taps("Play it here", on=board)
        seats.append((who, who.message(board)))
    await evening.clock.advance(120)
    await evening.rests()
    before, states = len(evening.calls("editMessageText", "sendMessage")), await wanted(evening)
    evening.world.limited = True

    taken: list[float] = []
    for _ in range(TAPS // PEOPLE):
        taps = []
        for who, board in seats:
            now = who.message(board)
            betting = chance.random() < 0.8
            verbs = (Verb.ADD, Verb.TAKE, Verb.CHIP) if betting else (Verb.DEAL, Verb.PLAY, Verb.FOLD, Verb.NEW_NIGHT)
            keys = [str(key["callback_data"]) for row in now.rows for key in row if "callback_data" in key]
            able = [key for key in keys if key.split(":")[1] in verbs] or keys
            taps.append((who, now, chance.choice(able)))
        taken += await tapped(evening, taps)
        await evening.clock.advance(MINUTE * PEOPLE / TAPS)
        await evening.calls_end()

    edits = len(evening.calls("editMessageText", "sendMessage")) - before
    reached = await wanted(evening) - states
    busy = p99(taken)
    print(
        f"\n{len(taken)} taps, {reached} states, {edits} edits within the minute; p99 from tap to answer "
        f"{1000 * busy:.1f} ms, {busy / alone:.1f} times an idle bot's {1000 * alone:.1f} ms"
    )
    assert len(taken) == TAPS
    assert 0 < edits <= 20
    assert reached > 20
    await evening.rests()
    assert [call for call in evening.calls("editMessageText", "sendMessage") if call["error_code"] == 429] == []
    for who, _ in seats:
        first, keys = await evening.picture(who, FRIENDS)
        assert (who.board(FRIENDS).first, who.board(FRIENDS).labels) == (first, keys)


async def wanted(evening: Evening) -> int:
    """Pictures that were asked for so far."""
    return await evening.count("SELECT COALESCE(SUM(wanted), 0) AS n FROM boards")
