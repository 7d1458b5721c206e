"""The shapes of the API that no single game decides: problems, house rules, the catalogue of games and articles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Unpack

from companion.engine import shapes as s
from companion.engine.problem_facts import SCALAR
from companion.engine.questions import FACT, AnswerShape
from companion.rulebook.answers import OPTION_TYPES

MOST_TEXT: Final = 20_000
RULES_OR_CODE: Final[s.JsonSchema] = {
    "anyOf": [{"$ref": "#/components/schemas/HouseRules"}, {"type": "string", "maxLength": 2000}]
}
OPTIONS: Final[s.JsonSchema] = {"$ref": "#/components/schemas/Options"}
VALUE: Final[s.JsonSchema] = {"anyOf": [SCALAR, {"type": "array", "items": {"type": "string"}}]}


def _text(describe: str = "", **common: Unpack[s.FieldOptions]) -> s.Text:
    return s.Text(describe, most=MOST_TEXT, **common)


class ErrorSchema(AnswerShape):
    """One problem of an input; `problem_schemas` tells the codes apart."""

    pointer = _text("Where it is: a JSON pointer into what was sent; for a query, the parameter.")
    code = s.Text("Stable, the same in every language.")
    detail = _text("For people, in the language of the request.")
    article = s.Text("The article behind it.", absent=True)
    url = s.Text("Where the article is explained.", absent=True)
    acceptable = s.Flag("True where a deal's `accept` may record the facts anyway.", absent=True)
    contextual = s.Flag(
        "True where the document allows it, and the rest of the input does not: the rules, the seats, another key.",
        absent=True,
    )
    facts = s.Keyed(s.Anything(schema=FACT), "What shows it, by name: `expected`, `total`, `low`, `high`.", absent=True)
    allowed = s.ListOf(s.Anything(schema=SCALAR), "The values that are possible here.", absent=True)


class ProblemSchema(AnswerShape):
    """A problem document (RFC 9457)."""

    type = s.Text("`/problems/<code>`: a page in both languages.")
    title = _text("What kind of problem it is, in the language of the request.")
    status = s.Integer("The status of the response.")
    detail = _text("What is wrong, in the language of the request.")
    instance = s.Text("The id of the request.", absent=True)
    errors = s.ListOf(
        s.Anything(schema={"$ref": "#/components/schemas/Error"}), "Every problem of the input.", absent=True
    )
    line = s.Integer("In a batch: the number of the line, from 1. Else the line of invalid JSON.", absent=True)
    column = s.Integer("Of invalid JSON: where reading stopped, from 1.", absent=True)
    id = s.Text("In a batch: the `id` of the line.", absent=True)
    version = s.Integer("Of a sheet that is at another version: its latest.", absent=True)
    events = s.ListOf(
        s.Anything(schema={"$ref": "#/components/schemas/SheetEvent"}),
        "Of such a sheet: what was written since the version named; none where that is not known.",
        absent=True,
    )


class NoticeShape(AnswerShape):
    """Something worth knowing about a set of house rules."""

    code = s.Text()
    article = s.Text()
    options = s.ListOf(s.Text())
    facts = s.Keyed(s.Anything(schema=FACT))
    text = _text()
    url = s.Text()


WRITTEN_OUT: Final[Mapping[str, s.Field[s.Json]]] = {
    "preset": s.Text(),
    "code": s.Text("Lists what differs from the preset; later versions read it too."),
    "summary": s.Keyed(_text(), "One line in each language."),
    "warnings": s.ListOf(s.Object(NoticeShape)),
}
"""The keys of house rules written out, beside the options of the game."""


class DifferenceShape(AnswerShape):
    """One option in which two sets of house rules differ."""

    option = s.Text()
    label = _text()
    one = s.Anything("Its value in the first.", schema=VALUE)
    other = s.Anything("Its value in the second.", schema=VALUE)
    text = _text()
    article = s.Text()
    url = s.Text()


class ComparedRulesShape(AnswerShape):
    """One of two sets of house rules."""

    preset = s.Text()
    code = s.Text()
    summary = _text()


class RulesDiffShape(AnswerShape):
    """What two tables play differently; nothing where they agree."""

    one = s.Object(ComparedRulesShape)
    other = s.Object(ComparedRulesShape)
    differences = s.ListOf(s.Object(DifferenceShape))


class ChoiceShape(AnswerShape):
    """One value of an option with its label."""

    value = s.Anything(schema=SCALAR)
    label = _text()


class OptionShape(AnswerShape):
    """An option as the game declares it."""

    name = s.Text()
    type = s.Word(list(OPTION_TYPES.values()))
    default = s.Anything(schema=VALUE)
    label = _text()
    help = _text()
    article = s.Text("The first article that explains it.")
    articles = s.ListOf(s.Text())
    key = s.Text("Its key in short codes.")
    minimum = s.Integer(absent=True, nullable=True)
    maximum = s.Integer(absent=True, nullable=True)
    unit = s.Text(absent=True, nullable=True)
    nullable = s.Flag(absent=True)
    choices = s.ListOf(s.Object(ChoiceShape), absent=True)
    among = s.ListOf(s.Text(), "The cards of which some are listed.", absent=True)
    advisory = s.Flag("True if it changes only advice, no score and no verdict.", absent=True)


class PresetShape(AnswerShape):
    """A named set of options."""

    name = s.Text()
    label = _text()
    help = _text()
    options = s.Anything("What it sets.", schema=OPTIONS)
    summary = _text()


class GameShape(AnswerShape):
    """A game with its options and presets."""

    id = s.Text()
    name = s.Text()
    options = s.ListOf(s.Object(OptionShape))
    presets = s.ListOf(s.Object(PresetShape))
    default_preset = s.Text()
    articles = s.Integer("How many articles it has.")
    url = s.Text()


class OperationShape(AnswerShape):
    """An operation of the API."""

    id = s.Text("Its `operationId` in the document.")
    method = s.Text()
    path = s.Text("Its address, with `{names}` to fill in.")
    summary = _text()
    tag = s.Text("The heading under which the document has it.")


class IndexShape(AnswerShape):
    """What there is."""

    version = s.Text("Of this program.")
    openapi = s.Text("Where the document is.")
    documentation = s.Text("Where the document is shown to people.")
    operations = s.ListOf(s.Object(OperationShape))


class GameEntryShape(AnswerShape):
    """A game of the catalogue."""

    id = s.Text()
    name = s.Text()
    presets = s.ListOf(s.Text())
    default_preset = s.Text()
    url = s.Text("The rule page.")


class GamesShape(AnswerShape):
    """The games of this service."""

    games = s.ListOf(s.Object(GameEntryShape))


class ArticleShape(AnswerShape):
    """An article of the rulebook."""

    id = s.Text()
    anchor = s.Text("Its place on the page of the game.")
    section = s.Text("The section that it is in.")
    title = _text()
    source = s.Text("What it rests on.")
    reference = s.Text("Where the source says so.", nullable=True)
    numbers = s.ListOf(s.Text(), "Its numbers in the source.")
    url = s.Text()


class ArticlesShape(AnswerShape):
    """The articles of a game in the order of its page."""

    articles = s.ListOf(s.Object(ArticleShape))


class HitShape(AnswerShape):
    """An article, a preset, an option with the article that explains it, a term, a passage on verdicts."""

    kind = s.Word(("article", "preset", "option", "term", "guide"))
    game = s.Text()
    id = s.Text()
    title = _text()
    excerpt = _text()
    marks = s.ListOf(s.ListOf(s.Integer()))
    score = s.Integer()
    played = s.Flag()
    url = s.Text()


class RepairShape(AnswerShape):
    """A word of a query with a typing error, and the word that it was read as."""

    typed = s.Text()
    read = s.Text()


class FoundShape(AnswerShape):
    """What was found, the best first; `next` is the cursor of the next page, null on the last."""

    results = s.ListOf(s.Object(HitShape))
    near = s.ListOf(s.Text())
    repairs = s.ListOf(s.Object(RepairShape))
    widened = s.Flag()
    next = s.Text(nullable=True)
