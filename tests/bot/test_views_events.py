"""Contests and the daily five as people see them: BOARDS section 5, in signs and in words."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import product

import pytest

from bot.events import Crown, DayBoard, DayPage, DayRow, OwnNight, OwnNights, SeasonEnd, Standing, Standings, Terms
from bot.facts import Design, Event, EventKind, Night, Outing, Score, Summary, Verb
from bot.views import contests, daily, outings, share, solo, standings
from bot.views.kit import View, length
from core.betting import Wager
from core.daily import Grid, Quality, Result
from core.settlement import Decision
from tests.bot.scenes import COMMITMENT, GROUP, NOON, SELMINHA, ended, page, scene, settled

BEST, SLIGHT, POOR = Quality.BEST, Quality.SLIGHT, Quality.POOR
ENDS = datetime.fromisoformat("2026-12-06T20:00:00+00:00")
EVENT = Event(
    id=7, kind=EventKind.NIGHTS, chat_id=GROUP.id, rules=SELMINHA, nights=3, hands=20, buy_in=500, made=NOON,
    opens=NOON, ends=ENDS,
)  # fmt: skip
DAY = replace(
    EVENT, kind=EventKind.DAILY, chat_id=None, nights=1, hands=5, day="2026-11-30", commitment=COMMITMENT,
    deals=(1, 2, 3, 4, 5),
)  # fmt: skip
GRID = Grid(
    day="2026-11-30",
    result=Result(user=1, chips=540, qualities=(BEST, BEST, SLIGHT, BEST, BEST)),
    average=Fraction(512),
    days_this_month=9,
)
ROWS = (
    Standing(rank=1, user_id=1, name="Ann", points=1105, played=3),
    Standing(rank=2, user_id=2, name="Bob", points=880, played=1),
    Standing(rank=2, user_id=3, name="<b>Cy", points=880, played=2),
)
CONTEST = Standings(event=EVENT, chat=replace(GROUP, time_zone="Europe/Kyiv"), code="a" * 26, rows=ROWS)


def seen(view: View) -> str:
    """Text without tags and isolates, then the keys."""
    text = re.sub(r"<(?!b>C)[^>]*>|[\u2066-\u2069]", "", view.text).replace("&lt;", "<").replace("&gt;", ">")
    return "\n".join([text, *("[" + "] [".join(key.label for key in row) + "]" for row in view.keys)])


def test_boards_5_a_contest_as_it_stands() -> None:
    assert seen(standings.board(CONTEST, page())) == (
        """🏁 Poker Friends · best of 3 nights, 20 hands each
1. Ann · 1,105 (3 of 3)
2. Bob · 880 (1 of 3)
2. <b>Cy · 880 (2 of 3)

