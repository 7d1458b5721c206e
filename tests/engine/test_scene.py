"""Scenes: what a tap does to the address, which buttons are pressed, and what is beside the words of a game."""

from __future__ import annotations

from dataclasses import fields

import pytest

from companion.engine.cards import pack
from companion.engine.dialogue import Context, Page, Phrase, Prompt, State, Zone
from companion.engine.scene import DROP, MANY, SET, TOGGLE, Flag, scene


def context(**state: str) -> Context:
    return Context(None, State(state))


@pytest.mark.parametrize(
    ("mode", "before", "word", "after"),
    [
        (SET, "", "n", "n"), (SET, "y", "y", "y"), (SET, "y", "z", "y"),
        (DROP, "y", "n", ""), (DROP, "", "y", "y"),
        (TOGGLE, "y", "y", ""), (TOGGLE, "y", "n", "n"),
        (MANY, "y", "n", "y.n"), (MANY, "y.n", "y", "n"), (MANY, "y", "y", ""),
    ],
)  # fmt: skip
def test_a_tap_by_its_mode(mode: str, before: str, word: str, after: str) -> None:
    flag = Flag("half", key="h", mode=mode, clears=("x",))
    state = flag.act(context(**({"h": before} if before else {}), x="1"), word)
    assert state.get("h") == after
    assert state.get("x") == ("1" if word == "z" else "")


def test_the_button_of_what_is_chosen_is_pressed() -> None:
    flag = Flag("broken", ("y", "n", ""), "")
    for state, pressed in ((context(), ""), (context(broken="n"), "n"), (context(broken="7H"), "")):
        assert flag.now(state) == pressed
        assert [choice.value for choice in flag.prompt(state).groups[0] if choice.pressed] == [f"broken:{pressed}"]
    assert [choice.label for choice in flag.prompt(context()).groups[0]] == [
        Phrase("asks.answer-y"), Phrase("asks.answer-n"), Phrase("asks.answer-open"),
    ]  # fmt: skip


def test_a_scene_has_its_flags_around_the_prompts_of_its_own_and_a_picker_where_there_are_zones() -> None:
    own = Prompt("own", ())
    asked = scene(
        ("t", "a", "b", "c"), lambda context: Page("bar", asks=(own,), later=(own,)),
        flags=(Flag("a", above=True), Flag("b"), Flag("c", used=lambda context: context.state.get("b") == "y")),
        zones=lambda context: (Zone("t", "trick", 4),), pack=lambda context: pack(),
        act=lambda context, verb, word: State({"own": word}) if verb == "own" else None,
    )  # fmt: skip
    page = asked.page(context(b="y"))
    assert [prompt.text for prompt in page.asks] == [Phrase("asks.ask-a"), "own"]
    assert [prompt.text for prompt in page.later] == ["own", Phrase("asks.ask-b"), Phrase("asks.ask-c")]
    assert len(asked.page(context()).later) == 2
    assert page.picker is not None
    assert asked.act(context(), "tap", "7H") == State({"t": "7H"})
    assert asked.act(context(), "b", "y") == State({"b": "y"})
    assert asked.act(context(), "own", "x") == State({"own": "x"})
    assert asked.act(context(), "other", "x") == State({})
    without = scene(("a",), lambda context: Page("bar"), flags=(Flag("a"),))
    for verb in ("tap", "to"):
        assert without.act(context(), verb, "7H") == State({})


def test_a_question_that_needs_a_thirteenth_attribute_keeps_its_own_function() -> None:
    assert len(fields(Flag)) <= 12


def test_a_tap_on_a_page_without_zones_changes_nothing() -> None:
    question = scene(("first",), lambda context: Page(""), flags=(Flag("first"),))
    assert question.act(context(first="y"), "tap", "7H") == State({"first": "y"})
