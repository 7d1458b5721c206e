"""`import companion`: the same answers as the web API, without a web server."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import companion
from companion import library as asking
from companion import library as facade
from companion.describe import requests_of
from companion.engine.cards import Card
from companion.engine.problems import Refused
from companion.games import GAMES

ROOT = Path(__file__).resolve().parents[2]
CALLS = {"score": companion.score, "check": companion.check, "moves": companion.moves, "replay": companion.replay}
ASKED = [(game.id, name) for game in GAMES.values() for name in (*CALLS, *game.extra) if name in game.examples]


def call(game: str, name: str, request: Any, lang: str = "en") -> Any:
    if name in CALLS:
        return CALLS[name](game, request, lang=lang)
    return companion.ask(game, name, request, lang=lang)


@pytest.mark.parametrize(("game", "name"), ASKED)
@pytest.mark.parametrize("lang", companion.LANGUAGES)
def test_a_function_returns_what_the_api_answers(shared_client: Any, game: str, name: str, lang: str) -> None:
    request = GAMES[game].examples[name]
    answer = shared_client.post(f"/api/v1/games/{game}/{name}?lang={lang}", json=request)
    assert json.loads(json.dumps(call(game, name, request, lang))) == answer.json


@pytest.mark.parametrize("game", GAMES)
def test_house_rules_articles_and_search_return_what_the_api_answers(shared_client: Any, game: str) -> None:
    presets = list(GAMES[game].options.presets)
    one, other = presets[0], presets[-1]
    article = next(iter(GAMES[game].articles)).id
    api = "/api/v1"
    pairs = [
        (companion.rules(game, other), shared_client.post(f"{api}/games/{game}/rules?lang=en", json={"code": other})),
        (
            companion.diff(game, one, {"preset": other}),
            shared_client.post(f"{api}/games/{game}/rules/diff?lang=en", json={"one": one, "other": other}),
        ),
        (
            companion.article(article, rules=other, lang="ja"),
            shared_client.get(f"{api}/articles/{article}?rules={other}&lang=ja"),
        ),
        (companion.book(game, rules=other), shared_client.get(f"{api}/games/{game}/book?rules={other}&lang=en")),
    ]
    for ours, theirs in pairs:
        assert json.loads(json.dumps(ours)) == theirs.json
    found = companion.search("who wins", game=game, rules=one)
    asked = shared_client.get(f"{api}/articles?q=who+wins&game={game}&rules={one}&lang=en").json
    assert found == {key: item for key, item in asked.items() if key != "next"}
    assert companion.glossary(lang="ja") == shared_client.get(f"{api}/glossary?lang=ja").json["terms"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", companion.LANGUAGES)
def test_input_that_cannot_be_raises_the_api_s_problems(shared_client: Any, game: str, lang: str) -> None:
    request = {**GAMES[game].examples["score"], "deals": [{"nobody": {}}, {}], "extra": 1}
    with pytest.raises(companion.InvalidInput) as caught:
        companion.score(game, request, lang=lang)
    answer = shared_client.post(f"/api/v1/games/{game}/score?lang={lang}", json=request).json
    answer.pop("instance")
    assert caught.value.document == answer
    assert len(answer["errors"]) > 2
    assert caught.value.errors == answer["errors"]
    assert {problem.path() for problem in caught.value.problems} == {each["pointer"] for each in answer["errors"]}
    assert answer["errors"][0]["detail"] in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: companion.score("no-such-game", {}),
        lambda: companion.article("no-such-game.nil"),
        lambda: companion.article(f"{next(iter(GAMES))}.no-such-article"),
        lambda: companion.ask(next(iter(GAMES)), "no-such-question", {}),
        lambda: companion.search("nil", lang="xx"),
    ],
)  # fmt: skip
def test_what_is_not_here_is_said(wrong: Any) -> None:
    with pytest.raises(companion.NotFound):
        wrong()


def test_typed_objects_go_in_and_come_out() -> None:
    game = GAMES["spades"]
    house = game.options.build("classic", {"bag_penalty": 50})
    assert companion.rules("spades", house)["options"]["bag_penalty"] == 50
    verdict = companion.judge("spades", game.examples["check"])
    assert verdict.value == companion.check("spades", game.examples["check"])["verdict"]
    ledger = companion.ledger("spades", game.examples["score"])
    assert {side: standing.total for side, standing in ledger.standing.items()} == {
        side: standing["total"]
        for side, standing in companion.score("spades", game.examples["score"])["standing"].items()
    }
    request = game.examples["check"]
    cards = tuple(Card(code[:-1], code[-1]) for code in request["position"]["hand"])
    position = {**request["position"], "hand": cards}
    assert companion.check("spades", {**request, "position": position}) == companion.check("spades", request)


@pytest.mark.parametrize("lang", companion.LANGUAGES)
def test_no_sentence_has_a_hole_where_a_joker_outside_the_pack_is_led(lang: str) -> None:
    """It has no suit that a sentence could name."""
    pack = [f"{rank}{suit}" for suit in "SHDC" for rank in ("A", "K", "Q", "J", *range(2, 11))]
    hands = {seat: pack[place * 13 : place * 13 + 13] for place, seat in enumerate("ABCD")}
    plays = [{"seat": seat, "card": card} for seat, card in zip("ABCD", ("BJ", "2H", "2D", "2C"), strict=True)]
    for known in ({}, {"hands": hands}):
        answer = companion.replay("spades", {"seats": list("ABCD"), "plays": plays, **known}, lang=lang)
        texts = re.findall(r'"text": "(.*?)"', json.dumps(answer, ensure_ascii=False))
        assert len(texts) > 3
        assert [text for text in texts if re.search(r" [,.]|  |^[がをは]", text)] == []


def test_everything_public_is_offered_at_the_top() -> None:
    typed = (ROOT / "companion/__init__.py").read_text(encoding="utf-8")
    for name in facade.__all__:
        assert getattr(companion, name) is getattr(facade, name)
        assert f"import {name} as {name}\n" in typed
        assert getattr(facade, name).__doc__ or name in ("GAMES", "LANGUAGES")
    with pytest.raises(AttributeError):
        companion.no_such_name  # noqa: B018


def test_the_import_alone_loads_nothing() -> None:
    assert alone("import companion, sys; print(*(m for m in sys.modules if m.startswith('companion.')))") == "\n"


BASE = {
    "babel",
    "click",
    "jinja2",
    "markdown_it",
    "markupsafe",
    "marshmallow",
    "mdit_py_plugins",
    "mdurl",
    "platformdirs",
}
"""What the base dependencies bring: a test compares them with pyproject.toml."""
BLOCKED = f"""
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top not in {sorted({*BASE, "companion"})} and not top.startswith("_"):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Block())
"""


def test_the_base_needs_no_web_server() -> None:
    out = alone(BLOCKED + textwrap.dedent("""
        import companion
        from companion.cli import main
        for game in companion.GAMES.values():
            request = game.examples
            for name in {"score", "check", "moves", "replay"} & request.keys():
                getattr(companion, name)(game.id, request[name], lang="ja")
            companion.book(game.id, rules=game.options.default_preset)
        companion.search("how many bags cost")
        companion.glossary()
        for needing in ("serve", "verify", "mcp"):
            try:
                main([needing])
            except SystemExit as stop:
                print(stop.code)
    """))  # fmt: skip
    assert out == "2\n2\n2\n"


def test_scoring_loads_no_page_and_no_other_game() -> None:
    program = textwrap.dedent("""
        import sys
        from companion.cli import main
        main(["score", "examples/spades-friday.json"])
        print(*sorted(name for name in sys.modules if name.startswith(("companion.", "markdown_it"))))
    """)
    loaded = alone(program).splitlines()[-1].split()
    slow = (
        "casino",
        "spite_and_malice",
        "asks",
        "dialogue",
        "web",
        "sheets",
        "search",
        "pages",
        "markdown_it",
        "metadata",
    )
    assert [name for name in loaded if set(name.split(".")) & set(slow)] == []


def alone(program: str) -> str:
    """Return what a program prints in an interpreter of its own."""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("game", "name"), ASKED)
def test_no_problem_is_said_twice(game: str, name: str) -> None:
    asked = getattr(asking, f"answer_{name}", partial(asking.answer_extra, name=name))
    requests: list[dict[str, Any]] = [{}, {"x": 1}, {"position": {}, "move": {}}, {"position": None}, {"seats": []}]
    for request in requests:
        with pytest.raises(Refused) as refused:
            asked(GAMES[game], value=request, lang="en")
        said = [(problem.path(), problem.code) for problem in refused.value.problems]
        assert len(said) == len(set(said)), request


def test_a_game_that_judges_nothing_is_not_asked() -> None:
    game = replace(GAMES["spades"], judge=None)
    with pytest.raises(asking.NotAsked):
        asking.answer_check(game, game.examples["check"], "en")
    assert "Check" not in requests_of(game)
    assert "Check" in requests_of(GAMES["spades"])
