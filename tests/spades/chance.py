"""Random house rules and random results of deals, always from a seeded source."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.engine.problems import Refused, read_whole
from companion.games.spades.rules import OPTIONS
from tests.spades.oracle import tricks_of

Facts = dict[str, Any]
SIDES = {"partners4": 2, "solo4": 4, "solo3": 3, "duo_draw": 2, "duo_dummy": 2, "partners6": 3}
ACCEPTED = (
    "below-minimum", "total-forbidden", "not-far-enough-behind", "blind-too-low", "total-too-low", "mirror-total",
    "suicide",
)  # fmt: skip
SCORING: dict[str, tuple[Any, ...]] = {
    "mode": ("partners4", "partners4", "partners4", "solo4", "solo3", "duo_draw", "duo_dummy", "partners6"),
    "deck": (
        "standard52",
        "jokers_minus_twos",
        "jokers_dealer_discards",
        "two_packs",
        "two_packs_jokers",
        "jokers_added",
    ),
    "bidding_rule": ("free", "free", "free", "free", "suicide", "mirror", "whiz"),
    "forbidden_total": (None, None, 11),
    "least_total": (None, None, 11),
    "nil_failure": (None, 50, 0),
    "blind_failure": ("double", "single"),
    "ten_bonus_value": (200, 150),
    "deals_limit": (None, None, 3, 8),
    "sets_lose": (None, None, 1, 2, 3),
    "sets_in_row_lose": (None, None, 2),
    "trump_order": ("ace_high", "deuce_high"),
    "promoted_twos": ([], ["2D"], ["2H", "2D"]),
    "bid_method": ("later_partner", "sum"),
    "forbid_total_13": (False, True),
    "first_hand_bids_itself": (False, False, False, True),
    "minimum_bid": (0, 0, 3),
    "zero_bid": (True, False),
    "nil_value": (100, 50),
    "double_nil_value": (200, 400),
    "failed_nil_tricks": ("count", "bags_only", "ignore"),
    "tricks_without_contract": ("ignore", "overtricks"),
    "both_nil": ("separate", "unit"),
    "both_nil_value": (200, 400),
    "double_blind_nil": (False, True),
    "double_blind_nil_value": (400, 200),
    "blind_bid": (False, True),
    "blind_bid_min": (6, 7),
    "blind_reward": ("double", "bonus100"),
    "blind_exact": (False, True),
    "blind_exact_over": ("fail", "normal"),
    "moon": (False, True),
    "moon_value": (200, 300),
    "thirteen_is_moon": (False, True),
    "blind_moon": (False, True),
    "blind_moon_value": (400, 500),
    "set_penalty": ("bid", "shortfall", "none"),
    "overtrick": ("plus1", "plus1", "minus1", "minus10", "zero"),
    "sandbag": (True, True, False),
    "bag_threshold": (10, 5, 7),
    "bag_penalty": (100, 50, 110),
    "bag_trigger": ("reach", "exceed"),
    "bag_reset": ("carry", "empty"),
    "penalty_when_negative": (True, True, False),
    "ten_bonus": ("none", "plus200", "exact200", "ten_for_two", "flat200", "flat200_up"),
    "ten_bonus_failure": ("add", "replace", "none"),
    "last_trick_bonus": (False, True),
    "last_sequence_bonus": (False, True),
    "above_six_bonus": (False, True),
    "small_bid_special": (False, True),
    "all_tricks_bonus": (0, 200),
    "target": (500, 300, 2000, None),
    "all_tricks_wins": (False, False, True),
    "moon_wins": (False, True),
    "loss_limit": (None, -200, -500),
    "final_tie": ("extra_deal", "shared"),
}
"""The options that a score can hang on, with values worth trying."""


def house_rules(rng: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options as given, a handful off their defaults, and as they stand when all has given way."""
    while True:
        given = {name: rng.choice(SCORING[name]) for name in rng.sample(list(SCORING), rng.randint(0, 20))}
        try:
            return given, OPTIONS.plain(read_whole({"options": given}, OPTIONS.read).options)
        except Refused:
            continue


