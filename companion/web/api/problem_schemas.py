"""The problems of an input, distinguished by their code: what each of them carries as facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from companion.engine import shapes as s
from companion.engine.game import FACT
from companion.engine.shapes import SHARED_PROBLEMS, FactTypes
from companion.games import GAMES
from companion.library.schemas import named
from companion.rulebook.answers import ErrorShape, WarningShape
from companion.rulebook.book import load_book


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


def error_schemas(refer: s.Refer) -> Iterator[tuple[str, s.JsonSchema]]:
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
    bare["properties"] = {name: _without_words(schema) for name, schema in bare["properties"].items()}
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


def _without_words(schema: s.JsonSchema) -> s.JsonSchema:
    return {key: item for key, item in schema.items() if key != "description"}


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
