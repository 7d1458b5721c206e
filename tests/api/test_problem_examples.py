"""The examples on the pages of the problem codes, kept as a file of the package.

`python -m tests.api.test_problem_examples` spoils every example request in many ways and writes, for each code, the
shortest request that is refused with it.
"""

from __future__ import annotations

import copy
import html
import json
from collections.abc import Iterator
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import pytest

from companion.conformance import published
from companion.describe import all_codes, explained, extra_questions
from companion.engine.game import Game
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.library import LANGUAGES, answering
from companion.rulebook.answers import problem_answers
from companion.rulebook.words import load_book

FILE: Final = Path(str(files("companion.web.api"))) / "problem-examples.json"
QUESTIONS: Final = ("score", "check", "moves", "replay", *extra_questions(), "rules")
VALUES: Final[tuple[Any, ...]] = (
    None,
    True,
    -1,
    0,
    1,
    14,
    99,
    1000,
    10**6,
    "",
    "?",
    "9H",
    "nil",
    "x" * 500,
    [],
    {},
    ["?"],
)


def spoilt(value: Any) -> Iterator[Any]:
    """The value with another at each place, one key too many or too few, an item twice."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        others = [*VALUES, *spoilt(value[key])]
        for other in others:
            changed = copy.copy(value)
            changed[key] = other
            yield changed
        if isinstance(value, dict):
            yield {name: item for name, item in value.items() if name != key}
        else:
            yield [*value, value[key]]
    if isinstance(value, dict):
        for name in ("extra", "bid", "nils", "last_tricks", "dummy_tricks", "opening"):
            yield {**value, name: 1}
            yield {**value, name: []}


def settings(game: Game) -> list[tuple[str, Any]]:
    """Each option with some values beside its default."""
    values = {
        name: [True, False] if option.kind == "flag" else [*option.choices, option.low, option.high]
        for name, option in game.options.options.items()
    }
    return [(name, value) for name, several in values.items() for value in several if value is not None]


def tables(game: Game, request: Any) -> Iterator[Any]:
    """The request, and the same under each preset and each setting."""
    yield request
    for preset in game.options.presets:
        bare = {**request, "rules": {"preset": preset}}
        yield bare
        yield from spoilt({key: item for key, item in bare.items() if key != "rules"} | {"rules": {"preset": preset}})
    for name, value in settings(game):
        yield {**request, "rules": {"options": {name: value}}}


def codes_of(game: str, question: str, request: Any) -> set[str]:
    try:
        answering(question)(GAMES[game], request, "en")
    except Refused as refused:
        return {problem.code for problem in refused.problems} if len(refused.problems) == 1 else set()
    return set()


def examples() -> dict[str, Any]:
    """The shortest refused request for each code that any gives alone."""
    found: dict[str, tuple[int, str, Any]] = {}
    asked = [(case["post"].strip("/").split("/"), case["request"]) for case in published() if "codes" in case["expect"]]
    tried = [(game, question, request) for (_, game, question), request in asked]
    for game in GAMES.values():
        for question in QUESTIONS:
            for name in (question, "refused", "batch") if question == "score" else (question,):
                if name in game.examples:
                    tried += [(game.id, question, each) for each in tables(game, game.examples[name])]
                    tried += [(game.id, question, each) for each in spoilt(game.examples[name])]
        tried += [(game.id, "rules", {"rules": {"options": dict(pair)}}) for pair in combinations(settings(game), 2)]
    for game_id, question, request in tried:
        size = len(json.dumps(request))
        for code in codes_of(game_id, question, request):
            if code not in found or size < found[code][0]:
                found[code] = (size, f"/games/{game_id}/{question}", request)
    return whole() | {
        code: {"path": path, "request": request, "answers": answers_to(path, request, code)}
        for code, (_, path, request) in sorted(found.items())
    }


def whole() -> dict[str, Any]:
    """The problems of other requests, in English, as the document shows them."""
    documents = json.loads(FILE.with_name("example-responses.json").read_text("utf-8"))["problems"]
    shown = {error["code"]: error for each in documents for error in each.get("errors", ())}
    shown |= {each["type"].rpartition("/")[2]: each for each in documents}
    return {code: {"path": "", "request": None, "answers": {"en": answer}} for code, answer in sorted(shown.items())}


def answers_to(path: str, request: Any, code: str) -> dict[str, Any]:
    """The problem of a request in each language."""
    game, question = path.strip("/").split("/")[1:]
    found = {}
    for lang in LANGUAGES:
        with pytest.raises(Refused) as refused:
            answering(question)(GAMES[game], request, lang)
        [found[lang]] = problem_answers(GAMES[game], refused.value.problems, lang)
    assert {each["code"] for each in found.values()} == {code}
    return found


KEPT: Final = json.loads(FILE.read_text("utf-8"))


@pytest.mark.parametrize("code", [code for code, kept in KEPT.items() if kept["path"]])
def test_an_example_is_refused_as_it_says(code: str) -> None:
    fresh = answers_to(KEPT[code]["path"], KEPT[code]["request"], code)
    assert fresh == KEPT[code]["answers"], "python -m tests.renew writes it anew"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_has_a_page_with_its_cause_and_its_cure(shared_client: Any, lang: str) -> None:
    """The page of a code with an example shows the request, and what is answered in the language of the page."""
    assert len(KEPT) > 50
    for code in all_codes():
        page = html.unescape(shared_client.get(f"/{lang}/problems/{code}").text)
        assert "<h2>" in page
        assert explained(code, lang).cure
        if kept := KEPT.get(code):
            assert kept["answers"].get(lang, kept["answers"]["en"])["detail"] in page
            assert kept["path"] in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_codes_that_people_meet_have_cures_of_their_own(lang: str) -> None:
    cures = load_book().sites[lang]
    own = [code for code in all_codes() if cures.get(f"cure.{code}")]
    assert len(own) >= 45
    assert {"tricks-total", "required", "type", "unknown-key", "malformed-json", "version-conflict"} <= set(own)


if __name__ == "__main__":
    FILE.write_text(json.dumps(examples(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
