"""Questions about Casino in JSON, with their answers: what can be done, recorded deals, the demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Unpack

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.game import AnswerShape, GameShapes, QuestionShapes, ScoredSide
from companion.engine.problems import Node, Problem
from companion.games.casino import articles as a
from companion.games.casino.plays import PLAYS as KINDS
from companion.games.casino.plays import Turn
from companion.games.casino.problems import ACCEPTABLE, PROBLEMS
from companion.games.casino.rules import CasinoRules
from companion.games.casino.shapes.facts import CasinoDeal
from companion.games.casino.shapes.moves import MOST_MATERIAL, MOVE, PLAY, PLAYS, PileCardShape
from companion.games.casino.shapes.position import (
    MOST_CARDS,
    Around,
    BuildShape,
    PositionShape,
    cards,
    check_cards,
    listed,
    read_around,
    seats_field,
)
from companion.games.casino.table import Position, deal_plan, full_pack

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
    builds_ = s.ListOf(s.Text(), "The builds that the player announced.", most=MOST_MATERIAL, absent=True, key="builds")
    piles = s.ListOf(
        s.Object(PileCardShape), "The tops of piles that the player announced.", most=MOST_MATERIAL, absent=True
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
    seats = seats_field("The seats clockwise.", absent=True)
    players = seats_field("Another name of `seats`.", absent=True)
    dealer = s.Seat("Who dealt.", optional=True)
    first = s.Seat("Who played first; without it the seat after the dealer.", optional=True)
    table = cards("The cards on the table at the start.", most=MOST_CARDS, absent=True)
    hands = s.Keyed(
        s.ListOf(s.Either(s.CardField(), cards(most=MOST_CARDS))),
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
        yield from check_cards(context.rules, [(pointer, card) for pointer, card in places if card in pack])

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


def shown_cards(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.ListOf[Card]:
    """Declare cards of an answer."""
    return s.ListOf(s.CardField(), describe, **common)


class EffectShape(AnswerShape):
    """The table after a legal turn, or what another legal move settles."""

    table = s.Either(s.ListOf(s.CardField()), s.Integer(), describe="Loose cards; of a deal, how many.", absent=True)
    builds_ = s.ListOf(s.Object(BuildShape), absent=True, key="builds")
    captured = shown_cards("What the turn took.", absent=True)
    sweep = s.Flag("Whether it emptied the table.", absent=True)
    hand = shown_cards("The hand after the turn.", absent=True)
    piles = s.Keyed(shown_cards(), "Piles that changed, by the side's first seat, the top card first.", absent=True)
    rounds = s.ListOf(s.Integer(unit="cards"), "Of a deal: the cards of each round.", absent=True)
    recut = s.Flag("True where the cards are cut again.", absent=True)
    owner = s.Text("Who answers for the build from now on.", absent=True)
    build = s.Text("The build.", absent=True)


class ListedTurn(AnswerShape):
    """A legal turn of one play."""

    type = s.Word(("turn",))
    plays = s.ListOf(PLAY)


class MaximumShape(AnswerShape):
    """The largest capture."""

    cards = s.Integer("How many loose cards.", unit="cards")
    table = shown_cards()
    builds_ = s.ListOf(s.Text(), key="builds")
    piles = s.ListOf(s.Object(PileCardShape), "Tops of opponents' piles, where they may be taken.", absent=True)


class ReplayedTurn(AnswerShape):
    """A turn with its number."""

    type = s.Word(("turn",), absent=True)
    turn = s.Integer("The number of the turn, from 1.", absent=True)
    player = s.Text(absent=True)
    plays = s.ListOf(PLAY, absent=True)


class CaptureShape(AnswerShape):
    """What a turn took."""

    turn = s.Integer()
    player = s.Text()
    card = s.CardField("The card that took it.")
    cards = shown_cards()


class MustTakeShape(AnswerShape):
    """What must be taken."""

    table = shown_cards()
    builds_ = s.ListOf(s.Text(), key="builds")
    piles = s.ListOf(s.Object(PileCardShape), "Tops of opponents' piles, where they may be taken.", absent=True)


class MustAddShape(AnswerShape):
    """What must be added to a build."""

    build = s.Text()
    table = shown_cards()
    piles = s.ListOf(s.Object(PileCardShape))


_REPLAYED: Final[Mapping[str, s.Field[s.Json]]] = {
    "captures": s.ListOf(s.Object(CaptureShape)),
    "table": shown_cards("The loose cards at the end."),
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
    problems=PROBLEMS,
    acceptable=ACCEPTABLE,
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
            "minimal_sets": s.ListOf(shown_cards(), "Sets that the card takes, none inside another.", absent=True),
            "captures": s.ListOf(
                shown_cards(),
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
