"""Each refusal of the Bot API, in its words, one line of the table per rule (Bot API, section 5 of its error texts)."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.playground import People, World
from bot.playground.calls import Call, Upload
from bot.playground.emulator import BotApi
from bot.playground.seed import ANN, BOB, DASHA, POKER_FRIENDS

Scene = Callable[["Stage"], dict[str, Any]]


class Stage:
    """A world with a clock that is turned by hand, and Ann's chat started."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0
        self.world = World(now=lambda: self.time)
        self.people = People(self.world)
        self.api = BotApi(self.world)
        self.people.start(ANN)

    async def call(self, method: str, uploads: dict[str, Upload] | None = None, **params: Any) -> dict[str, Any]:
        return await self.api.run(Call(method=method, params=params, uploads=uploads or {}))

    async def said(self, chat: int = ANN, **params: Any) -> int:
        answer = await self.call("sendMessage", chat_id=chat, **{"text": "hi", **params})
        assert answer["ok"], answer
        return int(answer["result"]["message_id"])


@pytest.fixture
def stage() -> Stage:
    return Stage()


def key(payload: str = "a") -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": "Play", "callback_data": payload}]]}


async def refused(stage: Stage, method: str, **params: Any) -> tuple[int, str]:
    answer = await stage.call(method, **params)
    assert not answer["ok"], answer
    return answer["error_code"], answer["description"]


