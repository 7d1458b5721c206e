"""One position with a hidden hand, hidden piles, an unknown half: judged as it is with all known, in every world.

What is compared is what the judge makes of hidden cards. With all cards known none of that is asked, so each world of
a small pack is put to it as a position of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import combinations, count, islice, permutations
from random import Random
from typing import Any

import pytest

from companion.engine.cards import read_card
from companion.engine.problems import Refused
from companion.engine.verdict import Verdict
from companion.games.casino import table as casino_table
from companion.games.casino.table import DealPlan
from tests.casino.asking import Json, check
from tests.casino.worlds import counts, pack, pips

POSITIONS = 100
"""Positions of a round."""
OPEN = 12
"""Undecided positions of a round with more than one thing that could be asked for."""
MOST_WORLDS = 1_500
RANKS = (("A", "2", "3"), ("A", "2", "K"), ("2", "3", "5"), ("A", "2", "3", "4"))
PRESETS = ("swazi", "swazi", "swazi_pagat", "swazi_pagat", "standard", "royal", "japanese")
MODULES = ("shapes", "table")
"""Those of the judge that ask for the pack or the deal."""
OPTIONS: Json = {
    "pile_cards": "augment_and_capture",
    "builds_per_player": 1,
    "owner_may_trail": False,
    "keep_capturer": False,
    "partner_build": "none",
    "same_value_builds": "allowed",
}


def fits(cards: Sequence[str], value: int) -> bool:
    return value in counts(cards[0]) if len(cards) == 1 else sum(map(pips, cards)) == value


Fact = tuple[str, str | None]
"""Something that can be asked for, and of a pile whose it is."""


class Case:
    """A random position of a small pack, a few cards of it hidden, and a turn of one to three plays."""

    def __init__(self, seed: str) -> None:
        chance = self.chance = Random(seed)
        self.pack = pack(chance.choice(RANKS))
        self.seats = [f"P{number + 1}" for number in range(chance.choice([2, 2, 2, 3, 4]))]
        self.halves = len(self.seats) == 2 and chance.random() < 0.6
        self.size = chance.randint(2, 3)
        options = {name: value for name, value in OPTIONS.items() if chance.random() < 0.25}
        options["two_player_deal"] = "two_halves" if self.halves else "all_24"
        self.rules = {"preset": chance.choice(PRESETS), "options": options}
        self.unseen = chance.sample(self.pack, len(self.pack))
        self.loose = self._draw(chance.randint(1, 4))
        self.builds = [one for one in map(self._build, range(chance.choice([0, 1, 1, 2]))) if one]
        self.piles = {side: self._draw(chance.randint(0, 2)) for side in self.sides if chance.random() < 0.4}
        while len(self.unseen) > 8:
            self.piles.setdefault("P1", []).append(self.unseen.pop())
        self.hand = (self._draw(chance.randint(1, self.size)) or None) if chance.random() < 0.3 else None
        self.half = chance.choice([None, None, 1, 2]) if self.halves else None
        values = sorted({pips(card) for card in self.pack} - {1})
        proven = {seat: [chance.choice(values)] for seat in ("P1", "P2") if chance.random() < 0.2}
        self.proven = {seat: one for seat, one in proven.items() if self._may_hold(seat, one[0])}

    def _may_hold(self, seat: str, value: int) -> bool:
        """Whether there is a card of the value for the seat, and another one for the other."""
        own = self.hand if seat == "P1" and self.hand else self.unseen
        return sum(pips(card) == value for card in own) > (own is self.unseen)

    def agrees(self, hand: Sequence[str], left: Sequence[str], stock: int) -> bool:
        """Whether the hand and what is left beside it have the cards that are proven."""
        own, other = (set(self.proven.get(seat, ())) for seat in ("P1", "P2"))
        return own <= {*map(pips, hand)} and other <= {*map(pips, left)} and len(left) >= stock + len(other)

    @property
    def sides(self) -> list[str]:
        """The seats that keep a pile: partners have one."""
        return self.seats[:2] if len(self.seats) == 4 else self.seats

    @property
    def plan(self) -> DealPlan:
        return DealPlan(4, (self.size,) * (1 + self.halves))

    def position(self, **instead: Any) -> Json:
        told = {"seats": self.seats, "player": "P1", "table": self.loose, "builds": self.builds, "piles": self.piles}
        told |= {"proven": self.proven} if self.proven else {}
        known = {"hand": self.hand, "half": self.half} | instead
        return told | {name: value for name, value in known.items() if value is not None}

    def _draw(self, count: int) -> list[str]:
        return [self.unseen.pop() for _ in range(min(count, len(self.unseen) - 5))]

    def _build(self, number: int) -> Json | None:
        one, other = self.chance.sample(self.unseen, 2)
        alike = sorted(counts(one) & counts(other))
        value, sets = (alike[0], [[one], [other]]) if alike else (pips(one) + pips(other), [[one, other]])
        if value > 14 or len(self.unseen) < 8:
            return None
        self.unseen = [card for card in self.unseen if card not in (one, other)]
        return {"id": f"B{number}", "value": value, "sets": sets, "owner": self.chance.choice(self.seats)}

    def plays(self) -> list[Json]:
        """Plays that may need a hidden card: a pile's top, a card for a build, one more beside that played."""
        chance = self.chance
        self.pool, self.tops = list(self.loose), {side: list(pile) for side, pile in self.piles.items()}
        self.perhaps = chance.sample(self.unseen, len(self.unseen))
        card = chance.choice(self.hand or self.unseen)
        plays: list[Json] = []
        for build in self.builds if chance.random() < 0.6 else ():
            sets = self._sets(build["value"])
            if sets:
                plays.append({"play": "augment", "value": build["value"], "base": {"build": build["id"]}, "sets": sets})
                if build["owner"] == "P2":
                    return [*plays, {"play": "capture", "card": card, "builds": [build["id"]]}]
        kind = chance.choice(["build", "build", "base", "capture", "trail"])
        some = chance.sample(self.pool, min(len(self.pool), chance.randint(1, 2)))
        if kind == "base" and self.pool:
            lone = self.pool.pop()
            value = max(counts(lone))
            plays.append({"play": "augment", "value": value, "base": {"table": lone}, "sets": self._sets(value)})
        elif kind == "build" and some and sum(map(pips, (*some, card))) <= 14:
            with_card = {"play": "build", "value": sum(map(pips, (*some, card))), "table": some, "card": card}
            return [*plays, with_card]
        elif kind == "capture":
            value = max(counts(card))
            return [*plays, {"play": "capture", "card": card, "as": value, **next(iter(self._sets(value)), {})}]
        return [*plays, {"play": "trail", "card": card}]

    def _sets(self, value: int) -> list[Json]:
        """One or two sets of the value with a loose card or the top of an opponent's pile in each."""
        found: list[Json] = []
        for _ in range(self.chance.choice([1, 1, 2])):
            top = self._top() if self.chance.random() < 0.7 else None
            tops = [top["card"]] if top else []
            sums = [some for size in range(3) for some in combinations(self.pool, size) if some or tops]
            some = next((one for one in sums if fits((*one, *tops), value)), None)
            if some is not None:
                self.pool = [card for card in self.pool if card not in some]
                found.append({"table": list(some), **({"piles": [top]} if top else {})})
        return found

    def _top(self) -> Json | None:
        side = self.chance.choice(self.sides[1:])
        left = self.tops.get(side, self.perhaps)
        return {"from": side, "card": left.pop(0)} if left else None

    def untold(self, plays: list[Json]) -> list[Fact]:
        """What can be asked for: the hand, the half, hidden piles that are used."""
        used = {
            top["from"] for play in plays for part in (play, *play.get("sets", ())) for top in part.get("piles", ())
        }
        facts: list[Fact] = [("hand", None)] if self.hand is None else []
        if self.halves and self.half is None:
            facts.append(("half", None))
        return [*facts, *(("pile", side) for side in self.sides if side in used and side not in self.piles)]

    def worlds(self, plays: list[Json]) -> Iterator[Json]:
        """Every position with all known that agrees: a hand of any size, tops as deep as the plays go, a half."""
        depth = Counter(
            top["from"] for play in plays for part in (play, *play.get("sets", ())) for top in part.get("piles", ())
        )
        hidden_sides = [side for side in self.sides if side not in self.piles]
        hands = [tuple(self.hand or ())] if self.hand else [
            hand for size in range(1, self.size + 1) for hand in combinations(self.unseen, size)
        ]  # fmt: skip
        for half in [None] if not self.halves else [1, 2] if self.half is None else [self.half]:
            stock = 2 * self.size if half == 1 else 0
            for hand in hands:
                rest = [card for card in self.unseen if card not in hand]
                for piles in _tops(rest, [(side, depth[side]) for side in hidden_sides]):
                    left = [card for card in rest if all(card not in pile for pile in piles.values())]
                    if self.agrees(hand, left, stock):
                        yield self.position(hand=list(hand), half=half, piles={**self.piles, **piles})


