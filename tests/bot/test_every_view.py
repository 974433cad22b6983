"""Every view in every shipped language: whole, valid, short enough, isolated, and in that language alone (issue 9)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from functools import cache

import pytest

from bot.facts import Design
from bot.i18n import Catalogues
from bot.options import ZONES
from bot.playground.entities import parse_html, utf16_length
from bot.views.kit import MOST_COLUMNS, TOAST_LENGTH, Translator, View, columns
from tests import catalogues
from tests.bot.gallery import LANGUAGES as LANGUAGES_SHOWN
from tests.bot.gallery import Made, gallery
from tests.bot.scenes import page

LANGUAGES = Catalogues().languages
DESIGNS = (Design.CLASSIC, Design.WORDS)
TEXT_LENGTH = 4096  # Bot API: sendMessage
NARROW = 13  # columns of a label in a row of four keys and more
pytestmark = [
    pytest.mark.xdist_group("every-view"),  # what is rendered once is looked at by all of them
    pytest.mark.timeout(300),
]
UNSEEN = {  # what no table of today's presets brings on show
    (None, "6-Card Bonus, limits"),  # a table with the bonus and other limits is as near to one without it
    (None, "No hand is worth playing here."),
}
PLAIN = re.compile(r"<[^>]*>")
ISOLATE = re.compile("[\u2066\u2068][^\u2066-\u2069]*\u2069")
# What would be torn apart, or change its side, between letters that read from the right.
LOOSE = re.compile(
    r"[+−–-]\s?\d|[♠♥♦♣🍀🔷🎴]|[AKQJ]-|\d-\d|\b[2-9TJQKA][cdhs]\b|\b[0-9a-f]{4} [0-9a-f]{4}\b|\bAnn\b|\bPoker\b"
)


@dataclass(slots=True)
class Hearing:
    """A translator that remembers which texts it was asked for."""

    words: Translator
    asked: set[tuple[str | None, str]] = field(default_factory=set)

    @property
    def language(self) -> str:
        return self.words.language

    @property
    def rtl(self) -> bool:
        return self.words.rtl

    def __call__(self, text: str, /, **facts: object) -> str:
        self.asked.add((None, text))
        return self.words(text, **facts)

    def p(self, context: str, text: str, /, **facts: object) -> str:
        self.asked.add((context, text))
        return self.words.p(context, text, **facts)

    def n(self, one: str, many: str, count: int, /, **facts: object) -> str:
        self.asked.add((None, one))
        return self.words.n(one, many, count, **facts)

    def number(self, value: int) -> str:
        return self.words.number(value)

    def decimal(self, value: object, places: int = 2) -> str:
        return self.words.decimal(value, places)

    def percent(self, share: Fraction, places: int = 2) -> str:
        return self.words.percent(share, places)

    def date(self, at: datetime) -> str:
        return self.words.date(at)

    def moment(self, at: datetime) -> str:
        return self.words.moment(at)

    def month(self, at: datetime) -> str:
        return self.words.month(at)


@dataclass(slots=True)
class Masked(Hearing):
    """A language in which no text has a letter of ours: what can still be read was not translated."""

    def __call__(self, text: str, /, **facts: object) -> str:
        return _masked(text).format_map(facts) if facts else _masked(text)

    def p(self, _context: str, text: str, /, **facts: object) -> str:
        return self(text, **facts)

    def n(self, one: str, many: str, count: int, /, **facts: object) -> str:
        return self(one if count == 1 else many, count=count, **facts)

    def date(self, at: datetime) -> str:
        return f"{at:%d}"

    month = date
    moment = date


def _masked(text: str) -> str:
    """Every letter but those of places, tags and commands becomes another."""
    return re.sub(r"\{\w*\}|<[^>]*>|/\w+|[A-Za-z]", lambda found: found[0] if len(found[0]) > 1 else "ж", text)


@cache
def shown(language: str) -> tuple[tuple[str, Made], ...]:
    """Everything there is in one language."""
    pages = [page(design, language) for design in DESIGNS]
    return tuple((f"{name}, {each.design}", make(each)) for name, make in gallery() for each in pages)


@cache
def messages(language: str) -> tuple[tuple[str, str], ...]:
    """Texts of messages as they are read, without tags; a picture that reads like another is parsed once."""
    texts = {made.text: name for name, made in shown(language) if isinstance(made, View)}
    return tuple((name, parse_html(text)[0]) for text, name in texts.items())


def toasts(language: str) -> Iterator[tuple[str, str]]:
    yield from ((name, made) for name, made in shown(language) if isinstance(made, str))


def labels(language: str, *, narrow: bool = False) -> set[tuple[str, int]]:
    """Labels of keys, each with the number of keys in its row; *narrow*: those that have to be read whole."""
    return {
        (key.label, len(row))
        for name, made in shown(language)
        if isinstance(made, View)
        # a table of the largest numbers is cut at its end; what is all words is heard
        if not narrow or not ("W" * 9 in name or name.endswith(Design.WORDS))
        for row in made.keys
        for key in row
    }


def readable(language: str) -> Iterator[tuple[str, str]]:
    yield from messages(language)
    yield from toasts(language)
    yield from ((label, label) for label, _ in labels(language))


def test_every_text_of_the_views_is_on_show() -> None:
    """What this file shows is all there is: a text that no exhibit asks for would be seen by nobody here."""
    hearing = Hearing(page().t)
    for design in DESIGNS:
        for _, make in gallery():
            make(replace(page(design), t=hearing))

    texts = catalogues.texts()
    wanted = {
        (each.context, each.id if isinstance(each.id, str) else each.id[0])
        for each in texts
        if each.id and any(path.startswith("bot/views/") for path, _ in each.locations)
    }
    assert wanted - hearing.asked == UNSEEN


def test_nothing_is_said_that_no_catalogue_could_translate() -> None:
    known = "<code>.*?</code>|<[^>]*>|https?://\\S+|/[\\w.-]+|\u2068[^\u2069]*\u2069|\\b[0-9a-f]+\\b|q64|UTC|limits.ante|(contest|daily)/|\\([a-z_.0-9\\[\\]]+\\)"
    cities = (zone.rpartition("/")[2].replace("_", " ") for zone in ZONES)
    known = "|".join((*map(re.escape, sorted({*LANGUAGES_SHOWN.values(), *cities}, key=len, reverse=True)), known))
    for design in DESIGNS:
        masked = replace(page(design), t=Masked(page().t))
        for name, make in gallery():
            made = make(masked)
            text = (
                made
                if isinstance(made, str)
                else " ".join((made.text, *(key.label for row in made.keys for key in row)))
            )
            left = re.sub(known, "", text)
            assert re.findall(r"[A-Za-z]{3,}", left) == [], (name, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_f48_every_message_is_valid_html_and_fits(language: str) -> None:
    for name, text in messages(language):
        assert 0 < utf16_length(text) <= TEXT_LENGTH, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_f26_every_toast_and_alert_fits(language: str) -> None:
    for name, text in toasts(language):
        assert utf16_length(text) <= TOAST_LENGTH, (name, text)
        assert not PLAIN.search(text), (name, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_label_is_wider_than_its_key(language: str) -> None:
    wide = {
        (label, count)
        for label, count in labels(language, narrow=True)
        if not 0 < columns(label) <= MOST_COLUMNS.get(count, NARROW)
    }
    assert wide == set()


@pytest.mark.parametrize("language", [code for code in LANGUAGES if page(language=code).t.rtl])
def test_f61_cards_amounts_and_names_are_isolated(language: str) -> None:
    for name, text in readable(language):
        loose = LOOSE.search(ISOLATE.sub("", text))
        assert loose is None, (name, loose, text)


@pytest.mark.parametrize("language", [code for code in LANGUAGES if page(language=code).t.rtl])
def test_f61_every_line_begins_on_the_right(language: str) -> None:
    """By its first letter outside isolates, or by the mark that stands for one, as apps find a line's direction."""
    for name, text in messages(language):
        for line in filter(None, text.split("\n")):
            kinds = map(unicodedata.bidirectional, ISOLATE.sub("", line))
            assert next((kind for kind in kinds if kind in {"L", "R", "AL"}), "none") in {"R", "AL"}, (name, line)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_no_english_is_left_over(language: str) -> None:
    catalogue = catalogues.read(dict(catalogues.languages())[language], language)
    english = {
        str(each.id)
        for each in catalogue
        if isinstance(each.id, str)
        and len(each.id) > 9
        and " " in each.id
        and "{" not in each.id
        and each.string not in {"", each.id}
    }
    everything = "\n".join(text for _, text in readable(language))
    assert {text for text in english if text in everything and re.search(rf"\b{text}\b", everything)} == set()
