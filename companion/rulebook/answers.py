"""What the engine finds, as answers in JSON with the words of a language: each a shape that documents and writes it.

The shapes are written with the `Words` of a game in a language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from companion.engine import shapes as s
from companion.engine.cards import Card
from companion.engine.game import FACT, AnswerShape, Game
from companion.engine.ledger import Ledger
from companion.engine.problems import Problem
from companion.engine.shapes import SCALAR, SHAPE_CODES
from companion.engine.verdict import LEGAL, Because, Breach, Finding, Judged, Missing, PlainList, Verdict
from companion.rulebook.book import article_url, words
from companion.rulebook.phrases import Words

Json = dict[str, Any]

MOST_TEXT: Final = s.MAX_ITEMS
FACTS: Final = s.Keyed(s.Anything(schema=FACT), "The facts by name.")


def said(say: s.Get, describe: str = "For people, in the language of the request.", *, absent: bool = False) -> s.Text:
    """Return the field of a sentence, or another long text."""
    return s.Text(describe, most=MOST_TEXT, absent=absent, get=say)


def linked(describe: str = "Where the article is explained.") -> s.Text:
    """Return the field of the address of an article that is cited."""
    return s.Text(describe, get=lambda cited, own: article_url(own.lang, cited.article))


class LineShape(AnswerShape):
    """Points and the article that gave them."""

    article = s.Text("The article.")
    points = s.Integer("The points.", unit="points")
    text = said(lambda line, own: own.line(line))
    facts = s.Keyed(s.Anything(schema=FACT), "What was counted.")


class SideScoreShape(AnswerShape):
    """What a deal gave a side. Tallies such as `bags` are beside the total."""

    lines = s.ListOf(s.Object(LineShape), "The points one by one.")
    points = s.Integer("The sum of the lines.", unit="points")
    total = s.Integer("The total after the deal.", unit="points", get=lambda score, own: score.standing.total)
    others = s.Others(s.Keyed(s.Integer("A tally after the deal.")), into="standing.tallies")


_ALLOWED: Final = frozenset({"choices", "possible"})
"""What the facts of a problem call the values that are possible."""


def _facts_of(problem: Problem, own: Words) -> Json | None:
    return {name: _plain(fact) for name, fact in problem.facts.items() if name not in _ALLOWED} or None


def _allowed_by(problem: Problem, own: Words) -> object:
    return next((_plain(problem.facts[name]) for name in _ALLOWED & problem.facts.keys()), None)


def _plain(fact: object) -> object:
    """A fact of a problem as JSON: cards as text."""
    if isinstance(fact, Mapping):
        return {str(name): _plain(item) for name, item in fact.items()}
    if isinstance(fact, list | tuple | set | frozenset):
        return [_plain(item) for item in fact]
    return fact if fact is None or isinstance(fact, str | int | bool) else str(fact)


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
        get=_facts_of,
    )
    allowed = s.ListOf(
        s.Anything(schema=SCALAR),
        "The values that are possible here.",
        absent=True,
        get=_allowed_by,
    )


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


class DealScoreShape(AnswerShape):
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
    reason = s.Text("The article that ended it; null while it goes on.", nullable=True)
    text = said(lambda outcome, own: None if outcome.reason is None else own.outcome(outcome), absent=True)
    url = s.Text(
        absent=True, get=lambda outcome, own: None if outcome.reason is None else article_url(own.lang, outcome.reason)
    )


STANDING: Final = s.Keyed(s.Object(StandingShape), "By side.")
OUTCOME: Final = s.Object(OutcomeShape)


class LedgerShape(AnswerShape):
    """Every deal with its lines, where the sides stand, the outcome."""

    deals = s.ListOf(s.Object(DealScoreShape))
    standing = STANDING
    outcome = OUTCOME


class CitedShape(AnswerShape):
    """An article and what it says about the case."""

    article = s.Text("The article.")
    text = said(lambda because, own: own.because(because))
    facts = FACTS
    url = linked()


class BreachShape(CitedShape):
    """A broken article."""

    code = s.Text("How it is broken.")
    text = said(lambda breach, own: own.breach(breach))


class MissingShape(CitedShape):
    """A fact that must be known first."""

    fact = s.Text("What must be known.")
    seat = s.Text("Whose it is.", absent=True)
    text = said(lambda missing, own: own.missing(missing))


class VerdictShape(AnswerShape):
    """The judge's answer: every breach, every missing fact, what allows the move, what it changes."""

    verdict = s.Word(("legal", "illegal", "undecided"), "The verdict.", get=lambda verdict, own: verdict.value)
    breaches = s.ListOf(s.Object(BreachShape), "Every broken article.")
    missing = s.ListOf(s.Object(MissingShape), "Every fact that must be known first.")
    because = s.ListOf(
        s.Object(CitedShape),
        "What allows a legal move.",
        get=lambda verdict, own: verdict.because if verdict.value == LEGAL else (),
    )
    effect = s.Keyed(s.Anything(schema=FACT), "What a legal move changes.")


SETTLED: Final = s.Word(("legal", "illegal"), "The verdict in retrospect; null while open.", nullable=True)


class JudgedShape(AnswerShape):
    """What the verdict on a move of a recorded deal has besides."""

    move = s.Keyed(s.Anything())
    settled = SETTLED


def _among_others(finding: Finding, own: Words) -> object:
    """Leave out a fact that is documented by itself and written with the others."""
    return s.LEFT_OUT


class ShownByShape(AnswerShape):
    """The later card that showed a breach."""

    trick = s.Integer(absent=True)
    turn = s.Integer(absent=True)
    card = s.Text()
    seat = s.Text()


class FindingShape(AnswerShape):
    """What a recorded deal shows in retrospect: who, where, shown by what; further facts are beside them."""

    article = s.Text("The article.")
    code = s.Text("How it is broken.")
    seat = s.Text("Who broke it.")
    text = said(lambda finding, own: own.finding(finding))
    url = linked("")
    turn = s.Integer(absent=True, get=_among_others)
    trick = s.Integer(absent=True, get=_among_others)
    card = s.Text(absent=True, get=_among_others)
    shown_by = s.Object(ShownByShape, absent=True, nullable=True, get=_among_others)
    others = s.Others(s.Keyed(s.Anything("A fact.", schema=FACT)), into="facts")


def score_answer(game: Game, ledger: Ledger, lang: str) -> Json:
    """A ledger: every deal with its lines, where the sides stand, the outcome."""
    return s.write(LedgerShape, ledger, words(game.id, lang))


def check_answer(game: Game, verdict: Verdict, lang: str) -> Json:
    """A verdict: every breach, every missing fact, what allows a legal move, what it changes."""
    return s.write(VerdictShape, verdict, words(game.id, lang))


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
        return {**s.write(JudgedShape, value, own), **verdict}
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
    Because: CitedShape,
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
