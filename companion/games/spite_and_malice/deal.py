"""A whole deal: its table, the replay of a record, the judge of one move, all legal moves."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations_with_replacement, product, starmap
from types import MappingProxyType
from typing import Any, Final, NamedTuple, NotRequired, TypedDict

from companion.engine.cards import Card
from companion.engine.ledger import side_id
from companion.engine.problems import Node
from companion.engine.shapes import read_at, shape_of
from companion.engine.verdict import (
    LEGAL,
    UNDECIDED,
    AtLeast,
    Because,
    Breach,
    Claim,
    Finding,
    Judged,
    Missing,
    Remedy,
    Verdict,
    record_contradicts,
)
from companion.games.spite_and_malice import articles as a
from companion.games.spite_and_malice import hidden
from companion.games.spite_and_malice import position as n
from companion.games.spite_and_malice.hidden import (
    START,
    Hand,
    Open,
    Sightings,
    Top,
    asks_for_hand,
    holding,
    is_either_way,
    knowledge,
)
from companion.games.spite_and_malice.play import (
    Duty,
    can_draw,
    compared,
    discardable_kinds,
    duties,
    hidden_source,
    is_over,
    judge_deal,
    judge_discard,
    judge_end,
    judge_moment,
    judge_play,
    judge_refill,
    judge_stalemate,
    judge_start,
    judge_win,
    second_chance_plays,
    starter,
    turning_anew,
)
from companion.games.spite_and_malice.position import ACE, Position, find
from companion.games.spite_and_malice.rules import HAND_SIZE, SpiteRules
from companion.games.spite_and_malice.score import MISDEALT, REMEDY
from companion.games.spite_and_malice.shapes import RecordedDeal, RecordedTurn, Shown, read_position
from companion.games.spite_and_malice.stacks import (
    Ruling,
    draws_last,
    judge_complete,
    judge_recycle,
    judge_redeal,
    judge_second_chance,
    redeal_due,
    side_offers,
    wild_fits,
    with_discard,
)


@dataclass(slots=True)
class Seat:
    """What one player has; of the hand the cards that are known, and the number of those that are not."""

    payoff_left: int
    unseen: int = 0
    payoff: Card | None = None
    sides: list[list[Card]] = field(default_factory=list)
    known: list[Card] = field(default_factory=list)

    @property
    def hand_count(self) -> int:
        """Return the number of cards in hand."""
        return len(self.known) + self.unseen

    @property
    def hand(self) -> list[Card] | None:
        """Return the cards in hand, or None unless all of them are known."""
        return None if self.unseen else self.known

    def hold(self, cards: Sequence[Card] | None, count: int) -> None:
        """Take cards into the hand, or so many that nobody knows."""
        if cards is None or len(cards) != count:
            self.unseen += count
        else:
            self.known += cards

    def drop_hand(self) -> None:
        """Lay the whole hand away."""
        self.known, self.unseen = [], 0

    def piles(self) -> n.Piles:
        """Return the piles as a position has them."""
        return n.Piles(self.payoff, self.payoff_left, tuple(tuple(stack) for stack in self.sides))


@dataclass(slots=True, eq=False)
class Stack:
    """One centre stack: its cards, and the effective rank of the top one; None for what nobody knows.

    `height` is that rank if the cards that nobody named fitted: a stack is complete when it gets to the last one.
    """

    cards: list[Card | None]
    top: int | None
    height: int


class Table:
    """A deal in progress. Moves are applied as far as real cards allow, whether or not they were legal."""

    def __init__(self, rules: SpiteRules, players: Sequence[str]) -> None:
        self.rules = rules
        self.players = tuple(players)
        self.player = self.players[0]
        self.seats = {player: Seat(rules.payoff_size) for player in players}
        self.centre: list[Stack] = []
        self.aside: list[list[Card | None]] = []
        self.put_away: tuple[int, int | None] | None = None
        """The place and top of the stack that the last play completed, if it left the table."""
        self.stock = rules.stock_dealt
        self.refilled = rules.refill_at == "end"
        self.discarded = self.acted = self.played_ace_or_two = self.over = False
        self.winners: tuple[str, ...] = ()
        self.settled_by = ""
        self.paid: Mapping[int, int] = {}
        self.gone: list[Card] = []
        """Cards that went out of sight, under or into the stock, since somebody last looked."""
        self.dealer: str | None = None
        self.contenders: tuple[str, ...] = ()
        self.turns: deque[n.Turn] = deque(maxlen=4 * rules.players)
        self.idle = self.second_chances = 0
        self.turn, self.begun, self.closed = 0, False, False
        """How many turns have begun, whether the one in progress has, and whether a discard has ended the last one."""

    @property
    def phase(self) -> str:
        """Return whether the turn in progress is a second chance."""
        return n.SECOND_CHANCE if self.second_chances else n.NORMAL

    def partner_of(self, player: str) -> str | None:
        """Return who sits opposite in a partnership."""
        return n.partner_in(self.rules, self.players, player)

    def side_of(self, player: str) -> tuple[str, ...]:
        """Return the players that go out together."""
        partner = self.partner_of(player)
        return tuple(p for p in self.players if p in (player, partner))

    def position(self, player: str | None = None) -> Position:
        """Return the table as the judge sees it before the next move, for the player who makes it."""
        player = player or self.player
        seat, partner = self.seats[player], self.partner_of(player)
        done = sum(map(self.is_complete, self.centre))
        return Position(
            players=self.players,
            player=player,
            own=seat.piles(),
            partner=self.seats[partner].piles() if partner else None,
            hand=None if seat.unseen else tuple(seat.known),
            hand_count=seat.hand_count,
            centre=tuple(stack.top for stack in self.centre),
            stock=self.stock,
            refilled=self.refilled,
            discarded=self.discarded,
            phase=self.phase,
            played_ace_or_two=self.played_ace_or_two,
            turns=tuple(self.turns),
            complete=done,
            set_aside=len(self.aside),
            incomplete=len(self.centre) - done,
            payoff_tops={name: each.payoff for name, each in self.seats.items() if each.payoff},
            over=self.over,
            dealer=self.dealer,
            partner_name=partner,
            contenders=self.contenders,
            known=holding(seat.known) if seat.unseen else (),
            paid=self.paid,
            laid=partial(self.laid, player),
        )

    def laid(self, player: str) -> tuple[Card, ...]:
        """Return every card that is seen but those of a player's own piles and hand, and of a partner's piles."""
        partner, cards = self.partner_of(player), [*filter(None, self._in_centre())]
        for name, seat in self.seats.items():
            if name != player:
                cards += seat.known
            if name not in (player, partner):
                cards += [card for stack in seat.sides for card in stack]
        return tuple(cards)

    def is_complete(self, stack: Stack) -> bool:
        """Return whether a centre stack has grown to the last rank."""
        return stack.height == self.rules.top

    def total(self) -> int:
        """Return the number of all cards, which never changes."""
        held = sum(s.payoff_left + s.hand_count + sum(map(len, s.sides)) for s in self.seats.values())
        return held + len(self._in_centre()) + self.stock

    def _in_centre(self) -> list[Card | None]:
        return [card for cards in (*(pile.cards for pile in self.centre), *self.aside) for card in cards]

    def play(self, move: n.Play, turned: Card | None) -> bool:
        """Play a card to the centre. Return False if that cannot have happened."""
        if not self._can_take(move):
            return False
        taken = self._take(move, turned)
        self.put_away, self.refilled, self.acted = None, True, True
        if isinstance(move.to, n.OntoSide):
            if taken is not None:
                self.seats[self.player].sides = with_discard(self.seats[self.player].sides, move.to.side, taken)
            return True
        if move.to == n.NEW:
            stack = Stack([], 0, 0)
            self.centre.append(stack)
        else:
            stack = self.centre[int(move.to)]
        self._lay(stack, taken)
        natural = n.is_natural(self.rules, taken, ACE) or n.is_natural(self.rules, taken, n.TWO)
        self.played_ace_or_two |= natural and move.source == n.HAND
        if self.is_complete(stack):
            self._settle_completed(stack)
        return True

    def discard(self, move: n.Discard, turned: Card | None) -> bool:
        """Discard onto a side stack, which ends the turn in any case. Return False if no card can have moved."""
        owner = self.owner(n.SIDE if move.owner == "own" else f"{move.owner}_side")
        source, card, made = self.owner(move.source), move.card, False
        if move.source in _PAYOFFS and source:
            card = self.seats[source].payoff or card
        taken = n.Play(move.source, n.NEW, card)
        if owner and card is not None and self._can_take(taken):
            made = True
            self._take(taken, turned)
            self.seats[owner].sides = with_discard(self.seats[owner].sides, move.to, card)
        self.refilled = self.acted = self.discarded = True
        again = self.rules.after_last_discard == "refill_and_replay" and self.seats[self.player].hand_count == 0
        if not ((again or self.draws_last) and can_draw(self.rules, self.position())):
            self.end_turn()
        return made

    @property
    def draws_last(self) -> bool:
        """Return whether the player in turn has discarded and is still to draw, which ends the turn."""
        return draws_last(self.rules, self.position())

    def refill(self, count: int, cards: Sequence[Card] | None) -> bool:
        """Draw cards from the stock. Return False if it has fewer."""
        seat = self.seats[self.player]
        if not 0 < count <= self.stock or seat.hand_count + count > 2 * HAND_SIZE:
            return False
        last = self.draws_last
        seat.hold(cards, count)
        self.stock -= count
        self.refilled = self.stock > 0 or seat.hand_count >= HAND_SIZE  # else more can be drawn once there is a stock
        self.discarded = last
        if last:
            self.end_turn()
        return True

    def end_turn(self) -> None:
        """Log the turn and pass it to the next player."""
        self.turns.append(n.Turn(self.player, self.acted))
        self.idle = 0 if self.acted else self.idle + 1
        if self.second_chances:
            self.second_chances -= 1
        elif n.begins_second_chance(self.rules, self.idle):
            self.second_chances = len(self.players)
        self.closed = self.discarded
        self.give_turn(n.after(self.players, self.player))

    def pause(self) -> dict[str, object]:
        """Return the state of the turn in progress, to `resume` it after a move out of turn."""
        return {name: getattr(self, name) for name in _TURN} | {"turns": self.turns.copy()}

    def resume(self, paused: Mapping[str, object]) -> None:
        """Go on with a turn as it was."""
        for name, value in paused.items():
            setattr(self, name, value)

    def break_order(self, player: str) -> None:
        """Begin a turn of a player who was not next: nothing of what came before counts as a row of turns."""
        self.turns.clear()
        self.closed = False
        self.idle = self.second_chances = 0
        self.give_turn(player)

    def give_turn(self, player: str) -> None:
        """Begin a turn of this player."""
        self.player, self.begun = player, False
        self.refilled = self.rules.refill_at == "end"
        self.discarded = self.acted = self.played_ace_or_two = False

    def recycle(self, what: str) -> bool:
        """Put completed stacks, or all others, under the stock. Return False if there are none."""
        complete = what == "complete"
        chosen = [stack for stack in self.centre if self.is_complete(stack) == complete]
        piles = [*(stack.cards for stack in chosen), *(self.aside if complete else ())]
        cards = [card for pile in piles for card in pile]
        self.stock += len(cards)
        self.gone += filter(None, cards)
        self.centre = [stack for stack in self.centre if stack not in chosen]
        if complete:
            self.aside = []
        return bool(cards)

    def redeal(self, first: str, hands: Mapping[str, list[Card]]) -> None:
        """Deal again everything but the pay-off piles: five cards to each player, fewer where there are too few."""
        total = self.total()
        self.gone += filter(None, self._in_centre())
        self.centre, self.aside = [], []
        spare = total - sum(seat.payoff_left for seat in self.seats.values())
        for player, seat in self.seats.items():
            self.gone += [*seat.known, *(card for stack in seat.sides for card in stack)]
            seat.sides = []
            seat.drop_hand()
            seat.hold(hands.get(player), min(HAND_SIZE, spare // len(self.players)))
        self.stock = 0
        self.stock = total - self.total()
        self.break_order(first)

    def shown(self) -> dict[str, object]:
        """Return what everybody sees after a move."""
        return {
            "player": self.player,
            "phase": self.phase,
            "centre_stacks": [
                str(n.wild_card(self.rules)) if stack.top is None else n.rank_name(self.rules, stack.top)
                for stack in self.centre
            ],
            "set_aside": len(self.aside),
            "stock": self.stock,
            "piles": self.piles(),
            "over": self.over,
        }

    def as_position(self) -> dict[str, object]:
        """Return the table in the shape of a position of the API."""
        position, seat = self.position(), self.seats[self.player]
        hand = {"hand_count": seat.hand_count} if seat.hand is None else {"hand": n.names(seat.hand)}
        partner, shown = self.partner_of(self.player), self.shown()
        del shown["piles"]
        if any(stack.top is None and stack.cards[-1] is None for stack in self.centre):
            del shown["centre_stacks"]  # a card that nobody named would pass for a wild one
        return {
            "players": list(self.players),
            **_pile_json(seat),
            **hand,
            **shown,
            "complete": position.complete,
            "incomplete": position.incomplete,
            "refilled": self.refilled,
            "discarded": self.discarded,
            "played_ace_or_two": self.played_ace_or_two,
            "turns": [{"player": turn.player, "acted": turn.acted} for turn in self.turns],
            **({"partner": _pile_json(self.seats[partner])} if partner else {}),
        }

    def piles(self) -> dict[str, object]:
        """Return everybody's piles and number of cards in hand."""
        return {player: {**_pile_json(seat), "hand_count": seat.hand_count} for player, seat in self.seats.items()}

    def _can_take(self, move: n.Play) -> bool:
        """Return whether the source of a play has a card to take, and its target is there."""
        if (isinstance(move.to, int) and move.to >= len(self.centre)) or move.depth:
            return False
        if move.source == n.HAND:
            return move.card is not None and self._in_hand(move.card)
        owner = self.owner(move.source)
        if owner is None:
            return False
        seat = self.seats[owner]
        if move.source in _PAYOFFS:
            return seat.payoff_left > 0
        return move.stack is not None and move.stack < len(seat.sides) and bool(seat.sides[move.stack])

    def owner(self, source: str) -> str | None:
        """Return whose pile or hand a source is, for the player in turn; None where that is not known."""
        if source in (n.HAND, n.PAYOFF, n.SIDE):
            return self.player
        if source in (n.OPPONENT_PAYOFF, n.OPPONENT_SIDE) and len(self.players) == 2:
            return n.after(self.players, self.player)
        return self.partner_of(self.player) if source in (n.PARTNER_PAYOFF, n.PARTNER_SIDE) else None

    def _take(self, move: n.Play, turned: Card | None) -> Card | None:
        """Take the card of a play from its source. Return it, or None if nobody knows which it was."""
        owner = self.owner(move.source) or self.player
        seat = self.seats[owner]
        if move.source == n.HAND:
            return self._from_hand(move.card)
        if move.source in _PAYOFFS:
            return self._from_payoff(owner, seat, move.card, turned)
        return seat.sides[move.stack or 0].pop()

    def _lay(self, stack: Stack, card: Card | None) -> None:
        """Lay a card on a stack; a wild one on an unknown top leaves it unknown, one that nobody named hides it."""
        stack.cards.append(card)
        if card is not None and not n.is_wild(self.rules, card):
            stack.top = stack.height = card.pips or stack.height
            return
        stack.height = min(stack.height + 1, self.rules.top)
        stack.top = None if card is None or stack.top is None else stack.height

    def _in_hand(self, card: Card) -> bool:
        seat = self.seats[self.player]
        return seat.unseen > 0 or find(seat.known, card) is not None

    def _from_hand(self, card: Card | None) -> Card | None:
        seat = self.seats[self.player]
        place = None if card is None else find(seat.known, card)
        if place is None:
            seat.unseen -= 1
        else:
            del seat.known[place]
        return card

    def _from_payoff(self, owner: str, seat: Seat, named: Card | None, turned: Card | None) -> Card | None:
        taken = seat.payoff or named
        if taken is not None:
            self.paid = {**self.paid, taken.pips: self.paid.get(taken.pips, 0) + 1}
        seat.payoff_left -= 1
        seat.payoff = turned if seat.payoff_left else None
        side = self.side_of(owner)
        if all(self.seats[player].payoff_left == 0 for player in side):
            self.over, self.winners = True, side
        return taken

    def _settle_completed(self, stack: Stack) -> None:
        if self.rules.centre_done == "stay":
            return
        self.put_away = self.centre.index(stack), stack.top
        self.centre.remove(stack)
        if self.rules.centre_done == "set_aside":
            self.aside.append(stack.cards)
        else:
            self.stock += len(stack.cards)
            self.gone += filter(None, stack.cards)


