"""Top fives: a person once, with the best night; ties share a rank; a hundred thousand nights cost an index."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction
from random import Random

import pytest

from bot.facts import EVENT_PLACES, NOBODY, Ending, Score, Stats, Wagered
from bot.storage import Store, Tx, open_store
from bot.storage.instants import from_ms, to_ms
from core import solo
from core.betting import Wager
from core.cards import PACK, Hand, hand_of
from core.ranking import strength
from core.rules import PRESETS, SELMINHA
from core.solo import Betting
from tests.bot.databases import NOW, Explained, Sitting, database, file, open_round, sit, sqlite_store, store

__all__ = ["database", "file", "sqlite_store", "store"]

CHAT = -100


def day(number: float) -> datetime:
    return NOW + timedelta(days=number)


def night(
    tx: Tx,
    user_id: int,
    chips: int,
    ended: datetime,
    *,
    ending: Ending = Ending.CASHED,
    hands: int = 1,
    chat: int = CHAT,
) -> None:
    tx.people.seen(user_id, name=f"Person {user_id}", app_language="en", now=NOW)
    seat = tx.seats.open(chat, user_id, now=NOW)
    opened = tx.nights.open(seat, rules=PRESETS["selminha"], buy_in=500, now=NOW)
    for _ in range(hands):
        opened = tx.nights.count_hand(opened)
    tx.nights.close(opened, chips=chips, ending=ending, now=ended)


def a_week(tx: Tx) -> None:
    night(tx, 1, 700, day(3))
    night(tx, 1, 900, day(1))
    night(tx, 1, 900, day(2))  # as good, but later
    night(tx, 2, 800, day(2))
    night(tx, 3, 800, day(1))
    night(tx, 4, 100, day(1))
    night(tx, 5, 5000, day(1), hands=0)  # a night without a hand is not ranked
    night(tx, 6, 5000, day(1), ending=Ending.BROKE)
    night(tx, 7, 5000, day(1), chat=-7)
    sit(tx, user_id=8)  # a night under way


async def test_f108_a_person_once_with_the_best_night_and_ties_share_a_rank(store: Store) -> None:
    await store.run(a_week)

    top = await store.read(lambda tx: tx.scores.top(CHAT))

    assert [(score.rank, score.user_id, score.chips, score.reached) for score in top] == [
        (1, 1, 900, day(1)),
        (2, 3, 800, day(1)),
        (2, 2, 800, day(2)),
        (4, 4, 100, day(1)),
    ]
    assert top[0].name == "Person 1"


@pytest.mark.parametrize(
    "since, until, ranked",
    [
        pytest.param(None, day(1), [], id="the end is not included"),
        pytest.param(day(1), day(2), [(1, 1), (2, 3), (3, 4)], id="the start is included"),
        pytest.param(day(2), day(3), [(1, 1), (2, 2)], id="the second best night counts where the best is outside"),
        pytest.param(day(2.5), None, [(1, 1)], id="open end"),
        pytest.param(day(4), None, [], id="nothing yet"),
    ],
)
async def test_a_period_counts_nights_that_ended_in_it(
    store: Store, since: datetime | None, until: datetime | None, ranked: list[tuple[int, int]]
) -> None:
    await store.run(a_week)

    def use_case(tx: Tx) -> tuple[list[Score], list[Score | None]]:
        top = tx.scores.top(CHAT, since=since, until=until)
        return top, [tx.scores.place(CHAT, score.user_id, since=since, until=until) for score in top]

    top, places = await store.read(use_case)

    assert [(score.rank, score.user_id) for score in top] == ranked
    assert places == top


async def test_a_place_is_told_however_far_down(store: Store) -> None:
    await store.run(a_week)

    top = await store.read(lambda tx: tx.scores.top(CHAT, limit=2))
    place = await store.read(lambda tx: tx.scores.place(CHAT, 4))

    assert [(score.rank, score.user_id) for score in top] == [
        (1, 1),
        (2, 3),
        (2, 2),
    ]  # a tie at the last place is shown
    assert place is not None
    assert (place.rank, place.chips) == (4, 100)
    assert await store.read(lambda tx: tx.scores.place(CHAT, 5)) is None


async def test_f128_a_forgotten_person_has_a_score_and_no_name(store: Store) -> None:
    await store.run(a_week)
    await store.run(lambda tx: tx.execute("DELETE FROM people WHERE id = 1"))

    assert (await store.read(lambda tx: tx.scores.top(CHAT)))[0].name == ""


def two_hands(tx: Tx, *, chat_id: int = CHAT) -> Sitting:
    """A hand played and one folded with three of a kind, the second as if it had been given away."""
    sitting = sit(tx, chat_id=chat_id)
    round_ = sitting.round
    for move, lost in ((solo.play, 0), (solo.fold, 7)):
        bet = tx.rounds.put(round_, state=Betting(wager=Wager(ante=5, pair_plus=10)), now=NOW)
        dealt = tx.rounds.put(bet, state=solo.deal(bet.state, PACK, rules=bet.rules, stack=500), now=NOW)
        tx.rounds.put(dealt, state=move(dealt.state, bet.rules), now=NOW, given_away=lost)
        round_ = open_round(tx, sitting.night)
    return sitting


async def test_f80_statistics_are_counted_from_rounds_and_nights(store: Store) -> None:
    def use_case(tx: Tx) -> tuple[Stats, Stats]:
        nothing = tx.scores.stats(1)
        sitting = two_hands(tx)
        tx.nights.close(tx.nights.count_hand(sitting.night), chips=525, ending=Ending.CASHED, now=NOW)
        return nothing, tx.scores.stats(1)

    nothing, stats = await store.run(use_case)

    assert nothing == Stats()
    net = (2 * 5 + 4 * 5 + 30 * 10) - 15
    wagered = Wagered(
        rules=SELMINHA, hands=2, net=net, given_away=7, decisions=2, best_choices=1, ante=10, play=5, pair_plus=20,
        six_card=0,
    )  # fmt: skip
    assert stats == Stats(
        nights=1, best_night=525, lately=(525,), wagered=(wagered,), best=hand_of(PACK[:3]), latest_round=2
    )


async def test_the_best_hand_is_one_that_was_not_folded(store: Store) -> None:
    flush = tuple(card for card in PACK if card.suit is PACK[0].suit)
    lower = (*PACK[:1], *PACK[5:6], *PACK[10:11], *PACK[20:23])
    assert strength(hand_of(lower[:3])) < strength(hand_of(flush[:3]))

    def use_case(tx: Tx) -> tuple[Stats, Hand | None]:
        sitting = sit(tx)
        round_ = sitting.round
        for deck, move in ((flush, solo.fold), (lower, solo.play)):
            bet = tx.rounds.put(round_, state=Betting(wager=Wager(ante=5)), now=NOW)
            dealt = tx.rounds.put(bet, state=solo.deal(bet.state, deck, rules=bet.rules, stack=500), now=NOW)
            tx.rounds.put(dealt, state=move(dealt.state, bet.rules), now=NOW)
            round_ = open_round(tx, sitting.night)
        return tx.scores.stats(1), tx.scores.night(sitting.night.id)[3]

    stats, best = await store.run(use_case)

    assert stats.best == best == hand_of(lower[:3])


async def test_statistics_of_one_chat_and_of_all(store: Store) -> None:
    await store.run(two_hands)
    await store.run(lambda tx: two_hands(tx, chat_id=-7))

    in_one = await store.read(lambda tx: tx.scores.stats(1, chat_id=CHAT))
    in_all = await store.read(lambda tx: tx.scores.stats(1))

    assert (in_one.hands, in_all.hands) == (2, 4)
    assert in_one.staked == 35
    assert in_all.given_away == 2 * in_one.given_away == Fraction(14, 18424)
    assert await store.read(lambda tx: tx.scores.stats(2)) == Stats()


async def test_a_night_is_told_from_its_rounds(store: Store) -> None:
    sitting = await store.run(two_hands)

    told = await store.read(lambda tx: tx.scores.night(sitting.night.id))

    assert told == (2, 315, 7, hand_of(PACK[:3]))
    assert await store.read(lambda tx: tx.scores.night(sitting.night.id + 1)) == (0, 0, 0, None)


async def test_f80_a_hundred_thousand_hands_are_added_up_from_the_index_alone(sqlite_store: Store) -> None:
    def plan(tx: Tx) -> str:
        two_hands(tx)
        explained = Explained(tx)
        explained.scores.stats(1)
        return " | ".join(step for sql, step in explained.said if "FROM rounds" in sql)

    said = await sqlite_store.run(plan)

    assert "SEARCH rounds USING COVERING INDEX rounds_figures (seat_id=? AND strength>?)" in said
    assert "SEARCH rounds USING INDEX rounds_figures (seat_id=? AND strength=?)" in said
    assert "SCAN rounds" not in said


async def test_a_hundred_thousand_nights_are_read_by_index_alone(sqlite_store: Store) -> None:
    """Not a matter of seconds: every look at the nights is a search of an index that answers alone."""

    def plans(tx: Tx) -> list[str]:
        explained = Explained(tx)
        shelf = explained.scores
        shelf.top(CHAT)
        shelf.place(CHAT, 1)
        shelf._own(CHAT, 1, None, None)
        shelf._better(CHAT, 500, None, None)
        shelf._highest(CHAT, None, None, 5)
        shelf._grouped(CHAT, None, None, 5)
        shelf._everybodys(CHAT, None, None, 5)
        asked = [step for sql, step in explained.said if " nights n " in sql or " bests b " in sql]
        return [step for step in asked if step.startswith(("SEARCH n ", "SCAN n ", "SEARCH b ", "SCAN b "))]

    def fill(tx: Tx, nights: int) -> None:
        for user in range(nights):
            night(tx, 1 + user % 9, 500 + user, day(1))

    for nights in (9, 300):
        await sqlite_store.run(fill, nights)
        steps = await sqlite_store.run(plans)
        alone = ("COVERING INDEX nights_", "INTEGER PRIMARY KEY", "COVERING INDEX bests_top", "b USING PRIMARY KEY")
        assert all(any(words in step for words in alone) for step in steps), steps
        assert any("COVERING INDEX bests_top (chat_id=? AND since=? AND score>?)" in step for step in steps)
        assert not any("SCAN" in step for step in steps)


@pytest.mark.parametrize("kept", [pytest.param(True, id="from what is kept"), pytest.param(False, id="from nights")])
@pytest.mark.parametrize("people", [pytest.param(3, id="few people"), pytest.param(60, id="many")])
@pytest.mark.parametrize("nights", [pytest.param(120, id="few nights"), pytest.param(700, id="many nights")])
async def test_every_way_to_read_a_list_tells_the_same(store: Store, people: int, nights: int, kept: bool) -> None:
    """Against a plain count in Python, ties and leavers and periods included."""
    chance = Random(people * 1000 + nights)
    told = [(1 + chance.randrange(people), 5 * chance.randrange(20, 40), chance.randrange(9)) for _ in range(nights)]
    told.sort(key=lambda each: each[2])

    def fill(tx: Tx) -> None:
        for user, chips, when in told:
            night(tx, user, chips, day(when))
        for user in (2, 5):
            tx.seats.absent(CHAT, user, since=NOW)
        if not kept:
            tx.bests.drop(CHAT)

    await store.run(fill)
    assert await store.read(lambda tx: tx.bests.kept(CHAT, to_ms(day(7) - timedelta(hours=20)))) is kept
    for since, until in ((None, None), (2, None), (3, 5), (4, 4.5), (7 - 20 / 24, None), (20, None)):
        within = [
            (-chips, when, place, user)
            for place, (user, chips, when) in enumerate(told)
            if user not in {2, 5} and (since or 0) <= when < (until or 99)
        ]
        best = {user: (less, when) for less, when, _, user in sorted(within, reverse=True)}
        order = sorted(best.values())
        period = {"since": None if since is None else day(since), "until": None if until is None else day(until)}
        top = await store.read(lambda tx, period=period: tx.scores.top(CHAT, **period))  # type: ignore[misc]
        assert [(score.rank, score.chips, score.reached) for score in top] == [
            (rank_of(order, less), -less, day(when)) for less, when in order if rank_of(order, less) <= 5
        ][:15]
        for user in range(1, people + 1):
            place = await store.read(lambda tx, user=user, period=period: tx.scores.place(CHAT, user, **period))  # type: ignore[misc]
            assert (place.rank if place else None) == (rank_of(order, best[user][0]) if user in best else None), user


async def bests(store: Store, chat: int = CHAT) -> dict[str, list[tuple[int, int]]]:
    """Person and chips of what is kept, by when it begins, as a day of June counted from NOW."""
    rows = await store.read(lambda tx: tx.rows("SELECT * FROM bests WHERE chat_id = :chat ORDER BY user_id", chat=chat))
    found: dict[str, list[tuple[int, int]]] = {}
    for row in rows:
        since = from_ms(row["since"])
        key = "all time" if not row["since"] else f"{since:%d %b %H:%M}"
        found.setdefault(key, []).append((row["user_id"], row["score"]))
    return found


async def test_the_first_night_of_a_week_ends_the_week_before(store: Store) -> None:
    """NOW is Monday, the first of June, so that its week and its month begin at once."""
    await store.run(lambda tx: night(tx, 1, 500, day(0)))
    assert await bests(store) == {"01 Jun 00:00": [(1, 500)], "all time": [(1, 500)]}
    await store.run(lambda tx: night(tx, 2, 300, day(7)))
    await store.run(lambda tx: night(tx, 1, 400, day(8)))

    assert await bests(store) == {
        "01 Jun 00:00": [(1, 500), (2, 300)],
        "08 Jun 00:00": [(1, 400), (2, 300)],
        "all time": [(1, 500), (2, 300)],
    }


async def test_f110_another_clock_and_back_again_leaves_no_night_out(store: Store) -> None:
    def zone(name: str) -> Callable[[Tx], None]:
        def use_case(tx: Tx) -> None:
            chat = tx.chats.seen(CHAT, kind="supergroup", title="", now=NOW)
            tx.chats.put(replace(chat, time_zone=name))

        return use_case

    await store.run(zone("UTC"))
    await store.run(lambda tx: night(tx, 1, 500, day(8)))
    await store.run(zone("Europe/Kyiv"))
    assert await bests(store) == {"all time": [(1, 500)]}
    await store.run(lambda tx: night(tx, 2, 300, day(9)))
    assert (await bests(store))["07 Jun 21:00"] == [(1, 500), (2, 300)]
    await store.run(zone("UTC"))
    await store.run(lambda tx: night(tx, 3, 200, day(10)))
    assert (await bests(store))["08 Jun 00:00"] == [(1, 500), (2, 300), (3, 200)]


async def test_nights_that_end_at_once_in_two_processes_are_all_kept(database: str, store: Store) -> None:
    """The first of a week builds its list, and so does whoever does not see that one yet."""
    other = await open_store(database)
    try:
        for week in range(3):
            ends = [
                each.run(lambda tx, user=user, week=week: night(tx, user, 500 + user + week, day(7 * week)))  # type: ignore[misc]
                for user in range(1, 13)
                for each in (store, other)[user % 2 :][:1]
            ]
            await asyncio.gather(*ends)
    finally:
        await other.close()
    found = await bests(store)
    assert found["15 Jun 00:00"] == found["all time"] == [(user, 502 + user) for user in range(1, 13)]


async def test_in_private_and_in_events_nothing_is_kept(store: Store) -> None:
    for chat in (1, EVENT_PLACES - 7):
        await store.run(lambda tx, chat=chat: night(tx, 1, 500, day(0), chat=chat))  # type: ignore[misc]
        assert await bests(store, chat) == {}


async def test_f01_a_chat_that_moves_finds_its_list_again(store: Store) -> None:
    def use_case(tx: Tx) -> None:
        night(tx, 1, 500, day(0))
        night(tx, 2, 700, day(0), chat=-999)
        tx.chats.seen(CHAT, kind="group", title="", now=NOW)
        tx.chats.migrate(CHAT, -999, now=NOW)

    await store.run(use_case)
    assert [score.chips for score in await store.read(lambda tx: tx.scores.top(-999))] == [700, 500]
    await store.run(lambda tx: night(tx, 3, 600, day(1), chat=-999))
    assert (await bests(store, -999))["all time"] == [(1, 500), (2, 700), (3, 600)]


async def test_f128_who_is_forgotten_keeps_a_place_as_nobody(store: Store) -> None:
    await store.run(a_week)
    before = await store.read(lambda tx: [(score.rank, score.chips) for score in tx.scores.top(CHAT)])

    def use_case(tx: Tx) -> None:
        seat = tx.seats.at(CHAT, 1)
        assert seat is not None
        tx.people.forget(1, seats={seat.id: NOBODY - 5}, private=NOBODY - 6)

    await store.run(use_case)
    top = await store.read(lambda tx: tx.scores.top(CHAT))
    assert [(score.rank, score.chips) for score in top] == before
    assert top[0].user_id == NOBODY - 5
    assert 1 not in {user for rows in (await bests(store)).values() for user, _ in rows}


def rank_of(order: list[tuple[int, int]], less: int) -> int:
    return 1 + sum(other < less for other, _ in order)


async def test_f109_people_who_left_hold_no_place_and_find_their_score_when_they_return(store: Store) -> None:
    await store.run(a_week)
    await store.run(lambda tx: tx.seats.absent(CHAT, 1, since=NOW))
    assert [(each.rank, each.user_id) for each in await store.read(lambda tx: tx.scores.top(CHAT))] == [
        (1, 3),
        (1, 2),
        (3, 4),
    ]
    assert await store.read(lambda tx: tx.scores.place(CHAT, 1)) is None
    assert (await store.read(lambda tx: tx.scores.place(CHAT, 4))).rank == 3  # type: ignore[union-attr]
    await store.run(lambda tx: tx.seats.absent(CHAT, 1, since=None))
    assert (await store.read(lambda tx: tx.scores.top(CHAT)))[0].user_id == 1


async def test_f108_who_shares_the_fifth_place_is_shown(store: Store) -> None:
    def six(tx: Tx) -> None:
        for user, chips in enumerate((300, 200, 200, 100, 50, 50), start=1):
            night(tx, user, chips, day(user))

    await store.run(six)
    top = await store.read(lambda tx: tx.scores.top(CHAT))
    assert [(score.rank, score.chips) for score in top] == [(1, 300), (2, 200), (2, 200), (4, 100), (5, 50), (5, 50)]
