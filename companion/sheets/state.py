"""The state of a sheet: seats, games and deals; names and remarks as they may be stored; what is kept in memory."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeAlias, TypeVar

from companion.engine.ledger import Side, clockwise, team_name
from companion.engine.problems import JsonObject
from companion.games import GAMES

if TYPE_CHECKING:
    from companion.sheets.event import Event


MAX_NAME = 40
"""Graphemes of a name, of a title and of a label."""
MAX_REMARK = 200
"""Characters of a reason or a note."""

# Graphemes are counted here and not by a library: none is among the dependencies, the limit of a name needs no more
# than this, and an imported log must be accepted or refused alike whatever Unicode version a library has.
_ZERO_WIDTH_JOINERS = "\u200c\u200d"
_TAGS = range(0xE0020, 0xE0080)
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_REGIONS = range(0x1F1E6, 0x1F200)
_HANGUL_TAILS = range(0x1160, 0x1200)


def clean(text: str) -> str:
    """Return the text in NFC on one line, without control characters and marks that change the writing direction."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    kept = "".join(sign for sign in line if _is_kept(sign))
    kept = " ".join(unicodedata.normalize("NFC", kept).split())
    return kept if kept.strip(_ZERO_WIDTH_JOINERS + " ") else ""


def length(text: str) -> int:
    """Return the number of graphemes: a letter with its accents, an emoji with its parts and a flag count one each."""
    return sum(1 for _ in _graphemes(text))


def fits(name: str) -> bool:
    """Return whether a name, a title or a label is short enough; nobody piles up marks on a letter without end."""
    return length(name) <= MAX_NAME and len(name) <= 8 * MAX_NAME


def _is_kept(sign: str) -> bool:
    if unicodedata.category(sign) == "Cf":
        return sign in _ZERO_WIDTH_JOINERS or ord(sign) in _TAGS
    return unicodedata.category(sign) not in ("Cc", "Cs", "Zl", "Zp")


def _graphemes(text: str) -> Iterator[str]:
    cluster = ""
    for sign in text:
        if cluster and _joins(cluster, sign):
            cluster += sign
            continue
        if cluster:
            yield cluster
        cluster = sign
    if cluster:
        yield cluster


def _joins(cluster: str, sign: str) -> bool:
    place = ord(sign)
    if unicodedata.category(sign) in ("Mn", "Me", "Mc") or sign in _ZERO_WIDTH_JOINERS:
        return True
    if place in _TAGS or place in _SKIN_TONES or place in _HANGUL_TAILS or cluster[-1] == "\u200d":
        return True
    return place in _REGIONS and len(cluster) == 1 and ord(cluster) in _REGIONS


_E_co = TypeVar("_E_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table: an id that never changes, and the name of who sits there."""

    id: str
    name: str


class LogEntry(NamedTuple, Generic[_E_co]):
    """One event in its place in a log: when it was written (UTC) and under which label."""

    seq: int
    at: datetime
    actor: str
    event: _E_co


Entry: TypeAlias = LogEntry["Event"]
"""An entry in the log of a sheet."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a deal: who wrote what, when and why, and the facts before and after."""

    seq: int
    at: datetime
    actor: str
    event: Event
    before: JsonObject | None
    after: JsonObject | None

    @property
    def reason(self) -> str:
        """Why; empty if no reason was given."""
        return getattr(self.event, "reason", "")


@dataclass(frozen=True, slots=True)
class RulesPeriod:
    """The rules in force from a deal on, and the note written with them."""

    first_deal: int
    preset: str
    options: JsonObject
    note: str = ""

    @property
    def request(self) -> dict[str, object]:
        """The rules as in a score request."""
        return {"preset": self.preset, "options": dict(self.options)}


@dataclass(frozen=True, slots=True, eq=False)
class Notes:
    """Notes in their order. One note more shares those before it: an undo needs the state after each of them.

    Two thousand tuples would take 16 MB (row "sheet of 2,000 notes folded" of `make bench`).
    """

    last: str = ""
    earlier: Notes | None = None
    """Those before the last one; None where there is no note at all."""

    def __bool__(self) -> bool:
        return self.earlier is not None

    def __iter__(self) -> Iterator[str]:
        found, at = [], self
        while at.earlier is not None:
            found.append(at.last)
            at = at.earlier
        return reversed(found)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Notes) and tuple(self) == tuple(other))

    def __hash__(self) -> int:
        return hash(self.last)

    def __add__(self, note: str) -> Notes:
        """Return these notes and one more."""
        return Notes(note, self)


