"""The OpenAPI document is valid, complete, true to the answers, and shown without anything from elsewhere."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from companion.conformance import published
from companion.data import data_folder
from companion.engine.shapes import SHARED_PROBLEMS
from companion.games import GAMES
from companion.web.api import examples
from companion.web.api.document import facts_by_code
from tests.spades.dealer import play_deal

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
PATHS = {
    "rules": examples.RULES,
    "rules/diff": examples.DIFF,
    "score": examples.SCORE,
    "check": examples.CHECK,
    "moves": examples.MOVES,
    "demand": examples.of_operation("demand"),
    "replay": examples.REPLAY,
}
EXAMPLES = [(game, path, request) for path, by_game in PATHS.items() for game, request in by_game.items()]


@pytest.fixture(scope="module")
def document(shared_client: Any) -> Any:
    return shared_client.get("/api/v1/openapi.json").json


@pytest.fixture(scope="module")
def conforms(document: Any) -> Any:
    """A function that answers what is wrong with a value under a schema of the document."""
    resource = DRAFT202012.create_resource(document)
    registry = Registry().with_resource("urn:document", resource)

    def faults(pointer: str, value: Any) -> list[str]:
        schema = {"$ref": f"urn:document#{pointer}"}
        found = OAS31Validator(schema, registry=registry).iter_errors(value)
        return [f"{list(each.absolute_path)}: {each.message[:200]}" for each in found]

    return faults


def _at(path: str, *rest: str) -> str:
    parts = ["paths", f"/api/v1/games/{{game}}/{path}", "post", *rest]
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)


def test_document_is_valid(document: Any) -> None:
    validate(document)
    assert document["openapi"] == "3.1.0"


def test_every_route_of_the_api_is_documented(app: Any, document: Any) -> None:
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/v1") and not rule.rule.endswith("openapi.json")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {
        (path, method) for path, item in document["paths"].items() for method in item if method != "parameters"
    }
    assert served <= described
    urls = app.url_map.bind("")
    for path, method in described - served:  # of one game
        endpoint, values = urls.match(path, method.upper())
        assert values["game"].id in path
        assert f"{endpoint.partition('.')[0]}" in {group["name"] for group in document["tags"]}


def test_every_operation_says_how_it_fails(document: Any) -> None:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            where = f"{method} {path}"
            failures = {status: answer["$ref"] for status, answer in operation["responses"].items() if status >= "4"}
            assert "429" in failures, where
            for reference in failures.values():
                named = document["components"]["responses"][reference.rpartition("/")[2]]
                assert list(named["content"]) == ["application/problem+json"], where


def test_options_are_derived_from_their_declarations(document: Any) -> None:
    for game in GAMES.values():
        name = "".join(part.capitalize() for part in game.id.split("-")) + "Options"
        described = document["components"]["schemas"][name]["properties"]
        assert list(described) == list(game.options.options)
        for option in game.options.options.values():
            assert described[option.name]["x-default"] == option.plain(option.default)


@pytest.mark.parametrize(("game", "path", "request_"), EXAMPLES, ids=[f"{game}-{path}" for game, path, _ in EXAMPLES])
def test_examples_run(shared_client: Any, conforms: Any, game: str, path: str, request_: Any) -> None:
    answer = shared_client.post(f"/api/v1/games/{game}/{path}", json=request_)
    assert answer.status_code == 200, answer.text
    assert conforms(_at(path, "requestBody", "content", "application/json", "schema"), request_) == []
    assert conforms(_at(path, "responses", "200", "content", "application/json", "schema"), answer.json) == []


def shown_values(document: Any) -> Iterator[tuple[str, Any]]:
    """Everything that the document shows, with the pointer of the schema that describes it."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            bodies = {f"responses/{status}": response for status, response in operation["responses"].items()}
            bodies["requestBody"] = operation.get("requestBody", {})
            for place, body in bodies.items():
                for media, content in body.get("content", {}).items():
                    parts = ("", "paths", path, method, *place.split("/"), "content", media, "schema")
                    pointer = "/".join(part.replace("~", "~0").replace("/", "~1") for part in parts)
                    yield from ((pointer, example["value"]) for example in content.get("examples", {}).values())
    for name, schema in document["components"]["schemas"].items():
        yield from ((f"/components/schemas/{name}", value) for value in schema.get("examples", ()))


def test_everything_shown_conforms(document: Any, conforms: Any) -> None:
    shown = list(shown_values(document))
    assert len(shown) > 120
    assert {pointer: faults for pointer, value in shown if (faults := conforms(pointer, value))} == {}
    lines = [value for pointer, value in shown if "x-ndjson" in pointer]
    assert all(isinstance(json.loads(line), dict) for value in lines for line in value.splitlines())


BATCHES = [("score", "standing", game, lines) for game, lines in examples.BATCH.items()]
BATCHES += [("replay", "verdicts", game, lines) for game, lines in examples.REPLAY_BATCH.items()]


