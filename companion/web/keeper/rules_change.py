"""The house rules of a sheet: to read and to compare, and to change from a deal on after seeing what that means."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from flask import abort, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.engine.game import Game
from companion.engine.options import HouseRules
from companion.engine.problems import Problem, Refused
from companion.rulebook.answers import diff_answer
from companion.rulebook.book import words
from companion.sheets.preview import Ripple
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.web.keeper.access import kept_sheet
from companion.web.keeper.board import board
from companion.web.keeper.codes import Wrong
from companion.web.keeper.forms import number_in
from companion.web.keeper.house_rules import asked_rules, form_rules, rule_set
from companion.web.keeper.naming import names_of
from companion.web.keeper.options import given_rules, option_groups
from companion.web.keeper.refusals import shown_problems
from companion.web.keeper.ripples import ripple_rows
from companion.web.keeper.what_if import fitting
from companion.web.sheet_service import sheet_service


@dataclass(frozen=True, slots=True)
class Period:
    """From which deal on which rules hold, what they changed, and the note with which they came."""

    first_deal: int
    summary: str
    differences: Sequence[Mapping[str, Any]]
    note: str


def rules_page(lang: str, sheet: str) -> str | tuple[str, int]:
    """The house rules of the sheet, with a form to change them; `?rules=` fills it in with another set."""
    view = kept_sheet(sheet)
    asked = asked_rules(request.args, "rules", lang, view.games[_game(view).game])
    html = _render(view, lang, asked.house, request.args, wrong=asked.wrong)
    return (html, 422) if asked.wrong else html


def propose(lang: str, sheet: str) -> Response | tuple[str, int]:
    """Options from the form, on the way to the page that shows what they would change."""
    view = kept_sheet(sheet)
    house, problems = form_rules(view.games[_game(view).game], request.form)
    if house is None:
        return render_rules(view, lang, request.form, problems), 422
    code = view.games[_game(view).game].options.code(house)
    query = {"rules": code, "deal": request.form.get("deal", ""), "note": request.form.get("note", "")}
    return redirect(f"/{lang}/sheets/{view.id}/rules/change?{_query(query)}", 303)


def change_page(lang: str, sheet: str) -> str | Response | tuple[str, int]:
    """What other rules would change from a deal on, in plain words, before anything is saved."""
    view = kept_sheet(sheet)
    game = _game(view)
    known, own = view.games[game.game], words(game.game, lang)
    asked = asked_rules(request.args, "rules", lang, known)
    if asked.house is None:
        return _render(view, lang, None, request.args, wrong=asked.wrong), 422
    number, note = _deal(game, request.args), request.args.get("note", "").strip()[:200]
    now, code = view.house(game, number), known.options.code(asked.house)
    rules = {"preset": asked.house.preset, "options": known.options.plain(asked.house.options)}
    ripple, problems = _ripple(view, {"type": "change_rules", "deal": number, "note": note, "rules": rules})
    shown, names = board(view, lang), names_of(view.sheet, game)
    return render_template(
        "keeper/rules-change.html", view=view, board=shown, set=rule_set(known, asked.house, lang),
        number=number, note=note, differences=diff_answer(known, now, asked.house, lang)["differences"],
        same=number == game.open.number and known.options.code(now) == code,
        rows=ripple_rows(ripple, shown, lang) if ripple else [],
        outcome_changes=ripple is not None and ripple.outcome_changes,
        over_after=ripple is not None and ripple.after.outcome.over,
        winners=[names[side] for side in ripple.after.outcome.winners] if ripple else [],
        later=[period.first_deal for period in game.periods if period.first_deal > number],
        problems=shown_problems(problems, view, game, own), key=secrets.token_urlsafe(12),
        back=_query({"rules": code, "deal": number, "note": note}),
    )  # fmt: skip


def render_rules(view: View, lang: str, form: Any, problems: Sequence[Problem] = ()) -> str:
    """The page of the house rules with a form as it was sent, and what is wrong with it."""
    return _render(view, lang, None, form, problems=problems, sent=True)


def periods(view: View, game: SheetGame, lang: str) -> list[Period]:
    """The rules of a game as they changed from deal to deal, the first ones first."""
    known, own = view.games[game.game], words(game.game, lang)
    told: list[Period] = []
    before: HouseRules[Any] | None = None
    for period in game.periods:
        house = view.house(game, period.first_deal)
        differences = diff_answer(known, before, house, lang)["differences"] if before else []
        told.append(Period(period.first_deal, own.summary(known.options, house), differences, period.note))
        before = house
    return told


def _render(
    view: View,
    lang: str,
    house: HouseRules[Any] | None,
    given: Any,
    *,
    problems: Sequence[Problem] = (),
    wrong: tuple[Wrong, ...] = (),
    sent: bool = False,
) -> str:
    game, shown = _game(view), board(view, lang)
    known, own, now = view.games[game.game], words(game.game, lang), view.house(game)
    preset, values = _filled(known, house or now, given if sent else {})
    return render_template(
        "keeper/rules.html", view=view, board=shown, own=own, game=known, preset=preset, changing=bool(house or sent),
        set=rule_set(known, now, lang), groups=option_groups(known, values, lang, preset=preset),
        listed=fitting(known, game, lang),
        problems=shown_problems(problems, view, game, own), wrong=wrong, note=given.get("note", ""),
        number=_deal(game, given), periods=periods(view, game, lang), path=f"sheets/{view.id}/rules",
    )  # fmt: skip


def _filled(known: Game, house: HouseRules[Any], form: Any) -> tuple[str, dict[str, Any]]:
    """The preset and the values of the form: as it was sent, where it was, else those of a set."""
    if "options" not in form and "rules" not in form:
        return house.preset, known.options.plain(house.options)
    given = given_rules(known, form)
    preset = given["preset"] if given["preset"] in known.options.presets else house.preset
    return preset, known.options.plain(known.options.preset(preset).options) | given.get("options", {})


def _ripple(view: View, command: Mapping[str, Any]) -> tuple[Ripple | None, Sequence[Problem]]:
    try:
        return sheet_service().preview(view.id, command), ()
    except Refused as refused:
        return None, refused.problems


def _game(view: View) -> SheetGame:
    return view.game or abort(404)


def _deal(game: SheetGame, given: Any) -> int:
    """The deal from which the change counts; the open one unless another is named."""
    number = number_in(given.get("deal", ""))
    return number if number is not None and 1 <= number <= game.open.number else game.open.number


def _query(facts: Mapping[str, Any]) -> str:
    return urlencode({key: item for key, item in facts.items() if item}, safe="~")
