"""A recorded deal followed turn by turn: verdicts at the time, findings in retrospect, the result ready to score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NotRequired, TypedDict

from companion.engine.cards import Card
from companion.engine.problems import Node
from companion.engine.verdict import (
    ILLEGAL,
    LEGAL,
    UNDECIDED,
    Breach,
    Finding,
    Judged,
    Place,
    Verdict,
    record_contradicts,
)
from companion.games.casino import articles as a
from companion.games.casino.articles import ARTICLES
from companion.games.casino.layout import Layout, names, proven
from companion.games.casino.plays import Play
from companion.games.casino.rules import CasinoRules
from companion.games.casino.score import UNCLAIMED
from companion.games.casino.shapes import Hands, Record, check_ids, read_record
from companion.games.casino.table import (
    Build,
    DealPlan,
    Layer,
    Position,
    Seats,
    capturers,
    deal_plan,
    full_pack,
    hand_values,
)
from companion.games.casino.turn import play_turn
from companion.games.casino.unseen import BITS, ELSEWHERE, STOCK, Shown, Unseen, hand_of, some

LATER: Final = {"value-not-held": "card-never-shown", "capturer-used-up": "card-never-shown"}
"""Breaches that have another code where later cards prove them."""
CONTRADICTIONS: Final = ("not-in-pack", "card-seen", "card-not-held", "no-cards-left")
"""Breaches that no distribution of the cards allows: the record contradicts itself, whoever is wrong."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the deal: who took it, its plays, and the table after it with everything found on the way."""

    number: int
    player: str
    plays: tuple[Play, ...]
    layout: Layout
    verdict: Verdict


class Capture(TypedDict):
    """What one card took, in which turn."""

    turn: int
    player: str
    card: str
    cards: list[str]


class SideEntry(TypedDict):
    """A side as a score request has it."""

    id: str
    players: list[str]


class SideResult(TypedDict):
    """What a side took, as a score request has it."""

    captured: list[str]
    last_capture: bool
    sweeps: NotRequired[int]


