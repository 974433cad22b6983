"""ALLOWED_CHATS: elsewhere the bot says so once, and leaves a group."""

from __future__ import annotations

import asyncio

import pytest

from bot.facts import Who
from bot.handlers.desk import Desk
from bot.views.kit import Page
from tests.journeys.house import FRIENDS, Evening, Somebody

_MOMENT = 0.05  # seconds of real time that the database takes
_SAID = "This bot plays in other chats only."


def there(evening: Evening, chat: int) -> bool:
    return evening.world.chats[chat].members[evening.world.profile.id].status not in {"left", "kicked"}


async def only(evening: Evening, *chats: int) -> None:
    await evening.acknowledges()
    evening.allowed = ", ".join(map(str, chats))
    await evening.restart()


async def test_a_group_that_is_not_on_the_list_is_told_and_left(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    await only(evening, ann.id)
    await bob.says("/deal 25", FRIENDS, rest=False)
    await bob.says("/top", FRIENDS)

    assert [seen.text for seen in bob.sees(FRIENDS) if seen.text] == [_SAID]
    assert not there(evening, FRIENDS)
    assert await evening.count("SELECT COUNT(*) AS n FROM seats") == 0
    [board] = await ann.hears("/deal 25")
    assert board.labels[-1] == "Deal 25"


async def test_a_second_word_does_not_make_it_leave_before_it_is_told(
    evening: Evening, bob: Somebody, ann: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = Desk.reader_page

    async def slow(desk: Desk, who: Who) -> Page:
        await asyncio.sleep(_MOMENT)
        return await at_once(desk, who)

    monkeypatch.setattr(Desk, "reader_page", slow)
    await only(evening, ann.id)
    await bob.says("/deal 25", FRIENDS, rest=False)
    await bob.says("/top", FRIENDS)

    assert [seen.text for seen in bob.sees(FRIENDS) if seen.text] == [_SAID]
    assert not there(evening, FRIENDS)


async def test_whoever_adds_it_there_again_sees_it_leave_again(evening: Evening, ann: Somebody) -> None:
    await only(evening, ann.id)
    for _ in range(2):
        evening.people.add_bot(ann.id, FRIENDS)
        await evening.goes_on()
        assert not there(evening, FRIENDS)

    assert [seen.text for seen in ann.sees(FRIENDS) if seen.text] == [_SAID]


async def test_a_private_chat_that_is_not_on_the_list_is_told_once(evening: Evening, bob: Somebody) -> None:
    await only(evening, FRIENDS)
    await bob.says("/start")
    await bob.says("hello?")

    assert [seen.text for seen in bob.sees()] == [_SAID]
    [board] = await bob.hears("/deal 25", FRIENDS)
    assert board.labels[-1] == "Deal 25"


async def test_an_old_key_in_a_chat_that_is_off_the_list_is_answered(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    board = ann.board(FRIENDS)
    await only(evening, ann.id)

    assert (await ann.taps("Deal", on=board)).text == _SAID
