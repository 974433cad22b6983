"""Any order of anything that people do at their seats, on a real store; after each step the books must stand."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.facts import Round, SoloBoard, Tap, Verb, Who
from bot.refusals import Refusal
from bot.services import breaks, forgetting, places, solo, solo_pages, transcripts
from bot.services.audit import audit
from bot.storage import Store, Tx, open_store
from bot.storage.inspection import inspecting
from bot.views import solo as views
from core.errors import RuleError
from core.rules import RuleSet
from core.solo import Dealt
from tests.bot.databases import NOW, fresh_sqlite, somebody
from tests.bot.scenes import page
from tests.bot.sitting import Player, secret
from tests.core.strategies import presets, rule_sets

GROUP, PEOPLE = -100, (1, 2)
SEATS = [(who, chat) for who in PEOPLE for chat in (who, GROUP)]
_ASKED = {Verb.TOP, Verb.PICTURE, Verb.HINT, Verb.FILE, Verb.NIGHT_FILE, Verb.SHOW_GROUP}
_PLAYS = {Verb.DEAL, Verb.PLAY, Verb.FOLD}
_PLACES = {Verb.HERE, Verb.BRING_BACK, Verb.OTHER_TABLE}

seats = st.sampled_from(SEATS)
words = st.sampled_from((Verb.DEAL, Verb.PLAY, Verb.FOLD, Verb.CLEAR, Verb.REPEAT))
amounts = st.sampled_from(((), (25,), (10, 5), (0, 5), (100, 100), (7,), (10**9,), None))
tables = st.lists(presets | rule_sets(), min_size=1, max_size=1).map(lambda found: found[0])


class Evenings(RuleBasedStateMachine):
    """Two people, each with a seat in private and one in a group where a single board may be awake."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.address = fresh_sqlite(Path(self.folder.name))
        self.store: Store = self.runner.run(open_store(self.address))
        self.now = NOW
        self.serial = count(1)
        self.messages = count(100)
        self.taps: list[tuple[int, Tap]] = []  # what was once under a board, and whose
        self.rests: dict[int, Any] = {}  # person: end of the break

    def teardown(self) -> None:
        self.runner.run(self.store.close())
        self.runner.close()
        with inspecting(self.address) as look:
            findings = [str(finding) for finding in audit(look)]
        self.folder.cleanup()
        assert findings == []

    # Doing

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        self.now += timedelta(seconds=1)
        return self.runner.run(work)

    def do(self, use_case: Callable[..., Any], *args: object, **facts: object) -> Any:
        return self.run(self.store.run(use_case, *args, **facts))

    def see(self, use_case: Callable[..., Any], *args: object) -> Any:
        return self.runner.run(self.store.read(use_case, *args))

    def who(self, user: int, chat: int, message: int | None = None) -> Who:
        return somebody(user, chat, message or next(self.messages))

    def refused(self, act: Callable[[], Any]) -> Exception | None:
        """Do it; a refusal leaves every chip, card and bet where it was."""
        before = self.see(_books)
        try:
            act()
        except (RuleError, Refusal) as refusal:
            assert self.see(_books) == before
            return refusal
        return None

    def board(self, seat: tuple[int, int]) -> SoloBoard | None:
        def look(tx: Tx) -> SoloBoard | None:
            found = tx.seats.at(seat[1], seat[0])
            board = tx.boards.of_seat(found.id) if found is not None else None
            return solo.board_of(tx, board.id) if board is not None else None

        found: SoloBoard | None = self.see(look)
        return found

    def player(self, user: int, value: SoloBoard, message: int | None = None) -> Player:
        place = value.board.chat_id
        kind = "private" if place == user else "supergroup"
        shown = replace(value, board=replace(value.board, message_id=message or value.board.message_id))
        return Player(
            self.store, user_id=user, chat_id=place, kind=kind, now=self.now, board=shown, messages=self.messages
        )

    def paint(self) -> None:
        """What the painter would do: every board that has no message gets one."""

        def use_case(tx: Tx) -> None:
            for each in tx.messages.unpainted(100):
                board = tx.boards.get(each.board)
                if board is None:
                    continue
                number = board.message_id if board.message_id is not None else next(self.messages)
                tx.messages.sent(board.id, chat_id=board.chat_id, message_id=number, version=board.wanted)
                if board.old_message_id is not None:
                    tx.messages.keys_taken(board.id, board.old_message_id)

        self.runner.run(self.store.run(use_case))

    def tap(
        self, user: int, value: SoloBoard, tap: Tap, *, mark: int | None = None, message: int | None = None
    ) -> None:
        """One tap at the message of a board."""
        place, number = value.board.chat_id, message or value.board.message_id
        who = self.who(user, place, number)
        if tap.verb is Verb.HERE:
            self.do(places.play_here, who, tap, now=self.now)
        elif tap.verb is Verb.BRING_BACK:
            self.do(places.bring_back, self.who(user, GROUP), tap, now=self.now)
        elif tap.verb is Verb.OTHER_TABLE:
            self.do(places.other_table, who, tap, now=self.now)
        elif tap.verb not in _ASKED:
            self.run(self.player(user, value, message).tap(tap, mark=mark, who=who))

    # Rules

    @initialize(table=tables)
    def a_group(self, table: RuleSet) -> None:
        self.table(table)
        for seat in SEATS:
            self.says_deal(seat, (), again=False)

    @rule(table=tables)
    def table(self, table: RuleSet) -> None:
        def use_case(tx: Tx) -> None:
            chat = tx.chats.seen(GROUP, kind="supergroup", title="Friends", now=self.now)
            tx.chats.put(replace(chat, rules=table, awake_boards=1))

        self.do(use_case)

    @rule(seat=seats, amounts=amounts, again=st.booleans())
    def says_deal(self, seat: tuple[int, int], amounts: tuple[int, ...] | None, again: bool) -> None:
        number, who = next(self.serial), self.who(*seat)
        for turn in range(1 + again):
            before = self.see(_books)
            self.do(
                solo.deal_command, who, amounts=amounts, update_id=number, secret=secret(),
                door=f"d{seat[0]}{'a' * 24}", now=self.now,
            )  # fmt: skip
            assert turn == 0 or self.see(_books) == before
        self.paint()

    @rule(seat=seats, verb=words)
    def says_a_word(self, seat: tuple[int, int], verb: Verb) -> None:
        def act() -> None:
            self.do(solo.word, self.who(*seat), verb, update_id=next(self.serial), secret=secret(), now=self.now)

        self.refused(act)
        self.paint()

    @rule(seat=seats)
    def says_cashout(self, seat: tuple[int, int]) -> None:
        self.refused(
            lambda: self.do(solo_pages.cashout_command, self.who(*seat), update_id=next(self.serial), now=self.now)
        )
        self.paint()

    @rule(seat=seats, choices=st.lists(st.integers(0, 10**6), min_size=3, max_size=12), mark=st.booleans())
    def taps_keys(self, seat: tuple[int, int], choices: list[int], mark: bool) -> None:
        """Keys that stand there, one after another; with a mark the same callback comes twice and counts once."""
        for choice in choices:
            value = self.board(seat)
            if value is not None:
                self.taps_one(seat[0], value, choice, mark=mark)

    def taps_one(self, user: int, value: SoloBoard, choice: int, *, mark: bool) -> None:
        keys = self.keys(value)
        plays = [key for key in keys if key.verb in _PLAYS]
        able = plays if plays and choice % 3 else keys
        if not able:
            return
        tap, query = able[choice % len(able)], next(self.serial) if mark else None
        refusal = self.refused(lambda: self.tap(user, value, tap, mark=query))
        if tap.verb is Verb.DEAL and refusal is None:
            assert self.rests.get(user, NOW) <= self.now
        if query is not None and tap.verb not in _PLACES | {Verb.NEW_NIGHT}:
            before = self.see(_books)
            self.refused(lambda: self.tap(user, value, tap, mark=query))
            assert self.see(_books) == before
        self.paint()

    def keys(self, value: SoloBoard) -> list[Tap]:
        view = views.board(value, page(private=value.board.chat_id == value.owner.id))
        keys = [key.tap for row in view.keys for key in row if key.tap is not None]
        self.taps = [*self.taps, *((value.owner.id, key) for key in keys)][-200:]
        return keys

    @rule(seat=seats, choice=st.integers(0, 10**6))
    def taps_an_old_key(self, seat: tuple[int, int], choice: int) -> None:
        """Whatever was under any board once, sent from the message where the person's board stands."""
        value = self.board(seat)
        if value is not None and self.taps:
            self.refused(lambda: self.tap(seat[0], value, self.taps[choice % len(self.taps)][1]))
            self.paint()

    @rule(who=st.sampled_from(PEOPLE), choice=st.integers(0, 10**6), old=st.booleans())
    def taps_somebody_elses(self, who: int, choice: int, old: bool) -> None:
        """From the message in the group where it stands, one of its keys or an old one of its owner's."""
        other = PEOPLE[1 - PEOPLE.index(who)]
        value = self.board((other, GROUP))
        if value is None or value.board.chat_id != GROUP:
            return
        keys = [tap for owner, tap in self.taps if owner == other] if old else self.keys(value)
        keys = [tap for tap in keys if tap.verb not in _ASKED]
        if not keys:
            return
        before = self.see(_everything)
        assert self.refused(lambda: self.tap(who, value, keys[choice % len(keys)])) is not None
        assert self.see(_everything) == before

    @rule(who=st.sampled_from(PEOPLE))
    def goes_through_the_door(self, who: int) -> None:
        code = f"d{who}{'a' * 24}"
        self.refused(lambda: self.do(places.enter, self.who(who, who), code, update_id=next(self.serial), now=self.now))
        self.paint()

    @rule(who=st.sampled_from(PEOPLE), told=st.sampled_from(("", "lucky socks", "né à Łódź", "x" * 65, "\u202e")))
    def chooses_words(self, who: int, told: str) -> None:
        self.refused(lambda: self.do(transcripts.choose_words, self.who(who, who), told, now=self.now))

    @rule(who=st.sampled_from(PEOPLE), hours=st.integers(1, 3))
    def takes_a_break(self, who: int, hours: int) -> None:
        self.rests[who] = self.do(breaks.take, self.who(who, GROUP), timedelta(hours=hours), now=self.now)

    @precondition(lambda self: self.rests)
    @rule()
    def the_breaks_end(self) -> None:
        self.now = max(self.now, *self.rests.values()) + timedelta(minutes=1)
        self.rests.clear()

    @rule(who=st.sampled_from(PEOPLE), again=st.booleans(), really=st.integers(0, 5))
    def is_forgotten(self, who: int, again: bool, really: int) -> None:
        if really:
            return
        mark = -next(self.serial)

        def act() -> None:
            self.do(forgetting.forget, self.who(who, who), mark=mark, chance=secret(), now=self.now)

        assert self.refused(act) is None
        assert self.see(lambda tx: tx.people.get(who)) is None
        assert not again or self.refused(act) is not None
        self.rests.pop(who, None)

    # What must hold

    @invariant()
    def the_books_stand(self) -> None:
        drift, unbalanced, moves, below, waiting, held, rounds, live = self.see(_stands)
        assert (drift, unbalanced, moves, below) == (0, [], [], [])
        assert waiting == []  # no seat with two open rounds, or with one that it does not know
        for number, chips in held:
            state = rounds[number].state
            assert isinstance(state, Dealt)
            assert state.wager.need == chips
        commitments = [round_.commitment for round_ in rounds.values()]
        assert len(set(commitments)) == len(commitments)
        assert live == []  # one live board a seat, each in a message of its own


