"""Updates to handlers: one door for taps with a dispatch by verb, one for words, one for comings and goings."""

from __future__ import annotations

from typing import Any

import structlog
from telegram import CallbackQuery, Chat, ChatMember, Message, Update, User
from telegram.ext import Application, CallbackQueryHandler, ChatMemberHandler, MessageHandler, filters

from bot.facts import BadTap, Tap, Who
from bot.handlers import contests, outings, parsing, people, places, rules, settings, solo, stats, table, transcripts
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer, Commands, Said, Taps
from bot.handlers.refusing import REFUSED, refused_tap, refused_words
from bot.refusals import AlreadyDone, DeadKey
from bot.services import people as people_services

_LOG = structlog.get_logger(__name__)
_GROUPS = {"group", "supergroup"}
_PRESENT = {ChatMember.OWNER, ChatMember.ADMINISTRATOR, ChatMember.MEMBER, ChatMember.RESTRICTED}
TAPS: Taps = {
    **solo.TAPS,
    **table.TAPS,
    **places.TAPS,
    **contests.TAPS,
    **outings.TAPS,
    **people.TAPS,
    **transcripts.TAPS,
    **stats.TAPS,
    **settings.TAPS,
    **rules.TAPS,
}
COMMANDS: Commands = {
    **solo.COMMANDS,
    **table.COMMANDS,
    **contests.COMMANDS,
    **outings.COMMANDS,
    **people.COMMANDS,
    **transcripts.COMMANDS,
    **stats.COMMANDS,
    **settings.COMMANDS,
    **rules.COMMANDS,
}


