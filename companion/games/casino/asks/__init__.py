"""The referee's questions of Casino, by their name in the address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.engine.dialogue import Question
from companion.games.casino.asks import deal, dealt, take, turn

QUESTIONS: Final[Mapping[str, Question]] = {
    "take": take.QUESTION,
    "turn": turn.QUESTION,
    "deal": deal.QUESTION,
    "dealt": dealt.QUESTION,
}
