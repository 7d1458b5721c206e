"""Pages of groups: members, evenings, leagues, links; those who keep a group may write, those who watch may read."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Final
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as BaseResponse

from companion.engine.cards import signed_text
from companion.engine.evenings import FORMS, Figure, Statistics
from companion.engine.ledger import team_name
from companion.engine.problems import Problem, Refused
from companion.games import GAMES
from companion.rulebook.words import rules_url, say, words
from companion.sheets.event import View
from companion.sheets.group_events import (
    AddMembers,
    DrawRound,
    Group,
    GroupCommand,
    JoinedSheet,
    KeepRules,
    League,
    Member,
    MergeMember,
    RemoveMember,
    RenameMember,
    StartLeague,
    TitleGroup,
)
from companion.sheets.groups import GroupView, LeagueTable, league_stand
from companion.sheets.shapes import read
from companion.sheets.store import SCORE, Link, NoSuchSheet, is_group
from companion.web import assets
from companion.web.http import Views
from companion.web.keeper import access
from companion.web.keeper.access import device_key, forget, form_seed, no_page, remember
from companion.web.keeper.board import Board, board, next_seating, next_sides
from companion.web.keeper.house_rules import number_in
from companion.web.keeper.sharing import join_by_code, revoke_of, shown_link, unless_known
from companion.web.sheet_service import device_service, group_service, sheet_service

_BETWEEN_NAMES = re.compile(r"[\n,、，;；]")


@dataclass(frozen=True, slots=True)
class Visit:
    """A group as somebody may see it: its address without the language, and whether changes are allowed."""

    view: GroupView
    lang: str
    path: str
    keeps: bool

    @property
    def group(self) -> Group:
        """The group."""
        return self.view.group

    @property
    def base(self) -> str:
        """The address of its page."""
        return f"/{self.lang}/{self.path}"

    def render(self, template: str, place: str = "", **facts: object) -> str:
        """Return a page of the group; `place` is its address after that of the group."""
        return render_template(template, visit=self, group=self.group, base=self.base, path=self.path + place, **facts)


_ShowVisit = Callable[..., ResponseReturnValue]


def add_views(groups: Blueprint, views: Views) -> None:
    """Add pages of a group that write nothing, for those who keep it and for those who watch it."""
    for rule, show in views.items():
        name = show.__name__
        groups.get(f"/<lang:lang>/groups/<group>{rule}", endpoint=name)(partial(_show_kept, show))
        groups.get(f"/<lang:lang>/groups/watch/<secret>{rule}", endpoint=f"watch_{name}")(partial(_show_watched, show))


def _show_kept(show: _ShowVisit, lang: str, group: str, **rest: str) -> ResponseReturnValue:
    return show(_kept_group(lang, group), **rest)


def _show_watched(show: _ShowVisit, lang: str, secret: str, **rest: str) -> ResponseReturnValue:
    visit = _watched_group(lang, secret)
    return show(visit, **rest) if isinstance(visit, Visit) else visit


def _kept_group(lang: str, group: str) -> Visit:
    """Return a group that this device may keep; alike for unknown and foreign, the page is not there."""
    try:
        own_link(group)
        return Visit(group_service().read(group), lang, f"groups/{group}", True)
    except NoSuchSheet:
        abort(404)


def _watched_group(lang: str, secret: str) -> Visit | Response:
    """Return the group behind a watch link; for unknown and revoked ones alike, a page that says what may be wrong."""
    service = group_service()
    try:
        view = service.read(service.find(secret).sheet)
    except NoSuchSheet:
        return no_page("keeper/no-link.html")
    return Visit(view, lang, f"groups/watch/{secret}", False)


def own_link(group: str) -> Link:
    """Return the link by which this device keeps a group. Raises NoSuchSheet."""
    key = device_key()
    if key is None or not is_group(group):
        raise NoSuchSheet(group)
    return device_service().link(key, group)


def _kept_groups() -> list[GroupView]:
    """Return the groups that this device may keep, the latest first."""
    key, service = device_key(), group_service()
    found = []
    for group in device_service().groups(key) if key else ():
        try:
            own_link(group)
            found.append(service.read(group))
        except NoSuchSheet:
            continue
    return found


def latest_group() -> tuple[GroupView, list[tuple[Member, Figure]]] | None:
    """Return the latest group that this device keeps, with its best players and their wins."""
    view = next(iter(_kept_groups()), None)
    return (view, _winners(view)[:_AT_HOME]) if view else None


def _winners(view: GroupView) -> list[tuple[Member, Figure]]:
    """Return everybody who has finished a game, by wins."""
    table = Statistics(group_service().played(view)).table()
    return [(view.group.members[row.player], row.wins) for row in table if row.wins.of]


def write(visit: Visit, command: GroupCommand) -> GroupView:
    """Write in a group under the label of this device's link. Raises Refused."""
    return group_service().do(visit.view.id, command, link=own_link(visit.view.id))


