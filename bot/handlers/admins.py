"""Who is an admin of a chat: Telegram's word, asked anew for every change and remembered shortly for a mere look."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from telegram import Bot, ChatMember, ChatMemberAdministrator, ChatMemberOwner, ChatMemberRestricted
from telegram.error import BadRequest, TelegramError

from bot.facts import Clock
from bot.refusals import AdminsUnknown

_LOG = structlog.get_logger(__name__)
_FRESH = timedelta(seconds=30)
_REMEMBERED = 1024  # people in chats
_PATIENCE = 5.0  # seconds
_ADMINS = {ChatMember.OWNER, ChatMember.ADMINISTRATOR}
_GONE = {ChatMember.LEFT, ChatMember.BANNED}
_NO_MEMBER = ("user not found", "member not found", "participant_id_invalid", "user_not_participant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What Telegram says of somebody in a chat."""

    admin: bool  # the owner among them
    hidden: bool = False  # an admin who stays anonymous, so nothing is said by name (F03)


class Admins:
    """Look-ups by `get_chat_member`; what is remembered is dropped when Telegram tells of a change."""

    def __init__(self, bot: Bot, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock
        self._known: OrderedDict[tuple[int, int], tuple[datetime, Standing]] = OrderedDict()
        self._changes = 0  # of anybody's standing, as far as Telegram has told

    async def standing(self, chat_id: int, user_id: int, *, fresh: bool) -> Standing:
        """
        What somebody is in a chat; with *fresh* as Telegram says at this moment (F107).

        :raises AdminsUnknown: If Telegram does not answer, or not well.
        """
        known = self._known.get((chat_id, user_id))
        if known is not None and not fresh and known[0] + _FRESH > self._clock.now():
            return known[1]
        changes = self._changes
        member = await self._member(chat_id, user_id)
        hidden = isinstance(member, ChatMemberOwner | ChatMemberAdministrator) and member.is_anonymous
        found = Standing(admin=member is not None and member.status in _ADMINS, hidden=hidden)
        if changes == self._changes:  # else the answer may be older than a change that was told meanwhile
            self._remember(chat_id, user_id, found)
        return found

    def _remember(self, chat_id: int, user_id: int, found: Standing) -> None:
        self._known[chat_id, user_id] = self._clock.now(), found
        self._known.move_to_end((chat_id, user_id))
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    async def present(self, chat_id: int, user_id: int) -> bool:
        """
        Whether somebody is a member of a chat at this moment.

        :raises AdminsUnknown: If Telegram does not answer, or not well.
        """
        member = await self._member(chat_id, user_id)
        if member is None or member.status in _GONE:
            return False
        return member.is_member if isinstance(member, ChatMemberRestricted) else True

    def forget(self, chat_id: int, user_id: int) -> None:
        """Somebody's standing has changed."""
        self._changes += 1
        self._known.pop((chat_id, user_id), None)

    async def _member(self, chat_id: int, user_id: int) -> ChatMember | None:
        """Telegram's word; None for somebody of whom it knows nothing there."""
        try:
            async with asyncio.timeout(_PATIENCE):
                return await self._bot.get_chat_member(chat_id, user_id)
        except BadRequest as error:
            if any(words in error.message.lower() for words in _NO_MEMBER):
                return None
            raise self._unknown(error.message) from None
        except (TelegramError, TimeoutError) as error:
            raise self._unknown(type(error).__name__) from None

    def _unknown(self, reason: str) -> AdminsUnknown:
        _LOG.info("admins_unknown", reason=reason)
        return AdminsUnknown()
