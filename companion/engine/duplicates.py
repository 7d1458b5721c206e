"""Find duplicate keys in the objects of a JSON text: JSON readers silently keep the last one."""

from __future__ import annotations

import json
import re

from companion.engine.problems import Pointer, Problem

_KEY = re.compile(rb'"[ \t\r\n]*:')


class _Repeated(dict[str, object]):
    """An object whose text has duplicate keys."""

    twice: frozenset[str]


def duplicate_keys(text: bytes, value: object) -> list[Problem]:
    """Return a problem (`duplicate-key`) for each duplicate key; `value` is the text as it was read.

    The text is read again only if it has more key-like strings than its value has keys.
    """
    if len(_KEY.findall(text)) == _count_keys(value):
        return []
    try:
        read = json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        return [Problem((), "depth", {"most": 100})]
    return _found(read)


def _count_keys(value: object) -> int:
    count, waiting = 0, [value]
    for each in waiting:
        if each.__class__ is dict:
            count += len(each)
            waiting.extend(each.values())
        elif each.__class__ is list:
            waiting.extend(each)
    return count


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    seen: set[str] = set()
    repeated = _Repeated(value)
    repeated.twice = frozenset(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return repeated


def _found(value: object) -> list[Problem]:
    found: list[Problem] = []
    waiting: list[tuple[Pointer, object]] = [((), value)]
    for pointer, each in waiting:
        if isinstance(each, _Repeated):
            found += [Problem((*pointer, key), "duplicate-key", {"key": key}) for key in each if key in each.twice]
        if isinstance(each, dict):
            waiting += [((*pointer, key), item) for key, item in each.items()]
        elif isinstance(each, list):
            waiting += [((*pointer, place), item) for place, item in enumerate(each)]
    return found
