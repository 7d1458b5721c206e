"""Score the games of a sheet: house rules, ledgers, and the view that has both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from companion.engine.game import Game, read_deal, read_opening
from companion.engine.ledger import Accepted, Deal, Ledger, keep_ledger
from companion.engine.options import HouseRules, OptionSet
from companion.engine.problems import Problem, Refused
from companion.engine.reading import Node
from companion.sheets.shapes import canonical
from companion.sheets.state import Json, RulesPeriod, Sheet, SheetGame

NOT_SEEN = ""
"""The reason of a problem that nobody accepted: it arose when an earlier deal was corrected, and is only shown."""


def house_rules(known: Game, period: RulesPeriod) -> HouseRules[Any]:
    """Return the house rules of a period. Raises Refused if the game cannot read them."""
    return _read_rules(known.options, canonical(period.request))


def ledger(
    game: SheetGame, games: Mapping[str, Game], *, rules: RulesPeriod | None = None, strict: int | None = None
) -> Ledger:
    """Return the ledger of a game on a sheet.

    Deals after the end stay, marked and unscored. Problems that a keeper may accept do not prevent scoring, except in
    the deal numbered `strict`, where they must have been accepted. With `rules`, the facts are scored under other house
    rules. Raises Refused for impossible facts; pointers begin with `deals` and the index of the deal.
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
            # Accept them in later deals too: a log full of such deals must not be scored anew for each of them.
            unseen = tuple(Accepted(problem.code, NOT_SEEN) for problem in refused.problems)
            for later in range(place, len(deals)):
                if later + 1 != strict:
                    deals[later] = deals[later]._replace(accepted=(*unseen, *deals[later].accepted))


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
    """Return the index of the deal whose problems may all be accepted, None if one may not."""
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


@dataclass(frozen=True)
class View:
    """A sheet at one version with its ledgers, as pages and responses show it."""

    id: str
    sheet: Sheet
    games: Mapping[str, Game]
    kept: Mapping[int, Ledger]
    """Known ledgers by game number, reused from an earlier view."""

    @property
    def version(self) -> int:
        """The sequence number of the latest event; the ETag."""
        return self.sheet.version

    @property
    def game(self) -> SheetGame | None:
        """The running game."""
        return self.sheet.game

    @cached_property
    def ledgers(self) -> tuple[Ledger, ...]:
        """The ledger of each game on the sheet."""
        return tuple(
            self.kept[game.number] if game.number in self.kept else ledger(game, self.games)
            for game in self.sheet.games
        )

    @property
    def ledger(self) -> Ledger | None:
        """The ledger of the running game."""
        return self.ledgers[-1] if self.ledgers else None

    def house(self, game: SheetGame, deal: int | None = None) -> HouseRules[Any]:
        """Return the house rules of a game at a deal, by default the open one."""
        return house_rules(self.games[game.game], game.rules_of(deal) if deal else game.rules)

    def under(self, game: SheetGame, rules: Json) -> Ledger:
        """Return the ledger of a game under other house rules, given as in a score request. Raises Refused."""
        known = self.games[game.game]
        node = Node(rules, ("rules",))
        house = known.options.read(node)
        if node.problems:
            raise Refused(node.problems)
        return ledger(game, self.games, rules=RulesPeriod(1, house.preset, known.options.plain(house.options)))
