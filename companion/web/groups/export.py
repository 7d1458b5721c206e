"""A group to take elsewhere: its games, deals and statistics as JSON, and every player's deals as CSV."""

from __future__ import annotations

from flask import Blueprint, Response, current_app

from companion.engine.characters import BYTE_ORDER_MARK
from companion.engine.shapes import write
from companion.engine.statistics import Statistics
from companion.sheets.groups.figures import GroupFileShape, group_csv
from companion.web.groups.access import Visit, add_views
from companion.web.sheet_service import group_service


def add_pages(groups: Blueprint) -> None:
    """The two files."""
    add_views(groups, "/export.json", export_json)
    add_views(groups, "/export.csv", export_csv)


def export_json(visit: Visit) -> Response:
    """Everything that the pages of a group say, as one JSON value."""
    games = Statistics(group_service().played(visit.view)).games
    return file_response(current_app.json.dumps(write(GroupFileShape, visit.group, games)), "application/json", "json")


def export_csv(visit: Visit) -> Response:
    """A row for each player in each scored deal, safe to open in a spreadsheet."""
    text = BYTE_ORDER_MARK + group_csv(visit.group, group_service().played(visit.view))
    return file_response(text, "text/csv", "csv")


def file_response(text: str, kind: str, ending: str) -> Response:
    """Return a file of a group."""
    response = Response(text, mimetype=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="group.{ending}"'
    return response
