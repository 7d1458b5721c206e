"""Score the games of a sheet: house rules, ledgers, and the view that has both."""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import compress, count
from threading import Lock

from companion.engine.game import Game, read_deal, read_opening
from companion.engine.ledger import Deal, Facts, Ledger, Rules, keep_ledger
from companion.engine.options import HouseRules, OptionSet
from companion.engine.problems import JsonObject, Node, Refused, read_whole
from companion.sheets.anchors import Head
from companion.sheets.shapes import canonical
from companion.sheets.state import RulesPeriod, Sheet, SheetGame

KEPT_DEALS = 20_000
"""Number of deals in the games whose latest ledger is kept."""


def house_rules(known: Game, period: RulesPeriod) -> HouseRules[Rules]:
    """Return the house rules of a period. Raises Refused if the game cannot read them."""
    return _read_rules(known.options, canonical(period.request))


def ledger(
    game: SheetGame, games: Mapping[str, Game], *, rules: RulesPeriod | None = None, strict: int | None = None
) -> Ledger:
    """Return the ledger of a game on a sheet; only deals that were not scored before are scored.

    Deals after the end stay, marked and unscored. Problems that a keeper may accept do not prevent scoring, except in
    the deal numbered `strict`, where they must have been accepted. With `rules`, the facts are scored under other house
    rules. Raises Refused for impossible facts; pointers begin with `deals` and the index of the deal.
    """
    known = games[game.game]
    if rules:
        return _ledger(game, known, (replace(rules, first_deal=1),), None, None)
    found = _LATEST.ledger_before(game, known, strict)
    if found is None or len(found.deals) < len(game.deals):
        found = _ledger(game, known, game.periods, strict, found)
    _LATEST.keep(game, known, found)
    return found


def _ledger(
    game: SheetGame, known: Game, periods: tuple[RulesPeriod, ...], strict: int | None, earlier: Ledger | None
) -> Ledger:
    """Return the ledger of all deals, given the one of the first deals."""
    place = len(earlier.deals) if earlier else 0
    houses = [house_rules(known, period).options for period in periods]
    deals = _deals(game, known, periods, houses, place)
    opening = read_opening(known, Node(game.opening, ("opening",)), houses[0], game.sides)
    changes = {
        period.first_deal - 1: (options, known.tallies(options))
        for period, options in zip(periods[1:], houses[1:], strict=True)
    }
    return keep_ledger(
        known.scorer, _in_force(periods, houses, max(place, 1)), game.sides, deals,
        opening=opening, tallies=known.tallies(houses[0]), changes=changes, after_end="mark",
        lenient=True, strict=None if strict is None else strict - 1, earlier=earlier,
    )  # fmt: skip


def _deals(
    game: SheetGame, known: Game, periods: tuple[RulesPeriod, ...], houses: list[Rules], place: int
) -> list[Deal[Facts]]:
    deals, problems = [], []
    for deal in game.deals[place:]:
        node = Node(deal.facts, ("deals", deal.number - 1))
        deals.append(read_deal(known, node, _in_force(periods, houses, deal.number), game.sides))
        problems += node.problems
    if problems:
        raise Refused(problems)
    return deals


def _in_force(periods: tuple[RulesPeriod, ...], houses: list[Rules], deal: int) -> Rules:
    """Return the options under which a deal is scored."""
    return [house for period, house in zip(periods, houses, strict=True) if period.first_deal <= deal][-1]


class _Latest:
    """Keep the ledgers of recently scored games, so that one more deal does not score all deals before it again.

    Versions of a game are recognised by the object that holds their sides, which they share; the deals, the rules and
    the opening are compared.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int], tuple[SheetGame, Game, Ledger]] = {}
        self._deals = 0
        self._lock = Lock()

    def ledger_before(self, game: SheetGame, known: Game, strict: int | None) -> Ledger | None:
        """Return the ledger of as many of a game's first deals as are known, all of them before the deal `strict`."""
        with self._lock:
            kept = self._kept.get((id(game.sides), game.number))
        if kept is None:
            return None
        other, scorer, found = kept
        same = other.sides is game.sides and other.opening == game.opening and other.periods == game.periods
        if not same or scorer is not known:
            return None
        most = len(game.deals) if strict is None else min(strict - 1, len(game.deals))
        differ = map(operator.is_not, game.deals[:most], other.deals)
        return found.until(next(compress(count(), differ), min(most, len(other.deals))))

    def keep(self, game: SheetGame, known: Game, found: Ledger) -> None:
        """Keep the ledger of a game in the place of an earlier one; the oldest goes first."""
        key = id(game.sides), game.number
        with self._lock:
            self._drop(key)
            self._kept[key] = game, known, found
            self._deals += 1 + len(found.deals)
            while self._deals > KEPT_DEALS and len(self._kept) > 1:
                self._drop(next(iter(self._kept)))

    def _drop(self, key: tuple[int, int]) -> None:
        dropped = self._kept.pop(key, None)
        if dropped:
            self._deals -= 1 + len(dropped[2].deals)


_LATEST = _Latest()


@lru_cache(maxsize=512)
def _read_rules(options: OptionSet[Rules], request: str) -> HouseRules[Rules]:
    return read_whole(json.loads(request), options.read, ("rules",))


@dataclass(frozen=True)
class View:
    """A sheet at one version with its ledgers, as pages and responses show it."""

    id: str
    sheet: Sheet
    games: Mapping[str, Game]
    kept: Mapping[int, Ledger]
    """Known ledgers by game number, reused from an earlier view."""
    last_hash: str = ""
    """The hash of the latest event, empty for a view of an earlier version."""

    @property
    def version(self) -> int:
        """The sequence number of the latest event."""
        return self.sheet.version

    @property
    def head(self) -> Head:
        """The number and the hash of the latest event, of which the ETag is made."""
        return Head(self.sheet.version, self.last_hash)

    @property
    def changed(self) -> datetime:
        """When the latest event was written."""
        return self.sheet.changed

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

    def house(self, game: SheetGame, deal: int | None = None) -> HouseRules[Rules]:
        """Return the house rules of a game at a deal, by default the open one."""
        return house_rules(self.games[game.game], game.rules_of(deal) if deal else game.rules)

    def under(self, game: SheetGame, rules: JsonObject) -> Ledger:
        """Return the ledger of a game under other house rules, given as in a score request. Raises Refused."""
        known = self.games[game.game]
        house = read_whole(rules, known.options.read, ("rules",))
        return ledger(game, self.games, rules=RulesPeriod(1, house.preset, known.options.plain(house.options)))
