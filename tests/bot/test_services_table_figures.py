"""Hands at tables in a person's own figures and in the file of a night, beside hands played alone; both databases."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import count

import pytest
import typer
from typer.testing import CliRunner

from bot import cli_game
from bot.facts import AtTables, Stats, Tap, Verb
from bot.refusals import DeadKey, NoSuchHand
from bot.services import transcripts
from bot.services.stats import expected_return, figures, night_path
from bot.storage import Store
from bot.tables import FIRST_HAND, TableProof
from bot.views.transcripts import checked_lines, night_file
from core.fair import Verified, verify
from core.ranking import strength
from core.settlement import Decision
from core.solo import Settled
from core.table import Showdown
from tests.bot.databases import NOW, database, store
from tests.bot.scenes import page
from tests.bot.sitting import Player
from tests.bot.tabling import Group

__all__ = ["database", "store"]


@dataclass
class Night:
    """Two people's night: Two plays at the table, banks there in One's absence, and plays a hand alone."""

    group: Group
    showdowns: list[Showdown]
    alone: Player

    @property
    def store(self) -> Store:
        return self.group.store

    async def stats(self, user: int, *, private: bool = False) -> Stats:
        who = Player(self.store, user_id=user, chat_id=user if private else self.group.chat_id).who
        return (await self.store.read(figures, who, now=NOW)).stats


@pytest.fixture
async def night(store: Store) -> Night:
    group, showdowns = Group(store), []
    await group.begins(1, 2, bank=100)
    await group.bets(2, 25, 5)
    await group.decides(2)
    showdowns.append(await showdown(group))
    await group.expires()
    await group.tap(1, Verb.TABLE_PASS)
    await group.tap(2, Verb.TABLE_BANK, 60)
    await group.bets(1, 10)
    await group.expires()
    showdowns.append(await showdown(group))
    alone = Player(store, user_id=2, chat_id=group.chat_id, now=group.later(60))
    await alone.command(25)
    await alone.press(Verb.DEAL)
    await alone.press(Verb.FOLD)
    return Night(group, showdowns, alone)


async def showdown(group: Group) -> Showdown:
    stage = (await group.state()).stage
    assert isinstance(stage, Showdown)
    return stage


async def test_stats_count_hands_alone_at_tables_and_as_the_bank(night: Night) -> None:
    first, second = night.showdowns
    found = await night.stats(2)

    assert (found.hands_alone, found.tables.hands, found.tables.banked, found.hands) == (1, 1, 1, 3)
    assert (found.net_alone, found.tables.net) == (-25, first.settled.seats[0].net)
    assert found.tables.bank_net == second.settled.banker_net
    assert found.net == (await night.group.chips(2))[0] - 500
    assert found.decisions == 2
    assert found.best_choices == sum(not lost for lost in await given_away(night))
    assert found.given_away * 18_424 == sum(await given_away(night))
    assert found.staked == 25
    assert expected_return(found.wagered) is not None


async def given_away(night: Night) -> list[int]:
    """What the second person's choices gave away, in chips / 18,424."""
    at_table = await night.store.read(lambda tx: tx.row("SELECT given_away FROM table_hands WHERE place = 0 LIMIT 1"))
    assert at_table is not None
    assert night.alone.seen.shown is not None
    return [at_table["given_away"], night.alone.seen.shown.given_away]


async def test_f102_a_decision_in_ones_absence_is_nobodys_choice(night: Night) -> None:
    found = await night.stats(1)

    assert found.tables == AtTables(
        hands=1,
        net=night.showdowns[1].settled.seats[0].net,
        banked=1,
        bank_net=night.showdowns[0].settled.banker_net,
    )
    assert (found.wagered, found.staked, found.decisions) == ((), 0, 0)


async def test_the_best_hand_is_the_best_of_all_that_were_not_folded(night: Night) -> None:
    first, second = night.showdowns
    shown = night.alone.seen.shown
    assert shown is not None
    assert isinstance(shown.state, Settled)
    assert shown.state.decision is Decision.FOLD

    best = (await night.stats(2)).best

    assert best == max((first.players[0].hand, second.dealer), key=strength)


async def test_stats_of_one_chat_and_of_all_with_tables(night: Night) -> None:
    elsewhere = Group(night.store, chat_id=-9, now=night.group.later(60), seed="elsewhere", updates=count(2_000_000))
    await elsewhere.begins(3, 2, bank=50)
    await elsewhere.bets(2, 5)
    await elsewhere.decides(2)

    assert (await night.stats(2)).hands == 3
    assert (await night.stats(2, private=True)).hands == 4
    assert (await night.stats(3)).hands == 0
    assert await night.stats(4) == Stats(places=(None, None, None))


async def test_the_picture_of_a_night_is_found_by_its_latest_hand_alone_or_at_a_table(night: Night) -> None:
    shown = night.alone.seen.shown
    assert shown is not None
    assert (await night.stats(2)).latest_round == shown.id
    assert (await night.stats(1)).latest_round == FIRST_HAND + 1

    pictures = [
        await night.store.read(night_path, night.alone.who, Tap(verb=Verb.PICTURE, round=number))
        for number in (shown.id, FIRST_HAND, FIRST_HAND + 1)
    ]
    assert {picture.path for picture in pictures} == {pictures[0].path}
    assert pictures[0].path[-1] == (await night.group.chips(2))[0]
    ones = await night.store.read(night_path, night.group.who(1), Tap(verb=Verb.PICTURE, round=FIRST_HAND))
    assert (ones.owner.name, len(ones.path)) == ("Person 1", 3)
    for who, number in ((night.group.who(3), FIRST_HAND), (night.group.who(2), FIRST_HAND + 2)):
        with pytest.raises(DeadKey):
            await night.store.read(night_path, who, Tap(verb=Verb.PICTURE, round=number))


@pytest.mark.parametrize("private", [False, True], ids=["asked in the group", "asked in private"])
async def test_a_nights_file_has_a_line_for_every_hand_and_q64_verify_takes_it(night: Night, private: bool) -> None:
    asker = Player(night.store, user_id=2, chat_id=2 if private else night.group.chat_id).who
    assert await night.store.read(transcripts.has_night, asker)
    hands = await night.store.read(transcripts.night, asker)
    assert [isinstance(hand, TableProof) for hand in hands] == [True, True, False]

    name, content = night_file(hands, page())

    shown = night.alone.seen.shown
    assert shown is not None
    assert name == f"night-{FIRST_HAND}-{shown.id}.jsonl"
    lines = [json.loads(line) for line in content.splitlines()]
    assert all(isinstance(verify(line), Verified) for line in lines)
    assert [line["nonce"] for line in lines] == [FIRST_HAND, FIRST_HAND + 1, shown.id]
    assert [line["round"]["in"].get("bank") for line in lines] == [100, 60, None]
    assert checked_lines(content, page()) == "All 3 hands hold."
    said = verified(content).splitlines()
    assert [line.split(": ")[1] for line in said] == ["Holds"] * 3
    forged = content.replace(b'"bank": 60', b'"bank": 5', 1)
    assert "payout" in verified(forged)


def verified(content: bytes) -> str:
    """What `q64 verify -` says of a file."""
    app = typer.Typer()
    cli_game.register(app)
    return CliRunner().invoke(app, ["verify", "-"], input=content).stdout


async def test_f106_a_hand_in_play_is_in_nobodys_file(store: Store) -> None:
    group = Group(store)
    await group.begins(1, 2, bank=100)
    await group.bets(2, 25)

    assert not await store.read(transcripts.has_night, group.who(2))
    with pytest.raises(NoSuchHand):
        await store.read(transcripts.night, group.who(2))
