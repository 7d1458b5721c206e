"""Commands and events of a game: its start with seats and sides, its rules, its dealer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from companion import __version__
from companion.engine.dialogue import Phrase
from companion.engine.game import Game, read_opening
from companion.engine.ledger import Side
from companion.engine.problems import JsonObject, Node, Problem, Refused
from companion.sheets.model.base import (
    Command,
    DealEvent,
    Description,
    Event,
    GameEvent,
    Games,
    refuse,
    refuse_all,
    require_game,
    require_scorable,
    require_seat,
)
from companion.sheets.model.calls import settled_facts
from companion.sheets.scoring import house_rules
from companion.sheets.shapes import (
    Dealer,
    DealNumber,
    Flag,
    GameId,
    Opening,
    OptionValues,
    Remark,
    Rules,
    SeatId,
    Seating,
    Sides,
    Word,
    sides_json,
)
from companion.sheets.state import Entry, OpenDeal, RulesPeriod, Sheet, SheetGame, State


@dataclass(frozen=True, slots=True)
class GameStarted(GameEvent):
    """A game began. Every option is written out, so that a later default changes no old game."""

    game: Word
    preset: Word
    options: OptionValues
    engine: Word
    """The version of the program with which it began."""
    seating: Seating
    sides: Sides
    dealer: Dealer
    opening: Opening = field(default_factory=dict)

    def apply(self, state: State, entry: Entry) -> State:
        """Add the game with its first open deal."""
        seats = {seat.id for seat in state.seats}
        playing = [seat for side in self.sides for seat in side.players]
        if self.game_number != len(state.games) + 1:
            raise ValueError("game number")
        if not seats.issuperset(self.seating) or sorted(playing) != sorted(self.seating):
            raise ValueError("seats")
        if self.dealer not in self.seating:
            raise ValueError("dealer")
        game = SheetGame(
            self.game_number, self.game, self.engine, self.seating, self.sides, self.opening,
            (RulesPeriod(1, self.preset, self.options),), entry.at, OpenDeal(1, self.dealer),
        )  # fmt: skip
        return state._replace(games=(*state.games, game))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Say the game and its dealer, its sides and its rules."""
        facts = {"number": self.game_number, "game": self.game, "dealer": after.names[self.dealer]}
        rules = RulesPeriod(1, self.preset, self.options)
        return Description(Phrase("started", facts), sides=self.sides, rules=(rules,))

    def check(self, sheet: Sheet, games: Games) -> None:
        """Refuse an unknown game, and sides or options that are not those of its rules."""
        if self.game not in games:
            refuse(("game",), "unknown-game", value=self.game, choices=list(games))
        _check_rules(self.game_in(sheet), self.options, games)


@dataclass(frozen=True, slots=True)
class StartGame(Command):
    """Begin a game. Without `sides`, partners sit across the table if the rules allow it; else everybody is alone."""

    game: GameId
    rules: Rules = field(default_factory=dict)
    seating: Seating | None = None
    sides: Sides | None = None
    dealer: Dealer | None = None
    opening: Opening = field(default_factory=dict)

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the start, with every option."""
        return (self.started(len(sheet.games) + 1, tuple(seat.id for seat in sheet.seats), games),)

    def started(self, number: int, seats: Sequence[str], games: Games) -> GameStarted:
        """Return the start of the game with that number, among these seats of the sheet. Raises Refused."""
        known = games.get(self.game)
        if known is None:
            refuse(("game",), "unknown-game", value=self.game, choices=list(games))
        node = Node(self.rules, ("rules",))
        house = known.options.read(node)
        refuse_all(node.problems)
        seating = self.seating or tuple(seats)
        for seat in seating:
            require_seat(seat, seats, "seating")
        dealer = self.dealer or seating[0]
        require_seat(dealer, seating, "dealer")
        sides = self._sides(known, house.options, seating)
        opening = Node(self.opening, ("opening",))
        read_opening(known, opening, house.options, sides)
        refuse_all(opening.problems)
        options = known.options.plain(house.options)
        return GameStarted(number, known.id, house.preset, options, __version__, seating, sides, dealer, self.opening)

    def _sides(self, known: Game, rules: object, seating: tuple[str, ...]) -> tuple[Side, ...]:
        """Return the sides as given, or the game's preferred ones for this number of players. Raises Refused."""
        if self.sides is not None:
            playing = sorted(seat for side in self.sides for seat in side.players)
            if playing != sorted(seating):
                refuse(("sides",), "sides-seats", seating=list(seating), playing=playing)
            refuse_all(_side_problems(known, rules, self.sides, ("sides",)))
            return self.sides
        for way in known.seatings(rules):
            if way.players == len(seating):
                return way.sides(seating)
        facts = {"count": len(seating), "possible": possible_seats(known, rules)}
        raise Refused([Problem(("seats",), "table-size", facts)])


