"""What is asked about Casino and what is answered, beside verdicts: requests, answers, the facts of problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final, Unpack

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.game import AnswerShape, GameShapes, QuestionShapes, ScoredSide
from companion.engine.problems import Problem
from companion.engine.shapes import NUMBER, NUMBERS, SIZE, TEXT, TEXTS, TOTAL, VALUE, FactTypes
from companion.games.casino import articles as a
from companion.games.casino.score import DEAL
from companion.games.casino.table import (
    CAPTURE,
    MAX_MATERIAL,
    MOST_CARDS,
    MOVE,
    PARTNERS,
    PLAY,
    PLAY_KINDS,
    TRAIL,
    Around,
    Build,
    Material,
    PileCardShape,
    Position,
    RecordedTurn,
    cards_field,
    check_cards,
    deal_plan,
    full_pack,
    listed,
    seats_field,
)

_PROBLEMS: Final[Mapping[str, FactTypes]] = {
    "aces-total": TOTAL,
    "aces-needed": {"item": TEXT},
    "big-ten-total": TOTAL,
    "build-id": VALUE,
    "build-too-small": VALUE,
    "build-total": {**VALUE, "sets": {"type": "array", "items": TEXTS}},
    "card-elsewhere": {"card": TEXT},
    "card-value": {"card": TEXT, "values": NUMBERS},
    "cards-below-parts": {"side": TEXT, "least": NUMBER, "count": NUMBER},
    "cards-total": TOTAL,
    "duplicate-card": {"card": TEXT, "place?": TEXT, "sides?": TEXTS},
    "first-out-needed": {"target": NUMBER, "sides": TEXTS},
    "first-out-short": {"side": TEXT, "target": NUMBER, "total": NUMBER},
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
    "spade-ace-total": TOTAL,
    "spade-jack-total": TOTAL,
    "spade-ace-against-aces": {},
    "spades-below-parts": {"side": TEXT, "least": NUMBER, "count": NUMBER},
    "spades-total": TOTAL,
    "spy-two-total": TOTAL,
    "spy-two-without-spade": {"side": TEXT},
    "table-count": SIZE,
    "unknown-build": VALUE,
}

_ACCEPTABLE: Final = (
    "cards-total", "spades-total", "aces-total", "big-ten-total", "spy-two-total", "spy-two-without-spade",
    "spade-ace-total", "spade-jack-total", "most-cards-missing", "most-spades-missing", "last-capture-total",
    "cards-below-parts", "spades-below-parts", "spade-ace-against-aces",
)  # fmt: skip
"""What may be recorded anyway."""


Hands = dict[str, tuple[frozenset[Card], ...]]
"""Known hands by seat, one for each round of dealing."""


_RULES: Final = s.Anything("The house rules, read before.", absent=True)


@dataclass(frozen=True, slots=True)
class MovesRequest:
    """A position; with a card, what it can take."""

    position: Annotated[Position, s.object_of(Position)]
    card: Annotated[Card | None, s.CardField("The card that captures.")] = None
    declared: Annotated[int | None, s.Integer("The value that it captures as.", key="as")] = None

    shape_name: ClassVar = "CasinoMovesRequest"
    read_keys: ClassVar = {"rules": _RULES}


@dataclass(frozen=True, slots=True)
class DemandRequest:
    """An announced capture, of which an opponent demands more."""

    position: Annotated[Position, s.object_of(Position)]
    card: Annotated[Card, s.CardField("The card that captures.", example="8S")]
    play: Annotated[str, s.Word(PLAY_KINDS, "Without it a capture, or a trail of nothing.", absent=True)]
    declared: Annotated[int | None, s.Integer("The value that it captures as.", key="as")] = None
    table: Annotated[tuple[Card, ...], cards_field("The loose cards that the player announced.", absent=True)] = ()
    builds: tuple[str, ...] = ()
    piles: Annotated[
        tuple[tuple[str, Card], ...],
        s.ListOf(
            s.Object(PileCardShape), "The tops of piles that the player announced.", most=MAX_MATERIAL, absent=True
        ),
    ] = ()
    by: Annotated[str | None, s.Seat("Who demands.")] = None
    acted: Annotated[bool, s.Flag("Whether the next player has acted since.")] = False

    shape_name: ClassVar = "CasinoDemandRequest"
    read_keys: ClassVar = {
        "rules": _RULES,
        "builds_": s.ListOf(
            s.Text(), "The builds that the player announced.", most=MAX_MATERIAL, absent=True, key="builds"
        ),
    }

    @property
    def taken(self) -> Material:
        """Return the cards and builds that the player announced."""
        return Material(self.table, piles=self.piles, builds=self.builds)

    @staticmethod
    def build_read(data: s.Attributes, around: Around) -> DemandRequest:
        """Return the question; whoever took nothing has trailed."""
        data.pop("rules", None)
        data["builds"] = data.pop("builds_", ())
        took = data["builds"] or data.get("table") or data.get("piles")
        return DemandRequest(**{"play": CAPTURE if took else TRAIL, **data})


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded deal: who sat where, what lay on the table, the hands, and every turn in order."""

    seats: tuple[str, ...]
    turns: Annotated[tuple[RecordedTurn, ...], s.ListOf(s.object_of(RecordedTurn), "The turns in order.", most=52)]
    first: Annotated[str | None, s.Seat("Who played first; without it the seat after the dealer.")] = None
    dealer: Annotated[str | None, s.Seat("Who dealt.")] = None
    table: Annotated[
        tuple[Card, ...], cards_field("The cards on the table at the start.", most=MOST_CARDS, absent=True)
    ] = ()
    hands: Annotated[
        Hands,
        s.Keyed(
            s.ListOf(s.Either(s.CardField(), cards_field(most=MOST_CARDS))),
            "Hands as dealt, by seat: a list of cards, or where cards are dealt in rounds a list of such lists.",
            keys=lambda around: around.seats,
        ),
    ] = field(default_factory=dict)
    partners: bool = True
    foreign: tuple[tuple[str, Card], ...] = ()
    """Cards that the pack in use does not hold, each with the seat in whose hand it is; empty on the table."""

    shape_name: ClassVar = "CasinoReplayRequest"
    read_keys: ClassVar = {
        "rules": _RULES,
        "seats": seats_field("The seats clockwise.", absent=True),
        "players": seats_field("Another name of `seats`.", absent=True),
        "partners": PARTNERS,
    }

    @staticmethod
    def check_read(data: s.Attributes, around: Around) -> Iterator[Problem]:
        """Yield another number of cards than were dealt, and cards in two places."""
        plan, pack = deal_plan(around.rules, len(around.seats)), full_pack(around.rules)
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
        yield from check_cards(around.rules, [(pointer, card) for pointer, card in places if card in pack])

    @staticmethod
    def build_read(data: s.Attributes, around: Around) -> Record:
        """Return the record; a hand with a card of another pack is not known."""
        pack, hands, table = full_pack(around.rules), {}, data.get("table", ())
        foreign = [("", card) for card in table if card not in pack]
        for seat, given in data.get("hands", {}).items():
            parts = _parts(given) or []
            strange = [(seat, card) for part in parts for card in part if card not in pack]
            foreign += strange
            if not strange:
                hands[seat] = tuple(map(frozenset, parts))
        return Record(
            around.seats, data["turns"], data["first"], data["dealer"], table, hands, data["partners"], tuple(foreign)
        )


