"""The playground's two pages: what they may load, what they draw, and whether the checker's sums are ours."""

import base64
import hashlib
import json
import re
from collections.abc import AsyncIterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, Final

import aiohttp
import httpx
import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]  # it ships without types
from playwright.async_api import Browser, Locator, Page, expect
from starlette.applications import Starlette

import tests.browser
from bot.playground import LOCAL_TOKEN, Running, World, page, serve
from bot.playground.seed import ANN, BOB, POKER_FRIENDS
from core import fair
from core.cards import PACK, cards_text
from core.referee import referee

FILES: Final = ("page.html", "verify.html")
VECTOR: Final = {
    "secret": bytes(range(32)),
    "commitment": "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
    "deck": "Qc 9c Js 5s Kd 3c Kc Th 7c",
}


def source(name: str) -> str:
    return Path(page.__file__).with_name(name).read_text("utf-8")


async def fetched(path: str) -> httpx.Response:
    transport = httpx.ASGITransport(Starlette(routes=page.routes()))
    async with httpx.AsyncClient(transport=transport, base_url="http://playground") as client:
        return await client.get(path)


# What is served


@pytest.mark.parametrize(
    "path,kind,holds",
    [
        pytest.param("/", "text/html; charset=utf-8", 'data-testid="composer"', id="the chat"),
        pytest.param("/verify", "text/html; charset=utf-8", 'data-testid="transcript"', id="the checker"),
        pytest.param("/favicon.svg", "image/svg+xml", "<svg", id="the icon"),
        pytest.param("/favicon.ico", "image/svg+xml", "<svg", id="the icon, asked for by habit"),
    ],
)
async def test_pages_are_served(path: str, kind: str, holds: str) -> None:
    answer = await fetched(path)

    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
    assert holds in answer.text


@pytest.mark.parametrize("path", ["/", "/verify"])
async def test_only_what_stood_in_the_file_may_run(path: str) -> None:
    answer = await fetched(path)
    rules = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))

    for kind in ("script", "style"):
        inside = re.findall(rf"<{kind}>(.*?)</{kind}>", answer.text, re.DOTALL)
        seals = [base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in inside]
        assert inside
        assert rules[f"{kind}-src"] == " ".join(f"'sha256-{seal}'" for seal in seals)
    assert (rules["default-src"], rules["connect-src"], rules["frame-ancestors"]) == ("'none'", "'self'", "'none'")
    assert "unsafe" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize("name", FILES)
def test_a_page_names_no_other_server(name: str) -> None:
    addresses = set(re.findall(r"""(?:https?:)?//[\w.-]+\.[a-z]{2,}""", source(name)))

    assert addresses <= {"http://www.w3.org", "https://t.me"}  # a namespace is no address


@pytest.mark.parametrize("name", FILES)
def test_nothing_inline_that_the_policy_would_stop(name: str) -> None:
    markup = re.sub(r"<(script|style)>.*?</\1>", "", source(name), flags=re.DOTALL)

    assert not re.findall(r"""\s(?:style|on[a-z]+)=["']""", markup)
    assert not re.findall(r"<(?:script|link[^>]+stylesheet|iframe|object)[ >]", markup)
    assert "innerHTML" not in source(name)


# In a browser


def browsing(test: Any) -> Any:
    return tests.browser.browsing(pytest.mark.asyncio(loop_scope="module")(test))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with tests.browser.chromium() as chromium:
        yield chromium


@pytest_asyncio.fixture(loop_scope="module")
async def running() -> AsyncIterator[Running]:
    async with await serve(World(), routes=page.routes()) as served:
        yield served


class Visit:
    """One look at a page, and whatever it complained about."""

    def __init__(self, browser: Browser, running: Running) -> None:
        self.browser = browser
        self.running = running
        self.complaints: list[str] = []

    async def open(self, path: str, *, dark: bool = False, width: int = 1100, height: int = 800) -> Page:
        context = await self.browser.new_context(
            color_scheme="dark" if dark else "light", viewport={"width": width, "height": height}, locale="en-GB"
        )
        await context.grant_permissions(["clipboard-read", "clipboard-write"], origin=self.running.url)
        opened = await context.new_page()
        opened.set_default_timeout(15_000)
        opened.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        opened.on("pageerror", lambda error: self.complaints.append(str(error)))
        await opened.goto(f"{self.running.url}{path}")
        if not path.startswith("/verify"):
            await opened.wait_for_selector("body[data-live]")
        return opened

    async def close(self) -> None:
        for context in self.browser.contexts:
            await context.close()


