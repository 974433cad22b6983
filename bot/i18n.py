"""Languages: gettext catalogues read with Babel, one translator per language, and whose language counts."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import structlog
from babel import Locale
from babel.dates import format_skeleton
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

SOURCE = "en"
_MINUS = "−"
_LOG = structlog.get_logger(__name__)


def locales_folder() -> Path:
    """Where the catalogues are: inside the installed package, else beside it in a checkout."""
    inside = Path(__file__).parent / "locales"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "locales"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One language. Called with English text; facts fill its {places}; a damaged translation falls back to English."""

    language: str
    locale: Locale
    messages: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict, repr=False)
    plural: Callable[[int], int] = field(default=lambda count: int(count != 1), repr=False)
    rtl: bool = field(init=False)  # asked for many times a picture, and Babel counts letters to know

    def __post_init__(self) -> None:
        object.__setattr__(self, "rtl", self.locale.text_direction == "rtl")

    def __call__(self, text: str, /, **facts: object) -> str:
        translated = self.messages.get(text)
        return _filled(translated if isinstance(translated, str) and translated else text, text, facts)

    def p(self, context: str, text: str, /, **facts: object) -> str:
        """A text that reads alike in English and differs elsewhere: *context* is what it is said of."""
        translated = self.messages.get(_keyed(text, context))
        return _filled(translated if isinstance(translated, str) and translated else text, text, facts)

    def n(self, one: str, many: str, count: int, /, **facts: object) -> str:
        """Plural by *count*, which also fills {count}."""
        facts = {"count": self.number(count), **facts}
        english = one if count == 1 else many
        forms = self.messages.get(one)
        index = self.plural(abs(count))
        whole = isinstance(forms, tuple) and index < len(forms) and forms[index]
        return _filled(forms[index] if whole and isinstance(forms, tuple) else english, english, facts)

    def number(self, value: int) -> str:
        """A whole number, grouped as the language does, with a real minus sign."""
        if -1000 < value < 1000:
            return str(value).replace("-", _MINUS)
        grouped = format_decimal(abs(value), locale=self.locale, numbering_system="latn")
        return (_MINUS if value < 0 else "") + grouped

    def decimal(self, value: object, places: int = 2) -> str:
        """A number with *places* decimals, rounded half up, with a real minus sign."""
        exact = Fraction(value) if isinstance(value, int | Fraction | float) else Fraction(str(value))
        rounded = (Decimal(exact.numerator) / exact.denominator).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
        pattern = "#,##0." + "0" * places if places else "#,##0"
        text = format_decimal(abs(rounded), pattern, locale=self.locale, numbering_system="latn")
        return (_MINUS if rounded < 0 else "") + text

    def percent(self, share: Fraction, places: int = 2) -> str:
        """A share of 1 in percent with *places* decimals, its sign where the language puts it, on the same line."""
        figure = self.decimal(share * 100, places)
        if self.language == SOURCE:
            return f"{figure}\u00a0%"  # as BOARDS writes it
        usual = self.locale.percent_formats[None]
        return f"{usual.prefix[0]}{figure}{usual.suffix[0]}"

    def date(self, at: datetime) -> str:
        """Day and month, by its own clock."""
        return format_skeleton("MMMd", at, locale=self.locale)

    def moment(self, at: datetime) -> str:
        """Day, time and place of a moment, by its own clock: "Dec 7, 14:05 (Kyiv)"."""
        place = getattr(at.tzinfo, "key", "UTC").rpartition("/")[2].replace("_", " ")
        when = str(self.locale.datetime_formats["medium"]).format(f"{at:%H:%M}", self.date(at))
        return f"{when} (\u2068{place}\u2069)" if self.rtl else f"{when} ({place})"

    def month(self, at: datetime) -> str:
        """Month and year: "Nov 2026"."""
        return format_skeleton("yMMM", at, locale=self.locale)


def _keyed(text: str, context: str | None) -> str:
    """Where a text stands among the messages; parted as gettext's own files part the two."""
    return f"{context}\x04{text}" if context else text


def _filled(text: str, english: str, facts: Mapping[str, object]) -> str:
    if not facts:
        return text
    try:
        return text.format_map(facts)
    except (KeyError, IndexError, ValueError, AttributeError):
        _LOG.warning("translation_unusable", english=english)
        return english.format_map(facts)


