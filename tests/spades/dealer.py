"""A seeded dealer and players who only look for what is legal, or for one fault where they are told to make it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any

from companion.engine.cards import Card
from companion.engine.problems import Node, read_whole
from companion.engine.verdict import LEGAL
from companion.games.spades import SPADES
from companion.games.spades.bidding import Bids, thrown_in
from companion.games.spades.play import Holding, Sizes, judge_play
from companion.games.spades.rules import OPTIONS, SpadesRules
from companion.games.spades.table import Call, Played, Position, SpadesPack, Table, pack_of, read_calls

SEATS = {"solo3": "ABC", "duo_draw": "AB", "duo_dummy": "AB", "partners6": "ABCDEF"}
FOLLOWING = ("revoke",)
LEADING = ("early-spade", "wrong-leader")
REPLACING = ("duplicate", "not-in-pack")
FAULTS = FOLLOWING + LEADING + REPLACING
"""What a player can be told to do wrong once."""


@dataclass
class Planted:
    """One fault that was made: what, by whom, in which trick, with which card."""

    kind: str
    seat: str
    trick: int
    card: Card


@dataclass
class Dealt:
    """One deal as it was played."""

    given: dict[str, Any]
    rules: SpadesRules
    table: Table
    totals: dict[str, int]
    calls: list[dict[str, Any]]
    hands: dict[str, tuple[Card, ...]]
    plays: list[Played] = field(default_factory=list)
    winners: list[str] = field(default_factory=list)
    planted: Planted | None = None

    def request(self, *, hands: bool = False, plays: int | None = None) -> dict[str, Any]:
        """The deal as a replay request, with the hands or without them, up to a number of plays."""
        record: dict[str, Any] = {
            "rules": self.given,
            "seats": list(self.table.seats),
            "dealer": self.table.dealer,
            "totals": self.totals,
            "calls": self.calls,
            "plays": [{"seat": one.seat, "card": str(one.card)} for one in self.plays[:plays]],
        }
        if hands:
            record["hands"] = {seat: [str(card) for card in hand] for seat, hand in self.hands.items()}
        return record


def play_deal(rng: Random, given: dict[str, Any], *, fault: str | None = None) -> Dealt:
    """A random deal under the given rules, played legally but for one fault where one is named and can be made."""
    deal = bid_deal(rng, given)
    _Play(rng, deal, fault).out()
    return deal


def bid_deal(rng: Random, given: dict[str, Any]) -> Dealt:
    """A random deal under the given rules whose bidding is over."""
    rules = read_whole(given, OPTIONS.read).options
    seats = tuple(SEATS.get(rules.mode, "ABCD"))
    dealer = rng.choice(seats)
    if rules.mode == "duo_dummy":
        other = next(seat for seat in seats if seat != dealer)
        seats = (dealer, "dummy", other) if rules.dummy_side == "left" else (dealer, other, "dummy")
    table = Table(rules, seats, dealer)
    deal = Dealt(given, rules, table, {}, [], _hands(rng, rules, seats))
    deal.totals = {side: rng.randrange(-200, 300) for side in table.sides}
    _bid(rng, deal)
    while thrown_in(Bids(table, read_calls(Node(deal.calls), table))):
        deal.calls.clear()
        _bid(rng, deal)
    return deal


def _hands(rng: Random, rules: SpadesRules, seats: tuple[str, ...]) -> dict[str, tuple[Card, ...]]:
    pack = sorted(pack_of(rules).cards) * pack_of(rules).copies
    cards = rng.sample(pack, len(pack))
    return {seat: tuple(cards[i * rules.tricks : (i + 1) * rules.tricks]) for i, seat in enumerate(seats)}


def _bid(rng: Random, deal: Dealt) -> None:
    """Calls chosen among the legal ones, seat after seat, or side after side in consultation."""
    table, rules = deal.table, deal.rules
    position = {"seats": list(table.seats), "dealer": table.dealer, "totals": deal.totals, "calls": deal.calls}
    if rules.bid_method == "consultation" and rules.partners:
        first = next(side for side in table.sides if side != table.side(table.dealer or ""))
        for side in sorted(table.sides, key=lambda side: side != first):
            deal.calls.append({"side": side, "call": rng.randrange(4, 8)})
        return
    for seat in table.bidders * (2 if rules.second_round else 1):
        hand = [str(card) for card in deal.hands[seat]]
        known = {"hand": hand} if rules.bidding_rule in ("mirror", "whiz") else {}
        request = {"position": position | known, "seat": seat, "looked": False}
        assert SPADES.moves is not None
        moves = SPADES.moves(rules, Node(request))["moves"]
        assert moves, request
        words = [move for move in moves if not isinstance(move["call"], int)]
        numbers = [move for move in moves if move not in words and move["call"] < 6] or moves
        move = rng.choice(words if words and rng.random() < 0.3 else numbers)
        deal.calls.append({key: value for key, value in move.items() if key != "type"})


class _Play:
    """The play of one deal."""

    def __init__(self, rng: Random, deal: Dealt, fault: str | None) -> None:
        self.rng, self.deal, self.fault = rng, deal, fault
        self.rules, self.table = deal.rules, deal.table
        self.pack: SpadesPack = pack_of(self.rules)
        self.calls: tuple[Call, ...] = read_calls(Node(deal.calls), self.table)
        self.left = {seat: list(hand) for seat, hand in deal.hands.items()}
        self.dead = self.pack.whole & ~self.pack.mask(one for hand in deal.hands.values() for one in hand)
        self.played: list[Card] = []
        self.broken = False
        self.due = rng.randrange(2, self.rules.tricks - 1)
        """The trick from which on the fault is looked for."""

    def out(self) -> None:
        leader = self._opening_leader()
        for number in range(1, self.rules.tricks + 1):
            order = self._order(leader, number)
            trick: list[Played] = []
            for seat in order:
                trick.append(Played(seat, self._card(seat, tuple(trick), number, leader)))
            self.deal.plays += trick
            self.played += [one.card for one in trick]
            self.broken = self.broken or any(self.pack.is_trump(one.card) for one in trick)
            leader = self._winner(trick, number)
            self.deal.winners.append(leader)

    def _order(self, leader: str, number: int) -> list[str]:
        if number == 1 and self.rules.first_trick == "lowest_club":
            return self.rng.sample(self.table.seats, len(self.table.seats))
        if self._due(number, "wrong-leader"):
            others = [seat for seat in self.table.seats if seat != leader]
            leader = self.rng.choice(others)
            self.deal.planted = Planted("wrong-leader", leader, number, self.left[leader][0])
        return [leader, *self.table.after(leader)[:-1]]

    def _due(self, number: int, kind: str) -> bool:
        return self.deal.planted is None and self.fault == kind and number >= self.due

    def _card(self, seat: str, trick: tuple[Played, ...], number: int, leader: str) -> Card:
        legal = self._judge(seat, trick, number, None if self.deal.planted else leader)
        hand = self.left[seat]
        card = self._wrong(seat, trick, number, legal) or next(filter(legal, self.rng.sample(hand, len(hand))))
        planted = self.deal.planted
        if planted and planted.kind == "wrong-leader" and planted.trick == number and planted.seat == seat:
            planted.card = card
        if card in hand:
            hand.remove(card)
        else:
            hand.pop()
        return card

    def _judge(self, seat: str, trick: tuple[Played, ...], number: int, leader: str | None) -> Callable[[Card], bool]:
        """What tells whether a card of the hand is legal: few are asked about before one is."""
        position = Position(
            self.table, "play", {}, self.calls, trick, number, None if number == 1 else leader, None,
            tuple(self.left[seat]), tuple(self.played),
        )  # fmt: skip
        if self.deal.planted or (self.fault == "wrong-leader" and number >= self.due):
            position = replace(position, leader=seat if not trick else None, spades_broken=self.broken)
        seen = self._seen(trick)

        def legal(card: Card) -> bool:
            return judge_play(position, Played(seat, card), partial(self._holding, seat, card), seen).value == LEGAL

        return legal

    def _seen(self, trick: tuple[Played, ...]) -> int:
        return self.pack.mask([*self.played, *(one.card for one in trick)])

    def _holding(self, seat: str, card: Card) -> Holding:
        """The mover's other cards, where every card is known."""
        mask, own = self.pack.mask, list(self.left[seat])
        if card in own:
            own.remove(card)
        others = [one for other, hand in self.left.items() if other != seat for one in hand]
        held = mask(own)
        return Holding(held, self.dead, (Sizes(0, 0, self.dead.bit_count()),), elsewhere=mask(others, held))

    def _wrong(self, seat: str, trick: tuple[Played, ...], number: int, legal: Callable[[Card], bool]) -> Card | None:
        """A card that is the fault looked for, where this is the place for it."""
        hand, suit = self.left[seat], self.pack.suit
        bound = not any(call.seat == seat and call.word == "double_blind_nil" for call in self.calls)
        kinds: dict[str, Callable[[], list[Card]]] = {
            "revoke": lambda: [
                card for card in hand if trick and any(suit(c) == suit(trick[0].card) for c in hand)
                and suit(card) != suit(trick[0].card)
            ],
            "early-spade": lambda: [
                card for card in hand if not trick and not self.broken and suit(card) == "S" and not legal(card)
            ],
            "duplicate": lambda: [card for card in self.played if self.played.count(card) == self.pack.copies],
            "not-in-pack": lambda: [card for card in (Card("BJ"), *self.rules.removed_twos)
                                    if card not in self.pack.cards],
        }  # fmt: skip
        start = 2 if self.fault == "early-spade" else self.due
        if self.fault not in kinds or self.deal.planted or number < start or seat == "dummy" or not bound:
            return None
        cards = kinds[self.fault]()
        if not cards:
            return None
        card = self.rng.choice(cards)
        self.deal.planted = Planted(self.fault, seat, number, card)
        return card

    def _opening_leader(self) -> str:
        """Who leads first, worked out from the hands that the dealer knows."""
        rules, table = self.rules, self.table
        if rules.first_trick != "normal" or rules.first_leader == "club_two":
            clubs = [(self.pack.strength(card), seat) for seat, hand in self.left.items() for card in hand
                     if self.pack.suit(card) == "C"]  # fmt: skip
            return min(clubs)[1]
        numbers = [(rules.tricks if c.number is None else c.number, -i, c.seat) for i, c in enumerate(self.calls)
                   if c.number is not None or "moon" in c.word]  # fmt: skip
        if rules.first_leader == "highest_bidder" and numbers:
            return max(numbers)[2] or ""
        left = table.after(table.dealer or "")
        return left[1] if left[0] == "dummy" and not rules.dummy_leads else left[0]

    def _winner(self, trick: list[Played], number: int) -> str:
        """The highest card of the suit led, spades above all; in a first trick of clubs, clubs are led."""
        suit = self.pack.suit
        led = suit(trick[0].card)
        if number == 1 and self.rules.first_trick != "normal" and any(suit(one.card) == "C" for one in trick):
            led = "C"
        rank = {"S": 2, led: 1} | ({"S": 2} if led == "S" else {})
        equal = trick[::-1] if self.rules.equal_cards == "later" else trick
        return max(equal, key=lambda one: (rank.get(suit(one.card), 0), self.pack.strength(one.card))).seat
