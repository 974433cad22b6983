"""Top fives: a person once, with the best night; ties share a rank; a hundred thousand nights cost an index."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.facts import Ending, Score
from bot.storage import Stats, Store, Tx
from bot.storage.scores import _COUNTS, _ORDER
from core import solo
from core.betting import Wager
from core.cards import PACK
from core.rules import PRESETS
from core.solo import Betting
from tests.bot.databases import NOW, database, file, open_round, sit, sqlite_store, store

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

    assert [score.user_id for score in top] == [1, 3]
    assert place is not None
    assert (place.rank, place.chips) == (4, 100)
    assert await store.read(lambda tx: tx.scores.place(CHAT, 5)) is None


async def test_f128_a_forgotten_person_has_a_score_and_no_name(store: Store) -> None:
    await store.run(a_week)
    await store.run(lambda tx: tx.execute("DELETE FROM people WHERE id = 1"))

    assert (await store.read(lambda tx: tx.scores.top(CHAT)))[0].name == ""


async def test_f80_statistics_are_counted_from_rounds_and_nights(store: Store) -> None:
    def use_case(tx: Tx) -> tuple[Stats, Stats]:
        sitting = sit(tx)
        nothing = tx.scores.stats(sitting.seat.id)
        round_ = sitting.round
        for move, lost in ((solo.play, 0), (solo.fold, 7)):
            bet = tx.rounds.put(round_, state=Betting(wager=Wager(ante=5)), now=NOW)
            dealt = tx.rounds.put(bet, state=solo.deal(bet.state, PACK, rules=bet.rules, stack=500), now=NOW)
            tx.rounds.put(dealt, state=move(dealt.state, bet.rules), now=NOW, given_away=lost)
            round_ = open_round(tx, sitting.seat, sitting.night)
        closed = replace(tx.nights.count_hand(sitting.night))
        tx.nights.close(closed, chips=525, ending=Ending.CASHED, now=NOW)
        return nothing, tx.scores.stats(sitting.seat.id)

    nothing, stats = await store.run(use_case)

    assert nothing == Stats()
    net = (2 * 5 + 4 * 5) - 5
    assert stats == Stats(nights=1, best_night=525, hands=2, played=1, folded=1, won=1, net=net, given_away=7)


async def test_a_hundred_thousand_nights_are_read_by_index_alone(sqlite_store: Store, file: Path) -> None:
    """Not a matter of seconds: the plan must be a search of the index, in its order, without sorting."""

    def plan(tx: Tx, further: str) -> str:
        rows = tx.rows(
            f"EXPLAIN QUERY PLAN SELECT n.user_id, n.score, n.closed FROM nights n WHERE {_COUNTS}{further} {_ORDER}",  # noqa: S608 - our own text
            chat=CHAT,
            since=0,
            until=2**62,
            user=1,
        )
        return " | ".join(row["detail"] for row in rows)

    best = await sqlite_store.run(plan, "")
    others = await sqlite_store.run(plan, " AND n.user_id NOT IN (:user)")
    own = await sqlite_store.run(plan, " AND n.user_id = :user")

    assert best == others == "SEARCH n USING COVERING INDEX nights_top (chat_id=? AND score>?)"
    assert own == "SEARCH n USING COVERING INDEX nights_best (chat_id=? AND user_id=? AND score>?)"
