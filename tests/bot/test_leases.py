"""Painters of several processes in one world: one writes into a chat at a time, and all spend one budget."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.app import build
from bot.painter import Leases, Painter, Picture, Urgency
from bot.painter.leases import LEASE, Exchange, Given
from bot.settings import read_settings
from bot.storage import Reason, StorageUnavailable, Store, Tx, open_store
from bot.storage.lanes import Account
from bot.storage.messages import Standing
from bot.telemetry import Metrics
from bot.views.kit import View
from tests.bot.databases import board_of, fresh_postgres, fresh_sqlite, sit, stop_server
from tests.clock import NOON, TurnedClock
from tests.telegram import TOKEN, ScriptedTelegram, bot, refusal

ANA = 9_000_000_000_001
GROUP = -1_009_000_000_000_001
MESSAGE = 4_000_000_001


@dataclass(slots=True)
class Lane:
    owner: int = 0
    until: float = 0.0
    account: Account = field(default_factory=Account)


@dataclass(slots=True)
class Shared:
    """What several processes have in common, as a database would keep it."""

    lanes: dict[int, Lane] = field(default_factory=dict)
    boards: dict[int, Standing] = field(default_factory=dict)
    troubles: int = 0

    def wants(self, board: int = 1, **facts: Any) -> Picture:
        """A use case stores that one more picture is wanted; the picture as its process has it."""
        stands = self.boards.get(board) or Standing(chat_id=ANA, message_id=MESSAGE + board, wanted=0, painted=0)
        stands = self.boards[board] = replace(stands, wanted=stands.wanted + 1, **facts)
        return self.picture(board)

    def picture(self, board: int) -> Picture:
        stands = self.boards[board]
        return Picture(
            board=board,
            version=stands.wanted,
            view=View(text=f"board {board}, {stands.wanted}"),
            chat_id=stands.chat_id,
            message_id=stands.message_id,
            painted=stands.painted,
            urgency=Urgency.DEALT,
        )


@dataclass(slots=True)
class Shelf:
    """One process' door to it."""

    shared: Shared
    me: int
    dead: bool = False  # nothing that it says arrives any more

    async def exchange(self, what: Exchange, *, now: float, lease: float) -> Given:
        await asyncio.sleep(0)
        if self.dead:
            return Given(accounts={}, standings={})
        if self.shared.troubles:
            self.shared.troubles -= 1
            raise StorageUnavailable(Reason.UNREACHABLE)
        await self.painted(what.painted)
        for chat, account in what.left.items():
            if (lane := self.shared.lanes[chat]).owner == self.me:
                lane.until, lane.account = 0.0, account
        given: dict[int, Account] = {}
        for chat in what.asked:
            lane = self.shared.lanes.setdefault(chat, Lane())
            if lane.owner == self.me or lane.until <= now:
                lane.owner, lane.until, given[chat] = self.me, now + lease, lane.account
        boards = {board for chat in given for board in what.asked[chat]}
        stand = {board: self.shared.boards[board] for board in boards if board in self.shared.boards}
        return Given(accounts=given, standings=stand)

    async def sent(self, board: int, *, chat_id: int, message_id: int, version: int) -> bool:
        assert chat_id == self.shared.boards[board].chat_id
        self.shared.boards[board] = replace(self.shared.boards[board], message_id=message_id, painted=version)
        return True

    async def painted(self, versions: Mapping[int, int]) -> None:
        for board, version in versions.items():
            stands = self.shared.boards[board]
            self.shared.boards[board] = replace(stands, painted=max(stands.painted, version))

    async def keys_taken(self, board: int, message_id: int) -> None: ...

    async def lives(self, chat_id: int, message_id: int) -> bool:
        return any(
            (stands.chat_id, stands.message_id) == (chat_id, message_id) for stands in self.shared.boards.values()
        )


@dataclass(slots=True)
class Town:
    """Two processes, one clock, one Telegram."""

    clock: TurnedClock
    telegram: ScriptedTelegram
    shared: Shared
    painters: list[Painter] = field(default_factory=list)
    shelves: list[Shelf] = field(default_factory=list)

    def open(self) -> Painter:
        shelf = Shelf(self.shared, len(self.painters) + 1)
        leases = Leases(shelf, self.clock)
        painter = Painter(bot(self.telegram), self.clock, shelf, Metrics(), leases=leases)

        async def stored(board: int) -> Picture:
            return self.shared.picture(board)

        painter.load(stored)
        self.shelves.append(shelf)
        self.painters.append(painter)
        return painter

    def say(self, painter: Painter, text: str, chat: int = GROUP) -> None:
        async def said() -> None:
            await painter.send(chat, View(text=text))

        painter.aside(said())

    def seconds(self) -> list[float]:
        return [call.at for call in self.telegram.calls]


