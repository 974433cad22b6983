"""Updates and answers on their way: polling, webhook, memory, faults, events. python-telegram-bot reads every shape."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllGroupChats,
    BotCommandScopeChat,
    CopyTextButton,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputFile,
    Message,
    ReplyParameters,
    Update,
)
from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden, InvalidToken, TelegramError, TimedOut
from telegram.request import HTTPXRequest

from bot.playground import ClientError, Running, World, forget, serve
from bot.playground.seed import ANN, BOB, DASHA, POKER_FRIENDS

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
    b"\x00\x00\x00\rIDATx\x9cc\xf8\xff\xff?\x00\x05\xfe\x02\xfe\xa75\x81\x84\x00\x00\x00\x00IEND\xaeB`\x82"
)


class Time:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def live(time: Time) -> AsyncIterator[Running]:
    async with await serve(World(now=lambda: time.now, sleep=time.sleep)) as running:
        yield running


@pytest.fixture
async def bot(live: Running) -> AsyncIterator[Bot]:
    polls = HTTPXRequest(connection_pool_size=4)
    bot = Bot(live.world.token, live.base_url, live.base_file_url, get_updates_request=polls)
    async with bot:
        yield bot


KEYS = InlineKeyboardMarkup(
    [[InlineKeyboardButton("Play", callback_data="play"), InlineKeyboardButton("Fold", callback_data="fold")]]
)
TOO_LONG = InlineKeyboardButton("a", callback_data="x" * 65)


async def drain(bot: Bot, *kinds: str) -> list[Update]:
    updates = await bot.get_updates(allowed_updates=list(kinds) or None)
    if updates:
        await bot.get_updates(offset=updates[-1].update_id + 1)
    return list(updates)


async def until_it_waits(live: Running) -> None:
    while live.world.updates._poller is None:  # noqa: ASYNC110 (the emulator tells nobody that a poll waits)
        await asyncio.sleep(0.001)


# Polling


async def test_updates_stay_until_a_later_one_is_asked_for(live: Running, bot: Bot) -> None:
    live.people.start(ANN, "abc")
    live.people.send(ANN, ANN, "hint")
    first = await bot.get_updates(limit=1)
    assert [update.message.text for update in first if update.message] == ["/start abc"]
    assert await bot.get_updates(limit=1) == first, "not acknowledged yet"
    rest = await bot.get_updates(offset=first[0].update_id + 1)
    assert [update.message.text for update in rest if update.message] == ["hint"]
    assert await bot.get_updates(offset=rest[0].update_id + 1) == ()


async def test_a_negative_offset_forgets_all_but_the_last(live: Running, bot: Bot) -> None:
    for text in ("a", "b", "c"):
        live.people.send(ANN, ANN, text)
    last = await bot.get_updates(offset=-1)
    assert [update.message.text for update in last if update.message] == ["c"]
    assert len(await bot.get_updates()) == 1


async def test_a_long_poll_wakes_when_something_comes(live: Running, bot: Bot) -> None:
    poll = asyncio.create_task(bot.get_updates(timeout=30))
    await until_it_waits(live)
    live.people.start(ANN)
    assert len(await poll) == 1


async def test_f125_the_older_of_two_pollers_is_ended(live: Running, bot: Bot) -> None:
    older = asyncio.create_task(bot.get_updates(timeout=30))
    await until_it_waits(live)
    newer = asyncio.create_task(bot.get_updates(timeout=30))
    with pytest.raises(Conflict, match="terminated by other getUpdates request; make sure that only one"):
        await older
    live.people.start(ANN)
    assert len(await newer) == 1


async def test_f18_what_was_not_asked_for_does_not_come(live: Running, bot: Bot) -> None:
    live.people.promote(ANN, POKER_FRIENDS)
    live.people.leave(DASHA, POKER_FRIENDS)
    kinds = [next(iter(set(update.to_dict()) - {"update_id"})) for update in await drain(bot, "chat_member")]
    assert kinds == ["my_chat_member", "message"], "by default no chat_member"
    live.people.join(DASHA, POKER_FRIENDS)
    (update,) = await drain(bot)
    assert update.chat_member is not None, "the choice is remembered"
    assert update.chat_member.new_chat_member.status == "member"


async def test_f41_taps_expire_after_150_seconds_and_the_rest_after_a_day(live: Running, bot: Bot, time: Time) -> None:
    live.people.start(ANN)
    number = (await bot.send_message(ANN, "a", reply_markup=KEYS)).message_id
    live.people.tap(ANN, ANN, number, 0, 0)
    time.now += 149
    assert len(await bot.get_updates()) == 2
    time.now += 2
    assert len(await bot.get_updates()) == 1
    time.now += 86_400
    assert await bot.get_updates() == ()


# Shapes


async def test_a_tap_carries_its_message_and_a_deleted_one_only_its_place(live: Running, bot: Bot) -> None:
    live.people.start(ANN)
    sent = await bot.send_message(ANN, "a", reply_markup=KEYS)
    live.people.tap(ANN, ANN, sent.message_id, 0, 1)
    await bot.delete_message(ANN, sent.message_id)
    live.people.tap(ANN, ANN, sent.message_id, payload="hand-made " + "é" * 40)
    first, second = [update.callback_query for update in await drain(bot) if update.callback_query]
    assert isinstance(first.message, Message)
    assert (first.data, first.message.text, first.from_user.id) == ("fold", "a", ANN)
    assert first.message.reply_markup == KEYS
    assert second.message is not None
    assert not second.message.is_accessible
    assert second.data == "hand-made " + "é" * 40, "F33 a hand-made payload may be anything"
    assert first.chat_instance == second.chat_instance


async def test_f19_ids_are_wider_than_32_bits(live: Running, bot: Bot) -> None:
    me = await bot.get_me()
    assert me.id > 2**32
    assert all(who > 2**32 for who in live.world.people)
    assert POKER_FRIENDS < -(2**32)


async def test_f15_privacy_mode_lets_through_commands_replies_and_service(live: Running, bot: Bot) -> None:
    post = await bot.send_message(POKER_FRIENDS, "table")
    human = live.people.send(BOB, POKER_FRIENDS, "just talk")
    live.people.send(BOB, POKER_FRIENDS, "/deal 25")
    live.people.send(BOB, POKER_FRIENDS, "/deal@q64_local_bot")
    live.people.send(BOB, POKER_FRIENDS, "/deal@other_bot")
    live.people.send(BOB, POKER_FRIENDS, "25", reply_to=post.message_id)
    live.people.send(BOB, POKER_FRIENDS, "25", reply_to=human)
    live.people.dice(BOB, POKER_FRIENDS)
    heard = [update.message.text for update in await drain(bot) if update.message]
    assert heard == ["/deal 25", "/deal@q64_local_bot", "25"]
    live.people.promote(ANN, POKER_FRIENDS)
    live.people.send(BOB, POKER_FRIENDS, "just talk")
    assert [update.message.text for update in await drain(bot) if update.message] == ["just talk"]


async def test_f03_f05_people_without_their_own_name(live: Running, bot: Bot) -> None:
    live.people.anonymous(ANN, POKER_FRIENDS, "/deal")
    live.people.anonymous(ANN, POKER_FRIENDS, "/deal", face="channel")
    live.people.promote(ANN, POKER_FRIENDS)
    live.people.anonymous(ANN, POKER_FRIENDS, "/deal", face="linked")
    admin, channel, linked = [update.message for update in await drain(bot) if update.message]
    assert admin.from_user is not None
    assert admin.sender_chat is not None
    assert (admin.from_user.id, admin.sender_chat.id) == (1087968824, POKER_FRIENDS)
    assert channel.from_user is not None
    assert channel.sender_chat is not None
    assert (channel.from_user.id, channel.sender_chat.type) == (136817688, "channel")
    assert linked.from_user is not None
    assert (linked.from_user.id, linked.is_automatic_forward) == (777000, True)


async def test_f06_f62_posts_of_channels_and_edits(live: Running, bot: Bot) -> None:
    channel = live.people.group(ANN, type="channel", title="News")
    number = live.people.post(channel, "/deal")
    live.people.edit_message(ANN, channel, number, "/deal 5")
    own = live.people.send(BOB, POKER_FRIENDS, "/deal")
    live.people.edit_message(BOB, POKER_FRIENDS, own, "/deal 5")
    kinds = [next(iter(set(update.to_dict()) - {"update_id"})) for update in await drain(bot)]
    assert kinds == [
        "my_chat_member",
        "channel_post",
        "channel_post",
        "edited_channel_post",
        "message",
        "edited_message",
    ]


async def test_f07_topics_and_replies_carry_a_thread(live: Running, bot: Bot) -> None:
    forum = live.people.group(ANN, is_forum=True)
    topic = live.people.topic(ANN, forum, "create", name="Table")
    live.people.send(ANN, forum, "/deal", thread=topic)
    live.people.send(ANN, forum, "/deal")
    root = live.people.send(BOB, POKER_FRIENDS, "a")
    live.people.send(BOB, POKER_FRIENDS, "/deal", reply_to=root)
    in_topic, in_general, reply = [u.message for u in await drain(bot) if u.message and u.message.text == "/deal"]
    assert (in_topic.message_thread_id, in_topic.is_topic_message) == (topic, True)
    assert in_topic.chat.is_forum
    assert (in_general.message_thread_id, in_general.is_topic_message) == (None, None)
    assert (reply.message_thread_id, reply.is_topic_message) == (root, None), "a reply has a thread, but no topic"


async def test_comings_and_goings(live: Running, bot: Bot) -> None:
    group = live.people.group(ANN, type="group", members=[BOB])
    live.people.join(DASHA, group)
    live.people.leave(BOB, group)
    live.people.kick_bot(ANN, group)
    live.people.send(ANN, group, "/deal")
    live.people.start(ANN)
    live.people.block(ANN)
    live.people.unblock(ANN)
    seen: list[object] = []
    for update in await drain(bot):
        if update.my_chat_member:
            change = update.my_chat_member
            seen.append((change.old_chat_member.status, change.new_chat_member.status))
        elif update.message and update.message.new_chat_members:
            seen.append([user.id for user in update.message.new_chat_members])
        elif update.message and update.message.left_chat_member:
            seen.append(-update.message.left_chat_member.id)
        elif update.message:
            seen.append(update.message.text)
    me = live.world.profile.id
    assert seen == [
        ("left", "member"),
        [me],
        [DASHA],
        -BOB,
        ("member", "kicked"),
        -me,
        "/start",
        ("member", "kicked"),
        ("kicked", "member"),
    ]


async def test_every_method_that_plays_answers_what_the_library_reads(live: Running, bot: Bot) -> None:
    live.people.start(ANN)
    keys = InlineKeyboardMarkup(
        [
            [InlineKeyboardButton("Play", callback_data="p", style="success")],
            [InlineKeyboardButton("Copy", copy_text=CopyTextButton("630dcd"))],
            [InlineKeyboardButton("Open", url="https://t.me/q64_local_bot?start=x")],
        ]
    )
    sent = await bot.send_message(ANN, "<b>a</b>", parse_mode="HTML", reply_markup=keys, protect_content=True)
    assert sent.reply_markup == keys
    reply = await bot.send_message(
        ANN, "?", reply_parameters=ReplyParameters(sent.message_id), reply_markup=ForceReply(selective=True)
    )
    assert reply.reply_to_message
    assert reply.reply_to_message.message_id == sent.message_id
    photo = await bot.send_photo(
        ANN, InputFile(PNG, "chart.png"), caption="<i>c</i>", parse_mode="HTML", reply_markup=KEYS
    )
    assert photo.photo[0].width == 1
    again = await bot.send_photo(ANN, photo.photo[0].file_id)
    assert again.photo[0].file_unique_id == photo.photo[0].file_unique_id
    changed = await bot.edit_message_caption(ANN, photo.message_id, caption="d")
    assert isinstance(changed, Message)
    assert (changed.caption, changed.reply_markup) == ("d", None)
    document = await bot.send_document(ANN, InputFile(b'{"v":1}', "deal.json", attach=True))
    assert document.document is not None
    file = await bot.get_file(document.document.file_id)
    assert bytes(await file.download_as_bytearray()) == b'{"v":1}'
    dice = await bot.send_dice(ANN, emoji="🎯")
    assert dice.dice is not None
    assert 1 <= dice.dice.value <= 6
    assert await bot.set_message_reaction(ANN, sent.message_id, "🎉")
    assert await bot.send_chat_action(ANN, "typing")
    assert await bot.pin_chat_message(ANN, sent.message_id)
    pinned = (await bot.get_chat(ANN)).pinned_message
    assert pinned is not None
    assert pinned.message_id == sent.message_id
    assert await bot.unpin_chat_message(ANN)
    assert await bot.delete_messages(ANN, [reply.message_id, 999])
    assert (await bot.get_chat(POKER_FRIENDS)).permissions is not None
    live.people.promote(ANN, POKER_FRIENDS)
    live.people.restrict(ANN, POKER_FRIENDS, member=BOB)
    statuses = [(await bot.get_chat_member(POKER_FRIENDS, who)).status for who in (ANN, BOB, DASHA, bot.id)]
    assert statuses == ["creator", "restricted", "member", "administrator"]
    assert {member.user.id for member in await bot.get_chat_administrators(POKER_FRIENDS)} == {ANN, bot.id}
    assert await bot.get_chat_member_count(POKER_FRIENDS) == 4
    assert await bot.set_chat_menu_button()
    assert (await bot.get_chat_menu_button()).type == "default"
    assert await bot.leave_chat(POKER_FRIENDS)
    assert await bot.log_out()
    assert await bot.close()


async def test_errors_become_the_librarys_exceptions(live: Running, bot: Bot) -> None:
    live.people.start(ANN)
    with pytest.raises(BadRequest, match="Button_data_invalid"):
        await bot.send_message(ANN, "a", reply_markup=InlineKeyboardMarkup.from_button(TOO_LONG))
    with pytest.raises(Forbidden, match="initiate"):
        await bot.send_message(BOB, "a")
    old = live.people.group(ANN, type="group")
    new = live.people.migrate(ANN, old)
    with pytest.raises(ChatMigrated) as moved:
        await bot.send_message(old, "a")
    assert moved.value.new_chat_id == new
    stranger = Bot("1:wrong", live.base_url)
    with pytest.raises(InvalidToken):
        await stranger.initialize()
    await stranger.shutdown()


async def test_wrong_tokens_and_broken_bodies(live: Running) -> None:
    async with aiohttp.ClientSession(live.url) as session:
        for path, status, words in (
            ("/bot1:x/getMe", 401, "Unauthorized"),
            ("/botnonsense/getMe", 401, "Unauthorized: invalid token specified"),
            (f"/bot{live.world.token}/dealCards", 404, "Not Found: method not found"),
        ):
            async with session.get(path) as answer:
                assert (answer.status, (await answer.json())["description"]) == (status, words)
        async with session.post(f"/bot{live.world.token}/sendMessage", json={"chat_id": ANN, "text": "x"}) as answer:
            told = (await answer.json())["description"]
            assert (answer.status, told) == (403, "Forbidden: bot can't initiate conversation with a user")
        async with session.post(
            f"/bot{live.world.token}/sendMessage",
            data=b"text=%ff",
            headers={"content-type": "application/x-www-form-urlencoded"},
        ) as answer:
            assert (await answer.json())["description"] == "Bad Request: strings must be encoded in UTF-8"
        live.people.start(ANN)
        async with session.get(f"/bot{live.world.token}/sendMessage?chat_id={ANN}&text=a%2Bb") as answer:
            assert (await answer.json())["result"]["text"] == "a+b"


# Commands


async def test_the_most_specific_scope_wins_then_the_language(live: Running, bot: Bot) -> None:
    await bot.set_my_commands([BotCommand("deal", "Deal")])
    await bot.set_my_commands([BotCommand("deal", "Distribuir")], language_code="pt")
    await bot.set_my_commands([BotCommand("table", "Table")], scope=BotCommandScopeAllGroupChats())
    assert (await bot.get_my_commands(language_code="pt"))[0].description == "Distribuir"

    def menu(who: int, chat: int) -> list[str]:
        chats = live.people.state(who)["chats"]
        return [command["description"] for each in chats if each["id"] == chat for command in each["commands"]]

    assert menu(BOB, BOB) == ["Distribuir"], "pt-br is cut to two letters"
    assert menu(DASHA, DASHA) == ["Deal"]
    assert menu(BOB, POKER_FRIENDS) == ["Table"], "the scope goes before the language"
    await bot.set_my_commands([BotCommand("stop", "Stop")], scope=BotCommandScopeChat(POKER_FRIENDS))
    assert menu(BOB, POKER_FRIENDS) == ["Stop"]
    await bot.delete_my_commands(scope=BotCommandScopeChat(POKER_FRIENDS))
    assert menu(BOB, POKER_FRIENDS) == ["Table"]
    await bot.set_my_name("Três Cartas", language_code="pt")
    await bot.set_my_description("Play money")
    await bot.set_my_short_description("Cards")
    assert (await bot.get_my_name(language_code="pt")).name == "Três Cartas"
    assert (await bot.get_my_description(language_code="pt")).description == "Play money"
    assert live.people.state(BOB)["bot"]["name"] == "Três Cartas"


# People


async def test_the_page_sees_what_its_person_may_see(live: Running, bot: Bot) -> None:
    live.people.start(ANN)
    ann, bob = live.people.watch(ANN), live.people.watch(BOB)
    sent = await bot.send_message(POKER_FRIENDS, "<b>a</b> <i>&lt;script&gt;</i>", parse_mode="HTML", reply_markup=KEYS)
    query = live.people.tap(BOB, POKER_FRIENDS, sent.message_id, 0, 0)
    await bot.answer_callback_query(query, "your cards", show_alert=True)
    await bot.edit_message_reply_markup(POKER_FRIENDS, sent.message_id)
    await bot.send_message(ANN, "private")
    await bot.delete_message(POKER_FRIENDS, sent.message_id)
    to_ann = _emptied(ann)
    to_bob = _emptied(bob)
    assert [event["kind"] for event in to_ann] == ["message", "keyboard", "message", "delete"]
    assert [event["kind"] for event in to_bob] == ["message", "alert", "keyboard", "delete"], "answers go to the tapper"
    shown = to_bob[0]["message"]
    assert shown["html"] == "<b>a</b> <i>&lt;script&gt;</i>"
    assert shown["keyboard"][0][0] == {"text": "Play", "kind": "callback", "data": "play"}
    assert to_bob[1]["text"] == "your cards"
    with pytest.raises(ClientError):
        live.people.messages(BOB, ANN)


def _emptied(queue: "asyncio.Queue[dict[str, Any] | None]") -> list[dict[str, Any]]:
    found = []
    while not queue.empty():
        event = queue.get_nowait()
        assert event is not None
        found.append(event)
    return found


async def test_an_answer_is_cached_as_long_as_the_bot_says(live: Running, bot: Bot, time: Time) -> None:
    live.people.start(ANN)
    sent = await bot.send_message(ANN, "a", reply_markup=KEYS)
    await drain(bot)
    await bot.answer_callback_query(live.people.tap(ANN, ANN, sent.message_id, 0, 0), "wait", cache_time=5)
    assert len(await drain(bot)) == 1
    again = live.people.tap(ANN, ANN, sent.message_id, 0, 0)
    assert (await live.people.answer(again) or {})["text"] == "wait"
    assert await drain(bot) == [], "the bot is not asked"
    time.now += 6
    live.people.tap(ANN, ANN, sent.message_id, 0, 0)
    assert len(await drain(bot)) == 1


async def test_the_client_speaks_json_and_events_over_http(live: Running, bot: Bot) -> None:
    async with aiohttp.ClientSession(live.url) as session:

        async def post(act: str, **body: Any) -> Any:
            async with session.post(f"/client/{act}", json=body) as answer:
                return answer.status, await answer.json()

        async with session.get("/client/state") as answer:
            state = await answer.json()
        assert [person["first_name"] for person in state["people"]] == ["Ann", "Bob", "Dasha"]
        assert {chat["id"] for chat in state["chats"]} == {ANN, POKER_FRIENDS}
        assert (await post("start", person=ANN, payload="x"))[1] == {"message_id": 1}
        stream = await session.get(f"/client/events?person={ANN}")
        sent = await bot.send_message(ANN, "a", reply_markup=KEYS)
        status, tapped = await _both(
            post("tap", person=ANN, chat=ANN, message_id=sent.message_id, row=0, col=1, wait=True), _answers(bot)
        )
        assert status == 200
        assert tapped["answer"]["text"] == "got fold"
        kinds: list[str] = []
        while len(kinds) < 2:
            line = await stream.content.readline()
            if line.startswith(b"data: "):
                kinds.append(json.loads(line[6:])["kind"])
        assert kinds == ["message", "toast"]
        stream.close()
        form = aiohttp.FormData({"person": str(ANN), "chat": str(ANN)})
        form.add_field("file", b"{}", filename="deal.json")
        async with session.post("/client/upload", data=form) as answer:
            assert answer.status == 200
        (update,) = [update for update in await drain(bot) if update.message and update.message.document]
        assert update.message is not None
        assert update.message.document is not None
        assert update.message.document.file_name == "deal.json"
        assert (await post("tap", person=ANN, chat=ANN, message_id=sent.message_id, row=5))[0] == 400
        assert (await post("send", person=ANN, chat=BOB, text="a"))[0] == 400
        assert (await post("fly", person=ANN))[0] == 404
        for body in ({"rules": "rain"}, {"rules": ["rain"]}, {"kind": "repeat_update", "times": "often"}):
            assert (await post("faults", **body))[0] == 400
        async with session.get("/client/chats/here/messages") as answer:
            assert answer.status == 400
        async with session.post(
            "/client/block", json={"person": ANN}, headers={"origin": "http://evil.example"}
        ) as answer:
            assert answer.status == 403
        async with session.get("/client/log") as answer:
            assert "sendMessage" in [entry["method"] for entry in await answer.json()]
        async with session.delete("/client/log"):
            assert not live.world.log


async def _both(one: Any, other: Any) -> Any:
    return (await asyncio.gather(one, other))[0]


async def _answers(bot: Bot) -> None:
    for update in await bot.get_updates(offset=-1, timeout=5):
        query = update.callback_query
        if query is None:
            await bot.get_updates(offset=update.update_id + 1)
            return await _answers(bot)
        await query.answer(f"got {query.data}")
    return None


# Faults


@pytest.mark.parametrize(
    "rule, error",
    [
        pytest.param({"kind": "500"}, "Internal Server Error", id="500"),
        pytest.param({"kind": "502"}, "Bad Gateway", id="502"),
        pytest.param({"kind": "garbage"}, "Invalid server response", id="a page instead of JSON"),
        pytest.param({"kind": "forbidden"}, "blocked by the user", id="blocked"),
        pytest.param({"kind": "topic_closed"}, "Topic_closed", id="F09 topic closed"),
        pytest.param({"kind": "400 Bad Request: CHAT_RESTRICTED"}, "Chat_restricted", id="F10 spelled out"),
        pytest.param({"code": 403, "description": "Forbidden: x"}, "Forbidden: x", id="code and description"),
    ],
)
async def test_a_fault_meets_the_next_call_and_only_that(
    live: Running, bot: Bot, rule: dict[str, Any], error: str
) -> None:
    live.people.start(ANN)
    live.world.faults.add({"method": "sendMessage", "chat": ANN, **rule})
    await bot.send_message(POKER_FRIENDS, "another chat is not met")
    with pytest.raises(TelegramError, match=error):
        await bot.send_message(ANN, "a")
    await bot.send_message(ANN, "b")


async def test_f37_a_429_tells_how_long_to_wait(live: Running) -> None:
    live.people.start(ANN)
    async with aiohttp.ClientSession(live.url) as session:
        rule = {"method": "editMessageText", "kind": "429", "retry_after": 35, "times": 2}
        async with session.post("/client/faults", json=rule) as answer:
            assert await answer.json() == {"rules": 1}
        for status in (429, 429, 400):
            async with session.post(
                f"/bot{live.world.token}/editMessageText", json={"chat_id": ANN, "text": "a"}
            ) as answer:
                assert answer.status == status
                body = await answer.json()
                assert body.get("parameters") == ({"retry_after": 35} if status == 429 else None)
        async with session.post("/client/faults", json={"kind": "volcano"}) as answer:
            assert answer.status == 400


@pytest.mark.parametrize("kind, done", [("timeout_before", 0), ("timeout_after", 1)])
async def test_f36_silence_leaves_open_whether_it_was_done(live: Running, bot: Bot, kind: str, done: int) -> None:
    live.people.start(ANN)
    live.world.faults.add({"kind": kind, "method": "sendMessage"})
    with pytest.raises(TimedOut):
        await bot.send_message(ANN, "a", read_timeout=0.05)
    assert len(live.people.messages(ANN, ANN)) == 1 + done


async def test_a_fault_by_chance_is_replayed_by_its_seed(live: Running) -> None:
    async def run() -> list[bool]:
        live.world.faults.clear()
        live.world.faults.add({"kind": "500", "times": 0, "probability": 0.5, "seed": 3})
        return [live.world.faults.strike("sendMessage", 1) is not None for _ in range(20)]

    first = await run()
    assert first == await run()
    assert len(set(first)) == 2


async def test_f40_updates_come_again_and_out_of_order(live: Running, bot: Bot) -> None:
    for text in "abcdef":
        live.people.send(ANN, ANN, text)
    first = await drain(bot)
    live.people.repeat(1)
    again = await bot.get_updates(offset=first[-1].update_id + 1)
    assert [update.update_id for update in again] == [first[-1].update_id]
    for text in "abcdef":
        live.people.send(ANN, ANN, text)
    live.people.reorder()
    texts = [update.message.text for update in await drain(bot) if update.message]
    assert texts != list("abcdef")
    assert sorted(str(text) for text in texts) == list("abcdef")


async def test_f29_any_update_can_be_injected(live: Running, bot: Bot) -> None:
    user = {"id": ANN, "is_bot": False, "first_name": "Ann"}
    query = {"id": "1", "from": user, "inline_message_id": "AAA", "chat_instance": "9", "data": "deal"}
    live.people.inject({"callback_query": query})
    (update,) = await drain(bot)
    assert update.callback_query is not None
    assert update.callback_query.message is None


# Webhook


class Hook:
    """A bot behind a webhook that fails as often as it is told to."""

    def __init__(self) -> None:
        self.seen: list[dict[str, Any]] = []
        self.secrets: set[str | None] = set()
        self.failures = 0
        self.reply: dict[str, Any] | None = None
        self.arrived = asyncio.Event()

    async def take(self, request: Request) -> Response:
        self.secrets.add(request.headers.get("x-telegram-bot-api-secret-token"))
        if self.failures:
            self.failures -= 1
            return Response(status_code=503)
        self.seen.append(await request.json())
        self.arrived.set()
        return Response() if self.reply is None else JSONResponse(self.reply)

    async def until(self, count: int) -> None:
        while len(self.seen) < count:
            self.arrived.clear()
            await asyncio.wait_for(self.arrived.wait(), 10)


@pytest.fixture
async def hook(live: Running) -> AsyncIterator[tuple[Hook, str]]:
    hook = Hook()
    world = World(log=False)
    async with await serve(world, routes=[Route("/hook", hook.take, methods=["POST"])]) as running:
        yield hook, f"{running.url}/hook"


async def test_a_webhook_gets_updates_in_order_with_its_secret_until_it_agrees(
    live: Running, bot: Bot, hook: tuple[Hook, str], time: Time
) -> None:
    taken, url = hook
    live.people.send(ANN, ANN, "early")
    taken.failures = 2
    await bot.set_webhook(url, secret_token="s3cret")
    for text in "abc":
        live.people.send(ANN, ANN, text)
    await taken.until(4)
    assert [update["message"]["text"] for update in taken.seen] == ["early", "a", "b", "c"]
    assert taken.secrets == {"s3cret"}
    assert time.slept == [1.0, 2.0]
    info = await bot.get_webhook_info()
    assert (info.url, info.last_error_message) == (url, "Wrong response from the webhook: 503")
    with pytest.raises(Conflict, match="while webhook is active"):
        await bot.get_updates()
    await bot.delete_webhook()
    live.people.send(ANN, ANN, "later")
    assert [update.message.text for update in await bot.get_updates() if update.message] == ["later"]


async def test_a_webhook_may_answer_with_a_method(live: Running, bot: Bot, hook: tuple[Hook, str]) -> None:
    taken, url = hook
    taken.reply = {"method": "sendMessage", "chat_id": ANN, "text": "by the way"}
    watching = live.people.watch(ANN)
    await bot.set_webhook(url)
    live.people.start(ANN)
    texts: list[str] = []
    while "by the way" not in texts:
        event = await asyncio.wait_for(watching.get(), 10)
        texts += [event["message"]["text"]] if event and "message" in event else []


async def test_setting_a_webhook_ends_a_poll(live: Running, bot: Bot, hook: tuple[Hook, str]) -> None:
    poll = asyncio.create_task(bot.get_updates(timeout=30))
    await until_it_waits(live)
    await bot.set_webhook(hook[1])
    with pytest.raises(Conflict, match="terminated by setWebhook request"):
        await poll


@pytest.mark.parametrize(
    "params, words",
    [
        pytest.param({"url": "ftp://a"}, "bad webhook: An HTTPS URL must be provided for webhook", id="address"),
        pytest.param(
            {"url": "https://a.org", "secret_token": "a b"}, "secret token contains unallowed characters", id="secret"
        ),
    ],
)
async def test_a_bad_webhook_is_refused(live: Running, bot: Bot, params: dict[str, Any], words: str) -> None:
    with pytest.raises(BadRequest, match=f"(?i){words}"):
        await bot.set_webhook(**params)


# Memory


async def test_everything_is_there_after_a_start_and_gone_after_forgetting(tmp_path: Path) -> None:
    path = tmp_path / "world.db"
    world = World(path)
    async with await serve(world) as live, Bot(world.token, live.base_url) as bot:
        live.people.start(ANN)
        sent = await bot.send_message(ANN, "<b>a</b>", parse_mode="HTML", reply_markup=KEYS)
        file = await bot.send_document(ANN, InputFile(b"abc", "x.txt"))
        await bot.set_my_commands([BotCommand("deal", "Deal")])
        live.people.tap(ANN, ANN, sent.message_id, 0, 0)
        live.people.react(ANN, ANN, sent.message_id, "🎉")
        newcomer = live.people.add_person(first_name="Eve", language_code="de")
        before = live.people.messages(ANN, ANN)
    again = World(path)
    async with await serve(again) as live, Bot(again.token, live.base_url, live.base_file_url) as bot:
        assert live.people.messages(ANN, ANN) == before
        assert [update.update_id for update in await bot.get_updates()] == [640000001, 640000002], (
            "undelivered ones too"
        )
        assert (await bot.get_my_commands())[0].command == "deal"
        assert file.document is not None
        got = await bot.get_file(file.document.file_id)
        assert bytes(await got.download_as_bytearray()) == b"abc"
        assert again.people[newcomer].language_code == "de"
        assert (await bot.send_message(ANN, "next")).message_id == 4
    forget(path)
    assert os.listdir(tmp_path) == []  # noqa: PTH208 (a test may block for a listing)
    fresh = World(path)
    assert newcomer not in fresh.people
    fresh.close()
    forget(path)
    forget(path)


def test_f119_a_killed_process_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    path = tmp_path / "world.db"
    script = textwrap.dedent(f"""
        import os, pathlib, signal
        from bot.playground import People, World
        people = People(World(pathlib.Path({str(path)!r})))
        people.start({ANN}, "abc")
        os.kill(os.getpid(), signal.SIGKILL)
    """)
    root = Path(__file__).parents[2]
    killed = subprocess.run(  # noqa: S603 (this test's own script)
        [sys.executable, "-c", script], check=False, env={**os.environ, "PYTHONPATH": str(root)}
    )
    assert killed.returncode == -signal.SIGKILL
    world = World(path)
    assert [message.text for message in world.messages[ANN].values()] == ["/start abc"]
    assert len(world.updates.pending) == 1
    world.close()