@pytest_asyncio.fixture(loop_scope="module")
async def visit(browser: Browser, running: Running) -> AsyncIterator[Visit]:
    visited = Visit(browser, running)
    yield visited
    await visited.close()


async def bot(running: Running, method: str, **params: Any) -> Any:
    """What the bot does, through the Bot API."""
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{running.base_url}{LOCAL_TOKEN}/{method}", json=params) as answer,
    ):
        body = await answer.json()
    assert body["ok"], body
    return body["result"]


def keyboard(*rows: tuple[str, ...]) -> dict[str, Any]:
    styles = {"Play 25": "success", "Fold": "danger", "Deal 30": "primary"}
    return {
        "inline_keyboard": [
            [
                {"text": text, "callback_data": text, **({"style": styles[text]} if text in styles else {})}
                for text in row
            ]
            for row in rows
        ]
    }


PICTURE: Final = base64.b64decode(  # two by two, green
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGMUibJhYGBgYmBgYGBgAAAH+gCuXKy5jgAAAABJRU5ErkJggg=="
)
DEALT: Final = "<b>Ann</b> · 470 chips, 30 in play\n\nYou: Q♥️  6♣️  4♦️ · queen high\nDealer: 🎴  🎴  🎴"
PLAY_OR_FOLD: Final = keyboard(("Play 25", "Fold"), ("Hint", "Hands"))


async def deal(running: Running, chat: int = ANN, text: str = DEALT, keys: Any = PLAY_OR_FOLD) -> int:
    if not running.world.people[ANN].started:
        running.people.start(ANN)
    sent = await bot(running, "sendMessage", chat_id=chat, text=text, parse_mode="HTML", reply_markup=keys)
    return int(sent["message_id"])


async def height(element: Locator) -> float:
    box = await element.bounding_box()
    assert box is not None
    return box["height"]


async def query(running: Running) -> dict[str, Any]:
    """The tap that the bot is told of."""
    for _ in range(20):
        updates = await bot(running, "getUpdates", timeout=1, offset=-1)
        if updates and "callback_query" in updates[-1]:
            return dict(updates[-1]["callback_query"])
    raise AssertionError("no tap came")


@browsing
async def test_an_empty_chat_offers_a_large_start_button(visit: Visit, running: Running) -> None:
    chat = await visit.open("/")

    await chat.get_by_test_id("start").click()

    await expect(chat.locator(".msg.own")).to_contain_text("/start")
    assert running.world.people[ANN].started
    assert visit.complaints == []


@browsing
async def test_a_tap_waits_for_its_answer_and_an_edit_keeps_the_focus_off_a_dangerous_key(
    visit: Visit, running: Running
) -> None:
    number = await deal(running, keys=keyboard(("Change bet", "Cash out"), ("Proof", "Hands"), ("Deal 30",)))
    chat = await visit.open("/")
    key = chat.get_by_role("button", name="Deal 30")

    await key.focus()
    await key.press("Enter")
    await expect(key).to_have_attribute("aria-busy", "true")
    asked = await query(running)
    await bot(
        running,
        "editMessageText",
        chat_id=ANN,
        message_id=number,
        text=DEALT,
        parse_mode="HTML",
        reply_markup=PLAY_OR_FOLD,
    )
    await bot(running, "answerCallbackQuery", callback_query_id=asked["id"], text="Q♥️ 6♣️ 4♦️ · queen high.")

    await expect(chat.get_by_test_id("toast")).to_have_text("Q♥️ 6♣️ 4♦️ · queen high.")
    await expect(chat.get_by_role("button", name="Hint")).to_be_focused()
    await expect(chat.locator(f'[data-message-id="{number}"] .key')).to_have_text(["Play 25", "Fold", "Hint", "Hands"])
    await expect(chat.get_by_test_id("toast")).to_have_count(0)
    assert visit.complaints == []


