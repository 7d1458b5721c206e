"""`import companion`: the same answers as the web API, without a web server."""

from __future__ import annotations

import copy
import json
import pickle
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import companion as top
from companion import library as companion
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
    for name in companion.__all__:
        assert getattr(top, name) is getattr(companion, name)
        assert getattr(companion, name).__doc__ or name in ("GAMES", "LANGUAGES")
    with pytest.raises(AttributeError):
        top.no_such_name  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    "program",
    [
        "import companion; print(*dir(companion))",
        "import pydoc, companion; print(pydoc.plain(pydoc.render_doc(companion)))",
        "from companion import *; print(*dir())",
        "import rlcompleter, companion; ask = rlcompleter.Completer(globals()).complete\n"
        "for at in range(99): print((ask('companion.', at) or '').removeprefix('companion.').rstrip('()'))",
    ],
    ids=["dir", "help", "star", "completion"],
)
def test_the_names_are_found(program: str) -> None:
    assert set(companion.__all__) - set(re.findall(r"\w+", alone(program))) == set()


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
    asked = companion.answering(name)
    requests: list[dict[str, Any]] = [{}, {"x": 1}, {"position": {}, "move": {}}, {"position": None}, {"seats": []}]
    for request in requests:
        with pytest.raises(Refused) as refused:
            asked(GAMES[game], request, "en")
        said = [(problem.path(), problem.code) for problem in refused.value.problems]
        assert len(said) == len(set(said)), request


def test_a_game_that_judges_nothing_is_not_asked() -> None:
    game = replace(GAMES["spades"], judge=None)
    with pytest.raises(companion.Absent):
        companion.answer_check(game, game.examples["check"], "en")
    assert "Check" not in requests_of(game)
    assert "Check" in requests_of(GAMES["spades"])


LOOP: dict[str, Any] = {}
LOOP["rules"] = LOOP
DEEP: list[Any] = []
for _ in range(5_000):
    DEEP = [DEEP]
OTHER_RULES = GAMES["casino"].options.preset()
GAME = "spades"
MISUSED: dict[str, Callable[[Any], object]] = {
    "game": lambda value: companion.score(value, {}),
    "request": lambda value: companion.score(GAME, value),
    "lang": lambda value: companion.score(GAME, GAMES[GAME].examples["score"], lang=value),
    "position": lambda value: companion.check(GAME, {**GAMES[GAME].examples["check"], "position": value}),
    "judged": lambda value: companion.judge(GAME, value),
    "moves": lambda value: companion.moves(GAME, value),
    "replay": lambda value: companion.replay(GAME, value),
    "question": lambda value: companion.ask("casino", value, {}),
    "demand": lambda value: companion.demand("casino", value),
    "rules": lambda value: companion.rules(GAME, value),
    "one": lambda value: companion.diff(GAME, value, "modern"),
    "article": lambda value: companion.article(value),
    "table": lambda value: companion.article("spades.bags", rules=value),
    "book": lambda value: companion.book(value),
    "query": lambda value: companion.search(value),
    "limit": lambda value: companion.search("bags", limit=value),
    "search": lambda value: companion.search("bags", game=GAME, rules=value),
    "glossary": lambda value: companion.glossary(lang=value),
    "witnessed": lambda value: companion.verify_witness(GAME, value, {"verdict": "legal", "witness": {"seat": "A"}}),
    "refused": lambda value: companion.verify_witness(GAME, value, {"errors": [{"witness": {"facts": ["/position"]}}]}),
    "answer": lambda value: companion.verify_witness(GAME, GAMES[GAME].examples["check"], value),
}


@pytest.mark.parametrize("use", MISUSED)
@pytest.mark.parametrize(
    "value",
    [7, -1, 1.5, float("nan"), b"spades", ["a"], {"a"}, {1: 2}, {"x": {2: 3}}, object(), LOOP, DEEP, OTHER_RULES, True],
    ids=lambda value: type(value).__name__,
)
def test_a_wrong_type_is_refused_in_a_sentence(use: str, value: Any) -> None:
    if use == "limit" and value == 7:
        return
    with pytest.raises((companion.InvalidInput, companion.NotFound, TypeError)) as caught:
        MISUSED[use](value)
    assert " " in str(caught.value)
    assert "unhashable" not in str(caught.value)


VERDICTS = [(game, "check", GAMES[game].examples["check"]) for game, name in ASKED if name == "check"]
UNDECIDED: dict[str, Any] = {
    "spades": {"seats": ["A", "B", "C", "D"], "trick": [{"seat": "A", "card": "2H"}], "trick_number": 11},
    "spite-and-malice": {"players": ["A", "B"], "player": "A"},
}
MOVED: dict[str, Any] = {
    "spades": {"type": "play", "seat": "B", "card": "5S"},
    "spite-and-malice": {"type": "discard", "card": "5", "to": 0},
}
VERDICTS += [(game, "undecided", {"position": UNDECIDED[game], "move": MOVED[game]}) for game in UNDECIDED]


