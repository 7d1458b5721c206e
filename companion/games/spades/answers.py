"""The shapes of Spades' answers in JSON, and all its questions with theirs."""

from __future__ import annotations

from typing import Final

from companion.engine import shapes as s
from companion.engine.game import AnswerShape, GameShapes, QuestionShapes, ScoredSide
from companion.games.spades.facts import SpadesDeal, card_field, cards_field, tricks_field
from companion.games.spades.problems import ACCEPTABLE, PROBLEMS
from companion.games.spades.shapes import (
    MOVE,
    PHASES,
    PlayedShape,
    PositionShape,
    SpadesMovesRequest,
    SpadesReplayRequest,
    SpokenField,
)


class EffectShape(AnswerShape):
    """What a legal call or card changes."""

    side = s.Text("Whose contract it is.", absent=True)
    contract = tricks_field("The contract of the side as it stands.", absent=True, nullable=True)
    breaks_spades = s.Flag("True where spades may be led from now on.", absent=True)
    next = s.Text("Who is next.", absent=True, nullable=True)
    winner = s.Text("Who wins the trick.", absent=True)
    card = card_field("The card that wins it.", absent=True)


class ReplayedShape(AnswerShape):
    """A call, an exchange, or a card with its trick."""

    type = s.Word(("call", "exchange", "play"))
    seat = s.Text(absent=True)
    side = s.Text(absent=True)
    call = SpokenField(absent=True)
    card = card_field(absent=True)
    trick = tricks_field("Which trick it was.", absent=True)


class TrickShape(AnswerShape):
    """A trick: its cards in order, who led it and who won it."""

    leader = s.Text()
    cards = cards_field()
    winner = s.Text("Null while the trick is not complete.", nullable=True)


class TableShape(AnswerShape):
    """The table after a move; during the bidding it has no trick."""

    phase = s.Word(PHASES)
    next = s.Text("Whose turn it is: a seat, or a side whose partners announce together.", nullable=True)
    trick_number = tricks_field("Which trick it is.", absent=True)
    trick = s.ListOf(s.Object(PlayedShape), "Its cards in order; a full trick, until the next begins.", absent=True)
    winner = s.Text("Who won the trick, once it is full.", absent=True, nullable=True)
    spades_broken = s.Flag("Whether a spade has been played.", absent=True)
    hands = s.Keyed(s.Count(unit="cards"), "How many cards each seat still holds.", absent=True)


class ListedMoves(AnswerShape):
    """A call or a card that is legal."""

    type = s.Word(("call", "play"))
    seat = s.Text(absent=True)
    side = s.Text(absent=True)
    call = SpokenField(absent=True)
    looked = s.Flag(absent=True)
    card = card_field(absent=True)


SHAPES: Final = GameShapes(
    position=PositionShape,
    move=MOVE,
    effect=EffectShape,
    problems=PROBLEMS,
    acceptable=ACCEPTABLE,
    moves=QuestionShapes(
        SpadesMovesRequest,
        {
            "moves": s.ListOf(s.Object(ListedMoves), "Every legal call or card."),
            "compulsory": s.ListOf(s.Object(ListedMoves), "The only legal one, where there is one alone."),
        },
    ),
    replay=QuestionShapes(
        SpadesReplayRequest,
        {
            "tables": s.ListOf(s.Object(TableShape), "The table after each move, in the order of `verdicts`."),
            "tricks": s.ListOf(s.Object(TrickShape)),
            "complete": s.Flag("Whether every card was played."),
            "sides": s.ListOf(s.Object(ScoredSide), "The sides of a score request."),
            "result": s.Object(SpadesDeal, "A deal of a score request; null while tricks are missing.", nullable=True),
        },
    ),
    replayed_move=s.Object(ReplayedShape),
)
