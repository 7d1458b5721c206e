"""Problems of an input that is unreadable or impossible: codes and facts, never sentences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

Pointer = tuple[str | int, ...]
MOST_PROBLEMS = 50
"""Problems of one input that an answer lists."""
MOST_COUNTED = 250
"""Problems of one input after which no more are looked for: a small body could cause tens of thousands of them."""
NamedFacts: TypeAlias = Mapping[str, Any]
"""Facts by name, as a sentence prints them: counts, ids, cards, words of the game."""


def json_pointer(pointer: Pointer) -> str:
    """Return a JSON pointer (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in pointer)


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
    witness: tuple[tuple[Pointer, object], ...] = ()
    """The fewest facts that cannot be true together, each with its pointer; empty unless it was asked for."""

    def path(self) -> str:
        """Return the pointer as a JSON pointer (RFC 6901): `/deals/0/NS/tricks`."""
        return json_pointer(self.pointer)


class Refused(Exception):
    """An unreadable or impossible input. Holds every problem found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "; ".join(f"{problem.path() or '/'}: {problem.code}" for problem in self.problems)


def impossible_position(
    pointers: Iterable[Pointer], why: str, article: str | None = None, **facts: object
) -> Iterator[Problem]:
    """Yield a problem for each of the facts that cannot be true together in any distribution of the cards.

    `why` is a word of the game's own vocabulary (`[facts.why]` of its phrases): how they contradict each other.
    """
    for pointer in pointers:
        yield Problem(pointer, "impossible-position", {"why": why, **facts}, article)


_T = TypeVar("_T")
JsonObject: TypeAlias = Mapping[str, Any]
"""An object of JSON that is already known to be one."""
ABSENT: object = type("Absent", (), {"__repr__": lambda self: "ABSENT", "__bool__": lambda self: False})()


class Node:
    """A place in a JSON value. `read_at` of the shapes reads the value, and records its problems here."""

    __slots__ = ("labels", "pointer", "problems", "value")

    def __init__(
        self, value: Any, pointer: Pointer = (), problems: list[Problem] | None = None, labels: Sequence[str] = ()
    ) -> None:
        self.value = value
        self.pointer = pointer
        self.problems: list[Problem] = [] if problems is None else problems
        self.labels = labels
        """Keys of the value that were read before."""

    @property
    def present(self) -> bool:
        """Whether the key is present; null counts as present."""
        return self.value is not ABSENT

    def fault(
        self, code: str, article: str | None = None, *, at: Pointer = (), contextual: bool = False, **facts: object
    ) -> None:
        """Record a problem at this place, or `at` one below it, unless there are enough of them."""
        if len(self.problems) < MOST_COUNTED:
            self.problems.append(Problem((*self.pointer, *at), code, facts, article, contextual=contextual))

    def raise_for_problems(self) -> None:
        """Raise Refused if any problem was recorded, here or anywhere in the same input."""
        if self.problems:
            raise Refused(self.problems)

    def require(self, found: _T | None) -> _T:
        """Return what was read here. Raises Refused if that is nothing, or any problem was recorded."""
        if found is None or self.problems:
            raise Refused(self.problems)
        return found

    def object(self, *, required: Collection[str] = (), optional: Collection[str] = (), others: bool = False) -> bool:
        """Check that the value is an object with these keys; `others` admits more. Return whether it is an object."""
        if not isinstance(self.value, dict):
            self.fault("type" if self.present else "required", expected="object")
            return False
        for key in required:
            if key not in self.value:
                self.fault("required", at=(key,))
        if not others:
            for key in self.value:
                if key not in required and key not in optional:
                    self.fault("unknown-key", at=(key,), key=key, choices=[*required, *optional, *self.labels])
        return True

    def __getitem__(self, key: str) -> Node:
        value = self.value
        return Node(value.get(key, ABSENT) if value.__class__ is dict else ABSENT, (*self.pointer, key), self.problems)

    def __contains__(self, key: str) -> bool:
        """Return whether the value is an object with this key."""
        return self.value.__class__ is dict and key in self.value

    def names(self) -> list[str]:
        """Return the keys of the object that is here; none where it is something else."""
        return list(self.value) if isinstance(self.value, dict) else []


def read_whole(value: object, read: Callable[[Node], _T], pointer: Pointer = ()) -> _T:
    """Return what `read` makes of a JSON value. Raises Refused with every problem that it recorded."""
    node = Node(value, pointer)
    result = read(node)
    node.raise_for_problems()
    return result
