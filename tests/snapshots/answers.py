"""Questions in the shapes of the API with the engine's whole answers."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, Final

from companion.conformance import published
from companion.engine.game import Game, score
from companion.engine.problems import Node, Refused
from tests.snapshots.plain import kinds, plain

CANDIDATES: Final = 6_000
Record = dict[str, Any]


def answer(game: Game, question: str, request: Any) -> Any:
    """Return what the game answers, or the problems of a request that it refuses."""
    try:
        return plain(_asked(game, question, request))
    except Refused as refused:
        return {"refused": plain(refused.problems)}


def _asked(game: Game, question: str, request: Any) -> Any:
    if question == "score":
        return score(game, request)[1]
    node = Node(request)
    node.object(optional=tuple(request))
    house = game.options.read(node["rules"])
    node.raise_for_problems()
    if question == "check":
        found: Any = game.judge(house.options, node["position"], node["move"])
    else:
        ask = {"moves": game.moves, "replay": game.replay, **game.extra}[question]
        assert ask is not None
        found = ask(house.options, node)
    node.raise_for_problems()
    return found


def repeated(game: Game, record: Record) -> Record:
    """Return a record with the answer of now."""
    return record | {"answer": answer(game, record["ask"], record["request"])}


def drawn(game: Game) -> Iterator[Record]:
    """Yield the published cases, then cases with something changed, that show what none before has shown."""
    dice = random.Random(game.id)
    known = [
        (case["post"].rpartition("/")[2], case["request"]) for case in published() if f"/{game.id}/" in case["post"]
    ]
    known += [("moves", _without(request, "move")) for question, request in known if question == "check"]
    seen: set[str] = set()
    for question, request in candidates(game, dice, known, CANDIDATES):
        record = {"ask": question, "request": request, "answer": answer(game, question, request)}
        new = {f"{question} {kind}" for kind in kinds(record["answer"])} - seen
        if new and len(json.dumps(record)) < 6_000:
            seen |= new
            yield record


def candidates(
    game: Game, dice: random.Random, known: Sequence[tuple[str, Any]], changed: int
) -> Iterator[tuple[str, Any]]:
    """Yield the known questions with their requests, then so many of them with something changed."""
    yield from known
    pool = _pool_of(request for _, request in known)
    for _ in range(changed):
        question, request = dice.choice(known)
        request = deepcopy(request)
        for _ in range(dice.choice((1, 1, 2))):
            _change(dice, request, pool, game)
        yield question, request


def _without(request: Any, name: str) -> Any:
    return {key: value for key, value in request.items() if key != name}


def _pool_of(requests: Iterator[Any]) -> dict[str, list[Any]]:
    """Return every value that occurs under a key, by the key."""
    found: dict[str, list[Any]] = {}
    for request in requests:
        for part in _objects(request):
            for key, value in part.items():
                if value not in found.setdefault(key, []):
                    found[key].append(value)
    return found


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from _objects(each)
    elif isinstance(value, list):
        for each in value:
            yield from _objects(each)


def _change(dice: random.Random, request: Any, pool: dict[str, list[Any]], game: Game) -> None:
    """Change one value of a request: leave it out, take another case's, count on, use other rules."""
    if dice.random() < 0.25:
        preset, other = (dice.choice(list(game.options.presets)) for _ in range(2))
        options = game.options.plain(game.options.preset(other).options)
        name = dice.choice(list(options))
        request["rules"] = {"preset": preset, "options": {name: options[name]}}
        return
    part = dice.choice(list(_objects(request)))
    if not part:
        return
    key = dice.choice(list(part))
    value = part[key]
    match dice.randrange(4):
        case 0:
            del part[key]
        case 1 if isinstance(value, int) and not isinstance(value, bool):
            part[key] = value + dice.choice((-1, 1, 10))
        case 2 if isinstance(value, list) and value:
            value.pop(dice.randrange(len(value)))
        case _:
            part[key] = deepcopy(dice.choice(pool.get(key, [value])))
