"""Contests by tap and by clock: nights, same deals, their end in time, late, twice at once, and by admins."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.app import House, build
from bot.facts import Tap, Verb
from bot.playground import LOCAL_TOKEN
from bot.settings import read_settings
from tests.journeys.house import FRIENDS, Evening, Somebody
from tests.journeys.playing import HOUR, begun, clock, enters, plays, rings


async def test_boards_5_a_contest_from_one_message_to_its_result(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    [maker] = await ann.hears("/contest", FRIENDS)
    assert maker.lines[0] == "A contest for this group"
    assert "best of 3 nights, 20 hands each" in maker.text
    await ann.taps("10 hands", on=maker)
    await ann.taps("1 day", on=ann.message(maker))
    await ann.taps("Start the contest", on=ann.message(maker))
    contest = ann.message(maker)
    assert contest.labels == ["Play it in private ↗", "My nights"]
    assert contest.first == "🏁 Poker Friends · best of 3 nights, 10 hands each"

    board = await enters(bob, contest)
    assert board.lines[1] == "🏁 Poker Friends · night 1 of 3 · hand 1 of 10"
    board = await plays(bob, 10, fold=True)
    assert "All 10 hands of this night are played: it counts with 250 chips." in board.text
    assert board.labels == ["Deal: night 2 of 3", "My nights", "Picture"]

    await clock(evening, 61)
    assert "1. Bob Silva · 250 (1 of 3)" in ann.message(contest).text
    mine = await bob.taps("My nights", on=contest)
    assert mine.alert
    assert mine.text == "Bob Silva: place 1, 250. Night 1: 250."

    before = len(evening.bot_messages(FRIENDS))
    await clock(evening, 24 * HOUR)
    told = evening.bot_messages(FRIENDS)
    assert len(told) == before + 1
    assert told[-1].first == "🏆 Bob Silva wins with 250."
    assert "late" not in told[-1].text
    assert not ann.message(contest).labels
    await clock(evening, HOUR)
    assert len(evening.bot_messages(FRIENDS)) == before + 1


async def test_only_admins_make_and_end_a_contest(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    assert await bob.hears("/contest", FRIENDS) == []
    [maker] = await ann.hears("/contest", FRIENDS)
    refused = await bob.taps("Start the contest", on=maker)
    assert "Only the admins" in refused.text
    contest = await begun(ann)
    assert await bob.hears("/contest end", FRIENDS) == []
    assert ann.message(contest).labels == ["Play it in private ↗", "My nights"]


async def test_a_contest_as_typed_is_started_by_one_tap(evening: Evening, ann: Somebody) -> None:
    [maker] = await ann.hears("/contest 2d 12 hands best of 5", FRIENDS)
    assert "best of 5 nights, 12 hands each" in maker.text
    assert "lasts 2 days" in maker.text
    [other] = await ann.hears("/contest 33 nights of 9000 hands", FRIENDS)
    assert "Note:" in other.text
    [third] = await ann.hears("/contest by moonlight", FRIENDS)
    assert "Write it like /contest 3d 20 hands best of 3" in third.text


async def test_in_a_contest_no_hint_no_cash_out_and_ordinary_chips_stay_apart(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await bob.says("/deal 25", FRIENDS)
    contest = await begun(ann)
    await enters(bob, contest)
    await bob.taps("Deal")
    [told] = await bob.hears("/hint")
    assert "Hint is off" in told.text
    assert "Hint" not in told.labels
    await bob.taps("Fold")
    assert "Cash out" not in bob.board().labels
    [said] = await bob.hears("/cashout")
    assert "Here nobody cashes out" in said.text
    assert (await evening.seat(bob, FRIENDS)).chips == 500


async def test_f112_a_contest_that_ends_while_the_bot_is_down_is_told_late_and_once(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    contest = await begun(ann, "1d 10 hands")
    await enters(bob, contest)
    await plays(bob, 2, fold=True)
    await bob.taps("Deal")  # 25 chips in play
    evening.clock._now += timedelta(hours=24, minutes=10)  # nobody looks meanwhile
    toast = await bob.taps("Play")  # tapped in time or not: it arrives after the end
    assert "over" in toast.text
    await evening.restart()
    await rings(evening)

    told = [seen for seen in evening.bot_messages(FRIENDS) if "wins" in seen.text]
    assert len(told) == 1
    assert "1. Bob Silva · 450" in told[0].text  # two folds; the stake in play went back
    assert "This comes late" in told[0].text
    assert "counts with 450 chips" in bob.board().text
    await evening.restart()
    await rings(evening)
    assert len([seen for seen in evening.bot_messages(FRIENDS) if "wins" in seen.text]) == 1


async def test_f113_two_admins_and_the_timer_at_once_end_it_once(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    evening.people.promote(ann.id, FRIENDS, member=dasha.id)
    contest = await begun(ann, "1h 10 hands")
    await enters(bob, contest)
    await plays(bob, 1, fold=True)
    [ask] = await ann.hears("/contest end", FRIENDS)
    payload = ask.payload("Yes, end it now")
    await evening.clock.advance(HOUR)
    await evening.house.jobs.look()
    await asyncio.gather(ann.sends(payload, ask), evening.house.jobs.rest())
    assert "over" in (await dasha.sends(payload, ask)).text
    await rings(evening)

    assert len([seen for seen in evening.bot_messages(FRIENDS) if "wins" in seen.text]) == 1
    assert await evening.count("SELECT COUNT(*) AS n FROM event_results") == 1


async def test_called_off_is_said_and_recorded(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    contest = await begun(ann)
    await enters(bob, contest)
    await plays(bob, 1, fold=True)
    [ask] = await ann.hears("/contest cancel", FRIENDS)
    await ann.taps("Yes, call it off", on=ask)
    await rings(evening)

    told = evening.bot_messages(FRIENDS)[-1]
    assert "Called off by Ann" in told.text
    assert await evening.count("SELECT COUNT(*) AS n FROM event_results") == 0
    assert "called off" in bob.board().text
    assert await evening.count("SELECT MAX(closed_by) AS n FROM events WHERE called_off = 1") == ann.id
    await begun(ann)  # the place is free again


async def test_same_deals_are_the_same_for_all_and_open_at_the_end(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    contest = await begun(ann, "1d 10 deals")
    cards = {}
    for somebody in (bob, dasha):
        await enters(somebody, contest)
        seen = []
        for _ in range(10):
            await somebody.taps("Deal")
            seen.append(somebody.board().lines[3])
            await somebody.taps("Fold")
            assert "Proof" not in somebody.board().labels
        cards[somebody.name] = seen
        await clock(evening, 61)
    assert cards["Bob"] == cards["Dasha"]
    assert len(set(cards["Bob"])) == 10
    seal = contest.links[-1].partition("start=")[2]
    [sealed] = await bob.hears(f"/start {seal}")
    assert "Secret" not in sealed.text
    await clock(evening, 24 * HOUR)

    told = evening.bot_messages(FRIENDS)[-1]
    assert {"1. Bob Silva · 250", "1. Dasha · 250"} < set(told.lines)
    [opened] = await bob.hears(f"/start {seal}")
    assert "Secret: " in opened.text
    await bob.taps("File", on=opened)
    assert len(evening.calls("sendDocument")) == 1


@pytest.mark.parametrize("verb", [Verb.CONTEST_START, Verb.CONTEST_MAKE])
@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param((9, 20, 3, 72), id="no such kind"),
        pytest.param((0, 4, 3, 72), id="four hands"),
        pytest.param((0, 20, 11, 72), id="eleven nights"),
        pytest.param((1, 31, 1, 72), id="31 deals"),
        pytest.param((0, 20, 3, 0), id="no time at all"),
        pytest.param((0, 20, 3, 745), id="over 31 days"),
    ],
)
async def test_f33_a_hand_made_contest_is_refused(
    evening: Evening, ann: Somebody, verb: Verb, numbers: tuple[int, int, int, int]
) -> None:
    [maker] = await ann.hears("/contest", FRIENDS)
    assert (await ann.sends(Tap(verb=verb, numbers=numbers).pack(), maker)).text
    assert await evening.count("SELECT COUNT(*) AS n FROM events") == 0


async def _second_process(evening: Evening) -> House:
    """Another worker on the same database, with its own jobs and its own painter."""
    settings = read_settings(
        _env_file=None,
        bot_token=LOCAL_TOKEN,
        bot_api_url=evening.running.base_url,
        database_url=evening.database,
        webhook_url="",
        allowed_chats="",
    )
    return await build(settings, clock=evening.clock, chance=evening.chance)


@pytest.mark.postgres
@pytest.mark.timeout(180)
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_f113_two_processes_at_the_same_end_tell_it_once(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    other = await _second_process(evening)
    try:
        contest = await begun(ann, "1h 10 hands")
        await enters(bob, contest)
        await plays(bob, 1, fold=True)
        await evening.clock.advance(HOUR)
        for _ in range(3):
            await asyncio.gather(evening.house.jobs.look(), other.jobs.look())
            resting = asyncio.gather(evening.house.jobs.rest(), other.jobs.rest())
            while not (await asyncio.wait({resting}, timeout=0.01))[0]:
                await evening.rests()
                await evening.clock.wake_next()
            await asyncio.gather(evening.rests(), other.painter.rest())
        told = [seen for seen in evening.bot_messages(FRIENDS) if "wins" in seen.text]
        assert [seen.first for seen in told] == ["🏆 Bob Silva wins with 475."]
        assert not ann.message(contest).labels
    finally:
        await other.close()


async def test_f109_who_left_holds_no_place_and_finds_it_again(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    for somebody, bet in ((bob, 5), (ann, 25)):
        await somebody.says(f"/deal {bet}", FRIENDS)
        await somebody.taps("Deal", FRIENDS)
        await somebody.taps("Fold", FRIENDS)
        await somebody.says("/cashout", FRIENDS)
    evening.people.leave(bob.id, FRIENDS)
    await evening.goes_on()
    [top] = await ann.hears("/top", FRIENDS)
    assert top.lines[1] == "1. Ann · 475"
    assert "Bob" not in top.text
    evening.people.join(bob.id, FRIENDS)
    await evening.goes_on()
    [top] = await ann.hears("/top", FRIENDS)
    assert top.lines[1:3] == ["1. Bob Silva · 495", "2. Ann · 475"]
