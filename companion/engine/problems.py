"""What is wrong with an input that cannot be read or cannot be: codes and facts, never sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Pointer = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of an input: where it stands, its stable code, the facts that show it, the article behind it."""

    pointer: Pointer
    code: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    article: str | None = None
    acceptable: bool = False
    """True where a keeper may record the facts anyway, with a reason."""
    warning: bool = False
    """True where nothing is refused: the keeper is only told."""

    def path(self) -> str:
        """The pointer as RFC 6901 writes it: `/deals/0/NS/tricks`."""
        return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in self.pointer)


class Refused(Exception):
    """An input that is unreadable or impossible. Carries every problem found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{p.path() or '/'}: {p.code}" for p in self.problems))
