"""The house rules of a sheet: shown, compared with others on the same deals, and changed from a deal on; settings."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.engine.cards import number_text
from companion.engine.game import Game
from companion.engine.ledger import AFTER_END, SCORED, DealScore, Ledger
from companion.engine.options import HouseRules
from companion.engine.problems import Node, Problem, Refused
from companion.rulebook.book import say, words
from companion.rulebook.catalogue_answers import diff_answer
from companion.sheets.model import refuse_all
from companion.sheets.preview import Ripple
from companion.sheets.scoring import View
from companion.sheets.shapes import sides_json
from companion.sheets.state import SheetGame
from companion.web.keeper.access import kept_sheet
from companion.web.keeper.board import Board, board
from companion.web.keeper.deals import ripple_rows
from companion.web.keeper.forms import number_in
from companion.web.keeper.house_rules import (
    Choices,
    Form,
    RuleSet,
    Wrong,
    asked_rules,
    choices,
    form_rules,
    given_rules,
    option_groups,
    rule_set,
)
from companion.web.keeper.problems import ShownProblem, shown_problems
from companion.web.naming import effect_sentences
from companion.web.sheet_service import sheet_service

# The same deals under other rules -------------------------------------------------------------------------------------


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
    changes: tuple[str, ...] = ()
    differences: Sequence[dict[str, object]] = ()
    problems: Sequence[ShownProblem] = ()


def what_if(lang: str, sheet: str) -> str | tuple[str, int]:
    """The page; nothing is written on the sheet. `?rules=` is a preset, a code or a set kept on this device."""
    view = kept_sheet(sheet)
    shown = board(view, lang)
    game = view.games[shown.game.game]
    given = request.args if "preset" not in request.args else Form({"rules": request.args["preset"]})
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


def _misfits(game: Game, played: SheetGame, rules: object) -> Sequence[Problem]:
    """Why the sides of a game could not play by these rules: too many, too few, with partners or without."""
    node = Node(sides_json(played.sides), ("sides",))
    game.read_sides(node, rules)
    return node.problems


def _under(view: View, shown: Board, game: Game, house: HouseRules[object], lang: str) -> Under:
    own, rules = words(game.id, lang), rule_set(game, house, lang)
    request_of = {"preset": house.preset, "options": game.options.plain(house.options)}
    try:
        refuse_all(_misfits(game, shown.game, house.options))
        ledger = view.under(shown.game, request_of)
    except Refused as refused:
        return Under(rules, problems=shown_problems(refused.problems, view, shown.game, own))
    played = view.ledgers[shown.game.number - 1]
    names = view.sheet.names_in(shown.game)
    name = rules.name or rules.summary
    changes = [
        _ending(game, played, names, lang, "house-rules.was", ""),
        _ending(game, ledger, names, lang, "house-rules.would", name),
    ]
    if played.outcome.over and ledger.outcome.over:
        same = set(played.outcome.winners) == set(ledger.outcome.winners)
        changes.append(say(lang, "house-rules.same-winner" if same else "house-rules.other-winner"))
    differences = diff_answer(game, view.house(shown.game), house, lang)["differences"]
    return Under(rules, _deals(shown, played, ledger), tuple(changes), differences)


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
    facts: dict[str, object] = {
        "rules": rules,
        "deal": scored[-1] if scored else 0,
        "totals": [f"{names[side]} {number_text(at.total)}" for side, at in totals.items()],
    }
    if ledger.outcome.over:
        return say(lang, f"{key}-won", winners=[names[side] for side in ledger.outcome.winners], **facts)
    leaders = [names[side] for side in game.leaders(totals)]
    state = "leads" if len(leaders) < len(totals) else "level"
    return say(lang, f"{key}-{state}", winners=leaders, **facts)


# Change from a deal on ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Period:
    """From which deal on which rules hold, what they changed, and the note with which they came."""

    first_deal: int
    summary: str
    differences: Sequence[Mapping[str, object]]
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
    shown, names = board(view, lang), view.sheet.names_in(game)
    return render_template(
        "keeper/rules-change.html", view=view, board=shown, set=rule_set(known, asked.house, lang),
        number=number, note=note, differences=diff_answer(known, now, asked.house, lang)["differences"],
        same=number == game.open.number and known.options.code(now) == code,
        rows=ripple_rows(ripple, shown, lang) if ripple else [],
        effects=effect_sentences([one for one in ripple.effects if one.line], own, names) if ripple else [],
        outcome_changes=ripple is not None and ripple.outcome_changes,
        over_after=ripple is not None and ripple.after.outcome.over,
        winners=[names[side] for side in ripple.after.outcome.winners] if ripple else [],
        later=[period.first_deal for period in game.periods if period.first_deal > number],
        problems=shown_problems(problems, view, game, own), key=secrets.token_urlsafe(12),
        back=_query({"rules": code, "deal": number, "note": note}),
    )  # fmt: skip


def render_rules(view: View, lang: str, form: Form, problems: Sequence[Problem] = ()) -> str:
    """The page of the house rules with a form as it was sent, and what is wrong with it."""
    return _render(view, lang, None, form, problems=problems, sent=True)


def periods(view: View, game: SheetGame, lang: str) -> list[Period]:
    """The rules of a game as they changed from deal to deal, the first ones first."""
    known, own = view.games[game.game], words(game.game, lang)
    periods: list[Period] = []
    before: HouseRules[object] | None = None
    for period in game.periods:
        house = view.house(game, period.first_deal)
        differences = diff_answer(known, before, house, lang)["differences"] if before else []
        periods.append(Period(period.first_deal, own.summary(known.options, house), differences, period.note))
        before = house
    return periods


def _render(
    view: View,
    lang: str,
    house: HouseRules[object] | None,
    given: Form,
    *,
    problems: Sequence[Problem] = (),
    wrong: tuple[Wrong, ...] = (),
    sent: bool = False,
) -> str:
    game, shown = _game(view), board(view, lang)
    known, own, now = view.games[game.game], words(game.game, lang), view.house(game)
    filled = f"?{_query(request.args)}" if house else ""
    preset, values = _filled(known, house or now, given if sent else Form())
    return render_template(
        "keeper/rules.html", view=view, board=shown, own=own, game=known, preset=preset,
        set=rule_set(known, now, lang), groups=option_groups(known, values, lang, preset=preset),
        listed=fitting(known, game, lang),
        problems=shown_problems(problems, view, game, own), wrong=wrong, note=given.get("note", ""),
        number=_deal(game, given), periods=periods(view, game, lang), path=f"sheets/{view.id}/rules{filled}",
    )  # fmt: skip


def _filled(known: Game, house: HouseRules[object], form: Form) -> tuple[str, dict[str, object]]:
    """The preset and the values of the form: as it was sent, where it was, else those of a set."""
    if "options" not in form and "rules" not in form:
        return house.preset, known.options.plain(house.options)
    given = given_rules(known, form)
    preset = given["preset"] if given["preset"] in known.options.presets else house.preset
    return preset, known.options.plain(known.options.preset(preset).options) | given.get("options", {})


def _ripple(view: View, command: Mapping[str, object]) -> tuple[Ripple | None, Sequence[Problem]]:
    try:
        return sheet_service().preview(view.id, command), ()
    except Refused as refused:
        return None, refused.problems


def _game(view: View) -> SheetGame:
    return view.game or abort(404)


def _deal(game: SheetGame, given: Form) -> int:
    """The deal from which the change counts; the open one unless another is named."""
    number = number_in(given.get("deal", ""))
    return number if number is not None and 1 <= number <= game.open.number else game.open.number


def _query(facts: Mapping[str, object]) -> str:
    return urlencode({key: item for key, item in facts.items() if item}, safe="~")


# Settings -------------------------------------------------------------------------------------------------------------


def add_pages(keeper: Blueprint) -> None:
    """The settings of a sheet."""
    keeper.get("/<lang:lang>/sheets/<sheet>/settings")(settings_page)
    keeper.get("/<lang:lang>/sheets/<sheet>/rules")(rules_page)
    keeper.post("/<lang:lang>/sheets/<sheet>/rules")(propose)
    keeper.get("/<lang:lang>/sheets/<sheet>/rules/change")(change_page)
    keeper.get("/<lang:lang>/sheets/<sheet>/what-if")(what_if)


def settings_page(lang: str, sheet: str) -> str:
    """Names, the dealer, a void deal, an adjustment, the exports."""
    view = kept_sheet(sheet)
    shown = board(view, lang)
    rules = rule_set(view.games[shown.game.game], view.house(shown.game), lang)
    return render_template(
        "keeper/settings.html", view=view, board=shown, set=rules, key=secrets.token_urlsafe(12),
        path=f"sheets/{view.id}/settings",
    )  # fmt: skip
