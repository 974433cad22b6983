"""A settled board as other readers see it in the chat page: from the right, in other scripts, and in words (issue 9)."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.async_api import Locator, expect

from bot.app import House
from bot.i18n import Catalogues
from bot.playground import Running
from bot.playground.seed import ANN
from tests.browser import browsing
from tests.journeys.windows import ARTEFACTS, Visitor, browser, house, running, visitor

__all__ = ["browser", "house", "running", "visitor"]  # fixtures
_PATIENCE = 20_000  # milliseconds


@dataclass(frozen=True, slots=True)
class Box:
    """Where something is on the screen, in pixels."""

    left: float
    right: float


async def box(element: Locator) -> Box:
    found = await element.bounding_box()
    assert found is not None
    return Box(found["x"], found["x"] + found["width"])


async def photograph(visitor: Visitor, name: str) -> None:
    ARTEFACTS.mkdir(exist_ok=True)
    await visitor.page.mouse.move(0, 0)
    await expect(visitor.page.get_by_test_id("toast")).to_have_count(0)
    for width in (360, 1000):
        await visitor.page.set_viewport_size({"width": width, "height": 900})
        assert await visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await visitor.board.scroll_into_view_if_needed()
        await visitor.page.screenshot(path=ARTEFACTS / f"{name}-{width}.png")


@browsing
@pytest.mark.timeout(180)
@pytest.mark.parametrize("language", ["ar", "fa", "hi", "ja"])
async def test_f61_a_settled_board_reads_from_its_own_side(
    visitor: Visitor, house: House, running: Running, language: str
) -> None:
    expect.set_options(timeout=_PATIENCE)
    running.world.people[ANN].language_code = language
    words = Catalogues().words(language)

    await visitor.page.get_by_test_id("start").click()
    await visitor.board.locator(".row").last.locator(".key").click()
    play, fold = visitor.board.locator(".key.success"), visitor.board.locator(".key.danger")
    await expect(play).to_be_visible()
    keys = await box(play), await box(fold)
    assert (keys[0].left > keys[1].left) == words.rtl  # Play stands where reading begins
    seal, bubble = await box(visitor.board.locator(".text a").last), await box(visitor.board.locator(".bubble"))
    # a line without a letter of the language stands on its side, too
    assert (seal.right - bubble.left > bubble.right - seal.left) == words.rtl
    await photograph(visitor, f"dealt-{language}")

    await play.click()
    await expect(visitor.board.locator(".key.success")).to_have_count(0)
    text = visitor.board.locator(".text")
    assert await text.get_attribute("dir") == ("rtl" if words.rtl else "ltr")
    shown = await text.locator(".pc").all_inner_texts()
    assert len(shown) == 6
    places = [await box(text.locator(".pc").nth(place)) for place in range(6)]
    for hand in (places[:3], places[3:]):  # a hand is one island: high to low from the left, in every language
        assert [card.left for card in hand] == sorted(card.left for card in hand)
    ranks = [re.sub(r"[^0-9JQKA]", "", card) for card in shown]
    assert "".join(ranks[:3]) in re.sub(r"[^0-9JQKA]", "", await text.inner_text())
    await photograph(visitor, f"settled-{language}")
    assert visitor.complaints == []
    assert await house.store.read(lambda tx: tx.ledger.drift()) == 0


@browsing
@pytest.mark.timeout(180)
async def test_boards_6_a_night_in_words_by_the_keyboard_alone(visitor: Visitor, house: House) -> None:
    """No pointer: Tab, Enter and typed words; the design that is all words, chosen by its key."""
    expect.set_options(timeout=_PATIENCE)
    seen = visitor.page
    await seen.get_by_test_id("start").focus()
    await seen.keyboard.press("Enter")
    for sample in ("[Q", "Q❤️", "Qh", "in words"):
        await visitor.key("Cards:").focus()
        await seen.keyboard.press("Enter")
        await expect(visitor.key(f"Cards: {sample}")).to_be_visible()
    await seen.get_by_test_id("composer").focus()
    await seen.keyboard.type("deal")
    await seen.keyboard.press("Enter")
    await visitor.reads("The dealer has three cards face down.")
    await expect(visitor.board.locator(".text")).not_to_contain_text(re.compile("[♠♥♦♣🎴]"))
    await seen.keyboard.type("play")
    await seen.keyboard.press("Enter")
    await visitor.reads("The dealer’s cards:")
    first = (await visitor.board.locator(".text").inner_text()).split(".")[0]
    assert re.fullmatch(r"(Plus|Minus) \d+|Nothing won, nothing lost", first)
    await photograph(visitor, "settled-words")

    await seen.keyboard.type("/cashout")
    await seen.keyboard.press("Enter")
    await visitor.reads("leaves with")
    assert visitor.complaints == []
    assert await house.store.read(lambda tx: tx.ledger.drift()) == 0
