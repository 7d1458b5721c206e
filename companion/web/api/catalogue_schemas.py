"""The shapes of the catalogue: games and options, house rules written out and compared, articles and what was found."""

from __future__ import annotations

from marshmallow import fields, validate

from companion.rulebook.answers import OPTION_TYPES
from companion.web.api.shapes import (
    RULES_OR_CODE,
    Given,
    HouseRulesSchema,
    Taken,
    anything,
    by_name,
    flag,
    some,
    string,
    thing,
)


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
