"""A second scorer of Spades, as a table of rows instead of a flow: every row has its own condition and its own points.

Written from the rules, not from the scorer under test; it knows no articles and checks nothing.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

Options = dict[str, Any]
SMALL = {0: 100, 1: 60, 2: 40}
PER_OVERTRICK = {"plus1": 1, "minus1": -1, "minus10": -10, "zero": 0}

ROWS = (
    # nils
    (lambda x: not x.unit, lambda x: sum(x.nil_worth[call][took != 0] for call, took in x.nils)),
    (lambda x: x.unit, lambda x: x.both_nil_value * (1 if x.nil_tricks == 0 else -1)),
    # moons
    (lambda x: x.kind == "moon", lambda x: x.moon_value * x.sign),
    (lambda x: x.kind == "blind_moon", lambda x: x.blind_moon_value * x.sign),
    # a number that was made
    (lambda x: x.number and x.made and x.special, lambda x: SMALL[x.bid]),
    (lambda x: x.number and x.made and not x.special, lambda x: x.bid * 10 * x.factor if x.flat is None else x.flat),
    (lambda x: x.blind and x.made and x.blind_reward == "bonus100", lambda x: 100),
    # a number that was not made
    (lambda x: x.number and not x.made and not x.replaced, lambda x: -x.lost * x.cost),
    # overtricks
    (lambda x: True, lambda x: x.overtricks * PER_OVERTRICK[x.overtrick]),
    # bonuses
    (lambda x: x.tens and x.ten_bonus == "plus200" and x.bid >= 10 and x.made, lambda x: x.ten_bonus_value),
    (lambda x: x.tens and x.fined, lambda x: -x.ten_bonus_value),
    (lambda x: x.tens and x.ten_bonus == "exact200" and x.bid == x.own == 10 and x.made, lambda x: x.ten_bonus_value),
    (lambda x: x.tens and x.above_six_bonus and x.made, lambda x: 10 * max(0, x.bid - 6)),
    (lambda x: x.tens and x.made and x.own == x.bid, lambda x: x.finish),
    (lambda x: x.tricks == x.T and "moon" not in x.kind, lambda x: x.all_tricks_bonus),
)


def deal_points(
    options: Options, side: dict[str, Any], bags: int, *, before: int = 0, first_hand: bool = False
) -> tuple[int, int]:
    """Points of one side's deal with its bag penalties, and its bags afterwards; `before` is the total so far."""
    return count(numbers(options, side, first_hand=first_hand), bags, before)


def count(x: SimpleNamespace, bags: int, before: int) -> tuple[int, int]:
    """What the rows come to, with the bag penalties, and the bags afterwards."""
    points, bags = sum(worth(x) for when, worth in ROWS if when(x)), bags + x.overtricks
    if x.overtrick in ("minus1", "minus10"):
        return points, 0
    if before + points < 0 and not x.penalty_when_negative:
        return points, bags
    while x.sandbag and bags >= x.bag_threshold + (x.bag_trigger == "exceed"):
        points, bags = points - x.bag_penalty, 0 if x.bag_reset == "empty" else bags - x.bag_threshold
    return points, bags


def rows_used(options: Options, side: dict[str, Any], *, first_hand: bool = False) -> list[int]:
    """The places of the rows that bring points or take them."""
    x = numbers(options, side, first_hand=first_hand)
    return [place for place, (when, worth) in enumerate(ROWS) if when(x) and worth(x)]


def tricks_of(options: Options) -> int:
    """How many tricks a deal has."""
    if options["mode"] not in ("solo3", "duo_dummy", "partners6"):
        return 13
    return 18 if options["deck"] in ("jokers_added", "two_packs_jokers") else 17


def is_set(options: Options, side: dict[str, Any], *, first_hand: bool = False) -> bool | None:
    """Whether a contract, a blind bid or a moon failed; None where a side has none of them."""
    x = numbers(options, side, first_hand=first_hand)
    return {"none": None, "moon": x.sign < 0, "blind_moon": x.sign < 0}.get(x.kind, not x.made)


def winners(
    options: Options,
    deal: dict[str, Any],
    totals: dict[str, int],
    *,
    played: int = 0,
    late: bool = False,
    sets: dict[str, list[bool]] | None = None,
) -> list[str]:
    """The sides that have won the game after a deal; empty while it goes on.

    `played` deals were counted, `late` if the time is up, and `sets` says of every contract whether it failed.
    """
    for side in totals:
        swept = deal[side]["tricks"] == tricks_of(options)
        moon = "moon" in numbers(options, deal[side], first_hand=False).kind
        if swept and (options["all_tricks_wins"] or (options["moon_wins"] and moon)):
            return [side]
    return decided(options, totals, played=played, late=late, sets=sets)


def decided(
    options: Options, totals: dict[str, int], *, played: int, late: bool = False,
    sets: dict[str, list[bool]] | None = None,
) -> list[str]:  # fmt: skip
    """The sides that totals, deals, time or sets let win; empty while the game goes on."""
    floor, goal, top, left = options["loss_limit"], options["target"], max(totals.values()), list(totals)
    out = [side for side, failed in (sets or {}).items() if _lost(options, failed)]
    if out:
        left = [side for side in totals if side not in out] or left
    elif not (
        (goal is not None and top >= goal) or (floor is not None and min(totals.values()) <= floor)
        or late or (options["deals_limit"] or 1_000) <= played
    ):  # fmt: skip
        return []
    best = [side for side in left if totals[side] == max(totals[one] for one in left)]
    return best if len(best) == 1 or options["final_tie"] == "shared" else []