3 people · ends Dec 6, 22:00 (Kyiv)
For honour only. Hint is off until a hand is settled.
[Play it in private ↗] [My nights]"""
    )


def test_f112_an_end_that_is_told_late_says_so() -> None:
    closed = replace(EVENT, closed=ENDS + timedelta(hours=2))
    over = replace(CONTEST, event=closed, late=True)
    told = seen(standings.final(over, page()))

    assert told.split("\n")[0] == "🏆 Ann wins with 1,105."
    assert "Ended Dec 6, 22:00 (Kyiv)." in told
    assert "This comes late" in told
    assert "late" not in seen(standings.final(replace(over, late=False), page()))


def test_f108_two_winners_are_named_both() -> None:
    tied = replace(CONTEST, event=replace(EVENT, closed=ENDS), rows=(ROWS[0], replace(ROWS[1], rank=1, points=1105)))

    assert seen(standings.final(tied, page())).split("\n")[0] == "🏆 Ann, Bob wins with 1,105."


@pytest.mark.parametrize(
    "by, told",
    [
        pytest.param("Ann", "Called off by Ann, Nov 30, 14:00 (Kyiv): no result.", id="by name"),
        pytest.param("", "Called off by an admin, Nov 30, 14:00 (Kyiv): no result.", id="anonymous"),
    ],
)
def test_called_off_is_said_by_whom(by: str, told: str) -> None:
    off = replace(CONTEST, event=replace(EVENT, closed=NOON, called_off=True), rows=(), by=by)

    assert told in seen(standings.final(off, page()))


def test_half_points_of_matchpoints() -> None:
    event = replace(EVENT, kind=EventKind.MATCHPOINTS, nights=1, hands=12, wager=Wager(ante=25), deals=(1,) * 12)
    told = standings.board(replace(CONTEST, event=event, rows=(replace(ROWS[0], points=15, played=12),)), page())

    assert "1. Ann · 7½\n" in seen(told)
    assert "Bets of every deal: Ante 25." in seen(told)


def test_the_maker_shows_what_is_chosen_and_one_key_starts() -> None:
    view = standings.maker(Terms(kind=EventKind.SAME_DEALS, hands=20, nights=1, hours=24), page())
    assert seen(view).split("\n")[-4:] == [
        "[Nights] [● Same deals] [Matchpoints]",
        "[10 deals] [● 20 deals] [30 deals]",
        "[● 1 day] [3 days] [7 days] [30 days]",
        "[Start the contest]",
    ]
    assert view.keys[-1][0].tap is not None
    assert view.keys[-1][0].tap.numbers == (1, 20, 1, 24)


def test_my_nights_in_one_alert() -> None:
    nights = (OwnNight(chips=640, hands=20, over=True), OwnNight(chips=520, hands=7, over=False))
    own = OwnNights(event=EVENT, nights=nights, standing=ROWS[1])
    told = standings.own_alert(own, page()).translate(dict.fromkeys(range(0x2066, 0x206A)))

    assert told == "Bob: place 2, 880. Night 1: 640. Night 2: 520 after 7 of 20."
    many = replace(own, nights=nights * 5)
    assert length(standings.own_alert(many, page())) <= 200


def test_a_board_of_a_contest_says_which_night_and_hand() -> None:
    value = scene(settled("Qh 6c 4d", "Js Td 8c", Wager(ante=25), Decision.PLAY), chips=520, hands=5)
    value = replace(value, outing=Outing(event=EVENT, group="Poker Friends", night=2, left=1))
    lines = seen(solo.board(value, page())).split("\n")

    assert lines[1] == "🏁 Poker Friends · night 2 of 3 · hand 5 of 20"
    assert "Cash out" not in "".join(lines)


def test_a_full_night_counts_and_the_next_may_follow() -> None:
    value = scene(settled("Qh 6c 4d", "Js Td 8c", Wager(ante=25), Decision.PLAY), chips=520, hands=20)
    summary = Summary(hands=20, net=20, given_away=Fraction(0), best=None, path=(500, 520))
    over = replace(ended(value, summary, chips=520), outing=Outing(event=EVENT, group="G", night=1, left=2))
    told = seen(solo.board(over, page()))

    assert "All 20 hands of this night are played: it counts with 520 chips." in told
    assert told.split("\n")[-2:] == ["[My nights]", "[Picture]"]


# The daily five


def test_boards_5_the_share_grid() -> None:
    lines = share.grid_text(GRID, COMMITMENT, page()).split("\n")

    assert lines[:4] == ["q64 daily · Nov 30", "✅ ✅ 🔸 ✅ ✅", "540 chips · average 512", "Day 9 this month"]
    assert lines[4] == f"q64: https://t.me/q64_local_bot?start={COMMITMENT}"


def test_the_grid_tells_neither_cards_nor_decisions_and_fits_a_copy_key() -> None:
    for qualities in product(Quality, repeat=5):
        grid = replace(GRID, result=replace(GRID.result, qualities=qualities))
        for design in (Design.CLASSIC, Design.WORDS):
            text = share.grid_text(grid, COMMITMENT, page(design))
            assert length(text) <= share.MOST
            assert not re.search("[♠♥♦♣]|fold|play", text.replace("_", "").lower())


def test_boards_5_the_groups_message_of_the_day() -> None:
    rows = (
        DayRow(user_id=1, name="Ann", chips=565, qualities=(BEST,) * 5),
        DayRow(user_id=2, name="Cy", chips=430, qualities=(POOR, *(BEST,) * 4)),
    )
    board = DayBoard(event=DAY, chat=GROUP, code="b" * 26, rows=rows)

    assert seen(daily.board(board, page())) == (
        """Daily · Nov 30 · same five deals for all
