"""The keeper's screen: the sheet as it stands, the next question, and everything that can be written down."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.engine.problems import Problem, Refused
from companion.rulebook.book import say, words
from companion.rulebook.wording import signed_text
from companion.sheets.store import Conflict, KeyReused
from companion.sheets.view import View
from companion.web.desk import desk
from companion.web.keeper.access import kept_sheet
from companion.web.keeper.board import Board, board
from companion.web.keeper.entry import Stage, entries
from companion.web.keeper.forms import COMMANDS, base_version, command_of, key_of
from companion.web.keeper.messages import saved_sentence
from companion.web.keeper.refusals import shown_problems

QUIET = ("call", "change-call")
"""What the screen shows by itself: one sentence for each deal, not for each tap."""


def add_pages(keeper: Blueprint) -> None:
    """The screen and its forms."""
    keeper.get("/<lang:lang>/sheets/<sheet>")(sheet_page)
    keeper.post("/<lang:lang>/sheets/<sheet>/do/<kind>")(act)


def sheet_page(lang: str, sheet: str) -> str | tuple[str, int]:
    """The sheet with the next question of the open deal."""
    return render_sheet(kept_sheet(sheet), lang)


def act(lang: str, sheet: str, kind: str) -> Response | tuple[str, int]:
    """Write down what a form says, and show the sheet again."""
    if kind not in COMMANDS:
        abort(404)
    view = kept_sheet(sheet)
    try:
        command = command_of(kind, request.form, view, lang)
        done = desk().do(sheet, command, base_version=base_version(request.form), key=key_of(request.form))
    except Conflict:
        flash(say(lang, "keeper.stale"), "warning")
    except KeyReused:
        abort(409)
    except Refused as refused:
        return render_sheet(view, lang, problems=refused.problems), 422
    else:
        if done.entries and not done.replayed and kind not in QUIET:
            flash(saved_sentence(done.view, kind, lang), "saved")
    return redirect(f"/{lang}/sheets/{sheet}{_fragment(kind)}", 303)


def render_sheet(view: View, lang: str, *, problems: Sequence[Problem] = ()) -> str:
    """The page of a sheet; with the problems that kept something from being written."""
    shown = board(view, lang)
    stage = None if shown.over else _stage(view, lang)
    own = words(shown.game.game, lang)
    would: list[tuple[str, str]] = []
    if stage is not None and stage.facts is not None and not problems:
        would, problems = _would_score(view, shown, stage.facts)
    return render_template(
        "keeper/sheet.html",
        view=view,
        board=shown,
        stage=stage,
        would=would,
        problems=shown_problems(problems, view, shown.game, own),
        accept=[p.code for p in problems] if problems and all(p.acceptable for p in problems) else [],
        key=secrets.token_urlsafe(12),
        undo=view.sheet.to_undo,
        redo=view.sheet.to_redo,
        path=f"sheets/{view.id}",
    )


def _would_score(view: View, shown: Board, facts: Mapping[str, Any]) -> tuple[list[tuple[str, str]], Sequence[Problem]]:
    """What the deal would give each side if it were saved now, or why it cannot be."""
    try:
        ripple = desk().preview(view.id, {"type": "record_deal", "facts": facts})
    except Refused as refused:
        return [], refused.problems
    scores = ripple.after.deals[-1].sides
    return [(side.name, signed_text(scores[side.id].points)) for side in shown.sides], ()


def _stage(view: View, lang: str) -> Stage | None:
    game = view.game
    entry = entries().get(game.game) if game else None
    if game is None or entry is None:
        return None
    answers: dict[str, Any] = dict(request.args if request.method == "GET" else request.form)
    return entry.stage(view, game, answers, lang)


def _fragment(kind: str) -> str:
    return "#entry" if kind in ("call", "change-call") else ""
