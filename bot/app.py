"""The composition root: makes the clock and the rooms, and joins them; nothing else does."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

os.environ.setdefault("PTB_TIMEDELTA", "true")  # before telegram is imported: RetryAfter in time, without a warning

import structlog
from telegram.error import InvalidToken, TelegramError

from bot import telemetry
from bot.facts import Clock
from bot.handlers import table as table_handlers
from bot.handlers.admins import Admins
from bot.handlers.calendar import Calendar
from bot.handlers.desk import Desk
from bot.handlers.dispatch import Dispatch
from bot.handlers.reception import FrontDesk
from bot.i18n import Catalogues
from bot.intake import KINDS, Intake, TwoPollers
from bot.introduction import introduce
from bot.jobs import Jobs, Keeping
from bot.painter import TELEGRAM, Leases, Limits, Painter, StoredLeases, StoredPictures
from bot.services import people, table, table_course
from bot.settings import BadSetting, Settings, read_settings
from bot.storage import StorageError, Store, migrate, open_store, schema_state
from bot.storage.addresses import address_of, shown, sqlite_path
from bot.storage.explained import in_words
from bot.storage.lock import TakenElsewhere, alone, lock_file
from bot.storage.timers import REPAINT
from bot.transport import AiohttpRequest, Q64Application, UpdateSource, application
from bot.watch import Watch

log = structlog.get_logger(__name__)
_SECRET_BYTES = 32
_OWNER_BITS = 62  # of the number under which this process holds chats
_NO_TOPIC = ("message thread not found", "topic_deleted")
_LAST_BATCH = 4.0  # seconds for what came in before a SIGTERM; what is not done by then comes again
_MENUS_AFTER = 1.0  # seconds
_GRACE = 4.0  # seconds to paint after it; with closing, ten in all
_TOKEN_UNKNOWN = "Telegram does not know this token: check BOT_TOKEN against BotFather's message."  # noqa: S105 - words


class Refused(Exception):  # noqa: N818 - read as a noun
    """Raised with one sentence for the operator when the bot cannot run."""


class SystemClock:
    """The time of this machine; the only place that reads it."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """All rooms of one running bot."""

    application: Q64Application
    source: UpdateSource
    store: Store
    painter: Painter
    intake: Intake
    jobs: Jobs
    metrics: telemetry.Metrics
    catalogues: Catalogues
    watch: Watch

    @property
    def name(self) -> str:
        """The bot's username, without @."""
        return str(self.application.bot.username)

    async def close(self) -> None:
        """Finish what came in, paint what it changed, and let go of network and database."""
        self.intake.stop()
        self.jobs.stop()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await self.intake.rest()
                await self.jobs.rest()
                await self.painter.rest()
        await self.painter.close()
        await self.application.shutdown()
        await self.store.close()


async def build(
    settings: Settings,
    *,
    clock: Clock | None = None,
    chance: Callable[[], bytes] = lambda: secrets.token_bytes(_SECRET_BYTES),
    limits: Limits = TELEGRAM,
) -> House:
    """
    Open the database, meet Telegram, and join the rooms; the first thing that fails ends in a sentence.

    :raises Refused: If the database cannot be used, or Telegram cannot be reached or does not know the token.
    """
    clock = clock or SystemClock()
    store = await _store(settings.database_url)
    request, poller = AiohttpRequest(), AiohttpRequest()
    joined = application(settings.token, base_url=settings.bot_api_url, request=request, poller=poller)
    try:
        await joined.initialize()
    except TelegramError as error:
        await joined.bot.shutdown()  # the application itself is not started, and would do nothing
        await store.close()
        raise Refused(_why_not(error)) from None
    metrics = telemetry.Metrics()
    painter = _painter(joined, store, clock, metrics, chance=chance, limits=limits)
    desk = Desk(
        store=store,
        painter=painter,
        clock=clock,
        catalogues=Catalogues(),
        bot_id=joined.bot.id,
        bot_name=joined.bot.username,
        operator=settings.operator,
        admins=Admins(joined.bot, clock),
        chance=chance,
    )
    painter.load(desk.repaint)
    Dispatch(desk).register(joined)
    return House(
        application=joined,
        source=UpdateSource(joined.bot, poller, KINDS),
        store=store,
        painter=painter,
        intake=Intake(
            joined,
            clock,
            metrics,
            FrontDesk(desk),
            name=joined.bot.username,
            mask=telemetry.masker(secrets.token_bytes(16)),
            allows=settings.allows,
        ),
        jobs=_jobs(desk, settings),
        metrics=metrics,
        catalogues=desk.catalogues,
        watch=Watch(store, clock, metrics, database=settings.database_url, lag=painter.lag),
    )


