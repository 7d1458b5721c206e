"""One deal of a sheet: its lines, its history, and its correction with the consequences shown first."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import Blueprint, abort, flash, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.engine.cards import number_text, signed_text
from companion.engine.ledger import AFTER_END, adjustment_article
from companion.engine.problems import Problem, Refused
from companion.rulebook.book import say, words
from companion.sheets.preview import DealRipple, Ripple, without_counterpart
from companion.sheets.scoring import View
from companion.sheets.state import SheetGame
from companion.sheets.store import Conflict, KeyReused
from companion.web.keeper.access import kept_sheet
from companion.web.keeper.board import Board, ShownLine, board, saved_sentence, shown_lines
from companion.web.keeper.entry import answers_in, correction_step, has_entry
from companion.web.keeper.forms import corrected_facts, write
from companion.web.keeper.history import ask_again, history
from companion.web.keeper.house_rules import Form
from companion.web.keeper.problems import Meanwhile, shown_problems
from companion.web.naming import effect_sentences
from companion.web.sheet_service import sheet_service

# Pages ----------------------------------------------------------------------------------------------------------------


def add_pages(keeper: Blueprint) -> None:
    """The page of a deal and its correction, in the running game and in earlier ones."""
    keeper.get("/<lang:lang>/sheets/<sheet>/deals/<int:number>")(deal_page)
    keeper.get("/<lang:lang>/sheets/<sheet>/games/<int:game>/deals/<int:number>")(deal_page)
    keeper.get("/<lang:lang>/sheets/<sheet>/deals/<int:number>/correct")(correct_page)
    keeper.post("/<lang:lang>/sheets/<sheet>/deals/<int:number>/correct")(correct)
    keeper.get("/<lang:lang>/sheets/<sheet>/games/<int:game>/deals/<int:number>/correct")(correct_page)
    keeper.post("/<lang:lang>/sheets/<sheet>/games/<int:game>/deals/<int:number>/correct")(correct)


def deal_page(lang: str, sheet: str, number: int, game: int | None = None) -> str:
    """Every line of a deal with its article, what was entered, and what has become of it."""
    view = kept_sheet(sheet)
    played = _game_with(view, number, game)
    shown = board(view, lang, number=played.number)
    return render_template(
        "keeper/deal.html",
        view=view,
        board=shown,
        deal=shown.deals[number - 1],
        running=played is view.game,
        entered=entered(view, played, number, lang),
        history=history(view, played, number, lang),
        ask_again=ask_again(view, played, number, lang),
        if_void=_if_void(view, played, number, lang),
        key=secrets.token_urlsafe(12),
        path=f"sheets/{view.id}/games/{played.number}/deals/{number}" if game else f"sheets/{view.id}/deals/{number}",
    )


def _if_void(view: View, game: SheetGame, number: int, lang: str) -> list[str]:
    """What voiding a deal would change beside its own points, in words: later deals, and what was agreed here."""
    if game.deal(number).void:
        return []
    command = {"type": "void_deal", "game_number": game.number, "deal": number}
    effects = sheet_service().preview(view.id, command).effects
    agreed = adjustment_article(game.game)
    later = [one for one in effects if one.deal > number or (one.line is not None and one.line.article == agreed)]
    return effect_sentences(later, words(game.game, lang), view.sheet.names_in(game))


def correct_page(lang: str, sheet: str, number: int, game: int | None = None) -> str:
    """The facts of a deal as questions; once one is answered otherwise, what that would change."""
    view = kept_sheet(sheet)
    return _render(view, _game_with(view, number, game), number, lang, request.args)


def correct(lang: str, sheet: str, number: int, game: int | None = None) -> Response | tuple[str, int]:
    """Put the corrected facts in the place of the old ones; those stay in the history."""
    view = kept_sheet(sheet)
    played = _game_with(view, number, game)
    try:
        done = write("correct", view, lang)
    except (Conflict, KeyReused):
        view = kept_sheet(sheet)
        moved = Meanwhile(say(lang, "keeper.stale"))
        return _render(view, _game_with(view, number, played.number), number, lang, request.form, moved=moved), 409
    except Refused as refused:
        return _render(view, played, number, lang, request.form, refused.problems), 422
    if done.entries and not done.replayed:
        flash(saved_sentence(done.view, "correct", lang, earlier=played.number < len(view.sheet.games)), "saved")
    return redirect(f"/{lang}/sheets/{sheet}", 303)


def entered(view: View, game: SheetGame, number: int, lang: str) -> list[tuple[str, str]]:
    """What was entered for a deal, as names and values."""
    deal = game.deal(number)
    if deal.void or not has_entry(view, game):
        return []
    return [(str(said.label), str(said.value)) for said in correction_step(view, game, number, {}, lang).said]


def _render(
    view: View,
    game: SheetGame,
    number: int,
    lang: str,
    answers: Form,
    problems: Sequence[Problem] = (),
    moved: Meanwhile | None = None,
) -> str:
    given = answers_in(answers)
    stage = correction_step(view, game, number, given, lang)
    own = words(game.game, lang)
    ripple, differs = None, bool(problems)
    if stage.facts is not None and not problems:
        try:
            facts = corrected_facts(answers, view, game, number, lang)
            differs = facts != {key: item for key, item in game.deal(number).facts.items() if key != "adjustments"}
            command = {"type": "correct_deal", "game_number": game.number, "deal": number, "facts": facts}
            ripple = sheet_service().preview(view.id, command)
        except Refused as refused:
            problems, differs = refused.problems, True
    shown: Board = board(view, lang, number=game.number)
    confirmed = game.deal(number).confirmed
    return render_template(
        "keeper/correct.html",
        view=view,
        board=shown,
        deal=shown.deals[number - 1],
        stage=stage,
        differs=differs,
        rows=ripple_rows(ripple, shown, lang) if ripple else [],
        outcome_changes=bool(ripple and ripple.outcome_changes),
        winners=[shown.columns[w] for w in ripple.after.outcome.winners] if ripple else [],
        over_after=bool(ripple and ripple.after.outcome.over),
        problems=shown_problems(problems, view, game, own, stage),
        accept=[p.code for p in problems] if problems and all(p.acceptable for p in problems) else [],
        moved=moved,
        confirmed=[shown.columns[side] for side in confirmed],
        key=secrets.token_urlsafe(12),
        running=game is view.game,
        path=f"sheets/{view.id}/games/{game.number}/deals/{number}/correct?{urlencode(given)}",
    )


def _game_with(view: View, number: int, place: int | None = None) -> SheetGame:
    """The game of that number, the running one where none is named; it must have such a deal."""
    games = view.sheet.games
    if place is None:
        place = len(games)
    if not 1 <= place <= len(games) or not 1 <= number <= len(games[place - 1].deals):
        abort(404)
    return games[place - 1]


# Consequences ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RippleCell:
    """One side in one deal: its total before and after, the difference, the lines that go and come."""

    name: str
    before: str
    after: str
    difference: str
    gone: tuple[ShownLine, ...]
    come: tuple[ShownLine, ...]


@dataclass(frozen=True, slots=True)
class RippleRow:
    """One deal that would change, and what is worth saying about it."""

    number: int
    cells: tuple[RippleCell, ...]
    flags: tuple[str, ...]


def ripple_rows(ripple: Ripple, board: Board, lang: str) -> list[RippleRow]:
    """The deals that would change, in order."""
    return [_row(deal, board, lang) for deal in ripple.changed]


def _row(deal: DealRipple, board: Board, lang: str) -> RippleRow:
    cells = []
    for side in board.sides:
        one = deal.sides[side.id]
        before = one.before.standing.total if one.before else 0
        after = one.after.standing.total if one.after else 0
        gone, come = without_counterpart(one.gone, one.come), without_counterpart(one.come, one.gone)
        gone_lines = shown_lines(gone, lang, board.game.game, board.columns)
        come_lines = shown_lines(come, lang, board.game.game, board.columns)
        cells.append(
            RippleCell(
                side.name, number_text(before), number_text(after), signed_text(after - before), gone_lines, come_lines
            )
        )
    flags = []
    if deal.before and deal.after and deal.before.status != deal.after.status:
        ended = deal.after.status == AFTER_END
        flags.append(say(lang, "keeper.now-after-end" if ended else "keeper.now-scored"))
    return RippleRow(deal.number, tuple(cells), tuple(flags))
