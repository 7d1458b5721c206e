"""Where hidden cards can be: every answer equal to the list of all distributions of a small pack."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from companion.engine.verdict import TRUE, AllOf, AnyOf, AtLeast, AtMost, Claim, Cut, Knowledge, Place, negation

World = tuple[int, ...]
"""For each hidden card, the index of its place."""


def worlds(known: Knowledge, cards: list[int]) -> Iterator[World]:
    """Every distribution that agrees with sizes and possible kinds; conditions are left to the caller."""
    for world in product(range(len(known.places)), repeat=len(cards)):
        held = [
            [bit for bit, at in zip(cards, world, strict=True) if at == place] for place in range(len(known.places))
        ]
        if all(
            place.least <= len(own) <= place.most and all(bit & place.may for bit in own)
            for place, own in zip(known.places, held, strict=True)
        ):
            yield world


def true_in(claim: Claim, known: Knowledge, cards: list[int], world: World) -> bool:
    match claim:
        case AtLeast(place, mask, count) | AtMost(place, mask, count):
            names = [one.name for one in known.places]
            held = sum(
                bool(bit & mask) for bit, at in zip(cards, world, strict=True) if names[at] == place
            )  # fmt: skip
            return held >= count if isinstance(claim, AtLeast) else held <= count
        case AllOf(claims):
            return all(true_in(one, known, cards, world) for one in claims)
        case AnyOf(claims):
            return any(true_in(one, known, cards, world) for one in claims)


def some_claim(chance: random.Random, names: list[str], kinds: int, depth: int = 2) -> Claim:
    shape = chance.choice(["least", "least", "most", "most", "all", "any"] if depth else ["least", "most"])
    if shape in ("all", "any"):
        parts = tuple(some_claim(chance, names, kinds, depth - 1) for _ in range(chance.randint(0, 3)))
        return AllOf(parts) if shape == "all" else AnyOf(parts)
    mask = chance.randrange(1 << kinds)
    if shape == "least":
        return AtLeast(chance.choice(names), mask, chance.randint(0, 3))
    return AtMost(chance.choice(names), mask, chance.randint(-1, 2))


def some_knowledge(chance: random.Random) -> tuple[Knowledge, list[int]]:
    kinds, count = chance.randint(1, 6), chance.randint(1, 4)
    copies = tuple(chance.choice([1, 1, 1, 2]) for _ in range(kinds)) if chance.random() < 0.5 else ()
    hidden = chance.randrange(1 << kinds)
    cards = [1 << kind for kind in range(kinds) for _ in range(copies[kind] if copies else 1) if hidden >> kind & 1]
    places = []
    for number in range(count):
        low = chance.randint(0, max(1, len(cards) // count + 1))
        high = low if chance.random() < 0.6 else low + chance.randint(0, 3)
        may = -1 if chance.random() < 0.6 else chance.randrange(1 << kinds)
        places.append(Place(f"P{number}", low, high, may))
    names = [place.name for place in places]
    conditions = tuple(some_claim(chance, names, kinds, 1) for _ in range(chance.choice([0, 0, 1, 2])))
    return Knowledge(hidden, tuple(places), conditions, copies), cards


@pytest.mark.parametrize("seed", range(600))
def test_every_answer_is_that_of_all_distributions(seed: int) -> None:
    chance = random.Random(seed)
    known, cards = some_knowledge(chance)
    fitting = [
        world
        for world in worlds(known, cards)
        if all(true_in(condition, known, cards, world) for condition in known.conditions)
    ]
    assert known.consistent == bool(fitting)
    for _ in range(6):
        claim = some_claim(chance, [place.name for place in known.places], 6)
        holds = [true_in(claim, known, cards, world) for world in fitting]
        assert known.possible(claim) == any(holds)
        assert known.certain(claim) == all(holds)
        assert [true_in(negation(claim), known, cards, world) for world in fitting] == [not one for one in holds]
        if fitting:
            assert known.decide(claim) == (None if any(holds) and not all(holds) else any(holds))


def test_the_fourth_hand_must_hold_what_the_others_do_not() -> None:
    clubs, others = 0b0011, 0b1100
    known = Knowledge(clubs | others, (Place.of("B", 2, others), Place.of("C", 2)))
    assert known.decide(AtLeast("C", clubs, 2)) is True
    assert known.decide(AtLeast("B", clubs)) is False
    assert Knowledge(0b11, (Place.of("B", 1), Place.of("C", 1))).decide(AtLeast("B", 0b01)) is None


def test_a_condition_on_either_of_two_hands_leaves_both_open() -> None:
    nine = 0b001
    either = AnyOf((AtLeast("P2", nine), AtLeast("P4", nine)))
    known = Knowledge(0b111, (Place.of("P2", 1), Place.of("P4", 1), Place.of("P1", 1)), (either,))
    assert known.decide(AtLeast("P2", nine)) is None
    assert known.decide(AtLeast("P1", nine)) is False
    assert replace(known, conditions=(either, AtMost("P4", nine))).decide(AtLeast("P2", nine)) is True


def test_what_contradicts_itself_has_no_answer() -> None:
    known = Knowledge(0b11, (Place.of("B", 3),))
    assert not known.consistent
    with pytest.raises(ValueError, match="no distribution"):
        known.decide(AtLeast("B", 0b1))


@pytest.mark.parametrize("seed", range(500))
def test_worlds_agree_with_all_that_is_known(seed: int) -> None:
    chance = random.Random(seed + 10_000)
    known, cards = some_knowledge(chance)
    names = [place.name for place in known.places]
    claims = (TRUE, some_claim(chance, names, 6), some_claim(chance, names, 6))
    fitting = [
        world for world in worlds(known, cards)
        if all(true_in(condition, known, cards, world) for condition in known.conditions)
    ]  # fmt: skip
    before = None
    for claim in claims:
        found = known.world(claim, before)
        if isinstance(found, tuple):
            assert not any(true_in(claim, known, cards, world) for world in fitting)
            assert all(cut.count < cut.seats if cut.need else cut.count > cut.seats for cut in found)
            continue
        kinds = sorted((kind, names.index(name)) for name, held in found.items() for kind in held)
        assert [kind for kind, _ in kinds] == sorted(cards)
        assert any(
            sorted(zip(cards, world, strict=True)) == kinds and true_in(claim, known, cards, world) for world in fitting
        )
        before = found


def test_second_world_moves_few_cards() -> None:
    known = Knowledge((1 << 12) - 1, tuple(Place.of(name, 3) for name in "ABCD"))
    first = known.world(AtLeast("A", 0b111, 3))
    assert isinstance(first, dict)
    assert first["A"] == (1, 2, 4)
    second = known.world(AtMost("A", 0b1), first)
    assert isinstance(second, dict)
    moved = {kind for name, kinds in first.items() for kind in kinds if kind not in second[name]}
    assert len(moved) == 2


def test_cut_names_the_places_that_are_too_small() -> None:
    known = Knowledge(0b1111, (Place.of("A", 2), Place.of("B", 2)))
    found = known.world(AtMost("A", 0b1110))
    assert found == (Cut(("A",), 0b1, 1, 2, need=True),)
    assert known.world(AtLeast("A", -1, 3))[0].need  # type: ignore[union-attr, index]
