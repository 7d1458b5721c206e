"""The tables of a store as SQLAlchemy knows them, and how they are brought up to date."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

HEAD = "0001"
"""The latest step under `migrations/versions`."""
EARLIER: tuple[str, ...] = ()
"""The steps before it, from which this program can bring a database up to date."""

metadata = sa.MetaData()

sheets = sa.Table(
    "sheet",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("erased", sa.Text),
)

events = sa.Table(
    "event",
    metadata,
    sa.Column("sheet", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("prev_hash", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
)

idempotency = sa.Table(
    "idempotency",
    metadata,
    sa.Column("sheet", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("fingerprint", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
)

links = sa.Table(
    "link",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("sheet", sa.Text, nullable=False),
    sa.Column("secret_hash", sa.Text, nullable=False),
    sa.Column("scope", sa.Text, nullable=False),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("revoked", sa.Text),
)


def at_step(connection: Connection) -> str | None:
    """The migration step at which a database stands, None where it has no tables of ours."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    step: str | None = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return step


def migrate(connection: Connection) -> None:
    """Bring a database up to date within the transaction of its connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
