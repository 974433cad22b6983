"""Records of a chat: the top five nights."""

from __future__ import annotations

from dataclasses import dataclass

from bot.facts import Chat, Person, Score, Who
from bot.storage import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class TopFive:
    scores: tuple[Score, ...]
    own: Score | None  # the asker's place
    chat: Chat | None
    person: Person | None


def top(tx: Tx, who: Who) -> TopFive:
    """`/top`: the five best nights of the chat, of all time, and the asker's own place; changes nothing."""
    return TopFive(
        scores=tuple(tx.scores.top(who.chat_id, since=None, until=None, limit=5)),
        own=tx.scores.place(who.chat_id, who.user_id, since=None, until=None),
        chat=tx.chats.get(who.chat_id),
        person=tx.people.get(who.user_id),
    )
