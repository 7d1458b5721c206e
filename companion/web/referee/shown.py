"""What the referee's pages are made of: cards as buttons, questions, verdicts with their articles, tables."""

from __future__ import annotations

from dataclasses import dataclass

LEGAL, ILLEGAL, UNDECIDED = "legal", "illegal", "undecided"


@dataclass(frozen=True, slots=True)
class Face:
    """A card as it is drawn; with `do` it is a button.

    `tone` is how it stands: a verdict, `taken` where it lies elsewhere, `gone` where it cannot be tapped. `mark` is
    the small sign under it, `note` says the same to those who do not see it.
    """

    rank: str
    suit: str
    label: str
    do: str = ""
    tone: str = ""
    mark: str = ""
    note: str = ""
    pressed: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One button of a question."""

    do: str
    label: str
    chosen: bool = False
    tone: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """One question answered by buttons, in groups that are shown apart."""

    text: str
    groups: tuple[tuple[Choice, ...], ...]
    numbers: bool = False
    """Whether the first group is a grid of numbers."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A whole number that is typed."""

    name: str
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where tapped cards go, as a tab over the picker; `faces` are shown where their order or number matters."""

    do: str
    label: str
    count: int
    active: bool
    faces: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class Picker:
    """All cards of the pack, row by row."""

    label: str
    rows: tuple[tuple[Face, ...], ...]
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Slot:
    """A card on the table with the name of who played it; `next` marks whose turn it is."""

    name: str
    face: Face | None = None
    next: bool = False
    won: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """One article in its bearing on the question, with the cards that it concerns."""

    text: str
    title: str
    url: str
    faces: tuple[Face, ...] = ()
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """One part of the answer: a heading with its verdict, cards, sentences, articles."""

    heading: str
    value: str = ""
    faces: tuple[Face, ...] = ()
    texts: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table with heads; cells are texts or cards."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str | tuple[Face, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards that lie together on the table: loose cards, a build, a pile, a hand."""

    label: str
    faces: tuple[Face, ...]
    note: str = ""
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A whole page of the referee. `verdict` is the sentence of the bar, `value` its kind."""

    verdict: str
    value: str = ""
    said: tuple[Choice, ...] = ()
    asks: tuple[Ask, ...] = ()
    later: tuple[Ask, ...] = ()
    """Questions under the picker, which must not move while it is tapped."""
    entries: tuple[Entry, ...] = ()
    heaps: tuple[Heap, ...] = ()
    slots: tuple[Slot, ...] = ()
    picker: Picker | None = None
    answers: tuple[Answer, ...] = ()
    tables: tuple[Table, ...] = ()
    tools: tuple[Choice, ...] = ()
    facts: str = ""
    """The result as JSON, for programs and sheets."""
    link: tuple[str, str] | None = None
    """Where to go on: an address and its words."""
