"""The facts that the problems of Casino carry, for the API's document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Unpack

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.game import AnswerShape, GameShapes, QuestionShapes, ScoredSide
from companion.engine.ledger import DealContext, DealShape
from companion.engine.problems import Node, Pointer, Problem, impossible_position
from companion.engine.shapes import NUMBER, NUMBERS, SIZE, TEXT, TEXTS, TOTAL, VALUE, FactTypes
from companion.games.casino import articles as a
from companion.games.casino.rules import CasinoRules
from companion.games.casino.score import DealFacts, SideFacts, from_cards
from companion.games.casino.table import (
    FIRST_HALF,
    Base,
    Build,
    Dealt,
    Material,
    Play,
    Position,
    Recut,
    Request,
    Seats,
    Turn,
    capturers,
    deal_plan,
    full_pack,
    makes,
    two_halves,
)
from companion.games.casino.table import PLAYS as KINDS

_PROBLEMS: Final[Mapping[str, FactTypes]] = {
    "aces-total": TOTAL,
    "big-ten-total": TOTAL,
    "build-id": VALUE,
    "build-too-small": VALUE,
    "build-total": {**VALUE, "sets": {"type": "array", "items": TEXTS}},
    "card-elsewhere": {"card": TEXT},
    "card-value": {"card": TEXT, "values": NUMBERS},
    "cards-below-parts": {"side": TEXT, "least": NUMBER, "count": NUMBER},
    "cards-total": TOTAL,
    "duplicate-card": {"card": TEXT, "place?": TEXT, "sides?": TEXTS},
    "hand-count": {"seat": TEXT, **SIZE},
    "impossible-position": {"why": TEXT, "seat?": {"type": ["string", "null"]}, "value?": NUMBER},
    "last-capture-total": {"sides": TEXTS},
    "most-cards-missing": {"item": TEXT},
    "most-spades-missing": {"item": TEXT},
    "not-in-pack": {"card": TEXT},
    "not-on-table": {"card": TEXT},
    "one-base": {},
    "pile-twice": {"seat": TEXT},
    "players-count": SIZE,
    "sides-count": SIZE,
    "spades-total": TOTAL,
    "spy-two-total": TOTAL,
    "spy-two-without-spade": {"side": TEXT},
    "table-count": SIZE,
    "unknown-build": VALUE,
}

_ACCEPTABLE: Final = (
    "cards-total", "spades-total", "aces-total", "big-ten-total", "spy-two-total", "spy-two-without-spade",
    "most-cards-missing", "most-spades-missing", "last-capture-total", "cards-below-parts",
)  # fmt: skip
"""What may be recorded anyway."""


_MOST_ID: Final = 60
_MOST_CARDS: Final = 104
_MOST_SETS: Final = 26
_MOST_BUILDS: Final = 52


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


def _seats_field(describe: str, **common: Unpack[s.FieldOptions]) -> s.ListOf[str]:
    """Declare the list of seats."""
    return s.ListOf(s.Name(most=_MOST_ID), describe, most=8, **common)


def _check_cards(rules: CasinoRules, places: Sequence[tuple[Pointer, Card]]) -> Iterator[Problem]:
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

    id = s.Text("The name by which plays call it.", most=_MOST_ID)
    value = s.Integer("The announced value.", example=9)
    sets = s.ListOf(
        cards(most=_MOST_CARDS), "One set for a single build, several for an augmented one.", least=1, most=_MOST_SETS
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
    seats = _seats_field("Two to four seats clockwise; four play as partners across the table.")
    player = s.Seat("Who is to move.")
    table = cards("The loose cards.", most=_MOST_CARDS, default=())
    builds_ = s.ListOf(s.Object(BuildShape), "The builds.", most=_MOST_BUILDS, default=(), key="builds")
    hand = cards("The hand of who is to move.", most=_MOST_CARDS, optional=True)
    piles = s.Keyed(
        cards(most=_MOST_CARDS), "Captured piles by seat, the top card first; partners share one.",
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
            wrong += _check_cards(context.rules, _places(data))
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

    seats = _seats_field("The seats clockwise.")
    dealer = s.Seat("Who dealt last.", optional=True)
    player = s.Anything(absent=True)
    table = s.Anything(absent=True)
    builds_ = s.Anything(absent=True, key="builds")
    hand = s.Anything(absent=True)
    piles = s.Anything(absent=True)
    proven = s.Anything(absent=True)
    half = s.Anything(absent=True)


_SEATS: Final = _seats_field("Two to four seats clockwise.")


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


_MOST_COUNTED = 1_000


def _count_field(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Count:
    """Declare a number of cards, or of anything else of a deal."""
    return s.Count(describe, high=_MOST_COUNTED, **common)


class CapturedShape(s.Shape[SideFacts]):
    """What a side took, card by card."""

    captured = cards("The cards that it took.")
    sweeps = _count_field("How often it emptied the table.", default=0)
    last_capture = s.Flag("Whether it captured last.", default=False)

    def make(self, data: s.Attributes, context: DealContext) -> SideFacts:
        return from_cards(data["captured"], sweeps=data["sweeps"], last_capture=data["last_capture"])


class CountedShape(s.Shape[SideFacts]):
    """What a side took, counted; instead of `cards` and `spades`, all sides may say who had the most."""

    builds = SideFacts
    checks_parts = True
    cards = _count_field("The number of its cards.", default=None, unit="cards", example=30)
    spades = _count_field("The number of its spades.", default=None, unit="cards", example=8)
    aces = _count_field("The number of its aces.", unit="cards", example=3)
    big_ten = s.Flag("Whether it took the ten of diamonds.")
    spy_two = s.Flag("Whether it took the two of spades.")
    sweeps = _count_field("How often it emptied the table.", default=0)
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

    unclaimed = _count_field("Cards that nobody took.", default=0, unit="cards")
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


_MOST_PLAYS: Final = 60
_MOST_MATERIAL: Final = 52
_BASES: Final = ("build", "table", "hand", "pile")


class PileCardShape(s.Shape[tuple[str, Card]]):
    """A card on top of a captured pile."""

    from_ = s.Seat("Whose pile it is.", key="from")
    card = s.CardField()

    def make(self, data: s.Attributes, context: Around) -> tuple[str, Card]:
        return context.table.side(data["from_"]), data["card"]


class _MaterialShape(s.Shape[s.Json]):
    """Cards announced together: loose ones, one from the hand, tops of piles, builds by their names."""

    id = s.Text("The name of the build that comes of it.", most=_MOST_ID, absent=True)
    card = s.CardField("From the hand.", optional=True)
    table = cards("Loose cards.", absent=True)
    piles = s.ListOf(s.Object(PileCardShape), "Tops of piles.", most=_MOST_MATERIAL, absent=True)
    builds_ = s.ListOf(s.Text(most=_MOST_ID), "Builds by their names.", most=_MOST_MATERIAL, absent=True, key="builds")


class MaterialShape(_MaterialShape):
    """Cards announced together: loose ones, one from the hand, tops of piles, builds by their names."""

    def make(self, data: s.Attributes, context: Around) -> Material:
        return _material(data)


def _material(data: s.Attributes) -> Material:
    return Material(data.get("table", ()), data["card"], data.get("piles", ()), data.get("builds_", ()))


class BaseShape(s.Shape[Base]):
    """What an augmented build starts from: one of a build, a loose card, a card of the hand, the top of a pile."""

    build = s.Text("A build by its name.", most=_MOST_ID, absent=True)
    table = s.CardField("A loose card.", absent=True)
    hand = s.CardField("A card of the hand.", absent=True)
    pile = s.CardField("The top of a pile.", absent=True)
    from_ = s.Seat("Whose pile it is.", key="from", absent=True)

    def check(self, data: s.Attributes, context: Around) -> Iterator[Problem]:
        if sum(kind in data for kind in _BASES) != 1:
            yield Problem((), "one-base", {"choices": list(_BASES)})

    def make(self, data: s.Attributes, context: Around) -> Base:
        kind = next(kind for kind in _BASES if kind in data)
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
    sets = s.ListOf(s.Object(MaterialShape), "Its sets, where there are several.", most=_MOST_SETS, absent=True)


class RaisePlay(_PlayShape):
    """A build whose value is raised by a card."""

    play = s.Word(("raise",))
    build = s.Text("The build by its name.", most=_MOST_ID)
    to = s.Integer("The new value.")
    absorb = s.ListOf(cards(), "Loose sets of the new value that join it.", most=_MOST_SETS, absent=True)


class AugmentPlay(_PlayShape):
    """Sets added to a build, or to a card that becomes one."""

    play = s.Word(("augment",))
    value = s.Integer("The announced value.")
    base = s.Object(BaseShape, "What it starts from.")
    sets = s.ListOf(s.Object(MaterialShape), "The sets that are added.", most=_MOST_SETS, absent=True)
    asked_by = s.Seat("The partner who asked for it.", optional=True)


_PLAY: Final[s.Variants[s.Json]] = s.Variants(
    "play",
    {"capture": CapturePlay, "build": BuildPlay, "raise": RaisePlay, "augment": AugmentPlay, "trail": TrailPlay},
)
PLAYS: Final = s.ListOf(_PLAY, "The plays in order; a turn ends with a card of the hand.", most=_MOST_PLAYS)


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
    table = cards("The four cards.", most=_MOST_CARDS)

    def check(self, data: s.Attributes, context: Around) -> Iterator[Problem]:
        return _check_cards(context.rules, listed(("table",), data["table"]))

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


Hands = dict[str, tuple[frozenset[Card], ...]]
"""Known hands by seat, one for each round of dealing."""


@dataclass(frozen=True, slots=True)
class MovesRequest:
    """A position, and a card whose captures are asked for, as one of its values."""

    position: Position
    card: Card | None
    declared: int | None


@dataclass(frozen=True, slots=True)
class DemandRequest:
    """What was done with a card: the value it was played as, what it takes, who demands more, and how late that is."""

    position: Position
    card: Card
    declared: int | None
    table: tuple[Card, ...]
    builds: tuple[str, ...]
    piles: tuple[tuple[str, Card], ...]
    play: str
    by: str | None
    acted: bool


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded deal: who sat where, who began, the first cards, known hands, every turn in order."""

    seats: tuple[str, ...]
    first: str | None
    dealer: str | None
    table: tuple[Card, ...]
    hands: Hands
    turns: tuple[Turn, ...]
    foreign: tuple[tuple[str, Card], ...]
    """Cards that the pack in use does not hold, each with the seat in whose hand it is; empty on the table."""


