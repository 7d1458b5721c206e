"""What other parts of the program show of Spades: seatings, tallies, paper columns, essential articles, fixes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from companion.engine.ledger import Side
from companion.engine.profile import Agreement, Column, Essentials, Fix, Fixes, Offer, PaperSheet, Seating
from companion.engine.reading import JsonObject
from companion.games.spades.facts import DUMMY_TRICKS
from companion.games.spades.rules import SpadesRules
from companion.games.spades.score import BAGS, tallies
from companion.games.spades.table import BLIND_MOON, DOUBLE_BLIND_NIL, DOUBLE_NIL, pack_of

_SEATINGS: Final = {
    "partners4": Seating(4, 2),
    "solo4": Seating(4),
    "solo3": Seating(3),
    "duo_draw": Seating(2),
    "duo_dummy": Seating(2),
}

PAPER: Final = PaperSheet(
    each=(
        Column("bid"),
        Column("tricks"),
        Column(BAGS, lambda rules: BAGS in tallies(rules)),
        Column("points"),
        Column("total"),
    )
)

ESSENTIALS: Final = Essentials(
    "scoring",
    (
        "bid-in-turn", "bid", "partner-bid", "sum-bidding", "nil", "double-nil-behind", "double-nil-unseen",
        "exchange", "opening-lead", "follow-suit", "trick-winner", "leading-spades", "all-spades",
        "breaking-spades", "contract", "overtricks", "set", "failed-nil-tricks", "bag-penalty", "target", "tie",
    ),
)  # fmt: skip


def seatings(rules: SpadesRules) -> tuple[Seating, ...]:
    """Return the one way to sit down in a mode."""
    return (_SEATINGS[rules.mode],)


def numbers(rules: SpadesRules) -> Mapping[str, int]:
    """Return the cards of pack, hand, the dealer's first hand, and left over; the tricks; the lowest blind bid."""
    pack, hand, hands = len(pack_of(rules).cards), rules.tricks, 3 if rules.tricks == 17 else 4
    dealer_hand = hand + rules.dealer_extra
    spare = pack - (hands - 1) * hand - dealer_hand
    return {
        "pack": pack,
        "hand": hand,
        "dealer_hand": dealer_hand,
        "spare": spare,
        "tricks": rules.tricks,
        "lowest_blind": max(rules.blind_bid_min, rules.minimum_bid),
    }


def tally_limits(rules: SpadesRules) -> Mapping[str, int]:
    """Return how many bags cost the penalty; nothing where bags cost none."""
    return {BAGS: rules.bag_threshold} if rules.sandbag else {}


def call_facts(word: str) -> JsonObject:
    """Return what follows from the word of a call: nobody looks at the cards before a blind call."""
    unseen = word in (DOUBLE_NIL, DOUBLE_BLIND_NIL, BLIND_MOON) or word.startswith("blind_")
    return {"looked": False} if unseen else {}


def nils_made(facts: JsonObject, seat: str) -> tuple[int, int]:
    """Return the nils of a player in a deal that were made, and all of them; from the facts of the player's side."""
    tricks = [nil.get("tricks") for nil in facts.get("nils", ()) if nil.get("player") == seat]
    return tricks.count(0), len(tricks)


def _without_dummy(facts: JsonObject, sides: Sequence[Side]) -> Iterator[Fix]:
    """Yield each side's tricks lowered so that the dummy has none: the sides took more tricks than there are."""
    for place, side in enumerate(sides):
        value = facts[side.id]["tricks"] + facts[DUMMY_TRICKS]
        if value >= 0:
            yield Fix(f"t{place}", str(value), side.id)


FIXES: Final = Fixes(
    counts={"tricks-total": "t"},
    suspects={"tricks-range": ("t", "n"), "last-tricks-count": ("t", "last"), "last-trick-sides": ("last",)},
    other_suspects=("change=", "b", "c"),
    own={"dummy": _without_dummy},
)

AGREEMENTS: Final = (
    Agreement(
        "bids",
        (Offer("sum", {"bid_method": "sum"}), Offer("later", {"bid_method": "later_partner"})),
        usual="sum",
        asked=lambda rules: rules.partners,
    ),
    Agreement("length", tuple(Offer(f"to-{points}", {"target": points}) for points in (200, 300, 500)), length=True),
)
