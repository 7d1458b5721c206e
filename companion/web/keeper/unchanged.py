"""What a tap leaves as it was: the board of a game and its table as HTML, kept from one page to the next.

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

from companion.engine.ledger import DealScore, Ledger
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

    deals: Deals = ()
    scores: Scores = ()
    names: Mapping[str, str] = field(default_factory=dict)
    shown: tuple[ShownDeal, ...] = ()
    drawn: dict[str, tuple[Chart | None, bool, Markup]] = field(default_factory=dict, compare=False, repr=False)
    """The whole table as HTML by the address of its sheet, with what it shows beside the rows."""

    def after(
        self, deals: Deals, scores: Scores, names: Mapping[str, str], make: Callable[[SheetDeal, DealScore], ShownDeal]
    ) -> Rows:
        """Return the rows of the game as it is now; `make` makes those of deals that are new or have another score."""
        kept = self if self.names == names else Rows()
        same = list(map(operator.and_, map(operator.is_, kept.deals, deals), map(operator.is_, kept.scores, scores)))
        if len(kept.deals) == len(deals) == sum(same):
            return kept
        old = [row if is_same else None for row, is_same in zip(kept.shown, same, strict=False)]
        old += [None] * (len(deals) - len(same))
        shown = [row or make(deal, score) for row, deal, score in zip(old, deals, scores, strict=True)]
        return Rows(deals, scores, names, tuple(shown))

    def table(self, draw: Callable[[Board, str], Markup], board: Board, base: str) -> Markup:
        """Return the table of a board that has these rows."""
        kept = self.drawn.get(base)
        if kept is None or kept[:2] != (board.chart, board.over):
            kept = self.drawn[base] = board.chart, board.over, draw(board, base)
        return kept[2]


class BoardCache:
    """The boards of games shown last; the oldest goes first."""

    def __init__(self) -> None:
        self._kept: dict[Key, tuple[Ledger, Board]] = {}
        self._size = 0
        self._lock = Lock()

    def board(self, key: Key, ledger: Ledger, names: Mapping[str, str], make: Callable[[Rows], Board]) -> Board:
        """Return the board of a game with this ledger, made of the rows before where the ledger is another object.

        A ledger is the same object for as long as the deals, the rules and the opening of its game are.
        """
        before, kept = self._kept.get(key, (None, None))
        if kept is None or before is not ledger or kept.columns != names:
            kept = make(kept.rows if kept else Rows())
            self._keep(key, ledger, kept)
        return kept

    def rows_kept(self) -> int:
        """Return how many rows are kept of all games."""
        return sum(len(board.deals) for _, board in self._kept.values())

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()
            self._size = 0

    def _keep(self, key: Key, ledger: Ledger, board: Board) -> None:
        with self._lock:
            self._drop(key)
            self._kept[key] = ledger, board
            self._size += 1 + len(board.deals)
            while self._size > KEPT_ROWS and len(self._kept) > 1:
                self._drop(next(iter(self._kept)))

    def _drop(self, key: Key) -> None:
        dropped = self._kept.pop(key, None)
        if dropped:
            self._size -= 1 + len(dropped[1].deals)


UNCHANGED: Final = BoardCache()


def init_app(app: Flask) -> None:
    """Let templates draw a table of deals only where it has changed: `unchanged_table(macro, board, base)`."""
    app.jinja_env.globals["unchanged_table"] = lambda macro, board, base: board.rows.table(macro, board, base)
