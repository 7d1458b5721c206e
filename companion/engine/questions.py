"""The shapes in which a game is asked and answers: positions, moves, effects, recorded deals, questions of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.engine import shapes as s
from companion.engine.problem_facts import SCALAR, FactTypes

Keys = Mapping[str, s.Field[s.Json]]

LIST: Final[s.JsonSchema] = {
    "type": "array",
    "items": {"anyOf": [SCALAR, {"type": "array", "items": SCALAR}]},
}
FACT: Final[s.JsonSchema] = {
    "anyOf": [SCALAR, LIST, {"type": "object", "additionalProperties": {"anyOf": [SCALAR, LIST]}}]
}
"""A fact of a breach, a line or a problem: a scalar, or a list or an object of them."""


@dataclass(frozen=True, slots=True)
class QuestionShapes:
    """A question of one game: its request, and the keys of its answer."""

    request: type[s.Shape[s.Json]]
    answer: Keys
    summary: str = ""
    """What is asked, for a question that is not common to all games."""
    about: str = ""
    """What the answer says, likewise."""


@dataclass(frozen=True, slots=True)
class GameShapes:
    """The shapes of one game beside those that all games share; without one the question is not asked."""

    position: type[s.Shape[s.Json]] | None = None
    move: s.Field[s.Json] | None = None
    """A move to be judged."""
    effect: type[s.Shape[s.Json]] | None = None
    """What a legal move changes."""
    moves: QuestionShapes | None = None
    """What can be done; the verdict's `missing` is among every answer."""
    replay: QuestionShapes | None = None
    """A recorded deal; `verdicts` and `findings` are among every answer."""
    replayed_move: s.Field[s.Json] | None = None
    """A move as the verdict on it in a replay repeats it."""
    extra: Mapping[str, QuestionShapes] = field(default_factory=dict)
    problems: Mapping[str, FactTypes] = field(default_factory=dict)
    """The facts of its own problems by their codes; a code without them may carry any."""
    acceptable: tuple[str, ...] = ()
    """Codes of its problems that may be recorded anyway: what a warning may be about."""


class AnswerShape(s.OpenShape[s.Attributes]):
    """A part of an answer: later versions may add keys."""


class ScoredSide(AnswerShape):
    """A side as a score request has it."""

    id = s.Text()
    players = s.ListOf(s.Text())
