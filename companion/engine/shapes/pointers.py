"""Problems in marshmallow's messages: their pointers in the whole input, and their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.engine.problems import Pointer, Problem
from companion.engine.shapes.base import Json


def flat(messages: Json, pointer: Pointer = ()) -> Iterator[Problem]:
    """Yield the problems in the messages of a ValidationError, with their pointers."""
    if not isinstance(messages, dict):
        for problem in messages:
            yield moved(problem, pointer)
        return
    for key, inner in messages.items():
        for problem in inner:
            if problem.code == "unknown-key" and not problem.pointer and not problem.facts:  # marshmallow's own
                yield Problem((*pointer, key), problem.code, {"key": key})
            else:
                yield moved(problem, pointer if key == "_schema" else (*pointer, key))


def below(key: str | int, messages: Json) -> list[Problem]:
    """Return the problems in the messages about the value under a key."""
    return [moved(problem, (key,)) for problem in flat(messages)]


def moved(problem: Problem, pointer: Pointer) -> Problem:
    """Return a problem of a value that is at this place."""
    return replace(problem, pointer=(*pointer, *problem.pointer)) if pointer else problem


def in_order(problems: Iterable[Problem], value: Json, pointer: Pointer) -> list[Problem]:
    """Return problems in the order of the input, what is missing in an object first."""
    places: dict[int, dict[str, int]] = {}

    def place(problem: Problem) -> tuple[int, ...]:
        here, found = value, []
        for part in problem.pointer:
            if isinstance(here, dict):
                known = places.setdefault(id(here), {key: place for place, key in enumerate(here)})
                found.append(known.get(str(part), -1))
                here = here.get(part)
            else:
                found.append(part if isinstance(part, int) else -1)
                here = here[part] if isinstance(here, list) and isinstance(part, int) and part < len(here) else None
        return tuple(found)

    return [moved(problem, pointer) for problem in sorted(problems, key=place)]
