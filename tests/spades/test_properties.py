"""What holds for every deal: lines sum to points, bags are the last digit, voids, adjustments, order of sides."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.spades.asking import ask
from tests.spades.chance import deal, house_rules, side_names

RANDOM = st.integers(0, 2**32).map(Random)
FEW = settings(max_examples=150, deadline=None, derandomize=True)


def game(rng: Random, options: dict[str, Any], *, deals: int = 4) -> dict[str, Any]:
    """A score request under the options, aimed so high that it does not end."""
    lasting: dict[str, object] = {"target": 10_000, "loss_limit": None, "all_tricks_wins": False, "moon_wins": False}
    lasting |= {"deals_limit": None, "sets_lose": None, "sets_in_row_lose": None}
    given = {name: value for name, value in options.items() if name not in lasting}
    first = given.get("first_hand_bids_itself", False)
    return {
        "rules": {"options": given | {"target": 10_000}},
        "sides": side_names(given),
        "deals": [deal(rng, given, first_hand=first and not place) for place in range(deals)],
    }


def random_game(rng: Random) -> dict[str, Any]:
    return game(rng, house_rules(rng)[1])


@FEW
@given(RANDOM)
def test_lines_sum_to_points_and_points_to_totals(rng: Random) -> None:
    body = ask("score", random_game(rng))
    totals = dict.fromkeys(body["standing"], 0)
    for scored in body["deals"]:
        for name, side in scored["sides"].items():
            assert side["points"] == sum(line["points"] for line in side["lines"])
            totals[name] += side["points"]
            assert side["total"] == totals[name]
    assert totals == {name: side["total"] for name, side in body["standing"].items()}


@FEW
@given(RANDOM)
def test_every_line_cites_an_article_once(rng: Random) -> None:
    for scored in ask("score", random_game(rng))["deals"]:
        for side in scored["sides"].values():
            cited = [line["article"] for line in side["lines"] if not line["article"].endswith("nil-score")]
            assert len(set(cited)) == len(cited)


@FEW
@given(RANDOM)
def test_classic_bags_are_the_last_digit_of_the_total(rng: Random) -> None:
    classic = {"mode": "partners4", "zero_bid": True, "nil": True, "bid_method": "later_partner"}
    off = ("double_nil", "double_blind_nil", "blind_bid", "moon", "blind_moon", "thirteen_is_moon")
    plain = classic | dict.fromkeys(off, False) | {"deck": "standard52", "promoted_twos": []}
    deals = [deal(rng, plain) for _ in range(8)]
    for scored in ask("score", {"rules": {"options": {"target": 10_000}}, "sides": ["A", "B"], "deals": deals})[
        "deals"
    ]:
        for side in scored["sides"].values():
            assert side["total"] % 10 == side["bags"]


@FEW
@given(RANDOM)
def test_void_deal_changes_nothing(rng: Random) -> None:
    request = random_game(rng)
    at = rng.randrange(len(request["deals"]) + 1)
    plain = ask("score", request)
    request["deals"].insert(at, {"void": True})
    voided = ask("score", request)
    assert voided["standing"] == plain["standing"]
    assert voided["deals"][at]["status"] == "void"
    assert all(side["lines"] == [] and side["points"] == 0 for side in voided["deals"][at]["sides"].values())
    del voided["deals"][at]
    assert voided["deals"] == plain["deals"]


@FEW
@given(RANDOM, st.integers(-500, 500))
def test_adjustment_is_a_line_of_its_own(rng: Random, points: int) -> None:
    rules = {
        "double_nil_deficit": None,
        "blind_deficit": None,
        "blind_moon_deficit": None,
        "penalty_when_negative": True,
    }
    request = game(rng, house_rules(rng)[1] | rules)
    side = rng.choice(request["sides"])
    plain = ask("score", request)
    request["deals"][0]["adjustments"] = [{"side": side, "points": points, "reason": "a revoke"}]
    adjusted = ask("score", request)
    for before, after in zip(plain["deals"], adjusted["deals"], strict=True):
        for name in request["sides"]:
            extra = points if name == side else 0
            assert after["sides"][name]["total"] == before["sides"][name]["total"] + extra
            assert after["sides"][name].get("bags") == before["sides"][name].get("bags")
    assert adjusted["deals"][0]["sides"][side]["lines"][-1] == {"article": "spades.adjustment", "points": points}


@FEW
@given(RANDOM)
def test_order_of_sides_does_not_matter(rng: Random) -> None:
    request = random_game(rng)
    turned = request | {"sides": request["sides"][::-1]}
    one, other = ask("score", request), ask("score", turned)
    assert one["standing"] == other["standing"]
    assert [deal["sides"] for deal in one["deals"]] == [deal["sides"] for deal in other["deals"]]
    assert list(other["standing"]) == turned["sides"]


@FEW
@given(RANDOM)
def test_opening_carries_on_where_the_paper_stopped(rng: Random) -> None:
    request = game(rng, house_rules(rng)[1] | {"first_hand_bids_itself": False})
    whole = ask("score", request)
    cut = rng.randrange(1, len(request["deals"]))
    opening = ask("score", request | {"deals": request["deals"][:cut]})["standing"]
    rest = ask("score", request | {"opening": opening, "deals": request["deals"][cut:]})
    assert rest["standing"] == whole["standing"]


@FEW
@given(RANDOM)
def test_points_of_other_sides_do_not_matter(rng: Random) -> None:
    """A side's lines hang on its own facts: swapping the facts of two sides swaps their points."""
    request = game(rng, house_rules(rng)[1], deals=1)
    names = request["sides"]
    plain = ask("score", request)["deals"][0]["sides"]
    facts = request["deals"][0]
    swapped = request | {"deals": [facts | {names[0]: facts[names[1]], names[1]: facts[names[0]]}]}
    after = ask("score", swapped)["deals"][0]["sides"]
    assert after[names[0]] == plain[names[1]]
    assert after[names[1]] == plain[names[0]]
