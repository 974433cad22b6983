"""
Payloads and commands that no key of ours and no careful person makes (F32 to F34, F68, F78).

Two hundred thousand are read, and 32,000 of their kind go through intake and dispatch on a real store. `Q64_SEED`
replays a failure; `Q64_FUZZ=4` tries four times as many, so more than a hundred thousand all the way through.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.facts import BadTap, Tap
from bot.handlers import parsing
from bot.services.audit import audit
from bot.storage import Tx
from bot.storage.inspection import inspecting
from tests.bot.fuzzing import GROUPS, PEOPLE, STRANGERS, Hall, batches, mutated, open_hall, said

SEED = int(os.environ.get("Q64_SEED", "64"))
TIMES = int(os.environ.get("Q64_FUZZ", "1"))

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240 * TIMES)]


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    begun = await open_hall(tmp_path, SEED)
    try:
        with capture_logs() as log:
            yield begun
        print(f"\nQ64_SEED={SEED}: {dict(begun.tally)}")
        bad = [line for line in log if line["log_level"] in {"warning", "error", "critical"}]
        assert bad == [], bad[:3]
        await begun.books_close()
    finally:
        await begun.close()
    with inspecting(begun.file) as look:
        assert [str(finding) for finding in audit(look)] == []


async def everybody_sits(hall: Hall) -> None:
    for chat in (*GROUPS, None):
        await hall.takes([hall.words(who, chat or who, "/deal 10 5") for who in PEOPLE])
    await hall.takes([hall.words(PEOPLE[4], GROUPS[0], "/contest"), hall.words(PEOPLE[4], GROUPS[1], "/daily")])
    starts = [key for key in hall.painter.keys if key[2].startswith("1:ks:")]
    for _ in range(20):  # until Telegram says that it is an admin
        await hall.takes([hall.tap(PEOPLE[4], *key) for key in starts])
    await hall.takes([hall.words(PEOPLE[0], GROUPS[0], "/table"), hall.words(PEOPLE[1], GROUPS[1], "/settings")])
    await hall.takes([hall.words(PEOPLE[2], GROUPS[1], "/rules"), hall.words(PEOPLE[3], PEOPLE[3], "/settings")])


def chosen(hall: Hall) -> tuple[int, int, str]:
    """A payload that was once under a message, from there or from elsewhere, whole or not."""
    chance = hall.chance
    chat, message, payload = chance.choice(hall.painter.keys)
    if chance.random() < 0.15:
        chat = chance.choice((*GROUPS, *PEOPLE))
    if chance.random() < 0.15:
        message = max(1, message + chance.randint(-5, 0))
    if chance.random() < 0.6:
        payload = mutated(payload, chance)
    return chat, message, payload


async def test_f33_f34_every_tap_is_answered_once_and_no_chip_is_lost(hall: Hall) -> None:
    await everybody_sits(hall)
    for number, size in enumerate(batches(16_000 * TIMES)):
        taps = []
        for _ in range(size):
            chat, message, payload = chosen(hall)
            who = chat if chat > 0 else hall.chance.choice(PEOPLE)  # in a private chat is nobody else
            taps.append(hall.tap(who, chat, message, payload))
        if number % 8 == 0:
            taps += [hall.words(who, hall.chance.choice((who, *GROUPS)), "/deal 10 5") for who in PEOPLE]
        await hall.takes(taps)
        if number % 100 == 0:
            await hall.books_close()


async def test_f30_f33_strangers_change_nothing_that_is_others(hall: Hall) -> None:
    await everybody_sits(hall)
    for who in PEOPLE[:5]:  # some hands are in play
        await hall.takes([hall.words(who, chat, "deal") for chat in (who,)])
    before, keys = await owned(hall), [*hall.painter.keys]
    for size in batches(8_000 * TIMES):
        hall.painter.keys[:] = keys
        taps = []
        for _ in range(size):
            chat, message, payload = chosen(hall)
            who = hall.chance.choice(STRANGERS)
            taps.append(hall.tap(who, chat if chat < 0 else who, message, payload))
        await hall.takes(taps)
    assert await owned(hall) == before
    living = await hall.store.read(lambda tx: {(row["chat_id"], row["message_id"]) for row in tx.rows(_LIVING)})
    assert living & set(hall.painter.written_over) == set()


_LIVING = """
SELECT chat_id, message_id FROM boards WHERE retired = 0
UNION SELECT chat_id, message_id FROM tables WHERE ended IS NULL
UNION SELECT chat_id, message_id FROM event_boards
"""


async def owned(hall: Hall) -> list[Any]:
    """Everything that belongs to those who sit."""
    people = ", ".join(map(str, PEOPLE))
    seats = f"SELECT id FROM seats WHERE user_id IN ({people})"  # noqa: S608 - numbers of this test

    queries = (
        f"SELECT * FROM seats WHERE id IN ({seats}) ORDER BY id",  # noqa: S608 - the same
        f"SELECT * FROM rounds WHERE seat_id IN ({seats}) ORDER BY id",  # noqa: S608 - the same
        f"SELECT * FROM boards WHERE seat_id IN ({seats}) ORDER BY id",  # noqa: S608 - the same
        f"SELECT * FROM people WHERE id IN ({people}) ORDER BY id",  # noqa: S608 - the same
    )

    def look(tx: Tx) -> list[Any]:
        found: list[Any] = [row for sql in queries for row in tx.rows(sql)]
        return [tuple(row) for row in found]

    return await hall.store.read(look)


async def test_f68_f78_whatever_is_typed_has_an_end(hall: Hall) -> None:
    await everybody_sits(hall)
    for number, size in enumerate(batches(8_000 * TIMES)):
        words = []
        for _ in range(size):
            who = hall.chance.choice(PEOPLE)
            chat = hall.chance.choice((who, who, *GROUPS))
            words.append(hall.words(who, chat, said(hall.chance)))
        await hall.takes(words)
        if number % 100 == 0:
            await hall.books_close()


def test_f34_payloads_and_words_are_read_or_refused_whatever_they_are() -> None:
    """Reading alone, for the many more that never come as far as a transaction."""
    from random import Random  # noqa: PLC0415 - only here

    chance, right = Random(SEED), Tap.unpack("1:D:5d:5e:p:0:0").pack()
    read = 0
    for _ in range(100_000 * TIMES):
        payload = mutated(right, chance)
        try:
            tap = Tap.unpack(payload)
        except BadTap:
            pass
        else:
            assert tap.pack() == payload
            read += 1
        text = said(chance)
        command = parsing.command(text, "q64_test_bot")
        for amount in parsing.amounts(command.rest if command else text) or ():
            assert 0 <= amount < 10**9
        parsing.duration(text)
        parsing.key_word(text)
    assert read > 1_000
