"""Comings and goings, and the updates that tell of them."""

from bot.playground import screens
from bot.playground.records import Chat, Json, Member, Message
from bot.playground.world import World


def change_member(world: World, chat: Chat, who: int, member: Member, *, by: int) -> None:
    """Give somebody another standing. The bot hears of its own always, of others' as an administrator (Bot API)."""
    kind = "my_chat_member" if who == world.profile.id else "chat_member"
    heard_before = world.bot_member(chat).status == "administrator"
    before = screens.member_shape(world, chat, who)
    chat.members[who] = member
    world.keep_chat(chat)
    if kind == "my_chat_member" or heard_before:
        body: Json = {
            "chat": screens.chat_shape(world, chat),
            "from": world.user_shape(by),
            "date": world.today(),
            "old_chat_member": before,
            "new_chat_member": screens.member_shape(world, chat, who),
        }
        world.updates.add(kind, body, lane=f"chat:{chat.id}")
    world.state_changed()


def private_member(world: World, person: int, before: str, after: str) -> None:
    """Block and unblock, as the bot hears of them."""
    bot = world.profile.shape()
    old: Json = {"status": before, "user": bot}
    new: Json = {"status": after, "user": bot}
    for side in (old, new):
        if side["status"] == "kicked":
            side["until_date"] = 0
    body = {
        "chat": screens.chat_shape(world, world.chats[person]),
        "from": world.user_shape(person),
        "date": world.today(),
        "old_chat_member": old,
        "new_chat_member": new,
    }
    world.updates.add("my_chat_member", body, lane=f"chat:{person}")


def service(world: World, chat: Chat, by: int | None, facts: Json, *, heard: bool = True) -> Message:
    """A grey line that also reaches the bot (privacy mode lets service messages through)."""
    message = world.post(chat, sender_id=by, service=facts)
    if heard:
        kind = "channel_post" if chat.type == "channel" else "message"
        world.updates.add(kind, screens.shape(world, message), lane=f"chat:{chat.id}")
    return message


def joins(world: World, chat: Chat, who: int, *, by: int) -> None:
    """A person comes in, alone or brought by somebody; the bot hears of it if it is there."""
    change_member(world, chat, who, Member(), by=by)
    service(world, chat, by, {"new_chat_members": [world.user_shape(who)]}, heard=_bot_is_in(world, chat))


def leaves(world: World, chat: Chat, who: int, *, by: int, status: str = "left") -> None:
    """A person goes, or is removed; the bot hears of it if it is there."""
    change_member(world, chat, who, Member(status=status), by=by)
    service(world, chat, by, {"left_chat_member": world.user_shape(who)}, heard=_bot_is_in(world, chat))


def bot_moves(world: World, chat: Chat, status: str, *, by: int) -> None:
    """The bot leaves or is removed: two updates tell it so, and nothing after them."""
    bot = world.profile.id
    change_member(world, chat, bot, Member(status=status), by=by)
    service(world, chat, by, {"left_chat_member": world.user_shape(bot)})


def bot_joins(world: World, chat: Chat, *, by: int) -> None:
    """The bot is added: two updates tell it so."""
    bot = world.profile.id
    change_member(world, chat, bot, Member(), by=by)
    service(world, chat, by, {"new_chat_members": [world.user_shape(bot)]})


def _bot_is_in(world: World, chat: Chat) -> bool:
    return world.bot_member(chat).status not in {"left", "kicked"}
