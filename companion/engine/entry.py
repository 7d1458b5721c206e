"""How the deals of a game are entered on a sheet: a list of questions, each answered by one button."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from companion.engine.dialogue import Choice, Prompt, Text
from companion.engine.ledger import Adjustment, Irregularity, Rules, Side, team_name
from companion.engine.problems import JsonObject

Answers = Mapping[str, str]
"""Answers given so far, by the ids of their prompts."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """The deal that is being entered: who plays by which rules, the calls made so far, what came before.

    Names are by seat id. `deals` are the facts of the deals recorded so far, void ones included.
    """

    rules: Rules
    sides: tuple[Side, ...]
    seating: tuple[str, ...]
    names: Mapping[str, str]
    dealer: str
    calls: tuple[JsonObject, ...] = ()
    deals: tuple[JsonObject, ...] = ()
    opening: JsonObject = field(default_factory=dict)
    totals: Mapping[str, int] = field(default_factory=dict)
    """Totals before this deal, by side id."""
    adjustments: tuple[Adjustment, ...] = ()
    """What the table gives or takes beside it."""
    irregularities: tuple[Irregularity, ...] = ()
    """What went wrong in it."""

    def side_name(self, side: Side) -> str:
        """Return the names of a side's players, joined."""
        return team_name(self.names[seat] for seat in side.players) or side.id


@dataclass(frozen=True, slots=True)
class Answered:
    """A question that is settled, with its answer, and the id that opens it again (`change=2` for the third call)."""

    question: str
    label: Text
    value: Text
    computed: bool = False
    mark: Text = ""
    """What the rules say against the answer."""
    article: str = ""
    """The id of the article that says so."""
    side: str = ""
    """The id of the side it belongs to; empty where it belongs to nobody alone."""
    seat: str = ""
    """The seat that called it; empty where partners call together, and for what is counted."""


@dataclass(frozen=True, slots=True)
class Mode:
    """Another way to enter the same deal."""

    value: str
    label: Text
    current: bool


@dataclass(frozen=True, slots=True)
class SeatNote:
    """What stands at one seat of the drawn table: a figure, and in small type what it is."""

    seat: str
    figure: Text
    detail: Text = ""
    pile: int | None = None
    """Cards of a face-down pile that is drawn there; 0 for its empty place, None for no pile."""
    of_side: Text = ""
    """What is true of all who score together; shown with their total."""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One row of the drawn table: the value and the points of each side."""

    label: Text
    cells: tuple[tuple[Text, int], ...]
    asked: bool = False
    """Whether the question is about this row."""


@dataclass(frozen=True, slots=True)
class EntryStep:
    """How far the entry of a deal is.

    `kind` is `call` while calls are made (each is saved at once), `ask` while facts are counted (kept in the address),
    `ready` when the deal can be saved.
    """

    kind: str
    said: tuple[Answered, ...]
    question: Prompt | None = None
    hint: Text = ""
    facts: JsonObject | None = None
    answers: Answers | None = None
    modes: tuple[Mode, ...] = ()
    done: tuple[str, Choice] | None = None
    """The button that completes a list, with the name it is sent under."""
    asked: str = ""
    """The id of the side, or of the seat, that the question is about; empty where it is about nobody alone."""
    notes: tuple[SeatNote, ...] = ()
    rows: tuple[LedgerRow, ...] = ()
    calls: tuple[JsonObject, ...] | None = None
    """The calls of a recorded deal, where the answers change them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """How a game's deals are entered on a sheet."""

    step: Callable[[Sitting, Answers], EntryStep]
    """Return the next step of the open deal."""
    correction: Callable[[Sitting, JsonObject | None, Answers], EntryStep]
    """Return the same for a recorded deal's facts (None for a void deal): every fact is asked for and filled in."""
    describe: Callable[[Sitting, JsonObject], list[Text]] | None = None
    """Return recorded facts in words for the history; without it, the answered questions of the correction."""
    outline: Callable[[Sitting, JsonObject], Mapping[str, Text]] | None = None
    """Return what each side called and made, by its id and in a few signs, such as `4+5 · 10`."""


@dataclass(frozen=True, slots=True)
class EntryQuestion:
    """One question about a deal, with the answer that is known. `short` is its label beside the answer."""

    id: str
    label: Text
    groups: tuple[tuple[Choice, ...], ...]
    answer: str | None
    computed: bool = False
    short: Text = ""
    shown: Text = ""
    """The answer in words, where no button's label is the answer."""
    side: str = ""
    seat: str = ""
    """The seat that it is about, where that says more than the side."""
    span: tuple[int, int] | None = None
    """The lowest and the highest number that can be typed, in place of buttons."""

    @property
    def answer_text(self) -> Text:
        """Return the answer as its button is labelled, where there is one."""
        labels = {choice.value: choice.label for group in self.groups for choice in group}
        return self.shown or labels.get(self.answer or "", self.answer or "")


def next_step(
    questions: Iterable[EntryQuestion],
    answers: Answers,
    facts: JsonObject,
    *,
    hint: Text = "",
    modes: Sequence[Mode] = (),
) -> EntryStep:
    """Return the step that asks the question named by `ask`, else the first unanswered one, else the facts.

    No question is looked at beyond the one that is asked.
    """
    opened = answers.get("ask") or None
    kept = {key: value for key, value in answers.items() if key != "ask"}
    said = []
    for one in questions:
        if one.answer is not None:
            said.append(Answered(one.id, one.short or one.label, one.answer_text, one.computed, side=one.side))
        if one.answer is None or one.id == opened:
            prompt = Prompt(one.label, one.groups, one.id, span=one.span)
            return EntryStep(
                "ask", tuple(said), prompt, hint, answers=kept, modes=tuple(modes), asked=one.seat or one.side
            )
    return EntryStep("ready", tuple(said), hint=hint, facts=facts, answers=kept, modes=tuple(modes))


def number_choices(low: int, high: int) -> tuple[Choice, ...]:
    """Return a button for every whole number of a range."""
    return tuple(Choice(str(number), str(number)) for number in range(low, high + 1))


def chosen_answer(answer: str | None, groups: Sequence[Sequence[Choice]]) -> str | None:
    """Return the answer if one of the buttons has that value."""
    return answer if answer is not None and any(answer == c.value for group in groups for c in group) else None
