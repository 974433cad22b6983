"""A whole evening: the emulator's world, the real bot at it over HTTP, one clock for both, and people who act."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from bot.app import House, build
from bot.facts import Face, Round, Seat
from bot.playground import LOCAL_TOKEN, Running, World, serve
from bot.playground.records import Message
from bot.playground.seed import ANN, BOB, DASHA, POKER_FRIENDS
from bot.settings import read_settings
from bot.storage import Tx
from bot.tables import FIRST_HAND
from bot.transport import AiohttpRequest
from core import fair
from core.betting import Wager
from core.cards import Hand
from core.rules import SELMINHA
from core.settlement import Decision, Result, settle
from core.solo import Dealt
from core.table import held
from tests.clock import TurnedClock
from tests.journeys.leaks import kept, leaks

FRIENDS: Final = POKER_FRIENDS
_REAL_PAUSE: Final = 0.002  # seconds of real time after which what still waits is taken to wait for the clock
_PATIENCE: Final = 10.0  # seconds of real time for an answer that is on its way
_TRIES: Final = 20_000
_ISOLATES: Final = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))

Json = dict[str, Any]
Wish = Callable[[Hand, Hand], bool]


class HouseClock(TurnedClock):
    """One clock for bot and Telegram; can be turned to where somebody wakes."""

    def seconds(self) -> float:
        return self.now().timestamp()

    async def wake_next(self) -> bool:
        """Turn to the next sleeper; False if nobody sleeps."""
        waking = [moment for moment, _, sleeper in self._sleepers if not sleeper.done()]
        if not waking:
            return False
        await self.advance(max(0.0, (min(waking) - self.now()).total_seconds()))
        return True


class Chance:
    """The house's secrets: the same in every run, and such that a named round gets a hand as wished."""

    def __init__(self, next_round: Callable[[], int], at_tables: Callable[[], int]) -> None:
        self._next_round = next_round
        self._at_tables = at_tables  # hands there so far: their secrets come between two rounds
        self._wishes: dict[int, Wish] = {}

    def wish(self, round_id: int, wish: Wish) -> None:
        self._wishes[round_id] = wish

    def __call__(self) -> bytes:
        nonce, shared = self._next_round(), self._at_tables()
        wish = self._wishes.get(nonce, _whatever)
        for attempt in range(_TRIES):
            told = f"journey/{nonce}/{attempt}" + (f"/{shared}" if shared else "")
            secret = hashlib.sha256(told.encode()).digest()
            if wish(*fair.solo_hands(fair.shuffled(secret, ("",), nonce))):
                return secret
        raise AssertionError("no such hand")


def _whatever(_player: Hand, _dealer: Hand) -> bool:
    return True


def ends(result: Result) -> Wish:
    """A hand that, played, ends like this."""
    bet = Wager(ante=5)
    return lambda player, dealer: settle(SELMINHA, player, dealer, bet, Decision.PLAY).result is result


@dataclass(frozen=True, slots=True)
class Seen:
    """A message as a person sees it; what only directs the eye (isolates) is left out of the text."""

    id: int
    chat: int
    text: str
    rows: tuple[tuple[Json, ...], ...]
    reactions: tuple[str, ...] = ()
    links: tuple[str, ...] = ()

    @property
    def first(self) -> str:
        return self.text.partition("\n")[0]

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @property
    def labels(self) -> list[str]:
        return [key["text"] for row in self.rows for key in row]

    def payload(self, label: str) -> str:
        """The payload of the key whose label begins like this."""
        found = [key for row in self.rows for key in row if key["text"].startswith(label)]
        assert found, f"no key {label!r} under:\n{self.text}\n{self.labels}"
        return str(found[0]["callback_data"])


@dataclass(frozen=True, slots=True)
class Toast:
    """What a tap was answered with; None: not at all."""

    text: str
    alert: bool = False
    url: str | None = None

    def __contains__(self, words: str) -> bool:
        return words in self.text


def toast_of(answer: Json | None) -> Toast:
    if answer is None:
        return Toast("")
    return Toast(answer["text"].translate(_ISOLATES), answer["show_alert"], answer["url"])


