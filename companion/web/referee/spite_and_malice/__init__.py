"""The referee's questions of Spite and Malice."""

from __future__ import annotations

from companion.web.referee.spite_and_malice import deal, dealt, moves, stack, start, stuck

QUESTIONS = {
    "stack": stack.QUESTION,
    "moves": moves.QUESTION,
    "start": start.QUESTION,
    "stuck": stuck.QUESTION,
    "deal": deal.QUESTION,
    "dealt": dealt.QUESTION,
}
