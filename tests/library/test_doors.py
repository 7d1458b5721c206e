"""A request that names itself, as the files of `examples/` do, is read at every door."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from companion import library as companion
from companion.cli import cli, main
from companion.games import GAMES
from companion.mcp import TOOLS, call

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(EXAMPLES.glob("*.json"))}
QUESTIONS = {
    f"{game.id}/{name}": {"game": game.id, "title": "From a file", **request}
    for game in GAMES.values()
    for name, request in game.examples.items()
    if name in ("score", "check", "moves", "replay", *game.extra)
}
WRONG: list[tuple[str, object]] = [("game", "no-such-game"), ("game", 3), ("title", ["a"]), ("title", "x" * 401)]

Door = Callable[[str, str, Any], Any]
"""The game, the question and the request to the answer or the problem document."""


@pytest.fixture(params=["api", "batch", "library", "mcp", "shell", "shell-batch"])
def door(
    request: pytest.FixtureRequest, shared_client: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Door:
    def over_http(game: str, name: str, asked: Any) -> Any:
        answer = dict(shared_client.post(f"/api/v1/games/{game}/{name}?lang=en", json=asked).json)
        answer.pop("instance", None)
        return answer

    def in_a_batch(game: str, name: str, asked: Any) -> Any:
        url = f"/api/v1/games/{game}/{name}/batch?lang=en"
        sent = shared_client.post(url, data=json.dumps(asked), content_type="application/x-ndjson")
        return without_line(sent.text)

    def from_python(game: str, name: str, asked: Any) -> Any:
        plain = {"score": companion.score, "check": companion.check, "moves": companion.moves}
        try:
            if name in plain:
                return plain[name](game, asked)
            return companion.replay(game, asked) if name == "replay" else companion.ask(game, name, asked)
        except companion.InvalidInput as refused:
            return refused.document

    def by_an_assistant(game: str, name: str, asked: Any) -> Any:
        return call(name, {"game": game, "request": asked}).structured_content

    def in_the_shell(game: str, name: str, asked: Any) -> Any:
        return printed(tmp_path, capsys, asked, name, "--json", "--game", game)

    def in_the_shell_s_batch(game: str, name: str, asked: Any) -> Any:
        return without_line(printed(tmp_path, capsys, asked, "batch", "--game", game, "--question", name, plain=True))

    doors: dict[str, Door] = {
        "api": over_http, "batch": in_a_batch, "library": from_python, "mcp": by_an_assistant,
        "shell": in_the_shell, "shell-batch": in_the_shell_s_batch,
    }  # fmt: skip
    return doors[request.param]


def printed(folder: Path, capsys: Any, asked: Any, *arguments: str, plain: bool = False) -> Any:
    """What a command prints about a file with the request."""
    file = folder / "request.json"
    file.write_text(json.dumps(asked), encoding="utf-8")
    command, *options = arguments
    with suppress(SystemExit):
        main([command, str(file), *options, "--lang", "en"])
    out = capsys.readouterr().out
    return out if plain else json.loads(out)


def without_line(text: str) -> Any:
    answer = json.loads(text)
    answer.pop("line")
    return answer


@pytest.mark.parametrize("name", FILES)
def test_an_example_is_scored_at_every_door(door: Door, name: str, request: pytest.FixtureRequest) -> None:
    asked = FILES[name]
    bare = {key: item for key, item in asked.items() if key not in ("game", "title")}
    answer = json.loads(json.dumps(door(asked["game"], "score", asked)))
    expected = json.loads(json.dumps(companion.score(asked["game"], bare)))
    assert answer["standing"] == expected["standing"]
    if request.node.callspec.params["door"] != "mcp":  # assistants read the lines of one deal, and no addresses
        assert answer == expected
    assert len(answer["deals"]) == len(asked["deals"])


OFFERED = {
    "api": {"score", "check", "moves", "replay"} | {name for game in GAMES.values() for name in game.extra},
    "library": {"score", "check", "moves", "replay"} | {name for game in GAMES.values() for name in game.extra},
    "batch": {"score", "replay"},
    "mcp": set(TOOLS),
    "shell": set(cli.commands),
    "shell-batch": {"score", "replay"},
}
"""The questions of each door."""


def offered(request: pytest.FixtureRequest) -> set[str]:
    return OFFERED[request.node.callspec.params["door"]]


def test_every_question_may_name_itself(door: Door, request: pytest.FixtureRequest) -> None:
    asked = {case: each for case, each in QUESTIONS.items() if case.partition("/")[2] in offered(request)}
    assert len(asked) >= len(GAMES)
    for case, each in asked.items():
        game, _, name = case.partition("/")
        bare = {key: item for key, item in each.items() if key not in ("game", "title")}
        assert json.loads(json.dumps(door(game, name, each))) == json.loads(json.dumps(door(game, name, bare)))


@pytest.mark.parametrize(("key", "value"), WRONG)
def test_a_wrong_name_is_refused(door: Door, key: str, value: object, request: pytest.FixtureRequest) -> None:
    shell = request.node.callspec.params["door"] == "shell"
    for name in {"score", "replay"} & offered(request):
        game = next(game.id for game in GAMES.values() if name in game.examples)
        answer = door(game, name, {**GAMES[game].examples[name], key: value})
        assert answer["status"] == (400 if shell and value == "no-such-game" else 422)
        pointers = [error["pointer"].removeprefix("/request") for error in answer.get("errors", ())]
        assert pointers == ([f"/{key}"] if answer["status"] == 422 else [])


def test_the_file_of_another_game_is_refused(door: Door) -> None:
    games = list(GAMES)
    for name, asked in FILES.items():
        other = next(game for game in games if game != asked["game"])
        answer = door(other, "score", asked)
        assert answer["status"] in (400, 422), name
        assert asked["game"] in json.dumps(answer)
