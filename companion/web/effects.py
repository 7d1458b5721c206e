"""Say what a command does to the deals of a game, one sentence for each line and total that changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.engine.ledger import Line
from companion.rulebook.book import say
from companion.rulebook.phrases import Words
from companion.sheets.preview import Effect


def effect_sentences(effects: Iterable[Effect], own: Words, names: Mapping[str, str]) -> list[str]:
    """Return the sentences of effects; `names` are the names of sides and seats by their ids."""
    return [effect_sentence(effect, own, names) for effect in effects]


def effect_sentence(effect: Effect, own: Words, names: Mapping[str, str]) -> str:
    """Return the sentence of an effect, `names` as above."""
    facts: dict[str, object] = {"deal": effect.deal, "side": names.get(effect.side, effect.side)}
    if effect.line is None:
        return say(own.lang, f"effects.{effect.kind}", **facts, before=effect.before, after=effect.after)
    line = named(effect.line, names)
    return say(own.lang, f"effects.{effect.kind}", **facts, points=line.points, line=own.line(line))


def named(line: Line, names: Mapping[str, str]) -> Line:
    """Return a line whose facts name the player; elsewhere facts keep the ids of seats."""
    return replace(line, facts={k: names.get(v, v) if k == "player" else v for k, v in line.facts.items()})