class CasinoMovesRequest(s.Shape[MovesRequest]):
    """A position; with a card, what it can take."""

    rules = s.Anything("The house rules, read before.", absent=True)
    position = s.Object(PositionShape)
    card = s.CardField("The card that captures.", optional=True)
    declared = s.Integer("The value that it captures as.", key="as", optional=True)

    def make(self, data: s.Attributes, context: Around) -> MovesRequest:
        return MovesRequest(data["position"], data["card"], data["declared"])


class CasinoDemandRequest(s.Shape[DemandRequest]):
    """An announced capture, of which an opponent demands more."""

    rules = s.Anything("The house rules, read before.", absent=True)
    position = s.Object(PositionShape)
    card = s.CardField("The card that captures.", example="8S")
    declared = s.Integer("The value that it captures as.", key="as", optional=True)
    table = cards("The loose cards that the player announced.", absent=True)
    builds_ = s.ListOf(
        s.Text(), "The builds that the player announced.", most=_MOST_MATERIAL, absent=True, key="builds"
    )
    piles = s.ListOf(
        s.Object(PileCardShape), "The tops of piles that the player announced.", most=_MOST_MATERIAL, absent=True
    )
    by = s.Seat("Who demands.", optional=True)
    play = s.Word(KINDS, "Without it a capture, or a trail of nothing.", absent=True)
    acted = s.Flag("Whether the next player has acted since.", default=False)

    def make(self, data: s.Attributes, context: Around) -> DemandRequest:
        table, builds, piles = data.get("table", ()), data.get("builds_", ()), data.get("piles", ())
        play = data.get("play", "capture" if table or builds or piles else "trail")
        return DemandRequest(
            data["position"], data["card"], data["declared"], table, builds, piles, play, data["by"], data["acted"]
        )


