"""The shapes of the questions: scores, checks, moves, demands, replays and their answers."""

from __future__ import annotations

from marshmallow import fields, validate

from companion.engine.reading import MAX_ITEMS
from companion.web.api.shapes import RULES, Given, Taken, by_name, flag, some, string, thing, whole


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
