"""Settings from the environment and a file, and the one sentence that a bad one ends in."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings import BadSetting, LogFormat, read_settings

TOKEN = "9000000001:AAE-made-up-token-for-tests-0123456789"
NAMES = (
    "BOT_TOKEN",
    "BOT_API_URL",
    "DATABASE_URL",
    "WEBHOOK_URL",
    "WEBHOOK_SECRET",
    "PORT",
    "LOG_FORMAT",
    "OPERATOR",
    "ALLOWED_CHATS",
    "KEEP_BOARDS_DAYS",
    "KEEP_MARKS_DAYS",
)


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_defaults() -> None:
    settings = read_settings()
    assert settings.database_url == "sqlite:///q64.db"
    assert settings.log_format is LogFormat.CONSOLE
    assert settings.allowed_chats == frozenset()
    assert settings.allows(-1)


def test_everything_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {
        "BOT_TOKEN": TOKEN,
        "BOT_API_URL": "http://127.0.0.1:8081/bot/",
        "DATABASE_URL": "postgres://q64:pass@db/q64",
        "WEBHOOK_URL": "https://q64.example/hook",
        "WEBHOOK_SECRET": "abc_DEF-1",
        "PORT": "9000",
        "LOG_FORMAT": "JSON",
        "OPERATOR": "Ann, @ann",
        "ALLOWED_CHATS": "12, -1009000000000001",
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    settings = read_settings()
    assert settings.token == TOKEN
    assert settings.bot_api_url == "http://127.0.0.1:8081/bot"
    assert settings.database_url == "postgresql://q64:pass@db/q64"
    assert settings.port == 9000
    assert settings.log_format is LogFormat.JSON
    assert set(settings.secrets) == {TOKEN, "abc_DEF-1", "pass"}


def test_f20_negative_chat_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_CHATS", "-1009000000000001,9000000000001")
    settings = read_settings()
    assert settings.allowed_chats == {-1_009_000_000_000_001, 9_000_000_000_001}
    assert not settings.allows(5)


def test_from_a_file_and_empty_means_not_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text(f"BOT_TOKEN={TOKEN}\nOTHER_THING=1\n")
    monkeypatch.setenv("PORT", "")
    assert read_settings().token == TOKEN
    assert read_settings().port == 8080


@pytest.mark.parametrize(
    "name, value",
    [
        pytest.param("BOT_TOKEN", "s3cr3t-value", id="not a token"),
        pytest.param("BOT_TOKEN", "12:s3cr3t value", id="token with a space"),
        pytest.param("BOT_API_URL", "http://127.0.0.1:8081", id="api without /bot"),
        pytest.param("DATABASE_URL", "mysql://s3cr3t@db/x", id="another database"),
        pytest.param("DATABASE_URL", "sqlite:///", id="no file"),
        pytest.param("WEBHOOK_URL", "http://q64.example", id="webhook without tls"),
        pytest.param("WEBHOOK_SECRET", "s3cr3t!", id="secret with a sign"),
        pytest.param("WEBHOOK_SECRET", "s3cr3t" * 50, id="secret too long"),
        pytest.param("PORT", "99999", id="port too high"),
        pytest.param("PORT", "http", id="port no number"),
        pytest.param("LOG_FORMAT", "xml", id="unknown format"),
        pytest.param("KEEP_BOARDS_DAYS", "1", id="boards kept too short"),
        pytest.param("KEEP_BOARDS_DAYS", "ever", id="boards kept no number"),
        pytest.param("KEEP_MARKS_DAYS", "1", id="marks kept for less than Telegram repeats"),
        pytest.param("ALLOWED_CHATS", "12,@group", id="a name is no id"),
        pytest.param("ALLOWED_CHATS", "12,1.5", id="a fraction is no id"),
    ],
)
def test_a_bad_setting_is_one_sentence_without_the_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSetting) as raised:
        read_settings()
    sentence = str(raised.value)
    assert name in sentence
    assert "\n" not in sentence
    assert "s3cr3t" not in sentence


def test_no_token_is_one_sentence() -> None:
    with pytest.raises(BadSetting, match="BOT_TOKEN is not set"):
        _ = read_settings().token


def test_a_webhook_needs_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBHOOK_URL", "https://q64.example/")
    with pytest.raises(BadSetting, match="WEBHOOK_SECRET"):
        read_settings()


def test_secrets_are_not_in_the_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_TOKEN", TOKEN)
    monkeypatch.setenv("DATABASE_URL", "postgresql://q64:pa55word@db/q64")
    assert TOKEN.split(":")[1] not in repr(read_settings())
    assert "pa55word" not in repr(read_settings())


@pytest.mark.parametrize(
    "given, watched",
    [
        pytest.param({}, False, id="polling alone has no web server"),
        pytest.param({"port": 8080}, True, id="a port was said"),
        pytest.param({"webhook_url": "https://bot.example/hook", "webhook_secret": "abc"}, True, id="a webhook"),
    ],
)
def test_when_a_web_server_is_wanted(given: dict[str, object], watched: bool) -> None:
    assert read_settings(_env_file=None, **given).watched == watched
