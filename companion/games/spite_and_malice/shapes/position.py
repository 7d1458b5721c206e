"""The table before one move, in JSON."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.problems import Node, Problem
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice.contradictions import contradictions
from companion.games.spite_and_malice.position import (
    PHASES,
    Piles,
    Position,
    Turn,
    is_wild,
    phase_after,
)
from companion.games.spite_and_malice.rules import SpiteRules
from companion.games.spite_and_malice.shapes import fields as f


def read_position(rules: SpiteRules, node: Node) -> Position | None:
    """Return the position at a node, or None with its problems recorded there."""
    return s.read_at(node, PositionShape, context=f.players_in(rules, node["players"]))


class PilesShape(s.Shape[Piles]):
    """What lies in front of one player."""

    payoff = f.card("The top of the pay-off pile.", optional=True)
    payoff_left = f.count("How many cards the pay-off pile has, the top among them.", optional=True)
    side_stacks = f.stacks("The side stacks, each from the bottom to the top; empty ones too.", optional=True)

    def check(self, data: s.Attributes, context: f.Players) -> Iterator[Problem]:
        return _check_payoff(data)

    def make(self, data: s.Attributes, context: f.Players) -> Piles:
        return Piles(data["payoff"], data.get("payoff_left"), data["side_stacks"])


class TurnShape(s.Shape[Turn]):
    """One finished turn: who, and whether a card went to the centre or was discarded."""

    builds = Turn

    player = s.Seat()
    acted = s.Flag()


class PositionShape(s.Shape[Position]):
    """The table before one move. What is left out is not known; an unknown stock is plenty."""

    checks_parts = True
    players = s.ListOf(s.Name(), "Who plays, clockwise.", least=1, most=f.MOST_PLAYERS)
    player = s.Seat("Who is to move.")
    payoff = f.card("The top of the mover's pay-off pile.", optional=True, example="7")
    payoff_left = f.count("How many cards that pile has.", optional=True)
    hand = f.cards("The mover's hand.", optional=True)
    hand_count = f.count("How many cards the mover holds, where the hand is not known.", optional=True)
    side_stacks = f.stacks("The mover's side stacks, each from the bottom to the top.", optional=True)
    centre_stacks = f.cards("The top of each centre stack; a wild card is of unknown rank.", optional=True)
    stock = f.count("How many cards the stock has.", optional=True)
    refilled = s.Flag("Whether the mover has drawn for this turn.", default=True)
    discarded = s.Flag("Whether the mover has discarded.", default=False)
    phase = s.Word(PHASES, "Without it as the turns say.", optional=True)
    played_ace_or_two = s.Flag("Whether the mover played an ace or a two in this turn.", default=False)
    turns = s.ListOf(s.Object(TurnShape), "The turns so far.", optional=True)
    complete = f.count("Completed centre stacks that are still there.", optional=True)
    incomplete = f.count("Centre stacks that are not complete.", optional=True)
    set_aside = f.count("Completed stacks that were set aside.", optional=True)
    partner = s.Object(PilesShape, "What lies in front of the partner.", optional=True)
    payoff_tops = f.by_player(f.card(), "The tops of all pay-off piles, before the first turn.", optional=True)
    over = s.Flag("Whether somebody has gone out.", default=False)

    def check(self, data: s.Attributes, context: f.Players) -> Iterator[Problem]:
        if "players" in data:
            yield from context.check(data["players"], "players")
        yield from _check_payoff(data)

    def make(self, data: s.Attributes, context: f.Players) -> Position:
        own, turns = _own(data), data["turns"]
        complete, set_aside = data.pop("complete"), data.pop("set_aside")
        for key in ("payoff", "payoff_left", "side_stacks"):
            del data[key]
        centre = data.pop("centre_stacks")
        if context.rules.players == 2:
            data["partner"] = None
        data |= {
            "own": own,
            "centre": None if centre is None else tuple(_effective(context.rules, top) for top in centre),
            "phase": data["phase"] or phase_after(context.rules, turns or ()),
            "complete": None if complete is None and set_aside is None else (complete or 0) + (set_aside or 0),
            "payoff_tops": data["payoff_tops"] or {},
        }
        position = Position(**data)
        problems = [*contradictions(context.rules, position, centre or ())]
        if problems:
            raise s.invalid(problems)
        return position


def _own(data: s.Attributes) -> Piles:
    return Piles(data["payoff"], data.get("payoff_left"), data["side_stacks"])


def _effective(rules: SpiteRules, top: Card) -> int | None:
    """The rank of a centre stack's top; None where a wild card's rank is not known."""
    return None if is_wild(rules, top) or not top.pips else top.pips


def _check_payoff(data: s.Attributes) -> Iterator[Problem]:
    if data.get("payoff_left") == 0 and data.get("payoff") is not None:
        yield Problem(("payoff_left",), "payoff-empty", {"card": str(data["payoff"])}, a.PAYOFF_TOP.id)
