"""May the bot write here? Every refusal of Telegram, in the order in which it finds them."""

from bot.playground import screens
from bot.playground.calls import Call
from bot.playground.records import Chat
from bot.playground.refusals import bad_request, forbidden
from bot.playground.world import World

_SPOKEN = {"group": "group", "supergroup": "supergroup", "channel": "channel"}


def find_chat(world: World, call: Call) -> Chat:
    """The chat a call names, which the bot can look at. Raises ApiError 400 or 403."""
    named = call.text("chat_id").strip()
    if not named:
        raise bad_request("chat_id is empty")
    chat = _named(world, named)
    if chat is None:
        raise bad_request("chat not found")
    if chat.migrated_to is not None:
        raise bad_request("group chat was upgraded to a supergroup chat", migrate_to_chat_id=chat.migrated_to)
    if chat.type != "private":
        _present(world, chat)
    elif not world.people[chat.id].started and not _met(world, chat.id):
        raise bad_request("chat not found")
    return chat


def _named(world: World, named: str) -> Chat | None:
    if named.startswith("@"):
        wanted = named[1:].lower()
        return next((chat for chat in world.chats.values() if (chat.username or "").lower() == wanted), None)
    try:
        return world.chats.get(int(named))
    except ValueError:
        return None


def _met(world: World, person: int) -> bool:
    """The bot knows a person from a group that both were in."""
    bot = world.profile.id
    return any(person in chat.members and bot in chat.members for chat in world.chats.values())


def _present(world: World, chat: Chat) -> None:
    member = world.bot_member(chat)
    spoken = _SPOKEN[chat.type]
    if chat.removed:
        raise forbidden("the group chat was deleted")
    if member.status == "kicked":
        raise forbidden(f"bot was kicked from the {spoken} chat")
    if member.status == "left":
        if not member.was:
            raise bad_request("chat not found")
        raise forbidden(f"bot is not a member of the {spoken} chat")


def reachable(world: World, call: Call) -> Chat:
    """The chat, if the bot may still act in it (edit, delete): not blocked, not removed."""
    chat = find_chat(world, call)
    if chat.type == "private":
        person = world.people[chat.id]
        if person.gone:
            raise forbidden("user is deactivated")
        if person.blocked:
            raise forbidden("bot was blocked by the user")
        if not person.started:
            raise forbidden("bot can't initiate conversation with a user")
    return chat


def writable(world: World, call: Call, *, permission: str = "can_send_messages", what: str = "text messages") -> Chat:
    """The chat, if the bot may send such a message there."""
    chat = reachable(world, call)
    if chat.type == "channel" and not screens.may(world, chat, world.profile.id, "can_post_messages"):
        raise bad_request("need administrator rights in the channel chat")
    for needed in {"can_send_messages", permission}:
        if not screens.permitted(world, chat, world.profile.id, needed):
            raise bad_request(f"not enough rights to send {what} to the chat")
    return chat


def thread(world: World, chat: Chat, call: Call) -> int | None:
    """The topic a message goes to; None for General and for chats without topics."""
    asked = call.integer("message_thread_id")
    manages = screens.may(world, chat, world.profile.id, "can_manage_topics")
    if not asked:
        if chat.is_forum and chat.general_closed and not manages:
            raise bad_request("TOPIC_CLOSED")
        return None
    topic = chat.topics.get(asked) if chat.is_forum else None
    if topic is None:
        raise bad_request("message thread not found")
    if topic.closed and not manages:
        raise bad_request("TOPIC_CLOSED")
    return asked


def reply_target(world: World, chat: Chat, call: Call) -> int | None:
    """The message that is answered. Raises ApiError 400 for one that is not there, unless the bot allowed that."""
    wish = call.json("reply_parameters") or {}
    if not isinstance(wish, dict):
        raise bad_request("object expected as reply parameters")
    asked = wish.get("message_id") or call.integer("reply_to_message_id")
    if not asked:
        return None
    if not isinstance(asked, int):
        raise bad_request('Field "message_id" must be of type Number')
    if world.find(chat.id, asked) is not None:
        return asked
    if wish.get("allow_sending_without_reply") or call.flag("allow_sending_without_reply"):
        return None
    raise bad_request("message to be replied not found")
