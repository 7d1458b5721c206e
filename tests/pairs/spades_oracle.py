"""Spades on paper: who may call and play what, where everything is known.

A bidding is sound as long as it can still end in contracts that the table allows: what a side can come to is listed,
and every rule about contracts looks at that list alone. Written from the rules, in another style than the judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

from tests.spades.oracle import tricks_of

Json = dict[str, Any]
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
NILS = ("nil", "double_nil", "double_blind_nil")
DEFICIT = {
    "double_nil": "double_nil_deficit", "double_blind_nil": "double_blind_nil_deficit", "blind": "blind_deficit",
    "blind_moon": "blind_moon_deficit",
}  # fmt: skip


# The bidding ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Side:
    """What one side has said: its number, who is nil, a call for the whole side, and who spoke how often."""

    number: int | None = None
    nils: tuple[int, ...] = ()
    whole: str = ""
    spoken: tuple[int, ...] = (0, 0)
    by: int = -1
    """The member whose number of the first round it was, if there was just one."""


class Table:
    """The options that a bidding hangs on, and who sits where."""

    def __init__(self, options: Json, seats: list[str], dealer: str, totals: dict[str, int]) -> None:
        self.options, self.seats, self.dealer = options, seats, dealer
        self.most = tricks_of(options)
        self.partners = options["mode"] in ("partners4", "partners6")
        self.rule = options["bidding_rule"]
        self.method = options["bid_method"] if self.partners else "alone"
        self.rounds = 2 if options["second_round"] else 1
        place = seats.index(dealer)
        clockwise = seats[place + 1 :] + seats[: place + 1]
        first = options["first_bidder"]
        order = [dealer, *clockwise[:-1]] if first == "dealer" else clockwise
        order = clockwise[::2] + clockwise[1::2] if first == "other_side" else order
        self.order = [seat for seat in order if seat != "dummy"]
        half = len(seats) // 2
        pairs = [[seat] for seat in seats if seat != "dummy"]
        pairs = [[seats[n], seats[n + half]] for n in range(half)] if self.partners else pairs
        self.members = [sorted(pair, key=self.order.index) for pair in pairs]
        self.dealers = next(n for n, members in enumerate(self.members) if dealer in members)
        sides = [n for seat in clockwise for n, members in enumerate(self.members) if seat in members]
        self.announced = [*dict.fromkeys(n for n in sides if n != self.dealers), self.dealers]
        scores = [totals["+".join(pair)] for pair in pairs]
        self.behind = [max(s for n, s in enumerate(scores) if n != own) - scores[own] for own in range(len(scores))]
        self.ends = lru_cache(maxsize=None)(self._ends)

    def side_of(self, call: Json) -> int:
        who = call.get("seat") or call["side"].split("+")[0]
        return next(n for n, members in enumerate(self.members) if who in members)

    def states(self, calls: list[Json]) -> list[Side]:
        sides = [Side(spoken=(0,) * len(members)) for members in self.members]
        for call in calls:
            n = self.side_of(call)
            sides[n] = self.said(sides[n], self.member(call), call["call"])
        return sides

    def member(self, call: Json) -> int:
        return self.members[self.side_of(call)].index(call["seat"]) if call.get("seat") else -1

    def said(self, side: Side, member: int, word: int | str) -> Side:
        """The side after a call."""
        first = member < 0 or side.spoken[member] == 0
        spoken = tuple(count + (n == member) for n, count in enumerate(side.spoken))
        side = replace(side, spoken=spoken)
        if word in NILS:
            return replace(side, nils=tuple(sorted((*side.nils, member))))
        if isinstance(word, int):
            adds = self.method == "sum" and first
            return replace(side, number=word + (side.number or 0) if adds else word, by=member if first else side.by)
        if word == "pass":
            return side
        return replace(side, whole=word, number=int(word[6:]) if word[6:].isdigit() else self.most)

    def allows(self, n: int, side: Side, member: int, word: int | str, looked: bool) -> bool:
        """Whether a side could say this, whoever is to call, if only its own calls counted."""
        options, second = self.options, member >= 0 and side.spoken[member] == 1
        kind = "number" if isinstance(word, int) else "blind" if word[6:].isdigit() else word
        if not self.plays(kind):
            return False
        if self.rule == "suicide" and kind in ("number", "nil"):
            taken = side.nils if kind == "nil" else side.number is not None
            if taken or (kind == "number" and int(word) < options["suicide_minimum"]):
                return False
        if kind == "pass":
            return second or (bool(side.whole) and any(side.spoken[m] for m in range(len(side.spoken)) if m != member))
        if side.whole:
            return False
        if kind in DEFICIT:
            needed = self.deficit(kind, word)
            if looked or (needed and self.behind[n] < needed):
                return False
            if kind.startswith("blind") and (any(side.spoken) or side.number is not None or side.nils):
                return False
        if kind == "blind":
            return max(options["blind_bid_min"], options["minimum_bid"]) <= int(str(word)[6:]) <= self.most
        if kind in ("moon", "blind_moon") and side.nils:
            return False
        if second:
            return self.raises(side, member, self.most if kind == "moon" else word)
        if kind == "number":
            low = 0 if options["zero_bid"] and self.rule == "free" else 1
            if self.method == "later_partner" and side.by not in (-1, member) and side.number is not None:
                low = max(low, side.number)
            return low <= int(word) <= self.most
        return True

    def raises(self, side: Side, member: int, word: int | str) -> bool:
        """Whether a member may bring the side's number to this in the second round."""
        if isinstance(word, str) or side.number is None:
            return False
        if member in side.nils and self.method == "sum":
            return False
        moon = self.rule == "free" and self.options["moon"] and self.options["thirteen_is_moon"]
        high = self.most * 2 if self.method == "sum" and not side.nils else self.most
        return side.number < word <= high and not (moon and side.nils and word == self.most)

    def plays(self, kind: str) -> bool:
        options = self.options
        if kind in NILS:
            return bool(options["nil"] and options[kind])
        if kind == "moon" and self.rule != "free":
            return False
        needs = {"blind": "blind_bid", "moon": "moon", "blind_moon": "blind_moon"}.get(kind)
        return needs is None or bool(options[needs])

    def deficit(self, kind: str, word: int | str) -> int:
        kinds = {kind}
        if (
            kind == "blind"
            and word == f"blind_{self.most}"
            and self.options["moon"]
            and self.options["thirteen_is_moon"]
        ):
            kinds |= {"blind_moon"} if self.options["blind_moon"] else set()
        return max(self.options[DEFICIT[one]] or 0 for one in kinds)

    def sound(self, side: Side) -> bool:
        """Whether what a side has said in the end is a contract of this table."""
        moon = (
            self.rule == "free"
            and self.options["moon"]
            and self.options["thirteen_is_moon"]
            and side.number == self.most
        )
        if moon and side.nils and not side.whole:
            return False
        if not self.partners and side.nils:
            return True
        return (side.number or 0) >= self.options["minimum_bid"]

    def _ends(self, n: int, side: Side) -> frozenset[int]:
        """All contracts in which a side can end; no number is 0."""
        found = {side.number or 0} if self.complete(side) and self.sound(side) else set()
        for member, word in self.next_calls(side):
            if self.allows(n, side, member, word, False):
                found |= self.ends(n, self.said(side, member, word))
        return frozenset(found)

    def complete(self, side: Side) -> bool:
        """Whether a side has said all that it must."""
        if self.method == "consultation":
            return side.number is not None or len(side.nils) == 2
        return all(count == self.rounds for count in side.spoken)

    def next_calls(self, side: Side) -> Iterator[tuple[int, int | str]]:
        words: list[int | str] = [*NILS, "pass", "moon", "blind_moon"]
        words += [f"blind_{n}" for n in range(6, self.most + 1)]
        if self.method == "consultation":
            if not self.complete(side):
                yield from ((-1, word) for word in (*range(self.most + 1), *words[4:]))
                yield from ((m, word) for m in (0, 1) if m not in side.nils for word in NILS)
            return
        if not self.complete(side):
            member = side.spoken.index(min(side.spoken))  # members are in the order in which they call
            yield from ((member, word) for word in (*range(2 * self.most + 1), *words))


