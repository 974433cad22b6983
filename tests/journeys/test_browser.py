"""A night in a real browser: the chat page, the Bot API behind it, and the real bot, all as `q64 play` joins them."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from bot.app import House
from bot.playground import Running
from bot.playground.seed import ANN, BOB, DASHA, POKER_FRIENDS
from tests.browser import browsing
from tests.journeys.felt import cards
from tests.journeys.windows import Visitor, arrives, browser, house, running, visitor

__all__ = ["browser", "house", "running", "visitor"]  # fixtures


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
    await ann.taps("My cards", "You bank this hand: there is nothing for you to bet or decide.")
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