@browsing
async def test_an_alert_is_a_dialog_and_an_empty_answer_calms_the_key(visit: Visit, running: Running) -> None:
    await deal(running)
    chat = await visit.open("/")

    await chat.get_by_role("button", name="Hint").click()
    await bot(
        running, "answerCallbackQuery", callback_query_id=(await query(running))["id"], text="PLAY.", show_alert=True
    )
    await expect(chat.get_by_test_id("alert")).to_contain_text("PLAY.")
    await chat.get_by_test_id("alert-ok").click()
    await chat.get_by_role("button", name="Fold").click()
    asked = await query(running)
    await bot(running, "answerCallbackQuery", callback_query_id=asked["id"])

    await expect(chat.get_by_test_id("alert")).to_be_hidden()
    await expect(chat.locator("[aria-busy]")).to_have_count(0)
    assert asked["data"] == "Fold"


@browsing
async def test_a_deep_link_in_a_group_opens_the_private_chat_and_presses_start(visit: Visit, running: Running) -> None:
    seal = f"https://t.me/{running.world.profile.username}?start={VECTOR['commitment']}"
    await deal(running, POKER_FRIENDS, f'Ann · 500 chips\n🔒 <a href="{seal}">630d cd29</a>')
    chat = await visit.open(f"/#person={ANN}&chat={POKER_FRIENDS}")

    await chat.get_by_role("link", name="630d cd29").click()

    await expect(chat.get_by_test_id(f"chat-{ANN}")).to_have_attribute("aria-current", "true")
    await expect(chat.locator(".msg.own").last).to_contain_text(f"/start {VECTOR['commitment']}")


@browsing
async def test_a_copy_key_copies(visit: Visit, running: Running) -> None:
    await deal(running, keys={"inline_keyboard": [[{"text": "Copy secret", "copy_text": {"text": "0001"}}]]})
    chat = await visit.open("/")

    await chat.get_by_role("button", name="Copy secret").click()

    await expect(chat.get_by_test_id("toast")).to_have_text("Copied.")
    assert await chat.evaluate("navigator.clipboard.readText()") == "0001"


@browsing
async def test_people_commands_replies_and_deleting(visit: Visit, running: Running) -> None:
    await bot(running, "setMyCommands", commands=[{"command": "deal", "description": "Open your board"}])
    chat = await visit.open(f"/#person={ANN}&chat={POKER_FRIENDS}")

    await chat.get_by_test_id("person-switch").click()
    await chat.get_by_test_id(f"person-{BOB}").click()
    await expect(chat.get_by_test_id("person-switch")).to_contain_text("You are Bob")
    await chat.get_by_test_id("composer").fill("/d")
    await chat.get_by_role("option", name="/deal").click()
    own = chat.locator(".msg.own")
    await expect(own).to_contain_text(f"/deal@{running.world.profile.username}")
    await own.hover()
    await own.get_by_role("button", name="Reply").click()
    await chat.get_by_test_id("composer").fill("<i>again</i>")
    await chat.get_by_test_id("send").click()
    await expect(own.nth(1)).to_contain_text("<i>again</i>")
    await expect(own.nth(1).locator(".quote")).to_contain_text("/deal")
    await own.nth(1).hover()
    await own.nth(1).get_by_role("button", name="Delete").click()

    await expect(own).to_have_count(1)
    assert visit.complaints == []


@browsing
async def test_a_file_goes_up_and_can_be_fetched_and_a_picture_is_shown(visit: Visit, running: Running) -> None:
    chat = await visit.open("/")

    await chat.get_by_test_id("file").set_input_files(
        {"name": "hand-4821.json", "mimeType": "application/json", "buffer": b"{}"}
    )
    file = chat.get_by_role("link", name="hand-4821.json")
    await expect(file).to_be_visible()
    form = aiohttp.FormData({"chat_id": str(ANN), "caption": "Your night"})
    form.add_field("photo", PICTURE, filename="night.png")
    async with aiohttp.ClientSession() as session:
        await session.post(f"{running.base_url}{LOCAL_TOKEN}/sendPhoto", data=form)
        async with session.get(f"{running.url}{await file.get_attribute('href')}") as answer:
            content = await answer.read()

    await expect(chat.get_by_role("img", name="Your night")).to_have_js_property("naturalWidth", 2)
    assert content == b"{}"
    assert visit.complaints == []


