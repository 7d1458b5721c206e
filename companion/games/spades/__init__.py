"""What other parts of the program show of Spades: seatings, tallies, paper, essentials, fixes, measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.engine.cards import Card
from companion.engine.deferred import Deferred, DeferredMapping, deferred_function, deferred_object
from companion.engine.evenings import Achievement
from companion.engine.game import Game, GameShapes
from companion.engine.ledger import (
    Agreement,
    Column,
    Essentials,
    Fix,
    Fixes,
    Line,
    Measure,
    MeasuredDeal,
    Offer,
    PaperSheet,
    Seating,
    Side,
)
from companion.engine.problems import JsonObject
from companion.games.spades import articles as a
from companion.games.spades.articles import ARTICLES, GAME
from companion.games.spades.remedies import KINDS
from companion.games.spades.rules import OPTIONS, SpadesRules
from companion.games.spades.score import (
    BAGS,
    SETS,
    SETS_IN_ROW,
    Result,
    SpadesScorer,
    bids_itself,
    check_opening,
    nils_made,
    side_result,
    tallies,
)
from companion.games.spades.table import DEAL, DUMMY_TRICKS, TIME_UP, call_facts, pack_of, read_sides

_PAPER: Final = PaperSheet(
    each=(
        Column("bid"),
        Column("tricks"),
        Column(BAGS, lambda rules: BAGS in tallies(rules)),
        Column("points"),
        Column("total"),
    )
)

_ESSENTIALS: Final = Essentials(
    "scoring",
    (
        "bid-in-turn", "bid", "partner-bid", "sum-bidding", "nil", "double-nil-behind", "double-nil-unseen",
        "exchange", "opening-lead", "follow-suit", "trick-winner", "leading-spades", "all-spades",
        "breaking-spades", "contract", "overtricks", "set", "failed-nil-tricks", "bag-penalty", "target", "tie",
    ),
)  # fmt: skip


def seatings(rules: SpadesRules) -> tuple[Seating, ...]:
    """Return the one way to sit down in a mode."""
    return (Seating(rules.players, rules.side_size),)


def numbers(rules: SpadesRules) -> Mapping[str, int]:
    """Return cards in the pack, a hand, the dealer's first, unseen; tricks; lowest bids; whether a digit is bags."""
    pack, hand = pack_of(rules).whole.bit_count(), rules.tricks
    lowest_blind = max(rules.blind_bid_min, rules.minimum_bid)
    return {
        "pack": pack,
        "hand": hand,
        "dealer_hand": hand + rules.dealer_extra,
        "spare": pack - hand * rules.seats - rules.dealer_extra,
        "tricks": rules.tricks,
        "lowest_contract": rules.lowest_contract,
        "lowest_blind": lowest_blind,
        "more_blind": rules.tricks - lowest_blind,
        "digit": int(rules.digit_shows_bags),
        "lowest_club": 3 if pack_of(rules).suit_of.get(Card("2", "C")) != "C" else 2,
    }


def _tally_limits(rules: SpadesRules) -> Mapping[str, int]:
    """Return how many bags cost the penalty and how many sets the game; nothing where they cost none."""
    limits = {BAGS: rules.bag_threshold if rules.sandbag else None}
    limits |= {SETS: rules.sets_lose, SETS_IN_ROW: rules.sets_in_row_lose}
    return {name: limits[name] or 0 for name in tallies(rules) if limits[name]}


def _nils_made(facts: JsonObject, seat: str) -> tuple[int, int]:
    """Return the nils of a player in a deal that were made, and all of them; from the facts of the player's side."""
    tricks = [nil.get("tricks") for nil in facts.get("nils", ()) if nil.get("player") == seat]
    return tricks.count(0), len(tricks)


def _without_dummy(facts: JsonObject, sides: Sequence[Side]) -> Iterator[Fix]:
    """Yield each side's tricks lowered so that the dummy has none: the sides took more tricks than there are."""
    for place, side in enumerate(sides):
        value = facts[side.id]["tricks"] + facts[DUMMY_TRICKS]
        if value >= 0:
            yield Fix(f"t{place}", str(value), side.id)


