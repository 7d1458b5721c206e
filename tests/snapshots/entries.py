"""Deals entered on a sheet: the answers given, the step after them, and the facts in words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from companion.engine.entry import Entry, EntryStep, Sitting
from companion.engine.game import Game
from tests.snapshots.plain import kinds, plain
from tests.snapshots.tracing import traced

WALKS: Final = 12
STEPS: Final = 30
SEATS: Final = tuple("ABCDEFGHIJKL")
_NAMES: Final = ("Aki", "Ben", "Chika", "Dan", "Emi", "Finn", "Gen", "Hana", "Iris", "Jun", "Ken", "Lea")
NAMES: Final = dict(zip(SEATS, _NAMES, strict=True))
Record = dict[str, Any]


def repeated(game: Game, record: Record) -> Record:
    """Return a record with the step of now and, where the deal is complete, what the pages say of it later."""
    sitting, entry = _sitting(game, record), game.load_entry()
    assert entry is not None
    step = entry.step(sitting, record["answers"])
    later = _later(entry, sitting, step.facts) if step.facts is not None else {}
    return record | {"step": plain(step), "later": later}


def _later(entry: Entry, sitting: Sitting, facts: Any) -> Any:
    said = entry.describe(sitting, facts) if entry.describe else []
    return {"describe": plain(said), "correction": plain(entry.correction(sitting, facts, {}))}


def _sitting(game: Game, record: Record) -> Sitting:
    rules = game.options.preset(record["preset"]).options
    seating = game.seatings(rules)[record["seating"]]
    seats = SEATS[: seating.players]
    sides = seating.sides(seats)
    totals = {side.id: place * record["apart"] for place, side in enumerate(sides)}
    return Sitting(
        rules,
        sides,
        seats,
        NAMES,
        seats[record["dealer"]],
        tuple(record["calls"]),
        tuple(record["deals"]),
        totals=totals,
    )


def drawn(game: Game) -> Iterator[Record]:
    """Yield the steps of random deals, two for each walk, that show or do what none before has shown or done."""
    seen: set[object] = set()
    for walk in range(WALKS):
        for preset in game.options.presets:
            dice = random.Random(f"{preset} {walk}")
            seatings = game.seatings(game.options.preset(preset).options)
            place = dice.randrange(len(seatings))
            start: Record = {
                "preset": preset, "seating": place, "dealer": dice.randrange(seatings[place].players),
                "apart": dice.choice((0, -120, 130)), "calls": [], "answers": {}, "deals": [],
            }  # fmt: skip
            for record in _evening(game, dice, start):
                _, steps = traced(partial(repeated, game, record))
                new = steps.union(kinds([record["step"], record["later"]])) - seen
                if new:
                    seen |= new
                    yield record


def _evening(game: Game, dice: random.Random, record: Record) -> Iterator[Record]:
    for _ in range(STEPS):
        record = repeated(game, record)
        yield record
        entry = game.load_entry()
        assert entry is not None
        step = entry.step(_sitting(game, record), record["answers"])
        if step.facts is not None:
            if record["deals"]:
                return
            record = record | {"calls": [], "answers": {}, "deals": [step.facts]}
            continue
        changed = _answered(game, dice, record, step)
        if changed is None:
            return
        record = record | changed


def _answered(game: Game, dice: random.Random, record: Record, step: EntryStep) -> Record | None:
    if step.modes and dice.random() < 0.1:
        return {"answers": {**record["answers"], "mode": dice.choice(step.modes).value}}
    if step.done and dice.random() < 0.3:
        name, button = step.done
        return {"answers": {**record["answers"], name: button.value}}
    if step.question and step.question.span:
        return {"answers": {**record["answers"], step.question.id: str(dice.randint(*step.question.span))}}
    choices = [choice for group in step.question.groups for choice in group] if step.question else []
    if not step.question or not choices:
        return None
    chosen = dice.choice([choice for choice in choices if choice.tone != "odd"] or choices).value
    if step.kind != "call":
        return {"answers": {**record["answers"], step.question.id: chosen}}
    kind, _, who = step.question.id.partition(":")
    call: Record = {kind: who}
    seat, slash, word = chosen.partition("/")
    if slash:
        call["seat"] = seat
    word = word if slash else chosen
    call["call"] = int(word) if word.isdigit() else word
    return {"calls": [*record["calls"], call | dict(game.call_facts(word))]}
