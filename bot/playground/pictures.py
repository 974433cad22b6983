"""The size of a picture, read from its first bytes; enough to refuse what is none."""

import struct


def dimensions(content: bytes) -> tuple[int, int] | None:
    """Width and height in pixels of a PNG, JPEG, GIF or WebP picture; None for anything else."""
    if content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) >= 24:
        width, height = struct.unpack(">II", content[16:24])
        return width, height
    if content[:6] in {b"GIF87a", b"GIF89a"} and len(content) >= 10:
        width, height = struct.unpack("<HH", content[6:10])
        return width, height
    if content.startswith(b"RIFF") and content[8:16] == b"WEBPVP8X" and len(content) >= 30:
        return int.from_bytes(content[24:27], "little") + 1, int.from_bytes(content[27:30], "little") + 1
    return _jpeg(content) if content.startswith(b"\xff\xd8") else None


def _jpeg(content: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(content) and content[at] == 0xFF:
        marker = content[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return width, height
        at += 2 + int.from_bytes(content[at + 2 : at + 4], "big")
    return None
