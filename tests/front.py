"""
The README's tables, made from the code: python -m tests.front writes them anew, tests/bot/test_front.py compares.

A table stands between <!-- NAME --> and <!-- /NAME -->.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import SecretStr

from bot.settings import Settings
from bot.views.people import COMMANDS

README = Path(__file__).parents[1] / "README.md"


def settings() -> Iterator[str]:
    """Every variable, what it is, and what it is without."""
    yield "| variable | what it is | default |"
    yield "|---|---|---|"
    for name, field in Settings.model_fields.items():
        usual = field.default
        shown = "" if isinstance(usual, SecretStr) or not usual else f"`{usual}`"
        yield f"| `{name.upper()}` | {field.description} | {shown} |".replace("|  |", "| |")


def commands() -> Iterator[str]:
    """Every command that can be typed in a chat."""
    yield "| in a chat | what it does |"
    yield "|---|---|"
    for name, text in COMMANDS.items():
        yield f"| `/{name}` | {text} |"


def written(page: str) -> str:
    """The page with its tables as they should be."""
    tables: Mapping[str, Iterator[str]] = {"settings": settings(), "commands": commands()}
    for name, lines in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
        table = begin + "".join(f"{line}\n" for line in lines) + end
        page, found = pattern.subn(lambda _, table=table: table, page)  # type: ignore[misc]
        if found != 1:
            raise ValueError(f"{name}: its place is there {found} times")
    return page


if __name__ == "__main__":
    README.write_text(written(README.read_text()))
