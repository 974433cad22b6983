"""What people do to contests and days: two at once, leaving, forgetting, moving, restarts, midnight, another zone."""

from __future__ import annotations

import asyncio
import hashlib
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from bot.facts import Tap, Verb
from bot.handlers.outings import DOOR
from bot.options import QuietHours
from bot.services import seasons
from tests.journeys.house import FRIENDS, Evening, Seen, Somebody
from tests.journeys.playing import DAY, HOUR, a_night, begun, choose, clock, door, enters, plays, rings, todays


async def another_group(evening: Evening, ann: Somebody, *members: Somebody) -> int:
    group = int(evening.people.group(ann.id, title="Others", members=[each.id for each in members]))
    await evening.goes_on()
    return group


def told(evening: Evening, words: str, chat: int = FRIENDS) -> list[Seen]:
    return [seen for seen in evening.bot_messages(chat) if words in seen.text]


async def test_a_draft_that_waited_for_telegrams_word_does_not_paint_over_the_contest(
    evening: Evening, ann: Somebody
) -> None:
    """Who is an admin is asked aside, so a key of the draft may be obeyed after Start."""
    [maker] = await ann.hears("/contest 1d 10 hands", FRIENDS)
    await evening.clock.advance(31)  # the look-up that the command made is old by now
    evening.faults(method="getChatMember", kind="slow", seconds=3)
    draft = evening.people.tap(ann.id, FRIENDS, maker.id, payload=maker.payload("20 hands"))
    waiting = asyncio.create_task(evening.people.answer(draft))
    await asyncio.sleep(0)
    await evening.hear()
    started = evening.people.tap(ann.id, FRIENDS, maker.id, payload=maker.payload("Start the contest"))
    begun_ = asyncio.create_task(evening.people.answer(started))
    await asyncio.sleep(0)
    await evening.hear()
    assert "begun" in (await begun_)["text"]
    assert not waiting.done()

    await evening.rests()

    assert await waiting is not None
    assert ann.message(maker).labels == ["Play it in private ↗", "My nights"]


# The same person in two events at once


