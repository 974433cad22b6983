"""What grows old is dropped in small steps: marks, and boards that are over; never what the audit replays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from bot.storage import Store, Tx
from tests.bot.databases import NOW, board_of, database, sit, store

__all__ = ["database", "store"]

OLD = NOW - timedelta(days=91)
BEFORE = NOW - timedelta(days=90)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    over: bool = True  # no night is under way at its seat
    retired: bool = False
    touched_long_ago: bool = True
    owes_keys: bool = False


CASES = {
    "over and untouched: dropped": (Case(), False),
    "retired and untouched: dropped": (Case(over=False, retired=True), False),
    "over, its old keys never taken: dropped": (Case(owes_keys=True), False),
    "over, tapped lately: kept": (Case(touched_long_ago=False), True),
    "retired lately: kept": (Case(retired=True, touched_long_ago=False), True),
    "a night under way, however long ago: kept": (Case(over=False), True),
}


def case_of(tx: Tx, case: Case, user_id: int) -> int:
    sitting = sit(tx, user_id=user_id)
    touched = OLD if case.touched_long_ago else NOW
    board = board_of(tx, sitting, now=touched)
    if case.owes_keys:
        tx.boards.put(replace(board, old_message_id=7))
    if case.over:
        tx.seats.put(replace(sitting.seat, night_id=None, round_id=None))
    if case.retired:
        tx.boards.retire(board.id)
    return board.id


def ids(tx: Tx) -> list[int]:
    return [row["id"] for row in tx.rows("SELECT id FROM boards ORDER BY id")]


@pytest.mark.parametrize("case, kept", [pytest.param(*each, id=name) for name, each in CASES.items()])
async def test_which_boards_are_kept(store: Store, case: Case, kept: bool) -> None:
    id_ = await store.run(case_of, case, 1)
    await store.run(lambda tx: tx.boards.forget_finished(BEFORE, after=0, most=10))

    assert await store.read(ids) == ([id_] if kept else [])


async def test_a_board_of_the_forgotten_goes_once_it_is_retired(store: Store) -> None:
    def forgotten(tx: Tx, *, retired: bool, user_id: int) -> int:
        id_ = case_of(tx, Case(retired=retired), user_id)
        tx.execute("UPDATE boards SET tapped = NULL WHERE id = :id", id=id_)
        return id_

    alive = await store.run(lambda tx: forgotten(tx, retired=False, user_id=1))
    await store.run(lambda tx: forgotten(tx, retired=True, user_id=2))
    await store.run(lambda tx: tx.boards.forget_finished(BEFORE, after=0, most=10))

    assert await store.read(ids) == [alive]


async def test_a_walk_goes_on_where_it_was_and_knows_its_end(store: Store) -> None:
    def step(tx: Tx, after: int) -> int | None:
        return tx.boards.forget_finished(BEFORE, after=after, most=2)

    made = await store.run(lambda tx: [case_of(tx, Case(), user_id) for user_id in range(1, 6)])
    after: int | None = 0
    left = []
    while after is not None:
        after = await store.run(step, after)
        left.append(len(await store.read(ids)))

    assert left == [3, 1, 0, 0]
    following = await store.run(case_of, Case(), 6)
    assert following > max(made), "a number is never given twice: old keyboards name it"


async def test_marks_go_oldest_first_and_in_steps(store: Store) -> None:
    def marks(tx: Tx) -> None:
        for number in range(1, 6):
            tx.marks.first(number, now=OLD - timedelta(seconds=number))

    await store.run(marks)
    gone = [await store.run(lambda tx: tx.marks.forget_before(BEFORE, 2)) for _ in range(4)]

    assert gone == [2, 2, 1, 0]