@pytest.mark.parametrize(
    "method, params, description",
    [
        pytest.param("sendMessage", {"text": "a"}, "chat_id is empty", id="no chat"),
        pytest.param("sendMessage", {"chat_id": 5, "text": "a"}, "chat not found", id="unknown chat"),
        pytest.param("sendMessage", {"chat_id": "@nobody", "text": "a"}, "chat not found", id="unknown name"),
        pytest.param("sendMessage", {"chat_id": ANN}, "message text is empty", id="no text"),
        pytest.param("sendMessage", {"chat_id": ANN, "text": " \n "}, "text must be non-empty", id="only spaces"),
        pytest.param(
            "sendMessage",
            {"chat_id": ANN, "text": "<b></b>", "parse_mode": "HTML"},
            "text must be non-empty",
            id="tags",
        ),
        pytest.param("sendMessage", {"chat_id": ANN, "text": "x" * 4097}, "message is too long", id="F48 4097"),
        pytest.param("sendMessage", {"chat_id": ANN, "text": "é" * 16385}, "text is too long", id="raw bytes"),
        pytest.param(
            "sendMessage",
            {"chat_id": ANN, "text": "a", "parse_mode": "Wiki"},
            "unsupported parse_mode",
            id="parse mode",
        ),
        pytest.param(
            "sendMessage",
            {"chat_id": ANN, "text": "<b>", "parse_mode": "html"},
            "can't parse entities: Can't find end tag corresponding to start tag \"b\"",
            id="bad html",
        ),
        pytest.param(
            "sendMessage",
            {"chat_id": ANN, "text": "a", "reply_parameters": {"message_id": 99}},
            "message to be replied not found",
            id="reply to nothing",
        ),
        pytest.param(
            "sendMessage",
            {"chat_id": ANN, "text": "a", "reply_markup": "{"},
            "can't parse reply keyboard markup JSON object",
            id="markup is no JSON",
        ),
        pytest.param(
            "sendMessage",
            {"chat_id": ANN, "text": "a", "message_thread_id": 7},
            "message thread not found",
            id="no topics in a private chat",
        ),
        pytest.param(
            "sendMessage",
            {"chat_id": POKER_FRIENDS, "text": "a", "message_effect_id": "5046509860389126442"},
            "can't use message effects in the chat",
            id="effects are for private chats",
        ),
        pytest.param("sendDice", {"chat_id": ANN, "emoji": "🎴"}, "wrong dice emoji specified", id="no such dice"),
        pytest.param(
            "editMessageText", {"chat_id": ANN, "text": "a"}, "message identifier is not specified", id="no message id"
        ),
        pytest.param(
            "editMessageText",
            {"chat_id": ANN, "text": "a", "message_id": 99},
            "message to edit not found",
            id="F27 to edit not found",
        ),
        pytest.param(
            "editMessageText",
            {"chat_id": ANN, "text": "a", "message_id": 1},
            "message can't be edited",
            id="somebody else's",
        ),
        pytest.param(
            "editMessageText", {"inline_message_id": "A", "text": "a"}, "MESSAGE_ID_INVALID", id="F29 inline message"
        ),
        pytest.param(
            "deleteMessage", {"chat_id": ANN, "message_id": 99}, "message to delete not found", id="to delete not found"
        ),
        pytest.param(
            "deleteMessages", {"chat_id": ANN}, "message identifiers are not specified", id="nothing to delete"
        ),
        pytest.param(
            "answerCallbackQuery",
            {"callback_query_id": "1"},
            "query is too old and response timeout expired or query ID is invalid",
            id="bogus query",
        ),
        pytest.param(
            "answerCallbackQuery", {"callback_query_id": "1", "text": "x" * 201}, "MESSAGE_TOO_LONG", id="F26 201"
        ),
        pytest.param(
            "sendChatAction", {"chat_id": ANN, "action": "dealing"}, "wrong parameter action in request", id="action"
        ),
        pytest.param(
            "setMessageReaction",
            {"chat_id": ANN, "message_id": 1, "reaction": [{"type": "emoji", "emoji": "🂡"}]},
            "REACTION_INVALID",
            id="no such reaction",
        ),
        pytest.param("getFile", {"file_id": "x"}, "invalid file_id", id="unknown file"),
        pytest.param("sendPhoto", {"chat_id": ANN}, "there is no photo in the request", id="no photo"),
        pytest.param(
            "sendDocument",
            {"chat_id": ANN, "document": "nonsense"},
            "wrong file identifier/HTTP URL specified",
            id="unknown file id",
        ),
        pytest.param(
            "pinChatMessage",
            {"chat_id": POKER_FRIENDS, "message_id": 1},
            "not enough rights to manage pinned messages in the chat",
            id="W33 pinning needs a right",
        ),
        pytest.param("getChatMember", {"chat_id": POKER_FRIENDS, "user_id": 1087968824}, "user not found", id="F04"),
        pytest.param(
            "setMyCommands",
            {"commands": [{"command": "Deal", "description": "x"}]},
            "BOT_COMMAND_INVALID",
            id="capitals",
        ),
        pytest.param(
            "setMyCommands",
            {"commands": [{"command": "d" * 33, "description": "x"}]},
            "command length must not exceed 32",
            id="long command",
        ),
        pytest.param(
            "setMyCommands",
            {"commands": [{"command": "d", "description": " "}]},
            "command description must be non-empty",
            id="no description",
        ),
        pytest.param(
            "setMyCommands",
            {"commands": [{"command": "d", "description": "x" * 257}]},
            "command description length must not exceed 256",
            id="long description",
        ),
        pytest.param(
            "setMyCommands",
            {"commands": [], "language_code": "pt-br"},
            "invalid language code specified",
            id="F53 pt-br",
        ),
        pytest.param(
            "setMyCommands",
            {"commands": [], "scope": {"type": "everybody"}},
            "can't parse BotCommandScope: Unsupported type specified",
            id="no such scope",
        ),
        pytest.param("sendPoll", {"chat_id": ANN}, "method is not supported by the emulator", id="known, not played"),
    ],
)
async def test_a_bad_request_is_told_in_telegrams_words(
    stage: Stage, method: str, params: dict[str, Any], description: str
) -> None:
    assert await refused(stage, method, **params) == (400, f"Bad Request: {description}")


async def test_an_unknown_method_is_404_and_a_known_one_never(stage: Stage) -> None:
    assert await refused(stage, "dealCards") == (404, "Not Found: method not found")
    assert (await stage.call("GETME"))["ok"]


