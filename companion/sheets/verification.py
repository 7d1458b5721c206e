"""What is wrong in a store: broken chains, logs that do not read or score any more, and what does not fit anchors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from companion.engine.game import Game
from companion.engine.problems import Refused
from companion.sheets.fold import BrokenLog, fold
from companion.sheets.groups.log import from_group_records
from companion.sheets.log import broken_at, from_records
from companion.sheets.scoring import ledger
from companion.sheets.store import Fault, NoSuchSheet, Record, Store

Check = Callable[[Sequence[Record]], object]


def faults(store: Store, games: Mapping[str, Game]) -> Iterator[Fault]:
    """Yield the sheets and groups with a broken hash chain or a log that does not read, and what the anchors miss."""
    yield from store.audit()

    def score(records: Sequence[Record]) -> None:
        for game in fold(from_records(records)).games:
            ledger(game, games)

    for sheet in store.sheets():
        yield from _of_log(store, sheet, score)
    for group in store.groups():
        yield from _of_log(store, group, lambda records: fold(from_group_records(records)))


def _of_log(store: Store, log: str, check: Check) -> Iterator[Fault]:
    try:
        records = store.read(log)
    except NoSuchSheet:
        yield Fault(log, 0, "no-events")
        return
    broken = broken_at(records)
    if broken is not None:
        yield Fault(log, broken, "hash-chain")
        return
    try:
        check(records)
    except BrokenLog as fault:
        yield Fault(log, fault.seq, "broken-log")
    except (Refused, LookupError) as fault:
        yield Fault(log, records[-1].seq, f"unscored: {fault}")
