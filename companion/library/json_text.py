"""Reads JSON as strictly as the web API: no key twice, no NaN, UTF-8. A number without a fraction is an integer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

from companion.engine.problems import Pointer, Problem, Refused
from companion.engine.shapes import LEAST_READ, MOST_READ

_FRACTION: Final = re.compile(rb"[0-9][.eE]")
"""What every number with a fraction or an exponent contains."""
_KEY: Final = re.compile(rb'"[ \t\r\n]*:')


def json_value(text: bytes) -> object:
    """Return the value of a JSON text. Raises JSONDecodeError if it is not JSON, Refused for duplicate keys."""
    try:
        value = json.loads(text.decode(), parse_constant=_refuse_constant)
    except json.JSONDecodeError:
        raise
    except (RecursionError, ValueError) as fault:  # nested too deeply, NaN, numbers of thousands of digits, not UTF-8
        raise json.JSONDecodeError(str(fault), "", 0) from None
    if doubled := duplicate_keys(text, value):
        raise Refused(doubled)
    return whole_numbers(value) if may_have_fractions(text) else value


def may_have_fractions(text: bytes) -> bool:
    """Return False if no number of a JSON text has a fraction or an exponent."""
    return _FRACTION.search(text) is not None


def whole_numbers(value: object) -> object:
    """Return a JSON value whose numbers without a fractional part are integers, as JSON Schema counts them.

    Objects and lists are changed in place. Numbers too large to be exact stay as they are.
    """
    holder = [value]
    waiting: list[dict[str, object] | list[object]] = [holder]
    for each in waiting:
        entries: Iterable[tuple[object, object]] = each.items() if isinstance(each, dict) else enumerate(each)
        for place, item in entries:
            if isinstance(item, dict | list):
                waiting.append(item)
            elif isinstance(item, float):
                each[place] = whole_number(item)  # type: ignore[index, call-overload]  # a place of its own entries
    return holder[0]


def whole_number(value: float) -> float:
    """Return the integer that a number is, or the number itself if it has a fraction or is too large to be exact."""
    return int(value) if LEAST_READ <= value <= MOST_READ and value.is_integer() else value


def _refuse_constant(word: str) -> None:
    """NaN and Infinity are no JSON."""
    raise ValueError(word)


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


class _Repeated(dict[str, object]):
    """An object whose text has duplicate keys."""

    twice: frozenset[str]


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
