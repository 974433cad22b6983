"""What the painter reports and asks of the messages of all kinds of boards, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from bot.facts import EventKind
from bot.storage import Store, Tx
from bot.storage.messages import Unpainted
from bot.tables import LAST_BOARD
from core import fair
from core.rules import SELMINHA
from core.table import Table
from tests.bot.databases import NOW, Explained, board_of, database, file, sit, sqlite_store, store

__all__ = ["database", "file", "sqlite_store", "store"]

GROUP = -100


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What the boards' own shelves tell of a message."""

    message_id: int | None
    old_message_id: int | None
    wanted: int
    painted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of board: how one is opened in a chat, by the painter's number, and what its shelf says of it."""

    table: str
    opened: Callable[[Tx, int], int]
    number: Callable[[int], int]


def solo_board(tx: Tx, chat_id: int) -> int:
    return board_of(tx, sit(tx, chat_id=chat_id)).id


def table_board(tx: Tx, chat_id: int) -> int:
    tx.chats.seen(chat_id, kind="group", title="Friends", now=NOW)
    secret = (chat_id % 1000).to_bytes(32)
    place = {"chat_id": chat_id, "thread_id": None, "secret": secret, "commitment": fair.commitment(secret)}
    return tx.tables.open(Table(rules=SELMINHA), **place, now=NOW).board  # type: ignore[arg-type]


def event_board(tx: Tx, chat_id: int) -> int:
    tx.chats.seen(chat_id, kind="group", title="Friends", now=NOW)
    event = tx.events.add(
        kind=EventKind.NIGHTS,
        chat_id=chat_id,
        rules=SELMINHA,
        nights=3,
        hands=20,
        buy_in=500,
        opens=NOW,
        ends=NOW + timedelta(days=3),
        now=NOW,
    )
    assert event is not None
    return tx.events.open_board(event.id, chat_id, thread_id=None, message_id=None, code=f"code{chat_id}").board


SOLO = Kind(table="boards", opened=solo_board, number=lambda board: board)
TABLE = Kind(table="tables", opened=table_board, number=lambda board: -board)
EVENT = Kind(table="event_boards", opened=event_board, number=lambda board: LAST_BOARD - board)
every_kind = pytest.mark.parametrize("kind", [SOLO, TABLE, EVENT], ids=["solo", "table", "event"])


def stored(tx: Tx, kind: Kind, board: int) -> Stored:
    row = tx.row(
        f"SELECT message_id, old_message_id, wanted, painted FROM {kind.table} WHERE id = :id",  # noqa: S608 - our own
        id=kind.number(board),
    )
    assert row is not None
    columns = ("message_id", "old_message_id", "wanted", "painted")
    return Stored(**{column: row[column] for column in columns})


def change(tx: Tx, kind: Kind, board: int, **to: object) -> None:
    places = ", ".join(f"{column} = :{column}" for column in to)
    tx.execute(f"UPDATE {kind.table} SET {places} WHERE id = :id", id=kind.number(board), **to)  # noqa: S608 - our own


async def unpainted(store: Store) -> list[Unpainted]:
    return await store.read(lambda tx: tx.messages.unpainted(10))


@every_kind
async def test_a_board_is_unpainted_until_the_painter_reports_its_newest_picture(store: Store, kind: Kind) -> None:
    board = await store.run(kind.opened, GROUP)
    new = Unpainted(board=board, chat_id=GROUP, old_message_id=None, wanted=1, painted=0)
    assert await unpainted(store) == [new]

    await store.run(lambda tx: tx.messages.sent(board, chat_id=GROUP, message_id=77, version=1))
    assert await unpainted(store) == []
    await store.run(lambda tx: change(tx, kind, board, wanted=3))
    assert await unpainted(store) == [replace(new, wanted=3, painted=1)]
    await store.run(lambda tx: tx.messages.painted({board: 3}))

    assert await unpainted(store) == []
    shown = Stored(message_id=77, old_message_id=None, wanted=3, painted=3)
    assert await store.read(lambda tx: stored(tx, kind, board)) == shown


@every_kind
async def test_an_older_report_lowers_nothing(store: Store, kind: Kind) -> None:
    board = await store.run(kind.opened, GROUP)
    await store.run(lambda tx: change(tx, kind, board, wanted=3, painted=3))
    await store.run(lambda tx: tx.messages.painted({board: 2}))
    await store.run(lambda tx: tx.messages.sent(board, chat_id=GROUP, message_id=77, version=1))

    shown = Stored(message_id=77, old_message_id=None, wanted=3, painted=3)
    assert await store.read(lambda tx: stored(tx, kind, board)) == shown


