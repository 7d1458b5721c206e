"""Positions dense in what options are about, and moves in them: aces, twos, 10♦, builds of one value, exposed twos."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

from tests.pairs.casino_oracle import Values
from tests.pairs.walks import casino_turns

Json = dict[str, Any]
_OFTEN = {"A": 5, "2": 3, "10": 3, "K": 3, "Q": 2, "J": 2, "9": 2, "4": 2, "5": 2}


def casino_position(options: Json, rng: Random) -> Json:
    """Return a table with builds of several owners, of values that the player often holds."""
    values = Values.under(options)
    weighted = sorted(values.pack, key=lambda card: rng.random() ** (1 / _OFTEN.get(card[:-1], 1)), reverse=True)
    counts = (5,) if options["deck"] == 49 else (2, 2, 2, 3, 4, 4)
    seats = [f"P{number}" for number in range(1, rng.choice(counts) + 1)]
    taken, rest = weighted[:16], weighted[16:]
    rng.shuffle(taken)
    hand = [taken.pop() for _ in range(rng.choice((2, 3, 4)))]
    builds: list[Json] = []
    worth = sorted(value for card in hand for value in values.played(card))
    taken_by_some = sorted({value for card in values.pack for value in values.played(card) if value > 2})
    for number in range(rng.choice((0, 1, 1, 2, 2)) if options["building"] != "none" else 0):
        value = rng.choice(worth if worth and rng.random() < 0.7 else taken_by_some)
        sets = [*_sets(values, taken, value, rng)][: rng.choice((1, 1, 1, 2))]
        if sets and (len(sets) > 1 or len(sets[0]) > 1):
            builds.append({"id": f"B{number}", "value": value, "sets": sets, "owner": rng.choice(seats[:2] + seats)})
            taken = [card for card in taken if all(card not in one for one in sets)]
    if rng.random() < 0.4:  # equal cards lie there, courts first
        taken.sort(key=lambda card: (card[:-1] not in {held[:-1] for held in hand}, card[0] not in "JQK"))
    sides = seats[:2] if len(seats) == 4 else seats
    piles = {seat: [rest.pop() for _ in range(rng.choice((0, 1, 2, 4)))] for seat in sides}
    position: Json = {"seats": seats, "player": seats[0], "table": taken[: rng.choice((1, 3, 4, 5))], "hand": hand}
    position |= {"builds": builds, "piles": piles}
    if len(seats) == 2 and options["two_player_deal"] == "two_halves" and options["deal"] != "fours":
        position["half"] = rng.choice((1, 1, 2))
    if len(seats) == 4:
        proven = {seat: [rng.randint(2, values.highest)] for seat in (seats[0], seats[2]) if rng.random() < 0.5}
        position["proven"] = proven
    return position


def _sets(values: Values, cards: Sequence[str], value: int, rng: Random) -> Iterator[list[str]]:
    """Yield disjoint sets of a value."""
    gone: set[str] = set()
    every = [[*one] for size in (1, 2, 3) for one in combinations(cards, size) if values.makes(one, value)]
    for one in sorted(every, key=lambda one: (len(one) == 1, rng.random())):
        if not gone & set(one):
            gone |= set(one)
            yield one


def casino_moves(options: Json, position: Json, rng: Random) -> list[Json]:
    """Return turns of one play, and of two: an addition or a build without a card, then a capture of it."""
    turns = [*casino_turns(options, position, rng)]
    for plays in turns[:]:
        first = plays[0]
        if len(plays) > 1 and first["play"] in ("augment", "build"):
            name = first.get("base", {}).get("build", "new")
            for card in position["hand"]:
                if first["value"] in Values.under(options).played(card):
                    take = {"play": "capture", "card": card, "as": first["value"], "builds": [name]}
                    turns.append([first | ({"id": "new"} if name == "new" else {}), take])
    turns += [[{"play": "trail", "card": card}] for card in position["hand"]]
    return [{"type": "turn", "plays": plays} for plays in turns]


# Spite and Malice ----------------------------------------------------------------------------------------------------

_LOW = ("A", "A", "2", "2", "2", "3", "X", "K", "Q")


def spite_position(options: Json, rng: Random) -> Json:
    """Return a table of aces, twos and wild cards, its stock near the threshold, its turns near a deadlock."""
    last = "Q" if options["top_rank"] == "Q" else "K"
    jokers = options["jokers"] > 0

    def some(*, joker: bool = True) -> str:
        card = rng.choice(_LOW) if rng.random() < 0.7 else rng.choice(("4", "5", "7", "9", "J"))
        return card if card != "X" or (jokers and joker) else "2"

    def pile(*, empty: float) -> Json:
        stacks = [[some() for _ in range(rng.choice((0, 1, 1, 2, 3)))] for _ in range(rng.choice((0, 1, 2, 3, 4)))]
        if not options["discard_ace"] and not options["side_start"]:  # none can have got there
            stacks = [["2" if card == "A" else card for card in stack] for stack in stacks]
        left = 0 if rng.random() < empty else rng.choice((1, 2, 4))
        two = options["block_two"] != "off" and rng.random() < 0.4
        top = {"payoff": "2" if two else some(joker=options["deal_mode"] == "single")} if left else {}
        return {"payoff_left": left, "side_stacks": stacks, **top}

    players = [*"ABCDEF"[: options["players"]]]
    places = options["centre_max"] or 4
    tops = [rng.choice(("A", "A", "2", "J", "Q", last)) for _ in range(rng.randint(0, places))]
    cleared = options["centre_done"] != "stay" and rng.random() < 0.7  # or it was completed just now
    tops = [top for top in tops if not (cleared and top == last) and not (last == "Q" and top == "K")]
    full = sum(top == last for top in tops)
    threshold = options["recycle_threshold"]
    count = rng.choice((len(players), len(players) + 1, 2 * len(players), 2 * len(players) + 1))
    busy = rng.choice((0.0, 0.0, 0.2, 0.5))
    turns = [{"player": players[n % len(players)], "acted": rng.random() < busy} for n in range(count)]
    if rng.random() < 0.3:  # everybody was idle, and some have had their second chance
        count = len(players) + rng.randrange(len(players))
        turns = [{"player": players[n % len(players)], "acted": False} for n in range(count)]
        turns = [turn | {"acted": n >= len(players) and rng.random() < 0.4} for n, turn in enumerate(turns)]
    mover = players[count % len(players)]
    refilled = rng.random() < 0.8
    discarded = refilled and rng.random() < 0.15
    held = 0 if rng.random() < (0.6 if discarded else 0.25 if refilled else 0.05) else rng.choice((1, 2, 3, 4, 5, 5))
    position = {
        "players": players, "player": mover, "hand": [some() for _ in range(held)], "centre_stacks": tops,
        "stock": rng.choice((0, 0, 2, 4, max(threshold, 1), threshold + 1, 40)), "refilled": refilled,
        "discarded": discarded, "phase": _phase(options, turns), "turns": turns, "set_aside": 0,
        "played_ace_or_two": rng.random() < 0.2, "complete": full, "incomplete": len(tops) - full,
        **pile(empty=0.03),
    }  # fmt: skip
    if options["centre_done"] == "set_aside":
        position["set_aside"] = rng.choice((0, 0, 1, 2))
    if len(players) > 2:
        position["partner"] = pile(empty=0.15)
        if rng.random() < 0.1:
            position |= {"payoff_left": 0}
            position.pop("payoff", None)
    return position


def _phase(options: Json, turns: Sequence[Json]) -> str:
    """Return the phase after these turns: when everybody was idle, everybody gets one further turn."""
    chances = idle = 0
    for turn in turns:
        idle = 0 if turn["acted"] else idle + 1
        chances = chances - 1 if chances else options["players"] if idle >= options["players"] else 0
    return "second_chance" if chances and options["deadlock"] == "second_chance_redeal" else "normal"


def spite_moves(position: Json) -> list[Json]:
    """Return every move that could be made somewhere."""
    sources: list[Json] = [{"from": "hand", "card": card} for card in dict.fromkeys(position["hand"])]
    for of, one in (("", position), ("partner_", position.get("partner", {}))):
        sources += [{"from": f"{of}payoff", "card": one["payoff"]}] if "payoff" in one else []
        stacks = enumerate(one.get("side_stacks", ()))
        sources += [{"from": f"{of}side", "card": stack[-1], "stack": n} for n, stack in stacks if stack]
    centre = (*range(len(position["centre_stacks"])), "new")
    moves = [{"type": "play", **source, "to": to} for source in sources for to in centre]
    sides = (*(n for n, stack in enumerate(position["side_stacks"]) if stack), "new")
    moves += [{"type": "discard", "card": c, "to": to} for c in dict.fromkeys(position["hand"]) for to in sides]
    moves += [{"type": "refill", "count": count} for count in range(1, 6)] + [{"type": "end_turn"}] * 2
    moves += [
        {"type": "recycle", "what": w, "by": b} for w in ("complete", "incomplete") for b in ("opponent", "player")
    ]
    moves += [{"type": "redeal", "first": player} for player in position["players"][:2]]
    moves += [{"type": kind} for kind in ("second_chance", "claim_win", "claim_stalemate")]
    does = ("stay", "set_aside", "shuffle_now")
    return moves + [
        {"type": "complete", "stack": n, "do": do} for n in range(len(position["centre_stacks"])) for do in does
    ]
