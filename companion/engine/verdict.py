"""The judge's answer: legal, illegal, or undecided with what is missing; always with the articles it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LEGAL, ILLEGAL, UNDECIDED = "legal", "illegal", "undecided"


@dataclass(frozen=True, slots=True)
class Breach:
    """One broken article, with a stable code for the way it is broken and the facts that show it."""

    article: str
    code: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Missing:
    """One fact that must be known before the move can be judged, and the article that asks for it."""

    fact: str
    article: str
    seat: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Because:
    """One article that allows a legal move."""

    article: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Everything found about one move: every breach, every missing fact, what allows it, what it changes."""

    breaches: tuple[Breach, ...] = ()
    missing: tuple[Missing, ...] = ()
    because: tuple[Because, ...] = ()
    effect: Mapping[str, Any] = field(default_factory=dict)

    @property
    def value(self) -> str:
        """`illegal` where any article is broken, else `undecided` where a fact is missing, else `legal`."""
        return ILLEGAL if self.breaches else UNDECIDED if self.missing else LEGAL


@dataclass(frozen=True, slots=True)
class Judged:
    """A move of a recorded deal with what could be said of it at the time, and what later moves made of it.

    `settled` is `legal` or `illegal` once the rest of the deal decides it, None while it stays open.
    """

    move: Mapping[str, Any]
    verdict: Verdict
    settled: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What a recorded deal shows in retrospect: who, in which trick or turn, with which card, shown by what."""

    article: str
    code: str
    seat: str
    facts: Mapping[str, Any] = field(default_factory=dict)