def _painter(
    joined: Q64Application,
    store: Store,
    clock: Clock,
    metrics: telemetry.Metrics,
    *,
    chance: Callable[[], bytes],
    limits: Limits,
) -> Painter:
    return Painter(
        joined.bot,
        clock,
        StoredPictures(store),
        metrics,
        limits=limits,
        on_chat_lost=lambda chat, reason: _lost(store, clock, chance, chat, reason),
        on_migrated=lambda old, new: store.run(people.moved, old, new, now=clock.now()),
        leases=Leases(StoredLeases(store, secrets.randbits(_OWNER_BITS)), clock) if store.shared else None,
    )


def _jobs(desk: Desk, settings: Settings) -> Jobs:
    calendar = Calendar(desk)
    return Jobs(
        desk.store,
        desk.clock,
        desk.painter,
        {
            table_course.TIMER: lambda timer: table_handlers.rang(desk, timer.subject),
            REPAINT: lambda timer: desk.painter.repaint([timer.subject]),
            **calendar.timers,
        },
        keeping=Keeping(
            boards=timedelta(days=settings.keep_boards_days), marks=timedelta(days=settings.keep_marks_days)
        ),
        at_start=calendar.begin,
        shared=desk.store.shared,
    )


async def _lost(store: Store, clock: Clock, chance: Callable[[], bytes], chat: int, reason: str) -> None:
    """A chat cannot be written to: whoever is there waits, and no undealt bet of its table does (F09 to F11)."""
    await store.run(people.lost, chat)
    topic_gone = any(words in reason.lower() for words in _NO_TOPIC)
    await store.run(table.stranded, chat, topic_gone=topic_gone, secret=chance(), now=clock.now())


async def _store(url: str) -> Store:
    """The open database; a SQLite file is brought to this release's schema, PostgreSQL only by `q64 migrate`."""
    try:
        if url.startswith("sqlite:"):
            await asyncio.to_thread(migrate, url)
        return await open_store(url)
    except StorageError as error:
        raise Refused(in_words(error)) from None
    except OSError as error:
        raise Refused(_cannot_be_opened(error)) from None


def _cannot_be_opened(error: OSError) -> str:
    return (
        f"The database cannot be opened ({error.strerror}): give this user the right to write the file and its folder."
    )


def _why_not(error: TelegramError) -> str:
    if isinstance(error, InvalidToken):
        return _TOKEN_UNKNOWN
    return f"Telegram cannot be reached ({error.message}): check the network, and BOT_API_URL if it is set."


async def _introduce_soon(house: House) -> None:
    """All catalogues are read for the menus; whoever wrote while the bot was away is served before that."""
    await asyncio.sleep(_MENUS_AFTER)
    await introduce(house.application.bot, house.catalogues)


async def serve(
    settings: Settings, *, stop: asyncio.Event, ready: Callable[[str], None], limits: Limits = TELEGRAM
) -> None:
    """
    Run the bot until *stop*: by polling, or by a webhook where WEBHOOK_URL is set.

    On a SQLite file only one process of this computer does (F125). Where a port is set, polling serves health and
    numbers as well.

    :raises Refused: With one sentence, if it cannot run.
    """
    telemetry.configure(settings.log_format, secrets=settings.secrets)
    with _alone(settings.database_url):
        await _serve(settings, stop=stop, ready=ready, limits=limits, watched=settings.watched)


@contextlib.contextmanager
def _alone(url: str) -> Iterator[None]:
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(alone(url))
        except TakenElsewhere as other:
            raise Refused(
                f"Another q64 runs on {shown(url)} already (process {other.process or 'unknown'}): "
                "stop that one, or give this one a DATABASE_URL of its own."
            ) from None
        except StorageError as error:
            raise Refused(in_words(error)) from None
        except OSError as error:
            raise Refused(_cannot_be_opened(error)) from None
        yield


async def _serve(
    settings: Settings, *, stop: asyncio.Event, ready: Callable[[str], None], limits: Limits, watched: bool
) -> None:
    try:
        _ = settings.token
        created = schema_state(settings.database_url) == "empty"
    except BadSetting as error:
        raise Refused(str(error)) from None
    except StorageError as error:
        raise Refused(in_words(error)) from None
    house = await build(settings, limits=limits)
    try:
        house.painter.aside(_introduce_soon(house))
        spare_the_collector()
        receive = _webhook if settings.webhook_url else _poll
        async with _site(house, settings) if watched else contextlib.nullcontext():
            ready(_running(house, settings, created=created))
            log.info("started", bot=house.name, database=shown(settings.database_url), created=created)
            await _beside(house, receive(house, settings, stop))
    finally:
        await house.close()


