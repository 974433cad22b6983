"""What handlers are made of: what was said, how a tap is answered, and the two kinds of handler."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bot.facts import Tap, Verb, Who
from bot.handlers.desk import Desk


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tap is answered with; an alert stays until it is closed."""

    text: str = ""
    alert: bool = False
    url: str = ""
    later: bool = False  # somebody else answers, when more is known


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A command and what came with it."""

    rest: str  # the words behind the command
    update_id: int
    replied_text: str = ""  # text of the message it replies to
    replied_file: str = ""  # Telegram's id of the file it replies to
    replied_user: int | None = None  # who wrote the message it replies to
    replied_person: int | None = None  # the same, unless it is a bot, a channel or an anonymous admin
    replied_name: str = ""


TapHandler: TypeAlias = Callable[[Desk, Who, Tap, str], Awaitable[Answer]]  # the last one is the callback query's id
CommandHandler: TypeAlias = Callable[[Desk, Who, Said], Awaitable[None]]
Taps: TypeAlias = Mapping[Verb, TapHandler]
Commands: TypeAlias = Mapping[str, CommandHandler]


def mark_of(query_id: str) -> int:
    """The mark of a callback query: below zero, so that it never meets an update's."""
    return -1 - (int.from_bytes(hashlib.sha256(query_id.encode()).digest()[:8], "big") >> 2)
