"""
The group table as values: who sits, who banks, and the eight stages from lobby to showdown (CAL; RULES section 3).

The moves stand in core.table_moves. People are their user ids and sit clockwise in the order of `seats`; nothing is
remembered by place. There is no clock: the caller sets `deadline` when `turn` has changed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from core.banking import BankedSettlement
from core.betting import Wager
from core.cards import Hand
from core.errors import (
    BankerCannotBet,
    BankOfferedTo,
    BankTooLarge,
    BankTooSmall,
    MustWaitToBank,
    NotInHand,
    NotSeated,
    RuleError,
    WrongPhase,
)
from core.rules import RuleSet
from core.settlement import Decision

MOST_SEATS: Final = 8
LEAST_SEATS: Final = 2
HANDS_PER_BANK: Final = 2
MOST_ABSENCES: Final = 2

Stacks: TypeAlias = Mapping[int, int]
"""Chips by user id that may be put up now; who is not named has none."""


class Back(StrEnum):
    """The colour of a deck's back (CAL: two decks alternate)."""

    BLUE = "blue"
    RED = "red"


class House(StrEnum):
    """When the house banks: a group's choice (RULES section 3, step 6)."""

    NEVER = "never"
    ASKED = "asked"  # when nobody wants the bank and somebody seated asks for it
    ALWAYS = "always"


class Wish(StrEnum):
    """What somebody wants of the coming hand (BOARDS, showdown)."""

    SAME_BET = "same_bet"  # ready at once when bets open, if it still fits; the board shows the next seal already
    OTHER_BET = "other_bet"
    SIT_OUT = "sit_out"


class Why(StrEnum):
    """Why chips moved."""

    READY = "ready"  # bets and cover, from the stack to the table
    BANK = "bank"  # from the banker's stack to the table
    RETURNED = "returned"  # back, since no hand was dealt
    SETTLED = "settled"  # back after the showdown, with what was won and without what was lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Chips between one person's stack and the table."""

    user: int
    chips: int  # to the stack; below 0: from it
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One person at the table."""

    user: int
    last: Wager | None = None  # the latest bets that were ready
    wish: Wish | None = None
    absences: int = 0  # in a row
    leaving: bool = False  # gone; bank or bets see the hand through


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """Who banks this hand."""

    user: int | None  # None: the house
    chips: int | None  # set aside; None: without limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """The bets of one person."""

    user: int
    wager: Wager


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One person in a hand that is dealt."""

    user: int
    wager: Wager
    hand: Hand  # as dealt, for its owner's eyes until the showdown
    decision: Decision | None = None
    looked: bool = False
    auto: bool = False  # the best play was taken in the person's absence

    @property
    def pending(self) -> bool:
        """Whether the hand waits for this person's decision."""
        return self.decision is None and self.wager.ante > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Lobby:
    """People gather; two can begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """The bank is offered to one person."""

    user: int
    passed: tuple[int, ...] = ()  # who has been asked already


@dataclass(frozen=True, slots=True, kw_only=True)
class Unbanked:
    """Nobody wants the bank: no hand is dealt, and the table says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Betting:
    """The bank is up; everybody else bets."""

    bank: Bank
    drafts: tuple[Bet, ...] = ()  # no chip has moved for these
    ready: tuple[Bet, ...] = ()  # held, in the order in which people were ready
    awaited: tuple[int, ...] = ()  # the stage ends at once when nobody is awaited


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """Bets are final; deal() wants a deck."""

    bank: Bank
    bets: tuple[Bet, ...]  # in action order: clockwise from the banker


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciding:
    """The cards are out."""

    bank: Bank
    dealer: Hand  # the bank's hand, for nobody's eyes yet
    players: tuple[Player, ...]  # in action order


