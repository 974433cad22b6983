"""The group table use case by use case, on both databases: what each move does to chips, nights, books and timers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.facts import Ending, Face, Tap, Verb
from bot.options import Ban, Banker, Speed, options_of, with_options
from bot.refusals import (
    AlreadyDone,
    BankOffered,
    BlackListed,
    ChipsAtTable,
    DeadKey,
    HandOver,
    NoChipsLeft,
    NoSuchHand,
    NotAdmin,
    NotOpenYet,
    OnBreak,
    TableGone,
    TooManyHands,
)
from bot.services import breaks, forgetting, held, people, records, solo, table, table_bets, transcripts
from bot.services.audit import audit
from bot.services.seating import end_night
from bot.storage import Account, AccountKind, Entry, Store, Tx
from bot.storage.inspection import inspecting
from bot.tables import FIRST_HAND, TableProof, TableTold
from core import fair
from core.errors import AlreadyReady, AlreadySeated, BankerCannotBet, NothingToDecide, NotSeated, TableFull, WrongPhase
from core.rules import PRESETS, SELMINHA
from core.table import Betting, Deciding, Ended, Lobby, Offered, Showdown, Unbanked
from tests.bot.databases import NOW, balanced, database, store
from tests.bot.sitting import Player
from tests.bot.tabling import GROUP, Group, evening

__all__ = ["database", "store"]


@pytest.fixture
def group(store: Store) -> Group:
    return Group(store)


async def booked(group: Group, round_id: int) -> tuple[int, int]:
    """Chips of a hand in the books: the bets, the bank."""
    return await group.store.read(
        lambda tx: (
            tx.ledger.balance(Account(AccountKind.ROUND, round_id)),
            tx.ledger.balance(Account(AccountKind.BANK, round_id)),
        )
    )


async def due(group: Group) -> datetime | None:
    """When the table's timer rings."""
    row = await group.store.read(lambda tx: tx.row("SELECT due FROM timers WHERE kind = 'table'"))
    return None if row is None else datetime.fromtimestamp(row["due"] / 1000, UTC)


async def choose(group: Group, **options: object) -> None:
    def chosen(tx: Tx) -> None:
        chat = tx.chats.seen(group.chat_id, kind="supergroup", title="Friends", now=NOW)
        tx.chats.put(with_options(chat, replace(options_of(chat), **options)))  # type: ignore[arg-type]

    await group.store.run(chosen)


# Coming and going


async def test_table_opens_sits_down_and_begins_a_night(group: Group) -> None:
    brought = await group.bring(1)

    assert not brought.unchanged
    assert isinstance((await group.state()).stage, Lobby)
    assert await group.sitting() == [1]
    assert await group.chips(1) == [500]
    assert (await group.seat(1)).night_id is not None
    assert await balanced(group.store)


async def test_table_said_twice_changes_nothing(group: Group) -> None:
    await group.bring(1)
    assert (await group.bring(1)).unchanged
    assert await group.sitting() == [1]


async def test_f40_the_same_update_again_changes_nothing(group: Group) -> None:
    await group.bring(1, update_id=7)
    again = await group.bring(1, update_id=7)
    assert again.told.board.place.id == (await group.place()).id
    assert await group.store.read(lambda tx: tx.row("SELECT COUNT(*) AS n FROM tables")["n"]) == 1  # type: ignore[index]


async def test_boards_2_a_table_far_up_comes_down_and_stays_in_its_topic(group: Group) -> None:
    await group.bring(1)
    group.message += 16
    brought = await group.bring(1)

    place = brought.told.board.place
    assert (place.message_id, place.old_message_id) == (None, 50)


async def test_f100_nobody_sits_twice(group: Group) -> None:
    await group.bring(1)
    with pytest.raises(AlreadySeated):
        await group.tap(1, Verb.TABLE_SIT)
    await group.tap(2, Verb.TABLE_SIT)
    await group.tap(2, Verb.TABLE_LEAVE)
    await group.tap(2, Verb.TABLE_SIT)
    assert await group.sitting() == [1, 2]
    assert await group.chips(2) == [500]


