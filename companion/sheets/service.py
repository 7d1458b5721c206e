"""The service of sheets: write the events of commands, keep views, preview, export, import and verify."""

from __future__ import annotations

import csv
import io
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from companion.engine import shapes
from companion.engine.cards import number_text, signed_text
from companion.engine.game import Game
from companion.engine.ledger import SCORED, DealScore, Ledger, Line, Side, SideScore
from companion.engine.options import HouseRules
from companion.engine.problems import JsonObject, Problem, Refused, read_whole
from companion.games import GAMES
from companion.sheets.event import BrokenLog, Command, HistoryEntry, View, fold, history, house_rules, ledger, refuse
from companion.sheets.events import OpenSheet, read_command, read_opening, rules_gone
from companion.sheets.group_events import from_group_records
from companion.sheets.shapes import Head, KeyField, TitleField, canonical, sides_json, to_json
from companion.sheets.state import ByteCache, Entry, RulesPeriod, Sheet, SheetGame, clean
from companion.sheets.store import (
    MAX_BYTES,
    MAX_EVENTS,
    NO_HASH,
    OPENING,
    SCOPES,
    SCORE,
    WATCH,
    Answered,
    Conflict,
    Fault,
    KeyReused,
    Link,
    NoSuchSheet,
    Record,
    Store,
    broken_at,
    bytes_of,
    derived,
    from_records,
    hashed,
    is_group,
    later,
    new_id,
    new_link,
    stamp,
    to_file,
    to_records,
)

_MAX_RETRIES: Final = 20
"""Maximum number of retries after a concurrent write, for commands without a base version."""


class Latest(Protocol):
    """What is known of a log at its latest version."""

    @property
    def id(self) -> str:
        """The id of the log."""

    @property
    def head(self) -> Head:
        """Its latest event."""

    @property
    def changed(self) -> datetime:
        """When that was written."""

    @property
    def size(self) -> int:
        """Bytes of the log."""


_V = TypeVar("_V", bound=Latest)
_E = TypeVar("_E")


@dataclass(frozen=True, slots=True)
class Written(Generic[_V, _E]):
    """What a command has written: the events, none if it changed nothing, and the view of the log after them."""

    view: _V
    entries: tuple[_E, ...]
    head: Head
    """The version reached by this command."""
    replayed: bool = False
    """Whether the command had been sent before under the same key; this is the first result again."""

    @property
    def version(self) -> int:
        """The version to which these events brought the log."""
        return self.head.version


