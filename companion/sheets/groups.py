"""The service of groups: members and evenings in a log of their own, the games they played, their statistics."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from companion.engine import shapes as s
from companion.engine.evenings import Figure, Place, Statistics, sides_at, standings
from companion.engine.game import AnswerShape, Game, read_deal
from companion.engine.ledger import SCORED, Before, Ledger, MeasuredDeal, PlayedDeal, PlayedGame, Standing
from companion.engine.problems import Node
from companion.games import GAMES
from companion.sheets.event import View, fold
from companion.sheets.group_events import (
    AddMembers,
    Group,
    GroupCommand,
    GroupEntry,
    GroupEvent,
    GroupOpened,
    JoinedSheet,
    JoinSheet,
    League,
    LeaveSheet,
    from_group_records,
)
from companion.sheets.service import Opened, SheetService, Writer, Written, safe_cell
from companion.sheets.shapes import Head, read
from companion.sheets.state import ByteCache, SheetGame
from companion.sheets.store import (
    GROUP_MARK,
    NO_HASH,
    SCOPES,
    SCORE,
    WATCH,
    Link,
    NoSuchSheet,
    Record,
    bytes_of,
    hashed,
    is_group,
    stamp,
    to_records,
)

_SEPARATOR: Final = "."
"""Between the id of a sheet and the number of a game, which name a game together."""


def game_id(sheet: str, number: int) -> str:
    """Return the id of a game of a sheet."""
    return f"{sheet}{_SEPARATOR}{number}"


def place_of(game: str) -> tuple[str, int]:
    """Return the sheet and the number of a game. Raises ValueError for what is no such id."""
    sheet, _, number = game.rpartition(_SEPARATOR)
    return sheet, int(number)


class _Kept(NamedTuple):
    """The games of a sheet at a version, for the members that the names of its players stood for."""

    tag: str
    names: Mapping[str, str]
    members: Mapping[str, str]
    games: tuple[PlayedGame, ...]

    @property
    def size(self) -> int:
        """About how many bytes it takes: a deal has two numbers and its counts for each side."""
        return 2_000 + sum(1_000 + (600 + 400 * len(game.sides)) * len(game.deals) for game in self.games)


def _played(view: View, game: SheetGame, ledger: Ledger, members: Mapping[str, str]) -> PlayedGame:
    known, ids = view.games[game.game], [side.id for side in game.sides]
    return PlayedGame(
        id=game_id(view.id, game.number),
        at=game.started,
        game=game.game,
        lowest_wins=known.lowest_wins(view.house(game).options),
        sides=_sides(game, view.sheet.seated(members, (game.number, game.open.number))),
        deals=tuple(_deals(view, game, ledger, known, members)),
        over=ledger.outcome.over,
        winners=tuple(ids.index(winner) for winner in ledger.outcome.winners),
    )


def _sides(game: SheetGame, seats: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(seats[seat] for seat in side.players if seat in seats) for side in game.sides)


def _deals(
    view: View, game: SheetGame, ledger: Ledger, known: Game, members: Mapping[str, str]
) -> Iterator[PlayedDeal]:
    last = seats = view.sheet.seated(members, (game.number, game.open.number))
    before = Before({side.id: Standing() for side in game.sides}, 0, bool(game.opening))
    for deal, scored in zip(game.deals, ledger.deals, strict=True):
        after = {side: score.standing for side, score in scored.sides.items()}
        before = replace(before, irregularities=scored.irregularities)
        if scored.status == SCORED:
            counts: dict[str, dict[str, tuple[int, int]]] = {}
            if view.sheet.state.taken:
                seats = view.sheet.seated(members, (game.number, deal.number))
            rules = view.house(game, deal.number).options
            facts = read_deal(known, Node(deal.facts), rules, game.sides).facts if known.measures else None
            for side in game.sides:
                for seat in side.players:
                    if seat not in seats or facts is None:
                        continue
                    looked = MeasuredDeal(rules, facts, before, side.id, seat, scored.sides[side.id])
                    for measure in known.measures:
                        if found := measure.count(looked):
                            counts.setdefault(measure.name, {})[seats[seat]] = found
            yield PlayedDeal(
                deal.number,
                tuple(scored.sides[side.id].points for side in game.sides),
                tuple(after[side.id].total for side in game.sides),
                counts,
                None if seats == last else _sides(game, seats),
            )
        before = replace(
            before, standing=after, scored=before.scored + (scored.status == SCORED),
            earlier=(*before.earlier, *scored.irregularities),
        )  # fmt: skip


_FORMAT: Final = "companion-group"
_FORMAT_VERSION: Final = 1
_COLUMNS: Final = (
    "date", "sheet", "game_number", "game", "deal", "player", "name", "side", "points", "total", "finished", "result",
)  # fmt: skip


class MemberShape(AnswerShape):
    """A player of a group; the name of one who was removed is empty."""

    id = s.Text("Never changes, and is never given again.")
    name = s.Text()
    removed = s.Flag("Whether only the evenings remain, without a name.")
    into = s.Text("The member that this one turned out to be.", nullable=True, get=lambda who, _: who.into or None)


class FigureShape(AnswerShape):
    """A number: so many, out of so many."""

    count = s.Integer("How many.")
    of = s.Integer("Out of how many games or deals.")
    drawn = s.Integer("How many of the games were a draw.", absent=True, get=lambda figure, _: figure.drawn or None)


class GameFigures(NamedTuple):
    """The numbers of a player in games of one kind."""

    wins: Figure
    points: Figure
    comeback: int
    measures: Mapping[str, Figure]


class PlayerFigures(NamedTuple):
    """The numbers of a player."""

    player: str
    wins: Figure
    longest_streak: int
    streak: int
    partners: Mapping[str, Figure]
    opponents: Mapping[str, Figure]
    games: Mapping[str, GameFigures]


class GameFiguresShape(AnswerShape):
    """The numbers of a player in games of one kind."""

    wins = s.Object(FigureShape, "Games won, out of those that ended.")
    points = s.Object(FigureShape, "Points of the side, out of so many scored deals.")
    comeback = s.Integer("The most points behind after a deal of a game that was won.", unit="points")
    measures = s.Keyed(s.Object(FigureShape), "What the game counts, by name.")


class PlayerFiguresShape(AnswerShape):
    """The numbers of a player of a group."""

    player = s.Text("The id of the member.")
    wins = s.Object(FigureShape, "Games won, out of those that ended.")
    longest_streak = s.Integer("The most games won in a row.")
    streak = s.Integer("The games won in a row until now.")
    partners = s.Keyed(s.Object(FigureShape), "By member: games won together, out of those played together.")
    opponents = s.Keyed(
        s.Object(FigureShape), "By member: games in which the player came out ahead, out of those against each other."
    )
    games = s.Keyed(s.Object(GameFiguresShape), "By the id of the game.")


class PlayedDealShape(AnswerShape):
    """A scored deal; sides are in the order of the game."""

    number = s.Integer("From 1.")
    points = s.ListOf(s.Integer(unit="points"), "Of each side.")
    totals = s.ListOf(s.Integer(unit="points"), "Of each side, after the deal.")
    counts = s.Keyed(
        s.Keyed(s.ListOf(s.Integer(), least=2, most=2)), "By measure and member: how many, out of how many."
    )
    sides = s.ListOf(s.ListOf(s.Text()), "Who played it, where that were others than at the end.", absent=True)


class PlayedGameShape(AnswerShape):
    """A game that members of a group played; guests are in none of its sides."""

    sheet = s.Text("The id of the sheet.", get=lambda game, _: place_of(game.id)[0])
    game_number = s.Integer("The number of the game on the sheet, from 1.", get=lambda game, _: place_of(game.id)[1])
    at = s.Text("When it began: UTC, to the millisecond.", get=lambda game, _: stamp(game.at))
    game = s.Text("The id of the game.")
    sides = s.ListOf(s.ListOf(s.Text()), "The members of each side at its end.")
    finished = s.Flag("Whether it has ended.", get="over")
    winners = s.ListOf(s.Integer(), "The places of the sides that won, from 0; several for a draw.")
    deals = s.ListOf(s.Object(PlayedDealShape), "The scored deals.")


class GroupFileShape(AnswerShape):
    """A group to take elsewhere: its members, its games with their deals, and the numbers of its players."""

    format = s.Text(get=lambda group, games: _FORMAT)
    format_version = s.Integer(get=lambda group, games: _FORMAT_VERSION)
    title = s.Text()
    members = s.ListOf(s.Object(MemberShape), get=lambda group, games: group.members.values())
    rules = s.Keyed(s.Text(), "The code of the house rules that the group plays, by game.")
    games = s.ListOf(s.Object(PlayedGameShape), get=lambda group, games: games)
    statistics = s.ListOf(s.Object(PlayerFiguresShape), get=lambda group, games: player_figures(games))


def _group_json(group: Group, games: Iterable[PlayedGame]) -> str:
    return json.dumps(
        s.write(GroupFileShape, group, Statistics(games).games), ensure_ascii=False, separators=(",", ":")
    )


def player_figures(games: Iterable[PlayedGame]) -> Iterator[PlayerFigures]:
    """Yield the numbers of every player, over all games and over those of each kind, in the order of wins."""
    found = Statistics(games)
    kinds = {
        game: Statistics(each for each in found.games if each.game == game)
        for game in dict.fromkeys(each.game for each in found.games)
    }
    for player, wins in found.table():
        yield PlayerFigures(
            player,
            wins,
            found.longest_streak(player).count,
            found.streak(player).count,
            dict(found.partners(player)),
            dict(found.opponents(player)),
            {game: _of_kind(game, kind, player) for game, kind in kinds.items() if player in kind.players},
        )


def _group_csv(group: Group, games: Iterable[PlayedGame]) -> str:
    """Return a row for each player in each scored deal, safe to open in a spreadsheet."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow(_COLUMNS)
    for game in Statistics(games).games:
        rows.writerows([safe_cell(value) for value in row] for row in _rows(group, game))
    return out.getvalue()


