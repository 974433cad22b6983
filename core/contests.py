"""Scores that rank with ties, contests of nights or of same deals, matchpoints, and how deals are drawn (BOARDS 5)."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, islice
from typing import Final

from core.betting import Wager
from core.cards import Hand
from core.errors import BadContest, NoMoreNights, NoSuchDeal, RuleError
from core.fair import shuffled, solo_hands
from core.odds import hint
from core.rules import RuleSet

HOUR: Final = 3600  # seconds
DAY: Final = 24 * HOUR  # seconds

# What a contest may be: the least and the most of everything.
LENGTHS: Final = (HOUR, 31 * DAY)
NIGHTS: Final = (1, 10)
HANDS: Final = (5, 100)
DEALS: Final = (10, 30)

NEAR: Final = Fraction(1, 10)
"""A deal holds a decision if the worse choice costs at most this part of the Ante."""
FREE_EVERY: Final = 4
"""Every fourth deal of a matchpoint contest comes as the stream gives it."""
MOST_SKIPPED: Final = 200
"""So many deals may be skipped for one; then the next comes as it is, whatever the rule set makes of it."""


# Ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What one person reached, and when."""

    user: int
    points: int  # chips, or half points
    reached: int  # a moment in the caller's count; the smaller is the earlier


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A score and its place."""

    rank: int  # from 1; equal points share it, and the next place counts them all
    score: Score


def ranked(scores: Iterable[Score]) -> tuple[Placed, ...]:
    """Everybody's place, 1, 2, 2, 4, the earlier first in a tie; filter before, not after (F108, F109)."""
    order = sorted(scores, key=lambda score: (-score.points, score.reached, score.user))
    falling = [-score.points for score in order]
    return tuple(Placed(rank=bisect_left(falling, -score.points) + 1, score=score) for score in order)


def bests(scores: Iterable[Score]) -> tuple[Score, ...]:
    """Everybody once, with the best score; of equal ones the earliest."""
    best: dict[int, Score] = {}
    for score in scores:
        known = best.get(score.user)
        if known is None or (score.points, -score.reached) > (known.points, -known.reached):
            best[score.user] = score
    return tuple(best.values())