def may_call(table: Table, calls: list[Json], move: Json, spades: int | None = None) -> bool:
    """Whether a call is in order after those before it; `spades` are those held, where they are what is bid."""
    options, word = table.options, move["call"]
    n = table.side_of(move)
    before = table.states(calls)
    member = table.member(move)
    if table.method == "consultation":
        if not _announces(table, calls, before, n, move):
            return False
    elif move["seat"] not in callers(table, calls):
        return False
    if not table.allows(n, before[n], member, word, bool(move.get("looked"))):
        return False
    if (
        spades is not None
        and (table.rule == "mirror" or isinstance(word, int))
        and spades != (word if word != "nil" else 0)
    ):
        return False
    after = [*before]
    after[n] = table.said(before[n], member, word)
    ends = [table.ends(place, side) for place, side in enumerate(after)]
    forbidden = {table.most} if options["forbid_total_13"] else set()
    forbidden |= {options["forbidden_total"]} - {None}
    return all(ends) and (not forbidden or any(sum(choice) not in forbidden for choice in product(*ends)))


def callers(table: Table, calls: list[Json]) -> list[str]:
    """Who may call: the next in order; somebody whose partner has said everything may be passed over."""
    counts = {seat: sum(call.get("seat") == seat for call in calls) for seat in table.order}
    found: list[str] = []
    for number, seat in product(range(1, table.rounds + 1), table.order):
        if counts[seat] >= number:
            found = []
            continue
        found.append(seat)
        if not _said_for(table, calls, seat):
            return found
    return found


