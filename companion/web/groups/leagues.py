"""Leagues of a group: begun, drawn round by round, with the standings after the games that have ended."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, request
from werkzeug.wrappers import Response

from companion.engine.cards import signed_text
from companion.engine.evenings import FORMS
from companion.engine.ledger import team_name
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.book import say, words
from companion.sheets.group_events import DrawRound, League, StartLeague
from companion.sheets.groups import LeagueTable, league_stand
from companion.sheets.shapes import read
from companion.web.groups.access import Visit, add_views, kept_group, problem_texts, write
from companion.web.keeper.entry import number_in
from companion.web.sheet_service import group_service

SEEDS: Final = 2**53


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table of a round: its players, the sheet that was opened for it, and the way to a new one."""

    number: int
    sides: tuple[str, ...]
    sheet: str
    winners: tuple[str, ...]
    over: bool
    url: str


def add_pages(groups: Blueprint) -> None:
    """The leagues of a group."""
    add_views(groups, "/leagues", leagues)
    add_views(groups, "/leagues/<int:number>", league_page)
    groups.post("/<lang:lang>/groups/<group>/leagues")(start_league)
    groups.post("/<lang:lang>/groups/<group>/leagues/<int:number>/draw")(draw_round)


def leagues(visit: Visit) -> str:
    """Every league, the latest first, and the form of a new one."""
    return _render_leagues(visit)


def start_league(lang: str, group: str) -> Response | tuple[str, int]:
    """A new league from the form."""
    visit, form = kept_group(lang, group), request.form
    asked: dict[str, object] = {name: form.get(name, "").strip() for name in ("title", "game", "form")}
    asked["players"] = form.getlist("player")
    for name in ("win", "level"):
        number = number_in(form.get(name, ""))
        asked[name] = form.get(name, "") if number is None else number
    try:
        view = write(visit, read(StartLeague, asked))
    except Refused as refused:
        return _render_leagues(visit, problem_texts(refused.problems, lang)), 422
    return redirect(f"{visit.base}/leagues/{len(view.group.leagues)}", 303)


def draw_round(lang: str, group: str, number: int) -> Response | tuple[str, int]:
    """Draw the next round; a form that is sent twice draws one."""
    visit = kept_group(lang, group)
    league = _league(visit, number)
    after = number_in(request.form.get("after", ""))
    try:
        command = {"league": number, "after": -1 if after is None else after, "seed": secrets.randbelow(SEEDS)}
        write(visit, read(DrawRound, command))
    except Refused as refused:
        return _render_league(visit, league, problem_texts(refused.problems, lang)), 422
    return redirect(f"{visit.base}/leagues/{number}#round-{len(league.rounds) + 1}", 303)


def league_page(visit: Visit, number: int) -> str:
    """The standings of a league and its rounds."""
    return _render_league(visit, _league(visit, number))


def _league(visit: Visit, number: int) -> League:
    return visit.group.leagues[number - 1] if 1 <= number <= len(visit.group.leagues) else abort(404)


def _render_leagues(visit: Visit, problems: list[str] | None = None) -> str:
    games = [(game, words(game, visit.lang).name) for game in GAMES]
    return visit.render("groups/leagues.html", "/leagues", problems=problems, games=games, forms=FORMS)


def _render_league(visit: Visit, league: League, problems: list[str] | None = None) -> str:
    stand = league_stand(visit.group, league, group_service().played(visit.view))
    rounds = [
        (
            drawn.number,
            [_table(visit, league, drawn.number, table) for table in drawn.tables],
            [visit.group.members[player] for player in drawn.resting],
        )
        for drawn in stand.rounds[::-1]
    ]
    return visit.render(
        "groups/league.html", f"/leagues/{league.number}", league=league, problems=problems, rounds=rounds,
        table=[(visit.group.members[place.player], place) for place in stand.places],
        game=words(league.game, visit.lang).name, signed=signed_text,
    )  # fmt: skip


def _table(visit: Visit, league: League, number: int, table: LeagueTable) -> ShownTable:
    asked = [("group", visit.view.id), ("league", league.number), ("round", number), ("table", table.number)]
    asked += [("player", player) for player in table.players]
    if code := visit.group.rules.get(league.game):
        asked.append(("rules", code))
    url = f"/{visit.lang}/sheets/new/{league.game}?{urlencode(asked)}" if visit.keeps else ""
    gone = say(visit.lang, "groups.gone")
    named, winners = (
        tuple(team_name(visit.group.who(each).name or gone for each in side) for side in sides)
        for sides in (table.sides, table.winners)
    )
    return ShownTable(table.number, named, table.sheet or "", winners, table.game is not None, url)
