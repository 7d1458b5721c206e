"""The pages of people who play together: members, evenings, statistics, club nights, leagues."""

from __future__ import annotations

from flask import Blueprint, Flask

from companion.web.groups import groups, statistics
from companion.web.http import add_routes
from companion.web.keeper import guard


def init_app(app: Flask) -> None:
    """Add the pages of groups, with the guard of the keeper's forms."""
    pages = Blueprint("group_pages", __name__)
    guard(pages)
    add_routes(pages, groups.ROUTES)
    groups.add_views(pages, {**groups.VIEWS, **statistics.VIEWS})
    app.register_blueprint(pages)
    app.jinja_env.globals["latest_group"] = groups.latest_group