def _lost(options: Options, failed: list[bool]) -> bool:
    row = "".join("x" if one else "o" for one in failed).rpartition("o")[2]
    in_all, in_row = options["sets_lose"] or 1_000, options["sets_in_row_lose"] or 1_000
    return sum(failed) >= in_all or len(row) >= in_row


def numbers(options: Options, side: dict[str, Any], *, first_hand: bool) -> SimpleNamespace:
    """All that the rows look at, for one side of a deal."""
    x = SimpleNamespace(**options)
    x.T = tricks_of(options)
    x.nils = [(nil["call"], nil["tricks"]) for nil in side.get("nils", ())]
    x.nil_tricks = sum(took for _, took in x.nils)
    x.nil_worth = {
        "nil": (x.nil_value, -x.nil_value if x.nil_failure is None else -x.nil_failure),
        "double_nil": (x.double_nil_value, -x.double_nil_value),
        "double_blind_nil": (x.double_blind_nil_value, -x.double_blind_nil_value),
    }
    x.unit = x.both_nil == "unit" and [call for call, _ in x.nils] == ["nil", "nil"]
    x.tricks, x.bid = side["tricks"], side["tricks"] if first_hand else side.get("bid")
    x.own = x.tricks - (x.nil_tricks if x.failed_nil_tricks != "count" else 0)
    x.kind = "normal" if first_hand else "none" if x.bid is None else side.get("call", "normal")
    x.kind = side.get("call", x.kind) if "moon" in side.get("call", "") else x.kind
    if x.thirteen_is_moon and x.bidding_rule == "free" and x.bid == x.T and not first_hand:
        unseen = x.kind == "blind_moon" or (x.kind == "blind" and options["blind_moon"])
        x.kind = "blind_moon" if unseen else "moon"
    x.sign = 1 if x.tricks == x.T else -1
    x.number = x.kind in ("normal", "blind")
    x.bid = x.bid if x.number else -1
    too_many = x.kind == "blind" and x.blind_exact and x.own > x.bid
    x.made = x.number and x.own >= x.bid and not (too_many and x.blind_exact_over == "fail")
    x.blind = x.kind == "blind" and not (too_many and x.made)
    x.tens = x.number and not first_hand
    price(x, exact=x.own == x.bid and not first_hand, first_hand=first_hand, short=max(0, x.bid - x.own))
    loose = {"bags_only": x.nil_tricks if x.number else 0}.get(x.failed_nil_tricks, 0)
    loose = x.tricks if x.kind == "none" and x.tricks_without_contract == "overtricks" else loose
    x.overtricks = loose + (x.own - x.bid if x.made else 0)
    x.finish = _finish(options, side.get("last_tricks", []))
    return x


def price(x: SimpleNamespace, *, exact: bool, first_hand: bool, short: int) -> None:
    """What a contract brings when it is made, and costs when it is set, tricks being short by so many."""
    doubled = x.blind and x.blind_reward == "double"
    x.special = x.small_bid_special and exact and x.bid in SMALL and not x.blind
    high = x.ten_bonus == "ten_for_two" and x.bid >= 10
    flat = {"flat200": x.bid == 10, "flat200_up": x.bid >= 10}.get(x.ten_bonus, False)
    x.flat = x.ten_bonus_value if flat and not doubled and not first_hand else None
    x.factor = 2 if doubled or (high and not first_hand) else 1
    x.lost = 10 * (short if x.set_penalty == "shortfall" and short else x.bid)
    x.lost = 0 if x.set_penalty == "none" else x.lost
    x.cost = 2 if doubled and x.blind_failure == "double" else 1
    x.lost = x.ten_bonus_value if flat and x.ten_bonus_failure != "none" and x.cost == 1 else x.lost
    failed = x.ten_bonus == "plus200" and x.bid >= 10 and not x.made and x.number
    x.fined = failed and x.ten_bonus_failure != "none"
    x.replaced = failed and x.ten_bonus_failure == "replace"


def _finish(options: Options, cards: list[str]) -> int:
    """What the last tricks are worth: a slice of the order of high trumps, else the last card alone."""
    deuce = ["2S"] if options["trump_order"] == "deuce_high" else []
    gone = options["removed_twos"] if options["deck"] == "jokers_minus_twos" else []
    order = [two for two in options["promoted_twos"] if two not in gone] + deuce
    order = (["BJ", "LJ"] if "jokers" in options["deck"] else []) + order
    order += ["AS", "KS", "QS", "JS", "10S", "9S"]
    slices = {frozenset(order[i:j]): j - i for i in range(len(order)) for j in range(i + 1, len(order) + 1)}
    starts = [cards[:count] for count in range(1, len(cards) + 1)]
    longest = max((slices.get(frozenset(some), 0) for some in starts if len({*some}) == len(some)), default=0)
    if options["last_sequence_bonus"] and longest > 1:
        return 10 * longest
    return 10 if options["last_trick_bonus"] and cards and cards[0] in order else 0