async def test_cal_eight_seats(group: Group) -> None:
    await group.bring(*range(1, 9))
    with pytest.raises(TableFull):
        await group.tap(9, Verb.TABLE_SIT)
    await group.bring(9)
    assert await group.sitting() == [*range(1, 9)]
    assert await group.store.read(lambda tx: tx.seats.at(GROUP, 9).night_id) is None  # type: ignore[union-attr]


async def test_who_has_no_seat_in_the_chat_or_at_the_table_is_refused(group: Group) -> None:
    await group.begins(1, 2, 3, bank=100)
    await group.tap(3, Verb.TABLE_LEAVE)
    for user in (4, 3):
        with pytest.raises(NotSeated):
            await group.tap(user, Verb.TABLE_READY)


async def test_leaving_with_a_bet_on_the_table_plays_the_hand_to_its_end(group: Group) -> None:
    await group.begins(1, 2, 3, bank=100)
    await group.bets(2, 25)
    await group.tap(2, Verb.TABLE_LEAVE)
    assert await group.sitting() == [1, 2, 3]
    await group.bets(3, 25)
    await group.decides(3)

    assert isinstance((await group.state()).stage, Showdown)
    assert await group.sitting() == [1, 3]
    assert sum(await group.chips(1, 2, 3)) == 1500


async def test_boards_8_leaving_the_chat_is_leave(group: Group) -> None:
    await group.bring(1, 2)
    told = await group.store.run(table.gone, GROUP, 2, secret=group.secret(), now=group.later())
    assert told is not None
    assert await group.sitting() == [1]
    assert await group.store.run(table.gone, GROUP, 2, secret=group.secret(), now=group.later()) is None
    assert await group.store.run(table.gone, GROUP, 99, secret=group.secret(), now=group.later()) is None


# The bank


async def test_the_bank_leaves_the_stack_when_it_is_put_up(group: Group) -> None:
    await group.begins(1, 2)
    with pytest.raises(BankOffered) as refusal:
        await group.tap(2, Verb.TABLE_BANK, 100)
    assert refusal.value.name == "Person 1"
    await group.tap(1, Verb.TABLE_BANK, 100)

    place = await group.place()
    assert await group.chips(1, 2) == [400, 500]
    assert await booked(group, place.round_id) == (0, 100)
    with pytest.raises(WrongPhase):
        await group.tap(1, Verb.TABLE_BANK, 100)
    assert await group.chips(1) == [400]


async def test_nobody_has_bet_and_the_bank_returns_for_the_same_hand(group: Group) -> None:
    await group.begins(1, 2, bank=100)
    before = (await group.place()).round_id
    await group.expires()

    place = await group.place()
    assert isinstance(place.table.stage, Offered)
    assert place.round_id == before
    assert await group.chips(1) == [500]
    assert await booked(group, before) == (0, 0)


async def test_rules_3_6_nobody_banks_and_the_table_says_so(group: Group) -> None:
    await group.begins(1, 2)
    await group.tap(1, Verb.TABLE_PASS)
    await group.tap(2, Verb.TABLE_PASS)
    assert isinstance((await group.state()).stage, Unbanked)
    await group.tap(2, Verb.TABLE_HOUSE)
    await group.bets(1, 50)
    await group.bets(2, 50)
    await group.all_decide()

    over = (await group.state()).stage
    assert isinstance(over, Showdown)
    assert sum(await group.chips(1, 2)) == 1000 - over.settled.banker_net
    assert await balanced(group.store)


