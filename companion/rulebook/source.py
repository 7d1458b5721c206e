"""The source of a rule page, split into its articles, and the digests that keep translations with the original."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.data import data_folder
from companion.engine.game import Game

ANCHOR = re.compile(r'^\{#(?P<anchor>[a-z0-9-]+)(?: ja="(?P<ja>[0-9a-f]{8})")?\}$', re.MULTILINE)
_HEADING = re.compile(r"^(#{1,3}) +(.+)$", re.MULTILINE)
_CITED = re.compile(r"\{% if cited %\}(.*?)\{% (?:elif|else)\b.*\{% endif %\}")
"""A heading that depends on options: the neutral words for those who cite it, then what each table reads."""
_FURIGANA = re.compile(r"\{([^{}|\\]+)\\?\|[^{}|]+\}")


@dataclass(frozen=True, slots=True)
class Piece:
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

        words = " ".join(self.text.split())
        return hashlib.sha256(words.encode()).hexdigest()[:8]


def game_folder(game: Game, lang: str) -> Path:
    """Return the folder with a game's texts in a language: in its own package, or beside the other games' texts."""
    if game.texts:
        from importlib.resources import files

        own = Path(str(files(game.texts))) / f"rules_{lang}"
        if own.is_dir():
            return own
    return data_folder(f"rules_{lang}") / game.id


def pieces(text: str) -> Iterator[Piece]:
    """Parts, sections and articles of a page's Markdown, in order. Raises ValueError where an anchor has no heading."""
    marks = list(ANCHOR.finditer(text))
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        body = text[mark.end() : following.start() if following else len(text)].strip("\n")
        heading = _HEADING.match(body)
        if not heading:
            raise ValueError(f"no heading under {mark[0]}")
        yield Piece(mark["anchor"], len(heading[1]), plain_title(heading[2]), body.strip(), mark["ja"])


def plain_title(text: str) -> str:
    """A heading without the readings of its furigana; of one with conditions, what it is called where it is cited."""
    return _FURIGANA.sub(r"\1", _CITED.sub(r"\1", text)).strip()


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


def digests(japanese: str) -> dict[str, str]:
    """Return the digest of every section and article of a Japanese page, by anchor."""
    return {piece.anchor: piece.digest for piece in pieces(japanese)}


def drifted(japanese: str, english: str) -> list[str]:
    """Return the anchors of the English page whose Japanese has changed since, is not there, or was never noted."""
    known = digests(japanese)
    return [piece.anchor for piece in pieces(english) if piece.ja is None or known.get(piece.anchor) != piece.ja]


def with_digests(japanese: str, english: str) -> str:
    """Return the English page with the digests of the Japanese at its anchors. Raises KeyError for a new anchor."""
    known = digests(japanese)
    return ANCHOR.sub(lambda mark: f'{{#{mark["anchor"]} ja="{known[mark["anchor"]]}"}}', english)


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
