"""Places in a JSON input, where problems are recorded. The fields and shapes of `companion.engine.shapes` read it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias, TypeVar

from companion.engine.problems import MOST_PROBLEMS, Pointer, Problem, Refused

T = TypeVar("T")
JsonObject: TypeAlias = Mapping[str, Any]
"""An object of JSON that is already known to be one."""
ABSENT: object = type("Absent", (), {"__repr__": lambda self: "ABSENT", "__bool__": lambda self: False})()


class Node:
    """A place in a JSON value. `read_at` of the shapes reads the value, and records its problems here."""

    __slots__ = ("pointer", "problems", "value")

    def __init__(self, value: Any, pointer: Pointer = (), problems: list[Problem] | None = None) -> None:
        self.value = value
        self.pointer = pointer
        self.problems: list[Problem] = [] if problems is None else problems

    @property
    def present(self) -> bool:
        """Whether the key is present; null counts as present."""
        return self.value is not ABSENT

    def fault(
        self, code: str, article: str | None = None, *, at: Pointer = (), contextual: bool = False, **facts: object
    ) -> None:
        """Record a problem at this place, or `at` one below it, unless there are enough of them."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem((*self.pointer, *at), code, facts, article, contextual=contextual))

    def raise_for_problems(self) -> None:
        """Raise Refused if any problem was recorded, here or anywhere in the same input."""
        if self.problems:
            raise Refused(self.problems)

    def require(self, found: T | None) -> T:
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
                    self.fault("unknown-key", at=(key,), key=key)
        return True

    def __getitem__(self, key: str) -> Node:
        value = self.value
        found = value.get(key, ABSENT) if value.__class__ is dict else ABSENT
        return Node(found, (*self.pointer, key), self.problems)

    def __contains__(self, key: str) -> bool:
        """Return whether the value is an object with this key."""
        return self.value.__class__ is dict and key in self.value

    def names(self) -> list[str]:
        """Return the keys of the object that is here; none where it is something else."""
        return list(self.value) if isinstance(self.value, dict) else []


def read_whole(value: object, read: Callable[[Node], T], pointer: Pointer = ()) -> T:
    """Return what `read` makes of a JSON value. Raises Refused with every problem that it recorded."""
    node = Node(value, pointer)
    result = read(node)
    node.raise_for_problems()
    return result
