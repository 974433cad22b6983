"""A night in a real browser: the chat page, the Bot API behind it, and the real bot, all as `q64 play` joins them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect

from bot.app import House, build, introduce
from bot.playground import LOCAL_TOKEN, Running, World, page, serve
from bot.playground.seed import ANN, BOB, POKER_FRIENDS
from bot.settings import read_settings
from tests.bot.databases import fresh_sqlite
from tests.browser import browsing, chromium

ARTEFACTS = Path(__file__).parents[2] / "artefacts"
_PATIENCE = 20_000  # milliseconds for a picture on a busy machine; a group's come one a second


@dataclass(slots=True)
class Visitor:
    """Somebody at the page, and whatever the browser complained about."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    def listen(self) -> None:
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on(
            "console",
            lambda line: self.complaints.append(line.text) if line.type in {"error", "warning"} else None,
        )

    @property
    def board(self) -> Locator:
        """The last bubble with keys."""
        return self.page.locator(".msg:has(.key)").last

    def key(self, label: str) -> Locator:
        return self.board.get_by_role("button", name=re.compile(f"^{re.escape(label)}"))

    async def writes(self, text: str) -> None:
        await self.page.get_by_test_id("composer").fill(text)
        await self.page.get_by_test_id("send").click()

    async def reads(self, text: str) -> None:
        await expect(self.board).to_contain_text(text)

    async def photographs(self, name: str) -> None:
        ARTEFACTS.mkdir(exist_ok=True)
        await self.page.screenshot(path=ARTEFACTS / f"{name}.png")


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    world = World()
    for person in world.people.values():
        person.language_code = "en"  # what is read here are the English texts
    async with await serve(world, routes=page.routes()) as served:
        yield served


@pytest.fixture
async def house(running: Running, tmp_path: Path) -> AsyncIterator[House]:
    settings = read_settings(
        _env_file=None,
        bot_token=LOCAL_TOKEN,
        bot_api_url=running.base_url,
        database_url=fresh_sqlite(tmp_path),
        webhook_url="",
        allowed_chats="",
    )
    built = await build(settings)
    await introduce(built)
    polling = asyncio.create_task(built.intake.run_polling(built.source))
    yield built
    built.intake.stop()
    await polling
    await built.close()


@pytest.fixture
async def visitor(house: House, running: Running) -> AsyncIterator[Visitor]:
    async with chromium() as browser:
        context = await browser.new_context(viewport={"width": 1000, "height": 900}, locale="en-GB")
        came = Visitor(await context.new_page())
        came.listen()
        came.page.set_default_timeout(_PATIENCE)
        await came.page.goto(running.url)
        await came.page.wait_for_selector("body[data-live]")
        yield came
        await context.close()


@browsing
@pytest.mark.timeout(180)
async def test_a_night_from_start_to_the_top_five_and_a_neighbour_in_the_group(
    visitor: Visitor, house: House, running: Running
) -> None:
    expect.set_options(timeout=_PATIENCE)
    seen = visitor.page

    await seen.get_by_test_id("start").click()
    await visitor.reads("Three Card Poker, for play money only. You have 500 chips.")
    await visitor.photographs("start")

    await visitor.key("Deal 25").click()
    await expect(seen.get_by_test_id("toast")).to_contain_text("Play 25 or fold?")
    await visitor.reads("475 chips, 25 in play")
    await visitor.photographs("dealt")

    await visitor.key("Hint").click()
    await expect(seen.get_by_test_id("alert")).to_contain_text("On average: play")
    await visitor.photographs("hint")
    await seen.get_by_test_id("alert-ok").click()
    await expect(seen.get_by_test_id("alert")).to_be_hidden()

    await visitor.key("Play 25").click()
    await visitor.reads("Tonight: 1 hand")
    await visitor.photographs("settled")

    await visitor.key("Cash out").click()
    await visitor.key("Yes, leave with").click()
    await visitor.reads("leaves with")
    await visitor.key("Top five").click()
    await expect(seen.locator(".msg").last).to_contain_text("🏆")
    await visitor.photographs("top-five")

    await seen.get_by_test_id("person-switch").click()
    await seen.get_by_test_id(f"person-{BOB}").click()
    await seen.get_by_test_id(f"chat-{POKER_FRIENDS}").click()
    await visitor.writes("/deal 25 5")
    await visitor.reads("500 chips")
    await visitor.key("Deal 30").click()
    await visitor.reads("30 in play")
    bobs = await visitor.board.inner_text()

    await seen.get_by_test_id("person-switch").click()
    await seen.get_by_test_id(f"person-{ANN}").click()
    await seen.get_by_test_id(f"chat-{POKER_FRIENDS}").click()
    await visitor.key("Fold").click()
    await expect(seen.get_by_test_id("toast")).to_contain_text("board. /deal opens yours.")
    assert await visitor.board.inner_text() == bobs
    await visitor.photographs("group")

    assert visitor.complaints == []
    assert await house.store.read(lambda tx: tx.ledger.drift()) == 0
