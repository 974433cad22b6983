"""What the server remembers about the bot itself: counters, texts, commands, webhook."""

from dataclasses import dataclass, field

from bot.playground.records import Json

BOT_ID = 9_200_000_000_001
LOCAL_TOKEN = f"{BOT_ID}:local-playground-needs-no-real-token"


@dataclass(slots=True, kw_only=True)
class Profile:
    """The bot as BotFather and the server know it."""

    id: int = BOT_ID
    username: str = "q64_local_bot"
    names: dict[str, str] = field(default_factory=lambda: {"": "q64"})  # by language, "" for everybody else
    descriptions: dict[str, str] = field(default_factory=dict)
    short_descriptions: dict[str, str] = field(default_factory=dict)
    commands: dict[str, list[Json]] = field(default_factory=dict)  # by "scope|language"
    menu_buttons: dict[str, Json] = field(default_factory=dict)  # by chat, "" for all
    webhook: Json = field(default_factory=dict)  # empty: polling
    allowed_updates: list[str] = field(default_factory=list)  # empty: the default choice
    next_update_id: int = 640_000_001
    next_query_id: int = 4_000_000_000_000_000_001
    next_file: int = 1
    next_person: int = 0
    next_group: int = 0

    def shape(self) -> Json:
        """The bot as a User."""
        return {"id": self.id, "is_bot": True, "first_name": self.names[""], "username": self.username}
