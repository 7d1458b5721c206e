"""The table before a turn in JSON: seats, cards, builds, piles; what no deal of the cards leads to is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Unpack

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.problems import Node, Pointer, Problem, impossible_position
from companion.games.casino import articles as a
from companion.games.casino.rules import CasinoRules
from companion.games.casino.table import (
    FIRST_HALF,
    Build,
    Position,
    Seats,
    capturers,
    deal_plan,
    full_pack,
    makes,
    two_halves,
)

MOST_ID: Final = 60
MOST_CARDS: Final = 104
MOST_SETS: Final = 26
MOST_BUILDS: Final = 52


@dataclass(frozen=True, slots=True)
class Around:
    """The rules and the seats, clockwise: what positions and moves are read against."""

    rules: CasinoRules
    seats: tuple[str, ...]

    @property
    def table(self) -> Seats:
        """Return the seats as a table."""
        return Seats(self.seats)


def cards(describe: str = "", *, most: int = s.MAX_ITEMS, **common: Unpack[s.FieldOptions]) -> s.ListOf[Card]:
    """Declare a list of cards."""
    return s.ListOf(s.CardField(), describe, most=most, **common)


def seats_field(describe: str, **common: Unpack[s.FieldOptions]) -> s.ListOf[str]:
    """Declare the list of seats."""
    return s.ListOf(s.Name(most=MOST_ID), describe, most=8, **common)


def check_cards(rules: CasinoRules, places: Sequence[tuple[Pointer, Card]]) -> Iterator[Problem]:
    """Yield a problem for each card that is not in the pack in use, or that has been seen at another place."""
    pack, used = full_pack(rules), dict[Card, Pointer]()
    for pointer, card in places:
        if card not in pack:
            yield from impossible_position([pointer], "not-in-pack", a.FORTY_CARDS.id, cards=[str(card)])
        elif card in used:
            facts = {"card": str(card), "place": "/".join(map(str, used[card]))}
            yield Problem(pointer, "duplicate-card", facts, a.PACK.id)
        else:
            used[card] = pointer


def listed(pointer: Pointer, found: Sequence[Card] | None) -> list[tuple[Pointer, Card]]:
    """Return cards with their places in a list."""
    return [((*pointer, place), card) for place, card in enumerate(found or ())]


class BuildShape(s.Shape[Build]):
    """A build on the table: its announced value, its sets, and who answers for it."""

    id = s.Text("The name by which plays call it.", most=MOST_ID)
    value = s.Integer("The announced value.", example=9)
    sets = s.ListOf(
        cards(most=MOST_CARDS), "One set for a single build, several for an augmented one.", least=1, most=MOST_SETS
    )
    owner = s.Seat("Who announced it last.")

    def check(self, data: s.Attributes, context: Around) -> Iterator[Problem]:
        rules, value, sets = context.rules, data["value"], data["sets"]
        if any(card not in full_pack(rules) for one in sets for card in one):
            return
        wrong = [[str(card) for card in one] for one in sets if not makes(rules, one, value)]
        if wrong:
            yield Problem(("sets",), "build-total", {"value": value, "sets": wrong}, a.KINDS_OF_BUILD.id)
        elif len(sets) == 1 and len(sets[0]) < 2:
            yield Problem(("sets",), "build-too-small", {"value": value}, a.KINDS_OF_BUILD.id)

    def make(self, data: s.Attributes, context: Around) -> Build:
        return Build(data["id"], data["value"], data["sets"], data["owner"])


def _seats(around: Around) -> tuple[str, ...]:
    return around.seats


class PositionShape(s.Shape[Position]):
    """The table before a turn. What is left out is not known; without `table` and `builds` there are none."""

    checks_parts = True
    seats = seats_field("Two to four seats clockwise; four play as partners across the table.")
    player = s.Seat("Who is to move.")
    table = cards("The loose cards.", most=MOST_CARDS, default=())
    builds_ = s.ListOf(s.Object(BuildShape), "The builds.", most=MOST_BUILDS, default=(), key="builds")
    hand = cards("The hand of who is to move.", most=MOST_CARDS, optional=True)
    piles = s.Keyed(
        cards(most=MOST_CARDS), "Captured piles by seat, the top card first; partners share one.",
        keys=_seats, absent=True,
    )  # fmt: skip
    proven = s.Keyed(
        s.ListOf(s.Integer(low=1, high=99), most=52), "Values that a seat is known to hold, from its builds.",
        keys=_seats, absent=True,
    )  # fmt: skip
    half = s.Integer("Which half of the deal it is.", low=1, high=2, optional=True, article="casino.two-halves")
    dealer = s.Seat("Who dealt last, for the verdict on a deal.", absent=True, nullable=True)

    def check(self, data: s.Attributes, context: Around) -> Iterator[Problem]:
        found = _cards(data)
        wrong = [*_check_names(data, context)]
        if len(set(found)) < len(found) or not full_pack(context.rules).issuperset(found):
            wrong += check_cards(context.rules, _places(data))
        yield from wrong or _impossible(data, context, len(found))

    def make(self, data: s.Attributes, context: Around) -> Position:
        seats, hand = context.table, data["hand"]
        return Position(
            seats,
            data["player"],
            data["table"],
            data["builds_"],
            None if hand is None else frozenset(hand),
            {
                seats.side(seat): tuple([frozenset((card,)) for card in pile])
                for seat, pile in data.get("piles", {}).items()
            },
            {seat: frozenset(values) for seat, values in data.get("proven", {}).items()},
            data["half"],
        )


class DealtShape(s.Shape[s.Attributes]):
    """The table as far as a deal needs it: who sits there, and who dealt last."""

    seats = seats_field("The seats clockwise.")
    dealer = s.Seat("Who dealt last.", optional=True)
    player = s.Anything(absent=True)
    table = s.Anything(absent=True)
    builds_ = s.Anything(absent=True, key="builds")
    hand = s.Anything(absent=True)
    piles = s.Anything(absent=True)
    proven = s.Anything(absent=True)
    half = s.Anything(absent=True)


_SEATS: Final = seats_field("Two to four seats clockwise.")


def read_around(node: Node, rules: CasinoRules, *, players: bool = False) -> Around | None:
    """Return the rules with the seats that an object names (CASINO-001); None with problems recorded at the node.

    With `players` that is another name of `seats`.
    """
    if not isinstance(node.value, dict):
        node.object()
        return None
    at = node["players" if players and "players" in node and "seats" not in node else "seats"]
    if players and not at.present:
        at.fault("required", contextual=True)
        return None
    names = s.read_at(at, _SEATS)
    if names is None:
        return None
    if not 2 <= len(names) <= 4:
        at.fault("seats-count", a.PLAYERS.id, low=2, high=4, count=len(names))
    elif len(set(names)) < len(names) or "" in names:
        at.fault("seat-twice", a.PLAYERS.id, seats=list(names))
    else:
        return Around(rules, names)
    return None


def read_position(node: Node, rules: CasinoRules) -> Position | None:
    """Return the position at a node, or None with problems recorded there."""
    around = read_around(node, rules)
    return None if around is None else s.read_at(node, PositionShape, context=around)


def _places(data: s.Attributes) -> list[tuple[Pointer, Card]]:
    """Return all cards of a position with their places, as far as they were read."""
    places = listed(("table",), data.get("table"))
    for number, build in enumerate(data.get("builds_", ())):
        for part, one in enumerate(build.sets):
            places += listed(("builds", number, "sets", part), one)
    places += listed(("hand",), data.get("hand"))
    for seat, pile in data.get("piles", {}).items():
        places += listed(("piles", seat), pile)
    return places


def _cards(data: s.Attributes) -> list[Card]:
    """Return all cards of a position, as far as they were read."""
    found = [*data.get("table", ()), *(data.get("hand") or ())]
    for build in data.get("builds_", ()):
        found += build.cards
    for pile in data.get("piles", {}).values():
        found += pile
    return found


def _check_names(data: s.Attributes, context: Around) -> Iterator[Problem]:
    """Yield a problem for two builds of one name, and for a pile that is given by both partners."""
    ids = [build.id for build in data.get("builds_", ())]
    for place, name in enumerate(ids):
        if name in ids[:place]:
            yield Problem(("builds", place, "id"), "build-id", {"value": name})
    sides = [context.table.side(seat) for seat in data.get("piles", {})]
    for place, seat in enumerate(data.get("piles", {})):
        if sides[place] in sides[:place]:
            yield Problem(("piles", seat), "pile-twice", {"seat": seat}, a.COMMON_PILE.id)


def _impossible(data: s.Attributes, context: Around, known: int) -> Iterator[Problem]:
    """Yield a problem for each fact of a position with so many known cards that no distribution agrees with.

    No player is taken to have played by the rules; only the pack and the numbers of cards dealt limit what can be.
    """
    rules, hand = context.rules, data.get("hand")
    plan = deal_plan(rules, len(context.seats))
    if hand is not None and len(hand) > plan.rounds[0]:
        facts = {"count": len(hand), "most": plan.rounds[0], "seat": data.get("player")}
        yield from impossible_position([("hand",)], "hand-size", a.DEALING.id, **facts)
    if data.get("half") == FIRST_HALF and two_halves(rules, len(context.seats)):
        least, most = known + (hand is None), len(full_pack(rules)) - 2 * plan.rounds[1]
        if least > most:
            pointers: list[Pointer] = [("half",), *dict.fromkeys((pointer[0],) for pointer, _ in _places(data))]
            yield from impossible_position(pointers, "half-cards", a.TWO_HALVES.id, count=least, most=most)
    for seat, values in data.get("proven", {}).items():
        for value in sorted(set(values)):
            fit = sorted(capturers(rules, value))
            seen = {card: pointer for pointer, card in _places(data) if card in fit and pointer[0] != "hand"}
            if len(seen) == len(fit):
                facts = {"seat": seat, "value": value, "cards": [str(card) for card in fit]}
                pointers = [("proven", seat), *seen.values()]
                yield from impossible_position(pointers, "proven-gone", a.PROVEN_CARD.id, **facts)
