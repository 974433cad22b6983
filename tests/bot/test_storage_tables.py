"""Group tables in the database: an exact round trip, a version that guards, one table to a chat, and a chat that moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.storage import Conflict, Entry, Part, StaleTable, Store, Tx
from bot.storage.ledger import Account, AccountKind
from bot.storage.table_codec import decode, decode_showdown, encode, encode_showdown
from bot.tables import FIRST_HAND, GroupTable
from core import fair
from core import table_moves as moves
from core.cards import PACK
from core.errors import RuleError
from core.rules import PRESETS, RuleSet, Spot
from core.settlement import Decision
from core.table import Betting, Closed, Deciding, Ended, House, Showdown, Step, Table, Wish, bank_sizes
from tests.bot.databases import NOW, Sitting, database, seat_account, sit, store

__all__ = ["database", "store"]

CALIFORNIA = PRESETS["california"]
CHAT = -1_009_000_000_000_001


def evening(rules: RuleSet, house: House, chance: Random) -> Iterator[Table]:
    """A table under a mixture of moves, at each of its stops; what the game refuses is left out."""
    table, stacks = Table(rules=rules, house=house), dict.fromkeys(range(1, 5), 500)

    def moved(step: Step) -> Table:
        for each in step.moved:
            stacks[each.user] += each.chips
        return step.table

    for _ in range(200):
        who = chance.choice([*stacks])
        try:
            table = moved(_move(table, who, stacks, chance))
        except RuleError:
            continue
        yield table
        if isinstance(table.stage, Closed):
            table = moved(moves.deal(table, tuple(chance.sample(PACK, 52))))
            yield table


def _move(table: Table, who: int, stacks: dict[int, int], chance: Random) -> Step:
    stack = stacks[who]
    sizes = bank_sizes(table, stack) or (5,)
    possible: list[Callable[[], Step]] = [
        lambda: moves.sit(table, who),
        lambda: moves.start(table, who, stacks=stacks),
        lambda: moves.put_up(table, who, chance.choice(sizes), stacks=stacks),
        lambda: moves.pass_bank(table, who, stacks=stacks),
        lambda: moves.ask_house(table, who, stacks=stacks),
        lambda: moves.add_chip(
            table, who, chance.choice([Spot.ANTE, *table.rules.spots]), chance.choice(table.rules.chips), stack=stack
        ),
        lambda: moves.ready(table, who, stack=stack),
        lambda: moves.same_bet(table, who, stack=stack),
        lambda: moves.sit_out(table, who, stacks=stacks),
        lambda: moves.decide(table, who, chance.choice([*Decision])),
        lambda: moves.wish_next(table, who, chance.choice([*Wish]), stacks=stacks),
    ]
    if isinstance(table.stage, Betting | Deciding):
        possible = possible[5:7] * 3 + possible[7:10]
    rare: list[Callable[[], Step]] = [
        lambda: moves.leave(table, who, stacks=stacks),
        lambda: moves.expire(table, stacks=stacks) if table.seats else moves.sit(table, who),
        lambda: moves.close(table) if table.hand > 4 else moves.sit(table, who),
    ]
    return chance.choice(rare if chance.random() < 0.06 else possible)()


@settings(max_examples=40, deadline=None)
@given(rules=st.sampled_from([*PRESETS.values()]), house=st.sampled_from(House), seed=st.integers(0, 2**32))
def test_a_table_comes_back_exactly_at_every_stage(rules: RuleSet, house: House, seed: int) -> None:
    for table in evening(rules, house, Random(seed)):
        timed = replace(table, deadline=1_795_000_000)
        assert decode(encode(table), rules) == table
        assert decode(encode(timed), rules) == timed
        if isinstance(table.stage, Showdown):
            assert decode_showdown(encode_showdown(table.stage)) == table.stage


def test_the_walk_above_comes_by_every_stage() -> None:
    seen = {
        type(table.stage).__name__ for seed in range(30) for table in evening(CALIFORNIA, House.ASKED, Random(seed))
    }

    assert seen >= {"Lobby", "Offered", "Unbanked", "Betting", "Closed", "Deciding", "Showdown", "Ended"}


def test_a_stage_of_another_release_is_refused() -> None:
    with pytest.raises(ValueError, match="auction"):
        decode('{"house":"asked","stage":{"name":"auction"},"hand":1}', CALIFORNIA)


# Shelves


def secret(number: int) -> bytes:
    return number.to_bytes(32)


def opened(tx: Tx, *, chat_id: int = CHAT, number: int = 1, thread_id: int | None = None) -> GroupTable:
    return tx.tables.open(
        Table(rules=CALIFORNIA),
        chat_id=chat_id,
        thread_id=thread_id,
        secret=secret(number),
        commitment=fair.commitment(secret(number)),
        now=NOW,
    )


async def test_one_table_to_a_chat_until_it_has_ended(store: Store) -> None:
    place = await store.run(opened)
    with pytest.raises(Conflict):
        await store.run(opened, number=2)

    ended = replace(place, table=replace(place.table, stage=Ended()))
    await store.run(lambda tx: tx.tables.put(ended, now=NOW))

    assert await store.read(lambda tx: tx.tables.live(CHAT)) is None
    assert await store.read(lambda tx: tx.tables.get(place.id)) is None
    kept = await store.read(lambda tx: tx.tables.any(place.id))
    assert kept is not None
    assert kept.ended
    assert (await store.run(opened, number=3)).id > place.id


async def test_the_version_guards_every_change(store: Store) -> None:
    place = await store.run(opened)
    newer = await store.run(lambda tx: tx.tables.put(replace(place, wanted=2, thread_id=42), now=NOW))

    with pytest.raises(StaleTable):
        await store.run(lambda tx: tx.tables.put(replace(place, wanted=3), now=NOW))

    assert await store.read(lambda tx: tx.tables.live(CHAT)) == newer
    assert (newer.version, newer.wanted, newer.thread_id) == (2, 2, 42)


async def test_a_hand_at_a_table_never_has_the_number_of_a_hand_alone(store: Store) -> None:
    place = await store.run(opened)
    alone = await store.run(sit)

    assert place.round_id == FIRST_HAND
    assert alone.round.id < FIRST_HAND
    other = await store.run(opened, chat_id=CHAT - 1, number=2)
    assert other.round_id == FIRST_HAND + 1


async def test_a_commitment_is_never_given_twice(store: Store) -> None:
    await store.run(opened)
    with pytest.raises(Conflict):
        await store.run(opened, chat_id=CHAT - 1)


async def test_a_table_is_found_by_its_message(store: Store) -> None:
    place = await store.run(opened)
    await store.run(lambda tx: tx.messages.sent(place.board, chat_id=place.chat_id, message_id=77, version=1))

    assert await store.read(lambda tx: tx.tables.at(CHAT, 77)) == replace(place, message_id=77, painted=1)
    assert await store.read(lambda tx: tx.tables.at(CHAT - 1, 77)) is None


async def test_a_hand_is_cut_once_dealt_once_and_settled_once(store: Store) -> None:
    place = await store.run(opened)
    round_ = await store.read(lambda tx: tx.tables.round(place.round_id))
    assert round_ is not None
    cut = await store.run(lambda tx: tx.tables.cut(round_, 4, by=1))
    assert (cut.cut, cut.cut_by) == (4, 1)
    with pytest.raises(StaleTable):
        await store.run(lambda tx: tx.tables.cut(round_, 5, by=2))

    dealt = await store.run(lambda tx: tx.tables.deal(cut, words=("", "cut:4"), hand=1, rules=CALIFORNIA, now=NOW))
    with pytest.raises(StaleTable):
        await store.run(lambda tx: tx.tables.deal(cut, words=("",), hand=1, rules=CALIFORNIA, now=NOW))
    assert await store.read(lambda tx: tx.tables.round(place.round_id)) == dealt

    found = await store.read(lambda tx: tx.tables.by_commitment(round_.commitment))
    assert found == dealt
    assert await store.read(lambda tx: tx.tables.chat_of(dealt)) == CHAT


def shown() -> Showdown:
    """A hand of two players and a banker, seats 1 to 3."""
    for seed in range(100):
        for table in evening(CALIFORNIA, House.NEVER, Random(seed)):
            if isinstance(table.stage, Showdown) and len(table.stage.players) > 1:
                return table.stage
    raise AssertionError("no showdown")


async def test_a_settled_hand_counts_in_the_night(store: Store) -> None:
    showdown = shown()
    player = showdown.players[0]

    def settled(tx: Tx) -> Sitting:
        sitting = sit(tx, chat_id=CHAT, user_id=1)
        place = opened(tx)
        round_ = tx.tables.round(place.round_id)
        assert round_ is not None
        round_ = tx.tables.deal(round_, words=("",), hand=1, rules=CALIFORNIA, now=NOW)
        part = Part(seat_id=sitting.seat.id, night_id=sitting.night.id, net=-40, player=player, given_away=7)
        bank = Part(seat_id=sitting.seat.id, night_id=sitting.night.id, net=15)
        tx.tables.settle(round_, showdown, [part, bank], now=NOW)
        return sitting

    sitting = await store.run(settled)

    hands, net, given_away, best = await store.read(lambda tx: tx.scores.night(sitting.night.id))
    assert (hands, net, given_away) == (2, -25, 7)
    assert best is not None
    assert await store.read(lambda tx: tx.nights.nets(sitting.night.id, last=5)) in {(-40, 15), (15, -40)}
    assert await store.read(lambda tx: tx.rounds.settled_before(sitting.seat.id, 2)) == NOW
    assert await store.read(lambda tx: tx.rounds.settled_before(sitting.seat.id, 3)) is None
    kept = await store.read(lambda tx: tx.tables.round(FIRST_HAND))
    assert kept is not None
    assert kept.showdown == showdown


# F01: a chat that moves


def bet(tx: Tx, place: GroupTable, sittings: list[Sitting]) -> GroupTable:
    """Two people at the table: the first banks 100, the second has laid a bet."""
    stacks = {sitting.seat.id: 500 for sitting in sittings}
    banker, player = (sitting.seat for sitting in sittings)
    table = place.table
    for seat in (banker, player):
        table = moves.sit(table, seat.id).table
    table = moves.start(table, banker.id, stacks=stacks).table
    table = moves.put_up(table, banker.id, 100, stacks=stacks).table
    table = moves.add_chip(table, player.id, Spot.ANTE, 25, stack=500).table
    table = moves.deal(moves.ready(table, player.id, stack=500).table, PACK).table
    assert isinstance(table.stage, Deciding)
    for seat, kind, chips in ((banker, AccountKind.BANK, 100), (player, AccountKind.ROUND, 50)):
        lines = Entry(seat_account(seat), -chips), Entry(Account(kind, place.round_id), chips)
        tx.ledger.move("table_ready", *lines, round_id=place.round_id, now=NOW)
    return tx.tables.put(replace(place, table=table, message_id=50), now=NOW)


async def test_f01_the_table_moves_with_its_chat(store: Store) -> None:
    def begun(tx: Tx) -> GroupTable:
        sittings = [sit(tx, chat_id=-100, user_id=user) for user in (1, 2)]
        return bet(tx, opened(tx, chat_id=-100, thread_id=42), sittings)

    place = await store.run(begun)
    for _ in range(2):  # told once or twice
        await store.run(lambda tx: tx.chats.migrate(-100, CHAT, now=NOW))

    moved = await store.read(lambda tx: tx.tables.live(CHAT))
    assert moved is not None
    assert (moved.id, moved.table, moved.message_id, moved.thread_id) == (place.id, place.table, None, None)
    assert await store.read(lambda tx: tx.tables.live(-100)) is None


async def test_f01_of_two_tables_the_older_wins_and_the_newer_gives_everything_back(store: Store) -> None:
    def begun(tx: Tx) -> tuple[GroupTable, GroupTable]:
        old = [sit(tx, chat_id=-100, user_id=user) for user in (1, 2)]
        older = bet(tx, opened(tx, chat_id=-100), old)
        new = [sit(tx, chat_id=CHAT, user_id=user) for user in (2, 3)]
        return older, bet(tx, opened(tx, chat_id=CHAT, number=2), new)

    older, newer = await store.run(begun)
    await store.run(lambda tx: tx.chats.migrate(-100, CHAT, now=NOW))

    live = await store.read(lambda tx: tx.tables.live(CHAT))
    assert live is not None
    assert (live.id, live.table) == (older.id, older.table)

    def books(tx: Tx) -> tuple[int, list[int], int, list[tuple[int, int, int]]]:
        third = tx.seats.at(CHAT, 3)
        assert third is not None
        held = [tx.ledger.balance(Account(kind, newer.round_id)) for kind in (AccountKind.BANK, AccountKind.ROUND)]
        return third.chips, held, tx.ledger.drift(), tx.ledger.unbalanced_seats()

    assert await store.read(books) == (500, [0, 0], 0, [])
    voided = await store.read(lambda tx: tx.tables.round(newer.round_id))
    assert voided is not None
    assert voided.void
