"""Casino on paper: players who may break promises, and what every possible distribution of the cards says of them.

Nothing here knows the engine. Cards are texts, a table is a few dictionaries, and a fault is looked for in each
distribution by itself: whoever builds must hold the card for it, or the partner by proof, and must keep it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any, TypeVar

Json = dict[str, Any]
P = TypeVar("P")
PIPS = {"A": 1, "J": 11, "Q": 12, "K": 13} | {str(n): n for n in range(2, 11)}
SUITS = "SHDC"


@cache
def pips(card: str) -> int:
    return PIPS[card[:-1]]


@cache
def counts(card: str) -> frozenset[int]:
    """What a card captures as."""
    return frozenset((1, 14)) if card[0] == "A" else frozenset((pips(card),))


def pack(ranks: Sequence[str]) -> list[str]:
    return [rank + suit for rank in ranks for suit in SUITS]


@dataclass
class Heap:
    """A build: its value, its cards, the player who made it last, and who may rely on the partner's card."""

    value: int
    cards: list[str]
    owner: str
    maker: str = ""
    """Who made it while the partner's card was proven; empty where nobody did."""
    single: bool = True


@dataclass
class State:
    """The table with hands that are all known: one distribution of the cards."""

    seats: list[str]
    hands: dict[str, list[str]]
    loose: list[str]
    heaps: dict[str, Heap] = field(default_factory=dict)
    proofs: dict[str, set[int]] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    all_cards: list[str] = field(default_factory=list)

    def mate(self, seat: str) -> str | None:
        return self.seats[(self.seats.index(seat) + 2) % 4] if len(self.seats) == 4 else None

    def side(self, seat: str) -> set[str]:
        mate = self.mate(seat)
        return {seat} if mate is None else {seat, mate}

    def turn(self, seat: str, plays: list[Json]) -> bool:
        """Make the plays and return whether a card was missing for a build, or its last card was used up."""
        fault, gained, spent = False, set[int](), list[str]()
        mate = self.mate(seat)
        proven = set(self.proofs.get(mate, ())) if mate else set[int]()
        proven |= {heap.value for heap in self.heaps.values() if mate and heap.owner == mate and not heap.maker}
        foreign = {name for name, heap in self.heaps.items() if heap.owner not in self.side(seat)}
        own, won = {name: heap for name, heap in self.heaps.items() if heap.owner == seat}, set[int]()

        def need(value: int, name: str) -> int:
            other = {1: 14, 14: 1}.get(value)
            return 1 + any(h.value == other and h.owner == seat and n != name for n, h in self.heaps.items())

        def has(value: int, name: str) -> bool:
            return sum(value in counts(card) for card in self.hands[seat]) >= need(value, name)

        def must_keep(heap: Heap) -> bool:
            if heap.maker == mate and mate:
                return not any(heap.value in counts(card) for card in self.hands[mate])
            return heap.owner == seat and not (heap.maker and heap.value in proven)

        for play in plays:
            kind, card = play["play"], play.get("card")
            sets = play.get("sets", [])
            card = card or next((one["card"] for one in sets if "card" in one), None)
            if card:
                self.hands[seat].remove(card)
                spent.append(card)
                gained -= counts(card)
            table = [*play.get("table", []), *(one for part in sets for one in part.get("table", []))]
            if kind == "trail":
                self.loose.append(card)
                continue
            if kind == "capture":
                self.gone += [card, *table]
                for name in play.get("builds", []):
                    won |= {own[name].value} if name in own else set()
                    self.gone += self.heaps.pop(name).cards
            elif kind == "raise":
                name, value = play["build"], play["to"]
                old = self.heaps.pop(name)
                self.heaps[name] = Heap(value, [*old.cards, card], seat)
            else:
                value, base = play["value"], play.get("base", {})
                name = base.get("build") or play["id"]
                if "table" in base:
                    table.append(base["table"])
                cards = [*table, *([card] if card else [])]
                if name in self.heaps:
                    self.heaps[name].cards += cards
                    self.heaps[name].single = False
                else:
                    self.heaps[name] = Heap(value, cards, seat, single=kind == "build")
            self.loose = [one for one in self.loose if one not in table]
            if kind == "capture" or (name in foreign and kind == "augment"):
                continue
            heap, fresh = self.heaps[name], kind != "augment" or "build" not in base
            if value not in proven:
                fault |= not has(value, name)
                gained.add(value)
            elif fresh:
                heap.maker, heap.owner = seat, seat if has(value, name) else str(mate)
        for name, heap in self.heaps.items():
            taken = {1: 14, 14: 1}.get(heap.value) in won  # who built both held a card for each
            if any(heap.value in counts(card) for card in spent) and not has(heap.value, name) and not taken:
                fault |= must_keep(heap)
        if mate:
            self.proofs[seat] = {v for v in self.proofs.get(seat, set()) if not any(v in counts(c) for c in spent)}
            self.proofs[seat] |= gained
            seen = {*self.loose, *self.gone, *(card for heap in self.heaps.values() for card in heap.cards)}
            for values in self.proofs.values():
                for value in list(values):
                    if all(card in seen for card in self.all_cards if value in counts(card)):
                        values.discard(value)
        return fault

    def copy(self) -> State:
        heaps = {n: Heap(h.value, list(h.cards), h.owner, h.maker, h.single) for n, h in self.heaps.items()}
        hands = {seat: list(hand) for seat, hand in self.hands.items()}
        proofs = {seat: set(values) for seat, values in self.proofs.items()}
        return State(self.seats, hands, list(self.loose), heaps, proofs, list(self.gone), self.all_cards)


