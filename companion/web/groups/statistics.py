"""Statistics of a group: tables of players, the numbers of one, the games and deals behind each number, and files."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlencode

from flask import Response, abort, request

from companion.engine.cards import BYTE_ORDER_MARK, number_text, signed_text
from companion.engine.evenings import Behind, Figure, Statistics, games_of
from companion.engine.ledger import Measure, PlayedGame
from companion.games import GAMES
from companion.rulebook.words import say, words
from companion.sheets.event import View
from companion.sheets.group_events import Group, Member
from companion.sheets.groups import place_of
from companion.sheets.store import NoSuchSheet
from companion.web.groups.groups import PAGE, Visit, asked_page, readable_sheet
from companion.web.http import Views, as_file
from companion.web.keeper.board import SIDE_MARKS, board, chart
from companion.web.keeper.house_rules import number_in
from companion.web.sheet_service import group_service


@dataclass(frozen=True)
class Choice:
    """Which games count: those of one kind, of one year, or all."""

    games: tuple[PlayedGame, ...]
    """Every game of the group."""
    game: str = ""
    year: int | None = None

    @cached_property
    def chosen(self) -> Statistics:
        """The statistics of the games that count."""
        return Statistics(games_of(self.games, self.game, self.year))

    @property
    def kinds(self) -> list[str]:
        """The kinds of games that were played, in the order in which this program has them."""
        played = {each.game for each in self.games}
        return [game for game in GAMES if game in played]

    @property
    def years(self) -> list[int]:
        """The years in which games were played, the latest first."""
        return sorted({each.at.year for each in self.games}, reverse=True)

    def query(self, **changes: object) -> str:
        """Return the choice as the end of an address, with these changes."""
        given = {"game": self.game, "year": self.year} | changes
        asked = urlencode({name: value for name, value in given.items() if value})
        return f"?{asked}" if asked else ""


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A number in words: what leads, what it is out of, and where it is explained."""

    text: str
    out_of: str
    url: str
    title: str = ""
    help: str = ""
    share: float | None = None
    """The part of the whole, where it is one."""


@dataclass(frozen=True, slots=True)
class ShownBehind:
    """A game or a deal behind a number: when, who played, and what it brought."""

    at: datetime
    sides: str
    deal: int | None
    brought: str
    url: str


def statistics(visit: Visit) -> str:
    """Tables of all players: wins, and for one kind of game all that it counts."""
    choice = _choice(visit)
    place = f"/statistics{choice.query()}"
    figures = group_service().text(visit.view, visit.base + place, lambda games: _render_figures(visit, choice))
    return visit.render(
        "groups/statistics.html", place, choice=choice, kinds=_kinds(choice, visit.lang), figures=figures
    )  # fmt: skip


def _render_figures(visit: Visit, choice: Choice) -> str:
    kinds = choice.kinds
    alone = Choice(choice.games, choice.game or (kinds[0] if len(kinds) == 1 else ""), choice.year)
    whats = ["wins", *_of_game(alone.game), "longest"] if alone.game else ["wins", "streak", "longest"]
    rows = [
        (who, row.wins.of, [_shown(visit, alone, who, what, _figure(alone, row.player, what)) for what in whats])
        for row in alone.chosen.table() if row.wins.of and (who := visit.group.who(row.player))
    ]  # fmt: skip
    return visit.render(
        "groups/figures.html", choice=choice, rows=rows, course=_course(alone.chosen, visit.group),
        points=whats.index("points") if alone.game else 0,
    )  # fmt: skip


_MOST_COURSES: Final = 6
"""Number of lines in the drawing of wins."""


def _course(found: Statistics, group: Group) -> dict[str, Any] | None:
    """Return the wins of the best players, evening by evening, as lines of a drawing."""
    best = [row for row in found.table() if row.wins.of][:_MOST_COURSES]
    day = {game.id: game.at.date() for game in found.games if game.over}
    evenings = sorted(set(day.values()))
    totals = [
        [sum(one.count for one in row.wins.behind if day[one.game] <= evening) for evening in evenings] for row in best
    ]
    marks = [(SIDE_MARKS[place], group.who(row.player).name) for place, row in enumerate(best)]
    drawn = chart(marks, totals, best[0].wins.count if best else None)
    return {"drawn": drawn, "totals": [course[-1] for course in totals], "evenings": evenings} if drawn else None


