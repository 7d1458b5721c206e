"""The source of a rule page as articles, digests that keep translations with it, and what it was made from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from companion.data import LANGUAGES, SOURCE_LANGUAGE, data_folder, read_toml
from companion.engine.game import Game
from companion.games import GAMES

_ANCHOR = re.compile(r'^\{#(?P<anchor>[a-z0-9-]+)(?: ja="(?P<ja>[0-9a-f]{8})")?\}$', re.MULTILINE)
_HEADING = re.compile(r"^(#{1,3}) +(.+)$", re.MULTILINE)
_CITED = re.compile(
    r"\{% if (?:[^%]* or )?cited(?: or [^%]*)? %\}(.*?)\{% (?:elif|else)\b.*\{% endif %\}"
    r"|\{% if [^%]* and not cited %\}.*?\{% else %\}(.*?)\{% endif %\}"
)
"""A heading that depends on options: the neutral words for those who cite it, then what each table reads."""
_FURIGANA = re.compile(r"\{([^{}|\\]+)\\?\|[^{}|]+\}")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece as written: its anchor, level (1 part, 2 section, 3 article), title, and text from the heading on."""

    anchor: str
    level: int
    title: str
    text: str
    ja: str | None
    """The digest of the Japanese that an English piece was made from."""

    @property
    def digest(self) -> str:
        """Eight hex digits of the text; line breaks and spaces at the ends do not count."""
        import hashlib  # as `files` below: not for who only scores

        return hashlib.sha256(" ".join(self.text.split()).encode()).hexdigest()[:8]


def game_folder(game: Game, lang: str) -> Path:
    """Return the folder with a game's texts in a language: in its own package, or beside the other games' texts."""
    if game.texts:
        from importlib.resources import files

        own = Path(str(files(game.texts))) / f"rules_{lang}"
        if own.is_dir():
            return own
    return data_folder(f"rules_{lang}") / game.id


def pieces(text: str) -> Iterator[_Piece]:
    """Parts, sections and articles of a page's Markdown, in order. Raises ValueError where an anchor has no heading."""
    marks = list(_ANCHOR.finditer(text))
    for mark, following in zip(marks, [*marks[1:], None], strict=False):  # a page may be empty
        body = text[mark.end() : following.start() if following else len(text)].strip("\n")
        heading = _HEADING.match(body)
        if not heading:
            raise ValueError(f"no heading under {mark[0]}")
        yield _Piece(mark["anchor"], len(heading[1]), _plain_title(heading[2]), body.strip(), mark["ja"])


def completed(text: str, original: str, note: str) -> str:
    """Return a translated page in the order of its original, with the pieces that it lacks from there and a note."""
    own, (head, *others) = dict(_raw_pieces(text)), _raw_pieces(original)
    parts = [own.pop("", "").strip() or head[1]]
    parts += [own.pop(anchor, f"{piece.rstrip()}\n\n*{note}*\n\n") for anchor, piece in others]
    return "\n".join((*parts, *own.values()))


def _raw_pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield what is in front of the first anchor of a page, and every piece with the line of its anchor."""
    marks = list(_ANCHOR.finditer(text))
    ends = [*(mark.start() for mark in marks), len(text)]
    yield "", text[: ends[0]]
    for mark, end in zip(marks, ends[1:], strict=True):
        yield mark["anchor"], text[mark.start() : end]


def _plain_title(text: str) -> str:
    """A heading without the readings of its furigana; of one with conditions, what it is called where it is cited."""
    return _FURIGANA.sub(r"\1", _CITED.sub(r"\1\2", text)).strip()


def titles(text: str, prefix: str) -> dict[str, str]:
    """The titles of a page's articles by article id."""
    return {f"{prefix}.{piece.anchor}": piece.title for piece in pieces(text) if piece.level == 3}


