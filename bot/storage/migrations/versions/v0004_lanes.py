"""Several workers on one database: whose turn it is to write into a chat, and what the chat's budget is by then."""

from alembic import op

from bot.storage.migrations.dialect import spelled

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

STEPS = (
    # until is nought once the owner has left; full_at, cool and calls are the painter's budget; all in milliseconds.
    """
    CREATE TABLE lanes (
        chat_id {key},
        owner {number} NOT NULL,
        until {number} NOT NULL,
        full_at {number} NOT NULL,
        cool {number} NOT NULL,
        calls TEXT NOT NULL
    ) {table}
    """,
)


def upgrade() -> None:
    bind = op.get_bind()
    for step in spelled(bind.dialect.name, STEPS):
        bind.exec_driver_sql(step)
