"""Calls made ahead of a deal: what they settle of its facts, and how the rest of the facts joins them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.game import Game
from companion.engine.problems import Pointer, Problem, Refused
from companion.engine.reading import Node
from companion.sheets.events import Json
from companion.sheets.scoring import house_rules
from companion.sheets.state import SheetGame


def settled(known: Game, game: SheetGame, calls: Sequence[Json], *, at: int | None = None) -> Json:
    """What the calls of the open deal settle of its facts.

    Raises Refused; faults of the call at the place `at` point into `call`, those of others into `calls`.
    """
    if known.settle_calls is None:
        raise Refused([Problem(("call",), "no-calls", {"game": known.id})])
    problems = [problem for place, call in enumerate(calls) for problem in _unseated(game, place, call)]
    if not problems:
        node = Node([dict(call) for call in calls], ("calls",))
        facts = known.settle_calls(node, house_rules(known, game.rules).options, game.sides)
        problems = node.problems
        if not problems:
            return facts
    raise Refused(
        Problem(("call", *p.pointer[2:]) if p.pointer[:2] == ("calls", at) else p.pointer, p.code, p.facts, p.article)
        for p in problems
    )


def merged(called: Json, given: Json, pointer: Pointer) -> dict[str, Any]:
    """The given facts, completed by what the calls settled. Raises Refused (`calls-differ`) where they contradict."""
    problems: list[Problem] = []
    facts: dict[str, Any] = _joined(called, given, pointer, problems)
    if problems:
        raise Refused(problems)
    return facts


def _unseated(game: SheetGame, place: int, call: Json) -> list[Problem]:
    sides = [side.id for side in game.sides]
    if "seat" in call and call["seat"] not in game.seating:
        choices, key, code = list(game.seating), "seat", "unknown-seat"
    elif "side" in call and call["side"] not in sides:
        choices, key, code = sides, "side", "unknown-side"
    else:
        return []
    return [Problem(("calls", place, key), code, {"value": call[key], "choices": choices})]


def _joined(called: Any, given: Any, pointer: Pointer, problems: list[Problem]) -> Any:
    if isinstance(called, Mapping) and isinstance(given, Mapping):
        both = {
            key: _joined(called[key], item, (*pointer, key), problems) if key in called else item
            for key, item in given.items()
        }
        return {key: item for key, item in called.items() if key not in given} | both
    if isinstance(called, list) and isinstance(given, list) and len(called) == len(given):
        return [
            _joined(_partner(called, place, item), item, (*pointer, place), problems)
            for place, item in enumerate(given)
        ]
    if called != given:
        problems.append(Problem(pointer, "calls-differ", {"called": called, "given": given}))
    return given


def _partner(called: list[Any], place: int, given: Any) -> Any:
    """The called item of the same player, or the one in the same place."""
    if isinstance(given, Mapping) and "player" in given:
        for item in called:
            if isinstance(item, Mapping) and item.get("player") == given["player"]:
                return item
    return called[place]
