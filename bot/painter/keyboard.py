"""Keys become Telegram's JSON once, without objects in between."""

from __future__ import annotations

import orjson

from bot.views.kit import Key, Keys


def keyboard(keys: Keys) -> str:
    """
    An InlineKeyboardMarkup as JSON; empty for no keys, which takes them off.

    :raises BadTap: If a payload does not fit its 64 bytes.
    """
    if not keys:
        return ""
    return orjson.dumps({"inline_keyboard": [[_button(key) for key in row] for row in keys]}).decode()


def _button(key: Key) -> dict[str, object]:
    button: dict[str, object] = {"text": key.label}
    if key.tap is not None:
        button["callback_data"] = key.tap.pack()
    elif key.url:
        button["url"] = key.url
    else:
        button["copy_text"] = {"text": key.copy}
    if key.style is not None:
        button["style"] = key.style.value
    return button
