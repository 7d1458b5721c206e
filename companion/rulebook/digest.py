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
    """The drifted anchors of every English page, by file name; empty where the languages agree."""
    found = {path.name: drifted(_japanese(ja_folder, path), path.read_text("utf-8")) for path in _pages(en_folder)}
    return {name: anchors for name, anchors in found.items() if anchors}


def write_digests(ja_folder: Path, en_folder: Path) -> list[str]:
    """Note the present digests in every English page; the names of the files that changed come back.

    To be run when the English says what the Japanese says, not before.
    """
    changed = []
    for path in _pages(en_folder):
        before = path.read_text("utf-8")
        after = with_digests(_japanese(ja_folder, path), before)
        if after != before:
            path.write_text(after, "utf-8")
            changed.append(path.name)
    return changed


def _pages(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.md"))


def _japanese(folder: Path, english: Path) -> str:
    return (folder / english.name).read_text("utf-8")
