"""Check witnesses of Casino: a naive judge of whole turns with a pack, values and a deal of its own.

It is written against the articles and reads plain JSON. Of a turn it says in which distributions of the hidden cards
the turn is wrong; what is counted then is the engine's `checking`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from companion.engine.cards import read_card
from companion.engine.checking import Bound, Case, Formula, Room, accepts, every, opposite, some, spelt
from companion.engine.problems import Node
from companion.games.casino.rules import OPTIONS, CasinoRules

_RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_CARDS: Final = ("absorb", "card", "hand", "piles", "sets", "table")
_ELSEWHERE, _STOCK = "elsewhere", "stock"
_Json = Mapping[str, Any]


def verify(request: _Json, verdict: str, witness: _Json) -> bool | None:
    """Return whether a witness proves the verdict on a turn; None for moves that are no turns."""
    if request["move"].get("type") != "turn":
        return None
    turn = _Turn(request)
    if verdict == "impossible":
        return turn.contradicts(request["position"])
    case, given = (
        turn.case(),
        {"legal": witness.get("legal") or witness.get("world"), "illegal": witness.get("illegal")},
    )
    worlds = {name: (case, turn.places(case, world)) for name, world in given.items() if world}
    return accepts([case], verdict, worlds, [frozenset(step["facts"]["cards"]) for step in witness.get("chain", ())])


def cases(request: _Json) -> tuple[Case, ...] | None:
    """Return where a turn is wrong, and what is known of hidden cards; None for moves that are no turns."""
    return (_Turn(request).case(),) if request["move"].get("type") == "turn" else None


class _Wrong(Exception):
    """The turn is wrong whatever the hidden cards are."""


@dataclass(eq=False)
class _Build:
    """A build on the table; `mine` says where the player answers for it, `lent` that the partner's card stands in."""

    value: int
    sets: list[list[str]]
    mine: Formula = True
    own: bool = True
    lent: bool = False

    @property
    def cards(self) -> list[str]:
        return [card for one in self.sets for card in one]