@dataclass
class Game:
    """A recorded deal: the cards, who got what in which round, what lay on the table, and the turns."""

    cards: list[str]
    seats: list[str]
    rounds: tuple[int, ...]
    table: list[str]
    hands: dict[str, list[list[str]]]
    turns: list[Json] = field(default_factory=list)


def deal(chance: random.Random, cards: list[str], seats: list[str], rounds: tuple[int, ...], table: int) -> Game:
    left = chance.sample(cards, len(cards))
    loose = [left.pop() for _ in range(table)]
    hands = {seat: [[left.pop() for _ in range(size)] for size in rounds] for seat in seats}
    return Game(cards, seats, rounds, loose, hands)


def play_out(chance: random.Random, game: Game, *, turns: int, reckless: float) -> None:
    """Add turns, anticlockwise; players keep their promises but for so many of their turns."""
    state = State(game.seats, {}, list(game.table), all_cards=game.cards)
    order = [game.seats[0], *reversed(game.seats[1:])]
    for number in range(turns):
        per_round = [size * len(order) for size in game.rounds]
        current = next(r for r in range(len(per_round)) if number < sum(per_round[: r + 1]))
        if number == sum(per_round[:current]):
            state.hands = {seat: list(game.hands[seat][current]) for seat in game.seats}
            state.proofs.clear()
        seat = order[number % len(order)]
        tries = candidates(chance, state, seat, f"T{number}")
        careless = chance.random() < reckless
        chosen = next((plays for plays in tries if careless or not state.copy().turn(seat, plays)), None)
        if chosen is None:
            return
        state.turn(seat, chosen)
        game.turns.append({"player": seat, "plays": chosen})


def candidates(chance: random.Random, state: State, seat: str, name: str) -> Iterator[list[Json]]:
    """Turns that break no rule but perhaps those about cards in hands, more often builds than not."""
    hand = chance.sample(state.hands[seat], len(state.hands[seat]))
    values = {heap.value: key for key, heap in state.heaps.items()}
    lying = chance.sample(state.loose, min(6, len(state.loose)))
    sums = [some for size in (1, 2, 3) for some in combinations(lying, size)]
    chance.shuffle(sums)
    for _ in range(12):
        card = chance.choice(hand)
        kind = chance.choice(["trail", "capture", "build", "build", "table", "augment", "augment", "raise", "base"])
        if kind == "capture":
            value = chance.choice(sorted(counts(card)))
            some = next((one for one in sums if fits(one, value)), ())
            builds = [values[value]] if value in values and chance.random() < 0.8 else []
            if some or builds:
                yield [{"play": "capture", "card": card, "as": value, "table": list(some), "builds": builds}]
        elif kind in ("build", "table"):
            own = [card] if kind == "build" else []
            some = next((one for one in sums if len(one) + len(own) > 1), None)
            if some is None:
                continue
            value = sum(pips(one) for one in (*some, *own))
            if value > 14 or value in values or not any(value in counts(one) for one in state.all_cards):
                continue
            make: Json = {"play": "build", "value": value, "table": list(some), "id": name}
            yield [make | {"card": card}] if own else [make, {"play": "trail", "card": card}]
        elif kind == "augment" and values:
            value = chance.choice(sorted(values))
            heap = state.heaps[values[value]]
            some = next((one for one in sums if fits(one, value)), None)
            base = {"build": values[value]}
            if heap.owner not in state.side(seat):
                if some and value in counts(card):
                    add = {"play": "augment", "value": value, "base": base, "sets": [{"table": list(some)}]}
                    yield [add, {"play": "capture", "card": card, "as": value, "builds": [values[value]]}]
            elif fits((card,), value) and chance.random() < 0.5:
                yield [{"play": "augment", "value": value, "base": base, "sets": [{"card": card}]}]
            elif some:
                add = {"play": "augment", "value": value, "base": base, "sets": [{"table": list(some)}]}
                yield [add, {"play": "trail", "card": card}]
        elif kind == "base" and state.loose:
            lone = chance.choice(state.loose)
            value = chance.choice(sorted(counts(lone)))
            if value not in values and fits((card,), value):
                base = {"table": lone}
                yield [{"play": "augment", "value": value, "base": base, "sets": [{"card": card}], "id": name}]
        elif kind == "raise" and values:
            heap = state.heaps[values[chance.choice(sorted(values))]]
            to = heap.value + pips(card)
            if heap.owner not in state.side(seat) and heap.single and to <= 14 and to not in values:
                key = values[heap.value]
                if any(to in counts(one) for one in state.all_cards):
                    yield [{"play": "raise", "build": key, "card": card, "to": to}]
    for card in hand:
        for value in sorted(counts(card) & set(values)):
            yield [{"play": "capture", "card": card, "as": value, "builds": [values[value]]}]
        yield [{"play": "trail", "card": card}]


