"""
The group table's moves: sit down, bank, bet, decide, and how the table goes on (CAL; RULES section 3).

A move is a function from a table to a Step: the new table and the chips that moved, person by person, for the ledger.
Stacks come from outside: chips that a person may put up now, what this table holds not among them. The caller calls
expire() when the deadline that it set has passed. Bets that are final wait as Closed for a deck, which the caller
shuffles from the words of everybody in the order of `Closed.bets`, the banker's last, and gives to deal().
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

from core import betting
from core.banking import TableSeat, settle_banked
from core.betting import NO_WAGER, Wager
from core.cards import Deck
from core.errors import (
    AlreadyDecided,
    AlreadyReady,
    AlreadySeated,
    BankerCannotBet,
    BankOfferedTo,
    HouseMayNotBank,
    NoBet,
    NothingToDecide,
    TableFull,
    TooFewSeated,
    WrongPhase,
)
from core.fair import packs
from core.odds import hint
from core.rules import RuleSet, Spot
from core.settlement import Decision
from core.table import (
    HANDS_PER_BANK,
    LEAST_SEATS,
    MOST_ABSENCES,
    MOST_SEATS,
    Bank,
    Bet,
    Betting,
    Closed,
    Deciding,
    Ended,
    House,
    Lobby,
    Moved,
    Offered,
    Player,
    Rotation,
    Seat,
    Showdown,
    Stacks,
    Stage,
    Step,
    Table,
    Unbanked,
    Why,
    Wish,
    bank_order,
    bank_problem,
    deciding,
    held,
    house_is_next,
    phase,
    player_of,
    seat_of,
    stakes_of,
)

# Coming and going


def sit(table: Table, user: int) -> Step:
    """
    Take a place; who comes when the cards are out waits for the next hand; who was leaving stays.

    Raises AlreadySeated, TableFull, WrongPhase at a closed table. Source: CAL, up to eight places; F100.
    """
    _refuse_ended(table, "sit")
    mine = next((seat for seat in table.seats if seat.user == user), None)
    if mine is not None:
        if not mine.leaving:
            raise AlreadySeated
        return Step(table=_with_seat(table, replace(mine, leaving=False)))
    if len(table.seats) == MOST_SEATS:
        raise TableFull(MOST_SEATS)
    table = replace(table, seats=(*table.seats, Seat(user=user)))
    if isinstance(table.stage, Betting):
        table = replace(table, stage=replace(table.stage, awaited=(*table.stage.awaited, user)))
    return Step(table=table)


def leave(table: Table, user: int, *, stacks: Stacks) -> Step:
    """
    Give the place up: at once, or when the hand is over that holds chips of *user*; the best play is taken meanwhile.

    Raises NotSeated, WrongPhase at a closed table.
    """
    _refuse_ended(table, "leave")
    seat = seat_of(table, user)
    if held(table, user):
        table = _with_seat(table, replace(seat, leaving=True))
        return _auto(table, {user}) if isinstance(table.stage, Deciding) else _bets_checked(table, stacks)
    table = _without(table, {user})
    match table.stage:
        case Offered(user=offered) as stage if offered == user or _too_few(table):
            return _next_bank(table, stacks, stage.passed)
        case Unbanked() if _too_few(table):
            return _next_bank(table, stacks)
        case Betting() as stage:
            return _bets_checked(replace(table, stage=_without_draft(stage, user)), stacks)
        case Showdown():
            return _wishes_checked(table, stacks)
        case _:
            return Step(table=table)


def start(table: Table, user: int, *, stacks: Stacks) -> Step:
    """
    Begin: the first bank is offered to the first who sat. Anybody seated may start.

    Raises NotSeated, TooFewSeated, WrongPhase. Source: BOARDS, details; F104.
    """
    if not isinstance(table.stage, Lobby):
        raise WrongPhase("start", phase(table))
    seat_of(table, user)
    if _too_few(table):
        raise TooFewSeated(len(table.seats), LEAST_SEATS)
    return _next_bank(table, stacks)


def close(table: Table) -> Step:
    """
    Close the table: before the deal all stakes return, a hand in play is finished first. Who may, the caller knows.

    Raises WrongPhase at a closed table.
    """
    _refuse_ended(table, "close")
    match table.stage:
        case Deciding():
            return Step(table=replace(table, closing=True))
        case Betting() | Closed():
            return Step(table=_ended(table, None), moved=_returned(table))
        case _:
            return Step(table=_ended(table, None))


def change_rules(table: Table, rules: RuleSet, house: House) -> Step:
    """Another rule set, or another choice about the house, between hands. Raises WrongPhase during one."""
    if isinstance(table.stage, Betting | Closed | Deciding | Ended):
        raise WrongPhase("rules", phase(table))
    return Step(table=replace(table, rules=rules, house=house))


# The bank


def put_up(table: Table, user: int, chips: int, *, stacks: Stacks) -> Step:
    """
    Put up *chips* as the bank; bets open. Where nobody wanted the bank, anybody may but the old banker.

    Raises whatever bank_problem() finds. Source: RULES section 3, step 1.
    """
    problem = bank_problem(table, user, chips, stack=stacks.get(user, 0))
    if problem is not None:
        raise problem
    table = _with_seat(table, replace(seat_of(table, user), absences=0, wish=None))
    opened = _bets_opened(table, Bank(user=user, chips=chips), stacks)
    return replace(opened, moved=(Moved(user=user, chips=-chips, why=Why.BANK), *opened.moved))


def pass_bank(table: Table, user: int, *, stacks: Stacks) -> Step:
    """Decline the bank; the next one is asked. Raises NotSeated, BankOfferedTo, WrongPhase. Source: RULES 3, step 6."""
    seat_of(table, user)
    if not isinstance(table.stage, Offered):
        raise WrongPhase("pass", phase(table))
    if table.stage.user != user:
        raise BankOfferedTo(table.stage.user)
    return _next_bank(table, stacks, (*table.stage.passed, user))


def ask_house(table: Table, user: int, *, stacks: Stacks) -> Step:
    """
    Let the house bank for two hands, where nobody wants to; then the bank is offered again, to everybody.

    Raises NotSeated, WrongPhase, HouseMayNotBank. Source: RULES section 3, step 6.
    """
    seat_of(table, user)
    if not isinstance(table.stage, Unbanked):
        raise WrongPhase("house", phase(table))
    if table.house is House.NEVER:
        raise HouseMayNotBank
    return _bets_opened(table, Bank(user=None, chips=None), stacks)


# Bets


def draft_of(table: Table, user: int) -> Wager:
    """
    The bets that *user* is building, or none yet.

    Raises NotSeated, WrongPhase, BankerCannotBet, AlreadyReady: whoever gets an answer may bet.
    """
    stage = _betting(table, user, "bet")
    return next((bet.wager for bet in stage.drafts if bet.user == user), NO_WAGER)


def add_chip(table: Table, user: int, spot: Spot, chip: int, *, stack: int) -> Step:
    """One more *chip* on *spot*. Raises what draft_of() and core.betting.add() raise. Source: P3."""
    wager = betting.add(draft_of(table, user), spot, chip, rules=table.rules, stack=stack)
    return Step(table=_drafted(table, user, wager))


def take_chip(table: Table, user: int, spot: Spot, chip: int) -> Step:
    """*chip* less on *spot*. Raises what draft_of() and core.betting.take() raise. Source: P3."""
    return Step(table=_drafted(table, user, betting.take(draft_of(table, user), spot, chip, rules=table.rules)))


def clear_bet(table: Table, user: int) -> Step:
    """No bet at all. Raises what draft_of() raises. Source: SEL, P3."""
    draft_of(table, user)
    return Step(table=_drafted(table, user, betting.clear()))


def ready(table: Table, user: int, *, stack: int) -> Step:
    """
    Make the bets final and put up what they need, cover included; the last one ends the stage.

    Raises what draft_of() raises and core.betting.wager_problem() finds. Source: DESIGN, ledger.
    """
    return _readied(table, user, draft_of(table, user), stack)


def same_bet(table: Table, user: int, *, stack: int) -> Step:
    """
    Last bets and ready, in one tap.

    Raises what ready() raises; NoBet where there are none. Source: BOARDS section 4; P3, REBET.
    """
    draft_of(table, user)
    return _readied(table, user, seat_of(table, user).last or NO_WAGER, stack)


def sit_out(table: Table, user: int, *, stacks: Stacks) -> Step:
    """Stay out of this hand; nobody waits, and it is no absence. Raises what draft_of() raises."""
    draft_of(table, user)
    seat = replace(seat_of(table, user), wish=Wish.SIT_OUT, absences=0)
    stage = _without_draft(_betting(table, user, "sit_out"), user)
    return _bets_checked(replace(_with_seat(table, seat), stage=stage), stacks)


# Cards


def deal(table: Table, deck: Deck) -> Step:
    """
    Three cards to each in action order, the bank's last; *deck* is shuffled.

    Who has left gets the best play; where nobody is awaited, the hand is settled at once (P3). Raises WrongPhase,
    TooFewCards. Source: CAL; DESIGN, algorithm 1.
    """
    if not isinstance(table.stage, Closed):
        raise WrongPhase("deal", phase(table))
    *hands, dealer = packs(deck, len(table.stage.bets) + 1)
    players = tuple(
        Player(user=bet.user, wager=bet.wager, hand=hand) for bet, hand in zip(table.stage.bets, hands, strict=True)
    )
    rotation = replace(table.rotation, hands=table.rotation.hands + 1, before=None)
    table = _to(replace(table, rotation=rotation), Deciding(bank=table.stage.bank, dealer=dealer, players=players))
    return _auto(table, {seat.user for seat in table.seats if seat.leaving})


def look(table: Table, user: int) -> Step:
    """See one's own cards: player_of(step.table, user).hand. Raises WrongPhase, NotInHand, BankerCannotBet."""
    return Step(table=_with_player(table, replace(player_of(table, user), looked=True)))


