"""The group table: tables with their one message, the hands dealt there, and what became of everybody in them."""

from alembic import op

from bot.storage.migrations.dialect import numbered_from, spelled

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

FIRST_HAND = 900_000_001  # so that no nonce is also that of a round played alone

STEPS = (
    # state is the whole table but for its rules; a chat that moves takes chat_id along, and messages are found anew.
    """
    CREATE TABLE tables (
        id {id},
        chat_id {number} NOT NULL,
        thread_id {number},
        rules_id {number} NOT NULL REFERENCES rule_sets (id),
        state TEXT NOT NULL,
        round_id {number},
        shown_id {number},
        version {number} NOT NULL,
        message_id {number},
        old_message_id {number},
        wanted {number} NOT NULL,
        painted {number} NOT NULL,
        opened {number} NOT NULL,
        ended {number},
        CHECK (painted <= wanted)
    ) {table}
    """,
    "CREATE UNIQUE INDEX tables_live ON tables (chat_id) WHERE ended IS NULL",
    "CREATE INDEX tables_of_chat ON tables (chat_id)",
    "CREATE INDEX tables_unpainted ON tables (id) WHERE painted < wanted OR old_message_id IS NOT NULL",
    """
    CREATE TABLE table_rounds (
        id {id},
        table_id {number} NOT NULL REFERENCES tables (id),
        hand {number} NOT NULL,
        rules_id {number} NOT NULL REFERENCES rule_sets (id),
        secret {bytes} NOT NULL,
        commitment TEXT NOT NULL UNIQUE,
        words TEXT NOT NULL,
        cut {number},
        cut_by {number},
        phase TEXT NOT NULL CHECK (phase IN ('open', 'dealt', 'settled')),
        void {number} NOT NULL CHECK (void IN (0, 1)),
        opened {number} NOT NULL,
        dealt {number},
        settled {number},
        voided {number},
        state TEXT,
        CHECK ((phase = 'settled') = (state IS NOT NULL)),
        CHECK ((phase = 'open') = (dealt IS NULL)),
        CHECK ((phase = 'settled') = (settled IS NOT NULL))
    ) {table}
    """,
    "CREATE UNIQUE INDEX table_rounds_open ON table_rounds (table_id) WHERE phase <> 'settled' AND void = 0",
    "CREATE INDEX table_rounds_of_table ON table_rounds (table_id, id)",
    # One row for everybody in a hand, the banker's last; the night of a seat adds its hands up from here as well.
    """
    CREATE TABLE table_hands (
        round_id {number} NOT NULL REFERENCES table_rounds (id),
        place {number} NOT NULL,
        seat_id {number} NOT NULL REFERENCES seats (id),
        night_id {number} REFERENCES nights (id),
        banked {number} NOT NULL CHECK (banked IN (0, 1)),
        ante {number} NOT NULL CHECK (ante >= 0),
        pair_plus {number} NOT NULL CHECK (pair_plus >= 0),
        six_card {number} NOT NULL CHECK (six_card >= 0),
        cards TEXT NOT NULL,
        decision TEXT,
        auto {number} NOT NULL CHECK (auto IN (0, 1)),
        net {number} NOT NULL,
        given_away {number} NOT NULL,
        strength {number} NOT NULL,
        settled {number} NOT NULL,
        PRIMARY KEY (round_id, place)
    ) {clustered}
    """,
    "CREATE INDEX table_hands_of_night ON table_hands (night_id, round_id, net)",
    "CREATE INDEX table_hands_of_seat ON table_hands (seat_id, round_id)",
)


def upgrade() -> None:
    bind = op.get_bind()
    dialect = bind.dialect.name
    for step in (*spelled(dialect, STEPS), numbered_from(dialect, "table_rounds", FIRST_HAND)):
        bind.exec_driver_sql(step)