async def test_the_admins_choice_of_rules_and_house_counts_between_hands(group: Group) -> None:
    await choose(group, bank=Banker.HOUSE)
    await group.begins(1, 2)
    assert isinstance((await group.state()).stage, Betting)
    assert (await group.state()).stage.bank.user is None  # type: ignore[union-attr]

    def other(tx: Tx) -> None:
        chat = tx.chats.get(GROUP)
        assert chat is not None
        tx.chats.put(
            with_options(replace(chat, rules=PRESETS["california"]), replace(options_of(chat), bank=Banker.PLAYERS))
        )

    await group.store.run(other)
    await group.bets(1, 25)
    assert (await group.state()).rules == SELMINHA  # not while a hand is under way
    await group.bets(2, 25)
    await group.all_decide()
    await group.tap(1, Verb.TABLE_OTHER_BET)
    await group.tap(2, Verb.TABLE_OTHER_BET)
    assert (await group.state()).rules == PRESETS["california"]


# Bets and decisions


async def test_design_bets_and_cover_leave_the_stack_at_ready(group: Group) -> None:
    await group.begins(1, 2, 3, bank=100)
    await group.tap(2, Verb.TABLE_ADD, 0, 25)
    assert await group.chips(2) == [500]
    await group.tap(2, Verb.TABLE_READY)

    assert await group.chips(2) == [450]
    assert await booked(group, (await group.place()).round_id) == (50, 100)
    with pytest.raises(AlreadyReady):
        await group.tap(2, Verb.TABLE_READY)
    assert await group.chips(2) == [450]


async def test_boards_5_a_repeated_callback_is_dropped(group: Group) -> None:
    await group.begins(1, 2, bank=100)
    place = await group.place()
    tap = _tap(place.id, place.round_id)
    for _ in range(2):
        told = await group.store.run(
            table_bets.bet, group.who(2), tap, mark=-5, secret=group.secret(), now=group.later()
        )
    assert told.unchanged
    stage = (await group.state()).stage
    assert isinstance(stage, Betting)
    assert stage.drafts[0].wager.ante == 25


def _tap(board: int, round_id: int) -> Tap:
    return Tap(verb=Verb.TABLE_ADD, board=board, round=round_id, numbers=(0, 25))


@pytest.mark.parametrize("numbers", [(9, 25), (0, 7), (0, 999_999_999)])
async def test_f33_payloads_made_by_hand(group: Group, numbers: tuple[int, int]) -> None:
    await group.begins(1, 2, bank=100)
    with pytest.raises(DeadKey):
        await group.tap(2, Verb.TABLE_ADD, *numbers)


async def test_f40_a_typed_word_that_comes_again_does_nothing(group: Group) -> None:
    await group.begins(1, 2, 3, bank=100)
    await group.tap(2, Verb.TABLE_ADD, 0, 25)

    async def says(verb: Verb, update_id: int, *, message: int | None = None) -> TableTold | None:
        who, now = group.who(2, message=message), group.later()
        return await group.store.run(table_bets.word, who, verb, update_id=update_id, secret=group.secret(), now=now)

    assert await says(Verb.CLEAR, 77, message=group.message + 1) is None  # no table stands there
    assert await says(Verb.CLEAR, 77) is not None
    await group.tap(2, Verb.TABLE_ADD, 0, 25)
    with pytest.raises(AlreadyDone):
        await says(Verb.CLEAR, 77)
    stage = (await group.state()).stage
    assert isinstance(stage, Betting)
    assert [bet.wager.ante for bet in stage.drafts] == [25]


async def test_f35_keys_of_another_hand_another_table_and_another_message(group: Group) -> None:
    await group.begins(1, 2, bank=100)
    place = await group.place()
    with pytest.raises(HandOver):
        await group.tap(2, Verb.TABLE_READY, round_id=place.round_id - 1)
    group.message += 1
    with pytest.raises(DeadKey):
        await group.tap(2, Verb.TABLE_READY)
    group.message -= 1
    await group.close(1)
    with pytest.raises(TableGone):
        await group.store.run(
            table.start, group.who(1), _tap(place.id, place.round_id), secret=group.secret(), now=group.later()
        )


