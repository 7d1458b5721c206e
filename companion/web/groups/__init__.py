"""The pages of people who play together: members, evenings, statistics, club nights, leagues."""

from __future__ import annotations

from flask import Blueprint, Flask

from companion.web.groups import statistics
from companion.web.groups.groups import ROUTES, VIEWS, add_views, latest_group
from companion.web.http import add_routes
from companion.web.keeper import guard


def init_app(app: Flask) -> None:
    """Add the pages of groups, with the guard of the keeper's forms."""
    groups = Blueprint("group_pages", __name__)
    guard(groups)
    add_routes(groups, ROUTES)
    add_views(groups, {**VIEWS, **statistics.VIEWS})
    app.register_blueprint(groups)
    app.jinja_env.globals["latest_group"] = latest_group