_NO_NOTES: Final = Notes()


class SheetDeal(NamedTuple):
    """A recorded deal: the facts in force, the calls, and every change."""

    number: int
    dealer: str
    facts: JsonObject
    calls: tuple[JsonObject, ...] = ()
    changes: tuple[Change, ...] = ()
    confirmed: tuple[str, ...] = ()
    notes: Notes = _NO_NOTES

    @property
    def void(self) -> bool:
        """Whether the deal is void."""
        return self.facts.get("void") is True

    @property
    def corrected(self) -> bool:
        """Whether the facts were replaced after they had been recorded."""
        return any(change.event.replaces_facts for change in self.changes[1:])


class OpenDeal(NamedTuple):
    """The deal being played: its dealer, the calls so far, and adjustments that wait for its facts."""

    number: int
    dealer: str
    calls: tuple[JsonObject, ...] = ()
    adjustments: tuple[JsonObject, ...] = ()
    notes: Notes = _NO_NOTES


class SheetGame(NamedTuple):
    """One game on a sheet: its sides, rules, recorded deals and open deal."""

    number: int
    game: str
    engine: str
    seating: tuple[str, ...]
    sides: tuple[Side, ...]
    opening: JsonObject
    periods: tuple[RulesPeriod, ...]
    started: datetime
    open: OpenDeal
    deals: tuple[SheetDeal, ...] = ()

    @property
    def rules(self) -> RulesPeriod:
        """The rules of the open deal."""
        return self.periods[-1]

    def rules_of(self, deal: int) -> RulesPeriod:
        """Return the rules in force at a deal."""
        return [period for period in self.periods if period.first_deal <= deal][-1]

    def until(self, deal: int) -> SheetGame:
        """Return the game without the rules of later deals."""
        return self._replace(periods=tuple(period for period in self.periods if period.first_deal <= deal))

    def deal(self, number: int) -> SheetDeal:
        """Return the recorded deal of that number. Raises IndexError."""
        if number < 1:
            raise IndexError(number)
        return self.deals[number - 1]

    def with_deal(self, deal: SheetDeal) -> SheetGame:
        """Return the game with the recorded deal of that number replaced."""
        return self._replace(deals=(*self.deals[: deal.number - 1], deal, *self.deals[deal.number :]))

    def with_open(self, deal: OpenDeal) -> SheetGame:
        """Return the game with its open deal replaced; `_replace` takes three times as long, for each event read."""
        return SheetGame(
            self.number, self.game, self.engine, self.seating, self.sides, self.opening, self.periods, self.started,
            deal, self.deals,
        )  # fmt: skip

    def side_of(self, seat: str) -> Side:
        """Return the side of a seat. Raises KeyError if the seat does not play."""
        for side in self.sides:
            if seat in side.players:
                return side
        raise KeyError(seat)

    def after(self, seat: str) -> str:
        """Return the seat that deals after this one, as the game has it; clockwise where the game is not known here.

        A log does not say it, since it follows from what a log does say: every option and the order of the seats. A
        game may therefore not change what its `next_dealer` returns for the same options; tests/sheets/released holds
        that. To write it into `DealRecorded` would make new logs unreadable for devices that run an earlier version.
        """
        known = GAMES.get(self.game)
        next_dealer = known.next_dealer if known else clockwise
        return next_dealer(self.rules.options, self.seating, seat)


class Substitution(NamedTuple):
    """A seat that another player took over: from which deal of which game on, and the name of the one who left."""

    game: int
    from_deal: int
    seat: str
    left: str

    @property
    def key(self) -> str:
        """The id of whoever took the seat over, among all who sat there: `D@2.5` from deal 5 of game 2 on."""
        return f"{self.seat}@{self.game}.{self.from_deal}"


class State(NamedTuple):
    """Everything on a sheet that an undo restores."""

    seats: tuple[Seat, ...]
    title: str = ""
    lang: str = ""
    games: tuple[SheetGame, ...] = ()
    taken: tuple[Substitution, ...] = ()
    """Seats that were taken over, in the order of the deals."""

    def names_at(self, game: int, deal: int) -> dict[str, str]:
        """Return the name at each seat id in a deal of a game."""
        names = {seat.id: seat.name for seat in self.seats}
        for each in reversed(self.taken):
            if (each.game, each.from_deal) > (game, deal):
                names[each.seat] = each.left
        return names


