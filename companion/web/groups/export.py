"""A group to take elsewhere: its games, deals and statistics as JSON, and every player's deals as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any, Final

from flask import Blueprint, Response, current_app

from companion.engine.game import Game
from companion.engine.played import PlayedGame
from companion.engine.statistics import Figure, Statistics
from companion.games import GAMES
from companion.sheets.export import safe_cell
from companion.sheets.groups.played import place_of
from companion.sheets.groups.state import Group
from companion.sheets.log import stamp
from companion.web.groups.access import Visit, add_views
from companion.web.sheet_service import group_service

FORMAT: Final = "companion-group"
FORMAT_VERSION: Final = 1
MARK: Final = "\ufeff"
"""What tells a spreadsheet that the file is UTF-8."""
COLUMNS: Final = (
    "date", "sheet", "game_number", "game", "deal", "player", "name", "side", "points", "total", "finished", "result",
)  # fmt: skip


def add_pages(groups: Blueprint) -> None:
    """The two files."""
    add_views(groups, "/export.json", export_json)
    add_views(groups, "/export.csv", export_csv)


def export_json(visit: Visit) -> Response:
    """Everything that the pages of a group say, as one JSON value."""
    games = Statistics(group_service().played(visit.view)).games
    return _file(current_app.json.dumps(group_json(visit.group, games)), "application/json", "json")


def export_csv(visit: Visit) -> Response:
    """A row for each player in each scored deal, safe to open in a spreadsheet."""
    games = Statistics(group_service().played(visit.view)).games
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    for game in games:
        rows.writerows([safe_cell(value) for value in row] for row in _rows(visit.group, game))
    return _file(MARK + out.getvalue(), "text/csv", "csv")


def group_json(group: Group, games: tuple[PlayedGame, ...]) -> dict[str, Any]:
    """Return a group with its games and statistics as plain values; players are named by their ids."""
    members = [
        {"id": member.id, "name": member.name, "removed": member.removed, "into": member.into or None}
        for member in group.members.values()
    ]
    return {
        "format": FORMAT, "format_version": FORMAT_VERSION, "title": group.title, "members": members,
        "rules": dict(group.rules), "games": [_game_json(game) for game in games], "statistics": statistics_json(games),
    }  # fmt: skip


def statistics_json(games: tuple[PlayedGame, ...]) -> list[dict[str, Any]]:
    """Return the numbers of every player over all games, and over those of each kind."""
    found = Statistics(games)
    kinds = {
        game: Statistics(each for each in games if each.game == game) for game in {each.game: None for each in games}
    }
    return [
        {
            "player": player,
            "wins": _figure(found.wins(player)),
            "longest_streak": found.longest_streak(player).count,
            "streak": found.streak(player).count,
            "partners": {other: _figure(figure) for other, figure in found.partners(player)},
            "opponents": {other: _figure(figure) for other, figure in found.opponents(player)},
            "games": {
                game: _of_kind(GAMES[game], kind, player) for game, kind in kinds.items() if player in kind.players
            },
        }
        for player in found.players
    ]


def _of_kind(game: Game, statistics: Statistics, player: str) -> dict[str, Any]:
    return {
        "wins": _figure(statistics.wins(player)),
        "points": _figure(statistics.points(player)),
        "comeback": statistics.comeback(player).count,
        "measures": {
            measure.name: _figure(figure)
            for measure in game.measures
            if (figure := statistics.measured(player, measure.name)).of
        },
    }


def _figure(figure: Figure) -> dict[str, int]:
    drawn = {"drawn": figure.drawn} if figure.drawn else {}
    return {"count": figure.count, "of": figure.of, **drawn}


def _game_json(game: PlayedGame) -> dict[str, Any]:
    sheet, number = place_of(game.id)
    return {
        "sheet": sheet, "game_number": number, "at": stamp(game.at), "game": game.game,
        "sides": [list(side) for side in game.sides], "finished": game.over, "winners": list(game.winners),
        "deals": [
            {
                "number": deal.number, "points": list(deal.points), "totals": list(deal.totals),
                "counts": {name: dict(counts) for name, counts in deal.counts.items()},
            }
            for deal in game.deals
        ],
    }  # fmt: skip


def _rows(group: Group, game: PlayedGame) -> Iterator[tuple[object, ...]]:
    sheet, number = place_of(game.id)
    for deal in game.deals:
        for place, side in enumerate(game.sides):
            won = place in game.winners
            result = ("won" if len(game.winners) == 1 else "drawn") if won else "lost" if game.over else ""
            for player in side:
                yield (
                    *(game.at.date().isoformat(), sheet, number, game.game, deal.number, player),
                    *(group.who(player).name, place + 1, deal.points[place], deal.totals[place]),
                    *(int(game.over), result),
                )


def _file(text: str, kind: str, ending: str) -> Response:
    response = Response(text, mimetype=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="group.{ending}"'
    return response
