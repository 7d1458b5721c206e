"""Find out whether a database still holds what its anchors say, and whether it still refuses to change events."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from companion.sheets import anchoring
from companion.sheets.anchors import NO_SHEETS, Anchor, Anchors, Head
from companion.sheets.store import Fault, NoSuchSheet
from companion.sheets.tables import sheet_table

ANOTHER_KEY: Final = "anchored-with-another-key"
UNANCHORED: Final = "unanchored"
_FIRST_STEP: Final = "companion.sheets.migrations.versions.step_0001_sheets"
"""The step of the migrations that makes the triggers."""


def faults(engine: Engine, anchors: Anchors | None) -> Iterator[Fault]:
    """Yield what does not fit, and as `UNANCHORED` each sheet without an anchor.

    A fault of the store as a whole names no sheet. Without a key, only triggers are checked.
    """
    with engine.connect() as connection:
        for name in _missing_triggers(connection):
            yield Fault("", 0, f"trigger-missing {name}")
        if anchors is None:
            return
        sheets = connection.execute(sa.select(sheet_table.c.id).order_by(sheet_table.c.id)).scalars().all()
    whole = {"reading": True} if engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
    reading = engine.execution_options(**whole)
    for sheet in sheets:
        with reading.begin() as connection:
            found = _fault_of(connection, anchors, sheet)
        if found:
            yield found
    with reading.begin() as connection:
        for bucket, anchored in anchoring.anchored_sheets(connection).items():
            kept = anchoring.register_of(connection, bucket)
            total = anchors.of_bucket(bucket, len(anchored), anchors.sum(("sheet", sheet) for sheet in anchored))
            if kept.key not in ("", anchors.key):
                yield Fault("", bucket, ANOTHER_KEY)
            elif kept != total and (anchored or kept != NO_SHEETS):
                yield Fault("", bucket, "sheets-added-or-deleted")


def _fault_of(connection: Connection, anchors: Anchors, sheet: str) -> Fault | None:
    row = connection.execute(sa.select(sheet_table.c.erased).where(sheet_table.c.id == sheet)).first()
    anchor = anchoring.anchor_of(connection, sheet)
    try:
        head = anchoring.head_of(connection, sheet)
    except NoSuchSheet:
        head = Head(0, "")
    if row is None:
        return None  # nobody can delete this row: it would have been a sheet that the register counts
    if anchor is None:
        return Fault(sheet, head.version, UNANCHORED)
    if anchor.key != anchors.key:
        return Fault(sheet, head.version, ANOTHER_KEY)
    if row.erased is not None:
        fits = anchor == anchors.of_erased(sheet, row.erased)
        return None if fits else Fault(sheet, head.version, "not-erased-by-this-program")
    rows = anchors.sum(anchoring.rows_of(connection, sheet))
    if anchor == anchors.of_sheet(sheet, head, rows):
        return None
    return Fault(sheet, head.version, _why(anchors, sheet, anchor, head, rows))


def _why(anchors: Anchors, sheet: str, anchor: Anchor, head: Head, rows: str) -> str:
    if anchor.seq > head.version:
        return f"events-cut-off {anchor.seq}"
    if anchor.seq < head.version:
        return f"events-added {anchor.seq}"
    same_log = anchor == anchors.of_sheet(sheet, head, anchor.rows)
    return "links-or-keys-changed" if same_log and anchor.rows != rows else "history-rewritten"


def _missing_triggers(connection: Connection) -> Iterator[str]:
    """Yield the names of triggers and their functions that are gone, switched off or written anew."""
    step = import_module(_FIRST_STEP)
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE type = 'trigger'").scalars().all()
        yield from (_name(wanted) for wanted in step.SQLITE_TRIGGERS if wanted not in found)
        return
    sources = {str(name): str(text) for name, text in connection.exec_driver_sql(_FUNCTIONS)}
    definitions = {name: " ".join(text.split()) for name, text in connection.exec_driver_sql(_TRIGGERS)}
    for wanted in step.POSTGRES_TRIGGERS:
        name = _name(wanted)
        if wanted.startswith("CREATE TRIGGER"):
            if definitions.get(name) != _POSTGRES_SAYS[name]:
                yield name
        elif not sources.get(name) or sources[name] not in wanted:
            yield name


_FUNCTIONS: Final = "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace"
_TRIGGERS: Final = (
    "SELECT tgname, replace(pg_get_triggerdef(pg_trigger.oid, true), current_schema() || '.', '') "
    "FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
    "WHERE relnamespace = current_schema()::regnamespace AND tgenabled IN ('O', 'A') AND NOT tgisinternal"
)
_POSTGRES_SAYS: Final = {
    "event_append_only": "CREATE TRIGGER event_append_only BEFORE DELETE OR UPDATE ON event "
    "FOR EACH ROW EXECUTE FUNCTION event_append_only()",
    "event_no_truncate": "CREATE TRIGGER event_no_truncate BEFORE TRUNCATE ON event "
    "FOR EACH STATEMENT EXECUTE FUNCTION event_append_only()",
    "sheet_stays_erased": "CREATE TRIGGER sheet_stays_erased BEFORE UPDATE ON sheet "
    "FOR EACH ROW WHEN (old.erased IS NOT NULL) EXECUTE FUNCTION sheet_stays_erased()",
}
"""How PostgreSQL words the triggers of the first step."""


def _name(statement: str) -> str:
    return statement.split()[2].removesuffix("()")
