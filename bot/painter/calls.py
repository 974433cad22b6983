"""The Bot API calls that the painter makes, with what is the same in all of them said once."""

from __future__ import annotations

from typing import Any

from telegram import Bot, InputFile, ReactionTypeEmoji
from telegram.constants import ParseMode

from bot.painter.keyboard import keyboard
from bot.painter.pictures import Content
from bot.views.kit import Keys

_NO_PREVIEW = '{"is_disabled":true}'


class Calls:
    """Keyboards travel as ready JSON through `api_kwargs`: objects for them cost more than the rest of the call."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def send(self, chat_id: int, content: Content, *, thread_id: int | None, reply_to: int | None = None) -> int:
        """The id of the new message."""
        message = await self._bot.send_message(
            chat_id,
            content.text,
            parse_mode=ParseMode.HTML,
            message_thread_id=thread_id,
            reply_to_message_id=reply_to,
            allow_sending_without_reply=True if reply_to is not None else None,
            api_kwargs=_extras(content.keys),
        )
        return message.message_id

    async def edit(self, chat_id: int, message_id: int, content: Content) -> None:
        await self._bot.edit_message_text(
            content.text,
            chat_id=chat_id,
            message_id=message_id,
            parse_mode=ParseMode.HTML,
            api_kwargs=_extras(content.keys),
        )

    async def take_keys_off(self, chat_id: int, message_id: int) -> None:
        await self._bot.edit_message_reply_markup(chat_id=chat_id, message_id=message_id)

    async def react(self, chat_id: int, message_id: int, emoji: str) -> None:
        await self._bot.set_message_reaction(chat_id, message_id, [ReactionTypeEmoji(emoji)] if emoji else [])

    async def leave(self, chat_id: int) -> None:
        await self._bot.leave_chat(chat_id)

    async def download(self, file_id: str, most: int) -> bytes | None:
        """A file that somebody sent, None if it is larger than *most* bytes."""
        file = await self._bot.get_file(file_id)
        if file.file_size is None or file.file_size > most:
            return None
        return bytes(await file.download_as_bytearray())

    async def document(
        self, chat_id: int, name: str, content: bytes, *, caption: str, thread_id: int | None, reply_to: int | None
    ) -> int:
        message = await self._bot.send_document(
            chat_id,
            InputFile(content, filename=name),
            caption=caption or None,
            parse_mode=ParseMode.HTML,
            message_thread_id=thread_id,
            reply_to_message_id=reply_to,
            allow_sending_without_reply=True if reply_to is not None else None,
        )
        return message.message_id

    async def photo(
        self,
        chat_id: int,
        content: bytes,
        *,
        caption: str,
        keys: Keys,
        thread_id: int | None,
        reply_to: int | None,
    ) -> int:
        markup = keyboard(keys)
        message = await self._bot.send_photo(
            chat_id,
            InputFile(content, filename="q64.png"),
            caption=caption or None,
            parse_mode=ParseMode.HTML,
            message_thread_id=thread_id,
            reply_to_message_id=reply_to,
            allow_sending_without_reply=True if reply_to is not None else None,
            api_kwargs={"reply_markup": markup} if markup else None,
        )
        return message.message_id

    async def answer(self, query_id: str, text: str, *, alert: bool, url: str) -> None:
        await self._bot.answer_callback_query(query_id, text or None, show_alert=alert or None, url=url or None)


def _extras(markup: str) -> dict[str, Any]:
    extras = {"link_preview_options": _NO_PREVIEW}
    if markup:
        extras["reply_markup"] = markup
    return extras