class _Turn:
    """A turn as its plays are made one after the other; the first fault that nothing hidden can help ends it."""

    def __init__(self, request: _Json) -> None:
        position, move = (
            spelt(request[part], _CARDS, lambda text: str(read_card(text))) for part in ("position", "move")
        )
        self.rules: CasinoRules = OPTIONS.read(Node(request.get("rules", {}))).options
        ranks, gone = _RANKS[: 10 if self.rules.deck == 40 else 13], ("2H", "2D", "2C") if self.rules.deck == 49 else ()
        self.pack = [rank + suit for rank in ranks for suit in "SHDC" if rank + suit not in gone]
        self.seats, self.player, self.half = position["seats"], position["player"], position.get("half")
        self.stock: int = (position.get("stock") or 0) if self.rules.deal == "draw" else 0
        self.paired = len(self.seats) == 4 and position.get("partners", True) and self.rules.partners == "opposite"
        self.mate = self.seats[(self.seats.index(self.player) + 2) % 4] if self.paired else None
        self.loose: list[str] = list(position.get("table", ()))
        self.builds = {
            one["id"]: _Build(
                one["value"], [*one["sets"]], one["owner"] == self.player, one["owner"] in (self.player, self.mate)
            )
            for one in position.get("builds", ())
        }
        self.piles = {self.side(seat): list(pile) for seat, pile in position.get("piles", {}).items()}
        self.hand = None if position.get("hand") is None else list(position["hand"])
        self.top_only = {side for side, pile in self.piles.items() if len(pile) == 1}  # the rest of it is not known
        self.plays, self.to_move = move["plays"], move.get("player") in (None, self.player)
        laid = [self.loose, *(one.cards for one in self.builds.values()), *self.piles.values()]
        self.open = {card for cards in laid for card in cards}
        self.proofs = [(seat, value) for seat, values in position.get("proven", {}).items() for value in values]
        self.proven = self._proven(position)
        self.hidden = Counter(self.pack) - Counter(self.open) - Counter(self.hand or ())
        self.wrong: list[Formula] = []
        parts = [part for play in self.plays for part in (play, *play.get("sets", ()))]
        self.coming = [part["card"] for part in parts if part.get("card")]
        self.played, self.trailed = list[str](), list[str]()
        self.due, self.won = [one for one in self.builds.values() if one.mine], list[_Build]()
        self.names, self.owed, self.tops = dict[str, str](), set[str](), Counter[str]()

    def case(self, *, moved: bool = True) -> Case:
        """Return where the turn is wrong, and what is known of hidden cards, by the cards that it shows, too."""
        try:
            wrong = self._judge()
        except _Wrong:
            wrong = True
        unknown = [seat for seat in self.seats if seat != self.player or self.hand is None]
        rooms = {f"hand {seat}": Room(int(seat == self.player), self.deal()[0]) for seat in unknown}
        rooms |= {f"pile {side} {depth}": Room(0, 1) for side, count in self.tops.items() for depth in range(count)}
        known: list[Formula] = []
        if self._halves() and self.half != 2:
            later = 2 * self.deal()[1]
            rooms[_STOCK] = Room(later if self.half else 0, later)
            sizes = (("least", later), ("most", 0))
            known.append(some(*(Bound(way, _STOCK, frozenset(self.pack), size) for way, size in sizes)))
        if self.hand is None and moved:
            shown = [card for card in self.played if self.hidden[card]]
            known += [Bound("least", f"hand {self.player}", frozenset((card,)), 1) for card in shown]
        proofs = [(seat, value) for seat, value in self.proofs if seat in unknown]
        known += [Bound("least", f"hand {seat}", self.capturers(value), 1) for seat, value in proofs]
        return Case(self.hidden, {**rooms, _ELSEWHERE: Room(self.stock, self.rules.deck)}, wrong, every(*known))

    def contradicts(self, position: _Json) -> bool:
        """Whether no deal has all that is given of the table."""
        builds = self.builds.values()
        laid = [*self.loose, *(self.hand or ()), *(card for pile in self.piles.values() for card in pile)]
        laid += [card for one in builds for card in one.cards]
        return (
            len({*laid}) < len(laid)
            or len(self.piles) < len(position.get("piles", {}))
            or not {*self.pack}.issuperset(laid)
            or len(self.hand or ()) > max(self.deal())
            or self.stock > max(len(self.pack) - 4 - 4 * len(self.seats), 0)
            or any(self._cannot_hold(seat, self.capturers(value)) for seat, value in self.proofs)
            or any(not self.is_set(cards, one.value) for one in builds for cards in one.sets)
            or self.case(moved=False).nowhere()
        )

    def _cannot_hold(self, seat: str, fit: frozenset[str]) -> bool:
        """Whether a seat cannot hold any of these cards, by what is open and by the hand of the player."""
        if self.hand is None:
            return fit <= self.open
        return fit <= self.open | set(self.hand) if seat != self.player else not fit & set(self.hand)

    def places(self, case: Case, world: _Json) -> dict[str, Sequence[str]]:
        """Return the hidden cards of a world by place; what it does not name lies elsewhere."""
        named = {f"hand {seat}": list(cards) for seat, cards in world.get("hands", {}).items()}
        if self.hand is None:
            named.setdefault(f"hand {self.player}", []).extend(card for card in self.played if case.hidden[card])
        for side, cards in world.get("piles", {}).items():
            named |= {f"pile {side} {depth}": [card] for depth, card in enumerate(cards)}
        named[_STOCK] = list(world.get(_STOCK, ()))
        rest = case.hidden - Counter(card for cards in named.values() for card in cards)
        return {**{place: cards for place, cards in named.items() if cards}, _ELSEWHERE: list(rest.elements())}

    # What cards count, the deal, who is whose partner -----------------------------------------------------------------

    def pips(self, card: str) -> int:
        return _RANKS.index(card[:-1]) + 1

    def court(self, card: str) -> bool:
        return self.rules.court_values == "none" and card[:-1] in ("J", "Q", "K")

    def takes(self, card: str) -> tuple[int, ...]:
        """What a card captures as, from the hand."""
        if self.rules.special_hand_values and card in ("2S", "10D"):
            return (15,) if card == "2S" else (16,)
        if card[0] == "A":
            return {"1": (1,), "14": (14,), "1or14": (1, 14)}[self.rules.ace_hand]
        return () if self.court(card) else (self.pips(card),)

    def alone(self, card: str) -> tuple[int, ...]:
        """What a card is worth as a set of its own on the table."""
        if card[0] == "A" and self.rules.ace_table == "1or14":
            return (1, 14)
        return () if self.court(card) else (self.pips(card),)

    def is_set(self, cards: Sequence[str], value: int) -> bool:
        if not cards or any(self.court(card) for card in cards):
            return False
        return value in self.alone(cards[0]) if len(cards) == 1 else sum(map(self.pips, cards)) == value

    def capturers(self, value: int) -> frozenset[str]:
        return frozenset(card for card in self.pack if value in self.takes(card))

    def side(self, seat: str) -> str:
        return self.seats[self.seats.index(seat) % 2] if self.paired else seat

    def deal(self) -> tuple[int, int]:
        """The cards that a player gets in the first and in the second round of dealing."""
        rules, players = self.rules, len(self.seats)
        if rules.deck == 49 or rules.deal == "draw":
            return (5 if rules.deck == 49 else 4), 4
        each = (rules.deck - (rules.deck % players if rules.deal == "south_african" else 4)) // players
        if rules.deal == "fours":
            return min(4, each), 4
        return (each - each // 2, each // 2) if self._halves() else (each, 0)

    def _halves(self) -> bool:
        cut = self.rules.deal not in ("fours", "draw")
        return len(self.seats) == 2 and self.rules.two_player_deal == "two_halves" and cut

    def _proven(self, position: _Json) -> set[int]:
        """Values that the partner is proven to hold (CASINO-803 to 805)."""
        if self.mate is None or self.rules.partner_build != "proven":
            return set()
        proven = {seat: set(values) for seat, values in position.get("proven", {}).items()}
        kept = position.get("builds", ()) if self.rules.keep_capturer else ()
        standing = {one["value"] for one in kept if one["owner"] == self.mate} - proven.get(self.player, set())
        elsewhere = self.open.union(self.hand or ())
        return {value for value in proven.get(self.mate, set()) | standing if self.capturers(value) - elsewhere}

    # The plays -------------------------------------------------------------------------------------------------------

    def _judge(self) -> Formula:
        self.need(self.to_move)
        for play in self.plays:
            self.need(self.rules.building != "none" or play["play"] in ("capture", "trail"))
            declared, card = play.get("as"), play.get("card")
            if declared is not None and card and play["play"] != "capture":
                self.need(declared in (*self.alone(card), *(() if self.court(card) else (self.pips(card),))))
            getattr(self, "_" + play["play"])(play)
        self.need(len(self.played) == 1 and not self.owed)
        if self.rules.owner_must_take and not any(one in self.won for one in self.due):
            self.wrong += [self._held(one, self.played[0]) for one in self.due]
        if self.rules.keep_capturer and self.rules.building != "none":
            for build in self.builds.values():
                other = {1: 14, 14: 1}.get(build.value)
                if any(one.value == other and one in self.won for one in self.due):
                    continue
                if build.value in self.takes(self.played[0]) and not (build.lent and build.value in self.proven):
                    self.wrong.append(every(build.mine, opposite(self._enough(build.value))))
        return some(*self.wrong)

    def need(self, fact: bool) -> None:
        if not fact:
            raise _Wrong

    def play_card(self, card: str) -> None:
        self.need(not self.played and card in self.pack and card not in self.open)
        self.need(self.hand is None or card in self.hand)
        self.played.append(card)
        if self.hand is not None:
            self.hand.remove(card)
        self.open.add(card)

    def take_loose(self, cards: Iterable[str]) -> None:
        for card in cards:
            self.need(card in self.loose)
            self.loose.remove(card)

    def take_tops(self, piles: Iterable[_Json], *, one_each: bool = True) -> list[str]:
        """Take top cards of opponents' piles; where a pile is hidden, the turn is wrong if another card is there."""
        used: list[str] = []
        for each in piles:
            side, card = self.side(each["from"]), each["card"]
            self.need(side != self.side(self.player) and not (one_each and side in used))
            used.append(side)
            if side in self.piles and (self.piles[side] or side not in self.top_only):
                self.need(bool(self.piles[side]) and self.piles[side].pop(0) == card)
                continue
            self.need(card in self.pack and card not in self.open and card not in (self.hand or ()))
            self.wrong.append(Bound("most", f"pile {side} {self.tops[side]}", frozenset((card,)), 0))
            self.tops[side] += 1
            self.open.add(card)
        return [each["card"] for each in piles]

    def groups(self, play: _Json) -> list[_Json]:
        given = (*play.get("sets", ()), play)
        return [one for one in given if any(one.get(key) for key in ("table", "card", "piles", "builds"))]

    def take_sets(self, play: _Json, *, piles: bool) -> list[list[str]]:
        """Take the announced sets from where they are; each must make the value."""
        sets = []
        for group in self.groups(play):
            self.need(not group.get("builds") and (piles or not group.get("piles")))
            tops = self.take_tops(group.get("piles", ()))
            self.take_loose(group.get("table", ()))
            if group.get("card"):
                self.play_card(group["card"])
            sets.append([*group.get("table", ()), *([group["card"]] if group.get("card") else []), *tops])
            self.need(self.is_set(sets[-1], play["value"]))
        return sets

    def free(self, value: int, besides: _Build | None = None) -> None:
        """No two builds have the same value (CASINO-107)."""
        same = any(one.value == value and one is not besides for one in self.builds.values())
        self.need(self.rules.same_value_builds == "allowed" or not same)

    def owns(self, besides: Sequence[_Build | None] = (), trailed: str = "") -> Formula:
        """Where the player answers for a build; for a trail, if he held a card for it."""
        own = [one for one in self.builds.values() if one not in besides]
        return some(*(every(one.mine, not trailed or self._held(one, trailed)) for one in own))

    def _held(self, build: _Build, played: str) -> Formula:
        """Where the player held a card for a build before playing one; a false build may stand."""
        return played in self.capturers(build.value) or self.holds(build.value)

    def first_half(self) -> Formula:
        if not self._halves() or self.half == 2:
            return False
        return True if self.half == 1 else Bound("least", _STOCK, frozenset(self.pack), 1)

    def limit(self, *besides: _Build | None) -> None:
        """A player has one build, always or in the first half (SAF-104, CASINO-008)."""
        self.wrong.append(every(self.owns(besides), True if self.rules.builds_per_player == 1 else self.first_half()))

    def holds(self, value: int, count: int = 1, seat: str = "") -> Formula:
        """Where a seat holds so many cards that capture the value, beside those that it has played."""
        fit = self.capturers(value)
        if seat in ("", self.player):
            if self.hand is not None:
                return len(fit & set(self.hand)) >= count
            still = [card for card in self.coming if card not in self.played and card in fit]
            count, fit = count - len(still), fit - set(self.played) - set(still)
        return count <= 0 or Bound("least", f"hand {seat or self.player}", fit, count)

    def _enough(self, value: int, besides: _Build | None = None) -> Formula:
        """Where the player holds a card for a build; two aces where own builds of 1 and of 14 both need one."""
        other = {1: 14, 14: 1}.get(value, 0)
        if not self.capturers(value) & self.capturers(other):
            return self.holds(value)
        both = some(*(one.mine for one in self.builds.values() if one.value == other and one is not besides))
        return every(self.holds(value), some(opposite(both), self.holds(value, 2)))

    def answer(self, build: _Build, play: _Json, *, changed: bool = True) -> None:
        """The player must hold the card for a build, or the partner be proven to (CASINO-502, 803, 807)."""
        asker = play.get("asked_by")
        if asker is not None:
            self.need(asker == self.mate and build.own)
            if build.value not in self.proven:
                self.wrong.append(opposite(self.holds(build.value, seat=asker)))
            build.mine = False
            return
        enough = self._enough(build.value, build)
        if build.value not in self.proven:
            self.wrong.append(opposite(enough))
        elif changed and self.mate is not None:
            build.mine, build.lent = enough, True

    def find(self, name: str) -> _Build:
        name = self.names.get(name, name)
        self.need(name in self.builds)
        return self.builds[name]

    def _trail(self, play: _Json) -> None:
        card = play.get("card") or ""
        self.need(bool(card) and not any(play.get(key) for key in ("table", "piles", "builds")))
        self.play_card(card)
        when = self.first_half() if self.rules.owner_may_trail else True
        self.wrong.append(every(self.owns(trailed=card), when))
        if not self.rules.trail_equal:
            worth = self.takes(card) or (0,)
            self.need(not any(self.equal(card, value, one) for one in self.loose for value in worth))
        if not self.rules.trail_capturing:
            self.need(not any(self._can_take(card, value) for value in self.takes(card) or (0,)))
        self.loose.append(card)
        self.trailed.append(card)

    def _can_take(self, card: str, value: int) -> bool:
        """Whether a card takes anything: an equal card, loose cards that come to its value, or a build (BKC-005)."""
        sums = {0}
        for one in self.loose:
            if not self.court(one) and self.pips(one) < value:
                sums |= {total + self.pips(one) for total in sums}
        built = any(one.value == value for one in self.builds.values())
        return built or any(self.equal(card, value, one) for one in self.loose) or (value > 0 and value in sums)

    def equal(self, card: str, value: int, one: str) -> bool:
        return one[:-1] == card[:-1] if self.court(card) else value in self.alone(one)

    def _capture(self, play: _Json) -> None:
        card, table, piles = play.get("card") or "", play.get("table", ()), play.get("piles", ())
        self.need(bool(card))
        self.play_card(card)
        builds = [self.find(name) for name in dict.fromkeys(play.get("builds", ()))]
        self.need(not builds or self.rules.building != "none")
        self.need(bool(table or piles or builds) and (not piles or self.rules.pile_cards == "augment_and_capture"))
        before = list(self.loose)
        self.take_loose(table)
        self.take_tops(piles, one_each=False)
        queues: dict[str, list[str]] = {}
        for each in piles:
            queues.setdefault(self.side(each["from"]), []).append(each["card"])
        sets = [value for value in self.takes(card) or (0,) if play.get("as") in ((None, value) if value else (None,))]
        worth = [value for value in sets if all(one.value == value for one in builds)]
        self.need(any(self._takes_all(card, value, table, [*queues.values()], before) for value in worth))
        self.won += builds
        self.builds = {name: one for name, one in self.builds.items() if one not in builds}
        self.owed &= self.builds.keys()
        if self.side(self.player) in self.piles:
            self.piles[self.side(self.player)].insert(0, card)

    def _takes_all(
        self, card: str, value: int, table: Sequence[str], queues: list[list[str]], before: list[str]
    ) -> bool:
        if not self._split(card, value, list(table), queues):
            return False
        taken = [*table, *(one for queue in queues for one in queue)]
        courts = sum(self.equal(card, value, one) for one in taken) if card[:-1] in ("J", "Q", "K") else 0
        if courts and courts not in {"one": (1,), "all": (1, 2, 3, 4), "one_or_three": (1, 3)}[self.rules.court_take]:
            return False
        return self.rules.trail_equal or not any(self.equal(card, value, one) and one not in table for one in before)

    def _split(self, card: str, value: int, table: list[str], queues: list[list[str]]) -> bool:
        """Whether cards form sets that the card takes, each with at most one card of a pile, taken from its top."""
        queues = [queue for queue in queues if queue]
        first = [queue[0] for queue in queues] or table[:1]
        rest = [one for one in (*(queue[0] for queue in queues), *table) if not self.court(one)]
        for one in first:
            if self.equal(card, value, one) and self._split(card, value, *_without((one,), table, queues)):
                return True
            others = [each for each in rest if each != one and self.pips(one) + self.pips(each) <= value]
            for size in range(1, len(others) + 1) if not self.court(one) and value else ():
                for some_cards in combinations(others, size):
                    whole = (one, *some_cards)
                    makes = sum(map(self.pips, whole)) == value
                    if makes and self._split(card, value, *_without(whole, table, queues)):
                        return True
        return not first

    def _build(self, play: _Json) -> None:
        value, groups = play["value"], self.groups(play)
        self.need(self.rules.table_only_build or any(group.get("card") for group in groups))
        several = self.rules.building == "standard" and any(not group.get("piles") for group in groups)
        piles = several and len(groups) > 1 and self.rules.pile_cards != "none"
        own = any(group.get("card") for group in groups) or self.rules.pile_cards != "augment_and_capture"
        self.need(own or not any(group.get("piles") for group in groups))
        sets = self.take_sets(play, piles=piles)
        self.need(sum(map(len, sets)) > 1 and any(group.get("table") for group in groups))
        self.need(bool(self.capturers(value)))
        self.free(value)
        self.limit()
        build = _Build(value, sets)
        self.answer(build, play)
        self.builds[play.get("id") or f"new {len(self.builds)}"] = build

    def _raise(self, play: _Json) -> None:
        card, value, rules = play.get("card") or "", play["to"], self.rules
        self.need(bool(card) and not any(play.get(key) for key in ("table", "piles", "builds")))
        self.play_card(card)
        for cards in play.get("absorb", ()):
            self.take_loose(cards)
            self.need(self.is_set(cards, value))
        build = self.find(play["build"])
        self.need(len(build.sets) == 1 and rules.raise_builds != "never")
        self.need(not (rules.raise_builds == "opponents" and build.own))
        if rules.raise_builds == "others":
            self.wrong.append(build.mine)
        self.need(not self.court(card) and value == build.value + self.pips(card) and bool(self.capturers(value)))
        same = [one for one in self.builds.values() if one.value == value and one is not build and one.own]
        into = same[0] if rules.merge_own_value and same else None
        if into is None:
            self.free(value, build)
        self.limit(build, into)
        sets = [[*build.cards, card], *play.get("absorb", ())]
        name = next(name for name, one in self.builds.items() if one is build)
        new = _Build(value, sets)
        if into is not None:
            del self.builds[name]
            name = next(key for key, one in self.builds.items() if one is into)
            self.names[play["build"]] = name
            new = _Build(value, [*into.sets, *sets], into.mine)
        self.builds[name] = new
        self.answer(new, play)
        if play.get("id"):
            self.names[play["id"]] = name

    def _augment(self, play: _Json) -> None:
        value, base, rules = play["value"], play["base"], self.rules
        swazi, fresh, groups = rules.building == "swazi", "build" not in base, self.groups(play)
        self.need("hand" not in base and "pile" not in base)
        own = any(group.get("card") for group in groups)
        old = None if fresh else self.find(base["build"])
        foreign = old is not None and swazi and not old.own
        self.need(not (foreign and own) and bool(groups))
        self.need(own or rules.table_only_build or (swazi and not fresh))
        used = any(group.get("piles") for group in groups)
        self.need(not (used and not own and not foreign and rules.pile_cards == "augment_and_capture"))
        if old is None:
            card = base["table"]
            self.need(card not in self.trailed)
            self.take_loose((card,))
            self.need(value in self.alone(card))
            self.free(value)
            self.limit()
        else:
            self.need(old.value == value)
            if not swazi:
                self.limit(old)
        sets = self.take_sets(play, piles=rules.pile_cards != "none")
        if old is None:
            new = _Build(value, [[base["table"]], *sets])
            self.builds[play.get("id") or f"new {len(self.builds)}"] = new
        else:
            new = old
            old.sets += sets
            name = next(name for name, one in self.builds.items() if one is old)
            if play.get("id"):
                self.names[play["id"]] = name
            if not swazi:
                old.mine, old.own = True, True
        if foreign:
            self.owed.add(name)
            if self.hand is not None:
                self.wrong.append(opposite(self.holds(value)))
        else:
            self.answer(new, play, changed=fresh or not swazi)


def _without(cards: Sequence[str], table: list[str], queues: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    left = [queue[1:] if queue[0] in cards else queue for queue in queues]
    return [card for card in table if card not in cards], left
