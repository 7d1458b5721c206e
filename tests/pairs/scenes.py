"""Requests drawn by lot, of every question that a game answers, for the search of `corpus.py`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from companion.conformance import published
from tests.pairs import casino_oracle
from tests.pairs.positions import casino_moves, casino_position, spite_moves, spite_position
from tests.pairs.test_oracles import SCORED
from tests.pairs.walks import WALKS, Step

Json = dict[str, Any]
Case = tuple[Json, list[str]]
"""What a request adds to what is shared, and which facts it leaves out."""
Scene = tuple[str, Json, list[Case]]
MOST = 12
"""Requests about one position with facts left out; half as many moves beside one of each kind."""
NEEDED = {"players", "player", "seats", "phase"}


def scenes_of(game: str, rules: Json, rng: Random, kind: str = "") -> Iterator[Scene]:
    """Yield some requests of one kind: positions, scores, recorded deals, or what other tests ask."""
    draws = {"positions": _own[game], "scores": _scored, "records": _recorded, "known": _known}
    yield from draws[kind or rng.choices([*draws], [9, 2, 1, 4])[0]](game, rules, rng)


def _positioned(position: Json, moves: list[Json], rng: Random) -> Iterator[Scene]:
    """Yield checks of some moves in a position, also with facts left out, and the question what can be done in it."""
    position = deepcopy(position)  # a walk goes on with its lists
    kinds = sorted({move["type"] for move in moves})
    some = [rng.choice([move for move in moves if move["type"] == kind]) for kind in kinds]
    some += rng.sample(moves, min(len(moves), MOST // 2))
    facts = [name for name in position if name not in NEEDED]
    cases: list[Case] = [({"move": move}, []) for move in some]
    cases += [({"move": rng.choice(some)}, _some(facts, rng)) for _ in range(MOST)]
    cases = [case for n, case in enumerate(cases) if case not in cases[:n]]
    yield "check", {"position": position}, cases
    asked: Json = {name: some[0][name] for name in ("seat", "looked") if name in some[0]}
    yield "moves", {"position": position}, [(asked, []), (asked, _some(facts, rng))]


def _some(facts: list[str], rng: Random) -> list[str]:
    return sorted(rng.sample(facts, min(len(facts), rng.choice((1, 1, 2, 3)))))


def _spite(game: str, rules: Json, rng: Random) -> Iterator[Scene]:
    options = rules["options"]
    position = spite_position(options, rng)
    yield from _positioned(position, spite_moves(position), rng)
    players = position["players"]
    ranks = [*rng.choices(("K", "Q", "A", "9"), k=2), "X"]
    tops = {player: rng.choice(ranks) for player in players}
    tops = {player: top if top == "X" else top + rng.choice("SHDC") for player, top in tops.items()}
    start = {"players": players, "player": players[0], "payoff_tops": tops, "dealer": rng.choice(players)}
    ways: list[Json] = [{"first": rng.choice(players)}, {"redo": rng.choice(("reshuffle", "bury", "redraw"))}]
    cases: list[Case] = [({"move": {"type": "start", **way}}, gone) for way in ways for gone in ([], ["dealer"])]
    yield "check", {"position": start}, cases
    counts: list[Json] = [{"stock": rng.choice((0, 40, 46, 58, 72, 84, 102, 104)) + rng.randrange(3)}]
    for name, number in (("payoffs", options["payoff_size"]), ("hands", 5), ("side_stacks", options["side_start"])):
        counts.append({name: dict.fromkeys(players, number + rng.choice((0, 0, -1, 1)))})
    dealt: list[Case] = [({"move": {"type": "deal", **one}}, []) for one in counts]
    yield "check", {"position": {"players": players, "player": players[0]}}, dealt


def _casino(game: str, rules: Json, rng: Random) -> Iterator[Scene]:
    options = rules["options"]
    position = casino_position(options, rng)
    moves = casino_moves(options, position, rng)
    legal = [move for move in moves if casino_oracle.may_turn(options, position, move)]
    yield from _positioned(position, [*moves[:: max(1, len(moves) // 12)], *legal[:12]], rng)
    others = [seat for seat in position["seats"] if seat != position["player"]]
    asked: list[Case] = []
    for move in rng.sample(legal, min(len(legal), 8)):
        play = {name: said for name, said in move["plays"][0].items() if name != "play" or said == "trail"}
        if len(move["plays"]) == 1 and move["plays"][0]["play"] in ("capture", "trail"):
            gone = _some(["piles", "hand"], rng) if rng.random() < 0.3 else []
            asked.append(({"by": rng.choice(others), **play}, gone))
    yield "demand", {"position": position}, asked
    pack = casino_oracle.Values.under(options).pack
    rich = [card for card in pack if card[0] in "AJQK" or card in ("10D", "2S")]
    cards = list(dict.fromkeys([*rng.sample(rich, rng.randrange(4)), *rng.sample(pack, 8)]))[:4]
    seats = {"position": {"seats": position["seats"]}}
    yield "check", seats, [({"move": {"type": "recut", "table": cards}}, []), ({"move": {"type": "deal"}}, [])]


def _spades(game: str, rules: Json, rng: Random) -> Iterator[Scene]:
    """Go through a deal as the oracle allows it; look at some of its positions."""
    for step, _ in _walked(game, rules, rng, rng.choice((4, 9, 14, 30, 60))):
        bids = "phase" not in step.position
        if rng.random() < (0.3 if bids else 0.12):
            yield from _positioned(step.position, step.candidates, rng)


def _walked(game: str, rules: Json, rng: Random, most: int) -> Iterator[tuple[Step, list[Json]]]:
    """Yield the steps of a deal with what is legal in them by the oracle, at most so many."""
    walk = WALKS[game](rules["options"], rules, rng)
    try:
        step = next(walk)
        for _ in range(most):
            legal = [move for move in step.candidates if step.judge(move) is not False]
            yield step, legal
            step = walk.send(legal)
    except (StopIteration, IndexError):
        return


def judged(game: str, rules: Json, rng: Random) -> Iterator[tuple[Json, list[Json]]]:
    """Yield positions on a table that an oracle knows all of, with moves in them."""
    options = rules["options"]
    if game == "casino":
        position = casino_position(options, rng)
        yield position, casino_moves(options, position, rng)
    elif game == "spite-and-malice":
        position = spite_position(options, rng)
        yield position, spite_moves(position)
    else:
        for step, _ in _walked(game, rules, rng, rng.choice((6, 10, 14, 30))):
            if rng.random() < (0.5 if step.position.get("trick_number") == 1 else 0.2):
                yield deepcopy(step.position), rng.sample(step.candidates, min(len(step.candidates), 6))


def _scored(game: str, rules: Json, rng: Random) -> Iterator[Scene]:
    """Yield games, as they are and with a fact of a side changed or left out."""
    for _ in range(6):
        asked, _, _ = SCORED[game](rng, rules["options"])
        other = deepcopy(asked["deals"])
        part = rng.choice([one for one in _objects(other) if one] or [{}])
        if part:
            _change(part, rng)
        shared = {name: said for name, said in asked.items() if name != "deals"}
        yield "score", shared, [({"deals": asked["deals"]}, []), ({"deals": other}, []), ({"deals": other[:1]}, [])]


def _recorded(game: str, rules: Json, rng: Random) -> Iterator[Scene]:
    """Yield a recorded deal that ends with a move, in order or not, whose hands are told or not."""
    most = rng.choice((4, 10, 20, 40))
    for step, legal in [*_walked(game, rules, rng, most)][-2:]:
        if not step.recorded:
            continue
        wrong = [move for move in step.candidates if move not in legal]
        for moves in (legal, wrong):
            if moves:
                record = step.recorded(rng.choice(moves))
                facts = [name for name in record if name not in ("seats", "players", "turns", "plays", "calls")]
                yield "replay", json.loads(json.dumps(record)), [({}, []), ({}, _some(facts, rng))]


def _known(game: str, rules: Json, rng: Random) -> Iterator[Scene]:
    """Yield requests of other tests as they would be on this table."""
    for ask, request in rng.sample(known(game), 10):
        if ask == "check" and isinstance(request.get("position"), dict):
            facts = [name for name in request["position"] if name not in NEEDED]
            shared = {"position": request["position"]}
            yield ask, shared, [({"move": request.get("move")}, []), ({"move": request.get("move")}, _some(facts, rng))]
        else:
            yield ask, {name: said for name, said in request.items() if name != "rules"}, [({}, [])]


@lru_cache
def known(game: str) -> list[tuple[str, Json]]:
    """Return the published cases of a game and those that together reach every line of it."""
    found = [(c["post"].rpartition("/")[2], c["request"]) for c in published() if f"/{game}/" in c["post"]]
    reached = Path(__file__).parents[1] / f"snapshots/{game}.reached.jsonl"
    found += [(one["ask"], one["request"]) for one in map(json.loads, reached.read_text("utf-8").splitlines())]
    return [(ask, request) for ask, request in found if isinstance(request, dict)]


def _objects(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(each)


def _change(part: Json, rng: Random) -> None:
    """Change one value of an object, or leave it out."""
    name = rng.choice([*part])
    value = part[name]
    if isinstance(value, bool):
        part[name] = not value
    elif isinstance(value, int):
        part[name] = value + rng.choice((-1, 1, 1, 2, 10))
    elif rng.random() < 0.5:
        del part[name]


_own = {"spades": _spades, "casino": _casino, "spite-and-malice": _spite}
