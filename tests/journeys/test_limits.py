"""What costs work comes at most once in a while per person, and only for that person."""

from __future__ import annotations

from tests.journeys.house import FRIENDS, Evening, Seen, Somebody


async def night(somebody: Somebody) -> Seen:
    """A hand is played; the page of `/fair`, where the night's file is."""
    await somebody.says("/deal 25")
    await somebody.taps("Deal")
    await somebody.taps("Play")
    return (await somebody.hears("/fair"))[-1]


def files(evening: Evening, somebody: Somebody) -> list[int]:
    kept = evening.world.messages.get(somebody.id, {}).values()
    return [each.message_id for each in kept if each.document is not None]


async def test_a_nights_file_comes_once_in_ten_seconds(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    hers, his = await night(ann), await night(bob)
    assert (await ann.taps("File of the last night", on=hers)).text == "Here it comes."
    assert "again in 10 seconds" in await ann.taps("File of the last night", on=hers)
    assert (await bob.taps("File of the last night", on=his)).text == "Here it comes."
    assert (len(files(evening, ann)), len(files(evening, bob))) == (1, 1)

    await evening.clock.advance(10)
    assert (await ann.taps("File of the last night", on=hers)).text == "Here it comes."
    assert len(files(evening, ann)) == 2


async def test_a_file_is_checked_once_in_ten_seconds(evening: Evening, ann: Somebody) -> None:
    await ann.taps("File of the last night", on=await night(ann))
    [number] = files(evening, ann)
    document = Seen(number, ann.id, "", ())
    [said] = await ann.hears("/verify", reply=document)
    assert "holds" in said.text
    assert "holds" not in " ".join(each.text for each in await ann.hears("/verify", reply=document))
    assert "Your file was sent a moment ago: again in" in ann.board().text

    await evening.clock.advance(10)
    assert "holds" in (await ann.hears("/verify", reply=document))[-1].text


async def test_a_picture_comes_once_in_half_a_minute(evening: Evening, ann: Somebody) -> None:
    await ann.says("/deal 25", FRIENDS)
    await ann.taps("Deal", FRIENDS)
    await ann.taps("Play", FRIENDS)
    await ann.says("/cashout", FRIENDS)
    over = ann.board(FRIENDS)
    assert "The picture comes below." in await ann.taps("Picture", on=over)
    assert "One picture at a time" in await ann.taps("Picture", on=over)
    await evening.clock.advance(30)
    assert "The picture comes below." in await ann.taps("Picture", on=over)
