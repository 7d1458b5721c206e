"""Checks witnesses of verdicts on cards: a second judge, which shares nothing with the first but the house rules.

Rules are formulas about four places: the mover's hidden cards (`hand`), those of the others, dead cards, and cards of
earlier tricks that nobody named. A world is given by its cards; a proof has one inequality for each way out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Final

from companion.engine.cards import read_card
from companion.engine.checking import LEAST, Bound, Case, Formula, Room, World, accepts, every, opposite, some
from companion.engine.problems import JsonObject, Node
from companion.games.spades.rules import OPTIONS, SpadesRules

_RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_MOON: Final = ("moon", "blind_moon")

_Cards = frozenset[str]
_Calls = tuple[tuple[str | None, str | None, object], ...]
"""Seat, side and call of each."""


def _least(place: str, cards: Collection[str], count: int = 1) -> Formula:
    return Bound(LEAST, place, frozenset(cards), count)


@dataclass(frozen=True)
class _Situation:
    """A request, with the facts of the table of one case: trick number, dealer and calls."""

    rules: SpadesRules
    seats: tuple[str, ...]
    trick: tuple[tuple[str, str], ...]
    seat: str
    card: str
    hand: _Cards | None
    top: str | None
    played: _Cards
    broken: bool | None
    leader: str | None
    bidding: bool
    number: int | None
    dealer: str | None
    calls: _Calls | None
    pack: _Cards
    trumps: tuple[str, ...]
    hidden: _Cards
    """Cards of which nobody says where they are."""

    def suit(self, card: str) -> str:
        """The suit for play."""
        return "S" if card in self.trumps else card[-1]

    def of_suit(self, suit: str) -> list[str]:
        """The cards of a suit of plain cards, the lowest first."""
        if suit == "S":
            return list(self.trumps)
        return [card for card in (f"{rank}{suit}" for rank in _RANKS) if card in self.pack and card not in self.trumps]

    @property
    def seen(self) -> _Cards:
        """Cards on the table and named cards of earlier tricks."""
        return self.played | {card for _, card in self.trick}

    @property
    def own(self) -> _Cards:
        """The card to be played, where it comes from an unknown hand."""
        return frozenset({self.card}) & self.pack - self.seen if self.hand is None else frozenset()

    def left(self, seat: str) -> int:
        """Cards that a seat holds before this move."""
        return self.rules.tricks - (self.number or 1) + 1 - [each for each, _ in self.trick].count(seat)

    @property
    def sizes(self) -> dict[str, int]:
        """How many hidden cards each place holds; cards that a given hand leaves out count among the others."""
        held = self.left(self.seat)
        hand = 0 if self.hand is not None else held - len(self.own)
        out = held - len(self.hand) if self.hand is not None else 0
        others = sum(self.left(seat) for seat in self.seats if seat != self.seat)
        earlier = ((self.number or 1) - 1) * len(self.seats) - len(self.played)
        dead = len(self.pack) - self.rules.tricks * len(self.seats)
        return {"hand": hand, "others": others + out if out >= 0 else -1, "dead": dead, "earlier": earlier}

    @property
    def exempt(self) -> bool:
        """Whether the mover plays unseen cards from the top."""
        called = [(seat, call) for seat, _, call in self.calls or ()]
        return self.seat == "dummy" or (self.seat, "double_blind_nil") in called

    def after(self, seat: str) -> tuple[str, ...]:
        """All seats from the left of one."""
        at = self.seats.index(seat) + 1
        return self.seats[at:] + self.seats[:at]

    def holds(self, cards: Collection[str]) -> Formula:
        """Return the formula that the mover holds one of these cards beside the one played."""
        if self.hand is not None:
            return bool((self.hand - {self.card}).intersection(cards))
        return self.sizes["hand"] > 0 and _least("hand", cards)

    def conditions(self) -> Formula:
        """Return what the flag of broken spades says of the hidden cards."""
        shown = self.seen if self.broken else self.played
        if self.broken is None or shown.intersection(self.trumps):
            return self.broken is not False
        earlier = _least("earlier", self.trumps)
        return earlier if self.broken else opposite(earlier)

    def case(self) -> Case:
        """Return where the card is wrong in this case."""
        rooms = {place: Room(size, size) for place, size in self.sizes.items()}
        return Case(Counter(self.hidden), rooms, some(*_broken(self)), self.conditions())

    def cases(self) -> Iterator[_Situation]:
        """Yield the request with each value that its open facts can have."""
        numbers = range(1, self.rules.tricks + 1) if self.number is None else (self.number,)
        for number in numbers:
            at = replace(self, number=number)
            for dealer in at.dealers() if at.opening and at.rules.first_leader != "club_two" else (at.dealer,):
                for calls in (*at.biddings(), *self.asleep()):
                    case = replace(at, dealer=dealer, calls=calls)
                    if case.possible(self.calls):
                        yield case

    @property
    def opening(self) -> bool:
        """Whether this is the first lead of the deal, and no card says who leads."""
        return self.number == 1 and not self.trick and self.rules.first_trick == "normal"

    def possible(self, calls: _Calls | None) -> bool:
        """Return whether the sizes can be, and the leader can have led to a first trick."""
        if min(self.sizes.values()) < 0:
            return False
        leads = replace(self, calls=calls).leaders() if self.number == 1 and self.leader else ()
        return not leads or self.leader in leads

    def dealers(self) -> tuple[str, ...]:
        """Everybody who can have dealt."""
        if self.dealer is not None:
            return (self.dealer,)
        if "dummy" not in self.seats:
            return self.seats
        return (self.after("dummy")[self.rules.dummy_side == "left"],)

    def biddings(self) -> list[_Calls | None]:
        """Return the calls, or those that differ in what a card depends on."""
        highest = self.opening and self.leader is None and self.rules.first_leader == "highest_bidder"
        if self.calls or (self.calls is not None and (self.rules.first_hand_bids_itself or not highest)):
            return [self.calls]
        nils = ["nil", "double_blind_nil"] if self.rules.double_blind_nil and self.calls is None else ["nil"]
        people = [seat for seat in self.seats if seat != "dummy"]
        found: list[_Calls | None] = []
        for word, best in product(nils, [None, *people] if highest else [None]):
            own = word if best != self.seat else 1
            words = {seat: own if seat == self.seat else 1 if seat == best else "nil" for seat in people}
            first = tuple((seat, None, said) for seat, said in words.items())
            found.append((*first, *[(seat, None, "pass") for seat in people if self.rules.second_round]))
        return [*found, ()] if self.bidding else found

    def asleep(self) -> list[_Calls]:
        """Return the calls with a double blind nil of the mover that they leave out, after the first lead."""
        calls, first = self.calls or (), self.number == 1 and not self.trick
        unbid = self.calls is None or (not calls and self.rules.first_hand_bids_itself)
        called = self.seat in [seat for seat, *_ in calls]
        if called or unbid or first or self.bidding or not self.rules.double_blind_nil:
            return []
        unnamed = any(call == "double_blind_nil" and self.seat in (side or "").split("+") for _, side, call in calls)
        return [(*calls, (self.seat, None, "double_blind_nil"))] if unnamed or self.seat in self.uncalled() else []

    def uncalled(self) -> list[str]:
        """Return who has not called who should have."""
        people = [seat for seat in self.seats if seat != "dummy"]
        calls, waiting = self.calls or (), list[str]()
        if self.rules.bid_method == "consultation" and self.rules.partners:
            for pair in (people[0::2], people[1::2]):
                said = [call for seat, side, call in calls if seat in pair or {*pair} == {*(side or "").split("+")}]
                nils = [call for call in said if str(call).endswith("nil")]
                waiting += pair if len(nils) < 2 and len(nils) == len(said) - said.count("pass") else []
            return waiting
        times = Counter(seat for seat, _, _ in calls)
        wide = [seat for seat, _, call in calls if seat and (str(call) in _MOON or str(call).startswith("blind_"))]
        silent = {self.after(seat)[1] for seat in wide} if self.rules.partners else set[str]()
        return [seat for seat in people if times[seat] < 1 + self.rules.second_round and seat not in silent]

    def leaders(self) -> tuple[str, ...]:
        """Return who may lead to the first trick, none where nothing says it."""
        if self.rules.first_trick != "normal" or self.rules.first_leader == "club_two":
            return ()
        if self.rules.first_leader == "highest_bidder":
            best, number = tuple[str, ...](), -1
            for seat, side, call in self.calls or ():
                bid = self.rules.tricks if call in _MOON else call
                bid = int(bid[6:]) if isinstance(bid, str) and bid.startswith("blind_") else bid
                if isinstance(bid, int) and bid > number:
                    number = bid
                    best = (seat,) if seat else tuple(sorted((side or "").split("+"), key=self.seats.index))
            unbid = self.calls == () and self.rules.first_hand_bids_itself
            if not unbid and (best or not self.calls or self.uncalled()):
                return () if self.uncalled() else best
        if self.dealer is None:
            return ()
        order = self.after(self.dealer)
        if self.rules.mode == "duo_dummy":
            left = self.rules.dummy_side == "left" and self.rules.dummy_leads
            return ("dummy",) if left else tuple(seat for seat in order if seat != "dummy")[:1]
        return order[:1]


def _broken(at: _Situation) -> Iterator[Formula]:
    """Yield for every rule of a card where it is broken."""
    rules, first = at.rules, at.number == 1 and at.rules.first_trick != "normal"
    there = [seat for seat, _ in at.trick]
    if first and rules.first_trick == "lowest_club":
        yield at.seat in there
    elif at.trick:
        order = [seat for seat in (there[0], *at.after(there[0])) if seat not in there]
        yield order[0] != at.seat
    else:
        yield from _lead(at)
    if at.card not in at.pack or at.card in at.seen or (at.hand is not None and at.card not in at.hand):
        yield True
    plain = [card for card in at.pack if card not in at.trumps]
    clubs = at.of_suit("C")
    if at.number == 1 and rules.first_trick_spades == "forbidden" and at.suit(at.card) == "S" and not at.exempt:
        yield (not at.trick or at.suit(at.trick[0][1]) != "S") and at.holds(plain)
    if at.exempt:
        yield at.top not in (None, at.card)
    elif first:
        lower = clubs[: clubs.index(at.card)] if at.card in clubs else clubs
        yield at.holds(plain if at.card in at.trumps else lower)
    elif at.trick:
        led = at.suit(at.trick[0][1])
        yield at.suit(at.card) != led and at.holds(at.of_suit(led))
    elif at.suit(at.card) == "S" and not rules.lead_spades_anytime and at.broken is not True:
        known = at.broken is False or not at.played.intersection(at.trumps)
        unbroken = at.broken is False or opposite(_least("earlier", at.trumps))
        yield known and every(at.holds(plain), unbroken)


def _lead(at: _Situation) -> Iterator[Formula]:
    """Yield for every rule of who leads where it is broken."""
    rules = at.rules
    if at.calls is not None and (at.bidding or (at.calls and at.number == 1)) and at.uncalled():
        yield True
    if at.leader is not None and at.leader != at.seat:
        yield True
    if at.number != 1:
        return
    if rules.first_trick != "lowest_club_strict" and rules.first_leader != "club_two":
        leads = at.leaders()
        yield at.leader is None and bool(leads) and at.seat not in leads
        return
    clubs, mine = at.of_suit("C"), at.own | (at.hand or frozenset())
    elsewhere: Formula = False
    for club in reversed(clubs):
        elsewhere = club not in mine and some(_least("others", {club}), every(_least("dead", {club}), elsewhere))
    yield elsewhere
    if (rules.first_trick == "lowest_club_strict" or rules.club_two_must_lead) and not at.exempt:
        lower = clubs[: clubs.index(at.card)] if at.card in clubs else clubs
        yield bool(mine.intersection(lower)) or (bool(lower) and opposite(_least("dead", lower, len(lower))))


def verify(request: JsonObject, verdict: str, witness: JsonObject) -> bool | None:
    """Return whether a witness shows the verdict on a card; None for other moves, and for what is not judged here."""
    table = _read(request)
    if verdict == "impossible":
        return None if table is None else _contradicts(request["position"], table)
    cases = [at.case() for at in table.cases()] if table else []
    if table is None or not cases:
        return None
    worlds = {}
    for name, key in (("legal", "legal"), ("illegal", "illegal"), ("legal", "world")):
        if witness.get(key):
            placed = _placed(table, witness[key])
            if placed is None:
                return False
            worlds[name] = placed
    steps = [step["facts"] for step in witness.get("chain", ())]
    for step in steps:
        lacking = step["seats"] - step["count"]
        if step["count"] != len(step["cards"]) or (lacking if step["need"] else -lacking) <= 0:
            return False
    counts = [_Cards(step["cards"]) for step in steps]
    return accepts(cases, verdict, worlds, counts + [_Cards({card}) for cards in counts for card in cards])


def _contradicts(position: JsonObject, table: _Situation) -> bool:
    """Return whether no deal has all that is given of a table."""
    rules, seats = table.rules, [seat for seat, _ in table.trick]
    calls = Counter(seat for seat, _, _ in table.calls or () if seat)
    turns = [turn if isinstance(turn, str) else turn["seat"] for turn in position.get("turns") or ()]
    lists = (position.get("hand"), position.get("played"), [one["card"] for one in position.get("trick") or ()])
    cards = [_card(card) for one in lists for card in one or ()]
    together = table.number == 1 and rules.first_trick == "lowest_club"
    unheld = replace(table, card="?", hidden=table.hidden | table.own)  # a card that cannot be held is no fact
    return bool(
        len({*seats}) < len(seats)
        or max(calls.values(), default=0) > 1 + rules.second_round
        or (table.dealer is not None and table.dealer not in replace(table, dealer=None).dealers())
        or any(before == after for before, after in pairwise(turns))
        or len({*cards}) < len(cards)
        or not table.pack.issuperset(cards)
        or (table.leader is not None and seats and seats[0] != table.leader and not together)
        or all(at.case().nowhere() for at in unheld.cases())
    )


def _placed(table: _Situation, world: JsonObject) -> tuple[Case, World] | None:
    """Return the case of a world, and its cards by place; None where it does not fit the request."""
    number, dealer = world.get("trick_number", table.number), world.get("dealer", table.dealer)
    calls = _calls(world["calls"]) if "calls" in world else table.calls
    if (
        table.number not in (None, number)
        or table.dealer not in (None, dealer)
        or (calls or ())[: len(table.calls or ())] != (table.calls or ())
    ):
        return None
    at = replace(table, number=number, dealer=dealer, calls=calls)
    hands = {seat: world["hands"].get(seat, []) for seat in at.seats}
    out = world.get("left_out", [])
    there = len(hands[at.seat]) + len(at.own) + len(at.hand or ()) + len(out)
    right = all(len(hand) == at.left(seat) for seat, hand in hands.items() if seat != at.seat)
    if not right or there != at.left(at.seat) or not at.possible(table.calls):
        return None
    others = [card for seat, hand in hands.items() if seat != at.seat for card in hand] + out
    named = {"hand": hands[at.seat], "others": others}
    return at.case(), named | {name: world.get(name, []) for name in ("dead", "earlier")}


def _read(request: JsonObject) -> _Situation | None:
    """Return a request to check a card; None for another move, and where two cards are equal."""
    at, move = request["position"], request["move"]
    if move["type"] != "play":
        return None
    hand = None if at.get("hand") is None else [_card(card) for card in at["hand"]]
    rules, calls, card = OPTIONS.read(Node(request.get("rules", {}))).options, at.get("calls"), _card(move["card"])
    if rules.two_packs or (rules.least_total is not None and at.get("trick_number") in (None, 1)):
        return None  # hands that are thrown in are not judged here
    trick = tuple((one["seat"], _card(one["card"])) for one in at.get("trick") or ())
    jokers = ("LJ", "BJ") if "jokers" in rules.deck else ()
    gone = [str(two) for two in rules.removed_twos] if rules.deck == "jokers_minus_twos" else []
    gone += ["2C"] if (rules.mode, rules.solo3_deck) == ("solo3", "remove_2c") and "added" not in rules.deck else []
    pack = frozenset((*(f"{rank}{suit}" for rank in _RANKS for suit in "SHDC"), *jokers)) - set(gone)
    trumps = (*(f"{rank}S" for rank in _RANKS), *map(str, rules.promoted_twos), *jokers)
    played = frozenset(map(_card, at.get("played") or ()))
    known = played.union([on_table for _, on_table in trick], [card] if hand is None else hand)
    return _Situation(
        rules=rules, seats=tuple(at["seats"]), trick=trick, seat=move["seat"], card=card,
        hand=None if hand is None else frozenset(hand), top=hand[0] if hand else None, played=played,
        broken=at.get("spades_broken"), leader=at.get("leader"), number=at.get("trick_number"), dealer=at.get("dealer"),
        bidding=(at.get("phase") or ("play" if "trick" in at else "bidding")) == "bidding",
        calls=None if calls is None else _calls(calls), pack=pack, trumps=tuple(one for one in trumps if one in pack),
        hidden=pack - known,
    )  # fmt: skip


def _calls(calls: Sequence[JsonObject]) -> _Calls:
    return tuple((seat := call.get("seat"), None if seat else call.get("side"), call["call"]) for call in calls)


def _card(text: str) -> str:
    """Return a card as its rank and suit, however it is written."""
    return str(read_card(text, jokers=("LJ", "BJ")))
