"""Group tables to look at: stages reached by the game's own moves, with cards chosen by the test."""

from __future__ import annotations

from dataclasses import replace

from bot.facts import Chat, Person
from bot.tables import FIRST_HAND, GroupTable, TableBoard, TableRound
from core import table_moves as moves
from core.betting import Wager
from core.cards import PACK, Deck, parse_cards
from core.rules import PRESETS, RuleSet
from core.settlement import Decision
from core.table import Closed, Deciding, House, Seat, Showdown, Stage, Step, Table
from tests.bot.scenes import COMMITMENT, NEXT_COMMITMENT, NOON

CALIFORNIA, SELMINHA = PRESETS["california"], PRESETS["selminha"]
GROUP = Chat(id=-1_009_000_000_000_001, kind="supergroup", title="Poker Friends", rules=SELMINHA)
NINE_OCLOCK = 1_795_986_280  # 21:04:40 UTC
NAMES = {1: "Ann", 2: "Bob", 3: "Cy", 4: "Dee", 5: "Eve", 6: "Fay", 7: "Gus", 8: "Hal"}
ANN, BOB, CY, DEE, EVE, FAY = range(1, 7)


def stacked(*hands: str) -> Deck:
    """A pack that gives these hands first, in action order, the bank's last."""
    first = parse_cards(" ".join(hands))
    return (*first, *(card for card in PACK if card not in first))


def seated(*people: int, rules: RuleSet = SELMINHA, house: House = House.ASKED, hand: int = 7) -> Table:
    table = Table(rules=rules, house=house, hand=hand, deadline=NINE_OCLOCK)
    return replace(table, seats=tuple(Seat(user=person) for person in people))


def stacks(table: Table, **chips: int) -> dict[int, int]:
    return {seat.user: chips.get(NAMES[seat.user].lower(), 500) for seat in table.seats}


def banked(table: Table, banker: int, chips: int) -> Table:
    """The bank of *banker* is up, and bets are open."""
    table = moves.start(table, table.seats[0].user, stacks=stacks(table)).table
    while table.stage.user != banker:  # type: ignore[union-attr]
        table = moves.pass_bank(table, table.stage.user, stacks=stacks(table)).table  # type: ignore[union-attr]
    return timed(moves.put_up(table, banker, chips, stacks=stacks(table)))


def bet(table: Table, **wagers: tuple[int, int]) -> Table:
    """Bets of several people, ready; ante and Pair Plus by name."""
    people = {name.lower(): seat for seat, name in NAMES.items()}
    for name, (ante, pair_plus) in wagers.items():
        seat = people[name]
        table = replace(
            table,
            seats=tuple(
                replace(each, last=Wager(ante=ante, pair_plus=pair_plus)) if each.user == seat else each
                for each in table.seats
            ),
        )
        table = timed(moves.same_bet(table, seat, stack=500))
    return table


def dealt(table: Table, *hands: str) -> Table:
    if not isinstance(table.stage, Closed):
        table = moves.expire(table, stacks=stacks(table)).table
    return timed(moves.deal(table, stacked(*hands)))


def decided(table: Table, **decisions: Decision) -> Table:
    people = {name.lower(): seat for seat, name in NAMES.items()}
    for name, decision in decisions.items():
        looked = moves.look(table, people[name]).table if isinstance(table.stage, Deciding) else table
        table = timed(moves.decide(looked, people[name], decision))
    return table


def timed(step: Step) -> Table:
    return replace(step.table, deadline=NINE_OCLOCK)


def round_of(number: int = FIRST_HAND + 6, *, hand: int = 7, commitment: str = COMMITMENT, table: Table) -> TableRound:
    over = table.stage if isinstance(table.stage, Showdown) else None
    return TableRound(
        id=number, table_id=1, hand=hand, rules=table.rules, secret=bytes(32), commitment=commitment, opened=NOON,
        dealt=NOON if over else None, settled=NOON if over else None, showdown=over,
    )  # fmt: skip


def board(table: Table, chat: Chat = GROUP, names: dict[int, str] | None = None, **chips: int) -> TableBoard:
    """The value of a table's message; *chips* are free ones, by name."""
    over = isinstance(table.stage, Showdown)
    people = {seat: Person(id=9_000_000_000_000 + seat, name=name) for seat, name in {**NAMES, **(names or {})}.items()}
    coming = round_of(FIRST_HAND + 7, hand=8, commitment=NEXT_COMMITMENT, table=seated()) if over else None
    place = GroupTable(
        id=3, chat_id=chat.id, thread_id=None, table=table, round_id=FIRST_HAND + 6 + over,
        shown_id=FIRST_HAND + 6 if over else None, message_id=30,
    )  # fmt: skip
    free = {
        **dict.fromkeys(people, 500),
        **{seat: chips[name.lower()] for seat, name in NAMES.items() if name.lower() in chips},
    }
    return TableBoard(
        place=place,
        chat=chat,
        people=people,
        stacks=free,
        coming=coming or round_of(table=table, hand=table.hand),
        shown=round_of(table=table) if over else None,
    )


def replace_stage(table: Table, stage: Stage) -> Table:
    return replace(table, stage=stage)
