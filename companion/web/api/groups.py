"""The operations about groups, with the shapes of what is sent and answered."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from flask import Response, current_app

from companion.engine import shapes as s
from companion.engine.evenings import FORMS
from companion.engine.game import AnswerShape
from companion.engine.ledger import PlayedGame
from companion.games import GAMES
from companion.rulebook.answers import OutcomeShape, StandingShape
from companion.sheets.event import View
from companion.sheets.events import OpenSheet
from companion.sheets.group_events import COMMAND as GROUP_COMMAND
from companion.sheets.group_events import EVENTS, Group, JoinedSheet, JoinSheet, OpenGroup, Table, read_group_command
from companion.sheets.groups import (
    GroupFileShape,
    GroupView,
    MemberShape,
    PlayerFiguresShape,
    league_stand,
    player_figures,
)
from companion.sheets.shapes import read, shape_of
from companion.sheets.store import SCORE, WATCH, NoSuchSheet, stamp
from companion.web.api import examples
from companion.web.api.document import Document
from companion.web.api.http import (
    PREFIX,
    CursorParameter,
    Declined,
    NumberParameter,
    Operation,
    Tag,
    cursor,
    json_body,
    query,
    reply,
    reply_if_new,
    with_next,
)
from companion.web.api.sheets import (
    ETAG,
    IF_MATCH,
    KEY,
    MADE,
    NEW_LINK,
    OPTIONAL_KEY,
    UNCHANGED,
    UTC,
    EntryField,
    EntryShape,
    LinksShape,
    Made,
    NewLinkAnswerShape,
    NumberedGameShape,
    OfGame,
    OpenedShape,
    OpenedSheetShape,
    SheetShape,
    ShownGame,
    answer_done,
    entry_shapes,
    guard,
    idempotency_key,
    idempotency_seed,
    may_keep_group,
    may_watch_group,
    new_link,
    opened_sheet,
    shown_games,
    time_at,
    unchanged,
    use_words_of,
    wanted_version,
    with_tag,
)
from companion.web.groups.statistics import Choice
from companion.web.http import as_file, current_language
from companion.web.sheet_service import group_service, sheet_service

_NEW_GROUP: Final = shape_of(OpenGroup)
_COMMAND: Final = {"$ref": "#/components/schemas/GroupCommand"}
_POINTS: Final = "Points of the league."


@dataclass(frozen=True, slots=True)
class OpenSheetInGroup(OpenSheet):
    """Open a sheet of a group; with `table`, for the table of a league."""

    table: Table = ()


_NEW_SHEET: Final = shape_of(OpenSheetInGroup)


class OpenedGroupShape(OpenedShape):
    """A new group."""


class LeagueShape(AnswerShape):
    """A league of a group."""

    number = s.Integer("From 1.")
    title = s.Text()
    game = s.Word(tuple(GAMES), "The id of the game.")
    form = s.Word(FORMS, "How rounds are drawn.")
    players = s.ListOf(s.Text(), "Members, as they were when it began.")
    win = s.Integer(_POINTS, unit="points")
    level = s.Integer(_POINTS, unit="points")
    at = time_at("at")
    rounds = s.Integer("How many have been drawn.", get=lambda league, _: len(league.rounds))


class GroupShape(AnswerShape):
    """A group at its latest version."""

    id = s.Text("The id of the group.")
    version = s.Integer("The sequence number of its latest event; its ETag.", get="head.version")
    title = s.Text(get="group.title")
    lang = s.Text("The language in which it was opened; may be empty.", get="group.lang")
    opened = time_at("group.opened")
    changed = time_at("group.changed")
    members = s.ListOf(
        s.Object(MemberShape), "In the order in which they came.", get=lambda view, _: view.group.members.values()
    )
    rules = s.Keyed(s.Text(), "The code of the house rules that the group plays, by game.", get="group.rules")
    sheets = s.Integer("How many there are.", get=lambda view, _: len(view.group.sheets))
    leagues = s.ListOf(s.Object(LeagueShape), get="group.leagues")


class GroupEntryShape(EntryShape):
    """Something that happened to a group; never changed, never removed."""


_EVENT_SHAPES: Final = entry_shapes(EVENTS, GroupEntryShape)


class WrittenGroupShape(AnswerShape):
    """What a command has written, and the group after it."""

    events = s.ListOf(EntryField("GroupEvent", _EVENT_SHAPES), "None where the command changed nothing.", get="entries")
    version = s.Integer("The version to which they brought the group; its ETag.", get="head.version")
    group = s.Object(GroupShape, "The group as it is now.", get="view")


class GroupGameSideShape(AnswerShape):
    """Who scores together."""

    id = s.Text("The id of the side.")
    name = s.Text("The names of the players.", get=lambda side, own: own.side_name(side))
    players = s.ListOf(s.Text(), "The seats of the players.")


class GroupGameShape(NumberedGameShape):
    """How the current game of a sheet stands."""

    sides = s.ListOf(s.Object(GroupGameSideShape), get="game.sides")
    deals = s.Integer("How many have been recorded.", get=lambda shown, _: len(shown.game.deals))
    standing = s.Keyed(s.Object(StandingShape), "The totals, in points.", get="ledger.standing")
    outcome = s.Object(OutcomeShape, get="ledger.outcome")


class Evening(NamedTuple):
    """A sheet of a group, and what of it the group may read; None where it may not read it any more."""

    group: Group
    joined: JoinedSheet
    view: View | None

    @property
    def players(self) -> Mapping[str, str]:
        """The members by their seats."""
        sheet = self.view.sheet if self.view else None
        return sheet.seated(self.group.seated(self.joined.id, sheet.players)) if sheet else {}

    @property
    def game(self) -> ShownGame | None:
        """The current game."""
        return shown_games(self.view)[-1] if self.view and self.view.game else None


class GroupSheetShape(AnswerShape):
    """A sheet of a group; where the group may not read it any more, `version` and what follows from it are null."""

    id = s.Text("The id of the sheet.", get="joined.id")
    joined = time_at("joined.at")
    table = s.ListOf(
        s.Integer(), "The league, its round and the table for which it was opened.", nullable=True, get="joined.table"
    )
    players = s.Keyed(s.Text(), "Who of the group sits at each seat; guests are left out.")
    version = s.Integer(
        "The sequence number of its latest event.",
        nullable=True,
        get=lambda shown, _: shown.view and shown.view.version,
    )
    title = s.Text("May be empty.", nullable=True, get=lambda shown, _: shown.view and shown.view.sheet.title)
    changed = s.Text(UTC, nullable=True, get=lambda shown, _: shown.view and stamp(shown.view.sheet.changed))
    game = OfGame(GroupGameShape, nullable=True)


class _SheetsPage(NamedTuple):
    """Sheets of a group, and the cursor of the next page."""

    sheets: list[Evening]
    next: str | None


class GroupSheetsShape(AnswerShape):
    """Sheets of a group, the latest to join first; `next` is the cursor of the next page, null on the last."""

    sheets = s.ListOf(s.Object(GroupSheetShape))
    next = s.Text("Sent as `cursor`.", nullable=True)


class PlayingShape(AnswerShape):
    """The tables that play now, in the order in which their sheets joined."""

    tables = s.ListOf(s.Object(GroupSheetShape), get=".")


class SheetSecretShape(s.Shape[s.Attributes]):
    """The score secret of a sheet that shall belong to a group."""

    secret = s.Text("That of the sheet, or of a link with the scope `score`.", most=200)


class GroupStatisticsShape(AnswerShape):
    """The numbers of the players of a group, in the order of the table of wins."""

    game = s.Text("The kind of game asked for.", nullable=True, get=lambda choice, _: choice.game or None)
    year = s.Integer("The year asked for (UTC).", nullable=True)
    years = s.ListOf(s.Integer(), "The years in which games were played, the latest first.")
    players = s.ListOf(s.Object(PlayerFiguresShape), get=lambda choice, _: player_figures(choice.chosen.games))


class PlaceShape(AnswerShape):
    """A place in a league."""

    player = s.Text("The id of the member.")
    points = s.Integer(_POINTS, unit="points")
    played = s.Integer("Games that count.")
    won = s.Integer("Games won.")
    difference = s.Integer("Points of the game above those of the best other side, summed.", unit="points")


class LeagueTableShape(AnswerShape):
    """A table of a round."""

    number = s.Integer("From 1.")
    players = s.ListOf(s.Text(), "Members, clockwise.")
    sheet = s.Text("The sheet that was opened for it.", nullable=True)
    finished = s.Flag("Whether a game on it has ended.", get=lambda table, _: table.game is not None)
    winners = s.ListOf(s.ListOf(s.Text()), "The sides that have won; several for a draw.")


class LeagueRoundShape(AnswerShape):
    """A round that was drawn."""

    number = s.Integer("From 1.")
    tables = s.ListOf(s.Object(LeagueTableShape))
    resting = s.ListOf(s.Text(), "Members who sit at none.")


class LeagueStandShape(AnswerShape):
    """A league with its places, the first one first, and its rounds. Members are those after all mergers."""

    league = s.Object(LeagueShape)
    places = s.ListOf(s.Object(PlaceShape))
    rounds = s.ListOf(s.Object(LeagueRoundShape))


def _unions(refer: s.Refer) -> dict[str, s.JsonSchema]:
    """Return the schemas of any command and any event by their names; `refer` describes a shape."""
    return {
        "GroupCommand": {"description": "What is to be written in a group.", **GROUP_COMMAND.json_schema(refer)},
        "GroupEvent": {
            "description": GroupEntryShape.__doc__, **s.Variants("kind", _EVENT_SHAPES).json_schema(refer),
        },
    }  # fmt: skip


_PLACE = "groups/"
"""Where the pages of groups are."""
_MOST_SHEETS_A_PAGE = 100


class SheetsQuery(s.OpenShape[s.Attributes]):
    """What a query for the sheets of a group may hold."""

    limit = NumberParameter(low=1, high=_MOST_SHEETS_A_PAGE, default=_MOST_SHEETS_A_PAGE)
    cursor = CursorParameter()


class StatisticsQuery(s.OpenShape[s.Attributes]):
    """What a query for the numbers of a group may hold."""

    game = s.Word(GAMES, "Games of one kind only.", optional=True)
    year = NumberParameter("Games of one year only, in UTC.", low=1970, high=9999, optional=True)


_NEXT = {
    name: {"operationId": name, "parameters": {"group": "$response.body#/id"}}
    for name in ("readGroup", "writeGroupEvents", "openGroupSheet", "createGroupLink")
}
"""What can be done with a new group."""

groups = Tag(
    "groups",
    "People who play together: players, sheets, statistics, leagues. A group is a log like a sheet, opened by secrets "
    "of its own: one watches, the other one also changes the group and opens sheets in it.",
)


def describe(document: Document) -> None:
    """Add the schemas of commands and events, and how a secret is sent."""
    document.register_parameter("group", "The id of the group.", {"type": "string"})
    document.register_parameter("league", "The number of the league, from 1.", {"type": "integer", "minimum": 1})
    for name, schema in _unions(document.refer).items():
        document.spec.components.schema(name, schema)
    about = "The watch or the score secret of a group, shown when the group or the link was made."
    document.spec.components.security_scheme("groupSecret", {"type": "http", "scheme": "bearer", "description": about})


@Operation(
    groups, "/groups",
    takes=_NEW_GROUP, gives=OpenedGroupShape, examples=examples.GROUP_OPEN,
    status=201, headers=MADE, links=_NEXT, conditions=(OPTIONAL_KEY,),
)  # fmt: skip
def open_group() -> Response:
    """Open a group with its first players. Its secrets are shown only once; `Location` is its address."""
    asked = read(OpenGroup, json_body())
    seed = idempotency_seed("open-group")
    opened = group_service().open_group(asked.title, asked.names or (), asked.lang, watch=True, seed=seed)
    url = f"{PREFIX}/groups/{opened.view.id}"
    made = Made(opened.view.id, opened.head.version, url, opened.watch_secret, opened.score_secret, _PLACE)
    return answer_done(s.write(OpenedGroupShape, made), opened.head, opened.replayed, location=url)


@Operation(groups, "/groups/<group>", gives=GroupShape, unchanged=UNCHANGED, secret=WATCH)
def _read_group(group: str) -> Response:
    """Read the group: players, house rules, leagues. With `If-None-Match` it can be polled. Requires a watch secret."""
    view = watched(group)
    return unchanged(view.head) or with_tag(reply(s.write(GroupShape, view)), view.head)


@Operation(groups, "/groups/<group>", gives=None, method="DELETE", status=204, secret=SCORE)
def _delete_group(group: str) -> Response:
    """Delete a group for good, with its log, links and keys; its sheets remain. Requires a score secret.

    Only its id and the time of the deletion are kept, so that it is never used again.
    """
    may_keep_group(group)
    group_service().erase(group)
    return Response(status=204)


@Operation(
    groups, "/groups/<group>/events",
    takes=_COMMAND, gives=WrittenGroupShape, examples=examples.GROUP_COMMANDS,
    conditions=(KEY, IF_MATCH), faults=(409, 412, 428),
    status=201, others={200: "The command changed nothing; nothing was written."},
    headers=(*ETAG, "Idempotent-Replayed"), secret=SCORE,
)  # fmt: skip
def write_group_events(group: str) -> Response:
    """Write the events of a command: another name, players added, renamed, merged or removed, house rules, leagues.

    The evenings of a removed player remain, without a name. Requires a score secret. An outdated version is answered
    412 with the `events` since then: the same command may be sent again with the same key and the new version.
    """
    link = may_keep_group(group)
    value = json_body()
    key, base = idempotency_key(), wanted_version(group)
    done = group_service().write(group, read_group_command(value), base_version=base, key=key, link=link)
    return answer_done(s.write(WrittenGroupShape, done), done.head, done.replayed, status=201 if done.entries else 200)


@Operation(groups, "/groups/<group>/sheets", gives=GroupSheetsShape, query=SheetsQuery, headers=("Link",), secret=WATCH)
def _list_group_sheets(group: str) -> Response:
    """List the sheets of the group and how they stand, the latest to join first. Requires a watch secret."""
    view, asked = watched(group), query(SheetsQuery)
    limit, passed = asked["limit"], asked["cursor"] or 0
    joined = list(view.group.evenings())[passed : passed + limit + 1]
    after = cursor(passed + limit) if len(joined) > limit else None
    page = _SheetsPage([_evening(view, each) for each in joined[:limit]], after)
    return with_next(reply(s.write(GroupSheetsShape, page, current_language())), after)


@Operation(
    groups, "/groups/<group>/sheets",
    takes=_NEW_SHEET, gives=OpenedSheetShape, examples=examples.GROUP_SHEET,
    conditions=(OPTIONAL_KEY,), status=201, headers=MADE, secret=SCORE,
)  # fmt: skip
def open_group_sheet(group: str) -> Response:
    """Open a sheet that belongs to the group; who has the name of a player is that player, others become players.

    With `table` it is for the table of a league. Its secrets are shown only once. Requires a score secret.
    """
    link, view = may_keep_group(group), group_service().read(group)
    value = json_body()
    use_words_of(value)
    asked = read(OpenSheetInGroup, value)
    JoinSheet("", "", {seat.id: seat.name for seat in asked.seats}, asked.table).decide(view.group)  # before it is made
    opened = sheet_service().open_sheet(asked, seed=idempotency_seed("open", group))
    if opened.id not in view.group.sheets:
        group_service().join(group, opened.id, link=link, table=asked.table)
    return opened_sheet(opened)


@Operation(groups, "/groups/<group>/sheets/<sheet:sheet>", gives=SheetShape, unchanged=UNCHANGED, secret=WATCH)
def _read_group_sheet(group: str, sheet: str) -> Response:
    """Read a sheet of the group. Requires a watch secret of the group."""
    view = _sheet_of(watched(group), sheet)
    return unchanged(view.head) or with_tag(reply(s.write(SheetShape, view, current_language())), view.head)


@Operation(
    groups, "/groups/<group>/sheets/<sheet:sheet>",
    takes=SheetSecretShape, gives=GroupSheetShape, examples=examples.GROUP_JOIN, method="PUT",
    secret=SCORE,
)  # fmt: skip
def _join_group_sheet(group: str, sheet: str) -> Response:
    """Let a sheet belong to the group, given a score secret of the sheet; again, it changes nothing.

    Requires a score secret of the group.
    """
    link = may_keep_group(group)
    sheet_service().check(s.read(SheetSecretShape, json_body())["secret"], SCORE, sheet)
    view = group_service().join(group, sheet, link=link)
    return reply(s.write(GroupSheetShape, _evening(view, view.group.sheets[sheet]), current_language()))


@Operation(groups, "/groups/<group>/sheets/<sheet:sheet>", gives=None, method="DELETE", status=204, secret=SCORE)
def _leave_group_sheet(group: str, sheet: str) -> Response:
    """Take a sheet out of the group, which can then no longer read it. Requires a score secret of the group."""
    link = may_keep_group(group)
    if sheet not in group_service().read(group).group.sheets:
        raise Declined("not-found")
    group_service().leave(group, sheet, link=link)
    return Response(status=204)


@Operation(groups, "/groups/<group>/playing", gives=PlayingShape, unchanged=UNCHANGED, secret=WATCH)
def _list_playing(group: str) -> Response:
    """A club night: the totals of every table on which something was written in the last hours.

    With `If-None-Match` it can be polled. Requires a watch secret.
    """
    view = watched(group)
    sheets = view.group.sheets
    tables = [_evening(view, sheets[each.id]) for each in group_service().playing(view)]
    return reply_if_new(s.write(PlayingShape, tables, current_language()))


@Operation(
    groups, "/groups/<group>/statistics",
    gives=GroupStatisticsShape, query=StatisticsQuery, unchanged=UNCHANGED, secret=WATCH,
)  # fmt: skip
def _show_group_statistics(group: str) -> Response:
    """The numbers of every player: wins, streaks, partners, opponents, what each game counts; of a year, of a game.

    Requires a watch secret.
    """
    view, asked = watched(group), query(StatisticsQuery)
    game, year = asked["game"] or "", asked["year"]

    def figures(games: list[PlayedGame]) -> str:
        return current_app.json.dumps(s.write(GroupStatisticsShape, Choice(tuple(games), game, year)))

    return reply_if_new(group_service().text(view, f"figures {game} {year}", figures))


@Operation(groups, "/groups/<group>/leagues/<int:league>", gives=LeagueStandShape, unchanged=UNCHANGED, secret=WATCH)
def _read_league(group: str, league: int) -> Response:
    """A league: its places after the games that have ended, its rounds and their tables. Requires a watch secret."""
    view = watched(group)
    if not 1 <= league <= len(view.group.leagues):
        raise Declined("not-found")
    stand = league_stand(view.group, view.group.leagues[league - 1], group_service().played(view))
    return reply_if_new(s.write(LeagueStandShape, stand))


@Operation(groups, "/groups/<group>/export.json", gives=GroupFileShape, headers=("Content-Disposition",), secret=WATCH)
def _export_group_json(group: str) -> Response:
    """Export the players, the games with their deals, and the statistics. Requires a watch secret."""
    return as_file(Response(group_service().export_json(watched(group)), mimetype="application/json"), "group.json")


@Operation(
    groups, "/groups/<group>/export.csv",
    gives={"type": "string"}, media="text/csv", headers=("Content-Disposition",), secret=WATCH,
)  # fmt: skip
def _export_group_csv(group: str) -> Response:
    """Export a row for each player in each scored deal, safe to open in a spreadsheet. Requires a watch secret."""
    return as_file(Response(group_service().export_csv(watched(group)), mimetype="text/csv"), "group.csv")


@Operation(groups, "/groups/<group>/links", gives=LinksShape, secret=SCORE)
def _list_group_links(group: str) -> Response:
    """List the links of a group, revoked ones included, without their secrets. Requires a score secret."""
    may_keep_group(group)
    return reply(s.write(LinksShape, sheet_service().links(group)))


@Operation(
    groups, "/groups/<group>/links",
    takes=NEW_LINK, gives=NewLinkAnswerShape, examples=examples.GROUP_LINK,
    conditions=(OPTIONAL_KEY,), status=201, headers=("Idempotent-Replayed",), secret=SCORE,
)  # fmt: skip
def _create_group_link(group: str) -> Response:
    """Create a link with a label of its own. Its secret is shown only once. Requires a score secret."""
    may_keep_group(group)
    return new_link(group, _PLACE)


@Operation(groups, "/groups/<group>/links/<link>", gives=None, method="DELETE", status=204, secret=SCORE)
def _revoke_group_link(group: str, link: str) -> Response:
    """Revoke a link; revoking it again changes nothing. Requires a score secret."""
    may_keep_group(group)
    sheet_service().revoke_link(group, link)
    return Response(status=204)


guard(groups, "group", group_service, EntryField("GroupEvent", _EVENT_SHAPES))


def watched(group: str) -> GroupView:
    """Return a group that the secret may watch. Raises Declined."""
    may_watch_group(group)
    return group_service().read(group)


def _sheet_of(view: GroupView, sheet: str) -> View:
    """Return a sheet of a group that the group may read. Raises NoSuchSheet."""
    joined = view.group.sheets.get(sheet)
    if joined is None:
        raise NoSuchSheet(sheet)
    return group_service().sheet(joined)


def _evening(view: GroupView, joined: JoinedSheet) -> Evening:
    """Return a sheet of a group as the group may see it."""
    with suppress(NoSuchSheet):
        return Evening(view.group, joined, group_service().sheet(joined))
    return Evening(view.group, joined, None)
