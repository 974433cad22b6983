"""Contests, the daily five and seasons: events, where they are shown, what came of them, and champions."""

from alembic import op

from bot.storage.migrations.dialect import spelled

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

STEPS = (
    # slot is the chat while a contest runs there: two admins who start one at once make one contest.
    """
    CREATE TABLE events (
        id {id},
        kind TEXT NOT NULL CHECK (kind IN ('nights', 'same_deals', 'matchpoints', 'daily')),
        chat_id {number},
        slot {number} UNIQUE,
        day TEXT UNIQUE,
        rules_id {number} NOT NULL REFERENCES rule_sets (id),
        nights {number} NOT NULL,
        hands {number} NOT NULL,
        ante {number} NOT NULL,
        pair_plus {number} NOT NULL,
        six_card {number} NOT NULL,
        buy_in {number} NOT NULL,
        secret {bytes} NOT NULL,
        commitment TEXT UNIQUE,
        deals TEXT NOT NULL,
        made {number} NOT NULL,
        opens {number} NOT NULL,
        ends {number} NOT NULL,
        closed {number},
        called_off {number} NOT NULL CHECK (called_off IN (0, 1)),
        closed_by {number} NOT NULL,
        CHECK ((kind = 'daily') = (day IS NOT NULL)),
        CHECK ((kind = 'daily') = (chat_id IS NULL)),
        CHECK ((kind = 'nights') = (commitment IS NULL)),
        CHECK (opens < ends)
    ) {table}
    """,
    "CREATE INDEX events_of_chat ON events (chat_id, id)",
    # The message that shows an event in a group; code is what its link into the private chat carries.
    """
    CREATE TABLE event_boards (
        id {id},
        event_id {number} NOT NULL REFERENCES events (id),
        chat_id {number} NOT NULL,
        thread_id {number},
        message_id {number},
        old_message_id {number},
        wanted {number} NOT NULL,
        painted {number} NOT NULL,
        shown {number} NOT NULL,
        code TEXT NOT NULL UNIQUE,
        UNIQUE (event_id, chat_id)
    ) {table}
    """,
    "CREATE INDEX event_boards_unpainted ON event_boards (id) WHERE painted < wanted OR old_message_id IS NOT NULL",
    """
    CREATE TABLE event_results (
        event_id {number} NOT NULL REFERENCES events (id),
        user_id {number} NOT NULL,
        points {number} NOT NULL,
        played {number} NOT NULL,
        reached {number} NOT NULL,
        grid TEXT NOT NULL,
        PRIMARY KEY (event_id, user_id)
    ) {clustered}
    """,
    "CREATE INDEX event_results_of_person ON event_results (user_id, event_id)",
    """
    CREATE TABLE champions (
        chat_id {number} NOT NULL,
        month TEXT NOT NULL,
        user_id {number} NOT NULL,
        chips {number} NOT NULL,
        reached {number} NOT NULL,
        PRIMARY KEY (chat_id, month, user_id)
    ) {clustered}
    """,
    "CREATE INDEX champions_of_person ON champions (user_id)",
    # The number of an event's deal. The commitment of such a round begins with the event's, which all of them share.
    "ALTER TABLE rounds ADD COLUMN deal {number}",
    # When a person left the chat: scores stay, and do not stand on its lists while the person is away.
    "ALTER TABLE seats ADD COLUMN gone {number}",
    "CREATE INDEX seats_gone ON seats (chat_id, user_id) WHERE gone IS NOT NULL",
    # A period's nights, so that a week costs what the week holds, however old the chat is.
    "CREATE INDEX nights_lately ON nights (chat_id, closed, user_id, score, id) WHERE score IS NOT NULL",
    "CREATE INDEX posts_of_chat ON posts (chat_id, at) WHERE message_id IS NULL",
)


def upgrade() -> None:
    bind = op.get_bind()
    for step in spelled(bind.dialect.name, STEPS):
        bind.exec_driver_sql(step)
