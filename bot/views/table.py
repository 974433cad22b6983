"""The group table's one message (BOARDS section 4): a value becomes text and keys."""

from __future__ import annotations

from bot.facts import SPOTS, Verb
from bot.tables import TableBoard
from bot.views import cards
from bot.views.kit import GAP, Key, Keys, Page, Style, View, board_text, chips, labelled, ltr, rows
from bot.views.table_pieces import bank_line, cut_of, name_of, named, seal_of, tap, title, until_of
from bot.views.table_showdown import next_line, next_seal, showdown_keys, showdown_lines
from bot.views.words import step_label, wager_text
from core.rules import Spot
from core.settlement import Decision
from core.table import (
    LEAST_SEATS,
    MOST_SEATS,
    Bank,
    Betting,
    Deciding,
    Ended,
    House,
    Lobby,
    Offered,
    Player,
    Seat,
    Showdown,
    Unbanked,
    Wish,
    bank_sizes,
    least_bank,
)


def board(value: TableBoard, page: Page) -> View:  # noqa: PLR0911 - one for each stage
    """The whole picture of a table."""
    match value.table.stage:
        case Lobby():
            return _lobby(value, page)
        case Offered() as stage:
            return _offered(value, stage, page)
        case Unbanked():
            return _unbanked(value, page)
        case Betting() as stage:
            return _betting(value, stage, page)
        case Deciding() as stage:
            return _deciding(value, stage, page)
        case Showdown() as stage:
            return _showdown(value, stage, page)
        case Ended() as stage:
            return _ended(value, stage, page)
        case _:  # Closed is never stored: the cards come in the same transaction
            return View(text=board_text(page, title(value, page)))


def _showdown(value: TableBoard, stage: Showdown, page: Page) -> View:
    lines = showdown_lines(value, stage, page)
    text = board_text(page, *lines, next_line(value, page), next_seal(value, page))
    return View(text=text, keys=showdown_keys(value, page))


def _ended(value: TableBoard, stage: Ended, page: Page) -> View:
    over = showdown_lines(value, stage.showdown, page) if stage.showdown else (named(value, page),)
    return View(text=board_text(page, *over, page.t("The table is closed. /table opens another.")))


# Between hands


def _lobby(value: TableBoard, page: Page) -> View:
    seats = value.table.seats
    free = MOST_SEATS - len(seats)
    places = page.t.n("{count} seat free.", "{count} seats free.", free) if free else page.t("Every seat is taken.")
    if len(seats) == 1:
        people, begin = page.t("Only {name} is here.", name=name_of(value, seats[0].user, page)), ""
    else:
        people = _stacks(value, page) if seats else page.t("Nobody sits here.")
        begin = page.t("Two people can begin.")
    sit = Key(page.t("Sit"), tap(value, Verb.TABLE_SIT))
    away = (
        Key(page.t("Close"), tap(value, Verb.TABLE_CLOSE))
        if len(seats) == 1
        else Key(page.t("Leave"), tap(value, Verb.TABLE_LEAVE))
    )
    start = Key(page.t("Start"), tap(value, Verb.TABLE_START), style=Style.PRIMARY)
    return View(
        text=board_text(page, named(value, page), people, f"{places} {begin}".rstrip()),
        keys=rows(page, (sit, away) if seats else (sit,), (start,) if len(seats) >= LEAST_SEATS else ()),
    )


def _stacks(value: TableBoard, page: Page) -> str:
    """Everybody with their free chips, in the order in which they sit."""
    return page.dot.join(
        f"{name_of(value, seat.user, page)} {chips(value.stacks.get(seat.user, 0), page)}" for seat in value.table.seats
    )


def _offered(value: TableBoard, stage: Offered, page: Page) -> View:
    name, until = name_of(value, stage.user, page), until_of(value)
    offered = (
        page.t("Offered to {name}, until {time}", name=name, time=until)
        if until
        else page.t("Offered to {name}", name=name)
    )
    sizes = bank_sizes(value.table, value.stacks.get(stage.user, 0))
    keys = tuple(_bank_key(value, size, page, whole=size == sizes[-1]) for size in sizes)
    return View(
        text=board_text(
            page,
            title(value, page),
            bank_line(offered, page),
            page.t("Two hands; a bank never loses more than it puts up."),
        ),
        keys=rows(page, keys, (Key(page.t("Pass"), tap(value, Verb.TABLE_PASS)),)),
    )


def _bank_key(value: TableBoard, size: int, page: Page, *, whole: bool = False) -> Key:
    label = page.t("Bank all {chips}", chips=chips(size, page)) if whole else page.t(
        "Bank {chips}", chips=chips(size, page)
    )  # fmt: skip
    return Key(label, tap(value, Verb.TABLE_BANK, size))


def _unbanked(value: TableBoard, page: Page) -> View:
    table = value.table
    able = [value.stacks.get(seat.user, 0) for seat in table.seats if seat.user != table.rotation.banker]
    most = max(able, default=0)
    sizes = bank_sizes(table, most) if most >= least_bank(table) else ()
    keys = [_bank_key(value, sizes[0], page)] if sizes else []
    if table.house is not House.NEVER:
        keys.append(Key(page.t("House banks"), tap(value, Verb.TABLE_HOUSE)))
    until = until_of(value)
    closes = page.t("The table closes at {time} if it stays so.", time=until) if until else ""
    return View(
        text=board_text(page, title(value, page), page.t("Nobody wants the bank."), closes),
        keys=rows(page, tuple(keys)),
    )


# Bets


