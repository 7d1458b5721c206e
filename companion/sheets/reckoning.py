"""What the facts of a sheet come to: the ledger of each game, and what a step would change in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from companion.engine.game import Game, read_deal, read_opening
from companion.engine.ledger import Accepted, Deal, DealScore, Ledger, Line, SideScore, keep_ledger
from companion.engine.options import HouseRules, OptionSet
from companion.engine.problems import Problem, Refused
from companion.engine.reading import Node
from companion.sheets.codec import canonical
from companion.sheets.sheet import RulesPeriod, SheetGame

NOT_SEEN = ""
"""The reason of a problem that nobody accepted: it came up when an earlier deal was corrected; it is only shown."""


def house_rules(known: Game, period: RulesPeriod) -> HouseRules[Any]:
    """The house rules of a period. Raises Refused where this game cannot read them."""
    return _read_rules(known.options, canonical(period.request))


def ledger(
    game: SheetGame, games: Mapping[str, Game], *, rules: RulesPeriod | None = None, strict: int | None = None
) -> Ledger:
    """The ledger of a game on a sheet.

    Deals after the end stay, marked and unscored. A problem that a keeper may accept never stands in the way, except in
    the deal numbered `strict`, where it must have been accepted. With `rules`, the same facts under other house rules.
    Raises Refused where the facts cannot be; pointers begin with `deals` and the place of the deal.
    """
    known = games[game.game]
    periods = (replace(rules, first_deal=1),) if rules else game.periods
    houses = [house_rules(known, period).options for period in periods]
    deals = _deals(game, known, periods, houses)
    opening = read_opening(known, Node(game.opening, ("opening",)), houses[0], game.sides)
    changes = {
        period.first_deal - 1: (options, known.tallies(options))
        for period, options in zip(periods[1:], houses[1:], strict=True)
    }
    while True:
        try:
            return keep_ledger(
                known.scorer, houses[0], game.sides, deals,
                opening=opening, tallies=known.tallies(houses[0]), changes=changes, after_end="mark",
            )  # fmt: skip
        except Refused as refused:
            place = _place(refused.problems)
            if place is None or place + 1 == strict:
                raise
            # Later deals get the same leave at once: a log full of such deals is not begun anew for each of them.
            unseen = tuple(Accepted(problem.code, NOT_SEEN) for problem in refused.problems)
            for later in range(place, len(deals)):
                if later + 1 != strict:
                    deals[later] = replace(deals[later], accepted=(*unseen, *deals[later].accepted))


def _deals(game: SheetGame, known: Game, periods: tuple[RulesPeriod, ...], houses: list[Any]) -> list[Deal[Any]]:
    deals, problems = [], []
    for deal in game.deals:
        options = [house for period, house in zip(periods, houses, strict=True) if period.first_deal <= deal.number][-1]
        node = Node(deal.facts, ("deals", deal.number - 1))
        deals.append(read_deal(known, node, options, game.sides))
        problems += node.problems
    if problems:
        raise Refused(problems)
    return deals


def _place(problems: tuple[Problem, ...]) -> int | None:
    """The place of the deal whose problems may all be accepted, or None where one may not."""
    if not problems or not all(problem.acceptable for problem in problems):
        return None
    place = problems[0].pointer[1]
    return place if isinstance(place, int) else None


@lru_cache(maxsize=512)
def _read_rules(options: OptionSet[Any], request: str) -> HouseRules[Any]:
    node = Node(json.loads(request), ("rules",))
    house = options.read(node)
    if node.problems:
        raise Refused(node.problems)
    return house


@dataclass(frozen=True, slots=True)
class SideRipple:
    """One side in one deal before and after a step; None where the deal did not stand there."""

    before: SideScore | None
    after: SideScore | None

    @property
    def changed(self) -> bool:
        """Whether any line, the total or a tally differs."""
        return self.before != self.after

    @property
    def gone(self) -> tuple[Line, ...]:
        """Lines that fall away."""
        return _without(self.before, self.after)

    @property
    def come(self) -> tuple[Line, ...]:
        """Lines that are new."""
        return _without(self.after, self.before)


@dataclass(frozen=True, slots=True)
class DealRipple:
    """One deal before and after a step."""

    number: int
    before: DealScore | None
    after: DealScore | None
    sides: Mapping[str, SideRipple]

    @property
    def changed(self) -> bool:
        """Whether anything about the deal differs, down to its status and its warnings."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Ripple:
    """What a step would change: every deal of the game with its totals before and after, and both outcomes."""

    game_number: int
    before: Ledger
    after: Ledger
    deals: tuple[DealRipple, ...]

    @property
    def changed(self) -> tuple[DealRipple, ...]:
        """Only the deals that change."""
        return tuple(deal for deal in self.deals if deal.changed)

    @property
    def outcome_changes(self) -> bool:
        """Whether the game ends otherwise than before: over or not, by whom, by which article."""
        return self.before.outcome != self.after.outcome


def ripple(game_number: int, before: Ledger, after: Ledger) -> Ripple:
    """The differences between two ledgers of one game, deal by deal."""
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


def _without(one: SideScore | None, other: SideScore | None) -> tuple[Line, ...]:
    lines, rest = (one.lines if one else ()), list(other.lines if other else ())
    kept = []
    for line in lines:
        if line in rest:
            rest.remove(line)
        else:
            kept.append(line)
    return tuple(kept)
