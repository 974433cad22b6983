"""Telegram without a network: a PTB request whose answers a test scripts, under a real PTB bot."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from telegram.ext import ExtBot
from telegram.request import BaseRequest, RequestData

from bot.transport import TELEGRAM
from tests.clock import NOON, TurnedClock

TOKEN = "9000000001:AAE-made-up-token-for-tests-0123456789"
BOT = {"id": 9000000001, "is_bot": True, "first_name": "q64", "username": "q64_test_bot"}
Answer = tuple[int, dict[str, Any]] | BaseException


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One call as Telegram saw it."""

    method: str
    at: float  # seconds since the start of the test's clock
    fields: dict[str, Any] = field(default_factory=dict)

    @property
    def chat(self) -> int:
        return int(self.fields["chat_id"])

    @property
    def text(self) -> str:
        return str(self.fields.get("text", ""))


def refusal(code: int, description: str, **parameters: int) -> Answer:
    body: dict[str, Any] = {"ok": False, "error_code": code, "description": description}
    if parameters:
        body["parameters"] = parameters
    return code, body


class ScriptedTelegram(BaseRequest):
    """
    Answers every call as Telegram would if all were well, unless something is scripted.

    `script(method, answer)` is used once, `always(method, answer)` until it is taken back, `hold(method)` makes calls
    wait until `release`.
    """

    def __init__(self, clock: TurnedClock | None = None) -> None:
        self.calls: list[Sent] = []
        self._clock = clock or TurnedClock()
        self._scripts: dict[str, deque[Answer]] = {}
        self._always: dict[str, Answer] = {}
        self._gates: dict[str, asyncio.Event] = {}
        self._next_id = 5_000_000_000

    @property
    def read_timeout(self) -> float | None:
        return 1.0

    async def initialize(self) -> None: ...

    async def shutdown(self) -> None: ...

    def script(self, method: str, *answers: Answer) -> None:
        self._scripts.setdefault(method, deque()).extend(answers)

    def always(self, method: str, answer: Answer | None) -> None:
        if answer is None:
            self._always.pop(method, None)
        else:
            self._always[method] = answer

    def hold(self, method: str) -> None:
        self._gates[method] = asyncio.Event()

    def release(self, method: str) -> None:
        self._gates.pop(method).set()

    def of(self, *methods: str) -> list[Sent]:
        return [call for call in self.calls if call.method in methods]

    @property
    def texts(self) -> list[str]:
        return [call.text for call in self.of("sendMessage", "editMessageText")]

    async def do_request(  # noqa: PLR0917 - the signature is PTB's
        self,
        url: str,
        method: str,  # noqa: ARG002 - the signature is PTB's
        request_data: RequestData | None = None,
        read_timeout: Any = None,  # noqa: ARG002 - the same
        write_timeout: Any = None,  # noqa: ARG002 - the same
        connect_timeout: Any = None,  # noqa: ARG002 - the same
        pool_timeout: Any = None,  # noqa: ARG002 - the same
    ) -> tuple[int, bytes]:
        name = url.rpartition("/")[2]
        fields = {} if request_data is None else dict(request_data.json_parameters)
        self.calls.append(Sent(method=name, at=(self._clock.now() - NOON).total_seconds(), fields=fields))
        if (gate := self._gates.get(name)) is not None:
            await gate.wait()
        answer = self._scripts[name].popleft() if self._scripts.get(name) else self._always.get(name)
        if isinstance(answer, BaseException):
            raise answer
        status, body = answer or (200, {"ok": True, "result": self._usual(name, fields)})
        return status, json.dumps(body).encode()

    def _usual(self, name: str, fields: dict[str, Any]) -> Any:
        if name == "getMe":
            return BOT
        if name in {"sendMessage", "sendPhoto", "sendDocument"}:
            self._next_id += 1
            chat = {"id": int(fields["chat_id"]), "type": "private"}
            return {"message_id": self._next_id, "date": 1_790_000_000, "chat": chat}
        return True


def bot(telegram: ScriptedTelegram) -> ExtBot[None]:
    """A real PTB bot whose network is *telegram*."""
    return ExtBot(TOKEN, base_url=TELEGRAM, request=telegram, get_updates_request=telegram)
