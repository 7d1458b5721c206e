"""The reference of the API as pages: every operation and type of the document, and nothing that the document lacks."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.web.headers import PAGE_POLICY


@pytest.fixture(scope="module")
def document(shared_client: Any) -> Any:
    return shared_client.get("/api/v1/openapi.json").json


def operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if isinstance(operation, dict) and "operationId" in operation:
                yield path, method.upper(), operation


def part(page: str, operation: str) -> str:
    """Return the section of a page that is about an operation."""
    start = page.index(f'<h2 id="{operation}">')
    return page[start : page.index("</section>", start)]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_operation_is_described_whole(shared_client: Any, document: Any, lang: str) -> None:
    pages: dict[str, str] = {}
    for path, method, operation in operations(document):
        group = operation["tags"][0]
        if group not in pages:
            pages[group] = shared_client.get(f"/api/docs/operations/{group}?lang={lang}").text
        said = part(pages[group], operation["operationId"])
        assert f"<code>{method} {path}</code>" in said
        assert all(f"<dt><code>{status}</code>" in said for status in operation["responses"] if status < "4")
        for each in operation["parameters"]:
            if "$ref" not in each:
                assert f"<code>{each['name']}</code>" in said
        taken = operation.get("requestBody", {}).get("content", {})
        given = [each for answer in operation["responses"].values() for each in answer.get("content", {}).values()]
        for content in (*taken.values(), *given):
            for name in re.findall(r"#/components/schemas/(\w+)", json.dumps(content.get("schema"))):
                assert f'href="/api/docs/types/{name}?lang={lang}"' in said
            assert all(f"<code>{name}</code></summary>" in said for name in content.get("examples", {}))


def test_every_type_has_a_page_with_its_fields(shared_client: Any, document: Any) -> None:
    for name, schema in document["components"]["schemas"].items():
        page = shared_client.get(f"/api/docs/types/{name}?lang=en")
        assert page.status_code == 200
        assert all(f"<dt><code>{field}</code>" in page.text for field in schema.get("properties", {})), name
    for nowhere in ("types/Nobody", "operations/nothing"):
        assert shared_client.get(f"/api/docs/{nowhere}").status_code == 404


def test_the_request_for_a_shell_is_answered(shared_client: Any, document: Any) -> None:
    """What needs no secret and no id of something stored is asked as it is written."""
    asked = 0
    for path, method, operation in operations(document):
        if "security" in operation or re.search(r"\{(?!game\})", path):
            continue
        page = shared_client.get(f"/api/docs/operations/{operation['tags'][0]}?lang=en").text
        line = re.search(r"<code>(curl .*?)</code>", part(page, operation["operationId"]), re.DOTALL)[1]
        words = shlex.split(unescape(line))
        address = words[-1].replace("http://localhost", "")
        if "{game}" in address or operation["operationId"] == "importSheet":
            continue
        headers = dict(words[n + 1].split(": ", 1) for n, word in enumerate(words) if word == "-H") | {
            "Idempotency-Key": operation["operationId"]
        }
        body = words[words.index("--data-binary") + 1] if "--data-binary" in words else None
        with shared_client.open(address, method=method, headers=headers, data=body) as answer:
            assert (answer.status_code < 400, bool(answer.data)) == (True, True), line
        asked += 1
    assert asked > 20


@pytest.mark.parametrize("path", ["", "/operations/questions", "/types/Check"])
def test_pages_of_the_reference_are_kept_for_everybody(shared_client: Any, path: str) -> None:
    page = shared_client.get(f"/api/docs{path}?lang=ja")
    assert page.headers["Content-Security-Policy"] == PAGE_POLICY
    assert {"Accept-Language", "Accept-Encoding"} <= page.vary
    again = shared_client.get(f"/api/docs{path}?lang=ja", headers={"If-None-Match": page.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.browser
def test_axe_finds_nothing_on_the_reference(page: Any, faults: Any) -> None:
    found = {}
    for path in ("", "/operations/questions", "/types/Error"):
        page.goto(f"/api/docs{path}?lang=ja")
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        found[path] = faults(page)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.browser
def test_what_sends_requests_is_loaded_where_somebody_asks_for_it(page: Any) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto("/api/docs?lang=en")
    page.goto("/api/docs/operations/questions?lang=en#checkMove")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "swagger" in url]
    page.locator("section:has(#checkMove)").get_by_role("link", name="Try it").click()
    page.wait_for_url("**/api/docs/try?lang=en#/questions/checkMove")
    expect(page.locator("#operations-questions-checkMove")).to_be_visible()
    assert complaints == []


@pytest.mark.browser
def test_a_link_from_before_opens_what_it_named_and_axe_finds_nothing_there(page: Any, axe: Any) -> None:
    page.goto("/api/docs?lang=en#/batches/scoreBatch")
    page.wait_for_url("**/api/docs/try?lang=en#/batches/scoreBatch")
    expect(page.locator("#operations-batches-scoreBatch.is-open")).to_be_visible()
    found = axe(page)
    assert found == []