def decide(table: Table, user: int, decision: Decision) -> Step:
    """
    Play or fold; before a look it shows the cards and decides nothing, since a late tap on a bet may land here.

    The last decision brings the showdown. Raises WrongPhase, NotInHand, BankerCannotBet, NothingToDecide,
    AlreadyDecided. Source: BOARDS section 4.
    """
    player = player_of(table, user)
    if player.decision is not None:
        raise AlreadyDecided(player.decision)
    if not player.pending:
        raise NothingToDecide
    if not player.looked:
        return look(table, user)
    return _decisions_checked(_with_player(table, replace(player, decision=decision)))


def wish_next(table: Table, user: int, wish: Wish, *, stacks: Stacks) -> Step:
    """
    Say after a showdown what the coming hand is to be; when all have, the table goes on at once.

    Raises NotSeated, WrongPhase, NoBet for the same bet where there was none. Source: BOARDS, showdown.
    """
    seat = seat_of(table, user)
    if not isinstance(table.stage, Showdown | Offered):
        raise WrongPhase(wish, phase(table))
    if wish is Wish.SAME_BET and seat.last is None:
        raise NoBet
    return _wishes_checked(_with_seat(table, replace(seat, wish=wish, absences=0)), stacks)


def expire(table: Table, *, stacks: Stacks) -> Step:
    """
    The deadline has passed: who did nothing passes the bank, sits out, gets the best play; an idle table closes.

    Raises WrongPhase where nothing is awaited: at Closed, at a closed table. Source: BOARDS section 4; F102, F104.
    """
    match table.stage:
        case Lobby() | Unbanked():
            return close(table)
        case Offered(user=user):
            return pass_bank(table, user, stacks=stacks)
        case Betting() as stage:
            return _bets_closed(table, stage) if stage.ready else _no_hand(table, stage, stacks)
        case Deciding(players=players):
            return _auto(table, {player.user for player in players})
        case Showdown():
            return _next_hand(table, stacks)
        case _:
            raise WrongPhase("expire", phase(table))