class RecordedTurn(s.Shape[Turn]):
    """A turn as it was played."""

    type = s.Word(("turn",), absent=True)
    player = s.Seat("Who played it, where it was not that player's turn.", optional=True)
    plays = PLAYS

    def make(self, data: s.Attributes, context: Around) -> Turn:
        return Turn(data["player"], data["plays"])


class CasinoReplayRequest(s.Shape[Record]):
    """A recorded deal: who sat where, what lay on the table, the hands, and every turn in order."""

    rules = s.Anything("The house rules, read before.", absent=True)
    seats = _seats_field("The seats clockwise.", absent=True)
    players = _seats_field("Another name of `seats`.", absent=True)
    dealer = s.Seat("Who dealt.", optional=True)
    first = s.Seat("Who played first; without it the seat after the dealer.", optional=True)
    table = cards("The cards on the table at the start.", most=_MOST_CARDS, absent=True)
    hands = s.Keyed(
        s.ListOf(s.Either(s.CardField(), cards(most=_MOST_CARDS))),
        "Hands as dealt, by seat: a list of cards, or where cards are dealt in rounds a list of such lists.",
        keys=lambda around: around.seats,
        optional=True,
    )
    turns = s.ListOf(s.Object(RecordedTurn), "The turns in order.", most=52)

    def check(self, data: s.Attributes, context: Around) -> Iterator[Problem]:
        plan, pack = deal_plan(context.rules, len(context.seats)), full_pack(context.rules)
        table, places = data.get("table", ()), listed(("table",), data.get("table"))
        if len(table) != plan.table:
            facts = {"count": len(table), "expected": plan.table}
            yield Problem(("table",), "table-count", facts, a.FIRST_TABLE_CARDS.id)
        for seat, given in (data.get("hands") or {}).items():
            parts = _parts(given)
            if parts is None or len(parts) > len(plan.rounds):
                yield Problem(("hands", seat), "type", {"expected": "list"}, contextual=True)
                continue
            nested = parts != [given]
            for number, (part, expected) in enumerate(zip(parts, plan.rounds, strict=False)):
                pointer = ("hands", seat, number) if nested else ("hands", seat)
                places += listed(pointer, part)
                if len(part) != expected:
                    facts = {"seat": seat, "count": len(part), "expected": expected}
                    yield Problem(pointer, "hand-count", facts, a.DEALING.id)
        yield from _check_cards(context.rules, [(pointer, card) for pointer, card in places if card in pack])

    def make(self, data: s.Attributes, context: Around) -> Record:
        pack, hands = full_pack(context.rules), {}
        foreign = [("", card) for card in data.get("table", ()) if card not in pack]
        for seat, given in (data["hands"] or {}).items():
            parts = _parts(given) or []
            strange = [(seat, card) for part in parts for card in part if card not in pack]
            foreign += strange
            if not strange:
                hands[seat] = tuple(map(frozenset, parts))
        return Record(
            context.seats, data["first"], data["dealer"], data.get("table", ()), hands, data["turns"], tuple(foreign)
        )


