"""The same deals under other house rules: totals deal by deal beside those that count, and who would have won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import render_template, request

from companion.engine.game import Game
from companion.engine.ledger import AFTER_END, SCORED, DealScore, Ledger
from companion.engine.options import HouseRules
from companion.engine.problems import Problem, Refused
from companion.engine.reading import Node
from companion.rulebook.answers import diff_answer
from companion.rulebook.book import say, words
from companion.rulebook.wording import number_text
from companion.sheets.model import refuse_all
from companion.sheets.scoring import View
from companion.sheets.shapes import sides_json
from companion.sheets.state import SheetGame
from companion.web.keeper.access import kept_sheet
from companion.web.keeper.board import Board, board
from companion.web.keeper.house_rules import Choices, RuleSet, asked_rules, choices, rule_set
from companion.web.keeper.naming import names_of
from companion.web.keeper.refusals import ShownProblem, shown_problems


@dataclass(frozen=True, slots=True)
class DealTotals:
    """The totals of every side after one deal: as played, and under the other rules; a dash where it did not count."""

    number: int
    sides: tuple[tuple[str, str], ...]
    after_end: bool = False
    """Whether the game would have been over before this deal."""


@dataclass(frozen=True, slots=True)
class Under:
    """A game under other rules: the set, the totals, how each would have ended, what the rules say differently."""

    set: RuleSet
    deals: tuple[DealTotals, ...] = ()
    told: tuple[str, ...] = ()
    differences: Sequence[dict[str, Any]] = ()
    problems: Sequence[ShownProblem] = ()


def what_if(lang: str, sheet: str) -> str | tuple[str, int]:
    """The page; nothing is written on the sheet. `?rules=` is a preset, a code or a set kept on this device."""
    view = kept_sheet(sheet)
    shown = board(view, lang)
    game = view.games[shown.game.game]
    given = request.args if "preset" not in request.args else {"rules": request.args["preset"]}
    asked = asked_rules(given, "rules", lang, game)
    html = render_template(
        "keeper/what-if.html", view=view, board=shown, game=game, wrong=asked.wrong,
        under=_under(view, shown, game, asked.house, lang) if asked.house else None,
        listed=fitting(game, shown.game, lang),
    )  # fmt: skip
    return (html, 422) if asked.wrong else html


def fitting(game: Game, played: SheetGame, lang: str) -> list[Choices]:
    """The sets that can be chosen without typing and by which the sides of a game could play."""
    groups = [
        replace(group, sets=tuple(each for each in group.sets if _fits(game, played, each[0])))
        for group in choices(game, lang)
    ]
    return [group for group in groups if group.sets]


def _fits(game: Game, played: SheetGame, code: str) -> bool:
    return not _misfits(game, played, game.options.decode(code).options)


def _misfits(game: Game, played: SheetGame, rules: Any) -> Sequence[Problem]:
    """Why the sides of a game could not play by these rules: too many, too few, with partners or without."""
    node = Node(sides_json(played.sides), ("sides",))
    game.read_sides(node, rules)
    return node.problems


def _under(view: View, shown: Board, game: Game, house: HouseRules[Any], lang: str) -> Under:
    own, rules = words(game.id, lang), rule_set(game, house, lang)
    request_of = {"preset": house.preset, "options": game.options.plain(house.options)}
    try:
        refuse_all(_misfits(game, shown.game, house.options))
        ledger = view.under(shown.game, request_of)
    except Refused as refused:
        return Under(rules, problems=shown_problems(refused.problems, view, shown.game, own))
    played = view.ledgers[shown.game.number - 1]
    names = names_of(view.sheet, shown.game)
    name = rules.name or rules.summary
    told = [
        _ending(game, played, names, lang, "house-rules.was", ""),
        _ending(game, ledger, names, lang, "house-rules.would", name),
    ]
    if played.outcome.over and ledger.outcome.over:
        same = set(played.outcome.winners) == set(ledger.outcome.winners)
        told.append(say(lang, "house-rules.same-winner" if same else "house-rules.other-winner"))
    differences = diff_answer(game, view.house(shown.game), house, lang)["differences"]
    return Under(rules, _deals(shown, played, ledger), tuple(told), differences)


def _deals(shown: Board, played: Ledger, under: Ledger) -> tuple[DealTotals, ...]:
    rows = []
    for number, (one, other) in enumerate(zip(played.deals, under.deals, strict=True), start=1):
        sides = tuple((_total(one, side.id), _total(other, side.id)) for side in shown.sides)
        rows.append(DealTotals(number, sides, other.status == AFTER_END))
    return tuple(rows)


def _total(deal: DealScore, side: str) -> str:
    return "–" if deal.status == AFTER_END else number_text(deal.sides[side].standing.total)


def _ending(game: Game, ledger: Ledger, names: dict[str, str], lang: str, key: str, rules: str) -> str:
    """How a game ended or stands, as a sentence."""
    totals = ledger.standing
    scored = [number for number, deal in enumerate(ledger.deals, start=1) if deal.status == SCORED]
    facts: dict[str, Any] = {
        "rules": rules,
        "deal": scored[-1] if scored else 0,
        "totals": [f"{names[side]} {number_text(at.total)}" for side, at in totals.items()],
    }
    if ledger.outcome.over:
        return say(lang, f"{key}-won", winners=[names[side] for side in ledger.outcome.winners], **facts)
    leaders = [names[side] for side in game.leaders(totals)]
    state = "leads" if len(leaders) < len(totals) else "level"
    return say(lang, f"{key}-{state}", winners=leaders, **facts)
