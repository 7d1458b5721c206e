"""The shapes of the API in marshmallow: what the OpenAPI document says, and what the tests hold every answer to.

Bodies themselves are read by the readers of the games, which give every fault its place and its code.
"""

from __future__ import annotations

from typing import Any

from marshmallow import INCLUDE, RAISE, Schema, fields, validate

from companion.engine.reading import MAX_ITEMS
from companion.games import GAMES
from companion.rulebook.answers import OPTION_TYPES


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


def options_schema_name(game_id: str) -> str:
    """The name under which the document describes the options of a game: `SpadesOptions`."""
    return "".join(part.capitalize() for part in game_id.split("-")) + "Options"


class HouseRulesSchema(Taken):
    """The rules agreed at the table: a preset and what differs from it. What was not given gives way to what was."""

    preset = string(
        "A preset of the game; the game's default without it.",
        required=False,
        validate=validate.OneOf(sorted({name for game in GAMES.values() for name in game.options.presets})),
    )
    options = fields.Raw(
        metadata={
            "description": "Options by name, as the game declares them.",
            "anyOf": [{"$ref": f"#/components/schemas/{options_schema_name(each)}"} for each in GAMES],
        }
    )


RULES = fields.Nested(HouseRulesSchema, metadata={"description": "Without it, the default preset."})
RULES_OR_CODE = {"anyOf": [{"$ref": "#/components/schemas/HouseRules"}, {"type": "string"}]}


class NormaliseSchema(Taken):
    """House rules to be written out: as an object, or as a short code."""

    rules = fields.Nested(HouseRulesSchema)
    code = string("A short code, such as `classic~bt-5`.", required=False)


class DiffSchema(Taken):
    """Two sets of house rules, each as an object or a short code."""

    one = fields.Raw(required=True, metadata=RULES_OR_CODE)
    other = fields.Raw(required=True, metadata=RULES_OR_CODE)


class NoticeSchema(Given):
    """Something worth knowing about a set of house rules."""

    code = string()
    article = string()
    options = some(fields.String())
    facts = thing()
    text = string()
    url = string()


class RulesSchema(Given):
    """House rules written out."""

    preset = string()
    options = thing("Every option of the game with its value.")
    code = string("Lists what differs from the preset; later versions read it too.")
    summary = by_name(fields.String(), "One line in each language.")
    warnings = some(NoticeSchema)


class DifferenceSchema(Given):
    """One option in which two sets of house rules differ."""

    option = string()
    label = string()
    one = anything()
    other = anything()
    text = string()
    article = string()
    url = string()


class RulesDiffSchema(Given):
    """What two tables play differently; nothing where they agree."""

    one = thing()
    other = thing()
    differences = some(DifferenceSchema)


class OptionSchema(Given):
    """An option as the game declares it."""

    name = string()
    type = string(validate=validate.OneOf(list(OPTION_TYPES.values())))
    default = anything()
    label = string()
    help = string()
    article = string("The first article that explains it.")
    articles = some(fields.String())
    minimum = fields.Integer(allow_none=True)
    maximum = fields.Integer(allow_none=True)
    unit = fields.String(allow_none=True)
    nullable = fields.Boolean()
    choices = fields.List(fields.Dict())
    advisory = flag("True where it changes only what the table is told.", required=False)


class PresetSchema(Given):
    """A named set of options."""

    name = string()
    label = string()
    help = string()
    options = thing("What it sets.")
    summary = string()


class GameSchema(Given):
    """A game with its options and presets."""

    id = string()
    name = string()
    options = some(OptionSchema)
    presets = some(PresetSchema)
    default_preset = string()
    url = string()


class GameEntrySchema(Given):
    """A game of the catalogue."""

    id = string()
    name = string()
    presets = some(fields.String())
    default_preset = string()
    url = string("The rule page.")


class GamesSchema(Given):
    """The games of this service."""

    games = some(GameEntrySchema)


class ArticleSchema(Given):
    """An article of the rulebook."""

    id = string()
    title = string()
    url = string()


class ArticlesSchema(Given):
    """The articles of a game in the order of its page."""

    articles = some(ArticleSchema)


class HitSchema(Given):
    """An article, an option and the article that explains it, a term of the glossary, a passage on verdicts."""

    kind = string(validate=validate.OneOf(["article", "option", "term", "guide"]))
    game = string()
    id = string()
    title = string()
    excerpt = string()
    url = string()


class FoundSchema(Given):
    """What was found, the best first; `next` is the cursor of the next page, null on the last."""

    results = some(HitSchema)
    near = some(fields.String())
    next = fields.String(required=True, allow_none=True)


