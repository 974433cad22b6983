"""Frozen values of the group table that cross rooms; people there are known by the id of their seat in the chat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.facts import Chat, Person
from core.betting import Wager
from core.cards import Hand
from core.odds import Advice
from core.rules import RuleSet
from core.table import Ended, Player, Showdown, Table

FIRST_HAND = 900_000_001
"""Hands at a table have numbers from here on, so that no number, and no nonce, is also that of a hand played alone."""
LAST_BOARD = -(2**40)
"""A painter's numbers of tables lie above it and below zero; solo boards have those above, other kinds those below."""


def board_of(table_id: int) -> int:
    """What the painter calls a table's message."""
    return -table_id


def table_of(board: int) -> int | None:
    """The table that a painter means by this number; None if it means a board of another kind."""
    return -board if LAST_BOARD < board < 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRound:
    """One hand at a table, from its commitment to its showdown."""

    id: int  # the nonce
    table_id: int
    hand: int  # as the table counts them
    rules: RuleSet  # as it was opened, or dealt
    secret: bytes = field(repr=False)  # 32 bytes; never shown before the showdown
    commitment: str
    words: tuple[str, ...] = ()  # of the seats in action order, the banker's, the cut; fixed by the deal
    cut: int | None = None  # what Telegram's dice showed
    cut_by: int | None = None  # seat
    opened: datetime
    dealt: datetime | None = None
    settled: datetime | None = None
    void: bool = False
    showdown: Showdown | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupTable:
    """A chat's table and its one living message."""

    id: int
    chat_id: int
    thread_id: int | None
    table: Table
    round_id: int  # the hand that is coming or in play
    shown_id: int | None = None  # the hand of the latest showdown
    version: int = 1
    message_id: int | None = None  # none: not sent yet, or to be sent anew
    old_message_id: int | None = None  # its keys are still to be taken off
    wanted: int = 1  # version of the newest picture
    painted: int = 0  # version on the screen

    @property
    def board(self) -> int:
        """What the painter calls its message."""
        return board_of(self.id)

    @property
    def ended(self) -> bool:
        """Whether the table is closed for good."""
        return isinstance(self.table.stage, Ended)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBoard:
    """Everything that a table's message shows; the picture is a function of it."""

    place: GroupTable
    chat: Chat
    people: Mapping[int, Person]  # by seat, of all whom the picture may name
    stacks: Mapping[int, int]  # free chips, by seat
    coming: TableRound | None  # the hand that is coming or in play
    shown: TableRound | None = None  # the hand of the showdown that is on show

    @property
    def table(self) -> Table:
        """The table itself, without its message."""
        return self.place.table


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTold:
    """What a move at the table came to, for the picture of all and the toast of one."""

    board: TableBoard
    seat: int | None = None  # who acted
    turned: bool = False  # another stage has begun: its picture waits for nothing
    cards: Player | None = None  # the actor's own cards, bets and decision in the hand
    peeked: bool = False  # the tap showed the cards and decided nothing
    unchanged: bool = False  # nothing to paint
    solo: tuple[int, ...] = ()  # solo boards whose night ended here, to be painted again
    stale: tuple[int, ...] = ()  # solo boards that tell of chips which moved here, to be painted again in time


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAdvice:
    """What Hint knows at a table: nothing but one's own cards, the bets and the rules."""

    wager: Wager
    player: Hand
    advice: Advice
    rules: RuleSet


@dataclass(frozen=True, slots=True, kw_only=True)
class TableProof:
    """A hand at a table that somebody may look at."""

    round: TableRound
    names: Mapping[int, str]  # by seat, as last seen
    member: bool  # the asker has a seat in that chat
