"""What the engine finds, as answers in JSON with the words of a language: each a shape that documents and writes it.

The shapes are written with the `Words` of a game in a language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from companion.data import LANGUAGES
from companion.engine import shapes as s
from companion.engine.articles import Article
from companion.engine.cards import Card
from companion.engine.game import FACT, AnswerShape, Game
from companion.engine.ledger import Ledger
from companion.engine.options import HouseRules, Notice, Option
from companion.engine.problems import Problem, json_pointer
from companion.engine.shapes import SCALAR, SHAPE_CODES
from companion.engine.verdict import (
    LEGAL,
    UNDECIDED,
    Because,
    Breach,
    Finding,
    Judged,
    Missing,
    PlainList,
    Verdict,
    Witness,
)
from companion.rulebook.words import Words, article_url, words

Json = dict[str, Any]

MOST_TEXT: Final = s.MAX_ITEMS
_FACTS: Final = s.Keyed(s.Anything(schema=FACT), "The facts by name.")


def said(say: s.Get, describe: str = "For people, in the language of the request.", *, absent: bool = False) -> s.Text:
    """Return the field of a sentence, or another long text."""
    return s.Text(describe, most=MOST_TEXT, absent=absent, get=say)


def _linked(describe: str = "Where the article is explained.") -> s.Text:
    """Return the field of the address of an article that is cited."""
    return s.Text(describe, get=lambda cited, own: article_url(own.lang, cited.article))


class LineShape(AnswerShape):
    """Points and the article that gave them."""

    article = s.Text("The article.")
    points = s.Integer("The points.", unit="points")
    text = said(lambda line, own: own.line(line))
    url = _linked()
    facts = s.Keyed(s.Anything(schema=FACT), "What was counted.")


class SideScoreShape(AnswerShape):
    """What a deal gave a side. Tallies such as `bags` are beside the total."""

    lines = s.ListOf(s.Object(LineShape), "The points one by one.")
    points = s.Integer("The sum of the lines.", unit="points")
    total = s.Integer("The total after the deal.", unit="points", get="standing.total")
    others = s.Others(s.Keyed(s.Integer("A tally after the deal.")), into="standing.tallies")


_ALLOWED: Final = frozenset({"choices", "possible"})
"""What the facts of a problem call the values that are possible."""


def _plain(fact: object) -> object:
    """A fact of a problem as JSON: cards as text."""
    if isinstance(fact, Mapping):
        return {str(name): _plain(item) for name, item in fact.items()}
    if isinstance(fact, list | tuple | set | frozenset):
        return [_plain(item) for item in fact]
    return fact if fact is None or isinstance(fact, str | int | bool) else str(fact)


class _ContradictionShape(AnswerShape):
    """The fewest facts of a position that cannot be true together."""

    facts = s.ListOf(
        s.Text(), "Their JSON pointers: the position is possible without any one of them.",
        get=lambda problem, own: [json_pointer(pointer) for pointer, _ in problem.witness],
    )  # fmt: skip
    text = s.ListOf(s.Text(most=MOST_TEXT), "The same in words.", get=lambda problem, own: [own.contradiction(problem)])


class ErrorShape(AnswerShape):
    """One problem of an input; its code says which facts show it."""

    pointer = said(
        lambda problem, own: problem.path(),
        "Where it is: a JSON pointer into what was sent; for a query, the parameter.",
    )
    code = s.Text("Stable, the same in every language.")
    detail = said(lambda problem, own: own.problem(problem))
    article = s.Text("The article behind it.", absent=True)
    url = s.Text(
        "Where the article is explained.",
        absent=True,
        get=lambda problem, own: article_url(own.lang, problem.article) if problem.article else None,
    )
    acceptable = s.Flag(
        "True where a deal's `accept` may record the facts anyway.",
        absent=True,
        get=lambda problem, own: problem.acceptable or None,
    )
    contextual = s.Flag(
        "True where the document allows it, and the rest of the input does not: the rules, the seats, another key.",
        absent=True,
        get=lambda problem, own: (problem.contextual and problem.code in SHAPE_CODES) or None,
    )
    facts = s.Keyed(
        s.Anything(schema=FACT),
        "What shows it, by name: `expected`, `total`, `low`, `high`.",
        absent=True,
        get=lambda problem, own: (
            {name: _plain(fact) for name, fact in problem.facts.items() if name not in _ALLOWED} or None
        ),
    )
    allowed = s.ListOf(
        s.Anything(schema=SCALAR),
        "The values that are possible here.",
        absent=True,
        get=lambda problem, own: next((_plain(problem.facts[name]) for name in _ALLOWED & problem.facts.keys()), None),
    )
    witness = s.Object(
        _ContradictionShape, "What shows the first contradiction of a position, where it was asked for.", absent=True,
        get=lambda problem, own: problem if problem.witness else None,
    )  # fmt: skip


class WarningShape(ErrorShape):
    """A problem that was recorded anyway."""

    reason = s.Text("Why it was recorded.", nullable=True)


class WarningField(s.Object[s.Json]):
    """A problem that was recorded anyway; its code says which facts show it."""

    def __init__(self) -> None:
        super().__init__(WarningShape)

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        """Refer to the warnings of every code."""
        return {"$ref": "#/components/schemas/Warning"}

    def writer(self) -> s.Write:
        """Return what writes the problem, and why it was recorded."""
        return lambda warned, own: {**s.write(ErrorShape, warned.problem, own), "reason": warned.reason}


class _DealScoreShape(AnswerShape):
    """A scored deal."""

    sides = s.Keyed(s.Object(SideScoreShape), "By side.")
    warnings = s.ListOf(WarningField(), "Problems that were recorded anyway.")
    status = s.Word(("scored", "void", "after-end"), "Whether the deal counts.")


class StandingShape(AnswerShape):
    """Where a side stands. Tallies such as `bags` are beside the total."""

    total = s.Integer("The total.", unit="points")
    others = s.Others(s.Keyed(s.Integer("A tally.")), into="tallies")


class OutcomeShape(AnswerShape):
    """Whether the game is over, and by which article."""

    over = s.Flag("Whether the game is over.")
    winners = s.ListOf(s.Text(), "The sides that have won.")
    reason = s.Text("The article that ended it, or that lets it go on after a tie; else null.", nullable=True)
    text = said(lambda outcome, own: None if outcome.reason is None else own.outcome(outcome), absent=True)
    url = s.Text(
        absent=True, get=lambda outcome, own: None if outcome.reason is None else article_url(own.lang, outcome.reason)
    )
    target = s.Integer(
        "The target in force, where it is not that of the rules any more.",
        absent=True,
        get=lambda outcome, own: outcome.facts.get("raised_to"),
    )
    margin = s.Keyed(
        s.Integer("By how much it lost.", unit="points"),
        "What the game is worth against each side that lost, where that is played for.",
        absent=True,
        get=lambda outcome, own: outcome.facts.get("margin"),
    )


_STANDING: Final = s.Keyed(s.Object(StandingShape), "By side.")
_OUTCOME: Final = s.Object(OutcomeShape)


class LedgerShape(AnswerShape):
    """Every deal with its lines, where the sides stand, the outcome."""

    deals = s.ListOf(s.Object(_DealScoreShape))
    standing = _STANDING
    outcome = _OUTCOME


class _CitedShape(AnswerShape):
    """An article and what it says about the case."""

    article = s.Text("The article.")
    text = said(lambda because, own: own.because(because))
    facts = _FACTS
    url = _linked()


class BreachShape(_CitedShape):
    """A broken article."""

    code = s.Text("How it is broken.")
    text = said(lambda breach, own: own.breach(breach))


class MissingShape(_CitedShape):
    """A fact that must be known first."""

    fact = s.Text("What must be known.")
    seat = s.Text("Whose it is.", absent=True)
    text = said(lambda missing, own: own.missing(missing))


class _RemedyShape(AnswerShape):
    """What the table does about a breach."""

    article = s.Text("The article.")
    until = s.Text("Until when it can be put right: `next-lead`, `next-play` and so on.")
    then = s.Keyed(
        s.Anything(schema=SCALAR),
        "What follows after that: the `option` that decides, its `value`, and the `tricks` of it; null without one.",
        nullable=True,
    )
    text = said(lambda remedy, own: own.remedy(remedy))
    url = _linked()


_REMEDY: Final = s.Object(_RemedyShape, "What to do about it where it was illegal.", absent=True)


class _StepShape(AnswerShape):
    """One count of a proof."""

    text = said(lambda step, own: own.step(step))
    facts = s.Keyed(s.Anything(schema=FACT), "What is counted: some places, the cards, how many fit or must be there.")


class _WorldShape(AnswerShape):
    """One way in which the hidden cards can lie; facts of the table that were open have a value, too."""

    hands = s.Keyed(s.ListOf(s.Text()), "Hidden cards by seat, beside the card of the move.", absent=True)
    others = s.Others(s.Keyed(s.Anything("Hidden cards of another place, or a fact.")), into="others")


class WitnessShape(AnswerShape):
    """What shows a verdict to be right."""

    worlds = s.Word(("none",), "Nothing that is hidden decides this move.", absent=True)
    seat = s.Text("Whose hidden cards are in question.", absent=True)
    legal = s.Object(_WorldShape, "Undecided: a world in which the move is legal.", absent=True)
    illegal = s.Object(_WorldShape, "Undecided: a world in which it is illegal.", absent=True)
    changed = s.ListOf(s.Text(), "The cards that change places between the two worlds.", absent=True)
    world = s.Object(_WorldShape, "Legal: a world that agrees with all that is known.", absent=True)
    facts = s.ListOf(s.Text(), "The facts of the position that prove the verdict.", absent=True)
    chain = s.ListOf(s.Object(_StepShape), "The counts that prove it; none where the facts alone do.", absent=True)
    text = s.ListOf(s.Text(most=MOST_TEXT), "All of it in sentences.", absent=True)


class VerdictShape(AnswerShape):
    """The judge's answer: every breach, every missing fact, what allows the move, what it changes."""

    verdict = s.Word(("legal", "illegal", "undecided"), "The verdict.", get="value")
    breaches = s.ListOf(s.Object(BreachShape), "Every broken article.")
    missing = s.ListOf(s.Object(MissingShape), "Every fact that must be known first.")
    because = s.ListOf(
        s.Object(_CitedShape),
        "What allows a legal move.",
        get=lambda verdict, own: verdict.because if verdict.value == LEGAL else (),
    )
    effect = s.Keyed(s.Anything(schema=FACT), "What a legal move changes.")
    remedy = _REMEDY
    witness = s.Object(
        WitnessShape, "What shows the verdict to be right, where it was asked for.", absent=True,
        get=lambda verdict, own: s.LEFT_OUT,
    )  # fmt: skip


