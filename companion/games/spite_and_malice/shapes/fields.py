"""What the shapes of this game share: the players they are read against, cards, stacks, numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Unpack

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.problems import Node, Problem
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.position import JOKERS, MOST
from companion.games.spite_and_malice.rules import SIDE_PLACES, SpiteRules

MOST_PLAYERS: Final = 6


@dataclass(frozen=True, slots=True)
class Players:
    """The rules, and who plays in order as far as that can be read: what positions and moves are read against."""

    rules: SpiteRules
    seats: tuple[str, ...]

    def check(self, players: tuple[str, ...], key: str) -> Iterator[Problem]:
        """Yield a problem unless there are as many different players as the rules say."""
        if len(players) != self.rules.players or len(set(players)) != len(players) or "" in players:
            article = (a.PLAYERS if self.rules.players == 2 else a.PARTNERS).id
            facts = {"expected": self.rules.players, "count": len(set(players) - {""})}
            yield Problem((key,), "seats-count", facts, article)


def players_in(rules: SpiteRules, node: Node) -> Players:
    """Return the players that a list names, as far as it can be read, so that all problems are found in one pass."""
    value = node.value
    return Players(rules, tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else ())


def _seats(table: Players) -> tuple[str, ...]:
    return table.seats


def card(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.CardField:
    return s.CardField(describe, jokers=JOKERS, bare_ranks=True, **common)


def cards(describe: str = "", *, most: int = MOST, **common: Unpack[s.FieldOptions]) -> s.ListOf[Card]:
    return s.ListOf(card(), describe, most=most, **common)


def stacks(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.ListOf[tuple[Card, ...]]:
    return s.ListOf(cards(), describe, most=SIDE_PLACES, **common)


def count(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Count:
    common["unit"] = "cards"
    return s.Count(describe, high=MOST, **common)


def place(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Integer:
    return s.Integer(describe, low=0, high=n.FAR, **common)


def whole(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Integer:
    return s.Integer(describe, low=-n.FAR, high=n.FAR, **common)


def by_player(value: s.Field[s.Json], describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Keyed[s.Json]:
    return s.Keyed(value, describe, keys=_seats, code="unknown-seat", **common)