async def test_boards_4_a_look_and_a_first_tap_change_no_picture(group: Group) -> None:
    await group.begins(1, 2, 3, bank=100)
    await group.bets(2, 25)
    await group.bets(3, 25)
    before = await group.place()
    told = await group.tap(2, Verb.TABLE_FOLD)

    assert (told.peeked, told.unchanged) == (True, True)
    assert told.cards is not None
    after = await group.place()
    assert after.wanted == before.wanted
    assert isinstance(after.table.stage, Deciding)
    await group.tap(2, Verb.TABLE_FOLD)
    assert (await group.place()).wanted == before.wanted + 1
    with pytest.raises(BankerCannotBet):
        await group.tap(1, Verb.TABLE_CARDS)


async def test_p3_without_an_ante_there_is_nothing_to_decide(group: Group) -> None:
    def poker_three(tx: Tx) -> None:
        chat = tx.chats.seen(GROUP, kind="supergroup", title="Friends", now=NOW)
        tx.chats.put(replace(chat, rules=PRESETS["poker-three"]))

    await group.store.run(poker_three)
    await group.begins(1, 2, 3, bank=100)
    await group.bets(2, 0, 25)
    await group.bets(3, 25)
    place = await group.place()
    tap = replace(_tap(place.id, place.round_id), verb=Verb.TABLE_HINT, numbers=())
    with pytest.raises(NothingToDecide):
        await group.store.read(table_bets.hint, group.who(2), tap)
    assert (await group.store.read(table_bets.hint, group.who(3), tap)).wager.ante == 25


# The end of a hand


def _night(tx: Tx, night_id: int) -> tuple[int, int, tuple[int, ...]]:
    """Hands as counted, the net as added up, and the net of each."""
    night = tx.nights.get(night_id)
    assert night is not None
    return night.hands, tx.scores.night(night_id)[1], tx.nights.nets(night_id, last=9)


async def test_a_hand_counts_in_the_night_of_players_and_banker(group: Group) -> None:
    await group.begins(1, 2, bank=100)
    await group.bets(2, 25, 5)
    first = (await group.place()).round_id
    await group.decides(2)

    place = await group.place()
    assert (place.shown_id, place.round_id) == (first, first + 1)
    assert await booked(group, first) == (0, 0)
    nets = []
    for user in (1, 2):
        seat = await group.seat(user)
        assert seat.night_id is not None
        hands, net, nets_of = await group.store.read(_night, seat.night_id)
        assert (hands, nets_of) == (1, (net,))
        assert seat.chips == 500 + net
        nets.append(net)
    assert sum(nets) == 0
    person = await group.store.read(lambda tx: tx.people.get(2))
    assert person is not None
    assert person.hands == 1


async def poorer(group: Group, user: int, chips: int) -> None:
    """So many chips are all that somebody has."""

    def use_case(tx: Tx) -> None:
        seat = tx.seats.at(GROUP, user)
        assert seat is not None
        gone = seat.chips - chips
        lines = Entry(Account(AccountKind.SEAT, seat.id), -gone), Entry(Account(AccountKind.MINT), gone)
        tx.ledger.move("buy_in", *lines, now=NOW)

    await group.store.run(use_case)


async def test_broke_at_the_table_ends_the_night(group: Group) -> None:
    await group.begins(1, 2, bank=500)
    await poorer(group, 2, 10)
    await group.bets(2, 5)
    await group.decides(2, Verb.TABLE_FOLD)

    seat = await group.seat(2)
    assert (seat.night_id, seat.chips, seat.round_id) == (None, 0, None)
    night = await group.store.read(lambda tx: tx.nights.of(seat.id)[-1])
    assert (night.ending, night.chips) == (Ending.BROKE, 5)
    assert await group.sitting() == [1, 2]
    with pytest.raises(NoChipsLeft):
        await group.tap(2, Verb.TABLE_SAME_BET)
    await group.bring(2)
    assert await group.chips(2) == [500]


