"""One call of a Bot API method: parameters from a form, a JSON body or an address, read as the server reads them."""

from dataclasses import dataclass, field
from typing import Any

import orjson

from bot.playground.records import Json
from bot.playground.refusals import bad_request


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file that came with a call."""

    name: str
    mime: str
    content: bytes


@dataclass(slots=True, kw_only=True)
class Call:
    """A method's name and its parameters; what is missing or unreadable reads as nothing, as the server has it."""

    method: str
    params: Json
    uploads: dict[str, Upload] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """A parameter as text; empty if it is missing."""
        value = self.params.get(name)
        if value is None:
            return ""
        return value if isinstance(value, str) else str(value)

    def integer(self, name: str, default: int = 0) -> int:
        """A whole number; *default* for what is missing or none."""
        value = self.params.get(name)
        if value is None or value == "":
            return default
        try:
            return int(value)
        except (TypeError, ValueError):
            return default

    def flag(self, name: str) -> bool:
        """A Boolean, also one that was written out."""
        value = self.params.get(name)
        return value if isinstance(value, bool) else str(value).lower() in {"true", "yes", "1"}

    def json(self, name: str) -> Any:
        """An object or array; a string is read as JSON. Raises ApiError 400 for what is neither."""
        value = self.params.get(name)
        if not isinstance(value, str):
            return value
        if not value.strip():
            return None
        try:
            return orjson.loads(value)
        except orjson.JSONDecodeError:
            raise bad_request(f"can't parse {_SPOKEN.get(name, name)} JSON object") from None

    def chat_id(self) -> int | None:
        """The chat this call is about, for rules that look at it; None where there is none."""
        try:
            return int(self.params.get("chat_id", ""))
        except (TypeError, ValueError):
            return None


_SPOKEN = {"reply_markup": "reply keyboard markup", "commands": "commands", "scope": "BotCommandScope"}
