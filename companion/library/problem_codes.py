"""What the problem codes of the API mean: those of HTTP in the site's words, those of input in the rulebook's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.games import GAMES
from companion.rulebook.words import load_book, say, words

STATUSES: Mapping[str, int] = {
    "bad-request": 400,
    "malformed-json": 400,
    "idempotency-key-required": 400,
    "if-match-unreadable": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "not-found": 404,
    "method-not-allowed": 405,
    "conflict": 409,
    "request-timeout": 408,
    "version-conflict": 412,
    "precondition-failed": 412,
    "too-large": 413,
    "unsupported-media-type": 415,
    "invalid-input": 422,
    "idempotency-key-reused": 422,
    "precondition-required": 428,
    "too-many-requests": 429,
    "server-error": 500,
    "unavailable": 503,
}
"""The kinds of problem documents by their code, each with its status."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a code says, for whom: the status of a whole document, or the games whose input it concerns."""

    title: str
    text: str
    status: int | None
    games: tuple[str, ...]


def explained(code: str, lang: str) -> Meaning | None:
    """What a code means in a language; None for a code that is never given."""
    if code in STATUSES:
        return Meaning(say(lang, f"problem.{code}.title"), say(lang, f"problem.{code}.detail"), STATUSES[code], ())
    speakers = [game for game in ("", *GAMES) if code in words(game, lang).tables["problems"]]
    if not speakers:
        return None
    template = words(speakers[0], lang).tables["problems"][code]
    named = tuple(words(game, lang).name for game in speakers if game) if speakers[0] else ()
    return Meaning(say(lang, "problem.in-input.title"), template(_Blank()), None, named)


def groups(lang: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every code with its meaning, grouped: documents, input of any game, then each game's own."""
    shared = set(words("", lang).tables["problems"])
    found = [(say(lang, "problems.documents"), list(STATUSES)), (say(lang, "problems.input"), sorted(shared))]
    for game in GAMES:
        found.append((words(game, lang).name, sorted(set(words(game, lang).tables["problems"]) - shared)))
    return [(title, [(code, _short(code, lang)) for code in codes]) for title, codes in found if codes]


def all_codes() -> list[str]:
    """Every code that the API may give."""
    tables = (own.tables["problems"] for own in load_book().words.values())
    return sorted({*STATUSES, *(code for table in tables for code in table)})


def _short(code: str, lang: str) -> str:
    meaning = explained(code, lang)
    return "" if meaning is None else meaning.title if meaning.status else meaning.text


class _Gap(str):
    """A fact that is not known, shown as a gap; a sentence that depends on its size is that of a large number."""

    __slots__ = ()

    def __gt__(self, other: object) -> bool:
        return True

    __ge__ = __gt__

    def __lt__(self, other: object) -> bool:
        return False

    __le__ = __lt__


class _Blank(Mapping[str, object]):
    """Facts that are whatever is asked for, shown as a gap."""

    def __getitem__(self, name: str) -> str:
        return _Gap("…")

    def __contains__(self, name: object) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0
