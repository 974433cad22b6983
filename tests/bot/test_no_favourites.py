"""
No favourites (DESIGN, algorithm 1): what somebody has, bets or has just won says nothing about the cards.

That the dealing function cannot know is shown by its signature, in test_transcripts; here it is shown by counting.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from operator import attrgetter
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from bot.facts import Verb
from bot.storage import Store, open_store
from core.cards import Hand
from core.odds import hint
from core.ranking import Category, strength
from core.rules import SELMINHA
from core.settlement import Decision
from core.solo import Dealt, Settled
from tests.bot import sitting
from tests.bot.databases import fresh_sqlite
from tests.bot.sitting import Player
from tests.evenness import upper_tail

_PEOPLE: Final = 8
_HANDS: Final = 150  # each
_BETS: Final = ((5,), (25, 5), (100, 25))  # chips on ante and pair plus
_RARE: Final = 0.001
_COMMON: Final = (Category.HIGH_CARD, Category.PAIR)

Group = Callable[["Watched"], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A hand as it was dealt, and what there was to be favoured for."""

    stack: int  # chips before the hand
    bet: int  # chips on all spots
    won_before: bool
    player: str
    dealer: str


def _kind(hand: Hand) -> str:
    """High card or pair; the rarer ones together, so that there are enough of each to count."""
    category = strength(hand).category
    return category.value if category in _COMMON else "flush or better"


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> list[Watched]:
    """Hands of people with all kinds of bets, through the services; the same ones in every run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sitting, "_serial", count(1))
        return asyncio.run(_evening(tmp_path_factory.mktemp("watched")))


async def _evening(folder: Path) -> list[Watched]:
    store = await open_store(fresh_sqlite(folder))
    try:
        return [hand for user_id in range(1, _PEOPLE + 1) for hand in await _nights(_alone(store, user_id))]
    finally:
        await store.close()


def _alone(store: Store, user_id: int) -> Player:
    return Player(store, user_id=user_id, chat_id=user_id, kind="private")


async def _nights(who: Player) -> list[Watched]:
    seen: list[Watched] = []
    won = False
    for number in range(_HANDS):
        await _bets(who, _BETS[(number + who.user_id) % len(_BETS)])
        stack = who.seen.seat.chips
        await who.press(Verb.DEAL)
        dealt = who.seen.shown and who.seen.shown.state
        assert isinstance(dealt, Dealt)
        hand = Watched(
            stack=stack,
            bet=dealt.wager.need,
            won_before=won,
            player=_kind(dealt.player),
            dealer=_kind(dealt.dealer),
        )
        seen.append(hand)
        await who.press(Verb.PLAY if hint(dealt.player, SELMINHA).advice is Decision.PLAY else Verb.FOLD)
        settled = who.seen.shown and who.seen.shown.state
        assert isinstance(settled, Settled)
        won = settled.settlement.net > 0
    return seen


async def _bets(who: Player, amounts: tuple[int, ...]) -> None:
    """Lay this bet, or the least one where the stack is too short; a new night where that is over."""
    for bet in (amounts, _BETS[0]):
        await who.command(*bet)
        if Verb.NEW_NIGHT in who.verbs:
            await who.press(Verb.NEW_NIGHT)
            await who.command(*bet)
        if Verb.DEAL in who.verbs:
            return
    raise AssertionError(who.text)


def _luck(hands: Sequence[Watched], group: Group, held: Callable[[Watched], str]) -> float:
    """How probable it is that groups with equal chances differ at least so much in the kinds of hands they get."""
    cells = Counter((str(group(each)), held(each)) for each in hands)
    groups, kinds = ({cell[side] for cell in cells} for side in (0, 1))
    seen = np.array([[cells[one, kind] for kind in kinds] for one in groups])
    expected = np.outer(seen.sum(axis=1), seen.sum(axis=0)) / seen.sum()
    assert expected.min() >= 5, "too few hands to say anything"
    return upper_tail(float(((seen - expected) ** 2 / expected).sum()), (len(groups) - 1) * (len(kinds) - 1))


_GROUPS: Final[dict[str, Group]] = {
    "stack": lambda hand: (hand.stack > 450) + (hand.stack > 1100),
    "bet": lambda hand: hand.bet,
    "what was won before": lambda hand: hand.won_before,
    "stack and bet": lambda hand: (hand.stack > 700, hand.bet > 10),
}


def test_no_favourites_by_stack_bet_or_luck(watched: list[Watched]) -> None:
    """Chi-square of independence: player's and dealer's cards against what the house could favour or punish."""
    told = {
        (name, whose): _luck(watched, group, attrgetter(whose))
        for name, group in _GROUPS.items()
        for whose in ("player", "dealer")
    }

    assert len(watched) == _PEOPLE * _HANDS
    assert {pair: p for pair, p in told.items() if p < _RARE} == {}


@pytest.mark.parametrize("name", _GROUPS)
def test_a_house_that_favours_somebody_is_found(watched: list[Watched], name: str) -> None:
    """The same counting, where the pairs of a favoured group's dealer had become a high card."""
    group = _GROUPS[name]
    favoured = max((group(hand) for hand in watched), key=str)
    tilted = [
        replace(hand, dealer="high_card") if group(hand) == favoured and hand.dealer == "pair" else hand
        for hand in watched
    ]

    assert _luck(tilted, group, attrgetter("dealer")) < _RARE
