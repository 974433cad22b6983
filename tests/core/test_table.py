"""The group table move by move (CAL; RULES section 3; BOARDS section 4; FAULTS section I)."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from core.betting import NO_WAGER, Wager
from core.cards import PACK, Deck, parse_cards
from core.errors import (
    AlreadyDecided,
    AlreadyReady,
    AlreadySeated,
    BankerCannotBet,
    BankOfferedTo,
    BankTooLarge,
    BankTooSmall,
    CannotCover,
    HouseMayNotBank,
    MustWaitToBank,
    NoBet,
    NothingToDecide,
    NotInHand,
    NotSeated,
    RuleError,
    TableFull,
    TooFewSeated,
    WrongPhase,
)
from core.rules import PRESETS, Spot
from core.settlement import Decision
from core.table import (
    Back,
    Betting,
    Closed,
    Deciding,
    Ended,
    House,
    Lobby,
    Moved,
    Offered,
    Seat,
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
    player_of,
    seat_of,
)
from core.table_moves import (
    add_chip,
    ask_house,
    change_rules,
    clear_bet,
    close,
    deal,
    decide,
    draft_of,
    expire,
    leave,
    look,
    pass_bank,
    put_up,
    ready,
    same_bet,
    sit,
    sit_out,
    start,
    take_chip,
    wish_next,
)

CALIFORNIA = PRESETS["california"]
ANN, BOB, CY, DEE, EVE = range(1, 6)
RICH = dict.fromkeys(range(1, 11), 500)
ORDER = (ANN, BOB, CY, DEE)
EXAMPLE: Deck = parse_cards("5h 6c 7d Qh 8c 2d Jd 7s 2h 8s 8d 3c Qs 9d 4c")
"""The worked example of RULES section 3: Ann, Bob, Cy, Dee, and the banker's queen high."""
DECK: Deck = tuple(Random(1).sample(PACK, 52))


def seated(*users: int, house: House = House.ASKED) -> Table:
    return Table(rules=CALIFORNIA, house=house, seats=tuple(Seat(user=user) for user in users))


def begun(*users: int, house: House = House.ASKED) -> Table:
    return start(seated(*users, house=house), users[0], stacks=RICH).table


def banked(*users: int, chips: int = 100) -> Table:
    """The first of *users* banks, the others bet."""
    return put_up(begun(*users), users[0], chips, stacks=RICH).table


def bet(table: Table, user: int, ante: int = 5, pair_plus: int = 0) -> Step:
    drafted = replace(seat_of(table, user), last=Wager(ante=ante, pair_plus=pair_plus))
    seats = tuple(drafted if seat.user == user else seat for seat in table.seats)
    return same_bet(replace(table, seats=seats), user, stack=500)


def in_play(*users: int, deck: Deck = DECK, chips: int = 100) -> Table:
    """Everybody has bet the least, the cards are out."""
    table = banked(*users, chips=chips)
    for user in users[1:]:
        table = bet(table, user).table
    return deal(table, deck).table


def over(table: Table) -> Table:
    """The hand is played to its end by everybody."""
    assert isinstance(table.stage, Deciding)
    for player in table.stage.players:
        table = decide(look(table, player.user).table, player.user, Decision.FOLD).table
    return table


def users_of(table: Table) -> list[int]:
    return [seat.user for seat in table.seats]


def stage_is(table: Table, stage: type[object]) -> bool:
    return isinstance(table.stage, stage)


# Coming and going


@pytest.mark.parametrize(
    "table, user, refusal",
    [
        pytest.param(seated(ANN), ANN, AlreadySeated, id="F100 joining twice"),
        pytest.param(in_play(ANN, BOB), BOB, AlreadySeated, id="F100 joining twice in a hand"),
        pytest.param(seated(*range(1, 9)), 9, TableFull, id="CAL up to eight places, the player-dealer included"),
        pytest.param(close(seated(ANN)).table, BOB, WrongPhase, id="a closed table is closed"),
    ],
)
def test_who_may_not_sit(table: Table, user: int, refusal: type[RuleError]) -> None:
    with pytest.raises(refusal):
        sit(table, user)


