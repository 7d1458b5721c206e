"""Clean names and remarks so that they are safe to store and show."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

MAX_NAME = 40
"""Graphemes of a name, of a title and of a label."""
MAX_REMARK = 200
"""Characters of a reason or a note."""

# Graphemes are counted here and not by a library: none is among the dependencies, the limit of a name needs no more
# than this, and an imported log must be accepted or refused alike whatever Unicode version a library has.
_ZERO_WIDTH_JOINERS = "\u200c\u200d"
_TAGS = range(0xE0020, 0xE0080)
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_REGIONS = range(0x1F1E6, 0x1F200)
_HANGUL_TAILS = range(0x1160, 0x1200)


def clean(text: str) -> str:
    """Return the text in NFC on one line, without control characters and marks that change the writing direction."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    kept = "".join(sign for sign in line if _is_kept(sign))
    kept = " ".join(unicodedata.normalize("NFC", kept).split())
    return kept if kept.strip(_ZERO_WIDTH_JOINERS + " ") else ""


def length(text: str) -> int:
    """Return the number of graphemes: a letter with its accents, an emoji with its parts and a flag count one each."""
    return sum(1 for _ in _graphemes(text))


def fits(name: str) -> bool:
    """Return whether a name, a title or a label is short enough; nobody piles up marks on a letter without end."""
    return length(name) <= MAX_NAME and len(name) <= 8 * MAX_NAME


def _is_kept(sign: str) -> bool:
    if unicodedata.category(sign) == "Cf":
        return sign in _ZERO_WIDTH_JOINERS or ord(sign) in _TAGS
    return unicodedata.category(sign) not in ("Cc", "Cs", "Zl", "Zp")


def _graphemes(text: str) -> Iterator[str]:
    cluster = ""
    for sign in text:
        if cluster and _joins(cluster, sign):
            cluster += sign
            continue
        if cluster:
            yield cluster
        cluster = sign
    if cluster:
        yield cluster


def _joins(cluster: str, sign: str) -> bool:
    place = ord(sign)
    if unicodedata.category(sign) in ("Mn", "Me", "Mc") or sign in _ZERO_WIDTH_JOINERS:
        return True
    if place in _TAGS or place in _SKIN_TONES or place in _HANGUL_TAILS or cluster[-1] == "\u200d":
        return True
    return place in _REGIONS and len(cluster) == 1 and ord(cluster) in _REGIONS
