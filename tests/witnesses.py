"""Worlds that a checker's formulas allow, found by trying: what a verdict is compared with before it has a witness."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion import InvalidInput, check, verify_witness
from companion.engine.checking import LEAST, Bound, Case, Formula, World, every, opposite, true_in
from companion.engine.checking import _alternatives as alternatives

TRIES = 3
"""Random distributions for each way in which a formula can be true."""
WAYS = 24


def some_world(case: Case, formula: Formula, chance: random.Random) -> World | None:
    """A distribution in which the formula is true, as far as trying finds one."""
    ways = [way for way, _ in zip(alternatives(every(case.known, formula)), range(400), strict=False)]
    for way in chance.sample(ways, min(len(ways), WAYS)):
        for _ in range(TRIES):
            world = _deal(case, way, chance)
            if world is not None and case.fits(world) and true_in(world, formula):
                return world
    return None


def _deal(case: Case, way: frozenset[Bound], chance: random.Random) -> World | None:
    """A random distribution with at least and at most so many cards at each place, where dealing greedily makes one."""
    left = list(case.hidden.elements())
    chance.shuffle(left)
    world: dict[str, list[str]] = {place: [] for place in case.rooms}

    def can_have(place: str, card: str) -> bool:
        room, cards = case.rooms[place], world[place]
        if len(cards) >= room.most or (room.may is not None and card not in room.may):
            return False
        mosts = [bound for bound in way if bound.place == place and bound.way != LEAST and card in bound.cards]
        return all(sum(one in bound.cards for one in cards) < bound.count for bound in mosts)

    def give(place: str, cards: frozenset[str] | None, count: int) -> bool:
        have = sum(cards is None or one in cards for one in world[place])
        for card in [one for one in left if cards is None or one in cards]:
            if have >= count:
                break
            if can_have(place, card):
                world[place].append(card)
                left.remove(card)
                have += 1
        return have >= count

    bounds = sorted((bound for bound in way if bound.way == LEAST), key=lambda bound: len(bound.cards))
    if not all(give(bound.place, bound.cards, bound.count) for bound in bounds):
        return None
    if not all(give(place, None, room.least) for place, room in case.rooms.items()):
        return None
    places = [*case.rooms]
    for card in list(left):
        free = [place for place in places if can_have(place, card)]
        if not free:
            return None
        world[chance.choice(free)].append(card)
    return world


def disagreement(cases: Sequence[Case], verdict: str, chance: random.Random) -> tuple[str, World] | None:
    """A distribution with which a verdict is at odds: its name and the distribution; None where none was found."""
    for name in ("legal", "illegal"):
        if verdict == ("illegal" if name == "legal" else "legal"):
            for case in cases:
                formula = case.wrong if name == "illegal" else opposite(case.wrong)
                world = some_world(case, formula, chance)
                if world is not None:
                    return name, world
    return None


def shown(game: Any, request: Mapping[str, Any]) -> tuple[str, bool | None]:
    """The verdict on a request, and whether the checker accepts what shows it; None if it does not cover the move."""
    asked: Any = {**request, "witness": True}
    answer: Any = check(game, asked)
    assert None not in answer["witness"].values(), request
    return str(answer["verdict"]), verify_witness(game, asked, json.loads(json.dumps(answer)))


def forged(game: Any, request: Mapping[str, Any]) -> Iterator[tuple[str, bool | None]]:
    """What the checker says of witnesses that show something else than the verdict, each with what is wrong in it."""
    asked: Any = {**request, "witness": True}
    answer: Any = json.loads(json.dumps(check(game, asked)))
    found, verdict = answer["witness"], answer["verdict"]
    variants: list[tuple[str, Any]] = []
    if "seat" in found and verdict != "undecided":
        variants.append(("verdict", {**answer, "verdict": {"legal": "illegal", "illegal": "legal"}[verdict]}))
    elif "seat" in found:
        worlds = {"legal": found["illegal"], "illegal": found["legal"]}
        variants.append(("swapped", {**answer, "witness": {**found, **worlds}}))
        variants.append(("one world", {**answer, "witness": {**found, "illegal": None}}))
        for seat, cards in found["legal"].get("hands", {}).items():
            world = {**found["legal"], "hands": {**found["legal"]["hands"], seat: [*cards, *cards[:1] * 12]}}
            variants += [("cards twice", {**answer, "witness": {**found, "legal": world}})] if cards else []
    for what, variant in variants:
        yield what, verify_witness(game, asked, variant)


def spoilt(request: Mapping[str, Any], chance: random.Random) -> Any:
    """A request whose position tells something else in one or two places: another card, number, seat, or one twice."""
    wrong: Any = json.loads(json.dumps(request))
    for _ in range(chance.choice([1, 1, 2])):
        position = wrong["position"]
        lists = [one for one in _lists(position) if one and isinstance(one[0], str)]
        cards = [one for one in lists if one not in (position.get("seats"), position.get("players"))]
        numbers = [key for key, value in position.items() if isinstance(value, int)]
        if numbers and chance.random() < 0.4:
            key = chance.choice(numbers)
            old = position[key]
            position[key] = not old if isinstance(old, bool) else chance.choice([0, 1, 2, old + 1, old * 3 + 9])
        elif cards and chance.random() < 0.8:
            source, target = chance.choice(cards), chance.choice(cards)
            target += [chance.choice(source)] * chance.choice([1, 1, 9])
        else:
            seats = position.get("seats") or position["players"]
            spite, casino = "players" in position, "builds" in position
            keys = (
                ["phase", "hand_count", "set_aside", "stock"] if spite else ["half"] if casino else ["dealer", "leader"]
            )
            key = chance.choice(keys)
            words: Mapping[str, list[Any]] = {"phase": ["second_chance", "normal"], "half": [1, 2]}
            counted = key in ("hand_count", "set_aside", "stock")
            position[key] = chance.choice(words.get(key, [0, 4, 12, 90] if counted else seats))
    return wrong


def check_spellings(game: Any, requests: Iterable[Any]) -> None:
    """Hold that cards and numbers written in other ways bring the same verdicts, with witnesses that are accepted."""
    seen: Counter[str] = Counter()
    for number, request in enumerate(requests):
        try:
            plain = shown(game, request)
        except InvalidInput:
            continue
        other = respelt(request, random.Random(number))
        assert shown(game, other) == plain, other
        seen[plain[0]] += 1
    assert len(seen) == 3, seen


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _lists(part)


def contradiction(game: Any, request: Mapping[str, Any]) -> tuple[str, bool | None] | None:
    """Why a position cannot be, and whether the checker accepts the facts that are named, but none fewer."""
    asked: Any = {**request, "witness": True}
    try:
        check(game, asked)
    except InvalidInput as refused:
        document: Any = json.loads(json.dumps(refused.document))
        for error in document["errors"]:
            if "witness" in error:
                facts = error["witness"]["facts"]
                accepted = verify_witness(game, asked, document)
                for one in facts:
                    error["witness"]["facts"] = [each for each in facts if each != one]
                    assert verify_witness(game, asked, document) is not True, (one, facts, request)
                return error.get("facts", {}).get("why", error["code"]), accepted
        return None
    possible: Any = {"errors": [{"witness": {"facts": ["/position"]}}]}
    assert verify_witness(game, asked, possible) is not True, request
    return None


def contradictions(game: Any, requests: Iterable[Any]) -> Counter[str]:
    """How often each kind of contradiction was found in spoilt requests; the facts of each must be accepted."""
    kinds: Counter[str] = Counter()
    for number, request in enumerate(requests):
        wrong = spoilt(request, random.Random(number))
        found = contradiction(game, wrong)
        assert found is None or found[1], (found, wrong)
        kinds[found[0] if found else "possible"] += 1
    return kinds


_CARDS = {
    "hand", "played", "card", "table", "piles", "sets", "absorb", "payoff", "payoff_tops", "side_stacks",
    "centre_stacks",
}  # fmt: skip
"""Keys of a position or a move under which there are cards."""
_SPELT = {
    "X": ["joker", "JOKER", "jk", "x"], "10": ["t"], "W": ["w", "K", "kh", "joker", "sb"], "1": ["A", "ah"],
    "11": ["J", "js"], "12": ["q", "Qd"],
}  # fmt: skip


def respelt(value: Any, chance: random.Random, *, card: bool = False) -> Any:
    """A request whose cards are written in any of the ways that are read, and whose whole numbers have a point."""
    if isinstance(value, dict):
        return {key: respelt(part, chance, card=card or key in _CARDS) for key, part in value.items()}
    if isinstance(value, list):
        return [respelt(part, chance, card=card and not isinstance(part, dict)) for part in value]
    if not isinstance(value, str):
        return float(value) if type(value) is int and chance.random() < 0.5 else value
    rank, suit = value[:-1], value[-1:]
    ways = [value, value.lower(), f" {value}", "".join(chr(ord(sign) + 0xFEE0) for sign in value)]
    if suit in "SHDC" and rank:
        ways += [suit + rank, rank + "♠♥♦♣"["SHDC".index(suit)], value.replace("10", "t")]
    return chance.choice([*ways, *_SPELT.get(value, [])]) if card else value
