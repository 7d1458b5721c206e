"""Every code that the judge can note has words in both languages, with no place left empty."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion import library
from companion.data import LANGUAGES
from companion.engine.problems import Node, Refused
from companion.engine.verdict import Verdict
from companion.games.spite_and_malice import SPITE_AND_MALICE as GAME
from companion.games.spite_and_malice import articles as package
from companion.rulebook.answers import localize
from companion.rulebook.words import words
from tests.spite_and_malice.asking import check
from tests.spite_and_malice.dealer import Dealer

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "X"]


def noted() -> Iterator[tuple[str, str]]:
    """The table and code of everything that rooms of the game note in a ruling."""
    for path in Path(package.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                table, place = {"breach": ("breaches", 1), "breach_if": ("breaches", 2), "lack": ("missing", 0)}.get(
                    node.func.attr, ("", 0)
                )
                arguments = node.args[place : place + 1] if table else []
                for text in (part for argument in arguments for part in ast.walk(argument)):
                    if isinstance(text, ast.Constant) and isinstance(text.value, str) and len(text.value) > 4:
                        yield table, text.value


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_has_words(lang: str) -> None:
    tables, codes = words(GAME.id, lang).tables, set(noted()) | {("breaches", "joker-range"), ("missing", "hand")}
    assert len(codes) > 50
    assert {f"{table}.{code}" for table, code in codes if code not in tables[table]} == set()
    used = {code for table, code in codes if table == "breaches"} | {
        "same-or-lower",
        "not-your-turn",
        "record-contradicts",
    }
    assert set(tables["breaches"]) == used | set(words("", lang).tables["breaches"]), "or those that all games share"


@cache
def questions() -> list[tuple[dict[str, Any], Verdict]]:
    """Thousands of random questions to the judge, most of them about nonsense."""
    return list(_judged())


def _judged() -> Iterator[tuple[dict[str, Any], Verdict]]:
    random_ = random.Random(11)
    presets = list(GAME.options.presets)
    for _ in range(6000):
        preset = random_.choice(presets)
        players = GAME.options.preset(preset).options.players
        options = random_.choice(({}, {}, {"wild_as_seven": False}, {"starts": "dealer"}, {"starts": "left_of_dealer"}))
        request = {
            "rules": {"preset": preset, "options": options},
            "position": position(random_, players),
            "move": move(random_, players),
        }
        try:
            yield request, check(request)
        except Refused as refused:
            strange = {problem.code for problem in refused.problems} - {"impossible-position", "payoff-empty"}
            if strange:
                raise AssertionError(strange, request) from refused


def position(random_: random.Random, players: int) -> dict[str, Any]:
    some = lambda low, high: [random_.choice(RANKS) for _ in range(random_.randint(low, high))]  # noqa: E731
    tops = [card for card in RANKS[:13] if random_.random() < 0.3]
    names = "ABCDEF"[:players]
    told: dict[str, Any] = {
        "payoff": random_.choice(RANKS[:3]), "payoff_left": random_.randint(0, 3), "hand": some(0, 5),
        "side_stacks": [some(0, 3) for _ in range(random_.randint(0, 4))], "centre_stacks": tops,
        "stock": random_.randint(0, 15), "refilled": random_.random() < 0.7, "discarded": random_.random() < 0.2,
        "phase": random_.choice(["normal", "second_chance"]), "complete": random_.randint(0, 1),
        "incomplete": random_.randint(0, 1), "over": random_.random() < 0.05,
        "turns": [{"player": names[i % players], "acted": random_.random() < 0.1} for i in range(2 * players)],
        "payoff_tops": {name: random_.choice(RANKS) for name in names if random_.random() < 0.9},
        "partner": {"payoff": random_.choice(RANKS[:3]), "side_stacks": [some(0, 2)]},
    }  # fmt: skip
    kept = {key: value for key, value in told.items() if random_.random() < 0.8}
    if "payoff" in kept and "payoff_tops" in kept:
        kept["payoff_tops"]["A"] = kept["payoff"]
    return {"players": list(names), "player": "A", **kept}


def move(random_: random.Random, players: int) -> dict[str, Any]:
    pick, card, seat = random_.choice, random_.choice(RANKS), "ABCDEF"[random_.randrange(players)]
    place = pick([0, 1, 2, 9, "new"])
    sources = ("hand", "payoff", "side", "partner_payoff", "partner_side", "partner_hand", "opponent_hand", "centre")
    kinds: list[dict[str, Any]] = [
        {"type": "play", "from": pick(sources), "card": card, "to": pick([place, {"side": 0}]), "stack": pick([0, 1]),
         "depth": pick([0, 0, 0, 1])},
        {"type": "play", "from": pick(("payoff", "side")), "stack": 0, "to": place},
        {"type": "discard", "card": card, "to": place, "owner": pick(("own", "own", "partner", "opponent"))},
        {"type": "discard", "card": card, "to": place, "from": pick(("hand", "payoff"))},
        {"type": "refill", "count": random_.randint(-1, 6)},
        {"type": "end_turn", "seat": pick(("A", seat))},
        {"type": "complete", "stack": pick([0, 7]), "do": pick(("stay", "set_aside", "shuffle_now"))},
        {"type": "recycle", "what": pick(("complete", "incomplete")), "by": pick(("opponent", "player"))},
        {"type": "second_chance"}, {"type": "redeal", "first": seat}, {"type": "start", "first": seat},
        {"type": "start", "redo": pick(("bury", "reshuffle", "redraw"))},
        {"type": "deal", "stock": 46, "hands": {seat: pick([5, 4])}, "payoffs": {seat: 26}},
        {"type": "claim_win"}, {"type": "claim_stalemate"},
    ]  # fmt: skip
    return pick(kinds)


FORCED = (
    ({"wild_as_seven": False}, {"player": "A", "players": ["A", "B", "C"], "hand": ["K"], "centre_stacks": ["6"]},
     {"type": "play", "from": "hand", "card": "K", "to": 0}),
    ({"stock_out": "draw"}, {"player": "A", "players": ["A", "B", "C"], "hand": ["9"] * 5, "stock": 0, "set_aside": 0,
     "centre_stacks": []}, {"type": "claim_stalemate"}),
    ({"starts": "dealer"}, {"player": "A", "players": ["A", "B", "C"], "dealer": "B"}, {"type": "start", "first": "A"}),
)  # fmt: skip
"""Options of `alone3`, positions and moves whose verdicts random questions seldom meet."""


def said_of(cases: Any) -> set[str]:
    """Return the codes of the breaches of such cases; each answer has its words."""
    return {
        breach["code"]
        for options, position, move in cases
        for breach in library.check(
            GAME.id, {"rules": {"preset": "alone3", "options": options}, "position": position, "move": move}
        )["breaches"]
    }


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_place_of_a_sentence_stays_empty(lang: str) -> None:
    tables, met = words(GAME.id, lang).tables, set()
    needed: dict[tuple[str, str], frozenset[str]] = {}
    for request, verdict in questions():
        said = [("breaches", breach.code, breach.facts) for breach in verdict.breaches]
        said += [("missing", one.fact, {**one.facts, "seat": one.seat}) for one in verdict.missing]
        said += [("because", one.article.partition(".")[2], one.facts) for one in verdict.because]
        for table, key, facts in said:
            met.add((table, key))
            if (table, key) not in needed:
                needed[table, key] = tables[table][key].needed
            assert needed[table, key] <= set(facts), (request, key)
            assert tables[table][key](facts).strip()
        assert verdict.value != "legal" or verdict.because or request["move"]["type"] == "refill"
    wanted = {("breaches", code) for table, code in noted() if table == "breaches"}
    rare = {"no-such-stack", "either-way", "none-left", "no-card-fits", "wild-opens"}  # without facts, or met elsewhere
    met |= {("breaches", code) for code in said_of(FORCED)}
    assert {code for _, code in wanted - met} <= rare


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_whole_replay_can_be_told(lang: str) -> None:
    rules = GAME.options.preset("blackwood").options
    record = Dealer(rules, 3, idleness=0.3).play(60)
    record["turns"][5]["moves"].append({"type": "discard", "card": "9", "to": "new"})
    told = localize(GAME, GAME.replay(rules, Node(record)), lang)
    assert told["findings"]
    assert all(finding["text"] for finding in told["findings"])
    assert all(line["text"] for judged in told["verdicts"] for line in judged["because"])