@dataclass(frozen=True, slots=True)
class Rematch(Command):
    """Begin the same game again: same rules and sides, the dealer moved on; another `seating` makes new sides."""

    seating: Seating | None = None
    dealer: Dealer | None = None

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the start of the next game."""
        last = require_game(sheet)
        seating = self.seating or last.seating
        sides: tuple[Side, ...] | None = last.sides
        if self.seating and sorted(seating) == sorted(last.seating):
            alone = all(len(side.players) == 1 for side in last.sides)
            sides = _singles(seating) if alone else None
        elif self.seating:
            sides = None
        dealer = self.dealer or (last.open.dealer if last.open.dealer in seating else seating[0])
        return StartGame(last.game, last.rules.request, seating, sides, dealer).decide(sheet, games)


@dataclass(frozen=True, slots=True)
class RulesChanged(GameEvent):
    """The table plays by these rules from a deal on. Every option is written out."""

    deal: DealNumber
    preset: Word
    options: OptionValues
    note: Remark = ""

    def apply(self, state: State, entry: Entry) -> State:
        """Replace the rules of that deal and of all later ones."""
        game = self.game_in(state)
        if not 1 <= self.deal <= game.open.number:
            raise IndexError(self.deal)
        kept = tuple(period for period in game.periods if period.first_deal < self.deal)
        period = RulesPeriod(self.deal, self.preset, self.options, self.note)
        return self.with_game(state, game._replace(periods=(*kept, period)))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Give the rules before and after the change."""
        rules = (self.game_in(before).rules_of(self.deal), RulesPeriod(self.deal, self.preset, self.options))
        return Description(Phrase("rules", {"deal": self.deal}), note=self.note, rules=rules)

    def check(self, sheet: Sheet, games: Games) -> None:
        """Refuse rules that do not suit the sides, and options that are not those of the rules."""
        _check_rules(self.game_in(sheet), self.options, games)


@dataclass(frozen=True, slots=True)
class ChangeRules(Command):
    """Play by other rules from a deal on, by default the open one."""

    rules: Rules
    deal: DealNumber | None = None
    note: Remark = ""

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the new rules unless all those deals have them already."""
        game = require_game(sheet)
        known = games[game.game]
        number = self.deal or game.open.number
        if number > game.open.number:
            refuse(("deal",), "unknown-deal", deal=number, count=len(game.deals))
        node = Node(self.rules, ("rules",))
        house = known.options.read(node)
        refuse_all(node.problems)
        problems = _side_problems(known, house.options, game.sides)
        refuse_all([replace(problem, pointer=("rules",)) for problem in problems])
        period = RulesPeriod(number, house.preset, known.options.plain(house.options), self.note)
        if all(game.rules_of(deal).request == period.request for deal in range(number, game.open.number + 1)):
            return ()
        if game.open.calls:
            settled_facts(known, game._replace(periods=(*game.periods, period)), game.open.calls)
        event = RulesChanged(game.number, number, period.preset, period.options, self.note)
        return require_scorable(sheet, event, games)


@dataclass(frozen=True, slots=True)
class DealerSet(DealEvent):
    """Somebody else deals the open deal: named by the table, or the next one because the dealer was skipped."""

    seat: SeatId
    skipped: Flag = False
    """Whether the dealer was skipped."""
    in_deal_history: ClassVar[bool] = False

    def apply(self, state: State, entry: Entry) -> State:
        """Set the dealer of the open deal."""
        if self.seat not in self.game_in(state).seating:
            raise KeyError(self.seat)
        return self.with_open(state, self.open_deal(state)._replace(dealer=self.seat))

    def describe(self, before: Sheet, after: Sheet) -> Description:
        """Name both dealers."""
        earlier = before.names[self.game_in(before).open.dealer]
        facts = {"deal": self.deal, "name": earlier, "dealer": after.names[self.seat]}
        return Description(Phrase("skipped" if self.skipped else "dealer", facts))


@dataclass(frozen=True, slots=True)
class SetDealer(Command):
    """Name the dealer of the open deal."""

    seat: SeatId

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write the dealer unless it is the same."""
        game = require_game(sheet)
        require_seat(self.seat, game.seating)
        same = self.seat == game.open.dealer
        return () if same else (DealerSet(game.number, game.open.number, self.seat),)


@dataclass(frozen=True, slots=True)
class SkipDealer(Command):
    """Let the next seat deal in place of the dealer."""

    def decide(self, sheet: Sheet, games: Games) -> tuple[Event, ...]:
        """Write who deals instead."""
        game = require_game(sheet)
        return (DealerSet(game.number, game.open.number, game.after(game.open.dealer), skipped=True),)


def possible_seats(known: Game, rules: object) -> list[int]:
    """Return how many players the game can have under the rules, in ascending order."""
    return sorted({way.players for way in known.seatings(rules)})


def _singles(seating: tuple[str, ...]) -> tuple[Side, ...]:
    """Return every seat as a side of its own."""
    return tuple(Side(seat, (seat,)) for seat in seating)


def _side_problems(known: Game, rules: object, sides: tuple[Side, ...], pointer: tuple[str, ...] = ()) -> list[Problem]:
    node = Node(sides_json(sides), pointer)
    known.read_sides(node, rules)
    return node.problems


def _check_rules(game: SheetGame, options: JsonObject, games: Games) -> None:
    """Refuse rules of an imported log that do not suit the sides, or options that the rules would not give."""
    known = games[game.game]
    rules = house_rules(known, game.rules).options
    problems = _side_problems(known, rules, game.sides, ("sides",))
    if not options.items() <= known.options.plain(rules).items():  # an older program had fewer options
        problems.append(Problem(("sides",), "not-canonical"))
    refuse_all(problems)
