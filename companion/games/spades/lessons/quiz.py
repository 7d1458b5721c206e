"""Positions of Spades with a move in each: ten that were thought out, and as many others as anybody wants."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from companion.engine.cards import pack
from companion.engine.lessons import Json, Puzzle
from companion.games.spades import articles as a

SEATS: Final = ["p1", "p2", "p3", "p4"]
DEALER: Final = "p4"
TRICKS: Final = 13


def _play(trick: str, hand: str, card: str, article: str, *, broken: bool = False) -> Puzzle:
    """Return a card of p1, who has the last word in a trick of others, or leads where there is none."""
    cards = trick.split()
    before = SEATS[4 - len(cards) :] if cards else []
    position = {
        "phase": "play", "seats": SEATS, "dealer": DEALER, "spades_broken": broken,
        "trick_number": TRICKS + 1 - len(hand.split()),
        "trick": [{"seat": seat, "card": one} for seat, one in zip(before, cards, strict=True)],
        "leader": before[0] if before else "p1", "hand": hand.split(),
    }  # fmt: skip
    return Puzzle(position, {"type": "play", "seat": "p1", "card": card}, article)


def _call(calls: list[object], call: object, article: str, totals: Json | None = None, **more: object) -> Puzzle:
    said = [{"seat": seat, "call": one} for seat, one in zip(SEATS, calls, strict=False)]
    position: dict[str, object] = {"phase": "bidding", "seats": SEATS, "dealer": DEALER, "calls": said}
    position |= {"totals": totals} if totals else {}
    return Puzzle(position, {"type": "call", "seat": SEATS[len(calls)], "call": call, **more}, article)


PUZZLES: Final[Mapping[str, Puzzle]] = {
    "follow": _play("9H KH 3H", "7H QS 8C 2C 4D", "QS", a.FOLLOW_SUIT.id),
    "ruff": _play("9H KH 3H", "4S QC 6C 2C 8D", "4S", a.WHEN_VOID.id),
    "discard": _play("AD 10D 5D", "9S 2S 7C 3C 8H", "3C", a.WHEN_VOID.id, broken=True),
    "lead": _play("", "AS 9S KD 8D 4C 7H", "AS", a.LEADING_SPADES.id),
    "lead-broken": _play("", "AS 9S KD 8D 4C 7H", "9S", a.BREAKING_SPADES.id, broken=True),
    "only-spades": _play("", "KS 10S 8S 5S 3S", "8S", a.ALL_SPADES.id),
    "no-duty-to-win": _play("JS 4S 10S", "AS 2S QH 8H 5C", "2S", a.FOLLOW_SUIT.id, broken=True),
    "partner": _call([5, 3], 4, a.PARTNER_BID.id),
    "after-nil": _call(["nil", 3], 2, a.FINAL_BID.id),
    "double-nil": _call([4], "double_nil", a.DOUBLE_NIL_BEHIND.id, {"p1+p3": 240, "p2+p4": 180}, looked=False),
}


def draw(random: Random) -> Puzzle:
    """Return a position that nobody has thought out: a card in a trick, a lead, or a bid."""
    kind = random.choice(("trick", "trick", "lead", "bid"))
    if kind == "bid":
        first = random.choice(("nil", *range(1, 7)))
        return _call([first, random.randint(1, 5)], random.randint(0, 6), "")
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
        trick = [led, *random.sample(follow or others, min(2, len(follow or others)))]
        broken = any(card[-1] == "S" for card in trick)
    return _play(" ".join(trick), " ".join(hand), random.choice(hand), "", broken=broken)
