"""People by Telegram's user id, in all chats the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from bot.facts import Design, Person
from bot.storage.forgetting import forget
from bot.storage.instants import from_ms_or_none, to_ms, to_ms_or_none
from bot.storage.sql import Row, Sql


class People:
    """Name and app language are as last seen; language, design, words and the like are the person's own choices."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def seen(self, user_id: int, *, name: str, app_language: str, now: datetime) -> Person:
        """The person as known from now on; written only if something changed."""
        person = self.get(user_id)
        if person is None:
            return self._first(Person(id=user_id, name=name, app_language=app_language), now)
        if person.name == name and person.app_language == app_language:
            return person
        self._tx.execute(
            "UPDATE people SET name = :name, app_language = :app_language WHERE id = :id",
            id=user_id,
            name=name,
            app_language=app_language,
        )
        return replace(person, name=name, app_language=app_language)

    def get(self, user_id: int) -> Person | None:
        """A person by Telegram's id; None for one who was never seen, or is forgotten."""
        row = self._tx.row("SELECT * FROM people WHERE id = :id", id=user_id)
        return None if row is None else _person(row)

    def count_hand(self, person: Person) -> Person:
        """One more settled hand."""
        self._tx.execute("UPDATE people SET hands = hands + 1 WHERE id = :id", id=person.id)
        return replace(person, hands=person.hands + 1)

    def put(self, person: Person) -> None:
        """Store everything about a person who was seen before."""
        self._tx.execute(
            "UPDATE people SET name = :name, app_language = :app_language, language = :language, design = :design,"
            " coach = :coach, words = :words, hands = :hands, private = :private, break_until = :break_until"
            " WHERE id = :id",
            id=person.id,
            name=person.name,
            app_language=person.app_language,
            language=person.language,
            design=person.design.value,
            coach=int(person.coach),
            words=person.words,
            hands=person.hands,
            private=int(person.private),
            break_until=to_ms_or_none(person.break_until),
        )

    def forget(self, user_id: int, *, seats: Mapping[int, int], private: int) -> None:
        """
        The person's number and name are nowhere from now on; in their place stand nobodies.

        *seats* gives one to each seat of the person, *private* is the one of the private chat; all below `NOBODY`.
        """
        forget(self._tx, user_id, seats=seats, private=private)

    def _first(self, person: Person, now: datetime) -> Person:
        self._tx.execute(
            "INSERT INTO people (id, name, app_language, language, design, coach, words, hands, private, first_seen)"
            " VALUES (:id, :name, :app_language, '', :design, :coach, '', 0, 0, :now)",
            id=person.id,
            name=person.name,
            app_language=person.app_language,
            design=person.design.value,
            coach=int(person.coach),
            now=to_ms(now),
        )
        return person


def _person(row: Row) -> Person:
    return Person(
        id=row["id"],
        name=row["name"],
        app_language=row["app_language"],
        language=row["language"],
        design=Design(row["design"]),
        coach=bool(row["coach"]),
        words=row["words"],
        hands=row["hands"],
        private=bool(row["private"]),
        break_until=from_ms_or_none(row["break_until"]),
    )