def test_f100_join_leave_join_is_one_place() -> None:
    table = sit(leave(sit(seated(BOB), ANN).table, ANN, stacks=RICH).table, ANN).table
    assert users_of(table) == [BOB, ANN]


def test_f104_anybody_seated_may_start_also_when_the_first_has_gone() -> None:
    table = leave(seated(ANN, BOB, CY), ANN, stacks=RICH).table
    assert start(table, CY, stacks=RICH).table.stage == Offered(user=BOB)


@pytest.mark.parametrize(
    "table, user, refusal",
    [
        pytest.param(seated(ANN), ANN, TooFewSeated, id="two people can begin"),
        pytest.param(seated(ANN, BOB), CY, NotSeated, id="who stands by does not start"),
        pytest.param(begun(ANN, BOB), ANN, WrongPhase, id="only once"),
    ],
)
def test_who_may_not_start(table: Table, user: int, refusal: type[RuleError]) -> None:
    with pytest.raises(refusal):
        start(table, user, stacks=RICH)


def test_f104_an_idle_lobby_closes_by_itself() -> None:
    assert expire(seated(ANN), stacks=RICH).table.stage == Ended()


def test_who_joins_while_bets_are_open_may_bet_and_who_joins_later_waits() -> None:
    early = sit(banked(ANN, BOB), CY).table
    assert draft_of(early, CY) == NO_WAGER
    assert isinstance(early.stage, Betting)
    assert early.stage.awaited == (BOB, CY)

    late = sit(in_play(ANN, BOB), CY).table
    with pytest.raises(NotInHand):
        look(late, CY)
    assert users_of(expire(over(late), stacks=RICH).table) == [ANN, BOB, CY]
    assert leave(late, CY, stacks=RICH).table == replace(late, seats=late.seats[:2])


def test_leaving_in_mid_hand_plays_on_by_auto_and_frees_the_place_after_it() -> None:
    table = leave(in_play(ANN, BOB, CY), BOB, stacks=RICH).table
    assert player_of(table, BOB).auto
    assert users_of(table) == [ANN, BOB, CY]
    with pytest.raises(NotSeated):
        leave(table, BOB, stacks=RICH)
    done = decide(look(table, CY).table, CY, Decision.FOLD).table
    assert isinstance(done.stage, Showdown)
    assert users_of(done) == [ANN, CY]
    assert done.stage.gave_up == ()


def test_who_is_leaving_may_come_back_before_the_hand_is_over() -> None:
    table = sit(leave(in_play(ANN, BOB, CY), BOB, stacks=RICH).table, BOB).table
    assert users_of(decide(look(table, CY).table, CY, Decision.PLAY).table) == [ANN, BOB, CY]


def test_leaving_when_ready_plays_on_by_auto() -> None:
    table = leave(bet(banked(ANN, BOB, CY), BOB).table, BOB, stacks=RICH).table
    assert held(table, BOB) == 10
    table = deal(bet(table, CY).table, DECK).table
    assert player_of(table, BOB).auto
    assert player_of(table, CY).pending


def test_leaving_when_all_bets_are_final_plays_on_by_auto() -> None:
    table = leave(bet(banked(ANN, BOB), BOB).table, BOB, stacks=RICH).table
    table = deal(table, DECK).table
    assert isinstance(table.stage, Showdown)
    assert table.stage.players[0].auto


def test_the_last_one_awaited_leaves_and_the_bets_close() -> None:
    table = bet(banked(ANN, BOB, CY), BOB).table
    assert stage_is(leave(table, CY, stacks=RICH).table, Closed)


def test_the_banker_leaving_finishes_the_hand() -> None:
    table = leave(banked(ANN, BOB, CY), ANN, stacks=RICH).table
    assert held(table, ANN) == 100
    table = over(deal(bet(bet(table, BOB).table, CY).table, DECK).table)
    assert users_of(table) == [BOB, CY]
    assert expire(table, stacks=RICH).table.stage == Offered(user=BOB)


