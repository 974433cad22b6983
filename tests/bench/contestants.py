"""
The bots that race, each in a process of its own: python -m tests.bench.contestants NAME API TOKEN [DATABASE].

All of them answer a message with a board and a tap with an answer and an edit. Every line on stdin is answered on
stdout with the CPU seconds and the memory used so far; they end with whoever started them.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from itertools import count
from pathlib import Path
from types import ModuleType

TEXT = (
    "<b>You</b>: Q♠ 6♥ 4♦ <i>queen high</i>\n<b>Bank</b>: K♣ 9♠ 2♥ <i>king high</i>\n\nAnte 25 and Play 25: the bank has "
    "the better hand, you lose 50\nPair Plus 5: no pair, you lose 5\n\nChips {chips}\nSeal of the next deal "
    "<code>0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9</code>"
)
KEYS = [[(f"🪙 Key {row}{n}", f"1:a:1z:4k:{row}:{n}") for n in range(4)] for row in range(2)]
chips = count(445)


class NoSniffio(MetaPathFinder):
    """The file system searched as for a package that is not installed, then told that it is not."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == "sniffio":
            PathFinder.find_spec("sniffio_absent", path, target)
            raise ModuleNotFoundError(fullname, name=fullname)
        return None


def report() -> None:
    """Answer lines on stdin from a thread, so that a busy loop does not matter."""
    page = os.sysconf("SC_PAGE_SIZE")
    statm = Path("/proc/self/statm")
    answers = sys.stdout  # which a contestant that prints has not turned away yet
    for _ in sys.stdin:
        resident = int(statm.read_text().split()[1]) * page if statm.exists() else 0
        answers.write(f"{time.process_time()} {resident}\n")
        answers.flush()
    os._exit(0)  # the race is over; nothing here is worth a good-bye


def stock(api: str, token: str, *, concurrent: bool, sniffio: bool) -> None:
    """python-telegram-bot as its documentation shows it, with its own client."""
    if sniffio:
        pass
    else:
        sys.meta_path.insert(0, NoSniffio())
    from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update  # noqa: PLC0415 - the same
    from telegram.constants import ParseMode  # noqa: PLC0415 - the same
    from telegram.ext import ApplicationBuilder, CallbackQueryHandler, MessageHandler, filters  # noqa: PLC0415

    def keyboard() -> InlineKeyboardMarkup:
        return InlineKeyboardMarkup(
            [[InlineKeyboardButton(text, callback_data=key) for text, key in row] for row in KEYS]
        )

    async def said(update: Update, _: object) -> None:
        assert update.message is not None
        text = TEXT.format(chips=next(chips))
        await update.message.reply_text(text, parse_mode=ParseMode.HTML, reply_markup=keyboard())

    async def tapped(update: Update, _: object) -> None:
        query = update.callback_query
        assert query is not None
        await query.answer()
        text = TEXT.format(chips=next(chips))
        await query.edit_message_text(text, parse_mode=ParseMode.HTML, reply_markup=keyboard())

    application = ApplicationBuilder().token(token).base_url(api).concurrent_updates(concurrent).build()
    application.add_handler(CallbackQueryHandler(tapped))
    application.add_handler(MessageHandler(filters.ALL, said))
    application.run_polling(stop_signals=None)


def aiogram(api: str, token: str) -> None:
    from aiogram import Bot, Dispatcher  # noqa: PLC0415 - six seconds and 120 MiB that only this one pays
    from aiogram.client.session.aiohttp import AiohttpSession  # noqa: PLC0415 - the same
    from aiogram.client.telegram import TelegramAPIServer  # noqa: PLC0415 - the same
    from aiogram.enums import ParseMode  # noqa: PLC0415 - the same
    from aiogram.types import CallbackQuery, InlineKeyboardButton, InlineKeyboardMarkup, Message  # noqa: PLC0415

    def keyboard() -> InlineKeyboardMarkup:
        rows = [[InlineKeyboardButton(text=text, callback_data=key) for text, key in row] for row in KEYS]
        return InlineKeyboardMarkup(inline_keyboard=rows)

    dispatcher = Dispatcher()

    @dispatcher.message()
    async def said(message: Message) -> None:
        text = TEXT.format(chips=next(chips))
        await message.answer(text, parse_mode=ParseMode.HTML, reply_markup=keyboard())

    @dispatcher.callback_query()
    async def tapped(query: CallbackQuery) -> None:
        await query.answer()
        assert isinstance(query.message, Message)
        text = TEXT.format(chips=next(chips))
        await query.message.edit_text(text, parse_mode=ParseMode.HTML, reply_markup=keyboard())

    async def run() -> None:
        session = AiohttpSession(api=TelegramAPIServer.from_base(api.removesuffix("/bot")))
        await dispatcher.start_polling(Bot(token, session=session), handle_signals=False)

    asyncio.run(run())


def floor(api: str, token: str) -> None:
    """Our own transport, intake and painter under an answer and an edit: what the whole bot could at best be."""
    from tests.bench.floor import run  # noqa: PLC0415 - imports the bot

    asyncio.run(run(api, token, (TEXT.format(chips=number) for number in chips), KEYS))


def whole(api: str, token: str, database: str, port: str = "") -> None:
    """Everything, as `q64 run` joins it; only the painter's budgets per chat are out of the way. With a port, a webhook."""
    from bot import app  # noqa: PLC0415 - the same
    from bot.settings import read_settings  # noqa: PLC0415 - the same
    from tests.bench.floor import UNLIMITED  # noqa: PLC0415 - imports the bot
    from tests.bench.front import SECRET  # noqa: PLC0415 - the same

    hook = {"webhook_url": "https://bench.example/", "webhook_secret": SECRET, "port": int(port)} if port else {}
    settings = read_settings(
        _env_file=None, bot_token=token, bot_api_url=api, database_url=database, log_format="json", **hook
    )

    async def run() -> None:
        await app.serve(settings, stop=asyncio.Event(), ready=lambda _: None, limits=UNLIMITED)

    asyncio.run(run())


def as_started(api: str, token: str, database: str) -> None:
    """`q64 run`, from its first line on."""
    os.environ.update(BOT_TOKEN=token, BOT_API_URL=api, DATABASE_URL=database, LOG_FORMAT="json")
    sys.argv = ["q64", "run"]
    from bot.cli import main as q64  # noqa: PLC0415 - the same

    with contextlib.redirect_stdout(sys.stderr):  # standard output is the race's
        q64()


CONTESTANTS: Mapping[str, Callable[..., None]] = {
    "stock": lambda api, token: stock(api, token, concurrent=True, sniffio=False),
    "stock, sniffio": lambda api, token: stock(api, token, concurrent=True, sniffio=True),
    "stock, in a row": lambda api, token: stock(api, token, concurrent=False, sniffio=False),
    "stock, in a row, sniffio": lambda api, token: stock(api, token, concurrent=False, sniffio=True),
    "aiogram": aiogram,
    "floor": floor,
    "q64 SQLite": whole,
    "q64 PostgreSQL": whole,
    "q64 worker": whole,
    "q64 run": as_started,
}


def main() -> None:
    name, *where = sys.argv[1:]
    threading.Thread(target=report, daemon=True).start()
    CONTESTANTS[name](*where)


if __name__ == "__main__":
    main()
