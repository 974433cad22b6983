"""Makes the pictures of the README from the playground in a real browser: `python -m tests.pictures`."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import tempfile
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path

from PIL import Image
from playwright.async_api import Page

from bot.app import House, build, introduce
from bot.painter import Limits
from bot.playground import LOCAL_TOKEN, World, page, serve
from bot.playground.seed import ANN, POKER_FRIENDS
from bot.settings import read_settings
from bot.storage import migrate
from core import fair
from core.cards import Hand
from core.ranking import Category, qualifies, strength
from tests.browser import chromium

DOCS = Path(__file__).parent.parent / "docs"
_QUICK = Limits(gap=0.0, burst=1000, group_burst=1000, group_minute=1000, kept_for_new=0, betting_gap=0.0, calm_gap=0.0)


def wished(number: int, wish: Callable[[Hand, Hand], bool]) -> bytes:
    """A secret whose deal number *number* looks as wished; found by trying one after the other."""
    for tried in count():
        secret = hashlib.sha256(f"picture {number} {tried}".encode()).digest()
        if wish(*fair.solo_hands(fair.shuffled(secret, ("",), number))):
            return secret
    raise AssertionError


def pair_wins(player: Hand, dealer: Hand) -> bool:
    mine, theirs = strength(player), strength(dealer)
    return mine.category is Category.PAIR and mine.ranks[0] >= 12 and qualifies(theirs) and mine.value > theirs.value


async def tap(browser: Page, label: str) -> None:
    await browser.locator(".msg:has(.key)").last.get_by_role("button", name=label).click()
    await browser.wait_for_timeout(900)


async def hand(browser: Page) -> None:
    """A hand in the group, won by a pair."""
    await browser.get_by_test_id(f"chat-{POKER_FRIENDS}").click()
    await browser.get_by_test_id("composer").fill("/deal 25 5")
    await browser.get_by_test_id("send").click()
    await browser.wait_for_timeout(1200)
    await tap(browser, "Deal 30")
    await tap(browser, "Play 25")
    await browser.wait_for_timeout(5000)  # the toast fades


async def photograph(browser: Page, name: str) -> None:
    DOCS.mkdir(exist_ok=True)
    path = DOCS / f"{name}.png"
    await browser.screenshot(path=path)
    with Image.open(path) as picture:
        picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=128).save(path, optimize=True)


async def joined(url: str, folder: Path) -> House:
    database = f"sqlite:///{folder / 'pictures.db'}"
    await asyncio.to_thread(migrate, database)
    settings = read_settings(_env_file=None, bot_token=LOCAL_TOKEN, bot_api_url=url, database_url=database)
    drawn = chain([wished(1, pair_wins)], (secrets.token_bytes(32) for _ in count()))
    house = await build(settings, chance=lambda: next(drawn), limits=_QUICK)
    await introduce(house)
    return house


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(log=False)
        async with await serve(world, routes=page.routes()) as running, chromium() as browser:
            house = await joined(running.base_url, Path(folder))
            polling = asyncio.create_task(house.intake.run_polling(house.source))
            context = await browser.new_context(viewport={"width": 900, "height": 720}, color_scheme="light")
            shown = await context.new_page()
            await shown.goto(f"{running.url}/#person={ANN}&chat={POKER_FRIENDS}")
            await shown.wait_for_selector("body[data-live]")
            await hand(shown)
            await photograph(shown, "hand")
            house.intake.stop()
            await polling
            await house.close()


if __name__ == "__main__":
    asyncio.run(main())