def _books(tx: Tx) -> list[tuple[object, ...]]:
    """Whatever a refusal must leave alone."""
    found: list[Any] = [
        *tx.rows("SELECT id, chips, night_id, round_id FROM seats ORDER BY id"),
        *tx.rows("SELECT id, state, words, void FROM rounds ORDER BY id"),
        *tx.rows("SELECT COUNT(*) AS n FROM movements"),
    ]
    return [tuple(row) for row in found]


def _everything(tx: Tx) -> list[tuple[object, ...]]:
    """The same, with boards and people."""
    found: list[Any] = [*tx.rows("SELECT * FROM boards ORDER BY id"), *tx.rows("SELECT * FROM people ORDER BY id")]
    return [*_books(tx), *(tuple(row) for row in found)]


def _stands(tx: Tx) -> tuple[Any, ...]:
    held = [
        (row["ref"], int(row["chips"]))
        for row in tx.rows("SELECT ref, SUM(chips) AS chips FROM entries WHERE kind = 'round' GROUP BY ref")
        if row["chips"]
    ]
    rounds: dict[int, Round] = {}
    for row in tx.rows("SELECT id FROM rounds"):
        round_ = tx.rounds.get(row["id"])
        assert round_ is not None
        rounds[round_.id] = round_
    waiting = tx.rows(
        "SELECT r.id FROM rounds r LEFT JOIN seats s ON s.round_id = r.id"
        " WHERE r.settled IS NULL AND r.void = 0 AND s.id IS NULL"
    )
    twice = tx.rows(
        "SELECT chat_id, message_id FROM boards WHERE retired = 0 AND message_id IS NOT NULL"
        " GROUP BY chat_id, message_id HAVING COUNT(*) > 1"
    )
    below = tx.rows("SELECT id FROM seats WHERE chips < 0")
    books = tx.ledger.drift(), tx.ledger.unbalanced_seats(), tx.ledger.unbalanced_movements()
    return (*books, below, waiting, held, rounds, twice)


TestEvenings = Evenings.TestCase
TestEvenings.settings = settings(
    max_examples=30, stateful_step_count=60, deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.target),
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large),
)  # fmt: skip