def test_nobody_is_left_who_could_bet_and_the_bank_goes_back() -> None:
    step = leave(banked(ANN, BOB), BOB, stacks=RICH)
    assert step.table.stage == Lobby()
    assert step.moved == (Moved(user=ANN, chips=100, why=Why.RETURNED),)


@pytest.mark.parametrize(
    "table, user, after",
    [
        pytest.param(begun(ANN, BOB, CY), ANN, Offered(user=BOB), id="who is asked for the bank"),
        pytest.param(begun(ANN, BOB, CY), CY, Offered(user=ANN), id="who is not"),
        pytest.param(begun(ANN, BOB), BOB, Lobby(), id="only Ann is here"),
        pytest.param(pass_bank(begun(ANN, BOB, CY), ANN, stacks=RICH).table, BOB, Offered(user=CY, passed=(ANN,)), id="the second asked"),
        pytest.param(replace(begun(ANN, BOB, CY), stage=Unbanked()), ANN, Unbanked(), id="nobody wants the bank"),
        pytest.param(replace(begun(ANN, BOB), stage=Unbanked()), ANN, Lobby(), id="nor is there anybody to want it"),
        pytest.param(wish_next(over(in_play(ANN, BOB)), ANN, Wish.OTHER_BET, stacks=RICH).table, BOB, Lobby(), id="who was waited for after a showdown"),
    ],
)  # fmt: skip
def test_leaving_between_hands_is_at_once(table: Table, user: int, after: object) -> None:
    left = leave(table, user, stacks=RICH).table
    assert left.stage == after
    assert user not in users_of(left)


def test_who_stands_by_does_not_leave() -> None:
    with pytest.raises(NotSeated):
        leave(seated(ANN), BOB, stacks=RICH)


@pytest.mark.parametrize(
    "table, moved",
    [
        pytest.param(seated(ANN, BOB), (), id="lobby"),
        pytest.param(begun(ANN, BOB), (), id="bank offered"),
        pytest.param(
            bet(banked(ANN, BOB, CY), BOB).table,
            (Moved(user=ANN, chips=100, why=Why.RETURNED), Moved(user=BOB, chips=10, why=Why.RETURNED)),
            id="bets: all stakes return",
        ),
        pytest.param(
            bet(banked(ANN, BOB), BOB).table,
            (Moved(user=ANN, chips=100, why=Why.RETURNED), Moved(user=BOB, chips=10, why=Why.RETURNED)),
            id="bets are final, and no deck was taken: all stakes return",
        ),
    ],
)
def test_an_admin_closes_before_the_deal(table: Table, moved: tuple[Moved, ...]) -> None:
    step = close(table)
    assert step.table.stage == Ended()
    assert (step.table.seats, step.moved) == ((), moved)
    with pytest.raises(WrongPhase):
        close(step.table)
    with pytest.raises(WrongPhase):
        expire(step.table, stacks=RICH)


def test_an_admin_closes_and_the_hand_in_play_is_finished() -> None:
    table = over(close(in_play(ANN, BOB)).table)
    assert isinstance(table.stage, Ended)
    assert table.stage.showdown is not None
    assert table.stage.showdown.settled.banker_net == 5
    assert table.seats == ()


def test_rules_change_between_hands_only() -> None:
    table = change_rules(over(in_play(ANN, BOB)), PRESETS["selminha"], House.ALWAYS).table
    assert (table.rules, table.house) == (PRESETS["selminha"], House.ALWAYS)
    for busy in (banked(ANN, BOB), in_play(ANN, BOB)):
        with pytest.raises(WrongPhase):
            change_rules(busy, CALIFORNIA, House.NEVER)


# The bank


def test_the_first_bank_is_offered_to_the_first_who_sat() -> None:
    assert begun(BOB, ANN).stage == Offered(user=BOB)


