"""Those who are turned away before any handler: each tap gets its toast, each command at most a sign."""

from __future__ import annotations

from collections import OrderedDict

from bot.facts import Who
from bot.handlers.desk import Desk
from bot.intake import Visitor, Why
from bot.refusals import DeadKey
from bot.views.kit import Page, View
from bot.views.words import explain

_REMEMBERED = 1024  # chats


class FrontDesk:
    """What intake calls for visitors that no handler serves."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._told: OrderedDict[int, None] = OrderedDict()  # chats that are not allowed, and know
        self._shown_out: set[int] = set()  # chats on their way out

    def heard(self, chat_id: int) -> None:
        """The chat spoke, so it may be written to again."""
        self._desk.painter.chat_spoke(chat_id)

    async def refuse(self, visitor: Visitor, why: Why, error_id: str) -> None:
        """Answer a tap; nod at a command that cannot be obeyed; leave the rest alone."""
        who = _who(visitor)
        if visitor.query_id:
            text = _sentence(why, error_id, await self._desk.reader_page(who))
            await self._desk.painter.answer(visitor.query_id, text, alert=why is Why.ERROR)
        elif why is Why.NOT_ALLOWED:
            self._desk.painter.aside(self._show_out(who))
        elif visitor.command:
            self._desk.sign(who, "🤷")

    async def _show_out(self, who: Who) -> None:
        """The operator's list does not hold this chat: that is said once, and a group is left after it."""
        if who.chat_id in self._shown_out:
            return  # leaving for a second word would overtake the sentence
        self._shown_out.add(who.chat_id)
        try:
            await self._tell(who)
            if who.chat_kind != "private":
                await self._desk.painter.leave(who.chat_id)
        finally:
            self._shown_out.discard(who.chat_id)

    async def _tell(self, who: Who) -> None:
        if who.chat_id in self._told:
            return
        self._told[who.chat_id] = None
        while len(self._told) > _REMEMBERED:
            self._told.popitem(last=False)
        text = _sentence(Why.NOT_ALLOWED, "", await self._desk.reader_page(who))
        await self._desk.painter.send(who.chat_id, View(text=text))


def _sentence(why: Why, error_id: str, page: Page) -> str:
    match why:
        case Why.ERROR:
            return page.t(
                "Something broke here; no chip has moved. If it stays so, tell the operator: {id}", id=error_id
            )
        case Why.BUSY:
            return page.t("Too busy just now: nothing was done. Please tap again.")
        case Why.NOT_ALLOWED:
            return page.t("This bot plays in other chats only.")
        case _:
            return explain(DeadKey(), page)


def _who(visitor: Visitor) -> Who:
    """As much as is known of somebody who was turned away."""
    said = visitor.raw.get(visitor.kind, {})
    sender = said.get("from") or {} if isinstance(said, dict) else {}
    return Who(
        user_id=visitor.user_id or 0,
        name="",
        app_language=str(sender.get("language_code", "")),
        chat_id=visitor.chat_id or 0,
        chat_kind=visitor.chat_kind,
        message_id=said.get("message_id") if isinstance(said, dict) else None,
    )
