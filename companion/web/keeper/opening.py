"""Opening a sheet: choose a game and a preset, write the names, change what this table plays otherwise."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.engine.game import Game
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.book import say, words
from companion.sheets.seating import possible_seats
from companion.web.desk import desk
from companion.web.keeper.access import kept_sheets, remember
from companion.web.keeper.board import board
from companion.web.keeper.options import given_rules, option_groups
from companion.web.keeper.refusals import ShownProblem

MOST_SEATS = 6


def add_pages(keeper: Blueprint) -> None:
    """My sheets, and the way to a new one."""
    keeper.get("/<lang:lang>/sheets")(my_sheets)
    keeper.get("/<lang:lang>/sheets/new")(choose)
    keeper.get("/<lang:lang>/sheets/new/<game_id>")(new_sheet)
    keeper.post("/<lang:lang>/sheets/new/<game_id>")(open_sheet)


def my_sheets(lang: str) -> str:
    """The sheets that this device may keep."""
    sheets = [(view, board(view, lang)) for view in kept_sheets() if view.game]
    return render_template("keeper/sheets.html", sheets=sheets, path="sheets")


def choose(lang: str) -> str:
    """Which game, and by which preset."""
    games = [
        (game, words(game.id, lang).name, [(p, words(game.id, lang)) for p in game.options.presets])
        for game in GAMES.values()
    ]
    return render_template("keeper/choose.html", games=games, path="sheets/new")


def new_sheet(lang: str, game_id: str) -> str:
    """The form of a new sheet, ready to be sent as it stands."""
    game = GAMES.get(game_id) or abort(404)
    try:
        house = game.options.decode(request.args.get("rules") or game.options.default_preset)
    except Refused:
        abort(422)
    return _form(game, lang, house.preset, game.options.plain(house.options), {})


def open_sheet(lang: str, game_id: str) -> Response | tuple[str, int]:
    """A new sheet from the form; this device keeps it from now on."""
    game = GAMES.get(game_id) or abort(404)
    form = request.form
    rules = given_rules(game, form)
    names = [form.get(f"name{place}", "").strip() for place in range(MOST_SEATS)]
    asked: dict[str, Any] = {"seats": [name for name in names if name], "lang": lang, "game": game.id, "rules": rules}
    if form.get("title", "").strip():
        asked["title"] = form["title"]
    dealer = form.get("dealer", "")
    if dealer.isdigit() and int(dealer) < len(asked["seats"]):
        asked["dealer"] = "ABCDEFGHIJKL"[int(dealer)]
    try:
        opened = desk().open_sheet(asked, watch=False)
    except Refused as refused:
        own = words(game.id, lang)
        problems = [ShownProblem(own.problem(problem)) for problem in refused.problems]
        preset = rules["preset"] if rules["preset"] in game.options.presets else game.options.default_preset
        base = game.options.plain(game.options.preset(preset).options)
        return _form(game, lang, preset, base | rules.get("options", {}), form, problems), 422
    remember(opened.id, opened.score_secret)
    return redirect(f"/{lang}/sheets/{opened.id}", 303)


def _form(
    game: Game, lang: str, preset: str, values: dict[str, Any], form: Any, problems: list[ShownProblem] | None = None
) -> str:
    try:
        house = game.options.build(preset, {})
        counts = possible_seats(game, game.options.decode(request.args.get("rules") or preset).options)
    except Refused:
        counts = possible_seats(game, house.options)
    own = words(game.id, lang)
    seats = [
        form.get(f"name{place}", say(lang, f"keeper.seat-{place + 1}") if place < counts[0] else "")
        for place in range(max(counts))
    ]
    return render_template(
        "keeper/new.html",
        game=game,
        own=own,
        preset=preset,
        counts=counts,
        seats=seats,
        form=form,
        partners=len(counts) == 1 and counts[0] == 4 and values.get("mode", "partners4") == "partners4",
        groups=option_groups(game, values, lang, preset=preset),
        problems=problems or [],
        path=f"sheets/new/{game.id}?rules={request.args.get('rules', preset)}",
    )