async def test_f23_the_same_text_entities_and_keyboard_is_not_modified(stage: Stage) -> None:
    number = await stage.said(text="<b>a</b>", parse_mode="HTML", reply_markup=key())
    same: dict[str, Any] = {
        "chat_id": ANN,
        "message_id": number,
        "text": " <b>a</b>",
        "parse_mode": "HTML",
        "reply_markup": key(),
    }
    code, words = await refused(stage, "editMessageText", **same)
    assert code == 400
    assert words == (
        "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as"
        " a current content and reply markup of the message"
    )
    assert (await stage.call("editMessageText", **{**same, "text": "a"}))["ok"], "other entities"
    bare: dict[str, Any] = {**same, "text": "a"}
    del bare["reply_markup"]
    assert "reply_markup" not in (await stage.call("editMessageText", **bare))["result"], "no keyboard takes it off"
    code, _ = await refused(stage, "editMessageReplyMarkup", chat_id=ANN, message_id=number)
    assert code == 400
    assert (await stage.call("editMessageReplyMarkup", chat_id=ANN, message_id=number, reply_markup=key()))["ok"]


async def test_f27_a_deleted_message_cannot_be_edited_or_deleted_again(stage: Stage) -> None:
    number = await stage.said()
    stage.people.delete_message(ANN, ANN, number)
    code, words = await refused(stage, "editMessageText", chat_id=ANN, message_id=number, text="b")
    assert (code, words) == (400, "Bad Request: message to edit not found")
    code, words = await refused(stage, "deleteMessage", chat_id=ANN, message_id=number)
    assert (code, words) == (400, "Bad Request: message to delete not found")


async def test_what_has_no_text_or_no_caption_cannot_get_one(stage: Stage) -> None:
    dice = (await stage.call("sendDice", chat_id=ANN))["result"]["message_id"]
    assert (await refused(stage, "editMessageText", chat_id=ANN, message_id=dice, text="a"))[1].endswith(
        "there is no text in the message to edit"
    )
    text = await stage.said()
    assert (await refused(stage, "editMessageCaption", chat_id=ANN, message_id=text, caption="a"))[1].endswith(
        "there is no caption in the message to edit"
    )


async def test_f24_a_tap_is_answered_once_and_within_fifteen_seconds(stage: Stage) -> None:
    number = await stage.said(reply_markup=key())
    words = "Bad Request: query is too old and response timeout expired or query ID is invalid"
    first = stage.people.tap(ANN, ANN, number, 0, 0)
    assert (await stage.call("answerCallbackQuery", callback_query_id=first))["ok"]
    assert await refused(stage, "answerCallbackQuery", callback_query_id=first) == (400, words)
    late = stage.people.tap(ANN, ANN, number, 0, 0)
    stage.time += 15.5
    assert await refused(stage, "answerCallbackQuery", callback_query_id=late) == (400, words)


async def test_a_tap_may_open_the_bot_and_nothing_else(stage: Stage) -> None:
    number = await stage.said(reply_markup=key())
    query = stage.people.tap(ANN, ANN, number, 0, 0)
    bad = await refused(stage, "answerCallbackQuery", callback_query_id=query, url="https://example.org")
    assert bad == (400, "Bad Request: URL_INVALID")
    good = "https://t.me/q64_local_bot?start=cards"
    assert (await stage.call("answerCallbackQuery", callback_query_id=query, url=good))["ok"]


async def test_f12_f14_who_blocked_left_or_never_started_is_not_reached(stage: Stage) -> None:
    assert await refused(stage, "sendMessage", chat_id=BOB, text="a") == (
        403,
        "Forbidden: bot can't initiate conversation with a user",
    )
    stranger = stage.people.add_person(first_name="Eve")
    assert await refused(stage, "sendMessage", chat_id=stranger, text="a") == (400, "Bad Request: chat not found")
    number = await stage.said()
    stage.people.block(ANN)
    blocked = (403, "Forbidden: bot was blocked by the user")
    assert await refused(stage, "sendMessage", chat_id=ANN, text="a") == blocked
    assert await refused(stage, "editMessageText", chat_id=ANN, message_id=number, text="b") == blocked
    stage.people.start(ANN)
    await stage.said()
    stage.people.add_person(id=ANN, gone=True)
    assert await refused(stage, "sendMessage", chat_id=ANN, text="a") == (403, "Forbidden: user is deactivated")