def readable_sheet(visit: Visit, sheet: str) -> View:
    """Return a sheet of a group with at least one game; 404 for another one."""
    joined = visit.group.sheets.get(sheet)
    try:
        view = group_service().sheet(joined) if joined else abort(404)
    except NoSuchSheet:
        abort(404)
    return view if view.game is not None else abort(404)


def _typed_names(text: str) -> list[str]:
    """Return the names that somebody typed, one a line or with commas between them."""
    return [name for each in _BETWEEN_NAMES.split(text) if (name := each.strip())]


def _problem_texts(problems: Iterable[Problem], lang: str) -> list[str]:
    """Return what keeps a form from being written, each sentence once."""
    own = words("", lang)
    return list(dict.fromkeys(own.problem(problem) for problem in problems))


_LATEST = 10
"""Evenings on the page of a group."""
_AT_HOME = 4
"""Players of a group on the front page."""


def my_groups(lang: str, problems: list[str] | None = None) -> str:
    """The groups that this device may keep, and the form of a new one."""
    return render_template("groups/groups.html", groups=_kept_groups(), problems=problems, path="groups")


def open_group(lang: str) -> BaseResponse | tuple[str, int]:
    """A new group, kept by this device from now on."""
    try:
        names = _typed_names(request.form.get("names", ""))
        opened = group_service().open_group(request.form.get("title", ""), names, lang, seed=form_seed())
    except Refused as refused:
        return my_groups(lang, _problem_texts(refused.problems, lang)), 422
    remember(opened.score_link)
    return redirect(f"/{lang}/groups/{opened.view.id}", 303)


