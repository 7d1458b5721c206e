"""A seeded dealer and a random player who plays legally: whole deals of Casino to be replayed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, combinations
from typing import Any

from companion.engine.cards import Card
from companion.games.casino.capture import play_turn
from companion.games.casino.deal import Course
from companion.games.casino.rules import OPTIONS, CasinoRules
from companion.games.casino.table import Position, Seats, alone_values, deal_plan, full_pack, hand_values, set_value
from tests.casino.asking import announced

Json = dict[str, Any]

CARDS_TRIED = 4
"""Hand cards for which a player looks for more than a trail."""
LOOSE_CARDS_TRIED = 9
"""Loose cards that the player looks at for one turn."""


@cache
def random_deal(seed: int, preset: str, players: int) -> tuple[Json, Json]:
    """A complete deal as a replay request, and the hands that were dealt, round by round. Not to be changed."""
    chance = random.Random(seed)
    rules = OPTIONS.preset(preset).options
    names = tuple(f"P{number}" for number in range(1, players + 1))
    seats, plan = Seats(names), deal_plan(rules, players)
    cards = sorted(full_pack(rules))
    chance.shuffle(cards)
    table = tuple(cards.pop() for _ in range(plan.table))
    hands = {seat: tuple(frozenset(cards.pop() for _ in range(count)) for count in plan.rounds) for seat in names}
    first = seats.after(names[0], rules.direction)
    course = Course(rules, seats, plan, hands, table, first)
    turns = []
    while not course.complete:
        assert course.expected is not None
        turns.append(_play(chance, course, course.expected))
    request = {
        "rules": {"preset": preset}, "seats": list(names), "dealer": names[0],
        "table": [str(card) for card in table], "turns": turns,
    }  # fmt: skip
    dealt = {seat: [[str(card) for card in sorted(part)] for part in parts] for seat, parts in hands.items()}
    return request, dealt


def _play(chance: random.Random, course: Course, player: str) -> Json:
    """A random legal turn, played on the course; trailing is the last resort."""
    position = course.position(player)
    assert position.hand is not None
    hand = chance.sample(sorted(position.hand), len(position.hand))
    candidates = [*_turns(chance, course.rules, position, sorted(hand[:CARDS_TRIED]))]
    chance.shuffle(candidates)
    trails = [[{"play": "trail", "card": str(card)}] for card in hand]
    for plays in chain(candidates[:60], trails, candidates[60:], _turns(chance, course.rules, position, hand)):
        read = announced(course.rules, plays, course.seats)
        layout = play_turn(course.rules, position, read)
        if layout.verdict().value == "legal":
            course.take(player, read)
            return {"player": player, "plays": plays}
    raise AssertionError(f"{player} has no legal turn in {position}")


def _turns(chance: random.Random, rules: CasinoRules, position: Position, hand: list[Card]) -> Iterator[list[Json]]:
    """Turns that may be legal: a play with a hand card, sometimes with one from the table before or after it."""
    seen = chance.sample(position.table, min(len(position.table), LOOSE_CARDS_TRIED))
    position = replace(position, table=tuple(seen))
    single = [*_captures(rules, position, hand), *_builds(rules, position, hand)]
    single += [*_raises(rules, position, hand), *_augments(rules, position, hand)]
    cardless = [*_builds(rules, position, ()), *_augments(rules, position, ())]
    for play in single:
        yield [play]
        if cardless and chance.random() < 0.3:
            other = chance.choice(cardless)
            yield [other, play] if chance.random() < 0.5 else [play, other]
    for play in cardless:
        if hand:
            yield [play, {"play": "trail", "card": str(chance.choice(hand))}]
            if play["play"] == "augment" and "build" in play["base"]:
                for card in hand:
                    if play["value"] in hand_values(rules, card):
                        build = play["base"]["build"]
                        take = {"play": "capture", "card": str(card), "as": play["value"], "builds": [build]}
                        yield [play, take]


def _captures(rules: CasinoRules, position: Position, hand: list[Card]) -> Iterator[Json]:
    tops = [*_tops(position)] if rules.pile_cards == "augment_and_capture" else []
    for card in hand:
        for value in hand_values(rules, card) or (0,):
            base: Json = {"play": "capture", "card": str(card)} | ({"as": value} if value else {})
            builds = [build.id for build in position.builds if build.value == value]
            for size in (0, 1, 2, 3):
                for some in combinations(position.table, size):
                    if some or builds:
                        yield base | {"table": [str(one) for one in some], "builds": builds if value else []}
            for seat, top in tops:
                if value in alone_values(rules, top):
                    yield base | {"piles": [{"from": seat, "card": str(top)}]}


def _builds(rules: CasinoRules, position: Position, hand: Any) -> Iterator[Json]:
    for card in hand or (None,):
        for size in (1, 2, 3):
            for some in combinations(position.table, size):
                value = sum(set_value(rules, one) for one in (*some, *((card,) if card else ())))
                build = {"play": "build", "value": value, "table": [str(one) for one in some]}
                yield build | ({"card": str(card)} if card else {})


def _raises(rules: CasinoRules, position: Position, hand: list[Card]) -> Iterator[Json]:
    for build in position.builds:
        for card in hand:
            to = build.value + set_value(rules, card)
            yield {"play": "raise", "build": build.id, "card": str(card), "to": to}


def _augments(rules: CasinoRules, position: Position, hand: Any) -> Iterator[Json]:
    bases: list[tuple[int, Json, Card | None]] = [(one.value, {"build": one.id}, None) for one in position.builds]
    bases += [(value, {"table": str(one)}, one) for one in position.table for value in alone_values(rules, one)]
    tops = [*_tops(position)] if rules.pile_cards != "none" else []
    for value, base, used in bases:
        loose = [one for one in position.table if one != used]
        for card in (*hand, None):
            for pile in (*tops, None):
                for size in (0, 1, 2):
                    for some in combinations(loose, size):
                        cards = [*some, *((card,) if card else ()), *((pile[1],) if pile else ())]
                        alone = len(cards) == 1 and value in alone_values(rules, cards[0])
                        if alone or (len(cards) > 1 and sum(set_value(rules, one) for one in cards) == value):
                            one: Json = {"table": [str(c) for c in some]} | ({"card": str(card)} if card else {})
                            if pile:
                                one["piles"] = [{"from": pile[0], "card": str(pile[1])}]
                            yield {"play": "augment", "value": value, "base": base, "sets": [one]}


def _tops(position: Position) -> Iterator[tuple[str, Card]]:
    own = position.seats.side(position.player)
    for side, layers in position.piles.items():
        if side != own and layers:
            yield side, sorted(layers[0])[0]