def _running(house: House, settings: Settings, *, created: bool) -> str:
    """Who it is, and where the data is (F121)."""
    url = settings.database_url
    path = sqlite_path(url)
    where = shown(url) if path is None else str(path.absolute())
    new = ", just created" if created else ""
    return f"@{house.name} is running; its data is in {where}{new}. Ctrl+C ends."


def spare_the_collector() -> None:
    """
    What start-up made stays, and hardly any of it is garbage: nobody looks through it again.

    That would be an eighth of a busy bot's work, and as much of a start, for which `q64 run` holds the collector back.
    """
    gc.freeze()
    gc.enable()


async def _beside(house: House, receiving: Coroutine[Any, Any, None]) -> None:
    """Timers and figures beside the updates, until no more are taken."""
    beside = [asyncio.create_task(_told(work)) for work in (house.jobs.run(), house.watch.run())]
    try:
        await receiving
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)


async def _told(work: Coroutine[Any, Any, None]) -> None:
    """The log is told of what ends too early; nobody else waits for it."""
    try:
        await work
    except Exception:
        log.exception("ended_too_early")


@contextlib.asynccontextmanager
async def _site(house: House, settings: Settings) -> AsyncIterator[None]:
    """The web site for health, numbers and the webhook, if there is one."""
    from bot import server  # a web framework that polling alone does without

    hook = urlsplit(settings.webhook_url)
    site = server.site(
        receive=house.intake.receive if settings.webhook_url else None,
        secret=settings.webhook_secret.get_secret_value() if settings.webhook_secret else "",
        troubles=house.watch.troubles,
        metrics=house.metrics.text,
        path=hook.path or "/",
    )
    web = server.WebServer(site, port=settings.port, grace=_LAST_BATCH)
    try:
        web.listen()
    except OSError as error:
        raise Refused(f"Port {settings.port} cannot be used: {error.strerror}. Set PORT to another one.") from None
    serving = asyncio.create_task(web.run())
    try:
        yield
    finally:
        web.stop()
        await asyncio.gather(serving, return_exceptions=True)


async def _poll(house: House, _settings: Settings, stop: asyncio.Event) -> None:
    try:
        await house.application.bot.delete_webhook()
    except TelegramError as error:
        raise Refused(_why_not(error)) from None
    polling = asyncio.create_task(house.intake.run_polling(house.watch.listen(house.source)))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({polling, stopping}, return_when=asyncio.FIRST_COMPLETED)
    house.intake.stop()
    stopping.cancel()
    try:
        async with asyncio.timeout(_LAST_BATCH):
            await polling
    except TimeoutError:
        log.warning("stopped_in_a_batch")
    except TwoPollers as error:
        raise Refused(f"{error} Stop the other one; this one then starts.") from None
    except InvalidToken as error:
        raise Refused(_why_not(error)) from None


async def _webhook(house: House, settings: Settings, stop: asyncio.Event) -> None:
    secret = settings.webhook_secret.get_secret_value() if settings.webhook_secret else ""
    try:
        await house.application.bot.set_webhook(settings.webhook_url, secret_token=secret, allowed_updates=KINDS)
    except TelegramError as error:
        raise Refused(_why_not(error)) from None
    await stop.wait()


async def play(
    folder: Path, *, port: int, reset: bool, stop: asyncio.Event, ready: Callable[[str, Path], None]
) -> None:
    """
    The playground: the local Bot API with its chat page, and the real bot against it, until *stop*.

    *ready* is told the page's address and the folder.

    :raises Refused: With one sentence, if the bot cannot run.
    :raises OSError: If the port is taken.
    """
    from bot import playground
    from bot.playground.page import routes

    telemetry.configure("console")
    world_file, database = folder / "world.db", folder / "q64.db"
    url = address_of(database)
    with _alone(url):
        if reset:
            playground.forget(world_file)
            await asyncio.to_thread(_forget, database)
        world = playground.World(world_file)
        async with await playground.serve(world, port=port, routes=routes()) as running:
            settings = read_settings(
                _env_file=None,
                bot_token=playground.LOCAL_TOKEN,
                bot_api_url=running.base_url,
                database_url=url,
                webhook_url="",
                allowed_chats="",
            )
            started = partial(ready, running.url, folder)
            await _serve(settings, stop=stop, ready=lambda _: started(), limits=TELEGRAM, watched=False)


def _forget(database: Path) -> None:
    for file in database.parent.glob(f"{database.name}*"):
        if file != lock_file(database):
            file.unlink()
