"""
The course of a table: what follows a move of core.table_moves in books, cards, nights, timers and the message.

A move says who gave or got chips; everything else that a hand needs happens here, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from bot.facts import Chat, Ending, Face, Person, Seat
from bot.options import Banker, Speed, options_of
from bot.refusals import DeadKey
from bot.services.held import in_solo_hand
from bot.services.seating import HOUSE, MINT, end_night, seat_account
from bot.services.seating import show as show_solo
from bot.storage import Account, AccountKind, Entry, Part, Tx
from bot.tables import GroupTable, TableBoard, TableRound, TableTold
from core import fair, odds, solo, table_moves
from core.errors import BankerCannotBet, NotInHand, WrongPhase
from core.odds import DEALER_HANDS
from core.rules import RuleSet
from core.table import (
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
    Showdown,
    Stage,
    Step,
    Table,
    Unbanked,
    Why,
    player_of,
    stakes_of,
)

TIMER: Final = "table"
"""The kind of a table's timer; its subject is the table's id."""

# Seconds: the first to put up a bank, to bet, and to read a showdown; the second to look at cards and decide.
PACES: Final[Mapping[Speed, tuple[int, int] | None]] = {
    Speed.FAST: (15, 20),
    Speed.NORMAL: (30, 40),
    Speed.SLOW: (90, 120),
    Speed.NONE: None,
}
LOBBY_IDLE: Final = 15 * 60  # seconds without anybody coming or going, at every speed (F104)
UNBANKED_IDLE: Final = 5 * 60  # seconds


# Values


def stacks_of(tx: Tx, table: Table) -> dict[int, int]:
    """Free chips of everybody at the table, by seat: what hands hold, here or elsewhere, is not among them."""
    seats = (tx.seats.get(each.user) for each in table.seats)
    return {seat.id: seat.chips for seat in seats if seat is not None}


def house_of(chat: Chat) -> House:
    """Whether the house banks at a chat's table: always, or where nobody wants to and somebody asks for it."""
    return House.ALWAYS if options_of(chat).bank is Banker.HOUSE else House.ASKED


def abreast(place: GroupTable, chat: Chat) -> GroupTable:
    """The table with the rules that the admins have chosen by now, unless a hand is under way."""
    table = place.table
    if table.rules == chat.rules and table.house is house_of(chat):
        return place
    try:
        return replace(place, table=table_moves.change_rules(table, chat.rules, house_of(chat)).table)
    except WrongPhase:
        return place


def board_of(tx: Tx, place: GroupTable, chat: Chat | None = None) -> TableBoard:
    """The picture's value from what is stored, so also after a restart."""
    chat = chat or chat_of(tx, place)
    seats = {seat_id: tx.seats.get(seat_id) for seat_id in _mentioned(place.table)}
    people = {seat_id: person_of(tx, seat) for seat_id, seat in seats.items() if seat is not None}
    return TableBoard(
        place=place,
        chat=chat,
        people=people,
        stacks={seat_id: seat.chips for seat_id, seat in seats.items() if seat is not None},
        coming=None if place.ended else tx.tables.round(place.round_id),
        shown=tx.tables.round(place.shown_id) if place.shown_id is not None else None,
    )


def person_of(tx: Tx, seat: Seat) -> Person:
    """Whose seat it is; somebody without a name where the person was forgotten."""
    return tx.people.get(seat.user_id) or Person(id=seat.user_id)


def chat_of(tx: Tx, place: GroupTable) -> Chat:
    """
    The chat of a table, which always has one.

    :raises DeadKey: If it has none all the same.
    """
    chat = tx.chats.get(place.chat_id)
    if chat is None:
        raise DeadKey
    return chat


