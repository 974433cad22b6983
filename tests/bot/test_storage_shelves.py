"""What each shelf promises, on both databases."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.facts import Board, Chat, Design, Ending, Face, Night, Person, Round, Seat
from bot.storage import Conflict, StaleRound, Store, Tx
from core import solo
from core.betting import Wager
from core.cards import PACK
from core.rules import PRESETS, SELMINHA
from core.solo import Betting, Dealt, Settled
from tests.bot.databases import NOW, board_of, database, open_round, sit, store

__all__ = ["database", "store"]

LATER = NOW + timedelta(seconds=7, microseconds=250_000)
WIDE = 2**52 - 1  # Bot API: ids have at most 52 significant bits
WIDEST = 2**63 - 1
DEALT = solo.deal(Betting(wager=Wager(ante=5)), PACK, rules=SELMINHA, stack=500)


async def test_f19_ids_wider_than_32_bits_and_negative(store: Store) -> None:
    def use_case(tx: Tx) -> tuple[Seat | None, Board | None, bool, bool]:
        sitting = sit(tx, chat_id=-WIDE, user_id=WIDE)
        board = tx.boards.open(
            seat_id=sitting.seat.id,
            face=Face.FIRST,
            round_id=sitting.round.id,
            chat_id=-WIDE,
            thread_id=2**31,
            now=NOW,
        )
        tx.messages.sent(board.id, chat_id=board.chat_id, message_id=2**33, version=1)
        tx.timers.set("turn", WIDEST, NOW)
        tx.posts.add("end:1", -WIDE, 2**40, "{}", NOW)
        return (
            tx.seats.at(-WIDE, WIDE),
            tx.boards.at(-WIDE, 2**33),
            tx.marks.first(WIDEST, now=NOW),
            tx.marks.first(WIDEST, now=NOW),
        )

    seat, board, first, second = await store.run(use_case)

    assert seat is not None
    assert (seat.chat_id, seat.user_id) == (-WIDE, WIDE)
    assert board is not None
    assert (board.thread_id, board.message_id) == (2**31, 2**33)
    assert (first, second) == (True, False)
    assert await store.run(lambda tx: tx.timers.claim(NOW, 1, 1)[0].subject) == WIDEST


# --- people and chats ---


async def test_a_person_is_known_from_the_first_word_and_renamed_when_seen_again(store: Store) -> None:
    first = await store.run(lambda tx: tx.people.seen(1, name="Ann", app_language="pt-br", now=NOW))
    chosen = replace(
        first,
        language="pt_BR",
        design=Design.LETTERS,
        coach=False,
        words="sete belo",
        hands=3,
        private=True,
        break_until=LATER,
    )
    await store.run(lambda tx: tx.people.put(chosen))
    again = await store.run(lambda tx: tx.people.seen(1, name="Anna \u202e", app_language="en", now=LATER))

    assert first == Person(id=1, name="Ann", app_language="pt-br")
    assert again == replace(chosen, name="Anna \u202e", app_language="en")
    assert await store.read(lambda tx: tx.people.get(1)) == again
    assert await store.read(lambda tx: tx.people.get(2)) is None


async def test_a_new_chat_plays_by_selminha_and_keeps_its_choices(store: Store) -> None:
    first = await store.run(lambda tx: tx.chats.seen(-5, kind="supergroup", title="Friends", now=NOW))
    chosen = replace(
        first,
        language="de",
        time_zone="Europe/Berlin",
        rules=PRESETS["california"],
        awake_boards=0,
        options={"bank": "house", "größe": "klein"},
    )
    await store.run(lambda tx: tx.chats.put(chosen))
    again = await store.run(lambda tx: tx.chats.seen(-5, kind="supergroup", title="Foes", now=LATER))

    assert first == Chat(id=-5, kind="supergroup", title="Friends", rules=SELMINHA)
    assert again == replace(chosen, title="Foes")
    assert await store.read(lambda tx: tx.chats.get(-5)) == again
    assert await store.read(lambda tx: tx.chats.get(-6)) is None


async def test_f10_a_chat_that_speaks_again_may_be_written_to_again(store: Store) -> None:
    """A group that mutes its members mutes the bot, too, and nobody tells it of the end of that."""
    known = await store.run(lambda tx: tx.chats.seen(-5, kind="group", title="Friends", now=NOW))
    await store.run(lambda tx: tx.chats.put(replace(known, active=False)))
    assert await store.read(lambda tx: tx.chats.get(-5)) == replace(known, active=False)

    assert await store.run(lambda tx: tx.chats.seen(-5, kind="group", title="Friends", now=LATER)) == known
    assert await store.read(lambda tx: tx.chats.get(-5)) == known


async def test_a_rule_set_of_ones_own_is_stored_whole_and_once(store: Store) -> None:
    ours = replace(SELMINHA, name="стол 7", buy_in=700)

    def use_case(tx: Tx) -> tuple[int, int]:
        return tx.rule_sets.put(ours), tx.rule_sets.put(replace(SELMINHA, name="стол 7", buy_in=700))

    one, two = await store.run(use_case)

    assert one == two
    assert await store.read(lambda tx: tx.rule_sets.get(one)) == ours


async def test_a_rule_set_that_was_undone_is_stored_by_whoever_comes_next(store: Store) -> None:
    def refuse(tx: Tx) -> None:
        tx.rule_sets.put(PRESETS["california"])
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - any refusal would do
        await store.run(refuse)
    id_ = await store.run(lambda tx: tx.rule_sets.put(PRESETS["california"]))

    assert await store.read(lambda tx: tx.rule_sets.get(id_)) == PRESETS["california"]


# --- seats and nights ---


async def test_a_seat_is_opened_once_and_keeps_everything_but_chips(store: Store) -> None:
    def use_case(tx: Tx) -> tuple[Seat, Seat, Seat | None]:
        seat = tx.seats.open(-1, 1, now=NOW)
        night = tx.nights.open(seat, rules=SELMINHA, buy_in=500, now=NOW)
        round_ = open_round(tx, night)
        tx.seats.put(replace(seat, chips=10**6, night_id=night.id, round_id=round_.id, chip=25, repeat=False))
        return seat, tx.seats.open(-1, 1, now=LATER), tx.seats.get(seat.id)

    first, again, got = await store.run(use_case)

    assert first == Seat(id=first.id, chat_id=-1, user_id=1, chips=0)
    assert again == replace(first, night_id=again.night_id, round_id=again.round_id, chip=25, repeat=False)
    assert None not in (again.night_id, again.round_id)
    assert got == again
    assert await store.read(lambda tx: tx.seats.at(-1, 2)) is None


async def test_seats_of_a_person_come_latest_played_first(store: Store) -> None:
    def use_case(tx: Tx) -> list[int]:
        sat = [sit(tx, chat_id=-chat) for chat in (1, 2, 3)]
        tx.seats.open(-4, 1, now=LATER)  # never played
        round_ = tx.rounds.void(sat[0].round, now=LATER)
        assert round_.void
        open_round(tx, sat[0].night)
        return [seat.chat_id for seat in tx.seats.of(1)]

    assert await store.run(use_case) == [-1, -3, -2, -4]


async def test_a_night_counts_its_hands_and_closes_once(store: Store) -> None:
    def use_case(tx: Tx) -> tuple[Night, Night, Night, list[Night]]:
        night = sit(tx).night
        night = tx.nights.count_hand(tx.nights.count_hand(night))
        closed = tx.nights.close(night, chips=620, ending=Ending.CASHED, now=LATER)
        again = tx.nights.close(night, chips=0, ending=Ending.BROKE, now=LATER)
        return night, closed, again, tx.nights.of(night.seat_id)

    night, closed, again, all_nights = await store.run(use_case)

    assert (night.buy_in, night.hands, night.closed, night.opened) == (500, 2, None, NOW)
    assert closed == replace(night, closed=LATER, chips=620, ending=Ending.CASHED)
    assert again == closed
    assert all_nights == [closed]


async def test_a_second_open_night_at_one_seat_is_forbidden(store: Store) -> None:
    sitting = await store.run(sit)

    with pytest.raises(Conflict):
        await store.run(lambda tx: tx.nights.open(sitting.seat, rules=SELMINHA, buy_in=500, now=NOW))


# --- rounds ---


async def test_a_round_goes_from_commitment_to_settlement_and_is_found(store: Store) -> None:
    sitting = await store.run(sit)

    def use_case(tx: Tx) -> tuple[Round, Round, Round]:
        bet = tx.rounds.put(sitting.round, state=Betting(wager=Wager(ante=50, pair_plus=5)), now=NOW)
        dealt = tx.rounds.put(bet, state=solo.deal(bet.state, PACK, rules=bet.rules, stack=500), now=NOW)
        settled = tx.rounds.put(dealt, state=solo.fold(dealt.state, bet.rules), now=LATER, given_away=18_424)
        return bet, dealt, settled

    bet, dealt, settled = await store.run(use_case)

    assert (bet.version, bet.dealt, bet.settled) == (2, None, None)
    assert isinstance(dealt.state, Dealt)
    assert (dealt.version, dealt.dealt, dealt.settled) == (3, NOW, None)
    assert isinstance(settled.state, Settled)
    assert (settled.version, settled.dealt, settled.settled, settled.given_away) == (4, NOW, LATER, 18_424)
    assert await store.read(lambda tx: tx.rounds.get(settled.id)) == settled
    assert await store.read(lambda tx: tx.rounds.by_commitment(settled.commitment)) == settled
    assert await store.read(lambda tx: tx.nights.rounds(settled.night_id)) == [settled]
    assert await store.read(lambda tx: tx.nights.nets(settled.night_id, last=5)) == (-55,)
    assert await store.read(lambda tx: tx.rounds.get(settled.id + 1)) is None
    assert await store.read(lambda tx: tx.rounds.by_commitment("0" * 64)) is None


async def test_a_hand_without_a_decision_is_dealt_and_settled_at_once(store: Store) -> None:
    sitting = await store.run(sit)
    rules = PRESETS["poker-three"]
    state = solo.deal(Betting(wager=Wager(pair_plus=5)), PACK, rules=rules, stack=500)

    settled = await store.run(lambda tx: tx.rounds.put(sitting.round, state=state, now=LATER))

    assert (settled.dealt, settled.settled) == (LATER, LATER)
    assert await store.read(lambda tx: tx.rounds.get(settled.id)) == settled


async def test_the_columns_for_queries_say_what_the_state_says(store: Store) -> None:
    sitting = await store.run(sit)

    def use_case(tx: Tx) -> tuple[object, ...]:
        bet = tx.rounds.put(sitting.round, state=Betting(wager=Wager(ante=50, pair_plus=5)), now=NOW)
        dealt = tx.rounds.put(bet, state=solo.deal(bet.state, PACK, rules=bet.rules, stack=500), now=NOW)
        tx.rounds.put(dealt, state=solo.play(dealt.state, bet.rules), now=LATER)
        row = tx.rows("SELECT * FROM rounds WHERE id = :id", id=bet.id)[0]
        names = ("phase", "ante", "pair_plus", "six_card", "decision", "cards", "result", "net")
        return tuple(row[name] for name in names)

    *columns, net = await store.run(use_case)

    assert columns == [
        "settled",
        50,
        5,
        0,
        "play",
        "2c 2d 2h 2s 3c 3d",
        "win",
    ]
    assert net == 2 * 50 + 4 * 50 + 30 * 5  # three of a kind: Ante and Play, bonus 4 to 1, Pair Plus 30 to 1


@pytest.mark.parametrize(
    "again",
    [
        pytest.param(lambda tx, old: tx.rounds.put(old, state=old.state, now=NOW), id="F21 put twice"),
        pytest.param(lambda tx, old: tx.rounds.put(old, state=DEALT, now=NOW), id="F21 deal after a change"),
        pytest.param(lambda tx, old: tx.rounds.void(old, now=NOW), id="void after a change"),
        pytest.param(lambda tx, old: tx.rounds.set_words(old, ("x",), now=LATER), id="words after a change"),
    ],
)
async def test_whoever_has_seen_an_older_version_changes_nothing(
    store: Store, again: Callable[[Tx, Round], Round]
) -> None:
    sitting = await store.run(sit)
    now_ = await store.run(lambda tx: tx.rounds.put(sitting.round, state=sitting.round.state, now=NOW))

    with pytest.raises(StaleRound) as refusal:
        await store.run(again, sitting.round)

    assert (refusal.value.id, refusal.value.seen) == (now_.id, 1)
    assert await store.read(lambda tx: tx.rounds.get(now_.id)) == now_


@pytest.mark.parametrize(
    "late",
    [
        pytest.param(lambda tx, round_: tx.rounds.put(round_, state=DEALT, now=NOW), id="dealt"),
        pytest.param(lambda tx, round_: tx.rounds.put(round_, state=Betting(wager=Wager()), now=NOW), id="bet on"),
        pytest.param(lambda tx, round_: tx.rounds.void(round_, now=NOW), id="void again"),
    ],
)
async def test_a_void_round_is_over(store: Store, late: Callable[[Tx, Round], Round]) -> None:
    sitting = await store.run(sit)
    void = await store.run(lambda tx: tx.rounds.void(sitting.round, now=LATER))

    with pytest.raises(StaleRound):
        await store.run(late, void)
    assert void.void
    assert await store.read(lambda tx: tx.rounds.get(void.id)) == void


async def test_a_dealt_round_goes_back_to_no_bet_and_keeps_its_words(store: Store) -> None:
    sitting = await store.run(sit)
    worded = await store.run(lambda tx: tx.rounds.set_words(sitting.round, ("sete belo", "cut:6"), now=LATER))
    dealt = await store.run(lambda tx: tx.rounds.put(worded, state=DEALT, now=NOW))

    with pytest.raises(StaleRound):
        await store.run(lambda tx: tx.rounds.put(dealt, state=Betting(wager=Wager(ante=5)), now=NOW))
    with pytest.raises(StaleRound):
        await store.run(lambda tx: tx.rounds.set_words(dealt, ("other",), now=LATER))
    found = await store.read(lambda tx: tx.rounds.get(dealt.id))
    assert found is not None
    assert found.words == ("sete belo", "cut:6")


async def test_a_settled_round_cannot_become_void(store: Store) -> None:
    sitting = await store.run(sit)
    dealt = await store.run(lambda tx: tx.rounds.put(sitting.round, state=DEALT, now=NOW))
    settled = await store.run(lambda tx: tx.rounds.put(dealt, state=solo.fold(DEALT, SELMINHA), now=NOW))

    with pytest.raises(StaleRound):
        await store.run(lambda tx: tx.rounds.void(settled, now=LATER))
    assert await store.read(lambda tx: tx.rounds.get(settled.id)) == settled


async def test_f72_two_open_rounds_at_one_seat_are_forbidden(store: Store) -> None:
    sitting = await store.run(sit)

    def second(tx: Tx) -> Round:
        return open_round(tx, sitting.night)

    with pytest.raises(Conflict):
        await store.run(second)
    dealt = await store.run(lambda tx: tx.rounds.put(sitting.round, state=DEALT, now=NOW))
    with pytest.raises(Conflict):
        await store.run(second)

    settled = await store.run(lambda tx: tx.rounds.put(dealt, state=solo.fold(DEALT, SELMINHA), now=NOW))
    following = await store.run(second)
    assert following.id > settled.id
    await store.run(lambda tx: tx.rounds.void(following, now=NOW))
    assert (await store.run(second)).id > following.id


# --- boards ---


async def test_a_board_is_opened_sent_wanted_and_found(store: Store) -> None:
    sitting = await store.run(sit)
    board = await store.run(board_of, sitting)
    assert (board.wanted, board.painted, board.message_id, board.tapped) == (1, 0, None, NOW)

    await store.run(lambda tx: tx.messages.sent(board.id, chat_id=board.chat_id, message_id=77, version=1))
    shown = await store.read(lambda tx: tx.boards.at(-100, 77))
    assert shown == replace(board, message_id=77, painted=1)

    wanted = await store.run(lambda tx: tx.boards.want(tx.boards.want(shown)))
    assert wanted == replace(shown, wanted=3)
    assert await store.read(lambda tx: tx.boards.get(board.id)) == wanted


async def test_putting_a_board_keeps_everything_but_what_is_painted(store: Store) -> None:
    sitting = await store.run(sit)
    board = await store.run(board_of, sitting)
    moved = replace(
        board,
        face=Face.CARDS,
        round_id=9,
        chat_id=1,
        thread_id=4,
        message_id=5,
        old_message_id=6,
        wanted=8,
        note='["NoBet"]',
        tapped=LATER,
    )

    assert await store.run(lambda tx: tx.boards.put(replace(moved, painted=8))) == replace(moved, painted=8)
    assert await store.read(lambda tx: tx.boards.of_seat(sitting.seat.id)) == moved
    assert await store.read(lambda tx: tx.boards.at(-100, 77)) is None


async def test_one_live_board_a_seat_and_a_retired_one_is_found_no_more(store: Store) -> None:
    sitting = await store.run(sit)
    board = await store.run(board_of, sitting)
    await store.run(lambda tx: tx.messages.sent(board.id, chat_id=board.chat_id, message_id=77, version=1))
    with pytest.raises(Conflict):
        await store.run(board_of, sitting)

    await store.run(lambda tx: tx.boards.retire(board.id))
    following = await store.run(board_of, sitting)

    assert following.id > board.id
    assert await store.read(lambda tx: tx.boards.get(board.id)) is None
    assert await store.read(lambda tx: tx.boards.at(-100, 77)) is None
    assert await store.read(lambda tx: tx.boards.of_seat(sitting.seat.id)) == following


async def test_awake_are_the_boards_tapped_lately_in_that_chat(store: Store) -> None:
    def use_case(tx: Tx) -> tuple[int, int, int]:
        for user_id, chat_id, tapped in ((1, -100, NOW), (2, -100, LATER), (3, -100, LATER), (4, -7, LATER)):
            board = board_of(tx, sit(tx, user_id=user_id, chat_id=chat_id))
            tx.boards.put(replace(board, tapped=tapped))
            if user_id == 3:
                tx.boards.retire(board.id)
        return tx.boards.awake(-100, NOW), tx.boards.awake(-100, LATER), tx.boards.awake(-7, LATER)

    assert await store.run(use_case) == (2, 1, 1)


# --- marks, timers, posts ---


async def test_f40_an_update_is_first_once_until_it_is_forgotten(store: Store) -> None:
    assert await store.run(lambda tx: tx.marks.first(5, now=NOW))
    assert not await store.run(lambda tx: tx.marks.first(5, now=LATER))
    assert await store.run(lambda tx: tx.marks.first(6, now=LATER))

    assert await store.run(lambda tx: tx.marks.forget_before(LATER, 10)) == 1
    assert await store.run(lambda tx: tx.marks.first(5, now=LATER))
    assert not await store.run(lambda tx: tx.marks.first(6, now=LATER))


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def set_timer(tx: Tx, subject: int, due: datetime) -> None:
    tx.timers.set("turn", subject, due)


async def test_a_timer_is_claimed_by_one_until_its_lease_ends(store: Store) -> None:
    for subject in (3, 1, 2, 90):
        await store.run(set_timer, subject, after(subject))

    mine = await store.run(lambda tx: tx.timers.claim(after(5), 30, 2))
    others = await store.run(lambda tx: tx.timers.claim(after(5), 30, 10))
    assert [timer.subject for timer in mine] == [1, 2]  # the longest overdue first
    assert [timer.subject for timer in others] == [3]
    assert await store.run(lambda tx: tx.timers.claim(after(34), 30, 10)) == []

    assert await store.run(lambda tx: tx.timers.done(mine[0]))
    again = await store.run(lambda tx: tx.timers.claim(after(36), 30, 10))
    assert [timer.subject for timer in again] == [2, 3]  # nobody has done them in time
    assert not await store.run(lambda tx: tx.timers.done(mine[1]))  # it is somebody else's by now


async def test_a_timer_that_is_set_anew_outlives_what_was_claimed_before(store: Store) -> None:
    await store.run(lambda tx: tx.timers.set("turn", 1, NOW))
    claimed = await store.run(lambda tx: tx.timers.claim(NOW, 30, 1)[0])
    await store.run(lambda tx: tx.timers.set("turn", 1, after(10)))

    assert not await store.run(lambda tx: tx.timers.done(claimed))
    assert [timer.due for timer in await store.run(lambda tx: tx.timers.claim(after(10), 30, 5))] == [after(10)]
    await store.run(lambda tx: tx.timers.drop("turn", 1))
    assert await store.run(lambda tx: tx.timers.claim(after(100), 30, 5)) == []


async def test_f113_a_post_is_added_once_begun_by_one_and_sent_once(store: Store) -> None:
    async def waiting() -> list[tuple[str, str]]:
        return [(post.key, post.body) for post in await store.read(lambda tx: tx.posts.waiting(-1))]

    assert await store.run(lambda tx: tx.posts.add("contest:2:end", -1, 4, "{}", LATER))
    assert await store.run(lambda tx: tx.posts.add("contest:1:end", -1, None, "{}", NOW))
    assert not await store.run(lambda tx: tx.posts.add("contest:1:end", -1, None, "[]", LATER))
    assert await store.run(lambda tx: tx.posts.add("away:7", -1, None, "", NOW))  # whoever adds it says it at once
    assert await waiting() == [("contest:1:end", "{}"), ("contest:2:end", "{}")]

    assert await store.run(lambda tx: tx.posts.begin("contest:1:end"))
    assert not await store.run(lambda tx: tx.posts.begin("contest:1:end"))  # somebody is at it
    assert await waiting() == [("contest:2:end", "{}")]
    await store.run(lambda tx: tx.posts.put_back("contest:1:end"))
    assert await waiting() == [("contest:1:end", "{}"), ("contest:2:end", "{}")]

    assert await store.run(lambda tx: tx.posts.begin("contest:1:end"))
    await store.run(lambda tx: tx.posts.sent("contest:1:end", 99))
    await store.run(lambda tx: tx.posts.put_back("contest:1:end"))  # too late
    assert await waiting() == [("contest:2:end", "{}")]
    assert await store.read(lambda tx: tx.posts.place("contest:1:end")) == (-1, 99)
    assert await store.read(lambda tx: tx.posts.place("contest:2:end")) is None
    assert not await store.run(lambda tx: tx.posts.add("contest:1:end", -1, None, "{}", LATER))


async def test_a_naive_instant_is_a_mistake(store: Store) -> None:
    with pytest.raises(TypeError):
        await store.run(lambda tx: tx.marks.first(1, now=datetime(2026, 6, 1)))  # noqa: DTZ001 - the mistake
    assert await store.run(lambda tx: tx.marks.first(1, now=datetime(2026, 6, 1, tzinfo=UTC)))
