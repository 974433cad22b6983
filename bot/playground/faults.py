"""Misbehaviour on demand: what real networks and a busy Telegram do to a bot (FAULTS C)."""

import re
from dataclasses import dataclass, field
from random import Random

from bot.playground.records import Json
from bot.playground.refusals import NOT_MODIFIED, ApiError, too_many_requests

_KNOWN: dict[str, tuple[int, str]] = {
    "500": (500, "Internal Server Error: restart"),
    "502": (502, "Bad Gateway"),
    "504": (504, "Gateway Timeout"),
    "forbidden": (403, "Forbidden: bot was blocked by the user"),
    "kicked": (403, "Forbidden: bot was kicked from the supergroup chat"),
    "not_found": (400, "Bad Request: message to edit not found"),
    "not_modified": (
        400,
        f"Bad Request: {NOT_MODIFIED}",
    ),
    "too_old": (400, "Bad Request: query is too old and response timeout expired or query ID is invalid"),
    "topic_closed": (400, "Bad Request: TOPIC_CLOSED"),
    "no_rights": (400, "Bad Request: not enough rights to send text messages to the chat"),
}
SILENT = frozenset({"timeout_before", "timeout_after", "disconnect"})


@dataclass(slots=True, kw_only=True)
class Rule:
    """One way to misbehave, for so many calls."""

    method: str = "*"
    chat: int | None = None
    kind: str = "500"
    code: int | None = None
    description: str | None = None
    retry_after: int = 5
    seconds: float = 1.0  # for "slow"
    times: int = 1  # 0: for ever
    probability: float = 1.0
    chance: Random = field(default_factory=lambda: Random(64))  # noqa: S311 (a replayable fault, no secret)
    used: int = 0

    def meets(self, method: str, chat: int | None) -> bool:
        """Whether this call is struck, by a draw where the rule has a probability."""
        if (
            self.method not in {"*", method}
            or self.chat not in {None, chat}
            or (self.times and self.used >= self.times)
        ):
            return False
        return self.probability >= 1 or self.chance.random() < self.probability

    def error(self) -> ApiError | None:
        """The refusal this rule stands for; None where it is not one (garbage, silence, slowness)."""
        if self.description is not None:
            return ApiError(self.code or 400, self.description)
        if self.kind == "429":
            return too_many_requests(self.retry_after)
        if self.kind in _KNOWN:
            return ApiError(*_KNOWN[self.kind])
        if (spelled := re.fullmatch(r"(\d{3}) (.+)", self.kind)) is not None:
            return ApiError(int(spelled.group(1)), spelled.group(2))
        return None


_SPECIAL = SILENT | {"garbage", "slow"}


class Faults:
    """The rules in force, oldest first."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []

    def add(self, wish: Json) -> Rule:
        """Add a rule from its JSON form. Raises ValueError for a kind or field that does not exist."""
        fields = {name: value for name, value in wish.items() if name != "seed"}
        fields["kind"] = str(fields.get("kind", "500"))
        try:
            rule = Rule(**fields, chance=Random(wish.get("seed", 64)))  # noqa: S311 (a replayable fault, no secret)
        except TypeError as problem:
            raise ValueError(str(problem)) from None
        if rule.error() is None and rule.kind not in _SPECIAL:
            raise ValueError(f"unknown kind of fault: {rule.kind}")
        self.rules.append(rule)
        return rule

    def strike(self, method: str, chat: int | None) -> Rule | None:
        """The rule that this call meets, if any; spent rules go."""
        for rule in self.rules:
            if rule.meets(method, chat):
                rule.used += 1
                if rule.times and rule.used >= rule.times:
                    self.rules.remove(rule)
                return rule
        return None

    def clear(self) -> None:
        self.rules.clear()
