"""Whole nights through the services, on a real store: random tables, random taps; what may never happen."""

from __future__ import annotations

import asyncio
import tempfile
from fractions import Fraction
from itertools import count
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.facts import Design, Ending, Face, Round, SoloBoard, Tap, Verb
from bot.refusals import Refusal
from bot.services.solo import board_of
from bot.services.stats import figures
from bot.storage import Store, Tx, open_store
from bot.views import solo as views
from bot.views.figures import luck_and_skill
from bot.views.kit import length
from bot.views.toasts import tapped
from core import betting
from core.betting import NO_WAGER, wager_problem
from core.errors import RuleError
from core.rules import RuleSet, Spot
from core.solo import Dealt, Settled
from tests.bot.databases import fresh_sqlite
from tests.bot.scenes import page
from tests.bot.sitting import Player
from tests.core.strategies import presets, rule_sets

_TAPS = 45  # a night
_MUST_WORK = {Verb.DEAL, Verb.PLAY, Verb.FOLD, Verb.LEAVE, Verb.KEEP, Verb.NEW_NIGHT, Verb.CHANGE_BET, Verb.CASH_OUT}
_NOT_OURS = {Verb.TOP, Verb.PICTURE, Verb.HINT, Verb.FILE}
_people = count(1)

# Each number chooses one of the keys that stand there; now and then one of the board before, as a late tap would.
choices = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 9)), min_size=_TAPS, max_size=_TAPS)


@given(rules=presets | rule_sets(), taps=choices, private=st.booleans())
@settings(
    max_examples=30, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.target),
    suppress_health_check=(HealthCheck.function_scoped_fixture, HealthCheck.too_slow),
)  # fmt: skip
def test_no_night_stalls_no_stack_is_negative_and_the_books_close(
    rules: RuleSet, taps: list[tuple[int, int]], private: bool
) -> None:
    """Whatever is tapped, there is a way on; every chip is accounted for; luck and skill add up to the result."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_evening(Path(folder), rules, taps, private=private))


async def _evening(folder: Path, rules: RuleSet, taps: list[tuple[int, int]], *, private: bool) -> None:
    store = await open_store(fresh_sqlite(folder))
    try:
        user_id = next(_people)
        chat_id, kind = (user_id, "private") if private else (-100, "supergroup")
        ann = Player(store, user_id=user_id, chat_id=chat_id, kind=kind)
        await ann.table(rules)
        await ann.command()
        await _nights(ann, taps)
        await _end(ann)
        await _told(store, ann)
    finally:
        await store.close()


async def _nights(ann: Player, taps: list[tuple[int, int]]) -> None:
    before: list[Tap] = []
    for choice, late in taps:
        keys = [key.tap for key in ann.keys if key.tap is not None and key.tap.verb not in _NOT_OURS]
        assert keys, ann.text
        old = late == 0 and bool(before)
        tap = (before if old else keys)[choice % len(before if old else keys)]
        before = keys
        try:
            value = await ann.tap(tap)
        except (RuleError, Refusal):
            refused = True
        else:
            refused = False
            _fits(value, tap.verb)
        assert old or not refused or tap.verb not in _MUST_WORK, tap
        await _stands(ann)


def _fits(value: SoloBoard, verb: Verb) -> None:
    """Within Telegram's lengths, in every design (F26, F48)."""
    for design in (value.owner.design, Design.WORDS):
        view = views.board(value, page(design))
        assert 0 < length(view.text) <= 4096
        assert length(tapped(value, verb, page(design))) <= 200
        assert all(len(key.tap.pack()) <= 64 for row in view.keys for key in row if key.tap)
        assert all(key.label for row in view.keys for key in row)


async def _stands(ann: Player) -> None:
    """After a tap: what is stored is what was shown, no chip is lost, and there is a way on."""
    value = ann.seen
    seat = await ann.seat()
    assert value.seat.chips == seat.chips >= 0
    assert await ann.store.read(board_of, value.board.id) == value
    if value.night is None or value.night.closed is not None:
        assert seat.night_id is None
        assert Verb.NEW_NIGHT in ann.verbs or value.board.face in {Face.HANDS, Face.PROOF}
        return
    round_ = value.following or value.shown
    assert round_ is not None
    if isinstance(round_.state, Dealt):
        assert seat.chips + round_.state.wager.need >= round_.rules.smallest_hand
        return
    assert _can_bet(round_.rules, seat.chips), (round_.rules, seat.chips)


def _can_bet(rules: RuleSet, chips: int) -> bool:
    """Whether some chip of the tray on some spot, from an empty table, is a hand that can be dealt."""
    for spot in Spot:
        for chip in rules.chips:
            try:
                wager = betting.add(NO_WAGER, spot, chip, rules=rules, stack=chips)
            except RuleError:
                continue
            if wager_problem(wager, rules=rules, stack=chips) is None:
                return True
    return False


async def _end(ann: Player) -> None:
    """Every night can be finished by keys: at most decide, go back, cash out, yes."""
    for _ in range(5):
        if ann.seen.seat.night_id is None:
            return
        verbs = ann.verbs
        verb = next((verb for verb in (Verb.LEAVE, Verb.FOLD, Verb.BACK, Verb.CASH_OUT) if verb in verbs), None)
        if verb is None:  # the betting board: its cash-out is typed
            value = ann.seen
            leave = Tap(verb=Verb.LEAVE, board=value.board.id, round=value.board.round_id)
            await ann.tap(leave)
        else:
            await ann.press(verb)
    assert ann.seen.seat.night_id is None, ann.text


async def _told(store: Store, ann: Player) -> None:
    """The books close, and every night's luck and skill add up to its result."""
    assert await store.read(lambda tx: tx.ledger.drift()) == 0
    assert await store.read(lambda tx: tx.ledger.unbalanced_seats()) == []
    assert await store.read(lambda tx: tx.ledger.unbalanced_movements()) == []
    seat = await ann.seat()
    nights = await store.read(lambda tx: tx.nights.of(seat.id))
    hands = net = 0
    given_away = Fraction(0)
    for night in nights:
        rounds = await store.read(_rounds_of, night.id)
        states = [round_.state for round_ in rounds if isinstance(round_.state, Settled)]
        won = sum(state.settlement.net for state in states)
        assert night.chips == night.buy_in + won
        assert (night.ending is Ending.BROKE) == ((night.chips or 0) < night.rules.smallest_hand)
        assert night.hands == len(states)
        lost = sum((Fraction(round_.given_away, 18_424) for round_ in rounds), Fraction(0))
        assert sum(luck_and_skill(won, lost)) == won
        hands, net, given_away = hands + len(states), net + won, given_away + lost
    stats = (await store.read(figures, ann.who, now=ann.now)).stats
    assert (stats.hands, stats.net, stats.given_away) == (hands, net, given_away)
    assert stats.nights == sum(night.hands > 0 for night in nights)


def _rounds_of(tx: Tx, night_id: int) -> list[Round]:
    return tx.nights.rounds(night_id)


@given(rules=rule_sets(), stack=st.integers(0, 400))
@settings(max_examples=200, deadline=None)
def test_sel_whoever_has_the_smallest_hand_can_lay_it_by_keys(rules: RuleSet, stack: int) -> None:
    """A night is over exactly where no key could make a bet any more."""
    assert _can_bet(rules, stack) == (stack >= rules.smallest_hand)
