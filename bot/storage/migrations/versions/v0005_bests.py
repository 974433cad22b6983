"""Everybody's best night of a chat's week, month and of all time, kept, so that a list of thousands is read at once."""

from alembic import op

from bot.storage.migrations.dialect import spelled

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

STEPS = (
    # Rows come with the next night that ends in a chat; until then its lists are read from the nights.
    """
    CREATE TABLE bests (
        chat_id {number} NOT NULL,
        since {number} NOT NULL,
        user_id {number} NOT NULL,
        score {number} NOT NULL,
        closed {number} NOT NULL,
        night_id {number} NOT NULL REFERENCES nights (id),
        PRIMARY KEY (chat_id, since, user_id)
    ) {clustered}
    """,
    "CREATE INDEX bests_top ON bests (chat_id, since, score DESC, closed, night_id, user_id)",
    "CREATE INDEX bests_of_night ON bests (night_id)",
)


def upgrade() -> None:
    bind = op.get_bind()
    for step in spelled(bind.dialect.name, STEPS):
        bind.exec_driver_sql(step)
