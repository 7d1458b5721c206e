"""The course of a recorded deal: what lies where, who is to move, what was shown, what partners have proven."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.engine.cards import Card
from companion.engine.verdict import Missing
from companion.games.casino.dealing import DealPlan
from companion.games.casino.facts import UNCLAIMED
from companion.games.casino.layout import Layout, names
from companion.games.casino.options import CasinoRules
from companion.games.casino.position import Build, Layer, Position, Seats
from companion.games.casino.values import hand_values

Hands = dict[str, tuple[frozenset[Card], ...]]
"""Known hands by seat, one for each round of dealing."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A question about a hidden hand, put in one turn, that later cards of the same hand settle."""

    turn: int
    round: int
    missing: Missing


@dataclass(frozen=True, slots=True)
class Shown:
    """A card that a seat played from its hand, in which turn and which round of dealing."""

    turn: int
    round: int
    seat: str
    card: Card


@dataclass(slots=True)
class Course:
    """The deal as far as it has been followed."""

    rules: CasinoRules
    seats: Seats
    plan: DealPlan
    hands: Hands
    table: tuple[Card, ...]
    expected: str | None
    """Who is to move; None while nobody knows who began."""
    builds: tuple[Build, ...] = ()
    piles: dict[str, tuple[Layer, ...]] = field(default_factory=dict)
    proven: dict[str, frozenset[int]] = field(default_factory=dict)
    sweeps: dict[str, int] = field(default_factory=dict)
    last: str | None = None
    turn: int = 0
    round: int = 0
    left: dict[str, int] = field(default_factory=dict)
    shown: list[Shown] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    captures: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.piles = {self.seats.side(seat): () for seat in self.seats.names}
        self.left = dict.fromkeys(self.seats.names, self.plan.rounds[0])

    @property
    def complete(self) -> bool:
        """Whether every card has been played from the hands."""
        return self.round == len(self.plan.rounds) - 1 and not any(self.left.values())

    def position(self, player: str) -> Position:
        """The table as this player finds it."""
        gone = {one.card for one in self.shown}
        hands = {seat: dealt[self.round] - gone for seat, dealt in self.hands.items() if self.round < len(dealt)}
        others = (cards for seat, cards in hands.items() if seat != player)
        return Position(
            self.seats,
            player,
            self.table,
            self.builds,
            hands.get(player),
            dict(self.piles),
            dict(self.proven),
            min(self.round + 1, 2),
            frozenset().union(*others),
        )

    def carry(self, player: str, layout: Layout) -> None:
        """Take over what a turn left behind."""
        self.table, self.builds = tuple(layout.loose), tuple(layout.builds.values())
        self.piles = {side: tuple(layers) for side, layers in layout.piles.items()}
        self.conditions += [
            Condition(self.turn, self.round, one) for one in layout.ruling.missing if one.fact == "hand"
        ]
        self.shown += [Shown(self.turn, self.round, player, card) for card in layout.played]
        if layout.taken:
            side = self.seats.side(player)
            self.last = side
            self.sweeps[side] = self.sweeps.get(side, 0) + layout.swept
            card, *cards = layout.taken
            self.captures.append({"turn": self.turn, "player": player, "card": str(card), "cards": names(cards)})
        self._carry_proofs(player, layout)
        self.expected = self.seats.after(player, self.rules.direction)
        self.left[player] = max(self.left[player] - 1, 0)
        if not any(self.left.values()) and self.round < len(self.plan.rounds) - 1:
            self.round += 1
            self.left = dict.fromkeys(self.seats.names, self.plan.rounds[self.round])
            self.proven.clear()

    def result(self) -> dict[str, Any]:
        """The deal as a score request has it; the rest goes to the last capturer, or to nobody (CASINO-902, 903)."""
        rest = [*self.table, *(card for build in self.builds for card in build.cards)]
        facts: dict[str, Any] = {}
        for name, players in self.seats.sides().items():
            side = self.seats.side(players[0])
            cards = [card for layer in self.piles[side] for card in sorted(layer)]
            last = side == self.last
            facts[name] = {"captured": names(cards + rest if last else cards), "last_capture": last}
            if self.rules.sweep:
                facts[name]["sweeps"] = self.sweeps.get(side, 0)
        return facts if self.last is not None else facts | {UNCLAIMED: len(rest)}

    def settle(self, condition: Condition) -> tuple[str | None, Shown | None]:
        """Whether a question came out `met` or `broken`, and by which card; None while it is open.

        Cards that the seat still holds could only show themselves by being played, so an empty hand settles it.
        """
        seat, value = condition.missing.seat, condition.missing.facts["value"]
        own = [one for one in self.shown if one.seat == seat and one.round == condition.round]
        later = [one for one in own if one.turn > condition.turn]
        fit = [one for one in later if value in hand_values(self.rules, one.card)]
        count = condition.missing.facts["count"]
        if len(fit) >= count:
            return "met", fit[count - 1]
        if len(own) >= self.plan.rounds[condition.round]:
            return "broken", own[-1]
        return None, None

    def _carry_proofs(self, player: str, layout: Layout) -> None:
        """A proof lasts until its player plays a card of the value (CASINO-803 to 805)."""
        if self.seats.partner(player) is None:
            return
        ended = {value for card in layout.played for value in hand_values(self.rules, card)}
        self.proven[player] = frozenset((self.proven.get(player, frozenset()) - ended) | layout.proofs)
