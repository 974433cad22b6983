"""One's own data: all of it in a file, all of it gone (F128), and a break that cannot be ended early."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot import refusals
from bot.facts import NOBODY, Board, Design, Ending, Face, Seat, SoloBoard, Tap, Verb, Who
from bot.options import Ban, Setting, options_of, with_options
from bot.periods import Period
from bot.refusals import NAMING, AlreadyDone, DeadKey, OnBreak, from_note, noted
from bot.services import breaks, contests, forgetting, records, seating, solo_hand, transcripts
from bot.storage import Store, Tx
from bot.storage.upkeep import backup
from bot.views import own_data as views
from bot.views.words import explain
from core import fair, odds
from core.betting import Wager
from core.fair import Verified, verify
from core.solo import Dealt, Settled
from tests.bot.databases import NOW, database, file, sqlite_store, store
from tests.bot.scenes import NOON, page

__all__ = ["database", "file", "sqlite_store", "store"]

ANN, BOB = 8_765_432_109_876, 8_765_432_109_877
GROUP = -1_009_000_000_000_001
WORDS = "Annas Glückssocken"
NAME = "Anna Thea von Ungern"
_numbers = count(1)


def who(user: int = ANN, chat: int | None = None, message: int | None = None) -> Who:
    at = user if chat is None else chat
    return Who(
        user_id=user,
        name=NAME if user == ANN else "Bob",
        app_language="de",
        chat_id=at,
        chat_kind="private" if at == user else "supergroup",
        chat_title="" if at == user else "Poker Friends",
        message_id=message or next(_numbers),
    )


def chance() -> bytes:
    return next(_numbers).to_bytes(32)


def sits(tx: Tx, user: int = ANN, chat: int | None = None, *, now: datetime = NOW) -> SoloBoard:
    """Somebody with a bet on the board, whose message has been sent."""
    person, place = seating.arrive(tx, who(user, chat), now=now)
    seat = tx.seats.open(place.id, user, now=now)
    if seat.night_id is None:
        seat = seating.sit_down(tx, seat, place, person, secret=chance(), now=now)
    round_ = tx.rounds.get(seat.round_id or 0)
    assert round_ is not None
    tx.rounds.put(round_, state=replace(round_.state, wager=Wager(ante=25, pair_plus=5)), now=now)
    board = tx.boards.of_seat(seat.id) or tx.boards.open(
        seat_id=seat.id, face=Face.BET, round_id=round_.id, chat_id=place.id, thread_id=None, now=now
    )
    tx.messages.sent(board.id, chat_id=board.chat_id, message_id=next(_numbers), version=board.wanted)
    return seating.value(tx, at_board(tx, board), seat)


def at_board(tx: Tx, board: Board) -> Board:
    found = tx.boards.get(board.id)
    assert found is not None
    return found


def deals(tx: Tx, seen: SoloBoard, *, now: datetime = NOW) -> SoloBoard:
    board, round_ = at_board(tx, seen.board), tx.rounds.get(seen.seat.round_id or 0)
    assert round_ is not None
    bet = round_.state.wager
    tap = Tap(verb=Verb.DEAL, board=board.id, round=round_.id, numbers=(bet.ante, bet.pair_plus, bet.six_card))
    speaker = who(seen.seat.user_id, board.chat_id, board.message_id)
    return solo_hand.deal(tx, speaker, tap, secret=chance(), now=now)


def plays(tx: Tx, seen: SoloBoard, *, now: datetime = NOW) -> SoloBoard:
    board = at_board(tx, seen.board)
    tap = Tap(verb=Verb.PLAY, board=board.id, round=seen.board.round_id)
    return solo_hand.decide(tx, who(seen.seat.user_id, board.chat_id, board.message_id), tap, secret=chance(), now=now)


def leaves(tx: Tx, user: int, chat: int) -> None:
    seat = tx.seats.at(chat, user)
    assert seat is not None
    night = tx.nights.get(seat.night_id or 0)
    assert night is not None
    seating.end_night(tx, seat, night, Ending.CASHED, now=NOW)


def a_life(tx: Tx) -> tuple[Seat, Seat]:
    """Ann in every corner of the database: her private seat with a dealt hand, and the one in the group."""
    transcripts.choose_words(tx, who(), WORDS, now=NOW)
    person = tx.people.get(ANN)
    assert person is not None
    tx.people.put(replace(person, design=Design.LETTERS, private=True))
    for user in (ANN, BOB):
        plays(tx, deals(tx, sits(tx, user, GROUP)))
        leaves(tx, user, GROUP)
    group = sits(tx, ANN, GROUP)  # a second night there, not dealt, carried into the private chat
    moved = at_board(tx, group.board)
    tx.boards.put(replace(moved, chat_id=ANN, message_id=777, old_message_id=776, note=noted(DeadKey())))
    private = deals(tx, sits(tx))
    chat = tx.chats.get(GROUP)
    assert chat is not None
    options = replace(options_of(chat), bans=(Ban(user_id=ANN, until=NOW + timedelta(days=3)),))
    tx.chats.put(with_options(chat, options.changed(Setting.SPEED, ANN)))
    tx.posts.add("news", ANN, None, "for Ann", NOW)
    tx.seats.door(group.seat.id, "AnnasDoor")
    breaks.take(tx, who(), timedelta(days=7), now=NOW)
    return private.seat, group.seat


def forgets(tx: Tx, *, mark: int = -5, user: int = ANN) -> forgetting.Forgotten:
    return forgetting.forget(tx, who(user), mark=mark, chance=bytes(range(32)), now=NOW)


async def dump(store: Store) -> list[tuple[str, str, Any]]:
    def sqlite(tx: Tx) -> list[str]:
        return [row["name"] for row in tx.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]

    def postgres(tx: Tx) -> list[str]:
        return [row["name"] for row in tx.rows("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'")]

    def look(tx: Tx) -> list[tuple[str, str, Any]]:
        return [
            (table, column, row[column])
            for table in tables
            for row in tx.rows(f"SELECT * FROM {table}")  # noqa: S608 - names of our own tables
            for column in dict(row)  # type: ignore[call-overload]
        ]

    tables = await store.read(sqlite if type(store).__name__ == "SqliteStore" else postgres)
    assert {"people", "chats", "seats", "nights", "rounds", "entries", "boards", "posts", "marks"} <= {*tables}
    return await store.read(look)


def naming(found: list[tuple[str, str, Any]], *words: str) -> list[tuple[str, str, Any]]:
    """The cells that hold one of the words, or are a number that looks like one."""
    return [cell for cell in found if any(word in str(cell[2]) for word in words)]


async def test_f128_the_id_occurs_nowhere_after_forget(store: Store) -> None:
    await store.run(a_life)
    before = {table for table, _, _ in naming(await dump(store), str(ANN))}
    assert before >= {"people", "chats", "seats", "nights", "boards", "posts"}  # or this test could not fail

    await store.run(forgets)

    assert naming(await dump(store), str(ANN), NAME, "for Ann", "AnnasDoor") == []


@pytest.mark.parametrize("kind", NAMING)
async def test_f128_nor_does_the_name_in_a_note_on_somebody_elses_board(
    store: Store, kind: Callable[[str], Exception]
) -> None:
    def told(tx: Tx) -> None:
        seen = sits(tx, BOB, GROUP)
        tx.boards.put(replace(at_board(tx, seen.board), note=noted(kind(NAME))))

    await store.run(a_life)
    await store.run(told)
    await store.run(forgets)

    assert naming(await dump(store), NAME) == []


def test_every_refusal_that_holds_a_name_is_known_to_do_so() -> None:
    """But for names of time zones and tables; the core knows people by their numbers only."""
    told = {
        kind
        for kind in vars(refusals).values()
        if isinstance(kind, type) and is_dataclass(kind) and {field.name for field in fields(kind)} & {"name", "owner"}
    }
    assert told - {refusals.NotAZone} == {*NAMING}


async def test_f128_the_books_balance_and_nobody_elses_rank_changes(store: Store) -> None:
    await store.run(a_life)
    old = await store.read(lambda tx: tx.scores.top(GROUP))
    place = await store.read(contests.my_place, who(BOB, GROUP), Period.ALL_TIME, now=NOW)

    await store.run(forgets)

    new = await store.read(lambda tx: tx.scores.top(GROUP))
    assert [(score.rank, score.chips, score.reached) for score in new] == [
        (score.rank, score.chips, score.reached) for score in old
    ]
    assert [score.name for score in new if score.user_id == BOB] == ["Bob"]
    assert [score.name for score in new if score.user_id != BOB] == [""]
    assert await store.read(contests.my_place, who(BOB, GROUP), Period.ALL_TIME, now=NOW) == place
    assert await store.read(
        lambda tx: (tx.ledger.drift(), tx.ledger.unbalanced_seats(), tx.ledger.unbalanced_movements())
    ) == (0, [], [])


async def test_f128_open_stakes_are_settled_by_the_best_play_and_nights_end_uncashed(store: Store) -> None:
    private, group = await store.run(a_life)
    dealt = await store.read(lambda tx: tx.rounds.get(private.round_id or 0))
    assert dealt is not None
    state = dealt.state
    assert isinstance(state, Dealt)
    done = await store.run(forgets)

    def look(tx: Tx) -> None:
        for seat in (private, group):
            assert seat.night_id is not None
            night, left = tx.nights.get(seat.night_id), tx.seats.get(seat.id)
            assert night is not None
            assert left is not None
            assert (left.chips, left.night_id, left.round_id) == (0, None, None)
            assert (night.ending, night.closed) == (None, NOW)
            assert tx.scores.place(left.chat_id, left.user_id) is None or seat is group
            assert tx.boards.of_seat(seat.id) is None
        round_ = tx.rounds.get(dealt.id)
        assert round_ is not None
        assert isinstance(round_.state, Settled)
        assert round_.state.decision is odds.hint(state.player, dealt.rules).advice
        assert (round_.given_away, round_.words) == (0, (WORDS,))  # a dealt hand can still be checked
        assert tx.nights.get(dealt.night_id).chips == 500 + round_.state.settlement.net  # type: ignore[union-attr]
        undealt = tx.rounds.get(group.round_id or 0)
        assert undealt is not None
        assert (undealt.void, undealt.words) == (True, ("",))

    await store.read(look)
    assert {(board.chat_id, board.seat_id) for board, _ in done.boards} == {(ANN, private.id), (ANN, group.id)}


async def test_f128_nobodies_are_no_ids_of_telegram_and_tell_nothing_of_each_other(store: Store) -> None:
    seats = await store.run(a_life)
    await store.run(forgets)
    left = await store.read(lambda tx: [tx.seats.get(seat.id) for seat in seats])
    private, group = left
    assert private is not None
    assert group is not None
    assert private.chat_id == private.user_id
    assert group.chat_id == GROUP
    assert len({private.user_id, group.user_id}) == 2
    found = await dump(store)
    assert {cell[2] for cell in found if cell[:2] == ("boards", "chat_id")} == {private.chat_id, GROUP}
    assert all(-(2**63) <= seat.user_id <= NOBODY for seat in (private, group))


async def test_whoever_comes_back_is_somebody_new(store: Store) -> None:
    await store.run(a_life)
    await store.run(forgets)

    seen = await store.run(sits)
    await store.run(sits, ANN, GROUP)

    assert seen.seat.chips == 500
    assert (seen.owner.words, seen.owner.design, seen.owner.break_until) == ("", Design.CLASSIC, None)
    stats = await store.read(lambda tx: tx.scores.stats(ANN))
    assert (stats.nights, stats.hands) == (0, 0)
    assert await store.read(lambda tx: len(tx.nights.of(seen.seat.id))) == 1


async def test_the_same_yes_again_erases_nobody_new(store: Store) -> None:
    await store.run(a_life)
    assert (await store.run(forgets)).known
    assert not (await store.run(forgets, mark=-6)).known
    await store.run(sits)

    with pytest.raises(AlreadyDone):
        await store.run(forgets)
    assert await store.read(lambda tx: tx.people.get(ANN)) is not None


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(who(ANN, GROUP), id="a yes from a group"),
        pytest.param(who(ANN, ANN, 777), id="a yes from a board"),
    ],
)
async def test_a_yes_by_hand_erases_nothing(store: Store, asked: Who) -> None:
    await store.run(a_life)
    with pytest.raises(DeadKey):
        await store.run(forgetting.forget, asked, mark=-5, chance=bytes(32), now=NOW)
    assert await store.read(lambda tx: tx.people.get(ANN)) is not None


def spelled(number: int) -> list[bytes]:
    """A number as SQLite may have written it: as text, in a record, as the key of a row."""
    digits, rest = [number & 0x7F], number >> 7
    while rest:
        digits.insert(0, rest & 0x7F | 0x80)
        rest >>= 7
    return [str(number).encode(), number.to_bytes(6), number.to_bytes(8), bytes(digits)]


async def test_f128_no_byte_of_the_file_or_a_new_backup_tells(sqlite_store: Store, file: Path, tmp_path: Path) -> None:
    await sqlite_store.run(a_life)
    copy = tmp_path / "backup.db"
    backup(f"sqlite:///{file}", copy)
    told = [*spelled(ANN), NAME.encode()]
    assert sum(word in copy.read_bytes() for word in told) >= 4  # or this test could not fail

    await sqlite_store.run(forgets)
    await sqlite_store.wipe()

    backup(f"sqlite:///{file}", copy)
    for path in (copy, file, file.with_name(file.name + "-wal")):
        assert [word for word in told if word in path.read_bytes()] == [], path.name


# /mydata


async def read_all(store: Store) -> dict[str, Any]:
    head = await store.read(records.head, who())
    assert head is not None
    rounds = await store.read(records.rounds, who(), after=0)
    lines = await store.read(records.lines, who(), after=(0, 0))
    ((name, content),) = views.files(head, [views.page_of_file(rounds)], [views.page_of_file(lines)], NOON)
    assert name == "q64-mydata.json"
    told: dict[str, Any] = json.loads(content)
    return told


async def test_the_file_holds_everything_that_is_keyed_to_the_person(store: Store) -> None:
    private, group = await store.run(a_life)
    told = await read_all(store)

    assert told["person"]["id"] == ANN
    assert (told["person"]["name"], told["person"]["words"]) == (NAME, WORDS)
    assert told["person"]["break_until"] == "2026-06-08T20:01:00+00:00"
    assert {seat["id"] for seat in told["seats"]} == {private.id, group.id}
    assert [seat["chat"] for seat in told["seats"] if seat["id"] == group.id] == ["Poker Friends"]
    assert len(told["nights"]) == 3
    assert {board["seat_id"] for board in told["boards"]} == {private.id, group.id}
    assert [post["body"] for post in told["posts"]] == ["for Ann"]
    assert told["rule_sets"][0]["content"]["name"] == "selminha"
    assert told["mentioned_by_admins_of"] == [
        {"chat_id": GROUP, "black_listed_until": ["2026-06-04T20:00:00+00:00"], "settings_changed": ["speed"]}
    ]
    balance = {seat["id"]: seat["chips"] for seat in told["seats"]}
    for seat_id, chips in balance.items():
        assert sum(line["chips"] for line in told["ledger"] if line["seat_id"] == seat_id) == chips
    assert str(BOB) not in json.dumps(told)


async def test_the_file_opens_no_deal_that_is_not_settled(store: Store) -> None:
    private, group = await store.run(a_life)
    rounds = {each["id"]: each for each in (await read_all(store))["rounds"]}

    dealt, betting = rounds[private.round_id], rounds[group.round_id]
    assert len(dealt["cards"]) == 3
    assert not {"secret", "dealer"} & {*dealt, *betting}
    kept = await store.read(lambda tx: [tx.rounds.get(number) for number in rounds])
    text = json.dumps([*rounds.values()])
    for round_ in kept:
        assert round_ is not None
        assert (round_.secret.hex() in text) is isinstance(round_.state, Settled)
    for each in rounds.values():
        if each["phase"] == "settled":
            told = fair.transcript_mapping(fair.opened(bytes.fromhex(each["secret"]), tuple(each["words"]), each["id"]))
            assert isinstance(verify({**told, "commitment": each["commitment"]}), Verified)


async def test_the_file_comes_in_pages(store: Store) -> None:
    await store.run(a_life)
    whole = await read_all(store)
    numbers = [each["id"] for each in whole["rounds"]]
    later = await store.read(records.rounds, who(), after=numbers[0])
    assert [each["id"] for each in later] == numbers[1:]
    first = whole["ledger"][0]
    rest = await store.read(records.lines, who(), after=(first["movement_id"], first["line"]))
    assert rest == whole["ledger"][1:]


def test_a_long_life_comes_in_several_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MOST_FILE", 40)
    pages = [views.page_of_file([{"id": number, "phase": "settled"}]) for number in range(4)]
    files = views.files({"person": {"id": ANN}}, pages[:3], pages[3:], NOON)

    assert [name for name, _ in files] == [
        "q64-mydata.json",
        "q64-mydata-2.json",
        "q64-mydata-3.json",
        "q64-mydata-4.json",
    ]
    told = [json.loads(content) for _, content in files]
    assert [each["id"] for part in told for each in (*part["rounds"], *part["ledger"])] == [0, 1, 2, 3]
    assert (told[0]["parts"], told[1]["part"]) == (4, 2)


async def test_of_a_stranger_nothing_is_stored_and_asking_stores_nothing(store: Store) -> None:
    assert await store.read(records.head, who()) is None
    assert not (await store.run(forgets)).known
    assert await store.read(lambda tx: tx.people.get(ANN)) is None


# /break

DAY = timedelta(days=1)


async def test_on_a_break_nothing_is_dealt_in_any_chat_and_a_dealt_hand_goes_on(store: Store) -> None:
    dealt = await store.run(lambda tx: deals(tx, sits(tx)))
    group = await store.run(sits, ANN, GROUP)
    until = await store.run(breaks.take, who(), DAY, now=NOW)

    with pytest.raises(OnBreak) as refused:
        await store.run(deals, group, now=until - timedelta(seconds=1))
    assert refused.value.until == until
    again = await store.run(plays, dealt)
    with pytest.raises(OnBreak):
        await store.run(deals, again)
    assert isinstance((await store.run(deals, group, now=until)).shown.state, Dealt)  # type: ignore[union-attr]


async def test_a_second_break_can_only_lengthen_the_first(store: Store) -> None:
    first = await store.run(breaks.take, who(), 7 * DAY, now=NOW)
    assert first == NOW + 7 * DAY + timedelta(minutes=1)
    assert await store.run(breaks.take, who(), timedelta(hours=1), now=NOW + DAY) == first
    longer = await store.run(breaks.take, who(), 7 * DAY, now=NOW + DAY)
    assert longer == first + DAY
    assert await store.read(breaks.current, who(), now=NOW) == longer
    assert await store.read(breaks.current, who(), now=longer) is None


async def test_a_break_of_somebody_unknown_counts_from_the_first_bet(store: Store) -> None:
    await store.run(breaks.take, who(), DAY, now=NOW)
    seen = await store.run(sits)
    with pytest.raises(OnBreak):
        await store.run(deals, seen)


def test_a_note_keeps_the_end_of_a_break() -> None:
    told = from_note(noted(OnBreak(NOON)))
    assert isinstance(told, OnBreak)
    assert told.until == NOON
    assert explain(told, page()) == (
        "You are on a break until Nov 30, 12:00 (UTC): no bets before, as you wished. A hand in play can be finished."
    )


# Words


def test_privacy_says_what_why_how_long_and_who() -> None:
    assert (
        views.privacy(page(), "Ann <ann@example.org>").text
        == """\