def _player_page(visit: Visit, player: str) -> str:
    """The numbers of one player, each with the way to what is behind it."""
    member, choice = _member(visit, player), _choice(visit)
    found = choice.chosen

    def shown(what: str, figure: Figure, other: Member | None = None) -> ShownFigure:
        return _shown(visit, choice, member, what, figure, other)

    general = [
        shown("wins", found.wins(member.id)),
        shown("streak", found.streak(member.id)),
        shown("longest", found.longest_streak(member.id)),
    ]
    games = []
    for game in [choice.game] if choice.game else choice.kinds:
        alone = Choice(choice.games, game, choice.year)
        figures = [_shown(visit, alone, member, what, _figure(alone, member.id, what)) for what in _of_game(game)]
        if said := [each for each in figures if each.text]:
            games.append((words(game, visit.lang).name, said))
    partners = [(who, shown("with", figure, who)) for who, figure in _others(visit, found.partners(member.id))]
    opponents = [(who, shown("against", figure, who)) for who, figure in _others(visit, found.opponents(member.id))]
    return visit.render(
        "groups/player.html", f"/statistics/{member.id}" + choice.query(), member=member, choice=choice,
        general=general, games=games, partners=partners, opponents=opponents, kinds=_kinds(choice, visit.lang),
    )  # fmt: skip


def _behind_page(visit: Visit, player: str, what: str) -> str:
    """The games or deals behind one number of a player."""
    member, choice = _member(visit, player), _choice(visit)
    other = _member(visit, request.args.get("other", "")) if what in ("with", "against") else None
    figure = _figure(choice, member.id, what, other.id if other else "")
    page, pages = asked_page(len(figure.behind))
    games = {game.id: game for game in choice.games}
    rows = [
        _behind(visit, games[each.game], each, what) for each in figure.behind[::-1][(page - 1) * PAGE : page * PAGE]
    ]
    query = choice.query(other=other.id if other else "")
    return visit.render(
        "groups/behind.html", f"/statistics/{member.id}/{what}{query}", member=member, choice=choice, rows=rows,
        page=page, pages=pages, shown=_shown(visit, choice, member, what, figure, other),
        of_games=bool(figure.behind) and figure.behind[0].deal is None,
    )  # fmt: skip


def _deal_page(visit: Visit, sheet: str, number: int, deal: int) -> str:
    """One deal of an evening: the points of every side, line by line."""
    view = readable_sheet(visit, sheet)
    if not 1 <= number <= len(view.sheet.games):
        abort(404)
    shown = board(view, visit.lang, number=number)
    found, scored = next((each for each in shown.deals if each[0].number == deal), None) or abort(404)
    place = f"/evenings/{sheet}/{number}/{deal}"
    return visit.render("groups/deal.html", place, view=view, board=shown, deal=found, scored=scored)


# Numbers --------------------------------------------------------------------------------------------------------------


def _export_json(visit: Visit) -> Response:
    """Everything that the pages of a group say, as one JSON value."""
    return as_file(Response(group_service().export_json(visit.view), mimetype="application/json"), "group.json")


def _export_csv(visit: Visit) -> Response:
    """A row for each player in each scored deal, safe to open in a spreadsheet."""
    return as_file(Response(BYTE_ORDER_MARK + group_service().export_csv(visit.view), mimetype="text/csv"), "group.csv")


def _of_game(game: str) -> list[str]:
    """Return the names of what a game counts: parts of a whole, points, and the other means."""
    shares, means = ([each.name for each in GAMES[game].measures if each.share is share] for share in (True, False))
    return [*shares, "points", *means, "comeback"]


def _measure(game: str, what: str) -> Measure | None:
    return next((measure for measure in GAMES[game].measures if measure.name == what), None) if game in GAMES else None


