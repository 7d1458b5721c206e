"""Devices by the hashes of their keys, the lists of sheets that they keep, and codes that give a list to others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the three tables. Devices with a cookie of an earlier version come when they next ask for a page."""
    op.create_table(
        "device",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False, index=True),
        sa.Column("key_hash", sa.Text, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created", sa.Text, nullable=False),
        sa.Column("seen", sa.Text, nullable=False),
        sa.Column("signed_out", sa.Text),
        sqlite_strict=True,
    )
    op.create_table(
        "kept",
        sa.Column("owner", sa.Text, primary_key=True),
        sa.Column("sheet", sa.Text, sa.ForeignKey("sheet.id"), primary_key=True),
        sa.Column("link", sa.Text, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "code",
        sa.Column("code_hash", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False, index=True),
        sa.Column("until", sa.Text),
        sa.Column("leaving", sa.Text),
        sqlite_strict=True,
    )
