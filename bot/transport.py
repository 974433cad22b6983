"""
The wire to Telegram: PTB's request class over aiohttp, and an application that keeps nothing per person.

Three rules of this room make a tap cheap: one session keeps its connections, replies that nobody reads stay unread,
and the picture inside a tap (text, entities, keyboard), which the database knows better, never becomes objects.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

os.environ.setdefault("PTB_TIMEDELTA", "true")  # PTB then gives retry_after as a timedelta and does not warn

import aiohttp
import orjson
from telegram import Bot, CallbackQuery, Chat, InaccessibleMessage, Update, User
from telegram.error import NetworkError, TelegramError, TimedOut
from telegram.ext import Application, ApplicationBuilder, CallbackContext, ExtBot
from telegram.request import BaseRequest, RequestData

Raw = dict[str, Any]  # an update as Telegram sent it
Timeout = Any  # PTB: seconds, None, or its own mark for "not said"
Context = CallbackContext[ExtBot[None], dict[Any, Any], dict[Any, Any], dict[Any, Any]]

TELEGRAM = "https://api.telegram.org/bot"
POLL_SECONDS = 30  # how long Telegram holds a getUpdates call; it allows 50
_CONNECTIONS = 128
_GARBAGE = 502  # what an answer that is no Bot API answer counts as
_JSON = MappingProxyType({"Content-Type": "application/json"})
_UNREAD = b'{"ok":true,"result":true}'
_UNREAD_METHODS = frozenset(
    {
        "answerCallbackQuery",
        "deleteMessage",
        "editMessageCaption",
        "editMessageReplyMarkup",
        "editMessageText",
        "sendChatAction",
        "setMessageReaction",
    }
)
_SENT_METHODS = frozenset({"sendMessage", "sendPhoto", "sendDocument", "sendDice"})
_SENT_FIELDS = ("message_id", "date", "chat", "dice")
_TAPPED_FIELDS = (
    "message_id",
    "date",
    "chat",
    "message_thread_id",
    "is_topic_message",
    "business_connection_id",
    "ephemeral_message_id",
)
_TAP = frozenset({"id", "from", "message", "chat_instance", "data"})  # a tap on a usual message's key ...
_PLACE = frozenset({"message_id", "date", "chat"})  # ... that is in no topic


class NotSent(NetworkError):  # noqa: N818 - an error is named by what is wrong
    """No connection came about: the call was certainly not executed."""


class AiohttpRequest(BaseRequest):
    """
    PTB's door to the network over one aiohttp session, made on `initialize`.

    Timeouts become `TimedOut`, everything else below the Bot API `NetworkError`; no error text holds an address, since
    addresses hold the token.
    """

    def __init__(
        self,
        *,
        read_timeout: float = 10.0,
        write_timeout: float = 10.0,
        connect_timeout: float = 5.0,
        pool_timeout: float = 5.0,
        upload_timeout: float = 30.0,
    ) -> None:
        self._read = read_timeout
        self._write = write_timeout
        self._connect = connect_timeout
        self._pool = pool_timeout
        self._upload = upload_timeout
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float | None:
        return self._read

    async def initialize(self) -> None:
        if self._session is None or self._session.closed:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=_CONNECTIONS),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": self.USER_AGENT},
            )

    async def shutdown(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def do_request(  # noqa: PLR0917 - the signature is PTB's
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Timeout = BaseRequest.DEFAULT_NONE,
        write_timeout: Timeout = BaseRequest.DEFAULT_NONE,
        connect_timeout: Timeout = BaseRequest.DEFAULT_NONE,
        pool_timeout: Timeout = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """One call; BaseRequest turns what it returns into a result or an exception."""
        files = request_data.multipart_data if request_data is not None and request_data.contains_files else None
        connect, read = self._or(connect_timeout, self._connect), self._or(read_timeout, self._read)
        waited = _sum(self._or(pool_timeout, self._pool), connect)  # for a free connection, and for a new one
        write = self._or(write_timeout, self._upload if files else self._write)
        timeout = aiohttp.ClientTimeout(
            total=_sum(waited, write, read),  # a server that trickles holds no call for ever
            connect=waited,
            sock_connect=connect,
            sock_read=read,
        )
        status, payload = await self._exchange(method, url, _body(request_data, files), timeout)
        if method == "GET" and status == HTTPStatus.OK:
            return status, payload  # a file, which is whatever somebody sent
        return _sifted(url.rpartition("/")[2], status, payload)

    async def _exchange(self, method: str, url: str, body: Any, patience: aiohttp.ClientTimeout) -> tuple[int, bytes]:
        if self._session is None:
            raise NotSent("the session is not open")
        try:
            kind = _JSON if isinstance(body, bytes) else None
            async with self._session.request(method, url, data=body, headers=kind, timeout=patience) as response:
                return response.status, await response.read()
        except TimeoutError:
            raise TimedOut from None  # the cause may name the address
        except (aiohttp.ClientConnectorError, aiohttp.InvalidURL) as error:
            raise NotSent(type(error).__name__) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise NetworkError(type(error).__name__) from None

    def _or(self, said: Timeout, usual: float) -> float | None:
        seconds: float | None = usual if said is self.DEFAULT_NONE else said
        return seconds

    @staticmethod
    def parse_json_payload(payload: bytes) -> Raw:
        """Orjson instead of json; an answer that is not a JSON object is garbage, and is not printed."""
        try:
            answer = orjson.loads(payload)
        except orjson.JSONDecodeError:
            answer = None
        if not isinstance(answer, dict):
            raise TelegramError("Invalid server response")
        return answer

    async def updates(
        self, base_url: str, *, offset: int | None, seconds: int, kinds: Sequence[str], limit: int = 100
    ) -> list[Raw]:
        """
        Ask for updates as Telegram sent them, so that one that cannot be read costs only itself.

        :raises TelegramError: As any call of PTB.
        """
        asked: dict[str, str | int] = {"timeout": seconds, "limit": limit, "allowed_updates": _json(list(kinds))}
        if offset is not None:
            asked["offset"] = offset
        answer = await self.post(f"{base_url}/getUpdates?{urlencode(asked)}", read_timeout=seconds + self._read)
        if not isinstance(answer, list):
            raise NetworkError("Invalid server response")
        return [trimmed(update) for update in answer if isinstance(update, dict)]


class UpdateSource:
    """Where polling takes its updates from; intake knows no more of it than `after` and `acknowledge`."""

    def __init__(self, bot: ExtBot[None], request: AiohttpRequest, kinds: Sequence[str]) -> None:
        self._base_url = bot.base_url
        self._request = request
        self._kinds = kinds

    async def after(self, offset: int | None) -> list[Raw]:
        """The updates from *offset* on; waits up to half a minute for the first."""
        return await self._request.updates(self._base_url, offset=offset, seconds=POLL_SECONDS, kinds=self._kinds)

    async def acknowledge(self, offset: int) -> None:
        """Tell Telegram that everything before *offset* is done, without waiting for more."""
        await self._request.updates(self._base_url, offset=offset, seconds=0, kinds=self._kinds, limit=1)


class Q64Application(Application[Any, Any, Any, Any, Any, Any]):
    """PTB's application without its marks for persistence, which grow by 132 bytes a user for ever."""

    def _mark_for_persistence_update(self, *, update: object | None = None, job: object | None = None) -> None:
        """Nothing is kept in PTB, so nothing is marked."""


