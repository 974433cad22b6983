"""What every view is made of: pictures, keys, the translator, names and numbers."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

import regex

from bot.facts import Design, Tap
from core.rules import RuleSet

NAME_LENGTH = 20  # visible characters
MOST_COLUMNS = {1: 52, 2: 28, 3: 20}  # of a label on a phone of 360 pixels, by the keys of its row
_NARROW = 13  # columns, where there are more keys
_WITHOUT_WIDTH = frozenset({"Mn", "Me", "Cf"})
TOAST_LENGTH = 200  # Bot API: answerCallbackQuery
_MARKS_PER_LETTER = 3
_KEPT = "\u200c\u200d"  # joiners: families of emoji, Persian and Hindi names
_BLANK = "\u200c\u200d\u2800\u3164\ufe0f "  # letters that show nothing
_MINUS = "−"
_DOTTED = {"tr", "az"}  # ı and i are two letters, each with its own capital
_TAG = regex.compile(r"<[^>]*>")
_TAGS_FIRST = regex.compile(r"(?:<[^>]*>)+")
_ISOLATE = regex.compile("[\u2066\u2068][^\u2066-\u2069]*\u2069")
_RIGHTWARD = regex.compile("[\u0590-\u08ff]")  # letters of Hebrew, Arabic and Persian


def _(text: str) -> str:
    """Mark a text for the catalogue where it is only stored, to be translated when it is shown."""
    return text


class Translator(Protocol):
    """One language. Called with English text; facts fill its {places}."""

    @property
    def language(self) -> str:
        """The catalogue's code, such as pt_BR."""
        ...

    @property
    def rtl(self) -> bool: ...

    def __call__(self, text: str, /, **facts: object) -> str: ...

    def p(self, context: str, text: str, /, **facts: object) -> str:
        """A text that reads alike in English and differs elsewhere: *context* is what it is said of."""
        ...

    def n(self, one: str, many: str, count: int, /, **facts: object) -> str:
        """Plural by *count*, which also fills {count}."""
        ...

    def number(self, value: int) -> str: ...

    def decimal(self, value: object, places: int = 2) -> str:
        """A number with *places* decimals and a real minus sign."""
        ...

    def percent(self, share: Fraction, places: int = 2) -> str:
        """A share of 1 in percent with *places* decimals; numbers and sign stay on one line."""
        ...

    def date(self, at: datetime) -> str: ...

    def moment(self, at: datetime) -> str:
        """Day, time and place of a moment, by its own clock."""
        ...

    def month(self, at: datetime) -> str:
        """Month and year."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a picture is painted on: a language, a card design, the bot's name for links, and the kind of chat."""

    t: Translator
    design: Design = Design.CLASSIC
    bot: str = ""  # username, for deep links
    private: bool = True
    rules: RuleSet | None = None  # of the table that a sentence is about

    @property
    def words(self) -> bool:
        """Whether everything is to be said in words (for screen readers)."""
        return self.design is Design.WORDS

    @property
    def dot(self) -> str:
        """What stands between the parts of a line: a sign for the eye, a comma for the ear."""
        return self.comma if self.words else " · "

    @property
    def comma(self) -> str:
        """What the language puts between the parts of a list, with its space: ", ", "، " or "、"."""
        return self.t("{first}, {second}", first="", second="")


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


def rows(page: Page, *lines: tuple[Key, ...]) -> Keys:
    """The keyboard: empty rows left out, each row from the reader's starting side."""
    return tuple(line[::-1] if page.t.rtl else line for line in lines if line)


def fitted(*lines: tuple[Key, ...]) -> Keys:
    """
    Rows of choices whose labels can be read on a phone: where one is too wide, its row is halved.

    Not for boards of the game: there a key keeps its place, whatever it says (BOARDS rule 3).
    """
    kept: list[tuple[Key, ...]] = []
    for line in lines:
        if len(line) < 2 or max(columns(key.label) for key in line) <= MOST_COLUMNS.get(len(line), _NARROW):
            kept.append(line)
        else:
            half = (len(line) + 1) // 2
            kept += fitted(line[:half], line[half:])
    return tuple(kept)


def columns(label: str) -> int:
    """About how wide a text is: wide letters and emoji take two columns, marks and isolates none."""
    return sum(
        2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in label
        if unicodedata.category(char) not in _WITHOUT_WIDTH
    )


GAP = "\n"  # an empty line between the parts of a board


def text_of(*lines: str) -> str:
    """The lines of a board: what is empty is left out; a gap stands only between lines, and never twice."""
    kept: list[str] = []
    for line in filter(None, lines):
        if line != GAP or (kept and kept[-1] != GAP):
            kept.append(line)
    return directed("\n".join("" if line == GAP else line for line in kept).rstrip("\n"))


def directed(text: str) -> str:
    """
    The text as it is, or, where it reads from the right, with a mark on every line that would not begin there.

    An app finds the direction of a line by its first letter, isolates aside: a line of names and amounts has none, and
    would stand on the wrong side (F61).
    """
    if not _RIGHTWARD.search(text) or not _RIGHTWARD.search(_ISOLATE.sub("", text)):
        return text
    return "\n".join(_marked(line) for line in text.split("\n"))


def _marked(line: str) -> str:
    seen = _ISOLATE.sub("", _TAG.sub("", line))
    strong = next((kind for kind in map(unicodedata.bidirectional, seen) if kind in {"L", "R", "AL"}), "")
    if strong in {"R", "AL"} or not line:
        return line
    tags = _TAGS_FIRST.match(line)
    begins = tags.end() if tags else 0
    return f"{line[:begins]}\u200f{line[begins:]}"


