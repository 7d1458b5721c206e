"""What teaches a game: ways to play to begin with, recorded deals to watch, positions of a quiz, a sheet to read.

People are `p1` to `p4` in all of it, and pairs `p1+p3`; whoever shows it gives them names. A row of cards is written
as figures of the book are: `10♥`, `★` a joker, `■` face down, `□` an empty place, `5○` a card whose suit is not known,
`4♣+5♦` cards that overlap, `9♥|4♣+5♦=9` sets with an announced value, `■×13` a pile, `!` after the card that matters.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final

from companion.engine.dialogue import Phrase
from companion.engine.problems import JsonObject, Node
from companion.engine.verdict import Verdict

_GLYPHS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_JOKERS: Final = {"BJ": "★", "LJ": "☆", "X": "★"}


@dataclass(frozen=True, slots=True)
class Row:
    """Cards of one place: the key of its label among the texts, whose it is, the cards in signs.

    `taps` are the names by which they are tapped, one for each of `cards`; an empty one cannot be tapped. Of the rows
    of a `group` one card can be tapped, of others any number.
    """

    label: str
    cards: tuple[str, ...]
    seat: str = ""
    taps: tuple[str, ...] = ()
    group: str = ""


Scene = tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """A move with its sentence and the verdict on it; `settled` where only later cards decided it."""

    sentence: Phrase
    verdict: Verdict
    settled: str | None = None


@dataclass(frozen=True, slots=True)
class LessonStep:
    """What is seen at once of a deal: the table before the moves, the moves, what else was allowed."""

    scene: Scene
    moves: tuple[Made, ...]
    others: tuple[Phrase, ...] = ()
    passed_over: int = 0
    """Steps of the record that are not shown before this one."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A recorded deal to watch: the request of a replay, and how many of its steps are shown before the last one."""

    record: JsonObject
    texts: str
    """The key of its texts, which ways to play may share."""
    shown: int = 99
    detailed: int = 99
    """Steps that are shown card by card, in games that tell them apart."""

    @property
    def request(self) -> Node:
        """The deal as a replay reads it under the rules of the record."""
        return Node({key: value for key, value in self.record.items() if key != "rules"})


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position and a move in it, as a check takes them, and the article that the answer rests on."""

    rules: JsonObject
    position: JsonObject
    move: JsonObject
    article: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """A place of a sheet which is explained: the deal from 1, the side, the key of the question among the texts."""

    deal: int
    side: str
    question: str


@dataclass(frozen=True, slots=True)
class Way:
    """What teaches one way to play."""

    deals: Mapping[str, Watched]
    """The deals to watch by name: `first`, in which all is legal, and `mistake`."""
    puzzles: Mapping[str, Puzzle]
    """The quiz from easy to hard; its texts have the same names."""
    sheet: JsonObject
    """The score request of a whole game."""
    why: Sequence[Why]


@dataclass(frozen=True, slots=True)
class Lessons:
    """What teaches a game. Its sentences are in `lessons.toml` beside the texts of the game."""

    ways: Mapping[str, Way]
    """What teaches each preset that people choose by name, the first one for beginners."""
    steps: Callable[[Watched], Iterable[LessonStep]]
    """The steps of a deal. Raises Refused for a record that is none."""
    scene: Callable[[Puzzle], Scene]
    """What a position of the quiz looks like."""
    describe: Callable[[Puzzle], Sequence[Phrase]]
    """The sentences that say what the drawing does not show, and the move."""
    draw: Callable[[Random, str], Puzzle]
    """A position of a preset that has not been thought out; what is right there says the judge."""
    acts: Callable[[Puzzle], Mapping[str, Phrase]]
    """What can be done with tapped cards, by name, each with what its button says."""
    tap: Callable[[Puzzle, Sequence[str]], JsonObject | None]
    """The move that is meant by tapped cards and an act; None where that is no move."""
    choice: Mapping[str, Mapping[str, Mapping[str, int]]]
    """Which way suits whom: questions, answers, and how much an answer speaks for a preset."""
    starts: Mapping[str, str] = field(default_factory=dict)
    """Presets with only a quick start and advice, each with the way whose deals, quiz and sheet are offered beside."""


def sign(card: str, *, on: bool = False) -> str:
    """Return the code of a card in signs: `10H` becomes `10♥`, a rank alone `10○`; `on` marks it."""
    mark = "!" if on else ""
    if card in _JOKERS:
        return _JOKERS[card] + mark
    return (card[:-1] + _GLYPHS[card[-1]] if card[-1] in _GLYPHS else f"{card}○") + mark


def signs(cards: Sequence[str], *on: str) -> tuple[str, ...]:
    """Return cards in signs, those among `on` marked."""
    return tuple(sign(card, on=card in on) for card in cards)


def overlapping(cards: Sequence[str]) -> str:
    """Return cards that overlap as one stack in signs."""
    return "+".join(signs(cards))


def load(folder: Path, name: str, preset: str) -> JsonObject:
    """Return the recorded deal of a file beside a game's lessons, played by a preset."""
    record = _read(folder / f"{name}.json")
    return {**record, "rules": {**record["rules"], "preset": preset}}


@lru_cache(maxsize=64)
def _read(path: Path) -> JsonObject:
    value: JsonObject = json.loads(path.read_text(encoding="utf-8"))
    return value