@pytest.mark.parametrize(
    "user, chips, stacks, problem",
    [
        pytest.param(ANN, 4, RICH, BankTooSmall, id="at least the table's smallest ante"),
        pytest.param(ANN, 5, RICH, None, id="the smallest ante will do"),
        pytest.param(ANN, 500, RICH, None, id="at most the stack"),
        pytest.param(ANN, 501, RICH, BankTooLarge, id="more than the stack"),
        pytest.param(ANN, 5, {}, BankTooLarge, id="an empty stack"),
        pytest.param(BOB, 5, RICH, BankOfferedTo, id="offered to somebody else"),
        pytest.param(DEE, 5, RICH, NotSeated, id="a bystander"),
    ],
)
def test_rules_3_step_1_the_bank(
    user: int, chips: int, stacks: dict[int, int], problem: type[RuleError] | None
) -> None:
    table = begun(ANN, BOB, CY)
    if problem is None:
        step = put_up(table, user, chips, stacks=stacks)
        assert held(step.table, user) == chips
        assert step.moved == (Moved(user=user, chips=-chips, why=Why.BANK),)
    else:
        with pytest.raises(problem):
            put_up(table, user, chips, stacks=stacks)


def test_no_bank_outside_its_stage() -> None:
    assert isinstance(bank_problem(banked(ANN, BOB), BOB, 5, stack=500), WrongPhase)
    for table, refusal in ((begun(ANN, BOB), BankOfferedTo), (banked(ANN, BOB), WrongPhase)):
        with pytest.raises(refusal):
            pass_bank(table, BOB, stacks=RICH)


@pytest.mark.parametrize(
    "stack, sizes",
    [
        (620, (100, 300, 620)),
        (500, (100, 300, 500)),
        (301, (100, 300, 301)),
        (300, (50, 100, 300)),
        (20, (5, 10, 20)),
        (7, (5, 7)),
        (5, (5,)),
        (4, ()),
    ],
)
def test_boards_4_three_sizes_of_a_bank(stack: int, sizes: tuple[int, ...]) -> None:
    assert bank_sizes(seated(ANN), stack) == sizes


def test_rules_3_step_6_two_hands_each_clockwise() -> None:
    table, banks = begun(ANN, BOB, CY), []
    for _ in range(8):
        assert isinstance(table.stage, Offered)
        banks.append(table.stage.user)
        table = put_up(table, table.stage.user, 50, stacks=RICH).table
        for user in users_of(table):
            if user != banks[-1]:
                table = bet(table, user).table
        table = expire(over(deal(table, DECK).table), stacks=RICH).table
    assert banks == [ANN, ANN, BOB, BOB, CY, CY, ANN, ANN]


@pytest.mark.parametrize(
    "stacks, asked",
    [
        pytest.param(RICH, (ANN, BOB, CY), id="a second hand, then clockwise"),
        pytest.param(RICH | {ANN: 4}, (BOB, CY), id="sooner if the banker cannot put up the least bank"),
        pytest.param({CY: 5}, (CY,), id="who cannot is passed over"),
        pytest.param({}, (), id="nobody can"),
    ],
)
def test_who_is_asked_after_one_hand(stacks: dict[int, int], asked: tuple[int, ...]) -> None:
    table = over(in_play(ANN, BOB, CY))
    assert bank_order(table, stacks) == asked
    assert expire(table, stacks=stacks).table.stage == (Offered(user=asked[0]) if asked else Unbanked())


def test_rules_3_step_6_a_banker_who_declines_waits_for_somebody_else() -> None:
    table = expire(over(in_play(ANN, BOB)), stacks=RICH).table
    table = pass_bank(table, ANN, stacks=RICH).table
    assert table.stage == Offered(user=BOB, passed=(ANN,))
    table = expire(table, stacks=RICH).table
    assert table.stage == Unbanked()
    with pytest.raises(MustWaitToBank):
        put_up(table, ANN, 50, stacks=RICH)
    assert held(put_up(table, BOB, 50, stacks=RICH).table, BOB) == 50


