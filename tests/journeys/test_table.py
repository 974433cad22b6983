"""The group table through the chat: the worked example, what happens twice or late, and who may do what."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.facts import Tap, Verb
from core.rules import PRESETS, SELMINHA
from core.table import Betting, Deciding, Ended, Offered
from tests.journeys.felt import Felt, cards, cards_in
from tests.journeys.house import FRIENDS, Evening, Somebody, Toast

EXAMPLE = ("5h 6c 7d", "Qh 8c 2d", "Jd 7s 2h", "8s 8d 3c", "Qs 9d 4c")


@pytest.fixture
def felt(evening: Evening, ann: Somebody, bob: Somebody) -> Felt:
    return Felt(evening, people={who.id: who for who in (ann, bob)})


async def example(evening: Evening, felt: Felt, *, bank: int) -> dict[str, int]:
    """The worked example of RULES section 3, played in the chat; chips won or lost, by name."""
    ann, bob = evening.ann, evening.bob
    cy, dee, eve = (evening.guest(name) for name in ("Cy", "Dee", "Eve"))
    await felt.rules(PRESETS["california"])
    await felt.starts(eve, ann, bob, cy, dee, bank=bank)
    await felt.bets(ann, 20, 10)
    await felt.bets(bob, 30)
    await felt.bets(cy, 10, 5)
    with cards(*EXAMPLE):
        await felt.bets(dee, 25, 10)
        await felt.plays(ann)
        await felt.plays(bob)
        await felt.folds(cy)
        await felt.plays(dee)
    return {who.name: await felt.chips(who) - 500 for who in (ann, bob, cy, dee, eve)}


@pytest.mark.parametrize(
    "bank, nets",
    [
        pytest.param(
            500, {"Ann": 120, "Bob": -60, "Cy": -15, "Dee": 60, "Eve": -105}, id="RULES 3: against a full bank"
        ),
        pytest.param(100, {"Ann": 120, "Bob": -60, "Cy": -15, "Dee": 55, "Eve": -100}, id="RULES 3: a bank of 100"),
        pytest.param(20, {"Ann": 95, "Bob": -60, "Cy": -15, "Dee": 0, "Eve": -20}, id="RULES 3: a bank of 20"),
    ],
)
async def test_rules_3_the_worked_example(evening: Evening, felt: Felt, bank: int, nets: dict[str, int]) -> None:
    assert await example(evening, felt, bank=bank) == nets
    text = felt.seen.text
    assert "🏦 Eve: Q♠️  9♦️  4♣️ · queen high, qualifies" in text
    assert f"🏦 Eve −{-nets['Eve']}, and may bank once more; then Ann is asked." in text
    assert "Ann 7♦️  6♣️  5♥️ straight · +" in text


async def test_rules_3_the_other_way_a_bank_of_50_collects_50(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    cy = evening.guest("Cy")
    await felt.rules(PRESETS["california"])
    await felt.starts(ann, bob, cy, bank=50)
    await felt.bets(bob, 30)
    with cards("Qh 8c 2d", "Jd 7s 2h", "As Ad 4c"):
        await felt.bets(cy, 10, 5)
        await felt.plays(bob)
        await felt.folds(cy)

    assert [await felt.chips(who) for who in (ann, bob, cy)] == [550, 450, 500]
    assert "−50 (of −60: the bank takes no more)" in felt.seen.text


async def test_f103_a_bank_that_cannot_cover_loses_itself_and_not_a_chip_more(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    cy = evening.guest("Cy")
    await felt.starts(ann, bob, cy, bank=50)
    await felt.bets(bob, 25, 25)
    with cards("Qh 8c 2d", "9h Th Jh", "7s 5d 2c"):
        await felt.bets(cy, 25, 25)
        await felt.plays(bob)
        await felt.plays(cy)

    chips = [await felt.chips(who) for who in (ann, bob, cy)]
    assert sum(chips) == 1500
    assert chips[0] == 450


async def test_f88_only_bo_ties_and_nobody_else_does(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    bo, cy = evening.guest("Bo"), evening.guest("Cy")
    await felt.starts(ann, bo, bob, cy, bank=300)
    await felt.bets(bo, 25)
    await felt.bets(bob, 25)
    with cards("Qs 9h 4d", "As 8d 3c", "Qh 8c 2d", "Qd 9c 4s"):
        await felt.bets(cy, 25)
        for who in (bo, bob, cy):
            await felt.plays(who)

    assert [await felt.chips(who) for who in (bo, bob, cy)] == [500, 550, 450]
    assert "Bo Q♠️  9♥️  4♦️ queen high · 0" in felt.seen.text


# Coming and going


async def test_table_in_private_is_one_sentence(ann: Somebody) -> None:
    sent = await ann.hears("/table")

    assert [seen.text for seen in sent] == ["A table is for a group: say /table there, and two people can begin."]


async def test_f100_nobody_sits_twice(evening: Evening, felt: Felt, ann: Somebody, bob: Somebody) -> None:
    await felt.sits(ann)
    taps = [bob.sends(felt.seen.payload("Sit"), felt.seen, rest=False) for _ in range(2)]
    toasts = [toast.text for toast in await asyncio.gather(*taps)]
    assert "You sit here already." in toasts
    assert [who.name for who in await felt.sitting()] == ["Ann", "Bob"]

    await evening.goes_on()
    await felt.taps(bob, "Leave")
    await felt.taps(bob, "Sit")
    assert [who.name for who in await felt.sitting()] == ["Ann", "Bob"]
    assert await felt.chips(bob) == 500


async def test_f100_join_right_after_the_table_closed(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.sits(ann)
    old = felt.seen
    assert await felt.taps(ann, "Close") == Toast("The table is closed.")
    assert ann.message(old).labels == []
    assert await bob.sends(old.payload("Sit"), old) == Toast("This table is closed. /table opens another.")
    await felt.sits(bob)
    assert felt.seen.id != old.id
    assert [who.name for who in await felt.sitting()] == ["Bob"]


async def test_a_second_message_of_a_table_that_has_ended_loses_its_keys_by_a_tap(
    evening: Evening, felt: Felt, ann: Somebody
) -> None:
    """Telegram took a message and did not say so; the table was brought anew, and closed."""
    evening.forgives = {"call_given_up"}
    evening.faults(method="sendMessage", kind="timeout_after", times=1)
    with evening.impatient():
        await felt.sits(ann)
    stray = felt.seen
    await evening.restart()
    assert felt.seen.id != stray.id
    await felt.taps(ann, "Close")
    assert ann.message(stray).labels == ["Sit", "Close"]

    toast = await ann.sends(stray.payload("Sit"), stray)

    assert toast == Toast("This table is closed. /table opens another.")
    assert ann.message(stray).labels == []


async def test_table_said_again_nods_and_far_up_brings_the_table_down(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.sits(ann)
    first = felt.seen
    word = await ann.says("/table", FRIENDS)
    assert evening.reactions(FRIENDS, word) == ("👌",)
    for _ in range(16):
        await bob.says("chatter", FRIENDS)
    await ann.says("/table", FRIENDS)
    await evening.rests()

    assert felt.seen.id > first.id
    assert ann.message(first).labels == []
    assert await bob.taps("Sit", on=first) == Toast("That key is no longer in use. /deal brings your board.")
    assert "You sit at the table" in await felt.taps(bob, "Sit")


async def test_f104_anybody_seated_starts_when_the_opener_has_left_the_group(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    cy = evening.guest("Cy")
    await felt.sits(cy, ann, bob)
    evening.people.leave(cy.id, FRIENDS)
    await evening.goes_on()
    assert [who.name for who in await felt.sitting()] == ["Ann", "Bob"]

    await felt.taps(bob, "Start")
    assert await felt.offered() == ann


async def test_f104_an_idle_lobby_closes_by_itself(evening: Evening, felt: Felt, ann: Somebody) -> None:
    await felt.sits(ann)
    await evening.passes(10 * 60)
    assert await felt.phase() == "lobby"
    await evening.passes(6 * 60)
    assert "The table is closed." in felt.seen.text
    assert felt.seen.labels == []


async def test_who_does_not_sit_there_is_told_how_to(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    dasha = evening.dasha
    await felt.starts(ann, bob, bank=100)

    assert "/table" in await dasha.taps("Ready", on=felt.seen)
    await felt.sits(dasha)
    assert "Dasha: betting" in felt.seen.text


async def test_eight_seats_and_no_more(evening: Evening, felt: Felt, ann: Somebody) -> None:
    await felt.sits(*(evening.guest(name) for name in ("B", "C", "D", "E", "F", "G", "H")), ann)
    late = evening.guest("Late")
    assert await late.taps("Sit", on=felt.seen) == Toast("All 8 seats are taken.")
    word = await late.says("/table", FRIENDS)
    assert len((await felt.table()).seats) == 8
    assert evening.reactions(FRIENDS, word) == ("👌",)


# Bank


async def test_boards_4_the_bank_goes_to_whom_it_is_offered(felt: Felt, ann: Somebody, bob: Somebody) -> None:
    await felt.starts(ann, bob)
    assert felt.seen.labels == ["Bank 100", "Bank 300", "Bank all 500", "Pass"]

    assert await felt.taps(bob, "Bank 100") == Toast("The bank is offered to Ann just now.")
    assert await felt.taps(bob, "Pass") == Toast("The bank is offered to Ann just now.")
    assert await felt.taps(ann, "Pass") == Toast("You pass; the next one is asked.")
    assert "Offered to Bob" in felt.seen.text
    assert await felt.taps(bob, "Bank 100") == Toast("You bank 100 for this hand. 400 left.")
    assert (await felt.chips(bob), await felt.chips(ann)) == (400, 500)


async def test_nobody_banks_and_the_house_is_asked(felt: Felt, ann: Somebody, bob: Somebody) -> None:
    await felt.starts(ann, bob)
    await felt.taps(ann, "Pass")
    await felt.taps(bob, "Pass")
    assert "Nobody wants the bank." in felt.seen.text
    assert felt.seen.labels == ["Bank 100", "House banks"]

    await felt.taps(ann, "House banks")
    assert "🏦 The house banks (first of two hands)" in felt.seen.text
    await felt.bets(ann, 25)
    with cards("5h 6c 7d", "Qh 8c 2d", "Qs 9d 4c"):
        await felt.bets(bob, 25)
        await felt.plays(ann)
        await felt.plays(bob)
    assert (await felt.chips(ann), await felt.chips(bob)) == (575, 450)
    assert "🏦 The house −25, and banks once more." in felt.seen.text


async def test_a_group_lets_the_house_bank_always(evening: Evening, felt: Felt, ann: Somebody, bob: Somebody) -> None:
    await felt.rules(SELMINHA, bank="house")
    await felt.starts(ann, bob)

    assert "🏦 The house banks\n" in felt.seen.text
    assert (await felt.table()).stage != Offered(user=1)


# Bets and decisions


async def test_boards_5_every_tap_counts_but_a_repeated_callback(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=100)
    old = felt.seen
    for _ in range(3):
        await bob.taps("Ante +5", on=old)
    assert await felt.taps(bob, "Ante −5") == Toast("Ante 10. 490 left. Tap Ready.")
    evening.people.repeat(1)
    await evening.goes_on()
    assert await felt.taps(bob, "Pair Plus +5") == Toast("Ante 10, Pair Plus 5. 485 left. Tap Ready.")
    assert await felt.taps(bob, "Clear") == Toast("No bet on the table.")
    assert "bet" in await felt.taps(bob, "Ready")
    assert await felt.chips(bob) == 500


async def test_cal_a_refusal_at_the_table_names_its_spots_and_none_of_the_keys_of_other_boards(
    felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.rules(PRESETS["california"])
    await felt.starts(ann, bob, bank=100)

    await felt.adds(bob, 1, 100)
    assert await felt.adds(bob, 1, 5) == Toast("Bonus ends at 100.")
    assert await felt.adds(bob, 0, 500) == Toast("Not with 500: Ante ends at 100.")
    assert await felt.adds(bob, 2, 5) == Toast("This table has no 6-Card Bonus.")
    assert "Bonus +5" in felt.seen.labels
    assert not [label for label in felt.seen.labels if "Pair Plus" in label]
    assert "Pair Plus" not in await felt.taps(bob, "Ready")


async def test_a_table_without_pair_plus_names_it_nowhere(felt: Felt, ann: Somebody, bob: Somebody) -> None:
    await felt.rules(replace(SELMINHA, name="bare", pair_plus=None))
    await felt.starts(ann, bob, bank=100)

    assert felt.seen.labels == ["Ante −5", "Ante +5", "Ante +25", "Ante +100", "Clear", "Same bet", "Ready"]
    await felt.bets(bob, 25)
    toasts = [await felt.taps(bob, "My cards"), await felt.taps(bob, "Hint"), await felt.taps(bob, "Play")]
    told = "\n".join([felt.seen.text, *(toast.text for toast in toasts)])
    assert "Pair Plus" not in told


async def test_f21_ready_twice_stakes_once(evening: Evening, felt: Felt, ann: Somebody, bob: Somebody) -> None:
    cy = evening.guest("Cy")
    await felt.starts(ann, bob, cy, bank=100)
    await felt.adds(bob, 0, 25)
    payload, seen = felt.seen.payload("Ready"), felt.seen
    toasts = await asyncio.gather(*(bob.sends(payload, seen, rest=False) for _ in range(2)))

    assert "You are ready: your bets are final for this hand." in [toast.text for toast in toasts]
    assert await felt.chips(bob) == 450
    await evening.goes_on()


async def test_boards_4_play_before_a_look_shows_the_cards_and_decides_nothing(
    felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=100)
    with cards("5h 6c 7d", "Qs 9d 4c"):
        toast = await felt.bets(bob, 20, 10)
        assert "The cards are out: tap My cards." in toast
        first = await felt.taps(bob, "Fold")
        assert first.alert
        assert "7♦️  6♣️  5♥️ · straight. Ante 20, Pair Plus 10. Play costs 20." in first
        assert await felt.phase() == "deciding"
        toast = await felt.taps(bob, "Play")

    assert "straight. You play 20. +" in toast
    assert await felt.phase() == "showdown"


async def test_f35_a_key_of_the_last_hand_moves_nothing_in_this_one(felt: Felt, ann: Somebody, bob: Somebody) -> None:
    await felt.starts(ann, bob, bank=100)
    await felt.bets(bob, 25)
    old = felt.seen
    play = old.payload("Play")
    await felt.plays(bob)
    await felt.taps(bob, "Same bet")
    await felt.taps(ann, "Other bet")
    await felt.banks(ann, 100)
    assert await felt.phase() == "deciding"

    assert await bob.sends(play, felt.seen) == Toast("That hand is over. Look at the table as it is now.")
    assert await felt.phase() == "deciding"


async def test_same_bet_at_the_showdown_is_ready_when_bets_open_and_its_seal_was_on_show(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=100)
    await felt.bets(bob, 25)
    await felt.plays(bob)
    sealed = felt.seen.links[-1].rpartition("start=")[2]

    assert "The same in the next hand, as soon as bets open: Ante 25." in await felt.taps(bob, "Same bet")
    await felt.taps(ann, "Other bet")
    await felt.banks(ann, 100)
    round_ = await evening.house.store.read(lambda tx: tx.tables.by_commitment(sealed))
    assert round_ is not None
    assert round_.id == (await felt.place()).round_id


async def test_f33_payloads_by_hand_move_nothing(felt: Felt, ann: Somebody, bob: Somebody) -> None:
    await felt.starts(ann, bob, bank=100)
    place = await felt.place()
    for verb, numbers in (
        (Verb.TABLE_ADD, (0, 7)),
        (Verb.TABLE_ADD, (9, 25)),
        (Verb.TABLE_ADD, (0, 999_999_999)),
        (Verb.TABLE_TAKE, (0, 25)),
        (Verb.TABLE_BANK, (100,)),
        (Verb.TABLE_PLAY, ()),
        (Verb.TABLE_START, ()),
        (Verb.TABLE_HOUSE, ()),
    ):
        for board in (place.id, place.id + 1):
            tap = Tap(verb=verb, board=board, round=place.round_id, numbers=numbers)
            assert (await bob.sends(tap.pack(), felt.seen)).text
    after = await felt.place()
    assert (after.table.stage, after.round_id) == (place.table.stage, place.round_id)
    assert felt.seen.labels[-2:] == ["Same bet", "Ready"]
    assert await felt.chips(bob) == 500


async def test_a_page_of_the_settings_is_never_turned_in_the_tables_message(
    felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.sits(ann, bob)
    await ann.sends("1:S:0:0:0:0", felt.seen)
    assert felt.seen.first == "Table in Poker Friends"
    assert felt.seen.labels == ["Sit", "Leave", "Start"]


async def test_hint_is_an_alert_about_ones_own_cards(felt: Felt, ann: Somebody, bob: Somebody) -> None:
    await felt.starts(ann, bob, bank=100)
    await felt.bets(bob, 25, 5)

    toast = await felt.taps(bob, "Hint")
    assert toast.alert
    assert toast.text.startswith(("PLAY. On average: play ", "FOLD. On average: play "))
    assert not cards_in(toast.text)
    assert await felt.taps(ann, "Hint") == Toast("You bank this hand: there is nothing for you to bet or decide.")


# Bankrolls


async def test_a_solo_hand_and_the_table_never_spend_the_same_chip(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=200)
    await bob.says("/deal 100", FRIENDS)
    await bob.taps("Deal 100", FRIENDS)
    assert await felt.chips(bob) == 300
    await felt.adds(bob, 0, 100)
    await felt.taps(bob, "Ready")
    assert await felt.chips(bob) == 100
    await bob.taps("Fold", FRIENDS)
    await evening.audit()
    assert await felt.chips(bob) == 200
    word = await bob.says("/cashout", FRIENDS)

    board = bob.board(FRIENDS)
    assert "Note: The table holds chips of yours: cash out when its hand is over." in board.text
    assert word
    await felt.plays(bob)
    await bob.says("/cashout", FRIENDS)
    assert bob.board(FRIENDS).first.startswith("Bob Silva leaves with ")


async def test_a_settled_hand_counts_in_the_night_and_its_net_too(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=200)
    with cards("5h 6c 7d", "7s 5d 2c"):
        await felt.bets(bob, 20)
        await felt.plays(bob)
    seat = await evening.seat(bob, FRIENDS)
    assert seat.night_id is not None
    night = await evening.house.store.read(lambda tx: tx.nights.get(seat.night_id or 0))
    assert night is not None
    assert night.hands == 1
    assert await evening.house.store.read(lambda tx: tx.nights.nets(night.id, last=5)) == (40,)
    await bob.says("/deal", FRIENDS)
    await bob.says("/cashout", FRIENDS)
    await bob.says("/top", FRIENDS)
    assert any("540" in seen.text for seen in bob.sees(FRIENDS))


async def test_broke_at_the_table_ends_the_night_and_table_begins_another(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.rules(
        replace(SELMINHA, name="large", limits=replace(SELMINHA.limits, ante=replace(SELMINHA.limits.ante, most=250)))
    )
    await felt.starts(ann, bob, bank=500)
    with cards("7s 5d 2c", "Qs 9d 4c"):
        await felt.bets(bob, 250)
        await felt.plays(bob)
    assert (await evening.seat(bob, FRIENDS)).night_id is None
    assert await felt.chips(bob) == 0
    assert "Your night is over." in await felt.taps(bob, "Same bet")
    await felt.sits(bob)
    assert await felt.chips(bob) == 500
    assert [who.name for who in await felt.sitting()] == ["Ann", "Bob"]


async def test_w37_black_list_and_break_keep_from_ready_and_bank(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=100)
    await bob.says("/break 1d")
    await felt.adds(bob, 0, 25)
    assert "break" in await felt.taps(bob, "Ready")
    assert await felt.chips(bob) == 500


# Closing


async def test_an_admin_closes_the_table_and_undealt_bets_return(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    cy = evening.guest("Cy")
    await felt.starts(bob, ann, cy, bank=100)
    await felt.bets(cy, 25)
    word = await bob.says("/table close", FRIENDS)
    assert await felt.phase() == "betting"
    assert evening.reactions(FRIENDS, word) == ("🤷",)
    await ann.says("/table close", FRIENDS)  # the group's creator

    assert "The table is closed." in felt.seen.text
    assert [await felt.chips(who) for who in (ann, bob, cy)] == [500, 500, 500]


async def test_an_admin_closes_the_table_and_the_hand_in_play_is_finished(
    felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(bob, ann, bank=100)
    with cards("5h 6c 7d", "Qs 9d 4c"):
        await felt.bets(ann, 20)
        await ann.says("/table close", FRIENDS)
        assert "This hand is the last" in felt.seen.text
        await felt.plays(ann)
    assert "Ann 7♦️  6♣️  5♥️ straight · +60" in felt.seen.text
    assert "The table is closed." in felt.seen.text
    assert felt.seen.labels == []


async def test_boards_rule_6_closing_it_again_is_no_note_on_the_admins_own_board(
    felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await ann.says("/deal 25", FRIENDS)
    await felt.starts(bob, ann, bank=100)
    await felt.bets(ann, 20)
    for _ in range(2):
        await ann.says("/table close", FRIENDS)

    assert "This hand is the last" in felt.seen.text
    assert "Note:" not in ann.board(FRIENDS).text


# Chats that are lost, topics


async def test_f11_the_bot_is_removed_and_every_undealt_chip_returns(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    cy = evening.guest("Cy")
    await felt.starts(ann, bob, cy, bank=100)
    await felt.bets(bob, 25)
    evening.people.kick_bot(ann.id, FRIENDS)
    await evening.goes_on()
    before = len(evening.world.log or ())
    await evening.passes(120)

    assert len(evening.world.log or ()) == before
    assert [await felt.chips(who) for who in (ann, bob, cy)] == [500, 500, 500]


async def test_f11_the_bot_is_removed_in_mid_round_and_the_hand_is_finished_without_it(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=100)
    await felt.bets(bob, 25)
    evening.people.kick_bot(ann.id, FRIENDS)
    await evening.goes_on()
    place = await felt.place()
    assert isinstance(place.table.stage, Deciding)
    await evening.passes(60)

    kept = await evening.house.store.read(lambda tx: tx.tables.any(place.id))
    assert kept is not None
    assert isinstance(kept.table.stage, Ended)
    assert await felt.chips(ann) + await felt.chips(bob) == 1000


async def test_f10_a_table_that_cannot_appear_holds_no_chip(evening: Evening, felt: Felt, ann: Somebody) -> None:
    evening.faults(method="sendMessage", chat=FRIENDS, kind="no_rights", times=5)
    await ann.says("/table", FRIENDS)
    await evening.rests()

    assert await evening.house.store.read(lambda tx: tx.tables.live(FRIENDS)) is None
    assert await felt.chips(ann) == 500


async def test_f07_in_a_forum_the_table_stays_in_its_topic(evening: Evening, ann: Somebody, bob: Somebody) -> None:
    forum = evening.people.group(ann.id, title="Forum", is_forum=True, members=[bob.id])
    topic = evening.people.topic(ann.id, forum, "create", name="Cards")
    felt = Felt(evening, forum, {who.id: who for who in (ann, bob)})
    evening.people.send(ann.id, forum, "/table", thread=topic)
    await evening.goes_on()
    await felt.taps(bob, "Sit")
    await felt.taps(bob, "Start")
    await evening.passes(35)  # the timer fires: Ann has not put up a bank
    evening.people.send(bob.id, forum, "/table")  # from another topic
    await evening.goes_on()

    there = [
        message for message in evening.world.messages[forum].values() if message.sender_id == evening.world.profile.id
    ]
    tables = [message for message in there if (message.text or "").startswith("Table")]
    assert {message.thread_id for message in tables} == {topic}


async def test_f09_the_topic_is_closed_and_a_dealt_hand_is_still_finished(
    evening: Evening, ann: Somebody, bob: Somebody
) -> None:
    forum = evening.people.group(ann.id, title="Forum", is_forum=True, members=[bob.id])
    topic = evening.people.topic(ann.id, forum, "create", name="Cards")
    felt = Felt(evening, forum, {who.id: who for who in (ann, bob)})
    evening.people.send(ann.id, forum, "/table", thread=topic)
    await evening.goes_on()
    await felt.taps(bob, "Sit")
    await felt.taps(bob, "Start")
    await felt.banks(ann, 100)
    await felt.bets(bob, 25)
    evening.people.topic(ann.id, forum, "close", thread=topic)
    await evening.goes_on()
    await felt.plays(bob)

    assert await felt.phase() in {"showdown", "ended"}
    assert await felt.chips(ann) + await felt.chips(bob) == 1000


# The cut


async def test_boards_7_dice_in_reply_cut_the_hand_once(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    dasha = evening.dasha
    await felt.starts(ann, bob, bank=100)

    async def throws(who: Somebody, emoji: str, value: int, reply_to: int | None) -> tuple[str, ...]:
        number = evening.people.dice(who.id, FRIENDS, emoji, value, reply_to=reply_to)
        await evening.goes_on()
        return evening.reactions(FRIENDS, number)

    assert await throws(ann, "🎲", 3, None) == ()
    assert await throws(dasha, "🎲", 2, felt.seen.id) == ("🤷",)
    assert await throws(bob, "🎲", 4, felt.seen.id) == ("👌",)
    assert await throws(ann, "🎰", 64, felt.seen.id) == ("🤷",)
    await evening.rests()
    assert "Cut by Bob Silva: 4" in felt.seen.text

    await bob.says("/fair lucky socks")
    await felt.bets(bob, 25)
    round_ = await evening.house.store.read(lambda tx: tx.tables.round(900_000_001))
    assert round_ is not None
    assert round_.words == ("lucky socks", "", "cut:4")


# Chips of one seat, at the table and alone


async def test_a_board_of_ones_own_tells_of_chips_that_moved_at_the_table(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    for who in (ann, bob):
        await who.says("/deal 10", FRIENDS)
    await felt.starts(ann, bob, bank=100)
    await felt.bets(bob, 25)
    assert (ann.board(FRIENDS).first, bob.board(FRIENDS).first) == ("Ann · 400 chips", "Bob Silva · 450 chips")
    before = len(evening.bot_messages(FRIENDS))
    await felt.plays(bob)
    await evening.passes(61)

    for who in (ann, bob):
        first, labels = await evening.picture(who, FRIENDS)
        assert (who.board(FRIENDS).first, who.board(FRIENDS).labels) == (first, labels)
        assert f"{await felt.chips(who)} chips" in first
    assert len(evening.bot_messages(FRIENDS)) == before


# Proofs


async def test_a_hand_at_the_table_is_proved_by_link_by_number_and_by_file(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=100)
    seal = felt.seen.links[-1].rpartition("start=")[2]
    sent = await bob.hears(f"/start {seal}")
    assert seal in sent[-1].text
    assert "It is the SHA-256 of a secret that already exists" in sent[-1].text
    await felt.bets(bob, 25, 5)
    assert "is not settled yet" in (await bob.hears("/verify 900000001"))[-1].text
    await felt.plays(bob)

    for words in (f"/start {seal}", "/verify 900000001"):
        proof = (await bob.hears(words))[-1]
        assert proof.lines[0] == "Hand 900000001 was fixed before anybody bet."
        assert sum(line.startswith("✅") for line in proof.lines) == 4
        assert proof.labels == ["Copy secret", "File"]
    await bob.taps("File", on=proof)
    files = evening.calls("sendDocument")
    assert len(files) == 1
    stranger = evening.people.add_person(first_name="Stranger")
    told = await Somebody(evening, stranger, "Stranger").hears("/verify 900000001")
    assert told[-1].text == "There is no such hand here."


async def test_stats_and_the_file_of_the_night_know_the_table(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=100)
    with cards("5h 6c 7d", "7s 5d 2c"):
        await felt.bets(bob, 20)
        await felt.plays(bob)
    told = (await bob.hears("/stats", FRIENDS))[-1]
    assert told.lines[:3] == ["Bob Silva · 1 hand", "+40 so far", "1 hand at tables: +40"]
    assert "1 hand as the bank: −40" in (await ann.hears("/stats", FRIENDS))[-1].text
    assert (await bob.taps("Picture", on=told)).text == "The picture comes below."
    fair = (await ann.hears("/fair"))[-1]
    assert "File of the last night" in fair.labels
    assert (await ann.taps("File of the last night", on=fair)).text == "Here it comes."
    (file,) = evening.calls("sendDocument")
    assert file["params"]["chat_id"] == str(ann.id)


async def test_the_showdowns_proof_is_a_link_into_the_private_chat(felt: Felt, ann: Somebody, bob: Somebody) -> None:
    await felt.starts(ann, bob, bank=100)
    seal = felt.seen.links[-1].rpartition("start=")[2]
    await felt.bets(bob, 25)
    await felt.plays(bob)

    key = next(key for row in felt.seen.rows for key in row if key["text"] == "Proof")
    assert key["url"].endswith(f"?start={seal}")


# Clocks


async def test_f102_the_absent_block_nobody_and_give_their_place_up_after_two_hands(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    cy = evening.guest("Cy")
    await felt.starts(ann, bob, cy, bank=100)
    for hand in (1, 2):
        if hand == 2:
            await evening.passes(31)
            await felt.banks(ann, 100)
        await felt.bets(bob, 25)
        assert await felt.phase() == "betting"
        await evening.passes(31)
        assert await felt.phase() == "deciding"
        await felt.plays(bob)
    assert [who.name for who in await felt.sitting()] == ["Ann", "Bob"]
    assert "Cy was away twice: the seat is free." in felt.seen.text
    assert await felt.chips(cy) == 500


async def test_f102_no_decision_is_the_best_play_marked_auto(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=100)
    with cards("5h 6c 7d", "Qs 9d 4c"):
        await felt.bets(bob, 20)
    await evening.passes(41)

    assert "straight, auto · +60" in felt.seen.text


async def test_speeds_are_the_groups_choice(evening: Evening, felt: Felt, ann: Somebody, bob: Somebody) -> None:
    await felt.rules(SELMINHA, speed="fast")
    await felt.starts(ann, bob)
    await evening.passes(16)
    assert await felt.offered() == bob
    await felt.rules(SELMINHA, speed="none")
    await felt.taps(bob, "Bank 100")
    assert "Until all are ready" in felt.seen.text
    await evening.passes(3600)
    assert isinstance((await felt.table()).stage, Betting)


@pytest.mark.postgres
@pytest.mark.parametrize("database", ["postgres"], indirect=True)
async def test_a_hand_on_postgresql_with_a_restart_in_its_middle(
    evening: Evening, felt: Felt, ann: Somebody, bob: Somebody
) -> None:
    await felt.starts(ann, bob, bank=100)
    await felt.bets(bob, 25)
    seen = felt.seen
    evening.unanswered = True
    await evening.restart()
    assert felt.seen == seen
    await felt.plays(bob)
    assert await felt.phase() == "showdown"
    assert await felt.chips(ann) + await felt.chips(bob) == 1000
