"""The referee's questions of Casino."""

from __future__ import annotations

from companion.web.referee.casino import deal, dealt, take, turn

QUESTIONS = {
    "take": take.QUESTION,
    "turn": turn.QUESTION,
    "deal": deal.QUESTION,
    "dealt": dealt.QUESTION,
}