def _figure(choice: Choice, player: str, what: str, other: str = "") -> Figure:
    """Return a number by its name in an address; 404 for one that there is not, or not without a game."""
    found = choice.chosen
    match what:
        case "wins":
            return found.wins(player)
        case "streak":
            return found.streak(player)
        case "longest":
            return found.longest_streak(player)
        case "with" if other:
            return found.beside(player, other)
        case "against" if other:
            return found.against(player, other)
        case "points" if choice.game:
            return found.points(player)
        case "comeback" if choice.game:
            return found.comeback(player)
    return found.measured(player, what) if _measure(choice.game, what) else abort(404)


def _shown(
    visit: Visit, choice: Choice, member: Member, what: str, figure: Figure, other: Member | None = None
) -> ShownFigure:
    lang, measure = visit.lang, _measure(choice.game, what)
    url = f"{visit.base}/statistics/{member.id}/{what}{choice.query(other=other.id if other else '')}"
    if measure is not None:
        own = words(choice.game, lang)
        title, about = own.say(f"measures.{what}"), own.say(f"measures.{what}-help")
    else:
        name = visit.group.who(other.id).name if other else ""
        title, about = say(lang, f"groups.stat-{what}", name=name), ""
        if what in ("points", "comeback"):
            about = say(lang, f"groups.stat-{what}-help")
    text, out_of, share, rate = "", "", None, figure.rate or 0
    if not figure.behind:
        pass
    elif what in ("streak", "longest", "comeback"):
        text = number_text(figure.count)
    elif what == "points" or (measure is not None and not measure.share):
        text = number_text(rate, "z.1f" if abs(rate) >= 10 else "z.2f")
        out_of = say(lang, "groups.over-deals", count=figure.of)
    else:
        text = str(figure.count) if measure is None else say(lang, "groups.percent", percent=round(100 * rate))
        out_of, share = say(lang, "groups.out-of", count=figure.of), rate
        if figure.drawn:
            out_of += say(lang, "keeper.comma") + say(lang, "groups.drawn", count=figure.drawn)
    return ShownFigure(text, out_of, url, title, about, share)


def _behind(visit: Visit, game: PlayedGame, behind: Behind, what: str) -> ShownBehind:
    sheet, number = place_of(game.id)
    gone = say(visit.lang, "groups.unreadable")
    view = _readable(visit, sheet)
    played = view.sheet.games[number - 1] if view else None
    names = view.sheet.names_in(played) if view and played else {}
    sides = " – ".join(names[side.id] for side in played.sides) if played else gone
    if behind.deal is None:
        brought, url = say(visit.lang, f"groups.result-{behind.result}"), f"{visit.base}/evenings/{sheet}#g{number}"
    else:
        url = f"{visit.base}/evenings/{sheet}/{number}/{behind.deal}"
        brought = signed_text(behind.count) if what == "points" else number_text(behind.count)
        if behind.of > 1 or ((measure := _measure(game.game, what)) is not None and measure.share):
            brought = f"{behind.count}/{behind.of}"
    return ShownBehind(game.at, sides, behind.deal, brought, url)


# What is asked --------------------------------------------------------------------------------------------------------


def _choice(visit: Visit) -> Choice:
    game, year = request.args.get("game", ""), number_in(request.args.get("year", ""))
    return Choice(tuple(group_service().played(visit.view)), game if game in GAMES else "", year or None)


def _member(visit: Visit, player: str) -> Member:
    return visit.group.who(player) if player in visit.group.members else abort(404)


def _others(visit: Visit, found: list[tuple[str, Figure]]) -> list[tuple[Member, Figure]]:
    return [(visit.group.who(player), figure) for player, figure in found]


def _kinds(choice: Choice, lang: str) -> list[tuple[str, str]]:
    return [(game, words(game, lang).name) for game in choice.kinds]


def _readable(visit: Visit, sheet: str) -> View | None:
    joined = visit.group.sheets.get(sheet)
    try:
        return group_service().sheet(joined) if joined else None
    except NoSuchSheet:
        return None


VIEWS: Views = {
    "/statistics": statistics,
    "/statistics/<player>": _player_page,
    "/statistics/<player>/<what>": _behind_page,
    "/evenings/<sheet>/<int:number>/<int:deal>": _deal_page,
    "/export.json": _export_json,
    "/export.csv": _export_csv,
}
"""Pages of statistics, after the address of a group."""
