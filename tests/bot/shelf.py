"""A store that only remembers what the painter told it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.storage.errors import Reason, StorageUnavailable


@dataclass(slots=True)
class Shelf:
    """A store that only remembers what it was told."""

    messages: dict[int, tuple[int, int]] = field(default_factory=dict)
    versions: dict[int, int] = field(default_factory=dict)
    taken: list[int] = field(default_factory=list)
    marks: int = 0  # transactions with painted marks
    troubles: int = 0  # how often `sent` fails first
    living: set[tuple[int, int]] = field(default_factory=set)  # chat, message
    elsewhere: int = 0  # a chat that every board has left
    damaged: bool = False

    async def sent(self, board: int, *, chat_id: int, message_id: int, version: int) -> bool:
        if self.troubles:
            self.troubles -= 1
            raise StorageUnavailable(Reason.FULL)
        if self.elsewhere == chat_id:
            return False
        self.messages[board] = (message_id, version)
        return True

    async def painted(self, versions: Mapping[int, int]) -> None:
        self.marks += 1
        self.versions |= versions

    async def keys_taken(self, board: int, message_id: int) -> None:
        assert message_id
        self.taken.append(board)

    async def lives(self, chat_id: int, message_id: int) -> bool:
        if self.damaged:
            raise StorageUnavailable(Reason.DAMAGED)
        return (chat_id, message_id) in self.living