@dataclass(slots=True)
class Somebody:
    """A person with readable verbs; *at* is a chat, the private one if not said."""

    evening: Evening = field(repr=False)
    id: int
    name: str

    def place(self, at: int | None) -> int:
        return self.id if at is None else at

    def sees(self, at: int | None = None) -> list[Seen]:
        """The bot's messages in a chat, oldest first."""
        return self.evening.bot_messages(self.place(at))

    def board(self, at: int | None = None) -> Seen:
        """The person's own board: the last message of the bot there that has keys, in a group with the name on top."""
        own = [seen for seen in self.sees(at) if seen.rows and (at is None or seen.first.startswith(self.name))]
        assert own, f"{self.name} has no board at {self.place(at)}: {self.sees(at)}"
        return own[-1]

    def table(self, at: int = FRIENDS) -> Seen:
        """The group's table as it stands there."""
        found = [seen for seen in self.sees(at) if seen.first.startswith("Table")]
        assert found, f"no table at {at}: {self.sees(at)}"
        return found[-1]

    def message(self, seen: Seen) -> Seen:
        """The same message as it looks now."""
        found = self.evening.world.find(seen.chat, seen.id)
        assert found is not None
        return _seen(found)

    async def says(self, text: str, at: int | None = None, *, reply: Seen | None = None, rest: bool = True) -> int:
        """Write; the message's id."""
        number = int(self.evening.people.send(self.id, self.place(at), text, reply_to=reply.id if reply else None))
        await self.evening.goes_on(rest=rest)
        return number

    async def hears(self, text: str, at: int | None = None, *, reply: Seen | None = None) -> list[Seen]:
        """Write, and the messages that the bot sends for it."""
        before = {seen.id for seen in self.sees(at)}
        await self.says(text, at, reply=reply)
        return [seen for seen in self.sees(at) if seen.id not in before]

    async def taps(self, label: str, at: int | None = None, *, on: Seen | None = None, rest: bool = True) -> Toast:
        """Tap the key whose label begins like this, on the own board or another message."""
        seen = on or self.board(at)
        return await self.sends(seen.payload(label), seen, rest=rest)

    async def sends(self, payload: str, on: Seen, *, rest: bool = True) -> Toast:
        """Send a payload from a message, as a hand-made client can."""
        query = self.evening.people.tap(self.id, on.chat, on.id, payload=payload)
        return await self.evening.answered(query, rest=rest)


def _seen(message: Message) -> Seen:
    rows = tuple(tuple(row) for row in message.keyboard or ())
    reactions = tuple(emoji for given in message.reactions.values() for emoji in given)
    links = tuple(entity["url"] for entity in message.entities if entity["type"] == "text_link")
    text = (message.text or "").translate(_ISOLATES)
    return Seen(message.message_id, message.chat_id, text, rows, reactions, links)


@dataclass(frozen=True, slots=True)
class Books:
    """Everything that a refusal must leave alone."""

    seats: tuple[tuple[Any, ...], ...]
    rounds: tuple[tuple[Any, ...], ...]
    movements: int


