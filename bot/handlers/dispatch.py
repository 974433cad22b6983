"""Updates to handlers: one door for taps with a dispatch by verb, one for words, one for comings and goings."""

from __future__ import annotations

from typing import Any

import structlog
from telegram import CallbackQuery, Chat, ChatMember, Message, Update, User
from telegram.ext import Application, CallbackQueryHandler, ChatMemberHandler, MessageHandler, filters

from bot.facts import BadTap, Tap, Verb, Who
from bot.handlers import contests, parsing, people, solo
from bot.handlers.desk import Desk
from bot.handlers.solo import Answer
from bot.refusals import AlreadyDone, DeadKey, Refusal
from bot.services import people as people_services
from bot.services import solo as solo_services
from bot.storage import StorageUnavailable
from bot.views.kit import View
from bot.views.words import explain
from core.errors import RuleError

_LOG = structlog.get_logger(__name__)
_GROUPS = {"group", "supergroup"}
_PRESENT = {ChatMember.OWNER, ChatMember.ADMINISTRATOR, ChatMember.MEMBER, ChatMember.RESTRICTED}
_REFUSED = (RuleError, Refusal, StorageUnavailable)


class Dispatch:
    """The three doors, bound to one desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def register(self, application: Application[Any, Any, Any, Any, Any, Any]) -> None:
        application.add_handler(CallbackQueryHandler(self.tapped))
        application.add_handler(MessageHandler(filters.UpdateType.MESSAGE, self.said))
        application.add_handler(ChatMemberHandler(self.membership, ChatMemberHandler.MY_CHAT_MEMBER))

    async def tapped(self, update: Update, _context: object) -> None:
        """A tap: whatever happens, it is answered once."""
        query = update.callback_query
        if query is None:
            return
        who = _tapper(query)
        try:
            answer = await self._act(query, who)
        except _REFUSED as refusal:
            answer = Answer(text=explain(refusal, await self._desk.reader_page(who)))
            if isinstance(refusal, DeadKey):
                self._desk.take_keys_off(who)
        await self._desk.painter.answer(query.id, answer.text, alert=answer.alert, url=answer.url)

    async def _act(self, query: CallbackQuery, who: Who) -> Answer:
        if query.message is None or not query.data:
            raise DeadKey
        try:
            tap = Tap.unpack(query.data)
        except BadTap:
            raise DeadKey from None
        if tap.verb is Verb.TOP:
            await contests.top(self._desk, who)
            return Answer()
        act = solo.TAPS.get(tap.verb)
        if act is None:
            raise DeadKey
        return await act(self._desk, who, tap, query.id)

    async def said(self, update: Update, _context: object) -> None:
        """Words: commands, and the words that stand for keys."""
        message = update.message
        if message is None or message.from_user is None:
            return
        if message.migrate_to_chat_id is not None:
            await self._desk.run(
                people_services.moved, message.chat.id, message.migrate_to_chat_id, now=self._desk.clock.now()
            )
            return
        if message.migrate_from_chat_id is not None:
            await self._desk.run(
                people_services.moved, message.migrate_from_chat_id, message.chat.id, now=self._desk.clock.now()
            )
            return
        if message.text is None:
            return
        who = _speaker(message, message.from_user)
        try:
            await self._hear(message.text, message, who, update.update_id)
        except AlreadyDone:
            _LOG.debug("command_again", update_id=update.update_id)
        except _REFUSED as refusal:
            await self._refuse(who, refusal)

    async def _hear(self, text: str, message: Message, who: Who, update_id: int) -> None:
        command = parsing.command(text, self._desk.bot_name)
        if command is not None:
            await self._obey(command, who, update_id)
            return
        verb = parsing.key_word(text)
        replied = message.reply_to_message
        meant = who.chat_kind == "private" or (
            replied is not None and replied.from_user is not None and replied.from_user.id == self._desk.bot_id
        )
        if verb is not None and meant:
            await solo.word(self._desk, who, verb, update_id)
        elif who.chat_kind == "private" and not text.startswith("/"):
            await people.unknown(self._desk, who)

    async def _obey(self, command: parsing.Command, who: Who, update_id: int) -> None:
        desk = self._desk
        match command.name:
            case "start":
                if who.chat_kind == "private":
                    await people.started(desk, who)
                await solo.deal_command(desk, who, "", update_id, welcome=who.chat_kind == "private")
            case "deal":
                await solo.deal_command(desk, who, command.rest, update_id)
            case "hint":
                await solo.hint_command(desk, who)
            case "hands":
                await solo.hands_command(desk, who)
            case "cashout":
                await solo.cashout_command(desk, who, update_id)
            case "top":
                await contests.top(desk, who)
            case "help":
                await people.help_command(desk, who)
            case "privacy":
                await people.privacy_command(desk, who)
            case _ if who.chat_kind == "private":
                await people.unknown(desk, who)

    async def _refuse(self, who: Who, refusal: Exception) -> None:
        """A typed command was refused: a note on the person's own board; without one a word in private, else a sign."""
        desk = self._desk
        if not isinstance(refusal, StorageUnavailable):
            value = await desk.run(solo_services.note_on_board, who, refusal, now=desk.clock.now())
            if value is not None:
                desk.show(value)
                return
        if who.chat_kind == "private":
            desk.say(who, View(text=explain(refusal, await desk.reader_page(who))))
        else:
            desk.sign(who, "🤷")

    async def membership(self, update: Update, _context: object) -> None:
        changed = update.my_chat_member
        if changed is None or changed.chat.type not in {*_GROUPS, Chat.PRIVATE}:
            return
        present = changed.new_chat_member.status in _PRESENT
        who = _who(changed.from_user, changed.chat, thread_id=None, message_id=None)
        await people.membership(self._desk, who, present=present)


def _tapper(query: CallbackQuery) -> Who:
    message = query.message
    if message is None:
        return _who(query.from_user, None, thread_id=None, message_id=None)
    thread = message.message_thread_id if isinstance(message, Message) and message.is_topic_message else None
    return _who(query.from_user, message.chat, thread_id=thread, message_id=message.message_id)


def _speaker(message: Message, user: User) -> Who:
    thread = message.message_thread_id if message.is_topic_message else None
    return _who(user, message.chat, thread_id=thread, message_id=message.message_id)


def _who(user: User, chat: Chat | None, *, thread_id: int | None, message_id: int | None) -> Who:
    return Who(
        user_id=user.id,
        name=user.full_name,
        app_language=user.language_code or "",
        chat_id=chat.id if chat else user.id,
        chat_kind=chat.type if chat else "",
        chat_title=(chat.title or "") if chat else "",
        thread_id=thread_id,
        message_id=message_id,
    )
