"""How the copies of a rank are shared between hidden places, against every way to lay out the copies of both packs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from companion.engine.problems import Refused
from tests.spite_and_malice.asking import articles, ask

SUITS = "SHDC"
WILD = {"blackwood": ("X", 4), "massachusetts": ("K", 8), "blackwood108": ("X", 4)}
"""The wild card of each preset, and how many there are."""
ONE_PACK = ("blackwood", "massachusetts")
"""Where the first of the packs fills the pay-off piles."""
ANY, PILE, SHOWN, WILD_TOP = "any", "pile", "shown", "wild top"
Lying = tuple[str, str]
"""Where a nine is (outside the piles, on a pay-off pile, as the top of a centre stack), and its suit if known; a wild
card as the top of a centre stack may be any."""


def can_be(preset: str, lying: Sequence[Lying], wild: int) -> bool:
    """Whether the eight nines can lie so, with so many wild cards left for centre stacks."""
    worlds = {(frozenset[tuple[int, str]](), wild)}
    for where, suit in lying:
        if where == WILD_TOP:
            worlds = {(used, left - 1) for used, left in worlds if left}
            continue
        packs = (0,) if where == PILE and preset in ONE_PACK else (0, 1)
        copies = set(product(packs, suit or SUITS))
        after = {(used | {copy}, left) for used, left in worlds for copy in copies - used}
        if where == SHOWN:
            after |= {(used, left - 1) for used, left in worlds if left}
        worlds = after
    return bool(worlds)


def asked(preset: str, source: str, lying: Sequence[Lying], wild_seen: int) -> str:
    """Whether a nine can be played from a hidden place: yes, no, or impossible where no table looks like that."""
    cards = [f"9{suit}" for where, suit in lying if where == ANY] + [WILD[preset][0]] * wild_seen
    tops = {player: f"9{suit}" for player, (where, suit) in zip("B", [x for x in lying if x[0] == PILE], strict=False)}
    centre = {SHOWN: "9", WILD_TOP: WILD[preset][0]}
    position: dict[str, Any] = {
        "side_stacks": [cards] if cards else [], "payoff_tops": tops, "stock": 30,
        "centre_stacks": [centre[where] for where, _ in lying if where in centre],
    }  # fmt: skip
    try:
        verdict = ask({"type": "play", "from": source, "card": "9", "to": "new"}, preset=preset, **position)
    except Refused as refused:
        return "impossible" if {one.code for one in refused.problems} == {"impossible-position"} else "refused"
    return "no" if "packs" in articles(verdict) else "yes"


@pytest.mark.parametrize("preset", WILD)
def test_a_hidden_card_can_be_a_nine_where_some_copy_is_left_for_it(preset: str) -> None:
    """SNM-002, 005, 201, 203."""
    dice, found = random.Random(preset), set()
    for outside, top, shown, wilds in product(range(9), range(2), range(4), range(2)):
        for suited, few in ((False, True), (True, True), (True, False))[: 1 if wilds else 3]:
            seen = WILD[preset][1] - (dice.randint(0, 1) if few else dice.randint(1, 4))
            suits = dice.sample(SUITS * 2, outside) if suited else [""] * outside
            lying = [(ANY, suit) for suit in suits] + [(PILE, dice.choice(SUITS) if suited else "")] * top
            lying += [(SHOWN, "")] * shown + [(WILD_TOP, "")] * wilds
            wild = WILD[preset][1] - seen
            for source, where in (("payoff", PILE), ("hand", ANY)):
                expected = "yes" if can_be(preset, [*lying, (where, "")], wild) else "no"
                if not can_be(preset, lying, wild):
                    expected = "impossible"
                assert asked(preset, source, lying, seen) == expected, (source, lying, wild)
                found.add((source, expected))
    assert len(found) == 6
