"""An answer to a tap fits 200 characters, and is never cut inside what a reader sees as one character."""

from __future__ import annotations

import regex

from bot.views.kit import TOAST_LENGTH

_ELLIPSIS = "…"
_CLOSE = "\u2069"  # pop directional isolate
_OPEN = frozenset("\u2066\u2067\u2068")


def clipped(text: str, limit: int = TOAST_LENGTH) -> str:
    """
    *text* if it fits into *limit* characters, else as much of it as fits with an ellipsis (F26).

    Isolates that were open are closed again.
    """
    if len(text) <= limit:
        return text
    kept = ""
    for letter in regex.findall(r"\X", text):
        longer = kept + letter
        if len(longer) + len(_ELLIPSIS) + _open(longer) > limit:
            break
        kept = longer
    kept = kept.rstrip()
    return kept + _ELLIPSIS + _CLOSE * _open(kept)


def _open(text: str) -> int:
    """How many isolates are open at the end."""
    depth = 0
    for character in text:
        if character in _OPEN:
            depth += 1
        elif character == _CLOSE and depth:
            depth -= 1
    return depth
