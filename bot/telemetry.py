"""What the bot says about itself: log lines without secrets and without people's words, and numbers for Prometheus."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, TextIO

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REDACTED = "[secret]"
ROOMS = ("core", "bot")
_CHATTY = ("httpx", "httpcore", "aiohttp", "aiosqlite", "asyncio", "telegram", "uvicorn", "PIL", "alembic")
_ANY_TOKEN = re.compile(r"\b\d{5,}(?::|%3A)[A-Za-z0-9_-]{20,}")
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


@dataclass(slots=True)
class Underway:
    """The update that the current task works on."""

    update_id: int
    arrived: float  # seconds, on the clock of whoever measures
    begun: bool = False  # its transaction has begun, so it is not cancelled any more


UNDERWAY: ContextVar[Underway | None] = ContextVar("underway", default=None)


def transaction_begins() -> None:
    """Say that from here on the update under way must not be cancelled; whoever runs a use case says it first."""
    if (underway := UNDERWAY.get()) is not None:
        underway.begun = True


def arrived() -> float | None:
    """When the update came that this task works on; None outside of one."""
    underway = UNDERWAY.get()
    return None if underway is None else underway.arrived


class Redactor:
    """Takes the token, its secret half, other secrets, and all that looks like a token out of a text."""

    def __init__(self, secrets: Iterable[str]) -> None:
        parts = {part for secret in secrets for part in (secret, secret.replace(":", "%3A"), *secret.split(":")[1:])}
        known = sorted((re.escape(part) for part in parts if len(part) >= 6), key=len, reverse=True)
        self._known = re.compile("|".join(known)) if known else None

    def __call__(self, text: str) -> str:
        """*text* with REDACTED in the place of every secret."""
        if self._known is not None:
            text = self._known.sub(REDACTED, text)
        return _ANY_TOKEN.sub(REDACTED, text)


class _Formatter(structlog.stdlib.ProcessorFormatter):
    """Redacts the finished line, so that arguments, fields and tracebacks are covered alike."""

    def __init__(self, redact: Redactor, processors: list[Any], before: list[Any]) -> None:
        super().__init__(processors=processors, foreign_pre_chain=before)
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        return self._redact(super().format(record))


class _NoUpdates(logging.Filter):
    """A library that logs a whole update logs its id instead; people's words are nobody's log."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple) and any(hasattr(argument, "update_id") for argument in record.args):
            record.args = tuple(
                f"update {argument.update_id}" if hasattr(argument, "update_id") else argument
                for argument in record.args
            )
        return True


def configure(
    log_format: str = "console", *, secrets: Iterable[str] = (), stream: TextIO | None = None, level: int = logging.INFO
) -> None:
    """
    Set up logging for the process: `console` for people, `json` for machines, one handler for all libraries.

    *secrets* never appear in a line. Libraries that log addresses, updates or parameters speak from WARNING on.
    """
    before: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    out = stream or sys.stderr
    handler = logging.StreamHandler(out)
    handler.addFilter(_NoUpdates())
    handler.setFormatter(_Formatter(Redactor(secrets), [_without_record, *_renderers(log_format, out)], before))
    root = logging.getLogger()
    for old in [*root.handlers]:
        if isinstance(old.formatter, _Formatter):
            root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    for name in ROOMS:
        logging.getLogger(name).setLevel(level)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *before,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )


def _renderers(log_format: str, out: TextIO) -> list[Any]:
    if log_format == "json":
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    # Plain tracebacks: the pretty ones print local variables, secrets and updates among them.
    return [structlog.dev.ConsoleRenderer(colors=out.isatty(), exception_formatter=structlog.dev.plain_traceback)]


def _without_record(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    return structlog.stdlib.ProcessorFormatter.remove_processors_meta(None, "", event)


def masker(key: bytes) -> Callable[[int], str]:
    """A function that turns ids into short marks, the same for the same id as long as the key lives."""

    def masked(number: int) -> str:
        return blake2b(str(number).encode(), digest_size=5, key=key[:64]).hexdigest()

    return masked


class Metrics:
    """All counters of one bot, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        new: Mapping[str, Any] = {"registry": self.registry}
        self.updates = Counter("q64_updates", "Updates by kind and what became of them", ["kind", "outcome"], **new)
        self.answer_seconds = Histogram(
            "q64_tap_to_answer_seconds", "From a tap to its answer", buckets=_SECONDS, **new
        )
        self.picture_seconds = Histogram(
            "q64_tap_to_picture_seconds", "From a tap to its picture", buckets=_SECONDS, **new
        )
        self.pictures = Counter("q64_pictures", "Pictures: sent, edited, merged, equal, failed", ["outcome"], **new)
        self.too_many_requests = Counter("q64_too_many_requests", "Answers with status 429", **new)
        self.rounds = Counter("q64_rounds", "Rounds by event: dealt, settled, settled_at_a_table", ["event"], **new)
        self.errors = Counter("q64_errors", "Handlers that failed", **new)
        self.drift = Gauge("q64_ledger_drift", "Sum of the whole ledger in chips; anything but 0 is a fault", **new)
        self._queues = Gauge("q64_queue_length", "What waits, by queue", ["queue"], **new)

    def queue(self, name: str, length: Callable[[], int]) -> None:
        """Show *length()* as a queue's length from now on."""
        self._queues.labels(name).set_function(length)

    def gauge(self, name: str, text: str, value: Callable[[], float]) -> None:
        """Show *value()* under this name from now on."""
        Gauge(name, text, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        """Everything in Prometheus' text format."""
        return generate_latest(self.registry)