async def test_broke_at_the_table_is_told_on_ones_own_board(group: Group) -> None:
    ann = Player(group.store, user_id=2, chat_id=GROUP)
    await ann.command(5)
    await group.begins(1, 2, bank=500)
    await poorer(group, 2, 10)
    await group.bets(2, 5)
    await group.decides(2, Verb.TABLE_FOLD)

    assert group.told is not None
    assert group.told.solo == (ann.seen.board.id,)
    board = await group.store.read(solo.board_of, ann.seen.board.id)
    assert board is not None
    assert (board.board.face, board.following) == (Face.LEFT, None)
    assert board.night is not None
    assert board.night.ending is Ending.BROKE


async def test_nobody_is_broke_at_the_table_while_a_hand_of_ones_own_holds_chips(group: Group) -> None:
    ann = Player(group.store, user_id=2, chat_id=GROUP)
    await ann.command(5)
    await group.begins(1, 2, bank=500)
    await ann.press(Verb.DEAL)
    await poorer(group, 2, 10)
    await group.bets(2, 5)
    await group.decides(2, Verb.TABLE_FOLD)

    seat = await group.seat(2)
    assert (seat.chips, seat.night_id is None) == (5, False)
    assert group.told is not None
    assert group.told.solo == ()


async def test_cash_out_waits_for_the_table(group: Group) -> None:
    await group.begins(1, 2, bank=100)
    for user in (1, 2):
        seat = await group.seat(user)
        if user == 1:
            with pytest.raises(ChipsAtTable):
                await group.store.read(held.may_leave, seat)
            assert await group.store.read(held.at_table, seat) == 100
        else:
            await group.store.read(held.may_leave, seat)


async def test_f128_chips_of_a_night_that_is_gone_go_back_to_the_mint(group: Group) -> None:
    await group.begins(1, 2, bank=100)
    await group.bets(2, 25)

    def gone(tx: Tx) -> None:
        seat = tx.seats.at(GROUP, 2)
        assert seat is not None
        night = tx.nights.get(seat.night_id or 0)
        assert night is not None
        end_night(tx, seat, night, Ending.CASHED, now=group.later())

    await group.store.run(gone)
    await group.expires()
    assert await group.chips(2) == [0]
    assert await balanced(group.store)


# Manners


async def test_w31_the_black_list_breaks_and_hands_an_hour_keep_from_ready_and_bank(group: Group) -> None:
    await group.begins(1, 2, bank=100)
    await group.tap(2, Verb.TABLE_ADD, 0, 25)
    await choose(group, bans=(Ban(user_id=2, until=NOW + timedelta(days=1)),))
    with pytest.raises(BlackListed):
        await group.tap(2, Verb.TABLE_READY)
    await choose(group, bans=())
    await group.store.run(breaks.take, group.who(2), timedelta(hours=1), now=group.later())
    with pytest.raises(OnBreak):
        await group.tap(2, Verb.TABLE_READY)
    assert await group.chips(2) == [500]


async def test_w29_hands_at_the_table_count_in_the_hour(group: Group) -> None:
    await choose(group, hands_per_hour=1)
    await group.begins(1, 2, bank=100)
    await group.bets(2, 25)
    await group.decides(2)
    with pytest.raises(TooManyHands):
        await group.tap(2, Verb.TABLE_SAME_BET)


# Clocks


@pytest.mark.parametrize(
    "speed, offer, decide",
    [(Speed.FAST, 15, 20), (Speed.NORMAL, 30, 40), (Speed.SLOW, 90, 120), (Speed.NONE, None, None)],
)
async def test_speeds(group: Group, speed: Speed, offer: int | None, decide: int | None) -> None:
    await choose(group, speed=speed)
    await group.begins(1, 2)
    begun = group.now
    assert await due(group) == (None if offer is None else begun + timedelta(seconds=offer))
    await group.tap(1, Verb.TABLE_BANK, 100)
    await group.bets(2, 25)
    assert await due(group) == (None if decide is None else group.now + timedelta(seconds=decide))


async def test_a_timer_that_rings_early_or_twice_does_nothing(group: Group) -> None:
    await group.begins(1, 2)
    assert await group.expires(10) is None
    assert await group.expires(21) is not None
    assert isinstance((await group.state()).stage, Offered)
    assert await group.expires(0) is None


