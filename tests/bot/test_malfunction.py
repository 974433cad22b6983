"""Malfunction voids (P3): a round that the audit proves broken is taken back, and nothing else is."""
# ruff: noqa: S608 - the names are those of the schema

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.facts import Face, SoloBoard
from bot.refusals import HandVoided, NoSuchHand
from bot.services import malfunction, solo
from bot.services.audit import audit
from bot.services.malfunction import SoundHand, VoidAlready
from bot.storage import Store, open_store
from bot.storage.inspection import inspecting
from bot.storage.instants import from_ms
from bot.views.words import explain
from core.solo import Betting
from tests.bot.databases import fresh_sqlite
from tests.bot.evenings import GROUP, P3, Past, play
from tests.bot.scenes import page
from tests.bot.test_audit import change

SECRET = bytes(range(32))


@dataclass(slots=True)
class Scene:
    past: Past
    path: Path

    @property
    def store(self) -> Store:
        return self.past.store

    def one(self, sql: str) -> sqlite3.Row:
        with closing(sqlite3.connect(self.path)) as raw:
            raw.row_factory = sqlite3.Row
            row: sqlite3.Row | None = raw.execute(sql).fetchone()
            assert row is not None, sql
            return row

    def wrong(self) -> list[str]:
        with inspecting(f"sqlite:///{self.path}") as look:
            return [*map(str, audit(look))]

    async def take_back(self, round_id: int) -> malfunction.TakenBack:
        return await self.store.run(malfunction.take_back, round_id, secret=SECRET, now=self.past.later())

    async def board(self, seat_id: int) -> SoloBoard:
        board = await self.store.read(lambda tx: tx.boards.of_seat(seat_id))
        assert board is not None
        shown = await self.store.read(solo.board_of, board.id)
        assert shown is not None
        return shown


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    url = fresh_sqlite(tmp_path)
    store = await open_store(url)
    yield Scene(await play(store), Path(url.removeprefix("sqlite:///")))
    await store.close()


def broken(scene: Scene, where: str) -> sqlite3.Row:
    """The first such round, with a secret that its seal does not fit."""
    row = scene.one(
        f"SELECT r.* FROM rounds r JOIN seats s ON s.id = r.seat_id JOIN nights n ON n.id = r.night_id WHERE {where}"
    )
    change(scene.path, "rounds", "secret", row["id"], bytes([row["secret"][0] ^ 1]) + row["secret"][1:])
    assert scene.wrong()
    return row


async def test_p3_malfunction_voids_a_dealt_hand_returns_its_bets(scene: Scene) -> None:
    row = broken(scene, "r.phase = 'dealt' AND r.void = 0")
    before = scene.one(f"SELECT chips FROM seats WHERE id = {row['seat_id']}")["chips"]

    taken = await scene.take_back(row["id"])

    seat = scene.one(f"SELECT * FROM seats WHERE id = {row['seat_id']}")
    assert taken.chips == 2 * row["ante"] + row["pair_plus"]
    assert seat["chips"] == before + taken.chips
    assert scene.wrong() == []
    shown = await scene.board(row["seat_id"])
    assert shown.board.face is Face.BET
    assert isinstance(shown.note, HandVoided)
    assert (
        explain(shown.note, page()) == f"Hand {row['id']} does not count: it was broken. {taken.chips} chips came back."
    )
    assert shown.following is not None and shown.following.id == seat["round_id"] != row["id"]  # noqa: PT018 - one thought
    assert scene.one("SELECT COUNT(*) AS n FROM timers WHERE kind = 'repaint'")["n"] == 1


@pytest.mark.parametrize(
    "where",
    [
        pytest.param("r.phase = 'betting' AND r.void = 0", id="a bet that is not dealt yet"),
        pytest.param("r.phase = 'settled' AND n.closed IS NULL AND r.net > 0", id="won, the night under way"),
        pytest.param("r.phase = 'settled' AND n.closed IS NULL AND r.net < 0", id="lost, the night under way"),
        pytest.param("r.phase = 'settled' AND n.closed IS NULL AND r.net = 0", id="came out even"),
        pytest.param("r.phase = 'settled' AND n.ending = 'cashed' AND r.net > 0", id="won, cashed out"),
        pytest.param("r.phase = 'settled' AND n.ending = 'cashed' AND r.net < 0", id="lost, cashed out"),
        pytest.param("r.phase = 'settled' AND n.ending = 'broke' AND r.net > 0", id="won, broke"),
        pytest.param("r.phase = 'settled' AND n.ending = 'broke' AND r.net < 0", id="lost, broke"),
        pytest.param("r.result = 'no_ante'", id="without an Ante"),
    ],
)
async def test_every_kind_of_round_can_be_taken_back_and_the_books_are_sound(scene: Scene, where: str) -> None:
    await scene.past.sits(7, GROUP, 10, 10)  # a bet that often comes out even
    await scene.past.plays(7, GROUP, 20, folds=0)
    row = broken(scene, where)
    night = scene.one(f"SELECT * FROM nights WHERE id = {row['night_id']}")

    await scene.take_back(row["id"])

    assert scene.wrong() == []
    after = scene.one(f"SELECT * FROM nights WHERE id = {row['night_id']}")
    assert after["hands"] == night["hands"] - (row["phase"] == "settled")
    if night["closed"] is not None:
        assert after["chips"] == max(0, night["chips"] - row["net"])
    evidence = scene.one("SELECT * FROM malfunctions")
    assert (evidence["round_id"], row["commitment"] in evidence["evidence"]) == (row["id"], True)
    assert "commitment" in evidence["findings"]


