"""Eight people at a table who tap as people tap, and what their evening costs the group in pictures."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

from core.table import Betting
from tests.journeys.felt import Felt
from tests.journeys.house import FRIENDS, Evening

NAMES = ("Cy", "Dee", "Eve", "Fay", "Gus", "Hal")
STAGES = ("bank", "bets", "decisions", "showdown")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """What one hand cost."""

    pictures: Counter[str]  # edits and messages of the table, by the stage in which they came
    wait: float  # seconds of the evening's clock between the last decision and the picture of the showdown
    worked: float  # seconds of this machine for the same, the emulator's part included

    @property
    def total(self) -> int:
        return self.pictures.total()


async def quiet_evening(evening: Evening, *, hands: int = 4) -> list[Hand]:
    """Some hands of eight people; the clock goes on between the taps."""
    felt = Felt(evening)
    people = [evening.ann, evening.bob, *(evening.guest(name) for name in NAMES)]
    await felt.starts(*people)
    return [await _hand(evening, felt) for _ in range(hands)]


async def _hand(evening: Evening, felt: Felt) -> Hand:
    pictures: Counter[str] = Counter()
    await evening.passes(5)
    _counted(evening)
    await _bank(evening, felt)
    pictures["bank"] = _counted(evening)
    await _bets(evening, felt)
    pictures["bets"] = _counted(evening)
    wait, worked = await _decisions(evening, felt)
    pictures["showdown"] = 1
    pictures["decisions"] = _counted(evening) - 1
    assert "showdown" in felt.seen.text
    await evening.passes(2)
    for player in await felt.sitting():
        await felt.taps(player, "Other bet", rest=False)
        await evening.passes(1, rest=False)
    await evening.rests()
    pictures["bank"] += _counted(evening)
    await felt.offered()
    return Hand(pictures=pictures, wait=wait, worked=worked)


async def _bank(evening: Evening, felt: Felt) -> None:
    await felt.banks(await felt.offered(), 60)
    await evening.passes(4)


async def _bets(evening: Evening, felt: Felt) -> None:
    table = await felt.table()
    assert isinstance(table.stage, Betting)
    last = {seat.user: seat.last for seat in table.seats}
    for seat_id in table.stage.awaited:
        player, new = await felt.person(seat_id), last[seat_id] is None
        if new:
            await felt.adds(player, 0, 5, rest=False)
        await evening.passes(1, rest=False)
        await felt.taps(player, "Ready" if new else "Same bet", rest=False)
        await evening.passes(2, rest=False)


async def _decisions(evening: Evening, felt: Felt) -> tuple[float, float]:
    for player in await felt.players():
        await felt.taps(player, "My cards", rest=False)
        await evening.passes(1, rest=False)
        before, began = evening.clock.now().timestamp(), time.perf_counter()
        await felt.taps(player, "Play", rest=False)
        if await felt.phase() == "showdown":
            await evening.rests()
            return _pictures(evening)[-1] - before, time.perf_counter() - began
        await evening.passes(2, rest=False)
    raise AssertionError("somebody decides last")


def _pictures(evening: Evening) -> list[float]:
    """When each picture of the table went out."""
    calls = evening.calls("editMessageText", "sendMessage")
    return [call["at"] for call in calls if call["params"]["chat_id"] == FRIENDS]


def _counted(evening: Evening) -> int:
    """The pictures since this was last asked."""
    found = len(_pictures(evening))
    assert evening.world.log is not None
    evening.world.log.clear()
    return found
