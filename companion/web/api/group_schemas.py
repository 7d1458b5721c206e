"""The shapes of every request and response about groups; those of commands and events are derived."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from companion.engine import shapes as s
from companion.engine.evenings import FORMS, games_of
from companion.engine.game import AnswerShape
from companion.engine.ledger import Outcome, PlayedGame, Standing
from companion.games import GAMES
from companion.rulebook.answers import OutcomeShape, StandingShape
from companion.sheets.events import OpenSheet, View
from companion.sheets.group_events import COMMANDS, EVENTS, Group, JoinedSheet, OpenGroup, Table
from companion.sheets.groups import MemberShape, PlayerFiguresShape, player_figures
from companion.sheets.shapes import TagField, kind_name, shape_of, to_json
from companion.sheets.store import stamp
from companion.web.api.sheet_schemas import (
    ACTOR,
    KIND,
    UTC,
    SheetSecretsShape,
    SheetUrlsShape,
    entry_shape,
)

NEW_GROUP: Final = shape_of(OpenGroup)
COMMAND: Final = {"$ref": "#/components/schemas/GroupCommand"}
POINTS: Final = "Points of the league."


@dataclass(frozen=True, slots=True)
class OpenSheetInGroup(OpenSheet):
    """Open a sheet of a group; with `table`, for the table of a league."""

    table: Table = ()


NEW_SHEET: Final = shape_of(OpenSheetInGroup)


class OpenedGroupShape(AnswerShape):
    """A new group."""

    id = s.Text("The id of the group.")
    version = s.Integer("The sequence number of its latest event; its ETag.")
    url = s.Text("Where it is read.")
    urls = s.Object(SheetUrlsShape, get=lambda made, context: made)
    secrets = s.Object(SheetSecretsShape, get=lambda made, context: made)


class LeagueShape(AnswerShape):
    """A league of a group."""

    number = s.Integer("From 1.")
    title = s.Text()
    game = s.Word(tuple(GAMES), "The id of the game.")
    form = s.Word(FORMS, "How rounds are drawn.")
    players = s.ListOf(s.Text(), "Members, as they were when it began.")
    win = s.Integer(POINTS, unit="points")
    level = s.Integer(POINTS, unit="points")
    at = s.Text(UTC, get=lambda league, _: stamp(league.at))
    rounds = s.Integer("How many have been drawn.", get=lambda league, _: len(league.rounds))


class GroupShape(AnswerShape):
    """A group at its latest version."""

    id = s.Text("The id of the group.")
    version = s.Integer("The sequence number of its latest event; its ETag.", get=lambda view, _: view.head.version)
    title = s.Text(get=lambda view, _: view.group.title)
    lang = s.Text("The language in which it was opened; may be empty.", get=lambda view, _: view.group.lang)
    opened = s.Text(UTC, get=lambda view, _: stamp(view.group.opened))
    changed = s.Text(UTC, get=lambda view, _: stamp(view.group.changed))
    members = s.ListOf(
        s.Object(MemberShape), "In the order in which they came.", get=lambda view, _: view.group.members.values()
    )
    rules = s.Keyed(
        s.Text(), "The code of the house rules that the group plays, by game.", get=lambda view, _: view.group.rules
    )
    sheets = s.Integer("How many there are.", get=lambda view, _: len(view.group.sheets))
    leagues = s.ListOf(s.Object(LeagueShape), get=lambda view, _: view.group.leagues)


class GroupEntryShape(AnswerShape):
    """Something that happened to a group; never changed, never removed."""

    seq = s.Integer("From 1, without gaps.")
    at = s.Text(UTC, get=lambda entry, _: stamp(entry.at))
    actor = s.Text(ACTOR)


EVENT_SHAPES: Final = {
    name: entry_shape(
        f"{kind.__name__}Event", kind.__doc__, GroupEntryShape,
        kind=TagField(name), data=s.Object(shape_of(kind)),
    )
    for name, kind in EVENTS.items()
}  # fmt: skip
"""The entry of the log for each kind of event."""


class WrittenEntryShape(GroupEntryShape):
    """An entry of the log."""

    kind = s.Text(KIND, get=lambda entry, _: kind_name(type(entry.event)))
    data = s.Anything(get=lambda entry, _: to_json(entry.event))


class GroupEventField(s.Object[s.Json]):
    """An entry of the log; its kind decides its fields."""

    def __init__(self) -> None:
        super().__init__(WrittenEntryShape)

    def json_schema(self, refer: s.Refer) -> s.JsonSchema:
        """Describe the entry of every kind."""
        return {"$ref": "#/components/schemas/GroupEvent"}


class GroupEventsShape(AnswerShape):
    """A part of the log of a group."""

    events = s.ListOf(GroupEventField(), get=lambda entries, _: entries)


class WrittenGroupShape(AnswerShape):
    """What a command has written, and the group after it."""

    events = s.ListOf(
        GroupEventField(), "None where the command changed nothing.", get=lambda written, _: written.entries
    )
    version = s.Integer(
        "The version to which they brought the group; its ETag.", get=lambda written, _: written.head.version
    )
    group = s.Object(GroupShape, "The group as it is now.", get=lambda written, _: written.view)


class GroupGameSideShape(AnswerShape):
    """Who scores together."""

    id = s.Text("The id of the side.")
    name = s.Text("The names of the players.")
    players = s.ListOf(s.Text(), "The seats of the players.")


class GroupGameShape(AnswerShape):
    """How the current game of a sheet stands."""

    number = s.Integer("From 1.")
    game = s.Word(tuple(GAMES), "The id of the game.")
    sides = s.ListOf(s.Object(GroupGameSideShape))
    deals = s.Integer("How many have been recorded.")
    standing = s.Keyed(s.Object(StandingShape), "The totals, in points.")
    outcome = s.Object(OutcomeShape)


class Side(NamedTuple):
    """A side with the names of its players."""

    id: str
    name: str
    players: tuple[str, ...]


class EveningGame(NamedTuple):
    """How the current game of a sheet stands."""

    number: int
    game: str
    sides: tuple[Side, ...]
    deals: int
    standing: Mapping[str, Standing]
    outcome: Outcome


class Evening(NamedTuple):
    """A sheet of a group; without what follows the players where the group may not read it any more."""

    id: str
    joined: str
    table: tuple[int, int, int] | None
    players: Mapping[str, str]
    version: int | None = None
    title: str | None = None
    changed: str | None = None
    game: EveningGame | None = None


def evening_of(group: Group, joined: JoinedSheet, view: View | None) -> Evening:
    """Return a sheet of a group, given what the group may read of it."""
    names = view.sheet.names if view else {}
    known = joined.id, stamp(joined.at), joined.table, group.seated(joined.id, names)
    if view is None:
        return Evening(*known)
    game, ledger = view.game, view.ledger
    running = None
    if game is not None and ledger is not None:
        sides = tuple(Side(side.id, view.sheet.side_name(side), side.players) for side in game.sides)
        running = EveningGame(game.number, game.game, sides, len(game.deals), ledger.standing, ledger.outcome)
    return Evening(*known, view.version, view.sheet.title, stamp(view.sheet.changed), running)


class GroupSheetShape(AnswerShape):
    """A sheet of a group; where the group may not read it any more, `version` and what follows from it are null."""

    id = s.Text("The id of the sheet.")
    joined = s.Text(UTC)
    table = s.ListOf(s.Integer(), "The league, its round and the table for which it was opened.", nullable=True)
    players = s.Keyed(s.Text(), "Who of the group sits at each seat; guests are left out.")
    version = s.Integer("The sequence number of its latest event.", nullable=True)
    title = s.Text("May be empty.", nullable=True)
    changed = s.Text(UTC, nullable=True)
    game = s.Object(GroupGameShape, nullable=True)


class SheetsPage(NamedTuple):
    """Sheets of a group, written as far as the group may see them, and the cursor of the next page."""

    sheets: list[s.Json]
    next: str | None


class GroupSheetsShape(AnswerShape):
    """Sheets of a group, the latest to join first; `next` is the cursor of the next page, null on the last."""

    sheets = s.ListOf(s.Written(GroupSheetShape))
    next = s.Text("Sent as `cursor`.", nullable=True)


class PlayingShape(AnswerShape):
    """The tables that play now, in the order in which their sheets joined."""

    tables = s.ListOf(s.Written(GroupSheetShape), get=lambda tables, _: tables)


class SheetSecretShape(s.Shape[s.Attributes]):
    """The score secret of a sheet that shall belong to a group."""

    secret = s.Text("That of the sheet, or of a link with the scope `score`.", most=200)


class Choice(NamedTuple):
    """Which games of a group count."""

    games: tuple[PlayedGame, ...]
    game: str
    year: int | None


class GroupStatisticsShape(AnswerShape):
    """The numbers of the players of a group, in the order of the table of wins."""

    game = s.Text("The kind of game asked for.", nullable=True, get=lambda choice, _: choice.game or None)
    year = s.Integer("The year asked for (UTC).", nullable=True)
    years = s.ListOf(
        s.Integer(),
        "The years in which games were played, the latest first.",
        get=lambda choice, _: sorted({game.at.year for game in choice.games}, reverse=True),
    )
    players = s.ListOf(
        s.Object(PlayerFiguresShape),
        get=lambda choice, _: player_figures(games_of(choice.games, choice.game, choice.year)),
    )


class PlaceShape(AnswerShape):
    """A place in a league."""

    player = s.Text("The id of the member.")
    points = s.Integer(POINTS, unit="points")
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


def unions(refer: s.Refer) -> dict[str, s.JsonSchema]:
    """Return the schemas of any command and any event by their names; `refer` describes a shape."""
    commands = s.Variants("type", COMMANDS).json_schema(refer)
    return {
        "GroupCommand": {"description": "What is to be written in a group.", **commands},
        "GroupEvent": {
            "description": GroupEntryShape.__doc__, **s.Variants("kind", EVENT_SHAPES).json_schema(refer),
        },
    }  # fmt: skip
