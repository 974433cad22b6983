"""What people do: the client side, for the chat page and, in the same process, for tests.

Names are ids. A person or chat that does not exist, or an act that no client would offer, raises ``ClientError``.
"""

import asyncio
import re
from collections.abc import Callable
from random import Random
from typing import Any, Concatenate, ParamSpec, TypeVar

from bot.playground import entities, membership, naming, screens
from bot.playground.answers import show_answer
from bot.playground.calls import Upload
from bot.playground.records import (
    CHANNEL_BOT,
    GROUP_ANONYMOUS_BOT,
    TELEGRAM,
    Chat,
    Json,
    Member,
    Message,
    Person,
    Query,
    Topic,
)
from bot.playground.seed import add_person
from bot.playground.sending import DICE, MESSAGE, file_shape, remove, store_file
from bot.playground.updates import TAP_LIFETIME
from bot.playground.world import World

P = ParamSpec("P")
R = TypeVar("R")
_WAIT = 10.0  # seconds a tap with wait=true waits for the bot
_KEPT_QUERIES = 10_000


class ClientError(Exception):
    """Something no client could do; the text says what."""


def _settled(act: Callable[Concatenate["People", P], R]) -> Callable[Concatenate["People", P], R]:
    """Write what the act changed before its result is seen."""

    def acted(people: "People", /, *args: P.args, **kwargs: P.kwargs) -> R:
        result = act(people, *args, **kwargs)
        people.world.settle()
        return result

    return acted


