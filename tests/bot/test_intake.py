"""Updates in, through real PTB handlers, on a turned clock."""

from __future__ import annotations

import asyncio
import io
import logging
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import orjson
import pytest
import structlog
from telegram import Update
from telegram.error import Conflict, InvalidToken, NetworkError, RetryAfter, TelegramError, TimedOut
from telegram.ext import TypeHandler

from bot.intake import Intake, NotTaken, TwoPollers, Visitor, Why
from bot.intake.door import Door, Raw
from bot.storage import Reason, StorageUnavailable
from bot.telemetry import Metrics, arrived, configure, masker, transaction_begins
from bot.transport import Q64Application, application
from tests.clock import NOON, TurnedClock
from tests.telegram import ScriptedTelegram

ANA = 9_000_000_000_001
BO = 9_000_000_000_002
GROUP = -1_009_000_000_000_001
CHANNEL = -1_009_000_000_000_777
NAME = "q64_test_bot"
NOW = int(NOON.timestamp())
PERSON = {"id": ANA, "is_bot": False, "first_name": "Ana Private-Name"}
ANONYMOUS = {"id": 1_087_968_824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
AS_CHANNEL = {"id": 136_817_688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
SUPERGROUP = {"id": GROUP, "type": "supergroup", "title": "G"}


def said(text: str = "/deal", update_id: int = 1, sender: Raw = PERSON, **facts: Any) -> Raw:
    message: Raw = {"message_id": 5, "date": NOW, "chat": SUPERGROUP, "from": sender, "text": text} | facts
    if text.startswith("/"):
        message["entities"] = [{"type": "bot_command", "offset": 0, "length": len(text.split(maxsplit=1)[0])}]
    return {"update_id": update_id, "message": message}


def tap(update_id: int = 1, chat_id: int = GROUP, **facts: Any) -> Raw:
    kind = "supergroup" if chat_id < 0 else "private"
    message = {"message_id": 7, "date": NOW, "chat": {"id": chat_id, "type": kind}}
    query = {"id": f"q{update_id}", "from": PERSON, "chat_instance": "9", "data": "1:P:1:2", "message": message}
    return {"update_id": update_id, "callback_query": query | facts}


def without(update: Raw, kind: str, name: str) -> Raw:
    return {**update, kind: {key: value for key, value in update[kind].items() if key != name}}


@dataclass(slots=True)
class Desk:
    spoke: list[int] = field(default_factory=list)
    refused: list[tuple[int, Why, str]] = field(default_factory=list)
    breaks: bool = False

    def heard(self, chat_id: int) -> None:
        self.spoke.append(chat_id)

    async def refuse(self, visitor: Visitor, why: Why, error_id: str) -> None:
        self.refused.append((visitor.update_id, why, error_id))
        if self.breaks:
            raise RuntimeError("no words")


@dataclass(slots=True)
class Hall:
    clock: TurnedClock
    app: Q64Application
    desk: Desk
    metrics: Metrics
    intake: Intake
    handled: list[int] = field(default_factory=list)
    work: Callable[[Update], Awaitable[None]] | None = None

    async def handle(self, update: Update, _: object) -> None:
        if self.work is not None:
            await self.work(update)
        self.handled.append(update.update_id)

    def count(self, kind: str, outcome: str) -> float:
        labels = {"kind": kind, "outcome": outcome}
        return self.metrics.registry.get_sample_value("q64_updates_total", labels) or 0.0


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    clock, desk, metrics = TurnedClock(), Desk(), Metrics()
    telegram = ScriptedTelegram(clock)
    app = application("9000000001:AAE-made-up-token-for-tests", request=telegram, poller=telegram)
    intake = Intake(app, clock, metrics, desk, name=NAME, mask=masker(b"k"), allows=lambda chat: chat != 666)
    made = Hall(clock, app, desk, metrics, intake)
    app.add_handler(TypeHandler(Update, made.handle))
    async with app:
        yield made
    await intake.rest()


# At the door

TURNED_AWAY = [
    ("edited message", {"update_id": 1, "edited_message": said()["message"]}, Why.KIND, False),
    (
        "F06 channel post",
        {
            "update_id": 1,
            "channel_post": {"message_id": 5, "date": NOW, "chat": {"id": CHANNEL, "type": "channel"}, "text": "/play"},
        },
        Why.KIND,
        False,
    ),
    (
        "F06 edited channel post",
        {
            "update_id": 1,
            "edited_channel_post": {
                "message_id": 5,
                "date": NOW,
                "chat": {"id": CHANNEL, "type": "channel"},
                "text": "/play",
            },
        },
        Why.KIND,
        False,
    ),
    (
        "F17 business message",
        {"update_id": 1, "business_message": said()["message"] | {"business_connection_id": "b1"}},
        Why.KIND,
        False,
    ),
    ("F17 a message with a business connection", said(business_connection_id="b1"), Why.KIND, False),
    ("guest message", {"update_id": 1, "guest_message": said()["message"]}, Why.KIND, False),
    (
        "inline query",
        {"update_id": 1, "inline_query": {"id": "1", "from": PERSON, "query": "", "offset": ""}},
        Why.KIND,
        False,
    ),
    ("reaction", {"update_id": 1, "message_reaction": {}}, Why.KIND, False),
    ("unknown kind", {"update_id": 1, "unheard_of": {"text": "/deal"}}, Why.KIND, False),
    ("nothing but an id", {"update_id": 1}, Why.KIND, False),
    ("a photo", without(said("hello"), "message", "text"), Why.KIND, False),
    ("another bot", said(sender={"id": 7, "is_bot": True, "first_name": "B"}), Why.BOT, False),
    ("through another bot", said(via_bot={"id": 7, "is_bot": True, "first_name": "B"}), Why.BOT, False),
    ("nobody", without(said(), "message", "from"), Why.BOT, False),
    (
        "forwarded command",
        said(forward_origin={"type": "hidden_user", "date": 1, "sender_user_name": "x"}),
        Why.FORWARD,
        False,
    ),
    (
        "F05 linked channel",
        said(
            sender={"id": 777_000, "is_bot": False, "first_name": "Telegram"},
            sender_chat={"id": CHANNEL, "type": "channel"},
            is_automatic_forward=True,
        ),
        Why.AUTOMATIC,
        False,
    ),
    (
        "F05 as a channel, a command",
        said(sender=AS_CHANNEL, sender_chat={"id": CHANNEL, "type": "channel", "title": "C"}),
        Why.CHANNEL,
        True,
    ),
    (
        "F05 as a channel, chatter",
        said("hello", sender=AS_CHANNEL, sender_chat={"id": CHANNEL, "type": "channel", "title": "C"}),
        Why.CHANNEL,
        False,
    ),
    ("F03 anonymous admin, a command", said(sender=ANONYMOUS, sender_chat=SUPERGROUP), Why.ANONYMOUS, True),
    (
        "F03 anonymous admin, chatter",
        said("hello", sender=ANONYMOUS, sender_chat=SUPERGROUP),
        Why.ANONYMOUS,
        False,
    ),
    ("a command for another bot", said("/deal@other_bot 25"), Why.OTHER_BOT, False),
    ("F41 an old command", said(date=NOW - 6 * 3600), Why.OLD, False),
    ("ephemeral", said(message_id=0), Why.EPHEMERAL, False),
    ("not an allowed chat", said(chat={"id": 666, "type": "private"}), Why.NOT_ALLOWED, True),
    ("F29 inline tap", without(tap(inline_message_id="AAA"), "callback_query", "message"), Why.NO_MESSAGE, True),
    ("F29 tap with neither message nor inline id", without(tap(), "callback_query", "message"), Why.NO_MESSAGE, True),
    ("game button", without(tap(game_short_name="g"), "callback_query", "data"), Why.NO_MESSAGE, True),
    (
        "tap on an ephemeral message",
        tap(message={"message_id": 0, "date": NOW, "chat": SUPERGROUP}),
        Why.NO_MESSAGE,
        True,
    ),
    (
        "tap in a channel",
        tap(message={"message_id": 7, "date": NOW, "chat": {"id": CHANNEL, "type": "channel"}}),
        Why.KIND,
        True,
    ),
    (
        "tap in a business chat",
        tap(
            message={
                "message_id": 7,
                "date": NOW,
                "chat": {"id": ANA, "type": "private"},
                "business_connection_id": "b",
            }
        ),
        Why.KIND,
        True,
    ),
    (
        "tap in a chat that is not allowed",
        tap(message={"message_id": 7, "date": NOW, "chat": {"id": 666, "type": "private"}}),
        Why.NOT_ALLOWED,
        True,
    ),
]


@pytest.mark.parametrize("update, why, told", [pytest.param(u, w, t, id=name) for name, u, w, t in TURNED_AWAY])
async def test_turned_away(hall: Hall, update: Raw, why: Why, told: bool) -> None:
    await hall.intake.take([update])
    await hall.intake.rest()
    assert hall.handled == []
    assert hall.desk.spoke == []
    assert hall.desk.refused == ([(1, why, "")] if told else [])


LET_IN = [
    ("a command", said()),
    ("a command for us", said(f"/deal@{NAME.upper()} 25")),
    ("a word", said("deal")),
    ("a path is no command for another bot", said("/home/x@y")),
    ("a command in private", said(chat={"id": ANA, "type": "private"})),
    ("a reply in a topic", said("play", is_topic_message=True, message_thread_id=42)),
    ("a tap", tap()),
    ("a tap on an inaccessible message", tap(message={"message_id": 7, "date": 0, "chat": SUPERGROUP})),
    ("a tap with any payload", tap(data="")),
    ("F41 nine minutes old", said(date=NOW - 540)),
    ("F41 migration, six hours old", without(said(migrate_to_chat_id=-100, date=NOW - 6 * 3600), "message", "text")),
    (
        "F01 migration by an anonymous admin",
        without(said(migrate_from_chat_id=-5, sender=ANONYMOUS, sender_chat=SUPERGROUP), "message", "text"),
    ),
    (
        "F11 somebody left",
        without(said(left_chat_member={"id": 5, "is_bot": True, "first_name": "q"}), "message", "text"),
    ),
    (
        "F18 our membership",
        {
            "update_id": 1,
            "my_chat_member": {
                "chat": SUPERGROUP,
                "from": PERSON,
                "date": 1,
                "old_chat_member": {"status": "member", "user": PERSON},
                "new_chat_member": {"status": "kicked", "user": PERSON, "until_date": 0},
            },
        },
    ),
    ("F19 ids of 52 bits", said(sender={"id": 4_503_599_627_370_495, "is_bot": False, "first_name": "W"})),
]


@pytest.mark.parametrize("update", [pytest.param(u, id=name) for name, u in LET_IN])
async def test_let_in(hall: Hall, update: Raw) -> None:
    await hall.intake.take([update])
    assert hall.handled == [1]


@pytest.mark.parametrize(
    "sent, started, old",
    [
        pytest.param(-6 * 3600, 0, True, id="F41 six hours old"),
        pytest.param(-660, 0, True, id="F41 eleven minutes old, before the start"),
        pytest.param(-660, -3600, False, id="F41 eleven minutes old, but we were there: a slow network"),
        pytest.param(-660, -570, False, id="F41 within two minutes before the start"),
        pytest.param(-540, 0, False, id="F41 nine minutes old"),
    ],
)
def test_f41_what_is_old(sent: int, started: int, old: bool) -> None:
    door = Door(name=NAME, started=NOON + timedelta(seconds=started))
    assert (door.look(said(date=NOW + sent), NOON).why is Why.OLD) is old


@pytest.mark.parametrize(
    "update, spoke",
    [
        pytest.param(said(), True, id="a message"),
        pytest.param(tap(), True, id="a tap"),
        pytest.param(
            without(said(left_chat_member={"id": 5, "is_bot": True, "first_name": "q"}), "message", "text"),
            False,
            id="F11 a leave message",
        ),
    ],
)
async def test_who_speaks_is_heard(hall: Hall, update: Raw, spoke: bool) -> None:
    await hall.intake.take([update])
    assert hall.desk.spoke == ([GROUP] if spoke else [])


@pytest.mark.parametrize(
    "status, spoke", [("kicked", False), ("left", False), ("member", True), ("administrator", True)]
)
def test_f11_f12_our_membership_speaks_only_when_it_is_one(status: str, spoke: bool) -> None:
    change = {"chat": SUPERGROUP, "from": PERSON, "date": 1, "new_chat_member": {"status": status}}
    assert Door(name=NAME, started=NOON).look({"update_id": 1, "my_chat_member": change}, NOON).speaks is spoke


BROKEN = [
    {"update_id": 1, "message": None},
    {"update_id": 1, "message": {"message_id": 5}},
    {
        "update_id": 1,
        "message": {"message_id": "x", "date": "y", "chat": {"id": GROUP, "type": "group"}, "from": PERSON, "text": 5},
    },
    {"update_id": 1, "callback_query": {"id": "q1"}},
    {"update_id": 1, "callback_query": "tap"},
]


@pytest.mark.parametrize("update", BROKEN)
async def test_an_update_that_cannot_be_read_costs_only_itself(hall: Hall, update: Raw) -> None:
    await hall.intake.take([update, tap(2)])
    await hall.intake.rest()
    assert hall.handled == [2]
    tapped = isinstance(update.get("callback_query"), dict)
    assert [why for _, why, _ in hall.desk.refused] == ([Why.UNREADABLE] if tapped else [])


async def test_f40_a_repeated_update_is_dropped_early(hall: Hall) -> None:
    await hall.intake.take([tap(501), tap(501)])
    await hall.intake.take([tap(501)])
    assert hall.handled == [501]
    assert hall.count("callback_query", "repeated") == 2


async def test_a_refusal_that_fails_stops_nothing(hall: Hall) -> None:
    hall.desk.breaks = True
    await hall.intake.take([without(tap(1), "callback_query", "message"), tap(2)])
    assert hall.handled == [2]


# In order, side by side


async def test_in_order_within_a_chat_side_by_side_between_chats(hall: Hall) -> None:
    log: list[str] = []

    async def work(update: Update) -> None:
        log.append(f"{update.update_id} begins")
        await hall.clock.sleep(1)
        log.append(f"{update.update_id} ends")

    hall.work = work
    taking = asyncio.ensure_future(hall.intake.take([tap(1, GROUP), tap(2, GROUP), tap(3, ANA)]))
    await hall.clock.advance(5)
    assert taking.done()
    assert log == ["1 begins", "3 begins", "1 ends", "2 begins", "3 ends", "2 ends"]


async def test_in_order_also_between_webhook_calls(hall: Hall) -> None:
    hall.work = lambda update: hall.clock.sleep(3 - update.update_id)
    feeds = [asyncio.ensure_future(hall.intake.take([tap(number)])) for number in (1, 2)]
    await hall.clock.advance(2.5)
    assert hall.handled == [1]
    await hall.clock.advance(1)
    assert all(feed.done() for feed in feeds)
    assert hall.handled == [1, 2]


async def test_a_webhook_s_update_is_done_when_receive_returns(hall: Hall) -> None:
    hall.work = lambda _: hall.clock.sleep(2)
    feeding = asyncio.ensure_future(hall.intake.receive(orjson.dumps(tap())))
    await hall.clock.advance(1)
    assert not feeding.done()
    await hall.clock.advance(2)
    assert feeding.done()
    with pytest.raises(ValueError):  # noqa: PT011 - orjson's
        await hall.intake.receive(b"nonsense")


async def test_a_slow_chat_holds_nobody_up_longer_than_ten_seconds(hall: Hall) -> None:
    async def work(update: Update) -> None:
        if update.update_id == 1:
            await hall.clock.sleep(3600)

    hall.work = work
    migration = without(said(update_id=4, migrate_to_chat_id=-100), "message", "text")
    taking = asyncio.ensure_future(hall.intake.take([tap(1, GROUP), tap(2, GROUP), tap(3, ANA), migration]))
    await hall.clock.advance(9.9)
    assert hall.handled == [3]
    assert not taking.done()
    await hall.clock.advance(0.2)
    assert taking.done()
    assert hall.handled == [3, 4]  # cancelled, refused, and the migration not lost
    assert [(update, why) for update, why, _ in hall.desk.refused] == [(1, Why.BUSY), (2, Why.BUSY)]
    assert hall.count("callback_query", "too_slow") == 2
    await hall.intake.take([tap(5, GROUP)])
    assert hall.handled == [3, 4, 5]
    await hall.clock.advance(4000)
    assert 1 not in hall.handled


async def test_what_has_begun_its_transaction_is_not_cancelled(hall: Hall) -> None:
    async def work(_: Update) -> None:
        await hall.clock.sleep(5)
        transaction_begins()
        await hall.clock.sleep(8)

    hall.work = work
    taking = asyncio.ensure_future(hall.intake.take([tap(1)]))
    await hall.clock.advance(10.1)
    assert taking.done()
    assert hall.handled == []
    assert hall.desk.refused == []
    await hall.clock.advance(5)
    assert hall.handled == [1]


async def test_handlers_know_when_the_tap_came(hall: Hall) -> None:
    came: list[float | None] = []

    async def work(_: Update) -> None:
        came.append(arrived())

    hall.work = work
    await hall.intake.take([tap()])
    assert came == [NOON.timestamp()]


# Failures


@pytest.fixture
def printed() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = [*root.handlers], root.level
    out = io.StringIO()
    configure("json", stream=out)
    yield out
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()


async def test_f25_f124_a_failed_tap_is_answered_with_the_id_in_the_log(hall: Hall, printed: io.StringIO) -> None:
    async def work(update: Update) -> None:
        if update.update_id == 1:
            raise ZeroDivisionError

    hall.work = work
    await hall.intake.take([tap(1), tap(2)])
    await hall.intake.rest()
    (refused,) = hall.desk.refused
    assert refused[:2] == (1, Why.ERROR)
    line = orjson.loads(printed.getvalue().splitlines()[0])
    assert line["error"] == refused[2] != ""
    assert (line["update"], line["kind"], line["chat_kind"]) == (1, "callback_query", "supergroup")
    assert "ZeroDivisionError" in line["exception"]
    for private in ("Ana Private-Name", str(ANA), str(GROUP), "1:P:1:2"):
        assert private not in printed.getvalue()
    assert hall.handled == [2]
    assert (hall.count("callback_query", "failed"), hall.count("callback_query", "done")) == (1, 1)


# Polling


@dataclass(slots=True)
class Waves:
    """Hands out batches or errors, then waits for ever."""

    waves: list[list[Raw] | BaseException]
    asked: list[int | None] = field(default_factory=list)
    acknowledged: list[int] = field(default_factory=list)

    async def after(self, offset: int | None) -> list[Raw]:
        self.asked.append(offset)
        if not self.waves:
            await asyncio.Event().wait()
        wave = self.waves.pop(0)
        if isinstance(wave, BaseException):
            raise wave
        return wave

    async def acknowledge(self, offset: int) -> None:
        self.acknowledged.append(offset)


async def test_the_next_batch_is_asked_for_when_the_whole_batch_is_done(hall: Hall) -> None:
    hall.work = lambda update: hall.clock.sleep(update.update_id)
    source = Waves([[tap(1, GROUP), tap(5, ANA)], [tap(6, BO)]])
    polling = asyncio.ensure_future(hall.intake.run_polling(source))
    await hall.clock.advance(4)
    assert source.asked == [None]
    await hall.clock.advance(1)
    assert source.asked == [None, 6]
    hall.intake.stop()
    await hall.clock.advance(7)
    assert polling.done()
    assert hall.handled == [1, 5, 6]
    assert source.acknowledged == [7]


MOVE: Raw = {"migrate_to_chat_id": GROUP - 1, "text": ""}


def refusing(hall: Hall, *, times: int) -> Callable[[Update], Awaitable[None]]:
    """The database takes no migration that many times."""
    left = [None] * times

    async def work(update: Update) -> None:
        if update.message is not None and update.message.migrate_to_chat_id and left:
            left.pop()
            raise StorageUnavailable(Reason.FULL)

    return work


async def test_f01_a_move_that_the_database_does_not_take_stays_unacknowledged(hall: Hall) -> None:
    hall.work = refusing(hall, times=2)
    batch = [said(update_id=1, **MOVE), tap(2)]
    source = Waves([batch, batch, [*batch, tap(3)], [tap(4)]])
    polling = asyncio.ensure_future(hall.intake.run_polling(source))
    await hall.clock.advance(30)
    hall.intake.stop()
    await polling

    assert hall.handled == [2, 1, 3, 4]
    assert source.asked == [None, None, None, 4, 5]
    assert source.acknowledged == [5]


async def test_f01_a_webhook_is_asked_to_bring_such_a_move_again(hall: Hall) -> None:
    hall.work = refusing(hall, times=1)
    body = orjson.dumps(said(**MOVE))
    with pytest.raises(NotTaken):
        await hall.intake.receive(body)
    assert hall.handled == []
    await hall.intake.receive(body)
    await hall.intake.receive(body)
    assert hall.handled == [1]


async def test_f01_a_move_that_was_cancelled_is_begun_anew(hall: Hall) -> None:
    hall.work = lambda _: hall.clock.sleep(14)
    taking = asyncio.ensure_future(hall.intake.take([said(**MOVE)]))
    await hall.clock.advance(10.1)
    assert await taking is True
    hall.work = None
    assert await hall.intake.take([said(**MOVE)]) is False
    assert hall.handled == [1]


async def test_f01_a_move_that_takes_too_long_is_owed_until_it_is_done(hall: Hall) -> None:
    async def work(_: Update) -> None:
        transaction_begins()
        await hall.clock.sleep(14)

    hall.work = work
    taking = asyncio.ensure_future(hall.intake.take([said(**MOVE)]))
    await hall.clock.advance(10.1)
    assert await taking is True
    assert await hall.intake.take([said(**MOVE)]) is True
    await hall.clock.advance(5)
    assert hall.handled == [1]
    assert await hall.intake.take([said(**MOVE)]) is False
    assert hall.handled == [1]


async def test_stopping_while_nothing_comes(hall: Hall) -> None:
    source = Waves([])
    polling = asyncio.ensure_future(hall.intake.run_polling(source))
    await hall.clock.settle()
    hall.intake.stop()
    await hall.clock.settle()
    assert polling.done()
    assert source.acknowledged == []


TROUBLE: list[tuple[TelegramError, float]] = [
    (NetworkError("ClientConnectorError"), 1),
    (TimedOut(), 1),
    (TelegramError("Invalid server response"), 1),
    (RetryAfter(7), 7),
    (Conflict("Conflict: terminated by other getUpdates request"), 3),
]


@pytest.mark.parametrize("error, pause", TROUBLE, ids=[type(error).__name__ for error, _ in TROUBLE])
async def test_polling_goes_on_after_trouble(hall: Hall, error: TelegramError, pause: float) -> None:
    source = Waves([error, [tap(1)]])
    polling = asyncio.ensure_future(hall.intake.run_polling(source))
    await hall.clock.advance(pause - 0.1)
    assert len(source.asked) == 1
    await hall.clock.advance(0.2)
    assert hall.handled == [1]
    hall.intake.stop()
    await polling


async def test_polling_backs_off_up_to_half_a_minute(hall: Hall) -> None:
    source = Waves([*(NetworkError("x") for _ in range(8)), [tap(1)]])
    polling = asyncio.ensure_future(hall.intake.run_polling(source))
    await hall.clock.advance(1 + 2 + 4 + 8 + 16 + 30 + 30 + 29)
    assert hall.handled == []
    await hall.clock.advance(1.1)
    assert hall.handled == [1]
    hall.intake.stop()
    await polling


async def test_f125_a_lasting_conflict_stops_polling_with_one_line(hall: Hall, printed: io.StringIO) -> None:
    source = Waves([Conflict("Conflict: terminated by other getUpdates request") for _ in range(100)])
    polling = asyncio.ensure_future(hall.intake.run_polling(source))
    await hall.clock.advance(59)
    assert not polling.done()
    await hall.clock.advance(4)
    with pytest.raises(TwoPollers, match="Another process"):
        await polling
    assert printed.getvalue().count("\n") == 1


async def test_f125_a_short_conflict_is_tolerated_each_time(hall: Hall) -> None:
    conflict = Conflict("Conflict: terminated by other getUpdates request")
    source = Waves([*([conflict] * 15), [tap(1)], *([conflict] * 15), [tap(2)]])
    polling = asyncio.ensure_future(hall.intake.run_polling(source))
    await hall.clock.advance(100)
    assert hall.handled == [1, 2]
    hall.intake.stop()
    await polling


async def test_a_wrong_token_ends_polling(hall: Hall) -> None:
    with pytest.raises(InvalidToken):
        await hall.intake.run_polling(Waves([InvalidToken("Unauthorized")]))


async def test_f123_no_token_in_what_polling_raises_or_logs(hall: Hall, printed: io.StringIO) -> None:
    source = Waves([NetworkError("x"), Conflict("c"), InvalidToken("Unauthorized")])
    polling = asyncio.ensure_future(hall.intake.run_polling(source))
    await hall.clock.advance(30)
    with pytest.raises(InvalidToken) as raised:
        await polling
    assert "AAE-made-up" not in printed.getvalue() + "".join(traceback.format_exception(raised.value))
