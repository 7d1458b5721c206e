"""Findings and effects with seats and sides called by the names that people gave them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.rulebook.book import say
from companion.rulebook.messages import PEOPLE
from companion.rulebook.phrases import Words
from companion.sheets.service import Effect


def by_name(facts: Mapping[str, object], names: Mapping[str, str]) -> dict[str, object]:
    """Return facts with names in place of ids; facts that are no people stay as they are."""
    return {key: _named(item, names) if key in PEOPLE else item for key, item in facts.items()}


def _named(item: object, names: Mapping[str, str]) -> object:
    if isinstance(item, str):
        return names.get(item, item)
    if isinstance(item, list | tuple):
        return [_named(each, names) for each in item]
    if isinstance(item, Mapping):
        return {names.get(key, key): value for key, value in item.items()}
    return item


def effect_sentences(effects: Iterable[Effect], own: Words, names: Mapping[str, str]) -> list[str]:
    """Return a sentence for each line and total that a command changes; `names` are those of sides and seats by id."""
    return [effect_sentence(effect, own, names) for effect in effects]


def effect_sentence(effect: Effect, own: Words, names: Mapping[str, str]) -> str:
    """Return the sentence of an effect, `names` as above."""
    facts: dict[str, object] = {"deal": effect.deal, "side": names.get(effect.side, effect.side)}
    if effect.line is None:
        return say(own.lang, f"effects.{effect.kind}", **facts, before=effect.before, after=effect.after)
    line = replace(effect.line, facts=by_name(effect.line.facts, names))
    return say(own.lang, f"effects.{effect.kind}", **facts, points=line.points, line=own.line(line))
