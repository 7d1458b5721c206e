"""Everything that the judge of Casino can say has words for all its facts, in both languages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

import companion.games.casino
from companion.data import LANGUAGES
from companion.engine.game import score
from companion.engine.problems import Node, Refused
from companion.engine.verdict import Verdict
from companion.games.casino import CASINO as GAME
from companion.rulebook.words import words
from tests.casino.asking import Json, ask, check, turn
from tests.casino.test_replay import _deal_with_a_false_build
from tests.casino.test_score import A, B
from tests.casino.test_turn import FOUR, OPEN, RELATIVES, SWAZI
from tests.pairs.arrays import array, request
from tests.pairs.positions import casino_moves, casino_position

PACKAGE = Path(companion.games.casino.__file__).parent
PLACES = {"breach": 1, "Breach": 1, "breach_if": 2, "breach_if_owner": 1}
"""Calls that record a breach, and which of their arguments is its code."""
languages = pytest.mark.parametrize("lang", LANGUAGES)


def codes() -> Iterator[str]:
    """The code of every breach that the package notes."""
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            place, values = 1, list[ast.expr]()
            name = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name in PLACES:
                place, values = PLACES[name], node.args
            cited = values[place] if len(values) > place else None
            if isinstance(cited, ast.Constant):
                yield str(cited.value)


def verdicts() -> Iterator[Verdict]:
    for _, plays, position, *_ in (*SWAZI, *RELATIVES, *OPEN):
        yield turn(*plays, **position)
    table: Json = {"seats": FOUR, "dealer": "P1"}
    for move in (
        {"type": "deal", "dealer": "P2", "first": "P4", "table": 3, "hands": {"P1": 3}},
        {"type": "deal", "dealer": "P4"},
        {"type": "recut", "table": ["2H", "3H", "4H", "5H"]},
    ):
        for options in ({}, {"recut": True}):
            yield check({"rules": {"options": options}, "position": table, "move": move})
    yield check(
        {
            "position": table,
            "move": {"type": "recut", "table": ["KH", "QH", "JH", "5H"]},
            "rules": {"options": {"recut": True}},
        }
    )
    own = {"id": "B1", "value": 9, "sets": [["6S", "3D"]], "owner": "P1"}
    for hand, name in (["9S"], "B1"), (["8S"], "B1"), (["8S"], "B2"):
        asked = table | {
            "player": "P3",
            "builds": [own, own | {"id": "B2", "sets": [["5S", "4D"]], "owner": "P2"}],
            "hand": hand,
        }
        yield check({"position": asked, "move": {"type": "request", "build": name}})
    other = {"type": "turn", "player": "P2", "plays": []}
    yield check({"position": {"seats": FOUR, "player": "P1"}, "move": other})


def said() -> Iterator[tuple[str, str, set[str]]]:
    """The table, the key and the facts of everything said about the cases of the other tests."""
    for verdict in verdicts():
        yield from (("breaches", one.code, set(one.facts)) for one in verdict.breaches)
        yield from (("missing", one.fact, {*one.facts, "seat"}) for one in verdict.missing)
        yield from (("because", one.article.partition(".")[2], set(one.facts)) for one in verdict.because)
    for finding in ask("replay", _deal_with_a_false_build()[0])["findings"]:
        parts = {f"shown_by_{part}" for part in finding.facts["shown_by"]}
        yield "findings", finding.code, {*finding.facts, "seat"} | parts


@languages
def test_every_breach_has_words(lang: str) -> None:
    found = set(codes())
    assert {"second-hand-card", "sets-do-not-add-up", "capturer-used-up", "value-not-held"} <= found
    assert sorted(found - set(words(GAME.id, lang).tables["breaches"])) == []


@languages
def test_what_is_said_has_words_for_all_its_facts(lang: str) -> None:
    own = words(GAME.id, lang)
    keys = set()
    for table, key, facts in said():
        assert key in own.tables[table], f"{table}.{key}"
        assert own.tables[table][key].needed <= facts, f"{table}.{key}"
        keys.add((table, key))
    assert len(keys) > 70


@languages
@pytest.mark.parametrize(
    "deal",
    [
        {"A": A | {"cards": 1, "spades": 9, "aces": 4, "big_ten": False, "spy_two": True, "last_capture": True},
         "B": B | {"spades": 0, "last_capture": True}},
        {"A": {"captured": ["AS", "AS"]}, "B": {"captured": ["KS"]}, "unclaimed": 60},
        {"A": {"most_cards": False, "most_spades": False, "aces": 4, "big_ten": True, "spy_two": True},
         "B": {"most_cards": False, "most_spades": False, "aces": 0, "big_ten": False, "spy_two": False}},
    ],
)  # fmt: skip
def test_problems_have_words_for_all_their_facts(lang: str, deal: dict[str, Any]) -> None:
    own = words(GAME.id, lang)
    with pytest.raises(Refused) as refused:
        score(GAME, {"sides": ["A", "B"], "deals": [deal]})
    assert len(refused.value.problems) >= 2
    for problem in refused.value.problems:
        assert own.tables["problems"][problem.code].needed <= set(problem.facts), problem.code


@languages
def test_lines_and_endings_have_words(lang: str) -> None:
    own = words(GAME.id, lang)
    swept = {"A": A | {"sweeps": 2, "last_capture": True}, "B": B | {"sweeps": 1}}
    for options in (
        {"sweep": 1, "last_capture_points": 1},
        {"sweep": 1, "sweep_cancel": True, "spades_minimum": 5, "target": None},
    ):
        _, ledger = score(GAME, {"rules": {"options": options}, "sides": ["A", "B"], "deals": [swept]})
        for side in ledger.deals[0].sides.values():
            for line in side.lines:
                assert own.tables["lines"][line.article.partition(".")[2]].needed <= set(line.facts)
    assert own.outcome(ledger.outcome)


def test_a_verdict_cites_what_the_table_plays() -> None:
    """Positions, moves and options by lot: an article that is broken, allows or decides is one of that table's own."""
    wrong, count = set(), 0
    for number, values in enumerate(array(GAME.id, 0, triples=False).tables):
        rules, rng = request(GAME.id, values), Random(f"cited {number}")
        options = GAME.options.read(Node(rules)).options
        position = casino_position(rules["options"], rng)
        moves = casino_moves(rules["options"], position, rng)
        for move in rng.sample(moves, min(len(moves), 25)):
            hidden = {name: position[name] for name in position if name not in ("hand", "piles") or rng.random() < 0.6}
            with suppress(Refused):
                verdict = check({"rules": rules, "position": hidden, "move": move})
                count += 1
                cited = {one.article for one in verdict.breaches} | {one.article for one in verdict.missing}
                cited |= {one.article for one in verdict.because}
                wrong |= {article for article in cited if not GAME.articles[article].played(options)}
    assert wrong == set()
    assert count > 500
