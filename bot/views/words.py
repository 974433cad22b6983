"""Every refusal as one friendly sentence in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from bot import refusals
from bot.views import words_events, words_shared
from bot.views.kit import Page, _, chips, listed, ltr, plain_name, signed
from bot.views.words_shared import Sentence, said
from core import errors
from core.betting import Wager
from core.rules import RuleSet, Spot


def spot_name(spot: Spot | str, page: Page, rules: RuleSet | None = None) -> str:
    """A spot's name on the table, the page's if none is given; California's Pair Plus spot is labelled Bonus (CAL)."""
    rules = rules or page.rules
    if spot == Spot.ANTE:
        return page.t("Ante")
    if spot == Spot.PAIR_PLUS:
        return page.t("Bonus") if rules is not None and rules.name == "california" else page.t("Pair Plus")
    return page.t("6-Card Bonus")


def step_label(spot: Spot, chips_: int, rules: RuleSet, page: Page) -> str:
    """A key that lays chips on a spot or takes them off; in words no sign follows "Pair Plus", which ends in one."""
    name = spot_name(spot, page, rules)
    if not page.words:
        return page.t("{spot} {chips}", spot=name, chips=signed(chips_, page))
    number = chips(abs(chips_), page)
    if chips_ < 0:
        return page.t("{spot}, {chips} less", spot=name, chips=number)
    return page.t("{spot}, {chips} more", spot=name, chips=number)


def wager_text(wager: Wager, page: Page, rules: RuleSet | None = None) -> str:
    """A wager in words: "Ante 25, Pair Plus 5"."""
    laid = [(spot, wager.on(spot)) for spot in Spot if wager.on(spot)]
    if not laid:
        return page.t("no bet")
    told = (
        page.t("{spot} {chips}", spot=spot_name(spot, page, rules), chips=chips(amount, page)) for spot, amount in laid
    )
    return listed(told, page)


def explain(refusal: Exception, page: Page) -> str:
    """One sentence for a refusal; where the books could not be written, that one."""
    say = _SENTENCES.get(type(refusal))
    if say is None:
        return page.t("The books cannot be written just now. No chip has moved; please try again in a minute.")
    return say(refusal, page)


def _bet_too_small(refusal: errors.BetTooSmall, page: Page) -> str:
    spot, least = spot_name(refusal.spot, page), chips(refusal.least, page)
    return page.t("{spot} begins at {least}.", spot=spot, least=least)


def _bet_too_large(refusal: errors.BetTooLarge, page: Page) -> str:
    spot, most = spot_name(refusal.spot, page), chips(refusal.most, page)
    return page.t("{spot} ends at {most}. Tap Max for the most.", spot=spot, most=most)


def _chip_not_usable(refusal: errors.ChipNotUsable, page: Page) -> str:
    spot, most, chip = spot_name(refusal.spot, page), chips(refusal.most, page), chips(refusal.chip, page)
    return page.t("Not with {chip}: {spot} ends at {most}. Tap Max for the most.", chip=chip, spot=spot, most=most)


def _cannot_cover(refusal: errors.CannotCover, page: Page) -> str:
    have, need, most = (chips(value, page) for value in (refusal.have, refusal.need, refusal.most_ante))
    if refusal.most_ante:
        return page.t("With {have} chips the Ante can be {most} at most: Play needs as much again.",
                      have=have, most=most)  # fmt: skip
    return page.t("That needs {need} chips, Play included; you have {have}.", need=need, have=have)


def _not_a_multiple(refusal: errors.NotAMultiple, page: Page) -> str:
    spot, step = spot_name(refusal.spot, page), chips(refusal.step, page)
    return page.t("{spot} goes in steps of {step}.", spot=spot, step=step)


def _table_limit(refusal: errors.TableLimit, page: Page) -> str:
    return page.t("All bets together end at {most} at this table.", most=chips(refusal.most, page))


def _bet_off(refusal: errors.BetOff, page: Page) -> str:
    return page.t("This table has no {spot}.", spot=spot_name(refusal.spot, page))


