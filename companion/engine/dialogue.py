"""Questions as data: what a page asks, what a tap changes and what it answers, without words and without drawing.

A game describes its questions with these values; a layer that knows a language turns keys into words, and a layer that
knows a medium draws them. State is the text of an address, so that a question can be shared as a link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from companion.engine.cards import Card
from companion.engine.problems import NamedFacts, Problem
from companion.engine.profile import Rules
from companion.engine.reading import JsonObject
from companion.engine.state import State
from companion.engine.verdict import ILLEGAL, LEGAL, UNDECIDED, Because, Breach, Finding, Judged, Missing, Verdict

Found = Breach | Missing | Because | Finding | Problem
"""Everything with an article that the words of a game can put into a sentence."""
Thing = TypeVar("Thing", bound=Card | int | str)
"""What there is a verdict about: a card, or a call."""

MARKS: Final = {LEGAL: "✓", ILLEGAL: "✕", UNDECIDED: "?"}
UNKNOWN_CARD: Final = Card("?")
"""A card that is there although nobody has named it; its face is a question mark."""
LONGEST_QUERY: Final = 3_500
"""Maximum characters of a query string: gunicorn accepts request lines of 4,094, and some proxies little more."""
SHARED_STATE: Final = ("sheet", "rules")
"""State that every question has: the sheet it was opened from, and the code of the house rules."""


# Texts
@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase by its key, with the facts that fill it; facts may be texts themselves.

    In dialogues the key is dotted; those of lessons and of a sheet's history are keys of their own tables.
    """

    key: str
    facts: NamedFacts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Term:
    """A value in the game's vocabulary: `Term("call", "blind_6")`, `Term("card", "7H")`, `Term("cards", [...])`."""

    fact: str
    value: object


@dataclass(frozen=True, slots=True)
class Sentence:
    """The sentence of a finding, with names in place of seats and sides."""

    found: Found


@dataclass(frozen=True, slots=True)
class Joined:
    """Texts with a separator between them."""

    parts: tuple[Text, ...]
    separator: str = " "


Text = str | Phrase | Term | Sentence | Joined


def card_term(card: Card | str) -> Term:
    """Return a card as text."""
    return Term("card", str(card))


def joined_texts(parts: Iterable[Text], separator: str = " ") -> Joined:
    """Return several texts as one."""
    return Joined(tuple(parts), separator)


# Parts of a page


@dataclass(frozen=True, slots=True)
class Choice:
    """One button: the value it sends, its label, and how it looks.

    `pressed` is None where the button is no toggle. `tone` is `odd` where the rules forbid the choice, `open` where it
    is undecided, `computed` where it follows from other answers; `note` says the same to a screen reader.
    """

    value: str
    label: Text
    pressed: bool | None = None
    tone: str = ""
    note: Text = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question with its buttons in groups. `id` is the name its answer is sent under, where it has one."""

    text: Text
    groups: tuple[tuple[Choice, ...], ...]
    id: str = ""
    numbers: bool = False
    """Whether the first group is a keypad of numbers."""
    place: int | None = None
    """The index of the call that the answer would change."""


@dataclass(frozen=True, slots=True)
class Face:
    """A card as it is shown; with `do` it is a button.

    `tone` is a verdict, `taken` where the card is elsewhere, `gone` where it cannot be tapped, `chosen`. `mark` is the
    small sign below it, `note` says the same to a screen reader.
    """

    card: Card
    do: str = ""
    tone: str = ""
    mark: Text = ""
    note: Text = ""
    pressed: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a trick with its player; `next` marks whose turn it is, `won` who takes the trick."""

    name: Text
    face: Face | None = None
    next: bool = False
    won: bool = False


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards that belong together on the table: loose cards, a build, a pile, a hand."""

    label: Text
    faces: tuple[Face, ...]
    note: Text = ""
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """A whole number that is typed."""

    name: str
    label: Text
    value: str


@dataclass(frozen=True, slots=True)
class Target:
    """A zone that tapped cards go to, as a tab above the picker."""

    do: str
    label: Text
    count: int
    active: bool


@dataclass(frozen=True, slots=True)
class Picker:
    """All cards of the pack in rows, to be tapped."""

    label: Text
    rows: tuple[tuple[Face, ...], ...]
    targets: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """A finding that supports an answer, with the cards or calls it concerns.

    With several `things` the sentence speaks of all of them in place of the fact named `fact`. `around` is a message
    that takes the sentence as its fact `text`.
    """

    found: Found
    things: tuple[Card | int | str, ...] = ()
    fact: str = "card"
    around: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A text of its own that an article supports."""

    text: Text
    article: str


@dataclass(frozen=True, slots=True)
class Scoring:
    """A deal to be scored: every line becomes a reason; what cannot be scored, its problems."""

    sides: tuple[JsonObject, ...]
    result: JsonObject