@pytest.mark.parametrize(("question", "key", "game", "lines"), BATCHES, ids=[f"{one[2]}-{one[0]}" for one in BATCHES])
def test_batch_examples_run(shared_client: Any, question: str, key: str, game: str, lines: str) -> None:
    answer = shared_client.post(
        f"/api/v1/games/{game}/{question}/batch", data=lines, content_type="application/x-ndjson"
    )
    assert key in json.loads(answer.data)


def test_published_requests_and_answers_conform(shared_client: Any, conforms: Any) -> None:
    wrong = []
    for case in published():
        path = case["post"].split("/", 3)[3]
        answer = shared_client.post(f"/api/v1{case['post']}", json=case["request"])
        if answer.status_code == 200:
            faults = conforms(_at(path, "requestBody", "content", "application/json", "schema"), case["request"])
            faults += conforms(_at(path, "responses", "200", "content", "application/json", "schema"), answer.json)
        else:
            faults = conforms("/components/schemas/Problem", answer.json) + undeclared_facts(answer.json)
        wrong += [f"{case['id']}: {fault}" for fault in faults]
    assert wrong == []


def undeclared_facts(problem: Any) -> list[str]:
    """Facts of the errors of a problem document that their code does not declare."""
    known = facts_by_code()
    return [
        f"{error['code']}: {name}"
        for error in problem.get("errors", ())
        for name in error.get("facts", ())
        if not {name, f"{name}?"} & set(known[error["code"]])
    ]


def test_a_conflict_of_options_that_are_lists_conforms(shared_client: Any, conforms: Any) -> None:
    wanted = {"preset": "blackwood", "options": {"wild": ["K"], "top_rank": "K"}}
    answer = shared_client.post("/api/v1/games/spite-and-malice/rules", json={"rules": wanted})
    assert [error["code"] for error in answer.json["errors"]] == ["options-conflict"]
    assert answer.json["errors"][0]["facts"]["values"]["wild"] == ["K"]
    assert conforms("/components/schemas/Problem", answer.json) == []


def test_every_problem_of_an_input_says_its_facts() -> None:
    facts = facts_by_code()
    assert [code for code, known in facts.items() if known is None] == []
    declared = {code for game in GAMES.values() for code in game.shapes.problems} | set(SHARED_PROBLEMS)
    assert declared == set(facts)


def test_a_link_sends_what_the_next_operation_takes(shared_client: Any, document: Any) -> None:
    """A whole recorded deal, and what its link to the score makes of the answer: its result is one of the deals."""
    paths = {game: f"/api/v1/games/{game}/replay" for game in examples.REPLAY}
    links = {game: document["paths"][path]["post"]["responses"]["200"]["links"] for game, path in paths.items()}
    request = play_deal(Random("link"), {}).request()
    answer = shared_client.post(paths["spades"], json=request).json
    link = links["spades"]["score"]
    if "requestBody" in link:
        expression, _, pointer = link["requestBody"].partition("#/")
        assert expression == "$response.body"
        body = reduce(lambda value, key: value[key], pointer.split("/"), answer)
    else:
        assert {"`result`", "`deals`"} <= set(re.findall("`[a-z]+`", link["description"]))
        opening = {side: {"total": total} for side, total in request["totals"].items()}
        body = {"sides": answer["sides"], "opening": opening, "deals": [answer["result"]]}
    scored = shared_client.post("/api/v1/games/spades/score", json=body)
    assert scored.status_code == 200, scored.text
    assert all({**each["score"], "operationId": link["operationId"]} == link for each in links.values())


@pytest.mark.parametrize("path", ["/api/v1/games", "/api/v1/games/spades", "/api/v1/games/spades/articles"])
def test_reads_conform_and_are_answered_from_memory(shared_client: Any, conforms: Any, path: str) -> None:
    answer = shared_client.get(path)
    template = path.replace("/games/spades", "/games/{game}").replace("/", "~1")
    assert conforms(f"/paths/{template}/get/responses/200/content/application~1json/schema", answer.json) == []
    again = shared_client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_documentation_needs_nothing_from_elsewhere(shared_client: Any) -> None:
    page = shared_client.get("/api/docs")
    assert page.status_code == 200
    assert "http" not in page.text.replace("openapi", "")
    assert "'unsafe-inline'" not in page.headers["Content-Security-Policy"].split("style-src")[0]
    for source in (part.split('"')[0] for part in page.text.split('="/static/')[1:]):
        with shared_client.get(f"/static/{source}") as file:
            assert file.status_code == 200