def _said_for(table: Table, calls: list[Json], seat: str) -> bool:
    """Whether the partner of a seat has called for both."""
    whole = {call["seat"] for call in calls if str(call["call"]).startswith(("moon", "blind"))}
    partners = next(members for members in table.members if seat in members)
    return any(other in whole for other in partners if other != seat)


def _announces(table: Table, calls: list[Json], before: list[Side], n: int, move: Json) -> bool:
    """Whether a side may announce now: the dealer's after the other, each its number and its nils once."""
    place = table.announced.index(n)
    if not all(table.complete(before[other]) for other in table.announced[:place]):
        return False
    if table.complete(before[n]) and any(table.side_of(call) in table.announced[place + 1 :] for call in calls):
        return False
    if move["call"] in NILS:
        if move.get("seat") is None or any(call.get("seat") == move["seat"] for call in calls):
            return False
        return not (before[n].number is not None and before[n].nils)
    return not table.complete(before[n])


def over(table: Table, calls: list[Json]) -> bool:
    """Whether nobody has to call any more; a partner of whoever called for the whole side has nothing to say."""
    if table.method == "consultation":
        return all(table.complete(side) for side in table.states(calls))
    return all(_said_for(table, calls, seat) for seat in callers(table, calls))


def wrong_exchange(table: Table, calls: list[Json], move: Json) -> str:
    """The code of what is wrong with cards that partners give each other after these calls; nothing if it is right."""
    if not table.partners:
        return "no-partner"
    numbers = {word: table.options[f"{word}_exchange"] for word in ("nil", "double_nil") if table.plays(word)}
    own = {call["call"] for call in calls if table.side_of(call) == table.side_of(move)}
    numbers = {} if "double_blind_nil" in own else numbers
    if any(numbers.values()) and not over(table, calls):
        return "bidding-not-over"
    count = max((numbers[word] for word in own & numbers.keys()), default=0)
    if not count:
        return "no-exchange"
    if sum(said.number or 0 for said in table.states(calls)) < (table.options["least_total"] or 0):
        return "thrown-in"
    declined = move["counts"] == [0, 0] and not ("double_nil" in own and numbers["double_nil"])
    return "" if declined or move["counts"] == [count, count] else "exchange-count"


