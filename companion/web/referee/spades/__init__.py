"""The referee's questions of Spades."""

from __future__ import annotations

from companion.web.referee.spades import call, card, consult, deal, exchange

QUESTIONS = {
    "card": card.QUESTION,
    "call": call.QUESTION,
    "deal": deal.QUESTION,
    "exchange": exchange.QUESTION,
    "consult": consult.QUESTION,
}
