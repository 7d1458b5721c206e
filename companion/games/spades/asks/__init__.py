"""The referee's questions about Spades, in the order of their page."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.dialogue import Question
from companion.games.spades.asks import bidding, cards, deal

QUESTIONS: Mapping[str, Question] = {
    "card": cards.CARD,
    "call": bidding.CALL,
    "trick": cards.TRICK,
    "deal": deal.DEAL,
    "exchange": bidding.EXCHANGE,
    "consult": bidding.CONSULT,
    "dealt": cards.DEALT,
}
