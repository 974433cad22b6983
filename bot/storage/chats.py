"""Chats and their tables' choices; and the day a group becomes a supergroup."""
# ruff: noqa: S608 - what is built in are this module's own column lists, never a value

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import orjson

from bot.facts import Chat
from bot.storage.instants import to_ms
from bot.storage.moving import move_events, move_seats, move_tables
from bot.storage.sql import Row, Sql
from core.rules import SELMINHA

_COLUMNS = "id, kind, title, language, time_zone, rules_id, awake_boards, active, options, moved_to"


class Chats:
    """A chat that moved is found under its old id as well: the value then carries the new one."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def seen(self, chat_id: int, *, kind: str, title: str, now: datetime) -> Chat:
        """
        The chat as known from now on; a new one plays by selminha. Written only if something changed.

        Somebody spoke there, so it may be written to again: nobody tells the bot that a group is no longer muted.
        """
        row = self._row(chat_id)
        if row is None:
            return self._first(Chat(id=chat_id, kind=kind, title=title, rules=SELMINHA), now)
        chat = self._chat(row)
        seen = replace(chat, kind=kind, title=title, active=True)
        if chat.id != chat_id or seen == chat:
            return chat
        self._tx.execute(
            "UPDATE chats SET kind = :kind, title = :title, active = 1 WHERE id = :id",
            id=chat_id,
            kind=kind,
            title=title,
        )
        return seen

    def get(self, chat_id: int) -> Chat | None:
        """The chat of that id, or the one that it moved to; None for one that was never seen."""
        row = self._row(chat_id)
        return None if row is None else self._chat(row)

    def naming(self, user_id: int) -> list[Chat]:
        """The chats whose options hold a person's number."""
        rows = self._tx.rows(f"SELECT {_COLUMNS} FROM chats WHERE options LIKE :held", held=f"%{user_id}%")
        return [*map(self._chat, rows)]

    def choosing(self, option: str, value: str) -> list[Chat]:
        """The chats whose admins chose this, by the names under which options are kept."""
        rows = self._tx.rows(
            f"SELECT {_COLUMNS} FROM chats WHERE options LIKE :held AND moved_to IS NULL ORDER BY id",
            held=f'%"{option}":"{value}"%',
        )
        return [*map(self._chat, rows)]

    def put(self, chat: Chat) -> None:
        """Store everything about a chat that was seen before; by another clock weeks and months begin elsewhere."""
        clock = self._tx.row("SELECT time_zone FROM chats WHERE id = :id", id=chat.id)
        if clock is not None and clock["time_zone"] != chat.time_zone:
            self._tx.bests.drop_periods(chat.id)
        self._tx.execute(
            "UPDATE chats SET kind = :kind, title = :title, language = :language, time_zone = :time_zone,"
            " rules_id = :rules, awake_boards = :awake_boards, active = :active, options = :options WHERE id = :id",
            **self._columns(chat),
        )

    def migrate(self, old: int, new: int, *, now: datetime) -> None:
        """
        A group became a supergroup: everything keyed by the old id is keyed by the new one from now on.

        May be told once or twice, before or after the first words in the new chat. The older of two seats of one
        person wins; the chips of the newer one go back to the mint. The admins' choices are those of the old chat.
        Source: Bot API, migrate_to_chat_id; FAULTS F01.
        """
        if old == new:
            return
        before = self._bare(old)
        if before is not None and before["moved_to"] is None:
            self._inherit(self._chat(before), new, now)
        elif self._bare(new) is None:
            self._first(Chat(id=new, kind="supergroup", rules=SELMINHA), now)
        if before is None:
            self._first(Chat(id=old, kind="group", active=False, rules=SELMINHA), now)
        self._tx.execute("UPDATE chats SET moved_to = :new, active = 0 WHERE id = :old", old=old, new=new)
        move_tables(self._tx, old, new, now)
        move_seats(self._tx, old, new, now)
        self._tx.execute("UPDATE nights SET chat_id = :new WHERE chat_id = :old", old=old, new=new)
        for chat_id in (old, new):
            self._tx.bests.drop(chat_id)
        self._tx.execute("UPDATE posts SET chat_id = :new WHERE chat_id = :old", old=old, new=new)
        self._move_boards(old, new)
        move_events(self._tx, old, new)

    def _inherit(self, chat: Chat, new: int, now: datetime) -> None:
        known = self._bare(new)
        if known is None:
            self._first(replace(chat, id=new, kind="supergroup"), now)
        title = known["title"] if known is not None and known["title"] else chat.title
        self.put(replace(chat, id=new, kind="supergroup", title=title, active=True))

    def _move_boards(self, old: int, new: int) -> None:
        self._tx.execute("DELETE FROM posts WHERE chat_id = :new AND key LIKE 'away:%'", new=new)
        # The messages of the old group have other numbers in the new one: a board waits for a tap that tells its own.
        self._tx.execute(
            "UPDATE boards SET chat_id = :new, thread_id = NULL, message_id = NULL, old_message_id = NULL"
            " WHERE chat_id = :old",
            old=old,
            new=new,
        )

    def _bare(self, chat_id: int) -> Row | None:
        return self._tx.row(f"SELECT {_COLUMNS} FROM chats WHERE id = :id", id=chat_id)

    def _row(self, chat_id: int) -> Row | None:
        row = self._bare(chat_id)
        return self._bare(row["moved_to"]) if row is not None and row["moved_to"] is not None else row

    def _first(self, chat: Chat, now: datetime) -> Chat:
        self._tx.execute(
            "INSERT INTO chats"
            " (id, kind, title, language, time_zone, rules_id, awake_boards, active, options, first_seen)"
            " VALUES (:id, :kind, :title, :language, :time_zone, :rules, :awake_boards, :active, :options, :now)",
            **self._columns(chat),
            now=to_ms(now),
        )
        return chat

    def _columns(self, chat: Chat) -> dict[str, object]:
        return {
            "id": chat.id,
            "kind": chat.kind,
            "title": chat.title,
            "language": chat.language,
            "time_zone": chat.time_zone,
            "rules": self._tx.rule_sets.put(chat.rules),
            "awake_boards": chat.awake_boards,
            "active": int(chat.active),
            "options": orjson.dumps(dict(chat.options)).decode(),
        }

    def _chat(self, row: Row) -> Chat:
        return Chat(
            id=row["id"],
            kind=row["kind"],
            title=row["title"],
            language=row["language"],
            time_zone=row["time_zone"],
            rules=self._tx.rule_sets.get(row["rules_id"]),
            awake_boards=row["awake_boards"],
            active=bool(row["active"]),
            options=orjson.loads(row["options"]),
        )
