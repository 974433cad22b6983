"""A group's choices and its table: who may change them, what is said by whom, and what a night under way keeps."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.facts import Chat, Tap, Verb
from bot.i18n import Catalogues
from bot.introduction import introduce
from bot.options import Options, Setting, Speed, options_of
from core.rules import preset
from tests.journeys.house import FRIENDS, Evening, Seen, Somebody

NOT_YOURS = "Only the admins of this chat choose that."


async def chat_of(evening: Evening, chat_id: int = FRIENDS) -> Chat:
    found = await evening.house.store.read(lambda tx: tx.chats.get(chat_id))
    assert found is not None
    return found


async def options(evening: Evening) -> Options:
    return options_of(await chat_of(evening))


async def opened(who: Somebody, at: int | None = FRIENDS, words: str = "/settings") -> Seen:
    sent = await who.hears(words, at)
    assert len(sent) == 1
    return sent[0]


async def presses(who: Somebody, page: Seen, *labels: str) -> Seen:
    """Tap one key after the other in the same message; the message as it then is."""
    for label in labels:
        await who.taps(label, on=page)
        page = who.message(page)
    return page


async def test_f107_settings_are_for_admins_at_each_tap(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    word = await bob.says("/settings@q64_local_bot", FRIENDS)
    assert evening.bot_messages(FRIENDS) == []
    assert evening.reactions(FRIENDS, word) == ("🤷",)

    page = await opened(ann)
    assert page.lines[:2] == ["Settings of Poker Friends", "The admins of this chat choose."]
    assert NOT_YOURS in await bob.taps("Table speed", on=page)
    assert ann.message(page).text == page.text

    page = await presses(ann, page, "Table speed")
    payload = page.payload("fast")
    assert NOT_YOURS in await bob.sends(payload, page)
    assert (await options(evening)).speed is Speed.NORMAL

    evening.people.promote(ann.id, FRIENDS, member=bob.id)
    assert "Table speed: fast." in await bob.sends(payload, page)
    assert (await options(evening)).speed is Speed.FAST
    page = bob.message(page)
    assert page.lines[-1] == "Table speed: fast · set by Bob Silva"
    assert "✓ fast" in page.labels

    evening.people.demote(ann.id, FRIENDS, member=bob.id)
    assert NOT_YOURS in await bob.taps("slow", on=page)
    assert (await options(evening)).speed is Speed.FAST


async def test_f107_who_is_no_admin_any_more_does_not_look_either_where_telegram_tells_of_it(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    evening.people.promote(ann.id, FRIENDS)  # the bot: by that it hears of everybody's standing
    evening.people.promote(ann.id, FRIENDS, member=bob.id)
    await evening.goes_on()
    page = await presses(bob, await opened(bob), "Seasons")  # looks are remembered

    evening.people.demote(ann.id, FRIENDS, member=bob.id)

    assert NOT_YOURS in await bob.taps("Back", on=page)


async def test_boards_rule_6_an_admin_s_word_by_somebody_else_moves_no_board(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await bob.says("/deal@q64_local_bot 25", FRIENDS)
    await bob.taps("Deal 25", FRIENDS)
    for end in (False, True):
        if end:
            await bob.taps("Fold", FRIENDS)
            await bob.says("/cashout@q64_local_bot", FRIENDS)
        for _ in range(17):
            await ann.says("chatter", FRIENDS)
        before = evening.bot_messages(FRIENDS)
        word = await bob.says("/settings@q64_local_bot", FRIENDS)
        assert evening.bot_messages(FRIENDS) == before
        assert evening.reactions(FRIENDS, word) == ("🤷",)


@pytest.mark.parametrize("words", ["zone Europe/Kyiv", "zone", "blacklist 7d"])
async def test_what_only_groups_have_is_answered_in_private_by_a_sentence(
    evening: Evening, ann: Somebody, words: str
) -> None:
    await ann.says("/deal")
    board = ann.board()
    sent = await ann.hears(f"/settings {words}")
    assert [each.text for each in sent] == ["Only groups have that: an admin says it there."]
    assert ann.message(board) == board


async def test_boards_rule_4_opening_a_page_is_answered_at_once_and_painted_before_bets(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await bob.says("/deal@q64_local_bot 25", FRIENDS)
    page, board = await opened(ann), bob.board(FRIENDS)
    await evening.passes(5)
    await ann.says("/hands", FRIENDS, rest=False)  # from now on the next call has to wait
    await bob.taps("Ante +25", on=board, rest=False)
    evening.people.tap(ann.id, page.chat, page.id, payload=page.payload("Table speed"))
    await evening.goes_on()
    edited = [call["params"]["message_id"] for call in evening.calls("editMessageText")]
    assert [int(number) for number in edited[-2:]] == [page.id, board.id]
    page = ann.message(page)
    assert (await ann.taps("Back", on=page)).text == "Settings of Poker Friends"
    assert (await ann.taps("Table speed", on=ann.message(page))).text == "Table speed: normal."


async def test_f107_playing_needs_no_rights(evening: Evening, bob: Somebody) -> None:
    await bob.says("/deal@q64_local_bot 25", FRIENDS)
    assert "Play 25 or fold?" in await bob.taps("Deal 25", FRIENDS)


async def test_f04_an_anonymous_admin_is_an_admin_of_this_chat_only(evening: Evening, ann: Somebody) -> None:
    evening.people.anonymous(ann.id, FRIENDS, "/settings@q64_local_bot")
    await evening.goes_on()
    (page,) = evening.bot_messages(FRIENDS)
    assert page.first == "Settings of Poker Friends"

    evening.people.anonymous(ann.id, FRIENDS, "/settings@q64_local_bot zone europe/kyiv")
    await evening.goes_on()
    assert evening.bot_messages(FRIENDS)[-1].lines[-1] == "Time zone: Kyiv · set by an admin"
    assert (await chat_of(evening)).time_zone == "Europe/Kyiv"

    channel = evening.people.anonymous(ann.id, FRIENDS, "/settings@q64_local_bot zone Asia/Tokyo", face="channel")
    await evening.goes_on()
    assert evening.reactions(FRIENDS, channel) == ("🤷",)
    assert (await chat_of(evening)).time_zone == "Europe/Kyiv"
    assert await evening.count("SELECT COUNT(*) AS n FROM people WHERE id IN (1087968824, 136817688)") == 0
    assert await evening.count("SELECT COUNT(*) AS n FROM seats") == 0


async def test_f03_the_name_of_an_admin_who_stays_anonymous_is_not_told(evening: Evening, ann: Somebody) -> None:
    page = await opened(ann)
    member = evening.world.chats[FRIENDS].members[ann.id]
    evening.world.chats[FRIENDS].members[ann.id] = replace(member, anonymous=True)

    page = await presses(ann, page, "Bank", "house")
    assert page.lines[-1] == "Bank: house · set by an admin"


async def test_a_look_up_that_fails_refuses_kindly(evening: Evening, ann: Somebody) -> None:
    page = await presses(ann, await opened(ann), "Seasons")
    evening.faults(method="getChatMember", kind="500")

    told = await ann.taps("on", on=page)
    assert told.text == "Telegram does not say who is an admin just now. Nothing was changed; please try again."
    assert (await options(evening)).seasons is False


async def test_looks_are_not_asked_for_once_a_tap(evening: Evening, ann: Somebody) -> None:
    page = await opened(ann)
    await presses(ann, page, "Seasons", "Back", "Daily", "Back")
    assert len(evening.calls("getChatMember")) == 1


async def test_every_setting_of_a_group(evening: Evening, ann: Somebody) -> None:
    page = await opened(ann)
    for where, choice, value in (
        (["Time zone", "Europe"], "Kyiv", "Time zone: Kyiv"),
        (["Bank"], "house", "Bank: house"),
        (["Boards awake"], "0", "Boards awake: 0"),
        (["Hands an hour"], "60", "Hands an hour: 60"),
        (["Seasons"], "on", "Seasons: on"),
        (["Daily deals"], "on", "Daily deals: on"),
        (["Quiet hours"], "22:00 to 8:00", "Quiet hours: 22:00 to 8:00"),
        (["Language"], "English", "Language: English"),
    ):
        page = await presses(ann, page, *where)
        assert f"{value}." in await ann.taps(choice, on=page)
        page = ann.message(page)
        assert page.lines[-1] == f"{value} · set by Ann"
        page = await presses(ann, page, "Back")
        assert value in page.labels
    assert [line.partition(":")[0] for line in page.lines[3:]] == ["Daily deals", "Quiet hours", "Language"]
    kept = await chat_of(evening)
    assert (kept.time_zone, kept.awake_boards, kept.language) == ("Europe/Kyiv", 0, "en")
    assert (options_of(kept).hands_per_hour, options_of(kept).daily) == (60, True)

    await evening.restart()
    again = await opened(ann)
    assert again.labels == page.labels


async def test_one_s_own_settings_stand_in_the_private_chat(evening: Evening, ann: Somebody) -> None:
    page = await opened(ann, None)
    assert page.labels == ["Language: as the app’s", "Coach: on", "Cards: Q♥️  6♣️  4♦️", "Table: \u2068Selminha\u2069"]

    page = await presses(ann, page, "Coach", "off", "Back", "Cards", "Qh 6c 4d")
    assert page.labels[3] == "✓ Qh 6c 4d"
    page = await presses(ann, page, "Back")
    assert "Cards: Qh 6c 4d" in page.labels
    assert "Coach: off" in page.labels
    person = await evening.house.store.read(lambda tx: tx.people.get(ann.id))
    assert person is not None
    assert person.coach is False
    assert not evening.calls("getChatMember")

    page = await presses(ann, page, "Table")
    assert page.first == "Your private table · Selminha"
    page = await presses(ann, page, "Choose another table", "\u2068California", "Back", "Back", "Back")
    assert page.first == "Your settings"


async def test_a_key_of_a_group_does_nothing_in_a_private_chat(evening: Evening, ann: Somebody) -> None:
    page = await opened(ann, None)
    tap = Tap(verb=Verb.SETTING, numbers=(Setting.SPEED, 0))
    assert "no longer in use" in await ann.sends(tap.pack(), page)


async def test_a_hand_made_payload_turns_no_board_into_a_page(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    await bob.says("/deal@q64_local_bot", FRIENDS)
    board = bob.board(FRIENDS)
    for tap in (Tap(verb=Verb.SETTING, numbers=(0, 0)), Tap(verb=Verb.RULES, numbers=(0, 0))):
        assert "no longer in use" in await ann.sends(tap.pack(), board)
    assert bob.message(board) == board


# The black list


async def test_who_is_on_the_black_list_does_not_deal_until_the_end(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await bob.says("/deal@q64_local_bot 25", FRIENDS)
    await bob.taps("Deal 25", FRIENDS)
    words = await bob.says("hello", FRIENDS)
    evening.people.send(ann.id, FRIENDS, "/settings@q64_local_bot blacklist 7d", reply_to=words)
    await evening.goes_on()
    page = evening.bot_messages(FRIENDS)[-1]
    until = evening.clock.now() + timedelta(days=7)
    assert page.lines[3] == f"Bob Silva: until Dec 7, {until:%H:%M} (UTC)"
    assert page.lines[-1] == "Black list: 1 · set by Ann"

    await bob.taps("Fold", FRIENDS)  # a hand in play is played to its end
    before = await evening.books()
    told = await bob.taps("Deal 25", FRIENDS)
    assert told.text.startswith("The admins of that chat let you deal there again after Dec 7, ")
    assert await evening.books() == before

    await evening.clock.advance(7 * 86_400)
    assert "Play 25 or fold?" in await bob.taps("Deal 25", FRIENDS)


async def test_the_black_list_is_lifted_by_a_key(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    await bob.says("/deal@q64_local_bot 25", FRIENDS)
    words = await bob.says("hello", FRIENDS)
    evening.people.send(ann.id, FRIENDS, "/settings@q64_local_bot blacklist 4w", reply_to=words)
    await evening.goes_on()
    page = evening.bot_messages(FRIENDS)[-1]
    assert "let you deal there again" in await bob.taps("Deal 25", FRIENDS)

    page = await presses(ann, page, "Lift: \u2068Bob Silva")
    assert "Nobody is on it." in page.text
    assert "Play 25 or fold?" in await bob.taps("Deal 25", FRIENDS)


@pytest.mark.parametrize("words", ["blacklist", "blacklist 7", "blacklist 0d", "blacklist 9999d", "blacklist -7d"])
async def test_the_black_list_asks_for_a_person_and_an_end(
    evening: Evening, ann: Somebody, bob: Somebody, words: str
) -> None:
    spoken = await bob.says("hello", FRIENDS)
    evening.people.send(ann.id, FRIENDS, f"/settings@q64_local_bot {words}", reply_to=spoken)
    await evening.goes_on()
    assert "Note: Reply to a message of that person" in evening.bot_messages(FRIENDS)[-1].text
    assert (await options(evening)).bans == ()


async def test_an_unknown_zone_is_explained_and_changes_nothing(evening: Evening, ann: Somebody) -> None:
    page = await opened(ann, FRIENDS, "/settings zone Mars/Base")
    assert page.lines[2] == "Note: There is no such time zone. Write it like /settings zone Europe/Kyiv."
    assert (await chat_of(evening)).time_zone == "UTC"


# The table


async def test_rules_are_a_passport_for_everybody(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    page = await opened(bob, FRIENDS, "/rules@q64_local_bot")
    assert page.first == "The table in Poker Friends · Selminha"
    for figure in (
        "686689/20358520",
        "3.3730\u00a0%",
        "2.0147\u00a0%",
        "RTP 96.63\u00a0% of the Ante; 97.985\u00a0% of all chips bet",
        "128/5525",
    ):
        assert figure in page.text
    assert NOT_YOURS in await bob.taps("Choose another table", on=page)


@pytest.mark.parametrize(
    "words, first",
    [
        ("selminha", "The table in Poker Friends · Selminha"),
        ("Poker3", "Not in use yet · Poker Three"),
        ("poker three", "Not in use yet · Poker Three"),
        ("California", "Not in use yet · California"),
        ("6-card bonus", "Not in use yet · 6-Card Bonus"),
    ],
)
async def test_a_preset_is_shown_to_everybody_by_its_name(
    evening: Evening, bob: Somebody, words: str, first: str
) -> None:
    page = await opened(bob, FRIENDS, f"/rules@q64_local_bot {words}")
    assert page.first == first
    if "Use this table" in page.labels:
        assert NOT_YOURS in await bob.taps("Use this table", on=page)
    assert (await chat_of(evening)).rules == preset("selminha")


async def test_a_name_that_no_table_has_lists_those_that_there_are(evening: Evening, ann: Somebody) -> None:
    page = await opened(ann, FRIENDS, "/rules pokerr")
    assert page.lines[1] == "Note: There is no table of that name. These are here:"
    assert [
        name for name in ("Selminha", "Poker Three", "California", "6-Card Bonus") if f"\n{name}: Ante" in page.text
    ]
    page = await presses(ann, page, "\u2068Poker Three", "Use this table")
    assert page.first == "The table in Poker Friends · Poker Three"


async def test_the_passport_in_the_message_of_the_settings_leads_back_there(evening: Evening, ann: Somebody) -> None:
    page = await presses(
        ann, await opened(ann), "Table: ", "Choose another table", "Own table", "Limits", "Back", "Back"
    )
    page = await presses(ann, page, "Back")
    assert page.first == "The table in Poker Friends · Selminha"
    page = await presses(ann, page, "Back")
    assert page.first == "Settings of Poker Friends"

    alone = await opened(ann, FRIENDS, "/rules")
    assert alone.labels == ["Choose another table"]


async def test_a_new_table_begins_with_the_next_night(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    await bob.says("/deal@q64_local_bot", FRIENDS)
    page = await opened(ann, FRIENDS, "/rules")
    page = await presses(ann, page, "Choose another table", "\u2068California")
    assert page.first == "Not in use yet · California"
    told = await ann.taps("Use this table", on=page)
    assert told.text == "California: from the next night on. Nights under way keep their rules."
    page = ann.message(page)
    assert page.first == "The table in Poker Friends · California"
    assert page.lines[-1] == "Table: California · set by Ann"

    assert (await evening.round(bob, FRIENDS)).rules == preset("selminha")
    await bob.taps("Deal 25", FRIENDS)
    await bob.taps("Fold", FRIENDS)
    assert (await evening.round(bob, FRIENDS)).rules == preset("selminha")
    await bob.says("/cashout@q64_local_bot", FRIENDS)
    await bob.says("/deal@q64_local_bot", FRIENDS)
    assert (await evening.round(bob, FRIENDS)).rules == preset("california")


async def test_an_own_table_is_made_step_by_step_and_outlives_a_restart(evening: Evening, ann: Somebody) -> None:
    page = await presses(ann, await opened(ann, FRIENDS, "/rules"), "Choose another table", "Own table")
    page = await presses(ann, page, "Ante bonus")
    assert [label for label in page.labels if "%" in label] == [
        "none (8.66\u00a0%)", "✓ 5-4-1 (3.37\u00a0%)", "5-3-1 (3.61\u00a0%)", "4-3-1 (3.83\u00a0%)",
    ]  # fmt: skip
    page = await presses(ann, page, "4-3-1", "Back")
    assert "Ante 3.8255\u00a0%" in page.text
    assert "Selminha 3.3730\u00a0%" in page.text
    assert (await chat_of(evening)).rules == preset("selminha")

    await evening.restart()
    page = await presses(
        ann, page, "Pair Plus", "40-30-6-3-1", "Back", "6-Card Bonus", "on", "Back", "Ante required", "no", "Back"
    )
    page = await presses(ann, page, "Use this table")
    assert page.first == "The table in Poker Friends · own table"
    rules = (await chat_of(evening)).rules
    assert (rules.ante_bonus.straight_flush, rules.ante_required) == (4, False)
    assert rules.pair_plus is not None
    assert rules.pair_plus.flush == 3
    assert rules.six_card is not None
    assert (await options(evening)).draft is None


async def test_the_own_table_that_is_used_is_the_one_that_was_shown(evening: Evening, ann: Somebody) -> None:
    page = await presses(ann, await opened(ann, FRIENDS, '/rules {"ante_bonus":null}'))
    use = page.payload("Use this table")
    await presses(ann, page, "Ante required", "no")

    assert "The table was changed meanwhile" in await ann.sends(use, page)
    assert (await chat_of(evening)).rules == preset("selminha")


async def test_a_table_on_which_players_have_the_edge_says_so(evening: Evening, ann: Somebody) -> None:
    page = await opened(ann, None, '/rules {"name":"Gift","ante_bonus":{"straight":9}}')
    assert "The players have the edge on: Ante." in page.text
    page = await presses(ann, page, "Use this table")
    assert page.first == "Your private table · Gift"
    assert "The players have the edge on: Ante." in page.text


@pytest.mark.parametrize(
    "words, note",
    [
        ("{", "It has to be one JSON object, in braces."),
        ("[1]", "It has to be one JSON object, in braces."),
        ('{"colour":1}', "colour: There is no such key."),
        ('{"<b>":1}', "b: There is no such key."),
        ('{"buy_in":2.5}', "buy_in: It has to be a whole number."),
        ('{"limits":{"ante":[100,5]}}', "limits.ante: The least is over the most."),
        ('{"chips":[5,5]}', "chips: The chips have to rise, each one once."),
        ('{"ante_bonus":{"straight":-1}}', "ante_bonus.straight: It cannot be under zero."),
        ('{"buy_in":5}', "buy_in: It does not pay for the smallest hand."),
    ],
)
async def test_a_table_that_is_not_fit_is_explained_and_changes_nothing(
    evening: Evening, ann: Somebody, words: str, note: str
) -> None:
    page = await opened(ann, FRIENDS, f"/rules {words}")
    assert page.lines[1] == f"Note: {note}"
    assert (await chat_of(evening)).rules == preset("selminha")
    assert (await options(evening)).draft is None


async def test_a_member_s_table_is_not_read(evening: Evening, bob: Somebody) -> None:
    word = await bob.says('/rules@q64_local_bot {"ante_bonus":null}', FRIENDS)
    assert evening.reactions(FRIENDS, word) == ("🤷",)
    assert await evening.count("SELECT COUNT(*) AS n FROM chats WHERE options LIKE '%draft%'") == 0


# Whose language


async def test_f59_boards_speak_the_language_of_whoever_added_the_bot(evening: Evening, bob: Somebody) -> None:
    group = evening.people.group(bob.id, title="Mesa", bot=False)
    evening.world.people[bob.id].language_code = "pt-br"
    evening.people.add_bot(bob.id, group)
    await evening.goes_on()
    chosen = evening.house.catalogues.chosen("pt-br").language
    assert (await chat_of(evening, group)).language == chosen


async def test_the_menu_of_admins_has_settings_and_rules(evening: Evening) -> None:
    await introduce(evening.house.application.bot, evening.house.catalogues)
    asked = [call for call in evening.calls("setMyCommands") if "all_chat_administrators" in str(call)]
    assert asked
    assert all("settings" in str(call) and "rules" in str(call) for call in asked)


async def test_the_bot_describes_itself_in_every_language_and_once(evening: Evening) -> None:
    bot, catalogues = evening.house.application.bot, evening.house.catalogues
    await introduce(bot, catalogues)
    told = evening.world.profile.descriptions, evening.world.profile.short_descriptions
    assert set(told[0]) == {"", *(language[:2] for language in catalogues.languages if language != "en")}
    assert told[0][""].startswith("Three Card Poker, for play money only.")
    assert told[1][""] == "Play money only: chips cannot be bought or cashed in."
    assert told[0]["de"] != told[0][""]
    assert all(len(text) <= 512 for text in told[0].values())
    assert all(len(text) <= 120 for text in told[1].values())

    await introduce(bot, catalogues)
    assert len(evening.calls("setMyDescription")) == len(catalogues.languages)


async def test_a_language_of_three_letters_is_not_taken_for_another_of_two(evening: Evening, tmp_path: Path) -> None:
    for code in ("fi", "fil", "zh_Hans"):
        folder = tmp_path / code / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (folder / "q64.po").write_text('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n', "utf-8")
    before = len(evening.calls("setMyCommands"))
    await introduce(evening.house.application.bot, Catalogues(tmp_path))

    told = [call["params"].get("language_code") for call in evening.calls("setMyCommands")[before:]]
    assert told == [None] * 3 + ["fi"] * 3 + ["zh"] * 3


async def test_what_an_operator_told_botfather_stays(evening: Evening) -> None:
    evening.world.profile.descriptions[""] = "Our club's own bot"
    await introduce(evening.house.application.bot, evening.house.catalogues)

    assert evening.world.profile.descriptions == {"": "Our club's own bot"}
    assert evening.world.profile.short_descriptions == {}
    assert evening.calls("setMyName") == []
