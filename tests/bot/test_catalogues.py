"""Every shipped language is whole and fits: F53 to F58, F61."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from babel.messages.catalog import Message

from bot.i18n import Catalogues, Words, locales_folder, match
from bot.views.kit import capital, labelled, listed, sentence
from tests import catalogues
from tests.bot.scenes import page

SHIPPED = [language for language, _ in catalogues.languages()]
PLACES = re.compile(r"\{(\w*)\}")
TAGS = re.compile(r"</?\w+[^>]*>")
COUNTS = (0, 1, 2, 3, 5, 11, 12, 21, 22, 25, 100, 101, 111)


def messages(language: str) -> Iterable[Message]:
    path = locales_folder() / language / "LC_MESSAGES" / "q64.po"
    return [message for message in catalogues.read(path, language) if message.id]


def forms(message: Message) -> list[tuple[str, str]]:
    """Each translated form beside the English text that it stands for."""
    if isinstance(message.id, str):
        return [(message.id, str(message.string))]
    return [(message.id[-1], form) for form in message.string or ()]


def test_the_template_holds_every_text_of_the_code() -> None:
    template = locales_folder() / catalogues.TEMPLATE

    assert template.read_bytes() == catalogues.written(catalogues.texts()), "run make catalogues"


def test_no_text_of_the_code_is_made_while_it_runs() -> None:
    """A text inside t() is a constant; one that is put together would never be found in a catalogue."""
    for message in catalogues.texts():
        for text in [message.id] if isinstance(message.id, str) else message.id:
            assert text == text.strip()


@pytest.mark.parametrize("language", SHIPPED)
def test_every_text_is_translated(language: str) -> None:
    wanted = {(message.context, message.id) for message in catalogues.texts() if message.id}
    found = {
        (message.context, message.id)
        for message in messages(language)
        if not message.fuzzy and all(form for _, form in forms(message))
    }

    assert found == wanted


@pytest.mark.parametrize("language", SHIPPED)
def test_f56_no_translation_loses_or_invents_a_place(language: str) -> None:
    for message in messages(language):
        for english, translated in forms(message):
            places, given = sorted(PLACES.findall(translated)), sorted(PLACES.findall(english))
            spared = [place for place in given if place != "count"]  # a form for one may say it without the number
            assert places in (given, spared), f"{english!r} -> {translated!r}"
            assert sorted(TAGS.findall(translated)) == sorted(TAGS.findall(english)), translated
            assert "\n" not in translated


@pytest.mark.parametrize("language", SHIPPED)
def test_f55_plural_forms_are_complete(language: str) -> None:
    words = Catalogues().words(language)
    plural = [(message.id, message.string or ()) for message in messages(language) if isinstance(message.id, tuple)]

    assert words.language == language
    assert plural
    for (one, many), translated in plural:
        for count in COUNTS:
            assert 0 <= words.plural(count) < len(translated), f"{one!r} has no form for {count}"
            facts = dict.fromkeys(PLACES.findall(one + many), "x")
            assert words.n(one, many, count, **{**facts, "count": str(count)})


@pytest.mark.parametrize(
    "tag, expected",
    [
        pytest.param("pt-br", "pt_BR", id="region"),
        pytest.param("PT-BR", "pt_BR", id="case"),
        pytest.param("pt", "pt_BR", id="the language alone finds its region"),
        pytest.param("zh-hans", "zh_Hans", id="script"),
        pytest.param("zh-cn", "zh_Hans", id="mainland is simplified"),
        pytest.param("zh-hant-tw", "", id="traditional is not served simplified"),
        pytest.param("es-419", "es", id="a region falls to its language"),
        pytest.param("hi-IN", "hi", id="Hindi of India"),
        pytest.param("ja-JP", "ja", id="Japanese of Japan"),
        pytest.param("en-GB", "en", id="English"),
        pytest.param("nb", "", id="none"),
        pytest.param("", "", id="absent"),
        pytest.param("../../etc", "", id="nonsense"),
    ],
)
def test_f53_region_and_script_codes(tag: str, expected: str) -> None:
    assert match(tag, ("en", "es", "hi", "ja", "pt_BR", "zh_Hans")) == expected


def test_a_damaged_catalogue_falls_back_to_english_for_itself_alone(tmp_path: Path) -> None:
    good, bad = (tmp_path / code / "LC_MESSAGES" for code in ("de", "fr"))
    for folder in (good, bad):
        folder.mkdir(parents=True)
    (good / "q64.po").write_text(
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "Fold"\nmsgstr "Passen"\n', "utf-8"
    )
    (bad / "q64.po").write_bytes(b'msgid "Fold\nmsgstr \xff')
    both = Catalogues(tmp_path)

    assert both.words("de")("Fold") == "Passen"
    assert both.words("fr")("Fold") == "Fold"


@pytest.mark.parametrize(
    "language, text, capitalised",
    [
        pytest.param("tr", "iki kart", "İki kart", id="Turkish keeps the dot of its i"),
        pytest.param("tr", "ılık", "Ilık", id="and has an i without one"),
        pytest.param("de", "ihre karten", "Ihre karten", id="elsewhere an i is an I"),
        pytest.param("ja", "フラッシュ", "フラッシュ", id="a script without capitals"),
        pytest.param("en", "", "", id="nothing"),
    ],
)
def test_a_capital_is_that_of_the_language(language: str, text: str, capitalised: str) -> None:
    assert capital(text, page(language=language)) == capitalised


@pytest.mark.parametrize(
    "language, listed_, told",
    [
        pytest.param("en", "a, b", "c.", id="English"),
        pytest.param("ar", "a، b", "c.", id="Arabic comma"),
        pytest.param("ja", "a、b", "c。", id="Japanese comma and full stop"),
        pytest.param("hi", "a, b", "c।", id="Hindi full stop"),
    ],
)
def test_punctuation_is_the_languages_own(language: str, listed_: str, told: str) -> None:
    there = page(language=language)

    assert listed(("a", "b"), there) == listed_
    assert sentence("c", there) == told
    assert sentence(told, there) == told
    assert labelled("a", "b", page(language="fr")) == "a\N{NO-BREAK SPACE}: b"


def test_moments_are_written_as_the_language_does() -> None:
    evening = datetime(2026, 11, 30, 21, 5, tzinfo=ZoneInfo("Europe/Kyiv"))
    told = {language: page(language=language).t.moment(evening) for language in ("en", "de", "ja", "ar")}

    assert told == {
        "en": "Nov 30, 21:05 (Kyiv)",
        "de": "30. Nov., 21:05 (Kyiv)",
        "ja": "11月30日 21:05 (Kyiv)",
        "ar": "30 نوفمبر، 21:05 (\u2068Kyiv\u2069)",
    }


@pytest.mark.parametrize(
    "language, told",
    [
        ("en", "3.3730\u00a0%"),
        ("de", "3,3730\u00a0%"),
        ("ja", "3.3730%"),
        ("pt_BR", "3,3730%"),
        ("tr", "%3,3730"),
    ],
)
def test_a_percentage_is_the_languages_own_and_never_parted_by_a_new_line(language: str, told: str) -> None:
    assert page(language=language).t.percent(Fraction(33730, 10**6), 4) == told


def test_a_text_that_is_said_of_two_things_has_two_translations(tmp_path: Path) -> None:
    """The key Play is a verb, the bet Play a noun: gettext keeps them apart by their context."""
    folder = tmp_path / "pl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "q64.po").write_text(
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgid "Play"\nmsgstr "Graj"\n\nmsgctxt "bet"\nmsgid "Play"\nmsgstr "Gra"\n',
        "utf-8",
    )
    words = Catalogues(tmp_path).words("pl")

    assert (words("Play"), words.p("bet", "Play"), words.p("key", "Play")) == ("Graj", "Gra", "Play")
    assert {message.context for message in catalogues.texts() if message.id == "Play"} == {None, "bet"}


def test_f56_a_broken_place_falls_back_to_english_at_run_time() -> None:
    english = Catalogues().words("en")
    broken = Words(language="xx", locale=english.locale, messages={"Deal {chips}": "Geben {chip}"})

    assert broken("Deal {chips}", chips=30) == "Deal 30"
