"""What is asked and answered about this game in JSON; and the facts of one deal."""

from __future__ import annotations

from typing import Final

from companion.engine import shapes as s
from companion.engine.game import FACT, AnswerShape, GameShapes, QuestionShapes, ScoredSide
from companion.engine.ledger import POINTS_LIMIT, DealContext, DealShape
from companion.games.spite_and_malice.position import PHASES
from companion.games.spite_and_malice.problems import PROBLEMS
from companion.games.spite_and_malice.score import DealFacts, cards_left
from companion.games.spite_and_malice.shapes.moves import MOVE, OntoSideShape
from companion.games.spite_and_malice.shapes.position import PositionShape
from companion.games.spite_and_malice.shapes.record import SpiteAndMaliceReplayRequest


class SpiteAndMaliceDeal(DealShape):
    """A deal of Spite and Malice: who went out, and the pay-off cards that the others have left."""

    winner = s.SideId("The side that went out; null where nobody could.", nullable=True, example="A")
    remaining = s.Keyed(
        s.Integer(
            low=0, high=POINTS_LIMIT, code="remaining-range", unit="cards", article="spite-and-malice.cards-left"
        ),
        "Pay-off cards left, by side, or in partnerships by player.",
        example={"B": 9},
    )

    def facts(self, data: s.Attributes, context: DealContext) -> DealFacts:
        return cards_left(data["winner"], data["remaining"], context.rules, context.all_sides)


class SpiteAndMaliceMovesRequest(s.Shape[s.Attributes]):
    """A position."""

    rules = s.Anything("The house rules, read before.", absent=True)
    position = s.Object(PositionShape)


class EffectShape(AnswerShape):
    """What a legal move changes."""

    over = s.Flag("True where it ends the deal.", absent=True)
    winner = s.Text("Who has won; null for nobody.", absent=True, nullable=True)
    settled_by = s.Text("The option that settles a deal that nobody can finish.", absent=True)
    turn_ends = s.Flag(absent=True)
    next = s.Text("Who plays next.", absent=True)
    hand_count = s.Integer("Cards in the mover's hand.", absent=True, unit="cards")
    refill = s.Integer("Cards to be drawn.", absent=True, unit="cards")
    stock = s.Integer("Cards in the stock.", absent=True, unit="cards")
    cards = s.Integer("Cards in the whole pack.", absent=True, unit="cards")
    side_stacks = s.ListOf(s.ListOf(s.Text()), "The mover's side stacks.", absent=True)
    centre_stacks = s.ListOf(s.Text(nullable=True), "The effective tops of the centre stacks.", absent=True)
    as_rank = s.Text("The rank that the card stands for.", key="as", absent=True)
    completed = s.Text("What is done with the stack that it completes.", absent=True)
    payoff_left = s.Integer("Cards of the mover's pay-off pile.", absent=True, unit="cards")
    partner_payoff_left = s.Integer("Cards of the partner's pay-off pile.", absent=True, unit="cards")
    turn_up = s.Flag("True where the next pay-off card is turned up.", absent=True)
    played_ace_or_two = s.Flag(absent=True)
    redo = s.Text("How the tops are turned up anew.", absent=True)
    first = s.Text("Who plays first.", absent=True)
    recycled = s.Text("Which stacks go under the stock.", absent=True)
    under_stock = s.Flag(absent=True)
    phase = s.Word(PHASES, absent=True)


class ListedMove(AnswerShape):
    """A legal move."""

    type = s.Text()
    source = s.Text(key="from", absent=True)
    card = s.Text(absent=True)
    stack = s.Integer(absent=True)
    to = s.Either(s.Integer(), s.Object(OntoSideShape), s.Text(), absent=True)
    count = s.Integer(absent=True)
    what = s.Text(absent=True)
    by = s.Text(absent=True)
    first = s.Text(absent=True)


class ReplayedMove(ListedMove):
    """A recorded move with its turn."""

    turn = s.Integer("The number of its turn.")
    seat = s.Text("Who made it.")
    depth = s.Integer(absent=True)
    owner = s.Text(absent=True)
    done = s.Text(key="do", absent=True)
    redo = s.Text(absent=True)
    stock = s.Integer(absent=True)
    payoffs = s.Keyed(s.Integer(), absent=True)
    side_stacks = s.Keyed(s.Integer(), absent=True)
    centre_stacks = s.Integer(absent=True)


class BecauseShape(AnswerShape):
    """An article that asks for a play."""

    article = s.Text()
    text = s.Text()
    facts = s.Keyed(s.Anything(schema=FACT))
    url = s.Text()


class CompulsoryShape(AnswerShape):
    """Plays of which at least one must be made before the turn ends."""

    moves = s.ListOf(s.Object(ListedMove))
    at_least = s.Integer("How many of them.")
    because = s.ListOf(s.Object(BecauseShape))


class OfferShape(AnswerShape):
    """What a side stack accepts."""

    to = s.Either(s.Integer(), s.Text(), describe="Its place, or `new`.")
    accepts = s.ListOf(s.Text(), "Natural ranks, the highest first.")


class SeatPilesShape(AnswerShape):
    """What lies in front of a player."""

    payoff = s.Text(absent=True, nullable=True)
    payoff_left = s.Integer(absent=True, unit="cards")
    side_stacks = s.ListOf(s.ListOf(s.Text()), absent=True)
    hand_count = s.Integer(absent=True, unit="cards")


class TableShape(AnswerShape):
    """The table after a move."""

    player = s.Text("Whose turn it is.")
    phase = s.Word(PHASES)
    centre_stacks = s.ListOf(s.Text(), "The effective tops of the centre stacks; a wild card is of unknown rank.")
    set_aside = s.Integer("Completed stacks that were set aside.", unit="stacks")
    stock = s.Integer("Cards in the stock.", unit="cards")
    piles = s.Keyed(s.Object(SeatPilesShape), "What lies in front of each player.")
    over = s.Flag("Whether the deal is over.")


SHAPES: Final = GameShapes(
    position=PositionShape,
    move=MOVE,
    effect=EffectShape,
    problems=PROBLEMS,
    acceptable=("remaining-range",),
    moves=QuestionShapes(
        SpiteAndMaliceMovesRequest,
        {
            "moves": s.ListOf(s.Object(ListedMove), "Every legal move."),
            "compulsory": s.ListOf(s.Object(CompulsoryShape), "What must be played before the turn ends."),
            "side_stacks": s.ListOf(s.Object(OfferShape), "What each side stack accepts."),
        },
    ),
    replay=QuestionShapes(
        SpiteAndMaliceReplayRequest,
        {
            "tables": s.ListOf(s.Object(TableShape), "The table after each move, in the order of `verdicts`."),
            "complete": s.Flag("Whether the deal is over."),
            "sides": s.ListOf(s.Object(ScoredSide), "The sides of a score request."),
            "result": s.Object(SpiteAndMaliceDeal, "A deal of a score request; null while it goes on.", nullable=True),
            "state": s.Object(PositionShape, "The table at the end, as a position."),
            "piles": s.Keyed(s.Object(SeatPilesShape), "What lies in front of each player at the end."),
        },
    ),
    replayed_move=s.Object(ReplayedMove),
)
