"""Methods that write, edit and delete messages, files and dice; each refuses by ApiError, as the server does."""

from typing import Any

from bot.playground import access, entities, pictures, screens
from bot.playground.calls import Call, Upload
from bot.playground.keyboards import read_markup
from bot.playground.records import Chat, Json, Message, StoredFile
from bot.playground.refusals import NOT_MODIFIED, bad_request
from bot.playground.world import World

MESSAGE = 4096  # characters after parsing
CAPTION = 1024
RAW = 32_768  # bytes before parsing
TWO_DAYS = 172_800  # seconds in which a message can be deleted
DICE = {"🎲": 6, "🎯": 6, "🎳": 6, "🏀": 5, "⚽": 5, "🎰": 64}
_PHOTO_BYTES = 10 * 2**20
_FILE_BYTES = 50 * 2**20


def formatted(call: Call, name: str, *, most: int) -> tuple[str, list[Json]]:
    """A text parameter after parsing, cleaning and trimming. Raises ApiError 400 as the server does."""
    raw = call.text(name)
    if len(raw.encode()) > RAW:
        raise bad_request("text is too long")
    raw = entities.clean(raw)
    mode = call.text("parse_mode")
    marks = call.json("entities" if name == "text" else "caption_entities") or []
    if not mode or mode.lower() == "none":
        found = _given(marks)
    elif mode.lower() == "html":
        raw, found = entities.parse_html(raw)
        raw = entities.clean(raw)
    else:
        raise bad_request("unsupported parse_mode")
    text, found = entities.settle(raw, found)
    if len(text) > most:
        raise bad_request("message is too long" if name == "text" else "message caption is too long")
    return text, found


def _given(marks: Any) -> list[Json]:
    fields = {"type": str, "offset": int, "length": int}
    if not isinstance(marks, list) or not all(
        isinstance(mark, dict) and all(isinstance(mark.get(name), kind) for name, kind in fields.items())
        for mark in marks
    ):
        raise bad_request("can't parse entities: Expected an Array of MessageEntity")
    for mark in marks:
        if mark["type"] == "text_mention" and "user" in mark:
            mark["user_id"] = mark.pop("user").get("id", 0)
    return [{**mark} for mark in marks]


def _message_text(call: Call) -> tuple[str, list[Json]]:
    if not call.text("text"):
        raise bad_request("message text is empty")
    text, found = formatted(call, "text", most=MESSAGE)
    if not text:
        raise bad_request("text must be non-empty")
    return text, found


def _keyboard(call: Call, chat: Chat) -> tuple[list[list[Json]] | None, bool]:
    markup = read_markup(call.json("reply_markup"), private=chat.type == "private")
    return markup.inline, markup.force_reply


def _place(world: World, chat: Chat, call: Call) -> Json:
    """Where a new message stands, and the marks it carries."""
    thread = access.thread(world, chat, call)
    if call.text("message_effect_id") and chat.type != "private":
        raise bad_request("can't use message effects in the chat")
    extra: Json = {}
    if call.flag("protect_content"):
        extra["has_protected_content"] = True
    if chat.type == "private" and call.text("message_effect_id"):
        extra["effect_id"] = call.text("message_effect_id")
    return {
        "sender_id": None if chat.type == "channel" else world.profile.id,
        "sender_chat_id": chat.id if chat.type == "channel" else None,
        "thread_id": thread,
        "is_topic": thread is not None,
        "reply_to": access.reply_target(world, chat, call),
        "extra": extra,
    }


def _count(world: World, chat: Chat) -> None:
    if world.limited:
        world.limits.spend(chat.id, group=chat.type != "private")


def send_message(world: World, call: Call) -> Json:
    text, found = _message_text(call)
    chat = access.writable(world, call)
    keyboard, force_reply = _keyboard(call, chat)
    place = _place(world, chat, call)
    _count(world, chat)
    message = world.post(chat, text=text, entities=found, keyboard=keyboard, force_reply=force_reply, **place)
    return screens.shape(world, message)


