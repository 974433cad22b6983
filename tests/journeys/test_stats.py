"""One's own figures, the picture of a night, and Poker Three's table, tap by tap."""

from __future__ import annotations

from dataclasses import replace

from bot.storage import Tx
from core.rules import preset
from tests.journeys.house import FRIENDS, Evening, Somebody


def _plays_p3(tx: Tx, chat_id: int) -> None:
    chat = tx.chats.get(chat_id)
    assert chat is not None
    tx.chats.put(replace(chat, rules=preset("poker-three")))


async def two_hands(ann: Somebody, at: int | None = None) -> None:
    await ann.says("/deal 25", at)
    for choice in ("Play", "Fold"):
        await ann.taps("Deal", at)
        await ann.taps(choice, at)


async def test_stats_in_private_are_one_message_with_the_picture_behind_a_key(evening: Evening, ann: Somebody) -> None:
    await two_hands(ann)

    sent = await ann.hears("/stats")

    assert len(sent) == 1
    assert sent[0].first == "Ann · 2 hands"
    assert "% of 75 chips bet came back; best play gets 97.99 %" in sent[0].text
    assert sent[0].labels == ["Picture"]


async def test_stats_in_a_group_are_a_reply_about_that_table(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    await two_hands(ann)
    await ann.says("/deal 25", FRIENDS)
    await ann.taps("Deal", FRIENDS)
    await ann.taps("Fold", FRIENDS)

    asked = await ann.says("/stats", FRIENDS)

    told = ann.sees(FRIENDS)[-1]
    assert told.first == "Ann · 1 hand"
    message = evening.world.find(told.chat, told.id)
    assert message is not None
    assert message.reply_to == asked
    assert "No hand is settled yet" in (await bob.hears("/stats", FRIENDS))[0].text


async def test_the_picture_comes_where_it_was_asked_for_and_not_too_often(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    await two_hands(ann, FRIENDS)
    await ann.taps("Cash out", FRIENDS)
    await ann.taps("Yes", FRIENDS)
    board = ann.board(FRIENDS)
    assert board.labels == ["Deal: a new night", "Top five", "Picture", "Copy result"]

    toast = await ann.taps("Picture", on=board)

    assert toast.text == "The picture comes below."
    pictures = evening.calls("sendPhoto")
    assert len(pictures) == 1
    photo = evening.world.messages[FRIENDS][ann.sees(FRIENDS)[-1].id]
    assert photo.photo
    assert (await ann.taps("Picture", on=board)).text.startswith("One picture at a time: the next one in ")
    assert "This is Ann’s board." in await bob.taps("Picture", on=board)
    await evening.clock.advance(31)
    await ann.taps("Picture", on=board)
    assert len(evening.calls("sendPhoto")) == 2


async def test_p3_pair_plus_alone_rebet_and_new_game(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal")
    await evening.house.store.run(_plays_p3, ann.id)
    await ann.says("/cashout")
    await ann.says("/deal 0 30")
    assert "All bets together: 150 at most." in ann.board().text
    assert "Play would cost" not in ann.board().text

    toast = await ann.taps("Deal 30")

    assert toast.text.startswith("You: ")
    assert "olded" not in toast.text + ann.board().text
    assert ann.board().labels == ["Change bet", "New game", "Cash out", "Proof", "Hands", "Rebet · Deal 30"]
    await ann.taps("Rebet")
    assert "Tonight: 2 hands" in ann.board().text
    assert (await ann.taps("New game")).text == "No bet on the table."
    assert "Pair Plus 0" in ann.board().text
    assert not [label for label in ann.board().labels if "Deal" in label]