@browsing
async def test_hostile_markup_stays_text_or_nothing(visit: Visit, running: Running) -> None:
    """Should the server ever let something through, the page's own list of elements stops it before the policy does."""
    await deal(running)
    chat = await visit.open("/")
    hostile = (
        '<b onclick=x()>bold</b><img src=x onerror=x()><script>x()</script><a href="javascript:x()">link</a><svg/>'
    )

    drawn = await chat.evaluate(
        """(html) => { const box = document.createElement("div"); paintText(box, { message_id: 1, text: "", html }); return box.innerHTML; }""",
        hostile,
    )

    assert drawn == "<b>bold</b>link"


@browsing
async def test_a_long_quote_folds_and_stays_open_over_an_edit(visit: Visit, running: Running) -> None:
    lines = "\n".join(f"line {number}" for number in range(9))
    number = await deal(running, text=f"Proof\n<blockquote expandable>{lines}</blockquote>")
    chat = await visit.open("/")
    quote = chat.locator("blockquote > div")
    folded = await height(quote)

    await chat.get_by_role("button", name="more").click()
    again = f"Proof, again\n<blockquote expandable>{lines}</blockquote>"
    await bot(running, "editMessageText", chat_id=ANN, message_id=number, text=again, parse_mode="HTML")
    await expect(chat.get_by_role("log")).to_contain_text("Proof, again")

    assert await height(quote) > 2 * folded
    await expect(chat.get_by_role("button", name="less")).to_have_attribute("aria-expanded", "true")


@browsing
async def test_a_spoiler_is_hidden_until_it_is_asked_for(visit: Visit, running: Running) -> None:
    await deal(running, text="The dealer has <tg-spoiler>a pair</tg-spoiler>")
    chat = await visit.open("/")
    hidden = chat.get_by_role("button", name="Hidden text: show")
    await expect(hidden).to_have_css("color", "rgba(0, 0, 0, 0)")

    await hidden.click()

    await expect(hidden).to_have_count(0)
    await expect(chat.locator(".spoiler")).to_have_text("a pair")


@browsing
async def test_a_quote_stands_between_two_lines_and_no_empty_one(visit: Visit, running: Running) -> None:
    await deal(running, text="Before\n<blockquote expandable>quoted</blockquote>\nAfter\n\nLater")
    quote = (await visit.open("/")).locator("blockquote")

    beside = await quote.evaluate("(quote) => [quote.previousSibling.textContent, quote.nextSibling.textContent]")

    assert beside == ["Before", "After\n\nLater"]


@browsing
async def test_reading_above_is_not_disturbed_and_a_button_leads_down(visit: Visit, running: Running) -> None:
    for number in range(12):
        await deal(running, text=f"hand {number}")
    chat = await visit.open("/", height=500)
    log = chat.get_by_test_id("log")
    await expect(log.get_by_text("hand 11", exact=True)).to_be_in_viewport()

    await log.evaluate("(box) => { box.scrollTop = 0; }")
    await expect(log.get_by_text("hand 11", exact=True)).not_to_be_in_viewport()
    await deal(running, text="hand 12")
    await expect(chat.get_by_test_id("jump")).to_be_visible()
    assert await log.evaluate("(box) => box.scrollTop") == 0
    await chat.get_by_test_id("jump").click()

    await expect(log.get_by_text("hand 12", exact=True)).to_be_in_viewport()
    await expect(chat.get_by_test_id("jump")).to_be_hidden()


@browsing
async def test_the_page_comes_back_when_the_server_does(visit: Visit, tmp_path: Path) -> None:
    first = await serve(World(tmp_path / "world.db"), routes=page.routes())
    visit.running = first
    await deal(first)
    chat = await visit.open("/")
    await first.close()
    await expect(chat.get_by_test_id("reconnecting")).to_be_visible()
    await chat.get_by_test_id("composer").fill("/top")
    await chat.get_by_test_id("send").click()
    await expect(chat.get_by_test_id("toast")).to_have_text("Not done: the bot cannot be reached just now.")
    await expect(chat.get_by_test_id("composer")).to_have_value("/top")  # nothing that was written is lost

    async with await serve(World(tmp_path / "world.db"), port=first.port, routes=page.routes()) as second:
        number = await deal(second, text="while you were away")

        await expect(chat.locator(f'[data-message-id="{number}"]')).to_contain_text("while you were away")
        await expect(chat.get_by_test_id("reconnecting")).to_be_hidden()
        await expect(chat.locator(".msg")).to_have_count(3)
        await visit.close()


