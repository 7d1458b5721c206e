"""The OpenAPI 3.1 document, made by apispec from the declared operations and shapes, and the documentation."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from inspect import cleandoc
from threading import Lock
from typing import Final, cast

import orjson
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    send_from_directory,
)
from markdown_it import MarkdownIt
from markupsafe import Markup
from werkzeug.wrappers import Response as WerkzeugResponse

from companion import __version__
from companion.data import data_folder
from companion.describe import (
    UNION,
    ProblemSchema,
    all_codes,
    component_name,
    game_prefix,
    make_shape,
    named,
    options_schema,
    options_schema_name,
    without,
)
from companion.describe import unions as request_unions
from companion.engine import shapes as s
from companion.engine.game import FACT, Game
from companion.engine.options import CODE_LENGTH
from companion.engine.shapes import (
    SHAPE_CODES,
    SHARED_PROBLEMS,
    FactTypes,
    Json,
    JsonSchema,
    Refer,
    Shape,
    shape_schema,
)
from companion.games import GAMES
from companion.rulebook.answers import ErrorShape, RulesShape, WarningShape
from companion.rulebook.words import load_book, words
from companion.web.api.http import (
    ERRORS,
    HEADERS,
    MIMETYPE,
    PREFIX,
    Described,
    Operation,
    Tag,
    described_headers,
    if_new,
    operation_id,
    parameters_in,
    path_template,
)
from companion.web.http import DOCS_POLICY, current_language

_Keys = Mapping[str, s.Field[s.Json]]


def _rules_unions(refer: s.Refer) -> Iterator[tuple[str, s.JsonSchema]]:
    """Yield what is asked and answered about house rules by its name, as any of the games' shapes of it."""
    made = {game: _shapes(game) for game in GAMES}
    for name in (NORMALISE, COMPARE, WRITTEN_OUT):
        asked = [shapes[name] for shapes in made.values()]
        yield name, {"anyOf": [refer(shape) for shape in asked], "description": f"{asked[0].__doc__} {UNION}"}


NORMALISE: Final = "NormaliseRules"
COMPARE: Final = "CompareRules"
WRITTEN_OUT: Final = "Rules"


def _shapes(game: str) -> dict[str, type[s.Shape[s.Json]]]:
    """Return the shapes of one game by their names."""
    prefix = game_prefix(game)
    house, options = named(f"{prefix}HouseRules"), named(options_schema_name(game))
    either: s.JsonSchema = {"anyOf": [house, {"type": "string", "maxLength": CODE_LENGTH}]}
    keys: dict[str, tuple[type[s.Shape[s.Json]], str, _Keys]] = {
        NORMALISE: (
            s.Shape,
            "House rules to be written out: as an object, or as a short code.",
            {
                "rules": s.Anything(
                    "The house rules; without them and a code, the default preset.", schema=house, absent=True
                ),
                "code": s.Text("A short code.", most=CODE_LENGTH, absent=True),
            },
        ),
        COMPARE: (
            s.Shape,
            "Two sets of house rules, each as an object or a short code.",
            {"one": s.Anything("The first.", schema=either), "other": s.Anything("The second.", schema=either)},
        ),
        WRITTEN_OUT: (
            RulesShape,
            "House rules written out.",
            {"options": s.Anything("Every option of the game with its value.", schema=options)},
        ),
    }
    return {name: make_shape(base, f"{prefix}{name}", about, fields) for name, (base, about, fields) in keys.items()}


def facts_by_code() -> dict[str, FactTypes | None]:
    """Return the facts of a problem of every code; None where nobody has declared them.

    A fact that a problem of one game has and that of another has not is marked with `?`.
    """
    declared: dict[str, list[FactTypes]] = defaultdict(list)
    for problems in (SHARED_PROBLEMS, *(game.shapes.problems for game in GAMES.values())):
        for code, facts in problems.items():
            declared[code].append(facts)
    codes = sorted({code for own in load_book().words.values() for code in own.tables["problems"]})
    return {code: _merged(declared[code]) if code in declared else None for code in codes}


