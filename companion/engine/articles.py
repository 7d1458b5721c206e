"""Articles: the paragraphs of a rulebook, named by id, that every point and every refusal cites."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

SOURCES = ("seed", "restored", "reference", "ruling", "table")
"""The author's text; the same with a gap restored; a named reference; this program's ruling; a custom."""


@dataclass(frozen=True, slots=True)
class Article:
    """One article: its id (`<game>.follow-suit`), the numbers of the rule digest it states, and where it comes from.

    `when` and `unless` tell which settings of the options it belongs to; an article that is not played is hidden from
    the page of a table's own rules.
    """

    id: str
    numbers: tuple[str, ...] = ()
    source: str = "seed"
    reference: str = ""
    when: Mapping[str, Collection[object]] = field(default_factory=dict)
    unless: Mapping[str, Collection[object]] = field(default_factory=dict)

    @property
    def anchor(self) -> str:
        """Return the part after the game: `follow-suit`."""
        return self.id.partition(".")[2]

    def played(self, rules: object) -> bool:
        """Return whether the article applies under these options."""
        return all(getattr(rules, name) in values for name, values in self.when.items()) and not any(
            getattr(rules, name) in values for name, values in self.unless.items()
        )


class Articles:
    """The articles of one game in page order, and the ids that have been retired."""

    def __init__(
        self, game: str, sections: Mapping[str, Iterable[Article]], retired: Mapping[str, str] | None = None
    ) -> None:
        self.game = game
        self.sections = {name: tuple(articles) for name, articles in sections.items()}
        self.retired = dict(retired or {})
        self._by_id: dict[str, Article] = {}
        for article in (a for group in self.sections.values() for a in group):
            if article.id in self._by_id or article.id in self.retired:
                raise ValueError(f"article id used twice: {article.id}")
            self._by_id[article.id] = article

    def __iter__(self) -> Iterator[Article]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, article_id: object) -> bool:
        return article_id in self._by_id

    def __getitem__(self, article_id: str) -> Article:
        """Return an article by id; a retired id returns its successor. Raises KeyError."""
        return self._by_id[self.retired.get(article_id, article_id)]
