"""A sheet at one version as pages and answers show it: what stands there, and what that comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.engine.game import Game
from companion.engine.ledger import Ledger
from companion.engine.options import HouseRules
from companion.engine.reading import Node
from companion.sheets.reckoning import house_rules, ledger
from companion.sheets.refusals import refuse_all
from companion.sheets.sheet import RulesPeriod, Sheet, SheetGame


@dataclass(frozen=True)
class View:
    """A sheet at one version, ready to be shown: what stands on it, and what that comes to."""

    id: str
    sheet: Sheet
    games: Mapping[str, Game]
    kept: Mapping[int, Ledger]
    """Ledgers by game number, those of the view before among them."""

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
        """The house rules of a game, those of the open deal where none is named."""
        return house_rules(self.games[game.game], game.rules_of(deal) if deal else game.rules)

    def under(self, game: SheetGame, rules: Mapping[str, Any]) -> Ledger:
        """The facts of a game scored under other house rules, given as a score request has them. Raises Refused."""
        known = self.games[game.game]
        node = Node(rules, ("rules",))
        house = known.options.read(node)
        refuse_all(node.problems)
        return ledger(game, self.games, rules=RulesPeriod(1, house.preset, known.options.plain(house.options)))