def _tops(cards: list[str], sides: list[tuple[str, int]]) -> Iterator[dict[str, list[str]]]:
    """Every way in which hidden piles can begin."""
    if not sides:
        yield {}
        return
    (side, depth), *others = sides
    for size in range(depth + 1):
        for pile in permutations(cards, size):
            for rest in _tops([card for card in cards if card not in pile], others):
                yield {side: list(pile), **rest}


def verdict(rules: Json, position: Json, plays: list[Json]) -> Verdict:
    return check({"rules": rules, "position": position, "move": {"type": "turn", "plays": plays}})


def answer(rules: Json, position: Json, plays: list[Json]) -> str:
    try:
        return verdict(rules, position, plays).value
    except Refused as refused:
        return ",".join(sorted({problem.code for problem in refused.problems}))


@pytest.fixture
def deal_small(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A function that makes the judge play with the pack and the deal of a case."""
    now: list[Case] = []
    for module in [import_module(f"companion.games.casino.{name}") for name in MODULES]:
        monkeypatch.setattr(module, "full_pack", lambda rules: frozenset(map(read_card, now[-1].pack)))
        monkeypatch.setattr(module, "deal_plan", lambda rules, players: now[-1].plan, raising=False)

    def use(case: Case) -> None:
        now.append(case)
        forget()

    yield use
    forget()


def forget() -> None:
    """Forget what is remembered of packs."""
    for remembered in (casino_table.capturers, casino_table.capturer_mask, casino_table.highest_value):
        remembered.cache_clear()


def test_every_verdict_on_a_position_is_that_of_all_worlds(deal_small: Any, soak_round: int, soaked: Any) -> None:
    kinds: Counter[str] = Counter()
    for number in range(POSITIONS):
        case = Case(f"{soak_round} {number}")
        deal_small(case)
        plays = case.plays()
        position = case.position()
        found, told = set[str](), answer(case.rules, position, plays)
        played = {card for play in plays if (card := play.get("card"))}
        for world in case.worlds(plays):
            if told == "impossible-position" or played <= {*world["hand"], *(case.hand or ())}:
                found.add(answer(case.rules, world, plays))
            if len(found) > 1:
                break
        if not found and (case.proven or told == "build-total"):  # the card that is played contradicts what is proven
            continue
        expected = "undecided" if len(found) > 1 else next(iter(found), "impossible-position")
        assert told == expected, (case.rules, position, plays, told, found)
        kinds[told] += 1
    soaked(positions=POSITIONS, undecided=kinds["undecided"])
    assert min(kinds["legal"], kinds["illegal"]) > 1, kinds
    assert kinds["undecided"] > 0, kinds


def test_an_undecided_verdict_asks_for_a_smallest_set_of_facts_that_decides(
    deal_small: Any, soak_round: int, soaked: Any
) -> None:
    sizes: Counter[int] = Counter()
    for number in count():
        if sizes.total() == OPEN:
            break
        case = Case(f"missing {soak_round} {number}")
        deal_small(case)
        plays = case.plays()
        untold = case.untold(plays)
        position = case.position()
        if len(untold) < 2 or answer(case.rules, position, plays) != "undecided":
            continue
        worlds = list(islice(case.worlds(plays), MOST_WORLDS + 1))
        if len(worlds) > MOST_WORLDS:
            continue
        asked = {(one.fact, one.seat if one.fact == "pile" else None)
                 for one in verdict(case.rules, position, plays).missing}  # fmt: skip
        played = {card for play in plays if (card := play.get("card"))}
        fit = [world for world in worlds if played <= {*world["hand"], *(case.hand or ())}]
        rows = [({"half": world.get("half"), "hand": sorted(world["hand"]), **world["piles"]}, said)
                for world in fit if (said := answer(case.rules, world, plays)) != "undecided"]  # fmt: skip
        wanted = deciding(rows, untold)
        assert asked in wanted, (case.rules, position, plays, asked, wanted)
        sizes[len(asked)] += 1
    soaked(undecided=sizes.total())
    assert sizes[1] > 0, sizes


def deciding(rows: list[tuple[Json, str]], facts: list[Fact]) -> list[set[Fact]]:
    """Every smallest set of facts that decides: wherever these are the same, the verdict is the same."""
    for size in range(1, len(facts) + 1):
        found = []
        for chosen in combinations(facts, size):
            seen: dict[str, str] = {}
            names = [side or fact for fact, side in chosen]
            if all(seen.setdefault(str([values[name] for name in names]), told) == told for values, told in rows):
                found.append(set(chosen))
        if found:
            return found
    return []
