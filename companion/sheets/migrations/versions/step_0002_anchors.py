"""Anchors of sheets and the register that counts them, signed with the server's key."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_BUCKETS = 16


def upgrade() -> None:
    """Make the two tables. Sheets stored before are anchored when they are next written, or by `companion anchor`."""
    op.create_table(
        "anchor",
        sa.Column("sheet", sa.Text, sa.ForeignKey("sheet.id"), primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("rows", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("mac", sa.Text, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    register = op.create_table(
        "register",
        sa.Column("bucket", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("sheets", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("mac", sa.Text, nullable=False),
        sqlite_strict=True,
    )
    empty = [{"bucket": bucket, "size": 0, "sheets": "", "key": "", "mac": ""} for bucket in range(_BUCKETS)]
    op.bulk_insert(register, empty)