def application(
    token: str, *, base_url: str = "", request: BaseRequest | None = None, poller: BaseRequest | None = None
) -> Q64Application:
    """An application without updater, job queue and persistence, on this transport; *base_url* ends in `/bot`."""
    built = (
        ApplicationBuilder()
        .application_class(Q64Application)
        .token(token)
        .base_url(base_url or TELEGRAM)
        .base_file_url(f"{(base_url or TELEGRAM).removesuffix('/bot')}/file/bot")
        .request(request or AiohttpRequest())
        .get_updates_request(poller or AiohttpRequest())
        .updater(None)
        .job_queue(None)
        .build()
    )
    assert isinstance(built, Q64Application)  # noqa: S101 - narrows what the builder is typed to return
    return built


def trimmed(update: Raw) -> Raw:
    """The update without the text and keyboard of the message that was tapped; changes and returns its argument."""
    tap = update.get("callback_query")
    if isinstance(tap, dict) and isinstance(message := tap.get("message"), dict):
        tap["message"] = {name: message[name] for name in _TAPPED_FIELDS if name in message}
    return update


def as_update(raw: Raw, bot: Bot) -> Update:
    """
    PTB's objects for a raw update; that of a tap outside of topics knows of its message only where it is.

    Reading the message costs more than all the rest, and what is left of it fits PTB's InaccessibleMessage.

    :raises Exception: Any, if the update has another shape than Telegram's.
    """
    tap = raw.get("callback_query")
    if not isinstance(tap, dict) or tap.keys() != _TAP or tap["message"].keys() != _PLACE:
        return Update.de_json(raw, bot)
    message = tap["message"]
    query = CallbackQuery(
        id=tap["id"],
        from_user=User.de_json(tap["from"], bot),
        chat_instance=tap["chat_instance"],
        message=InaccessibleMessage(chat=Chat.de_json(message["chat"], bot), message_id=message["message_id"]),
        data=tap["data"],
    )
    query.set_bot(bot)
    return Update(raw["update_id"], callback_query=query)