def _betting(value: TableBoard, stage: Betting, page: Page) -> View:
    lines = [title(value, page), bank_line(_banks(value, stage.bank, page), page), GAP]
    lines += [_bettor(value, stage, seat, page) for seat in _clockwise(value, stage.bank)]
    until = until_of(value)
    end = page.t("Until {time}, or all ready", time=until) if until else page.t("Until all are ready")
    return View(
        text=board_text(page, *lines, end, cut_of(value, page), seal_of(value, page)), keys=_betting_keys(value, page)
    )


def _clockwise(value: TableBoard, bank: Bank) -> tuple[Seat, ...]:
    """The others in action order: from the first clockwise from the banker."""
    seats = value.table.seats
    at = next((place for place, seat in enumerate(seats) if seat.user == bank.user), None)
    return seats if at is None else (*seats[at + 1 :], *seats[:at])


def _banks(value: TableBoard, bank: Bank, page: Page) -> str:
    """Who banks, how much, and which of the two hands it is."""
    second = value.table.rotation.hands > 0
    if bank.user is None:
        if value.table.house is House.ALWAYS:
            return page.t("The house banks")
        return (
            page.t("The house banks (second of two hands)")
            if second
            else page.t("The house banks (first of two hands)")
        )
    facts = {"name": name_of(value, bank.user, page), "chips": chips(bank.chips or 0, page)}
    if second:
        return page.t("{name} banks {chips} (second of two hands)", **facts)
    return page.t("{name} banks {chips} (first of two hands)", **facts)


def _bettor(value: TableBoard, stage: Betting, seat: Seat, page: Page) -> str:
    name = name_of(value, seat.user, page)
    laid = next((bet.wager for bet in stage.ready if bet.user == seat.user), None)
    if laid is not None:
        bet = wager_text(laid, page, value.table.rules)
        return page.t("{name}: {bet}, ready", name=name, bet=bet) if page.words else page.t(
            "{name}: {bet} · ready", name=name, bet=bet
        )  # fmt: skip
    if seat.user in stage.awaited:
        return page.t("{name}: betting", name=name)
    if seat.wish is Wish.SIT_OUT:
        return page.t("{name}: sits out", name=name)
    return page.t("{name}: too few chips for a hand", name=name)


def _betting_keys(value: TableBoard, page: Page) -> Keys:
    rules = value.table.rules
    less = tuple(_chip_key(value, spot, rules.chips[0], page, verb=Verb.TABLE_TAKE, sign=-1) for spot in rules.spots)
    clear = Key(page.t("Clear"), tap(value, Verb.TABLE_CLEAR))
    ante, *others = (_more(value, spot, page) for spot in rules.spots)
    second, *rest = others or [()]
    last = (
        Key(page.t("Same bet"), tap(value, Verb.TABLE_SAME_BET)),
        Key(page.t("Ready"), tap(value, Verb.TABLE_READY), style=Style.PRIMARY),
    )
    return rows(page, less, *rest, ante, (*second, clear), last)


def _more(value: TableBoard, spot: Spot, page: Page) -> tuple[Key, ...]:
    """Up to three chips for the Ante, two for the others: what a row has place for."""
    rules = value.table.rules
    usable = [chip for chip in rules.chips if chip <= rules.limits_of(spot).most]
    return tuple(
        _chip_key(value, spot, chip, page, verb=Verb.TABLE_ADD, sign=1)
        for chip in usable[: 3 if spot is Spot.ANTE else 2]
    )


def _chip_key(value: TableBoard, spot: Spot, chip: int, page: Page, *, verb: Verb, sign: int) -> Key:
    label = step_label(spot, sign * chip, value.table.rules, page)
    return Key(label, tap(value, verb, SPOTS.index(spot), chip))


# Decisions


def _deciding(value: TableBoard, stage: Deciding, page: Page) -> View:
    lines = [title(value, page), bank_line(_banks_hidden(value, stage.bank, page), page), GAP]
    lines += [_thinker(value, player, page) for player in stage.players]
    until = until_of(value)
    lines.append(
        page.t("Until {time}; then the hint plays for you", time=until) if until else page.t("Until all have decided")
    )
    if value.table.closing:
        lines.append(page.t("This hand is the last: the table is being closed."))
    decide = (
        Key(page.t("Play"), tap(value, Verb.TABLE_PLAY), style=Style.SUCCESS),
        Key(page.t("Fold"), tap(value, Verb.TABLE_FOLD), style=Style.DANGER),
    )
    look = Key(page.t("My cards"), tap(value, Verb.TABLE_CARDS)), Key(page.t("Hint"), tap(value, Verb.TABLE_HINT))
    return View(text=board_text(page, *lines, cut_of(value, page), seal_of(value, page)), keys=rows(page, decide, look))


def _hidden(page: Page) -> str:
    return page.t("three cards face down") if page.words else ltr(cards.BACK * 3, page)


def _banks_hidden(value: TableBoard, bank: Bank, page: Page) -> str:
    if bank.user is None:
        return page.t("The house banks, {cards}", cards=_hidden(page)) if page.words else page.t(
            "The house {cards}", cards=_hidden(page)
        )  # fmt: skip
    facts = {"name": name_of(value, bank.user, page), "chips": chips(bank.chips or 0, page), "cards": _hidden(page)}
    if page.words:
        return page.t("{name} banks {chips}, {cards}", **facts)
    return page.t("{name} {cards} banks {chips}", **facts)


def _thinker(value: TableBoard, player: Player, page: Page) -> str:
    """Who has decided what is everybody's business; the cards are not."""
    name = name_of(value, player.user, page)
    text = (
        page.t("folded")
        if player.decision is Decision.FOLD
        else page.t("plays")
        if player.decision is Decision.PLAY
        else page.t("thinking")
        if player.pending
        else page.t("nothing to decide")
    )
    return labelled(name, text, page) if page.words else f"{name} {_hidden(page)} {text}"