_PAYOFFS: Final = (*n.PAYOFF_SOURCES, n.OPPONENT_PAYOFF)
_TURN: Final = (
    "player", "turn", "begun", "closed", "refilled", "discarded", "acted", "played_ace_or_two", "idle",
    "second_chances",
)  # fmt: skip


def _pile_json(seat: Seat) -> dict[str, object]:
    top = {} if seat.payoff is None else {"payoff": str(seat.payoff)}
    return {**top, "payoff_left": seat.payoff_left, "side_stacks": [n.names(stack) for stack in seat.sides]}


_SHOWN: Final = ("turned", "cards", "hands", "payoff_tops", "corrected")
"""Further keys of a recorded move: what was turned up, drawn, dealt again or turned up anew, and if it was undone."""
_BETWEEN_TURNS: Final = (n.Start, n.DealCheck, n.Redeal)
"""Moves that begin nobody's turn, whoever the record says is in turn."""
_AFTER_IDLE: Final = (n.SecondChance, n.Redeal, n.ClaimStalemate)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Shown):
    """One recorded move in its turn: the number of that in the record, who made it if named, its JSON as written."""

    turn: int
    seat: str | None
    shape: Mapping[str, object]
    owner: str | None = None
    """Whose turn the record says it is."""
    opens: str | None = None
    """Whose turn it begins beyond doubt: that of a player who plays, draws or discards later in it."""