SETTLED: Final = s.Word(("legal", "illegal"), "The verdict in retrospect; null while open.", nullable=True)


class _JudgedShape(AnswerShape):
    """What the verdict on a move of a recorded deal has besides."""

    move = s.Keyed(s.Anything())
    settled = SETTLED


def _among_others(finding: Finding, own: Words) -> object:
    """Leave out a fact that is documented by itself and written with the others."""
    return s.LEFT_OUT


class _ShownByShape(AnswerShape):
    """The later card that showed a breach."""

    trick = s.Integer(absent=True)
    turn = s.Integer(absent=True)
    card = s.Text()
    seat = s.Text()


class _PlaysShape(AnswerShape):
    """What shows a finding to be right."""

    plays = s.ListOf(s.Object(_ShownByShape), "What was wrong, and the later play that showed it, where one did.")


class FindingShape(AnswerShape):
    """What a recorded deal shows in retrospect: who, where, shown by what; further facts are beside them."""

    article = s.Text("The article.")
    code = s.Text("How it is broken.")
    seat = s.Text("Who broke it.")
    text = said(lambda finding, own: own.finding(finding))
    url = _linked("")
    turn = s.Integer(absent=True, get=_among_others)
    trick = s.Integer(absent=True, get=_among_others)
    card = s.Text(absent=True, get=_among_others)
    shown_by = s.Object(_ShownByShape, absent=True, nullable=True, get=_among_others)
    remedy = _REMEDY
    witness = s.Object(
        _PlaysShape, "What shows it, where it was asked for.", absent=True, get=lambda finding, own: s.LEFT_OUT
    )
    established = s.Integer(
        "The trick or turn from which on it could no longer be taken back; null where the record ends before.",
        nullable=True,
    )
    others = s.Others(s.Keyed(s.Anything("A fact.", schema=FACT)), into="facts")


