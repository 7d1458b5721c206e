"""How a deal is entered: one question after another, the answered ones above, any of them opened again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.engine.dialogue import Choice, Prompt
from companion.engine.entry import (
    Answered,
    EntryQuestion,
    EntryStep,
    Mode,
    Sitting,
    chosen_answer,
    next_step,
    number_choices,
)
from companion.engine.ledger import Side

GROUPS = ((Choice("0", "none"), Choice("1", "one")), (Choice("2", "both"),))
MODES = [Mode("quick", "Quick", True)]


def question(id: str, answer: str | None, **named: Any) -> EntryQuestion:
    return EntryQuestion(id, f"How many {id}?", GROUPS, answer, **named)


def test_first_open_question_is_asked_below_those_answered() -> None:
    questions = [
        question("nils", "2", short="nils", side="A"),
        question("bags", "7", computed=True),
        question("bid", None),
        question("tricks", "1"),
    ]
    assert next_step(questions, {"nils": "2"}, {"n": 2}, hint="hint", modes=MODES) == EntryStep(
        "ask",
        (Answered("nils", "nils", "both", side="A"), Answered("bags", "How many bags?", "7", True)),
        Prompt("How many bid?", GROUPS, "bid"),
        "hint",
        answers={"nils": "2"},
        modes=tuple(MODES),
    )


def test_question_that_was_opened_again_is_asked_with_its_answer_above() -> None:
    questions = [question("nils", "2"), question("bid", "0"), question("tricks", None)]
    step = next_step(questions, {"ask": "bid", "nils": "2", "bid": "0"}, {})
    assert step.question == Prompt("How many bid?", GROUPS, "bid")
    assert [(one.question, one.value) for one in step.said] == [("nils", "both"), ("bid", "none")]
    assert step.answers == {"nils": "2", "bid": "0"}
    assert step.facts is None


def test_opening_a_question_that_is_not_there_asks_the_first_open_one() -> None:
    questions = [question("nils", "2"), question("bid", None)]
    assert next_step(questions, {"ask": "x"}, {}).question == Prompt("How many bid?", GROUPS, "bid")


def test_facts_are_ready_when_everything_is_answered() -> None:
    step = next_step([question("bid", "1", shown="just one")], {"bid": "1"}, {"bid": 1}, hint="h", modes=MODES)
    assert step == EntryStep(
        "ready", (Answered("bid", "How many bid?", "just one"),), None, "h", {"bid": 1}, {"bid": "1"}, tuple(MODES)
    )
    assert next_step([], {}, {}) == EntryStep("ready", (), facts={}, answers={})


@pytest.mark.parametrize(("named", "text"), [({}, "both"), ({"shown": "two"}, "two")])
def test_answer_in_words(named: dict[str, str], text: str) -> None:
    assert question("bid", "2", **named).answer_text == text
    assert question("bid", None).answer_text == ""
    assert question("bid", "12").answer_text == "12"


def test_buttons_of_numbers_and_answers_among_buttons() -> None:
    assert number_choices(0, 2) == (Choice("0", "0"), Choice("1", "1"), Choice("2", "2"))
    assert number_choices(3, 3) == (Choice("3", "3"),)
    assert number_choices(3, 2) == ()
    assert [chosen_answer(answer, GROUPS) for answer in ("0", "2", "3", "", None)] == ["0", "2", None, None, None]


def test_side_is_called_by_its_players() -> None:
    sitting = Sitting(None, (), ("N", "S"), {"N": "Ann", "S": "Bo"}, "N")
    assert sitting.side_name(Side("NS", ("N", "S"))) == "Ann & Bo"
    assert sitting.side_name(Side("S", ("S",))) == "Bo"
    japanese = replace(sitting, names={"N": "あき", "S": "Bo"})
    assert japanese.side_name(Side("NS", ("N", "S"))) == "あき・Bo"
    assert sitting.side_name(Side("dummy")) == "dummy"
