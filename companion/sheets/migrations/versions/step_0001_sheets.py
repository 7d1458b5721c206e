"""Sheets, their events, idempotency keys and links; events can be added and nothing else."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ERASED = "(SELECT erased FROM sheet WHERE id = OLD.sheet)"

SQLITE_TRIGGERS = (
    "CREATE TRIGGER event_never_changes BEFORE UPDATE ON event "
    "BEGIN SELECT RAISE(ABORT, 'events are append only'); END",
    f"CREATE TRIGGER event_never_goes BEFORE DELETE ON event WHEN {_ERASED} IS NULL "
    "BEGIN SELECT RAISE(ABORT, 'events are append only'); END",
    "CREATE TRIGGER sheet_stays_erased BEFORE UPDATE ON sheet WHEN OLD.erased IS NOT NULL "
    "BEGIN SELECT RAISE(ABORT, 'an erased sheet stays erased'); END",
)

POSTGRES_TRIGGERS = (
    f"""
    CREATE FUNCTION event_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' AND {_ERASED} IS NOT NULL THEN
            RETURN OLD;
        END IF;
        RAISE EXCEPTION 'events are append only';
    END $$
    """,
    """CREATE FUNCTION sheet_stays_erased() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'an erased sheet stays erased';
    END $$
    """,
    "CREATE TRIGGER event_append_only BEFORE UPDATE OR DELETE ON event FOR EACH ROW "
    "EXECUTE FUNCTION event_append_only()",
    "CREATE TRIGGER event_no_truncate BEFORE TRUNCATE ON event EXECUTE FUNCTION event_append_only()",
    "CREATE TRIGGER sheet_stays_erased BEFORE UPDATE ON sheet FOR EACH ROW WHEN (OLD.erased IS NOT NULL) "
    "EXECUTE FUNCTION sheet_stays_erased()",
)


def upgrade() -> None:
    """Make the four tables and the triggers that keep events as they are."""
    op.create_table(
        "sheet",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("created", sa.Text, nullable=False),
        sa.Column("erased", sa.Text),
        sqlite_strict=True,
    )
    op.create_table(
        "event",
        sa.Column("sheet", sa.Text, sa.ForeignKey("sheet.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("prev_hash", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "idempotency",
        sa.Column("sheet", sa.Text, sa.ForeignKey("sheet.id"), primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "link",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("sheet", sa.Text, sa.ForeignKey("sheet.id"), nullable=False, index=True),
        sa.Column("secret_hash", sa.Text, nullable=False, unique=True),
        sa.Column("scope", sa.Text, sa.CheckConstraint("scope IN ('watch', 'score')"), nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("created", sa.Text, nullable=False),
        sa.Column("revoked", sa.Text),
        sqlite_strict=True,
    )
    postgres = op.get_bind().dialect.name == "postgresql"
    for statement in POSTGRES_TRIGGERS if postgres else SQLITE_TRIGGERS:
        op.execute(statement)
