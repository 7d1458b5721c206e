"""The source of a rule page, split into its articles: anchors, titles, bodies, digests."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from companion.data import data_folder
from companion.engine.game import Game

ANCHOR = re.compile(r'^\{#(?P<anchor>[a-z0-9-]+)(?: ja="(?P<ja>[0-9a-f]{8})")?\}$', re.MULTILINE)
_HEADING = re.compile(r"^(#{1,3}) +(.+)$", re.MULTILINE)
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
        words = " ".join(self.text.split())
        return hashlib.sha256(words.encode()).hexdigest()[:8]


def game_folder(game: Game, lang: str) -> Path:
    """Return the folder with a game's texts in a language: in its own package, or beside the other games' texts."""
    own = Path(str(files(game.texts))) / f"rules_{lang}" if game.texts else None
    return own if own and own.is_dir() else data_folder(f"rules_{lang}") / game.id


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
    """A heading without the readings of its furigana."""
    return _FURIGANA.sub(r"\1", text).strip()


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