class _PlayingSide(TypedDict):
    """One side of a score request."""

    id: str
    players: list[str]


class Result(TypedDict):
    """The facts of a finished deal: the side that went out, if any, and the cards left in the other pay-off piles."""

    winner: str | None
    remaining: dict[str, int]
    settled_by: NotRequired[str]


@dataclass(slots=True)
class Replay:
    """A recorded deal as far as it has been followed: the table, the verdicts, the findings, what is still open."""

    table: Table
    started: bool
    sightings: Sightings
    verdicts: list[Judged] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    open: list[Open] = field(default_factory=list)
    since: dict[str, int] = field(default_factory=dict)
    """The move with which each hand last drew unseen cards."""
    written: int = 0
    """The place in the record of the move with which the turn in progress began."""
    turned_anew: int = 0
    """How often the pay-off tops were turned up anew."""
    seen: dict[int, int] = field(default_factory=dict)
    """The last move of each turn that showed a card nobody knew."""
    interrupted: Mapping[str, object] | None = None
    """The turn of a player who was passed over or interrupted, and may still take it."""

    def top_key(self, player: str) -> Top:
        """Return which card of a pay-off pile is on top now."""
        return player, self.turned_anew, self.table.seats[player].payoff_left


def replay(rules: SpiteRules, request: Node) -> Mapping[str, object]:
    """Return verdicts for each move, findings, the result and the table at the end. Raises Refused if unreadable."""
    run, entries = read_record(rules, request)
    tables = [each.shown() for each in follow(run, entries)]
    run.findings += run.sightings.contradictions()
    table, last = run.table, run.table.turn
    return {
        "verdicts": run.verdicts,
        "tables": tables,
        "findings": [_with_remedy(one, last) for one in run.findings],
        "complete": table.over,
        "sides": sides_of(table),
        "result": result_of(table),
        "state": table.as_position(),
        "piles": table.piles(),
    }


