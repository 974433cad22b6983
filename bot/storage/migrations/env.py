"""Run by Alembic: the steps go through the connection that `bot.storage.schema` opened and locked."""

from alembic import context

told = context.config.attributes["applied"]
context.configure(
    connection=context.config.attributes["connection"],
    transactional_ddl=True,
    on_version_apply=lambda *, step, **_: told(step),
)
with context.begin_transaction():
    context.run_migrations()
