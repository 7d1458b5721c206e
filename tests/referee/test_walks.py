"""Random walks through every question: whatever a page offers does something, and shows what was chosen."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from companion.engine.dialogue import Choice, Context, Page, Question
from companion.engine.game import Game
from companion.engine.problems import Refused
from companion.engine.state import State
from companion.games import GAMES

NAMES = ("Aki", "Ben", "Chika", "Dan", "Emi", "Finn")
STEPS = 8
MOVES_ON = "call"
"""The answer after which the next player is asked."""

Offer = tuple[str, str, bool | None]
"""Where on the page an action is offered, the action, and whether it is shown as chosen."""


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
@pytest.mark.parametrize("names", [(), NAMES[:4]], ids=["nobody", "four"])
def test_every_action_on_a_page_does_something(game: Game, names: tuple[str, ...]) -> None:
    for name, question in game.questions.items():
        for preset in game.options.presets:
            context = Context(game.options.preset(preset).options, State({}), NAMES, names, names)
            for before, (where, action, pressed), after in walk(question, context, random.Random(f"{preset} {name}")):
                assert after != before or pressed, f"{name} {preset}: {action} of {where} is dead in {before}"


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_what_was_chosen_is_shown_as_chosen(game: Game) -> None:
    for name, question in game.questions.items():
        for preset in game.options.presets:
            context = Context(game.options.preset(preset).options, State({}), NAMES)
            for _, (where, action, pressed), after in walk(question, context, random.Random(f"{name} {preset}")):
                if pressed is not False or where not in ("prompt", "zone") or action.partition(":")[0] == MOVES_ON:
                    continue
                shown = [each for each in offers(shown_page(question, context, after)) if each[:2] == (where, action)]
                assert not shown or any(chosen for *_, chosen in shown), f"{name} {preset}: {action} in {after}"


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_an_action_that_no_page_offers_changes_nothing(game: Game) -> None:
    for question in game.questions.values():
        for preset in game.options.presets:
            context = Context(game.options.preset(preset).options, State({}), NAMES)
            for action in ("fly:7H", "tap:", "tap:7X", "n:99", "n:", "to:nowhere", ":"):
                verb, _, word = action.partition(":")
                assert question.act(context, verb, word) == context.state, f"{preset}: {action}"


def walk(question: Question, context: Context, dice: random.Random) -> Iterator[tuple[State, Offer, State]]:
    """Choose an action of the page some times; yield the state before it, what it was, and the state after it."""
    state = context.state
    for _ in range(STEPS):
        page = shown_page(question, context, state)
        found = list(offers(page)) if page else []
        if not found:
            return
        where = dice.choice(sorted({where for where, *_ in found}))
        offer = dice.choice([each for each in found if each[0] == where])
        verb, _, word = offer[1].partition(":")
        after = question.act(context.with_state(state), verb, word).only(question.all_names)
        yield state, offer, after
        state = after


def shown_page(question: Question, context: Context, state: State) -> Page | None:
    """Return the page of a state, or None where no table can look so."""
    try:
        return question.page(context.with_state(state))
    except Refused:
        return None


def offers(page: Page | None) -> Iterator[Offer]:
    """Return every action that a page offers."""
    if page is None:
        return
    groups: dict[str, list[Choice]] = {
        "prompt": [choice for ask in (*page.asks, *page.later) for group in ask.groups for choice in group],
        "heap": [choice for heap in page.heaps for choice in heap.choices],
        "answer": [choice for answer in page.answers for choice in answer.choices],
        "tool": list(page.tools),
    }
    for where, choices in groups.items():
        yield from ((where, choice.value, choice.pressed) for choice in choices)
    faces = {
        "card on the table": [face for heap in page.heaps for face in heap.faces],
        "card of the answer": [face for answer in page.answers for face in answer.faces],
        "card": [face for row in page.picker.rows for face in row] if page.picker else [],
    }
    for where, cards in faces.items():
        yield from ((where, face.do, face.pressed) for face in cards if face.do)
    if page.picker:
        yield from (("zone", target.do, target.active) for target in page.picker.targets)
