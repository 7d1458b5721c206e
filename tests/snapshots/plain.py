"""Values of the engine as JSON, without what has its default."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, Final

from companion.engine.cards import Card
from companion.engine.dialogue import Choice, Face

_NUMBER: Final = re.compile(r"\d+")
_CARDS: Final = re.compile(r"(?:(?:[2-9TJQKA][SHDC]|J[BR]|Aki|Ben|Chika|Dan|Emi|Finn|\b[A-F]\b)[ .&+]*)+")


def plain(value: Any) -> Any:
    """Return a value as JSON: dataclasses by what differs from their defaults, buttons and cards as one text."""
    match value:
        case Card():
            return str(value)
        case Choice() | Face():
            return " ".join(_words(value))
        case Mapping():
            return {str(key): plain(each) for key, each in value.items()}
        case list() | tuple():
            return _joined([plain(each) for each in value], faces=any(isinstance(each, Face) for each in value))
        case set() | frozenset():
            return sorted(map(str, value))
        case _ if is_dataclass(value) and not isinstance(value, type):
            kept = ((each.name, getattr(value, each.name), _default(each)) for each in fields(value) if each.compare)
            return {type(value).__name__: {name: plain(held) for name, held, default in kept if held != default}}
        case None | bool() | int() | float() | str():
            return value
        case _:
            return str(value)


def _default(one: Field[Any]) -> Any:
    return one.default_factory() if one.default_factory is not MISSING else one.default


def _words(value: Choice | Face) -> Iterator[str]:
    for each in fields(value):
        held = getattr(value, each.name)
        if held != _default(each):
            yield f"{each.name}={held if isinstance(held, str | bool | Card) else plain(held)}"


def _joined(items: list[Any], *, faces: bool) -> list[Any]:
    """Return the items; cards in a row that look and act alike are one text."""
    if not faces:
        return items
    groups: dict[str, list[str]] = {}
    for item in items:
        card = item.partition(" ")[0].removeprefix("card=")
        groups.setdefault(item.replace(card, "*"), []).append(card)
    return [f"{look} * = {' '.join(cards)}" for look, cards in groups.items()]


def kinds(value: Any, path: str = "") -> Iterator[str]:
    """Yield what is remarkable about a JSON value: each key with its text, without numbers, cards and names."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from kinds(each, f"{path}/{_NUMBER.sub('#', key)}")
    elif isinstance(value, list):
        yield f"{path} of {min(len(value), 2)}"
        for each in value:
            yield from kinds(each, path)
    elif isinstance(value, str):
        yield f"{path}={_NUMBER.sub('#', _CARDS.sub('*', value))[:80]}"
    else:
        yield f"{path}={value if isinstance(value, bool) or value is None else '#'}"
