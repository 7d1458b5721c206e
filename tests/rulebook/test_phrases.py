"""Every code, article, option and preset of every game has words, in both languages, with places for the same facts."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.data import LANGUAGES
from companion.engine.game import Game, score
from companion.engine.problems import Node, Refused
from companion.engine.verdict import ILLEGAL, LEGAL, Finding, Judged, Verdict
from companion.games import GAMES
from companion.rulebook.words import TABLES, Words, flat, load_book, say, words

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "vectors"
PLACES = {
    "Breach": 1, "Finding": 1, "Problem": 1, "_problem": 1, "breach": 1,
    "Missing": 0, "fault": 0, "Caution": 0, "Notice": 0, "lack": 0,
}  # fmt: skip
KINDS = {
    "Breach": "breaches", "Finding": "breaches", "breach": "breaches",
    "Missing": "missing", "lack": "missing",
    "Caution": "notices", "Notice": "notices",
}  # fmt: skip

games = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
languages = pytest.mark.parametrize("lang", LANGUAGES)


def package(game: Game) -> Path:
    return ROOT / Path(*type(game.scorer).__module__.split(".")[:-1])


def codes(folder: Path) -> Iterator[tuple[str, str]]:
    """The table and code of every breach, missing fact, problem and notice written down in a folder's modules."""
    for path in sorted(folder.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            table = KINDS.get(name, "problems")
            if name in PLACES and len(call.args) > PLACES[name]:
                yield from ((table, code) for code in texts(call.args[PLACES[name]]))
            yield from (("problems", code) for key in call.keywords if key.arg == "code" for code in texts(key.value))


def texts(node: ast.expr) -> list[str]:
    if isinstance(node, ast.IfExp):
        return [*texts(node.body), *texts(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def test_the_scan_finds_codes() -> None:
    found = set(codes(package(GAMES["spades"]))) | set(codes(ROOT / "companion" / "engine"))
    assert {
        ("breaches", "spades-not-broken"),
        ("missing", "looked"),
        ("missing", "calls"),
        ("problems", "tricks-total"),
        ("problems", "required"),
        ("problems", "unknown-seat"),
        ("notices", "gave-way"),
        ("notices", "very-high-scores"),
    } <= found


@games
@languages
def test_every_code_of_a_game_has_words(game: Game, lang: str) -> None:
    own = words(game.id, lang)
    wanted = {*codes(package(game)), *codes(ROOT / "companion" / "engine")}
    assert sorted(f"{table}.{code}" for table, code in wanted if code not in own.tables[table]) == []


@games
@languages
def test_every_option_and_preset_has_words(game: Game, lang: str) -> None:
    own, lacking = words(game.id, lang), []
    for option in game.options.options.values():
        if option.name not in own.vocabulary.labels or not own.option_help(option.name):
            lacking.append(option.name)
        lacking += [
            f"{option.name}={value}" for value in option.choices
            if option.kind == "choice" and value not in own.vocabulary.by_fact.get(option.name, {})
        ]  # fmt: skip
        if option.kind == "number" and option.unit not in own.tables["units"]:
            lacking.append(f"unit {option.unit}")
    lacking += [preset for preset in game.options.presets if not own.preset_help(preset)]
    assert lacking == []
    assert own.name


@games
def test_the_words_are_about_articles_and_options_that_exist(game: Game) -> None:
    own = words(game.id, "en")
    anchors = {article.anchor for article in game.articles}
    for table in ("lines", "because", "outcomes"):
        assert set(own.tables[table]) - set(words("", "en").tables[table]) <= anchors
    assert set(own.vocabulary.labels) <= set(game.options.options)


@pytest.mark.parametrize("name", ["", *GAMES])
def test_both_languages_have_the_same_words_with_the_same_facts(name: str) -> None:
    ja, en = words(name, "ja"), words(name, "en")
    for table in TABLES:
        assert {key: template.names for key, template in ja.tables[table].items()} == {
            key: template.names for key, template in en.tables[table].items()
        }
        assert {key: template.needed for key, template in ja.tables[table].items()} == {
            key: template.needed for key, template in en.tables[table].items()
        }
    assert ja.vocabulary.words.keys() == en.vocabulary.words.keys()
    assert {k: v.keys() for k, v in ja.vocabulary.by_fact.items()} == {
        k: v.keys() for k, v in en.vocabulary.by_fact.items()
    }
    assert {k: v.keys() for k, v in ja.presets.items()} == {k: v.keys() for k, v in en.presets.items()}


def test_the_interface_says_the_same_in_both_languages() -> None:
    ja, en = (load_book().sites[lang].templates for lang in LANGUAGES)
    assert {key: template.names for key, template in ja.items()} == {key: t.names for key, t in en.items()}


@games
def test_a_game_has_the_same_interface_phrases_with_the_same_facts_in_both_languages(game: Game) -> None:
    ja, en = (words(game.id, lang).interface for lang in LANGUAGES)
    assert {key: template.names for key, template in ja.items()} == {key: t.names for key, t in en.items()}


@games
@languages
def test_a_phrase_of_the_interface_is_the_games_own_or_the_shared_one(game: Game, lang: str) -> None:
    own = words(game.id, lang)
    assert own.say("home.about") != say(lang, "home.lead") == own.say("home.lead")
    assert own.say("print.side", {"number": 2}) == say(lang, "print.side", number=2)
    assert own.say("asks.rank", {"rank": "Q"}) == say(lang, "referee.rank", rank="Q")
    assert own.say("entry.deal-number", {"number": 3}) == say(lang, "keeper.deal-number", number=3)
    assert own.has("asks.dealt.title") == bool(game.questions)
    assert not own.has("asks.nothing.of-the-kind")
    with pytest.raises(KeyError):
        own.say("asks.nothing.of-the-kind")


def test_an_unknown_key_of_the_interface_is_an_error() -> None:
    with pytest.raises(KeyError):
        say("en", "no.such.words")


def cases() -> Iterator[dict[str, Any]]:
    for path in sorted(VECTORS.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            _, _, game, question = case["post"].split("/")
            if game in GAMES and question in ("score", "check", "replay"):
                yield {**case, "game": GAMES[game], "question": question}


def told(case: dict[str, Any]) -> Iterator[tuple[str, str, set[str]]]:
    """The table, the key and the facts of everything that the engine says about a case."""
    game, node = case["game"], Node(case["request"])
    try:
        if case["question"] == "score":
            _, ledger = score(game, case["request"])
            for deal in ledger.deals:
                for side in deal.sides.values():
                    yield from (("lines", line.article.partition(".")[2], set(line.facts)) for line in side.lines)
                yield from (("problems", w.problem.code, set(w.problem.facts)) for w in deal.warnings)
            if ledger.outcome.reason:
                yield "outcomes", ledger.outcome.reason.partition(".")[2], {*ledger.outcome.facts, "winners"}
            return
        house = game.options.read(node["rules"])
        if case["question"] == "check":
            yield from said(game.judge(house.options, node["position"], node["move"]))
        else:
            yield from replayed(game.replay(house.options, node))
    except Refused as refused:
        yield from (("problems", problem.code, set(problem.facts)) for problem in refused.problems)
    yield from (("problems", problem.code, set(problem.facts)) for problem in node.problems)


def said(verdict: Verdict) -> Iterator[tuple[str, str, set[str]]]:
    if verdict.value == ILLEGAL:
        yield from (("breaches", breach.code, set(breach.facts)) for breach in verdict.breaches)
    elif verdict.value == LEGAL:
        yield from (("because", item.article.partition(".")[2], set(item.facts)) for item in verdict.because)
    else:
        yield from (("missing", item.fact, {*item.facts, "seat"}) for item in verdict.missing)


def replayed(value: Any) -> Iterator[tuple[str, str, set[str]]]:
    if isinstance(value, Judged):
        yield from said(value.verdict)
    elif isinstance(value, Finding):
        yield "breaches", value.code, {*value.facts, "seat"}
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from replayed(item)


@languages
def test_everything_said_about_the_published_cases_has_words_and_facts_for_every_place(lang: str) -> None:
    lacking, count = set(), 0
    for case in cases():
        own: Words = words(case["game"].id, lang)
        for table, key, facts in told(case):
            count += 1
            template = own.tables[table].get(key)
            if template is None:
                if table != "because":
                    lacking.add(f"{case['game'].id}: {table}.{key} has no words")
            elif not template.needed <= facts:
                lacking.add(f"{case['game'].id}: {table}.{key} lacks {sorted(template.needed - facts)}")
    assert sorted(lacking) == []
    assert count > 300


def test_flat_joins_nested_keys() -> None:
    assert dict(flat({"a": {"b": "1", "c": {"d": "2"}}, "e": "3"})) == {"a.b": "1", "a.c.d": "2", "e": "3"}


@games
@languages
def test_every_phrase_that_a_game_makes_pages_ask_for_is_there(game: Game, lang: str) -> None:
    assert [key for key in game.phrase_keys() if not words(game.id, lang).has(key)] == []