def _parts(given: tuple[s.Json, ...]) -> list[tuple[Card, ...]] | None:
    """Return a hand as one list of cards a round; None where lists and cards are mixed."""
    if all(isinstance(one, Card) for one in given):
        return [given]
    return None if any(isinstance(one, Card) for one in given) else list(given)


def _shown_cards(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.ListOf[Card]:
    """Declare cards of an answer."""
    return s.ListOf(s.CardField(), describe, **common)


class EffectShape(AnswerShape):
    """The table after a legal turn, or what another legal move settles."""

    table = s.Either(s.ListOf(s.CardField()), s.Integer(), describe="Loose cards; of a deal, how many.", absent=True)
    builds_ = s.ListOf(s.object_of(Build), absent=True, key="builds")
    captured = _shown_cards("What the turn took.", absent=True)
    sweep = s.Flag("Whether it emptied the table.", absent=True)
    hand = _shown_cards("The hand after the turn.", absent=True)
    piles = s.Keyed(_shown_cards(), "Piles that changed, by the side's first seat, the top card first.", absent=True)
    rounds = s.ListOf(s.Integer(unit="cards"), "Of a deal: the cards of each round.", absent=True)
    recut = s.Flag("True where the cards are cut again.", absent=True)
    owner = s.Text("Who answers for the build from now on.", absent=True)
    build = s.Text("The build.", absent=True)
    stock = s.Integer("Of a deal or a draw: the cards that are left to draw from.", absent=True, unit="cards")


class ListedTurn(AnswerShape):
    """A legal turn of one play."""

    type = s.Word(("turn",))
    plays = s.ListOf(PLAY)


class ReplayedTurn(AnswerShape):
    """A turn with its number."""

    type = s.Word(("turn",), absent=True)
    turn = s.Integer("The number of the turn, from 1.", absent=True)
    player = s.Text(absent=True)
    plays = s.ListOf(PLAY, absent=True)
    drawn = s.Anything("What was drawn, as it was sent.", absent=True)


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


class MaximumShape(MustTakeShape):
    """The largest capture."""

    cards = s.Integer("How many loose cards.", unit="cards")


class MustAddShape(AnswerShape):
    """What must be added to a build."""

    build = s.Text()
    table = _shown_cards()
    piles = s.ListOf(s.Object(PileCardShape))


_REPLAYED: Final[Mapping[str, s.Field[s.Json]]] = {
    "captures": s.ListOf(s.Object(CaptureShape)),
    "table": _shown_cards("The loose cards at the end."),
    "builds": s.ListOf(s.object_of(Build), "The builds at the end."),
    "proven": s.Keyed(s.ListOf(s.Integer()), "Values that seats are known to hold."),
    "complete": s.Flag("Whether every card was played."),
    "sides": s.ListOf(s.Object(ScoredSide), "The sides of a score request."),
    "result": s.Object(DEAL, "A deal of a score request; null while it goes on.", nullable=True),
}
SHAPES: Final = GameShapes(
    position=s.shape_of(Position),
    move=MOVE,
    effect=EffectShape,
    problems=_PROBLEMS,
    acceptable=_ACCEPTABLE,
    moves=QuestionShapes(
        s.shape_of(MovesRequest),
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
    replay=QuestionShapes(s.shape_of(Record), _REPLAYED),
    replayed_move=s.Object(ReplayedTurn),
    extra={
        "demand": QuestionShapes(
            s.shape_of(DemandRequest),
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