async def test_who_is_in_two_contests_comes_back_to_the_first_for_its_next_night(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    others = await another_group(evening, ann, bob)
    first = await begun(ann, "1d 5 hands best of 2")
    await enters(bob, first)
    await plays(bob, 5, fold=True)
    second = await begun(ann, "1d 5 hands best of 2", at=others)
    board = await enters(bob, second)
    assert board.lines[1] == "🏁 Others · night 1 of 2 · hand 1 of 5"
    board = await enters(bob, first)
    assert "counts with 375 chips" in board.text
    await bob.taps("Deal: night 2 of 2")
    assert bob.board().lines[1] == "🏁 Poker Friends · night 2 of 2 · hand 1 of 5"
    await plays(bob, 1, fold=True)
    await enters(bob, second)
    await plays(bob, 2, fold=True)
    await clock(evening, DAY)
    assert "1. Bob Silva · 475" in told(evening, "wins")[0].text
    assert "1. Bob Silva · 450" in told(evening, "wins", others)[0].text


async def test_a_day_that_is_played_is_seen_again_through_the_door_after_a_contest(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    [today] = await bob.hears("/daily", FRIENDS)
    await bob.says(f"/start {door(today)}")
    await plays(bob, 5, fold=True)
    await enters(bob, await begun(ann, "1d 5 hands"))
    await bob.says(f"/start {door(today)}")
    assert "375 chips" in bob.board().text
    assert not any(label.startswith("Deal") for label in bob.board().labels)


async def test_a_contest_and_an_open_night_of_the_same_group_do_not_touch_each_other(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await bob.says("/deal 25", FRIENDS)
    await bob.taps("Deal", FRIENDS)
    await enters(bob, await begun(ann, "1h 5 hands"))
    await plays(bob, 1, fold=True)
    await bob.taps("Deal")
    await bob.taps("Fold", FRIENDS)
    await clock(evening, HOUR)
    await bob.says("/cashout", FRIENDS)
    [top] = await bob.hears("/top", FRIENDS)
    assert "1. Bob Silva · 475" in top.text
    assert "1. Bob Silva · 475" in told(evening, "wins")[0].text


# Who leaves


async def test_f109_who_left_the_group_is_no_reason_for_its_daily_message(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await bob.says("/deal", FRIENDS)
    await choose(evening, daily=True)
    evening.people.leave(bob.id, FRIENDS)
    await evening.goes_on()
    before = len(evening.bot_messages(FRIENDS))
    await todays(bob)
    await plays(bob, 5, fold=True)
    await rings(evening)
    assert len(evening.bot_messages(FRIENDS)) == before


async def test_f109_who_left_in_the_middle_holds_no_place_in_a_contest_and_finds_it_again(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    contest = await begun(ann, "1d 5 hands")
    for somebody, hands in ((bob, 1), (dasha, 2)):
        await enters(somebody, contest)
        await plays(somebody, hands, fold=True)
    evening.people.leave(bob.id, FRIENDS)
    await evening.goes_on()
    await clock(evening, 61)
    await plays(dasha, 1, fold=True)
    await clock(evening, 61)
    assert "1. Dasha · 425" in ann.message(contest).text
    assert "Bob" not in ann.message(contest).text
    evening.people.join(bob.id, FRIENDS)
    await evening.goes_on()
    await clock(evening, DAY)
    assert told(evening, "wins")[0].first == "🏆 Bob Silva wins with 475."


# Who is forgotten


async def forgets(somebody: Somebody) -> None:
    [ask] = await somebody.hears("/forget")
    await somebody.taps("Yes", on=ask)


async def test_who_is_forgotten_plays_no_day_twice(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    await todays(bob)
    await plays(bob, 5, fold=True)
    await forgets(bob)
    await bob.says("/daily")
    await bob.taps("Play today")
    assert await evening.count("SELECT COUNT(*) AS n FROM nights") == 1
    assert "Bob" not in str(await evening.house.store.read(lambda tx: tx.rows("SELECT * FROM timers")))
    await evening.clock.advance(DAY)
    await rings(evening)
    assert await evening.count("SELECT COUNT(*) AS n FROM timers WHERE kind = 'played'") == 0  # nothing tells any more
    await todays(bob)
    assert bob.board().lines[1].startswith("Daily · Dec 1")


async def test_who_is_forgotten_gets_no_new_nights_in_a_contest_and_the_name_goes(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    contest = await begun(ann, "1d 5 hands best of 2")
    await enters(bob, contest)
    await plays(bob, 2, fold=True)
    await clock(evening, 61)
    assert "Bob" in ann.message(contest).text
    await forgets(bob)
    await clock(evening, 61)
    assert "Bob" not in ann.message(contest).text
    await bob.says(f"/start {door(contest)}")
    assert await evening.count("SELECT COUNT(*) AS n FROM nights") == 1
    await clock(evening, DAY)
    assert len(told(evening, "wins with 450")) == 1
    assert not told(evening, "Bob")


# The group moves, the bot restarts


async def test_a_contest_goes_on_in_the_supergroup_and_stays_the_only_one(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    home = int(evening.people.group(ann.id, title="Home", members=[bob.id], type="group"))
    await evening.goes_on()
    contest = await begun(ann, "1d 5 hands", at=home)
    [draft] = [seen for seen in await ann.hears("/contest end", home) if seen.rows]
    assert draft.rows
    await enters(bob, contest)
    await plays(bob, 1, fold=True)
    new = int(evening.people.migrate(ann.id, home))
    await evening.goes_on()
    await plays(bob, 1, fold=True)
    await clock(evening, 61)
    shown = told(evening, "best of", new)
    assert len(shown) == 1
    assert "1. Bob Silva · 450" in shown[0].text
    assert await evening.count("SELECT slot AS n FROM events") == new
    await clock(evening, DAY)
    assert [seen.first for seen in told(evening, "wins", new)] == ["🏆 Bob Silva wins with 450."]


async def test_w39_w40_a_contest_survives_a_restart_at_every_stage(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    [maker] = await ann.hears("/contest 1h 5 hands best of 2", FRIENDS)
    await evening.restart()
    await ann.taps("Start the contest", on=maker)
    await evening.restart()
    contest = ann.message(maker)
    assert contest.labels == ["Play it in private ↗", "My nights"]
    await enters(bob, contest)
    await evening.restart()
    await bob.taps("Deal")
    await evening.restart()
    await bob.taps("Fold")
    await evening.restart()
    await plays(bob, 4, fold=True)
    await evening.restart()
    await bob.taps("Deal: night 2 of 2")
    await bob.taps("Deal")
    await evening.restart()
    await evening.clock.advance(HOUR)
    await evening.restart()
    await rings(evening)
    await evening.restart()
    await rings(evening)
    assert [seen.first for seen in told(evening, "wins")] == ["🏆 Bob Silva wins with 375."]
    assert not ann.message(contest).labels
    assert await evening.count("SELECT COUNT(*) AS n FROM nights WHERE closed IS NULL") == 0


# Calm


async def test_live_standings_are_painted_once_a_minute_at_most(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    contest = await begun(ann, "1d 20 hands")
    await enters(bob, contest)
    await bob.says("/deal 5")
    for _ in range(20):
        await bob.taps("Deal")
        await bob.taps("Fold")
        await evening.passes(13)
    edits = [call for call in evening.calls("editMessageText") if int(call["params"]["message_id"]) == contest.id
             and int(call["params"]["chat_id"]) == FRIENDS]  # fmt: skip
    assert len(edits) >= 4
    assert all(float(later["at"]) - float(earlier["at"]) > 59.9 for earlier, later in pairwise(edits))
    assert "1. Bob Silva · 400 (1 of 3)" in ann.message(contest).text


# Its end, and what an admin may do then


async def test_nobody_calls_a_contest_off_after_its_stated_end(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    contest = await begun(ann, "1h 5 hands")
    await enters(bob, contest)
    await plays(bob, 1, fold=True)
    [ask] = await ann.hears("/contest cancel", FRIENDS)
    await evening.clock.advance(HOUR)  # no timer has rung yet
    assert "over" in (await ann.taps("Yes, call it off", on=ask)).text
    await rings(evening)
    assert [seen.first for seen in told(evening, "wins")] == ["🏆 Bob Silva wins with 475."]


async def test_f110_a_contest_over_the_leap_to_summer_time_lasts_real_hours(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await choose(evening, zone="Europe/Kyiv")
    evening.clock._now = datetime(2027, 3, 27, 20, 30, tzinfo=UTC)  # 22:30 in winter time
    contest = await begun(ann, "1d 5 hands")
    assert "ends Mar 28, 23:30 (Kyiv)" in contest.text
    await enters(bob, contest)
    await plays(bob, 1, fold=True)
    ends = await evening.house.store.read(lambda tx: tx.events.running(FRIENDS).ends)  # type: ignore[union-attr]
    evening.clock._now = ends - timedelta(minutes=1)
    await bob.taps("Deal", rest=False)
    await bob.taps("Fold", rest=False)  # in the last minute: it counts
    await rings(evening)
    assert not told(evening, "wins")
    evening.clock._now = ends
    await rings(evening)
    assert "Bob Silva wins with 450" in told(evening, "wins")[0].text


async def test_the_result_waits_while_the_bot_is_out_of_the_group(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    contest = await begun(ann, "1h 5 hands")
    await enters(bob, contest)
    await plays(bob, 1, fold=True)
    await choose(evening, quiet=QuietHours(13, 16))
    await clock(evening, HOUR)
    assert not told(evening, "wins")
    await clock(evening, 3 * HOUR + 5)
    assert len(told(evening, "wins with 475")) == 1


# Midnight


async def test_daily_asked_for_at_midnight_before_the_clock_rings_leaves_nobody_with_an_old_board(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    [message] = await ann.hears("/daily", FRIENDS)
    await todays(bob)
    await plays(bob, 2, fold=True)
    await bob.taps("Deal")
    evening.clock._now = datetime(2026, 12, 1, tzinfo=UTC)
    [page] = await ann.hears("/daily")
    assert page.first == "Daily · Dec 1"
    assert "450 chips" in bob.board().text
    assert "Fold" not in bob.board().labels
    assert ann.message(message).labels == []  # yesterday's five are played no more


async def test_a_second_daily_in_a_group_sends_nothing_while_the_first_is_near(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await ann.hears("/daily", FRIENDS)
    assert await bob.hears("/daily", FRIENDS) == []
    assert len(told(evening, "same five deals")) == 1
    for _ in range(16):
        await bob.says("well", FRIENDS)
    assert len(await bob.hears("/daily", FRIENDS)) == 1


async def test_yesterdays_door_does_not_open_today(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    [message] = await ann.hears("/daily", FRIENDS)
    code = door(message)
    assert DOOR.fullmatch(code)
    await clock(evening, DAY)
    await bob.says(f"/start {code}")
    assert "over" in bob.sees()[-1].text
    assert await evening.count("SELECT COUNT(*) AS n FROM nights") == 0


# Another clock in the middle


async def test_another_time_zone_in_mid_week_moves_the_week_and_loses_no_month(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await choose(evening, seasons=True, zone="Pacific/Pago_Pago")  # 11 hours behind
    evening.clock._now = datetime(2026, 11, 29, 11, 30, tzinfo=UTC)  # Sunday there
    await a_night(ann, bet=25)
    evening.clock._now = datetime(2026, 12, 1, 5, tzinfo=UTC)  # the 30th there
    [top] = await ann.hears("/top", FRIENDS)
    assert "New week: Dec 7, 00:00" in top.text
    assert "Ann" not in top.text
    await ann.says("/settings zone Pacific/Kiritimati", FRIENDS)  # the 1st there, for 19 hours
    await rings(evening)
    assert [seen.lines[:2] for seen in told(evening, "👑")] == [["👑 Poker Friends · Nov 2026", "Champion: Ann"]]
    await ann.says("/settings zone Pacific/Pago_Pago", FRIENDS)  # the 30th again, and a better night in it
    await a_night(bob, bet=5)
    evening.clock._now = datetime(2026, 12, 1, 12, tzinfo=UTC)
    await rings(evening)
    await rings(evening)
    assert len(told(evening, "👑")) == 1
    assert await evening.count("SELECT COUNT(*) AS n FROM champions WHERE month = '2026-11'") == 1
    due = await evening.house.store.read(lambda tx: tx.timers.due(seasons.SEASON, FRIENDS))
    assert due == datetime(2027, 1, 1, 11, tzinfo=UTC)


# Tomorrow


async def test_nobody_gets_at_tomorrows_deals_before_they_are_played(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    """Whatever is asked for, no secret of a day that is not over is sent: every journey ends with a search for it."""
    [page] = await ann.hears("/daily")
    today, tomorrow = (link.partition("start=")[2] for link in page.links[:2])
    await ann.hears("/daily", FRIENDS)
    await todays(ann)
    await plays(ann, 5, fold=True)
    events = {day: await evening.count(f"SELECT id AS n FROM events WHERE commitment = '{day}'")  # noqa: S608 - a seal
              for day in (today, tomorrow)}  # fmt: skip
    for seal, number in events.items():
        [sealed] = await bob.hears(f"/start {seal}")
        assert "Secret:" not in sealed.text
        file = Tap(verb=Verb.CONTEST_FILE, round=number).pack()
        assert "opens after it" in (await ann.sends(file, page)).text
    for words in ("/fair", "/mydata", "/verify 1", f"/start {today}", "/stats"):
        await ann.says(words)
    secrets = await evening.house.store.read(lambda tx: [tx.events.get(each).secret for each in events.values()])  # type: ignore[union-attr]
    assert len({*secrets}) == 2
    chances = [hashlib.sha256(f"journey/{number}/0".encode()).digest() for number in range(9)]
    assert not {*secrets} & {*chances, *(hashlib.sha256(each).digest() for each in secrets)}