@every_kind
async def test_a_message_that_arrives_after_its_board_has_left_the_chat_is_not_the_boards(
    store: Store, kind: Kind
) -> None:
    """Its number is another message's in the chat where the board is by now."""
    board = await store.run(kind.opened, GROUP)
    await store.run(lambda tx: change(tx, kind, board, chat_id=GROUP - 1))

    assert not await store.run(lambda tx: tx.messages.sent(board, chat_id=GROUP, message_id=77, version=1))
    waiting = Stored(message_id=None, old_message_id=None, wanted=1, painted=0)
    assert await store.read(lambda tx: stored(tx, kind, board)) == waiting
    assert await store.run(lambda tx: tx.messages.sent(board, chat_id=GROUP - 1, message_id=77, version=1))


@every_kind
async def test_a_board_lives_in_its_message_alone_and_until_it_is_over(store: Store, kind: Kind) -> None:
    board = await store.run(kind.opened, GROUP)
    assert not await store.read(lambda tx: tx.messages.lives(GROUP, 77))
    await store.run(lambda tx: tx.messages.sent(board, chat_id=GROUP, message_id=77, version=1))

    assert await store.read(lambda tx: tx.messages.lives(GROUP, 77))
    assert not await store.read(lambda tx: tx.messages.lives(GROUP, 78))
    assert not await store.read(lambda tx: tx.messages.lives(GROUP - 1, 77))
    over: dict[str, dict[str, object]] = {"boards": {"retired": 1}, "tables": {"ended": 1}, "event_boards": {}}
    await store.run(lambda tx: change(tx, kind, board, message_id=77, **over[kind.table]))
    assert await store.read(lambda tx: tx.messages.lives(GROUP, 77)) is (kind is EVENT)


@every_kind
async def test_old_keys_are_to_be_taken_until_those_of_that_very_message_are(store: Store, kind: Kind) -> None:
    board = await store.run(kind.opened, GROUP)
    await store.run(lambda tx: change(tx, kind, board, painted=1, message_id=78, old_message_id=77))
    left = Unpainted(board=board, chat_id=GROUP, old_message_id=77, wanted=1, painted=1)
    assert await unpainted(store) == [left]
    assert not left.outdated

    await store.run(lambda tx: tx.messages.keys_taken(board, 76))
    assert await unpainted(store) == [left]
    await store.run(lambda tx: tx.messages.keys_taken(board, 77))
    assert await unpainted(store) == []


@every_kind
async def test_f11_boards_of_a_lost_chat_come_behind_all_others(store: Store, kind: Kind) -> None:
    """Else so many of them as are painted at a start would keep the later ones from being painted, for ever."""

    def scene(tx: Tx) -> tuple[int, int]:
        lost, alive = kind.opened(tx, GROUP), kind.opened(tx, GROUP - 1)
        chat = tx.chats.get(GROUP)
        assert chat is not None
        tx.chats.put(replace(chat, active=False))
        return lost, alive

    lost, alive = await store.run(scene)
    assert [each.board for each in await store.read(lambda tx: tx.messages.unpainted(1))] == [alive]
    assert [each.board for each in await unpainted(store)] == [alive, lost]

    await store.run(lambda tx: tx.chats.seen(GROUP, kind="group", title="Friends", now=NOW))
    assert [each.board for each in await unpainted(store)] == [lost, alive]


async def test_each_kind_is_asked_for_its_first_ones(store: Store) -> None:
    def scene(tx: Tx) -> list[int]:
        boards = [kind.opened(tx, chat) for kind in (EVENT, TABLE, SOLO) for chat in (GROUP, GROUP - 1)]
        return boards[4:] + boards[2:4] + boards[:2]

    boards = await store.run(scene)

    assert [each.board for each in await unpainted(store)] == boards
    assert [each.board for each in await store.read(lambda tx: tx.messages.unpainted(1))] == boards[::2]


async def test_a_retired_board_is_there_for_its_keys_only(store: Store) -> None:
    board = await store.run(solo_board, GROUP)
    await store.run(lambda tx: tx.messages.sent(board, chat_id=GROUP, message_id=77, version=1))
    await store.run(lambda tx: tx.boards.retire(board))
    left = Unpainted(board=board, chat_id=GROUP, old_message_id=77, wanted=1, painted=1)
    assert await unpainted(store) == [left]

    await store.run(lambda tx: tx.messages.sent(board, chat_id=GROUP, message_id=78, version=1))  # it was under way

    assert await unpainted(store) == [replace(left, old_message_id=78)]


async def test_what_is_unpainted_is_found_by_index_however_much_is_painted(sqlite_store: Store) -> None:
    """Not a matter of seconds: the database says how it looks."""

    def plans(tx: Tx) -> list[str]:
        explained = Explained(tx)
        explained.messages.unpainted(10)
        return [step for _, step in explained.said]

    said = await sqlite_store.read(plans)

    for kind in ("boards", "tables", "event_boards"):
        assert f"SCAN {kind} USING INDEX {kind}_unpainted" in said
