"""The groups of this device, a group's own page, and the links that open it for others."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Blueprint, abort, flash, redirect, render_template, request
from werkzeug.wrappers import Response

from companion.engine.evenings import Statistics
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.book import say, words
from companion.sheets.store import NoSuchSheet
from companion.web.groups.access import (
    Visit,
    add_views,
    kept_group,
    kept_groups,
    own_link,
    problem_texts,
    typed_names,
)
from companion.web.groups.evenings import shown_evenings
from companion.web.keeper.access import forget, remember
from companion.web.keeper.board import next_seating, next_sides
from companion.web.keeper.sharing import join_by_code, shown_link
from companion.web.sheet_service import group_service

LATEST = 10
"""Evenings on the page of a group."""


def add_pages(groups: Blueprint) -> None:
    """The groups of this device, a new one, the page of a group, and its links."""
    groups.get("/<lang:lang>/groups")(my_groups)
    groups.post("/<lang:lang>/groups")(open_group)
    groups.get("/<lang:lang>/groups/join")(join_page)
    groups.post("/<lang:lang>/groups/join")(join)
    add_views(groups, "", group_page)
    groups.get("/<lang:lang>/groups/<group>/share")(share)
    groups.post("/<lang:lang>/groups/<group>/share")(create_link)
    groups.post("/<lang:lang>/groups/<group>/share/<link>/revoke")(revoke_link)
    groups.post("/<lang:lang>/groups/<group>/forget")(forget_group)


def my_groups(lang: str) -> str:
    """The groups that this device may keep, and the form of a new one."""
    return _my_groups()


def open_group(lang: str) -> Response | tuple[str, int]:
    """A new group, kept by this device from now on."""
    try:
        names = typed_names(request.form.get("names", ""))
        opened = group_service().open_group(request.form.get("title", ""), names, lang)
    except Refused as refused:
        return _my_groups(problem_texts(refused.problems, lang)), 422
    remember(opened.link)
    return redirect(f"/{lang}/groups/{opened.view.id}", 303)


def group_page(visit: Visit) -> str:
    """Who plays, who wins, and the latest evenings."""
    statistics = Statistics(group_service().played(visit.view))
    latest = {played.game: place for place, played in enumerate(statistics.games)}
    table = [(visit.group.members[row.player], row.wins) for row in statistics.table() if row.wins.of]
    known = sorted(GAMES.values(), key=lambda game: -latest.get(game.id, -1))
    games = [(game, words(game.id, visit.lang).name, visit.group.rules.get(game.id, "")) for game in known]
    return visit.render(
        "groups/group.html", table=table[:LATEST], evenings=shown_evenings(visit, LATEST),
        more=len(visit.group.sheets) > LATEST, games=games, next_table=_next_table(visit) if visit.keeps else None,
    )  # fmt: skip


def _next_table(visit: Visit) -> tuple[str, str] | None:
    """Return the next partners of those who played last, in words, and the address of their new sheet.

    None where they do not play in pairs of four, or are no longer all in the group.
    """
    joined = next(iter(visit.group.evenings()), None)
    try:
        view = group_service().sheet(joined) if joined else None
    except NoSuchSheet:
        return None
    if joined is None or view is None or view.game is None or not view.ledgers[-1].outcome.over:
        return None
    sides = next_sides(view.game, view.sheet.names)
    players = [joined.players[seat] for seat in next_seating(view.game.seating) if seat in joined.players]
    members = [member for player in players if (member := visit.group.who(player)).current]
    if not sides or len(members) < len(view.game.seating):
        return None
    code = view.games[view.game.game].options.code(view.house(view.game))
    asked = [("group", visit.view.id), ("rules", code), *(("player", member.id) for member in members)]
    return sides, f"/{visit.lang}/sheets/new/{view.game.game}?{urlencode(asked)}"


def join_page(lang: str) -> str:
    """Where the keeper link of a group leads."""
    return render_template("groups/join.html", path="groups/join")


def join(lang: str) -> Response | tuple[str, int]:
    """Take a code and let this device keep the group that it opens."""
    return join_by_code(group_service().find, "groups/join", f"/{lang}/groups")


def share(lang: str, group: str) -> str:
    """The links of a group; new ones are made here."""
    return _render_share(kept_group(lang, group))


def create_link(lang: str, group: str) -> str | tuple[str, int]:
    """A new link with its secret, which is shown this once."""
    visit = kept_group(lang, group)
    scope, label = request.form.get("scope", ""), request.form.get("label", "")
    try:
        made = group_service().create_link(group, scope, label)
    except Refused as refused:
        return _render_share(visit, problems=problem_texts(refused.problems, lang)), 422
    return _render_share(visit, made=shown_link(made, f"{lang}/groups/"))


def revoke_link(lang: str, group: str, link: str) -> Response:
    """Let a link open nothing from now on."""
    kept_group(lang, group)
    try:
        group_service().revoke_link(group, link)
    except NoSuchSheet:
        abort(404)
    flash(say(lang, "share.revoked"), "saved")
    return redirect(f"/{lang}/groups/{group}/share", 303)


def forget_group(lang: str, group: str) -> Response:
    """Let this device forget a group."""
    kept_group(lang, group)
    forget(group)
    return redirect(f"/{lang}/groups", 303)


def _my_groups(problems: list[str] | None = None) -> str:
    return render_template("groups/groups.html", groups=kept_groups(), problems=problems, path="groups")


def _render_share(visit: Visit, made: dict[str, object] | None = None, problems: list[str] | None = None) -> str:
    links = group_service().links(visit.view.id)
    own = own_link(visit.view.id).id
    return visit.render("groups/share.html", "/share", links=links, made=made, own=own, problems=problems)
