"""Eight tasks of a table, done with the assistant's tools alone: each begins with a game's name and a question.

What a task sends is written after the shapes and examples that the tools give, never after this program's own code.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from companion.games import GAMES
from tests.library.test_mcp import asked

validator = jsonschema.Draft202012Validator
MOST_ANSWERED = 24 * 1024
"""Bytes of all answers of a task: about 6,000 tokens."""


class Assistant:
    """Somebody who has nothing but the tools."""

    def __init__(self) -> None:
        self.read = 0

    def use(self, name: str, *, wrong: bool = False, **arguments: Any) -> Any:
        """What a tool answers; a problem document if the call was wrong."""
        [result] = asked((name, arguments))
        assert result.is_error is wrong, result.content[0].text
        self.read += len(json.dumps(result.structured_content, ensure_ascii=False).encode())
        return result.structured_content

    def request(self, game: str, question: str) -> Any:
        """The example of a request, which its schema allows."""
        known = self.use("shape", game=game, question=question)
        validator(known["schema"]).validate(known["example"])
        return copy.deepcopy(known["example"])


@pytest.fixture
def assistant() -> Iterator[Assistant]:
    one = Assistant()
    yield one
    assert 0 < one.read < MOST_ANSWERED


def test_score_an_evening(assistant: Assistant) -> None:
    """How do we stand after three deals?"""
    request = assistant.request("spades", "score")
    request |= {"rules": {"preset": "classic"}, "sides": ["Us", "Them"], "title": "Friday"}
    request.pop("opening", None)
    request["deals"] = [
        {"Us": {"bid": 4, "tricks": 5}, "Them": {"bid": 6, "tricks": 8}},
        {"Us": {"bid": 5, "tricks": 7}, "Them": {"bid": 5, "tricks": 6}},
        {"Us": {"bid": 6, "tricks": 5}, "Them": {"bid": 5, "tricks": 8}},
    ]
    answer = assistant.use("score", game="spades", request=request)
    assert {side: each["total"] for side, each in answer["standing"].items()} == {
        "Us": 41 + 52 - 60,
        "Them": 62 + 51 + 53,
    }
    assert answer["outcome"]["over"] is False


def test_say_why_a_point_was_given(assistant: Assistant) -> None:
    """Why did we lose so many points in that deal? The line cites an article, which is then read."""
    request = assistant.request("spades", "score")
    request |= {"sides": ["Us", "Them"], "opening": {"Us": {"total": 200, "bags": 8}}}
    request["deals"] = [{"Us": {"bid": 4, "tricks": 7}, "Them": {"bid": 5, "tricks": 6}}] * 2
    answer = assistant.use("score", game="spades", request=request, deal=1)
    line = min(answer["deals"][0]["sides"]["Us"]["lines"], key=lambda line: line["points"])
    assert line["points"] == -100
    article = assistant.use("explain", article=line["article"])
    assert "bags reach 10, they cost 100 points" in article["text"]


@pytest.mark.parametrize("game", [game.id for game in GAMES.values() if "check" in game.examples])
def test_say_whether_a_move_is_allowed(assistant: Assistant, game: str) -> None:
    """May I play this? What is asked as JSON text is read, too."""
    request = assistant.request(game, "check")
    answer = assistant.use("check", game=game, request=json.dumps(request), lang="ja")
    assert answer["verdict"] in ("legal", "illegal")
    cited = answer["breaches"] or answer["because"]
    article = assistant.use("explain", article=cited[0]["article"], lang="ja")
    assert article["text"]


def test_ask_for_what_must_be_known(assistant: Assistant) -> None:
    """Was that a revoke? Nobody can say, until the hand is known."""
    request = assistant.request("spades", "check")
    hand = request["position"].pop("hand")
    answer = assistant.use("check", game="spades", request=request)
    assert (answer["verdict"], answer["missing"][0]["fact"]) == ("undecided", "hand")
    request["position"]["hand"] = hand
    answer = assistant.use("check", game="spades", request=request)
    assert (answer["verdict"], answer["breaches"][0]["article"]) == ("illegal", "spades.follow-suit")
    played = assistant.use("moves", game="spades", request={"position": request["position"]})
    assert request["move"]["card"] not in [move["card"] for move in played["moves"]]


@pytest.mark.parametrize("game", GAMES)
def test_find_an_option_and_play_by_it(assistant: Assistant, game: str) -> None:
    """What can we agree on about the end of the game? One option is read, and set."""
    listed = assistant.use("rules", game=game)
    numbers = [name for name, value in listed["options"].items() if type(value) is int]
    numbers = numbers or [name for name in listed["options"] if GAMES[game].options.options[name].kind == "number"]
    name = next((name for name in numbers if "target" in name), numbers[0])
    option = assistant.use("rules", game=game, option=name)["option"]
    assert option["value"] == listed["options"][name]
    assert option["help"]
    request = assistant.request(game, "score")
    request.pop("opening", None)
    other = option["minimum"] if option["value"] != option["minimum"] else option["maximum"]
    request["rules"] = {"options": {name: other}}
    assert assistant.use("score", game=game, request=request)["outcome"]


def test_search_a_rule_in_the_words_of_a_player(assistant: Assistant) -> None:
    """How many bags cost points? Asked and answered in Japanese, with the numbers of a table."""
    found = assistant.use(
        "search", query="バッグは何個で減点？", game="spades", rules="classic~bt-7", limit=1, lang="ja"
    )
    [hit] = found["results"]
    assert hit["id"].startswith("spades.")
    article = assistant.use("explain", article=hit["id"], rules="classic~bt-7", lang="ja")
    assert "7" in article["text"]


def test_replay_a_deal_and_score_it(assistant: Assistant) -> None:
    """Who revoked? The record shows it, and what it gives is scored where a whole deal was recorded."""
    request = assistant.request("spades", "replay")
    answer = assistant.use("replay", game="spades", request=request)
    [finding] = [each for each in answer["findings"] if each["article"] == "spades.follow-suit"]
    doubtful = [verdict["number"] for verdict in answer["verdicts"]]
    assert finding["seat"] == request["plays"][doubtful[0] - 1]["seat"]
    assert "revoked" in finding["text"]
    request = assistant.request("spite-and-malice", "score")
    assert assistant.use("score", game="spite-and-malice", request=request)["outcome"]["over"]


def test_put_a_mistake_right(assistant: Assistant) -> None:
    """A wrong key, a wrong place, a wrong count: each problem says where it is, and what would do."""
    problem = assistant.use("search", wrong=True, query="bags", limt=3)["errors"][0]
    assert (problem["pointer"], "limit" in problem["allowed"]) == ("/limt", True)
    request = assistant.request("spades", "score")
    request["deals"] = [{"A": {"bid": 5, "tricks": 7}, "B": {"bid": 6, "trics": 5}}]
    request["sides"], request["opening"] = ["A", "B"], {}
    problems = assistant.use("score", wrong=True, game="spades", request=request)["errors"]
    assert {problem["pointer"] for problem in problems} == {"/request/deals/0/B/trics", "/request/deals/0/B/tricks"}
    side = request["deals"][0]["B"]
    side["tricks"] = side.pop("trics")
    [problem] = assistant.use("score", wrong=True, game="spades", request=request)["errors"]
    assert (problem["code"], problem["facts"]["total"]) == ("tricks-total", 12)
    side["tricks"] += 13 - problem["facts"]["total"]
    assert assistant.use("score", game="spades", request=request)["standing"]