@dataclass(frozen=True, slots=True, kw_only=True)
class Showdown:
    """The hand is over, all hands are open."""

    bank: Bank
    dealer: Hand
    players: tuple[Player, ...]  # in action order
    settled: BankedSettlement  # seats as in players
    gave_up: tuple[int, ...] = ()  # whose places went after two absences in a row


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The table is closed; no chip is held and no place taken."""

    showdown: Showdown | None = None  # of the hand that was in play when an admin closed the table


Stage: TypeAlias = Lobby | Offered | Unbanked | Betting | Closed | Deciding | Showdown | Ended


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation:
    """Whose turn the bank is."""

    banker: int | None = None  # banks, or banked last; also when gone from the table. None: nobody, or the house
    house: bool = False  # the house banks, or banked last
    hands: int = 0  # dealt by this bank in a row; HANDS_PER_BANK also when it declined
    mark: int | None = None  # the bank is offered clockwise from this person; None: from the first who sat
    before: int | None = None  # dealt the latest hand, while *banker* has dealt none: still the one who waits


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table."""

    rules: RuleSet
    house: House = House.ASKED
    seats: tuple[Seat, ...] = ()  # clockwise; a newcomer sits down at the end
    stage: Stage = field(default_factory=Lobby)
    rotation: Rotation = field(default_factory=Rotation)
    hand: int = 1  # the hand that is coming or in play
    turn: int = 0  # counts stages: a deadline or a tap of an earlier turn is late
    deadline: int | None = None  # of this turn, in the caller's seconds
    closing: bool = False  # an admin has closed it; the hand in play is finished

    @property
    def back(self) -> Back:
        """The deck of this hand (CAL: hand by hand)."""
        return Back.BLUE if self.hand % 2 else Back.RED


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a move came to."""

    table: Table
    moved: tuple[Moved, ...] = ()


# Asking


def phase(table: Table) -> str:
    """The stage in one word: lobby, offered, unbanked, betting, closed, deciding, showdown, ended."""
    return type(table.stage).__name__.lower()


def seat_of(table: Table, user: int) -> Seat:
    """The place of *user*. Raises NotSeated, also for who is leaving."""
    for seat in table.seats:
        if seat.user == user and not seat.leaving:
            return seat
    raise NotSeated


def deciding(table: Table, wanted: str) -> Deciding:
    """The hand in play. Raises WrongPhase while there is none."""
    if not isinstance(table.stage, Deciding):
        raise WrongPhase(wanted, phase(table))
    return table.stage


def player_of(table: Table, user: int) -> Player:
    """Cards, bets and decision of *user* in the hand in play. Raises WrongPhase, NotInHand, BankerCannotBet."""
    stage = deciding(table, "look")
    for player in stage.players:
        if player.user == user:
            return player
    raise BankerCannotBet if stage.bank.user == user else NotInHand


def held(table: Table, user: int) -> int:
    """Chips of *user* that the table holds: the bank from Bank on, wager.need from Ready on, until the showdown."""
    match table.stage:
        case Betting(bank=bank, ready=bets) | Closed(bank=bank, bets=bets) | Deciding(bank=bank, players=bets):
            return next((chips for who, chips in stakes_of(bank, bets) if who == user), 0)
        case _:
            return 0


def bank_order(table: Table, stacks: Stacks) -> tuple[int, ...]:
    """
    Who is asked for the next bank, in this order: the banker for a second hand, then the others clockwise.

    Only who can put up the least bank, and the old banker not before somebody else has banked; nobody where the house
    banks. Source: CAL; RULES section 3, step 6.
    """
    if house_is_next(table):
        return ()
    rotation, users = table.rotation, [seat.user for seat in table.seats]
    first = users.index(rotation.mark) + 1 if rotation.mark is not None else 0
    clockwise = [user for user in users[first:] + users[:first] if stacks.get(user, 0) >= least_bank(table)]
    again = [user for user in clockwise if user == rotation.banker and rotation.hands < HANDS_PER_BANK]
    return *again, *(user for user in clockwise if user not in {rotation.banker, rotation.before})


def least_bank(table: Table) -> int:
    """The least chips a banker puts up: the table's smallest Ante (RULES section 3, step 1)."""
    return table.rules.limits.ante.least


def bank_sizes(table: Table, stack: int) -> tuple[int, ...]:
    """
    Up to three banks for keys, ascending: one and three of the table's largest Ante, and all of *stack*.

    Whoever has no more than that is offered about a sixth and a half of it, in round numbers, and all of it.
    Source: BOARDS section 4 (620 chips where an Ante is 100 at most: 100, 300, all).
    """
    most = table.rules.limits.ante.most
    wished = (most, 3 * most) if stack > 3 * most else (_round(stack // 6), _round(stack // 2))
    sizes = {max(size, least_bank(table)) for size in wished} | {stack}
    return tuple(sorted(size for size in sizes if least_bank(table) <= size <= stack))


def bank_problem(table: Table, user: int, chips: int, *, stack: int) -> RuleError | None:
    """
    Why *user* cannot put up *chips* as the bank now, None if it can be: the one check of the move and of its keys.

    Source: RULES section 3, steps 1 and 6.
    """
    seat_of(table, user)
    match table.stage:
        case Offered(user=offered) if offered != user:
            return BankOfferedTo(offered)
        case Unbanked() if user == table.rotation.banker:
            return MustWaitToBank()
        case Offered() | Unbanked():
            if chips < least_bank(table):
                return BankTooSmall(chips, least_bank(table))
            return BankTooLarge(chips, stack) if chips > stack else None
        case _:
            return WrongPhase("bank", phase(table))


def _round(chips: int) -> int:
    digits = str(chips)
    return int(digits[0].ljust(len(digits), "0"))


def stakes_of(bank: Bank, bets: Iterable[Bet | Player]) -> list[tuple[int, int]]:
    """What everybody has put up, the banker last."""
    stakes = [(bet.user, bet.wager.need) for bet in bets]
    if bank.user is not None and bank.chips is not None:
        stakes.append((bank.user, bank.chips))
    return stakes


def house_is_next(table: Table) -> bool:
    """Whether the house banks the next hand without being asked (RULES section 3, step 6)."""
    if table.house is House.ASKED:
        return table.rotation.house and table.rotation.hands < HANDS_PER_BANK
    return table.house is House.ALWAYS
