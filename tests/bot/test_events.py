"""Contests, days and seasons through the services, on both databases: what counts, what opens when, and once."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from bot.events import Terms
from bot.facts import Chat, Event, EventKind, SoloBoard, Tap, Verb, Who, event_id_of
from bot.options import Ban, QuietHours, options_of, with_options
from bot.periods import Period
from bot.refusals import (
    BetFixed,
    BlackListed,
    ContestRuns,
    EventOver,
    HintOff,
    NoCashOut,
    NotOpenYet,
    NotYourDoor,
    Refusal,
)
from bot.services import (
    announcements,
    contest_course,
    daily,
    events,
    forgetting,
    people,
    sealed_events,
    seasons,
    solo,
    solo_hand,
    solo_pages,
    stats,
)
from bot.services import contests as records
from bot.services import records as own_records
from bot.services.contest_course import Shown
from bot.services.standings import own_nights, standings
from bot.services.transcripts import by_number, choose_words
from bot.storage import StorageUnavailable, Store, Tx, open_store
from bot.views.event_files import event_file
from core import contests, fair
from core.errors import BadContest, NoMoreNights, RuleError
from core.fair import Verified, verify
from core.odds import hint
from core.rules import SELMINHA
from core.settlement import Decision
from core.solo import Dealt
from tests.bot.databases import NOW, database, somebody, store
from tests.bot.sitting import Player, secret

__all__ = ["database", "store"]

GROUP, ADMIN = -100, 77
LATER = NOW + timedelta(days=4)
_drafts = count(5)
_updates = count(50_000)


def at(user: int, chat: int = GROUP, *, message: int | None = 5) -> Who:
    return somebody(user, chat, message)


async def begun(store: Store, terms: Terms | None = None, *, now: datetime = NOW) -> Event:
    draft = at(ADMIN, message=next(_drafts))
    shown = await store.run(contest_course.start, draft, terms or Terms(hands=10), chance=secret(), now=now)
    return shown.standings.event


async def code_of(store: Store, event: Event) -> str:
    board = await store.read(lambda tx: tx.events.board(event.id, event.chat_id or 0))
    assert board is not None
    return board.code


async def enters(store: Store, user: int, event: Event, *, now: datetime = NOW) -> Player:
    """Somebody at the private chat, with the board of the contest."""
    player = Player(store, user_id=user, chat_id=user, kind="private", now=now)
    came = await store.run(
        contest_course.enter,
        at(user, user),
        await code_of(store, event),
        update_id=next(_updates),
        secret=secret(),
        now=now,
    )
    await player.take(came.board)
    return player


async def plays(player: Player, hands: int, *, choose: Callable[[int], Verb] = lambda _: Verb.FOLD) -> SoloBoard:
    for place in range(hands):
        await player.press(Verb.DEAL)
        await player.press(choose(place))
    return player.seen


async def kept(store: Store, event: Event) -> Event:
    found = await store.read(lambda tx: tx.events.get(event.id))
    assert found is not None
    return found


async def rows(store: Store, event: Event) -> list[tuple[int, int, int, int]]:
    """Place, person, points and nights or deals of all who are ranked."""
    found = await store.read(lambda tx: standings(tx, event_now(tx, event)))
    assert found is not None
    return [(row.rank, row.user_id, row.points, row.played) for row in found.rows]


def event_now(tx: Tx, event: Event) -> Event:
    found = tx.events.get(event.id)
    assert found is not None
    return found


# Nights


async def test_the_best_of_some_nights_counts_and_no_more_are_begun(store: Store) -> None:
    event = await begun(store, Terms(hands=5, nights=2))
    ann = await enters(store, 1, event)
    await plays(ann, 5)
    assert ann.seen.night is not None
    assert ann.seen.night.chips == 375
    await ann.press(Verb.NEW_NIGHT)
    await ann.tap(ann.key(Verb.DEAL))
    await ann.press(Verb.FOLD)
    await plays(ann, 4)
    assert await rows(store, event) == [(1, 1, 375, 2)]
    assert Verb.NEW_NIGHT not in ann.verbs
    board = ann.seen.board
    with pytest.raises(NoMoreNights):
        await store.run(
            solo_pages.new_night,
            at(1, 1, message=board.message_id),
            Tap(verb=Verb.NEW_NIGHT, board=board.id),
            secret=secret(),
            now=ann.now,
        )


async def test_an_unfinished_night_counts_with_its_chips_and_the_stake_in_play(store: Store) -> None:
    event = await begun(store)
    ann = await enters(store, 1, event)
    await plays(ann, 2)
    await ann.press(Verb.DEAL)
    assert await rows(store, event) == [(1, 1, 450, 1)]
    closed = await store.run(contest_course.end, event.id, now=event.ends)
    assert await rows(store, event) == [(1, 1, 450, 1)]
    assert len(closed.boards) == 1
    shown = await store.read(solo.board_of, closed.boards[0])
    assert shown is not None
    assert shown.night is not None
    assert (shown.night.chips, shown.seat.chips, shown.seat.round_id) == (450, 0, None)
    assert await store.read(lambda tx: (tx.ledger.drift(), tx.ledger.unbalanced_seats())) == (0, [])


async def test_a_night_without_a_settled_hand_is_not_ranked(store: Store) -> None:
    event = await begun(store)
    await enters(store, 1, event)
    await store.run(contest_course.end, event.id, now=event.ends)

    assert await rows(store, event) == []


async def test_f108_equal_scores_share_the_place_and_the_earlier_stands_first(store: Store) -> None:
    event = await begun(store, Terms(hands=5, nights=1))
    for user, minutes in ((3, 0), (1, 1), (2, 2)):
        player = await enters(store, user, event, now=NOW + timedelta(minutes=minutes))
        await plays(player, 5 if user != 2 else 4)

    assert await rows(store, event) == [(1, 2, 400, 1), (2, 3, 375, 1), (2, 1, 375, 1)]


# What is different about its boards


async def test_chips_boards_and_top_fives_of_the_group_stay_apart(store: Store) -> None:
    group = Player(store, user_id=1)
    await group.command(25)
    event = await begun(store, Terms(hands=5, nights=1))
    ann = await enters(store, 1, event)
    await plays(ann, 5)

    assert (await group.seat()).chips == 500
    top = await store.read(records.top, at(1), Period.ALL_TIME, asker=1, now=ann.now)
    assert top.scores == ()
    assert (await store.read(lambda tx: tx.scores.stats(1))).best_night is None


async def test_hint_cash_out_and_a_second_own_bet_are_refused(store: Store) -> None:
    ann = await enters(store, 1, await begun(store, Terms(kind=EventKind.MATCHPOINTS, hands=10, nights=1)))
    assert Verb.CHANGE_BET not in ann.verbs
    who = at(1, 1, message=ann.seen.board.message_id)
    with pytest.raises(BetFixed):
        await store.run(
            solo_hand.bet, who, replace(ann.key(Verb.DEAL), verb=Verb.CLEAR, numbers=()), mark=None, now=NOW
        )
    await ann.press(Verb.DEAL)
    assert Verb.HINT not in ann.verbs
    with pytest.raises(HintOff):  # an older key, or one made by hand
        await store.read(solo_hand.hint, ann.at(who.message_id), replace(ann.key(Verb.FOLD), verb=Verb.HINT))
    await ann.press(Verb.FOLD)
    with pytest.raises(NoCashOut):
        await store.run(solo_pages.cashout_command, at(1, 1), update_id=next(_updates), now=NOW)
    assert {Verb.CASH_OUT, Verb.PROOF, Verb.CHANGE_BET}.isdisjoint(ann.verbs)


async def test_in_private_deal_finds_the_own_table_again_when_the_night_is_over(store: Store) -> None:
    ann = await enters(store, 1, await begun(store, Terms(hands=5, nights=1)))
    brought = await store.run(
        solo.deal_command, at(1, 1), amounts=(), update_id=next(_updates), secret=secret(), door="d" * 26, now=ann.now
    )
    assert event_id_of(brought.board.seat.chat_id) is not None
    await ann.take(brought.board)
    await plays(ann, 5)
    brought = await store.run(
        solo.deal_command, at(1, 1), amounts=(), update_id=next(_updates), secret=secret(), door="d" * 26, now=ann.now
    )
    assert brought.board.seat.chat_id == 1
    assert brought.board.tables == 1


async def test_the_groups_black_list_holds_in_its_contest(store: Store) -> None:
    event = await begun(store)
    ann = await enters(store, 1, event)

    def ban(tx: Tx) -> None:
        chat = tx.chats.get(GROUP)
        assert chat is not None
        tx.chats.put(with_options(chat, replace(options_of(chat), bans=(Ban(user_id=1, until=LATER),))))

    await store.run(ban)
    with pytest.raises(BlackListed):
        await ann.press(Verb.DEAL)


# Same deals


@pytest.mark.parametrize("kind", [EventKind.SAME_DEALS, EventKind.MATCHPOINTS])
async def test_same_deals_for_all_one_secret_nowhere_before_the_end(store: Store, kind: EventKind) -> None:
    event = await begun(store, Terms(kind=kind, hands=10, nights=1))
    event = await kept(store, event)
    players = [await enters(store, user, event) for user in (1, 2)]
    await asyncio.gather(*(store.run(choose_words, at(user, user), "my words", now=NOW) for user in (1, 2)))
    for player in players:
        await plays(player, 10, choose=lambda place: Verb.FOLD if place % 2 else Verb.PLAY)
    nights = [await store.read(lambda tx, n=player.seen.night: tx.nights.rounds(n.id)) for player in players]  # type: ignore[misc]
    hands = [[(round_.state.player, round_.state.dealer) for round_ in night] for night in nights]
    assert hands[0] == hands[1]
    own = [(deal.player, deal.dealer) for deal in deals(event)]
    assert hands[0] == own
    assert [round_.deal for round_ in nights[0]] == list(event.deals)
    assert all(round_.secret == b"" for night in nights for round_ in night)
    stored = await store.read(lambda tx: [bytes(row["secret"]) for row in tx.rows("SELECT secret FROM rounds")])
    assert event.secret not in stored
    with pytest.raises(NotOpenYet):
        await store.read(by_number, at(1, 1), nights[0][0].id)
    with pytest.raises(NotOpenYet):
        await store.read(sealed_events.hands_of, at(1, 1), event.id)

    await store.run(contest_course.end, event.id, now=event.ends)
    found = await store.read(sealed_events.hands_of, at(1, 1), event.id)
    _, content = event_file(found.event, found.rounds)
    checked = [verify(json.loads(line)) for line in content.splitlines()]
    assert len(checked) == 20
    assert all(isinstance(each, Verified) for each in checked)
    assert {each.transcript.commitment for each in checked if isinstance(each, Verified)} == {event.commitment}
    own_nets = [json.loads(line)["round"]["out"]["net"] for line in content.splitlines()[10:]]
    [result] = await store.read(lambda tx: [each for each in tx.events.nights(event.place) if each.user_id == 1])
    assert event.buy_in + sum(own_nets) == result.chips  # the result that the group was told, from the file alone
    proof = await store.read(by_number, at(1, 1), nights[0][0].id)
    assert proof.round.secret == event.secret


def deals(event: Event) -> tuple[contests.Deal, ...]:
    kind = (
        contests.Matchpoints(wager=event.wager, deals=event.hands)
        if event.fixed
        else contests.SameDeals(deals=event.hands)
    )
    return contests.deals_of(kind, event.secret, event.id, event.rules)


async def test_live_standings_tell_nothing_of_deals_that_others_still_play(store: Store) -> None:
    event = await begun(store, Terms(kind=EventKind.SAME_DEALS, hands=10, nights=1))
    ann, bob = [await enters(store, user, event) for user in (1, 2)]
    await plays(ann, 10)
    await plays(bob, 3)
    found = await store.read(lambda tx: standings(tx, event_now(tx, event)))
    assert found is not None
    assert [row.user_id for row in found.rows] == [1]
    assert found.playing == 1
    await store.run(contest_course.end, event.id, now=event.ends)
    assert await rows(store, event) == [(1, 2, 425, 3), (2, 1, 250, 10)]


async def test_matchpoints_sum_to_a_constant_and_equal_choices_tie(store: Store) -> None:
    event = await begun(store, Terms(kind=EventKind.MATCHPOINTS, hands=10, nights=1))
    assert event.buy_in >= 10 * event.wager.need
    choices = {1: Verb.FOLD, 2: Verb.PLAY, 3: Verb.FOLD}
    for user, verb in choices.items():
        await plays(await enters(store, user, event), 10, choose=lambda _, verb=verb: verb)  # type: ignore[misc]
    ranked = await rows(store, event)

    assert sum(points for _, _, points, _ in ranked) == 10 * 3 * 2
    points = {user: won for _, user, won, _ in ranked}
    assert points[1] == points[3]


# The end


async def test_f112_what_comes_at_the_end_or_later_does_not_count(store: Store) -> None:
    event = await begun(store)
    ann = await enters(store, 1, event)
    await plays(ann, 1)
    await ann.press(Verb.DEAL)
    tap = ann.key(Verb.FOLD)
    who = at(1, 1, message=ann.seen.board.message_id)
    with pytest.raises(EventOver):
        await store.run(solo_hand.decide, who, tap, secret=secret(), now=event.ends)
    with pytest.raises(EventOver):
        await enters(store, 2, event, now=event.ends)
    with pytest.raises(EventOver):  # too early for the timer
        await store.run(contest_course.end, event.id, now=event.ends - timedelta(seconds=1))
    await store.run(contest_course.end, event.id, now=event.ends + timedelta(hours=2))
    found = await store.read(lambda tx: standings(tx, event_now(tx, event)))
    assert found is not None
    assert (found.late, [row.points for row in found.rows]) == (True, [475])


async def test_f113_two_admins_and_two_timers_at_once_make_one_end(database: str, store: Store) -> None:
    event = await begun(store)
    await plays(await enters(store, 1, event), 1)
    other = await open_store(database)
    try:
        ends = [
            store.run(contest_course.close_by_admin, at(ADMIN), event.id, call_off=False, hidden=False, now=event.ends),
            other.run(contest_course.close_by_admin, at(78), event.id, call_off=True, hidden=False, now=event.ends),
            store.run(contest_course.end, event.id, now=event.ends),
            other.run(contest_course.end, event.id, now=event.ends),
        ]
        outcomes = await asyncio.gather(*ends, return_exceptions=True)
        assert sum(isinstance(each, contest_course.Closed) for each in outcomes) == 1
        assert sum(isinstance(each, EventOver) for each in outcomes) == 3
        [post] = await store.read(announcements.waiting, GROUP)
        began = await asyncio.gather(*(each.run(announcements.begin, post.key) for each in (store, other)))
        assert sorted(began) == [False, True]
        assert await other.read(announcements.waiting, GROUP) == []
    finally:
        await other.close()


async def test_two_admins_start_one_contest(database: str, store: Store) -> None:
    other = await open_store(database)
    try:
        starts = [
            each.run(contest_course.start, at(user), Terms(), chance=secret(), now=NOW)
            for user, each in ((ADMIN, store), (78, other))
        ]
        outcomes = await asyncio.gather(*starts, return_exceptions=True)
    finally:
        await other.close()

    assert [type(each) for each in outcomes if isinstance(each, Exception)] == [ContestRuns]
    assert sum(isinstance(each, Shown) for each in outcomes) == 1


async def test_people_play_up_to_the_very_end_while_two_processes_close_it(database: str, store: Store) -> None:
    """Whatever the order of the transactions, the books balance and the result is what the nights say."""
    event = await begun(store)
    players = [await enters(store, user, event) for user in range(1, 7)]
    for player in players:
        await plays(player, 1)
        await player.press(Verb.DEAL)
    other = await open_store(database)

    async def decides(player: Player, each: Store) -> None:
        who = at(player.user_id, player.user_id, message=player.seen.board.message_id)
        now = event.ends - timedelta(seconds=1)
        with contextlib.suppress(Refusal, RuleError, StorageUnavailable):  # a refusal is as good as an answer here
            await each.run(solo_hand.decide, who, player.key(Verb.FOLD), secret=secret(), now=now)

    try:
        ends = (each.run(contest_course.end, event.id, now=event.ends) for each in (store, other))
        acts = (decides(player, each) for player, each in zip(players, (store, other) * 3, strict=True))
        await asyncio.gather(*acts, *ends, return_exceptions=True)
    finally:
        await other.close()
    assert await store.read(lambda tx: (tx.ledger.drift(), tx.ledger.unbalanced_seats())) == (0, [])
    assert await store.read(lambda tx: tx.events.seated(event.place)) == []
    nights = await store.read(lambda tx: {night.user_id: night.chips for night in tx.events.nights(event.place)})
    assert {user: points for _, user, points, _ in await rows(store, event)} == nights
    assert set(nights.values()) <= {450, 475}


async def test_called_off_by_an_admin_is_kept_and_has_no_result(store: Store) -> None:
    event = await begun(store)
    await plays(await enters(store, 1, event), 1)
    await store.run(contest_course.close_by_admin, at(ADMIN), event.id, call_off=True, hidden=False, now=NOW)

    over = await kept(store, event)
    assert (over.called_off, over.closed_by) == (True, ADMIN)
    assert await rows(store, event) == []
    await begun(store)


async def test_w40_a_contest_survives_the_move_of_its_group(store: Store) -> None:
    event = await begun(store)
    ann = await enters(store, 1, event)
    await plays(ann, 1)
    await store.run(people.moved, GROUP, -999, now=NOW)
    await plays(ann, 1)
    await store.run(contest_course.end, event.id, now=event.ends)
    moved = await kept(store, event)

    assert moved.chat_id == -999
    assert await rows(store, moved) == [(1, 1, 450, 1)]
    assert [post.chat_id for post in await store.read(announcements.waiting, -999)] == [-999]


@pytest.mark.parametrize(
    "terms",
    [
        pytest.param(Terms(hours=0), id="no time"),
        pytest.param(Terms(hours=31 * 24 + 1), id="over 31 days"),
        pytest.param(Terms(nights=11), id="eleven nights"),
        pytest.param(Terms(hands=4), id="four hands"),
        pytest.param(Terms(kind=EventKind.SAME_DEALS, hands=31), id="31 deals"),
    ],
)
async def test_a_contest_that_cannot_be_is_refused(store: Store, terms: Terms) -> None:
    with pytest.raises(BadContest):
        await store.run(contest_course.start, at(ADMIN), terms, chance=secret(), now=NOW)


async def test_f01_a_contest_that_moves_keeps_the_only_place_unless_the_new_chat_has_one(store: Store) -> None:
    first = await begun(store)
    await store.run(people.moved, GROUP, -999, now=NOW)
    with pytest.raises(ContestRuns):
        await store.run(contest_course.start, at(ADMIN, -999), Terms(), chance=secret(), now=NOW)
    await store.run(contest_course.end, first.id, now=first.ends)
    await store.run(contest_course.start, at(ADMIN, -999), Terms(), chance=secret(), now=NOW)

    both = [await store.run(contest_course.start, at(ADMIN, chat), Terms(), chance=secret(), now=NOW)
            for chat in (-5, -6)]  # fmt: skip
    await store.run(people.moved, -5, -6, now=NOW)
    for shown in both:
        event = shown.standings.event
        running = await store.read(lambda tx: tx.events.running(-6))
        assert running is not None
        assert running.id == event.id
        await store.run(contest_course.end, event.id, now=event.ends)
    assert len(await store.read(announcements.waiting, -6)) == 2


async def test_f108_the_end_of_a_contest_moves_nobody_behind_who_has_as_much(store: Store) -> None:
    event = await begun(store, Terms(hands=5, nights=1))
    for user, minutes, hands in ((1, 0, 1), (2, 5, 1), (3, 9, 5)):
        await plays(await enters(store, user, event, now=NOW + timedelta(minutes=minutes)), hands)
    before = await rows(store, event)
    await store.run(contest_course.end, event.id, now=event.ends)

    assert [user for _, user, _, _ in before] == [1, 2, 3]
    assert await rows(store, event) == before


async def test_a_door_that_nobody_made(store: Store) -> None:
    with pytest.raises(NotYourDoor):
        await store.read(contest_course.group_of, "a" * 26)


# The daily five


async def a_day(store: Store, user: int, now: datetime) -> Player:
    player = Player(store, user_id=user, chat_id=user, kind="private", now=now)
    came = await store.run(daily.play, at(user, user), mark=-next(_updates), chance=secret(), now=now)
    await player.take(came.board)
    return player


async def test_a_day_is_committed_the_day_before_and_no_secret_tells_of_another(store: Store) -> None:
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    page = await store.run(daily.page, at(1, 1), chance=secret(), now=noon)
    await store.run(daily.turn, chance=secret(), now=noon + timedelta(days=1))
    next_day = await store.run(daily.page, at(1, 1), chance=secret(), now=noon + timedelta(days=1))

    assert next_day.today.commitment == page.tomorrow.commitment
    assert next_day.today.made < next_day.today.opens
    assert next_day.yesterday is not None
    assert next_day.yesterday.closed is not None
    secrets = {page.today.secret, page.tomorrow.secret, next_day.tomorrow.secret}
    assert len(secrets) == 3
    for known in secrets:  # nothing that is opened leads to another day's by the way it was made
        assert hashlib.sha256(known).digest() not in secrets


async def test_one_try_a_person_and_the_average_is_of_all_who_finished(store: Store) -> None:
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    for user in (1, 2):
        await plays(await a_day(store, user, noon), 5 if user == 1 else 4)
    page = await store.run(daily.page, at(1, 1), chance=secret(), now=noon)
    assert page.own is not None
    assert [page.own.result.chips, int(page.own.average), page.own.days_this_month] == [375, 375, 1]
    again = await a_day(store, 1, noon)
    assert again.seen.night is not None
    assert again.seen.night.closed is not None
    assert Verb.NEW_NIGHT not in again.verbs

    midnight = noon + timedelta(hours=12)
    await store.run(daily.turn, chance=secret(), now=midnight)
    results = await store.read(lambda tx: tx.events.results(page.today.id))
    assert [(result.user_id, result.points, result.played) for result in results] == [(2, 400, 4), (1, 375, 5)]


async def test_midnight_by_two_processes_makes_one_day(database: str, store: Store) -> None:
    midnight = datetime(2026, 12, 1, tzinfo=UTC)
    other = await open_store(database)
    try:
        await asyncio.gather(*(each.run(daily.turn, chance=secret(), now=midnight) for each in (store, other)))
    finally:
        await other.close()
    days = await store.read(lambda tx: [row["day"] for row in tx.rows("SELECT day FROM events ORDER BY day")])
    assert days == ["2026-12-01", "2026-12-02"]


async def test_w12_what_badges_are_given_for_is_counted_from_results(store: Store) -> None:
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    event = await begun(store, now=noon)
    for user, hands in ((1, 1), (2, 2), (3, 1)):
        await plays(await enters(store, user, event, now=noon), hands)
    await store.run(contest_course.end, event.id, now=event.ends)
    alone = await begun(store, now=noon)
    await plays(await enters(store, 2, alone, now=noon), 1)
    await store.run(contest_course.end, alone.id, now=alone.ends)
    player = await a_day(store, 1, noon)
    for _ in range(5):
        dealt = await player.press(Verb.DEAL)
        assert dealt.shown is not None
        assert isinstance(dealt.shown.state, Dealt)
        best = hint(dealt.shown.state.player, dealt.shown.rules).advice
        await player.press(Verb.PLAY if best is Decision.PLAY else Verb.FOLD)
    won = await store.read(lambda tx: [tx.events.contests_won(user) for user in (1, 2, 3)])
    found = [(await store.read(stats.figures, at(user, user), now=noon)).stats for user in (1, 2)]

    assert won == [1, 0, 1]  # two share the first place; nobody wins alone
    assert [(each.clean_days, each.days, each.contests) for each in found] == [(1, 1, 1), (0, 0, 0)]


async def test_forgotten_people_leave_their_results_to_nobody(store: Store) -> None:
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    await plays(await a_day(store, 1, noon), 5)
    event = await begun(store, now=noon)
    await plays(await enters(store, 1, event, now=noon), 1)
    await store.run(contest_course.end, event.id, now=event.ends)
    await store.run(lambda tx: tx.seats.open(GROUP, 1, now=noon))
    await store.run(lambda tx: tx.seasons.crown(GROUP, "2026-11", 1, chips=900, reached=noon))
    told = await store.read(own_records.head, at(1, 1))
    assert told is not None
    assert [(each["kind"], each["points"]) for each in told["contests_and_days"]] == [("daily", 375), ("nights", 475)]
    assert [each["month"] for each in told["titles"]] == ["2026-11"]
    await store.run(forgetting.forget, at(1, 1), mark=next(_updates), chance=secret(), now=noon)

    left = await store.read(
        lambda tx: [
            row["user_id"]
            for table in ("event_results", "champions", "nights", "seats")
            for row in tx.rows(f"SELECT user_id FROM {table}")  # noqa: S608 - our own names
        ]
    )
    assert len(left) > 4
    assert 1 not in left
    assert [crown.name for crown in await store.read(seasons.hall, GROUP)] == [""]


# Seasons and quiet hours


def chat_with(zone: str, **facts: object) -> Callable[[Tx], Chat]:
    def use_case(tx: Tx) -> Chat:
        chat = tx.chats.seen(GROUP, kind="supergroup", title="Friends", now=NOW)
        chat = with_options(replace(chat, time_zone=zone), replace(options_of(chat), **facts))  # type: ignore[arg-type]
        tx.chats.put(chat)
        seasons.arrange(tx, chat, now=NOW)
        return chat

    return use_case


@pytest.mark.parametrize(
    "zone, due",
    [
        pytest.param("UTC", datetime(2026, 7, 1, tzinfo=UTC), id="UTC"),
        pytest.param("Europe/Kyiv", datetime(2026, 6, 30, 21, tzinfo=UTC), id="summer time"),
        pytest.param("Pacific/Auckland", datetime(2026, 6, 30, 12, tzinfo=UTC), id="ahead"),
    ],
)
async def test_f110_a_month_ends_by_the_chats_clock(store: Store, zone: str, due: datetime) -> None:
    await store.run(chat_with(zone, seasons=True))
    assert await store.read(lambda tx: tx.timers.due(seasons.SEASON, GROUP)) == due
    await store.run(chat_with(zone, seasons=False))
    assert await store.read(lambda tx: tx.timers.due(seasons.SEASON, GROUP)) is None


async def test_a_month_is_told_once_whoever_ends_it(database: str, store: Store) -> None:
    await store.run(chat_with("UTC", seasons=True))
    ann = Player(store, user_id=1)
    await ann.command(25)
    await ann.press(Verb.DEAL)
    await ann.press(Verb.FOLD)
    await store.run(solo_pages.cashout_command, ann.who, update_id=next(_updates), now=ann.now)
    due = datetime(2026, 7, 1, tzinfo=UTC)
    other = await open_store(database)
    try:
        await asyncio.gather(*(each.run(seasons.end, GROUP, due, now=due) for each in (store, other, store)))
    finally:
        await other.close()
    assert len(await store.read(announcements.waiting, GROUP)) == 1
    assert [(crown.month, crown.chips) for crown in await store.read(seasons.hall, GROUP)] == [("2026-06", 475)]
    assert await store.read(lambda tx: tx.timers.due(seasons.SEASON, GROUP)) == datetime(2026, 8, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "zone, quiet, now, then",
    [
        pytest.param("UTC", None, (1, 3, 0), (1, 3, 0), id="none"),
        pytest.param("UTC", QuietHours(22, 8), (1, 21, 59), (1, 21, 59), id="just before"),
        pytest.param("UTC", QuietHours(22, 8), (1, 22, 0), (2, 8, 0), id="over midnight"),
        pytest.param("UTC", QuietHours(22, 8), (2, 7, 59), (2, 8, 0), id="in the morning"),
        pytest.param("UTC", QuietHours(22, 8), (2, 8, 0), (2, 8, 0), id="over"),
        pytest.param("UTC", QuietHours(0, 6), (2, 0, 0), (2, 6, 0), id="within a day"),
        pytest.param("Europe/Kyiv", QuietHours(22, 8), (1, 19, 0), (2, 5, 0), id="by the chat's clock"),
    ],
)
def test_quiet_hours(
    zone: str, quiet: QuietHours | None, now: tuple[int, int, int], then: tuple[int, int, int]
) -> None:
    chat = Chat(id=-1, kind="group", time_zone=zone, rules=SELMINHA)
    chat = with_options(chat, replace(options_of(chat), quiet=quiet))
    june = [datetime(2026, 6, day, hour, minute, tzinfo=UTC) for day, hour, minute in (now, then)]
    assert events.after_quiet(chat, june[0]) == june[1]


def test_the_quiet_hours_of_the_night_of_the_leap_end_by_the_wall_clock() -> None:
    chat = Chat(id=-1, kind="group", time_zone="Europe/Kyiv", rules=SELMINHA)
    chat = with_options(chat, replace(options_of(chat), quiet=QuietHours(22, 8)))
    leap = datetime(2027, 3, 27, 21, tzinfo=UTC)  # 23:00 in winter time; 8:00 comes in summer time

    assert events.after_quiet(chat, leap) == datetime(2027, 3, 28, 5, tzinfo=UTC)


async def test_my_nights_are_told_in_the_group_and_in_private_only(store: Store) -> None:
    event = await begun(store)
    await plays(await enters(store, 1, event), 2)
    found = await store.read(own_nights, at(1), event.id)
    assert [(night.chips, night.hands, night.over) for night in found.nights] == [(450, 2, False)]
    with pytest.raises(Refusal):
        await store.read(own_nights, at(1, -5), event.id)


def test_a_seal_is_the_secrets_and_a_codes_letters_fit_a_link() -> None:
    code = events.new_code(bytes(32), 7)
    assert len(code) == 26
    assert set(code) <= set("abcdefghijklmnopqrstuvwxyz234567")
    assert events.new_code(bytes(32), 8) != code
    assert fair.commitment(bytes(range(32))).startswith("630dcd29")
