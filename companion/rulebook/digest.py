"""Keeps the two languages together: each English article carries a digest of the Japanese it was made from."""

from __future__ import annotations

from pathlib import Path

from companion.rulebook.source import ANCHOR, pieces


def digests(japanese: str) -> dict[str, str]:
    """The digest of every section and article of a Japanese page, by anchor."""
    return {piece.anchor: piece.digest for piece in pieces(japanese)}


def drifted(japanese: str, english: str) -> list[str]:
    """Anchors of the English page whose Japanese has changed since, is not there, or was never noted."""
    known = digests(japanese)
    return [piece.anchor for piece in pieces(english) if piece.ja is None or known.get(piece.anchor) != piece.ja]


def with_digests(japanese: str, english: str) -> str:
    """The English page with the present digest of the Japanese at every anchor. Raises KeyError for one without it."""
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
