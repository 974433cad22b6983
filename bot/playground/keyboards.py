"""Keyboards under messages: what the server takes, cuts, drops and refuses (Bot API 10.0, InlineKeyboardMarkup)."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import orjson

from bot.playground.records import Json
from bot.playground.refusals import ApiError, bad_request

_ROW = 12  # buttons the server keeps of one row
_ALL = 300  # and of one keyboard
_BYTES = 64  # of callback_data, in UTF-8
_COPY = 256
_LONGEST = 10_000  # bytes of the whole markup
_STYLES = frozenset({"primary", "success", "danger"})
_FIELDS = frozenset(
    [
        "text",
        "icon_custom_emoji_id",
        "style",
        "url",
        "callback_data",
        "web_app",
        "login_url",
        "switch_inline_query",
        "switch_inline_query_current_chat",
        "switch_inline_query_chosen_chat",
        "copy_text",
        "callback_game",
        "pay",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """What a message gets of a reply_markup; other keyboards are taken and not shown."""

    inline: list[list[Json]] | None = None
    force_reply: bool = False


def read_markup(raw: Any, *, private: bool) -> Markup:
    """A reply_markup parameter. Raises ApiError 400 in the server's words."""
    if raw is None or raw == {}:
        return Markup()
    if not isinstance(raw, dict):
        raise bad_request("object expected as reply markup")
    if "inline_keyboard" in raw:
        rows = _rows(raw["inline_keyboard"], private=private)
        return Markup(inline=rows or None)
    if raw.get("force_reply"):
        return Markup(force_reply=True)
    if "keyboard" in raw or raw.get("remove_keyboard"):
        return Markup()
    raise bad_request("can't parse reply keyboard markup JSON object")


def _rows(raw: Any, *, private: bool) -> list[list[Json]]:
    if not isinstance(raw, list):
        raise bad_request('Field "inline_keyboard" must be of type Array')
    rows: list[list[Json]] = []
    left = _ALL
    for row in raw:
        if not isinstance(row, list):
            raise bad_request("can't parse inline keyboard button: Inline keyboard row must be an Array")
        buttons = [button for button in (_button(each, private=private) for each in row) if button["text"]]
        buttons = buttons[: min(_ROW, left)]
        left -= len(buttons)
        if buttons:
            rows.append(buttons)
    if len(orjson.dumps(rows)) > _LONGEST and _weight(rows) > _LONGEST:
        raise bad_request("reply markup is too long")
    return rows


def _weight(rows: list[list[Json]]) -> int:
    """Bytes of what the buttons say, without the JSON around it (the exact measure is not published)."""
    return sum(len(str(value).encode()) for row in rows for button in row for value in button.values())


def _broken(text: str) -> ApiError:
    return bad_request(f"can't parse inline keyboard button: {text}")


def _button(raw: Any, *, private: bool) -> Json:
    if not isinstance(raw, dict):
        raise _broken("InlineKeyboardButton must be an Object")
    if "text" not in raw:
        raise _broken('Can\'t find field "text"')
    for name in ("text", "url", "callback_data", "style"):
        if name in raw and not isinstance(raw[name], str):
            raise _broken(f'Field "{name}" must be of type String')
    button: Json = {"text": raw["text"].strip()}
    if (style := raw.get("style")) is not None:
        if style not in _STYLES:
            raise _broken("invalid button style specified")
        button["style"] = style
    button |= _kind(raw, private=private)
    if unknown := sorted(set(raw) - _FIELDS):
        raise _broken(f'Unknown field "{unknown[0]}"')
    return button


def _kind(raw: Json, *, private: bool) -> Json:
    """The one thing that the button does."""
    if "url" in raw:
        return {"url": button_address(raw["url"])}
    if "callback_data" in raw:
        if not 1 <= len(raw["callback_data"].encode()) <= _BYTES:
            raise bad_request("BUTTON_DATA_INVALID")
        return {"callback_data": raw["callback_data"]}
    if "copy_text" in raw:
        text = raw["copy_text"].get("text") if isinstance(raw["copy_text"], dict) else None
        if not isinstance(text, str) or not 1 <= len(text) <= _COPY:
            raise bad_request("BUTTON_COPY_TEXT_INVALID")
        return {"copy_text": {"text": text}}
    for name in ("switch_inline_query", "switch_inline_query_current_chat", "switch_inline_query_chosen_chat"):
        if name in raw:
            return {name: raw[name]}
    if "web_app" in raw and private:
        return {"web_app": raw["web_app"]}
    if {"web_app", "login_url", "callback_game", "pay"} & set(raw):
        raise bad_request("BUTTON_TYPE_INVALID")
    raise _broken("Text buttons are unallowed in the inline keyboard")


def button_address(address: str) -> str:
    """The address of a button. Raises ApiError 400 for one that no client could open."""

    def refused(reason: str) -> ApiError:
        return bad_request(f"inline keyboard button URL '{address}' is invalid: {reason}")

    if not address:
        raise refused("URL must be non-empty")
    full = address if re.match(r"[a-zA-Z][a-zA-Z0-9+.\-]*:", address) else f"http://{address}"
    try:
        parts = urlsplit(full)
        host = parts.hostname or ""
    except ValueError:
        raise refused("Wrong HTTP URL") from None
    if parts.scheme in {"tg", "ton", "tonsite"}:
        return full
    if parts.scheme not in {"http", "https"}:
        raise refused("Unsupported URL protocol")
    if "." not in host.strip(".") or " " in full:
        raise refused("Wrong HTTP URL")
    return full if parts.path or parts.query or parts.fragment else f"{full}/"