class Writer(Generic[_V, _E]):
    """Writes in the logs of one kind: sheets, or groups."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        *,
        load: Callable[[str], _V],
        entries: Callable[[Sequence[Record]], Sequence[_E]],
        grow: Callable[[_V, tuple[_E, ...], Sequence[Record]], _V],
        most: int,
    ) -> None:
        """`grow` returns a view after further records and the `entries` in them; a log has at most `most` events."""
        self._store, self._now, self._load, self._entries, self._grow = store, clock, load, entries, grow
        self._most = most

    def write(
        self,
        log: str,
        command: object,
        decide: Callable[[_V], Sequence[object]],
        *,
        base_version: int | None = None,
        key: str | None = None,
        link: Link | None = None,
        actor: str = "",
        at: datetime | None = None,
    ) -> Written[_V, _E]:
        """Write the events that `decide` returns for a command, or return the earlier result under its key.

        With `base_version`, raises Conflict if the log is at another version. A `key` that was used for another command
        raises KeyReused. With a link, its label is the actor, and the transaction that writes looks it up again. `at`
        is when the command was given, if that was earlier. Raises what `decide` raises, NoSuchSheet, and Conflict where
        others write all the time.
        """
        try:
            written = self._append(log, command, decide, base_version, key, link, actor, at)
        except (Conflict, Refused):
            # What was written under the key before may not be possible a second time; what is, the store finds.
            if again := self._earlier(log, key, command):
                return again
            raise
        return written if written.entries else self._earlier(log, key, command) or written

    def _append(
        self, log: str, command: object, decide: Callable[[_V], Sequence[object]], base_version: int | None,
        key: str | None, link: Link | None, actor: str, at: datetime | None,
    ) -> Written[_V, _E]:  # fmt: skip
        for _ in range(_MAX_RETRIES):
            view = self._load(log)
            version = view.head.version
            if base_version is not None and version != base_version:
                raise Conflict(version, raced=False)
            events = decide(view)
            if not events:
                return Written(view, (), view.head)
            if version + len(events) > self._most:
                raise Refused([Problem((), "sheet-full", {"most": self._most})])
            now = self._now()
            entered = stamp(later(min(at or now, now), view.changed))
            records = to_records(events, view.head.hash, version, entered, clean(link.label if link else actor))
            if view.size + bytes_of(records) > MAX_BYTES:
                raise Refused([Problem((), "sheet-full", {"most": version})])
            answered = _idempotency_record(command, records)
            try:
                before = self._store.append(log, version, records, key, answered, link.id if link else None)
            except Conflict:
                if base_version is not None:
                    raise
                continue
            if before:
                return self._again(log, before, command)
            entries = tuple(self._entries(records))
            return Written(self._grow(view, entries, records), entries, records[-1].head)
        raise Conflict(self._store.head(log).version, raced=True)

    def _earlier(self, log: str, key: str | None, command: object) -> Written[_V, _E] | None:
        """Return the result of an earlier send under the key, None for a new key. Raises KeyReused."""
        before = self._store.answered(log, key) if key is not None else None
        return self._again(log, before, command) if before else None

    def _again(self, log: str, before: Answered, command: object) -> Written[_V, _E]:
        first, last = _replayed_range(before, command)
        records = self._store.read(log, first - 1, last - first + 1)
        return Written(self._load(log), tuple(self._entries(records)), Head(last, records[-1].hash), replayed=True)


def _idempotency_record(command: object, records: Sequence[Record]) -> Answered:
    """Return the record of a command and its events for the idempotency key."""
    return Answered(fingerprint(command), canonical({"first": records[0].seq, "last": records[-1].seq}))


def _replayed_range(before: Answered, command: object) -> tuple[int, int]:
    """Return the sequence range that a repeated command produced. Raises KeyReused for another command."""
    if before.fingerprint != fingerprint(command):
        raise KeyReused
    return span(before)


def span(before: Answered) -> tuple[int, int]:
    """Return the first and the last sequence number of a command's events."""
    written = json.loads(before.answer)
    return written["first"], written["last"]


def fingerprint(command: object) -> str:
    """Return a digest that is equal for equal commands."""
    return hashed(canonical([type(command).__name__, to_json(command)]))


CACHED_BYTES: Final = 96 * 1024 * 1024
"""Size of the cached views, as `_ViewCache` estimates it."""


class _ViewCache:
    """Keep the views of recently used sheets."""

    def __init__(self, store: Store, games: Mapping[str, Game]) -> None:
        self._store = store
        self._games = games
        self._views: ByteCache[str, View] = ByteCache(CACHED_BYTES)

    @property
    def size(self) -> int:
        """Bytes of the views, about."""
        return self._views.size

    def load(self, sheet: str) -> View:
        """Return a sheet at its latest version. Raises NoSuchSheet."""
        view = self._views.get(sheet)
        if view is not None:
            if self._store.head(sheet) == view.head:
                return view
            records = self._store.read(sheet, view.version)
            if records and records[0].prev_hash == view.head.hash:
                return self.add(view, from_records(records), records)
        records = self._store.read(sheet)
        folded = fold(from_records(records))
        return self._keep(View(sheet, folded, self._games, {}, records[-1].hash, bytes_of(records)))

    def add(self, view: View, entries: Sequence[Entry], records: Sequence[Record]) -> View:
        """Return the view after further events. Ledgers of games that did not change are reused."""
        sheet = fold(entries, view.sheet)
        old = zip(view.sheet.games, vars(view).get("ledgers", ()), strict=False)
        kept = {game.number: kept for game, kept in old if any(game is other for other in sheet.games)}
        return self._keep(View(view.id, sheet, self._games, kept, records[-1].hash, view.size + bytes_of(records)))

    def forget(self, sheet: str) -> None:
        """Drop a sheet that was erased."""
        self._views.forget(sheet)

    def _keep(self, view: View) -> View:
        # What each event says, with its ledger, and each state that an undo can bring back.
        self._views.put(view.id, view, 20_000 + 4 * view.size + 1_000 * view.version + 4 * view.version**2)
        return view


