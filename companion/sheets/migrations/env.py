"""Run by Alembic: brings the database behind the given connection up to date, in the caller's transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