def _error_schemas(refer: s.Refer) -> Iterator[tuple[str, s.JsonSchema]]:
    """Yield a schema for all codes with the same facts, and the union of them, as `Error` and as `Warning`.

    What is recorded anyway is what a game found in a deal.
    """
    yield from _by_code("Error", s.shape_schema(ErrorShape, refer), facts_by_code())
    accepted = {code for game in GAMES.values() for code in game.shapes.acceptable}
    warned = {code: facts for code, facts in facts_by_code().items() if code in accepted}
    yield from _by_code("Warning", s.shape_schema(WarningShape, refer), warned)


def _by_code(
    kind: str, bare: s.JsonSchema, facts_of: Mapping[str, FactTypes | None]
) -> Iterator[tuple[str, s.JsonSchema]]:
    groups: dict[str, list[str]] = defaultdict(list)
    kinds: dict[str, FactTypes | None] = {}
    for code, facts in facts_of.items():
        name = _name(kind, facts, kinds)
        kinds[name] = facts
        groups[name].append(code)
    about = "; ".join(
        f"`{name}`: {schema['description']}" for name, schema in bare["properties"].items() if "description" in schema
    )
    bare["properties"] = {name: without(schema, "description") for name, schema in bare["properties"].items()}
    for name, codes in groups.items():
        yield name, _error(bare, codes, kinds[name])
    mapping = {code: named(name)["$ref"] for name, codes in groups.items() for code in codes}
    yield (
        kind,
        {
            "description": f"{_ABOUT[kind]}; its code says which facts show it. {about}",
            "oneOf": [named(name) for name in groups],
            "discriminator": {"propertyName": "code", "mapping": mapping},
        },
    )


_ABOUT: Final = {"Error": "One problem of an input", "Warning": "A problem that was recorded anyway"}


def _merged(kinds: list[FactTypes]) -> FactTypes:
    if len(kinds) == 1:
        return kinds[0]
    always = set.intersection(*(set(facts) for facts in kinds))
    merged = {name.removesuffix("?"): schema for facts in kinds for name, schema in facts.items()}
    return {name if name in always else f"{name}?": schema for name, schema in merged.items()}


def _name(kind: str, facts: FactTypes | None, taken: Mapping[str, FactTypes | None]) -> str:
    """Return the name of the schema with these facts, such as `ErrorWithHighLowValue`."""
    if facts is None:
        return f"{kind}WithAnyFacts"
    words = "".join(name.removesuffix("?").capitalize() for name in sorted(facts))
    plain = f"{kind}With{words}" if words else f"{kind}WithoutFacts"
    names = (plain, *(f"{plain}{number}" for number in range(2, 100)))
    return next(name for name in names if taken.get(name, facts) == facts)


def _error(bare: s.JsonSchema, codes: list[str], facts: FactTypes | None) -> s.JsonSchema:
    properties = {**bare["properties"], "code": {**bare["properties"]["code"], "enum": codes}}
    required = list(bare["required"])
    if facts is None:
        properties["facts"] = {"type": "object", "additionalProperties": FACT}
    elif facts:
        always = [name for name in facts if not name.endswith("?")]
        properties["facts"] = {
            "type": "object",
            "description": "What shows it.",
            "properties": {name.removesuffix("?"): schema for name, schema in facts.items()},
            **({"required": always} if always else {}),
        }
        required += ["facts"] if always else []
    else:
        del properties["facts"]
    return {**bare, "properties": properties, "required": required, "description": f"{', '.join(codes)}."}


ABOUT = """\
Scores, judges and explains card games that are played with real cards. No key is needed.

**Cards** are written rank, then suit: `10H`. **House rules** go with every request, both parts optional: \
`{"preset": ..., "options": {...}}`. **Texts** come in English or Japanese: `?lang=` decides, then `Accept-Language`. \
Codes and article ids never change with the language.

**Problems** are documents of RFC 9457; `errors` lists up to 50, with JSON pointers. What this document \
excludes has the code SHAPES; with `contextual` one of these is about what only the rest of the input excludes: its \
rules, its seats, another key, the game of the sheet. Every other code of an input is an answer of the rules. A \
judged move is 200 whatever the verdict. Every response carries `X-Request-Id`, and where requests are counted \
`RateLimit` with `RateLimit-Policy`.

**Limits**: every request body says its largest size in bytes; a line of a batch has at most 65,536. Lists of requests \
have no other limit than `maxItems` where it is given; a page of a log has at most 200 events. Requests are limited \
as `RateLimit-Policy` says; a browser's preflight is not counted. Answers are compressed (`br`, `gzip`) where accepted.

**Writing**: send every command with an `Idempotency-Key` of its own, and after a broken connection the same request \
with the same key. Name `deal`, or a retry under a new key may be taken for the next deal. A 412 has the `version`, \
the `ETag` and the `events` that you have not seen; the same command may go out again with its key and that `ETag`. \
More: `/api/docs/writing`.

**Versions**: keys may be added within `/api/v1`; nothing is taken away or changed in meaning. What is to go is marked \
`deprecated` here and answered with the `Deprecation` and `Sunset` headers for a year at least.

Problem codes: """.replace("SHAPES", ", ".join(f"`{code}`" for code in SHAPE_CODES))

