"""The judge against every distribution of the cards: small packs, whole deals, faults planted and not."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from companion.engine.cards import Card, read_card
from companion.engine.problems import Node
from companion.games.casino.deal import replay
from companion.games.casino.rules import OPTIONS, CasinoRules
from companion.games.casino.table import DealPlan, deal_plan, full_pack
from tests.casino.worlds import Game, deal, late_outcomes, outcomes, pack, play_out

FOUR, TWO = ["P1", "P2", "P3", "P4"], ["P1", "P2"]
MODULES = ("capture", "deal", "moves", "shapes", "table")
"""Those that ask for the pack or the deal."""
RECORDS = 60
"""Small records compared in one round."""
DEALS = 12
"""Whole deals in one round."""
SMALL = [
    (("2", "3", "5"), FOUR, (2,), 4),
    (("A", "2", "3"), FOUR, (2,), 4),
    (("A", "2", "K"), FOUR, (2,), 4),
    (("A", "2", "3"), TWO, (4,), 4),
    (("A", "K", "2"), TWO, (4,), 4),
    (("2", "3", "5"), TWO, (2, 2), 4),
    (("2", "4"), TWO, (3,), 2),
    (("A", "2", "3", "5"), TWO, (6,), 4),
    (("A", "2", "3", "5"), FOUR, (3,), 4),
]
"""Ranks of a small pack, seats, cards in each round, and cards on the table."""


@pytest.fixture
def small_packs(monkeypatch: pytest.MonkeyPatch) -> dict[int, tuple[frozenset[Card], DealPlan]]:
    """Packs by the number that stands in `deck`, known to every module that asks for the pack or the deal."""
    packs: dict[int, tuple[frozenset[Card], DealPlan]] = {}

    def cards(rules: CasinoRules) -> frozenset[Card]:
        return packs[rules.deck][0] if rules.deck in packs else full_pack(rules)

    def plan(rules: CasinoRules, players: int) -> DealPlan:
        return packs[rules.deck][1] if rules.deck in packs else deal_plan(rules, players)

    for module in [import_module(f"companion.games.casino.{name}") for name in MODULES]:
        for name, instead in (("full_pack", cards), ("deal_plan", plan)):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, instead)
    return packs


def hidden_seats(chance: random.Random, seats: Sequence[str], *, many: bool) -> list[str]:
    """Seats whose hands are given: often none, but half of four where there would be too many distributions."""
    if many and len(seats) == 4:
        return chance.sample(seats, 2)
    return chance.sample(seats, chance.randint(0, len(seats) - 1)) if chance.random() < 0.4 else []


def records(number: int) -> Iterator[tuple[int, Game, list[str]]]:
    """Random records on small packs, with the seats whose hands are given, and a number for their pack."""
    for seed in range(number * RECORDS, (number + 1) * RECORDS):
        chance = random.Random(seed)
        place = chance.randrange(len(SMALL))
        ranks, seats, rounds, loose = SMALL[place]
        game = deal(chance, pack(ranks), seats, rounds, loose)
        turns = chance.randint(1, len(seats) * sum(rounds))
        play_out(chance, game, turns=turns, reckless=chance.choice([0.0, 0.2, 1.0]))
        yield 100 + place, game, hidden_seats(chance, seats, many=len(seats) * sum(rounds) > 10)


def ask(rules: CasinoRules, game: Game, known: Sequence[str]) -> Any:
    hands = {seat: game.hands[seat] if len(game.rounds) > 1 else game.hands[seat][0] for seat in known}
    request = {"seats": game.seats, "first": game.seats[0], "table": game.table, "turns": game.turns}
    return replay(rules, Node(request | ({"hands": hands} if hands else {})))


def word(found: set[bool]) -> str:
    return "undecided" if len(found) > 1 else "illegal" if True in found else "legal"


def test_small_records_are_judged_as_every_distribution_says(
    small_packs: dict[int, tuple[frozenset[Card], DealPlan]], soak_round: int, soaked: Any
) -> None:
    rules, turns, kinds = OPTIONS.preset("swazi").options, 0, set()
    for place, game, known in records(soak_round):
        small_packs[place] = (frozenset(map(read_card, game.cards)), DealPlan(len(game.table), game.rounds))
        answer = ask(replace(rules, deck=place), game, known)
        early, late = outcomes(game, known)
        verdicts = answer["verdicts"]
        context = (game, known)
        assert [one.verdict.value for one in verdicts] == list(map(word, early)), context
        assert [one.settled or "undecided" for one in verdicts] == list(map(word, late)), context
        found = {finding.facts["turn"] for finding in answer["findings"]}
        assert found == {number for number, one in enumerate(late, start=1) if one == {True}}, context
        kinds |= {(word(a), word(b)) for a, b in zip(early, late, strict=True)}
        turns += len(game.turns)
    soaked(records=RECORDS, turns=turns)
    assert soak_round or len(kinds) >= 5, kinds


@pytest.mark.parametrize("planted", [False, True], ids=["legal", "one fault"])
@pytest.mark.parametrize("players", [2, 4])
def test_whole_deals_find_a_fault_exactly_when_it_can_be_proven(
    players: int, planted: bool, soak_round: int, soaked: Any
) -> None:
    """Hands are hidden, and the record ends with the deal or a little before."""
    rules = OPTIONS.preset("swazi").options
    seats = [f"P{number + 1}" for number in range(players)]
    cards, found = [str(card) for card in sorted(full_pack(rules))], 0
    for seed in range(soak_round * DEALS, (soak_round + 1) * DEALS):
        chance = random.Random(seed + players)
        plan = deal_plan(rules, players)
        game = deal(chance, cards, seats, plan.rounds, plan.table)
        play_out(chance, game, turns=48 - chance.choice([0, 2, 4, 6]), reckless=0.04 if planted else 0)
        if len(game.turns) < 42:
            continue
        late = late_outcomes(game)
        known = chance.sample(seats, chance.choice([0, 0, 1])) if not planted else []
        answer = ask(rules, game, known)
        faults = {finding.facts["turn"] for finding in answer["findings"]}
        expected = {number for number, one in enumerate(late, start=1) if one == {True}}
        assert faults == expected, (game, known)
        found += len(faults)
        assert not faults or planted
    soaked(deals=DEALS, faults=found)