class ScoreSchema(Taken):
    """A game as entered: who plays, with which rules, and what was counted after each deal."""

    rules = RULES
    sides = some(
        fields.Raw(
            metadata={
                "anyOf": [
                    {"type": "string"},
                    {
                        "type": "object",
                        "properties": {
                            "id": {"type": "string"},
                            "players": {"type": "array", "items": {"type": "string"}},
                        },
                        "required": ["id"],
                        "additionalProperties": False,
                    },
                ]
            }
        ),
        "Who scores together: ids, or objects with the players' names.",
    )
    opening = by_name(
        fields.Dict(), "Totals (and tallies such as `bags`) carried on from a paper sheet.", required=False
    )
    deals = fields.List(
        fields.Dict(),
        required=True,
        validate=validate.Length(max=MAX_ITEMS),
        metadata={
            "description": "Facts of each deal under the ids of the sides, as the examples show. Beside them "
            "`adjustments`, `void`, and `accept` to record a named problem anyway."
        },
    )


class LineSchema(Given):
    """Points and the article that gave them."""

    article = string()
    points = whole()
    text = string()
    facts = thing("What was counted.")


class SideScoreSchema(Given):
    """What a deal gave a side. Tallies such as `bags` stand beside the total."""

    lines = some(LineSchema)
    points = whole("The sum of the lines.")
    total = whole("After the deal.")


class DealScoreSchema(Given):
    """A scored deal."""

    sides = by_name(SideScoreSchema)
    warnings = some(fields.Dict(), "Problems that were recorded anyway.")
    status = string(validate=validate.OneOf(["scored", "void", "after-end"]))


class StandingSchema(Given):
    """Where a side stands."""

    total = whole()


class OutcomeSchema(Given):
    """Whether the game is over, and by which article."""

    over = flag()
    winners = some(fields.String())
    reason = fields.String(required=True, allow_none=True)


class LedgerSchema(Given):
    """Every deal with its lines, where the sides stand, the outcome."""

    deals = some(DealScoreSchema)
    standing = by_name(StandingSchema)
    outcome = fields.Nested(OutcomeSchema, required=True)


class CheckSchema(Taken):
    """A move and the position it is made in, as far as they are known."""

    rules = RULES
    position = thing("The table before the move, as the examples show.")
    move = thing("The move, as the examples show.")


class CitedSchema(Given):
    """An article and what it says about the case."""

    article = string()
    text = string()
    facts = thing()
    url = string()


class BreachSchema(CitedSchema):
    """A broken article."""

    code = string("How it is broken.")


class MissingSchema(CitedSchema):
    """A fact that must be known first."""

    fact = string()
    seat = string("Whose it is.", required=False)


class VerdictSchema(Given):
    """The judge's answer: every breach, every missing fact, what allows the move, what it changes."""

    verdict = string(validate=validate.OneOf(["legal", "illegal", "undecided"]))
    breaches = some(BreachSchema)
    missing = some(MissingSchema)
    because = some(CitedSchema)
    effect = thing()


AS = fields.Integer(
    strict=True, data_key="as", metadata={"description": "Casino: the value that the card captures as."}
)


class MovesSchema(Taken):
    """A position, and who asks; in Casino the card that is to capture."""

    rules = RULES
    position = thing("The table, as for a check.")
    seat = string("Spades: who is to move, where the position does not say it.", required=False)
    looked = flag("Spades: whether the mover has looked at the hand.", required=False)
    card = string("Casino: the card that captures.", required=False)
    as_value = AS


class DemandSchema(Taken):
    """An announced capture, of which an opponent demands more."""

    rules = RULES
    position = thing("The table, as for a check.")
    card = string()
    as_value = AS
    table = some(fields.String(), "Loose cards that the player announced.", required=False)
    builds = some(fields.String(), "Ids of builds that the player announced.", required=False)
    by = string("Who demands.", required=False)


class ReplaySchema(Given):
    """A recorded deal in the order of play, as the examples show."""

    rules = RULES


class MovesAnswerSchema(Given):
    """What can be done. Casino answers `maximum`, `minimal_sets`, `captures` and `truncated` beside it."""

    moves = fields.List(fields.Dict())
    compulsory = fields.List(fields.Dict())
    missing = fields.List(fields.Nested(MissingSchema))


class DemandAnswerSchema(Given):
    """Whether the announced capture stands, is complete, and what must be taken."""

    legal = flag()
    complete = flag()
    must_take = fields.Dict(allow_none=True)
    articles = some(fields.String())


class FindingSchema(Given):
    """What a recorded deal shows in retrospect: who, where, shown by what."""

    article = string()
    seat = string()
    text = string()
    url = string()


class ReplayAnswerSchema(Given):
    """A verdict for each move, findings in retrospect, and the result ready to be posted to `score`."""

    verdicts = fields.List(fields.Dict())
    findings = some(FindingSchema)