@pytest.fixture
async def town() -> AsyncIterator[Town]:
    clock = TurnedClock()
    made = Town(clock, ScriptedTelegram(clock), Shared())
    made.open()
    made.open()
    yield made
    for painter in made.painters:
        await painter.close()


async def test_f37_two_processes_spend_one_groups_budget(town: Town) -> None:
    for number in range(30):
        town.say(town.painters[number % 2], f"words {number}")
    await town.clock.advance(180)
    seconds = town.seconds()
    assert len(seconds) == 30
    assert min(later - earlier for earlier, later in pairwise(seconds)) >= 1
    assert max(sum(since <= each < since + 60 for each in seconds) for since in seconds) <= 20


async def test_f37_a_429_told_to_one_holds_the_other_off(town: Town) -> None:
    town.telegram.script("sendMessage", refusal(429, "Too Many Requests: retry after 35", retry_after=35))
    town.say(town.painters[0], "one")
    await town.clock.advance(2)
    town.say(town.painters[1], "two")
    town.say(town.painters[1], "elsewhere", ANA)
    await town.clock.advance(30)
    assert town.telegram.texts == ["one", "elsewhere"]
    await town.clock.advance(20)
    assert sorted(town.telegram.texts) == ["elsewhere", "one", "one", "two"]
    assert town.seconds()[2] >= 35


async def test_no_two_edits_of_a_board_are_under_way_and_the_newest_stands_last(town: Town) -> None:
    one, two = town.painters
    town.telegram.hold("editMessageText")
    one.show(town.shared.wants())
    await town.clock.advance(1)
    two.show(town.shared.wants())
    await town.clock.advance(5)
    assert town.telegram.texts == ["board 1, 1"]
    town.telegram.release("editMessageText")
    await town.clock.advance(5)
    assert town.telegram.texts == ["board 1, 1", "board 1, 2"]
    assert town.shared.boards[1].painted == 2


async def test_who_comes_first_paints_what_is_newest_and_the_other_has_nothing_left_to_do(town: Town) -> None:
    one, two = town.painters
    older, newer = town.shared.wants(), town.shared.wants()
    one.show(older)
    await town.clock.settle()
    two.show(newer)
    await town.clock.advance(5)
    assert town.telegram.texts == ["board 1, 2"]
    assert town.shared.boards[1].painted == 2


async def test_a_message_that_one_sent_is_edited_by_the_other(town: Town) -> None:
    one, two = town.painters
    first = town.shared.wants(message_id=None)
    second = town.shared.wants()  # stored before the message's id is
    town.telegram.hold("sendMessage")
    one.show(replace(first))
    await town.clock.settle()
    two.show(second)
    await town.clock.advance(2)
    town.telegram.release("sendMessage")
    await town.clock.advance(5)
    two.show(town.shared.wants())
    await town.clock.advance(5)
    assert [call.method for call in town.telegram.calls] == ["sendMessage", "editMessageText"]
    assert int(town.telegram.calls[1].fields["message_id"]) == town.shared.boards[1].message_id


async def test_a_board_that_the_other_brought_down_is_not_looked_for_where_it_stood(town: Town) -> None:
    one, two = town.painters
    two.show(town.shared.wants())
    await town.clock.advance(5)
    one.show(replace(town.shared.wants(message_id=None), old_message_id=MESSAGE + 1))
    await town.clock.advance(5)
    anew = town.shared.boards[1].message_id
    two.show(replace(town.shared.wants(message_id=None), old_message_id=anew))
    await town.clock.advance(5)
    assert [call.method for call in town.telegram.of("editMessageText", "sendMessage")] == [
        "editMessageText",
        "sendMessage",
        "sendMessage",
    ]