class Dispatch:
    """The three doors, bound to one desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def register(self, application: Application[Any, Any, Any, Any, Any, Any]) -> None:
        application.add_handler(CallbackQueryHandler(self.tapped))
        application.add_handler(MessageHandler(filters.UpdateType.MESSAGE, self.said))
        application.add_handler(ChatMemberHandler(self.membership, ChatMemberHandler.MY_CHAT_MEMBER))
        application.add_handler(ChatMemberHandler(self.standing, ChatMemberHandler.CHAT_MEMBER))

    async def tapped(self, update: Update, _context: object) -> None:
        """A tap: whatever happens, it is answered once."""
        query = update.callback_query
        if query is None:
            return
        who = _tapper(query)
        try:
            answer = await self._act(query, who)
        except REFUSED as refusal:
            answer = await refused_tap(self._desk, who, refusal)
        if answer.later:
            return
        painter = self._desk.painter
        painter.aside(painter.answer(query.id, answer.text, alert=answer.alert, url=answer.url))

    async def _act(self, query: CallbackQuery, who: Who) -> Answer:
        if query.message is None or not query.data:
            raise DeadKey
        try:
            tap = Tap.unpack(query.data)
        except BadTap:
            raise DeadKey from None
        act = TAPS.get(tap.verb)
        if act is None:
            raise DeadKey
        return await act(self._desk, who, tap, query.id)

    async def said(self, update: Update, _context: object) -> None:
        """Words: commands, and the words that stand for keys."""
        message = update.message
        if message is None or message.from_user is None:
            return
        if message.migrate_to_chat_id is not None:
            await self._move(message.chat.id, message.migrate_to_chat_id)
            return
        if message.migrate_from_chat_id is not None:
            await self._move(message.migrate_from_chat_id, message.chat.id)
            return
        for person in message.new_chat_members:
            await self._present(message.chat.id, person.id, here=True)
        if message.left_chat_member is not None:
            await self._present(message.chat.id, message.left_chat_member.id, here=False)
            await table.left(self._desk, message.chat.id, message.left_chat_member.id)
            return
        who = _speaker(message, message.from_user)
        try:
            if message.text is not None:
                await self._hear(message.text, message, who, update.update_id)
            elif message.dice is not None:
                await self._throw(message, who, update.update_id)
        except AlreadyDone:
            _LOG.debug("command_again", update_id=update.update_id)
        except REFUSED as refusal:
            await refused_words(self._desk, who, refusal)

    async def _throw(self, message: Message, who: Who, update_id: int) -> None:
        """Dice in reply to the bot cut the hand of a table."""
        dice, replied = message.dice, message.reply_to_message
        if dice is not None and dice.emoji in table.DICE and replied is not None:
            await table.thrown(self._desk, who, dice.value, replied=replied.message_id, update_id=update_id)

    async def _move(self, old: int, new: int) -> None:
        """A group became a supergroup; either message may tell, or both (F01)."""
        await self._desk.run(people_services.moved, old, new, now=self._desk.clock.now())
        await self._desk.painter.chat_moved(old, new)
        await table.moved(self._desk, new)

    async def _hear(self, text: str, message: Message, who: Who, update_id: int) -> None:
        command = parsing.command(text, self._desk.bot_name)
        said = _said(message, command.rest if command else "", update_id)
        if command is not None:
            obey = COMMANDS.get(command.name)
            if obey is not None:
                await obey(self._desk, who, said)
            elif who.chat_kind == "private":
                await people.unknown(self._desk, who)
            return
        verb = parsing.key_word(text)
        meant = who.chat_kind == "private" or said.replied_user == self._desk.bot_id
        replied = message.reply_to_message
        if verb is not None and meant:
            at_table = replied is not None and await table.word(
                self._desk, who, verb, replied=replied.message_id, update_id=update_id
            )
            if not at_table:
                await solo.word(self._desk, who, verb, said)
        elif who.chat_kind == "private" and not text.startswith("/"):
            await people.unknown(self._desk, who)

    async def standing(self, update: Update, _context: object) -> None:
        """Somebody became an admin, or is one no longer, or left."""
        changed = update.chat_member
        if changed is None:
            return
        person = changed.new_chat_member
        self._desk.admins.forget(changed.chat.id, person.user.id)
        here = getattr(person, "is_member", True)  # who is restricted may be in the chat, or not any more
        present = person.status in _PRESENT and here
        await self._present(changed.chat.id, person.user.id, here=present)
        if not present:
            await table.left(self._desk, changed.chat.id, person.user.id)

    async def _present(self, chat_id: int, user_id: int, *, here: bool) -> None:
        now = self._desk.clock.now()
        await self._desk.run(people_services.absent, chat_id, user_id, away=not here, now=now)

    async def membership(self, update: Update, _context: object) -> None:
        changed = update.my_chat_member
        if changed is None or changed.chat.type not in {*_GROUPS, Chat.PRIVATE}:
            return
        present = changed.new_chat_member.status in _PRESENT
        who = _who(changed.from_user, changed.chat, thread_id=None, message_id=None)
        await people.membership(self._desk, who, present=present)
        if not present and changed.chat.type in _GROUPS:
            await table.stranded(self._desk, changed.chat.id)


def _said(message: Message, rest: str, update_id: int) -> Said:
    replied = message.reply_to_message
    if replied is None:
        return Said(rest=rest, update_id=update_id)
    writer = replied.from_user if replied.sender_chat is None else None  # no channel, no anonymous admin
    person = writer if writer is not None and not writer.is_bot else None
    return Said(
        rest=rest,
        update_id=update_id,
        replied_person=person.id if person else None,
        replied_name=(person.full_name or "") if person else "",
        replied_text=replied.text or "",
        replied_file=replied.document.file_id if replied.document else "",
        replied_user=replied.from_user.id if replied.from_user else None,
    )


def _tapper(query: CallbackQuery) -> Who:
    message = query.message
    if message is None:
        return _who(query.from_user, None, thread_id=None, message_id=None)
    thread = message.message_thread_id if isinstance(message, Message) and message.is_topic_message else None
    return _who(query.from_user, message.chat, thread_id=thread, message_id=message.message_id)


def _speaker(message: Message, user: User) -> Who:
    thread = message.message_thread_id if message.is_topic_message else None
    as_chat = message.sender_chat is not None and message.sender_chat.id == message.chat.id
    return _who(user, message.chat, thread_id=thread, message_id=message.message_id, as_chat=as_chat)


def _who(user: User, chat: Chat | None, *, thread_id: int | None, message_id: int | None, as_chat: bool = False) -> Who:
    return Who(
        user_id=user.id,
        name=user.full_name or "",  # PTB has none for a deleted account (F43)
        app_language=user.language_code or "",
        chat_id=chat.id if chat else user.id,
        chat_kind=chat.type if chat else "",
        chat_title=(chat.title or "") if chat else "",
        thread_id=thread_id,
        message_id=message_id,
        as_chat=as_chat,
    )
