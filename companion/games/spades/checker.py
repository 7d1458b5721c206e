"""Checks witnesses of verdicts on cards: a second judge, which shares nothing with the first but the house rules.

Rules are formulas about four places: the mover's hidden cards (`hand`), those of the others, dead cards, and cards of
earlier tricks that nobody named. A world is told by its cards; a proof has one inequality for each way out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Final

from companion.engine.problems import JsonObject, Node
from companion.games.spades.rules import OPTIONS, SpadesRules

_RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_SUITS: Final = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_MOON: Final = ("moon", "blind_moon")

_Cards = frozenset[str]
_Bound = tuple[str, bool, _Cards, int]
"""A place, whether it holds at least or at most, which cards, and how many of them."""


_Way = tuple[_Bound, ...]
"""Bounds that are all true."""


@dataclass(frozen=True)
class _Formula:
    """All ways in which it is true, and all in which it is false."""

    ways: tuple[_Way, ...]
    others: tuple[_Way, ...]

    def __or__(self, other: _Formula) -> _Formula:
        return _Formula(self.ways + other.ways, tuple(one + two for one in self.others for two in other.others))

    def __and__(self, other: _Formula) -> _Formula:
        return (self.negated() | other.negated()).negated()

    def negated(self) -> _Formula:
        """Return the formula that is true where this one is false."""
        return _Formula(self.others, self.ways)

    def true_in(self, places: Mapping[str, Collection[str]]) -> bool:
        """Return whether the formula is true where the places hold these cards."""

        def holds(bound: _Bound) -> bool:
            place, least, cards, count = bound
            held = len(cards.intersection(places[place]))
            return held >= count if least else held <= count

        return any(all(map(holds, way)) for way in self.ways)


_TRUE, _FALSE = _Formula(((),), ()), _Formula((), ((),))


def _least(place: str, cards: Collection[str], count: int = 1) -> _Formula:
    mask = frozenset(cards)
    return _Formula((((place, True, mask, count),),), (((place, False, mask, count - 1),),))


@dataclass(frozen=True)
class _Told:
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
    calls: tuple[tuple[str | None, str | None, object], ...] | None
    """Seat, side and call."""
    pack: _Cards
    trumps: tuple[str, ...]
    hidden: _Cards
    """Cards of which nobody says where they are."""

    @property
    def tricks(self) -> int:
        """Tricks of a deal."""
        return 17 if len(self.seats) == 3 else 13

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
        return self.tricks - (self.number or 1) + 1 - [each for each, _ in self.trick].count(seat)

    @property
    def sizes(self) -> dict[str, int]:
        """How many hidden cards each place holds; cards that a told hand leaves out count among the others."""
        held = self.left(self.seat)
        hand = 0 if self.hand is not None else held - len(self.own)
        out = held - len(self.hand) if self.hand is not None else 0
        others = sum(self.left(seat) for seat in self.seats if seat != self.seat)
        earlier = ((self.number or 1) - 1) * len(self.seats) - len(self.played)
        dead = len(self.pack) - self.tricks * len(self.seats)
        return {"hand": hand, "others": others + out if out >= 0 else -1, "dead": dead, "earlier": earlier}

    @property
    def exempt(self) -> bool:
        """Whether the mover plays unseen cards from the top."""
        return self.seat == "dummy" or any(
            seat == self.seat and call == "double_blind_nil" for seat, _, call in self.calls or ()
        )

    def after(self, seat: str) -> tuple[str, ...]:
        """All seats from the left of one."""
        at = self.seats.index(seat) + 1
        return self.seats[at:] + self.seats[:at]

    def holds(self, cards: Collection[str]) -> _Formula:
        """Return the formula that the mover holds one of these cards beside the one played."""
        if self.hand is not None:
            return _TRUE if (self.hand - {self.card}).intersection(cards) else _FALSE
        return _least("hand", cards) if self.sizes["hand"] else _FALSE

    def conditions(self) -> _Formula:
        """Return what the flag of broken spades says of the hidden cards."""
        shown = self.seen if self.broken else self.played
        if self.broken is None or shown.intersection(self.trumps):
            return _TRUE
        earlier = _least("earlier", self.trumps)
        return earlier if self.broken else earlier.negated()

    def cases(self) -> Iterator[_Told]:
        """Yield the request with each value that its open facts can have."""
        numbers = range(1, self.tricks + 1) if self.number is None else (self.number,)
        for number in numbers:
            at = replace(self, number=number)
            for dealer in at.dealers() if at.opening and at.rules.first_leader != "club_two" else (at.dealer,):
                for calls in at.biddings():
                    case = replace(at, dealer=dealer, calls=calls)
                    if case.possible(self.calls):
                        yield case

    @property
    def opening(self) -> bool:
        """Whether this is the first lead of the deal, and no card says who leads."""
        return self.number == 1 and not self.trick and self.rules.first_trick == "normal"

    def possible(self, told: tuple[tuple[str | None, str | None, object], ...] | None) -> bool:
        """Return whether the sizes can be, and the leader can have led to a first trick."""
        if min(self.sizes.values()) < 0 or not (self.number != 1 or self.leader is None):
            leads = replace(self, calls=told).leaders() if min(self.sizes.values()) >= 0 else ("",)
            return not leads or self.leader in leads
        return True

    def dealers(self) -> tuple[str, ...]:
        """Everybody who can have dealt."""
        if self.dealer is not None:
            return (self.dealer,)
        if "dummy" not in self.seats:
            return self.seats
        return (self.after("dummy")[self.rules.dummy_side == "left"],)

    def biddings(self) -> list[tuple[tuple[str | None, str | None, object], ...] | None]:
        """Return the calls, or those that differ in what a card depends on."""
        highest = self.opening and self.leader is None and self.rules.first_leader == "highest_bidder"
        if self.calls or (self.calls is not None and not highest):
            return [self.calls]
        words = ["nil", "double_blind_nil"] if self.rules.double_blind_nil and self.calls is None else ["nil"]
        people = [seat for seat in self.seats if seat != "dummy"]
        found: list[tuple[tuple[str | None, str | None, object], ...] | None] = []
        for word, best in product(words, [None, *people] if highest else [None]):
            own: object = word if best != self.seat else 1
            found.append(
                tuple((seat, None, own if seat == self.seat else 1 if seat == best else "nil") for seat in people)
            )
        return [*found, ()] if self.bidding else found

    def uncalled(self) -> bool:
        """Return whether somebody has not called who should have."""
        people = [seat for seat in self.seats if seat != "dummy"]
        calls = self.calls or ()
        if self.rules.bid_method == "consultation" and self.rules.partners:
            for pair in (people[0::2], people[1::2]):
                said = [
                    call for seat, side, call in calls if seat in pair or (side and set(pair) == set(side.split("+")))
                ]
                nils = [call for call in said if isinstance(call, str) and call.endswith("nil")]
                if len(nils) < 2 and len(nils) == len([call for call in said if call != "pass"]):
                    return True
            return False
        called = {seat for seat, _, _ in calls}
        if self.rules.partners:
            called |= {self.after(seat)[1] for seat, _, call in calls if seat and str(call) in _MOON}
            called |= {self.after(seat)[1] for seat, _, call in calls if seat and str(call).startswith("blind_")}
        return not called.issuperset(people)

    def leaders(self) -> tuple[str, ...]:
        """Return who may lead to the first trick, none where nothing says it."""
        if self.rules.first_trick != "normal" or self.rules.first_leader == "club_two":
            return ()
        if self.rules.first_leader == "highest_bidder":
            best, number = tuple[str, ...](), -1
            for seat, side, call in self.calls or ():
                bid = self.tricks if call in _MOON else call
                bid = int(bid[6:]) if isinstance(bid, str) and bid.startswith("blind_") else bid
                if isinstance(bid, int) and bid > number:
                    best, number = (
                        ((seat,) if seat else tuple(sorted((side or "").split("+"), key=self.seats.index))),
                        bid,
                    )
            if best or not self.calls or self.uncalled():
                return best
        if self.dealer is None:
            return ()
        order = self.after(self.dealer)
        if self.rules.mode == "duo_dummy":
            left = self.rules.dummy_side == "left" and self.rules.dummy_leads
            return ("dummy",) if left else tuple(seat for seat in order if seat != "dummy")[:1]
        return order[:1]


def _broken(at: _Told) -> Iterator[_Formula]:
    """Yield for every rule of a card where it is broken."""
    rules, first = at.rules, at.number == 1 and at.rules.first_trick != "normal"
    there = [seat for seat, _ in at.trick]
    if first and rules.first_trick == "lowest_club":
        yield _TRUE if at.seat in there else _FALSE
    elif at.trick:
        order = [seat for seat in (there[0], *at.after(there[0])) if seat not in there]
        yield _TRUE if order[0] != at.seat else _FALSE
    else:
        yield from _lead(at)
    if at.card not in at.pack or at.card in at.seen or (at.hand is not None and at.card not in at.hand):
        yield _TRUE
    plain = [card for card in at.pack if card not in at.trumps]
    clubs = at.of_suit("C")
    if at.exempt:
        yield _TRUE if at.top and at.card != at.top else _FALSE
    elif first:
        lower = clubs[: clubs.index(at.card)] if at.card in clubs else clubs
        yield at.holds(plain if at.card in at.trumps else lower)
    elif at.trick:
        led = at.suit(at.trick[0][1])
        yield _FALSE if at.suit(at.card) == led else at.holds(at.of_suit(led))
    elif at.suit(at.card) == "S" and not rules.lead_spades_anytime and at.broken is not True:
        known = at.broken is False or not at.played.intersection(at.trumps)
        unbroken = _TRUE if at.broken is False else _least("earlier", at.trumps).negated()
        yield at.holds(plain) & unbroken if known else _FALSE


def _lead(at: _Told) -> Iterator[_Formula]:
    """Yield for every rule of who leads where it is broken."""
    rules = at.rules
    if at.calls is not None and (at.bidding or (at.calls and at.number == 1)) and at.uncalled():
        yield _TRUE
    if at.leader is not None and at.leader != at.seat:
        yield _TRUE
    if at.number != 1:
        return
    if rules.first_trick != "lowest_club_strict" and rules.first_leader != "club_two":
        yield _TRUE if at.leader is None and at.seat not in at.leaders() else _FALSE
        return
    clubs, mine = at.of_suit("C"), at.own | (at.hand or frozenset())
    elsewhere = _FALSE
    for club in reversed(clubs):
        elsewhere = _FALSE if club in mine else _least("others", {club}) | (_least("dead", {club}) & elsewhere)
    yield elsewhere
    if (rules.first_trick == "lowest_club_strict" or rules.club_two_must_lead) and not at.exempt:
        lower = clubs[: clubs.index(at.card)] if at.card in clubs else clubs
        yield _TRUE if mine.intersection(lower) else _least("dead", lower, len(lower)).negated() if lower else _FALSE


def verify(request: JsonObject, answer: JsonObject) -> bool | None:
    """Return whether the witness of an answer shows its verdict; None for moves that are not a card."""
    told = _read(request)
    verdict, witness = answer["verdict"], answer.get("witness")
    if told is None or not isinstance(witness, dict):
        return None
    names = {"undecided": ("legal", "illegal"), "legal": ("world",), "illegal": ()}[verdict]
    if any(_illegal_in(told, witness.get(name)) is not (name == "illegal") for name in names):
        return False
    if verdict == "undecided":
        return True
    cases = list(told.cases())
    for at in cases:
        broken = _FALSE
        for rule in _broken(at):
            broken |= rule
        against = broken if verdict == "legal" else broken.negated()
        for way in (at.conditions() & against).ways:
            if not _refuted(at, way, witness.get("chain", ())):
                return False
    return True if cases else None


def _illegal_in(told: _Told, world: object) -> bool | None:
    """Return whether the move is illegal in a world; None where that does not fit the request."""
    if not isinstance(world, dict):
        return None
    number, dealer = world.get("trick_number", told.number), world.get("dealer", told.dealer)
    calls = _calls(world["calls"]) if "calls" in world else told.calls
    same = all(new in (old, new if old is None else old) for old, new in ((told.number, number), (told.dealer, dealer)))
    if not same or (told.calls and calls != told.calls) or number is None:
        return None
    at = replace(told, number=number, dealer=dealer, calls=calls)
    hands = {seat: list(world["hands"].get(seat, ())) for seat in at.seats}
    out, dead, earlier = (list(world.get(name, ())) for name in ("left_out", "dead", "earlier"))
    mine = len(hands[at.seat]) + len(at.own) + len(at.hand or ()) + len(out)
    counts = [len(hands[seat]) == at.left(seat) for seat in at.seats if seat != at.seat]
    everything = [*(card for hand in hands.values() for card in hand), *out, *dead, *earlier]
    if not all(counts) or mine != at.left(at.seat) or sorted(everything) != sorted(at.hidden):
        return None
    others = [card for seat, hand in hands.items() if seat != at.seat for card in hand] + out
    places = {"hand": hands[at.seat], "others": others, "dead": dead, "earlier": earlier}
    fits = {name: len(cards) for name, cards in places.items()} == at.sizes
    if not fits or not at.conditions().true_in(places) or not at.possible(told.calls):
        return None
    return any(rule.true_in(places) for rule in _broken(at))


_Seats = tuple[str, _Cards, int]
"""Part of a place, which hidden cards can be there, and how many are."""


def _seats(at: _Told, way: _Way) -> list[_Seats] | None:
    """Return the places with parts reserved for what bounds need; None where needs overlap."""
    seats: list[_Seats] = []
    for place, size in at.sizes.items():
        mine = [bound for bound in way if bound[0] == place]
        needs = [(cards & at.hidden, count) for _, least, cards, count in mine if least]
        needs += [(at.hidden - cards, size - count) for _, least, cards, count in mine if not least and count]
        needs = [(cards, count) for cards, count in needs if count > 0]
        if any(one & two for (one, _), (two, _) in combinations(needs, 2)):
            return None
        barred = _Cards().union(*(cards for _, least, cards, count in mine if not least and not count))
        seats += [(place, cards - barred, count) for cards, count in needs]
        seats.append((place, at.hidden - barred, size - sum(count for _, count in needs)))
    return seats


def _refuted(at: _Told, way: _Way, chain: Sequence[JsonObject]) -> bool:
    """Return whether bounds need more room than there is, or one inequality of a chain shows that they cannot be."""
    if any(not least and count < 0 for _, least, _, count in way):
        return True
    seats = _seats(at, way)
    if seats is None:
        return False
    steps = [step["facts"] for step in chain if step["facts"]["trick"] in (None, at.number)]
    return any(size < 0 for _, _, size in seats) or any(_shown(at, seats, step) for step in steps)


def _shown(at: _Told, seats: Sequence[_Seats], step: JsonObject) -> bool:
    """Return whether some of the seats in the places of a step have too few cards, or too many, as it says."""
    for chosen in product((False, True), repeat=len(seats)):
        inside = [seat for seat, is_in in zip(seats, chosen, strict=True) if is_in]
        outside = [seat for seat, is_in in zip(seats, chosen, strict=True) if not is_in]
        cards = _Cards().union(*(fits for _, fits, _ in (inside if step["need"] else outside)))
        cards = cards if step["need"] else at.hidden - cards
        count, room = len(cards), sum(size for _, _, size in inside)
        same = {place for place, _, _ in inside} == {*step["places"]} and cards == {*step["cards"]}
        if (
            same
            and (count, room) == (step["count"], step["seats"])
            and (count < room if step["need"] else count > room)
        ):
            return True
    return False


def _read(request: JsonObject) -> _Told | None:
    """Return a request to check a card; None for another move."""
    at, move = request["position"], request["move"]
    if move["type"] != "play":
        return None
    hand = None if at.get("hand") is None else [_card(card) for card in at["hand"]]
    rules, calls, card = OPTIONS.read(Node(request.get("rules", {}))).options, at.get("calls"), _card(move["card"])
    trick = tuple((one["seat"], _card(one["card"])) for one in at.get("trick") or ())
    jokers = ("LJ", "BJ") if rules.deck != "standard52" else ()
    gone = [str(two) for two in rules.removed_twos] if rules.deck == "jokers_minus_twos" else []
    gone += ["2C"] if rules.mode == "solo3" and rules.solo3_deck == "remove_2c" else []
    pack = frozenset((*(f"{rank}{suit}" for rank in _RANKS for suit in "SHDC"), *jokers)) - set(gone)
    trumps = (*(f"{rank}S" for rank in _RANKS), *map(str, rules.promoted_twos), *jokers)
    played = frozenset(map(_card, at.get("played") or ()))
    known = played.union([on_table for _, on_table in trick], [card] if hand is None else hand)
    return _Told(
        rules=rules, seats=tuple(at["seats"]), trick=trick, seat=move["seat"], card=card,
        hand=None if hand is None else frozenset(hand), top=hand[0] if hand else None, played=played,
        broken=at.get("spades_broken"), leader=at.get("leader"), number=at.get("trick_number"), dealer=at.get("dealer"),
        bidding=(at.get("phase") or ("play" if "trick" in at else "bidding")) == "bidding",
        calls=None if calls is None else _calls(calls), pack=pack, trumps=tuple(one for one in trumps if one in pack),
        hidden=pack - known,
    )  # fmt: skip


def _calls(calls: Sequence[JsonObject]) -> tuple[tuple[str | None, str | None, object], ...]:
    return tuple((call.get("seat"), call.get("side"), call["call"]) for call in calls)


def _card(text: str) -> str:
    """Return a card as its rank and suit, however it is written."""
    plain = unicodedata.normalize("NFKC", str(text)).upper().replace("\ufe0e", "").replace("\ufe0f", "").strip()
    for sign, suit in _SUITS.items():
        plain = plain.replace(sign, suit)
    if plain[0] in "SHDC":
        plain = plain[1:] + plain[0]
    return f"10{plain[1:]}" if plain[0] == "T" else plain
