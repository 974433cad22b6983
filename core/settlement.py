"""One hand against one dealer hand: what each spot wins or loses, and why (SEL, P3; RULES, section 2)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.betting import Wager
from core.cards import Hand, refuse_repeated
from core.errors import BetOff, NoBet, UnknownDecision
from core.ranking import QUALIFYING, SixCardCategory, Strength, best_five_of_six, strength
from core.rules import RuleSet, Spot


class Decision(StrEnum):
    """What an Ante asks for after the deal (SEL)."""

    PLAY = "play"
    FOLD = "fold"


class Result(StrEnum):
    """How Ante and Play ended, from the player's side (DESIGN, settle)."""

    NOT_QUALIFIED = "not_qualified"
    WIN = "win"
    LOSE = "lose"
    TIE = "tie"
    FOLD = "fold"
    NO_ANTE = "no_ante"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Chips won (above the stake) or lost per spot; 0 for a stake that comes back and for what does not apply."""

    ante: int = 0
    play: int = 0
    ante_bonus: int = 0
    pair_plus: int = 0
    six_card: int = 0

    @property
    def net(self) -> int:
        """Chips won or lost in all."""
        return self.ante + self.play + self.ante_bonus + self.pair_plus + self.six_card


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidOdds:
    """So many to 1 as the tables paid; None where a table paid nothing or nothing was bet."""

    ante_bonus: int | None = None
    pair_plus: int | None = None
    six_card: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """What became of a hand, and what a board needs to say why."""

    result: Result
    dealer_qualifies: bool  # the fact of the cards, whether it was asked for or not
    player: Strength
    dealer: Strength
    six_card: SixCardCategory | None  # None where the 6-Card Bonus was not bet
    lines: Lines
    odds: PaidOdds

    @property
    def net(self) -> int:
        """Chips won or lost in all."""
        return self.lines.net


_NOTHING_PAID: Final = PaidOdds()

# How it ended, and what Ante and Play win or lose, in antes. Bound once: in Python 3.11 looking up a member of an enum
# costs more than comparing two hands.
_PLAY, _FOLD = Decision.PLAY, Decision.FOLD
_NOT_QUALIFIED: Final = (Result.NOT_QUALIFIED, 1, 0)
_WIN: Final = (Result.WIN, 1, 1)
_LOSE: Final = (Result.LOSE, -1, -1)
_TIE: Final = (Result.TIE, 0, 0)
_FOLDED: Final = (Result.FOLD, -1, 0)
_NO_ANTE: Final = (Result.NO_ANTE, 0, 0)


def settle(rules: RuleSet, player: Hand, dealer: Hand, wager: Wager, decision: Decision | None) -> Settlement:
    """
    Settle *wager* on these six cards; *decision* is None without an Ante, and only then. Limits are not its business.

    Raises NoBet, BetOff, UnknownDecision, RepeatedCard. Source: RULES, one hand against a dealer.
    """
    _refuse(rules, player, dealer, wager, decision)
    mine, theirs = strength(player), strength(dealer)
    ended = _ended(rules, mine.value, theirs.value, decision)
    result, ante, play = ended
    bonus = pair_plus = six_card = category = None
    if decision is _PLAY and (ended is not _LOSE or rules.bonus_if_dealer_wins):
        bonus = rules.ante_bonus.odds(mine)
    if wager.pair_plus and rules.pair_plus is not None and decision is not _FOLD:
        pair_plus = rules.pair_plus.odds(mine)
    if wager.six_card and rules.six_card is not None:
        category = best_five_of_six(player + dealer)
        six_card = rules.six_card.odds(category)
    paid = bonus is not None or pair_plus is not None or six_card is not None
    return Settlement(
        result=result,
        dealer_qualifies=theirs.value >= QUALIFYING,
        player=mine,
        dealer=theirs,
        six_card=category,
        lines=Lines(
            ante=ante * wager.ante,
            play=play * wager.ante,
            ante_bonus=0 if bonus is None else bonus * wager.ante,
            pair_plus=wager.pair_plus * (-1 if pair_plus is None else pair_plus),
            six_card=wager.six_card * (-1 if six_card is None else six_card),
        ),
        odds=PaidOdds(ante_bonus=bonus, pair_plus=pair_plus, six_card=six_card) if paid else _NOTHING_PAID,
    )


def _refuse(rules: RuleSet, player: Hand, dealer: Hand, wager: Wager, decision: Decision | None) -> None:
    """Raise what settle() says it raises."""
    if wager.stake == 0:
        raise NoBet
    if wager.pair_plus and rules.pair_plus is None:
        raise BetOff(Spot.PAIR_PLUS)
    if wager.six_card and rules.six_card is None:
        raise BetOff(Spot.SIX_CARD)
    if (decision is _PLAY or decision is _FOLD) != (wager.ante > 0):
        raise UnknownDecision(decision)
    a, b, c = player
    d, e, f = dealer
    held = 1 << a.index | 1 << b.index | 1 << c.index | 1 << d.index | 1 << e.index | 1 << f.index
    if held.bit_count() != 6:
        refuse_repeated(player + dealer)


def _ended(rules: RuleSet, mine: int, theirs: int, decision: Decision | None) -> tuple[Result, int, int]:
    if decision is None:
        return _NO_ANTE
    if decision is _FOLD:
        return _FOLDED
    if theirs < QUALIFYING and rules.dealer_must_qualify:
        return _NOT_QUALIFIED
    if mine == theirs:
        return _TIE
    return _WIN if mine > theirs else _LOSE
