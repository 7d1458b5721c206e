"""A group to take elsewhere: its games, deals and statistics as JSON, and every player's deals as CSV."""

from __future__ import annotations

from flask import Blueprint, Response, current_app

from companion.engine.characters import BYTE_ORDER_MARK
from companion.engine.shapes import write
from companion.engine.statistics import Statistics
from companion.sheets.groups.figures import GroupFileShape, group_csv
from companion.web.groups.access import Visit, add_views
from companion.web.responses import as_file
from companion.web.sheet_service import group_service


def add_pages(groups: Blueprint) -> None:
    """The two files."""
    add_views(groups, "/export.json", export_json)
    add_views(groups, "/export.csv", export_csv)


def export_json(visit: Visit) -> Response:
    """Everything that the pages of a group say, as one JSON value."""
    games = Statistics(group_service().played(visit.view)).games
    text = current_app.json.dumps(write(GroupFileShape, visit.group, games))
    return as_file(Response(text, mimetype="application/json"), "group.json")


def export_csv(visit: Visit) -> Response:
    """A row for each player in each scored deal, safe to open in a spreadsheet."""
    text = BYTE_ORDER_MARK + group_csv(visit.group, group_service().played(visit.view))
    return as_file(Response(text, mimetype="text/csv"), "group.csv")
