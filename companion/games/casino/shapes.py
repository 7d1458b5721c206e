"""The shapes of Casino in JSON: facts of a deal, positions, turns and other moves, recorded deals, the demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.deals import DealContext, DealShape
from companion.engine.problems import Problem
from companion.engine.questions import AnswerShape, GameShapes, QuestionShapes, ScoredSide
from companion.games.casino.score import DealFacts, SideFacts, from_cards

MOST_ID: Final = 60
MOST_CARDS: Final = 104
MOST_SETS: Final = 26
MOST_PLAYS: Final = 60
MOST_MATERIAL: Final = 52
MOST_COUNTED: Final = 1_000


def _cards(describe: str = "", *, most: int = s.MAX_ITEMS, **common: Any) -> s.ListOf[Card]:
    return s.ListOf(s.CardField(), describe, most=most, **common)


def _value(describe: str = "", **common: Any) -> s.Integer:
    return s.Integer(describe, **common)


def _count(describe: str = "", **common: Any) -> s.Count:
    return s.Count(describe, high=MOST_COUNTED, **common)


class CapturedShape(s.Shape[SideFacts]):
    """What a side took, card by card."""

    captured = _cards("The cards that it took.")
    sweeps = _count("How often it emptied the table.", default=0)
    last_capture = s.Flag("Whether it captured last.", default=False)

    def make(self, data: dict[str, Any], context: DealContext) -> SideFacts:
        return from_cards(data["captured"], sweeps=data["sweeps"], last_capture=data["last_capture"])


class CountedShape(s.Shape[SideFacts]):
    """What a side took, counted; instead of `cards` and `spades`, all sides may say who had the most."""

    builds = SideFacts
    checks_parts = True
    cards = _count("The number of its cards.", default=None, unit="cards", example=30)
    spades = _count("The number of its spades.", default=None, unit="cards", example=8)
    aces = _count("The number of its aces.", unit="cards", example=3)
    big_ten = s.Flag("Whether it took the ten of diamonds.")
    spy_two = s.Flag("Whether it took the two of spades.")
    sweeps = _count("How often it emptied the table.", default=0)
    last_capture = s.Flag("Whether it captured last.", default=False)
    most_cards = s.Flag("True where it had the most cards, or shared the most.", default=None)
    most_spades = s.Flag("True where it had the most spades, or shared the most.", default=None)

    def check(self, data: Mapping[str, Any], context: DealContext) -> Iterator[Problem]:
        for count, most in (("cards", "most_cards"), ("spades", "most_spades")):
            given = [data.get(key, False) is not None for key in (count, most)]
            if not any(given):
                yield Problem((count,), "required")
            elif all(given):
                yield Problem((most,), "unknown-key", {"key": most})

    def make(self, data: dict[str, Any], context: DealContext) -> SideFacts:
        return SideFacts(**{**data, "most_cards": bool(data["most_cards"]), "most_spades": bool(data["most_spades"])})


class CasinoDeal(DealShape):
    """A deal of Casino: what every side took."""

    unclaimed = _count("Cards that nobody took.", default=0, unit="cards")
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

    def check(self, data: Mapping[str, Any], context: DealContext) -> Iterator[Problem]:
        """A majority is entered as counts by every side, or as who had the most by every side."""
        for count, most in (("cards", "most_cards"), ("spades", "most_spades")):
            without = [side for side, facts in data["sides"].items() if getattr(facts, count) is None]
            if len(without) < len(data["sides"]):
                for side in without:
                    yield Problem((side, most), "unknown-key", {"key": most})
                    yield Problem((side, count), "required")

    def facts(self, data: dict[str, Any], context: DealContext) -> DealFacts:
        return DealFacts(data["sides"], data["unclaimed"])


class BuildShape(s.Shape[dict[str, Any]]):
    """A build on the table: its announced value, its sets, and who answers for it."""

    id = s.Text("The name by which plays call it.", most=MOST_ID)
    value = _value("The announced value.", example=9)
    sets = s.ListOf(
        _cards(most=MOST_CARDS), "One set for a single build, several for an augmented one.", most=MOST_SETS
    )
    owner = s.Seat("Who announced it last.")


class PositionShape(s.Shape[dict[str, Any]]):
    """The table before a turn. What is left out is not known; without `table` and `builds` there are none."""

    seats = s.ListOf(s.Name(), "Two to four seats clockwise; four play as partners across the table.", most=8)
    player = s.Seat("Who is to move.")
    table = _cards("The loose cards.", most=MOST_CARDS, default=())
    builds_ = s.ListOf(s.Object(BuildShape), "The builds.", most=52, default=(), key="builds")
    hand = _cards("The hand of who is to move.", most=MOST_CARDS, optional=True)
    piles = s.Keyed(
        _cards(most=MOST_CARDS), "Captured piles by seat, the top card first; partners share one.", absent=True
    )
    proven = s.Keyed(
        s.ListOf(_value(low=1, high=99), most=52), "Values that a seat is known to hold, from its builds.", absent=True
    )
    half = s.Integer("Which half of the deal it is.", low=1, high=2, optional=True, article="casino.two-halves")
    dealer = s.Seat("Who dealt last, for the verdict on a deal.", absent=True, nullable=True)


class PileCardShape(s.Shape[dict[str, Any]]):
    """A card on top of a captured pile."""

    from_ = s.Seat("Whose pile it is.", key="from")
    card = s.CardField()


class MaterialShape(s.Shape[dict[str, Any]]):
    """Cards announced together: loose ones, one from the hand, tops of piles, builds by their names."""

    id = s.Text("The name of the build that comes of it.", most=MOST_ID, absent=True)
    card = s.CardField("From the hand.", optional=True)
    table = _cards("Loose cards.", absent=True)
    piles = s.ListOf(s.Object(PileCardShape), "Tops of piles.", most=MOST_MATERIAL, absent=True)
    builds_ = s.ListOf(s.Text(most=MOST_ID), "Builds by their names.", most=MOST_MATERIAL, absent=True, key="builds")


class BaseShape(s.Shape[dict[str, Any]]):
    """What an augmented build starts from: one of a build, a loose card, a card of the hand, the top of a pile."""

    build = s.Text("A build by its name.", most=MOST_ID, absent=True)
    table = s.CardField("A loose card.", absent=True)
    hand = s.CardField("A card of the hand.", absent=True)
    pile = s.CardField("The top of a pile.", absent=True)
    from_ = s.Seat("Whose pile it is.", key="from", absent=True)


class _PlayShape(MaterialShape):
    declared = s.Integer("The value that the card counts as, where it has several.", key="as", optional=True)


class CapturePlay(_PlayShape):
    """Cards and builds taken with a card of the hand."""

    play = s.Word(("capture",))


class TrailPlay(_PlayShape):
    """A card laid down on the table."""

    play = s.Word(("trail",))


class BuildPlay(_PlayShape):
    """A new build."""

    play = s.Word(("build",))
    value = _value("The announced value.")
    sets = s.ListOf(s.Object(MaterialShape), "Its sets, where there are several.", most=MOST_SETS, absent=True)


class RaisePlay(_PlayShape):
    """A build whose value is raised by a card."""

    play = s.Word(("raise",))
    build = s.Text("The build by its name.", most=MOST_ID)
    to = _value("The new value.")
    absorb = s.ListOf(_cards(), "Loose sets of the new value that join it.", most=MOST_SETS, absent=True)


class AugmentPlay(_PlayShape):
    """Sets added to a build, or to a card that becomes one."""

    play = s.Word(("augment",))
    value = _value("The announced value.")
    base = s.Object(BaseShape, "What it starts from.")
    sets = s.ListOf(s.Object(MaterialShape), "The sets that are added.", most=MOST_SETS, absent=True)
    asked_by = s.Seat("The partner who asked for it.", optional=True)


PLAY: Final[s.Variants[Any]] = s.Variants(
    "play",
    {"capture": CapturePlay, "build": BuildPlay, "raise": RaisePlay, "augment": AugmentPlay, "trail": TrailPlay},
)
PLAYS: Final = s.ListOf(PLAY, "The plays in order; a turn ends with a card of the hand.", most=MOST_PLAYS)


class TurnMove(s.Shape[dict[str, Any]]):
    """A whole turn."""

    type = s.Word(("turn",))
    player = s.Seat("Who plays it, where that could be another than who is to move.", optional=True)
    plays = PLAYS


class RequestMove(s.Shape[dict[str, Any]]):
    """The request that the partner adds to a build instead of taking it."""

    type = s.Word(("request",))
    build = s.Text("The build by its name.")


class DealMove(s.Shape[dict[str, Any]]):
    """Cards dealt: how many lie on the table and in the hands."""

    type = s.Word(("deal",))
    dealer = s.Seat("Who deals.", optional=True)
    first = s.Seat("Who plays first.", optional=True)
    table = s.Count("Cards on the table.", optional=True, unit="cards")
    hands = s.Keyed(s.Count(unit="cards"), "Cards of each hand, by seat.", absent=True)
    round = s.Integer("Which round of dealing it is.", low=1, optional=True)


class RecutMove(s.Shape[dict[str, Any]]):
    """A second cut, because the first four cards are rich."""

    type = s.Word(("recut",))
    table = _cards("The four cards.", most=MOST_CARDS)


MOVE: Final[s.Variants[Any]] = s.Variants(
    "type", {"turn": TurnMove, "request": RequestMove, "deal": DealMove, "recut": RecutMove}
)


class CasinoMovesRequest(s.Shape[dict[str, Any]]):
    """A position; with a card, what it can take."""

    rules = s.Anything("The house rules, read before.", absent=True)
    position = s.Object(PositionShape)
    card = s.CardField("The card that captures.", optional=True)
    declared = s.Integer("The value that it captures as.", key="as", optional=True)


class CasinoDemandRequest(s.Shape[dict[str, Any]]):
    """An announced capture, of which an opponent demands more."""

    rules = s.Anything("The house rules, read before.", absent=True)
    position = s.Object(PositionShape)
    card = s.CardField("The card that captures.", example="8S")
    declared = s.Integer("The value that it captures as.", key="as", optional=True)
    table = _cards("The loose cards that the player announced.", absent=True)
    builds_ = s.ListOf(s.Text(), "The builds that the player announced.", most=MOST_MATERIAL, absent=True, key="builds")
    piles = s.ListOf(
        s.Object(PileCardShape), "The tops of piles that the player announced.", most=MOST_MATERIAL, absent=True
    )
    by = s.Seat("Who demands.", optional=True)
    play = s.Word(
        ("capture", "trail", "build", "raise", "augment"), "Without it a capture, or a trail of nothing.", absent=True
    )
    acted = s.Flag("Whether the next player has acted since.", default=False)


class RecordedTurn(s.Shape[dict[str, Any]]):
    """A turn as it was played."""

    type = s.Word(("turn",), absent=True)
    player = s.Seat("Who played it, where it was not that player's turn.", optional=True)
    plays = PLAYS


class CasinoReplayRequest(s.Shape[dict[str, Any]]):
    """A recorded deal: who sat where, what lay on the table, the hands, and every turn in order."""

    rules = s.Anything("The house rules, read before.", absent=True)
    seats = s.ListOf(s.Name(), "The seats clockwise.", most=8, absent=True)
    players = s.ListOf(s.Name(), "Another name of `seats`.", most=8, absent=True)
    dealer = s.Seat("Who dealt.", optional=True)
    first = s.Seat("Who played first; without it the seat after the dealer.", optional=True)
    table = _cards("The cards on the table at the start.", most=MOST_CARDS, absent=True)
    hands = s.Keyed(
        s.ListOf(s.Either(s.CardField(), _cards(most=MOST_CARDS))),
        "Hands as dealt, by seat: a list of cards, or where cards are dealt in rounds a list of such lists.",
        optional=True,
    )
    turns = s.ListOf(s.Object(RecordedTurn), "The turns in order.", most=52)


def shown_cards(describe: str = "", **common: Any) -> s.ListOf[Card]:
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


_REPLAYED: Final[Mapping[str, s.Field[Any]]] = {
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
                shown_cards(), "Every complete capture; null on a large table.", absent=True, nullable=True
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