def _of_kind(game: str, statistics: Statistics, player: str) -> GameFigures:
    measured = ((each.name, statistics.measured(player, each.name)) for each in GAMES[game].measures)
    return GameFigures(
        statistics.wins(player),
        statistics.points(player),
        statistics.comeback(player).count,
        {name: figure for name, figure in measured if figure.of},
    )


def _rows(group: Group, game: PlayedGame) -> Iterator[tuple[object, ...]]:
    sheet, number = place_of(game.id)
    for deal, place, player in game.dealt():
        won = place in game.winners
        result = ("won" if len(game.winners) == 1 else "drawn") if won else "lost" if game.over else ""
        yield (
            *(game.at.date().isoformat(), sheet, number, game.game, deal.number, player),
            *(group.who(player).name, place + 1, deal.points[place], deal.totals[place]),
            *(int(game.over), result if player in game.sides[place] else ""),
        )


class LeagueTable(NamedTuple):
    """A table of a round: its players, who of them play together, the sheet opened for it, the game that counts."""

    number: int
    players: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]
    sheet: str | None
    game: PlayedGame | None

    @property
    def winners(self) -> tuple[tuple[str, ...], ...]:
        """The sides that have won, several for a draw; none while no game has ended."""
        return tuple(self.game.sides[side] for side in self.game.winners) if self.game else ()