# The play ------------------------------------------------------------------------------------------------------------


def removed_club(options: Json) -> set[str]:
    """The two of clubs where it is taken out."""
    three = options["mode"] == "solo3" and options["solo3_deck"] == "remove_2c" and options["deck"] != "jokers_added"
    return {"2C"} if three or options["deck"] == "two_packs" else set()


class Cards:
    """The pack of a table: suits as they are followed, and what beats what."""

    def __init__(self, options: Json) -> None:
        gone = set(options["removed_twos"]) if options["deck"] == "jokers_minus_twos" else set()
        gone |= removed_club(options)
        self.trumps = [*options["promoted_twos"]]
        self.clubs = [rank + "C" for rank in RANKS if rank + "C" not in {*gone, *self.trumps}]

    def suit(self, card: str) -> str:
        return "S" if card in self.trumps or card in ("BJ", "LJ") else card[-1]


def may_play(options: Json, position: Json, move: Json, leader: str | None) -> bool | None:
    """Whether a card may be played; None where it cannot be said who leads."""
    cards, seat, card, hand = Cards(options), move["seat"], move["card"], position["hand"]
    trick, seats = position["trick"], position["seats"]
    asleep = seat == "dummy" or any(
        call["call"] == "double_blind_nil" and call.get("seat") == seat for call in position["calls"]
    )
    clubs_first = position["trick_number"] == 1 and options["first_trick"] != "normal"
    leader = trick[0]["seat"] if trick else leader
    if leader is None or (leader[0] == "?" and leader[1:] != seat):
        return None
    leader = leader.removeprefix("?")
    if "|" in leader:
        if seat not in leader.split("|"):
            return False
        leader = seat
    anyone = clubs_first and options["first_trick"] == "lowest_club"
    if not anyone and seat != seats[(seats.index(leader) + len(trick)) % len(seats)]:
        return False
    if asleep:
        return bool(card == hand[0])
    if clubs_first:
        clubs = [one for one in cards.clubs if one in hand]
        if clubs:
            return bool(card == clubs[0])
        return cards.suit(card) != "S" or all(cards.suit(one) == "S" for one in hand)
    banned = position["trick_number"] == 1 and options["first_trick_spades"] == "forbidden"
    banned = banned and cards.suit(card) == "S" and any(cards.suit(one) != "S" for one in hand)
    if banned and not (trick and cards.suit(trick[0]["card"]) == "S"):
        return False
    if trick:
        led = cards.suit(trick[0]["card"])
        return cards.suit(card) == led or all(cards.suit(one) != led for one in hand)
    if position["trick_number"] == 1 and options["first_leader"] == "club_two" and options["club_two_must_lead"]:
        return bool(card == cards.clubs[0])
    free = options["lead_spades_anytime"] or position["spades_broken"]
    return free or cards.suit(card) != "S" or all(cards.suit(one) == "S" for one in hand)


def first_leader(table: Table, hands: dict[str, list[str]], calls: list[Json]) -> str | None:
    """Who leads to the first trick, or `A|C`; `?` and a seat where only its hand tells; None where nobody can say."""
    options, after = table.options, table.seats.index(table.dealer) + 1
    order = table.seats[after:] + table.seats[:after]
    asleep = {call.get("seat") for call in calls if call["call"] == "double_blind_nil"} | {"dummy"}
    if options["first_trick"] != "normal" or options["first_leader"] == "club_two":
        lowest = Cards(options).clubs[0]
        holder = next((seat for seat, hand in hands.items() if lowest in hand), None)
        return None if holder in (None, *asleep) or options["first_trick"] == "lowest_club" else f"?{holder}"
    if options["first_leader"] == "highest_bidder":
        numbers = [table.said(Side(), -1, call["call"]).number or 0 for call in calls]
        if any(numbers):  # where partners confer, either may be the one
            best = calls[numbers.index(max(numbers))]
            return best.get("seat") or "|".join(table.members[table.side_of(best)])
    if order[0] == "dummy" and not options["dummy_leads"]:
        return order[1]
    return order[0]