_ENDED = ".!?:…。！？।؟"  # how sentences end in the scripts we may meet


def board_text(page: Page, *lines: str) -> str:
    """text_of() for a board: in the words design every line is a sentence, so that a screen reader pauses."""
    if not page.words:
        return text_of(*lines)
    told = (part for line in lines if line for part in (line.split("\n") if line != GAP else (GAP,)))
    return text_of(*(sentence(part, page) or GAP for part in told))


def sentence(line: str, page: Page) -> str:
    """The line with its full stop, as the language writes it."""
    seen = _TAG.sub("", line).rstrip(" \n)\u2069")
    return line if not seen or seen[-1] in _ENDED else page.t("{sentence}.", sentence=line)


def listed(parts: Iterable[str], page: Page) -> str:
    """The parts as a list, with the language's own comma."""
    return page.comma.join(parts)


def labelled(label: str, value: str, page: Page) -> str:
    """A label and what it says, with the colon as the language sets it."""
    return page.t("{setting}: {value}", setting=label, value=value)


def ltr(text: str, page: Page) -> str:
    """A hand or a signed number as one left-to-right island in right-to-left text (F61)."""
    return f"\u2066{text}\u2069" if page.t.rtl else text


def chips(value: int, page: Page) -> str:
    """An amount of chips, grouped as the language does, as one left-to-right island."""
    return ltr(page.t.number(value), page)


def signed(value: int, page: Page) -> str:
    """A won or lost amount: "+20", "−30", and "0" for nothing; in words for screen readers."""
    number = page.t.number(abs(value))
    if page.words and value:
        return page.t("plus {number}", number=number) if value > 0 else page.t("minus {number}", number=number)
    return ltr(("+" if value > 0 else _MINUS if value < 0 else "") + number, page)


def capital(text: str, page: Page) -> str:
    """The text with a capital at its start; a dotted i keeps its dot where the language has two kinds of i."""
    if text.startswith("i") and page.t.language.partition("_")[0] in _DOTTED:
        return f"İ{text[1:]}"
    return text[:1].upper() + text[1:]


def deep_link(page: Page, payload: str) -> str:
    """A link that opens the bot's private chat and presses Start with *payload* (64 characters at most)."""
    return f"https://t.me/{page.bot}?start={payload}"


def short_seal(commitment: str) -> str:
    """The seal for the eye: sixteen digits in fours that stay on one line; the link behind it carries all 64."""
    return "\u00a0".join(commitment[start : start + 4] for start in range(0, 16, 4))


def seal(commitment: str, page: Page) -> str:
    """The seal of a hand to come or in play, with the whole commitment in its link (BOARDS rule 9)."""
    lock = page.t("Seal") if page.words else "🔒"
    link = f'<a href="{deep_link(page, commitment)}">{short_seal(commitment)}</a>'
    return f"{lock} {ltr(link, page)}"


def name_html(raw: str, page: Page, who: int = 0) -> str:
    """A person's name for message text: cut, isolated, escaped once (F43 to F47)."""
    return html.escape(plain_name(raw, page, who), quote=False)


def plain_name(raw: str, page: Page, who: int = 0) -> str:
    """
    A person's name for toasts and key labels: cut and isolated, not escaped.

    *who* is the number by which nameless people are told apart where several may stand: of the person, or of the seat.
    """
    return f"\u2068{_visible(raw) or _someone(page, who)}\u2069"


def title_html(raw: str) -> str:
    """A group's title for message text: whole, without what would turn the line around (F46), escaped once."""
    return f"\u2068{html.escape(''.join(_letters(raw)), quote=False)}\u2069"


def _someone(page: Page, who: int) -> str:
    """Nobody's name, with a short tag that stays the same and tells nothing (F43)."""
    return f"{page.t('someone')} #{1000 + abs(who) % 9000}" if who else page.t("someone")


@lru_cache(maxsize=4096)
def _visible(raw: str) -> str:
    """The name, cut by what people see as characters."""
    letters = _letters(raw)
    if len(letters) <= NAME_LENGTH:
        return "".join(letters)
    return "".join(letters[: NAME_LENGTH - 1]).rstrip() + "…"


def _letters(raw: str) -> list[str]:
    """What people see as characters, without controls and overrides, few marks each; none where all are blank."""
    spoken = "".join(" " if char.isspace() else char for char in unicodedata.normalize("NFC", raw) if _seen(char))
    letters = [_with_few_marks(letter) for letter in regex.findall(r"\X", " ".join(spoken.split()))]
    return letters if any(letter.strip(_BLANK) for letter in letters) else []


def _seen(char: str) -> bool:
    """Whether a character may stand in a name: no controls, overrides or unassigned ones; the emoji joiner may."""
    return char in _KEPT or char.isspace() or unicodedata.category(char)[0] != "C"


def _with_few_marks(letter: str) -> str:
    return letter[:1] + "".join(
        char
        for place, char in enumerate(letter[1:])
        if place < _MARKS_PER_LETTER or unicodedata.category(char) not in {"Mn", "Me"}
    )


def toast(*parts: str) -> str:
    """
    The parts as one toast or alert within what Telegram shows (200 characters).

    What matters least comes last: whole sentences are left out from the end before anything is cut (F26).
    """
    kept = [part for part in parts if part]
    while len(kept) > 1 and length(" ".join(kept)) > TOAST_LENGTH:
        kept.pop()
    text = " ".join(kept)
    if length(text) <= TOAST_LENGTH:
        return text
    cut = text
    while length(cut) > TOAST_LENGTH - 1:
        cut = cut[:-1]
    return cut.rstrip() + "…"


def length(text: str) -> int:
    """Characters as Telegram counts them: UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2
