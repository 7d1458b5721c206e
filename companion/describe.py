"""Shapes described as JSON Schema, with the names that documents give them; problem codes and documents (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace, new_class
from typing import Final, TypedDict, Unpack, cast

from marshmallow import Schema

from companion.data import FALLBACK_LANGUAGE
from companion.engine import shapes as s
from companion.engine.game import FACT, WITNESS, AnswerShape, Game, QuestionShapes, request_labels
from companion.engine.ledger import OpeningShape, Sides
from companion.engine.problems import MOST_PROBLEMS, Problem
from companion.engine.shapes import Field, Json, JsonSchema, Shape, described_field, shape_schema
from companion.games import GAMES
from companion.rulebook.answers import MOST_TEXT, SETTLED, FindingShape, MissingShape, VerdictShape, problem_answers
from companion.rulebook.words import load_book, say, words

STATUSES: Mapping[str, int] = {
    "bad-request": 400,
    "malformed-json": 400,
    "idempotency-key-required": 400,
    "if-match-unreadable": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "not-found": 404,
    "method-not-allowed": 405,
    "conflict": 409,
    "request-timeout": 408,
    "version-conflict": 412,
    "precondition-failed": 412,
    "too-large": 413,
    "unsupported-media-type": 415,
    "invalid-input": 422,
    "idempotency-key-reused": 422,
    "precondition-required": 428,
    "too-many-requests": 429,
    "server-error": 500,
    "unavailable": 503,
}
"""The kinds of problem documents by their code, each with its status."""


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a code says, for whom: the status of a whole document, or the games whose input it concerns."""

    title: str
    text: str
    status: int | None
    games: tuple[str, ...]
    cure: str


def explained(code: str, lang: str) -> _Meaning | None:
    """What a code means in a language; None for a code that is never given."""
    if code in STATUSES:
        title, detail = (say(lang, f"problem.{code}.{part}") for part in ("title", "detail"))
        return _Meaning(title, detail, STATUSES[code], (), _cure(code, lang))
    speakers = [game for game in ("", *GAMES) if code in words(game, lang).tables["problems"]]
    if not speakers:
        return None
    template = words(speakers[0], lang).tables["problems"][code]
    shown, text = problem_examples().get(code, {}).get("answers", {}), code
    if shown:
        text = shown.get(lang, shown[FALLBACK_LANGUAGE])["detail"]
    else:
        with suppress(TypeError):  # a sentence that depends on a number has no gaps
            text = template(dict.fromkeys(template.names, "…"))
    named = tuple(words(game, lang).name for game in speakers if game) if speakers[0] else ()
    return _Meaning(say(lang, "problem.in-input.title"), text, None, named, _cure(code, lang))


def _cure(code: str, lang: str) -> str:
    """Return what to do about a problem; `input` is for codes of games that other packages bring."""
    return say(lang, f"cure.{code if load_book().sites[lang].get(f'cure.{code}') else 'input'}")


@cache
def problem_examples() -> Json:
    """Return for each code a request that is refused with it, and the problem that is answered in each language.

    A phone that keeps the program has no API, and none.
    """
    kept = Path(__file__).parent / "web/api/problem-examples.json"
    return json.loads(kept.read_bytes()) if kept.is_file() else {}


