"""Telegram's HTML: strict in, with the server's own complaints, and back out to HTML that is safe in a page.

Offsets in complaints are bytes, offsets of entities are UTF-16 code units, as Telegram counts them.
"""

import re
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urlsplit

from bot.playground.refusals import ApiError, bad_request

Entity = dict[str, Any]

_TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "a": "text_link",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
    "tg-emoji": "custom_emoji",
    "tg-time": "date_time",
}
_NAMED = {b"lt": "<", b"gt": ">", b"amp": "&", b"quot": '"'}
_SPACES = b" \t\r\n\0\v"
_SPECIAL = re.compile(rb"[<&]")
_REFERENCE = re.compile(rb"&(?:#x([0-9a-fA-F]*)|#([0-9]*)|([a-zA-Z]*))(;?)")
_NAME_TOKEN = re.compile(rb"[A-Za-z0-9.\-]*")
_CONTROL = {code: " " for code in range(32) if code not in {10, 13}} | {
    13: None,
    0x0333: None,
    0x033F: None,
    0x030A: None,
    **dict.fromkeys(range(0x2028, 0x202F)),
}
_CONTROL_SEEN = re.compile("[\x00-\x09\x0b-\x1f\u0333\u033f\u030a\u2028-\u202e]")
_FOUND = re.compile(
    r"(?P<url>https?://[^\s<>\"]+)"
    r"|(?<![\w/@])(?P<bot_command>/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?)(?![\w/])"
    r"|(?<![\w@])(?P<mention>@[A-Za-z][A-Za-z0-9_]{3,31})(?!\w)"
    r"|(?<![\w#])(?P<hashtag>#\w*[^\W\d]\w*)"
)