@pytest.mark.parametrize(("lang", "title"), [("en", "The JSON API"), ("ja", "JSON API")])
def test_documentation_speaks_both_languages(shared_client: Any, lang: str, title: str) -> None:
    page = shared_client.get("/api/docs", headers={"Accept-Language": lang})
    assert page.headers["Content-Language"] == lang
    assert f'<html lang="{lang}">' in page.text
    assert f"<h1>{title}</h1>" in page.text
    other = "ja" if lang == "en" else "en"
    assert f'href="/api/docs?lang={other}"' in page.text
    assert f'<html lang="{other}">' in shared_client.get(f"/api/docs?lang={other}").text


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_documentation_leads_to_the_snippets(shared_client: Any, lang: str) -> None:
    address = f"/api/docs/snippets?lang={lang}"
    assert f'href="{address}"' in shared_client.get(f"/api/docs?lang={lang}").text
    page = shared_client.get(address)
    assert page.status_code == 200
    assert page.text.count("<h1>") == 1
    assert page.text.count('<code class="language-python">') > 5


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_documentation_leads_to_typed_clients(shared_client: Any, lang: str) -> None:
    address = f"/api/docs/clients?lang={lang}"
    assert f'href="{address}"' in shared_client.get(f"/api/docs?lang={lang}").text
    page = shared_client.get(address).text
    assert page.count('<code class="language-ts">') == page.count('<code class="language-python">') > 4


@pytest.mark.parametrize(("lang", "words"), [("en", "Name the deal"), ("ja", "ディールの番号を書く")])
def test_documentation_says_how_to_write(shared_client: Any, lang: str, words: str) -> None:
    address = f"/api/docs/writing?lang={lang}"
    assert f'href="{address}"' in shared_client.get(f"/api/docs?lang={lang}").text
    page = shared_client.get(address).text
    assert words in page
    assert f'<div class="snippets" lang="{lang}">' in page


def test_both_languages_say_the_same_of_writing() -> None:
    folder = data_folder("docs")
    texts = [(folder / name).read_text(encoding="utf-8") for name in ("api-writing.md", "api-writing.ja.md")]
    counts = [[len(re.findall(p, text, re.MULTILINE)) for p in ("^## ", r"^\| ", r"^\d\. ")] for text in texts]
    assert counts[0] == counts[1]
    codes = [set(re.findall(r"\b(?:4\d\d|5xx|304)\b|`[a-z]+-[a-z-]+`", text, re.ASCII)) for text in texts]
    assert codes[0] == codes[1]


def test_every_body_says_how_large_it_may_be(shared_client: Any, document: Any) -> None:
    sizes = {
        path: item["post"]["requestBody"]["x-max-bytes"]
        for path, item in document["paths"].items()
        if "requestBody" in item.get("post", {})
    }
    assert sizes["/api/v1/games/{game}/score"] == shared_client.application.config["MAX_CONTENT_LENGTH"]
    assert sizes["/api/v1/games/{game}/score/batch"] > sizes["/api/v1/sheets/import"] > sizes["/api/v1/sheets"]
    size = sizes["/api/v1/games/{game}/score"]
    for length, status in ((size, 400), (size + 1, 413)):
        answer = shared_client.post("/api/v1/games/spades/score", data=b" " * length, content_type="application/json")
        assert answer.status_code == status


@pytest.mark.parametrize("game", list(GAMES))
def test_every_warning_says_its_facts(game: str, shared_client: Any, conforms: Any) -> None:
    """The deals among the snapshots whose problems can be accepted, recorded anyway."""
    path, seen = f"/api/v1/games/{game}/score", set()
    for line in (SNAPSHOTS / f"{game}.answers.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if case["ask"] != "score" or not re.search(r'"acceptable": ?true|"warnings": ?\[{', line):
            continue
        refused = shared_client.post(path, json=case["request"]).json
        codes = {error["code"] for error in refused.get("errors", ()) if error.get("acceptable")}
        assert codes <= set(GAMES[game].shapes.acceptable)
        accept = [{"code": code, "reason": "as it was"} for code in codes]
        deals = [{**deal, "accept": accept} for deal in case["request"]["deals"]]
        answer = shared_client.post(path, json={**case["request"], "deals": deals})
        if answer.status_code == 200:
            seen |= {warning["code"] for deal in answer.json["deals"] for warning in deal["warnings"]}
            assert conforms("/components/schemas/Ledger", answer.json) == []
    assert bool(seen) == bool(GAMES[game].shapes.acceptable)


@pytest.mark.parametrize("game", list(GAMES))
def test_every_code_that_only_warns_has_a_schema(game: str, document: Any) -> None:
    own = Path(inspect.getfile(type(GAMES[game].scorer))).parent
    calls = [node for file in own.glob("*.py") for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    codes = {
        ast.literal_eval(call.args[1])
        for call in calls
        if isinstance(call, ast.Call) and any(each.arg == "warning" for each in call.keywords)
    }
    assert codes <= set(document["components"]["schemas"]["Warning"]["discriminator"]["mapping"])
    assert codes <= set(GAMES[game].shapes.acceptable)
