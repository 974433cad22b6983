"""What people are told when something is refused: a tap by its toast, words by a note on one's own board or a sign."""

from __future__ import annotations

import structlog

from bot.facts import Who
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer
from bot.refusals import (
    AdminsUnknown,
    BetChanged,
    BlackListed,
    DeadKey,
    GroupSetting,
    NotAdmin,
    OnBreak,
    Refusal,
    TooManyHands,
)
from bot.services import solo
from bot.storage import StorageUnavailable
from bot.views.kit import Page, View
from bot.views.words import explain
from core.errors import RuleError

_LOG = structlog.get_logger(__name__)
REFUSED = (RuleError, Refusal, StorageUnavailable)
_OVERHEARD = (OnBreak, BlackListed, TooManyHands)
_NO_BOARD = (  # nothing about anybody's hand, or a board that is a door and stays one: no board moves for it
    NotAdmin,
    AdminsUnknown,
    GroupSetting,
    StorageUnavailable,
    DeadKey,
)


async def refused_tap(desk: Desk, who: Who, refusal: Exception) -> Answer:
    """The refusal as a toast."""
    _raise_alarm(refusal)
    if isinstance(refusal, DeadKey):
        await desk.tidy(who)
    return Answer(text=explain(refusal, await _page(desk, who, refusal)))


async def _page(desk: Desk, who: Who, refusal: Exception) -> Page:
    """The reader's page; for a bet with the names that spots have at this table."""
    return await (desk.table_page(who) if isinstance(refusal, RuleError | BetChanged) else desk.reader_page(who))


async def refused_words(desk: Desk, who: Who, refusal: Exception) -> None:
    """A note on the person's own board; without one a word in a private chat, else a sign (BOARDS rule 6)."""
    _raise_alarm(refusal)
    overheard = who.chat_kind != "private" and isinstance(refusal, _OVERHEARD)  # nobody else's business (BOARDS rule 7)
    if not overheard and not isinstance(refusal, _NO_BOARD) and await _noted(desk, who, refusal):
        return
    if who.chat_kind == "private":
        desk.say(who, View(text=explain(refusal, await _page(desk, who, refusal))))
    else:
        desk.sign(who, "🤷")


async def _noted(desk: Desk, who: Who, refusal: Exception) -> bool:
    """Whether the person has a board that says it."""
    try:
        value = await desk.run(solo.note_on_board, who, refusal, now=desk.clock.now())
    except StorageUnavailable as trouble:
        _raise_alarm(trouble)
        return False
    if value is not None:
        desk.show(value)
    return value is not None


def _raise_alarm(refusal: Exception) -> None:
    """What the database does not take is the operator's business as well."""
    if isinstance(refusal, StorageUnavailable):
        _LOG.error("storage_unavailable", reason=refusal.reason.value, detail=refusal.detail)
