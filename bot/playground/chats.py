"""Methods that ask about chats and members, and one that leaves; each refuses by ApiError, in the server's words."""

from bot.playground import access, screens
from bot.playground.calls import Call
from bot.playground.membership import bot_moves
from bot.playground.records import STAND_INS, Json
from bot.playground.refusals import bad_request
from bot.playground.world import World


def get_me(world: World, call: Call) -> Json:  # noqa: ARG001 (every method takes a call)
    return {
        **world.profile.shape(),
        "can_join_groups": True,
        "can_read_all_group_messages": False,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
    }


def get_chat(world: World, call: Call) -> Json:
    chat = access.find_chat(world, call)
    body: Json = {
        **screens.chat_shape(world, chat),
        "accent_color_id": abs(chat.id) % 7,
        "max_reaction_count": 11,
        "accepted_gift_types": {
            "unlimited_gifts": False,
            "limited_gifts": False,
            "unique_gifts": False,
            "premium_subscription": False,
            "gifts_from_channels": False,
        },
    }
    if chat.type in {"group", "supergroup"}:
        body["permissions"] = {name: bool(chat.permissions.get(name, True)) for name in screens.PERMISSIONS}
    if chat.linked_channel is not None:
        body["linked_chat_id"] = chat.linked_channel
    if chat.reactions is not None:
        body["available_reactions"] = [{"type": "emoji", "emoji": emoji} for emoji in chat.reactions]
    if chat.pinned and (pinned := world.find(chat.id, chat.pinned[-1])) is not None:
        body["pinned_message"] = screens.shape(world, pinned)
    return body


def get_chat_member(world: World, call: Call) -> Json:
    chat = access.find_chat(world, call)
    who = call.integer("user_id")
    if not who:
        raise bad_request("invalid user_id specified")
    if who in STAND_INS or (who not in world.people and who != world.profile.id):
        raise bad_request("user not found")
    if chat.type == "private":
        if who not in {chat.id, world.profile.id}:
            raise bad_request("user not found")
        return {"status": "member", "user": world.user_shape(who)}
    return screens.member_shape(world, chat, who)


def get_chat_administrators(world: World, call: Call) -> list[Json]:
    chat = access.find_chat(world, call)
    if chat.type == "private":
        raise bad_request("there are no administrators in the private chat")
    ranks = {"creator", "administrator"}
    return [screens.member_shape(world, chat, who) for who, member in chat.members.items() if member.status in ranks]


def get_chat_member_count(world: World, call: Call) -> int:
    chat = access.find_chat(world, call)
    return 2 if chat.type == "private" else len(chat.present())


def leave_chat(world: World, call: Call) -> bool:
    chat = access.find_chat(world, call)
    if chat.type == "private":
        raise bad_request("chat member status can't be changed in private chats")
    bot_moves(world, chat, "left", by=world.profile.id)
    return True
