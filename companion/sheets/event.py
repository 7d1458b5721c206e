"""What every event and command is: base classes, refusals, the scoring that checks them, and the fold of a log."""

from __future__ import annotations

import json
import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import compress, count
from typing import Any, ClassVar, Final, NamedTuple, NoReturn, Protocol, TypeVar

from companion.engine.dialogue import Phrase
from companion.engine.game import Game, read_deal
from companion.engine.game import read_opening as read_opening_totals
from companion.engine.ledger import Deal, DealScore, Facts, Ledger, Rules, Side, keep_ledger
from companion.engine.options import HouseRules, OptionSet
from companion.engine.problems import JsonObject, Node, Pointer, Problem, Refused, read_whole
from companion.sheets.shapes import Count, DealNumber, GameNumber, Head, canonical
from companion.sheets.state import (
    ByteCache,
    Entry,
    LogEntry,
    OpenDeal,
    RulesPeriod,
    Sheet,
    SheetDeal,
    SheetGame,
    State,
    UndoStep,
)

_LEDGER_BYTES: Final = 32 * 1024 * 1024
"""Size of the ledgers of recently scored games, as `_bytes_of` estimates it."""


def house_rules(known: Game, period: RulesPeriod) -> HouseRules[Rules]:
    """Return the house rules of a period. Raises Refused if the game cannot read them."""
    return _read_rules(known.options, canonical(period.request))


def ledger(
    game: SheetGame, games: Mapping[str, Game], *, rules: RulesPeriod | None = None, strict: int | None = None
) -> Ledger:
    """Return the ledger of a game on a sheet; only deals that were not scored before are scored.

    Deals after the end stay, marked and unscored. Problems that a keeper may accept do not prevent scoring, except in
    the deal numbered `strict`, where they must have been accepted. With `rules`, the facts are scored under other house
    rules. Raises Refused for impossible facts; pointers begin with `deals` and the index of the deal.
    """
    known = games[game.game]
    if rules:
        return _ledger(game, known, (replace(rules, first_deal=1),), None, None)
    # Versions of a game are recognised by the objects that hold sides and rules, which they share and which are kept.
    key, facts = (id(game.sides), id(game.periods)), tuple(deal.facts for deal in game.deals)
    kept = _LATEST.get(key)
    found: Ledger | None = None
    sizes: tuple[int, ...] = ()
    if kept and kept.belongs_to(game, known):
        most = len(facts) if strict is None else min(strict - 1, len(facts))
        differ = map(operator.is_not, facts[:most], kept.facts)
        found = kept.ledger.until(next(compress(count(), differ), min(most, len(kept.facts))))
        sizes = kept.sizes[: len(found.deals)] if found else ()
    if found is None or len(found.deals) < len(facts):
        found = _ledger(game, known, game.periods, strict, found)
        sizes += tuple(map(_bytes_of, facts[len(sizes) :], found.deals[len(sizes) :]))
    _LATEST.put(key, _Scored(game.sides, known, game.opening, game.periods, facts, found, sizes), 2_000 + sum(sizes))
    return found


class _Scored(NamedTuple):
    """What the ledger of a game follows from, and the ledger; the sizes of its deals are in bytes."""

    sides: tuple[Side, ...]
    known: Game
    opening: JsonObject
    periods: tuple[RulesPeriod, ...]
    facts: tuple[JsonObject, ...]
    ledger: Ledger
    sizes: tuple[int, ...]

    def belongs_to(self, game: SheetGame, known: Game) -> bool:
        """Return whether a game is another version of this one, under the same rules."""
        same = self.sides is game.sides and self.opening == game.opening and self.periods == game.periods
        return same and self.known is known


_LATEST: ByteCache[tuple[int, int], _Scored] = ByteCache(_LEDGER_BYTES)


def _bytes_of(facts: JsonObject, scored: DealScore) -> int:
    """Return about how many bytes the facts of a deal and its score take."""
    return 1_500 + 6 * len(repr(facts)) + 500 * sum(len(score.lines) for score in scored.sides.values())


def _ledger(
    game: SheetGame, known: Game, periods: tuple[RulesPeriod, ...], strict: int | None, earlier: Ledger | None
) -> Ledger:
    """Return the ledger of all deals, given the one of the first deals."""
    place = len(earlier.deals) if earlier else 0
    houses = [house_rules(known, period).options for period in periods]
    deals = _deals(game, known, periods, houses, place)
    opening = read_opening_totals(known, Node(game.opening, ("opening",)), houses[0], game.sides)
    changes = {
        period.first_deal - 1: (options, known.tallies(options))
        for period, options in zip(periods[1:], houses[1:], strict=True)
    }
    return keep_ledger(
        known.scorer, _in_force(periods, houses, max(place, 1)), game.sides, deals,
        opening=opening, tallies=known.tallies(houses[0]), changes=changes, after_end="mark",
        lenient=True, strict=None if strict is None else strict - 1, earlier=earlier,
    )  # fmt: skip