_FIXES: Final = Fixes(
    counts={"tricks-total": "t"},
    suspects={"tricks-range": ("t", "n"), "last-tricks-count": ("t", "last"), "last-trick-sides": ("last",)},
    other_suspects=("change=", "b", "c"),
    own={"dummy": _without_dummy},
)

_AGREEMENTS: Final = (
    Agreement(
        "bids",
        (Offer("sum", {"bid_method": "sum"}), Offer("later", {"bid_method": "later_partner"})),
        usual="sum",
        asked=lambda rules: rules.partners and rules.bidding_rule == "free",
    ),
    Agreement(
        "length",
        tuple(Offer(f"to-{points}", {"target": points}) for points in (200, 300, 500)),
        length=True,
        asked=lambda rules: rules.target is not None,
    ),
)


# What is counted for players ------------------------------------------------------------------------------------------


def _result(deal: MeasuredDeal) -> Result:
    return side_result(deal.rules, deal.facts, deal.side, deal.before)[0]


def _of_contract(count: Callable[[Result, int], int]) -> Callable[[MeasuredDeal], tuple[int, int] | None]:
    """Return a measure of contracts: a number for each, from how it went and the bid."""

    def measure(deal: MeasuredDeal) -> tuple[int, int] | None:
        result = _result(deal)
        return None if result.bid is None else (count(result, result.bid), 1)

    return measure


def _set(deal: MeasuredDeal) -> tuple[int, int]:
    result = _result(deal)
    return int(result.bid is not None and not result.made), 1


def _bags(deal: MeasuredDeal) -> tuple[int, int] | None:
    return (_result(deal).bags, 1) if deal.rules.counts_bags else None


def _nil(deal: MeasuredDeal) -> tuple[int, int] | None:
    facts, (_, remedy) = deal.facts.sides[deal.side], side_result(deal.rules, deal.facts, deal.side, deal.before)
    nils = zip(facts.nils, nils_made(deal.rules, facts, remedy), strict=True)
    own = [made for nil, made in nils if nil.player == deal.seat]
    return (sum(own), len(own)) if own else None


_MEASURES: Final = (
    Measure("contract", _of_contract(lambda result, bid: int(result.made))),
    Measure("exact", _of_contract(lambda result, bid: int(result.made and result.exact))),
    Measure("off", _of_contract(lambda result, bid: abs(result.taken - bid)), share=False),
    Measure("set", _set, share=False),
    Measure("bags", _bags, share=False),
    Measure("nil", _nil),
)
"""Contracts are those of the side, whoever of it has bid; nils are the player's own."""


# What an evening is remembered for ------------------------------------------------------------------------------------

_NILS: Final = (a.NIL_SCORE.id, a.DOUBLE_NIL_SCORE.id, a.DOUBLE_BLIND_NIL_SCORE.id)


def _nil_line(line: Line) -> tuple[int, int] | None:
    """Count nils; two that partners made or lost as one count for the side."""
    if line.article == a.BOTH_NIL_UNIT.id:
        return (2 if line.facts["made"] else 0), 2
    return (int(line.facts["made"]), 1) if line.article in _NILS else None


def _bags_line(line: Line) -> tuple[int, int] | None:
    """Count the penalties, and the bags that went with them."""
    if line.article != a.BAG_PENALTY.id:
        return None
    return line.facts["times"], line.facts["bags"] - line.facts["rest"]


_ACHIEVEMENTS: Final = (Achievement("nil", _nil_line), Achievement("bags", _bags_line))


