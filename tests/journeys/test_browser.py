"""A night in a real browser: the chat page, the Bot API behind it, and the real bot, all as `q64 play` joins them."""

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
from bot.playground.seed import ANN, BOB, DASHA, POKER_FRIENDS
from bot.settings import read_settings
from tests.bot.databases import fresh_sqlite
from tests.browser import browsing, chromium
from tests.journeys.felt import cards, cards_in

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


@browsing
@pytest.mark.timeout(180)
async def test_a_night_from_start_to_the_top_five_and_a_neighbour_in_the_group(
    visitor: Visitor, house: House, running: Running
) -> None:
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

    await visitor.becomes(BOB)
    await visitor.opens(POKER_FRIENDS)
    await visitor.writes("/deal 25 5")
    await visitor.reads("500 chips")
    await visitor.key("Deal 30").click()
    await visitor.reads("30 in play")
    bobs = await visitor.board.inner_text()

    await visitor.becomes(ANN)
    await visitor.opens(POKER_FRIENDS)
    await visitor.key("Fold").click()
    await expect(seen.get_by_test_id("toast")).to_contain_text("board. /deal opens yours.")
    assert await visitor.board.inner_text() == bobs
    await visitor.photographs("group")

    assert visitor.complaints == []
    assert await house.store.read(lambda tx: tx.ledger.drift()) == 0


@browsing
@pytest.mark.timeout(180)
async def test_f106_three_people_at_the_table_and_nobody_sees_anybody_elses_cards(
    house: House, running: Running, browser: Browser
) -> None:
    """Three windows, each somebody else by the page's own switch; on telephones, one of them dark."""
    ann = await arrives(browser, running, width=900, height=860)
    bob = await arrives(browser, running, width=360, height=760, dark=True)
    dasha = await arrives(browser, running, width=360, height=760)
    for window, person in ((ann, ANN), (bob, BOB), (dasha, DASHA)):
        if person != ANN:
            await window.becomes(person)
        await window.opens(POKER_FRIENDS)

    await ann.writes("/table")
    await ann.reads("Only Ann is here.")
    await bob.taps("Sit", "You sit at the table with 500 chips.")
    await dasha.taps("Sit", "You sit at the table with 500 chips.")
    await bob.taps("Start", "The bank is offered to Ann.")
    await ann.reads("Offered to Ann")
    await bob.photographs("table-offered")
    await ann.taps("Bank 100", "You bank 100 for this hand. 400 left.")
    await bob.reads("Bob Silva: betting")
    await bob.photographs("table-bets")
    with cards("8s 8d 3c", "Jd 7s 2h", "Qs 9d 4c"):
        await bob.taps("Ante +25", "Ante 25. 475 left. Tap Ready.")
        await bob.taps("Pair Plus +5", "Ante 25, Pair Plus 5. 470 left. Tap Ready.")
        await bob.taps("Ready", "Ante 25, Pair Plus 5: ready. 445 left beside the cover for Play.")
        await dasha.taps("Ante +25", "Ante 25. 475 left. Tap Ready.")
        await dasha.taps("Ready", "The cards are out: tap My cards.")

    for window in (ann, bob, dasha):
        await window.reads("thinking")
        assert await window.cards_seen() == set()
    await bob.looks("8♠", "8♦", "3♣", "pair of eights. Ante 25, Pair Plus 5. Play costs 25.")
    await bob.photographs("table-cards")
    await dasha.looks("J♦", "7♠", "2♥", "Play costs 25.")
    await ann.taps("My cards", "You have no cards in this hand.")
    assert await bob.cards_seen() == {"8s", "8d", "3c"}
    assert await dasha.cards_seen() == {"Jd", "7s", "2h"}
    assert await ann.cards_seen() == set()
    for window in (bob, dasha):
        await window.page.get_by_test_id("alert-ok").click()

    await bob.taps("Play", "You play 25.")
    await bob.reads("Bob Silva 🎴🎴🎴 plays")
    assert not await dasha.cards_seen() & {"8s", "8d", "3c", "Qs", "9d", "4c"}
    await dasha.taps("Fold", "You fold. −25, you have 475.")
    for window in (ann, bob, dasha):
        await window.reads("🏦 Ann −30, and may bank once more; then Bob Silva is asked.")
        assert await window.cards_seen() == {"8s", "8d", "3c", "Jd", "7s", "2h", "Qs", "9d", "4c"}
    await expect(bob.toast).to_be_hidden()
    await bob.photographs("table-showdown")
    await ann.photographs("table-showdown-wide")

    assert [window.complaints for window in (ann, bob, dasha)] == [[], [], []]
    assert await house.store.read(lambda tx: tx.ledger.drift()) == 0
