"""The notes of a judge on one move: what it breaks, what must be known first, what allows it, what it changes."""

from __future__ import annotations

from typing import Any

from companion.engine.articles import Article
from companion.engine.verdict import Because, Breach, Missing, Verdict


class Ruling:
    """Collects everything found about one move; each finding is noted once."""

    __slots__ = ("because", "breaches", "effect", "missing")

    def __init__(self) -> None:
        self.breaches: list[Breach] = []
        self.missing: list[Missing] = []
        self.because: list[Because] = []
        self.effect: dict[str, Any] = {}

    @property
    def legal(self) -> bool:
        """Whether nothing speaks against the move so far."""
        return not self.breaches and not self.missing

    def breach(self, article: Article, code: str, **facts: Any) -> None:
        """Note a broken article."""
        found = Breach(article.id, code, facts)
        if found not in self.breaches:
            self.breaches.append(found)

    def lack(self, fact: str, article: Article, seat: str | None = None, **facts: Any) -> None:
        """Note a fact that must be known before this article can be judged; asked for once."""
        if all((found.fact, found.seat, found.facts) != (fact, seat, facts) for found in self.missing):
            self.missing.append(Missing(fact, article.id, seat, facts))

    def allow(self, article: Article, **facts: Any) -> None:
        """Note an article that allows the move."""
        found = Because(article.id, facts)
        if found not in self.because:
            self.because.append(found)

    def verdict(self) -> Verdict:
        """The verdict; what allows a move and what it changes stand only in a legal one."""
        if self.legal:
            return Verdict(because=tuple(self.because), effect=self.effect)
        return Verdict(tuple(self.breaches), tuple(self.missing))
