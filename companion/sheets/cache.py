"""The views of recently used sheets, kept between requests as far as their size allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Final

from companion.engine.game import Game
from companion.sheets.anchors import Head
from companion.sheets.fold import fold
from companion.sheets.log import from_records
from companion.sheets.scoring import View
from companion.sheets.state import Entry
from companion.sheets.store import Store

CACHED_BYTES: Final = 96 * 1024 * 1024
"""Size of the cached views, as `_size_of` estimates it."""


class ViewCache:
    """Keep the views of recently used sheets; the oldest entry goes first."""

    def __init__(self, store: Store, games: Mapping[str, Game]) -> None:
        self.store = store
        self.games = games
        self._views: dict[str, View] = {}
        self._size = 0
        self._lock = Lock()

    def load(self, sheet: str) -> View:
        """Return a sheet at its latest version. Raises NoSuchSheet."""
        with self._lock:
            view = self._views.get(sheet)
        if view is not None:
            if self.store.head(sheet) == view.head:
                return view
            records = self.store.read(sheet, view.version)
            if records and records[0].prev_hash == view.head.hash:
                return self.add(view, from_records(records), records[-1].head)
        records = self.store.read(sheet)
        folded = fold(from_records(records))
        return self._put(View(sheet, folded, self.games, {}, records[-1].hash))

    def add(self, view: View, entries: Sequence[Entry], head: Head) -> View:
        """Return the view after further events. Ledgers of games that did not change are reused."""
        sheet = fold(entries, view.sheet)
        old = zip(view.sheet.games, vars(view).get("ledgers", ()), strict=False)
        kept = {game.number: kept for game, kept in old if any(game is other for other in sheet.games)}
        return self._put(View(view.id, sheet, self.games, kept, head.hash))

    def forget(self, sheet: str) -> None:
        """Drop a sheet that was erased."""
        with self._lock:
            self._drop(sheet)

    def _put(self, view: View) -> View:
        with self._lock:
            self._drop(view.id)
            self._views[view.id] = view
            self._size += _size_of(view)
            while self._size > CACHED_BYTES and len(self._views) > 1:
                self._drop(next(iter(self._views)))
        return view

    def _drop(self, sheet: str) -> None:
        dropped = self._views.pop(sheet, None)
        if dropped:
            self._size -= _size_of(dropped)


def _size_of(view: View) -> int:
    """Return about how many bytes a view takes: what each event says, and each state that an undo can bring back."""
    return 20_000 + view.version * 3_000 + view.version**2 * 4
