"""
Everything that is stored, gone through once: deals replayed, pay-outs and books recomputed, pointers followed.

Reads page by page, so its memory does not grow with the database; changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from bot.services.audit import bests, events, shelves, tables
from bot.services.audit.findings import Finding, Findings
from bot.services.audit.nights import Nights
from bot.services.audit.rounds import BROKEN, books, content, readable, replayed
from bot.storage.inspection import Inspection
from bot.storage.sql import Row
from core.rules import RuleSet

__all__ = ["COUNTED", "Finding", "audit", "audit_round"]

COUNTED: Final = ("people", "chats", "seats", "nights", "rounds", "table_rounds", "movements", "boards")
"""The tables that progress is measured by."""


def audit(look: Inspection, *, step: Callable[[int], None] = lambda _: None) -> Findings:
    """
    All that is wrong; nothing if the database is sound. *step* hears how many rows were looked at.

    Damage that ends the reading is the last finding.
    """
    unreadable: tuple[type[Exception], ...] = (*look.broken, *BROKEN)
    try:
        yield from _all(look, step)
    except unreadable as error:
        said = f"{type(error).__name__}: {error}"
        yield Finding(table="database", id="", column="", right="rows that can be read", found=said)


def _all(look: Inspection, step: Callable[[int], None]) -> Findings:
    rules = partial(_rules, look)
    yield from shelves.damaged(look)
    yield from shelves.rule_set_rows(look)
    shelf: Callable[[Inspection, Sequence[Row]], Findings]
    for table, shelf in (
        ("people", shelves.people),
        ("chats", shelves.chats),
        ("seats", partial(shelves.seats, rules=rules)),
    ):
        yield from _pages(look, table, shelf, step)
    yield from Nights(look=look, rules=rules, step=step).check()
    yield from tables.Tables(look=look, rules=rules, step=step).check()
    yield from _pages(look, "movements", shelves.movements, step)
    yield from _pages(look, "boards", shelves.boards, step)
    yield from _pages(look, "events", events.events, step)
    yield from events.boards(look)
    yield from events.champions(look)
    yield from bests.bests(look)
    for page in look.pages("malfunctions", "round_id"):
        yield from shelves.malfunctions(look, page)
    yield from shelves.sequences(look)


def _pages(
    look: Inspection, table: str, shelf: Callable[[Inspection, Sequence[Row]], Findings], step: Callable[[int], None]
) -> Findings:
    for page in look.pages(table):
        yield from shelf(look, page)
        step(len(page))


def _rules(look: Inspection, rules_id: int) -> RuleSet | None:
    return readable(lambda _: look.tx.rule_sets.get(rules_id), "")


def audit_round(look: Inspection, round_id: int) -> list[Finding] | None:
    """What is wrong with one round, in itself and in its books; None if there is no such round."""
    row = look.round(round_id)
    if row is None:
        return None
    event = look.events_sealed([row["commitment"]]).get(row["commitment"].partition("/")[0])
    round_ = replayed(row, look.by_id("malfunctions", [round_id], "round_id").get(round_id), event)
    lines = look.lines_of_rounds([round_id]).get(round_id, [])
    return [*content(round_, _rules(look, row["rules_id"])), *books(round_, lines)]
