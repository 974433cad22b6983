"""Toasts at the group table: the tapper's own state in under 200 characters; what is nobody else's business is here."""

from __future__ import annotations

from collections.abc import Mapping

from bot.facts import Verb
from bot.tables import TableTold
from bot.views import cards
from bot.views.kit import Page, Translator, _, capital, chips, labelled, plain_name, sentence, signed, toast
from bot.views.words import spot_name, wager_text
from core.errors import BetTooLarge, ChipNotUsable
from core.settlement import Decision
from core.table import LEAST_SEATS, Betting, Deciding, Ended, Lobby, Offered, Player, Seat, Showdown

_BUILDING = {Verb.TABLE_ADD, Verb.TABLE_TAKE, Verb.TABLE_CLEAR}
_DECIDING = {Verb.TABLE_PLAY, Verb.TABLE_FOLD}
_WISHES = {Verb.TABLE_SAME_BET, Verb.TABLE_OTHER_BET, Verb.TABLE_SIT_OUT}


_SAID: Mapping[Verb, str] = {
    Verb.TABLE_PASS: _("You pass; the next one is asked."),
    Verb.TABLE_HOUSE: _("The house banks for two hands."),
}


def tapped(told: TableTold, verb: Verb, page: Page, keys: Translator | None = None) -> str:
    """
    What the toast, or the alert with one's own cards, says after a tap.

    *keys* is the language of the table's keys, where it is not the reader's: a key is named as it can be read there.
    """
    board = keys or page.t
    if verb is Verb.TABLE_CARDS or told.peeked:
        return _cards(told, page, again=verb in _DECIDING)
    if verb in _DECIDING:
        return _decided(told, page)
    if verb in _BUILDING:
        return _bet(told, page, board)
    if verb in _WISHES or verb is Verb.TABLE_READY:
        return _coming(told, verb, page, board)
    if verb is Verb.TABLE_SIT:
        return _sat(told, page, board)
    return _elsewhere(told, verb, page)


def _named(label: str, page: Page, board: Translator) -> str:
    """A key of the table by its label there, which may read the other way."""
    return label if board.language == page.t.language else f"\u2068{label}\u2069"


def over_limit(refusal: BetTooLarge | ChipNotUsable, page: Page) -> str:
    """Where a spot ends; a table has no key Max to send anybody to."""
    spot, most = spot_name(refusal.spot, page), chips(refusal.most, page)
    if isinstance(refusal, ChipNotUsable):
        return page.t("Not with {chip}: {spot} ends at {most}.", chip=chips(refusal.chip, page), spot=spot, most=most)
    return page.t("{spot} ends at {most}.", spot=spot, most=most)


def _own(told: TableTold) -> Seat | None:
    return next((seat for seat in told.board.table.seats if seat.user == told.seat), None)


def _free(told: TableTold) -> int:
    return told.board.stacks.get(told.seat, 0) if told.seat is not None else 0


def _bet(told: TableTold, page: Page, board: Translator) -> str:
    stage = told.board.table.stage
    drafts = stage.drafts if isinstance(stage, Betting) else ()
    wager = next((bet.wager for bet in drafts if bet.user == told.seat), None)
    if wager is None or not wager.stake:
        return page.t("No bet on the table.")
    bet, left = wager_text(wager, page, told.board.table.rules), chips(_free(told) - wager.stake, page)
    return page.t("{bet}. {left} left. Tap {key}.", bet=bet, left=left, key=_named(board("Ready"), page, board))


def _coming(told: TableTold, verb: Verb, page: Page, board: Translator) -> str:
    """Ready, or what is wished of the coming hand."""
    stage = told.board.table.stage
    dealt = told.turned and isinstance(stage, Deciding | Showdown | Ended) and told.cards is not None
    if verb is Verb.TABLE_READY or (verb is Verb.TABLE_SAME_BET and (dealt or _is_ready(told))):
        return _ready(told, page, board, dealt=dealt)
    if verb is Verb.TABLE_SIT_OUT:
        now = isinstance(stage, Betting)
        return page.t("You sit this hand out.") if now else page.t("You sit the next hand out.")
    if verb is Verb.TABLE_OTHER_BET:
        return page.t("You bet anew in the next hand.")
    seat = _own(told)
    bet = wager_text(seat.last, page, told.board.table.rules) if seat is not None and seat.last is not None else ""
    return page.t("The same in the next hand, as soon as bets open: {bet}.", bet=bet)


