"""The bot's names, texts, menu button and commands, by scope and language."""

import re
from collections.abc import Callable
from typing import Any

from bot.playground import access
from bot.playground.calls import Call
from bot.playground.records import Chat, Json
from bot.playground.refusals import bad_request
from bot.playground.world import World

_LIMITS = {"name": 64, "description": 512, "short_description": 120}
_PLAIN_SCOPES = frozenset({"default", "all_private_chats", "all_group_chats", "all_chat_administrators"})


def _language(call: Call) -> str:
    code = call.text("language_code")
    if code and not re.fullmatch("[a-z]{2}", code):
        raise bad_request("invalid language code specified")
    return code


def _texts(world: World, name: str) -> dict[str, str]:
    profile = world.profile
    return {
        "name": profile.names,
        "description": profile.descriptions,
        "short_description": profile.short_descriptions,
    }[name]


def text_setter(name: str) -> Callable[[World, Call], bool]:
    """setMyName, setMyDescription, setMyShortDescription."""

    def set_text(world: World, call: Call) -> bool:
        language, text = _language(call), call.text(name).strip()
        if len(text) > _LIMITS[name]:
            raise bad_request(f"BOT_{'TITLE' if name == 'name' else 'ABOUT'}_INVALID")
        texts = _texts(world, name)
        if text:
            texts[language] = text
        elif name != "name" or language:
            texts.pop(language, None)
        world.keep_profile()
        world.state_changed()
        return True

    return set_text


def text_getter(name: str) -> Callable[[World, Call], Json]:
    """getMyName, getMyDescription, getMyShortDescription: in the language asked for, else the one for everybody."""

    def get_text(world: World, call: Call) -> Json:
        texts = _texts(world, name)
        return {name: texts.get(_language(call)) or texts.get("", "")}

    return get_text


def _scope(world: World, call: Call) -> str:
    raw = call.json("scope") or {"type": "default"}
    if not isinstance(raw, dict) or "type" not in raw:
        raise bad_request("can't parse BotCommandScope: Can't find field \"type\"")
    kind = raw["type"]
    if kind in _PLAIN_SCOPES:
        return str(kind)
    if kind not in {"chat", "chat_administrators", "chat_member"}:
        raise bad_request("can't parse BotCommandScope: Unsupported type specified")
    chat = access.find_chat(world, Call(method=call.method, params={"chat_id": raw.get("chat_id", "")}))
    if kind == "chat_administrators" and chat.type == "private":
        raise bad_request("can't set commands for administrators of a private chat")
    if kind != "chat_member":
        return f"{kind}:{chat.id}"
    if not isinstance(raw.get("user_id"), int) or raw["user_id"] not in world.people:
        raise bad_request("user not found")
    return f"{kind}:{chat.id}:{raw['user_id']}"


def _command(raw: Any) -> Json:
    if not isinstance(raw, dict) or not isinstance(raw.get("command"), str):
        raise bad_request("can't parse BotCommand: Can't find field \"command\"")
    name = raw["command"].strip().removeprefix("/")
    description = str(raw.get("description", "")).strip()
    if not name:
        raise bad_request("command must be non-empty")
    if len(name) > 32:
        raise bad_request("command length must not exceed 32")
    if not description:
        raise bad_request("command description must be non-empty")
    if len(description) > 256:
        raise bad_request("command description length must not exceed 256")
    if not re.fullmatch("[a-z0-9_]+", name):
        raise bad_request("BOT_COMMAND_INVALID")
    return {"command": name, "description": description}


def set_my_commands(world: World, call: Call) -> bool:
    raw = call.json("commands")
    if not isinstance(raw, list):
        raise bad_request("can't parse commands: Expected an Array of BotCommand")
    if len(raw) > 100:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    scope, language = _scope(world, call), _language(call)
    world.profile.commands[f"{scope}|{language}"] = [_command(each) for each in raw]
    world.keep_profile()
    world.state_changed()
    return True


def get_my_commands(world: World, call: Call) -> list[Json]:
    scope, language = _scope(world, call), _language(call)
    return world.profile.commands.get(f"{scope}|{language}", [])


def delete_my_commands(world: World, call: Call) -> bool:
    scope, language = _scope(world, call), _language(call)
    world.profile.commands.pop(f"{scope}|{language}", None)
    world.keep_profile()
    world.state_changed()
    return True


def menu(world: World, person: int, chat: Chat) -> list[Json]:
    """The commands a person is offered in a chat: the most specific scope wins, in it the person's language."""
    language = (world.people[person].language_code or "")[:2].lower()
    for scope in _scopes(world, person, chat):
        for spoken in dict.fromkeys((language, "")):
            if found := world.profile.commands.get(f"{scope}|{spoken}"):
                return found
    return []


def _scopes(world: World, person: int, chat: Chat) -> list[str]:
    if chat.type == "private":
        return [f"chat:{chat.id}", "all_private_chats", "default"]
    leads = world.member(chat, person).status in {"creator", "administrator"}
    scopes = [f"chat_member:{chat.id}:{person}"]
    scopes += [f"chat_administrators:{chat.id}"] if leads else []
    scopes += [f"chat:{chat.id}"]
    scopes += ["all_chat_administrators"] if leads else []
    return [*scopes, "all_group_chats", "default"]


def set_chat_menu_button(world: World, call: Call) -> bool:
    button = call.json("menu_button") or {"type": "default"}
    if not isinstance(button, dict) or button.get("type") not in {"default", "commands", "web_app"}:
        raise bad_request("can't parse menu button: Unsupported type specified")
    key = str(access.find_chat(world, call).id) if call.text("chat_id") else ""
    world.profile.menu_buttons[key] = button
    world.keep_profile()
    world.state_changed()
    return True


def get_chat_menu_button(world: World, call: Call) -> Json:
    buttons = world.profile.menu_buttons
    return buttons.get(call.text("chat_id")) or buttons.get("") or {"type": "commands"}
