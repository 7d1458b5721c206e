"""Answers of the engine as the JSON of the API, with their words in a language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from companion.engine.cards import Card
from companion.engine.game import Game
from companion.engine.ledger import DealScore, Ledger, Line, Standing
from companion.engine.options import HouseRules, Notice, Option
from companion.engine.problem_facts import SHAPE_CODES
from companion.engine.problems import Problem
from companion.engine.verdict import LEGAL, Because, Breach, Finding, Judged, Missing, PlainList, Verdict
from companion.rulebook.book import article_url, words
from companion.rulebook.phrases import LANGUAGES, Words

Json = dict[str, Any]

OPTION_TYPES = {"flag": "boolean", "number": "integer", "choice": "string", "cards": "cards", "words": "words"}
"""The kinds of options as the API names them; `cards` lists cards in order, `words` is a selection of its choices."""


def score_answer(game: Game, ledger: Ledger, lang: str) -> Json:
    """A ledger: every deal with its lines, where the sides stand, the outcome."""
    own = words(game.id, lang)
    return {"deals": [_deal(deal, own) for deal in ledger.deals], **totals_answer(ledger, own)}


def totals_answer(ledger: Ledger, own: Words) -> Json:
    """Where the sides stand, and the outcome."""
    outcome = ledger.outcome
    result: Json = {"over": outcome.over, "winners": list(outcome.winners), "reason": outcome.reason}
    if outcome.reason is not None:
        result["text"] = own.outcome(outcome)
        result["url"] = article_url(own.lang, outcome.reason)
    standing = {side: standing_answer(standing) for side, standing in ledger.standing.items()}
    return {"standing": standing, "outcome": result}


def standing_answer(standing: Standing) -> Json:
    """A total with its tallies beside it: `{"total": 290, "bags": 0}`."""
    return {"total": standing.total, **standing.tallies}


def line_answer(line: Line, own: Words) -> Json:
    """A line with its sentence."""
    return {"article": line.article, "points": line.points, "text": own.line(line), "facts": dict(line.facts)}


def _deal(deal: DealScore, own: Words) -> Json:
    sides = {}
    for side, score in deal.sides.items():
        lines = [line_answer(line, own) for line in score.lines]
        sides[side] = {"lines": lines, "points": score.points, "total": score.standing.total, **score.standing.tallies}
    warnings = [
        {**problem_answer(warned.problem, own), "reason": warned.reason} for warned in deal.warnings
    ]  # fmt: skip
    return {"sides": sides, "warnings": warnings, "status": deal.status}


def check_answer(game: Game, verdict: Verdict, lang: str) -> Json:
    """A verdict: every breach, every missing fact, what allows a legal move, what it changes."""
    own, value = words(game.id, lang), verdict.value
    because = verdict.because if value == LEGAL else ()
    return {
        "verdict": value,
        "breaches": [breach_answer(breach, own) for breach in verdict.breaches],
        "missing": [missing_answer(missing, own) for missing in verdict.missing],
        "because": [because_answer(item, own) for item in because],
        "effect": dict(verdict.effect),
    }


def breach_answer(breach: Breach, own: Words) -> Json:
    """A broken article, how it is broken, and where it stands."""
    return {
        "article": breach.article,
        "code": breach.code,
        "text": own.breach(breach),
        "facts": dict(breach.facts),
        "url": article_url(own.lang, breach.article),
    }


def missing_answer(missing: Missing, own: Words) -> Json:
    """A fact that must be known first; `seat` only where it is one seat's."""
    whose = {} if missing.seat is None else {"seat": missing.seat}
    return {
        "fact": missing.fact,
        **whose,
        "article": missing.article,
        "text": own.missing(missing),
        "facts": dict(missing.facts),
        "url": article_url(own.lang, missing.article),
    }


def because_answer(because: Because, own: Words) -> Json:
    """An article that allows the move."""
    return {
        "article": because.article,
        "text": own.because(because),
        "facts": dict(because.facts),
        "url": article_url(own.lang, because.article),
    }


