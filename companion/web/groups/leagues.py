"""Leagues of a group: begun, drawn round by round, with the standings after the games that have ended."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, request
from werkzeug.wrappers import Response

from companion.engine.league import FORMS, standings
from companion.engine.ledger import team_name
from companion.engine.played import PlayedGame
from companion.engine.problems import Refused
from companion.games import GAMES
from companion.rulebook.book import say, words
from companion.rulebook.messages import signed_text
from companion.sheets.groups.leagues import DrawRound, StartLeague
from companion.sheets.groups.played import place_of
from companion.sheets.groups.state import League, Member
from companion.sheets.shapes import read
from companion.web.groups.access import Visit, add_views, kept_group, write
from companion.web.groups.words import problem_texts
from companion.web.keeper.forms import number_in
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
    of_league = {sheet: joined.table for sheet, joined in visit.group.sheets.items() if joined.table}
    tables = {sheet: table[1:] for sheet, table in of_league.items() if table[0] == league.number}
    sheets = {table: sheet for sheet, table in tables.items()}
    results = _results(visit, tables)
    players = list(dict.fromkeys(visit.group.who(player).id for player in league.players))
    table = [(visit.group.who(each.player), each) for each in standings(players, results, league.win, league.level)]
    rounds = [
        [_table(visit, league, (number, place), seats, sheets, results) for place, seats in enumerate(tables, start=1)]
        for number, tables in enumerate(league.rounds, start=1)
    ]
    resting = [_resting(visit, players, tables) for tables in league.rounds]
    return visit.render(
        "groups/league.html", f"/leagues/{league.number}", league=league, table=table, problems=problems,
        rounds=list(zip(range(1, len(rounds) + 1), rounds, resting, strict=True))[::-1],
        game=words(league.game, visit.lang).name, signed=signed_text,
    )  # fmt: skip


def _results(visit: Visit, tables: dict[str, tuple[int, int]]) -> dict[tuple[int, int], PlayedGame]:
    """Return the first finished game of each sheet that was opened for a table."""
    found: dict[tuple[int, int], PlayedGame] = {}
    for game in group_service().played(visit.view):
        table = tables.get(place_of(game.id)[0])
        if table and game.over:
            found.setdefault(table, game)
    return found


def _table(
    visit: Visit,
    league: League,
    place: tuple[int, int],
    seats: tuple[str, ...],
    sheets: dict[tuple[int, int], str],
    results: dict[tuple[int, int], PlayedGame],
) -> ShownTable:
    players = tuple(visit.group.who(player) for player in seats)
    game = results.get(place)
    sides = (players[0::2], players[1::2]) if len(players) == 4 else [(player,) for player in players]
    won = [[visit.group.who(who) for who in game.sides[side]] for side in game.winners] if game else []
    asked = [("group", visit.view.id), ("league", league.number), ("round", place[0]), ("table", place[1])]
    asked += [("player", player.id) for player in players]
    if code := visit.group.rules.get(league.game):
        asked.append(("rules", code))
    url = f"/{visit.lang}/sheets/new/{league.game}?{urlencode(asked)}" if visit.keeps else ""
    gone = say(visit.lang, "groups.gone")
    named, winners = ([team_name(each.name or gone for each in side) for side in of] for of in (sides, won))
    return ShownTable(place[1], tuple(named), sheets.get(place, ""), tuple(winners), game is not None, url)


def _resting(visit: Visit, players: list[str], tables: tuple[tuple[str, ...], ...]) -> list[Member]:
    seated = {visit.group.who(player).id for table in tables for player in table}
    return [visit.group.who(player) for player in players if player not in seated]
