"""The daily five, seasons and quiet hours, by a turned clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.facts import Tap, Verb
from bot.options import QuietHours
from bot.services import seasons
from core import fair
from tests.journeys.house import FRIENDS, Evening, Somebody
from tests.journeys.playing import HOUR, a_night, choose, door, plays, rings, to, todays


async def test_the_daily_five_one_try_and_a_grid_that_spoils_nothing(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    [page] = await ann.hears("/daily")
    assert page.first == "Daily · Nov 30"
    assert page.labels == ["Play today’s five"]
    cards = {}
    for somebody in (ann, bob):
        await todays(somebody)
        seen = []
        for _ in range(5):
            await somebody.taps("Deal")
            board = somebody.board()
            assert not [label for label in board.labels if "Hint" in label]
            old_key = replace(Tap.unpack(board.payload("Hands")), verb=Verb.HINT).pack()
            assert "Hint is off" in (await somebody.sends(old_key, board)).text
            seen.append(somebody.board().lines[3])
            await somebody.taps("Fold")
        cards[somebody.name] = seen
    assert cards["Ann"] == cards["Bob"]

    over = bob.board()
    assert over.labels == ["Copy result", "Picture"]
    copied = over.rows[0][0]["copy_text"]["text"]
    assert copied.split("\n")[0] == "q64 daily · Nov 30"
    assert "375 chips · average 375" in copied
    assert len(copied) <= 256
    assert not any(sign in copied for sign in "♠♥♦♣")
    assert "fold" not in copied.lower()
    [again] = await bob.hears("/daily")
    assert again.labels == ["Copy result"]
    refused = await bob.sends(page.payload("Play today"), again)
    assert "one try for everybody" in refused.text


async def test_the_day_turns_at_midnight_utc_and_yesterdays_secret_opens(evening: Evening, ann: Somebody) -> None:
    [page] = await ann.hears("/daily")
    today, tomorrow = (link.partition("start=")[2] for link in page.links[:2])
    await todays(ann)
    await plays(ann, 2, fold=True)
    await evening.clock.advance(12 * HOUR + 1)
    toast = await ann.taps("Deal")
    assert "over" in toast.text
    [page] = await ann.hears("/daily")
    links = [link.partition("start=")[2] for link in page.links]
    assert links[0] == tomorrow
    assert links[2] == today
    [opened] = await ann.hears(f"/start {today}")
    secret = next(line for line in opened.lines if line.startswith("Secret")).split()[-1]
    assert fair.commitment(bytes.fromhex(secret)) == today
    [sealed] = await ann.hears(f"/start {tomorrow}")
    assert "Secret:" not in sealed.text
    assert await evening.count("SELECT points AS n FROM event_results") == 450  # two folds count as they stand


async def test_nobody_plays_a_day_twice_from_two_groups(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    others = evening.people.group(ann.id, title="Others", members=[bob.id])
    await evening.goes_on()
    [here] = await bob.hears("/daily", FRIENDS)
    [there] = [seen for seen in await bob.hears("/daily", others) if seen.rows]
    assert door(here) != door(there)
    for message in (here, there):
        await bob.says(f"/start {door(message)}")
        if "Deal" in "".join(bob.board().labels):
            await plays(bob, 5, fold=True)
        assert bob.board().labels == ["Copy result", "Picture"]
    assert await evening.count("SELECT COUNT(*) AS n FROM event_results") == 1
    assert await evening.count("SELECT COUNT(*) AS n FROM nights WHERE hands = 5") == 1


async def test_a_group_that_asked_has_one_calm_message_a_day(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    for somebody in (ann, bob):
        await somebody.says("/deal", FRIENDS)
    before = len(evening.bot_messages(FRIENDS))
    await todays(ann)
    await plays(ann, 5, fold=True)
    await rings(evening)
    assert len(evening.bot_messages(FRIENDS)) == before  # nobody asked for it

    await choose(evening, daily=True)
    await todays(bob)
    await plays(bob, 5, fold=True)
    await rings(evening)
    told = evening.bot_messages(FRIENDS)
    assert len(told) == before + 1
    assert told[-1].first == "Daily · Nov 30 · same five deals for all"
    assert [line.split()[0] for line in told[-1].lines[1:]] == ["Ann", "Bob"]

    await dasha.says(f"/start {door(told[-1])}")
    await plays(dasha, 5, fold=True)
    await evening.clock.advance(61)
    await rings(evening)
    assert len(evening.bot_messages(FRIENDS)) == before + 1
    assert "Dasha" in ann.message(told[-1]).text


async def test_a_groups_message_that_somebody_brought_tells_of_who_finishes_later(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await bob.says("/deal", FRIENDS)
    [shown] = await ann.hears("/daily", FRIENDS)
    await todays(bob)
    await plays(bob, 5, fold=True)
    await evening.clock.advance(61)
    await rings(evening)
    assert [line.split()[0] for line in ann.message(shown).lines[1:]] == ["Bob"]


async def test_quiet_hours_put_posts_off_until_they_end(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    await bob.says("/deal", FRIENDS)
    await choose(evening, daily=True, quiet=QuietHours(10, 14), zone="Europe/Kyiv")  # noon in UTC is 14:00 there
    await choose(evening, daily=True, quiet=QuietHours(13, 16), zone="Europe/Kyiv")
    before = len(evening.bot_messages(FRIENDS))
    await todays(bob)
    await plays(bob, 5, fold=True)
    await rings(evening)
    assert len(evening.bot_messages(FRIENDS)) == before
    await to(evening, datetime(2026, 11, 30, 14, 0, 5, tzinfo=UTC))
    assert len(evening.bot_messages(FRIENDS)) == before + 1


async def test_f110_f114_a_months_end_by_the_groups_clock_is_told_once(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await choose(evening, seasons=True, zone="Europe/Kyiv")
    await a_night(ann, bet=5)
    await a_night(bob, bet=25)
    before = len(evening.bot_messages(FRIENDS))
    await to(evening, datetime(2026, 11, 30, 21, 59, 59, tzinfo=UTC))
    assert len(evening.bot_messages(FRIENDS)) == before
    await to(evening, datetime(2026, 11, 30, 22, 0, 5, tzinfo=UTC))  # midnight in Kyiv
    told = evening.bot_messages(FRIENDS)
    assert len(told) == before + 1
    assert told[-1].lines[:4] == ["👑 Poker Friends · Nov 2026", "Champion: Ann", "1. Ann · 495", "2. Bob Silva · 475"]
    await to(evening, datetime(2026, 12, 2, tzinfo=UTC))
    assert len(evening.bot_messages(FRIENDS)) == before + 1
    [top] = await ann.hears("/top", FRIENDS)
    await ann.taps("Champions", on=top)
    assert "Nov 2026: Ann · 495" in ann.message(top).text


async def test_f112_two_months_pass_while_the_bot_is_down(evening: Evening, ann: Somebody) -> None:
    await choose(evening, seasons=True)
    await a_night(ann, bet=5)
    evening.clock._now = datetime(2027, 2, 3, 4, tzinfo=UTC)
    await evening.restart()
    for _ in range(4):
        await rings(evening)
    told = [seen.first for seen in evening.bot_messages(FRIENDS) if "👑" in seen.text]
    assert told == ["👑 Poker Friends · Nov 2026"]  # the empty months are passed over in silence
    due = await evening.house.store.read(lambda tx: tx.timers.due(seasons.SEASON, FRIENDS))
    assert due == datetime(2027, 3, 1, tzinfo=UTC)


async def test_f110_a_week_begins_by_the_wall_clock_also_in_the_week_of_the_leap_to_summer_time(
    evening: Evening, ann: Somebody
) -> None:
    await choose(evening, zone="Europe/Kyiv")
    evening.clock._now = datetime(2027, 3, 28, 20, 30, tzinfo=UTC)  # Sunday 23:30 in Kyiv, in summer time since 03:00
    await a_night(ann, bet=5)
    [top] = await ann.hears("/top", FRIENDS)
    assert "1. Ann · 495" in top.text
    assert "New week: Mar 29, 00:00 (Kyiv)" in top.text
    evening.clock._now += timedelta(minutes=31)
    [top] = await ann.hears("/top", FRIENDS)
    assert "Ann" not in top.text
    assert "New week: Apr 5, 00:00 (Kyiv)" in top.text
