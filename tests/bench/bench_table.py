"""A group table's pictures in a hand, and how soon the showdown follows: `python -m tests.bench.bench_table`."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from statistics import median

from structlog.testing import capture_logs

from tests.bot.databases import fresh_sqlite
from tests.journeys.house import Evening
from tests.journeys.quiet import STAGES, Hand, quiet_evening

HANDS = 6


async def measured() -> list[Hand]:
    with tempfile.TemporaryDirectory() as folder, capture_logs() as log:
        evening = Evening(fresh_sqlite(Path(folder)), log)
        await evening.begin()
        try:
            return await quiet_evening(evening, hands=HANDS)
        finally:
            await evening.end()


def main() -> None:
    hands = asyncio.run(measured())
    print(f"Eight people at a table, {HANDS} hands, a tap or two every three seconds, Telegram's limits")
    for stage in STAGES:
        print(f"  pictures, {stage:<10} {[hand.pictures[stage] for hand in hands]}")
    print(f"  pictures, in all     median {median(hand.total for hand in hands)}, most {max(h.total for h in hands)}")
    waits = [hand.wait for hand in hands]
    print(f"  last decision to showdown: median {median(waits):.2f} s, most {max(waits):.2f} s by the chat's budget;")
    print(f"  {1000 * median(hand.worked for hand in hands):.0f} ms of this machine, the emulator's work included")


if __name__ == "__main__":
    main()
