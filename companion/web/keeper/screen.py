"""The keeper's screen: the sheet as it stands, the next question, and everything that can be written down."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from flask import Response, abort, flash, redirect, render_template, request, send_from_directory
from werkzeug.wrappers import Response as BaseResponse

from companion.engine.entry import Answers
from companion.engine.ledger import SideScore
from companion.engine.problems import Problem, Refused, read_whole
from companion.rulebook.words import words
from companion.sheets.event import View
from companion.sheets.store import Conflict, KeyReused
from companion.web.assets import STATIC
from companion.web.http import PAGE_POLICY
from companion.web.keeper.access import kept_sheet
from companion.web.keeper.board import board, moods, rotation_of, saved_sentence, seats_at
from companion.web.keeper.entry import (
    COMMANDS,
    Meanwhile,
    answers_in,
    belongs,
    key_of,
    meanwhile,
    open_step,
    preview,
    seen_before,
    shown_problems,
    tag_of,
    write,
)
from companion.web.keeper.house_rules import longer, number_in
from companion.web.keeper.rules_pages import render_rules
from companion.web.sheet_service import sheet_service

_QUIET = ("call", "change-call")
"""What the screen shows by itself: one sentence for each deal, not for each tap."""
_IN_SETTINGS = ("names",)
"""What is written on the page of the settings, which is shown again."""


def _sheet_page(lang: str, sheet: str) -> str:
    """The sheet with the next question of the open deal."""
    view = kept_sheet(sheet)
    moved = None if view.game is None or belongs(view.game, request.args) else meanwhile(view, request.args, lang)
    return _render_sheet(view, lang, {} if moved else request.args, moved=moved)


def version(lang: str, sheet: str) -> Response:
    """The tag of a sheet, for a page that wants to know whether it still shows what stands there."""
    return Response(kept_sheet(sheet).head.tag, mimetype="text/plain", headers={"Cache-Control": "no-store"})


def service_worker() -> BaseResponse:
    """The script that shows sheets without a line; it answers for addresses beside and below its own, so for all."""
    script = send_from_directory(STATIC, "offline.js", mimetype="text/javascript", max_age=0)
    script.headers["Content-Security-Policy"] = PAGE_POLICY  # its requests go by the policy of its own response
    return script


def back_to_sheet(lang: str, sheet: str, kind: str) -> BaseResponse:
    """Where the address of a form leads that was not sent but opened again."""
    return redirect(f"/{lang}/sheets/{sheet}", 303)


def act(lang: str, sheet: str, kind: str) -> BaseResponse | tuple[str, int]:
    """Write down what a form says, and show the sheet again."""
    if kind not in COMMANDS:
        abort(404)
    view = kept_sheet(sheet)
    try:
        done = write(kind, view, lang)
    except (Conflict, KeyReused):
        return _stale(sheet, kind, lang), 409
    except Refused as refused:
        return _not_written(view, kind, lang, refused.problems)
    if done.entries and not done.replayed and kind not in _QUIET:
        earlier = number_in(request.form.get("game", "")) not in (None, len(done.view.sheet.games))
        flash(saved_sentence(done.view, kind, lang, earlier=earlier), kind if kind in ("undo", "redo") else "saved")
    place = "/settings" if kind in _IN_SETTINGS else "#entry" if kind in _QUIET else ""
    return redirect(f"/{lang}/sheets/{sheet}{place}", 303)


def _render_sheet(
    view: View, lang: str, answers: Answers, *, problems: Sequence[Problem] = (), moved: Meanwhile | None = None
) -> str:
    """The page of a sheet; with the problems that kept something from being written, or what happened meanwhile."""
    shown = board(view, lang)
    stage = None if shown.over else open_step(view, answers, lang)
    own = words(shown.game.game, lang)
    would: Mapping[str, SideScore] = {}
    if stage is not None and stage.facts is not None and not problems:
        would, problems = _would_score(view, stage.facts)
    state = answers_in(answers) if stage else {}
    return render_template(
        "keeper/sheet.html",
        view=view,
        board=shown,
        stage=stage,
        seats=seats_at(view, shown.game, stage) if stage else (),
        would=would,
        moods=moods(shown.game, would) if would else {},
        play_on=_ways_to_play_on(view, lang) if shown.over else (),
        rotation=rotation_of(view.sheet) if shown.over else None,
        problems=shown_problems(problems, view, shown.game, own, stage),
        accept=[p.code for p in problems] if problems and all(p.acceptable for p in problems) else [],
        key=secrets.token_urlsafe(12),
        undo=view.sheet.to_undo,
        redo=view.sheet.to_redo,
        moved=moved,
        tag=tag_of(shown.game),
        path=f"sheets/{view.id}?{urlencode(state)}" if state else f"sheets/{view.id}",
    )


def _not_written(view: View, kind: str, lang: str, problems: Sequence[Problem]) -> BaseResponse | tuple[str, int]:
    """The sheet after a form that was refused: sent before, filled in on an older sheet, or wrong."""
    if _sent_before(view.id):
        return redirect(f"/{lang}/sheets/{view.id}", 303)
    if seen_before(request.form, view):
        return _stale(view.id, kind, lang), 409
    if kind == "rules":
        return render_rules(view, lang, request.form, problems), 422
    return _render_sheet(view, lang, request.form, problems=problems), 422


def _sent_before(sheet: str) -> bool:
    """Whether this very form was sent before: what it asked for is written, and can no longer be asked for."""
    key = key_of(request.form)
    return key is not None and sheet_service().store.answered(sheet, key) is not None


def _stale(sheet: str, kind: str, lang: str) -> str:
    """The sheet as it now stands, the counts that were sent still filled in where the deal is open yet."""
    view = kept_sheet(sheet)
    same = kind == "record" and view.game is not None and belongs(view.game, request.form)
    moved = meanwhile(view, request.form if kind == "record" else {}, lang)
    return _render_sheet(view, lang, request.form if same else {}, moved=moved)


def _would_score(view: View, facts: Mapping[str, object]) -> tuple[Mapping[str, SideScore], Sequence[Problem]]:
    """What the deal would give each side if it were saved now, or why it cannot be."""
    ripple, problems = preview(view, {"type": "record_deal", "facts": facts})
    return ripple.after.deals[-1].sides if ripple else {}, problems


def _ways_to_play_on(view: View, lang: str) -> tuple[tuple[str, str], ...]:
    """Return the shortest of the game's lengths under which this one is not over, in words, with the code of its rules.

    The deals so far keep their points.
    """
    game = view.sheet.games[-1]
    known, house = view.games[game.game], view.house(game)
    for asked, offer in longer(known):
        rules = {"preset": house.preset, "options": known.options.plain(house.options) | dict(offer.options)}
        ripple, _ = preview(view, {"type": "change_rules", "rules": rules, "deal": game.periods[-1].first_deal})
        if ripple and not ripple.after.outcome.over:
            code = known.options.code(read_whole(rules, known.options.read))
            return ((words(game.game, lang).say(f"agree.{asked.id}.{offer.id}"), code),)
    return ()


ROUTES = {
    "GET /sheets/<sheet>": _sheet_page,
    "GET /sheets/<sheet>/version": version,
    "GET /sheets/<sheet>/do/<kind>": back_to_sheet,
    "POST /sheets/<sheet>/do/<kind>": act,
}
"""The screen and its forms."""