_POSITION: Final[Mapping[str, object]] = {
    "phase": "play",
    "seats": ["A", "B", "C", "D"],
    "dealer": "D",
    "trick": [{"seat": "A", "card": "9H"}],
    "trick_number": 4,
    "hand": ["7H", "2S"],
}
_EXAMPLES: Final[Mapping[str, object]] = {
    "rules": {"rules": {"preset": "classic", "options": {"bag_threshold": 5}}},
    "diff": {"one": "classic", "other": {"preset": "classic", "options": {"bag_threshold": 5}}},
    "score": {
        "sides": [{"id": "NS", "players": ["North", "South"]}, {"id": "EW", "players": ["East", "West"]}],
        "opening": {"NS": {"total": 337, "bags": 7}},
        "deals": [
            {
                "NS": {"bid": 5, "tricks": 8},
                "EW": {"bid": 6, "tricks": 5, "nils": [{"player": "East", "call": "nil", "tricks": 0}]},
            }
        ],
    },
    "check": {"position": _POSITION, "move": {"type": "play", "seat": "B", "card": "2S"}},
    "moves": {"position": _POSITION},
    "replay": {
        "seats": ["A", "B", "C", "D"],
        "dealer": "D",
        "plays": [
            {"seat": "A", "card": "9H"},
            {"seat": "B", "card": "2S"},
            {"seat": "C", "card": "KH"},
            {"seat": "D", "card": "3H"},
            {"seat": "B", "card": "7H"},
        ],
    },
    "batch": {"sides": ["A", "B"], "deals": [{"A": {"bid": 5, "tricks": 8}, "B": {"bid": 6, "tricks": 5}}]},
    "open": {
        "seats": ["Aki", "Ben", "Chie", "Dai"],
        "title": "Friday",
        "game": "spades",
        "rules": {"options": {"target": 300}},
        "dealer": "D",
    },
    "commands": {
        "call": {"type": "make_call", "call": {"seat": "A", "call": 5}},
        "deal": {"type": "record_deal", "facts": {"A+C": {"bid": 5, "tricks": 8}, "B+D": {"bid": 4, "tricks": 5}}},
        "correction": {
            "type": "correct_deal",
            "deal": 1,
            "facts": {"A+C": {"bid": 5, "tricks": 7}, "B+D": {"bid": 4, "tricks": 6}},
            "reason": "counted again",
        },
        "adjustment": {"type": "adjust", "side": "B+D", "points": -30, "reason": "revoke"},
    },
}


SPADES = Game(
    id=GAME,
    articles=ARTICLES,
    options=OPTIONS,
    scorer=SpadesScorer(),
    read_sides=read_sides,
    deal=DEAL,
    shapes=deferred_object(f"{__name__}.deal", "SHAPES", GameShapes),
    judge=deferred_function(f"{__name__}.deal", "judge"),
    witness=deferred_function(f"{__name__}.witness", "witness"),
    verify=deferred_function(f"{__name__}.checker", "verify"),
    check_opening=check_opening,
    deal_keys=(DUMMY_TRICKS, TIME_UP),
    irregular=KINDS,
    tallies=tallies,
    paper_tallies=(BAGS, SETS, SETS_IN_ROW),
    moves=deferred_function(f"{__name__}.deal", "list_moves"),
    replay=deferred_function(f"{__name__}.deal", "replay"),
    entry=Deferred(f"{__name__}.entry", "ENTRY"),
    questions=DeferredMapping(f"{__name__}.asks", "QUESTIONS"),
    settle_calls=deferred_function(f"{__name__}.bidding", "settle_calls"),
    without_calls=bids_itself,
    call_facts=call_facts,
    seatings=seatings,
    tally_limits=_tally_limits,
    numbers=numbers,
    attempts=_nils_made,
    measures=_MEASURES,
    achievements=_ACHIEVEMENTS,
    paper=_PAPER,
    essentials=_ESSENTIALS,
    fixes=_FIXES,
    agreements=_AGREEMENTS,
    examples=_EXAMPLES,
    lessons=Deferred(f"{__name__}.teach", "LESSONS"),
    chooser=Path(__file__).with_name("which.toml"),
)