def _with_remedy(finding: Finding, last: int) -> Finding:
    """Return a finding with what to do about it; a record that contradicts itself accuses nobody."""
    turn = finding.facts.get("turn", last)
    if finding.code == "record-contradicts" or "corrected" in finding.facts:
        return finding
    stands = finding.established or (turn + 1 if turn < last else None)
    return replace(finding, remedy=remedy_for(finding.code), established=stands)


def remedy_for(code: str) -> Remedy:
    """Return what to do about a breach or a finding."""
    return MISDEALT if code == "deal-count" else REMEDY


def begin(
    rules: SpiteRules,
    players: Sequence[str],
    *,
    dealer: str | None = None,
    tops: Mapping[str, Card],
    hands: Mapping[str, Sequence[Card]] = MappingProxyType({}),
    sides: Mapping[str, Sequence[Sequence[Card]]] = MappingProxyType({}),
) -> Replay:
    """Return a deal before its first move, as far as its cards are known."""
    table, sightings = Table(rules, players), Sightings(rules)
    table.dealer = dealer
    for player, seat in table.seats.items():
        seat.payoff = tops.get(player)
        seat.hold(hands.get(player), rules.hands_dealt)
        seat.sides = [list(stack) for stack in sides.get(player, ())]
        sightings.show(seat.known, START, 0, player)
        sightings.show((card for stack in seat.sides for card in stack), START, 0, player)
        if seat.payoff:
            sightings.show([seat.payoff], START, 0, player, payoff=True)
    return Replay(table, False, sightings)


def start_entry(first: str) -> Entry:
    """Return the announcement of who plays first, as an entry before the first turn."""
    return Entry(n.Start(first), turn=0, seat=None, shape={"type": "start", "first": first})


def follow(run: Replay, entries: Iterable[Entry]) -> Iterator[Table]:
    """Judge every entry on the table as it is then, make it, and yield the table after it.

    It is the same table every time, so a caller reads it, or takes its `position`, before asking for the next.
    """
    for entry in entries:
        _follow(run.table.rules, run, entry)
        if entry.shape:
            yield run.table


def follow_all(run: Replay, entries: Iterable[Entry]) -> Replay:
    """Return the replay after every entry."""
    for _ in follow(run, entries):
        pass
    run.findings += run.sightings.contradictions()
    return run


def read_record(rules: SpiteRules, request: Node) -> tuple[Replay, list[Entry]]:
    """Return the deal before its first move and its moves, from a request. Raises Refused if unreadable."""
    named = request["seats"] if request["seats"].present else request["players"]
    if not named.present and isinstance(request.value, dict):
        named.fault("required", contextual=True)
    deal = request.require(read_at(request, shape_of(RecordedDeal), context=n.players_in(rules, named)))
    run = begin(rules, deal.players, dealer=deal.dealer, tops=deal.tops, hands=deal.hands, sides=deal.sides)
    entries = list(_entries(deal.turns, request["turns"].value))
    if deal.first is not None:
        entries.insert(0, start_entry(deal.first))
    else:
        first = starter(rules, run.table.position())
        run.table.player, run.started = first or run.table.player, first is not None
    return run, entries


def sides_of(table: Table) -> list[_PlayingSide]:
    """Return the sides of a score request: players, or partnerships."""
    sides = [table.side_of(player) for player in table.players]
    return [{"id": side_id(side), "players": list(side)} for side in dict.fromkeys(sides)]


def result_of(table: Table) -> Result | None:
    """Return the facts of the deal for a score request, or None while it goes on."""
    if not table.over:
        return None
    left = {player: seat.payoff_left for player, seat in table.seats.items() if player not in table.winners}
    result: Result = {"winner": side_id(table.winners) or None, "remaining": left}
    if not table.winners and table.rules.ends_both_ways:
        result["settled_by"] = table.settled_by
    return result


def _entries(turns: Sequence[RecordedTurn | Shown], written: Sequence[Mapping[str, object]]) -> Iterator[Entry]:
    """Yield the moves of all turns, each with its JSON as it was written."""
    for number, (turn, value) in enumerate(zip(turns, written, strict=True), start=1):
        if isinstance(turn, Shown):
            yield _entry(turn, value, number, None)
            continue
        moves = value["moves"]
        plays = any(isinstance(one.move, n.IN_TURN) and one.move.seat in (None, turn.seat) for one in turn.moves)
        for move, each in zip(turn.moves, moves if isinstance(moves, list) else (), strict=True):
            yield replace(_entry(move, each, number, turn.seat), opens=turn.seat if plays else None)
        if turn.seat is not None and not turn.moves and number < len(turns):
            yield Entry(n.EndTurn(), turn=number, seat=turn.seat, shape={}, owner=turn.seat)  # nothing was done in it


def _entry(shown: Shown, value: Mapping[str, object], turn: int, seat: str | None) -> Entry:
    move = shown.move
    shape = {key: each for key, each in value.items() if key not in (*_SHOWN, "seat")}
    if isinstance(move, n.Play | n.Discard) and move.card is not None:
        shape["card"] = str(move.card)
    return Entry(
        replace(move, seat=None), shown.turned, shown.cards, shown.hands, shown.tops, shown.corrected,
        turn=turn, seat=move.seat or seat, shape=shape, owner=seat,
    )  # fmt: skip


def _follow(rules: SpiteRules, run: Replay, entry: Entry) -> None:
    """Judge one move on the table as it is, record what it breaks or shows, and make it."""
    table, move = run.table, entry.move
    wrong, paused = _take_turn(run, entry)
    entry = _numbered(run, entry)
    position = table.position(entry.seat if isinstance(move, n.ClaimWin) else None)
    if isinstance(move, n.Complete) and table.put_away is not None:
        at, top = table.put_away  # it left the table with its last card, before anybody could announce it
        tops, table.put_away = position.centre or (), None
        position = replace(position, centre=(*tops[:at], top, *tops[at:]))
    verdict = judge_move(rules, position, move)
    if wrong is not None:
        verdict = Verdict((wrong, *verdict.breaches))
    place, seat = len(run.verdicts), _mover(table, entry)
    settled = None if verdict.value == UNDECIDED else verdict.value
    if entry.shape:
        run.verdicts.append(Judged({"turn": entry.turn, "seat": seat, **entry.shape}, verdict, settled))
    _find(run, verdict.breaches, seat, entry.turn, **{"corrected": True} if entry.corrected else {})
    if verdict.value == UNDECIDED or is_either_way(verdict):
        _keep_open(run, Open(place if entry.shape else None, entry.turn, seat, move, position, verdict))
    if not table.over and not entry.corrected:
        shown = _unseen_source(run, entry)
        before = table.seats[table.player].unseen
        if isinstance(move, n.Redeal):  # nothing is proven of hands by what is played after cards were dealt again
            run.open = [replace(one, hand=None) if one.hand else one for one in run.open if one.tops]
        if _apply(table, entry, legal=verdict.value == LEGAL):
            _look(run, entry, place, seat, shown, drawn=table.seats[seat].unseen - before)
            table.settled_by = verdict.effect.get("settled_by", "")
            if isinstance(move, n.Start) and move.redo is not None:
                _turn_anew(run, entry, position.payoff_tops)
    if paused is not None:
        table.resume(paused)


