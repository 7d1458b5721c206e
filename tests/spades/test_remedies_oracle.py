"""What a table does about irregularities, against a second scorer that was written from the rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from random import Random
from typing import Any

from companion.engine.game import read_score_request, score_request
from companion.engine.ledger import Line
from companion.engine.problems import Node, Refused, read_whole
from companion.games.spades import SPADES
from companion.games.spades.rules import OPTIONS
from tests.pairs.arrays import Values, array, crossed
from tests.pairs.arrays import request as request_of
from tests.spades.chance import deal, house_rules, side_names
from tests.spades.remedy_oracle import evening

EVENINGS, FEW = 900, 900
"""Evenings of a round: of a long run, and of every run."""
REMEDIES = {
    "revoke_remedy": ("none", "tricks", "tricks", "tricks_lost", "set", "set", "bid_raised"),
    "revoke_tricks": (1, 2, 3, 3),
    "challenge_lost": ("none", "same", "tricks_lost"),
    "out_of_turn_remedy": ("none", "as_revoke", "tricks_lost"),
    "talk_remedy": ("none", "warning_then_tricks", "tricks_lost"),
    "misdeal_dealer": ("none", "same", "next"),
}
OFTEN: dict[str, tuple[Any, ...]] = {
    "blind_bid": (True,), "blind_exact": (True, False), "moon": (True,), "blind_moon": (True,),
    "failed_nil_tricks": ("bags_only", "ignore"), "tricks_without_contract": ("overtricks",), "both_nil": ("unit",),
    "set_penalty": ("shortfall",), "ten_bonus": ("plus200", "exact200", "ten_for_two", "flat200"),
    "small_bid_special": (True,), "last_trick_bonus": (True,), "last_sequence_bonus": (True,),
    "all_tricks_bonus": (200,), "moon_wins": (True,), "all_tricks_wins": (True,),
}  # fmt: skip
"""Options that remedies meet, set more often than other house rules."""
KINDS = ("revoke", "revoke", "revoke", "out_of_turn", "talk", "talk", "challenge_lost", "exposed")
ARTICLES = ("revoke-remedy", "challenge-lost", "out-of-turn-remedy", "talk-remedy", "given-tricks", "never-a-gain")


def test_agrees_with_the_second_scorer(soak_round: int, soaked: Any) -> None:
    rng, wanted = Random(1729 + soak_round), EVENINGS if soak_round else FEW
    tables = [*array("spades", soak_round, triples=False).tables, *crossed("spades", soak_round, 100)]
    seen, fired = Counter[str](), 0
    wrong = []
    for _ in range(wanted):
        options, request = _evening(rng, rng.choice(tables) if rng.random() < 0.6 else None)
        sides = {side["id"]: side["players"] for side in request["sides"]}
        expected = evening(options, sides, request["deals"], request["opening"])
        got, won = _scored(request)
        seen.update(line for one in expected for side in one["sides"].values() for line in side[3])
        fired += len(expected)
        if got != [one["sides"] for one in expected] or won != expected[-1]["winners"]:
            wrong.append((request, got, expected))
    soaked(evenings=wanted, deals=fired)
    assert not wrong, f"{len(wrong)} evenings, such as {wrong[0]}"
    assert min(seen[article] for article in ARTICLES) > 2, seen


def _scored(request: dict[str, Any]) -> tuple[list[dict[str, Any]], list[str]]:
    """The program's figures in the shape of the other scorer's, where a deal after the end is kept as on a sheet."""
    node = Node(request)
    ledger = score_request(SPADES, node.require(read_score_request(SPADES, node)), after_end="mark")
    deals = [
        {
            name: (side.points, side.standing.total, side.standing.tallies.get("bags", 0), _remedies(side.lines))
            for name, side in one.sides.items()
        }
        for one in ledger.deals
    ]
    return deals, list(ledger.outcome.winners)


def _remedies(lines: Iterable[Line]) -> list[str]:
    return [name for line in lines if (name := line.article.partition(".")[2]) in ARTICLES]


def _evening(rng: Random, table: Values | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of a table as they stand, and a request with up to six deals, some void or after the end.

    The tables are those of pairs, with remedies by lot, or drawn by lot as a whole.
    """
    while True:
        given = request_of("spades", table)["options"] if table else house_rules(rng)[0]
        given |= {name: rng.choice(values) for name, values in OFTEN.items() if not table and rng.random() < 0.25}
        given |= {name: rng.choice(values) for name, values in REMEDIES.items()}
        with suppress(Refused):
            options: dict[str, Any] = OPTIONS.plain(read_whole({"options": given}, OPTIONS.read).options)
            break
    pair = options["mode"] in ("partners4", "partners6")
    sides: list[dict[str, Any]] = [
        {"id": name, "players": [f"{name}{n}" for n in range(1 + pair)]} for name in side_names(options)
    ]
    near = 0 if options["overtrick"] in ("minus1", "minus10") else options["bag_threshold"] - 1
    opening = {
        side["id"]: {"total": rng.choice((0, 95, -120, 240)), "bags": rng.randint(max(0, near - 3), near)}
        for side in sides
    }  # fmt: skip
    first, deals = options["first_hand_bids_itself"], list[dict[str, Any]]()
    for _ in range(rng.randint(1, 6)):
        if rng.random() < 0.1:
            entries = [*_irregularities(rng, sides), {"kind": "misdeal", "by": rng.choice(sides)["id"]}]
            deals.append({"void": True, "irregularities": entries})
            continue
        facts = deal(rng, options, first_hand=first)
        for side in sides:
            players = rng.sample(side["players"], len(side["players"]))
            for nil, player in zip(facts[side["id"]].get("nils", ()), players, strict=False):
                if rng.random() < 0.9:
                    nil["player"] = player
        deals.append(facts | {"irregularities": _irregularities(rng, sides)})
        first = False
    request = {"rules": {"options": given}, "sides": sides, "deals": deals, "opening": {} if first else opening}
    if options["first_hand_bids_itself"]:
        request["opening"] = {}
    return options, request


def _irregularities(rng: Random, sides: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 5))):
        side = rng.choice(sides)
        entry = {"kind": rng.choice(KINDS), "by": rng.choice([side["id"], *side["players"] * 2])}
        if rng.random() < 0.15:
            entry["corrected"] = True
        if rng.random() < 0.3:
            entry["trick"] = rng.randint(1, 13)
        found.append(entry)
    return found
