"""What people do in contests and on days, by a turned clock."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime

from bot.options import options_of, with_options
from bot.services import seasons
from bot.storage import Tx
from tests.journeys.house import FRIENDS, Evening, Seen, Somebody

HOUR = 3600
DAY = 24 * HOUR


async def clock(evening: Evening, seconds: float = 0) -> None:
    """Turn the clock, and let every timer ring that is due."""
    await evening.clock.advance(seconds)
    await rings(evening)


async def rings(evening: Evening) -> None:
    """Every timer that is due, and all that it paints."""
    for _ in range(3):  # a timer may set another
        await evening.house.jobs.look()
        resting = asyncio.create_task(evening.house.jobs.rest())
        while not (await asyncio.wait({resting}, timeout=0.01))[0]:
            await evening.rests()
        await evening.rests()


async def to(evening: Evening, moment: datetime) -> None:
    """Turn the clock to a moment, and let every timer ring on the way."""
    while evening.clock.now() < moment:
        left = (moment - evening.clock.now()).total_seconds()
        await evening.clock.advance(min(left, HOUR))
        await rings(evening)
        await evening.hear()


async def begun(admin: Somebody, words: str = "", *, at: int = FRIENDS) -> Seen:
    """The message of a contest that an admin has made and started."""
    [maker] = [seen for seen in await admin.hears(f"/contest {words}".strip(), at) if seen.rows]
    toast = await admin.taps("Start the contest", on=maker)
    assert "begun" in toast.text
    return admin.message(maker)


def door(seen: Seen) -> str:
    """What the link under a contest's or a day's message opens."""
    return str(next(key["url"] for row in seen.rows for key in row if "url" in key).partition("start=")[2])


async def enters(somebody: Somebody, contest: Seen) -> Seen:
    """Through the door; the board in private."""
    await somebody.says(f"/start {door(contest)}")
    return somebody.board()


async def plays(somebody: Somebody, hands: int, *, fold: bool = False) -> Seen:
    """So many hands in private; the board afterwards."""
    for _ in range(hands):
        await somebody.taps("Deal")
        if "Fold" in somebody.board().labels:
            await somebody.taps("Fold" if fold else "Play")
    return somebody.board()


async def a_night(somebody: Somebody, *, bet: int) -> None:
    """A night in the group: one fold, and out."""
    await somebody.says(f"/deal {bet}", FRIENDS)
    await somebody.taps("Deal", FRIENDS)
    await somebody.taps("Fold", FRIENDS)
    await somebody.says("/cashout", FRIENDS)


async def todays(somebody: Somebody) -> None:
    """The board of today's five comes down in private."""
    await somebody.says("/daily")
    await somebody.taps("Play today")


async def choose(evening: Evening, **facts: object) -> None:
    """The group's admins chose this, with the time zone under its own name."""
    zone = str(facts.pop("zone", ""))

    def use_case(tx: Tx) -> None:
        now = evening.clock.now()
        chat = tx.chats.seen(FRIENDS, kind="supergroup", title="Poker Friends", now=now)
        chat = with_options(replace(chat, time_zone=zone or chat.time_zone), replace(options_of(chat), **facts))  # type: ignore[arg-type]
        tx.chats.put(chat)
        seasons.arrange(tx, chat, now=now)

    await evening.house.store.run(use_case)
