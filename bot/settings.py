"""Settings from the environment or `.env`; a bad one ends in one sentence that says what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

_TOKEN = re.compile(r"\d{1,20}:[A-Za-z0-9_-]+")
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
_DATABASES = ("sqlite:///", "postgresql://")
_HINTS: Mapping[str, str] = {
    "BOT_TOKEN": "BOT_TOKEN is not a bot token; BotFather gives one like 123456789:AA....",
    "BOT_API_URL": "BOT_API_URL must be an address that ends in /bot, such as http://127.0.0.1:8081/bot.",
    "DATABASE_URL": "DATABASE_URL must begin with sqlite:/// or postgresql://.",
    "WEBHOOK_URL": "WEBHOOK_URL must be an https:// address that Telegram can reach.",
    "WEBHOOK_SECRET": "WEBHOOK_SECRET must be 1 to 256 letters, digits, - or _.",
    "PORT": "PORT must be a number from 1 to 65535.",
    "LOG_FORMAT": "LOG_FORMAT must be console or json.",
    "KEEP_BOARDS_DAYS": "KEEP_BOARDS_DAYS must be a whole number of days from 2 to 3650.",
    "KEEP_MARKS_DAYS": "KEEP_MARKS_DAYS must be a whole number of days from 2 to 365.",
    "ALLOWED_CHATS": "ALLOWED_CHATS must be chat ids with commas between them, such as 12345,-1001234567890.",
}


Value = TypeVar("Value")


class BadSetting(ValueError):  # noqa: N818 - read as a noun: a bad setting
    """Raised with one sentence for the operator; it never holds the value, which may be a secret."""


class LogFormat(StrEnum):
    """Log lines for people, or for machines."""

    CONSOLE = "console"
    JSON = "json"


class Settings(BaseSettings):
    """What an operator can choose (DESIGN section 5); an empty variable is one that is not set."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    bot_token: SecretStr | None = Field(None, description="the bot's token from BotFather; never printed")
    bot_api_url: str = Field(
        "", description="another Bot API server, such as `http://127.0.0.1:8081/bot`; without it Telegram's"
    )
    database_url: str = Field(
        "sqlite:///q64.db",
        description="`sqlite:///file` or `postgresql://…`",
        repr=False,  # may hold a password
    )
    webhook_url: str = Field("", description="an `https://` address that Telegram can reach; without it the bot polls")
    webhook_secret: SecretStr | None = Field(
        None, description="1 to 256 letters, digits, `-`, `_`; Telegram sends it with every update"
    )
    port: int = Field(
        8080,
        ge=1,
        le=65535,
        description="where the webhook listens; set while polling, it serves `/healthz`, `/readyz` and `/metrics`",
    )
    log_format: LogFormat = Field(LogFormat.CONSOLE, description="`console` or `json`")
    operator: str = Field("", description="name and contact, shown by `/privacy`")
    allowed_chats: Annotated[frozenset[int], NoDecode] = Field(
        frozenset(),
        description="chat ids with commas between them; anywhere else the bot says so once and leaves",
    )
    keep_boards_days: int = Field(
        90, ge=2, le=3650, description="days after which a board that is over and untouched is no longer kept"
    )
    keep_marks_days: int = Field(
        2, ge=2, le=365, description="days for which the bot remembers which updates it has done"
    )

    @property
    def watched(self) -> bool:
        """Whether a web server is wanted: for the webhook, or because somebody said on which port."""
        return bool(self.webhook_url) or "port" in self.model_fields_set

    @property
    def token(self) -> str:
        """
        The bot's token.

        :raises BadSetting: If there is none; only what talks to Telegram asks for it.
        """
        if self.bot_token is None:
            raise BadSetting(
                "BOT_TOKEN is not set: put the token that BotFather gave you into the environment or .env."
            )
        return self.bot_token.get_secret_value()

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be printed."""
        password = re.search(r"://[^/@:]*:([^@]+)@", self.database_url)
        known = (self.bot_token, self.webhook_secret)
        return (
            *(secret.get_secret_value() for secret in known if secret is not None),
            *(password.groups() if password else ()),
        )

    def allows(self, chat_id: int) -> bool:
        """Whether the bot serves this chat; every chat if the operator named none."""
        return not self.allowed_chats or chat_id in self.allowed_chats

    @field_validator("bot_token")
    @classmethod
    def _token_shape(cls, value: SecretStr | None) -> SecretStr | None:
        return _must(value, value is None or _TOKEN.fullmatch(value.get_secret_value()))

    @field_validator("webhook_secret")
    @classmethod
    def _secret_shape(cls, value: SecretStr | None) -> SecretStr | None:
        return _must(value, value is None or _SECRET.fullmatch(value.get_secret_value()))

    @field_validator("bot_api_url")
    @classmethod
    def _api_shape(cls, value: str) -> str:
        value = value.rstrip("/")
        return _must(value, not value or re.fullmatch(r"https?://[^\s/]+(/\S*)?/bot", value))

    @field_validator("webhook_url")
    @classmethod
    def _webhook_shape(cls, value: str) -> str:
        return _must(value, not value or re.fullmatch(r"https://[^\s/]+(/\S*)?", value))

    @field_validator("database_url")
    @classmethod
    def _database_shape(cls, value: str) -> str:
        value = re.sub(r"^postgres://", "postgresql://", value)
        return _must(value, value.startswith(_DATABASES) and value not in _DATABASES)

    @field_validator("log_format", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

    @field_validator("allowed_chats", mode="before")
    @classmethod
    def _ids(cls, value: object) -> object:
        """Ids may be negative: groups' are."""
        return [part for part in re.split(r"[\s,]+", value) if part] if isinstance(value, str) else value


def _must(value: Value, holds: object) -> Value:
    if not holds:
        raise ValueError
    return value


def read_settings(**overrides: Any) -> Settings:
    """
    The settings of this process.

    :raises BadSetting: With one sentence that names the variable and what it should look like.
    """
    try:
        settings = Settings(**overrides)
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0]).upper()
        raise BadSetting(_HINTS.get(name, f"{name} cannot be read.")) from None
    except (OSError, UnicodeDecodeError):
        raise BadSetting("The file .env cannot be read.") from None
    if settings.webhook_url and settings.webhook_secret is None:
        raise BadSetting("WEBHOOK_URL needs WEBHOOK_SECRET: set it to 1 to 256 random letters, digits, - or _.")
    return settings