async def test_what_the_other_showed_meanwhile_is_not_taken_for_what_one_showed_before(town: Town) -> None:
    one, two = town.painters
    one.show(replace(town.shared.wants(), view=View(text="same")))
    await town.clock.advance(5)
    two.show(replace(town.shared.wants(), view=View(text="other")))
    await town.clock.advance(5)
    one.show(replace(town.shared.wants(), view=View(text="same")))
    await town.clock.advance(5)
    assert town.telegram.texts == ["same", "other", "same"]


async def test_a_picture_made_anew_of_the_same_version_is_shown(town: Town) -> None:
    """What other boards tell changes a picture without a new version."""
    town.painters[0].show(town.shared.wants())
    await town.clock.advance(5)
    town.painters[0].show(replace(town.shared.picture(1), view=View(text="tells more")))
    await town.clock.advance(5)
    assert town.telegram.texts == ["board 1, 1", "tells more"]


async def test_the_pause_between_two_pictures_of_a_betting_board_is_shared(town: Town) -> None:
    for at in range(2):
        betting = replace(town.shared.wants(chat_id=GROUP), urgency=Urgency.BETTING)
        town.painters[at].show(betting)
        await town.clock.advance(0.5)
    await town.clock.advance(10)
    first, second = town.seconds()
    assert second - first >= 3


async def test_f119_the_lease_of_a_dead_process_ends_and_the_other_goes_on(town: Town) -> None:
    one, two = town.painters
    town.telegram.hold("editMessageText")
    one.show(town.shared.wants())
    await town.clock.settle()
    town.shelves[0].dead = True
    town.telegram.release("editMessageText")
    two.show(town.shared.wants())
    await town.clock.advance(LEASE - 1)
    assert town.telegram.texts == ["board 1, 1"]
    await town.clock.advance(3)
    assert town.telegram.texts == ["board 1, 1", "board 1, 2"]


async def test_a_call_that_takes_long_keeps_its_chat(town: Town) -> None:
    one, two = town.painters
    town.telegram.hold("editMessageText")
    one.show(town.shared.wants())
    await town.clock.settle()
    two.show(town.shared.wants())
    await town.clock.advance(5 * LEASE)
    assert town.telegram.texts == ["board 1, 1"]
    town.telegram.release("editMessageText")
    await town.clock.advance(2)
    assert town.telegram.texts == ["board 1, 1", "board 1, 2"]


async def test_trouble_with_the_database_delays_and_loses_nothing(town: Town) -> None:
    town.shared.troubles = 3
    town.painters[0].show(town.shared.wants())
    await town.clock.advance(10)
    town.telegram.hold("editMessageText")
    town.painters[0].show(town.shared.wants())
    await town.clock.advance(1)
    town.shared.troubles = 2
    town.telegram.release("editMessageText")
    await town.clock.advance(10)
    assert town.telegram.texts == ["board 1, 1", "board 1, 2"]
    assert town.shared.boards[1].painted == 2
    assert town.shared.lanes[ANA].until == 0


async def test_f119_who_ends_in_order_leaves_every_chat(town: Town) -> None:
    town.telegram.hold("sendMessage")
    town.say(town.painters[0], "words")
    town.say(town.painters[0], "more words")
    await town.clock.settle()
    assert town.shared.lanes[GROUP].until > 0
    await town.painters[0].close()
    await town.clock.advance(5)
    assert town.telegram.texts == ["words"]
    assert town.shared.lanes[GROUP].until == 0
    assert town.shared.lanes[GROUP].account.calls
    town.telegram.release("sendMessage")


async def test_rest_waits_until_the_chat_is_left_and_the_marks_are_written(town: Town) -> None:
    town.painters[0].show(town.shared.wants())
    await town.painters[0].rest()
    assert town.shared.boards[1].painted == 1
    assert town.shared.lanes[ANA].until == 0


async def test_a_single_process_on_sqlite_asks_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.app.AiohttpRequest", ScriptedTelegram)
    url = fresh_sqlite(tmp_path)
    house = await build(read_settings(_env_file=None, bot_token=TOKEN, database_url=url))
    assert house.painter._lanes._leases is None
    await house.close()


# As PostgreSQL keeps them


@pytest.fixture
async def stores(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Store, Store]]:
    """Two processes' doors to one database."""
    request.config.add_cleanup(stop_server)
    url = fresh_postgres()
    one, two = await open_store(url), await open_store(url)
    yield one, two
    await one.close()
    await two.close()


