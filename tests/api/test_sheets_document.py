"""What the OpenAPI document says of sheets is true: examples run, answers have its shapes, nothing makes a fault."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from companion.sheets.events import COMMANDS, EVENTS
from companion.web import create_app
from companion.web.api import examples
from tests.sheet_client import PREFIX, SheetClient, correct, record

OPENED_BY = {f"{PREFIX}/{{": "sheetSecret", "/api/v1/groups/{": "groupSecret"}
"""The secret that opens what is below an address."""


@pytest.fixture(scope="module")
def application() -> Any:
    return create_app({"RATE_LIMIT": "off", "DATABASE": "memory:"})


@pytest.fixture(scope="module")
def document(application: Any) -> Any:
    return application.test_client().get("/api/v1/openapi.json").json


@pytest.fixture(scope="module")
def conforms(document: Any) -> Any:
    """A function that asserts that a value has the shape that an operation gives or takes."""
    registry = Registry().with_resource("urn:document", DRAFT202012.create_resource(document))

    def check(method: str, path: str, value: Any, *rest: str) -> None:
        kind = "text/csv" if path.endswith("csv") else "text/plain" if path.endswith("txt") else "application/json"
        parts = ["paths", path, method, *rest, "content", kind, "schema"]
        pointer = "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)
        found = OAS31Validator({"$ref": f"urn:document#{pointer}"}, registry=registry).iter_errors(value)
        assert [f"{list(each.absolute_path)}: {each.message[:200]}" for each in found] == []

    return check


def test_examples_of_sheets_run_in_their_order(client: Any, conforms: Any) -> None:
    for request in examples.OPEN.values():
        conforms("post", PREFIX, request, "requestBody")
        answer = client.post(PREFIX, json=request)
        assert answer.status_code == 201, answer.text
        conforms("post", PREFIX, answer.json, "responses", "201")
    sheet = SheetClient(client, **examples.OPEN["spades"])
    at = f"{PREFIX}/{{sheet}}"
    for name, command in examples.COMMANDS.items():
        conforms("post", f"{at}/events", command, "requestBody")
        if name in examples.PREVIEW:
            conforms("post", f"{at}/preview", sheet.post("/preview", command).json, "responses", "200")
        conforms("post", f"{at}/events", sheet.written(command), "responses", "201")
    for link in examples.LINK.values():
        conforms("post", f"{at}/links", link, "requestBody")
        conforms("post", f"{at}/links", sheet.post("/links", link).json, "responses", "201")
    for file in (*examples.FILE.values(), sheet.get("/export.json").json):
        conforms("post", f"{PREFIX}/import", file, "requestBody")
        answer = client.post(f"{PREFIX}/import", json=file)
        conforms("post", f"{PREFIX}/import", answer.json, "responses", "201")


def test_answers_about_sheets_have_their_shapes(client: Any, conforms: Any) -> None:
    sheet = SheetClient(client)
    at = f"{PREFIX}/{{sheet}}"
    steps: list[dict[str, Any]] = [
        {"type": "make_call", "call": {"seat": "A", "call": 5}}, {"type": "clear_calls"}, record(5, 8, 4),
        correct(1, 5, 7, 4), {"type": "undo"}, {"type": "void_deal", "deal": 1}, {"type": "rematch"},
    ]  # fmt: skip
    for step in [None, *steps]:
        if step is not None:
            conforms("post", f"{at}/preview", sheet.post("/preview", step).json, "responses", "200")
            conforms("post", f"{at}/events", sheet.written(step), "responses", "201")
        for path in ("", "/events", "/links", "/export.json"):
            conforms("get", at + path, sheet.get(path).json, "responses", "200")
    nothing = sheet.write({"type": "title_sheet", "title": ""})
    conforms("post", f"{at}/events", nothing.json, "responses", "200")


def closed(schema: Any) -> Any:
    """The schema with every object of which nothing is said about further keys having none."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(each) for key, each in schema.items()}
    objects = schema.get("type") == "object" and "properties" in schema and "patternProperties" not in schema
    return {"additionalProperties": False, **inner} if objects else inner


def test_answers_about_sheets_have_no_undeclared_keys(client: Any, document: Any) -> None:
    strict = closed(document)
    assert strict != document
    registry = Registry().with_resource("urn:strict", DRAFT202012.create_resource(strict))
    sheet = SheetClient(client, **examples.OPEN["spades"])
    for command in examples.COMMANDS.values():
        answers = {"Ripple": sheet.post("/preview", command).json, "Written": sheet.written(command)}
        answers |= {"Sheet": sheet.get("").json, "SheetEvents": sheet.get("/events").json}
        answers |= {"Links": sheet.get("/links").json, "SheetFile": sheet.get("/export.json").json}
        for name, answer in answers.items():
            schema = {"$ref": f"urn:strict#/components/schemas/{name}"}
            found = OAS31Validator(schema, registry=registry).iter_errors(answer)
            assert [f"{name} {list(each.absolute_path)}: {each.message[:200]}" for each in found] == []


def test_every_kind_of_event_is_described_by_name(document: Any) -> None:
    named = document["components"]["schemas"]
    event = named["SheetEvent"]
    assert event["discriminator"]["propertyName"] == "kind"
    assert list(event["discriminator"]["mapping"]) == list(EVENTS)
    classes: dict[str, Any] = dict(EVENTS)
    for kind, made in classes.items():
        entry = named[event["discriminator"]["mapping"][kind].rpartition("/")[2]]
        assert entry["properties"]["kind"]["const"] == kind
        data = named[entry["properties"]["data"]["$ref"].rpartition("/")[2]]
        assert list(data["properties"]) == [field.name for field in dataclasses.fields(made)]
        assert data["additionalProperties"] is False


def test_every_command_is_described(document: Any) -> None:
    named = document["components"]["schemas"]
    shapes = [named[shape["$ref"].rpartition("/")[2]] for shape in named["SheetCommand"]["oneOf"]]
    assert [shape["properties"]["type"]["const"] for shape in shapes] == list(COMMANDS)
    assert all(shape["additionalProperties"] is False for shape in shapes)


def test_operations_say_that_they_need_a_secret_and_how_they_fail(document: Any) -> None:
    assert {each["scheme"] for each in document["components"]["securitySchemes"].values()} == {"bearer"}
    assert set(OPENED_BY.values()) == set(document["components"]["securitySchemes"])
    for path, item in document["paths"].items():
        for method, operation in item.items():
            scheme = next((secret for start, secret in OPENED_BY.items() if path.startswith(start)), None)
            if scheme is None or method == "parameters":
                continue
            assert operation["security"] == [{scheme: []}]
            assert {"401", "404", "429"} <= set(operation["responses"])
    writing = document["paths"][f"{PREFIX}/{{sheet}}/events"]["post"]
    assert {"200", "201", "400", "403", "409", "412", "422", "428"} <= set(writing["responses"])
