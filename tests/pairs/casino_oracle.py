"""Casino on paper: a turn over a table on which every card is known, what may be demanded of it, what a deal scores.

Written from the rules, in another style than the judge: cards are texts, sets are tried one by one, and the first thing
that is not in order ends the turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, product
from typing import Any

Json = dict[str, Any]
PIPS = {"A": 1, "J": 11, "Q": 12, "K": 13} | {str(number): number for number in range(2, 11)}
SUITS = "SHDC"
COUNTED_BY = ("deck", "court_values", "court_take", "ace_table", "ace_hand", "special_hand_values")
"""Options that say what cards count."""


class Broken(Exception):
    """Something is not in order."""


@dataclass
class Heap:
    """A build: its value, how many sets it has, and who owns it."""

    value: int
    sets: int
    owner: str
    borrowed: bool = False
    """Whether the partner's proven card stands for it, so that its maker need not keep one."""


class Values:
    """What cards count under some options."""

    def __init__(self, options: Json) -> None:
        self.options = options
        self.pack = [rank + suit for rank, pips in PIPS.items() for suit in SUITS if options["deck"] > 40 or pips < 11]
        if options["deck"] == 49:
            self.pack = [card for card in self.pack if card[0] != "2" or card == "2S"]
        self.highest = max(value for card in self.pack for value in self.played(card))

    @classmethod
    def under(cls, options: Json) -> Values:
        """Return the values under some options; those that cards are counted by are few."""
        return _values(**{name: options[name] for name in COUNTED_BY})

    def plain(self, card: str) -> int:
        """Return what a card counts among others; 0 for a court without a number."""
        return 0 if card[0] in "JQK" and self.options["court_values"] == "none" else PIPS[card[:-1]]

    def alone(self, card: str) -> set[int]:
        """Return what a card on the table counts as a set of its own."""
        return {1, 14} if card[0] == "A" and self.options["ace_table"] == "1or14" else {self.plain(card)} - {0}

    def played(self, card: str) -> set[int]:
        """Return what a card from the hand takes."""
        if self.options["special_hand_values"] and card in ("2S", "10D"):
            return {15 if card == "2S" else 16}
        if card[0] == "A":
            return {int(value) for value in self.options["ace_hand"].split("or")}
        return {self.plain(card)} - {0}

    def makes(self, cards: Sequence[str], value: int) -> bool:
        """Return whether these cards are one set of a value."""
        if len(cards) == 1:
            return value in self.alone(cards[0])
        return all(map(self.plain, cards)) and sum(map(self.plain, cards)) == value

    def equal(self, card: str, value: int | None, other: str) -> bool:
        """Return whether a card, played as a value, takes another by itself; without a number its own rank."""
        return other[:-1] == card[:-1] if value is None else value in self.alone(other)

    def takes(self, card: str, value: int | None, loose: Sequence[str], piles: Sequence[tuple[str, str]] = ()) -> bool:
        """Return whether a card takes exactly these, pile cards in the order in which they are named."""
        cards = [*loose, *(f"{place} {name} {one}" for place, (name, one) in enumerate(piles))]
        return self._split(card, value, cards, 0)

    def _split(self, card: str, value: int | None, cards: list[str], equal: int) -> bool:
        if not cards:
            return equal in (0, *self._equals(card))
        # A pile card can go only when those named before it are gone: sets are taken with the first of each pile.
        open_ = [one for n, one in enumerate(cards) if " " not in one or one.split()[1] not in _piles(cards[:n])]
        for first in open_ if open_[0] != cards[0] or any(" " in one for one in cards) else open_[:1]:
            rest = [one for one in open_ if one != first]
            if self.equal(card, value, _name(first)):
                alone = not (value and 0 < self.plain(_name(first)) < value)
                if self._split(card, value, [one for one in cards if one != first], equal + alone):
                    return True
            if value is None or not self.plain(_name(first)):
                continue
            for size in range(1, min(len(rest), value) + 1):
                for some in combinations(rest, size):
                    one = [first, *some]
                    left = [each for each in cards if each not in one]
                    if self.makes([*map(_name, one)], value) and self._split(card, value, left, equal):
                        return True
        return False

    def _equals(self, card: str) -> tuple[int, ...]:
        how = self.options["court_take"] if card[0] in "JQK" else "all"
        return {"one": (1,), "one_or_three": (1, 3), "all": tuple(range(1, 9))}[how]