def fits(cards: Sequence[str], value: int) -> bool:
    if len(cards) == 1:
        return value in counts(cards[0])
    return sum(map(pips, cards)) == value


def outcomes(game: Game, known: Sequence[str]) -> tuple[list[set[bool]], list[set[bool]]]:
    """Whether each turn was a fault, in every distribution that fits: at the time, and with the whole record.

    `known` are the seats whose hands are given.
    """
    early: list[set[bool]] = [set() for _ in game.turns]
    late: list[set[bool]] = [set() for _ in game.turns]
    for hands in distributions(game, known):
        found = follow(game, hands)
        for place, fault in enumerate(found):
            early[place].add(fault)
            if len(found) == len(game.turns):
                late[place].add(fault)
    return early, late


def distributions(game: Game, known: Sequence[str]) -> Iterator[dict[str, list[list[str]]]]:
    """Every way to deal the cards that are not known from the start and in which the first turn can be played."""
    places = [(seat, number) for seat in game.seats if seat not in known for number in range(len(game.rounds))]
    starting, first = ((game.turns[0]["player"], 0), played(game.turns[0])) if game.turns else (None, [])
    given = {card for seat in known for part in game.hands[seat] for card in part} | set(game.table)
    hidden = alike(game, (card for card in game.cards if card not in given))
    must = {place: first if place == starting else [] for place in places}
    for one in spread(hidden, [(place, game.rounds[place[1]]) for place in places], must):
        hands: dict[str, list[list[str]]] = {seat: [] for seat in game.seats}
        for (seat, _), cards in sorted(one.items()):
            hands[seat].append(list(cards))
        yield hands | {seat: game.hands[seat] for seat in known}


def alike(game: Game, cards: Iterable[str]) -> list[str]:
    """The cards, those that nobody plays without their suit: which of two such cards is where makes no difference."""
    shown = {card for turn in game.turns for card in played(turn)}
    return sorted(card if card in shown else f"{card[:-1]}?" for card in cards)


def spread(left: list[str], sizes: list[tuple[P, int]], must: dict[P, list[str]]) -> Iterator[dict[P, list[str]]]:
    """Every way to give so many of the sorted cards to each place; each has the cards that it must have."""
    if not sizes:
        yield {}
        return
    place, size = max(sizes, key=lambda one: len(must[one[0]]))
    rest = [one for one in sizes if one[0] != place]
    free = without(left, must[place])
    for drawn in dict.fromkeys(combinations(free, size - len(must[place]))):
        for others in spread(without(free, drawn), rest, must):
            yield {place: [*must[place], *drawn], **others}


def without(cards: Sequence[str], taken: Iterable[str]) -> list[str]:
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left


def follow(game: Game, hands: dict[str, list[list[str]]]) -> list[bool]:
    """Whether each turn was a fault with these hands, up to the first card that they do not hold."""
    state = State(game.seats, {}, list(game.table), all_cards=game.cards)
    found: list[bool] = []
    for number, turn in enumerate(game.turns):
        current, dealt = 0, 0
        while number >= dealt + game.rounds[current] * len(game.seats):
            dealt += game.rounds[current] * len(game.seats)
            current += 1
        if number == dealt:
            state.hands = {seat: list(hands[seat][current]) for seat in game.seats}
            state.proofs.clear()
        if not all(card in state.hands[turn["player"]] for card in played(turn)):
            break
        found.append(state.turn(turn["player"], turn["plays"]))
    return found


def played(turn: Json) -> list[str]:
    """The cards that came from the hand."""
    return [part["card"] for play in turn["plays"] for part in (play, *play.get("sets", ())) if "card" in part]


def late_outcomes(game: Game) -> list[set[bool]]:
    """Whether each turn was a fault, in every distribution of what nobody has shown by the end of the record."""
    shown: dict[str, list[str]] = {seat: [] for seat in game.seats}
    for turn in game.turns:
        shown[turn["player"]] += played(turn)
    seen = {*game.table, *(card for cards in shown.values() for card in cards)}
    rest = alike(game, (card for card in game.cards if card not in seen))
    sizes = [(seat, sum(game.rounds) - len(shown[seat])) for seat in game.seats]
    late: list[set[bool]] = [set() for _ in game.turns]
    for one in spread(rest, sizes, {seat: [] for seat in game.seats}):
        hands = {seat: [[*shown[seat], *one[seat]]] for seat in game.seats}
        for place, fault in enumerate(follow(game, hands)):
            late[place].add(fault)
    return late