# How a table goes on


def _to(table: Table, stage: Stage) -> Table:
    return replace(table, stage=stage, turn=table.turn + 1, deadline=None)


def _ended(table: Table, showdown: Showdown | None) -> Table:
    return _to(replace(table, seats=(), rotation=Rotation()), Ended(showdown=showdown))


def _next_bank(table: Table, stacks: Stacks, passed: tuple[int, ...] = ()) -> Step:
    """Ask the next person for the bank, or let the house have it; whoever is passed over has had the bank."""
    if _too_few(table):
        return Step(table=_to(table, Lobby()))
    if house_is_next(table):
        return _bets_opened(table, Bank(user=None, chips=None), stacks)
    asked = next((user for user in bank_order(table, stacks) if user not in passed), None)
    if asked is None or asked != table.rotation.banker:
        table = replace(table, rotation=_passed_over(table.rotation))
    return Step(table=_to(table, Unbanked() if asked is None else Offered(user=asked, passed=passed)))


def _passed_over(rotation: Rotation) -> Rotation:
    """The banker has had the bank; whoever put it up and dealt no hand has not banked (RULES section 3, step 6)."""
    last = rotation.banker if rotation.hands else rotation.before
    return replace(rotation, banker=last, before=None, hands=HANDS_PER_BANK)


