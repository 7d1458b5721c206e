"""The pages of people who play together: members, evenings, statistics, club nights, leagues."""

from __future__ import annotations

from flask import Blueprint, Flask

from companion.web.groups.groups import add_pages, latest_group
from companion.web.groups.statistics import add_pages as add_statistics
from companion.web.keeper import guard


def init_app(app: Flask) -> None:
    """Add the pages of groups, with the guard of the keeper's forms."""
    groups = Blueprint("group_pages", __name__)
    guard(groups)
    add_pages(groups)
    add_statistics(groups)
    app.register_blueprint(groups)
    app.jinja_env.globals["latest_group"] = latest_group
