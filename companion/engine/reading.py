"""Reading JSON values: every fault at once, each with its pointer; nothing is guessed or converted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, TypeVar

from companion.engine.cards import Card, read_card
from companion.engine.characters import is_control, is_encodable, quoted
from companion.engine.problems import MOST_PROBLEMS, Pointer, Problem, Refused

T = TypeVar("T")
ABSENT: object = type("Absent", (), {"__repr__": lambda self: "ABSENT", "__bool__": lambda self: False})()
MAX_ITEMS = 20_000
MAX_TEXT = 400
LEAST_READ = -(2**63)
MOST_READ = 2**64 - 1
"""The least and the largest whole number that are read as one: beyond these, JSON's numbers are inexact."""


class Node:
    """A place in a JSON value. Accessors return the value, or record a problem and return a placeholder."""

    __slots__ = ("pointer", "problems", "value")

    def __init__(self, value: Any, pointer: Pointer = (), problems: list[Problem] | None = None) -> None:
        self.value = value
        self.pointer = pointer
        self.problems: list[Problem] = [] if problems is None else problems

    @property
    def present(self) -> bool:
        """Whether the key is present; null counts as present."""
        return self.value is not ABSENT

    def fault(self, code: str, article: str | None = None, *, contextual: bool = False, **facts: object) -> None:
        """Record a problem at this place, unless there are enough of them."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(self.pointer, code, facts, article, contextual=contextual))

    def object(self, *, required: Collection[str] = (), optional: Collection[str] = (), others: bool = False) -> bool:
        """Check that the value is an object with these keys; `others` admits more. Return whether it is an object."""
        if not isinstance(self.value, dict):
            self.fault("required" if self.value is ABSENT else "type", expected="object")
            return False
        for key in required:
            if key not in self.value:
                self[key].fault("required")
        if not others:
            for key in self.value:
                if key not in required and key not in optional:
                    self[key].fault("unknown-key", key=key)
        return True

    def __getitem__(self, key: str) -> Node:
        value = self.value
        found = value.get(key, ABSENT) if value.__class__ is dict else ABSENT
        return Node(found, (*self.pointer, key), self.problems)

    def __contains__(self, key: str) -> bool:
        """Return whether the value is an object with this key."""
        return self.value.__class__ is dict and key in self.value

    def names(self) -> list[str]:
        """The keys of the object that stands here; none where it is something else."""
        return list(self.value) if isinstance(self.value, dict) else []

    def items(self, *, least: int = 0, most: int = MAX_ITEMS) -> Iterator[Node]:
        """Yield the items of the list; none if the key is absent."""
        if self.value is ABSENT:
            return
        if not isinstance(self.value, list):
            self.fault("type", expected="list")
            return
        if not least <= len(self.value) <= most:
            self.fault("length", least=least, most=most, count=len(self.value))
            return
        for place, item in enumerate(self.value):
            yield Node(item, (*self.pointer, place), self.problems)

    def integer(
        self, *, low: int | None = None, high: int | None = None, code: str = "range", article: str | None = None
    ) -> int:
        """Return the integer; a fraction, a text or a boolean is none."""
        if type(self.value) is not int:
            self.fault("required" if self.value is ABSENT else "type", expected="integer")
            return 0 if low is None else low
        if (low is not None and self.value < low) or (high is not None and self.value > high):
            self.fault(code, article, value=quoted(self.value), low=low, high=high)
            return low or 0
        return self.value

    def flag(self, default: bool | None = None) -> bool:
        """Return the boolean, or the default if the key is absent."""
        if self.value is ABSENT and default is not None:
            return default
        if type(self.value) is not bool:
            self.fault("required" if self.value is ABSENT else "type", expected="boolean")
            return False
        return self.value

    def text(self, *, default: str | None = None, most: int = MAX_TEXT) -> str:
        """Return the text, or the default if the key is absent."""
        if self.value is ABSENT and default is not None:
            return default
        if not isinstance(self.value, str):
            self.fault("required" if self.value is ABSENT else "type", expected="text")
            return ""
        if len(self.value) > most or not (self.value.isascii() or is_encodable(self.value)):
            self.fault("length", least=0, most=most, count=len(self.value))
            return ""
        return self.value

    def name(self, *, most: int) -> str:
        """Return a text that is a name: without control characters and marks that change the writing direction."""
        name = self.text(most=most)
        if not name.isprintable() and any(is_control(sign) for sign in name):
            self.fault("hidden-signs")
            return ""
        return name

    def one_of(self, choices: Collection[str], *, default: str | None = None, code: str = "choice") -> str:
        """Return the word, which must be one of the choices."""
        if self.value is ABSENT and default is not None:
            return default
        word = self.text()
        if word in choices:
            return word
        if isinstance(self.value, str):
            self.fault(code, value=quoted(self.value), choices=list(choices))
        return next(iter(choices), "")

    def card(self, *, jokers: tuple[str, ...] = (), bare_ranks: bool = False) -> Card:
        """Return the card, in any of the usual spellings."""
        text = self.text()
        try:
            return read_card(text, jokers=jokers, bare_ranks=bare_ranks)
        except ValueError:
            if isinstance(self.value, str):
                self.fault("card", value=quoted(self.value))
            return Card("A", "S")

    def cards(self, *, jokers: tuple[str, ...] = (), bare_ranks: bool = False) -> tuple[Card, ...]:
        """Return the cards of the list."""
        return tuple(item.card(jokers=jokers, bare_ranks=bare_ranks) for item in self.items())

    def optional(self, read: Callable[[Node], T]) -> T | None:
        """Return what `read` makes of the value, or None if the key is absent or null."""
        return None if self.value is ABSENT or self.value is None else read(self)


def read_whole(value: object, read: Callable[[Node], T], pointer: Pointer = ()) -> T:
    """Return what `read` makes of a JSON value. Raises Refused with every problem that it recorded."""
    node = Node(value, pointer)
    result = read(node)
    if node.problems:
        raise Refused(node.problems)
    return result