def _mentioned(table: Table) -> set[int]:
    """Everybody whom the picture may name: who sits there, and who was in the hand."""
    named = {seat.user for seat in table.seats}
    stage = table.stage
    over = showdown_of(stage)
    if isinstance(stage, Deciding | Showdown) or over is not None:
        hand = over or stage
        assert isinstance(hand, Deciding | Showdown)  # noqa: S101 - one of the two
        named |= {player.user for player in hand.players}
        named |= {hand.bank.user} if hand.bank.user is not None else set()
        named |= set(over.gave_up) if over else set()
    if table.rotation.banker is not None:
        named.add(table.rotation.banker)
    return named


def showdown_of(stage: Stage) -> Showdown | None:
    """The hand that is over, if that is what the table shows."""
    if isinstance(stage, Ended):
        return stage.showdown
    return stage if isinstance(stage, Showdown) else None


# After a move


def follow(
    tx: Tx,
    place: GroupTable,
    step: Step,
    *,
    secret: bytes,
    now: datetime,
    chat: Chat | None = None,
    seat: Seat | None = None,
) -> TableTold:
    """
    Book what a move came to, deal when all bets are final, settle when all is decided, set the clock, and store it.

    *secret* is 32 bytes nobody can foresee: the next hand's, if one opens.
    """
    chat = chat or chat_of(tx, place)
    turn = place.table.turn
    place = _booked(tx, place, step, now=now)
    if isinstance(place.table.stage, Closed):
        place = _dealt(tx, place, now=now)
    over = showdown_of(place.table.stage)
    stale = _stale(tx, {moved.user for moved in step.moved} | (_in_hand(over) if over else set()))
    ended: tuple[int, ...] = ()
    round_ = open_round_of(tx, place)
    if over is not None and round_.dealt is not None and round_.settled is None:
        place, ended = _settled(tx, place, round_, over, secret=secret, now=now)
    elif place.ended:
        tx.tables.void(place.round_id, now=now)
    place = _clocked(tx, place, turn, options_of(chat).speed, now=now)
    place = tx.tables.put(replace(place, wanted=place.wanted + 1), now=now)
    return TableTold(
        board=board_of(tx, place, chat),
        seat=seat.id if seat is not None else None,
        turned=place.table.turn != turn,
        cards=_cards_of(place.table, seat),
        solo=ended,
        stale=tuple(board for board in stale if board not in ended),
    )


def _in_hand(over: Showdown) -> set[int]:
    banker = {over.bank.user} if over.bank.user is not None else set()
    return banker | {player.user for player in over.players}


def _stale(tx: Tx, seats: Iterable[int]) -> tuple[int, ...]:
    """The boards of people whose chips moved here: they tell of the same chips, so another picture is wanted."""
    boards = [tx.boards.of_seat(seat_id) for seat_id in sorted(seats)]
    return tuple(tx.boards.want(board).id for board in boards if board is not None)


def quietly(tx: Tx, place: GroupTable, table: Table, seat: Seat, *, peeked: bool = False, now: datetime) -> TableTold:
    """Store what changes no picture: somebody has seen their own cards."""
    place = tx.tables.put(replace(place, table=table), now=now)
    cards = _cards_of(table, seat)
    return TableTold(board=board_of(tx, place), seat=seat.id, cards=cards, peeked=peeked, unchanged=True)


def _cards_of(table: Table, seat: Seat | None) -> Player | None:
    """What the actor had in the hand, in play or over."""
    if seat is None:
        return None
    over = showdown_of(table.stage)
    if over is not None:
        return next((player for player in over.players if player.user == seat.id), None)
    try:
        return player_of(table, seat.id)
    except (WrongPhase, NotInHand, BankerCannotBet):
        return None


# Books


def _bank_account(place: GroupTable) -> Account:
    return Account(AccountKind.BANK, place.round_id)


def _bets_account(place: GroupTable) -> Account:
    return Account(AccountKind.ROUND, place.round_id)