_EXAMPLE_RESPONSES = "example-responses.json"
"""What the examples are answered with; `python -m tests.api.test_example_responses` writes it."""
_Examples = Mapping[str, Json]
_CONTACT = {"name": "the Companion contributors"}
LICENSE = {"name": "MIT", "identifier": "MIT"}
_LANG = {
    "name": "lang",
    "description": "Language of the texts: `ja` or `en`; anything else is ignored.",
    "schema": {"type": "string"},
}


class ShapeConverter(OpenAPIConverter):
    """apispec's converter; shapes of this program describe themselves."""

    def schema2jsonschema(self, schema: object) -> JsonSchema:
        if isinstance(schema, Shape):
            return shape_schema(type(schema), self.resolve_nested_schema)
        described: JsonSchema = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        return described


class ShapePlugin(MarshmallowPlugin):
    """apispec's marshmallow plugin with `ShapeConverter`."""

    Converter = ShapeConverter


class Document:
    """The OpenAPI document of one application."""

    def __init__(self, sizes: Callable[[str], int]) -> None:
        """`sizes` has the largest body of an endpoint, in bytes."""
        plugin = ShapePlugin(schema_name_resolver=component_name)
        codes = ", ".join(f"`{code}`" for code in all_codes())
        self.spec = APISpec(
            title="Card table companion",
            version=__version__,
            openapi_version="3.1.0",
            plugins=[plugin],
            info={"description": f"{ABOUT}{codes}.", "contact": _CONTACT, "license": LICENSE},
            servers=[{"url": "/"}],
            security=[],
        )
        responses = orjson.loads((files(__package__) / _EXAMPLE_RESPONSES).read_bytes())
        self._answers: Mapping[str, Mapping[str, _Examples]] = responses["answers"]
        self._sizes = sizes
        self._parameters: dict[str, tuple[str, Mapping[str, object]]] = {
            "link": ("The id of the link.", {"type": "string", "minLength": 1}),
            "article": ("The id of the article: `<game>.<name>`.", {"type": "string", "minLength": 1}),
            "game": ("The id of the game.", {"type": "string", "enum": list(GAMES)}),
        }
        components = self.spec.components
        components.parameter("LANG", "query", _LANG)
        for name, header in HEADERS.items():
            components.header(name, header)
        for error in ERRORS.values():
            components.response(error.name, _problem(error.description, error.headers))
        components.response("DEFAULT_ERROR", _problem("Any other error.", ("Allow", "Retry-After")))
        for game in GAMES.values():
            components.schema(options_schema_name(game.id), options_schema(game))
        self.refer: Refer = cast("ShapeConverter", plugin.converter).resolve_nested_schema
        components.schemas[component_name(ProblemSchema)]["examples"] = responses["problems"]
        for name, schema in (
            *request_unions(self.refer), *_rules_unions(self.refer), *_error_schemas(self.refer),
        ):  # fmt: skip
            components.schema(name, schema)

    def register_parameter(self, name: str, description: str, schema: Mapping[str, object]) -> None:
        """Describe a part of paths that a client fills in."""
        self._parameters[name] = description, schema

    def add(self, groups: Iterable[Tag]) -> None:
        """Describe every operation of the groups; one whose body differs by game once more for each game."""
        declared = [operation for group in groups for operation in group.operations]
        for group in groups:
            self.spec.tag({"name": group.name, "description": group.description})
        for operation in declared:
            self._add(operation)
        for game in GAMES.values():
            self.spec.tag({"name": game.id, "description": f"{words(game.id, 'en').name}, with its own types."})
            for operation in declared:
                if own := self._for_game(operation, game):
                    self._add(own, game)

    def to_dict(self) -> JsonSchema:
        """Return the document."""
        made: JsonSchema = self.spec.to_dict()
        return made

    def _add(self, operation: Operation, game: Game | None = None) -> None:
        named = {name: self._parameters[name] for name in parameters_in(operation.rule)}
        parameters = [
            {"in": "path", "name": name, "required": True, "description": about, "schema": schema}
            for name, (about, schema) in named.items()
        ]
        answers = self._answers.get(operation_id(operation.view), {})
        if game:
            answers = {status: _of_game(examples, game) for status, examples in answers.items()}
        size = self._sizes(f"{operation.tag.name}.{operation.view}")
        described = _described(operation, self._answer_in_words(operation), answers, size)
        described["tags"] = [game.id if game else operation.tag.name]
        self.spec.path(
            PREFIX + path_template(operation.rule),
            operations={operation.verb.lower(): described},
            parameters=parameters,
        )

    def _answer_in_words(self, operation: Operation) -> str:
        """Return what an answer holds, in the words of its schema."""
        gives = operation.gives
        if gives is None:
            return "Done; the answer has no body."
        if not isinstance(gives, Mapping):
            return " ".join((gives.__doc__ or "").split())
        named = str(gives.get("$ref", "")).rpartition("/")[2]
        described = self.spec.components.schemas[named] if named else gives
        return str(described.get("description", f"A text of the type {operation.media}."))

    def _for_game(self, operation: Operation, game: Game) -> Operation | None:
        """Return an operation as one game has it, None if the game has none of its own."""
        takes = self._own(operation.takes, game)
        if takes is None or "<game:game>" not in operation.rule:
            return None
        links = {
            name: {**link, "operationId": _own_id(str(link["operationId"]), game)}
            for name, link in operation.links.items()
        }
        return replace(
            operation,
            id=_own_id(operation.id, game),
            links=links,
            rule=operation.rule.replace("<game:game>", game.id),
            faults=tuple(operation.errors),
            takes=takes,
            gives=self._own(operation.gives, game) or operation.gives,
            examples=_of_game(operation.examples, game),
        )

    def _own(self, described: Described, game: Game) -> Described:
        """Return the reference to a game's own schema where there is one of that name."""
        if not isinstance(described, Mapping) or "$ref" not in described:
            return None
        name = str(described["$ref"]).rpartition("/")[2]
        prefix = game_prefix(game.id)
        own = name if name.startswith(prefix) else prefix + name
        return named(own) if own in self.spec.components.schemas else None


