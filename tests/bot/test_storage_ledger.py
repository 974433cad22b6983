"""The books: every movement sums to zero, nothing is changed afterwards, and a seat's chips are what its lines say."""

import asyncio
import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.storage import Account, AccountKind, Conflict, Entry, Overdrawn, Store, Tx, open_store
from bot.storage.sqlite import connect
from tests.bot.databases import HOUSE, MINT, NOW, database, file, seat_account, sit, store

__all__ = ["database", "file", "store"]

ROUND = Account(AccountKind.ROUND, 1)


def balances(tx: Tx, *accounts: Account) -> tuple[int, ...]:
    return tuple(tx.ledger.balance(account) for account in accounts)


def checked(tx: Tx) -> bool:
    return (tx.ledger.drift(), tx.ledger.unbalanced_seats(), tx.ledger.unbalanced_movements()) == (0, [], [])


async def test_f69_a_stake_is_taken_once_and_losing_writes_nothing_further(store: Store) -> None:
    def use_case(tx: Tx) -> tuple[int, ...]:
        seat = sit(tx, chips=100).seat
        tx.ledger.move("deal", Entry(seat_account(seat), -20), Entry(ROUND, 20), round_id=1, now=NOW)
        tx.ledger.move("settle", Entry(ROUND, -20), Entry(HOUSE, 20), Entry(seat_account(seat), 0), now=NOW)
        found = tx.seats.get(seat.id)
        assert found is not None
        return (found.chips, *balances(tx, seat_account(seat), ROUND, HOUSE, MINT))

    assert await store.run(use_case) == (80, 80, 0, 20, -100)
    assert await store.read(checked)


async def test_f70_what_a_round_holds_cannot_be_spent_again(store: Store) -> None:
    seat = (await store.run(lambda tx: sit(tx, chips=100))).seat

    def deal(tx: Tx, round_id: int) -> None:
        account = Account(AccountKind.ROUND, round_id)
        tx.ledger.move("deal", Entry(seat_account(seat), -60), Entry(account, 60), round_id=round_id, now=NOW)

    told = await asyncio.gather(store.run(deal, 1), store.run(deal, 2), return_exceptions=True)

    (refused,) = (answer for answer in told if answer is not None)
    assert isinstance(refused, Overdrawn)
    assert (refused.seat_id, refused.chips) == (seat.id, -60)
    assert await store.read(lambda tx: balances(tx, seat_account(seat))) == (40,)
    assert await store.read(checked)


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param((Entry(MINT, -5), Entry(HOUSE, 4)), id="F75 does not sum to zero"),
        pytest.param((Entry(MINT, 5),), id="one line"),
        pytest.param((Entry(MINT, -2.5), Entry(HOUSE, 2.5)), id="F77 fractions of a chip"),  # type: ignore[arg-type]
        pytest.param((Entry(MINT, True), Entry(HOUSE, -1)), id="not a number"),
    ],
)
async def test_what_is_no_movement_is_refused(store: Store, entries: tuple[Entry, ...]) -> None:
    with pytest.raises(ValueError, match="odd"):
        await store.run(lambda tx: tx.ledger.move("odd", *entries, now=NOW))
    assert await store.read(lambda tx: tx.rows("SELECT id FROM movements")) == []


async def test_f75_a_seat_never_has_less_than_nothing(store: Store) -> None:
    seat = (await store.run(lambda tx: sit(tx, chips=100))).seat

    with pytest.raises(Overdrawn):
        await store.run(lambda tx: tx.ledger.move("gift", Entry(seat_account(seat), -101), Entry(HOUSE, 101), now=NOW))
    with pytest.raises(Conflict):  # the database itself, whatever the code does
        await store.run(lambda tx: tx.execute("UPDATE seats SET chips = -1 WHERE id = :id", id=seat.id))
    assert await store.read(checked)


async def test_f76_giving_to_oneself_changes_nothing(store: Store) -> None:
    seat = (await store.run(lambda tx: sit(tx, chips=100))).seat
    own = seat_account(seat)

    await store.run(lambda tx: tx.ledger.move("gift", Entry(own, -50), Entry(own, 50), now=NOW))

    assert await store.read(lambda tx: balances(tx, own)) == (100,)
    assert await store.read(checked)