def _numbered(run: Replay, entry: Entry) -> Entry:
    """Return a move with the number of the turn in progress, which it may begin, or of the next one."""
    table, move = run.table, entry.move
    begins = entry.owner == table.player and not isinstance(move, _BETWEEN_TURNS)
    if begins or isinstance(move, n.IN_TURN):
        if not table.begun:
            table.turn += entry.seat is None or entry.turn != run.written  # a discard too many is of the turn it ended
        table.begun, run.written = True, entry.turn
    coming = not table.begun and not isinstance(move, n.Start) and entry.seat in (None, table.player)
    return replace(entry, turn=table.turn + coming)


def _turn_anew(run: Replay, entry: Entry, before: Mapping[str, Card]) -> None:
    """Note the tops that were turned up anew: an old one may come up again, and they say who starts."""
    table, sightings = run.table, run.sightings
    run.turned_anew += 1
    for player, seat in table.seats.items():
        if player in before and (player in entry.tops or seat.payoff is None):
            sightings.turn_down(before[player], player)
        if player in entry.tops:
            sightings.show([entry.tops[player]], START, entry.turn, player, payoff=True)
    first = starter(table.rules, table.position())
    table.player, run.started = first or table.player, first is not None


def _find(run: Replay, breaches: Iterable[Breach], seat: str, turn: int, **beside: object) -> None:
    run.findings += [Finding(one.article, one.code, seat, {"turn": turn, **beside, **one.facts}) for one in breaches]


def _establish(run: Replay, turn: int, place: int) -> None:
    """Let nothing of a turn be taken back any more once a card is seen that nobody knew (IRR-M1)."""
    run.seen[turn] = place
    run.findings = [
        replace(one, established=one.established or turn)
        if one.facts.get("turn") == turn and not one.facts.get("corrected") else one
        for one in run.findings
    ]  # fmt: skip


def _mover(table: Table, entry: Entry) -> str:
    """Return who made a move: who starts, or the next player where an opponent recycles, if no other is named (A27)."""
    move, named = entry.move, entry.seat or table.player
    if isinstance(move, n.Recycle) and move.by == "opponent" and named == table.player:
        return n.after(table.players, named)
    return move.first or named if isinstance(move, n.Start) else named


def _take_turn(run: Replay, entry: Entry) -> tuple[Breach | None, Mapping[str, object] | None]:
    """Give the turn to who made the move.

    Return a breach if somebody else was in turn, and the turn that goes on after a single move out of turn.
    """
    table, began, seat = run.table, run.started, entry.seat
    _end_unwritten(run, entry)
    in_turn = isinstance(entry.move, n.IN_TURN)
    run.started |= in_turn or isinstance(entry.move, n.Start | n.Redeal)
    if not in_turn or seat is None:
        return None, None
    if not began:
        _judge_unwritten(run, n.Start(seat), seat, table.turn + 1)
    if seat == table.player or not began:
        if seat != table.player:
            table.give_turn(seat)
        run.interrupted = run.interrupted if table.begun else None
        return None, None
    if run.interrupted is not None and run.interrupted["player"] == seat:
        table.resume(run.interrupted)
        run.interrupted = None
        return None, None
    paused = table.pause()
    wrong = Breach(a.TURN_ORDER.id, "not-your-turn", {"seat": seat, "player": table.player})
    if entry.owner is None or entry.turn != run.written:
        run.interrupted = run.interrupted or paused
        table.break_order(seat)
        return wrong, None
    late = not table.begun and table.closed and table.turns[-1].player == seat
    table.give_turn(seat)
    table.begun = table.refilled = True
    table.discarded = late  # the discard has ended the turn, which is another article
    return None if late else wrong, paused


def _end_unwritten(run: Replay, entry: Entry) -> None:
    """End a turn that the record leaves without an end, where a move begins one of somebody else.

    What somebody else announces in a turn of its own may be said in this one: it ends it if it is right after it.
    """
    table, move = run.table, entry.move
    ended = table.draws_last or (entry.owner is not None and table.begun and entry.turn != run.written)
    seat = entry.seat if isinstance(move, n.IN_TURN) else entry.opens
    if ended and isinstance(move, _AFTER_IDLE) and seat is None:
        paused = table.pause()
        table.end_turn()
        seat = entry.owner if judge_move(table.rules, table.position(), move).value == LEGAL else None
        table.resume(paused)
    if ended and seat not in (None, table.player):
        _judge_unwritten(run, n.EndTurn(), table.player, table.turn)
        table.end_turn()


def _judge_unwritten(run: Replay, move: n.Start | n.EndTurn, seat: str, turn: int) -> None:
    """Judge who started, or the end of a turn, that no move of the record says: hidden cards may show later."""
    position = run.table.position()
    verdict = judge_move(run.table.rules, position, move)
    if verdict.value == UNDECIDED:
        _keep_open(run, Open(None, turn, seat, move, position, verdict))
    _find(run, (one for one in verdict.breaches if seat not in one.facts.get("tied", ())), seat, turn)


# What later moves show ------------------------------------------------------------------------------------------------


def _keep_open(run: Replay, one: Open) -> None:
    """Remember a verdict that hidden cards left open, with what lay on the table: later moves may show them."""
    table, laid = run.table, run.table.laid(one.position.player)
    one.position = replace(one.position, laid=lambda: laid)
    for player, seat in table.seats.items():
        if seat.payoff_left and (seat.payoff is None or (isinstance(one.move, n.Start) and not seat.payoff.suit)):
            one.tops[player] = run.top_key(player)
    mover = table.seats[one.position.player]
    if asks_for_hand(one.verdict) or (is_either_way(one.verdict) and mover.unseen):
        one.known, one.hand = tuple(mover.known), Hand(mover.unseen)
    if one.tops or one.hand:
        run.open.append(one)