class UndoStep(NamedTuple):
    """One event on the undo or redo stack, with the states before and after it."""

    entry: Entry
    before: State
    after: State
    below: UndoStep | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet after its latest event; `version` is that event's sequence number."""

    version: int
    state: State
    opened: datetime
    changed: datetime
    past: UndoStep | None = field(default=None, repr=False, compare=False)
    future: UndoStep | None = field(default=None, repr=False, compare=False)

    @property
    def title(self) -> str:
        """The title; may be empty."""
        return self.state.title

    @property
    def lang(self) -> str:
        """The language in which the sheet was opened; may be empty."""
        return self.state.lang

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats with their current names."""
        return self.state.seats

    @property
    def names(self) -> dict[str, str]:
        """The name at each seat id, of whoever sits there now."""
        return {seat.id: seat.name for seat in self.state.seats}

    @property
    def players(self) -> dict[str, str]:
        """The name of everybody who has sat down: of the first one under the id of the seat, then by substitution."""
        found: dict[str, str] = {}
        last = {seat: seat for seat in self.names}
        for each in self.state.taken:
            found[last[each.seat]] = each.left
            last[each.seat] = each.key
        return found | {last[seat]: name for seat, name in self.names.items()}

    def seated(self, known: Mapping[str, str], place: tuple[int, int] | None = None) -> dict[str, str]:
        """Return whoever of those known, by the keys of `players`, sat at each seat, nobody twice.

        `place` is a game and a deal; without it, who sits there now.
        """
        keys = {seat: seat for seat in self.names}
        keys |= {each.seat: each.key for each in self.state.taken if place is None or each[:2] <= place}
        found: dict[str, str] = {}
        for seat, key in keys.items():
            if key in known and known[key] not in found.values():
                found[seat] = known[key]
        return found

    @property
    def games(self) -> tuple[SheetGame, ...]:
        """The games played on this sheet, first to last."""
        return self.state.games

    @property
    def game(self) -> SheetGame | None:
        """The current game, None before the first one."""
        return self.state.games[-1] if self.state.games else None

    @property
    def to_undo(self) -> Entry | None:
        """The event that an undo would take back now."""
        if self.past is None or (self.past.after.games and not self.past.before.games):
            return None  # a sheet keeps its first game
        return self.past.entry

    @property
    def to_redo(self) -> Entry | None:
        """The event that a redo would bring back now."""
        return self.future.entry if self.future else None

    def names_in(self, game: SheetGame, deal: int | None = None) -> dict[str, str]:
        """Return the name of every seat, and of every side of a game, by their ids; by default those of its end."""
        names = self.state.names_at(game.number, deal or game.open.number)
        return {side.id: team_name(names[seat] for seat in side.players) or side.id for side in game.sides} | names


_K = TypeVar("_K")
_V = TypeVar("_V")


class ByteCache(Generic[_K, _V]):
    """Keep values while their sizes add up to at most so many bytes; drop what was used longest ago. Thread-safe."""

    def __init__(self, most: int) -> None:
        self.size = 0
        """Bytes of all values, as they were put."""
        self._most = most
        self._kept: dict[_K, tuple[_V, int]] = {}
        self._lock = Lock()

    def get(self, key: _K) -> _V | None:
        """Return the value under a key, None without one."""
        with self._lock:
            kept = self._kept.pop(key, None)
            if kept is None:
                return None
            self._kept[key] = kept
            return kept[0]

    def put(self, key: _K, value: _V, size: int) -> None:
        """Keep a value of so many bytes, unless it alone is larger than the cache."""
        with self._lock:
            self._drop(key)
            if size > self._most:
                return
            while self.size + size > self._most:
                self._drop(next(iter(self._kept)))
            self._kept[key] = value, size
            self.size += size

    def forget(self, key: _K) -> None:
        """Drop the value under a key, if there is one."""
        with self._lock:
            self._drop(key)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()
            self.size = 0

    def _drop(self, key: _K) -> None:
        if key in self._kept:
            self.size -= self._kept.pop(key)[1]
