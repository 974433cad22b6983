"""The same message two ways: as the Bot API describes it, and as a person's chat page shows it."""

from typing import TYPE_CHECKING

from bot.playground import entities
from bot.playground.records import Chat, Json, Message

if TYPE_CHECKING:
    from bot.playground.world import World


def chat_shape(world: "World", chat: Chat) -> Json:
    """The Bot API's Chat."""
    shape: Json = {"id": chat.id, "type": chat.type}
    if chat.type == "private":
        person = world.people[chat.id]
        shape["first_name"] = person.first_name
        for name in ("last_name", "username"):
            if value := getattr(person, name):
                shape[name] = value
        return shape
    shape["title"] = chat.title
    if chat.username:
        shape["username"] = chat.username
    if chat.is_forum:
        shape["is_forum"] = True
    return shape


def shape(world: "World", message: Message, *, replies: bool = True) -> Json:
    """The Bot API's Message."""
    chat = world.chats[message.chat_id]
    body: Json = {"message_id": message.message_id, "date": message.date, "chat": chat_shape(world, chat)}
    if message.sender_id is not None:
        body["from"] = world.user_shape(message.sender_id)
    if message.sender_chat_id is not None:
        body["sender_chat"] = chat_shape(world, world.chats[message.sender_chat_id])
    if message.thread_id is not None:
        body["message_thread_id"] = message.thread_id
    if message.is_topic:
        body["is_topic_message"] = True
    if message.edit_date is not None:
        body["edit_date"] = message.edit_date
    if message.reply_to is not None and replies:
        original = world.find(chat.id, message.reply_to)
        if original is not None:
            body["reply_to_message"] = shape(world, original, replies=False)
    _content(message, body)
    if message.keyboard:
        body["reply_markup"] = {"inline_keyboard": message.keyboard}
    body.update(message.service)
    body.update(message.extra)
    return body


def _content(message: Message, body: Json) -> None:
    if message.text is not None:
        body["text"] = message.text
        if message.entities:
            body["entities"] = [bot_entity(entity) for entity in message.entities]
    if message.caption:
        body["caption"] = message.caption
        if message.entities:
            body["caption_entities"] = [bot_entity(entity) for entity in message.entities]
    for name in ("photo", "document", "dice"):
        if (value := getattr(message, name)) is not None:
            body[name] = value


def bot_entity(entity: Json) -> Json:
    """The Bot API's MessageEntity; a mention by id has a user in it."""
    if entity["type"] != "text_mention" or "user" in entity:
        return entity
    user = {"id": entity["user_id"], "is_bot": False, "first_name": "User"}
    return {"type": "text_mention", "offset": entity["offset"], "length": entity["length"], "user": user}


def _sender(world: "World", message: Message) -> Json:
    if message.sender_chat_id is not None:
        chat = world.chats[message.sender_chat_id]
        return {"id": chat.id, "name": chat.title or "", "is_bot": False, "is_chat": True}
    if message.sender_id is None:
        return {
            "id": message.chat_id,
            "name": world.chats[message.chat_id].title or "",
            "is_bot": False,
            "is_chat": True,
        }
    user = world.user_shape(message.sender_id)
    name = " ".join(part for part in (user["first_name"], user.get("last_name", "")) if part)
    return {"id": user["id"], "name": name or "Deleted account", "is_bot": user["is_bot"]}


def _key(button: Json) -> Json:
    key: Json = {"text": button["text"]}
    if "callback_data" in button:
        key |= {"kind": "callback", "data": button["callback_data"]}
    elif "url" in button:
        key |= {"kind": "url", "url": button["url"]}
    elif "copy_text" in button:
        key |= {"kind": "copy", "copy": button["copy_text"]["text"]}
    else:
        key["kind"] = "other"
    if "style" in button:
        key["style"] = button["style"]
    return key