def score_answer(game: Game, ledger: Ledger, lang: str) -> Json:
    """A ledger: every deal with its lines, where the sides stand, the outcome."""
    return s.write(LedgerShape, ledger, words(game.id, lang))


def check_answer(game: Game, verdict: Verdict, lang: str) -> Json:
    """A verdict: every breach, every missing fact, what allows a legal move, what it changes."""
    return s.write(VerdictShape, verdict, words(game.id, lang))


def witness_answer(game: Game, verdict: Verdict, lang: str) -> Json:
    """What shows a verdict to be right: worlds, facts and counts."""
    own, found = words(game.id, lang), game.witness(verdict) if game.witness else Witness()
    if not found.seat:
        return {"worlds": "none"}
    chain = [s.write(_StepShape, step, own) for step in found.chain]
    proof = {"facts": list(found.facts), "chain": chain, "text": [step["text"] for step in chain]}
    if verdict.value == UNDECIDED:
        proof = {"legal": found.legal, "illegal": found.illegal, "changed": list(found.changed)}
        proof["text"] = own.worlds(found)
    elif verdict.value == LEGAL:
        proof["world"] = found.legal
    return {"seat": found.seat, **{key: part for key, part in proof.items() if part is not None}}


def problem_answers(game: Game | None, problems: Iterable[Problem], lang: str) -> list[Json]:
    """The `errors` of a problem document; without a game, in the words that all games share."""
    own = words(game.id, lang) if game else words("", lang)
    return [s.write(ErrorShape, problem, own) for problem in problems]


