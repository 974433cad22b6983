"""Makes the pictures of the README from the playground in a real browser: `python -m tests.pictures`."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, count
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, Page

from bot.app import House, build
from bot.facts import Ending
from bot.introduction import introduce
from bot.painter import Limits
from bot.playground import LOCAL_TOKEN, World, page, serve
from bot.playground.seed import ANN, BOB, DASHA, POKER_FRIENDS
from bot.settings import read_settings
from bot.storage import Tx, migrate
from bot.tables import FIRST_HAND
from core import fair
from core.cards import Hand
from core.ranking import Category, qualifies, strength
from core.rules import SELMINHA
from tests.browser import chromium

DOCS = Path(__file__).parent.parent / "docs"
_QUICK = Limits(gap=0.0, burst=1000, group_burst=1000, group_minute=1000, kept_for_new=0, betting_gap=0.0, calm_gap=0.0)
_NIGHTS = (("Ann", 785), ("Dasha", 640), ("Bob Silva", 640), ("Cy", 565), ("Dee", 530), ("Eve", 455))
"""Who left a night with how many chips, the latest last."""


def wished(number: int, words: tuple[str, ...], wish: Callable[..., bool]) -> bytes:
    """A secret whose deal number *number* looks as wished; found by trying one after the other."""
    for tried in count():
        secret = hashlib.sha256(f"picture {number} {tried}".encode()).digest()
        if wish(*fair.packs(fair.shuffled(secret, words, number), max(2, len(words)))):
            return secret
    raise AssertionError


def pair_wins(player: Hand, dealer: Hand) -> bool:
    mine, theirs = strength(player), strength(dealer)
    return mine.category is Category.PAIR and mine.ranks[0] >= 12 and qualifies(theirs) and mine.value > theirs.value


def straight_wins_and_jack_folds(bob: Hand, dasha: Hand, ann: Hand) -> bool:
    weak, bank = strength(dasha), strength(ann)
    folds = weak.category is Category.HIGH_CARD and weak.ranks[0] == 11
    beaten = bank.category is Category.HIGH_CARD and qualifies(bank)
    return strength(bob).category is Category.STRAIGHT and folds and beaten


# A browser


async def tap(browser: Page, label: str) -> None:
    await browser.locator(".msg:has(.key)").last.get_by_role("button", name=label, exact=True).click()
    await browser.wait_for_timeout(900)


async def write(browser: Page, text: str) -> None:
    await browser.get_by_test_id("composer").fill(text)
    await browser.get_by_test_id("send").click()
    await browser.wait_for_timeout(1200)


async def become(browser: Page, person: int) -> None:
    await browser.get_by_test_id("person-switch").click()
    await browser.get_by_test_id(f"person-{person}").click()
    await browser.wait_for_timeout(600)


async def photograph(browser: Page, name: str) -> None:
    DOCS.mkdir(exist_ok=True)
    path = DOCS / f"{name}.png"
    await browser.mouse.move(0, 0)
    await browser.wait_for_timeout(5000)  # the toast fades
    await browser.screenshot(path=path)
    with Image.open(path) as picture:
        picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=128).save(path, optimize=True)


# What is seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    name: str
    play: Callable[[Page, House], Awaitable[None]]
    height: int  # pixels
    drawn: tuple[bytes, ...] = ()  # the first secrets


async def hand(browser: Page, _house: House) -> None:
    """A hand in the group, won by a pair."""
    await write(browser, "/deal 25 5")
    await tap(browser, "Deal 30")
    await tap(browser, "Play 25")


async def table(browser: Page, _house: House) -> None:
    """Ann banks for Bob and Dasha."""
    await write(browser, "/table")
    for person in (BOB, DASHA):
        await become(browser, person)
        await tap(browser, "Sit")
    await tap(browser, "Start")
    await become(browser, ANN)
    await tap(browser, "Bank 300")
    for person, bets in ((BOB, ("Ante +25", "Pair Plus +5")), (DASHA, ("Ante +25",))):
        await become(browser, person)
        for key in (*bets, "Ready"):
            await tap(browser, key)
    for person, decision in ((BOB, "Play"), (DASHA, "Fold")):
        await become(browser, person)
        await tap(browser, "My cards")
        await browser.get_by_test_id("alert-ok").click()
        await tap(browser, decision)


async def top(browser: Page, house: House) -> None:
    """The group's top five after some nights."""
    await house.store.run(nights)
    await write(browser, "/top")


def nights(tx: Tx) -> None:
    now = datetime.now(UTC)
    known = {"Ann": ANN, "Bob Silva": BOB, "Dasha": DASHA}
    tx.chats.seen(POKER_FRIENDS, kind="supergroup", title="Poker Friends", now=now)
    for place, (name, chips) in enumerate(_NIGHTS):
        user, ended = known.get(name, DASHA + 1 + place), now - timedelta(minutes=len(_NIGHTS) - place)
        tx.people.seen(user, name=name, app_language="en", now=now)
        seat = tx.seats.open(POKER_FRIENDS, user, now=ended)
        night = tx.nights.open(seat, rules=SELMINHA, buy_in=SELMINHA.buy_in, now=ended)
        tx.nights.close(tx.nights.count_hand(night), chips=chips, ending=Ending.CASHED, now=ended)


SCENES = (
    Scene(name="hand", play=hand, height=780, drawn=(wished(1, ("",), pair_wins),)),
    Scene(name="table", play=table, height=860, drawn=(wished(FIRST_HAND, ("",) * 3, straight_wins_and_jack_folds),)),
    Scene(name="top", play=top, height=600),
)


# Making them


async def joined(url: str, folder: Path, drawn: Iterable[bytes]) -> House:
    database = f"sqlite:///{folder / 'pictures.db'}"
    await asyncio.to_thread(migrate, database)
    settings = read_settings(_env_file=None, bot_token=LOCAL_TOKEN, bot_api_url=url, database_url=database)
    chances = chain(drawn, (secrets.token_bytes(32) for _ in count()))
    house = await build(settings, chance=lambda: next(chances), limits=_QUICK)
    await introduce(house.application.bot, house.catalogues)
    return house


async def make(scene: Scene, chromium: Browser) -> None:
    world = World(log=False)
    for person in world.people.values():
        person.language_code = "en"
    with tempfile.TemporaryDirectory() as folder:
        async with await serve(world, routes=page.routes()) as running:
            house = await joined(running.base_url, Path(folder), scene.drawn)
            polling = asyncio.create_task(house.intake.run_polling(house.source))
            size = {"width": 900, "height": scene.height}
            context = await chromium.new_context(viewport=size, color_scheme="light", locale="en-GB")  # type: ignore[arg-type]
            shown = await context.new_page()
            await shown.goto(f"{running.url}/#person={ANN}&chat={POKER_FRIENDS}")
            await shown.wait_for_selector("body[data-live]")
            await scene.play(shown, house)
            await photograph(shown, scene.name)
            await context.close()
            house.intake.stop()
            await polling
            await house.close()


async def main() -> None:
    async with chromium() as browser:
        for scene in SCENES:
            await make(scene, browser)


if __name__ == "__main__":
    asyncio.run(main())
