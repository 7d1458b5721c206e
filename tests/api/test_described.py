"""What a generator of clients needs of the OpenAPI document: names, descriptions, headers, examples, no bare object."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from companion.web import create_app
from companion.web.api.http import ERRORS, HEADERS
from tests.sheet_client import SheetClient, record

METHODS = {"get", "post", "delete"}
OF_THE_CONNECTION = {
    "content-type", "content-length", "date", "vary", "cache-control", "content-security-policy",
    "x-content-type-options", "referrer-policy", "x-robots-tag",
    "access-control-allow-origin", "access-control-expose-headers",
}  # fmt: skip
"""Headers that say nothing about the API."""


@pytest.fixture(scope="module")
def document(shared_client: Any) -> Any:
    return shared_client.get("/api/v1/openapi.json").json


def operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, item in document["paths"].items():
        yield from ((method, path, item[method]) for method in METHODS & set(item))


def inside(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Every object in a value with its pointer; examples are left out."""
    if isinstance(value, dict):
        yield at, value
        for key, inner in value.items():
            if key not in ("examples", "example", "const", "enum") or at.endswith("/properties"):
                yield from inside(inner, f"{at}/{key}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from inside(inner, f"{at}/{place}")


def test_every_operation_has_an_id_of_its_own(document: Any) -> None:
    ids = [operation.get("operationId", "") for _, _, operation in operations(document)]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", each) for each in ids), ids
    assert {"scoreDeals", "checkMove", "listMoves", "replayDeal", "openSheet", "writeEvents"} <= set(ids)


def test_every_operation_parameter_and_response_is_described(document: Any) -> None:
    tags = {tag["name"] for tag in document["tags"]}
    for method, path, operation in operations(document):
        where = f"{method} {path}"
        assert operation["summary"], where
        assert "\n" not in operation["summary"], where
        assert operation.get("description", "?")[:40] not in operation["summary"], where
        for status, response in operation["responses"].items():
            words = response.get("description", "")
            assert ("$ref" in response) is not bool(words), where
            assert words != "The answer.", (where, status)
        assert set(operation["tags"]) <= tags, where
        assert [status for status in operation["responses"] if status[0] == "4"], where
        for parameter in (*operation["parameters"], *document["paths"][path].get("parameters", ())):
            assert parameter.get("description") or "$ref" in parameter or parameter["name"] == "limit", where
    assert document["security"] == []
    assert document["info"]["license"]["identifier"] == "MIT"


def test_no_object_is_bare_and_no_union_has_one_branch(document: Any) -> None:
    wrong = [
        at
        for at, schema in inside(document)
        if schema.get("type") == "object"
        and not schema.get("properties")
        and schema.get("additionalProperties") in (None, True, {})
    ]
    assert wrong == []
    any_key = [at for at, schema in inside(document) if schema.get("additionalProperties") is True]
    assert any_key == []  # in TypeScript a misspelt key would have a type
    endless = [at for at, schema in inside(document) if "array" in schema.get("type", ()) and "items" not in schema]
    assert endless == []
    lonely = [at for at, schema in inside(document) for word in ("anyOf", "oneOf") if len(schema.get(word, "12")) < 2]
    assert lonely == []


def test_deals_of_which_nothing_is_required_come_last(document: Any) -> None:
    """Generated clients take the first that fits, and any deal fits these."""
    deals = [each["$ref"].rpartition("/")[2] for each in document["components"]["schemas"]["GivenDeal"]["anyOf"]]
    lenient = [name.endswith("GivenDeal") for name in deals]
    assert any(lenient)
    assert lenient == sorted(lenient)


def test_everything_named_is_used(document: Any) -> None:
    used = {schema["$ref"] for _, schema in inside(document) if isinstance(schema.get("$ref"), str)}
    for kind, named in document["components"].items():
        if kind != "securitySchemes":
            assert {f"#/components/{kind}/{name}" for name in named} <= used


def test_every_link_leads_to_an_operation(document: Any) -> None:
    ids = {operation["operationId"] for _, _, operation in operations(document)}
    responses = [response for _, _, operation in operations(document) for response in operation["responses"].values()]
    links = [link for response in responses for link in response.get("links", {}).values()]
    assert links
    assert {link["operationId"] for link in links} <= ids


def test_every_answer_in_json_is_shown(document: Any) -> None:
    shown = set()
    for _, _, operation in operations(document):
        for status, response in operation["responses"].items():
            if status.startswith("2") and any(kind.get("examples") for kind in response.get("content", {}).values()):
                shown.add(operation["operationId"])
    with_body = {
        operation["operationId"]
        for _, _, operation in operations(document)
        if any(response.get("content") for status, response in operation["responses"].items() if status[0] == "2")
    }
    assert with_body == shown


def test_problems_are_shown_as_they_are_answered(document: Any) -> None:
    shown = [problem["status"] for problem in document["components"]["schemas"]["Problem"]["examples"]]
    assert set(shown) == {400, 401, 403, 404, 412, 413, 415, 422, 428} == set(ERRORS) - {408, 409, 429, 503}
    assert shown == sorted(shown)


def test_what_is_shown_is_the_same_in_every_process(document: Any) -> None:
    again = create_app({"TESTING": True, "RATE_LIMIT": "off", "DATABASE": "memory:"}).test_client()
    assert again.get("/api/v1/openapi.json").json == document


def test_every_header_of_an_answer_is_described(document: Any) -> None:
    """Requests of every kind, with limits: what an answer has beside the connection's own, its operation describes."""
    client = create_app({"TESTING": True, "DATABASE": "memory:"}).test_client()
    sheet = SheetClient(client)
    score = {"sides": ["NS", "EW"], "deals": []}
    asked = [
        ("get", "/api/v1/games", client.get("/api/v1/games")),
        ("get", "/api/v1/articles", client.get("/api/v1/articles?q=nil&limit=1")),
        ("get", "/api/v1/articles", client.get("/api/v1/articles")),
        ("post", "/api/v1/games/{game}/score", client.post("/api/v1/games/spades/score", json=score)),
        ("post", "/api/v1/games/{game}/score", client.post("/api/v1/games/spades/score", data="{")),
        ("post", "/api/v1/sheets", client.post("/api/v1/sheets", json={"seats": ["A", "B"]})),
        ("get", "/api/v1/sheets/{sheet}", sheet.get()),
        ("get", "/api/v1/sheets/{sheet}", sheet.get(secret=None)),
        ("get", "/api/v1/sheets/{sheet}", sheet.get(If_None_Match=f'"{sheet.version}"')),
        ("post", "/api/v1/sheets/{sheet}/events", sheet.write(record(5, 8, 4), key="twice")),
        ("post", "/api/v1/sheets/{sheet}/events", sheet.write(record(5, 8, 4), key="twice")),
        ("post", "/api/v1/sheets/{sheet}/events", sheet.write(record(5, 8, 4), version='"1"')),
        ("get", "/api/v1/sheets/{sheet}/events", sheet.get("/events?limit=1")),
        ("get", "/api/v1/sheets/{sheet}/export.json", sheet.get("/export.json")),
        ("post", "/api/v1/sheets/{sheet}/preview", sheet.post("/preview", {"type": "undo"})),
    ]
    seen = set()
    for method, path, answer in asked:
        response = document["paths"][path][method]["responses"][str(answer.status_code)]
        if "$ref" in response:
            response = document["components"]["responses"][response["$ref"].rpartition("/")[2]]
        headers = {name.lower() for name, _ in answer.headers} - OF_THE_CONNECTION
        described = {name.lower() for name in response["headers"]}
        assert headers <= described, (method, path, answer.status_code)
        seen |= headers
        for name in document["components"]["headers"]:
            if document["components"]["headers"][name].get("required"):
                assert name.lower() in headers
    assert {name.lower() for name in HEADERS} - seen == {"allow", "retry-after"}


def test_counts_have_bounds_that_a_table_can_mean(document: Any) -> None:
    """A bid is no 64-bit number; announcements are judged, whatever they are."""
    schemas = document["components"]["schemas"]
    counts = [
        schemas[name]["properties"][key].get("anyOf", [schemas[name]["properties"][key]])[-1]  # aces: also by suit
        for name in ("SpadesSideFacts", "SpadesGivenSide", "SpadesNil", "SpadesDeal", "CasinoCounted")
        for key in ("bid", "tricks", "dummy_tricks", "cards", "spades", "aces")
        if key in schemas[name]["properties"]
    ]
    assert len(counts) >= 9
    assert all(each["minimum"] == 0 and each["maximum"] <= 1_000 for each in counts)
