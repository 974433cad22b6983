"""Who may come in: an update is judged as Telegram sent it, before anything is made of it (BOTAPI section 6)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

Raw = dict[str, Any]  # an update, or a part of one, as Telegram sent it

KINDS = ("message", "callback_query", "my_chat_member", "chat_member")  # what is asked for, and nothing else let in
BEFORE_START = timedelta(minutes=2)  # words said earlier than that before the start are not obeyed ...
OLD = timedelta(minutes=10)  # ... if they are also older than this

_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@(\w+))?(?!\S)")
_SERVICE = (
    "migrate_to_chat_id",
    "migrate_from_chat_id",
    "left_chat_member",
    "new_chat_members",
    "group_chat_created",
    "supergroup_chat_created",
)
FOR_ADMINS = frozenset({"settings", "rules"})  # what an admin may ask for who writes as the group itself (F04)
_MEMBERS = frozenset({"member", "administrator", "creator"})


class Why(StrEnum):
    """Why an update was turned away, or refused at its turn."""

    KIND = "kind"  # edited, a channel's, a business', a guest's, inline, or without words
    BOT = "bot"  # written by another bot, or through one
    FORWARD = "forward"
    AUTOMATIC = "automatic"  # a linked channel's post
    CHANNEL = "channel"  # somebody who writes as a channel
    ANONYMOUS = "anonymous"  # an admin who writes as the group
    OTHER_BOT = "other_bot"  # a command for somebody else
    OLD = "old"
    EPHEMERAL = "ephemeral"  # message_id 0
    NO_MESSAGE = "no_message"  # a tap without a message, or without a payload
    NOT_ALLOWED = "not_allowed"  # the operator's list does not hold the chat
    UNREADABLE = "unreadable"
    BUSY = "busy"  # not done within ten seconds
    ERROR = "error"  # a handler failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """One update at the door."""

    update_id: int
    kind: str
    raw: Raw = field(repr=False)  # the whole update; people's words, so never logged
    chat_id: int | None = None
    chat_kind: str = ""
    user_id: int | None = None
    query_id: str = ""  # of a tap, which is to be answered whatever happens
    command: str = ""  # of a message, without slash and name
    service: bool = False  # never too old, never refused for being late
    speaks: bool = False  # shows that the chat may be written to
    why: Why | None = None  # turned away


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """The rules at the door; *name* is the bot's own, *started* this process' start."""

    name: str
    started: datetime
    allows: Callable[[int], bool] = lambda _: True

    def look(self, raw: Raw, now: datetime) -> Visitor:
        """
        Who comes, and why not.

        :raises Exception: Any, if the update has another shape than Telegram's.
        """
        kind = next((name for name in raw if name != "update_id"), "")
        known = {"update_id": raw["update_id"], "kind": kind if kind in KINDS else "other", "raw": raw}
        match kind:
            case "message":
                return self._message(raw["message"], known, now)
            case "callback_query":
                return self._tap(raw["callback_query"], known)
            case "my_chat_member" | "chat_member":
                return self._membership(raw[kind], known)
        return Visitor(**known, why=Why.KIND)

    def _message(self, message: Raw, known: dict[str, Any], now: datetime) -> Visitor:
        chat = message["chat"]
        service = any(name in message for name in _SERVICE)
        said = _COMMAND.match(message.get("text", ""))
        command, addressee = said.groups("") if said else ("", "")
        why = self._why_not(chat)
        if why is None and not service:
            why = _why_not_words(message, command.lower(), self.name) or self._why_not_now(message, addressee, now)
        return Visitor(
            **known,
            chat_id=chat["id"],
            chat_kind=chat["type"],
            user_id=message.get("from", {}).get("id"),
            command=command.lower(),
            service=service,
            speaks=not service,
            why=why,
        )

    def _tap(self, tap: Raw, known: dict[str, Any]) -> Visitor:
        message = tap.get("message")
        chat = message["chat"] if message else {}
        if not message or not message["message_id"] or "data" not in tap:
            why: Why | None = Why.NO_MESSAGE
        else:
            why = Why.KIND if "business_connection_id" in message else self._why_not(chat)
        return Visitor(
            **known,
            chat_id=chat.get("id"),
            chat_kind=chat.get("type", ""),
            user_id=tap["from"]["id"],
            query_id=tap["id"],
            speaks=True,
            why=why,
        )

    def _membership(self, change: Raw, known: dict[str, Any]) -> Visitor:
        chat = change["chat"]
        ours = known["kind"] == "my_chat_member"
        return Visitor(
            **known,
            chat_id=chat["id"],
            chat_kind=chat["type"],
            user_id=change["from"]["id"],
            service=True,
            speaks=ours and change["new_chat_member"]["status"] in _MEMBERS,
            why=self._why_not(chat),
        )

    def _why_not(self, chat: Raw) -> Why | None:
        if chat["type"] == "channel":
            return Why.KIND
        return None if self.allows(chat["id"]) else Why.NOT_ALLOWED

    def _why_not_now(self, message: Raw, addressee: str, now: datetime) -> Why | None:
        if addressee and addressee.lower() != self.name.lower():
            return Why.OTHER_BOT
        sent = message["date"]
        if sent < (self.started - BEFORE_START).timestamp() and sent < (now - OLD).timestamp():
            return Why.OLD
        return None


def _cuts(message: Raw, name: str) -> bool:
    """Telegram's dice in reply to a message of ours; no words, but they may cut the hand of a table."""
    replied = message.get("reply_to_message") or {}
    return "dice" in message and replied.get("from", {}).get("username", "").lower() == name.lower()


def _why_not_words(message: Raw, command: str, name: str) -> Why | None:
    if not message["message_id"]:
        return Why.EPHEMERAL
    if (
        not ("text" in message or _cuts(message, name))
        or "business_connection_id" in message
        or "guest_query_id" in message
    ):
        return Why.KIND
    return _why_not_writer(message, command)


def _why_not_writer(message: Raw, command: str) -> Why | None:
    if message.get("is_automatic_forward"):
        return Why.AUTOMATIC
    if "forward_origin" in message:
        return Why.FORWARD
    if (sender := message.get("sender_chat")) is not None:
        if sender["id"] != message["chat"]["id"]:
            return Why.CHANNEL
        return None if _for_admins(message, command) and "via_bot" not in message else Why.ANONYMOUS
    if "via_bot" in message or message.get("from", {}).get("is_bot", True):
        return Why.BOT
    return None


def _for_admins(message: Raw, command: str) -> bool:
    """A table is closed by an admin, and sat down at by somebody who has a name."""
    return command in FOR_ADMINS or (command == "table" and message["text"].lower().split()[1:] == ["close"])
