"""One hand against the house, from bets to settlement, and where a night ends (SEL, P3)."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias, assert_never

from core.betting import (
    NO_WAGER,
    Wager,
    first_wager,
    repeatable,
    smallest_hand_problem,
    wager_problem,
)
from core.cards import Deck, Hand, hand_of
from core.errors import WrongPhase
from core.rules import RuleSet
from core.settlement import Decision, Settlement, settle


class Move(StrEnum):
    """What a player can do at some point of a hand (SEL; P3 for REBET, here repeat)."""

    BET = "bet"
    REPEAT = "repeat"
    DEAL = "deal"
    PLAY = "play"
    FOLD = "fold"
    HINT = "hint"
    CASH_OUT = "cash_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Betting:
    """Before the deal: a draft, no chip has moved."""

    wager: Wager
    last: Wager | None = None  # the bets of the hand before, None at a night's start


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """The cards are out, the Ante waits for Play or Fold; wager.need chips are held in the round."""

    wager: Wager
    player: Hand  # as dealt
    dealer: Hand  # as dealt, not for the player's eyes yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The hand is over; returned() says what goes back to the seat."""

    wager: Wager
    player: Hand
    dealer: Hand
    decision: Decision | None  # None without an Ante
    settlement: Settlement


State: TypeAlias = Betting | Dealt | Settled

_BETTING: Final = (Move.BET, Move.REPEAT, Move.DEAL, Move.CASH_OUT)
_DEALT: Final = (Move.PLAY, Move.FOLD, Move.HINT)
_SETTLED: Final = (Move.BET, Move.DEAL, Move.CASH_OUT)


def moves(state: State) -> tuple[Move, ...]:
    """What can be done now, in kind; whether a bet or a deal is legal, core.betting says. Source: SEL."""
    match state:
        case Betting():
            return _BETTING
        case Dealt():
            return _DEALT
        case Settled():
            return _SETTLED
        case _:
            assert_never(state)


def sit_down(rules: RuleSet) -> Betting:
    """A night's first board: a small bet lies there already (BOARDS 3.1)."""
    return Betting(wager=first_wager(rules))


def next_hand(wager: Wager, *, rules: RuleSet, stack: int, repeat: bool) -> Betting:
    """
    The board after a hand with *wager*: the same bets lie there if *repeat* is checked and *stack* pays for them.

    Source: SEL, Repeat last bet.
    """
    again = repeatable(wager, rules, stack) if repeat else None
    return Betting(wager=again or NO_WAGER, last=wager)


def switch_repeat(betting: Betting, *, on: bool, rules: RuleSet, stack: int) -> Betting:
    """
    "Repeat last bet" checked: the last bets lie there again, if they may; unchecked: they are gone.

    Other bets than the last ones give way when it is checked, and stay when it is unchecked. Source: SEL.
    """
    again = repeatable(betting.last, rules, stack)
    if again is None:
        return betting
    if on:
        return replace(betting, wager=again)
    return replace(betting, wager=NO_WAGER) if betting.wager == again else betting


def deal(state: State, deck: Deck, *, rules: RuleSet, stack: int) -> Dealt | Settled:
    """
    Three cards to the player, the next three to the dealer; *deck* is shuffled, *stack* counts all chips.

    Without an Ante there is nothing to decide, and the hand is settled at once (P3).
    Raises WrongPhase, and whatever wager_problem() finds. Source: SEL; DESIGN, algorithm 1.
    """
    if not isinstance(state, Betting):
        raise WrongPhase(Move.DEAL, phase(state))
    problem = wager_problem(state.wager, rules=rules, stack=stack)
    if problem is not None:
        raise problem
    dealt = Dealt(wager=state.wager, player=hand_of(deck[0:3]), dealer=hand_of(deck[3:6]))
    return dealt if dealt.wager.ante else _settled(dealt, None, rules)


def play(state: State, rules: RuleSet) -> Settled:
    """Put the cover down as Play and compare. Raises WrongPhase unless dealt. Source: SEL."""
    return _settled(_dealt(state, Move.PLAY), Decision.PLAY, rules)


def fold(state: State, rules: RuleSet) -> Settled:
    """Give up Ante and Pair Plus, keep the cover. Raises WrongPhase unless dealt. Source: SEL."""
    return _settled(_dealt(state, Move.FOLD), Decision.FOLD, rules)


def decide(state: State, decision: Decision, rules: RuleSet) -> Settled:
    """play() or fold(), as *decision* says."""
    return play(state, rules) if decision is Decision.PLAY else fold(state, rules)


def phase(state: State) -> str:
    """Where the hand stands, in one word: betting, dealt, settled."""
    return type(state).__name__.lower()


def held(state: State) -> int:
    """Chips that the round holds, from the deal until the settlement: the bets and the cover for Play."""
    return state.wager.need if isinstance(state, Dealt) else 0


def returned(settled: Settled) -> int:
    """
    Chips that go back to the seat in all: what was held, wager.need, and what was won or lost above it.

    Never negative: a hand loses at most what is held. Less than held: the rest went to the house; more: it came from
    there. Source: DESIGN, ledger.
    """
    return settled.wager.need + settled.settlement.net


def night_is_over(stack: int, rules: RuleSet) -> bool:
    """Whether *stack* chips, nothing held, pay for no hand any more (SEL: below 10)."""
    return smallest_hand_problem(stack, rules) is not None


def _dealt(state: State, wanted: Move) -> Dealt:
    if not isinstance(state, Dealt):
        raise WrongPhase(wanted, phase(state))
    return state


def _settled(dealt: Dealt, decision: Decision | None, rules: RuleSet) -> Settled:
    return Settled(
        wager=dealt.wager,
        player=dealt.player,
        dealer=dealt.dealer,
        decision=decision,
        settlement=settle(rules, dealt.player, dealt.dealer, dealt.wager, decision),
    )