class LeagueRound(NamedTuple):
    """A round that was drawn, and who sits at none of its tables."""

    number: int
    tables: tuple[LeagueTable, ...]
    resting: tuple[str, ...]


class LeagueStand(NamedTuple):
    """A league with its places, the first one first, and its rounds. Players are ids after all mergers."""

    league: League
    places: tuple[Place, ...]
    rounds: tuple[LeagueRound, ...]


def league_stand(group: Group, league: League, games: Iterable[PlayedGame]) -> LeagueStand:
    """Return how a league stands after the games of its group.

    Of a table, the first finished game counts that is of the league's kind and in which the players of the table have
    played a deal together; it is theirs, whoever played for one of them in others.
    """
    drawn = {
        (league.number, number, place): tuple(group.who(player).id for player in seats)
        for number, tables in enumerate(league.rounds, start=1)
        for place, seats in enumerate(tables, start=1)
    }
    results: dict[tuple[int, ...], PlayedGame] = {}
    sheets: dict[tuple[int, ...], str] = {}
    for game in games:
        sheet, _ = place_of(game.id)
        table = group.sheets[sheet].table
        if not table or table in results or game.game != league.game:
            continue
        for sides in (game.sides, *(deal.sides or () for deal in game.deals)):
            if {*chain(*sides)} == {*drawn.get(table, ())} != set():
                sheets[table] = sheet
                if game.over:
                    results[table] = game._replace(sides=sides)
                break
    players = tuple(dict.fromkeys(group.who(player).id for player in league.players))
    rounds, seating = [], league.seating
    for number in range(1, len(league.rounds) + 1):
        shown = tuple(
            LeagueTable(table[2], seats, sides_at(seats, seating), sheets.get(table), results.get(table))
            for table, seats in drawn.items()
            if table[1] == number
        )
        at_tables = {player for table in shown for player in table.players}
        rounds.append(LeagueRound(number, shown, tuple(player for player in players if player not in at_tables)))
    return LeagueStand(league, tuple(standings(players, results.values(), league.win, league.level)), tuple(rounds))


