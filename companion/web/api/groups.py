"""Operations on groups of people who play together: open, read, write by commands; sheets, numbers, leagues, export."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from flask import Response, request

from companion.engine import shapes as s
from companion.engine.shapes import read as read_shape
from companion.engine.shapes import write
from companion.games import GAMES
from companion.rulebook.book import words
from companion.sheets.events import View
from companion.sheets.group_events import JoinedSheet, JoinSheet, OpenGroup, read_group_command
from companion.sheets.groups import GroupFileShape, GroupView, league_stand
from companion.sheets.shapes import read
from companion.sheets.store import SCORE, Conflict, NoSuchSheet
from companion.web.api import group_examples as examples
from companion.web.api import group_schemas as schemas
from companion.web.api import sheet_schemas
from companion.web.api.document import Document
from companion.web.api.operations import PREFIX, blueprint, operation, reply, reply_if_new
from companion.web.api.problems import Declined
from companion.web.api.reading import CursorParameter, NumberParameter, cursor, json_body, query, with_next
from companion.web.api.sheet_access import (
    GROUP_SECRET,
    IF_MATCH,
    IF_NONE_MATCH,
    KEY,
    OPTIONAL_KEY,
    guard,
    idempotency_key,
    idempotency_seed,
    known_to_client,
    mark_replayed,
    may_keep_group,
    may_watch_group,
    wanted_version,
    with_tag,
)
from companion.web.api.sheet_answers import Made, sheet_answer
from companion.web.api.sheet_links import new_link
from companion.web.api.sheets import (
    ETAG,
    MADE,
    MOST_EVENTS_A_PAGE,
    UNCHANGED,
    conflict_answer,
    opened_sheet,
    use_words_of,
)
from companion.web.language import current_language
from companion.web.responses import as_file
from companion.web.sheet_service import group_service, sheet_service

PLACE = "groups/"
"""Where the pages of groups are."""
MOST_SHEETS_A_PAGE = 100


class SheetsQuery(s.OpenShape[s.Attributes]):
    """What a query for the sheets of a group may hold."""

    limit = NumberParameter(low=1, high=MOST_SHEETS_A_PAGE, default=MOST_SHEETS_A_PAGE)
    cursor = CursorParameter()


class StatisticsQuery(s.OpenShape[s.Attributes]):
    """What a query for the numbers of a group may hold."""

    game = s.Word(GAMES, "Games of one kind only.", optional=True)
    year = NumberParameter("Games of one year only, in UTC.", low=1970, high=9999, optional=True)


NEXT = {
    name: {"operationId": name, "parameters": {"group": "$response.body#/id"}}
    for name in ("readGroup", "writeGroupEvents", "openGroupSheet", "createGroupLink")
}
"""What can be done with a new group."""

groups = blueprint(
    "groups",
    "People who play together: players, sheets, statistics, leagues. A group is a log like a sheet, opened by secrets "
    "of its own: one watches, the other one also changes the group and opens sheets in it.",
)


def describe(document: Document) -> None:
    """Add the schemas of commands and events, and how a secret is sent."""
    document.register_parameter("group", "The id of the group.", {"type": "string"})
    document.register_parameter("league", "The number of the league, from 1.", {"type": "integer", "minimum": 1})
    for name, schema in schemas.unions(document.refer).items():
        document.spec.components.schema(name, schema)
    about = "The watch or the score secret of a group, shown when the group or the link was made."
    document.spec.components.security_scheme("groupSecret", {"type": "http", "scheme": "bearer", "description": about})


@operation(
    groups, "/groups",
    takes=schemas.NEW_GROUP, gives=schemas.OpenedGroupShape, examples=examples.OPEN,
    status=201, headers=MADE, links=NEXT, conditions=(OPTIONAL_KEY,),
)  # fmt: skip
def open_group() -> Response:
    """Open a group with its first players. Its secrets are shown only once; `Location` is its address."""
    asked = read(OpenGroup, json_body())
    seed = idempotency_seed("open-group")
    opened = group_service().open_group(asked.title, asked.names or (), asked.lang, watch=True, seed=seed)
    url = f"{PREFIX}/groups/{opened.view.id}"
    made = Made(opened.view.id, opened.head.version, url, opened.watch_secret, opened.secret, PLACE)
    response = with_tag(reply(write(schemas.OpenedGroupShape, made), status=201), opened.head)
    response.headers["Location"] = url
    return mark_replayed(response, opened.replayed)


@operation(
    groups, "/groups/<group>",
    gives=schemas.GroupShape, conditions=(IF_NONE_MATCH,), faults=(401,), others=UNCHANGED, headers=ETAG,
    more=GROUP_SECRET,
)  # fmt: skip
def read_group(group: str) -> Response:
    """Read the group: players, house rules, leagues. With `If-None-Match` it can be polled. Requires a watch secret."""
    view = watched(group)
    if known_to_client(view.head):
        return with_tag(Response(status=304), view.head)
    return with_tag(reply(write(schemas.GroupShape, view)), view.head)


@operation(
    groups, "/groups/<group>",
    gives=None, faults=(401, 403), method="DELETE", status=204, more=GROUP_SECRET,
)  # fmt: skip
def delete_group(group: str) -> Response:
    """Delete a group for good, with its log, links and keys; its sheets remain. Requires a score secret.

    Only its id and the time of the deletion are kept, so that it is never used again.
    """
    may_keep_group(group)
    group_service().erase(group)
    return Response(status=204)


@operation(
    groups, "/groups/<group>/events",
    takes=schemas.COMMAND, gives=schemas.WrittenGroupShape, examples=examples.COMMANDS,
    conditions=(KEY, IF_MATCH), faults=(401, 403, 409, 412, 428),
    status=201, others={200: "The command changed nothing; nothing was written."},
    headers=(*ETAG, "Idempotent-Replayed"), more=GROUP_SECRET,
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
    response = reply(write(schemas.WrittenGroupShape, done), status=201 if done.entries else 200)
    return mark_replayed(with_tag(response, done.head), done.replayed)


@operation(
    groups, "/groups/<group>/sheets",
    gives=schemas.GroupSheetsShape, query=SheetsQuery, faults=(401, 422), headers=("Link",), more=GROUP_SECRET,
)  # fmt: skip
def list_group_sheets(group: str) -> Response:
    """List the sheets of the group and how they stand, the latest to join first. Requires a watch secret."""
    view, asked = watched(group), query(SheetsQuery)
    limit, passed = asked["limit"], asked["cursor"] or 0
    joined = list(view.group.evenings())[passed : passed + limit + 1]
    after = cursor(passed + limit) if len(joined) > limit else None
    page = schemas.SheetsPage([evening(view, each) for each in joined[:limit]], after)
    return with_next(reply(write(schemas.GroupSheetsShape, page)), after)


@operation(
    groups, "/groups/<group>/sheets",
    takes=schemas.NEW_SHEET, gives=sheet_schemas.OpenedSheetShape, examples=examples.SHEET,
    conditions=(OPTIONAL_KEY,), faults=(401, 403), status=201, headers=MADE, more=GROUP_SECRET,
)  # fmt: skip
def open_group_sheet(group: str) -> Response:
    """Open a sheet that belongs to the group; who has the name of a player is that player, others become players.

    With `table` it is for the table of a league. Its secrets are shown only once. Requires a score secret.
    """
    link, view = may_keep_group(group), group_service().read(group)
    value = json_body()
    use_words_of(value)
    asked = read(schemas.OpenSheetInGroup, value)
    JoinSheet("", "", {seat.id: seat.name for seat in asked.seats}, asked.table).decide(view.group)  # before it is made
    opened = sheet_service().open_sheet(asked, seed=idempotency_seed("open", group))
    if opened.id not in view.group.sheets:
        group_service().join(group, opened.id, link=link, table=asked.table)
    return opened_sheet(opened)


@operation(
    groups, "/groups/<group>/sheets/<sheet:sheet>",
    gives=sheet_schemas.SheetShape, conditions=(IF_NONE_MATCH,), faults=(401,), others=UNCHANGED, headers=ETAG,
    more=GROUP_SECRET,
)  # fmt: skip
def read_group_sheet(group: str, sheet: str) -> Response:
    """Read a sheet of the group. Requires a watch secret of the group."""
    view = sheet_of(watched(group), sheet)
    if known_to_client(view.head):
        return with_tag(Response(status=304), view.head)
    return with_tag(reply(sheet_answer(view, current_language())), view.head)


@operation(
    groups, "/groups/<group>/sheets/<sheet:sheet>",
    takes=schemas.SheetSecretShape, gives=schemas.GroupSheetShape, examples=examples.JOIN, method="PUT",
    faults=(401, 403), more=GROUP_SECRET,
)  # fmt: skip
def join_group_sheet(group: str, sheet: str) -> Response:
    """Let a sheet belong to the group, given a score secret of the sheet; again, it changes nothing.

    Requires a score secret of the group.
    """
    link = may_keep_group(group)
    sheet_service().check(read_shape(schemas.SheetSecretShape, json_body())["secret"], SCORE, sheet)
    view = group_service().join(group, sheet, link=link)
    return reply(evening(view, view.group.sheets[sheet]))


@operation(
    groups, "/groups/<group>/sheets/<sheet:sheet>",
    gives=None, faults=(401, 403), method="DELETE", status=204, more=GROUP_SECRET,
)  # fmt: skip
def leave_group_sheet(group: str, sheet: str) -> Response:
    """Take a sheet out of the group, which can then no longer read it. Requires a score secret of the group."""
    link = may_keep_group(group)
    if sheet not in group_service().read(group).group.sheets:
        raise Declined("not-found")
    group_service().leave(group, sheet, link=link)
    return Response(status=204)


@operation(
    groups, "/groups/<group>/playing",
    gives=schemas.PlayingShape, conditions=(IF_NONE_MATCH,), faults=(401,), others=UNCHANGED, headers=ETAG,
    more=GROUP_SECRET,
)  # fmt: skip
def list_playing(group: str) -> Response:
    """A club night: the totals of every table on which something was written in the last hours.

    With `If-None-Match` it can be polled. Requires a watch secret.
    """
    view = watched(group)
    sheets = view.group.sheets
    tables = [evening(view, sheets[each.id]) for each in group_service().playing(view)]
    return reply_if_new(write(schemas.PlayingShape, tables))


@operation(
    groups, "/groups/<group>/statistics",
    gives=schemas.GroupStatisticsShape, query=StatisticsQuery, conditions=(IF_NONE_MATCH,), faults=(401, 422),
    others=UNCHANGED, headers=ETAG, more=GROUP_SECRET,
)  # fmt: skip
def show_group_statistics(group: str) -> Response:
    """The numbers of every player: wins, streaks, partners, opponents, what each game counts; of a year, of a game.

    Requires a watch secret.
    """
    view, asked = watched(group), query(StatisticsQuery)
    choice = schemas.Choice(tuple(group_service().played(view)), asked["game"] or "", asked["year"])
    return reply_if_new(write(schemas.GroupStatisticsShape, choice))


@operation(
    groups, "/groups/<group>/leagues/<int:league>",
    gives=schemas.LeagueStandShape, conditions=(IF_NONE_MATCH,), faults=(401,), others=UNCHANGED, headers=ETAG,
    more=GROUP_SECRET,
)  # fmt: skip
def read_league(group: str, league: int) -> Response:
    """A league: its places after the games that have ended, its rounds and their tables. Requires a watch secret."""
    view = watched(group)
    if not 1 <= league <= len(view.group.leagues):
        raise Declined("not-found")
    stand = league_stand(view.group, view.group.leagues[league - 1], group_service().played(view))
    return reply_if_new(write(schemas.LeagueStandShape, stand))


@operation(
    groups, "/groups/<group>/export.json",
    gives=GroupFileShape, faults=(401,), headers=("Content-Disposition",), more=GROUP_SECRET,
)  # fmt: skip
def export_group_json(group: str) -> Response:
    """Export the players, the games with their deals, and the statistics. Requires a watch secret."""
    text = group_service().export_json(watched(group))
    return as_file(Response(text, mimetype="application/json"), "group.json")


@operation(
    groups, "/groups/<group>/export.csv",
    gives={"type": "string"}, media="text/csv", faults=(401,), headers=("Content-Disposition",), more=GROUP_SECRET,
)  # fmt: skip
def export_group_csv(group: str) -> Response:
    """Export a row for each player in each scored deal, safe to open in a spreadsheet. Requires a watch secret."""
    return as_file(Response(group_service().export_csv(watched(group)), mimetype="text/csv"), "group.csv")


@operation(groups, "/groups/<group>/links", gives=sheet_schemas.LinksShape, faults=(401, 403), more=GROUP_SECRET)
def list_group_links(group: str) -> Response:
    """List the links of a group, revoked ones included, without their secrets. Requires a score secret."""
    may_keep_group(group)
    return reply(write(sheet_schemas.LinksShape, group_service().links(group)))


@operation(
    groups, "/groups/<group>/links",
    takes=sheet_schemas.NEW_LINK, gives=sheet_schemas.NewLinkAnswerShape, examples=examples.LINK,
    conditions=(OPTIONAL_KEY,), faults=(401, 403), status=201, headers=("Idempotent-Replayed",), more=GROUP_SECRET,
)  # fmt: skip
def create_group_link(group: str) -> Response:
    """Create a link with a label of its own. Its secret is shown only once. Requires a score secret."""
    may_keep_group(group)
    return new_link(group, PLACE)


@operation(
    groups, "/groups/<group>/links/<link>",
    gives=None, faults=(401, 403), method="DELETE", status=204, more=GROUP_SECRET,
)  # fmt: skip
def revoke_group_link(group: str, link: str) -> Response:
    """Revoke a link; revoking it again changes nothing. Requires a score secret."""
    may_keep_group(group)
    group_service().revoke_link(group, link)
    return Response(status=204)


def answer_conflict(lost: Conflict) -> Response:
    """Return 412 for an outdated version with the events since then, 409 after a concurrent write."""
    group = (request.view_args or {})["group"]

    def since(version: int) -> list[dict[str, object]]:
        entries = group_service().events(group, version, MOST_EVENTS_A_PAGE)
        events: list[dict[str, object]] = write(schemas.GroupEventsShape, entries)["events"]
        return events

    return conflict_answer(lost, group, since)


guard(groups)
groups.register_error_handler(Conflict, answer_conflict)


def watched(group: str) -> GroupView:
    """Return a group that the secret may watch. Raises Declined."""
    may_watch_group(group)
    return group_service().read(group)


def sheet_of(view: GroupView, sheet: str) -> View:
    """Return a sheet of a group that the group may read. Raises NoSuchSheet."""
    joined = view.group.sheets.get(sheet)
    if joined is None:
        raise NoSuchSheet(sheet)
    return group_service().sheet(joined)


def evening(view: GroupView, joined: JoinedSheet) -> dict[str, Any]:
    """Return a sheet of a group as the group may see it."""
    with suppress(NoSuchSheet):
        shown = group_service().sheet(joined)
        own = words(shown.game.game if shown.game else "", current_language())
        return write(schemas.GroupSheetShape, schemas.evening_of(view.group, joined, shown), own)
    return write(schemas.GroupSheetShape, schemas.evening_of(view.group, joined, None))
