"""The published cases, and the comparison that they are meant for: the expected body is a part of the answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "vectors"
ANY_ORDER = {"lines", "breaches", "because", "missing"}


def cases(pattern: str = "*") -> list[dict[str, Any]]:
    """Every case of the files whose name matches."""
    files = sorted(FOLDER.glob(f"{pattern}.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines() if line]


def differences(expected: Any, actual: Any, path: str = "") -> list[str]:
    """Where the answer lacks something of what is expected; lists of `ANY_ORDER` are searched, others go in step."""
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
        if path.rpartition("/")[2] in ANY_ORDER:
            return [f"{path}: nothing like {e!r}" for e in expected if all(differences(e, a) for a in actual)]
        if len(expected) != len(actual):
            return [f"{path}: expected {expected!r}, got {actual!r}"]
        pairs = enumerate(zip(expected, actual, strict=True))
        return [fault for i, (e, a) in pairs for fault in differences(e, a, f"{path}/{i}")]
    same = expected == actual and type(expected) is type(actual)
    return [] if same else [f"{path}: expected {expected!r}, got {actual!r}"]