def preview(sheet: Sheet, command: Command, games: Mapping[str, Game]) -> Ripple:
    """Return the game of a command, deal by deal before and after it. Raises Refused."""
    after = sheet
    for seq, event in enumerate(command.decide(sheet, games), start=sheet.version + 1):
        after = fold([Entry(seq, sheet.changed, "", event)], after)
    number = _game_touched(sheet, after)
    found = ripple(number, _ledger_at(sheet, after, number, games), _ledger_at(after, sheet, number, games))
    if number > min(len(sheet.games), len(after.games)):
        return found
    return replace(found, of_rules=tuple(_effects_of_rules(sheet, after, found, games)))


def _effects_of_rules(sheet: Sheet, other: Sheet, found: Ripple, games: Mapping[str, Game]) -> Iterator[Effect]:
    """Yield the rules that no longer hold, and the tallies that the open deal under other rules forgets or charges."""
    before, after = sheet.games[found.game_number - 1], other.games[found.game_number - 1]
    yield from (Effect(RULES_GONE, deal) for deal in rules_gone(before, after))
    if before.rules == after.rules or found.after.outcome.over:
        return
    known, rules = games[after.game], house_rules(games[after.game], after.rules).options
    kept, limits = known.tallies(rules), known.tally_limits(rules)
    for side, at in found.after.standing.items():
        for tally, count in {**found.before.standing[side].tallies, **at.tallies}.items():
            if count and tally not in kept:
                yield Effect(TALLY_GONE, after.rules.first_deal, side, before=count, tally=tally)
            elif count and count >= limits.get(tally, count + 1):
                yield Effect(TALLY_DUE, after.open.number, side, before=count, after=limits[tally], tally=tally)


def _ledger_at(sheet: Sheet, other: Sheet, number: int, games: Mapping[str, Game]) -> Ledger:
    """Return the ledger of a game on a sheet, an empty one if only the other sheet has the game."""
    if number <= len(sheet.games):
        return ledger(sheet.games[number - 1], games)
    return ledger(other.games[number - 1]._replace(deals=()), games)


def _game_touched(before: Sheet, after: Sheet) -> int:
    """Return the number of the first game in which two sheets differ, by default of the current one."""
    for one, other in zip(before.games, after.games, strict=False):
        if one is not other:
            return one.number
    number = max(len(before.games), len(after.games))
    if not number:
        refuse((), "no-game")
    return number


@dataclass(frozen=True, slots=True)
class SideRipple:
    """One side in one deal before and after a command; None if there is no such deal."""

    before: SideScore | None
    after: SideScore | None

    @property
    def changed(self) -> bool:
        """Whether any line, the total or a tally differs."""
        return self.before != self.after

    @property
    def removed(self) -> tuple[Line, ...]:
        """Lines that are removed, but for those in the place of which another of the same points comes."""
        return _without_counterpart(self.before, self.after)

    @property
    def added(self) -> tuple[Line, ...]:
        """Lines that are added, but for those in the place of others with the same points."""
        return _without_counterpart(self.after, self.before)


LINE_GONE, LINE_COME, TOTAL = "line-gone", "line-come", "total"
RULES_GONE, TALLY_GONE, TALLY_DUE = "rules-gone", "tally-gone", "tally-due"
"""Kinds of effects."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that a command does in a deal: to a side, or to all of them, where `side` is empty.

    A line falls away or comes, the total after the deal differs, or rules that held from the deal on no longer do; a
    tally of `before` is no longer kept from the deal on, or has reached the limit `after` at which it costs points.
    """

    kind: str
    deal: int
    side: str = ""
    line: Line | None = None
    before: int | None = None
    after: int | None = None
    tally: str = ""


@dataclass(frozen=True, slots=True)
class DealRipple:
    """One deal before and after a command."""

    number: int
    before: DealScore | None
    after: DealScore | None
    sides: Mapping[str, SideRipple]

    @property
    def changed(self) -> bool:
        """Whether anything about the deal differs, its status and warnings included."""
        return self.before != self.after

    @property
    def rewritten(self) -> tuple[str, ...]:
        """The ids of the sides of which lines are removed or added."""
        return tuple(side for side, each in self.sides.items() if each.removed or each.added)