def _group_page(visit: Visit) -> str:
    """Who plays, who wins, and the latest evenings."""
    games = [(game, words(game.id, visit.lang).name, visit.group.rules.get(game.id, "")) for game in GAMES.values()]
    return visit.render(
        "groups/group.html", table=_winners(visit.view)[:_LATEST], evenings=_shown_evenings(visit, _LATEST),
        more=len(visit.group.sheets) > _LATEST, games=games, next_table=_next_table(visit) if visit.keeps else None,
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
    sat = view.sheet.seated(visit.group.seated(view.id, view.sheet.players))
    members = [visit.group.members[sat[seat]] for seat in next_seating(view.game.seating) if seat in sat]
    members = [member for member in members if member.current]
    if not sides or len(members) < len(view.game.seating):
        return None
    code = view.games[view.game.game].options.code(view.house(view.game))
    asked = [("group", visit.view.id), ("rules", code), *(("player", member.id) for member in members)]
    return sides, f"/{visit.lang}/sheets/new/{view.game.game}?{urlencode(asked)}"


def join_page(lang: str) -> str:
    """Where the keeper link of a group leads."""
    return render_template("groups/join.html", path="groups/join")


def join(lang: str) -> BaseResponse | tuple[str, int]:
    """Take a code and let this device keep the group that it opens."""
    return join_by_code(group_service().find, "groups/join", f"/{lang}/groups")


def share(lang: str, group: str) -> str:
    """The links of a group; new ones are made here."""
    return _render_share(_kept_group(lang, group))


def _create_link(lang: str, group: str) -> str | tuple[str, int]:
    """A new link with its secret, which is shown this once."""
    visit = _kept_group(lang, group)
    scope, label = request.form.get("scope", ""), request.form.get("label", "")
    try:
        made = sheet_service().create_link(group, scope, label, seed=form_seed())
    except Refused as refused:
        return _render_share(visit, problems=_problem_texts(refused.problems, lang)), 422
    return _render_share(visit, made=shown_link(made, f"{lang}/groups/"))


def revoke_link(lang: str, group: str, link: str) -> BaseResponse:
    """Let a link open nothing from now on."""
    return revoke_of(_kept_group(lang, group).view.id, link, f"/{lang}/groups/{group}/share", lang)


def _forget_group(lang: str, group: str) -> BaseResponse:
    """Let this device forget a group."""
    _kept_group(lang, group)
    forget(group)
    return redirect(f"/{lang}/groups", 303)


def _render_share(visit: Visit, made: dict[str, object] | None = None, problems: list[str] | None = None) -> str:
    links = sheet_service().links(visit.view.id)
    own = own_link(visit.view.id).id
    return visit.render("groups/share.html", "/share", links=links, made=made, own=own, problems=problems)


_Fields = Callable[[Mapping[str, str]], dict[str, object]]


def _of(*names: str) -> _Fields:
    return lambda form: {name: form.get(name, "").strip() for name in names}


_COMMANDS: Final[Mapping[str, tuple[type[GroupCommand], _Fields]]] = {
    "add": (AddMembers, lambda form: {"names": _typed_names(form.get("names", ""))}),
    "rename": (RenameMember, _of("member", "name")),
    "merge": (MergeMember, _of("member", "into")),
    "remove": (RemoveMember, _of("member")),
    "title": (TitleGroup, _of("title")),
    "rules": (KeepRules, _of("game", "code")),
}


def members(lang: str, group: str) -> str:
    """Everybody of the group, with what can be changed."""
    return _render(_kept_group(lang, group))


def change(lang: str, group: str, kind: str) -> BaseResponse | tuple[str, int]:
    """Write down what a form says, and show the members again."""
    visit = _kept_group(lang, group)
    if kind not in _COMMANDS:
        abort(404)
    command, fields = _COMMANDS[kind]
    try:
        write(visit, read(command, fields(request.form)))
    except Refused as refused:
        return _render(visit, _problem_texts(refused.problems, lang)), 422
    flash(say(lang, "groups.saved"), "saved")
    return redirect(f"{visit.base}/members", 303)


def _render(visit: Visit, problems: list[str] | None = None) -> str:
    rules = []
    for game, code in visit.group.rules.items():
        own = words(game, visit.lang)
        house = GAMES[game].options.decode(code)
        rules.append((game, own.name, own.summary(GAMES[game].options, house), rules_url(visit.lang, game, code)))
    return visit.render("groups/members.html", "/members", problems=problems, rules=rules)


PAGE = 50
"""Evenings, or games and deals behind a number, on one page."""


def asked_page(rows: int) -> tuple[int, int]:
    """Return the page that is asked for, and how many there are."""
    pages = max(1, -(-rows // PAGE))
    return min(max(number_in(request.args.get("page", "")) or 1, 1), pages), pages


def evenings(visit: Visit) -> str:
    """Every evening, the latest first, and the sheets of this device that could be brought in."""
    page, pages = asked_page(len(visit.group.sheets))
    mine = access.kept_sheets() if visit.keeps else []
    own = [(view, board(view, visit.lang)) for view in mine if view.game and view.id not in visit.group.sheets]
    shown = _shown_evenings(visit, PAGE, (page - 1) * PAGE)
    return visit.render("groups/evenings.html", "/evenings", evenings=shown, page=page, pages=pages, own=own)


def evening(visit: Visit, sheet: str) -> str:
    """A sheet of the group to look at: every game with its deals."""
    view = readable_sheet(visit, sheet)
    boards = [board(view, visit.lang, number=game.number) for game in view.sheet.games]
    kept = visit.keeps and _keeps(sheet)
    return visit.render("groups/evening.html", f"/evenings/{sheet}", view=view, boards=boards[::-1], kept=kept)


def _bring_sheet(lang: str, group: str) -> BaseResponse:
    """Let a sheet that this device keeps belong to the group."""
    visit = _kept_group(lang, group)
    sheet = request.form.get("sheet", "")
    try:
        access.own_link(sheet)
        group_service().join(group, sheet, link=own_link(group))
        flash(say(lang, "groups.brought"), "saved")
    except NoSuchSheet:
        abort(404)
    except Refused as refused:
        flash(" ".join(_problem_texts(refused.problems, lang)), "warning")
    return redirect(f"{visit.base}/evenings", 303)


def _keep_sheet(lang: str, group: str, sheet: str) -> BaseResponse:
    """Let this device keep the score of a sheet of the group."""
    visit = _kept_group(lang, group)
    view = readable_sheet(visit, sheet)
    if not _keeps(sheet):
        access.remember(sheet_service().create_link(sheet, SCORE, own_link(group).label or visit.group.title).link)
    return redirect(f"/{lang}/sheets/{view.id}", 303)


def _leave_sheet(lang: str, group: str, sheet: str) -> BaseResponse:
    """Take a sheet out of the group."""
    visit = _kept_group(lang, group)
    if sheet not in visit.group.sheets:
        abort(404)
    group_service().leave(group, sheet, link=own_link(group))
    flash(say(lang, "groups.taken-out"), "saved")
    return redirect(f"{visit.base}/evenings", 303)


def night(visit: Visit) -> Response:
    """The totals of every table, large. Answers 304 while nothing has changed; a small script asks for it."""
    views = group_service().playing(visit.view)
    version = sha256(" ".join(f"{view.id}-{view.head.tag}" for view in views).encode()).hexdigest()[:16]
    tag = f"{version}-{visit.view.head.tag}-{visit.lang}-{assets.program_tag()}"

    def page() -> str:
        boards = [board(view, visit.lang) for view in views]
        return visit.render("groups/night.html", "/night", boards=boards, version=version)

    return unless_known(tag, page)


def _shown_evenings(visit: Visit, most: int, skip: int = 0) -> list[tuple[JoinedSheet, Board | None]]:
    """Return so many evenings of a group, the latest first; without a board where one cannot be read any more."""
    return [(joined, _board(visit, joined)) for joined in list(visit.group.evenings())[skip : skip + most]]


def _board(visit: Visit, joined: JoinedSheet) -> Board | None:
    try:
        view = group_service().sheet(joined)
    except NoSuchSheet:
        return None
    return board(view, visit.lang) if view.game else None


def _keeps(sheet: str) -> bool:
    try:
        access.own_link(sheet)
    except NoSuchSheet:
        return False
    return True


_SEEDS: Final = 2**53


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table of a round: its players, the sheet that was opened for it, and the way to a new one."""

    number: int
    sides: tuple[str, ...]
    sheet: str
    winners: tuple[str, ...]
    over: bool
    url: str


def leagues(visit: Visit, problems: list[str] | None = None) -> str:
    """Every league, the latest first, and the form of a new one."""
    games = [(game, words(game, visit.lang).name) for game in GAMES]
    return visit.render("groups/leagues.html", "/leagues", problems=problems, games=games, forms=FORMS)


def start_league(lang: str, group: str) -> BaseResponse | tuple[str, int]:
    """A new league from the form."""
    visit, form = _kept_group(lang, group), request.form
    asked: dict[str, object] = {name: form.get(name, "").strip() for name in ("title", "game", "form")}
    asked["players"] = form.getlist("player")
    for name in ("win", "level"):
        number = number_in(form.get(name, ""))
        asked[name] = form.get(name, "") if number is None else number
    try:
        command, key = read(StartLeague, asked), form_seed().decode()
        view = group_service().write(visit.view.id, command, key=key, link=own_link(visit.view.id)).view
    except Refused as refused:
        return leagues(visit, _problem_texts(refused.problems, lang)), 422
    return redirect(f"{visit.base}/leagues/{len(view.group.leagues)}", 303)


def draw_round(lang: str, group: str, number: int) -> BaseResponse | tuple[str, int]:
    """Draw the next round; a form that is sent twice draws one."""
    visit = _kept_group(lang, group)
    league = _league(visit, number)
    after = number_in(request.form.get("after", ""))
    try:
        command = {"league": number, "after": -1 if after is None else after, "seed": secrets.randbelow(_SEEDS)}
        write(visit, read(DrawRound, command))
    except Refused as refused:
        return _render_league(visit, league, _problem_texts(refused.problems, lang)), 422
    return redirect(f"{visit.base}/leagues/{number}#round-{len(league.rounds) + 1}", 303)


def _league_page(visit: Visit, number: int) -> str:
    """The standings of a league and its rounds."""
    return _render_league(visit, _league(visit, number))


def _league(visit: Visit, number: int) -> League:
    return visit.group.leagues[number - 1] if 1 <= number <= len(visit.group.leagues) else abort(404)


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
    if code := visit.group.rules_for(league, table.sides):
        asked.append(("rules", code))
    url = f"/{visit.lang}/sheets/new/{league.game}?{urlencode(asked)}" if visit.keeps else ""
    gone = say(visit.lang, "groups.gone")
    named, winners = (
        tuple(team_name(visit.group.who(each).name or gone for each in side) for side in sides)
        for sides in (table.sides, table.winners)
    )
    return ShownTable(table.number, named, table.sheet or "", winners, table.game is not None, url)


ROUTES: Views = {
    "GET /groups": my_groups,
    "POST /groups": open_group,
    "GET /groups/join": join_page,
    "POST /groups/join": join,
    "GET /groups/<group>/share": share,
    "POST /groups/<group>/share": _create_link,
    "POST /groups/<group>/share/<link>/revoke": revoke_link,
    "POST /groups/<group>/forget": _forget_group,
    "GET /groups/<group>/members": members,
    "POST /groups/<group>/do/<kind>": change,
    "POST /groups/<group>/evenings": _bring_sheet,
    "POST /groups/<group>/evenings/<sheet>/keep": _keep_sheet,
    "POST /groups/<group>/evenings/<sheet>/leave": _leave_sheet,
    "POST /groups/<group>/leagues": start_league,
    "POST /groups/<group>/leagues/<int:number>/draw": draw_round,
}
VIEWS: Views = {
    "": _group_page,
    "/night": night,
    "/evenings": evenings,
    "/evenings/<sheet>": evening,
    "/leagues": leagues,
    "/leagues/<int:number>": _league_page,
}
"""Every page but the statistics, and what forms are sent to; after the address of a group, what writes nothing."""