def parts(text: str) -> dict[str, str]:
    """The part of its page that every anchor stands in, by its name; the first part has none, nor an anchor."""
    found: dict[str, str] = {}
    part = ""
    for piece in pieces(text):
        if piece.level == 1:
            part = piece.anchor
        found[piece.anchor] = part
    return found


def _digests(japanese: str) -> dict[str, str]:
    """Return the digest of every section and article of a Japanese page, by anchor."""
    return {piece.anchor: piece.digest for piece in pieces(japanese)}


def drifted(japanese: str, english: str) -> list[str]:
    """Return the anchors of the English page whose Japanese has changed since, is not there, or was never noted."""
    known = _digests(japanese)
    return [piece.anchor for piece in pieces(english) if piece.ja is None or known.get(piece.anchor) != piece.ja]


def with_digests(japanese: str, english: str) -> str:
    """Return the English page with the digests of the Japanese at its anchors. Raises KeyError for a new anchor."""
    known = _digests(japanese)
    return _ANCHOR.sub(lambda mark: f'{{#{mark["anchor"]} ja="{known[mark["anchor"]]}"}}', english)


def check_digests(ja_folder: Path, en_folder: Path) -> dict[str, list[str]]:
    """Return the drifted anchors of every English page that has some, by its path (`<game>/book.md`)."""
    found = {
        page: drifted((ja_folder / page).read_text("utf-8"), (en_folder / page).read_text("utf-8"))
        for page in _pages(en_folder)
    }
    return {name: anchors for name, anchors in found.items() if anchors}


def write_digests(ja_folder: Path, en_folder: Path) -> list[str]:
    """Write the present digests into every English page and return the paths of those that changed.

    To be run when the English says what the Japanese says, not before.
    """
    changed = []
    for page in _pages(en_folder):
        before = (en_folder / page).read_text("utf-8")
        after = with_digests((ja_folder / page).read_text("utf-8"), before)
        if after != before:
            (en_folder / page).write_text(after, "utf-8")
            changed.append(page)
    return changed


def _pages(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))


_SURE = ("high", "fair", "low")
"""How sure a decision is, the surest first."""
_FILE = "sources.toml"


@dataclass(frozen=True, slots=True)
class _SourceText:
    """A source article: its title, author and date as the source gives them, and what it is about."""

    title: str
    byline: str
    about: str


@dataclass(frozen=True, slots=True)
class _Loss:
    """Something that a source article had lost, and how it was restored."""

    what: str
    restored: str


@dataclass(frozen=True, slots=True)
class _Decision:
    """A decision of this book: its id, the id of its article, the decision, its reason, the other reading, how sure."""

    id: str
    article: str
    text: str
    why: str
    sure: str
    other: str = ""


@dataclass(frozen=True, slots=True)
class _Sources:
    """What a game's texts say of their sources in one language."""

    texts: tuple[_SourceText, ...]
    lost: tuple[_Loss, ...]
    decisions: tuple[_Decision, ...]


@lru_cache(maxsize=64)
def sources(game_id: str, lang: str) -> _Sources | None:
    """Return the sources of a game, None if its texts name none. Raises ValueError for an entry of another shape."""
    path = game_folder(GAMES[game_id], lang) / _FILE
    tables = read_toml(path)
    if not tables:
        return None
    try:
        return _Sources(
            tuple(_SourceText(**each) for each in tables["texts"]),
            tuple(_Loss(**each) for each in tables["lost"]),
            tuple(
                _Decision(id=name, **{**each, "article": f"{game_id}.{each['article']}"})
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
            if decision.sure not in _SURE:
                yield f"{lang}, {game.id}: {_FILE} is sure of {decision.id} as {decision.sure}"


def _outline(found: _Sources | None) -> object:
    """Return what the sources of a game have in every language alike."""
    if found is None:
        return None
    decisions = [(each.id, each.article, each.sure, bool(each.other)) for each in found.decisions]
    return len(found.texts), len(found.lost), decisions
