"""A table under any mixture of taps, absences and orders: chips add up, nothing stalls, the bank goes round."""

from collections.abc import Callable
from random import Random

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from core import table_moves as moves
from core.betting import NO_WAGER
from core.cards import PACK
from core.errors import RuleError
from core.rules import PRESETS, RuleSet, Spot
from core.settlement import Decision
from core.table import (
    HANDS_PER_BANK,
    MOST_SEATS,
    Betting,
    Closed,
    Deciding,
    Ended,
    House,
    Lobby,
    Offered,
    Showdown,
    Step,
    Table,
    Unbanked,
    Why,
    Wish,
    bank_order,
    bank_problem,
    bank_sizes,
    held,
    phase,
)

PEOPLE = range(1, 11)
RULES = (PRESETS["california"], PRESETS["poker-three"])
EMPTIED = 0  # a table that nobody sits at forgets who banked
people = st.sampled_from(PEOPLE)
nearly = st.sampled_from((0, 0, 1, 2, 3, 5))  # who, of those the move is for


def dealt(step: Step, chance: Random) -> Step:
    assert isinstance(step.table.stage, Closed)
    return moves.deal(step.table, tuple(chance.sample(PACK, 52)))


class TableMachine(RuleBasedStateMachine):
    """Ten people with few chips, one table; whatever a move refuses must leave no trace."""

    @initialize(house=st.sampled_from(House), rules=st.sampled_from(RULES), seed=st.integers(0, 99))
    def open_table(self, house: House, rules: RuleSet, seed: int) -> None:
        self.chance = Random(seed)
        self.table = Table(rules=rules, house=house)
        self.stacks = {user: self.chance.choice((0, 5, 12, 60, 300, 500)) for user in PEOPLE}
        self.total = sum(self.stacks.values())
        self.house = 0
        self.banks: list[int | None] = []  # of hands that were dealt

    def run(self, move: Callable[[], Step]) -> None:
        before = self.table
        try:
            step = move()
        except RuleError:
            return
        self.book(before, step)

    def book(self, before: Table, step: Step) -> None:
        taken = {user: held(before, user) for user in PEOPLE}
        for moved in step.moved:
            assert moved.chips != 0
            self.stacks[moved.user] += moved.chips
            taken[moved.user] -= moved.chips
            assert (moved.chips < 0) == (moved.why in {Why.READY, Why.BANK})
        settled = isinstance(before.stage, Closed | Deciding) and isinstance(step.table.stage, Showdown | Ended)
        assert settled or all(moved.why is not Why.SETTLED for moved in step.moved)
        for user in PEOPLE:
            change = taken[user] - held(step.table, user)
            assert change == 0 or settled
            self.house += change  # the house takes what nobody holds any more
        self.table = step.table
        if not step.table.seats:
            self.banks.append(EMPTIED)
        if isinstance(step.table.stage, Closed):
            self.banks.append(step.table.stage.bank.user)
            self.book(step.table, dealt(step, self.chance))

    def seated(self, of: int) -> int:
        """Somebody who sits there, if anybody does."""
        users = [seat.user for seat in self.table.seats]
        return users[of % len(users)] if users else PEOPLE[0]

    def awaited(self, of: int) -> int:
        match self.table.stage:
            case Offered(user=user) if of < 5:
                return user
            case Betting(awaited=(_, *_) as awaited):
                return awaited[of % len(awaited)]
            case Deciding(players=players) if of < 5:
                pending = [player.user for player in players if player.pending]
                return pending[of % len(pending)]
            case _:
                return self.seated(of)

    @rule(user=people)
    def somebody_sits(self, user: int) -> None:
        self.run(lambda: moves.sit(self.table, user))

    @precondition(lambda self: len(self.table.seats) < 4)
    @rule(user=people)
    def somebody_sits_at_a_table_with_room(self, user: int) -> None:
        self.run(lambda: moves.sit(self.table, user))

    @rule(user=people)
    def somebody_leaves(self, user: int) -> None:
        self.run(lambda: moves.leave(self.table, user, stacks=self.stacks))

    @precondition(lambda self: isinstance(self.table.stage, Lobby))
    @rule(of=nearly)
    def somebody_starts(self, of: int) -> None:
        self.run(lambda: moves.start(self.table, self.seated(of), stacks=self.stacks))

    @precondition(lambda self: isinstance(self.table.stage, Offered | Unbanked))
    @rule(of=nearly, size=st.integers(0, 2))
    def the_bank_is_put_up(self, of: int, size: int) -> None:
        user = self.awaited(of)
        sizes = bank_sizes(self.table, self.stacks[user]) or (5,)
        chips = sizes[size % len(sizes)]
        asked = self.table
        problem = bank_problem(asked, user, chips, stack=self.stacks[user])
        self.run(lambda: moves.put_up(self.table, user, chips, stacks=self.stacks))
        assert problem is None or self.table == asked

    @precondition(lambda self: isinstance(self.table.stage, Offered))
    @rule(of=nearly)
    def the_bank_is_passed(self, of: int) -> None:
        self.run(lambda: moves.pass_bank(self.table, self.awaited(of), stacks=self.stacks))

    @precondition(lambda self: isinstance(self.table.stage, Unbanked))
    @rule(of=nearly)
    def the_house_is_asked(self, of: int) -> None:
        self.run(lambda: moves.ask_house(self.table, self.seated(of), stacks=self.stacks))

    @precondition(lambda self: isinstance(self.table.stage, Betting))
    @rule(of=nearly, spot=st.sampled_from((Spot.ANTE, Spot.ANTE, Spot.PAIR_PLUS)), chip=st.sampled_from((5, 25)))
    def a_chip_is_bet(self, of: int, spot: Spot, chip: int) -> None:
        user = self.awaited(of)
        self.run(lambda: moves.add_chip(self.table, user, spot, chip, stack=self.stacks[user]))

    @precondition(lambda self: isinstance(self.table.stage, Betting))
    @rule(of=nearly, clear=st.booleans())
    def bets_are_taken_down(self, of: int, clear: bool) -> None:
        user = self.awaited(of)
        self.run(
            lambda: moves.clear_bet(self.table, user) if clear else moves.take_chip(self.table, user, Spot.ANTE, 5)
        )

    @precondition(lambda self: isinstance(self.table.stage, Betting))
    @rule(of=nearly)
    def somebody_is_ready(self, of: int) -> None:
        user = self.awaited(of)
        self.run(lambda: moves.ready(self.table, user, stack=self.stacks[user]))

    @precondition(lambda self: isinstance(self.table.stage, Betting))
    @rule(of=nearly)
    def somebody_bets_the_least(self, of: int) -> None:
        user = self.awaited(of)
        self.run(lambda: moves.add_chip(self.table, user, Spot.ANTE, 5, stack=self.stacks[user]))
        self.run(lambda: moves.ready(self.table, user, stack=self.stacks[user]))

    @precondition(lambda self: isinstance(self.table.stage, Betting))
    @rule(of=nearly)
    def somebody_bets_the_same(self, of: int) -> None:
        user = self.awaited(of)
        self.run(lambda: moves.same_bet(self.table, user, stack=self.stacks[user]))

    @precondition(lambda self: isinstance(self.table.stage, Betting))
    @rule(of=nearly)
    def somebody_sits_out(self, of: int) -> None:
        self.run(lambda: moves.sit_out(self.table, self.awaited(of), stacks=self.stacks))

    @precondition(lambda self: isinstance(self.table.stage, Deciding))
    @rule(of=nearly)
    def somebody_looks(self, of: int) -> None:
        self.run(lambda: moves.look(self.table, self.awaited(of)))

    @precondition(lambda self: isinstance(self.table.stage, Deciding))
    @rule(of=nearly, decision=st.sampled_from(Decision))
    def somebody_decides(self, of: int, decision: Decision) -> None:
        self.run(lambda: moves.decide(self.table, self.awaited(of), decision))

    @precondition(lambda self: isinstance(self.table.stage, Showdown | Offered))
    @rule(of=nearly, wish=st.sampled_from(Wish))
    def somebody_wishes(self, of: int, wish: Wish) -> None:
        self.run(lambda: moves.wish_next(self.table, self.seated(of), wish, stacks=self.stacks))

    @precondition(lambda self: not isinstance(self.table.stage, Lobby | Unbanked))
    @rule()
    def the_deadline_passes(self) -> None:
        self.run(lambda: moves.expire(self.table, stacks=self.stacks))

    @rule(steps=st.integers(1, 20))
    def everybody_plays_on(self, steps: int) -> None:
        """So that the bank goes round within one example."""
        for _ in range(steps):
            match self.table.stage:
                case Offered(user=user):
                    self.run(lambda user=user: moves.put_up(self.table, user, 5, stacks=self.stacks))  # type: ignore[misc]
                case Betting(awaited=(user, *_)):
                    self.somebody_bets_the_least(0)
                case Deciding():
                    self.somebody_decides(0, Decision.PLAY)
                case Betting() | Showdown():
                    self.the_deadline_passes()
            self.one_person_has_one_place()
            self.nobody_banks_a_third_hand_running()

    @precondition(lambda self: isinstance(self.table.stage, Betting | Deciding))
    @rule(one_in=st.integers(0, 15))
    def an_admin_closes(self, one_in: int) -> None:
        if one_in == 0:
            self.run(lambda: moves.close(self.table))

    @invariant()
    def chips_are_neither_made_nor_lost(self) -> None:
        assert sum(self.stacks.values()) + sum(held(self.table, user) for user in PEOPLE) + self.house == self.total
        assert self.house == 0 or None in self.banks

    @invariant()
    def nobody_puts_up_more_than_there_is(self) -> None:
        assert min(self.stacks.values()) >= 0
        assert all(held(self.table, user) >= 0 for user in PEOPLE)

    @invariant()
    def one_person_has_one_place(self) -> None:
        users = [seat.user for seat in self.table.seats]
        assert len(users) == len(set(users)) <= MOST_SEATS
        rotation = self.table.rotation
        assert rotation.mark is None or rotation.mark in users
        if isinstance(self.table.stage, Lobby | Offered | Unbanked | Showdown):
            assert not any(seat.leaving for seat in self.table.seats)

    @invariant()
    def nobody_banks_a_third_hand_running(self) -> None:
        last = self.banks[-HANDS_PER_BANK - 1 :]
        assert len(last) <= HANDS_PER_BANK or len(set(last)) > 1 or last[0] in {None, EMPTIED}

    @invariant()
    def an_offer_is_to_who_can_take_it(self) -> None:
        if isinstance(self.table.stage, Offered):
            order = bank_order(self.table, self.stacks)
            assert self.table.stage.user in order
            assert self.table.stage.user not in self.table.stage.passed

    @invariant()
    def only_the_seated_have_drafts(self) -> None:
        if isinstance(self.table.stage, Betting):
            users = {seat.user for seat in self.table.seats} - {self.table.stage.bank.user}
            assert users >= {bet.user for bet in (*self.table.stage.drafts, *self.table.stage.ready)}
            for user in self.table.stage.awaited:
                assert moves.draft_of(self.table, user) == NO_WAGER or held(self.table, user) == 0

    @invariant()
    def a_table_that_everybody_forgets_closes_and_keeps_nothing(self) -> None:
        """Deadlines alone lead from here to the end, and all chips are somebody's again."""
        table, stacks = self.table, dict(self.stacks)
        left = sum(stacks.values()) + sum(held(table, user) for user in PEOPLE)
        for _ in range(60):
            if isinstance(table.stage, Ended):
                break
            closed = isinstance(table.stage, Closed)
            step = dealt(Step(table=table), Random(1)) if closed else moves.expire(table, stacks=stacks)
            assert step.table.turn > table.turn, phase(table)
            for moved in step.moved:
                stacks[moved.user] += moved.chips
            table = step.table
        assert isinstance(table.stage, Ended)
        assert not table.seats
        if table.house is House.NEVER:
            assert sum(stacks.values()) == left


TestTable = TableMachine.TestCase
TestTable.settings = settings(
    max_examples=60,
    stateful_step_count=60,
    deadline=None,
    phases=(Phase.generate,),  # a night at a table shrinks slowly: the seed is enough to find a fault
)