def finding_answer(finding: Finding, own: Words) -> Json:
    """What a recorded deal shows in retrospect, its facts beside the seat."""
    return {
        "article": finding.article,
        "code": finding.code,
        "seat": finding.seat,
        **finding.facts,
        "text": own.finding(finding),
        "url": article_url(own.lang, finding.article),
    }


def problem_answers(game: Game | None, problems: Iterable[Problem], lang: str) -> list[Json]:
    """The `errors` of a problem document; without a game, in the words that all games share."""
    own = words(game.id, lang) if game else words("", lang)
    return [problem_answer(problem, own) for problem in problems]


def problem_answer(problem: Problem, own: Words) -> Json:
    """One fault of an input. `acceptable` where a keeper may record the facts anyway."""
    answer: Json = {"pointer": problem.path(), "code": problem.code, "detail": own.problem(problem)}
    if problem.article:
        answer["article"] = problem.article
        answer["url"] = article_url(own.lang, problem.article)
    if problem.acceptable:
        answer["acceptable"] = True
    if problem.contextual and problem.code in SHAPE_CODES:
        answer["contextual"] = True
    facts = {name: _plain(fact) for name, fact in problem.facts.items() if name not in _ALLOWED}
    if facts:
        answer["facts"] = facts
    for name in _ALLOWED & problem.facts.keys():
        answer["allowed"] = _plain(problem.facts[name])
    return answer


_ALLOWED = {"choices", "possible"}
"""What the facts of a problem call the values that are possible."""


def _plain(fact: object) -> object:
    """A fact of a problem as JSON: cards as text."""
    if isinstance(fact, Mapping):
        return {str(name): _plain(item) for name, item in fact.items()}
    if isinstance(fact, list | tuple | set | frozenset):
        return [_plain(item) for item in fact]
    return fact if fact is None or isinstance(fact, str | int | bool) else str(fact)


def rules_answer(game: Game, house: HouseRules[object], lang: str) -> Json:
    """House rules written out: every option, the short code, one line in each language, warnings."""
    own = words(game.id, lang)
    return {
        "preset": house.preset,
        "options": game.options.plain(house.options),
        "code": game.options.code(house),
        "summary": {each: words(game.id, each).summary(game.options, house) for each in LANGUAGES},
        "warnings": [notice_answer(notice, own) for notice in house.notices],
    }


def notice_answer(notice: Notice, own: Words) -> Json:
    """One warning about house rules."""
    return {
        "code": notice.code,
        "article": notice.article,
        "options": list(notice.options),
        "facts": dict(notice.facts),
        "text": own.notice(notice),
        "url": article_url(own.lang, notice.article),
    }


def diff_answer(game: Game, one: HouseRules[object], other: HouseRules[object], lang: str) -> Json:
    """The options in which two rule sets differ, in plain words; an empty list where they are the same."""
    own = words(game.id, lang)
    return {
        "one": {"preset": one.preset, "code": game.options.code(one), "summary": own.summary(game.options, one)},
        "other": {
            "preset": other.preset,
            "code": game.options.code(other),
            "summary": own.summary(game.options, other),
        },
        "differences": [
            {
                "option": option.name,
                "label": own.option_label(option.name),
                "one": a,
                "other": b,
                "text": difference_text(own, option, a, b),
                "article": option.article,
                "url": article_url(lang, option.article),
            }
            for option, a, b in game.options.differences(one.options, other.options)
        ],
    }


def difference_text(own: Words, option: Option, one: object, other: object) -> str:
    """One difference in words: `Bags per penalty: 10 bags → 5 bags`."""
    mark = own.say("keeper.colon")
    return f"{own.option_label(option.name)}{mark}{own.option_value(option, one)} → {own.option_value(option, other)}"