def _bets_opened(table: Table, bank: Bank, stacks: Stacks) -> Step:
    """Open the bets; who wished for the same bet is ready, who has too few chips is not waited for."""
    rotation = table.rotation
    if bank.user is None and not (rotation.house and house_is_next(table)):
        rotation = replace(rotation, banker=None, house=True, hands=0)
    if bank.user is not None and bank.user != rotation.banker:
        rotation = Rotation(banker=bank.user, mark=bank.user, before=rotation.banker)
    others = [seat for seat in table.seats if seat.user != bank.user]
    eager = [(seat, _again(table, seat, stacks)) for seat in others if seat.wish is Wish.SAME_BET]
    bets = tuple(Bet(user=seat.user, wager=wager) for seat, wager in eager if wager is not None)
    done = {bet.user for bet in bets} | {seat.user for seat in others if seat.wish is Wish.SIT_OUT}
    able = [seat.user for seat in others if stacks.get(seat.user, 0) >= table.rules.smallest_hand]
    stage = Betting(bank=bank, ready=bets, awaited=tuple(user for user in able if user not in done))
    seats = tuple(seat if seat.wish is Wish.SIT_OUT else replace(seat, wish=None) for seat in table.seats)
    opened = _bets_checked(_to(replace(table, rotation=rotation, seats=seats), stage), stacks)
    return replace(opened, moved=tuple(Moved(user=bet.user, chips=-bet.wager.need, why=Why.READY) for bet in bets))


def _again(table: Table, seat: Seat, stacks: Stacks) -> Wager | None:
    return betting.repeatable(seat.last, table.rules, stacks.get(seat.user, 0))


def _drafted(table: Table, user: int, wager: Wager) -> Table:
    """Whoever touches a bet is in the hand, and awaited."""
    stage = _betting(table, user, "bet")
    drafts = (*(bet for bet in stage.drafts if bet.user != user), Bet(user=user, wager=wager))
    awaited = (*(other for other in stage.awaited if other != user), user)
    table = _with_seat(table, replace(seat_of(table, user), wish=None))
    return replace(table, stage=replace(stage, drafts=drafts, awaited=awaited))


def _readied(table: Table, user: int, wager: Wager, stack: int) -> Step:
    problem = betting.wager_problem(wager, rules=table.rules, stack=stack)
    if problem is not None:
        raise problem
    stage = _without_draft(_betting(table, user, "ready"), user)
    stage = replace(stage, ready=(*stage.ready, Bet(user=user, wager=wager)))
    table = _with_seat(table, replace(seat_of(table, user), last=wager, wish=None))
    after = Step(table=replace(table, stage=stage)) if stage.awaited else _bets_closed(table, stage)
    return replace(after, moved=(Moved(user=user, chips=-wager.need, why=Why.READY),))


def _without_draft(stage: Betting, user: int) -> Betting:
    return replace(
        stage,
        drafts=tuple(bet for bet in stage.drafts if bet.user != user),
        awaited=tuple(other for other in stage.awaited if other != user),
    )


def _bets_checked(table: Table, stacks: Stacks) -> Step:
    """End the bets when all are ready, or when nobody is left who could bet."""
    stage = table.stage
    if isinstance(stage, Betting):
        if stage.ready and not stage.awaited:
            return _bets_closed(table, stage)
        if all(seat.user == stage.bank.user for seat in table.seats):
            return _no_hand(table, stage, stacks)
    return Step(table=table)


def _bets_closed(table: Table, stage: Betting) -> Step:
    """Make all bets final, in action order: clockwise from the banker (RULES section 3, step 2)."""
    table = _bets_counted(table, stage)
    users = [seat.user for seat in table.seats]
    first = users.index(stage.bank.user) + 1 if stage.bank.user is not None else 0
    order = users[first:] + users[:first]
    bets = tuple(sorted(stage.ready, key=lambda bet: order.index(bet.user)))
    return Step(table=_to(table, Closed(bank=stage.bank, bets=bets)))


def _no_hand(table: Table, stage: Betting, stacks: Stacks) -> Step:
    """Nobody has bet: the bank goes back, and the same banker is asked again, since no hand was dealt."""
    moved = _returned(table)
    table = _bets_counted(table, stage)
    after = _next_bank(_without(table, _giving_up(table) | _leaving(table)), stacks)
    return replace(after, moved=(*moved, *after.moved))


def _bets_counted(table: Table, stage: Betting) -> Table:
    """Count an absence for everybody who has neither bet nor said so."""
    here = {bet.user for bet in stage.ready} | {stage.bank.user}
    here |= {seat.user for seat in table.seats if seat.wish is Wish.SIT_OUT}
    seats = (replace(seat, wish=None, absences=seat.absences + (seat.user not in here)) for seat in table.seats)
    return replace(table, seats=tuple(seats))


