"""The OpenAPI document as pages: its operations by group, its types, an example of each request for a shell."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from companion.engine.shapes import JsonSchema
from companion.web.site_address import ROOT_MARK

LIMITS = ("format", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "pattern")
"""Keywords of a schema that narrow what it takes, in the order in which they are shown."""
_TYPES = "#/components/schemas/"
_READER = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True, slots=True)
class DescribedOperation:
    """An operation with its references resolved, as its page shows it."""

    id: str
    method: str
    path: str
    summary: str
    more: tuple[str, ...]
    """Paragraphs of its description after the summary."""
    secrets: tuple[str, ...]
    parameters: tuple[JsonSchema, ...]
    body: JsonSchema | None
    answers: Mapping[str, JsonSchema]
    """Responses that are no problems, by status; each has its `content`."""
    errors: tuple[str, ...]
    curl: str


@dataclass(frozen=True, slots=True)
class DescribedGroup:
    """The operations that share a tag."""

    name: str
    description: str
    operations: tuple[DescribedOperation, ...]


class Reference:
    """What the pages of the reference show, each by its name: groups of operations, types."""

    def __init__(self, document: JsonSchema) -> None:
        self._document = document
        self._schemas: Mapping[str, JsonSchema] = document["components"]["schemas"]
        self._groups = {group.name: group for group in _groups(document)}
        self._used_by = _users(self._schemas.items())
        operations = ((group.name, each) for group in self._groups.values() for each in group.operations)
        self._tools = {"named": self._named, "limits": LIMITS, "backticks": backticks, "indented": indented}
        self._asked_by = _users(((group, each.id), (each.body, each.answers)) for group, each in operations)

    def facts(self, kind: str, name: str) -> dict[str, Any] | None:
        """Return what a page shows: `index`, `operations` of a group or one of the `types`. None if there is none."""
        shown = getattr(self, f"_{kind}")(name)
        return None if shown is None else {**shown, **self._tools}

    def _index(self, _: str) -> dict[str, object]:
        about = _READER.render(self._document["info"]["description"])
        return {"groups": self._groups.values(), "about": Markup(about)}  # noqa: S704  # HTML is off

    def _operations(self, name: str) -> dict[str, object] | None:
        problem = {"$ref": f"{_TYPES}Problem"}
        return {"group": self._groups[name], "problem": problem} if name in self._groups else None

    def _types(self, name: str) -> dict[str, object] | None:
        if name not in self._schemas:
            return None
        used = {"types": self._used_by.get(name, ()), "operations": self._asked_by.get(name, ())}
        return {"name": name, "schema": self._schemas[name], **used}

    def _named(self, schema: JsonSchema) -> JsonSchema | None:
        """Return a schema whose fields can be shown: the one that is named, or one with fields of its own."""
        found: JsonSchema = resolve(self._document, schema)
        return found if found is not schema or "properties" in found else None


def _groups(document: JsonSchema) -> list[DescribedGroup]:
    found: dict[str, list[DescribedOperation]] = {tag["name"]: [] for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if isinstance(operation, dict) and "responses" in operation:
                shared = methods.get("parameters", [])
                found[operation["tags"][0]].append(_described(document, path, method, operation, shared))
    about = {tag["name"]: tag.get("description", "") for tag in document["tags"]}
    return [DescribedGroup(name, about[name], tuple(entries)) for name, entries in found.items() if entries]


def resolve(document: JsonSchema, described: Any) -> Any:
    """Return what a reference of the document leads to; anything else as it is."""
    while isinstance(described, Mapping) and "$ref" in described:
        _, *keys = described["$ref"].split("/")
        described = document
        for key in keys:
            described = described[key]
    return described


def backticks(text: str) -> Markup:
    """Return one sentence of the document as HTML: only what stands between backticks is marked."""
    parts = text.split("`")
    return Markup("").join(Markup("<code>%s</code>") % p if n % 2 else escape(p) for n, p in enumerate(parts))


def indented(value: object) -> str:
    """Return an example as JSON that people can read; short lists and objects stand on one line."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return re.sub(r"[\[{][^\[\]{}]{0,90}[\]}]", lambda short: re.sub(r"\s*\n\s*", " ", short[0]), text)


def _described(
    document: JsonSchema, path: str, method: str, operation: JsonSchema, shared: list[JsonSchema]
) -> DescribedOperation:
    parameters = tuple(resolve(document, each) for each in (*shared, *operation.get("parameters", ())))
    answers = {status: resolve(document, answer) for status, answer in operation["responses"].items()}
    good = {status: {"content": {}, **answer} for status, answer in answers.items() if status < "4"}
    secrets = dict.fromkeys(name for needed in operation.get("security", ()) for name in needed)
    about = document["components"].get("securitySchemes", {})
    body = operation.get("requestBody")
    return DescribedOperation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        more=tuple(filter(None, operation["description"].removeprefix(operation["summary"]).split("\n\n"))),
        secrets=tuple(about[name]["description"] for name in secrets),
        parameters=parameters,
        body=body,
        answers=good,
        errors=tuple(status for status in answers if status not in good),
        curl=_curl(f"{path}{_query(parameters)}", method.upper(), body, secret=bool(secrets)),
    )


def _query(parameters: Iterable[JsonSchema]) -> str:
    """Return the query that a request cannot do without; a value in capitals is to be replaced."""
    needed = [each["name"] for each in parameters if each["in"] == "query" and each.get("required")]
    return f"?{urlencode({name: name.upper() for name in needed})}" if needed else ""


def _curl(path: str, method: str, body: JsonSchema | None, *, secret: bool) -> str:
    """Return a request for a shell, with the first example of the body."""
    words = ["curl"] if method == "GET" else ["curl", "-X", method]
    if secret:
        words += ["-H", '"Authorization: Bearer $SECRET"']
    if body:
        media, content = next(iter(body["content"].items()))
        name, example = next(iter(content.get("examples", {}).items()), ("", None))
        path = path.replace("{game}", name) if name else path
        words += ["-H", shlex.quote(f"Content-Type: {media}")]
        if example:
            value = example["value"]
            sent = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            words += ["--data-binary", shlex.quote(sent)]
    return " ".join([*words, shlex.quote(f"{ROOT_MARK}{path}")])


def _users(schemas: Iterable[tuple[Any, object]]) -> dict[str, list[Any]]:
    """Return who names each type, given what each of them says."""
    found: dict[str, list[Any]] = {}
    for user, said in schemas:
        for name in dict.fromkeys(_types_in(said)):
            found.setdefault(name, []).append(user)
    return found


def _types_in(said: object) -> Iterator[str]:
    if isinstance(said, Mapping):
        if str(said.get("$ref", "")).startswith(_TYPES):
            yield said["$ref"].removeprefix(_TYPES)
        for key, each in said.items():
            if key != "examples":
                yield from _types_in(each)
    elif isinstance(said, (list, tuple)):
        for each in said:
            yield from _types_in(each)
