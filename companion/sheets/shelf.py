"""The shelf: views of sheets that were read lately, brought up to date by the events written since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock

from companion.engine.game import Game
from companion.sheets.events import Entry
from companion.sheets.fold import fold
from companion.sheets.records import from_record
from companion.sheets.store import Store
from companion.sheets.view import View

CACHED_SHEETS = 256


class Shelf:
    """Views by sheet, each with the hash of its last event; the one put there longest ago makes room."""

    def __init__(self, store: Store, games: Mapping[str, Game]) -> None:
        self.store = store
        self.games = games
        self._views: dict[str, tuple[View, str]] = {}
        self._lock = Lock()

    def load(self, sheet: str) -> tuple[View, str]:
        """A sheet as it stands, and the hash of its last event. Raises NoSuchSheet."""
        with self._lock:
            cached = self._views.get(sheet)
        if cached is not None:
            view, last_hash = cached
            if self.store.version(sheet) == view.version:
                return cached
            records = self.store.read(sheet, view.version)
            if records and records[0].prev_hash == last_hash:
                last_hash = records[-1].hash
                return self.add(view, [from_record(record) for record in records], last_hash), last_hash
        records = self.store.read(sheet)
        folded = fold(from_record(record) for record in records)
        return self._put(View(sheet, folded, self.games, {}), records[-1].hash), records[-1].hash

    def add(self, view: View, entries: Sequence[Entry], last_hash: str) -> View:
        """The view after further events; ledgers of games that they do not touch are kept."""
        sheet = fold(entries, view.sheet)
        old = zip(view.sheet.games, vars(view).get("ledgers", ()), strict=False)
        kept = {game.number: kept for game, kept in old if any(game is other for other in sheet.games)}
        return self._put(View(view.id, sheet, self.games, kept), last_hash)

    def forget(self, sheet: str) -> None:
        """Put away a sheet that is no more."""
        with self._lock:
            self._views.pop(sheet, None)

    def _put(self, view: View, last_hash: str) -> View:
        with self._lock:
            self._views.pop(view.id, None)
            self._views[view.id] = view, last_hash
            if len(self._views) > CACHED_SHEETS:
                del self._views[next(iter(self._views))]
        return view
