"""A club night: the walls of all tables that play now on one page."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from flask import Blueprint, Response, make_response, request

from companion.web import assets
from companion.web.groups.access import Visit, add_views
from companion.web.keeper.board import Board, board
from companion.web.sheet_service import group_service


@dataclass(frozen=True, slots=True)
class Table:
    """A table that plays now."""

    id: str
    title: str
    board: Board


def add_pages(groups: Blueprint) -> None:
    """The page of a club night."""
    add_views(groups, "/night", night)


def night(visit: Visit) -> Response:
    """The totals of every table, large. Answers 304 while nothing has changed; a small script asks for it."""
    views = group_service().playing(visit.view)
    heads = " ".join(f"{view.id}-{view.head.tag}" for view in views)
    version = sha256(heads.encode()).hexdigest()[:16]
    tag = f"{version}-{visit.view.head.tag}-{visit.lang}-{assets.program_tag()}"
    if request.if_none_match.contains_weak(tag):
        response = Response(status=304)
    else:
        tables = [Table(view.id, view.sheet.title, board(view, visit.lang)) for view in views]
        response = make_response(visit.render("groups/night.html", "/night", tables=tables, version=version))
    response.set_etag(tag)
    response.headers["Cache-Control"] = "private, no-cache"
    return response