def _no_bet(refusal: errors.NoBet, page: Page) -> str:
    if refusal.spot:
        return page.t("There is nothing on {spot}.", spot=spot_name(refusal.spot, page))
    return page.t("There is no bet yet.")


def _too_many_bets(_refusal: errors.TooManyBets, page: Page) -> str:
    if page.rules is not None and page.rules.pair_plus is None:
        return page.t("Say it like /deal 25: the Ante.")
    return page.t("Say it like /deal 25 5: the Ante, then {spot}.", spot=spot_name(Spot.PAIR_PLUS, page))


def _not_yours(refusal: refusals.NotYourBoard, page: Page) -> str:
    return page.t("This is {name}’s board. /deal opens yours.", name=plain_name(refusal.owner, page))


def _bet_changed(refusal: refusals.BetChanged, page: Page) -> str:
    return page.t("Your bet is now {bet}. Tap Deal again.", bet=wager_text(refusal.wager, page))


def _black_listed(refusal: refusals.BlackListed, page: Page) -> str:
    return page.t(
        "The admins of that chat let you deal there again after {moment}.", moment=page.t.moment(refusal.until)
    )


def _on_break(refusal: refusals.OnBreak, page: Page) -> str:
    return page.t(
        "You are on a break until {moment}: no bets before, as you wished. A hand in play can be finished.",
        moment=page.t.moment(refusal.until),
    )


def _file_too_soon(refusal: refusals.FileTooSoon, page: Page) -> str:
    return page.t.n(
        "Your file was sent a moment ago: again in {count} second.",
        "Your file was sent a moment ago: again in {count} seconds.",
        refusal.seconds,
    )


def _too_many_hands(refusal: refusals.TooManyHands, page: Page) -> str:
    return page.t.n(
        "The admins of that chat allow {count} hand an hour: the next one is yours at {moment}.",
        "The admins of that chat allow {count} hands an hour: the next one is yours at {moment}.",
        refusal.most,
        moment=page.t.moment(refusal.until),
    )


def _bad_rule_set(refusal: errors.BadRuleSet, page: Page) -> str:
    why = page.t(_REASONS[refusal.reason])
    key = "".join(char for char in refusal.key if char.isalnum() or char in "._")[:_KEY_SHOWN]  # somebody typed it
    return page.t("{key}: {why}", key=ltr(key, page), why=why) if key else why


def _hand_voided(refusal: refusals.HandVoided, page: Page) -> str:
    if refusal.chips < 0:
        return page.t("Hand {number} does not count: it was broken. What it won went back.", number=refusal.number)
    return page.t.n(
        "Hand {number} does not count: it was broken. {count} chip came back.",
        "Hand {number} does not count: it was broken. {count} chips came back.",
        refusal.chips,
        number=refusal.number,
    )


_KEY_SHOWN = 40
# What is wrong with one key of a table that somebody wrote down; the key stands before it.
_REASONS: Mapping[str, str] = {
    errors.Reason.UNKNOWN_KEY: _("There is no such key."),
    errors.Reason.MISSING: _("It is missing, and this part has to be whole."),
    errors.Reason.NOT_AN_OBJECT: _("It has to be one JSON object, in braces."),
    errors.Reason.NOT_A_WHOLE_NUMBER: _("It has to be a whole number."),
    errors.Reason.NOT_TRUE_OR_FALSE: _("It has to be true or false."),
    errors.Reason.NOT_A_NAME: _("It has to be a name of 1 to 64 characters."),
    errors.Reason.NOT_A_LIST: _("It has to be a list; limits have two ends, like [5, 100]."),
    errors.Reason.NEGATIVE: _("It cannot be under zero."),
    errors.Reason.ZERO: _("It has to be more than zero."),
    errors.Reason.TOO_LARGE: _("It is too large."),
    errors.Reason.LEAST_OVER_MOST: _("The least is over the most."),
    errors.Reason.NOT_IN_CHIPS: _("It cannot be laid with the smallest chip of the tray."),
    errors.Reason.NOT_ASCENDING: _("The chips have to rise, each one once."),
    errors.Reason.TOO_MANY: _("A row of keys has place for eight chips."),
    errors.Reason.TABLE_TOO_SMALL: _("The table’s maximum is too small for a bet that is on."),
    errors.Reason.BUY_IN_TOO_SMALL: _("It does not pay for the smallest hand."),
}