<b>Privacy</b>
Stored: your Telegram user id, your name and the language of your app as last seen; your choices here, such as cards, \
words for the shuffle or a break; your seats, nights, hands and chips, and which messages show them; what admins of a \
chat set about you, such as a black list.
Why: to deal, to keep your chips, to show each chat its top five, and so that every deal can be checked.
Never stored: anything else that people write. Nothing is sold, nothing is handed on.

How long: until you say /forget. Then your user id, name and choices are erased at once, in copies made from then on too.
What stays then is nobody’s: scores and hands under “someone”, so that the others’ ranks and the books remain right, \
and the words that went into a shuffle, or that hand could not be checked.
/mydata sends you everything as a file; /forget erases it. Both work in our private chat.

Play money only: chips cannot be bought or cashed in.
This bot is run by \u2068Ann &lt;ann@example.org&gt;\u2069."""
    )


def test_without_an_operator_privacy_says_so() -> None:
    assert views.privacy(page(), "").text.endswith("\nWhoever runs this bot has left no name here.")


def test_the_question_says_what_goes_and_what_stays() -> None:
    view = views.question(page())
    assert (
        view.text
        == """\
<b>Erase everything about you?</b>
Gone for good: your user id, your name, your choices and words, your statistics.
A hand in play is settled first, by the best play for its cards. Nights under way end without a score, and their chips \
are gone.
What stays is nobody’s: scores in top fives under “someone”, and the hands behind them.
That you had a try in a contest or a daily five that goes on is kept until its end, as a number that tells nothing \
else: nobody has two.
This cannot be undone. /mydata sends you a copy first."""
    )
    assert [[(key.label, key.tap.pack() if key.tap else "") for key in row] for row in view.keys] == [
        [("Yes, erase everything", "1:G:0:0:1")],
        [("No, keep it", "1:G:0:0:2")],
    ]