def take(tx: Tx, me: int, *chats: int, after: float = 0.0) -> dict[int, Account]:
    return tx.lanes.take(me, chats, now=_at(after), lease=LEASE)


def _at(seconds: float) -> Any:
    from datetime import timedelta  # noqa: PLC0415 - for this line

    return NOON + timedelta(seconds=seconds)


@pytest.mark.postgres
async def test_a_lane_is_taken_by_one_left_with_its_account_and_lost_by_the_dead(stores: tuple[Store, Store]) -> None:
    one, two = stores
    assert await one.jot(take, 1, GROUP, ANA) == {GROUP: Account(), ANA: Account()}
    assert await two.jot(take, 2, GROUP) == {}
    assert await one.jot(take, 1, GROUP, after=2) == {GROUP: Account()}  # kept longer
    spent = Account(full=5, cool=7, calls=((3, 1), (4, 0)))
    await two.jot(lambda tx: tx.lanes.leave(2, {GROUP: Account(full=99)}))  # not theirs to leave
    await one.jot(lambda tx: tx.lanes.leave(1, {GROUP: spent}))
    assert await two.jot(take, 2, GROUP, ANA, after=3) == {GROUP: spent}
    assert await two.jot(take, 2, ANA, after=LEASE - 0.1) == {}
    [(chat, account)] = (await two.jot(take, 2, ANA, after=LEASE)).items()
    assert chat == ANA
    assert account.calls == ((round(1000 * NOON.timestamp()), 0),)  # the dead may have made one more


@pytest.mark.postgres
async def test_many_chats_asked_for_at_once_by_two_are_each_had_by_one(stores: tuple[Store, Store]) -> None:
    chats = range(1, 101)
    for turn in range(5):
        taken = await asyncio.gather(
            *(store.jot(take, me, *chats, after=100 * turn) for me, store in enumerate((*stores, *stores), 1))
        )
        owners = [chat for each in taken for chat in each]
        assert len(owners) == len(set(owners))
        rest = await stores[0].jot(take, 9, *chats, after=100 * turn + 99)
        assert sorted(rest) == [*chats]


@pytest.mark.postgres
async def test_a_taken_lane_is_refused_without_waiting_for_whoever_is_taking_it(stores: tuple[Store, Store]) -> None:
    one, two = stores
    await one.jot(take, 1, GROUP)
    asked: list[dict[int, Account]] = []

    def slowly(tx: Tx) -> None:
        take(tx, 1, GROUP, after=1)
        done = asyncio.run_coroutine_threadsafe(two.jot(take, 2, GROUP, after=LEASE + 50), loop)
        asked.append(done.result(timeout=20))  # the other's answer comes while this transaction is open

    loop = asyncio.get_running_loop()
    await one.jot(slowly)
    assert asked == [{}]


@pytest.mark.postgres
async def test_where_boards_of_every_kind_stand(stores: tuple[Store, Store]) -> None:
    def scene(tx: Tx) -> int:
        board = board_of(tx, sit(tx, chat_id=GROUP))
        tx.messages.sent(board.id, chat_id=board.chat_id, message_id=7, version=1)
        tx.boards.want(board)
        return board.id

    board = await stores[0].run(scene)
    asked = [board, board + 1, -1, -(2**50)]
    found = await stores[1].jot(lambda tx: tx.messages.standings(asked))
    assert found == {board: Standing(chat_id=GROUP, message_id=7, wanted=2, painted=1)}
    for version, shown in ((2, 2), (1, 2)):  # an older report never lowers a newer one
        await stores[1].jot(lambda tx, now=version: tx.messages.painted_at_once(dict.fromkeys(asked, now)))  # type: ignore[misc]
        found = await stores[1].jot(lambda tx: tx.messages.standings(asked))
        assert found[board].painted == shown


@pytest.mark.postgres
async def test_lanes_in_which_nothing_is_going_on_are_forgotten(stores: tuple[Store, Store]) -> None:
    await stores[0].jot(take, 1, GROUP, ANA)
    await stores[0].jot(lambda tx: tx.lanes.leave(1, {ANA: Account(full=5)}))
    assert await stores[0].run(lambda tx: tx.lanes.forget_before(_at(0))) == 1
    assert {*await stores[1].jot(take, 2, GROUP, ANA)} == {ANA}