@browsing
@pytest.mark.parametrize("width", [360, 1100])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
async def test_both_pages_are_accessible(visit: Visit, running: Running, dark: bool, width: int) -> None:
    axe = Axe()
    chat = await visit.open("/", dark=dark, width=width)
    empty = await axe.run(chat)
    await deal(running)
    await deal(running, POKER_FRIENDS, f"Bob · <code>As</code>\n<blockquote expandable>{'x ' * 400}</blockquote>")
    await expect(chat.get_by_role("button", name="Fold")).to_be_visible()
    private = await axe.run(chat)
    await chat.get_by_test_id("person-switch").click()
    menu = await axe.run(chat)
    await chat.keyboard.press("Escape")
    await chat.get_by_test_id(f"chat-{POKER_FRIENDS}").click()
    await expect(chat.get_by_test_id("log").get_by_text("Bob ·")).to_be_visible()
    group = await axe.run(chat)
    checker = await visit.open("/verify", dark=dark, width=width)
    await checker.get_by_test_id("example").click()
    await expect(checker.get_by_test_id("results")).to_contain_text("This deal holds")
    verify = await axe.run(checker)

    found = [result.generate_report() for result in (empty, private, menu, group, verify) if result.violations_count]
    assert found == []
    for opened in (chat, checker):
        assert await opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


# The checker's own sums

RULES: Final[tuple[Any, ...]] = (
    "selminha",
    "poker-three",
    "california",
    "six-card",
    {"bonus_if_dealer_wins": False},
    {"ante_bonus": {"straight": None, "straight_flush": 7}, "pair_plus": {"pair": 0}},
    {"dealer_must_qualify": False, "pair_plus": {"mini_royal": 100, "flush": None}, "ante_bonus": None},
    {"pair_plus": None},
)


def bets(chance: Random, rules: Any) -> dict[str, Any]:
    ante = chance.choice([0, 5, 25, 100])
    pair_plus = 0 if isinstance(rules, dict) and rules.get("pair_plus", 1) is None else chance.choice([0, 5, 30])
    found: dict[str, Any] = {"ante": ante or (0 if pair_plus else 5), "pair_plus": pair_plus}
    if rules == "six-card":
        found["six_card"] = chance.choice([0, 5])
    found["decision"] = chance.choice(["play", "play", "fold"]) if found["ante"] else None
    return found


def solo_round(chance: Random, player: str, dealer: str) -> dict[str, Any]:
    rules = chance.choice(RULES)
    return {"rules": rules, "player": player, "dealer": dealer, **bets(chance, rules)}


def banked_round(chance: Random, hands: list[str]) -> dict[str, Any]:
    rules = chance.choice(RULES)
    seats = [{"name": f"seat {n}", "player": hand, **bets(chance, rules)} for n, hand in enumerate(hands[:-1])]
    return {"rules": rules, "bank": chance.choice([None, 5, 40, 100, 5000]), "banker": hands[-1], "seats": seats}


def transcripts(count: int) -> list[dict[str, Any]]:
    chance, found = Random(64), []
    words = ["", "coração", "شكرا", "🍀 luck", "cut:6", "a b  c"]
    for number in range(count):
        secret, nonce = chance.randbytes(32), chance.choice([0, 1, 4821, 2**53 + 1, 2**63 - 1])
        spoken = tuple(chance.choices(words, k=chance.randint(1, 4)))
        hands = [cards_text(pack) for pack in fair.packs(fair.shuffled(secret, spoken, nonce), 4)]
        given = solo_round(chance, hands[0], hands[1]) if number % 3 else banked_round(chance, hands)
        played = fair.PlayedRound(given=given, settled=referee(given)) if number % 5 else None
        found.append(fair.transcript_mapping(fair.opened(secret, spoken, nonce, played)))
    return found


