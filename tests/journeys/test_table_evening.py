"""Eight people at one table for an evening: three rotations of the bank, and everything that can happen meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from core.table import Betting, Deciding, Showdown
from tests.journeys.felt import Felt
from tests.journeys.house import Evening, Somebody
from tests.journeys.quiet import NAMES, quiet_evening


@dataclass(slots=True)
class Host:
    """Leads a table through its hands; what happens in between is the test's."""

    felt: Felt
    banked: list[str] = field(default_factory=list)  # who banked, hand after hand
    short: int = 0  # hands in which a bank could not pay, or not take, everything

    @property
    def evening(self) -> Evening:
        return self.felt.evening

    async def bank(self, *, chips: int = 60) -> Somebody:
        """Whoever is asked puts up a small bank."""
        who = await self.felt.offered()
        await self.felt.banks(who, min(chips, await self.felt.chips(who)))
        self.banked.append(who.name)
        return who

    async def bets(self, *, absent: tuple[Somebody, ...] = ()) -> None:
        """Everybody but the absent bets; the first time with chips, later with one tap."""
        stage = (await self.felt.table()).stage
        assert isinstance(stage, Betting)
        seats = {seat.user: seat for seat in (await self.felt.table()).seats}
        for place, seat_id in enumerate(stage.awaited):
            who = await self.felt.person(seat_id)
            if who in absent or await self.felt.chips(who) < 10:
                continue
            last = seats[seat_id].last
            if last is not None and last.need <= await self.felt.chips(who):
                await self.felt.taps(who, "Same bet", rest=False)
            else:
                await self.felt.bets(who, 5 + 5 * (place % 3), 5 * (place % 2))
        await self.evening.goes_on()
        if await self.felt.phase() == "betting":
            await self.evening.passes(31)

    async def decides(self) -> None:
        """Everybody who still has to looks and decides; every other one folds."""
        await self.felt.nothing_leaks()
        for place, who in enumerate(await self.felt.players()):
            if await self.felt.phase() != "deciding":
                break
            await self.felt.taps(who, "My cards", rest=False)
            await self.felt.taps(who, "Fold" if place % 3 == 2 else "Play", rest=False)
            if await self.felt.phase() == "deciding":
                await self.felt.nothing_leaks()
        await self.evening.goes_on()

    async def showdown(self, *, absent: tuple[Somebody, ...] = ()) -> None:
        stage = (await self.felt.table()).stage
        assert isinstance(stage, Showdown)
        self.short += any(seat.short for seat in stage.settled.seats)
        assert sum(seat.net for seat in stage.settled.seats) + stage.settled.banker_net == 0
        await self.evening.audit()
        for log in (self.evening.world.log, self.evening.log):
            if log is not None:
                log.clear()
        for who in await self.felt.sitting():
            if who not in absent and await self.felt.phase() == "showdown":
                await self.felt.taps(who, "Other bet", rest=False)
        await self.evening.goes_on()
        if await self.felt.phase() == "showdown":
            await self.evening.passes(31)

    async def hand(self) -> None:
        await self.bank()
        await self.bets()
        await self.decides()
        await self.showdown()


async def gathered(evening: Evening, felt: Felt) -> list[Somebody]:
    """Ann, Bob and six more at the table of a basic group."""
    people = [evening.ann, evening.bob, *(_friend(evening, felt.chat, name) for name in NAMES)]
    await felt.sits(*people)
    return people


def _friend(evening: Evening, chat: int, name: str) -> Somebody:
    who = evening.people.add_person(first_name=name)
    evening.people.join(who, chat)
    return Somebody(evening, who, name)


@pytest.mark.timeout(300)
@pytest.mark.slow
async def test_three_rotations_of_eight_people(evening: Evening) -> None:
    """
    With shortages, an absence, somebody who leaves in mid-hand and comes back, a restart in every stage and a group
    that becomes a supergroup in mid-round; the ledger is at zero all the time, and nobody sees anybody else's cards.
    """
    evening.unanswered = True
    group = evening.people.group(evening.ann.id, title="Old friends", type="group", members=[evening.bob.id])
    felt = Felt(evening, group)
    host = Host(felt)
    people = await gathered(evening, felt)
    gus, hal = people[6], people[7]

    # The first rotation: two hands each, with a restart in every stage.
    await evening.restart()  # lobby
    await felt.taps(people[5], "Start")
    await evening.restart()  # offered
    assert await felt.offered() == people[0]
    await host.bank()
    await evening.restart()  # betting, nobody ready
    await felt.bets(people[1], 10)
    await evening.restart()  # betting, one ready
    await host.bets()
    await evening.restart()  # deciding
    await host.decides()
    await evening.restart()  # showdown
    await host.showdown()
    while len(host.banked) < 16:
        await host.hand()
    assert host.banked == [who.name for who in people for _ in range(2)]

    # The second: Hal is away for two hands and loses the place; Gus leaves with his cards in hand.
    for _ in range(2):
        await host.bank()
        await host.bets(absent=(hal,))
        await host.decides()
        await host.showdown(absent=(hal,))
    assert hal not in await felt.sitting()
    await host.bank()
    await host.bets()
    assert gus in await felt.players()
    await gus.says("/table leave", group)
    await host.decides()
    assert "auto" in next(line for line in felt.seen.lines if line.startswith("Gus "))
    await host.showdown()
    assert gus not in await felt.sitting()
    await felt.sits(hal, gus)
    assert [who.name for who in await felt.sitting()][-2:] == ["Hal", "Gus"]

    # The group becomes a supergroup while the cards are out.
    await host.bank()
    await host.bets()
    place = await felt.place()
    assert isinstance(place.table.stage, Deciding)
    felt.chat = evening.people.migrate(evening.ann.id, group)
    await evening.goes_on()
    moved = await felt.place()
    assert (moved.id, moved.table.stage) == (place.id, place.table.stage)
    assert "Play" in felt.seen.labels
    await host.decides()
    await host.showdown()

    # The rest of the second rotation and the third.
    order = [who.name for who in await felt.sitting()]
    while not (len(host.banked) > 40 and set(host.banked[-16:]) == set(order)):
        await host.hand()

    assert host.short > 5
    assert len(host.banked) >= 3 * 8
    await evening.audit()


async def test_eight_people_cost_about_six_pictures_a_hand(evening: Evening) -> None:
    """With a tap or two every three seconds, as people tap; and the showdown follows the last decision at once."""
    measured = await quiet_evening(evening)

    assert all(hand.total <= 7 for hand in measured)  # two or three in bets, two in decisions, the showdown, the bank
    assert max(hand.wait for hand in measured) <= 1.0