def read_update(body: bytes) -> Raw:
    """
    An update as a webhook delivers it, trimmed.

    :raises ValueError: If it is not an object with an update_id.
    """
    update = orjson.loads(body)
    if not isinstance(update, dict) or not isinstance(update.get("update_id"), int):
        raise ValueError("not an update")  # noqa: TRY004 - to the sender a wrong type is a wrong value
    return trimmed(update)


def _sifted(method: str, status: int, payload: bytes) -> tuple[int, bytes]:
    """Leave unread what nobody reads; make an error of a 200 that does not say ok."""
    if not 200 <= status < 300:
        return status, payload if payload.startswith(b"{") else payload[:200]
    if not payload.startswith(b'{"ok":true'):
        return _doubted(payload)
    if method in _UNREAD_METHODS:
        return status, _UNREAD
    if method in _SENT_METHODS:
        return status, _sent(payload)
    return status, payload


def _doubted(payload: bytes) -> tuple[int, bytes]:
    try:
        answer = orjson.loads(payload)
    except orjson.JSONDecodeError:
        return _GARBAGE, payload[:200]
    if isinstance(answer, dict) and answer.get("ok") is True and "result" in answer:
        return 200, payload
    code = answer.get("error_code") if isinstance(answer, dict) else None
    return code if isinstance(code, int) and code >= 400 else _GARBAGE, payload


def _sent(payload: bytes) -> bytes:
    """Of a message just sent only its place is of interest; parsing the rest costs half a millisecond."""
    try:
        message = orjson.loads(payload)["result"]
        return orjson.dumps({"ok": True, "result": {name: message[name] for name in _SENT_FIELDS if name in message}})
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return payload


def _body(request_data: RequestData | None, files: Mapping[str, Any] | None) -> aiohttp.FormData | bytes | None:
    """JSON, which costs a tenth of a form's quoting; a form where files go along."""
    if request_data is None:
        return None
    if not files:
        return orjson.dumps(request_data.parameters)
    form = aiohttp.FormData(quote_fields=False)  # a name keeps its letters
    for name, value in request_data.json_parameters.items():
        form.add_field(name, value)
    for name, (filename, content, mime) in files.items():
        form.add_field(name, content, filename=filename, content_type=mime)
    return form


def _sum(*seconds: float | None) -> float | None:
    known = [part for part in seconds if part is not None]
    return sum(known) if len(known) == len(seconds) else None


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
