"""The questions of a table, asked in JSON and answered in JSON with words.

Every function takes the value of a request and a language. All raise Refused with every problem of the request.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from companion.engine.game import Game, score
from companion.engine.ledger import Rules
from companion.engine.options import CODE_LENGTH, HouseRules
from companion.engine.problems import JsonObject, Node, Refused
from companion.engine.shapes import Text, read
from companion.engine.verdict import Verdict
from companion.rulebook import answers

T = TypeVar("T")
Answering = Callable[[Game, object, str], answers.Json]
"""The answer to a request in a language. Raises Refused or NotAsked."""
CODE: Final = Text("House rules as a preset or a short code.", most=CODE_LENGTH)


class NotAsked(LookupError):
    """A question that a game does not answer."""


def answer_score(game: Game, value: object, lang: str) -> answers.Json:
    """Return the ledger of a score request."""
    _, ledger = score(game, value)
    return answers.score_answer(game, ledger, lang)


def answer_check(game: Game, value: object, lang: str) -> answers.Json:
    """Return the verdict on one move in a position."""
    return answers.check_answer(game, judge_request(game, value), lang)


def judge_request(game: Game, value: object) -> Verdict:
    """Return the verdict on the request of a check, without words."""
    node = Node(value)
    node.object(required=("position", "move"), optional=("rules",))
    return _ask(game, lambda rules, node: game.judge(rules, node["position"], node["move"]), node)


def answer_moves(game: Game, value: object, lang: str) -> answers.Json:
    """Return what can be done in a position. Raises NotAsked if the game lists nothing."""
    return answer_question(game, game.moves, value, lang)


def answer_replay(game: Game, value: object, lang: str) -> answers.Json:
    """Return a verdict on each move of a recorded deal, and findings. Raises NotAsked if the game replays nothing."""
    return answer_question(game, game.replay, value, lang)


def answer_extra(game: Game, name: str, value: object, lang: str) -> answers.Json:
    """Return the answer to a question that only some games answer. Raises NotAsked if this one does not."""
    return answer_question(game, game.extra.get(name), value, lang)


def answer_question(
    game: Game, question: Callable[[object, Node], JsonObject] | None, value: object, lang: str
) -> answers.Json:
    """Return what a game answers to a question about a whole request. Raises NotAsked without a question."""
    if question is None:
        raise NotAsked
    answered: answers.Json = answers.localize(game, _ask(game, question, Node(value)), lang)
    return answered


def answer_rules(game: Game, value: object, lang: str) -> answers.Json:
    """Return house rules written out; `value` has them under `rules`, or their short code under `code`."""
    node = Node(value)
    node.object(optional=("rules", "code"))
    if node["code"].present and node["rules"].present:
        node["code"].fault("unknown-key", contextual=True, key="code")
    house = read_house(game, node["code"] if node["code"].present else node["rules"])
    node.raise_for_problems()
    from companion.rulebook.answers import rules_answer

    return rules_answer(game, house, lang)


def answer_diff(game: Game, value: object, lang: str) -> answers.Json:
    """Return what two sets of house rules, `one` and `other`, play differently."""
    node = Node(value)
    node.object(required=("one", "other"))
    one, other = read_house(game, node["one"]), read_house(game, node["other"])
    node.raise_for_problems()
    from companion.rulebook.answers import diff_answer

    return diff_answer(game, one, other, lang)


def read_house(game: Game, node: Node) -> HouseRules[object]:
    """Return house rules written as an object or as a short code; none are the default preset."""
    if not isinstance(node.value, str):
        return game.options.read(node)
    try:
        return game.options.decode(read(CODE, node.value, node.pointer), pointer=node.pointer)
    except Refused as refused:
        node.problems.extend(refused.problems)
        return game.options.preset()


def _ask(game: Game, question: Callable[[Rules, Node], T], node: Node) -> T:
    house = game.options.read(node["rules"])
    node.raise_for_problems()
    answer = question(house.options, node)
    node.raise_for_problems()
    return answer