def side_names(options: dict[str, Any]) -> list[str]:
    """Ids for as many sides as the mode has."""
    return list("ABCD"[: SIDES[options["mode"]]])


def deal(rng: Random, options: dict[str, Any], *, first_hand: bool = False) -> dict[str, Any]:
    """The facts of one deal that nobody needs to refuse; what may be recorded anyway is accepted."""
    names = side_names(options)
    partners = options["mode"] in ("partners4", "partners6")
    hands = tricks_of(options)
    seats = [name for name in names for _ in range(2 if partners else 1)]
    seats += ["dummy"] if options["mode"] == "duo_dummy" else []
    luck = [rng.random() ** rng.choice((1, 4, 40)) for _ in seats]
    took = [0] * len(seats)
    for seat in rng.choices(range(len(seats)), luck, k=hands):
        took[seat] += 1
    facts: dict[str, Any] = {}
    last = rng.choice(names)
    for name in names:
        own = [count for seat, count in zip(seats, took, strict=True) if seat == name]
        facts[name] = {"tricks": sum(own)} if first_hand else _side(rng, options, own, hands)
        if name == last and not first_hand:
            facts[name]["last_tricks"] = _last_tricks(rng, options, sum(own))
    if "dummy" in seats:
        facts["dummy_tricks"] = took[-1]
    facts["accept"] = [{"code": code, "reason": "tried out"} for code in ACCEPTED]
    return facts


def _side(rng: Random, options: dict[str, Any], own: list[int], hands: int) -> dict[str, Any]:
    tricks = sum(own)
    facts: dict[str, Any] = {"tricks": tricks, "bid": None}
    free = options.get("bidding_rule", "free") == "free"
    calls = [
        call for call in ("moon", "blind_moon") if free and options[call] and (tricks == hands or rng.random() < 0.05)
    ]
    if calls:
        return facts | {"call": rng.choice(calls), "bid": rng.choice((None, hands))}
    if options["blind_bid"] and rng.random() < 0.2:
        return facts | {"call": "blind", "bid": _near(rng, tricks, 6, hands)}
    kinds = ["nil"] if options["nil"] else []
    kinds += [kind for kind in ("double_nil", "double_blind_nil") if options[kind]]
    chance = 0.7 if 0 in own else 0.15
    nils = [{"call": rng.choice(kinds), "tricks": count} for count in own if kinds and rng.random() < chance]
    if nils:
        facts["nils"] = nils
    bidders, held = len(own) - len(nils), options.get("bidding_rule") in ("mirror", "whiz")
    if bidders:
        top = 2 * hands if bidders == 2 and options["bid_method"] == "sum" else hands
        facts["bid"] = _near(rng, tricks, 0 if options["zero_bid"] and not held else 1, top)
        if nils and options["thirteen_is_moon"] and facts["bid"] == hands:
            facts["bid"] -= 1
    return facts


def _near(rng: Random, tricks: int, low: int, high: int) -> int:
    wish = tricks + rng.choice((-3, -2, -1, 0, 0, 0, 0, 1, 2)) if rng.random() < 0.8 else rng.randint(low, high)
    return min(high, max(low, wish))


def _last_tricks(rng: Random, options: dict[str, Any], tricks: int) -> list[str]:
    cards = ["8S", "9S", "10S", "JS", "QS", "KS", "AS", "2S", *options["promoted_twos"], "3H"]
    cards += ["LJ", "BJ"] if "jokers" in options["deck"] else []
    gone = options["removed_twos"] if options["deck"] == "jokers_minus_twos" else []
    cards = [card for card in cards if card not in gone]
    cards = [card for card in cards for _ in range(2)] if options["deck"].startswith("two_packs") else cards
    start, count = rng.randrange(len(cards)), min(tricks, rng.randint(0, 4))
    run = (cards + cards)[start : start + count] if rng.random() < 0.7 else rng.sample(cards, count)
    return rng.sample(run, len(run))
