"""Answers to taps, reactions, files and pins; each method refuses by ApiError, in the server's words."""

from bot.playground import access, screens
from bot.playground.calls import Call
from bot.playground.records import Json, Query
from bot.playground.refusals import bad_request
from bot.playground.world import World

ANSWER_WITHIN = 15.0  # seconds after which clients have given up
_ANSWER = 200  # characters
_DOWNLOAD = 20 * 2**20
_ACTIONS = frozenset(
    [
        "typing",
        "upload_photo",
        "record_video",
        "upload_video",
        "record_voice",
        "upload_voice",
        "upload_document",
        "choose_sticker",
        "find_location",
        "record_video_note",
        "upload_video_note",
    ]
)
REACTIONS = frozenset(
    [
        "👍",
        "👎",
        "❤",
        "🔥",
        "🥰",
        "👏",
        "😁",
        "🤔",
        "🤯",
        "😱",
        "🤬",
        "😢",
        "🎉",
        "🤩",
        "🤮",
        "💩",
        "🙏",
        "👌",
        "🕊",
        "🤡",
        "🥱",
        "🥴",
        "😍",
        "🐳",
        "❤️\u200d🔥",
        "🌚",
        "🌭",
        "💯",
        "🤣",
        "⚡",
        "🍌",
        "🏆",
        "💔",
        "🤨",
        "😐",
        "🍓",
        "🍾",
        "💋",
        "🖕",
        "😈",
        "😴",
        "😭",
        "🤓",
        "👻",
        "👨\u200d💻",
        "👀",
        "🎃",
        "🙈",
        "😇",
        "😨",
        "🤝",
        "✍",
        "🤗",
        "🫡",
        "🎅",
        "🎄",
        "☃",
        "💅",
        "🤪",
        "🗿",
        "🆒",
        "💘",
        "🙉",
        "🦄",
        "😘",
        "💊",
        "🙊",
        "😎",
        "👾",
        "🤷\u200d♂️",
        "🤷",
        "🤷\u200d♀️",
        "😡",
    ]
)


def answer_callback_query(world: World, call: Call) -> bool:
    text = call.text("text")
    if len(text) > _ANSWER:
        raise bad_request("MESSAGE_TOO_LONG")
    query = world.queries.get(call.text("callback_query_id"))
    if query is None or query.answered or world.now() - query.asked_at > ANSWER_WITHIN:
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    address = call.text("url")
    if address and not _opens_bot(world, address):
        raise bad_request("URL_INVALID")
    query.answered = True
    world.keep_query(query)
    answer: Json = {
        "text": text,
        "show_alert": call.flag("show_alert"),
        "url": address or None,
        "cache_time": call.integer("cache_time"),
    }
    if answer["cache_time"] > 0:
        key = (query.person, query.chat_id, query.message_id, query.button)
        world.cached[key] = (world.now() + answer["cache_time"], answer)
    show_answer(world, query, answer)
    return True


def _opens_bot(world: World, address: str) -> bool:
    name = world.profile.username.lower()
    plain = address.lower().removeprefix("https://").removeprefix("http://")
    return plain.startswith((f"t.me/{name}?start=", f"telegram.me/{name}?start=", f"tg://resolve?domain={name}&start="))


def show_answer(world: World, query: Query, answer: Json) -> None:
    """To the person who tapped, and to nobody else."""
    kind = "answered"
    if answer["url"]:
        kind = "open"
    elif answer["text"]:
        kind = "alert" if answer["show_alert"] else "toast"
    event = {"kind": kind, "query_id": query.id, "chat": query.chat_id, "message_id": query.message_id, **answer}
    world.tell(query.person, event)
    waiter = world.answers.pop(query.id, None)
    if waiter is not None and not waiter.done():
        waiter.set_result(answer)


def send_chat_action(world: World, call: Call) -> bool:
    if call.text("action") not in _ACTIONS:
        raise bad_request("wrong parameter action in request")
    chat = access.writable(world, call)
    world.tell_all(world.audience(chat), {"kind": "action", "chat": chat.id, "action": call.text("action")})
    return True


def set_message_reaction(world: World, call: Call) -> bool:
    chat = access.reachable(world, call)
    message = world.find(chat.id, call.integer("message_id"))
    if message is None:
        raise bad_request("message to react not found")
    wish = call.json("reaction") or []
    if not isinstance(wish, list) or not all(isinstance(each, dict) for each in wish):
        raise bad_request("can't parse reactions")
    emoji = [str(each.get("emoji", "")) for each in wish]
    if len(emoji) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    if any(each not in REACTIONS or (chat.reactions is not None and each not in chat.reactions) for each in emoji):
        raise bad_request("REACTION_INVALID")
    message.reactions.pop(world.profile.id, None)
    if emoji:
        message.reactions[world.profile.id] = emoji
    world.keep_message(message)
    world.show(chat, "reaction", message)
    return True


def get_file(world: World, call: Call) -> Json:
    if not call.text("file_id"):
        raise bad_request("file_id not specified")
    file = world.files.get(call.text("file_id"))
    if file is None:
        raise bad_request("invalid file_id")
    if file.size > _DOWNLOAD:
        raise bad_request("file is too big")
    ending = file.name.rpartition(".")[2] if "." in file.name else "bin"
    path = f"{file.kind}s/{file.file_id}.{ending}"
    return {
        "file_id": file.file_id,
        "file_unique_id": f"Ag{file.file_id[-8:]}",
        "file_size": file.size,
        "file_path": path,
    }


def pin_chat_message(world: World, call: Call) -> bool:
    chat = access.reachable(world, call)
    _may_pin(world, call)
    message = world.find(chat.id, call.integer("message_id"))
    if message is None:
        raise bad_request("message to pin not found")
    if message.message_id in chat.pinned:
        raise bad_request("CHAT_NOT_MODIFIED")
    chat.pinned.append(message.message_id)
    world.keep_chat(chat)
    world.state_changed(world.audience(chat))
    return True


def _may_pin(world: World, call: Call) -> None:
    chat = access.reachable(world, call)
    if not screens.may(world, chat, world.profile.id, "can_pin_messages"):
        raise bad_request("not enough rights to manage pinned messages in the chat")


def unpin_chat_message(world: World, call: Call) -> bool:
    chat = access.reachable(world, call)
    _may_pin(world, call)
    wanted = call.integer("message_id") or (chat.pinned[-1] if chat.pinned else 0)
    if wanted not in chat.pinned:
        raise bad_request("message to unpin not found")
    chat.pinned.remove(wanted)
    world.keep_chat(chat)
    world.state_changed(world.audience(chat))
    return True


def unpin_all_chat_messages(world: World, call: Call) -> bool:
    chat = access.reachable(world, call)
    _may_pin(world, call)
    chat.pinned.clear()
    world.keep_chat(chat)
    world.state_changed(world.audience(chat))
    return True