def _booked(tx: Tx, place: GroupTable, step: Step, *, now: datetime) -> GroupTable:
    """Every chip that moved, in the ledger; *place* is as before the move."""
    for moved in step.moved:
        if moved.why in {Why.READY, Why.BANK}:
            account = _bank_account(place) if moved.why is Why.BANK else _bets_account(place)
            lines = Entry(_seat_account(moved.user), moved.chips), Entry(account, -moved.chips)
            tx.ledger.move(_reason(moved.why), *lines, round_id=place.round_id, now=now)
    _booked_back(tx, place, [moved for moved in step.moved if moved.why is Why.RETURNED], Why.RETURNED, now)
    back = [moved for moved in step.moved if moved.why is Why.SETTLED]
    if back or _is_over(step.table):
        _booked_back(tx, place, back, Why.SETTLED, now)
    return replace(place, table=step.table)


def _is_over(table: Table) -> bool:
    return showdown_of(table.stage) is not None


def _booked_back(tx: Tx, place: GroupTable, back: Iterable[Moved], why: Why, now: datetime) -> None:
    """Chips that come back from bank and bets together; what is left over either way is the house's."""
    stage = place.table.stage
    if not isinstance(stage, Betting | Closed | Deciding):
        return
    if why is Why.RETURNED and not back:
        return
    bank, bets = stage.bank, _bets_of(stage)
    staked = sum(chips for user, chips in stakes_of(bank, bets) if user != bank.user)
    given = [Entry(_bets_account(place), -staked), Entry(_bank_account(place), -_put_up(bank))]
    got = [Entry(_seat_account(moved.user), moved.chips) for moved in back]
    house = Entry(HOUSE, -sum(entry.chips for entry in (*given, *got)))
    tx.ledger.move(_reason(why), *given, *got, house, round_id=place.round_id, now=now)
    for moved in back:
        _home(tx, moved.user, now)


def _reason(why: Why) -> str:
    """As the books say it, apart from what hands played alone say."""
    return f"table_{why.value}"


def _home(tx: Tx, seat_id: int, now: datetime) -> None:
    """Chips of a night that is no more (somebody wanted to be forgotten during the hand) go back to the mint."""
    seat = tx.seats.get(seat_id)
    if seat is not None and seat.night_id is None and seat.chips:
        tx.ledger.move("orphaned", Entry(seat_account(seat), -seat.chips), Entry(MINT, seat.chips), now=now)


def _bets_of(stage: Betting | Closed | Deciding) -> tuple[Bet, ...] | tuple[Player, ...]:
    if isinstance(stage, Betting):
        return stage.ready
    return stage.bets if isinstance(stage, Closed) else stage.players


def _put_up(bank: Bank) -> int:
    return bank.chips if bank.user is not None and bank.chips is not None else 0


def _seat_account(seat_id: int) -> Account:
    return Account(AccountKind.SEAT, seat_id)


# Cards


def _dealt(tx: Tx, place: GroupTable, *, now: datetime) -> GroupTable:
    """
    The words of all in the hand fix the deck together with the secret that was committed to before any bet.

    In action order, the banker's last, then the cut (DESIGN, algorithm 1).
    """
    stage, round_ = place.table.stage, open_round_of(tx, place)
    if not isinstance(stage, Closed):
        return place
    order = [bet.user for bet in stage.bets]
    order += [stage.bank.user] if stage.bank.user is not None else []
    words = [_words_of(tx, seat_id) for seat_id in order]
    words += [f"cut:{round_.cut}"] if round_.cut is not None else []
    table = place.table
    round_ = tx.tables.deal(round_, words=tuple(words), hand=table.hand, rules=table.rules, now=now)
    deck = fair.shuffled(round_.secret, round_.words, round_.id)
    return _booked(tx, place, table_moves.deal(table, deck), now=now)


def _words_of(tx: Tx, seat_id: int) -> str:
    seat = tx.seats.get(seat_id)
    return person_of(tx, seat).words if seat is not None else ""


# The end of a hand


