"""Verdicts by definition: every distribution of the hidden cards of a small pack is listed, and the move tried in each.

Written from the rules, not from the judge under test: cards are texts, hands are sets of them, nothing is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


class World(NamedTuple):
    """One distribution: the mover's hand, what was laid aside or not dealt, and cards of earlier tricks."""

    hand: frozenset[str]
    dead: frozenset[str]
    earlier: frozenset[str]
    others: frozenset[str]
    number: int = 0
    """Which trick it is, where nobody says it."""
    dealer: str = ""
    """Who dealt, where that says who leads."""


@dataclass
class Small:
    """A table with a small pack."""

    seats: str
    tricks: int
    pack: tuple[str, ...]
    options: dict[str, object] = field(default_factory=dict)

    @property
    def dead(self) -> int:
        return len(self.pack) - self.tricks * len(self.seats)

    @cached_property
    def promoted(self) -> tuple[str, ...]:
        promoted = self.options.get("promoted_twos", ())
        assert isinstance(promoted, tuple)
        return promoted

    @cached_property
    def suits(self) -> dict[str, frozenset[str]]:
        """The cards of each suit."""
        return {suit: frozenset(card for card in self.pack if self.suit(card) == suit) for suit in "CHS"}

    def suit(self, card: str) -> str:
        return "S" if card in self.promoted else card[-1]

    def power(self, card: str) -> tuple[int, int]:
        above = 20 - self.promoted.index(card) if card in self.promoted else 0
        return (self.suit(card) == "S", above or RANKS.index(card[:-1]))

    def turn(self, seat: str) -> str:
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def winner(self, trick: Sequence[tuple[str, str]], *, first: bool) -> str:
        led = self.suit(trick[0][1])
        if first and self.options.get("first_trick", "normal") != "normal":
            led = "C" if any(self.suit(card) == "C" for _, card in trick) else led
        counting = [(self.power(card), seat) for seat, card in trick if self.suit(card) in (led, "S")]
        return max(counting)[1] if counting else trick[0][0]


class Play(NamedTuple):
    """A card about to be played: by whom, to what; `turn` is whose turn it is, None where nobody can be wrong."""

    seat: str
    card: str
    trick: tuple[tuple[str, str], ...]
    number: int
    seen: frozenset[str]
    turn: str | None
    exempt: bool = False
    by_dealer: bool = False
    """Whether the dealer of a world says who leads to its first trick."""


def legal(table: Small, play: Play, world: World) -> bool:
    """Whether a play is legal in one world."""
    options, suit, suits = table.options, table.suit, table.suits
    hand = world.hand
    if play.card not in hand:
        return False
    number = play.number or world.number
    first = number == 1 and options.get("first_trick", "normal") != "normal"
    together = first and options.get("first_trick") == "lowest_club"
    turn = None if together else play.turn
    if number == 1 and play.by_dealer:
        turn = table.turn(world.dealer)
    if number > 1 and play.trick:
        there, at = {seat for seat, _ in play.trick}, table.seats.index(play.trick[0][0])
        turn = next(seat for seat in (*table.seats[at:], *table.seats[:at]) if seat not in there)
    if turn is not None and play.seat != turn:
        return False
    if number == 1 and not play.trick and not _leads(table, play, world):
        return False
    if play.exempt:
        return True
    if first:
        clubs = hand & suits["C"]
        if clubs:
            return play.card == min(clubs, key=table.power)
        return suit(play.card) != "S" or hand <= suits["S"]
    if play.trick:
        led = suits[suit(play.trick[0][1])]
        return play.card in led or not hand & led
    if suit(play.card) != "S" or options.get("lead_spades_anytime"):
        return True
    broken = not suits["S"].isdisjoint(play.seen) or not suits["S"].isdisjoint(world.earlier)
    return broken or hand <= suits["S"]


def _leads(table: Small, play: Play, world: World) -> bool:
    """Whether the first lead is the mover's, where it belongs to whoever holds the lowest club in play."""
    strict = table.options.get("first_trick") == "lowest_club_strict"
    if not strict and table.options.get("first_leader") != "club_two":
        return True
    clubs = (world.hand | world.others) & table.suits["C"]
    if not clubs:
        return True
    lowest = min(clubs, key=table.power)
    must = (strict or table.options.get("club_two_must_lead")) and not play.exempt
    return lowest in world.hand and (not must or play.card == lowest)


def worlds(
    hidden: Collection[str],
    mine: int,
    dead: int,
    earlier: int,
    hand: Collection[str],
    others: Collection[str],
    laid: Collection[str] = (),
) -> Iterator[World]:
    """Every way to share out the hidden cards: so many to the mover, out of play, to earlier tricks."""
    cards = sorted(hidden)
    if min(mine, dead, earlier) < 0 or mine + dead + earlier > len(cards):
        return
    known_hand, known_others, known_dead = frozenset(hand), frozenset(others), frozenset(laid)
    for own in map(frozenset, combinations(cards, mine)):
        rest = [card for card in cards if card not in own]
        held = known_hand | own
        for out in map(frozenset, combinations(rest, dead)):
            left = [card for card in rest if card not in out]
            for gone in map(frozenset, combinations(left, earlier)):
                yield World(held, known_dead | out, gone, known_others.union(left) - gone)


def verdict(
    table: Small, play: Play, possible: Iterable[World], agrees: Callable[[World], bool] = lambda world: True
) -> str:
    """`legal`, `illegal` or `undecided` over the worlds that agree and in which the mover holds the card.

    `impossible` where no world agrees. No more worlds are looked at than are needed.
    """
    answers, any_world = set[bool](), False
    for world in possible:
        if play.card in world.hand and agrees(world):
            any_world = True
            answers.add(legal(table, play, world))
            if len(answers) == 2:
                return "undecided"
        elif not any_world:
            any_world = agrees(world)
    if not any_world:
        return "impossible"
    return "legal" if answers == {True} else "illegal"


FACTS = ("hand", "spades_broken", "lowest-club", "trick_number", "dealer")


def deciding(table: Small, play: Play, possible: Sequence[World], facts: Sequence[str]) -> list[set[str]]:
    """Every smallest set of facts that decides a play: wherever these are the same, the verdict is the same."""
    rows = []
    for world in possible:
        spades, clubs = table.suits["S"], (world.hand | world.others) & table.suits["C"]
        values = {
            "hand": world.hand,
            "spades_broken": not spades.isdisjoint(play.seen | world.earlier),
            "lowest-club": min(clubs, key=table.power, default=None),
            "trick_number": play.number or world.number,
            "dealer": world.dealer,
        }
        rows.append((values, legal(table, play, world)))

    def decide(chosen: Sequence[str]) -> bool:
        verdicts: dict[tuple[object, ...], bool] = {}
        return all(
            verdicts.setdefault(tuple(values[fact] for fact in chosen), answer) == answer for values, answer in rows
        )

    if not play.number:  # its number is asked for only where rules depend on it: what is missing must be enough
        return [
            set(chosen) for size in range(1, len(facts) + 1) for chosen in combinations(facts, size) if decide(chosen)
        ]
    for size in range(1, len(facts) + 1):
        found = [set(chosen) for chosen in combinations(facts, size) if decide(chosen)]
        if found:
            return found
    return []
