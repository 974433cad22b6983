"""What people type: commands, whole numbers of chips, and words for keys."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from bot.facts import Verb

_MOST_DIGITS = 9
_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]{1,32}))?(?:\s+(.*))?", re.DOTALL)
_WORDS: Mapping[str, Verb] = {
    "play": Verb.PLAY,
    "j": Verb.PLAY,
    "fold": Verb.FOLD,
    "x": Verb.FOLD,
    "hint": Verb.HINT,
    "h": Verb.HINT,
    "deal": Verb.DEAL,
    "clear": Verb.CLEAR,
    "repeat": Verb.REPEAT,
}


@dataclass(frozen=True, slots=True)
class Command:
    """A command that is meant for this bot."""

    name: str  # in lower case, without slash and bot
    rest: str  # what stands behind it


def command(text: str, bot_name: str) -> Command | None:
    """A command for this bot, its name in lower case; None for other text and for another bot's (F64)."""
    found = _COMMAND.fullmatch(text.strip())
    if found is None or (found[2] and found[2].lower() != bot_name.lower()):
        return None
    return Command(found[1].lower(), (found[3] or "").strip())


def amounts(words: str) -> tuple[int, ...] | None:
    """
    Whole numbers of chips, in decimal digits of any script, 1 to 9 digits each; None for anything else.

    So no sign, no underscore, no exponent, no superscript, no invisible character (F68).
    """
    numbers = [_number(word) for word in words.split()]
    return None if None in numbers else tuple(number for number in numbers if number is not None)


def _number(word: str) -> int | None:
    if not 0 < len(word) <= _MOST_DIGITS or not all(unicodedata.category(char) == "Nd" for char in word):
        return None
    return int("".join(str(unicodedata.decimal(char)) for char in word))


_DURATION = re.compile(r"(\d{1,3})\s?([hdw])", re.IGNORECASE)
_UNITS: Mapping[str, timedelta] = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_LONGEST = timedelta(days=366)


def duration(words: str) -> timedelta | None:
    """Hours, days or weeks, as in 12h, 7d, 4w, up to a year; None for anything else."""
    found = _DURATION.fullmatch(words.strip())
    number = _number(found[1]) if found else None
    if found is None or not number:
        return None
    lasting = number * _UNITS[found[2].lower()]
    return lasting if lasting <= _LONGEST else None


def key_word(text: str) -> Verb | None:
    """The key that a typed word stands for: its English label, or J, X, H (SEL)."""
    return _WORDS.get(text.strip().rstrip(".!").lower())
