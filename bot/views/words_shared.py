"""Refusals of what people do together, each as one sentence: the group table, contests, the daily five."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot import refusals
from bot.views.kit import Page, _, chips, plain_name
from core import errors

Sentence = Callable[[Any, Page], str]


def said(text: str) -> Sentence:
    """A sentence without facts, translated when it is said."""
    return lambda _refusal, page: page.t(text)


def _bank_too_small(refusal: errors.BankTooSmall, page: Page) -> str:
    return page.t("A bank begins at {least} here.", least=chips(refusal.least, page))


def _bank_too_large(refusal: errors.BankTooLarge, page: Page) -> str:
    return page.t("You have {have} chips: the bank can be that at most.", have=chips(refusal.have, page))


def _too_few(refusal: errors.TooFewSeated, page: Page) -> str:
    return page.t.n("The table begins with {count} person.", "The table begins with {count} people.", refusal.need)


def _table_full(refusal: errors.TableFull, page: Page) -> str:
    return page.t.n("The one seat is taken.", "All {count} seats are taken.", refusal.most)


# Where a table or a hand stands, for whoever wants something that does not belong there.
_PHASES: Mapping[str, str] = {
    "lobby": _("The table has not begun: tap Start when two are here."),
    "offered": _("The bank is offered just now: bets open when somebody banks."),
    "unbanked": _("Nobody banks yet: bets open when somebody does."),
    "betting": _("Bets are open just now: the cards come when all are ready."),
    "deciding": _("The cards are out: Play or Fold."),
    "showdown": _("That hand is over: the next one comes."),
    "ended": _("This table is closed. /table opens another."),
}


def _wrong_phase(refusal: errors.WrongPhase, page: Page) -> str:
    return page.t(_PHASES.get(refusal.phase, _("Not now: the table is at another step.")))


def _bank_offered(refusal: refusals.BankOffered, page: Page) -> str:
    return page.t("The bank is offered to {name} just now.", name=plain_name(refusal.name, page))


def _no_more_nights(refusal: errors.NoMoreNights, page: Page) -> str:
    return page.t.n(
        "Your one night of this contest is played.", "Your {count} nights of this contest are played.", refusal.most
    )


def _no_such_deal(refusal: errors.NoSuchDeal, page: Page) -> str:
    return page.t("The deals go from 1 to {most}.", most=page.t.number(refusal.most))


_LIMITS: Mapping[str, str] = {
    "hands": _("Hands go from {least} to {most}."),
    "nights": _("Nights go from {least} to {most}."),
    "deals": _("Deals go from {least} to {most}."),
    "length": _("It lasts 1 hour to 31 days."),
}


def _bad_contest(refusal: errors.BadContest, page: Page) -> str:
    text = _LIMITS.get(refusal.key, _("That goes from {least} to {most}."))
    return page.t(text, least=page.t.number(refusal.least), most=page.t.number(refusal.most))


SENTENCES: Mapping[type[Exception], Sentence] = {
    errors.AlreadySeated: said(_("You sit here already.")),
    errors.NotSeated: said(_("You do not sit at this table. /table sits you down.")),
    errors.TableFull: _table_full,
    errors.TooFewSeated: _too_few,
    errors.BankOfferedTo: said(_("The bank is offered to somebody else just now.")),
    errors.BankTooSmall: _bank_too_small,
    errors.BankTooLarge: _bank_too_large,
    errors.MustWaitToBank: said(_("Somebody else has to bank before you can again.")),
    errors.HouseMayNotBank: said(_("At this table the players bank.")),
    errors.BankerCannotBet: said(_("You bank this hand: there is nothing for you to bet or decide.")),
    errors.AlreadyReady: said(_("You are ready: your bets are final for this hand.")),
    errors.NotInHand: said(_("You have no cards in this hand.")),
    errors.AlreadyDecided: said(_("You have decided already.")),
    errors.NothingToDecide: said(_("Without an Ante there is nothing to decide.")),
    errors.WrongPhase: _wrong_phase,
    refusals.TableGone: said(_("This table is closed. /table opens another.")),
    refusals.HandOver: said(_("That hand is over. Look at the table as it is now.")),
    refusals.BankOffered: _bank_offered,
    refusals.ChipsAtTable: said(_("The table holds chips of yours: cash out when its hand is over.")),
    refusals.NoChipsLeft: said(_("Your night is over. /table gives you new chips, and your place stays.")),
    errors.BadContest: _bad_contest,
    errors.NoMoreNights: _no_more_nights,
    errors.NoSuchDeal: _no_such_deal,
    errors.NotADay: said(_("Write a day like 2026-11-30.")),
}
