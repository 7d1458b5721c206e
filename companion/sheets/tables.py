"""The tables of a store. `migrations` makes them; a test holds that the two agree."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

sheet_table = sa.Table(
    "sheet",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("erased", sa.Text),
)

event_table = sa.Table(
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

key_table = sa.Table(
    "idempotency",
    metadata,
    sa.Column("sheet", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("fingerprint", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
)

link_table = sa.Table(
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

anchor_table = sa.Table(
    "anchor",
    metadata,
    sa.Column("sheet", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("rows", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("mac", sa.Text, nullable=False),
)

register_table = sa.Table(
    "register",
    metadata,
    sa.Column("bucket", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("sheets", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("mac", sa.Text, nullable=False),
)

device_table = sa.Table(
    "device",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("key_hash", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("seen", sa.Text, nullable=False),
    sa.Column("signed_out", sa.Text),
)

kept_table = sa.Table(
    "kept",
    metadata,
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("sheet", sa.Text, primary_key=True),
    sa.Column("link", sa.Text, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
)

code_table = sa.Table(
    "code",
    metadata,
    sa.Column("code_hash", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("until", sa.Text),
    sa.Column("leaving", sa.Text),
)