@pytest.mark.parametrize("hands", [pytest.param(3, id="the night counts on"), pytest.param(1, id="its only hand")])
async def test_lists_and_champions_follow_a_night_that_lost_a_hand(scene: Scene, hands: int) -> None:
    """The best nights of a chat are kept, and so are its champions; this night is no longer what it was."""
    past = scene.past
    await past.sits(77, GROUP, 5)
    await past.plays(77, GROUP, hands, folds=1)
    await past.leaves(77, GROUP)
    night = scene.one("SELECT * FROM nights WHERE user_id = 77")
    reached = from_ms(night["closed"])
    month = f"{reached:%Y-%m}"
    await scene.store.run(lambda tx: tx.seasons.crown(GROUP, month, 77, chips=night["score"], reached=reached))
    assert scene.one("SELECT score FROM bests WHERE user_id = 77")["score"] == night["score"]
    row = broken(scene, "r.phase = 'settled' AND s.user_id = 77")

    await scene.take_back(row["id"])

    assert scene.wrong() == []
    left = night["score"] - row["net"] if hands > 1 else None
    listed = await scene.store.read(lambda tx: tx.scores.place(GROUP, 77))
    assert (None if listed is None else listed.chips) == left
    assert scene.one("SELECT MAX(chips) AS chips FROM champions WHERE user_id = 77")["chips"] == left


async def test_play_goes_on_after_it(scene: Scene) -> None:
    row = broken(scene, "r.phase = 'dealt' AND r.void = 0")
    await scene.take_back(row["id"])
    await scene.past.plays(5, P3, 3)
    await scene.past.leaves(5, P3)
    assert scene.wrong() == []


async def test_winnings_that_are_lost_again_are_the_houses_to_bear(scene: Scene) -> None:
    where = "n.ending = 'broke' AND r.phase = 'settled'"
    lost = scene.one(f"SELECT r.* FROM rounds r JOIN nights n ON n.id = r.night_id WHERE {where} AND r.net < 0")
    change(scene.path, "rounds", "net", lost["id"], 5)
    assert scene.wrong()

    taken = await scene.take_back(lost["id"])

    assert taken.chips == -lost["net"]  # what the ledger says counts, not the column
    assert scene.wrong() == []


async def test_a_sound_round_is_not_taken_back(scene: Scene) -> None:
    before = scene.one("SELECT COUNT(*) AS n FROM movements")["n"]
    for phase in ("settled", "betting", "dealt"):
        row = scene.one(f"SELECT id FROM rounds WHERE phase = '{phase}' AND void = 0")
        with pytest.raises(SoundHand):
            await scene.take_back(row["id"])
    assert scene.one("SELECT COUNT(*) AS n FROM movements")["n"] == before


async def test_a_round_is_taken_back_once_and_void_ones_never(scene: Scene) -> None:
    row = broken(scene, "r.phase = 'dealt' AND r.void = 0")
    await scene.take_back(row["id"])
    for again in (row["id"], scene.one("SELECT id FROM rounds WHERE void = 1")["id"]):
        with pytest.raises(VoidAlready):
            await scene.take_back(again)
    with pytest.raises(NoSuchHand):
        await scene.take_back(999_999)


async def test_a_state_that_cannot_be_read_is_taken_back_as_well(scene: Scene) -> None:
    row = scene.one("SELECT * FROM rounds WHERE phase = 'dealt' AND void = 0")
    change(scene.path, "rounds", "state", row["id"], "{")
    await scene.take_back(row["id"])
    assert scene.wrong() == []
    assert isinstance((await scene.board(row["seat_id"])).shown.state, Betting)  # type: ignore[union-attr]
