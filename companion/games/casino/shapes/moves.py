"""Moves in JSON: a turn of plays as it is announced, a partner's request, a deal, a second cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.problems import Node, Problem
from companion.games.casino.plays import Base, Dealt, Material, Play, Recut, Request, Turn
from companion.games.casino.shapes.position import MOST_CARDS, MOST_ID, MOST_SETS, Around, cards, check_cards, listed
from companion.games.casino.table import Build, deal_plan

MOST_PLAYS: Final = 60
MOST_MATERIAL: Final = 52
BASES: Final = ("build", "table", "hand", "pile")


class PileCardShape(s.Shape[tuple[str, Card]]):
    """A card on top of a captured pile."""

    from_ = s.Seat("Whose pile it is.", key="from")
    card = s.CardField()

    def make(self, data: s.Attributes, context: Around) -> tuple[str, Card]:
        return context.table.side(data["from_"]), data["card"]


class _MaterialShape(s.Shape[s.Json]):
    """Cards announced together: loose ones, one from the hand, tops of piles, builds by their names."""

    id = s.Text("The name of the build that comes of it.", most=MOST_ID, absent=True)
    card = s.CardField("From the hand.", optional=True)
    table = cards("Loose cards.", absent=True)
    piles = s.ListOf(s.Object(PileCardShape), "Tops of piles.", most=MOST_MATERIAL, absent=True)
    builds_ = s.ListOf(s.Text(most=MOST_ID), "Builds by their names.", most=MOST_MATERIAL, absent=True, key="builds")


class MaterialShape(_MaterialShape):
    """Cards announced together: loose ones, one from the hand, tops of piles, builds by their names."""

    def make(self, data: s.Attributes, context: Around) -> Material:
        return _material(data)


def _material(data: s.Attributes) -> Material:
    return Material(data.get("table", ()), data["card"], data.get("piles", ()), data.get("builds_", ()))


class BaseShape(s.Shape[Base]):
    """What an augmented build starts from: one of a build, a loose card, a card of the hand, the top of a pile."""

    build = s.Text("A build by its name.", most=MOST_ID, absent=True)
    table = s.CardField("A loose card.", absent=True)
    hand = s.CardField("A card of the hand.", absent=True)
    pile = s.CardField("The top of a pile.", absent=True)
    from_ = s.Seat("Whose pile it is.", key="from", absent=True)

    def check(self, data: s.Attributes, context: Around) -> Iterator[Problem]:
        if sum(kind in data for kind in BASES) != 1:
            yield Problem((), "one-base", {"choices": list(BASES)})

    def make(self, data: s.Attributes, context: Around) -> Base:
        kind = next(kind for kind in BASES if kind in data)
        return Base("build", build=data["build"]) if kind == "build" else Base(kind, card=data[kind])


class _PlayShape(_MaterialShape):
    declared = s.Integer("The value that the card counts as, where it has several.", key="as", optional=True)

    def make(self, data: s.Attributes, context: Around) -> Play:
        base = data.get("base")
        return Play(
            data["play"],
            _material(data),
            data.get("sets", ()),
            data["to"] if "to" in data else data.get("value", 0),
            data["declared"],
            data.get("build", "") if base is None else base.build,
            data.get("absorb", ()),
            base,
            data.get("id", ""),
            data.get("asked_by"),
        )


class CapturePlay(_PlayShape):
    """Cards and builds taken with a card of the hand."""

    play = s.Word(("capture",))


class TrailPlay(_PlayShape):
    """A card laid down on the table."""

    play = s.Word(("trail",))


class BuildPlay(_PlayShape):
    """A new build."""

    play = s.Word(("build",))
    value = s.Integer("The announced value.")
    sets = s.ListOf(s.Object(MaterialShape), "Its sets, where there are several.", most=MOST_SETS, absent=True)


class RaisePlay(_PlayShape):
    """A build whose value is raised by a card."""

    play = s.Word(("raise",))
    build = s.Text("The build by its name.", most=MOST_ID)
    to = s.Integer("The new value.")
    absorb = s.ListOf(cards(), "Loose sets of the new value that join it.", most=MOST_SETS, absent=True)


class AugmentPlay(_PlayShape):
    """Sets added to a build, or to a card that becomes one."""

    play = s.Word(("augment",))
    value = s.Integer("The announced value.")
    base = s.Object(BaseShape, "What it starts from.")
    sets = s.ListOf(s.Object(MaterialShape), "The sets that are added.", most=MOST_SETS, absent=True)
    asked_by = s.Seat("The partner who asked for it.", optional=True)


PLAY: Final[s.Variants[s.Json]] = s.Variants(
    "play",
    {"capture": CapturePlay, "build": BuildPlay, "raise": RaisePlay, "augment": AugmentPlay, "trail": TrailPlay},
)
PLAYS: Final = s.ListOf(PLAY, "The plays in order; a turn ends with a card of the hand.", most=MOST_PLAYS)


class TurnMove(s.Shape[Turn]):
    """A whole turn."""

    type = s.Word(("turn",))
    player = s.Seat("Who plays it, where that could be another than who is to move.", optional=True)
    plays = PLAYS

    def make(self, data: s.Attributes, context: Around) -> Turn:
        return Turn(data["player"], data["plays"])


class RequestMove(s.Shape[Request]):
    """The request that the partner adds to a build instead of taking it."""

    type = s.Word(("request",))
    build = s.Text("The build by its name.")

    def make(self, data: s.Attributes, context: Around) -> Request:
        return Request(data["build"])


def _deck(around: Around) -> int:
    return around.rules.deck


def _rounds(around: Around) -> int:
    return len(deal_plan(around.rules, len(around.seats)).rounds)


class DealMove(s.Shape[Dealt]):
    """Cards dealt: how many lie on the table and in the hands."""

    type = s.Word(("deal",))
    dealer = s.Seat("Who deals.", optional=True)
    first = s.Seat("Who plays first.", optional=True)
    table = s.Count("Cards on the table.", high=_deck, optional=True, unit="cards")
    hands = s.Keyed(
        s.Count(high=_deck, unit="cards"), "Cards of each hand, by seat.", keys=lambda around: around.seats, absent=True
    )
    round = s.Integer("Which round of dealing it is.", low=1, high=_rounds, optional=True)

    def make(self, data: s.Attributes, context: Around) -> Dealt:
        return Dealt(data["dealer"], data["first"], data["table"], data.get("hands", {}), data["round"] or 1)


class RecutMove(s.Shape[Recut]):
    """A second cut, because the first four cards are rich."""

    type = s.Word(("recut",))
    table = cards("The four cards.", most=MOST_CARDS)

    def check(self, data: s.Attributes, context: Around) -> Iterator[Problem]:
        return check_cards(context.rules, listed(("table",), data["table"]))

    def make(self, data: s.Attributes, context: Around) -> Recut:
        return Recut(data["table"])


MOVE: Final[s.Variants[s.Json]] = s.Variants(
    "type", {"turn": TurnMove, "request": RequestMove, "deal": DealMove, "recut": RecutMove}
)


def check_ids(node: Node, plays: Sequence[Play], builds: Sequence[Build]) -> None:
    """Record a problem for each play that gives a new build the name of one that stands."""
    ids = {build.id for build in builds}
    for place, play in enumerate(plays):
        if play.name in ids and play.name != play.target:
            node.fault("build-id", at=(place, "id"), value=play.name)