def utf16_length(text: str) -> int:
    """Length in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def clean(text: str) -> str:
    """The text as Telegram keeps it: control characters become spaces, direction overrides vanish."""
    return text.translate(_CONTROL) if _CONTROL_SEEN.search(text) else text


@dataclass(slots=True, kw_only=True)
class _Open:
    """A tag that was opened: its offset in UTF-16 code units, and the piece of output with which it begins."""

    tag: str
    argument: str
    extra: str
    offset: int
    begin: int


class _HtmlParser:
    """One pass over the bytes, as the server makes it (td/telegram/MessageEntity.cpp, parse_html)."""

    def __init__(self, text: str) -> None:
        self.source = text.encode() + b"\0"
        self.end = len(self.source) - 1
        self.at = 0
        self.out: list[str] = []
        self.offset = 0
        self.open: list[_Open] = []
        self.entities: list[Entity] = []

    def parse(self) -> tuple[str, list[Entity]]:
        while self.at < self.end:
            if (special := _SPECIAL.search(self.source, self.at)) is None:
                self._copy(self.end)
                break
            self._copy(special.start())
            if special.group() == b"&":
                self._reference()
            elif self.source[self.at + 1 : self.at + 2] == b"/":
                self._end_tag()
            else:
                self._start_tag()
        if self.open:
            raise _unparsed(f'Can\'t find end tag corresponding to start tag "{self.open[-1].tag}"')
        return "".join(self.out), self.entities

    def _copy(self, stop: int) -> None:
        if stop > self.at:
            self._put(self.source[self.at : stop].decode())
            self.at = stop

    def _put(self, text: str) -> None:
        self.out.append(text)
        self.offset += utf16_length(text)

    def _reference(self) -> None:
        decoded, self.at = _decode(self.source, self.at)
        self._put(decoded)

    def _skip_spaces(self) -> None:
        while self.at < self.end and self.source[self.at] in _SPACES:
            self.at += 1

    def _until(self, stops: bytes) -> str:
        begin = self.at
        while self.source[self.at] not in stops:
            self.at += 1
        return self.source[begin : self.at].decode(errors="replace")

    def _start_tag(self) -> None:
        begin = self.at
        self.at += 1
        tag = self._until(_SPACES + b">").lower()
        if self.at >= self.end:
            raise _unparsed(f"Unclosed start tag at byte offset {begin}")
        if tag not in _TAGS:
            raise _unparsed(f'Unsupported start tag "{tag}" at byte offset {begin}')
        opened = _Open(tag=tag, argument="", extra="", offset=self.offset, begin=len(self.out))
        while self._attribute(opened, begin):
            pass
        self.at += 1
        if tag == "span" and opened.argument != "spoiler":
            raise _unparsed(f'Tag "span" must have class "tg-spoiler" at byte offset {begin}')
        self.open.append(opened)

    def _attribute(self, opened: _Open, begin: int) -> bool:
        """Read one attribute; False where the tag ends."""
        self._skip_spaces()
        if self.source[self.at : self.at + 1] == b">":
            return False
        name = self._until(_SPACES + b"=>/\"'")
        if not name:
            if self.at >= self.end:
                raise _unparsed(f'Unclosed start tag "{opened.tag}" at byte offset {begin}')
            raise _unparsed(f'Empty attribute name in the tag "{opened.tag}" at byte offset {begin}')
        self._skip_spaces()
        value = ""
        if self.source[self.at : self.at + 1] == b"=":
            self.at += 1
            self._skip_spaces()
            if self.at >= self.end:
                raise _unparsed(f'Unclosed start tag "{opened.tag}" at byte offset {begin}')
            value = self._value()
            if self.at >= self.end:
                raise _unparsed(f"Unclosed start tag at byte offset {begin}")
        elif self.at >= self.end:
            raise _unparsed(f'Unclosed start tag "{opened.tag}" at byte offset {begin}')
        _note_attribute(opened, name.lower(), value)
        return True

    def _value(self) -> str:
        begin = self.at
        quote = self.source[begin]
        if quote not in b"\"'":
            matched = _NAME_TOKEN.match(self.source, begin)
            self.at = matched.end() if matched else begin
            if self.source[self.at] not in _SPACES + b">":
                raise _unparsed(f"Unexpected end of name token at byte offset {begin}")
            return self.source[begin : self.at].decode().lower()
        self.at += 1
        parts: list[str] = []
        while self.at < self.end and self.source[self.at] != quote:
            if self.source[self.at] == ord("&"):
                decoded, self.at = _decode(self.source, self.at)
                parts.append(decoded)
            else:
                stop = self.at
                while stop < self.end and self.source[stop] not in (quote, ord("&")):
                    stop += 1
                parts.append(self.source[self.at : stop].decode())
                self.at = stop
        if self.at < self.end:
            self.at += 1
        return "".join(parts)

    def _end_tag(self) -> None:
        begin = self.at
        if not self.open:
            raise _unparsed(f"Unexpected end tag at byte offset {begin}")
        self.at += 2
        found = self._until(_SPACES + b">").lower()
        self._skip_spaces()
        if self.source[self.at : self.at + 1] != b">":
            raise _unparsed(f"Unclosed end tag at byte offset {begin}")
        self.at += 1
        opened = self.open[-1]
        if found and found != opened.tag:
            raise _unparsed(f'Unmatched end tag at byte offset {begin}, expected "</{opened.tag}>", found "</{found}>"')
        self.open.pop()
        if self.offset > opened.offset:
            self._close(opened)

    def _close(self, opened: _Open) -> None:
        kind = _TAGS[opened.tag]
        entity: Entity = {"type": kind, "offset": opened.offset, "length": self.offset - opened.offset}
        if kind == "text_link":
            if not _link(entity, opened.argument or "".join(self.out[opened.begin :])):
                return
        elif kind == "custom_emoji":
            entity["custom_emoji_id"] = opened.argument
        elif kind == "date_time":
            entity |= {"unix_time": _unix_time(opened.argument), "date_time_format": opened.extra}
        elif kind == "blockquote" and opened.argument:
            entity["type"] = "expandable_blockquote"
        elif kind in {"code", "pre"} and self._merge_code(kind, entity, opened.argument):
            return
        self.entities.append(entity)

    def _merge_code(self, kind: str, entity: Entity, language: str) -> bool:
        """``<pre><code class="language-x">`` is one entity; True where it became one."""
        last = self.entities[-1] if self.entities else None
        span = (entity["offset"], entity["length"])
        if last and last["type"] in {"code", "pre"} - {kind} and (last["offset"], last["length"]) == span:
            found = language or last.pop("_language", "")
            if found:
                last.clear()
                last.update({"type": "pre", "offset": span[0], "length": span[1], "language": found})
                return True
        if language:
            entity["_language"] = language
        return False


def _note_attribute(opened: _Open, name: str, value: str) -> None:
    match opened.tag, name:
        case ("a", "href") | ("tg-emoji", "emoji-id") | ("tg-time", "unix"):
            opened.argument = value
        case ("tg-time", "format"):
            opened.extra = value
        case ("code", "class") if value.startswith("language-"):
            opened.argument = value.removeprefix("language-")
        case ("span", "class") if value.startswith("tg-"):
            opened.argument = value.removeprefix("tg-")
        case ("blockquote", "expandable"):
            opened.argument = "1"
        case _:
            pass


def _unparsed(text: str) -> ApiError:
    return bad_request(f"can't parse entities: {text}")


def _unix_time(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise _unparsed("Invalid date-time specified") from None


def _decode(source: bytes, at: int) -> tuple[str, int]:
    """The character an ampersand stands for, or the ampersand itself."""
    matched = _REFERENCE.match(source, at)
    if matched is None:
        return "&", at + 1
    hexadecimal, decimal, name, end = matched.groups()
    if name is not None:
        return (_NAMED[name], matched.end()) if name in _NAMED else ("&", at + 1)
    digits = hexadecimal if hexadecimal is not None else decimal
    code = int(digits or b"0", 16 if hexadecimal is not None else 10)
    too_long = matched.end() - len(end) - at >= 10
    if code == 0 or code >= 0x10FFFF or too_long or 0xD800 <= code < 0xE000:
        return "&", at + 1
    return chr(code), matched.end()


def _link(entity: Entity, address: str) -> bool:
    """Make a link or a mention of the entity; False where Telegram silently drops the link."""
    if (mention := re.fullmatch(r"tg://user/?\?id=(\d+)", address)) is not None:
        entity |= {"type": "text_mention", "user_id": int(mention.group(1))}
        return True
    checked = checked_link(address)
    entity["url"] = checked
    return checked is not None


def checked_link(address: str) -> str | None:
    """The address as Telegram keeps it, or None for one that it will not link to."""
    address = address.strip()
    if not re.match(r"[a-zA-Z][a-zA-Z0-9+.\-]*:", address):
        address = f"http://{address}"
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    if parts.scheme.lower() in {"tg", "ton", "tonsite"}:
        return address
    if parts.scheme.lower() not in {"http", "https"} or not parts.hostname or "." not in parts.hostname:
        return None
    return address if parts.path or parts.query or parts.fragment else f"{address}/"


def parse_html(text: str) -> tuple[str, list[Entity]]:
    """Plain text and entities of a text in HTML mode.

    Raises ApiError 400 "can't parse entities: …" with byte offsets, as Telegram does.
    """
    if "<" not in text and "&" not in text:
        return text, []
    plain, found = _HtmlParser(text).parse()
    for entity in found:
        entity.pop("_language", None)
    return plain, found


def settle(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Trim the text, drop what may not nest, add what Telegram finds by itself, sort, keep 100."""
    kept = text.lstrip(" \n").rstrip(" \n")
    front = utf16_length(text[: len(text) - len(text.lstrip(" \n"))])
    limit = utf16_length(kept)
    shifted: list[Entity] = []
    for entity in entities:
        begin = max(entity["offset"] - front, 0)
        end = min(entity["offset"] + entity["length"] - front, limit)
        if end > begin:
            shifted.append({**entity, "offset": begin, "length": end - begin})
    shifted = _without_forbidden_nesting(shifted)
    shifted += _found(kept, shifted)
    shifted.sort(key=lambda entity: (entity["offset"], -entity["length"]))
    return kept, shifted[:100]


