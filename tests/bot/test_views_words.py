"""Every refusal that can reach people is one sentence, in toasts and in notes on a board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime

import pytest

from bot import refusals
from bot.facts import Design
from bot.refusals import Refusal, from_note, noted
from bot.views.kit import TOAST_LENGTH, length
from bot.views.words import explain
from core import errors
from core.betting import Wager
from core.errors import Reason, RuleError
from core.rules import MOST_CHIPS, PRESETS, SELMINHA
from tests.bot.scenes import page

# They never reach people: `q64 settle`, `q64 verify` and a table's JSON name them in their own words.
NEVER_SAID = {
    errors.UnknownRuleSet,
    errors.TooFewCards,
    errors.NotATranscript,
    errors.NotARound,
    errors.UnknownKey,
    errors.UnknownDecision,
}
BOOKS = "The books cannot be written"
LONG_NAME = "W" * 4096
_FACTS: dict[str, object] = {
    "int": MOST_CHIPS,
    "str": LONG_NAME,
    "object": LONG_NAME,
    "Reason": Reason.NOT_A_LIST,
    "Wager": Wager(ante=MOST_CHIPS, pair_plus=MOST_CHIPS, six_card=MOST_CHIPS),
    "datetime": datetime(2026, 11, 30, 12, tzinfo=UTC),
}


def kinds(base: type[Exception]) -> Iterator[type[Exception]]:
    for kind in base.__subclasses__():
        yield kind
        yield from kinds(kind)


def made(kind: type[Exception]) -> Exception:
    """A refusal with the largest facts; a spot is the one with the longest name."""
    facts = []
    for field in fields(kind):  # type: ignore[arg-type]
        spelled = field.type if isinstance(field.type, str) else field.type.__name__
        facts.append("six_card" if field.name == "spot" else _FACTS[spelled])
    return kind(*facts)


SAID = sorted(
    (kind for base in (RuleError, Refusal) for kind in kinds(base) if kind not in NEVER_SAID),
    key=lambda kind: (kind.__module__, kind.__name__),
)


def test_the_enumeration_sees_both_rooms() -> None:
    assert {errors.NotSeated, refusals.NotSeated, refusals.PictureTooSoon} <= {*SAID}
    assert all(issubclass(kind, RuleError) for kind in NEVER_SAID)


@pytest.mark.parametrize("kind", SAID, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
@pytest.mark.parametrize("design", [Design.CLASSIC, Design.WORDS])
def test_f26_every_refusal_is_a_sentence_that_fits_a_toast(kind: type[Exception], design: Design) -> None:
    text = explain(made(kind), page(design))

    assert BOOKS not in text
    assert text[-1] in (":" if kind is refusals.NoSuchTable else ".!?")  # that one stands above the list of tables
    assert length(text) <= TOAST_LENGTH
    assert "{" not in text


# But a changed bet: only a key can name another wager, a typed word names the stored one.
@pytest.mark.parametrize("kind", [kind for kind in SAID if kind is not refusals.BetChanged])
def test_boards_rule_6_a_refusal_survives_as_a_note_on_a_board(kind: type[Exception]) -> None:
    refusal = made(kind)

    kept = from_note(noted(refusal))

    assert kept is not None
    if kind is not errors.NotSeated:  # of the two, a solo board means its own
        assert type(kept) is kind
        assert explain(kept, page()) == explain(refusal, page())


@pytest.mark.parametrize(
    "refusal, said",
    [
        pytest.param(errors.BetTooSmall("pair_plus", 1, 5), "Bonus begins at 5.", id="too small"),
        pytest.param(errors.BetTooLarge("pair_plus", 125, 100), "Bonus ends at 100. Tap Max for the most.", id="large"),
        pytest.param(errors.NotAMultiple("pair_plus", 7, 5), "Bonus goes in steps of 5.", id="steps"),
        pytest.param(errors.NoBet("pair_plus"), "There is nothing on Bonus.", id="nothing there"),
        pytest.param(errors.TooManyBets(3, 2), "Say it like /deal 25 5: the Ante, then Bonus.", id="too many"),
        pytest.param(
            refusals.BetChanged(Wager(ante=25, pair_plus=5)),
            "Your bet is now Ante 25, Bonus 5. Tap Deal again.",
            id="bet",
        ),
    ],
)
def test_cal_a_refusal_names_the_spot_as_the_table_does(refusal: Exception, said: str) -> None:
    """CAL: the spots are Ante, Play and Bonus; Pair Plus is on no cloth there."""
    assert explain(refusal, replace(page(), rules=PRESETS["california"])) == said
    assert explain(refusal, replace(page(), rules=PRESETS["selminha"])) == said.replace("Bonus", "Pair Plus")


def test_a_table_without_pair_plus_does_not_ask_for_it() -> None:
    bare = replace(SELMINHA, name="bare", pair_plus=None)
    assert explain(errors.TooManyBets(3, 1), replace(page(), rules=bare)) == "Say it like /deal 25: the Ante."


def test_a_note_of_another_release_is_left_out() -> None:
    assert from_note("") is None
    assert from_note('["NoSuchRefusalAnyMore"]') is None
    assert from_note('["BetTooSmall", "ante"]') is None


def test_what_no_sentence_knows_is_said_as_the_books() -> None:
    assert explain(errors.NotARound("seats"), page()).startswith(BOOKS)
