"""The chat page in a real browser, and the real bot behind it, as `q64 play` joins them; fixtures are imported by name."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from bot.app import House, build
from bot.introduction import introduce
from bot.playground import LOCAL_TOKEN, Running, World, page, serve
from bot.settings import read_settings
from tests.bot.databases import fresh_sqlite
from tests.browser import chromium
from tests.journeys.felt import cards_in

ARTEFACTS = Path(__file__).parents[2] / "artefacts"
_PATIENCE = 20_000  # milliseconds for a picture on a busy machine; a group's come one a second
_WIRETAP = """
const Quiet = window.EventSource;
window.heard = [];
window.EventSource = class extends Quiet {
  constructor(...given) { super(...given); this.addEventListener("message", (event) => window.heard.push(event.data)); }
};
"""  # keeps every event that the server sends to the page


def said(text: str) -> re.Pattern[str]:
    """The same with or without the invisible signs that keep names and numbers apart."""
    return re.compile("[\u2066-\u2069]*".join(map(re.escape, text)))


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

    @property
    def toast(self) -> Locator:
        return self.page.get_by_test_id("toast")

    @property
    def alert(self) -> Locator:
        return self.page.get_by_test_id("alert")

    async def becomes(self, person: int) -> None:
        await self.page.get_by_test_id("person-switch").click()
        await self.page.get_by_test_id(f"person-{person}").click()

    async def opens(self, chat: int) -> None:
        await self.page.get_by_test_id(f"chat-{chat}").click()

    async def taps(self, label: str, answer: str) -> None:
        """Tap a key of the last board, and read the toast."""
        await self.key(label).click()
        await expect(self.toast).to_contain_text(said(answer))

    async def looks(self, *hand: str) -> None:
        """My cards: an alert with these."""
        await self.key("My cards").click()
        for part in hand:
            await expect(self.alert).to_contain_text(said(part))

    async def cards_seen(self) -> set[str]:
        """Every card that stands in the page, or came to it in an event."""
        heard = await self.page.evaluate("window.heard")
        told = "".join(f"{json.loads(event)}" for event in heard)
        return cards_in(told + await self.page.inner_text("body"))

    async def writes(self, text: str) -> None:
        await self.page.get_by_test_id("composer").fill(text)
        await self.page.get_by_test_id("send").click()

    async def reads(self, text: str) -> None:
        await expect(self.board).to_contain_text(said(text))

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
    await introduce(built.application.bot, built.catalogues)
    polling = asyncio.create_task(built.intake.run_polling(built.source))
    yield built
    built.intake.stop()
    await polling
    await built.close()


async def arrives(browser: Browser, running: Running, *, width: int, height: int, dark: bool = False) -> Visitor:
    """Somebody with a browser window of their own, as Ann at first."""
    context = await browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", locale="en-GB"
    )
    await context.add_init_script(_WIRETAP)
    came = Visitor(await context.new_page())
    came.listen()
    came.page.set_default_timeout(_PATIENCE)
    expect.set_options(timeout=_PATIENCE)
    await came.page.goto(running.url)
    await came.page.wait_for_selector("body[data-live]")
    return came


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as launched:
        yield launched


@pytest.fixture
async def visitor(house: House, running: Running, browser: Browser) -> Visitor:
    return await arrives(browser, running, width=1000, height=900)
