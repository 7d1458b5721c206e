"""What the book was made from: the source articles, what they had lost, and what this book decides in their place.

Each game has a `sources.toml` beside its book in every language, with the same decisions in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from companion.data import LANGUAGES, SOURCE_LANGUAGE, read_toml
from companion.engine.game import Game
from companion.games import GAMES
from companion.rulebook.source import game_folder

SURE = ("high", "fair", "low")
"""How sure a decision is, the surest first."""
_FILE = "sources.toml"


@dataclass(frozen=True, slots=True)
class SourceText:
    """A source article: its title, author and date as the source gives them, and what it is about."""

    title: str
    byline: str
    about: str


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that a source article had lost, and how it was restored."""

    what: str
    restored: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of this book: its id, the id of its article, the decision, its reason, the other reading, how sure."""

    id: str
    article: str
    text: str
    why: str
    sure: str
    other: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """What a game's texts say of their sources in one language."""

    texts: tuple[SourceText, ...]
    lost: tuple[Loss, ...]
    decisions: tuple[Decision, ...]


@lru_cache(maxsize=64)
def sources(game_id: str, lang: str) -> Sources | None:
    """Return the sources of a game, None if its texts name none. Raises ValueError for an entry of another shape."""
    path = game_folder(GAMES[game_id], lang) / _FILE
    if not path.is_file():
        return None
    tables = read_toml(path)
    try:
        return Sources(
            tuple(SourceText(**each) for each in tables["texts"]),
            tuple(Loss(**each) for each in tables["lost"]),
            tuple(
                Decision(id=name, **{**each, "article": f"{game_id}.{each['article']}"})
                for name, each in tables["decisions"].items()
            ),
        )
    except (KeyError, TypeError) as fault:
        raise ValueError(f"{path}: {fault}") from fault


def source_faults(game: Game) -> Iterator[str]:
    """Yield what is wrong with the sources of a game: unknown articles, languages that differ."""
    first = sources(game.id, SOURCE_LANGUAGE)
    for lang in LANGUAGES:
        found = sources(game.id, lang)
        if _outline(found) != _outline(first):
            yield f"{lang}, {game.id}: {_FILE} does not have the same entries as in the source language"
        for decision in found.decisions if found else ():
            if decision.article not in game.articles:
                yield f"{lang}, {game.id}: {_FILE} names an unknown article {decision.article}"
            if decision.sure not in SURE:
                yield f"{lang}, {game.id}: {_FILE} is sure of {decision.id} as {decision.sure}"


def _outline(found: Sources | None) -> object:
    """Return what the sources of a game have in every language alike."""
    if found is None:
        return None
    decisions = [(each.id, each.article, each.sure, bool(each.other)) for each in found.decisions]
    return len(found.texts), len(found.lost), decisions