def test_rules_3_step_6_a_bank_that_dealt_no_hand_was_none_and_the_old_banker_goes_on_waiting() -> None:
    table = over(in_play(ANN, BOB))
    table = bet(put_up(expire(table, stacks=RICH).table, ANN, 50, stacks=RICH).table, BOB).table
    table = expire(over(deal(table, DECK).table), stacks=RICH).table
    assert table.stage == Offered(user=BOB)  # Ann has dealt her two hands
    table = expire(put_up(table, BOB, 50, stacks=RICH).table, stacks=RICH).table
    assert table.stage == Offered(user=BOB)  # nobody has bet: Bob is asked again
    table = pass_bank(table, BOB, stacks=RICH).table
    assert table.stage == Unbanked()
    with pytest.raises(MustWaitToBank):
        put_up(table, ANN, 50, stacks=RICH)
    assert held(put_up(table, BOB, 50, stacks=RICH).table, BOB) == 50


def test_the_old_banker_waits_also_after_leaving_and_coming_back() -> None:
    table = leave(over(in_play(ANN, BOB, CY)), ANN, stacks=RICH).table
    table = expire(sit(table, ANN).table, stacks=RICH).table
    assert table.stage == Offered(user=ANN)  # the second of two hands is still Ann's
    table = pass_bank(table, ANN, stacks=RICH).table
    table = sit(leave(table, ANN, stacks=RICH).table, ANN).table
    assert ANN not in bank_order(table, RICH)


def test_where_the_banker_sat_is_remembered_when_several_leave() -> None:
    table = in_play(ANN, BOB, CY, DEE)
    table = replace(table, rotation=replace(table.rotation, mark=CY, banker=CY, hands=2))
    table = leave(leave(over(table), CY, stacks=RICH).table, BOB, stacks=RICH).table
    assert bank_order(table, RICH) == (DEE, ANN)
    assert leave(leave(table, ANN, stacks=RICH).table, DEE, stacks=RICH).table.rotation.mark is None


def test_nobody_wants_the_bank_and_no_hand_is_dealt() -> None:
    table = pass_bank(pass_bank(begun(ANN, BOB), ANN, stacks=RICH).table, BOB, stacks=RICH).table
    assert table.stage == Unbanked()
    assert stage_is(put_up(table, ANN, 5, stacks=RICH).table, Betting)  # nobody has banked yet: anybody may
    assert expire(table, stacks=RICH).table.stage == Ended()


def hand_of_the_house(table: Table) -> Table:
    return over(deal(bet(bet(table, ANN).table, BOB).table, DECK).table)


def test_the_house_banks_two_hands_when_it_is_asked_and_then_everybody_may() -> None:
    table = expire(over(in_play(ANN, BOB)), stacks={}).table
    assert table.stage == Unbanked()
    table = ask_house(table, BOB, stacks=RICH).table
    assert isinstance(table.stage, Betting)
    assert (table.stage.bank.user, table.stage.bank.chips) == (None, None)
    table = hand_of_the_house(table)
    assert bank_order(table, RICH) == ()
    table = expire(table, stacks=RICH).table
    assert stage_is(table, Betting)
    table = expire(hand_of_the_house(table), stacks=RICH).table
    assert table.stage == Offered(user=BOB)
    assert bank_order(table, RICH) == (BOB, ANN)


def test_a_group_may_have_the_house_bank_always() -> None:
    table = begun(ANN, BOB, house=House.ALWAYS)
    for _ in range(4):
        assert isinstance(table.stage, Betting)
        assert table.stage.bank.user is None
        table = expire(hand_of_the_house(table), stacks=RICH).table


def test_a_group_may_keep_the_house_out() -> None:
    table = replace(begun(ANN, BOB, house=House.NEVER), stage=Unbanked())
    with pytest.raises(HouseMayNotBank):
        ask_house(table, ANN, stacks=RICH)
    with pytest.raises(WrongPhase):
        ask_house(begun(ANN, BOB), ANN, stacks=RICH)


# Bets