@pytest.mark.parametrize(("game", "name", "asked"), VERDICTS, ids=[f"{one[0]} {one[1]}" for one in VERDICTS])
def test_a_witness_that_shows_nothing_is_refused_whatever_it_is(game: str, name: str, asked: Any) -> None:
    answer = json.loads(json.dumps(companion.check(game, {**asked, "witness": True})))
    shown = answer["witness"]
    assert companion.verify_witness(game, asked, answer) is True
    wrong: list[Any] = [{}, {"verdict": answer["verdict"]}]
    proofs: list[Any] = [None, 5, [], "x", {}, {"seat": "A", "chain": None}]
    words: list[Any] = [None, "zzz", "impossible", [], {}, 5]
    parts: list[Any] = [5, "x", [{}], [5], {"hands": 5}, 1.5]
    wrong += [*({**answer, "witness": one} for one in proofs), *({**answer, "verdict": one} for one in words)]
    wrong += [{"verdict": "undecided", "witness": shown | {"legal": None}}, {"errors": 5}, {"errors": ["x", {}]}]
    wrong += [{"errors": [{"witness": {"facts": 5}}]}, {"errors": [{"witness": []}]}]
    for key in {"legal", "illegal", "world", "chain"} & shown.keys():
        wrong += [{**answer, "witness": shown | {key: one}} for one in parts]
    for one in wrong:
        assert companion.verify_witness(game, asked, one) is False, one


def test_rules_without_their_game_are_refused() -> None:
    with pytest.raises(TypeError, match="name it"):
        companion.search("bags", rules="classic")


REFUSED = [
    lambda: companion.score(GAME, {**GAMES[GAME].examples["score"], "deals": [{"nobody": {}}, {}], "extra": 1}),
    lambda: companion.rules(GAME, {"options": {"bag_penalty": -1, "none": 2}}),
    lambda: companion.replay("casino", {"seats": []}),
    lambda: companion.check(GAME, {"position": {"phase": "play", "hand": ["9H", "9H"]}, "move": {"type": "play"}}),
    lambda: companion.score("no-such-game", {}),
    lambda: companion.search("bags", limit=0),
]  # fmt: skip


@pytest.mark.parametrize("ask", REFUSED)
def test_what_is_refused_pickles_and_copies(ask: Callable[[], object]) -> None:
    with pytest.raises((companion.InvalidInput, companion.NotFound)) as caught:
        ask()
    fault: Any = caught.value
    for same in (pickle.loads(pickle.dumps(fault)), copy.copy(fault), copy.deepcopy(fault)):
        assert (type(same), str(same), same.args) == (type(fault), str(fault), fault.args)
        assert getattr(same, "document", None) == getattr(fault, "document", None)
    assert str(fault)


def test_a_bad_request_leaves_a_pool_of_processes_working() -> None:
    """An exception that does not pickle breaks the pool: nothing else would be answered."""
    requests: list[Any] = [{}, GAMES[GAME].examples["score"]]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        asked = [pool.submit(companion.score, GAME, request) for request in requests]
        with pytest.raises(companion.InvalidInput, match="sides"):
            asked[0].result()
        assert asked[1].result()["deals"]


def altered(value: Any) -> None:
    """Change everything inside an answer."""
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        altered(item)
    if isinstance(value, dict | list):
        value.clear()


ANSWERED: dict[str, Callable[[], Any]] = {
    "book": lambda: companion.book(GAME, rules="classic"),
    "article": lambda: companion.article("spades.bags"),
    "glossary": lambda: companion.glossary(),
    "rules": lambda: companion.rules(GAME, "modern"),
    "diff": lambda: companion.diff(GAME, "classic", "modern"),
    "search": lambda: companion.search("bags"),
    **{f"{game} {name}": partial(call, game, name, GAMES[game].examples[name]) for game, name in ASKED},
}


@pytest.mark.parametrize("name", ANSWERED)
def test_an_answer_is_the_caller_s_own(name: str) -> None:
    """Whatever a program does with it, the next answer is the same."""
    first = ANSWERED[name]()
    kept = copy.deepcopy(first)
    altered(first)
    assert ANSWERED[name]() == kept


def test_the_search_reads_the_kept_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first program makes it, the second one reads it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    program = textwrap.dedent("""
        import companion
        from companion.rulebook import search
        made, make = [], search._make_index
        search._make_index = lambda lang: made.append(lang) or make(lang)
        print(len(companion.search("how many bags cost")["results"]) > 0, *made)
    """)
    assert [alone(program) for _ in range(2)] == ["True en\n", "True\n"]


@pytest.mark.slow
def test_the_library_warns_of_nothing() -> None:
    """In the developers' mode of Python, where a warning is an error."""
    program = textwrap.dedent("""
        import companion, copy, pickle
        for game in companion.GAMES.values():
            for name in {"score", "check", "moves", "replay"} & game.examples.keys():
                getattr(companion, name)(game.id, game.examples[name], lang="ja")
            companion.book(game.id)
            companion.rules(game.id)
            try:
                companion.score(game.id, {})
            except companion.InvalidInput as refused:
                pickle.loads(pickle.dumps(refused))
        companion.search("how many bags cost")
        companion.glossary()
        from companion.cli import main
        main(["score", "examples/spades-friday.json"])
    """)
    command = [sys.executable, "-W", "error", "-X", "dev", "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