def _settled(
    tx: Tx, place: GroupTable, round_: TableRound, over: Showdown, *, secret: bytes, now: datetime
) -> tuple[GroupTable, tuple[int, ...]]:
    """Everybody's night counts the hand; whoever cannot go on is broke; the next hand opens with its seal."""
    parts = [
        _part(tx, player.user, settled.net, round_.rules, player)
        for player, settled in zip(over.players, over.settled.seats, strict=True)
    ]
    if over.bank.user is not None:
        parts.append(_part(tx, over.bank.user, over.settled.banker_net, round_.rules))
    tx.tables.settle(round_, over, parts, now=now)
    ended = [_counted(tx, part, now=now) for part in parts]
    boards = tuple(board for board in ended if board is not None)
    place = replace(place, shown_id=round_.id)
    if place.ended:
        return place, boards
    following = tx.tables.open_round(place.id, place.table, secret=secret, commitment=fair.commitment(secret), now=now)
    return replace(place, round_id=following.id), boards


def _part(tx: Tx, seat_id: int, net: int, rules: RuleSet, player: Player | None = None) -> Part:
    seat = tx.seats.get(seat_id)
    chosen = player is not None and player.decision is not None and not player.auto
    return Part(
        seat_id=seat_id,
        night_id=seat.night_id if seat is not None else None,
        net=net,
        player=player,
        given_away=_given_away(player, rules) if chosen and player is not None else 0,
    )


def _given_away(player: Player, rules: RuleSet) -> int:
    """What a choice gave away, in chips / 18,424, as against a bank without limit."""
    if player.decision is None:
        return 0
    return int(odds.given_away(player.hand, player.decision, rules, player.wager.ante) * DEALER_HANDS)


def _counted(tx: Tx, part: Part, *, now: datetime) -> int | None:
    """One more hand of a night; the solo board of a night that ended by it."""
    seat = tx.seats.get(part.seat_id)
    night = tx.nights.get(seat.night_id) if seat is not None and seat.night_id is not None else None
    if seat is None or night is None:
        return None
    night = tx.nights.count_hand(night)
    if part.player is not None:
        person = person_of(tx, seat)
        tx.people.count_hand(person)
    if not solo.night_is_over(seat.chips + in_solo_hand(tx, seat), night.rules):
        return None
    left = seat.round_id
    end_night(tx, seat, night, Ending.BROKE, now=now)
    board = tx.boards.of_seat(seat.id)
    if board is None or left is None:
        return None
    show_solo(tx, board, face=Face.LEFT, round_id=left)
    return board.id


# Clocks


def _clocked(tx: Tx, place: GroupTable, turn: int, speed: Speed, *, now: datetime) -> GroupTable:
    """The deadline of the stage that has begun; a lobby's begins anew whenever somebody comes or goes."""
    table = place.table
    if place.ended:
        tx.timers.drop(TIMER, place.id)
        return place
    if table.turn == turn and not isinstance(table.stage, Lobby):
        return place
    seconds = _patience(table.stage, speed)
    if seconds is None:
        tx.timers.drop(TIMER, place.id)
        return replace(place, table=replace(table, deadline=None))
    deadline = int(now.timestamp()) + seconds
    tx.timers.set(TIMER, place.id, datetime.fromtimestamp(deadline, UTC))
    return replace(place, table=replace(table, deadline=deadline))


def _patience(stage: Stage, speed: Speed) -> int | None:
    """Seconds that a stage lasts at most; None: as long as it takes."""
    pace = PACES[speed]
    match stage:
        case Lobby():
            return LOBBY_IDLE
        case Unbanked():
            return UNBANKED_IDLE
        case Deciding():
            return pace[1] if pace else None
        case Offered() | Betting() | Showdown():
            return pace[0] if pace else None
        case _:
            return None


def open_round_of(tx: Tx, place: GroupTable) -> TableRound:
    """
    The hand that is coming or in play; every live table has one.

    :raises DeadKey: If it has none all the same.
    """
    round_ = tx.tables.round(place.round_id)
    if round_ is None:
        raise DeadKey
    return round_