@dataclass(frozen=True, slots=True)
class Ripple:
    """What a command would change: every deal of the game before and after, and both outcomes."""

    game_number: int
    before: Ledger
    after: Ledger
    deals: tuple[DealRipple, ...]
    of_rules: tuple[Effect, ...] = ()
    """What other rules do beside the points of recorded deals."""

    @property
    def changed(self) -> tuple[DealRipple, ...]:
        """Only the deals that change."""
        return tuple(deal for deal in self.deals if deal.changed)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What changes: lines whose points fall away or come and totals, deal by deal; then what rules do beside."""
        found: list[Effect] = []
        for deal in self.changed:
            for side, each in deal.sides.items():
                found += [Effect(LINE_GONE, deal.number, side, line) for line in each.removed]
                found += [Effect(LINE_COME, deal.number, side, line) for line in each.added]
                before, after = (one.standing.total if one else None for one in (each.before, each.after))
                if before is not None and after is not None and before != after:
                    found.append(Effect(TOTAL, deal.number, side, None, before, after))
        return (*found, *self.of_rules)


def ripple(game_number: int, before: Ledger, after: Ledger) -> Ripple:
    """Return the differences between two ledgers of one game, deal by deal."""
    deals = []
    for place in range(max(len(before.deals), len(after.deals))):
        old = before.deals[place] if place < len(before.deals) else None
        new = after.deals[place] if place < len(after.deals) else None
        sides = {
            side: SideRipple(old.sides[side] if old else None, new.sides[side] if new else None)
            for side in (new or old or DealScore({})).sides
        }
        deals.append(DealRipple(place + 1, old, new, sides))
    return Ripple(game_number, before, after, tuple(deals))


def _without_counterpart(one: SideScore | None, other: SideScore | None) -> tuple[Line, ...]:
    """Return the lines that only one score has, without those for which the other has one that changes no total."""
    known = {(line.article, line.points) for line in _without(other, one)}
    return tuple(line for line in _without(one, other) if (line.article, line.points) not in known)


def _without(one: SideScore | None, other: SideScore | None) -> tuple[Line, ...]:
    lines, rest = (one.lines if one else ()), list(other.lines if other else ())
    kept = []
    for line in lines:
        if line in rest:
            rest.remove(line)
        else:
            kept.append(line)
    return tuple(kept)


Say = Callable[[str, JsonObject], str]
"""Return a phrase by its key with these facts, in the reader's language."""