# Kinds of contests


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOfNights:
    """The best of some nights of a fixed number of hands counts. Raises BadContest."""

    nights: int = 3  # that a person may play
    hands: int = 20  # in each

    def __post_init__(self) -> None:
        _refuse_outside("nights", self.nights, NIGHTS)
        _refuse_outside("hands", self.hands, HANDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class SameDeals:
    """Everybody plays the same deals with own bets; the final chips rank. Raises BadContest."""

    deals: int = 20

    def __post_init__(self) -> None:
        _refuse_outside("deals", self.deals, DEALS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Matchpoints:
    """Same deals, same bets, and a point for everyone you beat, deal by deal. Raises BadContest."""

    wager: Wager  # of every deal; its Ante asks for the decision
    deals: int = 20

    def __post_init__(self) -> None:
        _refuse_outside("deals", self.deals, DEALS)
        if self.wager.ante == 0:
            raise BadContest("ante", 0, 1, 1)


def length_problem(seconds: int) -> RuleError | None:
    """Why a contest cannot last so many *seconds*, None if it can: 1 hour to 31 days of real time (F110)."""
    least, most = LENGTHS
    return None if least <= seconds <= most else BadContest("length", seconds, least, most)


def night_problem(kind: BestOfNights, played: int) -> RuleError | None:
    """Why nobody with *played* nights begins another one in this contest, None if it may be."""
    return NoMoreNights(kind.nights) if played >= kind.nights else None


@dataclass(frozen=True, slots=True, kw_only=True)
class NightsScore:
    """One person in a contest of nights: the best one, and how many were played."""

    best: Score
    played: int


def best_nights(kind: BestOfNights, nights: Iterable[Score]) -> tuple[NightsScore, ...]:
    """
    Everybody's best among the first nights that the contest allows; an unfinished one counts with its chips.

    The chips of a night that the end of the contest cuts short include what a hand in play holds. Later nights than
    allowed count nothing.
    """
    counted: dict[int, list[Score]] = {}
    for night in sorted(nights, key=lambda night: night.reached):
        mine = counted.setdefault(night.user, [])
        if night_problem(kind, len(mine)) is None:
            mine.append(night)
    return tuple(NightsScore(best=bests(mine)[0], played=len(mine)) for mine in counted.values())


def _refuse_outside(key: str, got: int, bounds: tuple[int, int]) -> None:
    least, most = bounds
    if not least <= got <= most:
        raise BadContest(key, got, least, most)


# Deals


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """The cards of one deal of an event."""

    number: int  # its nonce, from 1: a skipped deal keeps its number
    player: Hand
    dealer: Hand


def event_deal(secret: bytes, name: str, number: int) -> Deal:
    """Deal *number* of the event *name*, as "contest/7": nonce and only word of algorithm 1 (DESIGN section 4)."""
    player, dealer = solo_hands(shuffled(secret, (name,), number))
    return Deal(number=number, player=player, dealer=dealer)


def event_deals(secret: bytes, name: str, deals: int) -> tuple[Deal, ...]:
    """The first *deals* of an event, as they come: no choice of deals favours any bet."""
    return tuple(event_deal(secret, name, number) for number in range(1, deals + 1))


def contest_name(contest: int) -> str:
    """The word that a contest's deals are shuffled with (DESIGN section 4)."""
    return f"contest/{contest}"


def holds_decision(hand: Hand, rules: RuleSet) -> bool:
    """Whether play and fold are near each other with *hand*: the worse costs at most a tenth of the Ante."""
    advice = hint(hand, rules)
    return abs(advice.play - advice.fold) <= NEAR


def near_deals(secret: bytes, name: str, deals: int, rules: RuleSet) -> tuple[Deal, ...]:
    """
    The deals of a matchpoint contest, drawn so that three of four hold a decision. The published rule:

    Go through the deals 1, 2, 3 … of the committed stream. Places 4, 8, 12 … of the contest take the next deal as it
    comes. Every other place skips deals until the player's hand holds a decision (holds_decision), but never more than
    200 of them. A skipped deal keeps its number. The dealer's cards have no say. Only for fixed bets: who chose bets
    could lean on the rule.
    """
    stream = (event_deal(secret, name, number) for number in count(1))
    return tuple(_next_deal(stream, place, lambda hand: holds_decision(hand, rules)) for place in range(1, deals + 1))


def _next_deal(stream: Iterator[Deal], place: int, wanted: Callable[[Hand], bool]) -> Deal:
    skipped = islice(stream, 0 if place % FREE_EVERY == 0 else MOST_SKIPPED)
    near = next((deal for deal in skipped if wanted(deal.player)), None)
    return next(stream) if near is None else near


def deals_of(kind: SameDeals | Matchpoints, secret: bytes, contest: int, rules: RuleSet) -> tuple[Deal, ...]:
    """All deals of a contest, in the order in which they are played."""
    name = contest_name(contest)
    if isinstance(kind, Matchpoints):
        return near_deals(secret, name, kind.deals, rules)
    return event_deals(secret, name, kind.deals)


def deal_at(deals: Sequence[Deal], played: int) -> Deal:
    """The deal for somebody who has *played* so many. Raises NoSuchDeal when all are."""
    if not 0 <= played < len(deals):
        raise NoSuchDeal(played + 1, len(deals))
    return deals[played]


# Matchpoints


def matchpoints(results: Mapping[int, Sequence[int | None]], deals: int) -> dict[int, int]:
    """
    Half points by user: two for everyone you beat on a deal, one for everyone who did as well.

    *results* are chips won or lost, deal by deal. A deal that somebody has not played, or not in time, is None, or
    missing at the end: it loses to all who played it and ties with all who did not. With n people each deal gives
    n x (n - 1) half points in all, however it went; equal choices always tie.
    """
    half_points = dict.fromkeys(results, 0)
    for deal in range(deals):
        chips = {user: _result(mine, deal) for user, mine in results.items()}
        order = sorted(chips.values())
        for user, mine in chips.items():
            beaten, not_better = bisect_left(order, mine), bisect_right(order, mine)
            half_points[user] += 2 * beaten + (not_better - beaten - 1)
    return half_points


def _result(mine: Sequence[int | None], deal: int) -> tuple[bool, int]:
    chips = mine[deal] if deal < len(mine) else None
    return chips is not None, chips or 0