@dataclass(frozen=True, slots=True)
class _Unseen:
    """A place of which a move shows a card that was not known: somebody's hand, or the top of a pay-off pile."""

    owner: str
    top: Top | None = None
    suit_only: bool = False
    """Whether only the suit of the top was not known."""


def _unseen_source(run: Replay, entry: Entry) -> _Unseen | None:
    """Return the place of which a move shows a card that was not known."""
    table, move = run.table, entry.move
    if not isinstance(move, n.Play | n.Discard) or move.card is None:
        return None
    if move.source == n.HAND:
        return _Unseen(table.player) if find(table.seats[table.player].known, move.card) is None else None
    owner = table.owner(move.source)
    if owner is None or move.source not in _PAYOFFS:
        return None
    top = table.seats[owner].payoff
    if top is None or (not top.suit and n.matches(top, move.card)):
        return _Unseen(owner, run.top_key(owner), top is not None)
    return None


def _look(run: Replay, entry: Entry, place: int, seat: str, shown: _Unseen | None, *, drawn: int) -> None:
    """Note what a move that was made has shown, and judge again what that may decide."""
    table, sightings = run.table, run.sightings
    sightings.hide(table.gone, place)
    table.gone.clear()
    if entry.turned is not None:
        source = getattr(entry.move, "source", n.HAND)
        _establish(run, entry.turn, place)
        owner = table.owner(source) or seat
        if source in _PAYOFFS and table.seats[owner].payoff_left:
            sightings.show([entry.turned], place, entry.turn, owner, payoff=True)
        else:
            facts = {"turn": entry.turn, "cards": [str(entry.turned)]}
            run.findings.append(record_contradicts("turned-up", a.PAYOFF_TOP, seat, **facts))
    if isinstance(entry.move, n.Refill):
        _establish(run, entry.turn, place)
        _look_at_draw(run, entry, place, seat, drawn)
    elif isinstance(entry.move, n.Redeal):
        run.since = dict.fromkeys(table.players, place)
        for player, cards in entry.hands.items():
            sightings.show(cards, place, entry.turn, player)
    card = getattr(entry.move, "card", None)
    if shown is None or card is None:
        return
    if shown.top is None:
        sightings.show([card], run.since.get(shown.owner, START), entry.turn, seat)
        learnt = [one for one in run.open if one.learn_play(shown.owner, card)]
    else:
        if not shown.suit_only:
            sightings.show([card], START, entry.turn, seat, payoff=True)
        learnt = [one for one in run.open if one.learn_top(shown.top, card)]
    for one in learnt:
        _judge_again(run, one, card, entry.turn, place)


def _look_at_draw(run: Replay, entry: Entry, place: int, seat: str, drawn: int) -> None:
    """Note the cards that were drawn, or how many nobody knows."""
    if entry.cards is not None and not drawn:
        run.sightings.show(entry.cards, place, entry.turn, seat)
        return
    if entry.cards is not None:
        facts = {"turn": entry.turn, "cards": [str(card) for card in entry.cards], "count": drawn}
        run.findings.append(record_contradicts("drawn-cards", a.REFILL, seat, **facts))
    run.since[seat] = place
    for one in run.open:
        if one.hand is not None and one.position.player == seat:
            one.hand.draws += drawn


def _judge_again(run: Replay, one: Open, card: Card, turn: int, place: int) -> None:
    """Settle an open verdict if a card that a later move showed decides it, and record what it breaks.

    What breaks some rule whichever card is hidden is recorded at once, and gives way to the rule that was broken.
    """
    rules = run.table.rules
    kinds = (discardable_kinds(rules, one.position),) if rules.discard_required else ()
    verdict = one.judged_again(judge_move, rules, kinds)
    recorded = [each for each in run.findings if (each.code, each.facts.get("turn"), each.seat) == one.either_way]
    if verdict.value == UNDECIDED or (recorded and is_either_way(verdict)):
        return
    if not is_either_way(verdict):
        run.open.remove(one)
        run.findings = [each for each in run.findings if each not in recorded]
    if one.place is not None and not recorded:
        run.verdicts[one.place] = replace(run.verdicts[one.place], settled=verdict.value)
    for breach in verdict.breaches:
        facts = dict(breach.facts)
        if breach.code == "second-chance-open" and card.rank in facts["cards"]:
            facts["cards"] = [str(card)]
        finding = {"turn": one.turn, **facts, "shown_by": {"turn": turn, "card": str(card), "move": place}}
        stands = one.turn if one.place is not None and run.seen.get(one.turn, START) >= one.place else None
        run.findings.append(Finding(breach.article, breach.code, one.seat, finding, established=stands))


def _apply(table: Table, entry: Entry, *, legal: bool) -> bool:
    """Make the move if it can have happened. Return whether it changed the table."""
    match entry.move:
        case n.Play():
            return table.play(entry.move, entry.turned)
        case n.Discard():
            return table.discard(entry.move, entry.turned)
        case n.Refill(count):
            return table.refill(count, entry.cards)
        case n.EndTurn():
            table.end_turn()
        case n.Recycle(what):
            return table.recycle(what)
        case n.Redeal(first) if legal or entry.hands or redeal_due(table.rules, table.position()):
            table.redeal(first, {player: list(cards) for player, cards in entry.hands.items()})
        case n.Start(first) if first is not None:
            table.give_turn(first)
        case n.Start(_, redo) if legal or entry.tops:
            tops = compared(table.position())
            again = turning_anew(table.rules, tops, redo or "") if tops else table.players
            for player in {*again, *entry.tops}:
                table.seats[player].payoff = entry.tops.get(player)
            table.contenders = table.contenders if redo == "redraw" else tuple(again)
        case n.ClaimStalemate() if legal:
            table.over = True
        case _:
            return False
    return True


def judge(rules: SpiteRules, position: Node, move: Node) -> Verdict:
    """Return the verdict on a move in a position from JSON; problems are recorded at the nodes."""
    table = read_position(rules, position)
    read = read_at(move, n.MOVE, context=n.players_in(rules, position["players"]))
    if table is None or read is None:
        return Verdict()
    verdict = judge_move(rules, table, read)
    return replace(verdict, remedy=remedy_for(verdict.breaches[0].code)) if verdict.breaches else verdict


class Announced(NamedTuple):
    """A move and the position that it is judged in, with what it shows of hidden cards."""

    rules: SpiteRules
    position: Position
    move: n.Move
    shown: tuple[Claim, ...]


