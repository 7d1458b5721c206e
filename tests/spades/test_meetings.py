"""Where two house rules of Spades meet: what holds for one must hold beside every value of the other."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.spades.asking import ask, codes

Json = dict[str, Any]
TENS = ("none", "plus200", "exact200", "ten_for_two", "flat200", "flat200_up")


def scored(options: Json, *sides: Json, preset: str = "classic", **beside: Any) -> Json:
    """A request to score one deal under these options: `A` against `B`, and more where they are named."""
    deal = dict(zip("ABCD", sides, strict=False)) | beside
    return {"rules": {"preset": preset, "options": options}, "sides": [*"ABCD"[: len(sides)]], "deals": [deal]}


def points(request: Json, side: str = "A") -> int:
    return int(ask("score", request)["deals"][0]["sides"][side]["points"])


@pytest.mark.parametrize("reward", ["double", "bonus100"])
@pytest.mark.parametrize("penalty", ["bid", "shortfall", "none"])
@pytest.mark.parametrize(("tens", "failure"), [*product(TENS, ("add", "replace", "none"))])
def test_a_blind_bid_that_fails_singly_costs_what_an_ordinary_one_costs(
    tens: str, failure: str, penalty: str, reward: str
) -> None:
    """CLB-006, SPADES-157: beside every score for ten, for numbers below, at and above it."""
    options = {
        "blind_bid": True, "blind_deficit": 0, "blind_failure": "single", "blind_reward": reward, "ten_bonus": tens,
        "ten_bonus_failure": failure, "set_penalty": penalty,
    }  # fmt: skip
    for bid in (8, 10, 12):
        own, other = {"bid": bid, "tricks": 6}, {"bid": 4, "tricks": 7}
        assert points(scored(options, {**own, "call": "blind"}, other)) == points(scored(options, own, other)), bid


@pytest.mark.parametrize("preset", ["classic", "modern", "solo4", "solo3", "partners6"])
@pytest.mark.parametrize("beyond", [1, 7])
def test_nobody_bids_more_tricks_blind_than_there_are(preset: str, beyond: int) -> None:
    """SPADES-011, 155: a blind number is a whole bid, also where partners' numbers are added."""
    tricks = {"solo3": 17, "partners6": 17}.get(preset, 13)
    options = {"blind_bid": True, "blind_deficit": 0}
    others = {"solo4": 3, "solo3": 2, "partners6": 2}.get(preset, 1)
    rest = [{"bid": 1, "tricks": 0}] * others
    side = {"bid": tricks, "tricks": tricks, "call": "blind"}
    assert codes(scored(options, side, *rest, preset=preset)) == set()
    assert codes(scored(options, {**side, "bid": tricks + beyond}, *rest, preset=preset)) == {"bid-range"}


@pytest.mark.parametrize("preset", ["mirror", "whiz"])
@pytest.mark.parametrize("zero", [True, False])
@pytest.mark.parametrize(
    ("mode", "sides"),
    [
        ("partners4", [{"bid": 0, "tricks": 0}, {"bid": 13, "tricks": 13}]),
        (
            "partners4",
            [{"bid": 0, "tricks": 0, "nils": [{"call": "nil", "tricks": 0}]}, {"bid": 13, "tricks": 13}],
        ),
        ("solo4", [{"bid": 0, "tricks": 0}, {"bid": 5, "tricks": 5}, {"bid": 4, "tricks": 4}, {"bid": 4, "tricks": 4}]),
        ("solo3", [{"bid": 0, "tricks": 0}, {"bid": 9, "tricks": 13}, {"bid": 4, "tricks": 4}]),
    ],
)
def test_where_the_spades_held_are_bid_nobody_bids_0(preset: str, zero: bool, mode: str, sides: list[Json]) -> None:
    """MIR-R1: none held is nil, on a sheet as in the bidding, whatever the table says of the number 0."""
    options = {"mode": mode, "zero_bid": zero}
    assert codes(scored(options, *sides, preset=preset)) == {"bid-range"}
