"""What every view is made of: pictures, keys, the translator, card designs, and words for refusals."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.facts import Design, Tap


class Translator(Protocol):
    """One language. Called with English text; facts fill its {places}."""

    language: str  # catalogue code, such as pt_BR
    rtl: bool

    def __call__(self, text: str, /, **facts: object) -> str: ...

    def n(self, one: str, many: str, count: int, /, **facts: object) -> str:
        """Plural by *count*, which also fills {count}."""
        ...

    def number(self, value: int) -> str: ...

    def decimal(self, value: object, places: int = 2) -> str:
        """A number with *places* decimals and a real minus sign."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a picture is painted on: a language, a card design, the bot's name for links, and the kind of chat."""

    t: Translator
    design: Design = Design.CLASSIC
    bot: str = ""  # username, for deep links
    private: bool = True


class Style(StrEnum):
    """Colours of a key (Bot API 9.4); older apps show none, so a colour never says anything alone."""

    PRIMARY = "primary"
    SUCCESS = "success"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a keyboard: exactly one of tap, url and copy is set."""

    label: str
    tap: Tap | None = None
    url: str = ""
    copy: str = ""  # text to copy, 1 to 256 characters
    style: Style | None = None


Keys = tuple[tuple[Key, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Telegram HTML and keys: the whole content of one message."""

    text: str
    keys: Keys = ()
