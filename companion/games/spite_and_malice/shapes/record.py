"""A recorded deal in JSON: what was turned up and dealt, and every move with what it showed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import new_class
from typing import Final

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.problems import Problem
from companion.games.spite_and_malice import announcements as n
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.shapes import fields as f
from companion.games.spite_and_malice.shapes.moves import MOVES


@dataclass(frozen=True, slots=True)
class Shown:
    """A recorded move with what it showed: the card turned up, cards drawn, hands dealt again, tops turned anew."""

    move: n.Announcement
    turned: Card | None
    cards: tuple[Card, ...] | None
    hands: Mapping[str, tuple[Card, ...]]
    tops: Mapping[str, Card]


def _recorded(shape: type[s.Shape[n.Announcement]]) -> type[s.Shape[Shown]]:
    """Return the shape of a recorded move: the move, and what it showed."""
    shown: dict[str, s.Field[s.Json]] = {
        "turned": f.card("The card that was turned up then.", optional=True),
        "cards": f.cards("Cards drawn.", optional=True),
        "payoff_tops": f.by_player(f.card(), "The tops of the pay-off piles, if turned anew.", optional=True),
    }
    if "hands" not in shape._declared_fields:
        shown["hands"] = f.by_player(f.cards(), "Hands that were dealt again.", optional=True)

    def make(self: s.Shape[n.Announcement], data: s.Attributes, context: f.Players) -> Shown:
        found = {key: data.pop(key) for key in shown}
        move = shape.make(self, data, context)
        return Shown(move, found["turned"], found["cards"], found.get("hands") or {}, found["payoff_tops"] or {})

    attributes = {**shown, "make": make, "__doc__": shape.__doc__, "__module__": __name__}
    return new_class(f"Recorded{shape.__name__}", (shape,), exec_body=lambda names: names.update(attributes))


RECORDED: Final[s.Variants[Shown]] = s.Variants("type", {word: _recorded(shape) for word, shape in MOVES.items()})


@dataclass(frozen=True, slots=True)
class Moves:
    """The moves of one turn, and who played it where that is written."""

    seat: str | None
    moves: tuple[Shown, ...]


class RecordedTurn(s.Shape[Moves]):
    """The moves of one turn."""

    player = s.Seat("Who played it.", optional=True)
    seat = s.Seat("Another name of `player`.", optional=True)
    moves = s.ListOf(RECORDED, "The moves in order.")

    def make(self, data: s.Attributes, context: f.Players) -> Moves:
        return Moves(data["player"] or data["seat"], data["moves"])


class TurnOrMove(s.Field[Moves | Shown]):
    """A turn with its moves, or a move alone."""

    turn, move = s.Object(RecordedTurn), RECORDED

    def take(self, value: s.Json, context: f.Players) -> Moves | Shown:
        field: s.Field[s.Json] = self.turn if isinstance(value, dict) and "moves" in value else self.move
        taken: Moves | Shown = field.take(value, context)
        return taken

    def reader(self) -> s.Read[Moves | Shown]:
        turn, move = self.turn.reader(), self.move.reader()

        def read_either(value: s.Json, context: f.Players) -> Moves | Shown:
            if value.__class__ is not dict:
                raise s.Slow
            found: Moves | Shown = turn(value, context) if "moves" in value else move(value, context)
            return found

        return read_either

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        moves = self.move.json_schema(refer)
        return {"oneOf": [refer(RecordedTurn), *moves["oneOf"]]}


@dataclass(frozen=True, slots=True)
class RecordedDeal:
    """What was written down of a deal; cards that are not known are left out."""

    players: tuple[str, ...]
    tops: Mapping[str, Card]
    hands: Mapping[str, tuple[Card, ...]]
    sides: Mapping[str, tuple[tuple[Card, ...], ...]]
    first: str | None
    turns: tuple[Moves | Shown, ...]


class SpiteAndMaliceReplayRequest(s.Shape[RecordedDeal]):
    """A recorded deal: who played, what was turned up, and every move in order."""

    checks_parts = True
    rules = s.Anything("The house rules, read before.", absent=True)
    players = s.ListOf(s.Name(), "Who plays, clockwise.", least=1, most=f.MOST_PLAYERS, absent=True)
    seats = s.ListOf(s.Name(), "Another name of `players`.", least=1, most=f.MOST_PLAYERS, absent=True)
    payoff_tops = f.by_player(f.card(), "The tops of the pay-off piles at the start.", optional=True)
    hands = f.by_player(f.cards(), "Hands as dealt.", optional=True)
    side_stacks = f.by_player(f.stacks(), "Side stacks as dealt.", optional=True)
    first = s.Seat("Who played first.", optional=True)
    turns = s.ListOf(TurnOrMove(), "Turns with their moves, or moves one after the other.")

    def check(self, data: s.Attributes, context: f.Players) -> Iterator[Problem]:
        players, also = data.get("seats"), data.get("players")
        if players is not None and also is not None:
            yield Problem(("players",), "unknown-key", {"key": "players"}, contextual=True)
        elif players is not None or also is not None:
            yield from context.check(players or also or (), "players" if players is None else "seats")
        hands, stacks = data.get("hands") or {}, data.get("side_stacks") or {}
        for player in context.seats if "side_stacks" in data else ():
            hand, laid = hands.get(player), sum(map(len, stacks.get(player, ())))
            if hand is not None and len(hand) != context.rules.hands_dealt:
                facts = {"expected": context.rules.hands_dealt, "count": len(hand), "player": player}
                yield Problem(("hands", player), "hand-count", facts, a.HAND.id)
            if laid != context.rules.side_start:
                facts = {"expected": context.rules.side_start, "count": laid, "player": player}
                yield Problem(("side_stacks",), "side-start-count", facts, a.FIRST_SIDE_CARDS.id)

    def make(self, data: s.Attributes, context: f.Players) -> RecordedDeal:
        return RecordedDeal(
            data.get("seats") or data.get("players") or (), data["payoff_tops"] or {}, data["hands"] or {},
            data["side_stacks"] or {}, data["first"], data["turns"],
        )  # fmt: skip
