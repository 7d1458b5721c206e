"""A deal as a list of questions: the first one without an answer is asked, the others can be changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.web.keeper.entry import Answers, Choice, Mode, Question, Said, Stage


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with its buttons, and the answer that stands, if any."""

    id: str
    label: str
    groups: tuple[tuple[Choice, ...], ...]
    answer: str | None
    computed: bool = False
    short: str = ""
    """The label beside the answer, where the question itself is long."""
    told: str = ""
    """The answer in words, where no button says it whole."""
    side: str = ""
    """The side that is asked about, by its id."""

    @property
    def shown(self) -> str:
        """The answer in words, as its button says it where there is one."""
        labels = {choice.value: choice.label for group in self.groups for choice in group}
        return self.told or labels.get(self.answer or "", self.answer or "")


def stage_of(
    asked: Sequence[Asked], answers: Answers, facts: Mapping[str, Any], *, hint: str = "", modes: Sequence[Mode] = ()
) -> Stage:
    """The stage for these questions: ask the one named by `ask` or the first unanswered, else the facts are ready."""
    opened = answers.get("ask", "")
    kept = {key: value for key, value in answers.items() if key != "ask"}
    said = []
    for one in asked:
        if one.answer is not None:
            said.append(Said(one.id, one.short or one.label, one.shown, computed=one.computed, side=one.side))
        if one.answer is None or one.id == opened:
            question = Question(one.id, one.label, one.groups)
            return Stage("ask", tuple(said), question, hint, answers=kept, modes=tuple(modes))
    return Stage("ready", tuple(said), hint=hint, facts=facts, answers=kept, modes=tuple(modes))


def numbers(low: int, high: int) -> tuple[Choice, ...]:
    """Buttons for every whole number of a range."""
    return tuple(Choice(str(number), str(number)) for number in range(low, high + 1))


def one_of(answer: str | None, groups: Sequence[Sequence[Choice]]) -> str | None:
    """The answer, where one of the buttons stands for it."""
    return answer if answer is not None and any(answer == c.value for group in groups for c in group) else None