Ann ✅✅✅✅✅ 565
Cy ❌✅✅✅✅ 430
[Play today’s five ↗]"""
    )
    assert "costly, best, best, best, best" in daily.board(board, page(Design.WORDS)).text


def test_the_daily_page_shows_three_seals() -> None:
    closed = replace(DAY, closed=NOON)
    value = DayPage(today=DAY, tomorrow=DAY, yesterday=closed, own=None, under_way=False, days=8, now=NOON, person=None)
    told = seen(daily.page_of(value, page()))

    assert [line.split(":")[0] for line in told.split("\n") if "630d" in line] == [
        "Today",
        "Tomorrow",
        "Yesterday’s secret is open",
    ]
    assert "A day goes from 00:00 to 24:00 UTC." in told


def test_no_secret_in_any_picture_before_the_end() -> None:
    running = replace(DAY, secret=bytes(range(32)))
    told = standings.sealed(running, page())
    assert bytes(range(32)).hex() not in told.text + "".join(key.copy for row in told.keys for key in row)
    opened = standings.sealed(replace(running, closed=NOON), page())
    assert bytes(range(32)).hex() in opened.text


# Seasons


def test_a_season_names_its_champion_and_the_five() -> None:
    top = tuple(
        Score(rank=rank, user_id=place, name=name, chips=chips, reached=NOON)
        for place, (rank, name, chips) in enumerate([(1, "Ann", 900), (1, "Bob", 900), (3, "", 100)])
    )
    told = seen(contests.season(SeasonEnd(chat=GROUP, month="2026-11", top=top), page())).split("\n")

    assert told[:5] == [
        "👑 Poker Friends · Nov 2026",
        "Champion: Ann, Bob",
        "1. Ann · 900",
        "1. Bob · 900",
        "3. someone #1002 · 100",
    ]


def test_the_hall_of_champions() -> None:
    view = contests.hall((Crown(month="2026-11", user_id=1, name="Ann", chips=900),), page(), title="G & Co", asker=1)

    assert seen(view) == "👑 G &amp; Co · hall of champions\nNov 2026: Ann · 900\n[Back]"


# Sharing


def test_a_finished_night_and_a_great_hand_are_texts_to_copy_with_their_seal() -> None:
    great = settled("Ah Kh Qh", "Ks Jd 4c", Wager(ante=25), Decision.PLAY)
    value = scene(great, chips=925)
    [key] = share.hand_key(value.shown, great, page()) if value.shown else ()
    assert key.copy.endswith(f"hand 4821: https://t.me/q64_local_bot?start={COMMITMENT}")
    assert length(key.copy) <= share.MOST
    folded = settled("Ah Kh Qh", "Ks Jd 4c", Wager(ante=25), Decision.FOLD)
    assert value.shown is not None
    assert share.hand_key(value.shown, folded, page()) == ()
    assert share.hand_key(replace(value.shown, deal=3), great, page()) == ()  # others still play it
    night = Night(id=1, seat_id=1, rules=SELMINHA, opened=NOON, buy_in=500, hands=31, chips=640)
    summary = Summary(hands=31, net=140, given_away=Fraction(0), best=None, path=(500, 640), last=(4821, COMMITMENT))
    named = replace(value, owner=replace(value.owner, name="👨‍👩‍👧" * 40))
    for design in (Design.CLASSIC, Design.WORDS):
        [copy] = share.night_key(named, night, summary, page(design))
        assert length(copy.copy) <= share.MOST
        assert COMMITMENT in copy.copy


def test_a_private_board_of_an_event_never_offers_to_show_the_group() -> None:
    value = scene(settled("Qh 6c 4d", "Js Td 8c", Wager(ante=25), Decision.PLAY), chips=520, chat=GROUP)
    summary = Summary(hands=5, net=20, given_away=Fraction(0), best=None, path=(500, 520))
    over = replace(ended(value, summary, chips=520), outing=Outing(event=DAY, group="", night=1, left=0, grid=GRID))
    taps = {key.tap.verb for row in outings.end_keys(over, over.shown, page()) for key in row if key.tap}  # type: ignore[arg-type]

    assert taps == {Verb.PICTURE}