async def test_nothing_moved_is_nothing_booked(store: Store) -> None:
    await store.run(lambda tx: tx.ledger.move("nothing", Entry(MINT, 0), Entry(HOUSE, 0), now=NOW))

    assert await store.read(lambda tx: tx.rows("SELECT id FROM movements")) == []


@pytest.mark.parametrize("change", ["UPDATE {} SET {} = 7", "DELETE FROM {}"])
@pytest.mark.parametrize("table, column", [("entries", "chips"), ("movements", "at")])
async def test_the_books_cannot_be_changed(store: Store, table: str, column: str, change: str) -> None:
    await store.run(sit)

    with pytest.raises(Conflict, match="append-only"):
        await store.run(lambda tx: tx.execute(change.format(table, column)))
    assert await store.read(checked)


async def test_a_use_case_that_goes_on_after_a_broken_constraint_keeps_its_word(store: Store, database: str) -> None:
    """On SQLite it may; on PostgreSQL the transaction is gone, and that is told instead of a result."""
    seat = (await store.run(lambda tx: sit(tx, chips=100))).seat

    def careless(tx: Tx) -> bool:
        with contextlib.suppress(Conflict):
            tx.execute("UPDATE seats SET chips = -1 WHERE id = :id", id=seat.id)
        return tx.marks.first(7, now=NOW)

    def later(tx: Tx) -> None:
        with contextlib.suppress(Conflict):
            tx.execute("UPDATE seats SET chips = -1 WHERE id = :id", id=seat.id)

    if database.startswith("sqlite"):
        assert await store.run(careless)
    else:
        with pytest.raises(Conflict):
            await store.run(later)
    assert await store.read(checked)


async def test_cached_chips_that_drift_are_found(store: Store) -> None:
    seat = (await store.run(lambda tx: sit(tx, chips=100))).seat
    await store.run(lambda tx: tx.execute("UPDATE seats SET chips = 170 WHERE id = :id", id=seat.id))

    assert await store.read(lambda tx: tx.ledger.unbalanced_seats()) == [(seat.id, 170, 100)]


moves = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(-300, 300)).map(
        lambda move: (f"{move[0]}>{move[1]}", move)
    ),
    max_size=30,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(moves)
def test_chips_are_neither_made_nor_lost_whatever_is_tried(
    file: Path, tried: list[tuple[str, tuple[int, int, int]]]
) -> None:
    """Any sequence of movements, refused ones among them, leaves the books balanced and every cached sum right."""
    raw = connect(file, busy_timeout=1)
    tx = Tx(raw.cursor(), broken_constraint=Exception)
    raw.execute("BEGIN")
    seats = [tx.seats.open(-1, user_id, now=NOW) for user_id in (1, 2, 3)]
    accounts = [MINT, HOUSE, *map(seat_account, seats)]
    expected = dict.fromkeys(accounts, 0)
    for why, (giver, taker, chips) in tried:
        after = expected.copy()
        after[accounts[giver]] -= chips
        after[accounts[taker]] += chips
        raw.execute("SAVEPOINT move")
        try:
            tx.ledger.move(why, Entry(accounts[giver], -chips), Entry(accounts[taker], chips), now=NOW)
        except Overdrawn:
            raw.execute("ROLLBACK TO move")
        else:
            expected = after

    assert {account: tx.ledger.balance(account) for account in accounts} == expected
    assert checked(tx)
    stored = [seat for user_id in (1, 2, 3) for seat in tx.seats.of(user_id)]
    assert [seat.chips for seat in stored] == [expected[seat_account(seat)] for seat in seats]
    assert min(seat.chips for seat in stored) >= 0
    raw.execute("ROLLBACK")
    raw.close()


async def test_f78_chips_far_above_what_any_rule_set_allows_are_added_up(store: Store) -> None:
    seat = (await store.run(lambda tx: sit(tx, chips=2**60))).seat

    assert seat.chips == 2**60
    assert await store.read(lambda tx: balances(tx, seat_account(seat), MINT)) == (2**60, -(2**60))


async def test_the_books_survive_a_restart(database: str) -> None:
    store = await open_store(database)
    seat = (await store.run(lambda tx: sit(tx, chips=2**50))).seat
    await store.close()

    again = await open_store(database)
    assert await again.read(lambda tx: balances(tx, seat_account(seat), MINT)) == (2**50, -(2**50))
    await again.close()
