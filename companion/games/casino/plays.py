"""A turn as it is announced: the plays in order, each with its cards, read from JSON and not yet judged."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from companion.engine.cards import Card
from companion.engine.reading import Node
from companion.games.casino.table import Position, Seats

CAPTURE, BUILD, RAISE, AUGMENT, TRAIL = "capture", "build", "raise", "augment", "trail"

_MATERIAL: Final = ("id", "card", "table", "piles", "builds")
_REQUIRED: Final[dict[str, tuple[str, ...]]] = {
    CAPTURE: (),
    BUILD: ("value",),
    RAISE: ("build", "to"),
    AUGMENT: ("value", "base"),
    TRAIL: (),
}
_OPTIONAL: Final[dict[str, tuple[str, ...]]] = {
    CAPTURE: (),
    BUILD: ("sets",),
    RAISE: ("absorb",),
    AUGMENT: ("sets", "asked_by"),
    TRAIL: (),
}
_MOST_PLAYS: Final = 60
_MOST_ID: Final = 60


@dataclass(frozen=True, slots=True)
class Material:
    """Cards announced together: loose ones, one from the hand, pile cards with the side they lie with, builds by id."""

    table: tuple[Card, ...] = ()
    card: Card | None = None
    piles: tuple[tuple[str, Card], ...] = ()
    builds: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """Return all single cards of the material."""
        hand = () if self.card is None else (self.card,)
        return (*self.table, *hand, *(card for _, card in self.piles))

    def __bool__(self) -> bool:
        return bool(self.cards or self.builds)


@dataclass(frozen=True, slots=True)
class Base:
    """What an augmented build starts from: `build`, `table`, and what cannot be one, `hand` and `pile`."""

    kind: str
    build: str = ""
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """One play of a turn. `value` is the announced value of a build, the new one when it is raised."""

    kind: str
    material: Material
    sets: tuple[Material, ...] = ()
    value: int = 0
    declared: int | None = None
    target: str = ""
    absorbed: tuple[tuple[Card, ...], ...] = ()
    base: Base | None = None
    name: str = ""
    asked_by: str | None = None

    def groups(self) -> tuple[Material, ...]:
        """Return the sets announced; material written beside them is one more set."""
        return (*self.sets, self.material) if self.material else self.sets


def read_plays(node: Node, position: Position) -> tuple[Play, ...]:
    """Return the plays of a turn in order; faults are noted at the nodes."""
    if not node.present:
        node.fault("required")
    ids = {build.id for build in position.builds}
    return tuple(_read_play(item, position.seats, ids) for item in node.items(most=_MOST_PLAYS))


def _read_play(node: Node, seats: Seats, ids: Collection[str]) -> Play:
    if not isinstance(node.value, dict):
        node.object()
        return Play(TRAIL, Material())
    kind = node["play"].one_of(tuple(_REQUIRED))
    if not node.object(required=("play", *_REQUIRED[kind]), optional=("as", *_MATERIAL, *_OPTIONAL[kind])):
        return Play(kind, Material())
    base = _read_base(node["base"], seats) if kind == AUGMENT and node["base"].present else None
    name = node["id"].text(default="", most=_MOST_ID)
    target = node["build"].text(default="", most=_MOST_ID) if kind == RAISE else base.build if base else ""
    if name in ids and name != target:
        node["id"].fault("build-id", value=name)
    number = node["to"] if kind == RAISE else node["value"]
    return Play(
        kind,
        _read_material(node, seats),
        tuple(_read_set(item, seats) for item in node["sets"].items(most=26)),
        number.integer() if number.present else 0,
        node["as"].optional(lambda n: n.integer()),
        target,
        tuple(item.cards() for item in node["absorb"].items(most=26)),
        base,
        name,
        node["asked_by"].optional(lambda n: n.one_of(seats.names, code="unknown-seat")),
    )


def _read_set(node: Node, seats: Seats) -> Material:
    return _read_material(node, seats) if node.object(optional=_MATERIAL) else Material()


def _read_material(node: Node, seats: Seats) -> Material:
    builds = tuple(item.text(most=_MOST_ID) for item in node["builds"].items(most=52))
    piles = read_piles(node["piles"], seats)
    return Material(node["table"].cards(), node["card"].optional(lambda n: n.card()), piles, builds)


def read_piles(node: Node, seats: Seats) -> tuple[tuple[str, Card], ...]:
    """Return cards from the tops of piles, each with the side whose pile it is."""
    piles = []
    for item in node.items(most=52):
        if item.object(required=("from", "card")):
            seat = item["from"].one_of(seats.names, code="unknown-seat")
            piles.append((seats.side(seat), item["card"].card()))
    return tuple(piles)


def _read_base(node: Node, seats: Seats) -> Base | None:
    kinds = [kind for kind in ("build", "table", "hand", "pile") if node[kind].present]
    if not node.object(optional=("build", "table", "hand", "pile", "from")):
        return None
    if len(kinds) != 1:
        node.fault("one-base", choices=["build", "table", "hand", "pile"])
        return None
    if node["from"].present:
        node["from"].one_of(seats.names, code="unknown-seat")
    if kinds == ["build"]:
        return Base("build", build=node["build"].text(most=_MOST_ID))
    return Base(kinds[0], card=node[kinds[0]].card())