def message(world: "World", message: Message) -> Json:
    """A message as the page draws it; ``html`` is safe to insert."""
    text = message.text if message.text is not None else message.caption or ""
    shown: Json = {
        "message_id": message.message_id,
        "chat": message.chat_id,
        "from": _sender(world, message),
        "date": message.date,
        "edit_date": message.edit_date,
        "text": text,
        "html": entities.to_html(text, message.entities),
        "keyboard": [[_key(button) for button in row] for row in message.keyboard or []],
        "reply_to": message.reply_to,
        "thread": message.thread_id if message.is_topic else None,
        "reactions": [{"emoji": e, "from": who} for who, emoji in message.reactions.items() for e in emoji],
    }
    if message.force_reply:
        shown["force_reply"] = True
    if message.photo:
        shown["photo"] = f"/client/files/{message.photo[-1]['file_id']}"
    if message.document:
        shown["document"] = f"/client/files/{message.document['file_id']}"
        shown["document_name"] = message.document.get("file_name", "")
    if message.dice:
        shown["dice"] = message.dice
    if message.service:
        shown["service"] = _service(world, message)
    return shown


def _service(world: "World", message: Message) -> str:
    """A grey line in the chat."""
    service = message.service
    who = _sender(world, message)["name"]
    names = ", ".join(user["first_name"] for user in service.get("new_chat_members", ()))
    if names:
        return f"{who} added {names}"
    if "left_chat_member" in service:
        return f"{service['left_chat_member']['first_name']} left the group"
    if "migrate_to_chat_id" in service or "migrate_from_chat_id" in service:
        return "The group became a supergroup"
    if "forum_topic_created" in service:
        return f"{who} created the topic {service['forum_topic_created']['name']}"
    if "forum_topic_closed" in service:
        return f"{who} closed the topic"
    return next(iter(service)).replace("_", " ")


def member_shape(world: "World", chat: Chat, who: int) -> Json:
    """The Bot API's ChatMember."""
    member = world.member(chat, who)
    body: Json = {"status": member.status, "user": world.user_shape(who)}
    if member.status == "creator":
        body["is_anonymous"] = member.anonymous
    elif member.status == "administrator":
        body |= {name: bool(member.rights.get(name, name in _USUAL_RIGHTS)) for name in _RIGHTS}
        body |= {"can_be_edited": False, "is_anonymous": member.anonymous}
    elif member.status == "restricted":
        body |= {name: bool(member.rights.get(name, True)) for name in PERMISSIONS}
        body |= {"is_member": True, "until_date": 0}
    elif member.status == "kicked":
        body["until_date"] = 0
    return body


_USUAL_RIGHTS = frozenset(
    [
        "can_manage_chat",
        "can_delete_messages",
        "can_manage_video_chats",
        "can_restrict_members",
        "can_change_info",
        "can_invite_users",
        "can_pin_messages",
        "can_manage_topics",
        "can_post_messages",
        "can_edit_messages",
    ]
)
_RIGHTS = (
    *sorted(_USUAL_RIGHTS),
    *("can_promote_members", "can_post_stories", "can_edit_stories", "can_delete_stories"),
    *("can_manage_direct_messages", "can_manage_tags"),
)
PERMISSIONS = [
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
    "can_edit_tag",
    "can_react_to_messages",
]


def may(world: "World", chat: Chat, who: int, right: str) -> bool:
    """Whether the member holds an administrator's right here."""
    member = world.member(chat, who)
    if chat.type == "private" or member.status == "creator":
        return True
    return member.status == "administrator" and bool(member.rights.get(right, right in _USUAL_RIGHTS))


def permitted(world: "World", chat: Chat, who: int, permission: str) -> bool:
    """Whether the chat's and the member's own restrictions let the member do this."""
    member = world.member(chat, who)
    if chat.type == "private" or member.status in {"creator", "administrator"}:
        return True
    if member.status == "restricted" and not member.rights.get(permission, True):
        return False
    return bool(chat.permissions.get(permission, True))
