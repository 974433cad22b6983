"""F01: a group becomes a supergroup, and nobody's chips, nights or boards stay behind."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.facts import Ending, Seat
from bot.storage import Account, AccountKind, Entry, Store, Tx
from core.rules import PRESETS
from tests.bot.databases import MINT, NOW, Sitting, board_of, database, seat_account, sit, store

__all__ = ["database", "store"]

OLD, NEW = -4242, -1_001_234_567_890
LATER = NOW + timedelta(minutes=5)


def old_group(tx: Tx) -> Sitting:
    """Ann sits in the old group with a board and a finished night; the admins have chosen."""
    sitting = sit(tx, chat_id=OLD, user_id=1)
    chat = tx.chats.get(OLD)
    assert chat is not None
    tx.chats.put(replace(chat, rules=PRESETS["california"], language="de"))
    board = board_of(tx, sitting)
    tx.messages.sent(board.id, chat_id=board.chat_id, message_id=70, version=1)
    tx.posts.add("end", OLD, None, "{}", NOW)
    return sitting


def migrate(tx: Tx) -> None:
    tx.chats.migrate(OLD, NEW, now=LATER)


def seats_at(tx: Tx, chat_id: int) -> list[Seat]:
    rows = tx.rows("SELECT id FROM seats WHERE chat_id = :chat ORDER BY id", chat=chat_id)
    return [seat for row in rows if (seat := tx.seats.get(row["id"])) is not None]


def balanced(tx: Tx) -> bool:
    return tx.ledger.drift() == 0 and not tx.ledger.unbalanced_seats()


@pytest.mark.parametrize("times", [1, 2, 3])
async def test_f01_everything_moves_told_once_or_more(store: Store, times: int) -> None:
    sitting = await store.run(old_group)
    for _ in range(times):
        await store.run(migrate)

    seat = await store.read(lambda tx: tx.seats.at(NEW, 1))
    assert seat == replace(sitting.seat, chat_id=NEW)
    chat = await store.read(lambda tx: tx.chats.get(NEW))
    assert chat is not None
    assert (chat.id, chat.kind, chat.rules.name, chat.language, chat.active) == (
        NEW,
        "supergroup",
        "california",
        "de",
        True,
    )
    board = await store.read(lambda tx: tx.boards.of_seat(sitting.seat.id))
    assert board is not None
    assert (board.chat_id, board.message_id, board.painted) == (NEW, None, 1)  # waits for a tap, sends nothing
    assert [post.key for post in await store.read(lambda tx: tx.posts.waiting(NEW))] == ["end"]
    assert await store.read(balanced)


async def test_f01_the_old_id_leads_to_the_new_chat(store: Store) -> None:
    await store.run(old_group)
    await store.run(migrate)

    seen = await store.run(lambda tx: tx.chats.seen(OLD, kind="group", title="Late", now=LATER))

    assert seen == await store.read(lambda tx: tx.chats.get(NEW)) == await store.read(lambda tx: tx.chats.get(OLD))
    assert seen.id == NEW


async def test_f01_of_two_seats_the_older_wins_and_the_fresh_buy_in_goes_back(store: Store) -> None:
    sitting = await store.run(old_group)
    fresh = await store.run(lambda tx: sit(tx, chat_id=NEW, user_id=1, now=LATER))  # a tap came before the news

    def deal(tx: Tx) -> None:
        account = Account(AccountKind.ROUND, fresh.round.id)
        tx.ledger.move("deal", Entry(seat_account(fresh.seat), -55), Entry(account, 55), now=LATER)
        board_of(tx, fresh)

    await store.run(deal)
    for _ in range(2):
        await store.run(migrate)

    assert await store.read(lambda tx: tx.seats.at(NEW, 1)) == replace(sitting.seat, chat_id=NEW)
    left = await store.read(lambda tx: tx.seats.get(fresh.seat.id))
    assert left == replace(fresh.seat, chat_id=OLD, chips=0, night_id=None, round_id=None)
    held = Account(AccountKind.ROUND, fresh.round.id)
    assert await store.read(lambda tx: (tx.ledger.balance(held), tx.ledger.balance(MINT))) == (0, -500)
    void = await store.read(lambda tx: tx.rounds.get(fresh.round.id))
    assert void is not None
    assert void.void
    night = await store.read(lambda tx: tx.nights.get(fresh.night.id))
    assert night is not None
    assert (night.closed, night.ending) == (LATER, None)  # over, and no score
    assert await store.read(lambda tx: tx.boards.of_seat(fresh.seat.id)) is None
    assert await store.read(balanced)


async def test_f01_told_first_then_played_then_told_again(store: Store) -> None:
    """The news comes before the first word in the new chat, and once more after a late tap in the old one."""
    await store.run(migrate)
    true_seat = (await store.run(lambda tx: sit(tx, chat_id=NEW, user_id=1))).seat
    late = await store.run(lambda tx: tx.seats.open(OLD, 1, now=LATER))
    await store.run(migrate)

    assert await store.read(lambda tx: tx.seats.at(NEW, 1)) == true_seat
    assert late.id != true_seat.id
    assert await store.read(balanced)


async def test_f01_people_who_sit_in_one_of_them_only_are_not_touched(store: Store) -> None:
    bo = (await store.run(lambda tx: sit(tx, chat_id=OLD, user_id=2))).seat
    cy = (await store.run(lambda tx: sit(tx, chat_id=NEW, user_id=3))).seat
    elsewhere = (await store.run(lambda tx: sit(tx, chat_id=-7, user_id=2))).seat
    await store.run(migrate)

    assert await store.read(lambda tx: seats_at(tx, NEW)) == [replace(bo, chat_id=NEW), cy]
    assert await store.read(lambda tx: seats_at(tx, -7)) == [elsewhere]
    assert await store.read(lambda tx: seats_at(tx, OLD)) == []


async def test_f01_the_top_five_moves_as_well(store: Store) -> None:
    def finished(tx: Tx) -> None:
        sitting = sit(tx, chat_id=OLD, user_id=1)
        tx.nights.close(tx.nights.count_hand(sitting.night), chips=900, ending=Ending.CASHED, now=NOW)

    await store.run(finished)
    await store.run(migrate)

    assert [score.chips for score in await store.read(lambda tx: tx.scores.top(NEW))] == [900]
    assert await store.read(lambda tx: tx.scores.top(OLD)) == []


async def test_a_chat_that_moves_to_itself_stays(store: Store) -> None:
    sitting = await store.run(old_group)
    await store.run(lambda tx: tx.chats.migrate(OLD, OLD, now=LATER))

    assert await store.read(lambda tx: tx.seats.at(OLD, 1)) == sitting.seat
