"""The README says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer.main

from bot.cli import command_line
from tests import front

ROOT = Path(__file__).parents[2]


def test_the_tables_are_those_of_the_code() -> None:
    assert front.README.read_text() == front.written(front.README.read_text()), "make front"


def test_every_command_of_the_terminal_is_told() -> None:
    pages = (front.README, *(ROOT / "docs").glob("*.md"))
    told = "\n".join(page.read_text() for page in pages)
    names = typer.main.get_group(command_line()).commands
    assert [name for name in names if not re.search(rf"\bq64 {name}\b", told)] == []


def test_a_place_that_is_missing_is_an_error() -> None:
    with pytest.raises(ValueError, match="commands"):
        front.written("<!-- settings -->\n<!-- /settings -->\n")


_SAID = re.compile(r"(?:\b(?:log|_LOG)\.(?:info|warning|error|exception)|level)\(\s*\"(\w+)\"")


def operating() -> str:
    return (ROOT / "docs" / "operating.md").read_text()


def test_the_operators_page_knows_every_event_of_the_log() -> None:
    said = {event for path in (ROOT / "bot").rglob("*.py") for event in _SAID.findall(path.read_text())}
    told = set(re.findall(r"`([a-z_]+)`", operating().partition("## What the log says")[2]))
    assert {"handler_failed", "answer_failed", "ledger_drift"} <= said
    assert said - told == set()
    assert told - said == {"event", "update"}


def test_the_operators_page_knows_every_alarm() -> None:
    alarms = set(re.findall(r"alert: (\w+)", (ROOT / "deploy" / "prometheus-alerts.yml").read_text()))
    assert alarms == set(re.findall(r"`(Q64\w+)`", operating()))


@pytest.mark.parametrize("page", ["operating.md", "security.md"])
def test_a_page_is_short_enough_to_be_read(page: str) -> None:
    assert len((ROOT / "docs" / page).read_text().splitlines()) <= {"operating.md": 125, "security.md": 50}[page]
