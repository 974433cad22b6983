"""A full disk, a file that cannot be written or is locked: one clear sentence, an alarm, no chip moved, and then on."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing

import pytest

from bot.storage import Reason, StorageUnavailable
from bot.storage.sqlite import SqliteStore
from tests.journeys.house import FRIENDS, Evening, Somebody, Toast

SENTENCE = "The books cannot be written just now. No chip has moved; please try again in a minute."
Trouble = Callable[[Evening], AbstractAsyncContextManager[None]]


async def pragma(evening: Evening, sql: str) -> None:
    """On the writer's own connection."""
    store = evening.house.store
    assert isinstance(store, SqliteStore)
    await store._writer.call(lambda: store._writer.raw.execute(f"PRAGMA {sql}").fetchall())


@asynccontextmanager
async def read_only(evening: Evening) -> AsyncIterator[None]:
    await pragma(evening, "query_only = ON")
    yield
    await pragma(evening, "query_only = OFF")


@asynccontextmanager
async def locked(evening: Evening) -> AsyncIterator[None]:
    """Somebody else writes and does not come to an end."""
    await pragma(evening, "busy_timeout = 20")
    with closing(sqlite3.connect(evening.database.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@asynccontextmanager
async def unreadable(evening: Evening) -> AsyncIterator[None]:
    """Neither written nor read."""
    store = evening.house.store
    assert isinstance(store, SqliteStore)

    async def refuses(*_: object, **__: object) -> None:
        raise StorageUnavailable(Reason.IO, "disk I/O error")

    usual = SqliteStore.run, SqliteStore.read
    SqliteStore.run = SqliteStore.read = refuses  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        SqliteStore.run, SqliteStore.read = usual  # type: ignore[method-assign]


troubles = pytest.mark.parametrize(
    "trouble, reason",
    [
        pytest.param(read_only, Reason.READ_ONLY, id="a file that cannot be written"),
        pytest.param(locked, Reason.LOCKED, id="F115 a locked database"),
        pytest.param(unreadable, Reason.IO, id="a broken disk"),
    ],
)
places = pytest.mark.parametrize("at", [pytest.param(None, id="private"), pytest.param(FRIENDS, id="group")])


def alarms(evening: Evening) -> list[str]:
    bad = [line for line in evening.log if line["log_level"] in {"error", "critical"}]
    assert {line["event"] for line in bad} <= {"storage_unavailable"}, bad
    return [line["reason"] for line in bad]


@places
@troubles
async def test_a_tap_is_told_in_one_sentence_and_works_afterwards(
    evening: Evening, ann: Somebody, trouble: Trouble, reason: Reason, at: int | None
) -> None:
    evening.forgives = {"storage_unavailable", "painted_marks_lost"}
    await ann.says("/deal 25", at)
    before, board = await evening.books(), ann.board(at)
    async with trouble(evening):
        assert await ann.taps("Deal 25", at) == Toast(SENTENCE)
        assert await ann.taps("Ante +25", at) == Toast(SENTENCE)
    assert alarms(evening) == [reason.value] * 2
    assert (await evening.books(), ann.board(at)) == (before, board)

    assert "Play 25 or fold?" in await ann.taps("Deal 25", at)
    async with trouble(evening):
        assert await ann.taps("Play 25", at) == Toast(SENTENCE)
    assert "you have" in await ann.taps("Play 25", at)


@places
@troubles
async def test_words_are_told_in_one_sentence_or_a_sign_and_work_afterwards(
    evening: Evening, ann: Somebody, trouble: Trouble, reason: Reason, at: int | None
) -> None:
    evening.forgives = {"storage_unavailable", "painted_marks_lost"}
    await ann.says("/deal 25", at)
    await ann.taps("Deal 25", at)
    before = await evening.books()
    async with trouble(evening):
        for words in ("/deal", "/cashout", "/break 1h"):
            number = await ann.says(words, at)
            if at is None:
                assert ann.sees()[-1].text == SENTENCE
            else:
                assert evening.reactions(at, number) == ("🤷",)
    assert set(alarms(evening)) == {reason.value}
    assert await evening.books() == before
    await ann.says("/deal", at)
    assert "you have" in await ann.taps("Fold", at)


@places
async def test_on_a_full_disk_a_hand_is_played_to_where_there_is_room_and_then_on(
    evening: Evening, ann: Somebody, at: int | None
) -> None:
    """Not a page more than there are; what is told in the end has moved nothing."""
    evening.forgives = {"storage_unavailable", "painted_marks_lost"}
    await ann.says("/deal 25", at)
    await pragma(evening, "max_page_count = 1")
    for _ in range(100):
        before, label = await evening.books(), "Deal" if ann.board(at).labels[-1].startswith("Deal") else "Fold"
        toast = await ann.taps(label, at)
        if "you have" not in toast and "Play" not in toast:
            break
    assert toast == Toast(SENTENCE)
    assert set(alarms(evening)) == {Reason.FULL.value}
    assert await evening.books() == before

    await pragma(evening, "max_page_count = 1000000")
    toast = await ann.taps(label, at)
    assert "you have" in toast or "Play" in toast


@pytest.mark.parametrize("first", [0, 1], ids=["the old group's word", "the new group's word"])
async def test_f01_a_move_told_while_nothing_can_be_written_is_taken_up_afterwards(
    evening: Evening, ann: Somebody, first: int
) -> None:
    evening.forgives = {"storage_unavailable", "painted_marks_lost", "handler_failed"}
    old = int(evening.people.group(ann.id, title="Basic", type="group", members=[]))
    await ann.says("/deal 25", old)
    await ann.taps("Deal 25", old)
    before = await evening.books()
    new = evening.people.migrate(ann.id, old)
    pending = evening.world.updates.pending
    told = [number for number, each in pending.items() if "migrate_" in str(each.update)]
    evening.world.updates.drop(told[1 - first])
    async with read_only(evening):
        await evening.goes_on()
        await evening.goes_on()
    assert await evening.house.store.read(lambda tx: tx.seats.at(new, ann.id)) is None

    await evening.goes_on()
    assert await evening.house.store.read(lambda tx: tx.seats.at(new, ann.id)) is not None
    assert await evening.books() == before


async def test_a_message_id_that_cannot_be_stored_is_stored_when_it_can(evening: Evening, ann: Somebody) -> None:
    """The disk refuses between the commit and the painter's own mark."""
    await ann.says("/deal 25")
    evening.faults(method="sendMessage", kind="slow", seconds=2)
    await ann.says("/deal 10", rest=False)
    async with read_only(evening):
        await evening.clock.advance(3)
        while len(ann.sees()) < 2:  # noqa: ASYNC110 - the emulator has no event for it
            await asyncio.sleep(0.002)
        await asyncio.sleep(0.05)  # the answer is on its way over HTTP
        assert await stored_message(evening, ann) != ann.board().id
    await evening.clock.advance(20)
    await evening.rests()
    assert await stored_message(evening, ann) == ann.board().id
    await ann.taps("Deal 10")


async def stored_message(evening: Evening, who: Somebody) -> int | None:
    seat = await evening.seat(who)
    board = await evening.house.store.read(lambda tx: tx.boards.of_seat(seat.id))
    assert board is not None
    return board.message_id
