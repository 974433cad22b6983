"""What an operator should know before and while the bot runs: one line a thing, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from babel.messages.pofile import read_po
from telegram import WebhookInfo
from telegram.error import InvalidToken, TelegramError
from telegram.ext import ExtBot

from bot.i18n import SOURCE, Catalogues, locales_folder
from bot.settings import BadSetting, Settings
from bot.storage import StorageError, StorageUnavailable, schema_state
from bot.storage.addresses import shown, sqlite_path
from bot.storage.explained import in_words
from bot.storage.inspection import drift
from bot.storage.upkeep import condition
from bot.storage.version import HEAD, found_revision
from bot.transport import application

_LITTLE: Final = 500 * 2**20  # bytes left, below which it is time to look
_TOO_LITTLE: Final = 50 * 2**20
_MANY_WAIT: Final = 100  # updates
_LATELY: Final = timedelta(hours=1)
_MIB: Final = 2**20


class State(StrEnum):
    """How well a thing is; a single failure makes the command fail."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One line of the doctor's."""

    name: str
    state: State
    said: str
    advice: str = ""  # what to do; empty where nothing is


def _ok(name: str, said: str) -> Check:
    return Check(name=name, state=State.OK, said=said)


def _warn(name: str, said: str, advice: str) -> Check:
    return Check(name=name, state=State.WARN, said=said, advice=advice)


def _fail(name: str, said: str, advice: str) -> Check:
    return Check(name=name, state=State.FAIL, said=said, advice=advice)


# Telegram


async def telegram(settings: Settings, now: datetime) -> list[Check]:
    """Token, privacy mode, groups and webhook, as Telegram says."""
    try:
        joined = application(settings.token, base_url=settings.bot_api_url)
    except BadSetting as error:
        return [_fail("token", "not set", str(error))]
    bot: ExtBot[None] = joined.bot
    try:
        await bot.initialize()
        return [*_about(bot), *_webhook(await bot.get_webhook_info(), settings, now)]
    except InvalidToken:
        return [_fail("token", "Telegram does not know it", "check BOT_TOKEN against BotFather's message")]
    except TelegramError as error:
        advice = "check the network, and BOT_API_URL if it is set"
        return [_fail("telegram", f"cannot be reached ({error.message})", advice)]
    finally:
        await joined.shutdown()
        await bot.shutdown()


def _about(bot: ExtBot[None]) -> Iterator[Check]:
    me = bot.bot
    yield _ok("token", f"@{me.username}")
    if me.can_join_groups:
        yield _ok("groups", "may be added to groups")
    else:
        yield _warn("groups", "cannot be added to groups", "BotFather: /setjoingroups, Enable")
    if me.can_read_all_group_messages:
        yield _warn("privacy", "reads every message of its groups and needs none", "BotFather: /setprivacy, Enable")
    else:
        yield _ok("privacy", "in groups hears commands and replies to its messages, which is all it needs")


def _webhook(info: WebhookInfo, settings: Settings, now: datetime) -> Iterator[Check]:
    wanted, there = settings.webhook_url, info.url or ""
    host = urlsplit(there).hostname or "somewhere"
    if wanted and there != wanted:
        advice = "q64 run sets it; if it runs, something else has changed it"
        yield _warn("webhook", f"WEBHOOK_URL is set, Telegram sends to {host if there else 'nobody'}", advice)
    elif not wanted and there:
        advice = "q64 run takes it away and polls; set WEBHOOK_URL to keep it"
        yield _warn("webhook", f"Telegram sends updates to {host}, WEBHOOK_URL is not set", advice)
    else:
        yield _ok("webhook", f"Telegram sends updates to {host}" if there else "none: the bot polls")
    failed = info.last_error_date
    if there and failed is not None and now - failed < _LATELY:
        advice = "see that the address is reached from outside, and its certificate holds"
        yield _warn("webhook", f"Telegram could not deliver at {failed:%H:%M} UTC: {info.last_error_message}", advice)
    if info.pending_update_count > _MANY_WAIT:
        yield _warn("updates", f"{info.pending_update_count} wait at Telegram", "start the bot, or see why it is slow")


# The database


def database(settings: Settings) -> Iterator[Check]:
    """Reachable, of this release's schema, writable, with room, and with books that add up."""
    url = settings.database_url
    try:
        state = schema_state(url)
        if state == "empty" or (state == "older" and sqlite_path(url) is not None):
            yield from _not_there_yet(url, state)
            return
        if state != "current":
            yield from _other_schema(url, state)
            return
        yield _ok("database", shown(url))
        yield _ok("schema", HEAD)
        yield from _condition(url)
        yield from _books(url)
    except StorageUnavailable as error:
        yield _fail("database", f"cannot be used: {error.reason}", in_words(error))
    except StorageError as error:
        yield _fail("database", "cannot be used", in_words(error))


def _not_there_yet(url: str, state: str) -> Iterator[Check]:
    if sqlite_path(url) is None:
        yield _fail("schema", "none yet", "q64 migrate")
    elif state == "empty":
        yield _ok("database", f"{shown(url)} is not there yet; q64 run makes it")
    else:
        yield _warn("schema", f"{found_revision(url)}, older than {HEAD}", "q64 run upgrades it, and keeps a copy")


def _other_schema(url: str, state: str) -> Iterator[Check]:
    found = found_revision(url)
    if state == "older":
        yield _fail("schema", f"{found}, older than {HEAD}", "make a backup, then q64 migrate")
    else:
        advice = "install that release again, or put a backup from before it in its place"
        yield _fail("schema", f"{found}, of a newer release than this one ({HEAD})", advice)


def _condition(url: str) -> Iterator[Check]:
    found = condition(url)
    if found.writable:
        yield _ok("writing", "works")
    else:
        advice = "give this user the right to write the file and its folder; see that no other process holds it"
        yield _fail("writing", "refused", advice)
    if found.journal and found.journal != "wal":
        yield _warn("journal", found.journal, "q64 run turns it to wal")
    elif found.journal:
        yield _ok("journal", found.journal)
    if found.free is not None:
        yield _disk(found.free)


def _disk(free: int) -> Check:
    said = f"{free // _MIB:,} MiB left"
    if free < _TOO_LITTLE:
        return _fail("disk", said, "make room: a full disk stops every deal")
    return _warn("disk", said, "make room before long") if free < _LITTLE else _ok("disk", said)


def _books(url: str) -> Iterator[Check]:
    chips = drift(url)
    if chips:
        yield _fail("ledger", f"is off by {chips} chips", "q64 audit says where")
    else:
        yield _ok("ledger", "adds up to zero")


# Languages


def languages() -> Iterator[Check]:
    """Every catalogue can be read, and has every sentence."""
    folder = locales_folder()
    try:
        with (folder / "q64.pot").open("rb") as file:
            wanted = {message.id for message in read_po(file) if message.id}
    except (OSError, ValueError):
        yield _warn("languages", "the list of sentences is missing", "install the package anew")
        return
    short = []
    catalogues = Catalogues()
    for language in catalogues.languages:
        if language == SOURCE:
            continue
        have = catalogues.words(language)
        missing = sum((key[0] if isinstance(key, tuple | list) else key) not in have.messages for key in wanted)
        if missing:
            short.append(f"{language} lacks {missing}")
    said = f"{len(catalogues.languages)}, {len(wanted)} sentences each"
    if short:
        yield _warn("languages", "; ".join(short), "what is missing is said in English")
    else:
        yield _ok("languages", said)
