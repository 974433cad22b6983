"""What a process remembers has an end, however many people and groups there are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.painter import pictures
from bot.painter.pictures import Album
from bot.storage import Store, Tx, rule_sets
from core.rules import SELMINHA, RuleSet
from tests.bot.databases import database, store

__all__ = ["database", "store"]


def own_table(number: int) -> RuleSet:
    return replace(SELMINHA, name=f"table {number}")


async def test_rule_sets_of_many_groups(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_sets, "_REMEMBERED", 4)

    def many(tx: Tx) -> tuple[list[RuleSet], int]:
        ids = [tx.rule_sets.put(own_table(number)) for number in range(20)]
        found = [tx.rule_sets.get(id_) for id_ in ids]
        return found, max(len(tx.rule_sets._decoded), len(tx.rule_sets._encoded))

    found, remembered = await store.run(many)

    assert found == [own_table(number) for number in range(20)]
    assert remembered <= 4


def test_boards_of_many_people() -> None:
    album = Album()
    for board in range(3 * pictures._REMEMBERED):
        album.of(board)

    assert len(album._states) == pictures._REMEMBERED
