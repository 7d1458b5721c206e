"""What a table agrees on beside the deals: names, dealer, rules from a deal on; and taking everything out."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, json, render_template, request

from companion.engine.game import Game
from companion.engine.problems import Problem, Refused
from companion.engine.reading import Node
from companion.rulebook.answers import diff_answer
from companion.rulebook.book import say, words
from companion.sheets.fields import plain
from companion.sheets.refusals import refuse_all
from companion.sheets.sheet import SheetGame
from companion.sheets.view import View
from companion.web.desk import desk
from companion.web.keeper.access import kept_sheet
from companion.web.keeper.board import board
from companion.web.keeper.options import given_rules, option_groups
from companion.web.keeper.refusals import shown_problems

MIMETYPES = {"json": "application/json", "csv": "text/csv", "txt": "text/plain"}


def add_pages(keeper: Blueprint) -> None:
    """The settings of a sheet and its exports."""
    keeper.get("/<lang:lang>/sheets/<sheet>/settings")(settings_page)
    keeper.get("/<lang:lang>/sheets/<sheet>/rules")(rules_page)
    keeper.get("/<lang:lang>/sheets/<sheet>/what-if")(what_if)
    keeper.get("/<lang:lang>/sheets/<sheet>/export.<any(json, csv, txt):kind>")(export)


def settings_page(lang: str, sheet: str) -> str:
    """Names, the dealer, a void deal, an adjustment, the exports."""
    view = kept_sheet(sheet)
    return render_template(
        "keeper/settings.html", view=view, board=board(view, lang), key=secrets.token_urlsafe(12),
        path=f"sheets/{view.id}/settings",
    )  # fmt: skip


def rules_page(lang: str, sheet: str) -> str:
    """The house rules of the sheet, to read and to change from a deal on."""
    return render_rules(kept_sheet(sheet), lang)


def render_rules(view: View, lang: str, form: Any = None, problems: Sequence[Problem] = ()) -> str:
    """The page of the house rules; as a form has them, where there are problems with it."""
    shown = board(view, lang)
    game, house, own = view.games[shown.game.game], view.house(shown.game), words(shown.game.game, lang)
    values = game.options.plain(house.options)
    if form is not None:
        base = game.options.plain(game.options.preset(house.preset).options)
        values = base | given_rules(game, form).get("options", {})
    return render_template(
        "keeper/rules.html", view=view, board=shown, own=own, game=game, preset=house.preset,
        groups=option_groups(game, values, lang, preset=house.preset),
        problems=shown_problems(problems, view, shown.game, own), note=form.get("note", "") if form else "",
        key=secrets.token_urlsafe(12), path=f"sheets/{view.id}/rules",
    )  # fmt: skip


def what_if(lang: str, sheet: str) -> str:
    """The same facts under another preset: totals beside those that count, and what differs in the rules."""
    view = kept_sheet(sheet)
    shown = board(view, lang)
    game, own = view.games[shown.game.game], words(shown.game.game, lang)
    preset = request.args.get("preset", "")
    code = request.args.get("rules", "") or preset
    under: dict[str, Any] | None = None
    if code:
        try:
            house = game.options.decode(code)
            refuse_all(_misfits(game, shown.game, house.options))
            ledger = view.under(shown.game, {"preset": house.preset, "options": game.options.plain(house.options)})
            under = {
                "label": own.summary(game.options, house),
                "totals": {side: standing.total for side, standing in ledger.standing.items()},
                "over": ledger.outcome.over,
                "differences": diff_answer(game, view.house(shown.game), house, lang)["differences"],
            }
        except Refused as refused:
            under = {"problems": [own.problem(problem) for problem in refused.problems]}
    presets = [
        (name, own.preset_label(name))
        for name in game.options.presets
        if not _misfits(game, shown.game, game.options.preset(name).options)
    ]
    return render_template(
        "keeper/what-if.html", view=view, board=shown, under=under, presets=presets, preset=preset,
        path=f"sheets/{view.id}/what-if",
    )  # fmt: skip


def _misfits(game: Game, played: SheetGame, rules: Any) -> Sequence[Problem]:
    """Why the sides of a game could not play by these rules: too many, too few, with partners or without."""
    node = Node(plain(played.sides), ("sides",))
    game.read_sides(node, rules)
    return node.problems


def export(lang: str, sheet: str, kind: str) -> Response:
    """The sheet as a file: the whole log as JSON, a table for spreadsheets, text for a chat."""
    view = kept_sheet(sheet)
    if kind == "json":
        body = json.dumps(desk().export_json(view.id), indent=2)
    elif kind == "csv":
        body = desk().export_csv(view.id)
    else:
        body = desk().export_text(view.id, lambda key, facts: say(lang, f"keeper.{key}", **_named(facts, lang)))
    response = Response(body, mimetype=MIMETYPES[kind])
    if kind != "txt":
        response.headers["Content-Disposition"] = f'attachment; filename="scores.{kind}"'
    return response


def _named(facts: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """Facts with the game called by its name."""
    return {key: words(item, lang).name if key == "game" else item for key, item in facts.items()}