MAX_EVENTS: Final = 5_000
"""Events of one group."""
CACHED_BYTES: Final = 16 * 1024 * 1024
"""Size of the groups, of the games of their sheets, and of the texts made of these, that are kept between requests."""
_NIGHT: Final = timedelta(hours=12)
"""How long a table of a club night is shown after its last entry."""
_LOOKED_AT: Final = 100
"""Sheets, the latest to join first, among which the tables of a night are found."""
_MOST_PLAYING: Final = 24
"""Tables of one night."""


class GroupView(NamedTuple):
    """A group at its latest version, with its id and the event that brought it there."""

    id: str
    group: Group
    head: Head
    size: int
    """Bytes of its log in an export."""

    @property
    def changed(self) -> datetime:
        """When that event was written."""
        return self.group.changed


_WrittenGroup: TypeAlias = Written[GroupView, GroupEntry]
"""What a command has written in a group, and the group after it."""


class GroupService:
    """Open, read and write groups in the store of a sheet service, with its clock and its source of secrets."""

    def __init__(self, sheets: SheetService) -> None:
        self.sheets = sheets
        self.store = sheets.store
        self._views: ByteCache[str, GroupView] = ByteCache(CACHED_BYTES)
        self._games: ByteCache[tuple[str, str], _Kept] = ByteCache(CACHED_BYTES)
        self._texts: ByteCache[tuple[str, str], tuple[str, str]] = ByteCache(CACHED_BYTES)
        self._writer: Writer[GroupView, GroupEntry] = Writer(
            sheets.store, sheets.now, load=self.read, entries=from_group_records, grow=self._grown, most=MAX_EVENTS
        )

    def open_group(
        self, title: str, names: Sequence[str] = (), lang: str = "", *, watch: bool = False, seed: bytes | None = None
    ) -> Opened[GroupView]:
        """Create a group of players with these names; with `watch`, with a watch link, too.

        With a `seed`, the id and the secrets follow from it: the same group with the same seed is made once. Raises
        Refused, or KeyReused for another group.
        """
        opened = read(GroupOpened, {"title": title, "lang": lang})
        now = self._now()
        group = fold([GroupEntry(1, now, "", opened)])
        events: list[GroupEvent] = [opened]
        if names:
            events += read(AddMembers, {"names": list(names)}).decide(group)
        records = to_records(events, NO_HASH, 0, stamp(now), "")
        made = self.sheets.create_log(records, SCOPES if watch else (SCORE,), seed=seed, mark=GROUP_MARK)
        return made.opened(self.read(made.id))

    def read(self, group: str) -> GroupView:
        """Return a group at its latest version. Raises NoSuchSheet."""
        if not is_group(group):
            raise NoSuchSheet(group)
        known = self._views.get(group)
        if known is not None and self.store.head(group) == known.head:
            return known
        records = self.store.read(group)
        return self._keep(GroupView(group, fold(from_group_records(records)), records[-1].head, bytes_of(records)))

    def events(self, group: str, after: int, limit: int) -> list[GroupEntry]:
        """Return the log of a group after a version, at most so many events of it."""
        return from_group_records(self.store.read(group, after, limit))

    def do(self, group: str, command: GroupCommand, *, link: Link | None = None) -> GroupView:
        """Write the events to which a command leads; return the group after them. Raises as `write` does."""
        return self.write(group, command, link=link).view

    def write(
        self,
        group: str,
        command: GroupCommand,
        *,
        base_version: int | None = None,
        key: str | None = None,
        link: Link | None = None,
    ) -> _WrittenGroup:
        """Write the events to which a command leads.

        With `base_version`, raises Conflict if the group is at another version. A `key` that was used before returns
        the first result again, or raises KeyReused for another command. The link of whoever writes is looked up again
        in the transaction that writes. Raises Refused and NoSuchSheet, or Conflict where others write all the time.
        """
        return self._writer.write(
            group, command, lambda view: command.decide(view.group), base_version=base_version, key=key, link=link
        )

    def erase(self, group: str) -> None:
        """Erase a group for good, and revoke its links to its sheets, which remain. Raises NoSuchSheet."""
        joined = self.read(group).group.sheets.values()
        self.sheets.erase(group)
        self._views.forget(group)
        for each in joined:
            with suppress(NoSuchSheet):
                self.sheets.revoke_link(each.id, each.link)

    def find(self, secret: str, scope: str = WATCH) -> Link:
        """Return the link with a secret if it allows at least this on a group. Raises NoSuchSheet."""
        link = self.store.find_link(hashed(secret))
        if link is None or not is_group(link.sheet) or not link.allows(scope):
            raise NoSuchSheet("no such link")
        return link

    def join(self, group: str, sheet: str, *, link: Link | None = None, table: Sequence[int] = ()) -> GroupView:
        """Let a sheet belong to a group, with a watch link of its own for the group, which the sheet can revoke.

        Whoever asks must be allowed to keep the sheet. Raises Refused and NoSuchSheet.
        """
        view = self.read(group)
        names = self.sheets.read(sheet).sheet.players
        before = view.group.sheets.get(sheet)
        own = self.store.link(before.link) if before else None
        command = read(JoinSheet, {"sheet": sheet, "link": own.id if own else "", "seats": names, "table": list(table)})
        if own is None or own.revoked is not None:
            command.decide(view.group)  # no link is made for what is refused
            command = replace(command, link=self.sheets.create_link(sheet, WATCH, view.group.title).link.id)
        return self.do(group, command, link=link)

    def substitute(self, group: str, sheet: str, seat: str, *, link: Link | None = None) -> None:
        """Add whoever took over a seat of a sheet of the group; all who sat down before stay who they are.

        Whoever was said to sit there from the same deal on did not.
        """
        group_now, now = self.read(group).group, self.sheets.read(sheet).sheet
        joined, taken = group_now.sheets[sheet], [each.key for each in now.state.taken if each.seat == seat]
        known = {
            key: group_now.who(member).name
            for key, member in joined.players.items()
            if member and key not in taken[-1:]
        }
        self.do(group, JoinSheet(sheet, joined.link, {**now.players, **known}), link=link)

    def leave(self, group: str, sheet: str, *, link: Link | None = None) -> GroupView:
        """Take a sheet out of a group and revoke the group's link to it. Raises NoSuchSheet."""
        before = self.read(group).group.sheets.get(sheet)
        view = self.do(group, LeaveSheet(sheet), link=link)
        if before is not None and self.store.link(before.link) is not None:
            self.sheets.revoke_link(sheet, before.link)
        return view

    def playing(self, view: GroupView) -> list[View]:
        """Return the sheets on which something was written in the last hours, in the order in which they joined."""
        since = self._now() - _NIGHT
        found: list[View] = []
        for joined in list(view.group.evenings())[:_LOOKED_AT]:
            try:
                sheet = self.sheet(joined)
            except NoSuchSheet:
                continue
            if sheet.game is not None and sheet.sheet.changed >= since:
                found.append(sheet)
        return found[:_MOST_PLAYING][::-1]

    def sheet(self, joined: JoinedSheet) -> View:
        """Return a sheet of a group. Raises NoSuchSheet if it was erased, or if the group's link to it was revoked."""
        link = self.store.link(joined.link)
        if link is None or link.sheet != joined.id or not link.allows(WATCH):
            raise NoSuchSheet(joined.id)
        return self.sheets.read(joined.id)

    def played(self, view: GroupView) -> list[PlayedGame]:
        """Return the games of all sheets of a group that can be read, as statistics see them."""
        return [game for kept in self._played(view) for game in kept.games]

    def text(self, view: GroupView, what: str, make: Callable[[list[PlayedGame]], str]) -> str:
        """Return a text made of the games of a group; the one made before, while its log and its sheets are the same.

        `what` names the text: two that differ in anything else than the games have different names.
        """
        kept = list(self._played(view))
        key, tag = (view.id, what), hashed(" ".join([view.head.tag, *(each.tag for each in kept)]))
        before = self._texts.get(key)
        if before and before[0] == tag:
            return before[1]
        text = make([game for each in kept for game in each.games])
        self._texts.put(key, (tag, text), 500 + sys.getsizeof(text))
        return text

    def export_json(self, view: GroupView) -> str:
        """Return a group with its games and statistics as one JSON value."""
        return self.text(view, "json", lambda games: _group_json(view.group, games))

    def export_csv(self, view: GroupView) -> str:
        """Return a row for each player in each scored deal, safe to open in a spreadsheet."""
        return self.text(view, "csv", lambda games: _group_csv(view.group, games))

    def _played(self, view: GroupView) -> Iterator[_Kept]:
        """Yield the games of every sheet that can be read, the ones kept before where it has not changed."""
        joined = view.group.sheets.values()
        heads = self.store.linked_heads([each.link for each in joined])
        for each in joined:
            head = heads.get(each.link)
            if head is None:
                continue
            kept = self._games.get((view.id, each.id))
            if kept and kept.tag == head.tag and view.group.seated(each.id, kept.names) == kept.members:
                yield kept
                continue
            try:
                found = self.sheet(each)
            except NoSuchSheet:
                continue
            names = found.sheet.players
            members = view.group.seated(each.id, names)
            played = zip(found.sheet.games, found.ledgers, strict=True)
            games = tuple(_played(found, game, ledger, members) for game, ledger in played)
            kept = _Kept(found.head.tag, names, members, games)
            self._games.put((view.id, each.id), kept, kept.size)
            yield kept

    def _grown(self, view: GroupView, entries: Sequence[GroupEntry], records: Sequence[Record]) -> GroupView:
        size = view.size + bytes_of(records)
        return self._keep(GroupView(view.id, fold(entries, view.group), records[-1].head, size))

    def _now(self) -> datetime:
        return self.sheets.now().astimezone(UTC)

    def _keep(self, view: GroupView) -> GroupView:
        self._views.put(view.id, view, 10_000 + 8 * view.size)
        return view
