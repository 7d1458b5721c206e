"""Problems of an input that is unreadable or impossible: codes and facts, never sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Pointer = tuple[str | int, ...]
MOST_PROBLEMS = 500
"""Problems of one input after which no more are looked for: a small body could cause tens of thousands of them."""
NamedFacts: TypeAlias = Mapping[str, Any]
"""Facts by name, as a sentence prints them: counts, ids, cards, words of the game."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of an input: its pointer, its stable code, the facts that show it, the article it breaks."""

    pointer: Pointer
    code: str
    facts: NamedFacts = field(default_factory=dict)
    article: str | None = None
    acceptable: bool = False
    """Whether the facts may be recorded anyway, with a reason."""
    warning: bool = False
    """Whether this is only a hint that refuses nothing."""
    contextual: bool = False
    """Whether a fault of the shape is one only beside the rest of the input: its rules, its seats, another key."""

    def path(self) -> str:
        """Return the pointer as a JSON pointer (RFC 6901): `/deals/0/NS/tricks`."""
        return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in self.pointer)


class Refused(Exception):
    """An unreadable or impossible input. Holds every problem found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{p.path() or '/'}: {p.code}" for p in self.problems))

    def __reduce__(self) -> tuple[type[Refused], tuple[tuple[Problem, ...]]]:
        """Return what pickles it: exceptions are otherwise made again from their text."""
        return type(self), (self.problems,)


def impossible_position(
    pointers: Iterable[Pointer], why: str, article: str | None = None, **facts: object
) -> Iterator[Problem]:
    """Yield a problem for each of the facts that cannot be true together in any distribution of the cards.

    `why` is a word of the game's own vocabulary (`[facts.why]` of its phrases): how they contradict each other.
    """
    for pointer in pointers:
        yield Problem(pointer, "impossible-position", {"why": why, **facts}, article)
