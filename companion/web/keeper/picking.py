"""Players picked from a group when a sheet is opened, and the sheet that then belongs to it."""

from __future__ import annotations

from typing import Final

from flask import flash
from werkzeug.datastructures import MultiDict

from companion.engine.problems import Refused
from companion.rulebook.book import words
from companion.sheets.groups.model import KeepRules
from companion.sheets.groups.state import Group
from companion.sheets.store import NoSuchSheet, is_group
from companion.web.keeper.device import device_key
from companion.web.keeper.house_rules import Form
from companion.web.sheet_service import device_service, group_service

MOST_NAMES: Final = 6
"""Names in the form of a new sheet."""
TABLE: Final = ("league", "round", "table")
"""Fields that say for which table of a league a sheet is opened."""


def picked_group(form: Form) -> Group | None:
    """Return the group for which a sheet is opened; None without one, or where this device does not keep it."""
    group, key = form.get("group", ""), device_key()
    try:
        if key is None or not is_group(group):
            return None
        device_service().link(key, group)
        return group_service().read(group).group
    except NoSuchSheet:
        return None


def picked_form(asked: Form) -> Form:
    """Return the form of a new sheet with the players of a group that an address names; an empty one without."""
    group = picked_group(asked)
    if group is None:
        return MultiDict()
    players = [member for each in asked.getlist("player") if (member := group.members.get(each)) and member.current]
    names = [member.name for member in dict.fromkeys(players)][:MOST_NAMES]
    kept = {name: asked[name] for name in ("group", *TABLE) if name in asked}
    return MultiDict(
        kept | {f"name{place}": name for place, name in enumerate(names + [""] * (MOST_NAMES - len(names)))}
    )


def join_picked(form: Form, sheet: str, lang: str) -> None:
    """Let a new sheet belong to the group for which it was opened, and keep its house rules for the next one.

    What keeps it from that is said on the next page.
    """
    if picked_group(form) is None:
        return
    typed = [form.get(name, "") for name in TABLE]
    table = [int(each) for each in typed if each.isascii() and each.isdigit() and len(each) < 6]
    key, group = device_key() or "", form["group"]
    try:
        link = device_service().link(key, group)
        service = group_service()
        service.join(group, sheet, link=link, table=table if len(table) == len(TABLE) else ())
        view = service.sheets.read(sheet)
        if view.game is not None:
            code = view.games[view.game.game].options.code(view.house(view.game))
            service.do(group, KeepRules(view.game.game, code), link=link)
    except Refused as refused:
        flash(" ".join(words("", lang).problem(problem) for problem in refused.problems), "warning")
