"""Positions of Spades with a move in each: ten for each way to play, and as many others as anybody wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from companion.engine.cards import pack
from companion.engine.ledger import side_id
from companion.engine.lessons import Puzzle
from companion.games.spades import articles as a
from companion.games.spades.rules import OPTIONS
from companion.games.spades.table import DUMMY

_SEATS: Final = {"solo3": ("p1", "p2", "p3"), "duo_draw": ("p1", "p2"), "duo_dummy": ("p1", DUMMY, "p2")}
_ALL: Final = ("p1", "p2", "p3", "p4")


@dataclass(frozen=True, slots=True)
class _Table:
    """The table of a preset. p1 has the last word in a trick; the player after the dealer is the first to bid."""

    preset: str

    @property
    def seats(self) -> tuple[str, ...]:
        return _SEATS.get(self.preset, _ALL)

    def play(self, trick: str, hand: str, card: str, article: str, *, broken: bool = False, seat: str = "p1") -> Puzzle:
        """Return a card to a trick of others, of whom as many are there as the table seats, or to begin one."""
        cards = trick.split()[-(len(self.seats) - 1) :]
        place = self.seats.index(seat)
        before = [*self.seats, *self.seats][place + len(self.seats) - len(cards) : place + len(self.seats)]
        position = {
            "phase": "play", "seats": list(self.seats), "dealer": self._dealer, "spades_broken": broken,
            "trick_number": OPTIONS.preset(self.preset).options.tricks + 1 - len(hand.split()),
            "trick": [{"seat": who, "card": one} for who, one in zip(before, cards, strict=True)],
            "leader": before[0] if before else seat, "hand": hand.split(),
        }  # fmt: skip
        return Puzzle({"preset": self.preset}, position, {"type": "play", "seat": seat, "card": card}, article)

    def call(self, calls: Sequence[object], call: object, article: str, *, seat: str = "", **more: Any) -> Puzzle:
        """Return a call after those of others, by who is next to call or by another seat."""
        bidders = [one for one in (*self.seats[self._first :], *self.seats[: self._first]) if one != DUMMY]
        said = [{"seat": who, "call": one} for who, one in zip(bidders, calls, strict=False)]
        position: dict[str, object] = {
            "phase": "bidding", "seats": list(self.seats), "dealer": self._dealer, "calls": said,
        }  # fmt: skip
        totals = more.pop("totals", None)
        position |= {"totals": totals} if totals else {}
        move = {"type": "call", "seat": seat or bidders[len(said)], "call": call, **more}
        return Puzzle({"preset": self.preset}, position, move, article)

    @property
    def _dealer(self) -> str:
        return self.seats[self._first - 1]

    @property
    def _first(self) -> int:
        """The place of the seat at the dealer's left; the dummy sits there where it plays."""
        return 1 if DUMMY in self.seats else 0


def puzzles(preset: str) -> Mapping[str, Puzzle]:
    """Return the quiz of a preset from easy to hard."""
    table = _Table(preset)
    play = table.play
    first = {
        "follow": play("9H KH 3H", "7H QS 8C 2C 4D", "QS", a.FOLLOW_SUIT.id, broken=True),
        "ruff": play("9H KH 3H", "4S QC 6C 2C 8D", "4S", a.WHEN_VOID.id, broken=True),
        "discard": play("AD 10D 5D", "9S 2S 7C 3C 8H", "3C", a.WHEN_VOID.id, broken=True),
        "lead": play("", "AS 9S KD 8D 4C 7H", "AS", a.LEADING_SPADES.id),
        "lead-broken": play("", "AS 9S KD 8D 4C 7H", "9S", a.BREAKING_SPADES.id, broken=True),
        "only-spades": play("", "KS 10S 8S 5S 3S", "8S", a.ALL_SPADES.id),
        "no-duty-to-win": play("JS 4S 10S", "AS 2S QH 8H 5C", "2S", a.FOLLOW_SUIT.id, broken=True),
    }
    return {**first, **_OWN[preset](table)}


def _classic(table: _Table) -> Mapping[str, Puzzle]:
    return {
        "partner": table.call([5, 3], 4, a.PARTNER_BID.id),
        "after-nil": table.call(["nil", 3], 2, a.FINAL_BID.id),
        "double-nil": _double_nil(table),
    }


def _modern(table: _Table) -> Mapping[str, Puzzle]:
    return {
        "partner-sum": table.call([5, 3], 4, a.SUM_BIDDING.id),
        "zero": table.call([4, 3], 0, a.NO_ZERO_BID.id),
        "double-nil": _double_nil(table),
    }


def _alone(table: _Table) -> Mapping[str, Puzzle]:
    last = len(table.seats) - 1
    return {
        "out-of-turn": table.call([4], 3, a.BID_IN_TURN.id, seat="p1" if last == 1 else table.seats[last]),
        "low-bid": table.call([5, 3][:last], 1, a.BID.id),
        "double-nil": _double_nil(table),
    }


def _dummy(table: _Table) -> Mapping[str, Puzzle]:
    return {
        "dummy-top": table.play("KH", "7S 4H 10C 2D 5C", "4H", a.DUO_DUMMY.id, broken=True, seat=DUMMY),
        "dummy-lead": table.play("", "7S 4H 10C 2D 5C 9D KC 3H", "7S", a.DUO_DUMMY.id, seat=DUMMY),
        "double-nil": _double_nil(table),
    }


_OWN: Final[Mapping[str, Callable[[_Table], Mapping[str, Puzzle]]]] = {
    "classic": _classic, "modern": _modern, "solo4": _alone, "solo3": _alone, "duo_draw": _alone, "duo_dummy": _dummy,
}  # fmt: skip


def _double_nil(table: _Table) -> Puzzle:
    """Return a double nil by the second to call, who is behind, but not by enough."""
    rules = OPTIONS.preset(table.preset).options
    sides = [("p1", "p3"), ("p2", "p4")] if rules.partners else [(seat,) for seat in table.seats if seat != DUMMY]
    second = "p1" if DUMMY in table.seats else "p2"
    totals = {side_id(side): 180 if second in side else 240 for side in sides}
    return table.call([4], "double_nil", a.DOUBLE_NIL_BEHIND.id, totals=totals, looked=False)


def draw(random: Random, preset: str) -> Puzzle:
    """Return a position that nobody has thought out: a card in a trick, a lead, or a bid."""
    table = _Table(preset)
    kind = random.choice(("trick", "trick", "lead", "bid" if OPTIONS.preset(preset).options.partners else "trick"))
    if kind == "bid":
        first = random.choice(("nil", *range(1, 7)))
        return table.call([first, random.randint(1, 5)], random.randint(0, 6), "")
    cards = [str(card) for card in pack()]
    random.shuffle(cards)
    hand, others = sorted(cards[: random.randint(5, 7)]), cards[7:]
    if kind == "lead":
        hand = sorted({*hand[:4], *random.sample([card for card in others if card[-1] == "S"], 2)})
        broken = random.random() < 0.4
        trick: list[str] = []
    else:
        led = random.choice(others)
        follow = [card for card in others if card[-1] == led[-1] and card != led]
        trick = [led, *random.sample(follow or others, min(len(table.seats) - 2, len(follow or others)))]
        broken = any(card[-1] == "S" for card in trick)
    return table.play(" ".join(trick), " ".join(hand), random.choice(hand), "", broken=broken)