def _deals(
    game: SheetGame, known: Game, periods: tuple[RulesPeriod, ...], houses: list[Rules], place: int
) -> list[Deal[Facts]]:
    deals, problems = [], []
    for deal in game.deals[place:]:
        node = Node(deal.facts, ("deals", deal.number - 1))
        deals.append(read_deal(known, node, _in_force(periods, houses, deal.number), game.sides))
        problems += node.problems
    if problems:
        raise Refused(problems)
    return deals


def _in_force(periods: tuple[RulesPeriod, ...], houses: list[Rules], deal: int) -> Rules:
    """Return the options under which a deal is scored."""
    return [house for period, house in zip(periods, houses, strict=True) if period.first_deal <= deal][-1]


@lru_cache(maxsize=512)
def _read_rules(options: OptionSet[Rules], request: str) -> HouseRules[Rules]:
    return read_whole(json.loads(request), options.read, ("rules",))


@dataclass(frozen=True)
class View:
    """A sheet at one version with its ledgers, as pages and responses show it."""

    id: str
    sheet: Sheet
    games: Mapping[str, Game]
    kept: Mapping[int, Ledger]
    """Known ledgers by game number, reused from an earlier view."""
    last_hash: str = ""
    """The hash of the latest event, empty for a view of an earlier version."""
    size: int = 0
    """Bytes of its log in an export."""

    @property
    def version(self) -> int:
        """The sequence number of the latest event."""
        return self.sheet.version

    @property
    def head(self) -> Head:
        """The number and the hash of the latest event, of which the ETag is made."""
        return Head(self.sheet.version, self.last_hash)

    @property
    def changed(self) -> datetime:
        """When the latest event was written."""
        return self.sheet.changed

    @property
    def game(self) -> SheetGame | None:
        """The running game."""
        return self.sheet.game

    @cached_property
    def ledgers(self) -> tuple[Ledger, ...]:
        """The ledger of each game on the sheet."""
        return tuple(
            self.kept[game.number] if game.number in self.kept else ledger(game, self.games)
            for game in self.sheet.games
        )

    @property
    def ledger(self) -> Ledger | None:
        """The ledger of the running game."""
        return self.ledgers[-1] if self.ledgers else None

    def house(self, game: SheetGame, deal: int | None = None) -> HouseRules[Rules]:
        """Return the house rules of a game at a deal, by default the open one."""
        return house_rules(self.games[game.game], game.rules_of(deal) if deal else game.rules)


Games = Mapping[str, Game]


@dataclass(frozen=True, slots=True)
class Description:
    """What an event did, without words: its message, and whatever else a reader of the history is shown.

    A fact `game` of a phrase is the id of a game, `call` a call as the log has it.
    """

    message: Phrase
    details: tuple[Phrase, ...] = ()
    note: str = ""
    reason: str = ""
    sides: tuple[Side, ...] = ()
    """The sides of a game that began."""
    rules: tuple[RulesPeriod, ...] = ()
    """The rules with which a game began, or those before and after a change."""
    calls_removed: tuple[JsonObject, ...] = ()
    calls_added: tuple[JsonObject, ...] = ()
    call_owners: bool = False
    """Whether the caller of each call is worth naming."""
    facts_removed: bool = False
    """Whether the facts of its deal before it are no longer in force; the history has them."""
    facts_added: bool = False
    """Whether it brought facts of its deal."""
    brief: bool = False
    """Whether one line is enough: a call, of which a deal has four."""


