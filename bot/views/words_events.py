"""Refusals of contests and the daily five, each as one sentence."""

from __future__ import annotations

from collections.abc import Mapping

from bot import refusals
from bot.views.kit import Page, _
from bot.views.words_shared import Sentence, said


def _no_cash_out(refusal: refusals.NoCashOut, page: Page) -> str:
    return page.t.n(
        "Here nobody cashes out: the night ends by itself after {count} hand.",
        "Here nobody cashes out: the night ends by itself after {count} hands.",
        refusal.hands,
    )


SENTENCES: Mapping[type[Exception], Sentence] = {
    refusals.EventOver: said(_("That is over: what was played before the end counts.")),
    refusals.HintOff: said(_("Hint is off in contests and in the daily five: everybody decides alone.")),
    refusals.BetFixed: said(_("The bets are the same for all here: just Deal.")),
    refusals.NoCashOut: _no_cash_out,
    refusals.ContestRuns: said(_("A contest is under way here: end it first, with /contest end or /contest cancel.")),
    refusals.NoContest: said(_("No contest is under way here. Admins start one with /contest.")),
    refusals.GroupsOnly: said(_("A contest needs a group: say /contest there.")),
    refusals.BadWords: said(_("Write it like /contest 3d 20 hands best of 3, or /contest 2d matchpoints 12 deals.")),
    refusals.DayPlayed: said(_("You have played today’s five: one try for everybody. The next begins at 00:00 UTC.")),
}
