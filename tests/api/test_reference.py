"""The reference of the API: Swagger UI, for a phone, a keyboard and a screen reader."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

PHONE: Any = {"width": 390, "height": 844}


@pytest.mark.parametrize("path", ["try", "operations/questions", "types/Check"])
def test_addresses_of_earlier_versions_lead_to_the_reference(shared_client: Any, path: str) -> None:
    answer = shared_client.get(f"/api/docs/{path}?lang=ja")
    assert (answer.status_code, answer.location) == (301, "/api/docs?lang=ja")


@pytest.mark.browser
def test_a_link_opens_an_operation_and_a_keyboard_another_on_a_phone(page: Any, axe: Any, shared_client: Any) -> None:
    """From an address of earlier versions: every operation is there, axe finds nothing, nothing is asked elsewhere."""
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.set_viewport_size(PHONE)
    page.goto("/api/docs/try?lang=en#/batches/scoreBatch")
    expect(page.locator("#operations-batches-scoreBatch.is-open .opblock-body")).to_be_visible()
    paths = shared_client.get("/api/v1/openapi.json").json["paths"]
    verbs = {"get", "post", "put", "delete"}
    expect(page.locator(".opblock")).to_have_count(sum(len(verbs & set(methods)) for methods in paths.values()))
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width == PHONE["width"]
    assert axe(page) == []
    page.locator("#operations-questions-checkMove .opblock-summary-control").press("Enter")
    expect(page.locator("#operations-questions-checkMove.is-open .opblock-body")).to_be_visible()
    own = page.url.partition("/api")[0]
    assert [url for url in asked if not url.startswith((own, "data:"))] == []
    assert complaints == []
