"""The facts of a deal in JSON: what every side took, card by card or counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from companion.engine import shapes as s
from companion.engine.ledger import DealContext, DealShape
from companion.engine.problems import Problem
from companion.games.casino.score import DealFacts, SideFacts, from_cards
from companion.games.casino.shapes.position import cards

MOST_COUNTED = 1_000


def count_field(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Count:
    """Declare a number of cards, or of anything else of a deal."""
    return s.Count(describe, high=MOST_COUNTED, **common)


class CapturedShape(s.Shape[SideFacts]):
    """What a side took, card by card."""

    captured = cards("The cards that it took.")
    sweeps = count_field("How often it emptied the table.", default=0)
    last_capture = s.Flag("Whether it captured last.", default=False)

    def make(self, data: s.Attributes, context: DealContext) -> SideFacts:
        return from_cards(data["captured"], sweeps=data["sweeps"], last_capture=data["last_capture"])


class CountedShape(s.Shape[SideFacts]):
    """What a side took, counted; instead of `cards` and `spades`, all sides may say who had the most."""

    builds = SideFacts
    checks_parts = True
    cards = count_field("The number of its cards.", default=None, unit="cards", example=30)
    spades = count_field("The number of its spades.", default=None, unit="cards", example=8)
    aces = count_field("The number of its aces.", unit="cards", example=3)
    big_ten = s.Flag("Whether it took the ten of diamonds.")
    spy_two = s.Flag("Whether it took the two of spades.")
    sweeps = count_field("How often it emptied the table.", default=0)
    last_capture = s.Flag("Whether it captured last.", default=False)
    most_cards = s.Flag("True where it had the most cards, or shared the most.", default=None)
    most_spades = s.Flag("True where it had the most spades, or shared the most.", default=None)

    def check(self, data: s.Attributes, context: DealContext) -> Iterator[Problem]:
        for count, most in (("cards", "most_cards"), ("spades", "most_spades")):
            given = [data.get(key, False) is not None for key in (count, most)]
            if not any(given):
                yield Problem((count,), "required", contextual=True)
            elif all(given):
                yield Problem((most,), "unknown-key", {"key": most}, contextual=True)

    def make(self, data: s.Attributes, context: DealContext) -> SideFacts:
        return SideFacts(**{**data, "most_cards": bool(data["most_cards"]), "most_spades": bool(data["most_spades"])})


class CasinoDeal(DealShape):
    """A deal of Casino: what every side took."""

    unclaimed = count_field("Cards that nobody took.", default=0, unit="cards")
    others = s.Others(
        s.Keyed(
            s.Variants(
                lambda side: "captured" if "captured" in side else "counted",
                {"counted": CountedShape, "captured": CapturedShape},
            ),
            keys=lambda deal: deal.sides,
            all_keys=True,
        ),
        into="sides",
    )

    def check(self, data: s.Attributes, context: DealContext) -> Iterator[Problem]:
        """A majority is entered as counts by every side, or as who had the most by every side."""
        for count, most in (("cards", "most_cards"), ("spades", "most_spades")):
            without = [side for side, facts in data["sides"].items() if getattr(facts, count) is None]
            if len(without) < len(data["sides"]):
                for side in without:
                    yield Problem((side, most), "unknown-key", {"key": most}, contextual=True)
                    yield Problem((side, count), "required", contextual=True)

    def facts(self, data: s.Attributes, context: DealContext) -> DealFacts:
        return DealFacts(data["sides"], data["unclaimed"])