async def verdicts(checker: Page, mappings: list[Any]) -> list[dict[str, Any]]:
    texts = [json.dumps(mapping) for mapping in mappings]
    return list(await checker.evaluate("(texts) => Promise.all(texts.map((text) => q64verify(text)))", texts))


@browsing
async def test_the_checker_agrees_with_ours_on_random_deals(visit: Visit) -> None:
    checker = await visit.open("/verify")
    mappings = transcripts(45)

    found = await verdicts(checker, mappings)

    assert found == [{"ok": True}] * 45
    assert all(isinstance(fair.verify(mapping), fair.Verified) for mapping in mappings)
    assert visit.complaints == []


SOLO: Final = next(
    m for m in transcripts(20) if "player" in m.get("round", {}).get("in", {}) and m["round"]["out"]["net"]
)
BANKED: Final = next(m for m in transcripts(20) if "seats" in m.get("round", {}).get("in", {}))


def changed(mapping: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    copied = deepcopy(mapping)
    place = copied
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return copied


def swapped(mapping: dict[str, Any], first: str, second: str) -> dict[str, Any]:
    given = mapping["round"]["in"]
    return changed(changed(mapping, "round", "in", first, to=given[second]), "round", "in", second, to=given[first])


@browsing
async def test_the_checker_names_the_same_first_fault_as_ours(visit: Visit) -> None:
    checker = await visit.open("/verify")
    deck = SOLO["deck"]
    broken = {
        "not an object": ([1, 2], "format"),
        "a key too many": ({**SOLO, "extra": 1}, "format"),
        "version 2": (changed(SOLO, "v", to=2), "format"),
        "nonce as a text": (changed(SOLO, "nonce", to="1"), "format"),
        "nonce 1.0": (changed(SOLO, "nonce", to=1.0), "format"),
        "nonce true": (changed(SOLO, "nonce", to=True), "format"),
        "nonce beyond 64 bits": (changed(SOLO, "nonce", to=2**63), "format"),
        "half a surrogate pair": (changed(SOLO, "words", 0, to="\ud83d"), "format"),
        "51 cards": (changed(SOLO, "deck", to=deck[1:]), "format"),
        "no such card": (changed(SOLO, "deck", 7, to="1h"), "format"),
        "a short secret": (changed(SOLO, "secret", to="00"), "format"),
        "an unknown rule set": (changed(SOLO, "round", "in", "rules", to="constructor"), "format"),
        "a misspelt bet": (changed(SOLO, "round", "in", "pairplus", to=5), "format"),
        "a bet of 2.5": (changed(SOLO, "round", "in", "pair_plus", to=2.5), "format"),
        "another seal": (changed(SOLO, "commitment", to="0" * 64), "commitment"),
        "another secret": (changed(SOLO, "secret", to="00" * 32), "commitment"),
        "two cards changed places": (changed(changed(SOLO, "deck", 50, to=deck[51]), "deck", 51, to=deck[50]), "deck"),
        "the next nonce": (changed(SOLO, "nonce", to=SOLO["nonce"] ^ 1), "deck"),
        "other words": (changed(SOLO, "words", to=[*SOLO["words"], ""]), "deck"),
        "hands changed places": (swapped(SOLO, "player", "dealer"), "cards"),
        "a card twice": (changed(SOLO, "round", "in", "dealer", to=SOLO["round"]["in"]["player"]), "cards"),
        "another seat's cards": (
            changed(BANKED, "round", "in", "seats", 0, "player", to=BANKED["round"]["in"]["banker"]),
            "cards",
        ),
        "one chip more": (changed(SOLO, "round", "out", "net", to=SOLO["round"]["out"]["net"] + 1), "payout"),
        "chips as a float": (changed(SOLO, "round", "out", "net", to=float(SOLO["round"]["out"]["net"])), "payout"),
        "a line is missing": (changed(SOLO, "round", "out", "lines", to={}), "payout"),
        "a line too many": (changed(SOLO, "round", "out", "tip", to=0), "payout"),
        "the bank's chips": (changed(BANKED, "round", "out", "banker_net", to=12345), "payout"),
    }
    ours = [fair.verify(mapping) for mapping, _ in broken.values()]

    found = await verdicts(checker, [mapping for mapping, _ in broken.values()])

    assert {name: verdict.get("failed") for name, verdict in zip(broken, found, strict=True)} == {
        name: step for name, (_, step) in broken.items()
    }
    assert all(verdict["message"] for verdict in found)
    assert [each.step.value for each in ours if isinstance(each, fair.Failed)] == [step for _, step in broken.values()]


@browsing
async def test_the_checker_takes_no_transcript_that_says_two_things_under_one_key(visit: Visit) -> None:
    checker = await visit.open("/verify")
    sound = json.dumps(SOLO)
    texts = [
        sound.replace('"v": 1', '"v": 2, "v": 1', 1),
        sound.replace('"net":', '"n\\u0065t": 0, "net":', 1),
        sound.replace('"v": 1', '"v": 1, "words": ["\\"words\\": {"]', 1),
        sound,
    ]

    found = await checker.evaluate("(texts) => Promise.all(texts.map((text) => q64verify(text)))", texts)

    assert [verdict.get("failed") for verdict in found] == ["format", "format", "format", None]


@browsing
async def test_the_checker_settles_like_the_referee(visit: Visit) -> None:
    """From short packs, in which straights, flushes, trips and straight flushes are common."""
    checker = await visit.open("/verify")
    chance, rounds = Random(6), []
    for number in range(1200):
        ranks = chance.choice(["QKA", "23A", "9TJQ", "A2345", "23456789TJQKA"])
        pack = [card for card in PACK if card.rank.letter in ranks and (number % 2 or card.suit.value in "hs")]
        drawn = chance.sample(pack, min(12, len(pack)) // 3 * 3)
        hands = [cards_text(drawn[first : first + 3]) for first in range(0, len(drawn), 3)]
        rounds.append(banked_round(chance, hands) if number % 4 == 0 else solo_round(chance, hands[0], hands[1]))

    found = await checker.evaluate(
        "(rounds) => rounds.map((given) => { const round = roundFrom(given); return (round.table ? settleTable : settleSolo)(round); })",
        rounds,
    )

    right = [referee(given) for given in rounds]
    assert found == right
    seen = {answer["player_category"] for answer in right if "result" in answer}
    assert len(seen) == 6
    assert {answer["result"] for answer in right if "result" in answer} == {
        *("not_qualified", "win", "lose", "tie", "fold", "no_ante")
    }


@browsing
async def test_the_checker_draws_again_what_would_favour_a_card(visit: Visit) -> None:
    """For 52 cards numbers from 4,294,967,248 up are refused, the one below is not."""
    checker = await visit.open("/verify")
    draw = """async (first) => {
      numbers = async function* () { yield first; for (;;) yield 7; };
      return shuffled(null, [], 1n);
    }"""

    allowed = await checker.evaluate(draw, 4_294_967_247)
    refused = await checker.evaluate(draw, 4_294_967_248)

    assert allowed[51] == str(PACK[51])
    assert refused[51] == str(PACK[7])  # the next number's; the refused one would have been 0


@browsing
async def test_the_example_is_the_designs_vector_and_many_are_checked_at_once(visit: Visit) -> None:
    checker = await visit.open("/verify")

    await checker.get_by_test_id("example").click()
    await expect(checker.locator(".deck span").first).to_have_text("Q♣")
    shown = json.loads(await checker.get_by_test_id("transcript").input_value())
    lines = [SOLO, changed(SOLO, "commitment", to="0" * 64), BANKED]
    await checker.get_by_test_id("transcript").fill("\n".join(json.dumps(each) for each in lines))
    await checker.get_by_test_id("check").click()

    assert (shown["secret"], shown["commitment"]) == (bytes(range(32)).hex(), VECTOR["commitment"])
    assert " ".join(shown["deck"][:9]) == VECTOR["deck"]
    await expect(checker.get_by_test_id("results")).to_contain_text("1 of 3 deals do not hold")
    await checker.get_by_test_id("transcript").fill("[1")
    await checker.get_by_test_id("check").click()
    await expect(checker.get_by_test_id("results")).to_contain_text("This is not JSON")
    assert visit.complaints == []