def _auto(table: Table, users: Collection[int]) -> Step:
    """Take the best play for those of *users* who have not decided."""
    stage = deciding(table, "decide")
    players = tuple(
        replace(player, decision=hint(player.hand, table.rules).advice, auto=True)
        if player.pending and player.user in users
        else player
        for player in stage.players
    )
    return _decisions_checked(replace(table, stage=replace(stage, players=players)))


def _decisions_checked(table: Table) -> Step:
    """Bring the showdown when nobody is awaited: settle, pay, give up the places of who has left or was away twice."""
    stage = deciding(table, "decide")
    if any(player.pending for player in stage.players):
        return Step(table=table)
    brought = tuple(TableSeat(hand=each.hand, wager=each.wager, decision=each.decision) for each in stage.players)
    settled = settle_banked(table.rules, stage.bank.chips, stage.dealer, brought)
    nets = {each.user: seat.net for each, seat in zip(stage.players, settled.seats, strict=True)}
    nets |= {} if stage.bank.user is None else {stage.bank.user: settled.banker_net}
    back = ((user, chips + nets[user]) for user, chips in stakes_of(stage.bank, stage.players))
    away = {each.user: each.auto for each in stage.players}
    seats = (
        replace(seat, absences=seat.absences + 1 if away[seat.user] else 0) if seat.user in away else seat
        for seat in table.seats
    )
    table = replace(table, seats=tuple(seats))
    gave_up = _giving_up(table) - _leaving(table)
    showdown = Showdown(
        bank=stage.bank,
        dealer=stage.dealer,
        players=stage.players,
        settled=settled,
        gave_up=tuple(seat.user for seat in table.seats if seat.user in gave_up),
    )
    table = _without(table, gave_up | _leaving(table))
    table = _ended(table, showdown) if table.closing else _to(table, showdown)
    return Step(table=table, moved=_moves(back, Why.SETTLED))


def _wishes_checked(table: Table, stacks: Stacks) -> Step:
    if isinstance(table.stage, Showdown) and all(seat.wish is not None for seat in table.seats):
        return _next_hand(table, stacks)
    return Step(table=table)


def _next_hand(table: Table, stacks: Stacks) -> Step:
    return _next_bank(replace(table, hand=table.hand + 1), stacks)


# Small steps


def _moves(chips: Iterable[tuple[int, int]], why: Why) -> tuple[Moved, ...]:
    return tuple(Moved(user=user, chips=amount, why=why) for user, amount in chips if amount)


def _returned(table: Table) -> tuple[Moved, ...]:
    return _moves(((seat.user, held(table, seat.user)) for seat in table.seats), Why.RETURNED)


def _too_few(table: Table) -> bool:
    return len(table.seats) < LEAST_SEATS


def _giving_up(table: Table) -> set[int]:
    return {seat.user for seat in table.seats if seat.absences >= MOST_ABSENCES}


def _leaving(table: Table) -> set[int]:
    return {seat.user for seat in table.seats if seat.leaving}


def _with_seat(table: Table, changed: Seat) -> Table:
    return replace(table, seats=tuple(changed if seat.user == changed.user else seat for seat in table.seats))


def _with_player(table: Table, changed: Player) -> Table:
    stage = deciding(table, "decide")
    players = tuple(changed if player.user == changed.user else player for player in stage.players)
    return replace(table, stage=replace(stage, players=players))


def _without(table: Table, users: Collection[int]) -> Table:
    """The places of *users* are free; where the bank goes on, is marked by who sat before them."""
    ring = [seat.user for seat in table.seats]
    rotation = table.rotation
    if rotation.mark is not None and rotation.mark in users:
        at = ring.index(rotation.mark)
        before = (ring[at - back] for back in range(1, len(ring)))
        rotation = replace(rotation, mark=next((user for user in before if user not in users), None))
    seats = tuple(seat for seat in table.seats if seat.user not in users)
    return replace(table, seats=seats, rotation=rotation if seats else Rotation())


def _refuse_ended(table: Table, wanted: str) -> None:
    if isinstance(table.stage, Ended):
        raise WrongPhase(wanted, phase(table))


def _betting(table: Table, user: int, wanted: str) -> Betting:
    """The stage, if *user* may bet now."""
    seat_of(table, user)
    if not isinstance(table.stage, Betting):
        raise WrongPhase(wanted, phase(table))
    if table.stage.bank.user == user:
        raise BankerCannotBet
    if any(bet.user == user for bet in table.stage.ready):
        raise AlreadyReady
    return table.stage