async def test_w39_deadlines_that_passed_during_a_downtime_are_handled_once(group: Group) -> None:
    await group.begins(1, 2, bank=100)
    await group.bets(2, 25)
    told = await group.expires(24 * 3600)

    assert told is not None
    stage = told.board.table.stage
    assert isinstance(stage, Showdown)
    assert stage.players[0].auto
    assert told.board.table.deadline == int(group.now.timestamp()) + 30


async def test_f104_an_idle_lobby_closes_and_coming_and_going_keeps_it_open(group: Group) -> None:
    await group.bring(1)
    await choose(group, speed=Speed.NONE)
    group.later(14 * 60)
    await group.tap(2, Verb.TABLE_SIT)
    assert await group.expires(14 * 60) is None
    told = await group.expires(2 * 60)
    assert told is not None
    assert isinstance(told.board.table.stage, Ended)
    assert await due(group) is None


# Closing, and chats that are lost


async def test_f107_only_admins_close_or_who_sits_alone(group: Group) -> None:
    await group.bring(1, 2)
    with pytest.raises(NotAdmin):
        await group.close(1, admin=False)
    await group.tap(2, Verb.TABLE_LEAVE)
    with pytest.raises(NotAdmin):
        await group.close(2, admin=False)
    told = await group.close(1, admin=False)
    assert isinstance(told.board.table.stage, Ended)
    with pytest.raises(TableGone):
        await group.close(1)


async def test_a_closed_table_gives_undealt_stakes_back_and_voids_its_hand(group: Group) -> None:
    await group.begins(1, 2, 3, bank=100)
    await group.bets(2, 25)
    round_id = (await group.place()).round_id
    await group.close(1)

    assert await group.chips(1, 2, 3) == [500, 500, 500]
    assert await booked(group, round_id) == (0, 0)
    round_ = await group.store.read(lambda tx: tx.tables.round(round_id))
    assert round_ is not None
    assert round_.void
    await group.bring(1)
    assert await group.sitting() == [1]


async def test_f11_a_dealt_hand_is_finished_when_the_chat_is_lost(group: Group) -> None:
    await group.begins(1, 2, bank=100)
    await group.bets(2, 25)
    lost = {"topic_gone": True, "secret": group.secret(), "now": group.later()}
    for _ in range(2):
        await group.store.run(table.stranded, GROUP, **lost)  # type: ignore[arg-type]
    assert (await group.state()).closing
    with pytest.raises(AlreadyDone):
        await group.close(1)
    told = await group.expires()
    assert told is not None
    assert isinstance(told.board.table.stage, Ended)
    assert told.board.table.stage.showdown is not None
    assert sum(await group.chips(1, 2)) == 1000
    await group.store.run(table.stranded, GROUP, **lost)  # type: ignore[arg-type]  # there is nothing any more


async def test_f01_a_group_moves_in_mid_round(group: Group) -> None:
    await group.begins(1, 2, bank=100)
    await group.bets(2, 25)
    before = await group.place()
    for _ in range(2):
        await group.store.run(people.moved, GROUP, GROUP - 1, now=group.later())
    group.chat_id, group.message = GROUP - 1, 3

    after = await group.place()
    assert (after.id, after.table.stage, after.message_id) == (before.id, before.table.stage, None)
    await group.decides(2)
    assert (await group.place()).message_id == 3
    assert sum(await group.chips(1, 2)) == 1000


# The cut, and proofs


async def test_boards_7_one_throw_a_hand_by_anybody_seated(group: Group) -> None:
    await group.begins(1, 2, bank=100)
    assert await group.cuts(3, 6) is None
    assert await group.cuts(2, 4) is not None
    assert await group.cuts(1, 5) is None
    await group.store.run(transcripts.choose_words, group.who(1), "bank on it", now=group.later())
    await group.bets(2, 25)
    assert await group.cuts(1, 5) is None
    round_ = await group.store.read(lambda tx: tx.tables.round(FIRST_HAND))
    assert round_ is not None
    assert round_.words == ("", "bank on it", "cut:4")