def send_dice(world: World, call: Call) -> Json:
    emoji = call.text("emoji") or "🎲"
    if emoji not in DICE:
        raise bad_request("wrong dice emoji specified")
    chat = access.writable(world, call, permission="can_send_other_messages", what="dice")
    keyboard, _ = _keyboard(call, chat)
    place = _place(world, chat, call)
    _count(world, chat)
    dice = {"emoji": emoji, "value": world.chance.randint(1, DICE[emoji])}
    return screens.shape(world, world.post(chat, dice=dice, keyboard=keyboard, **place))


def _upload(call: Call, name: str) -> Upload | str:
    """The file itself, or the id of one that the server knows."""
    if name in call.uploads:
        return call.uploads[name]
    value = call.text(name)
    if value.startswith("attach://"):
        attached = call.uploads.get(value.removeprefix("attach://"))
        if attached is None:
            raise bad_request(f"there is no {name} in the request")
        return attached
    if not value:
        raise bad_request(f"there is no {name} in the request")
    if value.startswith(("http://", "https://")):
        raise bad_request("failed to get HTTP URL content")
    return value


def store_file(world: World, upload: Upload, kind: str) -> StoredFile:
    """Keep an upload. Raises ApiError 400 for an empty one and for pictures that are none; 413 if too big."""
    if not upload.content:
        raise bad_request("file must be non-empty")
    size = (0, 0)
    if kind == "photo":
        if len(upload.content) > _PHOTO_BYTES:
            raise bad_request(f"file is too big: {len(upload.content)} bytes")
        size = pictures.dimensions(upload.content) or (0, 0)
        if not all(size):
            raise bad_request("IMAGE_PROCESS_FAILED")
        if sum(size) > 10_000 or max(size) > 20 * min(size):
            raise bad_request("PHOTO_INVALID_DIMENSIONS")
    if len(upload.content) > _FILE_BYTES:
        raise bad_request(f"file is too big: {len(upload.content)} bytes")
    number = world.profile.next_file
    world.profile.next_file += 1
    world.keep_profile()
    letters = {"photo": "AgACAgIAAxkB", "document": "BQACAgIAAxkB"}[kind]
    file = StoredFile(
        file_id=f"{letters}{number:08}",
        name=upload.name or "file",
        mime=upload.mime or "application/octet-stream",
        size=len(upload.content),
        kind=kind,
        width=size[0],
        height=size[1],
    )
    world.keep_file(file, upload.content)
    return file


def file_shape(file: StoredFile) -> Json:
    """The Bot API's PhotoSize or Document."""
    shape: Json = {"file_id": file.file_id, "file_unique_id": f"Ag{file.file_id[-8:]}", "file_size": file.size}
    if file.kind == "photo":
        return {**shape, "width": file.width, "height": file.height}
    return {**shape, "file_name": file.name, "mime_type": file.mime}


def _send_file(world: World, call: Call, kind: str) -> Json:
    caption, found = formatted(call, "caption", most=CAPTION)
    chat = access.writable(world, call, permission=f"can_send_{kind}s", what=f"{kind}s")
    keyboard, force_reply = _keyboard(call, chat)
    place = _place(world, chat, call)
    upload = _upload(call, kind)
    if isinstance(upload, str) and (upload not in world.files or world.files[upload].kind != kind):
        raise bad_request("wrong file identifier/HTTP URL specified")
    _count(world, chat)
    file = world.files[upload] if isinstance(upload, str) else store_file(world, upload, kind)
    shown: Json = {kind: [file_shape(file)] if kind == "photo" else file_shape(file)}
    message = world.post(
        chat, caption=caption or None, entities=found, keyboard=keyboard, force_reply=force_reply, **shown, **place
    )
    return screens.shape(world, message)


def send_photo(world: World, call: Call) -> Json:
    return _send_file(world, call, "photo")


