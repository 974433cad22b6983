"""Whose language is spoken, and a night that is only typed and only heard (issue 9; FAULTS F58, F59; BOARDS 6)."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.facts import Design, Tap, Verb
from bot.storage import Tx
from tests.journeys.felt import cards
from tests.journeys.house import FRIENDS, Evening, Seen, Somebody

_SCRIPTS = {"Cyrillic": "[а-яё]", "Arabic": "[\u0600-\u06ff]", "Japanese": "[\u3040-\u30ff]", "Latin": "[a-zà-ÿ]"}
_SIGNS = re.compile("[♠♥♦♣🎴🔒🔓🏁✓●▸·▁-█🟦🟥🏦↗🏆−+]")


def script(text: str) -> str:
    """What a text is mostly written in."""
    told = re.sub(r"/\w+|q64", "", text.lower())
    return max(_SCRIPTS, key=lambda name: len(re.findall(_SCRIPTS[name], told)))


def payloads(seen: Seen) -> dict[Verb, str]:
    return {
        Tap.unpack(key["callback_data"]).verb: key["callback_data"]
        for row in seen.rows
        for key in row
        if key.get("callback_data")
    }


def of_the_table(evening: Evening) -> Seen:
    return next(seen for seen in reversed(evening.bot_messages(FRIENDS)) if Verb.TABLE_SIT in payloads(seen))


async def speaks(evening: Evening, **languages: str) -> None:
    for name, tag in languages.items():
        evening.world.people[getattr(evening, name).id].language_code = tag


def _russian(tx: Tx) -> None:
    chat = tx.chats.get(FRIENDS)
    assert chat is not None
    tx.chats.put(replace(chat, language="ru"))


async def chooses(evening: Evening, who: Somebody, **facts: object) -> None:
    def choose(tx: Tx) -> None:
        person = tx.people.get(who.id)
        assert person is not None
        tx.people.put(replace(person, **facts))  # type: ignore[arg-type]

    await evening.house.store.run(choose)


async def test_f58_f59_toasts_speak_to_the_tapper_and_the_table_to_the_group(
    evening: Evening, ann: Somebody, bob: Somebody, dasha: Somebody
) -> None:
    await speaks(evening, ann="ru", bob="en", dasha="ar")

    await ann.says("/deal", FRIENDS)
    await evening.house.store.run(_russian)
    await ann.says("/table", FRIENDS)
    said: dict[str, str] = {}
    for who in (bob, dasha, ann):
        seen = of_the_table(evening)
        toast = await who.sends(payloads(seen)[Verb.TABLE_SIT], seen)
        said[who.name] = script(toast.text)
        assert script(of_the_table(evening).text) == "Cyrillic"

    assert said == {"Bob": "Latin", "Dasha": "Arabic", "Ann": "Cyrillic"}


async def test_f59_whatever_is_said_in_a_group_is_said_in_its_language(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    """Only toasts and private chats speak the language of the one person who reads them."""
    await speaks(evening, ann="en", bob="en")
    await ann.says("/deal 25", FRIENDS)
    await evening.house.store.run(_russian)
    await ann.taps("Deal", FRIENDS)
    number, seal = (await evening.round(ann, FRIENDS)).id, (await evening.round(ann, FRIENDS)).commitment
    toast = await ann.sends(payloads(ann.board(FRIENDS))[Verb.FOLD], ann.board(FRIENDS))
    assert script(toast.text) == "Latin"

    words = ("/help", "/hands", "/fair", "/privacy", "/top", "/stats", "/rules", f"/verify {number}", f"/start {seal}")
    said = {word: (await ann.hears(word, FRIENDS))[-1].text.lower() for word in words}

    assert {word for word, text in said.items() if not re.search(_SCRIPTS["Cyrillic"], text)} == set()
    assert script((await ann.hears("/help"))[-1].first) == "Latin"


async def test_f59_the_welcome_of_a_group_that_has_chosen_speaks_its_language(evening: Evening, bob: Somebody) -> None:
    await speaks(evening, bob="en")
    await bob.says("/deal", FRIENDS)
    await evening.house.store.run(_russian)
    evening.people.kick_bot(bob.id, FRIENDS)
    await evening.goes_on()
    evening.people.add_bot(bob.id, FRIENDS)
    await evening.goes_on()

    assert script(evening.bot_messages(FRIENDS)[-1].text) == "Cyrillic"


async def test_a_persons_choice_goes_before_the_apps_language_and_stays_with_that_person(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await speaks(evening, ann="ar", bob="ru")
    await ann.says("/deal")
    await bob.says("/deal")
    assert [script(who.board().text) for who in (ann, bob)] == ["Arabic", "Cyrillic"]

    await chooses(evening, ann, language="ja")
    await ann.says("/deal")
    await bob.says("/deal")

    assert [script(who.board().text) for who in (ann, bob)] == ["Japanese", "Cyrillic"]


@pytest.mark.parametrize("tag", ["pt-br", "PT-BR", "zh-hans", "es-419", "sr-latn", "nb", "x-klingon", ""])
async def test_f53_whatever_an_app_says_it_speaks_there_is_a_board(evening: Evening, ann: Somebody, tag: str) -> None:
    await speaks(evening, ann=tag)
    [board] = await ann.hears("/start")
    assert board.labels


async def test_boards_6_a_whole_night_by_typed_words_result_first_and_no_sign_alone(
    evening: Evening, ann: Somebody
) -> None:
    """Every word brings the board down as a new message; nothing is tapped; what is told is told in words."""
    await ann.says("/start")
    await chooses(evening, ann, design=Design.WORDS)
    told: list[str] = []
    firsts: list[str] = []
    for hand, dealer, word in (
        ("Qh 6c 4d", "Js Td 8c", "play"),
        ("9h 9c 4d", "Ks 9d 4c", "play"),
        ("Jh 7c 2d", "Ks 9d 4c", "fold"),
        ("9h 9c 9d", "Ks Qd 4c", "play"),
    ):
        with cards(hand, dealer):
            [opened] = await ann.hears("deal")
        [hint] = await ann.hears("hint")
        [settled] = await ann.hears(word)
        assert "Your cards: " in opened.text
        told += [opened.text, hint.text, settled.text]
        firsts.append(settled.text.split(".")[0])
    [left] = await ann.hears("/cashout")

    assert firsts == ["Plus 25", "Plus 50", "Minus 25", "Plus 150"]
    assert left.first.startswith("Ann leaves with 700 chips.")
    for text in (*told, left.text):
        assert not _SIGNS.search(text), text
    assert evening.calls("answerCallbackQuery") == []
