"""Preview a command: decide and fold without writing, compare deal by deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.engine.game import Game
from companion.engine.ledger import DealScore, Ledger, Line, SideScore
from companion.sheets.fold import fold
from companion.sheets.model import Command, refuse
from companion.sheets.scoring import ledger
from companion.sheets.state import Entry, Sheet


def preview(sheet: Sheet, command: Command, games: Mapping[str, Game]) -> Ripple:
    """Return the game of a command, deal by deal before and after it. Raises Refused."""
    after = sheet
    for seq, event in enumerate(command.decide(sheet, games), start=sheet.version + 1):
        after = fold([Entry(seq, sheet.changed, "", event)], after)
    number = _game_touched(sheet, after)
    return ripple(number, _ledger_at(sheet, after, number, games), _ledger_at(after, sheet, number, games))


def _ledger_at(sheet: Sheet, other: Sheet, number: int, games: Mapping[str, Game]) -> Ledger:
    """Return the ledger of a game on a sheet, an empty one if only the other sheet has the game."""
    if number <= len(sheet.games):
        return ledger(sheet.games[number - 1], games)
    return ledger(other.games[number - 1]._replace(deals=()), games)


def _game_touched(before: Sheet, after: Sheet) -> int:
    """Return the number of the first game in which two sheets differ, by default of the current one."""
    for one, other in zip(before.games, after.games, strict=False):
        if one is not other:
            return one.number
    number = max(len(before.games), len(after.games))
    if not number:
        refuse((), "no-game")
    return number


@dataclass(frozen=True, slots=True)
class SideRipple:
    """One side in one deal before and after a command; None if there is no such deal."""

    before: SideScore | None
    after: SideScore | None

    @property
    def changed(self) -> bool:
        """Whether any line, the total or a tally differs."""
        return self.before != self.after

    @property
    def gone(self) -> tuple[Line, ...]:
        """Lines that are removed."""
        return _without(self.before, self.after)

    @property
    def come(self) -> tuple[Line, ...]:
        """Lines that are added."""
        return _without(self.after, self.before)


LINE_GONE, LINE_COME, TOTAL = "line-gone", "line-come", "total"
"""Kinds of effects."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that a command does to a side in a deal: a line falls away or comes, or another total after it."""

    kind: str
    deal: int
    side: str
    line: Line | None = None
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True)
class DealRipple:
    """One deal before and after a command."""

    number: int
    before: DealScore | None
    after: DealScore | None
    sides: Mapping[str, SideRipple]

    @property
    def changed(self) -> bool:
        """Whether anything about the deal differs, its status and warnings included."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Ripple:
    """What a command would change: every deal of the game before and after, and both outcomes."""

    game_number: int
    before: Ledger
    after: Ledger
    deals: tuple[DealRipple, ...]

    @property
    def changed(self) -> tuple[DealRipple, ...]:
        """Only the deals that change."""
        return tuple(deal for deal in self.deals if deal.changed)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What changes, deal by deal: lines whose points fall away or come, and every total that differs."""
        found: list[Effect] = []
        for deal in self.changed:
            for side, each in deal.sides.items():
                gone, come = without_counterpart(each.gone, each.come), without_counterpart(each.come, each.gone)
                found += [Effect(LINE_GONE, deal.number, side, line) for line in gone]
                found += [Effect(LINE_COME, deal.number, side, line) for line in come]
                before, after = (one.standing.total if one else None for one in (each.before, each.after))
                if before is not None and after is not None and before != after:
                    found.append(Effect(TOTAL, deal.number, side, None, before, after))
        return tuple(found)

    @property
    def outcome_changes(self) -> bool:
        """Whether the outcome differs: over or not, winners, article."""
        return self.before.outcome != self.after.outcome


def ripple(game_number: int, before: Ledger, after: Ledger) -> Ripple:
    """Return the differences between two ledgers of one game, deal by deal."""
    deals = []
    for place in range(max(len(before.deals), len(after.deals))):
        old = before.deals[place] if place < len(before.deals) else None
        new = after.deals[place] if place < len(after.deals) else None
        sides = {
            side: SideRipple(old.sides[side] if old else None, new.sides[side] if new else None)
            for side in (new or old or DealScore({})).sides
        }
        deals.append(DealRipple(place + 1, old, new, sides))
    return Ripple(game_number, before, after, tuple(deals))


def without_counterpart(lines: Iterable[Line], others: Iterable[Line]) -> tuple[Line, ...]:
    """Return the lines without one of the same article and points among the others, which would change no total."""
    known = {(line.article, line.points) for line in others}
    return tuple(line for line in lines if (line.article, line.points) not in known)


def _without(one: SideScore | None, other: SideScore | None) -> tuple[Line, ...]:
    lines, rest = (one.lines if one else ()), list(other.lines if other else ())
    kept = []
    for line in lines:
        if line in rest:
            rest.remove(line)
        else:
            kept.append(line)
    return tuple(kept)
