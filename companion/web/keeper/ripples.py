"""The consequences of a correction as a table: every later deal whose totals, penalties or winner would change."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine.ledger import AFTER_END, Line
from companion.rulebook.book import say
from companion.rulebook.wording import number_text, signed_text
from companion.sheets.preview import DealRipple, Ripple
from companion.web.keeper.board import Board, ShownLine, shown_lines


@dataclass(frozen=True, slots=True)
class RippleCell:
    """One side in one deal: its total before and after, the difference, the lines that go and come."""

    name: str
    before: str
    after: str
    difference: str
    gone: tuple[ShownLine, ...]
    come: tuple[ShownLine, ...]


@dataclass(frozen=True, slots=True)
class RippleRow:
    """One deal that would change, and what is worth saying about it."""

    number: int
    cells: tuple[RippleCell, ...]
    flags: tuple[str, ...]


def ripple_rows(ripple: Ripple, board: Board, lang: str) -> list[RippleRow]:
    """The deals that would change, in order."""
    return [_row(deal, board, lang) for deal in ripple.changed]


def _telling(lines: tuple[Line, ...], others: tuple[Line, ...]) -> tuple[Line, ...]:
    """Lines without a counterpart of the same article and points: the others change no total."""
    known = {(line.article, line.points) for line in others}
    return tuple(line for line in lines if (line.article, line.points) not in known)


def _row(deal: DealRipple, board: Board, lang: str) -> RippleRow:
    cells = []
    for side in board.sides:
        one = deal.sides[side.id]
        before = one.before.standing.total if one.before else 0
        after = one.after.standing.total if one.after else 0
        gone, come = _telling(one.gone, one.come), _telling(one.come, one.gone)
        gone_lines = shown_lines(gone, lang, board.game.game, board.columns)
        come_lines = shown_lines(come, lang, board.game.game, board.columns)
        cells.append(
            RippleCell(
                side.name, number_text(before), number_text(after), signed_text(after - before), gone_lines, come_lines
            )
        )
    flags = []
    if deal.before and deal.after and deal.before.status != deal.after.status:
        ended = deal.after.status == AFTER_END
        flags.append(say(lang, "keeper.now-after-end" if ended else "keeper.now-scored"))
    return RippleRow(deal.number, tuple(cells), tuple(flags))
