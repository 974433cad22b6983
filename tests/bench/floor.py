"""Our own floor: transport, intake and painter without database and game; and a painter without budgets."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence

from telegram import Update
from telegram.ext import CallbackQueryHandler, MessageHandler, filters

from bot import telemetry
from bot.app import SystemClock, spare_the_collector
from bot.facts import Tap, Verb
from bot.intake import KINDS, Intake, Visitor, Why
from bot.painter import Limits, Painter, Picture
from bot.transport import AiohttpRequest, UpdateSource, application
from bot.views.kit import Key, View

UNLIMITED = Limits(
    gap=0.0, burst=10**6, group_burst=10**6, group_minute=10**9, kept_for_new=0, betting_gap=0.0, calm_gap=0.0
)


class NoStore:
    async def sent(self, board: int, *, chat_id: int, message_id: int, version: int) -> bool:  # noqa: ARG002
        return True

    async def painted(self, versions: Mapping[int, int]) -> None: ...

    async def keys_taken(self, board: int, message_id: int) -> None: ...

    async def lives(self, chat_id: int, message_id: int) -> bool:  # noqa: ARG002
        return False


class NoReception:
    def heard(self, chat_id: int) -> None: ...

    async def refuse(self, visitor: Visitor, why: Why, error_id: str) -> None: ...


async def run(api: str, token: str, texts: Iterator[str], keys: Sequence[Sequence[tuple[str, str]]]) -> None:
    telemetry.configure("json")
    clock, metrics = SystemClock(), telemetry.Metrics()
    request, poller = AiohttpRequest(), AiohttpRequest()
    joined = application(token, base_url=api, request=request, poller=poller)
    await joined.initialize()
    painter = Painter(joined.bot, clock, NoStore(), metrics, limits=UNLIMITED)
    versions = iter(range(1, 2**62))

    def show(chat: int, message: int | None) -> None:
        rows = tuple(
            tuple(
                Key(label=label, tap=Tap(verb=Verb.ADD, board=71, round=164, numbers=(r, n)))
                for n, (label, _) in enumerate(row)
            )
            for r, row in enumerate(keys)
        )
        view = View(text=next(texts), keys=rows)
        painter.show(Picture(board=chat, version=next(versions), view=view, chat_id=chat, message_id=message))

    async def tapped(update: Update, _: object) -> None:
        query = update.callback_query
        assert query is not None
        assert query.message is not None
        show(query.message.chat.id, query.message.message_id)
        await painter.answer(query.id)

    async def said(update: Update, _: object) -> None:
        assert update.message is not None
        show(update.message.chat.id, None)

    joined.add_handler(CallbackQueryHandler(tapped))
    joined.add_handler(MessageHandler(filters.UpdateType.MESSAGE, said))
    mask = telemetry.masker(secrets.token_bytes(16))
    intake = Intake(joined, clock, metrics, NoReception(), name=joined.bot.username, mask=mask)
    spare_the_collector()
    await intake.run_polling(UpdateSource(joined.bot, poller, KINDS))