def _without_forbidden_nesting(entities: list[Entity]) -> list[Entity]:
    """Nothing stands inside code, and no quote inside a quote; a quote may hold code."""
    solid = [entity for entity in entities if entity["type"] in {"pre", "code"}]
    quotes = [entity for entity in entities if entity["type"].endswith("blockquote")]

    def forbidden(entity: Entity) -> bool:
        if entity in quotes:
            return any(_inside(entity, other) for other in quotes) or any(_holds(other, entity) for other in solid)
        return any(
            _inside(entity, other) and not (other["type"] == "code" and entity["type"] == "pre") for other in solid
        )

    return [entity for entity in entities if not forbidden(entity)]


def _holds(outer: Entity, inner: Entity) -> bool:
    """Whether *outer* begins before *inner* and ends after it, one of the two at least."""
    begin, end = inner["offset"], inner["offset"] + inner["length"]
    return bool(
        outer["offset"] <= begin and outer["offset"] + outer["length"] >= end and outer["length"] > inner["length"]
    )


def _inside(entity: Entity, other: Entity) -> bool:
    begin, end = other["offset"], other["offset"] + other["length"]
    return bool(entity["offset"] < end and entity["offset"] + entity["length"] > begin and other is not entity)


def _found(text: str, entities: list[Entity]) -> list[Entity]:
    """Commands, mentions, hashtags and addresses that Telegram marks by itself."""
    if not any(sign in text for sign in "/@#"):
        return []
    solid = [entity for entity in entities if entity["type"] in {"pre", "code", "text_link", "text_mention"}]
    found: list[Entity] = []
    for match in _FOUND.finditer(text):
        entity = {
            "type": match.lastgroup,
            "offset": utf16_length(text[: match.start()]),
            "length": utf16_length(match.group()),
        }
        if not any(_inside(entity, other) for other in solid):
            found.append(entity)
    return found


