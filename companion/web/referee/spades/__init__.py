"""The referee's questions of Spades."""

from __future__ import annotations

from companion.web.referee.spades import call, card, consult, deal, dealt, exchange, trick

QUESTIONS = {
    "card": card.QUESTION,
    "call": call.QUESTION,
    "trick": trick.QUESTION,
    "deal": deal.QUESTION,
    "exchange": exchange.QUESTION,
    "consult": consult.QUESTION,
    "dealt": dealt.QUESTION,
}