_SENTENCES: Mapping[type[Exception], Sentence] = {
    **words_shared.SENTENCES,
    **words_events.SENTENCES,
    errors.BetTooSmall: _bet_too_small,
    errors.BetTooLarge: _bet_too_large,
    errors.ChipNotUsable: _chip_not_usable,
    errors.CannotCover: _cannot_cover,
    errors.NotAMultiple: _not_a_multiple,
    errors.TableLimit: _table_limit,
    errors.BetOff: _bet_off,
    errors.NoBet: _no_bet,
    errors.AnteRequired: lambda refusal, page: page.t(
        "This table asks for an Ante of {least} or more.", least=chips(refusal.least, page)
    ),
    errors.TooManyBets: _too_many_bets,
    errors.UnknownCard: said(_("Write three cards like Qh 6c 4d.")),
    errors.RepeatedCard: said(_("One card stands there twice.")),
    errors.WrongHandSize: said(_("Write three cards like Qh 6c 4d.")),
    errors.WordsTooLong: said(_("Your words for the shuffle can have 64 characters at most.")),
    errors.WordsNotAllowed: said(_("Your words for the shuffle hold a character that cannot be used.")),
    errors.BadRuleSet: _bad_rule_set,
    errors.UnknownChip: said(_("That chip does not lie in the tray.")),
    errors.BadAmount: said(_("Say it in whole chips, like /deal 25 5.")),
    refusals.NotYourBoard: _not_yours,
    refusals.BetChanged: _bet_changed,
    refusals.NotChips: said(_("Say it in whole chips, like /deal 25 5.")),
    refusals.DeadKey: said(_("That key is no longer in use. /deal brings your board.")),
    refusals.AlreadyDone: said(_("That is already done.")),
    refusals.BettingClosed: said(_("The cards are dealt: Play or Fold.")),
    refusals.HandInPlay: said(_("Finish this hand first: Play or Fold.")),
    refusals.NoHand: said(_("No hand is in play. /deal opens the betting board.")),
    refusals.NotYourDoor: said(_("That link is not yours, or you are not in that group any more.")),
    refusals.NoSuchHand: said(_("There is no such hand here.")),
    refusals.NotOpenYet: said(_("That hand is not settled yet: its secret opens after it.")),
    refusals.HintByTap: said(_("Tap Hint on your board: only you will see the answer.")),
    refusals.PictureTooSoon: lambda refusal, page: page.t.n(
        "One picture at a time: the next one in {count} second.",
        "One picture at a time: the next one in {count} seconds.",
        refusal.seconds,
    ),
    refusals.NotSeated: said(_("You are not at the table. /deal sits you down.")),
    refusals.PrivateOnly: said(_("That is between you and me: say it in our private chat.")),
    refusals.FileTooSoon: _file_too_soon,
    refusals.OnBreak: _on_break,
    refusals.NotAdmin: said(_("Only the admins of this chat choose that.")),
    refusals.AdminsUnknown: said(
        _("Telegram does not say who is an admin just now. Nothing was changed; please try again.")
    ),
    refusals.BlackListed: _black_listed,
    refusals.TooManyHands: _too_many_hands,
    refusals.BlackListByReply: said(_("Reply to a message of that person with /settings blacklist 7d (or 12h, 4w).")),
    refusals.BlackListFull: lambda refusal, page: page.t(
        "The black list is full ({most}): lift somebody first.", most=page.t.number(refusal.most)
    ),
    refusals.NotAZone: said(_("There is no such time zone. Write it like /settings zone Europe/Kyiv.")),
    refusals.NoSuchTable: said(_("There is no table of that name. These are here:")),
    refusals.GroupSetting: said(_("Only groups have that: an admin says it there.")),
    refusals.HandVoided: _hand_voided,
    refusals.TableChanged: said(_("The table was changed meanwhile: look at it again.")),
}
