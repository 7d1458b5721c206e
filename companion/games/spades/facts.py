"""The facts of one deal of Spades as people enter them, and their shape in JSON: contracts, nils, tricks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, Unpack

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.game import read_side_list
from companion.engine.ledger import DealContext, DealShape, Side
from companion.engine.problems import Node, Problem
from companion.games.spades import articles as a
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import BLIND, BLIND_MOON, CONTRACT_CALLS, JOKERS, MOON, NIL_CALLS, NORMAL

DUMMY_TRICKS: Final = "dummy_tricks"

_SIDES: Final = {"partners4": 2, "solo4": 4, "solo3": 3, "duo_draw": 2, "duo_dummy": 2}


class NilFacts(NamedTuple):
    """One declared nil: the kind, and the tricks that its player took."""

    call: str
    tricks: int
    player: str | None = None

    @property
    def made(self) -> bool:
        """A nil is made when its player took no trick."""
        return self.tricks == 0


class SideFacts(NamedTuple):
    """One side's deal: its contract (None where it has none), all its tricks, its nils, its final run of tricks."""

    bid: int | None
    tricks: int
    call: str = NORMAL
    nils: tuple[NilFacts, ...] = ()
    last_tricks: tuple[Card, ...] = ()


class DealFacts(NamedTuple):
    """One deal: the facts of every side, and the tricks of a dummy that scores nothing."""

    sides: Mapping[str, SideFacts]
    dummy_tricks: int = 0


def call_in_force(rules: SpadesRules, facts: SideFacts) -> str:
    """Return the call that a side's contract counts as: any final bid of all tricks may be a moon (SPADES-166)."""
    if not rules.thirteen_is_moon or facts.bid != rules.tricks:
        return facts.call
    if facts.call == BLIND:
        return BLIND_MOON if rules.blind_moon else MOON
    return MOON if facts.call == NORMAL else facts.call


def read_sides(node: Node, rules: SpadesRules) -> tuple[Side, ...]:
    """Read the sides of a score request: two pairs, or everybody alone."""
    sides = read_side_list(node)
    expected, players = _SIDES[rules.mode], 2 if rules.partners else 1
    article = (a.PLAYERS if rules.partners else a.SOLO4).id
    if sides and len(sides) != expected:
        node.fault("sides-count", article, expected=expected, count=len(sides))
    for place, side in enumerate(sides):
        if side.id == DUMMY_TRICKS:
            node.fault("side-id", value=side.id)
        if side.players and len(side.players) != players:
            node.fault("players-count", article, at=(place, "players"), expected=players, count=len(side.players))
    return sides


def card_field(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.CardField:
    """Declare a card, jokers included."""
    return s.CardField(describe, jokers=JOKERS, **common)


def cards_field(describe: str = "", **common: Unpack[s.ListOptions]) -> s.ListOf[Card]:
    """Declare a list of cards."""
    return s.ListOf(card_field(), describe, **common)


def tricks_field(describe: str = "", **common: Unpack[s.IntegerOptions]) -> s.Integer:
    """Declare a number of tricks."""
    common["unit"] = "tricks"
    return s.Integer(describe, **common)


class NilShape(s.Shape[NilFacts]):
    """A declared nil: the kind, and the tricks that its player took."""

    builds = NilFacts
    call = s.Word(NIL_CALLS, "The kind of nil; `double_nil` is the one called before looking.")
    tricks = tricks_field("What the player of the nil took.", example=0)
    player = s.Name("Who called it.", optional=True)


class SideFactsShape(s.Shape[SideFacts]):
    """What a side undertook and took."""

    builds = SideFacts
    bid = tricks_field("The contract; null where all its players called nil.", optional=True, example=5)
    tricks = tricks_field("All tricks of the side, those of a nil among them.", example=8)
    call = s.Word(CONTRACT_CALLS, "How the contract was called.", default=NORMAL)
    nils = s.ListOf(s.Object(NilShape), "The nils among the side's calls.", most=4, default=())
    last_tricks = cards_field(
        "The cards with which the side took the last tricks in a row, where the table scores them.", default=()
    )


class SpadesDeal(DealShape):
    """A deal of Spades: bid and tricks under the id of every side."""

    dummy_tricks = tricks_field("Two players with a dummy: the tricks that the dummy took.", default=None)
    others = s.Others(s.Keyed(s.Object(SideFactsShape), keys=lambda deal: deal.sides, all_keys=True), into="sides")

    checks_parts = True

    def check(self, data: s.Attributes, context: DealContext) -> Iterator[Problem]:
        if data.get(DUMMY_TRICKS) is not None and context.rules.mode != "duo_dummy":
            yield Problem((DUMMY_TRICKS,), "unknown-key", {"key": DUMMY_TRICKS}, contextual=True)
        for side in context.all_sides:
            facts = data.get("sides", {}).get(side.id)
            if not side.players or facts is None:
                continue
            for place, nil in enumerate(facts.nils):
                if nil.player is not None and nil.player not in side.players:
                    known = {"value": nil.player, "choices": list(side.players)}
                    yield Problem((side.id, "nils", place, "player"), "unknown-player", known)

    def facts(self, data: s.Attributes, context: DealContext) -> DealFacts:
        return DealFacts(data["sides"], data[DUMMY_TRICKS] or 0)