@cache
def _values(**options: Any) -> Values:
    return Values(options)


def _name(card: str) -> str:
    return card.split()[-1]


def _piles(cards: Iterable[str]) -> set[str]:
    return {card.split()[1] for card in cards if " " in card}


class Turn:
    """One turn as it goes on."""

    def __init__(self, options: Json, position: Json) -> None:
        self.options, self.values = options, Values.under(options)
        self.seats, self.player = position["seats"], position["player"]
        self.paired = len(self.seats) == 4 and position.get("partners", True) and options["partners"] == "opposite"
        self.loose, self.hand = [*position["table"]], [*position["hand"]]
        self.heaps = {one["id"]: Heap(one["value"], len(one["sets"]), one["owner"]) for one in position["builds"]}
        self.piles = {seat: [*pile] for seat, pile in position.get("piles", {}).items()}
        halves = len(self.seats) == 2 and options["two_player_deal"] == "two_halves"
        halves = halves and options["deal"] not in ("fours", "draw")
        self.first_half = halves and position.get("half") == 1
        partner = self.seats[(self.seats.index(self.player) + 2) % 4] if self.paired else None
        proofs = position.get("proven", {})
        kept = partner if options["keep_capturer"] else None  # else the card may have been played since
        standing = {heap.value for heap in self.heaps.values() if kept and heap.owner == kept}
        standing -= set(proofs.get(self.player, ()))
        gone = {*self.loose, *self.hand, *chain(*self.piles.values())}
        gone.update(card for one in position["builds"] for some in one["sets"] for card in some)
        self.proven = ({*proofs.get(partner, ())} | standing) if options["partner_build"] == "proven" else set()
        left = [self.values.played(card) for card in self.values.pack if card not in gone] if self.proven else []
        self.proven = {value for value in self.proven if any(value in values for values in left)}
        self.spent: list[str] = []
        self.trailed: list[str] = []
        self.owed: set[str] = set()
        self.own = {name: heap.value for name, heap in self.heaps.items() if heap.owner == self.player}
        self.holding = [*self.hand]
        self.taken: set[str] = set()
        self.swept = False

    # What several plays ask

    def need(self, fact: object) -> None:
        if not fact:
            raise Broken

    def side(self, seat: str) -> str:
        return str(self.seats[self.seats.index(seat) % 2]) if self.paired else seat

    def theirs(self, heap: Heap) -> bool:
        return self.side(heap.owner) != self.side(self.player)

    def mine(self, but: str = "") -> list[Heap]:
        """Return the builds that the player answers for."""
        return [heap for name, heap in self.heaps.items() if heap.owner == self.player and name != but]

    def spend(self, card: str) -> None:
        self.need(not self.spent and card in self.hand)
        self.hand.remove(card)
        self.spent.append(card)

    def lift(self, cards: Sequence[str]) -> None:
        self.need(len(set(cards)) == len(cards) and set(cards) <= set(self.loose))
        self.loose = [card for card in self.loose if card not in cards]

    def lift_tops(self, piles: Sequence[Json]) -> list[str]:
        """Take tops of opponents' piles, one after another."""
        for one in piles:
            pile = self.piles.get(one["from"])
            self.need(pile and pile[0] == one["card"] and self.side(one["from"]) != self.side(self.player))
            self.piles[one["from"]] = self.piles[one["from"]][1:]
        return [one["card"] for one in piles]

    def held(self, value: int) -> int:
        return sum(value in self.values.played(card) for card in self.hand)

    def enough(self, value: int, but: str = "") -> bool:
        """Return whether the player holds what a build of a value asks for: two aces where 1 and 14 both need one."""
        other = {1: 14, 14: 1}.get(value)
        both = (
            other is not None and self.options["ace_hand"] == "1or14" and any(h.value == other for h in self.mine(but))
        )
        return self.held(value) >= (2 if both else 1)

    def answer(self, heap: Heap, but: str, *, stays: bool = False) -> None:
        """Let somebody answer for a build that was made or changed: the player, or the partner by proof."""
        enough = self.enough(heap.value, but)
        self.need(enough or heap.value in self.proven)
        if heap.value in self.proven and not stays:
            heap.borrowed = True
            if not enough:
                heap.owner = next(
                    seat for seat in self.seats if seat != self.player and self.side(seat) == self.side(self.player)
                )

    def free(self, value: int, but: str = "") -> None:
        taken = any(heap.value == value for name, heap in self.heaps.items() if name != but)
        self.need(self.options["same_value_builds"] == "allowed" or not taken)

    def room(self, but: str = "") -> None:
        """Whoever may have one build only has none yet."""
        limited = self.options["builds_per_player"] == 1 or self.first_half
        self.need(not limited or not self.mine(but))

    # The plays

    def capture(self, play: Json) -> None:
        values, card, table = self.values, play["card"], play.get("table", [])
        before = [*self.loose]
        self.spend(card)
        heaps = [self.heaps.get(name) for name in play.get("builds", ())]
        piles = play.get("piles", [])
        self.need(all(heaps) and (table or heaps or piles))
        self.need(not heaps or self.options["building"] != "none")
        self.lift(table)
        self.need(not piles or self.options["pile_cards"] == "augment_and_capture")
        self.lift_tops(piles)
        declared = play.get("as")
        possible: set[int | None] = {*values.played(card)} or {None}
        if declared is not None:
            self.need(declared in possible)
            possible = {declared}
        self.need(any(self._taken(card, value, table, piles, heaps, before) for value in possible))
        for name in play.get("builds", ()):
            del self.heaps[name]
            self.owed.discard(name)
            self.taken.add(name)
        self.swept = not self.loose and not self.heaps

    def _taken(
        self,
        card: str,
        value: int | None,
        table: list[str],
        piles: list[Json],
        heaps: Sequence[Heap | None],
        before: list[str],
    ) -> bool:
        if any(heap and heap.value != value for heap in heaps):
            return False
        if not self.options["trail_equal"]:
            own = [one for one in before if one[:-1] == card[:-1] and self.values.equal(card, value, one)]
            if not set(own) <= set(table):
                return False
        return self.values.takes(card, value, table, [(one["from"], one["card"]) for one in piles])

    def build(self, play: Json) -> None:
        self.need(self.options["building"] != "none" and not play.get("piles") and not play.get("builds"))
        table, card = play.get("table", []), play.get("card")
        self.lift(table)
        if card:
            self.spend(card)
        self.need(card or self.options["table_only_build"])
        cards = [*table, *([card] if card else [])]
        self.need(table and len(cards) > 1 and self.values.makes(cards, play["value"]))
        self.need(play["value"] <= self.values.highest)
        self.free(play["value"])
        self.room()
        heap = Heap(play["value"], 1, self.player)
        self.answer(heap, "")
        self.heaps[play.get("id") or f"new {len(self.heaps)}"] = heap

    def raise_(self, play: Json) -> None:
        self.need(self.options["building"] != "none" and not play.get("table") and not play.get("piles"))
        heap, card = self.heaps.get(play["build"]), play.get("card")
        self.need(heap and card)
        assert heap
        self.spend(card)
        who = self.options["raise_builds"]
        self.need(heap.sets == 1 and who != "never")
        self.need(who != "opponents" or self.theirs(heap))
        self.need(who != "others" or heap.owner != self.player)
        plain = self.values.plain(card)
        self.need(plain and play["to"] == heap.value + plain and play["to"] <= self.values.highest)
        same = [
            n for n, one in self.heaps.items() if one.value == play["to"] and one is not heap and not self.theirs(one)
        ]
        if self.options["merge_own_value"] and same:
            kept = self.heaps[same[0]]
            self.room(same[0])
            del self.heaps[play["build"]]
            raised = Heap(play["to"], kept.sets + 1, kept.owner)
            self.heaps[same[0]] = raised
            self.answer(raised, same[0])
            return
        self.free(play["to"], play["build"])
        self.room(play["build"])
        raised = Heap(play["to"], 1, self.player)
        self.heaps[play["build"]] = raised
        self.answer(raised, play["build"])

    def augment(self, play: Json) -> None:
        self.need(self.options["building"] != "none")
        swazi, value, base = self.options["building"] == "swazi", play["value"], play["base"]
        own = [one["card"] for one in play["sets"] if "card" in one]
        tops = [pile for one in play["sets"] for pile in one.get("piles", ())]
        heap = self.heaps.get(base["build"]) if "build" in base else None
        self.need(heap if "build" in base else True)
        opposed = heap is not None and swazi and self.theirs(heap)
        self.need(not (opposed and own))
        self.need(own or self.options["table_only_build"] or (swazi and heap is not None))
        if tops:
            self.need(self.options["pile_cards"] != "none")
            self.need(own or opposed or self.options["pile_cards"] == "augment")
        if heap is None:
            self.need(base["table"] not in self.trailed)
            self.lift([base["table"]])
            self.need(value in self.values.alone(base["table"]))
            self.free(value)
            self.room()
        else:
            self.need(heap.value == value)
            if not swazi:  # it becomes the player's
                self.room(base["build"])
        self.need(play["sets"])
        for one in play["sets"]:
            self.need(len({pile["from"] for pile in one.get("piles", ())}) == len(one.get("piles", ())))
            self.lift(one.get("table", []))
            cards = [*one.get("table", []), *self.lift_tops(one.get("piles", []))]
            if "card" in one:
                self.spend(one["card"])
                cards.append(one["card"])
            self.need(self.values.makes(cards, value) and cards)
        name = base.get("build") or play.get("id") or f"new {len(self.heaps)}"
        sets = (heap.sets if heap else 1) + len(play["sets"])
        if opposed:
            assert heap
            self.heaps[name] = Heap(value, sets, heap.owner)
            self.owed.add(name)
            self.need(self.held(value))
            return
        stays = swazi and heap is not None
        extended = Heap(value, sets, heap.owner if stays and heap else self.player)
        self.heaps[name] = extended
        self.answer(extended, name, stays=stays)

    def trail(self, play: Json) -> None:
        card = play["card"]
        self.need(not play.get("table") and not play.get("builds"))
        mine = [heap for heap in self.mine() if self.held(heap.value)]
        self.spend(card)
        self.need(not mine or (self.options["owner_may_trail"] and not self.first_half))
        if not self.options["trail_equal"]:
            values: set[int | None] = {*self.values.played(card)} or {None}
            equal = [
                o for o in self.loose if o[:-1] == card[:-1] and any(self.values.equal(card, v, o) for v in values)
            ]
            self.need(not equal)
        self.need(self.options["trail_capturing"] or not self.can_take(card))
        self.loose.append(card)
        self.trailed.append(card)

    def can_take(self, card: str) -> bool:
        """Return whether a card takes one loose card, some that add up, or a build."""
        worth = self.values.played(card)
        if any(heap.value in worth for heap in self.heaps.values()):
            return True
        if any(self.values.equal(card, value, one) for value in worth or {None} for one in self.loose):
            return True
        some = [self.values.plain(one) for one in self.loose if self.values.plain(one)]
        sums = (
            sum(cards)
            for size in range(2, min(len(some), max(worth, default=0)) + 1)
            for cards in combinations(some, size)
        )
        return any(total in worth for total in sums)

    def met(self) -> bool:
        """Return whether one of the builds that were the player's own has been taken, where one must be."""
        if not self.options["owner_must_take"]:
            return True
        could = {
            name for name, value in self.own.items()
            if any(value in self.values.played(card) for card in self.holding)
        }  # fmt: skip
        return not could or bool(self.own.keys() & self.taken)

    def kept(self) -> bool:
        """Return whether the last card for an own build was not used up for something else."""
        if not self.options["keep_capturer"] or not self.spent:
            return True
        played = self.values.played(self.spent[0])
        won = [self.own[name] for name in self.own.keys() & self.taken]
        return all(
            {1: 14, 14: 1}.get(heap.value) in won
            or heap.borrowed or heap.value not in played or self.enough(heap.value, name)
            for name, heap in self.heaps.items() if heap.owner == self.player
        )  # fmt: skip