@dataclass(slots=True)
class Course:
    """The deal as far as it has been followed."""

    rules: CasinoRules
    seats: Seats
    plan: DealPlan
    hands: Hands
    table: tuple[Card, ...]
    expected: str | None
    """Who is to move; None while nobody knows who began."""
    builds: tuple[Build, ...] = ()
    piles: dict[str, tuple[Layer, ...]] = field(default_factory=dict)
    proven: dict[str, frozenset[int]] = field(default_factory=dict)
    sweeps: dict[str, int] = field(default_factory=dict)
    last: str | None = None
    turns: list[Turn] = field(default_factory=list)
    round: int = 0
    rounds: list[int] = field(default_factory=lambda: [0])
    """The round of dealing at the start and after each turn."""
    left: dict[str, int] = field(default_factory=dict)
    shown: list[Shown] = field(default_factory=list)
    contradicted: bool = False
    """Whether no distribution of the cards agrees with the record so far."""
    dealt_table: tuple[Card, ...] = ()
    foreign: tuple[tuple[str, Card], ...] = ()
    """Cards in hands, or on the table at the start, that the pack in use does not hold."""
    captures: list[Capture] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dealt_table = self.table
        self.piles = {self.seats.side(seat): () for seat in self.seats.names}
        self.left = dict.fromkeys(self.seats.names, self.plan.rounds[0])

    @property
    def complete(self) -> bool:
        """Return whether every card has been played from the hands."""
        return self.round == len(self.plan.rounds) - 1 and not any(self.left.values())

    def position(self, player: str) -> Position:
        """Return the table as this player finds it."""
        gone = {one.card for one in self.shown}
        hands = {seat: dealt[self.round] - gone for seat, dealt in self.hands.items() if self.round < len(dealt)}
        hand = hands.pop(player, None)
        later = (cards for dealt in self.hands.values() for cards in dealt[self.round + 1 :])
        return Position(
            self.seats,
            player,
            self.table,
            self.builds,
            hand,
            dict(self.piles),
            dict(self.proven),
            min(self.round + 1, 2),
            hands,
            frozenset().union(*hands.values(), *later),
            self.round,
            self.unseen(len(self.turns)),
        )

    def unseen(self, turns: int) -> Unseen:
        """Return what the record says of hidden cards after so many turns.

        Where it contradicts itself, no hand is taken to have a certain size, so that only what cards were seen counts.
        """
        shown = tuple(one for one in self.shown if one.turn <= turns)
        known = frozenset().union(self.dealt_table, *(cards for dealt in self.hands.values() for cards in dealt))
        places, stock = [], 0
        for seat in self.seats.names:
            for place, size in enumerate(self.plan.rounds):
                if place < len(self.hands.get(seat, ())):
                    continue
                if place > self.rounds[turns]:
                    stock += size
                else:
                    places.append(Place(hand_of(seat, place), 0 if self.contradicted else size, size))
        places.append(Place(STOCK, 0 if self.contradicted else stock, stock))
        if self.contradicted:
            places.append(Place(ELSEWHERE, 0, self.rules.deck))
        return Unseen(sum(BITS[card] for card in full_pack(self.rules) - known), tuple(places), shown)

    def take(self, player: str, plays: tuple[Play, ...]) -> Turn:
        """Judge a turn on the table that it meets, and move the table on, whatever the verdict."""
        layout = play_turn(self.rules, self.position(player), plays)
        if self.expected not in (None, player):
            layout.ruling.breach(a.FIRST_PLAYER, "out-of-turn", seat=player, expected=self.expected)
        if layout.played and not self.left[player]:
            layout.ruling.breach(a.END_OF_DEAL, "no-cards-left", seat=player, card=str(layout.played[0]))
        turn = Turn(len(self.turns) + 1, player, plays, layout, layout.verdict())
        self.turns.append(turn)
        self._carry(player, layout)
        return turn

    def settled(self, turn: Turn, unseen: Unseen | None = None) -> str | None:
        """Return `legal` or `illegal` once a turn is decided, at the time or by later cards; None while it is open.

        `unseen` is what is known at the end of the record, where that was asked for already.
        """
        if turn.verdict.value != UNDECIDED:
            return turn.verdict.value
        unseen = unseen or self.unseen(len(self.turns))
        broken = unseen.decide(some(*(charge.fact for charge in turn.layout.charges)))
        return None if broken is None else ILLEGAL if broken else LEGAL

    def findings(self) -> Iterator[Finding]:
        """Yield every broken article in the order of the turns, also those that only later cards proved.

        What no distribution of the cards agrees with accuses nobody: the record contradicts itself there.
        """
        for seat, card in self.foreign:
            yield record_contradicts("not-in-pack", a.FORTY_CARDS, seat, cards=[str(card)])
        now = self.unseen(len(self.turns))
        for turn in self.turns:
            for breach in turn.verdict.breaches:
                if breach.code in CONTRADICTIONS:
                    yield record_contradicts(
                        breach.code, ARTICLES[breach.article], turn.player,
                        turn=turn.number, cards=[breach.facts["card"]],
                    )  # fmt: skip
                else:
                    facts = {**breach.facts, "turn": turn.number}
                    yield Finding(breach.article, breach.code, str(breach.facts.get("seat", turn.player)), facts)
            for breach in self._proven(turn, now):
                if breach not in turn.verdict.breaches:
                    facts = {**breach.facts, "turn": turn.number, "shown_by": self._evidence(turn, breach)}
                    yield Finding(breach.article, LATER.get(breach.code, breach.code), facts.pop("seat"), facts)

    def _proven(self, turn: Turn, unseen: Unseen) -> list[Breach]:
        """Return the breaches of a turn that are certain where so much is known of hidden cards."""
        return proven(turn.layout.charges, unseen)[0]

    def _evidence(self, turn: Turn, breach: Breach) -> dict[str, object]:
        """Return the card, with its turn and seat, from which on a breach was certain."""
        first, last = turn.number, len(self.turns)
        while first < last:
            middle = (first + last) // 2
            if breach in self._proven(turn, self.unseen(middle)):
                last = middle
            else:
                first = middle + 1
        shown = next(one for one in reversed(self.shown) if one.turn <= first)
        return {"turn": shown.turn, "card": str(shown.card), "seat": shown.seat}

    def side_list(self) -> list[SideEntry]:
        """Return the sides as a score request has them."""
        return [{"id": name, "players": list(players)} for name, players in self.seats.sides().items()]

    def _carry(self, player: str, layout: Layout) -> None:
        """Update the deal with what a turn left behind."""
        number = len(self.turns)
        self.table, self.builds = tuple(layout.loose), tuple(layout.builds.values())
        self.piles = {side: tuple(layers) for side, layers in layout.piles.items()}
        self.shown += [replace(one, turn=number) for one in layout.shown]
        self.contradicted |= any(one.code in CONTRADICTIONS for one in layout.ruling.breaches)
        if layout.taken:
            side = self.seats.side(player)
            self.last = side
            self.sweeps[side] = self.sweeps.get(side, 0) + layout.swept
            card, *cards = layout.taken
            self.captures.append({"turn": number, "player": player, "card": str(card), "cards": names(cards)})
        self._carry_proofs(player, layout)
        self.left[player] = max(self.left[player] - len(layout.played), 0)
        if not any(self.left.values()) and self.round < len(self.plan.rounds) - 1:
            self.round += 1
            self.left = dict.fromkeys(self.seats.names, self.plan.rounds[self.round])
            self.proven.clear()
        self.rounds.append(self.round)
        self.expected = self._next(player)

    def _next(self, player: str) -> str:
        """Return who plays next: who has no card left, for having played two at once, is passed over."""
        for _ in self.seats.names:
            player = self.seats.after(player, self.rules.direction)
            if self.left[player]:
                break
        return player

    @property
    def rest(self) -> tuple[Card, ...]:
        """Return all cards on the table."""
        return (*self.table, *(card for build in self.builds for card in build.cards))

    def result(self) -> dict[str, SideResult | int]:
        """Return the deal as a score request has it, with the number of cards that nobody took, if any."""
        results: dict[str, SideResult | int] = dict(self.side_results())
        return results if self.last is not None else results | {UNCLAIMED: len(self.rest)}

    def side_results(self) -> dict[str, SideResult]:
        """Return what each side took; the rest goes to the last capturer, or to nobody (CASINO-902, 903)."""
        results: dict[str, SideResult] = {}
        for name, players in self.seats.sides().items():
            side = self.seats.side(players[0])
            cards = [card for layer in self.piles[side] for card in sorted(layer)]
            last = side == self.last
            results[name] = {"captured": names([*cards, *self.rest] if last else cards), "last_capture": last}
            if self.rules.sweep:
                results[name]["sweeps"] = self.sweeps.get(side, 0)
        return results

    def _carry_proofs(self, player: str, layout: Layout) -> None:
        """Keep a proof until its player plays a card of the value (CASINO-803 to 805).

        What everybody sees that nobody can hold any more is proven no longer.
        """
        if self.seats.partner(player) is None:
            return
        ended = {value for card in layout.played for value in hand_values(self.rules, card)}
        self.proven[player] = frozenset((self.proven.get(player, frozenset()) - ended) | layout.proofs)
        seen = {*self.rest, *(card for pile in self.piles.values() for layer in pile for card in layer)}
        for seat, values in self.proven.items():
            self.proven[seat] = frozenset(value for value in values if not capturers(self.rules, value) <= seen)