def catalogue_answer(game: Game, lang: str) -> Json:
    """A game of the catalogue: its options as declared and its presets, with labels."""
    own = words(game.id, lang)
    return {
        "id": game.id,
        "name": own.name,
        "options": [option_answer(option, own) for option in game.options.options.values()],
        "presets": [preset_answer(game, preset, own) for preset in game.options.presets],
        "default_preset": game.options.default_preset,
        "articles": len(game.articles),
        "url": f"/{lang}/rules/{game.id}",
    }


def option_answer(option: Option, own: Words) -> Json:
    """An option as declared: type, range, unit, default, label, article."""
    answer: Json = {
        "name": option.name,
        "type": OPTION_TYPES[option.kind],
        "default": option.plain(option.default),
        "label": own.option_label(option.name),
        "help": own.option_help(option.name),
        "article": option.article,
        "articles": list(option.articles),
        "key": option.key,
    }
    if option.kind == "number":
        answer |= {"minimum": option.low, "maximum": option.high, "unit": option.unit, "nullable": option.nullable}
    elif option.kind == "cards":
        answer |= {"minimum": option.low, "maximum": option.high, "among": list(option.choices)}
    if option.kind == "number" and option.choices:
        answer["choices"] = [
            {"value": int(value), "label": own.option_value(option, int(value))} for value in option.choices
        ]
    elif option.kind in ("choice", "words"):
        answer["choices"] = [{"value": value, "label": label} for value, label in own.choices(option).items()]
    if option.advisory:
        answer["advisory"] = True
    return answer


def preset_answer(game: Game, preset: str, own: Words) -> Json:
    """A preset: its name, what it is for, the options that it sets."""
    house = game.options.preset(preset)
    plain, base = game.options.plain(house.options), game.options.preset().options
    return {
        "name": preset,
        "label": own.preset_label(preset),
        "help": own.preset_help(preset),
        "options": {name: plain[name] for name in game.options.presets[preset]},
        "summary": own.summary_of(game.options.differences(base, house.options)),
    }


def articles_answer(game: Game, lang: str) -> list[Json]:
    """The articles of a game in the order of its page."""
    own = words(game.id, lang)
    return [
        {
            "id": article.id,
            "anchor": article.anchor,
            "section": section,
            "title": own.title(article.id),
            "source": article.source,
            "reference": article.reference or None,
            "numbers": list(article.numbers),
            "url": article_url(lang, article.id),
        }
        for section, group in game.articles.sections.items()
        for article in group
    ]


def localize(game: Game, value: Any, lang: str) -> Any:
    """Add translated messages to an engine result (`moves`, `replay`, `demand`) wherever it cites an article.

    Under the keys `breaches`, `missing`, `because` and `findings`, records of the engine and plain objects get their
    sentences; anything else stays as it is.
    """
    return _localize(value, words(game.id, lang), game)


def _localize(value: Any, own: Words, game: Game) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Verdict):
        return check_answer(game, value, own.lang)
    if isinstance(value, Judged):
        return {"move": dict(value.move), **check_answer(game, value.verdict, own.lang), "settled": value.settled}
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Breach | Missing | Because | Finding):
        return _RECORDS[type(value)](value, own)
    if isinstance(value, Mapping):
        return {
            key: item
            if type(item) in _PLAIN
            else [_localize_item(key, entry, own, game) for entry in item]
            if key in _KEYS and isinstance(item, list | tuple)
            else _localize(item, own, game)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [item if type(item) in _PLAIN else _localize(item, own, game) for item in value]
    return value


_PLAIN: Final = frozenset({str, int, bool, float, type(None), PlainList})
"""Types of values that no sentence is added to: most of an answer, which a whole recorded deal has thousands of."""


def _localize_item(key: str, entry: Any, own: Words, game: Game) -> Any:
    if not isinstance(entry, Mapping) or "article" not in entry:
        return _localize(entry, own, game)
    record = _KEYS[key](entry)
    return {**entry, **_RECORDS[type(record)](record, own)}


_RECORDS: dict[type, Any] = {
    Breach: breach_answer,
    Missing: missing_answer,
    Because: because_answer,
    Finding: finding_answer,
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