@dataclass(slots=True)
class Evening:
    """The bot at its world; `goes_on` lets everything happen that is due."""

    database: str
    log: list[Any] = field(repr=False)
    clock: HouseClock = field(default_factory=HouseClock, repr=False)
    world: World = field(init=False, repr=False)
    running: Running = field(init=False, repr=False)
    house: House = field(init=False, repr=False)
    chance: Chance = field(init=False, repr=False)
    forgives: set[str] = field(default_factory=set)  # log events that this journey provokes
    allowed: str = ""  # ALLOWED_CHATS, from the next start on
    unanswered: bool = False  # this journey provokes taps without an answer
    _offset: int | None = None
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    async def begin(self) -> None:
        self.world = World(now=self.clock.seconds, sleep=self.clock.sleep)
        for person in self.world.people.values():
            person.language_code = "en"  # what is said is compared in English; languages have tests of their own
        self.running = await serve(self.world)
        self.chance = Chance(self._next_round, self._at_tables)
        await self._build()

    async def _build(self) -> None:
        settings = read_settings(
            _env_file=None,
            bot_token=LOCAL_TOKEN,
            bot_api_url=self.running.base_url,
            database_url=self.database,
            webhook_url="",
            allowed_chats=self.allowed,
            operator="@operator",
        )
        self.house = await build(settings, clock=self.clock, chance=self.chance)
        await self.acknowledges()  # and by that tell Telegram which kinds of updates are wanted

    def _next_round(self) -> int:
        if not self.database.startswith("sqlite:"):
            return next(self._numbers)  # there no cards are wished for
        with contextlib.closing(sqlite3.connect(self.database.removeprefix("sqlite:///"))) as file:
            return int(file.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM rounds").fetchone()[0])

    def _at_tables(self) -> int:
        if not self.database.startswith("sqlite:"):
            return 0
        with contextlib.closing(sqlite3.connect(self.database.removeprefix("sqlite:///"))) as file:
            return int(file.execute("SELECT COUNT(*) FROM table_rounds").fetchone()[0])

    # People

    @property
    def people(self) -> Any:
        return self.running.people

    @property
    def ann(self) -> Somebody:
        return Somebody(self, ANN, "Ann")

    @property
    def bob(self) -> Somebody:
        return Somebody(self, BOB, "Bob")

    @property
    def dasha(self) -> Somebody:
        return Somebody(self, DASHA, "Dasha")

    def guest(self, first_name: str, **facts: Any) -> Somebody:
        """Somebody new, in the group already."""
        who = self.people.add_person(first_name=first_name, **facts)
        self.people.join(who, FRIENDS)
        return Somebody(self, who, first_name)

    def bot_messages(self, chat: int) -> list[Seen]:
        me = self.world.profile.id
        kept = self.world.messages.get(chat, {}).values()
        return [_seen(each) for each in kept if each.sender_id == me and not each.deleted]

    def reactions(self, chat: int, message_id: int) -> tuple[str, ...]:
        found = self.world.find(chat, message_id)
        return _seen(found).reactions if found else ()

    def calls(self, *methods: str) -> list[Json]:
        """What the bot asked of Telegram, by method."""
        return [call for call in self.world.log or () if call["method"] in methods]

    # Time

    async def goes_on(self, *, rest: bool = True) -> None:
        """Hand over what came; with *rest* paint everything too, turning the clock as far as that needs."""
        await self.hear()
        if rest:
            await self.rests()

    async def hear(self) -> None:
        """Take every update that waits, over HTTP; the last batch is acknowledged by the next, as in polling."""
        while batch := await self._batch():
            if await self.house.intake.take(batch):
                break  # not acknowledged: it comes again
            self._offset = max(self._offset or 0, max(update["update_id"] for update in batch) + 1)
        await self.house.intake.rest()

    async def acknowledges(self) -> None:
        """What was taken is done and does not come again."""
        await self.house.source.acknowledge(self._offset or 0)

    async def _batch(self) -> list[Json]:
        updates = self.world.updates
        if not updates.again and not any(number >= (self._offset or 0) for number in updates.pending):
            return []
        return await self.house.source.after(self._offset)

    async def rests(self) -> None:
        """Until every picture is painted."""
        resting = asyncio.create_task(self.house.painter.rest())
        while not (await asyncio.wait({resting}, timeout=_REAL_PAUSE))[0]:
            if not self.calling():
                await self.clock.wake_next()
        await resting

    def calling(self) -> bool:
        """Whether a call of the painter is under way, or the question whether it may be made."""
        return any(lane.busy or lane.asking for lane in self.house.painter._lanes._lanes.values())

    async def passes(self, seconds: float, *, rest: bool = True) -> None:
        """Time goes by: what falls due meanwhile happens, second by second as in a running bot."""
        end = self.clock.now().timestamp() + seconds
        while (left := end - self.clock.now().timestamp()) > 0:
            await self.clock.advance(min(1.0, left))
            await self.house.jobs.look()
            await self.house.jobs.rest()
            await self.calls_end()
        if rest:
            await self.rests()

    async def calls_end(self) -> None:
        """Until no call is under way; the clock stands still."""
        while True:
            await self.clock.settle()
            if not self.calling():
                return
            await asyncio.sleep(_REAL_PAUSE)

    async def answered(self, query: str, *, rest: bool = True) -> Toast:
        waiting = asyncio.create_task(self.people.answer(query))
        await asyncio.sleep(0)
        await self.goes_on(rest=rest)
        await self.clock.settle()
        if not self.unanswered:  # a busy machine may need a moment for the call that is under way
            await asyncio.wait({waiting}, timeout=_PATIENCE)
        if not waiting.done():
            waiting.cancel()
            assert self.unanswered, "a tap was not answered"
            return Toast("")
        return toast_of(waiting.result())

    # Ends and beginnings

    async def stop(self) -> None:
        """Let go of the bot without ceremony: nothing is finished, painted or acknowledged."""
        painter = self.house.painter
        painter._lanes.close()
        for task in [*painter._asides, *self.house.jobs._running]:
            task.cancel()
        await self.house.application.shutdown()
        await self.house.store.close()

    async def restart(self) -> None:
        """A new process on the same database, in the same world; what was not acknowledged comes again."""
        await self.stop()
        await self.begin_again()
        await self.goes_on()

    async def begin_again(self) -> None:
        """A new process, before it takes its first update."""
        self._offset = None
        await self._build()
        await self.house.jobs.repaint()

    async def wakes(self) -> None:
        """What a process does at its start, besides its pictures."""
        assert self.house.jobs._at_start is not None
        await self.house.jobs._at_start()

    async def end(self) -> None:
        await self.house.close()
        await self.running.close()

    def faults(self, **wish: Any) -> None:
        """Misbehave: method, chat, kind, times…"""
        self.world.faults.add(wish)

    @contextlib.contextmanager
    def impatient(self) -> Iterator[None]:
        """Wait for silent answers a moment only, not ten real seconds."""
        request = self.house.application.bot.request
        assert isinstance(request, AiohttpRequest)
        patience, request._read = request._read, 0.3
        yield
        request._read = patience

    # What is stored

    async def seat(self, who: Somebody, at: int | None = None) -> Seat:
        found = await self.house.store.read(lambda tx: tx.seats.at(who.place(at), who.id))
        assert found is not None
        return found

    async def round(self, who: Somebody, at: int | None = None) -> Round:
        """The open round of a seat."""

        def look(tx: Tx) -> Round | None:
            seat = tx.seats.at(who.place(at), who.id)
            return tx.rounds.get(seat.round_id) if seat and seat.round_id is not None else None

        found = await self.house.store.read(look)
        assert found is not None
        return found

    async def dealt(self, who: Somebody, at: int | None = None) -> Dealt:
        state = (await self.round(who, at)).state
        assert isinstance(state, Dealt)
        return state

    async def face(self, who: Somebody, at: int | None = None) -> Face:
        seat = await self.seat(who, at)
        board = await self.house.store.read(lambda tx: tx.boards.of_seat(seat.id))
        assert board is not None
        return board.face

    async def picture(self, who: Somebody, at: int | None = None) -> tuple[str, list[str]]:
        """First line and keys of the board as they follow from what is stored."""
        seat = await self.seat(who, at)
        board = await self.house.store.read(lambda tx: tx.boards.of_seat(seat.id))
        assert board is not None
        assert self.house.painter._repaint is not None
        picture = await self.house.painter._repaint(board.id)
        assert picture is not None
        first = re.sub(r"<[^>]*>", "", picture.view.text.translate(_ISOLATES)).partition("\n")[0]
        return first, [key.label for row in picture.view.keys for key in row]

    async def count(self, sql: str) -> int:
        """The number that the query gives as n."""
        found = await self.house.store.read(lambda tx: tx.row(sql))
        return int(found["n"]) if found is not None else 0

    async def books(self) -> Books:
        """Seats, rounds and movements: equal before and after means no chip, card or bet has moved."""

        def look(tx: Tx) -> Books:
            seats = tx.rows("SELECT id, chips, night_id, round_id FROM seats ORDER BY id")
            rounds = tx.rows("SELECT id, state, commitment FROM rounds ORDER BY id")
            moved = tx.rows("SELECT COUNT(*) AS n FROM movements")
            return Books(
                tuple((row["id"], row["chips"], row["night_id"], row["round_id"]) for row in seats),
                tuple((row["id"], row["state"], row["commitment"]) for row in rounds),
                int(moved[0]["n"]),
            )

        return await self.house.store.read(look)

    async def audit(self) -> None:
        """What must hold at any moment: balanced books, chips held by exactly the dealt rounds, no error in the log, no secret out."""
        drift, seats, moves = await self.house.store.read(
            lambda tx: (tx.ledger.drift(), tx.ledger.unbalanced_seats(), tx.ledger.unbalanced_movements())
        )
        assert (drift, seats, moves) == (0, [], [])
        for round_, chips in await self.house.store.read(_held):
            assert round_ is not None
            assert isinstance(round_.state, Dealt)
            assert round_.state.wager.need == chips
        told, booked = await self.house.store.read(_held_by_tables)
        assert told == booked
        leaked = leaks(await self.house.store.read(kept), self.world, self.log)
        assert not leaked, leaked
        bad = [each for each in self.log if each["log_level"] in {"warning", "error", "critical"}]
        unforgiven = [each for each in bad if each["event"] not in self.forgives]
        assert not unforgiven, unforgiven
        if not self.unanswered:
            assert [query for query in self.world.queries.values() if not query.answered] == []


def _held(tx: Tx) -> list[tuple[Round | None, int]]:
    """Rounds that hold chips, and how many."""
    lines = tx.rows(
        "SELECT ref, SUM(chips) AS chips FROM entries WHERE kind = 'round' AND ref < :first GROUP BY ref",
        first=FIRST_HAND,
    )
    return [(tx.rounds.get(row["ref"]), int(row["chips"])) for row in lines if row["chips"]]


def _held_by_tables(tx: Tx) -> tuple[dict[int, int], dict[int, int]]:
    """By hand, what tables say they hold, and what the books say."""
    told = {}
    for row in tx.rows("SELECT id FROM tables WHERE ended IS NULL"):
        place = tx.tables.get(row["id"])
        if place is not None and (chips := sum(held(place.table, seat.user) for seat in place.table.seats)):
            told[place.round_id] = chips
    lines = tx.rows(
        "SELECT ref, SUM(chips) AS chips FROM entries WHERE kind = 'bank' OR"
        " (kind = 'round' AND ref >= :first) GROUP BY ref",
        first=FIRST_HAND,
    )
    return told, {row["ref"]: int(row["chips"]) for row in lines if row["chips"]}