@pytest.mark.parametrize("kind", ["group", "supergroup"])
async def test_f11_a_bot_that_was_removed_is_told_how(stage: Stage, kind: str) -> None:
    chat = stage.people.group(ANN, type=kind)
    stage.people.kick_bot(ANN, chat)
    words = f"Forbidden: bot was kicked from the {kind} chat"
    assert await refused(stage, "sendMessage", chat_id=chat, text="a") == (403, words)
    stage.people.add_bot(ANN, chat)
    assert (await stage.call("leaveChat", chat_id=chat))["ok"]
    words = f"Forbidden: bot is not a member of the {kind} chat"
    assert await refused(stage, "getChat", chat_id=chat) == (403, words)
    never = stage.people.group(ANN, type=kind, bot=False)
    assert await refused(stage, "sendMessage", chat_id=never, text="a") == (400, "Bad Request: chat not found")
    stage.people.add_bot(ANN, chat)
    stage.people.remove_group(chat)
    assert await refused(stage, "sendMessage", chat_id=chat, text="a") == (403, "Forbidden: the group chat was deleted")


async def test_f10_a_muted_bot_and_a_read_only_group(stage: Stage) -> None:
    number = await stage.said(POKER_FRIENDS)
    stage.people.restrict(ANN, POKER_FRIENDS)
    words = "Bad Request: not enough rights to send text messages to the chat"
    assert await refused(stage, "sendMessage", chat_id=POKER_FRIENDS, text="a") == (400, words)
    assert (await stage.call("editMessageText", chat_id=POKER_FRIENDS, message_id=number, text="b"))["ok"]
    stage.people.demote(ANN, POKER_FRIENDS)
    await stage.said(POKER_FRIENDS)
    stage.people.permissions(POKER_FRIENDS, {"can_send_messages": False})
    assert await refused(stage, "sendMessage", chat_id=POKER_FRIENDS, text="a") == (400, words)
    stage.people.promote(ANN, POKER_FRIENDS)
    await stage.said(POKER_FRIENDS)


async def test_pictures_and_dice_have_rights_of_their_own(stage: Stage) -> None:
    stage.people.permissions(POKER_FRIENDS, {"can_send_photos": False, "can_send_other_messages": False})
    _, words = await refused(stage, "sendPhoto", chat_id=POKER_FRIENDS, photo="x")
    assert words == "Bad Request: not enough rights to send photos to the chat"
    _, words = await refused(stage, "sendDice", chat_id=POKER_FRIENDS)
    assert words == "Bad Request: not enough rights to send dice to the chat"
    await stage.said(POKER_FRIENDS)


async def test_a_channel_needs_an_administrator(stage: Stage) -> None:
    channel = stage.people.group(ANN, type="channel", title="News")
    words = "Bad Request: need administrator rights in the channel chat"
    assert await refused(stage, "sendMessage", chat_id=channel, text="a") == (400, words)
    stage.people.promote(ANN, channel)
    posted = (await stage.call("sendMessage", chat_id=channel, text="a"))["result"]
    assert "from" not in posted
    assert posted["sender_chat"]["id"] == channel
    assert (await stage.call("editMessageText", chat_id=channel, message_id=posted["message_id"], text="b"))["ok"]


async def test_f09_closed_and_deleted_topics_and_general_by_its_number(stage: Stage) -> None:
    forum = stage.people.group(ANN, is_forum=True)
    topic = stage.people.topic(ANN, forum, "create", name="Table")
    sent = (await stage.call("sendMessage", chat_id=forum, text="a", message_thread_id=topic))["result"]
    assert (sent["message_thread_id"], sent["is_topic_message"]) == (topic, True)
    assert await refused(stage, "sendMessage", chat_id=forum, text="a", message_thread_id=1) == (
        400,
        "Bad Request: message thread not found",
    )
    stage.people.topic(ANN, forum, "close", thread=topic)
    assert await refused(stage, "sendMessage", chat_id=forum, text="a", message_thread_id=topic) == (
        400,
        "Bad Request: TOPIC_CLOSED",
    )
    number = sent["message_id"]
    assert (await stage.call("editMessageText", chat_id=forum, message_id=number, text="b"))["ok"], "edits go on"
    stage.people.topic(ANN, forum, "delete", thread=topic)
    assert await refused(stage, "sendMessage", chat_id=forum, text="a", message_thread_id=topic) == (
        400,
        "Bad Request: message thread not found",
    )
    stage.people.topic(ANN, forum, "close")
    assert await refused(stage, "sendMessage", chat_id=forum, text="a") == (400, "Bad Request: TOPIC_CLOSED")