def replay(rules: CasinoRules, request: Node) -> Mapping[str, object]:
    """Return verdicts for each turn, findings, captures, the result ready to score. Raises Refused if unreadable."""
    record = request.require(read_record(request, rules))
    course = begin(rules, record)
    for place, turn in enumerate(record.turns):
        at = Node(None, ("turns", place), request.problems)
        player = turn.player or course.expected
        if player is None:
            at["player"].fault("required", a.FIRST_PLAYER.id, contextual=True)
            break
        check_ids(at["plays"], turn.plays, course.builds)
        course.take(player, turn.plays)
    request.raise_for_problems()
    unseen = course.unseen(len(course.turns))
    return {
        "verdicts": [
            Judged(_move(turn, sent), turn.verdict, course.settled(turn, unseen))
            for turn, sent in zip(course.turns, request["turns"].value, strict=True)
        ],
        "findings": list(course.findings()),
        "captures": course.captures,
        "table": names(course.table),
        "builds": [build.plain() for build in course.builds],
        "proven": {seat: sorted(values) for seat, values in course.proven.items() if values},
        "complete": course.complete,
        "sides": course.side_list(),
        "result": course.result() if course.complete else None,
    }


def begin(rules: CasinoRules, record: Record) -> Course:
    """Return the deal before its first turn."""
    seats, first = Seats(record.seats), record.first
    if first is None and record.dealer is not None:
        first = seats.after(record.dealer, rules.direction)
    plan = deal_plan(rules, len(record.seats))
    return Course(
        rules, seats, plan, record.hands, record.table, first,
        foreign=record.foreign, contradicted=bool(record.foreign),
    )  # fmt: skip


def _move(turn: Turn, sent: Mapping[str, object]) -> dict[str, object]:
    """Return a turn as the answer repeats it, with the plays as they were sent."""
    return {"type": "turn", "turn": turn.number, "player": turn.player, "plays": sent["plays"]}