def test_a_wager_is_built_and_made_ready() -> None:
    table = banked(ANN, BOB, CY)
    table = add_chip(table, BOB, Spot.ANTE, 25, stack=500).table
    table = add_chip(table, BOB, Spot.PAIR_PLUS, 5, stack=500).table
    assert draft_of(table, BOB) == Wager(ante=25, pair_plus=5)
    assert held(table, BOB) == 0
    assert draft_of(take_chip(table, BOB, Spot.ANTE, 5).table, BOB) == Wager(ante=20, pair_plus=5)
    assert draft_of(clear_bet(table, BOB).table, BOB) == NO_WAGER
    step = ready(table, BOB, stack=500)
    assert step.moved == (Moved(user=BOB, chips=-55, why=Why.READY),)
    assert held(step.table, BOB) == 55
    assert seat_of(step.table, BOB).last == Wager(ante=25, pair_plus=5)


MOVES_OF_BETS: list[Callable[[Table, int], Step]] = [
    lambda table, user: add_chip(table, user, Spot.ANTE, 5, stack=500),
    lambda table, user: take_chip(table, user, Spot.ANTE, 5),
    clear_bet,
    lambda table, user: ready(table, user, stack=500),
    lambda table, user: same_bet(table, user, stack=500),
    lambda table, user: sit_out(table, user, stacks=RICH),
]


@pytest.mark.parametrize("move", MOVES_OF_BETS)
@pytest.mark.parametrize(
    "table, user, refusal",
    [
        pytest.param(banked(ANN, BOB), ANN, BankerCannotBet, id="the banker does not bet"),
        pytest.param(bet(banked(ANN, BOB, CY), BOB).table, BOB, AlreadyReady, id="ready is ready"),
        pytest.param(begun(ANN, BOB), BOB, WrongPhase, id="no bank yet"),
        pytest.param(in_play(ANN, BOB), BOB, WrongPhase, id="a late tap"),
        pytest.param(banked(ANN, BOB), CY, NotSeated, id="F30 a bystander"),
    ],
)
def test_who_may_not_bet(move: Callable[[Table, int], Step], table: Table, user: int, refusal: type[RuleError]) -> None:
    with pytest.raises(refusal):
        move(table, user)


def test_ready_asks_the_one_check() -> None:
    table = banked(ANN, BOB)
    with pytest.raises(NoBet):
        ready(table, BOB, stack=500)
    with pytest.raises(NoBet):
        same_bet(table, BOB, stack=500)
    drafted = add_chip(table, BOB, Spot.ANTE, 25, stack=500).table
    with pytest.raises(CannotCover):
        ready(drafted, BOB, stack=49)


def test_all_ready_ends_the_stage_in_action_order_from_the_banker() -> None:
    table = banked(ANN, BOB, CY, DEE)
    table = replace(table, seats=(*table.seats[2:], *table.seats[:2]))  # Cy, Dee, Ann, Bob sit clockwise
    for user in (CY, DEE, BOB):
        assert stage_is(table, Betting)
        table = bet(table, user).table
    assert isinstance(table.stage, Closed)
    assert [each.user for each in table.stage.bets] == [BOB, CY, DEE]


def test_f102_no_bet_means_sitting_out_and_the_others_play() -> None:
    step = expire(bet(banked(ANN, BOB, CY), BOB).table, stacks=RICH)
    assert isinstance(step.table.stage, Closed)
    assert [each.user for each in step.table.stage.bets] == [BOB]
    assert seat_of(step.table, CY).absences == 1
    with pytest.raises(WrongPhase):
        expire(step.table, stacks=RICH)


def test_f102_two_absences_in_a_row_give_the_place_up() -> None:
    table = banked(ANN, BOB, CY)
    for hand in (1, 2):
        table = over(deal(expire(bet(table, BOB).table, stacks=RICH).table, DECK).table)
        assert isinstance(table.stage, Showdown)
        assert table.stage.gave_up == (() if hand == 1 else (CY,))
        table = put_up(expire(table, stacks=RICH).table, ANN if hand == 1 else BOB, 50, stacks=RICH).table
    assert users_of(table) == [ANN, BOB]


