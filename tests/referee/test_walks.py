"""Random walks through every question: whatever a page offers does something, and shows what was chosen."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from companion.data import LANGUAGES
from companion.engine.dialogue import Choice, Context, Page, Question, State
from companion.engine.game import Game
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.words import Facts
from companion.rulebook.words import Message as Phrase
from companion.web.dialogue import Drawer

NAMES = ("Aki", "Ben", "Chika", "Dan", "Emi", "Finn")
STEPS = 8
MOVES_ON = "call"
"""The answer after which the next player is asked."""

Offer = tuple[str, str, bool | None]
"""Where on the page an action is offered, the action, and whether it is shown as chosen."""


@dataclass(frozen=True)
class Step:
    """One action in a walk, and the page after it; None where no table can look so."""

    question: str
    preset: str
    before: State
    offer: Offer
    after: State
    page: Page | None

    def __str__(self) -> str:
        where, action, _ = self.offer
        return f"{self.question} under {self.preset}: {action} of {where} in {dict(self.before.values)}"


@pytest.mark.parametrize("names", [(), NAMES[:4]], ids=["nobody", "four"])
@pytest.mark.parametrize("game", [name for name in GAMES if GAMES[name].questions])
def test_every_action_on_a_page_does_something(game: str, names: tuple[str, ...]) -> None:
    taken = [step for step in walks(game, names) if not step.offer[2]]
    assert len(taken) > 100
    assert [str(step) for step in taken if step.after == step.before] == []


@pytest.mark.parametrize("game", [name for name in GAMES if GAMES[name].questions])
def test_what_was_chosen_is_shown_as_chosen(game: str) -> None:
    still_offered = 0
    for step in walks(game):
        where, action, pressed = step.offer
        if pressed is False and where in ("prompt", "zone") and action.partition(":")[0] != MOVES_ON:
            shown = [chosen for *offer, chosen in offers(step.page) if offer == [where, action]]
            assert not shown or any(shown), str(step)
            still_offered += bool(shown)
    assert still_offered > 20


@pytest.mark.parametrize("game", [name for name in GAMES if GAMES[name].questions])
def test_every_page_can_be_put_into_words(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    unfilled: set[str] = set()
    render = Phrase.__call__

    def checked(template: Phrase, facts: Facts) -> str:
        unfilled.update(f"{name} of {template.source}" for name in needed(template) if facts.get(name) is None)
        return render(template, facts)

    monkeypatch.setattr(Phrase, "__call__", checked)
    for place, step in enumerate(walks(game)):
        drawer = Drawer(GAMES[game], LANGUAGES[place % len(LANGUAGES)], rules={"preset": step.preset})
        assert not step.page or "None" not in " ".join(words_of(drawer.draw(step.page))), str(step)
    assert unfilled == set()


@cache
def needed(template: Phrase) -> frozenset[str]:
    return template.needed


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_an_action_that_no_page_offers_changes_nothing(game: Game, thorough: bool) -> None:
    """Each question is asked everything; under every preset only in a long run, else under one after the other."""
    questions = list(game.questions.values())
    for (place, question), preset in itertools.product(enumerate(questions), game.options.presets):
        context = Context(game.options.preset(preset).options, State({}), NAMES)
        for number, action in enumerate(("fly:7H", "tap:", "tap:7X", "n:99", "n:", "to:nowhere", ":")):
            verb, _, word = action.partition(":")
            chosen = list(game.options.presets)[(place + number) % len(game.options.presets)]
            if thorough or preset == chosen:
                assert question.act(context, verb, word) == context.state, f"{preset}: {action}"


@pytest.mark.parametrize("game", [name for name in GAMES if GAMES[name].questions])
def test_what_no_page_offers_cannot_be_done_with_the_words_of_what_it_offers(game: str) -> None:
    """A verb with a word that none of its buttons has, and a word with a verb that no button has, do nothing."""
    tried: set[tuple[str, str]] = set()
    for step in walks(game):
        question, context = GAMES[game].questions[step.question], context_of(game, step)
        verb, takes_word, word = step.offer[1].partition(":")
        for action in (f"{verb}:nowhere", f"fly:{word}"):
            if takes_word and (step.question, action) not in tried:
                tried.add((step.question, action))
                after = question.act(context, *action.split(":", 1))
                assert after == step.before, f"{step}: {action}"
    assert len(tried) > 100


def context_of(game: str, step: Step) -> Context:
    """Return what a step was taken in."""
    return Context(GAMES[game].options.preset(step.preset).options, step.before, NAMES)


@cache
def walks(game_id: str, names: tuple[str, ...] = ()) -> list[Step]:
    """Return the steps of a walk through every question of a game under every preset."""
    game = GAMES[game_id]
    return [
        step
        for name, question in game.questions.items()
        for preset in game.options.presets
        for step in walk(
            name, question, preset, Context(game.options.preset(preset).options, State({}), NAMES, names, names)
        )
    ]


def walk(name: str, question: Question, preset: str, context: Context) -> Iterator[Step]:
    """Choose an action of the page some times, each kind as often as any other."""
    dice = random.Random(f"{name} {preset}")
    state, page = context.state, shown_page(question, context)
    for _ in range(STEPS):
        found = list(offers(page))
        if not found:
            return
        kind = dice.choice(sorted({where for where, *_ in found}))
        offer = dice.choice([each for each in found if each[0] == kind])
        verb, _, word = offer[1].partition(":")
        after = question.act(context.with_state(state), verb, word).only(question.all_names)
        page = shown_page(question, context.with_state(after))
        yield Step(name, preset, state, offer, after, page)
        state = after


def shown_page(question: Question, context: Context) -> Page | None:
    """Return the page of a question, or None where no table can look so."""
    try:
        return question.page(context)
    except Refused:
        return None


def words_of(part: object) -> Iterator[str]:
    """Return every text of a page in words."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | tuple | list):
        yield from (word for each in (part.values() if isinstance(part, dict) else part) for word in words_of(each))


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