def _parts(given: tuple[s.Json, ...]) -> list[tuple[Card, ...]] | None:
    """Return a hand as one list of cards a round; None where lists and cards are mixed."""
    if all(isinstance(one, Card) for one in given):
        return [given]
    return None if any(isinstance(one, Card) for one in given) else list(given)


def read_moves_request(node: Node, rules: CasinoRules) -> MovesRequest | None:
    """Return a request for moves, or None with problems recorded at the node."""
    around = read_around(node["position"], rules)
    return None if around is None else s.read_at(node, CasinoMovesRequest, context=around)


def read_demand(node: Node, rules: CasinoRules) -> DemandRequest | None:
    """Return a question about a demand, or None with problems recorded at the node."""
    around = read_around(node["position"], rules)
    return None if around is None else s.read_at(node, CasinoDemandRequest, context=around)


def read_record(node: Node, rules: CasinoRules) -> Record | None:
    """Return a recorded deal, or None with problems recorded at the node."""
    around = read_around(node, rules, players=True)
    return None if around is None else s.read_at(node, CasinoReplayRequest, context=around)


def _shown_cards(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.ListOf[Card]:
    """Declare cards of an answer."""
    return s.ListOf(s.CardField(), describe, **common)


class EffectShape(AnswerShape):
    """The table after a legal turn, or what another legal move settles."""

    table = s.Either(s.ListOf(s.CardField()), s.Integer(), describe="Loose cards; of a deal, how many.", absent=True)
    builds_ = s.ListOf(s.Object(BuildShape), absent=True, key="builds")
    captured = _shown_cards("What the turn took.", absent=True)
    sweep = s.Flag("Whether it emptied the table.", absent=True)
    hand = _shown_cards("The hand after the turn.", absent=True)
    piles = s.Keyed(_shown_cards(), "Piles that changed, by the side's first seat, the top card first.", absent=True)
    rounds = s.ListOf(s.Integer(unit="cards"), "Of a deal: the cards of each round.", absent=True)
    recut = s.Flag("True where the cards are cut again.", absent=True)
    owner = s.Text("Who answers for the build from now on.", absent=True)
    build = s.Text("The build.", absent=True)


class ListedTurn(AnswerShape):
    """A legal turn of one play."""

    type = s.Word(("turn",))
    plays = s.ListOf(_PLAY)


class MaximumShape(AnswerShape):
    """The largest capture."""

    cards = s.Integer("How many loose cards.", unit="cards")
    table = _shown_cards()
    builds_ = s.ListOf(s.Text(), key="builds")
    piles = s.ListOf(s.Object(PileCardShape), "Tops of opponents' piles, where they may be taken.", absent=True)


class ReplayedTurn(AnswerShape):
    """A turn with its number."""

    type = s.Word(("turn",), absent=True)
    turn = s.Integer("The number of the turn, from 1.", absent=True)
    player = s.Text(absent=True)
    plays = s.ListOf(_PLAY, absent=True)


class CaptureShape(AnswerShape):
    """What a turn took."""

    turn = s.Integer()
    player = s.Text()
    card = s.CardField("The card that took it.")
    cards = _shown_cards()


class MustTakeShape(AnswerShape):
    """What must be taken."""

    table = _shown_cards()
    builds_ = s.ListOf(s.Text(), key="builds")
    piles = s.ListOf(s.Object(PileCardShape), "Tops of opponents' piles, where they may be taken.", absent=True)


class MustAddShape(AnswerShape):
    """What must be added to a build."""

    build = s.Text()
    table = _shown_cards()
    piles = s.ListOf(s.Object(PileCardShape))


_REPLAYED: Final[Mapping[str, s.Field[s.Json]]] = {
    "captures": s.ListOf(s.Object(CaptureShape)),
    "table": _shown_cards("The loose cards at the end."),
    "builds": s.ListOf(s.Object(BuildShape), "The builds at the end."),
    "proven": s.Keyed(s.ListOf(s.Integer()), "Values that seats are known to hold."),
    "complete": s.Flag("Whether every card was played."),
    "sides": s.ListOf(s.Object(ScoredSide), "The sides of a score request."),
    "result": s.Object(CasinoDeal, "A deal of a score request; null while it goes on.", nullable=True),
}
SHAPES: Final = GameShapes(
    position=PositionShape,
    move=MOVE,
    effect=EffectShape,
    problems=_PROBLEMS,
    acceptable=_ACCEPTABLE,
    moves=QuestionShapes(
        CasinoMovesRequest,
        {
            "moves": s.ListOf(
                s.Object(ListedTurn), "Legal turns of one play: the largest captures, builds, raises, trails."
            ),
            "partial": s.Flag("True where other turns are possible, such as those of several plays.", absent=True),
            "compulsory": s.ListOf(s.Object(ListedTurn)),
            "declared": s.Integer("The value that the card captures as.", key="as", absent=True, nullable=True),
            "maximum": s.Object(MaximumShape, "The most that the card can take.", absent=True),
            "minimal_sets": s.ListOf(_shown_cards(), "Sets that the card takes, none inside another.", absent=True),
            "captures": s.ListOf(
                _shown_cards(),
                "Every complete capture of loose cards and of piles from their tops; null on a large table.",
                absent=True,
                nullable=True,
            ),
            "truncated": s.Flag("True where there are more than are listed.", absent=True),
        },
    ),
    replay=QuestionShapes(CasinoReplayRequest, _REPLAYED),
    replayed_move=s.Object(ReplayedTurn),
    extra={
        "demand": QuestionShapes(
            CasinoDemandRequest,
            {
                "legal": s.Flag("Whether the announced capture is legal."),
                "complete": s.Flag("Whether it takes all that must be taken."),
                "must_take": s.Object(MustTakeShape, "What must be taken.", nullable=True),
                "may_demand": s.Flag("Whether `by`, or any opponent, may demand more."),
                "must_add": s.ListOf(s.Object(MustAddShape), "What must be added to builds.", absent=True),
                "articles": s.ListOf(s.Text(), "The articles behind the answer."),
            },
            "whether an announced capture is complete, and what an opponent may demand.",
            "Whether the announced capture is legal, is complete, and what must be taken.",
        )
    },
)
