"""Keys that stand twice in one object of a JSON text: readers of JSON take the last and say nothing."""

from __future__ import annotations

import json
import re
from typing import Any

from companion.engine.problems import Pointer, Problem

_KEY = re.compile(rb'"[ \t\r\n]*:')


class _Doubled(dict[str, Any]):
    """An object in whose text some keys stood twice."""

    twice: frozenset[str]


def doubled_keys(text: bytes, value: Any) -> list[Problem]:
    """A problem (`duplicate-key`) for each key that stands twice in an object of a JSON text; `value` is what it says.

    A text has at least as many colons behind quotation marks as its value has keys: where there are no more, none
    is missing, and nothing is read again.
    """
    if len(_KEY.findall(text)) == _count_keys(value):
        return []
    try:
        read = json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        return [Problem((), "depth", {"most": 100})]
    return _found(read)


def _count_keys(value: Any) -> int:
    count, waiting = 0, [value]
    for each in waiting:
        if each.__class__ is dict:
            count += len(each)
            waiting.extend(each.values())
        elif each.__class__ is list:
            waiting.extend(each)
    return count


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    seen: set[str] = set()
    doubled = _Doubled(value)
    doubled.twice = frozenset(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return doubled


def _found(value: Any) -> list[Problem]:
    found: list[Problem] = []
    waiting: list[tuple[Pointer, Any]] = [((), value)]
    for pointer, each in waiting:
        if isinstance(each, _Doubled):
            found += [Problem((*pointer, key), "duplicate-key", {"key": key}) for key in each if key in each.twice]
        if isinstance(each, dict):
            waiting += [((*pointer, key), item) for key, item in each.items()]
        elif isinstance(each, list):
            waiting += [((*pointer, place), item) for place, item in enumerate(each)]
    return found
