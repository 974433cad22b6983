"""What is logged and counted, and what never is (F123, F124)."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from telegram import Update

from bot.telemetry import UNDERWAY, Metrics, Redactor, Underway, arrived, configure, masker, transaction_begins

TOKEN = "9000000001:AAE-made-up-token-for-tests-0123456789"
HALF = TOKEN.split(":")[1]


@pytest.fixture
def restored_logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = [*root.handlers], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()


def test_f123_the_token_is_in_no_line(restored_logging: None) -> None:
    for log_format in ("console", "json"):
        out = io.StringIO()
        configure(log_format, secrets=[TOKEN], stream=out, level=logging.DEBUG)
        log = structlog.get_logger("bot.test")
        log.info("said", token=TOKEN, half=HALF, nested={"url": f"https://api.telegram.org/bot{TOKEN}/getMe"})
        logging.getLogger("anything").error("at https://x/bot%s/getUpdates", TOKEN)
        logging.getLogger("httpx").warning("HTTP Request: POST https://x/bot%s/getMe", TOKEN.replace(":", "%3A"))
        try:
            raise RuntimeError(f"409 at https://x/bot{TOKEN}/getUpdates")
        except RuntimeError:
            log.exception("failed")
            logging.getLogger("other").exception("failed as well")
        printed = out.getvalue()
        assert printed.count("[secret]") >= 6
        assert "RuntimeError" in printed
        assert HALF not in printed


def test_f123_clients_are_silent_below_warning(restored_logging: None) -> None:
    out = io.StringIO()
    configure(stream=out, level=logging.DEBUG)
    for name in ("httpx", "httpcore.connection", "aiohttp.client", "aiosqlite", "telegram.Bot", "uvicorn.access"):
        logging.getLogger(name).info("POST https://x/bot/getMe")
        logging.getLogger(name).debug("INSERT ... parameters")
    assert not out.getvalue()


def test_f123_local_variables_are_not_in_tracebacks(restored_logging: None) -> None:
    out = io.StringIO()
    configure(stream=out)
    opened = "card-secret-in-a-local"
    try:
        raise RuntimeError(len(opened))
    except RuntimeError:
        structlog.get_logger("bot.test").exception("failed")
    assert "RuntimeError" in out.getvalue()
    assert "card-secret-in-a-local" not in out.getvalue().replace('opened = "card-secret-in-a-local"', "")


def test_f124_a_library_does_not_log_a_whole_update(restored_logging: None) -> None:
    out = io.StringIO()
    configure(stream=out)
    update = Update.de_json(
        {
            "update_id": 501,
            "message": {
                "message_id": 1,
                "date": 1,
                "chat": {"id": 9_000_000_000_001, "type": "private", "first_name": "Ana"},
                "text": "private words",
            },
        }
    )
    logging.getLogger("telegram.ext.Application").critical("Error while building context for update %s", update)
    assert "update 501" in out.getvalue()
    assert "Ana" not in out.getvalue()
    assert "private words" not in out.getvalue()


def test_json_lines_have_names_fields_and_the_update(restored_logging: None) -> None:
    out = io.StringIO()
    configure("json", stream=out)
    with structlog.contextvars.bound_contextvars(update=501):
        structlog.get_logger("bot.painter").info("chat_lost", reason="Дарья's group ♥️")
        logging.getLogger("asyncio").warning("slow")
    ours, theirs = map(json.loads, out.getvalue().splitlines())
    assert (ours["event"], ours["reason"], ours["update"]) == ("chat_lost", "Дарья's group ♥️", 501)
    assert (ours["level"], ours["logger"]) == ("info", "bot.painter")
    assert "timestamp" in ours
    assert (theirs["event"], theirs["update"]) == ("slow", 501)


def test_configured_twice_prints_once(restored_logging: None) -> None:
    configure(stream=io.StringIO())
    out = io.StringIO()
    configure(stream=out)
    logging.getLogger("bot").warning("x")
    assert out.getvalue().count("\n") == 1


@pytest.mark.parametrize(
    "text",
    [TOKEN, HALF, TOKEN.replace(":", "%3A"), f"bot{TOKEN}/getMe", "7123456789:AAExxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx1"],
)
def test_redactor(text: str) -> None:
    assert Redactor([TOKEN])(f"<{text}>").replace("bot", "").replace("/getMe", "") == "<[secret]>"


def test_redactor_without_secrets_still_knows_a_token() -> None:
    assert HALF not in Redactor([])(TOKEN)
    assert Redactor([])("at 12:30, id 9000000000001") == "at 12:30, id 9000000000001"


def test_f124_ids_are_masked() -> None:
    mask = masker(b"key")
    assert mask(9_000_000_000_001) == mask(9_000_000_000_001) != mask(9_000_000_000_002)
    assert "9000" not in mask(9_000_000_000_001)
    assert mask(1) != masker(b"another")(1)


def test_the_update_under_way() -> None:
    assert arrived() is None
    transaction_begins()  # outside of an update: nothing to say
    underway = Underway(update_id=1, arrived=12.5)
    token = UNDERWAY.set(underway)
    transaction_begins()
    assert underway.begun
    assert arrived() == 12.5
    UNDERWAY.reset(token)


def test_each_bot_counts_for_itself() -> None:
    one, two = Metrics(), Metrics()
    one.updates.labels("message", "done").inc()
    one.queue("pictures", lambda: 7)
    assert b'q64_updates_total{kind="message",outcome="done"} 1.0' in one.text()
    assert b'q64_queue_length{queue="pictures"} 7.0' in one.text()
    assert b'outcome="done"' not in two.text()
