"""Run by Alembic: the steps go through the connection that `bot.storage.schema` opened and locked."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