_WRAPPERS = {
    "bold": ("<b>", "</b>"),
    "italic": ("<i>", "</i>"),
    "underline": ("<u>", "</u>"),
    "strikethrough": ("<s>", "</s>"),
    "spoiler": ('<span class="spoiler">', "</span>"),
    "code": ("<code>", "</code>"),
    "pre": ("<pre>", "</pre>"),
    "blockquote": ("<blockquote>", "</blockquote>"),
    "expandable_blockquote": ('<blockquote class="expandable">', "</blockquote>"),
    "text_mention": ('<span class="mention">', "</span>"),
    "mention": ('<span class="mention">', "</span>"),
    "hashtag": ('<span class="hashtag">', "</span>"),
    "custom_emoji": ("", ""),
}


def to_html(text: str, entities: list[Entity]) -> str:
    """HTML that is safe to put into a page: only known tags, everything else escaped, new lines as they are."""
    if not entities:
        return escape(text)
    units = text.encode("utf-16-le")
    marks: dict[int, list[str]] = {}
    ordered = sorted(entities, key=lambda entity: (entity["offset"], -entity["length"]))
    stack: list[tuple[int, str]] = []
    for entity in ordered:
        begin, end = entity["offset"], entity["offset"] + entity["length"]
        while stack and stack[-1][0] <= begin:
            stop, closing = stack.pop()
            marks.setdefault(stop, []).append(closing)
        if stack:
            end = min(end, stack[-1][0])
        opening, closing = _wrapper(entity, units[begin * 2 : end * 2].decode("utf-16-le"))
        marks.setdefault(begin, []).append(opening)
        stack.append((end, closing))
    while stack:
        stop, closing = stack.pop()
        marks.setdefault(stop, []).append(closing)
    parts: list[str] = []
    last = 0
    for at in sorted(marks):
        parts += [escape(units[last * 2 : at * 2].decode("utf-16-le")), *marks[at]]
        last = at
    parts.append(escape(units[last * 2 :].decode("utf-16-le")))
    return "".join(parts)


def _wrapper(entity: Entity, covered: str) -> tuple[str, str]:
    kind = entity["type"]
    if kind in {"text_link", "url"}:
        address = entity.get("url", covered)
        return f'<a href="{escape(address)}" target="_blank" rel="noopener noreferrer">', "</a>"
    if kind == "bot_command":
        return f'<span class="command" data-command="{escape(covered)}">', "</span>"
    if kind == "date_time":
        return f'<time data-unix="{entity["unix_time"]}">', "</time>"
    if kind == "pre" and entity.get("language"):
        return f'<pre data-language="{escape(entity["language"])}">', "</pre>"
    return _WRAPPERS.get(kind, ("", ""))
