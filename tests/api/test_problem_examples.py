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
from companion.library import LANGUAGES, Absent, answering
from companion.rulebook.answers import problem_answers
from companion.rulebook.words import load_book
from companion.web.api.http import PREFIX
from tests.api.problem_requests import kept_requests

FILE: Final = Path(str(files("companion.web.api"))) / "problem-examples.json"
ROOT: Final = Path(__file__).parents[1]
QUESTIONS: Final = ("score", "check", "moves", "replay", *extra_questions(), "rules")


def counted(cards: int, spades: int, *single: str, aces: int) -> dict[str, Any]:
    """What a side of Casino took."""
    kinds = ("big_ten", "spy_two", "spade_jack", "spade_ace")
    return {"cards": cards, "spades": spades, "aces": aces, **{kind: kind in single for kind in kinds}, "sweeps": 0}


OURS, THEIRS = counted(30, 8, "big_ten", "spade_jack", "spade_ace", aces=3), counted(22, 5, "spy_two", aces=1)
NO_SPADES = {"ending": "count_out", "spades_points": 0, "big_ten_points": 0, "spy_two_points": 0}


def casino(rules: Any, totals: tuple[int, int], ours: Any, theirs: Any, **more: Any) -> tuple[str, str, Any]:
    """A deal of Casino between two sides with these totals before it."""
    opening = {side: {"total": total} for side, total in zip("AB", totals, strict=True)}
    deal = {"A": ours, "B": theirs, **more}
    return "casino", "score", {"rules": rules, "sides": ["A", "B"], "opening": opening, "deals": [deal]}


def spades(rules: Any, ours: Any, theirs: Any) -> tuple[str, str, Any]:
    """A deal of Spades between two sides."""
    return "spades", "score", {"rules": rules, "sides": ["A", "B"], "deals": [{"A": ours, "B": theirs}]}


BY_HAND: Final[tuple[tuple[str, str, Any], ...]] = (
    casino(
        {"preset": "book", "options": NO_SPADES}, (20, 20),
        counted(26, 6, "big_ten", "spy_two", aces=2), counted(26, 7, aces=2),
    ),
    casino({"preset": "spade"}, (50, 55), OURS, THEIRS),
    casino({"preset": "spade"}, (50, 50), OURS, THEIRS, first_out="B"),
    casino({"preset": "spade_26"}, (0, 0), OURS, {**THEIRS, "spade_jack": True}),
    casino({"preset": "spade_26"}, (0, 0), OURS, {**THEIRS, "spade_ace": True}),
    casino({"preset": "spade_26"}, (0, 0), {**OURS, "spades": 1}, {**THEIRS, "spades": 12}),
    casino({"preset": "spade_26"}, (0, 0), {**OURS, "aces": 0}, {**THEIRS, "aces": 4}),
    spades(
        {"preset": "modern", "options": {"least_total": 11}},
        {"bid": 3, "tricks": 6, "nils": [{"call": "nil", "tricks": 0}]}, {"bid": 7, "tricks": 7},
    ),
    ("spades", "score", {
        "rules": {"options": {"revoke_remedy": "set"}},
        "sides": [{"id": "NS", "players": ["North", "South"]}, {"id": "EW", "players": ["East", "West"]}],
        "deals": [{
            "NS": {"bid": 4, "tricks": 5, "nils": [{"call": "nil", "tricks": 0}]}, "EW": {"bid": 7, "tricks": 8},
            "irregularities": [{"kind": "revoke", "by": "North"}],
        }],
    }),
    spades({"options": {"first_hand_bids_itself": True}}, {"bid": 4, "tricks": 6}, {"bid": 7, "tricks": 7}),
    ("spades", "check", {
        "rules": {"preset": "partners6"},
        "position": {
            "seats": [*"ABCDEF"], "dealer": "F", "phase": "play", "trick_number": 2, "leader": "A",
            "trick": [{"seat": "A", "card": "KH"}], "played": ["KH"], "spades_broken": False, "hand": ["KH", "2D"],
        },
        "move": {"type": "play", "seat": "B", "card": "KH"},
    }),
)  # fmt: skip
"""Game, question and request for codes that no other request is refused with."""
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


def codes_of(game: str, question: str, request: Any) -> list[str]:
    """The codes of all problems of a request, and of what is recorded all the same with a warning."""
    return [error["code"] for error in problems_of(game, question, request, "en")]


