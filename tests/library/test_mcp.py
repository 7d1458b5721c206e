"""The tools of assistants, asked with the protocol's own client."""

from __future__ import annotations

import copy
import itertools
import json
import re
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from openapi_schema_validator import OAS31Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from companion import library as companion
from companion.conformance import published
from companion.games import GAMES
from companion.mcp import TOOLS, make_server

CALLS = {"score": companion.score, "check": companion.check, "moves": companion.moves}
MAIN = "from companion.cli import main; main(['mcp'])"
SENT = {"host": "127.0.0.1:8001", "content-type": "application/json", "accept": "application/json, text/event-stream"}
validator = jsonschema.Draft202012Validator
ASKED = [(game.id, name) for game in GAMES.values() for name in CALLS if name in game.examples]


def in_a_thread(ask: Callable[[], Awaitable[Any]]) -> Any:
    """What a function of the client answers; in the tests' own thread a browser may have an event loop already."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(anyio.run, ask).result()


def asked(*calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """The results of calls, over the client in memory."""

    async def ask() -> list[Any]:
        async with Client(make_server()) as client:
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    found: list[Any] = in_a_thread(ask)
    return found


@pytest.fixture(scope="module")
def schemas() -> dict[str, Any]:
    async def listed() -> Any:
        async with Client(make_server()) as client:
            return (await client.list_tools()).tools

    return {tool.name: tool.input_schema for tool in in_a_thread(listed)}


def test_every_tool_is_listed_with_a_valid_schema(schemas: dict[str, Any]) -> None:
    assert list(schemas) == list(TOOLS) == ["score", "check", "moves", "rules", "explain", "search"]
    for schema in schemas.values():
        validator.check_schema(schema)
        parts = {f"#/$defs/{name}" for name in schema.get("$defs", ())}
        assert set(re.findall(r'"\$ref": "([^"]+)"', json.dumps(schema))) <= parts


def test_the_schemas_allow_what_the_judges_read(schemas: dict[str, Any]) -> None:
    """One published case of each question and status; a request of another shape is not allowed."""
    kinds: dict[str, dict[str, Any]] = {}
    for case in published():
        kinds.setdefault(f"{case['post']} {case['expect']['status']}", case)
    for case in kinds.values():
        _, game, name = case["post"].strip("/").split("/")
        if name in CALLS and case["expect"]["status"] == 200:
            assert validator(schemas[name]).is_valid({"game": game, "request": case["request"]})
    wrong = {"game": next(iter(GAMES)), "request": {"moves": []}}
    assert not validator(schemas["check"]).is_valid(wrong)


def test_the_schemas_are_short_and_say_nothing_twice(schemas: dict[str, Any]) -> None:
    """An assistant reads all of them before its first question."""
    assert sum(len(json.dumps(schema, ensure_ascii=False)) for schema in schemas.values()) < 60_000
    for schema in schemas.values():
        patterns = re.findall(r'"pattern": "(?:[^"\\]|\\.)*"', json.dumps(schema))
        assert all(patterns.count(pattern) <= 2 for pattern in patterns)  # a card, and a card or null
        descriptions = re.findall(r'"type": "array"[^}]*"description": "([^"]*)"', json.dumps(schema))
        assert len(descriptions) == len(set(descriptions))


def spoilt(request: Any) -> Iterator[Any]:
    """The request with one value of a wrong type, one key too many or one too few, at each place in turn."""
    for key in request if isinstance(request, dict) else range(len(request)):
        inner = request[key]
        wrong: list[Any] = [{"no-such-key": []}, 1.5]
        if isinstance(inner, dict | list):
            wrong += spoilt(inner)
        for each in wrong:
            changed = copy.deepcopy(request)
            changed[key] = each
            yield changed
        if isinstance(request, dict):
            yield {other: item for other, item in request.items() if other != key}


def test_the_schemas_refuse_what_the_document_refuses(schemas: dict[str, Any]) -> None:
    """Short as they are, they allow neither more nor less; options of house rules apart."""
    document = json.loads((Path(__file__).parents[1] / "api/openapi.json").read_text(encoding="utf-8"))
    registry = Registry().with_resource("urn:document", DRAFT202012.create_resource(document))
    judged = Counter[bool]()
    for game, name in ASKED:
        prefix = "".join(part.capitalize() for part in game.split("-"))
        known = f"{prefix}{name.capitalize()}"
        documented = OAS31Validator({"$ref": f"urn:document#/components/schemas/{known}"}, registry=registry)
        tool = validator({"$ref": f"#/$defs/{known}", "$defs": schemas[name]["$defs"]})
        example = {key: item for key, item in GAMES[game].examples[name].items() if key != "rules"}
        for request in (example, *itertools.islice(spoilt(example), 0, None, 5)):
            allowed = documented.is_valid(request)
            judged[allowed] += 1
            assert tool.is_valid(request) == allowed, request
    assert judged[True] >= len(ASKED)
    assert judged[False] > 80


def test_a_tool_answers_what_the_library_returns() -> None:
    results = asked(*((name, {"game": game, "request": GAMES[game].examples[name]}) for game, name in ASKED))
    for (game, name), result in zip(ASKED, results, strict=True):
        answer = json.loads(json.dumps(CALLS[name](game, GAMES[game].examples[name])))
        assert not result.is_error
        assert result.structured_content == answer == json.loads(result.content[0].text)


def test_house_rules_are_told_as_the_catalogue_tells_them(shared_client: Any) -> None:
    results = asked(*(("rules", {"game": game, "lang": "ja"}) for game in GAMES))
    for game, result in zip(GAMES, results, strict=True):
        assert result.structured_content == shared_client.get(f"/api/v1/games/{game}?lang=ja").json


def test_rules_are_explained_and_found_in_both_languages() -> None:
    article, game = next((article.id, game) for game in GAMES for article in GAMES[game].articles)
    preset = list(GAMES[game].options.presets)[-1]
    explained, found, told = asked(
        ("explain", {"article": article, "rules": preset, "lang": "ja"}),
        ("search", {"query": "how many bags cost", "limit": 1}),
        ("search", {"query": "nil", "game": game, "rules": preset, "lang": "ja"}),
    )
    assert explained.structured_content == json.loads(json.dumps(companion.article(article, rules=preset, lang="ja")))
    assert len(found.structured_content["results"]) == 1
    assert told.structured_content == companion.search("nil", game=game, rules=preset, limit=5, lang="ja")


@pytest.mark.parametrize(
    ("name", "arguments", "pointer"),
    [
        ("search", {}, "/query"),
        ("search", {"query": "a", "lang": "xx"}, "/lang"),
        ("search", {"query": "a", "limit": 500}, "/limit"),
        ("search", {"query": "a", "rules": "classic"}, "/rules"),
        ("score", {"game": "poker", "request": {}}, "/game"),
        ("score", {"game": next(iter(GAMES))}, "/request"),
        ("check", {"game": next(iter(GAMES)), "request": {"move": {}}}, "/request/position"),
        ("no-such-tool", {}, "/name"),
    ],
)
def test_wrong_arguments_are_answered_with_every_problem(name: str, arguments: dict[str, Any], pointer: str) -> None:
    [result] = asked((name, arguments))
    assert result.is_error
    assert pointer in [error["pointer"] for error in result.structured_content["errors"]]


def test_an_article_that_is_not_there_is_said() -> None:
    [result] = asked(("explain", {"article": "spades.no-such-article"}))
    assert result.is_error
    assert "spades.no-such-article" in result.structured_content["detail"]


@pytest.mark.slow
def test_standard_input_and_output() -> None:
    command = StdioServerParameters(command=sys.executable, args=["-c", MAIN])

    async def ask() -> Any:
        async with Client(command) as client:
            return await client.call_tool("search", {"query": "nil", "limit": 1})

    assert in_a_thread(ask).structured_content["results"]


@pytest.mark.slow
def test_http() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with subprocess.Popen([sys.executable, "-c", MAIN.replace("'mcp'", f"'mcp', '--http', '--port', '{port}'")]) as run:
        try:
            wait_for_port(port, run)

            async def ask() -> Any:
                async with Client(f"http://127.0.0.1:{port}/mcp") as client:
                    return await client.call_tool("rules", {"game": next(iter(GAMES))})

            assert in_a_thread(ask).structured_content["presets"]
        finally:
            run.terminate()


def wait_for_port(port: int, run: subprocess.Popen[bytes]) -> None:
    """Return once a program listens there. Raises OSError if it has ended, or does not for two minutes."""
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            if run.poll() is not None:
                break
            time.sleep(0.2)
    raise OSError(f"nobody listens on port {port}")


def test_http_is_for_this_machine_only() -> None:
    """A page in a browser cannot reach the tools through a name or an origin of its own."""
    app = make_server().streamable_http_app(host="127.0.0.1", stateless_http=True, json_response=True)
    listing = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).encode()

    async def statuses() -> list[int]:
        async with app.router.lifespan_context(app):
            changes: tuple[dict[str, str], ...] = ({}, {"host": "evil.example"}, {"origin": "http://evil.example"})
            return [await post(app, {**SENT, **changed}, listing) for changed in changes]

    accepted, *refused = in_a_thread(statuses)
    assert accepted == 200
    assert all(400 <= status < 500 for status in refused)


async def post(app: Any, headers: dict[str, str], body: bytes) -> int:
    """The status that an application answers to a POST."""
    started: list[int] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            started.append(message["status"])

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": "/mcp", "raw_path": b"/mcp", "query_string": b"", "root_path": "", "server": ("127.0.0.1", 8001),
        "client": ("127.0.0.1", 9), "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    await app(scope, receive, send)
    return started[0]