def test_an_absence_is_forgotten_by_who_decides() -> None:
    table = over(deal(bet(banked(ANN, BOB), BOB).table, DECK).table)
    seats = tuple(replace(seat, absences=1) for seat in in_play(ANN, BOB).seats)
    assert seat_of(table, BOB).absences == 0
    assert seat_of(over(replace(in_play(ANN, BOB), seats=seats)), BOB).absences == 0


def test_sitting_out_is_no_absence_nobody_waits_and_a_tap_comes_back() -> None:
    table = sit_out(bet(banked(ANN, BOB, CY, DEE), BOB).table, CY, stacks=RICH).table
    assert isinstance(table.stage, Betting)
    assert table.stage.awaited == (DEE,)
    back = add_chip(table, CY, Spot.ANTE, 5, stack=500).table
    assert isinstance(back.stage, Betting)
    assert back.stage.awaited == (DEE, CY)
    closed = sit_out(table, DEE, stacks=RICH).table
    assert stage_is(closed, Closed)
    assert [seat.absences for seat in closed.seats] == [0, 0, 0, 0]


def test_who_has_too_few_chips_is_not_waited_for() -> None:
    table = put_up(begun(ANN, BOB, CY), ANN, 50, stacks=RICH | {CY: 9}).table
    assert stage_is(bet(table, BOB).table, Closed)


def test_nobody_bets_the_bank_goes_back_and_the_same_banker_is_asked() -> None:
    step = expire(banked(ANN, BOB, CY), stacks=RICH)
    assert step.table.stage == Offered(user=ANN)
    assert step.moved == (Moved(user=ANN, chips=100, why=Why.RETURNED),)
    assert step.table.hand == 1
    again = expire(put_up(step.table, ANN, 100, stacks=RICH).table, stacks=RICH).table
    assert again.stage == Lobby()  # Bob and Cy were away twice
    assert users_of(again) == [ANN]


# Cards, decisions, showdown


def test_the_worked_example_at_the_table() -> None:
    table = banked(EVE, *ORDER)
    for user, (ante, pair_plus) in zip(ORDER, ((20, 10), (30, 0), (10, 5), (25, 10)), strict=True):
        table = bet(table, user, ante, pair_plus).table
    table = deal(table, EXAMPLE).table
    for user in ORDER:
        step = decide(look(table, user).table, user, Decision.FOLD if user == CY else Decision.PLAY)
        table = step.table
    assert isinstance(table.stage, Showdown)
    assert [seat.net for seat in table.stage.settled.seats] == [120, -60, -15, 55]
    assert {moved.user: moved.chips for moved in step.moved} == {ANN: 170, CY: 10, DEE: 115}  # Bob and the bank: none
    assert sum(moved.chips for moved in step.moved) == 50 + 60 + 25 + 60 + 100
    assert bank_order(table, RICH) == (EVE, ANN, BOB, CY, DEE)


def test_play_or_fold_before_a_look_shows_the_cards_and_decides_nothing() -> None:
    table = decide(in_play(ANN, BOB), BOB, Decision.FOLD).table
    assert (player_of(table, BOB).looked, player_of(table, BOB).decision) == (True, None)
    assert stage_is(decide(table, BOB, Decision.FOLD).table, Showdown)


def test_who_may_not_decide() -> None:
    table = in_play(ANN, BOB, CY)
    for user, refused in ((ANN, BankerCannotBet), (DEE, NotInHand)):
        with pytest.raises(refused):
            decide(table, user, Decision.PLAY)
    decided = decide(look(table, BOB).table, BOB, Decision.PLAY).table
    with pytest.raises(AlreadyDecided):
        decide(decided, BOB, Decision.FOLD)
    with pytest.raises(WrongPhase):
        decide(banked(ANN, BOB), BOB, Decision.FOLD)
    with pytest.raises(WrongPhase):
        deal(table, DECK)


