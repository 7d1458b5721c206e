"""Commands that are sent again under the same key: what they have written is answered, and nothing is written twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from companion.engine.problems import Refused
from companion.sheets.shapes import canonical, to_json
from companion.sheets.store import Answered, Conflict, KeyReused, Record
from companion.sheets.tokens import hashed


class Written(Protocol):
    """What a command has written, none if it changed nothing."""

    @property
    def entries(self) -> Sequence[object]:
        """What was written."""


W = TypeVar("W", bound=Written)


def written_once(earlier: Callable[[], W | None], write: Callable[[], W]) -> W:
    """Return the earlier result of a command under its key, or else what `write` returns."""
    if again := earlier():
        return again
    try:
        done = write()
    except (Conflict, Refused):
        # The same command, sent twice at once, may have been written by the other thread in the meantime.
        if again := earlier():
            return again
        raise
    return done if done.entries else earlier() or done


def answer_to(command: object, records: Sequence[Record]) -> Answered:
    """Return what a store keeps under the key of a command that led to these events."""
    return Answered(fingerprint(command), canonical({"first": records[0].seq, "last": records[-1].seq}))


def written_before(before: Answered, command: object) -> tuple[int, int]:
    """Return the first and the last event to which a command has led. Raises KeyReused for another command."""
    if before.fingerprint != fingerprint(command):
        raise KeyReused
    return span(before)


def span(before: Answered) -> tuple[int, int]:
    """Return the first and the last event that a command has become."""
    written = json.loads(before.answer)
    return written["first"], written["last"]


def fingerprint(command: object) -> str:
    """Return what two commands have in common that are the same."""
    return hashed(canonical([type(command).__name__, to_json(command)]))