class Event(ABC):
    """Something that happened on a sheet; frozen, in the past tense, never edited.

    Subclasses are frozen dataclasses whose annotations declare the fields in the log.
    """

    __slots__ = ()
    replaces_facts: ClassVar[bool] = False
    """Whether the deal counts as corrected after it."""

    @abstractmethod
    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Return what the event did, given the sheets before and after it."""

    @abstractmethod
    def apply(self, state: State, entry: Entry) -> State:
        """Return the state after the event. Raises LookupError or ValueError if it does not fit the state."""

    def advance(self, sheet: Sheet | None, entry: Entry) -> Sheet:
        """Return the sheet after the event, which can then be undone. Raises as `apply` does."""
        if sheet is None:
            raise ValueError("a sheet begins with its opening")
        after = self.apply(sheet.state, entry)
        return Sheet(entry.seq, after, sheet.opened, entry.at, UndoStep(entry, sheet.state, after, sheet.past), None)

    def check(self, sheet: Sheet, games: Games) -> None:  # noqa: B027  (most kinds need none)
        """Check in an imported log what `apply` cannot; `sheet` is the sheet after the event. Raises Refused."""


@dataclass(frozen=True, slots=True)
class GameEvent(Event):
    """An event of one game of the sheet."""

    game_number: GameNumber

    def game_in(self, sheet: Sheet | State) -> SheetGame:
        """Return its game on a sheet. Raises IndexError."""
        if self.game_number < 1:
            raise IndexError(self.game_number)
        return sheet.games[self.game_number - 1]

    def with_game(self, state: State, game: SheetGame) -> State:
        """Return the state with its game replaced."""
        place = self.game_number - 1
        games = (*state.games[:place], game, *state.games[place + 1 :])
        return State(state.seats, state.title, state.lang, games, state.taken)  # `_replace` takes four times as long


@dataclass(frozen=True, slots=True)
class DealEvent(GameEvent):
    """An event of one deal. The number after the last recorded deal means the open one."""

    deal: DealNumber
    in_deal_history: ClassVar[bool] = True
    """Whether the history of the deal shows it; the calls are shown with the facts of the deal."""

    def recorded_deal(self, sheet: Sheet | None) -> SheetDeal | None:
        """Return its deal on a sheet, or None if it is not recorded there."""
        if sheet is None or self.game_number > len(sheet.games):
            return None
        deals = self.game_in(sheet).deals
        return deals[self.deal - 1] if self.deal <= len(deals) else None

    def with_open(self, state: State, deal: OpenDeal) -> State:
        """Return the state with the open deal of its game replaced."""
        return self.with_game(state, self.game_in(state).with_open(deal))

    def open_deal(self, state: State) -> OpenDeal:
        """Return the open deal of its game. Raises IndexError if the event is about another deal."""
        deal = self.game_in(state).open
        if deal.number != self.deal:
            raise IndexError(self.deal)
        return deal


@dataclass(frozen=True, slots=True)
class Reversal(Event):
    """An event that undoes or redoes another one."""

    target: Count
    """The sequence number of that event."""
    restores: ClassVar[bool]

    def apply(self, state: State, entry: Entry) -> State:
        """Raise ValueError: a reversal restores an earlier state of the sheet instead."""
        raise ValueError("a reversal has no state of its own")


class Command(ABC):
    """A request to write on a sheet. Subclasses are frozen dataclasses whose annotations declare the JSON fields."""

    __slots__ = ()

    @abstractmethod
    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Return the events to write, none if the command would change nothing.

        Raises Refused with pointers into the command; problems of its own deal are under `facts`, those of other
        deals under `deals`.
        """


def refuse(pointer: Pointer, code: str, **facts: object) -> NoReturn:
    """Raise Refused with one problem of a command whose own shape has been read."""
    raise Refused([Problem(pointer, code, facts, contextual=True)])


def refuse_all(problems: Sequence[Problem]) -> None:
    """Raise Refused if there are any problems. What a command holds is read beside the game of its sheet."""
    if problems:
        raise Refused(replace(problem, contextual=True) for problem in problems)


def require_scorable(sheet: Sheet, event: GameEvent, games: Games, *, strict: int | None = None) -> tuple[Event, ...]:
    """Return the event, after scoring its game with it.

    The command brings the facts of the deal numbered `strict`: there, every problem must have been accepted. Raises
    Refused.
    """
    after = event.advance(sheet, Entry(sheet.version + 1, sheet.changed, "", event))
    try:
        ledger(event.game_in(after), games, strict=strict)
    except Refused as refused:
        own = None if strict is None else ("deals", strict - 1)
        refuse_all([
            replace(problem, pointer=("facts", *problem.pointer[2:])) if problem.pointer[:2] == own else problem
            for problem in refused.problems
        ])  # fmt: skip
    return (event,)


def require_game(sheet: Sheet, number: int | None = None) -> SheetGame:
    """Return the game of that number, the current one by default. Raises Refused if there is none."""
    if number is None:
        if sheet.game is None:
            refuse((), "no-game")
        return sheet.game
    if not 1 <= number <= len(sheet.games):
        refuse(("game_number",), "unknown-game-number", value=number, count=len(sheet.games))
    return sheet.games[number - 1]


def require_open_deal(sheet: Sheet, deal: int | None, games: Games) -> SheetGame:
    """Return the current game. Raises Refused if it is over or `deal` is not the open deal."""
    game = require_game(sheet)
    if deal is not None and deal != game.open.number:
        refuse(("deal",), "deal-number", value=deal, open=game.open.number)
    require_not_over(game, games)
    return game


def without_calls(game: SheetGame, known: Game) -> bool:
    """Return whether the rules have no calls in the open deal."""
    scored = sum(not deal.void for deal in game.deals)
    return known.without_calls(house_rules(known, game.rules).options, scored, bool(game.opening))