async def test_f01_a_group_that_moved_names_its_new_id(stage: Stage) -> None:
    old = stage.people.group(ANN, type="group", members=[BOB])
    number = await stage.said(old)
    new = stage.people.migrate(ANN, old)
    answer = await stage.call("sendMessage", chat_id=old, text="a")
    assert answer == {
        "ok": False,
        "error_code": 400,
        "description": "Bad Request: group chat was upgraded to a supergroup chat",
        "parameters": {"migrate_to_chat_id": new},
    }
    assert (await stage.call("sendMessage", chat_id=new, text="a"))["ok"]
    code, words = await refused(stage, "editMessageText", chat_id=new, message_id=number + 50, text="b")
    assert (code, words) == (400, "Bad Request: message to edit not found")
    kinds = [set(update["message"]) for update in stage.world.updates.batch(100)[-2:]]
    assert "migrate_to_chat_id" in kinds[0]
    assert "migrate_from_chat_id" in kinds[1]


async def test_deleting_what_others_wrote_needs_a_right_and_two_days(stage: Stage) -> None:
    theirs = stage.people.send(BOB, POKER_FRIENDS, "/deal")
    assert (await refused(stage, "deleteMessage", chat_id=POKER_FRIENDS, message_id=theirs))[0] == 400
    stage.people.promote(ANN, POKER_FRIENDS)
    assert (await stage.call("deleteMessage", chat_id=POKER_FRIENDS, message_id=theirs))["ok"]
    old = await stage.said()
    stage.time += 172_801
    assert await refused(stage, "deleteMessage", chat_id=ANN, message_id=old) == (
        400,
        "Bad Request: message can't be deleted for everyone",
    )
    new = await stage.said()
    assert (await stage.call("deleteMessages", chat_id=ANN, message_ids=[new, 999]))["ok"], "missing ones are skipped"
    assert stage.world.find(ANN, new) is None


async def test_pictures_must_be_pictures_and_files_not_empty(stage: Stage) -> None:
    for upload, words in (
        (Upload(name="a.png", mime="image/png", content=b"no"), "IMAGE_PROCESS_FAILED"),
        (Upload(name="a.png", mime="image/png", content=b""), "file must be non-empty"),
    ):
        answer = await stage.call("sendPhoto", uploads={"photo": upload}, chat_id=ANN)
        assert answer["description"] == f"Bad Request: {words}"
    answer = await stage.call("sendDocument", chat_id=ANN, caption="x" * 1025, document="x")
    assert answer["description"] == "Bad Request: message caption is too long"


async def test_f37_limits_can_be_switched_on_while_running(stage: Stage) -> None:
    for _ in range(40):
        await stage.said()
    stage.world.limited = True
    for _ in range(5):
        await stage.said()
    answer = await stage.call("sendMessage", chat_id=ANN, text="a")
    assert answer["error_code"] == 429
    assert answer["description"] == "Too Many Requests: retry after 1"
    assert answer["parameters"] == {"retry_after": 1}
    stage.time += 1
    await stage.said()


async def test_f37_a_group_takes_twenty_sends_and_edits_a_minute(stage: Stage) -> None:
    stage.world.limited = True
    number = await stage.said(POKER_FRIENDS)
    for count in range(19):
        stage.time += 1
        answer = await stage.call("editMessageText", chat_id=POKER_FRIENDS, message_id=number, text=str(count))
        assert answer["ok"]
    stage.time += 1
    answer = await stage.call("editMessageText", chat_id=POKER_FRIENDS, message_id=number, text="over")
    assert answer["parameters"] == {"retry_after": 40}
    tap = stage.people.tap(DASHA, POKER_FRIENDS, number, payload="x")
    assert (await stage.call("answerCallbackQuery", callback_query_id=tap))["ok"], "answers are free"
    await stage.said(ANN)


async def test_a_reply_to_a_missing_message_may_be_allowed(stage: Stage) -> None:
    wish = {"message_id": 999, "allow_sending_without_reply": True}
    answer = await stage.call("sendMessage", chat_id=ANN, text="a", reply_parameters=wish)
    assert "reply_to_message" not in answer["result"]
