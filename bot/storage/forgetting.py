"""What is left of somebody who was forgotten: seats, nights and rounds of nobody, and not a word about whose."""

from __future__ import annotations

from collections.abc import Mapping

from bot.facts import EVENT_PLACES
from bot.refusals import NAMING
from bot.storage.sql import Sql

# A private chat's id is the person's. A board that stood there goes home, so that no two nobodies meet.
_PRIVATE = (
    "UPDATE seats SET chat_id = :nobody WHERE chat_id = :user",
    "UPDATE nights SET chat_id = :nobody WHERE chat_id = :user",
    """
    UPDATE boards SET chat_id = (SELECT s.chat_id FROM seats s WHERE s.id = boards.seat_id),
    thread_id = NULL, message_id = NULL, old_message_id = NULL WHERE chat_id = :user
    """,
    """
    UPDATE chats SET id = :nobody, title = '', language = '', time_zone = 'UTC', options = '{}', active = 0
    WHERE id = :user
    """,
)
# Where a group moved, two seats of one person have nights in it (F01); they become two nobodies, so its bests are new.
_TWO_SEATS = """
    DELETE FROM bests WHERE chat_id IN (SELECT n.chat_id FROM nights n WHERE n.user_id = :user AND n.score IS NOT NULL
    GROUP BY n.chat_id HAVING COUNT(DISTINCT n.seat_id) > 1)
"""
# A note on somebody else's board may tell the name; whoever read it sat in the same chat.
_NOTE = """
    UPDATE boards SET note = '' WHERE note LIKE :told
    AND seat_id IN (SELECT b.id FROM seats a JOIN seats b ON b.chat_id = a.chat_id WHERE a.user_id = :user)
"""
# The words of a round that was never dealt prove nothing; those of a dealt one are part of its proof, and stay.
_SEAT = (
    "UPDATE bests SET user_id = :nobody WHERE night_id IN (SELECT n.id FROM nights n WHERE n.seat_id = :seat)",
    """
    UPDATE event_results SET user_id = :nobody WHERE (event_id, user_id) IN
    (SELECT e.id, s.user_id FROM seats s JOIN events e ON :places - e.id = s.chat_id WHERE s.id = :seat)
    """,
    """
    UPDATE champions SET user_id = :nobody WHERE (chat_id, user_id) IN
    (SELECT s.chat_id, s.user_id FROM seats s WHERE s.id = :seat)
    """,
    "UPDATE nights SET user_id = :nobody WHERE seat_id = :seat",
    "UPDATE rounds SET words = '[\"\"]' WHERE seat_id = :seat AND void = 1",
    "UPDATE boards SET note = '', tapped = NULL WHERE seat_id = :seat",
    "UPDATE seats SET user_id = :nobody, chip = 0, repeat = 1, door = NULL WHERE id = :seat",
)


def forget(tx: Sql, user_id: int, *, seats: Mapping[int, int], private: int) -> None:
    """
    Put nobodies in a person's place: one per seat, by its id, and *private* for the private chat and the seat there.

    The books are not touched: they name seats. Scores stay where they are, so nobody else's rank changes (F128).
    """
    tx.execute(_TWO_SEATS, user=user_id)
    for refusal in NAMING:
        tx.execute(_NOTE, user=user_id, told=f'["{refusal.__name__}"%')
    for seat_id, nobody in seats.items():
        for step in _SEAT:
            tx.execute(step, seat=seat_id, nobody=nobody, places=EVENT_PLACES)
    for step in _PRIVATE:
        tx.execute(step, user=user_id, nobody=private)
    tx.execute("UPDATE events SET closed_by = 0 WHERE closed_by = :user", user=user_id)
    tx.execute("DELETE FROM posts WHERE chat_id = :user", user=user_id)
    tx.execute("DELETE FROM lanes WHERE chat_id = :user", user=user_id)
    tx.execute("DELETE FROM people WHERE id = :user", user=user_id)
