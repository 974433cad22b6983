"""An answer to a tap fits 200 characters, and is never cut inside what a reader sees as one character."""

from __future__ import annotations

import unicodedata

ANSWER_CHARACTERS = 200  # Bot API: answerCallbackQuery
_ELLIPSIS = "…"
_ZWJ = "\u200d"
_CLOSE = "\u2069"  # pop directional isolate
_OPEN = frozenset("\u2066\u2067\u2068")


def clipped(text: str, limit: int = ANSWER_CHARACTERS) -> str:
    """*text* if it fits, else as much of it as fits with an ellipsis; isolates that were open are closed again."""
    if len(text) <= limit:
        return text
    end = limit - len(_ELLIPSIS)
    while end > 0 and (_inside(text, end) or end + _unclosed(text[:end]) + len(_ELLIPSIS) > limit):
        end -= 1
    kept = text[:end].rstrip()
    return kept + _ELLIPSIS + _CLOSE * _unclosed(kept)


def _inside(text: str, at: int) -> bool:
    """Whether the characters on both sides of *at* are seen as one."""
    before, after = text[at - 1], text[at]
    if _ZWJ in {before, after} or unicodedata.category(after).startswith("M"):
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":  # skin tones, tags of flags
        return True
    return _flag(after) and _flags_before(text, at) % 2 == 1


def _flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flags_before(text: str, at: int) -> int:
    first = at
    while first > 0 and _flag(text[first - 1]):
        first -= 1
    return at - first


def _unclosed(text: str) -> int:
    depth = 0
    for character in text:
        if character in _OPEN:
            depth += 1
        elif character == _CLOSE and depth:
            depth -= 1
    return depth
