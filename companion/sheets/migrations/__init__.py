"""The steps by which the tables of a store came to be, for Alembic."""
