"""Sentences about people: whoever is called like a card or a word is printed as written, in every published case."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from companion import library as asking
from companion.conformance import published
from companion.data import LANGUAGES
from companion.engine.game import Game, score
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.answers import problem_answers
from companion.rulebook.words import PEOPLE, words
from companion.sheets.service import Effect
from companion.web.dialogue import effect_sentence

LIKE_WORDS = ("JD", "yes", "10H", "nil", "none", "KC", "S", "moon")
WITH_PLUS = ("x+y", "y+z", "+", "x+", "+y", "a+b+c", "1+1", "p+q")
"""Names with the sign that joins the ids of partners."""
PLAIN = tuple(f"Zz{place}" for place in range(len(LIKE_WORDS)))
SENTENCE = re.compile('"(?:message|text|detail)": "[^"]*Zz')
QUOTED = {"value", "message"}
"""Facts that quote what was sent, whatever it is."""
QUESTIONS: dict[str, Callable[[Game, object, str], Any]] = {
    "score": asking.answer_score,
    "check": asking.answer_check,
    "moves": asking.answering("moves"),
    "replay": asking.answering("replay"),
}


def people(request: Any) -> Iterator[str]:
    """Yield the ids of the seats, players and sides of a request."""
    position = request.get("position", {})
    for ids in (request.get("seats"), request.get("players"), position.get("seats"), position.get("players")):
        yield from ids or ()
    for side in request.get("sides", ()):
        yield from side.get("players", ()) if isinstance(side, dict) else ()
        yield side["id"] if isinstance(side, dict) else side


def renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    if isinstance(value, str) and value not in names and "+" in value:
        return "+".join(names.get(part, part) for part in value.split("+"))
    return names.get(value, value) if isinstance(value, str) else value


def answered(game: Game, question: str, request: Any, lang: str) -> Any:
    """Return an answer with its sentences, or the problems of a request with theirs."""
    try:
        if question in QUESTIONS:
            return QUESTIONS[question](game, request, lang)
        return asking.answering(question)(game, request, lang)
    except Refused as refused:
        return problem_answers(game, refused.problems, lang)


@cache
def cases() -> list[tuple[Game, str, Any]]:
    """Return the published cases with plain names for seats and sides, but where one is also a rank: `A`."""
    found = []
    for case in published():
        _, game, question = case["post"].rsplit("/", 2)
        ids = dict.fromkeys(people(case["request"]))
        request = renamed(case["request"], dict(zip(ids, PLAIN, strict=False)))
        answers = [answered(GAMES[game], question, each, "en") for each in (case["request"], request)]
        if codes(answers[0]) == codes(answers[1]):
            found.append((GAMES[game], question, request))
    return found


def codes(answer: Any) -> list[str]:
    return re.findall(r"'(?:code|verdict)': '([^']*)'", str(answer))


@pytest.mark.parametrize("called", [LIKE_WORDS, WITH_PLUS], ids=["like-words", "with-plus"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_answer_is_the_same_whatever_people_are_called(lang: str, called: tuple[str, ...]) -> None:
    names = dict(zip(PLAIN, called, strict=True))
    named = 0
    for game, question, request in cases():
        expected = as_text(answered(game, question, request, lang))
        named += bool(SENTENCE.search(expected))
        for before, after in names.items():
            expected = expected.replace(before, after)
        assert as_text(answered(game, question, renamed(request, names), lang)) == expected
    assert named > 75


def as_text(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False, default=str)


def test_every_fact_that_is_a_person_is_known_to_be_one() -> None:
    """A sheet calls people by their names in place of their ids in these facts alone."""
    found = set()
    for game, question, request in cases():
        for facts in all_facts(answered(game, question, request, "en")):
            found |= {key for key, item in facts.items() if any(name in str(item) for name in PLAIN)}
    assert found - PEOPLE - QUOTED == set()
    assert len(found) > 10


def all_facts(answer: Any) -> Iterator[dict[str, Any]]:
    if isinstance(answer, dict):
        if isinstance(answer.get("facts"), dict):
            yield answer["facts"]
        answer = list(answer.values())
    if isinstance(answer, list | tuple):
        for item in answer:
            yield from all_facts(item)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_effect_of_a_command_calls_everybody_by_name(lang: str) -> None:
    lines = 0
    for game, question, request in cases():
        if question != "score" or isinstance(answered(game, question, request, lang), list):
            continue
        names = {name: f"Name {place}" for place, name in enumerate(dict.fromkeys(people(request)))}
        for deal in score(game, request)[1].deals:
            for side, line in ((side, line) for side, at in deal.sides.items() for line in at.lines):
                text = effect_sentence(Effect("line-come", 1, side, line), words(game.id, lang), names)
                assert names[side] in text
                assert not any(name in text for name in PLAIN), text
                lines += 1
    assert lines > 200
