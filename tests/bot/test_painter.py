"""The painter against a scripted Telegram, on a turned clock."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from telegram.error import NetworkError, TelegramError, TimedOut

from bot.facts import Tap, Verb
from bot.painter import Limits, Painter, Picture, Urgency
from bot.painter.budget import Budget
from bot.painter.keyboard import keyboard
from bot.painter.outcomes import Outcome, judge
from bot.painter.pictures import BoardState, Content
from bot.painter.toast import clipped
from bot.storage.errors import Reason, StorageUnavailable
from bot.telemetry import UNDERWAY, Metrics, Underway
from bot.transport import NotSent
from bot.views.kit import Key, Style, View
from tests.bot.shelf import Shelf
from tests.clock import TurnedClock
from tests.telegram import Answer, ScriptedTelegram, bot, refusal

ANA = 9_000_000_000_001
BO = 9_000_000_000_002
GROUP = -1_009_000_000_000_001
NEW_GROUP = -1_009_000_000_000_999
MESSAGE = 4_000_000_001

NOT_MODIFIED = refusal(
    400,
    "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
)
EDIT_NOT_FOUND = refusal(400, "Bad Request: message to edit not found")
TOO_OLD = refusal(400, "Bad Request: query is too old and response timeout expired or query ID is invalid")
BLOCKED = refusal(403, "Forbidden: bot was blocked by the user")
FLOOD = refusal(429, "Too Many Requests: retry after 35", retry_after=35)


@dataclass(slots=True)
class Studio:
    clock: TurnedClock
    telegram: ScriptedTelegram
    shelf: Shelf
    metrics: Metrics
    painter: Painter
    lost: list[tuple[int, str]]
    migrated: list[tuple[int, int]]

    def count(self, outcome: str) -> float:
        return self.metrics.registry.get_sample_value("q64_pictures_total", {"outcome": outcome}) or 0.0


def studio_of() -> Studio:
    clock = TurnedClock()
    telegram = ScriptedTelegram(clock)
    lost: list[tuple[int, str]] = []
    migrated: list[tuple[int, int]] = []

    async def on_lost(chat_id: int, reason: str) -> None:
        lost.append((chat_id, reason))

    async def on_migrated(old: int, new: int) -> None:
        migrated.append((old, new))

    shelf, metrics = Shelf(), Metrics()
    painter = Painter(bot(telegram), clock, shelf, metrics, on_chat_lost=on_lost, on_migrated=on_migrated)
    return Studio(clock, telegram, shelf, metrics, painter, lost, migrated)


@pytest.fixture
async def studio() -> AsyncIterator[Studio]:
    made = studio_of()
    yield made
    await made.painter.close()


def picture(board: int = 1, version: int = 1, text: str = "", **facts: Any) -> Picture:
    facts = {"chat_id": ANA, "message_id": MESSAGE + board, "urgency": Urgency.DEALT} | facts
    return Picture(board=board, version=version, view=View(text=text or f"board {board}, {version}"), **facts)


# Newest picture wins


async def test_newest_picture_wins(studio: Studio) -> None:
    for version in range(1, 7):
        studio.painter.show(picture(version=version))
    assert studio.telegram.texts == []  # nothing waits inside show
    await studio.clock.advance(5)
    assert studio.telegram.texts == ["board 1, 1", "board 1, 6"]  # nobody pays for what nobody would see
    assert studio.count("merged") == 4


async def test_an_older_version_comes_too_late(studio: Studio) -> None:
    studio.painter.show(picture(version=5))
    await studio.clock.advance(5)
    studio.painter.show(picture(version=4))
    await studio.clock.advance(5)
    assert studio.telegram.texts == ["board 1, 5"]


async def test_f23_equal_content_is_not_sent(studio: Studio) -> None:
    studio.painter.show(picture(version=1, text="same"))
    await studio.clock.advance(5)
    studio.painter.show(picture(version=2, text="same"))
    await studio.clock.advance(5)
    assert studio.telegram.texts == ["same"]
    assert studio.shelf.versions == {1: 2}


async def test_there_and_back_again_costs_nothing(studio: Studio) -> None:
    studio.painter.show(picture(version=1, text="a", chat_id=GROUP, urgency=Urgency.BETTING))
    await studio.clock.settle()
    studio.painter.show(picture(version=2, text="b", chat_id=GROUP, urgency=Urgency.BETTING))
    studio.painter.show(picture(version=3, text="a", chat_id=GROUP, urgency=Urgency.BETTING))
    await studio.clock.advance(10)
    assert studio.telegram.texts == ["a"]


async def test_f23_not_modified_is_success(studio: Studio) -> None:
    studio.telegram.script("editMessageText", NOT_MODIFIED)
    studio.painter.show(picture(version=3, text="x"))
    await studio.clock.advance(2)
    assert studio.shelf.versions == {1: 3}
    studio.painter.show(picture(version=4, text="x"))
    await studio.clock.advance(2)
    assert len(studio.telegram.calls) == 1  # by now the painter knows what stands there


async def test_one_call_in_flight_per_board(studio: Studio) -> None:
    studio.telegram.hold("editMessageText")
    studio.painter.show(picture(version=1))
    await studio.clock.advance(5)
    studio.painter.show(picture(version=2))
    studio.painter.show(picture(version=3))
    await studio.clock.advance(5)
    assert studio.telegram.texts == ["board 1, 1"]
    studio.telegram.release("editMessageText")
    await studio.clock.advance(5)
    assert studio.telegram.texts == ["board 1, 1", "board 1, 3"]


async def test_a_board_sent_once_is_edited_from_then_on(studio: Studio) -> None:
    """The second picture was stored before the first had a message."""
    studio.telegram.hold("sendMessage")
    studio.painter.show(picture(version=1, message_id=None))
    await studio.clock.settle()
    studio.painter.show(picture(version=2, message_id=None))
    studio.telegram.release("sendMessage")
    await studio.clock.advance(3)
    assert [call.method for call in studio.telegram.calls] == ["sendMessage", "editMessageText"]
    sent = studio.shelf.messages[1]
    assert sent[1] == 1
    assert int(studio.telegram.calls[1].fields["message_id"]) == sent[0]


# Content


async def test_html_no_previews_and_a_ready_keyboard(studio: Studio) -> None:
    keys = (
        (Key("Play 25", Tap(verb=Verb.PLAY, board=1, round=2), style=Style.SUCCESS),),
        (Key("Proof", url="https://t.me/q?start=1"), Key("Copy", copy="abc")),
    )
    shown = Picture(board=1, version=1, view=View(text="<b>x</b>", keys=keys), chat_id=GROUP, thread_id=42)
    studio.painter.show(shown)
    await studio.clock.settle()
    fields = studio.telegram.of("sendMessage")[0].fields
    assert fields["parse_mode"] == "HTML"
    assert fields["message_thread_id"] == "42"
    assert orjson.loads(fields["link_preview_options"]) == {"is_disabled": True}
    assert orjson.loads(fields["reply_markup"]) == {
        "inline_keyboard": [
            [{"text": "Play 25", "callback_data": "1:P:1:2", "style": "success"}],
            [{"text": "Proof", "url": "https://t.me/q?start=1"}, {"text": "Copy", "copy_text": {"text": "abc"}}],
        ]
    }


def test_no_keys_are_no_keyboard() -> None:
    assert keyboard(()) == ""


# Bringing a board down


async def test_bring_down_sends_stores_and_takes_the_old_keys_off(studio: Studio) -> None:
    studio.painter.show(picture(version=1))
    await studio.clock.advance(2)
    studio.painter.show(picture(version=2, message_id=None, old_message_id=MESSAGE + 1))
    await studio.clock.advance(5)
    assert [call.method for call in studio.telegram.calls] == [
        "editMessageText",
        "sendMessage",
        "editMessageReplyMarkup",
    ]
    stripped = studio.telegram.calls[-1].fields
    assert int(stripped["message_id"]) == MESSAGE + 1
    assert "reply_markup" not in stripped
    assert studio.shelf.taken == [1]
    assert studio.shelf.messages[1][1] == 2


async def test_brought_down_twice_while_the_first_is_under_way(studio: Studio) -> None:
    studio.telegram.hold("sendMessage")
    studio.painter.show(picture(version=2, message_id=None, old_message_id=7))
    await studio.clock.settle()
    studio.painter.show(picture(version=3, message_id=None, old_message_id=7))
    studio.telegram.release("sendMessage")
    await studio.clock.advance(9)
    assert len(studio.telegram.of("sendMessage")) == 1
    assert studio.telegram.texts[-1] == "board 1, 3"


async def test_old_keys_left_over_from_before_a_restart(studio: Studio) -> None:
    studio.painter.show(picture(version=2, old_message_id=7))
    await studio.clock.advance(5)
    assert [call.method for call in studio.telegram.calls] == ["editMessageText", "editMessageReplyMarkup"]
    assert studio.shelf.taken == [1]


async def test_a_retired_board_gets_no_keys_back_from_a_call_that_was_under_way(studio: Studio) -> None:
    studio.telegram.hold("editMessageText")
    studio.painter.show(picture(version=1))
    await studio.clock.settle()
    studio.painter.show(picture(version=2))

    studio.painter.retire(1, ANA, MESSAGE + 1)
    studio.painter.show(picture(version=3))
    await studio.clock.advance(5)
    assert [call.method for call in studio.telegram.calls] == ["editMessageText"]
    studio.telegram.release("editMessageText")
    await studio.clock.advance(5)

    assert [call.method for call in studio.telegram.calls] == ["editMessageText", "editMessageReplyMarkup"]
    assert studio.telegram.texts == ["board 1, 1"]
    assert studio.shelf.taken == [1]


async def test_a_board_that_was_retired_while_it_was_sent_loses_the_keys_it_came_with(studio: Studio) -> None:
    studio.telegram.hold("sendMessage")
    studio.painter.show(picture(version=1, message_id=None))
    await studio.clock.settle()
    studio.painter.retire(1, ANA, None)
    studio.telegram.release("sendMessage")
    await studio.clock.advance(5)

    assert [call.method for call in studio.telegram.calls] == ["sendMessage", "editMessageReplyMarkup"]
    assert int(studio.telegram.calls[1].fields["message_id"]) == studio.shelf.messages[1][0]


async def test_what_other_boards_tell_is_painted_calmly_and_never_sent_anew(studio: Studio) -> None:
    stored = {1: picture(version=1, chat_id=GROUP), 2: picture(board=2, chat_id=GROUP, message_id=None)}

    async def repaint(board: int) -> Picture | None:
        return stored[board]

    studio.painter.load(repaint)
    for version in range(1, 4):
        stored[1] = picture(version=version, chat_id=GROUP)
        await studio.painter.repaint((1, 2), calmly=True)
        await studio.clock.advance(3)
    assert studio.telegram.texts == ["board 1, 1"]
    await studio.clock.advance(60)
    assert studio.telegram.texts == ["board 1, 1", "board 1, 3"]


@pytest.mark.parametrize("answer", [EDIT_NOT_FOUND, NOT_MODIFIED], ids=["message gone", "no keys there"])
async def test_keys_that_are_off_already_count_as_taken(studio: Studio, answer: Answer) -> None:
    studio.telegram.script("editMessageReplyMarkup", answer)
    studio.painter.strip(9, ANA, 7)
    await studio.clock.advance(2)
    assert studio.shelf.taken == [9]


# Messages that become a board's while something else is about to change them


@pytest.mark.parametrize("change", ["strip", "take_keys_off", "edit"])
async def test_a_message_that_a_board_came_back_to_keeps_its_keys(studio: Studio, change: str) -> None:
    """Taking keys off, and turning a page, wait for their turn; by then a board may stand there."""
    studio.painter.show(picture(board=2, chat_id=GROUP))
    await studio.clock.settle()
    match change:
        case "strip":
            studio.painter.strip(1, GROUP, 7)
        case "take_keys_off":
            studio.painter.aside(studio.painter.take_keys_off(GROUP, 7))
        case _:
            studio.painter.aside(studio.painter.edit(GROUP, 7, View(text="page")))
    await studio.clock.settle()
    studio.shelf.living.add((GROUP, 7))
    await studio.clock.advance(120)
    assert [call.text for call in studio.telegram.calls] == ["board 2, 1"]


async def test_a_message_is_left_alone_while_nobody_can_tell_what_stands_in_it(studio: Studio) -> None:
    studio.shelf.damaged = True
    studio.painter.strip(1, GROUP, 7)
    await studio.clock.advance(120)
    assert studio.telegram.calls == []
    assert studio.shelf.taken == []


async def test_message_numbers_of_a_group_name_nothing_in_its_supergroup(studio: Studio) -> None:
    await studio.painter.chat_moved(GROUP, NEW_GROUP)
    studio.painter.strip(1, GROUP, 7)
    studio.painter.aside(studio.painter.take_keys_off(GROUP, 8))
    studio.painter.aside(studio.painter.edit(GROUP, 9, View(text="page")))
    studio.painter.aside(studio.painter.react(GROUP, 10, "👌"))
    studio.painter.aside(studio.painter.send(GROUP, View(text="words"), reply_to=11))
    await studio.clock.advance(120)
    assert [(call.method, call.chat) for call in studio.telegram.calls] == [("sendMessage", NEW_GROUP)]
    assert "reply_parameters" not in studio.telegram.calls[0].fields
    assert studio.shelf.taken == [1]  # nothing of that is left to be done


@pytest.mark.parametrize("first, then", [("editMessageReplyMarkup", "editMessageText"), ("editMessageText", None)])
async def test_of_two_calls_for_one_message_the_second_cannot_overtake_the_first(
    studio: Studio, first: str, then: str | None
) -> None:
    """Telegram keeps no order between two calls that are under way."""
    painter = studio.painter
    studio.telegram.hold(first)
    if then is None:
        painter.show(picture(chat_id=GROUP, message_id=7))
        await studio.clock.settle()
        painter.strip(2, GROUP, 7)
    else:
        painter.strip(2, GROUP, 7)
        await studio.clock.settle()
        painter.show(picture(chat_id=GROUP, message_id=7))
    await studio.clock.advance(5)
    assert [call.method for call in studio.telegram.calls] == [first]
    studio.telegram.release(first)
    await studio.clock.advance(5)
    assert [call.method for call in studio.telegram.calls] == [first, then or "editMessageReplyMarkup"]


@pytest.mark.parametrize("change", ["take_keys_off", "edit"])
async def test_what_took_the_place_of_a_picture_is_painted_over_by_an_equal_one(studio: Studio, change: str) -> None:
    """A board left its message and came back before it stood anywhere else; the message shows something else by now."""
    studio.painter.show(picture(version=1, text="same"))
    await studio.clock.advance(5)
    if change == "edit":
        await studio.painter.edit(ANA, MESSAGE + 1, View(text="elsewhere"))
    else:
        await studio.painter.take_keys_off(ANA, MESSAGE + 1)
    studio.painter.show(picture(version=2, text="same"))
    await studio.clock.advance(5)
    assert [call.text for call in studio.telegram.calls[::2]] == ["same", "same"]


async def test_a_message_that_arrives_after_its_board_has_left_the_chat_loses_its_keys(studio: Studio) -> None:
    studio.telegram.hold("sendMessage")
    studio.painter.show(picture(chat_id=GROUP, message_id=None))
    await studio.clock.settle()
    studio.shelf.elsewhere = GROUP
    studio.telegram.release("sendMessage")
    await studio.clock.advance(5)
    assert [call.method for call in studio.telegram.calls] == ["sendMessage", "editMessageReplyMarkup"]
    assert studio.shelf.messages == {}

    studio.shelf.elsewhere = 0  # the board comes back, to a message that the store will know of
    studio.painter.show(picture(version=2, chat_id=GROUP, message_id=None))
    await studio.clock.advance(5)
    assert studio.telegram.calls[-1].method == "sendMessage"
    assert studio.shelf.messages[1][1] == 2


async def test_a_board_moves_to_the_private_chat(studio: Studio) -> None:
    studio.telegram.hold("editMessageText")
    studio.painter.show(picture(version=1, chat_id=GROUP))
    await studio.clock.settle()
    studio.painter.show(picture(version=2, chat_id=GROUP))
    studio.painter.show(picture(version=3, chat_id=ANA, message_id=None))
    studio.telegram.release("editMessageText")
    await studio.clock.advance(5)
    assert [(call.method, call.chat, call.text) for call in studio.telegram.calls] == [
        ("editMessageText", GROUP, "board 1, 1"),
        ("sendMessage", ANA, "board 1, 3"),
    ]


async def test_the_id_of_a_sent_message_survives_a_full_disk(studio: Studio) -> None:
    studio.shelf.troubles = 2
    studio.painter.show(picture(version=1, message_id=None))
    await studio.clock.advance(10)
    assert studio.shelf.messages[1][1] == 1
    assert len(studio.telegram.calls) == 1


async def test_painted_marks_are_written_lazily_and_together(studio: Studio) -> None:
    for board in range(1, 31):
        studio.painter.show(picture(board=board, chat_id=ANA + board))
    await studio.clock.advance(0.5)
    assert studio.shelf.marks == 0
    await studio.clock.advance(1)
    assert studio.shelf.marks == 1
    assert studio.shelf.versions == dict.fromkeys(range(1, 31), 1)


# Errors, one by one


def error_of(answer: Answer) -> TelegramError:
    """What PTB raises for an answer."""
    if isinstance(answer, TelegramError):
        return answer

    async def ask() -> None:
        telegram = ScriptedTelegram()
        telegram.script("sendMessage", answer)
        await bot(telegram).send_message(ANA, "x")

    with pytest.raises(TelegramError) as raised:
        asyncio.run(ask())
    return raised.value


OUTCOMES = [
    (NOT_MODIFIED, Outcome.DONE),
    (TOO_OLD, Outcome.DONE),
    (refusal(400, "Bad Request: message to delete not found"), Outcome.DONE),
    (refusal(400, "Bad Request: message can't be deleted for everyone"), Outcome.DONE),
    (refusal(400, "Bad Request: REACTION_INVALID"), Outcome.DONE),
    (EDIT_NOT_FOUND, Outcome.GONE),
    (refusal(400, "Bad Request: message can't be edited"), Outcome.GONE),
    (refusal(400, "Bad Request: MESSAGE_ID_INVALID"), Outcome.GONE),
    (refusal(400, "Bad Request: there is no text in the message to edit"), Outcome.GONE),
    (refusal(400, "Bad Request: chat not found"), Outcome.LOST),
    (refusal(400, "Bad Request: not enough rights to send text messages to the chat"), Outcome.LOST),
    (refusal(400, "Bad Request: CHAT_WRITE_FORBIDDEN"), Outcome.LOST),
    (refusal(400, "Bad Request: CHAT_RESTRICTED"), Outcome.LOST),
    (refusal(400, "Bad Request: CHAT_ADMIN_REQUIRED"), Outcome.LOST),
    (refusal(400, "Bad Request: have no write access to the chat"), Outcome.LOST),
    (refusal(400, "Bad Request: need administrator rights in the channel chat"), Outcome.LOST),
    (refusal(400, "Bad Request: TOPIC_CLOSED"), Outcome.LOST),
    (refusal(400, "Bad Request: TOPIC_DELETED"), Outcome.LOST),
    (refusal(400, "Bad Request: message thread not found"), Outcome.LOST),
    (refusal(400, "Bad Request: PEER_ID_INVALID"), Outcome.LOST),
    (BLOCKED, Outcome.LOST),
    (refusal(403, "Forbidden: user is deactivated"), Outcome.LOST),
    (refusal(403, "Forbidden: bot can't initiate conversation with a user"), Outcome.LOST),
    (refusal(403, "Forbidden: bot was kicked from the supergroup chat"), Outcome.LOST),
    (refusal(403, "Forbidden: bot is not a member of the supergroup chat"), Outcome.LOST),
    (refusal(403, "Forbidden: the group chat was deleted"), Outcome.LOST),
    (
        refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to_chat_id=NEW_GROUP),
        Outcome.MOVED,
    ),
    (FLOOD, Outcome.WAIT),
    (refusal(400, "Bad Request: BUTTON_DATA_INVALID"), Outcome.REFUSED),
    (
        refusal(400, "Bad Request: can't parse entities: Can't find end tag corresponding to start tag \"b\""),
        Outcome.REFUSED,
    ),
    (refusal(400, "Bad Request: message is too long"), Outcome.REFUSED),
    (refusal(401, "Unauthorized"), Outcome.REFUSED),
    (refusal(404, "Not Found"), Outcome.REFUSED),
    (refusal(500, "Internal Server Error: restart"), Outcome.UNKNOWN),
    (refusal(502, "Bad Gateway"), Outcome.UNKNOWN),
    (refusal(413, "Request Entity Too Large"), Outcome.UNKNOWN),
    (refusal(429, "Too Many Requests"), Outcome.UNKNOWN),
    (TimedOut(), Outcome.UNKNOWN),
    (NetworkError("ServerDisconnectedError"), Outcome.UNKNOWN),
    (TelegramError("Invalid server response"), Outcome.UNKNOWN),
    (NotSent("ClientConnectorError"), Outcome.NOT_SENT),
]


@pytest.mark.parametrize(
    "answer, outcome",
    [pytest.param(a, o, id=a[1]["description"][:60] if isinstance(a, tuple) else repr(a)) for a, o in OUTCOMES],
)
def test_what_an_error_means(answer: Answer, outcome: Outcome) -> None:
    verdict = judge(error_of(answer))
    assert verdict.outcome is outcome
    assert verdict.seconds == (35 if outcome is Outcome.WAIT else 0)
    assert verdict.chat_id == (NEW_GROUP if outcome is Outcome.MOVED else 0)


async def test_f27_a_deleted_message_is_sent_anew_once(studio: Studio) -> None:
    studio.telegram.script("editMessageText", EDIT_NOT_FOUND)
    studio.painter.show(picture(version=5))
    await studio.clock.advance(5)
    assert [call.method for call in studio.telegram.calls] == ["editMessageText", "sendMessage"]
    fresh, version = studio.shelf.messages[1]
    assert version == 5
    studio.painter.show(picture(version=6))  # stored before the new id was
    await studio.clock.advance(5)
    assert studio.telegram.calls[-1].method == "editMessageText"
    assert int(studio.telegram.calls[-1].fields["message_id"]) == fresh


async def test_f12_who_blocked_the_bot_stops_nobody_else(studio: Studio) -> None:
    studio.telegram.script("sendMessage", BLOCKED)
    results = await asyncio.gather(*(studio.painter.send(chat, View(text="won")) for chat in (BO, ANA, ANA + 7)))
    assert results[0] is None
    assert None not in results[1:]
    await studio.clock.settle()
    assert studio.lost == [(BO, "Forbidden: bot was blocked by the user")]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(
            refusal(400, "Bad Request: not enough rights to send text messages to the chat"), id="f10 no rights"
        ),
        pytest.param(refusal(400, "Bad Request: CHAT_RESTRICTED"), id="f10 restricted"),
        pytest.param(refusal(403, "Forbidden: bot was kicked from the supergroup chat"), id="f11 kicked"),
        pytest.param(refusal(400, "Bad Request: TOPIC_CLOSED"), id="f09 topic closed"),
    ],
)
async def test_f10_f11_a_lost_chat_is_left_alone_until_it_speaks(studio: Studio, answer: Answer) -> None:
    studio.telegram.script("editMessageText", answer)
    studio.painter.show(picture(board=1, version=1, chat_id=GROUP))
    studio.painter.show(picture(board=2, version=1, chat_id=GROUP))
    await studio.clock.advance(30)
    studio.painter.show(picture(board=1, version=2, chat_id=GROUP))
    assert await studio.painter.send(GROUP, View(text="help")) is None
    await studio.clock.advance(300)
    assert len(studio.telegram.calls) == 1
    assert [chat for chat, _ in studio.lost] == [GROUP]
    studio.painter.chat_spoke(GROUP)
    studio.painter.show(picture(board=1, version=3, chat_id=GROUP))
    await studio.clock.advance(5)
    assert studio.telegram.texts[-1] == "board 1, 3"


async def test_a_migrated_group_gets_its_board_in_the_supergroup(studio: Studio) -> None:
    moved = refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to_chat_id=NEW_GROUP)
    studio.telegram.script("editMessageText", moved)
    studio.painter.show(picture(board=1, chat_id=-77))
    studio.painter.show(picture(board=2, chat_id=-77))
    await studio.clock.advance(5)
    assert studio.migrated == [(-77, NEW_GROUP)]
    assert [(call.method, call.chat) for call in studio.telegram.calls] == [
        ("editMessageText", -77),
        ("sendMessage", NEW_GROUP),
        ("sendMessage", NEW_GROUP),
    ]
    studio.painter.show(picture(board=1, version=2, chat_id=-77))  # made before the move was stored
    await studio.clock.advance(5)
    assert studio.telegram.calls[-1].chat == NEW_GROUP


async def test_the_service_message_of_a_migration_moves_what_waits(studio: Studio) -> None:
    studio.painter.show(picture(board=1, chat_id=-77))
    await studio.clock.settle()
    studio.painter.show(picture(board=2, chat_id=-77))
    await studio.painter.chat_moved(-77, NEW_GROUP)
    await studio.clock.advance(5)
    assert [call.chat for call in studio.telegram.calls] == [-77, NEW_GROUP]
    assert studio.migrated == []


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(TimedOut(), id="timeout"),
        pytest.param(refusal(502, "Bad Gateway"), id="bad gateway"),
        pytest.param(TelegramError("Invalid server response"), id="garbage"),
    ],
)
async def test_an_unknown_edit_is_tried_again(studio: Studio, answer: Answer) -> None:
    studio.telegram.script("editMessageText", answer, answer)
    studio.painter.show(picture())
    await studio.clock.advance(0.5)
    assert len(studio.telegram.calls) == 1
    await studio.clock.advance(60)
    assert [call.at for call in studio.telegram.calls] == pytest.approx([0.0, 1.0, 3.0], abs=0.1)
    assert studio.shelf.versions == {1: 1}


async def test_an_edit_is_not_tried_for_ever(studio: Studio) -> None:
    studio.telegram.always("editMessageText", TimedOut())
    studio.painter.show(picture())
    await studio.clock.advance(3600)
    assert len(studio.telegram.calls) == 9
    studio.telegram.always("editMessageText", None)
    studio.painter.show(picture(version=2))
    await studio.clock.advance(5)
    assert studio.shelf.versions == {1: 2}


async def test_an_unknown_send_is_not_repeated_until_the_person_acts(studio: Studio) -> None:
    studio.telegram.script("sendMessage", TimedOut())
    studio.painter.show(picture(message_id=None))
    await studio.clock.advance(600)
    assert len(studio.telegram.calls) == 1
    assert studio.shelf.messages == {}
    studio.painter.show(picture(version=2, message_id=None))
    await studio.clock.advance(5)
    assert len(studio.telegram.of("sendMessage")) == 2
    assert studio.shelf.messages[1][1] == 2


async def test_a_send_without_a_connection_is_tried_again(studio: Studio) -> None:
    studio.telegram.script("sendMessage", NotSent("ClientConnectorError"))
    studio.painter.show(picture(message_id=None))
    await studio.clock.advance(5)
    assert len(studio.telegram.of("sendMessage")) == 2
    assert studio.shelf.messages[1][1] == 1


async def test_a_send_after_429_was_not_executed_and_goes_out_later(studio: Studio) -> None:
    studio.telegram.script("sendMessage", FLOOD)
    studio.painter.show(picture(message_id=None))
    await studio.clock.advance(34)
    assert len(studio.telegram.calls) == 1
    await studio.clock.advance(2)
    assert len(studio.telegram.calls) == 2
    assert 1 in studio.shelf.messages


async def test_a_refused_picture_is_given_up(studio: Studio) -> None:
    studio.telegram.always("editMessageText", refusal(400, "Bad Request: BUTTON_DATA_INVALID"))
    studio.painter.show(picture())
    await studio.clock.advance(600)
    assert len(studio.telegram.calls) == 1
    assert studio.count("failed") == 1


async def test_a_picture_that_cannot_be_made_stops_nothing(studio: Studio) -> None:
    broken = Picture(board=1, version=1, view=View(text="x", keys=((Key("Deal", Tap(verb=Verb.DEAL)),),)), chat_id=ANA)
    studio.painter.show(broken)
    studio.painter.show(picture(board=2))
    await studio.clock.advance(5)
    assert studio.telegram.texts == ["board 2, 1"]
    studio.painter.show(picture(board=1, version=2))
    await studio.clock.advance(5)
    assert studio.telegram.texts[-1] == "board 1, 2"


async def test_a_migration_that_cannot_be_stored_is_tried_again() -> None:
    troubles = [StorageUnavailable(Reason.LOCKED), StorageUnavailable(Reason.LOCKED)]
    stored: list[int] = []

    async def on_migrated(_: int, new: int) -> None:
        if troubles:
            raise troubles.pop()
        stored.append(new)

    clock = TurnedClock()
    telegram = ScriptedTelegram(clock)
    painter = Painter(bot(telegram), clock, Shelf(), Metrics(), on_migrated=on_migrated)
    moved = refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to_chat_id=NEW_GROUP)
    telegram.always("editMessageText", moved)
    painter.show(picture(chat_id=-77))
    await clock.advance(20)
    assert stored == [NEW_GROUP]
    assert telegram.calls[-1].method == "sendMessage"
    await painter.close()


# Budgets


async def test_private_chats_have_a_small_burst_then_one_a_second(studio: Studio) -> None:
    for board in range(1, 8):
        studio.painter.show(picture(board=board))
    await studio.clock.advance(10)
    assert [call.at for call in studio.telegram.calls] == pytest.approx([0, 0, 0, 1, 2, 3, 4], abs=0.02)


async def test_f37_thirty_bets_in_a_group_are_a_few_pictures(studio: Studio) -> None:
    """Six players, five chips each within 20 seconds."""
    for moment in range(30):
        player = moment % 6 + 1
        studio.painter.show(picture(board=player, version=moment + 1, chat_id=GROUP, urgency=Urgency.BETTING))
        await studio.clock.advance(20 / 30)
    await studio.clock.advance(60)
    assert len(studio.telegram.calls) <= 22
    last = {int(text.split()[1].strip(",")): text for text in studio.telegram.texts}
    assert last == {player: f"board {player}, {24 + player}" for player in range(1, 7)}  # the newest of each


async def test_f37_retry_after_is_obeyed_by_that_chat(studio: Studio) -> None:
    studio.telegram.script("editMessageText", FLOOD)
    for version in range(1, 20):
        studio.painter.show(picture(version=version, chat_id=GROUP))
        await studio.clock.advance(1)
    assert len(studio.telegram.calls) == 1
    await studio.clock.advance(20)
    assert studio.telegram.texts[-1] == "board 1, 19"
    assert studio.telegram.calls[-1].at >= 35


async def test_f38_one_flooded_group_slows_nobody_else(studio: Studio) -> None:
    studio.telegram.script("editMessageText", FLOOD)
    studio.painter.show(picture(chat_id=GROUP))
    await studio.clock.settle()
    studio.painter.show(picture(board=2, chat_id=ANA))
    await studio.painter.answer("q1", "Ante 25")
    await studio.clock.settle()
    assert studio.telegram.texts == ["board 1, 1", "board 2, 1"]
    assert len(studio.telegram.of("answerCallbackQuery")) == 1


async def test_f38_a_held_edit_delays_no_answer(studio: Studio) -> None:
    studio.telegram.hold("editMessageText")
    for board in range(1, 40):
        studio.painter.show(picture(board=board, chat_id=GROUP))
    await studio.clock.settle()
    await studio.painter.answer("q1", "Ante 25")
    assert len(studio.telegram.of("answerCallbackQuery")) == 1
    studio.telegram.release("editMessageText")


async def test_four_of_twenty_stay_free_for_new_boards(studio: Studio) -> None:
    for board in range(1, 31):
        studio.painter.show(picture(board=board, chat_id=GROUP))
    await studio.clock.advance(20)
    assert len(studio.telegram.calls) == 16
    for board in range(101, 107):
        studio.painter.show(picture(board=board, chat_id=GROUP, message_id=None, urgency=Urgency.BETTING))
    await studio.clock.advance(20)
    assert len(studio.telegram.of("sendMessage")) == 4
    await studio.clock.advance(180)
    assert len(studio.telegram.calls) == 36


async def test_order_in_a_group_is_by_urgency_then_by_age(studio: Studio) -> None:
    studio.painter.show(picture(board=9, chat_id=GROUP))
    await studio.clock.settle()
    for board, urgency in (
        (1, Urgency.CALM),
        (2, Urgency.BETTING),
        (3, Urgency.STAGE),
        (4, Urgency.DEALT),
        (5, Urgency.DEALT),
    ):
        studio.painter.show(picture(board=board, chat_id=GROUP, urgency=urgency))
        await studio.clock.advance(0.01)
    studio.painter.show(picture(board=6, chat_id=GROUP, message_id=None, urgency=Urgency.BETTING))
    await studio.clock.advance(20)
    assert [int(text.split()[1].strip(",")) for text in studio.telegram.texts] == [9, 4, 5, 3, 6, 2, 1]


async def test_a_newer_picture_keeps_the_place_in_the_line(studio: Studio) -> None:
    for board, version in ((9, 1), (1, 1), (2, 1), (1, 2)):
        studio.painter.show(picture(board=board, version=version, chat_id=GROUP))
        await studio.clock.advance(0.1)
    await studio.clock.advance(10)
    assert studio.telegram.texts == ["board 9, 1", "board 1, 2", "board 2, 1"]


async def test_who_repaints_much_does_not_overtake_who_waits_longer(studio: Studio) -> None:
    studio.painter.show(picture(board=1, chat_id=GROUP))
    studio.painter.show(picture(board=2, chat_id=GROUP))
    studio.painter.show(picture(board=3, chat_id=GROUP))
    await studio.clock.settle()
    studio.painter.show(picture(board=1, version=2, chat_id=GROUP))
    await studio.clock.advance(10)
    assert studio.telegram.texts == ["board 1, 1", "board 2, 1", "board 3, 1", "board 1, 2"]


@pytest.mark.parametrize(
    "chat_id, urgency, gap",
    [
        pytest.param(GROUP, Urgency.BETTING, 3, id="BOARDS 2: betting in a group, one in three seconds"),
        pytest.param(GROUP, Urgency.CALM, 60, id="BOARDS 2: standings, one a minute"),
        pytest.param(GROUP, Urgency.DEALT, 1, id="dealt boards as the budget allows"),
    ],
)
async def test_gap_between_two_pictures_of_one_board(
    studio: Studio, chat_id: int, urgency: Urgency, gap: float
) -> None:
    for version in range(1, 130):
        studio.painter.show(picture(version=version, chat_id=chat_id, urgency=urgency))
        await studio.clock.advance(0.5)
    moments = [call.at for call in studio.telegram.calls]
    assert len(moments) > 1
    assert min(b - a for a, b in pairwise(moments)) >= gap - 0.002


async def test_betting_turned_dealt_does_not_wait(studio: Studio) -> None:
    studio.painter.show(picture(version=1, chat_id=GROUP, urgency=Urgency.BETTING))
    await studio.clock.settle()
    studio.painter.show(picture(version=2, chat_id=GROUP, urgency=Urgency.BETTING))
    studio.painter.show(picture(version=3, chat_id=GROUP, urgency=Urgency.DEALT))
    await studio.clock.advance(1.1)
    assert studio.telegram.texts == ["board 1, 1", "board 1, 3"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 5), st.booleans()), min_size=1, max_size=120),
    st.booleans(),
)
def test_a_budget_is_never_overdrawn(steps: list[tuple[float, bool]], group: bool) -> None:
    limits = Limits()
    budget = Budget(limits, group=group)
    now = 1_000.0
    spent: list[float] = []
    for wait, new in steps:
        now = budget.ready_at(now + wait, new=new)
        budget.spend(now)
        spent.append(now)
    burst = limits.group_burst if group else limits.burst
    for first, last in zip(spent, spent[burst:], strict=False):
        assert last - first >= limits.gap - 1e-6
    if group:
        for first, last in zip(spent, spent[limits.group_minute :], strict=False):
            assert last - first >= 60 - 1e-6


async def test_a_wall_clock_set_back_stops_no_chat(studio: Studio) -> None:
    studio.painter.show(picture(version=1))
    await studio.clock.advance(1)
    studio.clock.set_back(3600)
    studio.painter.show(picture(version=2))
    await studio.clock.advance(2)
    assert studio.telegram.texts == ["board 1, 1", "board 1, 2"]


async def test_quiet_chats_are_forgotten() -> None:
    studio = studio_of()
    for board in range(1, 2000):
        studio.painter.show(picture(board=board, chat_id=ANA + board))
        await asyncio.sleep(0)
        await studio.clock.advance(5) if board % 200 == 0 else None
    await studio.clock.advance(5)
    assert len(studio.painter._lanes._lanes) < 1000
    assert len(studio.telegram.calls) == 1999
    await studio.painter.close()


# Answers


async def test_f24_a_query_that_is_too_old_hurts_nobody(studio: Studio) -> None:
    studio.telegram.script("answerCallbackQuery", TOO_OLD)
    await studio.painter.answer("q1", "dealt")
    studio.painter.show(picture())
    await studio.clock.settle()
    assert studio.telegram.texts == ["board 1, 1"]


async def test_f25_a_tap_is_answered_once(studio: Studio) -> None:
    await asyncio.gather(studio.painter.answer("q1", "one"), studio.painter.answer("q1", "two"))
    await studio.painter.answer("q1", "three")
    assert [call.text for call in studio.telegram.of("answerCallbackQuery")] == ["one"]


@pytest.mark.parametrize("error", [TimedOut(), FLOOD, refusal(500, "Internal Server Error"), BLOCKED])
async def test_an_answer_never_raises(studio: Studio, error: Answer) -> None:
    studio.telegram.script("answerCallbackQuery", error)
    await studio.painter.answer("q1", "x", alert=True)


async def test_answers_and_pictures_are_timed_from_the_tap(studio: Studio) -> None:
    UNDERWAY.set(Underway(update_id=1, arrived=studio.clock.now().timestamp()))
    studio.painter.show(picture())
    await studio.painter.answer("q1")
    await studio.clock.settle()
    for name in ("answer", "picture"):
        assert studio.metrics.registry.get_sample_value(f"q64_tap_to_{name}_seconds_count") == 1


FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.parametrize(
    "text, kept",
    [
        pytest.param("x" * 200, "x" * 200, id="f26 just fits"),
        pytest.param("x" * 201, "x" * 199 + "…", id="f26 one too many"),
        pytest.param("x" * 197 + FAMILY, "x" * 197 + "…", id="f26 a family is not torn apart"),
        pytest.param("x" * 198 + "e\u0301" * 3, "x" * 198 + "…", id="f26 an accent stays on its letter"),
        pytest.param("x" * 198 + "♥️" * 3, "x" * 198 + "…", id="f26 a suit keeps its selector"),
        pytest.param(
            "x" * 190 + "\u2068" + "y" * 30, "x" * 190 + "\u2068" + "y" * 7 + "…\u2069", id="f26 an isolate is closed"
        ),
    ],
)
def test_f26_answers_fit(text: str, kept: str) -> None:
    assert clipped(text) == kept


@given(st.text(max_size=400))
def test_f26_any_text_fits(text: str) -> None:
    assert len(clipped(text)) <= 200


# One-off calls


async def test_send_edit_react_document_photo(studio: Studio) -> None:
    painter = studio.painter
    sent = await painter.send(ANA, View(text="help"), reply_to=7)
    await painter.edit(ANA, 7, View(text="month"))
    waiting = [
        asyncio.ensure_future(painter.react(ANA, 7, "👌")),
        asyncio.ensure_future(painter.document(ANA, "hand.json", b"{}", caption="proof")),
        asyncio.ensure_future(painter.photo(BO, b"png", caption="night")),
    ]
    await studio.clock.advance(10)
    await asyncio.gather(*waiting)
    assert sent is not None
    assert [call.method for call in studio.telegram.calls] == [
        "sendMessage",
        "editMessageText",
        "setMessageReaction",
        "sendPhoto",
        "sendDocument",
    ]
    assert orjson.loads(studio.telegram.calls[0].fields["reply_parameters"]) == {
        "message_id": 7,
        "allow_sending_without_reply": True,
    }


async def test_of_several_waiting_changes_of_a_message_the_last_is_made(studio: Studio) -> None:
    studio.painter.show(picture(board=5, chat_id=GROUP))
    await studio.clock.settle()
    pages = [asyncio.ensure_future(studio.painter.edit(GROUP, 7, View(text=f"page {page}"))) for page in (1, 2, 3)]
    await studio.clock.advance(5)
    await asyncio.gather(*pages)
    assert studio.telegram.texts == ["board 5, 1", "page 3"]


async def test_an_unknown_one_off_send_is_not_repeated(studio: Studio) -> None:
    studio.telegram.script("sendMessage", TimedOut())
    assert await studio.painter.send(ANA, View(text="help")) is None
    await studio.clock.advance(100)
    assert len(studio.telegram.calls) == 1


# Repainting, the end


async def test_repaint_shows_what_is_stored_and_survives_a_broken_board(studio: Studio) -> None:
    async def load(board: int) -> Picture | None:
        if board == 2:
            raise ValueError(board)
        return picture(board=board) if board != 3 else None

    studio.painter.load(load)
    await studio.painter.repaint([1, 2, 3, 4])
    await studio.clock.advance(3)
    assert studio.telegram.texts == ["board 1, 1", "board 4, 1"]


async def test_after_a_start_boards_come_in_portions(studio: Studio) -> None:
    async def load(board: int) -> Picture | None:
        return picture(board=board, chat_id=ANA + board)

    studio.painter.load(load)
    studio.painter.aside(studio.painter.repaint(range(100)))
    await studio.clock.settle()
    assert 20 < len(studio.telegram.calls) < 30
    await studio.clock.advance(5)
    assert len(studio.telegram.calls) == 100


async def test_what_is_dropped_before_it_began_is_no_complaint(studio: Studio) -> None:
    studio.painter.aside(studio.painter.send(ANA, View(text="words")))
    await studio.painter.close()
    gc.collect()  # "never awaited" would be said here
    assert studio.telegram.calls == []


async def test_rest_waits_for_everything(studio: Studio) -> None:
    for board in range(1, 8):
        studio.painter.show(picture(board=board))
    resting = asyncio.ensure_future(studio.painter.rest())
    await studio.clock.settle()
    assert not resting.done()
    await studio.clock.advance(10)
    assert resting.done()
    assert studio.shelf.versions == dict.fromkeys(range(1, 8), 1)


@given(
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, 1, 2]),
)
def test_a_dead_message_is_never_edited(
    known: int | None, gone: int | None, named: int | None, old: int | None
) -> None:
    state = BoardState()
    state.show(picture(message_id=None), known or 3, Content("x", ""), 0.0)
    state.message_id = known
    if gone is not None:
        state.lose(gone)
    target = state.target(picture(message_id=named, old_message_id=old))
    assert target is None or target != gone or gone is None
