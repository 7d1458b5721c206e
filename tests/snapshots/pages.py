"""Questions of the referee's pages: a state, an action, and the state and the page after it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from companion.engine.dialogue import Context, State
from companion.engine.game import Game
from tests.referee.test_walks import NAMES, offers, shown_page
from tests.snapshots.plain import kinds, plain
from tests.snapshots.tracing import traced

WALKS: Final = 12
STEPS: Final = 14
Record = dict[str, Any]


def repeated(game: Game, record: Record) -> Record:
    """Return a record with the state and the page of now."""
    question = game.questions[record["question"]]
    rules = game.options.preset(record["preset"]).options
    context = Context(rules, State(record["before"]), NAMES, *([NAMES[:4]] * 2 if record["named"] else ()))
    verb, _, word = record["do"].partition(":")
    after = question.act(context, verb, word).only(question.all_names)
    page = shown_page(question, context.with_state(after))
    return record | {"after": dict(after.values), "page": plain(page)}


def drawn(game: Game) -> Iterator[Record]:
    """Yield the kept steps, then those of random walks, that show or do what none before has shown or done."""
    file = Path(__file__).parent / f"{game.id}.pages.jsonl"
    known = [*map(json.loads, file.read_text("utf-8").splitlines())]
    seen: set[object] = set()
    kept = (traced(partial(repeated, game, one)) for one in known)
    for record, steps in chain(kept, _walked(game, known)):
        shown = kinds([list(record["after"]), record["page"]])
        new = steps.union(f"{record['question']} {kind}" for kind in shown) - seen
        if new:
            seen |= new
            yield record


def _walked(game: Game, known: list[Record]) -> Iterator[tuple[Record, set[object]]]:
    """Yield the steps of random walks, half of them on from a kept step, with the steps of the code that they take."""
    for walk in range(WALKS):
        for name, question in game.questions.items():
            for preset in game.options.presets:
                dice = random.Random(f"{name} {preset} {walk}")
                named = dice.random() < 0.3
                rules = game.options.preset(preset).options
                afters = [one["after"] for one in known if (one["question"], one["preset"]) == (name, preset)]
                state = State(dice.choice(afters) if afters and walk % 2 else {})
                context = Context(rules, state, NAMES, *([NAMES[:4]] * 2 if named else ()))
                page = shown_page(question, context)
                for _ in range(STEPS):
                    found = list(offers(page))
                    if not found:
                        break
                    kind = dice.choice(sorted({where for where, *_ in found}))
                    do = dice.choice([each for each in found if each[0] == kind])[1]
                    record: Record = {
                        "question": name, "preset": preset, "named": named,
                        "before": dict(context.state.values), "do": do,
                    }  # fmt: skip
                    record, steps = traced(partial(repeated, game, record))
                    yield record, steps
                    context = context.with_state(State(record["after"]))
                    page = shown_page(question, context)