@dataclass(frozen=True, slots=True)
class AnswerSection:
    """One part of the answer: a heading with a verdict, cards, sentences, articles, what can be tapped next."""

    heading: Text
    value: str = ""
    faces: tuple[Face, ...] = ()
    texts: tuple[Text, ...] = ()
    reasons: tuple[Reason | Citation | Scoring, ...] = ()
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with headings; cells are texts or cards."""

    caption: Text
    heads: tuple[Text, ...]
    rows: tuple[tuple[Text | tuple[Face, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Page:
    """What one question shows. `verdict` is the sentence of the status bar, `value` its kind."""

    verdict: Text
    value: str = ""
    said: tuple[Choice, ...] = ()
    asks: tuple[Prompt, ...] = ()
    later: tuple[Prompt, ...] = ()
    """Prompts below the picker, which must not move while it is tapped."""
    fields: tuple[Field, ...] = ()
    heaps: tuple[Heap, ...] = ()
    slots: tuple[Slot, ...] = ()
    picker: Picker | None = None
    answers: tuple[AnswerSection, ...] = ()
    tables: tuple[Grid, ...] = ()
    tools: tuple[Choice, ...] = ()
    facts: JsonObject | None = None
    """The result as JSON, for programs."""
    sheet_answers: Mapping[str, object] = field(default_factory=dict)
    """The result as answers of the keeper's entry, to be carried over to the sheet."""


# Questions of the referee


@dataclass(frozen=True, slots=True)
class Context:
    """What a question is asked under: the table's rules, the names at the table, and what has been entered."""

    rules: Rules
    state: State
    default_names: tuple[str, ...] = ()
    """Names of seats where no sheet gives any, in the order of the compass from north."""
    names: tuple[str, ...] = ()
    """Names from a sheet in the order of its seats; empty without one."""
    seat_ids: tuple[str, ...] = ()
    """The ids of these seats on the sheet."""
    totals: Mapping[int, int] = field(default_factory=dict)
    """Totals from a sheet, by the index of the side."""
    dealer: int | None = None
    """The index of the seat that deals by the sheet."""

    def say(self, key: str, **facts: object) -> Phrase:
        """Return a phrase of the referee's pages: the game's own `asks.<key>`, or the shared one."""
        return Phrase(f"asks.{key}", facts)

    def with_state(self, state: State) -> Context:
        """Return the same context with another state."""
        return replace(self, state=state)

    def with_names(self, names: tuple[str, ...]) -> Context:
        """Return the same context with other names from a sheet, or none."""
        return replace(self, names=names)

    def seats(self, count: int) -> tuple[str, ...]:
        """Return the names of that many seats clockwise: those of the sheet where they fit, else the default ones."""
        if len(self.names) == count and len(set(self.names)) == count:
            return self.names
        return self.default_names[:count]


@dataclass(frozen=True, slots=True)
class Question:
    """One page of the referee. Its words are `asks.<name>.title`, `.help` and `.short` of the game."""

    names: tuple[str, ...]
    """The names of its state in the order of the address."""
    act: Callable[[Context, str, str], State]
    """Return the state after one action: a verb and a word, such as `tap` and `7H`."""
    page: Callable[[Context], Page]
    """Return what is shown. Raises Refused where the state describes no possible position."""
    longest: int = LONGEST_QUERY

    @property
    def all_names(self) -> tuple[str, ...]:
        """Return every name of the state in the order of the address."""
        return (*SHARED_STATE, *self.names)

    def too_long(self, state: State) -> bool:
        """Return whether the state does not fit into an address."""
        return len(state.query(self.all_names)) > self.longest


def reasons_of(verdict: Verdict) -> tuple[Reason, ...]:
    """Return what a verdict rests on: every breach and missing fact, else what allows the move."""
    found: tuple[Found, ...] = (*verdict.breaches, *verdict.missing)
    return tuple(Reason(one) for one in found or verdict.because)


def decisive(verdict: Verdict) -> tuple[Breach | Missing | Because, ...]:
    """Return what decides a verdict: its breaches, else its missing facts, else what allows the move."""
    if verdict.breaches:
        return verdict.breaches
    return verdict.missing if verdict.value == UNDECIDED else verdict.because if verdict.value == LEGAL else ()


def grouped_reasons(verdicts: Mapping[Thing, Verdict], *, fact: str = "card") -> tuple[Reason, ...]:
    """Return the reasons behind the verdicts on several cards or calls, each once with all that it concerns."""
    groups: dict[tuple[str, str, str], tuple[Breach | Missing | Because, list[Thing]]] = {}
    for thing, verdict in verdicts.items():
        for one in decisive(verdict):
            code = one.code if isinstance(one, Breach) else one.fact if isinstance(one, Missing) else ""
            others = {name: value for name, value in one.facts.items() if name != fact}
            key = (one.article, code, repr(sorted(others.items(), key=str)))
            groups.setdefault(key, (one, []))[1].append(thing)
    order = {Missing: 0, Breach: 1, Because: 2}
    found = sorted(groups.values(), key=lambda each: order[type(each[0])])
    return tuple(Reason(one, tuple(things), fact) for one, things in found)


def finding_reason(finding: Finding) -> Reason:
    """Return a finding with the turn in which it happened and whose it was."""
    if "shown_by" in finding.facts or "turn" not in finding.facts:  # its sentence names both turns, or it has none
        return Reason(finding)
    return Reason(finding, around=Phrase("asks.found-at", {"turn": finding.facts["turn"], "name": finding.seat}))


def verdict_sign(judged: Judged) -> str:
    """Return the verdict on a recorded move as a sign: as it was then, and as later cards settled it."""
    then = MARKS[judged.verdict.value]
    return f"{then}→{MARKS[judged.settled]}" if judged.verdict.value == UNDECIDED and judged.settled else then