_COLUMNS = ("game_number", "game", "deal", "status", "dealer", "side", "players", "points", "total")
_MORE_COLUMNS = ("lines", "corrected")
"""Columns behind them; calls, facts and tallies are in between."""

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""First characters of a formula, also in full width, which some spreadsheets accept."""


def _csv_text(sheet: Sheet, ledgers: tuple[Ledger, ...]) -> str:
    """Return CSV with a row for each side in each deal; an apostrophe is put before text that would be a formula."""
    found = [row for game, kept in zip(sheet.games, ledgers, strict=True) for row in _rows(sheet, game, kept)]
    between = sorted({key for row in found for key in row if key.startswith(_CALL)})
    between += dict.fromkeys(key for row in found for key in row if key not in (*_COLUMNS, *between, *_MORE_COLUMNS))
    out = io.StringIO()
    rows = csv.DictWriter(out, (*_COLUMNS, *between, *_MORE_COLUMNS), restval="", lineterminator="\r\n")
    rows.writeheader()
    rows.writerows({key: safe_cell(value) for key, value in row.items()} for row in found)
    return out.getvalue()


def safe_cell(value: object) -> object:
    """Return the value of a cell: numbers unchanged, text never a formula."""
    if isinstance(value, str) and value.lstrip().startswith(_FORMULA):
        return "'" + value
    return value


def _chat_text(sheet: Sheet, ledgers: tuple[Ledger, ...], say: Say) -> str:
    """Return the games deal by deal as text. Phrases: `chat-` with `deal`, `void`, `why` and so on."""
    title = [sheet.title] if sheet.title else []
    games = ["\n".join(_game_lines(sheet, game, kept, say)) for game, kept in zip(sheet.games, ledgers, strict=True)]
    return "\n\n".join([*title, *games]) + "\n"


_CALL: Final = "call_"
_NAMING: Final = ("player", "winner", "by", "side", "claim", "first_out")
"""Facts that are the id of a seat or a side."""


def _called(side: Side, calls: Sequence[JsonObject]) -> list[str]:
    """Return what each player of a side called, and last what they called together."""
    said = [[str(call["call"]) for call in calls if call.get("seat") == seat] for seat in side.players]
    together = [str(call["call"]) for call in calls if "seat" not in call and call.get("side") == side.id]
    return [" ".join(each) for each in (*said, together)]


def _cell(key: str, value: object, side: Side, names: Mapping[str, str]) -> object:
    """Return what a fact of a deal says of a side as a number or a text."""
    own = (side.id, *side.players)
    if isinstance(value, Mapping):
        others = value.keys() - own if value.keys() <= names.keys() else ()
        return " ".join(str(_cell(name, item, side, names)) for name, item in value.items() if name not in others)
    if isinstance(value, list):
        about = [
            each for each in value if not isinstance(each, Mapping) or each.get("side", each.get("by")) in (None, *own)
        ]
        separator = "; " if any(isinstance(each, Mapping) for each in about) else " "
        return separator.join(str(_cell(key, each, side, names)) for each in about)
    if isinstance(value, bool):
        return int(value)
    return names.get(str(value), value) if key in _NAMING else value


def _rows(sheet: Sheet, game: SheetGame, kept: Ledger) -> Iterator[dict[str, object]]:
    for deal, scored in zip(game.deals, kept.deals, strict=True):
        names = sheet.names_in(game, deal.number)
        for side in game.sides:
            score = scored.sides[side.id]
            lines = " ".join(f"{line.article}:{line.points}" for line in score.lines)
            shared = {key: item for key, item in deal.facts.items() if key not in kept.standing}
            facts = {**deal.facts.get(side.id, {}), **shared, "lines": lines, "corrected": deal.corrected}
            values = (
                *(game.number, game.game, deal.number, scored.status, names[deal.dealer]),
                *(side.id, names[side.id], score.points, score.standing.total),
            )
            yield {
                **dict(zip(_COLUMNS, values, strict=True)),
                **{f"{_CALL}{n}": call for n, call in enumerate(_called(side, deal.calls), 1) if call},
                **score.standing.tallies,
                **{key: _cell(key, item, side, names) for key, item in facts.items()},
            }


def _game_lines(sheet: Sheet, game: SheetGame, kept: Ledger, say: Say) -> list[str]:
    sides, names = [side.id for side in game.sides], sheet.names_in(game)
    lines = [say("chat-game", {"number": game.number, "game": game.game})]
    lines.append(" – ".join(names[side] for side in sides))
    if game.opening:
        totals = _together(game.opening.get(side, {}).get("total", 0) for side in sides)
        lines.append(say("chat-opening", {"totals": totals}))
    lines += [
        say("chat-taken", {"deal": each.from_deal, "name": each.left, "player": sheet.players[each.key]})
        for each in sheet.state.taken
        if each.game == game.number
    ]
    for number, deal in enumerate(kept.deals, start=1):
        facts = {"deal": number, "game": game.game, "names": sheet.names_in(game, number)}
        facts["wrong"] = game.deals[number - 1].facts.get("irregularities", ())
        if deal.status != SCORED and not any(score.lines for score in deal.sides.values()):
            lines.append(say("chat-void", facts | {"status": deal.status}))
            continue
        points = [signed_text(deal.sides[side].points) for side in sides]
        totals = _together(deal.sides[side].standing.total for side in sides)
        called = [list(filter(None, _called(side, game.deals[number - 1].calls))) for side in game.sides]
        facts |= {"totals": totals, "points": points, "calls": called if any(called) else []}
        lines.append(say("chat-deal", facts))
    winners = [names[side] for side in sides if side in kept.outcome.winners]
    if kept.outcome.over:
        totals = _together(kept.standing[side].total for side in sides)
        lines.append(say("chat-winner", {"winners": winners, "count": len(winners), "totals": totals}))
        lines.append(say("chat-why", {"game": game.game, "names": names, "outcome": kept.outcome}))
    else:
        lines.append(say("chat-open", {"deals": len(kept.deals), "left": game is not sheet.game}))
    return lines


def _together(totals: Iterable[int]) -> str:
    return " – ".join(map(number_text, totals))


_Check = Callable[[Sequence[Record]], object]


def _faults(store: Store, games: Mapping[str, Game]) -> Iterator[Fault]:
    """Yield the sheets and groups with a broken hash chain or a log that does not read, and what the anchors miss."""
    yield from store.audit()

    def score(records: Sequence[Record]) -> None:
        for game in fold(from_records(records)).games:
            ledger(game, games)

    for sheet in store.sheets():
        yield from _of_log(store, sheet, score)
    for group in store.groups():
        yield from _of_log(store, group, lambda records: fold(from_group_records(records)))


def _of_log(store: Store, log: str, check: _Check) -> Iterator[Fault]:
    try:
        records = store.read(log)
    except NoSuchSheet:
        yield Fault(log, 0, "no-events")
        return
    broken = broken_at(records)
    if broken is not None:
        yield Fault(log, broken, "hash-chain")
        return
    try:
        check(records)
    except BrokenLog as fault:
        yield Fault(log, fault.seq, "broken-log")
    except (Refused, LookupError) as fault:
        yield Fault(log, records[-1].seq, f"unscored: {fault}")


IDEMPOTENCY_KEY = KeyField(most=200)


class NewLinkShape(shapes.Shape[dict[str, str]]):
    """A link that is to be made."""

    scope = shapes.Word(SCOPES, "Scoring includes watching.")
    label = TitleField("Whose it is; what is written with it bears this label.", default="")


class NewLog(NamedTuple):
    """A log that was made: its links with their secrets by scope, and the latest event that it was made with."""

    id: str
    links: Mapping[str, tuple[Link, str]]
    head: Head
    replayed: bool
    """Whether it had been made before under the same key."""

    def opened(self, view: _V) -> Opened[_V]:
        """Return the log with what is shown once."""
        (link, secret), watching = self.links[SCORE], self.links.get(WATCH)
        return Opened(view, watching[1] if watching else "", secret, link, self.head, self.replayed)


class NewLink(NamedTuple):
    """A link with its secret, which is shown only once, and whether it had been made before under the same key."""

    link: Link
    secret: str
    replayed: bool


@dataclass(frozen=True, slots=True)
class Opened(Generic[_V]):
    """A new sheet or group and its secrets, which are shown once; no watch secret if no watch link was requested."""

    view: _V
    watch_secret: str
    score_secret: str
    score_link: Link
    head: Head
    """The latest event that it was made with."""
    replayed: bool = False
    """Whether it had been made before under the same key; this is the first result again."""

    @property
    def id(self) -> str:
        """The id of the log."""
        return self.view.id


Done: TypeAlias = Written[View, Entry]
"""What a command has written on a sheet, and the sheet after it."""


class SheetService:
    """Open, read and write sheets in a store. Games, clock and source of secrets are parameters."""

    def __init__(
        self,
        store: Store,
        *,
        games: Mapping[str, Game] = GAMES,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        token: Callable[[int], str] = secrets.token_urlsafe,
    ) -> None:
        self.store = store
        self.games = games
        self.now = clock
        self.token = token
        self._cache = _ViewCache(store, games)
        self._writer: Writer[View, Entry] = Writer(
            store, clock, load=self._cache.load, entries=from_records, grow=self._cache.add, most=MAX_EVENTS
        )

    def open_sheet(
        self, request: OpenSheet | JsonObject, *, watch: bool = True, seed: bytes | None = None
    ) -> Opened[View]:
        """Create a sheet from `{"seats": ["Aki", ...], "title"?, "lang"?, "game"?, "rules"?, "dealer"?, ...}`.

        Without `watch`, only a score link is created: there is no link whose secret nobody is shown. With a `seed`, the
        id and the secrets follow from it: the same request with the same seed makes nothing and has the first result
        again. Raises Refused, or KeyReused for another request.
        """
        asked = request if isinstance(request, OpenSheet) else read_opening(request)
        at = stamp(self.now())
        events = asked.decide(self.games)
        return self._keep_new(to_records(events, NO_HASH, 0, at, ""), watch=watch, seed=seed, asked=asked)

    def read(self, sheet: str) -> View:
        """Return the sheet at its latest version. Raises NoSuchSheet."""
        if is_group(sheet):
            raise NoSuchSheet(sheet)
        return self._cache.load(sheet)

    def head(self, sheet: str) -> Head:
        """Return the latest event of a sheet without reading the others, for polling. Raises NoSuchSheet."""
        return self.store.head(sheet)

    def head_at(self, sheet: str, version: int) -> Head:
        """Return the event of a sheet with that number. Raises NoSuchSheet."""
        for record in self.store.read(sheet, version - 1, 1):
            return Head(version, record.hash)
        raise NoSuchSheet(sheet)

    def do(
        self,
        sheet: str,
        command: Command | JsonObject,
        *,
        base_version: int | None = None,
        key: str | None = None,
        link: Link | None = None,
        actor: str = "",
        at: datetime | None = None,
    ) -> Done:
        """Write the events to which a command leads.

        With `base_version`, raises Conflict if the sheet is at another version; without, the command is applied to the
        latest one. A `key` that was used before returns the first result again, or raises KeyReused for another
        command. With the `link` of whoever writes, its label is the actor, and it is looked up again in the transaction
        that writes. A command that was given earlier, on a device without a line, is of the time `at`. Raises Refused
        and NoSuchSheet.
        """
        asked = read_command(command) if isinstance(command, Mapping) else command
        if key is not None:
            shapes.read(IDEMPOTENCY_KEY, key)
        done = self._writer.write(
            sheet, asked, lambda view: asked.decide(view.sheet, self.games),
            base_version=base_version, key=key, link=link, actor=actor, at=at,
        )  # fmt: skip
        self._keep_command(sheet, asked, key, done)
        return done

    def _keep_command(self, sheet: str, asked: Command, key: str | None, done: Done) -> None:
        """Keep a command after its events; only a device does, which gives it to a server later."""

    def preview(self, sheet: str, command: Command | JsonObject) -> Ripple:
        """Return what a command would change in its game, without writing. Raises Refused and NoSuchSheet."""
        asked = read_command(command) if isinstance(command, Mapping) else command
        return preview(self.read(sheet).sheet, asked, self.games)

    def what_if(self, view: View, house: HouseRules[object]) -> Ripple:
        """Return what other house rules would change in the running game, without writing. Raises Refused."""
        game = view.game
        if game is None:
            refuse((), "no-game")
        known = self.games[game.game]
        read_whole(sides_json(game.sides), lambda node: known.read_sides(node, house.options), ("sides",))
        rules = RulesPeriod(1, house.preset, known.options.plain(house.options))
        return ripple(game.number, view.ledgers[-1], ledger(game, self.games, rules=rules))

    def events(self, sheet: str, after: int = 0, most: int | None = None) -> list[Entry]:
        """Return the log of a sheet after a version, at most so many events of it. Raises NoSuchSheet."""
        return from_records(self.store.read(sheet, after, most))

    def history(self, sheet: str) -> list[HistoryEntry]:
        """Return every entry of a log, marking those that were undone. Raises NoSuchSheet."""
        return history(self.events(sheet))

    def check(self, secret: str, scope: str, sheet: str) -> Link:
        """Return the link with a secret if it allows this on this sheet. Raises NoSuchSheet whatever the reason is."""
        link = self.find(secret, scope)
        if link.sheet != sheet:
            raise NoSuchSheet(sheet)
        return link

    def find(self, secret: str, scope: str = WATCH) -> Link:
        """Return the link with a secret if it allows at least this. Raises NoSuchSheet whatever the reason is."""
        link = self.known(secret)
        if link is None or not link.allows(scope):
            raise NoSuchSheet("no such link")
        return link

    def known(self, secret: str) -> Link | None:
        """Return the link to a sheet with a secret, revoked or not."""
        link = self.store.find_link(hashed(secret))
        return None if link is None or is_group(link.sheet) else link

    def watch(self, secret: str) -> tuple[Link, Head]:
        """Return the link with a secret and the latest event of its sheet. Raises NoSuchSheet as `find` does."""
        found = self.store.linked_head(hashed(secret))
        if found is None or is_group(found[0].sheet) or not found[0].allows(WATCH):
            raise NoSuchSheet("no such link")
        return found

    def create_link(self, sheet: str, scope: str, label: str = "", *, seed: bytes | None = None) -> NewLink:
        """Create a link; return it with its secret, which is shown only once.

        With a `seed`, its id and secret follow from it: the same link with the same seed is made once. Raises Refused
        and NoSuchSheet, or KeyReused for another link.
        """
        asked = shapes.read(NewLinkShape, {"scope": scope, "label": label})
        token = self.token if seed is None else derived(seed)
        link, secret = new_link(token, sheet, asked["scope"], asked["label"], stamp(self.now()))
        before = None if seed is None else self.store.find_link(hashed(secret))
        if before is None:
            try:
                self.store.add_link(link, hashed(secret))
            except Conflict:
                before = self.store.find_link(hashed(secret))
        if before is not None and (before.scope, before.label) != (link.scope, link.label):
            raise KeyReused(link.id)
        return NewLink(before or link, secret, before is not None)

    def links(self, sheet: str) -> list[Link]:
        """Return all links of a sheet, oldest first, revoked ones included. Raises NoSuchSheet."""
        return self.store.links(sheet)

    def revoke_link(self, sheet: str, link: str) -> None:
        """Revoke a link. Raises NoSuchSheet if the sheet has no such link."""
        self.store.revoke_link(sheet, link, stamp(self.now()))

    def export_json(self, sheet: str) -> dict[str, Any]:
        """Return the log of a sheet as one JSON value that `from_file` reads back unchanged. Raises NoSuchSheet."""
        return to_file(self.store.read(sheet), sheet, self.store.anchors)

    def import_records(
        self, records: Sequence[Record], *, watch: bool = True, seed: bytes | None = None
    ) -> Opened[View]:
        """Create a sheet from records that `from_file` has checked. `watch` and `seed` are those of `open_sheet`.

        Raises KeyReused for other records.
        """
        return self._keep_new(records, watch=watch, seed=seed)

    def export_csv(self, sheet: str) -> str:
        """Return a table with a row for each side in each deal, safe to open in a spreadsheet. Raises NoSuchSheet."""
        view = self.read(sheet)
        return _csv_text(view.sheet, view.ledgers)

    def export_text(self, sheet: str, say: Say) -> str:
        """Return the games deal by deal as text for a chat, with the words of `say`. Raises NoSuchSheet."""
        view = self.read(sheet)
        return _chat_text(view.sheet, view.ledgers, say)

    def erase(self, sheet: str) -> None:
        """Erase a sheet for good, for privacy. Raises NoSuchSheet."""
        self.store.erase(sheet, stamp(self.now()))
        self._cache.forget(sheet)

    def verify(self) -> list[Fault]:
        """Return what is wrong in the store."""
        return list(_faults(self.store, self.games))

    def _keep_new(
        self, records: Sequence[Record], *, watch: bool, seed: bytes | None, asked: OpenSheet | None = None
    ) -> Opened[View]:
        made = self.create_log(records, SCOPES if watch else (SCORE,), seed=seed, asked=asked)
        return made.opened(self.read(made.id))

    def create_log(
        self,
        records: Sequence[Record],
        scopes: Sequence[str],
        *,
        seed: bytes | None,
        asked: OpenSheet | None = None,
        mark: str = "",
    ) -> NewLog:
        """Create a log with these events and a link for each scope; its id begins with the mark.

        With a `seed`, the id and the secrets follow from it: what is `asked`, or the same events where that is not
        known, is written once with the same seed. Raises KeyReused for anything else.
        """
        token = self.token if seed is None else derived(seed)
        log, at = mark + new_id(token), stamp(self.now())
        made = {scope: new_link(token, log, scope, "", at) for scope in scopes}
        links, replayed = [(link, hashed(secret)) for link, secret in made.values()], False
        answered = _idempotency_record(asked, records) if seed and asked else None
        try:
            self.store.create(log, at, records, links, answered)
        except Conflict:
            records, replayed = self._check_same(log, records, asked), True
        return NewLog(log, made, records[-1].head, replayed)

    def _check_same(self, sheet: str, records: Sequence[Record], asked: OpenSheet | None) -> list[Record]:
        """Return the first events of a sheet. Raises KeyReused if something else was asked, or if it was erased.

        What an earlier version of this program made of the same request may be other events.
        """
        before = self.store.answered(sheet, OPENING) if asked else None
        last = _replayed_range(before, asked)[1] if before else len(records)
        try:
            kept = self.store.read(sheet, 0, last)
        except NoSuchSheet:
            raise KeyReused(sheet) from None
        if before is None and [(one.kind, one.version, one.body) for one in kept] != [
            (one.kind, one.version, one.body) for one in records
        ]:
            raise KeyReused(sheet)
        return kept