def _own_id(operation: str, game: Game) -> str:
    """Return the id of an operation as one game has it: `scoreDeals` of Hearts is `heartsScoreDeals`."""
    return operation_id(game.id.replace("-", "_")) + operation[0].upper() + operation[1:]


def _of_game(examples: _Examples, game: Game) -> dict[str, Json]:
    return {name: example for name, example in examples.items() if name == game.id}


def _described(operation: Operation, gives: str, answers: Mapping[str, _Examples], size: int) -> JsonSchema:
    """Describe an operation as OpenAPI has it; `gives` says what is answered."""
    summary, _, about = cleandoc(operation.docstring).partition("\n\n")
    headers = described_headers(operation.headers)
    responses: JsonSchema = {
        str(operation.status): {
            "description": gives,
            "headers": headers,
            **_content(operation.gives, operation.media, answers.get(str(operation.status), {})),
            **({"links": operation.links} if operation.links else {}),
        }
    }
    for status, text in operation.others.items():
        responses[str(status)] = {"description": text, "headers": headers}
        if status < 300:
            responses[str(status)] |= _content(operation.gives, operation.media, answers.get(str(status), {}))
    responses |= {str(status): ERRORS[status].name for status in sorted(operation.errors)}
    described: JsonSchema = {
        "operationId": operation.id,
        "summary": summary.replace("\n", " "),
        **({"description": about} if about else {}),
        "parameters": ["LANG", *operation.parameters],
        "responses": {**responses, "default": "DEFAULT_ERROR"},
        **({"security": [{operation.scheme: []}]} if operation.secret else {}),
    }
    if operation.takes is not None:
        described["requestBody"] = {
            "required": True, "description": f"At most {size:,} bytes.", "x-max-bytes": size,
            **_content(operation.takes, operation.media, operation.examples),
        }  # fmt: skip
    return described


