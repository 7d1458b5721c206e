"""The sheets of a group: listed, looked at, kept on this device, brought in, taken out, and all that play tonight."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from flask import Blueprint, Response, abort, flash, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion.engine.problems import Refused
from companion.rulebook.book import say
from companion.sheets.group_events import JoinedSheet
from companion.sheets.store import SCORE, NoSuchSheet
from companion.web import assets
from companion.web.groups.access import Visit, add_views, kept_group, own_link, problem_texts, readable_sheet
from companion.web.keeper import access
from companion.web.keeper.board import Board, board
from companion.web.keeper.entry import number_in
from companion.web.keeper.sharing import unless_known
from companion.web.sheet_service import group_service, sheet_service

PAGE = 50
"""Evenings on one page."""


@dataclass(frozen=True, slots=True)
class Evening:
    """A sheet of a group, ready for a template; without a board where it cannot be read any more."""

    id: str
    at: datetime
    title: str = ""
    board: Board | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table that plays now."""

    id: str
    title: str
    board: Board


def add_pages(groups: Blueprint) -> None:
    """The evenings of a group, and its club night."""
    add_views(groups, "/night", night)
    add_views(groups, "/evenings", evenings)
    add_views(groups, "/evenings/<sheet>", evening)
    groups.post("/<lang:lang>/groups/<group>/evenings")(bring_sheet)
    groups.post("/<lang:lang>/groups/<group>/evenings/<sheet>/keep")(keep_sheet)
    groups.post("/<lang:lang>/groups/<group>/evenings/<sheet>/leave")(leave_sheet)


def evenings(visit: Visit) -> str:
    """Every evening, the latest first, and the sheets of this device that could be brought in."""
    pages = max(1, -(-len(visit.group.sheets) // PAGE))
    page = min(max(number_in(request.args.get("page", "")) or 1, 1), pages)
    mine = access.kept_sheets() if visit.keeps else []
    own = [(view, board(view, visit.lang)) for view in mine if view.game and view.id not in visit.group.sheets]
    shown = shown_evenings(visit, PAGE, (page - 1) * PAGE)
    return visit.render("groups/evenings.html", "/evenings", evenings=shown, page=page, pages=pages, own=own)


def evening(visit: Visit, sheet: str) -> str:
    """A sheet of the group to look at: every game with its deals."""
    view = readable_sheet(visit, sheet)
    boards = [board(view, visit.lang, number=game.number) for game in view.sheet.games]
    kept = visit.keeps and _keeps(sheet)
    return visit.render("groups/evening.html", f"/evenings/{sheet}", view=view, boards=boards[::-1], kept=kept)


def bring_sheet(lang: str, group: str) -> BaseResponse:
    """Let a sheet that this device keeps belong to the group."""
    visit = kept_group(lang, group)
    sheet = request.form.get("sheet", "")
    try:
        access.own_link(sheet)
        group_service().join(group, sheet, link=own_link(group))
        flash(say(lang, "groups.brought"), "saved")
    except NoSuchSheet:
        abort(404)
    except Refused as refused:
        flash(" ".join(problem_texts(refused.problems, lang)), "warning")
    return redirect(f"{visit.base}/evenings", 303)


def keep_sheet(lang: str, group: str, sheet: str) -> BaseResponse:
    """Let this device keep the score of a sheet of the group."""
    visit = kept_group(lang, group)
    view = readable_sheet(visit, sheet)
    if not _keeps(sheet):
        access.remember(sheet_service().create_link(sheet, SCORE, own_link(group).label or visit.group.title).link)
    return redirect(f"/{lang}/sheets/{view.id}", 303)


def leave_sheet(lang: str, group: str, sheet: str) -> BaseResponse:
    """Take a sheet out of the group."""
    visit = kept_group(lang, group)
    if sheet not in visit.group.sheets:
        abort(404)
    group_service().leave(group, sheet, link=own_link(group))
    flash(say(lang, "groups.taken-out"), "saved")
    return redirect(f"{visit.base}/evenings", 303)


def night(visit: Visit) -> Response:
    """The totals of every table, large. Answers 304 while nothing has changed; a small script asks for it."""
    views = group_service().playing(visit.view)
    heads = " ".join(f"{view.id}-{view.head.tag}" for view in views)
    version = sha256(heads.encode()).hexdigest()[:16]
    tag = f"{version}-{visit.view.head.tag}-{visit.lang}-{assets.program_tag()}"

    def page() -> str:
        tables = [Table(view.id, view.sheet.title, board(view, visit.lang)) for view in views]
        return visit.render("groups/night.html", "/night", tables=tables, version=version)

    return unless_known(tag, page)


def shown_evenings(visit: Visit, most: int, skip: int = 0) -> list[Evening]:
    """Return so many evenings of a group, the latest first."""
    return [_shown(visit, joined) for joined in list(visit.group.evenings())[skip : skip + most]]


def _shown(visit: Visit, joined: JoinedSheet) -> Evening:
    try:
        view = group_service().sheet(joined)
    except NoSuchSheet:
        return Evening(joined.id, joined.at)
    return Evening(joined.id, joined.at, view.sheet.title, board(view, visit.lang) if view.game else None)


def _keeps(sheet: str) -> bool:
    try:
        access.own_link(sheet)
    except NoSuchSheet:
        return False
    return True
