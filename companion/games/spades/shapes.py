"""The shapes of Spades' requests in JSON: positions, calls and other moves, recorded deals."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final, Unpack

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.problems import Node, Problem
from companion.games.spades import articles as a
from companion.games.spades.facts import card_field, cards_field, tricks_field
from companion.games.spades.rules import SpadesRules
from companion.games.spades.table import (
    CALL_WORDS,
    DUMMY,
    NORMAL,
    Call,
    Dealt,
    Draw,
    Exchange,
    Hands,
    Move,
    NextDealer,
    Played,
    Position,
    Record,
    Table,
    parse_word,
)

PHASES: Final = ("bidding", "play")
MOST_CALLS: Final = 40
MOST_DRAWS: Final = 26

_SEATS: Final = {"partners4": (4,), "solo4": (4,), "solo3": (3,), "duo_draw": (2,), "duo_dummy": (3, 2)}
_MOST_HELD: Final = 60


class SpokenField(s.Field[tuple[str, int | None]]):
    """A call as people say it: a number, `nil`, `blind_6`, `pass`; read as its word and its number."""

    expected = "text"
    json_types = (int, str)

    def take(self, value: s.Json, context: s.ReadContext) -> tuple[str, int | None]:
        if type(value) is int:
            return NORMAL, max(-1, min(value, 999))
        if not isinstance(value, str):
            raise s.fault("call", value=None)
        read = parse_word(value)
        if read is None:
            raise s.fault("call", value=value[:40])
        return read

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        words = [{"type": "string", "enum": list(CALL_WORDS)}, {"type": "string", "pattern": "^blind_[0-9]{1,2}$"}]
        return {"anyOf": [{"type": "integer"}, *words]}


class PairField(s.SideId):
    """The id of a side of the table, its two seats in either order."""

    def take(self, value: s.Json, context: Table) -> str:
        return super().take(context.side_named(value) if isinstance(value, str) else value, context)


class CallShape(s.Shape[Call]):
    """A call with the seat that made it or, in consultation, its side."""

    seat = s.Seat("Who calls.", optional=True, example="B")
    side = PairField("Whose call it is, where partners bid together.", optional=True, example="A+C")
    call = SpokenField("The call.", example=4)
    looked = s.Flag("Whether the caller had looked at the hand.", optional=True)

    checks_parts = True

    def check(self, data: s.Attributes, context: Table) -> Iterator[Problem]:
        if "seat" not in data or "side" not in data:  # one of them is wrong already
            return
        seat, side = data["seat"], data["side"]
        if seat is None and (side is None or context.rules.bid_method != "consultation"):
            yield Problem(("seat",), "required", contextual=True)
        elif seat not in (None, DUMMY) and side is not None and context.side(seat) != side:
            yield Problem(("side",), "seat-of-other-side", {"seat": seat, "side": side})

    def make(self, data: s.Attributes, context: Table) -> Call:
        seat, side = data["seat"], data["side"]
        if seat is not None and side is None and seat != DUMMY:
            side = context.side(seat)
        word, number = data["call"]
        return Call(word, number, seat, side, data["looked"])


class PlayedShape(s.Shape[Played]):
    """A card and the seat that played it."""

    builds = Played
    seat = s.Seat("Who plays it.", example="A")
    card = card_field("The card.", example="9H")


CALLS: Final = s.ListOf(s.Object(CallShape), most=MOST_CALLS)


def _totals(describe: str, **common: Unpack[s.FieldOptions]) -> s.Keyed[int]:
    return s.Keyed(
        s.Points(),
        describe,
        keys=lambda table: table.sides,
        code="unknown-side",
        rename=lambda name, table: table.side_named(name),
        **common,
    )


class SeatsShape(s.OpenShape[Table]):
    """The seats of a table, which everything else in an object is read against."""

    seats = s.ListOf(s.Name(), "The seats clockwise.", most=8)
    others = s.Others(s.Keyed(s.Anything()), into="rest")

    def check(self, data: s.Attributes, context: SpadesRules) -> Iterator[Problem]:
        seats, allowed = data["seats"], _SEATS[context.mode]
        if len(set(seats)) != len(seats) or "" in seats:
            yield Problem(("seats",), "seat-twice", {"seats": list(seats)})
        elif len(seats) not in allowed:
            facts = {"expected": allowed[0], "count": len(seats)}
            yield Problem(("seats",), "seats-count", facts, a.PLAYERS.id)
        elif context.mode == "duo_dummy" and (DUMMY in seats) != (len(seats) == 3):
            yield Problem(("seats",), "no-dummy", {"seats": list(seats)}, a.DUO_DUMMY.id)

    def make(self, data: s.Attributes, context: SpadesRules) -> Table:
        return Table(context, data["seats"], None)


class PositionShape(s.Shape[Position]):
    """What is known of the table when a move is judged. What is left out is not known."""

    seats = s.ListOf(
        s.Name(), "The seats clockwise; a dummy is the seat `dummy`.", most=8, example=["A", "B", "C", "D"]
    )
    phase = s.Word(PHASES, "Without it, `play` where a trick is given, else `bidding`.", absent=True)
    dealer = s.Seat("Who dealt.", optional=True)
    previous_dealer = s.Seat("Who dealt before.", optional=True)
    totals = _totals("Points before the deal, under the ids of the sides (`A+C`, or the seat).", default=dict)
    calls = s.ListOf(s.Object(CallShape), "All calls so far, in order.", most=MOST_CALLS, optional=True)
    trick = s.ListOf(
        s.Object(PlayedShape), "The cards of the trick so far, in order.", most=lambda table: len(table.seats),
        absent=True,
    )  # fmt: skip
    trick_number = tricks_field("Which trick it is.", low=1, high=lambda table: table.rules.tricks, optional=True)
    leader = s.Seat("Who leads to the trick.", optional=True)
    spades_broken = s.Flag("Whether spades may be led.", optional=True)
    hand = cards_field("The hand of who is to move.", optional=True)
    played = cards_field("The cards of earlier tricks.", optional=True)
    turns = s.ListOf(s.Seat(), "Two players who draw: whose turns there were so far.", most=MOST_DRAWS, default=())
    hands = s.Keyed(
        cards_field(), "Hands as far as they are known, for an exchange.", keys=lambda table: table.seats, optional=True
    )

    checks_parts = True

    def check(self, data: s.Attributes, context: Table) -> Iterator[Problem]:
        trick = data.get("trick", ())
        if len(trick) == len(context.seats):
            yield Problem(("trick",), "trick-full", {"count": len(trick)}, a.WINNER_LEADS.id)
        if _phase(data) == "play" and context.rules.mode == "duo_dummy" and DUMMY not in context.seats:
            yield Problem(("seats",), "no-dummy", {"seats": list(context.seats)}, a.DUO_DUMMY.id)
        places = {
            "hand": data.get("hand") or (),
            "trick": tuple(one.card for one in trick),
            "played": data.get("played") or (),
        }
        seen: set[Card] = set()
        for name, cards in places.items():
            for place, card in enumerate(cards):
                if card in seen:
                    yield Problem((name, place), "duplicate-card", {"card": str(card)}, a.PACK.id)
                seen.add(card)
        yield from _check_hands(data.get("hands") or {}, context, "hands")

    def make(self, data: s.Attributes, context: Table) -> Position:
        del data["seats"]
        data["phase"] = _phase(data)
        table = replace(context, dealer=data.pop("dealer"))
        return Position(table, **{"trick": (), **data, "hands": data["hands"] or {}})


class CallMove(CallShape):
    """A call."""

    type = s.Word(("call",))


class PlayMove(PlayedShape):
    """A card played to a trick."""

    type = s.Word(("play",))

    def make(self, data: s.Attributes, context: Table) -> Played:
        return Played(data["seat"], data["card"])


class ExchangeShape(s.Shape[Exchange]):
    """Cards that two partners give each other after a nil."""

    side = PairField("The partners.")
    counts = s.ListOf(s.Count(high=_MOST_HELD, unit="cards"), "How many each gives.", least=2, most=2)
    cards = s.Keyed(
        cards_field(), "Which ones, by the seat that gives them.", keys=lambda table: table.seats, optional=True
    )

    checks_parts = True

    def check(self, data: s.Attributes, context: Table) -> Iterator[Problem]:
        cards = data.get("cards") or {}
        members = context.members(data["side"]) if "side" in data else tuple(cards)
        for seat in cards:
            if seat not in members:
                yield Problem(("cards", seat), "unknown-key", {"key": seat}, contextual=True)
        yield from _check_hands(cards, context, "cards")

    def make(self, data: s.Attributes, context: Table) -> Exchange:
        return Exchange(data["side"], data["counts"], data["cards"] or {})


class ExchangeMove(ExchangeShape):
    """Cards that two partners give each other after a nil."""

    type = s.Word(("exchange",))


class DealMove(s.Shape[Dealt]):
    """The number of cards that every seat was dealt."""

    type = s.Word(("deal",))
    counts = s.Keyed(s.Count(high=_MOST_HELD, unit="cards"), "By seat.", keys=lambda table: table.seats, all_keys=True)

    def make(self, data: s.Attributes, context: Table) -> Dealt:
        return Dealt(data["counts"])


class DealerMove(s.Shape[NextDealer]):
    """Who deals next."""

    type = s.Word(("dealer",))
    seat = s.Seat()

    def make(self, data: s.Attributes, context: Table) -> NextDealer:
        return NextDealer(data["seat"])


class DrawMove(s.Shape[Draw]):
    """One turn of two players who draw their hands: one of two cards is kept."""

    type = s.Word(("draw",))
    seat = s.Seat()
    first = s.Word(("keep", "discard"))
    second = s.Word(("keep", "discard"))

    def make(self, data: s.Attributes, context: Table) -> Draw:
        return Draw(data["seat"], data["first"], data["second"])


MOVE: Final[s.Variants[s.Json]] = s.Variants(
    "type",
    {
        "call": CallMove,
        "play": PlayMove,
        "exchange": ExchangeMove,
        "deal": DealMove,
        "dealer": DealerMove,
        "draw": DrawMove,
    },
)


class _KindShape(s.OpenShape[str]):
    """The kind of a move, where the table that it belongs to cannot be read."""

    type = s.Word(tuple(MOVE.shapes))
    others = s.Others(s.Keyed(s.Anything()), into="rest")


@dataclass(frozen=True, slots=True)
class MovesRequest:
    """A position, who asks, and whether they have looked at the hand."""

    position: Position
    seat: str | None
    looked: bool | None


class SpadesMovesRequest(s.Shape[MovesRequest]):
    """A position, and who is to move where it does not say that."""

    rules = s.Anything("The house rules, read before.", absent=True)
    position = s.Object(PositionShape)
    seat = s.Seat("Who is to move.", optional=True)
    looked = s.Flag("Whether the mover has looked at the hand.", optional=True)

    def make(self, data: s.Attributes, context: Table) -> MovesRequest:
        return MovesRequest(data["position"], data["seat"], data["looked"])


class SpadesReplayRequest(s.Shape[Record]):
    """A recorded deal: who sat where, and what was called and played in order."""

    rules = s.Anything("The house rules, read before.", absent=True)
    seats = s.ListOf(s.Name(), "The seats clockwise.", most=8, example=["A", "B", "C", "D"])
    dealer = s.Seat("Who dealt.", optional=True, example="D")
    leader = s.Seat("Who led to the first trick.", optional=True)
    calls = s.ListOf(s.Object(CallShape), "The calls in order.", most=MOST_CALLS, optional=True)
    plays = s.ListOf(
        s.Object(PlayedShape), "The cards in order.", most=lambda table: table.rules.tricks * len(table.seats)
    )
    totals = _totals("Points before the deal.", absent=True)
    hands = s.Keyed(
        cards_field(), "Whole hands by seat, as they were before any of the `exchanges` and after the `discards`.",
        keys=lambda table: table.seats, optional=True,
    )  # fmt: skip
    exchanges = s.ListOf(
        s.Object(ExchangeShape), "What partners exchanged between the calls and the first card.", most=2, default=()
    )
    discards = cards_field("The cards that the dealer laid aside before the bidding.", most=2, default=())

    checks_parts = True

    def check(self, data: s.Attributes, context: Table) -> Iterator[Problem]:
        yield from _check_hands(data.get("hands") or {}, context, "hands", whole=True)
        discards = data.get("discards", ())
        if len(set(discards)) < len(discards):
            yield Problem(("discards", 1), "duplicate-card", {"card": str(discards[1])}, a.PACK.id)

    def make(self, data: s.Attributes, context: Table) -> Record:
        table, calls = replace(context, dealer=data["dealer"]), data["calls"]
        return Record(
            table, data.get("totals"), calls or (), calls is not None, data["plays"], data["leader"],
            data["hands"] or {}, data["exchanges"], data["discards"],
        )  # fmt: skip


def read_table(node: Node, rules: SpadesRules) -> Table | None:
    """Return the table whose seats an object names, without its dealer; None with problems recorded at the node."""
    return s.read_at(node, SeatsShape, context=rules)


def read_check(position: Node, move: Node, rules: SpadesRules) -> tuple[Position, Move] | None:
    """Return a position and a move in it, or None with problems recorded at their nodes."""
    table = read_table(position, rules)
    if table is None:
        _unknown_keys(position, PositionShape)
        s.read_at(move, _KindShape)
        return None
    before, made = s.read_at(position, PositionShape, context=table), s.read_at(move, MOVE, context=table)
    return None if before is None or made is None else (before, made)


def read_moves_request(node: Node, rules: SpadesRules) -> MovesRequest | None:
    """Return a request for moves, or None with problems recorded at the node."""
    named = node.object(required=("position",), others=True) and "position" in node
    table = read_table(node["position"], rules) if named else None
    if table is None:
        _unknown_keys(node["position"], PositionShape)
        _unknown_keys(node, SpadesMovesRequest)
        return None
    return s.read_at(node, SpadesMovesRequest, context=table)


def read_record(node: Node, rules: SpadesRules) -> Record | None:
    """Return a recorded deal, or None with problems recorded at the node."""
    table = read_table(node, rules)
    if table is None:
        _unknown_keys(node, SpadesReplayRequest)
        return None
    return s.read_at(node, SpadesReplayRequest, context=table)


def read_calls(node: Node, table: Table) -> tuple[Call, ...]:
    """Return all calls so far in order, none with problems recorded at the node."""
    return s.read_at(node, CALLS, context=table) or ()


def _unknown_keys(node: Node, shape: type[s.Shape[s.Json]]) -> None:
    """Record the keys that a shape does not know, where its table cannot be read."""
    known: Collection[str] = s.schema(shape).load_fields
    for key in node.names():
        if key not in known:
            node[key].fault("unknown-key", key=key)


def _phase(data: s.Attributes) -> str:
    phase: str = data.get("phase") or ("play" if "trick" in data else "bidding")
    return phase


def _check_hands(hands: Hands, table: Table, key: str, *, whole: bool = False) -> Iterator[Problem]:
    """Hands of too many cards (or, where they are whole, too few), and cards in two of them."""
    seen: set[Card] = set()
    expected = table.rules.tricks
    for seat, cards in hands.items():
        count = len(cards)
        if count > expected or (whole and count < expected):
            facts = {"seat": seat, "count": count, "expected": expected}
            yield Problem((key, seat), "hand-count", facts, a.DEALING.id)
        for card in cards:
            if card in seen:
                yield Problem((key, seat), "duplicate-card", {"card": str(card)}, a.PACK.id)
            seen.add(card)
