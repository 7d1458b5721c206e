"""The words in which the shapes of the API are written down in marshmallow, and the shapes that every group shares.

They are what the OpenAPI document says and what the tests hold every answer to. Bodies themselves are read by the
readers of the games, which give every fault its place and its code.
"""

from __future__ import annotations

from typing import Any

from marshmallow import INCLUDE, RAISE, Schema, fields


def _about(description: str, **more: Any) -> dict[str, Any]:
    return {"metadata": {"description": description, **more} if description else more}


def string(description: str = "", *, required: bool = True, **more: Any) -> fields.String:
    """A text."""
    return fields.String(required=required, **more, **_about(description))


def whole(description: str = "", *, required: bool = True) -> fields.Integer:
    """A whole number."""
    return fields.Integer(required=required, strict=True, **_about(description))


def flag(description: str = "", *, required: bool = True) -> fields.Boolean:
    """A yes or no."""
    return fields.Boolean(required=required, **_about(description))


def some(inner: Any, description: str = "", *, required: bool = True) -> fields.List[Any]:
    """A list of a field, or of objects of a schema."""
    return fields.List(_field(inner), required=required, **_about(description))


def by_name(inner: Any, description: str = "", *, required: bool = True) -> fields.Dict:
    """An object whose keys the data choose."""
    return fields.Dict(keys=fields.String(), values=_field(inner), required=required, **_about(description))


def thing(description: str = "", *, required: bool = True) -> fields.Dict:
    """An object whose shape the game decides."""
    return fields.Dict(required=required, **_about(description))


def anything(description: str = "", *, required: bool = True, **more: Any) -> fields.Raw:
    """Any JSON value, or what `more` says in the words of JSON Schema."""
    return fields.Raw(required=required, allow_none=True, **_about(description, **more))


def _field(inner: Any) -> Any:
    return fields.Nested(inner) if isinstance(inner, type) and issubclass(inner, Schema) else inner


class Taken(Schema):
    """A request: unknown keys are refused."""

    class Meta:
        unknown = RAISE


class Given(Schema):
    """An answer: later versions may add keys."""

    class Meta:
        unknown = INCLUDE


class ErrorSchema(Given):
    """One fault of an input."""

    pointer = string("Where it stands: a JSON pointer into what was sent; for a query, the parameter.")
    code = string("Stable, the same in every language.")
    detail = string("For people, in the language of the request.")
    article = string("The article behind it.", required=False)
    url = string(required=False)
    acceptable = flag("True where a deal's `accept` may record the facts anyway.", required=False)


class ProblemSchema(Given):
    """A problem document (RFC 9457)."""

    type = string("`/problems/<code>`: a page in both languages.")
    title = string()
    status = whole("The status of the answer.")
    detail = string()
    instance = string("The id of the request.", required=False)
    errors = some(ErrorSchema, required=False)


def game_prefix(game_id: str) -> str:
    """Return what the names of a game's schemas begin with."""
    return "".join(part.capitalize() for part in game_id.split("-"))


def options_schema_name(game_id: str) -> str:
    """Return the name under which the document describes the options of a game."""
    return game_prefix(game_id) + "Options"