def localize(game: Game, value: object, lang: str) -> Any:
    """Add translated messages to an engine result (`moves`, `replay`, `demand`) wherever it cites an article.

    Under the keys `breaches`, `missing`, `because` and `findings`, records of the engine and plain objects get their
    sentences; anything else stays as it is.
    """
    return _localize(value, words(game.id, lang), {})


def _localize(value: object, own: Words, verdicts: dict[int, Json]) -> Any:
    """`verdicts` has those written already by their identity: most verdicts on a recorded deal are few objects."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, Judged):
        verdict = verdicts.get(id(value.verdict))
        if verdict is None:
            verdict = verdicts[id(value.verdict)] = s.write(VerdictShape, value.verdict, own)
        return {**s.write(_JudgedShape, value, own), **verdict}
    if kind in _SHAPES:
        return s.write(_SHAPES[kind], value, own)
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Mapping):
        return {
            key: item
            if type(item) in _PLAIN
            else [_localize_item(key, entry, own, verdicts) for entry in item]
            if key in _KEYS and isinstance(item, list | tuple)
            else _localize(item, own, verdicts)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [item if type(item) in _PLAIN else _localize(item, own, verdicts) for item in value]
    return value


_PLAIN: Final = frozenset({str, int, bool, float, type(None), PlainList})
"""Types of values that no sentence is added to: most of an answer, which a whole recorded deal has thousands of."""


def _localize_item(key: str, entry: object, own: Words, verdicts: dict[int, Json]) -> Any:
    if not isinstance(entry, Mapping) or "article" not in entry:
        return _localize(entry, own, verdicts)
    return {**entry, **_localize(_KEYS[key](entry), own, verdicts)}


_SHAPES: Final[Mapping[type, type[AnswerShape]]] = {
    Verdict: VerdictShape,
    Breach: BreachShape,
    Missing: MissingShape,
    Because: _CitedShape,
    Finding: FindingShape,
}
_KEYS: dict[str, Any] = {
    "breaches": lambda e: Breach(e["article"], e.get("code", ""), e.get("facts", {})),
    "missing": lambda e: Missing(e.get("fact", ""), e["article"], e.get("seat"), e.get("facts", {})),
    "because": lambda e: Because(e["article"], e.get("facts", {})),
    "findings": lambda e: Finding(
        e["article"], e.get("code", ""), e.get("seat", ""),
        {key: item for key, item in e.items() if key not in ("article", "code", "seat", "text", "url")},
    ),
}  # fmt: skip


_OPTION_TYPES: Final = {"flag": "boolean", "number": "integer", "choice": "string", "cards": "cards", "words": "words"}
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


class _NoticeShape(AnswerShape):
    """Something worth knowing about a set of house rules."""

    code = s.Text()
    article = s.Text()
    options = s.ListOf(s.Text())
    facts = s.Keyed(s.Anything(schema=FACT))
    text = said(lambda notice, own: own.notice(notice), "")
    url = _linked("")


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
    warnings = s.ListOf(s.Object(_NoticeShape), get="rules.notices")


class _DifferenceShape(AnswerShape):
    """One option in which two sets of house rules differ."""

    option = s.Text(get="option.name")
    label = said(lambda found, own: own.option_label(found.option.name), "")
    one = s.Anything("Its value in the first.", schema=VALUE)
    other = s.Anything("Its value in the second.", schema=VALUE)
    text = said(lambda found, own: difference_text(own, *found), "")
    article = s.Text(get="option.article")
    url = s.Text(get=lambda found, own: article_url(own.lang, found.option.article))


class _ComparedRulesShape(AnswerShape):
    """One of two sets of house rules."""

    preset = s.Text()
    code = s.Text()
    summary = said(lambda house, own: own.summary(house.game.options, house.rules), "")


class RulesDiffShape(AnswerShape):
    """What two tables play differently; nothing where they agree."""

    one = s.Object(_ComparedRulesShape, get=lambda houses, own: houses[0])
    other = s.Object(_ComparedRulesShape, get=lambda houses, own: houses[1])
    differences = s.ListOf(s.Object(_DifferenceShape), get=lambda houses, own: _differences(*houses))


class _ChoiceShape(AnswerShape):
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


class _OptionShape(AnswerShape):
    """An option as the game declares it."""

    name = s.Text()
    type = s.Word(list(_OPTION_TYPES.values()), get=lambda option, own: _OPTION_TYPES[option.kind])
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
    choices = s.ListOf(s.Object(_ChoiceShape), absent=True, get=_choices)
    among = s.ListOf(s.Text(), "The cards of which some are listed.", absent=True, get=_of_numbers("choices", "cards"))
    advisory = s.Flag(
        "True if it changes only advice, no score and no verdict.",
        absent=True,
        get=lambda option, own: option.advisory or None,
    )


class _PresetShape(AnswerShape):
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
    options = s.ListOf(s.Object(_OptionShape), get=lambda game, own: game.options.options.values())
    presets = s.ListOf(
        s.Object(_PresetShape), get=lambda game, own: [_Preset(game, name) for name in game.options.presets]
    )
    default_preset = s.Text(get="options.default_preset")
    articles = s.Integer("How many articles it has.", get=lambda game, own: len(game.articles))
    url = s.Text(get=lambda game, own: f"/{own.lang}/rules/{game.id}")


class GameEntryShape(AnswerShape):
    """A game of the catalogue."""

    id = s.Text()
    name = s.Text(get=lambda game, own: own.name)
    presets = s.ListOf(s.Text(), get="options.presets")
    default_preset = s.Text(get="options.default_preset")
    url = s.Text("The rule page.", get=lambda game, own: f"/{own.lang}/rules/{game.id}")


class ArticleShape(AnswerShape):
    """An article of the rulebook."""

    id = s.Text(get="article.id")
    anchor = s.Text("Its place on the page of the game.", get="article.anchor")
    section = s.Text("The section that it is in.")
    title = said(lambda placed, own: own.title(placed.article.id), "")
    source = s.Text("What it rests on.", get="article.source")
    reference = s.Text(
        "Where the source says so.", nullable=True, get=lambda placed, own: placed.article.reference or None
    )
    numbers = s.ListOf(s.Text(), "Its numbers in the source.", get="article.numbers")
    url = s.Text(get=lambda placed, own: article_url(own.lang, placed.article.id))


def rules_answer(game: Game, house: HouseRules[object], lang: str) -> Json:
    """House rules written out: every option, the short code, one line in each language, warnings."""
    return s.write(RulesShape, _House(game, house), words(game.id, lang))


def notice_answer(notice: Notice, own: Words) -> Json:
    """One warning about house rules."""
    return s.write(_NoticeShape, notice, own)


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


KINDS: Final = ("article", "preset", "option", "term", "guide", "lesson", "help")
"""What can be found: articles, presets, options, terms, passages on verdicts, pages for learners, help on the site."""


class _HitShape(AnswerShape):
    """An article, a preset, an option with the article that explains it, a term, a passage on verdicts."""

    kind = s.Word(KINDS, get="hit.document.kind")
    game = s.Text(get="hit.document.game")
    id = s.Text(get="hit.document.id")
    title = s.Text(most=MOST_TEXT, get="hit.document.title")
    excerpt = s.Text(most=MOST_TEXT, get="text")
    marks = s.ListOf(s.ListOf(s.Integer()), get=lambda answer, given: map(list, answer.marks))
    score = s.Integer(get=lambda answer, given: round(1000 * answer.hit.score))
    played = s.Flag(nullable=True)
    instead = s.Text(nullable=True, get=lambda answer, given: answer.instead or None)
    url = s.Text()


class _ReplyShape(AnswerShape):
    """Yes, no, or that a rule is not in force; and the article that says what is."""

    yes = s.Flag(nullable=True)
    text = s.Text(most=MOST_TEXT)
    article = s.Text(nullable=True, get=lambda reply, given: reply.article or None)


class _RepairShape(AnswerShape):
    """A word of a query with a typing error, and the word that it was read as."""

    typed = s.Text(get=lambda repair, given: repair[0])
    read = s.Text(get=lambda repair, given: repair[1])


class AnswersShape(AnswerShape):
    """What was found, the best first; written with the answers to the hits."""

    answer = s.Object(_ReplyShape, nullable=True, get="reply")
    results = s.ListOf(s.Object(_HitShape), get=lambda found, given: given)
    unknown_words = s.ListOf(s.Text(), key="unknown", get="unknown")
    near = s.ListOf(s.Text())
    repairs = s.ListOf(s.Object(_RepairShape), get="reading.repairs")
    widened = s.Flag()
