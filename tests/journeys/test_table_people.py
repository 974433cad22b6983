"""People at the group table: what they type, where else they sit, who may close it, and what gets lost meanwhile."""

from __future__ import annotations

import pytest

from bot.facts import Verb
from tests.journeys.felt import Felt, cards, cards_in
from tests.journeys.house import FRIENDS, Evening, Somebody, Toast


@pytest.fixture
def felt(evening: Evening, ann: Somebody, bob: Somebody) -> Felt:
    return Felt(evening, people={who.id: who for who in (ann, bob)})


# Words


async def test_design_every_key_is_also_a_word_in_reply_to_the_table(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=100)

    async def replies(who: Somebody, word: str) -> tuple[str, ...]:
        return evening.reactions(FRIENDS, await who.says(word, FRIENDS, reply=felt.seen))

    assert await replies(bob, "repeat") == ("🤷",)  # nothing to repeat yet
    await felt.adds(bob, 0, 25)
    assert await replies(bob, "clear") == ("👌",)
    assert await replies(bob, "deal") == ("🤷",)  # no bet
    await felt.adds(bob, 0, 20)
    with cards("5h 6c 7d", "Qs 9d 4c"):
        await felt.adds(bob, 0, 25)
        assert await felt.phase() == "betting"
        assert await replies(bob, "Deal.") == ("👌",)
    assert await felt.phase() == "deciding"
    assert await replies(ann, "play") == ("🤷",)  # who banks has no cards to play
    for word in ("play", "fold", "hint"):  # the cards were not looked at, and a hint is nobody else's business
        assert await replies(bob, word) == ("🤷",)
    assert await felt.phase() == "deciding"
    await felt.taps(bob, "My cards")
    assert await replies(bob, "J") == ("👌",)
    assert "Bob Silva 7♦️  6♣️  5♥️ straight · +75" in felt.seen.text
    assert await replies(bob, "repeat") == ("👌",)
    await felt.taps(ann, "Other bet")
    await felt.banks(ann, 100)
    assert await felt.phase() == "deciding"


async def test_f35_a_word_in_reply_to_the_table_leaves_a_hand_of_ones_own_alone(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=100)
    await bob.says("/deal 25", FRIENDS)
    await bob.taps("Deal 25", FRIENDS)
    await felt.bets(bob, 25)
    await felt.taps(bob, "My cards")
    table = felt.seen

    await bob.says("fold", FRIENDS, reply=table)
    assert await felt.phase() == "showdown"
    assert "Play 25" in bob.board(FRIENDS).labels
    word = await bob.says("fold", FRIENDS, reply=bob.board(FRIENDS))
    assert evening.reactions(FRIENDS, word) == ()
    assert "Play 25" not in bob.board(FRIENDS).labels


# Places


async def test_the_same_person_sits_in_several_groups(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    other = evening.people.group(ann.id, title="Other friends", members=[bob.id])
    here, there = (Felt(evening, chat) for chat in (FRIENDS, other))
    await here.starts(ann, bob, bank=100)
    await there.starts(bob, ann, bank=200)
    await here.bets(bob, 25)
    await there.bets(ann, 50)

    assert [await here.chips(ann), await there.chips(bob)] == [400, 300]
    await here.plays(bob)
    assert (await here.phase(), await there.phase()) == ("showdown", "deciding")
    await there.folds(ann)
    for felt in (here, there):
        assert await felt.chips(ann) + await felt.chips(bob) == 1000
    assert await there.chips(ann) == 450


async def test_nobody_is_left_and_the_table_says_so_with_the_key_that_helps(
    felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob)
    await ann.says("/table leave", FRIENDS)
    assert "Only Bob Silva is here." in felt.seen.text
    assert felt.seen.labels == ["Sit", "Close"]
    await bob.says("/table leave", FRIENDS)
    assert "Nobody sits here." in felt.seen.text
    assert felt.seen.labels == ["Sit"]


# Rights


async def test_f107_who_may_close_is_asked_of_telegram_at_each_tap(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.sits(ann)
    key = felt.seen.payload("Close")
    await felt.sits(bob)
    assert await bob.sends(key, felt.seen) == Toast("Only the admins of this chat choose that.")
    evening.people.promote(ann.id, FRIENDS, member=bob.id)
    evening.people.demote(ann.id, FRIENDS, member=bob.id)
    await evening.goes_on()
    assert await bob.sends(key, felt.seen) == Toast("Only the admins of this chat choose that.")
    assert await felt.phase() == "lobby"

    evening.people.anonymous(ann.id, FRIENDS, "/table@q64_local_bot close now")  # F03: that would sit down
    await evening.goes_on()
    assert await felt.phase() == "lobby"
    assert await evening.count("SELECT COUNT(*) AS n FROM seats") == 2
    evening.people.anonymous(ann.id, FRIENDS, "/table@q64_local_bot close")  # F04
    await evening.goes_on()
    await evening.rests()
    assert "The table is closed." in felt.seen.text


# What gets lost


async def test_f12_the_banker_blocks_the_bot_and_the_hand_is_finished(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await ann.says("/start")
    await felt.starts(ann, bob, bank=100)
    await felt.bets(bob, 25)
    evening.people.block(ann.id)
    await evening.goes_on()
    await felt.plays(bob)
    assert await felt.phase() == "showdown"
    assert await felt.chips(ann) + await felt.chips(bob) == 1000


async def test_f27_a_deleted_table_is_sent_anew_once(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=100)
    gone = felt.seen
    evening.people.delete_message(ann.id, FRIENDS, gone.id)
    await evening.passes(31)  # nobody has bet, so the bank is offered again

    again = felt.seen
    assert again.id != gone.id
    assert "Offered to Ann" in again.text
    await felt.banks(ann, 100)
    await felt.bets(bob, 25)
    assert felt.seen.id == again.id


# Cards


async def test_f106_until_the_showdown_a_card_is_in_its_owners_alert_and_nowhere_else(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    dasha = evening.dasha
    await felt.starts(ann, bob, dasha, bank=100)
    await felt.bets(bob, 25, 5)
    await felt.bets(dasha, 25)
    await felt.nothing_leaks()
    assert cards_in((await felt.taps(bob, "My cards")).text)
    await felt.taps(bob, "Hint")
    await felt.taps(bob, "Fold")
    await ann.hears("/fair", FRIENDS)
    await ann.hears("/stats", FRIENDS)
    await ann.hears("/table", FRIENDS)
    await felt.nothing_leaks()
    assert not [key for row in felt.seen.rows for key in row if cards_in(key["text"] + key.get("callback_data", ""))]
    assert Verb.TABLE_CARDS.value in felt.seen.payload("My cards")
