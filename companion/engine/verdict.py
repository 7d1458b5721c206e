"""Verdicts: legal, illegal, or undecided with what is missing; always with the articles they rest on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.engine.articles import Article
from companion.engine.problems import NamedFacts

LEGAL, ILLEGAL, UNDECIDED = "legal", "illegal", "undecided"


@dataclass(frozen=True, slots=True)
class Breach:
    """A broken article, with a stable code for how it is broken and the facts that show it."""

    article: str
    code: str
    facts: NamedFacts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Missing:
    """A fact that must be known before the move can be judged, and the article that needs it."""

    fact: str
    article: str
    seat: str | None = None
    facts: NamedFacts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Because:
    """An article that allows a legal move."""

    article: str
    facts: NamedFacts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """All findings about one move: breaches, missing facts, what allows it, and its effect on the table."""

    breaches: tuple[Breach, ...] = ()
    missing: tuple[Missing, ...] = ()
    because: tuple[Because, ...] = ()
    effect: NamedFacts = field(default_factory=dict)

    @property
    def value(self) -> str:
        """Return `illegal` if any article is broken, else `undecided` if a fact is missing, else `legal`."""
        return ILLEGAL if self.breaches else UNDECIDED if self.missing else LEGAL


class Ruling:
    """Collects everything that a judge finds about one move; each finding is recorded once.

    With `allow_once` an article that allows the move is recorded only with the facts that came first.
    """

    __slots__ = ("_allow_once", "because", "breaches", "effect", "missing")

    def __init__(self, *, allow_once: bool = False) -> None:
        self._allow_once = allow_once
        self.breaches: list[Breach] = []
        self.missing: list[Missing] = []
        self.because: list[Because] = []
        self.effect: dict[str, Any] = {}

    @property
    def legal(self) -> bool:
        """Whether no breach and no missing fact has been recorded."""
        return not self.breaches and not self.missing

    def breach(self, article: Article, code: str, /, **facts: object) -> None:
        """Record a broken article."""
        found = Breach(article.id, code, facts)
        if found not in self.breaches:
            self.breaches.append(found)

    def lack(self, fact: str, article: Article, seat: str | None = None, /, **facts: object) -> None:
        """Record a fact that must be known before this article can be judged."""
        if all((found.fact, found.seat, found.facts) != (fact, seat, facts) for found in self.missing):
            self.missing.append(Missing(fact, article.id, seat, facts))

    def allow(self, article: Article, /, **facts: object) -> None:
        """Record an article that allows the move."""
        found = Because(article.id, facts)
        known = any(one.article == article.id for one in self.because) if self._allow_once else found in self.because
        if not known:
            self.because.append(found)

    def verdict(self) -> Verdict:
        """Return the verdict; only a legal one has `because` and `effect`, only an undecided one missing facts."""
        if self.legal:
            return Verdict(because=tuple(self.because), effect=self.effect)
        return Verdict(tuple(self.breaches), () if self.breaches else tuple(self.missing))


@dataclass(frozen=True, slots=True)
class Judged:
    """A move of a recorded deal with what could be said of it at the time, and what later moves made of it.

    `settled` is `legal` or `illegal` once the rest of the deal decides it, None while it stays open.
    """

    move: NamedFacts
    verdict: Verdict
    settled: str | None = None


class PlainList(list[Any]):
    """A list in an answer that is JSON already: it cites no article, and nobody has to look through it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that a recorded deal shows in retrospect: whose, in which trick or turn, and the evidence."""

    article: str
    code: str
    seat: str
    facts: NamedFacts = field(default_factory=dict)


def record_contradicts(why: str, article: Article, seat: str = "", /, **facts: object) -> Finding:
    """Return the finding that no deal of the cards agrees with a record; it accuses nobody.

    `why` is a word of the game's own vocabulary, as for `engine.problems.impossible_position`.
    """
    return Finding(article.id, "record-contradicts", seat, {"why": why, **facts})