def judge_move(rules: SpiteRules, position: Position, move: n.Move) -> Verdict:
    """Return the verdict on one move: every broken article, every missing fact, what it changes.

    What the move shows counts as known: a card named from a hidden place is there, if another copy of it is left.
    """
    shown: tuple[Claim, ...] = ()
    table = position
    ruling = Ruling(position.player, lambda: knowledge(rules, table, *shown))
    if isinstance(move, _CARDED) and move.card is not None:
        place = hidden_source(position, move)
        if place is not None and n.in_pack(rules, move.card):
            shown, table = _shown(rules, position, move.card, place, ruling)
    judge_moment(rules, table, move, ruling)
    _JUDGES[move.__class__](rules, table, move, ruling)
    verdict = ruling.verdict(Announced(rules, table, move, shown))
    if verdict.value == UNDECIDED and None in (position.centre or ()):
        return _whatever_the_ranks(rules, position, move, verdict)
    sides = (hidden.SIDES, hidden.PARTNER_SIDES)
    if verdict.missing and isinstance(move, n.Play) and not move.card and hidden_source(position, move) in sides:
        named = (judge_move(rules, position, replace(move, card=card)) for card in kinds_left(rules, position, move))
        return _common(named, verdict) or verdict
    asked = {one.fact for one in verdict.missing}
    alone = asked == {"centre_stacks"} and isinstance(move, n.Discard | n.EndTurn)
    if alone or ("centre_stacks" in asked and isinstance(move, n.Play)):
        return (
            _common((judge_move(rules, centre, move) for centre in centres(rules, position, move)), verdict) or verdict
        )
    return verdict


def kinds_left(rules: SpiteRules, position: Position, move: n.Play) -> Iterator[Card]:
    """Yield a card of each rank that may lie where a play takes one that nobody named."""
    known, place = knowledge(rules, position), n.place_of(move.source)
    for rank, count in enumerate(hidden.totals(rules)):
        if count and known.possible(hidden.holds(place, rank)):
            yield Card(n.rank_name(rules, rank))


def _whatever_the_ranks(rules: SpiteRules, position: Position, move: n.Move, verdict: Verdict) -> Verdict:
    """Return the verdict if it is the same whatever ranks the wild cards on top of centre stacks stand for.

    Otherwise it stays undecided; what is asked for are the ranks and what each may leave open, or less if less decides.
    """
    target = move.to if isinstance(move, n.Play) else None
    found = [judge_move(rules, filled, move) for filled in ranks_filled_in(rules, position, target)]
    return _common(found, verdict) or replace(verdict, missing=_with_ranks(position, found, verdict.missing))


def _common(cases: Iterable[Verdict], whole: Verdict) -> Verdict | None:
    """Return what the verdicts in all cases of a whole have in common; None where they differ, or one is open."""
    found: list[Verdict] = []
    for one in cases:  # the first that differs or is open ends it, for each takes long to judge
        found.append(one)
        if one.value == UNDECIDED or one.value != found[0].value:
            return None
    if not found:
        return None
    first, others = found[0], found[1:]
    if first.breaches:
        always = [breach for breach in first.breaches if all(breach in other.breaches for other in others)]
        articles = dict.fromkeys(breach.article for verdict in found for breach in verdict.breaches)
        return replace(
            whole, breaches=tuple(always or [Breach(article, "either-way") for article in articles]), missing=()
        )
    because = [one for one in first.because if all(one in other.because for other in others)]
    effect = {key: value for key, value in first.effect.items() if all(one.effect.get(key) == value for one in others)}
    return replace(whole, missing=(), because=tuple(because), effect=effect)


def _with_ranks(position: Position, found: Sequence[Verdict], alone: Sequence[Missing]) -> tuple[Missing, ...]:
    """Return the fewer facts: those asked for as it is, or the ranks with what the verdicts on each rank ask for."""
    places = [place for place, top in enumerate(position.centre or ()) if top is None]
    centre = [one for one in alone if one.fact == "centre_rank"] or [  # all but the ranks of wild cards is known
        replace(one, fact="centre_rank", facts={"stack": place})
        for one in alone if one.fact == "centre_stacks" for place in places
    ]  # fmt: skip
    if not centre:
        return tuple(alone)
    return (*centre, *{(one.fact, one.seat): one for verdict in found for one in verdict.missing}.values())


def ranks_filled_in(rules: SpiteRules, position: Position, target: object) -> Iterator[Position]:
    """Yield the position with every rank for the unknown tops of centre stacks, as far as it matters.

    Of a stack that nobody plays on now it only matters whether an ace or the last rank is on top, and not of which.
    """
    centre = list(position.centre or ())
    known = position.known
    if position.laid is None:
        known = (*known, AtLeast(hidden.CENTRE, hidden.wild_mask(rules), centre.count(None)))
    played_on = [place for place, top in enumerate(centre) if top is None and place == target]
    others = [place for place, top in enumerate(centre) if top is None and place != target]
    # A position's open top is a wild card; a record's may be a pay-off card that nobody named, and any rank.
    any_rank = [rank for rank in range(ACE, rules.top + 1) if position.laid is not None or wild_fits(rules, rank - 1)]
    elsewhere = [rank for rank in (ACE, rules.top - 1, rules.top) if rank in any_rank]
    for ranks in combinations_with_replacement(elsewhere, len(others)):
        for rank in any_rank if played_on else (ACE,):
            for place, top in zip([*others, *played_on], [*ranks, rank], strict=False):
                centre[place] = top
            assumed = tuple(top or 0 for top, was in zip(centre, position.centre or (), strict=True) if was is None)
            yield replace(position, centre=tuple(centre), known=known, assumed=assumed)


def centres(rules: SpiteRules, position: Position, move: n.Move) -> Iterator[Position]:
    """Yield the position with centres that stand for all: every top to be played on, aces, no place or some left.

    A stack beyond the places that there are lies behind completed ones that nobody has put away yet.
    """
    to = move.to if isinstance(move, n.Play) and isinstance(move.to, int) else None
    tops = [()] if to is None else [(rank,) for rank in range(ACE, rules.top + 1)]
    most = (rules.centre_max or _MOST_STACKS) - len(tops[0])
    done = max((to or 0) - most, 0)
    least = (to or 0) - done
    for aces in dict.fromkeys((0, min(most, 1), min(most, _MOST_TWOS))):
        for count in dict.fromkeys((max(least, aces), *([most] if rules.centre_max else []))):
            others = [*[ACE] * aces, *[rules.top - 1] * (count - aces)]
            for top in tops:
                yield replace(position, centre=(*[rules.top] * done, *others[:least], *top, *others[least:]))


