"""`/fair`, `/verify`, seals and proofs."""

from __future__ import annotations

import asyncio
import base64
import re
from math import ceil

from bot.facts import Tap, Verb, Who
from bot.handlers import outings, parsing
from bot.handlers.cooldown import Cooldown
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer, Commands, Said, Taps
from bot.refusals import FileTooSoon
from bot.services import transcripts
from bot.tables import TableProof
from bot.views import table_proof
from bot.views import transcripts as views
from bot.views.kit import View

SEAL = re.compile(r"[0-9a-f]{64}")
MOST_FILE = 1 << 20  # bytes of a transcript that somebody brings


async def seal(desk: Desk, who: Who, commitment: str) -> None:
    """`/start <commitment>`, from the link on a board."""
    if await outings.seal(desk, who, commitment):
        return
    found = await desk.store.read(transcripts.by_seal, who, commitment)
    page = await desk.here_page(who)
    if isinstance(found, TableProof):
        desk.say(who, table_proof.sealed(found, page))
    else:
        desk.say(who, views.sealed(found.round, page, own=found.own))


async def fair_command(desk: Desk, who: Who, said: Said) -> None:
    """`/fair`: how a deal is fixed, and one's own words for the next; `/fair lucky socks` sets them."""
    if said.rest:
        await desk.run(transcripts.choose_words, who, said.rest, now=desk.clock.now())
    desk.say(who, await _story(desk, who))


async def _story(desk: Desk, who: Who) -> View:
    example = await desk.store.read(transcripts.latest, who)
    words = await desk.store.read(transcripts.words_of, who)
    night = await desk.store.read(transcripts.has_night, who)
    return views.story(words, example, await desk.here_page(who), night=night)


async def verify_command(desk: Desk, who: Who, said: Said) -> None:
    """`/verify` a hand's number, a pasted transcript, or the file or text it replies to."""
    page = await desk.here_page(who)
    number = parsing.amounts(said.rest)
    if number and len(number) == 1:
        found = await desk.store.read(transcripts.by_number, who, number[0])
        if isinstance(found, TableProof):
            desk.say(who, table_proof.proof(found, page))
        else:
            desk.say(who, View(text=views.proof(found.round, page), keys=views.proof_keys(found.round, page)))
        return
    if said.replied_file:
        _once_in_a_while(desk.checks, desk, who)
        desk.painter.aside(_verify_file(desk, who, said.replied_file))
        return
    brought = said.rest or said.replied_text
    text = views.checked(_parsed(brought), page) if brought else page.t(
        "Say /verify and a hand’s number, paste a transcript behind it, or reply with it to a file."
    )  # fmt: skip
    desk.say(who, View(text=text))


async def _verify_file(desk: Desk, who: Who, file_id: str) -> None:
    page = await desk.here_page(who)
    content = await desk.painter.download(file_id, MOST_FILE)
    if content is None:
        text = page.t("That file cannot be read.")
    else:
        text = await asyncio.to_thread(views.checked_lines, content, page)  # hundreds of hands take their time (F126)
    desk.say(who, View(text=text))


def _parsed(text: str) -> object:
    try:
        return views.read(text)
    except (ValueError, RecursionError):
        return None


async def _file(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    found = await desk.store.read(transcripts.by_number, who, tap.round)
    if isinstance(found, TableProof):
        name, content = table_proof.transcript_file(found, await desk.reader_page(who))
    else:
        name, content = views.transcript_file(found.round)
    return await _sent(desk, who, name, content)


async def _night_file(desk: Desk, who: Who, _tap: Tap, _query_id: str) -> Answer:
    _once_in_a_while(desk.nights, desk, who)
    hands = await desk.store.read(transcripts.night, who)
    name, content = views.night_file(hands, await desk.reader_page(who))
    return await _sent(desk, who, name, content)


def _once_in_a_while(cooldown: Cooldown, desk: Desk, who: Who) -> None:
    """Raise FileTooSoon for who had one a moment ago."""
    wait = cooldown.begin(who.user_id, desk.clock.now())
    if wait:
        raise FileTooSoon(ceil(wait))


async def _sent(desk: Desk, who: Who, name: str, content: bytes) -> Answer:
    page = await desk.reader_page(who)
    desk.give(who, name, content)
    return Answer(text=page.t("Here it comes."))


async def _new_words(desk: Desk, who: Who, _tap: Tap, _query_id: str) -> Answer:
    """Words drawn by chance; the toast names them, and in private the page does, too."""
    words = base64.b32encode(desk.chance()[:5]).decode().lower()
    chosen = await desk.run(transcripts.choose_words, who, words, now=desk.clock.now())
    page = await desk.reader_page(who)
    if page.private:
        desk.edit(who, await _story(desk, who))
    return Answer(text=page.t("Your words: {words}", words=chosen))


TAPS: Taps = {Verb.FILE: _file, Verb.NIGHT_FILE: _night_file, Verb.WORDS: _new_words}
COMMANDS: Commands = {"fair": fair_command, "verify": verify_command}