def send_document(world: World, call: Call) -> Json:
    return _send_file(world, call, "document")


def _own(world: World, call: Call) -> tuple[Chat, Message]:
    """The bot's message that a call wants to edit."""
    if call.text("inline_message_id"):
        raise bad_request("MESSAGE_ID_INVALID")
    chat = access.reachable(world, call)
    if not call.integer("message_id"):
        raise bad_request("message identifier is not specified")
    message = world.find(chat.id, call.integer("message_id"))
    if message is None:
        raise bad_request("message to edit not found")
    posted_here = chat.type == "channel" and message.sender_id is None
    if message.service or (message.sender_id != world.profile.id and not posted_here):
        raise bad_request("message can't be edited")
    return chat, message


def _changed(world: World, chat: Chat, message: Message, kind: str, **fields: Any) -> Json:
    if all(getattr(message, name) == value for name, value in fields.items()):
        raise bad_request(NOT_MODIFIED)
    _count(world, chat)
    for name, value in fields.items():
        setattr(message, name, value)
    message.edit_date = world.today()
    world.keep_message(message)
    world.show(chat, kind, message)
    return screens.shape(world, message)


def edit_message_text(world: World, call: Call) -> Json:
    text, found = _message_text(call)
    chat, message = _own(world, call)
    if message.text is None:
        raise bad_request("there is no text in the message to edit")
    keyboard, _ = _keyboard(call, chat)
    return _changed(world, chat, message, "edit", text=text, entities=found, keyboard=keyboard)


def edit_message_caption(world: World, call: Call) -> Json:
    caption, found = formatted(call, "caption", most=CAPTION)
    chat, message = _own(world, call)
    if message.photo is None and message.document is None:
        raise bad_request("there is no caption in the message to edit")
    keyboard, _ = _keyboard(call, chat)
    return _changed(world, chat, message, "edit", caption=caption or None, entities=found, keyboard=keyboard)


def edit_message_reply_markup(world: World, call: Call) -> Json:
    chat, message = _own(world, call)
    keyboard, _ = _keyboard(call, chat)
    return _changed(world, chat, message, "keyboard", keyboard=keyboard)


def delete_message(world: World, call: Call) -> bool:
    chat = access.reachable(world, call)
    if not call.integer("message_id"):
        raise bad_request("message identifier is not specified")
    message = world.find(chat.id, call.integer("message_id"))
    if message is None:
        raise bad_request("message to delete not found")
    _deletable(world, chat, message)
    remove(world, chat, [message])
    return True


def _deletable(world: World, chat: Chat, message: Message) -> None:
    others = message.sender_id != world.profile.id and chat.type != "private"
    if others and not screens.may(world, chat, world.profile.id, "can_delete_messages"):
        raise bad_request(
            "message can't be deleted for everyone" if chat.type == "group" else "message can't be deleted"
        )
    if world.today() - message.date > TWO_DAYS and not (
        chat.type == "supergroup" and screens.may(world, chat, world.profile.id, "can_delete_messages")
    ):
        raise bad_request("message can't be deleted for everyone")


def delete_messages(world: World, call: Call) -> bool:
    chat = access.reachable(world, call)
    wanted = call.json("message_ids")
    if not isinstance(wanted, list) or not wanted or not all(isinstance(number, int) for number in wanted):
        raise bad_request("message identifiers are not specified")
    if len(wanted) > 100:
        raise bad_request("too many message identifiers specified")
    found = [message for number in wanted if (message := world.find(chat.id, number)) is not None]
    for message in found:
        _deletable(world, chat, message)
    remove(world, chat, found)
    return True


def remove(world: World, chat: Chat, messages: list[Message]) -> None:
    """Delete messages for everybody; what stays is only that they were there."""
    for message in messages:
        message.deleted = True
        world.keep_message(message)
    gone = [message.message_id for message in messages]
    if gone:
        world.tell_all(world.audience(chat), {"kind": "delete", "chat": chat.id, "message_ids": gone})
