"""Every key of an answer is declared in the OpenAPI document, and no shape that a game knows is a bare object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from companion.conformance import published
from companion.games import GAMES

COMBINED = ("anyOf", "oneOf", "allOf")


@pytest.fixture(scope="module")
def document(shared_client: Any) -> Any:
    return shared_client.get("/api/v1/openapi.json").json


def _resolved(document: Any, schema: Any) -> Any:
    while "$ref" in schema:
        at: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            at = at[part]
        schema = at
    return schema


def _branches(document: Any, schema: Any) -> Iterator[Any]:
    """A schema without its references, and all that it combines."""
    found = _resolved(document, schema)
    yield found
    for word in COMBINED:
        for inner in found.get(word, ()):
            yield from _branches(document, inner)


def _kinds(schema: Any) -> set[str]:
    kind = schema.get("type", ())
    return {kind} if isinstance(kind, str) else set(kind)


def undeclared(document: Any, schemas: list[Any], value: Any, at: str = "") -> Iterator[str]:
    """Pointers of keys that none of the schemas declares by name, or as one of many keys of a schema of their own."""
    branches = [branch for schema in schemas for branch in _branches(document, schema)]
    if isinstance(value, dict):
        objects = [branch for branch in branches if "object" in _kinds(branch)]
        kind = value.get("type", value.get("play"))
        for key, inner in value.items():
            known = [
                branch["properties"][key]
                for branch in objects
                if key in branch.get("properties", {}) and _may_be(document, branch, kind)
            ]
            known += [
                branch["additionalProperties"]
                for branch in objects
                if isinstance(branch.get("additionalProperties"), dict)
                and branch["additionalProperties"]
                and key not in branch.get("properties", {})
            ]
            if known:
                yield from undeclared(document, known, inner, f"{at}/{key}")
            else:
                yield f"{at}/{key}"
    elif isinstance(value, list):
        items = [branch["items"] for branch in branches if "array" in _kinds(branch)]
        for place, inner in enumerate(value):
            yield from undeclared(document, items, inner, f"{at}/{place}")


def _may_be(document: Any, branch: Any, kind: Any) -> bool:
    """Whether a schema may describe an object whose `type` or `play` is that word."""
    word = branch.get("properties", {}).get("type", branch.get("properties", {}).get("play"))
    return word is None or "enum" not in word or kind in word["enum"] or not isinstance(kind, str)


def _answer_schema(document: Any, path: str, method: str = "post", status: str = "200") -> Any:
    return document["paths"][path][method]["responses"][status]["content"]["application/json"]["schema"]


def test_answers_to_published_cases_have_no_undeclared_key(shared_client: Any, document: Any) -> None:
    wrong: dict[str, str] = {}
    for case in published():
        answer = shared_client.post(f"/api/v1{case['post']}", json=case["request"])
        game = case["post"].split("/")[2]
        schema: Any = {"$ref": "#/components/schemas/Problem"}
        if answer.status_code == 200:
            schema = _of_game(
                document, _answer_schema(document, f"/api/v1{case['post'].replace(game, '{game}')}"), game
            )
        for pointer in undeclared(document, [schema], answer.json):
            place = "/".join("*" if part.isdecimal() else part for part in pointer.split("/"))
            wrong.setdefault(f"{case['post']} {place}", case["id"])
    assert wrong == {}


def _of_game(document: Any, schema: Any, game: str) -> Any:
    """Of a schema that tells the games apart, the one of the game."""
    prefix = "".join(part.capitalize() for part in game.split("-"))
    found = _resolved(document, schema)
    own = [each for each in found.get("anyOf", ()) if each["$ref"].startswith(f"#/components/schemas/{prefix}")]
    return own[0] if own else schema


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("path", ["", "/articles"])
def test_the_catalogue_has_no_undeclared_key(shared_client: Any, document: Any, game: str, path: str) -> None:
    schema = _answer_schema(document, f"/api/v1/games/{{game}}{path}", "get")
    assert list(undeclared(document, [schema], shared_client.get(f"/api/v1/games/{game}{path}").json)) == []


@pytest.mark.parametrize("game", GAMES)
def test_rules_and_their_differences_have_no_undeclared_key(shared_client: Any, document: Any, game: str) -> None:
    presets = list(GAMES[game].options.presets)
    for preset in presets:
        for path, request in (
            ("rules", {"rules": {"preset": preset}}),
            ("rules/diff", {"one": presets[0], "other": preset}),
        ):
            answer = shared_client.post(f"/api/v1/games/{game}/{path}", json=request)
            schema = _answer_schema(document, f"/api/v1/games/{{game}}/{path}")
            assert list(undeclared(document, [schema], answer.json)) == []


def test_the_walk_finds_what_is_not_declared(document: Any) -> None:
    verdict = {"$ref": "#/components/schemas/SpadesVerdict"}
    value = {"verdict": "legal", "because": [{"article": "x", "more": 1}], "effect": {"next": "A", "sweep": True}}
    assert list(undeclared(document, [verdict], value)) == ["/because/0/more", "/effect/sweep"]