@pytest.mark.parametrize(
    "cards, best",
    [
        pytest.param("Qh 6c 4d", Decision.PLAY, id="queen-6-4 is played"),
        pytest.param("Qh 6c 3d", Decision.FOLD, id="queen-6-3 is folded"),
    ],
)
def test_f102_no_decision_means_the_best_play_and_an_absence(cards: str, best: Decision) -> None:
    step = expire(in_play(ANN, BOB, deck=parse_cards(cards + " Ks Kd 2c")), stacks=RICH)
    assert isinstance(step.table.stage, Showdown)
    (player,) = step.table.stage.players
    assert (player.decision, player.auto) == (best, True)
    assert seat_of(step.table, BOB).absences == 1


def test_p3_pair_plus_alone_waits_for_nobody() -> None:
    table = replace(banked(ANN, BOB), rules=PRESETS["poker-three"])
    assert stage_is(deal(bet(table, BOB, 0, 5).table, DECK).table, Showdown)

    beside = replace(banked(ANN, BOB, CY), rules=PRESETS["poker-three"])
    beside = deal(bet(bet(beside, BOB, 0, 5).table, CY).table, DECK).table
    with pytest.raises(NothingToDecide):
        decide(beside, BOB, Decision.PLAY)


def test_two_decks_alternate_hand_by_hand() -> None:
    table, backs = in_play(ANN, BOB), []
    for _ in range(2):
        backs.append(over(table).back)
        table = expire(over(table), stacks=RICH).table
        backs.append(table.back)
        table = deal(bet(put_up(table, ANN, 50, stacks=RICH).table, BOB).table, DECK).table
        if len(backs) == 2:
            table = replace(table, rotation=replace(table.rotation, hands=1))
    assert backs == [Back.BLUE, Back.RED, Back.RED, Back.BLUE]


def test_wishes_of_all_bring_the_next_hand_at_once() -> None:
    table = over(in_play(ANN, BOB, CY, DEE))
    for user, wish in ((ANN, Wish.OTHER_BET), (BOB, Wish.SAME_BET), (CY, Wish.SIT_OUT), (DEE, Wish.SAME_BET)):
        assert stage_is(table, Showdown)
        table = wish_next(table, user, wish, stacks=RICH).table
    assert table.stage == Offered(user=ANN)
    step = put_up(table, ANN, 50, stacks=RICH | {DEE: 9})
    assert step.moved == (
        Moved(user=ANN, chips=-50, why=Why.BANK),
        Moved(user=BOB, chips=-10, why=Why.READY),  # Dee's no longer fits
    )
    assert isinstance(step.table.stage, Closed)
    assert [each.user for each in step.table.stage.bets] == [BOB]


def test_a_wish_has_its_place_and_its_bet() -> None:
    with pytest.raises(NoBet):
        wish_next(over(in_play(ANN, BOB)), ANN, Wish.SAME_BET, stacks=RICH)  # Ann banked
    with pytest.raises(WrongPhase):
        wish_next(in_play(ANN, BOB), BOB, Wish.OTHER_BET, stacks=RICH)
    late = expire(over(in_play(ANN, BOB)), stacks=RICH).table
    assert seat_of(wish_next(late, BOB, Wish.SAME_BET, stacks=RICH).table, BOB).wish is Wish.SAME_BET


def test_a_deadline_belongs_to_its_turn() -> None:
    table = replace(begun(ANN, BOB), deadline=1_000)
    kept = wish_next(table, BOB, Wish.OTHER_BET, stacks=RICH).table
    assert (kept.turn, kept.deadline) == (table.turn, 1_000)
    opened = put_up(table, ANN, 50, stacks=RICH).table
    assert (opened.turn, opened.deadline) == (table.turn + 1, None)


def test_role_follows_the_person_when_somebody_before_the_banker_leaves() -> None:
    table = in_play(ANN, BOB, CY)
    table = put_up(replace(table, stage=Offered(user=BOB), hand=2), BOB, 50, stacks=RICH).table
    table = leave(table, ANN, stacks=RICH).table
    assert held(table, BOB) == 50
    assert phase(table) == "betting"
    with pytest.raises(BankerCannotBet):
        draft_of(table, BOB)
