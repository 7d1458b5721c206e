"""The requests and answers of a game's questions, made for every game from its shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import new_class
from typing import Final

from companion.engine import shapes as s
from companion.engine.game import FACT, AnswerShape, Game, QuestionShapes
from companion.engine.ledger import OpeningShape, Sides
from companion.games import GAMES
from companion.rulebook.answers import SETTLED, FindingShape, MissingShape, VerdictShape

UNION: Final = "Which of them, the game in the path says."


class AnyRequestSchema(s.OpenShape[s.Attributes]):
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
    deal = game.deal
    requests = {
        "Score": make_shape(
            s.Shape,
            f"{prefix}Score",
            "A game as entered: who plays, with which rules, and what was counted after each deal.",
            {
                "rules": rules,
                "sides": Sides("Who scores together: ids, or objects with the players' names."),
                "opening": s.Keyed(
                    s.Object(OpeningShape), "Totals and tallies carried on from a paper sheet.", absent=True
                ),
                "deals": s.ListOf(s.Object(deal), "The deals in order."),
            },
        )
    }
    position: s.Field[s.Json] = s.Keyed(s.Anything()) if shapes.position is None else s.Object(shapes.position)
    keys = {"rules": rules, "position": position, "move": shapes.move or s.Keyed(s.Anything())}
    about = "A move and the position it is made in, as far as they are known."
    requests["Check"] = make_shape(s.Shape, f"{prefix}Check", about, keys)
    for name, question in _questions(game).items():
        requests[name] = make_shape(
            question.request, f"{prefix}{name}", question.request.__doc__ or "", {"rules": rules}
        )
    return requests


def answers_of(game: Game) -> dict[str, type[s.Shape[s.Json]]]:
    """Return the answer to each question of a game."""
    prefix, shapes = game_prefix(game.id), game.shapes
    effect: dict[str, s.Field[s.Json]] = {
        "effect": s.Keyed(s.Anything(schema=FACT)) if shapes.effect is None else s.Object(shapes.effect)
    }
    verdict = make_shape(VerdictShape, f"{prefix}Verdict", VerdictShape.__doc__ or "", effect)
    answers: dict[str, type[s.Shape[s.Json]]] = {"Verdict": verdict}
    missing = s.ListOf(s.Object(MissingShape), "What must be known to say more.")
    for name, question in _questions(game).items():
        keys: dict[str, s.Field[s.Json]] = dict(question.answer)
        if name == "Moves":
            keys["missing"] = missing
        elif name != "Replay":
            keys["missing"] = s.ListOf(s.Object(MissingShape), "What must be known to be sure.", absent=True)
        if name == "Replay":
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
    return {"$ref": f"#/components/schemas/{name}"}


def _union(
    name: str, shapes: Iterable[type[s.Shape[s.Json]] | None], refer: s.Refer
) -> Iterator[tuple[str, s.JsonSchema]]:
    """Yield the schema that is any of the shapes under its name; none if there is only one shape."""
    known = [refer(shape) for shape in shapes if shape is not None]
    if len(known) > 1:
        yield name, {"anyOf": known, "description": UNION}


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
        yield f"{prefix}GivenSide", _nothing_required(s.shape_schema(others.entries.value.shape, refer))
        deal = s.shape_schema(game.deal, refer)
        sides = s.further_keys(named(f"{prefix}GivenSide"), deal["properties"])
        yield f"{prefix}GivenDeal", _nothing_required(deal | sides)
        given.append(named(f"{prefix}GivenDeal"))
    yield (
        "GivenDeal",
        {"anyOf": [*strict, *given], "description": "A deal of any game, less what its calls have settled."},
    )


def _nothing_required(schema: s.JsonSchema) -> s.JsonSchema:
    return {key: item for key, item in schema.items() if key != "required"}


_ABOUT: Final = {
    "Moves": "What can be done.",
    "Replay": "A verdict for each move, findings in retrospect, and the result ready to be posted to `score`.",
}


_ANY: Final = QuestionShapes(AnyRequestSchema, {})


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
                schema={"$ref": f"#/components/schemas/{options_schema_name(game_id)}"},
                absent=True,
            ),
        },
    )
