"""The use cases of solo play one by one, on both databases: what each tap does, once, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from bot.facts import Design, Ending, Face, Tap, Verb
from bot.refusals import (
    AlreadyDone,
    BetChanged,
    BettingClosed,
    DeadKey,
    HandInPlay,
    NoHand,
    NotChips,
    NotSeated,
    NotYourBoard,
)
from bot.services import solo, solo_hand, solo_pages
from bot.services.stats import expected_return, figures, night_path
from bot.storage import Store
from core.betting import Wager
from core.errors import BetTooLarge, BetTooSmall, CannotCover, ChipNotUsable, NoBet, NotAMultiple, TooManyBets
from core.rules import merged, preset
from core.settlement import Decision
from core.solo import Betting, Dealt, Settled
from tests.bot.databases import balanced, database, store
from tests.bot.sitting import Player

__all__ = ["database", "store"]

PAIR_PLUS = 1  # the spot's place in payloads


def wager_of(player: Player) -> Wager:
    following = player.seen.following
    assert following is not None
    assert isinstance(following.state, Betting)
    return following.state.wager


# /deal


async def test_boards_3_1_the_first_board_has_a_bet_already(store: Store) -> None:
    ann = Player(store)

    brought = await ann.command()

    assert brought.board.board.face is Face.FIRST
    assert (wager_of(ann), ann.seen.chips, ann.seen.seat.chip) == (Wager(ante=25), 500, 25)
    assert await balanced(store)


async def test_boards_8_deal_on_a_near_unchanged_board_sends_nothing(store: Store) -> None:
    ann = Player(store)
    await ann.command()
    standing = ann.seen.board.message_id

    again = await ann.command()

    assert again.unchanged
    assert again.board.board.message_id == standing is not None
    assert again.board.board.face is Face.FIRST


async def test_boards_8_in_private_the_board_always_comes_down(store: Store) -> None:
    ann = Player(store, user_id=7, chat_id=7, kind="private")
    await ann.command()
    standing = ann.seen.board.message_id

    brought = await ann.command()

    assert not brought.unchanged
    assert (brought.board.board.message_id, brought.board.board.old_message_id) == (None, standing)


async def test_boards_rule_12_a_board_far_up_is_brought_down(store: Store) -> None:
    ann = Player(store)
    await ann.command()
    for _ in range(16):
        next(ann.messages)

    brought = await ann.command()

    assert brought.board.board.message_id is None
    assert not brought.unchanged


@pytest.mark.parametrize(
    "amounts, words, note",
    [
        pytest.param((7,), False, NotAMultiple("ante", 7, 5), id="a bet that is none"),
        pytest.param((), True, NotChips(), id="words that are no chips"),
        pytest.param((25, 5, 5), False, TooManyBets(3, 2), id="a third word"),
        pytest.param((300,), False, BetTooLarge("ante", 300, 100), id="over the limit"),
    ],
)
async def test_boards_8_a_typed_bet_with_a_bad_part_is_empty_and_says_why(
    store: Store, amounts: tuple[int, ...], words: bool, note: Exception
) -> None:
    ann = Player(store)
    await ann.command()

    brought = await ann.command(*amounts, words=words)

    assert repr(brought.board.note) == repr(note)
    assert wager_of(ann) == Wager()
    assert Verb.DEAL not in ann.verbs


async def test_boards_rule_11_a_typed_bet_lies_on_the_board(store: Store) -> None:
    ann = Player(store)

    await ann.command(25, 5)

    assert wager_of(ann) == Wager(ante=25, pair_plus=5)
    assert ann.key(Verb.DEAL).numbers == (25, 5, 0)
    assert ann.seen.board.face is Face.BET


async def test_boards_8_during_a_hand_a_typed_bet_shows_the_hand_and_a_note(store: Store) -> None:
    ann = Player(store)
    await ann.command()
    await ann.press(Verb.DEAL)

    brought = await ann.command(50)

    assert isinstance(brought.board.note, HandInPlay)
    assert {Verb.PLAY, Verb.FOLD} <= ann.verbs


async def test_the_same_update_again_changes_nothing(store: Store) -> None:
    ann = Player(store)
    await ann.command(update_id=1)
    before = await ann.seat()

    await ann.command(100, update_id=1)

    assert (await ann.seat(), wager_of(ann)) == (before, Wager(ante=25))


# Betting


@pytest.mark.parametrize(
    "taps, expected",
    [
        pytest.param([Verb.ADD], Wager(ante=50), id="a chip more"),
        pytest.param([Verb.TAKE], Wager(), id="a chip less"),
        pytest.param([Verb.DOUBLE], Wager(ante=50), id="double"),
        pytest.param([Verb.ADD, Verb.HALF], Wager(ante=25), id="half"),
        pytest.param([Verb.MAX], Wager(ante=100), id="max"),
        pytest.param([Verb.CLEAR], Wager(), id="clear"),
    ],
)
async def test_sel_bets_are_built_by_keys(store: Store, taps: list[Verb], expected: Wager) -> None:
    ann = Player(store)
    await ann.command(25)

    for verb in taps:
        await ann.press(verb)

    assert wager_of(ann) == expected
    assert (await ann.seat()).chips == 500  # a draft moves no chip


async def test_boards_rule_5_a_repeated_callback_counts_once_an_old_picture_counts(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    add = ann.key(Verb.ADD)

    await ann.tap(add, mark=-5)
    await ann.tap(add, mark=-5)
    await ann.tap(add, mark=-6)

    assert wager_of(ann) == Wager(ante=75)


async def test_sel_the_500_chip_is_refused_with_the_reason(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    chip = next(key.tap for key in ann.keys if key.tap and key.tap.verb is Verb.CHIP and key.tap.numbers == (500,))
    await ann.tap(chip)

    with pytest.raises(ChipNotUsable) as refused:
        await ann.press(Verb.ADD)

    assert (refused.value.chip, refused.value.most) == (500, 100)
    assert ann.seen.seat.chip == 500


async def test_sel_only_what_can_be_covered_is_taken(store: Store) -> None:
    ann = Player(store)
    await ann.table(merged({"buy_in": 80}))
    await ann.command(40)

    with pytest.raises(CannotCover) as refused:
        await ann.press(Verb.ADD)

    assert (refused.value.have, refused.value.most_ante) == (80, 40)


async def test_a_chip_that_is_not_in_the_tray_is_no_key_of_ours(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    add = ann.key(Verb.ADD)

    with pytest.raises(DeadKey):
        await ann.tap(replace(add, numbers=(add.numbers[0], 7)))
    with pytest.raises(DeadKey):
        await ann.tap(replace(add, numbers=(9, 25)))


async def test_nothing_can_be_taken_from_an_empty_spot(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)

    with pytest.raises(NoBet):
        await ann.tap(replace(ann.key(Verb.TAKE), numbers=(PAIR_PLUS, 25)))


async def test_sel_repeat_unchecked_leaves_the_next_bet_empty(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    await ann.press(Verb.REPEAT)
    await ann.press(Verb.MAX)
    await ann.press(Verb.DEAL)
    await ann.press(Verb.FOLD)

    assert wager_of(ann) == Wager()
    assert Verb.DEAL not in ann.verbs
    await ann.press(Verb.CHANGE_BET)
    await ann.press(Verb.REPEAT)
    assert wager_of(ann) == Wager(ante=100)


# The hand


async def test_the_deal_holds_bets_and_cover_and_a_fold_returns_the_cover(store: Store) -> None:
    ann = Player(store)
    await ann.command(25, 5)

    await ann.press(Verb.DEAL)
    held = (await ann.seat()).chips
    on_board = ann.seen.chips
    await ann.press(Verb.FOLD)

    assert (held, on_board, (await ann.seat()).chips) == (445, 470, 470)
    assert await balanced(store)


async def test_f70_deal_twice_deals_once(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    deal = ann.key(Verb.DEAL)
    await ann.tap(deal)
    dealt = ann.seen.shown

    with pytest.raises(BettingClosed):
        await ann.tap(deal)

    assert ann.seen.shown == dealt
    assert (await ann.seat()).chips == 450


@pytest.mark.parametrize("verb", [Verb.PLAY, Verb.FOLD])
async def test_play_or_fold_twice_counts_once(store: Store, verb: Verb) -> None:
    ann = Player(store)
    await ann.command(25)
    await ann.press(Verb.DEAL)
    play, fold = ann.key(Verb.PLAY), ann.key(Verb.FOLD)
    await ann.tap(play if verb is Verb.PLAY else fold)
    chips = (await ann.seat()).chips

    for late in (play, fold):
        with pytest.raises(AlreadyDone):
            await ann.tap(late)

    assert (await ann.seat()).chips == chips
    assert await balanced(store)


async def test_stale_taps_of_the_hand_before(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    add, deal = ann.key(Verb.ADD), ann.key(Verb.DEAL)
    await ann.press(Verb.DEAL)
    with pytest.raises(BettingClosed):
        await ann.tap(add)
    await ann.press(Verb.FOLD)

    for late in (add, deal):
        with pytest.raises(AlreadyDone):
            await ann.tap(late)


async def test_boards_rule_5_deal_names_the_wager_it_shows(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    deal = ann.key(Verb.DEAL)
    await ann.press(Verb.ADD)

    with pytest.raises(BetChanged) as refused:
        await ann.tap(deal)

    assert refused.value.wager == Wager(ante=50)
    assert (await ann.seat()).chips == 500


async def test_play_before_the_deal_finds_no_hand(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    round_id = ann.seen.board.round_id

    with pytest.raises(NoHand):
        await ann.tap(Tap(verb=Verb.PLAY, board=ann.seen.board.id, round=round_id))


@pytest.mark.parametrize("verb", [Verb.ADD, Verb.DEAL, Verb.CLEAR, Verb.REPEAT])
async def test_a_neighbour_taps_and_nothing_changes(store: Store, verb: Verb) -> None:
    ann, bob = Player(store), Player(store, user_id=2)
    await ann.command(25)
    await bob.command(5)
    before = await ann.seat()

    with pytest.raises(NotYourBoard) as refused:
        await bob.tap(ann.key(verb), who=bob.at(ann.seen.board.message_id))

    assert refused.value.owner == "Person 1"
    assert await ann.seat() == before


async def test_a_message_that_is_not_the_boards_has_dead_keys(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)

    with pytest.raises(DeadKey):
        await ann.tap(ann.key(Verb.DEAL), who=ann.at(1))
    with pytest.raises(DeadKey):
        await ann.tap(replace(ann.key(Verb.DEAL), board=999))


async def test_f106_hint_knows_the_players_cards_and_changes_nothing(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    with pytest.raises(NoHand):
        await store.read(solo_hand.hint_word, ann.who)
    await ann.press(Verb.DEAL)
    before = ann.seen

    advised = await ann.hint()

    assert isinstance(before.shown and before.shown.state, Dealt)
    assert advised.advice.fold == -1
    assert await store.read(solo.board_of, before.board.id) == before


# Poker Three


async def test_p3_pair_plus_alone_is_settled_without_a_decision(store: Store) -> None:
    ann = Player(store)
    await ann.table(preset("poker-three"))
    await ann.command(0, 30)

    value = await ann.press(Verb.DEAL)

    assert value.shown is not None
    assert isinstance(value.shown.state, Settled)
    assert value.shown.state.decision is None
    assert value.shown.given_away == 0
    assert "folded" not in ann.text
    assert {"Rebet · Deal 30", "New game"} <= {key.label for key in ann.keys}
    assert await balanced(store)


async def test_p3_new_game_clears_chips_and_cards_rebet_deals_at_once(store: Store) -> None:
    ann = Player(store)
    await ann.table(preset("poker-three"))
    await ann.command(0, 30)
    await ann.press(Verb.DEAL)

    rebet = await ann.press(Verb.DEAL)
    assert rebet.night is not None
    assert rebet.night.hands == 2
    await ann.press(Verb.CLEAR)

    assert (ann.seen.board.face, wager_of(ann)) == (Face.BET, Wager())


async def test_a_chip_under_the_least_bet_lays_the_least(store: Store) -> None:
    ann = Player(store)
    await ann.table(merged({"name": "ours", "chips": [5], "limits": {"ante": [15, 100]}}))
    await ann.command(0)

    assert "Ante +15" in {key.label for key in ann.keys}
    await ann.press(Verb.ADD)

    assert wager_of(ann) == Wager(ante=15)
    assert "Ante +5" in {key.label for key in ann.keys}


# Leaving


async def test_cash_out_asks_once_and_the_chips_become_the_score(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    await ann.press(Verb.DEAL)
    await ann.press(Verb.FOLD)
    await ann.press(Verb.CASH_OUT)
    assert ann.seen.board.face is Face.LEAVING

    value = await ann.press(Verb.LEAVE)

    assert value.night is not None
    assert (value.night.chips, value.night.ending) == (475, Ending.CASHED)
    assert value.summary is not None
    assert value.summary.luck - value.summary.given_away == value.summary.net == -25
    assert value.summary.path == (500, 475)
    assert await balanced(store)
    top = await store.read(lambda tx: tx.scores.top(ann.chat_id))
    assert [score.chips for score in top] == [475]


async def test_cash_out_can_be_thought_better_of(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    await ann.press(Verb.DEAL)
    await ann.press(Verb.FOLD)
    settled = ann.text
    await ann.press(Verb.CASH_OUT)

    await ann.press(Verb.KEEP)

    assert ann.text == settled


async def test_boards_3_6_keep_playing_comes_too_late_after_yes(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    await ann.press(Verb.DEAL)
    await ann.press(Verb.FOLD)
    await ann.press(Verb.CASH_OUT)
    keep = ann.key(Verb.KEEP)
    await ann.press(Verb.LEAVE)

    with pytest.raises(AlreadyDone):
        await ann.tap(keep)


async def test_boards_3_6_no_cash_out_while_a_hand_is_in_play(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    await ann.press(Verb.DEAL)
    board, round_id = ann.seen.board.id, ann.seen.board.round_id

    for verb in (Verb.CASH_OUT, Verb.LEAVE, Verb.CHANGE_BET):
        with pytest.raises(HandInPlay):
            await ann.tap(Tap(verb=verb, board=board, round=round_id))
    with pytest.raises(HandInPlay):
        await store.run(solo_pages.cashout_command, ann.who, update_id=99, now=ann.now)


async def test_leave_twice_leaves_once(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    leave = Tap(verb=Verb.LEAVE, board=ann.seen.board.id, round=ann.seen.board.round_id)
    await ann.tap(leave)

    with pytest.raises(AlreadyDone):
        await ann.tap(leave)
    with pytest.raises(NotSeated):
        await store.run(solo_pages.cashout_command, ann.who, update_id=98, now=ann.now)
    assert await store.read(lambda tx: tx.scores.top(ann.chat_id)) == []  # no hand: not ranked


async def test_f81_broke_ends_the_night_and_a_new_one_begins(store: Store) -> None:
    ann = Player(store)
    await ann.table(merged({"buy_in": 14}))
    await ann.command(5)
    await ann.press(Verb.DEAL)
    value = await ann.press(Verb.FOLD)

    assert value.night is not None
    assert (value.night.ending, value.night.chips) == (Ending.BROKE, 9)
    assert "9 chips: the night is over." in ann.text
    assert await balanced(store)
    assert await store.read(lambda tx: tx.scores.top(ann.chat_id)) == []
    again = await ann.press(Verb.NEW_NIGHT)
    assert (again.board.face, again.chips) == (Face.FIRST, 14)


async def test_a_new_night_twice_is_one_night(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    await ann.tap(Tap(verb=Verb.LEAVE, board=ann.seen.board.id, round=ann.seen.board.round_id))
    new = ann.key(Verb.NEW_NIGHT)
    await ann.tap(new)
    night = ann.seen.night

    await ann.tap(new)

    assert ann.seen.night == night
    assert (await ann.seat()).chips == 500


async def test_a_change_of_rules_never_touches_a_night_under_way(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    await ann.table(preset("poker-three"))
    await ann.press(Verb.DEAL)
    await ann.press(Verb.FOLD)

    assert ann.seen.following is not None
    assert ann.seen.following.rules.name == "selminha"


# Designs, words


async def test_sel_the_card_design_is_stepped_through_before_the_first_deal(store: Store) -> None:
    ann = Player(store)
    await ann.command()
    seen = [ann.seen.owner.design]
    for _ in Design:
        await ann.press(Verb.DESIGN)
        seen.append(ann.seen.owner.design)

    assert seen == [*Design, Design.CLASSIC]


async def test_sel_typed_words_do_what_their_keys_do(store: Store) -> None:
    ann = Player(store, user_id=7, chat_id=7, kind="private")
    await ann.command(25)
    standing = ann.seen.board.message_id

    await ann.say(Verb.CLEAR)
    assert wager_of(ann) == Wager()
    with pytest.raises(NoBet):
        await ann.say(Verb.DEAL)
    await ann.command(25)
    await ann.say(Verb.DEAL)
    value = await ann.say(Verb.FOLD)

    assert isinstance(value.shown and value.shown.state, Settled)
    assert ann.seen.board.message_id != standing  # it came down
    await ann.say(Verb.CLEAR)
    await ann.say(Verb.REPEAT)
    assert wager_of(ann) == Wager(ante=25)


async def test_typed_words_out_of_place(store: Store) -> None:
    ann = Player(store)
    with pytest.raises(NotSeated):
        await ann.say(Verb.PLAY)
    await ann.command(25)
    with pytest.raises(NoHand):
        await ann.say(Verb.PLAY)
    await ann.say(Verb.DEAL, update_id=50)
    with pytest.raises(AlreadyDone):
        await ann.say(Verb.DEAL, update_id=50)
    with pytest.raises(HandInPlay):
        await ann.say(Verb.DEAL)


async def test_boards_rule_6_a_refused_word_is_a_note_on_the_board(store: Store) -> None:
    ann = Player(store)
    assert await store.run(solo.note_on_board, ann.who, NoBet(), now=ann.now) is None  # no board: somebody else says it
    await ann.command(25)

    value = await store.run(solo.note_on_board, ann.who, BetTooSmall("ante", 4, 5), now=ann.now)

    assert value is not None
    assert repr(value.note) == repr(BetTooSmall("ante", 4, 5))
    await ann.take(value)
    assert "Note: Ante begins at 5." in ann.text
    await ann.press(Verb.CLEAR)
    assert ann.seen.note is None


async def test_boards_rule_6_a_note_is_seen_on_every_page(store: Store) -> None:
    ann = Player(store, user_id=7, chat_id=7, kind="private")
    await ann.command()

    async def noted() -> bool:
        value = await store.run(solo.note_on_board, ann.who, NoHand(), now=ann.now)
        assert value is not None
        await ann.take(value)
        return "Note: No hand is in play." in ann.text

    assert await noted()
    await ann.press(Verb.HANDS)
    assert await noted()
    await ann.press(Verb.BACK)
    await ann.press(Verb.DEAL)
    await ann.press(Verb.FOLD)
    assert await noted()
    await ann.press(Verb.PROOF)
    assert await noted()
    await ann.press(Verb.BACK)
    await ann.press(Verb.CASH_OUT)
    assert await noted()
    await ann.press(Verb.LEAVE)
    assert await store.run(solo.note_on_board, ann.who, NoHand(), now=ann.now) is None  # the night's end stands


# Figures


async def test_f80_stats_say_what_the_hands_said(store: Store) -> None:
    ann = Player(store)
    await ann.command(25, 5)
    nets, lost = [], Fraction(0)
    for verb in (Verb.PLAY, Verb.FOLD, Verb.PLAY):
        await ann.press(Verb.DEAL)
        value = await ann.press(verb)
        assert value.shown is not None
        assert isinstance(value.shown.state, Settled)
        nets.append(value.shown.state.settlement.net)
        lost += Fraction(value.shown.given_away, 18_424)

    found = (await store.read(figures, ann.who, now=ann.now)).stats

    assert (found.hands, found.decisions, found.net, found.given_away) == (3, 3, sum(nets), lost)
    assert found.staked == 3 * 30 + 2 * 25
    assert found.nights == 0
    assert (await store.read(night_path, ann.who, Tap(verb=Verb.PICTURE, round=found.latest_round or 0))).path == (
        500, 500 + nets[0], 500 + nets[0] + nets[1], 500 + sum(nets),
    )  # fmt: skip


async def test_a_picture_of_somebody_elses_night_is_refused(store: Store) -> None:
    ann, bob = Player(store), Player(store, user_id=2)
    await ann.command(25)
    round_id = ann.seen.board.round_id
    with pytest.raises(DeadKey):  # nothing to draw yet
        await store.read(night_path, ann.who, Tap(verb=Verb.PICTURE, round=round_id))
    await ann.press(Verb.DEAL)
    await ann.press(Verb.FOLD)

    with pytest.raises(NotYourBoard):
        await store.read(night_path, bob.who, Tap(verb=Verb.PICTURE, round=round_id))
    with pytest.raises(DeadKey):
        await store.read(night_path, Player(store, chat_id=-5).who, Tap(verb=Verb.PICTURE, round=round_id))
    with pytest.raises(DeadKey):
        await store.read(night_path, ann.who, Tap(verb=Verb.PICTURE, round=10**6))


async def test_the_expected_return_is_of_all_chips_bet(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    assert expected_return((await store.read(figures, ann.who, now=ann.now)).stats.wagered) is None
    await ann.press(Verb.DEAL)
    await ann.press(Verb.PLAY)

    stats = (await store.read(figures, ann.who, now=ann.now)).stats

    expected = expected_return(stats.wagered)
    assert expected is not None
    assert round(float(100 * expected), 3) == 97.985  # RULES, figures: per chip bet, not per chip of the Ante
    assert expected_return(replace(part, ante=0, pair_plus=5) for part in stats.wagered) == 1 - Fraction(128, 5525)


async def test_what_a_choice_gave_away_is_stored_with_the_round(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    while True:
        await ann.press(Verb.DEAL)
        advised = await ann.hint()
        wrong = Verb.FOLD if advised.advice.advice is Decision.PLAY else Verb.PLAY
        value = await ann.press(wrong)
        assert value.shown is not None
        if value.shown.given_away:
            break

    best = max(advised.advice.play, advised.advice.fold)
    worst = min(advised.advice.play, advised.advice.fold)
    lost = Fraction(value.shown.given_away, 18_424)
    assert lost == 25 * (best - worst)
    await ann.press(Verb.CASH_OUT)
    left = await ann.press(Verb.LEAVE)
    assert left.summary is not None
    assert left.summary.given_away >= lost
    assert left.summary.luck == left.summary.net + left.summary.given_away


async def test_a_fresh_secret_every_round(store: Store) -> None:
    ann = Player(store)
    await ann.command(25)
    await ann.press(Verb.DEAL)
    await ann.press(Verb.FOLD)

    assert ann.seen.shown is not None
    assert ann.seen.following is not None
    assert ann.seen.shown.secret != ann.seen.following.secret