def _content(schema: Described, media: str, examples: _Examples) -> JsonSchema:
    if schema is None:
        return {}
    shown = {"examples": {name: {"value": value} for name, value in examples.items()}} if examples else {}
    return {"content": {media: {"schema": schema, **shown}}}


def _problem(description: str, headers: Iterable[str]) -> JsonSchema:
    """Describe a response with a problem document.

    Its examples are those of the schema: linters would check them once for each response of each operation.
    """
    return {
        "description": description,
        "headers": described_headers(headers),
        **_content(ProblemSchema, MIMETYPE, {}),
    }


docs = Blueprint("docs", __name__, url_prefix="/api")
_MAKING = Lock()


@docs.get("/v1/openapi.json")
def openapi() -> Response:
    """The OpenAPI document."""
    return if_new(Response(_document(), mimetype="application/json"))


@docs.get("/docs")
def documentation() -> Response:
    """The document in Swagger UI, under a policy of its own, and links to the other pages of the documentation."""
    response = make_response(_page("docs.html"))
    response.headers["Content-Security-Policy"] = DOCS_POLICY
    return response


@docs.get("/docs/try")
@docs.get("/docs/operations/<name>")
@docs.get("/docs/types/<name>")
def former_documentation(name: str = "") -> WerkzeugResponse:
    """The address of the documentation, for those that earlier versions had."""
    return redirect(f"/api/docs?lang={current_language()}", 301)


_PAGES: Final = {
    "snippets": "api-snippets",
    "clients": "api-clients",
    "writing": "api-writing",
    "library": "library",
    "games": "games",
}
"""Pages of the documentation, by their addresses: the files of `docs/` that have their texts."""


@docs.get(f"/docs/<any({','.join(_PAGES)}):name>")
def text_page(name: str) -> str:
    """A page of `docs/` in the language of the request, or in English."""
    lang, file = current_language(), _PAGES[name]
    translated = (data_folder("docs") / f"{file}.{lang}.md").is_file()
    text = _text(f"{file}.{lang}" if translated else file)
    return _page("snippets.html", title=f"docs.{name}", text=text, text_language=lang if translated else _ENGLISH)


@docs.get("/docs/reference/")
@docs.get("/docs/reference/<path:name>")
def reference(name: str = "index.html") -> Response:
    """The reference of the library, where `make reference` has written it. Raises NotFound elsewhere."""
    try:
        folder = data_folder(REFERENCE)
    except FileNotFoundError:
        abort(404)
    response = send_from_directory(folder, name)
    response.headers["Content-Security-Policy"] = _REFERENCE_POLICY
    return response


def _document() -> bytes:
    """The document of this application, made when it is first asked for."""
    known = current_app.extensions
    if "openapi" not in known:
        with _MAKING:  # two documents made at once would give one schema two names
            if "openapi" not in known:
                known["openapi"] = orjson.dumps(known["api"]().to_dict())
    made: bytes = known["openapi"]
    return made


def _page(template: str, **facts: object) -> str:
    """A page in the language of the request; as the path has none, the switch of languages changes `?lang=`."""
    return render_template(template, url_in=lambda lang: f"{request.path}?lang={lang}", **facts)


_ENGLISH = "en"
REFERENCE = "build/reference"
_REFERENCE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
"""Its pages have their styles in them, and no script."""


@lru_cache(maxsize=8)
def _text(name: str) -> Markup:
    """A page of `docs/` as HTML; a link to another page leads to its address here."""
    text = (data_folder("docs") / f"{name}.md").read_text(encoding="utf-8")
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    for address, file in _PAGES.items():
        html = re.sub(rf'href="{file}(\.[a-z]+)?\.md', f'href="/api/docs/{address}', html)
    return Markup(html)  # noqa: S704  # our own page, HTML off
