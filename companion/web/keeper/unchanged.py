"""What a tap leaves as it was: the rows of the score table, and the table as HTML, kept from one page to the next.

Without this a page takes a time that grows with the deals of its game. The row of `make bench` is "a keeper's tap".
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Final

from flask import Flask
from markupsafe import Markup

from companion.engine.ledger import DealScore
from companion.sheets.state import SheetDeal

if TYPE_CHECKING:
    from companion.web.keeper.board import Board, Chart, ShownDeal

KEPT_ROWS: Final = 4_000
"""Rows of all games that are kept: some 6 KB each, with their HTML."""

Deals = tuple[SheetDeal, ...]
Scores = tuple[DealScore, ...]
Key = tuple[str, int, str]
"""The id of a sheet, the number of its game, the language."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a game, and what they were made of: deals and scores are recognised as objects."""

    deals: Deals
    scores: Scores
    names: Mapping[str, str]
    shown: tuple[ShownDeal, ...]
    drawn: dict[str, tuple[Chart | None, bool, Markup]] = field(default_factory=dict, compare=False, repr=False)
    """The whole table as HTML by the address of its sheet, with what it shows beside the rows."""

    def table(self, draw: Callable[[Board, str], Markup], board: Board, base: str) -> Markup:
        """Return the table of a board that has these rows."""
        kept = self.drawn.get(base)
        if kept is None or kept[:2] != (board.chart, board.over):
            kept = self.drawn[base] = board.chart, board.over, draw(board, base)
        return kept[2]


class RowCache:
    """The rows of games shown last; the oldest goes first."""

    def __init__(self) -> None:
        self._kept: dict[Key, Rows] = {}
        self._size = 0
        self._lock = Lock()

    def rows(
        self,
        key: Key,
        deals: Deals,
        scores: Scores,
        names: Mapping[str, str],
        make: Callable[[SheetDeal, DealScore], ShownDeal],
    ) -> Rows:
        """Return the rows of a game; `make` makes those of deals that are new or have another score."""
        kept = self._kept.get(key)
        if kept is None or kept.names != names:
            kept = Rows((), (), names, ())
        same = list(map(operator.and_, map(operator.is_, kept.deals, deals), map(operator.is_, kept.scores, scores)))
        if len(kept.deals) == len(deals) == sum(same):
            return kept
        old = [row if is_same else None for row, is_same in zip(kept.shown, same, strict=False)]
        old += [None] * (len(deals) - len(same))
        shown = [row or make(deal, score) for row, deal, score in zip(old, deals, scores, strict=True)]
        found = Rows(deals, scores, names, tuple(shown))
        self._keep(key, found)
        return found

    def rows_kept(self) -> int:
        """Return how many rows are kept of all games."""
        return sum(len(rows.deals) for rows in self._kept.values())

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()
            self._size = 0

    def _keep(self, key: Key, rows: Rows) -> None:
        with self._lock:
            self._drop(key)
            self._kept[key] = rows
            self._size += 1 + len(rows.deals)
            while self._size > KEPT_ROWS and len(self._kept) > 1:
                self._drop(next(iter(self._kept)))

    def _drop(self, key: Key) -> None:
        dropped = self._kept.pop(key, None)
        if dropped:
            self._size -= 1 + len(dropped.deals)


UNCHANGED: Final = RowCache()


def init_app(app: Flask) -> None:
    """Let templates draw a table of deals only where it has changed: `unchanged_table(macro, board, base)`."""
    app.jinja_env.globals["unchanged_table"] = lambda macro, board, base: board.rows.table(macro, board, base)
