"""The questions of a table: what is the score, is this allowed, what can I do, what happened in this deal."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from flask import Response

from companion.engine.game import Game, score
from companion.engine.reading import Node
from companion.rulebook.answers import dressed, score_answer
from companion.web.api import examples
from companion.web.api import question_schemas as schemas
from companion.web.api.operations import blueprint, operation, reply
from companion.web.api.problems import Declined
from companion.web.api.reading import json_body, sound
from companion.web.language import current_language

questions = blueprint("questions", "Scores, verdicts, moves and whole deals. Nothing is stored.")


@operation(
    questions,
    "/games/<game:game>/score",
    takes=schemas.named("Score"), gives=schemas.LedgerSchema, examples=examples.SCORE,
)  # fmt: skip
def score_deals(game: Game) -> Response:
    """The ledger of a game: every deal with its lines, where the sides stand, the outcome."""
    _, ledger = score(game, json_body())
    return reply(score_answer(game, ledger, current_language()))


@operation(
    questions,
    "/games/<game:game>/check",
    takes=schemas.named("Check"), gives=schemas.named("Verdict"), examples=examples.CHECK,
)  # fmt: skip
def check_move(game: Game) -> Response:
    """The verdict on one move: legal, illegal, or undecided with what is missing."""
    return _ask(game, lambda rules, node: game.judge(rules, node["position"], node["move"]), ("position", "move"))


@operation(
    questions,
    "/games/<game:game>/moves",
    takes=schemas.named("Moves"), gives=schemas.named("MovesAnswer"), examples=examples.MOVES,
)  # fmt: skip
def list_moves(game: Game) -> Response:
    """What can be done in a position: legal and compulsory moves, or what a card can take."""
    return _ask(game, game.moves)


@operation(
    questions,
    "/games/<game:game>/replay",
    takes=schemas.named("Replay"), gives=schemas.named("ReplayAnswer"), examples=examples.REPLAY,
)  # fmt: skip
def replay_deal(game: Game) -> Response:
    """A whole recorded deal: a verdict for each move, findings in retrospect, the result ready to be scored."""
    return _ask(game, game.replay)


def _add_extra(name: str) -> None:
    """Add the operation for a question that only some games answer; it is not found for the others."""

    def view(game: Game) -> Response:
        return _ask(game, game.extra.get(name))

    view.__name__ = f"ask_{name}"
    view.__doc__ = schemas.summary_of(name)
    schema = schemas.schema_name(name)
    declare = operation(
        questions,
        f"/games/<game:game>/{name}",
        takes=schemas.named(schema),
        gives=schemas.named(f"{schema}Answer"),
        examples=examples.of_operation(name),
    )
    declare(view)


def _ask(game: Game, question: Callable[[Any, Node], Any] | None, keys: Collection[str] = ()) -> Response:
    """What a game answers to a question about the whole request, in words; `keys` must stand in it, and no others.

    Raises Declined where the game has no such question.
    """
    if question is None:
        raise Declined("not-found")
    node = Node(json_body())
    if keys:
        node.object(required=keys, optional=("rules",))
    house = game.options.read(node["rules"])
    sound(node)
    answer = question(house.options, node)
    sound(node)
    return reply(dressed(game, answer, current_language()))


for _name in schemas.extra_questions():
    _add_extra(_name)