def problems_of(game: str, question: str, request: Any, lang: str) -> list[Any]:
    """The problems of a request in a language; of one that is answered, the warnings of its deals."""
    try:
        answer = answering(question)(GAMES[game], request, lang)
    except Refused as refused:
        return list(problem_answers(GAMES[game], refused.problems, lang))
    except Absent:
        return []
    return [warning for deal in answer.get("deals", ()) for warning in deal["warnings"]] if question == "score" else []


def recorded() -> Iterator[tuple[str, str, Any]]:
    """The requests that the snapshots and the cases of the games have refused."""
    for game in GAMES:
        for path in (ROOT / "snapshots").glob(f"{game}.*.jsonl"):
            for line in path.read_text("utf-8").splitlines():
                if ('"refused":' in line or '"warnings":[{' in line) and (kept := json.loads(line)).get(
                    "ask"
                ) in QUESTIONS:
                    yield game, kept["ask"], kept["request"]
    for path in ROOT.glob("*/cases/*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            if '"codes":' in line or '"warnings":' in line:
                case = json.loads(line)
                _, game, question = case["post"].strip("/").split("/")
                yield game, question, case["request"]


def examples() -> dict[str, Any]:
    """The shortest refused request for each code, with as few other problems as can be."""
    found: dict[str, tuple[tuple[int, int], str, Any]] = {}
    asked = [(case["post"].strip("/").split("/"), case["request"]) for case in published() if "codes" in case["expect"]]
    tried = [(game, question, request) for (_, game, question), request in asked]
    tried += [*recorded(), *BY_HAND]
    for game in GAMES.values():
        for question in QUESTIONS:
            for name in (question, "refused", "batch") if question == "score" else (question,):
                if name in game.examples:
                    tried += [(game.id, question, each) for each in tables(game, game.examples[name])]
                    tried += [(game.id, question, each) for each in spoilt(game.examples[name])]
        tried += [(game.id, "rules", {"rules": {"options": dict(pair)}}) for pair in combinations(settings(game), 2)]
    for game_id, question, request in tried:
        codes = codes_of(game_id, question, request)
        size = (len(codes), len(json.dumps(request)))
        for code in codes:
            if code not in found or size < found[code][0]:
                found[code] = (size, f"/games/{game_id}/{question}", request)
    return kept_requests() | {
        code: {"path": f"POST {PREFIX}{path}", "request": request, "answers": answers_to(path, request, code)}
        for code, (_, path, request) in sorted(found.items())
    }


def answers_to(path: str, request: Any, code: str) -> dict[str, Any]:
    """The problem of a request in each language."""
    game, question = path.strip("/").split("/")[-2:]
    found = {lang: problems_of(game, question, request, lang) for lang in LANGUAGES}
    return {lang: next(each for each in problems if each["code"] == code) for lang, problems in found.items()}


WITHOUT: Final = {"evenings-full", "idempotency-key", "request-timeout", "too-large"}
"""Codes without an example: of a thousand sheets, of the library, of slow and large bodies, of earlier versions."""
KEPT: Final = json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def asked() -> dict[str, Any]:
    return kept_requests()


@pytest.mark.parametrize("code", KEPT)
def test_an_example_is_refused_as_it_says(code: str, asked: dict[str, Any]) -> None:
    kept = KEPT[code]
    if code in asked and asked[code]["path"] == kept["path"]:
        assert asked[code] == kept, "python -m tests.renew writes it anew"
    else:
        assert answers_to(kept["path"], kept["request"], code) == kept["answers"], (
            "python -m tests.renew writes it anew"
        )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_has_a_page_with_its_cause_and_its_cure(shared_client: Any, lang: str) -> None:
    """The page of a code with an example shows the request, and what is answered in the language of the page."""
    assert set(all_codes()) - set(KEPT) == WITHOUT
    for code in all_codes():
        page = html.unescape(shared_client.get(f"/{lang}/problems/{code}").text)
        assert "<h2>" in page
        assert explained(code, lang).cure
        if kept := KEPT.get(code):
            assert kept["answers"].get(lang, kept["answers"]["en"])["detail"] in page
            assert kept["path"] in page
            assert lang in kept["answers"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_has_a_cure_of_its_own(lang: str) -> None:
    cures = {code: load_book().sites[lang].say(f"cure.{code}", {}) for code in all_codes()}
    doubled = [code for code, cure in cures.items() if list(cures.values()).count(cure) > 1]
    assert doubled == []


if __name__ == "__main__":
    FILE.write_text(json.dumps(examples(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
