"""What the emulator remembers. Records change in place; each is kept as one JSON object (see ``state``)."""

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

GROUP_ANONYMOUS_BOT: Json = {
    "id": 1087968824,
    "is_bot": True,
    "first_name": "Group",
    "username": "GroupAnonymousBot",
}
CHANNEL_BOT: Json = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
TELEGRAM: Json = {"id": 777000, "is_bot": False, "first_name": "Telegram"}
STAND_INS: dict[int, Json] = {int(user["id"]): user for user in (GROUP_ANONYMOUS_BOT, CHANNEL_BOT, TELEGRAM)}


@dataclass(slots=True, kw_only=True)
class Person:
    """Somebody who has the app."""

    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language_code: str | None = None
    started: bool = False  # pressed Start at least once
    blocked: bool = False  # blocked the bot
    gone: bool = False  # deleted the account

    def shape(self) -> Json:
        """The Bot API's User."""
        user: Json = {"id": self.id, "is_bot": False, "first_name": self.first_name}
        if self.last_name:
            user["last_name"] = self.last_name
        if self.username:
            user["username"] = self.username
        if self.language_code:
            user["language_code"] = self.language_code
        return user


@dataclass(slots=True, kw_only=True)
class Member:
    """A person's standing in a group or channel (Bot API, ChatMember)."""

    status: str = "member"  # creator administrator member restricted left kicked
    rights: Json = field(default_factory=dict)  # an administrator's, or what a restricted member may still do
    anonymous: bool = False
    was: bool = True  # False for a bot that was never there


@dataclass(slots=True, kw_only=True)
class Topic:
    """A topic of a forum, by the id of the message that created it."""

    name: str
    closed: bool = False


@dataclass(slots=True, kw_only=True)
class Chat:
    """A private chat under the person's id, a group, a supergroup or a channel."""

    id: int
    type: str  # private group supergroup channel
    title: str | None = None
    username: str | None = None
    is_forum: bool = False
    members: dict[int, Member] = field(default_factory=dict)
    permissions: Json = field(default_factory=dict)  # what is switched off for ordinary members
    topics: dict[int, Topic] = field(default_factory=dict)
    general_closed: bool = False
    migrated_to: int | None = None
    migrated_from: int | None = None
    removed: bool = False  # the whole group was deleted
    linked_channel: int | None = None
    reactions: list[str] | None = None  # None: every emoji is allowed
    pinned: list[int] = field(default_factory=list)
    last_message_id: int = 0

    def present(self) -> list[int]:
        """The ids of those who are in, the bot's among them."""
        return [who for who, member in self.members.items() if member.status not in {"left", "kicked"}]


@dataclass(slots=True, kw_only=True)
class Message:
    """A message in its newest form; dates are seconds since 1970."""

    chat_id: int
    message_id: int
    date: int
    sender_id: int | None = None  # None: a channel's own post
    sender_chat_id: int | None = None
    text: str | None = None
    caption: str | None = None
    entities: list[Json] = field(default_factory=list)
    keyboard: list[list[Json]] | None = None
    thread_id: int | None = None
    is_topic: bool = False
    reply_to: int | None = None
    edit_date: int | None = None
    photo: list[Json] | None = None
    document: Json | None = None
    dice: Json | None = None
    service: Json = field(default_factory=dict)  # new_chat_members, migrate_to_chat_id, …
    extra: Json = field(default_factory=dict)  # author_signature, is_automatic_forward, …
    force_reply: bool = False
    reactions: dict[int, list[str]] = field(default_factory=dict)
    deleted: bool = False


@dataclass(slots=True, kw_only=True)
class Query:
    """A tap on a button, waiting for its one answer."""

    id: str
    person: int
    chat_id: int
    message_id: int
    button: str  # the callback payload
    asked_at: float
    answered: bool = False


@dataclass(slots=True, kw_only=True)
class StoredFile:
    """A file that the server keeps; its size is in bytes, width and height are a photo's, in pixels."""

    file_id: str
    name: str
    mime: str
    size: int
    kind: str  # photo document
    width: int = 0
    height: int = 0


def chat_from(kept: Json) -> Chat:
    """A chat from what was kept of it."""
    return Chat(
        **{
            **kept,
            "members": {int(who): Member(**member) for who, member in kept["members"].items()},
            "topics": {int(thread): Topic(**topic) for thread, topic in kept["topics"].items()},
        }
    )


def message_from(kept: Json) -> Message:
    """A message from what was kept of it."""
    return Message(**{**kept, "reactions": {int(who): list(emoji) for who, emoji in kept["reactions"].items()}})