class Catalogues:
    """All shipped languages; each is read when first asked for."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or locales_folder()
        self.languages: tuple[str, ...] = (
            SOURCE,
            *sorted(path.parent.parent.name for path in self._folder.glob("*/LC_MESSAGES/q64.po")),
        )
        self._read: dict[str, Words] = {}

    def words(self, language: str) -> Words:
        """The translator for a code of `languages`; English for any other."""
        if language not in self._read:
            self._read[language] = self._load(language)
        return self._read[language]

    def chosen(self, *wishes: str) -> Words:
        """The first wish that a catalogue meets: a person's choice, the group's, the app's tag; then English."""
        for wish in wishes:
            code = match(wish, self.languages)
            if code:
                return self.words(code)
        return self.words(SOURCE)

    def _load(self, language: str) -> Words:
        if language == SOURCE or language not in self.languages:
            return Words(language=SOURCE, locale=Locale(SOURCE))
        try:
            with (self._folder / language / "LC_MESSAGES" / "q64.po").open("rb") as file:
                catalogue = read_po(file, locale=language, abort_invalid=True)
            locale = Locale.parse(language)
            messages = _messages(message for message in catalogue if not message.fuzzy)
            return Words(
                language=language,
                locale=locale,
                messages=_isolated(messages) if locale.text_direction == "rtl" else messages,
                plural=gettext.c2py(catalogue.plural_expr),
            )
        except Exception:  # noqa: BLE001 - whatever is wrong with a file, English is there
            _LOG.exception("catalogue_damaged", language=language)
            return Words(language=SOURCE, locale=Locale(SOURCE))


def _messages(entries: Iterable[Message]) -> dict[str, str | tuple[str, ...]]:
    messages: dict[str, str | tuple[str, ...]] = {}
    for entry in entries:
        source, translated = entry.id, entry.string
        if not source or not translated:
            continue
        if isinstance(source, str):
            messages[_keyed(source, entry.context)] = str(translated)
        elif isinstance(source, tuple) and isinstance(translated, tuple):
            messages[str(source[0])] = tuple(map(str, translated))
    return messages


# Latin words and figures in a row, such as "/break 7d", "Q-6-4" or "Qh 6c 4d"; what is isolated already stays as it is.
_LATIN = re.compile(r"\u2066[^\u2069]*\u2069|<[^>]*>|\{\w*\}|/?\b[A-Za-z0-9]+(?:[ :./_-]+[A-Za-z0-9]+)+\b|/[A-Za-z]+")


def _isolated(messages: Mapping[str, str | tuple[str, ...]]) -> dict[str, str | tuple[str, ...]]:
    """Examples of what can be typed would be torn apart between letters that read from the right (F61)."""
    return {
        source: _islands(told) if isinstance(told, str) else tuple(map(_islands, told))
        for source, told in messages.items()
    }


def _islands(text: str) -> str:
    return _LATIN.sub(lambda run: run[0] if run[0][0] in "\u2066<{" else f"\u2066{run[0]}\u2069", text)


@cache
def own_name(language: str) -> str:
    """A language's name in itself and its own script, as in "русский" or "português (Brasil)"."""
    return str(Locale.parse(language, sep="-" if "-" in language else "_").get_display_name() or language)


_CHINESE_SIMPLIFIED = {"zh", "zh-cn", "zh-sg", "zh-hans", "zh-my"}


@cache
def match(tag: str, languages: tuple[str, ...]) -> str:
    """
    The catalogue for an IETF tag, without regard to case: exact, then language and script or region, then the
    language alone; empty if there is none. Traditional Chinese is not served simplified.
    """
    wish = tag.strip().lower().replace("_", "-")
    by_tag = {code.lower().replace("_", "-"): code for code in languages}
    if not wish:
        return ""
    if wish in by_tag:
        return by_tag[wish]
    first, *rest = wish.split("-")
    if first == "zh":
        simplified = wish in _CHINESE_SIMPLIFIED or rest[:1] == ["hans"]
        return by_tag.get("zh-hans", "") if simplified else ""
    while rest:
        rest.pop()
        shorter = "-".join((first, *rest))
        if shorter in by_tag:
            return by_tag[shorter]
    return next((code for tag_, code in by_tag.items() if tag_.split("-")[0] == first), "")
