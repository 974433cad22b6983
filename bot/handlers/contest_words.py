"""A contest as people type it: `/contest 3d 20 hands best of 3`."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from bot.events import Terms
from bot.facts import EventKind
from bot.handlers import parsing

_HOUR = timedelta(hours=1)
_LENGTH = re.compile(r"\b(\d{1,3})\s?([hdw])(?:ours?|ays?|eeks?)?\b", re.IGNORECASE)
_COUNT = re.compile(r"\b(\d{1,3})\s+(hand|deal|night)s?\b", re.IGNORECASE)
_BEST = re.compile(r"\bbest\s+of\s+(\d{1,2})(?:\s+nights?)?\b", re.IGNORECASE)
_MATCH = re.compile(r"\bmatch\s?points?\b", re.IGNORECASE)
_SAME = re.compile(r"\bsame\s+deals?\b", re.IGNORECASE)
_NOISE = re.compile(r"\b(?:for|of|and|the|a|with)\b|[,;.]", re.IGNORECASE)


def terms(words: str) -> Terms | None:
    """The contest that the words tell, what they leave out as usual; None if something in them means nothing here."""
    text = _digits(words)
    found = Terms()
    kinds = {_MATCH: EventKind.MATCHPOINTS, _SAME: EventKind.SAME_DEALS}
    for pattern, kind in kinds.items():
        if pattern.search(text):
            found, text = Terms(kind=kind, nights=1), pattern.sub(" ", text)
            break
    best = _BEST.search(text)
    if best is not None:
        found, text = replace(found, nights=int(best[1])), _BEST.sub(" ", text, count=1)
    length = _LENGTH.search(text)
    if length is not None:
        lasting = parsing.duration(f"{length[1]}{length[2]}")
        if lasting is None:
            return None
        found, text = replace(found, hours=lasting // _HOUR), _LENGTH.sub(" ", text, count=1)
    for count in _COUNT.finditer(text):
        found = _counted(found, int(count[1]), count[2].lower())
    return None if _NOISE.sub(" ", _COUNT.sub(" ", text)).split() else found


def _counted(found: Terms, number: int, what: str) -> Terms:
    if what == "night":
        return replace(found, nights=number)
    if what == "deal" and found.kind is EventKind.NIGHTS:
        return Terms(kind=EventKind.SAME_DEALS, hands=number, nights=1, hours=found.hours)
    return replace(found, hands=number)


def _digits(words: str) -> str:
    """Digits of any script as plain ones."""
    return "".join(str(int(char)) if char.isdecimal() else char for char in words)