_MOST_STACKS: Final = 12
"""Centre stacks of a table without a limit: no more can be there (SNM-031)."""
_MOST_TWOS: Final = 10
"""Twos that can be exposed on the piles of two partners: more aces than these make no difference."""
_CARDED = (n.Play, n.Discard)
_JUDGES: Final[Mapping[type, Callable[[SpiteRules, Position, Any, Ruling], None]]] = {
    n.Play: judge_play,
    n.Discard: judge_discard,
    n.Refill: judge_refill,
    n.EndTurn: judge_end,
    n.Complete: judge_complete,
    n.Recycle: judge_recycle,
    n.SecondChance: judge_second_chance,
    n.Redeal: judge_redeal,
    n.Start: judge_start,
    n.DealCheck: judge_deal,
    n.ClaimWin: judge_win,
    n.ClaimStalemate: judge_stalemate,
}


def _shown(
    rules: SpiteRules, position: Position, card: Card, place: str, ruling: Ruling
) -> tuple[tuple[Claim, ...], Position]:
    """Return what a named card says of the hidden place that it comes from, and the position with it."""
    claim = hidden.holds(place, card.pips)
    recorded = position.laid is not None  # it was seen there; that too many were seen contradicts the record alone
    if not recorded and not _is_left(rules, position, claim, card, ruling):
        return (), position
    if place == n.PAYOFF:
        return (), replace(position, own=replace(position.own, payoff=card))
    if place == n.PARTNER_PAYOFF:
        return (), replace(position, partner=replace(position.partner or n.UNKNOWN, payoff=card))
    return (claim,), position


def _is_left(rules: SpiteRules, position: Position, claim: Claim, card: Card, ruling: Ruling) -> bool:
    """Return whether a world has a card where a move shows it; record a breach if none has."""
    left = not card.suit or sum(one == card for one in (*hidden.seen(position), *hidden.tops_seen(position)))
    known = knowledge(rules, position)
    if (left is not True and left >= rules.packs) or not known.possible(claim):
        if known.consistent:
            ruling.breach(a.PACKS, "none-left", card=str(card))
        return False
    return True


# What can be done ----------------------------------------------------------------------------------------------------


def list_moves(rules: SpiteRules, request: Node) -> Mapping[str, object]:
    """Return legal and compulsory moves, what side stacks accept, and what hidden cards leave open.

    Raises Refused where the position cannot be read.
    """
    request.object(required=("position",), optional=("rules",))
    position = request.require(read_position(rules, request["position"]) if request["position"].present else None)
    moves, missing = legal_moves(rules, position)
    compulsory = [
        {
            "moves": [n.plain(play) for play in plays],
            "at_least": 1,
            "because": [because],
        }
        for because, plays in compulsory_plays(rules, position)
    ]
    return {
        "moves": [n.plain(move) for move in moves],
        "compulsory": compulsory,
        "side_stacks": [{"to": place, "accepts": ranks} for place, ranks in side_offers(rules, position.own)],
        "missing": missing,
    }


def legal_moves(rules: SpiteRules, position: Position) -> tuple[list[n.Move], list[Missing]]:
    """Return every legal move, and the missing facts on which others depend."""
    moves: list[n.Move] = []
    missing: dict[tuple[object, ...], Missing] = {}
    if position.hand is None and position.held != 0 and not position.discarded:
        missing["hand", position.player] = Missing("hand", a.PLAYS.id, position.player)
    for move in _candidates(rules, position):
        verdict = judge_move(rules, position, move)
        if verdict.value == LEGAL:
            moves.append(move)
        for one in verdict.missing:
            missing.setdefault((one.fact, one.seat, *one.facts.items()), one)
    return moves, [*missing.values()]


def compulsory_plays(rules: SpiteRules, position: Position) -> Iterator[tuple[Because, Sequence[n.Play]]]:
    """Yield why something must be played before the turn ends, article by article; at least one play of each."""
    if is_over(rules, position) or redeal_due(rules, position):
        return
    found = [
        (duty.article, _ways(position, duty, duty.card))
        for duty in duties(rules, position)
        if duty.card is not None and not duty.table
    ]
    if held := second_chance_plays(rules, position):
        plays = (play for card in held for play in _targets(position, n.HAND, None, card))
        legal = [play for play in plays if judge_move(rules, position, play).value == LEGAL]
        found.append((a.SECOND_CHANCE_DUTY, legal))
    for article, ways in found:
        yield Because(article.id, {"cards": [*dict.fromkeys(str(play.card) for play in ways)]}), ways


def _ways(position: Position, duty: Duty, card: Card) -> list[n.Play]:
    if duty.rank == ACE:
        return [n.Play(duty.source, n.NEW, card, duty.stack)]
    aces = [place for place, top in enumerate(position.centre or ()) if top == ACE]
    return [n.Play(duty.source, place, card, duty.stack) for place in aces]


def _candidates(rules: SpiteRules, position: Position) -> Iterator[n.Move]:
    """Yield everything that could be announced; the judge has the last word."""
    if position.over or position.own.out:
        yield n.ClaimWin()
    held = position.held
    if held is not None:
        stock = HAND_SIZE if position.stock is None else position.stock
        drawn = HAND_SIZE if position.refilled and not draws_last(rules, position) else HAND_SIZE - held
        yield n.Refill(min(drawn, stock))
    hand = list(dict.fromkeys(position.hand or ()))
    for card in hand:
        yield from _targets(position, n.HAND, None, card)
    yield from _pile_plays(position)
    for card in hand:
        yield from (n.Discard(place, card) for place, stack in enumerate(position.own.sides or ()) if stack)
        yield n.Discard(n.NEW, card)
    yield n.EndTurn()
    yield from _between(rules, position)


def _pile_plays(position: Position) -> Iterator[n.Play]:
    for pile, payoff, side in position.sources(partner=position.partner_name is not None):
        if not pile.out:
            yield from _targets(position, payoff, None, pile.payoff)
        for place, card in pile.side_tops() if pile.sides is not None else ((0, None),):
            yield from _targets(position, side, place, card)


def _targets(position: Position, source: str, stack: int | None, card: Card | None) -> Iterator[n.Play]:
    for place in range(1 if position.centre is None else len(position.centre)):
        yield n.Play(source, place, card, stack)
    yield n.Play(source, n.NEW, card, stack)


def _between(rules: SpiteRules, position: Position) -> Iterator[n.Move]:
    if position.stock is not None:
        yield from starmap(n.Recycle, product(("complete", "incomplete"), ("opponent", "player")))
    if position.turns is not None:
        run = n.idle_run(position.turns)
        if len(run) >= 2 * rules.players:
            yield n.Redeal(run[-2 * rules.players].player)
    if position.turns is not None or position.stock is not None:
        yield n.ClaimStalemate()