def require_not_over(game: SheetGame, games: Games) -> None:
    """Raise Refused if the game is over."""
    outcome = ledger(game, games).outcome
    if outcome.over:
        raise Refused([Problem((), "game-over", {"winners": list(outcome.winners)}, outcome.reason)])


def require_deal(game: SheetGame, number: int) -> SheetDeal:
    """Return the recorded deal of that number. Raises Refused."""
    if not 1 <= number <= len(game.deals):
        refuse(("deal",), "unknown-deal", deal=number, count=len(game.deals))
    return game.deals[number - 1]


def require_side(game: SheetGame, side: str) -> None:
    """Raise Refused if the game has no such side."""
    sides = [one.id for one in game.sides]
    if side not in sides:
        refuse(("side",), "unknown-side", value=side, choices=sides)


def require_seat(seat: str, seats: Sequence[str], key: str = "seat") -> None:
    """Raise Refused if the seat is not among these."""
    if seat not in seats:
        refuse((key,), "unknown-seat", value=seat, choices=list(seats))


class BrokenLog(Exception):
    """An event that cannot follow those before it."""

    def __init__(self, seq: int, why: str) -> None:
        self.seq = seq
        super().__init__(f"event {seq}: {why}")


class Versioned(Protocol):
    """The state of a log after some of its events."""

    @property
    def version(self) -> int:
        """The sequence number of the latest one."""


_S = TypeVar("_S", bound=Versioned)


class Applicable(Protocol[_S]):
    """An event of a log."""

    def advance(self, state: _S | None, entry: LogEntry[Any], /) -> _S:
        """Return the state after it; None is that of an empty log. Raises LookupError or ValueError."""


def fold(entries: Iterable[LogEntry[Applicable[_S]]], state: _S | None = None) -> _S:
    """Return the state of a log after these events; `state` is the one before them. Raises BrokenLog."""
    for entry in entries:
        expected = state.version + 1 if state else 1
        if entry.seq != expected:
            raise BrokenLog(entry.seq, f"has the place of event {expected}")
        try:
            state = entry.event.advance(state, entry)
        except (LookupError, ValueError, AttributeError, TypeError) as fault:
            raise BrokenLog(entry.seq, repr(fault)) from fault
    if state is None:
        raise BrokenLog(0, "no event at all")
    return state


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One entry of a log: the sheet before and after it, and whether it is in effect or was undone."""

    entry: Entry
    in_effect: bool
    earlier: Sheet | None
    sheet: Sheet
    target: Entry | None = None
    """For an undo or a redo: the entry that it is about."""

    @property
    def subject(self) -> Entry:
        """The entry itself, or the one that it undoes or redoes."""
        return self.target or self.entry

    @property
    def description(self) -> Description:
        """What its subject does, with the names of the time when that was in effect."""
        earlier, sheet = self.earlier, self.sheet
        if isinstance(self.entry.event, Reversal) and not self.entry.event.restores:
            earlier, sheet = self.sheet, self.earlier or self.sheet
        return self.subject.event.describe(earlier or sheet, sheet)

    @property
    def before(self) -> JsonObject | None:
        """The facts of its deal before it, if that is a recorded deal."""
        deal = self._deal(self.earlier)
        return deal.facts if deal else None

    @property
    def after(self) -> JsonObject | None:
        """The facts of its deal after it."""
        deal = self._deal(self.sheet)
        return deal.facts if deal else None

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """The sides whose confirmation of its deal it ended."""
        before, after = self._deal(self.earlier), self._deal(self.sheet)
        still = after.confirmed if after else ()
        return tuple(side for side in before.confirmed if side not in still) if before else ()

    @property
    def place(self) -> tuple[int, int] | None:
        """The numbers of the game and of the deal that its subject is about."""
        event = self.subject.event
        return (event.game_number, event.deal) if isinstance(event, DealEvent) else None

    @property
    def in_deal_history(self) -> bool:
        """Whether the history of a deal shows it."""
        event = self.subject.event
        return isinstance(event, DealEvent) and event.in_deal_history

    def _deal(self, sheet: Sheet | None) -> SheetDeal | None:
        event = self.entry.event
        return event.recorded_deal(sheet) if isinstance(event, DealEvent) else None


def history(entries: Sequence[Entry]) -> list[HistoryEntry]:
    """Return every entry of a log in its order; what was undone, and not redone, is not in effect."""
    found: list[HistoryEntry] = []
    sheet: Sheet | None = None
    for entry in entries:
        earlier, sheet = sheet, fold([entry], sheet)
        target: Entry | None = None
        if isinstance(entry.event, Reversal):
            place = entry.event.target - 1
            found[place] = replace(found[place], in_effect=entry.event.restores)
            target = found[place].entry
        found.append(HistoryEntry(entry, True, earlier, sheet, target))
    return found
