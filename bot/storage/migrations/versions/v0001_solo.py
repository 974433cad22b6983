"""Solo play: people, chats, seats, nights, rounds, the ledger, boards, marks, timers and posts."""

from alembic import op

from bot.storage.migrations.dialect import append_only, spelled

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

STEPS = (
    """
    CREATE TABLE people (
        id {key},
        name TEXT NOT NULL,
        app_language TEXT NOT NULL,
        language TEXT NOT NULL,
        design TEXT NOT NULL,
        coach {number} NOT NULL CHECK (coach IN (0, 1)),
        words TEXT NOT NULL,
        hands {number} NOT NULL CHECK (hands >= 0),
        private {number} NOT NULL CHECK (private IN (0, 1)),
        break_until {number},
        first_seen {number} NOT NULL
    ) {table}
    """,
    "CREATE TABLE rule_sets (id {key}, content TEXT NOT NULL UNIQUE) {table}",
    """
    CREATE TABLE chats (
        id {key},
        kind TEXT NOT NULL,
        title TEXT NOT NULL,
        language TEXT NOT NULL,
        time_zone TEXT NOT NULL,
        rules_id {number} NOT NULL REFERENCES rule_sets (id),
        awake_boards {number} NOT NULL,
        active {number} NOT NULL CHECK (active IN (0, 1)),
        options TEXT NOT NULL,
        moved_to {number} CHECK (moved_to <> id),
        first_seen {number} NOT NULL
    ) {table}
    """,
    # night_id and round_id point down, seat_id of nights and rounds points up; only the latter is a foreign key.
    """
    CREATE TABLE seats (
        id {id},
        chat_id {number} NOT NULL,
        user_id {number} NOT NULL,
        chips {number} NOT NULL CHECK (chips >= 0),
        night_id {number},
        round_id {number},
        chip {number} NOT NULL,
        repeat {number} NOT NULL CHECK (repeat IN (0, 1)),
        opened {number} NOT NULL,
        door TEXT UNIQUE,
        UNIQUE (chat_id, user_id)
    ) {table}
    """,
    "CREATE INDEX seats_of_person ON seats (user_id)",
    # chat_id and user_id are the seat's, kept here for the top five's index; a chat that moves changes both. score is
    # chips where the night counts: one column, so that the index alone answers.
    """
    CREATE TABLE nights (
        id {id},
        seat_id {number} NOT NULL REFERENCES seats (id),
        chat_id {number} NOT NULL,
        user_id {number} NOT NULL,
        rules_id {number} NOT NULL REFERENCES rule_sets (id),
        opened {number} NOT NULL,
        buy_in {number} NOT NULL CHECK (buy_in >= 0),
        hands {number} NOT NULL CHECK (hands >= 0),
        closed {number},
        chips {number} CHECK (chips >= 0),
        ending TEXT CHECK (ending IN ('cashed', 'broke')),
        score {number},
        CHECK ((closed IS NULL) = (chips IS NULL))
    ) {table}
    """,
    "CREATE INDEX nights_of_seat ON nights (seat_id, id)",
    "CREATE UNIQUE INDEX nights_open ON nights (seat_id) WHERE closed IS NULL",
    """
    CREATE INDEX nights_top ON nights (chat_id, score DESC, closed, id, user_id)
    WHERE score IS NOT NULL
    """,
    """
    CREATE INDEX nights_best ON nights (chat_id, user_id, score DESC, closed, id)
    WHERE score IS NOT NULL
    """,
    """
    CREATE TABLE rounds (
        id {id},
        seat_id {number} NOT NULL REFERENCES seats (id),
        night_id {number} NOT NULL REFERENCES nights (id),
        rules_id {number} NOT NULL REFERENCES rule_sets (id),
        secret {bytes} NOT NULL,
        commitment TEXT NOT NULL UNIQUE,
        words TEXT NOT NULL,
        state TEXT NOT NULL,
        version {number} NOT NULL,
        opened {number} NOT NULL,
        worded {number} NOT NULL,
        dealt {number},
        settled {number},
        voided {number},
        void {number} NOT NULL CHECK (void IN (0, 1)),
        given_away {number} NOT NULL,
        phase TEXT NOT NULL CHECK (phase IN ('betting', 'dealt', 'settled')),
        ante {number} NOT NULL CHECK (ante >= 0),
        pair_plus {number} NOT NULL CHECK (pair_plus >= 0),
        six_card {number} NOT NULL CHECK (six_card >= 0),
        cards TEXT,
        decision TEXT,
        result TEXT,
        net {number},
        strength {number},
        CHECK ((phase = 'betting') = (cards IS NULL)),
        CHECK ((phase = 'settled') = (net IS NOT NULL)),
        CHECK ((phase = 'settled') = (strength IS NOT NULL))
    ) {table}
    """,
    "CREATE INDEX rounds_of_seat ON rounds (seat_id, id)",
    "CREATE INDEX rounds_of_night ON rounds (night_id, id)",
    # All that /stats adds up, so that the index alone answers: a settled round never changes.
    """
    CREATE INDEX rounds_figures ON rounds
        (seat_id, strength, rules_id, decision, net, given_away, ante, pair_plus, six_card, id)
    WHERE strength IS NOT NULL
    """,
    "CREATE UNIQUE INDEX rounds_open ON rounds (seat_id) WHERE phase IN ('betting', 'dealt') AND void = 0",
    """
    CREATE TABLE movements (
        id {id},
        why TEXT NOT NULL,
        round_id {number},
        at {number} NOT NULL
    ) {table}
    """,
    # No foreign key to what an account stands for: people may be forgotten, the books stay.
    """
    CREATE TABLE entries (
        movement_id {number} NOT NULL REFERENCES movements (id),
        line {number} NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('mint', 'seat', 'round', 'house', 'bank', 'score')),
        ref {number} NOT NULL,
        chips {number} NOT NULL CHECK (chips <> 0),
        PRIMARY KEY (movement_id, line)
    ) {clustered}
    """,
    "CREATE INDEX entries_of_account ON entries (kind, ref, chips)",
    """
    CREATE TABLE boards (
        id {id},
        seat_id {number} NOT NULL REFERENCES seats (id),
        face TEXT NOT NULL,
        round_id {number} NOT NULL,
        chat_id {number} NOT NULL,
        thread_id {number},
        message_id {number},
        old_message_id {number},
        wanted {number} NOT NULL,
        painted {number} NOT NULL,
        note TEXT NOT NULL,
        tapped {number},
        retired {number} NOT NULL CHECK (retired IN (0, 1))
    ) {table}
    """,
    "CREATE UNIQUE INDEX boards_live ON boards (seat_id) WHERE retired = 0",
    "CREATE INDEX boards_at ON boards (chat_id, message_id) WHERE retired = 0",
    "CREATE INDEX boards_unpainted ON boards (id) WHERE painted < wanted OR old_message_id IS NOT NULL",
    # Rounds that an operator took back, with what was wrong and how they were found: the round itself says no more.
    """
    CREATE TABLE malfunctions (
        round_id {key} REFERENCES rounds (id),
        at {number} NOT NULL,
        findings TEXT NOT NULL,
        evidence TEXT NOT NULL
    ) {table}
    """,
    # What the operator's tools did last: a backup.
    """
    CREATE TABLE upkeep (
        what TEXT PRIMARY KEY,
        at {number} NOT NULL,
        note TEXT NOT NULL
    ) {table}
    """,
    "CREATE TABLE marks (update_id {key}, at {number} NOT NULL) {table}",
    "CREATE INDEX marks_by_age ON marks (at)",
    """
    CREATE TABLE timers (
        id {id},
        kind TEXT NOT NULL,
        subject {number} NOT NULL,
        due {number} NOT NULL,
        leased {number} NOT NULL,
        UNIQUE (kind, subject)
    ) {table}
    """,
    "CREATE INDEX timers_due ON timers (due)",
    """
    CREATE TABLE posts (
        key TEXT PRIMARY KEY,
        chat_id {number} NOT NULL,
        thread_id {number},
        body TEXT NOT NULL,
        at {number} NOT NULL,
        leased {number} NOT NULL,
        message_id {number}
    ) {table}
    """,
    "CREATE INDEX posts_unsent ON posts (at, key) WHERE message_id IS NULL",
)


def upgrade() -> None:
    bind = op.get_bind()
    dialect = bind.dialect.name
    for step in (*spelled(dialect, STEPS), *append_only(dialect, "movements", "entries")):
        bind.exec_driver_sql(step)
