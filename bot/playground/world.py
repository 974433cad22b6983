"""The little world that the emulator plays: people, chats, messages, the bot, and everybody who watches."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

from bot.playground import screens
from bot.playground.faults import Faults
from bot.playground.identity import LOCAL_TOKEN, Profile
from bot.playground.limits import Limits
from bot.playground.records import (
    STAND_INS,
    Chat,
    Json,
    Member,
    Message,
    Person,
    Query,
    StoredFile,
    chat_from,
    message_from,
)
from bot.playground.seed import furnish
from bot.playground.state import Store
from bot.playground.updates import Updates

_LOG_LENGTH = 20_000


class World:
    """Everything the emulator knows. Lives in one event loop; nothing here waits.

    ``path``: where to keep it between starts (None: in memory). ``now``: seconds since 1970. ``log``: remember calls.
    ``limits``: apply Telegram's rate limits (``limited`` switches them later). ``sleep``: the pauses between retries.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        log: bool = True,
        limits: bool = False,
        token: str = LOCAL_TOKEN,
        seed: int = 64,
    ) -> None:
        self.now = now
        self.sleep = sleep
        self.token = token
        self.store = None if path is None else Store(path)
        self.chance = Random(seed)  # noqa: S311 (dice of a playground)
        self.people: dict[int, Person] = {}
        self.chats: dict[int, Chat] = {}
        self.messages: dict[int, dict[int, Message]] = {}
        self.queries: dict[str, Query] = {}
        self.files: dict[str, StoredFile] = {}
        self.contents: dict[str, bytes] = {}
        self.answers: dict[str, asyncio.Future[Json]] = {}
        self.cached: dict[tuple[int, int, int, str], tuple[float, Json]] = {}
        self.viewers: dict[int, set[asyncio.Queue[Json | None]]] = {}
        self.faults = Faults()
        self.limits = Limits(now)
        self.limited = limits
        self.log: deque[Json] | None = deque(maxlen=_LOG_LENGTH) if log else None
        self.closing = asyncio.Event()
        self.profile = self._load()
        self.updates = Updates(profile=self.profile, now=now, store=self.store)
        if not self.people:
            furnish(self)
        self.settle()

    def _load(self) -> Profile:
        if self.store is None:
            return Profile()
        for kept in self.store.read("person"):
            self.people[kept["id"]] = Person(**kept)
        for kept in self.store.read("chat"):
            self.chats[kept["id"]] = chat_from(kept)
        for kept in self.store.read("message"):
            self.messages.setdefault(kept["chat_id"], {})[kept["message_id"]] = message_from(kept)
        for kept in self.store.read("query"):
            self.queries[kept["id"]] = Query(**kept)
        for kept in self.store.read("file"):
            self.files[kept["file_id"]] = StoredFile(**kept)
        for kept in self.store.read("bot"):
            return Profile(**kept)
        return Profile()

    # Keeping

    def settle(self) -> None:
        """Write what changed; called before an answer goes out."""
        if self.store is not None:
            self.store.commit()

    def keep_person(self, person: Person) -> None:
        self.people[person.id] = person
        if self.store is not None:
            self.store.keep(f"person/{person.id}", person)

    def keep_chat(self, chat: Chat) -> None:
        self.chats[chat.id] = chat
        if self.store is not None:
            self.store.keep(f"chat/{chat.id}", chat)

    def keep_message(self, message: Message) -> None:
        """To be called after every change of a message; so for the other records."""
        if self.store is not None:
            self.store.keep(f"message/{message.chat_id}/{message.message_id:012}", message)

    def keep_query(self, query: Query) -> None:
        self.queries[query.id] = query
        if self.store is not None:
            self.store.keep(f"query/{query.id}", query)

    def keep_profile(self) -> None:
        if self.store is not None:
            self.store.keep("bot/self", self.profile)

    def keep_file(self, file: StoredFile, content: bytes) -> None:
        self.files[file.file_id] = file
        self.contents[file.file_id] = content
        if self.store is not None:
            self.store.keep(f"file/{file.file_id}", file)
            self.store.keep_bytes(f"content/{file.file_id}", content)

    def content(self, file_id: str) -> bytes | None:
        """The bytes of a file; None if there is no such file."""
        found = self.contents.get(file_id)
        if found is None and self.store is not None:
            found = self.store.read_bytes(f"content/{file_id}")
        return found

    # Looking

    def today(self) -> int:
        """Whole seconds since 1970, as the Bot API dates messages."""
        return int(self.now())

    def member(self, chat: Chat, who: int) -> Member:
        """Somebody's standing; of who was never there, one who has left."""
        return chat.members.get(who) or Member(status="left", was=False)

    def bot_member(self, chat: Chat) -> Member:
        return self.member(chat, self.profile.id)

    def find(self, chat_id: int, message_id: int) -> Message | None:
        """A message that is still there."""
        message = self.messages.get(chat_id, {}).get(message_id)
        return None if message is None or message.deleted else message

    def user_shape(self, who: int) -> Json:
        """The Bot API's User of a person, the bot, or one of Telegram's stand-ins."""
        if who == self.profile.id:
            return self.profile.shape()
        if who in STAND_INS:
            return STAND_INS[who]
        person = self.people.get(who)
        return person.shape() if person else {"id": who, "is_bot": False, "first_name": ""}

    # Saying

    def post(self, chat: Chat, **fields: Any) -> Message:
        """Put a message into the chat and show it to everybody there; tells the bot nothing."""
        chat.last_message_id += 1
        message = Message(chat_id=chat.id, message_id=chat.last_message_id, date=self.today(), **fields)
        self.messages.setdefault(chat.id, {})[message.message_id] = message
        self.keep_chat(chat)
        self.keep_message(message)
        self.show(chat, "message", message)
        return message

    def audience(self, chat: Chat) -> list[int]:
        """The ids of those who see what is said there."""
        return [chat.id] if chat.type == "private" else chat.present()

    def show(self, chat: Chat, kind: str, message: Message) -> None:
        """Tell the people in the chat who are looking."""
        if not self.viewers:
            return
        for who in self.audience(chat):
            if who in self.viewers:
                shown = screens.message(self, message)
                self.tell(who, {"kind": kind, "chat": chat.id, "message_id": message.message_id, "message": shown})

    def tell(self, who: int, event: Json) -> None:
        """An event for every page that this person has open."""
        for viewer in self.viewers.get(who, ()):
            viewer.put_nowait(event)

    def tell_all(self, people: Iterable[int], event: Json) -> None:
        for who in people:
            self.tell(who, event)

    def state_changed(self, people: Iterable[int] | None = None) -> None:
        """Names, members or menus changed: whoever looks should ask again."""
        self.tell_all(list(self.viewers) if people is None else people, {"kind": "state"})

    def close(self) -> None:
        """Let go of everybody who waits and write the rest; the world can be opened again from its file."""
        self.closing.set()
        self.updates.interrupt()
        self.let_go()
        if self.store is not None:
            self.store.close()
            self.store = None
            self.updates.store = None

    def let_go(self) -> None:
        """End every stream of events."""
        for viewers in self.viewers.values():
            for viewer in viewers:
                viewer.put_nowait(None)
