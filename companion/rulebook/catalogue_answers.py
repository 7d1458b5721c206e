"""Games, their options and presets, house rules and articles as answers in JSON: each a shape that writes it.

The shapes are written with the `Words` of a game in a language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from companion.engine import shapes as s
from companion.engine.articles import Article
from companion.engine.game import FACT, AnswerShape, Game
from companion.engine.options import HouseRules, Notice, Option
from companion.engine.shapes import SCALAR
from companion.rulebook.answers import Json, linked, said
from companion.rulebook.book import article_url, words
from companion.rulebook.phrases import LANGUAGES, Words

OPTION_TYPES: Final = {"flag": "boolean", "number": "integer", "choice": "string", "cards": "cards", "words": "words"}
"""The kinds of options as the API names them; `cards` lists cards in order, `words` is a selection of its choices."""
OPTIONS: Final[s.JsonSchema] = {"$ref": "#/components/schemas/Options"}
VALUE: Final[s.JsonSchema] = {"anyOf": [SCALAR, {"type": "array", "items": {"type": "string"}}]}


class _House(NamedTuple):
    """House rules of a game."""

    game: Game
    rules: HouseRules[object]

    @property
    def code(self) -> str:
        """The short code."""
        return self.game.options.code(self.rules)

    @property
    def preset(self) -> str:
        """The name of the preset."""
        return self.rules.preset


class _Compared(NamedTuple):
    """An option with its values in two sets of house rules."""

    option: Option
    one: object
    other: object


class _Choice(NamedTuple):
    """A value of an option with its label."""

    value: str | int
    label: str


class _Preset(NamedTuple):
    """A preset of a game."""

    game: Game
    name: str

    @property
    def house(self) -> HouseRules[object]:
        """The rules that it sets."""
        return self.game.options.preset(self.name)


class _Placed(NamedTuple):
    """An article and the section that it is in."""

    section: str
    article: Article


class NoticeShape(AnswerShape):
    """Something worth knowing about a set of house rules."""

    code = s.Text()
    article = s.Text()
    options = s.ListOf(s.Text())
    facts = s.Keyed(s.Anything(schema=FACT))
    text = said(lambda notice, own: own.notice(notice), "")
    url = linked("")


class RulesShape(AnswerShape):
    """House rules written out."""

    preset = s.Text()
    options = s.Anything(
        "Every option of the game with its value.",
        schema=OPTIONS,
        get=lambda house, own: house.game.options.plain(house.rules.options),
    )
    code = s.Text("Lists what differs from the preset; later versions read it too.")
    summary = s.Keyed(
        said(lambda line, own: line, ""),
        "One line in each language.",
        get=lambda house, own: {
            lang: words(house.game.id, lang).summary(house.game.options, house.rules) for lang in LANGUAGES
        },
    )
    warnings = s.ListOf(s.Object(NoticeShape), get=lambda house, own: house.rules.notices)


class DifferenceShape(AnswerShape):
    """One option in which two sets of house rules differ."""

    option = s.Text(get=lambda found, own: found.option.name)
    label = said(lambda found, own: own.option_label(found.option.name), "")
    one = s.Anything("Its value in the first.", schema=VALUE)
    other = s.Anything("Its value in the second.", schema=VALUE)
    text = said(lambda found, own: difference_text(own, *found), "")
    article = s.Text(get=lambda found, own: found.option.article)
    url = s.Text(get=lambda found, own: article_url(own.lang, found.option.article))


class ComparedRulesShape(AnswerShape):
    """One of two sets of house rules."""

    preset = s.Text()
    code = s.Text()
    summary = said(lambda house, own: own.summary(house.game.options, house.rules), "")


class RulesDiffShape(AnswerShape):
    """What two tables play differently; nothing where they agree."""

    one = s.Object(ComparedRulesShape, get=lambda houses, own: houses[0])
    other = s.Object(ComparedRulesShape, get=lambda houses, own: houses[1])
    differences = s.ListOf(s.Object(DifferenceShape), get=lambda houses, own: _differences(*houses))


class ChoiceShape(AnswerShape):
    """One value of an option with its label."""

    value = s.Anything(schema=SCALAR)
    label = said(lambda choice, own: choice.label, "")


def _of_numbers(name: str, *kinds: str) -> s.Get:
    """Return what gets an attribute of the options of some kinds, of numbers if none are given."""
    return lambda option, own: getattr(option, name) if option.kind in (kinds or ("number",)) else s.LEFT_OUT


def _choices(option: Option, own: Words) -> list[_Choice] | None:
    if option.kind == "number" and option.choices:
        return [_Choice(int(value), own.option_value(option, int(value))) for value in option.choices]
    if option.kind in ("choice", "words"):
        return [_Choice(value, label) for value, label in own.choices(option).items()]
    return None


class OptionShape(AnswerShape):
    """An option as the game declares it."""

    name = s.Text()
    type = s.Word(list(OPTION_TYPES.values()), get=lambda option, own: OPTION_TYPES[option.kind])
    default = s.Anything(schema=VALUE, get=lambda option, own: option.plain(option.default))
    label = said(lambda option, own: own.option_label(option.name), "")
    help = said(lambda option, own: own.option_help(option.name), "")
    article = s.Text("The first article that explains it.")
    articles = s.ListOf(s.Text())
    key = s.Text("Its key in short codes.")
    minimum = s.Integer(absent=True, nullable=True, get=_of_numbers("low", "number", "cards"))
    maximum = s.Integer(absent=True, nullable=True, get=_of_numbers("high", "number", "cards"))
    unit = s.Text(absent=True, nullable=True, get=_of_numbers("unit"))
    nullable = s.Flag(absent=True, get=_of_numbers("nullable"))
    choices = s.ListOf(s.Object(ChoiceShape), absent=True, get=_choices)
    among = s.ListOf(s.Text(), "The cards of which some are listed.", absent=True, get=_of_numbers("choices", "cards"))
    advisory = s.Flag(
        "True if it changes only advice, no score and no verdict.",
        absent=True,
        get=lambda option, own: option.advisory or None,
    )


class PresetShape(AnswerShape):
    """A named set of options."""

    name = s.Text()
    label = said(lambda preset, own: own.preset_label(preset.name), "")
    help = said(lambda preset, own: own.preset_help(preset.name), "")
    options = s.Anything("What it sets.", schema=OPTIONS, get=lambda preset, own: _set_by(preset))
    summary = said(lambda preset, own: own.summary_of(_beside_the_default(preset)), "")


class GameShape(AnswerShape):
    """A game with its options and presets."""

    id = s.Text()
    name = s.Text(get=lambda game, own: own.name)
    options = s.ListOf(s.Object(OptionShape), get=lambda game, own: game.options.options.values())
    presets = s.ListOf(
        s.Object(PresetShape), get=lambda game, own: [_Preset(game, name) for name in game.options.presets]
    )
    default_preset = s.Text(get=lambda game, own: game.options.default_preset)
    articles = s.Integer("How many articles it has.", get=lambda game, own: len(game.articles))
    url = s.Text(get=lambda game, own: f"/{own.lang}/rules/{game.id}")


class GameEntryShape(AnswerShape):
    """A game of the catalogue."""

    id = s.Text()
    name = s.Text(get=lambda game, own: own.name)
    presets = s.ListOf(s.Text(), get=lambda game, own: game.options.presets)
    default_preset = s.Text(get=lambda game, own: game.options.default_preset)
    url = s.Text("The rule page.", get=lambda game, own: f"/{own.lang}/rules/{game.id}")


class ArticleShape(AnswerShape):
    """An article of the rulebook."""

    id = s.Text(get=lambda placed, own: placed.article.id)
    anchor = s.Text("Its place on the page of the game.", get=lambda placed, own: placed.article.anchor)
    section = s.Text("The section that it is in.")
    title = said(lambda placed, own: own.title(placed.article.id), "")
    source = s.Text("What it rests on.", get=lambda placed, own: placed.article.source)
    reference = s.Text(
        "Where the source says so.", nullable=True, get=lambda placed, own: placed.article.reference or None
    )
    numbers = s.ListOf(s.Text(), "Its numbers in the source.", get=lambda placed, own: placed.article.numbers)
    url = s.Text(get=lambda placed, own: article_url(own.lang, placed.article.id))


def rules_answer(game: Game, house: HouseRules[object], lang: str) -> Json:
    """House rules written out: every option, the short code, one line in each language, warnings."""
    return s.write(RulesShape, _House(game, house), words(game.id, lang))


def notice_answer(notice: Notice, own: Words) -> Json:
    """One warning about house rules."""
    return s.write(NoticeShape, notice, own)


def diff_answer(game: Game, one: HouseRules[object], other: HouseRules[object], lang: str) -> Json:
    """The options in which two rule sets differ, in plain words; an empty list where they are the same."""
    return s.write(RulesDiffShape, (_House(game, one), _House(game, other)), words(game.id, lang))


def difference_text(own: Words, option: Option, one: object, other: object) -> str:
    """One difference in words: `Bags per penalty: 10 bags → 5 bags`."""
    mark = own.say("keeper.colon")
    return f"{own.option_label(option.name)}{mark}{own.option_value(option, one)} → {own.option_value(option, other)}"


def game_entries(games: Mapping[str, Game], lang: str) -> list[Json]:
    """The games with their presets."""
    return [s.write(GameEntryShape, game, words(game.id, lang)) for game in games.values()]


def catalogue_answer(game: Game, lang: str) -> Json:
    """A game of the catalogue: its options as declared and its presets, with labels."""
    return s.write(GameShape, game, words(game.id, lang))


def preset_answer(game: Game, preset: str, own: Words) -> Json:
    """A preset: its name, what it is for, the options that it sets."""
    return s.write(PresetShape, _Preset(game, preset), own)


def articles_answer(game: Game, lang: str) -> list[Json]:
    """The articles of a game in the order of its page."""
    own, sections = words(game.id, lang), game.articles.sections.items()
    return [s.write(ArticleShape, _Placed(name, each), own) for name, group in sections for each in group]


def _differences(one: _House, other: _House) -> list[_Compared]:
    return [_Compared(*found) for found in one.game.options.differences(one.rules.options, other.rules.options)]


def _set_by(preset: _Preset) -> Json:
    options = preset.game.options
    plain = options.plain(preset.house.options)
    return {name: plain[name] for name in options.presets[preset.name]}


def _beside_the_default(preset: _Preset) -> list[tuple[Option, object, object]]:
    options = preset.game.options
    return options.differences(options.preset().options, preset.house.options)