def groups(lang: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every code with its meaning, grouped: documents, input of any game, then each game's own."""
    shared = set(words("", lang).tables["problems"])
    found = [(say(lang, "problems.documents"), list(STATUSES)), (say(lang, "problems.input"), sorted(shared))]
    for game in GAMES:
        found.append((words(game, lang).name, sorted(set(words(game, lang).tables["problems"]) - shared)))
    return [(title, [(code, _short(code, lang)) for code in codes]) for title, codes in found if codes]


def all_codes() -> list[str]:
    """Every code that the API may give."""
    tables = (own.tables["problems"] for own in load_book().words.values())
    return sorted({*STATUSES, *(code for table in tables for code in table)})


def _short(code: str, lang: str) -> str:
    meaning = explained(code, lang)
    return "" if meaning is None else meaning.title if meaning.status else meaning.text


_Document = dict[str, object]


class ProblemSchema(AnswerShape):
    """A problem document (RFC 9457)."""

    type = s.Text("`/problems/<code>`: a page in both languages.")
    title = s.Text("What kind of problem it is, in the language of the request.", most=MOST_TEXT)
    status = s.Integer("The status of the response.")
    detail = s.Text("What is wrong, in the language of the request.", most=MOST_TEXT)
    instance = s.Text("The id of the request.", absent=True)
    errors = s.ListOf(
        s.Anything(schema={"$ref": "#/components/schemas/Error"}),
        "Every problem of the input, at most 50.",
        absent=True,
    )
    more = s.Integer("How many problems were found beside these; reading ends with the 250th.", low=1, absent=True)
    line = s.Integer("In a batch: the number of the line, from 1. Else the line of invalid JSON.", absent=True)
    column = s.Integer("Of invalid JSON: where reading stopped, from 1.", absent=True)
    id = s.Text("In a batch: the `id` of the line.", absent=True)
    version = s.Integer("Of a sheet or a group that is at another version: its latest.", absent=True)
    events = s.ListOf(
        s.Anything(schema={"anyOf": [{"$ref": f"#/components/schemas/{log}Event"} for log in ("Sheet", "Group")]}),
        "Of such a sheet or group: what was written since the version named; none where that is not known.",
        absent=True,
    )


class Members(TypedDict, total=False):
    """What a problem document may have beside its kind."""

    status: int
    detail: str
    instance: str
    errors: Sequence[Mapping[str, object]]
    more: int
    line: int
    column: int
    id: str
    version: int
    events: Sequence[Mapping[str, object]]


def problem_document(code: str, lang: str, **members: Unpack[Members]) -> _Document:
    """Return a problem document; without `status` and `detail` it has those of its code."""
    usual = {"status": STATUSES.get(code, 500), "detail": say(lang, f"problem.{code}.detail")}
    about = {"type": f"/problems/{code}", "title": say(lang, f"problem.{code}.title")}
    return s.write(ProblemSchema, SimpleNamespace(**(about | dict.fromkeys(Members.__annotations__) | usual | members)))


def refusal_document(
    game: Game | None, problems: Iterable[Problem], lang: str, code: str = "invalid-input", **members: Unpack[Members]
) -> _Document:
    """Return the problem document for input that is refused; of a single problem it takes the detail."""
    distinct = {(problem.path(), problem.code): problem for problem in problems}
    errors = problem_answers(game, list(distinct.values())[:MOST_PROBLEMS], lang)
    members["errors"] = errors
    if len(distinct) > MOST_PROBLEMS:
        members["more"] = len(distinct) - MOST_PROBLEMS
    if len(errors) == 1:
        members["detail"] = errors[0]["detail"]
    return problem_document(code, lang, **members)


UNION: Final = "Which of them, the game in the path says."


class _AnyRequestSchema(s.OpenShape[s.Attributes]):
    """A request of a game that declares no shape for it."""

    others = s.Others(s.Keyed(s.Anything()), into="rest")


def game_prefix(game_id: str) -> str:
    """Return what the names of a game's schemas begin with."""
    return "".join(part.capitalize() for part in game_id.split("-"))


def options_schema_name(game_id: str) -> str:
    """Return the name under which the document describes the options of a game."""
    return game_prefix(game_id) + "Options"


def make_shape(
    base: type[s.Shape[s.Json]], name: str, about: str, keys: Mapping[str, s.Field[s.Json]]
) -> type[s.Shape[s.Json]]:
    """Return a shape with these keys beside those of its base."""
    return new_class(
        name, (base,), exec_body=lambda body: body.update({"__doc__": about, "__module__": __name__, **keys})
    )


def requests_of(game: Game) -> dict[str, type[s.Shape[s.Json]]]:
    """Return the request of each question of a game."""
    prefix, shapes = game_prefix(game.id), game.shapes
    rules = s.Object(_house_rules(game.id), "Without it, the default preset.", absent=True)
    labelled = {**request_labels(game), "rules": rules}
    requests = {
        "Score": make_shape(
            s.Shape,
            f"{prefix}Score",
            "A game as entered: who plays, with which rules, and what was counted after each deal.",
            {
                **labelled,
                "sides": Sides("Who scores together: ids, or objects with the players' names."),
                "opening": s.Keyed(
                    s.Object(OpeningShape), "Totals and tallies carried on from a paper sheet.", absent=True
                ),
                "deals": s.ListOf(s.Object(game.deal), "The deals in order."),
            },
        )
    }
    if game.judge is not None:
        position: s.Field[s.Json] = s.Keyed(s.Anything()) if shapes.position is None else s.Object(shapes.position)
        keys = {**labelled, "position": position, "move": shapes.move or s.Keyed(s.Anything())}
        keys["witness"] = WITNESS
        about = "A move and the position it is made in, as far as they are known."
        requests["Check"] = make_shape(s.Shape, f"{prefix}Check", about, keys)
    for name, question in _questions(game).items():
        more = {**labelled, "witness": WITNESS} if name == "Replay" else labelled
        requests[name] = make_shape(question.request, f"{prefix}{name}", question.request.__doc__ or "", more)
    return requests


def answers_of(game: Game) -> dict[str, type[s.Shape[s.Json]]]:
    """Return the answer to each question of a game."""
    prefix, shapes = game_prefix(game.id), game.shapes
    effect: dict[str, s.Field[s.Json]] = {
        "effect": s.Keyed(s.Anything(schema=FACT)) if shapes.effect is None else s.Object(shapes.effect)
    }
    verdict = make_shape(VerdictShape, f"{prefix}Verdict", VerdictShape.__doc__ or "", effect)
    answers: dict[str, type[s.Shape[s.Json]]] = {"Verdict": verdict}
    for name, question in _questions(game).items():
        keys: dict[str, s.Field[s.Json]] = dict(question.answer)
        if name == "Moves":
            keys["missing"] = s.ListOf(s.Object(MissingShape), "What must be known to say more.")
        elif name != "Replay":
            keys["missing"] = s.ListOf(s.Object(MissingShape), "What must be known to be sure.", absent=True)
        else:
            judged: dict[str, s.Field[s.Json]] = {"settled": SETTLED}
            if shapes.replayed_move is not None:
                judged["move"] = shapes.replayed_move
            replayed = make_shape(verdict, f"{prefix}ReplayedVerdict", "The verdict on a move of a deal.", judged)
            keys["verdicts"] = s.ListOf(s.Object(replayed), "A verdict for each move, in order.")
            keys["findings"] = s.ListOf(s.Object(FindingShape), "What the deal shows in retrospect.")
        answers[f"{name}Answer"] = make_shape(
            AnswerShape, f"{prefix}{name}Answer", question.about or _ABOUT.get(name, ""), keys
        )
    return answers


def unions(refer: s.Refer) -> Iterator[tuple[str, s.JsonSchema]]:
    """Yield every request and answer by its name, as any of the games' shapes of it."""
    extra = [schema_name(name) for name in extra_questions()]
    for name in ("Score", "Check", "Moves", "Replay", *extra):
        yield from _union(name, [requests_of(game).get(name) for game in GAMES.values()], refer)
    for name in ("Verdict", "MovesAnswer", "ReplayAnswer", *(f"{name}Answer" for name in extra)):
        yield from _union(name, [answers_of(game).get(name) for game in GAMES.values()], refer)
    yield from _union("Deal", [game.deal for game in GAMES.values()], refer)
    yield from _given_deals(refer)
    yield "Options", {"anyOf": [named(options_schema_name(game)) for game in GAMES], "description": UNION}
    yield from _union("HouseRules", [_house_rules(game.id) for game in GAMES.values()], refer)


def extra_questions() -> list[str]:
    """Return the names of the questions that only some games answer."""
    return sorted({name for game in GAMES.values() for name in game.extra})


def schema_name(question: str) -> str:
    """Return the name of a question's request in the document."""
    return "".join(word.capitalize() for word in question.replace("_", "-").split("-"))


def named_for(question: str, *, answer: bool = False) -> dict[str, str]:
    """Return the reference to the request, or the answer, of one of the extra questions."""
    asked = [game.id for game in GAMES.values() if question in game.extra]
    return named((game_prefix(asked[0]) if len(asked) == 1 else "") + schema_name(question) + "Answer" * answer)


def summary_of(question: str) -> str:
    """Return what one of the extra questions asks, and of which games."""
    asked = {game.id: game.shapes.extra[question] for game in GAMES.values() if question in game.shapes.extra}
    summaries = dict.fromkeys(shapes.summary for shapes in asked.values())
    games = ", ".join(f"`{game}`" for game in asked)
    return f"{games}: {' '.join(summaries)} Not found for other games."


def named(name: str) -> dict[str, str]:
    """Return the reference to a schema of the document by its name."""
    return {"$ref": f"{_COMPONENTS}{name}"}


_COMPONENTS: Final = "#/components/schemas/"


def _union(
    name: str, shapes: Iterable[type[s.Shape[s.Json]] | None], refer: s.Refer
) -> Iterator[tuple[str, s.JsonSchema]]:
    """Yield the schema that is any of the shapes under its name; none if there is only one shape."""
    known = [(refer(shape), shape.__doc__) for shape in shapes if shape is not None]
    if len(known) > 1:
        yield name, {"anyOf": [each for each, _ in known], "description": f"{known[0][1]} {UNION}"}


def _given_deals(refer: s.Refer) -> Iterator[tuple[str, s.JsonSchema]]:
    """Yield a deal of each game of which nothing is required that its calls may have settled, and any of these.

    Deals with required keys come first: generated clients take the first that fits.
    """
    strict, given = [], []
    for game in GAMES.values():
        others = s.schema(game.deal).others
        if game.settle_calls is None or others is None or not isinstance(others.entries.value, s.Object):
            strict.append(refer(game.deal))
            continue
        prefix = game_prefix(game.id)
        yield f"{prefix}GivenSide", without(s.shape_schema(others.entries.value.shape, refer), "required")
        deal = s.shape_schema(game.deal, refer)
        sides = s.further_keys(named(f"{prefix}GivenSide"), deal["properties"])
        yield f"{prefix}GivenDeal", without(deal | sides, "required")
        given.append(named(f"{prefix}GivenDeal"))
    yield (
        "GivenDeal",
        {"anyOf": [*strict, *given], "description": "A deal of any game, less what its calls have settled."},
    )


def without(schema: s.JsonSchema, left_out: str) -> s.JsonSchema:
    """Return a schema less one of its keys."""
    return {key: item for key, item in schema.items() if key != left_out}


_ABOUT: Final = {
    "Moves": "What can be done.",
    "Replay": "A verdict for each move, findings in retrospect, and the result ready to be posted to `score`.",
}


_ANY: Final = QuestionShapes(_AnyRequestSchema, {})


def _questions(game: Game) -> dict[str, QuestionShapes]:
    """Return the shapes of each question that a game answers beside scores and checks."""
    shapes = game.shapes
    asked = {
        "Moves": (game.moves, shapes.moves),
        "Replay": (game.replay, shapes.replay),
        **{schema_name(name): (answer, shapes.extra.get(name)) for name, answer in game.extra.items()},
    }
    return {name: question or _ANY for name, (answer, question) in asked.items() if answer is not None}


@cache
def _house_rules(game_id: str) -> type[s.Shape[s.Json]]:
    return make_shape(
        s.Shape,
        f"{game_prefix(game_id)}HouseRules",
        "The rules agreed at the table: a preset and what differs from it. Given options override others.",
        {
            "preset": s.Word(list(GAMES[game_id].options.presets), "Without it, the default preset.", absent=True),
            "options": s.Anything(
                "Options by name.",
                schema=named(options_schema_name(game_id)),
                absent=True,
            ),
        },
    )


def component_name(schema: type[Schema] | Schema) -> str:
    """Return the name of a schema in the document: that of its class, behind that of its game where it has one."""
    known = schema if isinstance(schema, type) else type(schema)
    name = known.__name__.lstrip("_").removesuffix("Schema").removesuffix("Shape")
    prefix = next((game_prefix(game) for game in GAMES if f".{game.replace('-', '_')}." in known.__module__), "")
    return name if name.startswith(prefix) else prefix + name


def options_schema(game: Game) -> JsonSchema:
    """Describe the options of a game in JSON Schema, as they are declared."""
    own = words(game.id, "en")
    return {
        "type": "object",
        "additionalProperties": False,
        "description": f"The options of {own.name}.",
        "properties": {
            name: {
                **without(described_field(option.field(), lambda shape: {}), "x-article"),  # it is in the text
                "description": f"{own.option_label(name)}. {own.option_help(name)} (`{option.article}`)",
                "x-default": option.plain(option.default),
            }
            for name, option in game.options.options.items()
        },
    }


def parameter_schemas(shape: type[Shape[Json]]) -> dict[str, JsonSchema]:
    """Describe each key of a shape of parameters, with its default and its words."""
    described = {}
    for name, field in s.schema(shape).load_fields.items():
        known = cast("Field[Json]", field)
        default = {"default": field.load_default} if type(field.load_default) in (int, str) else {}
        words = {key: text for key, text in field.metadata.items() if key == "description"}
        described[name] = {**known.json_schema(lambda shape: {}), **default, **words}
    return described


def inlined_schema(game: Game, question: str) -> JsonSchema | None:
    """Describe the request of a question with all that it refers to as `$defs`; None if the game is not asked it.

    The schema is read by assistants, whose memory is short: it says which keys there are and of which type, not how
    long a text may be and in how many ways a card may be written; the options of house rules, which few requests
    need, are listed by a tool of their own.
    """
    request, prefix = requests_of(game).get(schema_name(question)), game_prefix(game.id)
    if request is None:
        return None
    parts: JsonSchema = {options_schema_name(game.id): {"type": "object", "description": _OPTIONS_TEXT}}

    def refer(shape: type[Shape[Json]]) -> JsonSchema:
        name = component_name(shape).removeprefix(prefix)
        if name not in parts:
            parts[name] = {}  # a shape may hold itself
            parts[name] = shape_schema(shape, refer)
        return named(name)

    whole = _shortened({**shape_schema(request, refer), "$defs": parts})
    short: JsonSchema = json.loads(json.dumps(whole).replace(_COMPONENTS, "#/$defs/"))
    return short


_OPTIONS_TEXT: Final = "Options by name, as the tool `rules` lists them with their values."
_NEEDLESS: Final = frozenset(
    {"discriminator", "example", "maxItems", "maxLength", "pattern", "x-article", "x-default", "x-unit"}
)
"""Keys that only generators of code and pages use, and bounds that hardly any request meets."""
_FAR: Final = 1_000
"""Numbers from which on a bound is not worth its words."""


def _shortened(part: Json) -> Json:
    """Return a part of a schema with fewer words."""
    if isinstance(part, list):
        return [_shortened(each) for each in part]
    if not isinstance(part, dict):
        return part
    short = {key: _shortened(item) for key, item in part.items() if key not in _NEEDLESS}
    for key in ("minimum", "maximum"):
        if isinstance(short.get(key), int) and abs(short[key]) >= _FAR:
            del short[key]
    if "patternProperties" in short:  # the keys beside the declared ones: see `further_keys`
        (short["additionalProperties"],) = short.pop("patternProperties").values()
    return short
