"""Reads JSON as strictly as the web API: no key twice, no NaN, UTF-8."""

from __future__ import annotations

import json

from companion.engine.duplicates import duplicate_keys
from companion.engine.problems import Refused


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
    return value


def _refuse_constant(word: str) -> None:
    """NaN and Infinity are no JSON."""
    raise ValueError(word)
