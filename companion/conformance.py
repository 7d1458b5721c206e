"""The published cases for any implementation of the API: their runner, and the rule by which answers match.

A case is `{"id", "post", "request", "expect"}`: `request` is posted to the path `post`. `expect` has the `status` of
the answer, the part of its `body` that must be there, and `codes` that its errors must have.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from companion.data import data_folder

VERSION: Final = "1.3"
"""The version of the cases: the second number counts added cases, the first one changed answers."""
_ANY_ORDER: Final = frozenset({"lines", "breaches", "because", "missing"})
"""Lists that match in any order and may hold more than is expected."""
_SECONDS: Final = 30
"""How long an answer may take."""

_Case: TypeAlias = dict[str, Any]
"""A published case, as it is in its file."""


class Unreachable(Exception):
    """Nobody answers at the address."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A case and where its answer differs from what is expected; nowhere if it passed."""

    case: _Case
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What a service answered to the cases."""

    outcomes: tuple[_Outcome, ...]

    @property
    def failed(self) -> tuple[_Outcome, ...]:
        """The cases whose answers differ."""
        return tuple(outcome for outcome in self.outcomes if outcome.differences)

    def summary(self) -> str:
        """Return the result in a line, with the version of the cases."""
        passed = len(self.outcomes) - len(self.failed)
        return f"{passed} of {len(self.outcomes)} cases pass (version {VERSION}, {digest()})"


def published(files: str = "*", containing: str = "") -> list[_Case]:
    """Return the cases of the files whose name matches, of these the ones that have a text in their id or path."""
    found = sorted(data_folder("tests/vectors").glob(f"{files}.jsonl"))
    cases = [json.loads(line) for file in found for line in file.read_text(encoding="utf-8").splitlines() if line]
    return [case for case in cases if containing in case["id"] or containing in case["post"]]


def digest() -> str:
    """Return eight hex digits of all published cases."""
    whole = hashlib.sha256()
    for file in sorted(data_folder("tests/vectors").glob("*.jsonl")):
        whole.update(file.read_bytes())
    return whole.hexdigest()[:8]


def run(url: str, cases: Iterable[_Case]) -> Report:
    """Post every case to a service, `url` being what stands before `/games`. Raises Unreachable."""
    return Report(tuple(judge(case, *_post(url.rstrip("/") + case["post"], case["request"])) for case in cases))


def judge(case: _Case, status: int, answer: object) -> _Outcome:
    """Return the outcome of a case from the status and the JSON of its answer."""
    expect = case["expect"]
    found = differences(expect.get("body", {}), answer)
    if status != expect["status"]:
        found.insert(0, f"status: expected {expect['status']}, got {status}")
    errors = answer.get("errors", []) if isinstance(answer, dict) else []
    missing = set(expect.get("codes", [])) - {error["code"] for error in errors}
    found += [f"/errors: no code {code!r}" for code in sorted(missing)]
    return _Outcome(case, tuple(found))


def differences(expected: object, actual: object, path: str = "") -> list[str]:
    """Return where an answer lacks something of what is expected; an answer may say more.

    Lists of `_ANY_ORDER` are searched, others match item by item. Numbers, texts and flags are the same, in their type
    too.
    """
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            return [f"{path}: no object: {actual!r}"]
        return [
            fault
            for key, value in expected.items()
            for fault in (
                differences(value, actual[key], f"{path}/{key}") if key in actual else [f"{path}/{key}: missing"]
            )
        ]
    if isinstance(expected, list):
        if not isinstance(actual, list):
            return [f"{path}: no list: {actual!r}"]
        if path.rpartition("/")[2] in _ANY_ORDER:
            return [f"{path}: nothing like {e!r}" for e in expected if all(differences(e, a) for a in actual)]
        if len(expected) != len(actual):
            return [f"{path}: expected {expected!r}, got {actual!r}"]
        pairs = enumerate(zip(expected, actual, strict=True))
        return [fault for i, (e, a) in pairs for fault in differences(e, a, f"{path}/{i}")]
    same = expected == actual and type(expected) is type(actual)
    return [] if same else [f"{path}: expected {expected!r}, got {actual!r}"]


def _post(url: str, body: object) -> tuple[int, object]:
    """Return the status and the JSON of an answer; of one that is no JSON, its text. Raises Unreachable."""
    if not url.startswith(("http://", "https://")):
        raise Unreachable(f"{url} is no address of HTTP")
    headers = {"Content-Type": "application/json", "Accept-Language": "en"}
    asked = Request(url, json.dumps(body).encode(), headers)  # noqa: S310  # checked above
    try:
        with urlopen(asked, timeout=_SECONDS) as answer:  # noqa: S310
            status, text = answer.status, answer.read()
    except HTTPError as fault:
        with fault:
            status, text = fault.code, fault.read()
    except (URLError, OSError, ValueError) as fault:
        raise Unreachable(f"{url}: {getattr(fault, 'reason', fault)}") from fault
    try:
        return status, json.loads(text)
    except ValueError:
        return status, text.decode(errors="replace")
