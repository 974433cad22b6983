"""What people are told when something is refused: a tap by its toast, words by a note on one's own board or a sign."""

from __future__ import annotations

from bot.facts import Who
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer
from bot.refusals import BlackListed, DeadKey, OnBreak, Refusal, TooManyHands
from bot.services import solo
from bot.storage import StorageUnavailable
from bot.views.kit import View
from bot.views.words import explain
from core.errors import RuleError

REFUSED = (RuleError, Refusal, StorageUnavailable)
_OVERHEARD = (OnBreak, BlackListed, TooManyHands)


async def refused_tap(desk: Desk, who: Who, refusal: Exception) -> Answer:
    """The refusal as a toast."""
    if isinstance(refusal, DeadKey):
        await desk.tidy(who)
    return Answer(text=explain(refusal, await desk.reader_page(who)))


async def refused_words(desk: Desk, who: Who, refusal: Exception) -> None:
    """A note on the person's own board; without one a word in a private chat, else a sign (BOARDS rule 6)."""
    overheard = who.chat_kind != "private" and isinstance(refusal, _OVERHEARD)  # nobody else's business (BOARDS rule 7)
    if not overheard and not isinstance(refusal, StorageUnavailable):
        value = await desk.run(solo.note_on_board, who, refusal, now=desk.clock.now())
        if value is not None:
            desk.show(value)
            return
    if who.chat_kind == "private":
        desk.say(who, View(text=explain(refusal, await desk.reader_page(who))))
    else:
        desk.sign(who, "🤷")
