"""The pages of people who play together: members, evenings, statistics, club nights, leagues."""

from __future__ import annotations

from flask import Blueprint, Flask

from companion.web.groups import evenings, leagues, members, pages, statistics
from companion.web.keeper import guard

PARTS = (pages, members, evenings, statistics, leagues)


def init_app(app: Flask) -> None:
    """Add the pages of groups, with the guard of the keeper's forms."""
    groups = Blueprint("group_pages", __name__)
    guard(groups)
    for part in PARTS:
        part.add_pages(groups)
    app.register_blueprint(groups)
    app.jinja_env.globals["groups_offered"] = True
