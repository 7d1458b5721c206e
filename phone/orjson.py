"""What the program uses of orjson, by the standard library: on a phone nothing compiled is loaded."""

import json

OPT_NON_STR_KEYS = 4
JSONDecodeError = json.JSONDecodeError
JSONEncodeError = TypeError


def dumps(value: object, *, option: int = 0) -> bytes:
    """Return a value as JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def loads(text: str | bytes) -> object:
    """Return the value of a JSON text."""
    return json.loads(text)
