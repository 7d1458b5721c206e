"""Articles: the paragraphs of a rulebook, named by id, that every point and every refusal cites."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Article:
    """One article: its id (`<game>.follow-suit`), the numbers of the rule digest it states, and where it comes from.

    `source` is `seed` for the author's text, `restored` for a gap in it, `reference` for a named one, `ruling` for a
    decision of this program, `table` for a custom.

    `when` and `unless` tell which settings of the options it belongs to; an article that is not played is hidden from
    the page of a table's own rules. So is a `survey`: it only tells what other tables do, at every table or at those
    with all of its settings.
    """

    id: str
    numbers: tuple[str, ...] = ()
    source: str = "seed"
    reference: str = ""
    when: Mapping[str, Collection[object]] = field(default_factory=dict)
    unless: Mapping[str, Collection[object]] = field(default_factory=dict)
    survey: bool | Mapping[str, Collection[object]] = False

    @property
    def anchor(self) -> str:
        """Return the part after the game: `follow-suit`."""
        return self.id.partition(".")[2]

    def played(self, rules: object) -> bool:
        """Return whether the article applies under these options."""
        return all(getattr(rules, name) in values for name, values in self.when.items()) and not any(
            getattr(rules, name) in values for name, values in self.unless.items()
        )

    def printed(self, rules: object) -> bool:
        """Return whether the page of a table with these options has the article: it is played, and no survey there."""
        survey = self.survey
        if not isinstance(survey, bool):
            survey = all(getattr(rules, name) in values for name, values in survey.items())
        return not survey and self.played(rules)


class Articles:
    """The articles of one game in page order, and the ids that have been retired.

    `follows` is the order of play where it is another one: the anchor of an article or a section, and the anchors,
    separated by spaces, of those that come right after it on the page of one way to play (`in_play`). `instead` names
    articles whose options do not tell what holds where they are not played, each with the anchor of one that does.
    """

    def __init__(
        self,
        game: str,
        sections: Mapping[str, Iterable[Article]],
        retired: Mapping[str, str] | None = None,
        *,
        follows: Mapping[str, str] | None = None,
        instead: Mapping[str, str] | None = None,
    ) -> None:
        self.game = game
        self.sections = {name: tuple(articles) for name, articles in sections.items()}
        self.retired = dict(retired or {})
        self._by_id: dict[str, Article] = {}
        for article in (a for group in self.sections.values() for a in group):
            if article.id in self._by_id or article.id in self.retired:
                raise ValueError(f"article id used twice: {article.id}")
            self._by_id[article.id] = article
        self.instead = {f"{game}.{anchor}": self._by_id[f"{game}.{other}"] for anchor, other in (instead or {}).items()}
        self.in_play = _in_play(self.sections, {anchor: names.split() for anchor, names in (follows or {}).items()})

    def __iter__(self) -> Iterator[Article]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, article_id: object) -> bool:
        return article_id in self._by_id

    def __getitem__(self, article_id: str) -> Article:
        """Return an article by id; a retired id returns its successor. Raises KeyError."""
        return self._by_id[self.retired.get(article_id, article_id)]


def _in_play(
    sections: Mapping[str, tuple[Article, ...]], follows: Mapping[str, Sequence[str]]
) -> Mapping[str, tuple[Article, ...]]:
    """Return the articles in the order of play. Raises ValueError for an anchor that is unknown or moved twice."""
    articles = {article.anchor: article for group in sections.values() for article in group}
    moved = [name for names in follows.values() for name in names]
    strange = {*moved, *follows} - articles.keys() - sections.keys()
    if strange or len(moved) != len(set(moved)):
        raise ValueError(f"cannot follow: {sorted(strange) or sorted(name for name in moved if moved.count(name) > 1)}")

    def run(names: Iterable[str]) -> Iterator[str]:
        for name in names:
            yield name
            yield from run(follows.get(name, ()))

    def unmoved(names: Iterable[str]) -> Iterator[str]:
        return run(name for name in names if name not in moved)

    own = {name: unmoved(article.anchor for article in group) for name, group in sections.items()}
    return {name: tuple(articles[anchor] for anchor in own[name]) for name in unmoved(sections)}
