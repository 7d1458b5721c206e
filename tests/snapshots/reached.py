"""Questions that together reach every line of a game that any test does, with the engine's whole answers.

They come from the tests of the games, from the cases of Spades and from random changes of both.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from companion.engine.game import Game
from tests.snapshots.answers import Record, answer, candidates
from tests.snapshots.answers import repeated as repeated
from tests.snapshots.plain import kinds
from tests.snapshots.tracing import traced

CANDIDATES: Final = 3_000
MOST: Final = 20
"""Numbers from which on one figure is as good as another."""


def drawn(game: Game) -> Iterator[Record]:
    """Yield the kept questions, then random changes of them, that reach a step of the code or a kind of answer anew."""
    file = Path(__file__).parent / f"{game.id}.reached.jsonl"
    known = [(one["ask"], one["request"]) for one in map(json.loads, file.read_text("utf-8").splitlines())]
    seen: set[object] = set()
    for question, request in candidates(game, random.Random(f"reached {game.id}"), known, CANDIDATES):
        found, steps = traced(partial(answer, game, question, request))
        new = steps | {f"{question} {kind}" for kind in (*kinds(found), *_figures(found))}
        record = {"ask": question, "request": request, "answer": found}
        if new - seen and len(json.dumps(record)) < 4_000:
            seen |= new
            yield record


def _figures(value: Any, path: str = "") -> Iterator[str]:
    """Yield every number of an answer with the key that it is under."""
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else (("", each) for each in value):
            yield from _figures(each, key or path)
    elif isinstance(value, int) and not isinstance(value, bool) and abs(value) < MOST:
        yield f"{path} {value}"