def after(options: Json, position: Json, move: Json) -> Json:
    """Return what lies on the table after a turn that is in order, and what is held."""
    turn = Turn(options, position)
    _played(turn, move)
    heaps = sorted((heap.value, heap.sets, heap.owner) for heap in turn.heaps.values())
    return {"table": set(turn.loose), "builds": heaps, "hand": set(turn.hand), "sweep": turn.swept}


def may_turn(options: Json, position: Json, move: Json) -> bool:
    """Return whether a turn is in order."""
    turn = Turn(options, position)
    try:
        _played(turn, move)
    except Broken:
        return False
    return len(turn.spent) == 1 and not turn.owed and turn.kept() and turn.met()


def _played(turn: Turn, move: Json) -> None:
    kinds = {
        "capture": turn.capture,
        "build": turn.build,
        "raise": turn.raise_,
        "augment": turn.augment,
        "trail": turn.trail,
    }
    for play in move["plays"]:
        kinds[play["play"]](play)


# Demands -------------------------------------------------------------------------------------------------------------


def captures(
    options: Json, position: Json, card: str, value: int | None
) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Yield everything that a card can take as a value: loose cards and tops of piles (`P2 9H`), and builds."""
    names = [one["id"] for one in position["builds"]]
    lifted = [[f"{seat} {one}" for one in pile] for seat, pile in position.get("piles", {}).items()]
    for tops in product(*([pile[:depth] for depth in range(len(pile) + 1)] for pile in lifted)):
        for table in _subsets(position["table"]):
            for builds in _subsets(names):
                took = [*table, *chain.from_iterable(tops)]
                move = {"plays": [capture(card, value, took, builds)]}
                if (took or builds) and may_turn(options, position, move):
                    yield frozenset(took), frozenset(builds)


def capture(card: str, value: int | None, took: Iterable[str], builds: Iterable[str]) -> Json:
    """Return a capture as requests write it; each pile's cards in the order in which they are named."""
    piles = [{"from": one.split()[0], "card": one.split()[1]} for one in took if " " in one]
    play = {"play": "capture", "card": card, "table": [one for one in took if " " not in one], "builds": [*builds]}
    return play | ({} if value is None else {"as": value}) | ({"piles": piles} if piles else {})


