"""Addresses of the referee's pages: whatever stands in one is read, passed over or refused, never a fault."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games import GAMES
from companion.rulebook.words import say
from tests.referee.reading import address, ask, read

QUESTIONS = {game.id: game.questions for game in GAMES.values()}
PATHS = [f"{game}/{name}" for game, questions in QUESTIONS.items() for name in questions]


@pytest.mark.parametrize(("path", "act"), [
    ("spades/trick", f"leader:{'9' * 5000}"),
    ("casino/take", f"v{'9' * 5000}:5"),
    ("casino/take", f"v1:{'9' * 5000}"),
])  # fmt: skip
def test_a_number_longer_than_any_is_passed_over_and_told_of(shared_client: Any, path: str, act: str) -> None:
    for acts in ([act], ["empty:", act]):
        answer = shared_client.get(f"/en/referee/{path}", query_string={"do": acts})
        assert answer.status_code == 200
        assert say("en", "referee.too-long") in answer.text


def test_rules_that_are_none_are_refused(shared_client: Any) -> None:
    assert shared_client.get("/en/referee/spades/card?rules=nope").status_code == 422
    assert shared_client.get("/en/referee/spades/card?sheet=nope").status_code == 404
    assert shared_client.get("/en/referee/spades/nope").status_code == 404


def test_shared_address_keeps_the_rules_where_the_sheet_is_not_known(shared_client: Any) -> None:
    said = ask(shared_client, "spades/card", {"sheet": "nope", "rules": "modern", "h": "2S"})
    assert said.hidden == {"rules": "modern", "h": "2S"}


def test_pages_with_a_state_are_not_for_search_engines(shared_client: Any) -> None:
    assert "X-Robots-Tag" not in shared_client.get("/en/referee/spades/card").headers
    answer = shared_client.get("/en/referee/spades/card?h=2S")
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert answer.headers["Cache-Control"] == "private, no-cache"


NAMES = sorted({name for questions in QUESTIONS.values() for one in questions.values() for name in one.all_names})
PIECES = [
    "7H",
    "AS",
    "X",
    "5",
    "nil",
    "double_nil-n",
    "blind_6",
    "moon",
    "pass",
    "-",
    "@1",
    "BJ",
    "c*9S*9H*B1*9",
    "_",
    "a*6S*4D.5C**10",
    "r*AS**B1*10",
    "t*KC",
    "y",
    "n",
    "99",
    "-5",
    "²",
    "ask",
    "hand.5",
    "side.0",
    "c0",
    "sn",
    "l",
]
WORDS = st.lists(st.sampled_from(PIECES), max_size=8).flatmap(
    lambda words: st.sampled_from([".".join(words), "_".join(words), "".join(words)])
)
VERBS = [
    "tap",
    "to",
    "first",
    "broken",
    "me",
    "leader",
    "dealer",
    "call",
    "back",
    "looked",
    "skip",
    "step",
    "n",
    "half",
    "card",
    "mark",
    "as",
    "named",
    "kind",
    "value",
    "add",
    "drop",
    "from",
    "onto",
    "chance",
    "idle",
    "v0",
    "w0",
    "proven",
    "whole",
    "empty",
    "?",
]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from(PATHS),
    preset=st.sampled_from(["", *sorted({name for game in GAMES.values() for name in game.options.presets})]),
    state=st.dictionaries(st.sampled_from(NAMES), WORDS | st.text(max_size=12), max_size=8),
    acts=st.lists(st.tuples(st.sampled_from(VERBS), st.sampled_from(PIECES) | st.text(max_size=6)), max_size=5),
)
def test_no_address_makes_a_fault(
    shared_client: Any, path: str, preset: str, state: dict[str, str], acts: list[tuple[str, str]]
) -> None:
    known = preset in GAMES[path.partition("/")[0]].options.presets
    given_state = {**state, "rules": preset if known else "", "sheet": ""}
    url = address(path, given_state, *(f"{verb}:{word}" for verb, word in acts))
    answer = shared_client.get(url)
    assert answer.status_code == 200, url
    said = read(answer.text)
    if said.address:
        assert read(shared_client.get(said.address).text).hidden == said.hidden