class People:
    """Acts for anybody in the world."""

    def __init__(self, world: World) -> None:
        self.world = world

    # Looking

    def person(self, who: int) -> Person:
        """Raises ClientError for nobody's id."""
        found = self.world.people.get(who)
        if found is None:
            raise ClientError(f"no such person: {who}")
        return found

    def chat(self, chat_id: int) -> Chat:
        """Raises ClientError for no chat's id."""
        found = self.world.chats.get(chat_id)
        if found is None:
            raise ClientError(f"no such chat: {chat_id}")
        return found

    def _seen(self, who: int, chat_id: int) -> Chat:
        self.person(who)
        chat = self.chat(chat_id)
        if who not in self.world.audience(chat):
            raise ClientError("this person is not in this chat")
        return chat

    def state(self, who: int) -> Json:
        """Everything the page needs beside messages."""
        person = self.person(who)
        chats = [chat for chat in self.world.chats.values() if who in self.world.audience(chat) and not chat.removed]
        people = [
            {
                "id": each.id,
                "first_name": each.first_name,
                "last_name": each.last_name,
                "username": each.username,
                "language_code": each.language_code,
            }
            for each in self.world.people.values()
        ]
        return {
            "person": who,
            "people": people,
            "bot": self._bot(person),
            "chats": [self._chat_state(person, chat) for chat in chats],
            "commands": {str(chat.id): naming.menu(self.world, who, chat) for chat in chats},
        }

    def _bot(self, person: Person) -> Json:
        profile = self.world.profile
        spoken = (person.language_code or "")[:2].lower()

        def text(texts: dict[str, str]) -> str:
            return texts.get(spoken) or texts.get("", "")

        return {
            "id": profile.id,
            "username": profile.username,
            "name": text(profile.names),
            "description": text(profile.descriptions),
            "short_description": text(profile.short_descriptions),
        }

    def _chat_state(self, person: Person, chat: Chat) -> Json:
        private = chat.type == "private"
        members = [] if private else [self._member_state(chat, who) for who in chat.present()]
        return {
            "id": chat.id,
            "type": chat.type,
            "title": self.world.profile.names[""] if private else chat.title,
            "members": members,
            "is_forum": chat.is_forum,
            "topics": [{"id": number, "name": t.name, "closed": t.closed} for number, t in chat.topics.items()],
            "started": person.started if private else True,
            "blocked": person.blocked if private else False,
            "migrated_to": chat.migrated_to,
            "pinned": chat.pinned,
            "commands": naming.menu(self.world, person.id, chat),
        }

    def _member_state(self, chat: Chat, who: int) -> Json:
        user = self.world.user_shape(who)
        name = " ".join(part for part in (user["first_name"], user.get("last_name", "")) if part)
        return {"id": who, "name": name, "is_bot": user["is_bot"], "status": chat.members[who].status}

    def messages(self, who: int, chat_id: int) -> list[Json]:
        """The chat as this person sees it, oldest first."""
        chat = self._seen(who, chat_id)
        kept = self.world.messages.get(chat.id, {}).values()
        return [screens.message(self.world, message) for message in kept if not message.deleted]

    def watch(self, who: int) -> asyncio.Queue[Json | None]:
        """A queue of what this person sees from now on; None ends it."""
        self.person(who)
        queue: asyncio.Queue[Json | None] = asyncio.Queue()
        self.world.viewers.setdefault(who, set()).add(queue)
        return queue

    def unwatch(self, who: int, queue: asyncio.Queue[Json | None]) -> None:
        """Let go of a queue of `watch`."""
        viewers = self.world.viewers.get(who, set())
        viewers.discard(queue)
        if not viewers:
            self.world.viewers.pop(who, None)

    # Writing

    @_settled
    def send(self, who: int, chat_id: int, text: str, *, reply_to: int | None = None, thread: int | None = None) -> int:
        """Write a message; its id. The bot hears of it as privacy mode allows."""
        chat = self._seen(who, chat_id)
        return self._write(chat, {"sender_id": who}, text, reply_to=reply_to, thread=thread).message_id

    def _write(
        self,
        chat: Chat,
        sender: Json,
        text: str = "",
        *,
        reply_to: int | None = None,
        thread: int | None = None,
        **content: Any,
    ) -> Message:
        if chat.migrated_to is not None:
            raise ClientError("the group became a supergroup")
        written, found = entities.settle(entities.clean(text), [])
        if not written and not content:
            raise ClientError("a message needs a text")
        if len(written) > MESSAGE:
            raise ClientError("the text is too long")
        if chat.type == "private" and chat.id in self.world.people:
            self._reopen(self.world.people[chat.id])
        place = self._thread(chat, reply_to, thread)
        body = {"text": written, "entities": found} if written else {}
        message = self.world.post(chat, reply_to=reply_to, **sender, **place, **body, **content)
        self.hear(chat, message)
        return message

    def _reopen(self, person: Person) -> None:
        """Writing to the bot starts and unblocks it."""
        if person.blocked:
            membership.private_member(self.world, person.id, "kicked", "member")
        if person.blocked or not person.started:
            person.started, person.blocked = True, False
            self.world.keep_person(person)
            self.world.state_changed([person.id])

    def _thread(self, chat: Chat, reply_to: int | None, thread: int | None) -> Json:
        replied = self.world.find(chat.id, reply_to) if reply_to is not None else None
        if reply_to is not None and replied is None:
            raise ClientError("no such message to reply to")
        if chat.is_forum:
            place = thread if thread is not None else replied.thread_id if replied and replied.is_topic else None
            if place is not None and (place not in chat.topics or chat.topics[place].closed):
                raise ClientError("this topic is closed or gone")
            return {"thread_id": place, "is_topic": place is not None}
        if replied is not None and chat.type == "supergroup":
            return {"thread_id": replied.thread_id or replied.message_id}
        return {}

    def hear(self, chat: Chat, message: Message, *, kind: str | None = None) -> None:
        """Queue the update if the bot may read the message (privacy mode, Bot features)."""
        if chat.type != "private" and not self._readable(chat, message):
            return
        kind = kind or ("channel_post" if chat.type == "channel" else "message")
        self.world.updates.add(kind, screens.shape(self.world, message), lane=f"chat:{chat.id}")

    def _readable(self, chat: Chat, message: Message) -> bool:
        member = self.world.bot_member(chat)
        if member.status in {"left", "kicked"}:
            return False
        if member.status == "administrator" or chat.type == "channel":
            return True
        if message.reply_to is not None:
            replied = self.world.find(chat.id, message.reply_to)
            if replied is not None and replied.sender_id == self.world.profile.id:
                return True
        return self._for_bot(message.text or "")

    def _for_bot(self, text: str) -> bool:
        if re.search(rf"@{re.escape(self.world.profile.username)}\b", text, re.IGNORECASE):
            return True
        command = re.match(r"/[A-Za-z0-9_]+(@\w+)?", text)
        return command is not None and command.group(1) is None

    @_settled
    def start(self, who: int, payload: str | None = None) -> int:
        """Press Start, or follow a ?start= link."""
        self.person(who)
        if payload and not re.fullmatch(r"[A-Za-z0-9_\-]{1,64}", payload):
            raise ClientError("a start payload is 1-64 of A-Z a-z 0-9 _ -")
        text = f"/start {payload}" if payload else "/start"
        return self._write(self.chat(who), {"sender_id": who}, text).message_id

    @_settled
    def edit_message(self, who: int, chat_id: int, message_id: int, text: str) -> None:
        """Change one's own message; the bot hears of it as it did of the first writing."""
        chat = self._seen(who, chat_id)
        message = self._own(who, chat, message_id)
        message.text, message.entities = entities.settle(entities.clean(text), [])
        message.edit_date = self.world.today()
        self.world.keep_message(message)
        self.world.show(chat, "edit", message)
        self.hear(chat, message, kind="edited_channel_post" if chat.type == "channel" else "edited_message")

    def _own(self, who: int, chat: Chat, message_id: int) -> Message:
        message = self.world.find(chat.id, message_id)
        if message is None or (message.sender_id != who and chat.type != "channel"):
            raise ClientError("this is not a message of this person")
        return message

    @_settled
    def delete_message(self, who: int, chat_id: int, message_id: int) -> None:
        """Delete one's own message, anybody's as an administrator or in a private chat. No bot is told."""
        chat = self._seen(who, chat_id)
        message = self.world.find(chat.id, message_id)
        if message is None:
            raise ClientError("no such message")
        leads = self.world.member(chat, who).status in {"creator", "administrator"}
        if message.sender_id != who and not leads and chat.type != "private":
            raise ClientError("only administrators delete what others wrote")
        remove(self.world, chat, [message])

    @_settled
    def dice(
        self, who: int, chat_id: int, emoji: str = "🎲", value: int | None = None, *, reply_to: int | None = None
    ) -> int:
        """Throw dice (or another of the emoji that move); *value* decides what comes. The message's id."""
        chat = self._seen(who, chat_id)
        if emoji not in DICE or (value is not None and not 1 <= value <= DICE[emoji]):
            raise ClientError("no such dice")
        thrown = {"emoji": emoji, "value": value or self.world.chance.randint(1, DICE[emoji])}
        return self._write(chat, {"sender_id": who}, reply_to=reply_to, dice=thrown).message_id

    @_settled
    def upload(
        self, who: int, chat_id: int, name: str, content: bytes, *, caption: str = "", reply_to: int | None = None
    ) -> int:
        """Send a document."""
        chat = self._seen(who, chat_id)
        mime = "application/json" if name.endswith(".json") else "text/plain"
        file = store_file(self.world, Upload(name=name, mime=mime, content=content), "document")
        shown: Json = {"document": file_shape(file)}
        if caption:
            shown["caption"], shown["entities"] = entities.settle(entities.clean(caption), [])
        return self._write(chat, {"sender_id": who}, reply_to=reply_to, **shown).message_id

    @_settled
    def anonymous(
        self, /, who: int, chat_id: int, text: str, *, face: str = "admin", thread: int | None = None, **more: Any
    ) -> int:
        """Write without one's own name. ``face``: "admin" of the group, "channel", or "linked" (automatic forward)."""
        chat = self._seen(who, chat_id)
        if face == "admin":
            sender: Json = {"sender_id": GROUP_ANONYMOUS_BOT["id"], "sender_chat_id": chat.id}
        else:
            channel = more.get("channel") or chat.linked_channel or self._channel(who)
            stand_in = TELEGRAM if face == "linked" else CHANNEL_BOT
            sender = {"sender_id": stand_in["id"], "sender_chat_id": self.chat(channel).id}
            if face == "linked":
                sender["extra"] = {"is_automatic_forward": True}
        return self._write(chat, sender, text, reply_to=more.get("reply_to"), thread=thread).message_id

    def _channel(self, who: int) -> int:
        own = (chat for chat in self.world.chats.values() if chat.type == "channel" and who in chat.members)
        found = next(own, None)
        return found.id if found else self.group(who, title="Card Channel", type="channel", bot=False)

    @_settled
    def post(self, chat_id: int, text: str) -> int:
        """A channel's own post."""
        chat = self.chat(chat_id)
        if chat.type != "channel":
            raise ClientError("only channels post")
        return self._write(chat, {"sender_chat_id": chat.id}, text).message_id

    # Tapping

    @_settled
    def tap(
        self,
        who: int,
        chat_id: int,
        message_id: int,
        row: int | None = None,
        col: int = 0,
        *,
        payload: str | None = None,
    ) -> str:
        """Tap a button (or send a hand-made payload); the id of the query.

        The message may be deleted: an old client still shows it, and the bot gets an inaccessible one.
        """
        chat = self._seen(who, chat_id)
        message = self.world.messages.get(chat.id, {}).get(message_id)
        data = self._button(message, row, col) if payload is None else payload
        query = self._ask(who, chat, message_id, data)
        if (known := self.world.cached.get((who, chat.id, message_id, data))) and known[0] > self.world.now():
            query.answered = True
            show_answer(self.world, query, known[1])
            return query.id
        body: Json = {
            "id": query.id,
            "from": self.world.user_shape(who),
            "message": self._tapped(chat, message, message_id),
            "chat_instance": str((chat.id * 2_654_435_761) % 2**63),
            "data": data,
        }
        if self.world.bot_member(chat).status not in {"left", "kicked"} or chat.type == "private":
            self.world.updates.add("callback_query", body, lane=f"person:{who}", lifetime=TAP_LIFETIME)
        return query.id

    def _ask(self, who: int, chat: Chat, message_id: int, data: str) -> Query:
        world = self.world
        query = Query(
            id=str(world.profile.next_query_id),
            person=who,
            chat_id=chat.id,
            message_id=message_id,
            button=data,
            asked_at=world.now(),
        )
        world.profile.next_query_id += 1
        world.keep_profile()
        world.keep_query(query)
        if len(world.queries) > _KEPT_QUERIES:
            oldest = next(iter(world.queries))
            del world.queries[oldest]
            if world.store is not None:
                world.store.drop(f"query/{oldest}")
        return query

    def _button(self, message: Message | None, row: int | None, col: int) -> str:
        keyboard = message.keyboard if message is not None else None
        try:
            button = (keyboard or [])[row or 0][col]
        except IndexError:
            raise ClientError("no such button") from None
        if "callback_data" not in button:
            raise ClientError("this button does not ask the bot")
        return str(button["callback_data"])

    def _tapped(self, chat: Chat, message: Message | None, message_id: int) -> Json:
        if message is None or message.deleted:
            return {"chat": screens.chat_shape(self.world, chat), "message_id": message_id, "date": 0}
        return screens.shape(self.world, message)

    async def answer(self, query_id: str, *, wait: float = _WAIT) -> Json | None:
        """What the bot answers to a tap; None if it does not within so many seconds."""
        query = self.world.queries.get(query_id)
        if query is None:
            raise ClientError("no such query")
        waiter: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        if query.answered:
            cached = self.world.cached.get((query.person, query.chat_id, query.message_id, query.button))
            return cached[1] if cached else None
        self.world.answers[query_id] = waiter
        try:
            return await asyncio.wait_for(waiter, wait)
        except TimeoutError:
            return None
        finally:
            self.world.answers.pop(query_id, None)

    # Coming and going

    @_settled
    def block(self, who: int) -> None:
        """Block the bot, which hears of it."""
        person = self.person(who)
        if not person.blocked:
            person.blocked = True
            self.world.keep_person(person)
            membership.private_member(self.world, who, "member", "kicked")
            self.world.state_changed([who])

    @_settled
    def unblock(self, who: int) -> None:
        """Let the bot write again; it hears of that."""
        person = self.person(who)
        if person.blocked:
            person.blocked = False
            self.world.keep_person(person)
            membership.private_member(self.world, who, "kicked", "member")
            self.world.state_changed([who])

    @_settled
    def join(self, who: int, chat_id: int) -> None:
        """Come into a group; nothing if already there."""
        self.person(who)
        chat = self.chat(chat_id)
        if who not in chat.present():
            membership.joins(self.world, chat, who, by=who)

    @_settled
    def leave(self, who: int, chat_id: int) -> None:
        """Leave a group."""
        membership.leaves(self.world, self._seen(who, chat_id), who, by=who)

    @_settled
    def kick(self, who: int, chat_id: int, victim: int) -> None:
        """Remove somebody from a group."""
        membership.leaves(self.world, self._seen(who, chat_id), victim, by=who, status="kicked")

    @_settled
    def add_bot(self, who: int, chat_id: int, payload: str | None = None) -> None:
        """Add the bot; with a payload as by a ?startgroup= link."""
        chat = self._seen(who, chat_id)
        membership.bot_joins(self.world, chat, by=who)
        if payload:
            self._write(chat, {"sender_id": who}, f"/start@{self.world.profile.username} {payload}")

    @_settled
    def kick_bot(self, who: int, chat_id: int) -> None:
        """Remove the bot from a group; that is the last it hears from there."""
        membership.bot_moves(self.world, self._seen(who, chat_id), "kicked", by=who)

    @_settled
    def promote(self, who: int, chat_id: int, *, member: int | None = None, rights: Json | None = None) -> None:
        """Make somebody an administrator (None: the bot); empty rights mean the usual ones."""
        chat = self._seen(who, chat_id)
        raised = Member(status="administrator", rights=rights or {})
        membership.change_member(self.world, chat, member or self.world.profile.id, raised, by=who)

    @_settled
    def demote(self, who: int, chat_id: int, *, member: int | None = None) -> None:
        """Make somebody an ordinary member again (None: the bot)."""
        chat = self._seen(who, chat_id)
        membership.change_member(self.world, chat, member or self.world.profile.id, Member(), by=who)

    @_settled
    def restrict(self, who: int, chat_id: int, *, member: int | None = None, permissions: Json | None = None) -> None:
        """Mute somebody (None: the bot); ``permissions`` name what stays allowed or not."""
        chat = self._seen(who, chat_id)
        muted = Member(status="restricted", rights={"can_send_messages": False} if permissions is None else permissions)
        membership.change_member(self.world, chat, member or self.world.profile.id, muted, by=who)

    @_settled
    def permissions(self, chat_id: int, permissions: Json) -> None:
        """Change what ordinary members may do: {"can_send_messages": false} makes the group read-only."""
        chat = self.chat(chat_id)
        chat.permissions = {**chat.permissions, **permissions}
        self.world.keep_chat(chat)

    @_settled
    def migrate(self, who: int, chat_id: int) -> int:
        """Turn a basic group into a supergroup; its new id. Old messages stay behind."""
        old = self._seen(who, chat_id)
        if old.type != "group" or old.migrated_to is not None:
            raise ClientError("only a basic group becomes a supergroup")
        new = Chat(id=self._group_id("supergroup"), type="supergroup", title=old.title, migrated_from=old.id)
        new.members = {each: Member(**_fields(member)) for each, member in old.members.items()}
        self.world.keep_chat(new)
        membership.service(self.world, old, who, {"migrate_to_chat_id": new.id})
        old.migrated_to = new.id
        self.world.keep_chat(old)
        membership.service(self.world, new, who, {"migrate_from_chat_id": old.id})
        self.world.state_changed()
        return new.id

    @_settled
    def topic(self, who: int, chat_id: int, act: str, *, name: str = "Topic", thread: int | None = None) -> int:
        """Create, close, reopen or delete a topic (None with close and reopen: General); the topic's id."""
        chat = self._seen(who, chat_id)
        if act == "create":
            chat.is_forum = True
            made = membership.service(
                self.world, chat, who, {"forum_topic_created": {"name": name, "icon_color": 7322096}}, heard=False
            )
            made.thread_id, made.is_topic = made.message_id, True
            self.world.keep_message(made)
            chat.topics[made.message_id] = Topic(name=name)
            self.hear(chat, made) if self._readable(chat, made) else None
            thread = made.message_id
        elif act in {"close", "reopen"} and thread is None:
            chat.general_closed = act == "close"
        elif thread in chat.topics and act in {"close", "reopen"}:
            chat.topics[thread].closed = act == "close"
        elif thread in chat.topics and act == "delete":
            del chat.topics[thread]
        else:
            raise ClientError("no such topic or act")
        self.world.keep_chat(chat)
        self.world.state_changed()
        return thread or 0

    # Updates out of turn

    @_settled
    def inject(self, update: Json) -> int:
        """Send the bot an update exactly as given; its id."""
        return self.world.updates.inject(update)

    @_settled
    def repeat(self, count: int = 1, update_id: int | None = None) -> int:
        """Deliver the last updates once more under their old ids, as after a crash; how many there were."""
        return self.world.updates.repeat(count, update_id)

    def reorder(self, seed: int = 64) -> None:
        """Shuffle the next batch of updates."""
        self.world.updates.shuffled = Random(seed)  # noqa: S311 (a replayable fault)

    # New people and groups

    @_settled
    def add_person(self, /, **facts: Any) -> int:
        """A new person, or new facts about a known one (``id`` given; ``gone=True`` deletes the account)."""
        who = facts.pop("id", None)
        known = self.world.people.get(who) if who is not None else None
        if who is None:
            self.world.profile.next_person += 1
            who = 9_000_000_000_100 + self.world.profile.next_person
            self.world.keep_profile()
        try:
            if known is None:
                add_person(self.world, Person(id=int(who), **{"first_name": f"Guest {who % 100}", **facts}))
            else:
                for name, value in facts.items():
                    setattr(known, name, value)
                self.world.keep_person(known)
        except (TypeError, AttributeError) as problem:
            raise ClientError(str(problem)) from None
        self.world.state_changed()
        return int(who)

    def _group_id(self, kind: str) -> int:
        self.world.profile.next_group += 1
        self.world.keep_profile()
        base = 9_000_000_000 if kind == "group" else 1_009_000_000_000_100
        return -(base + self.world.profile.next_group)

    @_settled
    def group(
        self,
        /,
        who: int,
        *,
        title: str = "New group",
        type: str = "supergroup",  # noqa: A002 (the Bot API's name)
        members: list[int] | None = None,
        bot: bool = True,
        **facts: Any,
    ) -> int:
        """A new group or channel made by this person; its id. The bot hears of it if it is in."""
        self.person(who)
        if type not in {"group", "supergroup", "channel"}:
            raise ClientError("a group is a group, supergroup or channel")
        chat = Chat(id=int(facts.pop("id", 0)) or self._group_id(type), type=type, title=title)
        chat.is_forum = bool(facts.pop("is_forum", False))
        chat.username = facts.pop("username", None)
        chat.members = {who: Member(status="creator")}
        for each in members or []:
            self.person(each)
            chat.members.setdefault(each, Member())
        self.world.keep_chat(chat)
        if bot:
            membership.bot_joins(self.world, chat, by=who)
        self.world.state_changed()
        return chat.id

    @_settled
    def remove_group(self, chat_id: int) -> None:
        """Delete a whole group; the bot is not told, its calls are refused."""
        chat = self.chat(chat_id)
        chat.removed = True
        self.world.keep_chat(chat)
        self.world.state_changed()

    @_settled
    def react(self, who: int, chat_id: int, message_id: int, emoji: str | None) -> None:
        """Put one emoji on a message, or take one's own off; an administrator bot hears of it."""
        chat = self._seen(who, chat_id)
        message = self.world.find(chat.id, message_id)
        if message is None:
            raise ClientError("no such message")
        before = [{"type": "emoji", "emoji": each} for each in message.reactions.pop(who, [])]
        if emoji:
            message.reactions[who] = [emoji]
        self.world.keep_message(message)
        self.world.show(chat, "reaction", message)
        if chat.type == "private" or self.world.bot_member(chat).status == "administrator":
            body = {
                "chat": screens.chat_shape(self.world, chat),
                "message_id": message_id,
                "user": self.world.user_shape(who),
                "date": self.world.today(),
                "old_reaction": before,
                "new_reaction": [{"type": "emoji", "emoji": emoji}] if emoji else [],
            }
            self.world.updates.add("message_reaction", body, lane=f"chat:{chat.id}")


def _fields(member: Member) -> Json:
    return {"status": member.status, "rights": dict(member.rights), "anonymous": member.anonymous}