def _is_ready(told: TableTold) -> bool:
    stage = told.board.table.stage
    return isinstance(stage, Betting) and any(bet.user == told.seat for bet in stage.ready)


def _ready(told: TableTold, page: Page, board: Translator, *, dealt: bool) -> str:
    seat = _own(told)
    bet = wager_text(seat.last, page, told.board.table.rules) if seat is not None and seat.last is not None else ""
    ready = page.t("{bet}: ready. {left} left beside the cover for Play.", bet=bet, left=chips(_free(told), page))
    over = isinstance(told.board.table.stage, Showdown | Ended)
    if dealt and over and told.cards is not None:
        return toast(_hand(told.cards, page), _net(told, page))
    look = page.t("The cards are out: tap {key}.", key=_named(board("My cards"), page, board)) if dealt else ""
    return toast(ready, look)


def _hand(player: Player, page: Page) -> str:
    hand, name = cards.hand_text(player.hand, page), cards.hand_name(player.hand, page)
    if page.words:
        return sentence(labelled(capital(name, page), hand, page), page)
    return page.t("{cards} · {name}.", cards=hand, name=name)


def _cards(told: TableTold, page: Page, *, again: bool) -> str:
    """My cards, and what they would cost: for their owner alone."""
    player = told.cards
    if player is None:
        return ""
    bets = sentence(wager_text(player.wager, page, told.board.table.rules), page)
    if not player.wager.ante:
        return toast(_hand(player, page), bets, page.t("Nothing to decide."))
    if player.decision is not None:
        played = player.decision is Decision.PLAY
        return toast(_hand(player, page), bets, page.t("You play.") if played else page.t("You folded."))
    cost = page.t("Play costs {chips}.", chips=chips(player.wager.ante, page))
    more = page.t("Nothing is decided yet: tap again.") if again else ""
    return toast(_hand(player, page), bets, cost, more)


def _decided(told: TableTold, page: Page) -> str:
    player = told.cards
    if player is None:
        return ""
    chosen = (
        page.t("You play {chips}.", chips=chips(player.wager.ante, page))
        if player.decision is Decision.PLAY
        else page.t("You fold.")
    )
    return toast(_hand(player, page), chosen, _net(told, page))


def _net(told: TableTold, page: Page) -> str:
    """The result, if this tap brought the showdown."""
    stage = told.board.table.stage
    over = stage.showdown if isinstance(stage, Ended) else stage
    if not isinstance(over, Showdown):
        return ""
    nets = (seat.net for player, seat in zip(over.players, over.settled.seats, strict=True) if player.user == told.seat)
    net = next(nets, None)
    if net is None:
        return ""
    return page.t("{net}, you have {chips}.", net=signed(net, page), chips=chips(_free(told), page))


def _elsewhere(told: TableTold, verb: Verb, page: Page) -> str:
    """Coming, going, and the bank."""
    match verb:
        case Verb.TABLE_LEAVE:
            if _own(told) is not None:
                return page.t("You leave when this hand is over; the hint plays for you.")
            return page.t("You have left the table. Your chips stay yours: {chips}.", chips=chips(_free(told), page))
        case Verb.TABLE_BANK | Verb.TABLE_START:
            return _bank(told, page)
        case Verb.TABLE_CLOSE:
            closed = isinstance(told.board.table.stage, Ended)
            return page.t("The table is closed.") if closed else page.t("This hand is the last: then the table closes.")
        case _:
            return page.t(_SAID[verb]) if verb in _SAID else ""


def _sat(told: TableTold, page: Page, board: Translator) -> str:
    stage, people = told.board.table.stage, len(told.board.table.seats)
    waits = page.t("You are in from the next hand.") if isinstance(stage, Deciding) else ""
    begin = (
        page.t("Tap {key} when two are here.", key=_named(board("Start"), page, board))
        if isinstance(stage, Lobby) and people <= LEAST_SEATS
        else ""
    )
    return toast(page.t("You sit at the table with {chips} chips.", chips=chips(_free(told), page)), waits, begin)


def _bank(told: TableTold, page: Page) -> str:
    stage = told.board.table.stage
    if isinstance(stage, Offered):
        asked = told.board.people.get(stage.user)
        return page.t("The bank is offered to {name}.", name=plain_name(asked.name if asked else "", page, stage.user))
    if not isinstance(stage, Betting | Deciding | Showdown) or stage.bank.user != told.seat:
        return ""
    put_up, left = chips(stage.bank.chips or 0, page), chips(_free(told), page)
    return page.t("You bank {chips} for this hand. {left} left.", chips=put_up, left=left)
