"""The document and the pages that show it, all served from here."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import orjson
from flask import Blueprint, Response, current_app, make_response, render_template, request
from markdown_it import MarkdownIt
from markupsafe import Markup

from companion.data import data_folder
from companion.web.api.operations import if_new
from companion.web.headers import DOCS_POLICY

docs = Blueprint("docs", __name__, url_prefix="/api")


@docs.get("/v1/openapi.json")
def openapi() -> Response:
    """The OpenAPI document."""
    return if_new(Response(_document(), mimetype="application/json"))


@docs.get("/docs")
def documentation() -> Response:
    """The document in Swagger UI, under a policy of its own; without script a list of the operations."""
    response = make_response(_page("docs.html", groups=operations(orjson.loads(_document()))))
    response.headers["Content-Security-Policy"] = DOCS_POLICY
    return response


@docs.get("/docs/snippets")
def snippets() -> str:
    """The same questions with curl, fetch and Python, from `docs/api-snippets.md`."""
    return _page("snippets.html", snippets=_snippets())


def operations(document: dict[str, Any]) -> list[tuple[str, list[dict[str, str]]]]:
    """Every operation of an OpenAPI document with its method, path and summary, under the heading of its tag."""
    found: dict[str, list[dict[str, str]]] = {tag["name"]: [] for tag in document.get("tags", ())}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if isinstance(operation, dict) and "responses" in operation:
                entry = {"method": method.upper(), "path": path, "summary": operation.get("summary", "")}
                found.setdefault(operation["tags"][0], []).append(entry)
    return [(tag, entries) for tag, entries in found.items() if entries]


def _document() -> bytes:
    """The document of this application, made when it is first asked for."""
    known = current_app.extensions
    if "openapi" not in known:
        known["openapi"] = orjson.dumps(known["api"]().to_dict(), option=orjson.OPT_INDENT_2)
    made: bytes = known["openapi"]
    return made


def _page(template: str, **facts: Any) -> str:
    """A page in the language of the request; as the path has none, the switch of languages changes `?lang=`."""
    return render_template(template, url_in=lambda lang: f"{request.path}?lang={lang}", **facts)


@lru_cache(maxsize=1)
def _snippets() -> Markup:
    text = (data_folder("docs") / "api-snippets.md").read_text(encoding="utf-8")
    return Markup(MarkdownIt("commonmark", {"html": False}).render(text))  # noqa: S704  # our own page, HTML off
