"""The shape of a deal's facts in JSON: what every side undertook and took."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine import shapes as s
from companion.engine.deals import DealContext, DealShape
from companion.engine.problems import Problem
from companion.games.spades.facts import DUMMY_TRICKS, DealFacts, NilFacts, SideFacts
from companion.games.spades.fields import cards_field, tricks_field
from companion.games.spades.table import CONTRACT_CALLS, NIL_CALLS, NORMAL


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