async def test_design_4_words_in_action_order_the_bankers_last_and_none_for_the_house(group: Group) -> None:
    for user, words in ((1, "one"), (2, "two"), (3, "three")):
        await group.store.run(transcripts.choose_words, group.who(user), words, now=group.later())
    await group.begins(1, 2, 3)
    await group.tap(1, Verb.TABLE_PASS)
    await group.tap(2, Verb.TABLE_BANK, 100)
    await group.bets(1, 25)
    await group.bets(3, 25)
    round_ = await group.store.read(lambda tx: tx.tables.round(FIRST_HAND))
    assert round_ is not None
    assert round_.words == ("three", "one", "two")
    stage = (await group.state()).stage
    assert isinstance(stage, Deciding)
    packs = fair.packs(fair.shuffled(round_.secret, round_.words, round_.id), 3)
    assert (*(player.hand for player in stage.players), stage.dealer) == packs


async def test_a_proof_is_for_members_and_after_the_showdown(group: Group) -> None:
    await group.begins(1, 2, bank=100)
    await group.bets(2, 25)
    with pytest.raises(NotOpenYet):
        await group.store.read(transcripts.by_number, group.who(1), FIRST_HAND)
    await group.decides(2)
    found = await group.store.read(transcripts.by_number, group.who(1), FIRST_HAND)
    assert isinstance(found, TableProof)
    assert found.member
    assert [*found.names.values()] == ["Person 2"]
    with pytest.raises(NoSuchHand):
        await group.store.read(transcripts.by_number, group.who(99), FIRST_HAND)
    sealed = await group.store.read(transcripts.by_seal, group.who(99), found.round.commitment)
    assert isinstance(sealed, TableProof)
    assert not sealed.member


async def test_a_whole_evening_is_sound_in_the_books(store: Store, database: str) -> None:
    group = await evening(store, GROUP, now=NOW)
    assert isinstance((await group.state()).stage, Deciding)
    assert await balanced(store)
    with inspecting(database) as look:
        assert [*audit(look)] == []


# One's own data


async def test_f128_who_is_forgotten_leaves_the_table_and_the_hand_goes_on_without_a_name(
    group: Group, database: str
) -> None:
    await group.begins(1, 2, 3, bank=100)
    await group.bets(2, 25)
    await group.bets(3, 25)
    done = await group.store.run(
        forgetting.forget,
        replace(group.who(2), chat_id=2, chat_kind="private"),
        mark=-9,
        chance=group.secret(),
        now=group.later(),
    )
    assert done.tables == ((await group.place()).id,)
    assert await group.store.read(lambda tx: tx.people.get(2)) is None
    await group.decides(3)

    stage = (await group.state()).stage
    assert isinstance(stage, Showdown)
    assert stage.players[0].auto
    assert await group.sitting() == [1, 3]
    assert await balanced(group.store)
    with inspecting(database) as look:
        assert [*audit(look)] == []


async def test_f128_the_last_who_decides_may_be_the_one_who_is_forgotten(group: Group, database: str) -> None:
    await group.begins(1, 2, bank=100)
    await group.bets(2, 25)
    who = replace(group.who(2), chat_id=2, chat_kind="private")
    await group.store.run(forgetting.forget, who, mark=-9, chance=group.secret(), now=group.later())
    assert isinstance((await group.state()).stage, Showdown)
    with inspecting(database) as look:
        assert [*audit(look)] == []


async def test_w38_hands_at_tables_are_among_ones_own_data(group: Group) -> None:
    await group.begins(1, 2, bank=100)
    await group.bets(2, 25)
    await group.decides(2)
    who = group.who(2)
    first = await group.store.read(records.rounds, who, after=0)  # the one that was never dealt alone
    (hand,) = await group.store.read(records.rounds, who, after=first[-1]["id"])

    assert (hand["id"], hand["ante"], hand["banked"]) == (FIRST_HAND, 25, 0)
    assert await group.store.read(records.rounds, who, after=hand["id"]) == []
