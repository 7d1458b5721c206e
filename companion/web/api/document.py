"""The OpenAPI 3.1 document, made from the declared operations, and the errors of everything under /api."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask_smorest import Api
from werkzeug.exceptions import HTTPException

from companion import __version__
from companion.engine.game import Game
from companion.engine.options import Option
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.book import words
from companion.web.api.operations import GameConverter
from companion.web.api.problems import MIMETYPE, Declined, answer_declined, answer_http, answer_refused
from companion.web.api.shapes import ProblemSchema, options_schema_name
from companion.web.problem_codes import all_codes

ABOUT = """\
Scores, judges and explains card games that are played with real cards. No key is needed.

**Cards** are written rank, then suit: `10H`. **House rules** go with every request, both parts optional: \
`{"preset": ..., "options": {...}}`. **Texts** come in English or Japanese: `?lang=` decides, then `Accept-Language`. \
Codes and article ids never change with the language.

**Problems** are documents of RFC 9457; `errors` lists every fault with its JSON pointer. A judged move is 200 \
whatever the verdict. Every answer carries `X-Request-Id`, and where requests are counted `RateLimit` with \
`RateLimit-Policy`.

**Versions**: keys may be added within `/api/v1`; nothing is taken away or changed in meaning. What is to go is marked \
`deprecated` here and answered with the `Deprecation` and `Sunset` headers for a year at least.

Problem codes: """


class ProblemApi(Api):  # type: ignore[misc]
    """flask-smorest with problem documents; faults of pages stay with the error pages."""

    ERROR_SCHEMA = ProblemSchema

    def _register_responses(self) -> None:
        kept = Api.DEFAULT_RESPONSE_CONTENT_TYPE
        self.DEFAULT_RESPONSE_CONTENT_TYPE = MIMETYPE
        try:
            super()._register_responses()
        finally:
            self.DEFAULT_RESPONSE_CONTENT_TYPE = kept

    def _register_error_handlers(self) -> None:
        self._app.register_error_handler(HTTPException, answer_http)
        self._app.register_error_handler(Refused, answer_refused)
        self._app.register_error_handler(Declined, answer_declined)


def make_document(app: Flask) -> Any:
    """The API with its document, ready to take blueprints."""
    app.config.update(API_TITLE="Card table companion", API_VERSION=__version__, OPENAPI_VERSION="3.1.0")
    codes = ", ".join(f"`{code}`" for code in all_codes())
    api = ProblemApi(app, spec_kwargs={"info": {"description": f"{ABOUT}{codes}."}, "servers": [{"url": "/"}]})
    api.register_converter(GameConverter, lambda converter: {"type": "string", "enum": list(GAMES)})
    language = {
        "description": "Language of the texts: `ja` or `en`; anything else is passed over.",
        "schema": {"type": "string"},
    }
    api.spec.components.parameter("LANG", "query", {"name": "lang", **language})
    for game in GAMES.values():
        api.spec.components.schema(options_schema_name(game.id), options_schema(game))
    app.extensions["api"] = api
    return api


def options_schema(game: Game) -> dict[str, Any]:
    """The options of a game in JSON Schema, as they are declared."""
    own = words(game.id, "en")
    return {
        "type": "object",
        "additionalProperties": False,
        "description": f"The options of {own.name}.",
        "properties": {
            name: {
                **_value_schema(option),
                "description": f"{own.option_label(name)}. {own.option_help(name)} (`{option.article}`)",
                "default": option.plain(option.default),
            }
            for name, option in game.options.options.items()
        },
    }


def _value_schema(option: Option) -> dict[str, Any]:
    if option.kind == "flag":
        return {"type": "boolean"}
    if option.kind == "number":
        kind = ["integer", "null"] if option.nullable else "integer"
        if option.choices:
            return {"type": kind, "enum": [*map(int, option.choices), *([None] if option.nullable else [])]}
        return {"type": kind, "minimum": option.low, "maximum": option.high}
    if option.kind == "cards":
        return {"type": "array", "items": {"type": "string"}, "minItems": option.low, "maxItems": option.high}
    if option.kind == "words":
        words = {"type": "string", "enum": list(option.choices)}
        return {"type": "array", "items": words, "minItems": option.low, "uniqueItems": True}
    return {"type": "string", "enum": list(option.choices)}
