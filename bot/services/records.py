"""`/mydata`: everything that is keyed to a person, page by page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.facts import Who
from bot.options import options_of
from bot.storage import Tx
from bot.tables import FIRST_HAND

Record = Mapping[str, Any]


def head(tx: Tx, who: Who) -> Record | None:
    """All but rounds and ledger; None for somebody of whom nothing is stored."""
    own = tx.records
    person = own.person(who.user_id)
    if person is None:
        return None
    return {
        "person": person,
        "private_chat": own.private_chat(who.user_id),
        "mentioned_by_admins_of": _mentions(tx, who.user_id),
        "seats": own.seats(who.user_id),
        "boards": own.boards(who.user_id),
        "posts": own.posts(who.user_id),
        "rule_sets": own.rule_sets(who.user_id),
        "nights": own.nights(who.user_id),
        "contests_and_days": own.event_results(who.user_id),
        "titles": own.titles(who.user_id),
        "contests_ended": own.ended_events(who.user_id),
    }


def rounds(tx: Tx, who: Who, *, after: int) -> list[dict[str, Any]]:
    """The next rounds behind that number, those at tables behind all others; an empty list at the end."""
    alone = tx.records.rounds(who.user_id, after=after) if after < FIRST_HAND else []
    return alone or tx.records.table_hands(who.user_id, after=max(after, FIRST_HAND - 1))


def lines(tx: Tx, who: Who, *, after: tuple[int, int]) -> list[dict[str, Any]]:
    """The next lines of the person's seats in the ledger; an empty list at the end."""
    return tx.records.lines(who.user_id, after=after)


def _mentions(tx: Tx, user_id: int) -> list[Record]:
    """Black lists that the person is on, and settings that the person was the last to change."""
    told: list[Record] = []
    for chat in tx.chats.naming(user_id):
        options = options_of(chat)
        bans = [ban.until.isoformat() for ban in options.bans if ban.user_id == user_id]
        changed = [change.what.name.lower() for change in options.changes if change.by == user_id]
        if bans or changed:
            told.append({"chat_id": chat.id, "black_listed_until": bans, "settings_changed": changed})
    return told