def _subsets(items: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def may_demand(
    options: Json, position: Json, card: str, value: int | None, table: list[str], builds: list[str]
) -> bool:
    """Return whether an opponent may ask for more than what was taken; nothing taken is a trail."""
    if not options["demand"] or (not table and not builds and not options["demand_on_trail"]):
        return False
    found = list(captures(options, position, card, value))
    if not table and not builds:
        return bool(found)
    took = frozenset(table), frozenset(builds)
    larger = [(t, b) for t, b in found if t >= took[0] and b >= took[1] and (t, b) != took]
    if options["demand_measure"] == "maximum":
        most = max((len(t) for t, _ in found), default=0)
        return len(table) < most or any(b > took[1] for _, b in found)
    return bool(larger)


def may_add(options: Json, position: Json, play: Json) -> set[tuple[str, frozenset[str]]]:
    """Return what may still be added to builds of the player's side after a play, from the table and from piles."""
    turn, found = Turn(options, position), set()
    _played(turn, {"plays": [play]})
    builds = [
        {"id": name, "value": heap.value, "sets": [["?"]] * heap.sets, "owner": heap.owner}
        for name, heap in turn.heaps.items()
    ]
    left = position | {"table": turn.loose, "hand": turn.hand, "builds": builds, "piles": turn.piles}
    tops = [f"{seat} {pile[0]}" for seat, pile in turn.piles.items() if pile]
    for one in builds:
        for some in _subsets([*turn.loose, *tops]) if not turn.theirs(turn.heaps[one["id"]]) else ():
            piles = [{"from": each.split()[0], "card": each.split()[1]} for each in some if " " in each]
            cards = {"table": [each for each in some if " " not in each], "piles": piles}
            added = {"play": "augment", "value": one["value"], "base": {"build": one["id"]}, "sets": [cards]}
            with suppress(Broken):
                _played(Turn(options, left), {"plays": [added]})
                found.add((one["id"], frozenset(some)))
    return found


# Scores --------------------------------------------------------------------------------------------------------------


def points(options: Json, deal: dict[str, Json], *, stopped: bool = False) -> dict[str, int]:
    """Return what each side scores in a deal; in one that a claim has stopped a majority is more than half."""
    found = dict.fromkeys(deal, 0)
    black = options["each_spade_points"]
    jack = options["spade_jack_points"] if options["deck"] > 40 else 0
    weights = ("cards_points", "spades_points", "big_ten_points", "spy_two_points", "spade_ace_points")
    played_out = not stopped or sum(facts["cards"] for facts in deal.values()) == options["deck"]
    winner = shutting_out(options, deal, stopped=stopped)
    if winner is not None:
        found[winner] += sum(options[name] for name in weights) + 4 * options["ace_points"]
        found[winner] += jack + (10 if options["deck"] == 40 else 13) * black
    else:
        for side, facts in deal.items():
            found[side] += options["big_ten_points"] * facts["big_ten"] + options["spy_two_points"] * facts["spy_two"]
            found[side] += options["ace_points"] * facts["aces"] + black * facts["spades"]
            found[side] += jack * facts.get("spade_jack", 0) + options["spade_ace_points"] * facts.get("spade_ace", 0)
            if len(deal) == 2 or options["majorities"] == "always":
                found[side] += _majority(options, deal, side, "cards", stopped=not played_out)
                found[side] += _majority(options, deal, side, "spades", stopped=not played_out)
    least = min(facts["sweeps"] for facts in deal.values()) if options["sweep_cancel"] else 0
    for side, facts in deal.items():
        found[side] += options["sweep"] * (facts["sweeps"] - least)
        found[side] += options["last_capture_points"] * facts["last_capture"] * played_out
    return found


def taken(options: Json, deal: dict[str, Json]) -> dict[str, int]:
    """Return what each side scores as it takes cards: all but what only the end of the deal shows."""
    late = {"cards_points": 0, "last_capture_points": 0, "shutout": False}
    late |= {"spades_points": 0} if options["spades_minimum"] is None else {}
    cancel = options["sweep_cancel"] and min(facts["sweeps"] for facts in deal.values())
    return points(options | late | ({"sweep": 0} if cancel else {}), deal)


def shutting_out(options: Json, deal: dict[str, Json], *, stopped: bool = False) -> str | None:
    """Return the side that shut the other out, which has nothing that scores by itself, nor can take any more."""
    special = {
        side: facts["aces"] + facts["big_ten"] + facts["spy_two"]
        + (facts["spades"] if options["each_spade_points"] else 0)
        + (facts.get("spade_jack", 0) if options["spade_jack_points"] and options["deck"] > 40 else 0)
        for side, facts in deal.items()
    }  # fmt: skip
    whole = 6 + bool(options["spade_jack_points"] and options["deck"] > 40)
    whole += (10 if options["deck"] == 40 else 13) if options["each_spade_points"] else 0
    shut = options["shutout"] and len(deal) == 2 and 0 in special.values()
    shut = shut and (not stopped or whole in special.values())
    return max(special, key=lambda side: special[side]) if shut else None


def after_false_builds(options: Json, points: dict[str, int], wrongs: list[Json]) -> dict[str, int]:
    """Return the points of a deal after what false builds cost that were found later: one each."""
    found, remedy = dict(points), options["false_build_remedy"]
    for one in wrongs:
        if not one["corrected"] and "none" not in (remedy, options["building"]):
            other = [side for side in found if side != one["by"]]
            paid = remedy == "point" and len(other) == 1
            found[other[0] if paid else one["by"]] += 1 if paid else -1
    return found


def _majority(options: Json, deal: dict[str, Json], side: str, item: str, *, stopped: bool) -> int:
    worth, counts = options[f"{item}_points"], [facts[item] for facts in deal.values()]
    own = deal[side][item]
    if item == "spades" and options["spades_minimum"] is not None:
        return int(worth) if own >= options["spades_minimum"] else 0
    whole = options["deck"] if item == "cards" else 10 if options["deck"] == 40 else 13
    if own < max(counts) or (stopped and 2 * own <= whole):
        return 0
    shares = counts.count(own)
    if shares == 1:
        return int(worth)
    return worth // shares if options[f"{item}_tie"] == "split" and worth % shares == 0 else 0


def winners(
    options: Json, totals: dict[str, int], *, target: int | None = None, claim: str | None = None,
    first: str | None = None,
) -> list[str]:  # fmt: skip
    """Return who has won after a deal; nobody while the game goes on. Without a target the totals are of that deal.

    `target` is the one in force; `claim` who claimed it, `first` who was there first of several.
    """
    best, target = max(totals.values()), target or options["target"]
    if target is not None and claim is not None:
        others = {side: total for side, total in totals.items() if side != claim}
        won = [side for side, total in others.items() if total == max(others.values())]
        return [claim] if totals[claim] >= target else won
    if target is not None and best < target:
        return []
    there = [side for side, total in totals.items() if target is not None and total >= target]
    if len(there) > 1 and options["ending"] == "claim":
        return []
    if len(there) > 1 and first is not None:
        return [first]
    leading = [side for side, total in totals.items() if total == best]
    return leading if len(leading) == 1 or options["final_tie"] == "draw" else []


def may_cut_again(options: Json, cards: list[str]) -> bool:
    """Return whether four first cards are rich enough to be drawn again: three points, or three courts."""
    worth = {"10D": options["big_ten_points"], "2S": options["spy_two_points"], "AS": options["spade_ace_points"]}
    worth |= {"JS": options["spade_jack_points"]}
    points = sum(worth.get(card, 0) + options["each_spade_points"] * (card[-1] == "S") for card in cards)
    points += options["ace_points"] * sum(card[0] == "A" for card in cards)
    courts = sum(card[0] in "JQK" for card in cards)
    return bool(options["recut"]) and options["deal"] == "cut_four" and (points >= 3 or courts >= 3)


def margins(options: Json, totals: dict[str, int], won: list[str]) -> dict[str, int]:
    """Return what each loser pays the one winner, twice where it has not come half the way."""
    if options["margin"] == "none" or len(won) != 1 or options["target"] is None:
        return {}
    twice = options["margin"] == "difference_doubled"
    return {
        side: (totals[won[0]] - total) * (2 if twice and total < options["target"] / 2 else 1)
        for side, total in totals.items() if side not in won
    }  # fmt: skip


def counted_out(options: Json, before: dict[str, int], deal: dict[str, Json], reached: list[str]) -> str | None:
    """Return who of some sides reaches the target first, item by item; None where nobody is ahead at the end."""
    now, tied = dict(before), list[str]()

    def one(item: str, *names: str) -> dict[str, int]:
        nothing = {
            side: facts | dict.fromkeys(("spades", "sweeps", "aces"), 0) | {"cards": 0} for side, facts in deal.items()
        }
        for side, facts in nothing.items():
            facts |= dict.fromkeys(("big_ten", "spy_two", "spade_ace", "spade_jack", "last_capture"), False)
            facts |= {name: deal[side].get(name, 0) for name in names}
        bare = options | {"shutout": False}
        if item != "cards":
            bare |= {"cards_points": 0}
        if item != "spades":
            bare |= {"spades_points": 0}
        return points(bare, nothing)

    steps = [one("cards", "cards"), one("spades", "spades", "spade_jack"), one("10", "big_ten"), one("2", "spy_two")]
    for suit in SUITS[:1] + "CHD":
        extra = options["spade_ace_points"] if suit == "S" else 0
        steps.append({s: (options["ace_points"] + extra) * (suit in facts["suits"]) for s, facts in deal.items()})
    steps += [one("sweeps", "sweeps"), one("rest", "last_capture")]
    whole = points(options, deal)
    if shutting_out(options, deal):  # all of it comes last
        sweeps, last = steps[-2:]
        steps = [sweeps, last, {side: whole[side] - sweeps[side] - last[side] for side in deal}]
    for step in steps:
        now = {side: total + step[side] for side, total in now.items()}
        there = [side for side in reached if now[side] >= options["target"]]
        if there and not tied:
            tied = [side for side in there if before[side] == max(before[one] for one in there)]
        tied = [side for side in tied if now[side] == max(now[one] for one in tied)]
        if len(tied) == 1:
            return tied[0]
    return None
